"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

import warnings
from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from . import search
from .errors import GameError, MctsVizError, SearchError, TraceError
from .film import Film
from .former import former, renamed
from .games import Bandit, ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, MCTSSolver, alpha_beta, minimax, policies, random_playout, solve, ucb1
from .search.agents import ExactAgent, MCTSAgent, RandomAgent
from .search.hooks import telling
from .search.mcts import Node
from .trace import MinimaxTrace, Recorder, Snapshot, Trace, record_minimax

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


# Names of before, for one version.
search.__getattr__ = partial(former, search.__name__)  # type: ignore[method-assign]
policies.__getattr__ = partial(former, policies.__name__)  # type: ignore[method-assign]
MCTS.hooked = renamed(  # type: ignore[attr-defined]
    "search.hooked(hooks)", "telling(search, hooks)", lambda search: partial(telling, search)
)
Node.inverse_root = renamed("node.inverse_root", "node.width", attrgetter("width"))  # type: ignore[attr-defined]
Trace.branch = renamed("trace.branch", "trace.fork", attrgetter("fork"))  # type: ignore[attr-defined]
Film.reel = renamed("film.reel", "film.data", attrgetter("data"))  # type: ignore[attr-defined]
Film.plot_root = renamed(  # type: ignore[attr-defined]
    "film.plot_root()",
    "plot_root(film), from mcts_course",
    lambda film: partial(import_module("mcts_course").plot_root, film),
)
MCTS.published = classmethod(_published)  # type: ignore[attr-defined]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a widget when it is asked for: a search needs none, nor a place for them."""
        if name in ("Compare", "Play", "Player"):
            return getattr(import_module(".widgets", __name__), name)
        return former(__name__, name)
