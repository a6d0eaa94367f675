// The race: what was compared at a node, a row a move, in an order that stands still. Scores have as
// many digits as the lead needs; where all are close, dots on a zoomed axis take the place of bars.

import { Pool, assign, barsCell, element, group, textButton, write } from "./elements.js";

const BELOW = 0.15; // of the spread, to the left of the lowest dot

export class SelectionTable {
  /** `onLevel(node)` goes to a level of the walk. */
  constructor(film, onLevel) {
    this.film = film;
    this.levels = group("levels", "Levels of the walk");
    this.crumbs = new Pool(this.levels, (place) => ({
      element: textButton("", "What was compared here", () => onLevel(this.walk[place]), { class: "crumb" }),
    }));
    this.away = textButton("back to the walk ✕", "Back to the walk (Escape)",
      () => onLevel(undefined), { class: "away", hidden: "" });
    this.title = element("div", { class: "title" });
    this.scale = ["low", "high"].map((name) => element("span", { class: name }));
    this.unit = element("span", { class: "unit" });
    this.body = element("tbody");
    const [move, share, , score] = film.facts.heads;
    const heads = [[move], [share], [...this.scale, this.unit], [score]].map((text) =>
      element("th", { scope: "col" }, ...text));
    this.heads = element("tr", {}, ...heads);
    this.rows = new Pool(this.body, () => this.#row());
    this.detail = element("p", { class: "detail" });
    this.element = element("div", { class: "why", role: "group", "aria-label": "What was compared" },
      this.levels, this.away, this.title,
        element("table", {}, element("thead", {}, this.heads), this.body), this.#drag(), this.detail);
  }

  #row() {
    const [swatch, label] = [element("span", { class: "swatch" }), element("span", { class: "move" })];
    const [share, score] = [element("div"), element("div")];
    const dot = element("span", { class: "dot" });
    const { bars, fill } = barsCell(dot);
    const cells = [element("th", { scope: "row" }, element("div", {}, swatch, label)),
      element("td", { class: "share" }, share), bars, element("td", { class: "score" }, score)];
    return { element: element("tr", {}, ...cells), swatch, label, share, score, fill, dot };
  }

  /**
   * The constant c, to be dragged where the rule is linear in it; Delete or a double click brings
   * it back.
   */
  #drag() {
    const { c } = this.film.facts;
    this.value = element("output");
    this.slider = element("input", {
      type: "range", min: 0, max: Math.max(3, 2 * c), step: "any",
      "aria-label": "c, the exploration constant", title: "Drag c (a double click brings it back)",
    });
    this.slider.addEventListener("input", () => this.#try(Math.round(100 * this.slider.value) / 100));
    this.slider.addEventListener("dblclick", () => this.#try(undefined));
    this.slider.addEventListener("keydown", (event) => {
      if (event.key === "Delete") this.#try(undefined);
      if (/^(Arrow|Page|Home|End|Delete)/.test(event.key)) event.stopPropagation(); // they move no film
    });
    this.drag = element("div", { class: "c-drag" }, element("span", {}, "c"), this.slider, this.value);
    return this.drag;
  }

  #try(c) {
    this.c = c;
    this.paint(this.frame, this.shown);
  }

  /** Show what was compared at the node `focus`; another moment takes the reader's own c back. */
  paint(frame, { focus, reached = frame.walk.length }) {
    const { film } = this;
    const place = `${frame.index} ${frame.phase} ${focus}`;
    if (place !== this.place) this.c = undefined;
    Object.assign(this, {
      frame, place, shown: { focus, reached },
      walk: frame.walk.slice(0, Math.max(1, Math.min(reached + 1, frame.walk.length - 1))),
    });
    this.#crumbs(focus);
    const found = film.table(frame, focus, this.c);
    write(this.title, found.title);
    write(this.detail, found.detail ?? "");
    this.heads.hidden = !found.rows.length;
    this.drag.hidden = !film.facts.linear_in_c || !found.compared;
    assign(this.element, { tabindex: this.drag.hidden ? 0 : -1 }); // what is scrolled can be reached
    const c = this.c ?? film.facts.c;
    this.slider.value = c;
    write(this.value, String(Number(c?.toFixed(3))));
    this.drag.classList.toggle("moved", this.c !== undefined);
    this.#fill(found);
  }

  #crumbs(focus) {
    const { film, walk } = this;
    const off = focus !== 0 && !walk.includes(focus);
    this.levels.hidden = walk.length < 2;
    this.away.hidden = !off;
    if (off) write(this.away, `Looking at ${film.label(focus)} · back to the walk ✕`);
    this.crumbs.take(walk.length).forEach(({ element: button }, place) => {
      write(button, place ? film.label(walk[place]) : "root");
      assign(button, {
        "aria-pressed": walk[place] === focus, tabindex: walk[place] === focus || (off && !place) ? 0 : -1,
      });
    });
  }

  #fill({ rows, scores, digits, heads, close: zoomed, longest }) {
    const [best, lowest] = [scores[0], scores.at(-1)];
    const from = lowest - BELOW * (best - lowest || 1e-9);
    this.body.classList.toggle("zoomed", zoomed);
    write(this.scale[0], zoomed ? lowest.toFixed(digits) : "");
    write(this.scale[1], zoomed ? best.toFixed(digits) : "");
    write(this.unit, zoomed ? "" : heads);
    this.rows.take(rows.length).forEach((made, place) => {
      const { node, share, score, terms, chosen, said, colour, winner } = rows[place];
      const { dot, element: row, label } = made;
      const name = this.film.label(node);
      Object.assign(row.dataset, { row: name, node });
      write(label, name);
      label.classList.toggle("long", name.length > 16);
      row.title = `${name}: ${share}, ${said ?? score?.toFixed(digits) ?? "no score"}`;
      made.swatch.className = `swatch ${colour}`;
      write(made.share, share);
      write(made.score, said ?? (Number.isFinite(score) ? score.toFixed(digits) : "–"));
      row.className = [chosen && "chosen", winner && "winner"].filter(Boolean).join(" ");
      made.fill(zoomed ? [] : terms, longest);
      const at = zoomed && Number.isFinite(score) && Number.isFinite(terms[0])
        ? Math.max(0, (score - from) / (best - from)) : NaN;
      dot.hidden = Number.isNaN(at);
      if (!dot.hidden) dot.style.width = `${100 * at}%`;
    });
  }
}
