// What stands beside the tree: what was compared, and the playout; and what all panels are made of.

import { MiniBoard, element, write } from "./board.js";
import { filled, fixed, short } from "./film.js";

const SHOTS = 6; // positions of a playout that fit in a row

/** No plain key leaves `host` for the notebook, where A adds a cell, X cuts one and D D deletes it. */
export function keepKeys(host) {
  host.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, shiftKey } = event;
    const runsCell = key === "Enter" && shiftKey;
    if (!altKey && !ctrlKey && !metaKey && !runsCell) event.stopPropagation();
  });
}

/** A button that says what it does, and more of it in its title. */
export function textButton(text, title, act, attributes = {}) {
  const button = element("button", { type: "button", title, ...attributes }, text);
  button.addEventListener("click", act);
  return button;
}

/** A button with a sign or a short word, which its title explains. */
export const signButton = (sign, title, act) => textButton(sign, title, act, { "aria-label": title });

/** A place for what went wrong, which is seen only then. */
export const alertPlace = () => element("p", { class: "alert", role: "alert" });

/** How far Python is with what takes long, and a button that ends it with what there is by now. */
export class Meter {
  constructor(label, title, stop) {
    this.bar = element("progress", { max: 1, value: 0, "aria-label": label });
    this.words = element("span", { class: "done" });
    this.stop = textButton("Stop", title, stop);
    this.element = element("div", { class: "thinking" }, this.bar, this.words, this.stop);
  }

  say(share, words) {
    this.bar.value = share ?? 0;
    write(this.words, words ?? "");
  }
}

/** Rows are made once and filled again, so a frame costs few changes to the page. */
export class Pool {
  constructor(parent, make) {
    this.parent = parent;
    this.make = make;
    this.items = [];
  }

  take(count) {
    while (this.items.length < count) {
      const item = this.make(this.items.length);
      this.items.push(item);
      this.parent.append(item.element);
    }
    this.items.forEach((item, place) => (item.element.hidden = place >= count));
    return this.items.slice(0, count);
  }
}

/**
 * What was compared, a row a move: statistics and score as stacked bars, the chosen move first; of
 * two films one beside the other, and by how much the scores differ.
 */
export class SelectionTable {
  constructor(films) {
    this.films = films;
    const alone = films.length === 1;
    this.alike = films.every(({ facts }) => facts.kind === films[0].facts.kind);
    this.titles = films.map(() => element("th", { class: "title", scope: "colgroup", colspan: alone ? 4 : 3 }));
    const legend = () => element("span", {}, element("i", { class: "mean" }), "\u00a0mean + ", element("i", { class: "exploration" }), "\u00a0exploration");
    const heads = films.flatMap(({ facts: { heads: [, share, bars, score] } }) => [share, alone && (bars.includes("+") ? legend() : bars), score]);
    const head = (text) => (text ? element("th", { scope: "col" }, text) : element("td"));
    this.heads = element("tr", {}, ...["move", ...heads, ...(alone ? [] : [this.alike && "B − A"])].map(head));
    this.body = element("tbody");
    this.detail = element("p", { class: "detail" });
    this.element = element("div", { class: alone ? "why" : "decisions", tabindex: "0", role: "group", "aria-label": "What was compared" },
      element("table", {}, element("thead", {}, element("tr", {}, !alone && element("td"), ...this.titles), this.heads), this.body), this.detail);
    this.rows = new Pool(this.body, () => this.#row());
  }

  #row() {
    const board = this.films[0].facts.board && new MiniBoard(this.films[0].facts.board);
    const label = element("span", { class: "move" });
    const sides = this.films.map(() => {
      const [share, score] = ["share", "score"].map((kind) => {
        const [now, after] = [element("div"), element("div", { class: "after" })];
        return { now, after, cell: element("td", { class: kind }, now, after) };
      });
      const [mean, exploration] = ["mean", "exploration"].map((kind) => element("span", { class: kind }));
      return { share, score, mean, exploration, bars: element("td", { class: "bars" }, element("div", {}, mean, exploration)) };
    });
    const apart = element("td", { class: "more" });
    const cells = sides.flatMap(({ share, bars, score }) => [share.cell, bars, score.cell]);
    return { element: element("tr", {}, element("th", { scope: "row" }, element("div", {}, board?.svg, label)), ...cells, sides[1] && apart), board, label, sides, apart };
  }

