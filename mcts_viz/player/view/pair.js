// Two films side by side under one control bar and one slider: whichever is moved takes the other
// along, and one table holds both decisions.

import { assign, element, group, textButton } from "../picture/elements.js";
import { onKey } from "./keys.js";
import { PairTable } from "./pair_table.js";

const ROWS = 9; // of the table, if there is room; more are scrolled

class Pair {
  /** `shift` is added to an iteration of the second film for the same moment of the first. */
  constructor(players, lead, { note, differ, shift, told, back }) {
    Object.assign(this, { players, lead, shift, told, back });
    this.film = lead.film;
    this.held = lead; // the one that was touched last
    players[1].offset = shift; // of a branch, the iterations before it count too
    this.decisions = new PairTable(players.map(({ film }) => film));
    const rows = Math.max(...players.map(({ film }) => film.most));
    this.decisions.element.style.setProperty("--rows", Math.min(ROWS, rows)); // the same all the time
    this.element = assign(this.#build(note, differ), { tabindex: -1 });
    for (const player of players) {
      const { predict, view } = player.toolbar.switches; // a pair has no room for its questions
      if (predict) Object.assign(predict.button, { hidden: true, disabled: true });
      player.toolbar.about.before(view.button); // in the menu
      player.goOut = back;
      player.isPaired = true;
      player.onExplain = () => {
        if (player === this.lead || player === this.held) this.#soon();
      };
    }
    this.#listen();
  }

  #build(note, differ) {
    const { back, lead, players } = this;
    if (differ) {
      const go = () => this.goTo(differ, 0);
      const jump = textButton(`First difference: ${differ}`, note, go, { class: "differ" });
      lead.toolbar.element.prepend(jump);
      const left = lead.rootHistory.at(lead.film.indexOf(differ));
      lead.screen.slider.before(element("span", { class: "apart", title: note, style: `left: ${left}` }));
    }
    if (!differ && !back) lead.toolbar.element.prepend(element("p", { class: "note" }, note));
    if (back) lead.screen.transport.prepend(textButton("Back", "Back to the one film (Escape)", back));
    this.#ribbons();
    const halves = players.map((player, side) => {
      const { apart, phases, subtitle, title } = player.film.facts;
      const steps = player.film.unit === "step" && `a step: ${phases.join(", ").replaceAll("_", " ")}`;
      const said = side && back ? note : [apart, steps, subtitle].filter(Boolean).join(" · ");
      const head = element(
        "p",
        { class: "name", title: `${title} · ${said}` },
        element("strong", {}, "AB"[side]),
        ` ${said}`,
      );
      return element("div", { class: "half" }, head, player.element);
    });
    return group(
      "mcts-compare",
      `Comparison. ${note}`,
      lead.screen.controls,
      lead.screen.timeline,
      element("div", { class: "halves" }, ...halves),
      this.decisions.element,
    );
  }

  /** The other film's ribbon lies below, on the same scale, its moves in the same order. */
  #ribbons() {
    const { lead, players } = this;
    const { film, rootHistory } = players.find((player) => player !== lead);
    const [own, its] = [lead.film.facts, film.facts];
    const isWhole = ({ iterations, kind, total }) => kind === "mcts" && iterations === total;
    if (this.shift || !isWhole(own) || !isWhole(its)) return;
    rootHistory.element.style.right = `${100 * (1 - its.total / own.total)}%`;
    rootHistory.element.classList.add("second");
    lead.screen.track.classList.add("two");
    lead.screen.track.prepend(rootHistory.element);
  }

  #listen() {
    const { element: root, lead, players } = this;
    const holder = (target) => players.find((player) => player.element.contains(target));
    root.addEventListener("keydown", (event) => {
      const own = holder(event.target);
      if (!own) onKey(lead, event);
      // a key that one of the films has no use for, such as T of a walk by minimax, is the other's
      else if (!own.keys[event.key])
        for (const other of players) if (other.keys[event.key]) onKey(other, event);
    });
    for (const kind of ["keydown", "click"]) {
      root.addEventListener(
        kind,
        ({ target }) => {
          this.held = holder(target) ?? lead;
          setTimeout(() => this.#agree());
        },
        { capture: true },
      );
    }
  }

  // A pair is where its players are, and says what they say.

  say(text) {
    this.lead.say(text);
  }

  leave() {
    this.players.forEach((player) => player.leave());
  }

  /** What one shows, the other shows too. */
  #agree() {
    const { held, players } = this;
    const teller = held.toolbar.switches.truth
      ? held
      : players.find(({ toolbar }) => toolbar.switches.truth);
    for (const player of players) {
      if (held.view && player.view !== held.view) player.setView(held.view);
      player.toolbar.flip("truth", Boolean(teller?.toolbar.isOn("truth")));
    }
  }

  /** Both go to this moment of the first film; returns their new moment. */
  goTo(iteration, phase, told = false) {
    const name = this.film.facts.phases[phase];
    this.players.forEach((player, side) => this.#stand(player, iteration - side * this.shift, name));
    if (!told) this.told(iteration, this.film.facts.phases[phase]);
    return [
      Math.max(...this.players.map((player) => player.iteration)),
      this.lead.element.dataset.phase,
    ];
  }

  /** Take a film to a phase of an iteration, if it has both; after its end, to the end. */
  #stand(player, iteration, phase) {
    const { phases, total } = player.film.facts;
    player.goTo(iteration, iteration > total ? phases.length - 1 : phases.indexOf(phase), true);
  }

  /** One has been moved: the other goes along. */
  follow(side, iteration, phase) {
    const other = this.players[1 - side];
    const shift = side ? this.shift : -this.shift;
    const act = () => this.#stand(other, iteration + shift, phase);
    if (this.players[side].hurried) other.hurry(act);
    else act();
    this.told(side ? iteration + shift : iteration, phase);
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
    const moves = held.film
      .pathTo(held.focus)
      .slice(1)
      .map((node) => held.film.label(node));
    const nodes = players.map(({ film, frame }) => {
      const below = (node, move) =>
        film.below[node]?.find(
          (child) => film.births[child] <= frame.addedAt && film.label(child) === move,
        ) ?? -1;
      return moves.reduce(below, 0);
    });
    this.decisions.paint(
      players.map(({ frame }) => frame),
      nodes,
    );
    this.element.dataset.phase = this.lead.element.dataset.phase;
  }
}

/** Put two films into `host` as one comparison; `told(iteration, phase)` receives each moment. */
export async function mountPair(
  host,
  films,
  mount,
  { note, differ, shift = 0, told = () => {}, back },
) {
  const open = (side) => {
    const { facts, columns } = films[side];
    return mount(element("div"), facts, columns, (...moment) => pair.follow(side, ...moment));
  };
  const leads = shift || films[1].facts.total > films[0].facts.total ? 1 : 0;
  const lead = await open(leads);
  const other = await open(1 - leads);
  const players = leads ? [other, lead] : [lead, other];
  const pair = new Pair(players, lead, { note, differ, shift, told, back });
  host.replaceChildren(pair.element);
  players.forEach((player) => player.resize());
  return pair;
}
