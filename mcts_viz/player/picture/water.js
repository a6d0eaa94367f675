// Paints the river's ribbons and fans on a canvas, colour by colour: all shapes of one colour are one
// path, so what lies over itself is not darker. The layout says where; the page's style says which
// colours.

import { Mist } from "./mist.js";
import { STUB } from "./river.js";

const CALM = 0.75; // the opacity of all threads but those of the walk, which are at 1
const MIDDLE = [0.25, 0.5, 0.75, 1]; // where along a fan its opacity is set again
const SHADES = 3; // of opacity between one and half of it: paths of one shade are painted together

const HAIR = 1; // pixels: what is narrower, and goes less aside from row to row, is mist
const FAINT = 1 / 400; // what is paler leaves no trace on a screen
const STEPS = 7; // of a mean
const EDGED = 3; // pixels: a pale ribbon of that width gets a darker edge
const PALEST = 0.25; // of games that were not needed
const HATCH = 6; // pixels from one stripe to the next

const STRAIGHT = 4; // pixels aside: a curve would lie 0.4 beside a line
const smooth = (part) => part * part * (3 - 2 * part);

export class Water {
  mist = new Mist();

  /** `tree` is what the layouts are made of. */
  constructor(canvas, tree) {
    Object.assign(this, { canvas, tree });
    this.brush = canvas.getContext("2d");
  }

  /** So large is it, in pixels of the page, of which `scale` are one of the layout's. */
  resize(width, height, scale) {
    const sharp = Math.min(2, devicePixelRatio || 1); // more is not seen, and costs
    Object.assign(this, { width: width / scale, height: height / scale, sharp: sharp * scale });
    Object.assign(this.canvas, {
      width: Math.round(width * sharp),
      height: Math.round(height * sharp),
    });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.recolour();
  }

  /** Take the page's colours. */
  recolour() {
    const style = getComputedStyle(this.canvas);
    const colour = (name) => channels(this.brush, style.getPropertyValue(`--mcts-${name}`).trim());
    const wins = [0, 1, 2, 3].map((player) => colour(`wins-${player}`));
    this.draw = colour("drawn");
    this.edge = colour("line");
    const palette = { draw: this.draw };
    wins.forEach((own, player) => {
      palette[`player-${player}`] = own;
    });
    const { kinds, results } = this.tree;
    this.colours = kinds?.map((kind) => palette[kind] ?? this.draw);
    this.looks = this.colours ?? results.map(() => this.draw); // by result
    this.looks = this.looks.map((look, result) => (kinds?.[result] === "unseen" ? "hatch" : look));
    this.means = Array.from({ length: STEPS }, (_, step) => {
      const part = step / (STEPS - 1);
      return part < 0.5
        ? mixed(wins[1], this.draw, 2 * part)
        : mixed(this.draw, wins[0], 2 * part - 1);
    });
    this.hatch = hatched(this.brush, this.edge);
  }

  /** Paint a moment; `walked` has the nodes of the walk. */
  paint(river, walked) {
    const { brush, sharp } = this;
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, this.width, this.height);
    const rows = Math.max(1, river.rows.length - 1); // a top may be alone
    this.mist.clear(this.canvas.width, rows, this.colours ?? this.means);
    this.#fans(river);
    const calm = new Paths();
    const bright = new Paths();
    for (const band of river.bands) {
      const isWalked = walked.has(band.node);
      const look = this.#lookOf(band.node, band.result);
      if (!isWalked && this.#isMist(band, look)) {
        this.#add(band.depth - 1, band.from, band.from + band.wide, 1, look);
        continue;
      }
      ribbon((isWalked ? bright : calm).of(look), this.#seen(band, look));
      if (look === this.draw && band.wide >= EDGED) sides((isWalked ? bright : calm).edges, band);
    }
    this.mist.draw(brush, river.rows, this.width, CALM);
    for (const end of river.ends)
      stub((walked.has(end.node) ? bright : calm).of(this.#lookOf(end.node, end.result)), end);
    for (const spare of river.spares) this.#spare(river, spare, calm.of("hatch"));
    this.#fill(calm, CALM);
    this.#fill(bright, 1);
  }

  /** True of a ribbon below the top's moves, whose sides cannot be seen. */
  #isMist({ depth, from, to, wide }, look) {
    const isFine = wide < HAIR && Math.abs(to - from) < HAIR && wide >= this.tree.finest;
    return isFine && depth > 1 && look !== "hatch";
  }

  /** Ink between two places of a row, in pixels. */
  #add(row, left, right, opacity, look) {
    this.mist.add(row, left * this.sharp, right * this.sharp, opacity, look);
  }

