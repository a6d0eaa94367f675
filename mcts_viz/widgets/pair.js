// Two films side by side under one control bar and one slider: whichever is moved takes the other
// along, and one table holds both decisions.

import { element, write } from "./board.js";
import { SelectionTable, Meter, alertPlace, textButton } from "./panels.js";

const SHARED = ["truth", "large"]; // both show it, or neither
const ROWS = 9; // of the table; more are scrolled
const ALONE = ["predict", "root", "table", "link"]; // what the column of a single player holds

class Pair {
  /** `shift` is added to an iteration of the second film for the same moment of the first. */
  constructor(players, { note, differ, shift, told, back }) {
    Object.assign(this, { players, shift, told, back });
    const [first, second] = players;
    this.lead = shift || second.film.facts.total > first.film.facts.total ? second : first;
    this.film = this.lead.film;
    this.held = this.lead; // the one that was touched last
    this.decisions = new SelectionTable(players.map(({ film }) => film));
    this.element = this.#build(note, differ);
    this.element.classList.toggle("large", this.lead.isOn("large"));
    const rows = Math.max(...players.map(({ film }) => film.rows.at(-1)));
    this.decisions.element.style.setProperty("--rows", Math.min(ROWS, rows)); // the same all the time
    for (const name of ALONE) if (this.lead.switches[name]) this.lead.switches[name].button.hidden = true;
    for (const player of players) {
      player.goOut = back;
      player.onExplain = () => (player === this.lead || player === this.held) && this.#soon();
    }
    this.#listen();
    new ResizeObserver(() => this.element.style.setProperty("--player-height", `${this.lead.height}px`)).observe(this.lead.element);
  }

  #build(note, differ) {
    const { back, lead, players } = this;
    const [controls, timeline] = [".controls", ".timeline"].map((part) => lead.element.querySelector(part));
    if (differ) {
      const jump = textButton(`First difference: ${differ}`, note, () => this.goTo(differ, 0), { class: "differ" });
      controls.querySelector(".tools").before(jump);
      lead.slider.before(element("span", { class: "apart", title: note, style: `left: ${lead.rootHistory.at(lead.film.place(differ))}` }));
    }
    if (back) controls.prepend(textButton("Back", "Back to the one film (Escape)", back));
    this.#ribbons(timeline.querySelector(".track"));
    const halves = players.map((player, side) => {
      const { subtitle, title } = player.film.facts;
      return element("div", { class: "half" }, element("p", { class: "name", title: `${title} · ${subtitle}` }, element("strong", {}, "AB"[side]), ` ${side && back ? note : subtitle}`), player.element);
    });
    return element("div", { class: "mcts-compare", role: "group", "aria-label": `Comparison. ${note}`, tabindex: "-1", "data-lm-suppress-shortcuts": "true" },
      controls, timeline, differ || back ? "" : element("p", { class: "name" }, note), element("div", { class: "halves" }, ...halves), this.decisions.element);
  }

  /** The other film's ribbon lies below, on the same scale, where a move has the same tint. */
  #ribbons(track) {
    const { lead, players } = this;
    const { film, rootHistory } = players.find((player) => player !== lead);
    const [own, its] = [lead.film.facts, film.facts];
    if (this.shift || !own.root || !its.root || own.iterations !== own.total || its.iterations !== its.total) return;
    const tints = new Map(own.root.moves.map((node, place) => [lead.film.label(node), `move-${place}`]));
    const areas = its.root.moves.map((node, place) => [rootHistory.element.querySelector(`.area.move-${place}`), film.label(node)]);
    for (const [area, label] of areas) area?.setAttribute("class", `area ${tints.get(label) ?? "others"}`);
    rootHistory.element.style.right = `${100 * (1 - its.total / own.total)}%`;
    rootHistory.element.classList.add("second");
    track.classList.add("two");
    track.prepend(rootHistory.element);
  }

  #listen() {
    const { element: root, lead, players } = this;
    root.addEventListener("keydown", (event) => {
      if (!players.some((player) => player.element.contains(event.target))) lead.onKey(event);
    });
    for (const kind of ["keydown", "click"]) {
      root.addEventListener(kind, ({ target }) => {
        const held = players.find((player) => player.element.contains(target)) ?? lead;
        if (held !== this.held) this.#soon();
        this.held = held;
        setTimeout(() => this.#agree());
      }, { capture: true });
    }
  }

  // A pair stands where its players stand, and says what they say.

  say(text) {
    this.lead.say(text);
  }

  leave() {
    this.players.forEach((player) => player.leave());
  }

  /** What one shows, the other shows too. */
  #agree() {
    const { held } = this;
    for (const player of this.players) {
      if (player.asked !== held.asked) player.setView(held.asked);
      for (const name of SHARED) if (player.isOn(name) !== held.isOn(name)) player.flip(name, held.isOn(name));
    }
    this.element.classList.toggle("large", held.isOn("large"));
  }

  /** Both go to this moment of the first film; returns where they then stand. */
  goTo(number, phase, told = false) {
    this.players.forEach((player, side) => player.goTo(number - side * this.shift, phase, true));
    if (!told) this.told(number, this.film.facts.phases[phase]);
    return [Math.max(...this.players.map((player) => player.number)), this.lead.element.dataset.phase];
  }

  /** One has been moved: the other goes along. */
  follow(side, number, phase) {
    const other = this.players[1 - side];
    const shift = side ? this.shift : -this.shift;
    other.hurry(() => other.goTo(number + shift, other.film.facts.phases.indexOf(phase), true));
    this.told(side ? number + shift : number, phase);
  }

  /** Once for both, when both have moved. */
  #soon() {
    if (this.waits) return;
    this.waits = true;
    queueMicrotask(() => {
      this.waits = false;
      this.#paint();
    });
  }

  #paint() {
    const { held, players } = this;
    if (!players.every(({ frame }) => frame)) return;
    const moves = held.film.pathTo(held.focus).slice(1).map((node) => held.film.label(node));
    const nodes = players.map(({ film, frame }) => moves.reduce((node, move) => (node < 0 ? node : film.children(node, frame).find((child) => film.label(child) === move && film.births[child] <= frame.addedAt) ?? -1), 0));
    this.decisions.paint(players.map(({ frame }) => frame), nodes);
    this.element.dataset.phase = this.lead.element.dataset.phase;
  }
}

