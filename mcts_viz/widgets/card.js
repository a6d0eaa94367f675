// A card: a node of the tree as a picture, drawn in Python; here it is copied and filled in.

import { MiniBoard, copyOf, pieceOf } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

const PIECE = 12; // the side of the piece before a share

/** A node of the tree as a picture, and the edge to it; what it says is filled in again and again. */
export class Card {
  constructor(film, kind) {
    const look = film.facts.card_templates[kind];
    const { width, height } = look;
    const group = assign(copyOf(look), { role: "button", tabindex: -1 });
    const part = (name) => group.querySelector(`.${name}`);
    Object.assign(this, {
      film, kind, look, width, height, group, frame: part("frame"), mean: part("mean"),
      exploration: part("exploration"),
    });
    this.edge = svgElement("path", { class: "edge", pathLength: 1 }); // that leads to the card
    part("board")?.append(...copyOf(film.facts.board).childNodes);
    this.position = part("board") && new MiniBoard(film.facts.board, part("board"));
    const texts = ["label", "share", "wins", "score", "truth", "prior"];
    this.texts = Object.fromEntries(texts.map((name) => [name, part(name)]));
    const { share, wins } = this.texts;
    if (!share) return;
    share.append(svgElement("tspan"), svgElement("tspan"));
    this.wins = wins ?? share; // what the piece stands before
    const [x, y] = ["x", "y"].map((side) => Number(this.wins.getAttribute(side)));
    const place = `translate(${x} ${y - 10.5}) scale(${PIECE / 10})`;
    this.whose = svgElement("g", { class: "whose", transform: place });
    if (film.playerOf) {
      group.append(this.whose);
      assign(this.wins, { x: x + PIECE + 3 });
      this.room = width - x - PIECE - 7;
    }
    this.colour = svgElement("rect", { class: "colour", y: -1, height: 4, rx: 2, x: 8, width: width - 16 });
    this.sign = svgElement("text", { x: -7, y: height / 2 + 6 }); // of what exact play says
    group.append(this.colour, this.sign);
  }

  /** Put a node on the card. */
  place(node) {
    const { colour, edge, film, group, kind, position, texts, width } = this;
    this.node = node;
    group.dataset.node = node;
    if (node) edge.dataset.child = node;
    position?.draw(film.cells(node), film.cellsBefore(node));
    const label = node ? film.label(node) : (kind === "full" && film.facts.to_move) || "root";
    if (texts.label) write(texts.label, clipped(label, width - (kind === "slim" ? 66 : 0)));
    const ofRoot = node > 0 && film.columns.parent[node] === 0 && film.moveColour;
    if (colour) assign(colour, { class: ofRoot ? `colour ${film.moveColour(node)}` : "colour none" });
    if (film.playerOf) this.#own(film.playerOf(node));
  }

  /** Whose wins they are: the piece of the player who moved here. */
  #own(player) {
    const { facts } = this.film;
    assign(this.group, { "data-piece": facts.players[player] });
    if (!this.whose || player === this.player) return; // too small for one, or there
    this.player = player;
    assign(this.whose, { "data-piece": facts.players[player] });
    this.whose.replaceChildren(pieceOf(facts.board, player));
  }

  /** Take it off the screen, until it is needed for another node. */
  free() {
    this.show(false);
    delete this.group.dataset.node;
    delete this.edge.dataset.child;
  }

  /** Stand in this box; while a card moves to another size, it is stretched. */
  move(box) {
    const { height, width } = this;
    const [wide, high] = [box.width / width, box.height / height];
    this.box = box;
    const scaled = Math.abs(wide - 1) + Math.abs(high - 1) > 0.01
      ? ` scale(${wide.toFixed(3)} ${high.toFixed(3)})` : "";
    assign(this.group, { transform: `translate(${box.x.toFixed(1)} ${box.y.toFixed(1)})${scaled}` });
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
    // its sign stands at the edge
    if (texts.truth) write(texts.truth, (truth?.[0] ?? "").replace(/^\S /, "").replace(" in ", " "));
    if (texts.prior) write(texts.prior, card.prior ?? "");
    if (this.sign) {
      write(this.sign, truth?.[0][0] ?? "");
      assign(this.sign, { class: `exact ${truth?.[1] ?? ""}` });
    }
    const player = film.playerOf ? `of ${film.facts.players[film.playerOf(node)]}` : "";
    const said = [`${card.main}${card.rest} ${player}`.trim(), card.score, onPath && "on the path",
      truth && `in truth ${truth[0]}`, card.prior];
    const looks = ["card", kind, onPath && "on-path", added && "new", card.mark,
      node === focus && node > 0 && "focused", truth && "told", !node && "rooted"];
    const name = `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`;
    assign(group, { "aria-label": name, class: looks.filter(Boolean).join(" ") });
    group.toggleAttribute("data-new", added);
    this.show(film.births[node] <= frame.addedAt);
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const { exploration, kind, longest, look, mean, texts } = this;
    if (texts.share) {
      const isRoot = texts.wins && card.won;
      const visits = [card.visits, card.visits === 1 ? " visit" : " visits"];
      (isRoot ? visits : [card.main, card.rest])
        .forEach((text, part) => write(texts.share.childNodes[part], String(text)));
      if (isRoot) write(texts.wins, `${card.won} ${card.won === "1" ? "win" : "wins"}`);
      const isLong = 7.6 * this.wins.textContent.length > this.room; // it is narrowed
      if (isLong) assign(this.wins, { textLength: this.room, lengthAdjust: "spacingAndGlyphs" });
      else this.wins.removeAttribute("textLength");
    }
    if (texts.score) write(texts.score, card.score);
    if (kind === "dot") assign(this.frame, { r: (2 + 4 * Math.sqrt(card.visit_share)).toFixed(1) });
    if (!mean) return;
    const scored = longest && Number.isFinite(card.terms[0]);
    const [first, second] = scored ? card.terms.map((term) => Math.max(0, term) / longest) : [card.fill, 0];
    const [x, , width] = look.bar;
    assign(mean, { width: (width * first).toFixed(1) });
    assign(exploration, {
      x: (x + width * first).toFixed(1), width: (width * Math.max(0, Math.min(1 - first, second))).toFixed(1),
    });
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
