// A film of minimax or alpha-beta. An iteration is one step of the walk, and its phase is what
// happens in it. All texts were made before they came here.

import { Columns, countUpTo } from "./columns.js";
import { sizes, stubText } from "./views.js";

export class MinimaxFilm extends Columns {
  constructor(facts, columns) {
    super(facts, columns, columns.entry, sizes(columns.parent), { cut: columns.pruned });
    this.legend = [
      "card: position, whose turn, value for MAX, window",
      "bar: full if MAX wins, empty if MIN wins",
      "dashed card: just entered",
      "+n: nodes without a card; a click opens some of them",
      "✂n: moves cut off, never looked at",
    ];
    this.wholeStep = "the next step of the same kind";
  }

  // Moving about: places are pairs of iteration and phase ----------------------------------

  /** A step has but one phase. */
  phaseAt(iteration) {
    return this.columns.event[iteration - 1];
  }

  /** So many steps on. */
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

  // What is seen ----------------------------------------------------------------------------

  /** All that is on the screen when a step has just happened. */
  frame(iteration) {
    const { columns, facts, view } = this;
    const phase = this.phaseAt(iteration);
    const path = this.pathTo(columns.node[iteration - 1]);
    const onPath = new Set(path);
    const strip = path.filter((node) => !view.isCard.has(node));
    const added = facts.phases[phase] === "enter" ? path.at(-1) : undefined;
    const open = strip.includes(path.at(-1)) ? view.owner[path.at(-1)] : -1;
    const card = (node) => ({
      node,
      shown: columns.entry[node] <= iteration,
      ...this.#history(node, iteration),
      onPath: onPath.has(node),
      added: node === added,
    });
    const stubs = view.stubs.map((stub) => this.#stub(stub, iteration, stub.card === open));
    return { iteration, phase, path, onPath, strip, added, cards: view.cards.map(card), slots: strip.map(card), stubs };
  }

  /** What a card says, how full its bar is, how thick its edge, and its mark. */
  look({ share, score, level }) {
    return { share, score, level, weight: 0, mark: "" };
  }

  /** What the node's card says after a step. */
  #history(node, step) {
    const { columns, facts } = this;
    const { steps, step_ends } = columns;
    const count = countUpTo(steps, step_ends[node], step_ends[node + 1], step);
    if (!count) return { share: "", score: "", level: 0 };
    const place = step_ends[node] + count - 1;
    return {
      share: facts.values[columns.value[place]],
      score: facts.windows[columns.window[place]],
      level: columns.level[place],
    };
  }

  #stub({ card, births }, step, onPath) {
    const { cut, pruned: left } = this.columns;
    const hidden = countUpTo(births, 0, births.length, step);
    const pruned = cut[card] && cut[card] <= step ? left[card] : 0;
    const label = [hidden && `${hidden} more nodes without cards`, pruned && `${pruned} moves cut off`].filter(Boolean).join(", ");
    return { card, count: hidden + pruned, text: stubText(hidden, pruned), label, onPath };
  }

  /** The moves from a node, with what is known of each, and a sentence on the node. */
  comparison(frame, focus) {
    const { columns } = this;
    const name = focus ? `After ${this.label(focus)}` : "At the root";
    const own = this.#history(focus, frame.iteration);
    const rows = this.below[focus]
      .filter((node) => columns.entry[node] <= frame.iteration)
      .map((node) => {
        const { share, score, level } = this.#history(node, frame.iteration);
        return { node, share, score, bars: [{ size: level, text: "" }, { size: 0, text: "" }], chosen: frame.onPath.has(node) };
      });
    return { detail: `${name}: ${own.share}${own.score ? `, ${own.score}` : ""}.`, rows };
  }

  /** Whether there is anything to compare at the node. */
  decides(node) {
    return this.below[node].length > 0;
  }

  caption(iteration) {
    return this.facts.captions[this.columns.caption[iteration - 1]];
  }

  /** A walk plays nothing out; it counts what it has seen. */
  aside(frame) {
    const counts = this.facts.phases.map(() => 0);
    for (const event of this.columns.event.subarray(0, frame.iteration)) counts[event] += 1;
    const [entered, evaluated, , cut] = counts;
    return { title: "So far", shots: [], note: `${entered} nodes entered, ${evaluated} ends of games evaluated, ${cut} cutoffs.` };
  }
}
