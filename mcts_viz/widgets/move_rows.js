// What was compared, a row a move: of one film or of two, share, score, and the terms of the score as
// bars. Where all scores of a film are close, dots on a zoomed axis take the place of its bars.

import { Pool, assign, element, write } from "./elements.js";

const BELOW = 0.15; // of the spread, to the left of the lowest dot
const NONE = { share: "–", said: "–", terms: [] }; // of a film that has not tried the move

export class MoveRows {
  /** `titles` is a row above the heads. */
  constructor(films, titles = "") {
    this.films = films;
    const texts = ["move", ...films.flatMap(({ facts }) => facts.heads.slice(1))];
    const heads = texts.map((text) => element("th", { scope: "col" }, text));
    this.bars = heads[2];
    this.heads = element("tr", {}, ...heads);
    const body = element("tbody");
    this.element = element("table", {}, element("thead", {}, titles, this.heads), body);
    this.rows = new Pool(body, () => this.#row());
  }

  #row() {
    const [swatch, label] = ["swatch", "move"].map((look) => element("span", { class: look }));
    const move = element("th", { scope: "row" }, element("div", {}, swatch, label));
    const sides = this.films.map(() => {
      const [share, bars, score] = ["share", "bars", "score"].map((look) => element("td", { class: look }));
      const [mean, exploration, dot] =
        ["mean", "exploration", "dot"].map((look) => element("span", { class: look }));
      bars.append(element("div", {}, mean, exploration, dot));
      return { share, mean, exploration, dot, score, cells: [share, bars, score] };
    });
    const cells = sides.flatMap((side) => side.cells);
    return { element: element("tr", {}, move, ...cells), swatch, label, sides };
  }

  /** Of each move what each film's table `found` for it; nothing, if this film has not tried it. */
  paint(moves, found) {
    this.heads.hidden = !moves.length;
    this.rows.take(moves.length).forEach(({ element: row, label, sides, swatch }, place) => {
      const known = moves[place].findIndex(Boolean);
      const { colour, node } = moves[place][known];
      const name = this.films[known].label(node);
      write(label, name);
      label.classList.toggle("long", name.length > 16);
      swatch.className = `swatch ${colour}`;
      const looks = ["chosen", "winner"].filter((look) => moves[place].every((one) => one?.[look]));
      assign(row, { class: looks.join(" "), "data-row": name, "data-node": node });
      sides.forEach((side, film) => paintSide(side, moves[place][film] ?? NONE, found[film]));
    });
  }
}

function paintSide(side, row, { close, digits, longest, scores }) {
  const { share, mean, exploration, dot, score, cells } = side;
  const width = (term) => (close || !Number.isFinite(term) ? "0" : `${(100 * Math.max(0, term)) / longest}%`);
  write(share, row.share);
  write(score, row.said ?? (Number.isFinite(row.score) ? row.score.toFixed(digits) : "–"));
  mean.style.width = width(row.terms[0]);
  exploration.style.width = width(row.terms[1]);
  const spread = scores[0] - scores.at(-1) || 1e-9;
  const part = 1 - (scores[0] - row.score) / ((1 + BELOW) * spread);
  dot.hidden = !close || !Number.isFinite(row.terms[0] + part);
  dot.style.width = `${100 * Math.max(0, part)}%`;
  for (const cell of cells) cell.classList.toggle("chosen", Boolean(row.chosen));
}
