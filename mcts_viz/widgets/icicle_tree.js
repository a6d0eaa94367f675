// What an icicle shows: every node of a film's tree, with its size and its tone at any moment.

import { Columns, countUpTo } from "./columns.js";
import { grouped } from "./words.js";

const COLUMNS = [ // of all nodes, if a film leaves some out
  "parent", "created_at", "player_just_moved", "leaf", "outcome", "order",
  "visits_before", "wins_before",
];

class Nodes {
  constructor(film) {
    const { columns } = film;
    this.film = film;
    const whole = Object.fromEntries(COLUMNS.map((name) => [name, columns[`all_${name}`] ?? columns[name]]));
    Object.assign(this, whole);
    this.below = columns.all_parent ? new Columns(film.facts, whole).below : film.below;
    this.shown = columns.all_shown; // by node: its number in the film, -1 if it is not there
    this.numberOf = this.shown && Int32Array.from({ length: film.births.length });
    this.shown?.forEach((node, number) => node < 0 || (this.numberOf[node] = number));
    [this.depth, this.deepest] = [[0], 0]; // of a node, and of all
    for (let node = 1; node < whole.parent.length; node++) {
      this.depth.push(this.depth[whole.parent[node]] + 1);
      this.deepest = Math.max(this.deepest, this.depth[node]);
    }
  }

  /** A node of the film as a node of the tree, and back: of one that is not shown the nearest above. */
  inTree(node) {
    return this.numberOf ? this.numberOf[node] : node;
  }

  inFilm(node) {
    if (!this.shown) return node;
    while (this.shown[node] < 0) node = this.parent[node];
    return this.shown[node];
  }

  label(node) {
    return !this.shown || this.shown[node] >= 0 ? this.film.label(this.inFilm(node)) : "";
  }

  /** Stand at a moment, when so many nodes are there. */
  at({ addedAt }) {
    this.total = countUpTo(this.created_at, 0, this.created_at.length, addedAt);
  }
}

/** The nodes of a search with their visits and means at any moment. */
class SearchNodes extends Nodes {
  legend = "The whole tree: height = visits";
  colours = ["0", "mean of who moved", "1"];

  constructor(film) {
    super(film);
    this.gains = film.facts.gains; // by outcome and player
    [this.low, this.high] = film.facts.reward_range;
    this.#reset();
  }

  #reset() {
    this.counted = 0;
    this.visits = Float64Array.from(this.visits_before);
    this.wins = Float64Array.from(this.wins_before);
  }

  /** Stand at a moment: paths are counted from where it stood before, or from the beginning. */
  at(frame) {
    super.at(frame);
    const { counted } = frame;
    if (this.film.facts.watched) return this.#lookUp(counted);
    if (counted < this.counted / 2) this.#reset();
    const { gains, leaf, outcome, parent, player_just_moved: player, visits, wins } = this;
    const more = counted > this.counted ? 1 : -1;
    const [begin, end] = more > 0 ? [this.counted, counted] : [counted, this.counted];
    for (let place = begin; place < end; place++) {
      const gain = gains[outcome[place]];
      for (let node = leaf[place]; node >= 0; node = parent[node]) {
        visits[node] += more;
        wins[node] += more * gain[player[node]];
      }
    }
    this.counted = counted;
    return undefined;
  }

  /** The numbers of a search that was watched are its own: nothing is counted. */
  #lookUp(iterations) {
    for (let node = 0; node < this.total; node++) {
      const { visits, wins } = this.film.statistics(this.inFilm(node), iterations);
      [this.visits[node], this.wins[node]] = [visits, wins];
    }
  }

  shows(node) {
    return node < this.total;
  }

  size(node) {
    return this.visits[node];
  }

  /** From 0 to 1: the mean of who moved there. */
  tone(node) {
    return (this.wins[node] / this.visits[node] - this.low) / (this.high - this.low);
  }

  words(node) {
    const visits = this.visits[node];
    const mean = (this.wins[node] / visits).toFixed(2);
    return `${grouped(visits)} ${visits === 1 ? "visit" : "visits"}, mean ${mean}`;
  }
}

/** The nodes of a walk by minimax, as large as the leaves of the full tree below them. */
class WalkNodes extends Nodes {
  legend = "The full tree: height = leaves";

  constructor(film) {
    super(film);
    this.colours = ["−1", "value for MAX", "1",
      ...(film.facts.phases.includes("cut_off") ? ["not needed"] : [])];
  }

  at(frame) {
    super.at(frame);
    this.frame = frame;
  }

  /** Also the moves that are known by now, and not entered yet. */
  shows(node) {
    return this.parent[node] < this.total;
  }

  size(node) {
    return this.film.columns.leaves[node];
  }

  /** Of the value that is known by now; not-a-number without one. */
  tone(node) {
    return this.film.card(node, this.frame).known;
  }

  /** The leaves below moves that were cut off by now. */
  unneeded(node) {
    const { cut } = this.film.columns;
    if (!cut[node] || cut[node] > this.frame.iteration) return 0;
    return this.below[node].reduce((left, child) => left - this.size(child), this.size(node));
  }

  count(node) {
    return this.film.card(node, this.frame).main;
  }

  words(node) {
    const { main, rest, score } = this.film.card(node, this.frame);
    const leaves = Math.round(this.size(node));
    const about = this.film.facts.estimated ? "about " : "";
    const said = `${about}${grouped(leaves)} ${leaves === 1 ? "leaf" : "leaves"} in the full tree`;
    return [main + rest, score, said].filter(Boolean).join(", ");
  }
}

/** What an icicle shows of a film. */
export const treeOf = (film) => (film.facts.kind === "mcts" ? new SearchNodes(film) : new WalkNodes(film));
