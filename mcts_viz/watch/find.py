"""What a search computes, and what is wrong with it, each with the iteration that proves it."""

from __future__ import annotations

import itertools
from collections import defaultdict
from math import isfinite, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from .look import Looker
from .players import Players
from .rules import Fit, Siblings, bounds, fits, terms

ANALYSED: Final = 20_000
"""Iterations that are looked into, from the first."""
CHOICES: Final = 5000
"""Choices from which the rule is read, at most; evenly spread over all."""
ENOUGH: Final = 20
"""Events that are needed before anything is said."""


class Finding(NamedTuple):
    """Something that a search does, in a sentence, and the iteration and the node that prove it."""

    name: str
    text: str
    iteration: int
    node: int


class Step(NamedTuple):
    """What one look found: the nodes whose numbers changed, and the new ones."""

    time: int
    nodes: tuple[int, ...]
    visits: tuple[float, ...]
    """By node: how its visits changed."""
    wins: tuple[float, ...]
    new: tuple[int, ...]


class Replay:
    """A watched search played back: its steps, and its choices among visited siblings."""

    def __init__(self, looker: Looker, players: Players, priors: dict[int, float]) -> None:
        self.looker = looker
        self.steps: list[Step] = []
        self.passed: list[tuple[int, int, int]] = []
        """Choices of a visited child while another had no visit: time, node, that other child."""
        self.first: list[tuple[int, int, int]] = []
        """Choices of a child without a visit while another had some: time, node, child."""
        columns: dict[str, list[Any]] = defaultdict(list)
        count = len(looker.nodes)
        n = np.full(count, looker.start).tolist()
        w = [0.0] * count
        for node, (visits, wins) in looker.before.items():
            n[node], w[node] = float(visits), float(wins)
        stale, squares, times = [0.0] * count, [0.0] * count, [0] * count
        for node, visits in enumerate(n):
            times[node] = int(visits > looker.start)
        rows = [np.frombuffer(column, column.typecode) for column in looker.rows]
        edges = np.flatnonzero(np.diff(rows[0], prepend=0, append=looker.looks + 1))
        created = defaultdict(list)
        for node, at in enumerate(looker.created_at):
            created[at].append(node)
        for begin, end in itertools.pairwise(edges):
            time = int(rows[0][begin])
            if time > ANALYSED:
                break
            nodes, visits, wins = (column[begin:end].tolist() for column in rows[1:])
            dv = [v - n[node] for node, v in zip(nodes, visits, strict=True)]
            dw = [v - w[node] for node, v in zip(nodes, wins, strict=True)]
            self.steps.append(Step(time, tuple(nodes), tuple(dv), tuple(dw), tuple(created[time])))
            grown = {node for node, change in zip(nodes, dv, strict=True) if change > 0}
            for parent in nodes:
                kids = [k for k in looker.kids[parent] if looker.created_at[k] < time]
                chosen = [kid for kid in kids if kid in grown]
                if len(chosen) != 1 or len(kids) < 2:
                    continue
                rivals = [kid for kid in kids if times[kid]]
                untried = [kid for kid in kids if not times[kid]]
                if not times[chosen[0]]:
                    if rivals:
                        self.first.append((time, parent, chosen[0]))
                    continue
                if untried:
                    self.passed.append((time, parent, untried[0]))
                if len(rivals) < 2:
                    continue
                total = sum(n[kid] for kid in kids)
                above = n[parent] if n[parent] > 0 else total
                columns["starts"].append(len(columns["n"]))
                columns["time"].append(time)
                columns["parent"].append(parent)
                columns["player"].append(players.chooser[chosen[0]])
                columns["chosen"].append(len(columns["n"]) + rivals.index(chosen[0]))
                for kid in rivals:
                    for name, value in (
                        ("node", kid),
                        ("n", n[kid]),
                        ("w", w[kid]),
                        ("N", above),
                        ("S", total),
                        ("P", priors.get(kid, 1.0)),
                        ("stale", stale[kid]),
                        ("squares", squares[kid]),
                    ):
                        columns[name].append(value)
            for node, v, reward, change in zip(nodes, visits, wins, dw, strict=True):
                if v != n[node]:
                    times[node] += 1
                    squares[node] += change * change
                n[node], w[node] = v, reward
            for node in nodes:
                above = looker.parent[node]
                stale[node] = n[above] if above >= 0 else 0.0
        self.n, self.w, self.times = n, w, times
        self.siblings = _siblings(columns)


def _siblings(columns: dict[str, list[Any]]) -> Siblings:
    whole = ("starts", "time", "parent", "player", "chosen", "node")
    names = Siblings.__dataclass_fields__
    return Siblings(
        **{
            name: np.array(columns[name], np.int64 if name in whole else np.float64)
            for name in names
        }
    )


class Rule(NamedTuple):
    """How a search selects, as far as its choices tell."""

    name: str | None
    """``None`` if no rule that is known explains the choices."""
    c: tuple[float, float] | None
    """Between which numbers c must be; ``None`` for a rule without one."""
    viewpoint: str
    """For whom the wins of a node speak, if the search selects as it should."""
    explained: int
    of: int
    text: str

    def __str__(self) -> str:
        return self.text


VIEWPOINTS: Final[dict[tuple[int, ...], str]] = {
    (1, 1): "player who chooses",
    (-1, -1): "player to move at the child",
    (1, -1): "one fixed player",
    (-1, 1): "one fixed player",
}


