// What is known of the selected node; without one, of the whole program.

import { element, shape, count, rate, duration, plural, linkWords } from "./words.js";

const SECONDS = 10;

export class Panel {
  /**
   * @param root Where it is shown.
   * @param actions What its buttons do: select, only, toggle, follow, close.
   */
  constructor(root, actions) {
    this.root = root;
    this.actions = actions;
    this.shown = "";
    this.marbles = new Map();
  }

  /** Shows the overview of a program. */
  overview(program, counts, picture, findings, busiest) {
    this.put([
      element("section", { class: "head" },
        element("p", { class: "eyebrow" }, "Program"),
        element("h2", {}, program.name),
        element("p", { class: "faint" }, `pid ${program.pid} · ${program.hasEnded ? "has ended" : `runs for ${duration(Date.now() / 1000 - program.startedAt)}`}`)),
      element("div", { class: "figures" },
        figure(counts ? count(counts.nodes) : "–", "nodes"),
        figure(counts ? rate(counts.rate) : "–", "values/s"),
        figure(picture ? count(picture.boxes.length) : "–", "boxes")),
      ...notes(counts),
      this.findings(findings, "Findings", program.hasEnded ? "Nothing was found." : "Nothing is wrong, as far as can be seen."),
      busiest.length ? element("section", {},
        element("h3", {}, "Busiest"),
        element("ul", { class: "rows" }, busiest.map(({ box, perSecond }) => this.row(
          box.data.id, box.data.key, box.data.heading ?? box.data.parts.at(-1).name ?? box.data.parts.at(-1).kind,
          box.data.heading ? "" : box.data.parts.at(-1).site, `${rate(perSecond)}/s`)))) : null,
      picture ? legend(picture) : null,
    ]);
  }

  /** Shows a node. */
  node(details, view) {
    const title = details.name ?? details.kind;
    const isBundle = details.otherCount > 1;
    const box = view.box;
    this.put([
      element("section", { class: "head" },
        element("button", { class: "close", type: "button", title: "Back to the program (Esc)", "aria-label": "Back to the program", onclick: this.actions.close }, "×"),
        element("p", { class: "eyebrow" }, details.name ? details.kind : "node"),
        element("h2", {}, title),
        element("p", { class: "states" },
          element("span", { class: `state ${view.isLeaked ? "leaked" : details.state}` }, view.isLeaked ? "leaked" : details.state),
          element("span", { class: "faint" }, `#${details.id}`)),
        details.place ? element("p", { class: "place" }, `${details.place.file}:${details.place.line}`) : null),
      element("div", { class: "actions" },
        isBundle && box?.isBundle ? button("Open", "Draw what the bundle stands for (Enter)", () => this.actions.open(box.key)) : null,
        view.isOpened ? button("Close", "Draw it as a bundle again (Enter)", () => this.actions.shut()) : null,
        button(view.isOnly ? "Show all" : "Only this", "Draw only what feeds it and what it feeds (O)", this.actions.only),
        button("Follow", "Keep it in the middle (F)", this.actions.follow, view.isFollowed)),
      details.box ? null : element("p", { class: "faint notes" }, "It is not drawn now: it has ended, or something else is drawn only."),
      element("div", { class: "figures" },
        figure(count(details.count), "values"),
        figure(details.state === "live" ? rate(details.rate ?? 0) : "–", "a second"),
        details.waiting ? figure(count(details.waiting), "waiting", "warn") : null,
        details.dropped ? figure(count(details.dropped), "dropped", "warn") : null),
      this.strip(details, view),
      details.failure ? element("section", {}, element("h3", {}, "Failure"), element("p", { class: "value bad" }, details.failure)) : null,
      details.lastValue !== undefined && details.lastValue !== null
        ? element("section", {}, element("h3", {}, "Last value"), element("p", { class: "value" }, details.lastValue)) : null,
      view.findings.length ? this.findings(view.findings, "Found here", "") : null,
      element("section", {},
        element("h3", {}, details.hasFired ? "Why values come" : "Why nothing comes"),
        element("p", { class: "reason" }, sentence(details.reason)),
        details.wait ? element("p", { class: "faint" }, sentence(details.wait)) : null),
      this.path(details),
      details.trail.length > 1 ? element("section", {},
        element("h3", {}, "How the last value came"),
        element("ol", { class: "trail" }, details.trail.map((hop, index) => element("li", {},
          element("button", { class: "link", type: "button", onclick: () => this.actions.select(hop.id, hop.box) }, hop.title),
          element("span", { class: "faint" }, ` ${index ? `+${hop.waited}` : (hop.beginning ?? "first")} · ${hop.thread}`))))) : null,
      facts(details),
      isBundle ? element("section", {},
        element("h3", {}, `In this box: ${plural(details.otherCount, "node")}`),
        element("ul", { class: "rows" }, details.others.map((other) => this.row(
          other.id, other.box, other.name ?? other.kind, other.site, count(other.count), other.id === details.id))),
        details.otherCount > details.others.length ? element("p", { class: "faint" }, `and ${count(details.otherCount - details.others.length)} more`) : null) : null,
    ]);
  }

