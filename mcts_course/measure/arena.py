"""The arena: who wins, over many games and both colours, and how sure that is."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import SearchError, counted, require, short_repr
from mcts_viz.games import NATURE, Game, Returns
from mcts_viz.games.turns import chances, largest, mover
from mcts_viz.search.agents import Agent
from mcts_viz.search.checks import (
    check_two_players,
    explain_game_error,
    player_to_move,
    require_whole,
    utility,
)
from mcts_viz.search.policies import LONGEST_GAME, endless

from ..show.feedback import Shown
from ..show.tables import Table, span
from .intervals import wilson_interval
from .workers import done_by

MOST_GAMES: Final = 1_000_000
"""Of a pair: all are planned before the first is played."""
ATTEMPTS: Final = 1000
"""Random openings that may end the game, until it is said that all do."""


# The games ----------------------------------------------------------------------------


class PlayedGame(NamedTuple):
    """One game: its players, its moves and its result."""

    players: tuple[str, str]
    """The names, by player number of the game; the first is the one who moves first."""
    number: int
    """From 0, within the games of these two."""
    actions: tuple[Any, ...]
    returns: Returns
    """The result for each player, in [-1, 1]."""
    fault: str = ""
    """The error or illegal move that lost the game for the player who made it."""


@dataclass(frozen=True)
class Tally:
    """The results of some games for one player."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of points, in [0, 1], a draw being half a point; NaN without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of ``score`` by Wilson; with draws it is wider than it need be.

        It takes the games for independent of each other, see :attr:`ArenaResult.different`.
        """
        return wilson_interval(self.wins + self.draws / 2, self.games) if self.games else (0.0, 1.0)

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


@dataclass(frozen=True, repr=False)
class ArenaResult(Shown):
    """All games of a tournament; a notebook shows it as a table of wins, draws and losses."""

    game: Game[Any, Any]
    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    seed: int
    stopped: bool = False
    """True if an interrupt ended the arena early."""
    lost: int = 0
    """Games that are missing, because the worker died that played them."""

    def tally(self, name: str, against: str | None = None, moving: int | None = None) -> Tally:
        """The results of one player: against all or one, as player 0, as player 1 or as both."""
        for asked in (name, against or name):
            require(asked in self.names, "The player", f"one of {', '.join(self.names)}", asked)
        seats = (0, 1) if moving is None else (moving,)
        gains = []
        for played, seat in product(self.games, seats):
            if played.players[seat] == name and against in (None, played.players[1 - seat]):
                gains.append(played.returns[seat])
        wins, losses = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        return Tally(wins, len(gains) - wins - losses, losses)

    @property
    def ranking(self) -> list[str]:
        """The names, the best score first."""
        return sorted(self.names, key=lambda name: -self.tally(name).score)

    @property
    def different(self) -> int:
        """The number of different games, by players, colours and moves.

        Two players without chance repeat one game for each colour, and a repeated game proves
        nothing new; give them an ``opening``.
        """
        return len({(played.players, played.actions) for played in self.games})

    def positions(self, name: str) -> Iterator[Any]:
        """Every position in which that player was to move, random openings included."""
        for played in self.games:
            state = self.game.initial_state()
            for action in played.actions:
                mine = mover(self.game, state)
                if mine != NATURE and played.players[mine] == name:
                    yield state
                state = self.game.play(state, action)

    def parts(self) -> list[str | Table]:
        """The results of each player; of more than two, also the score of each against each."""
        ranking = self.ranking
        rows = []
        scores = []
        for name in ranking:
            tally, by_seat = (
                self.tally(name),
                (str(self.tally(name, moving=seat)) for seat in (0, 1)),
            )
            certain = (f"{tally.score:.3f}", span(tally.interval, ".3f"))
            rows.append((name, str(tally.games), str(tally), *certain, *by_seat))
            others = (self.tally(name, other) for other in ranking)
            scores.append((name, *(f"{each.score:.3f}" if each.games else "–" for each in others)))
        heads = ["player", "games", "won-drawn-lost", "score", "95 % interval"]
        heads += ["moving first", "moving second"]
        tables = [Table(heads, rows), Table(["score of … against", *ranking], scores)]
        played = len(self.games)
        said = f"{played:,} games of {self.game.name}, seed {self.seed}."
        if self.stopped:
            said += " They were played before you stopped it."
        if self.lost:
            said += f" {counted(self.lost, 'game')} more had no end, because a worker died."
        if self.different < played:
            said += f" Only {self.different:,} of these games differ from each other."
        if faults := [game.fault for game in self.games if game.fault]:
            said += f" {len(faults):,} of them were lost by an error, the first thus: {faults[0]}"
        return [*tables[: len(ranking) - 1], said]


# Playing it --------------------------------------------------------------------------------


def arena(
    players: Mapping[str, Agent],
    game: Game[Any, Any],
    *,
    games: int = 100,
    seed: int = 0,
    opening: int = 0,
    progress: bool | None = None,
    executor: Executor | None = None,
) -> ArenaResult:
    """Let every player meet every other in ``games`` games, half of them with either colour.

    ``players`` are callables that return a legal action for a position, by name; one with a method
    ``fresh(seed)`` is made again for each game, with a seed that follows from the arena's. So the
    same ``seed`` gives the same games, unless a player's budget is in seconds or a function draws
    its own random numbers. ``opening`` is the number of random moves with which each game
    starts; two games that follow each other have the same opening, with the colours exchanged.

    An error or an illegal move of a player loses its game, and the table names the first. An
    interrupt ends the arena, and what was played by then is kept. With an ``executor``, such as
    ``concurrent.futures.ProcessPoolExecutor()``, its workers play, and the games are the same.
    Raises ``SearchError`` for players or numbers that cannot be, and for games other than those of
    two players where one wins what the other loses.
    """
    check_two_players(game, "an arena is for games of two")
    kind = 'two or more by name, such as {"random": RandomAgent(game), "exact": ExactAgent(game)}'
    require(isinstance(players, Mapping) and len(players) > 1, "players", kind, players)
    for name, player in players.items():
        kind = (
            "a function that returns a legal action for a state; of a search, MCTSAgent(game, 200)"
        )
        require(isinstance(name, str), "The name of a player", "a text", name)
        right = callable(player) and not isinstance(player, type)
        require(right, f"The player {name!r}", kind, player)
    require_whole("games", games, 2, MOST_GAMES)
    require(games % 2 == 0, "games", "even, since both move first equally often", games)
    require_whole("opening", opening, 0)
    require_whole("seed", seed, 0)
    tasks = [(pair, number) for number in range(games) for pair in combinations(players.items(), 2)]
    pieces = [(game, int(seed), opening, *task) for task in tasks]
    with explain_game_error(game):
        played = done_by(executor, _play, pieces, "games", progress)
    every = tuple(played.by_place.values())
    return ArenaResult(game, tuple(players), every, seed, played.stopped, played.lost)


Pair: TypeAlias = tuple[tuple[str, Agent], tuple[str, Agent]]


def _play(game: Game[Any, Any], seed: int, opening: int, pair: Pair, number: int) -> PlayedGame:
    """Play one game; in every second one the players have changed places."""

    def chance(*purpose: object) -> random.Random:
        """A generator for one purpose of this game; other players of the arena do not change it."""
        return random.Random(repr((seed, *(name for name, _ in pair), *purpose)))

    state, actions = opened(game, opening, chance("opening", number // 2))
    draw = chance("players", number)
    in_order = pair if number % 2 == 0 else pair[::-1]
    seated = [
        (name, player.fresh(draw.getrandbits(32)) if hasattr(player, "fresh") else player)
        for name, player in in_order
    ]
    names = (seated[0][0], seated[1][0])
    while not game.is_terminal(state):
        _require_end(game, actions)
        if outcomes := chances(game, state):
            actions.append(sampled(outcomes, draw))
            state = game.play(state, actions[-1])
            continue
        # Outside of what follows: their errors are the game's, and no player loses by them.
        to_move = player_to_move(game, state)
        legal = list(game.legal_actions(state))
        try:
            actions.append(_move(seated[to_move][1], legal, state))
        except Exception as error:
            lost = (-1.0, 1.0) if to_move == 0 else (1.0, -1.0)
            fault = f"{names[to_move]} at {game.text(state)!r}: {type(error).__name__}: {error}"
            return PlayedGame(names, number, tuple(actions), lost, fault)
        state = game.play(state, actions[-1])
    gain = utility(game, state) / largest(game)
    return PlayedGame(names, number, tuple(actions), (gain, 0.0 - gain))


def _require_end(game: Game[Any, Any], actions: list[Any]) -> None:
    """Raise ``GameError`` for a game that goes on and on."""
    if len(actions) > LONGEST_GAME:
        raise endless(game)


def sampled(outcomes: Mapping[Any, float], draw: random.Random) -> Any:
    """One outcome where nature moves, by its probability."""
    return draw.choices(list(outcomes), list(outcomes.values()))[0]


def _move(player: Agent, legal: list[Any], state: Hashable) -> Any:
    """The legal action that the player chooses."""
    answer = player(state)
    if answer not in legal:
        raise SearchError(
            f"{short_repr(answer)} is not among the legal actions {short_repr(legal)}."
        )
    return legal[legal.index(answer)]


def opened(game: Game[Any, Any], moves: int, draw: random.Random) -> tuple[Any, list[Any]]:
    """The position after a number of random moves, and these; the game is not over there."""
    for _ in range(ATTEMPTS):
        state, actions = game.initial_state(), list[Any]()
        while len(actions) < moves and not game.is_terminal(state):
            outcomes = chances(game, state)
            legal = () if outcomes else game.legal_actions(state)
            actions.append(sampled(outcomes, draw) if outcomes else draw.choice(legal))
            state = game.play(state, actions[-1])
        if not game.is_terminal(state):
            return state, actions
    raise SearchError(
        f"opening is {moves}, but {game.name} is over after {moves} random moves: choose a "
        "smaller opening."
    )
