// Be the search: a tree that the reader grows by hand, with or without a kernel.

import { MiniBoard } from "./picture/board.js";
import { element, focusOn, heldIn, keepKeys, wantsNoMotion, write } from "./picture/elements.js";
import { Hands, PHASES } from "./hands.js";
import { After, Panel, instruction, rewardButtons } from "./panel.js";
import { TreePicture } from "./tree_picture.js";

const NARROW = 640; // pixels: below, the panel is under the tree, and its rows are the controls
const MOVE = 500; // milliseconds of a playout's move
const KEYS = { 0: 0, 5: 0.5, 1: 1 };

class BeTheSearch {
  constructor(facts, start, report) {
    this.facts = facts;
    this.report = report;
    this.hands = new Hands(facts, start, (isCounted) => this.#changed(isCounted));
    const { hands } = this;
    this.tree = new TreePicture(facts, hands.tree, {
      choose: (node, key) => hands.chooseCard(node, key),
      chooseUntried: (ghost, key) => hands.chooseUntried(ghost, key),
    });
    this.after = new After(hands, () => this.paint());
    this.panel = new Panel(hands, this.after);
    this.#build();
    this.#listen();
    this.paint();
  }

  #build() {
    this.phases = PHASES.map((name, place) => element("li", {}, `${place + 1} ${name}`));
    this.count = element("span", { class: "count" });
    this.dots = element("span", { class: "dots", "aria-hidden": "true" });
    this.status = element("p", { class: "status", role: "status" });
    this.bubble = element("p", { class: "bubble", "aria-hidden": "true", hidden: "" });
    this.pills = element("div", { class: "pills" });
    this.board = this.facts.board && new MiniBoard(this.facts.board);
    this.playoutTitle = element("span");
    this.playoutSaid = element("b");
    this.playout = element("div", { class: "playout", hidden: "" },
      this.playoutTitle, this.board?.svg, this.playoutSaid);
    this.tree.holder.append(this.playout, this.pills, this.bubble);
    const keys = "Keys: Tab and arrows lead to a card, Enter goes there. 0, 5 (½) and 1 give a reward, "
      + "C counts, Backspace takes a step back.";
    const name = `Be the search: ${this.facts.title}`;
    this.element = element("section", { class: "mcts-hands", tabindex: "-1", "aria-label": name },
      element("div", { class: "head" }, element("ol", { class: "phases" }, ...this.phases),
        element("span", { class: "count-row" }, this.count, this.dots)),
      this.status,
      element("div", { class: "body" }, this.tree.element, this.panel.element),
      element("p", { class: "keys" }, keys));
    keepKeys(this.element);
  }

