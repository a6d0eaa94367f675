// From one layout to the next: what is in both is between its two places.

// By kind of shape, what moves.
const MOVED = {
  bands: ["from", "to", "wide", "above", "below"],
  ends: ["x", "y", "wide"],
  fans: ["from", "wide", "above", "left", "right"],
  spares: ["from", "wide", "above", "below", "left", "right"],
  cards: ["x", "y"],
};
const PLACE = ["x", "y", "spring", "left", "right", "wide"];
const RESULTS = 8; // more than there are

/**
 * The layout `next`, in which all that was there `before` is only `part` of the way; of none cards alone.
 * Of the places, of which there are thousands, those of the `walk` move: no other one is drawn.
 */
export function blended(before, next, part, walk) {
  const river = {
    ...next,
    rows: next.rows.map((y, depth) => between(before.rows[depth] ?? y, y, part)),
    places: new Map(next.places),
  };
  const keyOf = ({ node, result = 0 }) => node * RESULTS + result;
  for (const kind of part ? Object.keys(MOVED) : ["cards"]) {
    const known = new Map(before[kind].map((shape) => [keyOf(shape), shape]));
    river[kind] = next[kind].map((shape) => blend(known.get(keyOf(shape)), shape, part, MOVED[kind]));
  }
  for (const node of walk.filter((one) => next.places.has(one)))
    river.places.set(node, blend(before.places.get(node), next.places.get(node), part, PLACE));
  return river;
}

function blend(from, to, part, moved) {
  if (!from) return to;
  const shape = { ...to };
  for (const name of moved) shape[name] = between(from[name], to[name], part);
  return shape;
}

const between = (from, to, part) => from + (to - from) * part;
