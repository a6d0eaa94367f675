// Two films side by side under one control bar and one slider: whichever is moved takes the other
// along, and one table holds both decisions.

import { MiniBoard, write } from "./board.js";
import { Pool, element, textButton } from "./panels.js";
import { fixed } from "./film.js";

const SHARED = ["view", "truth", "large"]; // both show it, or neither
const ALONE = ["predict", "root", "table", "link"]; // what the column of a single player holds
const NAMES = ["A", "B"];

/** The decisions of both films at one position, a row a move, and by how much the scores differ. */
class Decisions {
  constructor(films) {
    this.films = films;
    this.heads = films.map(() => element("th", { scope: "colgroup", colspan: 3 }));
    const [, share, , score] = films[0].facts.heads;
    const heads = ["move", ...NAMES.flatMap(() => [share, "", score]), "B − A"];
    this.body = element("tbody");
    this.element = element("section", { class: "decisions", tabindex: "0", role: "group", "aria-label": "Both decisions" },
      element("table", {},
        element("thead", {},
          element("tr", {}, element("td"), ...this.heads, element("td")),
          element("tr", {}, ...heads.map((text) => (text ? element("th", { scope: "col" }, text) : element("td"))))),
        this.body));
    this.rows = new Pool(this.body, () => this.#row());
  }

  #row() {
    const board = this.films[0].facts.board && new MiniBoard(this.films[0].facts.board);
    const label = element("span", { class: "move" });
    const sides = this.films.map(() => ({ share: element("td"), mean: element("span", { class: "mean" }), bonus: element("span", { class: "bonus" }), score: element("td", { class: "score" }) }));
    const cells = sides.flatMap(({ share, mean, bonus, score }) => [share, element("td", { class: "bars" }, element("div", {}, mean, bonus)), score]);
    const more = element("td", { class: "more" });
    const name = element("th", { scope: "row" }, element("div", {}, ...(board ? [board.svg] : []), label));
    return { element: element("tr", {}, name, ...cells, more), board, label, sides, more };
  }

  /** By side: the frame on the screen, and the node to explain; -1 if that side has none. */
  paint(frames, nodes) {
    const { films } = this;
    const found = films.map((film, side) => (nodes[side] < 0 ? { title: "not in this tree", rows: [] } : film.comparison(frames[side], nodes[side])));
    const byMove = new Map();
    found.forEach(({ title, rows }, side) => {
      write(this.heads[side], `${NAMES[side]}: ${title}`);
      for (const row of rows) {
        const label = films[side].label(row.node);
        if (!byMove.has(label)) byMove.set(label, { label, row: [] });
        byMove.get(label).row[side] = row;
      }
    });
    const longest = Math.max(1e-9, ...found.flatMap(({ rows }) => rows.map(({ value }) => value)).filter(Number.isFinite));
    const moves = [...byMove.values()].toSorted((a, b) => Number(b.row.some((row) => row?.chosen)) - Number(a.row.some((row) => row?.chosen)));
    this.rows.take(moves.length).forEach((item, place) => {
      const { label, row } = moves[place];
      write(item.label, label);
      const seen = row[0] ? 0 : 1;
      item.board?.draw(films[seen].cells(row[seen].node), films[seen].cellsBefore(row[seen].node));
      item.sides.forEach(({ share, mean, bonus, score }, side) => {
        const { share: visits = "–", score: value = "–", terms, bars = [0, 0], chosen = false } = row[side] ?? {};
        const sizes = terms ? terms.map((term) => (term > 0 ? term / longest : 0)) : bars;
        write(share, visits);
        write(score, value);
        mean.style.width = `${100 * sizes[0]}%`;
        bonus.style.width = `${100 * sizes[1]}%`;
        for (const cell of [share, mean.closest("td"), score]) cell.classList.toggle("taken", chosen);
      });
      const apart = row[1]?.value - row[0]?.value;
      write(item.more, Number.isFinite(apart) ? fixed(apart).replace(/^(?=\d)/, "+").replace("-", "−").replace(/^\+0\.00$/, "0") : "–");
    });
  }
}

/** Whether Escape has nothing left to undo in a player. */
export const isHome = (player) => player.more.list.hidden && !player.predict?.on && !player.focus && player.looksAt === undefined;

class Pair {
  /** `shift` is added to an iteration of the second film for the same moment of the first. */
  constructor(players, { note, differ, shift, told, leave }) {
    Object.assign(this, { players, shift, told, leave });
    const ends = players.map(({ film }) => film.facts.total);
    this.lead = players[shift || ends[1] > ends[0] ? 1 : 0];
    const other = players[this.lead === players[0] ? 1 : 0];
    this.decisions = new Decisions(players.map(({ film }) => film));
    this.element = this.#build(note, differ, other);
    for (const name of ALONE) if (this.lead.switches[name]) this.lead.switches[name].button.hidden = true;
    this.#listen();
    new ResizeObserver(() => this.element.style.setProperty("--player-height", `${this.lead.height}px`)).observe(this.lead.element);
  }

