// The tree: its cards, edges, stubs and strip, filled in by each frame; and the views of it that a
// reader chooses.

import { svgElement, write } from "./board.js";
import { Camera } from "./camera.js";
import { CardMaker } from "./cards.js";

const GLIDE = 250; // milliseconds in which cards go to their places in another view
const LEAST_PART = 20; // cards of a part of the tree that is seen alone, if it has so many nodes

export class Tree {
  /**
   * `onChoose(node)` is called when a card, a card of the strip or a stub is chosen, `onView()`
   * when other cards are on the screen.
   */
  constructor(film, onChoose, onView) {
    this.film = film;
    this.facts = film.facts.drawing;
    this.onChoose = onChoose;
    this.onView = onView;
    this.maker = new CardMaker(film);
    this.cards = new Map(); // by node
    this.edges = new Map(); // by child
    this.stubs = new Map(); // by card
    this.slots = [];
    this.written = new WeakMap();
    this.truthful = false; // whether cards show the exact truth
    this.chosen = 0; // the card that was used last
    this.most = Infinity; // cards of a part that is seen alone
    this.path = [0];
    const [nearer, farther] = [() => this.zoom(1.4), () => this.zoom(1 / 1.4)];
    this.keys = { "+": nearer, "=": nearer, "-": farther, "−": farther, 0: () => this.fit(), f: () => this.lookAt() };
    // A picture that listens to the focus of its cards would be a stop of its own.
    this.svg = svgElement("svg", { class: "mcts-tree", role: "group", "aria-label": "Search tree", tabindex: "-1" });
    const group = (name) => svgElement("g", { class: name });
    this.groups = { edges: group("edges"), strip: group("strip"), boxes: group("boxes"), stubs: group("stubs") };
    this.svg.append(...Object.values(this.groups));
    this.trail = svgElement("path", { class: "trail" }); // the selected path, above all other edges
    this.lead = svgElement("path", { class: "lead" });
    this.stripTitle = svgElement("text", { class: "strip-title" });
    this.groups.strip.append(this.lead, this.stripTitle);
    this.camera = new Camera(this.svg);
    this.#build();
    this.camera.show(film.view.width, film.view.height, true);
    this.#listen();
  }

