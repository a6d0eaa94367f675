"""What is wrong with a watched search, and what is worth knowing about it.

Each function below asks one question of all iterations; a habit that ``SAID`` has a sentence for
is a finding, at the iteration and the node that prove it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import inf, sqrt
from random import Random
from typing import Any, Final

import numpy as np

from ..games import TicTacToe
from ..search import random_playout
from ..trace.trace import Finding
from .rules import ENOUGH, NEARLY, WITHIN, mean, read_rule, terms, ucb
from .steps import ANALYSED, History, Step
from .tree import Tree, cells_of

SAID: Final = {
    "root-left-out": "The root's visits do not grow: count it too, when you go back up the path.",
    "root-counted-twice": "The root's visits grow by two in each iteration and those of the other "
    "nodes by one: count it once.",
    "leaf-left-out": "A new node gets no visit for its own playout: start backpropagation at the "
    "new node, not at its parent.",
    "leaf-counted-twice": "The last node of the path gets two visits and the others one: is it "
    "counted in the playout and again on the way up?",
    "path-counted-twice": "Each node of the path gets two visits in each iteration: is "
    "backpropagation called twice?",
    "winners-only": "Only the nodes of the winner get a visit: every node of the path must get "
    "one, whoever won.",
    "path-left-out": "The nodes between the root and the last node get no visit: go up one parent "
    "at a time.",
    "level-skipped": "The way back up skips a level: this node is on the path and gets no visit.",
    "visits-do-not-add-up": "This node got {:g} visits, and its children {:g} together: each visit "
    "of a child must be one of its parent too.",
    "same-reward": "The nodes of both players get the same reward, in {} of {} iterations, and "
    "both players prefer large ones: turn the reward round for the other player.",
    "same-reward?": "All nodes of a path get the same reward, as is right for one player. With "
    "two, the reward must be turned round at each level.",
    "turned-twice": "Rewards are turned round twice: each node gets the reward of its own player, "
    "and selection then turns it round for one of them again.",
    "wrong-viewpoint": "Backpropagation and selection speak for different players: the search "
    "follows the moves that are good for the opponent.",
    "viewpoint-unknown": "Whether rewards go to the right player cannot be known without the "
    "rules: give game=…, or look at a finished game in the tree.",
    "draw-as-loss": "In some iterations the nodes of both players get the reward of a loss: are "
    "draws counted as losses?",
    "no-draw": "No draw was seen.",
    "same-result": "Every iteration gives the same rewards: does the playout look at who has won?",
    "no-playout": "New nodes get the reward {:g} in {} of {} iterations: is a playout played from "
    "them?",
    "wrong-result": "This position is a {} for the player who moved there, and the node gets the "
    "reward {:g}; rewards go from {:g} to {:g}.",
    "state-changed": "The position of this node has changed: play the playout on a copy of it.",
    "duplicate-move": "Two children of a node have the same move, {!r}, so another one stays "
    "untried: take a move off the list when you try it.",
    "nodes-replaced": "The program puts new nodes in the place of old ones, and the film shows "
    "both.",
    "after-the-end": "The game is over in the position above this node: a terminal position gets "
    "no children.",
    "illegal-move": "The move {!r} is not legal there.",
    "missing-move": "The legal move {} is never tried here, in {:g} visits.",
    "player-not-changed": "The same player makes every move: change the player when a move is "
    "played.",
    "moves-unread": "The moves of this program, such as {!r}, are not those of {}: give move=…, a "
    "function of a node.",
    "unvisited-passed-over": "A child without a visit is passed over while its siblings get more: "
    "visit each child once before you compare.",
    "chooses-the-worst": "The child with the lowest score is chosen: take max, not min.",
    "bonus-subtracted": "The exploration term is subtracted: a child that was visited often gets "
    "a larger score than one that was not. Add it.",
    "tie-order": "Of children with equal scores the search takes {}.",
    "never-explores": "c is 0: the search always follows the best mean, so one unlucky playout "
    "can hide a good move for ever.",
    "never-exploits": "Rewards do not matter: the child with the fewest visits is always chosen.",
    "ignores-numbers": "The child is chosen without regard to wins and visits: is it picked at "
    "random?",
    "all-children-at-once": "Expansion adds all children of a node at once.",
    "shared-children": "Some nodes have several parents; the film shows each below its first one.",
    "root-left-behind": "From iteration {} on the root gets no visit: if the search goes on from "
    "another root, make a new Watch(root) for that one.",
    "new-search": "Another search began here after {} iterations; the film shows the last one.",
}
"""The sentences, by the finding's name; that of a rule with a fault names the rule."""


