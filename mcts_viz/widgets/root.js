// The moves at the root: over time, as a strip below the slider, and at this moment, as bars of
// visits. A unit across the strip is an iteration, so no place in it has to be computed.

import { svgElement, write } from "./board.js";
import { element } from "./panels.js";

const TITLE = "Moves at the root: shares of the visits above, mean rewards below.";

export class RootStrip {
  /** `onGo(iteration)` is called for a click into the strip. Minimax has no such moves. */
  constructor(film, onGo) {
    this.film = film;
    this.facts = film.facts.root;
    this.pictures = element("div", { class: "root-strip" });
    this.list = element("ul", { class: "root-moves", "aria-label": "Visits of the moves at the root" });
    this.words = element("p", { class: "root-words" });
    this.elements = [this.pictures, this.list, this.words];
    if (this.facts) this.#build(onGo);
    else this.show(false);
  }

  #build(onGo) {
    const { svg, words, height, moves, dashes, rest, others, scale } = this.facts;
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const picture = document.importNode(parsed.documentElement, true);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", words);
    // A picture of its own, so that a new frame paints the line and nothing around it.
    const box = { viewBox: picture.getAttribute("viewBox"), preserveAspectRatio: "none" };
    this.marker = svgElement("path", { class: "place", d: `M0 0V${height}` });
    const over = svgElement("svg", { ...box, class: "over", "aria-hidden": "true" });
    over.append(this.marker);
    this.pictures.append(picture, over);
    this.pictures.classList.toggle("scaled", scale.length > 0);
    for (const [iteration, part] of scale) {
      const number = element("span", { class: "number", "aria-hidden": "true" }, iteration.toLocaleString("en"));
      number.style.left = `${100 * part}%`;
      number.style.translate = `${-100 * part}%`;
      this.pictures.append(number);
    }
    this.pictures.title = `${TITLE} A click goes to that iteration.`;
    const go = (event) => {
      if (!(event.buttons & 1)) return;
      const point = new DOMPoint(event.clientX, event.clientY);
      onGo(point.matrixTransform(picture.getScreenCTM().inverse()).x);
    };
    this.pictures.addEventListener("pointerdown", go);
    this.pictures.addEventListener("pointermove", go);
    this.rows = moves.map((node, place) => this.#row([node], this.film.label(node), `move-${place}`, dashes[place]));
    if (rest.length) this.rows.push(this.#row(rest, others, "others"));
    this.list.append(...this.rows.map((row) => row.element));
  }

  #row(nodes, label, look, dash) {
    const swatch = svgElement("svg", { class: "swatch", viewBox: "0 0 26 12", "aria-hidden": "true" });
    swatch.append(svgElement("rect", { class: `area ${look}`, width: 8, height: 12 }));
    if (dash) swatch.append(svgElement("path", { class: `rate ${look}`, d: "M10 6H26", "stroke-dasharray": dash }));
    const bar = element("span", { class: "bar" });
    const count = element("span", { class: "count" });
    const name = element("span", { class: "move", title: label }, label);
    const track = element("span", { class: "track", "aria-hidden": "true" }, bar);
    return { nodes, bar, count, element: element("li", {}, swatch, name, track, count) };
  }

  show(shown) {
    for (const part of this.elements) part.hidden = !shown;
  }

  get shown() {
    return !this.list.hidden;
  }

  /** Move the line to where the slider stands. */
  mark({ iteration }) {
    if (this.shown) this.marker.setAttribute("transform", `translate(${iteration} 0)`);
  }

  paint(frame) {
    if (!this.shown) return;
    this.mark(frame);
    const { film } = this;
    const { counted } = frame;
    const visits = this.rows.map(({ nodes }) => nodes.reduce((sum, node) => sum + film.statistics(node, counted).visits, 0));
    const most = Math.max(1, ...visits);
    const played = film.played(frame);
    this.rows.forEach(({ element: row, nodes, bar, count }, place) => {
      row.classList.toggle("played", nodes.includes(played));
      bar.style.width = `${(100 * visits[place]) / most}%`;
      write(count, `${visits[place]}${nodes.includes(played) ? " ★" : ""}`);
    });
    write(this.words, TITLE + (played < 0 ? "" : this.#now(played, film.statistics(played, counted).visits)));
  }

  #now(move, visits) {
    return ` ★ Would be played now: ${this.film.label(move)}, with ${visits} visit${visits === 1 ? "" : "s"}.`;
  }
}
