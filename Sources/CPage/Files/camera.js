// Zoom and position of the graph. What the reader has set stays, whatever is drawn.

const SMALLEST = 0.02;
const LARGEST = 4;
// The space around a graph that is shown whole; below it is what the page says. The server counts on it: see PageWindow.
const [MARGIN, FOOT] = [36, 62];

export class Camera {
  /** @param stage What is dragged in. @param onChange Is called with the scale when it has changed. */
  constructor(stage, onChange) {
    this.stage = stage;
    this.onChange = onChange;
    this.root = null;
    [this.x, this.y, this.scale] = [0, 0, 1];
    // Whether the reader has moved or zoomed; until then the whole graph is shown.
    this.isHeld = false;
    this.size = { width: 1, height: 1 };
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.press(event));
    new ResizeObserver(() => { if (!this.isHeld) this.fit(false); }).observe(stage);
  }

  attach(root) {
    this.root = root;
    this.apply(false);
  }

  apply(smoothly) {
    if (!this.root) return;
    this.root.classList.toggle("gliding", Boolean(smoothly));
    this.root.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.onChange(this.scale);
  }

  get view() { return { width: this.stage.clientWidth, height: this.stage.clientHeight }; }

  /** The scale at which all is shown. */
  get fitting() {
    const { width, height } = this.view;
    const scale = Math.min((width - 2 * MARGIN) / this.size.width, (height - MARGIN - FOOT) / this.size.height, 1.3);
    return Math.max(SMALLEST, Math.min(LARGEST, scale > 0 ? scale : 1));
  }

  /** Shows all of a graph that has grown or shrunk; where all is shown already, and not far too small, nothing moves. */
  follow() {
    const { width, height } = this.view;
    const isWhole = this.x >= 0 && this.y >= 0 && this.x + this.size.width * this.scale <= width
      && this.y + this.size.height * this.scale <= height - FOOT / 2;
    if (!isWhole || this.fitting > this.scale * 1.25) this.fit();
  }

  /** Shows all. */
  fit(smoothly = true) {
    const { width, height } = this.view;
    this.scale = this.fitting;
    this.x = (width - this.size.width * this.scale) / 2;
    this.y = (height + MARGIN - FOOT - this.size.height * this.scale) / 2;
    this.apply(smoothly);
  }

  release() {
    this.isHeld = false;
    this.fit();
  }

  /** Zooms so that a point of the stage stays where it is. */
  zoom(factor, at) {
    const { width, height } = this.view;
    const point = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.max(SMALLEST, Math.min(LARGEST, this.scale * factor));
    this.x = point.x - (point.x - this.x) * (scale / this.scale);
    this.y = point.y - (point.y - this.y) * (scale / this.scale);
    this.scale = scale;
    this.isHeld = true;
    this.apply(!at);
  }

  /** Moves so that a place of the graph is in the middle, large enough to be read. */
  centre(place, smoothly = true) {
    const { width, height } = this.view;
    this.scale = Math.max(this.scale, 0.7);
    this.x = width / 2 - (place.x + place.width / 2) * this.scale;
    this.y = height / 2 - (place.y + place.height / 2) * this.scale;
    this.isHeld = true;
    this.apply(smoothly);
  }

  /** Brings a place of the graph into sight, if it is not. */
  reveal(place) {
    const { width, height } = this.view;
    const [left, top] = [this.x + place.x * this.scale, this.y + place.y * this.scale];
    const isSeen = left >= 0 && top >= 0 && left + place.width * this.scale <= width
      && top + place.height * this.scale <= height && this.scale >= 0.35;
    if (!isSeen) this.centre(place);
  }

  /** Keeps a place that has moved in the graph where it is on the stage. */
  keep(before, after) {
    this.x += (before.x - after.x) * this.scale;
    this.y += (before.y - after.y) * this.scale;
    this.apply(false);
  }

  wheel(event) {
    if (event.target.closest(".scrolls")) return;
    event.preventDefault();
    const bounds = this.stage.getBoundingClientRect();
    const step = event.deltaMode === 1 ? event.deltaY * 24 : event.deltaY;
    this.zoom(Math.exp(-Math.max(-120, Math.min(120, step)) * 0.0022), {
      x: event.clientX - bounds.left, y: event.clientY - bounds.top,
    });
  }

  press(event) {
    if (event.button !== 0 || event.target.closest("button, .scrolls")) return;
    const start = { x: event.clientX, y: event.clientY, left: this.x, top: this.y };
    let isDragged = false;
    const move = (next) => {
      const [dx, dy] = [next.clientX - start.x, next.clientY - start.y];
      if (!isDragged && Math.hypot(dx, dy) < 4) return;
      isDragged = true;
      this.isHeld = true;
      this.stage.classList.add("dragged");
      [this.x, this.y] = [start.left + dx, start.top + dy];
      this.apply(false);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      // The click that follows is no choice of a node.
      if (isDragged) setTimeout(() => this.stage.classList.remove("dragged"));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
