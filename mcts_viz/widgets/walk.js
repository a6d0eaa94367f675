// The walk: the path of one iteration from left to right, and beside each of its nodes the rivals.
// The root and its children have one place for the whole film. What stands deeper depends on the
// iteration alone, so going back brings the same picture; what stays moves there, and never jumps.

import { Card, LETTER, clipped } from "./card.js";
import { assign, svgElement } from "./elements.js";
import { LARGEST, MARGIN, View } from "./view.js";

const [GAP, FIRST_GAP] = [28, 28]; // between two columns of cards, for edges
const WIDTHS = { folded: 64, dot: 22 }; // of columns that have no room for cards
const SPACE = [6, 3, 1]; // between two cards of a column, as there is room
const MOST = 12; // moves of the root that are shown
const GHOST = 22; // the height of an untried move
const FADE = 120; // milliseconds

export class Walk extends View {
  constructor(film) {
    super(film, "walk", "The walk of this iteration");
    this.spare = Object.fromEntries(Object.keys(film.facts.card_templates).map((kind) => [kind, []]));
    this.notes = svgElement("g");
    this.ghosts = svgElement("g", { class: "ghosts" });
    this.lines.append(this.trail);
    this.boxes.before(this.ghosts);
    this.over.append(this.notes);
    // The root's moves in the film, in order: those that have a node, then those that never get one.
    const never = film.untried(0, Infinity);
    const visits = (node) => film.statistics?.(node, Infinity).visits ?? 0;
    const ranked = film.below[0].toSorted((a, b) => visits(b) - visits(a) || a - b);
    const all = film.below[0].length + never.length;
    const kept = new Set(all > MOST ? ranked.slice(0, MOST - 1) : ranked);
    this.slots = [...film.below[0].filter((node) => kept.has(node)), ...(all > MOST ? ["rest"] : never)];
  }

  resize(width, height) {
    super.resize(width, height);
    const { card_templates: sizes } = this.film.facts;
    const count = Math.max(1, this.slots.length);
    const high = (scale) => height / scale - 2 * MARGIN;
    this.firstKind = ["full", "row", "slim"].find((kind) =>
      count * (sizes[kind].height + SPACE[1]) <= high(1) + SPACE[1]) ?? "slim";
    const { height: tall, width: wide } = sizes[this.firstKind];
    const first = 2 * MARGIN + sizes.root.width + FIRST_GAP + wide;
    this.scale = Math.max(1,
      Math.min(LARGEST, height / (count * (tall + SPACE[0]) + 2 * MARGIN),
        width / (first + 2 * (GAP + sizes.full.width))));
    this.high = high(this.scale);
    this.wide = width / this.scale;
    this.pitch = Math.min(tall + 20, (this.high + SPACE[1]) / count);
    this.firstX = MARGIN + sizes.root.width + FIRST_GAP;
    this.deepX = this.firstX + wide + GAP;
    assign(this.svg, { viewBox: `0 0 ${this.wide.toFixed(1)} ${(height / this.scale).toFixed(1)}` });
  }

