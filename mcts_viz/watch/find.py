"""Find what is wrong with a watched search, and what is worth knowing about it.

Each function below asks one question of all iterations, and yields what it finds: a name, the
iteration and the node that prove it, and a sentence that says what to do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from random import Random
from typing import Any, Final

import numpy as np

from ..search import random_playout
from ..trace.trace import Finding
from .look import told
from .replay import ANALYSED, Replay, squeezed, text_of
from .rules import ENOUGH, NEARLY, mean, ucb

PLAYER: Final = r"^_*(get_?)?(current_?|next_?)?(player|turn|side)(_?to_?move)?$|^_*to_(move|play)$"

Found = Iterator[Finding]


def fault(name: str, proof: Iterable[Any], text: str, **facts: Any) -> Finding:
    """A finding; with ``fault=False`` a note: what is no fault, or only suspected."""
    time, node = map(int, proof)
    return Finding(name, text, time, node, **facts)


def find(r: Replay) -> list[Finding]:
    """Return the findings, then the notes; one of each name."""
    found: dict[str, Finding] = {}
    for questions in QUESTIONS:
        for question in questions:
            said = [*question(r)]
            for one in said:
                found.setdefault(one.name, one)
            if any(one.fault for one in said):
                break
    return sorted(found.values(), key=lambda one: not one.fault)


def most_common(values: Iterable[float]) -> float:
    """The value that occurs most often."""
    return Counter(values).most_common(1)[0][0]


def visits(r: Replay) -> Found:
    """Check that each node of a path gets one visit."""
    steps = [step for step in r.steps if len(step.path) > 1]
    if len(steps) < ENOUGH:
        return
    unit = most_common(more for step in steps for more in step.visits if more)
    root, last = (most_common(step.visits[place] for step in steps) for place in (0, -1))
    early = [abs(step.wins[-1]) for step in steps[:60]]
    between = sum(min(early) < won < max(early) for won in early)  # of two playouts, many
    first, end = steps[0].proof
    twice = [("The root", 0)] * (root == 2 * unit) + [("The last node of a path", end)] * (last == 2 * unit)
    twice += [("Each node of a path", end)] * (unit == 2 and between <= 0.3 * len(early))
    for who, node in twice:
        text = f"{who} gets two visits in each iteration: count it once."
        yield fault("counted-twice", (first, node), text)
    none = "gets no visit: count each node when you go back up the path"
    missed = [step.time for step in steps if not step.visits[0]]
    if len(missed) > 0.3 * len(steps) and r.n[0]:  # else it may be left to the sum of its children
        yield fault("left-out", (missed[0], 0), f"The root {none}.")
    created = r.looker.created_at
    born = Counter(at for at in created if 0 < at <= ANALYSED)
    alone = [node for node, at in enumerate(created) if born[at] == 1]
    new = sum(step.is_new for step in steps)
    if len(alone) > 0.8 * len(born) > 8 and new < (1 - NEARLY) * len(alone):
        yield fault("left-out", r.born(alone[0]), f"A new node {none}.")


def positions(r: Replay) -> Found:
    """Compare the program's positions with those of the rules, if both are written alike."""
    for node, place in enumerate(r.positions):
        said, text = r.plain(node), squeezed(r.game.text(place)) if place is not None else ""
        if not node and said != text:
            return
        if text and len(said) == len(text) and said != text:
            if said.count(".") == text.count(".") > 0:
                yield fault(
                    "player-not-changed",
                    r.born(node),
                    "The wrong player moves here: players must take turns.",
                )
            else:
                text = "The position of this node has changed: play the playout on a copy of it."
                yield fault("state-changed", r.born(node), text)
            return


def player_of(state: Any) -> str:
    """The player to move, as a position says by a usual name; nothing if it does not."""
    name = next((name for name in dir(state) if re.search(PLAYER, name, re.I)), "")
    said = told(name, state)
    is_asked = callable(said) and "current" in name.lower()
    return text_of(told(lambda ask: ask(), said) if is_asked else said)


def rewards(r: Replay) -> Found:
    """Compare the rewards of both players in the same iteration, and what selection makes of them."""
    if not any(r.gain):
        text = "Watch found no number that changes as wins do. Say which it is: Watch(root, wins=…)."
        yield fault("wins-unread", (0, 0), text, fault=False)
    pairs: list[tuple[Any, ...]] = []
    for step in r.long:
        got = {(r.chooser[node], won) for node, won in zip(step.path[1:], step.wins[1:], strict=True)}
        is_legal = not r.is_read or r.positions[step.path[-1]] is not None
        if len(got) == len(dict(got)) == 2 and all(step.visits[1:]) and is_legal:
            pairs.append((step.proof, *dict(sorted(got)).values()))
    if len(pairs) < max(ENOUGH, 0.5 * len(r.long)) or r.low == r.high or not r.rule.signs:
        return
    are_opponents = r.is_match or (
        not r.is_read and len({*map(player_of, map(r.state, range(len(r.n))))} - {""}) == 2
    )
    same = [proof for proof, first, second in pairs if first == second]
    if len(same) >= 0.99 * len(pairs):
        text = f"In {len(same)} of {len(pairs)} iterations, the nodes of both players get the same reward"
        text += (
            ": a win for one is a loss for the other, so flip it."
            if are_opponents
            else ": right for one player, wrong for two opponents."
        )
        if len({*r.rule.signs}) == 1 and (are_opponents or not r.is_read):
            yield fault("same-reward", same[0], text, fault=are_opponents)
        return
    if not r.game:
        text = "Watch needs the rules to check which player gets a reward: give game=…"
        yield fault("viewpoint-unknown", (0, 0), text, fault=False)
    won = sum({first, second} == {r.low, r.high} for _, first, second in pairs)
    for worth, kind in (r.low, "loss"), (r.high, "win"):
        even = [proof for proof, first, second in pairs if first == second == worth]
        if 0 < len(even) < won:
            text = f"In some iterations both players get the reward of a {kind}. Is it a draw?"
            mark = f"yours {worth:g}, should be {(r.low + r.high) / 2:g}" * r.is_match
            yield fault("wrong-result", even[0], text, fault=r.is_match, mark=mark)