def said(name: str, time: int, node: int, *values: Any) -> Finding:
    """The finding with its sentence."""
    return Finding(name, SAID[name].format(*values), int(time), int(node))


def note(name: str, time: int, node: int, *values: Any) -> Finding:
    """The same as a note: no fault, or only suspected."""
    return said(name, time, node, *values)._replace(name=name.rstrip("?"), fault=False)


class Replay:
    """What a watched search did: its iterations, its choices among siblings, and its rule."""

    def __init__(self, tree: Tree, changed: tuple[int, int] | None) -> None:
        self.tree, self.looker, self.changed = tree, tree.looker, changed
        self.chooser = tree.chooser
        self.history = History(tree.looker)
        self.steps = self.history.steps()
        """Iterations with a single path."""
        time, node, grown, _ = self.history.columns
        self.last_of_root = int(time[(node == 0) & (grown > 0)].max(initial=0))
        """The last iteration in which the root got a visit."""
        self.turned = self.same = self.alternates = False
        rewards = [won for step in self.steps for _, won in step.counted()]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        self.siblings = self.history.siblings(np.array(self.chooser), tree.priors)
        self.rule = read_rule(self.siblings, self.low, self.high)
        self.grown = np.bincount(node, grown, len(self.chooser)).tolist()
        """By node: the visits that it got."""
        self.n = (self.history.first[0] + self.grown).tolist()

    def sign(self, node: int) -> int:
        """1 if whoever chooses this node prefers large means."""
        return self.rule.signs[self.chooser[node] % len(self.rule.signs)]

    def suspect(self, name: str, step: Step, *values: Any) -> Finding:
        """A note; a finding if random games by the rules end in different ways."""
        game, states, random = self.tree.game, self.tree.positions, Random(1)
        if states:
            ends = {random_playout(game, states[0], random).returns for _ in range(30)}  # type: ignore[arg-type]
            if len(ends) > 1:
                return said(name, *step.proof, *values)
        return note(name, *step.proof, *values)


def usual(values: Iterable[Any], least: int = ENOUGH) -> Any:
    """The value that nearly all of enough have, ``None`` if there is none."""
    counts = Counter(values)
    value, often = counts.most_common(1)[0] if counts else (None, 0)
    return value if often >= max(least, NEARLY * counts.total()) else None


def counting(r: Replay) -> Iterator[Finding]:
    """How often root, last node and those between are counted, as the usual node is once."""
    steps, looker = [step for step in r.steps if len(step.path) > 1], r.looker
    if len(steps) < ENOUGH:
        return
    inner = Counter(v for step in steps for v in step.visits[1:-1] if v)
    unit = (inner or Counter(step.visits[-1] for step in steps)).most_common(1)[0][0]
    root = usual(step.visits[0] for step in steps)
    by_sum = not r.n[0] or looker.names["visits"].endswith("[move]")
    if not r.last_of_root and not by_sum:
        yield said("root-left-out", steps[0].time, 0)
    elif root == 2 * unit and inner:
        yield said("root-counted-twice", steps[0].time, 0)
    again = [step.visits[-1] for step in steps if not step.is_new]
    leaf = usual(step.visits[-1] for step in steps)
    if inner and leaf == 2 * unit and (not again or usual(again, 1) == leaf):
        yield said("leaf-counted-twice", *next(s for s in steps if s.visits[-1] == leaf).proof)
    if unit == 2 and usual(frozenset(s.visits) for s in steps) == {2} and _is_one_result(steps):
        yield said("path-counted-twice", *steps[0].proof)
    born = Counter(at for at in looker.created_at if at)
    alone = [n for n, at in enumerate(looker.created_at) if born[at] == 1]
    visited = {(step.time, node) for step in r.steps for node, _ in step.counted()}
    late = [node for node in alone if (looker.created_at[node], node) not in visited]
    if len(alone) > 0.8 * len(born) > 8 and len(late) > NEARLY * len(alone):
        yield said("leaf-left-out", looker.created_at[late[0]], late[0])
        return
    long = [step for step in steps if len(step.path) > 2]
    gaps = [step for step in long if 0 in step.visits[1:-1]]
    if len(gaps) > max(ENOUGH, 0.3 * len(long)):
        counted = [won for step in long for _, won in step.counted()]
        name = (
            "winners-only"
            if min(counted, default=0) > 0
            else "level-skipped"
            if any(any(step.visits[1:-1]) for step in long)
            else "path-left-out"
        )
        yield said(name, gaps[0].time, gaps[0].path[gaps[0].visits.index(0, 1)])
    elif {root, leaf, *inner} <= {unit} and not looker.shared:
        grown = r.grown
        for node, kids in enumerate(looker.kids):
            below = sum(grown[kid] for kid in kids)
            if grown[node] and below > grown[node] + unit / 2:
                yield said("visits-do-not-add-up", steps[-1].time, node, grown[node], below)
                return


