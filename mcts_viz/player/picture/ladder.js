// The ladder: a row for each decision of a walk, from the root down. Side by side are all moves of a
// position, each with wins/visits, both terms of its score and the score; the chosen one is outlined. It
// gives what `layOut` in river.js gives, so that the one picture glides into the other.

import { MARGIN } from "./river.js";

const GAP = 20; // above each row, for the line from the row before it and for what a card is given
const LINE = 13; // of text on a card
const BAR = 10; // of both terms
const EDGES = 10; // above and below what is on a card
const BOARD = [22, 60]; // the side of its board, at least and at most
const HEAD = { wide: 80, line: 14, slim: 430 }; // who chooses, at the left; in a slimmer pane above the row
const SLOT = { least: 46, most: 96, gap: 4 };
const LARGEST = 9; // of more moves than there is room for: the best ones, and the chosen one
const REST = 30; // pixels for the others: "⋮ 112"
const FOLDED = 16; // and for rows that are left out
const LOOSE = 150; // the highest that a row is
const LETTER = 6.3;
const OPEN = ["an untried", "move:", "Expand"]; // in place of who chooses

/**
 * The layout of the decisions at the nodes of a `way` along the `walk`. At `stop`, where selection stopped,
 * untried moves are in the row. There is room for `most` rows, also while fewer are in sight;
 * `told(node)` says what was compared at a node.
 */
export function ladder(tree, { width, height, walk, way, stop, most, foot, told }) {
  const river = { width, height, top: 0, rows: [], places: new Map() };
  for (const list of ["bands", "ends", "fans", "spares", "ghosts", "cards", "heads"]) river[list] = [];
  const families = way
    .map((node, level) => ({ node, chosen: walk[level + 1], moves: movesOf(tree, node, node === stop) }))
    .filter(({ moves }) => moves.length);
  const look = looks(tree, families, { room: height - foot - MARGIN, isSlim: width < HEAD.slim, most });
  const hidden = Math.max(0, families.length - look.fits);
  const shown = families.filter((_, place) => place === 0 || place > hidden);
  shown.forEach((family, place) => {
    const y = look.above + place * look.pitch + (hidden && place ? FOLDED : 0);
    if (hidden && place === 1)
      river.heads.push({ x: MARGIN, y: y - look.above, lines: [`⋮ ${hidden} more`] });
    river.rows.push(y);
    addRow(river, tree, { ...family, ...told(family.node), ...look, y, isStop: family.node === stop });
  });
  return river;
}

/** The moves from a node that have a card: those that are there, and `all` of them also if untried. */
const movesOf = (tree, node, all) =>
  tree.moves(node).filter(({ node: child }) => (isThere(tree, child) ? tree.isShown(child) : all));

const isThere = (tree, node) => node !== undefined && node < tree.total;

/** How high rows and cards are, and how many rows there is room for. */
function looks(tree, families, { room, isSlim, most }) {
  const children = families.flatMap(({ moves }) => moves.filter(({ node }) => isThere(tree, node)));
  const lines = Math.max(2, ...children.map(({ node }) => tree.lines(node)));
  const text = EDGES + BAR + LINE * (lines + !tree.boarded);
  const least = text + (tree.boarded ? BOARD[0] : 0);
  const above = GAP + (isSlim ? HEAD.line : 0);
  const fits = Math.max(2, Math.floor(room / (above + least)));
  const wanted = Math.max(1, most, families.length);
  const free = room - (wanted > fits ? FOLDED : 0);
  const pitch = Math.min(LOOSE, free / Math.min(wanted, fits));
  const side = tree.boarded ? Math.min(BOARD[1], pitch - above - text) : 0;
  return { isSlim, text, above, fits, pitch, side };
}

/** One row: who chooses, and the cards side by side. */
function addRow(river, tree, row) {
  const { chosen, digits, ends, isSlim, isStop, lines, moves, rule, text, y } = row;
  const left = isSlim ? MARGIN : HEAD.wide;
  const { shown, rest } = fitting(row, river.width - left - MARGIN);
  const slot = Math.min(SLOT.most, (river.width - left - MARGIN - (rest && REST)) / shown.length);
  const width = slot - SLOT.gap;
  const side = Math.max(0, Math.min(row.side, width - SLOT.gap));
  const height = text + side;
  const hasRoom = LETTER * (rule.length + digits + 3) <= width - SLOT.gap;
  const rung = { digits, ends, rule: hasRoom && rule ? `${rule} ` : "" };
  shown.forEach(({ name, node }, at) => {
    const [from, right] = [left + at * slot, left + (at + 1) * slot];
    const x = (from + right) / 2;
    if (!isThere(tree, node)) {
      const ghost = { name, named: true, from: x, above: y, below: y, left: from, right };
      river.ghosts.push({ ...ghost, wide: width, high: height });
      return;
    }
    const depth = depthOf(tree, node);
    const place = { node, depth, x, y };
    river.cards.push({ ...place, kind: "rung", width, height, side, rung });
    Object.assign(place, { left: from, right, spring: y + height, wide: tree.visits[node] });
    river.places.set(node, place);
    if (node === chosen && river.rows.length > 1)
      river.heads.push({ x, y: y - 1, lines: ["▼"], look: "arrow" });
  });
  if (rest) river.heads.push({ x: left + shown.length * slot, y: y + height / 2, lines: [`⋮ ${rest}`] });
  const isOpen = isStop && moves.some(({ node }) => !isThere(tree, node) || node === chosen);
  const said = isOpen ? [lines[0], ...(isSlim ? [OPEN.join(" ")] : OPEN)] : lines;
  river.heads.push({
    x: MARGIN,
    y: isSlim ? y - GAP + 4 : y + HEAD.line,
    lines: isSlim ? [said.join(" · ")] : said,
    look: isOpen ? "head open" : "head",
  });
}

/** The moves of a row that there is room for, in their order, and how many others there are. */
function fitting({ chosen, moves, ranked }, room) {
  if (moves.length * SLOT.least <= room) return { shown: moves, rest: 0 };
  const most = Math.min(LARGEST, Math.floor((room - REST) / SLOT.least));
  const best = ranked.filter((node) => node !== chosen).slice(0, most - 1);
  const kept = new Set([chosen, ...best]);
  const first = moves.filter(({ node }) => kept.has(node));
  // where too few were compared, untried moves have the room
  const more = moves.filter((move) => !first.includes(move)).slice(0, Math.max(0, most - first.length));
  const shown = moves.filter((move) => first.includes(move) || more.includes(move));
  return { shown, rest: moves.length - shown.length };
}

function depthOf(tree, node) {
  let depth = 0;
  for (let above = tree.parent[node]; above >= 0; above = tree.parent[above]) depth++;
  return depth;
}
