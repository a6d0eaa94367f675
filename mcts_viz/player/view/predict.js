// Predict first: a step is held back until the reader has said what it will show. Questions are made
// when they are asked, from the film's own numbers.

import { element, focusOn, group, heldIn, textButton, write } from "../picture/elements.js";
import { short } from "../data/words.js";

const BEGIN = "Go on with →: what can be told in advance is asked before it is shown.";

// By phase: what makes a question of the step to a moment, if it can, and why else nothing is asked.
const QUESTIONS = {
  select: [selection, "no score decides this step"],
  expand: [undefined, "any move without a node may be added"],
  simulate: [undefined, "chance alone decides a playout"],
  backpropagate: [backpropagation, "no card has three answers to choose from"],
};

export class Predict {
  on = false;
  question; // the one that waits for an answer
  right = 0;
  asked = 0;

  /** `onAnswer(moment)` goes on to the moment that was held back. */
  constructor(player, onAnswer) {
    Object.assign(this, { player, onAnswer });
    this.text = element("p", { class: "question" });
    this.options = group("options", "Answers");
    this.form = element(
      "div",
      { role: "group", tabindex: "-1", hidden: "" },
      this.text,
      this.options,
    );
    this.feedback = element("p", { class: "feedback", role: "status", "aria-live": "polite" });
    this.element = group("predict", "Predict first", this.form, this.feedback);
  }

  show(on) {
    this.cancel();
    this.on = on;
    this.player.element.classList.toggle("predicting", on);
  }

  /** Whether the scores in sight would answer what the next step asks. */
  guards() {
    if (!this.on) return false; // each paint asks
    const moment = this.player.next(1);
    return moment?.phase === 0 && selection(this.player.film, moment) !== undefined;
  }

  /** Whether a step to that moment must wait for an answer; asks, or keeps why it does not. */
  holds(moment) {
    if (this.on && !this.question) this.#ask(moment);
    return this.question !== undefined;
  }

  #ask(moment) {
    const { film, element: root } = this.player;
    const phase = film.facts.phases[moment.phase];
    const [make, why] = QUESTIONS[phase];
    const asked = make?.(film, moment);
    if (!asked) {
      this.reason = `Not asked: ${why}.`; // is said with the step
      return;
    }
    this.question = { moment, ...asked };
    const answers = asked.options.map((option) =>
      textButton(option.text, option.text, () => this.#answer(option)),
    );
    const show = textButton("Show me", "Go on without an answer", () => this.#answer(), {
      class: "show",
    });
    this.options.replaceChildren(...answers, show);
    write(this.text, asked.text);
    write(this.feedback, "");
    this.form.setAttribute("aria-label", asked.text);
    this.form.hidden = false;
    root.dataset.asking = phase;
    this.held = heldIn(root);
    if (this.held) focusOn(this.form); // not onto an answer, which a key that is held down would give
  }

  /** Take the open question back, and what was said about the last one; false if none was open. */
  cancel() {
    const open = this.question !== undefined;
    if (open) this.#close();
    write(this.feedback, this.reason ?? (this.asked ? "" : BEGIN));
    this.reason = undefined;
    return open;
  }

  /** Take a card as the answer; false if it is none. */
  answerNode(node) {
    const option = this.question?.options.find((one) => one.node === node);
    if (option) this.#answer(option);
    return option !== undefined;
  }

  /** Go on with an option, or without one. */
  #answer(option) {
    const { moment, shown } = this.question;
    if (option) this.asked += 1;
    if (option?.right) this.right += 1;
    this.#close();
    this.onAnswer(moment);
    const verdict = option?.right ? "✓ Right." : "✗ No.";
    const score = `(${this.right} of ${this.asked} predicted)`;
    write(this.feedback, option ? `${verdict} ${shown} ${score}` : shown);
  }

  /** The focus goes back to where it was before the question. */
  #close() {
    const { element: root } = this.player;
    const inside = heldIn(this.form);
    this.question = undefined;
    delete root.dataset.asking; // first, for what is not seen takes no focus
    if (inside) focusOn(this.held ?? root);
    this.form.hidden = true;
  }
}

/** Which child will be selected at a level of the walk. */
function selection(film, { index, level }) {
  const frame = film.frame(index, 0);
  const node = frame.walk[level];
  const { chosen, own, rival, rows } = film.table(frame, node);
  if (!(own > rival)) return undefined;
  const options = rows
    .filter((row) => !row.passed)
    .map((row) => ({ node: row.node, text: film.label(row.node), right: row.node === chosen }));
  const text = `Iteration ${frame.iteration}: which move will be selected ${film.named(node)}?`;
  return {
    text,
    options,
    shown: `${film.label(chosen)} is selected: of these moves it scores highest.`,
  };
}

/** What a card of the path will say when the result has been counted. */
function backpropagation(film, { index }) {
  const { gains, players } = film.facts;
  const { fullPath, iteration, walk } = film.frame(index, 2);
  const node = walk.at(-1) || fullPath[1]; // the last that was there before, else the new one
  if (node === undefined) return undefined;
  const mover = film.playerOf(node);
  const rewards = gains[film.columns.outcome[index - 1]];
  const { visits, wins } = film.statistics(node, iteration - 1);
  const answers = [
    [wins + rewards[mover], visits + 1],
    [wins + rewards.at(mover - 1), visits + 1], // of the other player
    [wins + rewards[mover], visits],
    [wins + Math.max(...gains.flat()), visits + 1], // a win, whatever the result
    [wins, visits + 1],
  ];
  const texts = [...new Set(answers.map(([total, count]) => `${short(total)}/${count}`))];
  const after = film.statistics(node, iteration);
  const right = `${short(after.wins)}/${after.visits}`;
  if (texts.length < 3 || texts[0] !== right) return undefined; // a search may count in another way
  // A return has units of its own; wins, losses and draws are known to be 1, 0 and a half.
  const isScaled = ![0, 0.5, 1].includes(rewards[mover]);
  const counted = isScaled ? `, which counts as ${short(rewards[mover])} wins` : "";
  const { result } = film.outcome(index);
  const text =
    `The result: ${result}${counted}. On the path, the card after ${film.label(node)} ` +
    `shows ${short(wins)}/${visits}. What will its wins/visits be?`;
  const whose = film.isOutcome(node) ? "whose wins it counts" : "who moved there"; // chance did
  const shown = `One visit, and the reward of ${players[mover]}, ${whose}: ${right}.`;
  const options = texts.toSorted().map((one) => ({ text: one, right: one === right }));
  return { text, options, shown };
}
