// A game to play. What a click means, what may be asked for, and every sentence about the game
// come from Python; the page only knows where the focus is.

import { MiniBoard } from "./board.js";
import { ClickableBoard } from "./clickable_board.js";
import { Pool, alertPlace, element, focusOn, group, heldIn, textButton, write } from "./elements.js";
import { mount } from "./player.js";
import { Requests, hear } from "./requests.js";
import { SearchProgress } from "./search_progress.js";

const ACTS = {
  new_game: ["New game", "Begin again with the same sides"],
  take_back: ["Take back", "Undo your last move and the reply"],
  hint: ["Hint", "A good move, and who says so"],
  look_inside: ["Look inside", "The film of the search that chose the last reply"],
  close_film: ["Back to the board", "Go on playing (Escape)"],
};

class Board {
  /** `ask(act, more)` asks Python for something. */
  constructor(facts, ask) {
    this.ask = ask;
    this.field = facts.board
      && new ClickableBoard(facts.board, `Board of ${facts.title}`, (cell) => this.#click(cell));
    this.mark = facts.board && new MiniBoard(facts.board);
    this.mark?.svg.setAttribute("viewBox", "0 0 10 10"); // one piece: of the player to move
    this.text = element("pre", { class: "text", tabindex: "0", role: "group", "aria-label": "Position" });
    this.status = element("p", { class: "status" });
    this.words = element("p", { class: "said", "aria-live": "polite" });
    this.alert = alertPlace();
    this.list = group("choices", "Moves");
    this.choices = new Pool(this.list, (place) => ({
      element: textButton("", "", () => this.#choose(place)),
    }));
    this.tools = Object.fromEntries(Object.entries(ACTS)
      .map(([act, [name, title]]) => [act, textButton(name, title, () => ask(act))]));
    this.thought = new SearchProgress(facts.board, () => ask("stop"));
    this.title = element("strong");
    this.facts = facts;
    this.game = element("div", { class: "game" },
      element("div", { class: "place" }, this.field ? this.field.element : this.text, this.list),
      element("div", { class: "talk" },
        element("div", { class: "turn" }, this.mark?.svg, this.status), this.words, this.thought.element));
    this.inside = element("div", { class: "inside", hidden: "" });
    this.element = group("mcts-play", facts.title,
      element("div", { class: "head" }, this.title, element("span", {}, facts.subtitle),
        group("tools", "Game", ...Object.values(this.tools))),
      this.alert, this.game, this.inside);
    this.element.tabIndex = -1;
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
    const held = heldIn(this.element);
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
    Object.assign(this.element.dataset, {
      version: position.version, over: position.over, thinking: position.thinking,
    });
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

  /** A button that had the focus and is gone leaves it to one near by. */
  #keepFocus(held) {
    if (!held?.closest("[hidden]") && held?.isConnected !== false) return;
    if (this.list.contains(held) && !this.list.hidden) focusOn(this.list.firstChild);
    else if (this.field && !this.game.hidden) this.field.focus();
    else focusOn(this.element);
  }

  think(thought) {
    const held = heldIn(this.element);
    this.thought.paint(thought, this.position);
    this.#keepFocus(held);
  }

  /** Show the film of a search in place of the board, or the board again. */
  async film({ title, facts, columns }) {
    this.player?.leave();
    this.player = undefined;
    const held = heldIn(this.element);
    this.open = Boolean(facts);
    this.#switch(facts ? title : this.facts.title);
    this.inside.replaceChildren();
    if (!facts) return held && focusOn(this.tools.look_inside);
    try {
      const player = await mount(this.inside, facts, columns, () => {});
      player.go(facts.iterations, facts.phases.length - 1, true);
      player.goOut = () => this.ask("close_film");
      this.player = player;
      if (held) focusOn(player.element);
    } catch (error) {
      write(this.alert, `The film cannot be shown in this browser (${error.message}).`);
    }
  }

  /** Either the board or the film is on the screen. */
  #switch(title) {
    write(this.title, title);
    this.game.hidden = this.open;
    this.inside.hidden = !this.open;
    for (const [act, button] of Object.entries(this.tools)) {
      button.hidden = (act === "close_film") !== Boolean(this.open);
    }
  }
}

export function renderPlay({ model, el }) {
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
