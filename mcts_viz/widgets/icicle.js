// The whole tree as an icicle: a column a depth, as high as a node's visits, coloured by the mean of
// the player who moved there. It counts all iterations and all nodes, also in a film that shows
// a selection of them.

import { Motion, assign, element, focusOn, write } from "./elements.js";
import { grouped } from "./words.js";

const SMALLEST = 0.35; // pixels: what is lower is not painted
const TARGET = 4; // pixels: what is lower is not pointed at
const LABELLED = 15; // pixels: high enough for a label
const ROOT = { strip: 14, pane: 28 }; // the width of the first column
const COLUMNS = 5; // of a tree that is less deep, too
const STEP = 200; // milliseconds that heights take to their new places
const TONES = 64;
const PHASES = { // and events of minimax: the colour of the path
  select: "select", expand: "expand", simulate: "simulate", backpropagate: "backpropagate",
  enter: "select", evaluate: "simulate", back_up: "backpropagate", cut_off: "expand",
};

const FONT = '12px "DejaVu Sans", Verdana, "Segoe UI", sans-serif';

/**
 * A picture of the tree on a canvas: the `strip` below the walk, or the `pane` where cards would be
 * too small.
 */
export class Icicle {
  motion = new Motion();
  rows = []; // what is large enough to be painted: a node, its level, where it stands and where it stood
  marked = -1; // the node that is pointed at

  /** `onChoose(node)` hears of a click, `onHover(node)` of what is pointed at, if anything is. */
  constructor(tree, kind, { onChoose, onHover = () => {} }) {
    Object.assign(this, { tree, film: tree.film, kind, onChoose, onHover });
    this.canvas = element("canvas", { role: "img" });
    // where it is painted: texts of one on the page ask for all its styles first
    this.paper = new OffscreenCanvas(1, 1);
    this.brush = this.paper.getContext("2d");
    const keys = tree.colours.map((text, place) => element("span", { class: `key key-${place}` }, text));
    this.said = element("span", {}, tree.legend); // or what is pointed at
    const legend = element("p", { class: "legend", "aria-hidden": "true" }, this.said, ...keys);
    const look = { class: kind === "pane" ? "icicle pane" : "icicle", "data-icicle": kind };
    this.element = element("div", look, this.canvas, legend);
    this.#listen();
  }

