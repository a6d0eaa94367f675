// What a reader does as the search: one iteration after the other, each a walk, a node, a playout and
// rewards. It knows what is right, names what is not, and keeps a record. It draws nothing.

import { HandTree } from "./hand_tree.js";
import { wrongCard, wrongGhost, wrongRewards, wrongTerm } from "./naming.js";

export const PHASES = ["Select", "Expand", "Simulate", "Backpropagate"];
const [SELECT, EXPAND, SIMULATE, BACKPROPAGATE] = PHASES.keys();
const SURE = 3; // so many Counts right at the first try, and rewards can be filled in
const PATIENCE = 3; // after so many wrong ones each reward is explained
const NOW = ["choose where the walk goes.", "play on from the new card.", "the playout runs.",
  "put a reward on each card of the walk."];

export class Hands {
  constructor(facts, { walks, events }, changed) {
    Object.assign(this, { facts, walks: [...walks], events: [...events], changed });
    this.tree = new HandTree(facts);
    this.tree.repeat(walks);
    this.results = walks.map((walk) => this.#end(walk));
    this.sure = 0; // Counts that were right at the first try
    this.#begin();
  }

  get done() {
    return this.walks.length >= this.facts.iterations;
  }

  get here() {
    return this.path.at(-1);
  }

  /** True if the walk's next step is decided by scores. */
  get compares() {
    const { here, tree } = this;
    const areAllTried = !tree.untried(here).length && tree.children[here].length > 0;
    return this.phase === SELECT && !this.done && areAllTried;
  }

  /** True if the term of one child is to be typed first: at the first comparison alone. */
  get asksTerm() {
    return this.compares && !this.termKnown;
  }

  #end(walk) {
    let node = 0;
    for (const place of walk) node = this.facts.nodes[node].below[place];
    return node;
  }

