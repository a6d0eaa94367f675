// What both ways to look at a moment have in common.

import { assign, element, svgElement } from "./elements.js";

export const LARGEST = 1.8; // cards of a small picture are enlarged no more than that
export const MARGIN = 10; // around a picture


export class View {
  constructor(film, name, label) {
    this.film = film;
    [this.lines, this.boxes, this.over] = ["lines", "boxes", "over"].map((part) => svgElement("g", { class: part }));
    this.svg = svgElement("svg", { class: `mcts-tree ${name}`, role: "group", "aria-label": label }, this.lines, this.boxes, this.over);
    this.trail = svgElement("path", { class: "trail" });
    this.cards = new Map(); // by node, those on the screen
    this.element = element("div", { class: "pane", hidden: "" }, this.svg); // until it is painted
  }

  /** Put a new card into the picture, its edge below all other lines. */
  add(card) {
    this.boxes.append(card.group);
    this.lines.prepend(card.edge);
  }

  /** The nodes that it shows. */
  get nodes() {
    return new Set(this.cards.keys());
  }

  /** So large is the pane. */
  resize(width, height) {
    this.size = [width, height];
    assign(this.svg, { width, height });
  }
}
