"""The winner: tree search against Q-learning, where the table can be filled and where not.

    python -m pip install -r requirements.txt
    python benchmarks/arena.py [--games 100] [--seed 1]

On each of two boards a learner first plays against itself; then everybody plays everybody, both
colours, after two random moves. The players are MCTS with 10, 40 and 200 playouts for each move,
the published Connect Four agent with as many, with its faults, and the learner. Connect Four on
4 by 4 cells has few enough positions to be counted, and so to be met one by one; on 6 by 7 there
are 4,531,985,219,092 (Edelkamp and Kissmann, 2008, "Symbolic classification of general two-player
games").
"""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import version
from time import perf_counter, process_time

from mcts_course import QLearner, RandomPlay, arena
from mcts_course.measure.arena import ArenaResult
from mcts_course.published.published import published
from mcts_viz import ConnectFour, MCTSAgent, RandomAgent, solve
from mcts_viz.search.agents import Agent

SMALL, LARGE = ConnectFour(4, 4), ConnectFour()
EPISODES = {SMALL: 1_000_000, LARGE: 30_000}
PLAYOUTS = (10, 40, 200)
OPENING = 2
AGENT = "connect4-agent"
LEARNER = "Q-learning"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="for each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--episodes", type=int, nargs=2, default=list(EPISODES.values()))
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, mcts_viz {version('mcts_viz')}", flush=True)
    for game, episodes in zip(EPISODES, arguments.episodes, strict=True):
        learner = trained(game, episodes, arguments.seed)
        begun = perf_counter()
        result = arena(
            players(game, learner),
            game,
            games=arguments.games,
            seed=arguments.seed,
            opening=OPENING,
            progress=False,
        )
        print(f"\n{result!r}\n\nin {perf_counter() - begun:.0f} s", flush=True)
        show_unknown(result, learner)


def trained(game: ConnectFour, episodes: int, seed: int) -> QLearner:
    """A learner that has played so many games against itself, and what is to be said of it."""
    learner = QLearner(game, seed=seed)
    begun = process_time()
    for part in range(10):  # bold at first, careful at last
        learner.alpha, learner.epsilon = 0.5 - 0.04 * part, 1.0 - 0.09 * part
        learner.train(episodes // 10, progress=False)
    seconds = process_time() - begun
    print(f"\n{learner}, {seconds:.0f} s of CPU", flush=True)
    print(f"at last alpha {learner.alpha:g}, epsilon {learner.epsilon:g}")
    if game == SMALL:
        play = RandomPlay(game)
        play.returns(game.initial_state())  # which goes through all positions
        in_play = [state for state in play.positions if not game.is_terminal(state)]
        known = sum(map(learner.knows, in_play))
        value = solve(game, game.initial_state()).value
        print(
            f"{game.name} has {len(play.positions):,} positions, {len(in_play):,} of them in play, "
            f"and {known / len(in_play):.1%} of these are in the table; its value is {value:g}"
        )
    return learner


def players(game: ConnectFour, learner: QLearner) -> dict[str, Agent]:
    everybody: dict[str, Agent] = {LEARNER: learner, "chance": RandomAgent(game)}
    for playouts in PLAYOUTS:
        everybody[f"MCTS {playouts}"] = MCTSAgent(game, playouts)
        everybody[f"agent {playouts}"] = published(AGENT, game).agent(playouts)
    return everybody


def show_unknown(result: ArenaResult, learner: QLearner) -> None:
    """Print the share of the positions the learner moved in that it had never met."""
    asked = list(result.positions(LEARNER))
    unknown = sum(not learner.knows(state) for state in asked)
    print(
        f"{unknown / len(asked):.1%} of the {len(asked):,} positions in which {LEARNER} was to "
        "move, random openings included, were not in its table"
    )


if __name__ == "__main__":
    main()
