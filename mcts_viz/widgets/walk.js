// The walk: the path of one iteration from left to right, and next to each of its nodes the rivals.
// Each column shows all moves from a node, in their order, so a move has one place in it from the
// beginning; the root and its children have one place for the whole film. What is deeper depends on
// the iteration alone, so going back brings the same picture; what stays moves there, and never jumps.

import { Card, LETTER, clipped } from "./card.js";
import { assign, svgElement } from "./elements.js";
import { LARGEST, MARGIN, View, between } from "./view.js";

const GAP = 24; // between two columns of cards, for edges
const KINDS = ["full", "row", "slim"]; // of cards in a column, as there is room
const [SPACE, SPREAD] = [3, 8]; // between two of them: at least, and at most
const [FOLDED, DOT, LEAST] = [60, 22, 8]; // the widths of columns that have no room for cards
const GHOST = 22; // the height of a move without a node
const NOTE = 16; // and of a line of text

export class Walk extends View {
  constructor(film) {
    super(film, "walk", "The walk of this iteration");
    this.sizes = film.facts.card_templates;
    this.spare = Object.fromEntries(Object.keys(this.sizes).map((kind) => [kind, []]));
    this.ghosts = svgElement("g", { class: "ghosts" });
    this.lines.append(this.trail);
    this.boxes.before(this.ghosts);
  }

  resize(width, height) {
    super.resize(width, height);
    const { full, root } = this.sizes;
    const wide = 2 * MARGIN + root.width + 3 * (GAP + full.width);
    const high = 2 * MARGIN + this.film.moves(0).length * (full.height + SPREAD);
    const scale = Math.max(1, Math.min(LARGEST, width / wide, height / high));
    [this.wide, this.high] = [width / scale, height / scale];
    assign(this.svg, { viewBox: `0 0 ${this.wide.toFixed(1)} ${this.high.toFixed(1)}` });
  }

  /**
   * Show a moment: the path of its iteration, or the one to the node in `focus` if that is elsewhere.
   * With `hideNewNode` the walk goes no further than it is shown. Where it is `calm`, what stays
   * moves to its new place. In a drag it is only `sketched`: deeper rivals come when it rests.
   */
  paint(frame, { calm, focus, hideNewNode, sketched, truth }) {
    const { film } = this;
    const own = hideNewNode ? frame.path : frame.fullPath;
    const path = frame.fullPath.includes(focus) ? own : film.pathTo(focus);
    const { items, notes } = this.#plan(frame, path, focus);
    const isDrawn = ({ look, node, parent }) => look && !(sketched && parent && !path.includes(node));
    const drawn = items.filter(isDrawn);
    const before = new Map(Array.from(this.cards, ([node, { at }]) => [node, at]));
    this.#take(drawn);
    for (const { longest, look, node, parent, x, y } of drawn) {
      const card = this.cards.get(node);
      Object.assign(card, { parent: this.cards.get(parent), to: { x: x + card.width / 2, y } });
      card.fill(look, frame, { focus, longest, truth });
    }
    this.ghosts.replaceChildren(...items.filter(({ look }) => !look).map((item) => this.#ghost(item)),
      ...notes.map(({ text, ...place }) => svgElement("text", { class: "note", ...place }, text)));
    this.paintGains(frame);
    this.glide(calm, (part) => {
      for (const [node, card] of this.cards) {
        card.move(between(before.get(node) ?? card.to, card.to, part));
      }
      for (const { at, edge, parent, width } of this.cards.values()) {
        if (parent) assign(edge, { d: curve(parent.at, parent.width, at, width) });
      }
      this.paintTrail(frame);
    });
  }

  // Where everything is -----------------------------------------------------------------------

  #plan(frame, path, focus) {
    const { film, high, sizes, wide } = this;
    const items = [{ node: 0, kind: "root", x: MARGIN, y: high / 2, look: film.card(0, frame) }];
    const notes = [];
    // A column for each step of the path, and one for what is below its end, if there is anything.
    const columns = path.filter((node, level) => !level || film.children(node, frame).length);
    let [x, middle] = [MARGIN + sizes.root.width + GAP, high / 2];
    const modes = foldings(columns.length, wide - x, sizes.full.width + GAP, columns.indexOf(focus));
    columns.forEach((above, level) => {
      const column = this.#column(above, path[level + 1], frame, modes[level].mode);
      const line = level ? column.line : column.high / 2; // of it is level with the parent
      const y = Math.max(MARGIN, Math.min(high - MARGIN - column.high, middle - line));
      items.push(...column.items.map((item) => ({ ...item, x, y: y + item.y })));
      const note = { x: x + 4, y: y + column.high + NOTE, text: `+${column.hidden} more moves` };
      if (column.hidden) notes.push(note);
      middle = y + column.line;
      x += modes[level].width;
    });
    return { items, notes };
  }

