// What is shown on request, behind the button ⋯ or on the bar: the exact truth, the root's moves
// over time, the tree as a table, the link of the moment.

import { element, picture, write } from "./board.js";
import { Pool, signButton, textButton } from "./panels.js";

/** What exact play says, in words; the cards say it too. */
export class Truth {
  constructor(film) {
    this.film = film;
    this.element = element("p", { class: "truth-words", role: "status" });
  }

  paint(frame) {
    write(this.element, this.film.truth(frame));
  }
}

/** The root's moves: how many visits each has now, and which would be played. */
export class RootMoves {
  constructor(film) {
    this.film = film;
    const { moves, rest, others } = film.facts.root;
    const rows = [...moves.map((node, place) => [[node], film.label(node), `move-${place}`]), ...(rest.length ? [[rest, others, "others"]] : [])];
    this.rows = rows.map(([nodes, label, look]) => {
      const [bar, count] = [element("span", { class: "bar" }), element("span", { class: "count" })];
      const row = element("li", {}, element("span", { class: `swatch ${look}` }), element("span", { class: "move", title: label }, label), element("span", { class: "track", "aria-hidden": "true" }, bar), count);
      return { nodes, bar, count, element: row };
    });
    const rates = element("div", { class: "rates", "aria-hidden": "true" }, picture(film.facts.root.rates));
    this.element = element("section", { class: "root" }, element("div", { class: "title" }, "Moves at the root: visits, and mean rewards over time"), element("ul", {}, ...this.rows.map((row) => row.element)), rates);
  }

  paint(frame) {
    const { film } = this;
    const visits = this.rows.map(({ nodes }) => nodes.reduce((sum, node) => sum + film.statistics(node, frame.counted).visits, 0));
    const most = Math.max(1, ...visits);
    const played = film.rootMove("play", frame);
    this.rows.forEach(({ element: row, nodes, bar, count }, place) => {
      row.classList.toggle("played", nodes.includes(played));
      bar.style.width = `${(100 * visits[place]) / most}%`;
      write(count, `${visits[place]}${nodes.includes(played) ? " ★" : ""}`);
    });
  }
}

/** The tree as a table: every card on the screen, row by row, for readers who hear the page. */
export class TreeTable {
  constructor(film) {
    this.film = film;
    const [move, share, , score] = film.facts.heads;
    this.caption = element("caption");
    this.body = element("tbody");
    const heads = ["level", move, share, score, "marks"].map((text) => element("th", { scope: "col" }, text));
    this.element = element("section", { class: "tree-table", tabindex: "0", role: "group", "aria-label": "The tree as a table" },
      element("table", {}, this.caption, element("thead", {}, element("tr", {}, ...heads)), this.body));
    this.rows = new Pool(this.body, () => {
      const cells = ["td", "th", "td", "td", "td"].map((name) => element(name, name === "th" ? { scope: "row" } : {}));
      return { element: element("tr", {}, ...cells), cells };
    });
  }

  paint(frame, { truth, view }) {
    const { film } = this;
    const [rows, { nodes }] = [[], view];
    const list = (node, deep) => {
      if (!nodes.has(node) || film.births[node] > frame.addedAt) return;
      rows.push([node, deep]);
      for (const child of film.below[node]) list(child, deep + 1);
    };
    list(0, 0);
    write(this.caption, `The ${rows.length} nodes in sight in ${film.unit} ${frame.number} (${film.facts.phases[frame.phase].replace("_", " ")}).`);
    this.rows.take(rows.length).forEach(({ element: row, cells }, place) => {
      const [node, deep] = rows[place];
      const card = film.card(node, frame);
      row.className = frame.onPath.has(node) ? "chosen" : "";
      const marks = [frame.onPath.has(node) && "on the path", node === frame.added && "new", card.mark, truth?.(node), card.more];
      const texts = [deep, node ? film.label(node) : "root", card.main + card.rest, card.score || "–", marks.filter(Boolean).join(", ")];
      texts.forEach((text, column) => write(cells[column], String(text)));
      cells[1].style.paddingLeft = `${0.3 + 0.9 * deep}em`;
    });
  }
}

/** The link of the moment on the screen: its fixed part came with the film, the moment is added. */
export class Link {
  constructor(film) {
    this.film = film;
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.field = element("input", { type: "text", readonly: "", "aria-label": "Link to this moment", "data-lm-suppress-shortcuts": "true" });
    this.element = element("div", { class: "link", role: "group", "aria-label": "Link" }, this.said, this.field);
  }

  paint({ number, phase }) {
    const { text, refusal } = this.film.facts.link;
    const link = text && `${text}&at=${number}.${this.film.facts.phases[phase]}`;
    this.field.hidden = !text;
    this.field.value = link ?? "";
    write(this.said, refusal ?? "Player.from_link(\"…\") opens this moment anywhere.");
  }

  /** To the clipboard, if the page may write there; else into the reader's hands. */
  async opened() {
    if (this.field.hidden) return;
    try {
      await navigator.clipboard.writeText(this.field.value);
      write(this.said, "The link to this moment is copied. Player.from_link(\"…\") opens it.");
    } catch {
      write(this.said, "This page may not write to the clipboard: copy the link from here.");
      this.field.focus();
      this.field.select();
    }
  }
}

