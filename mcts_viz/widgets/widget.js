// The player in a notebook: where it stands is shared with Python, and set by Python.

import { Moment, initialize } from "./moment.js";
import { element, keepKeys } from "./panels.js";
import { mount } from "./player.js";

async function render({ model, el }) {
  keepKeys(el);
  let player;
  const goTo = (iteration, phase) => {
    const { phases } = player.film.facts;
    player.goTo(iteration, phases.indexOf(phase), true);
    return [player.number, phases[player.phase]];
  };
  let moment;
  const show = async () => {
    try {
      moment?.leave();
      player?.leave();
      player = await mount(el, model.get("facts"), model.get("columns"), (...place) => moment.tell(...place), model);
      enlarge();
      player.onLarge = (large) => {
        moment.save({ large });
      };
      moment = new Moment(model, goTo);
      moment.follow();
      onError();
    } catch (error) {
      el.replaceChildren(element("p", { role: "alert" }, `The film cannot be shown in this browser (${error.message}). The picture in the notebook file still can.`));
    }
  };
  const onError = () => player?.say(model.get("error"));
  const enlarge = () => player?.setLarge(model.get("large"));
  model.on("change:columns", show);
  model.on("change:error", onError);
  model.on("change:large", enlarge);
  await show();
  return () => {
    moment?.leave();
    player?.leave();
    model.off("change:columns", show);
    model.off("change:error", onError);
    model.off("change:large", enlarge);
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { initialize, render };
