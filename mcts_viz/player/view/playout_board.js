// An iteration's playout: it falls from its node to the foot of the picture, a dot a move, beside a board
// that shows the position; at its foot is the result.

import { MiniBoard } from "../picture/board.js";
import { assign, element, svgElement, write } from "../picture/elements.js";

const BOARD = 132; // pixels: the side of the board, with its edge
const FOOT = 26; // for the result
const DOT = 8; // pixels a move: less is no row of dots
const BESIDE = 18; // from the thread to the board, or further where the result is wide:
const RESULT = { letter: 7, text: 22 };

export class PlayoutBoard {
  moves = [];

  constructor(film) {
    const { board } = film.facts;
    this.film = film;
    this.title = element("div", { class: "title" });
    this.note = element("p", { class: "note" });
    this.board = board && new MiniBoard(board);
    this.thread = svgElement("svg", { class: "thread", "aria-hidden": "true" });
    this.box = element("div", { class: "box" }, this.board?.svg, this.note);
    this.element = element(
      "section",
      { class: "playout", hidden: "" },
      this.thread,
      this.box,
      this.title,
    );
  }

  /** In Simulate, the end of it below the walk's last card in the picture, if there is one. */
  paint(frame, picture) {
    const { film } = this;
    const { note, moves, title } = film.playoutPanel(frame);
    const isTime = film.facts.phases[frame.phase] === "simulate" && title !== "";
    const fall = isTime ? picture.fallOf(frame) : undefined;
    const isShown = fall !== undefined;
    this.element.hidden = !isShown;
    Object.assign(this, { moves: isShown ? moves : [], said: note });
    if (!isShown) return;
    write(this.title, title.replace("Playout: ", ""));
    this.element.dataset.result = picture.resultOf(frame);
    this.element.style.setProperty("--scale", picture.scale);
    this.#place(fall);
    this.show(moves.length);
  }

  /** From where it falls, to the foot of the pane; the board on the side that covers fewer cards. */
  #place({ x, y, width, height, cardsBeside }) {
    const { box, moves, thread, title } = this;
    const foot = height - FOOT;
    const high = Math.max(0, foot - y);
    const isTold = high >= DOT * moves.length && moves.length > 0;
    Object.assign(thread.style, { left: `${x - 6}px`, top: `${y}px` });
    assign(thread, { width: 12, height: high });
    const pitch = high / (moves.length + 1);
    this.dots = moves.map((_, move) =>
      svgElement("circle", { cx: 6, cy: pitch * (move + 1), r: isTold ? 3.5 : 0 }),
    );
    thread.replaceChildren(svgElement("path", { d: `M6 0V${high}` }), ...this.dots);
    const left = Math.max(34, Math.min(width - 34, x));
    Object.assign(title.style, { left: `${left}px`, top: `${foot}px` });
    box.hidden = !moves.length;
    if (box.hidden) return;
    const top = Math.max(4, height - BOARD - 6);
    const beside = Math.max(BESIDE, (RESULT.letter * title.textContent.length + RESULT.text) / 2 + 2);
    const right = x + beside;
    const leftSide = x - beside - BOARD;
    const fitsRight = right + BOARD <= width - 4;
    const fitsLeft = leftSide >= 4;
    const isRight =
      fitsRight &&
      (!fitsLeft || cardsBeside(right, top, BOARD) <= cardsBeside(leftSide, top, BOARD));
    box.style.left = `${isRight ? right : Math.max(4, leftSide)}px`;
  }

  /** Show the position after so many moves. */
  show(count) {
    const { board, moves, said } = this;
    assign(this.element, { "data-move": count });
    this.dots?.forEach((dot, move) => assign(dot, { class: move < count ? "played" : "" }));
    this.element.classList.toggle("ended", count === moves.length);
    const told =
      board && count
        ? `${this.film.facts.step} ${count} of ${moves.length}: ${moves[count - 1].label}`
        : said;
    write(this.note, told);
    if (!board || !moves.length) return;
    const { before } = moves[Math.max(0, count - 1)];
    board.draw(count ? moves[count - 1].cells : before, before);
  }
}
