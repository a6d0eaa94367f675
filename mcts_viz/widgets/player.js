// The player: a film, a moment of it, and the controls that move it, on one screen. It never asks
// the kernel for a frame.

import { unpack } from "./columns.js";
import {
  alertPlace, assign, element, focusOn, group, heldIn, signButton, textButton, wantsNoMotion, write,
} from "./elements.js";
import { Findings } from "./findings.js";
import { Icicle } from "./icicle.js";
import { MinimaxFilm } from "./minimax_film.js";
import { PhaseAnimation } from "./phase_animation.js";
import { Playback } from "./playback.js";
import { PlayoutBoard } from "./playout_board.js";
import { Predict } from "./predict.js";
import { RootHistory } from "./root_history.js";
import { Film } from "./search_film.js";
import { SelectionTable } from "./selection_table.js";
import { Toolbar } from "./toolbar.js";
import { Tree } from "./tree.js";
import { Walk } from "./walk.js";
import { WhatIf } from "./what_if.js";

const KINDS = { mcts: Film, minimax: MinimaxFilm };

const HURRY = 250; // a key that repeats sooner wants no motion
// Milliseconds that in a drag the tables are behind, and rivals below the root's moves wait for rest.
const [READING, REST] = [50, 100];
const [LOWEST, HIGHEST, ROOM] = [470, 720, 56]; // the player's height, and what its window keeps
const NOTEBOOK = ".jp-WindowedPanel-outer, .jp-Notebook, .jp-NotebookPanel-notebook";
const STRIP = 84; // pixels: the height of the icicle below the walk
const HINT = "Keys, after a click: ← → step · Space plays · V other view · Escape back · ? help";

export class Player {
  index = 1; // where it stands: an index of the film and a phase,
  phase = 0;
  level; // and in Select a level of the walk, if not all of it is in sight
  focus = 0; // the node whose decision is explained
  view; // "walk" or "tree"; before it has a size what was asked for, if anything was
  offset = 0; // added to iterations where they are shown
  explained = 0; // when the tables were filled,
  moved = 0; // and when a key last moved the film
  left = new AbortController();

  /** `onMove(iteration, phase)` hears of every moment that the reader goes to. */
  constructor(film, onMove, whatIf, { tools = [], view } = {}) {
    Object.assign(this, { film, onMove, whatIf, view });
    this.animation = new PhaseAnimation(film);
    this.walk = new Walk(film);
    const onChoose = (node) => {
      this.choose(node);
      this.setView("walk");
    };
    const hands = { onChoose, onHover: (node) => this.hover(node) };
    this.icicle = new Icicle(film, hands);
    this.tree = film.facts.tree && new Tree(film);
    this.selectionTable = new SelectionTable(film);
    this.playout = new PlayoutBoard(film);
    this.rootHistory = new RootHistory(film);
    this.findings = film.facts.findings && new Findings(this);
    this.playback = new Playback(this);
    if (film.facts.kind === "mcts") this.predict = new Predict(this, (moment) => this.#arrive(moment));
    this.element = this.#build(tools);
    this.#listen();
    for (const name of tools) if (name !== "whatif") this.toolbar.flip(name, true); // its button is enough
  }

  #build(tools) {
    const { film, film: { facts } } = this;
    this.toolbar = new Toolbar(this, tools);
    this.keys = { ...this.toolbar.keys, s: () => this.playback.faster() };
    this.phases = facts.phases.map((name, phase) => {
      const text = `${phase + 1} ${name.charAt(0).toUpperCase()}${name.slice(1).replace("_", " ")}`;
      const go = () => this.go(...film.toPhase(this.index, phase));
      this.keys[phase + 1] = go;
      return textButton(text, "", go, { class: `phase ${name}`, "data-text": text });
    });
    this.slider = element("input", {
      type: "range", min: 1, max: facts.iterations, step: 1, value: 1, "aria-label": "Iteration",
      title: `Ctrl or Shift with ← or →: ${film.wholeStep}`,
    });
    this.counter = element("output", { class: "counter" });
    this.track = element("div", { class: "track" }, this.rootHistory.element, this.slider);
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.code = element("pre", { "aria-label": "The line of the algorithm" });
    this.alert = alertPlace();
    this.stage = element("div", { class: "stage" }, this.walk.element, this.tree?.element);
    this.strip = element("div", { class: "strip" });
    this.transport = group("transport", "Moving",
      signButton("◀", "Step before (←)", () => this.step(-1)),
      signButton("▶", "Next step (→)", () => this.step(1)), this.playback.button, this.playback.speed);
    this.controls = element("div", { class: "controls" },
      this.transport, group("phases", "Phase", ...this.phases), this.toolbar.element);
    this.timeline = element("div", { class: "timeline" }, this.track, this.counter);
    const hint = element("p", { class: "hint" }, HINT);
    const screen = element("div", { class: "screen" },
      element("div", { class: "left" }, this.stage, hint, this.strip),
      element("div", { class: "side" }, this.alert, this.words, this.findings?.list, this.code,
        this.toolbar.drawer, this.selectionTable.element, this.playout.element));
    return assign(group("mcts-player", facts.title, this.controls, this.timeline, screen), { tabindex: -1 });
  }

