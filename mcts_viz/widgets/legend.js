// What everything means, laid over the real picture: key ?.

import { element, focusOn } from "./elements.js";

const CALLOUTS = [
  [".phases", "An iteration has four phases: select, expand, simulate, backpropagate."],
  [".track", "How the root's visits are shared among its moves, over time. Each move keeps its colour."],
  [".card.root", "The position to move from: visits, and the wins of the player who moved into it."],
  [".card.on-path:not(.root)",
    "A position. The piece says whose wins they are: of the player who moved there. "
      + "Bar: mean, then exploration."],
  [".trail", "The walk of this iteration. The thicker an edge, the more visits."],
  [".ghost[data-ghost]", "A legal move that has no node yet."],
  [".why", "The race: the highest score is selected. Visits say what the search has learnt."],
  ["[data-icicle=strip]", "The whole tree: a column a depth, height = visits, colour = mean of who moved."],
];

export class Legend {
  constructor(player) {
    this.player = player;
    this.element = element("div", {
      class: "legend-layer", role: "dialog", "aria-label": "Legend", tabindex: "-1",
    });
    this.element.addEventListener("click", () => player.toolbar.flip("legend", false));
  }

  show(on) {
    const { element: layer, player: { element: root } } = this;
    layer.replaceChildren();
    if (on) {
      root.append(layer);
      this.#lay(root.getBoundingClientRect());
    } else layer.remove();
    focusOn(on ? layer : root);
  }

  /** Each text stands next to what it explains, below the one before where they would cover each other. */
  #lay(frame) {
    const laid = [];
    for (const [target, text] of CALLOUTS) {
      const seen = [...this.player.element.querySelectorAll(target)].map((one) => one.getBoundingClientRect())
        .find(({ width, height }) => width + height > 0);
      if (!seen) continue;
      const note = element("p", {}, text);
      this.element.append(note);
      const { offsetWidth: width, offsetHeight: height } = note;
      const x = Math.max(8,
        Math.min(frame.width - width - 8, seen.x + Math.min(seen.width, 240) / 2 - frame.x - width / 2));
      const low = seen.y - frame.y > 0.7 * frame.height;
      let y = low ? seen.y - frame.y - height - 6
        : Math.max(8, Math.min(frame.height - height - 8, seen.y + Math.min(seen.height, 60) - frame.y + 6));
      const covered = () =>
        laid.find((one) => x < one.x + one.width + 6 && one.x < x + width + 6
          && y < one.y + one.height + 6 && one.y < y + height + 6);
      for (let tries = 0; covered() && tries < 12; tries++) y = covered().y + covered().height + 8;
      if (y > frame.height - height) y = Math.max(8, Math.min(...laid.map((one) => one.y)) - height - 8);
      laid.push({ x, y, width, height });
      Object.assign(note.style, { left: `${x}px`, top: `${y}px` });
    }
  }
}
