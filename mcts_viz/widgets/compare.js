// Two films side by side: whoever is moved takes the other along.

import { Moment, initialize } from "./moment.js";
import { element, keepKeys } from "./panels.js";
import { mount } from "./player.js";

/** Put two films into `host`; `told(iteration, phase)` hears where both stand. Resolves to a pair. */
export async function mountPair(host, films, note, differ, told) {
  const hosts = films.map(() => element("div", { class: "side" }));
  const players = [];
  const follow = (leader) => (iteration, phase) => {
    const follower = players[1 - leader];
    follower.hurried = true; // the reader looks at both trees first; its tables come a moment later
    follower.goTo(iteration, follower.film.facts.phases.indexOf(phase), true);
    follower.hurried = false;
    told(iteration, phase);
  };
  for (const [side, { facts, columns }] of films.entries()) {
    players.push(await mount(hosts[side], facts, columns, follow(side)));
    players[side].onLarge = (large) => players[1 - side]?.setLarge(large);
  }
  const words = element("p", { class: "difference" }, note);
  if (differ) {
    const button = element("button", { type: "button" }, `Go to iteration ${differ}`);
    button.addEventListener("click", () => players[0].goTo(differ, 0));
    words.append(" ", button);
  }
  host.classList.add("mcts-compare");
  host.replaceChildren(words, element("div", { class: "sides" }, ...hosts));
  return players;
}

async function renderPair({ model, el }) {
  keepKeys(el);
  const films = ["first", "second"].map((name) => ({ facts: model.get(`${name}_facts`), columns: model.get(`${name}_columns`) }));
  const players = await mountPair(el, films, model.get("note"), model.get("differ"), (...place) => moment.tell(...place));
  const moment = new Moment(model, (iteration, phase) => {
    for (const player of players) player.goTo(iteration, player.film.facts.phases.indexOf(phase), true);
    return [Math.max(...players.map(({ number }) => number)), phase];
  });
  const say = () => players[0].say(model.get("error"));
  const enlarge = () => players.forEach((player) => player.setLarge(model.get("large")));
  for (const player of players) {
    const { onLarge } = player;
    player.onLarge = (large) => {
      onLarge(large);
      moment.save({ large });
    };
  }
  model.on("change:error", say);
  model.on("change:large", enlarge);
  enlarge();
  moment.follow();
  say();
  return () => {
    moment.leave();
    players.forEach((player) => player.pause());
    model.off("change:error", say);
    model.off("change:large", enlarge);
  };
}

export default { initialize, render: renderPair };
