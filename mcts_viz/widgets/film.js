// A film as the player reads it. Everything was computed before it came here; this file only
// looks numbers up. Iterations count from 1, phases from 0 to 3; nodes are numbered by birth.

const BYTES = { Uint8: Uint8Array, Uint16: Uint16Array, Uint32: Uint32Array, Int32: Int32Array, Float32: Float32Array };

/** Unpack a film: `facts` are JSON values, `packed` (a DataView) holds the deflated columns. */
export async function openFilm(facts, packed) {
  const deflated = new Blob([packed]).stream();
  const stream = deflated.pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const columns = {};
  for (const [name, { type, offset, length }] of Object.entries(facts.columns)) {
    columns[name] = new BYTES[type](bytes, offset, length);
  }
  return new Film(facts, columns);
}

export class Film {
  constructor(facts, columns) {
    this.facts = facts;
    this.columns = columns;
    this.isCard = new Set(facts.cards);
    this.families = this.#placeFamilies();
    this.playoutStart = sums(columns.moves);
    this.changeStart = sums(columns.changes);
  }

  /** Where each family's terms begin; a row after each iteration through the parent, and one before. */
  #placeFamilies() {
    const families = new Map();
    let start = 0;
    for (const { parent, children } of this.facts.families) {
      const rows = this.#lastVisit(parent) - this.columns.visit_ends[parent] + 1;
      families.set(parent, { children, start, rows });
      start += 2 * children.length * rows;
    }
    return families;
  }

  #lastVisit(node) {
    return this.columns.visit_ends[node + 1];
  }

  /** The node's visits and wins after so many iterations. */
  statistics(node, iterations) {
    const { visit_wins, visit_ends, visits_before, wins_before } = this.columns;
    const count = this.#visitsUpTo(node, iterations);
    const wins = count ? visit_wins[visit_ends[node] + count - 1] : wins_before[node];
    return { visits: visits_before[node] + count, wins };
  }

  /** How many of the film's iterations came through the node by then. */
  #visitsUpTo(node, iterations) {
    const { visit_times, visit_ends } = this.columns;
    return countUpTo(visit_times, visit_ends[node], this.#lastVisit(node), iterations);
  }

  /** The children that a card has by then, with statistics and both terms of their scores. */
  children(parent, iterations, born) {
    const family = this.families.get(parent);
    if (!family) return [];
    const row = this.#visitsUpTo(parent, iterations);
    const rows = [];
    family.children.forEach((node, place) => {
      if (this.columns.birth[node] > born) return;
      const terms = [0, 1].map((term) => this.#term(family, term, place, row));
      const score = terms[0] + terms[1];
      rows.push({ node, ...this.statistics(node, iterations), terms, score });
    });
    return rows;
  }

  #term(family, term, place, row) {
    const column = term * family.children.length + place;
    return this.columns.terms[family.start + column * family.rows + row];
  }

  /** All that is on the screen at one moment. */
  frame(iteration, phase) {
    const { birth, parent, leaf, owner } = this.columns;
    const counted = phase === 3 ? iteration : iteration - 1;
    const born = phase === 0 ? iteration - 1 : iteration;
    const path = [];
    for (let node = leaf[iteration - 1]; node >= 0; node = parent[node]) {
      if (birth[node] <= born) path.unshift(node);
    }
    const onPath = new Set(path);
    const strip = path.filter((node) => !this.isCard.has(node));
    const added = path.find((node) => birth[node] === iteration);
    const scores = this.#scores(counted, born);
    const cards = this.facts.cards.map((node) => ({
      node,
      shown: birth[node] <= born,
      ...this.statistics(node, counted),
      score: scores.get(node) ?? NaN,
      onPath: onPath.has(node),
      added: node === added,
    }));
    const open = strip.length ? owner[strip[0]] : -1;
    const stubs = this.facts.stubs.map((card, place) => ({
      card,
      count: this.#stubCount(place, born),
      onPath: card === open,
    }));
    return { iteration, phase, counted, born, path, onPath, strip, added, cards, stubs };
  }

  #scores(counted, born) {
    const scores = new Map();
    for (const parent of this.families.keys()) {
      if (this.columns.birth[parent] > born) continue;
      for (const { node, score } of this.children(parent, counted, born)) scores.set(node, score);
    }
    return scores;
  }

  #stubCount(place, born) {
    const { stub_births, stub_ends } = this.columns;
    return countUpTo(stub_births, stub_ends[place], stub_ends[place + 1], born);
  }

  /** What happens, in words. */
  caption(iteration, phase) {
    const { columns, facts } = this;
    const last = columns.leaf[iteration - 1];
    const path = this.pathTo(last);
    const margin = columns.margin[iteration - 1];
    const outcome = facts.outcomes[columns.outcome[iteration - 1]];
    const slots = {
      k: iteration,
      choice: choiceOf(path.length > 1 ? this.label(path[1]) : "", margin),
      walked: counted(columns.walked[iteration - 1], "move"),
      player: facts.players[columns.mover[last]],
      move: this.label(last),
      moves: counted(columns.moves[iteration - 1], "move"),
      nodes: counted(path.length, "node"),
      result: outcome.result,
      rewards: outcome.rewards,
    };
    const pattern = facts.patterns[columns.pattern[4 * (iteration - 1) + phase]];
    return pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
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

  /** The moves of an iteration's playout: labels, and on a board the cells after each. */
  playout(iteration) {
    const { columns, facts } = this;
    const moves = [];
    let cells = facts.board && this.cells(columns.leaf[iteration - 1]);
    for (let m = this.playoutStart[iteration - 1]; m < this.playoutStart[iteration]; m++) {
      const before = cells;
      if (cells) {
        cells = Uint8Array.from(cells);
        for (let c = this.changeStart[m]; c < this.changeStart[m + 1]; c++) {
          cells[columns.change_place[c]] = columns.change_piece[c];
        }
      }
      moves.push({ label: facts.move_labels[columns.move_label[m]], cells, before });
    }
    return moves;
  }

  result(iteration) {
    return this.facts.outcomes[this.columns.outcome[iteration - 1]].result;
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

function sums(values) {
  const running = new Uint32Array(values.length + 1);
  values.forEach((value, i) => (running[i + 1] = running[i] + value));
  return running;
}

/** Two decimals; never "-0.00". */
export const fixed = (number) => number.toFixed(2).replace(/^-0\.00$/, "0.00");

/** What was chosen, and how far ahead of its best rival it was; not-a-number without one. */
function choiceOf(move, margin) {
  if (Number.isNaN(margin)) return `${move} is followed`;
  if (margin < 0) return `${move} is followed, though another scores ${fixed(-margin)} more`;
  if (margin === 0) return `${move} has the highest, level with another`;
  return `${move} has the highest, by ${margin < 0.01 ? "less than 0.01" : fixed(margin)}`;
}

export const short = (number) => fixed(number).replace(/\.?0+$/, "");

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
