// A film of minimax or alpha-beta. All texts were made before they came here.

import { Columns, countUpTo, counted } from "./film.js";

/** A film of minimax or alpha-beta: an iteration is one step, and its phase is what happens in it. */
export class MinimaxFilm extends Columns {
  constructor(facts, columns) {
    super(facts, columns, columns.entry);
    this.wholeStep = "the next step of the same kind";
    this.unit = "step";
  }

  /** A step has but one phase. */
  phaseAt(iteration) {
    return this.columns.event[iteration - 1];
  }

  after(iteration, phase, steps) {
    return [iteration + steps, phase];
  }

  /** The next step in which that happens; the last one, if there is none. */
  toPhase(iteration, phase) {
    const { event } = this.columns;
    if (event[iteration - 1] === phase) return [iteration, phase];
    const ahead = event.indexOf(phase, iteration);
    return [ahead >= 0 ? ahead + 1 : (event.lastIndexOf(phase, iteration - 1) + 1 || iteration), phase];
  }

  /** The next (1) or previous (-1) step in which the same happens. */
  same(iteration, phase, way) {
    const { event } = this.columns;
    if (way < 0 && iteration === 1) return [1, phase];
    const found = way > 0 ? event.indexOf(phase, iteration) : event.lastIndexOf(phase, iteration - 2);
    return [found < 0 ? iteration : found + 1, phase];
  }

  end(place) {
    return this.columns.node[place - 1];
  }

  frame(iteration) {
    const phase = this.phaseAt(iteration);
    const path = this.pathTo(this.end(iteration));
    const added = this.facts.phases[phase] === "enter" ? path.at(-1) : undefined;
    return { iteration, number: iteration, phase, born: iteration, spine: path, path, onPath: new Set(path), added };
  }

  /** What the node's card says after a step. */
  card(node, { iteration }) {
    const { columns, facts } = this;
    const { steps, step_ends, cut, pruned } = columns;
    const count = countUpTo(steps, step_ends[node], step_ends[node + 1], iteration);
    const place = step_ends[node] + Math.max(0, count - 1);
    const lost = cut[node] && cut[node] <= iteration ? `✂${pruned[node]}` : "";
    return { main: facts.values[columns.value[place]], rest: "", score: facts.windows[columns.window[place]], terms: [columns.level[place], 0], level: columns.level[place], weight: 0, mark: "", more: lost };
  }

  /** The moves from a node, with what is known of each. */
  comparison(frame, focus) {
    const own = this.card(focus, frame);
    const rows = this.children(focus, frame).map((node) => {
      const { main, score, level } = this.card(node, frame);
      return { node, share: main, score, bars: [level, 0], chosen: frame.onPath.has(node), after: false };
    });
    return { title: `${focus ? `After ${this.label(focus)}` : "At the root"}: ${[own.main, own.score, own.more].filter(Boolean).join(", ")}`, rows, detail: "" };
  }

  caption(iteration) {
    return this.facts.captions[this.columns.caption[iteration - 1]];
  }

  /** A walk plays nothing out; it counts what it has seen. */
  aside(frame) {
    const counts = this.facts.phases.map(() => 0);
    for (const event of this.columns.event.subarray(0, frame.iteration)) counts[event] += 1;
    const [entered, evaluated, , cut] = counts;
    return { title: "So far", shots: [], note: `${counted(entered, "node")} entered, ${counted(evaluated, "end")} of a game evaluated, ${counted(cut, "cutoff")}.` };
  }
}