  /** The colour of a node's threads with a result, "hatch" for games that were not looked at. */
  #lookOf(node, result) {
    return this.colours ? this.looks[result] : this.means[this.tree.step(node)];
  }

  /** A ribbon as it is drawn: what minimax has looked at is never thinner than a line. */
  #seen(band, look) {
    const lacking = look === "hatch" ? 0 : this.tree.finest - band.wide;
    if (!(lacking > 0)) return band;
    const [from, to] = [band.from - lacking / 2, band.to - lacking / 2];
    return { ...band, from, to, wide: this.tree.finest };
  }

  #fill(paths, opacity) {
    const { brush } = this;
    for (const [look, path] of paths.all) {
      brush.globalAlpha = look === "hatch" ? 1 : opacity;
      brush.fillStyle = look === "hatch" ? this.hatch : css(look);
      brush.fill(path);
      if (look !== this.draw) continue;
      brush.globalAlpha = 1;
      brush.lineWidth = 1;
      brush.strokeStyle = css(this.edge, CALM / 2);
      brush.stroke(paths.edges);
    }
    brush.globalAlpha = 1;
  }

  /** Games that were not needed: a hatched fan, and below it the rows that they reach. */
  #spare({ rows, thread }, spare, path) {
    const { brush } = this;
    const { below, deeper, left, right, wide } = spare;
    fan(path, spare, below);
    brush.fillStyle = this.hatch;
    const first = rows.indexOf(below);
    deeper.forEach((count, row) => {
      brush.globalAlpha = Math.max(PALEST, (count * thread) / wide);
      brush.fillRect(left, rows[first + row], right - left, rows[first + row + 1] - rows[first + row]);
    });
    brush.globalAlpha = 1;
  }

  /** What is too thin for ribbons is spread over its slot, by result, and pales as it spreads. */
  #fans(river) {
    const { brush } = this;
    const { fans, rootBottom, rows } = river;
    const first = new Paths();
    for (const one of fans) this.#fan(one, river, first);
    for (const [look, path, level, depth] of first.all) {
      const [above, below] = [depth > 1 ? rows[depth - 1] : rootBottom, rows[depth]];
      const gradient = brush.createLinearGradient(0, above, 0, below);
      const opacity = opacityOf(level);
      gradient.addColorStop(0, css(look, CALM));
      for (const part of MIDDLE) {
        gradient.addColorStop(
          part,
          css(look, CALM * Math.min(1, opacity / Math.max(opacity, smooth(part)))),
        );
      }
      brush.fillStyle = gradient;
      brush.fill(path);
    }
  }

  /** One of thousands: nothing is made for it but its shape. */
  #fan(one, river, first) {
    const { looks, tree } = this;
    const { above, deeper, depth, from, left, node, right, wide } = one;
    const { rows } = river;
    const span = right - left;
    const isFine = depth > 1 && span < HAIR && Math.abs((left + right) / 2 - from) < HAIR;
    let part = 0; // of all its threads, those that have their place
    for (let result = 0; result < looks.length; result++) {
      const begin = part;
      part += tree.results[result][node] / tree.visits[node];
      const look = this.#lookOf(node, result);
      if (part === begin || look === "hatch") continue;
      const [at, to] = [left + begin * span, left + part * span];
      if (isFine) this.#add(depth - 1, at, to, wide / span, look);
      else {
        const path = first.of(look, shade(wide / span), depth);
        const shape = { from: from + begin * wide, wide: (part - begin) * wide, above, left: at, right: to };
        fan(path, shape, rows[depth]);
      }
    }
    const rowsBelow = Math.min(deeper.length / looks.length, rows.length - 1 - depth);
    for (let row = 0; row < rowsBelow; row++) this.#box(one, row, river);
  }

  /** A row below a fan that threads cross, over its slot; of games that were not needed it is hatched. */
  #box({ deeper, depth, left, node, right }, below, { rows, thread }) {
    const { brush, looks } = this;
    const at = below * looks.length;
    const row = depth + below;
    const span = right - left;
    let all = 0;
    for (let result = 0; result < looks.length; result++) all += deeper[at + result];
    const opacity = (all * thread) / span;
    if (opacity < FAINT) return;
    let to = left;
    for (let result = 0; result < looks.length; result++) {
      const from = to;
      to += (deeper[at + result] / all) * span;
      const look = this.#lookOf(node, result);
      if (look !== "hatch") this.#add(row, from, to, opacity, look);
      else if (to > from) {
        brush.fillStyle = this.hatch;
        brush.fillRect(from, rows[row], to - from, rows[row + 1] - rows[row]);
      }
    }
  }
}

