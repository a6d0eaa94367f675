"""The findings and the notes: each looks at the steps of a watched search for one thing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import inf, sqrt
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from ..games import TicTacToe
from ..search import random_playout
from .exact import estimates, positions_of
from .find import ANALYSED, Finding, Replay, Rule
from .players import Players, cells_of
from .rules import Fit, Siblings

ENOUGH: Final = 20
"""Events that are needed before anything is said."""
NEARLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""


class Note(Finding):
    """A finding that is no fault, or only suspected."""


class Walk(NamedTuple):
    """The path of one iteration, from the root to the node where it ended."""

    time: int
    path: tuple[int, ...]
    visits: tuple[float, ...]
    """By node of the path: how its visits changed."""
    wins: tuple[float, ...]
    is_new: bool
    """True if the last node is new."""


class Evidence:
    """What the findings are read from."""

    def __init__(
        self, replay: Replay, tree: Any, rule: Rule, fit: Fit | None, others: Sequence[Fit]
    ) -> None:
        self.tree = tree
        players: Players = tree.players
        self.move = tree.told_move
        self.replay, self.rule, self.fit = replay, rule, fit
        self.players = players
        self.looker = looker = replay.looker
        self.walks: list[Walk] = []
        depth = [0]
        for parent in looker.parent[1:]:
            depth.append(depth[parent] + 1)
        self.depth = depth
        for step in replay.steps:
            grown = dict(zip(step.nodes, zip(step.visits, step.wins, strict=True), strict=True))
            ends = [n for n, (v, w) in grown.items() if (v or w) and n]
            end = max(ends, key=lambda n: (depth[n], n), default=0)
            path = [end]
            while path[-1]:
                path.append(looker.parent[path[-1]])
            if len({*path} & {*ends}) != len(ends) or not step.time:
                continue  # more than one path: no single iteration
            path.reverse()
            moved = [grown.get(node, (0.0, 0.0)) for node in path]
            self.walks.append(
                Walk(
                    step.time,
                    tuple(path),
                    tuple(v for v, _ in moved),
                    tuple(round(w, 9) for _, w in moved),
                    looker.created_at[end] == step.time,
                )
            )
        self.rewards = Counter(
            reward
            for walk in self.walks
            for reward, grown in zip(walk.wins[1:], walk.visits[1:], strict=True)
            if grown
        )
        self.span = max(self.rewards, default=1.0) - min(self.rewards, default=0.0) or 1.0
        rivals = [
            f.explained for f in others if fit and f.rule is fit.rule and f.signs != fit.signs
        ]
        self.sure = (
            fit is not None
            and rule.name is not None
            and rule.of >= ENOUGH
            and fit.explained >= NEARLY * rule.of
        )
        self.sure_of_signs = self.sure and rule.explained - max(rivals, default=0) > max(
            5, 0.03 * rule.of
        )

    same_reward = changed = turned = False

    def suspect(self, name: str, text: str, walk: Walk) -> Finding:
        """A note; a finding if the rules of the game prove it."""
        kind = Finding if self.tree.game and self.tree.positions and self._varied else Note
        return kind(name, text, walk.time, walk.path[-1])

    @cached_property
    def _varied(self) -> bool:
        """True if random games from the root end in different ways."""
        game, random = self.tree.game, Random(1)
        ends = {random_playout(game, self.tree.positions[0], random).returns for _ in range(30)}
        return len(ends) > 1

    def sign(self, node: int) -> int:
        """1 if whoever chooses this node prefers large means."""
        assert self.fit
        signs: tuple[int, ...] = self.fit.signs
        return signs[self.players.chooser[node] % len(signs)]

    def for_chooser(self, walk: Walk) -> float:
        """The reward of the last node, as whoever chose it takes it."""
        return float(self.sign(walk.path[-1]) * walk.wins[-1])

    @property
    def many(self) -> int:
        return self.players.many


def counting(e: Evidence) -> Iterator[Finding]:
    """Visits that are left out or counted twice."""
    walks = [walk for walk in e.walks if len(walk.path) > 1]
    if len(walks) < ENOUGH:
        return
    inner = Counter(v for walk in walks for v in walk.visits[1:-1] if v)
    ends = [walk for walk in walks if not walk.is_new]
    unit = (inner or Counter(walk.visits[-1] for walk in walks)).most_common(1)[0][0]

    def habit(events: Sequence[Walk], test: Callable[[Walk], bool], least: int = ENOUGH) -> bool:
        return len(events) >= least and sum(map(test, events)) >= NEARLY * len(events)

    first = walks[0].time
    if not any(walk.visits[0] for walk in walks) and not _by_sum(e):
        yield Finding(
            "root-left-out",
            "The root's visits do not grow: count it too, when you go back up the path.",
            first,
            0,
        )
    elif habit(walks, lambda walk: walk.visits[0] == 2 * unit) and inner:
        yield Finding(
            "root-counted-twice",
            "The root's visits grow by two in each iteration and those of "
            "the other nodes by one: count it once.",
            first,
            0,
        )
    fresh = [walk for walk in walks if walk.is_new]
    both = [walk for walk in walks if walk.visits[-1] == 2 * unit]
    known = habit(ends, lambda walk: walk.visits[-1] == 2 * unit, 3) or (
        not ends and habit(fresh, lambda walk: walk.visits[-1] == 2 * unit) and not e.looker.start
    )
    if inner and known and len(both) >= NEARLY * len(walks):
        walk = both[0]
        yield Finding(
            "leaf-counted-twice",
            "The last node of the path gets two visits and the others one: "
            "is it counted in the playout and again on the way up?",
            walk.time,
            walk.path[-1],
        )
    every = habit(walks, lambda walk: set(walk.visits) == {2.0})
    if every and unit == 2 and not _is_two_playouts(walks):
        yield Finding(
            "path-counted-twice",
            "Each node of the path gets two visits in each iteration: is "
            "backpropagation called twice?",
            first,
            walks[0].path[-1],
        )
    yield from _left_out(e, walks)


def _by_sum(e: Evidence) -> bool:
    """True if choices at the root follow from the visits of its children alone."""
    return not e.replay.n[0] or e.looker.sources["visits"].name.endswith("[move]")


def _is_two_playouts(walks: Sequence[Walk]) -> bool:
    """True if two results come back at once: then a half of the largest is frequent."""
    early = [abs(walk.wins[-1]) for walk in walks[:60]]
    low, high = min(early), max(early)
    between = sum(low + 1e-9 < value < high - 1e-9 for value in early)
    return len({round(value, 6) for value in early}) > 3 or between > 0.3 * len(early)


def _left_out(e: Evidence, walks: Sequence[Walk]) -> Iterator[Finding]:
    """Nodes of the path that get no visit."""
    looker = e.looker
    news = Counter(at for at in looker.created_at if at)
    alone = [at for at, many in news.items() if many == 1]
    if len(alone) > 0.8 * len(news) > 8:  # one node at a time
        visited = {
            node
            for step in e.replay.steps
            for node, v in zip(step.nodes, step.visits, strict=True)
            if v and looker.created_at[node] == step.time
        }
        late = [n for n, at in enumerate(looker.created_at) if at and n not in visited]
        stuck = [
            walk
            for walk in walks
            if not walk.is_new
            and looker.kids[walk.path[-1]]
            and all(looker.created_at[kid] != walk.time for kid in looker.kids[walk.path[-1]])
            and looker.created_at[looker.kids[walk.path[-1]][0]] < walk.time
        ]
        if len(late) > NEARLY * len(alone) and (stuck or len(late) == len(looker.nodes) - 1):
            yield Finding(
                "leaf-left-out",
                "A new node gets no visit for its own playout: start "
                "backpropagation at the new node, not at its parent.",
                looker.created_at[late[0]],
                late[0],
            )
            return
    gaps = [
        (walk, place)
        for walk in walks
        if len(walk.path) > 2
        for place, visits in enumerate(walk.visits[1:-1], start=1)
        if not visits
    ]
    long = [walk for walk in walks if len(walk.path) > 2]
    if len(gaps) < ENOUGH or len({walk.time for walk, _ in gaps}) < 0.3 * len(long):
        return
    walk, place = gaps[0]
    rewards = {
        grown: Counter(
            r
            for w in long
            for r, v in zip(w.wins[1:], w.visits[1:], strict=True)
            if bool(v) is grown
        )
        for grown in (True, False)
    }
    node = walk.path[place]
    if min(rewards[True], default=0) > 0:
        yield Finding(
            "winners-only",
            "Only the nodes of the winner get a visit: every node of the path "
            "must get one, whoever won.",
            walk.time,
            node,
        )
    elif all(not any(w.visits[1:-1]) for w in long):
        yield Finding(
            "path-left-out",
            "The nodes between the root and the last node get no visit: go up "
            "one parent at a time.",
            walk.time,
            node,
        )
    else:
        yield Finding(
            "level-skipped",
            "The way back up skips a level: this node is on the path and gets no visit.",
            walk.time,
            node,
        )


def crediting(e: Evidence) -> Iterator[Finding]:
    """For whom rewards are added on the way up, against for whom the search selects."""
    chooser = e.players.chooser
    pairs: list[tuple[Walk, float, float]] = []
    uneven: list[Walk] = []
    longer = [walk for walk in e.walks if len(walk.path) > 2 and all(walk.visits[1:])]
    for walk in longer:
        got: dict[int, set[float]] = defaultdict(set)
        for node, reward in zip(walk.path[1:], walk.wins[1:], strict=True):
            got[chooser[node] % 2 if e.many < 3 else chooser[node]].add(reward)
        if any(len(rewards) > 1 for rewards in got.values()):
            uneven.append(walk)
        elif len(got) > 1:
            values = [next(iter(got[player])) for player in sorted(got)]
            pairs.append((walk, values[0], values[1]))
    if len(pairs) < ENOUGH or len(uneven) > 0.05 * len(longer) or len(e.rewards) < 2:
        return
    if len(pairs) < 0.5 * sum(len(walk.path) > 2 for walk in e.walks):
        return
    if len({(a, b) for _, a, b in pairs}) == 1:
        said = "Every iteration gives the same rewards: does the playout look at who has won?"
        yield e.suspect("same-result", said, pairs[0][0])
        return
    same = [pair for pair in pairs if pair[1] == pair[2]]
    signs = e.fit.signs if e.fit and e.sure_of_signs else ()
    walk = next((walk for walk, *_ in same if walk.wins[-1] == max(e.rewards)), pairs[0][0])
    if len(same) >= 0.99 * len(pairs):
        e.same_reward = len(set(signs)) == 1
        if e.tree.game and e.tree.said_player_stays:
            return
        if signs and len(set(signs)) == 1 and e.many > 1:
            yield Finding(
                "same-reward",
                f"The nodes of both players get the same reward, in {len(same)} of "
                f"{len(pairs)} iterations, and both players prefer large ones: turn the reward "
                "round for the other player.",
                walk.time,
                walk.path[-1],
            )
        elif e.many < 2 and len(set(signs)) == 1:
            yield Note(
                "same-reward",
                "All nodes of a path get the same reward, as is right for one "
                "player. With two, the reward must be turned round at each level.",
                walk.time,
                walk.path[-1],
            )
        return
    if len(set(signs)) == 2 and e.many < 3:
        yield Finding(
            "wrong-viewpoint",
            "Rewards are turned round twice: each node gets the reward of its "
            "own player, and selection then turns it round for one of them again.",
            pairs[0][0].time,
            pairs[0][0].path[-1],
        )
    low, high = min(e.rewards), max(e.rewards)
    lost = [w for w, a, b in pairs if (a, b) == (low, low)]
    won = [w for w, a, b in pairs if {a, b} == {low, high}]
    if lost and len(won) > len(lost) and e.many < 3:
        said = "In some iterations the nodes of both players get the reward of a loss: are draws "
        yield e.suspect("draw-as-loss", said + "counted as losses?", lost[0])
    elif len(won) == len(pairs):
        yield Note("no-draw", "No draw was seen.", pairs[0][0].time, pairs[0][0].path[-1])


def selecting(e: Evidence) -> Iterator[Finding]:
    """What is wrong with the choices."""
    s, fit, rule = e.replay.siblings, e.fit, e.rule
    yield from _passed_over(e)

    if fit is None or rule.of < ENOUGH:
        return
    at = int(s.time[0]), int(s.node[s.chosen[0]])
    if e.sure and fit.rule.fault:
        yield Finding(fit.rule.fault, f"The search selects by {fit.rule.name}.", *at)
    elif e.sure and fit.high < -0.05 * e.span:
        worst = max(fit.signs) < 0
        yield Finding(
            "chooses-the-worst" if worst else "bonus-subtracted",
            "The child with the lowest score is chosen: take max, not min."
            if worst
            else "The exploration term is subtracted: a child that was visited often gets a larger "
            "score than one that was not. Add it.",
            *at,
        )
    elif e.sure and fit.low <= 0 and fit.high < 0.05 * e.span and fit.low > -inf:
        yield Finding(
            "never-explores",
            "c is 0: the search always follows the best mean, so one unlucky "
            "playout can hide a good move for ever.",
            *at,
        )
    elif e.sure and fit.high == inf and fit.low > 10 * e.span:
        yield Finding(
            "never-exploits",
            "Rewards do not matter: the child with the fewest visits is always chosen.",
            *at,
        )
    if rule.of >= 100 and not rule.name and _at_random(s):
        yield Finding(
            "ignores-numbers",
            "The child is chosen without regard to wins and visits: is it picked at random?",
            *at,
        )


def _at_random(s: Siblings) -> bool:
    """True if neither means nor visits tell which child is chosen."""
    sizes = np.diff(np.append(s.starts, len(s.n)))
    for value in (s.w / s.n, -s.n, s.w / s.n + np.sqrt(np.log(s.N) / s.n)):
        mine = np.repeat(value[s.chosen], sizes)
        beaten = np.add.reduceat((value < mine) + 0.5 * (value == mine), s.starts) - 0.5
        rank = beaten / (sizes - 1) - 0.5
        for player in np.unique(s.player):
            own = rank[s.player == player]
            if abs(own.mean()) * sqrt(12 * len(own)) > 4:
                return False
    return True


def _passed_over(e: Evidence) -> Iterator[Finding]:
    passed, rates = e.replay.passed, e.rule.name and "PUCT" in e.rule.name
    unread = e.rule.of >= ENOUGH and not e.sure
    if len(passed) >= ENOUGH and not (e.replay.first or rates or unread):
        time, _, child = passed[0]
        yield Finding(
            "unvisited-passed-over",
            "A child without a visit is passed over while its siblings "
            "get more: visit each child once before you compare.",
            time,
            child,
        )


def duplicates(e: Evidence) -> Iterator[Finding]:
    """Two children of a node with one move."""
    for parent, kids in enumerate(e.looker.kids):
        seen: dict[Any, int] = {}
        for kid in kids:
            move = e.move(kid)
            if move is not None and repr(move) in seen and e.looker.parent[kid] == parent:
                if not (e.looker.is_still_child(kid) and e.looker.is_still_child(seen[repr(move)])):
                    yield Note(
                        "nodes-replaced",
                        "The program puts new nodes in the place of old ones, and the film shows "
                        "both.",
                        e.looker.created_at[kid],
                        kid,
                    )
                    return
                yield Finding(
                    "duplicate-move",
                    f"Two children of a node have the same move, {move!r}, so "
                    "another one stays untried: take a move off the list when you try it.",
                    e.looker.created_at[kid],
                    kid,
                )
                return
            seen[repr(move)] = kid


def growing(e: Evidence) -> Iterator[Finding]:
    """What is odd in the way the tree grows."""
    looker = e.looker
    born: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node in range(1, len(looker.nodes)):
        if looker.created_at[node]:
            born[looker.created_at[node], looker.parent[node]].append(node)
    several = [nodes for nodes in born.values() if len(nodes) > 1]
    if len(several) > 0.5 * len(born) and several:
        yield Note(
            "all-children-at-once",
            "Expansion adds all children of a node at once.",
            looker.created_at[several[0][0]],
            several[0][0],
        )
    if looker.shared:
        time, _, node = looker.shared[0]
        yield Note(
            "shared-children",
            "Some nodes have several parents; the film shows each below its first one.",
            time,
            node,
        )
    steps = e.replay.steps
    last = max((step.time for step in steps if step.visits[0] > 0 and not step.nodes[0]), default=0)
    if 0 < last < min(looker.looks, ANALYSED) - ENOUGH:
        yield Note(
            "root-left-behind",
            f"From iteration {last + 1} on the root gets no visit: if the search goes on from "
            "another root, make a new Watch(root) for that one.",
            last,
            0,
        )
    if len(e.rewards) == 1 and len(e.walks) > ENOUGH:
        said = "Every iteration gives the same reward: is a playout played, and does it count?"
        yield e.suspect("no-playout", said, e.walks[0])
    states, game = e.tree.positions, e.tree.game
    fresh = [
        walk
        for walk in e.walks
        if walk.is_new
        and walk.visits[-1]
        and not (
            states and (states[walk.path[-1]] is None or game.is_terminal(states[walk.path[-1]]))
        )
    ]
    values = Counter(walk.wins[-1] for walk in fresh)
    if len(e.rewards) > 1 and len(fresh) > ENOUGH:
        ((value, often),) = values.most_common(1)
        if often >= 0.9 * len(fresh):
            said = f"New nodes get the reward {value:g} in {often} of {len(fresh)} iterations"
            yield e.suspect("no-playout", said + ": is a playout played from them?", fresh[0])


def states_changed(e: Evidence) -> Iterator[Finding]:
    """Positions that change while the node stays the same."""
    e.changed = True
    text = "The position of this node has changed: play the playout on a copy of it."
    if e.tree.changed:
        yield Finding("state-changed", text, *e.tree.changed[0])
        return
    filled: dict[int, int] = {}
    for node in range(1, min(200, len(e.looker.nodes))):
        before, after = (cells_of(e.tree.state(n)) for n in (e.looker.parent[node], node))
        if len(before) == len(after):
            pairs = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
            if (
                len(pairs) > 2
                and len({a for a, _ in pairs}) == 1
                and len({b for _, b in pairs}) == 2
            ):
                filled[node] = len(pairs)
    e.changed = len(filled) >= 5 and len(set(filled.values())) > 1
    if e.changed:
        node = next(iter(filled))
        yield Finding(
            "state-changed",
            f"The position of this node has {filled[node]} pieces more than the "
            "one above, of both players: play the playout on a copy of it.",
            e.looker.created_at[node],
            node,
        )


def against_the_rules(e: Evidence) -> Iterator[Finding]:
    """Moves, players and results that the rules of the game do not allow."""
    tree, looker, game = e.tree, e.looker, e.tree.game
    states = tree.positions
    if game is None:
        return
    if not states:
        yield Note(
            "moves-unread",
            f"The moves of this program, such as {tree.told_move(1)!r}, are not "
            f"those of {game.name}: give move=…, a function of a node.",
            0,
            1,
        )
        return
    over = [state is not None and game.is_terminal(state) for state in states]

    def add(name: str, text: str, node: int) -> Finding:
        return Finding(name, text, looker.created_at[node], node)

    below = [n for n in range(1, len(states)) if over[looker.parent[n]]]
    if below:
        yield add(
            "after-the-end",
            "The game is over in the position above this node: a terminal "
            "position gets no children.",
            below[0],
        )
    illegal = [
        n
        for n in range(1, len(states))
        if states[n] is None and states[looker.parent[n]] is not None and n not in below
    ]
    if illegal:
        yield add(
            "illegal-move",
            f"The move {tree.told_move(illegal[0])!r} is not legal there.",
            illegal[0],
        )
    for node, kids in enumerate(looker.kids):
        if states[node] is None or over[node] or not kids:
            continue
        legal = game.legal_actions(states[node])
        missing = [a for a in legal if a not in {tree.actions[kid] for kid in kids}]
        if missing and e.replay.n[node] > 10 + 3 * len(legal) ** 2:
            said = game.action_label(states[node], missing[0])
            choices = e.replay.siblings.time[e.replay.siblings.parent == node]
            yield Finding(
                "missing-move",
                f"The legal move {said} is never tried here, in {e.replay.n[node]:g} visits.",
                int(choices[0]) if len(choices) else looker.looks,
                node,
            )
            break
    if len(game.players) > 1 and tree.said_player_stays:
        yield Finding(
            "player-not-changed",
            "The same player makes every move: change the player when a move is played.",
            looker.created_at[1],
            1,
        )
    yield from _results(e, states, over)


def _results(e: Evidence, states: list[Any], over: list[bool]) -> Iterator[Finding]:
    """Rewards at the end of a game, against its result for the player who made the last move."""
    game, low, high = e.tree.game, min(e.rewards, default=0.0), max(e.rewards, default=0.0)
    if low == high or len(game.players) != 2 or not e.sure_of_signs or e.turned or e.same_reward:
        return
    for walk in e.walks:
        end = walk.path[-1]
        if not (over[end] and walk.visits[-1]):
            continue
        value, got = game.returns(states[end])[e.players.chooser[end]], e.for_chooser(walk)
        fair = low + (high - low) * (1 + value) / 2
        fair = fair if e.sign(end) > 0 else -(low + high - fair)
        if abs(got - fair) < 0.2 * (high - low):
            continue
        name = "win" if value > 0 else "draw" if value == 0 else "loss"
        worst = low if e.sign(end) > 0 else -high
        yield Finding(
            "draw-as-loss" if not value and abs(got - worst) < 1e-6 else "wrong-result",
            f"This position is a {name} for the player who moved there, and the node gets the "
            f"reward {walk.wins[-1]:g}; rewards go from {low:g} to {high:g}.",
            walk.time,
            end,
        )
        return


def viewpoint(e: Evidence) -> Iterator[Finding]:
    """Rewards against what positions are worth: they must speak for the player who is meant."""
    tree = e.tree
    game = tree.game or tree.likely_game
    states = tree.positions or (positions_of(game, tree)[0] if game else [])
    if not states or len(game.players) != 2 or not e.sure_of_signs or e.same_reward or e.changed:
        return
    walks = [
        walk
        for walk in e.walks[:1000]
        if states[walk.path[-1]] is not None and walk.visits[-1] and walk.path[-1]
    ][:400]
    movers = [game.to_move(states[e.looker.parent[walk.path[-1]]]) for walk in walks]
    worth = estimates(game, zip([states[walk.path[-1]] for walk in walks], movers, strict=True))
    got = [e.for_chooser(walk) for walk in walks]
    least = -2.5 if isinstance(game, TicTacToe) else -3.5
    if len(walks) < 100 or np.std(worth) == 0 or np.std(got) == 0:
        return
    if np.corrcoef(worth, got)[0, 1] * sqrt(len(walks)) < least:
        e.turned = True
        walk = min(zip(walks, worth, got, strict=True), key=lambda row: row[2] - row[1])[0]
        yield Finding(
            "wrong-viewpoint",
            "Backpropagation and selection speak for different players: the "
            "search follows the moves that are good for the opponent.",
            walk.time,
            walk.path[-1],
        )


FAULTS: Final = (
    counting,
    crediting,
    states_changed,
    viewpoint,
    duplicates,
    against_the_rules,
    selecting,
    growing,
)
