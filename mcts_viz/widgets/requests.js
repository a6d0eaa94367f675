// What the page hears of Python, asks of it, and what the reader is told when nobody answers.

/** Do what is to be done when Python changes something, and once now; returns what ends it. */
export function hear(model, acts) {
  const heard = Object.entries(acts).map(([name, act]) => [`change:${name}`, act]);
  for (const [event, act] of heard) model.on(event, act);
  for (const [, act] of heard) act();
  return () => heard.forEach(([event, act]) => model.off(event, act));
}

const SILENT = "The kernel has not answered yet: it may be busy with a cell. "
  + "If it was restarted, run this cell again.";
const PATIENCE = 4000; // milliseconds until the reader is told that the kernel is silent

export class Requests {
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
    if (more) this.silence = setTimeout(() => this.warn(SILENT), PATIENCE);
  }
}
