// The whole tree as cards, laid out by Graphviz, once, so that no card ever moves: a frame shows,
// hides and fills in. Where the pane is too small for cards that can be read, it is scrolled, and
// follows the walk.

import { Card } from "./card.js";
import { assign, element } from "./elements.js";
import { Icicle } from "./icicle.js";
import { LARGEST, MARGIN, View } from "./view.js";

const READABLE = 0.93; // of 12 pixels, 11 are left
const SMALLEST = 0.36; // a tree that is scrolled is no more than two and a half panes wide and high

class Cards extends View {
  isWhole = true;

  constructor(film) {
    super(film, "tree", "Search tree");
    const { corners, edges, height, nodes, width } = film.facts.tree;
    this.box = [width + 2 * MARGIN, height + 2 * MARGIN];
    nodes.forEach((node, place) => {
      const card = new Card(film, "tall");
      card.place(node);
      const [x, y] = corners[place];
      card.move({ x, y, width: card.width, height: card.height });
      assign(card.edge, { d: edges[place] });
      this.cards.set(node, card);
      this.add(card);
    });
    this.lines.append(this.trail);
    assign(this.svg, { viewBox: [-MARGIN, -MARGIN, ...this.box].join(" ") });
  }

  /** How large the pane could show all of it. */
  get fit() {
    return Math.min(LARGEST, this.size[0] / this.box[0], this.size[1] / this.box[1]);
  }

  /** How large cards are: never too small to be read. */
  get scale() {
    return Math.max(READABLE, this.fit);
  }

  /** The picture has room for all of the film from the beginning. */
  resize(width, height) {
    super.resize(width, height);
    const sides = this.box.map((side) => Math.floor(side * this.scale));
    assign(this.svg, { width: sides[0], height: sides[1] });
    this.element.classList.toggle("scrolled", sides[0] > width || sides[1] > height);
  }

  paint(frame, { calm, focus, hideNewNode, truth }) {
    const { film } = this;
    let trail = "";
    for (const [node, card] of this.cards) {
      const said = film.births[node] <= frame.addedAt ? film.card(node, frame) : undefined;
      card.show(Boolean(said));
      if (!said) continue;
      card.fill(said, frame, { focus, truth });
      assign(card.edge, { "stroke-width": (1.2 + 4 * said.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += card.edge.getAttribute("d");
    }
    assign(this.trail, { d: trail });
    this.#follow((hideNewNode ? frame.path : frame.fullPath).at(-1), calm);
  }

  /**
   * Scroll to where the walk of an iteration ends, with the card that it will add: so nothing moves
   * when this comes.
   */
  #follow(end, calm) {
    const { element: pane, scale } = this;
    const { x, y, width, height } = this.cards.get(end).box;
    const from = [pane.scrollLeft, pane.scrollTop];
    const sizes = [[x + width / 2, pane.clientWidth, pane.scrollWidth],
      [y + height / 2, pane.clientHeight, pane.scrollHeight]];
    const to = sizes.map(([middle, seen, all]) =>
      Math.max(0, Math.min(all - seen, middle * scale - seen / 2)));
    this.glide(calm, (part) =>
      pane.scrollTo(...from.map((begin, side) => begin + (to[side] - begin) * part)));
  }
}

/** The whole tree: cards where the pane shows enough of them large enough to be read, else an icicle. */
export class Tree {
  constructor(film, nodes, hands) {
    this.icicle = new Icicle(nodes, "pane", hands);
    this.linked = film.facts.tree && new Cards(film);
    this.shown = this.linked ?? this.icicle;
    this.element = element("div", { hidden: "" }, this.linked?.element, this.icicle.element);
  }

  /** Whether the pane shows all nodes as cards whose text can be read. */
  get isReadable() {
    return this.linked?.fit >= READABLE;
  }

  resize(width, height) {
    this.linked?.resize(width, height);
    this.icicle.resize(width, height);
    this.shown = this.linked?.fit >= SMALLEST ? this.linked : this.icicle;
    for (const one of [this.linked, this.icicle]) if (one) one.element.hidden = one !== this.shown;
  }
}
