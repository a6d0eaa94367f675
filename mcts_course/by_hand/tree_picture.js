// The tree as cards in fixed places: buttons, above lines. All cards and all untried moves can be
// clicked, so that wrong ones can be, too. A card stays the same element from its first moment, as a
// ghost, so the focus stays where it is.

import { MiniBoard } from "./picture/board.js";
import { assign, element, focusOn, namesOf, svgElement, write } from "./picture/elements.js";

const WIDEST = 108; // pixels of a card with its board beside its numbers
const BESIDE = 90; // from this width on the board is beside the numbers, else it is above them
const NARROWEST = 56; // pixels of a column in which a card can be read
const GAP = 8; // between two columns
const [LOW, HIGH] = [60, 82]; // heights of cards, with boards beside and above
const BETWEEN = 37; // from one row to the next: the rewards are there
const GHOST = 30; // the height of an untried move
const BORDER = 8;
const ROOM = 24; // pixels by which the root is wider than other cards

/** Half a win is written as one: 2½. */
export function halves(number) {
  const whole = Math.floor(number);
  return number - whole === 0.5 ? `${whole || ""}½` : String(number);
}

const keyOf = (parent, place) => (parent < 0 ? "root" : `${parent}/${place}`);

export class TreePicture {
  constructor(facts, tree, { choose, chooseUntried }) {
    Object.assign(this, { facts, tree, choose, chooseUntried });
    this.items = new Map(); // by key: what is drawn there
    this.lines = svgElement("svg", { class: "lines", "aria-hidden": "true" });
    this.holder = element("div", { class: "places", role: "group", "aria-label": "The tree" }, this.lines);
    this.element = element("div", { class: "tree" }, this.holder);
    this.holder.addEventListener("keydown", (event) => this.#step(event));
    this.width = 0;
  }

  /** Show the tree; `look` says what is marked, and what can be clicked rightly is not among it. */
  paint(look) {
    this.look = look;
    const { places, wide, high, column } = this.#plan();
    const card = Math.min(WIDEST, column - GAP);
    Object.assign(this.holder.style, { width: `${wide}px`, height: `${high}px` });
    assign(this.lines, { width: wide, height: high });
    const shown = new Set();
    for (const place of places) {
      shown.add(place.key);
      this.#draw(place, card);
    }
    for (const [key, item] of this.items) item.button.toggleAttribute("hidden", !shown.has(key));
    this.order = places.toSorted((a, b) => a.y - b.y || a.x - b.x).map(({ key }) => key);
    this.#edges(places, card);
    this.#rove();
  }

  /** The element of a card. */
  cardOf(node) {
    return this.items.get(this.#key(node))?.button;
  }

  /** Give the focus to a card. */
  focusCard(node) {
    const button = this.cardOf(node);
    if (!button) return;
    this.stop = this.#key(node);
    this.#rove();
    focusOn(button);
  }

  #key(node) {
    const { parent } = this.facts.nodes[node];
    return keyOf(parent, parent < 0 ? 0 : this.facts.nodes[parent].below.indexOf(node));
  }

  // Where everything is ------------------------------------------------------------------------

  /** Places of cards and ghosts. A tree that has room for all its nodes has fixed places. */
  #plan() {
    const room = Math.max(this.width, 320) - 2 * BORDER;
    const ways = ["all", "root", "none"];
    const plans = ways.map((way) => this.#leaves(0, way, way === "all"));
    const fits = plans.findIndex((count) => count * NARROWEST <= room);
    const way = ways[fits < 0 ? 2 : fits];
    const leaves = plans[fits < 0 ? 2 : fits];
    const column = Math.max(NARROWEST, Math.min(WIDEST + GAP, room / leaves));
    this.stacked = column - GAP < BESIDE;
    this.rowHeight = this.#cardHigh() + BETWEEN;
    const places = [];
    this.#place({ column, way, places }, 0, 0, BORDER);
    const depth = Math.max(...places.map(({ level }) => level)); // of fixed places: all of them
    return {
      column, wide: Math.max(room + 2 * BORDER, leaves * column + 2 * BORDER),
      high: BORDER + depth * this.rowHeight + this.#cardHigh() + BETWEEN,
      places: places.filter(({ hidden }) => !hidden),
    };
  }

  /** The parts below a node: cards, and untried moves, one by one or as one that says how many. */
  #below(node, way, whole) {
    const { tree, facts } = this;
    const { below } = facts.nodes[node];
    const untried = tree.untried(node);
    const isSplit = whole || way === "all" || (way === "root" && node === 0);
    const kept = isSplit ? untried : untried.slice(0, 1);
    return [...below.keys()]
      .filter((place) => tree.has(below[place]) || kept.includes(place))
      .map((place) => ({ place, node: below[place], rest: isSplit ? 0 : untried.length - 1 }));
  }

