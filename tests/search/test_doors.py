"""Mistyped arguments are one sentence, an error is the one's who made it, and calls are short."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from mcts_viz import (
    MCTS,
    MCTSAgent,
    Nim,
    Recorder,
    SearchError,
    TicTacToe,
    minimax,
    random_playout,
    solve,
)
from mcts_viz.errors import GameError
from mcts_viz.games import Game, Playout
from tools.calls import entered

GAME: Any = TicTacToe()
MISTYPED: dict[str, tuple[Any, str]] = {
    "sed": (lambda: MCTS(GAME, sed=1), "MCTS takes seed=, not sed=."),
    "no game": (lambda: MCTS(), "MCTS needs game, and takes at most 3 arguments without a name"),
    "too many": (lambda: MCTS(GAME, 1.4, 1, 2), "MCTS needs game, and takes at most 3 arguments"),
    "iteration": (
        lambda: MCTS(GAME).search(iteration=9),
        "MCTS.search takes iterations=, not iteration=.",
    ),
    "rounds": (lambda: MCTS(GAME).record(xyz=9), "MCTS.record takes state=, iterations=, "),
    "positional": (lambda: MCTS(GAME).run(9), "MCTS.run needs no argument, and takes no argument"),
    "minimax": (lambda: minimax(GAME, stat=1), "minimax takes state=, not stat=."),
    "solve": (lambda: solve(), "solve needs game, "),
    "agent": (lambda: MCTSAgent(), "MCTSAgent needs game"),
    "hook": (
        lambda: MCTS(GAME).search(iterations=1, hooks=[Recorder]),
        "is a class: write Recorder().",
    ),
}


@pytest.mark.parametrize("name", MISTYPED)
def test_a_mistyped_argument_is_one_sentence(name: str) -> None:
    call, words = MISTYPED[name]
    with pytest.raises(SearchError) as refusal:
        call()
    assert words in str(refusal.value)


def test_a_type_error_of_ones_own_is_not_taken_for_a_mistyped_argument() -> None:
    def playout(game: Any, state: Any, random: Any) -> Any:
        return len(3)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="has no len"):
        MCTS(GAME, playout=playout).search(iterations=1)


class Steps(Game[Any, Any]):
    """Add 1 or 2; whoever reaches 6 wins."""

    def initial_state(self) -> Any:
        return (0, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def legal_actions(self, state: Any) -> Any:
        return (1, 2)

    def play(self, state: Any, action: Any) -> Any:
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] >= 6)

    def returns(self, state: Any) -> Any:
        return (1.0, -1.0) if state[1] else (-1.0, 1.0)


class Typo(Steps):
    def is_terminal(self, state: Any) -> bool:
        return bool(stat[0] >= 6)  # type: ignore[name-defined]  # noqa: F821


class NoReturn(Steps):
    def initial_state(self) -> Any:
        pass


@pytest.mark.parametrize("state", [None, (0, 0)])
def test_a_typo_in_a_game_is_its_authors(state: Any) -> None:
    with pytest.raises(NameError, match="stat") as error:
        MCTS(Typo()).search(state, iterations=9)
    notes = getattr(error.value, "__notes__", [])
    assert len(notes) == len({*notes}) <= 1, "said once"


def test_a_missing_return_is_named() -> None:
    with pytest.raises(GameError, match=r"initial_state\(\) returned None: did you forget"):
        MCTS(NoReturn()).search(iterations=9)


def test_stop_inside_a_search_of_a_playout_stops_both() -> None:
    played = []

    def struck(game: Any, state: Any, random: Any) -> Playout:
        played.append(state)
        if len(played) == 4 * 3 + 2:
            signal.raise_signal(signal.SIGINT)
        return random_playout(game, state, random)

    inner = MCTS(Nim(), seed=1, playout=struck)

    def playout(game: Any, state: Any, random: Any) -> Playout:
        result = inner.search(iterations=3, progress=False)
        assert result.iterations == 3, "no playout goes on with the result of a stopped search"
        return Playout((), (0.0, 0.0))

    outer = MCTS(GAME, seed=1, playout=playout)
    result = outer.search(iterations=50)
    assert (result.interrupted, result.iterations) == (True, 4)
    assert outer.root.visits == 4 == len(outer.nodes) - 1, "the tree is whole"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_way_in_is_short() -> None:
    made = entered(lambda: MCTS(GAME, c=1.2))
    assert len(made) <= 12
    assert len({file for file, _ in made}) <= 4
    recorded = entered(lambda: MCTS(GAME, seed=1).record(iterations=1))
    assert len(recorded) <= 80, "50 is the goal"
