// The layout of the river: from the tree at one moment to plain numbers. No page, no colour, no state:
// the same tree gives the same numbers, whatever the film holds later. All lengths are pixels.
//
// An iteration is a thread from the root down to the node where its playout began. A node is as wide
// as the threads through it (its visits); within it they are sorted by result: first player wins,
// draw, second player wins. So a ribbon's coloured share is its wins.
//
// A tree at a moment, as `layOut` needs it, has these fields; nodes are numbered parents first:
//   total           how many nodes are there: those numbered below it
//   parent[n]       the node above; below[n] its children in the order of their moves, also later ones
//   visits[n]       threads through it
//   results[r][n]   of these, threads with result r, in the order in which they lie beside each other
//   moves(n)        all its moves in order, each with a short `name`, and its `node` if it ever gets one
//   order(n)        of all its moves in order the node, also a later one; -1 for one that never gets a node
//   spare(n)        how many threads of such moves reach each row below: of minimax the games that it did
//                   not need, of a search none
//   name(n)         a short name of its move; said(n) the longest line on its card
//   luck(n)         whether nature moves there: it gets a diamond instead of a card
//   boarded         whether cards have a board; lines(n) how many lines of text a full card has

import { FLOOR, cardsOf, ghostsOf } from "./card_places.js";

export const SPREAD = 0.4; // of the pane's width, for all threads side by side: the rest is room to part
export const THICKEST = 14; // a single thread: thicker ones look like trunks, and the first 16 are alike
export const THINNEST = 0.35; // a ribbon below it leaves no trace on a screen: it becomes a fan
export const MARGIN = 6; // left and right of everything
const FLOOR_SHARE = 0.8; // but no more than this part of an equal share, so that the widest has room
const POWER = 0.7; // (visits + 1)^0.7: the widest does not starve the others, as visits alone would
// An untried move has its place among the others, so that they need not make room for it when it is tried.
const TRIED_ONCE = 2 ** POWER; // its weight where there is room: nothing moves when it is tried;
const ROOMY = [12, 36]; // pixels a move: below the first all untried ones together weigh one, so that
// those that were tried have room for a card, and from the second on there is room for all
const APART = [0.06, 4]; // between two families: a part of the slot, and at most so much

export const ROOT_TOP = 4; // the card at the top,
const ROOT_HIGH = 68;
const ROW_1 = 104; // where the top's moves are,
const ROW_2 = 198; // and where their answers do,
// A small tree has larger cards, further apart: by so much in its first iterations, and by nothing from
// the last of these on.
const YOUNG = { root: 42, row1: 54, row2: 86, from: 12, to: 200 };
const LOW = 360; // pixels: so low a pane has no room for it
const LOWER = [0.25, 0.45]; // in a higher pane lower by these parts of what it has more
const PITCH = 0.237; // of the height, a deeper row with its share of threads: 110 pixels of 464
const FULL_SHARE = 20; // a row is that many times the share of threads that cross it high, at most one pitch
const EACH = 10; // but no thread lengthens it by more, so that nothing jumps in a small tree
const WALKED = 17; // the least height of a row that the walk crosses: one line of text
const USUAL = 464; // the height of a pane on a laptop; in a lower one less is kept free below
const FOOT = 48; // below the deepest row's top: a small card
const NONE = [];
export const STUB = 9; // a thread that ends at a node goes on a little, with a round end

/**
 * Everything of one moment, for a pane of `width` by `height`, with the path of nodes that is `walk`ed
 * and the node where selection stopped, whose untried moves are shown. `top` is the node at the top;
 * `foot` is kept free below the deepest row. With a `zoom` it is that many times as wide as the pane, and
 * moved to the left by `pan`.
 */
export function layOut(
  tree,
  { width, height, walk = [], stop, top = 0, foot = FOOT, zoom = 1, pan = 0 },
) {
  const thread = threadWidth(tree.visits[top], width * zoom);
  const found = census(tree, top, thread);
  const way = walk.includes(top) ? walk.slice(walk.indexOf(top)) : [];
  const deepest = Math.max(found.threads.length, way.length) - 1;
  const young = youth(found.threads[0], height);
  const rows = rowTops(found.threads, { deepest, height, foot, young, walked: way.length });
  const river = {
    width,
    height,
    thread,
    rows,
    young,
    rootBottom: ROOT_TOP + ROOT_HIGH + YOUNG.root * young,
    top,
    left: MARGIN - pan,
    right: width * zoom - pan - MARGIN,
    places: new Map(),
    bands: [],
    ends: [],
    fans: [],
    spares: [],
    ghosts: [],
    cards: [],
  };
  placeAll(river, tree, found, new Set(way));
  river.cards = cardsOf(river, tree, way);
  if (river.places.has(stop)) river.ghosts = ghostsOf(river, tree, stop);
  return river;
}

