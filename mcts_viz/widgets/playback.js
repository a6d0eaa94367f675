// Playing a film: by phase, by iteration, ten times as fast, or all of it in half a minute.

import { assign, signButton, textButton, write } from "./elements.js";

// what the button says, what it means, how it goes on, and the milliseconds between two steps
const SPEEDS = [
  ["1×", "a step at a time", "step", 900],
  ["4×", "an iteration at a time", "iteration", 900],
  ["40×", "ten iterations a second", "iteration", 90],
  ["30 s", "the whole film in 30 seconds", "film", 33],
  ["¼×", "a step at a time, slowly", "step", 3600],
];

const FILM = 30_000;

export class Playback {
  chosen = -1; // of the speeds; none yet

  constructor(player) {
    this.player = player;
    this.button = signButton("▶ Play", "Play or pause (Space)", () => this.toggle());
    this.speed = textButton("", "", () => this.faster(), { class: "speed" });
    this.faster();
  }

  faster() {
    this.chosen = (this.chosen + 1) % SPEEDS.length;
    const [text, meaning] = SPEEDS[this.chosen];
    write(this.speed, text);
    assign(this.speed, { "aria-label": `Speed: ${meaning}`, title: `Speed: ${meaning} (S)` });
    if (this.timer) this.toggle(true);
  }

  /** Play from here, again and again, and stop after the `last` iteration of the search. */
  bound(last) {
    const { index, phase, film } = this.player;
    this.first = last && [index, phase];
    this.last = last && film.indexOf(last);
  }

  get ended() {
    const { player, last } = this;
    const whole = SPEEDS[this.chosen][2] !== "step" || player.phase === player.film.facts.phases.length - 1;
    return player.index > last || (player.index === last && whole);
  }

  toggle(on = !this.timer) {
    clearInterval(this.timer);
    this.timer = undefined;
    if (on) {
      if (this.ended) this.player.go(...this.first);
      const act = this.#step();
      this.timer = setInterval(() => (!this.ended && act()) || this.toggle(false), SPEEDS[this.chosen][3]);
    }
    write(this.button, this.timer ? "❚❚ Pause" : "▶ Play");
  }

  /** What goes one step on, false at the end. */
  #step() {
    const { player } = this;
    const [, , kind] = SPEEDS[this.chosen];
    if (kind === "step") return () => player.step(1);
    if (kind !== "film") return () => player.stepIteration(1);
    const { phases } = player.film.facts;
    const iterations = this.last ?? player.film.facts.iterations;
    const begun = performance.now();
    const first = player.index < iterations ? player.index : 1;
    const length = (FILM * (iterations - first + 1)) / iterations;
    return () => {
      const part = Math.min(1, (performance.now() - begun) / length);
      player.hurry(() => player.go(first + Math.round(part * (iterations - first)), phases.length - 1));
      return part < 1;
    };
  }
}
