// The cells of a board as buttons.

import { MiniBoard } from "./board.js";
import { element, textButton } from "./elements.js";

/** The cells of a board as buttons, one of which is reached by Tab and the others by arrows. */
export class ClickableBoard {
  constructor(board, title, onClick) {
    this.board = board;
    this.mini = new MiniBoard(board);
    this.buttons = Array.from({ length: board.rows * board.columns }, (_, cell) => this.#button(cell, onClick));
    this.grid = element("div", { class: "cells", role: "grid", "aria-label": title }, ...this.#rows());
    this.grid.addEventListener("keydown", (event) => this.#onKey(event));
    this.element = element("div", { class: "field", style: `--columns: ${board.columns}; --rows: ${board.rows}` }, this.mini.svg, this.grid);
    this.enter(0);
  }

  #button(cell, onClick) {
    const button = textButton("", "", () => onClick(cell), { class: "cell", "data-cell": cell });
    button.addEventListener("focus", () => this.enter(cell));
    for (const [name, aimed] of [["pointerenter", cell], ["focus", cell], ["pointerleave"], ["blur"]]) {
      button.addEventListener(name, () => this.aim(aimed));
    }
    return button;
  }

  #rows() {
    const { rows, columns } = this.board;
    const wrapped = this.buttons.map((button) => element("div", { role: "gridcell" }, button));
    return Array.from({ length: rows }, (_, row) => element("div", { role: "row" }, ...wrapped.slice(row * columns, (row + 1) * columns)));
  }

  /** The cell that Tab leads to. */
  enter(cell) {
    this.buttons.forEach((button, place) => (button.tabIndex = place === cell ? 0 : -1));
    this.current = cell;
  }

  focus() {
    this.buttons[this.current].focus({ preventScroll: true });
  }

  /** The choice that a click on a cell means, if it is just one. */
  choice(cell) {
    return this.position.choices[this.position.means[cell] ?? -1];
  }

  /** Show what a click on a cell would change. */
  aim(cell) {
    this.aimed = cell;
    const changes = this.choice(cell)?.changes ?? [];
    this.buttons.forEach((button, place) => button.classList.toggle("aim", changes.includes(place)));
  }

  #onKey(event) {
    const { columns } = this.board;
    const column = this.current % columns;
    const [left, right] = [column > 0 ? -1 : 0, column < columns - 1 ? 1 : 0];
    const move = { ArrowLeft: left, ArrowRight: right, ArrowUp: -columns, ArrowDown: columns, Home: -column, End: columns - 1 - column }[event.key];
    if (move === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (this.buttons[this.current + move]) this.enter(this.current + move);
    this.focus();
  }

  paint(position) {
    this.position = position;
    const { cells, before, names } = position;
    this.mini.draw(cells, before);
    this.buttons.forEach((button, cell) => {
      const choice = this.choice(cell);
      button.setAttribute("aria-label", choice ? `${names[cell]}, plays ${choice.label}` : names[cell]);
      button.setAttribute("aria-disabled", !choice);
      button.classList.toggle("last", cells[cell] !== before[cell]);
    });
    this.aim(this.aimed);
  }
}
