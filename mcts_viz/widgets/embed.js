// An exported film on a page of someone else: its address says where it opens and how far it plays,
// such as film.html#at=120.select&end=140&view=tree&autoplay, and one line shows it there.

import { wantsNoMotion } from "./elements.js";
import { CopyPanel } from "./tools.js";

const HEIGHT = 560; // pixels that the pasted line asks for; 480 are enough

/** Open a player, or a pair, as an address says, else at `moment`; what it does not know is left out. */
export function openAt(shown, text, { phases }, moment) {
  const said = new URLSearchParams(text);
  const [, iteration, phase] = /^([0-9]{1,9})(?:\.([a-z_]{1,20}))?$/.exec(said.get("at")) ?? [];
  if (["tree", "walk"].includes(said.get("view"))) shown.setView?.(said.get("view"));
  shown.goTo(...(iteration ? [Number(iteration), Math.max(0, phases.indexOf(phase))] : moment));
  const { playback } = shown;
  if (!playback) return;
  playback.bound(/^[0-9]{1,9}$/.test(said.get("end")) ? Number(said.get("end")) : undefined);
  if (said.has("autoplay") && !wantsNoMotion()) playback.toggle(true);
}

/** The line that shows this film, at this moment, on another page. */
export function embedPanel({ facts: { address, phases, title } }) {
  const name = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return new CopyPanel("Embed", "Line for a web page", {
    lineOf: ({ iteration, phase }) => `<iframe src="${address}#at=${iteration}.${phases[phase]}" `
      + `title="${name}" width="100%" height="${HEIGHT}" style="border: 0"></iframe>`,
    hint: "For a web page or a slide, next to the film's file. "
      + "Add &end=140 to stop there, &view=tree or &autoplay.",
    copied: "The line is copied: paste it into a web page or a slide, next to the film's file.",
  });
}
