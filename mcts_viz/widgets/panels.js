// The panels beside the tree: why this move, and the playout.

import { fixed, short } from "./film.js";
import { MiniBoard, write } from "./board.js";

const ROOM = 4.5; // a bar of the longest's length through this holds its number

/** An HTML element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Rows are made once and filled again, so a frame costs few changes to the page. */
class Pool {
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
    const heads = ["move", "wins/visits", "mean + exploration", film.facts.rule];
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    this.table = element("table", {}, element("thead", {}, head), this.body);
    this.element = element("section", { class: "why" }, element("h3", {}, "Why this move?"), this.steps, this.detail, this.table);
    this.rows = new Pool(this.body, () => this.#row());
    this.buttons = new Pool(this.steps, () => this.#button(onChoose));
  }

  #button(onChoose) {
    const button = element("button", { type: "button" });
    button.addEventListener("click", () => onChoose(Number(button.dataset.step)));
    return { element: button };
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
    const rows = film.children(focus, frame.counted, frame.born);
    rows.sort((a, b) => (b.score - a.score) || (Number.isNaN(a.score) - Number.isNaN(b.score)));
    const longest = Math.max(...rows.map((row) => row.score).filter(Number.isFinite), 1e-9);
    this.table.hidden = !rows.length;
    write(this.detail, this.#detail(frame, focus, rows));
    this.rows.take(rows.length).forEach((item, place) => {
      const { node, visits, wins, terms, score } = rows[place];
      const scored = Number.isFinite(score);
      const chosen = frame.onPath.has(node);
      item.element.className = chosen ? "chosen" : "";
      write(item.label, `${chosen ? "▸ " : ""}${film.label(node)}`);
      item.label.title = film.label(node);
      write(item.share, `${short(wins)}/${visits}`);
      write(item.score, scored ? fixed(score) : "–");
      [item.mean, item.bonus].forEach((bar, term) => {
        bar.style.width = scored ? `${(100 * Math.max(0, terms[term])) / longest}%` : "0";
        write(bar, scored && terms[term] > longest / ROOM ? fixed(terms[term]) : "");
      });
      if (item.board && item.node !== node) item.board.draw(film.cells(node), film.cellsBefore(node));
      item.node = node;
    });
  }

  #paintSteps(frame, focus) {
    const nodes = frame.path.filter((node) => this.film.families.has(node));
    if (!nodes.includes(focus)) nodes.push(focus);
    this.buttons.take(nodes.length).forEach(({ element: button }, place) => {
      button.dataset.step = nodes[place];
      button.title = nodes[place] ? `after ${this.film.label(nodes[place])}` : "at the root";
      write(button, button.title);
      button.setAttribute("aria-pressed", nodes[place] === focus);
    });
  }

  #detail(frame, focus, rows) {
    const { facts, columns } = this.film;
    const { visits, wins } = this.film.statistics(focus, frame.counted);
    const who = facts.players[columns.mover[focus]];
    const share = `${short(wins)} of ${visits}`;
    const what = focus ? `${who} played ${this.film.label(focus)}: ${share} for ${who}.` : `${share} for ${who}, who moved before the root.`;
    if (!rows.length) return `${what} No move from here has a card or a sibling to compare yet.`;
    return what;
  }
}

/** The playout's positions in a row; they never enter the tree. */
export class Playout {
  constructor(film) {
    this.film = film;
    this.note = element("p");
    this.frames = element("div", { class: "frames", "aria-hidden": "true" });
    this.element = element("section", { class: "playout" }, element("h3", {}, "Playout"), this.frames, this.note);
    this.pool = new Pool(this.frames, () => this.#frame());
  }

  #frame() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span");
    return { element: element("span", { class: "shot" }, ...(board ? [board.svg] : []), label), board, label };
  }

  paint(frame) {
    const moves = frame.phase >= 2 ? this.film.playout(frame.iteration) : [];
    this.pool.take(moves.length).forEach((item, place) => {
      const { label, cells, before } = moves[place];
      write(item.label, label);
      item.board?.draw(cells, before);
    });
    write(this.note, this.#note(frame, moves));
  }

  #note(frame, moves) {
    if (frame.phase < 2) return "Comes with the simulation.";
    const result = this.film.result(frame.iteration);
    if (!moves.length) return `The game is over already: ${result}.`;
    return `${moves.map((move) => move.label).join(", ")}: ${result}. Never stored in the tree.`;
  }
}
