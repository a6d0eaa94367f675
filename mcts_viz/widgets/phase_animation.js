// Motion that explains a phase: the trail draws itself, one untried move is taken, the playout is
// played, the result climbs back card by card. A key completes it at once.

import { wantsNoMotion } from "./elements.js";

const LEVEL = 200; // milliseconds a level of the walk
const [PICK, DRAW] = [60, 200]; // an untried move is pointed at, and the edge to it drawn
const [GAME, MOVES, LAST] = [900, [35, 140], 300]; // a playout, one of its moves, and the last
const [CARD, TICK] = [180, 120]; // what a card gets, and how much later its siblings change

export class PhaseAnimation {
  constructor(film) {
    this.film = film;
    this.running = [];
  }

  /** Whatever moves stands where it was going. */
  finish() {
    for (const stop of this.running.splice(0)) stop();
  }

  #animate(target, frames, options) {
    const animation = target.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
    this.running.push(() => animation.cancel());
  }

  /**
   * Do one thing after the other: each with the milliseconds since the beginning; `end` comes in
   * any case.
   */
  #schedule(acts, end = () => {}) {
    const begun = performance.now();
    const left = acts.toSorted((a, b) => a.at - b.at);
    let frame;
    const stop = () => {
      cancelAnimationFrame(frame);
      for (const { act } of left.splice(0)) act();
      end();
    };
    const next = () => {
      while (left.length && left[0].at <= performance.now() - begun) left.shift().act();
      if (left.length) frame = requestAnimationFrame(next);
      else this.finish();
    };
    this.running.push(stop);
    next();
  }

  /** Show how the view came from the moment before to this frame. */
  play(view, frame, player) {
    this.finish();
    if (!view.svg || wantsNoMotion()) return;
    const act = {
      select: this.#select, enter: this.#select, expand: this.#expand, simulate: this.#simulate,
      backpropagate: this.#backpropagate,
    };
    act[this.film.facts.phases[frame.phase]]?.call(this, view, frame, player);
  }

  /** The last step of the trail, and what was compared there. */
  #select({ cards }, { path, onPath }) {
    const above = path.at(-2);
    for (const [node, card] of cards) {
      if (!node || this.film.columns.parent[node] !== above) continue;
      const flash = onPath.has(node) ? [{ opacity: 0.55 }, { opacity: 1 }]
        : [{ opacity: 1 }, { opacity: 0.6 }, { opacity: 1 }];
      this.#animate(card.group, flash, { duration: 2 * LEVEL });
    }
    const edge = cards.get(path.at(-1))?.edge;
    if (edge) this.#draw(edge, { duration: LEVEL, easing: "linear" });
  }

  /** A line that draws itself. */
  #draw(line, options) {
    const drawn = [1, 0].map((left) => ({ strokeDasharray: 1, strokeDashoffset: left }));
    if (line) this.#animate(line, drawn, options);
  }

  /** Untried moves are pointed at, "at random"; one is taken. */
  #expand({ svg, cards, ghosts = [] }, { added }) {
    const shown = ghosts.slice(0, 3);
    shown.forEach(({ group }, place) => {
      const options = { duration: PICK, delay: PICK * place, fill: "none" };
      this.#animate(group, [{ opacity: 1 }, { opacity: 1 }], options);
    });
    const delay = PICK * shown.length;
    this.#draw(svg.querySelector(`[data-child="${added}"]`), { duration: DRAW, delay });
    const card = cards.get(added);
    if (card) {
      this.#animate(card.group, [{ opacity: 0 }, { opacity: 1 }], { duration: DRAW, delay: delay + DRAW });
    }
  }

  /** The playout on the large board, then the result, then the words about it. */
  #simulate({ playout }, { index }, { element: root }) {
    const count = this.film.playout(index).length;
    if (!count || !playout?.isShown) return;
    const each = Math.max(MOVES[0], Math.min(MOVES[1], GAME / count));
    root.dataset.playing = "";
    playout.group.classList.add("playing");
    playout.show(0);
    const moves = Array.from({ length: count }, (_, place) => ({
      at: each * (place + 1), act: () => playout.show(place + 1, place + 1 === count),
    }));
    moves.push({ at: each * count + LAST, act: () => playout.show(count) });
    this.#schedule(moves, () => {
      delete root.dataset.playing;
      playout.group.classList.remove("playing");
    });
  }

  /** Each card of the path is given its own: its number changes, then its siblings' scores. */
  #backpropagate({ cards, gains = [] }, frame) {
    const { film } = this;
    const before = { ...frame, counted: frame.counted - 1, phase: 2, added: frame.added };
    for (const card of cards.values()) card.updateNumbers(film.card(card.node, before));
    gains.toReversed().forEach(({ group }, place) =>
      this.#animate(group, [{ opacity: 0 }, { opacity: 1 }], { duration: TICK, delay: CARD * place }));
    const acts = frame.path.toReversed().flatMap((node, place) => {
      const own = cards.get(node);
      const { parent } = film.columns;
      const isSibling = (card) => node && card.node !== node && parent[card.node] === parent[node];
      const siblings = [...cards.values()].filter(isSibling);
      const tick = (card) => card?.node !== undefined && card.updateNumbers(film.card(card.node, frame));
      return [
        { at: CARD * place + TICK / 2, act: () => tick(own) },
        { at: CARD * (place + 1) + TICK, act: () => siblings.forEach(tick) },
      ];
    });
    this.#schedule(acts);
  }
}
