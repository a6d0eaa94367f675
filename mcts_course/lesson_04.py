"""The exercises of lesson 04, Explore or exploit?

``MACHINES`` are the arms that the reader pulls by hand; their chances are told late in the lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log, sqrt
from typing import Any, Final

from mcts_viz.games import Bandit
from mcts_viz.search import MCTS, ucb1, variants
from mcts_viz.trace import record

from .exercises import Case, Question, Task, texts_of
from .figures import COLOURS, Figure, Slider, forms_of, new_figure
from .plots import plot_regrets
from .regret import one_decision, pull, regret, regrets
from .tables import Table

SAID: Final = texts_of(__name__)
MACHINES: Final = Bandit((0.3, 0.5, 0.2, 0.7))


POLICIES: Final[Mapping[str, Mapping[str, Any]]] = {
    "uniform": {"selection": variants.uniform},
    "greedy": {"selection": variants.win_rate},
    "epsilon-greedy": {
        "selection": variants.win_rate,
        "tie_break": variants.epsilon_greedy(0.1),
    },
    "UCB1, c = 1.41": {},
    "UCB1, c = 0.5": {"c": 0.5},
}
"""Five ways to play the machines, as arguments of ``MCTS``."""


# Playing the machines --------------------------------------------------------------------------


def steered(bandit: Bandit, pulls: str, seed: int | None = None) -> MCTS:
    """A search that pulls what the letters of ``pulls`` say, with the luck of ``seed``."""
    return one_decision(bandit, seed, tie_break=variants.following(pulls))


def luck(bandit: Bandit, pulls: str, seed: int) -> list[bool]:
    """Of each pull whether it wins: pull n draws the same ticket for every player."""
    if not pulls:
        return []
    trace = record(steered(bandit, pulls, seed), iterations=len(pulls), progress=False)
    return [trace.outcomes[number].returns[0] > 0 for number in trace.outcome]


def wins(bandit: Bandit, pulls: str, seed: int) -> int:
    """How many of these pulls win."""
    return sum(luck(bandit, pulls, seed))


class SlotMachines:
    """A row of machines to click, with so many pulls; ``pulls`` holds the letters so far.

    ``play(letters)`` pulls without a click, where no widgets can live.
    """

    def __init__(self, bandit: Bandit, pulls: int = 40, seed: int = 0) -> None:
        self.bandit, self.most, self.seed = bandit, pulls, seed
        self.pulls = ""
        self._box: Any = None

    def play(self, letters: str) -> None:
        """Pull these arms, as far as pulls are left."""
        self.pulls = (self.pulls + letters)[: self.most]
        self._show()

    def __repr__(self) -> str:
        parts = [f"{self.most - len(self.pulls)} pulls left, {sum(self._won())} wins"]
        for arm in self.bandit.arms:
            parts.append(f"{arm}: {sum(self._won(arm))} of {len(self._won(arm))}")
        return "; ".join(parts)

    def _won(self, arm: str = "") -> list[bool]:
        """Of each pull so far, or of each of an arm, whether it won."""
        won = luck(self.bandit, self.pulls, self.seed)
        return [win for letter, win in zip(self.pulls, won, strict=True) if arm in ("", letter)]

    def _repr_mimebundle_(self, **_: Any) -> Any:
        import ipywidgets  # slow to load, and of no use without a notebook

        if self._box is None:
            self._machines = {}
            for arm in self.bandit.arms:
                button = ipywidgets.Button(
                    description=f"Pull {arm}", tooltip=f"Pull the arm of machine {arm}"
                )
                button.on_click(lambda _, arm=arm: self.play(arm))
                self._machines[arm] = (button, ipywidgets.HTML())
            self._line = ipywidgets.HTML()
            row = [ipywidgets.VBox(pair) for pair in self._machines.values()]
            self._box = ipywidgets.VBox([ipywidgets.HBox(row), self._line])
        self._show()
        return {**forms_of(self._box), "text/plain": repr(self)}

    def _show(self) -> None:
        if self._box is None:
            return
        for arm, (button, text) in self._machines.items():
            mine = self._won(arm)
            signs = "".join("●" if win else "○" for win in mine)
            text.value = f"{sum(mine)} of {len(mine)} won<br>{signs or '&nbsp;'}"
            button.disabled = len(self.pulls) >= self.most
        won, told = self._won(), "● is a win, ○ a loss. "
        if won:
            told = f"{self.pulls[-1]} {'won' if won[-1] else 'lost'}. "
        self._line.value = (
            f"{told}{self.most - len(self.pulls)} of {self.most} pulls left, {sum(won)} wins."
        )


def after_pulls(bandit: Bandit, pulls: str, seed: int = 0) -> Table:
    """What UCB1 knows after these pulls: both terms for each arm, and which is ``next``."""
    search = steered(bandit, pulls, seed)
    search.search(iterations=len(pulls), progress=False)
    rows, scores = [], {}
    for arm in search.root.children:
        mean, exploration = ucb1(arm, search.root, search.c)
        scores[str(arm.action)] = mean + exploration
        share = f"{arm.wins:g}/{arm.visits}"
        rows.append(
            (arm.action, share, *(f"{x:.2f}" for x in (mean, exploration, mean + exploration)))
        )
    heads = ("arm", "w/n", "mean", "exploration", "score")
    return Table(heads, rows, next=max(scores, key=lambda arm: scores[arm]))


# The race, and c -------------------------------------------------------------------------------


class Race(Table):
    """The regrets of some policies; ``order`` names them, the highest regret first."""

    def stuck(self, name: str) -> int:
        """How many players of this policy still pull an arm that is not the best at the end."""
        rows = self.curves[name]
        return int(sum(row[-1] - row[-2] > 0 for row in rows))

    def plot(self) -> Figure:
        """The mean regrets in their 95 % intervals, and your own pulls as dots."""
        return plot_regrets(self.curves, alone={"you": self.mine} if len(self.mine) else None)


def race(bandit: Bandit, pulls: int, seeds: int, mine: str = "") -> Race:
    """Each of ``POLICIES`` on the machines, with so many seeds; and your own pulls beside them."""
    curves = regrets(bandit, POLICIES, pulls=pulls, seeds=range(seeds))
    rows = []
    for name, regret_rows in curves.items():
        half, whole = regret_rows[:, pulls // 2 - 1].mean(), regret_rows[:, -1].mean()
        rows.append((name, f"{half:.1f}", f"{whole - half:.1f}", f"{whole:.1f}"))
    order = sorted(curves, key=lambda name: -curves[name][:, -1].mean())
    heads = ("policy", f"first {pulls // 2}", "the rest", "regret")
    own = regret(bandit, mine) if mine else ()
    return Race(heads, rows, curves=curves, order=order, mine=own)


class RegretByC(Table):
    """The regret for each c; ``best`` is the c with the lowest."""

    def slider(self) -> Slider:
        """Drag c: the regret with its interval, and where your c stands among the others."""
        return Slider(lambda c: self.figure(c), "c", list(self.ends), self.best)

    def figure(self, c: float) -> Figure:
        """The regret by c, with ``c`` marked."""
        figure, (axes,) = new_figure(7.2, 2.8)
        places = {each: place for place, each in enumerate(self.ends)}
        for each, ends in self.ends.items():
            colour = COLOURS["move-1" if each == c else "move-0"]
            mean, half = _mean_and_half(ends)
            axes.errorbar([places[each]], [mean], [half], fmt="o", color=colour, capsize=4)
        mean = self.ends[c].mean()
        axes.annotate(
            f"c = {c:g}: {mean:.1f}", (places[c], mean), (8, 4), textcoords="offset points"
        )
        axes.set_xticks(list(places.values()), [f"{each:g}" for each in places])
        axes.set(xlabel="c", ylabel="regret after 500 pulls", xlim=(-0.5, len(places)))
        axes.set_ylim(bottom=0)
        return figure


def _mean_and_half(ends: Any) -> tuple[float, float]:
    """The mean of an array of regrets, and how far its 95 % interval reaches to either side."""
    return ends.mean(), 1.96 * ends.std(ddof=1) / sqrt(len(ends))


def regret_by_c(bandit: Bandit, pulls: int, seeds: int) -> RegretByC:
    """The regret of UCB1 for six exploration constants."""
    settings: Any = {c: {"c": c} for c in (0, 0.1, 0.25, 0.5, 1, 1.41)}
    curves: Any = regrets(bandit, settings, pulls=pulls, seeds=range(seeds))
    ends = {c: found[:, -1] for c, found in curves.items()}
    rows = [(f"{c:g}", "{:.1f} ± {:.1f}".format(*_mean_and_half(ends[c]))) for c in ends]
    best = min(ends, key=lambda c: ends[c].mean())
    return RegretByC(("c", "regret"), rows, ends=ends, best=best)


def shares_of_the_better(worse: float, better: Sequence[float], pulls: int, seeds: int) -> Table:
    """Two arms: which share of UCB1's pulls goes to the better one, and how often it loses."""
    rows, less = [], {}
    for chance in better:
        found = [pull(Bandit((worse, chance)), pulls, seed).count("B") for seed in range(seeds)]
        less[chance] = sum(count < pulls / 2 for count in found)
        share = sum(found) / pulls / seeds
        rows.append((f"{worse:g} and {chance:g}", f"{share:.0%}", f"{less[chance]} of {seeds}"))
    heads = ("chances", "pulls of the better arm", "it gets less than half")
    return Table(heads, rows, less_than_half=less)


