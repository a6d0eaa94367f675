// A game to play. What a click means, what may be asked for, and every sentence about the game
// come from Python; the page only knows where the focus is.

import { ClickableBoard } from "./clickable_board.js";
import { Strip } from "./strip.js";
import {
  Meter,
  MoveRows,
  Pool,
  Requests,
  alertPlace,
  assign,
  element,
  focusOn,
  group,
  hear,
  heldIn,
  mount,
  pieceOf,
  rendering,
  svgElement,
  textButton,
  write,
} from "mcts_viz/player";

const ACTS = {
  new_game: ["New game", "Begin again with the same sides"],
  take_back: ["Take back", "Undo your last move and the reply"],
  set_up: ["Set up", "Change the position cell by cell, to play or to search from there"],
  look_inside: ["Look inside", "The film of the search that chose the last reply"],
  close_film: ["Back to the board", "Go on playing (Escape)"],
  play_here: ["Play from here", "Begin a game with this position; the move is yours"],
  search_here: ["Search from here", "The film of a search from this position"],
  leave_set_up: ["Back to the game", "Leave the game as it was"],
};
/** The acts that can be asked for while a film is open, while a position is set up, and else. */
const WHEN = {
  film: ["close_film"],
  setting: ["play_here", "search_here", "leave_set_up"],
  game: ["new_game", "take_back", "set_up", "look_inside"],
};

class Game {
  constructor(model) {
    const facts = model.get("facts");
    this.facts = facts;
    this.alert = alertPlace();
    this.requests = new Requests(model, (text) => write(this.alert, text));
    this.game = element("div", { class: "game" }, this.#place(), this.#talk());
    this.inside = element("div", { class: "inside" }); // for the film of a search
    const head = this.#head();
    this.element = group("mcts-play", facts.title, head, this.alert, this.game, this.inside);
    assign(this.element, { tabindex: -1 });
    const film = () => this.#film(model.get("film"));
    const paint = () =>
      this.#paint(model.get("position"), model.get("thought"), model.get("error"));
    const decided = () => this.strip.paint(model.get("decided"));
    this.deaf = hear(model, { film, decided, position: paint, thought: paint, error: paint, heard: paint });
  }

  /** The title, and a button for each act. */
  #head() {
    this.title = element("strong");
    this.tools = {};
    for (const [act, [name, title]] of Object.entries(ACTS)) {
      this.tools[act] = textButton(name, title, () => this.requests.send(act));
    }
    const tools = group("tools", "Game", ...Object.values(this.tools));
    const about = element("span", {}, this.facts.subtitle);
    return element("div", { class: "head" }, this.title, about, tools);
  }

  /** The board or the text of the position, and the moves that no click on a board can mean. */
  #place() {
    const { board, title } = this.facts;
    const label = { tabindex: 0, role: "group", "aria-label": "Position" };
    this.text = element("pre", { class: "text", ...label });
    if (board)
      this.board = new ClickableBoard(board, `Board of ${title}`, (cell) => this.#click(cell));
    this.list = group("choices", "Moves");
    this.choices = new Pool(this.list, (place) => ({
      element: textButton("", "", () => this.#choose(place)),
    }));
    return element("div", { class: "place" }, this.board?.element ?? this.text, this.list);
  }

  /** Whose turn it is, what is said about the game, and what the search thinks. */
  #talk() {
    const { board, side } = this.facts;
    const sign = svgElement(
      "svg",
      { class: "mcts-board", viewBox: "0 0 10 10", "aria-hidden": true },
      pieceOf(board, side), // as on all cards of the film
    );
    this.status = element("p", { class: "status" });
    this.words = element("p", { class: "said", "aria-live": "polite" });
    this.heading = element("p", { class: "title" });
    this.thought = new MoveRows(["move", "visits", "", "mean"]);
    const stop = () => this.requests.send("stop");
    this.meter = new Meter("Thinking", "Play the best move found so far", stop);
    this.strip = new Strip(board, (reply) => this.requests.send("look_at", { reply }));
    const thought = [this.heading, this.thought.element, this.meter.element];
    return element(
      "div",
      { class: "talk" },
      element("div", { class: "turn" }, sign, this.status),
      this.words,
      this.strip.element,
      group("thought", "The search", ...thought),
    );
  }