def _is_one_result(steps: list[Step]) -> bool:
    """True if two visits come with one result: of two, half of the largest is frequent."""
    early = [round(abs(step.wins[-1]), 6) for step in steps[:60]]
    between = sum(min(early) < value < max(early) for value in early)
    return len({*early}) <= 3 and between <= 0.3 * len(early)


def crediting(r: Replay) -> Iterator[Finding]:
    """For whom rewards are added on the way up, against for whom the search selects."""
    players, signs = r.tree.players, set(r.rule.signs)
    pairs: list[tuple[Step, float, float]] = []
    long = [step for step in r.steps if len(step.path) > 2]
    uneven = 0
    for step in long:
        got: dict[int, set[float]] = defaultdict(set)
        for node, reward in zip(step.path[1:], step.wins[1:], strict=True):
            got[r.chooser[node] if players > 2 else r.chooser[node] % 2].add(reward)
        if not all(step.visits[1:]):
            continue
        if any(len(rewards) > 1 for rewards in got.values()):
            uneven += 1
        elif len(got) > 1:
            pairs.append((step, *(min(got[player]) for player in sorted(got)[:2])))  # type: ignore[arg-type]
    if len(pairs) < max(ENOUGH, 0.5 * len(long), 20 * uneven) or r.low == r.high:
        return
    if len({pair[1:] for pair in pairs}) == 1:
        yield r.suspect("same-result", pairs[0][0])
        return
    same = [pair for pair in pairs if pair[1] == pair[2]]
    if len(same) >= 0.99 * len(pairs):
        r.same = len(signs) == 1
        best = next((step for step, *_ in same if step.wins[-1] == r.high), pairs[0][0])
        if r.same and players > 1 and not (r.tree.game and r.tree.player_stays):
            yield said("same-reward", *best.proof, len(same), len(pairs))
        elif r.same and players < 2:
            yield note("same-reward?", *best.proof)
        return
    r.alternates = players in (0, 2)
    if len(signs) == 2 and players < 3:
        yield said("turned-twice", *pairs[0][0].proof)._replace(name="wrong-viewpoint")
    lost = [step for step, a, b in pairs if a == b == r.low]
    won = sum({a, b} == {r.low, r.high} for _, a, b in pairs)
    if lost and won > len(lost) and players < 3:
        found = r.suspect("draw-as-loss", lost[0])
        mark = f"yours {r.low:g}, should be {(r.low + r.high) / 2:g}"
        yield found._replace(mark=mark) if found.fault else found
    elif won == len(pairs):
        yield note("no-draw", *pairs[0][0].proof)


def states(r: Replay) -> Iterator[Finding]:
    """Positions that change while the node stays the same."""
    filled: dict[Any, list[int]] = defaultdict(list)
    """By the sign of an empty cell and those of the pieces: nodes with several more of both."""
    for node in range(1, 0 if r.changed else min(200, len(r.looker.nodes))):
        before, after = (cells_of(r.tree.state(n)) for n in (r.looker.parent[node], node))
        put = [(a, b) for a, b in zip(before, after, strict=False) if a != b]
        blanks, kinds = {a for a, _ in put}, {b for _, b in put}
        if len(before) == len(after) and len(put) > 2 and (len(blanks), len(kinds)) == (1, 2):
            filled[frozenset(blanks), frozenset(kinds)].append(node)
    if len(filled) == 1 and len(nodes := next(iter(filled.values()))) >= 5:
        r.changed = r.looker.created_at[nodes[0]], nodes[0]
    if r.changed:
        yield said("state-changed", *r.changed)


