// A playout on a large board beside the leaf, which stays until the iteration is over.

import { MiniBoard } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

// of the board, the frame, a line of text, the result
const [SIDE, WIDEST, EDGE, LINE, FLAG] = [132, 154, 5, 18, 26];

export class PlayoutBoard {
  constructor(film) {
    const { board } = film.facts;
    this.film = film;
    if (!board) return;
    const part = Math.min(SIDE / board.rows, WIDEST / board.columns);
    [this.width, this.height] = [part * board.columns + 2 * EDGE, part * board.rows + 2 * EDGE + FLAG];
    this.board = new MiniBoard(board);
    assign(this.board.svg, {
      x: EDGE, y: LINE + EDGE, width: this.width - 2 * EDGE, height: this.height - FLAG - 2 * EDGE,
    });
    const middle = { x: this.width / 2, "text-anchor": "middle" };
    this.caption = svgElement("text", { class: "caption", y: 12, ...middle });
    this.flag = svgElement("text", { y: LINE + this.height - 12, ...middle });
    const [y, width] = [LINE + this.height - EDGE - 23, this.width - 2 * EDGE];
    const band = svgElement("rect", { x: EDGE, y, width, height: 24, rx: 4 });
    this.band = svgElement("g", { class: "flag" }, band, this.flag);
    this.edge = svgElement("path", { class: "playout-edge" });
    const frame = { class: "frame", y: LINE, width: this.width, height: this.height, rx: 6 };
    this.group = svgElement("g", { class: "playout-board" },
      svgElement("rect", frame), this.caption, this.board.svg, this.band);
  }

  /** Stand where the walk has room, in the phases after the playout; else go. */
  paint(frame, walk) {
    const { film } = this;
    const leaf = walk.cards.get(frame.path.at(-1));
    const moves = frame.phase >= 2 && this.group && leaf ? film.playout(frame.index) : [];
    this.isShown = moves.length > 0;
    for (const part of [this.group, this.edge]) {
      if (part) assign(part, { display: this.isShown ? "inline" : "none" });
    }
    if (!this.isShown) return;
    this.moves = moves;
    this.result = film.outcome(frame.index).result;
    const { x, y, scale } = walk.roomFor(leaf, this.width, this.height + LINE);
    assign(this.group, {
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`,
    });
    this.isSmall = scale < 0.8;
    const size = `${Math.max(12, 11 / scale).toFixed(1)}px`; // however small the board
    for (const text of [this.caption, this.flag]) text.style.fontSize = size;
    const from = [leaf.to.x + leaf.width, leaf.to.y + leaf.height / 2];
    const to = [x, y + scale * (LINE + this.height / 2)];
    const [begin, end] = [from, to].map((place) => place.map(Math.round).join(" "));
    assign(this.edge, { d: x > from[0] ? `M${begin}L${end}` : "" });
    this.show(moves.length);
  }

  /** After so many moves; the result is told with the last, unless it is `untold`. */
  show(count, untold = false) {
    if (!this.isShown) return;
    const { film, moves } = this;
    const { before } = moves[0];
    const { cells, before: last } = count ? moves[count - 1] : { cells: before, before };
    this.board.draw(cells, last);
    const now = () => `${this.isSmall ? "" : "move "}${count} of ${moves.length}: ${moves[count - 1].label}`;
    write(this.caption, count ? now() : `${moves.length} moves`);
    const over = count === moves.length && !untold;
    assign(this.band, { display: over ? "inline" : "none" });
    write(this.flag, over ? this.result : "");
    assign(this.group, { "data-move": count, "aria-label": `Playout of ${film.facts.title}` });
  }
}
