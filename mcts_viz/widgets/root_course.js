// The root's moves over time, as two pictures: how the visits were shared among them, and how each
// fared. A unit across is an iteration that is shown.

import { svgElement } from "./elements.js";

const POINTS = 240; // iterations that are looked at; nobody could see more on a screen
const HIGH = 95; // units
const DASHES = ["none", "7 3", "2 2.5", "9 3 2 3", "4 2"]; // by move

/** Indices of the film, evenly spaced, the first and the last among them. */
function places({ iterations }) {
  const count = Math.min(iterations, POINTS);
  const gap = (iterations - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, place) => 1 + Math.round(place * gap));
}

/** A path through those points that are known; `parts` of the height are counted from the top. */
function line(across, parts) {
  const points = across.map((x, place) => `${x} ${Math.round(HIGH * parts[place])}`);
  const known = points.filter((_, place) => Number.isFinite(parts[place]));
  return known.length ? `M${known.join("L")}` : "";
}

const pictureOf = ({ iterations }, paths) => svgElement("svg",
  { viewBox: `1 0 ${Math.max(1, iterations - 1)} ${HIGH}`, preserveAspectRatio: "none" }, ...paths);

/** The shares: each area hangs from the top, and the next covers its upper part, the largest last. */
export function sharesPicture(film) {
  const { below, facts } = film;
  const across = places(facts);
  const area = (look, parts) => svgElement("path",
    { class: `area ${look}`, d: `${line(across, parts)}H${Math.max(2, facts.iterations)}V0H1Z` });
  const tops = across.map((index) => {
    let top = 0;
    return film.topShares(film.iterationAt(index)).map((share) => (top += share));
  });
  const named = facts.top_moves.map((node, place) =>
    area(film.moveColour(node), tops.map((row) => row[place])));
  const others = below[0].length > named.length && area("others", across.map(() => 1));
  return pictureOf(facts, [others, ...named.toReversed()]);
}

/** The mean rewards, each for the player to move at the root, from the first visit on. */
export function ratesPicture(film) {
  const { facts } = film;
  const [low, high] = facts.reward_range;
  const across = places(facts);
  const paths = facts.top_moves.map((node, place) => {
    const sums = across.map((index) => film.statistics(node, film.iterationAt(index)));
    const d = line(across, sums.map(({ visits, wins }) => 1 - (wins / visits - low) / (high - low)));
    const look = `rate ${film.moveColour(node)}`;
    return svgElement("path", { class: look, d, "stroke-dasharray": DASHES[place] });
  });
  return pictureOf(facts, paths);
}
