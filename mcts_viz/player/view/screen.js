// The screen of a player: what stands where. Above, the buttons and the slider; below, the picture
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
const ROOM = 56; // pixels of the window's height that a player leaves free
const NARROWEST = 200; // pixels: the picture is never narrower,
const FLATTEST = 110; // nor flatter
const NOTEBOOK = ".jp-WindowedPanel-outer, .jp-Notebook, .jp-NotebookPanel-notebook";
const HINT = "Keys, after a click: ← → step · Space plays · V close-up · Escape back · ? help";

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
    const { iterations, phases } = film.facts;
    this.phases = phases.map((name, phase) => phaseButton(player, name, phase));
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
      group("phases", "Phase", ...this.phases),
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

  /** Where the player stands, on its controls. */
  mark({ index, phase, iteration, focus, offset }, frame) {
    const { phases, total } = this.film.facts;
    this.phases.forEach((button, number) => {
      assign(button, { "aria-pressed": number === phase, tabindex: number === phase ? 0 : -1 });
    });
    this.slider.value = index;
    assign(this.slider, { "aria-valuetext": `${this.film.unit} ${iteration}, ${phases[phase]}` });
    write(this.counter, `${iteration + offset} / ${total + offset}`);
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

  /** Say what is shown close up: the other view is what its button offers. */
  showView(view) {
    this.element.dataset.view = view;
    write(this.toolbar.switches.view.button, view === "walk" ? "River" : "Close-up");
  }
}

/** A phase's button is wide enough for its bold text (`data-text`), so that no other ever shifts. */
function phaseButton(player, name, phase) {
  const text = `${phase + 1} ${name.charAt(0).toUpperCase()}${name.slice(1).replace("_", " ")}`;
  const go = () => player.toPhase(phase);
  return textButton(text, "", go, { class: `phase ${name}`, "data-text": text });
}
