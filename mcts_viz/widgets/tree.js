// The tree: finds its way in the SVG that came with the film, and fills in a frame.

import { drawCells, emptyBoard, svgElement, write } from "./board.js";

const SMALLEST_VIEW = 0.15; // of the whole picture

export class Tree {
  /** `onChoose(node)` is called when a card, a card of the strip or a stub is chosen. */
  constructor(film, onChoose) {
    this.film = film;
    this.facts = film.facts.drawing;
    const parsed = new DOMParser().parseFromString(this.facts.svg, "image/svg+xml");
    this.svg = document.importNode(parsed.documentElement, true);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", "Search tree");
    this.cards = film.facts.cards.map((node) => this.#parts(`.card[data-node="${node}"]`));
    this.edges = new Map();
    for (const edge of this.svg.querySelectorAll(".edge")) {
      this.edges.set(Number(edge.dataset.child), edge);
    }
    this.stubs = film.facts.stubs.map((card) => this.#parts(`.stub[data-stub="${card}"]`));
    this.slots = [...this.svg.querySelectorAll(".slot")].map((slot) => this.#slot(slot));
    this.trail = this.svg.querySelector(".trail");
    this.strip = this.svg.querySelector(".strip");
    this.lead = this.strip.querySelector(".lead");
    this.stripTitle = this.strip.querySelector(".strip-title");
    this.written = new Map();
    this.truthful = false; // whether cards show the exact truth
    this.fit();
    this.#listen(onChoose);
  }

  #parts(selector) {
    return this.#partsOf(this.svg.querySelector(selector));
  }

  #partsOf(group) {
    const part = (name) => group.querySelector(`.${name}`);
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "0");
    return { group, share: part("share"), score: part("score"), bar: part("bar"), count: part("count") };
  }

