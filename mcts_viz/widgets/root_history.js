// Below the slider lies how the visits were shared among the root's moves, each in its own colour.

import { element, svgElement, write } from "./elements.js";

const LABELLED = 11; // pixels: a band as high as that is named
const POINTS = 240; // iterations that are looked at; nobody could see more on a screen
const HIGH = 95; // units

export class RootHistory {
  height = 0; // in pixels of the page, as the player measures it: to ask at each step would lay the page out

  constructor(film, { onHover = () => {} } = {}) {
    Object.assign(this, { film, onHover });
    const { scale = [], top_moves: moves = [] } = film.facts;
    this.future = element("span", { class: "future" });
    this.marker = element("span", { class: "now" });
    this.hair = element("span", { class: "hair", hidden: "" });
    this.tip = element("span", { class: "tip", hidden: "" });
    this.names = moves.map((node) => {
      const look = { class: `band ${film.moveColour(node)}`, "data-node": node };
      return { node, element: element("span", look, film.label(node)) };
    });
    const numbers = scale.map(([number, part]) =>
      element("span", { class: "number", style: `left: ${100 * part}%` }, String(number)));
    this.element = element("div", { class: "ribbon", "aria-hidden": "true" },
      moves.length > 0 && sharesPicture(film), this.future, ...this.names.map((one) => one.element),
      this.marker, this.hair, ...numbers);
  }

  /** Show what lies below a pointer on the track. */
  listen(track) {
    if (!this.names.length) return;
    track.append(this.tip);
    track.addEventListener("pointermove", ({ clientX, clientY }) => {
      const { height, left, top, width } = this.element.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (clientX - left) / width));
      const index = 1 + Math.round(part * (this.film.facts.iterations - 1));
      const iteration = this.film.iterationAt(index);
      const seen = iteration <= this.iteration; // the future is not told
      const bands = this.#bands(iteration, height);
      const shares = bands.filter(({ share }) => share > 0.005);
      const said = shares.map(({ node, share }) => `${this.film.label(node)} ${Math.round(100 * share)} %`);
      write(this.tip, seen ? `${iteration}: ${said.join(", ")}` : String(iteration));
      this.hair.style.left = this.tip.style.left = `${100 * part}%`;
      this.tip.classList.toggle("end", part > 0.6);
      this.hair.hidden = this.tip.hidden = false;
      this.onHover(seen ? bands.find(({ end }) => clientY - top <= end)?.node : undefined);
    });
    track.addEventListener("pointerleave", () => {
      this.hair.hidden = this.tip.hidden = true;
      this.onHover(undefined);
    });
  }

  /** Of each move: its share of the visits by then, and where its band ends. */
  #bands(iteration, height) {
    let end = 0;
    return this.film.topShares(iteration).map((share, place) => {
      const { node } = this.names[place];
      end += share * height;
      return { node, share, high: share * height, end };
    });
  }

  mark({ index, iteration, counted }) {
    this.iteration = iteration;
    const left = this.at(index);
    this.marker.style.left = this.future.style.left = left;
    if (!this.names.length) return;
    const bands = this.#bands(counted, this.height);
    const atStart = (index - 1) / Math.max(1, this.film.facts.iterations - 1) < 0.08;
    this.names.forEach(({ element: name }, place) => {
      const { end, high } = bands[place];
      name.hidden = high < LABELLED;
      if (name.hidden) return;
      name.classList.toggle("after", atStart);
      Object.assign(name.style, { left, top: `${end - high / 2}px` });
    });
  }

  /** Where an index of the film is on the slider. */
  at(index) {
    return `${(100 * (index - 1)) / Math.max(1, this.film.facts.iterations - 1)}%`;
  }
}

/** Indices of the film, evenly spaced, the first and the last among them. */
function places({ iterations }) {
  const count = Math.min(iterations, POINTS);
  const gap = (iterations - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, place) => 1 + Math.round(place * gap));
}

/** A path through those points that are known; `parts` of the height are counted from the top. */
function line(across, parts) {
  const points = across.map((x, place) => `${x} ${Math.round(HIGH * parts[place])}`);
  const known = points.filter((_, place) => Number.isFinite(parts[place]));
  return known.length ? `M${known.join("L")}` : "";
}

const pictureOf = ({ iterations }, paths) => svgElement("svg",
  { viewBox: `1 0 ${Math.max(1, iterations - 1)} ${HIGH}`, preserveAspectRatio: "none" }, ...paths);

/** The shares: each area hangs from the top, and the next covers its upper part, the largest last. */
function sharesPicture(film) {
  const { below, facts } = film;
  const across = places(facts);
  const area = (look, parts) => svgElement("path",
    { class: `area ${look}`, d: `${line(across, parts)}H${Math.max(2, facts.iterations)}V0H1Z` });
  const tops = across.map((index) => {
    let top = 0;
    return film.topShares(film.iterationAt(index)).map((share) => (top += share));
  });
  const named = facts.top_moves.map((node, place) =>
    area(film.moveColour(node), tops.map((row) => row[place])));
  const others = below[0].length > named.length && area("others", across.map(() => 1));
  return pictureOf(facts, [others, ...named.toReversed()]);
}
