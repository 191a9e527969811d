// Draws boxes and links where the server has laid them out, and lets counts tick in them.

import { Glide } from "./glide.js";
import { shape, count, rate, plural, fitted, linkWords } from "./words.js";

const LISTED = 6;
const LINE = 17;
// From so many boxes on nothing moves smoothly.
const SMOOTH = 300;

export class Graph {
  constructor(svg) {
    this.svg = svg;
    this.links = shape("g", { class: "links" });
    this.ground = shape("g", { class: "boxes" });
    this.root = shape("g", { class: "root" }, this.links, this.ground);
    svg.append(arrows(), this.root);
    this.boxes = new Map();
    this.order = [];
    this.lines = [];
    this.picture = null;
    this.selected = null;
    this.glide = new Glide();
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Draws a picture. Boxes that were there before glide to their new positions. */
  show(picture) {
    this.picture = picture;
    this.glide.stop();
    const places = new Map([...this.boxes].map(([key, box]) => [key, [box.x, box.y]]));
    this.svg.classList.toggle("smooth", picture.boxes.length <= SMOOTH);
    const kept = new Map();
    this.order = picture.boxes.map((data) => {
      let box = this.boxes.get(data.key);
      if (!box || box.look !== look(data)) {
        const values = box?.values;
        box?.node.remove();
        box = new Box(data);
        if (values) box.last = values[0];
        this.ground.append(box.node);
      }
      box.place(data);
      kept.set(data.key, box);
      return box;
    });
    for (const [key, box] of this.boxes) if (!kept.has(key)) box.node.remove();
    this.boxes = kept;
    this.lines = picture.links.map((link) => new Line(link, this.order[link.source], this.order[link.target]));
    this.links.replaceChildren(...this.lines.map((line) => line.node));
    const moved = new Map(this.order.filter(({ data: { key, x, y } }) => places.has(key) && (places.get(key)[0] !== x || places.get(key)[1] !== y))
      .map((box) => [box, [places.get(box.data.key)[0] - box.data.x, places.get(box.data.key)[1] - box.data.y]]));
    if (moved.size && picture.boxes.length <= SMOOTH && !this.calm.matches) this.glide.start(moved, this.lines);
    this.select(this.selected);
  }

  /** Notes counts; what has got values since lights up. */
  tick(counts) {
    const changed = new Map(counts.boxes.map(([index, ...values]) => [index, values]));
    this.order.forEach((box, index) => box.tick(changed.get(index)));
    for (const line of this.lines) {
      const isLit = line.source.isLit && line.target.isLit;
      if (line.isLit !== isLit) {
        line.isLit = isLit;
        line.node.classList.toggle("lit", isLit);
        if (line.kind === "data") line.node.setAttribute("marker-end", `url(#arrow-${isLit ? "glow" : "data"})`);
      }
    }
  }

  /** Selects a box, and shows what feeds it. */
  select(key) {
    this.selected = key;
    const box = this.boxes.get(key);
    for (const other of this.order) {
      if (other.isSelected !== (other === box)) other.choose(other === box);
    }
    if (box) this.svg.setAttribute("aria-activedescendant", box.node.id);
    else this.svg.removeAttribute("aria-activedescendant");
    const feeding = new Set(box ? [box] : []);
    const used = new Set();
    const inputs = new Map();
    for (const line of this.lines) {
      if (!inputs.has(line.target)) inputs.set(line.target, []);
      inputs.get(line.target).push(line);
    }
    const waiting = [...feeding];
    while (waiting.length) {
      for (const line of inputs.get(waiting.pop()) ?? []) {
        if (line.kind === "feedback") continue;
        used.add(line);
        if (feeding.has(line.source)) continue;
        feeding.add(line.source);
        waiting.push(line.source);
      }
    }
    this.svg.classList.toggle("tracing", Boolean(box));
    for (const other of this.order) other.mark("feeds", feeding.has(other));
    for (const line of this.lines) line.node.classList.toggle("feeds", used.has(line));
    if (box) this.ground.append(box.node);
    return box;
  }

  /** The program has ended: nothing flows any more. */
  rest() {
    for (const box of this.order) box.rest();
    for (const line of this.lines) {
      if (!line.isLit) continue;
      line.isLit = false;
      line.node.classList.remove("lit");
      if (line.kind === "data") line.node.setAttribute("marker-end", "url(#arrow-data)");
    }
  }

  /** Marks boxes that something was found on: a map from keys to how many, and whether it is an error. */
  marks(found) {
    for (const box of this.order) box.found(found.get(box.data.key));
  }

  /** Shows where something was searched for, or nothing with null. */
  hits(keys) {
    this.svg.classList.toggle("searching", keys !== null);
    for (const box of this.order) box.mark("hit", keys?.has(box.data.key) ?? false);
  }

  /** The nearest box from another one in a direction. */
  neighbour(key, [dx, dy]) {
    const from = this.boxes.get(key);
    if (!from) return this.order[0];
    let best = null;
    for (const box of this.order) {
      if (box === from) continue;
      const [x, y] = [box.middle.x - from.middle.x, box.middle.y - from.middle.y];
      const along = x * dx + y * dy;
      const across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along < 8) continue;
      const distance = along + across * 2.5;
      if (!best || distance < best.distance) best = { box, distance };
    }
    return best?.box ?? null;
  }

