// How old what is shown is, and how often it is shown anew.

import { duration } from "./words.js";

/** Up to so many seconds nobody wants to know. */
const FRESH = 2.5;
/** From so many nodes on a program takes its time. */
const LARGE = 2500;

export class Pace {
  constructor() { this.clear(); }

  clear() { [this.at, this.interval, this.nodes, this.since] = [null, null, 0, 0]; }

  /** It is looked again, after nobody has for a while: that is not the program's pace. */
  restart() { [this.interval, this.last, this.since] = [null, null, Date.now() / 1000]; }

  /** Notes a look at a program of so many nodes that was taken at a moment, in seconds since 1970. */
  note(at, nodes) {
    const gap = at - this.last;
    if (this.last && gap > 0) this.interval = this.interval === null ? gap : this.interval * 0.6 + gap * 0.4;
    [this.at, this.last, this.nodes] = [at, at, nodes];
  }

  get age() { return this.at === null ? 0 : Math.max(0, Date.now() / 1000 - this.at); }

  /** Such as "seen 4 s ago"; null while that is not worth a word. */
  get words() { return this.age > FRESH ? `seen ${duration(this.age)} ago` : null; }

  /** Whether an answer is late, beside the ones before. */
  get isBehind() { return Math.min(this.age, Date.now() / 1000 - this.since) > Math.max(6, 3 * (this.interval ?? 0)); }

  /** Why it is not shown anew twice a second; null if it is. */
  get reason() {
    return this.interval > FRESH && this.nodes > LARGE
      ? `Shown anew about every ${duration(this.interval)}: the graph is large, and the program gives only a small part of its time to answers.` : null;
  }
}
