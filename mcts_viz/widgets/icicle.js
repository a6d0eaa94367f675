// The whole tree as an icicle: a column a depth, as high as a node's visits, coloured by the mean of
// the player who moved there. It counts all iterations and all nodes, also in a film that shows
// a selection of them.

import { MiniBoard } from "./board.js";
import { Motion, assign, element, focusOn, wantsNoMotion, write } from "./elements.js";
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

/**
 * A picture of the tree on a canvas: the `strip` below the walk, or the `pane` where cards would be
 * too small.
 */
export class Icicle {
  motion = new Motion();

  /** `onChoose(node)` hears of a click or Enter, `onHover(node)` of what is pointed at, if anything is. */
  constructor(tree, kind, { onChoose, onHover = () => {} }) {
    Object.assign(this, {
      tree, film: tree.film, kind, onChoose, onHover, marked: -1, top: 0, enlarged: 1, rows: [],
      boards: new Map(), texts: { [BOLD]: [], [PLAIN]: [] }, lengths: new Map(),
    });
    const role = { role: "application", "aria-roledescription": "icicle" };
    this.canvas = element("canvas", { tabindex: "0", ...role });
    // where it is painted: texts of one on the page ask for all its styles first
    this.paper = new OffscreenCanvas(1, 1);
    this.brush = this.paper.getContext("2d");
    this.legend = element("p", { class: "legend", "aria-hidden": "true" },
      element("span", {}, tree.legend),
      ...tree.colours.map((text, place) => element("span", { class: `key key-${place}` }, text)));
    const { board } = this.film.facts;
    this.board = board && new MiniBoard(board);
    this.said = element("p", { role: "status" });
    this.tip = element("div", { class: "tip", hidden: "" }, this.board?.svg, this.said);
    const look = { class: kind === "pane" ? "icicle pane" : "icicle", "data-icicle": kind };
    this.element = element("div", look, this.canvas, this.legend, this.tip);
    this.#listen();
  }

