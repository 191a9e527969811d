// What is known of the selected node; without one, of the whole program.

import { patch } from "./patch.js";
import { element, shape, count, rate, duration, plural, sentence, boxTitle, linkWords } from "./words.js";

const SECONDS = 10;

export class Panel {
  /**
   * @param root Where it is shown.
   * @param actions What its buttons do: select, only, toggle, follow, close.
   */
  constructor(root, actions) {
    this.root = root;
    this.actions = actions;
    this.subject = null;
    this.marbles = new Map();
  }

  /** Shows the overview of a program. */
  overview(program, { counts, picture, findings, busiest, isOver, pace, isAll }) {
    this.put(program.id, [
      element("section", { class: "head" },
        element("p", { class: "eyebrow" }, "Program"),
        element("h2", {}, program.name),
        element("p", { class: "faint" }, `pid ${program.pid} · ${isOver ? "has ended" : `runs for ${duration(Date.now() / 1000 - program.startedAt)}`}`)),
      element("div", { class: "figures" },
        figure(counts ? count(counts.nodes) : "–", `${counts?.ended ? "live " : ""}${counts?.nodes === 1 ? "node" : "nodes"}`),
        figure(counts && !isOver ? rate(counts.rate) : "–", "values/s"),
        figure(counts && picture ? count(picture.boxes.length) : "–", picture?.boxes.length === 1 ? "box" : "boxes")),
      ...notes(counts, isAll),
      isOver ? null : note(pace.reason),
      this.findings(findings, "Findings", isOver ? "Nothing was found." : counts ? "Nothing is wrong, as far as can be seen." : "Nothing has been seen yet."),
      busiest.length ? element("section", {},
        element("h3", {}, "Busiest"),
        element("ul", { class: "rows" }, busiest.map(({ box, perSecond }) => this.row(
          box.data.id, box.data.key, boxTitle(box.data),
          box.data.heading ? "" : box.data.parts.at(-1).site, `${rate(perSecond)}/s`)))) : null,
      picture ? legend(picture, isOver) : null,
    ]);
  }

  /** Shows a node. */
  node(details, view) {
    const title = details.name ?? details.kind;
    const isBundle = details.otherCount > 1;
    const box = view.box;
    const isOver = view.isOver || view.isGone || details.state !== "live";
    const state = view.isLeaked ? "leaked" : details.state !== "live" ? details.state : view.isGone ? "gone" : view.isOver ? "was live" : "live";
    this.put(`${details.id} of a program`, [
      element("section", { class: "head" },
        element("button", { class: "close", type: "button", title: "Back to the program (Esc)", "aria-label": "Back to the program", onclick: this.actions.close }, "×"),
        element("p", { class: "eyebrow" }, details.name ? details.kind : "node"),
        element("h2", {}, title),
        element("p", { class: "states" },
          element("span", { class: `state ${state}` }, state),
          element("span", { class: "faint" }, `#${details.id}`)),
        details.place ? element("p", { class: "place" }, details.link
          ? element("a", { href: details.link, title: "Open in the editor" }, `${details.place.file}:${details.place.line}`)
          : `${details.place.file}:${details.place.line}`) : null),
      element("div", { class: "actions" },
        isBundle && box?.isBundle ? button("Open", "Draw what the bundle stands for (Enter)", () => this.actions.open(box.key)) : null,
        view.isOpened ? button("Close", "Draw it as a bundle again (Enter)", () => this.actions.shut()) : null,
        view.isOnly ? button("Show all", "Draw the whole graph again (O)", this.actions.only)
          : details.box && !view.isGone ? button("Only this", "Draw only what feeds it and what it feeds (O)", this.actions.only) : null,
        details.box && !view.isGone ? button("Follow", "Keep it in the middle (F)", this.actions.follow, view.isFollowed) : null),
      note(absence(details, view)),
      element("div", { class: "figures" },
        figure(count(details.count), details.count === 1 ? "value" : "values"),
        figure(isOver ? "–" : rate(details.rate ?? 0), "a second"),
        details.waiting ? figure(count(details.waiting), "waiting", "warn") : null,
        details.dropped ? figure(count(details.dropped), "dropped", "warn") : null),
      isOver ? null : this.strip(details, view),
      details.failure ? element("section", {}, element("h3", {}, "Failure"), element("p", { class: "value bad" }, details.failure)) : null,
      details.lastValue !== undefined && details.lastValue !== null
        ? element("section", {}, element("h3", {}, "Last value"), element("p", { class: "value" }, details.lastValue)) : null,
      view.findings.length ? this.findings(view.findings, "Found here", "") : null,
      element("section", {},
        element("h3", {}, details.hasFired ? `Why values ${isOver ? "came" : "come"}`
          : isOver ? `Why ${details.count ? "no more" : "nothing"} came` : `Why nothing comes${details.count ? " now" : ""}`),
        element("p", { class: "reason" }, sentence(details.reason)),
        details.wait ? element("p", { class: "faint" }, sentence(details.wait)) : null),
      this.path(details),
      details.trail.length > 1 ? element("section", {},
        element("h3", {}, "How the last value came"),
        element("ol", { class: "trail" }, details.trail.map((hop, index) => element("li", {},
          element("button", { class: "link", type: "button", onclick: () => this.actions.select(hop.id, hop.box) }, hop.title),
          element("span", { class: "faint" }, ` ${index ? `+${hop.waited}` : (hop.beginning ?? "first")} · ${hop.thread}`))))) : null,
      times(details, view),
      facts(details),
      isBundle ? element("section", {},
        element("h3", {}, `In this box: ${plural(details.otherCount, "node")}`),
        element("ul", { class: "rows" }, details.others.map((other) => this.row(
          other.id, other.box, other.name ?? other.kind, other.site, count(other.count), other.id === details.id))),
        details.otherCount > details.others.length ? element("p", { class: "faint" }, `and ${count(details.otherCount - details.others.length)} more`) : null) : null,
    ]);
  }