/** Below the slider lies how the visits were shared among the root's moves. */
export class RootHistory {
  constructor(film) {
    this.film = film;
    const { root } = film.facts;
    this.future = element("span", { class: "future" });
    this.marker = element("span", { class: "now" });
    const scale = (root?.scale ?? []).map(([number, part]) => element("span", { class: "number", style: `left: ${100 * part}%` }, String(number)));
    this.element = element("div", { class: "ribbon", "aria-hidden": "true" }, root ? picture(root.ribbon) : "", this.future, this.marker, ...scale);
  }

  mark({ iteration }) {
    this.marker.style.left = this.future.style.left = this.at(iteration);
  }

  /** Where a place of the slider is. */
  at(place) {
    return `${(100 * (place - 1)) / Math.max(1, this.film.facts.iterations - 1)}%`;
  }
}

/** A menu of what is seldom wanted, behind ⋯. */
function menuOf(entries, onClose) {
  const button = textButton("⋯", "More (M)", () => toggle(), { "aria-label": "More", "aria-expanded": "false", "aria-haspopup": "true" });
  const list = element("div", { class: "menu", role: "group", "aria-label": "More", hidden: "" }, ...entries);
  const toggle = (open = list.hidden) => {
    if (open === !list.hidden) return;
    list.hidden = !open;
    button.setAttribute("aria-expanded", open);
    if (open) list.querySelector("button:not([hidden]), select")?.focus({ preventScroll: true });
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
    const button = textButton(text, key ? `${title} (${key.toUpperCase()})` : title, flip, { "aria-pressed": "false" });
    switches[name] = { button, panel };
    if (key) keys[key] = flip;
    add(name, button);
  };
  if (facts.questions) offer("predict", "Predict", "Say what comes before you see it", "p");
  offer("view", "Whole tree", "The walk of this iteration, or the whole tree", "v", undefined, () => player.setView(player.view === player.walk ? "tree" : "walk"));
  if (facts.truth) offer("truth", "Truth", "Exact values on the cards", "t", new Truth(film));
  if (facts.root) offer("root", "Root", "The moves at the root over time", "r", new RootMoves(film));
  offer("table", "Table", "The tree as a table", "b", new TreeTable(film));
  offer("large", "Large", "Large type, for a projector", "l");
  offer("link", "Copy link", "A short text that opens this moment anywhere", undefined, new Link(film));
  if (whatIf) offer("whatif", "What if", "Search on from here with one thing changed", undefined, whatIf);
  Object.assign(keys, { "+": () => player.view.zoom?.(1.4), "-": () => player.view.zoom?.(1 / 1.4), 0: () => player.view.zoom?.(0) }); // a walk always fits
  const zoom = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
    signButton("+", "Zoom in (+)", keys["+"]), signButton("−", "Zoom out (-)", keys["-"]), signButton("Fit", "All in the frame (0)", keys[0]));
  add("zoom", zoom);
  const about = element("p", { class: "subtitle" }, facts.title, element("br"), facts.subtitle);
  const more = menuOf([...inMenu, playback.speeds, about], () => player.element.focus({ preventScroll: true }));
  keys.m = () => more.toggle();
  return { onBar, switches, keys, zoom, more };
}

// Playing a film: by phase, by iteration, ten times as fast, or all of it in half a minute.

const SPEEDS = { // what the menu says, the button, and the milliseconds between two steps
  phase: ["Play by phase", "", 900],
  iteration: ["Play by iteration", " ×4", 900],
  fast: ["Play ten times as fast", " ×40", 90],
  film: ["Play the whole film in 30 seconds", " 30 s", 33],
};
const FILM = 30_000;

export class Playback {
  constructor(player) {
    this.player = player;
    this.button = signButton("▶ Play", "Play or pause (Space)", () => this.toggle());
    this.speeds = element("select", { "aria-label": "Speed", "data-lm-suppress-shortcuts": "true" },
      ...Object.entries(SPEEDS).map(([name, [text]]) => element("option", { value: name }, text)));
    this.speeds.addEventListener("change", () => this.toggle(Boolean(this.timer)));
  }

  toggle(on = !this.timer) {
    clearInterval(this.timer);
    this.timer = undefined;
    if (on) {
      const act = this.#step();
      this.timer = setInterval(() => act() || this.toggle(false), SPEEDS[this.speeds.value][2]);
    }
    write(this.button, this.timer ? "❚❚ Pause" : `▶ Play${SPEEDS[this.speeds.value][1]}`);
  }

  /** What goes one step on, false at the end. */
  #step() {
    const { player, speeds: { value } } = this;
    if (value === "phase") return () => player.step(1);
    if (value !== "film") return () => player.stepIteration(1);
    const { iterations, phases } = player.film.facts;
    const begun = performance.now();
    const first = player.iteration < iterations ? player.iteration : 1;
    const length = (FILM * (iterations - first + 1)) / iterations;
    return () => {
      const part = Math.min(1, (performance.now() - begun) / length);
      player.hurry(() => player.go(first + Math.round(part * (iterations - first)), phases.length - 1), part < 1);
      return part < 1;
    };
  }
}
