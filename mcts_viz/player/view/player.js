// The player: a film, a moment of it (moment.js), and the screen that shows it (screen.js), moved by keys
// (keys.js) and by hand (hand.js). It never asks the kernel for a frame.

import { focusOn, heldIn, wantsNoMotion, write } from "../picture/elements.js";
import { View } from "../picture/view.js";
import { Findings } from "./findings.js";
import { listen } from "./hand.js";
import { keysOf } from "./keys.js";
import { Moment } from "./moment.js";
import { PhaseAnimation } from "./phase_animation.js";
import { Playback } from "./playback.js";
import { PlayoutBoard } from "./playout_board.js";
import { Predict } from "./predict.js";
import { RootHistory } from "./root_history.js";
import { Screen } from "./screen.js";
import { SelectionTable } from "./selection_table.js";
import { Toolbar } from "./toolbar.js";

const SMALL = 60; // iterations: so many open in Select with the ladder
const HURRY = 250; // milliseconds: a key that repeats faster wants no motion
const READING = 50; // in a drag the tables follow only so fast,
const REST = 100; // and what they left out comes when the hand rests

export class Player extends Moment {
  view; // "river" or "walk", the ladder, once it was asked for; else as the moment has it
  isDragged = false; // through iterations, to see the tree grow
  offset = 0; // added to iterations where they are shown
  explained = 0; // when the tables were filled,
  moved = 0; // and when a key last moved the film
  left = new AbortController();

  /** `onMove(iteration, phase)` hears of every moment that the reader goes to. */
  constructor(film, onMove, whatIf, { tools = [], view } = {}) {
    super(film);
    Object.assign(this, { onMove, whatIf, view: view ?? undefined });
    this.animation = new PhaseAnimation(film);
    this.picture = new View(film);
    this.selectionTable = new SelectionTable(film);
    this.playout = new PlayoutBoard(film);
    this.rootHistory = new RootHistory(film);
    this.findings = film.facts.findings && new Findings(this);
    this.playback = new Playback(this);
    if (film.facts.kind === "mcts")
      this.predict = new Predict(this, (moment) => this.#arrive(moment));
    this.toolbar = new Toolbar(this, tools);
    this.screen = new Screen(this);
    this.element = this.screen.element;
    this.keys = keysOf(this);
    listen(this);
    for (const name of tools) if (name !== "whatif") this.toolbar.flip(name, true); // its button is enough
  }

  /** The window may have grown or shrunk, and with it the picture. */
  resize() {
    const size = this.screen.fit();
    if (!size || size.join() === this.size) return;
    this.size = size.join();
    this.picture.resize(...size);
    this.repaint();
  }

  /** Show the river, or the ladder of this iteration's walk, from now on. */
  setView(view, calm = false) {
    this.view = view;
    this.repaint(calm);
  }

  /** What is shown at a moment: while a tree is small, a step to Select shows its decisions. */
  #viewAt({ iteration, phase, walk }) {
    if (this.view) return this.view;
    const isCalm = !this.isDragged && !this.isPaired && !this.predict?.on;
    return isCalm && phase === 0 && iteration <= SMALL && walk.length > 1 ? "walk" : "river";
  }

  // Moving ----------------------------------------------------------------------------------

  /** Go to the end, and say what the root has learnt instead of the last walk, until the next step. */
  tellRoot() {
    this.go(this.film.facts.iterations, this.film.facts.phases.length - 1, true);
    this.rootTold = [this.index, this.phase].join();
    this.repaint();
  }

  /** Go to a moment; what lies outside the film is moved to its nearest end. */
  go(index, phase, told = false) {
    this.#arrive({ index, phase }, { told });
  }

  /** Go to a phase of this iteration, or where the next one is that happens. */
  toPhase(phase) {
    this.isDragged = false;
    this.go(...this.film.toPhase(this.index, phase));
  }

