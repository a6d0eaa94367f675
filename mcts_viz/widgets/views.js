// Both ways to look at a moment: the walk, and the whole tree.

import { Card, LARGEST, MARGIN, svgElement, write } from "./board.js";

// The walk: the path of one iteration from left to right, and beside each of its nodes the rivals.
// Where a card stands depends on the iteration alone, so going back brings the same picture, and
// within an iteration nothing changes its place.

const GAPS = { full: 60, tall: 36 }; // between two columns of cards, for edges and tails
const FOLD = 46;
const FOLD_GAP = 28;
const DOT = 22;
const SPACE = 6; // between two cards of a column
const TIGHT = 3;
const TAIL = 8;

export class Walk {
  constructor(film) {
    this.film = film;
    this.svg = svgElement("svg", { class: "mcts-tree walk", role: "group", "aria-label": "The walk of this iteration" });
    const group = (name) => svgElement("g", { class: name });
    this.groups = { tails: group("tails"), edges: group("edges"), boxes: group("boxes"), over: group("over") };
    this.trail = svgElement("path", { class: "trail" });
    this.svg.append(...Object.values(this.groups));
    this.cards = new Map(); // by node, those on the screen
    this.spare = Object.fromEntries(Object.keys(film.facts.looks).map((kind) => [kind, []]));
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
    const { film } = this;
    const { looks } = film.facts;
    const columns = spine.slice(1).map((node, level) => ({ chosen: node, nodes: film.children(spine[level], frame) }));
    const beyond = film.children(spine.at(-1), frame);
    if (beyond.length) columns.push({ nodes: beyond });
    const { levels, rows } = film.extent;
    const [width, height] = this.size.map((side) => side - 2 * MARGIN);
    const largest = (kind) => {
      const { width: wide, height: high } = looks[kind];
      return Math.min(LARGEST, width / (levels[frame.iteration] * (wide + GAPS[kind]) - GAPS[kind] + TAIL), height / (rows[frame.iteration] * (high + SPACE)));
    };
    // A deep tree with few moves beside each other has more room below its cards than beside them.
    const kind = largest("tall") > Math.max(1, largest("full")) ? "tall" : "full";
    const scale = Math.max(1, largest(kind));
    const kindOf = (mode) => (mode === "full" ? kind : mode);
    const [wide, high] = [width / scale, height / scale];
    const step = looks[kind].width + GAPS[kind];
    const modes = foldings(columns.length, wide + GAPS[kind] - 2 * TAIL, step);
    const cards = [];
    const notes = [];
    const stacks = columns.map((column, number) => this.#stack(column, kindOf(modes[number + 1]), high, frame));
    const low = Math.max(0, ...stacks.map(({ above }) => above));
    const top = Math.min(high, ...stacks.map(({ above, total }) => high - total + above));
    let middle = low <= top ? Math.max(low, Math.min(top, high / 2)) : high / 2;
    let x = MARGIN;
    const rootKind = kindOf(modes[0]);
    middle = Math.max(looks[rootKind].height / 2, middle);
    cards.push({ node: 0, kind: rootKind, x, y: MARGIN + middle - looks[rootKind].height / 2, longest: 0 });
    let parent = 0;
    stacks.forEach((stack, number) => {
      x += widthOf(modes[number], step);
      const start = Math.max(0, Math.min(high - stack.total, middle - stack.above));
      for (const { node, kind: own, offset } of stack.items) {
        cards.push({ node, parent, kind: own, x, y: MARGIN + start + offset, longest: stack.longest, tail: own === kind && node !== columns[number].chosen, isLast: number === stacks.length - 1 });
      }
      if (stack.left) notes.push({ x, y: MARGIN + start + stack.total - 4, text: `+${stack.left} more moves` });
      middle = start + stack.above;
      parent = columns[number].chosen;
    });
    return { cards, notes, scale };
  }

  /** The cards of a column one below the other; `above` the middle of the chosen one lies so much. */
  #stack({ chosen, nodes }, mode, high, frame) {
    const { film } = this;
    const { looks: sizes } = film.facts;
    if (mode === "dot") nodes = [chosen];
    const looks = new Map(nodes.map((node) => [node, film.card(node, frame)]));
    const longest = Math.max(0, ...nodes.map((node) => looks.get(node).terms[0] + looks.get(node).terms[1]).filter(Number.isFinite));
    let kindOf = () => mode;
    let space = SPACE;
    let left = 0;
    if (mode === "folded") kindOf = (node) => (node === chosen ? "folded" : "bar");
    const tall = (list) => list.reduce((sum, node) => sum + sizes[kindOf(node)].height + space, -space);
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
      if (node === chosen) above = offset + sizes[kind].height / 2;
      offset += sizes[kind].height + space;
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
      const card = this.spare[kind].pop() ?? new Card(this.film, kind);
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

const widthOf = (mode, step) => ({ full: step, folded: FOLD + FOLD_GAP, dot: DOT })[mode];

/**
 * How each column of a path of so many steps is shown, the root first: the last columns and the
 * root's choice keep their cards, the others fold to boards, and where that is too wide to dots.
 */
function foldings(steps, width, step) {
  const modes = Array.from({ length: steps + 1 }, () => "dot");
  const between = Array.from({ length: Math.max(0, steps - 1) }, (_, place) => steps - 1 - place).filter((place) => place > 1);
  const order = [...new Set([steps, Math.min(1, steps), ...between, 0])];
  const total = () => modes.reduce((sum, mode) => sum + widthOf(mode, step), 0);
  for (const mode of ["folded", "full"]) {
    for (const place of mode === "folded" ? [steps, 0, ...order] : order) {
      const before = modes[place];
      modes[place] = mode;
      if (total() > width) modes[place] = before;
    }
  }
  return modes;
}

// The tree: laid out once, so that no card ever moves; a frame shows, hides and fills in. The
// camera shows what has been born so far, unless a reader has zoomed.

const CLOSEST = 120; // points across, when one zooms in
const TIP = 9; // radius of what stands for a part of the path that has no card

export class Tree {
  constructor(film) {
    this.film = film;
    this.facts = film.facts.tree;
    this.svg = svgElement("svg", { class: "mcts-tree tree", role: "group", "aria-label": "Search tree" });
    const group = (name) => svgElement("g", { class: name });
    this.groups = { edges: group("edges"), boxes: group("boxes"), over: group("over") };
    this.trail = svgElement("path", { class: "trail" });
    this.svg.append(...Object.values(this.groups));
    this.cards = new Map();
    this.edges = new Map();
    this.more = new Map();
    this.facts.nodes.forEach((node, place) => {
      const card = new Card(film, this.facts.kinds[place]);
      card.place(node);
      card.move(...this.facts.corners[place]);
      this.cards.set(node, card);
      this.groups.boxes.append(card.group);
      if (!node) return;
      const edge = svgElement("path", { class: "edge", "data-child": node, d: this.facts.edges[place] });
      this.edges.set(node, edge);
      this.groups.edges.append(edge);
    });
    this.tip = svgElement("circle", { class: "tip", r: TIP });
    this.tipEdge = svgElement("path", { class: "edge" });
    this.tipText = svgElement("text", { class: "tip", "text-anchor": "middle" });
    this.groups.edges.append(this.tipEdge, this.trail);
    this.groups.over.append(this.tip, this.tipText);
    this.#listen();
  }

  resize(width, height) {
    this.size = [width, height];
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    if (this.box) this.#aim(this.box);
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
      const hidden = film.births[node] > frame.born;
      const edge = this.edges.get(node);
      edge?.setAttribute("display", hidden ? "none" : "inline");
      if (hidden) {
        card.show(false);
        continue;
      }
      seen.push(card);
      const look = film.card(node, frame);
      const onPath = frame.onPath.has(node);
      card.fill(look, { onPath, added: node === frame.added, focused: node === focus && node > 0, truth: truth?.(node) });
      this.#more(card, look.more);
      if (!edge) continue;
      edge.setAttribute("stroke-width", (1.2 + 4 * look.weight).toFixed(1));
      if (onPath) trail += edge.getAttribute("d");
    }
    this.trail.setAttribute("d", trail + this.#paintTip(frame));
    this.#frame(frame, seen);
  }

  /** What was cut off below a card. */
  #more(card, text) {
    const known = this.more.get(card.node);
    if (!text) return void known?.setAttribute("display", "none");
    const note = known ?? this.groups.over.appendChild(svgElement("text", { class: "note", "text-anchor": "end" }));
    this.more.set(card.node, note);
    note.textContent = text;
    note.setAttribute("display", "inline");
    note.setAttribute("x", card.x + card.width);
    note.setAttribute("y", card.y + card.height + 12);
  }

  /** The rest of a path that has no cards hangs below the last one that has. */
  #paintTip(frame) {
    const rest = frame.path.filter((node) => !this.cards.has(node));
    for (const part of [this.tip, this.tipEdge, this.tipText]) part.setAttribute("display", rest.length ? "inline" : "none");
    if (!rest.length) return "";
    const owner = this.cards.get(frame.path.findLast((node) => this.cards.has(node)));
    const [x, y] = [owner.x + owner.width / 2, owner.y + owner.height];
    const node = rest.at(-1);
    const d = `M${x} ${y}v10`;
    this.tipEdge.setAttribute("d", d);
    this.tipEdge.dataset.child = node;
    this.tip.dataset.node = node;
    this.tip.classList.toggle("new", node === frame.added);
    if (node === frame.added) this.tip.dataset.new = "";
    else delete this.tip.dataset.new;
    this.tip.setAttribute("cx", x);
    this.tip.setAttribute("cy", y + 10 + TIP);
    this.tipText.setAttribute("x", x);
    this.tipText.setAttribute("y", y + 14 + TIP);
    this.tipText.textContent = rest.length;
    return d;
  }

