"""Find what is wrong with a watched search, and what is worth knowing about it.

Each function below asks one question of all iterations, and yields what it finds: a name, the
iteration and the node that prove it, and what its sentence in ``TEXTS`` leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import sqrt
from random import Random
from statistics import mode
from typing import Any, Final

import numpy as np

from ..search import random_playout
from ..trace.columns import Finding
from .replay import Replay, squeezed, text_of, told
from .rules import ENOUGH, mean, ucb

Found = Iterator[Finding]
PLAYER: Final = r"^_*(get_?)?(current_?|next_?)?(player|turn)(_?to_?move)?$|^_*to_(move|play)$"
"""The usual names of the player to move."""
TEXTS: Final = {
    "counted-twice": "{} gets two visits in each iteration: count it once.",
    "left-out": "{} gets no visit: count each node when you go back up the path.",
    "player-not-changed": "The wrong player moves here: players must take turns.",
    "state-changed": "The position of this node has changed: play the playout on a copy of it.",
    "wins-unread": "Watch found no number that changes as wins do. Say which it is: Watch(root, wins=…).",
    "same-reward": "In {} of {} iterations, the nodes of both players get the same reward: {}.",
    "viewpoint-unknown": "Watch needs the rules to check which player gets a reward: give game=…",
    "wrong-result": "{} the reward {:g}, on a scale from {:g} to {:g}{}",
    "no-playout": "All playouts give one reward. Do they go on until the game ends, and check who won?",
    "same-result": "All playouts have one winner. Do they play random moves, and check who won?",
    "wrong-viewpoint": "A node counts one player's wins, but selection takes the other's: flip the sign.",
    "duplicate-move": "Two children have the same move, {}: remove each move from the list when you try it.",
    "moves-unread": "Watch cannot read moves of {} such as {!r}, or the position: give move=… and state=….",
    "after-the-end": "The game ended one move earlier: a terminal node must not get children.",
    "illegal-move": "The move {} is not legal here.",
    "missing-move": "The legal move {} is never tried here, in {:g} visits.",
    "never-explores": "c is 0: one unlucky playout can hide a good move forever, so explore.",
    "ignores-numbers": "Wins and visits do not matter for the choice: is it made at random?",
}
"""The sentence of each finding; that of a faulty rule is made of its name."""


def finding(name: str, proof: Iterable[Any], *values: Any, **facts: Any) -> Finding:
    """A finding, which a step proves, or an iteration and a node; with ``fault=False`` a note."""
    time, node, *_ = proof
    text = TEXTS.get(name, "The search selects by {}.").format(*values)
    return Finding(name, text, int(time), int(node), **facts)


def find(r: Replay) -> list[Finding]:
    """Return the findings, then the notes; the first of each name."""
    found: dict[str, Finding] = {}
    for one in (*visits(r), *about_rewards(r), *moves(r), *selection(r)):
        found.setdefault(one.name, one)
    return sorted(found.values(), key=lambda one: not one.fault)


def about_rewards(r: Replay) -> Found:
    """Ask all questions about rewards, until one finds a fault."""
    for question in positions, rewards, playouts, results:
        said = [*question(r)]
        yield from said
        if any(one.fault for one in said):
            return


def visits(r: Replay) -> Found:
    """Check that each node of a path gets one visit."""
    steps = [step for step in r.steps if len(step.path) > 1]
    if len(steps) < ENOUGH:
        return
    unit = mode(more for step in steps for more in step.visits if more)
    early = [abs(step.wins[-1]) for step in steps[:60]]
    between = sum(min(early) < won < max(early) for won in early)  # of two playouts, many
    if unit == 2 and between <= 0.3 * len(early):
        yield finding("counted-twice", steps[0], "Each node of a path")
    for who, place in ("The root", 0), ("The last node of a path", -1):
        if mode(step.visits[place] for step in steps) == 2 * unit:
            yield finding("counted-twice", (steps[0].time, steps[0].path[place]), who)
    missed = [step.time for step in steps if not step.visits[0]]
    if len(missed) > 0.3 * len(steps) and r.n[0]:  # else it may be left to the sum of its children
        yield finding("left-out", (missed[0], 0), "The root")
    new = [[kid for kid in r.looker.kids[step.end] if r.born(kid)[0] == step.time] for step in steps]
    alone = [found[0] for found in new if len(found) == 1]
    if len(alone) > 0.7 * len(steps):
        yield finding("left-out", r.born(alone[0]), "A new node")


def positions(r: Replay) -> Found:
    """Compare the program's positions with those of the rules, if both are written alike."""
    for node, place in enumerate(r.positions):
        said, text = r.plain(node), squeezed(r.game.text(place)) if place is not None else ""
        if text and said != text and (not node or len(said) == len(text)):
            is_player = said.count(".") == text.count(".") > 0
            if node and (not is_player or {*said} <= {*text}):  # else its pieces have other signs
                yield finding("player-not-changed" if is_player else "state-changed", r.born(node))
            return


def player_to_move(state: Any) -> str:
    """The player to move, as a position says by a usual name; nothing if it does not."""
    name = next((name for name in dir(state) if re.search(PLAYER, name, re.I)), "")
    said = told(name, state)
    return text_of(told(lambda ask: ask(), said) if callable(said) and "current" in name.lower() else said)


