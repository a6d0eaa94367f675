// What stands beside the tree: what was compared, and the playout; and what all panels are made of.

import { MiniBoard, write } from "./board.js";

const SHOTS = 6; // positions of a playout that fit in a row

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

/** What was compared at a node: every child's statistics and score as stacked bars, the chosen first. */
export class Comparison {
  constructor(film) {
    this.film = film;
    const { facts } = film;
    this.title = element("div", { class: "title" });
    this.detail = element("p", { class: "detail" });
    this.body = element("tbody");
    const bars = facts.kind === "minimax" ? [facts.heads[2]]
      : [element("i", { class: "mean" }), " mean + ", element("i", { class: "bonus" }), " exploration"];
    const head = element("tr", {}, ...facts.heads.map((text, place) => element("th", { scope: "col" }, ...(place === 2 ? bars : [text]))));
    this.table = element("table", {}, element("thead", {}, head), this.body);
    this.element = element("div", { class: "why", tabindex: "0", role: "group", "aria-label": "What was compared" }, this.title, this.table, this.detail);
    this.rows = new Pool(this.body, () => this.#row());
  }

  #row() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span", { class: "move" });
    const name = element("th", { scope: "row" }, element("div", {}, ...(board ? [board.svg] : []), label));
    const [share, score] = ["share", "score"].map((kind) => ({ now: element("div"), after: element("div", { class: "after" }), kind }));
    const cell = ({ now, after, kind }) => element("td", { class: kind }, now, after);
    const [mean, bonus] = ["mean", "bonus"].map((kind) => element("span", { class: kind }));
    return { element: element("tr", {}, name, cell(share), element("td", { class: "bars" }, element("div", {}, mean, bonus)), cell(score)), board, label, share, mean, bonus, score };
  }

  paint(frame, focus) {
    const { film } = this;
    const { title, detail, rows } = film.comparison(frame, focus);
    write(this.title, title);
    this.table.hidden = !rows.length;
    write(this.detail, detail);
    this.rows.take(rows.length).forEach((item, place) => {
      const { node, share, score, bars, chosen, after } = rows[place];
      item.element.className = chosen ? "chosen" : "";
      write(item.label, film.label(node));
      item.label.classList.toggle("long", film.label(node).length > 16);
      write(item.share.now, share);
      write(item.score.now, score);
      write(item.share.after, after ? `→ ${after[0]}` : "");
      write(item.score.after, after ? `→ ${after[1]}` : "");
      item.mean.style.width = `${100 * bars[0]}%`;
      item.bonus.style.width = `${100 * bars[1]}%`;
      if (item.board && item.node !== node) item.board.draw(film.cells(node), film.cellsBefore(node));
      item.node = node;
    });
  }
}

/** What stands below: of a search the playout, whose positions never enter the tree. */
export class Aside {
  constructor(film) {
    this.film = film;
    this.title = element("div", { class: "title" });
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
    const left = shots.length - SHOTS;
    const seen = left > 0 ? [...shots.slice(0, 2), { gap: left + 1 }, ...shots.slice(-3)] : shots;
    this.pool.take(seen.length).forEach((item, place) => {
      const { label, cells, before, gap } = seen[place];
      item.element.classList.toggle("gap", Boolean(gap));
      write(item.label, gap ? `… ${gap} more` : item.board ? "" : label);
      if (cells) item.board.draw(cells, before);
      if (item.board) item.board.svg.style.display = gap ? "none" : "";
    });
    write(this.note, shots.length ? "" : note);
    this.frames.title = [shots.map(({ label }) => label).join(", "), note].filter(Boolean).join(": ");
  }
}
