// The picture of a film at a moment: the river on a canvas, and above it the cards, the walk, the untried
// moves and what the path is given. The layout is made again for each moment; what stays glides to its
// new place.

import { Motion, assign, element, focusOn, heldIn, svgElement } from "./elements.js";
import { threadsOf } from "../data/threads.js";
import { gained, grouped } from "../data/words.js";
import { Card } from "./card.js";
import { blended } from "./glide.js";
import { ladder } from "./ladder.js";
import { layOut } from "./river.js";
import { Water } from "./water.js";

const MOVE = 260; // milliseconds: a glide
const GLIDING = 4000; // shapes: more are not glided one by one within a frame
const FOOT = 48; // kept free below the deepest row,
const FALL = 150; // and while a playout falls from it
// What a card of the path is given.
const PILL = { wide: 30, high: 15, above: 3, beside: 9, letter: 6.4, text: 9 };
const CORNER = 10; // from a card's right edge, where signs are
const USUAL = [584, 464]; // pixels: the pane on a laptop,
const LARGEST = 2; // and how many times larger all is in a larger one
const ZOOM = [1, 12]; // of the width
const HEAD_LINE = 14;

export class View {
  motion = new Motion();
  cards = new Map(); // by node of the film, those on the screen
  spare = [];
  gains = [];
  top = 0; // the node at the top, by its number in the tree
  mode = "river"; // or "walk", the ladder
  zoom = 1; // of the width,
  pan = 0; // and how far to the left the picture is moved, in pixels

  constructor(film) {
    this.film = film;
    this.tree = threadsOf(film);
    const layer = (name) => svgElement("g", { class: name });
    const layers = ["lines", "ghosts", "heads", "boxes", "over"];
    for (const name of layers) this[name] = layer(name);
    this.canvas = element("canvas", { role: "img" });
    this.svg = svgElement(
      "svg",
      { class: "mcts-tree", role: "group", "aria-label": "Search tree" },
      ...layers.map((name) => this[name]),
    );
    this.element = element("div", { class: "river" }, this.canvas, this.svg);
    this.water = new Water(this.canvas, this.tree);
    this.canvas.addEventListener("transitionrun", () => this.recolour()); // the page is dark now, or light
  }

  /** So large is the pane, from the next paint on; in a larger one all is larger. */
  resize(width, height) {
    this.scale = Math.max(1, Math.min(LARGEST, width / USUAL[0], height / USUAL[1]));
    this.size = [width / this.scale, height / this.scale];
    assign(this.svg, { width, height, viewBox: [0, 0, ...this.size].join(" ") });
    this.water.resize(width, height, this.scale);
  }

  recolour() {
    this.water.recolour();
    if (this.now) this.#draw(this.now);
  }

  /**
   * Show a moment. With `hideNewNode` the walk goes no further than it is shown. Where it is `calm`, what
   * stays glides to its new place.
   */
  paint(frame, options) {
    const { film, tree } = this;
    const { calm, focus, hideNewNode, truth } = options;
    this.frame = frame;
    tree.at(frame);
    if (this.top >= tree.total) this.top = 0;
    const path =
      frame.path.includes(focus) || this.mode === "river" ? frame.path : film.pathTo(focus);
    this.walk = path.map((node) => tree.inTree(node));
    const end = frame.walk.at(-1);
    const stop = !hideNewNode && frame.path.includes(end) ? tree.inTree(end) : undefined;
    const before = this.now;
    const next = this.#layOut(frame, stop, focus);
    this.next = next;
    this.#take(next.cards, frame, focus, truth);
    this.#ghosts(next.ghosts);
    this.#heads(next.heads ?? []);
    assign(this.element, {
      "data-nodes": next.cards.length,
      "data-total": tree.total,
      "data-iteration": frame.iteration,
    });
    assign(this.canvas, { "aria-label": this.#story() });
    this.#glide(calm && before ? before : undefined, next);
    this.#pills(frame, next);
  }

  #layOut(frame, stop, focus) {
    const {
      film,
      mode,
      pan,
      size: [width, height],
      top,
      tree,
      walk,
      zoom,
    } = this;
    const isFalling =
      film.facts.phases[frame.phase] === "simulate" && film.playoutPanel(frame).moves.length > 0;
    const pane = { width, height, stop };
    if (mode === "river")
      return layOut(tree, { ...pane, walk, top, zoom, pan, foot: isFalling ? FALL : FOOT });
    const isBeside = focus && !frame.path.includes(focus);
    // also before the walk is followed to where it will add one
    const hasEnd = stop !== undefined || frame.fullPath.length > frame.walk.length;
    return ladder(tree, {
      ...pane,
      walk,
      way: isBeside || stop !== undefined ? walk : walk.slice(0, -1),
      most: isBeside ? 0 : frame.fullPath.length - 1,
      isBare: hasEnd && tree.isBare(tree.inTree(frame.walk.at(-1) ?? 0)),
      foot: isFalling ? FALL : 0,
      told: (node) => film.decision(frame, tree.inFilm(node), (child) => tree.inTree(child)),
    });
  }

  /** The whole picture in a sentence or two. */
  #story() {
    const { film, frame, tree } = this;
    const all = tree.visits[this.top];
    const rows = tree.below[this.top]
      .filter((node) => node < tree.total)
      .toSorted((one, other) => tree.visits[other] - tree.visits[one])
      .slice(0, 3);
    const said = rows.map(
      (node) => `${tree.label(node)} with ${grouped(Math.round(tree.visits[node]))}`,
    );
    return (
      `The river of ${grouped(Math.round(all))} ${film.threadNoun} at ${film.unit} ${frame.iteration}. ` +
      (said.length ? `Widest: ${said.join(", ")}.` : "No move has a node yet.")
    );
  }

