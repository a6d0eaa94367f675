// Playing a film: by phase, by iteration, ten times as fast, or all of it in half a minute.

import { element, signButton, write } from "./elements.js";

const SPEEDS = { // what the menu says, the button, and the milliseconds between two steps
  phase: ["Play by phase", "", 900],
  iteration: ["Play by iteration", " ×4", 900],
  fast: ["Play ten times as fast", " ×40", 90],
  film: ["Play the whole film in 30 seconds", " 30 s", 33],
};

const FILM = 30_000;

export class Playback {
  constructor(player) {
    this.player = player;
    this.button = signButton("▶ Play", "Play or pause (Space)", () => this.toggle());
    this.speeds = element("select", { "aria-label": "Speed", "data-lm-suppress-shortcuts": "true" },
      ...Object.entries(SPEEDS).map(([name, [text]]) => element("option", { value: name }, text)));
    this.speeds.addEventListener("change", () => this.toggle(Boolean(this.timer)));
  }

  /** Play from here, again and again, and stop after the `last` iteration of the search. */
  bound(last) {
    const { index, phase, film } = this.player;
    this.first = last && [index, phase];
    this.last = last && film.indexOf(last);
  }

  get ended() {
    const { player, last } = this;
    const whole = this.speeds.value !== "phase" || player.phase === player.film.facts.phases.length - 1;
    return player.index > last || (player.index === last && whole);
  }

  toggle(on = !this.timer) {
    clearInterval(this.timer);
    this.timer = undefined;
    if (on) {
      if (this.ended) this.player.go(...this.first);
      const act = this.#step();
      this.timer = setInterval(() => (!this.ended && act()) || this.toggle(false), SPEEDS[this.speeds.value][2]);
    }
    write(this.button, this.timer ? "❚❚ Pause" : `▶ Play${SPEEDS[this.speeds.value][1]}`);
  }

  /** What goes one step on, false at the end. */
  #step() {
    const { player, speeds: { value } } = this;
    if (value === "phase") return () => player.step(1);
    if (value !== "film") return () => player.stepIteration(1);
    const { phases } = player.film.facts;
    const iterations = this.last ?? player.film.facts.iterations;
    const begun = performance.now();
    const first = player.index < iterations ? player.index : 1;
    const length = (FILM * (iterations - first + 1)) / iterations;
    return () => {
      const part = Math.min(1, (performance.now() - begun) / length);
      player.hurry(() => player.go(first + Math.round(part * (iterations - first)), phases.length - 1), part < 1);
      return part < 1;
    };
  }
}
