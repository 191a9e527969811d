// The page: which program, what of it, and what the server tells.

import { Camera } from "./camera.js";
import { Finder } from "./finder.js";
import { Graph } from "./graph.js";
import { Pace } from "./pace.js";
import { Panel } from "./panel.js";
import { patch } from "./patch.js";
import { Stream } from "./stream.js";
import { element, count, rate, boxTitle } from "./words.js";

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") ?? "";
const state = {
  programs: [], program: null, name: null, counts: null, findings: [], details: null, status: {}, lost: null, said: null,
  // The node that is selected, and the box that is drawn for it.
  node: null, box: null, isGone: false, isFollowed: false, focus: "", focusWords: "", filter: "", opened: [], history: new Map(), isNew: true,
  // The number of boxes from which on less detail is drawn, once the server has found it for this window.
  limit: null,
  // The node of the address, until there is a picture to select it in.
  wanted: null,
};
const pace = new Pace();
/** From this scale on all words are drawn. */
const LEGIBLE = 0.56;

const stage = $("stage");
const canvas = $("graph");
const graph = new Graph(canvas);
const camera = new Camera(stage, (scale) => {
  stage.classList.toggle("far", scale < 0.29);
  stage.classList.toggle("small", scale < LEGIBLE);
  $("fit").textContent = `${Math.round(scale * 100)} %`;
});
camera.attach(graph.root);
const panel = new Panel($("panel"), {
  select: (id, box) => { select(id, box, true); focusGraph(); }, only: toggleOnly, open: openBundle, shut: closeBundle,
  follow: toggleFollow, close: () => { select(null); focusGraph(); },
});

// What is asked.

function query(more = {}) {
  const items = new URLSearchParams({ token, program: state.program ?? "", ...more });
  if (state.focus) items.set("focus", state.focus);
  if (state.filter) items.set("filter", state.filter);
  if (isPressed("ended")) items.set("ended", "1");
  if (isPressed("all")) items.set("all", "1");
  if (state.limit) items.set("limit", state.limit);
  for (const key of state.opened) items.append("open", key);
  return items.toString();
}

const stream = new Stream({
  programs: showPrograms, picture: showPicture, counts: showCounts,
  findings: (findings) => { state.findings = findings; showFindings(); showPanel(); },
  status: (status) => { state.status = status; showStatus(); },
}, (words) => { state.lost = words; showStatus(); });

/** The size of the stage for which the graph was drawn. */
let asked = camera.view;

/** Asks for as many boxes as the window shows well. */
function redraw() {
  state.limit = null;
  listen();
}

/** Listens to what the server tells of the view that is wanted now. */
function listen() {
  if (document.hidden) return stream.close();
  pace.restart();
  asked = camera.view;
  stream.open(`/events?${query({ ...asked, ...(isPressed("trace") ? { trace: "1" } : {}) })}`);
}

async function ask(path, items) {
  const answer = await fetch(`${path}?${query(items)}`);
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  return answer.json();
}

// Programs.

function showPrograms(programs) {
  const known = new Set(state.programs.map((program) => program.id));
  state.programs = programs;
  // The size of the stage depends on it, which the server is told.
  document.body.classList.toggle("bare", programs.length === 0);
  const wanted = new URLSearchParams(location.hash.slice(1));
  const living = programs.filter((program) => !program.hasEnded);
  if (!programs.some((program) => program.id === state.program)) {
    const next = programs.find((program) => program.id === wanted.get("program")) ?? living[0] ?? programs.at(-1);
    if (next) choose(next.id, next.id === wanted.get("program") ? wanted.get("node") : null);
  } else if (programs.find((program) => program.id === state.program).hasEnded) {
    // It was started again: its successor is shown.
    const next = living.findLast((program) => program.name === state.name && !known.has(program.id));
    if (next) {
      say(`${next.name} has started again, as pid ${next.pid}.`);
      choose(next.id);
    }
  }
  const chooser = $("program");
  patch(chooser, element("select", {}, programs.map((program) => element("option", { value: program.id, "data-item": program.id },
    `${program.name} · pid ${program.pid}${program.hasEnded ? " · ended" : ""}`))));
  chooser.hidden = programs.length === 0;
  if (state.program) chooser.value = state.program;
  showStatus();
  showPanel();
}

