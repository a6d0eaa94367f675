"""Published systems, faults and all, as configurations of the one search.

Each is declared as its author meant it, with correct policies and rules, and a list of the
faults that it has. So one word puts a fault in and one word takes it out::

    published("liu").search(seed=1)                   # as published
    published("liu").repair("turns").search(seed=1)   # with one fault less
    published("uct").with_faults("turns").search(seed=1)   # with nothing wrong but this
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Final, NamedTuple

from mcts_viz.errors import listed, require, require_one_of
from mcts_viz.games import ConnectFour, Game, TicTacToe
from mcts_viz.games.protocol import WIN_OF
from mcts_viz.search import MCTS
from mcts_viz.search.agents import MCTSAgent
from mcts_viz.search.checks import check_rules
from mcts_viz.search.policies import KINDS, describe
from mcts_viz.search.variants import (
    expand_all_play_leaf,
    max_child,
    pre_expanded,
    random_best,
    rewards_of,
    root_players_view,
    smoothed_ucb1,
)

from .faults import (
    clock_seeded,
    expand_all_follow_best,
    expand_playout,
    first_most_visited,
    forced,
    noisy_best,
    searcher_plays,
    unvisited_at_random,
)
from .faulty_rules import FaultyRules, MisreadConnectFour, MisreadTicTacToe


@dataclass(frozen=True, repr=False)
class Configuration:
    """A published system: what it searches with, and the faults that it has."""

    name: str
    source: str
    """The publication, and the place in it that says this."""
    spec: MCTS = field(default_factory=lambda: MCTS(TicTacToe()))
    """The game as it reads it, and its policies, without the ``faults``."""
    iterations: int = 1000
    """The budget of a move; where the source gives none, one that will do."""
    faults: tuple[str, ...] = ()
    """Names in :data:`FAULTS` or :data:`READINGS`."""

    @property
    def game(self) -> Game[Any, Any]:
        """The game as it reads it, without the ``faults``."""
        return self.spec.game

    @property
    def settings(self) -> dict[str, Any]:
        """The keyword arguments of :class:`MCTS`, faults included; without its game."""
        spec = self.as_searched()
        return {name: getattr(spec, name) for name in ("c", *KINDS)}

    def repair(self, *faults: str) -> Configuration:
        """The same system without these faults; raises ``SearchError`` for one it has not."""
        for name in faults:
            require(
                name in self.faults,
                f"A fault of {self.name!r}",
                f"one of {listed(self.faults)}",
                name,
            )
        return replace(self, faults=tuple(name for name in self.faults if name not in faults))

    def repair_all(self) -> Configuration:
        """The same system without a fault."""
        return replace(self, faults=())

    def with_faults(self, *faults: str) -> Configuration:
        """The same system with these faults, or readings, too; ``SearchError`` if unknown."""
        for name in faults:
            require_one_of("A fault", name, _SWITCHES)
        return replace(self, faults=(*self.faults, *faults))

    def as_searched(self) -> MCTS:
        """With every fault put where it acts, into the game or a policy."""
        spec = self.spec
        for name, switch in _SWITCHES.items():
            if name in self.faults:
                spec = switch.put(spec)
        return spec

    def search(self, seed: int | None = None) -> MCTS:
        """A search of this kind; ``search.search(state)`` takes states of the real game."""
        return self.as_searched().but(seed=seed)

    def agent(
        self, iterations: int | None = None, seed: int | None = None, *, keep_tree: bool = False
    ) -> MCTSAgent:
        """An agent with ``iterations`` per move, the system's own number if none is given.

        With ``keep_tree`` it plays a game with one tree, as the tutorial says in one place.
        """
        game, budget = (
            self.as_searched().game,
            self.iterations if iterations is None else iterations,
        )
        return MCTSAgent(game, budget, seed=seed, keep_tree=keep_tree, **self.settings)

    def __repr__(self) -> str:
        """A card: the source, all that a search is given, and the faults in sentences."""
        given = {"game": self.as_searched().game, **self.settings}
        texts = {name: describe(value) for name, value in given.items()}
        lines = [f"{self.name}: {self.source}; {self.iterations:,} iterations a move"]
        lines += [f"  {name:10} {text}" for name, text in texts.items() if text != "None"]
        has = [name for name in _SWITCHES if name in self.faults]
        lines += [
            f"  {'fault' if n in FAULTS else 'reading'}: {n!r}. {_SWITCHES[n].what}" for n in has
        ]
        return "\n".join(lines)


# Faults ------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """Something wrong in a published system, or another reading of it, as one switch."""

    what: str
    """In a sentence."""
    put: Callable[[MCTS], MCTS]
    """Puts it into a search without it."""


def _misread(spec: MCTS, **switches: bool) -> MCTS:
    game: Any = spec.game
    if isinstance(game, TicTacToe):
        game = MisreadTicTacToe()
    elif isinstance(game, ConnectFour):
        game = MisreadConnectFour(rows=game.rows, columns=game.columns, connect=game.connect)
    right = isinstance(game, FaultyRules)
    require(
        right, "The game of this fault", "TicTacToe or ConnectFour, which have faulty rules", game
    )
    return spec.but(game=replace(game, **switches))


def _draw_is_loss(spec: MCTS) -> MCTS:
    win, loss = (spec.reward(WIN_OF[winner], 0, 0) for winner in (0, 1))
    return spec.but(reward=rewards_of(win, loss, loss))


def _as_in_the_prose(spec: MCTS) -> MCTS:
    return spec.but(
        game=MisreadTicTacToe(),
        c=sqrt(2),
        selection=smoothed_ucb1(epsilon=1e-6, offset=0),
        tie_break=random_best,  # which is what noise of at most 1e-6 amounts to
        reward=rewards_of(1, 0, 0),
        recommendation=max_child,
        initial_expansion=forced(("block",)),
    )


READINGS: Final[dict[str, Fault]] = {
    "prose": Fault(
        'Liu, sections 4 to 6: the score of formula 3, and a block "at the AI\'s turn".',
        _as_in_the_prose,
    ),
    "forced win": Fault(
        "Liu, section 7, the author's repair: a move that wins is the only one searched.",
        lambda spec: spec.but(initial_expansion=forced(("win",))),
    ),
    "unblocked": Fault(
        "Liu, section 7: block(), which the author blames, is taken out of the playouts.",
        lambda spec: spec.but(playout=searcher_plays(("win",))),
    ),
    "kept playouts": Fault(
        "The tutorial, steps 2 and 3: the nodes of playouts are kept.",
        lambda spec: spec.but(expansion=expand_playout),
    ),
    "blind": Fault(
        "The Connect Four agent: a playout looks for a line only after a move.",
        lambda spec: _misread(spec, looks_first=False),
    ),
}
"""Other readings of what is published, put in as faults are, and before them."""
FAULTS: Final[dict[str, Fault]] = {
    "turns": Fault(
        "Every node of the tree is a move of the searcher.",
        lambda spec: _misread(spec, one_symbol=True),
    ),
    "ends": Fault(
        "The tree goes on after a line, until the board is full.",
        lambda spec: _misread(spec, until_full=True),
    ),
    "draws": Fault("A draw counts like a loss.", _draw_is_loss),
    "view": Fault(
        "Every node gets the searcher's reward, also the opponent's.",
        lambda spec: spec.but(reward=root_players_view(spec.reward)),
    ),
    "noise": Fault(
        "Noise of up to 2,147 drowns the score.",
        lambda spec: spec.but(tie_break=noisy_best(highest=2**31 - 1)),
    ),
    "block": Fault(
        "In playouts the searcher alone looks for lines, and blocks before it wins.",
        lambda spec: _misread(spec).but(playout=searcher_plays(("block", "win"))),
    ),
    "clock": Fault(
        "All playouts of a second draw the same numbers.",
        lambda spec: spec.but(playout=clock_seeded(spec.playout, per_second=15_000)),
    ),
    "pre-building": Fault(
        "Four levels of the tree are built before the search.",
        lambda spec: spec.but(initial_expansion=pre_expanded(4)),
    ),
    "leftmost": Fault(
        "Of equally visited moves the leftmost is made.",
        lambda spec: spec.but(recommendation=first_most_visited),
    ),
    "win rate": Fault(
        "The move of the highest win rate is made, on however few visits.",
        lambda spec: spec.but(recommendation=max_child),
    ),
}
"""Every switch by name, in the order in which they are put in. Whether it harms is another matter:
some are faults by their authors' account only."""
_SWITCHES: Final = READINGS | FAULTS


