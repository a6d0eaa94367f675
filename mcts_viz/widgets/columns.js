// What all films have in common: columns of numbers, unpacked once and looked up; nodes, their
// moves and positions; numbers in words.

import { Views } from "./views.js";

const BYTES = { Int8: Int8Array, Uint8: Uint8Array, Uint16: Uint16Array, Uint32: Uint32Array, Int32: Int32Array, Float32: Float32Array };

/** The columns of a film; `facts` say where each begins in `packed`, a DataView of deflated bytes. */
export async function unpack(facts, packed) {
  const deflated = new Blob([packed]).stream();
  const stream = deflated.pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const columns = {};
  for (const [name, { type, offset, length }] of Object.entries(facts.columns)) {
    columns[name] = new BYTES[type](bytes, offset, length);
  }
  return columns;
}

/** A tree of numbered nodes: the root is 0, and parents come before their children. */
export class Columns {
  /** By node: `births`, `weights` and `more`, see Views. */
  constructor(facts, columns, births, weights, more = {}) {
    this.facts = facts;
    this.columns = columns;
    this.views = new Views(facts, columns.parent, births, weights, more);
    this.view = this.views.whole;
    this.below = childrenOf(columns.parent);
  }

  /** Which iteration of the search stands at a place of the slider; both count from 1. */
  number(place) {
    return this.columns.iterations?.[place - 1] ?? place;
  }

  /** The place of an iteration; of one that the film leaves out, the place before it. */
  place(iteration) {
    const { iterations } = this.columns;
    return iterations ? Math.max(1, countUpTo(iterations, 0, iterations.length, iteration)) : iteration;
  }

  pathTo(node) {
    const path = [];
    for (; node >= 0; node = this.columns.parent[node]) path.unshift(node);
    return path;
  }

  /** The move that led to a node; "" for the root. */
  label(node) {
    return this.facts.labels[this.columns.label[node]];
  }

  /** The lines of a position, for a game without a board. */
  text(node) {
    return this.facts.texts[this.columns.text[node]];
  }

  /** The cells of a position, row by row. */
  cells(node) {
    const { rows, columns } = this.facts.board;
    return this.columns.cells.subarray(node * rows * columns, (node + 1) * rows * columns);
  }

  /** The cells before the move that led to a node; the root's own for the root. */
  cellsBefore(node) {
    return this.cells(Math.max(0, this.columns.parent[node]));
  }
}

/** By node: its children, in order of birth. */
function childrenOf(parents) {
  const children = Array.from(parents, () => []);
  for (let node = 1; node < parents.length; node++) children[parents[node]].push(node);
  return children;
}

/** How many of the rising values in [start, end) are at most `limit`. */
export function countUpTo(values, start, end, limit) {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low - start;
}

/** Two decimals; never "-0.00". */
export const fixed = (number) => number.toFixed(2).replace(/^-0\.00$/, "0.00");

export const short = (number) => fixed(number).replace(/\.?0+$/, "");

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