  #begin() {
    Object.assign(this, { phase: SELECT, path: [0], fresh: undefined, given: new Map(), explained: false });
    this.termKnown ??= this.events.some(({ choice, mistake }) => choice === "term" && !mistake);
    this.#decide();
  }

  /** A new decision: no try yet, and no sums on the screen. */
  #decide() {
    Object.assign(this, { tries: 0, sums: false, wrong: undefined, since: performance.now() });
  }

  // What is kept ------------------------------------------------------------------------------------

  #note(choice, mistake, node) {
    this.tries += 1;
    this.events.push({
      iteration: this.walks.length + 1, phase: PHASES[this.phase].toLowerCase(),
      card: node === undefined ? "" : this.named(node), choice, mistake, attempt: this.tries,
      sums: this.sums, seconds: Math.round((performance.now() - this.since) / 100) / 10,
    });
  }

  named(node) {
    const { label, mover, parent } = this.facts.nodes[node];
    return parent < 0 ? "root" : `${this.facts.players[mover]} ${label}`;
  }

  /** The result of this iteration, such as "X wins". */
  said() {
    const { over, playout } = this.facts.nodes[this.here];
    return (over ?? playout).said;
  }

  player(number) {
    return this.facts.players[number];
  }

  /** Say a mistake at a card or an untried move; the second one of a decision shows the sums. */
  #miss(name, choice, key, node, more = {}) {
    this.#note(choice, name, node);
    if (this.tries >= 2 && this.compares && choice !== "term") this.sums = true;
    this.wrong = { name, key, node, text: this.#sentence(name, node, more) };
    this.changed();
  }

  #sentence(name, node, more) {
    const { facts, here, tree } = this;
    const { to_move } = facts.nodes[here];
    const [untried] = tree.untried(here);
    const words = {
      untried: facts.nodes[here].moves[untried], chooser: this.player(to_move), now: NOW[this.phase],
      who: node === undefined ? "" : this.player(facts.nodes[node].mover), ...more,
    };
    return facts.sentences[name].replace(/\{(\w+)\}/g, (whole, word) => words[word] ?? whole);
  }

  #right() {
    this.#decide();
    this.changed();
  }

  // Select and Expand ---------------------------------------------------------------------------------

  /** A card was clicked. */
  chooseCard(node, key) {
    if (this.done) return;
    const [named, { facts, here, path }] = [this.named(node), this];
    if (this.phase === BACKPROPAGATE && !path.includes(node)) {
      this.#miss("off_the_path", named, key, node);
    } else if (this.phase === BACKPROPAGATE) {
      this.marked = node; // the keys 0, 5 and 1 are for this card
      this.changed();
    } else if (this.phase !== SELECT) this.#miss("out_of_turn", named, key, node);
    else if (this.asksTerm) this.remind();
    else {
      const name = wrongCard(this.tree, node, here, facts.root_player);
      if (name) this.#miss(name, named, key, node);
      else this.#walkOn(node, named);
    }
  }

  #walkOn(node, named) {
    this.#note(named, "", node);
    if (node === this.here) {
      this.back();
      return;
    }
    this.path.push(node);
    this.#right();
  }

  /** An untried move was clicked. */
  chooseUntried({ parent, place }, key) {
    if (this.done) return;
    const { nodes } = this.facts;
    const label = nodes[parent].moves[place];
    if (this.phase === EXPAND) {
      this.#miss("two_expansions", label, key, parent, { move: label });
    } else if (this.phase !== SELECT) {
      const [first] = nodes[this.here].playout?.labels ?? [];
      const isPlayed = parent === this.here && first === label;
      this.#miss(isPlayed ? "playout_move" : "out_of_turn", label, key, parent, { move: label });
    } else if (this.asksTerm) this.remind();
    else {
      const name = wrongGhost(this.tree, { parent, place }, this.here);
      if (name) this.#miss(name, label, key, parent);
      else this.#expand(nodes[parent].below[place], label);
    }
  }

  #expand(node, label) {
    this.#note(label, "", node);
    this.tree.add(node);
    this.path.push(node);
    Object.assign(this, { phase: EXPAND, fresh: node });
    this.#right();
  }

  /** The term that is missing must be typed first. */
  remind() {
    this.reminded = true;
    this.changed();
    this.reminded = false;
  }

  /** A number was typed for the exploration term of the first card. */
  typeTerm(text) {
    const { facts, here, tree } = this;
    const [child] = tree.children[here];
    const typed = Number(text.trim().replace(",", "."));
    const numbers = { c: facts.c, N: tree.visits[here], n: tree.visits[child] };
    const isNumber = text.trim() && Number.isFinite(typed);
    const mistake = isNumber ? wrongTerm(typed, numbers) : "typed_other";
    if (mistake) this.#missTerm(mistake, child, { ...numbers, typed: text.trim() || "An empty field" });
    else {
      this.#note("term", "", child);
      this.termKnown = true;
      this.#right();
    }
  }

  /** Say what is wrong with a typed term; the second time the term is shown. */
  #missTerm(mistake, child, numbers) {
    const isRoot2 = Math.abs(numbers.c - Math.SQRT2) < 1e-9; // as it is written
    const c = isRoot2 ? "√2" : String(numbers.c);
    const lnN = Math.log(numbers.N).toFixed(2);
    if (this.tries >= 1) this.termKnown = true;
    this.#miss(mistake, "term", undefined, child, { ...numbers, c, lnN });
    if (this.termKnown) this.tries = 0; // the card is a decision of its own
  }

  showSums() {
    this.sums = true;
    this.termKnown = true;
    this.changed();
  }

  /** Take back a step of Select. */
  undo() {
    if (this.phase !== SELECT || this.path.length < 2) return;
    this.path.pop();
    this.#right();
  }

  // Simulate and Backpropagate --------------------------------------------------------------------------

  /** Play on from the card where the walk ended. */
  play() {
    if (this.phase === SELECT && this.facts.nodes[this.here].over) {
      this.#miss("played_on", "play", undefined, this.here);
      return;
    }
    if (this.phase !== EXPAND) return;
    this.phase = this.facts.nodes[this.here].over ? BACKPROPAGATE : SIMULATE;
    this.#right();
  }

  /** The playout has been seen; where the game is over there is none. */
  back() {
    this.phase = BACKPROPAGATE;
    this.marked = this.here;
    this.#right();
  }

  /** Put a reward on a card of the walk; the next one without is marked. */
  give(node, value) {
    if (this.phase !== BACKPROPAGATE) return;
    this.given.set(node, value);
    this.wrong = undefined;
    const rising = this.path.toReversed();
    this.marked = rising.find((other) => !this.given.has(other)) ?? node;
    this.changed();
  }

  get canFill() {
    return this.phase === BACKPROPAGATE && this.sure >= SURE;
  }

  fill() {
    for (const node of this.path) this.given.set(node, this.tree.gain(node, this.here));
    this.changed();
  }

  /** Check the rewards as a whole. */
  count() {
    if (this.phase !== BACKPROPAGATE || !this.given.size) return;
    const found = wrongRewards(this.tree, this.path, this.given);
    const choice = this.path.map((node) => this.given.get(node) ?? "–").join(" ");
    if (found) {
      this.explained = this.tries + 1 >= PATIENCE;
      this.#miss(found.name, choice, undefined, found.node, { count: found.count, all: this.path.length });
      return;
    }
    if (!this.tries) this.sure += 1;
    this.#note(choice, "", this.here);
    this.tree.count(this.here);
    this.walks.push(this.tree.walkTo(this.here));
    this.results.push(this.here);
    this.counted = true;
    this.#begin();
    this.changed(true);
    this.counted = false;
  }

  /** Forget everything and begin with an empty tree. */
  restart() {
    this.tree.clear();
    Object.assign(this, { walks: [], results: [], sure: 0 });
    this.#begin();
    this.changed(true);
  }
}
