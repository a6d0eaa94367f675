// The whole tree as cards, laid out by Graphviz, once, so that no card ever moves: a frame shows,
// hides and fills in. Where the pane is too small for cards that can be read, it is scrolled, and
// follows the walk; where it shows too little of them, an icicle takes its place.

import { Card } from "./card.js";
import { assign } from "./elements.js";
import { LARGEST, MARGIN, View, between } from "./view.js";

const READABLE = 0.93; // of 12 pixels, 11 are left
const SMALLEST = 0.36; // a tree that is scrolled is no more than two and a half panes wide and high

export class Tree extends View {
  isWhole = true;

  constructor(film) {
    super(film, "tree", "Search tree");
    const { corners, edges, height, nodes, width } = film.facts.tree;
    this.box = [width + 2 * MARGIN, height + 2 * MARGIN];
    nodes.forEach((node, place) => {
      const card = new Card(film, "tall");
      const [x, y] = corners[place];
      card.place(node);
      card.move({ x: x + card.width / 2, y: y + card.height / 2 });
      assign(card.edge, { d: edges[place] });
      this.cards.set(node, card);
      this.add(card);
    });
    this.lines.append(this.trail);
    assign(this.svg, { viewBox: [-MARGIN, -MARGIN, ...this.box].join(" ") });
  }

  /** The picture has room for all of the film from the beginning, and cards that can be read. */
  resize(width, height) {
    super.resize(width, height);
    const fit = Math.min(LARGEST, width / this.box[0], height / this.box[1]); // how large all of it would be
    this.scale = Math.max(READABLE, fit);
    this.isReadable = fit >= READABLE; // with all nodes in sight
    this.hasRoom = fit >= SMALLEST;
    this.sides = this.box.map((side) => Math.floor(side * this.scale));
    assign(this.svg, { width: this.sides[0], height: this.sides[1] });
    this.element.classList.toggle("scrolled", this.sides[0] > width || this.sides[1] > height);
  }

  /** It is scrolled to where the walk will end, so nothing moves when its new card comes. */
  paint(frame, { calm, focus, hideNewNode, truth }) {
    const { cards, element: pane, film, scale, sides, size } = this;
    for (const [node, card] of cards) {
      if (film.births[node] > frame.addedAt) card.show(false);
      else card.fill(film.card(node, frame), frame, { focus, truth });
    }
    this.paintTrail(frame);
    const { at } = cards.get((hideNewNode ? frame.path : frame.fullPath).at(-1));
    const from = { x: pane.scrollLeft, y: pane.scrollTop };
    const [x, y] = [at.x, at.y].map((middle, side) =>
      Math.max(0, Math.min(sides[side] - size[side], middle * scale - size[side] / 2)));
    this.glide(calm, (part) => {
      const now = between(from, { x, y }, part);
      pane.scrollTo(now.x, now.y);
    });
  }
}
