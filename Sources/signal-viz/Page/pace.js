// How old what is shown is, and how often it is shown anew.

import { duration } from "./words.js";

/** Up to so many seconds nobody wants to know. */
const FRESH = 2.5;

export class Pace {
  constructor() { this.clear(); }

  clear() { [this.at, this.interval] = [null, null]; }

  /** Notes a look at the program that was taken at a moment, in seconds since 1970. */
  note(at) {
    const last = at - this.at;
    if (this.at !== null && last > 0) this.interval = this.interval === null ? last : this.interval * 0.6 + last * 0.4;
    this.at = at;
  }

  get age() { return this.at === null ? 0 : Math.max(0, Date.now() / 1000 - this.at); }

  /** Such as "seen 4 s ago"; null while that is not worth a word. */
  get words() { return this.age > FRESH ? `seen ${duration(this.age)} ago` : null; }

  /** Whether an answer is late, beside the ones before. */
  get isBehind() { return this.age > Math.max(6, 3 * (this.interval ?? 0)); }

  /** Why it is not shown anew twice a second; null if it is. */
  get reason() {
    return this.interval > FRESH
      ? `Shown anew about every ${duration(this.interval)}: the graph is large, and the program gives only a small part of its time to answers.` : null;
  }
}
