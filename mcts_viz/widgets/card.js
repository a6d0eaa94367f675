// A card: a node of the tree as a picture, drawn in Python; here it is copied and filled in.

import { MiniBoard, copyOf, pieceOf } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

const PIECE = 12; // the side of the piece before a share
const PARTS = ["frame", "mean", "exploration", "board", "label", "share", "score", "truth", "prior"];

/** A node of the tree as a picture, and the edge to it; what it says is filled in again and again. */
export class Card {
  constructor(film, kind) {
    const look = film.facts.card_templates[kind];
    const { bar, height, width } = look;
    const group = assign(copyOf(look), { role: "button", tabindex: -1 });
    Object.assign(this, { film, kind, bar, height, width, group });
    for (const name of PARTS) this[name] = group.querySelector(`.${name}`); // those that the kind has
    this.edge = svgElement("path", { class: "edge", pathLength: 1 }); // that leads to the card
    this.board?.append(...copyOf(film.facts.board).childNodes);
    this.position = this.board && new MiniBoard(film.facts.board, this.board);
    const { share } = this;
    if (!share) return;
    this.labelled = Number(share.getAttribute("x")) + 3; // what a slim card has for its label
    share.append(svgElement("tspan"), svgElement("tspan"));
    if (film.playerOf) {
      const [x, y] = ["x", "y"].map((side) => Number(share.getAttribute(side)));
      const place = `translate(${x} ${y - 10.5}) scale(${PIECE / 10})`;
      this.whose = svgElement("g", { class: "whose", transform: place });
      group.append(this.whose);
      assign(share, { x: x + PIECE + 3, lengthAdjust: "spacingAndGlyphs" });
      this.room = width - x - PIECE - 7;
    }
    this.colour = svgElement("rect", { class: "colour", y: -1, height: 4, rx: 2, x: 8, width: width - 16 });
    this.sign = svgElement("text", { x: -7, y: height / 2 + 6 }); // of what exact play says
    group.append(this.colour, this.sign);
  }

  /** Put a node on the card. */
  place(node) {
    const { colour, edge, film, group, kind, label, position, whose, width } = this;
    const { board, players } = film.facts;
    this.node = node;
    group.dataset.node = node;
    if (node) edge.dataset.child = node;
    position?.draw(film.cells(node), film.cellsBefore(node));
    const text = node ? film.label(node) : "root";
    if (label) write(label, clipped(text, kind === "slim" ? this.labelled : width));
    const ofRoot = node > 0 && film.columns.parent[node] === 0 && film.moveColour;
    if (colour) assign(colour, { class: ofRoot ? `colour ${film.moveColour(node)}` : "colour none" });
    if (film.playerOf) group.dataset.piece = players[film.playerOf(node)];
    whose?.replaceChildren(pieceOf(board, film.playerOf(node))); // whose wins they are
  }

  /** Take it off the screen, until it is needed for another node. */
  free() {
    this.show(false);
    delete this.group.dataset.node;
    delete this.edge.dataset.child;
  }

  /** Put its middle there. */
  move(at) {
    const [x, y] = [at.x - this.width / 2, at.y - this.height / 2];
    this.at = at;
    assign(this.group, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  }

  /**
   * Say what is known at a moment; bars are as long as `longest` allows, and `truth(node)` is what
   * exact play says.
   */
  fill(card, frame, { focus, longest, truth: truthOf }) {
    const { edge, film, group, kind, node } = this;
    const [onPath, added, truth] = [frame.onPath.has(node), node === frame.added, truthOf?.(node)];
    this.longest = longest;
    this.updateNumbers(card);
    if (this.truth) write(this.truth, (truth?.[0] ?? "").replace(/^\S /, "").replace(" in ", " "));
    if (this.prior) write(this.prior, card.prior);
    if (this.sign) {
      write(this.sign, truth?.[0][0] ?? ""); // at the edge
      assign(this.sign, { class: `exact ${truth?.[1] ?? ""}` });
    }
    const player = film.playerOf ? `of ${film.facts.players[film.playerOf(node)]}` : "";
    const said = [`${card.main}${card.rest} ${player}`.trim(), card.score, onPath && "on the path",
      truth && `in truth ${truth[0]}`, card.prior];
    const looks = ["card", kind, onPath && "on-path", added && "new", card.mark,
      node === focus && node > 0 && "focused", truth && "told", !node && "rooted"];
    const name = `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`;
    assign(group, { "aria-label": name, class: looks.filter(Boolean).join(" ") });
    assign(edge, { "stroke-width": (1.2 + 4 * card.visit_share).toFixed(1) });
    group.toggleAttribute("data-new", added);
    this.show(true);
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const { bar, exploration, kind, longest, mean, score, share } = this;
    if (share) {
      [card.main, card.rest].forEach((text, part) => write(share.childNodes[part], text));
      const isLong = 7.6 * share.textContent.length > this.room; // it is narrowed
      if (isLong) assign(share, { textLength: this.room });
      else share.removeAttribute("textLength");
    }
    if (score) write(score, card.score);
    if (kind === "dot") assign(this.frame, { r: (2 + 4 * Math.sqrt(card.visit_share)).toFixed(1) });
    if (!mean) return;
    const scored = longest && Number.isFinite(card.terms[0]);
    const [first, second] = scored ? card.terms.map((term) => Math.max(0, term) / longest) : [card.fill, 0];
    const [x, , width] = bar;
    const rest = Math.max(0, Math.min(1 - first, second));
    assign(mean, { width: (width * first).toFixed(1) });
    assign(exploration, { x: (x + width * first).toFixed(1), width: (width * rest).toFixed(1) });
  }

  show(shown) {
    for (const part of [this.group, this.edge]) assign(part, { display: shown ? "inline" : "none" });
  }
}

export const LETTER = 6.6; // pixels, about

/** A label that fits into a box. */
export function clipped(text, width) {
  const most = Math.floor((width - 10) / LETTER);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
