// The tree as a table: every card on the screen at this moment, row by row, for readers who hear
// the page or who want the numbers below each other.

import { write } from "./board.js";
import { Pool, element } from "./panels.js";

export class Twin {
  /** `onChoose(node)` is called when a row is chosen. */
  constructor(film, onChoose) {
    this.film = film;
    this.onChoose = onChoose;
    this.current = 0; // the node whose row Tab leads to
    const [move, share, , score] = film.facts.heads;
    const heads = ["level", move, ...(film.columns.mover ? ["played by"] : []), share, score, "marks"];
    this.caption = element("caption");
    this.body = element("tbody");
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    this.table = element("table", {}, this.caption, element("thead", {}, head), this.body);
    this.element = element("section", { class: "twin", role: "group", "aria-label": "The tree as a table", hidden: "" }, this.table);
    this.rows = new Pool(this.body, () => this.#row());
    this.body.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #row() {
    const button = element("button", { type: "button", class: "move" });
    const cells = Array.from({ length: this.film.columns.mover ? 5 : 4 }, () => element("td"));
    const [level, ...others] = cells;
    const row = element("tr", {}, level, element("th", { scope: "row" }, button), ...others);
    row.addEventListener("click", () => this.onChoose(Number(row.dataset.row)));
    button.addEventListener("focus", () => this.#enter(Number(row.dataset.row)));
    return { element: row, button, level, others };
  }

  get shown() {
    return !this.element.hidden;
  }

  show(shown) {
    this.element.hidden = !shown;
  }

  /** Each node with how deep it lies, a parent before its children. */
  #ordered(frame) {
    const { parent } = this.film.columns;
    const seen = new Map();
    for (const card of [...frame.cards.filter(({ shown }) => shown), ...frame.slots]) seen.set(card.node, { card, below: [] });
    const tops = [];
    for (const [node, item] of seen) {
      let above = parent[node];
      while (above >= 0 && !seen.has(above)) above = parent[above];
      (seen.get(above)?.below ?? tops).push(item);
    }
    const rows = [];
    const visit = (item, level) => {
      rows.push({ card: item.card, level });
      item.below.toSorted((a, b) => a.card.node - b.card.node).forEach((next) => visit(next, level + 1));
    };
    tops.forEach((item) => visit(item, 0));
    return rows;
  }

  paint(frame, focus, truthful) {
    if (!this.shown) return;
    const { film } = this;
    const rows = this.#ordered(frame);
    const unit = film.columns.mover ? "iteration" : "step";
    write(this.caption, `The ${rows.length} cards of ${unit} ${film.number(frame.iteration)} (${film.facts.phases[frame.phase].replace("_", " ")}). The key Enter explains a row.`);
    const hidden = new Map(frame.stubs.filter(({ count }) => count).map((stub) => [stub.card, stub.label]));
    const held = rows.some(({ card }) => card.node === this.current) ? this.current : 0;
    this.rows.take(rows.length).forEach(({ element: row, button, level, others }, place) => {
      const { card, level: deep } = rows[place];
      const { node } = card;
      const { share, score } = film.look(card, frame);
      row.dataset.row = node;
      row.className = card.onPath ? "chosen" : "";
      row.toggleAttribute("data-focused", node === focus);
      button.style.marginLeft = `${0.9 * deep}em`;
      button.tabIndex = node === held ? 0 : -1;
      button.setAttribute("aria-pressed", node === focus);
      write(button, node ? film.label(node) : "root");
      write(level, String(deep));
      const who = film.columns.mover ? [film.facts.players[film.columns.mover[node]]] : [];
      const marks = [card.onPath && "on the path", card.added && "new", card.proven, truthful && this.#truth(node), hidden.get(node)];
      const plain = score === "root" || score === "new" || score === card.proven ? "–" : score || "–";
      [...who, share, plain, marks.filter(Boolean).join(", ")].forEach((text, column) => write(others[column], text));
    });
  }

  /** What exact play says of a card, if it is known. */
  #truth(node) {
    const badge = this.film.facts.truth.badges?.[node];
    return badge && `in truth ${badge[0]}`;
  }

  #enter(node) {
    this.current = node;
    for (const { element: row, button } of this.rows.items) button.tabIndex = Number(row.dataset.row) === node ? 0 : -1;
  }

  /** Up and down lead from row to row; left and right stay with the film. */
  #onKey(event) {
    const way = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = event.target.closest("tr")[way];
    event.preventDefault();
    if (row && !row.hidden) row.querySelector("button").focus();
  }
}
