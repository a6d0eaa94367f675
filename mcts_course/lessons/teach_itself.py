"""Experiments and exercises of the lesson *Can a search teach itself?*"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.search.agents import Agent, MCTSAgent, RandomAgent
from mcts_viz.search.solver import solve

from ..arena import arena
from ..exercises import Case, Task, texts_of
from ..intervals import paired_gain, verdict
from ..network import SMALL, Network, train, trained
from ..priors import Guide, guided
from ..q_learning import QLearner
from ..tables import Table, span

SAID: Final = texts_of(__name__)
BUDGETS: Final = (10, 40, 160)


# A table ---------------------------------------------------------------------------------------


def schooled(games: int, seed: int) -> QLearner:
    """A learner that has played itself, with an exam against chance after every 1,000 games."""
    game = TicTacToe()
    chance = RandomAgent(game)

    def exam(learner: QLearner) -> float:
        pair: dict[str, Any] = {"learner": learner, "chance": chance}
        played = arena(pair, game, games=60, seed=seed, progress=False)
        return float(played.tally("learner").score)

    learner = QLearner(game, alpha=0.5, epsilon=0.5, seed=seed)
    return learner.train(games, measure=exam, every=1000)


def large_exam(game: Any, games: int, seed: int) -> Table:
    """A learner in a game that is too large for its table, against chance and a short search."""
    pupil = QLearner(game, alpha=0.5, epsilon=0.5, seed=seed).train(games)
    others: dict[str, Any] = {
        "pupil": pupil,
        "a random player": RandomAgent(game),
        "MCTS 20": MCTSAgent(game, 20),
    }
    played = arena(others, game, games=40, seed=seed, progress=False)
    asked = list(played.positions("pupil"))
    unknown = fmean(not pupil.knows(state) for state in asked)
    rows = [("positions in the table", f"{pupil.positions:,}")]
    rows.append(("of the positions in its games, unknown", f"{unknown:.0%}"))
    for name in ("a random player", "MCTS 20"):
        rows.append((f"score against {name}", f"{played.tally('pupil', name).score:.2f}"))
    return Table(("the learner", ""), rows, unknown=unknown)


# A network -------------------------------------------------------------------------------------


def guided_player(guide: Guide, iterations: int, game: Any = SMALL) -> MCTSAgent:
    """Return a player whose search is guided, with ``c = 1`` and this number of iterations."""
    return MCTSAgent(game, iterations, seed=1, c=1, **guided(game, guide))


def test_positions(count: int, seed: int) -> list[Any]:
    """Positions of random games of ``SMALL`` in which some moves are mistakes and some are not."""
    draw, found = random.Random(seed), dict[Any, None]()
    while len(found) < count:
        state = SMALL.initial_state()
        while not SMALL.is_terminal(state):
            truth = solve(SMALL, state)
            if len(truth.best_actions) < len(truth.action_values):
                found[state] = None
            state = SMALL.play(state, draw.choice(SMALL.legal_actions(state)))
    return draw.sample(list(found), count)


def right_moves(player: Agent, states: Sequence[Any]) -> list[bool]:
    """Return, for each position, True if the player's move is a best one by exact play."""
    return [player(state) in solve(SMALL, state).best_actions for state in states]


def before_and_after(network: Network, positions: Sequence[Any], games: int, seed: int) -> Table:
    """Train the network, and return in what share of the positions it is right before and after."""
    shares = [fmean(right_moves(network, positions))]
    train(network, games=games, seed=seed, progress=False)
    shares.append(fmean(right_moves(network, positions)))
    rows = [("before", f"{shares[0]:.2f}"), (f"after {games} games", f"{shares[1]:.2f}")]
    return Table(("the network alone", "right"), rows)


def guided_and_not(network: Network, positions: Sequence[Any]) -> dict[str, dict[int, list[bool]]]:
    """Return, for UCT and for the guided search, by budget, in which positions it is right."""
    players = {
        "UCT": {k: MCTSAgent(SMALL, k, seed=1) for k in BUDGETS},
        "guided by the network": {k: guided_player(network, k) for k in BUDGETS},
    }
    return {
        name: {k: right_moves(player, positions) for k, player in by_budget.items()}
        for name, by_budget in players.items()
    }


