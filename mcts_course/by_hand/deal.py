"""The data that "Be the search" gets before it starts, so that it needs no kernel.

These are: every position that an iteration could add, with its playout; the exact value of each
move; the tree that UCT grows from the same playouts; and, for each mistake a reader can make, the
move that a search with this mistake would play.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final, NamedTuple

from mcts_viz.errors import SearchError
from mcts_viz.film.boards import board_of
from mcts_viz.film.words import outcome_text, plain
from mcts_viz.games import Game, Returns, turns
from mcts_viz.search import MCTS, score_terms, solve
from mcts_viz.search.checks import check_start
from mcts_viz.search.variants import rewards_of, uniform, win_rate

MOST_DEALT: Final = 600
"""Positions that are dealt: about 100 kB, and more than 12 iterations of the package's games need.
"""
GROWN: Final = 2000
"""Iterations of the trees that are grown on."""
REWARDS: Final = (0.0, 0.5, 1.0)
"""The rewards that a reader can give a card."""


class Place(NamedTuple):
    """A node that some iteration could add, by the number of its parent, and the move to it."""

    parent: int
    action: Any
    state: Any
    mover: int
    earliest: int
    """The first iteration that could add it; 0 for the root."""


def deal(search: MCTS, state: Any, iterations: int) -> dict[str, Any]:
    """Return the facts of the activity as JSON values; raises ``SearchError`` where it cannot be
    dealt.

    ``search`` says the game, c and the playout, which must depend on the position alone.
    """
    game = search.game
    check_fit(game)
    state = check_start(game, state)
    places = list(reachable(game, state, iterations))
    board = board_of(game)
    nodes = [_facts(search, place, board) for place in places]
    numbers = {(place.parent, place.action): number for number, place in enumerate(places)}
    for number, (place, node) in enumerate(zip(places, nodes, strict=True)):
        moves = () if node["over"] else game.legal_actions(place.state)
        node["moves"] = [plain(game.action_label(place.state, action)) for action in moves]
        node["below"] = [numbers.get((number, action), -1) for action in moves]
        node["label"] = _label(game, places, place)
    said = mistakes()
    return {
        "title": plain(game.name),
        "players": [plain(player) for player in game.players],
        "root_player": game.to_move(state),
        "iterations": iterations,
        "c": search.c,
        "grown": GROWN,
        "board": getattr(board, "facts", None),
        "nodes": nodes,
        "whole": all(-1 not in node["below"] for node in nodes),
        "sentences": {name: words["card"] for name, words in said.items()},
        "exact": _exact(game, state),
        "uct": _walks(search, state, iterations),
        "costs": _costs(search, state, iterations),
    }


def check_fit(game: Game[Any, Any]) -> None:
    """Raise ``SearchError`` for a game of which a reader cannot carry out an iteration by hand."""
    if turns.knows_luck(game) or turns.pays_on_the_way(game):
        raise SearchError(
            f"Be the search needs a game without luck whose end alone pays; {game.name} has luck, "
            "or pays for steps. Choose another game."
        )


def mistakes() -> dict[str, dict[str, str]]:
    """For each name: the sentence on a card for each mistake, and the words for it in a report."""
    text = files(__package__).joinpath("mistakes.json").read_text(encoding="utf-8")
    said: dict[str, dict[str, str]] = json.loads(text)
    return said


def reachable(game: Game[Any, Any], state: Any, iterations: int) -> Iterator[Place]:
    """Every node that one of so many iterations could add, the root first, parents before children.

    Below a node nothing is added before all its siblings are there. So a child cannot come earlier
    than one iteration after all moves of all nodes above its parent.
    """
    before = (game.to_move(state) - 1) % len(game.players)
    waiting = [Place(-1, None, state, before, 0)]
    moves_above = [0]  # by node: the moves of all nodes above it
    number = 0
    while number < len(waiting):
        place = waiting[number]
        yield place
        earliest = 1 + moves_above[number]
        if earliest <= iterations and not game.is_terminal(place.state):
            actions = list(game.legal_actions(place.state))
            mover = game.to_move(place.state)
            for action in actions:
                child = game.play(place.state, action)
                waiting.append(Place(number, action, child, mover, earliest))
                moves_above.append(moves_above[number] + len(actions))
        if len(waiting) > MOST_DEALT:
            raise SearchError(
                f"Be the search would have to deal more than {MOST_DEALT} positions of {game.name} "
                f"for {iterations} iterations. Give fewer iterations, or a position with fewer "
                "moves."
            )
        number += 1


def _facts(search: MCTS, place: Place, board: Any) -> dict[str, Any]:
    """One node: its position, and what an iteration that ends there brings."""
    game, state = search.game, place.state
    over = game.is_terminal(state)
    facts: dict[str, Any] = {
        "parent": place.parent,
        "mover": place.mover,
        "to_move": -1 if over else game.to_move(state),
        "text": plain(game.text(state)),
        "cells": list(map(int, board.cells(state))) if board else [],
        "over": _result(search, game.returns(state)) if over else None,
        "playout": None,
    }
    if not over and place.parent >= 0:
        playout = search.play_out(state, search.random)
        labels = []
        cells = []
        for action in playout.actions:
            labels.append(plain(game.action_label(state, action)))
            state = game.play(state, action)
            cells.append(list(map(int, board.cells(state))) if board else [])
        facts["playout"] = {"labels": labels, "cells": cells, **_result(search, playout.returns)}
    return facts


def _result(search: MCTS, returns: Returns) -> dict[str, Any]:
    """A result in words, and what it is worth by player; raises ``SearchError`` for odd rewards."""
    rewards = search.rewards(returns)
    if not set(rewards) <= set(REWARDS):
        raise SearchError(
            f"Be the search needs results that are a win, a draw or a loss; {search.game.name} "
            f"pays {returns}. Choose another game."
        )
    return {"said": outcome_text(search.game, returns), "rewards": list(rewards)}


def _label(game: Game[Any, Any], places: list[Place], place: Place) -> str:
    if place.parent < 0:
        return ""
    return plain(game.action_label(places[place.parent].state, place.action))


def _exact(game: Game[Any, Any], state: Any) -> dict[str, Any] | None:
    """The value of each move of the root for who moves there, and the perfect play after it.

    ``None`` where exact play cannot be had: of more or fewer than two players, or too large.
    """
    found: dict[str, Any] = {}
    with suppress(SearchError):
        for action, value in solve(game, state).action_values.items():
            after, line = game.play(state, action), []
            following = () if game.is_terminal(after) else solve(game, after).principal_variation
            for reply in following:
                line.append(plain(game.action_label(after, reply)))
                after = game.play(after, reply)
            label = plain(game.action_label(state, action))
            said = outcome_text(game, game.returns(after))
            found[label] = {"value": float(value), "line": line, "said": said}
        return found
    return None


def _walks(search: MCTS, state: Any, iterations: int) -> list[list[int]]:
    """The walks of UCT from the same playouts, each by places among the moves of its nodes."""
    trace, game = search.but().record(state, iterations=iterations, progress=False), search.game
    walks = []
    for leaf in trace.leaf:
        walk = []
        for node in trace.path(int(leaf))[1:]:
            above = trace.state(int(trace.parent[node]))
            walk.append(list(game.legal_actions(above)).index(trace.action_of(node)))
        walks.append(walk)
    return walks


# What mistakes cost ---------------------------------------------------------------------------


def _most_visits(child: Any, parent: Any, c: float) -> float:
    """The most visited child, which is how the final move is chosen."""
    return float(child.visits)


def _lowest_mean_of(
    opponents: Callable[[int], bool],
) -> Callable[[Any, Any, float], tuple[float, float]]:
    """UCB1 in which some players choose as if they wanted to lose."""

    def rule(child: Any, parent: Any, c: float) -> tuple[float, float]:
        mean, exploration = score_terms(MCTS.selection, child, parent, c)
        return (1 - mean if opponents(child.player_just_moved) else mean), exploration

    return rule


def _same_for_all(returns: Returns, player: int, root_player: int) -> float:
    """Every node is given what the result is worth to the player at the root."""
    return (returns[root_player] + 1) / 2


def _swapped(returns: Returns, player: int, root_player: int) -> float:
    """Every node is given the reward of the other side."""
    return (1 - returns[player]) / 2


def searches_with(root_player: int) -> dict[str, dict[str, Any]]:
    """For each mistake: the settings of a search that always makes it."""
    return {
        "highest_mean": {"selection": win_rate},
        "most_visits": {"selection": _most_visits},
        "fewest_visits": {"selection": uniform},
        "lowest_mean_opponent": {
            "selection": _lowest_mean_of(lambda player: player != root_player)
        },
        "same_for_all": {"reward": _same_for_all},
        "swapped": {"reward": _swapped},
        "draw_lost": {"reward": rewards_of(1, 0, 0)},
    }


COST_WORDS: Final = {
    "highest_mean": "follows the highest mean",
    "most_visits": "follows the most visits",
    "fewest_visits": "follows the fewest visits",
    "lowest_mean_opponent": "lets the opponent choose what is worst for it",
    "same_for_all": "gives the same reward to all",
    "swapped": "swaps the players",
    "draw_lost": "counts a draw as a loss",
}
"""For each mistake: what a search does that makes it, in a table of what mistakes cost."""


def _costs(search: MCTS, state: Any, iterations: int) -> dict[str, dict[str, str]]:
    """The moves that a search with each mistake plays, after a few iterations and after many."""
    game = search.game
    found = {}
    for name, changes in searches_with(game.to_move(state)).items():
        wrong = search.but(**changes)
        early = wrong.search(state, iterations=iterations, progress=False).best_action
        late = wrong.run(iterations=GROWN - iterations, progress=False).best_action
        label = game.action_label
        found[name] = {
            "said": COST_WORDS[name],
            "early": plain(label(state, early)),
            "late": plain(label(state, late)),
        }
    return found
