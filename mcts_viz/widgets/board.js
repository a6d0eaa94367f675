// A board in a picture of its own, or on a card. It was drawn in Python; here it is copied and
// filled in.

import { assign, picture, svgElement } from "./elements.js";

const READABLE = 4; // rows and columns

/** A copy of the picture of a board, or of a kind of card. */
export const copyOf = (look) => (look.original ??= picture(look.picture)).cloneNode(true);

/** A board in a picture of its own, or one that is `drawn` on a card: one path for all pieces of a kind. */
export class MiniBoard {
  constructor(board, drawn = copyOf(board)) {
    this.board = board;
    this.svg = drawn;
    this.paths = drawn.querySelectorAll("path"); // the grid, what glows, and the pieces, kind by kind
  }

  /** What each path draws in a position, in which the cells that differ from `before` glow. */
  shapes(cells, before) {
    const { columns, glow, pieces } = this.board;
    const shapes = [this.paths[0].getAttribute("d"), "", ...pieces.map(() => "")];
    cells.forEach((cell, place) => {
      const at = `M${10 * (place % columns)} ${10 * Math.floor(place / columns)}`;
      if (cell !== before[place]) shapes[1] += at + glow;
      if (cell) shapes[cell + 1] += at + pieces[cell - 1];
    });
    return shapes;
  }

  draw(cells, before) {
    this.shapes(cells, before).forEach((d, place) => assign(this.paths[place], { d }));
  }
}

/** A board to stand in a row of a table; none where its cells could not be read. */
export const rowBoard = (board) =>
  (board && Math.max(board.rows, board.columns) <= READABLE ? new MiniBoard(board) : null);

/** The piece of a player, 10 by 10 units: the board's own, else a disc and a ring. */
export function pieceOf(board, player) {
  const known = board ? (board.whose ??= new Map()) : PLAIN;
  if (!known.has(player)) known.set(player, newPiece(board, player));
  return known.get(player).cloneNode();
}

const PLAIN = new Map(); // by player, where no board says how its pieces look

function newPiece(board, player) {
  const all = board ? [...copyOf(board).querySelectorAll(".piece")] : [];
  const place = all.findIndex((piece) => piece.classList.contains(`player-${player}`));
  const plain = ["m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0",
    "m7.9 5a2.9 2.9 0 1 1 -5.8 0a2.9 2.9 0 1 1 5.8 0"];
  const look = all[place]?.getAttribute("class")
    ?? `piece player-${player % 2}${player % 2 ? "" : " filled"}`;
  return svgElement("path", { class: look, d: `M0 0${place < 0 ? plain[player % 2] : board.pieces[place]}` });
}