  /** The moves from a node below each other, the chosen one alone where there is no room. */
  #column(above, chosen, frame, mode) {
    const { film, high, sizes } = this;
    const isChosen = ({ node }) => node !== undefined && node === chosen; // an untried move has no node
    const isThere = ({ node }) => film.births[node] <= frame.addedAt;
    const moves = film.moves(above);
    const shown = mode === "full" ? this.#largest(moves, isChosen)
      : moves.filter((move) => isChosen(move) && isThere(move));
    const count = Math.max(1, shown.length);
    const hidden = mode === "full" ? moves.length - shown.length : 0;
    const room = high - 2 * MARGIN - (hidden ? NOTE : 0);
    const fits = (kind) => count * (sizes[kind].height + SPACE) <= room + SPACE;
    const kind = mode === "full" ? KINDS.find(fits) ?? "slim" : mode;
    const pitch = Math.min(sizes[kind].height + SPREAD, (room + SPACE) / count);
    const middle = (place) => pitch * (place + 0.5) - SPACE / 2;
    const looks = shown.map((move) => (isThere(move) ? film.card(move.node, frame) : undefined));
    const sums = looks.map((look) => (look ? look.terms[0] + look.terms[1] : 0)).filter(Number.isFinite);
    const longest = Math.max(0, ...sums);
    const kindOf = (move) => (kind === "slim" && isChosen(move) ? "row" : kind); // with its board and score
    const items = shown.map((move, place) =>
      ({ ...move, kind: kindOf(move), parent: above, y: middle(place), longest, look: looks[place] }));
    const place = shown.findIndex(isChosen);
    const whole = pitch * count - SPACE;
    return { items, hidden, high: whole, line: place < 0 ? whole / 2 : middle(place) };
  }

  /**
   * As many as there is room for: those with most visits at the end, of equals those that were added
   * first, and last the chosen one.
   */
  #largest(moves, isChosen) {
    const most = Math.floor((this.high - 2 * MARGIN - NOTE) / (this.sizes.slim.height + SPACE));
    if (moves.length <= most) return moves;
    const visits = ({ node }) => this.film.statistics?.(node, Infinity).visits || 0;
    const added = ({ node }) => node ?? this.film.births.length; // nodes are numbered as they were added
    const rank = (one, other) => visits(other) - visits(one) || added(one) - added(other);
    const kept = moves.toSorted(rank).slice(0, most - 1);
    const isKept = (move) => kept.includes(move);
    return [...moves.filter(isKept), ...moves.filter((move) => isChosen(move) && !isKept(move))];
  }

  /** Cards for these nodes; one that is there stays, the others take what has become free. */
  #take(wanted) {
    const kinds = new Map(wanted.map(({ node, kind }) => [node, kind]));
    for (const [node, card] of this.cards) {
      if (kinds.get(node) === card.kind) continue;
      this.spare[card.kind].push(card);
      this.cards.delete(node);
    }
    for (const [node, kind] of kinds) {
      if (this.cards.has(node)) continue;
      const card = this.spare[kind].pop() ?? new Card(this.film, kind);
      if (!card.group.parentNode) this.add(card);
      card.place(node);
      this.cards.set(node, card);
    }
    // not before: to hide what is shown again costs a layout
    for (const card of Object.values(this.spare).flat()) card.free();
  }

  /** A move without a node: slim, pale and dashed. */
  #ghost({ kind, label, parent, x, y }) {
    const above = this.cards.get(parent);
    const { width } = this.sizes[kind];
    const said = this.film.facts.kind === "mcts" ? " · untried" : " · not entered";
    const edge = curve(above.to, above.width, { x: x + width / 2, y }, width);
    return svgElement("g", {}, svgElement("path", { class: "edge", d: edge }),
      svgElement("g",
        { class: "ghost", "data-ghost": label, transform: `translate(${x} ${y - GHOST / 2})` },
        svgElement("rect", { width, height: GHOST, rx: 5 }),
        svgElement("text", { x: 8, y: 15 }, clipped(label, width - LETTER * said.length) + said)));
  }
}

/** An edge from the right side of one card to the left side of another; both are told by their middle. */
function curve(from, width, to, wide) {
  const [x, across, down] = [from.x + width / 2, to.x - wide / 2 - from.x - width / 2, to.y - from.y];
  const bend = Math.max(10, across / 2);
  const numbers = [bend, 0, across - bend, down, across, down].map((number) => number.toFixed(1));
  return `M${x.toFixed(1)} ${from.y.toFixed(1)}c${numbers.join(" ")}`;
}

/**
 * How columns are shown, and how wide: the first as cards, and others while there is room, first the
 * one that is looked at, then the last, then the others from the left; else as the path's boards or dots.
 */
function foldings(count, room, full, looked) {
  const small = full + (count - 1) * FOLDED <= room ? "folded" : "dot";
  const dot = Math.max(LEAST, Math.min(DOT, (room - 2 * full) / (count - 2)));
  const widths = { full, folded: FOLDED, dot };
  const modes = Array.from({ length: count }, (_, place) => (place ? small : "full"));
  for (const place of [looked, count - 1, ...modes.keys()]) {
    const used = modes.reduce((sum, mode) => sum + widths[mode], 0);
    if (place > 0 && used - widths[modes[place]] + full <= room) modes[place] = "full";
  }
  return modes.map((mode) => ({ mode, width: widths[mode] }));
}
