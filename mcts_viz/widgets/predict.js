// Predict first: a step is held back until the reader has said what it will show. What is asked, and
// what each answer means, is made when it is asked, from the film's own numbers.

import { element, focusOn, group, heldIn, textButton, write } from "./elements.js";
import { precise, short } from "./words.js";

const BEGIN = "Go on with →: what can be told in advance is asked before it is shown.";
const MISTAKES = {
  right: () => "Right.",
  side: (player) => `That is the reward of the other player. ${player} moved into this card, `
    + `so it gets ${player}'s reward; the side changes from card to card.`,
  visit: () => "The visit is missing: each card of the path gets one, no matter who wins.",
  win: (player) => `That counts a win, whatever the result. The card gets ${player}'s reward for it.`,
  player: (player) => `Those are the other player's wins. The card counts for ${player}, who moved into it.`,
  reward: (player) => `The reward is missing: the card gets ${player}'s reward for this result.`,
};

// Each makes a question of the step to a moment, or says why there is none.
const QUESTIONS = {
  select: selection,
  expand: () => "any move without a node may be added",
  simulate: () => "chance alone decides a playout",
  backpropagate: backpropagation,
};

export class Predict {
  on = false;
  question = null; // the one that waits for an answer
  right = 0;
  asked = 0;

  /** `onAnswer(moment)` goes on to the moment that was held back. */
  constructor(film, onAnswer) {
    Object.assign(this, { film, onAnswer });
    this.text = element("p", { class: "question" });
    this.options = group("options", "Answers");
    this.group = element("div", { role: "group", tabindex: "-1", hidden: "" }, this.text, this.options);
    this.feedback = element("p", { class: "feedback", role: "status", "aria-live": "polite" });
    this.score = element("p", { class: "score", role: "status", "aria-live": "polite" });
    this.verdict = element("span", { class: "verdict", "aria-hidden": "true" });
    const answered = element("div", { class: "answered" }, this.verdict, this.feedback);
    this.element = group("predict", "Predict first", this.group, answered, this.score);
    this.element.hidden = true;
  }

  get player() {
    return this.element.closest(".mcts-player");
  }

  show(on) {
    this.cancel();
    this.on = on;
    this.element.hidden = !on;
    this.player.classList.toggle("predicting", on);
  }

  /** Whether a step to that moment must wait for an answer; asks, or keeps why it does not. */
  holds(moment) {
    if (this.on && !this.question) this.#ask(moment);
    return this.question !== null;
  }

  #ask(moment) {
    const { film, player } = this;
    const kind = film.facts.phases[moment.phase];
    const asked = QUESTIONS[kind](film, moment);
    if (typeof asked === "string") {
      this.reason = `Not asked: ${asked}.`; // is said with the step
      return;
    }
    this.question = { moment, ...asked };
    const answers = asked.options.map((option) =>
      textButton(option.text, option.text, () => this.#answer(option)));
    const show = textButton("Show me", "Go on without an answer", () => this.#goOn(asked.shown),
      { class: "show" });
    this.options.replaceChildren(...answers, show);
    write(this.text, asked.text);
    write(this.feedback, "");
    this.group.setAttribute("aria-label", asked.text);
    this.group.hidden = false;
    player.dataset.asking = kind;
    this.held = heldIn(player);
    if (this.held) focusOn(this.group); // not onto an answer, which a key that is held down would give
  }

  /** Take the open question back, and what was said about the last one; false if none was open. */
  cancel() {
    const open = this.question !== null;
    if (open) this.#close();
    this.#say(this.reason ?? (this.asked ? "" : BEGIN));
    this.reason = undefined;
    return open;
  }

  /** Take a card as the answer; false if it is none. */
  answerNode(node) {
    const option = this.question?.options.find((one) => one.node === node);
    if (option) this.#answer(option);
    return option !== undefined;
  }

  #answer({ right, said }) {
    this.asked += 1;
    if (right) this.right += 1;
    this.#goOn(said, right ? "✓" : "✗");
    write(this.score, `${this.right} of ${this.asked} predicted`);
  }

  #goOn(words, verdict) {
    const { moment } = this.question;
    this.#close();
    this.onAnswer(moment);
    this.#say(words, verdict);
  }

  #say(words, verdict = "") {
    write(this.feedback, words);
    write(this.verdict, verdict);
    this.verdict.dataset.right = verdict === "✓";
  }

  /** The focus goes back to where it was before the question. */
  #close() {
    const { player } = this;
    const inside = heldIn(this.group);
    this.question = null;
    delete player.dataset.asking; // first, for what is not seen takes no focus
    if (inside) focusOn(this.held ?? player);
    this.group.hidden = true;
  }
}