  #listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, ({ pointerId }) => this.fingers.delete(pointerId));
    }
    canvas.addEventListener("pointerleave", () => this.#point(-1));
    canvas.addEventListener("click", (event) => this.dragged || this.#choose(this.#nodeAt(event)));
    canvas.addEventListener("keydown", (event) => this.#onKey(event));
    canvas.addEventListener("blur", () => this.#point(-1));
    canvas.addEventListener("transitionrun", () => this.#recolour()); // the page has become dark, or light
    if (this.kind === "pane") {
      canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    }
    this.fingers = new Map();
  }

  /** So large is it, in pixels of the page. */
  resize(width, height) {
    const sharp = Math.min(3, devicePixelRatio || 1);
    Object.assign(this, { width, height, sharp });
    for (const one of [this.canvas, this.paper]) {
      Object.assign(one, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
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
    const names = ["low", "middle", "high"].map((name) => colour(`icicle-${name}`));
    this.tones = Array.from({ length: TONES + 1 }, (_, place) => mixed(names, place / TONES));
    const others = ["ink", "page", "panel", "track", "line", ...Object.values(PHASES)];
    this.colours = Object.fromEntries(others.map((name) => [name, colour(name)]));
    this.looks = [...(this.board?.paths ?? [])].map((path) => {
      const { fill, stroke, strokeWidth } = getComputedStyle(path);
      return { fill, stroke, width: Number.parseFloat(strokeWidth) };
    });
    this.#draw(1);
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
    this.calm = calm && !wantsNoMotion();
    const { edges } = this;
    this.#lay();
    this.oldEdges = edges ?? this.edges;
    assign(this.element, { "data-nodes": this.rows.length, "data-total": tree.total });
    const seen = `${grouped(this.rows.length)} of them large enough to be seen`;
    assign(this.canvas, {
      "aria-label": `${tree.legend}. ${grouped(tree.total)} nodes, ${seen}. Arrow keys walk through it.`,
    });
    const length = this.added < 0 ? STEP : PULSE;
    this.motion.run(this.calm ? length : 0,
      (over) => this.#draw(this.calm ? Math.min(1, over / STEP) : 1, over));
  }

  #lay() {
    const { height, path, top, tree, width, enlarged } = this;
    const { deepest, total } = tree;
    const levels = Math.max(1, deepest[Math.max(0, total - 1)]);
    const root = ROOT[this.kind];
    const room = width - root;
    const usual = Math.max(USUAL, room / Math.max(COLUMNS, levels));
    const [wide, narrow] = usual * levels <= room ? [levels, 0] : squeezed(room, levels, usual);
    const edge = (depth) => root + Math.min(depth, wide) * usual + Math.max(0, depth - wide) * narrow;
    this.edges = [0, ...Array.from({ length: levels + 1 }, (_, depth) => edge(depth))];
    const rows = [];
    const before = new Map(this.calm ? this.rows.map((row) => [row.node, row]) : []);
    const all = tree.size(0) || 1;
    const scale = (height * enlarged) / all;
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
    put(0, 0, -top * height * enlarged, height * enlarged * Math.min(1, tree.size(0)));
    this.rows = rows;
    this.onPath = new Set(path);
  }

  // Painting --------------------------------------------------------------------------------

  #draw(part, over = PULSE) {
    const { brush, calm, colours, height, rows, sharp, tones, tree, width } = this;
    if (!width || !this.frame) return;
    this.phaseColour = colours[PHASES[this.film.facts.phases[this.frame.phase]]];
    const eased = 1 - (1 - part) ** 3;
    const edge = (level) => {
      const [from, to] = [this.oldEdges?.[level] ?? width, this.edges[level] ?? width];
      return calm ? from + (to - from) * eased : to;
    };
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, width, height);
    const outlined = [];
    for (const row of rows) {
      const y = calm ? row.y0 + (row.y - row.y0) * eased : row.y;
      const h = calm ? row.h0 + (row.h - row.h0) * eased : row.h;
      const [x, right] = [edge(row.level), edge(row.level + 1)];
      const wide = right - x - 1;
      const tone = tree.tone(row.node);
      const shade = Number.isNaN(tone) ? undefined : Math.round(TONES * Math.max(0, Math.min(1, tone)));
      brush.fillStyle = tones[shade]?.fill ?? (row.node < tree.total ? colours.track : colours.page);
      brush.fillRect(x, y, wide, h > 4 ? h - 1 : h);
      if (tree.unneeded?.(row.node)) this.#hatch(edge(row.level + 1), row, edge(row.level + 2) - 1);
      if (h >= LABELLED && row.level) {
        this.#label(row.node, x, Math.max(0, y), wide, Math.min(height, y + h) - Math.max(0, y),
          tones[shade]?.ink ?? colours.ink);
      }
      if (this.onPath.has(row.node)) outlined.push([x, y, wide, h]);
      if (row.node === this.marked) this.ring = [x, y, wide, h];
    }
    this.#write();
    brush.strokeStyle = this.phaseColour;
    brush.lineWidth = this.kind === "pane" ? 3 : 2;
    for (const [x, y, wide, h] of outlined) {
      brush.strokeRect(x + 1, y + Math.min(1, h / 4), wide - 2, Math.max(1, h - 2));
    }
    this.#notch(edge, over);
    if (this.ring) {
      brush.strokeStyle = colours.ink;
      brush.lineWidth = 2;
      const [x, y, wide, h] = this.ring;
      brush.strokeRect(x, y - 1, wide, Math.max(3, h + 1));
      this.ring = undefined;
    }
    const shown = this.canvas.getContext("2d");
    shown.clearRect(0, 0, this.canvas.width, this.canvas.height);
    shown.drawImage(this.paper, 0, 0);
  }

  /** Where the new node stands, however low it is: a notch that pulses once. */
  #notch(edge, over) {
    const { added, brush, path } = this;
    if (added < 0) return;
    const above = this.rows.find(({ node }) => node === path[path.indexOf(added) - 1]);
    const own = this.rows.find(({ node }) => node === added);
    const row = own ?? above;
    if (!row) return;
    const y = own ? own.y + own.h / 2 : above.y + above.h - 3;
    const grown = this.calm && over < PULSE ? 1 + Math.sin((Math.PI * over) / PULSE) : 1;
    brush.fillStyle = this.phaseColour;
    brush.fillRect(edge(this.tree.depth[added]), Math.max(0, y - 3 * grown), 6 * grown,
      Math.max(6, own ? Math.min(own.h, 6) : 0) * grown);
  }

  #label(node, x, y, wide, high, ink) {
    const { kind, tree } = this;
    const [label, count] = [tree.label(node), ` · ${tree.count?.(node) ?? grouped(tree.size(node))}`];
    const [long, more] = [this.#measured(label, BOLD), this.#measured(count, PLAIN)];
    const side = this.#pictured(node, kind, wide - 13 - long - more, high); // a number says more than a board
    const left = x + 5 + (side ? side + 6 : 0);
    const room = x + wide - left - 2;
    const middle = y + high / 2;
    if (side) this.#board(node, x + 5, middle - side / 2, side);
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

  /** How large a board there is room for beside what is said; 0 for none. */
  #pictured(node, kind, wide, high) {
    const { board } = this.film.facts;
    if (kind !== "pane" || !board || (this.tree.shown?.[node] ?? 0) < 0) return 0;
    const side = Math.max(BOARD, 6 * Math.max(board.rows, board.columns));
    return high >= side + 8 && wide >= side ? side : 0;
  }

  #board(node, x, y, side) {
    const { brush, colours, film } = this;
    const { board } = film.facts;
    const scale = side / (10 * Math.max(board.rows, board.columns));
    const real = this.tree.inFilm(node);
    brush.save();
    brush.translate(x, y + (side - 10 * scale * board.rows) / 2);
    brush.scale(scale, scale);
    brush.fillStyle = colours.page;
    brush.fillRect(0, 0, 10 * board.columns, 10 * board.rows);
    brush.lineCap = "round";
    if (!this.boards.has(real)) {
      const shapes = this.board.shapes(film.cells(real), film.cellsBefore(real));
      this.boards.set(real, shapes.map((d) => new Path2D(d)));
    }
    this.boards.get(real).forEach((path, place) => {
      const { fill, stroke, width } = this.looks[place];
      [brush.fillStyle, brush.strokeStyle, brush.lineWidth] = [fill, stroke, width];
      if (fill !== "none") brush.fill(path);
      if (stroke !== "none") brush.stroke(path);
    });
    brush.restore();
  }

  /** What was not needed: stripes where its nodes would stand. */
  #hatch(x, { node, y, h }, right) {
    const { brush, colours, tree } = this;
    const high = (h * tree.unneeded(node)) / tree.size(node);
    if (high < SMALLEST) return;
    brush.save();
    brush.beginPath();
    brush.rect(x, y + h - high, right - x, high);
    brush.clip();
    brush.fillStyle = colours.panel;
    brush.fill();
    brush.strokeStyle = colours.line;
    brush.lineWidth = 1;
    brush.beginPath();
    for (let at = x - high; at < right; at += 6) {
      brush.moveTo(at, y + h);
      brush.lineTo(at + high, y + h - high);
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
    this.#draw(1);
  }

  #point(node) {
    if (node === this.marked) return;
    this.marked = node;
    this.tip.hidden = node < 0;
    this.onHover(node < 0 ? undefined : this.tree.inFilm(node));
    this.#draw(1);
    if (node < 0) return;
    const { film, tree } = this;
    const real = tree.inFilm(node);
    const known = tree.inTree(real) === node;
    if (this.board) this.board.svg.style.display = known ? "" : "none";
    if (known) this.board?.draw(film.cells(real), film.cellsBefore(real));
    write(this.said, `${node ? tree.label(node) || "a move" : "root"}: ${tree.words(node)}`);
    const row = this.rows.find((one) => one.node === node);
    const right = this.edges[row.level + 1] ?? this.width;
    const [tall, long] = this.kind === "pane" && this.board ? [132, 150] : [30, 220];
    const x = right + long < this.width ? right + 6 : Math.max(0, this.edges[row.level] - long - 6);
    Object.assign(this.tip.style, {
      left: `${x}px`, top: `${Math.max(0, Math.min(this.height - tall, row.y))}px`,
    });
  }

  #press(event) {
    this.fingers.set(event.pointerId, event);
    this.dragged = false;
    event.preventDefault(); // the arrow keys go on to step through the film
    const player = this.canvas.closest(".mcts-player");
    if (player) focusOn(player);
  }

  #move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before || this.enlarged === 1 && this.fingers.size < 2) return this.#point(this.#nodeAt(event));
    const others = [...this.fingers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
    this.fingers.set(event.pointerId, event);
    const moved = event.offsetY - before.offsetY;
    if (Math.abs(moved) > 2) this.dragged = true;
    if (others.length) {
      const spread = ({ offsetX, offsetY }) =>
        Math.hypot(offsetX - others[0].offsetX, offsetY - others[0].offsetY) || 1;
      this.zoom(spread(event) / spread(before), (event.offsetY + others[0].offsetY) / 2);
    } else this.#look(this.top - moved / (this.height * this.enlarged), this.enlarged);
    return undefined;
  }

  #wheel(event) {
    if (event.deltaY > 0 && this.enlarged === 1) return; // the page may scroll
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), event.offsetY);
  }

  /** Enlarge around a height; by 0 to see all of it. */
  zoom(factor, y = this.height / 2) {
    const enlarged = Math.max(1, Math.min(CLOSEST, this.enlarged * factor));
    const middle = this.top + y / (this.height * this.enlarged);
    this.#look(middle - y / (this.height * enlarged), enlarged);
  }

  #look(top, enlarged) {
    this.enlarged = enlarged;
    this.top = Math.max(0, Math.min(1 - 1 / enlarged, top));
    this.calm = false;
    this.#lay();
    assign(this.element, { "data-nodes": this.rows.length });
    this.#draw(1);
  }

  /** One target with a place in it: arrows walk from node to node, Enter chooses. */
  #onKey(event) {
    const { marked, rows, tree } = this;
    const at = rows.find(({ node }) => node === Math.max(0, marked));
    const beside = (way) => {
      const column = rows.filter(({ level, h }) => level === at.level && h >= TARGET);
      return column[column.indexOf(at) + way]?.node;
    };
    const below = () => rows.filter(({ node }) => tree.parent[node] === at.node && node)
      .toSorted((a, b) => b.h - a.h)[0]?.node;
    const act = {
      ArrowRight: () => this.#point(below() ?? at.node),
      ArrowLeft: () => this.#point(Math.max(0, tree.parent[at.node])),
      ArrowDown: () => this.#point(beside(1) ?? at.node),
      ArrowUp: () => this.#point(beside(-1) ?? at.node),
      Enter: () => this.#choose(at.node),
      " ": () => this.#choose(at.node),
    }[event.key];
    if (!act || !at || event.altKey || event.metaKey || event.ctrlKey) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** How many of the columns keep their width, and how wide the deeper ones are. */
function squeezed(room, levels, usual) {
  const kept = Math.max(0, Math.min(levels, Math.floor((room - levels * NARROW) / (usual - NARROW))));
  return [kept, (room - kept * usual) / Math.max(1, levels - kept)];
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
