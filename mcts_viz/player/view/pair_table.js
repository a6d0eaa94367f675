// What two films compared, side by side: a row a move.

import { assign, element, group, write } from "../picture/elements.js";
import { MoveRows } from "./move_rows.js";

const NOTHING = { title: "not in this tree", rows: [], scores: [], longest: 1 };

export class PairTable {
  constructor(films) {
    const rules = films.map(({ facts }) => facts.rule);
    this.films = films;
    this.alike = rules[0] !== undefined && rules[0] === rules[1]; // a walk by minimax has no rule
    this.titles = films.map(() => element("th", { class: "title", scope: "colgroup", colspan: 3 }));
    const titles = element("tr", {}, element("td"), ...this.titles);
    const heads = films.flatMap(({ facts }) => facts.heads.slice(1));
    this.rows = new MoveRows(["move", ...heads], titles);
    this.element = assign(group("decisions", "What was compared", this.rows.element), {
      tabindex: 0,
    });
    // An observer hears of sizes after a layout: a frame that asked for them would need another one.
    const sizes = new ResizeObserver(() => {
      this.isCut = this.element.scrollHeight > this.element.clientHeight;
      this.#reveal();
    });
    sizes.observe(this.element);
    sizes.observe(this.rows.element);
  }

  /** By film: the frame on the screen, and the node to explain; -1 if that film has none. */
  paint(frames, nodes) {
    const { alike, films } = this;
    const found = films.map((film, side) =>
      nodes[side] < 0 ? NOTHING : film.table(frames[side], nodes[side]),
    );
    const longest = Math.max(...found.map((one) => one.longest));
    const moves = new Map();
    found.forEach(({ title, rows }, side) => {
      write(this.titles[side], `${"AB"[side]}: ${title}`);
      assign(this.titles[side], { title });
      for (const row of rows) {
        const label = films[side].label(row.node);
        if (!moves.has(label)) moves.set(label, { ...row, label, sides: [] });
        moves.get(label).sides[side] = row;
      }
    });
    const bars = found.map((one) => ({
      ...one,
      close: false,
      longest: alike ? longest : one.longest,
    }));
    this.rows.paint([...moves.values()], bars);
    if (this.isCut) requestAnimationFrame(() => this.#reveal());
  }

  /** Scroll a table that is cut off as far as the last row that a film has chosen. */
  #reveal() {
    if (!this.isCut) return;
    const { element: pane } = this;
    const row = [...pane.querySelectorAll("tr:has(td.chosen)")].at(-1);
    if (row) pane.scrollTop = row.offsetTop + row.offsetHeight + 4 - pane.clientHeight;
  }
}
