// A board to play on. What a click means, what may be asked for, and every sentence about the game
// come from Python; the page only knows where the focus is.

import { MiniBoard, write } from "./board.js";
import { element, keepKeys, textButton } from "./panels.js";
import { mount } from "./player.js";
import { Wishes } from "./wishes.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const ACTS = {
  hint: ["Hint", "A good move, and who says so"],
  take_back: ["Take back", "Undo your last move and the reply"],
  look_inside: ["Look inside", "The film of the search that chose the last reply"],
  swap_sides: ["Swap sides", "Play on for the other side"],
  new_game: ["New game", "Begin again with the same sides"],
  stop: ["Stop", "Play the best move found so far"],
  retry: ["Try again", "Ask the opponent for a move again"],
};

/** The cells of a board as buttons, one of which is reached by Tab and the others by arrows. */
class Field {
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
    const button = element("button", { type: "button", class: "cell", "data-cell": cell });
    button.addEventListener("click", () => onClick(cell));
    button.addEventListener("focus", () => this.enter(cell));
    for (const [name, aimed] of [["pointerenter", cell], ["focus", cell], ["pointerleave", null], ["blur", null]]) {
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

  /** Show what a click on a cell would change. */
  aim(cell) {
    this.aimed = cell;
    const { means, choices } = this.scene;
    const changes = cell === null || means[cell] === null ? [] : choices[means[cell]].changes;
    this.buttons.forEach((button, place) => button.classList.toggle("aim", changes.includes(place)));
  }

  #onKey(event) {
    const { rows, columns } = this.board;
    const [row, column] = [Math.floor(this.current / columns), this.current % columns];
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    const ends = { Home: row * columns, End: (row + 1) * columns - 1 };
    const [nextRow, nextColumn] = [row + down, column + right];
    const inside = nextRow >= 0 && nextRow < rows && nextColumn >= 0 && nextColumn < columns;
    if (!(event.key in ARROWS || event.key in ends) || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.enter(ends[event.key] ?? (inside ? nextRow * columns + nextColumn : this.current));
    this.focus();
  }

  paint(scene) {
    this.scene = scene;
    const { cells, before, names, means, choices, hint } = scene;
    this.mini.draw(cells, before);
    this.buttons.forEach((button, cell) => {
      const hinted = hint !== null && choices[hint].changes.includes(cell);
      const choice = means[cell] === null ? null : choices[means[cell]];
      button.setAttribute("aria-label", [names[cell], ...(hinted ? ["hint"] : []), ...(choice ? [`plays ${choice.label}`] : [])].join(", "));
      button.setAttribute("aria-disabled", !choice);
      button.classList.toggle("last", cells[cell] !== before[cell]);
      button.classList.toggle("hint", hinted);
    });
    this.aim(this.aimed ?? null);
  }
}

class Board {
  /** `ask(act, more)` sends a wish to Python. */
  constructor(facts, ask) {
    this.ask = ask;
    this.field = facts.board && new Field(facts.board, `Board of ${facts.title}`, (cell) => this.#click(cell));
    this.mark = facts.board && new MiniBoard({ ...facts.board, rows: 1, columns: 1, grid: "" });
    this.text = element("pre", { class: "position", tabindex: "0", role: "group", "aria-label": "Position" });
    this.status = element("p", { class: "status" });
    this.words = element("p", { class: "said", "aria-live": "polite" });
    this.alert = element("p", { class: "alert", role: "alert", hidden: "" });
    this.list = element("div", { class: "choices", role: "group", "aria-label": "Moves" });
    this.tools = Object.fromEntries(Object.entries(ACTS).map(([act, [name, title]]) => [act, textButton(name, title, () => ask(act))]));
    this.meter = element("progress", { max: 1, value: 0, "aria-label": "Thinking" });
    this.done = element("span", { class: "done" });
    this.thinking = element("div", { class: "thinking", hidden: "" }, this.meter, this.done, this.tools.stop);
    this.film = element("div", { class: "inside" });
    this.element = this.#build(facts);
  }

  #build(facts) {
    const { stop, ...others } = this.tools;
    const tools = element("div", { class: "tools", role: "group", "aria-label": "Game" }, ...Object.values(others));
    // Without a board the list is what one plays by, so it comes first.
    const acts = this.field
      ? [tools, element("details", {}, element("summary", {}, "Moves as a list"), this.list)]
      : [element("span", { class: "caption", "aria-hidden": "true" }, "Moves"), this.list, tools];
    return element("div", { class: "mcts-play", role: "group", "aria-label": facts.title, tabindex: "-1", "data-lm-suppress-shortcuts": "true" },
      element("div", { class: "head" }, element("strong", {}, facts.title), element("span", {}, facts.subtitle)),
      element("div", { class: "table" },
        this.field ? this.field.element : this.text,
        element("div", { class: "talk" },
          element("div", { class: "turn" }, ...(this.mark ? [this.mark.svg] : []), this.status),
          this.words, this.alert, ...acts,
          element("div", { class: "thought" }, this.thinking))), // keeps its room
      this.film);
  }