/** Put two films into `host` as one comparison; `told(iteration, phase)` hears where they stand. */
export async function mountPair(host, films, mount, { note, differ, shift = 0, told = () => {}, back }) {
  const players = await Promise.all(films.map(({ facts, columns }, side) => mount(element("div"), facts, columns, (...moment) => pair.follow(side, ...moment))));
  const pair = new Pair(players, { note, differ, shift, told, back });
  host.replaceChildren(pair.element);
  players.forEach((player) => player.resize());
  if (players[0].asked !== players[1].asked) players.forEach((player) => player.setView("walk"));
  return pair;
}

/** Do what is to be done when Python changes something, and once now; returns what ends it. */
export function hear(model, acts) {
  const heard = Object.entries(acts).map(([name, act]) => [`change:${name}`, act]);
  for (const [event, act] of heard) model.on(event, act);
  for (const [, act] of heard) act();
  return () => heard.forEach(([event, act]) => model.off(event, act));
}

// What the page asks of Python, and what the reader is told when nobody answers.

const PATIENCE = 4000; // milliseconds until the reader is told that the kernel is silent

export class Requests {
  /** `warn(sentence)` shows it. */
  constructor(model, warn) {
    this.model = model;
    this.warn = warn;
  }

  send(act, more = {}) {
    this.heard(true);
    try {
      this.model.send({ act, ...more });
    } catch (error) {
      this.warn(`The kernel cannot be reached (${error.message}): run this cell again.`);
    }
  }

  /** Python has answered, and with `more` is to say more soon; or nobody waits for it any longer. */
  heard(more = false) {
    clearTimeout(this.silence);
    if (more) this.silence = setTimeout(() => this.warn("The kernel has not answered yet: it may be busy with a cell. If it was restarted, run this cell again."), PATIENCE);
  }
}

