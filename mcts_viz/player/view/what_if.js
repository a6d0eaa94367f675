// What if: the reader changes the next move or c, Python searches on, and both searches are side
// by side in the place of the one film. Every sentence about it comes from Python.

import { Meter, alertPlace, element, focusOn, group, heldIn, write } from "../picture/elements.js";
import { Requests, hear } from "../data/kernel.js";
import { mountPair } from "./pair.js";

const LEAST = 100; // iterations offered, if fewer are left in the film

export class WhatIf {
  /** `mount(host, facts, columns, onMove)` puts a film on the page. */
  constructor(film, model, mount) {
    Object.assign(this, { film, model, mount });
    const { moves, c } = film.facts.what_if;
    this.alert = alertPlace();
    this.requests = new Requests(model, (text) => write(this.alert, text));
    this.lead = element("p", { class: "lead" });
    this.move = element(
      "select",
      {},
      element("option", { value: "" }, "as the search chooses"),
      ...moves.map((label, place) => element("option", { value: place }, label)),
    );
    this.usual = Number(c.toFixed(4)); // as it is shown
    this.c = element("input", { type: "number", min: 0, step: "any", value: this.usual });
    this.iterations = element("input", { type: "number", min: 1, step: 1 });
    const form = element(
      "form",
      { novalidate: "" },
      labelled("Next move at the root", this.move),
      labelled("c from here on", this.c),
      labelled("Iterations", this.iterations),
      element("button", { type: "submit" }, "Search on"),
    );
    form.addEventListener("submit", (event) => this.#search(event));
    this.meter = new Meter("Searching", "Show what has been searched by now", () =>
      this.requests.send("stop"),
    );
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.element = group(
      "whatif",
      "What if",
      this.lead,
      form,
      this.meter.element,
      this.said,
      this.alert,
    );
    // of the comparison, which is shown instead of the player
    this.host = element("div", { class: "mcts-whatif", hidden: "" });
    this.deaf = hear(model, {
      branching: () => this.#hear(model.get("branching")),
      branch_film: () => this.#show(model.get("branch_film")),
    });
  }

  leave() {
    this.requests.heard();
    this.pair?.leave();
    this.deaf();
  }

  opened() {
    this.iterations.value = Math.max(LEAST, this.film.facts.total + 1 - this.iteration);
    focusOn(this.move);
  }

  paint({ iteration }) {
    this.iteration = iteration;
    write(this.lead, `What if the search had gone on differently from iteration ${iteration}?`);
  }

  #search(event) {
    event.preventDefault();
    const number = ({ value }) => (value === "" ? null : Number(value));
    const c = number(this.c);
    this.requests.send("search_on", {
      iteration: this.iteration,
      move: number(this.move),
      c: c === this.usual ? null : c,
      iterations: number(this.iterations),
    });
  }

  #hear({ share, words, said, alert }) {
    this.requests.heard(share !== undefined);
    this.meter.element.hidden = share === undefined;
    this.meter.say(share, words);
    write(this.said, said ?? "");
    write(this.alert, alert ?? "");
  }

  /** Show both searches in the place of the film, or the one film again. */
  async #show({ title, begin, facts, columns }) {
    const held = heldIn(this.host);
    this.pair?.leave();
    this.pair = undefined;
    this.host.replaceChildren();
    this.host.hidden = !facts;
    if (held) focusOn(this.move);
    if (!facts) return;
    const films = [this.model.get("payloads")[0], { facts, columns }];
    const back = () => {
      this.#show({});
      this.requests.send("close");
    };
    this.pair = await mountPair(this.host, films, this.mount, {
      note: title,
      shift: begin - 1,
      back,
    });
    this.pair.goTo(begin, 0);
    focusOn(this.pair.element);
  }
}

const labelled = (text, control) => element("label", {}, text, control);
