// Playing a film: by phase, by iteration, or all of it in half a minute.

import { assign, signButton, textButton, write } from "../picture/elements.js";

const SPEEDS = [
  // what the button says, what it means, milliseconds between two steps, and a step
  ["1×", "a step at a time", 900, (player) => player.step(1)],
  ["4×", "an iteration at a time", 900, (player) => player.stepIteration(1)],
  ["30 s", "the whole film within 30 seconds", 75, rush],
];
const STRIDES = 400; // of 75 milliseconds in a whole film

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
    if (this.timer) this.toggle(true, this.end);
  }

  /** Play, until the film ends or, with an `end`, that iteration of the search; or pause. */
  toggle(on = !this.timer, end = undefined) {
    clearInterval(this.timer);
    this.end = end;
    const [, , pause, act] = SPEEDS[this.chosen];
    const tick = () => {
      if (this.#isAt(end) || !act(this.player)) this.toggle(false);
    };
    this.timer = on ? setInterval(tick, pause) : undefined;
    write(this.button, on ? "❚❚ Pause" : "▶ Play");
  }

  #isAt(end) {
    const {
      iteration,
      phase,
      film: {
        facts: { phases },
      },
    } = this.player;
    return (
      iteration > end || (iteration === end && (this.chosen > 0 || phase === phases.length - 1))
    );
  }
}

function rush(player) {
  const {
    index,
    film: {
      facts: { iterations, phases },
    },
  } = player;
  player.hurry(() => player.go(index + Math.ceil(iterations / STRIDES), phases.length - 1));
  return player.index < iterations;
}
