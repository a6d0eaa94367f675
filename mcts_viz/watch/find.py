"""Find what is wrong with a watched search, and what is worth knowing about it.

Each function below asks one question of all iterations, and yields what it finds. A finding has its
sentence in ``SAID``, and the iteration and the node that prove it.
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
from .replay import ANALYSED, Replay, Step
from .rules import ENOUGH, NEARLY, WITHIN, mean, terms, ucb

SAID: Final = {
    "root-left-out": "The root's visits do not grow: count it too when you go back up the path.",
    "root-counted-twice": "The root gets two visits in each iteration: count it once.",
    "leaf-left-out": "A new node gets no visit for its own playout: start backpropagation there.",
    "leaf-counted-twice": "The last node of the path gets two visits: is it counted too early?",
    "path-counted-twice": "Each node of the path gets two visits: is backpropagation called twice?",
    "winners-only": "Only the winner's nodes get a visit: every node of the path must get one.",
    "path-left-out": "Nodes between the root and the last get no visit: go up parent by parent.",
    "level-skipped": "The way back up skips a level: this node is on the path and gets no visit.",
    "visits-do-not-add-up": "This node got {:g} visits, its children {:g}: count the path only.",
    "same-reward": "The nodes of both players get the same reward, in {} of {} iterations, and "
    "both players prefer large ones: turn the reward round for the other player.",
    "same-reward?": "All nodes of a path get the same reward: right for one player, or two who "
    "play together, and wrong for opponents.",
    "won-and-lost": "Nodes of one player win and lose in the same iteration: give each node the "
    "reward of who moved there.",
    "turned-twice": "Rewards are flipped twice: on the way up, and again in selection.",
    "wrong-viewpoint": "A node counts one player's wins, selection takes them for the other's: "
    "flip one of them.",
    "viewpoint-unknown": "To see whether rewards go to the right player, Watch needs the rules: "
    "give game=…, or look at a finished game in the tree.",
    "even": "In some iterations both players get the reward of a {}: is it a draw?",
    "no-draw": "No draw was seen.",
    "same-result": "Every iteration gives the same rewards: does the playout look at who has won?",
    "wins-unread": "No number changes as wins do, so rewards are not checked: does every playout "
    "give 0? If not, name the wins: Watch(root, wins=…).",
    "no-playout": "New nodes get the reward {:g} in {} of {} iterations: are playouts played?",
    "wrong-result": "This position is a {} for the player who moved there, and the node gets the "
    "reward {:g}; rewards go from {:g} to {:g}.",
    "state-changed": "The position of this node has changed: play the playout on a copy of it.",
    "duplicate-move": "Two children of a node have the same move, {!r}, so another one stays "
    "untried: remove a move from the list when you try it.",
    "nodes-replaced": "The program replaces nodes by new ones, and the film shows both.",
    "after-the-end": "The game is over in the position above: a terminal node gets no children.",
    "illegal-move": "The move {!r} is not legal here.",
    "missing-move": "The legal move {} is never tried here, in {:g} visits.",
    "player-not-changed": "The same player makes every move: let players take turns.",
    "moves-unread": "The moves of this program, such as {!r}, are not those of {}: give move=…, a "
    "function of a node.",
    "unvisited-passed-over": "A child without a visit is passed over: visit each child once first.",
    "chooses-the-worst": "The child with the lowest score is chosen: take max, not min.",
    "bonus-subtracted": "The exploration term is subtracted: add it, so that rare moves get more.",
    "never-explores": "c is 0: one unlucky playout can hide a good move forever, so explore.",
    "never-exploits": "Rewards do not matter: the child with the fewest visits is always chosen.",
    "ignores-numbers": "Wins and visits do not matter for the choice: is it made at random?",
    "faulty-rule": "The search selects by {}.",
    "no-mean": "Wins are neither a sum nor a mean of rewards, and selection takes them as they "
    "are: right if a node keeps its best result, or the value of its best child.",
    "tie-order": "Of children with equal scores the search takes {}.",
    "all-children-at-once": "Expansion adds all children of a node at once.",
    "shared-children": "Some nodes have several parents; the film shows each below its first one.",
    "root-left-behind": "From iteration {}, the root gets no visits: if the search goes on from "
    "another root, make a new Watch(root) for that one.",
    "new-search": "Another search started after {} iterations; the film shows the last one.",
}
"""The sentences, by the finding's name."""