# Regret ----------------------------------------------------------------------------------------

_CHANCES: Final = {"A": 0.2, "B": 0.5, "C": 0.6}
_PULLS: Final = "CABBC"
_WINS: Final = (0, 1, 1, 0, 1)
_BEST: Final = max(_CHANCES.values())

regret_of_five: Final = Question(
    SAID["regret_of_five"],
    text=(
        "The chances are A 0.2, B 0.5 and C 0.6. The pulls "
        + ", ".join(
            f"{arm} ({'won' if w else 'lost'})" for arm, w in zip(_PULLS, _WINS, strict=True)
        )
        + ". What is the regret?"
    ),
    right=float(regret(Bandit(tuple(_CHANCES.values())), _PULLS)[-1]),
    wrong={
        "the wins": len(_PULLS) * _BEST - sum(_WINS),
        "other arms counted": sum(arm != "C" for arm in _PULLS),
        "a sure win": sum(1 - _CHANCES[arm] for arm in _PULLS),
        "of one pull": sum(_BEST - _CHANCES[arm] for arm in _PULLS) / len(_PULLS),
        "expected wins": sum(_CHANCES[arm] for arm in _PULLS),
    },
)


# UCB1 ------------------------------------------------------------------------------------------

_Count = Mapping[str, float]


def _next_arm(wins: _Count, pulls: _Count, c: float) -> str:
    total = sum(pulls.values())

    def score(arm: str) -> float:
        n = pulls[arm]
        return wins[arm] / n + c * sqrt(log(total) / n) if n else inf

    return max(pulls, key=score)


