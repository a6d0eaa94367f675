// What the page asks of Python, and what the reader is told when nobody answers.

const PATIENCE = 4000; // milliseconds until the reader is told that the kernel is silent

export class Wishes {
  /** `warn(sentence)` shows it. */
  constructor(model, warn) {
    this.model = model;
    this.warn = warn;
  }

  send(act, more = {}) {
    this.heard(true);
    try {
      this.model.send({ act, ...more });
    } catch (error) {
      this.warn(`The kernel cannot be reached (${error.message}): run this cell again.`);
    }
  }

  /** Python has answered, and with `more` is to say more soon; or nobody waits for it any longer. */
  heard(more = false) {
    clearTimeout(this.silence);
    if (more) this.silence = setTimeout(() => this.warn("The kernel has not answered yet: it may be busy with a cell. If it was restarted, run this cell again."), PATIENCE);
  }
}
