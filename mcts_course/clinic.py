"""The clinic: one small position for each fault of a published program, and a symptom for each.

In the position of a :class:`Patient` the search with that one fault makes a mistake, and without
it does not, as counts over many seeds show. Its symptom is in the tree itself:
counted in a trace, it is 0 in a correct search, and in those with another fault.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from mcts_viz.errors import SearchError, short_repr
from mcts_viz.games import TicTacToe
from mcts_viz.games.boards import among, listed
from mcts_viz.search import MCTS, solve
from mcts_viz.trace import Trace

from .experiments import best_moves, is_contested, levels, moves_played, one_name
from .faulty_rules import MisreadTicTacToe
from .published import Configuration, published
from .tables import children, shares_at

GAME: Final = TicTacToe()


# Signs ---------------------------------------------------------------------------------------


def _boards(trace: Trace) -> list[tuple[int, int]]:
    board = getattr(trace.game, "board", lambda state: state)
    return [board(trace.state(node)) for node in range(len(trace.parent))]


def _lines(board: tuple[int, int]) -> list[int]:
    """The players who have three in a row."""
    return [player for player in (0, 1) if GAME.has_line(board[player])]


def _same_player_just_moved_twice(trace: Trace) -> int:
    """Nodes that the player has moved into who moved before, too."""
    below = [node for node in range(1, len(trace.parent)) if trace.parent[node]]
    return sum(
        bool(trace.player_just_moved[node] == trace.player_just_moved[trace.parent[node]])
        for node in below
    )


def _moves_after_the_end(trace: Trace) -> int:
    """Nodes below a board with a line."""
    boards = _boards(trace)
    return sum(bool(_lines(boards[above])) for above in trace.parent[1:])


def _ends(trace: Trace) -> Iterator[tuple[int, list[int], float]]:
    """Visited nodes in which the game is over at last: who has a line, and the mean reward."""
    boards, visits, wins = _boards(trace), trace.visits(len(trace)), trace.wins(len(trace))
    for node in range(1, len(trace.parent)):
        over = not trace.children[node] and visits[node]
        if over and not _lines(boards[trace.parent[node]]):
            full = (boards[node][0] | boards[node][1]) == 0b111_111_111
            if full or _lines(boards[node]):
                yield node, _lines(boards[node]), float(wins[node] / visits[node])


def _unpaid_wins(trace: Trace) -> int:
    """Nodes whose move completes a line, but whose wins are not all of their visits."""
    return sum(
        lines == [int(trace.player_just_moved[node])] and mean < 1
        for node, lines, mean in _ends(trace)
    )


def _lost_draws(trace: Trace) -> int:
    """Full boards without a line whose mean is that of a loss."""
    return sum(not lines and mean <= 0 for _, lines, mean in _ends(trace))


def _followed_another(trace: Trace) -> int:
    """Iterations in which the root's child of the highest score was not the one followed."""
    moves, passed = trace.n_legal_moves(0), 0
    for iteration in range(moves + 2, len(trace) + 1):
        moment = trace.at(iteration, "select")
        scores = {node: moment.score(node) for node in moment.children(0)}
        known = {node: score for node, score in scores.items() if score is not None}
        followed = moment.path[1]
        passed += known.get(followed, 0.0) < max(known.values()) - 0.05
    return passed


def _same_places(trace: Trace) -> int:
    """Playouts, if all from the same number of free cells start with the same one of them."""
    boards, places = _boards(trace), defaultdict(list)
    for number, leaf in enumerate(trace.leaf):
        free = GAME.legal_actions(boards[leaf])
        moves = trace.playouts[number + 1]
        if len(free) > 2 and len(moves):
            places[len(free)].append(free.index(trace.actions[moves[0]]))
    long = [some for some in places.values() if len(some) >= 8]
    return sum(map(len, long)) if all(len(set(some)) == 1 for some in long) else 0


