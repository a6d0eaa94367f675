// Where films stand, as the page and Python tell each other.

const REST = 200; // milliseconds without a move before the kernel is told

/** How many of Python's words the page has heard goes with all that it says; see stepper.py. */
export function initialize({ model }) {
  const hear = () => model.set({ heard: model.get("words") });
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
    model.on("change:iteration change:phase", this.follow);
  }

  leave() {
    clearTimeout(this.rest);
    this.model.off("change:iteration change:phase", this.follow);
  }

  /** The reader has moved the films: other widgets hear of it at once, Python when they rest. */
  tell(iteration, phase) {
    this.at = [iteration, phase];
    this.model.set({ iteration, phase });
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.save(), REST);
  }

  /** Tell Python where the films stand, and these changes. */
  save(changes = {}) {
    // The model sends all that was set since it last did, even what Python has changed after it.
    // So the place is set afresh, quietly.
    const [iteration, phase] = this.at;
    this.model.set({ iteration: 0, phase: "" }, { silent: true });
    this.model.set({ iteration, phase }, { silent: true });
    this.model.set(changes);
    this.model.save_changes();
  }

  #follow() {
    const [iteration, phase] = [this.model.get("iteration"), this.model.get("phase")];
    if (iteration === this.at[0] && phase === this.at[1]) return;
    this.at = this.goTo(iteration, phase);
    // A linked widget may lead out of the film; Python need not hear of it.
    this.model.set({ iteration: this.at[0] }, { silent: true });
  }
}