  /** The box nearest to a place of the graph, among those with some keys. */
  nearest(x, y, keys) {
    let best = null;
    for (const box of this.order) {
      if (!keys.has(box.data.key)) continue;
      const distance = Math.hypot(box.middle.x - x, box.middle.y - y);
      if (!best || distance < best.distance) best = { box, distance };
    }
    return best?.box ?? null;
  }
}

/** What has to be drawn anew when it changes. */
function look(data) {
  return JSON.stringify([data.parts, data.heading, data.copies, data.state, data.isLeaked, data.failure, data.width, data.height, data.nodes]);
}

function curve(points) {
  let path = `M${points[0]} ${points[1]}`;
  for (let i = 2; i + 5 < points.length; i += 6) path += `C${points.slice(i, i + 6).join(" ")}`;
  return path;
}

function arrows() {
  const tips = {
    glow: ["M0 0L9 4.500L0 9z", true], data: ["M0 0L9 4.500L0 9z", true], hop: ["M0 0L9 4.500L0 9z", true], trigger: ["M0 4.500L4.500 1L9 4.500L4.500 8z", false],
    inner: ["M0 0.500L9 4.500L0 8.500z", false], feedback: ["M0 0L9 4.500L0 9L3 4.500z", true], sampled: ["M1 4.500a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0 -7 0z", false],
  };
  return shape("defs", {}, Object.entries(tips).map(([kind, [d, isFull]]) => shape("marker", {
    id: `arrow-${kind}`, viewBox: "0 0 9 9", refX: 0.5, refY: 4.5, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse", orient: "auto",
  }, shape("path", { d, class: `tip ${kind} ${isFull ? "full" : "open"}` }))));
}

class Line {
  constructor(link, source, target) {
    Object.assign(this, { source, target, kind: link.kind, path: link.path, isLit: false });
    this.node = shape("path", { class: `link ${link.kind}`, d: curve(link.path), "marker-end": `url(#arrow-${link.kind})` },
      shape("title", {}, linkWords[link.kind] ?? link.kind));
  }

  /** Draws it with its ends moved, each by an offset, so that it stays attached to boxes that glide. */
  draw([startX, startY], [endX, endY]) {
    const last = this.path.length / 2 - 1;
    this.node.setAttribute("d", curve(this.path.map((value, index) => {
      const part = Math.floor(index / 2) / last;
      return value + (index % 2 ? startY + (endY - startY) * part : startX + (endX - startX) * part);
    })));
  }
}

/** How many boxes were made, for their ids. */
let made = 0;