  leave() {
    this.requests.heard();
    this.player?.leave();
    this.deaf();
  }

  #click(cell) {
    const { means, setting, why } = this.position;
    if (setting) this.requests.send("place", { cell });
    else if (means[cell] === null) this.#refuse(why[cell]);
    else this.#choose(means[cell]);
  }

  #choose(choice) {
    const { closed, version } = this.position;
    if (closed) this.#refuse(closed);
    else this.requests.send("play", { choice, version });
  }

  /** A refusal that is given twice is read out twice. */
  #refuse(why) {
    this.words.replaceChildren(why);
  }

  #paint(position, thought, error) {
    const held = heldIn(this.element);
    const { can_look, can_take_back, choices, closed, listed, over, rolling } = position;
    const { setting, thinking, version } = position;
    if (position !== this.position) write(this.words, position.said); // else a refusal may be there
    this.position = position;
    this.board?.paint(position);
    this.#think(thought, position);
    this.requests.heard(thinking && position.stoppable);
    write(this.alert, error);
    write(this.text, position.text);
    write(this.status, position.status);
    this.list.hidden = !listed; // where every move is a click on the board, no button repeats it
    this.choices.take(listed ? choices.length : 0).forEach(({ element: button }, place) => {
      const { label } = choices[place];
      write(button, label);
      assign(button, { title: label, "aria-disabled": Boolean(closed) });
    });
    this.#offer();
    assign(this.tools.take_back, { "aria-disabled": !can_take_back });
    assign(this.tools.look_inside, { "aria-disabled": !can_look });
    Object.assign(this.element.dataset, { version, over, rolling, setting, thinking });
    this.#keepFocus(held);
  }

  /** Show the buttons of what can be asked for now. */
  #offer() {
    const now = !this.inside.hidden ? "film" : this.position?.setting ? "setting" : "game";
    for (const [act, button] of Object.entries(this.tools)) {
      const unfit = act === "set_up" && !this.facts.can_be_set;
      button.hidden = unfit || !WHEN[now].includes(act);
    }
  }

  /** The visits of the root's moves as bars, which grow while a search thinks. */
  #think({ title = "", share, words, done, rows = [] }, { thinking, stoppable }) {
    write(this.heading, title);
    this.thought.paint(
      rows.map((row) => ({ ...row, sides: [row] })),
      [{ longest: 1, scores: [] }],
    );
    this.meter.say(...(thinking && !done ? [share, words] : []));
    this.meter.stop.hidden = !stoppable;
    this.meter.bar.hidden = !thinking;
  }

  /** What had the focus and is gone leaves it to the board, or to the film in its place. */
  #keepFocus(held) {
    if (!held || held.getClientRects().length) return;
    if (this.player) focusOn(this.player.element);
    else if (this.board) this.board.focus();
    else focusOn(this.element);
  }

  /** Show the film of a search in place of the board, or the board again. */
  async #film({ title, facts, columns }) {
    const held = heldIn(this.element);
    this.player?.leave();
    this.player = undefined;
    this.inside.replaceChildren();
    write(this.title, facts ? title : this.facts.title);
    this.game.hidden = Boolean(facts);
    this.inside.hidden = !facts;
    this.#offer();
    try {
      if (facts) {
        this.player = await mount(this.inside, facts, columns, () => {});
        this.player.tellRoot();
        this.player.goOut = () => this.requests.send("close_film");
      }
      this.#keepFocus(held);
    } catch (error) {
      write(this.alert, `The film cannot be shown in this browser (${error.message}).`);
    }
  }
}

function renderPlay({ model, el }) {
  const game = new Game(model);
  el.replaceChildren(game.element);
  return () => game.leave();
}

export const render = rendering(renderPlay);
