"""Experiments and exercises of the lesson *Can a search teach itself?*"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from mcts_viz.errors import fits, require
from mcts_viz.games import TicTacToe
from mcts_viz.search.agents import Agent, MCTSAgent, RandomAgent
from mcts_viz.search.checks import check_position
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.solver import solve

from ..learning.network import SMALL, Network, Pupil
from ..learning.priors import guided
from ..learning.q_learning import QLearner
from ..measure.arena import arena
from ..measure.experiments import results_at_budgets
from ..measure.intervals import paired_gain, verdict
from ..show.feedback import say
from ..show.figures import GREYS, Figure, new_figure
from ..show.tables import Table, span
from ..typed import typed_door
from ..work.exercises import Case, Task, texts_of

SAID: Final = texts_of(__name__)
BUDGETS: Final = (10, 40, 160)


# A table ---------------------------------------------------------------------------------------


@typed_door
def schooled(games: int, seed: int) -> QLearner:
    """A learner of tic-tac-toe, with an exam against chance after every 1,000 games."""
    game = TicTacToe()
    chance = RandomAgent(game)

    def exam(learner: QLearner) -> float:
        played = arena(
            {"learner": learner, "chance": chance}, game, games=60, seed=seed, progress=False
        )
        return played.tally("learner").score

    learner = QLearner(game, epsilon=0.5, seed=seed)
    return learner.train(games, measure=exam, every=1000)


# A network -------------------------------------------------------------------------------------


@typed_door
def test_positions(count: int, seed: int) -> list[Any]:
    """Positions of random games of ``SMALL`` in which some moves are mistakes and some are not."""
    draw = random.Random(seed)
    met = _telling(count, lambda: lambda state: draw.choice(SMALL.legal_actions(state)))
    return draw.sample(met, count)


@typed_door
def played_positions(count: int, seed: int) -> list[Any]:
    """Such positions of games that UCT with 20 iterations a move plays against itself."""
    draw = random.Random(seed)
    met = _telling(2 * count, lambda: MCTSAgent(SMALL, 20, seed=draw.getrandbits(32)))
    return draw.sample(met, count)


def _telling(least: int, player: Callable[[], Callable[[Any], Any]]) -> list[Any]:
    """At least so many positions in which some moves are mistakes, of games of a ``player()``
    each."""
    found: dict[Any, None] = {}
    while len(found) < least:
        choose = player()
        state = SMALL.initial_state()
        while not SMALL.is_terminal(state):
            truth = solve(SMALL, state)
            if len(truth.best_actions) < len(truth.action_values):
                found[state] = None
            state = SMALL.play(state, choose(state))
    return list(found)


@typed_door
def right_moves(player: Agent, states: Sequence[Any]) -> list[bool]:
    """Return, for each position, True if the player's move is a best one by exact play."""
    return [player(state) in solve(SMALL, state).best_actions for state in states]


@typed_door
def guided_and_not(network: Network, states: Sequence[Any]) -> dict[str, dict[int, list[bool]]]:
    """Return, for UCT and for the guided search, by budget, in which positions it is right."""
    settings: dict[str, dict[str, Any]] = {
        "UCT": {},
        "guided by the network": {"c": 1, **guided(SMALL, network)},
    }
    right: dict[str, dict[int, list[bool]]] = {}
    for name, policies in settings.items():
        search, right[name] = MCTS(SMALL, seed=1, **policies), {budget: [] for budget in BUDGETS}
        for state in states:
            for budget, result in results_at_budgets(search, state, BUDGETS):
                right[name][budget].append(result.best_action in solve(SMALL, state).best_actions)
    return right


@typed_door
def compare(players: Mapping[str, Agent], states: Sequence[Any]) -> Table:
    """Compare two players, position by position."""
    right = {name: right_moves(player, states) for name, player in players.items()}
    rows = [(name, f"{fmean(found):.2f}", "") for name, found in right.items()]
    gain, interval = paired_gain(*right.values())
    rows.append((" less ".join(right), f"{gain:+.2f}", span(interval, "+.2f")))
    one, other = players
    words = verdict(interval, (0, 0), one, other, "no clear difference")
    return Table(("a network alone", "right", "95 % interval"), rows, words=words)


# The loop --------------------------------------------------------------------------------------

GAMES: Final = 20
"""Of a round."""
GENERATIONS: Final = (0, 5, 20)


def loop(pupil: Any, rounds: int, games: int) -> None:
    examples = []
    for _ in range(rounds):
        for _ in range(games):
            examples += pupil.play()
        pupil.learn(examples)


