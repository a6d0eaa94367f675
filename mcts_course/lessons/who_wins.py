"""Experiments and exercises of the lesson *Who wins?*"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from mcts_viz.games import Nim, TicTacToe
from mcts_viz.search.agents import Agent, MCTSAgent, RandomAgent

from ..measure.arena import arena
from ..measure.intervals import verdict, wilson_interval
from ..show.feedback import say
from ..show.figures import COLOURS, Figure, Slider, new_figure
from ..show.tables import Table, span
from ..typed import typed_door
from ..work.exercises import Open, Question, is_stub, named, texts_of

SAID: Final = texts_of(__name__)

# Experiments --------------------------------------------------------------------


@typed_door
def copies_meet(games: int, seed: int, number: int = 16) -> list[int]:
    """The games that the first wins in each match between two copies of one random player.

    They play Nim, which knows no draws.
    """
    nim = Nim((3, 4, 5))
    copies = {f"copy {n}": RandomAgent(nim) for n in range(number)}
    played = arena(copies, nim, games=games, seed=seed, progress=False)
    return [played.tally(*match).wins for match in combinations(copies, 2)]


@typed_door
def decided(wins: Sequence[int], games: int, z: float = 1.96) -> int:
    """Count the matches that leave one half outside their interval."""
    ends = [wilson_interval(won, games, z) for won in wins]
    return sum(not low <= 0.5 <= high for low, high in ends)


@typed_door
def interval_slider(score: float) -> Slider:
    """Drag the number of games, and see the interval of this score."""

    def figure(games: int) -> Figure:
        low, high = wilson_interval(score * games, games)
        drawn, (axes,) = new_figure(7.2, 1.6)
        axes.plot([low, high], [0, 0], color=COLOURS["line"], linewidth=5)
        axes.plot(score, 0, "o", color=COLOURS["ink"])
        axes.axvline(0.5, color=COLOURS["ink"], linestyle="--")
        axes.set(xlim=(0, 1), yticks=[], xlabel=f"match score in {games} games")
        excludes = "does not exclude" if low <= 0.5 <= high else "excludes"
        axes.set_title(f"{low:.3f} to {high:.3f}: {excludes} one half", fontsize=10)
        drawn.said = f"The 95 % interval of {score:g} in {games} games: {axes.get_title()}"
        return drawn

    return Slider(figure, "games", list(range(10, 161, 5)), 10)


# A player of the reader's own ----------------------------------------------------------------

GAME: Final = TicTacToe()
ME: Final = "my player"


class Entered:
    """The reader's player; ``complaint`` says what was wrong with its first answer of no use."""

    def __init__(self, player: Agent) -> None:
        self._player, self.complaint = player, ""

    def __call__(self, state: Any) -> Any:
        legal = list(GAME.legal_actions(state))
        try:
            answer = self._player(state)
        except Exception as error:
            self._complain(f"ends in {named(error)}.", state)
            raise
        if answer not in legal or isinstance(answer, bool):
            self._complain(_what_is_wrong(answer), state)
        return answer

    def _complain(self, words: str, state: Any) -> None:
        where = GAME.text(state).replace("\n", " ")
        self.complaint = self.complaint or f"in {where}, your player {words}"


def _what_is_wrong(answer: Any) -> str:
    """The fault of an answer that is not an empty cell, as the end of a sentence."""
    if answer is None:
        return "returned nothing: did you forget `return`, or a case?"
    if isinstance(answer, str):
        return f"returned the text {answer!r}. A cell is a number, without quotes."
    if isinstance(answer, list | tuple | set):
        return f"returned {answer!r}. Return one cell, not several and not a position."
    if type(answer) is int and 0 <= answer <= 8:
        return f"wants cell {answer}, which is taken. Look for it among the legal moves."
    return f"returned {answer!r}. The cells are the numbers from 0 to 8."


def _answers_nothing(player: Agent) -> bool:
    try:
        return player(GAME.initial_state()) in (None, ...)
    except Exception:  # the first game says so, with the position
        return False


@typed_door
def enter(player: object, games: int = 100, seed: int = 5) -> Table | Open | None:
    """Let the reader's player meet chance and a short search, and say what is decided."""
    if not callable(player):
        say("✗ Not yet: hand in the function itself, its name without ().")
        return None
    if is_stub(player) and _answers_nothing(player):
        return Open("write a player of your own first.")
    entered, rows = Entered(player), list[tuple[Any, ...]]()
    others: dict[str, Agent] = {"random": RandomAgent(GAME), "MCTS 20": MCTSAgent(GAME, 20)}
    for name, other in others.items():
        met = arena({ME: entered, name: other}, GAME, games=games, seed=seed, progress=False)
        if entered.complaint:
            say(f"✗ Not yet: {entered.complaint}")
            return None
        tally = met.tally(ME, name)
        words = verdict(tally.interval, (0.5, 0.5), ME, name, "not decided")
        rows.append((name, str(tally), f"{tally.score:.2f}", span(tally.interval), words))
    heads = ("against", "won-drawn-lost", "score", "95 % interval", "the stronger")
    say(f"✓ Your player plays by the rules, in all {games * len(others)} games.")
    return Table(heads, rows)


# What is decided? ----------------------------------------------------------------------------


def _verdicts(*verdicts: str) -> dict[str, str]:
    return dict(zip(("A-B", "C-D", "E-F", "G-H"), verdicts, strict=True))


read_intervals: Final = Question(
    SAID["read_intervals"],
    right=_verdicts("open", "first", "second", "first"),
    wrong={
        "the leader": _verdicts("first", "first", "second", "first"),
        "a large lead": _verdicts("first", "open", "second", "first"),
        "the draws": _verdicts("open", "first", "second", "open"),
        "all open": _verdicts("open", "open", "open", "open"),
    },
)


# How many games? -----------------------------------------------------------------------------


def _enough(score: float) -> int:
    """The first multiple of 20 games whose whole interval lies above one half."""
    games = 20
    while wilson_interval(score * games, games)[0] <= 0.5:
        games += 20
    return games


how_many_games: Final = Question(
    SAID["how_many_games"],
    right=_enough(0.55),
    wrong={
        "not in steps": next(n for n in range(20, 1000) if wilson_interval(0.55 * n, n)[0] > 0.5),
        "a first look": 20,
        "a clear lead": 100,
        "one step short": _enough(0.55) - 20,
        "half the lead": _enough(0.525),
    },
    tolerance=0.5,
)
