// What is finer than a pixel and upright: the sides of such shapes cannot be seen, so each gives its ink
// to the columns of pixels in which it lies. A row of the tree is one line of a small image, which is
// drawn as high as the row. Thousands of shapes cost as much as one picture, and no ink is lost where
// many lie in one pixel. Colours are never mixed, since blue and orange would be the grey of a draw: some
// columns together have the shares of all their inks, and each has one colour.

const BYTE = 255;
const CHANNELS = 4; // red, green, blue and how much ink there is
const CELL = 6; // columns that share their inks, sorted as within a ribbon

export class Mist {
  canvas = new OffscreenCanvas(1, 1);
  brush = this.canvas.getContext("2d", { willReadFrequently: true });
  inks = new Float32Array(CELL);
  inked = new Set(); // the rows that have ink

  /** Make it empty, for rows of so many columns, and inks of these colours. */
  clear(columns, rows, colours) {
    if (this.columns !== columns || this.rows !== rows || this.colours !== colours) {
      Object.assign(this, { columns, rows, colours });
      Object.assign(this.canvas, { width: columns, height: rows });
      this.ink = new Float32Array(columns * rows * colours.length);
      this.image = new ImageData(columns, rows);
    } else if (this.inked.size) this.ink.fill(0);
    this.inked.clear();
  }

  /** Ink of an opacity and a colour between two places of a row, in columns. */
  add(row, left, right, opacity, colour) {
    const { colours, columns, ink } = this;
    const kind = colours.indexOf(colour);
    const last = Math.min(columns, Math.ceil(right));
    this.inked.add(row);
    for (let column = Math.max(0, Math.floor(left)); column < last; column++) {
      const covered = Math.min(right, column + 1) - Math.max(left, column);
      ink[(row * columns + column) * colours.length + kind] += opacity * covered;
    }
  }

  /** Draw it: row `n` from `tops[n]` to the next, over the width of the pane. */
  draw(brush, tops, width, opacity) {
    const { canvas, colours, columns, image, inked } = this;
    if (!inked.size) return;
    image.data.fill(0);
    for (const row of inked) {
      const owed = colours.map(() => 0);
      for (let begin = 0; begin < columns; begin += CELL)
        this.#divide(row, begin, Math.min(columns, begin + CELL), { opacity, owed });
    }
    this.brush.putImageData(image, 0, 0);
    brush.imageSmoothingEnabled = false;
    for (const row of inked) {
      const high = tops[row + 1] - tops[row];
      if (high > 0) brush.drawImage(canvas, 0, row, columns, 1, 0, tops[row], width, high);
    }
  }

  /** Give each of some columns one colour; what a colour is still `owed` it gets in the next ones. */
  #divide(row, begin, end, { opacity, owed }) {
    const { colours, columns, image, inks } = this;
    let all = 0;
    for (let column = begin; column < end; column++)
      all += inks[column - begin] = this.#collect(row * columns + column, owed);
    if (!all) {
      owed.fill(0);
      return;
    }
    let kind = 0;
    for (let column = begin; column < end; column++) {
      const amount = inks[column - begin];
      if (!amount) continue;
      while (kind < colours.length - 1 && owed[kind] < amount / 2) kind++;
      owed[kind] -= amount;
      const at = (row * columns + column) * CHANNELS;
      image.data.set(colours[kind], at);
      image.data[at + 3] = BYTE * opacity * amount;
    }
  }

  /** How much ink a column has, at most 1; each colour is `owed` its share of it. */
  #collect(place, owed) {
    const { colours, ink } = this;
    const first = place * colours.length;
    let all = 0;
    for (let kind = 0; kind < colours.length; kind++) all += ink[first + kind];
    const amount = Math.min(1, all);
    const share = all && amount / all;
    for (let kind = 0; kind < colours.length; kind++) owed[kind] += ink[first + kind] * share;
    return amount;
  }
}