  #listen() {
    const { element: root, slider, stage, toolbar } = this;
    const withNode = (act) => ({ target }) => {
      const node = nodeAt(target);
      if (node !== undefined) act(node);
    };
    slider.addEventListener("input", () => this.hurry(() => this.go(Number(slider.value), this.phase)));
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("pointerdown", ({ target }) => {
      if (!toolbar.element.contains(target)) toolbar.flip("menu", false);
    });
    root.addEventListener("click", withNode((node) => this.choose(node)));
    root.addEventListener("pointerover", ({ target }) => this.hover(nodeAt(target))); // of cards and rows
    root.addEventListener("pointerleave", () => this.hover(undefined));
    stage.addEventListener("focusin", withNode((node) => this.picture.rove(node)));
    const observer = new ResizeObserver(() => this.resize());
    for (const part of [root, stage]) observer.observe(part); // the whole tree takes the strip's place
    addEventListener("resize", () => this.resize(), { signal: this.left.signal });
  }

  /** The window says how high the player is, and the player how large the tree. */
  resize() {
    const { element: root, stage } = this;
    if (!root.isConnected || !root.clientWidth) return;
    const room = root.closest(NOTEBOOK)?.clientHeight ?? innerHeight;
    const height = Math.max(LOWEST, Math.min(HIGHEST, room - (root.closest(".embedded") ? 0 : ROOM)));
    const pair = root.closest(".mcts-compare");
    (pair ?? root).style.setProperty("--player-height", `${height}px`);
    const size = [Math.max(200, stage.clientWidth), Math.max(110, stage.clientHeight)];
    if (size.join() === this.size) return;
    this.size = size.join();
    this.walk.resize(...size);
    this.tree?.resize(...size);
    this.low = pair ? STRIP / 2 : STRIP;
    this.setView(this.view ?? (this.tree?.isReadable ? "tree" : "walk"));
  }

  /** Show the walk of this iteration, or the whole tree. */
  setView(view) {
    this.view = view;
    this.animation.finish();
    this.element.dataset.view = view;
    const { icicle, picture, stage } = this;
    for (const one of [this.walk, this.tree]) if (one) one.element.hidden = one !== picture;
    (picture === icicle ? stage : this.strip).append(icicle.element);
    icicle.resize(stage.clientWidth, picture === icicle ? stage.clientHeight : this.low);
    write(this.toolbar.switches.view.button, view === "walk" ? "Whole tree" : "Walk");
    this.repaint();
  }

  /** The view on the stage. */
  get picture() {
    if (this.view === "walk") return this.walk;
    return this.tree?.hasRoom ? this.tree : this.icicle;
  }

  // Moving ----------------------------------------------------------------------------------

  /** Go to a moment; what lies outside the film is moved to its nearest end. */
  go(index, phase, told = false) {
    this.#arrive({ index, phase }, { told });
  }

  /**
   * Stand at a moment, in Select at a level of its walk: the trail then leads no further. Of one that
   * was `told` by others nobody is told; `calm` lets what stays move to its place.
   */
  #arrive({ index, phase, level }, { told = false, calm = false } = {}) {
    const { film, focus, film: { facts: { iterations, phases } } } = this;
    this.index = Math.max(1, Math.min(iterations, Math.round(index) || 1));
    this.phase = film.phaseAt(this.index, phase);
    const path = film.pathTo(film.end(this.index));
    const stays = this.level === undefined && (path.includes(focus) || this.picture.isWhole);
    if (level !== undefined) this.focus = path[level];
    else if (!stays) this.focus = 0;
    this.level = level;
    this.predict?.cancel();
    this.animation.finish();
    this.repaint(calm);
    if (!told) this.onMove(this.iteration, phases[this.phase]);
  }

  /**
   * Go to an iteration of the search, or to the one before it that the film shows; returns where it
   * then stands.
   */
  goTo(iteration, phase, told = false) {
    this.go(this.film.indexOf(iteration), phase, told);
    return [this.iteration, this.film.facts.phases[this.phase]];
  }

  get iteration() {
    return this.film.iterationAt(this.index); // of the search
  }

  /**
   * Forward or back by a phase, in Select by a level; false if the film ends before, or waits for
   * an answer.
   */
  step(way) {
    const moment = this.#next(way);
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

  /** Where a step leads; nowhere at the end of the film. */
  #next(way) {
    const { film, index, phase } = this;
    const level = Math.max(0, this.frame?.walk.indexOf(this.focus) ?? 0) + way;
    if (level >= 0 && level < this.#levels(index, phase)) return { index, phase, level };
    const [next, then] = film.after(index, phase, way);
    if (next < 1 || next > film.facts.iterations) return undefined;
    const levels = this.#levels(next, then);
    return { index: next, phase: then, level: levels ? (way > 0 ? 0 : levels - 1) : undefined };
  }

  /** At so many decisions a step stops: in Select at those of the walk. Two films have two walks. */
  #levels(index, phase) {
    return phase || this.onExplain ? 0 : this.film.frame(index, phase).levels;
  }

  /** What is pointed at, in any of the pictures, is marked in all of them. */
  hover(node) {
    this.hovered = node;
    for (const one of this.element.querySelectorAll("[data-node]")) {
      one.classList.toggle("hovered", Number(one.dataset.node) === node);
    }
    this.icicle.mark(node);
  }

  stepIteration(way) {
    const before = this.index;
    const [index, phase] = this.film.stepIteration(before, this.phase, way);
    this.#arrive({ index, phase }, { calm: this.#calm() });
    return this.index !== before;
  }

  /** Explain the decision at a node, and lead the walk there; at none: go back to it. */
  choose(node = 0) {
    if (this.predict?.answerNode(node)) return;
    this.focus = node;
    const level = this.frame.walk.indexOf(node);
    if (this.level !== undefined && level >= 0) this.level = level;
    this.repaint();
  }

  /**
   * One step back: out of the menu, a panel in the way, a question, a look elsewhere, or what `goOut()`
   * leads out of; false if there is none.
   */
  back() {
    if (this.toolbar.close() || this.predict?.cancel()) return true;
    if (this.focus) this.choose(0);
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

  onKey(event) {
    const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event;
    const isForm = target.matches("select, input:not([type=range])"); // which has keys of its own
    if (altKey || metaKey || (ctrlKey && key.length === 1) || (isForm && key !== "Escape")) return;
    const { iterations, phases } = this.film.facts;
    const whole = ctrlKey || shiftKey;
    const node = whole ? undefined : nodeAt(target);
    const go = (way) => (whole ? this.stepIteration(way) : this.step(way));
    const choose = node === undefined ? undefined : () => this.choose(node);
    const beside = target === this.slider ? undefined : (way) => () => this.picture.beside?.(way);
    const act = {
      ArrowRight: () => go(1),
      ArrowLeft: () => go(-1),
      ArrowDown: beside?.(1),
      ArrowUp: beside?.(-1),
      Home: () => this.go(1, 0),
      End: () => this.go(iterations, phases.length - 1),
      Escape: () => this.back(),
      Enter: choose,
      " ": choose ?? (target.matches("button") ? undefined : () => this.playback.toggle()),
    }[key] ?? this.keys[key];
    if (!act || (act() === false && key === "Escape")) return; // it may mean something to the page
    event.preventDefault();
    event.stopPropagation();
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
      write(this.alert, `The player could not show this moment (${error.message}). Run the cell again.`);
    }
  }

  #paint(calm) {
    const { film, index, phase, film: { facts } } = this;
    const guesses = this.predict?.on && phase === 0; // and is shown no more than was told
    const level = this.level ?? (guesses ? 0 : undefined);
    const frame = film.frame(index, phase, level);
    this.frame = frame;
    if (film.births[this.focus] > frame.addedAt) this.focus = 0;
    const { focus, picture } = this;
    const truth = this.toolbar.isOn("truth") ? (node) => film.exact(node) : undefined;
    picture.paint(frame, { calm, sketched: this.hurried, focus, hideNewNode: guesses, truth });
    this.findings?.paint(frame, picture);
    picture.rove?.(focus);
    this.rootHistory.mark(frame);
    this.#explain(frame);
    this.phases.forEach((button, number) => {
      assign(button, { "aria-pressed": number === phase, tabindex: number === phase ? 0 : -1 });
    });
    this.slider.value = index;
    assign(this.slider, { "aria-valuetext": `${film.unit} ${this.iteration}, ${facts.phases[phase]}` });
    write(this.counter, `${this.iteration + this.offset} / ${facts.total + this.offset}`);
    Object.assign(this.element.dataset, {
      phase: facts.phases[phase], iteration: this.iteration,
      level: Math.max(0, frame.walk.indexOf(focus)),
    });
    if (this.view === "walk") this.icicle.paint(frame);
    if (this.hovered !== undefined) this.hover(this.hovered); // on what was drawn anew
    if (heldIn(this.element)?.closest('[hidden], [display="none"]')) focusOn(this.element); // keys go on
  }

  /** The tables cost as much as the tree, so in a drag they follow it only as fast as one can read. */
  #explain(frame) {
    if (this.hurried && performance.now() < this.explained + READING) return;
    this.explained = performance.now();
    const { film, focus } = this;
    const { level, levels } = frame;
    write(this.words, level < levels - 1 ? film.levelCaption(frame, level) : film.caption(frame));
    if (this.onExplain) this.onExplain(); // in a pair, whose table says it
    else {
      write(this.code, film.code(frame));
      this.selectionTable.paint(frame, focus);
      this.playout.paint(frame);
    }
    this.toolbar.paint(frame);
  }

  /** Show what Python says; "" if it has nothing to say. */
  say(text = "") {
    this.said = text;
    write(this.alert, text);
  }
}

/** The node whose card an element belongs to. */
function nodeAt(target) {
  const node = target?.closest?.("[data-node]")?.dataset.node;
  return node === undefined ? undefined : Number(node);
}

/** The film that these data hold. */
export async function openFilm(facts, packed) {
  return new KINDS[facts.kind](facts, await unpack(facts, packed));
}

/**
 * Put a player into `host`. With a `model` Python can search on from its film; `tints` are the colours
 * of moves by label, if another film says them.
 */
export async function mount(host, facts, packed, onMove, { model, tints } = {}) {
  const film = Object.assign(await openFilm(facts, packed), { tints });
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
  if (["tree", "walk"].includes(said.get("view"))) shown.setView?.(said.get("view"));
  shown.goTo(...(iteration ? [Number(iteration), Math.max(0, phases.indexOf(phase))] : moment));
  if (said.has("autoplay") && !wantsNoMotion()) shown.playback?.toggle(true, Number(said.get("end") ?? NaN));
}
