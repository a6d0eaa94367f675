// The player in a notebook: where it stands is shared with Python, and set by Python.

import { element, keepKeys } from "./panels.js";
import { mount } from "./player.js";

const REST = 200; // milliseconds without a move before the kernel is told

async function render({ model, el }) {
  keepKeys(el);
  let rest;
  let player;
  const tellPage = (iteration, phase) => {
    model.set({ iteration, phase }); // at once for other widgets on the page
    clearTimeout(rest);
    rest = setTimeout(tellKernel, REST);
  };
  const tellKernel = () => {
    // The model sends all that was set since it last did, even what Python has changed after it.
    // So the place is set afresh, quietly.
    const phase = player.film.facts.phases[player.phase];
    model.set({ iteration: 0, phase: "" }, { silent: true });
    model.set({ iteration: player.number, phase }, { silent: true });
    model.save_changes();
  };
  const show = async () => {
    try {
      player?.leave();
      player = await mount(el, model.get("facts"), model.get("columns"), tellPage, model);
      enlarge();
      player.onLarge = (large) => {
        model.set({ large });
        model.save_changes();
      };
      follow();
      onError();
    } catch (error) {
      el.replaceChildren(element("p", { role: "alert" }, `The film cannot be shown in this browser (${error.message}). The picture in the notebook file still can.`));
    }
  };
  const follow = () => {
    if (!player) return; // still unpacking the film
    const iteration = model.get("iteration");
    const phase = player.film.facts.phases.indexOf(model.get("phase"));
    const painted = player.element.dataset.iteration;
    if (painted && iteration === player.number && phase === player.phase) return;
    player.goTo(iteration, phase, true);
    // A linked widget may lead out of the film; Python need not hear of it.
    model.set({ iteration: player.number }, { silent: true });
  };
  const onError = () => player?.say(model.get("error"));
  const enlarge = () => player?.setLarge(model.get("large"));
  model.on("change:iteration change:phase", follow);
  model.on("change:columns", show);
  model.on("change:error", onError);
  model.on("change:large", enlarge);
  await show();
  return () => {
    player?.leave();
    clearTimeout(rest);
    model.off("change:iteration change:phase", follow);
    model.off("change:columns", show);
    model.off("change:error", onError);
    model.off("change:large", enlarge);
  };
}

export default { render };
