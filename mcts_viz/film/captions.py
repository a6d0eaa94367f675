"""What happens, in words: a sentence pattern for each moment, with gaps for the moment's numbers.

The patterns travel with the film, one small number a moment says which applies, and the painter
of the moment fills the gaps from the film's columns.
"""

from __future__ import annotations

import inspect
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..search import MCTS, PHASES, expand_one, random_playout
from ..search.texts import describe
from ..trace import Trace
from .search_film import SearchFilm
from .words import counted, outcome_text, plain, precise, rewards_text

_COMPARED = "At the root {choice}. After {walked} the walk stops at "
_NEW_THERE = "At the root {choice}: it has no visit yet. After {walked} the walk stops at "
_ENDS = (
    "a position with an untried move.",
    "a position where the game is over.",
    "a node without children.",
)
PATTERNS: Final = (
    "The root still has an untried move, so nothing is compared and the walk stops here.",
    *(_COMPARED + end for end in _ENDS),
    *(_NEW_THERE + end for end in _ENDS),
    "An untried move is picked at random: {player} plays {move}. A new node joins the tree.",
    "The game is over in this position, so there is no move to add.",
    "No node is added here: the playout will begin at the end of the path.",
    "From the new node, random moves to the end: {moves}, then {result}. None of these positions "
    "joins the tree.",
    "From the end of the path, random moves to the end: {moves}, then {result}. None of these "
    "positions joins the tree.",
    "The game is over in this position, so there is nothing to play: {result}.",
    "Back up the path: {result}. {nodes} get one visit each, {rewards}.",
    "Nothing is played: the position is valued as it stands, {result}.",
)
_OTHERS = "Proven moves are passed over. At the root {choice}. After {walked} the walk stops at "
_PROVED = PATTERNS[-2] + " This proves that {result} in "
PROOF_PATTERNS: Final = (
    *(_OTHERS + end for end in _ENDS),
    _PROVED + "{proved} at the end of the path.",
    _PROVED + "every position of the path, so the search is over.",
)
"""What a search that proves wins and losses says besides."""
FORK_PATTERNS: Final = (
    "The walk begins with the moves that were asked for, whatever the scores say: {walked}.",
    "The untried move that was asked for: {player} plays {move}. A new node joins the tree.",
)
"""What a branch says of its first iteration."""
_SEEN = ("a node that gets a new child.", *("the end of the tree.",) * 2)
_UNSEEN = "The playout was not seen: a tree does not show it."
_CHANGED = "Back up the path: the numbers of {nodes} change, {rewards}."
WATCHED_PATTERNS: Final = (
    "Nothing is compared at the root, and the walk stops there.",
    *(_COMPARED + end for end in _SEEN),
    *(_NEW_THERE + end for end in _SEEN),
    "A new node joins the tree: {player} plays {move}.",
    *("No new node was seen.",) * 2,
    *("A playout of {moves}, told by the program. None of its positions joins the tree.",) * 2,
    _UNSEEN,
    _CHANGED,
    _UNSEEN,
)
"""What is said of somebody else's search, of which only the tree is known; in the same order."""
_OPEN, _WALKED, _UNVISITED, _ADDED = 0, 1, 4, 7
_PLAYED, _PLAYED_ON, _NOTHING_PLAYED, _BACK, _VALUED = range(10, 15)
_PASSED, _BACK_PROVED, _BACK_SOLVED = 15, 18, 19
"""Where they stand; three follow each other for a walk, or an expansion, by how the walk ended."""


def patterns(trace: Trace) -> tuple[str, ...]:
    """The patterns of a film; those of a fork with given first moves come last."""
    if trace.rows:
        return WATCHED_PATTERNS
    said = PATTERNS + PROOF_PATTERNS * trace.solver + FORK_PATTERNS * bool(trace.first_moves)
    spec = trace.spec
    if spec.playout is not random_playout:
        by = f"moves by {describe(spec.playout)}:"
        said = tuple(p.replace("random moves to the end:", by) for p in said)
    if spec.expansion is not expand_one:
        added = "The expansion policy adds:"
        said = tuple(p.replace("An untried move is picked at random:", added) for p in said)
    return said