  #leaves(node, way, whole) {
    const { tree } = this;
    if (node < 0 || (!whole && !tree.has(node))) return 1;
    const below = this.#below(node, way, whole);
    return Math.max(1, below.reduce((sum, child) => sum + this.#leaves(child.node, way, whole), 0));
  }

  /** Put a node, which hangs `at` a place below its parent, and all below it into the plan's places. */
  #place(plan, node, level, left, at = { parent: -1, place: 0, rest: 0 }) {
    const { column, places, way } = plan;
    const whole = way === "all";
    const wide = this.#leaves(node, way, whole) * column;
    const { parent, place, rest } = at;
    const isCard = this.tree.has(node);
    const hidden = !isCard && !this.tree.has(parent);
    const y = BORDER + level * this.rowHeight;
    const key = keyOf(parent, place);
    places.push({ key, node, parent, place, rest, isCard, hidden, level, x: left + wide / 2, y });
    if (node < 0 || (!isCard && !whole)) return;
    for (const child of this.#below(node, way, whole)) {
      this.#place(plan, child.node, level + 1, left, { ...child, parent: node });
      left += this.#leaves(child.node, way, whole) * column;
    }
  }

  // What is drawn -------------------------------------------------------------------------------

  #draw(place, column) {
    const item = this.items.get(place.key) ?? this.#make(place);
    Object.assign(item, place);
    const high = place.isCard ? this.#cardHigh() : GHOST;
    const isWide = place.parent < 0 && !this.stacked; // the root's numbers are the longest
    const width = isWide ? column + ROOM : column;
    Object.assign(item.button.style, {
      left: `${place.x - width / 2}px`, top: `${place.y}px`, width: `${width}px`, height: `${high}px`,
    });
    item.button.className = this.#looks(place).join(" ");
    if (place.isCard) this.#fillCard(item);
    else this.#fillGhost(item);
  }

  #cardHigh() {
    return this.stacked ? HIGH : LOW;
  }

  #looks({ isCard, key, node }) {
    const { facts, look, stacked } = this;
    const marks = namesOf({ wrong: look.wrong === key, stacked });
    if (!isCard) return ["ghost", ...marks];
    const { chosen, fresh } = look;
    const state = { "on-path": this.#onWalk(node), fresh: node === fresh, chosen: node === chosen };
    return ["card", `moved-${facts.nodes[node].mover}`, ...marks, ...namesOf(state)];
  }

  #onWalk(node) {
    return this.look.path.includes(node);
  }

  #make({ key }) {
    const item = {
      name: element("span", { class: "name" }), share: element("b", { class: "share" }),
      mean: element("i", { class: "fill" }),
    };
    item.numbers = element("span", { class: "numbers" }, item.name, item.share,
      element("span", { class: "mean" }, item.mean));
    if (this.facts.board) item.board = new MiniBoard(this.facts.board);
    item.button = element("button", { type: "button", "data-key": key }, item.board?.svg, item.numbers);
    item.button.addEventListener("click", () => {
      this.stop = key;
      this.#rove();
      if (item.isCard) this.choose(item.node, key);
      else this.chooseUntried(item, key);
    });
    this.items.set(key, item);
    this.holder.append(item.button);
    return item;
  }

  #fillCard(item) {
    const { facts, tree } = this;
    const { node } = item;
    const { cells, label, mover, parent } = facts.nodes[node];
    const [visits, wins] = [tree.visits[node], tree.wins[node]];
    const player = facts.players[mover];
    write(item.name, parent < 0 ? `root, ${player}` : `${player} ${label}`);
    write(item.share, `${halves(wins)}/${visits}`);
    item.mean.style.width = visits ? `${(100 * wins) / visits}%` : "0";
    item.board?.draw(cells, parent < 0 ? cells : facts.nodes[parent].cells);
    const name = parent < 0 ? `The root, ${player} moved before it` : `${player} ${label}`;
    const counts = visits ? `${halves(wins)} ${wins === 1 ? "win" : "wins"} of ${visits} ${
      visits === 1 ? "visit" : "visits"}` : "no visit yet";
    const over = facts.nodes[node].over ? ", the game is over" : "";
    const walked = this.#onWalk(node) ? ", on the walk" : "";
    assign(item.button, { "aria-label": `${name}, ${counts}${over}${walked}` });
    item.button.title = facts.nodes[node].text;
  }

  #fillGhost(item) {
    const label = this.facts.nodes[item.parent].moves[item.place];
    const more = item.rest ? ` +${item.rest}` : "";
    write(item.name, this.stacked ? `${label}${more}` : `${label}${more} · untried`);
    const said = `Move ${label}, untried${item.rest ? `, and ${item.rest} more untried moves` : ""}`;
    const where = item.parent ? `, below ${this.#named(item.parent)}` : "";
    assign(item.button, { "aria-label": said + where });
    item.button.title = "";
  }

  #named(node) {
    const { label, mover } = this.facts.nodes[node];
    return `${this.facts.players[mover]} ${label}`;
  }

  #edges(places, width) {
    const of = new Map(places.filter(({ isCard }) => isCard).map((place) => [place.node, place]));
    const high = this.#cardHigh();
    const lines = places.filter(({ parent }) => parent >= 0).map(({ isCard, node, parent, x, y }) => {
      const from = of.get(parent);
      const [top, bend] = [from.y + high, (y - from.y - high) / 2];
      const onPath = isCard && this.#onWalk(node);
      return svgElement("path", {
        class: onPath ? "edge on-path" : isCard ? "edge" : "edge untried",
        d: `M${from.x} ${top}C${from.x} ${top + bend} ${x} ${y - bend} ${x} ${y}`,
      });
    });
    this.lines.replaceChildren(...lines);
    this.cardWidth = width;
  }

  // Keys ------------------------------------------------------------------------------------------

  /** One stop for Tab in the whole picture: where the reader was, else the end of the walk. */
  #rove() {
    const known = (this.order ?? []).includes(this.stop);
    const stop = known ? this.stop : this.#key(this.look.path.at(-1));
    for (const [key, { button }] of this.items) assign(button, { tabindex: key === stop ? 0 : -1 });
  }

  #step(event) {
    const here = this.items.get(event.target.dataset.key);
    const near = here && this.#towards(event.key, here);
    if (!near) return;
    event.preventDefault();
    this.stop = near;
    this.#rove();
    focusOn(this.items.get(near).button);
  }

  #towards(key, here) {
    const { order } = this;
    const all = order.map((other) => this.items.get(other));
    const level = all.filter((other) => other.level === here.level);
    const at = level.indexOf(here);
    switch (key) {
      case "ArrowLeft": return level.at(at - 1).key;
      case "ArrowRight": return level[(at + 1) % level.length].key;
      case "ArrowUp": return all.find((other) => other.isCard && other.node === here.parent)?.key;
      case "ArrowDown": return here.isCard && all.find((other) => other.parent === here.node)?.key;
      default: return undefined;
    }
  }
}
