"""Experiments and exercises of the lesson *Who wins?*"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from statistics import NormalDist, fmean
from typing import Any, Final

from mcts_viz.games import ConnectFour, Nim, TicTacToe
from mcts_viz.search.agents import ExactAgent, MCTSAgent, RandomAgent

from ..arena import ArenaResult, Tally, arena
from ..boards import Picture, show_board
from ..exercises import Question, texts_of
from ..figures import COLOURS, Figure, Slider, new_figure
from ..intervals import verdict, wilson_interval
from ..published import published
from ..tables import Table, span

SAID: Final = texts_of(__name__)
CANVAS: Final = published("canvas")

# Experiments --------------------------------------------------------------------


class Copies(Table):
    """The same random player under sixteen names; each meets each."""

    @property
    def strict(self) -> float:
        """Bonferroni's z, with which all the intervals hold together in 95 of 100 cases."""
        return NormalDist().inv_cdf(1 - 0.05 / len(self.wins) / 2)

    def decided(self, z: float) -> int:
        """Count the matches that leave one half outside their interval."""
        ends = [wilson_interval(won, self.games, z) for won in self.wins]
        return sum(not low <= 0.5 <= high for low, high in ends)


def copies_meet(games: int, seed: int, number: int = 16) -> Copies:
    """Matches of Nim, which knows no draws, between players of equal strength."""
    nim = Nim((3, 4, 5))
    copies: dict[str, Any] = {f"copy {n}": RandomAgent(nim) for n in range(number)}
    played = arena(copies, nim, games=games, seed=seed, progress=False)
    wins = [played.tally(*match).wins for match in combinations(copies, 2)]
    margin = 0.2 * games
    clear = sum(abs(won - games / 2) >= margin for won in wins)
    rows = [(len(wins), games, clear, f"{clear / len(wins):.2f}")]
    heads = ("matches", "games each", f"{games * 0.7:g} to {games * 0.3:g} or clearer", "share")
    return Copies(heads, rows, wins=wins, games=games, share=clear / len(wins))


def moving_second(seed: int, games: int = 60, iterations: int = 500) -> Table:
    """A correct search against one that counts a draw as a loss: who loses when moving second?"""
    game = TicTacToe()
    two: dict[str, Any] = {
        "MCTS": MCTSAgent(game, iterations),
        "canvas": CANVAS.agent(iterations),
    }
    duel = arena(two, game, games=games, seed=seed)
    rows, ends = [], []
    for name in two:
        tally = duel.tally(name, moving=1)
        ends.append(wilson_interval(tally.losses, tally.games))
        rows.append((name, f"{tally.losses} of {tally.games}", span(ends[-1])))
    worst = verdict(ends[0], ends[1], "MCTS", "canvas", "no clear difference")
    return Table(("moving second", "lost", "95 % interval"), rows, worst=worst)


def one_game(result: ArenaResult, first: str, second: str) -> Picture:
    """Show the first game between two players in which ``first`` moved second, move by move."""
    game = TicTacToe()
    played = next(each for each in result.games if each.players == (second, first))
    states = [game.initial_state()]
    for action in played.actions:
        states.append(game.play(states[-1], action))
    names = [f"{played.players[0]} is X", *(f"move {n}" for n in range(1, len(states)))]
    return show_board(game, *states, names=names)


def interval_slider(score: float) -> Slider:
    """Drag the number of games, and see the interval of this score."""

    def figure(games: int) -> Figure:
        low, high = wilson_interval(score * games, games)
        drawn, (axes,) = new_figure(7.2, 1.6)
        axes.plot([low, high], [0, 0], color=COLOURS["move-0"], linewidth=5)
        axes.plot(score, 0, "o", color=COLOURS["move-1"])
        axes.axvline(0.5, color=COLOURS["ink"], linestyle="--")
        axes.set(xlim=(0, 1), yticks=[], xlabel=f"match score in {games} games")
        says = "excludes one half" if low > 0.5 else "does not exclude one half"
        axes.set_title(f"{low:.3f} to {high:.3f}: {says}", fontsize=10)
        return drawn

    return Slider(figure, "games", list(range(10, 101, 5)), 10)


