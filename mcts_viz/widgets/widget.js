// The widgets of a notebook: a film, two side by side, or a game to play. Where they stand is shared
// with Python, and set by Python.

import { MiniBoard, element, write } from "./board.js";
import { Requests, hear, mountPair } from "./pair.js";
import { Meter, Pool, alertPlace, keepKeys, textButton } from "./panels.js";
import { mount } from "./player.js";

// Where films stand, as the page and Python tell each other.

const REST = 200; // milliseconds without a move before the kernel is told

/** How many of Python's words the page has heard goes with all that it says; see base.py. */
export function initialize({ model }) {
  if (model.get("words") === undefined) return; // a game is nowhere
  hear(model, { words: () => model.set("heard", model.get("words")) });
}

export class ModelSync {
  /** `goTo(iteration, phase)` moves the films, and answers where they then stand. */
  constructor(model, goTo) {
    Object.assign(this, { model, goTo, at: [] });
    const follow = () => this.#follow();
    this.deaf = hear(model, { iteration: follow, phase: follow });
  }

  leave() {
    clearTimeout(this.rest);
    this.deaf();
  }

  /** The reader has moved the films: other widgets hear of it at once, Python when they rest. */
  tell(iteration, phase) {
    this.at = [iteration, phase];
    this.model.set("iteration", iteration);
    this.model.set("phase", phase);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.#save(), REST);
  }

  /** Tell Python where the films stand. */
  #save() {
    // The model sets anew and sends all that was set since it last did, even what Python has changed
    // after it. So the place is set afresh; where a front end knows no silence, #follow waits.
    const place = { iteration: this.at[0], phase: this.at[1] };
    for (const name of ["iteration", "phase"]) this.model.set(name, undefined, { silent: true });
    for (const name of ["phase", "iteration"]) this.model.set(name, place[name], { silent: true });
    this.model.set("at", [...this.at]); // the place that counts
    this.model.save_changes();
  }

  #follow() {
    const [iteration, phase] = [this.model.get("iteration"), this.model.get("phase")];
    if (iteration === undefined || phase === undefined) return; // see save
    if (iteration === this.at[0] && phase === this.at[1]) return;
    this.at = this.goTo(iteration, phase); // a linked widget may lead out of the film
    this.model.set("at", [...this.at]);
  }
}

// A board to play on. What a click means, what may be asked for, and every sentence about the game
// come from Python; the page only knows where the focus is.

const ACTS = {
  new_game: ["New game", "Begin again with the same sides"],
  take_back: ["Take back", "Undo your last move and the reply"],
  hint: ["Hint", "A good move, and who says so"],
  look_inside: ["Look inside", "The film of the search that chose the last reply"],
  close_film: ["Back to the board", "Go on playing (Escape)"],
};

const SMALL = 4; // rows and columns of a board that can be read beside a bar

/** The cells of a board as buttons, one of which is reached by Tab and the others by arrows. */
class ClickableBoard {
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

/** The visits of the root's moves as bars, which grow while a search thinks. */
class SearchProgress {
  constructor(board, stop) {
    this.board = board;
    this.caption = element("caption");
    this.body = element("tbody");
    const heads = ["move", "visits", "", "mean"].map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text));
    this.table = element("table", {}, this.caption, element("thead", {}, element("tr", {}, ...heads)), this.body);
    this.rows = new Pool(this.body, () => this.#row());
    this.meter = new Meter("Thinking", "Play the best move found so far", stop);
    this.element = element("div", { class: "thought" }, this.table, this.meter.element);
  }

