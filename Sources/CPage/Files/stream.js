// The connection on which the server tells what there is to see.

// A browser opens at most six connections to one server, for all its pages together. Some have to be left for pages that load, and for questions.
const MOST = 4;
const PAUSE = 2000;

export class Stream {
  /** @param handlers What is done with each kind of event, by its name. @param onState Is told what keeps the page from hearing anything, or null. */
  constructor(handlers, onState) {
    Object.assign(this, { handlers, onState, source: null, leave: null, timer: null, turn: 0, address: null });
  }

  /** Listens to an address from now on, instead of the one before. */
  async open(address) {
    this.address = address;
    const turn = this.stop();
    if (!this.leave && !(await this.enter(turn))) return;
    if (turn !== this.turn) return;
    const source = new EventSource(address);
    this.source = source;
    for (const [name, act] of Object.entries(this.handlers)) {
      source.addEventListener(name, (event) => { if (source === this.source) act(JSON.parse(event.data)); });
    }
    source.onopen = () => this.onState(null);
    source.onerror = () => { if (source === this.source) this.lost(source, turn); };
  }

  /** Listens no more, and leaves the place to other pages. */
  close() {
    this.stop();
    this.address = null;
    this.leave?.();
    this.leave = null;
  }

  stop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    return this.turn += 1;
  }

  again(turn) {
    this.timer = setTimeout(() => { if (turn === this.turn) this.open(this.address); }, PAUSE);
  }

  /** Takes one of the places that all pages of this browser share; if there is none, it is tried again. */
  async enter(turn) {
    for (let place = 0; place < MOST && turn === this.turn; place += 1) {
      const leave = await take(`signal-viz ${place}`);
      if (!leave) continue;
      if (turn === this.turn && !this.leave) {
        this.leave = leave;
        return true;
      }
      leave();
    }
    if (turn === this.turn) {
      this.onState(`${MOST} other windows of this browser show programs live, which is as many as can. This one goes on when one of them is closed or hidden.`);
      this.again(turn);
    }
    return false;
  }

  /** Tells why nothing comes. A browser tries again by itself after a connection was lost, but not after one was refused. */
  async lost(source, turn) {
    this.onState("signal-viz serve does not answer. It may have been stopped; the page tries again.");
    if (source.readyState !== EventSource.CLOSED) return;
    const answer = await fetch(`/${location.search}`, { cache: "no-store" }).catch(() => null);
    if (turn !== this.turn) return;
    if (answer?.status === 403) {
      this.onState("This is the address of an earlier signal-viz serve. Open the one that it has printed now.");
    } else if (answer && !answer.ok) {
      this.onState(`signal-viz serve refuses: ${(await answer.text()).trim()}. The page tries again.`);
    }
    if (turn === this.turn) this.again(turn);
  }
}

/** Takes a lock, if nobody has it; returns what gives it back. */
function take(name) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((done) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return done(null);
      return new Promise((leave) => done(leave));
    }).catch(() => done(() => {}));
  });
}
