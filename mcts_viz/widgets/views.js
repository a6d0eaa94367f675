// Both ways to look at a moment: the walk, and the whole tree.

import { Card, LARGEST, MARGIN, assign, element, svgElement, write } from "./board.js";

class View {
  constructor(film, name, label) {
    this.film = film;
    [this.lines, this.boxes, this.over] = ["lines", "boxes", "over"].map((part) => svgElement("g", { class: part }));
    this.svg = svgElement("svg", { class: `mcts-tree ${name}`, role: "group", "aria-label": label }, this.lines, this.boxes, this.over);
    this.trail = svgElement("path", { class: "trail" });
    this.cards = new Map(); // by node, those on the screen
    this.element = element("div", { class: "pane", hidden: "" }, this.svg); // until it is painted
  }

  /** Put a new card into the picture, its edge below all other lines. */
  add(card) {
    this.boxes.append(card.group);
    this.lines.prepend(card.edge);
  }

  /** The nodes that it shows. */
  get nodes() {
    return new Set(this.cards.keys());
  }

  /** So large is the pane. */
  resize(width, height) {
    this.size = [width, height];
    assign(this.svg, { width, height });
  }
}

// The walk: the path of one iteration from left to right, and beside each of its nodes the rivals.
// Where a card stands depends on the iteration alone, so going back brings the same picture, and
// within an iteration nothing changes its place.

const GAPS = { full: 60, tall: 36 }; // between two columns of cards, for edges and tails
const WIDTHS = { folded: 74, dot: 22 }; // of columns that have no room for cards
const SPACE = 6; // between two cards of a column
const TIGHT = 3;
const TAIL = 8;

export class Walk extends View {
  constructor(film) {
    super(film, "walk", "The walk of this iteration");
    this.spare = Object.fromEntries(Object.keys(film.facts.card_templates).map((kind) => [kind, []]));
    this.tails = { few: svgElement("path", { class: "tail" }), good: svgElement("path", { class: "tail good" }) };
    this.notes = svgElement("g");
    this.lines.append(...Object.values(this.tails), this.trail);
    this.over.append(this.notes);
  }

