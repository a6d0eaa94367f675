// The whole tree as an icicle: a column a depth, as high as a node's visits, coloured by the mean of
// the player who moved there. It counts all iterations and all nodes, also in a film that shows
// a selection of them.

import { Columns, countUpTo } from "./columns.js";
import { assign, element, write } from "./elements.js";
import { counted, grouped } from "./words.js";

const SMALLEST = 0.35; // pixels: what is lower is not painted
const LABELLED = 15; // pixels: high enough for a label
const ROOT = 20; // pixels: the width of the first column
const COLUMNS = 5; // of a tree that is less deep, too
const COLOURS = ["ink", "page", "track", "line", "icicle-low", "icicle-middle", "icicle-high",
  "select", "expand", "simulate", "backpropagate"];
const FONT = '12px "DejaVu Sans", Verdana, "Segoe UI", sans-serif';

/** The picture on a canvas: a strip below the walk, or all of the stage where cards would be too small. */
export class Icicle {
  rows = []; // what is large enough to be painted: a node, its level, and where it is

  /** `onChoose(node)` is called for a click, `onHover(node)` for what is pointed at, if anything is. */
  constructor(film, { onChoose, onHover = () => {} }) {
    const tree = film.facts.kind === "mcts" ? new SearchNodes(film) : new WalkNodes(film);
    Object.assign(this, { tree, onHover });
    this.canvas = element("canvas", { role: "img" });
    // where it is painted: texts of one on the page ask for all its styles first
    this.paper = new OffscreenCanvas(1, 1);
    this.brush = this.paper.getContext("2d");
    const keys = tree.colours.map((text, place) => element("span", { class: `key key-${place}` }, text));
    this.said = element("span", {}, tree.legend); // or what is pointed at
    const legend = element("p", { class: "legend", "aria-hidden": "true" }, this.said, ...keys);
    this.element = element("div", { class: "icicle" }, this.canvas, legend);
    Object.assign(this.canvas, {
      onpointermove: (event) => this.#point(this.#nodeAt(event)),
      onpointerleave: () => this.#point(),
      onclick: (event) => {
        const node = this.#nodeAt(event);
        if (node < tree.total) onChoose(tree.inFilm(node));
      },
      ontransitionrun: () => this.#recolour(), // the page has become dark, or light
    });
  }

  /** So large is it, in pixels of the page. */
  resize(width, height) {
    const sharp = Math.min(3, devicePixelRatio || 1);
    Object.assign(this, { width, height, sharp });
    for (const one of [this.canvas, this.paper]) {
      Object.assign(one, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
    }
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.#recolour();
    if (this.frame) this.paint(this.frame);
  }

  /** False while it is not seen: a canvas without an area takes no strokes. */
  get hasRoom() {
    return this.width >= 1 && this.height >= 1;
  }

  /** Take the page's colours. */
  #recolour() {
    if (!this.hasRoom) return;
    const style = getComputedStyle(this.canvas);
    const colours = COLOURS.map((name) => [name, style.getPropertyValue(`--mcts-${name}`)]);
    this.colours = Object.fromEntries(colours);
    const tile = new OffscreenCanvas(6, 6); // slanted stripes
    const pen = tile.getContext("2d");
    pen.fillStyle = this.colours.line;
    for (let place = 0; place < 6; place++) pen.fillRect(place, 5 - place, 1, 1);
    this.stripes = this.brush.createPattern(tile, "repeat");
    this.#draw();
  }

  /** Show a moment. */
  paint(frame) {
    const { tree } = this;
    tree.at(frame);
    this.frame = frame;
    this.path = frame.path.map((node) => tree.inTree(node));
    this.added = tree.inTree(frame.added);
    if (!this.hasRoom) return;
    this.#lay();
    assign(this.element, { "data-nodes": this.rows.length, "data-total": tree.total });
    assign(this.canvas, { "aria-label": `${tree.legend}. ${grouped(tree.total)} nodes.` });
    this.#draw();
  }

