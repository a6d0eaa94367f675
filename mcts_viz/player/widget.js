// The widgets of a notebook: a film, or two side by side. Their moment is shared with Python, and
// set by Python.

import { element, keepKeys } from "./picture/elements.js";
import { ModelSync, hear, initialize } from "./data/kernel.js";
import { mountPair } from "./view/pair.js";
import { mount, openAt } from "./view/open.js";

/** Put a player, or two side by side, into `host`; `told(iteration, phase)` receives each moment. */
export const mountFilms = (host, films, told, { model, ...more } = {}) =>
  films.length > 1
    ? mountPair(host, films, mount, { ...more, told })
    : mount(host, films[0].facts, films[0].columns, told, { model });

/** Put films into `host` of a page without a kernel, opened as `text` says (see openAt), else at `moment`. */
export async function showAlone(host, { films, moment, ...more }, text) {
  const bytes = (columns) => Uint8Array.from(atob(columns), (letter) => letter.charCodeAt(0));
  const unpacked = films.map(({ facts, columns }) => ({ facts, columns: bytes(columns) }));
  const shown = await mountFilms(host, unpacked, () => {}, more);
  openAt(shown, text, shown.film.facts, moment);
  return shown;
}

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

/**
 * What a widget renders with: `open({ model, el })` fills the element, and returns how to leave it. The
 * output of a cell that was just run is scrolled into view; a page is not.
 */
export const rendering = (open, isCell = true) => async ({ model, el }) => {
  keepKeys(el);
  const asked = isCell && navigator.userActivation?.isActive; // the reader has just run the cell
  let leave;
  try {
    leave = await open({ model, el });
    if (asked) requestAnimationFrame(() => el.scrollIntoView({ block: "nearest" }));
  } catch (error) {
    const still = isCell ? " The picture in the notebook file still can." : "";
    const said = `The film cannot be shown in this browser (${error.message}).${still}`;
    el.replaceChildren(element("p", { role: "alert" }, said));
  }
  return () => {
    leave?.();
    el.replaceChildren(); // else the page keeps what a cell showed before it ran again
  };
};

export const render = rendering(renderFilms);

/**
 * What shows `films` in a page of MyST: within a shadow root, which the style sheets of the page do not
 * reach, so `style` comes along, and a class says when the page is dark. Its model can keep nothing.
 */
export const embedded = (films, style) =>
  rendering(async ({ model, el }) => {
    const host = element("div");
    el.append(element("style", {}, style), host);
    const { classList } = document.documentElement;
    const shade = () => host.classList.toggle("dark", classList.contains("dark"));
    const watch = new MutationObserver(shade);
    watch.observe(document.documentElement, { attributeFilter: ["class"] });
    shade();
    const shown = await showAlone(host, films, model.get("open"));
    return () => {
      watch.disconnect();
      shown.leave();
    };
  }, false);

export default { initialize, render };
