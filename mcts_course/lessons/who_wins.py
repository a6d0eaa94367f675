"""The exercises of lesson 12, Who wins?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist, fmean
from typing import Any, Final

from mcts_viz.games import ConnectFour, Nim, TicTacToe
from mcts_viz.search.agents import ExactAgent, MCTSAgent, RandomAgent

from ..arena import Tally, arena
from ..exercises import Case, Question, Task, texts_of
from ..figures import COLOURS, Figure, new_figure
from ..intervals import wilson_interval
from ..published import published
from ..q_learning import QLearner
from ..tables import Table, span

SAID: Final = texts_of(__name__)

# What the lesson measures --------------------------------------------------------------------


class Twins(Table):
    """One and the same random player under sixteen names; everybody meets everybody."""

    @property
    def strict(self) -> float:
        """Bonferroni's z, with which all the intervals hold together in 95 of 100 cases."""
        return NormalDist().inv_cdf(1 - 0.05 / len(self.wins) / 2)

    def decided(self, z: float) -> int:
        """How many matches leave one half outside their interval."""
        ends = [wilson_interval(won, self.games, z) for won in self.wins]
        return sum(not low <= 0.5 <= high for low, high in ends)


def twins_meet(games: int, seed: int, number: int = 16) -> Twins:
    """Matches of Nim, which knows no draws, between players of equal strength."""
    nim = Nim((3, 4, 5))
    twins: dict[str, Any] = {f"twin {n}": RandomAgent(nim) for n in range(number)}
    played = arena(twins, nim, games=games, seed=seed, progress=False)
    wins = [played.tally(*match).wins for match in combinations(twins, 2)]
    margin = 0.2 * games
    clear = sum(abs(won - games / 2) >= margin for won in wins)
    rows = [(len(wins), games, clear, f"{clear / len(wins):.2f}")]
    heads = ("matches", "games each", f"{games * 0.7:g} to {games * 0.3:g} or clearer", "share")
    return Twins(heads, rows, wins=wins, games=games, share=clear / len(wins))


def moving_second(seed: int, games: int = 60, iterations: int = 500) -> Table:
    """The sound search against one that counts a draw as a loss: who loses when moving second?"""
    game = TicTacToe()
    two: dict[str, Any] = {
        "MCTS 200": MCTSAgent(game, iterations),
        "canvas": published("canvas").agent(iterations),
    }
    duel = arena(two, game, games=games, seed=seed)
    rows, share = [], {}
    for name in two:
        tally = duel.tally(name, moving=1)
        interval = span(wilson_interval(tally.losses, tally.games))
        share[name] = tally.losses / tally.games
        told = "sound search" if name == "MCTS 200" else name
        rows.append((told, f"{tally.losses} of {tally.games}", interval))
    worst = max(share, key=lambda name: share[name])
    return Table(("moving second", "lost", "95 % interval"), rows, worst=worst)


class LongMatch(Table):
    """A search with 50 iterations against one with 25, and the match cut into shorter ones."""

    def __init__(self, games: int, seed: int) -> None:
        small = ConnectFour(4, 5)
        pair: dict[str, Any] = {n: MCTSAgent(small, iterations=int(n)) for n in ("50", "25")}
        self.result = arena(pair, small, games=games, seed=seed)
        self.points = [
            (1 + (played.returns or (0, 0))[played.players.index("50")]) / 2
            for played in self.result.games
        ]
        heads = ("games", "matches", "weaker level or ahead", "interval above one half")
        super().__init__(heads, [self._row(length) for length in (10, 40, 160)])

    def _row(self, length: int) -> tuple[Any, ...]:
        cut = self.cut(length)
        sure = fmean(low > 0.5 for _, low, _ in cut)
        return length, len(cut), f"{self.weaker_ahead(length):.2f}", f"{sure:.2f}"

    def cut(self, length: int) -> list[tuple[float, float, float]]:
        """The score of each match of that length, and its interval."""
        starts = range(0, len(self.points), length)
        sums = [sum(self.points[start : start + length]) for start in starts]
        return [(total / length, *wilson_interval(total, length)) for total in sums]

    def weaker_ahead(self, length: int) -> float:
        """The share of such matches in which the weaker one is level or ahead."""
        return fmean(score <= 0.5 for score, _, _ in self.cut(length))

    def picture(self) -> Figure:
        """Each match of ten games in its interval, and that of all games as a band."""
        figure, (axes,) = new_figure(height=3.0)
        for place, (score, low, high) in enumerate(self.cut(10), 1):
            axes.plot([place, place], [low, high], color=COLOURS["move-0"], linewidth=1)
            axes.plot(place, score, "o", color=COLOURS["move-0"], markersize=3)
        ends = self.result.tally("50").interval
        axes.axhspan(*ends, color=COLOURS["move-1"], alpha=0.4, label="all 640 games, 95 %")
        axes.axhline(0.5, color=COLOURS["ink"], linestyle="--", label="equally strong")
        axes.set(xlabel="match of ten games", ylabel="score of the stronger", ylim=(0, 1))
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
        return figure


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