  /** By film: the frame on the screen, and the node to explain; -1 if that film has none. */
  paint(frames, nodes) {
    const { films } = this;
    const found = films.map((film, side) => (nodes[side] < 0 ? { title: "not in this tree", rows: [], longest: 1 } : film.comparison(frames[side], nodes[side])));
    const moves = new Map();
    found.forEach(({ title, rows }, side) => {
      write(this.titles[side], `${films[1] ? `${"AB"[side]}: ` : ""}${title}`);
      for (const row of rows) {
        const move = films[1] ? films[side].label(row.node) : row.node;
        if (!moves.has(move)) moves.set(move, []);
        moves.get(move)[side] = row;
      }
    });
    const taken = ([, sides]) => sides.some((row) => row?.chosen);
    const listed = [...moves].toSorted((a, b) => taken(b) - taken(a));
    const longest = Math.max(...found.map((one) => one.longest));
    this.heads.hidden = !listed.length;
    write(this.detail, films[1] ? "" : found[0].detail ?? "");
    this.rows.take(listed.length).forEach((item, place) => {
      const [, sides] = listed[place];
      const seen = sides[0] ? 0 : 1;
      const { node } = sides[seen];
      const label = films[seen].label(node);
      write(item.label, label);
      item.label.classList.toggle("long", label.length > 16);
      if (item.board) item.board.svg.style.display = label.length > 11 ? "none" : ""; // the label says it all
      item.element.className = sides[0]?.chosen && !films[1] ? "chosen" : "";
      item.board?.draw(films[seen].cells(node), films[seen].cellsBefore(node));
      item.sides.forEach(({ share, score, mean, exploration, bars }, side) => {
        const { share: visits = "–", score: value = "–", terms = [0, 0], chosen = false, after } = sides[side] ?? {};
        write(share.now, visits);
        write(score.now, value);
        write(share.after, after ? `→ ${after[0]}` : "");
        write(score.after, after ? `→ ${after[1]}` : "");
        [mean, exploration].forEach((bar, part) => (bar.style.width = `${terms[part] > 0 ? (100 * terms[part]) / (this.alike ? longest : found[side].longest) : 0}%`));
        for (const cell of [share.cell, bars, score.cell]) cell.classList.toggle("taken", chosen);
      });
      const apart = sides[1]?.value - sides[0]?.value;
      write(item.apart, Number.isFinite(apart) ? fixed(apart).replace(/^(?=\d)/, "+").replace("-", "−").replace(/^\+0\.00$/, "0") : this.alike ? "–" : "");
    });
  }
}

/** What stands below: of a search the playout, whose positions never enter the tree. */
export class PlayoutPanel {
  constructor(film) {
    this.film = film;
    this.title = element("div", { class: "title" });
    this.note = element("p");
    this.frames = element("div", { class: "frames", "aria-hidden": "true" });
    this.element = element("section", { class: "playout" }, this.title, this.frames, this.note);
    this.pool = new Pool(this.frames, () => this.#frame());
  }

  #frame() {
    const board = this.film.facts.board && new MiniBoard(this.film.facts.board);
    const label = element("span");
    return { element: element("span", { class: "shot" }, board?.svg, label), board, label };
  }

  paint(frame) {
    const { title, shots, note } = this.film.playoutPanel(frame);
    write(this.title, title);
    const left = shots.length - SHOTS;
    const seen = left > 0 ? [...shots.slice(0, 2), { gap: left + 1 }, ...shots.slice(-3)] : shots;
    this.pool.take(seen.length).forEach((item, place) => {
      const { label, cells, before, gap } = seen[place];
      item.element.classList.toggle("gap", Boolean(gap));
      write(item.label, gap ? `… ${gap} more` : item.board ? "" : label);
      if (cells) item.board.draw(cells, before);
      if (item.board) item.board.svg.style.display = gap ? "none" : "";
    });
    write(this.note, shots.length ? "" : note);
    this.frames.title = [shots.map(({ label }) => label).join(", "), note].filter(Boolean).join(": ");
  }
}

