// The ladder: a row for each decision of a walk, from the root down. Side by side are all moves of a
// position, each with wins/visits, both terms of its score as bars and as figures, and the score; the chosen
// one is outlined. It gives what `layOut` in river.js gives, so that the one picture glides into the other.

import { namesOf } from "./elements.js";
import { MARGIN } from "./river.js";

const GAP = 20; // above each row, for the line from the row before it and for what a card is given
const LINE = 13; // of text on a card
const BAR = 10; // of both terms
const EDGES = 10; // above and below what is on a card
const BOARD = [22, 60]; // the side of its board, at least and at most
const HEAD = { wide: 86, line: 14, slim: 430 }; // who chooses, at the left; in a slimmer pane above the row
const SLOT = { least: 46, most: 96, gap: 4 };
const LARGEST = 9; // of more moves than there is room for: the best ones, and the chosen one
const REST = 30; // pixels for the others: "⋮ 112"
const FOLDED = 16; // and for rows that are left out
const LOOSE = 150; // the highest that a row is
const LETTER = 6.8; // the mean width of a bold one
const FIGURE = { letter: 5, edges: 6 }; // of "0.60+1.27", a tenth narrower than usual
const BARE = 46; // the height of a last row without a node
const FOLD_AT = 12; // letters of a line of the head at the left
const OPEN = "an untried move: Expand"; // in place of who chooses

/**
 * The layout of the decisions at the nodes of a `way` along the `walk`. At `stop`, where selection stopped,
 * untried moves are in the row. There is room for `most` rows, also while fewer are in sight, of which the
 * last `isBare` where it has no node; `told(node)` says what was compared at a node.
 */
export function ladder(tree, { width, height, walk, way, stop, most, isBare, foot, told }) {
  const river = { width, height, top: 0, rows: [], places: new Map() };
  for (const list of ["bands", "ends", "fans", "spares", "ghosts", "cards", "heads"]) river[list] = [];
  const isSlim = width < HEAD.slim;
  const left = isSlim ? MARGIN : HEAD.wide;
  const families = way
    .map((node, level) => ({ node, chosen: walk[level + 1], moves: movesOf(tree, node, node === stop) }))
    .filter(({ moves }) => moves.length)
    .map((family) => ({ ...family, ...told(family.node) }))
    .map((family) => ({ ...family, ...fitting(family, width - left - MARGIN) }));
  const look = looks(tree, families, { room: height - foot - MARGIN, isSlim, isBare, most, stop });
  const hidden = Math.max(0, families.length - look.fits);
  const shown = families.filter((_, place) => place === 0 || place > hidden);
  shown.forEach((family, place) => {
    const y = look.above + place * look.pitch + (hidden && place ? FOLDED : 0);
    if (hidden && place === 1)
      river.heads.push({ x: MARGIN, y: y - look.above, lines: [`⋮ ${hidden} more`] });
    river.rows.push(y);
    addRow(river, tree, { ...family, ...look.lookOf(family), left, y, isStop: family.node === stop });
  });
  return river;
}

/** The moves from a node that have a card: those that are there, and `all` of them also if untried. */
const movesOf = (tree, node, all) =>
  tree.moves(node).filter(({ node: child }) => (isThere(tree, child) ? tree.isShown(child) : all));

const isThere = (tree, node) => node !== undefined && node < tree.total;

/** How high rows are, how many there is room for, and what is on each card. */
function looks(tree, families, { room, isSlim, isBare, most, stop }) {
  const children = families.flatMap(({ moves }) => moves.filter(({ node }) => isThere(tree, node)));
  const usual = Math.max(2, ...children.map(({ node }) => tree.lines(node))) + !tree.boarded;
  const above = GAP + (isSlim ? HEAD.line : 0);
  const textOf = (lines) => EDGES + BAR + LINE * lines;
  const wanted = Math.max(1, most, families.length);
  const bare = isBare && wanted > 1 ? 1 : 0;
  const free = room - bare * (above + BARE);
  const roomFor = (lines) =>
    Math.max(2, bare + Math.floor(free / (above + textOf(lines) + (tree.boarded ? BOARD[0] : 0))));
  const figures = Math.max(0, ...families.map(figureLines));
  // for figures no row is left out
  const hasFigures = roomFor(usual + figures) >= Math.min(wanted, roomFor(usual));
  const fits = roomFor(usual + (hasFigures ? figures : 0));
  const rows = Math.min(wanted, fits) - bare;
  const pitch = Math.min(LOOSE, (free - (wanted > fits ? FOLDED : 0)) / rows);
  const lookOf = (family) => {
    const own = hasFigures ? figureLines(family) : 0;
    const text = textOf(usual + own);
    const side = tree.boarded ? Math.min(BOARD[1], pitch - above - text) : 0;
    return { figures: own, lines: usual + own, text, side, isSlim };
  };
  const isAhead = bare && families.at(-1)?.node !== stop; // its room is kept
  return { above, fits: isAhead ? fits - 1 : fits, pitch, lookOf };
}

/** On how many lines both terms have room on a card: side by side, one below the other, or not at all. */
function figureLines({ long, slot }) {
  const room = slot - SLOT.gap - FIGURE.edges;
  const hasRoom = (lines) => (FIGURE.letter * (long + lines - 1)) / lines <= room;
  return long ? ([1, 2].find(hasRoom) ?? 0) : 0;
}

/** One row: who chooses, and the cards side by side. */
function addRow(river, tree, row) {
  const { chosen, digits, ends, figures, isStop, left, lines, moves, rest, rule, shown, slot, text, y } = row;
  const width = slot - SLOT.gap;
  const side = Math.max(0, Math.min(row.side, width - SLOT.gap));
  const isBare = !shown.some(({ node }) => isThere(tree, node));
  const height = isBare && river.rows.length > 1 ? BARE : text + side;
  const hasRoom = LETTER * (rule.length + digits + 3) <= width - SLOT.gap;
  const rung = { digits, ends, figures, lines, rule: hasRoom && rule ? `${rule} ` : "" };
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
  addHead(river, row, { isBare, isOpen });
}

/** Who chooses, whose wins these are, and how a tie was broken: beside a row, or in a slim pane above it. */
function addHead(river, { about, isSlim, more, name, y }, { isBare, isOpen }) {
  const [whose, visits, tie] = more;
  const others = isSlim && tie ? [tie] : [visits, tie]; // where there is no room for both
  const said = isOpen ? [name, !isBare && whose, OPEN] : [name, ...about, whose, ...others];
  const shown = said.filter(Boolean);
  river.heads.push({
    x: MARGIN,
    y: isSlim ? y - GAP + 4 : y + HEAD.line,
    lines: isSlim ? [shown.join(" · ")] : shown.flatMap(folded),
    look: ["head", ...namesOf({ "slim": isSlim, "open": isOpen })].join(" "),
  });
}

/** A text in lines that are not too long, if its words allow it. */
function folded(text) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && longer.length <= FOLD_AT) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The moves of a row that have room, in their order, the others' number, and how wide each may be. */
function fitting(family, room) {
  const { shown, rest } = pickedOf(family, room);
  return { shown, rest, slot: Math.min(SLOT.most, (room - (rest && REST)) / shown.length) };
}

function pickedOf({ chosen, moves, ranked }, room) {
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
