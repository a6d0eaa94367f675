// Motion that explains a phase: the trail draws itself, the new card grows out of its edge, the
// playout is played, the result climbs back. A key completes it at once.

import { MiniBoard } from "./board.js";
import { assign, svgElement } from "./elements.js";

const LEVEL = 150; // milliseconds a level of the walk
const LENGTH = 560;

export class PhaseAnimation {
  constructor(film) {
    this.film = film;
    this.running = [];
  }

  /** Whatever moves stands where it was going. */
  finish() {
    for (const stop of this.running.splice(0)) stop();
  }

  #animate(target, frames, options) {
    const animation = target.animate(frames, { fill: "backwards", easing: "ease-out", ...options });
    this.running.push(() => animation.cancel());
  }

  /** Act now, and at each frame of the screen while the motion lasts, with the part of it that is over. */
  #during(act, end) {
    const begun = performance.now();
    let frame;
    const stop = () => {
      cancelAnimationFrame(frame);
      end();
    };
    const next = () => {
      const part = (performance.now() - begun) / LENGTH;
      if (part < 1) {
        act(part);
        frame = requestAnimationFrame(next);
      } else stop();
    };
    this.running.push(stop);
    next();
  }

  /** Show how the view came from the phase before to this frame. */
  play(view, frame) {
    this.finish();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const act = { select: this.#select, enter: this.#select, expand: this.#expand, simulate: this.#simulate, backpropagate: this.#backpropagate };
    act[this.film.facts.phases[frame.phase]]?.call(this, view, frame);
  }

  #select({ trail, cards }, { path, onPath }) {
    const level = Math.min(LEVEL, LENGTH / path.length);
    this.#draw(trail, { duration: level * (path.length - 1), easing: "linear" });
    for (const [node, card] of cards) {
      const above = path.indexOf(this.film.columns.parent[node]);
      if (above < 0) continue;
      const flash = onPath.has(node) ? [{ opacity: 0.55 }, { opacity: 1 }] : [{ opacity: 1 }, { opacity: 0.45 }, { opacity: 1 }];
      this.#animate(card.group, flash, { duration: level * 1.3, delay: level * above });
    }
  }

  /** A line that draws itself. */
  #draw(line, options) {
    const length = line?.getTotalLength();
    if (length) this.#animate(line, [{ strokeDasharray: length, strokeDashoffset: length }, { strokeDasharray: length, strokeDashoffset: 0 }], options);
  }

  #expand({ svg, cards }, { added }) {
    this.#draw(svg.querySelector(`[data-child="${added}"]`), { duration: 240 });
    const card = cards.get(added);
    if (card) this.#animate(card.group, [{ opacity: 0 }, { opacity: 1 }], { duration: 260, delay: 160 });
  }

  /** One board beside the leaf, below it if there is no room. */
  #simulate({ svg, cards, over }, { index, path }) {
    const moves = this.film.playout(index);
    const leaf = cards.get(path.at(-1));
    const { board } = this.film.facts;
    if (!moves.length || !leaf || !board) return;
    const side = Math.min(60, Math.max(40, leaf.height));
    const mini = new MiniBoard(board);
    assign(mini.svg, { x: 4, y: 4, width: side - 8, height: side - 8 });
    const right = leaf.x + leaf.width + 10;
    const fits = right + side < svg.viewBox.baseVal.x + svg.viewBox.baseVal.width;
    const [x, y] = fits ? [right, leaf.y] : [leaf.x + leaf.width - side, leaf.y + leaf.height + 4];
    const group = svgElement("g", { class: "playing", transform: `translate(${x} ${y})` }, svgElement("rect", { width: side, height: side, rx: 5 }), mini.svg);
    over.append(group);
    this.#during((part) => {
      const { cells, before } = moves[Math.min(moves.length - 1, Math.floor(part * (moves.length + 1)))];
      mini.draw(cells, before);
    }, () => group.remove());
  }

  /** What is counted climbs the trail, and each card changes as it passes. */
  #backpropagate({ trail, cards, over }, frame) {
    const { film } = this;
    const before = { ...frame, counted: frame.counted - 1, phase: 2 };
    const passed = frame.path.toReversed().filter((node) => cards.has(node)).map((node) => cards.get(node));
    passed.forEach((card, place) => {
      card.updateNumbers(film.card(card.node, before));
      this.#animate(card.frame, [{ strokeWidth: 7 }, {}], { duration: 200, delay: (LENGTH * place) / passed.length, fill: "none" });
    });
    const length = trail.getTotalLength();
    const gain = film.token(frame.index);
    const wide = 7 * gain.length + 12;
    const token = svgElement("g", { class: "token" },
      svgElement("rect", { x: -wide / 2, y: -10, width: wide, height: 20, rx: 10 }),
      svgElement("text", { "text-anchor": "middle", y: 4 }, gain));
    if (length) over.append(token);
    let told = 0;
    const tell = (count) => {
      for (; told < count; told++) passed[told].updateNumbers(passed[told].said);
    };
    this.#during((part) => {
      tell(Math.floor(part * passed.length) + 1);
      if (!length) return;
      const { x, y } = trail.getPointAtLength(length * (1 - part));
      assign(token, { transform: `translate(${x.toFixed(1)} ${(y - 14).toFixed(1)})` });
    }, () => {
      tell(passed.length);
      token.remove();
    });
  }
}
