// The walk: the path of one iteration from left to right, and beside each of its nodes the rivals.
// Where a card stands depends on the iteration alone, so going back brings the same picture, and
// within an iteration nothing changes its place.

import { Card, LARGEST, MARGIN, svgElement, write } from "./board.js";

const GAP = 60; // between two columns of cards, for edges and tails
const FOLD = 46;
const FOLD_GAP = 28;
const DOT = 22;
const SPACE = 6; // between two cards of a column
const TIGHT = 3;
const TAIL = 8;

export class Walk {
  /** `onChoose(node)` hears of a card that is chosen. */
  constructor(film, kinds) {
    this.film = film;
    this.kinds = kinds;
    this.svg = svgElement("svg", { class: "mcts-tree walk", role: "group", "aria-label": "The walk of this iteration" });
    const group = (name) => svgElement("g", { class: name });
    this.groups = { tails: group("tails"), edges: group("edges"), boxes: group("boxes"), over: group("over") };
    this.trail = svgElement("path", { class: "trail" });
    this.svg.append(...Object.values(this.groups));
    this.cards = new Map(); // by node, those on the screen
    this.spare = { full: [], slim: [], folded: [], bar: [], dot: [] };
    this.edges = [];
    this.tails = [];
    this.notes = [];
  }

  /** So large is the pane. */
  resize(width, height) {
    this.size = [width, height];
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
  }

  /**
   * Show a moment: the path of its iteration, or the one to the node `aside` that a reader looks
   * at. With `secret` the node to be added keeps no place free.
   */
  paint(frame, { focus, aside, secret, truth }) {
    const { film } = this;
    const end = aside ?? (secret ? frame.path.at(-1) : frame.spine.at(-1));
    const spine = film.pathTo(end);
    const plan = this.#plan(frame, spine);
    this.svg.setAttribute("viewBox", `0 0 ${(this.size[0] / plan.scale).toFixed(1)} ${(this.size[1] / plan.scale).toFixed(1)}`);
    this.#take(plan.cards);
    let [edges, tails] = [0, 0];
    let trail = "";
    for (const { node, parent, x, y, longest, tail, isLast } of plan.cards) {
      const card = this.cards.get(node);
      card.move(x, y);
      const hidden = film.births[node] > frame.born;
      const look = film.card(node, frame);
      const onPath = frame.onPath.has(node);
      card.fill(look, { onPath, added: node === frame.added, focused: node === focus && node > 0, longest, truth: truth?.(node), hidden });
      if (tail && !hidden) tails = this.#tail(card, node, frame, tails, isLast);
      if (parent === undefined) continue;
      const from = this.cards.get(parent);
      const start = [from.x + from.width, from.y + from.height / 2];
      const bend = Math.max(10, (x - start[0]) / 2);
      const d = `M${start[0].toFixed(1)} ${start[1].toFixed(1)}c${bend.toFixed(1)} 0 ${(x - start[0] - bend).toFixed(1)} ${(y + card.height / 2 - start[1]).toFixed(1)} ${(x - start[0]).toFixed(1)} ${(y + card.height / 2 - start[1]).toFixed(1)}`;
      const edge = (this.edges[edges] ??= this.groups.edges.appendChild(svgElement("path", { class: "edge" })));
      edges += 1;
      edge.dataset.child = node;
      edge.setAttribute("d", d);
      edge.setAttribute("stroke-width", (1.2 + 5 * look.weight).toFixed(1));
      edge.setAttribute("display", hidden ? "none" : "inline");
      if (onPath) trail += d;
    }
    this.edges.splice(edges).forEach((edge) => edge.remove());
    this.tails.splice(tails).forEach((part) => part.remove());
    this.trail.setAttribute("d", trail);
    this.groups.edges.append(this.trail);
    this.#note(plan.notes);
  }

  // Where everything stands -----------------------------------------------------------------

  #plan(frame, spine) {
    const { film, kinds } = this;
    const columns = spine.slice(1).map((node, level) => ({ chosen: node, nodes: film.children(spine[level], frame) }));
    const beyond = film.children(spine.at(-1), frame);
    if (beyond.length) columns.push({ nodes: beyond });
    const { levels, rows } = film.extent;
    const [width, height] = this.size.map((side) => side - 2 * MARGIN);
    const full = kinds.full.width;
    const deep = levels[frame.iteration];
    const scale = Math.max(1, Math.min(LARGEST, width / (full + (full + GAP) * (deep - 1) + TAIL), height / (rows[frame.iteration] * (kinds.full.height + SPACE))));
    const [wide, high] = [width / scale, height / scale];
    const modes = foldings(columns.length, wide, full);
    const cards = [];
    const notes = [];
    const stacks = columns.map((column, number) => this.#stack(column, modes[number + 1], high, frame));
    const low = Math.max(0, ...stacks.map(({ above }) => above));
    const top = Math.min(high, ...stacks.map(({ above, total }) => high - total + above));
    let middle = low <= top ? Math.max(low, Math.min(top, high / 2)) : high / 2;
    let x = MARGIN;
    const rootKind = modes[0];
    middle = Math.max(kinds[rootKind].height / 2, middle);
    cards.push({ node: 0, kind: rootKind, x, y: MARGIN + middle - kinds[rootKind].height / 2, longest: 0 });
    let parent = 0;
    stacks.forEach((stack, number) => {
      x += widthOf(modes[number], full);
      const start = Math.max(0, Math.min(high - stack.total, middle - stack.above));
      for (const { node, kind, offset } of stack.items) {
        cards.push({ node, parent, kind, x, y: MARGIN + start + offset, longest: stack.longest, tail: kind === "full" && node !== columns[number].chosen, isLast: number === stacks.length - 1 });
      }
      if (stack.left) notes.push({ x, y: MARGIN + start + stack.total - 4, text: `+${stack.left} more moves` });
      middle = start + stack.above;
      parent = columns[number].chosen;
    });
    return { cards, notes, scale };
  }

