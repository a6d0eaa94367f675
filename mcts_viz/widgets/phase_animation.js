// Motion that explains a phase: the trail draws itself, one untried move is taken, the playout is
// played, the result climbs back card by card. A key completes it at once.

import { Motion } from "./elements.js";

const LEVEL = 200; // milliseconds a level of the walk
const DRAW = 200; // the edge to a new card
const [GAME, MOVES, LAST] = [900, [35, 140], 300]; // a playout, one of its moves, and the last
const [CARD, TICK] = [180, 120]; // what a card gets, and how much later its siblings change

export class PhaseAnimation {
  motion = new Motion();
  acts = []; // that are left: each with the milliseconds at which it comes
  running = []; // animations of the browser's own

  constructor(film) {
    this.film = film;
  }

  /** Show how the view came from the moment before to this frame. */
  play(view, frame, player) {
    this.finish();
    if (!view.svg) return;
    const play = {
      select: this.#select, enter: this.#select, expand: this.#expand, simulate: this.#simulate,
      backpropagate: this.#backpropagate,
    }[this.film.facts.phases[frame.phase]];
    play?.call(this, view, frame, player);
    this.acts.sort((a, b) => a.at - b.at);
    this.motion.run(this.acts.at(-1)?.at ?? 0, (over) => this.#act(over));
  }

  /** Whatever moves stands where it was going, and what was to come has come. */
  finish() {
    this.motion.run(0, () => this.#act(Infinity));
    for (const animation of this.running.splice(0)) animation.cancel();
  }

  #act(over) {
    while (this.acts[0]?.at <= over) this.acts.shift().act();
  }

  #animate(target, frames, options) {
    this.running.push(target.animate(frames, { fill: "backwards", easing: "ease-out", ...options }));
  }

  /** A line that draws itself. */
  #draw(line, options) {
    const drawn = { strokeDasharray: [1, 1], strokeDashoffset: [1, 0] };
    if (line) this.#animate(line, drawn, { duration: DRAW, ...options });
  }

  /** The last step of the trail, and what was compared there. */
  #select({ cards }, { path, onPath }) {
    const above = path.at(-2);
    for (const [node, card] of cards) {
      if (!node || this.film.columns.parent[node] !== above) continue;
      const opacity = onPath.has(node) ? [0.55, 1] : [1, 0.6, 1];
      this.#animate(card.group, { opacity }, { duration: 2 * LEVEL });
    }
    this.#draw(cards.get(path.at(-1))?.edge, { duration: LEVEL, easing: "linear" });
  }

  /** The edge to the new card draws itself, then the card comes. */
  #expand({ svg, cards }, { added }) {
    this.#draw(svg.querySelector(`[data-child="${added}"]`));
    const card = cards.get(added);
    if (card) this.#animate(card.group, { opacity: [0, 1] }, { duration: DRAW, delay: DRAW });
  }

  /** The playout on the large board, then the result, then the words about it. */
  #simulate(_, __, { element: root, playout }) {
    const count = playout.board ? playout.moves.length : 0;
    if (!count) return;
    const each = Math.max(MOVES[0], Math.min(MOVES[1], GAME / count));
    root.toggleAttribute("data-playing", true);
    playout.show(0);
    for (let move = 1; move <= count; move++) {
      this.acts.push({ at: each * move, act: () => playout.show(move) });
    }
    this.acts.push({ at: each * count + LAST, act: () => root.toggleAttribute("data-playing", false) });
  }

  /** Each card of the path is given its own and its number changes; then the others' scores do. */
  #backpropagate({ cards, gains = [] }, frame) {
    const { film } = this;
    const tell = (card, counted = frame.counted) => card.updateNumbers(film.card(card.node, frame, counted));
    for (const card of cards.values()) tell(card, frame.counted - 1);
    gains.toReversed().forEach(({ node, group }, place) => {
      this.#animate(group, { opacity: [0, 1] }, { duration: TICK, delay: CARD * place });
      this.acts.push({ at: CARD * place + TICK / 2, act: () => tell(cards.get(node)) });
    });
    const all = () => [...cards.values()].forEach((card) => tell(card));
    this.acts.push({ at: CARD * gains.length + TICK, act: all });
  }
}
