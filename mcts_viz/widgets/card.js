// A card: a node of the tree as a picture, drawn in Python; here it is copied and filled in.

import { MiniBoard, copyOf } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

/** A node of the tree as a picture, and the edge to it; what it says is filled in again and again. */
export class Card {
  constructor(film, kind) {
    const look = film.facts.card_templates[kind];
    const { width, height } = look;
    const group = assign(copyOf(look), { role: "button", tabindex: -1 });
    const part = (name) => group.querySelector(`.${name}`);
    Object.assign(this, { film, kind, look, width, height, group, frame: part("frame"), mean: part("mean"), exploration: part("exploration") });
    this.edge = svgElement("path", { class: "edge" }); // that leads to the card
    this.position = part("board") && new MiniBoard(film.facts.board, part("board"));
    this.texts = Object.fromEntries(["label", "share", "score", "truth", "prior"].map((name) => [name, part(name)]));
    this.texts.share?.append(svgElement("tspan"), svgElement("tspan"));
  }

  /** Put a node on the card. */
  place(node) {
    const { edge, film, group, kind, position, texts } = this;
    this.node = node;
    group.dataset.node = node;
    if (node) edge.dataset.child = node;
    position?.draw(film.cells(node), film.cellsBefore(node));
    if (texts.label) write(texts.label, clipped(node ? film.label(node) : (kind === "full" && film.facts.to_move) || "root", this));
  }

  /** Take it off the screen, until it is needed for another node. */
  free() {
    this.show(false);
    delete this.group.dataset.node;
    delete this.edge.dataset.child;
  }

  move(x, y) {
    Object.assign(this, { x, y });
    assign(this.group, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  }

  /**
   * Say what is known at a moment; bars are as long as `longest` allows, and `truth(node)` is what
   * exact play says.
   */
  fill(card, frame, { focus, longest, truth: truthOf }) {
    const { film, group, kind, node, texts } = this;
    const [onPath, added, truth] = [frame.onPath.has(node), node === frame.added, truthOf?.(node)];
    this.said = card;
    this.longest = longest;
    this.updateNumbers(card);
    if (texts.truth) write(texts.truth, truth ?? (kind === "full" && this.position ? card.note ?? "" : ""));
    if (texts.prior) write(texts.prior, card.prior ?? "");
    const said = [`${card.main}${card.rest}`, card.score, onPath && "on the path", truth && `in truth ${truth}`, card.prior, card.more];
    const looks = ["card", kind, onPath && "on-path", added && "new", card.mark, node === focus && node > 0 && "focused", truth && "told", card.note && "rooted"];
    assign(group, { "aria-label": `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`, class: looks.filter(Boolean).join(" ") });
    group.toggleAttribute("data-new", added);
    this.show(film.births[node] <= frame.addedAt);
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const { exploration, kind, longest, look, mean, texts } = this;
    const plain = card.note && kind === "tall";
    if (texts.share) [card.main, plain ? "" : card.rest].forEach((text, part) => write(texts.share.childNodes[part], text));
    if (texts.score) write(texts.score, plain ? card.mark : card.score);
    if (kind === "dot") assign(this.frame, { r: (2 + 4 * Math.sqrt(card.visit_share)).toFixed(1) });
    if (!mean) return;
    const scored = longest && Number.isFinite(card.terms[0]);
    const [first, second] = scored ? card.terms.map((term) => Math.max(0, term) / longest) : [card.fill, 0];
    const [x, , width] = look.bar;
    assign(mean, { width: (width * first).toFixed(1) });
    assign(exploration, { x: (x + width * first).toFixed(1), width: (width * Math.max(0, Math.min(1 - first, second))).toFixed(1) });
  }

  /** A move that is untried yet: its position, faint, without numbers. */
  ghost(isGhost, film) {
    this.group.toggleAttribute("data-ghost", isGhost);
    if (!isGhost) return;
    assign(this.group, { class: `card ${this.kind} ghost`, display: "inline", "aria-label": `${film.named(this.node)}: untried` });
    ["untried", ""].forEach((text, part) => write(this.texts.share.childNodes[part], text));
  }

  show(shown) {
    for (const part of [this.group, this.edge]) assign(part, { display: shown ? "inline" : "none" });
  }
}

/** A label that fits on the card, in letters of about 6.6 pixels. */
function clipped(text, { kind, width }) {
  const most = Math.floor((width - (kind === "slim" ? 62 : 10)) / 6.6);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
