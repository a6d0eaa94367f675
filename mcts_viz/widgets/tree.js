// The tree: laid out once, so that no card ever moves; a frame shows, hides and fills in. The
// camera shows what has been added so far, or a part of it, larger.

import { Card } from "./card.js";
import { assign, svgElement, write } from "./elements.js";
import { LARGEST, MARGIN, View } from "./view.js";

const CLOSEST = 12; // times as large
const TIP = 9; // radius of what stands for a part of the path that has no card
const LETTERS = [11.2, 14]; // pixels: smaller ones are not seen, so texts grow on small cards; larger ones have no room

export class Tree extends View {
  constructor(film) {
    super(film, "tree", "Search tree");
    this.facts = film.facts.tree;
    this.more = new Map();
    this.enlarged = 1;
    this.facts.nodes.forEach((node, place) => {
      const card = new Card(film, this.facts.kinds[place]);
      card.place(node);
      const [x, y] = this.facts.corners[place];
      card.move({ x, y, width: card.width, height: card.height });
      assign(card.edge, { d: this.facts.edges[place] });
      this.cards.set(node, card);
      this.add(card);
    });
    this.tip = svgElement("circle", { class: "tip", r: TIP });
    this.tipEdge = svgElement("path", { class: "edge" });
    this.tipText = svgElement("text", { class: "tip", "text-anchor": "middle" });
    this.lines.append(this.tipEdge, this.trail);
    this.over.append(this.tip, this.tipText);
  }

  resize(width, height) {
    super.resize(width, height);
    this.#aim();
  }

  /** Whether all nodes have a card whose text can be read. */
  get isReadable() {
    const { whole, width, height } = this.facts;
    return whole && Math.min(this.size[0] / (width + 2 * MARGIN), this.size[1] / (height + 2 * MARGIN)) >= 0.93;
  }

  paint(frame, { focus, truth }) {
    const { film } = this;
    const seen = [];
    let trail = "";
    for (const [node, card] of this.cards) {
      const look = film.births[node] <= frame.addedAt ? film.card(node, frame) : undefined;
      card.show(look !== undefined);
      this.#more(card, look?.more ?? "");
      if (!look) continue;
      seen.push(card);
      card.fill(look, frame, { focus, truth });
      assign(card.edge, { "stroke-width": (1.2 + 4 * look.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += card.edge.getAttribute("d");
    }
    assign(this.trail, { d: trail + this.#paintTip(frame) });
    this.#frame(frame, seen);
  }

  /** What was cut off below a card. */
  #more({ node, box: { x, y, width, height } }, text) {
    if (text && !this.more.has(node)) this.more.set(node, this.over.appendChild(svgElement("text", { class: "note", "text-anchor": "end", x: x + width, y: y + height + 12 })));
    if (this.more.has(node)) write(this.more.get(node), text);
  }

  /** The rest of a path that has no cards hangs below the last one that has. */
  #paintTip({ path, added }) {
    const rest = path.filter((node) => !this.cards.has(node));
    for (const part of [this.tip, this.tipEdge, this.tipText]) assign(part, { display: rest.length ? "inline" : "none" });
    if (!rest.length) return "";
    const owner = this.cards.get(path[path.length - rest.length - 1]);
    const [x, y] = [owner.box.x + owner.width / 2, owner.box.y + owner.height];
    const node = rest.at(-1);
    const d = `M${x} ${y}v10`;
    assign(this.tipEdge, { d, "data-child": node });
    assign(this.tip, { "data-node": node, cx: x, cy: y + 10 + TIP, class: node === added ? "tip new" : "tip" });
    this.tip.toggleAttribute("data-new", node === added);
    assign(this.tipText, { x, y: y + 14 + TIP });
    write(this.tipText, String(rest.length));
    return d;
  }

  // The camera ------------------------------------------------------------------------------

  /** Look at all that has been added; where that is enlarged, the end of the path stays in sight. */
  #frame({ index, phase, path }, seen) {
    const right = Math.max(...seen.map((card) => card.box.x + card.width));
    const [left, bottom] = [Math.min(...seen.map((card) => card.box.x)), Math.max(...seen.map((card) => card.box.y + card.height))];
    this.box = { x: left - MARGIN, width: right - left + 2 * MARGIN, height: bottom + 2 * MARGIN + (this.facts.whole ? 0 : 2 * TIP + 10) };
    this.#aim();
    const moment = `${index} ${phase}`;
    if (this.enlarged > 1 && moment !== this.moment) this.#bring(this.cards.get(path.findLast((node) => this.cards.has(node))));
    this.moment = moment;
  }

  #aim() {
    const { box, enlarged, size: [width, height], svg } = this;
    if (!box) return; // nothing has been painted yet
    const scale = Math.min(LARGEST, width / box.width, height / box.height);
    const [wide, high] = [width / scale, height / scale];
    const viewBox = [box.x + box.width / 2 - wide / 2, -MARGIN, wide, high].map((part) => part.toFixed(2)).join(" ");
    const letters = Math.max(12, LETTERS[0] / (scale * enlarged));
    assign(svg, { viewBox, width: width * enlarged, height: height * enlarged, style: `--letters: ${letters.toFixed(1)}px` });
    svg.classList.toggle("far", letters > LETTERS[1]);
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
