// The buttons over the tree: zoom, which part of it is looked at, and how many cards it has.

import { element, signButton } from "./panels.js";

const FEWEST = 5;
const MOST = 300;

export class TreeBar {
  constructor(film, tree) {
    this.film = film;
    this.tree = tree;
    this.focusButton = signButton("Focus", "Focus: only the chosen card and what is below it (F)", () => tree.lookAt());
    this.wholeButton = signButton("Whole tree", "Whole tree, as it was before (Escape)", () => tree.back());
    const most = Math.min(MOST, film.columns.parent.length);
    this.cards = element("input", { type: "number", min: Math.min(FEWEST, most), max: most, step: 5, "aria-label": "Cards", title: "How many of the heaviest nodes have a card", "data-lm-suppress-shortcuts": "true" });
    this.cards.addEventListener("change", () => this.#asked());
    // Digits and arrows belong to the number while it is typed.
    this.cards.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
    });
    this.element = element("div", { class: "zoom", role: "group", "aria-label": "View of the tree" },
      element("label", {}, "Cards ", this.cards), this.wholeButton, this.focusButton,
      signButton("+", "Zoom in (+)", () => tree.zoom(1.4)),
      signButton("−", "Zoom out (-)", () => tree.zoom(1 / 1.4)),
      signButton("Fit", "Fit: all cards in the frame (0)", () => tree.fit()));
    this.update();
  }

  #asked() {
    const asked = Math.round(Number(this.cards.value)) || this.film.views.whole.cards.length;
    this.tree.heaviest(Math.max(Number(this.cards.min), Math.min(Number(this.cards.max), asked)));
  }

  /** Say what is on the screen. */
  update() {
    const { view, views } = this.film;
    this.cards.value = view.cards.length;
    this.wholeButton.hidden = view === views.whole;
  }
}