def viewpoint(r: Replay) -> Iterator[Finding]:
    """Rewards against what positions are worth: they must speak for the player who is meant."""
    tree = r.tree
    game, places = (tree.game, tree.positions) if tree.positions else tree.likely_game or (None, [])
    if not r.rule.signs or r.same or r.changed or (game and len(game.players) != 2):
        return
    if game is None:
        if (tree.players == 2 or r.alternates) and not tree.game and r.low < r.high:
            yield note("viewpoint-unknown", 0, 0)
        return
    steps = [
        s for s in r.steps[:1000] if s.path[-1] and s.visits[-1] and places[s.path[-1]] is not None
    ]
    steps = steps[:400]
    movers = [game.to_move(places[r.looker.parent[step.path[-1]]]) for step in steps]
    got = [r.sign(step.path[-1]) * step.wins[-1] for step in steps]
    for playouts in (4, 24):  # more if it is not clear that all is well
        random, ends = Random(1), [places[step.path[-1]] for step in steps]
        worth = [
            sum(random_playout(game, end, random).returns[player] for _ in range(playouts))
            for end, player in zip(ends, movers, strict=True)
        ]
        if len(steps) < 100 or np.std(worth) == 0 or np.std(got) == 0:
            return
        against = -np.corrcoef(worth, got)[0, 1] * sqrt(len(steps))
        if against < -3.5:
            return
    if against > (2.5 if isinstance(game, TicTacToe) else 3.5):
        r.turned = True
        step = min(zip(steps, worth, got, strict=True), key=lambda row: row[2] - row[1])[0]
        yield said("wrong-viewpoint", *step.proof)


def duplicates(r: Replay) -> Iterator[Finding]:
    """Two children of a node with one move."""
    looker = r.looker
    for parent, kids in enumerate(looker.kids):
        seen: dict[str, int] = {}
        for kid in [kid for kid in kids if looker.parent[kid] == parent]:
            move = r.tree.move(kid)
            other = seen.setdefault(repr(move), kid)
            if other != kid:
                both = looker.is_still_child(kid) and looker.is_still_child(other)
                proof = looker.created_at[kid], kid
                yield (
                    said("duplicate-move", *proof, move) if both else note("nodes-replaced", *proof)
                )
                return


def rules_of_the_game(r: Replay) -> Iterator[Finding]:
    """Moves, players and results that the rules of the game do not allow."""
    tree, looker, game, places = r.tree, r.looker, r.tree.game, r.tree.positions
    if game is None:
        return
    if not places:
        yield note("moves-unread", 0, 1, tree.told_move(1), game.name)
        return
    lost = [
        n
        for n in range(1, len(places))
        if places[n] is None and places[looker.parent[n]] is not None
    ]
    for name, at_end in (("after-the-end", True), ("illegal-move", False)):
        for node in [n for n in lost if tree.is_over(looker.parent[n]) is at_end][:1]:
            yield said(name, looker.created_at[node], node, tree.told_move(node))
    for node, kids in enumerate(looker.kids):
        if kids and places[node] is not None and not tree.is_over(node):
            legal, tried = game.legal_actions(places[node]), {tree.actions[kid] for kid in kids}
            missing = [action for action in legal if action not in tried]
            if missing and r.n[node] > 10 + 3 * len(legal) ** 2:
                times = r.siblings.time[r.siblings.parent == node]
                label = game.action_label(places[node], missing[0])
                proof = times[0] if len(times) else looker.looks, node
                yield said("missing-move", *proof, label, r.n[node])
                break
    if len(game.players) > 1 and tree.player_stays:
        yield said("player-not-changed", looker.created_at[1], 1)
    low, high = r.low, r.high
    if low == high or len(game.players) != 2 or not r.rule.signs or r.turned or r.same:
        return
    for step in r.steps:
        end = step.path[-1]
        if places[end] is not None and tree.is_over(end) and step.visits[-1]:
            value = game.returns(places[end])[r.chooser[end]]
            best, worst = (high, low) if r.sign(end) > 0 else (low, high)
            fair, got = worst + (best - worst) * (1 + value) / 2, step.wins[-1]
            if abs(got - fair) >= 0.2 * (high - low):
                kind = "win" if value > 0 else "draw" if value == 0 else "loss"
                is_draw = not value and abs(got - worst) < 1e-6
                found = said("wrong-result", *step.proof, kind, got, low, high)
                found = found._replace(mark=f"yours {got:g}, should be {fair:g}")
                yield found._replace(name="draw-as-loss") if is_draw else found
                return