class Box {
  constructor(data) {
    this.data = data;
    this.look = look(data);
    this.classes = new Set();
    this.isLit = false;
    this.last = null;
    this.values = null;
    const { width, height } = data;
    const part = data.parts[0];
    const isBundle = data.copies > 1 || data.heading;
    this.node = shape("g", {
      class: `box ${data.isLeaked ? "leaked" : data.state}${isBundle ? " bundle" : ""}`, "data-key": data.key, "data-id": data.id,
      id: `box-${(made += 1)}`, role: "option", "aria-selected": "false", "aria-label": this.spoken(),
    }, shape("title", {}, this.words()));
    if (isBundle) {
      for (const step of [6, 3]) {
        this.node.append(shape("rect", { class: "behind", x: step, y: step, width, height, rx: 7 }));
      }
    }
    this.node.append(shape("rect", { class: "ground", width, height, rx: 7 }));
    if (data.parts.length > 1 && !data.heading) this.addRun(width);
    else this.addSingle(width, part);
    const copies = data.copies > 1 && !data.heading ? ` × ${count(data.copies)}` : "";
    this.node.append(shape("text", { class: "short", x: width / 2, y: height / 2 + 7, "text-anchor": "middle" },
      fitted(data.heading ?? data.parts.findLast((part) => part.name)?.name ?? data.parts[0].kind, width - 8 - copies.length * 12, 12.4), copies));
    this.badge = shape("g", { class: "badge" });
    this.node.append(this.badge);
  }

  addSingle(width, part) {
    const { heading, copies, state, isLeaked, failure } = this.data;
    const copiesWords = copies > 1 && !heading ? ` × ${count(copies)}` : "";
    const title = shape("text", { class: "kind", x: 11, y: 20 },
      fitted(heading ?? part.kind, width - 74 - copiesWords.length * 7, 7.2));
    if (copiesWords) title.append(shape("tspan", { class: "copies" }, copiesWords));
    this.node.append(title);
    this.rate = this.addText("rate", width - 11, 20, "end");
    let y = 20 + LINE;
    if (part.name && !heading) {
      this.node.append(shape("text", { class: "name", x: 11, y }, fitted(`“${part.name}”`, width - 22, 6.6)));
      y += LINE;
    }
    const ending = isLeaked ? "leaked" : state === "live" ? null : failure ? `failed: ${failure}` : state;
    // A box that has leaked has a row more, for its place is what one looks for.
    const hasRow = isLeaked && !heading;
    const words = hasRow ? part.site : ending ?? (heading ? "" : part.site);
    this.node.append(shape("text", { class: ending && !hasRow ? "ending" : "site", x: 11, y }, fitted(words, width - 76, 6)));
    if (hasRow) this.node.append(shape("text", { class: "ending", x: 11, y: y + LINE }, ending));
    this.count = this.addText("count", width - 11, y, "end");
    this.counts = [];
  }

  addRun(width) {
    const { parts, copies } = this.data;
    let y = 20;
    this.rate = null;
    if (copies > 1) {
      this.node.append(shape("text", { class: "copies", x: 11, y }, `× ${count(copies)}`));
      this.rate = this.addText("rate", width - 11, y, "end");
      y += LINE;
    }
    this.counts = [];
    this.count = null;
    for (const row of listed(parts)) {
      if (row.gap) {
        this.node.append(shape("text", { class: "site", x: 11, y }, `… ${row.gap} more …`));
      } else {
        const part = parts[row.index];
        const name = part.name ? ` “${part.name}”` : "";
        const text = shape("text", { class: "kind", x: 11, y }, fitted(part.kind, width - 76, 7));
        const space = width - 82 - part.kind.length * 7;
        if (name && space > 14) text.append(shape("tspan", { class: "name" }, fitted(name, space, 6.4)));
        this.node.append(text);
        this.counts.push({ index: row.index, text: this.addText("count", width - 11, y, "end") });
      }
      y += LINE;
    }
  }

  addText(name, x, y, anchor) {
    const text = shape("text", { class: name, x, y, "text-anchor": anchor });
    this.node.append(text);
    return text;
  }

  /** What it is, for who hears it: with its counts, at the moment at which it is chosen. */
  spoken() {
    const [total, perSecond, waiting, dropped, busy] = this.values ?? [];
    return [
      this.words().replaceAll("\n", ", "), total !== undefined && plural(total, "value"), perSecond > 0 && `${rate(perSecond)} a second`,
      waiting > 0 && `${count(waiting)} waiting`, dropped > 0 && `${count(dropped)} dropped`, busy > 0 && "consumer busy", this.finding,
    ].filter(Boolean).join(", ");
  }