  #listen() {
    const chosen = (event) => {
      const group = event.target.closest("[data-node], [data-stub]");
      if (!group) return false;
      if (group.dataset.stub) this.open(Number(group.dataset.stub));
      else this.#choose(Number(group.dataset.node));
      return true;
    };
    this.svg.addEventListener("click", (event) => {
      if (!this.camera.dragged) chosen(event);
    });
    this.svg.addEventListener("dblclick", (event) => {
      const group = event.target.closest(".card");
      if (group && !this.camera.dragged) this.lookAt(Number(group.dataset.node));
    });
    this.svg.addEventListener("focusin", ({ target }) => {
      const { node, stub } = target.closest("[data-node], [data-stub]")?.dataset ?? {};
      if (node ?? stub) this.chosen = Number(node ?? stub);
    });
    this.svg.addEventListener("keydown", (event) => {
      const { altKey, ctrlKey, key, metaKey, shiftKey } = event;
      if ((key !== "Enter" && key !== " ") || altKey || ctrlKey || metaKey || shiftKey) return;
      if (chosen(event)) event.preventDefault();
    });
  }

  #choose(node) {
    this.chosen = node;
    this.onChoose(node);
  }

  zoom(factor) {
    this.camera.zoom(factor);
  }

  /** Bring those of the nodes into view that have a card. */
  bring(nodes) {
    const { view } = this.film;
    const cards = nodes.filter((node) => view.isCard.has(node));
    if (cards.length) this.camera.include(view.around(cards));
  }

  /** Show the whole picture. */
  fit() {
    const { view, whole } = this.#views();
    this.camera.show(view.width, view.height, view === whole);
  }

  // Views -----------------------------------------------------------------------------------

  #views() {
    return { view: this.film.view, whole: this.film.views.whole };
  }

  /** Give cards to the heaviest nodes in a stub, if it holds any, and explain the card above it. */
  open(card) {
    const { view } = this.#views();
    const opened = this.film.views.opened(view, card);
    if (opened !== view) this.#change(opened, card);
    this.#choose(card);
  }

  /** Show only a node and what is below it; without one the card used last, or the selected move. */
  lookAt(node) {
    const { view, whole } = this.#views();
    const used = this.chosen === view.root ? this.path[this.path.indexOf(view.root) + 1] : this.chosen;
    const top = node ?? used ?? view.root;
    if (top === view.root) return;
    if (top === 0) return void this.leave();
    this.outer ??= view;
    this.chosen = top;
    this.#change(this.film.views.heaviest(Math.min(this.most, Math.max(whole.cards.length, LEAST_PART)), top));
  }

  /** Back from a part of the tree to the whole of it; false if one is there already. */
  leave() {
    const { outer } = this;
    if (!outer) return false;
    const top = this.film.view.root;
    this.outer = null;
    this.#change(outer, undefined, outer.isCard.has(top) ? top : 0);
    return true;
  }

  /** Back to the whole tree, and then to the cards that it had at first. */
  back() {
    if (!this.leave()) this.#change(this.film.views.whole);
  }

  /** So many of the heaviest nodes get a card. */
  heaviest(count) {
    this.#change(this.film.views.heaviest(count, this.film.view.root));
  }

  /**
   * Another view: the card `still` keeps its place on the screen, if the new cards are seen then;
   * without one all is shown. If the element with the keyboard goes, the card `heir` gets it.
   */
  #change(view, still, heir = still ?? view.root) {
    const before = this.film.view;
    const matrix = this.svg.getScreenCTM();
    const held = this.svg.contains(this.#active());
    this.film.view = view;
    this.#build();
    if (still === undefined) {
      this.fit();
    } else {
      this.camera.swap(view.width, view.height, before.corners.get(still), view.corners.get(still));
      this.bring([still, ...view.cards.filter((node) => !before.isCard.has(node))]);
    }
    this.onView();
    if (held && !this.svg.contains(this.#active())) this.cards.get(heir).group.focus({ preventScroll: true });
    this.#glide(before, matrix);
  }

  #active() {
    return this.svg.getRootNode().activeElement;
  }

  /** Let cards go from where they were on the screen to where they are. */
  #glide(before, matrix) {
    const now = this.svg.getScreenCTM();
    if (!matrix || !now || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const fromOld = now.inverse().multiply(matrix);
    const timing = { duration: GLIDE, easing: "ease-in-out" };
    for (const [node, { group }] of this.cards) {
      const old = before.corners.get(node);
      if (!old) {
        group.animate([{ opacity: 0 }, { opacity: 1 }], timing);
        continue;
      }
      const { x, y } = new DOMPoint(...old).matrixTransform(fromOld);
      const [toX, toY] = this.film.view.corners.get(node);
      const from = `translate(${x}px, ${y}px) scale(${fromOld.a})`;
      group.animate([{ transform: from }, { transform: `translate(${toX}px, ${toY}px) scale(1)` }], timing);
    }
    for (const part of [this.groups.edges, this.groups.stubs, this.groups.strip]) part.animate([{ opacity: 0 }, { opacity: 1 }], timing);
  }

  /** Put cards, edges, stubs and the strip of the view where they belong. */
  #build() {
    const { view } = this.film;
    const { edges, boxes, stubs, strip } = this.groups;
    const place = (element, x, y) => this.#set(element, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    keep(this.cards, view.cards, boxes, (node) => this.maker.card(node));
    for (const [node, [x, y]] of view.corners) place(this.cards.get(node).group, x, y);
    keep(this.edges, view.cards.slice(1), edges, (node) => ({ group: svgElement("path", { class: "edge", "data-child": node }) }));
    view.cards.forEach((node, number) => number && this.#set(this.edges.get(node).group, "d", view.layout.edges[number]));
    this.#set(edges, "transform", `translate(${view.left.toFixed(1)} ${view.margin})`);
    edges.append(this.trail);
    keep(this.stubs, view.stubs.map(({ card }) => card), stubs, (card) => this.maker.stub(card));
    for (const [card, { group, frame, count }] of this.stubs) {
      const [x, y] = view.stubPlace(card);
      place(group, x - view.stubWidth / 2, y - this.facts.stub.height / 2);
      this.#set(frame, "width", view.stubWidth);
      this.#set(count, "x", view.stubWidth / 2);
    }
    while (this.slots.length < view.longestStrip) this.slots.push(this.maker.slot(this.slots.length));
    this.slots.splice(view.longestStrip).forEach(({ group }) => group.remove());
    this.slots.forEach(({ group }, slot) => place(group, ...view.slotCorner(slot)));
    strip.append(...this.slots.filter(({ group }) => !group.isConnected).map(({ group }) => group));
    this.#showBadges();
  }

  // Painting --------------------------------------------------------------------------------

  paint(frame, focus) {
    this.path = frame.path;
    let trail = "";
    for (const card of frame.cards) {
      const parts = this.cards.get(card.node);
      const edge = this.edges.get(card.node)?.group;
      this.#show(parts.group, card.shown);
      if (edge) this.#show(edge, card.shown);
      if (!card.shown) continue;
      const look = this.film.look(card, frame);
      this.#fill(parts, card, look, "card", focus === card.node);
      if (!edge) continue;
      this.#set(edge, "stroke-width", (1.2 + 4 * look.weight).toFixed(1));
      if (card.onPath) trail += edge.getAttribute("d");
    }
    this.#set(this.trail, "d", trail);
    for (const stub of frame.stubs) {
      const { group, count } = this.stubs.get(stub.card);
      this.#show(group, stub.count > 0);
      this.#set(group, "class", stub.onPath ? "stub on-path" : "stub");
      write(count, stub.text);
      this.#set(group, "aria-label", stub.label);
    }
    this.#paintStrip(frame);
    this.#follow(frame);
  }

  #fill(parts, { node, onPath, added }, { share, score, level, mark }, base, focused) {
    write(parts.share, share);
    write(parts.score, score);
    this.#set(parts.bar, "width", (this.facts.bar * level).toFixed(1));
    const name = node ? `after ${this.film.label(node)}` : "root";
    const truth = parts.badge && this.truthful ? `, in truth ${parts.badge}` : "";
    this.#set(parts.group, "aria-label", `${name}: ${share} ${score}${onPath ? ", on the path" : ""}${truth}`);
    const classes = [base, onPath && "on-path", added && "new", mark, focused && "focused"];
    this.#set(parts.group, "class", classes.filter(Boolean).join(" "));
  }

  #paintStrip(frame) {
    const { strip } = this.groups;
    const { view } = this.film;
    this.#show(strip, frame.strip.length > 0);
    if (!frame.strip.length) return;
    const stub = frame.stubs.find(({ onPath }) => onPath);
    const inside = stub && view.owner[frame.strip[0]] === stub.card; // else some stand above the view's root
    const [x, y] = stub ? view.stubPlace(stub.card) : [this.facts.margin, 0];
    const left = view.stripLeft(x, frame.strip.length);
    this.#set(strip, "transform", `translate(${left.toFixed(1)} 0)`);
    this.#set(this.lead, "d", stub ? view.leadTo(x, y, left) : "");
    this.#set(this.stripTitle, "y", view.strip.top - 6);
    write(this.stripTitle, inside ? `inside ${stub.text}:` : "on the path, without a card here:");
    this.slots.forEach((slot, number) => {
      const card = frame.slots[number];
      this.#show(slot.group, card !== undefined);
      if (card === undefined) return;
      if (slot.group.dataset.node !== String(card.node)) this.maker.place(slot, card.node);
      this.#fill(slot, card, this.film.look(card, frame), "card slot", false);
    });
  }

  /** Lay the exact truth over the cards, or take it away. */
  showTruth(shown) {
    this.truthful = shown;
    this.svg.classList.toggle("truthful", shown);
    this.#showBadges();
  }

  #showBadges() {
    const badges = this.film.facts.truth?.badges;
    if (!badges || !this.truthful) return;
    for (const [node, parts] of this.cards) {
      if (!parts.badge && badges[node]) this.maker.badge(parts, badges[node]);
    }
  }

  /** When one looks at a part of the tree, the end of the path stays in it as the film goes on. */
  #follow({ iteration, phase, path, strip }) {
    const moment = `${iteration} ${phase}`;
    if (this.moment === moment) return;
    this.moment = moment;
    if (this.camera.fitted) return;
    const last = path.findLast((node) => this.cards.has(node));
    const group = strip.includes(path.at(-1)) ? this.slots[strip.length - 1].group : this.cards.get(last)?.group;
    const toPicture = group && this.svg.getScreenCTM()?.inverse().multiply(group.getScreenCTM());
    if (!toPicture) return;
    const box = group.getBBox();
    const from = new DOMPoint(box.x, box.y).matrixTransform(toPicture);
    this.camera.follow({ x: from.x, y: from.y, width: box.width, height: box.height });
  }

  // Only what differs from the last frame touches the page.

  #set(element, name, value) {
    let known = this.written.get(element);
    if (!known) this.written.set(element, (known = {}));
    if (known[name] === value) return;
    known[name] = value;
    element.setAttribute(name, value);
  }

  #show(element, shown) {
    this.#set(element, "display", shown ? "inline" : "none");
  }
}

/** What is wanted stays in `parent` or comes into it, in rising order; all else goes. */
function keep(parts, wanted, parent, make) {
  const asked = new Set(wanted);
  for (const [key, { group }] of parts) {
    if (asked.has(key)) continue;
    group.remove();
    parts.delete(key);
  }
  let last = null;
  for (const key of wanted) {
    if (!parts.has(key)) {
      parts.set(key, make(key));
      const { group } = parts.get(key);
      if (last) last.after(group);
      else parent.prepend(group);
    }
    last = parts.get(key).group;
  }
}