// What if: the reader changes the next move or c, Python searches on, and both searches stand side
// by side in the place of the one film. Every sentence about it comes from Python.

const LEAST = 100; // iterations offered, if fewer are left in the film

export class WhatIf {
  /** `mount(host, facts, columns, onMove)` puts a film on the page. */
  constructor(film, model, mount) {
    Object.assign(this, { film, model, mount });
    this.alert = alertPlace();
    this.requests = new Requests(model, (text) => write(this.alert, text));
    const { moves, c } = film.facts.what_if;
    this.lead = element("p", { class: "lead" });
    this.move = element("select", {}, element("option", { value: "" }, "as the search chooses"),
      ...moves.map((label, place) => element("option", { value: place }, label)));
    this.usual = Number(c.toFixed(4)); // as it is shown
    this.c = element("input", { type: "number", min: 0, step: "any", value: this.usual });
    this.iterations = element("input", { type: "number", min: 1, step: 1 });
    this.submit = element("button", { type: "submit" }, "Search on");
    const form = element("form", { novalidate: "" },
      labelled("Next move at the root", this.move), labelled("c from here on", this.c),
      labelled("Iterations", this.iterations), this.submit);
    form.addEventListener("submit", (event) => this.#search(event));
    this.meter = new Meter("Searching", "Show what has been searched by now", () => this.requests.send("stop"));
    this.said = element("p", { role: "status", "aria-live": "polite" });
    this.element = element("div", { class: "whatif", role: "group", "aria-label": "What if" },
      this.lead, form, this.meter.element, this.said, this.alert);
    this.host = element("div", { class: "mcts-whatif", hidden: "" }); // of the comparison, which is shown instead of the player
    this.deaf = hear(model, {
      branching: () => this.#hear(model.get("branching")),
      branch_film: () => this.#show(model.get("branch_film")),
    });
  }

  leave() {
    this.requests.heard();
    this.pair?.leave();
    this.deaf();
  }

  opened() {
    this.iterations.value = Math.max(LEAST, this.film.facts.total + 1 - this.iteration);
    this.move.focus({ preventScroll: true });
  }

  paint({ number }) {
    this.iteration = number;
    write(this.lead, `What if the search had gone on differently from iteration ${number}?`);
  }

  // Asking ----------------------------------------------------------------------------------

  #search(event) {
    event.preventDefault();
    const number = ({ value }) => (value === "" ? null : Number(value));
    const c = number(this.c);
    this.requests.send("search_on", {
      iteration: this.iteration, move: number(this.move), c: c === this.usual ? null : c, iterations: number(this.iterations),
    });
  }

  // Hearing ---------------------------------------------------------------------------------

  #hear({ share, words, said, alert }) {
    const { meter } = this;
    this.requests.heard(share !== undefined);
    const held = meter.element.contains(meter.element.getRootNode().activeElement);
    meter.element.hidden = share === undefined;
    meter.say(share, words);
    write(this.said, said ?? "");
    write(this.alert, alert ?? "");
    if (held && meter.element.hidden) this.submit.focus({ preventScroll: true });
  }

  /** Show both searches in the place of the film, or the one film again. */
  async #show({ title, begin, facts, columns }) {
    this.pair?.leave();
    this.pair = undefined;
    this.host.hidden = !facts;
    const held = this.host.contains(this.host.getRootNode().activeElement);
    this.host.replaceChildren();
    if (!facts) return held && this.move.focus({ preventScroll: true });
    const films = [{ facts: this.model.get("facts"), columns: this.model.get("columns") }, { facts, columns }];
    const back = () => {
      this.#show({});
      this.requests.send("close");
    };
    try {
      const pair = await mountPair(this.host, films, this.mount, { note: title, shift: begin - 1, back });
      this.pair = pair;
      pair.goTo(begin, 0);
      pair.element.focus({ preventScroll: true });
    } catch (error) {
      back();
      write(this.alert, `The film cannot be shown in this browser (${error.message}).`);
    }
    return undefined;
  }
}

function labelled(text, control) {
  control.setAttribute("data-lm-suppress-shortcuts", "true");
  return element("label", {}, text, control);
}
