// Where films stand, as the page and Python tell each other.

import { hear } from "./requests.js";

const REST = 400; // milliseconds without a move before the kernel is told: a step may take longer than usual

/** How many of Python's words the page has heard goes with all that it says; see base.py. */
export function initialize({ model }) {
  if (model.get("words") === undefined) return; // a game is nowhere
  hear(model, { words: () => model.set("heard", model.get("words")) });
}

export class ModelSync {
  /** `goTo(iteration, phase)` moves the films, and answers where they then stand. */
  constructor(model, goTo) {
    Object.assign(this, { model, goTo, at: [] });
    const follow = () => this.#follow();
    this.deaf = hear(model, { iteration: follow, phase: follow });
  }

  leave() {
    clearTimeout(this.rest);
    this.deaf();
  }

  /** The reader has moved the films: other widgets hear of it at once, Python when they rest. */
  tell(iteration, phase) {
    this.at = [iteration, phase];
    this.model.set("iteration", iteration);
    this.model.set("phase", phase);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.#save(), REST);
  }

  /** Tell Python where the films stand. */
  #save() {
    // The model sets anew and sends all that was set since it last did, even what Python has changed
    // after it. So the place is set afresh; where a front end knows no silence, #follow waits.
    const place = { iteration: this.at[0], phase: this.at[1] };
    for (const name of ["iteration", "phase"]) this.model.set(name, undefined, { silent: true });
    for (const name of ["phase", "iteration"]) this.model.set(name, place[name], { silent: true });
    this.model.set("at", [...this.at]); // the place that counts
    this.model.save_changes();
  }

  #follow() {
    const [iteration, phase] = [this.model.get("iteration"), this.model.get("phase")];
    if (iteration === undefined || phase === undefined) return; // see save
    if (iteration === this.at[0] && phase === this.at[1]) return;
    this.at = this.goTo(iteration, phase); // a linked widget may lead out of the film
    this.model.set("at", [...this.at]);
  }
}
