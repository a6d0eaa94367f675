// The race: what was compared at a node, in an order that stands still, and the constant c to drag.

import { Pool, assign, element, group, textButton, write } from "./elements.js";
import { MoveRows } from "./move_rows.js";

export class SelectionTable {
  /** `onLevel(node)` goes to a level of the walk. */
  constructor(film, onLevel) {
    this.film = film;
    this.levels = group("levels", "Levels of the walk");
    this.crumbs = new Pool(this.levels, (place) => ({
      element: textButton("", "What was compared here", () => onLevel(this.walk[place]), { class: "crumb" }),
    }));
    this.title = element("div", { class: "title" });
    this.rows = new MoveRows(film.facts.heads);
    this.detail = element("p", { class: "detail" });
    this.element = group("why", "What was compared",
      this.levels, this.title, this.rows.element, this.#drag(), this.detail);
  }

  /** The constant c, to be dragged where the rule is linear in it; the next step brings it back. */
  #drag() {
    this.value = element("output");
    this.slider = element("input", {
      type: "range", min: 0, max: Math.max(3, 2 * this.film.facts.c), step: "any",
      "aria-label": "c, the exploration constant", title: "Drag c; the next step brings it back",
    });
    this.slider.addEventListener("input", () => {
      this.c = Math.round(100 * this.slider.value) / 100;
      this.#compare();
    });
    this.slider.addEventListener("keydown", (event) => {
      if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation(); // they move no film
    });
    this.drag = element("div", { class: "c-drag" }, element("span", {}, "c"), this.slider, this.value);
    return this.drag;
  }

  /** Show what was compared at the node `focus`; another moment takes the reader's own c back. */
  paint(frame, { focus, reached = frame.walk.length }) {
    const place = `${frame.index} ${frame.phase} ${focus}`;
    if (place !== this.place) this.c = undefined;
    const walk = frame.walk.slice(0, Math.max(1, Math.min(reached + 1, frame.walk.length - 1)));
    Object.assign(this, { focus, frame, place, walk });
    this.#crumbs();
    this.#compare();
  }

  #crumbs() {
    const { film, focus, walk } = this;
    const stop = Math.max(0, walk.indexOf(focus)); // of Tab, also while the reader looks elsewhere
    this.levels.hidden = walk.length < 2 && !focus; // the root has no other
    this.crumbs.take(walk.length).forEach(({ element: button }, place) => {
      write(button, place ? film.label(walk[place]) : "root");
      assign(button, { "aria-pressed": walk[place] === focus, tabindex: place === stop ? 0 : -1 });
    });
  }

  #compare() {
    const { c, film, focus, frame } = this;
    const found = film.table(frame, focus, c);
    const { close, compared, detail, digits, rows, scores, title } = found;
    write(this.title, title);
    write(this.detail, detail ?? "");
    const ends = close && [scores.at(-1), scores[0]].map((score) => score.toFixed(digits)).join(" ");
    write(this.rows.heads.children[2], ends || film.facts.heads[2]);
    this.rows.element.classList.toggle("zoomed", Boolean(close));
    this.rows.paint(rows.map((row) => ({ ...row, label: film.label(row.node), sides: [row] })), [found]);
    this.drag.hidden = !film.facts.linear_in_c || !compared;
    this.drag.classList.toggle("moved", c !== undefined);
    assign(this.element, { tabindex: this.drag.hidden ? 0 : -1 }); // what is scrolled can be reached
    this.slider.value = c ?? film.facts.c;
    write(this.value, String(Number((c ?? film.facts.c)?.toFixed(3))));
  }
}