/** How young a tree of so many threads is, from 1 to 0. */
function youth(threads, height) {
  const { from, to } = YOUNG;
  const age = Math.log2(Math.max(1, threads) / from) / Math.log2(to / from);
  const room = (height - LOW) / (USUAL - LOW);
  return Math.max(0, Math.min(1, 1 - age)) * Math.max(0, Math.min(1, room));
}

/** The width of one thread, so that all of them fill two fifths of the pane. */
export function threadWidth(threads, width) {
  return Math.min(THICKEST, (SPREAD * width) / Math.max(1, threads));
}

/**
 * Once over all nodes below `top`: `threads` by depth, and for each node that is the first on its way too
 * thin for a ribbon, how many threads of each result reach each depth below it: `deeper`, depth by depth.
 */
function census(tree, top, thread) {
  const { parent, results, total, visits } = tree;
  const depth = new Int32Array(total).fill(-1);
  const owner = new Int32Array(total).fill(-1); // the first too thin node on the way to it
  const threads = [visits[top]];
  const deeper = new Map();
  depth[top] = 0;
  addToRows(threads, 1, tree.spare(top));
  for (let node = top + 1; node < total; node++) {
    const above = parent[node];
    if (depth[above] < 0) continue;
    depth[node] = depth[above] + 1;
    threads[depth[node]] = (threads[depth[node]] ?? 0) + visits[node];
    const spare = tree.spare(node);
    if (spare.length) addToRows(threads, depth[node] + 1, spare);
    if (owner[above] >= 0) {
      owner[node] = owner[above];
      addThreads(deeper, owner[node], depth[node] - depth[owner[node]] - 1, results, node);
    } else if (visits[node] * thread < THINNEST) owner[node] = node;
  }
  return { depth, threads, deeper };
}

/** Add these counts to the rows from `first` on. */
function addToRows(threads, first, counts) {
  counts.forEach((count, row) => (threads[first + row] = (threads[first + row] ?? 0) + count));
}

function addThreads(deeper, owner, level, results, node) {
  let counts = deeper.get(owner);
  if (!counts) deeper.set(owner, (counts = []));
  const begin = level * results.length;
  while (counts.length < begin + results.length) counts.push(0);
  for (let result = 0; result < results.length; result++) counts[begin + result] += results[result][node];
}

/**
 * The top of each row. The first three hardly move; a deeper row is as high as its share of the threads
 * allows, and all of these are compressed together until the deepest fits.
 */
export function rowTops(threads, { deepest, height, foot, walked, young }) {
  const more = Math.max(0, height - USUAL);
  const tops = [
    ROOT_TOP,
    ROW_1 + LOWER[0] * more + YOUNG.row1 * young,
    ROW_2 + LOWER[1] * more + YOUNG.row2 * young,
  ];
  const wanted = [];
  const least = [];
  for (let depth = 2; depth < deepest; depth++) {
    const across = threads[depth + 1] ?? 0;
    const share = Math.min(1, (FULL_SHARE * across) / Math.max(1, threads[0]));
    const high = Math.min(PITCH * height * share, EACH * across);
    least.push(depth < walked ? WALKED : 0);
    wanted.push(depth === 2 ? PITCH * height : Math.max(least.at(-1), high));
  }
  const room = Math.max(0, height - tops[2] - foot * Math.min(1, height / USUAL));
  const [all, needed] = [sumOf(wanted), sumOf(least)];
  const scale = all > room ? Math.max(0, room - needed) / Math.max(1e-9, all - needed) : 1;
  const squeezed = needed > room ? room / needed : 1; // a path of 27 gets 9 pixels a row
  wanted.forEach((high, place) => {
    const own = least[place] + (high - least[place]) * scale;
    tops.push(tops.at(-1) + own * squeezed);
  });
  return tops;
}

/**
 * How `room` is divided: by `weights`, but none gets less than its `least`.
 */
export function divided(room, weights, least) {
  const claim = sumOf(least);
  if (claim > room) return least.map((own) => (own * room) / claim); // a watched search may count oddly
  const widths = least.map(() => -1); // not settled yet
  let [free, weight] = [room, sumOf(weights)];
  for (let settled = true; settled;) {
    settled = false;
    const unit = free / weight;
    for (let place = 0; place < widths.length; place++) {
      if (widths[place] >= 0 || weights[place] * unit >= least[place]) continue;
      widths[place] = least[place];
      free -= least[place];
      weight -= weights[place];
      settled = true; // the others share what is left
    }
  }
  for (let place = 0; place < widths.length; place++) {
    if (widths[place] < 0) widths[place] = (weights[place] * free) / weight;
  }
  return widths;
}

// Places ----------------------------------------------------------------------------------------