/** Paths by colour, and where it matters by shade of opacity and depth. */
class Paths {
  all = [];
  found = new Map();
  edges = new Path2D();

  of(look, level = 0, depth = 0) {
    let shades = this.found.get(look);
    if (!shades) this.found.set(look, (shades = new Map()));
    const key = level * 256 + depth;
    let path = shades.get(key);
    if (!path) {
      shades.set(key, (path = new Path2D()));
      this.all.push([look, path, level, depth]);
    }
    return path;
  }
}

const shade = (opacity) =>
  Math.round(SHADES * Math.log2(1 / Math.min(1, Math.max(FAINT, opacity))));
const opacityOf = (level) => 2 ** (-level / SHADES);

/**
 * A ribbon that leaves its node straight down and comes to its child straight down. No shape is closed:
 * to fill does so, and closing each took a third of the time at 15,000 iterations.
 */
function ribbon(path, { above, below, from, to, wide }) {
  path.moveTo(from, above);
  side(path, from, above, to, below);
  path.lineTo(to + wide, below);
  side(path, to + wide, below, from + wide, above);
}

/** From one place to another, upright at both ends; what hardly goes aside is a cheap straight line. */
function side(path, fromX, fromY, toX, toY) {
  const half = (fromY + toY) / 2;
  if (Math.abs(fromX - toX) < STRAIGHT) path.lineTo(toX, toY);
  else path.bezierCurveTo(fromX, half, toX, half, toX, toY);
}

/** The two sides of a ribbon, without its ends. */
function sides(path, { above, below, from, to, wide }) {
  const half = (above + below) / 2;
  for (const aside of [0, wide]) {
    path.moveTo(from + aside, above);
    path.bezierCurveTo(from + aside, half, to + aside, half, to + aside, below);
  }
}

/** From a thin ribbon to the whole of a slot. */
function fan(path, { above, from, left, right, wide }, below) {
  path.moveTo(from, above);
  side(path, from, above, left, below);
  path.lineTo(right, below);
  side(path, right, below, from + wide, above);
}

/** Threads that end here: they hang down a little, with a round end. */
function stub(path, { wide, x, y }) {
  const round = Math.min(wide / 2, STUB / 2);
  path.moveTo(x, y);
  path.lineTo(x, y + STUB - round);
  path.quadraticCurveTo(x, y + STUB, x + round, y + STUB);
  path.lineTo(x + wide - round, y + STUB);
  path.quadraticCurveTo(x + wide, y + STUB, x + wide, y + STUB - round);
  path.lineTo(x + wide, y);
}

const css = ([red, green, blue], opacity = 1) =>
  `rgb(${red} ${green} ${blue} / ${opacity.toFixed(3)})`;

/** A colour of the page as red, green and blue. */
function channels(brush, text) {
  brush.fillStyle = "#808080"; // for what is no colour
  brush.fillStyle = text;
  const [, ...digits] = /^#(..)(..)(..)/.exec(brush.fillStyle) ?? [0, "80", "80", "80"];
  return digits.map((digit) => parseInt(digit, 16));
}

const mixed = (one, other, part) =>
  one.map((from, place) => Math.round(from + (other[place] - from) * part));

/** Slanted stripes. */
function hatched(brush, colour) {
  const tile = new OffscreenCanvas(HATCH, HATCH);
  const pen = tile.getContext("2d");
  pen.fillStyle = css(colour, 0.5);
  for (let place = 0; place < HATCH; place++) pen.fillRect(place, HATCH - 1 - place, 1.5, 1.5);
  return brush.createPattern(tile, "repeat");
}