Found = Iterator[Finding]


def fault(slug: str, proof: Iterable[Any], *values: Any, **facts: Any) -> Finding:
    """A finding; with ``fault=False`` a note: what is no fault, or only suspected."""
    time, node = map(int, proof)
    return Finding(facts.pop("name", slug), SAID[slug].format(*values), time, node, **facts)


def note(name: str, proof: Iterable[Any], *values: Any) -> Finding:
    """A note: what is no fault, or only suspected."""
    return fault(name, proof, *values, name=name.rstrip("?"), fault=False)


def find(r: Replay) -> list[Finding]:
    """Return the findings, then the notes; one of each name."""
    found = {one.name: one for question in QUESTIONS for one in question(r)}.values()
    return sorted(found, key=lambda one: not one.fault)


def usual(values: Iterable[Any], least: int = ENOUGH) -> Any:
    """The value that nearly all of enough have, ``None`` if there is none."""
    counts = Counter(values)
    value, often = counts.most_common(1)[0] if counts else (None, 0)
    return value if often >= max(least, NEARLY * counts.total()) else None


def counting(r: Replay) -> Found:
    """Check that the root, the last node and those between get one visit each."""
    looker, steps = r.looker, [step for step in r.steps if len(step.path) > 1]
    got = [now - before for now, (before, _) in zip(r.n, r.before, strict=True)]
    if not r.is_single and not looker.shared:
        several = min({*range(1, looker.looks + 1)} - {step.time for step in r.steps})
        for node, kids in enumerate(looker.kids):
            below = sum(got[kid] for kid in kids)
            if below > got[node] > ENOUGH:
                yield fault("visits-do-not-add-up", (several, node), got[node], below)
                return
    if len(steps) < ENOUGH:
        if looker.kids[0] and r.last_of_root >= ENOUGH and not any(got[1:]):
            yield fault("leaf-left-out", r.born(1))
        return
    inner = Counter(v for step in steps for v in step.visits[1:-1] if v)
    unit = (inner or Counter(step.visits[-1] for step in steps)).most_common(1)[0][0]
    root, leaf = (usual(step.visits[place] for step in steps) for place in (0, -1))
    by_sum = not r.before[0][0] or looker.names["visits"].endswith("[move]")
    if not r.last_of_root and not by_sum:
        yield fault("root-left-out", (steps[0].time, 0))
    elif root == 2 * unit and inner:
        yield fault("root-counted-twice", (steps[0].time, 0))
    again = [step.visits[-1] for step in steps if not step.is_new]
    if inner and leaf == 2 * unit and (not again or usual(again, 1) == leaf):
        yield fault("leaf-counted-twice", next(s for s in steps if s.visits[-1] == leaf).proof)
    if unit == 2 and usual(frozenset(s.visits) for s in steps) == {2} and _is_one_result(steps):
        yield fault("path-counted-twice", steps[0].proof)
    born = Counter(at for at in looker.created_at if 0 < at <= ANALYSED)
    alone = [node for node, at in enumerate(looker.created_at) if born[at] == 1]
    new = sum(step.is_new for step in steps)
    if len(alone) > 0.8 * len(born) > 8 and new < (1 - NEARLY) * len(alone):
        yield fault("leaf-left-out", r.born(alone[0]))
        return
    gaps = [step for step in r.long if 0 in step.visits[1:-1]]
    if len(gaps) > max(ENOUGH, 0.3 * len(r.long)):
        counted = [won for step in r.long for _, won in step.counted()]
        skips = any(any(step.visits[1:-1]) for step in r.long)
        name = "level-skipped" if skips else "path-left-out"
        proof = gaps[0].time, gaps[0].path[gaps[0].visits.index(0, 1)]
        yield fault("winners-only" if min(counted, default=0) > 0 else name, proof)


