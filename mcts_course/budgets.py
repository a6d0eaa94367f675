"""How many of some searches play a move, by their number of iterations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any

import numpy as np

from mcts_viz.search import MCTS

from .figures import COLOURS, Figure, new_figure
from .intervals import wilson_interval
from .sliders import Slider
from .tables import Table, span, staged, tracked

STEP = 10
"""Iterations between two places of the slider, at most."""


class ByBudget(Table):
    """``found[budget]`` searches of ``seeds`` play one of the ``wanted`` moves."""

    def __getitem__(self, budget: int) -> int:
        """How many of the searches play a wanted move after so many iterations."""
        count: int = self.played[budget]
        return count

    def figure(self, guesses: Sequence[Any] = ()) -> Figure:
        """The counts in their 95 % intervals; guesses, whose keys begin with a budget, as stars."""
        figure, (axes,) = new_figure(7.2, 3.0)
        ends = [wilson_interval(self[each], self.seeds) for each in self.budgets]
        low, high = ([self.seeds * end for end in side] for side in zip(*ends, strict=True))
        axes.vlines(self.budgets, low, high, color=COLOURS["move-0"], label="95 % interval")
        counts = [self[each] for each in self.budgets]
        axes.plot(self.budgets, counts, "o-", color=COLOURS["move-0"], label=f"play {self.words}")
        guessed = [
            (int(guess.key.split()[0]), guess.value) for guess in guesses if guess.value is not None
        ]
        if guessed:
            axes.plot(
                *zip(*guessed, strict=True),
                "*",
                color=COLOURS["move-1"],
                markersize=13,
                label="your guess",
            )
        axes.axhline(
            self.seeds * self.chance,
            linestyle="--",
            color=COLOURS["ink"],
            linewidth=1,
            label="a move picked at random",
        )
        axes.set(
            xlabel="iterations", ylabel=f"of {self.seeds} searches", ylim=(0, 1.03 * self.seeds)
        )
        axes.legend(frameon=False, fontsize=9)
        return figure

    def shares(self, iterations: int) -> Figure:
        """After so many iterations: the mean share of the visits that each move has, as bars."""
        figure, (axes,) = new_figure(7.2, 2.4)
        visits = self.visits[iterations]
        means = (visits / visits.sum(axis=1, keepdims=True)).mean(axis=0)
        look = [COLOURS["move-1" if move in self.wanted else "move-0"] for move in self.moves]
        axes.bar([str(move) for move in self.moves], means, color=look)
        axes.set(ylabel="share of the visits", ylim=(0, 1), xlabel="move")
        title = f"{iterations} iterations: {self[iterations]} of {self.seeds} play {self.words}"
        axes.set_title(title, fontsize=10)
        return figure

    def slider(self) -> Slider:
        """Drag the number of iterations, and watch the visits move."""
        steps = list(self.played)
        return Slider(lambda iterations: self.shares(iterations), "iterations", steps, steps[0])


def by_budget(
    game: Any,
    state: Any,
    wanted: Sequence[Any],
    budgets: Sequence[int],
    seeds: int = 100,
    settings: Mapping[str, Any] | None = None,
    kind: type[MCTS] = MCTS,
) -> ByBudget:
    """Run one search a seed, and note what it would play after each of the ``budgets``.

    One search serves all budgets: with the same seed, a longer search begins like a shorter one.
    """
    budgets = sorted(budgets)
    step = gcd(STEP, *budgets)
    steps = sorted({*range(step, budgets[-1] + 1, step), *budgets})
    moves = list(game.legal_actions(state))
    played = dict.fromkeys(steps, 0)
    visits = {each: np.zeros((seeds, len(moves))) for each in steps}
    for seed in tracked(range(seeds), "searches"):
        search = kind(game, seed=seed, **(settings or {}))
        for each, result in staged(search, state, steps):
            played[each] += result.best_action in wanted
            for child in search.root.children:
                visits[each][seed, moves.index(child.action)] = child.visits
    rows = [(each, played[each], span(wilson_interval(played[each], seeds))) for each in budgets]
    words = " or ".join(str(move) for move in wanted)
    return ByBudget(
        ("iterations", f"of {seeds}, play {words}", "share, 95 % interval"),
        rows,
        budgets=budgets, seeds=seeds, wanted=set(wanted), words=words, moves=moves,
        chance=len(wanted) / len(moves), played=played, visits=visits,
    )  # fmt: skip
