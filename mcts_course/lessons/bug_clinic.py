"""The exercises of lesson 11, What is wrong with this search?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from mcts_viz.games import GameTree
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from ..clinic import CLINIC, clinic, lost_games, unnamed, wrong_moves
from ..exercises import Case, Question, Task, Verdict, texts_of
from ..experiments import moves_played, tracked
from ..faulty_rules import TREE, MisreadTicTacToe, Seen
from ..intervals import wilson_interval
from ..published import published
from ..tables import Table, span

SAID: Final = texts_of(__name__)

# What the lesson measures --------------------------------------------------------------------

GAMBLE: Final = GameTree({"a": {"c": 0, "d": 0}, "b": {"e": 1, "f": -1}})


def gamblers(seeds: int = 200, iterations: int = 100) -> Table:
    """How many searches of a small tree gamble: sound ones, and ones that count a draw as lost."""
    rows, found = [], {}
    for name, faults in {"sound": (), "draw = loss": ("draws",)}.items():
        system = published("uct", GAMBLE).with_faults(*faults)
        searches = map(system.search, range(seeds))
        found[name] = moves_played(searches, GAMBLE.initial_state(), iterations).count("b")
        rows.append((name, f"{found[name]} of {seeds}"))
    return Table(("search", "play b"), rows, faulty=found["draw = loss"])


def whole_clinic(seeds: int = 200) -> Table:
    """By fault: how many faulty and how many sound searches err in its smallest position."""
    rows, wrong = [], {}
    for fault, patient in tracked(list(CLINIC.items()), "patients"):
        faulty, sound, _ = patient.mistakes(seeds)
        wrong[fault] = faulty
        interval = span(wilson_interval(faulty, seeds))
        rows.append((fault, patient.position, patient.iterations, faulty, interval, sound))
    heads = ("fault", "position", "iterations", f"wrong of {seeds}", "95 % interval", "sound")
    return Table(heads, rows, wrong=wrong)


def symptoms(seed: int) -> Table:
    """By fault, in its tree: how often each symptom of the clinic is seen."""
    rows = []
    for fault, patient in CLINIC.items():
        sick, _ = patient.traces(seed)
        rows.append((fault, *(other.sign(sick) for other in CLINIC.values())))
    return Table(("tree with", *CLINIC), rows)


def one_repair_at_a_time(state: Any, seeds: int = 20, iterations: int = 1000) -> Table:
    """How many searches of the program in the essay find the win, without some of its faults."""
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


_STRANGERS: Final = {
    "A": partial(unnamed, "view"),
    "B": partial(unnamed, iterations=12, seed=10),
}


def stranger(name: str) -> Trace:
    """The search of the stranger A or B; both begin in the same position."""
    return _STRANGERS[name]()


diagnose_a: Final = Question(
    SAID["diagnose_a"],
    text="Which fault has stranger A?",
    right="view",
    wrong={fault: fault for fault in ("turns", "ends", "draws", "noise", "none")},
)

diagnose_b: Final = Question(
    SAID["diagnose_b"],
    text="Which fault has stranger B?",
    right="none",
    wrong={fault: fault for fault in ("turns", "ends", "view", "draws", "noise")},
)


# Mend it yourself ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Mend(Task):
    """A function that is also put into a search, which then must lose to nobody."""

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

write_reward: Final = Mend(
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


@dataclass(frozen=True)
class _Ruled(MisreadTicTacToe):
    """Tic-tac-toe whose end and whose turns, in the tree, somebody else's function decides."""

    rule: Callable[..., Any] = min

    def play(self, state: Any, action: int) -> Seen:
        after = super().play(state, action)
        if after.stage != TREE:
            return after
        return after._replace(to_move=self._asked(after)[1])

    def is_terminal(self, state: Any) -> bool:
        if type(state) is Seen and state.stage == TREE:
            return bool(self._asked(state)[0])
        return super().is_terminal(state)

    def _asked(self, state: Seen) -> Any:
        lines = tuple(self.has_line(state, player) for player in (0, 1))
        free = len(self.legal_actions(state))
        first = self.real.to_move(state.board)  # who would be next, so the other has just moved
        return self.rule(lines, free, 1 - first)


def _with_rule(rule: Callable[..., Any]) -> MCTS:
    return MCTS(_Ruled(rule=rule), seed=0)


def _after_move(lines: Sequence[bool], free: int, player_just_moved: int) -> tuple[bool, int]:
    return any(lines) or free == 0, 1 - player_just_moved


write_after_move: Final = Mend(
    SAID["write_after_move"],
    search=_with_rule,
    solution=_after_move,
    cases=[
        Case(f"after a move of X, {words}", (lines, free, 0))
        for words, lines, free in (
            ("with 4 cells free and no line", (False, False), 4),
            ("with 4 cells free and a line of X", (True, False), 4),
            ("with no cell free and no line", (False, False), 0),
            ("with no cell free and a line of X", (True, False), 0),
        )
    ]
    + [
        Case(f"after a move of O, {words}", (lines, free, 1))
        for words, lines, free in (
            ("with 5 cells free and no line", (False, False), 5),
            ("with 3 cells free and a line of O", (False, True), 3),
        )
    ],
    wrong={
        "plays on": lambda lines, free, player_just_moved: (free == 0, 1 - player_just_moved),
        "moves again": lambda lines, free, player_just_moved: (
            any(lines) or free == 0,
            player_just_moved,
        ),
        "the listing": lambda lines, free, player_just_moved: (free == 0, player_just_moved),
        "no full board": lambda lines, free, player_just_moved: (any(lines), 1 - player_just_moved),
        "X's line alone": lambda lines, free, player_just_moved: (
            lines[0] or free == 0,
            1 - player_just_moved,
        ),
        "turned round": lambda lines, free, player_just_moved: (
            not (any(lines) or free == 0),
            1 - player_just_moved,
        ),
        "swapped": lambda lines, free, player_just_moved: (
            1 - player_just_moved,
            any(lines) or free == 0,
        ),
    },
)