def schooled(game: Any, games: int, seed: int) -> QLearner:
    """A learner that has played itself, with an exam against chance after every 1,000 games."""
    chance = RandomAgent(game)

    def exam(learner: QLearner) -> float:
        pair: dict[str, Any] = {"learner": learner, "chance": chance}
        played = arena(pair, game, games=60, seed=seed, progress=False)
        return float(played.tally("learner").score)

    learner = QLearner(game, alpha=0.5, epsilon=0.5, seed=seed)
    return learner.train(games, measure=exam, every=1000)


def met_after(learner: QLearner, games: int) -> int:
    """How many positions were in the table after so many games."""
    return next(point.positions for point in learner.curve if point.episodes == games)


def large_exam(game: Any, games: int, seed: int) -> Table:
    """A learner in a game that is too large for its table, against chance and a short search."""
    pupil = QLearner(game, alpha=0.5, epsilon=0.5, seed=seed).train(games)
    others: dict[str, Any] = {
        "pupil": pupil,
        "chance": RandomAgent(game),
        "MCTS 20": MCTSAgent(game, 20),
    }
    played = arena(others, game, games=40, seed=seed, progress=False)
    asked = list(played.positions("pupil"))
    unknown = fmean(not pupil.knows(state) for state in asked)
    rows = [("positions in the table", f"{pupil.positions:,}")]
    rows.append(("of the positions in its games, unknown", f"{unknown:.0%}"))
    for name in ("chance", "MCTS 20"):
        rows.append((f"score against {name}", f"{played.tally('pupil', name).score:.2f}"))
    return Table(("the learner", ""), rows, unknown=unknown)


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


def _matches() -> str:
    lines = ["match  won-drawn-lost  score   95 % interval"]
    for name, tally in _MATCHES.items():
        low, high = tally.interval
        lines.append(f"{name:<5}{tally!s:>16}{tally.score:>7.3f}  {low:.3f} to {high:.3f}")
    return "\n".join(lines)


read_intervals: Final = Question(
    SAID["read_intervals"],
    text=_matches(),
    right=_verdicts(_by_interval),
    wrong={
        "the leader": _verdicts(_by_score),
        "a large lead": _verdicts(_by_size),
        "above 0": _verdicts(lambda tally: _by_interval(tally, 0.0)),
        "draws left out": _verdicts(_without_draws),
        "all open": _verdicts(lambda tally: "open"),
    },
)


# One step of Q-learning ----------------------------------------------------------------------


def _new_value(
    value: float, reward: float, next_values: Sequence[float], same_player: bool, alpha: float
) -> float:
    target = reward
    if next_values:
        target = max(next_values) if same_player else -max(next_values)
    return value + alpha * (target - value)


write_new_value: Final = Task(
    SAID["write_new_value"],
    solution=_new_value,
    cases=(
        Case("when the player to move wins at once", (0.0, 1.0, [], False, 0.5)),
        Case("when the player to move loses at once", (0.5, -1.0, [], False, 0.2)),
        Case("when the opponent moves next", (0.25, 0.0, [0.5, -0.75, 0.0], False, 0.5)),
        Case("when the player to move moves again", (0.25, 0.0, [0.5, -0.75, 0.0], True, 0.5)),
        Case("when all moves of the opponent lose", (0.0, 0.0, [-1.0, -0.5], False, 0.1)),
    ),
    wrong={
        "no change of sign": {"-max(": "max("},
        "always a change": {"max(next_values) if same_player else ": ""},
        "the lowest": {"-max(": "min("},
        "the average": {
            "max(next_values) if same_player else -max(next_values)": (
                "(1 if same_player else -1) * sum(next_values) / len(next_values)"
            )
        },
        "the reward's sign": {"target = reward": "target = -reward"},
        "no reward": {"target = reward": "target = 0"},
        "the target itself": {"value + alpha * (target - value)": "target"},
        "part of the target": {"(target - value)": "target"},
        "alpha swapped": {
            "value + alpha * (target - value)": "alpha * value + (1 - alpha) * target"
        },
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
    text="The score stays at 0.55. After how many games, in steps of 20, is 0.5 outside?",
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