def rewards(r: Replay) -> Found:
    """Compare the rewards of both players in the same iteration, and what selection makes of them."""
    if not any(r.gain):
        yield finding("wins-unread", (0, 0), fault=False)
    long = [step for step in r.legal if len(step.path) > 2]
    pairs = []
    for step in long:
        got = {(r.chooser[node], won) for node, won in zip(step.path[1:], step.wins[1:], strict=True)}
        if len(got) == len(dict(got)) == 2 and all(step.visits[1:]):
            pairs.append((step, {won for _, won in got}))
    if len(pairs) < max(ENOUGH, 0.5 * len(long)) or r.low == r.high or not r.rule.signs:
        return
    same = [proof for proof, both in pairs if len(both) == 1]
    if len(same) >= 0.99 * len(pairs):
        named = {player_to_move(r.state(node)) for node, kids in enumerate(r.looker.kids) if kids} - {""}
        is_fault = r.is_match or len(named) == 2
        advice = "flip it for one of them" if is_fault else "right for one player, wrong for opponents"
        if len({*r.rule.signs}) == 1 and (is_fault or not r.is_read):
            yield finding("same-reward", same[0], len(same), len(pairs), advice, fault=is_fault)
        return
    if not r.game:
        yield finding("viewpoint-unknown", (0, 0), fault=False)
    for worth in r.low, r.high:
        even = [proof for proof, both in pairs if both == {worth}]
        if 0 < len(even) < sum(both == {r.low, r.high} for _, both in pairs):
            mark = f"yours {worth:g}, should be {(r.low + r.high) / 2:g}" * r.is_match
            values = "In some iterations both players get", worth, r.low, r.high, ": is it a draw?"
            yield finding("wrong-result", even[0], *values, fault=r.is_match, mark=mark)


def playouts(r: Replay) -> Found:
    """Compare rewards with random games from the same positions."""
    random, paid, worth = Random(1), [], []
    for step in r.legal[: 400 * r.is_match]:
        place, player = r.positions[step.end], r.chooser[step.end]
        if step.end and step.visits[-1] and not r.is_over(step.end):
            paid.append((player, step.wins[-1], step))
            worth.append(sum(random_playout(r.game, place, random).returns[player] for _ in range(24)))
    if len(paid) < 100:
        return
    if len({one[:2] for one in paid}) <= 2:
        if np.mean(np.abs(worth) < 24) > 0.5:
            is_draw = len({won for _, won, _ in paid}) == 1
            yield finding("no-playout" if is_draw else "same-result", paid[0][-1])
    elif r.rule.signs and np.std(worth):
        got = [won * r.rule.signs[player] for player, won, _ in paid]
        if np.corrcoef(worth, got)[0, 1] * sqrt(len(got)) < -3:
            yield finding("wrong-viewpoint", paid[int(np.argmin(got))][-1])


def results(r: Replay) -> Found:
    """Compare the rewards of finished games with their results by the rules."""
    low, high = r.low, r.high
    for step in r.steps if r.is_match and r.rule.signs and low < high else ():
        got, player = step.wins[-1], r.chooser[step.end]
        if r.is_over(step.end) and step.visits[-1]:
            value = r.game.returns(r.positions[step.end])[player]
            fair = (low + high + r.rule.signs[player] * value * (high - low)) / 2
            if abs(got - fair) >= 0.2 * (high - low):
                kind = "win" if value > 0 else "loss" if value else "draw"
                who = f"This position is a {kind} for the player who moved there, but the node gets"
                mark = f"yours {got:g}, should be {fair:g}"
                yield finding("wrong-result", step, who, got, low, high, ".", mark=mark)
                return


def moves(r: Replay) -> Found:
    """Check moves, and with the rules of the game whether they are legal and none is left out."""
    seen: dict[tuple[int, str], int] = {}
    for kid, parent in enumerate(r.looker.parent):
        move = text_of(r.move(kid))
        other = seen.setdefault((parent, move), kid)
        if move and other != kid and {kid, other} <= {*r.looker.children(parent)}:
            yield finding("duplicate-move", r.born(kid), move)
    if r.game and not r.is_read:
        yield finding("moves-unread", (0, 1), r.game.name, text_of(r.move(1)), fault=False)
    for node, place in enumerate(r.positions if r.is_read else ()):
        above = r.looker.parent[node]
        if place is None and r.is_over(above):
            yield finding("after-the-end", r.born(node))
        elif place is None and r.positions[above] is not None:
            yield finding("illegal-move", r.born(node), text_of(r.move(node)))
        elif place is not None and r.looker.kids[node] and not r.is_over(node):
            legal, tried = r.game.legal_actions(place), {r.actions[kid] for kid in r.looker.kids[node]}
            missing = [r.game.action_label(place, action) for action in legal if action not in tried]
            if missing and r.n[node] > 10 + 3 * len(legal) ** 2:
                yield finding("missing-move", (r.looker.looks, node), missing[0], r.n[node])


def selection(r: Replay) -> Found:
    """Find what is wrong with the choices."""
    s, rule, row = r.choices, r.rule, r.rule.row
    if rule.of < ENOUGH:
        return
    proof = s.time[0], s.node[s.chosen[0]]
    adds_up = abs(r.rows.wins).max() > max(2, r.looker.looks / 20) * max(abs(r.low), abs(r.high))
    if row and row.fault and (adds_up or row.fault != "sum-for-mean"):
        yield finding(row.fault, proof, row.name)
    elif rule.name == "greedy" and rule.explained >= rule.of - 1:
        yield finding("never-explores", proof)
    elif rule.of >= 100 and not row and any(r.gain):
        values = mean(s), -s.n, mean(s) + ucb(s)
        if all(s.looks_random(value, player) for value in values for player in (0, 1)):
            yield finding("ignores-numbers", proof)