/** Shows a program, and one of its nodes if the address has one. */
function choose(id, node = null) {
  if (state.program === id) return;
  Object.assign(state, {
    program: id, name: state.programs.find((program) => program.id === id)?.name, counts: null, findings: [], details: null, status: {},
    node: null, box: null, isGone: false, focus: "", filter: "", opened: [], isFollowed: false, isNew: true, limit: null, wanted: node,
  });
  state.history.clear();
  pace.clear();
  finder.clear();
  graph.show({ boxes: [], links: [], width: 1, height: 1 });
  camera.isHeld = false;
  remember();
  showChips();
  listen();
}

function remember() {
  const items = new URLSearchParams();
  if (state.program) items.set("program", state.program);
  if (state.node ?? state.wanted) items.set("node", state.node ?? state.wanted);
  history.replaceState(null, "", `${location.pathname}${location.search}#${items}`);
}

// The graph.

function showPicture(picture) {
  const anchor = state.box ?? middleBox(picture)?.data.key;
  const before = anchor && graph.boxes.get(anchor) ? { ...graph.boxes.get(anchor).data } : null;
  graph.show(picture);
  camera.size = picture;
  state.limit = picture.limit;
  if (state.node) reselect();
  const after = anchor && graph.boxes.get(anchor)?.data;
  if (state.isNew || !camera.isHeld) {
    if (state.isNew) camera.fit(false); else camera.follow();
    // What a bundle stands for may be too much to be read at once: then the node that was chosen is shown.
    const chosen = state.isOpening && graph.order.find((box) => box.data.id === state.node);
    state.isZoomed = Boolean(chosen) && camera.scale < LEGIBLE;
    if (state.isZoomed) camera.centre(chosen.data);
  } else if (state.isFollowed && graph.boxes.get(state.box)) camera.centre(graph.boxes.get(state.box).data);
  else if (before && after) camera.keep(before, after);
  state.isNew = state.isOpening = false;
  if (state.wanted) {
    const id = state.wanted;
    state.wanted = null;
    select(id);
  }
  showStatus();
}

/** The box in the middle of the stage that another picture has too. */
function middleBox(picture) {
  const { width, height } = camera.view;
  const keys = new Set(picture.boxes.map((box) => box.key));
  return graph.nearest((width / 2 - camera.x) / camera.scale, (height / 2 - camera.y) / camera.scale, keys);
}

function showCounts(counts) {
  state.counts = counts;
  graph.tick(counts);
  for (const box of graph.order) {
    if (!box.values) continue;
    const entries = state.history.get(box.data.key) ?? [];
    entries.push({ at: counts.at, perSecond: box.values[1] });
    if (entries.length > 40) entries.shift();
    state.history.set(box.data.key, entries);
  }
  if (state.history.size > 2 * graph.order.length + 100) {
    for (const key of state.history.keys()) if (!graph.boxes.has(key)) state.history.delete(key);
  }
  pace.note(counts.at, counts.nodes);
  showStatus();
  $("pulse").classList.remove("beat");
  if (!document.hidden) requestAnimationFrame(() => $("pulse").classList.add("beat"));
  if (state.node) fetchDetails(); else showPanel();
}

function showFindings() {
  const found = new Map();
  for (const finding of state.findings) {
    for (const key of finding.boxes) {
      const known = found.get(key) ?? { count: 0, isError: false };
      found.set(key, { count: known.count + 1, isError: known.isError || finding.severity === "error" });
    }
  }
  graph.marks(found);
}

// Selection.

function select(id, box = null, isShown = false) {
  const drawn = graph.boxes.get(box);
  // As it is drawn: it may end before the first answer about it comes.
  Object.assign(state, { node: id, box, details: null, isGone: false, wasLive: drawn?.data.state === "live" });
  if (!id) state.isFollowed = false;
  remember();
  graph.select(box);
  if (drawn && state.isFollowed) camera.centre(drawn.data);
  else if (drawn && isShown) camera.reveal(drawn.data);
  if (id) fetchDetails(true); else showPanel();
}

/** After another picture: the node may be drawn in another box. */
function reselect() {
  graph.select(graph.boxes.has(state.box) ? state.box : null);
  fetchDetails(true);
}

let isFetching = false;
let nextFetch = 0;

