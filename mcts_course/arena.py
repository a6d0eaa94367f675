"""The arena: who wins, over many games and both colours, and how sure that is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import SearchError, door, reason, short_repr
from mcts_viz.games import Game, Returns
from mcts_viz.search.agents import Agent, same_game
from mcts_viz.search.checks import check_two_players, require_whole, utility
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.running import progress_bar

from .feedback import Shown
from .intervals import wilson_interval
from .tables import Table, span

MOST_GAMES: Final = 1_000_000
"""Of a pair: all are planned before the first is played."""
ATTEMPTS: Final = 1000
"""Random openings that may end the game, until it is said that all do."""


# The games ----------------------------------------------------------------------------


class PlayedGame(NamedTuple):
    """One game: by whom, which moves, and how it ended."""

    players: tuple[str, str]
    """The names, by player number of the game; the first is the one who moves first."""
    number: int
    """From 0, within the games of these two."""
    actions: tuple[Any, ...]
    returns: Returns | None
    """The result for each player, in [-1, 1]; ``None`` if an error ended the game."""
    error: str = ""
    """Why there is no result, in a sentence."""
    at_fault: str = ""
    """Who made the error."""


@dataclass(frozen=True)
class Tally:
    """The results of some games for one player."""

    wins: int
    draws: int
    losses: int
    errors: int = 0
    """Games that ended by an error of this player; they count as nothing else."""

    @property
    def games(self) -> int:
        """The number of games with a result."""
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
        if not self.games:
            return 0.0, 1.0
        return wilson_interval(self.wins + self.draws / 2, self.games)

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


@dataclass(frozen=True, repr=False)
class ArenaResult(Shown):
    """All games that were played; it shows itself as a table of who won how often."""

    game: Game[Any, Any]
    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    seed: int
    stopped: str = ""
    """The reason why not all games were played, such as "you stopped it"; "" if they were."""

    def tally(self, name: str, against: str | None = None, moving: int | None = None) -> Tally:
        """The results of one player: against all or one, as player 0, as player 1 or as both."""
        for asked in (name, against):
            if asked is not None and asked not in self.names:
                raise SearchError(
                    f"{short_repr(asked)} did not play: the players are {', '.join(self.names)}."
                )
        gains, errors = [], 0
        for seat, played in product((0, 1) if moving is None else (moving,), self.games):
            if played.players[seat] == name and against in (None, played.players[1 - seat]):
                errors += played.at_fault == name
                gains += [played.returns[seat]] if played.returns else []
        wins, losses = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        return Tally(wins, len(gains) - wins - losses, losses, errors)

    @property
    def ranking(self) -> list[str]:
        """The names, the best score first; who has no result comes last."""
        scores = {name: self.tally(name) for name in self.names}
        return sorted(self.names, key=lambda n: -scores[n].score if scores[n].games else 1.0)

    @property
    def errors(self) -> list[PlayedGame]:
        """The games that an error ended."""
        return [played for played in self.games if played.returns is None]

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
                if played.players[self.game.to_move(state)] == name:
                    yield state
                state = self.game.play(state, action)

    # As a table ------------------------------------------------------------------------------

    def parts(self) -> list[str | Table]:
        """The results of each player; of more than two, also the score of each against each."""
        return [*[self._results(), self._scores()][: len(self.names) - 1], *self._remarks()]

    def _results(self) -> Table:
        heads = ["player", "games", "won-drawn-lost", "score", "95 % interval"]
        heads += ["moving first", "moving second"] + ["errors"] * bool(self.errors)
        rows = []
        for name in self.ranking:
            tally = self.tally(name)
            row = [name, str(tally.games), str(tally)]
            row += [f"{tally.score:.3f}", span(tally.interval, ".3f")] if tally.games else "––"
            row += [str(self.tally(name, moving=seat)) for seat in (0, 1)]
            rows.append(row + [str(tally.errors)] * bool(self.errors))
        return Table(heads, rows)

    def _scores(self) -> Table:
        ranking, rows = self.ranking, []
        for name in ranking:
            tallies = [self.tally(name, other) for other in ranking]
            rows.append([name, *(f"{t.score:.3f}" if t.games else "–" for t in tallies)])
        return Table(["score of … against", *ranking], rows)

    def _remarks(self) -> list[str]:
        played, errors = len(self.games), self.errors
        games = "1 game" if played == 1 else f"{played:,} games"
        said = [f"{games} of {self.game.name}, seed {self.seed}."]
        if self.stopped:
            said.append(f"These were played before {self.stopped}.")
        if self.different < played:
            said.append(f"Only {self.different:,} of these games differ from each other.")
        if errors:
            count = "1 game" if len(errors) == 1 else f"{len(errors):,} games"
            said.append(f"{count} ended by an error. The first: {errors[0].error}")
        return said


# Playing it --------------------------------------------------------------------------------


@door
def arena(
    players: Mapping[str, Agent],
    game: Game[Any, Any],
    *,
    games: int = 100,
    seed: int = 0,
    opening: int = 0,
    progress: bool | None = None,
) -> ArenaResult:
    """Let every player meet every other in ``games`` games, half of them with either colour.

    ``players`` are callables that return a legal action for a position, by name; one with a method
    ``fresh(seed)`` is made again for each game, with a seed that follows from the arena's. So the
    same ``seed`` gives the same games, unless a player's budget is in seconds or a function draws
    its own random numbers. ``opening`` is the number of random moves with which each game
    starts; two games that follow each other have the same opening, with the colours exchanged.

    A player that returns an illegal move, or raises an error, ends its game without a result;
    such games are counted apart. An interrupt ends the arena, and what was played by then is kept.
    Raises ``SearchError`` for players or numbers that cannot be, and for games other than those of
    two players where one wins what the other loses.
    """
    check_two_players(game, "an arena is for games of two")
    _check_players(players, game)
    require_whole("games", games, 2, MOST_GAMES)
    if games % 2:
        raise SearchError(f"games must be even, since both move first equally often; you gave {games}.")
    require_whole("opening", opening, 0)
    require_whole("seed", seed, 0)
    tasks = [(pair, number) for number in range(games) for pair in combinations(players.items(), 2)]
    played: list[PlayedGame] = []
    with progress_bar(len(tasks), progress, unit="games") as show, suppress(KeyboardInterrupt):
        for task in tasks:
            played.append(_play(game, int(seed), opening, task))
            show(len(played))
    stopped = "you stopped it" if len(played) < len(tasks) else ""
    return ArenaResult(game, tuple(players), tuple(played), seed, stopped)


Pair: TypeAlias = tuple[tuple[str, Agent], tuple[str, Agent]]


class FaultError(Exception):
    """An error of a player, with the player's name."""

    def __init__(self, player: str, did: str) -> None:
        super().__init__(f"{player} {did}.")
        self.player = player


