// Two trees of the same root as rivers, one next to the other: the one grown by hand, and UCT's. Each
// iteration is a thread, so a ribbon is as wide as its visits, and its colours are the results.

import { HandTree } from "./hand_tree.js";
import { element } from "./picture/elements.js";
import { layOut } from "./picture/river.js";
import { Water } from "./picture/water.js";
import { halves } from "./tree_picture.js";

const HIGH = 300; // pixels, of each river
const LINE = 17; // pixels, of a label
const KINDS = ["player-0", "draw", "player-1"]; // results in the order in which they lie in a ribbon

/** The fields of a grown tree that the layout of a river names; nodes are numbered as they were added. */
class Threads {
  boarded = false;
  kinds = KINDS;

  constructor(facts, walks) {
    const tree = new HandTree(facts);
    tree.repeat(walks);
    const all = [...tree.added];
    this.tree = tree;
    this.facts = facts;
    this.all = all; // by number in the river: the number among the facts
    this.number = new Map(all.map((node, place) => [node, place]));
    this.total = all.length;
    this.parent = all.map((node) => this.number.get(facts.nodes[node].parent) ?? -1);
    this.visits = all.map((node) => tree.visits[node]);
    this.below = all.map((node) => this.moves(this.number.get(node))
      .map((move) => move.node).filter((child) => child !== undefined));
    this.results = KINDS.map(() => all.map(() => 0));
    for (const end of tree.ends) this.#thread(end);
  }

  #thread(end) {
    const winner = this.tree.rewardsAt(end).indexOf(1);
    const result = winner < 0 ? 1 : 2 * winner;
    for (const node of this.tree.pathTo(end)) this.results[result][this.number.get(node)] += 1;
  }

  moves(node) {
    const { below, moves } = this.facts.nodes[this.all[node]];
    return moves.map((name, place) => ({ name, node: this.number.get(below[place]) }));
  }

  order(node) {
    return this.moves(node).map((move) => move.node ?? -1);
  }

  name(node) {
    return node ? this.facts.nodes[this.all[node]].label : "root";
  }

  said(node) {
    return `${halves(this.tree.wins[this.all[node]])}/${this.visits[node]}`;
  }

  lines = () => 1;
  luck = () => false;
  spare = () => [];
}

/** One river with its name above; it is painted once it is on the page, when its width is known. */
function river(title, facts, walks) {
  const threads = new Threads(facts, walks);
  const canvas = element("canvas");
  const pane = element("div", { class: "pane" }, canvas);
  const said = threads.below[0].map((node) => `move ${threads.name(node)}: ${threads.said(node)}`).join(", ");
  const water = new Water(canvas, threads);
  const paint = (width) => {
    if (width < 80) return; // pixels: it is not shown
    const layout = layOut(threads, { width, height: HIGH });
    water.resize(width, HIGH);
    water.paint(layout, new Set());
    pane.replaceChildren(canvas, ...layout.cards.map((card) => label(threads, card)));
  };
  const sight = new ResizeObserver(([{ contentRect }]) => {
    if (pane.isConnected) paint(contentRect.width);
    else sight.disconnect();
  });
  sight.observe(pane);
  return element("figure", { class: "river", role: "img", "aria-label": `${title}: ${said}` },
    element("figcaption", {}, title), pane);
}

/** A card of the river: the move, and where there is room its wins and visits. */
function label(threads, { height, kind, node, width, x, y }) {
  const isFull = kind === "full" || kind === "root";
  const { mover } = threads.facts.nodes[threads.all[node]];
  const card = element("span", { class: `label moved-${mover}` },
    element("b", {}, threads.name(node)), isFull && ` ${threads.said(node)}`);
  const top = kind === "root" ? y + height - LINE : y; // the ribbons begin at the root's lower edge
  Object.assign(card.style, { left: `${x - width / 2}px`, minWidth: `${width}px`, top: `${top}px` });
  return card;
}

/** Both rivers, and where the two searches first differ. */
export function twoRivers(facts, mine, uct) {
  const differ = mine.findIndex((walk, place) => walk.join() !== uct[place].join());
  const note = differ < 0
    ? "You did what UCT did, in every iteration."
    : `The two first differ in iteration ${differ + 1}. UCT had the same playouts. Of equal scores, and of `
      + "several untried moves, it may take another one: both are right.";
  return [
    element("div", { class: "rivers" }, river("Your tree", facts, mine), river("UCT's tree", facts, uct)),
    element("p", {}, note),
  ];
}
