// Below the slider lies how the visits were shared among the root's moves, each in its own colour.

import { element, svgElement } from "./elements.js";

const POINTS = 240; // iterations that are looked at; nobody could see more on a screen
const HIGH = 95; // units

export class RootHistory {
  constructor(film) {
    this.film = film;
    const { scale = [], top_moves: moves = [] } = film.facts;
    this.future = element("span", { class: "future" });
    this.marker = element("span", { class: "now" });
    const numbers = scale.map(([number, part]) =>
      element("span", { class: "number", style: `left: ${100 * part}%` }, String(number)));
    this.element = element("div", { class: "ribbon", "aria-hidden": "true" },
      moves.length > 0 && sharesPicture(film), this.future, this.marker, ...numbers);
  }

  mark({ index }) {
    this.marker.style.left = this.future.style.left = this.at(index);
  }

  /** Where an index of the film is on the slider. */
  at(index) {
    return `${(100 * (index - 1)) / Math.max(1, this.film.facts.iterations - 1)}%`;
  }
}

/** Each area hangs from the top, and the next covers its upper part, the largest last. */
function sharesPicture(film) {
  const { below, facts: { iterations, top_moves: moves } } = film;
  const last = Math.max(1, iterations - 1);
  const count = Math.min(iterations, POINTS);
  const places = Array.from({ length: count }, (_, place) =>
    1 + Math.round((place * (iterations - 1)) / Math.max(1, count - 1)));
  const tops = places.map((index) => {
    let top = 0;
    return film.topShares(film.iterationAt(index)).map((share) => (top += share));
  });
  const area = (look, heightAt) => {
    const points = places.map((index, place) => `${index} ${Math.round(HIGH * heightAt(place))}`);
    return svgElement("path", { class: `area ${look}`, d: `M${points.join("L")}H${last + 1}V0H1Z` });
  };
  const named = moves.map((node, rank) => area(film.moveColour(node), (place) => tops[place][rank]));
  return svgElement("svg", { viewBox: `1 0 ${last} ${HIGH}`, preserveAspectRatio: "none" },
    below[0].length > named.length && area("others", () => 1), ...named.toReversed());
}