def _is_one_result(steps: list[Step]) -> bool:
    """True if two visits come with one result: of two, half of the largest is frequent."""
    early = [round(abs(step.wins[-1]), 6) for step in steps[:60]]
    between = sum(min(early) < value < max(early) for value in early)
    return len({*early}) <= 3 and between <= 0.3 * len(early)


def crediting(r: Replay) -> Found:
    """Compare the player who is credited on the way up with the player for whom selection acts."""
    players, signs = r.tree.players, set(r.rule.signs)
    pairs: list[tuple[Step, float, float]] = []
    uneven: list[tuple[Step, bool]] = []
    for step in r.long:
        got: dict[int, set[float]] = defaultdict(set)
        for node, reward in zip(step.path[1:], step.wins[1:], strict=True):
            got[r.chooser[node] if players > 2 else r.chooser[node] % 2].add(reward)
        if all(step.visits[1:]) and len(got) > 1:
            first, second, *_ = (min(got[player]) for player in sorted(got))
            if max(map(len, got.values())) > 1:
                uneven.append((step, {r.low, r.high} in got.values()))
            else:
                pairs.append((step, first, second))
    wrong = [step for step, is_won_and_lost in uneven if is_won_and_lost]
    is_told = players == 2 and len(signs) == 1 and None not in r.tree.positions
    if is_told and len(wrong) >= max(ENOUGH, NEARLY * len(uneven)):
        yield fault("won-and-lost", wrong[0].proof, name="wrong-viewpoint")
    if len(pairs) < max(ENOUGH, 0.5 * len(r.long), 20 * len(uneven)) or r.low == r.high:
        return
    same = [step for step, a, b in pairs if a == b]
    won = sum({a, b} == {r.low, r.high} for _, a, b in pairs)
    proof = pairs[0][0].proof
    if len({pair[1:] for pair in pairs}) == 1:
        yield fault("same-result", proof, fault=r.varies)
    elif len(same) >= 0.99 * len(pairs):
        r.same = len(signs) == 1
        proof = next((step.proof for step in same if step.wins[-1] == r.high), proof)
        is_match = r.tree.game or len({a for _, a, _ in pairs}) <= 3  # won, lost, drawn
        if r.same and players > 1 and is_match and not (r.tree.game and r.tree.player_stays):
            yield fault("same-reward", proof, len(same), len(pairs))
        elif r.same and (players < 2 or not is_match):
            yield note("same-reward?", proof)
    elif players < 3:
        r.alternates = players != 1
        if len(signs) == 2:
            yield fault("turned-twice", proof, name="wrong-viewpoint")
        for worth, kind in (r.low, "loss"), (r.high, "win"):
            even = [step for step, a, b in pairs if a == b == worth]
            if 0 < len(even) < won:
                mark = f"yours {worth:g}, should be {(r.low + r.high) / 2:g}" * r.varies
                facts: Any = {"name": f"draw-as-{kind}", "fault": r.varies, "mark": mark}
                yield fault("even", even[0].proof, kind, **facts)
        if won == len(pairs):
            yield note("no-draw", proof)


def states(r: Replay) -> Found:
    """Find positions that change while the node stays the same."""
    filled: dict[Any, list[int]] = defaultdict(list)
    """The nodes with several new pieces of both kinds, by the signs of empty cells and pieces."""
    for node in range(1, 0 if r.changed else min(200, len(r.looker.nodes))):
        put = r.tree.changes(node)
        blanks, kinds = {before for _, before, _ in put}, {after for *_, after in put}
        if len(put) > 2 and (len(blanks), len(kinds)) == (1, 2):
            filled[frozenset(blanks), frozenset(kinds)].append(node)
    if len(filled) == 1 and len(nodes := next(iter(filled.values()))) >= 5:
        r.changed = r.born(nodes[0])
    if r.changed:
        yield fault("state-changed", r.changed)


