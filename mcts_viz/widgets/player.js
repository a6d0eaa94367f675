// The player: a film, a place in it, and the controls that move it. It never asks the kernel for
// a frame.

import { write } from "./board.js";
import { unpack } from "./columns.js";
import { Film } from "./film.js";
import { Link } from "./link.js";
import { badge, drawBadge, lineOf } from "./marks.js";
import { MinimaxFilm } from "./minimax_film.js";
import { Aside, Comparison, element, signButton } from "./panels.js";
import { Predict } from "./predict.js";
import { RootStrip } from "./root.js";
import { Tools } from "./tools.js";
import { Tree } from "./tree.js";
import { TreeBar } from "./tree_bar.js";
import { Twin } from "./twin.js";
import { WhatIf } from "./whatif.js";

const PLAY_STEP = 700; // milliseconds a phase
const READING = 50; // milliseconds for which the tables stand still while the slider is dragged
const SHOWN = 30; // milliseconds after which the trees have been painted
const AFAR = 12; // cards that can be read from afar
const KINDS = { mcts: Film, minimax: MinimaxFilm };

class Player {
  /** `onMove(number, phase)` hears of every moment that the reader goes to. */
  constructor(film, onMove, extras) {
    this.film = film;
    this.onMove = onMove;
    this.extras = [...extras, new Link(film)]; // a button each, what it opens, and `paint`
    this.iteration = 1;
    this.phase = 0;
    this.focus = 0;
    this.large = false;
    this.hurried = false;
    this.explained = 0; // when the tables were last painted
    this.tree = new Tree(film, (node) => this.choose(node), () => this.review());
    this.treeBar = new TreeBar(film, this.tree);
    this.comparison = new Comparison(film, (node) => this.choose(node));
    this.aside = new Aside(film);
    this.root = new RootStrip(film, (iteration) => this.go(iteration, this.phase));
    this.twin = new Twin(film, (node) => this.choose(node));
    this.predict = new Predict(film, (iteration, phase) => this.go(iteration, phase));
    this.element = this.#build();
    for (const kind of ["keydown", "click"]) { // first the slider goes where it was put
      this.element.addEventListener(kind, () => this.sliding && this.#slide(), { capture: true });
    }
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #build() {
    const { film } = this;
    const { facts } = film;
    this.phases = facts.phases.map((name, phase) => {
      const button = element("button", { type: "button", class: `phase ${name}` },
        badge(facts.marks[phase], phase + 1), element("span", {}, worded(name)), lineOf(facts.marks[phase]));
      button.addEventListener("click", () => this.go(...film.toPhase(this.iteration, phase)));
      return button;
    });
    this.slider = element("input", {
      type: "range", min: 1, max: facts.iterations, step: 1, value: 1,
      "aria-label": "Iteration", title: `Ctrl or Shift with ← or →: ${film.wholeStep}`,
      "data-lm-suppress-shortcuts": "true",
    });
    this.slider.addEventListener("input", () => this.#onSlide());
    this.counter = element("output", { class: "counter" });
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.lines = facts.algorithm.lines.map((line) => element("code", {}, line));
    this.alert = element("p", { class: "alert", role: "alert", hidden: "" });
    this.playButton = signButton("Play", "Play or pause", () => this.togglePlay());
    this.truth = element("p", { class: "truth-words", role: "status", hidden: "" });
    this.tools = this.#switches();
    this.badge = badge(facts.marks[0], 1);
    return element("div", { class: "mcts-player", role: "group", "aria-label": facts.title, tabindex: "-1", "data-lm-suppress-shortcuts": "true" },
      element("div", { class: "head" }, element("strong", {}, facts.title), element("span", {}, facts.subtitle)),
      element("div", { class: "phases", role: "group", "aria-label": "Phase" }, ...this.phases),
      element("div", { class: "controls" },
        element("div", { class: "transport", role: "group", "aria-label": "Moving" },
          signButton("|◀", "First moment (Home)", () => this.go(1, 0)),
          signButton("◀", "Phase before (←)", () => this.step(-1)),
          signButton("▶", "Next phase (→)", () => this.step(1)),
          signButton("▶|", "Last moment (End)", () => this.go(facts.iterations, facts.phases.length - 1)),
          this.playButton),
        element("div", { class: "tools", role: "group", "aria-label": "Tools" },
          ...this.tools.buttons, ...this.extras.map(({ button }) => button))),
      element("div", { class: "timeline" }, this.slider, this.counter, ...this.root.elements),
      this.alert, this.truth, this.predict.element, ...this.extras.map((extra) => extra.element),
      element("div", { class: "stage" }, this.treeBar.element, this.tree.svg),
      element("ul", { class: "legend" }, ...film.legend.map((text) => element("li", {}, text))),
      this.twin.element,
      element("div", { class: "panels" },
        element("section", { class: "what" }, element("h3", {}, this.badge, "What happens"), this.words,
          element("pre", { "aria-label": "The algorithm, its current line marked", tabindex: "0" }, ...this.lines)),
        this.comparison.element, this.aside.element));
  }

  /** The switches of what this film has. */
  #switches() {
    const { truth, questions, root } = this.film.facts;
    return new Tools([
      truth && { key: "t", text: "Truth", title: "Exact values over the cards", isOn: () => !this.truth.hidden, flip: () => this.toggleTruth() },
      questions && { key: "p", text: "Predict", title: "Predict a step before it is shown", isOn: () => this.predict.on, flip: () => this.togglePredict() },
      root && { key: "r", text: "Root", title: "The moves at the root over time", isOn: () => this.root.shown, flip: () => this.toggle(this.root) },
      { key: "b", text: "Table", title: "The tree as a table", isOn: () => this.twin.shown, flip: () => this.toggle(this.twin) },
      { key: "l", text: "Large", title: "Large type, for a projector", isOn: () => this.large, flip: () => this.setLarge(!this.large) },
    ].filter(Boolean));
  }

  // Moving ----------------------------------------------------------------------------------

  /** Go to a moment; what lies outside the film is moved to its nearest end. */
  go(iteration, phase, told = false) {
    const { iterations, phases } = this.film.facts;
    const before = [this.iteration, this.phase].join();
    this.iteration = Math.max(1, Math.min(iterations, Math.round(iteration) || 1));
    this.phase = this.film.phaseAt(this.iteration, phase);
    if (!told || before !== [this.iteration, this.phase].join()) this.predict.cancel();
    this.#guarded(() => this.paint());
    if (!told) this.onMove(this.number, phases[this.phase]);
  }

  /** Go to an iteration of the search, or to the one before it that the film shows. */
  goTo(number, phase, told = false) {
    this.go(this.film.place(number), phase, told);
  }

  /** The iteration of the search that is on the screen. */
  get number() {
    return this.film.number(this.iteration);
  }

  /** Forward or back by so many phases; false if the film ends before, or waits for an answer. */
  step(phases) {
    const [iteration, phase] = this.film.after(this.iteration, this.phase, phases);
    if (iteration < 1 || iteration > this.film.facts.iterations) return false;
    if (phases === 1 && this.predict.holds(iteration, phase)) {
      this.pause();
      this.tree.bring(this.predict.nodes);
      return false;
    }
    this.go(iteration, phase);
    return true;
  }

  same(way) {
    this.go(...this.film.same(this.iteration, this.phase, way));
  }

  choose(node) {
    if (this.predict.answerNode(node)) return;
    this.focus = node;
    this.#guarded(() => this.paint());
  }

  /** Other cards are on the screen. */
  review() {
    this.treeBar.update();
    this.#guarded(() => this.paint());
  }

  togglePlay() {
    if (this.playing) return this.pause();
    this.playing = setInterval(() => this.step(1) || this.pause(), PLAY_STEP);
    this.playButton.textContent = "Pause";
  }

  pause() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.playButton.textContent = "Play";
  }

