// How it decided: after a game all replies of the search side by side, each with its board, the visits of
// its moves as bars, and its mean. One opens the film of its search.

import { MiniBoard, Pool, assign, element, focusOn, svgElement, write } from "mcts_viz/player";

const HIGH = 22; // pixels of the longest bar
const WIDE = 6; // and of each, with its gap

export class Strip {
  at = 0; // the reply that Tab leads to

  /** `open(reply)` opens the film of a reply, by its number from 0. */
  constructor(board, open) {
    this.words = element("p");
    this.list = element("div", { class: "replies", role: "group", "aria-label": "Replies of the search" });
    this.pool = new Pool(this.list, (place) => this.#button(board, () => open(place)));
    this.list.addEventListener("keydown", (event) => this.#onKey(event));
    this.list.addEventListener("focusin", ({ target }) => this.#rove(this.list.children, target));
    const title = element("p", { class: "title" }, "How it decided");
    this.element = element("section", { class: "strip", hidden: "" }, title, this.words, this.list);
  }

  #button(board, act) {
    const mini = board && new MiniBoard(board);
    const bars = svgElement("svg", { class: "visits", height: HIGH, "aria-hidden": "true" });
    const label = element("span", { class: "played" });
    const mean = element("span");
    const button = element("button", { type: "button" }, mini?.svg, label, bars, mean);
    button.addEventListener("click", act);
    return { element: button, mini, bars, label, mean };
  }

  paint({ at = 0, replies = [], said = "" }) {
    this.element.hidden = !replies.length;
    write(this.words, said);
    this.pool.take(replies.length).forEach(({ element: button, bars, label, mean, mini }, place) => {
      const reply = replies[place];
      mini?.draw(reply.cells, reply.before);
      write(label, reply.label);
      write(mean, `mean ${reply.mean}`);
      assign(bars, { width: WIDE * reply.bars.length });
      bars.replaceChildren(...reply.bars.map((bar, move) => barOf(bar, move)));
      assign(button, { "aria-label": reply.said, title: reply.said, "aria-current": place === at });
    });
    this.#rove(this.list.children, this.list.children[at]);
  }

  /** Tab leads to one reply, arrows to the others. */
  #rove(buttons, target) {
    [...buttons].forEach((button) => (button.tabIndex = button === target ? 0 : -1));
  }

  #onKey(event) {
    const shown = [...this.list.children].filter((button) => !button.hidden);
    const held = shown.indexOf(event.target);
    const next = { ArrowLeft: held - 1, ArrowRight: held + 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (shown[next]) focusOn(shown[next]);
  }
}

function barOf({ chosen, share }, move) {
  const height = Math.max(1, HIGH * share);
  const look = chosen ? "bar chosen" : "bar";
  return svgElement("rect", { class: look, x: WIDE * move, y: HIGH - height, width: WIDE - 1, height });
}
