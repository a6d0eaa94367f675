// What an icicle shows: every node of a film's tree, with its size and its tone at any moment.

import { countUpTo } from "./columns.js";

/** Every node of a search with its visits and mean at any moment. */
class SearchTree {
  constructor(film) {
    const { columns, facts } = film;
    this.film = film;
    for (const name of ["parent", "created_at", "player_just_moved", "leaf", "outcome", "order", "visits_before", "wins_before"]) this[name] = columns[`all_${name}`] ?? columns[name];
    this.shown = columns.all_shown; // by node: its number in the film, -1 if it is not there
    this.gains = facts.gains; // by outcome and player
    [this.low, this.high] = facts.reward_range;
    this.numberOf = this.shown && Int32Array.from({ length: film.births.length });
    this.shown?.forEach((node, number) => node < 0 || (this.numberOf[node] = number));
    this.#link();
    this.#reset();
  }

  /** The children of each node as a chain in the order of their moves, and how deep nodes lie. */
  #link() {
    const { order, parent } = this;
    const count = parent.length;
    [this.first, this.next] = [new Int32Array(count), new Int32Array(count)];
    [this.depth, this.deepest] = [new Uint16Array(count), new Uint16Array(count)];
    const ranks = []; // nodes by the order of their moves, the last first
    for (let node = count - 1; node > 0; node--) (ranks[order[node]] ??= []).push(node);
    for (const nodes of ranks.toReversed()) {
      for (const node of nodes ?? []) {
        this.next[node] = this.first[parent[node]];
        this.first[parent[node]] = node;
      }
    }
    for (let node = 1; node < count; node++) {
      this.depth[node] = this.depth[parent[node]] + 1;
      this.deepest[node] = Math.max(this.deepest[node - 1], this.depth[node]);
    }
  }

  #reset() {
    this.counted = 0;
    this.visits = Float64Array.from(this.visits_before);
    this.wins = Float64Array.from(this.wins_before);
  }

  /** Stand at a moment: paths are counted from where it stood before, or from the beginning. */
  at({ addedAt, counted }) {
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
    this.total = countUpTo(this.created_at, 0, this.created_at.length, addedAt); // nodes that are there
  }

  size(node) {
    return this.visits[node];
  }

  /** From 0 to 1: the mean of who moved there. */
  tone(node) {
    return (this.wins[node] / this.visits[node] - this.low) / (this.high - this.low);
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

  words(node) {
    const visits = this.visits[node];
    return `${visits.toLocaleString("en")} ${visits === 1 ? "visit" : "visits"}, mean ${(this.wins[node] / visits).toFixed(2)}`;
  }

  legend = "The whole tree: height = visits";
  colours = ["0", "mean of who moved", "1"];
}

/** What an icicle shows of a film. */
export const treeOf = (film) => new SearchTree(film);