  /**
   * Show a moment: the path of its iteration, or the one to the node `lookedAt` that a reader looks
   * at. With `hideNewNode` the node to be added keeps no place free.
   */
  paint(frame, { focus, lookedAt, hideNewNode, truth }) {
    const { film } = this;
    const end = lookedAt ?? (hideNewNode ? frame.path.at(-1) : frame.fullPath.at(-1));
    const { cards, notes, scale } = this.#plan(frame, film.pathTo(end));
    assign(this.svg, { viewBox: `0 0 ${(this.size[0] / scale).toFixed(1)} ${(this.size[1] / scale).toFixed(1)}` });
    this.#take(cards);
    const tails = { few: "", good: "" };
    let trail = "";
    for (const { node, parent, x, y, longest, hasTail, look } of cards) {
      const card = this.cards.get(node);
      card.move(x, y);
      card.fill(look, frame, { focus, longest, truth });
      if (hasTail && film.births[node] <= frame.addedAt) this.#tail(card, frame, tails);
      const d = node ? curve(this.cards.get(parent), card) : "";
      assign(card.edge, { d, "stroke-width": (1.2 + 5 * look.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += d;
    }
    for (const [name, d] of Object.entries(tails)) assign(this.tails[name], { d });
    assign(this.trail, { d: trail });
    this.notes.replaceChildren(...notes.map(({ text, ...place }) => svgElement("text", { class: "note", ...place }, text)));
  }

  // Where everything stands -----------------------------------------------------------------

  #plan(frame, fullPath) {
    const { film } = this;
    const { card_templates: templates } = film.facts;
    const columns = fullPath.slice(1).map((node, level) => ({ chosen: node, nodes: film.children(fullPath[level], frame) }));
    const beyond = film.children(fullPath.at(-1), frame);
    if (beyond.length) columns.push({ nodes: beyond });
    const { levels, rows } = film.extent(frame);
    const [width, height] = this.size.map((side) => side - 2 * MARGIN);
    const largest = (kind) => {
      const { width: wide, height: high } = templates[kind];
      return Math.min(LARGEST, width / (levels * (wide + GAPS[kind]) - GAPS[kind] + TAIL), height / (rows * (high + SPACE)));
    };
    // A deep tree with few moves beside each other has more room below its cards than beside them.
    const kind = largest("tall") > Math.max(1, largest("full")) ? "tall" : "full";
    const scale = Math.max(1, largest(kind));
    const [wide, high] = [width / scale, height / scale];
    const step = templates[kind].width + GAPS[kind];
    const modes = foldings(columns.length, wide + GAPS[kind] - 2 * TAIL, step);
    const kinds = modes.map((mode) => (mode === "full" ? kind : mode));
    const stacks = columns.map((column, number) => this.#stack(column, kinds[number + 1], high, frame));
    const low = Math.max(templates[kinds[0]].height / 2, ...stacks.map(({ above }) => above));
    const top = Math.min(high, ...stacks.map(({ above, total }) => high - total + above));
    let middle = low <= top ? Math.max(low, Math.min(top, high / 2)) : high / 2;
    let [x, parent] = [MARGIN, 0];
    const cards = [{ node: 0, kind: kinds[0], x, y: MARGIN + middle - templates[kinds[0]].height / 2, longest: 0, look: film.card(0, frame) }];
    const notes = [];
    stacks.forEach(({ items, longest, left, above, total }, number) => {
      const { chosen } = columns[number];
      x += widthOf(modes[number], step);
      const start = MARGIN + Math.max(0, Math.min(high - total, middle - above));
      for (const { offset, ...item } of items) cards.push({ ...item, parent, x, y: start + offset, longest, hasTail: item.kind === kind && item.node !== chosen });
      if (left) notes.push({ x: x + 4, y: start + total - 4, text: `+${left} more moves` });
      middle = start - MARGIN + above;
      parent = chosen;
    });
    return { cards, notes, scale };
  }

  /** The cards of a column one below the other; `above` the middle of the chosen one lies so much. */
  #stack({ chosen, nodes }, mode, high, frame) {
    const { card_templates: sizes } = this.film.facts;
    if (mode === "dot") nodes = [chosen];
    const looks = new Map(nodes.map((node) => [node, this.film.card(node, frame)]));
    const longest = Math.max(0, ...[...looks.values()].map(({ terms }) => terms[0] + terms[1]).filter(Number.isFinite));
    let kindOf = () => mode;
    let space = SPACE;
    if (mode === "folded") kindOf = (node) => (node === chosen ? "folded" : "bar");
    const tall = (list) => list.reduce((sum, node) => sum + sizes[kindOf(node)].height + space, -space);
    if (mode === "full" && tall(nodes) > high) space = TIGHT;
    if (mode === "full" && tall(nodes) > high) kindOf = (node) => (node === chosen ? "full" : "slim");
    const ranked = nodes.toSorted((a, b) => (b === chosen) - (a === chosen) || looks.get(b).visit_share - looks.get(a).visit_share || a - b);
    if (tall(ranked) > high) while (ranked.length > 1 && tall(ranked) > high - 18) ranked.pop();
    const left = nodes.length - ranked.length;
    let [offset, above] = [0, 0];
    const items = nodes.filter((node) => ranked.includes(node)).map((node) => {
      const item = { node, kind: kindOf(node), offset, look: looks.get(node) };
      if (node === chosen) above = offset + sizes[item.kind].height / 2;
      offset += sizes[item.kind].height + space;
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
      card.free();
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
  }

  /** Small bars beside a card say how much was searched below it, one for each child. */
  #tail(card, frame, tails) {
    const { film } = this;
    const looks = film.children(card.node, frame).filter((child) => film.births[child] <= frame.addedAt).map((child) => film.card(child, frame));
    const all = looks.reduce((sum, { visits = 1 }) => sum + visits, 0) || 1;
    const room = (card.height - 4 - looks.length) * Math.max(0.25, Math.sqrt(card.said.visit_share));
    const x = (card.x + card.width + 3).toFixed(1);
    let y = card.y + (card.height - room - looks.length + 1) / 2;
    for (const { fill, visits = 1 } of looks) {
      const height = Math.max(1, (room * visits) / all);
      tails[fill >= 0.5 ? "good" : "few"] += `M${x} ${y.toFixed(1)}h${TAIL - 2}v${height.toFixed(1)}h${2 - TAIL}z`;
      y += height + 1;
    }
  }
}

/** An edge from the right side of a card to the left side of another. */
function curve(from, to) {
  const [x, y] = [from.x + from.width, from.y + from.height / 2];
  const [wide, high] = [to.x - x, to.y + to.height / 2 - y];
  const bend = Math.max(10, wide / 2);
  const numbers = [bend, 0, wide - bend, high, wide, high].map((number) => number.toFixed(1));
  return `M${x.toFixed(1)} ${y.toFixed(1)}c${numbers.join(" ")}`;
}

const widthOf = (mode, step) => WIDTHS[mode] ?? step;

/**
 * How each column of a path of so many steps is shown, the root first: all as dots, then as boards
 * while there is room, then as cards: the last column, the root's choice, what lies between, the root.
 */
function foldings(steps, width, step) {
  const modes = Array.from({ length: steps + 1 }, () => "dot");
  const between = [...modes.keys()].slice(2, -1).toReversed();
  const order = [...new Set([steps, Math.min(1, steps), ...between, 0])];
  const total = () => modes.reduce((sum, mode) => sum + widthOf(mode, step), 0);
  for (const [mode, places] of [["folded", [steps, 0, ...order]], ["full", order]]) {
    for (const place of places) {
      const before = modes[place];
      modes[place] = mode;
      if (total() > width) modes[place] = before;
    }
  }
  return modes;
}

// The tree: laid out once, so that no card ever moves; a frame shows, hides and fills in. The
// camera shows what has been added so far, or a part of it, larger.

const CLOSEST = 12; // times as large
const TIP = 9; // radius of what stands for a part of the path that has no card
const LETTERS = [11.2, 14]; // pixels: smaller ones are not seen, so texts grow on small cards; larger ones have no room

export class Tree extends View {
  constructor(film) {
    super(film, "tree", "Search tree");
    this.facts = film.facts.tree;
    this.more = new Map();
    this.enlarged = 1;
    this.facts.nodes.forEach((node, place) => {
      const card = new Card(film, this.facts.kinds[place]);
      card.place(node);
      card.move(...this.facts.corners[place]);
      assign(card.edge, { d: this.facts.edges[place] });
      this.cards.set(node, card);
      this.add(card);
    });
    this.tip = svgElement("circle", { class: "tip", r: TIP });
    this.tipEdge = svgElement("path", { class: "edge" });
    this.tipText = svgElement("text", { class: "tip", "text-anchor": "middle" });
    this.lines.append(this.tipEdge, this.trail);
    this.over.append(this.tip, this.tipText);
  }

  resize(width, height) {
    super.resize(width, height);
    this.#aim();
  }

  /** Whether all nodes have a card whose text can be read. */
  get isReadable() {
    const { whole, width, height } = this.facts;
    return whole && Math.min(this.size[0] / (width + 2 * MARGIN), this.size[1] / (height + 2 * MARGIN)) >= 0.93;
  }

  paint(frame, { focus, truth }) {
    const { film } = this;
    const seen = [];
    let trail = "";
    for (const [node, card] of this.cards) {
      const look = film.births[node] <= frame.addedAt ? film.card(node, frame) : undefined;
      card.show(look !== undefined);
      this.#more(card, look?.more ?? "");
      if (!look) continue;
      seen.push(card);
      card.fill(look, frame, { focus, truth });
      assign(card.edge, { "stroke-width": (1.2 + 4 * look.visit_share).toFixed(1) });
      if (frame.onPath.has(node)) trail += card.edge.getAttribute("d");
    }
    assign(this.trail, { d: trail + this.#paintTip(frame) });
    this.#frame(frame, seen);
  }

  /** What was cut off below a card. */
  #more({ node, x, y, width, height }, text) {
    if (text && !this.more.has(node)) this.more.set(node, this.over.appendChild(svgElement("text", { class: "note", "text-anchor": "end", x: x + width, y: y + height + 12 })));
    if (this.more.has(node)) write(this.more.get(node), text);
  }

  /** The rest of a path that has no cards hangs below the last one that has. */
  #paintTip({ path, added }) {
    const rest = path.filter((node) => !this.cards.has(node));
    for (const part of [this.tip, this.tipEdge, this.tipText]) assign(part, { display: rest.length ? "inline" : "none" });
    if (!rest.length) return "";
    const owner = this.cards.get(path[path.length - rest.length - 1]);
    const [x, y] = [owner.x + owner.width / 2, owner.y + owner.height];
    const node = rest.at(-1);
    const d = `M${x} ${y}v10`;
    assign(this.tipEdge, { d, "data-child": node });
    assign(this.tip, { "data-node": node, cx: x, cy: y + 10 + TIP, class: node === added ? "tip new" : "tip" });
    this.tip.toggleAttribute("data-new", node === added);
    assign(this.tipText, { x, y: y + 14 + TIP });
    write(this.tipText, String(rest.length));
    return d;
  }

  // The camera ------------------------------------------------------------------------------

  /** Look at all that has been added; where that is enlarged, the end of the path stays in sight. */
  #frame({ iteration, phase, path }, seen) {
    const right = Math.max(...seen.map((card) => card.x + card.width));
    const [left, bottom] = [Math.min(...seen.map((card) => card.x)), Math.max(...seen.map((card) => card.y + card.height))];
    this.box = { x: left - MARGIN, width: right - left + 2 * MARGIN, height: bottom + 2 * MARGIN + (this.facts.whole ? 0 : 2 * TIP + 10) };
    this.#aim();
    const moment = `${iteration} ${phase}`;
    if (this.enlarged > 1 && moment !== this.moment) this.#bring(this.cards.get(path.findLast((node) => this.cards.has(node))));
    this.moment = moment;
  }

  #aim() {
    const { box, enlarged, size: [width, height], svg } = this;
    if (!box) return; // nothing has been painted yet
    const scale = Math.min(LARGEST, width / box.width, height / box.height);
    const [wide, high] = [width / scale, height / scale];
    const viewBox = [box.x + box.width / 2 - wide / 2, -MARGIN, wide, high].map((part) => part.toFixed(2)).join(" ");
    const letters = Math.max(12, LETTERS[0] / (scale * enlarged));
    assign(svg, { viewBox, width: width * enlarged, height: height * enlarged, style: `--letters: ${letters.toFixed(1)}px` });
    svg.classList.toggle("far", letters > LETTERS[1]);
    this.element.classList.toggle("enlarged", enlarged > 1);
  }

  #bring({ group }) {
    const [pane, card] = [this.element, group].map((part) => part.getBoundingClientRect());
    this.element.scrollBy(
      Math.min(0, card.left - pane.left - MARGIN) + Math.max(0, card.right - pane.right + MARGIN),
      Math.min(0, card.top - pane.top - MARGIN) + Math.max(0, card.bottom - pane.bottom + MARGIN),
    );
  }

  /** Enlarge around the middle of the pane, which is then scrolled; by 0 to see all of it. */
  zoom(factor) {
    const { element: pane, enlarged, size: [width, height] } = this;
    this.enlarged = Math.max(1, Math.min(CLOSEST, enlarged * factor));
    this.#aim();
    const part = this.enlarged / enlarged;
    pane.scrollTo(part * (pane.scrollLeft + width / 2) - width / 2, part * (pane.scrollTop + height / 2) - height / 2);
  }
}