  /** Puts new content in place of the old one, and keeps the scroll position and the focus. */
  put(children) {
    const { scrollTop } = this.root;
    const focused = this.root.contains(document.activeElement)
      ? [...this.root.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    const next = element("div", {}, children);
    // Nothing is touched while a button is pressed: the click would be lost.
    if (this.root.querySelector("button:active")) return;
    if (String(getSelection()).length > 0 && this.root.contains(getSelection().anchorNode)) return;
    this.root.replaceChildren(next);
    this.root.scrollTop = scrollTop;
    if (focused >= 0) this.root.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
  }

  findings(list, title, none) {
    return element("section", {},
      element("h3", {}, title, list.length ? element("span", { class: "number" }, String(list.length)) : null),
      list.length ? null : element("p", { class: "faint" }, none),
      list.slice(0, 50).map((finding) => element("article", { class: `finding ${finding.severity}` },
        element("p", { class: "message" }, sentence(finding.message)),
        element("p", { class: "faint" }, `${finding.place.file}:${finding.place.line} · ${finding.rule}`),
        element("p", { class: "remedy" }, sentence(finding.remedy)),
        finding.nodes.length ? element("button", {
          class: "link", type: "button", onclick: () => this.actions.select(finding.nodes[0], finding.boxes[0]),
        }, !finding.boxes.length ? "Show what has ended" : finding.nodes.length > 1 ? "Show the first node" : "Show the node") : null)));
  }

  path(details) {
    if (details.path.length < 2) return null;
    return element("section", {},
      element("h3", {}, "What feeds it"),
      element("ol", { class: "path" }, details.path.map((step, index) => element("li", { class: index ? "" : "own" },
        element("button", { class: "link", type: "button", onclick: () => this.actions.select(step.id, step.box) }, step.title),
        element("span", { class: "faint" }, ` ${step.site ?? ""}`),
        element("span", { class: "amount" }, count(step.total)),
        index && step.notes.length ? element("p", { class: "faint note" }, step.notes.slice(0, 2).map(sentence).join(" ")) : null))));
  }

  row(id, box, title, site, amount, isOwn = false) {
    return element("li", { class: isOwn ? "own" : "" },
      element("button", { class: "link", type: "button", onclick: () => this.actions.select(id, box) }, title),
      element("span", { class: "faint" }, ` ${site}`), element("span", { class: "amount" }, amount));
  }

  /** The last seconds: a marble for each value whose time is known, else how many came from look to look. */
  strip(details, view) {
    const width = 320;
    const now = details.takenAt;
    const at = (time) => width - 8 - ((now - time) / SECONDS) * (width - 16);
    const axis = [
      shape("line", { class: "axis", x1: 0, x2: width - 4, y1: 26, y2: 26 }),
      shape("path", { class: "axis head", d: `M${width - 8} 22L${width - 3} 26L${width - 8} 30` }),
    ];
    for (let second = 0; second <= SECONDS; second += 2) {
      axis.push(shape("line", { class: "tick", x1: at(now - second), x2: at(now - second), y1: 26, y2: 31 }),
        shape("text", { class: "time", x: at(now - second), y: 42, "text-anchor": "middle" }, second ? `−${second} s` : "now"));
    }
    const known = this.remember(details, now);
    const marks = known.length
      ? known.map(({ at: time, thread, number }) => shape("circle", { class: `marble ${thread === "main" ? "main" : ""}`, cx: at(time), cy: 26, r: known.length > 30 ? 3.6 : 6 },
        shape("title", {}, `${duration(now - time)} ago, on ${thread} (cause ${number})`)))
      : bars(view.history, at, now);
    return element("section", { class: "strip" },
      element("h3", {}, known.length ? "Values of the last seconds" : "Values a second"),
      shape("svg", { viewBox: `0 0 ${width} 46`, role: "img", "aria-label": known.length
        ? `${plural(known.length, "value")} in the last ${SECONDS} seconds` : "values a second over the last seconds" }, axis, marks));
  }

  /** The values of a node that were seen, also by earlier looks: a program keeps the last few only. */
  remember(details, now) {
    if (this.marblesOf !== details.id) {
      this.marblesOf = details.id;
      this.marbles.clear();
    }
    for (const marble of details.marbles) this.marbles.set(`${marble.number} ${marble.at}`, marble);
    for (const [key, marble] of this.marbles) if (now - marble.at > SECONDS) this.marbles.delete(key);
    return [...this.marbles.values()].slice(-200);
  }
}

/** What is not drawn, and how to see it. */
function notes(counts) {
  const all = counts?.notes ?? [];
  const less = all.filter((note) => !note.includes("ended not drawn"));
  const ended = all.filter((note) => note.includes("ended not drawn"));
  const words = [
    less.length ? `Less detail: ${less.join(", ")}. A double click opens a bundle; “All nodes” draws each.` : null,
    ended.length ? `${ended[0].replace(" not drawn", "")} ${ended[0].startsWith("1 ") ? "is" : "are"} not drawn; “Ended” shows them.` : null,
  ];
  return words.filter(Boolean).map((text) => element("p", { class: "faint notes" }, text));
}

function bars(history, at, now) {
  const recent = history.filter((entry) => now - entry.at < SECONDS);
  const most = Math.max(1, ...recent.map((entry) => entry.perSecond));
  return recent.filter((entry) => entry.perSecond > 0).map((entry) => {
    const height = Math.max(2, 22 * entry.perSecond / most);
    return shape("rect", { class: "bar", x: at(entry.at) - 5, y: 26 - height, width: 9, height, rx: 1.5 },
      shape("title", {}, `${rate(entry.perSecond)} a second`));
  });
}

function facts(details) {
  const rows = [
    ["Function", details.place?.function], ["Owner", details.owner],
    ["Subscribed", details.since ? `${duration(details.takenAt - details.since)} ago` : null],
    ["Works on", details.scheduler], ["Interval", details.interval ? duration(details.interval) : null],
    ["Values waited", details.waits], ["Its handler", details.handler],
  ].filter(([, value]) => value);
  return rows.length ? element("section", {},
    element("h3", {}, "Facts"),
    element("dl", {}, rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]))) : null;
}

