// The switches of a player, their keys, and the menu behind ⋯.

import { element, focusOn, group, heldIn, signButton, textButton } from "./elements.js";
import { Embed } from "./embed.js";
import { Link, RootMoves, TreeTable, Truth } from "./tools.js";

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
  return { button, list, toggle };
}

const PASSING = ["link", "embed", "whatif"]; // panels that Escape closes

/** The switches of a player, their keys and panels: those of `tools` stand on the bar, others in the menu. */
export class Toolbar {
  switches = {}; // by name: a button, and the panel in the drawer, or what else it shows
  keys = {};
  onBar = [];

  constructor(player, tools) {
    const { film, film: { facts }, playback, predict, whatIf } = player;
    const { keys, onBar } = this;
    const inMenu = [];
    this.player = player;
    this.drawer = group("drawer", "Tools that are shown", predict?.element);
    this.drawer.tabIndex = 0;
    const add = (name, part) => (name === "predict" || tools.includes(name) ? onBar : inMenu).push(part);
    const offer = (name, text, title, key, panel, act = () => this.flip(name)) => {
      const button = textButton(text, key ? `${title} (${key.toUpperCase()})` : title, act,
        { "aria-pressed": "false", "data-key": key?.toUpperCase() ?? "" });
      this.switches[name] = { button, panel };
      if (key) keys[key] = act;
      add(name, button);
    };
    if (predict) offer("predict", "Predict", "Say what comes before you see it", "p", predict);
    offer("view", "Whole tree", "The walk of this iteration, or the whole tree", "v", undefined, () => {
      player.setView(player.view === player.walk ? "tree" : "walk");
      this.menu.toggle(false);
    });
    if (facts.truth) offer("truth", "Truth", "Exact values on the cards", "t", new Truth(film));
    const named = facts.top_moves?.length > 0;
    if (named) offer("root", "Root", "The moves at the root over time", "r", new RootMoves(film));
    offer("table", "Table", "The tree as a table", "b", new TreeTable(film));
    const enlarge = (on) => player.element.classList.toggle("large", on); // and the observer sees the size
    offer("large", "Large", "Large type, for a projector", "l", { show: enlarge });
    const fill = () => {
      const { fullscreenElement } = document;
      const done = fullscreenElement ? document.exitFullscreen() : player.element.requestFullscreen();
      done.catch(() => {}); // a frame may forbid it
    };
    if (document.fullscreenEnabled) {
      offer("full", "Full screen", "The player alone, for a projector", "f", undefined, fill);
    }
    offer("link", "Copy link", "A short text that opens this moment anywhere", undefined, new Link(film));
    if (facts.address) {
      offer("embed", "Embed", "One line that shows this film on a web page", undefined, new Embed(film));
    }
    if (whatIf) offer("whatif", "What if", "Search on from here with one thing changed", undefined, whatIf);
    const zooms = [
      ["+", "+", "Zoom in (+)", 1.4], ["-", "−", "Zoom out (-)", 1 / 1.4],
      ["0", "Fit", "All in the frame (0)", 0],
    ];
    this.zoom = group("zoom", "Zoom", ...zooms.map(([key, sign, title, factor]) => {
      keys[key] = () => player.view.zoom?.(factor); // a walk always fits
      return signButton(sign, title, keys[key]);
    }));
    add("zoom", this.zoom);
    const about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
    this.menu = menuOf([...inMenu, about], () => focusOn(player.element));
    Object.assign(keys, { m: () => this.menu.toggle(), s: () => playback.faster() });
  }

  isOn(name) {
    return this.switches[name]?.button.getAttribute("aria-pressed") === "true";
  }

  /** Show a tool, or put it away. */
  flip(name, on = !this.isOn(name)) {
    if (!this.switches[name]) return;
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
    if (this.menu.list.contains(button)) this.menu.toggle(false);
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
