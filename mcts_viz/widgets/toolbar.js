// The switches of a player, their keys, and the menu behind ⋯.

import { element, group, signButton, textButton } from "./elements.js";
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
    if (open) list.querySelector("button:not([hidden])").focus({ preventScroll: true });
    const held = list.getRootNode().activeElement;
    if (!open && (list.contains(held) || held === document.body)) onClose();
  };
  return { button, list, toggle };
}

/** The switches of a player, and their keys: those of `tools` stand on the bar, the others in the menu. */
export function toolbar(player, tools) {
  const { film, playback, whatIf } = player;
  const { facts } = film;
  const [switches, keys] = [{}, {}];
  const [onBar, inMenu] = [[], []];
  const add = (name, part) => (name === "predict" || tools.includes(name) ? onBar : inMenu).push(part);
  const offer = (name, text, title, key, panel, flip = () => player.flip(name)) => {
    const button = textButton(text, key ? `${title} (${key.toUpperCase()})` : title, flip,
      { "aria-pressed": "false", "data-key": key?.toUpperCase() ?? "" });
    switches[name] = { button, panel };
    if (key) keys[key] = flip;
    add(name, button);
  };
  if (player.predict) offer("predict", "Predict", "Say what comes before you see it", "p");
  offer("view", "Whole tree", "The walk of this iteration, or the whole tree", "v", undefined, () => {
    player.setView(player.view === player.walk ? "tree" : "walk");
    more.toggle(false);
  });
  if (facts.truth) offer("truth", "Truth", "Exact values on the cards", "t", new Truth(film));
  if (facts.root) offer("root", "Root", "The moves at the root over time", "r", new RootMoves(film));
  offer("table", "Table", "The tree as a table", "b", new TreeTable(film));
  offer("large", "Large", "Large type, for a projector", "l");
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
  const zoom = group("zoom", "Zoom", ...zooms.map(([key, sign, title, factor]) => {
    keys[key] = () => player.view.zoom?.(factor); // a walk always fits
    return signButton(sign, title, keys[key]);
  }));
  add("zoom", zoom);
  const about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
  const more = menuOf([...inMenu, about], () => player.element.focus({ preventScroll: true }));
  Object.assign(keys, { m: () => more.toggle(), s: () => playback.faster() });
  return { onBar, switches, keys, zoom, more };
}
