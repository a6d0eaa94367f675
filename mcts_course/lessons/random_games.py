"""Experiments and exercises of the lesson *Can random games tell a good move?*"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, product
from random import Random
from typing import Any, Final

from mcts_viz.errors import require
from mcts_viz.games import Game, TicTacToe
from mcts_viz.search import MCTS, variants

from ..measure.experiments import (
    Counts,
    best_moves,
    by_budget,
    count_table,
    is_contested,
    levels,
    plot_counts,
    tracked,
)
from ..measure.intervals import wilson_interval
from ..measure.random_play import RandomPlay
from ..show.figures import Figure
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
FLAT: Final[Mapping[str, Any]] = {
    "selection": variants.uniform,
    "expansion": variants.expand_root_only,
    "recommendation": variants.max_child,
}
"""Three parts that make a search flat: fewest games first, no tree, highest mean at the end."""


# Experiments ----------------------------------------------------------------------


@typed_door
def exact_means(game: Game[Any, Any]) -> dict[Any, float]:
    """Return, by move, its exact mean reward in random games for who makes it, in [0, 1]."""
    return RandomPlay(game).rewards(game.initial_state())


@typed_door
def kind_of_cell(cell: int) -> str:
    """Say if a cell of tic-tac-toe is the centre, a corner or an edge."""
    if cell == 4:
        return "the centre (4)"
    return "an edge (1)" if cell % 2 else "a corner (0)"


@typed_door
def interval_widths(games: Sequence[int], seeds: int) -> Table:
    """The width of an interval for X in the centre, and how many contain the true mean."""
    start = GAME.initial_state()
    truth, after = exact_means(GAME)[4], GAME.play(start, 4)
    found: dict[int, list[tuple[float, float]]] = {count: [] for count in games}
    for count, seed in tracked(list(product(games, range(seeds))), "estimates"):
        search = MCTS(GAME, seed=seed)
        root = search.start(after)
        total = sum(search.simulate(root).returns[0] for _ in range(count))
        found[count].append(wilson_interval((total + count) / 2, count))
    rows = []
    width = {}
    for count, ends in found.items():
        width[count] = sum(high - low for low, high in ends) / seeds
        inside = sum(low <= truth <= high for low, high in ends)
        rows.append((count, f"{width[count]:.3f}", f"{inside} of {seeds}"))
    return Table(("games", "width", "intervals that contain the true mean"), rows, width=width)


def _mistakes(rewards: Mapping[Any, float], best: Collection[Any]) -> tuple[float, float]:
    """The share of mistakes among the moves with the highest mean, and among all moves."""
    highest = max(rewards.values()) - 1e-9
    favourites = [move for move, reward in rewards.items() if reward >= highest]
    wrong = rewards.keys() - set(best)
    return len(wrong & set(favourites)) / len(favourites), len(wrong) / len(rewards)


@typed_door
def favourites(game: TicTacToe) -> Table:
    """Count the positions in which the favourite of random games is a mistake, by their pieces.

    Where several moves share the highest mean, one of them is picked at random: such a position
    counts by the share of them that are mistakes.
    """
    means = RandomPlay(game)
    found = {}
    for number, states in enumerate(levels()):
        contested = filter(is_contested, states)
        found[str(number)] = [_mistakes(means.rewards(s), best_moves(s)) for s in contested]
    found["all"] = list(chain.from_iterable(found.values()))
    rows = []
    for pieces, each in found.items():
        shares = [f"{sum(column) / len(each):.1%}" for column in zip(*each, strict=True)]
        rows.append((pieces, len(each), *(shares or "––")))
    heads = (
        "pieces",
        "a mistake is possible",
        "the favourite is a mistake",
        "a move at random is a mistake",
    )
    of_favourites, _ = zip(*found["all"], strict=True)
    return Table(heads, rows, possible=len(found["all"]), mistakes=sum(of_favourites))


@typed_door
def plot_blocking(state: Any, games: Sequence[int], seeds: int) -> Counts:
    """Count the searches that find the one right move: flat ones, and ones that grow a tree."""
    best = best_moves(state)
    require(len(best) == 1, "state", "a position with one best move", GAME.text(state))
    [right] = best
    kinds: Mapping[str, Mapping[str, Any]] = {"flat": FLAT, "tree": {}}
    found = {name: by_budget(GAME, state, [right], games, seeds, kinds[name]) for name in kinds}

    def picture() -> Figure:
        figure, axes = plot_counts({f"{name} search": found[name] for name in kinds})
        axes.set(xlabel="games", ylabel=f"searches of {seeds} that play {right}")
        return figure

    counts = {
        f"{name}, {budget:,} games": found[name][budget] for name in kinds for budget in games
    }
    return count_table("search", f"play {right}", counts, seeds, picture=picture)


# How many games? -------------------------------------------------------------------------------

games_needed: Final = Question(
    SAID["games_needed"],
    right=3200,
    wrong={
        "half the width": 800,
        "halved once": 1600,
        "twice the games": 400,
        "still to be played": 3000,
        "fewer games": 50,
    },
)


# Flat Monte Carlo ------------------------------------------------------------------------------


class _RandomGame:
    """Random games with known rewards: each call plays the next one after ``move``."""

    def __init__(self, **rewards: Sequence[float]) -> None:
        self.rewards = rewards
        self.played = dict.fromkeys(rewards, 0)

    def __call__(self, move: str) -> float:
        number = self.played[move]
        self.played[move] += 1
        return self.rewards[move][number % len(self.rewards[move])]


def _case(words: str, games: int, **rewards: Sequence[float]) -> Case:
    return Case(words, (list(rewards), _RandomGame(**rewards), games))


def _drawn(seed: int) -> Case:
    """A case at random, so that no other count of rewards plays the same moves as the sum."""
    draw = Random(seed)
    games = draw.randint(3, 6)
    rewards = {move: tuple(draw.choices((0, 0.5, 1), k=games)) for move in "abc"}
    shown = [f"{move} brings {', '.join(f'{r:g}' for r in all_)}" for move, all_ in rewards.items()]
    return _case(f"where {'; '.join(shown)}", games, **rewards)


def _flat_monte_carlo(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> str:
    rewards = {move: sum(random_game(move) for _ in range(games)) for move in moves}
    return max(rewards, key=lambda move: rewards[move])


def _best_moves(moves: Sequence[str], random_game: _RandomGame, games: int) -> set[str]:
    """The moves with the highest sum of their first rewards; several, if they are level."""
    sums = {m: sum((list(random_game.rewards[m]) * games)[:games]) for m in moves}
    return {move for move in moves if sums[move] == max(sums.values())}


def _played_and_chosen(arguments: tuple[Any, ...], result: Any) -> Any:
    best = _best_moves(*arguments)
    known = isinstance(result, str) and len(best) > 1 and result in best
    return {
        "chosen": min(best) if known else result,
        "games": tuple(arguments[1].played.values()),
    }


def _told(observed: Any) -> str:
    games = ", ".join(f"{count:g}" for count in observed["games"])
    chosen = observed["chosen"]
    chosen = f"{chosen:g}" if isinstance(chosen, float) else chosen or "nothing"
    return f"{chosen} after {games} games"


_SUM: Final = "sum((random_game(move) for _ in range(games)))"
_BEST: Final = "max(rewards, key=lambda move: rewards[move])"

write_flat_monte_carlo: Final = Task(
    SAID["write_flat_monte_carlo"],
    solution=_flat_monte_carlo,
    cases=(
        _case("with moves a, b and 1 game each", 1, a=(0,), b=(1,)),
        _case("where a draws three times and b wins once", 3, a=(0.5, 0.5, 0.5), b=(1, 0, 0)),
        _case("where a loses only its last game", 3, a=(1, 1, 0), b=(0, 0, 1)),
        _case("where a wins once and b three times", 4, a=(1, 0, 0, 0), b=(0, 1, 1, 1)),
        _case("where every game is lost", 2, a=(0, 0), b=(0, 0)),
        _case("with moves a, b, c and 6 games each", 6, a=(0, 0.5), b=(0, 1, 1), c=(1, 0, 0)),
        _case("where a draws three times and b wins twice", 3, a=(0.5, 0.5, 0.5), b=(1, 1, 0)),
        *map(_drawn, range(12)),
    ),
    wrong={
        "wins alone": {_SUM: "[random_game(move) for _ in range(games)].count(1)"},
        "the last game": {_SUM: "[random_game(move) for _ in range(games)][-1]"},
        "the worst move": {"return max": "return min"},
        "the mean itself": {_BEST: "max(rewards.values()) / games"},
        "best starts at 0": {_BEST: f"{_BEST} if max(rewards.values()) > 0 else None"},
        "the best game": {"sum(": "max("},
        "the worst game": {"sum(": "min("},
        "one game": {"range(games)": "range(1)"},
        "games shared": {"range(games)": "range(games // len(moves))"},
        "one too many": {"range(games)": "range(games + 1)"},
        "one too few": {"range(games)": "range(games - 1)"},
    },
    observe=_played_and_chosen,
    say=_told,
)
