// The cells of a board as buttons.

import { MiniBoard } from "./board.js";
import { assign, element, focusOn, svgElement, textButton, wantsNoMotion } from "./elements.js";

const FALL = 180; // milliseconds

/** The cells of a board as buttons, one of which is reached by Tab and the others by arrows. */
export class ClickableBoard {
  constructor(board, title, onClick) {
    this.board = board;
    this.mini = new MiniBoard(board);
    [this.falling, this.ghost, this.won] =
      ["falling", "ghost", "won"].map((name) => svgElement("path", { class: name }));
    this.mini.svg.prepend(this.falling); // behind the plate
    this.mini.svg.append(this.ghost, this.won);
    this.buttons = Array.from({ length: board.rows * board.columns },
      (_, cell) => textButton("", "", () => onClick(cell), { class: "cell", "data-cell": cell }));
    this.grid = element("div", { class: "cells", role: "grid", "aria-label": title }, ...this.#rows());
    this.grid.addEventListener("keydown", (event) => this.#onKey(event));
    this.grid.addEventListener("focusin", ({ target }) => this.enter(this.buttons.indexOf(target)));
    for (const name of ["pointerover", "focusin"]) {
      this.grid.addEventListener(name, ({ target }) => this.aim(this.buttons.indexOf(target)));
    }
    for (const name of ["pointerleave", "focusout"]) this.grid.addEventListener(name, () => this.aim());
    const look = {
      class: board.falls ? "field falls" : "field",
      style: `--columns: ${board.columns}; --rows: ${board.rows + board.falls}`,
    };
    this.element = element("div", look, this.mini.svg, this.grid);
    this.enter(0);
  }

  #rows() {
    const { rows, columns } = this.board;
    const wrapped = this.buttons.map((button) => element("div", { role: "gridcell" }, button));
    return Array.from({ length: rows },
      (_, row) => element("div", { role: "row" }, ...wrapped.slice(row * columns, (row + 1) * columns)));
  }

  /** The cell that Tab leads to. */
  enter(cell) {
    this.buttons.forEach((button, place) => (button.tabIndex = place === cell ? 0 : -1));
    this.current = cell;
  }

  focus() {
    focusOn(this.buttons[this.current]);
  }

  /** The choice that a click on a cell means, if it is just one. */
  choice(cell) {
    return this.position.choices[this.position.means[cell] ?? -1];
  }

  /**
   * Show what a click on a cell would change, and a piece that it would put there: also above,
   * where pieces fall.
   */
  aim(cell) {
    this.aimed = cell;
    const { board: { columns, falls }, position: { cells, mark } } = this;
    const changes = this.choice(cell)?.changes ?? [];
    this.buttons.forEach((button, place) => button.classList.toggle("aim", changes.includes(place)));
    const places = mark ? changes.filter((place) => !cells[place]) : [];
    this.#piece(this.ghost, mark, falls
      ? [...places, ...places.map((place) => (place % columns) - columns)] : places);
  }

  /** Let a path draw pieces of a kind, and look like them; the row above the board has places below 0. */
  #piece(path, kind, places) {
    const { columns, pieces } = this.board;
    const name = path.classList[0];
    const at = (place) => `M${10 * ((place + columns) % columns)} ${10 * Math.floor(place / columns)}`;
    const d = places.map((place) => at(place) + pieces[kind - 1]).join("");
    assign(path, { class: `${name} ${kind ? this.mini.paths[kind + 1].getAttribute("class") : ""}`, d });
  }

  #onKey(event) {
    const { columns } = this.board;
    const column = this.current % columns;
    const [left, right] = [column > 0 ? -1 : 0, column < columns - 1 ? 1 : 0];
    const move = {
      ArrowLeft: left, ArrowRight: right, ArrowUp: -columns, ArrowDown: columns,
      Home: -column, End: columns - 1 - column,
    }[event.key];
    if (move === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (this.buttons[this.current + move]) this.enter(this.current + move);
    this.focus();
  }

  paint(position) {
    const { cells, before, names, won } = position;
    const fresh = this.position
      ? cells.findIndex((cell, place) => cell && cell !== this.position.cells[place]) : -1;
    this.position = position;
    this.mini.draw(cells, before);
    assign(this.won, { d: won });
    this.buttons.forEach((button, cell) => {
      const choice = this.choice(cell);
      button.setAttribute("aria-label", choice ? `${names[cell]}, plays ${choice.label}` : names[cell]);
      button.setAttribute("aria-disabled", !choice);
      button.classList.toggle("last", cells[cell] !== before[cell]);
    });
    this.aim(this.aimed);
    if (fresh >= 0 && this.board.falls && !wantsNoMotion()) this.#drop(fresh);
  }

  /** Let the new piece fall into its place. */
  #drop(place) {
    const { falling, position: { before, cells, won } } = this;
    const high = 10 * (1 + Math.floor(place / this.board.columns));
    this.#piece(falling, cells[place], [place]);
    this.mini.draw(cells.with(place, 0), before.with(place, 0));
    assign(this.won, { d: "" });
    falling.getAnimations().forEach((fall) => fall.cancel());
    const frames = { transform: [`translateY(-${high}px)`, "none"] };
    const fall = falling.animate(frames, { duration: FALL, easing: "ease-in" });
    fall.onfinish = () => {
      assign(falling, { d: "" });
      this.mini.draw(cells, before);
      assign(this.won, { d: won });
    };
  }
}
