"""The exercises of lesson 11, What is wrong with this search?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mcts_viz.errors import SearchError
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from .clinic import lost_games, unnamed
from .exercises import Case, Question, Task, Verdict
from .faulty_rules import TREE, MisreadTicTacToe, Seen

__all__ = [
    "diagnose_a",
    "diagnose_b",
    "diagnose_c",
    "first_repair",
    "stranger",
    "write_after_move",
    "write_credit",
]


# Which repair comes first? -------------------------------------------------------------------

first_repair: Final = Question(
    text="Which one repair helps Liu's program most to find its win?",
    right="turns",
    why="a tree without the opponent's moves cannot know that O threatens anything, or that a win "
    "now is better than one later.",
    misconceptions=(
        (
            "block",
            "that was the author's own suspicion; but the rule is asked in playouts only, and the "
            "count hardly moves without it.",
        ),
        (
            "view",
            "with this repair alone no number changes: as long as the tree holds no move of the "
            "opponent, there is nobody else's view to take.",
        ),
        ("ends", "it helps, but another repair helps more; compare the counts."),
        (
            "clock",
            "equal random numbers make the playouts poorer, not wrong; the count shows it.",
        ),
        ("noise", "this is the version whose rand() has 15 bits; its noise is at most 0.03."),
    ),
    advice="Give the name of one fault, such as 'block'.",
)


# Which fault is this? ------------------------------------------------------------------------


class _Stranger(NamedTuple):
    faults: tuple[str, ...]
    iterations: int
    seed: int


_STRANGERS: Final = {
    "A": _Stranger(("view",), 200, 0),
    "B": _Stranger(("draws",), 200, 0),
    "C": _Stranger((), 12, 10),
}
_ALTERNATE: Final = "O and X alternate on every path, so it is not that; look at what they get."
_STOPS: Final = "no board with three in a row has a card below it; look at what it gets."
_CALM: Final = "the walk always follows the highest score; look at the wins on the last cards."


def stranger(name: str) -> Trace:
    """The search of the stranger A, B or C; all of them begin in the same position."""
    if name not in _STRANGERS:
        raise SearchError(f"There is no stranger {name!r}: take A, B or C.")
    faults, iterations, seed = _STRANGERS[name]
    return unnamed(*faults, iterations=iterations, seed=seed)


_ADVICE: Final = "Answer 'turns', 'ends', 'view', 'draws' or 'noise', or 'none' if it is sound."

diagnose_a: Final = Question(
    text="Which fault has stranger A?",
    right="view",
    why="X completes a line there and gets 0 wins: its cards hold what O gets.",
    misconceptions=(
        ("turns", _ALTERNATE),
        ("ends", _STOPS),
        (
            "draws",
            "full boards without a line have half a win for each visit, so a draw is counted well.",
        ),
        ("noise", _CALM),
        (
            "none",
            "look at X's move 3 below O's move 7: it completes a line of X, and what are its wins?",
        ),
    ),
    advice=_ADVICE,
)

diagnose_b: Final = Question(
    text="Which fault has stranger B?",
    right="draws",
    why="full boards without a line have no wins at all, so O has nothing to gain by its block.",
    misconceptions=(
        ("turns", _ALTERNATE),
        ("ends", _STOPS),
        (
            "view",
            "where X completes a line, X has a win for every visit, as it should; now look at the "
            "full boards.",
        ),
        ("noise", _CALM),
        (
            "none",
            "follow O's move 3 down to a full board without a line: what are its wins?",
        ),
    ),
    advice=_ADVICE,
)

diagnose_c: Final = Question(
    text="Which fault has stranger C?",
    right="none",
    why="every number in this tree is what it should be; with 12 iterations a sound search is "
    "wrong at times, and more of them cure it.",
    misconceptions=(
        ("turns", "O and X alternate on every path."),
        ("ends", "no board with three in a row has a card below it."),
        ("view", "wherever a line is completed, whoever did it has a win for every visit."),
        ("draws", "half wins are there, so draws are counted as they should be."),
        (
            "noise",
            "look at the scores at the root in the last iterations: the walk follows the highest.",
        ),
    ),
    advice=_ADVICE,
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
            return Verdict("wrong", f"Not yet: against exact play {games}.")
        return verdict


def _with_credit(credit: Callable[..., Any]) -> MCTS:
    return MCTS(MisreadTicTacToe(), seed=0, credit=credit)


def _half(returns: Sequence[float], player: int, root_player: int) -> float:
    return (returns[player] + 1) / 2


def _unless_loss(returns: Sequence[float], player: int, root_player: int) -> float:
    return float(returns[player] >= 0)


def _win_only(returns: Sequence[float], player: int, root_player: int) -> float:
    return float(returns[player] == 1)


_RESULTS: Final = {"X has won": (1.0, -1.0), "O has won": (-1.0, 1.0), "it is drawn": (0.0, 0.0)}
_PLAYERS: Final = "XO"

write_credit: Final = Mend(
    search=_with_credit,
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
    misconceptions=(
        (
            _win_only,
            "a draw counts like a loss here, the fault of stranger B; let it be 1/2.",
        ),
        (
            lambda returns, player, root_player: (returns[root_player] + 1) / 2,
            "every node gets what the searcher gets, the fault of stranger A; ask for `player`.",
        ),
        (
            lambda returns, player, root_player: float(returns[root_player] == 1),
            "two faults at once: it is the searcher's reward, and a draw counts like a loss.",
        ),
        (
            _unless_loss,
            "a draw counts like a win here, so a winner would be content with it; let it be 1/2.",
        ),
        (
            lambda returns, player, root_player: (returns[1 - player] + 1) / 2,
            "this is the other player's reward; a node speaks for the one who moved into it.",
        ),
        (
            lambda returns, player, root_player: (returns[0] + 1) / 2,
            "this is what X gets, at every node; ask for the reward of `player`.",
        ),
        (
            lambda returns, player, root_player: returns[player],
            "the right view and the right order, but from -1 to 1; let it be from 0 to 1, for "
            "which UCB1 is made.",
        ),
    ),
    why="the reward of whoever moved there, with half a win for a draw; and the search with your "
    "lines loses none of its games.",
)


@dataclass(frozen=True)
class _Ruled(MisreadTicTacToe):
    """Tic-tac-toe whose end and whose turns, in the tree, somebody else's function decides."""

    rule: Callable[..., Any] = min

    def play(self, state: Any, action: int) -> Seen:
        after = super().play(state, action)
        if after.stage != TREE:
            return after
        return after._replace(mover=self._asked(after)[1])

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