# Systems -----------------------------------------------------------------------------------

_AGENT: Final = 'marshalharman, "QLearning_and_MCTS-Reinforcement_Learning", documentation of the '
_SYSTEMS: Final = (
    Configuration(
        "uct",
        'Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning"; nothing is wrong with '
        "it",
    ),
    Configuration(
        "tutorial",
        'A tutorial, "Monte Carlo Tree Search", section "Game Tree"; the constant is not given, '
        "√2 is usual",
        MCTS(TicTacToe(), reward=rewards_of(1, 0.5, 0)),
        faults=("draws", "win rate"),
    ),
    # One detail of Liu's listing is not kept: it counts a full board as a draw when it first gets
    # there.
    Configuration(
        "liu",
        'Yuze Liu, "Monte-Carlo Search Tree Algorithm and its Tic-Tac-Toe Application", '
        "appendix A, on a platform whose rand() has 15 bits",
        MCTS(
            MisreadTicTacToe(looks_first=False),
            c=1,  # the √2 of the text is not in the listing
            selection=smoothed_ucb1(epsilon=1e-6, offset=1),
            tie_break=noisy_best(highest=32_767),
            expansion=expand_all_follow_best,
            reward=rewards_of(1, 0, -1),
            recommendation=first_most_visited,
        ),
        iterations=15_000,
        faults=("turns", "ends", "view", "block", "clock"),
    ),
    Configuration(
        "connect4-agent",
        f"{_AGENT}MCTS agent; a playout looks for a line before its first move",
        MCTS(
            MisreadConnectFour(),
            c=2,
            tie_break=unvisited_at_random,
            expansion=expand_all_play_leaf,
            reward=rewards_of(1, 0, -1),
        ),
        iterations=40,
        faults=("view", "ends", "pre-building", "leftmost"),
    ),
    Configuration(
        "canvas",
        "A blog post on an opponent for tic-tac-toe on a canvas, sections 2 and 3, "
        '"otherwise we subtract" taken literally',
        MCTS(TicTacToe(), reward=rewards_of(1, 0, -1)),
        faults=("draws",),
    ),
)


class Systems(dict[str, Configuration]):
    """Configurations by name; it shows itself as the list of their sources."""

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {system.source}" for name, system in self.items())


SYSTEMS: Final[Mapping[str, Configuration]] = Systems((each.name, each) for each in _SYSTEMS)
"""The systems by name, with their sources."""


def published(name: str, game: Game[Any, Any] | None = None) -> Configuration:
    """The system of that name in :data:`SYSTEMS`, on its own game if no other is given.

    Raises ``SearchError`` if there is none.
    """
    require_one_of("A published system", name, SYSTEMS)
    system = SYSTEMS[name]
    if game is None:
        return system
    check_rules(game)
    own, spec = system.game, system.spec.but(game=game)
    if isinstance(own, FaultyRules) and not isinstance(game, FaultyRules):
        spec = _misread(spec, looks_first=own.looks_first)
    return replace(system, spec=spec)
