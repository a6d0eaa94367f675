// The race: what was compared at a node, in an order that never changes, and the constant c to drag.

import { assign, element, group, write } from "../picture/elements.js";
import { MoveRows } from "./move_rows.js";
import { fixed } from "../data/words.js";

const KEPT = "The cards keep the search's own c.";

export class SelectionTable {
  constructor(film) {
    this.film = film;
    this.title = element("div", { class: "title" });
    this.rows = new MoveRows(film.facts.heads);
    this.detail = element("p", { class: "detail" });
    this.element = group(
      "why",
      "What was compared",
      this.title,
      this.rows.element,
      this.#drag(),
      this.detail,
    );
  }

  /** The constant c, to be dragged where the rule is linear in it; the next step brings it back. */
  #drag() {
    this.value = element("output");
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: Math.max(3, 2 * this.film.facts.c),
      step: "any",
      "aria-label": "c, the exploration constant",
      title: "Drag c; the next step brings it back",
    });
    this.slider.addEventListener("input", () =>
      this.#compare(Math.round(100 * this.slider.value) / 100),
    );
    this.slider.addEventListener("keydown", (event) => {
      if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation(); // they move no film
    });
    this.drag = element(
      "div",
      { class: "c-drag" },
      element("span", {}, "c"),
      this.slider,
      this.value,
    );
    return this.drag;
  }

  /** Show what was compared at the node `focus`. */
  paint(frame, focus) {
    Object.assign(this, { focus, frame });
    this.#compare();
  }

  /** With the search's own c, or with the reader's. */
  #compare(c) {
    const {
      film,
      film: { facts },
      rows,
    } = this;
    const found = film.table(this.frame, this.focus, c);
    const { close, digits, scores } = found;
    const ends = close && [scores.at(-1), scores[0]].map((score) => fixed(score, digits));
    write(this.title, found.title);
    write(this.detail, c === undefined ? (found.detail ?? "") : KEPT);
    write(rows.heads.children[2], ends ? ends.join(" ") : facts.heads[2]);
    rows.element.classList.toggle("zoomed", Boolean(close));
    rows.paint(
      found.rows.map((row) => ({ ...row, label: film.label(row.node), sides: [row] })),
      [found],
    );
    this.drag.hidden = !facts.linear_in_c || !found.compared;
    this.drag.classList.toggle("moved", c !== undefined);
    assign(this.element, { tabindex: this.drag.hidden ? 0 : -1 }); // what is scrolled can be reached
    this.slider.value = c ?? facts.c;
    write(this.value, String(Number((c ?? facts.c)?.toFixed(3))));
  }
}