  #row() {
    const { board } = this;
    const mini = board && Math.max(board.rows, board.columns) <= SMALL ? new MiniBoard(board) : null;
    const [label, bar, visits, mean] = [element("span"), element("span", { class: "bar" }), element("td"), element("td")];
    const shown = element("tr", {}, element("th", { scope: "row" }, mini?.svg, label), visits, element("td", { class: "track", "aria-hidden": "true" }, bar), mean);
    return { element: shown, mini, label, bar, visits, mean };
  }

  paint({ title, before, share, words, done, rows }, { thinking, stoppable }) {
    this.table.hidden = !rows;
    this.meter.say(...(thinking && !done ? [share, words] : []));
    this.meter.stop.hidden = !stoppable;
    this.meter.bar.hidden = !thinking;
    if (!rows) return;
    write(this.caption, title);
    this.rows.take(rows.length).forEach((made, place) => {
      const { label, cells, visits, size, mean, chosen } = rows[place];
      made.mini?.draw(cells, before);
      write(made.label, label);
      write(made.visits, visits.toLocaleString("en"));
      write(made.mean, mean);
      made.bar.style.width = `${100 * size}%`;
      made.element.classList.toggle("chosen", chosen);
    });
  }
}

class Board {
  /** `ask(act, more)` asks Python for something. */
  constructor(facts, ask) {
    this.ask = ask;
    this.field = facts.board && new ClickableBoard(facts.board, `Board of ${facts.title}`, (cell) => this.#click(cell));
    this.mark = facts.board && new MiniBoard(facts.board);
    this.mark?.svg.setAttribute("viewBox", "0 0 10 10"); // one piece: of the player to move
    this.text = element("pre", { class: "text", tabindex: "0", role: "group", "aria-label": "Position" });
    this.status = element("p", { class: "status" });
    this.words = element("p", { class: "said", "aria-live": "polite" });
    this.alert = alertPlace();
    this.list = element("div", { class: "choices", role: "group", "aria-label": "Moves" });
    this.choices = new Pool(this.list, (place) => ({ element: textButton("", "", () => this.#choose(place)) }));
    this.tools = Object.fromEntries(Object.entries(ACTS).map(([act, [name, title]]) => [act, textButton(name, title, () => ask(act))]));
    this.thought = new SearchProgress(facts.board, () => ask("stop"));
    this.title = element("strong");
    this.facts = facts;
    this.game = element("div", { class: "game" },
      element("div", { class: "place" }, this.field ? this.field.element : this.text, this.list),
      element("div", { class: "talk" },
        element("div", { class: "turn" }, this.mark?.svg, this.status), this.words, this.thought.element));
    this.inside = element("div", { class: "inside", hidden: "" });
    this.element = element("div", { class: "mcts-play", role: "group", "aria-label": facts.title, tabindex: "-1", "data-lm-suppress-shortcuts": "true" },
      element("div", { class: "head" }, this.title, element("span", {}, facts.subtitle),
        element("div", { class: "tools", role: "group", "aria-label": "Game" }, ...Object.values(this.tools))),
      this.alert, this.game, this.inside);
    this.#switch(facts.title);
  }

  #click(cell) {
    const choice = this.position.means[cell] ?? -1;
    if (choice < 0) this.say(this.position.why[cell]);
    else this.#choose(choice);
  }

  #choose(choice) {
    if (this.position.closed) this.say(this.position.closed);
    else this.ask("play", { choice, version: this.position.version });
  }

  /** A refusal that is given twice is read out twice. */
  say(text) {
    this.words.replaceChildren(text);
  }

  paint(position) {
    const held = this.#held();
    this.position = position;
    this.field?.paint(position);
    write(this.text, position.text);
    write(this.status, position.status);
    write(this.words, position.said);
    this.#paintList(position);
    const { look_inside, take_back } = this.tools;
    const mark = position.mark ?? 0;
    this.mark?.draw([mark], [mark]);
    this.mark?.svg.toggleAttribute("hidden", !mark);
    take_back.setAttribute("aria-disabled", !position.can_take_back);
    look_inside.setAttribute("aria-disabled", !position.can_look);
    Object.assign(this.element.dataset, { version: position.version, over: position.over, thinking: position.thinking });
    this.#keepFocus(held);
  }

  /** Where not every move is a click on the board, all of them are buttons. */
  #paintList({ choices, closed, listed }) {
    this.list.hidden = !listed;
    this.choices.take(listed ? choices.length : 0).forEach(({ element: button }, place) => {
      write(button, choices[place].label);
      button.title = choices[place].label;
      button.setAttribute("aria-disabled", Boolean(closed));
    });
  }

  #held() {
    const held = this.element.getRootNode().activeElement;
    return this.element.contains(held) ? held : null;
  }

  /** A button that had the focus and is gone leaves it to one near by. */
  #keepFocus(held) {
    if (!held?.closest("[hidden]") && held?.isConnected !== false) return;
    if (this.list.contains(held) && !this.list.hidden) this.list.firstChild.focus({ preventScroll: true });
    else if (this.field && !this.game.hidden) this.field.focus();
    else this.element.focus({ preventScroll: true });
  }