/** Give the top its place, and from there on all that is wide enough, or walked. */
function placeAll(river, tree, found, walked) {
  const { left, right, rows, thread, top, width } = river;
  // in sight, however it is zoomed
  const x = Math.max(width / 4, Math.min((3 * width) / 4, (left + right) / 2));
  const waiting = [
    {
      node: top,
      depth: 0,
      left,
      right,
      x,
      y: rows[0],
      spring: river.rootBottom,
      wide: tree.visits[top] * thread,
    },
  ];
  while (waiting.length) {
    const place = waiting.pop();
    river.places.set(place.node, place);
    const isThin = place.wide < THINNEST && place.node !== top;
    const children = slots(river, tree, place);
    if (!isThin) attach(river, tree, place, { children, found });
    for (const child of children) {
      if (child.wide >= THINNEST || child.depth === 1 || walked.has(child.node))
        waiting.push(child);
    }
  }
}

/** The children of a placed node that are there, each with its slot; `place.free` is for untried moves. */
function slots({ rows, thread, top }, tree, place) {
  const { depth, left, node, right, wide } = place;
  const isTop = node === top;
  place.children = tree.below[node].filter((child) => child < tree.total);
  place.free = isTop || place.children.length ? [] : [[left, right]];
  if (!isTop && !place.children.length) return [];
  const items = tree.order(node).map((child) => (child >= 0 && child < tree.total ? child : -1));
  if (!items.length) return [];
  const pad = isTop
    ? 0
    : Math.max(0, Math.min(APART[1], APART[0] * (right - left), (right - left - wide) / 2));
  const room = right - left - 2 * pad;
  const [spare = 0] = tree.spare(node);
  const visits = items.map((child) => (child < 0 ? spare : tree.visits[child]));
  const lacking = spare ? (spare + 1) ** POWER : isTop ? TRIED_ONCE : untriedWeight(room, items.length);
  const weights = items.map((child, at) => (child < 0 ? lacking : (visits[at] + 1) ** POWER));
  const ribbons = visits.map((count) => count * thread);
  const floor = isTop ? floorOf(room, ribbons) : 0;
  const least = ribbons.map((ribbon) => Math.max(0, ribbon - floor));
  const widths = divided(room - floor * items.length, weights, least);
  const y = rows[depth + 1];
  const children = [];
  let from = left + pad;
  items.forEach((child, at) => {
    const to = from + widths[at] + floor;
    if (child < 0) place.free.push([from, to]);
    else {
      children.push({
        node: child,
        depth: depth + 1,
        left: from,
        right: to,
        x: (from + to) / 2,
        y,
        spring: y,
        wide: ribbons[at],
        from: 0, // of a fan, as are the next ones
        above: 0,
        deeper: NONE,
      });
    }
    from = to;
  });
  return children;
}

/** The weight of an untried move below the top: it grows with the room that each move has. */
function untriedWeight(room, moves) {
  const least = 1 / Math.max(1, moves - 1);
  const roomy = Math.max(0, Math.min(1, (room / moves - ROOMY[0]) / (ROOMY[1] - ROOMY[0])));
  return least + (TRIED_ONCE - least) * roomy;
}

/** What each move of the top gets before its visits count, unless the widest ribbons need the room. */
function floorOf(room, ribbons) {
  const floor = Math.min(FLOOR, (FLOOR_SHARE * room) / ribbons.length);
  const wide = ribbons.filter((ribbon) => ribbon > floor);
  if (wide.length === ribbons.length) return 0;
  return Math.min(floor, (room - sumOf(wide)) / (ribbons.length - wide.length));
}

/**
 * The ribbons from a node to its children: a block of threads a child, in the order of moves, sorted by
 * result within each. Threads that end at the node itself come last. A child that is too thin is a fan, and
 * its own slot says all of it: there are thousands.
 */
function attach(river, tree, place, { children, found }) {
  const { results } = tree;
  const { thread } = river;
  const y = place.spring; // where its ribbon begins to part: the top's below its card, others' at their row
  let from = place.x - place.wide / 2;
  const left = results.map((of) => of[place.node]);
  for (const child of children) {
    const { depth, node, wide: all, y: below } = child;
    const isThin = all < THINNEST;
    if (isThin && all) {
      child.from = from;
      child.above = y;
      child.deeper = found.deeper.get(node) ?? NONE;
      river.fans.push(child);
    }
    let to = child.x - all / 2;
    for (let result = 0; result < results.length; result++) {
      const count = results[result][node];
      const wide = count * thread;
      left[result] -= count;
      if (count && !isThin) river.bands.push({ node, result, depth, from, to, wide, above: y, below });
      from += wide;
      to += wide;
    }
  }
  const [spare = 0, ...deeper] = tree.spare(place.node);
  if (spare && place.free.length) {
    const [begin, right] = place.free.at(-1);
    const below = river.rows[place.depth + 1];
    river.spares.push({
      node: place.node,
      from,
      wide: spare * thread,
      above: y,
      left: begin,
      right,
      below,
      deeper, // how many reach each row from there on
    });
    left[left.length - 1] -= spare; // the last result of such a tree: not looked at
    from += spare * thread;
  }
  left.forEach((count, result) => {
    if (count > 0) river.ends.push({ node: place.node, result, x: from, wide: count * thread, y });
    from += Math.max(0, count) * thread;
  });
}

const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