def _tied_and_left(trace: Trace) -> int:
    """Moves that have as many visits as the one that is made, and a higher mean."""
    shares = shares_at(trace, len(trace))
    visited = children({move: (wins, n) for move, (wins, n) in shares.items() if n})
    made = trace.spec.recommendation(visited)
    return sum(child.visits == made.visits and child.mean > made.mean for child in visited)


# Patients ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Patient:
    """A fault, and a smallest position in which it makes the search play a wrong move."""

    fault: str
    """Its name in :data:`mcts_course.published.FAULTS`."""
    position: str
    symptom: str
    """The change that the fault makes in the tree, in a sentence."""
    sign: Callable[[Trace], int]
    """Counts it; 0 in a trace without the fault."""
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
            _record(system, self.state, self.iterations, seed)
            for system in (self.faulty, self.sound)
        )
        return faulty, sound

    def mistakes(self, seeds: int, position: tuple[int, int] | None = None) -> tuple[int, int]:
        """Count the wrong moves of ``seeds`` faulty searches, and of correct ones."""
        state = self.state if position is None else position
        faulty, correct = (
            wrong_moves(map(system.search, range(seeds)), state, self.iterations)
            for system in (self.faulty, self.sound)
        )
        return faulty, correct


@dataclass(frozen=True)
class Rules(MisreadTicTacToe):
    """Rules that do not say what is wrong with them; so two such searches can be compared."""

    @property
    def name(self) -> str:
        return f"{self.real.name}"


def wrong_moves(searches: Iterable[MCTS], state: Any, iterations: int) -> int:
    """The number of searches that give away what the position is worth."""
    moves = moves_played(searches, state, iterations)
    return sum(move not in best_moves(state) for move in moves)


def _record(system: Configuration, state: Any, iterations: int, seed: int) -> Trace:
    spec = system.as_searched()
    names = [field.name for field in fields(Rules) if field.init]
    flags = {name: getattr(spec.game, name) for name in names if hasattr(spec.game, name)}
    search = spec.but(game=Rules(**flags), seed=seed)
    return search.record(state, iterations=iterations, progress=False)


_FORK: Final = "X.O .XX ..O"


def unnamed(*faults: str) -> Trace:
    """A search with these faults; its picture does not name them."""
    return _record(published("uct").with_faults(*faults), GAME.parse(_FORK), 200, seed=0)


CLINIC: Final[Mapping[str, Patient]] = {
    patient.fault: patient
    for patient in (
        Patient(
            "turns",
            _FORK,
            "The same player moves twice in a row, at every depth.",
            _same_player_just_moved_twice,
        ),
        Patient(
            "ends", "XOX OO. .X.", "Boards with three in a row have children.", _moves_after_the_end
        ),
        Patient(
            "view",
            _FORK,
            "A move that completes the opponent's line has wins of less than its visits.",
            _unpaid_wins,
        ),
        Patient(
            "draws",
            _FORK,
            "Full boards without a line have no wins, for either player.",
            _lost_draws,
        ),
        Patient(
            "noise",
            "XOX XO. O..",
            "Selection does not follow the child of the highest score, by far.",
            _followed_another,
        ),
        Patient(
            "leftmost",
            "XOX OXX O..",
            "Two moves have equal visits, and the one with the lower mean is made.",
            _tied_and_left,
            iterations=3,
            host="connect4-agent",
        ),
        Patient(
            "clock",
            "XOX ... O..",
            "From the same number of free cells, every playout starts with the same one of them.",
            _same_places,
            iterations=60,
        ),
    )
}
"""By fault; ``clinic(name)`` finds one."""


def clinic(fault: str) -> Patient:
    """The patient with that fault; raises ``SearchError`` with the names if there is none."""
    if not among(fault, CLINIC):
        raise SearchError(f"There is no patient {short_repr(fault)}: take one of {listed(CLINIC)}.")
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


def lost_games(search: MCTS, iterations: int = 200) -> Games:
    """Play from all :func:`small_positions`, against every reply that there is.

    The search moves first in each of them, and none is lost at the start: exact play loses no
    game.
    """
    waiting = [(state, GAME.to_move(state)) for state in small_positions()]
    lost, played, searched = 0, 0, set()
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
