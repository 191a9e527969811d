// Moves boxes to new positions smoothly, with their links attached.

const MILLISECONDS = 300;

export class Glide {
  constructor() { this.frame = null; }

  /**
   * @param moved Where boxes come from, as offsets from their new positions: a map from boxes.
   * @param lines The links, of which those of the boxes move too.
   */
  start(moved, lines) {
    const touched = lines.filter(({ source, target }) => moved.has(source) || moved.has(target));
    const began = performance.now();
    const step = (now) => {
      const rest = Math.max(0, 1 - Math.max(0, now - began) / MILLISECONDS) ** 3;
      const offset = (box) => (moved.get(box) ?? [0, 0]).map((distance) => distance * rest);
      for (const box of moved.keys()) {
        const [x, y] = offset(box);
        box.move(box.data.x + x, box.data.y + y);
      }
      for (const line of touched) line.draw(offset(line.source), offset(line.target));
      this.frame = rest > 0 ? requestAnimationFrame(step) : null;
    };
    step(began);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
  }
}
