// What is finer than a pixel and upright: of such shapes nobody sees the sides, so each gives its ink
// to the columns of pixels in which it lies. A row of the tree is one line of a small image, which is
// drawn as high as the row. Thousands of shapes cost as much as one picture, and no ink is lost where
// many lie in one pixel.

const BYTE = 255;
const CHANNELS = 4; // red, green, blue and how much ink there is

export class Mist {
  canvas = new OffscreenCanvas(1, 1);
  brush = this.canvas.getContext("2d", { willReadFrequently: true });

  /** Make it empty, for rows of so many columns. */
  clear(columns, rows) {
    if (this.columns !== columns || this.rows !== rows) {
      Object.assign(this, { columns, rows });
      Object.assign(this.canvas, { width: columns, height: rows });
      this.ink = new Float32Array(columns * rows * CHANNELS);
      this.image = new ImageData(columns, rows);
    } else this.ink.fill(0);
  }

  /** Ink of an opacity and a colour between two places of a row, in columns. */
  add(row, left, right, opacity, [red, green, blue]) {
    const { columns, ink } = this;
    const last = Math.min(columns, Math.ceil(right));
    for (let column = Math.max(0, Math.floor(left)); column < last; column++) {
      const covered = Math.min(right, column + 1) - Math.max(left, column);
      const amount = opacity * covered;
      const at = (row * columns + column) * CHANNELS;
      ink[at] += amount * red;
      ink[at + 1] += amount * green;
      ink[at + 2] += amount * blue;
      ink[at + 3] += amount;
    }
  }

  /** Draw it: row `n` from `tops[n]` to the next, over the width of the pane. */
  draw(brush, tops, width, opacity) {
    const { canvas, columns, image, ink, rows } = this;
    for (let at = 0; at < ink.length; at += CHANNELS) {
      const amount = ink[at + 3];
      for (let channel = 0; channel < 3; channel++)
        image.data[at + channel] = amount ? ink[at + channel] / amount : 0;
      image.data[at + 3] = BYTE * opacity * Math.min(1, amount);
    }
    this.brush.putImageData(image, 0, 0);
    brush.imageSmoothingEnabled = false;
    for (let row = 0; row < rows; row++) {
      const high = tops[row + 1] - tops[row];
      if (high > 0) brush.drawImage(canvas, 0, row, columns, 1, 0, tops[row], width, high);
    }
  }
}
