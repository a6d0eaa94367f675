// Which cards there is room for in the river, where they are and how large; and where untried moves are.
// As in river.js all is plain numbers, in pixels.

export const FLOOR = 54; // what each move of the top gets before its visits count: a card with its numbers
const LETTER = 6.4; // the mean width of a letter of 11 pixels, bold digits included
const GAP = 4; // between two cards
const FULL = { wide: 50, narrow: 44, board: 40, line: 14, text: 22 }; // and `text` around the longest line
const ROOT = { text: 24, wide: 60 }; // what a root's card has besides its board
const ROOMY = { share: 0.8, most: 96, step: 8, board: 30 }; // of a slot with more room than needed
const SMALL = { wide: 30, high: 44, plain: 30 }; // a board and its visits; a name instead of a board
const LUCK = [
  { from: 40, side: 22 },
  { from: 16, side: 14 },
  { from: 9, side: 8 },
];
const PILL = 20; // what a card of the next row is given lies above it
const NAME = { slot: 13, high: 16, text: 7 };
// Moves of the top that have a card also where there are too many for all: the largest beside each other.
const LARGEST = 9;
const GHOST = { high: 22, young: 60, long: 20, each: 5, told: 70 }; // pixels, of "88 untried" too

/** The cards that there is room for: those of the walk first, then the others where they cover none. */
export function cardsOf(river, tree, walk) {
  const cards = new Cards(river, tree, walk.at(-1));
  const hasRoom = ({ left, right }) => right - left >= LUCK.at(-1).from;
  const places = [...river.places.values()]
    .filter((place) => place.depth === 1 || hasRoom(place)) // of some thousands some dozens
    .toSorted((a, b) => b.wide - a.wide || a.node - b.node);
  const isWalked = ({ node }) => walk.includes(node);
  for (const node of walk) if (river.places.has(node)) cards.put(river.places.get(node), SURE);
  let large = 0;
  for (const place of places.filter(({ depth }) => depth === 1)) {
    if (large === LARGEST) break;
    if (isWalked(place) || cards.put(place, { isSure: true })) large++;
  }
  const carded = new Set(cards.all.map(({ node }) => node));
  for (const place of places) if (hasRoom(place) && !carded.has(place.node)) cards.put(place, {});
  return cards.all;
}

const SURE = { isSure: true, isWalked: true };

/** The cards of a moment, row by row, none over another but those of the walk. */
class Cards {
  all = [];
  taken = new Map(); // by depth: from where to where a card lies

  /** The walk ends at the node `last`: its card may be higher than its row, and then covers the next. */
  constructor(river, tree, last) {
    Object.assign(this, { river, tree, last });
    this.family = familyCard(river, tree);
  }

  /** Give a place its card, if there is room for it; the walk's covers what is there. Whether it has one. */
  put(place, { isSure = false, isWalked = false }) {
    const { river, taken } = this;
    const { depth, node, y } = place;
    const card = this.#cardOf(place, isSure);
    if (!card) return false;
    const half = card.width / 2;
    const x = Math.max(half + 1, Math.min(river.width - half - 1, place.x));
    const row = taken.get(depth) ?? [];
    const found = { node, depth, x, y, ...card };
    if (!isWalked && this.#covers(found, row)) return false;
    taken.set(depth, [...row, [x - half, x + half]]);
    this.all.push(found);
    if (node === this.last) this.end = found;
    return true;
  }

  /** The card of a place, if there is one; none for what is zoomed out of sight. */
  #cardOf(place, isSure) {
    const { family, river, tree } = this;
    if (place.x < 0 || place.x > river.width) return undefined;
    if (place.depth === 1 && family && !tree.luck(place.node)) return family;
    return cardFor(river, tree, place, { isSure, room: this.#below(place) - place.y });
  }

  /** How far down the card of a place may reach. */
  #below({ depth, node }) {
    const { height, rows } = this.river;
    return node === this.last ? height : (rows[depth + 1] ?? height);
  }

  /** Whether a card lies on one of its row, or on the one where the walk ends. */
  #covers(card, row) {
    const { x, width, y } = card;
    if (row.some(([from, to]) => x + width / 2 > from && x - width / 2 < to)) return true;
    if (!this.end) return false;
    const isBeside = Math.abs(x - this.end.x) >= (width + this.end.width) / 2;
    return !isBeside && y >= this.end.y && y < this.end.y + this.end.height;
  }
}

const widthOf = (text) => LETTER * text.length;
const fullHigh = (tree, node, side = FULL.board) =>
  (tree.boarded ? side + 6 : FULL.line + 4) + FULL.line * tree.lines(node);

