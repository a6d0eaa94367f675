// Where films stand, as the page and Python tell each other.

const REST = 200; // milliseconds without a move before the kernel is told

/** How many of Python's words the page has heard goes with all that it says; see stepper.py. */
export function initialize({ model }) {
  const hear = () => model.set("heard", model.get("words"));
  model.on("change:words", hear);
  hear();
}

export class Moment {
  /** `goTo(iteration, phase)` moves the films, and answers where they then stand. */
  constructor(model, goTo) {
    this.model = model;
    this.goTo = goTo;
    this.at = [];
    this.follow = this.#follow.bind(this);
    for (const name of ["iteration", "phase"]) model.on(`change:${name}`, this.follow);
  }

  leave() {
    clearTimeout(this.rest);
    for (const name of ["iteration", "phase"]) this.model.off(`change:${name}`, this.follow);
  }

  /** The reader has moved the films: other widgets hear of it at once, Python when they rest. */
  tell(iteration, phase) {
    this.at = [iteration, phase];
    this.model.set("iteration", iteration);
    this.model.set("phase", phase);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.save(), REST);
  }

  /** Tell Python where the films stand, and these changes. */
  save(changes = {}) {
    // The model sets anew and sends all that was set since it last did, even what Python has changed
    // after it. So the place is set afresh; where a front end knows no silence, #follow waits.
    const place = { iteration: this.at[0], phase: this.at[1] };
    for (const name of ["iteration", "phase"]) this.model.set(name, undefined, { silent: true });
    for (const name of ["phase", "iteration"]) this.model.set(name, place[name], { silent: true });
    this.model.set("at", [...this.at]); // the place that counts
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
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
