// Motion that explains a phase: the walk's last edge draws itself, the playout falls, the result climbs
// back card by card. A key completes it at once.

import { Motion } from "../picture/elements.js";

const DRAW = 200; // milliseconds: an edge, and then the card at its end
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
    const play = {
      select: this.#go,
      enter: this.#go,
      expand: frame.added && this.#go,
      simulate: this.#simulate,
      backpropagate: this.#backpropagate,
    }[this.film.facts.phases[frame.phase]];
    play?.call(this, view, frame, player);
    this.motion.run(this.acts.at(-1)?.at ?? 0, (over) => this.#act(over));
  }

  /** Whatever moves is at its goal, and what was to come has come. */
  finish() {
    this.motion.run(0, () => this.#act(Infinity));
    for (const animation of this.running.splice(0)) animation.cancel();
  }

  #act(over) {
    while (this.acts[0]?.at <= over) this.acts.shift().act();
  }

  #animate(target, frames, options) {
    this.running.push(
      target.animate(frames, { fill: "backwards", easing: "ease-out", ...options }),
    );
  }

  /** The last edge of the walk draws itself, then the card at its end comes, or is outlined. */
  #go({ cards }, { added, path }) {
    const end = cards.get(path.at(-1));
    if (!end || path.length < 2) return;
    this.#animate(
      end.edge,
      { strokeDasharray: [1, 1], strokeDashoffset: [1, 0] },
      { duration: DRAW },
    );
    const later = { duration: DRAW, delay: DRAW };
    if (end.node === added) this.#animate(end.group, { opacity: [0, 1] }, later);
    else this.#animate(end.frame, [{ strokeWidth: "1px", offset: 0 }], later); // to its own
  }

  /** The playout falls move by move, then comes the result, then the words about it. */
  #simulate(_, __, { element: root, playout }) {
    const count = playout.moves.length;
    if (!count) return;
    const each = Math.max(MOVES[0], Math.min(MOVES[1], GAME / count));
    root.toggleAttribute("data-playing", true);
    playout.show(0);
    for (let move = 1; move <= count; move++) {
      this.acts.push({ at: each * move, act: () => playout.show(move) });
    }
    this.acts.push({
      at: each * count + LAST,
      act: () => root.toggleAttribute("data-playing", false),
    });
  }

  /** The result's colour runs up; each card of the path is given its own, then the others' scores change. */
  #backpropagate({ cards, gains }, frame) {
    const tell = (card, counted = frame.counted) =>
      card.updateNumbers(this.film.card(card.node, frame, counted));
    for (const card of cards.values()) tell(card, frame.counted - 1);
    gains.toReversed().forEach(({ node, group }, place) => {
      const { edge } = cards.get(node);
      const options = { duration: CARD, delay: CARD * place };
      this.#animate(edge, { strokeDasharray: [1, 1], strokeDashoffset: [-1, 0] }, options);
      this.#animate(group, { opacity: [0, 1] }, { duration: TICK, delay: CARD * place });
      this.acts.push({ at: CARD * place + TICK / 2, act: () => tell(cards.get(node)) });
    });
    const all = () => cards.forEach((card) => tell(card));
    this.acts.push({ at: CARD * gains.length + TICK, act: all });
  }
}
