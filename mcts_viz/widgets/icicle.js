// The whole tree as an icicle: a column a depth, as high as a node's visits, coloured by the mean of
// the player who moved there. It counts all iterations and all nodes, also in a film that shows
// a selection of them.

import { MiniBoard } from "./board.js";
import { Motion, assign, element, focusOn, write } from "./elements.js";
import { grouped } from "./words.js";

const SMALLEST = 0.35; // pixels: what is lower is not painted
const TARGET = 4; // pixels: what is lower is not pointed at
const LABELLED = 15; // pixels: high enough for a label
const BOARD = 28; // pixels: the side of a board of few cells
const ROOT = { strip: 14, pane: 28 }; // the width of the first column
const [USUAL, NARROW] = [72, 12]; // of a column: wished for, and at least
const COLUMNS = 5; // there is room for so many depths before the tree has them
const STEP = 200; // milliseconds that heights take to their new places
const PULSE = 400;
const CLOSEST = 60; // times as high
const TONES = 64;
const PHASES = { // and events of minimax: the colour of the path
  select: "select", expand: "expand", simulate: "simulate", backpropagate: "backpropagate",
  enter: "select", evaluate: "simulate", back_up: "backpropagate", cut_off: "expand",
};

const [BOLD, PLAIN] =
  ["bold 12px", "12px"].map((size) => `${size} "DejaVu Sans", Verdana, "Segoe UI", sans-serif`);

const clamped = (number, low, high) => Math.max(low, Math.min(high, number));

/**
 * A picture of the tree on a canvas: the `strip` below the walk, or the `pane` where cards would be
 * too small.
 */
export class Icicle {
  motion = new Motion();
  rows = []; // what is large enough to be painted: a node, its level, where it stands and where it stood
  marked = -1; // the node that is pointed at
  enlarged = 1; // times as high,
  top = 0; // and what part of it lies above the pane
  fingers = new Map(); // that are down, and where
  boards = new Map(); // by node: the paths of its position
  lengths = new Map(); // of texts
  texts = { [BOLD]: [], [PLAIN]: [] };

  /** `onChoose(node)` hears of a click or Enter, `onHover(node)` of what is pointed at, if anything is. */
  constructor(tree, kind, { onChoose, onHover = () => {} }) {
    Object.assign(this, { tree, film: tree.film, kind, onChoose, onHover });
    this.canvas = element("canvas",
      { tabindex: "0", role: "application", "aria-roledescription": "icicle" });
    // where it is painted: texts of one on the page ask for all its styles first
    this.paper = new OffscreenCanvas(1, 1);
    this.brush = this.paper.getContext("2d");
    const keys = tree.colours.map((text, place) => element("span", { class: `key key-${place}` }, text));
    const legend = element("p", { class: "legend", "aria-hidden": "true" },
      element("span", {}, tree.legend), ...keys);
    const { board } = this.film.facts;
    this.board = board && new MiniBoard(board);
    this.said = element("p", { role: "status" });
    this.tip = element("div", { class: "tip", hidden: "" }, this.board?.svg, this.said);
    const look = { class: kind === "pane" ? "icicle pane" : "icicle", "data-icicle": kind };
    this.element = element("div", look, this.canvas, legend, this.tip);
    this.#listen();
  }

  #listen() {
    const up = ({ pointerId }) => this.fingers.delete(pointerId);
    const acts = {
      pointerdown: (event) => this.#press(event),
      pointermove: (event) => this.#move(event),
      pointerup: up,
      pointercancel: up,
      pointerleave: () => this.#point(-1),
      blur: () => this.#point(-1),
      click: (event) => this.dragged || this.#choose(this.#nodeAt(event)),
      keydown: (event) => this.#onKey(event),
      transitionrun: () => this.#recolour(), // the page has become dark, or light
      ...(this.kind === "pane" && { wheel: (event) => this.#wheel(event) }),
    };
    for (const [name, act] of Object.entries(acts)) {
      this.canvas.addEventListener(name, act, { passive: false });
    }
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
    const scale = ["low", "middle", "high"].map((name) => colour(`icicle-${name}`));
    this.tones = Array.from({ length: TONES + 1 }, (_, place) => mixed(scale, place / TONES));
    const others = ["ink", "page", "panel", "track", "line", ...Object.values(PHASES)];
    this.colours = Object.fromEntries(others.map((name) => [name, colour(name)]));
    this.looks = [...(this.board?.paths ?? [])].map((path) => {
      const { fill, stroke, strokeWidth } = getComputedStyle(path);
      return { fill, stroke, width: Number.parseFloat(strokeWidth) };
    });
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
      "aria-label": `${tree.legend}. ${grouped(tree.total)} nodes, ${seen}. Arrow keys walk through it.`,
    });
    const length = this.added < 0 ? STEP : PULSE;
    this.motion.run(calm ? length : 0, (over) => this.#draw(calm ? over : PULSE));
  }

