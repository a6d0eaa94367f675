// What the page receives from Python, asks of it, and the moment that both share.

const SILENT =
  "The kernel has not answered yet: it may be busy with a cell. " +
  "If it was restarted, run this cell again.";
const PATIENCE = 4000; // milliseconds until the reader sees that the kernel is silent
const REST = 400; // milliseconds without a move before the kernel hears of it

/** Do what is to be done when Python changes something, and once now; returns what ends it. */
export function hear(model, acts) {
  const heard = Object.entries(acts).map(([name, act]) => [`change:${name}`, act]);
  for (const [event, act] of heard) model.on(event, act);
  for (const [, act] of heard) act();
  return () => heard.forEach(([event, act]) => model.off(event, act));
}

export class Requests {
  /** `warn(sentence)` shows it. */
  constructor(model, warn) {
    Object.assign(this, { model, warn });
  }

  send(act, more = {}) {
    this.heard(true);
    this.model.send({ act, ...more });
  }

  /** Python has answered, and with `more` is to say more soon; or no one waits for it any longer. */
  heard(more = false) {
    clearTimeout(this.silence);
    if (more) this.silence = setTimeout(() => this.warn(SILENT), PATIENCE);
  }
}

/** How many of Python's words the page has heard goes with all that it says; see base.py. */
export function initialize({ model }) {
  if (model.get("words") === undefined) return; // a game is nowhere
  hear(model, { words: () => model.set("heard", model.get("words")) });
}

export class ModelSync {
  /** `goTo(iteration, phase)` moves the films, and returns their new moment. */
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

  /** Send the films' moment to Python. */
  #save() {
    // The model sets again and sends all that was set since it last did, even what Python has changed
    // after it. So the place is set afresh; where a front end knows no silence, #follow waits.
    const [iteration, phase] = this.at;
    const set = (name, value) => this.model.set(name, value, { silent: true });
    for (const name of ["iteration", "phase"]) set(name, undefined);
    set("phase", phase);
    set("iteration", iteration);
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