async function fetchDetails(isUrgent = false) {
  if (isFetching) { if (isUrgent) nextFetch = -1; return; }
  if (!isUrgent && performance.now() < nextFetch) return;
  isFetching = true;
  const began = performance.now();
  const id = state.node;
  const details = await ask("/node", { id }).catch(() => undefined);
  isFetching = false;
  const isAskedAgain = nextFetch === -1;
  // Where an answer takes long there are fewer questions.
  nextFetch = performance.now() + 4 * (performance.now() - began);
  if (id !== state.node || isAskedAgain) { if (state.node) fetchDetails(true); return; }
  if (details !== undefined) take(details);
  // The server was busy, and an ended program gives no further cause to ask.
  else if (state.node && !state.details) setTimeout(() => fetchDetails(true), 1_000);
  showPanel();
}

/** Takes what is known of the selected node now: null if nothing is. */
function take(details) {
  const box = graph.boxes.get(state.box);
  const isLive = details?.state === "live" || details?.state === "failed";
  // Who has chosen a bundle goes on with it when its first node has ended.
  if (!isLive && isBundle(box) && box.data.id !== state.node) return select(box.data.id, box.data.key);
  if (!details && !state.details) {
    say("That node is gone: a program keeps only the last ones that have ended.");
    return select(null);
  }
  const { wasLive } = state;
  state.wasLive = details?.state === "live";
  state.isGone = !details;
  if (details) state.details = details;
  if (wasLive && details?.state !== "live") say(`${title(state.details)} ${endings[details?.state] ?? "has ended"}.`);
  const key = details?.box ?? null;
  if (key === state.box) return;
  state.box = key;
  graph.select(key);
  if (state.isFollowed && graph.boxes.has(key)) camera.centre(graph.boxes.get(key).data);
}

const endings = { disposed: "was disposed", finished: "has finished", failed: "has failed" };
const title = (details) => (details.name ? `“${details.name}”` : details.kind);

function toggleFollow() {
  state.isFollowed = !state.isFollowed;
  const box = graph.boxes.get(state.box);
  if (state.isFollowed && box) camera.centre(box.data);
  showPanel();
}

function toggleOnly() {
  if (state.focus) return only("");
  // The box has a name before the server has answered what else is known of the node.
  const drawn = graph.boxes.get(state.box);
  const words = state.details?.box ? title(state.details) : drawn && boxTitle(drawn.data);
  if (state.node && words) only(`#${state.node}`, `what belongs to ${words}`);
}

function only(focus, words = focus) {
  [state.focus, state.focusWords] = [focus, words];
  showPart();
}

/** Shows only the nodes that a search finds, or all again. */
function filter(words) {
  state.filter = words;
  showPart();
}

function showPart() {
  state.isNew = true;
  camera.isHeld = false;
  showChips();
  redraw();
}

function openBundle(key) {
  if (!state.opened.includes(key)) state.opened.push(key);
  state.isOpening = true;
  showChips();
  listen();
}

function closeBundle(key = state.opened.at(-1)) {
  state.opened = state.opened.filter((other) => other !== key);
  // Who did not zoom sees all again.
  if (state.isZoomed) camera.isHeld = false;
  showChips();
  listen();
}

function toggleBundle(box) {
  if (isBundle(box)) openBundle(box.data.key);
  else if (state.opened.length) closeBundle();
}

const isBundle = (box) => Boolean(box && (box.data.nodes > box.data.parts.length || box.data.heading));

function showChips() {
  const chips = state.opened.map((key) => chip(`opened: ${bundleNames.get(key) ?? key}`, () => closeBundle(key)));
  if (state.filter) chips.unshift(chip(`only “${state.filter}”`, () => filter("")));
  if (state.focus) chips.unshift(chip(`only ${state.focusWords}`, () => only("")));
  $("chips").replaceChildren(...chips);
}

const bundleNames = new Map();

function chip(words, close) {
  return element("span", { class: "chip" }, words, element("button", { type: "button", title: "Show it as before", "aria-label": `Do not show ${words}`, onclick: close }, "×"));
}

// The panel, and what is said over the graph.

let panelTimer = null;

