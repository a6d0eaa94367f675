// Boards, the cards that show them, and how cards move. Boards and cards were drawn in Python; here
// they are copied and filled in.

const SVG = "http://www.w3.org/2000/svg";
export const LARGEST = 1.8; // cards of a small picture are enlarged no more than that
export const MARGIN = 10; // around a picture

/** Set attributes; to set the same again would cost as much. */
export function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

/** Give a new element its attributes and children; those that are nothing are left out. */
function made(holder, attributes, children) {
  assign(holder, attributes).append(...children.filter(Boolean));
  return holder;
}

export const element = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);

export const svgElement = (name, attributes = {}, ...children) => made(document.createElementNS(SVG, name), attributes, children);

/** Change the text of an element that holds nothing else; to set the same again would cost as much. */
export function write(holder, text) {
  if (holder.textContent === text) return;
  if (holder.firstChild) holder.firstChild.data = text;
  else holder.textContent = text;
}

/** A picture that came with the film. */
export function picture(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/** A copy of the picture of a board, or of a kind of card. */
const copyOf = (look) => (look.original ??= picture(look.picture)).cloneNode(true);

/** A board in a picture of its own, or one that is `drawn` on a card: one path for all pieces of a kind. */
export class MiniBoard {
  constructor(board, drawn = copyOf(board)) {
    this.board = board;
    this.svg = drawn;
    this.glow = drawn.querySelector(".glow");
    this.pieces = drawn.querySelectorAll(".piece");
  }

  /** Show a position; the cells that differ from `before` glow. */
  draw(cells, before) {
    const { columns, glow, pieces } = this.board;
    const at = (place, path) => `M${10 * (place % columns)} ${10 * Math.floor(place / columns)}${path}`;
    let changed = "";
    const paths = pieces.map(() => "");
    cells.forEach((cell, place) => {
      if (cell !== before[place]) changed += at(place, glow);
      if (cell) paths[cell - 1] += at(place, pieces[cell - 1]);
    });
    assign(this.glow, { d: changed });
    paths.forEach((path, kind) => assign(this.pieces[kind], { d: path }));
  }
}

/** A node of the tree as a picture, and the edge to it; what it says is filled in again and again. */
export class Card {
  constructor(film, kind) {
    const look = film.facts.card_templates[kind];
    const { width, height } = look;
    const group = assign(copyOf(look), { role: "button", tabindex: -1 });
    const part = (name) => group.querySelector(`.${name}`);
    Object.assign(this, { film, kind, look, width, height, group, frame: part("frame"), mean: part("mean"), exploration: part("exploration") });
    this.edge = svgElement("path", { class: "edge" }); // that leads to the card
    this.position = part("board") && new MiniBoard(film.facts.board, part("board"));
    this.texts = Object.fromEntries(["label", "share", "score", "truth", "prior"].map((name) => [name, part(name)]));
    this.texts.share?.append(svgElement("tspan"), svgElement("tspan"));
  }

  /** Put a node on the card. */
  place(node) {
    const { edge, film, group, kind, position, texts } = this;
    this.node = node;
    group.dataset.node = node;
    if (node) edge.dataset.child = node;
    position?.draw(film.cells(node), film.cellsBefore(node));
    if (texts.label) write(texts.label, clipped(node ? film.label(node) : (kind === "full" && film.facts.to_move) || "root", this));
  }

  /** Take it off the screen, until it is needed for another node. */
  free() {
    this.show(false);
    delete this.group.dataset.node;
    delete this.edge.dataset.child;
  }

  move(x, y) {
    Object.assign(this, { x, y });
    assign(this.group, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  }

  /**
   * Say what is known at a moment; bars are as long as `longest` allows, and `truth(node)` is what
   * exact play says.
   */
  fill(card, frame, { focus, longest, truth: truthOf }) {
    const { film, group, kind, node, texts } = this;
    const [onPath, added, truth] = [frame.onPath.has(node), node === frame.added, truthOf?.(node)];
    this.said = card;
    this.longest = longest;
    this.updateNumbers(card);
    if (texts.truth) write(texts.truth, truth ?? (kind === "full" && this.position ? card.note ?? "" : ""));
    if (texts.prior) write(texts.prior, card.prior ?? "");
    const said = [`${card.main}${card.rest}`, card.score, onPath && "on the path", truth && `in truth ${truth}`, card.prior, card.more];
    const looks = ["card", kind, onPath && "on-path", added && "new", card.mark, node === focus && node > 0 && "focused", truth && "told", card.note && "rooted"];
    assign(group, { "aria-label": `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`, class: looks.filter(Boolean).join(" ") });
    group.toggleAttribute("data-new", added);
    this.show(film.births[node] <= frame.addedAt);
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const { exploration, kind, longest, look, mean, texts } = this;
    const plain = card.note && kind === "tall";
    if (texts.share) [card.main, plain ? "" : card.rest].forEach((text, part) => write(texts.share.childNodes[part], text));
    if (texts.score) write(texts.score, plain ? card.mark : card.score);
    if (kind === "dot") assign(this.frame, { r: (2 + 4 * Math.sqrt(card.visit_share)).toFixed(1) });
    if (!mean) return;
    const scored = longest && Number.isFinite(card.terms[0]);
    const [first, second] = scored ? card.terms.map((term) => Math.max(0, term) / longest) : [card.fill, 0];
    const [x, , width] = look.bar;
    assign(mean, { width: (width * first).toFixed(1) });
    assign(exploration, { x: (x + width * first).toFixed(1), width: (width * Math.max(0, Math.min(1 - first, second))).toFixed(1) });
  }

  show(shown) {
    for (const part of [this.group, this.edge]) assign(part, { display: shown ? "inline" : "none" });
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

export class PhaseAnimation {
  constructor(film) {
    this.film = film;
    this.running = [];
  }

  /** Whatever moves stands where it was going. */
  finish() {
    for (const stop of this.running.splice(0)) stop();
  }

  #animate(target, frames, options) {
    const animation = target.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
    this.running.push(() => animation.cancel());
  }

  /** Act now, and at each frame of the screen while the motion lasts, with the part of it that is over. */
  #during(act, end) {
    const begun = performance.now();
    let frame;
    const stop = () => {
      cancelAnimationFrame(frame);
      end();
    };
    const next = () => {
      const part = (performance.now() - begun) / LENGTH;
      if (part < 1) {
        act(part);
        frame = requestAnimationFrame(next);
      } else stop();
    };
    this.running.push(stop);
    next();
  }

  /** Show how the view came from the phase before to this frame. */
  play(view, frame) {
    this.finish();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const act = { select: this.#select, enter: this.#select, expand: this.#expand, simulate: this.#simulate, backpropagate: this.#backpropagate };
    act[this.film.facts.phases[frame.phase]]?.call(this, view, frame);
  }

  #select({ trail, cards }, { path, onPath }) {
    const level = Math.min(LEVEL, LENGTH / path.length);
    this.#draw(trail, { duration: level * (path.length - 1), easing: "linear" });
    for (const [node, card] of cards) {
      const above = path.indexOf(this.film.columns.parent[node]);
      if (above < 0) continue;
      const flash = onPath.has(node) ? [{ opacity: 0.55 }, { opacity: 1 }] : [{ opacity: 1 }, { opacity: 0.45 }, { opacity: 1 }];
      this.#animate(card.group, flash, { duration: level * 1.3, delay: level * above });
    }
  }

  /** A line that draws itself. */
  #draw(line, options) {
    const length = line?.getTotalLength();
    if (length) this.#animate(line, [{ strokeDasharray: length, strokeDashoffset: length }, { strokeDasharray: length, strokeDashoffset: 0 }], options);
  }

  #expand({ svg, cards }, { added }) {
    this.#draw(svg.querySelector(`[data-child="${added}"]`), { duration: 240 });
    const card = cards.get(added);
    if (card) this.#animate(card.group, [{ opacity: 0 }, { opacity: 1 }], { duration: 260, delay: 160 });
  }

  /** One board beside the leaf, below it if there is no room. */
  #simulate({ svg, cards, over }, { iteration, path }) {
    const moves = this.film.playout(iteration);
    const leaf = cards.get(path.at(-1));
    const { board } = this.film.facts;
    if (!moves.length || !leaf || !board) return;
    const side = Math.min(60, Math.max(40, leaf.height));
    const mini = new MiniBoard(board);
    assign(mini.svg, { x: 4, y: 4, width: side - 8, height: side - 8 });
    const right = leaf.x + leaf.width + 10;
    const fits = right + side < svg.viewBox.baseVal.x + svg.viewBox.baseVal.width;
    const [x, y] = fits ? [right, leaf.y] : [leaf.x + leaf.width - side, leaf.y + leaf.height + 4];
    const group = svgElement("g", { class: "playing", transform: `translate(${x} ${y})` }, svgElement("rect", { width: side, height: side, rx: 5 }), mini.svg);
    over.append(group);
    this.#during((part) => {
      const { cells, before } = moves[Math.min(moves.length - 1, Math.floor(part * (moves.length + 1)))];
      mini.draw(cells, before);
    }, () => group.remove());
  }

  /** What is counted climbs the trail, and each card changes as it passes. */
  #backpropagate({ trail, cards, over }, frame) {
    const { film } = this;
    const before = { ...frame, counted: frame.counted - 1, phase: 2 };
    const passed = frame.path.toReversed().filter((node) => cards.has(node)).map((node) => cards.get(node));
    passed.forEach((card, place) => {
      card.updateNumbers(film.card(card.node, before));
      this.#animate(card.frame, [{ strokeWidth: 7 }, {}], { duration: 200, delay: (LENGTH * place) / passed.length, fill: "none" });
    });
    const length = trail.getTotalLength();
    const gain = film.token(frame.iteration);
    const wide = 7 * gain.length + 12;
    const token = svgElement("g", { class: "token" },
      svgElement("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }),
      svgElement("text", { "text-anchor": "middle", y: 4 }, gain));
    if (length) over.append(token);
    let told = 0;
    const tell = (count) => {
      for (; told < count; told++) passed[told].updateNumbers(passed[told].said);
    };
    this.#during((part) => {
      tell(Math.floor(part * passed.length) + 1);
      if (!length) return;
      const { x, y } = trail.getPointAtLength(length * (1 - part));
      assign(token, { transform: `translate(${x.toFixed(1)} ${(y - 14).toFixed(1)})` });
    }, () => {
      tell(passed.length);
      token.remove();
    });
  }
}
