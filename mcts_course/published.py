"""Published systems, faults and all, as configurations of the one search.

Each is declared as its author meant it, of sound policies on the right rules, and a list of the
faults that it has. So one word puts a fault in and one word takes it out::

    published("liu").search(seed=1)                   # as published
    published("liu").repair("turns").search(seed=1)   # with one fault less
    published("uct").with_faults("turns").search(seed=1)   # with nothing wrong but this
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Final

from mcts_viz.errors import SearchError, shown
from mcts_viz.games import ConnectFour, Game, TicTacToe
from mcts_viz.games.boards import WIN_OF, among, listed
from mcts_viz.search.agents import MCTSPlayer
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.policies import (
    ChoiceRule,
    CreditRule,
    ExpansionRule,
    FinalMoveRule,
    PlayoutPolicy,
    Preparation,
    SelectionRule,
    expand_one,
    first_best,
    half_for_a_draw,
    random_playout,
    robust_child,
    ucb1,
)
from mcts_viz.search.positions import check_rules
from mcts_viz.search.recipes import describe, describe_game
from mcts_viz.search.variants import (
    expand_all,
    expand_all_play_leaf,
    max_child,
    pre_expanded,
    random_best,
    rewards_of,
    root_players_view,
    smoothed_ucb1,
    win_rate,
    win_then_block,
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
from .faulty_rules import Misread, MisreadConnectFour, MisreadTicTacToe

__all__ = ["FAULTS", "SYSTEMS", "Configuration", "Fault", "published"]


@dataclass(frozen=True, repr=False)
class Configuration:
    """A system: the game as it reads it, its policies, and the faults that it has.

    The policies are those of :class:`MCTS`, and stand here without the ``faults``.
    """

    name: str
    source: str
    """Who published it, and where in it this is said."""
    game: Game[Any, Any] = field(default_factory=TicTacToe)
    iterations: int = 1000
    """The budget of a move; where the source gives none, one that will do."""
    c: float = sqrt(2)
    selection: SelectionRule = ucb1
    choice: ChoiceRule = first_best
    expansion: ExpansionRule = expand_one
    playout: PlayoutPolicy = random_playout
    credit: CreditRule = half_for_a_draw
    final_move: FinalMoveRule = robust_child
    prepare: Preparation | None = None
    keep_tree: bool = False
    """Whether a game is played with one tree, which goes on from move to move."""
    faults: tuple[str, ...] = ()
    """Names in :data:`FAULTS`."""

    def repair(self, *faults: str) -> Configuration:
        """The same system without these faults; raises ``SearchError`` for one it has not."""
        missing = [name for name in faults if name not in self.faults]
        if missing:
            raise SearchError(
                f"{self.name!r} does not have the fault {shown(missing[0])}: its faults are "
                f"{listed(self.faults)}."
            )
        return replace(self, faults=tuple(name for name in self.faults if name not in faults))

    def repair_all(self) -> Configuration:
        """The same system without a fault."""
        return self.repair(*self.faults)

    def with_faults(self, *faults: str) -> Configuration:
        """The same system with these faults too; raises ``SearchError`` for a name unknown."""
        unknown = [name for name in faults if not among(name, FAULTS)]
        if unknown:
            raise SearchError(
                f"There is no fault {shown(unknown[0])}: the faults are {listed(FAULTS)}."
            )
        return replace(self, faults=(*self.faults, *faults))

    def as_searched(self) -> Configuration:
        """With every fault put where it acts, into the game or a policy."""
        system = replace(self, faults=())
        for name, fault in FAULTS.items():
            if name in self.faults:
                system = fault.put(system)
        return system

    @property
    def settings(self) -> dict[str, Any]:
        """The keyword arguments of :class:`MCTS`, faults included; its game comes beside them."""
        names = ("c", "selection", "choice", "expansion", "playout", "credit", "final_move")
        system = self.as_searched()
        return {name: getattr(system, name) for name in (*names, "prepare")}

    def search(self, seed: int | None = None) -> MCTS:
        """A search of this kind; ``search.search(state)`` takes states of the real game."""
        return MCTS(self.as_searched().game, seed=seed, **self.settings)

    def player(self, iterations: int | None = None, seed: int | None = None) -> MCTSPlayer:
        """A player with so many iterations a move, the system's own number if none is given."""
        game, budget = self.as_searched().game, iterations or self.iterations
        return MCTSPlayer(game, budget, seed=seed, keep_tree=self.keep_tree, **self.settings)

    def __repr__(self) -> str:
        """A card: the source, all that a search is given, and the faults in sentences."""
        given = {"game": describe_game(self.as_searched().game)}
        for name, policy in self.settings.items():
            given[name] = describe(policy) if callable(policy) else f"{policy}"
        if self.keep_tree:
            given["keep_tree"] = "True"
        lines = [f"{self.name}: {self.source}; {self.iterations:,} iterations a move"]
        lines += [f"  {name:10} {text}" for name, text in given.items() if text != "None"]
        faults = [name for name in FAULTS if name in self.faults]
        return "\n".join([*lines, *(f"  fault: {name!r}. {FAULTS[name].what}" for name in faults)])


