// The whole tree as cards, laid out by Graphviz, once, so that no card ever moves: a frame shows,
// hides and fills in. Moves that are still untried stand there as ghosts.

import { Card } from "./card.js";
import { assign, element, svgElement, write } from "./elements.js";
import { IciclePane } from "./icicle.js";
import { LARGEST, MARGIN, View } from "./view.js";

const READABLE = 0.93; // of 12 pixels, 11 are left
const CLOSEST = 12; // times as large

class Cards extends View {
  isWhole = true;
  enlarged = 1;

  constructor(film) {
    super(film, "tree", "Search tree");
    const { corners, edges, height, nodes, width } = film.facts.tree;
    this.more = new Map();
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
  }

  /** How large the pane shows all of it. */
  get scale() {
    return Math.min(LARGEST, this.size[0] / this.box[0], this.size[1] / this.box[1]);
  }

  resize(width, height) {
    super.resize(width, height);
    this.#aim();
  }

  paint(frame, { focus, truth }) {
    const { film } = this;
    let trail = "";
    for (const [node, card] of this.cards) {
      const said = film.births[node] <= frame.addedAt ? film.card(node, frame) : undefined;
      const isGhost = !said && film.births[film.columns.parent[node]] <= frame.addedAt && !film.columns.event;
      card.show(Boolean(said));
      this.#more(card, said?.more ?? "");
      card.ghost(isGhost, film);
      if (!said) continue;
      card.fill(said, frame, { focus, truth });
      assign(card.edge, { "stroke-width": (1.2 + 4 * said.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += card.edge.getAttribute("d");
    }
    assign(this.trail, { d: trail });
    const moment = `${frame.index} ${frame.phase}`;
    if (this.enlarged > 1 && moment !== this.moment) this.#bring(this.cards.get(frame.path.at(-1)));
    this.moment = moment;
  }

  /** What was cut off below a card. */
  #more({ node, box: { x, y, width, height } }, text) {
    if (text && !this.more.has(node)) this.more.set(node, this.over.appendChild(svgElement("text", { class: "note", "text-anchor": "end", x: x + width, y: y + height + 11 })));
    if (this.more.has(node)) write(this.more.get(node), text);
  }

  /** The camera never moves by itself: it shows where all of the film will stand. */
  #aim() {
    const { box, enlarged, scale, size: [width, height], svg } = this;
    const [wide, high] = [width / scale, height / scale];
    const viewBox = [(box[0] - wide) / 2 - MARGIN, -MARGIN, wide, high].map((part) => part.toFixed(2)).join(" ");
    assign(svg, { viewBox, width: width * enlarged, height: height * enlarged });
    this.element.classList.toggle("enlarged", enlarged > 1);
  }

  #bring({ group }) {
    const [pane, card] = [this.element, group].map((part) => part.getBoundingClientRect());
    this.element.scrollBy(
      Math.min(0, card.left - pane.left - MARGIN) + Math.max(0, card.right - pane.right + MARGIN),
      Math.min(0, card.top - pane.top - MARGIN) + Math.max(0, card.bottom - pane.bottom + MARGIN),
    );
  }

  /** Enlarge around the middle of the pane, which is then scrolled; by 0 to see all of it. */
  zoom(factor) {
    const { element: pane, enlarged, size: [width, height] } = this;
    this.enlarged = Math.max(1, Math.min(CLOSEST, enlarged * factor));
    this.#aim();
    const part = this.enlarged / enlarged;
    pane.scrollTo(part * (pane.scrollLeft + width / 2) - width / 2, part * (pane.scrollTop + height / 2) - height / 2);
  }
}

/** The whole tree: cards where the pane shows all of them large enough to be read, else an icicle. */
export class Tree {
  constructor(film, nodes, hands) {
    this.icicle = new IciclePane(nodes, hands);
    this.linked = film.facts.tree && new Cards(film);
    this.shown = this.linked ?? this.icicle;
    this.element = element("div", { hidden: "" }, this.linked?.element, this.icicle.element);
  }

  /** Whether all nodes have a card whose text can be read. */
  get isReadable() {
    return Boolean(this.linked) && this.linked.scale >= READABLE;
  }

  resize(width, height) {
    this.linked?.resize(width, height);
    this.icicle.resize(width, height);
    this.shown = this.isReadable ? this.linked : this.icicle;
    for (const one of [this.linked, this.icicle]) if (one) one.element.hidden = one !== this.shown;
  }
}
