"""Draws sample graphs of several shapes and sizes with signal-viz, and measures time, memory and legibility.

    picture_sizes.py PROGRAM_DIRECTORY OUTPUT_DIRECTORY [--page]
"""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

SHAPES = {
    "equal": "equal chains",
    "named": "chains that differ in names",
    "hub": "one hub",
    "one": "joins, all connected",
    "many": "joins, in many parts",
    "deep": "chains of 1,000 operators",
    "mixed": "all of these together",
}
SIZES = [10, 100, 1_000, 10_000, 50_000, 200_000]
PAGE = Path("Sources/SignalInspector/SignalInspector.docc/PicturesOfAnySize.md")
RESOURCES = PAGE.parent / "Resources"
# The drawings on the page, with their names.
SHOWN = {("hub", 1_000): "size-hub", ("deep", 1_000): "size-deep", ("one", 50_000): "size-joins"}
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


def run(arguments):
    """Runs a program; returns the CPU seconds and the megabytes of the largest process, including its children."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, arguments))} ended with {process.returncode}: {errors.decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1_024


def measure(programs, folder, shape, size):
    name = folder / f"{shape}-{size}"
    graph = name.with_suffix(".json")
    with open(graph, "wb") as file:
        subprocess.run([programs / "sample-graph", shape, str(size)], stdout=file, check=True)
    svg, png = name.with_suffix(".svg"), name.with_suffix(".png")
    seconds, megabytes = run([programs / "signal-viz", "render", graph, "-o", svg])
    run([programs / "signal-viz", "render", graph, "-o", png])
    graph.unlink()
    text = svg.read_text()
    width, height = (float(number) for number in re.search(r'<svg[^>]*?width="([\d.]+)pt"[^>]*?height="([\d.]+)pt"', text).groups())
    letters = min(float(number) for number in re.findall(r'font-size="([\d.]+)"', text))
    pixels = struct.unpack(">II", png.read_bytes()[16:24])
    # A PNG has 144 pixels an inch, 2 a point, unless it is scaled down.
    scale = min(1, pixels[0] / (2 * width))
    return {
        "shape": shape, "size": size, "seconds": seconds, "megabytes": megabytes,
        "boxes": len(re.findall(r'<g [^>]*class="[^"]*\bnode\b', text)),
        "links": len(re.findall(r'<g [^>]*class="[^"]*\bedge\b', text)), "aspect": width / height,
        "letters": letters, "pixels": round(letters * 2 * scale), "side": max(pixels),
    }


def table(rows):
    lines = [
        "| graph | nodes | CPU time | memory | boxes | links | width : height | smallest text, SVG | PNG | larger of width and height, PNG |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        lines.append(
            f"| {SHAPES[row['shape']]} | {row['size']:,} | {row['seconds']:.2f} s | {row['megabytes']:.0f} MB | {row['boxes']} | {row['links']}"
            f" | {row['aspect']:.2f} | {row['letters']:g} points | {row['pixels']} pixels | {row['side']:,} pixels |")
    return "\n".join(lines)


def main():
    programs, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for shape in SHAPES:
        for size in SIZES:
            rows.append(measure(programs, folder, shape, size))
            print(table(rows[-1:]).splitlines()[-1], flush=True)
    wrong = [row for row in rows if row["boxes"] > 80 or row["links"] > 120 or row["pixels"] < 9 or row["side"] > 2_400]
    wrong += [row for row in rows if row["boxes"] >= 12 and not 1 / 2.2 <= row["aspect"] <= 2.2]
    for row in wrong:
        print(f"error: hard to read: {row}", file=sys.stderr)
    if "--page" in sys.argv[3:]:
        text = PAGE.read_text()
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n\n{table(rows)}\n\n{END}{after}")
        for (shape, size), name in SHOWN.items():
            (RESOURCES / f"{name}.svg").write_text((folder / f"{shape}-{size}.svg").read_text())
    sys.exit(1 if wrong else 0)


main()