# Faults ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """Something wrong in a published system, as one switch."""

    what: str
    """In a sentence."""
    put: Callable[[Configuration], Configuration]
    """Puts it into a system without it."""


def _misreading(system: Configuration, **switches: bool) -> Configuration:
    game = system.game
    if isinstance(game, TicTacToe):
        game = MisreadTicTacToe()
    elif isinstance(game, ConnectFour):
        game = MisreadConnectFour(rows=game.rows, columns=game.columns, connect=game.connect)
    if not isinstance(game, Misread):
        raise SearchError(
            f"{game.name} cannot be misread: put this fault into a search of TicTacToe or "
            "ConnectFour."
        )
    return replace(system, game=replace(game, **switches))


def _one_symbol(system: Configuration) -> Configuration:
    return _misreading(system, one_symbol=True)


def _until_full(system: Configuration) -> Configuration:
    return _misreading(system, until_full=True)


def _root_view(system: Configuration) -> Configuration:
    return replace(system, credit=root_players_view(system.credit))


def _draw_is_loss(system: Configuration) -> Configuration:
    win, loss = (system.credit(WIN_OF[winner], 0, 0) for winner in (0, 1))
    return replace(system, credit=rewards_of(win, loss, loss))


def _loud_noise(system: Configuration) -> Configuration:
    return replace(system, choice=noisy_best(highest=2**31 - 1))


def _block_first(system: Configuration) -> Configuration:
    return replace(_misreading(system), playout=searcher_plays(("block", "win")))


def _clock(system: Configuration) -> Configuration:
    return replace(system, playout=clock_seeded(system.playout, per_second=15_000))


def _pre_built(system: Configuration) -> Configuration:
    return replace(system, prepare=pre_expanded(4))


def _leftmost(system: Configuration) -> Configuration:
    return replace(system, final_move=first_most_visited)


def _best_rate(system: Configuration) -> Configuration:
    return replace(system, final_move=max_child)


FAULTS: Final[dict[str, Fault]] = {
    "turns": Fault("Every node of the tree is a move of the searcher.", _one_symbol),
    "ends": Fault("The tree goes on after a line, until the board is full.", _until_full),
    "draws": Fault("A draw counts like a loss.", _draw_is_loss),
    "view": Fault("Every node gets the searcher's reward, also the opponent's.", _root_view),
    "noise": Fault("Noise of up to 2,147 drowns the score.", _loud_noise),
    "block": Fault(
        "In playouts the searcher alone looks for lines, and blocks before it wins.", _block_first
    ),
    "clock": Fault("All playouts of a second draw the same numbers.", _clock),
    "pre-building": Fault("Four levels of the tree are built before the search.", _pre_built),
    "leftmost": Fault("Of equally visited moves the leftmost is made.", _leftmost),
    "win rate": Fault(
        "The move of the highest win rate is made, on however few visits.", _best_rate
    ),
}
"""Every switch by name, in the order in which they are put in. Whether it harms is another matter:
some are faults by their authors' account only."""


# Systems -----------------------------------------------------------------------------------

_TUTORIAL: Final = 'A tutorial, "Monte Carlo Tree Search", section "Game Tree"'
_LIU: Final = 'Yuze Liu, "Monte-Carlo Search Tree Algorithm and its Tic-Tac-Toe Application"'
_AGENT: Final = 'marshalharman, "QLearning_and_MCTS-Reinforcement_Learning", documentation of the '
_CANVAS: Final = "A blog post on an opponent for tic-tac-toe on a canvas, sections 2 and 3"