  #lay(calm = false) {
    const { enlarged, height, tree, width } = this;
    const levels = Math.max(1, tree.deepest[Math.max(0, tree.total - 1)]);
    const root = ROOT[this.kind];
    const room = width - root;
    const usual = Math.max(USUAL, room / Math.max(COLUMNS, levels)); // deeper columns are squeezed
    const kept = clamped(Math.floor((room - levels * NARROW) / (usual - NARROW)), 0, levels);
    const narrow = (room - kept * usual) / Math.max(1, levels - kept);
    const edge = (_, depth) => root + Math.min(depth, kept) * usual + Math.max(0, depth - kept) * narrow;
    this.oldEdges = this.edges;
    this.edges = [0, ...Array.from({ length: levels + 1 }, edge)];
    const before = new Map(calm ? this.rows.map((row) => [row.node, row]) : []);
    const scale = (height * enlarged) / (tree.size(0) || 1);
    const rows = [];
    const put = (node, level, y, h) => {
      const { y: y0, h: h0 } = before.get(node) ?? { y: y + h / 2, h: 0 }; // what is new grows
      rows.push({ node, level, y, h, y0, h0 });
      let below = y;
      for (const child of tree.below[node]) {
        const high = tree.size(child) * scale;
        if (tree.shows(child) && high >= SMALLEST && below + high > 0 && below < height) {
          put(child, level + 1, below, high);
        }
        below += high;
      }
    };
    put(0, 0, -this.top * height * enlarged, height * enlarged * Math.min(1, tree.size(0)));
    this.rows = rows;
    assign(this.element, { "data-nodes": rows.length });
  }

  // Painting --------------------------------------------------------------------------------

  /** The picture so many milliseconds after it has begun to change. */
  #draw(over = PULSE) {
    const { brush, colours, frame, height, path, rows, sharp, tones, tree, width } = this;
    if (!width || !frame) return;
    const eased = 1 - (1 - Math.min(1, over / STEP)) ** 3;
    const between = (from, to) => (eased < 1 ? from + (to - from) * eased : to);
    const edge = (level) => between(this.oldEdges?.[level] ?? width, this.edges[level] ?? width);
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, width, height);
    const onPath = new Set(path);
    const outlined = [];
    let ring;
    for (const row of rows) {
      const [x, y, h] = [edge(row.level), between(row.y0, row.y), between(row.h0, row.h)];
      const wide = edge(row.level + 1) - x - 1;
      const tone = tones[Math.round(TONES * clamped(tree.tone(row.node), 0, 1))]; // none if it has none
      brush.fillStyle = tone?.fill ?? (row.node < tree.total ? colours.track : colours.page);
      brush.fillRect(x, y, wide, h > 4 ? h - 1 : h);
      if (tree.unneeded?.(row.node)) this.#hatch(row, edge(row.level + 1), edge(row.level + 2) - 1);
      if (h >= LABELLED && row.level) {
        const above = Math.max(0, y);
        this.#label(row.node, x, above, wide, Math.min(height, y + h) - above, tone?.ink ?? colours.ink);
      }
      if (onPath.has(row.node)) outlined.push([x + 1, y + Math.min(1, h / 4), wide - 2, Math.max(1, h - 2)]);
      if (row.node === this.marked) ring = [x, y - 1, wide, Math.max(3, h + 1)];
    }
    this.#write();
    const phase = colours[PHASES[this.film.facts.phases[frame.phase]]];
    Object.assign(brush, { strokeStyle: phase, fillStyle: phase, lineWidth: this.kind === "pane" ? 3 : 2 });
    for (const box of outlined) brush.strokeRect(...box);
    this.#notch(edge, over);
    Object.assign(brush, { strokeStyle: colours.ink, lineWidth: 2 });
    if (ring) brush.strokeRect(...ring);
    const shown = this.canvas.getContext("2d");
    shown.clearRect(0, 0, this.canvas.width, this.canvas.height);
    shown.drawImage(this.paper, 0, 0);
  }

  /** Where the new node stands, however low it is: a notch that pulses once. */
  #notch(edge, over) {
    const { added, path, rows, tree } = this;
    if (added < 0) return;
    const own = rows.find(({ node }) => node === added);
    const above = rows.find(({ node }) => node === path[path.indexOf(added) - 1]);
    if (!own && !above) return;
    const y = own ? own.y + own.h / 2 : above.y + above.h - 3;
    const grown = over < PULSE ? 1 + Math.sin((Math.PI * over) / PULSE) : 1;
    this.brush.fillRect(edge(tree.depth[added]), Math.max(0, y - 3 * grown), 6 * grown, 6 * grown);
  }

  /** What is said of a node, beside its board where there is room: a number says more than a board. */
  #label(node, x, y, wide, high, ink) {
    const { kind, tree, film: { facts: { board } } } = this;
    const [label, count] = [tree.label(node), ` · ${tree.count?.(node) ?? grouped(tree.size(node))}`];
    const [long, more] = [this.#measured(label, BOLD), this.#measured(count, PLAIN)];
    const middle = y + high / 2;
    let left = x + 5;
    if (kind === "pane" && board && (tree.shown?.[node] ?? 0) >= 0) {
      const side = Math.max(BOARD, 6 * Math.max(board.rows, board.columns));
      if (high >= side + 8 && wide >= side + 13 + long + more) {
        this.#board(tree.inFilm(node), left, middle - side / 2, side);
        left += side + 6;
      }
    }
    const room = x + wide - left - 2;
    if (long > room) return;
    this.texts[BOLD].push([label, left, middle, ink]);
    if (long + more <= room) this.texts[PLAIN].push([count, left + long, middle, ink]);
  }

  /** How long a text is; each is measured once. */
  #measured(text, font) {
    const { brush, lengths } = this;
    const key = font + text;
    if (!lengths.has(key)) {
      brush.font = font;
      lengths.set(key, brush.measureText(text).width);
    }
    return lengths.get(key);
  }

  /** All texts of a font together: to change the font costs more than to write. */
  #write() {
    const { brush, texts } = this;
    brush.textBaseline = "middle";
    for (const [font, all] of Object.entries(texts)) {
      if (all.length) brush.font = font;
      for (const [text, x, y, ink] of all.splice(0)) {
        brush.fillStyle = ink;
        brush.fillText(text, x, y);
      }
    }
  }

  #board(node, x, y, side) {
    const { boards, brush, colours, film, film: { facts: { board: { columns, rows } } } } = this;
    if (!boards.has(node)) {
      const shapes = this.board.shapes(film.cells(node), film.cellsBefore(node));
      boards.set(node, shapes.map((d) => new Path2D(d)));
    }
    const scale = side / (10 * Math.max(rows, columns));
    brush.save();
    brush.translate(x, y + (side - 10 * scale * rows) / 2);
    brush.scale(scale, scale);
    brush.fillStyle = colours.page;
    brush.fillRect(0, 0, 10 * columns, 10 * rows);
    brush.lineCap = "round";
    boards.get(node).forEach((path, place) => {
      const { fill, stroke, width } = this.looks[place];
      Object.assign(brush, { fillStyle: fill, strokeStyle: stroke, lineWidth: width });
      if (fill !== "none") brush.fill(path);
      if (stroke !== "none") brush.stroke(path);
    });
    brush.restore();
  }

  /** What was not needed: stripes where its nodes would stand. */
  #hatch({ node, y, h }, x, right) {
    const { brush, colours, tree } = this;
    const high = (h * tree.unneeded(node)) / tree.size(node);
    if (high < SMALLEST) return;
    const bottom = y + h;
    brush.save();
    brush.beginPath();
    brush.rect(x, bottom - high, right - x, high);
    brush.clip();
    Object.assign(brush, { fillStyle: colours.panel, strokeStyle: colours.line, lineWidth: 1 });
    brush.fill();
    brush.beginPath();
    for (let at = x - high; at < right; at += 6) {
      brush.moveTo(at, bottom);
      brush.lineTo(at + high, bottom - high);
    }
    brush.stroke();
    brush.restore();
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
    const level = this.edges.findLastIndex((edge) => edge <= x);
    let [best, least] = [-1, 12];
    for (const row of this.rows) {
      if (row.level !== level || row.h < TARGET) continue;
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
    if (marked === this.marked || !this.tip.hidden) return; // it is pointed at here
    this.marked = marked;
    this.#draw();
  }

  #point(node) {
    if (node === this.marked) return;
    const { board, film, tree } = this;
    this.marked = node;
    this.tip.hidden = node < 0;
    const shown = node < 0 ? undefined : tree.inFilm(node);
    this.onHover(shown);
    this.#draw();
    if (node < 0) return;
    const isKnown = tree.inTree(shown) === node;
    if (board) board.svg.style.display = isKnown ? "" : "none";
    if (isKnown) board?.draw(film.cells(shown), film.cellsBefore(shown));
    write(this.said, `${node ? tree.label(node) || "a move" : "root"}: ${tree.words(node)}`);
    const { level, y } = this.rows.find((one) => one.node === node);
    const right = this.edges[level + 1] ?? this.width;
    const [tall, long] = this.kind === "pane" && board ? [132, 150] : [30, 220];
    const x = right + long < this.width ? right + 6 : Math.max(0, this.edges[level] - long - 6);
    Object.assign(this.tip.style, { left: `${x}px`, top: `${clamped(y, 0, this.height - tall)}px` });
  }

  #press(event) {
    this.fingers.set(event.pointerId, event);
    this.dragged = false;
    event.preventDefault(); // the arrow keys go on to step through the film
    const player = this.canvas.closest(".mcts-player");
    if (player) focusOn(player);
  }

  /** One finger points, or moves what is enlarged; two enlarge it. */
  #move(event) {
    const { enlarged, fingers, height } = this;
    const before = fingers.get(event.pointerId);
    if (!before || (enlarged === 1 && fingers.size < 2)) {
      this.#point(this.#nodeAt(event));
      return;
    }
    const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    const moved = event.offsetY - before.offsetY;
    fingers.set(event.pointerId, event);
    this.dragged ||= Math.abs(moved) > 2;
    if (other) {
      const [x, y] = [other.offsetX, other.offsetY];
      const spread = ({ offsetX, offsetY }) => Math.hypot(offsetX - x, offsetY - y) || 1;
      this.zoom(spread(event) / spread(before), (event.offsetY + y) / 2);
    } else this.#look(this.top - moved / (height * enlarged), enlarged);
  }

  #wheel(event) {
    if (event.deltaY > 0 && this.enlarged === 1) return; // the page may scroll
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), event.offsetY);
  }

  /** Enlarge around a height; by 0 to see all of it. */
  zoom(factor, y = this.height / 2) {
    const enlarged = clamped(this.enlarged * factor, 1, CLOSEST);
    const middle = this.top + y / (this.height * this.enlarged);
    this.#look(middle - y / (this.height * enlarged), enlarged);
  }

  #look(top, enlarged) {
    this.enlarged = enlarged;
    this.top = clamped(top, 0, 1 - 1 / enlarged);
    this.#lay();
    this.#draw();
  }

  /** One target with a place in it: arrows walk from node to node, Enter chooses. */
  #onKey(event) {
    const { rows, tree } = this;
    const at = rows.find(({ node }) => node === Math.max(0, this.marked));
    if (!at || event.altKey || event.metaKey || event.ctrlKey) return;
    const beside = (way) => {
      const column = rows.filter(({ level, h }) => level === at.level && h >= TARGET);
      return column[column.indexOf(at) + way];
    };
    const below = () => rows.filter(({ node }) => tree.parent[node] === at.node)
      .reduce((one, other) => (one?.h >= other.h ? one : other), undefined);
    const choose = () => this.#choose(at.node);
    const point = (row) => this.#point((row ?? at).node);
    const act = {
      ArrowRight: () => point(below()),
      ArrowLeft: () => this.#point(Math.max(0, tree.parent[at.node])),
      ArrowDown: () => point(beside(1)),
      ArrowUp: () => point(beside(-1)),
      Enter: choose,
      " ": choose,
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A colour between three of them, and black or white to write on it. */
function mixed(colours, part) {
  const [from, to] = part < 0.5 ? colours : colours.slice(1);
  const share = 2 * (part < 0.5 ? part : part - 0.5);
  const numbers = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [a, b] = [numbers(from), numbers(to)];
  const parts = a.map((one, place) => Math.round(one + (b[place] - one) * share));
  const light = (0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]) / 255;
  return { fill: `rgb(${parts.join(" ")})`, ink: light > 0.55 ? "#1a2130" : "#ffffff" };
}