def _arm(arguments: tuple[Any, ...], result: Any) -> Any:
    """An arm as it is named: A is not a."""
    return result if result in arguments[1] or result in (None, ...) else f"no arm, {result!r}"


def _case(c: float, **arms: tuple[int, int]) -> Case:
    """A case from wins and pulls by arm."""
    shares = ", ".join(f"{arm} {wins} of {pulls}" for arm, (wins, pulls) in arms.items())
    wins = {arm: share[0] for arm, share in arms.items()}
    pulls = {arm: share[1] for arm, share in arms.items()}
    return Case(f"with {shares} and c = {c:.3g}", (wins, pulls, c))


write_next_arm: Final = Task(
    SAID["write_next_arm"],
    solution=_next_arm,
    observe=_arm,
    cases=(
        _case(sqrt(2), A=(1, 3), B=(1, 2), C=(0, 1)),
        _case(sqrt(2), A=(2, 2), B=(0, 1), C=(3, 3)),
        _case(sqrt(2), A=(0, 2), B=(0, 1)),
        _case(0, A=(9, 12), B=(1, 2)),
        _case(1, A=(5, 5), B=(0, 0)),
        _case(0.3, A=(9, 12), B=(1, 2)),
        _case(1.8, A=(6, 8), B=(1, 4)),
    ),
    wrong={
        "greedy": {"c * sqrt(log(total) / n)": "0"},
        "fewest pulls": {"wins[arm] / n + c": "1"},
        "division by 0": {" if n else inf": ""},
        "never tried": {"inf": "0"},
        "no root": {"sqrt(log(total) / n)": "log(total) / n"},
        "its own logarithm": {"log(total)": "log(n)"},
        "turned round": {"log(total) / n": "n / total"},
        "base 10": {"log(total)": "log10(total)"},
        "no mean": {"wins[arm] / n": "wins[arm]"},
        "a 2 too many": {"log(total)": "2 * log(total)"},
        "lower case": {"max(pulls, key=score)": "max(pulls, key=score).lower()"},
    },
)