def caption_numbers(data: SearchFilm) -> NDArray[np.uint8]:
    """By moment, four an iteration that is shown: the number of its pattern."""
    trace, iterations = data.trace, data.iterations
    leaf = trace.leaf[iterations - 1]
    added = trace.created_at[leaf] == iterations
    unplayed = trace.playouts.lengths[iterations - 1] == 0
    over = _is_over(trace, leaf[~added | unplayed])[leaf]
    passed_over = iterations > data.first_refuted
    walked = np.where(passed_over, _PASSED, np.where(_to_unvisited(data), _UNVISITED, _WALKED))
    end = np.where(added, 0, np.where(over, 1, 2))  # in the order of _ENDS
    played = np.where(added, _PLAYED, _PLAYED_ON)
    numbers = np.stack(
        [
            np.where(data.walked == 0, _OPEN, walked + end),
            _ADDED + end,
            np.where(unplayed, np.where(over, _NOTHING_PLAYED, _VALUED), played),
            _results(trace)[iterations - 1],
        ],
        axis=1,
    )
    if trace.first_moves and iterations[0] == 1:
        count = len(patterns(trace))
        numbers[0, 0] = count - 2
        if added[0] and len(trace.path(int(leaf[0]))) == 1 + len(trace.first_moves):
            numbers[0, 1] = count - 1
    return numbers.astype(np.uint8).ravel()


def _is_over(trace: Trace, ends: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """By node: whether the game is over there; asked of these alone."""
    over = np.zeros(len(trace.parent), bool)
    for node in np.unique(ends).tolist():
        over[node] = trace.game.is_terminal(trace.state(node))
    return over


def _to_unvisited(data: SearchFilm) -> NDArray[np.bool_]:
    """By iteration shown: whether the child followed at the root was there, and unvisited."""
    nodes = data.first_steps[data.iterations - 1].astype(np.int64)
    first_visits = data.visits.times[data.visits.ends[nodes]] == data.iterations
    unvisited = first_visits & (data.trace.visits_before[nodes] == 0)
    found: NDArray[np.bool_] = unvisited & (data.walked > 0) & np.isnan(data.leads)
    return found


def _results(trace: Trace) -> NDArray[np.int64]:
    """By iteration: the pattern of its last phase."""
    results = np.full(trace.iterations, _BACK)
    sign, since = trace.proofs
    results[since[(sign != 0) & (since > 0)] - 1] = _BACK_PROVED
    if sign[0] and since[0]:
        results[since[0] - 1] = _BACK_SOLVED
    return results


def caption(data: SearchFilm, iteration: int, phase: str) -> str:
    """The moment in a sentence or two."""
    trace, game = data.trace, data.game
    place = data.place(iteration)
    number = caption_numbers(data)[4 * place + PHASES.index(phase)]
    path = trace.path(int(trace.leaf[iteration - 1]))
    outcome = trace.outcomes[trace.outcome[iteration - 1]]
    sign, since = trace.proofs
    proved = [node for node in path if sign[node] and since[node] == iteration]
    return patterns(trace)[int(number)].format(
        k=iteration,
        choice=_choice(trace.label(path[1]) if len(path) > 1 else "", data.leads[place]),
        walked=counted(int(data.walked[place]), "move"),
        player=plain(game.players[trace.player_just_moved[path[-1]]]),
        move=plain(trace.label(path[-1])),
        moves=counted(len(trace.playouts[iteration]), "move"),
        nodes=counted(len(path), "node"),
        proved=counted(len(proved), "position"),
        result=outcome_text(game, outcome.returns),
        rewards=rewards_text(game, outcome.rewards),
    )


def _choice(move: str, lead: float) -> str:
    """What was chosen, and how far ahead of its best rival it was; not-a-number without one."""
    move = plain(move)
    if np.isnan(lead):
        return f"{move} is followed"
    if lead < 0:
        return f"{move} is followed, though another scores {precise(-lead)} more"
    if lead == 0:
        return f"{move} scores highest, level with another"
    return f"{move} scores highest, by {precise(lead)}"


def algorithm() -> list[str]:
    """By phase: its line in the source of one iteration."""
    lines = inspect.getsource(MCTS.iteration).splitlines()
    return [next(line.strip() for line in lines if f"self.{phase}(" in line) for phase in PHASES]