def sample(s: Siblings) -> Siblings:
    """At most so many choices, evenly spread."""
    if len(s) <= CHOICES:
        return s
    kept = np.unique(np.linspace(0, len(s) - 1, CHOICES).astype(int))
    sizes = np.diff(np.append(s.starts, len(s.n)))
    inside = np.concatenate(
        [np.arange(a, a + b) for a, b in zip(s.starts[kept], sizes[kept], strict=False)]
    )
    starts = np.append(0, np.cumsum(sizes[kept]))[:-1]
    return Siblings(
        starts=starts,
        time=s.time[kept],
        parent=s.parent[kept],
        player=s.player[kept],
        chosen=starts + s.chosen[kept] - s.starts[kept],
        **{
            name: getattr(s, name)[inside]
            for name in ("node", "n", "w", "N", "S", "P", "stale", "squares")
        },
    )


def made_of(c: float, width: float) -> str:
    """What a c may be made of: √2, a root that is inside the formula, or a fraction of it."""
    close = max(width, 0.005)
    for factor, name in ((1, ""), (sqrt(2), " · √2"), (1 / sqrt(2), " / √2")):
        for step in (0.5, 0.1):
            part = round(c / factor / step) * step
            if part and abs(part * factor - c) <= close:
                if not name:
                    return ""
                return (
                    f", which is {part:.3g}{name}"
                    if part != 1
                    else f", which is {name.strip(' ·')}"
                )
    return ""


def sentence(fit: Fit, of: int, viewpoint: str, span: tuple[float, float]) -> str:
    """The rule as a sentence."""
    low, high = fit.low, fit.high
    said = f"{fit.rule.name}"
    if isfinite(high) and isfinite(low):
        said += f" with c = {fit.c:.2f}{made_of(abs(fit.c), (high - low) / 2)}"
    rewards = f"for rewards from {span[0]:g} to {span[1]:g}"
    return (
        f"{said}, {rewards}, wins for the {viewpoint}: read from {fit.explained} of {of} choices."
    )


FREE: Final = ("", "never-exploits")
"""Rules that may hold for every c from some number on."""


def _rest_is_random(greedy: Fit, s: Siblings) -> bool:
    """True if the choices that are not greedy look as if picked at random."""
    low, high = bounds(*terms(greedy.rule, greedy.signs, s), s)
    sizes = np.diff(np.append(s.starts, len(s.n)))
    rest = np.flatnonzero((low > high) & (sizes > 2))
    if greedy.skill < 0.3 or len(rest) < 10:
        return False
    value = s.w / s.n
    mine = np.repeat(value[s.chosen], sizes)
    beaten = np.add.reduceat((value < mine) + 0.5 * (value == mine), s.starts) - 0.5
    rank = (beaten[rest] / (sizes[rest] - 2)).mean() - 0.5
    return bool(abs(rank) * sqrt(12 * len(rest)) < 4)


def read_rule(s: Siblings, span: tuple[float, float]) -> tuple[Rule, Fit | None, list[Fit]]:
    """The rule that explains most choices."""
    if not len(s):
        text = "No choice between visited children was seen yet, so the rule cannot be read."
        return Rule(None, None, "unknown", 0, 0, text), None, []
    s = sample(s)
    reach = 0.01 * (span[1] - span[0])
    every = [
        one for one in fits(s) if one.rule.fault in FREE or (isfinite(one.high) and one.low > reach)
    ]
    best, of = every[0], len(s)
    likely = next((one for one in every if not one.rule.fault and one.low >= 0), best)
    turned = next((one for one in every if not one.rule.fault and one.low < 0), best)
    if likely.skill >= 0.5 and best.explained - likely.explained <= max(2, 0.01 * of):
        best = likely
    elif turned.skill >= 0.5 and best.explained - turned.explained <= 2:
        best = turned
    greedy = next(one for one in every if one.rule.name == "greedy" and min(one.signs) > 0)
    if 0 == best.low <= best.high < 5 * reach and best.explained > 0.98 * of:
        text = f"Greedy: the child with the best mean, in {best.explained} of {of} choices."
        return Rule("greedy", None, "player who chooses", best.explained, of, text), best, every
    if best.explained < 0.98 * of and best.high < 5 * reach and _rest_is_random(greedy, s):
        share = 1 - greedy.skill
        text = (
            f"ε-greedy: the child with the best mean, but a random one with ε = {share:.2f}, in "
            f"{greedy.explained} of {of} choices."
        )
        rule = Rule("ε-greedy", None, "player who chooses", greedy.explained, of, text)
        return rule, greedy, every
    viewpoint = VIEWPOINTS.get(
        best.signs, "player who chooses" if min(best.signs) > 0 else "one fixed player"
    )
    if best.explained < 0.9 * of or best.skill < 0.5:
        low, high = bounds(*terms(best.rule, best.signs, s), s)
        missed = np.flatnonzero((low > best.high) | (high < best.low))
        at = int(s.time[missed[0]]) if len(missed) else int(s.time[0])
        text = (
            f"No rule that we know explains iteration {at}: {best.rule.name} explains "
            f"{best.explained} of {of} choices."
        )
        return Rule(None, None, "unknown", best.explained, of, text), best, every
    name = best.rule.name
    said = sentence(best, of, viewpoint, span)
    return Rule(name, (best.low, best.high), viewpoint, best.explained, of, said), best, every