  #listen() {
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.sight = new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect.width));
    this.sight.observe(this.element);
  }

  #resize(width) {
    if (Math.abs(width - (this.width ?? 0)) < 1) return;
    this.width = width;
    this.narrow = width < NARROW;
    this.element.classList.toggle("narrow", this.narrow);
    this.paint();
  }

  #changed(isCounted = false) {
    if (isCounted) this.report(this.hands.walks, this.hands.events);
    this.paint();
    if (PHASES[this.hands.phase] === "Simulate" && !this.timer) this.#playOut();
  }

  // Keys --------------------------------------------------------------------------------------------------

  #key(event) {
    const { hands } = this;
    const isTyping = event.target.tagName === "INPUT";
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    if (PHASES[hands.phase] === "Simulate") this.#endPlayout();
    else if (event.key in KEYS) hands.give(this.#markedBy(event), KEYS[event.key]);
    else if (event.key.toLowerCase() === "c") hands.count();
    else if (event.key === "Backspace") hands.undo();
    else return;
    event.preventDefault();
  }

  /** The card of the walk whose reward a key gives: the one with the focus, else the marked one. */
  #markedBy({ target }) {
    const onPath = this.hands.path.find((node) => this.tree.cardOf(node) === target);
    return this.hands.given.has(onPath) || onPath === undefined ? this.hands.marked : onPath;
  }

  // The playout -----------------------------------------------------------------------------------------

  #playOut() {
    const { moves } = this.#playoutHere();
    this.shownMoves = 0;
    const step = () => {
      this.shownMoves += 1;
      this.#paintPlayout();
      if (this.shownMoves < moves) this.timer = setTimeout(step, MOVE);
      else this.timer = setTimeout(() => this.#endPlayout(), MOVE);
    };
    if (wantsNoMotion()) this.#endPlayout();
    else this.timer = setTimeout(step, MOVE);
  }

  #endPlayout() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.hands.back();
  }

  #playoutHere() {
    const { playout } = this.facts.nodes[this.hands.here];
    return { playout, moves: playout?.labels.length ?? 0 };
  }

  #paintPlayout() {
    const { hands } = this;
    const { playout, moves } = this.#playoutHere();
    const isShown = playout && ["Simulate", "Backpropagate"].includes(PHASES[hands.phase]);
    this.playout.toggleAttribute("hidden", !isShown);
    if (!isShown) return;
    const count = PHASES[hands.phase] === "Simulate" ? this.shownMoves ?? 0 : moves;
    const { cells } = this.facts.nodes[hands.here];
    const boards = [cells, ...(playout.cells ?? [])];
    this.board?.draw(boards[count] ?? cells, boards[Math.max(0, count - 1)] ?? cells);
    write(this.playoutTitle, `playout: ${playout.labels.slice(0, count).join(", ") || "…"}`);
    write(this.playoutSaid, count === moves ? playout.said : "");
  }

  // Painting --------------------------------------------------------------------------------------------

  paint() {
    const { hands, tree } = this;
    const held = this.#held();
    const { wrong } = hands;
    const shownWrong = wrong && (wrong.key ?? this.#keyOf(wrong.node));
    tree.width = this.tree.element.clientWidth || this.width || 600;
    tree.paint({
      path: hands.done ? [0] : hands.path, fresh: hands.fresh, wrong: shownWrong,
      chosen: hands.done ? hands.tree.favourite() : undefined,
    });
    this.element.dataset.phase = PHASES[hands.phase].toLowerCase();
    this.panel.paint(this.narrow);
    this.#paintHead();
    this.#paintStatus();
    this.#paintPills();
    this.#paintPlayout();
    this.#paintBubble();
    this.#restore(held);
  }

  #keyOf(node) {
    return this.tree.cardOf(node)?.dataset.key;
  }

  #paintHead() {
    const { facts, hands } = this;
    this.phases.forEach((item, place) => {
      const isNow = !hands.done && place === hands.phase;
      item.classList.toggle("now", isNow);
      if (isNow) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const number = hands.walks.length + 1;
    write(this.count, hands.done ? "done" : `iteration ${number} of ${facts.iterations}`);
    const dots = Array.from({ length: facts.iterations }, (_, place) => {
      const end = hands.results[place];
      const isNow = place === hands.walks.length ? "now" : "";
      if (end === undefined) return element("i", { class: isNow });
      const winner = hands.tree.rewardsAt(end).indexOf(1);
      const letter = winner < 0 ? "½" : facts.players[winner].slice(0, 1);
      return element("i", { class: winner < 0 ? "draw" : `won-${winner}` }, letter);
    });
    this.dots.replaceChildren(...dots);
  }

  #paintStatus() {
    const { hands } = this;
    const said = hands.wrong ? `✗ ${hands.wrong.text}` : instruction(hands);
    const praise = hands.counted && !hands.done ? `Right. Iteration ${hands.walks.length + 1}. ` : "";
    const reminder = "First work out the term that is missing: it is the + ? in the table.";
    write(this.status, hands.reminded ? reminder : praise + said);
    this.status.classList.toggle("wrong", Boolean(hands.wrong));
  }

  /** In the last phase, below each card of the walk, its three rewards. */
  #paintPills() {
    const { hands, tree } = this;
    const isShown = PHASES[hands.phase] === "Backpropagate" && !hands.done && !this.narrow;
    const pills = isShown ? hands.path.map((node) => {
      const buttons = rewardButtons(hands, node, "small");
      const { offsetHeight, offsetLeft, offsetTop, offsetWidth } = tree.cardOf(node);
      buttons.style.left = `${offsetLeft + offsetWidth / 2}px`;
      buttons.style.top = `${offsetTop + offsetHeight + 4}px`;
      buttons.classList.toggle("marked", node === hands.marked);
      return buttons;
    }) : [];
    this.pills.replaceChildren(...pills);
  }

  /** The sentence of a mistake, on its card. */
  #paintBubble() {
    const { hands, tree } = this;
    const key = hands.wrong && (hands.wrong.key ?? this.#keyOf(hands.wrong.node));
    const button = key && tree.items.get(key)?.button;
    this.bubble.toggleAttribute("hidden", !button);
    if (!button) return;
    write(this.bubble, hands.wrong.text);
    const width = Math.min(210, tree.holder.offsetWidth - 12);
    const left = button.offsetLeft + button.offsetWidth / 2 - width / 2;
    const right = tree.holder.offsetWidth - width - 6;
    const start = Math.max(6, Math.min(right, left));
    Object.assign(this.bubble.style, { width: `${width}px`, left: `${start}px` });
    const above = button.offsetTop - this.bubble.offsetHeight - 6;
    const below = button.offsetTop + button.offsetHeight + (this.pills.children.length ? 36 : 6);
    this.bubble.style.top = `${above > 0 && button.offsetTop > 40 ? above : below}px`;
  }

  // The focus survives, though rows and rewards are made again ---------------------------------------

  #held() {
    const held = heldIn(this.element);
    if (!held) return undefined;
    if (held.dataset.reward) return { selector: `[data-reward="${held.dataset.reward}"]` };
    if (held.tagName === "INPUT") return { selector: "input" };
    return { element: held, text: held.textContent };
  }

  #restore(held) {
    if (!held || heldIn(this.element)) return;
    const buttons = [...this.panel.element.querySelectorAll("button")];
    const again = held.selector ? this.element.querySelector(held.selector)
      : buttons.find(({ textContent }) => textContent === held.text);
    const main = this.panel.element.querySelector("button.main");
    const next = again ?? main;
    if (next) focusOn(next);
    else this.tree.focusCard(this.hands.here);
  }

  close() {
    clearTimeout(this.timer);
    this.sight.disconnect();
  }
}

/** Put the activity into `host`; `report` is given the walks and the record after each iteration. */
export function mountHands(host, facts, start, report) {
  const made = new BeTheSearch(facts, start, report);
  host.replaceChildren(made.element);
  return made;
}

export function render({ model, el }) {
  const alert = element("p", { class: "mcts-hands-alert", role: "alert" });
  const host = element("div");
  el.append(host, alert);
  const start = { walks: model.get("walks"), events: model.get("events") };
  const made = mountHands(host, model.get("facts"), start, (walks, events) => {
    model.set("walks", [...walks]);
    model.set("events", [...events]);
    model.save_changes();
  });
  const warn = () => write(alert, model.get("error"));
  model.on("change:error", warn);
  warn();
  return () => {
    model.off("change:error", warn);
    made.close();
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { render };
