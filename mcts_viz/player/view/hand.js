// What a reader's hand does on the screen of a player: drags, clicks, points, turns the wheel.

import { nodeAt } from "../picture/elements.js";
import { onKey } from "./keys.js";

const WHEEL = 1.0015; // how much a pixel of the wheel zooms

/** Let a player hear its screen, until it leaves the page. */
export function listen(player) {
  const { picture, screen, toolbar } = player;
  const { element: root, phaseSlider, slider, stage } = screen;
  slider.addEventListener(
    "input",
    oncePerFrame(() => player.hurry(() => player.go(Number(slider.value), player.phase))),
  );
  phaseSlider.addEventListener("input", () => player.toPhase(Number(phaseSlider.value)));
  root.addEventListener("keydown", (event) => onKey(player, event));
  root.addEventListener("pointerdown", ({ target }) => {
    if (!toolbar.element.contains(target)) toolbar.flip("menu", false);
  });
  root.addEventListener("click", (event) => click(player, event));
  root.addEventListener("pointerover", ({ target }) => player.hover(nodeAt(target))); // of cards and rows
  root.addEventListener("pointerleave", () => player.hover(undefined));
  stage.addEventListener("focusin", ({ target }) => {
    if (nodeAt(target) !== undefined) picture.rove(nodeAt(target));
  });
  stage.addEventListener("wheel", (event) => zoom(player, event), { passive: false });
  const observer = new ResizeObserver(() => player.resize());
  for (const part of [root, stage]) observer.observe(part);
  addEventListener("resize", () => player.resize(), { signal: player.left.signal });
}

/**
 * The same act at once, and while a frame is under way once more at its end, however often it is
 * asked for: a hand moves faster than a large tree is painted, and the browser would answer its moves
 * first and show no frame for seconds.
 */
function oncePerFrame(act) {
  let isUnderWay = false;
  let isAskedAgain = false;
  const start = () => {
    isUnderWay = true;
    isAskedAgain = false;
    act();
    requestAnimationFrame(() => {
      isUnderWay = false;
      if (isAskedAgain) start();
    });
  };
  return () => {
    if (isUnderWay) isAskedAgain = true;
    else start();
  };
}

/** A card or a row is explained; in the picture what was clicked becomes the top as well. */
function click(player, event) {
  const { picture, screen } = player;
  const inPicture = picture.element.contains(event.target);
  const ribbon = inPicture ? picture.nodeAt(...screen.inStage(event)) : undefined;
  const node = nodeAt(event.target) ?? ribbon;
  if (node === undefined) return;
  // of two films a first click says which move, also in the other one
  if (inPicture && (!player.isPaired || node === player.focus)) player.enter(node);
  else if (inPicture) player.choose(node);
  else if (!screen.stage.contains(event.target)) player.choose(node);
}

/** Pinch, or the wheel with Ctrl: a plain wheel scrolls the notebook. */
function zoom(player, event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  const [x] = player.screen.inStage(event);
  player.picture.zoomAt(x, WHEEL ** -event.deltaY);
  player.repaint();
}