/** One full card for all moves of the top, as wide as the narrowest slot; none if that is too little. */
function familyCard(river, tree) {
  const children = river.places.get(river.top).children.filter((node) => !tree.luck(node));
  const found = children.map((node) => river.places.get(node)).filter(Boolean);
  if (!found.length || found.length < children.length) return undefined;
  const room = Math.min(...found.map(({ left, right }) => right - left)) - GAP + 1;
  const needed = Math.max(...children.map((node) => fullWide(tree, node)));
  if (room < FULL.narrow) return undefined;
  const { board, most, share, step } = ROOMY;
  const roomy = step * Math.floor(Math.min(share * room, most) / step);
  const width = Math.max(roomy, Math.min(needed, 2 * Math.floor(room / 2))); // so that it seldom changes
  const side = Math.min(FULL.board + board * river.young, Math.max(FULL.board, width - 6));
  const height = Math.max(...children.map((node) => fullHigh(tree, node, side)));
  return height < river.rows[2] - river.rows[1] ? { kind: "full", width, height, side } : undefined;
}

const fullWide = (tree, node) =>
  Math.max(
    FULL.wide,
    widthOf(tree.said(node)) + FULL.text,
    tree.boarded ? 0 : widthOf(tree.name(node)) + 8,
  );

/** The largest card that a place has `room` below for; what `isSure` to have one gets a small one without. */
function cardFor({ rootBottom, rows, top }, tree, { left, node, right }, { isSure, room }) {
  if (node === top) {
    const height = rootBottom - rows[0];
    const side = height - ROOT.text;
    const width = Math.max(ROOT.wide, side + 12, widthOf(tree.said(node)) + 12);
    return { kind: "root", width, height, side };
  }
  if (tree.luck(node)) return diamond(right - left, isSure);
  const slot = right - left - GAP;
  const [full, high] = [fullWide(tree, node), fullHigh(tree, node)];
  if (slot >= full && room >= high + PILL) return { kind: "full", width: full, height: high };
  const small = smallCard(tree, node);
  if ((slot >= small.width || isSure) && room >= small.height + GAP) return small;
  return nameCard(tree, node, { slot, room, isSure });
}

function smallCard(tree, node) {
  if (tree.boarded) return { kind: "small", width: SMALL.wide, height: SMALL.high };
  const named = widthOf(tree.name(node)) + NAME.text;
  return { kind: "small", width: Math.max(SMALL.wide, named), height: SMALL.plain };
}

/** Its move's name alone; of what `isSure` to be seen a dot where not even that has room. */
function nameCard(tree, node, { slot, room, isSure }) {
  const card = { kind: "name", width: widthOf(tree.name(node)) + NAME.text, height: NAME.high };
  if (isSure) return room >= NAME.high - 4 ? card : { kind: "dot", width: 8, height: 8 };
  const needed = Math.max(NAME.slot, card.width);
  return slot + GAP >= needed && room >= NAME.high ? card : undefined;
}

/** Where nature moves: a diamond as large as its slot allows. */
function diamond(slot, isSure) {
  const side = LUCK.find(({ from }) => slot >= from)?.side ?? (isSure ? LUCK.at(-1).side : 0);
  return side ? { kind: "luck", width: side, height: side } : undefined;
}

/** Untried moves of a node: a dashed line each where there is room, else one dashed fan for all. */
export function ghostsOf(river, tree, node) {
  const place = river.places.get(node);
  const card = river.cards.find((one) => one.node === node);
  if (place.depth && !card) return []; // zoomed out of sight
  const isThere = (child) => child !== undefined && child < tree.total;
  const lacking = tree.moves(node).filter((move) => !isThere(move.node));
  const above = place.depth ? card.y + card.height : place.spring;
  const below = place.depth ? above + GHOST.long : river.rows[1];
  const drawn = { from: place.x, above, below };
  const high = GHOST.high + (place.depth ? 0 : GHOST.young * river.young);
  const spans = freeSlots(place, lacking.length);
  if (spans.every(([left, right]) => right - left >= GHOST.each))
    return spans.map(([left, right], at) => ({ ...ghost(lacking[at], left, right, high), ...drawn }));
  const [left, right] = [spans[0][0], spans.at(-1)[1]];
  return [{ count: spans.length, left, right, ...drawn, told: right - left >= GHOST.told }];
}

/** By untried move its slot; where all have one together, equal parts of it. */
function freeSlots({ free }, count) {
  if (free.length === count) return free;
  const [left, right] = free[0] ?? [0, 0];
  const each = (right - left) / count;
  return Array.from({ length: count }, (_, at) => [left + at * each, left + (at + 1) * each]);
}

/** An untried move: a dashed line, and a dashed card with its name where there is room. */
function ghost({ name }, left, right, high) {
  const wide = right - left - GAP;
  const named = Boolean(name) && wide >= widthOf(name) + NAME.text;
  const roomy = Math.min(ROOMY.most, ROOMY.share * wide);
  return { name, left, right, named, wide: Math.max(roomy, Math.min(FLOOR, wide)), high: named ? high : 0 };
}