def playouts(r: Replay) -> Found:
    """Compare rewards with random games from the same positions."""
    random, steps, worth = Random(1), [], []
    for step in r.steps[: 400 * r.is_match]:
        node = step.path[-1]
        if node and step.visits[-1] and r.positions[node] is not None and not r.is_over(node):
            ends = [random_playout(r.game, r.positions[node], random).returns for _ in range(24)]
            worth.append(sum(returns[r.chooser[node]] for returns in ends))
            steps.append((r.chooser[node], step.wins[-1], step.proof))
    if len(steps) < 100:
        return
    if len({step[:2] for step in steps}) <= 2:
        if np.mean([abs(one) < 24 for one in worth]) > 0.5:
            text = "All playouts have the same result. Do they go on until the game ends, and check who won?"
            is_draw = len({won for _, won, _ in steps}) == 1
            yield fault("no-playout" if is_draw else "same-result", steps[0][-1], text)
    elif r.rule.signs and np.std(worth):
        got = [won * r.rule.signs[player] for player, won, _ in steps]
        if np.corrcoef(worth, got)[0, 1] * sqrt(len(steps)) < -3:
            text = "A node counts one player's wins, but selection reads them as the other's: flip the sign."
            yield fault("wrong-viewpoint", steps[int(np.argmin(got))][-1], text)


def results(r: Replay) -> Found:
    """Compare the rewards of finished games with their results by the rules."""
    low, high = r.low, r.high
    for step in r.steps if r.is_match and r.rule.signs and low < high else ():
        end, got = step.path[-1], step.wins[-1]
        if r.is_over(end) and step.visits[-1]:
            value = r.game.returns(r.positions[end])[r.chooser[end]]
            fair = (low + high + r.rule.signs[r.chooser[end]] * value * (high - low)) / 2
            if abs(got - fair) >= 0.2 * (high - low):
                kind = "win" if value > 0 else "loss" if value else "draw"
                text = f"This position is a {kind} for the player who moved there, but the node gets the "
                text += f"reward {got:g}, on a scale from {low:g} to {high:g}."
                yield fault("wrong-result", step.proof, text, mark=f"yours {got:g}, should be {fair:g}")
                return


def moves(r: Replay) -> Found:
    """Check moves, and with the rules of the game whether they are legal and none is left out."""
    seen: dict[tuple[int, str], int] = {}
    for kid, parent in enumerate(r.looker.parent):
        move = text_of(r.move(kid))
        other = seen.setdefault((parent, move), kid)
        if move and other != kid and {kid, other} <= {*r.looker.children(parent)}:
            text = f"Two children of a node have the same move, {move}, so another stays untried: "
            yield fault(
                "duplicate-move", r.born(kid), text + "remove each move from the list when you try it."
            )
    if r.game and not r.is_read:
        text = f"Watch cannot tell which moves of {r.game.name} these are, such as {text_of(r.move(1))}, "
        text += "or from which position. Give move=… and state=…, functions of a node."
        yield fault("moves-unread", (0, 1), text, fault=False)
    for node, place in enumerate(r.positions if r.is_read else ()):
        above = r.looker.parent[node]
        if place is None and r.is_over(above):
            text = "The game ended one move earlier: a terminal node must not get children."
            yield fault("after-the-end", r.born(node), text)
        elif place is None and r.positions[above] is not None:
            yield fault("illegal-move", r.born(node), f"The move {text_of(r.move(node))} is not legal here.")
        elif place is not None and r.looker.kids[node] and not r.is_over(node):
            legal, tried = r.game.legal_actions(place), {r.actions[kid] for kid in r.looker.kids[node]}
            missing = [r.game.action_label(place, action) for action in legal if action not in tried]
            if missing and r.n[node] > 10 + 3 * len(legal) ** 2:
                text = f"The legal move {missing[0]} is never tried here, in {r.n[node]:g} visits."
                yield fault("missing-move", (r.looker.looks, node), text)


def selection(r: Replay) -> Found:
    """Find what is wrong with the choices."""
    s, rule, row = r.choices, r.rule, r.rule.row
    if rule.of < ENOUGH:
        return
    proof = s.time[0], s.node[s.chosen[0]]
    if row and rule.explained >= NEARLY * rule.of:
        adds_up = abs(r.rows.wins).max() > max(2, r.looker.looks / 20) * max(abs(r.low), abs(r.high))
        if row.fault and (adds_up or row.fault != "sum-for-mean"):
            yield fault(row.fault, proof, f"The search selects by {row.name}.")
        elif rule.name == "greedy" and rule.explained >= rule.of - 1:
            text = "c is 0: one unlucky playout can hide a good move forever, so explore."
            yield fault("never-explores", proof, text)
    elif rule.of >= 100 and not row and any(r.gain):
        values = mean(s), -s.n, mean(s) + ucb(s)
        if all(s.looks_random(value, player) for value in values for player in (0, 1)):
            text = "Wins and visits do not matter for the choice: is it made at random?"
            yield fault("ignores-numbers", proof, text)


QUESTIONS: Final = (visits,), (positions, rewards, playouts, results), (moves,), (selection,)
"""The order in which findings are listed; behind a fault, the rest of its group is not asked."""
