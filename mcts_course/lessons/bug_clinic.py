"""Experiments and exercises of the lesson *What is wrong with this search?*"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcts_viz.games import GameTree
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from ..clinic import CLINIC, clinic, lost_games, unnamed, wrong_moves
from ..exercises import Case, Question, Task, Verdict, texts_of
from ..experiments import moves_played, tracked
from ..faulty_rules import MisreadTicTacToe
from ..intervals import wilson_interval
from ..published import published
from ..tables import Table, span

SAID: Final = texts_of(__name__)

# Experiments --------------------------------------------------------------------

GAMBLE: Final = GameTree({"a": {"c": 0, "d": 0}, "b": {"e": 1, "f": -1}})


def gamblers(seeds: int = 200, iterations: int = 100) -> Table:
    """Count the searches of a small tree that gamble, with a draw as half a win and as a loss."""
    rows, found = [], {}
    for name, faults in {"draw = 1/2": (), "draw = 0": ("draws",)}.items():
        system = published("uct", GAMBLE).with_faults(*faults)
        searches = map(system.search, range(seeds))
        found[name] = moves_played(searches, GAMBLE.initial_state(), iterations).count("b")
        rows.append((name, f"{found[name]} of {seeds}"))
    return Table(("search", "play b"), rows, faulty=found["draw = 0"])


def whole_clinic(seeds: int = 200) -> Table:
    """Count, by fault, the faulty and the correct searches that err in its smallest position."""
    rows, wrong = [], {}
    for fault, patient in tracked(list(CLINIC.items()), "patients"):
        faulty, sound = patient.mistakes(seeds)
        wrong[fault] = faulty
        interval = span(wilson_interval(faulty, seeds))
        rows.append((fault, patient.position, patient.iterations, faulty, interval, sound))
    heads = ("fault", "position", "iterations", f"wrong of {seeds}", "95 % interval", "correct")
    return Table(heads, rows, wrong=wrong)


def symptoms(seed: int) -> Table:
    """Let Watch read the tree of each patient: what it finds, and in which iteration first."""
    rows = []
    for fault, patient in CLINIC.items():
        findings = sorted(patient.watched(seed).findings, key=lambda finding: finding.iteration)
        names = ", ".join(finding.name for finding in findings) or "nothing"
        rows.append((fault, names, findings[0].iteration if findings else "–"))
    return Table(("fault", "Watch finds", "in iteration"), rows)


def one_repair_at_a_time(state: Any, seeds: int = 20, iterations: int = 1000) -> Table:
    """Count the searches of the essay's program that find the win, without some of its faults."""
    repairs: list[tuple[str, ...]] = [(), ("block",), ("view",), ("clock",), ("ends",), ("turns",)]
    repairs.append(("turns", "view"))
    rows, found = [], {}
    for repair in tracked(repairs, "repairs"):
        system = published("liu").repair(*repair)
        found[repair] = moves_played(map(system.search, range(seeds)), state, iterations).count(2)
        words = f"without {' and '.join(repair)}" if repair else "as published"
        rows.append((words, f"{found[repair]} of {seeds}"))
    single = [repair for repair in repairs if len(repair) == 1]
    best = max(single, key=lambda repair: found[repair])[0]
    return Table(("the program", "find the win"), rows, best=best, found=found)


def thinking_longer(seeds: int = 20, iterations: int = 2000) -> Table:
    """Four faults with ten times their iterations: how many searches are still wrong?"""
    rows, cured = [], 0
    for fault in ("turns", "ends", "view", "draws"):
        system, state = clinic(fault).faulty, clinic(fault).state
        wrong = wrong_moves(map(system.search, range(seeds)), state, iterations)
        cured += wrong < seeds / 2
        rows.append((fault, f"{wrong} of {seeds}"))
    return Table(("fault", "wrong with ten times the iterations"), rows, cured=cured)


# Which fault is this? ------------------------------------------------------------------------


def case() -> Trace:
    """Return the search of the first exercise."""
    return unnamed("view")


diagnose: Final = Question(
    SAID["diagnose"],
    right="view",
    wrong={fault: fault for fault in ("turns", "ends", "draws", "noise", "none")},
)


# Repair it yourself --------------------------------------------------------------------------


@dataclass(frozen=True)
class Repair(Task):
    """A function that is also put into a search, which then must lose no game."""

    search: Callable[[Callable[..., Any]], MCTS] = field(kw_only=True)
    """Makes the search with the student's function in it."""

    def _judge(self, answer: Any) -> Verdict:
        verdict = super()._judge(answer)
        if verdict.kind == "right" and (games := lost_games(self.search(answer))).lost:
            return Verdict("wrong", f"✗ Not yet: against exact play {games}.")
        return verdict


def _with_reward(reward: Callable[..., Any]) -> MCTS:
    return MCTS(MisreadTicTacToe(), seed=0, reward=reward)


def _half(returns: Sequence[float], player: int, root_player: int) -> float:
    return (returns[player] + 1) / 2


_RESULTS: Final = {"X has won": (1.0, -1.0), "O has won": (-1.0, 1.0), "it is drawn": (0.0, 0.0)}
_PLAYERS: Final = "XO"

write_reward: Final = Repair(
    SAID["write_reward"],
    search=_with_reward,
    solution=_half,
    cases=[
        Case(
            f"when {words}, for a node that {_PLAYERS[player]} moved into, in a search for "
            f"{_PLAYERS[root_player]}",
            (returns, player, root_player),
        )
        for words, returns in _RESULTS.items()
        for player in (0, 1)
        for root_player in (0, 1)
    ],
    wrong={
        "a draw is lost": lambda returns, player, root_player: float(returns[player] == 1),
        "the searcher's": lambda returns, player, root_player: (returns[root_player] + 1) / 2,
        "two faults": lambda returns, player, root_player: float(returns[root_player] == 1),
        "a draw is won": lambda returns, player, root_player: float(returns[player] >= 0),
        "the other's": lambda returns, player, root_player: (returns[1 - player] + 1) / 2,
        "X's": lambda returns, player, root_player: (returns[0] + 1) / 2,
        "from -1 to 1": lambda returns, player, root_player: returns[player],
    },
)