def long_match(games: int, seed: int) -> Table:
    """A search with 50 iterations against one with 25, and the match cut into shorter ones."""
    small = ConnectFour(4, 5)
    pair: dict[str, Any] = {n: MCTSAgent(small, iterations=int(n)) for n in ("50", "25")}
    result = arena(pair, small, games=games, seed=seed)
    points = [(1 + played.returns[played.players.index("50")]) / 2 for played in result.games]

    def cut(length: int) -> list[tuple[float, float, float]]:
        """The score of each match of that length, and its interval."""
        sums = [sum(points[start : start + length]) for start in range(0, games, length)]
        return [(total / length, *wilson_interval(total, length)) for total in sums]

    def picture() -> Figure:
        """Each match of ten games in its interval, and that of all games as a band."""
        figure, (axes,) = new_figure(height=3.0)
        for place, (score, low, high) in enumerate(cut(10), 1):
            axes.plot([place, place], [low, high], color=COLOURS["move-0"], linewidth=1)
            axes.plot(place, score, "o", color=COLOURS["move-0"], markersize=3)
        ends = result.tally("50").interval
        axes.axhspan(*ends, color=COLOURS["move-1"], alpha=0.4, label="all 640 games, 95 %")
        axes.axhline(0.5, color=COLOURS["ink"], linestyle="--", label="equally strong")
        axes.set(xlabel="match of ten games", ylabel="score of the stronger", ylim=(0, 1))
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
        return figure

    rows = []
    for length in (10, 40, 160):
        matches = cut(length)
        behind = fmean(score <= 0.5 for score, _, _ in matches)
        sure = fmean(low > 0.5 for _, low, _ in matches)
        rows.append((length, len(matches), f"{behind:.2f}", f"{sure:.2f}"))
    heads = ("games", "matches", "weaker level or ahead", "interval above one half")
    return Table(heads, rows, picture=picture)


def fixed_players(seed: int, games: int = 100) -> Table:
    """Two players without chance, with and without random moves at the start."""
    game = TicTacToe()

    def leftmost(state: Any) -> Any:
        return game.legal_actions(state)[0]

    rows = []
    for opening in (0, 2):
        pair: dict[str, Any] = {"exact": ExactAgent(game), "leftmost": leftmost}
        played = arena(pair, game, games=games, seed=seed, opening=opening, progress=False)
        rows.append((opening, f"{played.tally('exact').score:.2f}", played.different))
    return Table(("random moves at the start", "score of exact play", "different games"), rows)


# What is decided? ----------------------------------------------------------------------------

_MATCHES: Final = {
    "A-B": Tally(13, 1, 6),
    "C-D": Tally(118, 0, 82),
    "E-F": Tally(35, 30, 75),
    "G-H": Tally(70, 30, 40),
}


def _verdicts(judge: Callable[[Tally], str]) -> dict[str, str]:
    return {name: judge(tally) for name, tally in _MATCHES.items()}


def _by_interval(tally: Tally, level: float = 0.5) -> str:
    low, high = tally.interval
    return "first" if low > level else "second" if high < level else "open"


def _by_score(tally: Tally) -> str:
    return "first" if tally.score > 0.5 else "second"


def _by_size(tally: Tally) -> str:
    """Only a lead of more than ten points in a hundred counts."""
    return _by_score(tally) if abs(tally.score - 0.5) > 0.1 else "open"


def _without_draws(tally: Tally) -> str:
    """The share of wins is held against one half, draws being no better than losses."""
    low, high = wilson_interval(tally.wins, tally.games)
    return "first" if low > 0.5 else "second" if high < 0.5 else "open"


read_intervals: Final = Question(
    SAID["read_intervals"],
    right=_verdicts(_by_interval),
    wrong={
        "the leader": _verdicts(_by_score),
        "a large lead": _verdicts(_by_size),
        "above 0": _verdicts(lambda tally: _by_interval(tally, 0.0)),
        "draws left out": _verdicts(_without_draws),
        "all open": _verdicts(lambda tally: "open"),
    },
)


# How many games? -----------------------------------------------------------------------------

_SCORE: Final = 0.55
_STEP: Final = 20


def _enough(z: float = 1.96, score: float = _SCORE) -> int:
    """The first multiple of 20 whose whole interval lies above one half."""
    games = _STEP
    while wilson_interval(score * games, games, z)[0] <= 0.5:
        games += _STEP
    return games


how_many_games: Final = Question(
    SAID["how_many_games"],
    right=_enough(),
    wrong={
        "a first look": _STEP,
        "a clear lead": 100,
        "one step short": _enough() - _STEP,
        "nine in ten": _enough(NormalDist().inv_cdf(0.95)),
        "99 %": _enough(NormalDist().inv_cdf(0.995)),
        "half the lead": _enough(score=0.525),
    },
    tolerance=0.5,
)
