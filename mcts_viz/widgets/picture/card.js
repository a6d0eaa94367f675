// A card: a node of the tree, as much of it as there is room for. The layout says which kind, where and
// how large; the texts come from the film.

import { MiniBoard, copyOf, pieceOf } from "./board.js";
import { assign, svgElement, write } from "./elements.js";

const LINE = 13; // from one line of text to the next
const PIECE = 10; // the side of the piece before a share
const EDGE = 3; // between a card's edge and what is on it
const BOARDS = { root: 44, full: 40, small: 27, row: 27 }; // the side of a board, by kind of card
const SIGN = 7.5; // half of a badge at the corner
const WIDE = 6.3; // the mean width of a letter

const SPOKEN = 22; // pixels: a diamond with its move's name beside it
const SIGNED = ["full", "small", "row"]; // kinds with room for a badge
const PARTS = ["label", "share", "score", "prior"]; // lines of text

export class Card {
  constructor(film) {
    this.film = film;
    this.frame = svgElement("rect", { class: "frame", rx: 5 });
    this.group = svgElement("g", { role: "button", tabindex: -1 }, this.frame);
    this.edge = svgElement("path", { class: "trail", pathLength: 1 }); // of the walk, that leads to it
    if (film.facts.board) {
      this.board = svgElement("g", { class: "board" }, ...copyOf(film.facts.board).childNodes);
      this.position = new MiniBoard(film.facts.board, this.board);
      this.group.append(this.board);
    }
    for (const part of PARTS) {
      this[part] = svgElement("text", { class: part, "text-anchor": "middle" });
      this.group.append(this[part]);
    }
    this.share.append(svgElement("tspan"), svgElement("tspan"));
    this.whose = svgElement("g", { class: "whose" });
    this.sign = svgElement("text", { class: "exact", "text-anchor": "middle" }); // of what exact play says
    this.proof = svgElement(
      "g",
      { class: "proof" },
      svgElement("circle", { r: SIGN }),
      svgElement("text", { y: 4, "text-anchor": "middle" }),
    );
    this.group.append(this.whose, this.sign, this.proof);
  }

  /** Put a node on the card. */
  place(node) {
    const { film, group, position, whose } = this;
    const { board, players } = film.facts;
    this.node = node;
    group.dataset.node = node;
    this.edge.dataset.child = node;
    position?.draw(film.cells(node), film.cellsBefore(node));
    if (film.playerOf) group.dataset.piece = players[film.playerOf(node)];
    if (film.playerOf) whose.replaceChildren(pieceOf(board, film.playerOf(node))); // whose wins they are
  }

  /** Be of this kind and size, and lay out what is on it. */
  fit({ depth, height, kind, width }) {
    const { board, group } = this;
    Object.assign(this, { kind, width, height });
    group.dataset.depth = depth;
    group.dataset.kind = kind;
    this.#outline();
    if (!board) return;
    const { columns, rows } = this.film.facts.board;
    const side = BOARDS[kind];
    this.show(board, side !== undefined);
    if (!side) return;
    const unit = Math.min((kind === "row" ? side : width - 2 * EDGE) / columns, side / rows) / 10;
    const left = kind === "row" ? EDGE : (width - 10 * unit * columns) / 2;
    const top =
      (kind === "row" ? height - 10 * unit * rows : EDGE + side - 10 * unit * rows + EDGE) / 2;
    assign(board, {
      transform: `translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${unit.toFixed(3)})`,
    });
  }

