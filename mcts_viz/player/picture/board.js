// A board in a picture of its own, or on a card. It was drawn in Python; here it is copied and
// filled in.

import { assign, picture, svgElement } from "./elements.js";

const originalOf = (look) => (look.original ??= picture(look.picture));

/** A copy of the picture of a board, or of a kind of card. */
export const copyOf = (look) => originalOf(look).cloneNode(true);

/** A board in a picture of its own, or one that is `drawn` on a card: one path for all pieces of a kind. */
export class MiniBoard {
  constructor(board, drawn = copyOf(board)) {
    this.board = board;
    this.svg = drawn;
    this.paths = drawn.querySelectorAll("path"); // the grid, what glows, and the pieces, kind by kind
  }

  /** Show a position, in which the cells that differ from `before` glow. */
  draw(cells, before) {
    const { columns, glow, pieces } = this.board;
    const shapes = ["", ...pieces.map(() => "")]; // of what glows, and of each kind of piece
    cells.forEach((cell, place) => {
      const at = `M${10 * (place % columns)} ${10 * Math.floor(place / columns)}`;
      if (cell !== before[place]) shapes[0] += at + glow;
      if (cell) shapes[cell] += at + pieces[cell - 1];
    });
    shapes.forEach((d, place) => assign(this.paths[place + 1], { d }));
  }
}

// The paths of a player's piece where no board says how it looks: a disc, and a ring.
const PLAIN = [
  "m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0",
  "m7.9 5a2.9 2.9 0 1 1 -5.8 0a2.9 2.9 0 1 1 5.8 0",
];

/** The piece of a player, 10 by 10 units: the board's own, else a disc or a ring. */
export function pieceOf(board, player) {
  const all = board ? [...originalOf(board).querySelectorAll(".piece")] : [];
  const kind = all.findIndex((piece) => piece.classList.contains(`player-${player}`));
  if (kind >= 0) return assign(all[kind].cloneNode(), { d: `M0 0${board.pieces[kind]}` });
  const look = player % 2 ? "piece player-1" : "piece player-0 filled";
  return svgElement("path", { class: look, d: `M0 0${PLAIN[player % 2]}` });
}
