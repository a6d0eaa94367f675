// Boards: a grid, the cells that just changed, and one path for all pieces of a kind.

const SVG = "http://www.w3.org/2000/svg";
export const LARGEST = 1.8; // cards of a small picture are enlarged no more than that
export const MARGIN = 10; // around a picture
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

/** A picture that came with the film. */
export function picture(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
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

/** How a card of each kind looks: its size, and where its board, its texts and its bar are. */
export function cardKinds({ board, tree, card, kind }) {
  const fit = (width, height) => (board ? Math.min(width / (10 * board.columns), height / (10 * board.rows)) : 0);
  const box = (x, y, scale) => ({ x, y, scale, width: scale * 10 * (board?.columns ?? 0), height: scale * 10 * (board?.rows ?? 0) });
  const { width } = card;
  const scale = fit(48, 36);
  const beside = box(5, 23 - (scale * 10 * (board?.rows ?? 0)) / 2, scale);
  const left = board ? 13 + beside.width : 9;
  const square = fit(38, 38);
  const inSquare = box(23 - (square * 10 * (board?.columns ?? 0)) / 2, 23 - (square * 10 * (board?.rows ?? 0)) / 2, square);
  const right = width - 6;
  const thin = [left, 22, right - left, 6];
  const under = [left, 41, "start"];
  const texts = { // with a window from alpha to beta in its own line; without a board the move is named
    search: board
      ? { share: [left, 18, "start"], score: [right, 37, "end"], bar: [left, 28, right - left - 32, 10], truth: [left, 38, "start"] }
      : { label: [left, 16, "start"], bar: thin, share: under, score: [right, 41, "end"], truth: [right, 16, "end"] },
    minimax: board
      ? { share: [left, 17, "start"], bar: thin, score: under }
      : { label: [left, 16, "start"], share: [right, 16, "end"], bar: thin, score: under },
  }[kind === "minimax" ? kind : "search"];
  const [tallWidth, tallHeight] = tree.card;
  const [smallWidth, smallHeight] = tree.small;
  const [tallBoard, smallBoard] = [fit(tallWidth - 12, 60), fit(smallWidth - 8, 40)];
  const tallTop = board ? 10 + tallBoard * 10 * board.rows : 24;
  const smallTop = smallHeight - 9;
  return {
    full: { width, height: 46, board: beside, ...texts },
    slim: { width, height: 22, label: [7, 14, "start"], share: [width - 7, 14, "end"], bar: [7, 17, width - 14, 3] },
    folded: { width: 46, height: 46, board: inSquare, label: board ? null : [23, 27, "middle"] },
    bar: { width: 46, height: 10, bar: [0, 0, 46, 10] },
    tall: {
      width: tallWidth, height: tallHeight, board: box((tallWidth - tallBoard * 10 * (board?.columns ?? 0)) / 2, 6, tallBoard),
      label: board ? null : [tallWidth / 2, 18, "middle"], bar: [6, tallTop, tallWidth - 12, 6],
      share: [tallWidth / 2, tallTop + 20, "middle"], score: [tallWidth / 2, tallTop + 34, "middle"], truth: [tallWidth / 2, tallTop + 34, "middle"],
    },
    small: {
      width: smallWidth, height: smallHeight, board: box((smallWidth - smallBoard * 10 * (board?.columns ?? 0)) / 2, 4, smallBoard),
      bar: [4, smallTop, smallWidth - 8, 5],
    },
    dot: { width: tree.dot, height: tree.dot },
  };
}

/** A node of the tree as a picture; what it says is filled in again and again. */
export class Card {
  constructor(film, kinds, kind) {
    const look = kinds[kind];
    Object.assign(this, { film, kind, look, width: look.width, height: look.height, texts: {} });
    this.group = svgElement("g", { class: "card", role: "button", tabindex: "-1" });
    if (kind === "dot") this.frame = svgElement("circle", { class: "frame", cx: look.width / 2, cy: look.height / 2 });
    else this.frame = svgElement("rect", { class: "frame", width: look.width, height: look.height, rx: kind === "bar" ? 2 : 6 });
    this.group.append(this.frame);
    if (film.facts.proofs && look.share) this.group.append(svgElement("rect", { class: "proof", x: 3, y: 3, width: look.width - 6, height: look.height - 6, rx: 4 }));
    if (look.board && film.facts.board) {
      const { x, y, scale } = look.board;
      const place = svgElement("g", { class: "board", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})` });
      this.cells = emptyBoard(film.facts.board, place);
      this.group.append(place);
    }
    if (look.bar) {
      const [x, y, width, height] = look.bar;
      const part = (name, wide) => svgElement("rect", { class: name, x, y, width: wide, height, rx: 1 });
      this.bars = [part("mean", 0), part("bonus", 0)];
      this.group.append(part("track", width), ...this.bars);
    }
    for (const name of ["label", "share", "score", "truth"]) {
      if (!look[name]) continue;
      const [x, y, anchor] = look[name];
      this.texts[name] = svgElement("text", { class: name, x, y, "text-anchor": anchor });
      this.group.append(this.texts[name]);
    }
    if (this.texts.share) this.texts.share.append(svgElement("tspan", { class: "main" }), svgElement("tspan"));
    this.written = {};
  }

  /** Put a node on the card. */
  place(node) {
    if (this.node === node) return;
    this.node = node;
    this.group.dataset.node = node;
    if (this.cells) drawCells(this.cells, this.film.cells(node), this.film.cellsBefore(node));
    if (this.texts.label) write(this.texts.label, clipped(node ? this.film.label(node) : this.kind === "full" ? this.film.facts.to_move ?? "root" : "root", this));
  }

  move(x, y) {
    Object.assign(this, { x, y });
    this.set(this.group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  /** Say what is known; bars are as long as `longest` allows, and `truth` is what exact play says. */
  fill(card, state) {
    this.said = { look: card, state };
    const { onPath, added, focused, truth, hidden } = state;
    this.#fill(card, state.longest);
    if (this.texts.truth) write(this.texts.truth, truth ?? (this.kind === "full" && this.cells ? card.note ?? "" : ""));
    const name = this.node ? this.film.named(this.node) : "root";
    const said = [`${card.main}${card.rest}`, card.score, onPath && "on the path", truth && `in truth ${truth}`, card.more];
    this.set(this.group, "aria-label", `${name}: ${said.filter(Boolean).join(", ")}`);
    this.set(this.group, "class", ["card", this.kind, onPath && "on-path", added && "new", card.mark, focused && "focused", truth && "told", card.note && "rooted"].filter(Boolean).join(" "));
    if (added) this.group.dataset.new = "";
    else delete this.group.dataset.new;
    this.show(!hidden);
  }

  /** The same card with the numbers of another moment. */
  again(card) {
    this.#fill(card, this.said.state.longest);
  }

  #fill(card, longest) {
    const { bars, look, texts } = this;
    if (texts.share) {
      write(texts.share.firstChild, card.main);
      write(texts.share.lastChild, card.note && this.kind === "tall" ? "" : card.rest);
    }
    if (texts.score) write(texts.score, card.note && this.kind === "tall" ? card.mark : card.score);
    if (bars) {
      const scored = longest && Number.isFinite(card.terms[0]);
      const parts = scored ? card.terms.map((term) => Math.max(0, term) / longest) : [card.level, 0];
      const [x, , width] = look.bar;
      this.set(bars[0], "width", (width * parts[0]).toFixed(1));
      this.set(bars[1], "x", (x + width * parts[0]).toFixed(1));
      this.set(bars[1], "width", (width * Math.max(0, Math.min(1 - parts[0], parts[1]))).toFixed(1));
    }
    if (this.kind === "dot") this.set(this.frame, "r", (2 + 4 * Math.sqrt(card.weight)).toFixed(1));
  }

  show(shown) {
    this.set(this.group, "display", shown ? "inline" : "none");
  }

  /** Only what differs from the last frame touches the page. */
  set(element, name, value) {
    const key = element === this.group ? name : element === this.frame ? `f${name}` : `${this.bars.indexOf(element)}${name}`;
    if (this.written[key] === value) return;
    this.written[key] = value;
    element.setAttribute(name, value);
  }
}

/** A label that fits on the card, in letters of about 6.6 pixels. */
function clipped(text, { kind, width }) {
  const most = Math.floor((width - (kind === "slim" ? 62 : 10)) / 6.6);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
