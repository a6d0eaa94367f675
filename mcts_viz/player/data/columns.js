// A tree of numbered nodes as columns of numbers, unpacked once and looked up. Everything was
// computed before it came here, so no formula and no rule is in this file. A film's iterations
// are counted by their index, from 1; where it leaves some out, `iteration` says which of the
// search it is. Phases count from 0; nodes are numbered in order of creation, the root is 0.

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
};

/** The columns of a film; `facts` say where each begins in `packed`, a DataView of deflated bytes. */
export async function unpack(facts, packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  return Object.fromEntries(
    Object.entries(facts.columns).map(([name, { type, offset, length }]) => [
      name,
      new ARRAYS[`${type}Array`](bytes, offset, length),
    ]),
  );
}

/** A tree of numbered nodes, parents before their children. */
export class Columns {
  constructor(facts, columns) {
    const { created_at: births } = columns; // by node; they never fall
    Object.assign(this, { facts, columns, births });
    this.below = Array.from(columns.parent, () => []); // children, in the order of their moves
    this.birthPlace = [0]; // among the children of a parent, in order of creation
    this.most = 0; // children of one node
    for (let node = 1; node < births.length; node++) {
      const parent = columns.parent[node];
      this.birthPlace.push(this.below[parent].length);
      this.most = Math.max(this.most, this.below[parent].push(node));
    }
    for (const children of this.below)
      children.sort((a, b) => columns.order[a] - columns.order[b] || a - b);
  }

  /** The iteration of the search at an index of the slider; both count from 1. */
  iterationAt(index) {
    return this.columns.iterations?.[index - 1] ?? index;
  }

  /** The index of an iteration; of one that the film leaves out, the index before it. */
  indexOf(iteration) {
    const { iterations } = this.columns;
    return iterations
      ? Math.max(1, countUpTo(iterations, 0, iterations.length, iteration))
      : iteration;
  }

  /** The last node of the path at a place. */
  end(index) {
    return this.columns.leaf[index - 1];
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

  /** The moves from a node: their labels, and the nodes that they lead to. */
  moves(node) {
    return this.below[node].map((child) => ({ node: child, label: this.label(child) }));
  }

  /** A node in a sentence. */
  named(node) {
    return node ? `after ${this.label(node)}` : "at the root";
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

  /** The children that a node has when the iteration on the screen is over. */
  children(node, { iteration }) {
    return this.below[node].filter((child) => this.births[child] <= iteration);
  }
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
