// The page: which program, what of it, and what the server tells.

import { Camera } from "./camera.js";
import { Graph } from "./graph.js";
import { Panel } from "./panel.js";
import { element, count, rate, plural } from "./words.js";

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") ?? "";
const state = {
  programs: [], program: null, name: null, counts: null, findings: [], details: null, status: {},
  // The node that is selected, and the box that is drawn for it.
  node: null, box: null, isFollowed: false, focus: "", focusWords: "", opened: [], history: new Map(), isNew: true,
};

const stage = $("stage");
const graph = new Graph($("graph"));
const camera = new Camera(stage, (scale) => {
  stage.classList.toggle("far", scale < 0.3);
  $("fit").textContent = `${Math.round(scale * 100)} %`;
});
camera.attach(graph.root);
const panel = new Panel($("panel"), {
  select: (id, box) => select(id, box, true), only: toggleOnly, open: openBundle, shut: closeBundle, follow: toggleFollow,
  close: () => select(null),
});

// What is asked.

function query(more = {}) {
  const items = new URLSearchParams({ token, program: state.program ?? "", ...more });
  if (state.focus) items.set("focus", state.focus);
  if (isPressed("ended")) items.set("ended", "1");
  if (isPressed("all")) items.set("all", "1");
  for (const key of state.opened) items.append("open", key);
  return items.toString();
}

let events = null;

/** Listens to what the server tells of the view that is wanted now. */
function listen() {
  events?.close();
  if (document.hidden) return;
  events = new EventSource(`/events?${query(isPressed("trace") ? { trace: "1" } : {})}`);
  const on = (name, act) => events.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("programs", showPrograms);
  on("picture", showPicture);
  on("counts", showCounts);
  on("findings", (findings) => { state.findings = findings; showFindings(); showPanel(); });
  on("status", (status) => { state.status = status; showStatus(); });
  events.onerror = () => { state.isLost = true; showStatus(); };
  events.onopen = () => { state.isLost = false; showStatus(); };
}

async function ask(path, items) {
  const answer = await fetch(`${path}?${query(items)}`);
  return answer.ok ? answer.json() : null;
}

// Programs.

function showPrograms(programs) {
  const known = new Set(state.programs.map((program) => program.id));
  state.programs = programs;
  const wanted = new URLSearchParams(location.hash.slice(1)).get("program");
  const living = programs.filter((program) => !program.hasEnded);
  if (!programs.some((program) => program.id === state.program)) {
    const next = programs.find((program) => program.id === wanted) ?? living[0] ?? programs.at(-1);
    if (next) choose(next.id);
  } else if (programs.find((program) => program.id === state.program).hasEnded) {
    // It was started again: its successor is shown.
    const next = living.findLast((program) => program.name === state.name && !known.has(program.id));
    if (next) {
      say(`${next.name} has started again, as pid ${next.pid}.`);
      choose(next.id);
    }
  }
  const chooser = $("program");
  chooser.replaceChildren(...programs.map((program) => element("option", { value: program.id },
    `${program.name} · pid ${program.pid}${program.hasEnded ? " · ended" : ""}`)));
  chooser.hidden = programs.length === 0;
  if (state.program) chooser.value = state.program;
  showStatus();
  showPanel();
}

function choose(id) {
  if (state.program === id) return;
  Object.assign(state, {
    program: id, name: state.programs.find((program) => program.id === id)?.name, counts: null, findings: [], details: null, status: {},
    node: null, box: null, focus: "", opened: [], isFollowed: false, isNew: true,
  });
  state.history.clear();
  graph.show({ boxes: [], links: [], width: 1, height: 1 });
  camera.isHeld = false;
  remember();
  showChips();
  listen();
}

function remember() {
  const items = new URLSearchParams();
  if (state.program) items.set("program", state.program);
  history.replaceState(null, "", `${location.pathname}${location.search}#${items}`);
}

// The graph.

