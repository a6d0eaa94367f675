// The switches of a player, their keys, and the menu behind ⋯.

import { assign, element, focusOn, group, heldIn, textButton } from "./elements.js";
import { embedPanel } from "./embed.js";
import { Legend } from "./legend.js";
import { TreeTable, truthPanel } from "./tools.js";

const TOOLS = [ // name, what the button says, what it does, and its key
  ["predict", "Predict", "Say what comes before you see it", "p"],
  ["view", "Whole tree", "The walk of this iteration, or the whole tree", "v"],
  ["truth", "Truth", "Exact values on the cards", "t"],
  ["table", "Table", "The tree as a table", "b"],
  ["full", "Full screen", "The player alone, for a projector", "f"],
  ["embed", "Embed", "One line that shows this film on a web page"],
  ["whatif", "What if", "Search on from here with one thing changed"],
  ["legend", "?", "What everything means", "?"],
];
const ON_BAR = ["predict", "legend"]; // always
const PASSING = ["legend", "embed", "whatif"]; // panels that Escape closes

/** A menu of what is seldom wanted, behind ⋯. */
function menuOf(entries, onClose) {
  const button = textButton("⋯", "More (M)", () => toggle(), {
    "aria-label": "More", "aria-expanded": "false", "aria-haspopup": "true",
  });
  const list = group("menu", "More", ...entries);
  list.hidden = true;
  const toggle = (open = list.hidden) => {
    if (open === !list.hidden) return;
    list.hidden = !open;
    button.setAttribute("aria-expanded", open);
    if (open) focusOn(list.querySelector("button:not([hidden])"));
    else if (heldIn(list) || list.getRootNode().activeElement === document.body) onClose();
  };
  const leave = (target) => list.parentNode.contains(target) || toggle(false);
  return { button, list, toggle, leave };
}

/** The switches of a player, their keys and panels: those of `tools` stand on the bar, others in the menu. */
export class Toolbar {
  switches = {}; // by name: a button, and the panel in the drawer, or what else it shows
  keys = {};

  constructor(player, tools) {
    const { film, film: { facts }, playback, predict, whatIf } = player;
    this.player = player;
    this.drawer = group("drawer", "Tools that are shown", predict?.element);
    this.drawer.tabIndex = 0;
    const panels = {
      predict, truth: facts.truth && truthPanel(film), table: new TreeTable(film),
      embed: facts.address && embedPanel(film), whatif: whatIf, legend: new Legend(player),
    };
    const acts = {
      view: () => player.setView(player.view === "walk" ? "tree" : "walk"),
      full: document.fullscreenEnabled && (() => this.#fill()),
    };
    const [bar, menu] = [[], []];
    for (const [name, ...look] of TOOLS) {
      const act = acts[name] ?? (panels[name] && (() => this.flip(name)));
      const part = act && this.#offer(name, look, act, panels[name]);
      if (part) (ON_BAR.includes(name) || tools.includes(name) ? bar : menu).push(part);
    }
    assign(this.switches.legend.button, { "aria-label": "Legend" });
    const about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
    this.onBar = bar;
    this.menu = menuOf([...menu, about], () => focusOn(player.element));
    Object.assign(this.keys, { m: () => this.menu.toggle(), s: () => playback.faster() });
  }

  #offer(name, [text, title, key], act, panel) {
    const press = () => {
      act();
      if (this.menu.list.contains(button)) this.menu.toggle(false);
    };
    const button = textButton(text, key ? `${title} (${key.toUpperCase()})` : title, press,
      { "aria-pressed": "false", "data-key": key?.toUpperCase() ?? "" });
    this.switches[name] = { button, panel };
    if (key) this.keys[key] = press;
    return button;
  }

  #fill() {
    const { element: root } = this.player;
    const done = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
    done.catch(() => {}); // a frame may forbid it
  }

  isOn(name) {
    return this.switches[name]?.button.getAttribute("aria-pressed") === "true";
  }

  /** Show a tool, or put it away. */
  flip(name, on = !this.isOn(name)) {
    if (!this.switches[name] || on === this.isOn(name)) return;
    const { button, panel } = this.switches[name];
    const { player } = this;
    button.setAttribute("aria-pressed", on);
    if (panel.show) panel.show(on);
    else if (on) this.drawer.append(panel.element);
    else {
      const held = heldIn(panel.element);
      panel.element.remove();
      if (held) focusOn(button.offsetParent ? button : player.element);
    }
    player.repaint();
    if (on) panel.opened?.();
  }

  /** Close the menu, or a panel that lies in the way; false if there is none. */
  close() {
    const open = PASSING.find((name) => this.isOn(name));
    if (!this.menu.list.hidden) this.menu.toggle(false);
    else if (open) this.flip(open, false);
    else return false;
    return true;
  }

  paint(frame) {
    for (const { panel } of Object.values(this.switches)) {
      if (panel?.paint && panel.element.isConnected) panel.paint(frame, this.player);
    }
  }
}
