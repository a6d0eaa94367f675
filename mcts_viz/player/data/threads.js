// The whole tree as threads: of every node how many go through it at a moment, and how they ended. It
// counts all iterations and all nodes, also in a film that shows a selection of them.

import { Columns, countUpTo } from "./columns.js";
import { shortNames } from "./words.js";

const NEEDED = [
  // of all nodes, if a film leaves some out
  "parent",
  "created_at",
  "player_just_moved",
  "leaf",
  "outcome",
  "order",
  "visits_before",
  "wins_before",
  "untried_counts",
];
const NONE = [];
const STEPS = 7; // of the mean, between the players' colours
const DOUBT = 1.5; // wins that a mean begins with, of twice as many visits: it is grey until earned

/** All nodes of a film's tree at a moment; the fields that `layOut` in river.js names. */
class Threads extends Columns {
  constructor(film) {
    const { columns, facts } = film;
    super(
      facts,
      Object.fromEntries(NEEDED.map((name) => [name, columns[`all_${name}`] ?? columns[name]])),
    );
    this.film = film;
    this.parent = this.columns.parent;
    // By node: its number in the film, -1 if it is not there; and back.
    this.shown = columns.all_shown ?? Int32Array.from(film.births, (_, node) => node);
    this.own = new Int32Array(film.births.length);
    this.shown.forEach((number, node) => {
      if (number >= 0) this.own[number] = node;
    });
    this.boarded = Boolean(facts.board);
    this.families = new Map(); // by node, once they are asked for: its moves
    this.names = []; // and by node those of its children
  }

  /** A node of the film as one of the tree, -1 without; and back, the nearest above if it is not shown. */
  inTree(node) {
    return this.own[node] ?? -1;
  }

  inFilm(node) {
    while (this.shown[node] < 0) node = this.parent[node];
    return this.shown[node];
  }

  isShown(node) {
    return this.shown[node] >= 0;
  }

  label(node) {
    return this.shown[node] < 0 ? "" : this.film.label(this.shown[node]);
  }

  /** A short name of a node's move, which no move beside it has. */
  name(node) {
    if (node) this.moves(this.parent[node]);
    return this.names[node] ?? "";
  }

  /** All moves from a node in their order: a name, and the child, which some never get. */
  moves(node) {
    let moves = this.families.get(node);
    if (moves) return moves;
    const labelled = this.allMoves(node);
    const names = shortNames(labelled.map(({ label }) => label));
    moves = labelled.map(({ node: child }, at) => ({ node: child, name: names[at] }));
    for (const { name, node: child } of moves) if (child !== undefined) this.names[child] = name;
    this.families.set(node, moves);
    return moves;
  }

  /** Whether there are moves from a node, none of them tried. */
  isBare(node) {
    return this.moves(node).length > 0 && !this.below[node].some((child) => child < this.total);
  }

  /** Go to a moment. */
  at(frame) {
    this.total = countUpTo(this.births, 0, this.births.length, frame.addedAt);
    this.frame = frame;
  }
}

/** The threads of a search: an iteration is one. */
export class SearchThreads extends Threads {
  counted = 0; // iterations
  finest = 0; // pixels: as thin as a ribbon may be drawn
  orders = new Map(); // by node of the tree, once they are asked for

  constructor(film) {
    super(film);
    const {
      facts,
      columns: { visits_before: visits, wins_before: wins, player_just_moved: player },
    } = this;
    this.visits = Float64Array.from(visits);
    // What the first player has won, where results have no colours of their own: 0 to 1 a thread.
    this.won = Float64Array.from(wins, (sum, node) =>
      this.#ofFirst(sum, visits[node], player[node]),
    );
    this.kinds = facts.results?.kinds;
    this.results = this.kinds
      ? this.kinds.map(() => new Float64Array(visits.length))
      : [this.visits];
  }

