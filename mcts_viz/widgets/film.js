// A film: columns of numbers, unpacked once and looked up. Everything was computed before it came
// here, so no formula and no rule stands in this file. A film's iterations are counted by their
// places, from 1; where it leaves some out, `number` says which of the search it is. Phases count
// from 0; nodes are numbered in order of creation, the root is 0.

const BYTES = { Int8: Int8Array, Uint8: Uint8Array, Int16: Int16Array, Uint16: Uint16Array, Uint32: Uint32Array, Int32: Int32Array, Float32: Float32Array };
const UNKNOWN = -32768; // in a column of hundredths

/** The columns of a film; `facts` say where each begins in `packed`, a DataView of deflated bytes. */
export async function unpack(facts, packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  return Object.fromEntries(Object.entries(facts.columns).map(([name, { type, offset, length }]) => [name, new BYTES[type](bytes, offset, length)]));
}

/** A tree of numbered nodes, parents before their children. */
export class Columns {
  constructor(facts, columns) {
    const { created_at: births } = columns; // by node; they never fall
    Object.assign(this, { facts, columns, births });
    this.below = Array.from(columns.parent, () => []); // children, in the order of their moves
    this.birthPlace = [0]; // among the children of a parent, in order of creation
    const depth = [1];
    [this.levels, this.rows] = [[1], [0]]; // by node: the longest path and the most children by then
    for (let node = 1; node < births.length; node++) {
      const parent = columns.parent[node];
      this.birthPlace.push(this.below[parent].length);
      depth.push(depth[parent] + 1);
      this.levels.push(Math.max(this.levels[node - 1], depth[node]));
      this.rows.push(Math.max(this.rows[node - 1], this.below[parent].push(node)));
    }
    for (const children of this.below) children.sort((a, b) => columns.order[a] - columns.order[b] || a - b);
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

  /** The last node of the path at a place. */
  end(place) {
    return this.columns.leaf[place - 1];
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
  children(node, { number }) {
    return this.below[node].filter((child) => this.births[child] <= number);
  }

  /** How long the paths have been by then, and how many moves were at most beside each other. */
  extent({ number }) {
    const last = countUpTo(this.births, 0, this.births.length, number) - 1;
    return { levels: this.levels[last], rows: this.rows[last] };
  }
}

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
  stepIteration(iteration, phase, way) {
    return [iteration + way, phase];
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
  frame(iteration, phase) {
    const number = this.number(iteration);
    const addedAt = phase === 0 ? number - 1 : number;
    const fullPath = this.pathTo(this.end(iteration)); // as it will be when the iteration is over
    const path = fullPath.filter((node) => this.births[node] <= addedAt);
    const counted = phase === 3 ? number : number - 1;
    const added = path.find((node) => this.births[node] === number);
    return { iteration, number, phase, counted, addedAt, fullPath, path, onPath: new Set(path), added, visits: this.statistics(0, counted).visits };
  }

  /** What a card says: wins and visits, the score and its terms, and how full and how thick. */
  card(node, frame, counted = frame.counted) {
    const [low, high] = this.facts.reward_range;
    const { visits, wins } = this.statistics(node, counted);
    const { mean, score } = this.scoreOf(node, counted);
    const proof = this.facts.proofs?.[this.proof(node, counted)] ?? "";
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
    const before = frame.number - 1;
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
    if (this.births[chosen] === frame.number) return "Not compared: an untried move is left";
    const lead = focus ? rows[0].value - Math.max(...rows.slice(1).map(({ value }) => value).filter(Number.isFinite)) : this.columns.lead[frame.iteration - 1];
    return `Selected ${where}: ${this.label(chosen)}${lead >= 0 && lead < Infinity ? leadOf(lead) : ""}`;
  }

  #detail(frame, focus, rows) {
    const ends = this.columns.left_out_ends; // of the children of which only their number is known
    if (ends && ends[focus] < ends[focus + 1]) return "The moves from here are not in this film, which leaves out most iterations.";
    return focus || !rows.length ? "" : this.#otherC(frame.iteration - 1);
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
  rootMove(name, { iteration, phase }) {
    return this.columns[name][2 * (iteration - 1) + (phase === 3 ? 1 : 0)] ?? -1;
  }

  /** The line of the algorithm in which it happens. */
  code({ phase }) {
    return this.facts.code[phase];
  }

  /** The playout, move by move; it never enters the tree. */
  playoutPanel({ iteration, phase }) {
    if (phase < 2) return { title: "Playout", shots: [], note: "" };
    return { title: `Playout: ${this.outcome(iteration).result}`, shots: this.playout(iteration), note: "Never stored in the tree." };
  }

  /** What happens, in words. */
  caption({ iteration, number, phase, fullPath }) {
    const { columns, facts } = this;
    const last = fullPath.at(-1);
    const slots = {
      k: number,
      choice: choiceOf(fullPath.length > 1 ? this.label(fullPath[1]) : "", columns.lead[iteration - 1]),
      walked: counted(columns.walked[iteration - 1], "move"),
      player: facts.players[columns.player_just_moved[last]],
      move: this.label(last),
      moves: counted(columns.moves[iteration - 1], "move"),
      nodes: counted(fullPath.length, "node"),
      proved: counted(fullPath.filter((node) => columns.proof?.[node] && columns.proven[node] === number).length, "position"),
      ...this.outcome(iteration),
    };
    return filled(facts.patterns[columns.pattern[4 * (iteration - 1) + phase]], slots);
  }

  /** The moves of an iteration's playout: labels, and on a board the cells after each. */
  playout(iteration) {
    const { columns, facts } = this;
    const moves = [];
    let cells = facts.board && this.cells(this.end(iteration));
    for (let m = this.playoutStart[iteration - 1]; m < this.playoutStart[iteration]; m++) {
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
  outcome(iteration) {
    return this.facts.outcomes[this.columns.outcome[iteration - 1]];
  }

  /** What goes back up the path, for the player who moved into the last node: "+1 for X". */
  token(iteration) {
    const node = this.end(iteration);
    const gain = this.statistics(node, this.number(iteration)).wins - this.statistics(node, this.number(iteration) - 1).wins;
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

/** A sentence with its slots filled. */
export const filled = (pattern, slots) => pattern.replace(/\{(\w+)\}/g, (_, name) => slots[name]);

/** Two decimals; never "-0.00". */
export const fixed = (number) => number.toFixed(2).replace(/^-0\.00$/, "0.00");

export const short = (number) => fixed(number).replace(/\.?0+$/, "");

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// A film of minimax or alpha-beta. All texts were made before they came here.

/** A film of minimax or alpha-beta: an iteration is one step, and its phase is what happens in it. */
export class MinimaxFilm extends Columns {
  unit = "step";
  wholeStep = "the next step of the same kind";

  /** A step has but one phase. */
  phaseAt(iteration) {
    return this.columns.event[iteration - 1];
  }

  after(iteration, phase, steps) {
    return [iteration + steps, phase];
  }

  /** The next step in which that happens; the last one, if there is none. */
  toPhase(iteration, phase) {
    if (this.phaseAt(iteration) === phase) return [iteration, phase];
    const ahead = this.stepIteration(iteration, phase, 1);
    return ahead[0] > iteration ? ahead : this.stepIteration(iteration, phase, -1);
  }

  /** The next (1) or previous (-1) step in which the same happens. */
  stepIteration(iteration, phase, way) {
    const { event } = this.columns;
    const found = way > 0 ? event.indexOf(phase, iteration) : event.subarray(0, iteration - 1).lastIndexOf(phase);
    return [found < 0 ? iteration : found + 1, phase];
  }

  frame(iteration) {
    const phase = this.phaseAt(iteration);
    const path = this.pathTo(this.end(iteration));
    const added = this.facts.phases[phase] === "enter" ? path.at(-1) : undefined;
    return { iteration, number: iteration, phase, addedAt: iteration, fullPath: path, path, onPath: new Set(path), added };
  }

  /** What the node's card says after a step. */
  card(node, { iteration }) {
    const { columns, facts } = this;
    const { steps, step_ends, cut, pruned } = columns;
    const count = countUpTo(steps, step_ends[node], step_ends[node + 1], iteration);
    const place = step_ends[node] + Math.max(0, count - 1);
    const lost = cut[node] && cut[node] <= iteration ? `✂${pruned[node]}` : "";
    return { main: facts.values[columns.value[place]], rest: "", score: facts.windows[columns.window[place]], terms: [columns.fill[place], 0], fill: columns.fill[place], visit_share: 0, mark: "", more: lost };
  }

  /** The line of the algorithm in which it happens. */
  code({ iteration }) {
    return this.facts.code[this.columns.line[iteration - 1]];
  }

  /** The moves from a node, with what is known of each. */
  comparison(frame, focus) {
    const own = this.card(focus, frame);
    const rows = this.children(focus, frame).map((node) => {
      const { main, score, fill } = this.card(node, frame);
      return { node, share: main, score, terms: [fill, 0], chosen: frame.onPath.has(node), after: false };
    });
    return { title: `${focus ? `After ${this.label(focus)}` : "At the root"}: ${[own.main, own.score, own.more].filter(Boolean).join(", ")}`, rows, longest: 1 };
  }

  caption({ iteration }) {
    return this.facts.captions[this.columns.caption[iteration - 1]];
  }

  /** A walk plays nothing out; it counts what it has seen. */
  playoutPanel(frame) {
    const counts = this.facts.phases.map(() => 0);
    for (const event of this.columns.event.subarray(0, frame.iteration)) counts[event] += 1;
    const [entered, evaluated, , cut] = counts;
    return { title: "So far", shots: [], note: `${counted(entered, "node")} entered, ${counted(evaluated, "end")} of a game evaluated, ${counted(cut, "cutoff")}.` };
  }
}
