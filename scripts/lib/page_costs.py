"""Measures the cost of the live page: scripts/test-page --costs. Reads /proc, so it needs Linux."""

import os
import time

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

WATCH_FRAMES = """window.longTasks = []; window.frames = []; window.updates = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.longTasks.push(entry.duration); }).observe({ entryTypes: ['longtask'] });
let last = performance.now();
const frame = (now) => { window.frames.push(now - last); last = now; requestAnimationFrame(frame); };
requestAnimationFrame(frame);
window.EventSource = class extends EventSource {
  constructor(...all) { super(...all); this.addEventListener('counts', () => window.updates.push(performance.now())); this.addEventListener('picture', () => { window.drawn ??= performance.now(); }); }
};"""


def seconds(pid):
    """The CPU time of a process and its children."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                children.setdefault(int(fields[1]), []).append((int(name), (int(fields[11]) + int(fields[12])) / TICK))
                if int(name) == pid:
                    own = (int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])) / TICK
            except OSError:
                pass
    def below(parent):
        return sum(time + below(child) for child, time in children.get(parent, []))
    return own + below(pid)


def megabytes(pid):
    """The current and the peak memory of a process."""
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    return int(fields["VmRSS"].split()[0]) // 1024, int(fields["VmHWM"].split()[0]) // 1024


def measure(trial, nodes, isAll, time_, choosing=False):
    """One program, one server, one page."""
    program = trial.start("many-nodes", str(nodes))
    program.stdout.readline()
    tool = trial.start("signal-viz", "serve")
    address = tool.stdout.readline().split(" ")[5]
    time.sleep(2)
    quiet = (seconds(program.pid), time.monotonic())
    time.sleep(10)
    quiet = (seconds(program.pid) - quiet[0]) / (time.monotonic() - quiet[1])
    page = trial.browser.page(address, 1400, 860, before=WATCH_FRAMES)
    page.wait("document.querySelectorAll('.boxes .box').length > 0", "a picture is drawn", 120)
    drawn = page.run("window.drawn / 1000")
    if isAll:
        page.run("document.getElementById('all').click()")
        page.wait(f"document.querySelectorAll('.boxes .box').length >= {nodes}", "each node is drawn", 120)
        time.sleep(5)
    if choosing:
        page.key("ArrowDown", number=40)
        time.sleep(2)
    page.run("window.longTasks = []; window.frames = []; window.updates = []; 0")
    pids = {"program": program.pid, "signal-viz": tool.pid, "browser": trial.browser.process.pid}
    before = {name: seconds(pid) for name, pid in pids.items()}
    began = time.monotonic()
    time.sleep(time_)
    passed = time.monotonic() - began
    used = {name: seconds(pid) - before[name] for name, pid in pids.items()}
    updates = page.run("window.updates")
    gaps = [(late - early) / 1000 for early, late in zip(updates, updates[1:])]
    count = max(1, len(updates))
    words = ", each drawn" if isAll else ""
    print(f"{nodes:,} nodes{words}{', one chosen' if choosing else ''}: {page.run('document.querySelectorAll(`.boxes .box`).length')} boxes, drawn {drawn:.1f} s after opening")
    print(f"  {len(updates)} updates in {passed:.0f} s, {min(gaps):.2f} to {max(gaps):.2f} s apart")
    for name in pids:
        print(f"  {name}: {used[name] / count * 1000:.0f} ms an update, {used[name] / passed * 100:.1f} % of a core")
    print(f"  program, unwatched: {quiet * 100:.1f} % of a core")
    long = page.run("window.longTasks")
    print(f"  longest task of the page {max(long, default=0):.0f} ms ({len(long)} above 50 ms), longest frame {page.run('Math.max(...window.frames)'):.0f} ms")
    now, most = megabytes(tool.pid)
    print(f"  signal-viz: {now} MB, {most} MB at most; scripts of the page: {page.memory()[0] / 1e6:.1f} MB", flush=True)
    page.close()
    trial.end("signal-viz")
    trial.end("many-nodes")


def printCosts(trial):
    measure(trial, 2_000, True, 60)
    measure(trial, 2_000, True, 60, choosing=True)
    measure(trial, 100_000, False, 90)
    measure(trial, 100_000, False, 60, choosing=True)
