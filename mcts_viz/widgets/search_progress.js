// The visits of the root's moves while a search thinks.

import { rowBoard } from "./board.js";
import { Meter, Pool, element, write } from "./elements.js";
import { grouped } from "./words.js";

/** The visits of the root's moves as bars, which grow while a search thinks. */
export class SearchProgress {
  constructor(board, stop) {
    this.board = board;
    this.caption = element("caption");
    this.body = element("tbody");
    const heads = ["move", "visits", "", "mean"].map((text) =>
      element(text ? "th" : "td", text ? { scope: "col" } : {}, text));
    this.table = element("table", {}, this.caption,
      element("thead", {}, element("tr", {}, ...heads)), this.body);
    this.rows = new Pool(this.body, () => this.#row());
    this.meter = new Meter("Thinking", "Play the best move found so far", stop);
    this.element = element("div", { class: "thought" }, this.table, this.meter.element);
  }

  #row() {
    const mini = rowBoard(this.board);
    const [label, bar, visits, mean] =
      [element("span"), element("span", { class: "bar" }), element("td"), element("td")];
    const shown = element("tr", {}, element("th", { scope: "row" }, mini?.svg, label), visits,
      element("td", { class: "track", "aria-hidden": "true" }, bar), mean);
    return { element: shown, mini, label, bar, visits, mean };
  }

  paint({ title, before, share, words, done, rows }, { thinking, stoppable }) {
    this.table.hidden = !rows;
    this.meter.say(...(thinking && !done ? [share, words] : []));
    this.meter.stop.hidden = !stoppable;
    this.meter.bar.hidden = !thinking;
    if (!rows) return;
    write(this.caption, title);
    this.rows.take(rows.length).forEach((made, place) => {
      const { label, cells, visits, size, mean, chosen } = rows[place];
      made.mini?.draw(cells, before);
      write(made.label, label);
      write(made.visits, grouped(visits));
      write(made.mean, mean);
      made.bar.style.width = `${100 * size}%`;
      made.element.classList.toggle("chosen", chosen);
    });
  }
}
