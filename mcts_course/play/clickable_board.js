// A board to play on: its cells are buttons, one of which is reached by Tab, the others by arrows.

import { MiniBoard, assign, element, focusOn, svgElement, textButton } from "mcts_viz/player";

export class ClickableBoard {
  current = 0; // the cell that Tab leads to
  aimed = -1; // the cell that is pointed at, or has the focus

  constructor(board, title, onClick) {
    const { columns, rows } = board;
    this.columns = columns;
    this.mini = new MiniBoard(board);
    this.won = svgElement("path", { class: "won" });
    this.mini.svg.append(this.won);
    this.cells = Array.from({ length: rows * columns }, (_, cell) =>
      textButton("", "", () => onClick(cell), {
        class: "cell",
        "data-cell": cell,
        tabindex: cell ? -1 : 0,
      }),
    );
    const wrapped = this.cells.map((cell) => element("div", { role: "gridcell" }, cell));
    const lines = Array.from({ length: rows }, (_, row) =>
      element("div", { role: "row" }, ...wrapped.slice(row * columns, (row + 1) * columns)),
    );
    const grid = element("div", { class: "cells", role: "grid", "aria-label": title }, ...lines);
    grid.addEventListener("keydown", (event) => this.#onKey(event));
    grid.addEventListener("focusin", ({ target }) => this.#enter(this.cells.indexOf(target)));
    grid.addEventListener("pointerover", ({ target }) => this.#aim(this.cells.indexOf(target)));
    for (const name of ["pointerleave", "focusout"])
      grid.addEventListener(name, () => this.#aim(-1));
    const style = `--columns: ${columns}; --rows: ${rows}`;
    this.element = element("div", { class: "field", style }, this.mini.svg, grid);
  }

  #enter(cell) {
    this.current = cell;
    this.cells.forEach((button, place) => (button.tabIndex = place === cell ? 0 : -1));
    this.#aim(cell);
  }

  focus() {
    focusOn(this.cells[this.current]);
  }

  /** The move that a click on a cell means, if it is just one. */
  #choice(cell) {
    const { choices, means } = this.position;
    return choices[means[cell]];
  }

  /** Mark the cells that a click on this one would change. */
  #aim(cell) {
    this.aimed = cell;
    const changes = this.#choice(cell)?.changes ?? [];
    this.cells.forEach((button, place) => button.classList.toggle("aim", changes.includes(place)));
  }

  #onKey(event) {
    const { columns, current } = this;
    const column = current % columns;
    const move = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -column,
      End: columns - 1 - column,
    }[event.key];
    if (move === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (this.cells[current + move]) focusOn(this.cells[current + move]);
  }

  paint(position) {
    const { cells, before, names, setting, won } = position;
    this.position = position;
    this.mini.draw(cells, before);
    assign(this.won, { d: won });
    this.cells.forEach((button, cell) => {
      const choice = this.#choice(cell);
      const name = choice ? `${names[cell]}, plays ${choice.label}` : names[cell];
      assign(button, { "aria-label": name, "aria-disabled": !choice && !setting });
      button.classList.toggle("last", cells[cell] !== before[cell]);
    });
    this.#aim(this.aimed);
  }
}
