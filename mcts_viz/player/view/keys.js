// What the keys of a player do.

import { nodeAt } from "../picture/elements.js";

/** By key: what it does wherever the focus is: of the tools, the speed, and a digit for each phase. */
export function keysOf(player) {
  const { film, playback, toolbar } = player;
  const phases = film.facts.phases.map((_, phase) => [phase + 1, () => player.toPhase(phase)]);
  return { ...toolbar.keys, s: () => playback.faster(), ...Object.fromEntries(phases) };
}

/** Do what a key asks of a player; a key that means nothing here is left to the page. */
export function onKey(player, event) {
  const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event;
  const isForm = target.matches("select, input:not([type=range])"); // which has keys of its own
  if (altKey || metaKey || (ctrlKey && key.length === 1) || (isForm && key !== "Escape")) return;
  const act = actOf(player, key, target, ctrlKey || shiftKey);
  if (!act || (act() === false && key === "Escape")) return; // it may mean something to the page
  event.preventDefault();
  event.stopPropagation();
}

function actOf(player, key, target, whole) {
  const { picture, screen } = player;
  const { iterations, phases } = player.film.facts;
  const node = whole ? undefined : nodeAt(target);
  const isPhase = target === screen.phaseSlider;
  const go = (way) => () => {
    if (whole) return player.stepIteration(way);
    return isPhase ? player.stepPhase(way) : player.step(way);
  };
  const choose = node === undefined ? undefined : () => player.enter(node);
  const beside = (way) => (target.type === "range" ? undefined : () => picture.beside(way));
  return (
    {
      ArrowRight: go(1),
      ArrowLeft: go(-1),
      ArrowDown: beside(1),
      ArrowUp: beside(-1),
      Home: isPhase ? undefined : () => player.go(1, 0), // of the phases the slider's own
      End: isPhase ? undefined : () => player.go(iterations, phases.length - 1),
      Escape: () => player.back(),
      Enter: choose,
      " ": choose ?? (target.matches("button") ? undefined : () => player.playback.toggle()),
    }[key] ?? player.keys[key]
  );
}
