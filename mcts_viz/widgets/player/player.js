// The player: a film, a moment of it, and the controls that move it, on one screen. It never asks
// the kernel for a frame.

import { unpack } from "../data/columns.js";
import { MinimaxFilm } from "../data/minimax_film.js";
import { Film } from "../data/search_film.js";
import {
  alertPlace,
  assign,
  element,
  focusOn,
  group,
  heldIn,
  nodeAt,
  signButton,
  textButton,
  wantsNoMotion,
  write,
} from "../picture/elements.js";
import { View } from "../picture/view.js";
import { Findings } from "./findings.js";
import { onKey } from "./keys.js";
import { Moment } from "./moment.js";
import { PhaseAnimation } from "./phase_animation.js";
import { Playback } from "./playback.js";
import { PlayoutBoard } from "./playout_board.js";
import { Predict } from "./predict.js";
import { RootHistory } from "./root_history.js";
import { SelectionTable } from "./selection_table.js";
import { Toolbar } from "./toolbar.js";
import { WhatIf } from "./what_if.js";

const KINDS = { mcts: Film, minimax: MinimaxFilm };

const HURRY = 250; // milliseconds: a key that repeats sooner wants no motion
const READING = 50; // in a drag the tables follow only so fast,
const REST = 100; // and what they left out comes when the hand rests
const [LOWEST, HIGHEST, ROOM] = [470, 900, 56]; // the player's height, and what its window keeps
const NOTEBOOK = ".jp-WindowedPanel-outer, .jp-Notebook, .jp-NotebookPanel-notebook";
const WHEEL = 1.0015; // how much a pixel of the wheel zooms
const HINT = "Keys, after a click: ← → step · Space plays · V close-up · Escape back · ? help";

export class Player extends Moment {
  view = "river"; // or "walk", close up
  offset = 0; // added to iterations where they are shown
  explained = 0; // when the tables were filled,
  moved = 0; // and when a key last moved the film
  left = new AbortController();

  /** `onMove(iteration, phase)` hears of every moment that the reader goes to. */
  constructor(film, onMove, whatIf, { tools = [], view } = {}) {
    super(film);
    Object.assign(this, { onMove, whatIf, view: view ?? "river" });
    this.animation = new PhaseAnimation(film);
    this.picture = new View(film);
    this.selectionTable = new SelectionTable(film);
    this.playout = new PlayoutBoard(film);
    this.rootHistory = new RootHistory(film);
    this.findings = film.facts.findings && new Findings(this);
    this.playback = new Playback(this);
    if (film.facts.kind === "mcts")
      this.predict = new Predict(this, (moment) => this.#arrive(moment));
    this.element = this.#build(tools);
    this.#listen();
    for (const name of tools) if (name !== "whatif") this.toolbar.flip(name, true); // its button is enough
  }

  #build(tools) {
    const {
      film,
      film: { facts },
    } = this;
    this.toolbar = new Toolbar(this, tools);
    this.keys = { ...this.toolbar.keys, s: () => this.playback.faster() };
    this.phases = facts.phases.map((name, phase) => this.#phaseButton(name, phase));
    this.slider = element("input", {
      type: "range",
      min: 1,
      max: facts.iterations,
      step: 1,
      value: 1,
      "aria-label": "Iteration",
      title: `Ctrl or Shift with ← or →: ${film.wholeStep}`,
    });
    this.counter = element("output", { class: "counter" });
    this.track = element("div", { class: "track" }, this.rootHistory.element, this.slider);
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.code = element("pre", { "aria-label": "The line of the algorithm" });
    this.alert = alertPlace();
    this.crumbs = element("nav", {
      class: "crumbs",
      "aria-label": "From the root to the top",
      hidden: "",
    });
    this.stage = element(
      "div",
      { class: "stage" },
      this.picture.element,
      this.playout.element,
      this.crumbs,
    );
    this.transport = group(
      "transport",
      "Moving",
      signButton("◀", "Step before (←)", () => this.step(-1)),
      signButton("▶", "Next step (→)", () => this.step(1)),
      this.playback.button,
      this.playback.speed,
    );
    this.controls = element(
      "div",
      { class: "controls" },
      this.transport,
      group("phases", "Phase", ...this.phases),
      this.toolbar.element,
    );
    this.timeline = element("div", { class: "timeline" }, this.track, this.counter);
    const hint = element("p", { class: "hint" }, HINT);
    const screen = element(
      "div",
      { class: "screen" },
      element("div", { class: "left" }, this.stage, hint),
      element(
        "div",
        { class: "side" },
        this.alert,
        this.words,
        this.findings?.list,
        this.code,
        this.toolbar.drawer,
        this.selectionTable.element,
      ),
    );
    return assign(group("mcts-player", facts.title, this.controls, this.timeline, screen), {
      tabindex: -1,
    });
  }

  #phaseButton(name, phase) {
    const text = `${phase + 1} ${name.charAt(0).toUpperCase()}${name.slice(1).replace("_", " ")}`;
    const go = () => this.go(...this.film.toPhase(this.index, phase));
    this.keys[phase + 1] = go;
    return textButton(text, "", go, { class: `phase ${name}`, "data-text": text });
  }

