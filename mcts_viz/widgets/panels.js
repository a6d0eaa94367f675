// The panels beside the tree: why this move, and the playout.

import { MiniBoard, write } from "./board.js";

/** An HTML element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** No plain key leaves `host` for the notebook, where A adds a cell, X cuts one and D D deletes it. */
export function keepKeys(host) {
  host.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, shiftKey } = event;
    const runsCell = key === "Enter" && shiftKey;
    if (!altKey && !ctrlKey && !metaKey && !runsCell) event.stopPropagation();
  });
}

/** A button that says what it does, and more of it in its title. */
export function textButton(text, title, act) {
  const made = element("button", { type: "button", title }, text);
  made.addEventListener("click", act);
  return made;
}

/** A button with a sign or a short word, which its title explains. */
export function signButton(sign, title, act) {
  const made = textButton(sign, title, act);
  made.setAttribute("aria-label", title);
  return made;
}

/** Rows are made once and filled again, so a frame costs few changes to the page. */
export class Pool {
  constructor(parent, make) {
    this.parent = parent;
    this.make = make;
    this.items = [];
  }

  take(count) {
    while (this.items.length < count) {
      const item = this.make();
      this.items.push(item);
      this.parent.append(item.element);
    }
    this.items.forEach((item, place) => (item.element.hidden = place >= count));
    return this.items.slice(0, count);
  }
}

/** Every child's statistics and score, best first, as stacked bars. */
export class Comparison {
  constructor(film, onChoose) {
    this.film = film;
    this.steps = element("div", { class: "steps", role: "group", "aria-label": "Decision to explain" });
    this.detail = element("p", { class: "detail" });
    this.body = element("tbody");
    const head = element("tr", {}, ...film.facts.heads.map((text) => element("th", { scope: "col" }, text)));
    this.table = element("table", {}, element("thead", {}, head), this.body);
    this.element = element("section", { class: "why" }, element("h3", {}, "Why this move?"), this.steps, this.detail, this.table);
    this.rows = new Pool(this.body, () => this.#row());
    this.buttons = new Pool(this.steps, () => this.#button(onChoose));
  }

  #button(onChoose) {
    const step = textButton("", "", () => onChoose(Number(step.dataset.step)));
    return { element: step };
  }

  #row() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span", { class: "move" });
    const name = element("th", { scope: "row" }, ...(board ? [board.svg] : []), label);
    const share = element("td");
    const mean = element("span", { class: "mean" });
    const bonus = element("span", { class: "bonus" });
    const score = element("td", { class: "score" });
    const bars = element("td", { class: "bars" }, element("div", {}, mean, bonus));
    return { element: element("tr", {}, name, share, bars, score), board, label, share, mean, bonus, score };
  }

  paint(frame, focus) {
    const { film } = this;
    this.#paintSteps(frame, focus);
    const { detail, rows } = film.comparison(frame, focus);
    this.table.hidden = !rows.length;
    write(this.detail, detail);
    this.rows.take(rows.length).forEach((item, place) => {
      const { node, share, score, bars, chosen } = rows[place];
      item.element.className = chosen ? "chosen" : "";
      write(item.label, `${chosen ? "▸ " : ""}${film.label(node)}`);
      item.label.title = film.label(node);
      write(item.share, share);
      write(item.score, score);
      [item.mean, item.bonus].forEach((bar, term) => {
        bar.style.width = `${100 * bars[term].size}%`;
        write(bar, bars[term].text);
      });
      if (item.board && item.node !== node) item.board.draw(film.cells(node), film.cellsBefore(node));
      item.node = node;
    });
  }

  #paintSteps(frame, focus) {
    const nodes = frame.path.filter((node) => this.film.decides(node));
    if (!nodes.includes(focus)) nodes.push(focus);
    this.buttons.take(nodes.length).forEach(({ element: step }, place) => {
      step.dataset.step = nodes[place];
      step.title = nodes[place] ? `after ${this.film.label(nodes[place])}` : "at the root";
      write(step, step.title);
      step.setAttribute("aria-pressed", nodes[place] === focus);
    });
  }
}

/** What stands aside: of a search the playout, whose positions never enter the tree. */
export class Aside {
  constructor(film) {
    this.film = film;
    this.title = element("h3");
    this.note = element("p");
    this.frames = element("div", { class: "frames", "aria-hidden": "true" });
    this.element = element("section", { class: "playout" }, this.title, this.frames, this.note);
    this.pool = new Pool(this.frames, () => this.#frame());
  }

  #frame() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span");
    return { element: element("span", { class: "shot" }, ...(board ? [board.svg] : []), label), board, label };
  }

  paint(frame) {
    const { title, shots, note } = this.film.aside(frame);
    write(this.title, title);
    this.pool.take(shots.length).forEach((item, place) => {
      const { label, cells, before } = shots[place];
      write(item.label, label);
      item.board?.draw(cells, before);
    });
    write(this.note, note);
  }
}