  #listen() {
    const acts = {
      pointerdown: (event) => this.#press(event),
      pointermove: (event) => this.#point(this.#nodeAt(event)),
      pointerleave: () => this.#point(-1),
      click: (event) => this.#choose(this.#nodeAt(event)),
      transitionrun: () => this.#recolour(), // the page has become dark, or light
    };
    for (const [name, act] of Object.entries(acts)) this.canvas.addEventListener(name, act);
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
  }

  /** Take the page's colours. */
  #recolour() {
    const style = getComputedStyle(this.canvas);
    const { brush } = this;
    const colour = (name) => {
      brush.fillStyle = style.getPropertyValue(`--mcts-${name}`).trim();
      return brush.fillStyle; // as #rrggbb, whatever it was called
    };
    const others = ["ink", "page", "panel", "track", "line", ...Object.values(PHASES)];
    this.colours = Object.fromEntries(others.map((name) => [name, colour(name)]));
    const scale = ["low", "middle", "high"].map((name) => colour(`icicle-${name}`));
    const texts = [this.colours.page, this.colours.ink];
    this.tones = Array.from({ length: TONES + 1 }, (_, place) => mixed(scale, texts, place / TONES));
    this.stripes = brush.createPattern(striped(this.colours), "repeat");
    this.#draw();
  }

  // Where everything stands -----------------------------------------------------------------

  /** Show a moment; `calm` lets heights move to it. */
  paint(frame, { calm = false } = {}) {
    const { tree } = this;
    tree.at(frame);
    this.frame = frame;
    this.path = frame.path.map((node) => tree.inTree(node));
    this.added = frame.added === undefined ? -1 : tree.inTree(frame.added);
    if (!this.width) return;
    this.#lay(calm);
    const seen = `${grouped(this.rows.length)} of them large enough to be seen`;
    assign(this.element, { "data-total": tree.total });
    assign(this.canvas, {
      "aria-label": `${tree.legend}. ${grouped(tree.total)} nodes, ${seen}.`,
    });
    this.motion.run(calm ? STEP : 0, (over) => this.#draw(calm ? over : STEP));
  }

  #lay(calm) {
    const { height, tree, width } = this;
    const root = ROOT[this.kind];
    const wide = (width - root) / Math.max(COLUMNS, tree.deepest); // the same for the whole film
    this.edge = (level) => (level && root + (level - 1) * wide);
    const before = new Map(calm ? this.rows.map((row) => [row.node, row]) : []);
    const scale = height / (tree.size(0) || 1);
    const rows = [];
    const put = (node, level, y, h) => {
      const { y: y0, h: h0 } = before.get(node) ?? { y: y + h / 2, h: 0 }; // what is new grows
      rows.push({ node, level, y, h, y0, h0 });
      let below = y;
      for (const child of tree.below[node]) {
        const high = tree.size(child) * scale;
        if (tree.shows(child) && high >= SMALLEST) {
          put(child, level + 1, below, high);
        }
        below += high;
      }
    };
    put(0, 0, 0, height * Math.min(1, tree.size(0)));
    this.rows = rows;
    assign(this.element, { "data-nodes": rows.length });
  }

  // Painting --------------------------------------------------------------------------------

  /** The picture so many milliseconds after it has begun to change. */
  #draw(over = STEP) {
    const { brush, colours, edge, frame, height, path, rows, sharp, tones, tree, width } = this;
    if (!width || !frame) return;
    const eased = 1 - (1 - Math.min(1, over / STEP)) ** 3;
    const between = (from, to) => (eased < 1 ? from + (to - from) * eased : to);
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, width, height);
    Object.assign(brush, { font: FONT, textBaseline: "middle" });
    const onPath = new Set(path);
    const outlined = [];
    let ring;
    for (const row of rows) {
      const [x, y, h] = [edge(row.level), between(row.y0, row.y), between(row.h0, row.h)];
      const wide = edge(row.level + 1) - x - 1;
      const part = Math.max(0, Math.min(1, tree.tone(row.node)));
      const tone = tones[Math.round(TONES * part)]; // none if it has none
      brush.fillStyle = tone?.fill ?? (row.node < tree.total ? colours.track : colours.page);
      brush.fillRect(x, y, wide, h > 4 ? h - 1 : h);
      if (tree.unneeded?.(row.node)) this.#hatch(row, edge(row.level + 1), edge(row.level + 2) - 1);
      const isLabelled = h >= LABELLED && row.level;
      if (isLabelled) this.#label(row.node, x + 5, y + h / 2, wide - 7, tone?.ink ?? colours.ink);
      if (onPath.has(row.node)) outlined.push([x + 1, y + Math.min(1, h / 4), wide - 2, Math.max(1, h - 2)]);
      if (row.node === this.marked) ring = [x, y - 1, wide, Math.max(3, h + 1)];
    }
    const phase = colours[PHASES[this.film.facts.phases[frame.phase]]];
    Object.assign(brush, { strokeStyle: phase, fillStyle: phase, lineWidth: this.kind === "pane" ? 3 : 2 });
    for (const box of outlined) brush.strokeRect(...box);
    this.#notch();
    Object.assign(brush, { strokeStyle: colours.ink, lineWidth: 2 });
    if (ring) brush.strokeRect(...ring);
    const shown = this.canvas.getContext("2d");
    shown.clearRect(0, 0, this.canvas.width, this.canvas.height);
    shown.drawImage(this.paper, 0, 0);
  }

  /** Where the new node stands, however low it is. */
  #notch() {
    const { added, path, rows, tree } = this;
    const own = rows.find(({ node }) => node === added);
    const above = rows.find(({ node }) => node === path[path.indexOf(added) - 1]);
    if (added < 0 || (!own && !above)) return;
    const y = own ? own.y + own.h / 2 : above.y + above.h - 3;
    this.brush.fillRect(this.edge(tree.depth[added]), Math.max(0, y - 3), 6, 6);
  }

  /** What is said of a node: its move, and a number where there is room. */
  #label(node, x, y, room, ink) {
    const { brush, tree } = this;
    const label = tree.label(node);
    const long = `${label} · ${tree.count?.(node) ?? grouped(tree.size(node))}`;
    const text = [long, label].find((one) => brush.measureText(one).width <= room);
    if (!text) return;
    brush.fillStyle = ink;
    brush.fillText(text, x, y);
  }

  /** What was not needed: stripes where its nodes would stand. */
  #hatch({ node, y, h }, x, right) {
    const { brush, tree } = this;
    const high = (h * tree.unneeded(node)) / tree.size(node);
    if (high < SMALLEST) return;
    brush.fillStyle = this.stripes;
    brush.fillRect(x, y + h - high, right - x, high);
  }

  /** Those that can be pointed at, and are in the film. */
  get nodes() {
    const { rows, tree } = this;
    const targets = rows.filter(({ node, h }) => h >= TARGET && tree.inTree(tree.inFilm(node)) === node);
    return new Set(targets.map(({ node }) => tree.inFilm(node)));
  }

  // Hands -----------------------------------------------------------------------------------

  /** The node of the nearest rectangle that is high enough to be meant; -1 without one. */
  #nodeAt({ offsetX: x, offsetY: y }) {
    let [best, least] = [-1, 12];
    for (const row of this.rows) {
      if (row.h < TARGET || x < this.edge(row.level) || x >= this.edge(row.level + 1)) continue;
      const far = Math.max(row.y - y, y - row.y - row.h, 0);
      if (far < least) [best, least] = [row.node, far];
    }
    return best;
  }

  #choose(node) {
    if (node >= 0 && node < this.tree.total) this.onChoose(this.tree.inFilm(node));
  }

  /** Ring a node of the film that is pointed at elsewhere; `undefined` for none. */
  mark(node) {
    const marked = node === undefined ? -1 : this.tree.inTree(node);
    if (marked === this.marked) return;
    this.marked = marked;
    this.#draw();
  }

  #point(node) {
    if (node === this.marked) return;
    const { tree } = this;
    this.marked = node;
    write(this.said, node < 0 ? tree.legend
      : `${node ? tree.label(node) || "a move" : "root"}: ${tree.words(node)}`);
    this.onHover(node < 0 ? undefined : tree.inFilm(node));
    this.#draw();
  }

  #press(event) {
    event.preventDefault(); // the arrow keys go on to step through the film
    const player = this.canvas.closest(".mcts-player");
    if (player) focusOn(player);
  }
}

/** A colour between three of them, and one to write on it. */
function mixed([low, middle, high], [page, ink], part) {
  const far = Math.abs(2 * part - 1);
  const numbers = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [end, mean] = [numbers(part < 0.5 ? low : high), numbers(middle)];
  const parts = mean.map((one, place) => Math.round(one + (end[place] - one) * far));
  return { fill: `rgb(${parts.join(" ")})`, ink: far > 0.6 ? page : ink };
}

/** A tile of slanted stripes. */
function striped({ panel, line }) {
  const tile = new OffscreenCanvas(6, 6);
  const brush = tile.getContext("2d");
  brush.fillStyle = panel;
  brush.fillRect(0, 0, 6, 6);
  brush.fillStyle = line;
  for (let place = 0; place < 6; place++) brush.fillRect(place, 5 - place, 1, 1);
  return tile;
}
