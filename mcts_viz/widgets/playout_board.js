// A playout on a large board beside the leaf, which stays until the iteration is over.

import { MiniBoard } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

const [SIDE, WIDEST, EDGE, LINE, FLAG] = [132, 154, 5, 18, 26]; // of the board, the frame, a line of text, the result

export class PlayoutBoard {
  constructor(film) {
    const { board } = film.facts;
    this.film = film;
    if (!board || !film.playout) return;
    const part = Math.min(SIDE / board.rows, WIDEST / board.columns);
    [this.width, this.height] = [part * board.columns + 2 * EDGE, part * board.rows + 2 * EDGE + FLAG];
    this.board = new MiniBoard(board);
    assign(this.board.svg, { x: EDGE, y: LINE + EDGE, width: this.width - 2 * EDGE, height: this.height - FLAG - 2 * EDGE });
    this.caption = svgElement("text", { class: "caption", x: this.width / 2, y: 12, "text-anchor": "middle" });
    this.flag = svgElement("text", { x: this.width / 2, y: LINE + this.height - 12, "text-anchor": "middle" });
    this.band = svgElement("g", { class: "flag" }, svgElement("rect", { x: EDGE, y: LINE + this.height - EDGE - 23, width: this.width - 2 * EDGE, height: 24, rx: 4 }), this.flag);
    this.edge = svgElement("path", { class: "playout-edge" });
    this.group = svgElement("g", { class: "playout-board" }, svgElement("rect", { class: "frame", y: LINE, width: this.width, height: this.height, rx: 6 }), this.caption, this.board.svg, this.band);
  }

  /** Stand where the walk has room, in the phases after the playout; else go. */
  paint(frame, walk) {
    const { film } = this;
    const leaf = walk.cards.get(frame.path.at(-1));
    const moves = frame.phase >= 2 && this.group && leaf ? film.playout(frame.index) : [];
    this.isShown = moves.length > 0;
    for (const part of [this.group, this.edge]) if (part) assign(part, { display: this.isShown ? "inline" : "none" });
    if (!this.isShown) return;
    this.moves = moves;
    this.result = film.outcome(frame.index).result;
    const { x, y, scale } = walk.roomFor(leaf, this.width, this.height + LINE);
    assign(this.group, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})` });
    this.isSmall = scale < 0.8;
    for (const text of [this.caption, this.flag]) text.style.fontSize = `${Math.max(12, 11 / scale).toFixed(1)}px`; // however small the board
    const from = [leaf.to.x + leaf.width, leaf.to.y + leaf.height / 2];
    assign(this.edge, { d: x > from[0] ? `M${from.map(Math.round).join(" ")}L${x.toFixed(0)} ${(y + scale * (LINE + this.height / 2)).toFixed(0)}` : "" });
    this.show(moves.length);
  }

  /** After so many moves; the result is told with the last, unless it is `untold`. */
  show(count, untold = false) {
    if (!this.isShown) return;
    const { film, moves } = this;
    const { before } = moves[0];
    const { cells, before: last } = count ? moves[count - 1] : { cells: before, before };
    this.board.draw(cells, last);
    write(this.caption, count ? `${this.isSmall ? "" : "move "}${count} of ${moves.length}: ${moves[count - 1].label}` : `${moves.length} moves`);
    const over = count === moves.length && !untold;
    assign(this.band, { display: over ? "inline" : "none" });
    write(this.flag, over ? this.result : "");
    assign(this.group, { "data-move": count, "aria-label": `Playout of ${film.facts.title}` });
  }
}
