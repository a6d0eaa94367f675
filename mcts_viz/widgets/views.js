// Which nodes have a card, what becomes of the others, and where the cards stand. Moving through
// the film changes none of it; only what a reader opens, or looks at alone, makes another view.

import { arrange } from "./layout.js";

const OPENED = 9; // most cards that a stub gives at once

/** The cards of one picture, its stubs and its strip. */
export class View {
  /** `cards` are numbers of nodes, rising, the first above all others; `layout` says where they stand. */
  constructor(shape, cards, layout) {
    this.cards = cards;
    this.root = cards[0];
    this.isCard = new Set(cards);
    this.layout = layout;
    this.#share(shape);
    this.#measure(shape);
    this.corners = new Map(cards.map((node, place) => {
      const [x, y] = layout.corners[place];
      return [node, [x + this.left, y + this.margin]];
    }));
  }

  /** Give each hidden node to the nearest card above it. */
  #share({ parent, births, cut, leftOut }) {
    this.owner = new Int32Array(parent.length);
    const hidden = new Int32Array(parent.length); // nodes without a card, on the way from the root
    const born = new Map();
    this.longestStrip = 0;
    for (let node = 0; node < parent.length; node++) {
      const above = parent[node];
      const isCard = this.isCard.has(node);
      this.owner[node] = isCard ? node : node ? this.owner[above] : -1;
      hidden[node] = (node ? hidden[above] : 0) + (isCard ? 0 : 1);
      this.longestStrip = Math.max(this.longestStrip, hidden[node]);
      if (this.owner[node] < 0) continue;
      const more = leftOut ? leftOut.births.subarray(leftOut.ends[node], leftOut.ends[node + 1]) : [];
      if (isCard && !more.length) continue;
      if (!born.has(this.owner[node])) born.set(this.owner[node], []);
      const mine = born.get(this.owner[node]);
      if (!isCard) mine.push(births[node]);
      for (const birth of more) mine.push(birth);
    }
    if (leftOut) for (const [card, mine] of born) born.set(card, Uint32Array.from(mine).toSorted());
    this.stubs = this.cards.filter((card) => born.has(card) || cut?.[card]).map((card) => ({ card, births: born.get(card) ?? [] }));
  }

  /** The size of the picture: the tree, and beside it or below it the strip. */
  #measure({ drawing, mostCut }) {
    const { card, pad, margin, page, strip, stub } = drawing;
    const { width, height } = this.layout;
    const [wide, high] = [card[0] + pad, card[1] + pad];
    const slots = this.longestStrip;
    const rows = Math.floor((height + pad - strip.title) / high);
    let columns = Math.max(1, Math.ceil(slots / Math.max(1, rows)));
    let across = width + strip.gap + columns * wide - pad;
    const beside = slots > 0 && rows > 0 && across + 2 * margin <= page[0];
    if (!beside) {
      columns = Math.max(1, Math.min(slots, 6), Math.min(slots, Math.floor((width + pad) / wide)));
      across = Math.max(width, columns * wide - pad);
    }
    this.margin = margin;
    this.width = across + 2 * margin;
    this.left = beside ? margin : (this.width - width) / 2;
    const below = slots && !beside ? strip.gap + Math.ceil(slots / columns) * high : 0;
    this.height = height + 2 * margin + below;
    const top = margin + (beside ? strip.title : height + strip.gap);
    this.strip = { beside, columns, top, wide, high, pad, gap: strip.gap };
    this.card = card;
    this.stubHeight = stub.height;
    this.stubWidth = stub.ends + stub.letter * stubText(Math.max(0, ...this.stubs.map(({ births }) => births.length)), mostCut).length;
  }

  /** The middle of a stub: it sits on its card's lower edge, to the right. */
  stubPlace(card) {
    const [x, y] = this.corners.get(card);
    return [x + this.card[0] - this.stubWidth / 2, y + this.card[1]];
  }

  /** The box around some cards and their stubs. */
  around(cards) {
    const corners = cards.map((card) => this.corners.get(card));
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) + this.card[0] - x, height: Math.max(...ys) + this.card[1] + this.stubHeight / 2 - y };
  }

  /** Where a strip of so many cards begins; below the tree as near to `x` as it fits. */
  stripLeft(x, cards) {
    const { beside, columns, wide, pad } = this.strip;
    const across = Math.min(cards, columns) * wide - pad;
    if (beside) return this.width - this.margin - (columns * wide - pad);
    return Math.max(this.margin, Math.min(x - this.card[0] / 2, this.width - this.margin - across));
  }

  /** The line to a strip that begins at `left`, from the stub whose middle is at (x, y). */
  leadTo(x, y, left) {
    const { beside, gap, top } = this.strip;
    const start = `M${(x - left).toFixed(1)} ${(y + this.stubHeight / 2).toFixed(1)}`;
    if (!beside) return `${start}V${(top - 16).toFixed(1)}`;
    return `${start}v5H${-gap / 2}V${(top + this.card[1] / 2).toFixed(1)}H0`;
  }

  /** The corner of a card of the strip, from the left end of the strip. */
  slotCorner(slot) {
    const { columns, top, wide, high } = this.strip;
    return [(slot % columns) * wide, top + Math.floor(slot / columns) * high];
  }
}

