// The screen of a player: what is where. Above, the buttons and the slider; below, the picture
// with the playout over it, and beside it what is said.

import {
  alertPlace,
  assign,
  element,
  group,
  signButton,
  textButton,
  write,
} from "../picture/elements.js";

const [LOWEST, HIGHEST] = [470, 900]; // pixels: the player's height
const ROOM = 36; // pixels of the window's height that a player leaves free
const NARROWEST = 200; // pixels: the picture is never narrower,
const FLATTEST = 110; // nor flatter
const NOTEBOOK = ".jp-WindowedPanel-outer, .jp-Notebook, .jp-NotebookPanel-notebook";
const HINT = "Keys, after a click: ← → step · Space plays · V ladder · Escape back · ? help";

export class Screen {
  /** The panels are the player's own: they are there before their screen. */
  constructor(player) {
    this.film = player.film;
    this.toolbar = player.toolbar;
    this.#controls(player);
    this.#stage(player);
    this.words = element("p", { class: "words", "aria-live": "polite" });
    this.code = element("pre", { "aria-label": "The line of the algorithm" });
    this.alert = alertPlace();
    const left = element(
      "div",
      { class: "left" },
      this.stage,
      element("p", { class: "hint" }, HINT),
    );
    const side = element(
      "div",
      { class: "side" },
      this.alert,
      this.words,
      player.findings?.list,
      this.code,
      this.toolbar.drawer,
      player.selectionTable.element,
    );
    const below = element("div", { class: "screen" }, left, side);
    const { title } = this.film.facts;
    this.element = group("mcts-player", title, this.controls, this.timeline, below);
    assign(this.element, { tabindex: -1 });
  }

  /** The buttons of moving, phases and tools; the slider below the root's moves; the counter. */
  #controls(player) {
    const { film, playback, rootHistory, toolbar } = player;
    const { iterations } = film.facts;
    this.#phases(player);
    this.transport = group(
      "transport",
      "Moving",
      signButton("◀", "Step before (←)", () => player.step(-1)),
      signButton("▶", "Next step (→)", () => player.step(1)),
      playback.button,
      playback.speed,
    );
    this.controls = element(
      "div",
      { class: "controls" },
      this.transport,
      this.stops,
      toolbar.element,
    );
    this.slider = element("input", {
      type: "range",
      min: 1,
      max: iterations,
      step: 1,
      value: 1,
      "aria-label": "Iteration",
      title: `Ctrl or Shift with ← or →: ${film.wholeStep}`,
    });
    this.counter = element("output", { class: "counter" });
    this.track = element("div", { class: "track" }, rootHistory.element, this.slider);
    this.timeline = element("div", { class: "timeline" }, this.track, this.counter);
  }

  /** A slider of the phases, below their names; both are as wide as each other's stops. */
  #phases({ film }) {
    const { phases } = film.facts;
    this.phases = phases.map((name, phase) =>
      element("span", { class: `phase ${name}` }, `${phase + 1} ${worded(name)}`),
    );
    this.phaseSlider = element("input", {
      type: "range",
      min: 0,
      max: phases.length - 1,
      value: 0,
      "aria-label": "Phase",
      title: `A phase (1 to ${phases.length}); from the last one → leads on`,
    });
    const names = element("div", { class: "names", "aria-hidden": "true" }, ...this.phases);
    const looks = { class: "phases", style: `--stops: ${phases.length}` };
    this.stops = element("div", looks, names, this.phaseSlider);
  }

  #stage({ picture, playout }) {
    this.crumbs = element("nav", {
      class: "crumbs",
      "aria-label": "From the root to the top",
      hidden: "",
    });
    this.stage = element(
      "div",
      { class: "stage" },
      picture.element,
      playout.element,
      this.crumbs,
    );
  }

  /** The window says how high the player is; returns how large the picture is, nothing if not seen. */
  fit() {
    const { element: root, stage } = this;
    if (!root.isConnected || !root.clientWidth) return undefined;
    const window = root.closest(NOTEBOOK)?.clientHeight ?? innerHeight;
    const free = root.closest(".embedded") ? 0 : ROOM;
    const height = Math.max(LOWEST, Math.min(HIGHEST, window - free));
    const whole = root.closest(".mcts-compare") ?? root;
    whole.style.setProperty("--player-height", `${height}px`);
    return [Math.max(NARROWEST, stage.clientWidth), Math.max(FLATTEST, stage.clientHeight)];
  }

  /** Where a point of the window is in the picture. */
  inStage({ clientX, clientY }) {
    const { left, top } = this.stage.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** Show on the controls where the player is. */
  mark({ index, phase, iteration, focus, offset }, frame) {
    const { phases, total } = this.film.facts;
    this.phases.forEach((name, number) => name.classList.toggle("now", number === phase));
    this.phaseSlider.value = phase;
    assign(this.phaseSlider, { "aria-valuetext": worded(phases[phase]) });
    this.slider.value = index;
    assign(this.slider, { "aria-valuetext": `${this.film.unit} ${iteration}, ${phases[phase]}` });
    write(this.counter, `${iteration + offset} / ${total + offset}`);
    this.counter.dataset.unit = this.film.unit;
    Object.assign(this.element.dataset, {
      phase: phases[phase],
      iteration,
      level: Math.max(0, frame.walk.indexOf(focus)),
    });
  }

  /** The way from the root to the top, each step a button that leads back to it by `enter(node)`. */
  showWay(nodes, enter) {
    const { crumbs, film } = this;
    crumbs.hidden = nodes.length < 2;
    if (crumbs.hidden || this.way === nodes.join()) return;
    this.way = nodes.join();
    const button = (node) =>
      textButton(node ? film.label(node) : "root", "Make it the top", () => enter(node));
    crumbs.replaceChildren(...nodes.map(button));
  }

  /** The view that is not shown is what its button offers. */
  showView(view) {
    this.element.dataset.view = view;
    write(this.toolbar.switches.view.button, view === "walk" ? "Tree" : "Ladder");
  }
}

const worded = (name) => `${name.charAt(0).toUpperCase()}${name.slice(1).replace("_", " ")}`;