def viewpoint(r: Replay) -> Found:
    """Compare rewards with random games from the same positions: whose rewards are they?"""
    tree = r.tree
    game, places = (tree.game, tree.positions) if tree.positions else tree.likely_game
    if not r.rule.signs or r.same or r.changed or (game and len(game.players) != 2):
        return
    if game is None:
        if (tree.players == 2 or r.alternates) and not tree.game and r.low < r.high:
            yield note("viewpoint-unknown", (0, 0))
        return
    some = [s for s in r.steps[:1000] if s.path[-1] and s.visits[-1]]
    steps = [s for s in some if places[s.path[-1]] is not None][:400]
    movers = [game.to_move(places[step.path[-2]]) for step in steps]
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
        worst = min(range(len(steps)), key=lambda n: got[n] - worth[n])
        yield fault("wrong-viewpoint", steps[worst].proof)


def duplicates(r: Replay) -> Found:
    """Find two children of a node with the same move."""
    seen: dict[tuple[int, str], int] = {}
    for kid, parent in enumerate(r.looker.parent):
        move = r.tree.told_move(kid)
        other = seen.setdefault((parent, repr(move)), kid)
        if other != kid and move is not None:
            if all(map(r.looker.is_still_child, (kid, other))):
                yield fault("duplicate-move", r.born(kid), move)
            else:
                yield note("nodes-replaced", r.born(kid))
            return


def rules_of_the_game(r: Replay) -> Found:
    """Check moves, players and results by the rules of the game."""
    tree, game, places, parent = r.tree, r.tree.game, r.tree.positions, r.looker.parent
    if game is None:
        return
    if not places:
        yield note("moves-unread", (0, 1), tree.told_move(1), game.name)
        return
    seen = set()
    for node, place in enumerate(places):
        if place is None and places[parent[node]] is not None:
            name = "after-the-end" if tree.is_over(parent[node]) else "illegal-move"
            if name not in seen:
                yield fault(name, r.born(node), tree.told_move(node))
            seen.add(name)
    for node, kids in enumerate(r.looker.kids):
        if kids and not tree.is_over(node):
            legal, tried = game.legal_actions(places[node]), {tree.actions[kid] for kid in kids}
            missing = [action for action in legal if action not in tried]
            if missing and r.n[node] > 10 + 3 * len(legal) ** 2:
                times = [*r.choices.time[r.choices.parent == node], r.looker.looks]
                label = game.action_label(places[node], missing[0])
                yield fault("missing-move", (times[0], node), label, r.n[node])
                break
    if len(game.players) > 1 and tree.player_stays:
        yield fault("player-not-changed", r.born(1))
    low, high = r.low, r.high
    if low == high or len(game.players) != 2 or not r.rule.signs or r.turned or r.same:
        return
    for step in r.steps:
        end = step.path[-1]
        if places[end] is not None and tree.is_over(end) and step.visits[-1]:
            value, got = game.returns(places[end])[r.chooser[end]], step.wins[-1]
            best, worst = (high, low) if r.sign(end) > 0 else (low, high)
            fair = worst + (best - worst) * (1 + value) / 2
            if abs(got - fair) >= 0.2 * (high - low):
                kind = "win" if value > 0 else "draw" if value == 0 else "loss"
                draws = {} if value else {worst: "draw-as-loss", best: "draw-as-win"}
                name = draws.get(got, "wrong-result")
                mark = f"yours {got:g}, should be {fair:g}"
                values = kind, got, low, high
                yield fault("wrong-result", step.proof, *values, name=name, mark=mark)
                return