  think(thought) {
    const held = this.#held();
    this.thought.paint(thought, this.position);
    this.#keepFocus(held);
  }

  /** Show the film of a search in place of the board, or the board again. */
  async film({ title, facts, columns }) {
    this.player?.leave();
    this.player = undefined;
    const held = this.#held();
    this.open = Boolean(facts);
    this.#switch(facts ? title : this.facts.title);
    this.inside.replaceChildren();
    if (!facts) return held && this.tools.look_inside.focus({ preventScroll: true });
    try {
      const player = await mount(this.inside, facts, columns, () => {});
      player.go(facts.iterations, facts.phases.length - 1, true);
      player.goOut = () => this.ask("close_film");
      this.player = player;
      if (held) player.element.focus({ preventScroll: true });
    } catch (error) {
      write(this.alert, `The film cannot be shown in this browser (${error.message}).`);
    }
  }

  /** Either the board or the film is on the screen. */
  #switch(title) {
    write(this.title, title);
    this.game.hidden = this.open;
    this.inside.hidden = !this.open;
    for (const [act, button] of Object.entries(this.tools)) button.hidden = (act === "close_film") !== Boolean(this.open);
  }
}

function renderPlay({ model, el }) {
  const requests = new Requests(model, (text) => write(board.alert, text));
  const board = new Board(model.get("facts"), (act, more) => requests.send(act, more));
  const warn = () => {
    requests.heard(model.get("position").thinking && model.get("position").stoppable);
    write(board.alert, model.get("error"));
  };
  const think = () => {
    warn();
    board.think(model.get("thought"));
  };
  el.replaceChildren(board.element);
  const deaf = hear(model, {
    position: () => {
      board.paint(model.get("position"));
      think();
    },
    thought: think,
    film: () => board.film(model.get("film")),
    error: warn,
    heard: warn,
  });
  return () => {
    requests.heard();
    board.player?.leave();
    deaf();
  };
}

/** What shows the films of a model: a player, or a comparison. */
function filmsOf(model, host, told) {
  const one = (name) => ({ facts: model.get(`${name}facts`), columns: model.get(`${name}columns`) });
  if (!model.get("note")) return mount(host, one("").facts, one("").columns, told, model);
  return mountPair(host, [one("first_"), one("second_")], mount, { note: model.get("note"), differ: model.get("differ"), told });
}

async function renderFilms({ model, el }) {
  const shown = await filmsOf(model, el, (...place) => moment.tell(...place));
  const { phases } = shown.film.facts;
  const moment = new ModelSync(model, (iteration, phase) => shown.goTo(iteration, phases.indexOf(phase), true));
  const deaf = hear(model, { error: () => shown.say(model.get("error")) });
  return () => {
    moment.leave();
    shown.leave();
    deaf();
  };
}

export async function render({ model, el }) {
  keepKeys(el);
  let leave;
  try {
    leave = await (model.get("position") ? renderPlay : renderFilms)({ model, el });
  } catch (error) {
    el.replaceChildren(element("p", { role: "alert" }, `The film cannot be shown in this browser (${error.message}). The picture in the notebook file still can.`));
  }
  return () => {
    leave?.();
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { initialize, render };
