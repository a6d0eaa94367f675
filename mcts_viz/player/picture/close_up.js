// The close-up: the families along one walk, from the root down, large enough to be read. The family in
// focus is as wide as the pane, with full cards; the others stand under their parent, as large as there
// is room. It gives what `layOut` in river.js gives, so that the one picture glides into the other.

import { MARGIN, ROOT_TOP } from "./river.js";

const ROOT_HIGH = 52; // the card at the top
const FOCUS = { high: 74, all: 114 }; // a full card, and with the ribbons above it
const MOST = 96; // pixels from one row to the next: more would only be water
const SMALL = { from: 60, wide: 32, high: 44, gap: 6 }; // rows so high have cards with board and visits
const ROW = { from: 34, wide: 104, high: 30 }; // and these the path's board, its share at the right,
const NAME = { from: 17, wide: 18, high: 15, gap: 3 }; // and siblings as names; or names alone
const SPREAD = 0.2; // of the pane's width, for the ribbons of one family
const LETTER = 6.4;
const THICKEST = 14;
const FIRST = 3; // families that stay where there are too many
const LARGEST = 9; // moves of a family that stay where there are too many: the most visited ones
const REST = 44; // pixels for the others: "⋮ 112"

/** The layout of the families along `walk`, the one below the node `focus` in full. */
export function closeUp(tree, { width, height, walk, focus, stop }) {
  const parents = walk.filter((node) => childrenOf(tree, node).length || node === stop);
  const { rows, kinds, shown } = rowsOf(tree, parents, focus, height);
  const river = {
    width,
    height,
    thread: 0,
    rows,
    top: 0,
    places: new Map(),
    bands: [],
    ends: [],
    fans: [],
    spares: [],
    ghosts: [],
    cards: [],
  };
  const root = {
    node: 0,
    depth: 0,
    x: width / 2,
    y: ROOT_TOP,
    left: 0,
    right: width,
    wide: 0,
    spring: ROOT_TOP + ROOT_HIGH,
  };
  river.places.set(0, root);
  const wide = Math.max(120, LETTER * tree.said(0).length + 70);
  river.cards.push({
    node: 0,
    depth: 0,
    kind: "row",
    x: root.x,
    y: ROOT_TOP,
    width: wide,
    height: ROOT_HIGH,
  });
  const hidden = parents.length - shown.length;
  if (hidden) river.ghosts.push(leftOut(river, rows[Math.min(FIRST, shown.length)], hidden));
  shown.forEach((parent, place) => {
    family(river, tree, {
      parent,
      chosen: walk[walk.indexOf(parent) + 1],
      kind: kinds[place],
      y: rows[place + 1],
      stop,
    });
  });
  return river;
}

/** So many families that there is no room for, said at the left edge below the first ones. */
function leftOut(river, y, count) {
  const ends = { from: MARGIN + REST / 2, above: y, below: y, left: MARGIN, right: MARGIN + REST };
  return { name: `⋮ ${count}`, named: true, wide: REST, high: NAME.high + 4, ...ends };
}

const childrenOf = (tree, node) => tree.below[node].filter((child) => child < tree.total);

/** Which families are shown, where their rows are, and as what kind of cards. */
function rowsOf(tree, parents, focus, height) {
  const room = height - ROOT_TOP - ROOT_HIGH - FOCUS.all - 4;
  const most = 1 + Math.floor(room / NAME.from);
  const shown =
    parents.length <= most ? parents : [...parents.slice(0, FIRST), ...parents.slice(FIRST - most)];
  const pitch = Math.min(MOST, room / Math.max(1, shown.length - 1));
  const wanted = shown.includes(focus) ? focus : 0;
  const usual = pitch >= SMALL.from ? "small" : pitch >= ROW.from ? "row" : "name";
  const rows = [ROOT_TOP];
  const kinds = [];
  let y = ROOT_TOP + ROOT_HIGH;
  for (const parent of shown) {
    const kind = parent === wanted ? "full" : usual;
    kinds.push(kind);
    y += kind === "full" ? FOCUS.all : pitch;
    rows.push(y - { full: FOCUS.high, small: SMALL.high, row: ROW.high, name: NAME.high }[kind]);
  }
  return { shown, rows, kinds };
}

