// What if: the reader changes the next move or c, Python searches on, and both searches stand side
// by side in the place of the one film. Every sentence about it comes from Python.

import { write } from "./board.js";
import { element, textButton } from "./panels.js";
import { mountPair } from "./pair.js";
import { Wishes } from "./wishes.js";

const LEAST = 100; // iterations offered, if fewer are left in the film

export class WhatIf {
  /** `mount(host, facts, columns, onMove)` puts a film on the page. */
  constructor(film, model, mount) {
    Object.assign(this, { film, model, mount });
    this.wishes = new Wishes(model, (text) => this.#warn(text));
    const { moves, c } = film.facts.what_if;
    this.button = textButton("What if", "Search on from here with one thing changed", () => this.#toggle());
    this.button.setAttribute("aria-expanded", false);
    this.lead = element("p", { class: "lead" });
    this.move = element("select", {}, element("option", { value: "" }, "as the search chooses"),
      ...moves.map((label, place) => element("option", { value: place }, label)));
    this.usual = Number(c.toFixed(4)); // as it is shown
    this.c = element("input", { type: "number", min: 0, step: "any", value: this.usual });
    this.iterations = element("input", { type: "number", min: 1, step: 1 });
    this.submit = element("button", { type: "submit" }, "Search on");
    this.form = element("form", { novalidate: "" },
      labelled("Next move at the root", this.move), labelled("c from here on", this.c),
      labelled("Iterations", this.iterations), this.submit);
    this.form.addEventListener("submit", (event) => this.#search(event));
    this.form.addEventListener("input", () => this.#weigh());
    this.meter = element("progress", { max: 1, value: 0, "aria-label": "Searching" });
    this.done = element("span");
    this.stop = textButton("Stop", "Show what has been searched by now", () => this.wishes.send("stop"));
    this.thinking = element("div", { class: "thinking", hidden: "" }, this.meter, this.done, this.stop);
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.alert = element("p", { class: "alert", role: "alert", hidden: "" });
    this.element = element("div", { class: "whatif", role: "group", "aria-label": "What if", hidden: "" },
      this.lead, this.form, this.thinking, this.said, this.alert);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.host = element("div", { class: "mcts-whatif", hidden: "" });
    this.handlers = {
      "change:branching": () => this.#hear(this.model.get("branching")),
      "change:branch_film": () => this.#show(this.model.get("branch_film")),
    };
    this.#weigh();
  }

  /** Listen to Python; returns the place of the comparison, which is shown instead of the player. */
  enter() {
    for (const [event, handler] of Object.entries(this.handlers)) {
      this.model.on(event, handler);
      handler();
    }
    return this.host;
  }

  leave() {
    this.wishes.heard();
    this.pair?.players.forEach((player) => player.leave());
    for (const [event, handler] of Object.entries(this.handlers)) this.model.off(event, handler);
  }

  paint(player) {
    this.player = player;
    this.iteration = player.number;
    write(this.lead, `What if the search had gone on differently from iteration ${player.number}?`);
  }

  #toggle(open = this.element.hidden) {
    this.element.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    if (open) {
      this.iterations.value = Math.max(LEAST, this.film.facts.total + 1 - this.iteration);
      this.move.focus({ preventScroll: true });
    } else if (this.button.offsetParent) {
      this.button.focus({ preventScroll: true });
    } else {
      this.player.element.focus({ preventScroll: true });
    }
  }

  #onKey(event) {
    event.stopPropagation(); // the keys of a form, neither of the film nor of the notebook
    if (event.key === "Escape") this.#toggle(false);
  }

  // Asking ----------------------------------------------------------------------------------

  /** A search with nothing changed would only do the same once more. */
  #weigh() {
    const changed = this.move.value !== "" || this.#newC() !== null;
    this.submit.setAttribute("aria-disabled", !changed);
    this.submit.title = changed ? "" : "Choose another move, or another c, first";
    return changed;
  }

  /** The c that was asked for; `null` for the same as before. */
  #newC() {
    const { value } = this.c;
    return value === "" || Number(value) === this.usual ? null : Number(value);
  }

  #search(event) {
    event.preventDefault();
    if (!this.#weigh()) return this.#warn("Nothing is changed yet: choose another move, or another c.");
    const number = ({ value }) => (value === "" ? null : Number(value));
    this.from = this.iteration;
    return this.wishes.send("search_on", {
      iteration: this.iteration, move: number(this.move), c: this.#newC(), iterations: number(this.iterations),
    });
  }

  // Hearing ---------------------------------------------------------------------------------

  #hear({ share, words, said, alert }) {
    this.wishes.heard(share !== undefined);
    const held = this.thinking.contains(this.thinking.getRootNode().activeElement);
    this.thinking.hidden = share === undefined;
    this.meter.value = share ?? 0;
    write(this.done, words ?? "");
    write(this.said, said ?? "");
    this.#warn(alert ?? "");
    if (held && this.thinking.hidden) this.submit.focus({ preventScroll: true });
  }

  #warn(text) {
    write(this.alert, text);
    this.alert.hidden = !text;
  }

  /** Show both searches in the place of the film, or the one film again. */
  async #show({ title, begin, facts, columns }) {
    this.pair?.players.forEach((player) => player.leave());
    this.pair = undefined;
    this.host.hidden = !facts;
    if (this.player) this.player.element.style.display = facts ? "none" : "";
    const held = this.host.contains(this.host.getRootNode().activeElement);
    this.host.replaceChildren();
    if (!facts) return held && this.#toggle(false);
    const films = [{ facts: this.model.get("facts"), columns: this.model.get("columns") }, { facts, columns }];
    const leave = () => {
      this.#show({});
      this.wishes.send("close");
    };
    try {
      const pair = await mountPair(this.host, films, this.mount, { note: title, shift: begin - 1, leave });
      this.pair = pair;
      if (this.player) this.player.element.style.display = "none";
      pair.goTo(begin, 0);
      pair.element.focus({ preventScroll: true });
    } catch (error) {
      leave();
      this.#warn(`The film cannot be shown in this browser (${error.message}).`);
    }
    return undefined;
  }
}

function labelled(text, control) {
  control.setAttribute("data-lm-suppress-shortcuts", "true");
  return element("label", {}, text, control);
}
