// The moves of the playout as small boards: one that is pointed at is shown on the large one.

import { MiniBoard } from "./board.js";
import { Pool, element, write } from "./elements.js";

const SHOTS = 6; // positions of a playout that fit in a row

export class PlayoutPanel {
  /** `onShow(count)` shows the position after so many moves. */
  constructor(film, onShow) {
    this.film = film;
    this.title = element("div", { class: "title" });
    this.note = element("p");
    this.frames = element("div", { class: "frames" });
    this.element = element("section", { class: "playout" }, this.title, this.frames, this.note);
    this.pool = new Pool(this.frames, () => this.#frame());
    const show = ({ target }) =>
      onShow(this.pool.items.find((shot) => shot.element.contains(target))?.move ?? this.count);
    for (const name of ["pointerover", "click"]) this.frames.addEventListener(name, show);
    this.frames.addEventListener("pointerleave", () => onShow(this.count));
  }

  #frame() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span");
    const look = { type: "button", class: "shot", tabindex: "-1" };
    return { board, label, element: element("button", look, board?.svg, label) };
  }

  paint(frame) {
    const panel = this.film.playoutPanel(frame);
    const shots = panel.shots.map((shot, place) => ({ ...shot, move: place + 1 }));
    this.count = shots.length;
    write(this.title, panel.title);
    write(this.note, panel.note);
    const left = shots.length - SHOTS;
    const seen = left > 0
      ? [...shots.slice(0, 2), { ...shots[2], gap: left + 1 }, ...shots.slice(-3)] : shots;
    this.pool.take(seen.length).forEach((made, place) => {
      const { label, cells, before, gap, move } = seen[place];
      made.move = move;
      made.element.title = `Move ${move}: ${label}`;
      made.element.classList.toggle("gap", Boolean(gap));
      made.element.setAttribute("aria-label", `Move ${move} of the playout: ${label}`);
      write(made.label, gap ? `… ${gap} more` : label);
      if (cells) made.board.draw(cells, before);
      if (made.board) made.board.svg.style.display = gap ? "none" : "";
    });
  }
}