  /** Of a sum of rewards of `player` over so many visits: what the first player has, each from 0 to 1. */
  #ofFirst(sum, visits, player) {
    const [low, high] = this.facts.reward_range;
    const share = (sum - low * visits) / (high - low);
    return player ? visits - share : share;
  }

  /** Go to a moment: paths are counted from the last one, forwards or back. */
  at(frame) {
    super.at(frame);
    const [before, after] = [this.counted, frame.counted];
    this.counted = after;
    if (!this.facts.counted) this.#lookUp();
    else this.#count(Math.min(before, after), Math.max(before, after), after > before ? 1 : -1);
  }

  #count(begin, end, way) {
    const {
      facts: {
        gains,
        results: known,
        reward_range: [low, high],
      },
      parent,
      results,
      visits,
      won,
    } = this;
    const { leaf, outcome } = this.columns;
    for (let place = begin; place < end; place++) {
      const ended = outcome[place];
      const share = (way * (gains[ended][0] - low)) / (high - low);
      const of = known && results[known.ended[ended]];
      for (let node = leaf[place]; node >= 0; node = parent[node]) {
        visits[node] += way;
        won[node] += share;
        if (of) of[node] += way;
      }
    }
  }

  /** The numbers of a search that do not follow from its paths are its own: nothing is counted. */
  #lookUp() {
    this.shown.forEach((number, node) => {
      if (number < 0) return;
      const { visits, wins } = this.film.statistics(number, this.counted);
      this.visits[node] = visits;
      this.won[node] = this.#ofFirst(wins, visits, this.film.playerOf(number));
    });
  }

  /** Of a mean, which of seven steps it is: 0 all the second player's, 6 all the first's. */
  step(node) {
    const { visits, won } = this;
    const mean = (won[node] + DOUBT) / (visits[node] + 2 * DOUBT);
    return Math.max(0, Math.min(STEPS - 1, Math.floor(mean * STEPS)));
  }

  allMoves(node) {
    const { untried, untried_ends: ends, untried_places: places } = this.film.columns;
    const moves = this.below[node].map((child) => ({ node: child, label: this.label(child) }));
    const number = this.shown[node];
    if (number < 0) return moves;
    for (let at = ends[number + 1] - 1; at >= ends[number]; at--) {
      moves.splice(places[at], 0, { label: this.facts.labels[untried[at]] });
    }
    return moves;
  }

  /** Of all moves in order their nodes, also later ones; -1 for those that never get one. */
  order(node) {
    let order = this.orders.get(node);
    if (order) return order;
    const { untried_ends: ends, untried_places: places } = this.film.columns;
    this.orders.set(node, (order = [...this.below[node]]));
    const number = this.shown[node];
    if (number < 0) for (let left = this.columns.untried_counts[node]; left > 0; left--) order.push(-1);
    else for (let at = ends[number + 1] - 1; at >= ends[number]; at--) order.splice(places[at], 0, -1);
    return order;
  }

  spare = () => NONE;

  /** How many lines of text a full card has: one more for a prior or a probability, and for a note. */
  lines(node) {
    const { note, prior, probability } = this.film.columns;
    return 2 + Boolean(prior || probability?.[this.shown[node]]) + Boolean(note);
  }

  /** Whether nature moves at a node. */
  luck(node) {
    return this.film.columns.chance?.[this.shown[node]] === 1;
  }

  /** The longest line of a node's card. */
  said(node) {
    if (this.shown[node] < 0) return "";
    const { main, rest } = this.film.card(this.shown[node], this.frame);
    return main + rest;
  }
}

/** The threads of a walk by minimax: a game's end is one, also before it is looked at. */
export class WalkThreads extends Threads {
  kinds = ["player-0", "draw", "player-1", "unseen"];
  counted = 0; // steps
  finest = 1; // pixels: what was looked at is seen beside all that was not needed

  constructor(film) {
    super(film);
    this.visits = Float64Array.from(film.columns.leaves);
    this.results = [0, 1, 2].map(() => new Float64Array(this.visits.length));
    this.results.push(Float64Array.from(this.visits));
  }

  /** All nodes are there from the beginning: minimax looks at every game, and knows it. */
  at(frame) {
    this.total = this.births.length;
    this.frame = frame;
    const [before, after] = [this.counted, frame.iteration];
    this.counted = after;
    const {
      columns: { leaf },
      film: {
        columns: { ended },
      },
      parent,
      results,
    } = this;
    const way = after > before ? 1 : -1;
    for (let place = Math.min(before, after); place < Math.max(before, after); place++) {
      if (ended[place] > 2) continue; // no game ended in this step
      for (let node = leaf[place]; node >= 0; node = parent[node]) {
        results[ended[place]][node] += way;
        results[3][node] -= way;
      }
    }
  }

  allMoves(node) {
    const moves = this.below[node].map((child) => ({ node: child, label: this.label(child) }));
    return [...moves, ...Array.from({ length: this.film.columns.pruned[node] }, () => ({ label: "" }))];
  }

  /** All moves that were cut off have one place, the last. */
  order(node) {
    return this.film.columns.pruned[node] ? [...this.below[node], Infinity] : this.below[node];
  }

  /** Of the games below the moves that were cut off, how many reach each row below. */
  spare(node) {
    const { skipped, skipped_ends: ends } = this.film.columns;
    return ends[node] < ends[node + 1] ? skipped.subarray(ends[node], ends[node + 1]) : NONE;
  }

  lines = () => 2;
  luck = () => false;

  said(node) {
    const { main, rest } = this.film.card(node, this.frame);
    return main + rest;
  }
}

export const threadsOf = (film) =>
  film.facts.kind === "mcts" ? new SearchThreads(film) : new WalkThreads(film);
