// A row a move: its share and score, once or side by side, and the terms of the score as bars. Where all
// scores are close, dots on a zoomed axis take the place of the bars.

import { Pool, assign, element, write } from "../picture/elements.js";
import { fixed } from "../data/words.js";

const BELOW = 0.15; // of the spread, to the left of the lowest dot
const NONE = { share: "–", said: "–", terms: [] }; // of a side that does not know the move

export class MoveRows {
  /** `heads` are those of the move, and of three columns a side; `titles` is a row above them. */
  constructor(heads, titles = "") {
    this.sides = (heads.length - 1) / 3;
    this.heads = element("tr", {}, ...heads.map((text) => element(text ? "th" : "td", {}, text)));
    const body = element("tbody");
    this.element = element("table", {}, element("thead", {}, titles, this.heads), body);
    this.rows = new Pool(body, () => this.#row());
  }

  #row() {
    const label = element("span", { class: "move" });
    const move = element("th", { scope: "row" }, label);
    const sides = Array.from({ length: this.sides }, () => {
      const [share, bars, score] = ["share", "bars", "score"].map((look) =>
        element("td", { class: look }),
      );
      const [mean, exploration, dot] = ["mean", "exploration", "dot"].map((look) =>
        element("span", { class: look }),
      );
      bars.append(element("div", {}, mean, exploration, dot));
      return { share, mean, exploration, dot, score, cells: [share, bars, score] };
    });
    const cells = sides.flatMap((side) => side.cells);
    return { element: element("tr", {}, move, ...cells), label, sides };
  }

  /** Of each move the row of each of its `sides`, whose tables are `found`. */
  paint(moves, found) {
    this.heads.hidden = !moves.length;
    this.rows.take(moves.length).forEach((made, place) => {
      const { label, node = "", sides } = moves[place];
      write(made.label, label);
      const looks = ["chosen", "winner"].filter((look) => sides.every((one) => one?.[look]));
      assign(made.element, { class: looks.join(" "), "data-row": label, "data-node": node });
      made.sides.forEach((side, number) => paintSide(side, sides[number] ?? NONE, found[number]));
    });
  }
}

function paintSide(side, row, { close, digits, longest, scores }) {
  const { share, mean, exploration, dot, score, cells } = side;
  const width = (term) =>
    close || !Number.isFinite(term) ? "0" : `${(100 * Math.max(0, term)) / longest}%`;
  write(share, row.share);
  write(score, row.said ?? (Number.isFinite(row.score) ? fixed(row.score, digits) : "–"));
  mean.style.width = width(row.terms[0]);
  exploration.style.width = width(row.terms[1]);
  const spread = scores[0] - scores.at(-1) || 1e-9;
  const part = 1 - (scores[0] - row.score) / ((1 + BELOW) * spread);
  dot.hidden = !close || !Number.isFinite(row.terms[0] + part);
  dot.style.width = `${100 * Math.max(0, part)}%`;
  for (const cell of cells) cell.classList.toggle("chosen", Boolean(row.chosen));
}