/** One family: its cards side by side, and the ribbons from their parent. */
function family(river, tree, { parent, chosen, kind, y, stop }) {
  const above = river.places.get(parent);
  if (!above) return;
  const isThere = ({ node }) => node !== undefined && node < tree.total;
  const all = parent === stop ? tree.moves(parent) : tree.moves(parent).filter(isThere);
  const { shown: moves, rest } = fitting(river, tree, all, chosen);
  const boxes = widthsOf(river, tree, moves, { chosen, kind, room: roomOf(river, rest) });
  const wide = boxes.reduce((sum, { slot }) => sum + slot, rest ? REST : 0);
  const middle = kind === "full" ? river.width / 2 : above.x;
  const start = Math.max(MARGIN, Math.min(river.width - MARGIN - wide, middle - wide / 2));
  const thread = Math.min(THICKEST, (SPREAD * river.width) / Math.max(1, tree.visits[parent]));
  const threads = moves.filter(isThere).reduce((sum, { node }) => sum + tree.visits[node], 0);
  const half = (threads * thread) / 2; // of the ribbons, which stay in sight at both edges
  const middleOfAll = Math.max(MARGIN + half, Math.min(river.width - MARGIN - half, above.x));
  let [left, from] = [start, middleOfAll - half];
  moves.forEach((move, at) => {
    const box = boxes[at];
    const x = left + box.slot / 2;
    if (isThere(move)) {
      const place = {
        node: move.node,
        depth: above.depth + 1,
        x,
        y,
        left,
        right: left + box.slot,
        spring: y + box.height,
        wide: tree.visits[move.node] * thread,
      };
      river.places.set(move.node, place);
      river.cards.push({ ...place, ...box, wide: undefined });
      from = ribbons(river, tree, place, { above: above.spring, from, thread });
    } else {
      river.ghosts.push({
        name: move.name,
        from: above.x,
        above: above.spring,
        below: y,
        left,
        right: left + box.slot,
        named: true,
        wide: Math.max(14, box.slot - NAME.gap),
        high: NAME.high + 4,
      });
    }
    left += box.slot;
  });
  if (rest) river.ghosts.push(others(above, { count: rest, left, y }));
}

const roomOf = (river, rest) => river.width - 2 * MARGIN - (rest ? REST : 0);

/** The moves of a family that there is room for, in their order, and how many others there are. */
function fitting(river, tree, moves, chosen) {
  const least = (move) => Math.max(NAME.wide, LETTER * move.name.length + 7) + NAME.gap;
  if (moves.reduce((sum, move) => sum + least(move), 0) <= roomOf(river, 0))
    return { shown: moves, rest: 0 };
  const visits = ({ node }) => (node === undefined || node >= tree.total ? -1 : tree.visits[node]);
  const ranked = moves.toSorted((one, other) => visits(other) - visits(one)).slice(0, LARGEST);
  const kept = new Set([...ranked, ...moves.filter(({ node }) => node >= 0 && node === chosen)]);
  const shown = moves.filter((move) => kept.has(move));
  return { shown, rest: moves.length - shown.length };
}

/** So many moves that there is no room for. */
function others(above, { count, left, y }) {
  const ends = { from: above.x, above: above.spring, below: y, left, right: left + REST };
  return { name: `⋮ ${count}`, named: true, wide: REST - NAME.gap, high: NAME.high + 4, ...ends };
}

/** By move: the kind of its card, how large it is, and how wide its slot. */
function widthsOf(river, tree, moves, { chosen, kind, room }) {
  const share = room / Math.max(1, moves.length);
  const high = { full: FOCUS.high, small: SMALL.high, row: NAME.high, name: NAME.high }[kind];
  return moves.map((move) => {
    const name = Math.max(NAME.wide, LETTER * move.name.length + 7);
    if (kind === "full" && share > name)
      return { kind, slot: share, width: Math.min(62, share - 4), height: high };
    if (kind === "small" && share >= SMALL.wide + 2) {
      return {
        kind,
        slot: Math.min(share, SMALL.wide + SMALL.gap),
        width: SMALL.wide,
        height: high,
      };
    }
    if (kind === "row" && move.node === chosen && move.node !== undefined) {
      const wide = tree.boarded ? ROW.wide : Math.max(ROW.wide, name + 60);
      return { kind, slot: wide + NAME.gap, width: wide, height: ROW.high };
    }
    return {
      kind: "name",
      slot: Math.min(share, name + NAME.gap),
      width: Math.min(name, share - 1),
      height: NAME.high,
    };
  });
}

/** The ribbons to one child, by result; where the next one begins. */
function ribbons(river, tree, { node, wide, x, y }, { above, from, thread }) {
  let to = x - wide / 2;
  tree.results.forEach((of, result) => {
    const own = of[node] * thread;
    if (own) river.bands.push({ node, result, from, to, wide: own, above, below: y });
    [from, to] = [from + own, to + own];
  });
  return from;
}