  #build(note, differ, other) {
    const { lead, players } = this;
    const [controls, timeline] = [".controls", ".timeline"].map((part) => lead.element.querySelector(part));
    if (differ) {
      const jump = textButton(`First difference: ${differ}`, note, () => this.goTo(differ, 0));
      jump.className = "differ";
      controls.querySelector(".tools").before(jump);
      const mark = element("span", { class: "apart", title: note });
      mark.style.left = `${(100 * (lead.film.place(differ) - 1)) / Math.max(1, lead.film.facts.iterations - 1)}%`;
      lead.slider.before(mark);
    }
    if (this.leave) controls.prepend(textButton("Back", "Back to the one film (Escape)", this.leave));
    this.#ribbons(other, timeline.querySelector(".track"));
    const halves = players.map((player, side) => {
      const { subtitle, title } = player.film.facts;
      return element("div", { class: "half" }, element("p", { class: "name", title: `${title} · ${subtitle}` }, element("strong", {}, NAMES[side]), ` ${side && this.leave ? note : subtitle}`), player.element);
    });
    return element("div", { class: "mcts-compare", role: "group", "aria-label": `Comparison. ${note}`, tabindex: "-1", "data-lm-suppress-shortcuts": "true" },
      controls, timeline, ...(differ || this.leave ? [] : [element("p", { class: "name" }, note)]), element("div", { class: "halves" }, ...halves), this.decisions.element);
  }

  /** The other film's ribbon lies below, on the same scale, where a move has the same tint. */
  #ribbons(other, track) {
    const { lead } = this;
    const [own, its] = [lead, other].map(({ film }) => film.facts);
    if (this.shift || !own.root || !its.root || own.iterations !== own.total || its.iterations !== its.total) return;
    const tints = new Map(own.root.moves.map((node, place) => [lead.film.label(node), `move-${place}`]));
    const areas = its.root.moves.map((node, place) => [...other.ribbon.element.querySelectorAll(`.area.move-${place}`), tints.get(other.film.label(node)) ?? "others"]);
    for (const [area, tint] of areas) area?.setAttribute("class", `area ${tint}`);
    other.ribbon.element.style.right = `${100 * (1 - its.total / own.total)}%`;
    other.ribbon.element.classList.add("second");
    track.classList.add("two");
    track.prepend(other.ribbon.element);
  }

  #listen() {
    const { element: root, lead } = this;
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.leave || !this.players.every(isHome)) return;
      event.preventDefault();
      event.stopPropagation();
      this.leave();
    }, { capture: true });
    root.addEventListener("keydown", (event) => { // keys that are pressed on the bar
      const { target, key } = event;
      if (this.players.some((player) => player.element.contains(target)) || (key === " " && target.matches("button, select"))) return;
      const same = new KeyboardEvent("keydown", { key, shiftKey: event.shiftKey, ctrlKey: event.ctrlKey, altKey: event.altKey, metaKey: event.metaKey, cancelable: true });
      if (lead.element.dispatchEvent(same)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    for (const kind of ["keydown", "click"]) {
      root.addEventListener(kind, ({ target }) => {
        const held = this.players.find((player) => player.element.contains(target)) ?? lead;
        setTimeout(() => this.agree(held));
      }, { capture: true });
    }
  }

  /** What one shows, the other shows too. */
  agree(held) {
    for (const player of this.players) {
      if (player === held) continue;
      if (player.asked !== held.asked) player.setView(held.asked);
      for (const name of SHARED.slice(1)) {
        if (player.switches[name] && held.isOn(name) !== player.isOn(name)) player.switches[name].button.click();
      }
    }
    this.paint(held);
  }

  /** Both go to this moment of the first film. */
  goTo(number, phase, told = false) {
    this.players.forEach((player, side) => player.goTo(number - side * this.shift, phase, true));
    this.paint();
    if (!told) this.told(number, this.lead.film.facts.phases[phase]);
  }

  /** One has been moved: the other goes along. */
  follow(side, number, phase) {
    const other = this.players[1 - side];
    const shift = side ? this.shift : -this.shift;
    other.hurry(() => other.goTo(number + shift, other.film.facts.phases.indexOf(phase), true));
    this.paint();
    this.told(side ? number + shift : number, phase);
  }

  paint(held = this.lead) {
    const { players } = this;
    if (!players.every(({ frame }) => frame)) return;
    const moves = held.film.pathTo(held.focus).slice(1).map((node) => held.film.label(node));
    const nodes = players.map(({ film, frame }) => moves.reduce((node, move) => (node < 0 ? node : film.below[node].find((child) => film.label(child) === move && film.births[child] <= frame.born) ?? -1), 0));
    this.decisions.paint(players.map(({ frame }) => frame), nodes);
    this.element.dataset.moment = this.lead.element.dataset.phase;
  }

  setLarge(large) {
    this.players.forEach((player) => player.setLarge(large));
    this.element.classList.toggle("large", large);
  }
}

/** Put two films into `host` as one comparison; `told(iteration, phase)` hears where they stand. */
export async function mountPair(host, films, mount, { note, differ, shift = 0, told = () => {}, leave }) {
  const players = await Promise.all(films.map(({ facts, columns }, side) => mount(element("div"), facts, columns, (...moment) => pair.follow(side, ...moment))));
  const pair = new Pair(players, { note, differ, shift, told, leave });
  host.replaceChildren(pair.element);
  players.forEach((player) => player.resize());
  if (players[0].asked !== players[1].asked) players.forEach((player) => player.setView("walk"));
  return pair;
}
