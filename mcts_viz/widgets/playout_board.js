// An iteration's playout: how it ended, and its moves on a board, which stays until the iteration is over.

import { MiniBoard } from "./board.js";
import { assign, element, write } from "./elements.js";

export class PlayoutBoard {
  moves = [];

  constructor(film) {
    const { board } = film.facts;
    this.film = film;
    this.title = element("div", { class: "title" });
    this.note = element("p");
    this.board = board && new MiniBoard(board);
    this.element = element("section", { class: "playout" }, this.board?.svg,
      element("div", {}, this.title, this.note));
  }

  /** Show the end of it in the phases after it. */
  paint(frame) {
    const { note, moves, title } = this.film.playoutPanel(frame);
    Object.assign(this, { moves, said: note });
    write(this.title, title);
    if (this.board) this.board.svg.style.display = moves.length ? "" : "none";
    this.show(moves.length);
  }

  /** Show the position after so many moves. */
  show(count) {
    const { board, moves, said } = this;
    assign(this.element, { "data-move": count });
    write(this.note, board && count ? `move ${count} of ${moves.length}: ${moves[count - 1].label}` : said);
    if (!board || !moves.length) return;
    const { before } = moves[Math.max(0, count - 1)];
    board.draw(count ? moves[count - 1].cells : before, before);
  }
}