  #lay() {
    const { height, tree, width } = this;
    const column = (width - ROOT) / Math.max(COLUMNS, tree.deepest); // the same for the whole film
    const scale = height / (tree.size(0) || 1);
    this.rows = [];
    const put = (node, level, y, h) => {
      const x = level && ROOT + (level - 1) * column;
      this.rows.push({ node, level, x, y, h, wide: (level ? column : ROOT) - 1 });
      for (const child of tree.below[node]) {
        const high = tree.size(child) * scale;
        if (tree.shows(child) && high >= SMALLEST) put(child, level + 1, y, high);
        y += high;
      }
    };
    put(0, 0, 0, height * Math.min(1, tree.size(0)));
  }

  #draw() {
    const { brush, canvas, frame, path, rows, sharp, tree } = this;
    if (!frame || !this.hasRoom) return;
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, this.width, this.height);
    Object.assign(brush, { font: FONT, textBaseline: "middle", lineWidth: 2.5 });
    for (const row of rows) this.#box(row);
    const outline = ({ h, wide, x, y }) =>
      brush.strokeRect(x + 1, y + Math.min(1, h / 4), wide - 2, Math.max(1, h - 2));
    const passed = rows.filter(({ node }) => path.includes(node));
    brush.strokeStyle = brush.fillStyle = this.colours[tree.phases[frame.phase]];
    passed.forEach(outline);
    const { h, x, y } = passed.at(-1);
    if (this.added >= 0) brush.fillRect(x, Math.max(0, y + h / 2 - 3), 6, 6); // where it is, however low
    brush.strokeStyle = this.colours.ink;
    rows.filter(({ node }) => node === this.marked).forEach(outline);
    const shown = canvas.getContext("2d");
    shown.clearRect(0, 0, canvas.width, canvas.height);
    shown.drawImage(this.paper, 0, 0);
  }

  /** A node as a box, and what is said of it: its move, and a number where there is room. */
  #box({ h, level, node, wide, x, y }) {
    const { brush, colours, tree } = this;
    const high = h > 4 ? h - 1 : h;
    const tone = 2 * Math.max(0, Math.min(1, tree.tone(node))) - 1; // from -1 to 1, if it has one
    const plain = node < tree.total ? colours.track : colours.page;
    brush.fillStyle = Number.isNaN(tone) ? plain : colours["icicle-middle"];
    brush.fillRect(x, y, wide, high);
    brush.fillStyle = tone < 0 ? colours["icicle-low"] : colours["icicle-high"];
    brush.globalAlpha = Math.abs(tone) || 0;
    brush.fillRect(x, y, wide, high);
    brush.globalAlpha = 1;
    const left = (h * tree.unneeded(node)) / tree.size(node); // where the nodes would be
    brush.fillStyle = this.stripes;
    if (left >= SMALLEST) brush.fillRect(x + wide + 1, y + h - left, wide, left);
    if (h < LABELLED || !level) return;
    const label = tree.label(node);
    const long = `${label} · ${tree.short(node)}`;
    const text = [long, label].find((one) => brush.measureText(one).width <= wide - 7);
    brush.fillStyle = Math.abs(tone) > 0.6 ? colours.page : colours.ink;
    brush.fillText(text ?? "", x + 5, y + h / 2);
  }

  /** The node at a place, if there is one. */
  #nodeAt({ offsetX, offsetY }) {
    const isThere = ({ h, wide, x, y }) =>
      offsetX >= x && offsetX <= x + wide && offsetY >= y && offsetY < y + h;
    return this.rows.find(isThere)?.node;
  }

  #point(node) {
    const { said, tree } = this;
    const name = node ? tree.label(node) || "a move" : "root";
    write(said, node === undefined ? tree.legend : `${name}: ${tree.words(node)}`);
    this.onHover(node === undefined ? undefined : tree.inFilm(node));
  }

  /** Ring a node of the film that is pointed at here or elsewhere; `undefined` for none. */
  mark(node) {
    const marked = this.tree.inTree(node);
    if (marked === this.marked) return;
    this.marked = marked;
    this.#draw();
  }
}

// What it shows ---------------------------------------------------------------------------------

const NEEDED = [ // of all nodes, if a film leaves some out
  "parent", "created_at", "player_just_moved", "leaf", "outcome", "order",
  "visits_before", "wins_before",
];

