// Films are opened: from data to a player on the page, at the moment that an address names.

import { unpack } from "../data/columns.js";
import { MinimaxFilm } from "../data/minimax_film.js";
import { Film } from "../data/search_film.js";
import { wantsNoMotion } from "../picture/elements.js";
import { Player } from "./player.js";
import { WhatIf } from "./what_if.js";

const KINDS = { mcts: Film, minimax: MinimaxFilm };

/** The film that these data hold. */
export async function openFilm(facts, packed) {
  return new KINDS[facts.kind](facts, await unpack(facts, packed));
}

/** Put a player into `host`. With a `model` Python can search on from its film. */
export async function mount(host, facts, packed, onMove, { model } = {}) {
  const film = await openFilm(facts, packed);
  const whatIf = model && facts.what_if && new WhatIf(film, model, mount);
  const player = new Player(film, onMove, whatIf, facts.options);
  host.replaceChildren(player.element, whatIf?.host ?? "");
  player.resize();
  return player;
}

/**
 * Open a player, or a pair, as an address says, such as "at=120.select&view=walk&autoplay&end=140",
 * else at `moment`; what it does not know is left out.
 */
export function openAt(shown, text, { phases }, moment) {
  const said = new URLSearchParams(text);
  const view = said.get("view");
  if (view === "river" || view === "walk") shown.setView?.(view);
  shown.goTo(...(momentIn(said.get("at"), phases) ?? moment));
  if (said.has("autoplay") && !wantsNoMotion())
    shown.playback?.toggle(true, Number(said.get("end") ?? NaN)); // NaN: to the film's end
}

/** The iteration and the phase's number that "120.select" names, the first phase for "120". */
function momentIn(text, phases) {
  const found = /^([0-9]{1,9})(?:\.([a-z_]{1,20}))?$/.exec(text);
  return found && [Number(found[1]), Math.max(0, phases.indexOf(found[2]))];
}