function legend(picture) {
  const kinds = [...new Set(picture.links.map((link) => link.kind))];
  const states = [...new Set(picture.boxes.map((box) => (box.isLeaked ? "leaked" : box.state)))];
  if (!kinds.length && !states.length) return null;
  return element("section", { class: "legend" },
    element("h3", {}, "Legend"),
    element("ul", {},
      states.map((state) => element("li", {}, shape("svg", { viewBox: "0 0 30 14", width: 30, height: 14 },
        shape("g", { class: `box ${state}` }, shape("rect", { class: "ground", x: 1, y: 1, width: 28, height: 12, rx: 3 }))), state)),
      kinds.map((kind) => element("li", {}, shape("svg", { viewBox: "0 0 30 14", width: 30, height: 14 },
        shape("path", { class: `link ${kind}`, d: "M0 7L21 7", "marker-end": `url(#arrow-${kind})` })), linkWords[kind] ?? kind))));
}

function figure(number, words, kind = "") {
  return element("div", { class: `figure ${kind}` }, element("b", {}, number), element("span", {}, words));
}

function button(words, title, onclick, isPressed) {
  return element("button", { type: "button", title, onclick, "aria-pressed": isPressed === undefined ? undefined : String(isPressed) }, words);
}

function sentence(words) {
  const clean = words.replaceAll("`", "");
  const text = clean.charAt(0).toUpperCase() + clean.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
