// Playing a film: by phase, by iteration, or all of it in half a minute.

import { assign, signButton, textButton, write } from "./elements.js";

const SPEEDS = [ // what the button says, and what it means
  ["1×", "a step at a time"],
  ["4×", "an iteration at a time"],
  ["30 s", "the whole film in 30 seconds"],
];
const [PAUSE, FILM, FRAME] = [900, 30_000, 33]; // milliseconds: between two steps, of a film, of its frames

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

  /** Play; with an `end`, as far as that iteration of the search. */
  toggle(on = !this.timer, end = undefined) {
    clearInterval(this.timer);
    const [pause, act] = this.#way();
    const tick = () => (!this.#isAt(end) && act()) || this.toggle(false);
    this.timer = on ? setInterval(tick, pause) : undefined;
    write(this.button, on ? "❚❚ Pause" : "▶ Play");
  }

  #isAt(end) {
    const { iteration, phase, film: { facts: { phases } } } = this.player;
    return iteration > end || (iteration === end && (this.chosen > 0 || phase === phases.length - 1));
  }

  /** How long to wait, and what goes on then; it returns false at the end. */
  #way() {
    const { player, player: { film: { facts: { iterations, phases } } } } = this;
    const stride = Math.ceil((iterations * FRAME) / FILM);
    const rush = () => {
      player.hurry(() => player.go(player.index + stride, phases.length - 1));
      return player.index < iterations;
    };
    const ways = [
      [PAUSE, () => player.step(1)], [PAUSE, () => player.stepIteration(1)],
      [(FILM * stride) / iterations, rush],
    ];
    return ways[this.chosen];
  }
}