// Predict first: a step is held back until the reader has said what it will show. What is asked,
// the answers and what each of them means came with the film; they are looked up here.

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
  holds(iteration, phase) {
    if (!this.on) return false;
    if (!this.question) this.#ask(iteration, phase);
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

  #ask(iteration, phase) {
    const kind = this.film.facts.phases[phase];
    const asks = { select: this.#selection, expand: this.#expansion, backpropagate: this.#backpropagation };
    const asked = asks[kind]?.call(this, iteration);
    if (!asked) return;
    this.question = { iteration, phase, kind, ...asked };
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

  #column(name, iteration) {
    return this.film.columns[`ask_${name}`][iteration - 1];
  }

  /** Which child of the root will be selected. */
  #selection(iteration) {
    const { film, words } = this;
    const right = this.#column("right", iteration);
    if (!right) return null;
    const number = film.number(iteration);
    const children = film.below[0].filter((node) => film.births[node] < number);
    const score = new Map(children.map((node) => [node, film.scoreOf(node, number - 1).score]));
    const said = (node) => {
      if (node === right) return words.mistakes[0];
      const best = ["rate", "visits"].filter((name) => this.#column(name, iteration) === node).join(" ");
      const lead = fixed(score.get(right) - score.get(node));
      return filled(words.wrong[film.proof(node, number - 1) ? "passed" : best || "score"], { answer: film.label(node), right: film.label(right), lead });
    };
    const options = children.map((node) => ({ node, text: film.label(node), right: node === right, said: said(node) }));
    return { text: filled(words.select, { k: number }), options };
  }

  /** Which move can be added below the end of the selected path. */
  #expansion(iteration) {
    const { film, words } = this;
    const added = this.#column("added", iteration);
    if (!added) return null;
    const right = film.label(added);
    const option = (kind, text) => text && { text, right: kind === "right", said: filled(words.added[kind], { answer: text, right }) };
    const [had, past] = ["had", "past"].map((name) => film.label(this.#column(name, iteration)));
    const options = [option("right", right), option("had", had), option("past", past), option("nothing", "nothing")];
    return { text: filled(words.expand, { where: film.named(film.columns.parent[added]) }), options: this.#mixed(options.filter(Boolean), iteration) };
  }

  /** In an order that does not tell which is right. */
  #mixed(options, iteration) {
    const order = this.words.orders[this.#column("order", iteration)];
    return order.filter((place) => place < options.length).map((place) => options[place]);
  }

  /** What a card of the path will say when the result has been counted. */
  #backpropagation(iteration) {
    const { film, words } = this;
    const { columns, facts } = film;
    const answers = words.sets[this.#column("set", iteration)];
    if (!answers.length) return null;
    const path = film.pathTo(columns.leaf[iteration - 1]);
    const node = path.at(-1 - this.#column("above", iteration));
    const number = film.number(iteration);
    const { visits, wins } = film.statistics(node, number - 1);
    const player = facts.players[columns.player_just_moved[node]];
    const texts = answers.map(([more, visit]) => `${short(more === null ? this.#column("other", iteration) : wins + more)}/${visits + visit}`);
    const becomes = filled(words.shown.backpropagate, { right: texts[0] });
    const said = (mistake) => `${filled(words.mistakes[mistake], { player })}${mistake ? ` ${becomes}` : ""}`;
    const options = answers.map(([, , mistake], place) => ({ text: texts[place], right: !mistake, said: said(mistake) }));
    const old = columns.created_at[node] < number ? 1 : 0;
    const text = filled(words.backpropagate[old], { result: film.outcome(iteration).result, move: film.label(node), player, share: `${short(wins)}/${visits}` });
    return { text, options: this.#mixed(options, iteration) };
  }

  // Answering -------------------------------------------------------------------------------

  #answer({ right, said }) {
    this.asked += 1;
    if (right) this.right += 1;
    this.#goOn(said, right ? "✓" : "✗");
    write(this.score, filled(this.words.score, { right: this.right, asked: this.asked }));
  }

  #goOn(words, verdict = "") {
    const { iteration, phase } = this.question;
    this.#close();
    this.onAnswer(iteration, phase);
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