  #listen() {
    const { element: root, picture, slider, stage, toolbar } = this;
    slider.addEventListener("input", () =>
      this.hurry(() => this.go(Number(slider.value), this.phase)),
    );
    root.addEventListener("keydown", (event) => onKey(this, event));
    root.addEventListener("pointerdown", ({ target }) => {
      if (!toolbar.element.contains(target)) toolbar.flip("menu", false);
    });
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("pointerover", ({ target }) => this.hover(nodeAt(target))); // of cards and rows
    root.addEventListener("pointerleave", () => this.hover(undefined));
    stage.addEventListener("focusin", ({ target }) => {
      if (nodeAt(target) !== undefined) picture.rove(nodeAt(target));
    });
    stage.addEventListener("wheel", (event) => this.#zoom(event), { passive: false });
    const observer = new ResizeObserver(() => this.resize());
    for (const part of [root, stage]) observer.observe(part);
    addEventListener("resize", () => this.resize(), { signal: this.left.signal });
  }

  /** A card or a row is explained; in the picture what was clicked becomes the top as well. */
  #click(event) {
    const { picture, stage } = this;
    const node = nodeAt(event.target) ?? this.#pointed(event);
    if (node === undefined) return;
    if (stage.contains(event.target) && !picture.element.contains(event.target)) return;
    if (picture.element.contains(event.target)) this.enter(node);
    else this.choose(node);
  }

  /** The node whose ribbon is below the pointer. */
  #pointed({ clientX, clientY, target }) {
    if (!this.picture.element.contains(target)) return undefined;
    const { left, top } = this.stage.getBoundingClientRect();
    return this.picture.nodeAt(clientX - left, clientY - top);
  }

  /** Pinch, or the wheel with Ctrl: a plain wheel scrolls the notebook. */
  #zoom(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.picture.zoomAt(
      event.clientX - this.stage.getBoundingClientRect().left,
      WHEEL ** -event.deltaY,
    );
    this.repaint();
  }

  /** The window says how high the player is, and the player how large the picture. */
  resize() {
    const { element: root, stage } = this;
    if (!root.isConnected || !root.clientWidth) return;
    const room = root.closest(NOTEBOOK)?.clientHeight ?? innerHeight;
    const height = Math.max(
      LOWEST,
      Math.min(HIGHEST, room - (root.closest(".embedded") ? 0 : ROOM)),
    );
    (root.closest(".mcts-compare") ?? root).style.setProperty("--player-height", `${height}px`);
    const size = [Math.max(200, stage.clientWidth), Math.max(110, stage.clientHeight)];
    if (size.join() === this.size) return;
    this.size = size.join();
    this.picture.resize(...size);
    this.setView(this.view);
  }

  /** Show the river, or the walk of this iteration close up. */
  setView(view, calm = false) {
    this.view = this.picture.mode = view;
    this.animation.finish();
    this.element.dataset.view = view;
    write(this.toolbar.switches.view.button, view === "walk" ? "River" : "Close-up");
    this.repaint(calm);
  }

  // Moving ----------------------------------------------------------------------------------

  /** Stand at the end, and tell what the root has learnt instead of the last walk, until the next step. */
  tellRoot() {
    this.go(this.film.facts.iterations, this.film.facts.phases.length - 1, true);
    this.rootTold = [this.index, this.phase].join();
    this.repaint();
  }

  /** Go to a moment; what lies outside the film is moved to its nearest end. */
  go(index, phase, told = false) {
    this.#arrive({ index, phase }, { told });
  }

  /** Of a moment that was `told` by others nobody is told; `calm` lets what stays glide to its place. */
  #arrive(moment, { told = false, calm = false } = {}) {
    this.stand(moment);
    this.predict?.cancel();
    this.animation.finish();
    this.repaint(calm);
    if (!told) this.onMove(this.iteration, this.film.facts.phases[this.phase]);
  }

  /**
   * Go to an iteration of the search, or to the one before it that the film shows; returns where it
   * then stands.
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
    this.#arrive(moment, { calm });
    if (calm && way === 1) this.animation.play(this.picture, this.frame, this);
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
    if (this.view === "river" && !this.predict?.question) this.picture.lift(node);
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
    this.hurried = true;
    act();
    this.hurried = false;
    this.resting = setTimeout(() => this.repaint(), REST);
  }

  // Painting --------------------------------------------------------------------------------

  /** Paint the moment where it stands; what cannot be painted is said. */
  repaint(calm = false) {
    if (!this.size) return;
    clearTimeout(this.resting);
    try {
      this.#paint(calm);
      this.say(this.said);
    } catch (error) {
      write(
        this.alert,
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
    if (film.births[this.focus] > frame.addedAt) this.focus = 0;
    const { focus } = this;
    const truth = this.toolbar.isOn("truth") ? (node) => film.exact(node) : undefined;
    picture.paint(frame, { calm, focus, hideNewNode: guesses, truth });
    this.findings?.paint(frame, picture);
    picture.rove(focus);
    this.#crumbs();
    this.rootHistory.mark(frame);
    this.#explain(frame);
    this.#controls(frame);
    if (this.hovered !== undefined) this.hover(this.hovered); // on what was drawn anew
    if (heldIn(this.element)?.closest('[hidden], [display="none"]')) focusOn(this.element); // keys go on
  }

  /** Where the player stands, on its controls. */
  #controls(frame) {
    const {
      film,
      focus,
      index,
      phase,
      film: { facts },
    } = this;
    this.phases.forEach((button, number) => {
      assign(button, { "aria-pressed": number === phase, tabindex: number === phase ? 0 : -1 });
    });
    this.slider.value = index;
    assign(this.slider, {
      "aria-valuetext": `${film.unit} ${this.iteration}, ${facts.phases[phase]}`,
    });
    write(this.counter, `${this.iteration + this.offset} / ${facts.total + this.offset}`);
    Object.assign(this.element.dataset, {
      phase: facts.phases[phase],
      iteration: this.iteration,
      level: Math.max(0, frame.walk.indexOf(focus)),
    });
  }

  /** The way from the root to the top, each step a button that leads back to it. */
  #crumbs() {
    const { crumbs, film, picture, view } = this;
    const nodes = view === "river" ? picture.trailToTop : [0];
    crumbs.hidden = nodes.length < 2;
    if (crumbs.hidden || this.crumbed === nodes.join()) return;
    this.crumbed = nodes.join();
    crumbs.replaceChildren(
      ...nodes.map((node) =>
        textButton(node ? film.label(node) : "root", "Make it the top", () => this.enter(node)),
      ),
    );
  }

  /** The tables cost as much as the tree, so in a drag they follow it only as fast as one can read. */
  #explain(frame) {
    if (this.hurried && performance.now() < this.explained + READING) return;
    this.explained = performance.now();
    const { film, focus } = this;
    const { level, levels } = frame;
    const isTold = this.rootTold === [this.index, this.phase].join();
    if (!isTold) this.rootTold = undefined;
    this.element.toggleAttribute("data-root-told", isTold);
    const caption = level < levels - 1 ? film.levelCaption(frame, level) : film.caption(frame);
    write(this.words, isTold ? film.rootStory(frame) : caption);
    if (this.onExplain)
      this.onExplain(); // in a pair, whose table says it
    else {
      write(this.code, film.code(frame));
      this.selectionTable.paint(frame, focus);
    }
    this.playout.paint(frame, this.picture);
    this.toolbar.paint(frame);
  }

  /** Show what Python says; "" if it has nothing to say. */
  say(text = "") {
    this.said = text;
    write(this.alert, text);
  }
}

/** The film that these data hold. */
export async function openFilm(facts, packed) {
  return new KINDS[facts.kind](facts, await unpack(facts, packed));
}

/** Put a player into `host`. With a `model` Python can search on from its film. */
export async function mount(host, facts, packed, onMove, { model } = {}) {
  const film = await openFilm(facts, packed);
  const whatIf = model && facts.what_if && new WhatIf(film, model, mount);
  const player = new Player(film, onMove, whatIf, facts.options);
  host.replaceChildren(player.element, whatIf?.host ?? "");
  player.resize();
  return player;
}

/** Open a player, or a pair, as an address says, else at `moment`; what it does not know is left out. */
export function openAt(shown, text, { phases }, moment) {
  const said = new URLSearchParams(text);
  const [, iteration, phase] = /^([0-9]{1,9})(?:\.([a-z_]{1,20}))?$/.exec(said.get("at")) ?? [];
  if (["river", "walk"].includes(said.get("view"))) shown.setView?.(said.get("view"));
  shown.goTo(...(iteration ? [Number(iteration), Math.max(0, phases.indexOf(phase))] : moment));
  if (said.has("autoplay") && !wantsNoMotion())
    shown.playback?.toggle(true, Number(said.get("end") ?? NaN));
}
