// The switches of a player, their keys, and the menu behind ⋯.

import { element, signButton, textButton } from "./elements.js";
import { Embed } from "./embed.js";
import { Link, RootMoves, TreeTable, Truth } from "./tools.js";

/** A menu of what is seldom wanted, behind ⋯. */
function menuOf(entries, onClose) {
  const button = textButton("⋯", "More (M)", () => toggle(), { "aria-label": "More", "aria-expanded": "false", "aria-haspopup": "true" });
  const list = element("div", { class: "menu", role: "group", "aria-label": "More", hidden: "" }, ...entries);
  const toggle = (open = list.hidden) => {
    if (open === !list.hidden) return;
    list.hidden = !open;
    button.setAttribute("aria-expanded", open);
    if (open) list.querySelector("button:not([hidden])")?.focus({ preventScroll: true });
    else if (list.contains(list.getRootNode().activeElement) || list.getRootNode().activeElement === document.body) onClose();
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
    const button = textButton(text, key ? `${title} (${key.toUpperCase()})` : title, flip, { "aria-pressed": "false", "data-key": key?.toUpperCase() ?? "" });
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
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : player.element.requestFullscreen()).catch(() => {}); // a frame may forbid it
  if (document.fullscreenEnabled) offer("full", "Full screen", "The player alone, for a projector", "f", undefined, fill);
  offer("link", "Copy link", "A short text that opens this moment anywhere", undefined, new Link(film));
  if (facts.address) offer("embed", "Embed", "One line that shows this film on a web page", undefined, new Embed(film));
  if (whatIf) offer("whatif", "What if", "Search on from here with one thing changed", undefined, whatIf);
  Object.assign(keys, { "+": () => player.view.zoom?.(1.4), "-": () => player.view.zoom?.(1 / 1.4), 0: () => player.view.zoom?.(0) }); // a walk always fits
  const zoom = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
    signButton("+", "Zoom in (+)", keys["+"]), signButton("−", "Zoom out (-)", keys["-"]), signButton("Fit", "All in the frame (0)", keys[0]));
  add("zoom", zoom);
  const about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
  const more = menuOf([...inMenu, about], () => player.element.focus({ preventScroll: true }));
  Object.assign(keys, { m: () => more.toggle(), s: () => playback.faster() });
  return { onBar, switches, keys, zoom, more };
}