  /**
   * Show a moment: the path of its iteration, or the one to the node in `focus` if that is elsewhere.
   * With `hideNewNode` the walk goes no further than it is shown. Where it is `calm`, what stays
   * moves to its new place. In a drag it is only `sketched`: deeper rivals come when it rests.
   */
  paint(frame, { calm, focus, hideNewNode, sketched, truth }) {
    const { film } = this;
    const own = hideNewNode ? frame.path : frame.fullPath;
    const path = frame.fullPath.includes(focus) ? own : film.pathTo(focus);
    const plan = this.#plan(frame, path, focus);
    if (sketched) plan.cards = plan.cards.filter(({ node, parent }) => !parent || path.includes(node));
    const before = new Map([...this.cards].map(([node, card]) => [node, card.box]));
    this.#take(plan.cards);
    for (const { node, parent, x, y, longest, look } of plan.cards) {
      const card = this.cards.get(node);
      Object.assign(card, {
        parent: this.cards.get(parent), to: { x, y, width: card.width, height: card.height },
      });
      card.fill(look, frame, { focus, longest, truth });
      assign(card.edge, { "stroke-width": (1.2 + 5 * look.visit_share).toFixed(1) });
    }
    this.ghosts.replaceChildren(...plan.ghosts.map((ghost) => this.#ghost(ghost)));
    this.notes.replaceChildren(
      ...plan.notes.map(({ text, ...place }) => svgElement("text", { class: "note", ...place }, text)));
    this.onPath = frame.onPath;
    this.paintGains(frame);
    this.#move(before, calm);
  }

  // Where everything stands -----------------------------------------------------------------

  #plan(frame, path, focus) {
    const { deepX, film, firstKind, firstX, high, pitch, slots } = this;
    const { card_templates: sizes } = film.facts;
    const y0 = MARGIN + Math.max(0, (high - pitch * slots.length) / 2);
    const middle = (place) => y0 + pitch * (place + 0.5);
    const chosen = path[1];
    const guest = slots.includes(chosen) ? undefined : chosen; // in the place of "+n"
    const first = slots.map((slot) => (slot === "rest" ? guest : slot));
    const looks = new Map(film.children(0, frame).map((node) => [node, film.card(node, frame)]));
    const rootY = MARGIN + high / 2 - sizes.root.height / 2;
    const cards = [{ node: 0, kind: "root", x: MARGIN, y: rootY, longest: 0, look: film.card(0, frame) }];
    const [ghosts, notes] = [[], []];
    const longest = longestOf([...looks.values()]);
    first.forEach((slot, place) => {
      const y = middle(place) - sizes[firstKind].height / 2;
      const at = { parent: 0, x: firstX };
      if (film.births[slot] <= frame.addedAt) {
        cards.push({ ...at, y, node: slot, kind: firstKind, longest, look: looks.get(slot) });
      } else if (slot !== undefined) {
        const label = typeof slot === "number" ? film.label(slot) : slot;
        ghosts.push({ ...at, y: middle(place) - GHOST / 2, width: sizes[firstKind].width, label });
      }
    });
    const hidden = looks.size - first.filter((slot) => looks.has(slot)).length;
    const below = guest === undefined ? middle(slots.length - 1) + 4 : MARGIN + high + 6;
    if (hidden > 0) notes.push({ x: firstX + 4, y: below, text: `+${hidden} more moves` });
    // Deeper: a column for each further step of the path, and one for what lies below its end.
    const columns = path.slice(1).map((above, level) => ({
      above, chosen: path[level + 2], nodes: film.children(above, frame),
    }));
    if (!columns.at(-1)?.nodes.length) columns.pop();
    const step = sizes.full.width + GAP;
    const room = this.wide - deepX;
    const dot = Math.max(8, Math.min(WIDTHS.dot, (room - step) / Math.max(1, columns.length - 1)));
    const widths = { full: step, folded: WIDTHS.folded, dot };
    const modes = foldings(columns.length, room, widths, columns.findIndex(({ above }) => above === focus));
    let [x, centre, parent] = [deepX, 0, chosen];
    if (chosen !== undefined) centre = middle(Math.max(0, first.indexOf(chosen)));
    columns.forEach((column, number) => {
      const mode = modes[number];
      const untried = mode === "full" && column.above === frame.walk.at(-1)
        ? film.untried(column.above, frame.iteration - 1) : [];
      const stack = this.#stack(column, mode, untried, frame);
      const start = Math.max(MARGIN, Math.min(MARGIN + high - stack.total, centre - stack.middle));
      for (const { offset, ...item } of stack.items) {
        cards.push({ ...item, parent, x, y: start + offset, longest: stack.longest });
      }
      for (const { label, offset } of stack.ghosts) {
        if (label !== (frame.added && film.label(frame.added))) {
          ghosts.push({ label, parent, x, y: start + offset, width: sizes.full.width });
        }
      }
      if (stack.left) notes.push({ x: x + 4, y: start + stack.total - 4, text: stack.left });
      centre = start + stack.middle;
      parent = column.chosen;
      x += widths[mode];
    });
    return { cards, ghosts, notes };
  }

  /** The cards of a column one below the other, the untried moves, and a place for the new node. */
  #stack({ chosen, nodes }, mode, untried, frame) {
    const { film, high } = this;
    const { card_templates: sizes } = film.facts;
    if (mode !== "full") nodes = [chosen];
    const isNew = (node) => film.births[node] === frame.iteration;
    const looks = new Map(nodes.map((node) => [node, film.card(node, frame)]));
    const share = (node) => (node === chosen ? Infinity : looks.get(node).visit_share);
    let ranked = nodes.toSorted((a, b) => share(b) - share(a) || a - b);
    const kinds = mode === "full" ? ["full", "row", "slim"] : [mode];
    let [kind, space, shown] = [kinds[0], SPACE[0], untried];
    const kindOf = (node) => (node === chosen && kind === "slim" ? "row" : kind);
    const total = () => shown.length * (GHOST + 4)
      + ranked.reduce((sum, node) => sum + sizes[kindOf(node)].height + space, -space);
    for (const [other, gap] of kinds.flatMap((one) => SPACE.map((wide) => [one, wide]))) {
      if (total() <= high) break;
      [kind, space] = [other, gap];
    }
    while (shown.length && total() > high - 18) shown = shown.slice(0, -1);
    while (ranked.length > 1 && total() > high - 18) ranked = ranked.slice(0, -1);
    let [offset, middle] = [0, 0];
    const ordered = nodes.filter((node) => ranked.includes(node));
    const items = ordered.filter((node) => !isNew(node)).map(put);
    const ghosts = shown.map((label) => {
      offset += GHOST + 4;
      return { label, offset: offset - GHOST - 4 };
    });
    items.push(...ordered.filter(isNew).map(put)); // the new one stands last
    const [cut, hidden] = [nodes.length - ranked.length, untried.length - shown.length];
    const left = [cut && `+${cut} more moves`, hidden && `+${hidden} untried`].filter(Boolean).join(", ");
    const height = offset - space + (left ? 18 : 0);
    return {
      items, ghosts, left, total: height, middle: chosen === undefined ? height / 2 : middle,
      longest: longestOf([...looks.values()]),
    };

    function put(node) {
      const item = { node, kind: kindOf(node), offset, look: looks.get(node) };
      if (node === chosen) middle = offset + sizes[item.kind].height / 2;
      offset += sizes[item.kind].height + space;
      return item;
    }
  }