  // Cards -------------------------------------------------------------------------------------

  /** Cards for what the layout wants; one that is there stays, the others take what has become free. */
  #take(wanted, frame, focus, truth) {
    const { film, tree } = this;
    const shown = wanted.filter(({ node }) => tree.isShown(node));
    const nodes = new Set(shown.map(({ node }) => tree.inFilm(node)));
    for (const [node, card] of this.cards) {
      if (nodes.has(node)) continue;
      this.cards.delete(node);
      this.spare.push(card);
    }
    const widest = this.#widest();
    for (const place of shown) {
      const node = tree.inFilm(place.node);
      const card = this.cards.get(node) ?? this.spare.pop() ?? new Card(film);
      if (!card.group.parentNode) this.boxes.append(card.group);
      if (card.node !== node || !this.cards.has(node)) card.place(node);
      this.cards.set(node, card);
      this.#show(card, true);
      card.fit(place);
      const told = this.#told(place.node) + (place.node === widest ? ", widest" : "");
      card.fill(film.card(node, frame), frame, { focus, name: tree.name(place.node), truth, told });
    }
    for (const card of this.spare) this.#show(card, false);
  }

  #show({ edge, group }, shown) {
    for (const part of [edge, group]) assign(part, { display: shown ? "inline" : "none" });
    if (!shown) delete group.dataset.node;
  }

  #widest() {
    const { tree, top } = this;
    const there = tree.below[top].filter((node) => node < tree.total);
    return there.toSorted((one, other) => tree.visits[other] - tree.visits[one])[0];
  }

  /** A node's share of the threads, in words. */
  #told(node) {
    const { film, tree } = this;
    return film.told(tree.inFilm(node), this.frame, tree.visits[0]);
  }

  // Motion ------------------------------------------------------------------------------------

  /** From one layout to another within 260 ms, slowly at both ends; without `before` at once. */
  #glide(before, next) {
    const isLarge = next.bands.length + next.fans.length > GLIDING;
    const glides = before && !isLarge && before.width === next.width;
    this.motion.run(glides ? MOVE : 0, (over) => {
      const part = glides ? over / MOVE : 1;
      const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
      const river = part < 1 ? blended(before, next, eased, this.walk) : next;
      if (part) this.#draw(river);
      else this.#moveCards(river); // its threads are painted already
    });
  }

  #draw(river) {
    this.now = river;
    this.water.paint(river, new Set(this.walk));
    this.#moveCards(river);
  }

  #moveCards(river) {
    const { cards, tree } = this;
    for (const place of river.cards)
      cards.get(tree.isShown(place.node) ? tree.inFilm(place.node) : -1)?.move(place);
    this.#trail(river);
  }

  /** The walk, over the ribbons: a line from card to card. */
  #trail({ places }) {
    const { cards, tree, walk } = this;
    const wanted = new Set();
    walk.forEach((node, level) => {
      const [from, to] = [places.get(walk[level - 1]), places.get(node)];
      const card = cards.get(tree.inFilm(node));
      if (!from || !to || !card) return;
      const y = from.spring;
      const half = (y + to.y) / 2;
      const x = [from.x, to.x].map((one) => one.toFixed(1));
      const d =
        `M${x[0]} ${y.toFixed(1)}C${x[0]} ${half.toFixed(1)} ${x[1]} ${half.toFixed(1)} ` +
        `${x[1]} ${to.y.toFixed(1)}`;
      assign(card.edge, { d });
      wanted.add(card.edge);
    });
    for (const edge of Array.from(this.lines.children)) if (!wanted.has(edge)) edge.remove();
    for (const edge of wanted) if (!edge.parentNode) this.lines.append(edge);
  }

  // What is not there, and what is given ------------------------------------------------------------

  /** Moves without a node: a dashed line each, with a card if it has room, or one dashed fan for all. */
  #ghosts(ghosts) {
    this.ghosts.replaceChildren(
      ...ghosts.map((ghost) => {
        const { above, below, count, from, left, right } = ghost;
        if (count) {
          const d = `M${from} ${above}L${left.toFixed(1)} ${below}H${right.toFixed(1)}Z`;
          const text =
            ghost.told &&
            svgElement(
              "text",
              { x: right - 6, y: below - 4, "text-anchor": "end" },
              `${grouped(count)} untried`,
            );
          return svgElement(
            "g",
            { class: "ghost", "data-ghost": `${count} untried` },
            svgElement("path", { d, class: "fan" }),
            text,
          );
        }
        const x = (left + right) / 2;
        const half = (above + below) / 2;
        const d = `M${from} ${above}C${from} ${half} ${x.toFixed(1)} ${half} ${x.toFixed(1)} ${below}`;
        const parts = [svgElement("path", { d })];
        if (ghost.high) {
          const { high, wide } = ghost;
          parts.push(
            svgElement("rect", { x: x - wide / 2, y: below, width: wide, height: high, rx: 5 }),
            svgElement("text", { x, y: below + high / 2 + 4, "text-anchor": "middle" }, ghost.name),
          );
        }
        return svgElement("g", { class: "ghost", "data-ghost": ghost.name }, ...parts);
      }),
    );
  }

  /** What is said beside the rows of the ladder. */
  #heads(heads) {
    this.heads.replaceChildren(
      ...heads.map(({ lines, look = "", x, y }) =>
        svgElement(
          "text",
          { class: look, x, y, "text-anchor": look === "arrow" ? "middle" : "start" },
          ...lines.map((text, line) => svgElement("tspan", { x, dy: line && HEAD_LINE }, text)),
        ),
      ),
    );
  }

  /** In the last phase, above each card of the path what it is given: +1, +½ or +0. */
  #pills(frame, { cards: places }) {
    const { film, tree } = this;
    const isLast = film.facts.phases[frame.phase] === "backpropagate";
    const found = new Map(
      places.map((place) => [tree.isShown(place.node) ? tree.inFilm(place.node) : -1, place]),
    );
    const given = isLast ? frame.path.filter((node) => found.has(node)) : [];
    const taken = [];
    this.gains = given.map((node) => {
      const text = gained(
        film.statistics(node, frame.iteration - 1).wins,
        film.statistics(node, frame.iteration).wins,
      );
      const wide = Math.max(PILL.wide, PILL.letter * text.length + PILL.text);
      const at = this.#pillPlace(found.get(node), node === 0, wide, taken);
      taken.push([...at, wide]);
      const group = svgElement(
        "g",
        {
          class: "gain",
          "data-of": node,
          transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`,
        },
        svgElement("rect", {
          x: -wide / 2,
          y: -PILL.high / 2,
          width: wide,
          height: PILL.high,
          rx: PILL.high / 2,
        }),
        svgElement("text", { y: 4, "text-anchor": "middle" }, text),
      );
      return { node, group };
    });
    this.over.replaceChildren(...this.gains.map(({ group }) => group));
    this.element.dataset.result = isLast ? this.resultOf(frame) : "";
  }

  /**
   * Above its card, left of a sign at its corner, and beside the root; towards the middle where rows are
   * so low that one is there already.
   */
  #pillPlace({ height, width, x, y }, isRoot, wide, taken) {
    if (isRoot) return [x + width / 2 + PILL.beside + wide / 2, y + height / 2];
    const left = Math.min(x, x + width / 2 - CORNER - wide / 2);
    const at = [Math.max(wide / 2, left), y - PILL.above]; // and in the picture
    const inward = x > this.size[0] / 2 ? -1 : 1;
    const liesOn = ([middle, top, across]) =>
      Math.abs(middle - at[0]) < (wide + across) / 2 && Math.abs(top - at[1]) < PILL.high;
    for (let under = taken.find(liesOn); under; under = taken.find(liesOn))
      at[0] = under[0] + (inward * (wide + under[2])) / 2;
    return at;
  }

  /**
   * Where a playout falls from, the last card of its walk, and how many cards lie beneath a box there;
   * nothing where another part of the tree is looked at.
   */
  fallOf({ path }) {
    const [width, height] = this.size;
    const end = path.findLast((node) => this.cards.has(node));
    if (end === undefined) return undefined;
    const next = this.next.cards.find(({ node }) => this.tree.inTree(end) === node);
    const cardsBeside = (left, top, side) =>
      this.next.cards.filter(
        (one) =>
          one.x + one.width / 2 > left &&
          one.x - one.width / 2 < left + side &&
          one.y + one.height > top &&
          one.y < top + side,
      ).length;
    return { x: next.x, y: next.y + next.height, width, height, cardsBeside };
  }

  /** The kind of an iteration's result, which colours the way back up. */
  resultOf({ index }) {
    const { ended, kinds } = this.film.facts.results ?? {};
    return kinds ? kinds[ended[this.film.columns.outcome[index - 1]]] : "";
  }

  // Pointing ------------------------------------------------------------------------------------

  /** The node of the film at a place of the pane, in a ribbon or a card; nothing without one. */
  nodeAt(left, top) {
    const { now, scale, tree } = this;
    const [x, y] = [left / scale, top / scale];
    let best;
    for (const place of now?.places.values() ?? []) {
      const isIn = x >= place.left && x < place.right && y >= place.y - 14;
      if (isIn && (!best || place.depth > best.depth)) best = place;
    }
    return best && y < now.rows.at(-1) + 40 ? tree.inFilm(best.node) : undefined;
  }

  /** Where the branch of a node is that has no card: the nearest place above it; nothing beside the top. */
  branchOf(node) {
    const path = this.film.pathTo(node).map((one) => this.tree.inTree(one));
    const known = path.findLast((one) => this.next.places.has(one));
    return this.next.places.get(known);
  }

  /** Make a node of the film the top, if it has moves; true if it did. */
  lift(node) {
    const { tree } = this;
    const found = tree.inTree(node);
    if (found < 0 || found === this.top || !tree.below[found].some((child) => child < tree.total))
      return false;
    Object.assign(this, { top: found, zoom: 1, pan: 0 });
    return true;
  }

  /** The nodes of the film from the root to the top. */
  get trailToTop() {
    return this.film.pathTo(this.tree.inFilm(this.top));
  }

  /** The card that Tab leads to: one stop for the whole picture. */
  rove(node) {
    const stop = this.cards.has(node) ? node : this.cards.keys().next().value;
    for (const [other, { group }] of this.cards)
      assign(group, { tabindex: other === stop ? 0 : -1 });
  }

  /** Give the focus to the card beside the one that has it, row by row from left to right. */
  beside(way) {
    const shown = [...this.cards.values()].toSorted((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
    const held = shown.findIndex(({ group }) => group === heldIn(this.element));
    const next = shown.at((held + way + shown.length) % shown.length);
    if (next) focusOn(next.group);
  }

  /** Zoom around a place of the pane. */
  zoomAt(left, factor) {
    const [width] = this.size;
    const x = left / this.scale;
    const zoom = Math.max(ZOOM[0], Math.min(ZOOM[1], this.zoom * factor));
    const pan = ((this.pan + x) * zoom) / this.zoom - x;
    Object.assign(this, { zoom, pan: Math.max(0, Math.min(width * (zoom - 1), pan)) });
  }
}
