// What Watch found: a line beside the tree, and a sign on the card; and what it has checked.

import { assign, element, svgElement, textButton } from "../picture/elements.js";

export class Findings {
  constructor(player) {
    const { film } = player;
    this.all = film.facts.findings.map(({ fault, iteration, mark, name, node, text }) => {
      const kind = fault ? "fault" : "no-fault";
      const title = `${fault ? "Fault" : "Note"}, iteration ${iteration}: ${text}`;
      const look = () => {
        player.goTo(iteration, film.facts.phases.length - 1);
        player.choose(node);
      };
      const line = textButton("", title, look, { class: `finding ${kind}`, "data-finding": name });
      line.append(element("b", {}, String(iteration)), ` ${text}`);
      const sign = svgElement(
        "g",
        { class: `finding-sign ${kind}` },
        svgElement("title", {}, title),
        svgElement("circle", { r: 8 }),
        svgElement("text", { y: 4, "text-anchor": "middle" }, fault ? "!" : "i"),
        svgElement("text", { class: "finding-said", x: 12, y: 4 }, mark),
      );
      return { node, index: film.indexOf(iteration), line, sign };
    });
    this.list = element(
      "ul",
      { class: "findings", "aria-label": "What Watch found and checked", tabindex: 0 },
      ...this.all.map(({ line }) => element("li", {}, line)),
      ...film.facts.checked.map(({ done, family, text }) =>
        element(
          "li",
          { class: `checked ${done ? "done" : "not-done"}` },
          element("b", {}, `${done ? "Checked" : "Not checked"}: ${family}`),
          `: ${text}`,
        ),
      ),
    );
  }

  /** On the cards of `picture`, else at the branch, the signs of what is proven by now. */
  paint({ index }, picture) {
    const signed = new Map(); // a card has room for one, the most serious
    for (const one of this.all.toReversed()) if (one.index <= index) signed.set(one.node, one);
    for (const one of this.all) {
      const isSigned = signed.get(one.node) === one;
      const card = picture.cards.get(one.node);
      assign(one.line, { "aria-current": one.index === index });
      if (isSigned && card) {
        card.group.classList.add("found"); // until it is filled again
        assign(one.sign, { transform: `translate(${card.width - 4} 2)` });
        card.group.append(one.sign);
      } else if (isSigned && picture.branchOf(one.node)) {
        const { x, y } = picture.branchOf(one.node);
        assign(one.sign, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
        picture.over.append(one.sign);
      } else one.sign.remove();
    }
  }
}
