"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import GameError, MctsVizError, SearchError, TraceError
from .film import Film
from .games import Bandit, ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, MCTSSolver, alpha_beta, minimax, random_playout, solve, ucb1
from .search.agents import ExactAgent, MCTSAgent, RandomAgent
from .search.hooks import telling
from .trace import MinimaxTrace, Recorder, Snapshot, Trace, record, record_minimax
from .trace.tree import RecordedTree

if TYPE_CHECKING:
    from .widgets import Compare, Play, Player

__all__ = [
    "MCTS",
    "Bandit",
    "Compare",
    "ConnectFour",
    "ExactAgent",
    "Film",
    "Game",
    "GameError",
    "GameTree",
    "MCTSAgent",
    "MCTSSolver",
    "MctsVizError",
    "MinimaxTrace",
    "Nim",
    "Play",
    "Player",
    "RandomAgent",
    "Recorder",
    "SearchError",
    "Snapshot",
    "TicTacToe",
    "Trace",
    "TraceError",
    "alpha_beta",
    "check_game",
    "minimax",
    "random_playout",
    "record_minimax",
    "solve",
    "ucb1",
]

__version__ = "0.2.0"


def _to_html(
    film: Film, iteration: int | None = None, phase: str | None = None, large: bool = False
) -> str:
    """The player as one HTML file, which opens at that moment, else at the start.

    It works from a disk, without a kernel and without a network. ``large`` is large type for
    a projector. The file grows with the tree: 4 MB for 100,000 iterations of Connect Four.
    """
    page: str = import_module(".widgets.page", __name__).page(film, iteration, phase, large)
    return page


def _repr_mimebundle_(tree: RecordedTree, include: Any = None, exclude: Any = None) -> Any:
    return import_module(".widgets", __name__).display_bundle(tree)


# Methods that are handy, and call a function of a later room than their class: here, and only here.
MCTS.record = record
Film.to_html = _to_html  # type: ignore[attr-defined]
RecordedTree._repr_mimebundle_ = _repr_mimebundle_  # type: ignore[attr-defined]

# Names of before the course was a package of its own, kept for one version.
_MOVED = ("QLearner", "arena", "published")
_AGENTS = ("ExactPlayer", "MCTSPlayer", "RandomPlayer")


def _published(
    cls: type[MCTS],
    name: str,
    seed: int | None = None,
    *,
    game: Game[Any, Any] | None = None,
    repair: Any = (),
) -> MCTS:
    warnings.warn("Write published(name).search(seed=…), from mcts_course.", stacklevel=2)
    repair = [repair] if isinstance(repair, str) else repair
    system = import_module("mcts_course").published(name, game).repair(*repair)
    return cls(system.as_searched().game, seed=seed, **system.settings)


def _hooked(search: MCTS, hooks: Any) -> Any:
    warnings.warn("Write telling(search, hooks), from mcts_viz.search.hooks.", stacklevel=2)
    return telling(search, hooks)


MCTS.published = classmethod(_published)  # type: ignore[attr-defined]
MCTS.hooked = _hooked  # type: ignore[attr-defined]


def _reel(film: Film) -> Any:
    warnings.warn("Write film.data for film.reel.", DeprecationWarning, stacklevel=2)
    return film.data


def _plot_root(film: Film, iteration: int | None = None) -> Any:
    warnings.warn("Write plot_root(film), from mcts_course.", DeprecationWarning, stacklevel=2)
    return import_module("mcts_course").plot_root(film, iteration)


Film.reel = property(_reel)  # type: ignore[attr-defined]
Film.plot_root = _plot_root  # type: ignore[attr-defined]


def __getattr__(name: str) -> Any:
    """Load a widget when it is asked for: a search needs none, nor a place for them."""
    if name in ("Compare", "Play", "Player"):
        return getattr(import_module(".widgets", __name__), name)
    if name in _AGENTS:
        new = name.replace("Player", "Agent")
        warnings.warn(f"Write {new} for {name}.", DeprecationWarning, stacklevel=2)
        return globals()[new]
    if name in _MOVED:
        warnings.warn(f"{name} has moved: write from mcts_course import {name}.", stacklevel=2)
        return getattr(import_module("mcts_course"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