  /** A moment that was `told` by others is not told again; `calm` lets what stays glide to its place. */
  #arrive(moment, { told = false, calm = false } = {}) {
    this.stand(moment);
    this.predict?.cancel();
    this.repaint(calm);
    if (!told) this.onMove(this.iteration, this.film.facts.phases[this.phase]);
  }

  /**
   * Go to an iteration of the search, or to the one before it that the film shows; returns where it
   * then is.
   */
  goTo(iteration, phase, told = false) {
    this.go(this.film.indexOf(iteration), phase, told);
    return [this.iteration, this.film.facts.phases[this.phase]];
  }

  /**
   * Forward or back by a phase, in Select by a level; false if the film ends before, or waits for
   * an answer.
   */
  step(way) {
    const moment = this.next(way);
    if (!moment || (way === 1 && this.predict?.holds(moment))) return false;
    const calm = this.#calm();
    this.isDragged = false;
    this.#arrive(moment, { calm });
    if (calm && way === 1) this.animation.play(this.picture, this.frame, this);
    return true;
  }

  /** To the next phase (1) or the one before (-1), which may be another iteration's; false at an end. */
  stepPhase(way) {
    const [index, phase] = this.film.after(this.index, this.phase, way);
    if (index < 1 || index > this.film.facts.iterations) return false;
    this.isDragged = false;
    this.#arrive({ index, phase }, { calm: this.#calm() });
    return true;
  }

  /** Whether there is time for motion, not while a key is held down, and a wish for it. */
  #calm() {
    const { moved } = this;
    this.moved = performance.now();
    return this.moved - moved > HURRY && !wantsNoMotion();
  }

  /** What is pointed at, in the picture or the race, is marked in both. */
  hover(node) {
    this.hovered = node;
    for (const one of this.element.querySelectorAll("[data-node]")) {
      one.classList.toggle("hovered", one.dataset.node === String(node));
    }
  }

  stepIteration(way) {
    const before = this.index;
    this.#arrive(this.nextIteration(way), { calm: this.#calm() });
    return this.index !== before;
  }

  /** Explain the decision at a node; at none: go back to the root's. */
  choose(node = 0) {
    if (this.predict?.answerNode(node)) return;
    this.focus = node;
    const level = this.frame.walk.indexOf(node);
    if (this.level !== undefined && level >= 0) this.level = level;
    this.repaint(!wantsNoMotion());
  }

  /** Explain a node, and in the river make it the top of the picture. */
  enter(node) {
    if (this.picture.mode === "river" && !this.predict?.question) this.picture.lift(node);
    this.choose(node);
  }

  /**
   * One step back: out of the menu, a panel in the way, a question, a look elsewhere, or what `goOut()`
   * leads out of; false if there is none.
   */
  back() {
    if (this.toolbar.close() || this.predict?.cancel()) return true;
    const { picture } = this;
    if (picture.zoom > 1) {
      Object.assign(picture, { zoom: 1, pan: 0 });
      this.repaint(true);
    } else if (picture.top) this.enter(picture.trailToTop.at(-2));
    else if (this.focus) this.choose(0);
    else if (this.goOut) this.goOut();
    else return false;
    return true;
  }

  leave() {
    this.playback.toggle(false);
    this.left.abort();
    this.animation.finish();
    this.whatIf?.leave();
  }

  /** Move while what cannot be read yet may follow when the hand rests. */
  hurry(act) {
    this.hurried = this.isDragged = true;
    act();
    this.hurried = false;
    this.resting = setTimeout(() => this.repaint(), REST);
  }

  // Painting --------------------------------------------------------------------------------

  /** Paint the moment where it is; what cannot be painted is said. */
  repaint(calm = false) {
    if (!this.size) return;
    clearTimeout(this.resting);
    this.animation.finish(); // while the cards that it moves are still there
    try {
      this.#paint(calm);
      this.say(this.said);
    } catch (error) {
      write(
        this.screen.alert,
        `The player could not show this moment (${error.message}). Run the cell again.`,
      );
    }
  }

  #paint(calm) {
    const { film, index, phase, picture } = this;
    const guesses = this.predict?.on && phase === 0; // and is shown no more than was told
    const level = this.level ?? (guesses ? 0 : undefined);
    const frame = film.frame(index, phase, level);
    this.frame = frame;
    picture.mode = this.#viewAt(frame);
    this.screen.showView(picture.mode);
    this.element.toggleAttribute("data-guarded", Boolean(this.predict?.guards()));
    if (film.births[this.focus] > frame.addedAt) this.focus = 0;
    this.#paintPicture(frame, { calm, hideNewNode: guesses });
    const way = picture.mode === "river" ? picture.trailToTop : [0];
    this.screen.showWay(way, (node) => this.enter(node));
    this.rootHistory.mark(frame);
    this.#explain(frame);
    this.screen.mark(this, frame);
    if (this.hovered !== undefined) this.hover(this.hovered); // on what was drawn again
    if (heldIn(this.element)?.closest('[hidden], [display="none"]')) focusOn(this.element); // keys go on
  }

  #paintPicture(frame, options) {
    const { film, focus, picture } = this;
    const truth = this.toolbar.isOn("truth") ? (node) => film.exact(node) : undefined;
    picture.paint(frame, { ...options, focus, truth });
    this.findings?.paint(frame, picture);
    picture.rove(focus);
  }

  /** The tables cost as much as the tree, so in a drag they follow it only as fast as one can read. */
  #explain(frame) {
    if (this.hurried && performance.now() < this.explained + READING) return;
    this.explained = performance.now();
    const { film, focus, screen } = this;
    const { level, levels } = frame;
    const isTold = this.rootTold === [this.index, this.phase].join();
    if (!isTold) this.rootTold = undefined;
    this.element.toggleAttribute("data-root-told", isTold);
    const caption = level < levels - 1 ? film.levelCaption(frame, level) : film.caption(frame);
    write(screen.words, isTold ? film.rootStory(frame) : caption);
    if (this.onExplain)
      this.onExplain(); // in a pair, whose table says it
    else {
      write(screen.code, film.code(frame));
      this.selectionTable.paint(frame, focus);
    }
    this.playout.paint(frame, this.picture);
    this.toolbar.paint(frame);
  }

  /** Show what Python says; "" if it has nothing to say. */
  say(text = "") {
    this.said = text;
    write(this.screen.alert, text);
  }
}
