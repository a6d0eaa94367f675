"""The exercises of lesson 03, Can random games tell a good move?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mcts_viz.games import GameTree

from .exercises import Case, Question, Task
from .random_play import RandomPlay

__all__ = ["PENCIL", "games_needed", "pencil_means", "write_flat_monte_carlo"]


# How many games? -------------------------------------------------------------------------------

games_needed: Final = Question(
    text="After 100 games the interval is 0.16 wide. After how many is it 0.04 wide?",
    right=1600,
    why="four times narrower asks for four times four as many games.",
    misconceptions=(
        (400, "four times the games make it half as wide, 0.08; the width falls like 1/√n."),
        (
            800,
            "halve the width twice: each time asks for four times the games, not twice and four.",
        ),
        (200, "twice the games make it only √2 times narrower, about 0.11; you need much more."),
        (1500, "so many are still to be played; count the 100 that you have, too."),
        (25, "fewer games make the interval wider; it narrows as games come in."),
    ),
    advice="The width falls like 1/√n: by what must n be multiplied to make 1/√n a quarter?",
)


# What random games say of a tree ---------------------------------------------------------------

PENCIL: Final = GameTree(
    {
        "a": {"c": {"g": 1, "h": 1, "i": 1}, "d": -1},
        "b": {"e": {"j": 1, "k": 0}, "f": 0},
    }
)


def _tree_means(
    value: Callable[[float], float] = lambda leaf: (leaf + 1) / 2, by_leaf: bool = False
) -> dict[str, Any]:
    """What somebody would answer who takes means so, of leaves worth ``value``."""

    def mean(node: Any) -> tuple[float, int]:
        """The mean below a node, and how much it weighs beside its siblings."""
        if not isinstance(node, Mapping):
            return value(node), 1
        parts = [mean(child) for child in node.values()]
        weights = [weight if by_leaf else 1 for _, weight in parts]
        total = sum(part * weight for (part, _), weight in zip(parts, weights, strict=True))
        return total / sum(weights), sum(weights)

    return _with_choice({move: mean(node)[0] for move, node in PENCIL.tree.items()})


def _with_choice(means: dict[str, float]) -> dict[str, Any]:
    return {**means, "move": max(means, key=lambda move: means[move])}


pencil_means: Final = Question(
    text="Max is to move. What is the win rate of a and of b in random games? Which is played?",
    right=_with_choice(RandomPlay(PENCIL).rewards(PENCIL.initial_state())),
    why="each move weighs the same as its siblings, and flat Monte Carlo plays the higher mean.",
    misconceptions=(
        (
            _tree_means(by_leaf=True),
            "all ends weigh the same in your mean, but d is drawn as often as c, and so on.",
        ),
        (
            {"a": 0, "b": 0.5, "move": "b"},
            "that is perfect play, where Min takes the best reply; in random games Min draws it.",
        ),
        (
            _tree_means(lambda leaf: leaf),
            "those are the mean returns, from −1 to 1; as a win rate a loss is 0 and a draw ½.",
        ),
        (
            _tree_means(lambda leaf: float(leaf == 1)),
            "a draw is half a win, and you counted it as none.",
        ),
        (
            _tree_means(lambda leaf: (1 - leaf) / 2),
            "those are Min's win rates; Max is to move, so ask what Max gets.",
        ),
    ),
    advice="Begin at the ends: 1 is a win, 0 half a win, −1 none; then take means, move by move.",
)


# Flat Monte Carlo ------------------------------------------------------------------------------


class _RandomGame:
    """Stands for random games with known rewards: each call plays the next one after ``move``."""

    def __init__(self, **rewards: Sequence[float]) -> None:
        self.rewards = rewards
        self.played = dict.fromkeys(rewards, 0)

    def __call__(self, move: str) -> float:
        number = self.played[move]
        self.played[move] += 1
        return self.rewards[move][number % len(self.rewards[move])]


def _case(words: str, games: int, **rewards: Sequence[float]) -> Case:
    return Case(words, (list(rewards), _RandomGame(**rewards), games))


def _flat(
    moves: Sequence[str],
    random_game: Callable[[str], float],
    games: int,
    judge: Callable[[Sequence[float]], float] = sum,
) -> str:
    """Flat Monte Carlo; ``judge`` makes a number of the rewards of a move."""
    rewards = {move: [random_game(move) for _ in range(games)] for move in moves}
    return max(rewards, key=lambda move: judge(rewards[move]))


def _share_out(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> str:
    return _flat(moves, random_game, games // len(moves))


def _one_each(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> str:
    return _flat(moves, random_game, 1)


def _highest_mean(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> float:
    return max(sum(random_game(move) for _ in range(games)) / games for move in moves)


def _played_and_chosen(arguments: tuple[Any, ...], result: Any) -> Any:
    return {"chosen": result, "games": tuple(arguments[1].played.values())}


def _told(observed: Any) -> str:
    games = ", ".join(f"{count:g}" for count in observed["games"])
    chosen = observed["chosen"]
    chosen = f"{chosen:g}" if isinstance(chosen, float) else chosen or "nothing"
    return f"{chosen} after {games} games"


write_flat_monte_carlo: Final = Task(
    solution=_flat,
    cases=(
        _case("with moves a, b and 1 game each", 1, a=(0,), b=(1,)),
        _case("where a draws three times and b wins once", 3, a=(0.5, 0.5, 0.5), b=(1, 0, 0)),
        _case("where a loses only its last game", 3, a=(1, 1, 0), b=(0, 0, 1)),
        _case("where a wins once and b three times", 4, a=(1, 0, 0, 0), b=(0, 1, 1, 1)),
        _case("with moves a, b, c and 6 games each", 6, a=(0, 0.5), b=(0, 1, 1), c=(1, 0, 0)),
    ),
    misconceptions=(
        (
            lambda moves, game, games: _flat(moves, game, games, lambda r: r.count(1)),
            "only wins are counted; add the rewards up, so that a draw brings its half.",
        ),
        (
            lambda moves, game, games: _flat(moves, game, games, lambda r: r[-1]),
            "the last game alone decides; keep a sum of all games of a move.",
        ),
        (
            lambda moves, game, games: _flat(moves, game, games, max),
            "the best single game decides; one lucky game says little, so take the mean.",
        ),
        (
            lambda moves, game, games: _flat(moves, game, games, lambda r: -sum(r)),
            "you play the worst move; rewards are of the player who moves, so take the highest.",
        ),
        (_one_each, "each move got one game; play as many as games says, for each."),
        (_share_out, "the games were shared out; each move gets as many as games says."),
        (_highest_mean, "you return the highest mean; return the move that has it."),
    ),
    why="every move gets the same number of games, and the one with the highest mean is played.",
    observe=_played_and_chosen,
    say=_told,
)