  /** The cards of a column one below the other; `above` the middle of the chosen one lies so much. */
  #stack({ chosen, nodes }, mode, high, frame) {
    const { film, kinds } = this;
    if (mode === "dot") nodes = [chosen];
    const looks = new Map(nodes.map((node) => [node, film.card(node, frame)]));
    const longest = Math.max(0, ...nodes.map((node) => looks.get(node).terms[0] + looks.get(node).terms[1]).filter(Number.isFinite));
    let kindOf = () => mode;
    let space = SPACE;
    let left = 0;
    if (mode === "folded") kindOf = (node) => (node === chosen ? "folded" : "bar");
    const tall = (list) => list.reduce((sum, node) => sum + kinds[kindOf(node)].height + space, -space);
    if (mode === "full" && tall(nodes) > high) space = TIGHT;
    if (mode === "full" && tall(nodes) > high) kindOf = (node) => (node === chosen ? "full" : "slim");
    if (tall(nodes) > high) {
      const ranked = nodes.toSorted((a, b) => (b === chosen) - (a === chosen) || looks.get(b).weight - looks.get(a).weight || a - b);
      while (ranked.length > 1 && tall(ranked) > high - 18) ranked.pop();
      left = nodes.length - ranked.length;
      nodes = nodes.filter((node) => ranked.includes(node));
    }
    let offset = 0;
    let above = 0;
    const items = nodes.map((node) => {
      const kind = kindOf(node);
      const item = { node, kind, offset };
      if (node === chosen) above = offset + kinds[kind].height / 2;
      offset += kinds[kind].height + space;
      return item;
    });
    const total = offset - space + (left ? 18 : 0);
    return { items, longest, total, left, above: chosen === undefined ? total / 2 : above };
  }

  /** Cards for these nodes; one that is there stays, the others take what has become free. */
  #take(wanted) {
    const kinds = new Map(wanted.map(({ node, kind }) => [node, kind]));
    for (const [node, card] of this.cards) {
      if (kinds.get(node) === card.kind) continue;
      card.show(false);
      this.spare[card.kind].push(card);
      this.cards.delete(node);
    }
    for (const [node, kind] of kinds) {
      if (this.cards.has(node)) continue;
      const card = this.spare[kind].pop() ?? new Card(this.film, this.kinds, kind);
      if (!card.group.isConnected) this.groups.boxes.append(card.group);
      card.place(node);
      this.cards.set(node, card);
    }
    for (const cards of Object.values(this.spare)) for (const { group } of cards) delete group.dataset.node;
    for (const cards of Object.values(this.spare)) for (const card of cards) card.node = undefined;
  }

  /** Small bars beside a card say how much was searched below it, one for each child. */
  #tail(card, node, frame, used) {
    const { film } = this;
    const children = film.children(node, frame).filter((child) => film.births[child] <= frame.born);
    if (!children.length) return used;
    const looks = children.map((child) => film.card(child, frame));
    const all = looks.reduce((sum, look) => sum + (look.visits ?? 1), 0) || 1;
    const room = card.height - 4 - children.length;
    const share = Math.max(0.25, Math.sqrt(film.card(node, frame).weight));
    let y = card.y + (card.height - share * room - children.length + 1) / 2;
    for (const look of looks) {
      const part = (this.tails[used] ??= this.groups.tails.appendChild(svgElement("rect", { width: TAIL - 2, rx: 1 })));
      const height = Math.max(1, (share * room * (look.visits ?? 1)) / all);
      part.setAttribute("x", (card.x + card.width + 3).toFixed(1));
      part.setAttribute("y", y.toFixed(1));
      part.setAttribute("height", height.toFixed(1));
      part.setAttribute("class", look.level >= 0.5 ? "tail good" : "tail");
      y += height + 1;
      used += 1;
    }
    return used;
  }

  #note(notes) {
    while (this.notes.length < notes.length) this.notes.push(this.groups.over.appendChild(svgElement("text", { class: "note" })));
    this.notes.splice(notes.length).forEach((note) => note.remove());
    notes.forEach(({ x, y, text }, number) => {
      const note = this.notes[number];
      note.setAttribute("x", x + 4);
      note.setAttribute("y", y);
      write(note, text);
    });
  }
}

const widthOf = (mode, full) => ({ full: full + GAP, folded: FOLD + FOLD_GAP, dot: DOT })[mode];

/**
 * How each column of a path of so many steps is shown, the root first: the last columns and the
 * root's choice keep their cards, the others fold to boards, and where that is too wide to dots.
 */
export function foldings(steps, width, full) {
  const modes = Array.from({ length: steps + 1 }, () => "dot");
  const between = Array.from({ length: Math.max(0, steps - 1) }, (_, place) => steps - 1 - place).filter((place) => place > 1);
  const order = [...new Set([steps, Math.min(1, steps), ...between, 0])];
  const total = () => modes.reduce((sum, mode) => sum + widthOf(mode, full), 0) - (modes[steps] === "full" ? GAP - 2 * TAIL : FOLD_GAP);
  for (const mode of ["folded", "full"]) {
    for (const place of mode === "folded" ? [steps, 0, ...order] : order) {
      const before = modes[place];
      modes[place] = mode;
      if (total() > width) modes[place] = before;
    }
  }
  return modes;
}