function showPanel() {
  if (panelTimer) return;
  panelTimer = requestAnimationFrame(() => {
    panelTimer = null;
    const program = shownProgram();
    if (!program) return panel.clear();
    const hasEnded = isOver(program);
    if (state.node && state.details) {
      const box = graph.boxes.get(state.box);
      return panel.node(state.details, {
        box: box && { key: box.data.key, isBundle: isBundle(box) }, isLeaked: Boolean(box?.data.isLeaked && box.data.nodes === 1),
        isOpened: state.opened.length > 0 && !isBundle(box), isOnly: Boolean(state.focus), isFollowed: state.isFollowed,
        isGone: state.isGone, isOver: hasEnded, showsEnded: isPressed("ended"), isTracing: isPressed("trace"),
        findings: state.findings.filter((finding) => finding.nodes.includes(state.node)),
        history: state.history.get(state.box) ?? [],
      });
    }
    panel.overview(program, {
      counts: state.counts, picture: graph.picture, findings: state.findings, busiest: hasEnded ? [] : busiest(), isOver: hasEnded, pace, isAll: isPressed("all"),
    });
  });
}

/** The boxes through which most values went in the last seconds: so that their order does not change from look to look. */
function busiest() {
  const of = (box) => (state.history.get(box.data.key) ?? []).slice(-20);
  const mean = (entries) => entries.reduce((sum, { perSecond }) => sum + perSecond, 0) / Math.max(1, entries.length);
  return graph.order.map((box) => ({ box, perSecond: mean(of(box)) })).filter(({ perSecond }) => perSecond >= 0.05)
    .sort((one, other) => other.perSecond - one.perSecond).slice(0, 5);
}

const shownProgram = () => state.programs.find((program) => program.id === state.program);
const isOver = (program) => Boolean(program?.hasEnded || state.status.hasEnded);

let sayTimer = null;

/** Says something for some seconds. */
function say(words) {
  state.said = words;
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => { state.said = null; showStatus(); }, 6000);
  showStatus();
}

function showStatus() {
  const program = shownProgram();
  const hasEnded = isOver(program);
  const isLate = program && !hasEnded && pace.isBehind;
  const words = state.lost ?? (hasEnded ? `${program?.name ?? "The program"} has ended. This is what was seen last.`
    : state.status.problem ?? state.said
    ?? (isLate ? `The program's next answer is late: this is what was seen ${pace.words.replace("seen ", "")}.` : null)
    ?? (state.status.isLayingOut && graph.order.length === 0 && program ? "Laying out the graph …" : null)
    ?? (program && state.counts === null && !state.status.isLayingOut ? "Waiting for the program's first answer …" : null));
  const banner = $("banner");
  if (banner.textContent !== (words ?? "")) banner.textContent = words ?? "";
  banner.hidden = !words;
  banner.classList.toggle("bad", Boolean(state.lost || state.status.problem));
  const look = state.lost || state.status.problem ? "lost" : hasEnded ? "ended" : isLate ? "late" : program ? "well" : "none";
  $("pulse").dataset.state = look;
  $("pulse").setAttribute("aria-label", {
    lost: "no connection", ended: "has ended", late: "answers late", well: "answers", none: "no program",
  }[look]);
  const { counts } = state;
  $("facts").textContent = counts
    ? [counts.words, hasEnded ? null : `${rate(counts.rate)} values/s`, hasEnded ? null : pace.words].filter(Boolean).join(" · ") : "";
  stage.classList.toggle("over", hasEnded);
  if (hasEnded) graph.rest();
  showEmptiness();
  document.title = program ? `${program.name} · signal-viz` : "signal-viz";
}

function showEmptiness() {
  const isEmpty = state.programs.length === 0;
  for (const id of ["ended", "all", "trace", "svg", "json", "smaller", "fit", "larger", "search"]) $(id).disabled = isEmpty;
  const isBare = !isEmpty && graph.order.length === 0 && state.counts !== null && !state.status.isLayingOut && !isOver(shownProgram());
  $("empty").hidden = !(isEmpty ? !state.lost : isBare);
  if (isEmpty) {
    patch($("empty"), element("div", {}, element("h2", {}, "No inspectable program is running"),
      element("p", {}, "Start one that calls ", element("code", {}, "SignalInspector.start()"), ", or one that calls ",
        element("code", {}, "startIfRequested()"), " with ", element("code", {}, "SIGNALS_INSPECT=1"), " set. It appears here by itself.")));
  } else if (isBare) {
    const ended = state.counts.ended > 0 && !isPressed("ended");
    patch($("empty"), element("div", {}, element("h2", {}, state.focus || state.filter ? "Nothing of this is left" : "Nothing flows now"),
      element("p", {}, state.focus || state.filter ? "What was shown has ended. “×” above shows all again."
        : `The program has no subscriptions now. They appear here when they are made.${ended ? " “Ended” shows those that were." : ""}`)));
  }
}

