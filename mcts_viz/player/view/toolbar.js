// The tools of a player: a button, a key and perhaps a panel each. The bar holds what is often
// wanted, the menu ⋯ the others.

import {
  assign,
  element,
  focusOn,
  group,
  heldIn,
  signButton,
  textButton,
  wantsNoMotion,
  write,
} from "../picture/elements.js";
import { Help } from "./help.js";

const TOOLS = [
  // name, what its button says, what it does, and its key
  ["predict", "Predict", "Say what comes before you see it", "p"],
  ["view", "Ladder", "The decisions of this walk, or the whole tree", "v"],
  ["truth", "Truth", "Exact values on the cards", "t"],
  ["full", "Full screen", "The player alone, for a projector", "f"],
  ["whatif", "What if", "Search on from here with one thing changed"],
  ["help", "?", "What everything means", "?"],
  ["menu", "⋯", "More", "m"],
];
const ON_BAR = ["predict", "help", "menu"]; // always; with "view", if there is room
const PASSING = ["menu", "help", "whatif"]; // panels that Escape closes

/** What exact play says, in words; the cards say it too. */
function truthPanel(film) {
  const said = element("p", { class: "truth-words", role: "status" });
  return { element: said, paint: (frame) => write(said, film.truth(frame)) };
}

function toolButton(text, title, key, act) {
  const make = text.length > 1 ? textButton : signButton;
  const button = make(text, key ? `${title} (${key})` : title, act);
  return assign(button, { "aria-pressed": false, "data-key": key });
}

export class Toolbar {
  switches = {}; // by name: a button, and the panel that it shows
  keys = {};

  /** Those that are `wanted` are on the bar too. */
  constructor(player, wanted) {
    this.player = player;
    const { facts } = player.film;
    this.about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
    const menu = group("menu", "More", this.about);
    menu.addEventListener("click", () => this.flip("menu", false));
    this.drawer = assign(group("drawer", "Tools that are shown"), { tabindex: 0 });
    this.element = group("tools", "Tools");
    const panels = this.#panels(menu);
    const asked = wanted.filter((name) => !ON_BAR.includes(name));
    const onBar = [...ON_BAR, ...asked, asked.length < 2 ? "view" : ""];
    const acts = this.#acts();
    for (const [name, text, title, key = ""] of TOOLS) {
      const panel = panels[name];
      const act = acts[name] ?? (panel && (() => this.flip(name)));
      if (!act) continue;
      const button = toolButton(text, title, key.toUpperCase(), act);
      this.switches[name] = { button, panel };
      if (key) this.keys[key] = () => button.click();
      if (onBar.includes(name)) this.element.append(button);
      else this.about.before(button); // in the menu
      if (panel) this.#putAway(panel, name);
    }
  }

  /** By name of a tool: the panel that it shows; nothing where this film has none. */
  #panels(menu) {
    const { film, predict, whatIf } = this.player;
    return {
      predict,
      truth: film.facts.truth && truthPanel(film),
      whatif: whatIf,
      help: new Help(this.player),
      menu: { element: menu, opened: () => focusOn(menu.firstChild) },
    };
  }

  /** By name of a tool: what it does, if that is not to show its panel. */
  #acts() {
    const { player } = this;
    return {
      view: () => player.setView(player.picture.mode === "walk" ? "river" : "walk", !wantsNoMotion()),
      full: document.fullscreenEnabled && (() => this.#fill()),
    };
  }

  #putAway(panel, name) {
    panel.element.hidden = true;
    (name === "menu" ? this.element : this.drawer).append(panel.element);
  }

  #fill() {
    const { element: root } = this.player;
    const done = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    done.catch(() => {}); // a frame may forbid it
  }

  isOn(name) {
    return this.switches[name]?.panel.element.hidden === false;
  }

  /** Show a panel, or put it away. */
  flip(name, on = !this.isOn(name)) {
    if (!this.switches[name] || on === this.isOn(name)) return;
    const { button, panel } = this.switches[name];
    const held = heldIn(panel.element);
    panel.element.hidden = !on;
    panel.show?.(on);
    assign(button, { "aria-pressed": on });
    if (held) focusOn(button.offsetParent ? button : this.player.element);
    this.player.repaint();
    if (on) panel.opened?.();
  }

  /** Close the menu, or a panel that lies in the way; false if there is none. */
  close() {
    const open = PASSING.find((name) => this.isOn(name));
    this.flip(open, false);
    return open !== undefined;
  }

  paint(frame) {
    for (const { panel } of Object.values(this.switches)) {
      if (panel?.paint && !panel.element.hidden) panel.paint(frame);
    }
  }
}