  // The camera ------------------------------------------------------------------------------

  /** Look at all that has been born; a reader's own view follows the end of the path. */
  #frame(frame, seen) {
    const right = Math.max(...seen.map((card) => card.x + card.width));
    const [left, bottom] = [Math.min(...seen.map((card) => card.x)), Math.max(...seen.map((card) => card.y + card.height))];
    const box = { x: left - MARGIN, y: -MARGIN, width: right - left + 2 * MARGIN, height: bottom + 2 * MARGIN + (this.facts.whole ? 0 : 2 * TIP + 10) };
    const changed = !this.box || box.x !== this.box.x || box.width !== this.box.width || box.height !== this.box.height;
    this.box = box;
    if (!this.free) {
      if (changed) this.#aim(box);
      return;
    }
    const moment = `${frame.iteration} ${frame.phase}`;
    const card = this.cards.get(frame.path.findLast((node) => this.cards.has(node)));
    if (moment !== this.moment) this.#bring(card);
    this.moment = moment;
  }

  #aim(box) {
    const [width, height] = this.size;
    const scale = Math.min(LARGEST, width / box.width, height / box.height);
    const [wide, high] = [width / scale, height / scale];
    this.free = false;
    this.#look({ x: box.x + box.width / 2 - wide / 2, y: box.y, width: wide, height: high });
  }

  #look(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", [view.x, view.y, view.width, view.height].map((part) => part.toFixed(2)).join(" "));
  }

  #bring({ x, y, width, height }) {
    const { view } = this;
    this.#look({
      ...view,
      x: Math.min(x - MARGIN, Math.max(view.x, x + width + MARGIN - view.width)),
      y: Math.min(y - MARGIN, Math.max(view.y, y + height + MARGIN - view.height)),
    });
  }

  /** Show the whole picture. */
  fit() {
    if (this.box) this.#aim(this.box);
  }

  /** Enlarge around a point of the picture, the middle of what is seen if none is given. */
  zoom(factor, about) {
    const { x, y, width, height } = this.view;
    const [cx, cy] = about ?? [x + width / 2, y + height / 2];
    const part = Math.max(CLOSEST / width, 1 / factor);
    if (factor < 1 && width * part >= this.box.width && height * part >= this.box.height) return this.fit();
    this.free = true;
    this.#look({ x: cx - (cx - x) * part, y: cy - (cy - y) * part, width: width * part, height: height * part });
  }

  #pointIn(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  #listen() {
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.#pointIn(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button !== 0) return;
      const start = this.#pointIn(event);
      const moving = new AbortController();
      const on = (kind, act) => window.addEventListener(kind, act, { signal: moving.signal });
      on("pointermove", (moved) => {
        const [x, y] = this.#pointIn(moved);
        const [dx, dy] = [start[0] - x, start[1] - y];
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        this.dragged = this.free = true;
        this.#look({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
      });
      for (const kind of ["pointerup", "pointercancel"]) on(kind, () => moving.abort());
    });
  }
}