_uct = Configuration(
    "uct",
    'Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning"; nothing is wrong with it',
)
_tutorial = Configuration(
    "tutorial",
    f"{_TUTORIAL}; the constant is not given, √2 is usual",
    credit=rewards_of(1, 0.5, 0),
    faults=("draws", "win rate"),
)
# One detail of the listing is not kept: it counts a full board as a draw when it first gets there.
_liu = Configuration(
    "liu",
    f"{_LIU}, appendix A, on a platform whose rand() has 15 bits",
    game=MisreadTicTacToe(looks_first=False),
    iterations=15_000,
    c=1,  # the √2 of the text is not in the listing
    selection=smoothed_ucb1(epsilon=1e-6, offset=1),
    choice=noisy_best(highest=32_767),
    expansion=expand_all_follow_best,
    credit=rewards_of(1, 0, -1),
    final_move=first_most_visited,
    faults=("turns", "ends", "view", "block", "clock"),
)
_agent = Configuration(
    "connect4-agent",
    f"{_AGENT}MCTS agent; a playout looks for a line before its first move",
    game=MisreadConnectFour(),
    iterations=40,
    c=2,
    choice=unvisited_at_random,
    expansion=expand_all_play_leaf,
    credit=rewards_of(1, 0, -1),
    faults=("view", "ends", "pre-building", "leftmost"),
)
_canvas = Configuration(
    "canvas",
    f'{_CANVAS}, "otherwise we subtract" taken literally',
    credit=rewards_of(1, 0, -1),
    faults=("draws",),
)


class Systems(dict[str, Configuration]):
    """Configurations by name; it shows itself as the list of their sources."""

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {system.source}" for name, system in self.items())


SYSTEMS: Final[Mapping[str, Configuration]] = Systems(
    (system.name, system)
    for system in (
        _uct,
        _tutorial,
        replace(
            _tutorial,
            name="tutorial-kept-tree",
            source=f'{_TUTORIAL}, "the same tree to train both players": one tree for a game',
            keep_tree=True,
        ),
        replace(
            _tutorial,
            name="tutorial-kept-playouts",
            source=f"{_TUTORIAL}, steps 2 and 3 literally: the nodes of playouts are kept",
            expansion=expand_playout,
        ),
        _liu,
        replace(
            _liu,
            name="liu-31-bit",
            source=f"{_LIU}, appendix A, on a platform whose rand() has 31 bits",
            faults=(*_liu.faults, "noise"),
        ),
        replace(
            _liu,
            name="liu-forced-win",
            source=f"{_LIU}, section 7: the author's repair, a function that forces a winning move",
            prepare=forced(("win",)),
        ),
        replace(
            _liu.repair("block"),
            name="liu-unblocked",
            source=f"{_LIU}, section 7: the function that the author blames, block(), taken out",
            playout=searcher_plays(("win",)),
        ),
        Configuration(
            "liu-text",
            f'{_LIU}, sections 4 to 6: the prose, formula 3 and the block "at the AI\'s turn"',
            game=MisreadTicTacToe(),
            iterations=15_000,
            selection=smoothed_ucb1(epsilon=1e-6, offset=0),
            choice=random_best,  # which is what noise of at most 1e-6 amounts to
            expansion=expand_all_follow_best,
            credit=rewards_of(1, 0, 0),
            final_move=max_child,
            prepare=forced(("block",)),
            faults=("view", "block"),
        ),
        Configuration(
            "liu-pseudocode",
            f"{_LIU}, algorithm 1, with the child in the place of the root in the descent",
            iterations=15_000,
            credit=rewards_of(1, 0, -1),
            faults=("view", "win rate"),
        ),
        _agent,
        replace(
            _agent,
            name="connect4-agent-blind",
            source=f"{_AGENT}MCTS agent; a playout looks for a line only after a move",
            game=MisreadConnectFour(looks_first=False),
        ),
        replace(
            _agent,
            name="connect4-agent-text",
            source=f'{_AGENT}MCTS agent, phase 3: a playout starts "from the newly expanded node"',
            expansion=expand_all,
        ),
        _canvas,
        replace(
            _canvas,
            name="canvas-win-rate",
            source=f'{_CANVAS}: selection "with highest win rate", the first sentence of 2.1',
            selection=win_rate,
        ),
        replace(
            _canvas,
            name="canvas-heavy",
            source=f"{_CANVAS}: the heavy playout that 2.3 allows",
            playout=win_then_block,
        ),
    )
)
"""The systems and their variants by name, with their sources."""


def published(name: str, game: Game[Any, Any] | None = None) -> Configuration:
    """The system of that name in :data:`SYSTEMS`, on its own game if no other is given.

    Raises ``SearchError`` if there is none.
    """
    if not isinstance(name, str) or name not in SYSTEMS:
        raise SearchError(f"There is no published system {shown(name)}: take {listed(SYSTEMS)}.")
    system = SYSTEMS[name]
    if game is None:
        return system
    check_rules(game)
    return replace(system, game=_as_read_by(system.game, game))


def _as_read_by(own: Game[Any, Any], game: Game[Any, Any]) -> Game[Any, Any]:
    """``game``, with what else the system's ``own`` game has beside its rules."""
    if not isinstance(own, Misread) or isinstance(game, Misread):
        return game
    read = _misreading(Configuration("", "", game=game)).game
    assert isinstance(read, Misread)
    return replace(read, looks_first=own.looks_first)
