// Predict first: a step is held back until the reader has said what it will show. What is asked,
// the answers and what each of them means came with the film; they are looked up here.

import { element, textButton, write } from "./elements.js";
import { filled, fixed, short } from "./words.js";

export class Predict {
  /** `onAnswer(iteration, phase)` goes on to the moment that was held back. */
  constructor(film, onAnswer) {
    this.film = film;
    this.onAnswer = onAnswer;
    this.words = film.facts.questions;
    this.on = false;
    this.question = null; // the open one
    this.right = this.asked = 0;
    this.text = element("p", { class: "question" });
    this.options = element("div", { class: "options", role: "group", "aria-label": "Answers" });
    this.group = element("div", { role: "group", tabindex: "-1", hidden: "" }, this.text, this.options);
    this.feedback = element("p", { class: "feedback", role: "status", "aria-live": "polite" });
    this.score = element("p", { class: "score", role: "status", "aria-live": "polite" });
    this.verdict = element("span", { class: "verdict", "aria-hidden": "true" });
    this.element = element("div", { class: "predict", role: "group", "aria-label": "Predict first", hidden: "" }, this.group, element("div", { class: "answered" }, this.verdict, this.feedback), this.score);
  }

  show(on) {
    this.cancel();
    this.on = on;
    this.element.hidden = !this.on;
    if (this.on) write(this.feedback, this.words.begin);
    this.element.closest(".mcts-player").classList.toggle("predicting", this.on);
  }

  /** Whether a step to that moment must wait for an answer; asks, if it has not asked yet. */
  holds(index, phase) {
    if (!this.on) return false;
    if (!this.question) this.#ask(index, phase);
    return this.question !== null;
  }

  /** Take the open question back, and what was said about the last one; false if none was open. */
  cancel() {
    const open = this.question !== null;
    if (open) this.#close();
    write(this.feedback, "");
    write(this.verdict, "");
    return open;
  }

  /** Take a card as the answer; false if it is none. */
  answerNode(node) {
    const option = this.question?.options.find((one) => one.node === node);
    if (option) this.#answer(option);
    return option !== undefined;
  }

  // Asking ----------------------------------------------------------------------------------

  #ask(index, phase) {
    const kind = this.film.facts.phases[phase];
    const asks = { select: this.#selection, expand: this.#expansion, backpropagate: this.#backpropagation };
    const asked = asks[kind]?.call(this, index);
    if (!asked) return;
    this.question = { index, phase, kind, ...asked };
    const answers = asked.options.map((option) => textButton(option.text, option.text, () => this.#answer(option)));
    const goOn = () => this.#goOn(filled(this.words.shown[kind], { right: asked.options.find(({ right }) => right).text }));
    const show = textButton("Show me", "Go on without an answer", goOn, { class: "show" });
    this.options.replaceChildren(...answers, show);
    write(this.text, asked.text);
    write(this.feedback, "");
    this.group.setAttribute("aria-label", asked.text);
    this.group.hidden = false;
    const player = this.element.closest(".mcts-player");
    player.dataset.asking = kind;
    this.held = player.getRootNode().activeElement;
    // Not onto an answer, which a key that is still held down would give.
    if (player.contains(this.held)) this.group.focus({ preventScroll: true });
    else this.held = null;
  }

  #column(name, index) {
    return this.film.columns[`ask_${name}`][index - 1];
  }

  /** Which child of the root will be selected. */
  #selection(index) {
    const { film, words } = this;
    const right = this.#column("right", index);
    if (!right) return null;
    const iteration = film.iterationAt(index);
    const children = film.below[0].filter((node) => film.births[node] < iteration);
    const score = new Map(children.map((node) => [node, film.scoreOf(node, iteration - 1).score]));
    const said = (node) => {
      if (node === right) return words.mistakes[0];
      const best = ["rate", "visits"].filter((name) => this.#column(name, index) === node).join(" ");
      const lead = fixed(score.get(right) - score.get(node));
      return filled(words.wrong[film.proof(node, iteration - 1) ? "passed" : best || "score"], { answer: film.label(node), right: film.label(right), lead });
    };
    const options = children.map((node) => ({ node, text: film.label(node), right: node === right, said: said(node) }));
    return { text: filled(words.select, { k: iteration }), options };
  }

  /** Which move can be added below the end of the selected path. */
  #expansion(index) {
    const { film, words } = this;
    const added = this.#column("added", index);
    if (!added) return null;
    const right = film.label(added);
    const option = (kind, text) => text && { text, right: kind === "right", said: filled(words.added[kind], { answer: text, right }) };
    const [had, past] = ["had", "past"].map((name) => film.label(this.#column(name, index)));
    const options = [option("right", right), option("had", had), option("past", past), option("nothing", "nothing")];
    return { text: filled(words.expand, { where: film.named(film.columns.parent[added]) }), options: this.#mixed(options.filter(Boolean), index) };
  }

  /** In an order that does not tell which is right. */
  #mixed(options, index) {
    const order = this.words.orders[this.#column("order", index)];
    return order.filter((place) => place < options.length).map((place) => options[place]);
  }

  /** What a card of the path will say when the result has been counted. */
  #backpropagation(index) {
    const { film, words } = this;
    const { columns, facts } = film;
    const answers = words.sets[this.#column("set", index)];
    if (!answers.length) return null;
    const path = film.pathTo(columns.leaf[index - 1]);
    const node = path.at(-1 - this.#column("above", index));
    const iteration = film.iterationAt(index);
    const { visits, wins } = film.statistics(node, iteration - 1);
    const player = facts.players[columns.player_just_moved[node]];
    const texts = answers.map(([more, visit]) => `${short(more === null ? this.#column("other", index) : wins + more)}/${visits + visit}`);
    const becomes = filled(words.shown.backpropagate, { right: texts[0] });
    const said = (mistake) => `${filled(words.mistakes[mistake], { player })}${mistake ? ` ${becomes}` : ""}`;
    const options = answers.map(([, , mistake], place) => ({ text: texts[place], right: !mistake, said: said(mistake) }));
    const old = columns.created_at[node] < iteration ? 1 : 0;
    const text = filled(words.backpropagate[old], { result: film.outcome(index).result, move: film.label(node), player, share: `${short(wins)}/${visits}` });
    return { text, options: this.#mixed(options, index) };
  }

  // Answering -------------------------------------------------------------------------------

  #answer({ right, said }) {
    this.asked += 1;
    if (right) this.right += 1;
    this.#goOn(said, right ? "✓" : "✗");
    write(this.score, filled(this.words.score, { right: this.right, asked: this.asked }));
  }

  #goOn(words, verdict = "") {
    const { index, phase } = this.question;
    this.#close();
    this.onAnswer(index, phase);
    write(this.feedback, words);
    write(this.verdict, verdict);
    this.verdict.dataset.right = verdict === "✓";
  }

  /** The focus goes back to where it was before the question. */
  #close() {
    const player = this.element.closest(".mcts-player");
    const inside = this.group.contains(this.group.getRootNode().activeElement);
    this.question = null;
    delete player.dataset.asking; // first, for what is not seen takes no focus
    if (inside) (this.held ?? player).focus({ preventScroll: true });
    this.group.hidden = true;
  }
}
