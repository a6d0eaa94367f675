// What Watch found: a mark on the ribbon, a line beside the tree, and a sign on the card.

import { assign, element, svgElement, textButton } from "./elements.js";

const LISTED = 3; // lines; the others are on the ribbon alone
const SIDE = 24; // pixels, of a mark on the ribbon

export class Findings {
  constructor(player) {
    const { film, rootHistory } = player;
    let before = "-99px";
    this.all = film.facts.findings.map((finding, place) => {
      const { fault, iteration, mark: said, name, node, text } = finding;
      const title = `${fault ? "Fault" : "Note"}, iteration ${iteration}: ${text}`;
      const kind = fault ? "fault" : "no-fault";
      const look = () => {
        player.goTo(iteration, film.facts.phases.length - 1);
        player.choose(node);
      };
      const button = (more) => textButton("", title, look, { "data-finding": name, ...more });
      const mark = button({ class: `finding-mark ${kind}`, "aria-label": title });
      if (place < LISTED) mark.tabIndex = -1; // its line has the stop
      const line = button({ class: `finding ${kind}` });
      line.append(element("b", {}, String(iteration)), ` ${text}`);
      const sign = svgElement("g", { class: `finding-sign ${kind}` },
        svgElement("title", {}, title), svgElement("circle", { r: 8 }),
        svgElement("text", { y: 4, "text-anchor": "middle" }, SIGNS[kind]),
        svgElement("text", { class: "finding-said", x: 12, y: 4 }, said));
      return { iteration, node, index: film.indexOf(iteration), mark, line, sign };
    });
    for (const { index, mark } of this.all.toSorted((a, b) => a.index - b.index)) {
      // next to each other, if they would be one
      before = mark.style.left = `max(${rootHistory.at(index)}, ${before} + ${SIDE}px)`;
    }
    this.marks = this.all.map(({ mark }) => mark);
    this.list = element("ul", { class: "findings", "aria-label": "What Watch found" },
      ...this.all.slice(0, LISTED).map(({ line }) => element("li", {}, line)));
  }

  /** On the cards of `view` the signs of what is proven by now. */
  paint({ index }, view) {
    const signed = new Map(); // a card has room for one, the most serious
    for (const one of this.all.toReversed()) if (one.index <= index) signed.set(one.node, one);
    for (const one of this.all) {
      const card = signed.get(one.node) === one ? view.cards?.get(one.node) : undefined;
      assign(one.line, { "aria-current": one.index === index });
      if (card?.width) {
        card.group.classList.add("found"); // until it is filled again
        assign(one.sign, { transform: `translate(${card.width - 4} 2)` });
        card.group.append(one.sign);
      } else one.sign.remove();
    }
  }
}

const SIGNS = { fault: "!", "no-fault": "i" };
