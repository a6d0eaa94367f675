// What was compared at a node, a row a move.

import { MiniBoard } from "./board.js";
import { Pool, element, write } from "./elements.js";
import { fixed } from "./words.js";

/**
 * What was compared, a row a move: statistics and score as stacked bars, the chosen move first; of
 * two films one beside the other, and by how much the scores differ.
 */
export class SelectionTable {
  constructor(films) {
    this.films = films;
    const alone = films.length === 1;
    this.alike = films.every(({ facts }) => facts.kind === films[0].facts.kind);
    this.titles = films.map(() => element("th", { class: "title", scope: "colgroup", colspan: alone ? 4 : 3 }));
    const legend = () => element("span", {}, element("i", { class: "mean" }), "\u00a0mean + ", element("i", { class: "exploration" }), "\u00a0exploration");
    const heads = films.flatMap(({ facts: { heads: [, share, bars, score] } }) => [share, alone && (bars.includes("+") ? legend() : bars), score]);
    const head = (text) => (text ? element("th", { scope: "col" }, text) : element("td"));
    this.heads = element("tr", {}, ...["move", ...heads, ...(alone ? [] : [this.alike && "B − A"])].map(head));
    this.body = element("tbody");
    this.detail = element("p", { class: "detail" });
    this.element = element("div", { class: alone ? "why" : "decisions", tabindex: "0", role: "group", "aria-label": "What was compared" },
      element("table", {}, element("thead", {}, element("tr", {}, !alone && element("td"), ...this.titles), this.heads), this.body), this.detail);
    this.rows = new Pool(this.body, () => this.#row());
  }

  #row() {
    const board = this.films[0].facts.board && new MiniBoard(this.films[0].facts.board);
    const label = element("span", { class: "move" });
    const sides = this.films.map(() => {
      const [share, score] = ["share", "score"].map((kind) => {
        const [now, after] = [element("div"), element("div", { class: "after" })];
        return { now, after, cell: element("td", { class: kind }, now, after) };
      });
      const [mean, exploration] = ["mean", "exploration"].map((kind) => element("span", { class: kind }));
      return { share, score, mean, exploration, bars: element("td", { class: "bars" }, element("div", {}, mean, exploration)) };
    });
    const apart = element("td", { class: "more" });
    const cells = sides.flatMap(({ share, bars, score }) => [share.cell, bars, score.cell]);
    return { element: element("tr", {}, element("th", { scope: "row" }, element("div", {}, board?.svg, label)), ...cells, sides[1] && apart), board, label, sides, apart };
  }

  /** By film: the frame on the screen, and the node to explain; -1 if that film has none. */
  paint(frames, nodes) {
    const { films } = this;
    const found = films.map((film, side) => (nodes[side] < 0 ? { title: "not in this tree", rows: [], longest: 1 } : film.comparison(frames[side], nodes[side])));
    const moves = new Map();
    found.forEach(({ title, rows }, side) => {
      write(this.titles[side], `${films[1] ? `${"AB"[side]}: ` : ""}${title}`);
      for (const row of rows) {
        const move = films[1] ? films[side].label(row.node) : row.node;
        if (!moves.has(move)) moves.set(move, []);
        moves.get(move)[side] = row;
      }
    });
    const taken = ([, sides]) => sides.some((row) => row?.chosen);
    const listed = [...moves].toSorted((a, b) => taken(b) - taken(a));
    const longest = Math.max(...found.map((one) => one.longest));
    this.heads.hidden = !listed.length;
    write(this.detail, films[1] ? "" : found[0].detail ?? "");
    this.rows.take(listed.length).forEach((item, place) => {
      const [, sides] = listed[place];
      const seen = sides[0] ? 0 : 1;
      const { node } = sides[seen];
      const label = films[seen].label(node);
      write(item.label, label);
      item.label.classList.toggle("long", label.length > 16);
      if (item.board) item.board.svg.style.display = label.length > 11 ? "none" : ""; // the label says it all
      item.element.className = sides[0]?.chosen && !films[1] ? "chosen" : "";
      item.board?.draw(films[seen].cells(node), films[seen].cellsBefore(node));
      item.sides.forEach(({ share, score, mean, exploration, bars }, side) => {
        const { share: visits = "–", score: value = "–", terms = [0, 0], chosen = false, after } = sides[side] ?? {};
        write(share.now, visits);
        write(score.now, value);
        write(share.after, after ? `→ ${after[0]}` : "");
        write(score.after, after ? `→ ${after[1]}` : "");
        [mean, exploration].forEach((bar, part) => (bar.style.width = `${terms[part] > 0 ? (100 * terms[part]) / (this.alike ? longest : found[side].longest) : 0}%`));
        for (const cell of [share.cell, bars, score.cell]) cell.classList.toggle("taken", chosen);
      });
      const apart = sides[1]?.value - sides[0]?.value;
      write(item.apart, Number.isFinite(apart) ? fixed(apart).replace(/^(?=\d)/, "+").replace("-", "−").replace(/^\+0\.00$/, "0") : this.alike ? "–" : "");
    });
  }
}
