"""Experiments and exercises of the lesson *What is wrong with this search?*"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

from mcts_viz.games import GameTree, TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.search.policies import RewardRule
from mcts_viz.trace import Trace

from ..measure.experiments import Counts, count_table, moves_played, tracked
from ..published.clinic import CLINIC, clinic, unnamed, watched, wrong_moves
from ..published.from_life import FROM_LIFE, Selecting
from ..published.published import published
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Open, Question, Task, is_stub, texts_of

SAID: Final = texts_of(__name__)

# Experiments --------------------------------------------------------------------

GAMBLE: Final = GameTree({"a": {"c": 0, "d": 0}, "b": {"e": 1, "f": -1}})


@typed_door
def gamblers(seeds: int = 200, iterations: int = 100) -> Counts:
    """Count the searches of a small tree that gamble, with a draw as half a win and as a loss."""
    found = {}
    for name, faults in {"draw = 1/2": (), "draw = 0": ("draws",)}.items():
        system = published("uct", GAMBLE).with_faults(*faults)
        moves = moves_played(map(system.search, range(seeds)), GAMBLE.initial_state(), iterations)
        found[name] = moves.count("b")
    return count_table("search", "play b", found, seeds)


@typed_door
def whole_clinic(seeds: int = 200) -> Table:
    """A table of all faults in their smallest positions: searches that err; Watch's findings."""
    rows = []
    for fault, patient in tracked(list(CLINIC.items()), "patients"):
        findings = sorted({finding.name for finding in patient.watched(seed=0).findings})
        rows.append((fault, *patient.mistakes(seeds), ", ".join(findings) or "nothing"))
    return Table(("fault", f"wrong of {seeds}", "without the fault", "Watch finds"), rows)


@typed_door
def four_from_life(seeds: int = 100) -> Table:
    """A table of four faults from life: what Watch finds in one tree, and the searches that err."""
    state = clinic("turns").state
    rows = []
    for name, patient in tracked(list(FROM_LIFE.items()), "faults"):
        findings = ", ".join(finding.name for finding in patient.watched(seed=0).findings)
        rows.append((name, patient.seen_in, findings, _wrong(patient.search, state, seeds)))
    rows.append(("none", "our own, correct", "", _wrong(Selecting, state, seeds)))
    return Table(("fault", "seen in", "Watch finds", f"wrong of {seeds}"), rows)


def _wrong(search: type[MCTS], state: Hashable, seeds: int) -> int:
    searches = (search(TicTacToe(), 1.4, seed=seed) for seed in range(seeds))
    return wrong_moves(searches, state, 200)


@typed_door
def one_repair_at_a_time(state: Hashable, seeds: int = 50, iterations: int = 1000) -> Counts:
    """Count the searches of the essay's program that find the win, without some of its faults.

    ``best`` is the single repair that helps most.
    """
    single = ("block", "view", "clock", "ends", "turns")
    found = {}
    for repair in tracked([(), *((fault,) for fault in single), ("turns", "view")], "repairs"):
        system = published("liu").repair(*repair)
        words = f"without {' and '.join(repair)}" if repair else "as published"
        found[words] = moves_played(map(system.search, range(seeds)), state, iterations).count(2)
    best = max(single, key=lambda fault: found[f"without {fault}"])
    return count_table("the program", "find the win", found, seeds, best=best)


@typed_door
def thinking_longer(seeds: int = 20, iterations: int = 2000) -> Counts:
    """Four faults with ten times their iterations: how many searches are still wrong?"""
    found = {}
    for fault in ("turns", "ends", "view", "draws"):
        patient = clinic(fault)
        found[fault] = wrong_moves(
            map(patient.faulty.search, range(seeds)), patient.state, iterations
        )
    return count_table("fault", "wrong", found, seeds)


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


@typed_door
def look(reward: RewardRule, seeds: int = 20) -> Table | Open:
    """Return Watch's findings in a search with this reward, and the number of searches that err."""
    if is_stub(reward):
        return Open("write the reward first.")
    patient = clinic("view")
    system = replace(patient.sound, spec=patient.sound.spec.but(reward=reward))
    watch = watched(system.search(0), patient.state, 100)
    findings = [finding.text for finding in watch.findings]
    wrong = wrong_moves(map(system.search, range(seeds)), patient.state, patient.iterations)
    rows = [(text,) for text in findings] or [("no mistake in the tree",)]
    return Table(("what Watch finds",), [*rows, (f"{wrong} of {seeds} searches err",)])


def _half(returns: Sequence[float], player: int, root_player: int) -> float:
    return (returns[player] + 1) / 2


_RESULTS: Final = {"X has won": (1.0, -1.0), "O has won": (-1.0, 1.0), "it is drawn": (0.0, 0.0)}


def _cases(player: int, root_player: int) -> list[Case]:
    node = f"for a node that {'XO'[player]} moved into, in a search for {'XO'[root_player]}"
    return [
        Case(f"when {words}, {node}", (returns, player, root_player))
        for words, returns in _RESULTS.items()
    ]


write_reward: Final = Task(
    SAID["write_reward"],
    solution=_half,
    cases=[*_cases(0, 0), *_cases(0, 1), *_cases(1, 0), *_cases(1, 1)],
    wrong={
        "as it was": lambda returns, player, root_player: float(returns[root_player] == 1),
        "a draw is lost": lambda returns, player, root_player: float(returns[player] == 1),
        "the searcher's": lambda returns, player, root_player: (returns[root_player] + 1) / 2,
        "the other's": lambda returns, player, root_player: (returns[1 - player] + 1) / 2,
        "X's": lambda returns, player, root_player: (returns[0] + 1) / 2,
        "from -1 to 1": lambda returns, player, root_player: returns[player],
        "from 0 to 2": lambda returns, player, root_player: returns[player] + 1,
        "a draw is won": lambda returns, player, root_player: float(returns[player] >= 0),
    },
)
