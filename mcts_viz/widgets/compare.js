// Two films side by side in a notebook.

import { Moment, initialize } from "./moment.js";
import { keepKeys } from "./panels.js";
import { mountPair } from "./pair.js";
import { mount } from "./player.js";

async function renderPair({ model, el }) {
  keepKeys(el);
  const films = ["first", "second"].map((name) => ({ facts: model.get(`${name}_facts`), columns: model.get(`${name}_columns`) }));
  const pair = await mountPair(el, films, mount, { note: model.get("note"), differ: model.get("differ"), told: (...place) => moment.tell(...place) });
  const moment = new Moment(model, (iteration, phase) => {
    pair.goTo(iteration, pair.lead.film.facts.phases.indexOf(phase), true);
    return [Math.max(...pair.players.map(({ number }) => number)), phase];
  });
  const handlers = {
    "change:error": () => pair.lead.say(model.get("error")),
    "change:large": () => pair.setLarge(model.get("large")),
  };
  for (const [event, handler] of Object.entries(handlers)) {
    model.on(event, handler);
    handler();
  }
  pair.lead.onLarge = (large) => {
    pair.setLarge(large);
    moment.save({ large });
  };
  moment.follow();
  return () => {
    moment.leave();
    pair.players.forEach((player) => player.leave());
    for (const [event, handler] of Object.entries(handlers)) model.off(event, handler);
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { initialize, render: renderPair };