def price_of_asking(network: Network, seed: int, iterations: int = 1000) -> Table:
    """Compare the time of a guided iteration with that of one with a random playout."""
    plain = MCTS(SMALL, seed=seed).search(iterations=iterations, progress=False)
    search = MCTS(SMALL, c=1, seed=seed, **guided(SMALL, network))
    asked = search.search(iterations=iterations, progress=False)
    ratio = asked.seconds / plain.seconds
    rows = [("with a random playout", "1"), ("guided by the network", f"{ratio:.1f}")]
    return Table(("an iteration", "time"), rows, ratio=ratio)


def narrow_and_varied(positions: Sequence[Any]) -> Table:
    """Compare the two networks, position by position."""
    right = {kind: right_moves(trained(f"{kind} 1600"), positions) for kind in ("varied", "narrow")}
    gain, interval = paired_gain(right["narrow"], right["varied"])
    rows = [(kind, f"{fmean(found):.2f}", "") for kind, found in right.items()]
    rows.append(("narrow less varied", f"{gain:+.2f}", span(interval, "+.2f")))
    words = verdict(interval, (0, 0), "in more", "in fewer", "no clear difference")
    return Table(("the network alone", "right", "95 % interval"), rows, words=words, right=right)


# One step of Q-learning ----------------------------------------------------------------------


def _new_value(
    value: float, reward: float, next_values: Sequence[float], same_player: bool, alpha: float
) -> float:
    target = reward
    if next_values:
        target = max(next_values) if same_player else -max(next_values)
    return value + alpha * (target - value)


write_new_value: Final = Task(
    SAID["write_new_value"],
    solution=_new_value,
    cases=(
        Case("when the player to move wins with this move", (0.0, 1.0, [], False, 0.5)),
        Case("when the player to move loses with this move", (0.5, -1.0, [], False, 0.2)),
        Case("when the opponent moves next", (0.25, 0.0, [0.5, -0.75, 0.0], False, 0.5)),
        Case("when the player to move moves again", (0.25, 0.0, [0.5, -0.75, 0.0], True, 0.5)),
        Case("when all moves of the opponent lose", (0.0, 0.0, [-1.0, -0.5], False, 0.1)),
    ),
    wrong={
        "no change of sign": {"-max(": "max("},
        "always a change": {"max(next_values) if same_player else ": ""},
        "the lowest": {"-max(": "min("},
        "the average": {
            "max(next_values) if same_player else -max(next_values)": (
                "(1 if same_player else -1) * sum(next_values) / len(next_values)"
            )
        },
        "the reward's sign": {"target = reward": "target = -reward"},
        "no reward": {"target = reward": "target = 0"},
        "the target itself": {"value + alpha * (target - value)": "target"},
        "part of the target": {"(target - value)": "target"},
        "alpha swapped": {"value + alpha * (target - value)": "alpha * value + (1 - alpha) * target"},
    },
)


# The network's targets ---------------------------------------------------------------------


def targets(visits: Mapping[str, int], to_move: int, winner: int | None) -> tuple[Any, float]:
    total = sum(visits.values())
    shares = {move: count / total for move, count in visits.items()}
    return shares, 0.0 if winner is None else 1.0 if winner == to_move else -1.0


write_targets: Final = Task(
    SAID["write_targets"],
    solution=targets,
    cases=(
        Case("when X, player 0, moved and won", ({"a": 30, "b": 10}, 0, 0)),
        Case("when O, player 1, moved and X won", ({"a": 2, "b": 2, "c": 4}, 1, 0)),
        Case("when O moved and won", ({"a": 0, "b": 8}, 1, 1)),
        Case("when the game was drawn", ({"a": 5, "b": 15}, 0, None)),
    ),
    wrong={
        "the favourite": {"count / total": "float(count == max(visits.values()))"},
        "counts": {"count / total": "count"},
        "moves divided": {"count / total": "count / len(visits)"},
        "X's result": {"winner == to_move": "winner == 0"},
        "turned round": {"1.0 if winner == to_move else -1.0": "-1.0 if winner == to_move else 1.0"},
        "from 0 to 1": {"-1.0": "0.0"},
        "a draw is lost": {"0.0 if winner is None else ": ""},
    },
)
