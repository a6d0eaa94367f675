"""What the rules of a game say about a watched tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

from ..games import ConnectFour, Game, TicTacToe
from ..search import random_playout
from .players import cells_of


def positions_of(game: Game[Any, Any], tree: Any) -> tuple[list[Any], list[Any]]:
    """By node: the position that its moves lead to, and its action; ``None`` if one is illegal.

    Both are empty if the program's moves cannot be read as those of the game.
    """
    looker = tree.looker
    columns = getattr(game, "columns", 3)

    def changed(node: int) -> int:
        before, after = cells_of(tree.state(looker.parent[node])), cells_of(tree.state(node))
        return next(i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)

    ways: list[Callable[[Any, int], Any]] = [
        lambda state, node: tree.told_move(node),
        lambda state, node: int(tree.told_move(node)),
        lambda state, node: int(np.dot(tree.told_move(node), (columns, 1))),
        lambda state, node: next(
            a
            for a in game.legal_actions(state)
            if game.action_label(state, a) == str(tree.told_move(node))
        ),
        lambda state, node: int(tree.told_move(node)) - 1,
        lambda state, node: changed(node),
        lambda state, node: changed(node) % columns,
    ]
    start = _start(game, tree)
    best: tuple[int, list[Any], list[Any]] = (0, [], [])
    for way in ways:
        states: list[Any] = [start]
        actions: list[Any] = [None]
        for node in range(1, len(looker.nodes)):
            state, action, after = states[looker.parent[node]], None, None
            with suppress(Exception):
                action = way(state, node)
                open_ = state is not None and not game.is_terminal(state)
                if open_ and action in game.legal_actions(state):
                    after = game.play(state, action)
            states.append(after)
            actions.append(action)
            if node == 40 and sum(s is not None for s in states) < 20:
                break
        legal = sum(state is not None for state in states)
        if legal > best[0] + 5 or (legal > best[0] and not best[0]):
            best = legal, states, actions
        if legal == len(looker.nodes):
            break
    enough = best[0] > 0.5 * len(looker.nodes) and len(best[1]) == len(looker.nodes)
    return (best[1], best[2]) if enough else ([], [])


def _start(game: Game[Any, Any], tree: Any) -> Any:
    """The root's position: as the program has it, if the game reads it, else the first one."""
    said, start = tree.state(0), game.initial_state()
    with suppress(Exception):
        if type(said) is type(start) and game.legal_actions(said):
            return said
    with suppress(Exception):
        return game.parse(str(said))
    with suppress(Exception):  # a board of other signs: what the first move puts is the mover's
        cells, after = cells_of(said), cells_of(tree.state(tree.looker.kids[0][0]))
        blank, mine = next((a, b) for a, b in zip(cells, after, strict=True) if a != b)
        placed = [cell for cell in cells if cell != blank]
        signs = "XO" if 2 * placed.count(mine) == len(placed) else "OX"
        return game.parse("".join("." if c == blank else signs[c != mine] for c in cells))
    return start


def likely_game(tree: Any) -> Game[Any, Any] | None:
    """Tic-tac-toe or Connect Four, if positions look so and every node is legal there."""
    cells = len(cells_of(tree.state(0)))
    for size, game in ((9, TicTacToe()), (42, ConnectFour())):
        if cells in (size, size + 1) and len(tree.looker.nodes) > 30:
            states, _ = positions_of(game, tree)
            if states and all(state is not None for state in states):
                return game
    return None


def estimates(game: Game[Any, Any], walks: Iterator[tuple[Any, int]]) -> list[float]:
    """What positions are worth for a player, by a few random playouts from each."""
    random = Random(1)
    return [
        float(np.mean([random_playout(game, state, random).returns[player] for _ in range(24)]))
        for state, player in walks
    ]
