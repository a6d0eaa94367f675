// Below the slider lies how the visits were shared among the root's moves, in the order of the moves. A
// move is known by its place and its name.

import { assign, element, svgElement } from "../picture/elements.js";

const POINTS = 240; // iterations that are looked at; a screen could not show more
const HIGH = 95; // units
const NAMED = 0.24; // of the height: a band so high has room for its name

export class RootHistory {
  constructor(film) {
    this.film = film;
    const { scale = [] } = film.facts;
    this.future = element("span", { class: "future" });
    this.marker = element("span", { class: "now" });
    const numbers = scale.map(([number, part]) =>
      element("span", { class: "number", style: `left: ${100 * part}%` }, String(number)),
    );
    this.areas = [];
    const shares = film.rootShares && film.below[0].length > 0 && this.#shares();
    this.element = element(
      "div",
      { class: "ribbon", "aria-hidden": "true" },
      shares,
      ...this.#names(),
      this.future,
      this.marker,
      ...numbers,
    );
  }

  /** Show where the film is, and the move that this iteration's walk began with. */
  mark({ fullPath, index }) {
    this.marker.style.left = this.future.style.left = this.at(index);
    this.film.below[0].forEach((node, place) => {
      this.areas[place]?.classList.toggle("walked", node === fullPath[1]);
    });
  }

  /** Where an index of the film is on the slider. */
  at(index) {
    return `${(100 * (index - 1)) / Math.max(1, this.film.facts.iterations - 1)}%`;
  }

  /** An area a move, between where the moves before it end and where it does. */
  #shares() {
    const {
      film,
      film: {
        facts: { iterations },
      },
    } = this;
    const last = Math.max(1, iterations - 1);
    const count = Math.min(iterations, POINTS);
    const places = Array.from(
      { length: count },
      (_, place) => 1 + Math.round((place * (iterations - 1)) / Math.max(1, count - 1)),
    );
    const tops = places.map((index) => {
      let top = 0;
      return [0, ...film.rootShares(film.iterationAt(index)).map((share) => (top += share))];
    });
    this.ends = tops.at(-1);
    const points = (rank) =>
      places.map((index, place) => `${index} ${(HIGH * tops[place][rank]).toFixed(1)}`);
    this.areas = film.below[0].map((node, rank) => {
      const d = `M${points(rank).join("L")}L${points(rank + 1)
        .toReversed()
        .join("L")}Z`;
      return svgElement("path", {
        class: rank % 2 ? "area odd" : "area",
        "data-move": film.label(node),
        d,
      });
    });
    const box = { viewBox: `1 0 ${last} ${HIGH}`, preserveAspectRatio: "none" };
    return svgElement("svg", box, ...this.areas);
  }

  /** The names of moves that have room for one at the end. */
  #names() {
    const { ends, film } = this;
    if (!ends) return [];
    return film.below[0].flatMap((node, rank) => {
      const high = ends[rank + 1] - ends[rank];
      if (high < NAMED) return [];
      const middle = (100 * (ends[rank] + ends[rank + 1])) / 2;
      const name = element("span", { class: "name" }, film.label(node));
      // Two films share the height, so there a band must be twice as high to have room.
      name.classList.toggle("low", high < 2 * NAMED);
      return [assign(name, { style: `top: ${middle}%` })];
    });
  }
}
