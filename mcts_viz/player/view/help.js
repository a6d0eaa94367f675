// What the keys do and what everything in the picture means: sentences, and their numbers on the picture.

import { element, group, svgElement } from "../picture/elements.js";

const RADIUS = 8; // of a number's ground, in pixels
const BELOW = 20; // from the end of a thread to its number

const SHOWN = [
  // what has its number in the picture, where that is, and what it means
  [threadEnd, "A thread is an iteration, from the root to where its playout began, coloured by who won."],
  [widestBranch, "A branch is as wide as its visits, a colour's share is what that player won."],
  [largestCard, "A card: wins/visits, then the score. The piece says whose wins."],
  [walked, "The thick line: the walk of this iteration."],
  [untried, "Dashed: moves without a node yet."],
];
const OTHERS = [
  "Click a card or a branch: it becomes the top. Escape leads back. Ctrl and the wheel zoom.",
  "The race: the highest score is selected. Above it, over time: the visits of the root's moves.",
];

export class Help {
  constructor({ film, picture }) {
    const { wholeStep, facts } = film;
    const keys =
      `← → a step; with Ctrl or Shift ${wholeStep}. 1 to 4: a phase. Home, End. Space plays, ` +
      "S says how fast. ↑ ↓ Enter: from card to card. V: ladder or tree. Escape: back.";
    this.picture = picture;
    this.isNumbered = facts.kind === "mcts"; // the others' pictures have other threads
    const numbered = SHOWN.map(([, text], place) =>
      element("p", {}, element("b", { class: "numeral" }, String(place + 1)), text),
    );
    const others = OTHERS.map((text) => element("p", {}, text));
    const told = this.isNumbered ? [...numbered, ...others] : [];
    this.element = group("help", "Help", element("p", {}, keys), ...told);
    this.numerals = SHOWN.map((_, place) =>
      svgElement(
        "g",
        { class: "numeral" },
        svgElement("circle", { r: RADIUS }),
        svgElement("text", { y: 4, "text-anchor": "middle" }, String(place + 1)),
      ),
    );
  }

  /** Put the numbers on what there is of it at this moment. */
  paint() {
    if (!this.isNumbered) return;
    SHOWN.forEach(([placeOf], number) => {
      const numeral = this.numerals[number];
      const place = placeOf(this.picture);
      if (!place) numeral.remove();
      else {
        const [x, y] = place.map((one) => one.toFixed(1));
        numeral.setAttribute("transform", `translate(${x} ${y})`);
        this.picture.over.append(numeral);
      }
    });
  }
}

/** Below the deepest thread that ends. */
function threadEnd({ next: { ends } }) {
  const lowest = ends.toSorted((one, other) => other.y - one.y)[0];
  return lowest && [lowest.x + lowest.wide / 2, lowest.y + BELOW];
}

/** On the ribbon to the move with the most visits. */
function widestBranch({ next }) {
  const own = next.bands.filter(({ node }) => next.places.get(node)?.depth === 1);
  const [widest] = own.toSorted((one, other) => other.wide - one.wide);
  if (!widest) return undefined;
  const { above, below, from, to, wide } = widest;
  return [(from + to + wide) / 2, (above + below) / 2];
}

/** At the upper left corner of the move with the most visits. */
function largestCard({ next: { cards, places } }) {
  const moves = cards.filter(({ depth }) => depth === 1);
  const [first] = moves.toSorted((one, other) => places.get(other.node).wide - places.get(one.node).wide);
  return first && [first.x - first.width / 2, first.y + RADIUS];
}

/** In the middle of the walk's last step in the picture. */
function walked({ next: { places }, walk }) {
  const [above, end] = walk
    .map((node) => places.get(node))
    .filter(Boolean)
    .slice(-2);
  return end && [(above.x + end.x) / 2, (above.spring + end.y) / 2];
}

/** At the first move without a node. */
function untried({ next: { ghosts } }) {
  const [first] = ghosts;
  return first && [(first.left + first.right) / 2, first.below + (first.high ?? 0) / 2];
}
