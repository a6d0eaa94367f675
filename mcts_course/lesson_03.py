"""The exercises of lesson 03, Can random games tell a good move?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any, Final

from mcts_viz.games import GameTree, TicTacToe
from mcts_viz.search import MCTS, solve, variants
from mcts_viz.trace import Trace

from .exercises import Case, Question, Task, texts_of
from .experiments import by_budget, tracked
from .figures import COLOURS, Figure, Pictured, new_figure
from .intervals import wilson_interval
from .random_play import RandomPlay, find_traps
from .tables import Table

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
FLAT: Final[Mapping[str, Any]] = {
    "selection": variants.uniform,
    "expansion": variants.expand_root_only,
    "final_move": variants.max_child,
}
"""Three parts that make a search flat: fewest games first, no tree, highest mean at the end."""


# What the lesson measures ----------------------------------------------------------------------


def exact_means(game: Any, state: Any = None) -> dict[Any, float]:
    """By move: its exact mean reward in random games, for the player who makes it, in [0, 1]."""
    return RandomPlay(game).rewards(game.initial_state() if state is None else state)


def apart(trace: Trace, moves: Sequence[Any]) -> int:
    """After how many games a move the 95 % intervals of ``moves`` stay apart, to the end."""
    nodes = [node for node in trace.children[0] if trace.action_of(node) in moves]
    rounds = len(trace) // len(trace.children[0])
    for games in range(rounds, 0, -1):
        moment = trace.at(games * len(trace.children[0]))
        ends = sorted(wilson_interval(float(moment.wins[node]), games) for node in nodes)
        if any(low[1] > high[0] for low, high in pairwise(ends)):
            return games + 1
    return 1


def interval_widths(games: Sequence[int], seeds: int) -> Table:
    """The width of an interval for X in the centre, and how many of 200 hold the true mean."""
    start = GAME.initial_state()
    truth, after = exact_means(GAME)[4], GAME.play(start, 4)
    found: dict[int, list[tuple[float, float]]] = {count: [] for count in games}
    for count, seed in tracked(list(product(games, range(seeds))), "estimates"):
        search = MCTS(GAME, seed=seed)
        root = search.start(after)
        total = sum(search.simulate(root).returns[0] for _ in range(count))
        found[count].append(wilson_interval((total + count) / 2, count))
    rows, width = [], {}
    for count, ends in found.items():
        width[count] = sum(high - low for low, high in ends) / seeds
        inside = sum(low <= truth <= high for low, high in ends)
        rows.append((count, f"{width[count]:.3f}", f"{inside} of {seeds}"))
    return Table(("games", "width", "hold the true mean"), rows, width=width)


def favourites(game: TicTacToe) -> Table:
    """Where the favourite of random games is a mistake, by the number of pieces on the board."""
    wrong = {trap.state for trap in find_traps(game)}
    rows: dict[int, list[int]] = {}
    seen, waiting = {game.initial_state()}, [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        pieces = 9 - game.text(state).count(".")
        row = rows.setdefault(pieces, [0, 0])
        row[0] += len(set(solve(game, state).action_values.values())) > 1
        row[1] += state in wrong
        new = {game.play(state, action) for action in game.legal_actions(state)} - seen
        seen |= new
        waiting += new
    possible, mistakes = (sum(column) for column in zip(*rows.values(), strict=True))
    told = [(p, n, m, f"{m / n:.0%}" if n else "–") for p, (n, m) in sorted(rows.items())]
    heads = ("pieces", "a mistake is possible", "the favourite is one", "share")
    total = ("all", possible, mistakes, f"{mistakes / possible:.1%}")
    return Table(heads, [*told, total], possible=possible, mistakes=mistakes)


def favourite_and_truth(state: Any) -> Table:
    """By move: its exact mean in random games, and how the game ends in perfect play."""
    means, values = exact_means(GAME, state), solve(GAME, state).action_values
    words = {1: "win", 0: "draw", -1: "loss"}
    order = sorted(means, key=lambda cell: -means[cell])
    rows = [(cell, f"{means[cell]:.3f}", words[round(values[cell])]) for cell in order]
    best = max(values, key=lambda cell: values[cell])
    heads = ("move", "mean of random games", "with perfect play")
    return Table(heads, rows, favourite=order[0], best=best)


class Blocking(Pictured, dict[tuple[str, int], int]):
    """By kind of search and number of games: how many of the searches play the right move."""

    seeds: int
    guess: tuple[Any, ...]

    def __repr__(self) -> str:
        return "\n".join(
            f"{name}, {games:>5,} games: {count:>3} of {self.seeds} block"
            for (name, games), count in self.items()
        )

    def figure(self) -> Figure:
        """Both kinds of search by budget, with 95 % intervals and your two guesses."""
        figure, (axes,) = new_figure(7.2, 3.0)
        budgets = sorted({games for _, games in self})
        for place, name in enumerate(dict.fromkeys(name for name, _ in self)):
            counts = [self[name, games] for games in budgets]
            ends = [wilson_interval(count, self.seeds) for count in counts]
            colour = COLOURS[f"move-{place}"]
            low, high = zip(*ends, strict=True)
            bottom, top = ([self.seeds * end for end in side] for side in (low, high))
            axes.fill_between(budgets, bottom, top, color=colour, alpha=0.16, linewidth=0)
            line = "-o" if place else "--s"
            axes.plot(budgets, counts, line, color=colour, label=f"{name} search")
            guessed = self.guess[place].value if place < len(self.guess) else None
            if isinstance(guessed, int | float):
                axes.plot(
                    [budgets[-1]],
                    [guessed],
                    "*",
                    color=colour,
                    markersize=13,
                    clip_on=False,
                    label=f"your guess, {name}",
                )
        axes.set(
            xscale="log", xlabel="games", ylabel=f"of {self.seeds}, play 7", ylim=(0, self.seeds)
        )
        axes.set_xticks(budgets, [f"{games:,}" for games in budgets])
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=9)
        return figure


def plot_blocking(
    state: Any, right: int, games: Sequence[int], seeds: int, guess: Sequence[Any] = ()
) -> Blocking:
    """How many searches find the ``right`` move: flat ones, and ones that grow a tree."""
    found = Blocking()
    found.seeds, found.guess = seeds, tuple(guess)
    kinds: Mapping[str, Mapping[str, Any]] = {"flat": FLAT, "tree": {}}
    for name, policies in kinds.items():
        counted = by_budget(GAME, state, [right], games, seeds, policies)
        found.update({(name, budget): counted[budget] for budget in games})
    return found


# How many games? -------------------------------------------------------------------------------

games_needed: Final = Question(
    SAID["games_needed"],
    text="After 100 games the interval is 0.16 wide. After how many is it 0.04 wide?",
    right=1600,
    wrong={
        "half the width": 400,
        "halved once": 800,
        "twice the games": 200,
        "still to be played": 1500,
        "fewer games": 25,
    },
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
    SAID["pencil_means"],
    text="MAX is to move. What is the win rate of a and of b in random games? Which is played?",
    right=_with_choice(RandomPlay(PENCIL).rewards(PENCIL.initial_state())),
    wrong={
        "by ends": _tree_means(by_leaf=True),
        "perfect play": {"a": 0, "b": 0.5, "move": "b"},
        "from -1 to 1": _tree_means(lambda leaf: leaf),
        "a draw is nothing": _tree_means(lambda leaf: float(leaf == 1)),
        "MIN's rates": _tree_means(lambda leaf: (1 - leaf) / 2),
    },
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


def _flat_monte_carlo(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> str:
    rewards = {move: sum(random_game(move) for _ in range(games)) for move in moves}
    return max(rewards, key=lambda move: rewards[move])


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


def _highest_mean(moves: Sequence[str], random_game: Callable[[str], float], games: int) -> float:
    return max(sum(random_game(move) for _ in range(games)) / games for move in moves)


def _best_moves(moves: Sequence[str], random_game: _RandomGame, games: int) -> set[str]:
    """The moves with the highest sum of their first rewards; several, if they are level."""
    sums = {m: sum((list(random_game.rewards[m]) * games)[:games]) for m in moves}
    return {move for move in moves if sums[move] == max(sums.values())}


def _played_and_chosen(arguments: tuple[Any, ...], result: Any) -> Any:
    best = _best_moves(*arguments)
    known = isinstance(result, str) and len(best) > 1 and result in best
    return {
        "chosen": min(best) if known else result,
        "games": tuple(arguments[1].played.values()),
    }


def _nothing_at_zero(moves: Sequence[str], random_game: Callable[..., float], games: int) -> Any:
    best, chosen = 0.0, None
    for move in moves:
        total = sum(random_game(move) for _ in range(games))
        if total > best:
            best, chosen = total, move
    return chosen


def _told(observed: Any) -> str:
    games = ", ".join(f"{count:g}" for count in observed["games"])
    chosen = observed["chosen"]
    chosen = f"{chosen:g}" if isinstance(chosen, float) else chosen or "nothing"
    return f"{chosen} after {games} games"


write_flat_monte_carlo: Final = Task(
    SAID["write_flat_monte_carlo"],
    solution=_flat_monte_carlo,
    cases=(
        _case("with moves a, b and 1 game each", 1, a=(0,), b=(1,)),
        _case("where a draws three times and b wins once", 3, a=(0.5, 0.5, 0.5), b=(1, 0, 0)),
        _case("where a loses only its last game", 3, a=(1, 1, 0), b=(0, 0, 1)),
        _case("where a wins once and b three times", 4, a=(1, 0, 0, 0), b=(0, 1, 1, 1)),
        _case("where every game is lost", 2, a=(0, 0), b=(0, 0)),
        _case("with moves a, b, c and 6 games each", 6, a=(0, 0.5), b=(0, 1, 1), c=(1, 0, 0)),
    ),
    wrong={
        "wins alone": lambda moves, game, games: _flat(moves, game, games, lambda r: r.count(1)),
        "the last game": lambda moves, game, games: _flat(moves, game, games, lambda r: r[-1]),
        "the best game": lambda moves, game, games: _flat(moves, game, games, max),
        "the worst move": lambda moves, game, games: _flat(moves, game, games, lambda r: -sum(r)),
        "one game each": lambda moves, random_game, games: _flat(moves, random_game, 1),
        "games shared out": _share_out,
        "the mean itself": _highest_mean,
        "best starts at 0": _nothing_at_zero,
    },
    observe=_played_and_chosen,
    say=_told,
)
