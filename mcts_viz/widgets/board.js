// Boards, the cards that show them, and how cards move. Of a board: a grid, the cells that just
// changed, and one path for all pieces of a kind.

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

/** A node of the tree as a picture; what it says is filled in again and again. */
export class Card {
  constructor(film, kind) {
    const look = film.facts.looks[kind];
    Object.assign(this, { film, kind, look, width: look.width, height: look.height, texts: {} });
    this.group = svgElement("g", { class: "card", role: "button", tabindex: "-1" });
    if (kind === "dot") this.frame = svgElement("circle", { class: "frame", cx: look.width / 2, cy: look.height / 2 });
    else this.frame = svgElement("rect", { class: "frame", width: look.width, height: look.height, rx: kind === "bar" ? 2 : 6 });
    this.group.append(this.frame);
    if (film.facts.proofs && look.share) this.group.append(svgElement("rect", { class: "proof", x: 3, y: 3, width: look.width - 6, height: look.height - 6, rx: 4 }));
    if (look.board) {
      const [x, y, scale] = look.board;
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
    if (this.texts.truth) write(this.texts.truth, truth ?? (this.kind === "full" ? card.prior ?? (this.cells && card.note) ?? "" : ""));
    const name = this.node ? this.film.named(this.node) : "root";
    const said = [`${card.main}${card.rest}`, card.score, onPath && "on the path", truth && `in truth ${truth}`, card.prior, card.more];
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

// Motion that explains a phase: the trail draws itself, the new card grows out of its edge, the
// playout is played, the result climbs back. A key completes it at once.

const LEVEL = 150; // milliseconds a level of the walk
const LENGTH = 560;

export class Motion {
  constructor(film) {
    this.film = film;
    this.running = [];
  }

  /** Whatever moves stands where it was going. */
  finish() {
    for (const stop of this.running.splice(0)) stop();
  }

  #animate(element, frames, options) {
    const animation = element.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
    this.running.push(() => animation.cancel());
  }

  /** Show how the view came from the phase before to this frame. */
  play(view, frame) {
    this.finish();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const phase = this.film.facts.phases[frame.phase];
    if (phase === "select" || phase === "enter") this.#select(view, frame);
    if (phase === "expand") this.#expand(view, frame);
    if (phase === "simulate") this.#simulate(view, frame);
    if (phase === "backpropagate") this.#backpropagate(view, frame);
  }

  #select({ trail, cards }, { path, onPath }) {
    const level = Math.min(LEVEL, LENGTH / path.length);
    const length = trail.getTotalLength();
    if (length) {
      trail.style.strokeDasharray = length;
      this.#animate(trail, [{ strokeDashoffset: length }, { strokeDashoffset: 0 }], { duration: level * (path.length - 1), easing: "linear" });
      this.running.push(() => (trail.style.strokeDasharray = ""));
    }
    for (const [node, card] of cards) {
      const above = path.indexOf(this.film.columns.parent[node]);
      if (above < 0) continue;
      const flash = onPath.has(node) ? [{ opacity: 0.55 }, { opacity: 1 }] : [{ opacity: 1 }, { opacity: 0.45 }, { opacity: 1 }];
      this.#animate(card.group, flash, { duration: level * 1.3, delay: level * above });
    }
  }

  #expand({ svg, cards }, { added }) {
    const card = cards.get(added);
    if (!card) return;
    const edge = svg.querySelector(`[data-child="${added}"]`);
    const length = edge?.getTotalLength();
    if (length) this.#animate(edge, [{ strokeDasharray: length, strokeDashoffset: length }, { strokeDasharray: length, strokeDashoffset: 0 }], { duration: 240 });
    this.#animate(card.group, [{ opacity: 0 }, { opacity: 1 }], { duration: 260, delay: 160 });
  }

  #simulate({ svg, cards, groups }, { iteration, path }) {
    const moves = this.film.playout(iteration);
    const leaf = cards.get(path.at(-1));
    const { board } = this.film.facts;
    if (!moves.length || !leaf || !board) return;
    const side = Math.min(60, Math.max(40, leaf.height));
    const mini = new MiniBoard(board);
    const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
    const right = leaf.x + leaf.width + 10;
    const x = right + side < width ? right : leaf.x + leaf.width - side;
    const group = svgElement("g", { class: "playing", transform: `translate(${x} ${right + side < width ? leaf.y : leaf.y + leaf.height + 4})` });
    for (const [name, value] of Object.entries({ x: 4, y: 4, width: side - 8, height: side - 8 })) mini.svg.setAttribute(name, value);
    group.append(svgElement("rect", { width: side, height: side, rx: 5 }), mini.svg);
    groups.over.append(group);
    const step = LENGTH / (moves.length + 1);
    const begun = performance.now();
    const show = () => {
      const place = Math.min(moves.length - 1, Math.floor((performance.now() - begun) / step));
      mini.draw(moves[place].cells, moves[place].before);
      if (performance.now() - begun < LENGTH) this.frame = requestAnimationFrame(show);
      else group.remove();
    };
    show();
    this.running.push(() => {
      cancelAnimationFrame(this.frame);
      group.remove();
    });
  }

  #backpropagate({ trail, cards, groups }, frame) {
    const length = trail.getTotalLength();
    const { film } = this;
    const before = { ...frame, counted: frame.counted - 1, phase: 2 };
    const nodes = frame.path.toReversed();
    nodes.forEach((node, place) => {
      const card = cards.get(node);
      if (!card) return;
      const now = card.said;
      card.again(film.card(node, before));
      const timer = setTimeout(() => card.again(now.look), (LENGTH * place) / nodes.length);
      this.running.push(() => {
        clearTimeout(timer);
        card.again(now.look);
      });
      this.#animate(card.frame, [{ strokeWidth: 7 }, {}], { duration: 200, delay: (LENGTH * place) / nodes.length, fill: "none" });
    });
    if (!length) return;
    const token = svgElement("g", { class: "token" });
    const text = svgElement("text", { "text-anchor": "middle", y: 4 });
    text.textContent = film.token(frame.iteration);
    const wide = 7 * text.textContent.length + 12;
    token.append(svgElement("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }), text);
    groups.over.append(token);
    const stops = Array.from({ length: 25 }, (_, place) => {
      const { x, y } = trail.getPointAtLength(length * (1 - place / 24));
      return { transform: `translate(${x}px, ${y - 14}px)` };
    });
    const climb = token.animate(stops, { duration: LENGTH, easing: "linear" });
    climb.onfinish = () => token.remove();
    this.running.push(() => token.remove());
  }
}