let resizeTimer = null;

// A window of another size shows another number of boxes, unless the reader has chosen what is seen.
new ResizeObserver(() => {
  clearTimeout(resizeTimer);
  const { width, height } = camera.view;
  const isOther = Math.abs(width - asked.width) > asked.width / 10 || Math.abs(height - asked.height) > asked.height / 10;
  if (isOther && !camera.isHeld && !state.opened.length) resizeTimer = setTimeout(redraw, 250);
}).observe(stage);

// What is shown grows older by itself.
setInterval(() => { if (!document.hidden && state.program) showStatus(); }, 1000);

const finder = new Finder($("search"), $("hits"), {
  ask: (words) => ask("/search", { q: words }), mark: (keys) => graph.hits(keys), leave: () => focusGraph(),
  only: (words) => { filter(words); focusGraph(); },
  take: (hit) => { select(hit.id, hit.box, true); focusGraph(); },
});

// Buttons, keys and the pointer.

const isPressed = (id) => $(id).getAttribute("aria-pressed") === "true";

for (const id of ["ended", "all", "trace"]) {
  $(id).addEventListener("click", () => {
    $(id).setAttribute("aria-pressed", String(!isPressed(id)));
    // Another picture, of which all is to be seen.
    if (id === "trace") return listen();
    camera.isHeld = false;
    redraw();
  });
}
$("program").addEventListener("change", () => choose($("program").value));
for (const id of ["svg", "json"]) {
  $(id).addEventListener("click", () => element("a", { href: `/graph.${id}?${query()}`, download: "" }).click());
}
$("fit").addEventListener("click", () => camera.release());
$("larger").addEventListener("click", () => camera.zoom(1.3));
$("smaller").addEventListener("click", () => camera.zoom(1 / 1.3));
$("help").addEventListener("click", () => $("keys").showModal());

const boxOf = (event) => graph.boxes.get(event.target.closest?.(".box[data-key]")?.dataset.key);

stage.addEventListener("click", (event) => {
  if (stage.classList.contains("dragged") || event.target.closest("button, .scrolls")) return;
  const box = boxOf(event);
  if (box) { nameBundle(box); select(box.data.id, box.data.key); } else select(null);
});
stage.addEventListener("dblclick", (event) => {
  const box = boxOf(event);
  if (box) toggleBundle(box);
});

function nameBundle(box) {
  bundleNames.set(box.data.key, box.data.heading ?? `${boxTitle(box.data)} × ${count(box.data.copies)}`);
}

/** Takes back what was chosen last: the node, the part that is shown, the bundle that was opened. */
function back() {
  if (state.node) select(null);
  else if (state.focus) only("");
  else if (state.filter) filter("");
  else if (state.opened.length) closeBundle();
  focusGraph();
}

function focusGraph() { canvas.focus({ preventScroll: true }); }

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  if (event.target.closest?.("input, select, textarea")) return;
  // In the panel the arrow keys scroll.
  const direction = event.target.closest?.("aside") ? null : directions[event.key];
  const box = graph.boxes.get(state.box);
  if (direction) {
    const next = graph.neighbour(state.box, direction);
    if (next) { nameBundle(next); select(next.data.id, next.data.key, true); }
  } else if (event.key === "/") $("search").focus();
  else if (event.key === "Escape") back();
  else if (event.key === "Enter" && event.target === canvas) toggleBundle(box);
  else if (event.key === "f" || event.key === "F") { if (state.node) toggleFollow(); }
  else if (event.key === "o" || event.key === "O") toggleOnly();
  else if (event.key === "+" || event.key === "=") camera.zoom(1.3);
  else if (event.key === "-") camera.zoom(1 / 1.3);
  else if (event.key === "0") camera.release();
  else if (event.key === "?") $("keys").showModal();
  else return;
  event.preventDefault();
});

// Nobody asks the program while nobody sees the page.
document.addEventListener("visibilitychange", listen);

listen();