  leave() {
    this.pause();
    this.extras.forEach((extra) => extra.leave?.());
  }

  /** Show what exact play says, or hide it. */
  toggleTruth() {
    const shown = this.truth.hidden;
    this.truth.hidden = !shown;
    if (!this.film.facts.truth.unknown) this.tree.showTruth(shown);
    this.#guarded(() => this.paint());
  }

  /** Ask for a step before it is shown, or no more. */
  togglePredict() {
    this.predict.toggle();
    this.#keepFocus();
  }

  /** Show the moves at the root or the table, or hide them. */
  toggle(part) {
    part.show(!part.shown);
    this.#guarded(() => this.paint());
  }

  /** Large type and fewer words, to be read from afar; or as usual. `onLarge(large)` hears of it. */
  setLarge(large) {
    if (large === this.large) return;
    this.large = large;
    const { view, views } = this.film;
    const was = { root: this.root.shown, cards: view === views.whole ? 0 : view.cards.length };
    const { root, cards } = large ? { root: false, cards: Math.min(AFAR, view.cards.length) } : this.near;
    this.near = was; // comes back with the small type
    if (this.film.facts.root) this.root.show(root);
    this.element.classList.toggle("large", large);
    this.tree.leave();
    this.tree.most = large ? AFAR : Infinity;
    if (cards) this.tree.heaviest(cards);
    else this.tree.back();
    this.#keepFocus();
    this.onLarge?.(large);
  }

