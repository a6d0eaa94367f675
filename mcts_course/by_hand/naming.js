// Which mistake was made: each function gives the name of a mistake, or nothing if there is none. The
// sentences are in mistakes.json. A name is given only where its sentence is true.

const isOnly = (values, value) => values.filter((other) => other === value).length === 1;

/** Of a child that does not score highest: how it looks best to a reader who chooses it. */
export function wrongChild(tree, child, rootPlayer) {
  const parent = tree.nodes[child].parent;
  const rivals = tree.children[parent];
  const means = rivals.map((node) => tree.mean(node));
  const visits = rivals.map((node) => tree.visits[node]);
  const [best] = tree.best(parent);
  const mean = tree.mean(child);
  const count = tree.visits[child];
  const hasMost = count === Math.max(...visits) && count > tree.visits[best];
  const isHighest = mean === Math.max(...means); // then the best one was tried less, or it would not be best
  if (isHighest && hasMost && isOnly(visits, count)) return "both";
  if (isHighest) return "highest_mean";
  if (hasMost && isOnly(visits, count)) return "most_visits";
  if (count === Math.min(...visits) && count < tree.visits[best]) return "fewest_visits";
  if (mean === Math.min(...means)) {
    return tree.nodes[parent].to_move === rootPlayer ? "lowest_mean" : "lowest_mean_opponent";
  }
  return "another_higher";
}

/** Of a move without a card that was clicked while the walk's end was to be chosen. */
export function wrongGhost(tree, { parent, place }, here) {
  return parent === here && tree.untried(here).includes(place) ? "" : "ghost_elsewhere";
}

/** Of a card that was clicked in Select. */
export function wrongCard(tree, node, here, rootPlayer) {
  if (node === here) return tree.nodes[here].over ? "" : "current_card";
  if (tree.nodes[node].parent !== here) return "jump";
  if (tree.untried(here).length) return "untried_left";
  return tree.best(here).includes(node) ? "" : wrongChild(tree, node, rootPlayer);
}

/**
 * Of rewards on the path, by node, as they are checked with Count: `name`, and the `node` whose card says
 * it. The end of the path is where the iteration ended.
 */
export function wrongRewards(tree, path, given) {
  const end = path.at(-1);
  const right = (node) => tree.gain(node, end);
  return missingReward(tree, path, given, right) ?? wrongPattern(tree, path, given, right);
}

/** The name of the mistake if cards of the path were `given` no reward; `right` says a card's own. */
function missingReward({ visits }, path, given, right) {
  const missing = path.filter((node) => given.get(node) === undefined);
  if (!missing.length) return undefined;
  const end = path.at(-1);
  const allLost = missing.every((node) => right(node) === 0) && missing.length < path.length;
  const losers = path.filter((node) => right(node) === 0);
  if (allLost && missing.length === losers.length) return { name: "losers_skipped", node: missing[0] };
  if (missing.includes(0)) return { name: "root_forgotten", node: 0 };
  if (missing.includes(end) && !visits[end]) return { name: "new_card_forgotten", node: end };
  return { name: "one_missing", node: missing[0] };
}

function wrongPattern(tree, path, given, right) {
  const end = path.at(-1);
  const wrong = path.filter((node) => given.get(node) !== right(node)).toReversed(); // from the end up
  if (!wrong.length) return undefined;
  const values = path.map((node) => given.get(node));
  const areSame = values.every((value) => value === values[0]);
  if (path.every((node) => right(node) === 0.5)) {
    if (areSame) return { name: values[0] ? "draw_won" : "draw_lost", node: end };
  } else if (areSame && path.length > 1) {
    return { name: "same_for_all", node: wrong[0] };
  } else if (path.every((node) => given.get(node) === 1 - right(node))) {
    return { name: "swapped", node: end };
  }
  if (wrong.length === 1) return { name: wrong[0] ? "one_wrong" : "root_wrong", node: wrong[0] };
  return { name: "some_wrong", node: wrong[0], count: wrong.length };
}

const NEAR = 0.0101; // a term is typed with two decimals, rounded either way

/** Of a number typed for c · √(ln N / n). */
export function wrongTerm(typed, { c, N, n }) {
  const near = (value) => Math.abs(typed - value) <= NEAR;
  if (near(c * Math.sqrt(Math.log(N) / n))) return "";
  if (near(Math.sqrt(Math.log(N) / n))) return "typed_no_c";
  if (near((c * Math.log(N)) / n)) return "typed_no_root";
  if (near(c * Math.sqrt(Math.log10(N) / n))) return "typed_log10";
  if (near(c * Math.sqrt(Math.log(n) / N))) return "typed_swapped";
  return "typed_other";
}
