// Zoom and pan: which part of a picture is looked at.

const SMALLEST = 0.15; // of the whole picture
const CLOSEST = 220; // points; a large picture may be looked at as closely as that
const EDGE = 8; // points; kept free around what is brought into view
const ROOMY = [420, 260]; // points; what is smaller is not enlarged to fill the frame

export class Camera {
  constructor(svg) {
    this.svg = svg;
    this.dragged = false;
    svg.addEventListener("pointerdown", (event) => this.#startDrag(event));
    svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.#pointIn(event));
      },
      { passive: false },
    );
  }

  /** The whole of a picture of this size; a small one is enlarged only if it `fills` the frame. */
  show(width, height, fills) {
    const wide = fills ? width : Math.max(width, ROOMY[0]);
    const high = fills ? height : Math.max(height, ROOMY[1]);
    this.whole = { x: (width - wide) / 2, y: (height - high) / 2, width: wide, height: high };
    this.fit();
  }

  fit() {
    const { width, height } = this.whole;
    this.svg.setAttribute("width", width.toFixed(1));
    this.svg.setAttribute("height", height.toFixed(1));
    this.fitted = true;
    this.#look(this.whole);
  }

  /** Another picture in the same frame: what stood at the point `from` now stands at `to`. */
  swap(width, height, from, to) {
    const { x, y, ...size } = this.view;
    this.whole = { x: 0, y: 0, width, height };
    this.fitted = false;
    this.#look({ x: x + to[0] - from[0], y: y + to[1] - from[1], ...size });
  }

  /** Enlarge around a point of the picture, the middle of what is seen if none is given. */
  zoom(factor, about) {
    const { x, y, width, height } = this.view;
    const { whole } = this;
    const [cx, cy] = about ?? [x + width / 2, y + height / 2];
    const scale = Math.max(Math.min(SMALLEST * whole.width, CLOSEST) / width, 1 / factor);
    if (width * scale >= whole.width * 0.999 && height * scale >= whole.height * 0.999) return this.fit();
    this.fitted = false;
    this.#move({ x: cx - (cx - x) * scale, y: cy - (cy - y) * scale, width: width * scale, height: height * scale });
  }

  /** Move the view as little as brings a box of the picture into it. */
  follow({ x: left, y: top, width, height }) {
    if (this.fitted) return;
    const { view } = this;
    this.#move({
      ...view,
      x: Math.min(left - EDGE, Math.max(view.x, left + width + EDGE - view.width)),
      y: Math.min(top - EDGE, Math.max(view.y, top + height + EDGE - view.height)),
    });
  }

  /** Bring a box into view; one that is too large for it is seen from farther away. */
  include(box) {
    if (this.fitted) return;
    const { x, y, width, height } = this.view;
    const scale = Math.max(1, (box.width + 2 * EDGE) / width, (box.height + 2 * EDGE) / height);
    if (scale > 1) this.view = { x, y, width: width * scale, height: height * scale };
    this.follow(box);
  }

  /** Look there, but not farther beyond the picture than one does already. */
  #move(view) {
    const { whole } = this;
    const inside = (start, size, from, length, now) =>
      Math.max(Math.min(from, from + length - size, now), Math.min(Math.max(from, from + length - size, now), start));
    this.#look({
      ...view,
      x: inside(view.x, view.width, whole.x, whole.width, this.view.x),
      y: inside(view.y, view.height, whole.y, whole.height, this.view.y),
    });
  }

  #look(view) {
    this.view = view;
    const { x, y, width, height } = view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  #pointIn(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  #startDrag(event) {
    this.dragged = false;
    if (event.button !== 0) return;
    const start = this.#pointIn(event);
    const move = (moved) => {
      const [x, y] = this.#pointIn(moved);
      const [dx, dy] = [start[0] - x, start[1] - y];
      if (!this.dragged && Math.hypot(dx, dy) < 4) return;
      this.dragged = true;
      this.#move({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }
}