  /** A rectangle; where nature moves a diamond as high. */
  #outline() {
    const { frame, height, kind, width } = this;
    if (kind !== "luck") {
      assign(frame, { x: 0, y: 0, width, height, rx: kind === "dot" ? 4 : 5, transform: "" });
      return;
    }
    const side = height * Math.SQRT1_2;
    const corner = (height - side) / 2;
    const turned = `rotate(45 ${height / 2} ${height / 2})`;
    assign(frame, { x: corner, y: corner, width: side, height: side, rx: 0, transform: turned });
  }

  show(part, shown) {
    assign(part, { display: shown ? "inline" : "none" });
  }

  /** Put the middle of its upper edge there. */
  move({ x, y }) {
    this.at = { x, y };
    assign(this.group, {
      transform: `translate(${(x - this.width / 2).toFixed(1)} ${y.toFixed(1)})`,
    });
  }

  /** Say what is known at a moment; `truth(node)` is what exact play says. */
  fill(card, frame, { focus, name, truth: truthOf, told }) {
    const { film, group, kind, node } = this;
    const [onPath, added, truth] = [frame.onPath.has(node), node === frame.added, truthOf?.(node)];
    Object.assign(this, { name, truth });
    this.updateNumbers(card);
    write(this.sign, kind !== "full" && truth ? truth[0][0] : "");
    assign(this.sign, { class: `exact ${truth?.[1] ?? ""}`, x: this.width - 2, y: 8 });
    assign(this.proof, {
      class: `proof ${card.mark && card.mark.split(" ").at(-1)}`,
      display: card.mark && SIGNED.includes(kind) ? "inline" : "none",
      transform: `translate(${this.width - 2} 2)`,
    });
    write(this.proof.lastChild, card.sign ?? "");
    const said = [
      told,
      card.score,
      onPath && "on the path",
      truth && `in truth ${truth[0]}`,
      card.prior,
    ];
    const looks = [
      "card",
      kind,
      onPath && "on-path",
      added && "new",
      card.mark,
      node === focus && node > 0 && "focused",
      truth && "told",
      card.dashed && "dashed",
    ];
    assign(group, {
      "aria-label": `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`,
      class: looks.filter(Boolean).join(" "),
      "data-visits": card.visits ?? "",
    });
    group.toggleAttribute("data-new", added);
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const { kind, name, node, truth } = this;
    const isWide = kind === "full" || kind === "root" || kind === "row";
    const lines = {
      label: this.#isNamed() ? (node ? name : "root") : "",
      share: isWide ? card.main + card.rest : kind === "small" ? card.few : "",
      score: kind === "full" ? (truth ? saidShort(truth[0]) : card.score) : "",
      prior: kind === "full" ? (card.prior ?? "") : "",
    };
    const texts = isWide ? [card.main, card.rest] : [lines.share, ""];
    texts.forEach((text, place) => write(this.share.childNodes[place], text));
    for (const part of ["label", "score", "prior"]) write(this[part], lines[part]);
    this.#arrange(lines);
  }

  /** Whether the move's name is on it: where no board shows the position, and beside a large diamond. */
  #isNamed() {
    const { film, kind, width } = this;
    if (kind === "luck") return width >= SPOKEN;
    return kind === "name" || (!film.facts.board && kind !== "row");
  }

  /** The lines below the board, one below the other, and the piece before the share. */
  #arrange(lines) {
    const isLuck = this.kind === "luck";
    assign(this.label, { "text-anchor": isLuck ? "start" : "middle" });
    if (isLuck) {
      this.label.removeAttribute("textLength");
      assign(this.label, { x: this.width + 3, y: this.height / 2 + 4 });
      this.show(this.whose, false);
      return;
    }
    const { film, height, kind, width, whose } = this;
    const left = kind === "row" ? BOARDS.row + EDGE : 0;
    const room = width - left - 2 * EDGE;
    const hasRoom = room >= WIDE; // for one letter; else the board is all that is drawn
    for (const part of PARTS) this.show(this[part], hasRoom);
    const shown = hasRoom ? PARTS.filter((part) => lines[part]) : [];
    const middle = left + (width - left) / 2;
    let y =
      kind === "name" || kind === "row" ? height / 2 + 4 : height - 5 - LINE * (shown.length - 1);
    if (kind === "root" && !film.facts.board) y -= 8;
    const long = WIDE * lines.share.length;
    const hasPiece = kind === "full" && film.playerOf && long + PIECE + 2 <= room;
    for (const part of shown) {
      const isShare = part === "share";
      assign(this[part], { x: (middle + (isShare && hasPiece ? PIECE / 2 + 1 : 0)).toFixed(1), y });
      if (WIDE * lines[part].length > room)
        assign(this[part], { textLength: room, lengthAdjust: "spacingAndGlyphs" });
      else this[part].removeAttribute("textLength");
      if (isShare && hasPiece) {
        const start = middle - (long + PIECE + 2) / 2;
        assign(whose, {
          transform: `translate(${start.toFixed(1)} ${y - 9.5}) scale(${PIECE / 10})`,
        });
      }
      y += LINE;
    }
    this.show(whose, hasPiece);
  }
}

/** "▲ win in 3" on a card: ▲ win 3. */
const saidShort = (text) => text.replace(" in ", " ");