  #slot(group) {
    const slot = this.#partsOf(group);
    const place = group.querySelector(".board");
    slot.position = place;
    if (this.film.facts.board) {
      const scaled = svgElement("g", { transform: `scale(${this.facts.board_scale})` });
      slot.board = emptyBoard(this.film.facts.board, scaled);
      place.append(scaled);
    }
    return slot;
  }

  #listen(onChoose) {
    const chosen = (event) => {
      const group = event.target.closest("[data-node], [data-stub]");
      if (!group) return false;
      onChoose(Number(group.dataset.node ?? group.dataset.stub));
      return true;
    };
    this.svg.addEventListener("click", (event) => {
      if (!this.dragged) chosen(event);
    });
    this.svg.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && chosen(event)) event.preventDefault();
    });
    this.svg.addEventListener("pointerdown", (event) => this.#startDrag(event));
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.#pointIn(event));
      },
      { passive: false },
    );
  }

  // Painting --------------------------------------------------------------------------------

  paint(frame, focus) {
    let trail = "";
    frame.cards.forEach((card, place) => {
      const parts = this.cards[place];
      const edge = this.edges.get(card.node);
      this.#show(parts.group, card.shown);
      if (edge) this.#show(edge, card.shown);
      if (!card.shown) return;
      const look = this.film.look(card, frame);
      this.#fill(parts, card, look, "card", focus === card.node);
      if (!edge) return;
      this.#set(edge, "stroke-width", (1.2 + 4 * look.weight).toFixed(1));
      if (card.onPath) trail += edge.getAttribute("d");
    });
    this.#set(this.trail, "d", trail);
    frame.stubs.forEach((stub, place) => {
      const { group, count } = this.stubs[place];
      this.#show(group, stub.count > 0);
      this.#set(group, "class", stub.onPath ? "stub on-path" : "stub");
      write(count, stub.text);
      this.#set(group, "aria-label", stub.label);
    });
    this.#paintStrip(frame);
    this.#keepInView(frame);
  }

  #fill(parts, { node, onPath, added }, { share, score, level, mark }, base, focused) {
    write(parts.share, share);
    write(parts.score, score);
    this.#set(parts.bar, "width", (this.facts.bar * level).toFixed(1));
    const name = node ? `after ${this.film.label(node)}` : "root";
    const truth = parts.badge && this.truthful ? `, in truth ${parts.badge}` : "";
    this.#set(parts.group, "aria-label", `${name}: ${share} ${score}${onPath ? ", on the path" : ""}${truth}`);
    const classes = [base, onPath && "on-path", added && "new", mark, focused && "focused"];
    this.#set(parts.group, "class", classes.filter(Boolean).join(" "));
  }

  #paintStrip(frame) {
    const { strip: place, stubs, stub_height: stubHeight, width } = this.facts;
    this.#show(this.strip, frame.strip.length > 0);
    if (!frame.strip.length) return;
    const open = frame.stubs.findIndex((stub) => stub.onPath);
    const [x, y] = stubs[open];
    const across = Math.min(frame.strip.length, place.columns) * place.step;
    const left = Math.max(8, Math.min(x - place.left_of, width - 8 - across));
    this.#set(this.strip, "transform", `translate(${left} 0)`);
    this.#set(this.lead, "d", `M${x - left} ${y + stubHeight / 2}V${place.top - 16}`);
    this.#set(this.stripTitle, "y", place.top - 6);
    write(this.stripTitle, `inside ${frame.stubs[open].text}:`);
    this.slots.forEach((slot, number) => {
      const card = frame.slots[number];
      this.#show(slot.group, card !== undefined);
      if (card === undefined) return;
      const { node } = card;
      this.#fill(slot, card, this.film.look(card, frame), "card slot", false);
      if (slot.group.dataset.node === String(node)) return;
      slot.group.dataset.node = node;
      if (slot.board) drawCells(slot.board, this.film.cells(node), this.film.cellsBefore(node));
      else slot.position.replaceChildren(...lines(this.film.text(node), this.facts.bar / 2));
    });
  }

  /** Lay the exact truth over the cards, or take it away; `badges` holds words and kind by card. */
  showTruth(shown, badges) {
    this.truthful = shown;
    this.svg.classList.toggle("truthful", shown);
    if (!shown || this.cards[0].badge) return;
    badges.forEach(([words, kind], place) => {
      const parts = this.cards[place];
      const middle = parts.share.getAttribute("x");
      const badge = svgElement("g", { class: `truth ${kind}`, transform: `translate(${middle} 0)` });
      const half = 3.1 * words.length;
      const text = svgElement("text", { y: 3 });
      text.textContent = words;
      badge.append(svgElement("rect", { x: -half, y: -7, width: 2 * half, height: 13, rx: 3 }), text);
      parts.group.append(badge);
      parts.badge = words;
    });
  }

  // Only what differs from the last frame touches the page.

  #set(element, name, value) {
    const known = this.written.get(element) ?? {};
    if (known[name] === value) return;
    known[name] = value;
    this.written.set(element, known);
    element.setAttribute(name, value);
  }

  #show(element, shown) {
    this.#set(element, "display", shown ? "inline" : "none");
  }

  // Zoom and pan ----------------------------------------------------------------------------

  fit() {
    this.#look({ x: 0, y: 0, width: this.facts.width, height: this.facts.height });
  }

  /** Enlarge around a point of the picture, its middle if none is given. */
  zoom(factor, about) {
    const { x, y, width, height } = this.view;
    const [cx, cy] = about ?? [x + width / 2, y + height / 2];
    const wide = Math.max(SMALLEST_VIEW * this.facts.width, Math.min(this.facts.width, width / factor));
    const scale = wide / width;
    if (wide === this.facts.width) return this.fit();
    this.#look({ x: cx - (cx - x) * scale, y: cy - (cy - y) * scale, width: wide, height: height * scale });
  }

  #look(view) {
    const inside = (start, size, whole) => Math.max(0, Math.min(whole - size, start));
    this.view = {
      ...view,
      x: inside(view.x, view.width, this.facts.width),
      y: inside(view.y, view.height, this.facts.height),
    };
    const { x, y, width, height } = this.view;
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
      this.#look({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
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

  /** When one looks at a part of the tree, the end of the path stays in it. */
  #keepInView(frame) {
    if (this.view.width >= this.facts.width) return;
    const last = frame.path.filter((node) => this.film.isCard.has(node)).pop();
    const group = frame.strip.length
      ? this.slots[frame.strip.length - 1].group
      : this.cards[this.film.facts.cards.indexOf(last)].group;
    const toPicture = this.svg.getScreenCTM()?.inverse().multiply(group.getScreenCTM());
    if (!toPicture) return;
    const box = group.getBBox();
    const from = new DOMPoint(box.x, box.y).matrixTransform(toPicture);
    const to = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(toPicture);
    const { x, y, width, height } = this.view;
    this.#look({
      ...this.view,
      x: Math.min(from.x - 8, Math.max(x, to.x + 8 - width)),
      y: Math.min(from.y - 8, Math.max(y, to.y + 8 - height)),
    });
  }
}

function lines(text, middle) {
  return text.split("\n").map((line, row) => {
    const element = svgElement("text", { class: "position", x: middle, y: 11 * row + 8 });
    element.textContent = line;
    return element;
  });
}