def selecting(r: Replay) -> Iterator[Finding]:
    """What is wrong with the choices."""
    s, rule, fit, span = r.siblings, r.rule, r.rule.fit, r.high - r.low or 1.0
    unread = rule.of >= ENOUGH and not rule.is_sure
    if len(r.history.passed) >= ENOUGH and not (
        r.history.tries_first or unread or "PUCT" in (rule.name or "")
    ):
        yield said("unvisited-passed-over", *r.history.passed[0])
    if fit is None or rule.of < ENOUGH:
        return
    proof = s.time[0], s.node[s.chosen[0]]
    if rule.is_sure:
        name = (
            fit.rule.fault
            or (fit.high < -0.05 * span and "bonus-subtracted" if max(fit.signs) > 0 else "")
            or (fit.high < -0.05 * span and "chooses-the-worst")
            or (-inf < fit.low <= 0 and fit.high < 0.05 * span and "never-explores")
            or (fit.low > 10 * span and fit.high == inf and "never-exploits")
        )
        if name in SAID:
            yield said(name, *proof)
        elif name:
            text = f"The search selects by {fit.rule.name}."
            yield Finding(name, text, int(proof[0]), int(proof[1]))
        value, bonus = (
            np.abs(x - np.repeat(x[s.chosen], s.sizes)) for x in terms(fit.rule, fit.signs, s)
        )
        level = np.flatnonzero((value < WITHIN) & (bonus < WITHIN))
        choice = np.repeat(np.arange(len(s)), s.sizes)[level]
        tied = np.bincount(choice, minlength=len(s)) > 1
        before = np.bincount(choice[level < s.chosen[choice]], minlength=len(s))[tied] > 0
        after = np.bincount(choice[level > s.chosen[choice]], minlength=len(s))[tied] > 0
        if tied.sum() >= ENOUGH:
            which = "one at random" if before.any() and after.any() else "the first"
            which = which if after.any() else "the last"
            at = int(np.flatnonzero(tied)[0])
            yield note("tie-order", s.time[at], s.node[s.chosen[at]], which)
    elif rule.of >= 100 and not rule.name:
        values = mean(s), -s.n, mean(s) + ucb(s)
        groups = [np.flatnonzero(s.player == player) for player in np.unique(s.player)]
        if all(s.rank(value, group) <= 4 for value in values for group in groups):
            yield said("ignores-numbers", *proof)


def growing(r: Replay) -> Iterator[Finding]:
    """What is odd in the way the tree grows, and in the rewards of new nodes."""
    looker = r.looker
    born: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node, at in enumerate(looker.created_at):
        if at:
            born[at, looker.parent[node]].append(node)
    several = [nodes[0] for nodes in born.values() if len(nodes) > 1]
    if len(several) > 0.5 * len(born):
        yield note("all-children-at-once", looker.created_at[several[0]], several[0])
    if looker.shared:
        yield note("shared-children", *looker.shared[0])
    if 0 < r.last_of_root < min(looker.looks, ANALYSED) - ENOUGH:
        yield note("root-left-behind", r.last_of_root, 0, r.last_of_root + 1)
    fresh = [
        step
        for step in r.steps
        if step.is_new and step.visits[-1] and not r.tree.is_over(step.path[-1])
    ]
    if len(fresh) > ENOUGH:
        value, often = Counter(step.wins[-1] for step in fresh).most_common(1)[0]
        if often >= 0.9 * len(fresh):
            yield r.suspect("no-playout", fresh[0], value, often, len(fresh))


QUESTIONS: Final = (
    counting,
    crediting,
    states,
    viewpoint,
    duplicates,
    rules_of_the_game,
    selecting,
    growing,
)
"""In the order in which their answers are told."""