function showPicture(picture) {
  const anchor = state.box ?? middleBox(picture)?.data.key;
  const before = anchor && graph.boxes.get(anchor) ? { ...graph.boxes.get(anchor).data } : null;
  graph.show(picture);
  camera.size = picture;
  if (state.node) reselect();
  const after = anchor && graph.boxes.get(anchor)?.data;
  if (state.isNew || !camera.isHeld) camera.fit(!state.isNew);
  else if (state.isFollowed && graph.boxes.get(state.box)) camera.centre(graph.boxes.get(state.box).data);
  else if (before && after) camera.keep(before, after);
  state.isNew = false;
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
  $("facts").textContent = `${plural(counts.nodes, "node")} · ${rate(counts.rate)} values/s`;
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
  state.node = id;
  state.box = box;
  state.details = null;
  if (!id) state.isFollowed = false;
  graph.select(box);
  const drawn = graph.boxes.get(box);
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
  const details = await ask("/node", { id }).catch(() => null);
  isFetching = false;
  const isAskedAgain = nextFetch === -1;
  // Where an answer takes long there are fewer questions.
  nextFetch = performance.now() + 4 * (performance.now() - began);
  if (id !== state.node || isAskedAgain) { if (state.node) fetchDetails(true); return; }
  if (details) {
    state.details = details;
    if ((details.box ?? null) !== state.box) {
      state.box = details.box ?? null;
      graph.select(state.box);
      if (state.isFollowed && graph.boxes.has(state.box)) camera.centre(graph.boxes.get(state.box).data);
    }
  } else if (state.details) {
    state.details.state = state.details.state === "live" ? "disposed" : state.details.state;
  }
  showPanel();
}

function toggleFollow() {
  state.isFollowed = !state.isFollowed;
  const box = graph.boxes.get(state.box);
  if (state.isFollowed && box) camera.centre(box.data);
  showPanel();
}

function toggleOnly() {
  if (state.focus) return only("");
  if (state.node) only(`#${state.node}`, `what belongs to ${state.details?.name ?? state.details?.kind ?? "it"}`);
}

function only(focus, words = focus) {
  [state.focus, state.focusWords] = [focus, words];
  state.isNew = true;
  camera.isHeld = false;
  showChips();
  listen();
}

function openBundle(key) {
  if (!state.opened.includes(key)) state.opened.push(key);
  showChips();
  listen();
}

function closeBundle(key = state.opened.at(-1)) {
  state.opened = state.opened.filter((other) => other !== key);
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
    const program = state.programs.find((program) => program.id === state.program);
    if (!program) return panel.root.replaceChildren();
    if (state.node && state.details) {
      const box = graph.boxes.get(state.box);
      return panel.node(state.details, {
        box: box && { key: box.data.key, isBundle: isBundle(box) }, isLeaked: Boolean(box?.data.isLeaked && box.data.nodes === 1),
        isOpened: state.opened.length > 0 && !isBundle(box), isOnly: Boolean(state.focus), isFollowed: state.isFollowed,
        findings: state.findings.filter((finding) => finding.nodes.includes(state.node)),
        history: state.history.get(state.box) ?? [],
      });
    }
    const busiest = graph.order.filter((box) => box.values?.[1] > 0).map((box) => ({ box, perSecond: box.values[1] }))
      .sort((one, other) => other.perSecond - one.perSecond).slice(0, 5);
    panel.overview(program, state.counts, graph.picture, state.findings, busiest);
  });
}

let sayTimer = null;

/** Says something for some seconds. */
function say(words) {
  state.said = words;
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => { state.said = null; showStatus(); }, 6000);
  showStatus();
}

function showStatus() {
  const program = state.programs.find((program) => program.id === state.program);
  const hasEnded = program?.hasEnded || state.status.hasEnded;
  const words = state.isLost ? "signal-viz serve does not answer. It may have been stopped; the page tries again."
    : hasEnded ? `${program?.name ?? "The program"} has ended. This is what was seen last.`
    : state.status.problem ?? state.said
    ?? (state.status.isLayingOut && graph.order.length === 0 && program ? "Laying out the graph …" : null);
  $("banner").hidden = !words;
  $("banner").textContent = words ?? "";
  $("banner").classList.toggle("bad", Boolean(state.isLost || state.status.problem));
  const look = state.isLost || state.status.problem ? "lost" : hasEnded ? "ended" : program ? "well" : "none";
  $("pulse").dataset.state = look;
  $("pulse").setAttribute("aria-label", { lost: "does not answer", ended: "has ended", well: "answers", none: "no program" }[look]);
  stage.classList.toggle("over", Boolean(hasEnded));
  const isEmpty = state.programs.length === 0;
  const isBare = !isEmpty && graph.order.length === 0 && state.counts !== null && !state.status.isLayingOut;
  $("empty").hidden = !(isEmpty || isBare);
  if (isEmpty && !state.isLost) {
    $("empty").replaceChildren(element("h2", {}, "No program to look at is running"),
      element("p", {}, "Start one that calls ", element("code", {}, "SignalInspector.start()"), ", or one that calls ",
        element("code", {}, "startIfRequested()"), " with ", element("code", {}, "SIGNALS_INSPECT=1"), ". It appears here by itself."));
  } else if (isBare) {
    $("empty").replaceChildren(element("h2", {}, state.focus ? "Nothing of this is left" : "Nothing flows yet"),
      element("p", {}, state.focus ? "What was shown has ended." : "The program has no subscriptions now. They appear here when they are made."));
  }
  document.title = program ? `${program.name} · signal-viz` : "signal-viz";
}