/** Which child will be selected at a level of the walk. */
function selection(film, { index, level }) {
  const frame = film.frame(index, 0);
  const node = frame.walk[level];
  const { chosen, lead, rows } = film.decision(frame, node);
  const where = film.named(node);
  if (chosen === undefined) {
    if (!level && film.facts.asked_first && frame.iteration === 1) return "these moves were asked for";
    const left = film.untried(node, frame.addedAt).length;
    return left ? "an untried move is left, so nothing is compared" : "the walk ends here";
  }
  if (Number.isNaN(lead)) return `${where} there is nothing to compare it with`;
  if (lead < 0) return `this search does not always follow the highest score, and ${where} it did not`;
  if (!lead) return `${where} two moves have the same score`;
  const right = rows.find((row) => row.node === chosen);
  const options = rows.map((row) => ({
    node: row.node, text: film.label(row.node), right: row === right,
    said: row === right ? "Right." : whyNot(film, row, right, rows),
  }));
  const text = level ? `The walk has come to the position ${where}. Which move will be selected there?`
    : `Iteration ${frame.iteration} begins. Which move will be selected at the root?`;
  return { text, options, shown: `${film.label(chosen)} is selected.` };
}

/** Why the move of a row is not selected, though it may lead in what does not decide. */
function whyNot(film, row, right, rows) {
  const gap = precise(right.score - row.score);
  const [other, one] = [film.label(row.node), film.label(right.node)];
  if (row.passed) return `${other} is proven, so the search passes it over. ${one} is selected.`;
  const leads = (of) => of(row) > of(right) && of(row) === Math.max(...rows.map(of));
  const mean = ({ visits, wins }) => (visits ? wins / visits : -Infinity);
  const wins = leads(mean) && "the highest win rate";
  const best = [wins, leads(({ visits }) => visits) && "the most visits"].filter(Boolean);
  if (!best.length) {
    return `${one} is selected: it scores ${gap} more than ${other}, and the highest score decides.`;
  }
  const but = wins ? "the score decides: win rate and exploration together"
    : "these decide only which move is played in the end";
  return `${other} has ${best.join(" and ")}, but ${but}. ${one} scores ${gap} more.`;
}

/** What a card of the path will say when the result has been counted. */
function backpropagation(film, { index }) {
  const { facts } = film;
  const { fullPath, iteration } = film.frame(index, 2);
  const isNew = (one) => film.births[one] >= iteration;
  const node = fullPath.findLast((one) => one && !isNew(one)) ?? fullPath[1];
  if (node === undefined) return "only the root is counted";
  const { visits, wins } = film.statistics(node, iteration - 1);
  const rewards = facts.gains[film.columns.outcome[index - 1]];
  const mover = film.playerOf(node);
  const player = facts.players[mover];
  const sums = facts.gains.map((gain) => gain.reduce((sum, one) => sum + one, 0));
  const isShared = rewards.length === 2 && sums.every((sum) => Math.abs(sum - sums[0]) < 1e-9);
  const answers = [
    ["right", wins + rewards[mover], 1],
    rewards.length > 1 && ["side", wins + rewards.at(mover - 1), 1],
    ["visit", wins + rewards[mover], 0],
    ["win", wins + Math.max(...facts.gains.flat()), 1],
    isShared && ["player", sums[0] * (visits + 1) - wins - rewards[mover], 1],
    ["reward", wins, 1],
  ].filter(Boolean);
  const options = new Map(); // by text, the first mistake that leads to it
  for (const [mistake, total, visit] of answers) {
    const text = `${short(total)}/${visits + visit}`;
    if (!options.has(text)) options.set(text, { text, right: mistake === "right", mistake });
  }
  const after = film.statistics(node, iteration);
  const right = `${short(after.wins)}/${after.visits}`;
  if (options.size < 3 || !options.get(right)?.right) return "the answers would be the same";
  const shown = `It becomes ${right}.`;
  const list = [...options.values()].slice(0, 4).map((one) => ({
    ...one, said: `${MISTAKES[one.mistake](player)}${one.right ? "" : ` ${shown}`}`,
  }));
  const { result } = film.outcome(index);
  const [card, stands] = isNew(node) ? ["The new card", ""]
    : ["The last card of the path that was there before", ` and stands at ${short(wins)}/${visits}`];
  const text = `The result: ${result}. ${card}, after ${film.label(node)}, was moved into by ${player}`
    + `${stands}. What will its wins/visits be?`;
  return { text, options: mixed(list, index), shown };
}

/** In an order that does not tell which is right, and is the same whenever it is asked. */
function mixed(options, index) {
  const keyed = options.map((option, place) => [Math.imul(index * 7 + place + 1, 0x9e3779b1) >>> 0, option]);
  return keyed.toSorted(([a], [b]) => a - b).map(([, option]) => option);
}