/** All nodes of a film's tree, with a size and a tone at any moment. */
class Nodes extends Columns {
  constructor(film) {
    const { columns, facts } = film;
    super(facts, Object.fromEntries(NEEDED.map((name) => [name, columns[`all_${name}`] ?? columns[name]])));
    this.film = film;
    // By node: its number in the film, -1 if it is not there.
    this.shown = columns.all_shown ?? Int32Array.from(film.births, (_, node) => node);
    const depth = [];
    this.columns.parent.forEach((above) => depth.push(above < 0 ? 0 : depth[above] + 1));
    this.deepest = depth.reduce((one, other) => Math.max(one, other));
  }

  /** A node of the film as one of the tree, -1 without; and back, the nearest above if it is not shown. */
  inTree(node) {
    return this.shown.indexOf(node);
  }

  inFilm(node) {
    while (this.shown[node] < 0) node = this.columns.parent[node];
    return this.shown[node];
  }

  label(node) {
    return this.shown[node] < 0 ? "" : this.film.label(this.shown[node]);
  }

  /** Stand at a moment, when so many nodes are there. */
  at(frame) {
    this.total = countUpTo(this.births, 0, this.births.length, frame.addedAt);
    this.frame = frame;
  }
}

/** The nodes of a search, as large as their visits. */
class SearchNodes extends Nodes {
  legend = "The whole tree: height = visits";
  colours = [this.facts.reward_range[0], "mean of who moved", this.facts.reward_range[1]].map(String);
  phases = ["select", "expand", "simulate", "backpropagate"]; // the colour of the path
  counted = 0; // iterations
  visits = Float64Array.from(this.columns.visits_before);
  wins = Float64Array.from(this.columns.wins_before);

  shows = (node) => node < this.total;
  size = (node) => this.visits[node];
  mean = (node) => this.wins[node] / this.visits[node]; // of who moved there
  tone = (node) => part(this.mean(node), ...this.facts.reward_range);
  unneeded = () => 0;
  short = (node) => grouped(this.visits[node]);
  words = (node) => `${counted(this.visits[node], "visit")}, mean ${this.mean(node).toFixed(2)}`;

  /** Stand at a moment: paths are counted from where it stood before, forwards or back. */
  at(frame) {
    super.at(frame);
    const [before, after] = [this.counted, frame.counted];
    this.counted = after;
    if (this.facts.watched) this.#lookUp();
    else this.#count(Math.min(before, after), Math.max(before, after), after > before ? 1 : -1);
  }

  #count(begin, end, way) {
    const { columns: { leaf, outcome, parent, player_just_moved: player }, visits, wins } = this;
    for (let place = begin; place < end; place++) {
      const gain = this.facts.gains[outcome[place]]; // by player
      for (let node = leaf[place]; node >= 0; node = parent[node]) {
        visits[node] += way;
        wins[node] += way * gain[player[node]];
      }
    }
  }

  /** The numbers of a search that was watched are its own: nothing is counted. */
  #lookUp() {
    this.shown.forEach((number, node) => {
      if (number < 0) return;
      const { visits, wins } = this.film.statistics(number, this.counted);
      [this.visits[node], this.wins[node]] = [visits, wins];
    });
  }
}

/** The nodes of a walk by minimax, as large as the leaves of the full tree below them. */
class WalkNodes extends Nodes {
  legend = "The full tree: height = leaves";
  // the last if there are cutoffs
  colours = ["−1", "value for MAX", "1", "not needed"].slice(0, this.facts.phases.length);
  phases = ["select", "simulate", "backpropagate", "expand"]; // as those of a search

  shows = (node) => this.columns.parent[node] < this.total; // also moves that are not entered yet
  size = (node) => this.film.columns.leaves[node];
  tone = (node) => this.film.card(node, this.frame).known; // not-a-number without a value
  short = (node) => this.film.card(node, this.frame).main;
  words = (node) => `${this.short(node)}, leaves in the full tree: ${this.#leaves(node)}`;

  #leaves(node) {
    return (this.facts.estimated ? "about " : "") + grouped(Math.round(this.size(node)));
  }

  /** The leaves below moves that were cut off by now. */
  unneeded(node) {
    const { cut } = this.film.columns;
    if (!cut[node] || cut[node] > this.frame.iteration) return 0;
    return this.below[node].reduce((left, child) => left - this.size(child), this.size(node));
  }
}

const part = (number, low, high) => (number - low) / (high - low);