  /** Brings the panel up to date. */
  put(subject, children) {
    // Nothing is moved while a button is pressed: the click would be lost.
    if (this.root.querySelector("button:active")) return;
    const next = element("div", {}, element("div", {}, children));
    patch(this.root, next);
    if (this.subject !== subject) this.root.scrollTop = 0;
    this.subject = subject;
  }

  clear() { this.root.replaceChildren(); }

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
        element("span", { class: "where" },
          element("button", { class: "link", type: "button", onclick: () => this.actions.select(step.id, step.box) }, step.title),
          element("span", { class: "faint" }, ` ${step.site ?? ""}`)),
        element("span", { class: "amount" }, count(step.total)),
        index && step.notes.length ? element("p", { class: "faint note" }, step.notes.slice(0, 2).map((words) => [sentence(words), " "])) : null))));
  }

  row(id, box, title, site, amount, isOwn = false) {
    return element("li", { class: isOwn ? "own" : "", "data-item": id },
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
        shape("text", { class: "time", x: second === SECONDS ? 0 : at(now - second), y: 42, "text-anchor": second === SECONDS ? "start" : second ? "middle" : "end" }, second ? `−${second} s` : "now"));
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
function notes(counts, isAll) {
  const all = counts?.notes ?? [];
  const less = all.filter((note) => !note.includes("ended not drawn"));
  const ended = all.filter((note) => note.includes("ended not drawn"));
  const words = [
    less.length ? `Less detail: ${less.join(", ")}. A double click opens a bundle; ${allNodes(counts, isAll)}.` : null,
    ended.length ? `${ended[0].replace(" not drawn", "")} ${ended[0].startsWith("1 ") ? "is" : "are"} not drawn; “Ended” shows ${ended[0].startsWith("1 ") ? "it" : "them"}.` : null,
  ];
  return words.filter(Boolean).map(note);
}

/** What the button “All nodes” does, or has done. */
function allNodes({ nodes, most }, isAll) {
  if (nodes <= most) return "“All nodes” draws each";
  return `${count(nodes)} nodes are too many to draw each, “All nodes” draws ${isAll ? "these boxes" : `up to ${count(most)} boxes`}`;
}

function note(words) { return words ? element("p", { class: "faint notes" }, words) : null; }

/** Why a node is not drawn; null if it is. */
function absence(details, view) {
  if (view.isOver && !view.isGone) return null;
  if (view.isGone) return "The program knows it no more: this is what was seen last.";
  if (details.box) return null;
  if (view.isOnly) return "It is not in the part that is drawn now. “Show all” draws the whole graph.";
  return details.state !== "live" && !view.showsEnded ? "It has ended, and is not drawn. “Ended” above draws what has." : "It is not drawn now.";
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
  ].filter(([, value]) => value);
  return rows.length ? element("section", {},
    element("h3", {}, "Facts"),
    definitions(rows)) : null;
}

/** How long values waited there, and what the handler took: no other times are measured. */
function times(details, view) {
  const { waits, handler } = details;
  const rows = [];
  if (waits) {
    rows.push(["Waits", waits.values
      ? `for ${details.scheduler ?? "its task"}: ${duration(waits.mean)} on average, ${duration(waits.longest)} at most; ${plural(waits.values, "value")} measured`
      : `for ${details.scheduler ?? "its task"}: a value has waited for ${duration(waits.longest)} by now`]);
  }
  if (handler?.calls) {
    rows.push(["Handler", `${duration(handler.mean)} on average, ${duration(handler.longest)} at most, ${duration(handler.total)} in all; ${plural(handler.calls, "call")}, with the operators that ran in them`]);
  }
  if (!rows.length && !view.isTracing && (details.scheduler || details.kind === "subscribe")) {
    return element("section", {}, element("h3", {}, "Waits and handler times"), element("p", { class: "faint" }, "“Trace” above measures them."));
  }
  return rows.length ? element("section", {},
    element("h3", {}, "Waits and handler times"), definitions(rows),
    element("p", { class: "faint" }, "Measured while “Trace” is on.")) : null;
}

function definitions(rows) {
  return element("dl", {}, rows.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function legend(picture, isOver) {
  const kinds = [...new Set(picture.links.map((link) => link.kind))];
  const states = [...new Set(picture.boxes.map((box) => (box.isLeaked ? "leaked" : box.state)))];
  if (!kinds.length && !states.length) return null;
  return element("section", { class: "legend" },
    element("h3", {}, "Legend"),
    element("ul", {},
      isOver ? null : element("li", {}, shape("svg", { viewBox: "0 0 30 14", width: 30, height: 14 },
        shape("g", { class: "box lit" }, shape("rect", { class: "ground", x: 1, y: 1, width: 28, height: 12, rx: 3 }))), "values since the last update"),
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
