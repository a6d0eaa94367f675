// Motion that explains a phase: the trail draws itself, the new card grows out of its edge, the
// playout is played, the result climbs back. A key completes it at once.

import { MiniBoard, svgElement } from "./board.js";

const LEVEL = 150; // milliseconds a level of the walk
const LENGTH = 560;

export class Motion {
  constructor(film) {
    this.film = film;
    this.running = [];
  }

  /** Whatever moves stands where it was going. */
  finish() {
    for (const stop of this.running.splice(0)) stop();
  }

  #animate(element, frames, options) {
    const animation = element.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
    this.running.push(() => animation.cancel());
  }

  /** Show how the view came from the phase before to this frame. */
  play(view, frame) {
    this.finish();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const phase = this.film.facts.phases[frame.phase];
    if (phase === "select" || phase === "enter") this.#select(view, frame);
    if (phase === "expand") this.#expand(view, frame);
    if (phase === "simulate") this.#simulate(view, frame);
    if (phase === "backpropagate") this.#backpropagate(view, frame);
  }

  #select({ trail, cards }, { path, onPath }) {
    const level = Math.min(LEVEL, LENGTH / path.length);
    const length = trail.getTotalLength();
    if (length) {
      trail.style.strokeDasharray = length;
      this.#animate(trail, [{ strokeDashoffset: length }, { strokeDashoffset: 0 }], { duration: level * (path.length - 1), easing: "linear" });
      this.running.push(() => (trail.style.strokeDasharray = ""));
    }
    for (const [node, card] of cards) {
      const above = path.indexOf(this.film.columns.parent[node]);
      if (above < 0) continue;
      const flash = onPath.has(node) ? [{ opacity: 0.55 }, { opacity: 1 }] : [{ opacity: 1 }, { opacity: 0.45 }, { opacity: 1 }];
      this.#animate(card.group, flash, { duration: level * 1.3, delay: level * above });
    }
  }

  #expand({ svg, cards }, { added }) {
    const card = cards.get(added);
    if (!card) return;
    const edge = svg.querySelector(`[data-child="${added}"]`);
    const length = edge?.getTotalLength();
    if (length) this.#animate(edge, [{ strokeDasharray: length, strokeDashoffset: length }, { strokeDasharray: length, strokeDashoffset: 0 }], { duration: 240 });
    this.#animate(card.group, [{ opacity: 0 }, { opacity: 1 }], { duration: 260, delay: 160 });
  }

  #simulate({ svg, cards, groups }, { iteration, path }) {
    const moves = this.film.playout(iteration);
    const leaf = cards.get(path.at(-1));
    const { board } = this.film.facts;
    if (!moves.length || !leaf || !board) return;
    const side = Math.min(60, Math.max(40, leaf.height));
    const mini = new MiniBoard(board);
    const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
    const right = leaf.x + leaf.width + 10;
    const x = right + side < width ? right : leaf.x + leaf.width - side;
    const group = svgElement("g", { class: "playing", transform: `translate(${x} ${right + side < width ? leaf.y : leaf.y + leaf.height + 4})` });
    for (const [name, value] of Object.entries({ x: 4, y: 4, width: side - 8, height: side - 8 })) mini.svg.setAttribute(name, value);
    group.append(svgElement("rect", { width: side, height: side, rx: 5 }), mini.svg);
    groups.over.append(group);
    const step = LENGTH / (moves.length + 1);
    const begun = performance.now();
    const show = () => {
      const place = Math.min(moves.length - 1, Math.floor((performance.now() - begun) / step));
      mini.draw(moves[place].cells, moves[place].before);
      if (performance.now() - begun < LENGTH) this.frame = requestAnimationFrame(show);
      else group.remove();
    };
    show();
    this.running.push(() => {
      cancelAnimationFrame(this.frame);
      group.remove();
    });
  }

  #backpropagate({ trail, cards, groups }, frame) {
    const length = trail.getTotalLength();
    const { film } = this;
    const before = { ...frame, counted: frame.counted - 1, phase: 2 };
    const nodes = frame.path.toReversed();
    nodes.forEach((node, place) => {
      const card = cards.get(node);
      if (!card) return;
      const now = card.said;
      card.again(film.card(node, before));
      const timer = setTimeout(() => card.again(now.look), (LENGTH * place) / nodes.length);
      this.running.push(() => {
        clearTimeout(timer);
        card.again(now.look);
      });
      this.#animate(card.frame, [{ strokeWidth: 7 }, {}], { duration: 200, delay: (LENGTH * place) / nodes.length, fill: "none" });
    });
    if (!length) return;
    const token = svgElement("g", { class: "token" });
    const text = svgElement("text", { "text-anchor": "middle", y: 4 });
    text.textContent = film.token(frame.iteration);
    const wide = 7 * text.textContent.length + 12;
    token.append(svgElement("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }), text);
    groups.over.append(token);
    const stops = Array.from({ length: 25 }, (_, place) => {
      const { x, y } = trail.getPointAtLength(length * (1 - place / 24));
      return { transform: `translate(${x}px, ${y - 14}px)` };
    });
    const climb = token.animate(stops, { duration: LENGTH, easing: "linear" });
    climb.onfinish = () => token.remove();
    this.running.push(() => token.remove());
  }
}
