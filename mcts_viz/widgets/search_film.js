// The film of a search: what every moment shows.

import { Columns, countUpTo } from "./columns.js";
import { counted, filled, fixed, short } from "./words.js";

const UNKNOWN = -32768; // in a column of hundredths

/** The film of a search. */
export class Film extends Columns {
  unit = "iteration";
  wholeStep = "the same phase, an iteration back or on";

  constructor(facts, columns) {
    super(facts, columns);
    this.playoutStart = sums(columns.moves);
    this.changeStart = sums(columns.changes);
    // Where the scores of each node's children begin: one after each of the moments that changed it.
    this.scoreStart = sums(this.below.map((children, node) => children.length * (this.#rowAt(node, Infinity) + 1)));
  }

  // Moving about: places are pairs of iteration and phase ----------------------------------

  phaseAt(index, phase) {
    return Math.max(0, Math.min(3, phase));
  }

  /** So many phases on. */
  after(index, phase, steps) {
    const moment = 4 * (index - 1) + phase + steps;
    return [Math.floor(moment / 4) + 1, ((moment % 4) + 4) % 4];
  }

  toPhase(index, phase) {
    return [index, phase];
  }

  /** The same phase of the next (1) or previous (-1) iteration. */
  stepIteration(index, phase, way) {
    return [index + way, phase];
  }

  // Looking up ------------------------------------------------------------------------------

  /** The node's visits and wins after so many iterations. */
  statistics(node, iterations) {
    const { visit_counts, visit_wins, visit_ends, visits_before, wins_before } = this.columns;
    const row = this.#rowAt(node, iterations);
    const last = visit_ends[node] + row - 1;
    if (!row) return { visits: visits_before[node], wins: wins_before[node] };
    return { visits: visit_counts ? visit_counts[last] : visits_before[node] + row, wins: visit_wins[last] };
  }

  /** How many of the moments that changed the node's statistics are over by then. */
  #rowAt(node, iterations) {
    const { visit_ends, visit_times } = this.columns;
    return countUpTo(visit_times, visit_ends[node], visit_ends[node + 1], iterations);
  }

  /** 1 for a win of who moved into the node, proven after so many iterations; -1 for a loss; else 0. */
  proof(node, iterations) {
    const { proof, proven } = this.columns; // only in a film of a search with proofs
    return proof && proven[node] <= iterations ? proof[node] : 0;
  }

  /** A child's mean and score among its siblings after so many iterations; not-a-number without. */
  scoreOf(node, iterations) {
    const parent = this.columns.parent[node];
    if (parent < 0) return { mean: NaN, score: NaN };
    const at = this.scoreStart[parent] + this.birthPlace[node] * (this.#rowAt(parent, Infinity) + 1) + this.#rowAt(parent, iterations);
    const known = ({ [at]: hundredths }) => (hundredths === UNKNOWN ? NaN : hundredths / 100);
    return { mean: known(this.columns.means), score: known(this.columns.scores) };
  }

  /** All that is known of one moment; cards are looked up when they are drawn. */
  frame(index, phase) {
    const iteration = this.iterationAt(index);
    const addedAt = phase === 0 ? iteration - 1 : iteration;
    const fullPath = this.pathTo(this.end(index)); // as it will be when the iteration is over
    const path = fullPath.filter((node) => this.births[node] <= addedAt);
    const countedTo = phase === 3 ? iteration : iteration - 1;
    const added = path.find((node) => this.births[node] === iteration);
    return { index, iteration, phase, counted: countedTo, addedAt, fullPath, path, onPath: new Set(path), added, visits: this.statistics(0, countedTo).visits };
  }

  /** What a card says: wins and visits, the score and its terms, and how full and how thick. */
  card(node, frame, after = frame.counted) {
    const [low, high] = this.facts.reward_range;
    const { visits, wins } = this.statistics(node, after);
    const { mean, score } = this.scoreOf(node, after);
    const proof = this.facts.proofs?.[this.proof(node, after)] ?? "";
    const rest = visits === 1 ? " visit" : " visits";
    if (!node) return { visits, main: String(visits), rest, score: "", terms: [NaN, NaN], fill: 0, visit_share: 1, mark: proof, note: proof || this.facts.to_move };
    const added = node === frame.added && !visits;
    const { prior } = this.columns; // only in a film of a search with a guide
    return {
      visits,
      prior: prior && `P ${fixed(prior[node])}`,
      main: added ? "new" : short(wins),
      rest: added ? "" : `/${visits}`,
      score: proof || (Number.isFinite(score) ? fixed(score) : ""),
      terms: [mean, score - mean],
      fill: visits ? (wins / visits - low) / (high - low) : 0,
      visit_share: visits / Math.max(1, frame.visits),
      mark: proof,
    };
  }

  /** What was compared at a node when this iteration's walk was there, the chosen move first. */
  comparison(frame, focus) {
    const before = frame.iteration - 1;
    const chosen = frame.fullPath[frame.fullPath.indexOf(focus) + 1];
    const over = frame.phase === 3;
    const rows = this.below[focus].filter((node) => this.births[node] <= before).map((node) => {
      const { main, rest, score, terms, mark } = this.card(node, frame, before);
      const after = over && node === chosen && this.card(node, frame);
      return {
        node, share: main + rest, score: score || "–", chosen: node === chosen, proof: this.proof(node, before), value: this.scoreOf(node, before).score,
        terms: mark ? [NaN, NaN] : terms, after: after && [after.main + after.rest, after.score],
      };
    });
    rows.sort((a, b) => (b.chosen - a.chosen) || (b.proof - a.proof) || (b.value - a.value) || (Number.isNaN(a.value) - Number.isNaN(b.value)));
    const longest = Math.max(...rows.map(({ value }) => value).filter(Number.isFinite), 1e-9);
    return { title: this.#decision(frame, focus, chosen, rows), rows, longest, detail: this.#detail(frame, focus, rows) };
  }

  #decision(frame, focus, chosen, rows) {
    const where = this.named(focus);
    if (!rows.length) return `No move ${where} has been tried yet`;
    if (chosen === undefined) return `Moves ${where}`;
    if (this.births[chosen] === frame.iteration) return "Not compared: an untried move is left";
    const lead = focus ? rows[0].value - Math.max(...rows.slice(1).map(({ value }) => value).filter(Number.isFinite)) : this.columns.lead[frame.index - 1];
    return `Selected ${where}: ${this.label(chosen)}${lead >= 0 && lead < Infinity ? leadOf(lead) : ""}`;
  }

  #detail(frame, focus, rows) {
    const ends = this.columns.left_out_ends; // of the children of which only their number is known
    if (ends && ends[focus] < ends[focus + 1]) return "The moves from here are not in this film, which leaves out most iterations.";
    return focus || !rows.length ? "" : this.#otherC(frame.index - 1);
  }

  /** For which other c the root's choice would have been another. */
  #otherC(place) {
    const { c_low: low, c_high: high, c_below: below, c_above: above } = this.columns;
    if (!low || Number.isNaN(low[place])) return "";
    const parts = [
      low[place] > 0 && `${this.label(below[place])} if c < ${fixed(low[place])}`,
      Number.isFinite(high[place]) && `${this.label(above[place])} if c > ${fixed(high[place])}`,
    ].filter(Boolean);
    return parts.length ? `Another c would choose otherwise: ${parts.join(", ")}.` : "Every c would choose the same.";
  }

  /** What the exact truth says about the moment; a sentence why it is not known, else. */
  truth(frame) {
    const { unknown, moves, stays } = this.facts.truth;
    if (unknown) return unknown;
    if (!frame.counted) return stays;
    return `Most visited so far: ${moves[this.rootMove("recommended", frame)]}. ${stays}`;
  }

  /** The root's move in a column that holds one from before each iteration, and one from after it; -1 for none. */
  rootMove(name, { index, phase }) {
    return this.columns[name][2 * (index - 1) + (phase === 3 ? 1 : 0)] ?? -1;
  }

  /** The line of the algorithm in which it happens. */
  code({ phase }) {
    return this.facts.code[phase];
  }

  /** The playout, move by move; it never enters the tree. */
  playoutPanel({ index, phase }) {
    if (phase < 2) return { title: "Playout", shots: [], note: "" };
    return { title: `Playout: ${this.outcome(index).result}`, shots: this.playout(index), note: "Never stored in the tree." };
  }

  /** What happens, in words. */
  caption({ index, iteration, phase, fullPath }) {
    const { columns, facts } = this;
    const last = fullPath.at(-1);
    const slots = {
      k: iteration,
      choice: choiceOf(fullPath.length > 1 ? this.label(fullPath[1]) : "", columns.lead[index - 1]),
      walked: counted(columns.walked[index - 1], "move"),
      player: facts.players[columns.player_just_moved[last]],
      move: this.label(last),
      moves: counted(columns.moves[index - 1], "move"),
      nodes: counted(fullPath.length, "node"),
      proved: counted(fullPath.filter((node) => columns.proof?.[node] && columns.proven[node] === iteration).length, "position"),
      ...this.outcome(index),
    };
    return filled(facts.patterns[columns.pattern[4 * (index - 1) + phase]], slots);
  }

  /** The moves of an iteration's playout: labels, and on a board the cells after each. */
  playout(index) {
    const { columns, facts } = this;
    const moves = [];
    let cells = facts.board && this.cells(this.end(index));
    for (let m = this.playoutStart[index - 1]; m < this.playoutStart[index]; m++) {
      const before = cells;
      if (cells) {
        cells = Uint8Array.from(cells);
        for (let c = this.changeStart[m]; c < this.changeStart[m + 1]; c++) cells[columns.change_place[c]] = columns.change_piece[c];
      }
      moves.push({ label: facts.move_labels[columns.move_label[m]], cells, before });
    }
    return moves;
  }

  /** How an iteration's playout ended, in words: its `result` and `rewards`. */
  outcome(index) {
    return this.facts.outcomes[this.columns.outcome[index - 1]];
  }

  /** What goes back up the path, for the player who moved into the last node: "+1 for X". */
  token(index) {
    const node = this.end(index);
    const gain = this.statistics(node, this.iterationAt(index)).wins - this.statistics(node, this.iterationAt(index) - 1).wins;
    return `+${short(gain)} for ${this.facts.players[this.columns.player_just_moved[node]]}`;
  }
}

function sums(values) {
  const running = new Uint32Array(values.length + 1);
  values.forEach((value, i) => (running[i + 1] = running[i] + value));
  return running;
}

/** What was chosen, and how far ahead of its best rival it was; not-a-number without one. */
function choiceOf(move, lead) {
  if (Number.isNaN(lead)) return `${move} is followed`;
  if (lead < 0) return `${move} is followed, though another scores ${fixed(-lead)} more`;
  return `${move} scores highest${leadOf(lead)}`;
}

const leadOf = (lead) => (lead ? `, by ${lead < 0.01 ? "less than 0.01" : fixed(lead)}` : ", level with another");
