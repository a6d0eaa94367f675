// Boards: a grid, the cells that just changed, and one path for all pieces of a kind.

const SVG = "http://www.w3.org/2000/svg";
const GLOW = "m.5 .5h9v9h-9z";

export function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Change the text of an element that holds nothing else; to set the same again would cost as much. */
export function write(holder, text) {
  if (holder.textContent === text) return;
  if (holder.firstChild) holder.firstChild.data = text;
  else holder.textContent = text;
}

/** The elements of a board, put into `parent`; 10 units a cell. */
export function emptyBoard(board, parent) {
  const glow = svgElement("path", { class: "glow" });
  const grid = svgElement("path", { class: "grid", d: board.grid });
  const pieces = board.pieces.map((piece) => svgElement("path", { class: piece.class }));
  parent.append(glow, grid, ...pieces);
  return { board, glow, pieces };
}

/** Fill in a position; the cells that differ from `before` glow. */
export function drawCells({ board, glow, pieces }, cells, before) {
  const corner = (place) => `M${10 * (place % board.columns)} ${10 * Math.floor(place / board.columns)}`;
  let changed = "";
  const paths = pieces.map(() => "");
  cells.forEach((cell, place) => {
    if (cell !== before[place]) changed += corner(place) + GLOW;
    if (cell) paths[cell - 1] += corner(place) + board.pieces[cell - 1].path;
  });
  glow.setAttribute("d", changed);
  paths.forEach((path, i) => pieces[i].setAttribute("d", path));
}

/** A board in a picture of its own. */
export class MiniBoard {
  constructor(board) {
    const size = `0 0 ${10 * board.columns} ${10 * board.rows}`;
    this.svg = svgElement("svg", { class: "mcts-board", viewBox: size, "aria-hidden": "true" });
    this.parts = emptyBoard(board, this.svg);
  }

  draw(cells, before) {
    drawCells(this.parts, cells, before);
  }
}
