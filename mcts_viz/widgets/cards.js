// Cards and stubs: made from the one blank card that came with the film.

import { drawCells, emptyBoard, svgElement } from "./board.js";

export class CardMaker {
  constructor(film) {
    this.film = film;
    this.facts = film.facts.drawing;
    const parsed = new DOMParser().parseFromString(this.facts.blank, "image/svg+xml");
    this.blank = document.importNode(parsed.documentElement, true);
    reachable(this.blank);
  }

  /** A card that shows the position of a node, which never changes. */
  card(node) {
    const parts = this.#parts();
    this.place(parts, node);
    return parts;
  }

  /** A card of the strip, which shows now this and now that node. */
  slot(number) {
    const parts = this.#parts();
    parts.group.setAttribute("class", "card slot");
    parts.group.dataset.slot = number;
    return parts;
  }

  #parts() {
    const group = this.blank.cloneNode(true);
    const part = (name) => group.querySelector(`.${name}`);
    return { group, share: part("share"), score: part("score"), bar: part("bar"), position: part("board") };
  }

  /** Put a node's position on a card. */
  place(parts, node) {
    const { film } = this;
    const { board } = film.facts;
    parts.group.dataset.node = node;
    if (!board) return parts.position.replaceChildren(...this.#lines(film.text(node)));
    if (!parts.board) {
      const scaled = svgElement("g", { transform: `scale(${this.facts.board_scale.toFixed(3)})` });
      parts.board = emptyBoard(board, scaled);
      parts.position.append(scaled);
    }
    drawCells(parts.board, film.cells(node), film.cellsBefore(node));
  }

  #lines(text) {
    return text.split("\n").map((line, row) => {
      const element = svgElement("text", { class: "position", x: this.facts.board_width / 2, y: 11 * row + 8 });
      element.textContent = line;
      return element;
    });
  }

  /** A stub below a card. */
  stub(card) {
    const { height } = this.facts.stub;
    const group = svgElement("g", { class: "stub", "data-stub": card });
    reachable(group);
    const frame = svgElement("rect", { class: "frame", rx: height / 2, height });
    const count = svgElement("text", { class: "count", y: 11.5 });
    group.append(frame, count);
    return { group, frame, count };
  }

  /** What exact play says, laid over a card. */
  badge(parts, [words, kind]) {
    const middle = parts.share.getAttribute("x");
    const badge = svgElement("g", { class: `truth ${kind}`, transform: `translate(${middle} 0)` });
    const half = 3.1 * words.length;
    const text = svgElement("text", { y: 3 });
    text.textContent = words;
    badge.append(svgElement("rect", { x: -half, y: -7, width: 2 * half, height: 13, rx: 3 }), text);
    parts.group.append(badge);
    parts.badge = words;
  }
}

function reachable(group) {
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "0");
}
