// The tree: laid out once, so that no card ever moves; a frame shows, hides and fills in. The
// camera shows what has been born so far, unless a reader has zoomed.

import { Card, LARGEST, MARGIN, svgElement } from "./board.js";

const CLOSEST = 120; // points across, when one zooms in
const TIP = 9; // radius of what stands for a part of the path that has no card

export class Tree {
  constructor(film, kinds) {
    this.film = film;
    this.facts = film.facts.tree;
    this.svg = svgElement("svg", { class: "mcts-tree tree", role: "group", "aria-label": "Search tree" });
    const group = (name) => svgElement("g", { class: name });
    this.groups = { edges: group("edges"), boxes: group("boxes"), over: group("over") };
    this.trail = svgElement("path", { class: "trail" });
    this.svg.append(...Object.values(this.groups));
    this.cards = new Map();
    this.edges = new Map();
    this.more = new Map();
    this.facts.nodes.forEach((node, place) => {
      const card = new Card(film, kinds, this.facts.kinds[place]);
      card.place(node);
      card.move(...this.facts.corners[place]);
      this.cards.set(node, card);
      this.groups.boxes.append(card.group);
      if (!node) return;
      const edge = svgElement("path", { class: "edge", "data-child": node, d: this.facts.edges[place] });
      this.edges.set(node, edge);
      this.groups.edges.append(edge);
    });
    this.tip = svgElement("circle", { class: "tip", r: TIP });
    this.tipEdge = svgElement("path", { class: "edge" });
    this.tipText = svgElement("text", { class: "tip", "text-anchor": "middle" });
    this.groups.edges.append(this.tipEdge, this.trail);
    this.groups.over.append(this.tip, this.tipText);
    this.#listen();
  }

  resize(width, height) {
    this.size = [width, height];
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    if (this.box) this.#aim(this.box);
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
      const hidden = film.births[node] > frame.born;
      const edge = this.edges.get(node);
      edge?.setAttribute("display", hidden ? "none" : "inline");
      if (hidden) {
        card.show(false);
        continue;
      }
      seen.push(card);
      const look = film.card(node, frame);
      const onPath = frame.onPath.has(node);
      card.fill(look, { onPath, added: node === frame.added, focused: node === focus && node > 0, truth: truth?.(node) });
      this.#more(card, look.more);
      if (!edge) continue;
      edge.setAttribute("stroke-width", (1.2 + 4 * look.weight).toFixed(1));
      if (onPath) trail += edge.getAttribute("d");
    }
    this.trail.setAttribute("d", trail + this.#paintTip(frame));
    this.#frame(frame, seen);
  }

  /** What was cut off below a card. */
  #more(card, text) {
    const known = this.more.get(card.node);
    if (!text) return void known?.setAttribute("display", "none");
    const note = known ?? this.groups.over.appendChild(svgElement("text", { class: "note", "text-anchor": "end" }));
    this.more.set(card.node, note);
    note.textContent = text;
    note.setAttribute("display", "inline");
    note.setAttribute("x", card.x + card.width);
    note.setAttribute("y", card.y + card.height + 12);
  }

  /** The rest of a path that has no cards hangs below the last one that has. */
  #paintTip(frame) {
    const rest = frame.path.filter((node) => !this.cards.has(node));
    for (const part of [this.tip, this.tipEdge, this.tipText]) part.setAttribute("display", rest.length ? "inline" : "none");
    if (!rest.length) return "";
    const owner = this.cards.get(frame.path.findLast((node) => this.cards.has(node)));
    const [x, y] = [owner.x + owner.width / 2, owner.y + owner.height];
    const node = rest.at(-1);
    const d = `M${x} ${y}v10`;
    this.tipEdge.setAttribute("d", d);
    this.tipEdge.dataset.child = node;
    this.tip.dataset.node = node;
    this.tip.classList.toggle("new", node === frame.added);
    if (node === frame.added) this.tip.dataset.new = "";
    else delete this.tip.dataset.new;
    this.tip.setAttribute("cx", x);
    this.tip.setAttribute("cy", y + 10 + TIP);
    this.tipText.setAttribute("x", x);
    this.tipText.setAttribute("y", y + 14 + TIP);
    this.tipText.textContent = rest.length;
    return d;
  }

  // The camera ------------------------------------------------------------------------------

  /** Look at all that has been born; a reader's own view follows the end of the path. */
  #frame(frame, seen) {
    const right = Math.max(...seen.map((card) => card.x + card.width));
    const [left, bottom] = [Math.min(...seen.map((card) => card.x)), Math.max(...seen.map((card) => card.y + card.height))];
    const box = { x: left - MARGIN, y: -MARGIN, width: right - left + 2 * MARGIN, height: bottom + 2 * MARGIN + 2 * TIP + 10 };
    const changed = !this.box || box.x !== this.box.x || box.width !== this.box.width || box.height !== this.box.height;
    this.box = box;
    if (!this.free) {
      if (changed) this.#aim(box);
      return;
    }
    const moment = `${frame.iteration} ${frame.phase}`;
    const card = this.cards.get(frame.path.findLast((node) => this.cards.has(node)));
    if (moment !== this.moment) this.#bring(card);
    this.moment = moment;
  }

  #aim(box) {
    const [width, height] = this.size;
    const scale = Math.min(LARGEST, width / box.width, height / box.height);
    const [wide, high] = [width / scale, height / scale];
    this.free = false;
    this.#look({ x: box.x + box.width / 2 - wide / 2, y: box.y, width: wide, height: high });
  }

  #look(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", [view.x, view.y, view.width, view.height].map((part) => part.toFixed(2)).join(" "));
  }

  #bring({ x, y, width, height }) {
    const { view } = this;
    this.#look({
      ...view,
      x: Math.min(x - MARGIN, Math.max(view.x, x + width + MARGIN - view.width)),
      y: Math.min(y - MARGIN, Math.max(view.y, y + height + MARGIN - view.height)),
    });
  }

  /** Show the whole picture. */
  fit() {
    if (this.box) this.#aim(this.box);
  }

  /** Enlarge around a point of the picture, the middle of what is seen if none is given. */
  zoom(factor, about) {
    const { x, y, width, height } = this.view;
    const [cx, cy] = about ?? [x + width / 2, y + height / 2];
    const part = Math.max(CLOSEST / width, 1 / factor);
    if (factor < 1 && width * part >= this.box.width && height * part >= this.box.height) return this.fit();
    this.free = true;
    this.#look({ x: cx - (cx - x) * part, y: cy - (cy - y) * part, width: width * part, height: height * part });
  }

  #pointIn(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  #listen() {
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.#pointIn(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button !== 0) return;
      const start = this.#pointIn(event);
      const moving = new AbortController();
      const on = (kind, act) => window.addEventListener(kind, act, { signal: moving.signal });
      on("pointermove", (moved) => {
        const [x, y] = this.#pointIn(moved);
        const [dx, dy] = [start[0] - x, start[1] - y];
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        this.dragged = this.free = true;
        this.#look({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
      });
      for (const kind of ["pointerup", "pointercancel"]) on(kind, () => moving.abort());
    });
  }
}
