// The film of a search. Everything was computed before it came here; this file only looks numbers
// up. The film's iterations are counted by their places, from 1; where it leaves some out, `number`
// says which of the search it is. Phases count from 0 to 3; nodes are numbered by birth.

import { Columns, countUpTo, counted, fixed, short } from "./columns.js";

const PROVEN = "double frame: proven; a loss of the player who moved into the card is dotted";
const ROOM = 4.5; // a bar of the longest's length through this holds its number

export class Film extends Columns {
  constructor(facts, columns) {
    const leftOut = columns.left_out && { births: columns.left_out, ends: columns.left_out_ends };
    super(facts, columns, columns.birth, finalVisits(columns), { leftOut });
    this.legend = [
      "card: position, win bar, wins/visits, score",
      "wins are for the player who moved into the card",
      "thicker edge: more visits",
      "dashed card: just added",
      "+n: nodes without a card; a click opens some of them",
      ...(facts.proofs ? [PROVEN] : []),
    ];
    this.wholeStep = "the same phase, an iteration back or on";
    this.families = this.#placeFamilies();
    this.playoutStart = sums(columns.moves);
    this.changeStart = sums(columns.changes);
  }

  // Moving about: places are pairs of iteration and phase ----------------------------------

  phaseAt(iteration, phase) {
    return Math.max(0, Math.min(3, phase));
  }

  /** So many phases on. */
  after(iteration, phase, steps) {
    const moment = 4 * (iteration - 1) + phase + steps;
    return [Math.floor(moment / 4) + 1, ((moment % 4) + 4) % 4];
  }

  toPhase(iteration, phase) {
    return [iteration, phase];
  }

  /** The same phase of the next (1) or previous (-1) iteration. */
  same(iteration, phase, way) {
    return [iteration + way, phase];
  }

  // Looking up ------------------------------------------------------------------------------