  /** A mouse can move more often than the screen shows a frame: one picture for each frame is enough. */
  #onSlide() {
    this.sliding ??= requestAnimationFrame(() => this.#slide());
  }

  #slide() {
    cancelAnimationFrame(this.sliding);
    this.sliding = undefined;
    this.hurried = performance.now() - this.explained < READING;
    this.go(Number(this.slider.value), this.phase);
    this.hurried = false;
  }

  #onKey(event) {
    const { altKey, ctrlKey, key, metaKey, shiftKey } = event;
    const whole = ctrlKey || shiftKey;
    const { iterations, phases } = this.film.facts;
    const act = {
      ArrowRight: () => (whole ? this.same(1) : this.step(1)),
      ArrowLeft: () => (whole ? this.same(-1) : this.step(-1)),
      Home: () => this.go(1, 0),
      End: () => this.go(iterations, phases.length - 1),
      Escape: () => this.predict.cancel() || this.tree.leave() || this.choose(0),
    }[key] ?? this.tools.keys[key] ?? this.tree.keys[key];
    if (!act || altKey || metaKey || (ctrlKey && key.length === 1)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  // Painting --------------------------------------------------------------------------------

  paint() {
    const { film, iteration, phase } = this;
    const { facts } = film;
    const frame = film.frame(iteration, phase);
    const onScreen = frame.strip.includes(this.focus)
      || frame.cards.some(({ node, shown }) => node === this.focus && shown);
    const focus = onScreen ? this.focus : 0;
    this.tree.paint(frame, focus);
    this.root.mark(frame);
    this.tools.update();
    this.extras.forEach((extra) => extra.paint(this));
    this.#explain(frame, focus);
    write(this.words, film.caption(iteration, phase));
    if (!this.truth.hidden) write(this.truth, film.truth(frame));
    this.phases.forEach((button, number) => button.setAttribute("aria-pressed", number === phase));
    if (this.element.dataset.phase !== facts.phases[phase]) drawBadge(this.badge, facts.marks[phase], phase + 1);
    this.lines.forEach((line, number) => line.classList.toggle("now", facts.algorithm.phase_lines[phase].includes(number)));
    this.slider.value = iteration;
    this.slider.setAttribute("aria-valuetext", `iteration ${this.number}, ${facts.phases[phase]}`);
    write(this.counter, `${this.number} / ${facts.total}`);
    this.#keepFocus();
    this.element.dataset.phase = facts.phases[phase];
    this.element.dataset.iteration = this.number;
  }

  /** The tables cost as much as the tree, so in a drag they follow it only as fast as one can read. */
  #explain(frame, focus) {
    clearTimeout(this.explaining);
    const now = performance.now();
    if (this.hurried) {
      this.due ??= Math.max(this.explained + READING, now + SHOWN);
      this.explaining = setTimeout(() => this.#guarded(() => this.#explain(frame, focus)), this.due - now);
      return;
    }
    this.explained = now;
    this.due = undefined;
    this.comparison.paint(frame, focus);
    this.aside.paint(frame);
    this.root.paint(frame);
    this.twin.paint(frame, focus, !this.truth.hidden);
  }

  /** Keys go on when the card or button that had the focus is not in the new picture. */
  #keepFocus() {
    const held = this.element.getRootNode().activeElement;
    const lost = this.element.contains(held) && held.closest('[hidden], [display="none"]');
    if (lost) this.element.focus({ preventScroll: true });
  }

  #guarded(act) {
    try {
      act();
      this.fault = "";
    } catch (error) {
      this.fault = `The player could not show this moment (${error.message}). Run the cell again.`;
    }
    this.#warn();
  }

  /** Show what Python says; "" if it has nothing to say. */
  say(text) {
    this.said = text;
    this.#warn();
  }

  #warn() {
    const text = this.fault || this.said || "";
    write(this.alert, text);
    this.alert.hidden = !text;
  }
}

/** "back_up" as "Back up". */
function worded(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replace("_", " ");
}

/** The film that these data hold. */
export async function openFilm(facts, packed) {
  return new KINDS[facts.kind](facts, await unpack(facts, packed));
}

/** Put a player into `host`; resolves to it. With a `model` Python can search on from its film. */
export async function mount(host, facts, packed, onMove, model) {
  const film = await openFilm(facts, packed);
  const whatIf = model && facts.what_if ? [new WhatIf(film, model, mount)] : [];
  const player = new Player(film, onMove, whatIf);
  host.replaceChildren(player.element, ...whatIf.map((extra) => extra.enter()));
  return player;
}
