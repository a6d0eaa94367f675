// The tree that a reader grows by hand, and UCB1 on it. Positions, playouts and rewards were dealt in
// Python, so no rule of a game is needed here.

const LEVEL = 1e-9; // two scores that differ by less are equal

export class HandTree {
  constructor({ c, nodes }) {
    Object.assign(this, { c, nodes });
    this.clear();
  }

  /** Forget all iterations: the root stays. */
  clear() {
    this.visits = this.nodes.map(() => 0);
    this.wins = this.nodes.map(() => 0);
    this.children = this.nodes.map(() => []); // in the order in which they were added
    this.added = new Set([0]);
    this.ends = []; // by iteration: the node where it ended
    this.iterations = 0;
  }

  has(node) {
    return this.added.has(node);
  }

  /** The moves of a node that have no card yet, by their place among its moves. */
  untried(node) {
    const { below } = this.nodes[node];
    return [...below.keys()].filter((place) => !this.has(below[place]));
  }

  /** The nodes from the root down to this one. */
  pathTo(node) {
    const path = [];
    for (; node >= 0; node = this.nodes[node].parent) path.unshift(node);
    return path;
  }

  mean(node) {
    return this.wins[node] / this.visits[node];
  }

  /** UCB1's second term of a child. */
  exploration(child) {
    const above = this.visits[this.nodes[child].parent];
    return this.c * Math.sqrt(Math.log(above) / this.visits[child]);
  }

  score(child) {
    return this.mean(child) + this.exploration(child);
  }

  /** The children with the highest score: all of them, if several are equal. */
  best(node) {
    const highest = Math.max(...this.children[node].map((child) => this.score(child)));
    return this.children[node].filter((child) => this.score(child) >= highest - LEVEL);
  }

  add(node) {
    this.added.add(node);
    this.children[this.nodes[node].parent].push(node);
  }

  /** What the iteration that ends at a node brings: rewards by player. */
  rewardsAt(node) {
    const { over, playout } = this.nodes[node];
    return over?.rewards ?? playout.rewards;
  }

  /** The right reward of a node, when the iteration ends at `end`. */
  gain(node, end) {
    return this.rewardsAt(end)[this.nodes[node].mover];
  }

  /** Count an iteration that ended at a node. */
  count(end) {
    for (const node of this.pathTo(end)) {
      this.visits[node] += 1;
      this.wins[node] += this.gain(node, end);
    }
    this.ends.push(end);
    this.iterations += 1;
  }

  /** Go through so many more iterations as UCT does; an untried move is taken in the order of moves. */
  grow(count) {
    for (let done = 0; done < count; done++) {
      let node = 0;
      while (!this.untried(node).length && this.children[node].length) [node] = this.best(node);
      const [place] = this.untried(node);
      if (place !== undefined) {
        node = this.nodes[node].below[place];
        this.add(node);
      }
      this.count(node);
    }
  }

  /** Repeat walks, each a list of places among the moves. */
  repeat(walks) {
    for (const walk of walks) {
      let node = 0;
      for (const place of walk) node = this.nodes[node].below[place];
      if (!this.has(node)) this.add(node);
      this.count(node);
    }
  }

  /** The places among the moves that lead from the root to a node. */
  walkTo(node) {
    const path = this.pathTo(node);
    return path.slice(1).map((child, level) => this.nodes[path[level]].below.indexOf(child));
  }

  /** The child of the root that would be played: most visits, of equals the higher mean. */
  favourite() {
    const better = (one, other) => this.visits[other] - this.visits[one] || this.mean(other) - this.mean(one);
    return this.children[0].toSorted(better)[0];
  }
}
