"""The clinic: one small position for each fault of a published program, and a symptom for each.

In the position of a :class:`Patient` the search with that one fault makes a mistake, and without
it does not, as counts over many seeds show. If its symptom is in the tree, ``Watch`` finds it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from mcts_viz.errors import require_one_of
from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS, solve
from mcts_viz.trace import Trace
from mcts_watch import Watch

from ..measure.experiments import best_moves, is_contested, levels, moves_played, one_name
from ..typed import typed_door
from .published import Configuration, published

GAME: Final = TicTacToe()


# Patients ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Patient:
    """A fault, and a smallest position in which it makes the search play a wrong move."""

    fault: str
    """Its name in :data:`mcts_course.published.FAULTS`."""
    position: str
    symptom: str
    """The change that the fault makes, in a sentence."""
    finding: str = ""
    """The name by which ``Watch`` finds it in the tree; none if no tree shows it."""
    iterations: int = 200
    host: str = "uct"
    """The published system in which the fault is shown, without its other faults."""

    @property
    def state(self) -> tuple[int, int]:
        return GAME.parse(self.position)

    @property
    def sound(self) -> Configuration:
        return published(self.host, GAME).repair_all()

    @property
    def faulty(self) -> Configuration:
        return self.sound.with_faults(self.fault)

    def traces(self, seed: int) -> tuple[Trace, Trace]:
        """The faulty search and the correct one, from the same position and seed."""
        faulty, sound = (
            system.search(seed).record(self.state, iterations=self.iterations, progress=False)
            for system in (self.faulty, self.sound)
        )
        return faulty, sound

    def watched(self, seed: int) -> Watch:
        """Watch the faulty search."""
        return watched(self.faulty.search(seed), self.state, 100)

    def mistakes(self, seeds: int) -> tuple[int, int]:
        """Count the wrong moves of ``seeds`` faulty searches, and of correct ones."""
        faulty, correct = (
            wrong_moves(map(system.search, range(seeds)), self.state, self.iterations)
            for system in (self.faulty, self.sound)
        )
        return faulty, correct


@typed_door
def watched(search: MCTS, state: Hashable, iterations: int) -> Watch:
    """Watch a search of tic-tac-toe, as one watches one's own."""
    root = search.start(state)
    watch = Watch(root, game=GAME, state=lambda node: search.game.text(node.state))
    for _ in range(iterations):
        search.iteration()
        watch.look()
    return watch


def wrong_moves(searches: Iterable[MCTS], state: Hashable, iterations: int) -> int:
    """The number of searches that give away what the position is worth."""
    moves = moves_played(searches, state, iterations)
    return sum(move not in best_moves(state) for move in moves)


_FORK: Final = "X.O .XX ..O"


def unnamed(*faults: str) -> Trace:
    """A search with these faults; its picture does not name them."""
    search = published("uct").with_faults(*faults).search(seed=0)
    return search.record(GAME.parse(_FORK), iterations=200, progress=False)


CLINIC: Final[Mapping[str, Patient]] = {
    patient.fault: patient
    for patient in (
        Patient(
            "turns",
            _FORK,
            "The same player moves twice in a row, at every depth.",
            "player-not-changed",
        ),
        Patient(
            "ends", "XOX OO. .X.", "Boards with three in a row have children.", "after-the-end"
        ),
        Patient(
            "view",
            _FORK,
            "A move that completes the opponent's line has wins of less than its visits.",
            "same-reward",
        ),
        Patient(
            "draws",
            _FORK,
            "Full boards without a line have no wins, for either player.",
            "wrong-result",
        ),
        Patient(
            "noise",
            "XOX XO. O..",
            "Selection does not follow the child of the highest score, by far.",
            "ignores-numbers",
        ),
        Patient(
            "leftmost",
            "XOX OXX O..",
            "Two moves have equal visits, and the one with the lower mean is made.",
            iterations=3,
            host="connect4-agent",
        ),
        Patient(
            "clock",
            "XOX ... O..",
            "From the same number of free cells, every playout starts with the same one of them.",
            iterations=60,
        ),
    )
}
"""By fault; ``clinic(name)`` finds one."""


def clinic(fault: str) -> Patient:
    """The patient with that fault; raises ``SearchError`` with the names if there is none."""
    require_one_of("A patient", fault, CLINIC)
    return CLINIC[fault]


# Positions -----------------------------------------------------------------------------------


def small_positions(free: int = 4) -> list[tuple[int, int]]:
    """Positions with few free cells, contested and not lost, one of each symmetry."""
    every = [state for level in reversed([*levels(one_name)]) for state in level]
    few = [state for state in every if len(GAME.legal_actions(state)) <= free]
    return [state for state in few if is_contested(state) and solve(GAME, state).value >= 0]


class Games(NamedTuple):
    """The number of games that were lost, and of all games."""

    lost: int
    played: int

    def __str__(self) -> str:
        return f"{self.lost} of {self.played} games lost"


@typed_door
def lost_games(search: MCTS, iterations: int = 200) -> Games:
    """Play from all :func:`small_positions`, against every reply that there is.

    The search moves first in each of them, and none is lost at the start: exact play loses no
    game.
    """
    waiting = [(state, GAME.to_move(state)) for state in small_positions()]
    lost = 0
    played = 0
    searched = set()
    while waiting:
        state, player = waiting.pop()
        if GAME.is_terminal(state):
            lost, played = lost + (GAME.returns(state)[player] < 0), played + 1
        elif GAME.to_move(state) != player:
            replies = GAME.legal_actions(state)
            waiting += [(GAME.play(state, action), player) for action in replies]
        elif state not in searched:
            searched.add(state)
            move = search.search(state, iterations=iterations, progress=False).best_action
            waiting.append((GAME.play(state, move), player))
    return Games(lost, played)
