// The search: a field, and below it a list of what was found.

import { element, count, plural } from "./words.js";

export class Finder {
  /**
   * @param field Where words are typed. @param list Where what was found is listed.
   * @param actions What is done: `ask` for words, `mark` boxes or none (null), `take` a node, show `only` what was found, `leave` for the graph.
   */
  constructor(field, list, actions) {
    Object.assign(this, { field, list, actions, timer: null, hits: [], active: -1 });
    field.addEventListener("input", () => this.searchSoon());
    field.addEventListener("focus", () => { if (field.value) this.searchSoon(); });
    field.addEventListener("keydown", (event) => this.press(event));
    // Who goes on with Tab or the pointer is done with the list.
    field.addEventListener("blur", () => this.close());
    // A click in the list is not to take the focus from the field first.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), 120);
  }

  async search() {
    const words = this.field.value.trim();
    if (!words) return this.close();
    const found = await this.actions.ask(words).catch(() => null);
    if (words !== this.field.value.trim() || document.activeElement !== this.field) return;
    this.hits = found?.hits ?? [];
    this.actions.mark(new Set(this.hits.map((hit) => hit.box).filter(Boolean)));
    const rows = this.hits.map((hit, index) => element("div", {
      role: "option", id: `hit-${index}`, class: "hit", "aria-selected": "false", onclick: () => this.take(index),
    }, element("b", {}, hit.name ?? hit.kind), element("span", { class: "faint" }, `${hit.name ? `${hit.kind} · ` : ""}${hit.site} · #${hit.id}`),
    element("span", { class: "amount" }, plural(hit.count, "value"))));
    if (this.hits.length) {
      rows.push(element("div", { role: "option", id: `hit-${this.hits.length}`, class: "hit only", "aria-selected": "false",
        onclick: () => this.take(this.hits.length - 1) }, element("b", {}, "Show only these")));
      this.hits.push({ only: words });
    }
    const shown = this.hits.length ? this.hits.length - 1 : 0;
    const more = found && found.total > shown ? `${plural(found.total, "node")}, the first ${count(shown)} of them; type more to find others`
      : plural(shown, "node");
    this.list.replaceChildren(...rows, element("p", { class: "faint", role: "status" }, !found ? "The program has not answered yet."
      : this.hits.length ? more : "Nothing has such a name, kind, place, owner, queue or finding."));
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.field.setAttribute("aria-expanded", "true");
    this.activate(this.hits.length ? 0 : -1);
  }

  activate(index) {
    this.active = index;
    for (const row of this.list.querySelectorAll(".hit")) {
      const isActive = row.id === `hit-${index}`;
      row.setAttribute("aria-selected", String(isActive));
      if (isActive) row.scrollIntoView({ block: "nearest" });
    }
    if (index >= 0) this.field.setAttribute("aria-activedescendant", `hit-${index}`);
    else this.field.removeAttribute("aria-activedescendant");
  }

  take(index) {
    const hit = this.hits[index];
    if (!hit) return;
    this.close();
    if (hit.only) this.actions.only(hit.only); else this.actions.take(hit);
  }

  /** Forgets the words too: what is shown is another program. */
  clear() {
    this.field.value = "";
    this.close();
  }

  close() {
    clearTimeout(this.timer);
    this.hits = [];
    this.activate(-1);
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.actions.mark(null);
  }

  press(event) {
    const { active, hits } = this;
    if (event.key === "ArrowDown" && hits.length) this.activate((active + 1) % hits.length);
    else if (event.key === "ArrowUp" && hits.length) this.activate((active + hits.length - 1) % hits.length);
    else if (event.key === "Enter") { if (hits.length) this.take(active); else this.search(); }
    else if (event.key === "Escape") { this.clear(); this.actions.leave(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