// Search.

let searchTimer = null;
let hits = [];
let active = -1;

function searchSoon() {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(search, 120);
}

async function search() {
  const words = $("search").value.trim();
  if (!words || !state.program) return closeHits();
  const found = await ask("/search", { q: words }).catch(() => null);
  if (words !== $("search").value.trim()) return;
  hits = found?.hits ?? [];
  active = hits.length ? 0 : -1;
  graph.hits(new Set(hits.map((hit) => hit.box).filter(Boolean)));
  const rows = hits.map((hit, index) => element("div", {
    role: "option", id: `hit-${index}`, class: "hit", "aria-selected": String(index === active), onclick: () => take(index),
  }, element("b", {}, hit.name ?? hit.kind), element("span", { class: "faint" }, ` ${hit.name ? `${hit.kind} · ` : ""}${hit.site} · #${hit.id}`),
  element("span", { class: "amount" }, count(hit.count))));
  const more = found && found.total > hits.length ? `${count(found.total - hits.length)} more; type more of it` : null;
  $("hits").replaceChildren(...rows,
    element("p", { class: "faint" }, hits.length ? more ?? plural(hits.length, "node") : "Nothing has such a name, kind, place or owner."));
  $("hits").hidden = false;
  $("hits").parentElement.setAttribute("aria-expanded", "true");
  activate(active);
}

function activate(index) {
  active = index;
  for (const row of $("hits").querySelectorAll(".hit")) {
    const isActive = row.id === `hit-${index}`;
    row.setAttribute("aria-selected", String(isActive));
    if (isActive) row.scrollIntoView({ block: "nearest" });
  }
  if (index >= 0) $("search").setAttribute("aria-activedescendant", `hit-${index}`);
  else $("search").removeAttribute("aria-activedescendant");
}

function take(index) {
  const hit = hits[index];
  if (!hit) return;
  closeHits();
  select(hit.id, hit.box, true);
  stage.focus({ preventScroll: true });
}

function closeHits() {
  $("hits").hidden = true;
  $("hits").parentElement.setAttribute("aria-expanded", "false");
  graph.hits(null);
  hits = [];
}

$("search").addEventListener("input", searchSoon);
$("search").addEventListener("focus", () => { if ($("search").value) searchSoon(); });
$("search").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && hits.length) activate((active + 1) % hits.length);
  else if (event.key === "ArrowUp" && hits.length) activate((active + hits.length - 1) % hits.length);
  else if (event.key === "Enter") { if (hits.length) take(active); else search(); }
  else if (event.key === "Escape") { $("search").value = ""; closeHits(); stage.focus(); }
  else return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("pointerdown", (event) => { if (!event.target.closest(".finder")) closeHits(); });

// Buttons, keys and the pointer.

const isPressed = (id) => $(id).getAttribute("aria-pressed") === "true";

for (const id of ["ended", "all", "trace"]) {
  $(id).addEventListener("click", () => {
    $(id).setAttribute("aria-pressed", String(!isPressed(id)));
    listen();
  });
}
$("program").addEventListener("change", () => choose($("program").value));
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
  const last = box.data.parts.at(-1);
  bundleNames.set(box.data.key, box.data.heading ?? `${last.name ?? last.kind} × ${count(box.data.copies)}`);
}

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const direction = event.target.closest?.("aside") ? null : directions[event.key];
  const box = graph.boxes.get(state.box);
  if (direction) {
    const next = graph.neighbour(state.box, direction);
    if (next) { nameBundle(next); select(next.data.id, next.data.key, true); }
  } else if (event.key === "/") $("search").focus();
  else if (event.key === "Escape") select(null);
  else if (event.key === "Enter" && event.target === stage) toggleBundle(box);
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
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { events?.close(); events = null; } else if (!events) listen();
});

listen();