  /** What it is, for who points at it. */
  words() {
    const { parts, heading, copies, nodes, state, isLeaked } = this.data;
    const first = heading ?? parts.slice(0, 8).map((part) => `${part.kind}${part.name ? ` “${part.name}”` : ""} ${part.site}`).join("\n");
    const many = copies > 1 ? `\n${count(nodes)} nodes` : "";
    return `${first}${many}${isLeaked ? "\nleaked" : state === "live" ? "" : `\n${state}`}`;
  }

  place(data) {
    this.data = data;
    if (this.x !== data.x || this.y !== data.y) this.move(data.x, data.y);
  }

  /** Draws it at a position, which is not always yet that of its data. */
  move(x, y) {
    [this.x, this.y] = [x, y];
    this.node.style.transform = `translate(${x}px, ${y}px)`;
  }

  get middle() { return { x: this.data.x + this.data.width / 2, y: this.data.y + this.data.height / 2 }; }

  choose(isOn) {
    this.isSelected = isOn;
    this.mark("selected", isOn);
    this.node.setAttribute("aria-selected", String(isOn));
    if (isOn) this.node.setAttribute("aria-label", this.spoken());
  }

  mark(name, isOn) {
    if (this.classes.has(name) === isOn) return;
    if (isOn) this.classes.add(name); else this.classes.delete(name);
    this.node.classList.toggle(name, isOn);
  }

  tick(values) {
    const before = this.values?.[0] ?? this.last;
    if (values) {
      this.values = values;
      const [total, perSecond, waiting, dropped, busy, ...parts] = values;
      if (this.rate) set(this.rate, perSecond > 0 ? `${rate(perSecond)}/s` : "");
      if (this.count) set(this.count, count(total));
      for (const { index, text } of this.counts) set(text, count(parts[index] ?? total));
      this.warn(waiting, dropped, busy);
    }
    this.isLit = values !== undefined && before !== null && before !== undefined && values[0] > before;
    this.mark("lit", this.isLit);
  }

  rest() {
    this.isLit = false;
    this.mark("lit", false);
    if (this.rate) set(this.rate, "");
  }

  warn(waiting, dropped, busy) {
    const words = [busy > 0 && (busy > 1 ? `${count(busy)} busy consumers` : "consumer busy"), waiting > 0 && `${count(waiting)} waiting`, dropped > 0 && `${count(dropped)} dropped`].filter(Boolean).join(" · ");
    if (words === (this.warning ?? "")) return;
    this.warning = words;
    this.note?.remove();
    if (!words) return;
    const width = words.length * 6.6 + 16;
    const x = Math.max(0, this.data.width - width - 6);
    this.note = shape("g", { class: "warning", transform: `translate(${x} ${this.data.height - 7})` },
      shape("rect", { width, height: 16, rx: 8 }), shape("text", { x: width / 2, y: 12, "text-anchor": "middle" }, words));
    this.node.append(this.note);
  }

  found(found) {
    const words = found ? `${found.count}${found.isError ? "!" : ""}` : "";
    if (words === (this.foundWords ?? "")) return;
    this.foundWords = words;
    this.badge.replaceChildren();
    this.finding = found ? `${plural(found.count, "finding")} here` : null;
    if (!found) return;
    this.badge.setAttribute("class", `badge ${found.isError ? "error" : "caution"}`);
    this.badge.append(shape("circle", { cx: 0, cy: 0, r: 10 }),
      shape("text", { x: 0, y: 4.2, "text-anchor": "middle" }, String(found.count)));
  }
}

/** Which parts of a run are listed: the first, the last, those with a name, then others. */
function listed(parts) {
  if (parts.length <= LISTED) return parts.map((_, index) => ({ index }));
  const wanted = [0, parts.length - 1, ...[...parts.keys()].filter((i) => parts[i].name), ...parts.keys()];
  const shown = new Set();
  for (const index of wanted) {
    if (shown.size >= LISTED - 1) break;
    shown.add(index);
  }
  const rows = [];
  let gap = 0;
  for (let index = 0; index < parts.length; index += 1) {
    if (!shown.has(index)) { gap += 1; continue; }
    if (gap) rows.push({ gap });
    gap = 0;
    rows.push({ index });
  }
  return rows;
}

function set(text, words) {
  if (text.textContent !== words) text.textContent = words;
}