def _after_move(lines: Sequence[bool], free: int, mover: int) -> tuple[bool, int]:
    return any(lines) or free == 0, 1 - mover


write_after_move: Final = Mend(
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
    misconceptions=(
        (
            lambda lines, free, mover: (free == 0, 1 - mover),
            "the game goes on after a line, until the board is full: the fault 'ends' again; one "
            "line of one player is enough.",
        ),
        (
            lambda lines, free, mover: (any(lines) or free == 0, mover),
            "whoever has moved moves again, at every depth: the fault 'turns' again.",
        ),
        (
            lambda lines, free, mover: (free == 0, mover),
            "that is the listing itself, with both of its faults.",
        ),
        (
            lambda lines, free, mover: (any(lines), 1 - mover),
            "a full board without a line is the end too, a draw; here it is forgotten.",
        ),
        (
            lambda lines, free, mover: (lines[0] or free == 0, 1 - mover),
            "only X's line ends the game here; O can complete one, too.",
        ),
        (
            lambda lines, free, mover: (not (any(lines) or free == 0), 1 - mover),
            "this says whether the game goes on; the first answer is whether it is over.",
        ),
        (
            lambda lines, free, mover: (1 - mover, any(lines) or free == 0),
            "the two answers are swapped; first whether the game is over, then who moves next.",
        ),
    ),
    why="a line or a full board ends the game, and then it is the other's turn; and the search "
    "with your lines loses none of its games.",
)
