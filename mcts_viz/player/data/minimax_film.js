// A film of minimax or alpha-beta. All texts were made before they came here.

import { Columns, countUpTo } from "./columns.js";
import { counted, grouped } from "./words.js";

/** A film of minimax or alpha-beta: an iteration is one step, and its phase is what happens in it. */
export class MinimaxFilm extends Columns {
  unit = "step";
  threadNoun = "games";
  wholeStep = "the next step of the same kind";

  /** A step has but one phase. */
  phaseAt(index) {
    return this.columns.event[index - 1];
  }

  after(index, phase, steps) {
    return [index + steps, phase];
  }

  /** The next step in which that happens; the last one, if there is none. */
  toPhase(index, phase) {
    if (this.phaseAt(index) === phase) return [index, phase];
    const ahead = this.stepIteration(index, phase, 1);
    return ahead[0] > index ? ahead : this.stepIteration(index, phase, -1);
  }

  /** The next (1) or previous (-1) step in which the same happens. */
  stepIteration(index, phase, way) {
    const { event } = this.columns;
    const found =
      way > 0 ? event.indexOf(phase, index) : event.subarray(0, index - 1).lastIndexOf(phase);
    return [found < 0 ? index : found + 1, phase];
  }

  /** All that is known of one step; nothing was selected on a walk, move by move. */
  frame(index) {
    const phase = this.phaseAt(index);
    const path = this.pathTo(this.end(index));
    const added = this.facts.phases[phase] === "enter" ? path.at(-1) : undefined;
    return {
      index,
      iteration: index,
      phase,
      addedAt: index,
      fullPath: path,
      path,
      onPath: new Set(path),
      added,
      walk: [],
      levels: 0,
    };
  }

  /** What the node's card says after a step. */
  card(node, { index }) {
    const { columns, facts } = this;
    const { steps, step_ends, cut, pruned } = columns;
    const count = countUpTo(steps, step_ends[node], step_ends[node + 1], index);
    const place = step_ends[node] + Math.max(0, count - 1);
    const lost = cut[node] && cut[node] <= index && pruned[node] ? ` ✂${pruned[node]}` : "";
    const value = facts.values[columns.value[place]];
    const isEntered = this.births[node] <= index;
    const ends = `${facts.estimated ? "about " : ""}${counted(Math.round(columns.leaves[node]), "end")}`;
    return {
      main: isEntered ? value : "?",
      rest: isEntered ? lost : "",
      few: isEntered ? value.split(" ").slice(1).join(" ") : "?",
      score: (isEntered && facts.windows[columns.window[place]]) || ends,
      terms: [columns.fill[place] || 0, 0],
      mark: "",
      dashed: !isEntered,
      visits: Math.round(columns.leaves[node]),
    };
  }

  /** A node's share of all games, for a reader who hears the page. */
  told(node, frame) {
    const { main, rest } = this.card(node, frame);
    const ends = `${this.facts.estimated ? "about " : ""}${grouped(Math.round(this.columns.leaves[node]))}`;
    return `${main}${rest}, ${ends} of ${grouped(Math.round(this.columns.leaves[0]))} games end here`;
  }

  /** The line of the algorithm in which it happens. */
  code({ index }) {
    return this.facts.code[this.columns.line[index - 1]];
  }

  /** The moves from a node, with what is known of each. */
  table(frame, node) {
    const own = this.card(node, frame);
    const rows = this.children(node, frame).map((child) => {
      const { main, rest, score, terms } = this.card(child, frame);
      return {
        node: child,
        share: main + rest,
        said: score,
        terms,
        chosen: frame.onPath.has(child),
      };
    });
    const known = [own.main + own.rest, own.score].filter(Boolean).join(", ");
    const title = `${node ? `After ${this.label(node)}` : "At the root"}: ${known}`;
    return { title, rows, scores: [], digits: 0, longest: 1 };
  }

  /** What a row of the ladder says of a node; its bars are filled as in the table. */
  decision(frame, node, numbered) {
    const { main, rest, score } = this.card(node, frame);
    return {
      name: node ? `After ${this.label(node)}` : "Root",
      about: [main + rest, score],
      more: [],
      long: 0,
      ends: [0, 1],
      ranked: this.children(node, frame).map(numbered),
      rule: "",
    };
  }

  caption({ index }) {
    return this.facts.captions[this.columns.caption[index - 1]];
  }

  /** What the walk has seen so far, counted. */
  playoutPanel(frame) {
    const events = this.columns.event.subarray(0, frame.index);
    const seen = this.facts.phases.map(
      (name, phase) =>
        `${events.filter((event) => event === phase).length} × ${name.replace("_", " ")}`,
    );
    return { title: "So far", note: seen.join(", "), moves: [] };
  }
}