class Diary:
    """A pupil that learns nothing: ``lines`` say what it played and was given to learn from.

    Each game has two equal examples, its number. Their order in a round does not count.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.played = 0

    def play(self) -> list[str]:
        """The two examples of one more game."""
        self.played += 1
        self.lines.append(f"play game {self.played}")
        return [str(self.played)] * 2

    def learn(self, examples: Iterable[str]) -> float:
        """Write down one more round."""
        self.lines.append(f"learn from {' '.join(sorted(map(str, examples))) or 'nothing'}")
        return 0.0


write_loop: Final = Task(
    SAID["write_loop"],
    solution=loop,
    cases=(
        Case("for 2 rounds of 1 game", (Diary(), 2, 1)),
        Case("for 1 round of 3 games", (Diary(), 1, 3)),
        Case("for 3 rounds of 2 games", (Diary(), 3, 2)),
    ),
    wrong={
        "forgets": {"for _ in range(rounds):": "for _ in range(rounds):\n        examples = []"},
        "learns after every game": {"    pupil.learn(examples)": "        pupil.learn(examples)"},
        "learns once": lambda pupil, rounds, games: pupil.learn(
            [one for _ in range(rounds * games) for one in pupil.play()]
        ),
        "never learns": {"pupil.learn(examples)": "pass"},
        "one game": {"range(games)": "range(1)"},
        "one round": {"range(rounds)": "range(1)"},
        "the last game alone": {"examples += pupil.play()": "examples = pupil.play()"},
        "a list in a list": {"examples += pupil.play()": "examples.append(pupil.play())"},
    },
    observe=lambda arguments, result: arguments[0].lines,
    say=lambda lines: f"“{', '.join(lines)}”",
)


@typed_door
def taught(own: Callable[[Pupil, int, int], None], seed: int, rounds: int = 20) -> Pupil:
    """Send a new network to school by this loop, or by the course's own, and say by which."""
    pupil = Pupil(Network(SMALL, seed=seed), seed=seed)
    if write_loop.judge(own).kind == "right":
        say("By your own loop.")
        own(pupil, rounds, GAMES)
    else:
        say("Your loop is not right yet, so the course's own takes its place.")
        loop(pupil, rounds, GAMES)
    return pupil


@typed_door
def priors_of(pupil: Pupil, state: tuple[int, ...]) -> Table:
    """The priors of a position in three generations, side by side."""
    check_position(SMALL, state)
    moves = list(SMALL.legal_actions(state))
    priors = {number: pupil.generation(number).prior(state) for number in GENERATIONS}
    rows = [
        (f"generation {number}", *(f"{by[move]:.2f}" for move in moves))
        for number, by in priors.items()
    ]

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=2.4)
        for place, (number, by) in enumerate(priors.items()):
            middle = [move + 0.27 * (place - 1) for move in moves]
            heights = [by[move] for move in moves]
            axes.bar(middle, heights, 0.25, color=GREYS[2 - place], label=f"generation {number}")
        axes.set_xticks(moves, [f"move {move}" for move in moves])
        axes.set(ylim=(0, 1), ylabel="prior")
        axes.legend(frameon=False)
        return figure

    heads = ("the network", *(f"move {move}" for move in moves))
    return Table(heads, rows, picture=picture)


# One step of Q-learning ----------------------------------------------------------------------


def _new_value(
    value: float, reward: float, next_values: Sequence[float], same_player: bool, alpha: float
) -> float:
    target = reward
    if next_values:
        target = max(next_values) if same_player else -max(next_values)
    return value + alpha * (target - value)


_BEST: Final = "max(next_values) if same_player else -max(next_values)"


def _mean(values: Sequence[float], same_player: bool) -> float:
    return fmean(values) if same_player else -fmean(values)


def _drawn(seed: int) -> Case:
    """A step at random; in one of three the game is over."""
    draw, same = random.Random(seed), bool(seed % 2)
    value, alpha = draw.randint(-9, 9) / 10, draw.choice((0.1, 0.25, 0.5, 0.8))
    after = [draw.randint(-10, 10) / 10 for _ in range(draw.randint(1, 4) if seed % 3 else 0)]
    reward = 0.0 if after else draw.choice((1.0, -1.0, 0.0, 0.5))
    end = f"the values {after} after it" if after else f"a game that ends with {reward:g}"
    whose = "the same player" if same else "the opponent"
    words = f"with value {value:g}, {end}, {whose} to move next and alpha = {alpha:g}"
    return Case(words, (value, reward, after, same, alpha))


write_new_value: Final = Task(
    SAID["write_new_value"],
    solution=_new_value,
    cases=(
        Case("when the player to move wins with this move", (0.0, 1.0, [], False, 0.5)),
        Case("when the player to move loses with this move", (0.5, -1.0, [], False, 0.2)),
        Case("when the opponent moves next", (0.25, 0.0, [0.5, -0.75, 0.0], False, 0.5)),
        Case("when the player to move moves again", (0.25, 0.0, [0.5, -0.75, 0.0], True, 0.5)),
        Case("when the game is drawn", (0.25, 0.0, [], False, 0.5)),
        Case("when the opponent can only lose", (0.0, 0.0, [-0.5, -1.0], False, 0.5)),
        Case("when it is the same player's turn as the game ends", (0.25, -1.0, [], True, 0.5)),
        *map(_drawn, range(18)),
    ),
    wrong={
        "no change of sign": {"-max(": "max("},
        "always a change": {"max(next_values) if same_player else ": ""},
        "no reward": {"target = reward": "target = 0"},
        "the target itself": {"value + alpha * (target - value)": "target"},
        "alpha swapped": {
            "value + alpha * (target - value)": "alpha * value + (1 - alpha) * target"
        },
        "the mean": {_BEST: "_mean(next_values, same_player)"},
        "the lowest": {_BEST: _BEST.replace("max", "min")},
        "away from the target": {"value + alpha": "value - alpha"},
        "the old value lost": {"value + alpha * (target - value)": "alpha * (target - value)"},
        "the old value kept": {"value + alpha * (target - value)": "value + alpha * target"},
    },
)


# The network's targets ---------------------------------------------------------------------


@typed_door
def targets(visits: Mapping[str, int], to_move: int, winner: int | None) -> tuple[Any, float]:
    """Return what a network learns from one search: a prior by move, and the game's value.

    The value is that of the end of the game for the player to move: 1, 0 or −1."""
    right = all(fits(count, 0) for count in visits.values()) and any(visits.values())
    require(right, "visits", "a dict of visits by move, not all of them 0", visits)
    total = sum(visits.values())
    shares = {move: count / total for move, count in visits.items()}
    if winner is None:
        return shares, 0.0
    return shares, 1.0 if winner == to_move else -1.0