/** All views of a film. */
export class Views {
  /**
   * By node: its `parent`, the moment of its birth (never falling), its `weights` (never above its
   * parent's), and how many of its moves are `cut` off, if any can be: a card has a stub for them.
   * `leftOut` holds the births of nodes below each that are in no column; they can only be counted.
   */
  constructor({ cards, drawing }, parent, births, weights, { cut, leftOut }) {
    const mostCut = cut ? cut.reduce((most, count) => Math.max(most, count), 0) : 0;
    this.shape = { parent, births, cut, leftOut, mostCut, drawing };
    this.weights = weights;
    this.whole = new View(this.shape, cards, drawing.layout);
  }

  /** The heaviest nodes of the subtree below `top` have cards, and the first of equals. */
  heaviest(count, top = 0) {
    if (top === 0 && count === this.whole.cards.length) return this.whole;
    const inside = this.#inside(top);
    return this.#view(this.#ranked.filter((node) => inside[node]).slice(0, count));
  }

  /** The heaviest hidden children of a card have cards, too. */
  opened(view, card) {
    const { parent } = this.shape;
    const hidden = this.#ranked.filter((node) => parent[node] === card && !view.isCard.has(node));
    return hidden.length ? this.#view([...view.cards, ...hidden.slice(0, OPENED)]) : view;
  }

  #view(nodes) {
    const { parent, drawing } = this.shape;
    const cards = nodes.toSorted((a, b) => a - b);
    const place = new Map(cards.map((node, number) => [node, number]));
    const parents = cards.map((node, number) => (number ? place.get(parent[node]) : -1));
    return new View(this.shape, cards, arrange(parents, drawing.card, drawing.stub.height / 2, drawing.page));
  }

  get #ranked() {
    const { weights } = this;
    this.ranking ??= Array.from(weights, (_, node) => node).toSorted((a, b) => weights[b] - weights[a] || a - b);
    return this.ranking;
  }

  /** By node: 1 if it is `top` or below it. */
  #inside(top) {
    const { parent } = this.shape;
    const inside = new Uint8Array(parent.length);
    inside[top] = 1;
    for (let node = top + 1; node < parent.length; node++) inside[node] = inside[parent[node]];
    return inside;
  }
}

/** "+3" for nodes without cards, "✂2" for moves that were cut off. */
export function stubText(hidden, cut) {
  return [hidden && `+${hidden}`, cut && `✂${cut}`].filter(Boolean).join(" ");
}

/** By node: how many nodes it and all below it are. */
export function sizes(parent) {
  const size = new Uint32Array(parent.length).fill(1);
  for (let node = parent.length - 1; node > 0; node--) size[parent[node]] += size[node];
  return size;
}
