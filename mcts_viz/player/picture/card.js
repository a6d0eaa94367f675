// A card: a node of the tree, as much of it as there is room for. The layout says which kind, where and
// how large; the texts come from the film.

import { MiniBoard, copyOf, pieceOf } from "./board.js";
import { addends, fixed } from "../data/words.js";
import { assign, namesOf, svgElement, write } from "./elements.js";

const LINE = 13; // from one line of text to the next
const PIECE = 10; // the side of the piece before a share
const EDGE = 3; // between a card's edge and what is on it
const BOARDS = { full: 40, small: 27 }; // the side of a board, by kind of card
const SIGN = 7.5; // half of a badge at the corner
const WIDE = 6.3; // the mean width of a letter

const SPOKEN = 22; // pixels: a diamond with its move's name beside it
const BAR = { high: 7, room: 10 }; // of both terms
const TOLD = ["full", "rung"]; // kinds with room for the score,
const SIGNED = [...TOLD, "small"]; // for a badge,
const COUNTED = [...TOLD, "root"]; // and for the whole share
const PARTS = ["label", "share", "first", "second", "score", "prior", "more"]; // lines of text
const BELOW_BARS = PARTS.slice(PARTS.indexOf("first"));

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
    this.terms = ["mean", "exploration"].map((look) => svgElement("rect", { class: look, height: BAR.high }));
    this.bars = svgElement("g", { class: "bars" }, ...this.terms);
    this.whose = svgElement("g", { class: "whose" });
    this.sign = svgElement("text", { class: "exact", "text-anchor": "middle" }); // of what exact play says
    this.proof = svgElement(
      "g",
      { class: "proof" },
      svgElement("circle", { r: SIGN }),
      svgElement("text", { y: 4, "text-anchor": "middle" }),
    );
    this.group.append(this.bars, this.whose, this.sign, this.proof);
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
  fit({ depth, height, kind, rung, side = BOARDS[kind], width }) {
    const { board, group } = this;
    Object.assign(this, { kind, rung, width, height });
    group.dataset.depth = depth;
    group.dataset.kind = kind;
    this.#outline();
    this.show(this.bars, rung);
    if (!board) return;
    const { columns, rows } = this.film.facts.board;
    this.show(board, side !== undefined);
    if (!side) return;
    const unit = Math.min((width - 2 * EDGE) / columns, side / rows) / 10;
    const left = (width - 10 * unit * columns) / 2;
    const top = EDGE + (side - 10 * unit * rows) / 2;
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
    const truth = truthOf?.(node);
    Object.assign(this, { name, truth });
    this.updateNumbers(card);
    this.#badges(card);
    const isNew = node === frame.added;
    const onPath = frame.onPath.has(node);
    const said = [
      told,
      card.score,
      onPath && "on the path",
      truth && `in truth ${truth[0]}`,
      card.prior,
      card.more,
    ];
    const looks = namesOf({
      "on-path": onPath,
      "new": isNew,
      "focused": node === focus && node > 0,
      "told": truth,
      "dashed": card.dashed,
    });
    assign(group, {
      "aria-label": `${node ? film.named(node) : "root"}: ${said.filter(Boolean).join(", ")}`,
      class: ["card", kind, card.mark, ...looks].filter(Boolean).join(" "),
      "data-visits": card.visits ?? "",
    });
    group.toggleAttribute("data-new", isNew);
  }

  /** At the corner: what exact play says, where no line of text does; and what a solver has proven. */
  #badges({ mark, sign }) {
    const { kind, proof, truth, width } = this;
    write(this.sign, !TOLD.includes(kind) && truth ? truth[0][0] : "");
    assign(this.sign, { class: `exact ${truth?.[1] ?? ""}`, x: width - 2, y: 8 });
    assign(proof, {
      class: `proof ${mark && mark.split(" ").at(-1)}`,
      transform: `translate(${width - 2} 2)`,
    });
    this.show(proof, mark && SIGNED.includes(kind));
    write(proof.lastChild, sign ?? "");
  }

  /** The same card with the numbers of another moment. */
  updateNumbers(card) {
    const share = this.#shareOf(card);
    share.forEach((text, place) => write(this.share.childNodes[place], text));
    const lines = { label: this.#nameOn(), share: share.join(""), ...this.#figuresOf(card) };
    Object.assign(lines, { score: "", prior: "", more: "" });
    if (TOLD.includes(this.kind)) {
      lines.score = this.truth ? saidShort(this.truth[0]) : this.#scoreOf(card);
      lines.prior = card.prior ?? "";
      lines.more = card.more ?? "";
    }
    for (const part of PARTS) if (part !== "share") write(this[part], lines[part]);
    this.#arrange(lines);
    if (this.rung) this.#fillBars(card.terms);
  }

  /** In a row of the ladder both terms of the score in figures, on one line or on two. */
  #figuresOf({ mark, terms }) {
    const { digits, figures } = this.rung ?? {};
    const [first = "", second = ""] = figures && !mark ? addends(terms, digits) : [];
    return figures === 1 ? { first: first + second, second: "" } : { first, second };
  }

  /** In a row of the ladder with the digits that the choice needs. */
  #scoreOf({ mark, score, terms: [mean, exploration] }) {
    const { digits, rule } = this.rung ?? {};
    const isTold = digits !== undefined && !mark && Number.isFinite(mean + exploration);
    return isTold ? rule + fixed(mean + exploration, digits) : score;
  }

  /** Both terms side by side, from 0: where they end is the score. */
  #fillBars([mean, exploration]) {
    const {
      rung: {
        ends: [low, high],
      },
      width,
    } = this;
    const at = (number) => 2 * EDGE + ((width - 4 * EDGE) * (number - low)) / (high - low);
    [
      [0, mean],
      [mean, mean + exploration],
    ].forEach(([from, to], term) => {
      const known = Number.isFinite(to);
      const x = known ? Math.min(at(from), at(to)) : 0;
      assign(this.terms[term], { x, width: known ? Math.abs(at(to) - at(from)) : 0 });
    });
  }

  /** The bold part of the share and the rest of it, as much as there is room for. */
  #shareOf({ few, main, rest }) {
    if (COUNTED.includes(this.kind)) return [main, rest];
    return [this.kind === "small" ? few : "", ""];
  }

  #nameOn() {
    if (!this.#isNamed()) return "";
    return this.node ? this.name : "root";
  }

  /** Whether the move's name is on it: where no board shows the position, and beside a large diamond. */
  #isNamed() {
    const { film, kind, width } = this;
    if (kind === "luck") return width >= SPOKEN;
    return kind === "name" || !film.facts.board;
  }

  #arrange(lines) {
    const isLuck = this.kind === "luck";
    assign(this.label, { "text-anchor": isLuck ? "start" : "middle" });
    if (isLuck) this.#besideDiamond();
    else this.#belowBoard(lines);
  }

  #besideDiamond() {
    this.label.removeAttribute("textLength");
    assign(this.label, { x: this.width + 3, y: this.height / 2 + 4 });
    this.show(this.whose, false);
  }

  /** The lines below the board, one below the other, and the piece before the share. */
  #belowBoard(lines) {
    const { film, kind, rung, width, whose } = this;
    const room = width - 2 * EDGE;
    const hasRoom = room >= WIDE; // for one letter; else the board is all that is drawn
    for (const part of PARTS) this.show(this[part], hasRoom);
    const shown = hasRoom ? PARTS.filter((part) => lines[part]) : [];
    const long = WIDE * lines.share.length + PIECE + 2; // of the piece and the share
    const hasPiece = TOLD.includes(kind) && film.playerOf && long <= room;
    this.show(whose, hasPiece);
    const first = this.#firstLine(rung?.lines ?? shown.length);
    shown.forEach((part, line) => {
      const y = first + line * LINE + (rung && BELOW_BARS.includes(part) ? BAR.room : 0);
      const isBesidePiece = hasPiece && part === "share";
      const x = isBesidePiece ? width / 2 + PIECE / 2 + 1 : width / 2;
      assign(this[part], { x: x.toFixed(1), y });
      squeeze(this[part], WIDE * lines[part].length, room);
      if (isBesidePiece) this.#placePiece((width - long) / 2, y);
      if (rung && part === "share") for (const term of this.terms) assign(term, { y: y + 4 });
    });
  }

  /** The place of the first of so many lines of text: below a board, or in the middle of the card. */
  #firstLine(count) {
    const { film, height, kind, rung } = this;
    const isAlone = kind === "name" || (kind === "root" && !film.facts.board);
    if (isAlone) return height / 2 + 4 - (LINE * (count - 1)) / 2;
    return height - 5 - LINE * (count - 1) - (rung ? BAR.room : 0);
  }

  #placePiece(x, y) {
    const transform = `translate(${x.toFixed(1)} ${y - 9.5}) scale(${PIECE / 10})`;
    assign(this.whose, { transform });
  }
}

/** Make a text as narrow as its room, if it is longer. */
function squeeze(text, long, room) {
  if (long > room) assign(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
  else text.removeAttribute("textLength");
}

/** "▲ win in 3" on a card: ▲ win 3. */
const saidShort = (text) => text.replace(" in ", " ");
