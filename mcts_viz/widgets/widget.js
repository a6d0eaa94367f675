// The widgets of a notebook: a film, two side by side, or a game to play. Where they stand is shared
// with Python, and set by Python.

import { element, keepKeys } from "./picture/elements.js";
import { ModelSync, hear, initialize } from "./data/kernel.js";
import { mountPair } from "./player/pair.js";
import { renderPlay } from "./play/play.js";
import { mount } from "./player/open.js";

/** Put a player, or two side by side, into `host`; `told(iteration, phase)` hears where they stand. */
export const mountFilms = (host, films, told, { model, ...more } = {}) =>
  films.length > 1
    ? mountPair(host, films, mount, { ...more, told })
    : mount(host, films[0].facts, films[0].columns, told, { model });

async function renderFilms({ model, el }) {
  const more = { model, note: model.get("note"), differ: model.get("differ") };
  const shown = await mountFilms(
    el,
    model.get("payloads"),
    (...place) => moment.tell(...place),
    more,
  );
  const { phases } = shown.film.facts;
  const moment = new ModelSync(model, (iteration, phase) =>
    shown.goTo(iteration, phases.indexOf(phase), true),
  );
  const deaf = hear(model, { error: () => shown.say(model.get("error")) });
  return () => {
    moment.leave();
    shown.leave();
    deaf();
  };
}

export async function render({ model, el }) {
  keepKeys(el);
  const asked = navigator.userActivation?.isActive; // somebody has just run the cell
  let leave;
  try {
    leave = await (model.get("position") ? renderPlay : renderFilms)({ model, el });
    if (asked) requestAnimationFrame(() => el.scrollIntoView({ block: "nearest" }));
  } catch (error) {
    el.replaceChildren(
      element(
        "p",
        { role: "alert" },
        `The film cannot be shown in this browser ` +
          `(${error.message}). The picture in the notebook file still can.`,
      ),
    );
  }
  return () => {
    leave?.();
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
}

export default { initialize, render };
