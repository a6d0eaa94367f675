// The widgets of a notebook: a film, or two side by side. Where they stand is shared with Python, and
// set by Python.

import { element, keepKeys } from "./picture/elements.js";
import { ModelSync, hear, initialize } from "./data/kernel.js";
import { mountPair } from "./view/pair.js";
import { mount } from "./view/open.js";

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

/** What a widget renders with: `open({ model, el })` fills the element, and returns how to leave it. */
export const rendering = (open) => async ({ model, el }) => {
  keepKeys(el);
  const asked = navigator.userActivation?.isActive; // somebody has just run the cell
  let leave;
  try {
    leave = await open({ model, el });
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
};

export const render = rendering(renderFilms);

export default { initialize, render };