  #click(cell) {
    const choice = this.scene.means[cell];
    if (choice === null) this.say(this.scene.why[cell]);
    else this.#choose(choice);
  }

  #choose(choice) {
    this.ask("play", { choice, version: this.scene.version });
  }

  /** A refusal that is given twice is read out twice. */
  say(text) {
    this.words.replaceChildren(text);
  }

  paint(scene) {
    const held = this.#held();
    this.scene = scene;
    this.field?.paint(scene);
    write(this.text, scene.text);
    write(this.status, scene.status);
    write(this.words, scene.said);
    this.#paintList(scene);
    const { hint, look_inside, retry, take_back } = this.tools;
    this.mark?.draw([scene.mark ?? 0], [scene.mark ?? 0]);
    this.mark?.svg.toggleAttribute("hidden", !scene.mark);
    retry.hidden = !scene.stuck;
    take_back.setAttribute("aria-disabled", !scene.can_take_back);
    look_inside.setAttribute("aria-disabled", !scene.can_look);
    hint.setAttribute("aria-disabled", Boolean(scene.closed));
    Object.assign(this.element.dataset, { version: scene.version, over: scene.over, thinking: scene.thinking });
    this.#keepFocus(held);
  }

  #paintList(scene) {
    const { choices, hint } = scene;
    while (this.list.childElementCount > choices.length) this.list.lastChild.remove();
    while (this.list.childElementCount < choices.length) {
      const place = this.list.childElementCount;
      const choose = () => (this.scene.closed ? this.say(this.scene.closed) : this.#choose(place));
      this.list.append(textButton("", "", choose));
    }
    [...this.list.children].forEach((button, place) => {
      write(button, choices[place].label);
      button.title = choices[place].label;
      button.classList.toggle("hint", place === hint);
      button.setAttribute("aria-disabled", Boolean(scene.closed));
    });
  }

  #held() {
    const held = this.element.getRootNode().activeElement;
    return this.element.contains(held) ? held : null;
  }

  /** A button that had the focus and is gone leaves it to one near by. */
  #keepFocus(held) {
    if (!held || (held.isConnected && !held.closest("[hidden]"))) return;
    if (!held.isConnected && this.list.firstChild) this.list.firstChild.focus({ preventScroll: true });
    else if (this.field) this.field.focus();
    else this.element.focus({ preventScroll: true });
  }

  meterAt({ share, words }) {
    const held = this.#held();
    this.thinking.hidden = share === undefined;
    this.meter.value = share ?? 0;
    write(this.done, words ?? "");
    this.tools.stop.hidden = !this.scene.stoppable;
    this.#keepFocus(held);
  }

  warn(text) {
    write(this.alert, text);
    this.alert.hidden = !text;
  }

  /** Show the film of a search below the board, or none. */
  async open({ title, facts, columns }) {
    this.player?.pause();
    this.player = undefined;
    if (!facts) {
      const inside = this.film.contains(this.#held());
      this.film.replaceChildren();
      if (inside) this.tools.look_inside.focus({ preventScroll: true });
      return;
    }
    const host = element("div");
    const close = textButton("Close", "Close the film", () => this.ask("close_film"));
    this.film.replaceChildren(element("div", { class: "head" }, element("strong", {}, title), close), host);
    try {
      const player = await mount(host, facts, columns, () => {});
      player.go(facts.iterations, facts.phases.length - 1, true);
      this.player = player;
    } catch (error) {
      this.warn(`The film cannot be shown in this browser (${error.message}).`);
    }
  }
}

function renderPlay({ model, el }) {
  const wishes = new Wishes(model, (text) => board.warn(text));
  const board = new Board(model.get("facts"), (act, more) => wishes.send(act, more));
  const warn = (thinking) => {
    wishes.heard(thinking);
    board.warn(model.get("error"));
  };
  const meter = () => {
    const progress = model.get("progress");
    warn(progress.share !== undefined);
    board.meterAt(progress);
  };
  const handlers = {
    "change:scene": () => board.paint(model.get("scene")),
    "change:progress": meter,
    "change:film": () => board.open(model.get("film")),
    "change:error": () => warn(),
    "change:heard": () => warn(),
  };
  for (const [event, handler] of Object.entries(handlers)) model.on(event, handler);
  keepKeys(el);
  el.replaceChildren(board.element);
  for (const handler of Object.values(handlers)) handler();
  return () => {
    wishes.heard();
    board.player?.pause();
    for (const [event, handler] of Object.entries(handlers)) model.off(event, handler);
  };
}

export default { render: renderPlay };