def selecting(r: Replay) -> Found:
    """Find what is wrong with the choices."""
    s, rule, fit, span = r.choices, r.rule, r.rule.fit, r.high - r.low or 1.0
    passed, unread = r.passed, rule.of >= ENOUGH and not rule.is_sure
    tries = r.tries_first or unread or "PUCT" in (rule.name or "")
    if len(passed) >= ENOUGH and not tries:
        yield fault("unvisited-passed-over", passed[0])
    if fit is None or rule.of < ENOUGH:
        return
    proof = s.time[0], s.node[s.chosen[0]]
    if rule.is_sure:
        small, is_max = 0.05 * span, max(fit.signs) > 0
        habits = {
            "faulty-rule": bool(fit.rule.fault),
            "bonus-subtracted": fit.high < -small and is_max,
            "chooses-the-worst": fit.high < -small and not is_max,
            "never-explores": -inf < fit.low <= 0 and fit.high < small,
            "never-exploits": fit.low > 10 * span and fit.high == inf,
        }
        most = max(2, r.looker.looks / 20) * max(abs(r.low), abs(r.high))
        adds_up = abs(r.rows.wins).max() > most
        for name in [name for name, is_so in habits.items() if is_so][:1]:
            if fit.rule.fault != "sum-for-mean" or adds_up:
                yield fault(name, proof, fit.rule.name, name=fit.rule.fault or name)
            else:
                yield note("no-mean", proof)
        value, bonus = (abs(x - np.repeat(x[s.chosen], s.sizes)) for x in terms(fit.rule, fit.signs, s))
        places = np.where((value < WITHIN) & (bonus < WITHIN), np.arange(len(value)), -1)
        last = np.maximum.reduceat(places, s.starts)
        first = -np.maximum.reduceat(np.where(places < 0, -len(value), -places), s.starts)
        tied = np.flatnonzero(first < last)
        if len(tied) >= ENOUGH:
            taken = s.chosen[tied]
            which = "the last" if (taken == last[tied]).all() else "one at random"
            which = "the first" if (taken == first[tied]).all() else which
            yield note("tie-order", (s.time[tied[0]], s.node[taken[0]]), which)
    elif rule.of >= 100 and not rule.name and r.has_wins:
        values = mean(s), -s.n, mean(s) + ucb(s)
        groups = [np.flatnonzero(s.player == player) for player in np.unique(s.player)]
        if all(s.rank(value, group) <= 4 for value in values for group in groups):
            yield fault("ignores-numbers", proof)


def growing(r: Replay) -> Found:
    """Find what is odd in the way the tree grows, and in the rewards of new nodes."""
    looker = r.looker
    born: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node, at in enumerate(looker.created_at):
        if at:
            born[at, looker.parent[node]].append(node)
    several = [nodes[0] for nodes in born.values() if len(nodes) > 1]
    if len(several) > 0.5 * len(born):
        yield note("all-children-at-once", r.born(several[0]))
    if looker.shared:
        yield note("shared-children", looker.shared[0])
    if 0 < r.last_of_root < min(looker.looks, ANALYSED) - ENOUGH:
        yield note("root-left-behind", (r.last_of_root, 0), r.last_of_root + 1)
    if looker.before:
        yield note("new-search", (0, 0), looker.before)
    fresh = [step for step in r.steps if step.is_new and step.visits[-1]]
    fresh = [step for step in fresh if not r.tree.is_over(step.path[-1])]
    value, often = Counter([step.wins[-1] for step in fresh] or [0.0]).most_common(1)[0]
    if not r.has_wins:
        yield note("wins-unread", (0, 0))
    elif often >= max(ENOUGH, 0.9 * len(fresh)):
        yield fault("no-playout", fresh[0].proof, value, often, len(fresh), fault=r.varies)


QUESTIONS: Final = (
    *(counting, crediting, states, viewpoint, duplicates, rules_of_the_game, selecting, growing),
)
"""The order in which findings are listed."""