def _play(game: Game[Any, Any], seed: int, opening: int, task: tuple[Pair, int]) -> PlayedGame:
    """Play one game; in every second one the players have changed places."""
    pair, number = task

    def chance(*purpose: object) -> random.Random:
        """Of these two for one purpose: who else plays in the arena changes nothing."""
        return random.Random(repr((seed, *(name for name, _ in pair), *purpose)))

    state, actions = opened(game, opening, chance("opening", number // 2))
    draw = chance("players", number)
    seated = pair if number % 2 == 0 else pair[::-1]
    names = (seated[0][0], seated[1][0])
    try:
        choosers = [_fresh(*each, draw.getrandbits(32)) for each in seated]
        while not game.is_terminal(state):
            to_move = game.to_move(state)
            actions.append(_move(names[to_move], choosers[to_move], game, state))
            state = game.play(state, actions[-1])
    except FaultError as fault:
        return PlayedGame(names, number, tuple(actions), None, str(fault), fault.player)
    gain = utility(game, state)
    return PlayedGame(names, number, tuple(actions), (gain, 0.0 - gain))


def _move(name: str, player: Agent, game: Game[Any, Any], state: Any) -> Any:
    """The legal action that the player chooses; anything else is its fault."""
    legal, there = list(game.legal_actions(state)), f"in the position {game.text(state)!r}"
    with _blaming(name, there):
        answer = player(state)
    try:
        return legal[legal.index(answer)]
    except Exception:  # comparing may raise anything, too
        did = f"returned {short_repr(answer)} {there}, but the legal actions there are"
        raise FaultError(name, f"{did} {short_repr(legal)}") from None


@contextmanager
def _blaming(name: str, where: str) -> Iterator[None]:
    """Errors in here are the player's fault."""
    try:
        yield
    except Exception as error:
        did = f"raised {type(error).__name__} ({reason(error)})"
        raise FaultError(name, f"{did} {where}") from error


def opened(game: Game[Any, Any], moves: int, draw: random.Random) -> tuple[Any, list[Any]]:
    """The position after a number of random moves, and these; the game is not over there."""
    for _ in range(ATTEMPTS):
        state, actions = game.initial_state(), list[Any]()
        while len(actions) < moves and not game.is_terminal(state):
            actions.append(draw.choice(game.legal_actions(state)))
            state = game.play(state, actions[-1])
        if not game.is_terminal(state):
            return state, actions
    raise SearchError(
        f"opening is {moves}, but {game.name} is over after {moves} random moves: choose a smaller opening."
    )


def _fresh(name: str, player: Agent, seed: int) -> Agent:
    make = getattr(player, "fresh", None)
    with _blaming(name, "when a fresh one was made"):
        return make(seed) if make else player


def _check_players(players: Mapping[str, Agent], game: Game[Any, Any]) -> None:
    if not isinstance(players, Mapping) or len(players) < 2:
        raise SearchError(
            f"players must be two or more, by name; you gave {short_repr(players)}. Give "
            '{"random": RandomAgent(game), "exact": ExactAgent(game)}.'
        )
    for name, player in players.items():
        if isinstance(player, MCTS):
            raise SearchError(
                f"{short_repr(name)} is a search without a budget: make it a player, "
                "MCTSAgent(game, iterations=200)."
            )
        if not callable(player) or not isinstance(name, str):
            raise SearchError(
                f"A player must have a name, and return a legal action for a state; you gave "
                f"{short_repr(name)}: {short_repr(player)}. Take an MCTSAgent, or a function."
            )
        own = getattr(player, "game", None)
        if isinstance(own, Game) and not same_game(own, game):
            raise SearchError(
                f"{short_repr(name)} plays {own.name}, but the arena is for {game.name}: make both "
                "with the same game."
            )
