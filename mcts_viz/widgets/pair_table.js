// What two films compared, side by side: a row a move, with statistics and score as stacked bars,
// and by how much the scores differ.

import { rowBoard } from "./board.js";
import { Pool, assign, barsCell, element, group, write } from "./elements.js";
import { fixed } from "./words.js";

export class PairTable {
  constructor(films) {
    this.films = films;
    this.alike = films.every(({ facts }) => facts.kind === films[0].facts.kind);
    this.subtracts = films.every(({ facts }) => facts.kind === "mcts" && facts.rule === films[0].facts.rule);
    this.titles = films.map(() => element("th", { class: "title", scope: "colgroup", colspan: 3 }));
    const heads = films.flatMap(({ facts: { heads: [, share, bars, score] } }) => [share, bars, score]);
    const head = (text) => (text ? element("th", { scope: "col" }, text) : element("td"));
    this.heads = element("tr", {}, ...["move", ...heads, this.subtracts && "B − A"].map(head));
    this.body = element("tbody");
    const rows = [element("tr", {}, element("td"), ...this.titles), this.heads];
    const table = element("table", {}, element("thead", {}, ...rows), this.body);
    this.element = assign(group("decisions", "What was compared", table), { tabindex: 0 });
    this.rows = new Pool(this.body, () => this.#row());
  }

  #row() {
    const board = rowBoard(this.films[0].facts.board);
    const label = element("span", { class: "move" });
    const sides = this.films.map(() => {
      const [share, score] = ["share", "score"].map((kind) => element("td", { class: kind }));
      return { share, score, ...barsCell() };
    });
    const apart = element("td", { class: "more" });
    const cells = sides.flatMap(({ share, bars, score }) => [share, bars, score]);
    const move = element("th", { scope: "row" }, element("div", {}, board?.svg, label));
    return { element: element("tr", {}, move, ...cells, apart), board, label, sides, apart };
  }

  /** By film: the frame on the screen, and the node to explain; -1 if that film has none. */
  paint(frames, nodes) {
    const { films } = this;
    const none = { title: "not in this tree", rows: [], longest: 1 };
    const found = films.map((film, side) =>
      (nodes[side] < 0 ? none : film.table(frames[side], nodes[side])));
    const moves = new Map();
    found.forEach(({ title, rows }, side) => {
      const words = `${"AB"[side]}: ${title}`;
      write(this.titles[side], words);
      assign(this.titles[side], { title: words });
      for (const row of rows) {
        const move = films[side].label(row.node);
        if (!moves.has(move)) moves.set(move, []);
        moves.get(move)[side] = row;
      }
    });
    const longest = Math.max(...found.map((one) => one.longest));
    this.heads.hidden = !moves.size;
    let lowest; // row that a film has chosen
    this.rows.take(moves.size).forEach((item, place) => {
      const [label, sides] = [...moves][place];
      const seen = sides[0] ? 0 : 1;
      const { node } = sides[seen];
      write(item.label, label);
      item.label.classList.toggle("long", label.length > 16);
      if (item.board) item.board.svg.style.display = label.length > 11 ? "none" : ""; // the label says it all
      item.board?.draw(films[seen].cells(node), films[seen].cellsBefore(node));
      item.sides.forEach(({ share, score, bars, fill }, side) => {
        const { chosen = false, terms = [0, 0], ...row } = sides[side] ?? {};
        write(share, row.share ?? "–");
        const text = Number.isFinite(row.score) ? row.score.toFixed(found[side].digits) : "–";
        write(score, row.said ?? text);
        fill(terms, this.alike ? longest : found[side].longest);
        for (const cell of [share, bars, score]) cell.classList.toggle("taken", chosen);
        if (chosen) lowest = item.element;
      });
      const apart = sides[1]?.score - sides[0]?.score;
      write(item.apart, this.subtracts ? difference(apart) : "");
    });
    if (lowest) requestAnimationFrame(() => this.#reveal(lowest));
  }

  /** A table that is cut off is scrolled as far as this row; in a frame, which lays the page out anyway. */
  #reveal({ offsetTop, offsetHeight }) {
    const { element: pane } = this;
    pane.scrollTop = offsetTop + offsetHeight + 4 - pane.clientHeight;
  }
}

/** "+0.25", "−0.25", "0" or "–". */
function difference(number) {
  if (!Number.isFinite(number)) return "–";
  const text = fixed(number).replace("-", "−");
  return text === "0.00" ? "0" : text.startsWith("−") ? text : `+${text}`;
}