  /** Cards for these nodes; one that is there stays, the others take what has become free. */
  #take(wanted) {
    const kinds = new Map(wanted.map(({ node, kind }) => [node, kind]));
    for (const [node, card] of this.cards) {
      if (kinds.get(node) === card.kind) continue;
      this.spare[card.kind].push(card);
      this.cards.delete(node);
    }
    for (const [node, kind] of kinds) {
      if (this.cards.has(node)) continue;
      const card = this.spare[kind].pop() ?? new Card(this.film, kind);
      if (!card.group.parentNode) this.add(card);
      card.place(node);
      this.cards.set(node, card);
    }
    // not before: to hide what is shown again costs a layout
    for (const card of Object.values(this.spare).flat()) card.free();
  }

  /** A move without a node: slim, pale and dashed. */
  #ghost({ label, parent, width, x, y }) {
    const said = this.film.facts.kind === "mcts" ? " · untried" : " · not entered";
    const text = width < 100 ? label : clipped(label, width - LETTER * said.length) + said;
    const above = this.cards.get(parent);
    return svgElement("g", {},
      above && svgElement("path", { class: "edge", d: curve(above.to, { x, y, width, height: GHOST }) }),
      svgElement("g", { class: "ghost", "data-ghost": label, transform: `translate(${x} ${y})` },
        svgElement("rect", { width, height: GHOST, rx: 5 }), svgElement("text", { x: 8, y: 15 }, text)));
  }

  // Motion ----------------------------------------------------------------------------------

  /** What stays goes to its new place within 260 ms, what is new fades in. */
  #move(before, calm) {
    const moving = [];
    for (const [node, card] of this.cards) {
      card.from = calm ? before.get(node) : undefined;
      if (card.from && Object.keys(card.to).some((name) => Math.abs(card.from[name] - card.to[name]) > 0.5)) {
        moving.push(card);
      }
      else card.move(card.to);
      if (calm && before.size && !card.from && !card.group.hasAttribute("data-new")) {
        card.group.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
      }
    }
    this.glide(moving.length > 0, (eased) => {
      for (const card of moving) {
        const at = (name) => card.from[name] + (card.to[name] - card.from[name]) * eased;
        card.move({ x: at("x"), y: at("y"), width: at("width"), height: at("height") });
      }
      this.#join();
    });
  }

  /** Edges from card to card, and the trail over those of the path. */
  #join() {
    let trail = "";
    for (const [node, card] of this.cards) {
      const d = card.parent ? curve(card.parent.box, card.box) : "";
      assign(card.edge, { d });
      if (this.onPath.has(node)) trail += d;
    }
    assign(this.trail, { d: trail });
  }
}

const longestOf =
  (looks) => Math.max(0, ...looks.map(({ terms }) => terms[0] + terms[1]).filter(Number.isFinite));

/** An edge from the right side of a box to the left side of another. */
function curve(from, to) {
  const [x, y] = [from.x + from.width, from.y + from.height / 2];
  const [wide, high] = [to.x - x, to.y + to.height / 2 - y];
  const bend = Math.max(10, wide / 2);
  const numbers = [bend, 0, wide - bend, high, wide, high].map((number) => number.toFixed(1));
  return `M${x.toFixed(1)} ${y.toFixed(1)}c${numbers.join(" ")}`;
}

/**
 * How each of so many columns is shown: as cards while there is room, first the one that is looked
 * at, then the last, then the others from the left; else as the path's boards, or as its dots.
 */
function foldings(count, width, widths, looked) {
  const small = count * widths.folded <= width ? "folded" : "dot";
  const modes = Array.from({ length: count }, () => small);
  for (const place of [looked, count - 1, ...modes.keys()]) {
    const used = modes.reduce((sum, mode) => sum + widths[mode], 0);
    if (place >= 0 && used - widths[modes[place]] + widths.full <= width) modes[place] = "full";
  }
  return modes;
}
