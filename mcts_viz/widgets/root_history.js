// Below the slider lies how the visits were shared among the root's moves.

import { element, picture } from "./elements.js";

/** Below the slider lies how the visits were shared among the root's moves. */
export class RootHistory {
  constructor(film) {
    this.film = film;
    const { root } = film.facts;
    this.future = element("span", { class: "future" });
    this.marker = element("span", { class: "now" });
    const scale = (root?.scale ?? []).map(([number, part]) => element("span", { class: "number", style: `left: ${100 * part}%` }, String(number)));
    this.element = element("div", { class: "ribbon", "aria-hidden": "true" }, root ? picture(root.ribbon) : "", this.future, this.marker, ...scale);
  }

  mark({ index }) {
    this.marker.style.left = this.future.style.left = this.at(index);
  }

  /** Where a place of the slider is. */
  at(place) {
    return `${(100 * (place - 1)) / Math.max(1, this.film.facts.iterations - 1)}%`;
  }
}