  /** Where each family's terms begin; a row after each iteration through the parent, and one before. */
  #placeFamilies() {
    const families = new Map();
    let start = 0;
    for (const parent of this.facts.families) {
      const children = this.below[parent];
      const rows = this.#lastVisit(parent) - this.columns.visit_ends[parent] + 1;
      families.set(parent, { count: children.length, start, rows });
      start += 2 * children.length * rows;
    }
    return families;
  }

  #lastVisit(node) {
    return this.columns.visit_ends[node + 1];
  }

  /** The node's visits and wins after so many iterations. */
  statistics(node, iterations) {
    const { visit_wins, visit_ends, wins_before } = this.columns;
    const row = this.#rowAt(node, iterations);
    const wins = row ? visit_wins[visit_ends[node] + row - 1] : wins_before[node];
    return { visits: visitsInRow(this.columns, node, row), wins };
  }

  /** How many of the moments that changed the node's statistics are over by then. */
  #rowAt(node, iterations) {
    const { visit_times, visit_ends } = this.columns;
    return countUpTo(visit_times, visit_ends[node], this.#lastVisit(node), iterations);
  }

  /** 1 for a win of who moved into the node, proven after so many iterations; -1 for a loss; else 0. */
  proof(node, iterations) {
    const { proof, proven } = this.columns; // only in a film of a search with proofs
    return proof && proven[node] <= iterations ? proof[node] : 0;
  }

  /** The same in words, "" for 0. */
  proven(node, iterations) {
    return this.facts.proofs?.[this.proof(node, iterations)] ?? "";
  }

  /** The children that a node has by then, with statistics and both terms of their scores. */
  children(parent, iterations, born) {
    const family = this.families.get(parent);
    const row = this.#rowAt(parent, iterations);
    const rows = [];
    this.below[parent].forEach((node, place) => {
      if (this.columns.birth[node] > born) return;
      const terms = [0, 1].map((term) => (family ? this.#term(family, term, place, row) : NaN));
      const score = terms[0] + terms[1];
      rows.push({ node, ...this.statistics(node, iterations), terms, score, proof: this.proof(node, iterations) });
    });
    return rows;
  }

  #term(family, term, place, row) {
    const column = term * family.count + place;
    return this.columns.terms[family.start + column * family.rows + row];
  }

  /** All that is on the screen at one moment. */
  frame(iteration, phase) {
    const { birth, parent, leaf } = this.columns;
    const { view } = this;
    const number = this.number(iteration);
    const done = phase === 3 ? number : number - 1; // counted so far
    const born = phase === 0 ? number - 1 : number;
    const path = [];
    for (let node = leaf[iteration - 1]; node >= 0; node = parent[node]) {
      if (birth[node] <= born) path.unshift(node);
    }
    const onPath = new Set(path);
    const strip = path.filter((node) => !view.isCard.has(node));
    const added = path.find((node) => birth[node] === number);
    const score = this.#scores(done);
    const card = (node) => ({
      node,
      shown: birth[node] <= born,
      ...this.statistics(node, done),
      score: score(node),
      onPath: onPath.has(node),
      added: node === added,
      proven: this.proven(node, done),
    });
    const cards = view.cards.map(card);
    const open = strip.includes(path.at(-1)) ? view.owner[path.at(-1)] : -1;
    const stubs = view.stubs.map((stub) => {
      const count = countUpTo(stub.births, 0, stub.births.length, born);
      return { card: stub.card, count, text: `+${count}`, label: `${count} more nodes without cards`, onPath: stub.card === open };
    });
    return { iteration, number, phase, counted: done, born, path, onPath, strip, added, cards, slots: strip.map(card), stubs, visits: this.statistics(0, done).visits };
  }

  /** What a card says, how full its bar is, how thick its edge, and its mark. */
  look({ node, visits, wins, score, added, proven }, frame) {
    const [low, high] = this.facts.reward_range;
    const otherwise = node === 0 ? "root" : added ? "new" : "";
    return {
      share: `${short(wins)}/${visits}`,
      score: proven || (Number.isFinite(score) ? `${this.facts.rule} ${fixed(score)}` : otherwise),
      level: visits ? (wins / visits - low) / (high - low) : 0,
      weight: visits / Math.max(1, frame.visits),
      mark: proven,
    };
  }

  /** The moves from a node, best first, with both terms of their scores; a sentence on the node. */
  comparison(frame, focus) {
    const rows = this.children(focus, frame.counted, frame.born);
    rows.sort((a, b) => (b.proof - a.proof) || (b.score - a.score) || (Number.isNaN(a.score) - Number.isNaN(b.score)));
    const longest = Math.max(...rows.map((row) => row.score).filter(Number.isFinite), 1e-9);
    return {
      detail: this.#detail(frame, focus, rows),
      rows: rows.map(({ node, visits, wins, terms, score }) => {
        const scored = Number.isFinite(score);
        return {
          node,
          share: `${short(wins)}/${visits}`,
          score: this.proven(node, frame.counted) || (scored ? fixed(score) : "–"),
          bars: terms.map((term) => ({
            size: scored ? Math.max(0, term) / longest : 0,
            text: scored && term > longest / ROOM ? fixed(term) : "",
          })),
          chosen: frame.onPath.has(node),
        };
      }),
    };
  }

  #detail(frame, focus, rows) {
    const { facts, columns } = this;
    const { visits, wins } = this.statistics(focus, frame.counted);
    const who = facts.players[columns.mover[focus]];
    const share = `${short(wins)} of ${visits}`;
    const what = focus ? `${who} played ${this.label(focus)}: ${share} for ${who}.` : `${share} for ${who}, who moved before the root.`;
    if (this.#leavesOut(focus)) return `${what} The moves from here are not in this film, which leaves out most iterations.`;
    if (!rows.length) return `${what} No move from here is in the tree yet.`;
    if (!this.families.has(focus)) return `${what} Too little visited for the scores of its moves to be kept.`;
    return focus || frame.phase ? what : `${what} ${this.#otherC(frame.iteration - 1)}`;
  }

  /** Whether the node has children of which only their number is known. */
  #leavesOut(node) {
    const ends = this.columns.left_out_ends;
    return ends !== undefined && ends[node] < ends[node + 1];
  }

  /** For which other c the root's choice would have been another. */
  #otherC(place) {
    const { c_low: low, c_high: high, c_below: below, c_above: above } = this.columns;
    if (!low || Number.isNaN(low[place])) return "";
    const parts = [
      low[place] > 0 && `c < ${fixed(low[place])}: ${this.label(below[place])}`,
      Number.isFinite(high[place]) && `c > ${fixed(high[place])}: ${this.label(above[place])}`,
    ].filter(Boolean);
    if (!parts.length) return "Every c would choose the same.";
    return `Another c would choose otherwise (${parts.join("; ")}).`;
  }

  /** Whether a decision at the node can be explained. */
  decides(node) {
    return this.families.has(node);
  }

  /** What the exact truth says about the moment; a sentence why it is not known, else. */
  truth(frame) {
    const { unknown, moves, stays } = this.facts.truth;
    if (unknown) return unknown;
    if (!frame.counted) return stays;
    const most = this.#around("recommended", frame);
    return `Most visited so far: ${moves[most]}. ${stays}`;
  }

  /** The move that would be played at the root now; -1 without one. */
  played(frame) {
    return this.#around("play", frame);
  }

  /** From a column with two entries an iteration: what holds before it, and after it. */
  #around(name, { iteration, phase }) {
    return this.columns[name][2 * (iteration - 1) + (phase === 3 ? 1 : 0)] ?? -1;
  }

  /** The playout, move by move; it never enters the tree. */
  aside({ iteration, phase }) {
    const title = "Playout";
    if (phase < 2) return { title, shots: [], note: "Comes with the simulation." };
    const shots = this.playout(iteration);
    const result = this.result(iteration);
    const note = shots.length ? `${shots.map((move) => move.label).join(", ")}: ${result}. Never stored in the tree.` : `The game is over already: ${result}.`;
    return { title, shots, note };
  }

  /** A node's score after so many iterations; not-a-number where none is known. */
  #scores(iterations) {
    const { parent } = this.columns;
    const rows = new Map(); // siblings share theirs
    return (node) => {
      const above = parent[node];
      const family = this.families.get(above);
      if (!family) return NaN;
      if (!rows.has(above)) rows.set(above, this.#rowAt(above, iterations));
      const place = this.below[above].indexOf(node);
      return this.#term(family, 0, place, rows.get(above)) + this.#term(family, 1, place, rows.get(above));
    };
  }

  /** What happens, in words. */
  caption(iteration, phase) {
    const { columns, facts } = this;
    const last = columns.leaf[iteration - 1];
    const path = this.pathTo(last);
    const margin = columns.margin[iteration - 1];
    const outcome = facts.outcomes[columns.outcome[iteration - 1]];
    const slots = {
      k: this.number(iteration),
      choice: choiceOf(path.length > 1 ? this.label(path[1]) : "", margin),
      walked: counted(columns.walked[iteration - 1], "move"),
      player: facts.players[columns.mover[last]],
      move: this.label(last),
      moves: counted(columns.moves[iteration - 1], "move"),
      nodes: counted(path.length, "node"),
      proved: counted(path.filter((node) => columns.proof?.[node] && columns.proven[node] === this.number(iteration)).length, "position"),
      result: outcome.result,
      rewards: outcome.rewards,
    };
    const pattern = facts.patterns[columns.pattern[4 * (iteration - 1) + phase]];
    return pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
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

/** The visits of a node when so many of its moments are over. */
function visitsInRow({ visit_counts, visit_ends, visits_before }, node, row) {
  return visit_counts && row ? visit_counts[visit_ends[node] + row - 1] : visits_before[node] + row;
}

/** By node: its visits in the end. */
function finalVisits(columns) {
  const { visit_ends, visits_before } = columns;
  return visits_before.map((_, node) => visitsInRow(columns, node, visit_ends[node + 1] - visit_ends[node]));
}

function sums(values) {
  const running = new Uint32Array(values.length + 1);
  values.forEach((value, i) => (running[i + 1] = running[i] + value));
  return running;
}

/** What was chosen, and how far ahead of its best rival it was; not-a-number without one. */
function choiceOf(move, margin) {
  if (Number.isNaN(margin)) return `${move} is followed`;
  if (margin < 0) return `${move} is followed, though another scores ${fixed(-margin)} more`;
  if (margin === 0) return `${move} has the highest, level with another`;
  return `${move} has the highest, by ${margin < 0.01 ? "less than 0.01" : fixed(margin)}`;
}
