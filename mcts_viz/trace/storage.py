"""A trace as versioned JSON, and back. Nothing in the file is executed, and all is checked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeGuard

import numpy as np

from ..errors import MctsVizError, TraceError, shown
from ..games import Game, game_from_parameters
from ..games.boards import listed
from ..search.policies import Policies, SelectionRule
from ..search.positions import blaming, check_rules
from ..search.recipes import Missing, describe, read
from ..search.saving import Kind, reason
from .trace import Floats, Ints, Outcome, Playouts, Trace, smallest_ints

__all__ = ["from_json", "load", "save", "to_json"]

KIND: Final = Kind("trace", "mcts_viz trace", "trace.save(...)", TraceError)
VERSION: Final = 1
LARGEST: Final = 2**31 - 1
MOST: Final = sys.float_info.max
DAMAGED: Final = "The saved trace is damaged: "
AGAIN: Final = "Save it again, or record it again."


def to_json(trace: Trace) -> str:
    """The trace as text; equal traces give equal text."""
    with blaming(trace.game, "The trace cannot be saved."):
        return _as_text(trace)


def _as_text(trace: Trace) -> str:
    game = trace.game
    more: dict[str, Any] = {"solver": True} if trace.solver else {}
    for kind in fields(Policies):  # most searches follow the default ones, and say nothing
        policy = getattr(trace.policies, kind.name)
        if policy is not kind.default:
            more[kind.name] = describe(policy)
    document = {
        "format": KIND.format,
        "version": VERSION,
        "game": {"name": type(game).__name__, "parameters": game.parameters()},
        "position": game.text(trace.root_state),
        "search": {
            "c": trace.c,
            "seed": trace.seed,
            "selection": describe(trace.selection),
            **more,
        },
        "actions": [_plain(action) for action in trace.actions],
        "outcomes": [
            {name: [float(number) for number in numbers] for name, numbers in o._asdict().items()}
            for o in trace.outcomes
        ],
        "nodes": {
            "parent": trace.parent.tolist(),
            "action": trace.action.tolist(),
            "birth": trace.birth.tolist(),
            "visits_before": trace.visits_before.tolist() if trace.visits_before.any() else [],
            "wins_before": trace.wins_before.tolist() if trace.wins_before.any() else [],
        },
        "iterations": {
            "leaf": trace.leaf.tolist(),
            "outcome": trace.outcome.tolist(),
            "moves": trace.playouts.lengths.tolist(),
        },
        "playouts": trace.playouts.moves.tolist(),
    }
    try:
        return json.dumps(document, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TraceError(
            f"The game's parameters {shown(game.parameters())} cannot be saved ({error}): "
            "make them numbers, strings, and lists or dicts of them."
        ) from None


def save(trace: Trace, path: str | Path) -> None:
    """Write the whole file, or none; what could not be read again is not written."""
    text = to_json(trace)
    KIND.data_of(text)  # before much of it is read
    policies = {kind.name: getattr(trace.policies, kind.name) for kind in fields(Policies)}
    try:
        _Reader(json.loads(text)).read(trace.game, trace.selection, policies)
    except TraceError as error:
        what = str(error).removeprefix(DAMAGED).removesuffix(AGAIN)
        raise TraceError(
            f"The trace is not saved, as it could not be read again: {what}Ask "
            "check_game(game) what is wrong with the game, or record another search."
        ) from None
    KIND.save(text, path)


def load(
    path: str | Path,
    game: Game[Any, Any] | None,
    selection: SelectionRule | None,
    policies: Mapping[str, Any],
) -> Trace:
    """Read a file that :func:`save` wrote."""
    return from_json(KIND.text_of(path), game, selection, policies)


def from_json(
    text: str,
    game: Game[Any, Any] | None = None,
    selection: SelectionRule | None = None,
    policies: Mapping[str, Any] | None = None,
) -> Trace:
    """The trace that ``text`` holds; raises ``TraceError`` with the first thing that is wrong."""
    document = KIND.document(text)
    try:
        return _Reader(document).trace(game, selection, policies or {})
    except RecursionError:
        raise _broken("its lists are nested too deeply") from None


class _Reader:
    """Takes a document apart, field by field; any field that is off ends it in a sentence."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def trace(
        self,
        game: Game[Any, Any] | None,
        selection: SelectionRule | None,
        policies: Mapping[str, Any],
    ) -> Trace:
        """The trace, when every move has been played."""
        trace = self.read(game, selection, policies)
        with _judged_by_the_rules():
            return replace(trace, mover=_replay(trace))

    def read(
        self,
        game: Game[Any, Any] | None,
        selection: SelectionRule | None,
        policies: Mapping[str, Any],
    ) -> Trace:
        """The trace as the file says it; who moved is not known before the moves are played."""
        self._check_version()
        if game is not None:
            check_rules(game)
        game = game or self._game()
        actions = tuple(_value(action) for action in self._list("actions"))
        outcomes = self._outcomes(len(game.players))
        parent = self._ints("nodes.parent", -1, LARGEST)
        nodes = len(parent)
        leaf = self._ints("iterations.leaf", 0, nodes - 1)
        count = len(leaf)
        lengths = self._ints("iterations.moves", 0, LARGEST, count)
        c, seed = self._number("search.c"), self._field("search.seed", int)
        visits_before, wins_before = self._before(nodes)
        trace = Trace(
            game=game,
            root_state=self._position(game),
            c=c,
            seed=seed,
            selection=selection or self._selection(),
            actions=actions,
            parent=parent.astype(np.int32),
            action=smallest_ints(
                self._ints("nodes.action", 0, max(0, len(actions) - 1), nodes), len(actions)
            ),
            birth=self._ints("nodes.birth", 0, count, nodes).astype(np.int32),
            mover=np.zeros(nodes, np.int8),
            visits_before=visits_before.astype(np.int32),
            wins_before=wins_before,
            leaf=leaf.astype(np.int32),
            playouts=Playouts(
                smallest_ints(
                    self._ints("playouts", 0, len(actions) - 1, int(lengths.sum())), len(actions)
                ),
                smallest_ints(lengths, int(lengths.max(initial=0)) + 1),
            ),
            outcome=smallest_ints(
                self._ints("iterations.outcome", 0, len(outcomes) - 1, count), len(outcomes)
            ),
            outcomes=outcomes,
            solver=self._solver(len(game.players)),
            policies=self._policies(policies),
        )
        _check_tree(trace)
        return trace

    def _check_version(self) -> None:
        version = self._at("version")
        if type(version) is not int or version != VERSION:
            raise TraceError(
                f"The trace has version {shown(version)}, but this mcts_viz reads version "
                f"{VERSION}: use the mcts_viz that wrote it, or record the search again."
            )

    def _solver(self, players: int) -> bool:
        """Whether the search proved wins and losses; files of other searches do not speak of it."""
        solver = self._field("search", dict).get("solver", False)
        if not isinstance(solver, bool):
            raise _broken(f"'search.solver' is {shown(solver)}, not true or false")
        if solver and players != 2:
            raise _broken(f"'search.solver' is true, but the game has {players} players, not 2")
        return solver

    def _position(self, game: Game[Any, Any]) -> Any:
        text = self._field("position", str)
        with _judged_by_the_rules():
            return game.parse(text)

    def _at(self, name: str) -> Any:
        value: Any = self._document
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def _field(self, name: str, kind: type) -> Any:
        value = self._at(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise _broken(f"{name!r} is {shown(value)}, not of the type {kind.__name__}")
        return value

    def _list(self, name: str) -> list[Any]:
        values: list[Any] = self._field(name, list)
        return values

    def _number(self, name: str) -> float:
        value = self._at(name)
        if type(value) not in (int, float) or not 0 <= value <= MOST:
            raise _broken(f"{name!r} is {shown(value)}, not a number of at least 0")
        return float(value)

    def _ints(self, name: str, low: int, high: int, length: int | None = None) -> Ints:
        values = self._list(name)
        for place, value in enumerate(values):
            if type(value) is not int or not low <= value <= high:
                raise _broken(
                    f"entry {place} of {name!r} is {shown(value)}, not a whole number "
                    f"from {low} to {high}"
                )
        if length is not None and len(values) != length:
            raise _broken(f"{name!r} has {len(values)} entries instead of {length}")
        return np.array(values, np.int64)

    def _before(self, nodes: int) -> tuple[Ints, Floats]:
        """By node: the visits and wins it brought along; an empty list stands for zeros."""
        visits: Ints = np.zeros(nodes, np.int64)
        wins = self._list("nodes.wins_before") or [0.0] * nodes
        if self._list("nodes.visits_before"):
            visits = self._ints("nodes.visits_before", 0, LARGEST, nodes)
        if not _are_numbers(wins, nodes, MOST):
            raise _broken(f"'nodes.wins_before' is {shown(wins)}, not {nodes} numbers")
        return visits, np.array(wins, np.float64)

    def _outcomes(self, players: int) -> tuple[Outcome, ...]:
        found = []
        for place, entry in enumerate(self._list("outcomes")):
            fields = entry if isinstance(entry, dict) else {}
            returns, rewards = fields.get("returns"), fields.get("rewards")
            if not _are_numbers(returns, players, 1) or not _are_numbers(rewards, players, MOST):
                raise _broken(
                    f"entry {place} of 'outcomes' is {shown(entry)}, which does not give each "
                    "player a return from -1 to 1 and a reward"
                )
            found.append(Outcome(tuple(map(float, returns)), tuple(map(float, rewards))))
        return tuple(found)

    def _game(self) -> Game[Any, Any]:
        name = self._field("game.name", str)
        try:
            return game_from_parameters(name, self._field("game.parameters", dict))
        except MctsVizError as error:
            raise TraceError(
                f"The trace is of the game {shown(name)}, which cannot be built here "
                f"({reason(error)}): hand it in, Trace.load(path, game=...)."
            ) from None

    def _selection(self) -> SelectionRule:
        name = self._field("search.selection", str)
        try:
            rule: SelectionRule = read("selection", name)
        except MctsVizError:
            raise TraceError(
                f"The search followed the selection rule {shown(name)}, which is not one of "
                "the package's: hand it in, Trace.load(path, selection=...)."
            ) from None
        return rule

    def _policies(self, given: Mapping[str, Any]) -> Policies:
        """Those of the package are known by their text; others can be missing."""
        names = [kind.name for kind in fields(Policies)]
        if unknown := sorted(set(given) - set(names)):
            raise TraceError(
                f"{unknown[0]!r} is no policy of a search: hand in {listed(names)}, or selection."
            )
        texts = {name: self._at(f"search.{name}") for name in names}
        found: dict[str, Any] = {}
        for name, text in texts.items():
            if text is not None and not isinstance(text, str):
                raise _broken(f"'search.{name}' is {shown(text)}, not of the type str")
            if name in given:
                found[name] = given[name]
            elif text is not None:
                found[name] = _policy(name, text)
        return Policies(**found)


def _policy(kind: str, text: str) -> Any:
    try:
        return read(kind, text)
    except MctsVizError:
        return Missing(kind, text)


@contextmanager
def _judged_by_the_rules() -> Iterator[None]:
    """Whatever the rules of a game object to is the fault of the file."""
    try:
        yield
    except (TraceError, RecursionError):
        raise
    except Exception as error:
        raise _broken(f"the rules of its game do not accept it ({reason(error)})") from error


def _are_numbers(values: object, count: int, most: float) -> TypeGuard[list[float]]:
    """Whether ``values`` is a list of so many numbers, from ``-most`` to ``most``."""
    return (
        isinstance(values, list)
        and len(values) == count
        and all(type(value) in (int, float) and -most <= value <= most for value in values)
    )


def _check_tree(trace: Trace) -> None:
    """Parents come before children, nobody is visited before birth, no move is there twice."""
    parent, birth, leaf = trace.parent, trace.birth, trace.leaf
    numbers = np.arange(len(parent))
    if not len(parent) or parent[0] != -1 or birth[0] != 0:
        raise _broken("its first node is not a root")
    if (parent[1:] < 0).any() or (parent >= numbers).any():
        raise _broken("a node comes before its parent")
    if (np.diff(birth) < 0).any():
        raise _broken("a node is born before one with a smaller number")
    if (birth[leaf] > np.arange(1, len(leaf) + 1)).any():
        raise _broken("an iteration visits a node that is not yet born")
    before = trace.visits_before
    below = np.bincount(parent[1:], before[1:], len(parent))
    if (before < below).any() or before[birth > 0].any():
        raise _broken("a node has more visits before the search than it can have")
    seen: dict[tuple[int, int], int] = {}
    for node, move in enumerate(zip(parent.tolist(), trace.action.tolist(), strict=True)):
        if seen.setdefault(move, node) != node:
            raise _broken(f"node {node} repeats the move of its sibling {seen[move]}")


def _replay(trace: Trace) -> Ints:
    """Play every move of the tree and of the playouts; by node, who moved into it."""
    game = trace.game
    states = [trace.root_state]
    mover = np.zeros(len(trace.parent), np.int8)
    mover[0] = (game.to_move(trace.root_state) - 1) % len(game.players)
    for node in range(1, len(trace.parent)):
        before = states[trace.parent[node]]
        states.append(_played(game, before, trace.action_of(node), f"node {node}"))
        mover[node] = game.to_move(before)
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state, where = game.playout_from(states[leaf]), f"the playout of iteration {iteration}"
        for code in trace.playouts[iteration].tolist():
            state = _played(game, state, trace.actions[code], where)
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        if game.is_terminal(state) and tuple(game.returns(state)) != outcome.returns:
            raise _broken(f"{where} ends in {game.returns(state)}, not in {outcome.returns}")
    return mover


def _played(game: Game[Any, Any], state: Any, action: Any, where: str) -> Any:
    if game.is_terminal(state) or action not in game.legal_actions(state):
        raise _broken(f"{where} makes the illegal move {shown(action)} in {game.text(state)!r}")
    return game.play(state, action)


def _plain(action: Any) -> Any:
    """An action as JSON; tuples become lists."""
    if isinstance(action, tuple):
        return [_plain(part) for part in action]
    if isinstance(action, np.generic):
        action = action.item()
    if action is None or isinstance(action, (str, int)):
        return action
    if isinstance(action, float) and isfinite(action):
        return action
    raise TraceError(
        f"The action {shown(action)} cannot be saved: "
        "make a game's actions numbers, strings, or tuples of them."
    )


def _value(data: Any) -> Any:
    """An action from JSON; lists become tuples, as nothing else can be hashed."""
    if isinstance(data, list):
        return tuple(_value(part) for part in data)
    if isinstance(data, dict):
        raise _broken(f"{shown(data)} is no action")
    return data


def _broken(what: str) -> TraceError:
    return TraceError(f"{DAMAGED}{what}. {AGAIN}")
