// From one layout to the next: what is in both is between its two places.

const LISTS = { bands: 8, ends: 8, fans: 1, spares: 1, cards: 1 }; // what tells the results of a node apart

/** The layout `next`, in which all that was there `before` is only `part` of the way; of none cards alone. */
export function blended(before, next, part) {
  const river = {
    ...next,
    rows: next.rows.map((y, depth) => between(before.rows[depth] ?? y, y, part)),
  };
  for (const [name, results] of Object.entries(part ? LISTS : { cards: 1 })) {
    const keyOf = ({ node, result = 0 }) => node * results + (results > 1 ? result : 0);
    const known = new Map(before[name].map((shape) => [keyOf(shape), shape]));
    river[name] = next[name].map((shape) => blend(known.get(keyOf(shape)), shape, part));
  }
  river.places = new Map(
    Array.from(next.places, ([node, place]) => [node, blend(before.places.get(node), place, part)]),
  );
  return river;
}

const MOVED = ["x", "y", "from", "to", "wide", "above", "below", "left", "right", "spring"];

function blend(from, to, part) {
  if (!from) return to;
  const shape = { ...to };
  for (const name of MOVED) {
    if (to[name] !== undefined && from[name] !== undefined)
      shape[name] = between(from[name], to[name], part);
  }
  return shape;
}

const between = (from, to, part) => from + (to - from) * part;
