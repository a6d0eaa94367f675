// A bandit's walk: a row an arm, with its pulls as dots, its mean as a tick, and how far UCB reaches.
// The arm whose reach is the furthest is pulled.

import { assign, svgElement, write } from "./elements.js";
import { MARGIN, View } from "./view.js";
import { short } from "./words.js";

const [LEFT, RIGHT, HIGHEST] = [96, 64, 96]; // beside the rows, and a row
const [DOT, CAP] = [9, 7]; // from dot to dot, and half a tick
const PARTS = {
  frame: "rect", colour: "rect", label: "text", share: "text", score: "text", wins: "path",
  losses: "path", reach: "path", tick: "path",
};

export class Arms extends View {
  playout = { show() {} }; // a pull shows itself

  constructor(film) {
    super(film, "arms", "The arms, a row each");
    this.pulls = new Map(film.below[0].map((node) => [node, []]));
    for (let index = 1; index <= film.facts.iterations; index++) {
      const [iteration, arm] = [film.iterationAt(index), film.pathTo(film.end(index))[1]];
      this.pulls.get(arm)?.push({ iteration, won: film.gain(arm, iteration) > 0 });
    }
    for (const node of film.below[0]) this.#row(node);
    this.axis = svgElement("text", { class: "note", "text-anchor": "middle" });
    this.one = svgElement("path", { class: "edge" });
    this.best = svgElement("path", { class: "trail" });
    this.over.append(this.one, this.best, this.axis);
  }

  #row(node) {
    const row = Object.fromEntries(Object.entries(PARTS)
      .map(([name, kind]) => [name, svgElement(kind, { class: name })]));
    row.group = svgElement("g", { role: "button", tabindex: -1, "data-node": node }, ...Object.values(row));
    assign(row.colour, { class: `colour ${this.film.moveColour(node)}`, x: 6, y: 6, width: 4 });
    write(row.label, this.film.label(node));
    this.cards.set(node, { node, ...row, updateNumbers() {} });
    this.boxes.append(row.group);
  }

  get nodes() {
    return new Set([0, ...this.cards.keys()]);
  }

  resize(width, height) {
    super.resize(width, height);
    this.high = Math.min(HIGHEST, (height - 3 * MARGIN) / this.cards.size);
    [...this.cards.values()].forEach((row, place) => {
      const box = {
        x: MARGIN, y: MARGIN + place * this.high, width: width - 2 * MARGIN, height: this.high - 6,
      };
      row.box = box;
      assign(row.group, { transform: `translate(${box.x} ${box.y})` });
      assign(row.frame, { rx: 6, width: box.width, height: box.height });
      assign(row.colour, { height: box.height - 12 });
      assign(row.label, { x: 18, y: box.height / 2 - 3 });
      assign(row.share, { x: 18, y: box.height / 2 + 14 });
    });
  }

  paint(frame, { focus }) {
    const { cards, film, high, size: [width] } = this;
    const lookOf = (node) => (film.births[node] <= frame.addedAt ? film.card(node, frame) : undefined);
    const looks = new Map([...cards.keys()].map((node) => [node, lookOf(node)]));
    const top = (look) => look?.terms[0] + look?.terms[1];
    const tops = [...looks.values()].map(top).filter(Number.isFinite);
    const longest = Math.max(1, ...tops);
    const long = width - 2 * MARGIN - LEFT - RIGHT;
    const at = (value) => LEFT + (long * Math.max(0, value)) / longest;
    const middle = (high - 6) * 0.68;
    for (const [node, row] of cards) {
      const look = looks.get(node);
      const wins = top(look) === Math.max(...tops);
      const seen = this.pulls.get(node).filter(({ iteration }) => iteration <= frame.counted);
      const apart = Math.min(DOT, (long + RIGHT - 12) / Math.max(1, seen.length));
      const dotAt = (place) => dot(LEFT + apart * (place + 0.5), high * 0.25, apart * 0.4);
      const dots = (won) => seen.map((pull, place) => (pull.won === won ? dotAt(place) : "")).join("");
      const [mean, reach] = [at(look?.terms[0]), at(top(look))];
      const known = Number.isFinite(reach);
      assign(row.wins, { d: dots(true) });
      assign(row.losses, { d: dots(false) });
      assign(row.reach, { d: known ? `M${mean} ${middle}H${reach}m0 ${-CAP}v${2 * CAP}` : "" });
      assign(row.tick, { d: known ? `M${mean} ${middle - CAP}v${2 * CAP}` : "" });
      assign(row.score, { x: (known ? reach : LEFT) + 6, y: middle + 4 });
      write(row.share, look ? `${look.main}${look.rest}` : "");
      write(row.score, look?.score || "not pulled yet");
      const name = ["card arm", frame.onPath.has(node) && "on-path", wins && "best",
        node === focus && "focused"];
      const score = look && `${film.facts.rule} ${look.score || "none"}`;
      const said = look ? `${look.main}${look.rest}, ${score}` : "not pulled yet";
      assign(row.group, {
        class: name.filter(Boolean).join(" "), "aria-label": `${film.named(node)}: ${said}`,
      });
    }
    const [ground, furthest] = [MARGIN + high * cards.size, MARGIN + at(Math.max(0, ...tops))];
    assign(this.best, { d: tops.length > 1 ? `M${furthest} ${MARGIN}V${ground}` : "" });
    assign(this.one, { d: `M${MARGIN + at(1)} ${MARGIN}V${ground}` });
    assign(this.axis, { x: MARGIN + at(1), y: ground + 12 });
    write(this.axis, short(1));
  }
}

const dot = (x, y, r) =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
