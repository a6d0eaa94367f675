// What both ways to look at a moment have in common.

import { Motion, assign, element, focusOn, heldIn, svgElement } from "./elements.js";
import { short } from "./words.js";

export const LARGEST = 1.8; // cards of a small picture are enlarged no more than that
export const MARGIN = 10; // around a picture
const MOVE = 260; // milliseconds

/** A place on the way from one to another. */
export const between = (from, to, part) =>
  ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });

export class View {
  motion = new Motion();

  constructor(film, name, label) {
    this.film = film;
    [this.lines, this.boxes, this.over] =
      ["lines", "boxes", "over"].map((part) => svgElement("g", { class: part }));
    this.svg = svgElement("svg", { class: `mcts-tree ${name}`, role: "group", "aria-label": label },
      this.lines, this.boxes, this.over);
    this.trail = svgElement("path", { class: "trail" });
    this.cards = new Map(); // by node, those on the screen
    this.gains = [];
    this.element = element("div", { class: "pane", hidden: "" }, this.svg); // until it is painted
  }

  /** Put a new card into the picture, its edge below all other lines. */
  add(card) {
    this.boxes.append(card.group);
    this.lines.prepend(card.edge);
  }

  /** The trail, over the edges of the path. */
  paintTrail({ onPath }) {
    const edges = [...this.cards.values()].filter(({ node }) => onPath.has(node)).map(({ edge }) => edge);
    assign(this.trail, { d: edges.map((edge) => edge.getAttribute("d")).join("") });
  }

  /** In the last phase, at each card of the path what it is given: +1, +0.5 or +0. */
  paintGains(frame) {
    const { film } = this;
    for (const { group } of this.gains) group.remove();
    const isGiven = (node) => (this.cards.get(node)?.kind ?? "dot") !== "dot";
    const given = film.facts.phases[frame.phase] === "backpropagate" ? frame.path.filter(isGiven) : [];
    this.gains = given.map((node) => {
      const winsAt = (iteration) => film.statistics(node, iteration).wins;
      const gain = winsAt(frame.iteration) - winsAt(frame.iteration - 1);
      const { height, to: { x, y }, width } = this.cards.get(node);
      const group = svgElement("text", {
        class: gain > 0 ? "gain" : "gain none", "data-of": node, x: x - width / 2 - 8, y: y - height / 2 + 5,
      }, `${gain < 0 ? "−" : "+"}${short(Math.abs(gain))}`);
      this.over.append(group);
      return { node, group };
    });
  }

  /** The card that Tab leads to: one stop for the whole picture. */
  rove(node) {
    const stop = this.cards.has(node) ? node : 0;
    for (const [other, { group }] of this.cards) assign(group, { tabindex: other === stop ? 0 : -1 });
  }

  /** Give the focus to the card above or below the one that has it. */
  beside(way) {
    const shown = [...this.cards.values()]
      .filter(({ group }) => group.getAttribute("display") !== "none")
      .toSorted((a, b) => a.at.x - b.at.x || a.at.y - b.at.y);
    const held = shown.findIndex(({ group }) => group === heldIn(this.element));
    const next = shown.at((held + way + shown.length) % shown.length);
    if (next) focusOn(next.group);
  }

  /** Call `draw` with 0 to 1 within 260 ms, slowly at both ends; without `calm` with 1, at once. */
  glide(calm, draw) {
    this.motion.run(calm ? MOVE : 0, (over) => {
      const part = calm ? over / MOVE : 1;
      draw(part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2);
    });
  }

  /** So large is the pane. */
  resize(width, height) {
    this.size = [width, height];
    assign(this.svg, { width, height });
  }
}
