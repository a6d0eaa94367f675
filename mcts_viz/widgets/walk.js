// The walk: the path of one iteration from left to right, and beside each of its nodes the rivals.
// Where a card stands depends on the iteration alone, so going back brings the same picture, and
// within an iteration nothing changes its place.

import { Card } from "./card.js";
import { assign, svgElement } from "./elements.js";
import { LARGEST, MARGIN, View } from "./view.js";

const GAPS = { full: 60, tall: 36 }; // between two columns of cards, for edges and tails
const WIDTHS = { folded: 74, dot: 22 }; // of columns that have no room for cards
const SPACE = 6; // between two cards of a column
const TIGHT = 3;
const TAIL = 8;

export class Walk extends View {
  constructor(film) {
    super(film, "walk", "The walk of this iteration");
    this.spare = Object.fromEntries(Object.keys(film.facts.card_templates).map((kind) => [kind, []]));
    this.tails = { few: svgElement("path", { class: "tail" }), good: svgElement("path", { class: "tail good" }) };
    this.notes = svgElement("g");
    this.lines.append(...Object.values(this.tails), this.trail);
    this.over.append(this.notes);
  }

  /**
   * Show a moment: the path of its iteration, or the one to the node `lookedAt` that a reader looks
   * at. With `hideNewNode` the node to be added keeps no place free.
   */
  paint(frame, { focus, lookedAt, hideNewNode, truth }) {
    const { film } = this;
    const end = lookedAt ?? (hideNewNode ? frame.path.at(-1) : frame.fullPath.at(-1));
    const { cards, notes, scale } = this.#plan(frame, film.pathTo(end));
    assign(this.svg, { viewBox: `0 0 ${(this.size[0] / scale).toFixed(1)} ${(this.size[1] / scale).toFixed(1)}` });
    this.#take(cards);
    const tails = { few: "", good: "" };
    let trail = "";
    for (const { node, parent, x, y, longest, hasTail, look } of cards) {
      const card = this.cards.get(node);
      card.move(x, y);
      card.fill(look, frame, { focus, longest, truth });
      if (hasTail && film.births[node] <= frame.addedAt) this.#tail(card, frame, tails);
      const d = node ? curve(this.cards.get(parent), card) : "";
      assign(card.edge, { d, "stroke-width": (1.2 + 5 * look.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += d;
    }
    for (const [name, d] of Object.entries(tails)) assign(this.tails[name], { d });
    assign(this.trail, { d: trail });
    this.notes.replaceChildren(...notes.map(({ text, ...place }) => svgElement("text", { class: "note", ...place }, text)));
  }

  // Where everything stands -----------------------------------------------------------------

  #plan(frame, fullPath) {
    const { film } = this;
    const { card_templates: templates } = film.facts;
    const columns = fullPath.slice(1).map((node, level) => ({ chosen: node, nodes: film.children(fullPath[level], frame) }));
    const beyond = film.children(fullPath.at(-1), frame);
    if (beyond.length) columns.push({ nodes: beyond });
    const { levels, rows } = film.extent(frame);
    const [width, height] = this.size.map((side) => side - 2 * MARGIN);
    const largest = (kind) => {
      const { width: wide, height: high } = templates[kind];
      return Math.min(LARGEST, width / (levels * (wide + GAPS[kind]) - GAPS[kind] + TAIL), height / (rows * (high + SPACE)));
    };
    // A deep tree with few moves beside each other has more room below its cards than beside them.
    const kind = largest("tall") > Math.max(1, largest("full")) ? "tall" : "full";
    const scale = Math.max(1, largest(kind));
    const [wide, high] = [width / scale, height / scale];
    const step = templates[kind].width + GAPS[kind];
    const modes = foldings(columns.length, wide + GAPS[kind] - 2 * TAIL, step);
    const kinds = modes.map((mode) => (mode === "full" ? kind : mode));
    const stacks = columns.map((column, number) => this.#stack(column, kinds[number + 1], high, frame));
    const low = Math.max(templates[kinds[0]].height / 2, ...stacks.map(({ above }) => above));
    const top = Math.min(high, ...stacks.map(({ above, total }) => high - total + above));
    let middle = low <= top ? Math.max(low, Math.min(top, high / 2)) : high / 2;
    let [x, parent] = [MARGIN, 0];
    const cards = [{ node: 0, kind: kinds[0], x, y: MARGIN + middle - templates[kinds[0]].height / 2, longest: 0, look: film.card(0, frame) }];
    const notes = [];
    stacks.forEach(({ items, longest, left, above, total }, number) => {
      const { chosen } = columns[number];
      x += widthOf(modes[number], step);
      const start = MARGIN + Math.max(0, Math.min(high - total, middle - above));
      for (const { offset, ...item } of items) cards.push({ ...item, parent, x, y: start + offset, longest, hasTail: item.kind === kind && item.node !== chosen });
      if (left) notes.push({ x: x + 4, y: start + total - 4, text: `+${left} more moves` });
      middle = start - MARGIN + above;
      parent = chosen;
    });
    return { cards, notes, scale };
  }

  /** The cards of a column one below the other; `above` the middle of the chosen one lies so much. */
  #stack({ chosen, nodes }, mode, high, frame) {
    const { card_templates: sizes } = this.film.facts;
    if (mode === "dot") nodes = [chosen];
    const looks = new Map(nodes.map((node) => [node, this.film.card(node, frame)]));
    const longest = Math.max(0, ...[...looks.values()].map(({ terms }) => terms[0] + terms[1]).filter(Number.isFinite));
    let kindOf = () => mode;
    let space = SPACE;
    if (mode === "folded") kindOf = (node) => (node === chosen ? "folded" : "bar");
    const tall = (list) => list.reduce((sum, node) => sum + sizes[kindOf(node)].height + space, -space);
    if (mode === "full" && tall(nodes) > high) space = TIGHT;
    if (mode === "full" && tall(nodes) > high) kindOf = (node) => (node === chosen ? "full" : "slim");
    const ranked = nodes.toSorted((a, b) => (b === chosen) - (a === chosen) || looks.get(b).visit_share - looks.get(a).visit_share || a - b);
    if (tall(ranked) > high) while (ranked.length > 1 && tall(ranked) > high - 18) ranked.pop();
    const left = nodes.length - ranked.length;
    let [offset, above] = [0, 0];
    const items = nodes.filter((node) => ranked.includes(node)).map((node) => {
      const item = { node, kind: kindOf(node), offset, look: looks.get(node) };
      if (node === chosen) above = offset + sizes[item.kind].height / 2;
      offset += sizes[item.kind].height + space;
      return item;
    });
    const total = offset - space + (left ? 18 : 0);
    return { items, longest, total, left, above: chosen === undefined ? total / 2 : above };
  }

  /** Cards for these nodes; one that is there stays, the others take what has become free. */
  #take(wanted) {
    const kinds = new Map(wanted.map(({ node, kind }) => [node, kind]));
    for (const [node, card] of this.cards) {
      if (kinds.get(node) === card.kind) continue;
      card.free();
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
  }

  /** Small bars beside a card say how much was searched below it, one for each child. */
  #tail(card, frame, tails) {
    const { film } = this;
    const looks = film.children(card.node, frame).filter((child) => film.births[child] <= frame.addedAt).map((child) => film.card(child, frame));
    const all = looks.reduce((sum, { visits = 1 }) => sum + visits, 0) || 1;
    const room = (card.height - 4 - looks.length) * Math.max(0.25, Math.sqrt(card.said.visit_share));
    const x = (card.x + card.width + 3).toFixed(1);
    let y = card.y + (card.height - room - looks.length + 1) / 2;
    for (const { fill, visits = 1 } of looks) {
      const height = Math.max(1, (room * visits) / all);
      tails[fill >= 0.5 ? "good" : "few"] += `M${x} ${y.toFixed(1)}h${TAIL - 2}v${height.toFixed(1)}h${2 - TAIL}z`;
      y += height + 1;
    }
  }
}

/** An edge from the right side of a card to the left side of another. */
function curve(from, to) {
  const [x, y] = [from.x + from.width, from.y + from.height / 2];
  const [wide, high] = [to.x - x, to.y + to.height / 2 - y];
  const bend = Math.max(10, wide / 2);
  const numbers = [bend, 0, wide - bend, high, wide, high].map((number) => number.toFixed(1));
  return `M${x.toFixed(1)} ${y.toFixed(1)}c${numbers.join(" ")}`;
}

const widthOf = (mode, step) => WIDTHS[mode] ?? step;

/**
 * How each column of a path of so many steps is shown, the root first: all as dots, then as boards
 * while there is room, then as cards: the last column, the root's choice, what lies between, the root.
 */
function foldings(steps, width, step) {
  const modes = Array.from({ length: steps + 1 }, () => "dot");
  const between = [...modes.keys()].slice(2, -1).toReversed();
  const order = [...new Set([steps, Math.min(1, steps), ...between, 0])];
  const total = () => modes.reduce((sum, mode) => sum + widthOf(mode, step), 0);
  for (const [mode, places] of [["folded", [steps, 0, ...order]], ["full", order]]) {
    for (const place of places) {
      const before = modes[place];
      modes[place] = mode;
      if (total() > width) modes[place] = before;
    }
  }
  return modes;
}
