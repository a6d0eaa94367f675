// The playout, which never enters the tree.

import { MiniBoard } from "./board.js";
import { Pool, element, write } from "./elements.js";


const SHOTS = 6; // positions of a playout that fit in a row

/** What stands below: of a search the playout, whose positions never enter the tree. */
export class PlayoutPanel {
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
    return { element: element("span", { class: "shot" }, board?.svg, label), board, label };
  }

  paint(frame) {
    const { title, shots, note } = this.film.playoutPanel(frame);
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
