// What if: the reader changes the next move or c, Python searches on, and the film of that branch
// appears below. Every sentence about it comes from Python.

import { write } from "./board.js";
import { element, textButton } from "./panels.js";
import { Wishes } from "./wishes.js";

const LEAST = 100; // iterations offered, if fewer are left in the film

export class WhatIf {
  /** `mount(host, facts, columns, onMove)` puts a film on the page. */
  constructor(film, model, mount) {
    this.film = film;
    this.model = model;
    this.mount = mount;
    this.wishes = new Wishes(model, (text) => this.#warn(text));
    const { moves, c } = film.facts.what_if;
    this.button = textButton("What if", "Search on from here in another way", () => this.#toggle());
    this.button.setAttribute("aria-expanded", false);
    this.lead = element("p", { class: "lead" });
    this.move = element("select", {}, element("option", { value: "" }, "as the search chooses"),
      ...moves.map((label, place) => element("option", { value: place }, label)));
    this.c = element("input", { type: "number", min: 0, step: "any", value: c });
    this.iterations = element("input", { type: "number", min: 1, step: 1 });
    this.form = element("form", { novalidate: "" },
      labelled("Next move at the root", this.move), labelled("c from here on", this.c),
      labelled("Iterations", this.iterations), element("button", { type: "submit" }, "Search on"));
    this.form.addEventListener("submit", (event) => this.#search(event));
    this.meter = element("progress", { max: 1, value: 0, "aria-label": "Searching" });
    this.done = element("span");
    this.stop = textButton("Stop", "Show what has been searched by now", () => this.wishes.send("stop"));
    this.thinking = element("div", { class: "thinking", hidden: "" }, this.meter, this.done, this.stop);
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.alert = element("p", { class: "alert", role: "alert", hidden: "" });
    this.element = element("div", { class: "whatif", role: "group", "aria-label": "What if", hidden: "" },
      this.lead, this.form, this.thinking, this.said, this.alert);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.title = element("strong");
    this.close = textButton("Close", "Take this branch away", () => this.wishes.send("close"));
    this.host = element("div");
    this.below = element("section", { class: "mcts-branch", "aria-label": "What if", hidden: "" },
      element("div", { class: "head" }, this.title, this.close), this.host);
    this.handlers = {
      "change:branching": () => this.#hear(this.model.get("branching")),
      "change:branch_film": () => this.#show(this.model.get("branch_film")),
    };
  }

  /** Listen to Python; answers with the place of the branch, which goes below the player. */
  enter() {
    for (const [event, handler] of Object.entries(this.handlers)) {
      this.model.on(event, handler);
      handler();
    }
    return this.below;
  }

  leave() {
    this.wishes.heard();
    this.player?.pause();
    for (const [event, handler] of Object.entries(this.handlers)) this.model.off(event, handler);
  }

  paint({ number }) {
    this.iteration = number;
    write(this.lead, `What if the search had gone on in another way from iteration ${number}?`);
  }

  #toggle(open = this.element.hidden) {
    this.element.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    if (open) {
      this.iterations.value = Math.max(LEAST, this.film.facts.total + 1 - this.iteration);
      this.move.focus({ preventScroll: true });
    } else {
      this.button.focus({ preventScroll: true });
    }
  }

  #onKey(event) {
    event.stopPropagation(); // the keys of a form, neither of the film nor of the notebook
    if (event.key === "Escape") this.#toggle(false);
  }

  // Asking ----------------------------------------------------------------------------------

  #search(event) {
    event.preventDefault();
    const number = ({ value }) => (value === "" ? null : Number(value));
    this.wishes.send("search_on", {
      iteration: this.iteration, move: number(this.move), c: number(this.c), iterations: number(this.iterations),
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
    if (held && this.thinking.hidden) this.form.lastChild.focus({ preventScroll: true });
  }

  #warn(text) {
    write(this.alert, text);
    this.alert.hidden = !text;
  }

  /** Show the film of a branch below the player, or none. */
  async #show({ title, facts, columns }) {
    const held = this.below.contains(this.below.getRootNode().activeElement);
    this.player?.pause();
    this.player = undefined;
    this.host.replaceChildren();
    this.below.hidden = !facts;
    if (held && !facts) (this.element.hidden ? this.button : this.form.lastChild).focus({ preventScroll: true });
    if (!facts) return;
    write(this.title, title);
    try {
      this.player = await this.mount(this.host, facts, columns, () => {});
      this.player.go(1, 0, true);
    } catch (error) {
      this.#warn(`The film cannot be shown in this browser (${error.message}).`);
    }
  }
}

function labelled(text, control) {
  control.setAttribute("data-lm-suppress-shortcuts", "true");
  return element("label", {}, text, control);
}
