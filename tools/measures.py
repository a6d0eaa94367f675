"""The claims of the lessons that rest on chance, and how each of them is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from claims import Between, Claim, Measured, Number, difference, mean, middle, share

from mcts_course import arena, guided
from mcts_course.learning.network import SMALL, Network, train
from mcts_course.learning.puzzle24 import Puzzle24, Thinker, hands
from mcts_course.learning.q_learning import QLearner
from mcts_course.lessons import (
    bug_clinic,
    explore_or_exploit,
    four_phases,
    hints,
    luck,
    my_game,
    near_the_truth,
    perfect_play,
    random_games,
    reasoning,
    smarter_playouts,
    teach_itself,
    which_move,
    write_it_yourself,
)
from mcts_course.measure.experiments import best_moves, contested, moves_played, one_name
from mcts_course.measure.intervals import wilson_interval
from mcts_course.published.clinic import clinic
from mcts_course.published.from_life import FROM_LIFE, Selecting
from mcts_course.published.published import published
from mcts_course.work.own_search import Node, run
from mcts_fast import FastMCTS
from mcts_viz import MCTS, ConnectFour, ExactAgent, MCTSAgent, MCTSSolver, RandomAgent, TicTacToe
from mcts_viz.games import Playout
from mcts_viz.search import half_for_a_draw, random_playout, robust_child
from mcts_viz.search.variants import (
    blocks,
    expand_root_only,
    max_child,
    truncated,
    uniform,
    win_then_block,
    wins_at_once,
)
from mcts_viz.trace import Trace

GAME = TicTacToe()
SQRT2 = 2**0.5
Hits = list[bool]


@cache
def played(
    state: Any,
    wanted: tuple[Any, ...],
    iterations: int,
    seeds: int,
    c: float = SQRT2,
    game: Any = GAME,
) -> Hits:
    """For each seed: True if UCT plays a wanted move. The compiled search grows the same tree."""
    found = []
    for seed in range(seeds):
        search = FastMCTS(game, c, seed)
        move = search.search(state, iterations=iterations, progress=False).best_action
        found.append(move in wanted)
    return found


@cache
def played_with(
    state: Any,
    wanted: tuple[Any, ...],
    iterations: int,
    seeds: int,
    kind: type[MCTS] = MCTS,
    **policies: Any,
) -> Hits:
    """The same for a search of another kind, or with other policies."""
    found = []
    for seed in range(seeds):
        search = kind(GAME, seed=seed, **policies)
        result = search.search(state, iterations=iterations, progress=False)
        found.append(result.best_action in wanted)
    return found


def rewarded(rule: Any, seed: int) -> FastMCTS:
    """The compiled search with another reward: only its table of results is another."""
    search = FastMCTS(GAME, seed=seed)
    search._spec = MCTS(GAME, seed=seed, reward=rule)
    return search


# Trees of the compiled search -------------------------------------------------------------------


def grown(game: Any, iterations: int, seed: int, c: float = SQRT2) -> Trace:
    """The trace of a search by UCT from the start of a game."""
    return FastMCTS(game, c, seed).record(iterations=iterations, progress=False)


def depths(parent: np.ndarray) -> np.ndarray:
    """The depth of each node, from its parent's place; that of the root is -1."""
    found = np.zeros(len(parent), int)
    while True:
        deeper = np.where(parent < 0, 0, found[parent] + 1)
        if np.array_equal(deeper, found):
            return found
        found = deeper


def different(trace: Trace, columns: int, rows: int) -> float:
    """The share of the nodes that are different positions; a piece falls in its column."""
    count, depth = len(trace.parent), depths(trace.parent)
    heights = np.zeros((count, columns), int)
    pieces = np.zeros((2, count), np.int64)
    for level in range(1, int(depth.max()) + 1):
        nodes = np.flatnonzero(depth == level)
        above, column = trace.parent[nodes], trace.action[nodes]
        cell = column * rows + heights[above, column]
        heights[nodes] = heights[above]
        heights[nodes, column] += 1
        pieces[:, nodes] = pieces[:, above]
        pieces[trace.player_just_moved[nodes], nodes] |= np.int64(1) << cell
    return len(np.unique(pieces, axis=1).T) / count


# Random games ----------------------------------------------------------------------------------


@cache
def _intervals(games: int, number: int) -> tuple[list[float], Hits]:
    """The widths of intervals for X in the centre, and which hold the true mean."""
    truth, search = random_games.exact_means(GAME)[4], MCTS(GAME, seed=1)
    root = search.start(GAME.play(GAME.initial_state(), 4))
    widths: list[float] = []
    holds: list[bool] = []
    for _ in range(number):
        total = sum(search.simulate(root).returns[0] for _ in range(games))
        low, high = wilson_interval((total + games) / 2, games)
        widths.append(high - low)
        holds.append(low <= truth <= high)
    return widths, holds


def _halves(number: int) -> Measured:
    once, more = _intervals(100, number)[0], _intervals(400, number)[0]
    return mean(b / a for a, b in zip(once, more, strict=True))


TRAP_OF_FLAT = GAME.parse("OX. .X. ...")
flat = partial(played_with, TRAP_OF_FLAT, (7,), **random_games.FLAT)

RANDOM_GAMES = [
    Claim(
        "random_games",
        "in about 95 of 100 cases it contains the true mean",
        "intervals of 100 games that hold the exact mean",
        Between(0.94, 1),
        lambda n: share(_intervals(100, n)[1]),
    ),
    Claim(
        "random_games",
        "With 100 games the interval of the centre is about 0.17 wide",
        "width of the interval",
        Number("0.17"),
        lambda n: mean(_intervals(100, n)[0]),
    ),
    Claim(
        "random_games",
        "**Four times the games make the interval half as wide**",
        "width with 400 games, divided by that with 100",
        Between(0.48, 0.52),
        _halves,
    ),
    Claim(
        "random_games",
        "With more games, flat search becomes *surer of the wrong move*",
        "right with 1,200 games, less right with 60",
        Between(high=0),
        lambda n: difference(flat(1200, n), flat(60, n)),
    ),
    Claim(
        "random_games",
        "below the wrong move it notices how X wins",
        "right with 1,200 iterations of tree search",
        Between(0.99, 1),
        lambda n: share(played(TRAP_OF_FLAT, (7,), 1200, n)),
    ),
]


# Bandits ---------------------------------------------------------------------------------------

CHANCES = np.array(explore_or_exploit.MACHINES.chances)


def _pulls(kind: str, c: float, pulls: int, players: int) -> Iterator[np.ndarray]:
    """The arm that each player pulls, pull by pull; all players at once."""
    draw = np.random.default_rng(1)
    wins, counts = np.zeros((players, 4)), np.zeros((players, 4))
    rows = np.arange(players)
    order = draw.permuted(np.tile(np.arange(4), (players, 1)), axis=1)
    for pull in range(pulls):
        if pull < 4:  # each arm once, in an order of its own for each player
            arm = order[:, pull]
        else:
            means = wins / counts
            scores = means + c * np.sqrt(np.log(pull) / counts) if kind == "UCB1" else means
            arm = (scores + 1e-9 * draw.random((players, 4))).argmax(axis=1)
            if kind == "epsilon":
                arm = np.where(draw.random(players) < 0.1, draw.integers(4, size=players), arm)
        wins[rows, arm] += draw.random(players) < CHANCES[arm]
        counts[rows, arm] += 1
        yield arm


@cache
def _regrets(kind: str, c: float, players: int, times: tuple[int, ...]) -> np.ndarray:
    """The regret of each player (rows) after each of the ``times``."""
    total, seen = np.zeros(players), []
    for pull, arm in enumerate(_pulls(kind, c, times[-1], players), 1):
        total += 0.7 - CHANCES[arm]
        if pull in times:
            seen.append(total.copy())
    return np.array(seen).T


RACE = (1000, 2000, 2500, 3000, 3500, 4000, 5000, 20_000)


def _race(time: int, players: int) -> Measured:
    """Regret of epsilon-greedy less that of UCB1."""
    place = RACE.index(time)
    return mean(
        _regrets("epsilon", 0, players, RACE)[:, place]
        - _regrets("UCB1", SQRT2, players, RACE)[:, place]
    )


def _at_500(c: float, players: int) -> Measured:
    return mean(_last(c, players) - _last(SQRT2, players))


def _greedy_on_d(players: int) -> Hits:
    *_, last = _pulls("greedy", 0, 2000, players)
    return list(last == 3)


def _more_spread(c: float, players: int) -> Measured:
    """The regret's mean distance from its mean after 500 pulls, less that with √2."""
    far = [np.abs(found - found.mean()) for found in (_last(c, players), _last(SQRT2, players))]
    return mean(far[0] - far[1])


def _last(c: float, players: int) -> np.ndarray:
    return _regrets("UCB1", c, players, (500,))[:, 0]


BANDITS = [
    Claim(
        "explore_or_exploit",
        "With too little exploration, luck decides",
        "distance of the regret from its mean with c = 0, less that with √2",
        Between(low=0),
        partial(_more_spread, 0.0),
    ),
    Claim(
        "explore_or_exploit",
        "After 1,000 pulls epsilon-greedy still has less.",
        "regret of epsilon-greedy, less that of UCB1",
        Between(high=0),
        partial(_race, 1000),
    ),
    Claim(
        "explore_or_exploit",
        "Near 3,000 pulls the curves cross.",
        "the same after 2,000 pulls",
        Between(high=0),
        partial(_race, 2000),
    ),
    Claim(
        "explore_or_exploit",
        "Near 3,000 pulls the curves cross.",
        "the same after 4,000 pulls",
        Between(low=0),
        partial(_race, 4000),
    ),
    Claim(
        "explore_or_exploit",
        "Epsilon-greedy explores forever and pays 0.0275 a pull forever",
        "the same after 20,000 pulls",
        Between(low=0),
        partial(_race, 20_000),
    ),
    Claim(
        "explore_or_exploit",
        "Most find `D` early and pay nothing more.",
        "greedy players who pull `D` in the end",
        Between(0.5, 0.99),
        lambda n: share(_greedy_on_d(n)),
    ),
    Claim(
        "explore_or_exploit",
        "A smaller *c* is often better",
        "regret after 500 pulls with c = 0.5, less that with √2",
        Between(high=0),
        partial(_at_500, 0.5),
    ),
    Claim(
        "explore_or_exploit",
        "With too much, you waste pulls.",
        "the same with c = 3",
        Between(low=0),
        partial(_at_500, 3.0),
    ),
]


# The four phases, and c ------------------------------------------------------------------------

POSITION, CORNERS = four_phases.POSITION, GAME.parse("X.. .O. ..X")
found = partial(played, POSITION, (7,))
fallen = partial(played, CORNERS, (2, 6))


def _same_for_all(returns: Any, player: int, root_player: int) -> float:
    """The reward of the player to move at the root, for every node."""
    return half_for_a_draw(returns, root_player, root_player)


def _swapped(returns: Any, player: int, root_player: int) -> float:
    """The other player's reward."""
    return half_for_a_draw(returns, 1 - player, root_player)


MISTAKES = {"the same reward for every node": _same_for_all, "swapped players": _swapped}


def _loses(mistake: str, searches: int) -> Measured:
    """The share of the searches with this mistake that choose a cell that loses."""
    state = four_phases.SMALL
    best = best_moves(state)  # none of them wins
    return share(
        rewarded(MISTAKES[mistake], seed).search(state, iterations=2000, progress=False).best_action
        not in best
        for seed in range(searches)
    )


FOUR_PHASES = [
    *(
        Claim(
            "four_phases",
            "two of them because of their backpropagation",
            f"choose a losing cell with {mistake}",
            Between(0.98, 1),
            partial(_loses, mistake),
        )
        for mistake in MISTAKES
    ),
    Claim(
        "four_phases",
        "With 20 iterations, about 30 % of the searches are right",
        "play 7",
        Number("30 %"),
        lambda n: share(found(20, n)),
    ),
    Claim(
        "four_phases",
        "With 150, 90 % are.",
        "play 7",
        Number("90 %"),
        lambda n: share(found(150, n)),
    ),
]


def by_position(
    search: Callable[[int], Any], iterations: int, seeds: int, states: Sequence[Any]
) -> list[float]:
    """For each position: the share of the seeds whose move keeps the value of perfect play."""
    shares = []
    for place, state in enumerate(states):
        moves = (
            search(place * seeds + seed)
            .search(state, iterations=iterations, progress=False)
            .best_action
            for seed in range(seeds)
        )
        shares.append(fmean(move in best_moves(state) for move in moves))
    return shares


THREE_PIECES = contested(3)


@cache
def _right_with(c: float, iterations: int, seeds: int) -> list[float]:
    return by_position(partial(FastMCTS, GAME, c), iterations, seeds, THREE_PIECES)


def _gain(c: float, other: float, iterations: int, searches: int) -> Measured:
    """The gain in right moves of c over the other one, position by position."""
    seeds = max(1, searches // len(THREE_PIECES))
    one, two = (_right_with(each, iterations, seeds) for each in (c, other))
    return mean(a - b for a, b in zip(one, two, strict=True))


@cache
def _shapes(c: float, searches: int) -> list[tuple[int, int]]:
    """The deepest node of 100 iterations, and the number of nodes in the widest level."""
    shapes = []
    for seed in range(searches):
        trace = FastMCTS(GAME, c, seed).record(POSITION, iterations=100, progress=False)
        levels = np.bincount(depths(trace.parent))
        shapes.append((len(levels) - 1, int(levels.max())))
    return shapes


def _less_than_usual(c: float, which: int, searches: int) -> Measured:
    """The tree's depth (0) or width (1) with this c, less that with √2, on average."""
    pairs = zip(_shapes(c, searches), _shapes(SQRT2, searches), strict=True)
    return mean(one[which] - other[which] for one, other in pairs)


def _spread_of_visits(c: float, searches: int) -> Measured:
    """The most visits of a move less the fewest, as a share of all."""
    spreads = []
    for seed in range(searches):
        result = FastMCTS(GAME, c, seed).search(POSITION, iterations=100, progress=False)
        visits = [child.visits for child in result.root.children]
        spreads.append((max(visits) - min(visits)) / 100)
    return mean(spreads)


CONSTANTS = [
    Claim(
        "what_uct_weighs",
        "all moves get nearly the same visits",
        "share of the visits of the most visited move, less that of the least, with c = 10",
        Between(0, 0.1),
        partial(_spread_of_visits, 10.0),
    ),
    *(
        Claim(
            "what_uct_weighs",
            "A small *c* makes the tree narrow and deep, a large one makes it wide and flat.",
            f"{what} with {c:g}, less with √2, after 100 iterations",
            says,
            partial(_less_than_usual, c, which),
        )
        for c, which, what, says in (
            (0.35, 0, "depth of the deepest node", Between(low=0.5)),
            (0.35, 1, "nodes in the widest level", Between(high=-10)),
            (10.0, 0, "depth of the deepest node", Between(high=0)),
            (10.0, 1, "nodes in the widest level", Between(low=5)),
        )
    ),
    Claim(
        "what_uct_weighs",
        "√2, the usual one, is better than both ends",
        "play 7 with √2, less with 0",
        Between(low=0),
        lambda n: difference(found(100, n), found(100, n, 0.0)),
    ),
    Claim(
        "what_uct_weighs",
        "√2, the usual one, is better than both ends",
        "play 7 with √2, less with 10",
        Between(low=0),
        lambda n: difference(found(100, n), found(100, n, 10.0)),
    ),
    Claim(
        "what_uct_weighs",
        "and clearly worse than 0.7",
        "play 7 with 0.7, less with √2",
        Between(low=0.1),
        lambda n: difference(found(100, n, 0.7), found(100, n)),
    ),
    Claim(
        "what_uct_weighs",
        "and 10 is weak",
        "right with 0.7, less with 10, after 200 iterations, by position",
        Between(low=0.02),
        partial(_gain, 0.7, 10.0, 200),
        20 * len(THREE_PIECES),
        over="positions",
    ),
    *(
        Claim(
            "what_uct_weighs",
            "0.35 gains 0.05 after 50 iterations, 0.08 after 200, and 0.04 after 500",
            f"right with 0.35, less with √2, after {iterations} iterations, by position",
            Number(gain),
            partial(_gain, 0.35, SQRT2, iterations),
            100 * len(THREE_PIECES),
            over="positions",
        )
        for iterations, gain in ((50, "0.05"), (200, "0.08"), (500, "0.04"))
    ),
    Claim(
        "what_uct_weighs",
        "*c* = 0 finds cell 7 in 198 of 500 searches instead of 192",
        "play 7 with c = 0 after 1,000 iterations, less after 100",
        Between(-0.03, 0.05),
        lambda n: difference(found(1000, n, 0.0), found(100, n, 0.0)),
    ),
]


# Which move ------------------------------------------------------------------------------------


class Final(NamedTuple):
    """The end of a search."""

    right: dict[str, bool]
    """By rule."""
    lead: int
    """Of the robust child, in visits."""
    agree: bool
    """The robust, the max and the secure child are one move."""


@cache
def _final(iterations: int, searches: int) -> list[Final]:
    seen = []
    for seed in range(searches):
        state = THREE_PIECES[seed % len(THREE_PIECES)]
        result = FastMCTS(GAME, seed=seed).search(state, iterations=iterations, progress=False)
        children = result.root.children
        moves = {name: rule(children).action for name, rule in which_move.RULES.items()}
        right = {name: move in best_moves(state) for name, move in moves.items()}
        first, second = sorted((child.visits for child in children), reverse=True)[:2]
        agree = len({moves[name] for name in ("robust", "max", "secure")}) == 1
        seen.append(Final(right, first - second, agree))
    return seen


def _apart(rule: str, searches: int) -> Measured:
    return mean(int(end.right[rule]) - int(end.right["robust"]) for end in _final(1000, searches))


def _wrong_with_lead(small: bool, searches: int) -> Measured:
    ends = _final(1000, searches)
    return share(not end.right["robust"] for end in ends if (end.lead < 20) is small)


@cache
def _flat(searches: int) -> list[int]:
    """Is the max child right, less is the robust child, of a flat search."""
    gains = []
    for seed in range(searches):
        state = THREE_PIECES[seed % len(THREE_PIECES)]
        search = MCTS(GAME, seed=seed, selection=uniform, expansion=expand_root_only)
        children = search.search(state, iterations=200, progress=False).root.children
        right = [rule(children).action in best_moves(state) for rule in (max_child, robust_child)]
        gains.append(right[0] - right[1])
    return gains


def _used(searches: int) -> Measured:
    rule = which_move.write_can_stop.solution
    states = [THREE_PIECES[seed % len(THREE_PIECES)] for seed in range(searches)]
    return mean(
        which_move.search_until(rule, state, seed=seed)[0] / 1000
        for seed, state in enumerate(states)
    )


def _left(searches: int) -> Measured:
    """The share of 1,000 visits that is left after my move and the likely reply."""
    shares = []
    for seed in range(searches):
        search = MCTS(GAME, seed=seed)
        search.search(iterations=1000, progress=False)
        for _ in range(2):
            best = max(search.root.children, key=lambda child: child.visits)
            search.advance(best.action)
        shares.append(search.root.visits / 1000)
    return mean(shares)


WHICH_MOVE = [
    Claim(
        "which_move",
        "With UCT they almost always agree",
        "robust, max and secure child are one move after 1,000 iterations",
        Between(0.95, 1),
        lambda n: share(end.agree for end in _final(1000, n)),
    ),
    *(
        Claim(
            "which_move",
            "The other three curves almost coincide.",
            f"{rule} right, less robust right, after 1,000 iterations",
            Between(-0.01, 0.01),
            partial(_apart, rule),
        )
        for rule in ("max", "secure")
    ),
    Claim(
        "which_move",
        "Chance decides which two, and robust plays one of them.",
        "max right, less robust right, flat Monte Carlo",
        Between(low=0.1),
        lambda n: mean(_flat(n)),
    ),
    Claim(
        "which_move",
        "With a small lead about three in ten are wrong",
        "wrong with a lead below 20 visits",
        Between(0.2, 0.4),
        partial(_wrong_with_lead, True),
        30_000,
        400,
    ),
    Claim(
        "which_move",
        "measured beforehand, it was 25 and 1.8 in a hundred",
        "wrong with a lead of 20 or more",
        Between(0.01, 0.03),
        partial(_wrong_with_lead, False),
        30_000,
        400,
    ),
    Claim(
        "which_move",
        "A quarter of the work is saved",
        "share of 1,000 iterations that are used",
        Between(0.7, 0.8),
        _used,
    ),
    Claim(
        "which_move",
        "But don't expect miracles.",
        "share of 1,000 visits that is left after two moves",
        Between(0, 0.1),
        _left,
    ),
]


# Write it yourself, and the tree ---------------------------------------------------------------


@cache
def _program_right(name: str, searches: int) -> Hits:
    states, right = contested(3, 40), []
    functions = write_it_yourself.PROGRAMS[name]
    for seed in range(searches):
        root = Node(states[seed % 40])
        for _ in run(functions, root, 300, seed):
            pass
        right.append(
            max(root.children, key=lambda child: child.visits).move in best_moves(root.state)
        )
    return right


def _different_positions(searches: int) -> Measured:
    return mean(different(grown(GAME, 10_000, seed), 9, 1) for seed in range(searches))


def sharing(kind: type[MCTS], searches: int, iterations: int = 150) -> Hits:
    """For each seed: True if the winning cell 7 is played."""
    return played_with(GAME.parse("OX. ..O ..X"), (7,), iterations, searches, kind)


@cache
def workers_right(workers: int, virtual_loss: bool, searches: int) -> Hits:
    """For each seed: True if cell 7 is played after 150 iterations."""
    kinds = (which_move.with_workers(seed, workers, virtual_loss) for seed in range(searches))
    return [move == 7 for move in moves_played(kinds, which_move.ONE_WINS, 150)]


WORKERS = [
    *(
        Claim(
            "which_move",
            words,
            f"play 7 with {workers} workers and a virtual loss, less {than}",
            says,
            lambda n, workers=workers, other=other: difference(
                workers_right(workers, True, n), workers_right(*other, n)
            ),
        )
        for words, workers, than, other, says in (
            ("Late results cost something", 4, "with one", (1, True), Between(high=-0.05)),
            (
                "Without the virtual loss all of them follow the same old numbers",
                4,
                "without it",
                (4, False),
                Between(low=0.05),
            ),
            (
                "Without the virtual loss all of them follow the same old numbers",
                64,
                "without it",
                (64, False),
                Between(low=0.05),
            ),
        )
    ),
]


PROGRAMS = [
    Claim(
        "write_it_yourself",
        "a correct program plays a right move in 36 of the 40",
        "right moves of the correct program",
        Number("36 of the 40"),
        lambda n: share(_program_right("correct", n)),
    ),
    Claim(
        "write_it_yourself",
        "This fault costs a third of the right moves, and leaves the others.",
        "right moves of program A",
        Between(0.55, 0.65),
        lambda n: share(_program_right("A", n)),
    ),
    Claim(
        "perfect_play",
        "about 30 of every 100 nodes are the first to show their position",
        "share of different positions after 10,000 iterations",
        Between(0.25, 0.35),
        _different_positions,
        100,
        over="trees",
    ),
    Claim(
        "perfect_play",
        "Sharing everything does harm here.",
        "play 7 after 150 iterations, less the plain search",
        Between(high=-0.05),
        lambda n: difference(sharing(perfect_play.Shared, n), sharing(MCTS, n)),
    ),
    Claim(
        "perfect_play",
        "Here nothing is lost",
        "the same, of a search that shares means",
        Between(-0.05, 0.05),
        lambda n: difference(sharing(perfect_play.MeansShared, n), sharing(MCTS, n)),
    ),
]


# How near ---------------------------------------------------------------------------------------

DRAWING = tuple(sorted(best_moves(near_the_truth.TRAP)))
right_in_trap = partial(played, near_the_truth.TRAP, DRAWING)


def _mean_of_2(iterations: int, searches: int) -> Measured:
    means = []
    for seed in range(searches):
        result = FastMCTS(GAME, seed=seed).search(
            near_the_truth.POSITION, iterations=iterations, progress=False
        )
        means.append(next(child.mean for child in result.root.children if child.action == 2))
    return mean(means)


def _worst_of_the_others(searches: int) -> Measured:
    """Right with 200 iterations, in the worst position that is not the trap, turned or not."""
    trap = one_name(near_the_truth.TRAP)

    def right(state: Any, seeds: int) -> Hits:
        return played(state, tuple(sorted(best_moves(state))), 200, seeds)

    others = [state for state in THREE_PIECES if one_name(state) != trap]
    return share(right(min(others, key=lambda state: sum(right(state, 100))), searches))


@cache
def _led(length: int, limit: int, searches: int) -> list[float]:
    return [near_the_truth.leads_from(length, limit, seed) for seed in range(searches)]


NEAR = [
    Claim(
        "near_the_truth",
        "Five steps take some 830 iterations until 'go on' leads and stays ahead.",
        "iterations until it leads, five steps: the median",
        Between(700, 950),
        lambda n: middle(_led(5, 20_000, n)),
    ),
    *(
        Claim(
            "near_the_truth",
            "Each step more takes four to nine times as long, and the sixth takes 55 times.",
            f"the same, {length} steps",
            Between(*between),
            lambda n, length=length: middle(_led(length, 4000, n)),
        )
        for length, between in ((2, (2, 12)), (3, (30, 60)), (4, (150, 250)))
    ),
    Claim(
        "near_the_truth",
        'choices=["about 1,000", "about 2,000", "more than 5,000"]',
        "the same, 6 steps",
        Between(low=5000),
        lambda n: middle(_led(6, 200_000, n)),
        100,
        over="long searches",
    ),
    Claim(
        "near_the_truth",
        "In every other position at least half of the searches are right",
        "right after 200 iterations, in the worst of the other positions",
        Between(0.5, 1),
        _worst_of_the_others,
    ),
    Claim(
        "near_the_truth",
        "so its mean still remembers the early games",
        "mean of the losing move 2 after 400,000 iterations",
        Between(0.25, 0.425),
        partial(_mean_of_2, 400_000),
        1000,
        over="long searches",
    ),
    Claim(
        "near_the_truth",
        "**A mean is not an exact value.**",
        "mean of the losing move 2 after 200 iterations",
        Between(low=0.3),
        partial(_mean_of_2, 200),
    ),
    Claim(
        "near_the_truth",
        "about 2 of 100 searches of 200 iterations are right",
        "play a drawing move after 200 iterations",
        Number("2 of 100"),
        lambda n: share(right_in_trap(200, n)),
    ),
    Claim(
        "near_the_truth",
        "None of the 50 does.",
        "play a drawing move after 800 iterations",
        Between(0, 0.02),
        lambda n: share(right_in_trap(800, n)),
    ),
    Claim(
        "near_the_truth",
        "MCTS-Solver finds a drawing move in 999 of 1,000 searches (measured",
        "a search that proves plays a drawing move after 400 iterations",
        Between(0.995, 1),
        lambda n: share(played_with(near_the_truth.TRAP, DRAWING, 400, n, MCTSSolver)),
    ),
]


# Playouts --------------------------------------------------------------------------------------

AFTER_CORNER = GAME.parse("... ... ..X")
HUNDRED = contested(3, 100, seed=8)


@cache
def _right_playouts(kind: str, iterations: int, searches: int) -> list[float]:
    playout = smarter_playouts.PLAYOUTS[kind]
    seeds = max(1, searches // len(HUNDRED))
    return by_position(
        lambda seed: MCTS(GAME, seed=seed, playout=playout), iterations, seeds, HUNDRED
    )


def _heavy_gain(heavy: int, light: int, searches: int) -> Measured:
    one, two = _right_playouts("heavy", heavy, searches), _right_playouts("light", light, searches)
    return mean(a - b for a, b in zip(one, two, strict=True))


def _on_corners(playout: Any, searches: int) -> Measured:
    """The visits of 60 that the two corners of the trap get."""
    visits = []
    for seed in range(searches):
        search = MCTS(GAME, seed=seed, playout=playout)
        search.search(CORNERS, iterations=60, progress=False)
        visits.append(sum(child.visits for child in search.root.children if child.action in (2, 6)))
    return mean(visits)


draws = partial(played_with, AFTER_CORNER, (4,))


@cache
def _considered(state: Any) -> tuple[Any, ...]:
    """The moves from which a heavy playout picks."""
    legal = GAME.legal_actions(state)
    wins = wins_at_once(GAME, state, legal)
    return tuple(wins if len(wins) < len(legal) else blocks(GAME, state, legal))


def remembered(game: Any, state: Any, random: Random) -> Playout:
    """``win_then_block``, with the same random numbers: it remembers what it has looked up."""
    actions = []
    while not game.is_terminal(state):
        considered = _considered(state)
        actions.append(considered[int(random.random() * len(considered))])
        state = game.play(state, actions[-1])
    return Playout(actions, game.returns(state))


PLAYOUTS = [
    Claim(
        "smarter_playouts",
        "after 20 iterations they are right more often than light ones after 80",
        "heavy after 20, less light after 80, by position",
        Between(low=0),
        partial(_heavy_gain, 20, 80),
        over="positions",
    ),
    Claim(
        "smarter_playouts",
        "The smarter playouts do *worse*, by more than chance explains.",
        "draw with light playouts, less with heavy ones, after 30 iterations",
        Between(low=0.05),
        lambda n: difference(
            draws(30, n, playout=random_playout), draws(30, n, playout=win_then_block)
        ),
    ),
    Claim(
        "smarter_playouts",
        "With 1,000 iterations the heavy search holds the draw from the corner",
        "draw with heavy playouts",
        Between(0.98, 1),
        lambda n: share(draws(1000, n, playout=remembered)),
    ),
    Claim(
        "smarter_playouts",
        "Over 2,000 seeds it is 17 against 20",
        "visits of the corners, heavy playouts",
        Number("17"),
        partial(_on_corners, win_then_block),
    ),
    Claim(
        "smarter_playouts",
        "Over 2,000 seeds it is 17 against 20",
        "visits of the corners, light playouts",
        Number("20"),
        partial(_on_corners, random_playout),
    ),
]


# Stop early and guess --------------------------------------------------------------------------

LINES_OF_SIX_BY_SEVEN = 69
"""Rows of four cells on the full board of Connect Four."""


def _score(tally: Any) -> Measured:
    """The score of a player in a match, a draw being half a win."""
    points = tally.wins + tally.draws / 2
    return Measured(points / tally.games, *wilson_interval(points, tally.games), tally.games)


@cache
def _guesses(guess: Any, number: int, iterations: int = 30) -> list[bool]:
    """True for each position of Connect Four on five by five where a search plays a right move.

    It takes the ``guess`` in the place of playouts; without one it plays them.
    """
    playout = truncated(0, guess) if guess else random_playout
    return [
        MCTS(smarter_playouts.FOUR, seed=seed, playout=playout)
        .search(state, iterations=iterations, progress=False)
        .best_action
        in best
        for seed, (state, best) in enumerate(_four_positions(number).items())
    ]


_four_positions = cache(smarter_playouts.four_positions)


def _guess_gain(other: Any, iterations: int, number: int) -> Measured:
    """The gain in right moves of the guess over the other one, or over playouts."""
    one = _guesses(smarter_playouts.open_lines, number, iterations)
    two = _guesses(other, number, iterations)
    return mean(a - b for a, b in zip(one, two, strict=True))


def _guess_wins(games: int) -> Measured:
    """The score of the guess against full playouts on 6 by 7, with 40 iterations per move."""
    board = ConnectFour()
    guess = partial(smarter_playouts.open_lines, lines=LINES_OF_SIX_BY_SEVEN)
    players = {
        "guess": MCTSAgent(board, 40, playout=truncated(0, guess)),
        "playouts": MCTSAgent(board, 40),
    }
    tally = arena(players, board, games=games, seed=1, progress=False).tally("guess")
    return _score(tally)


def _worth_later(searches: int) -> Measured:
    """The AMAF mean of O's move 1 from the corner, less the mean of its visits."""
    gains = [_amaf_less_own(seed) for seed in range(searches)]
    return mean(gains)


def _amaf_less_own(seed: int, move: int = 1) -> float:
    """Of one search: a path or a playout has the move of O, and what O got then."""
    trace = FastMCTS(GAME, seed=seed).record(AFTER_CORNER, iterations=1000, progress=False)
    by_o = (trace.action == move) & (trace.player_just_moved == 1)
    by_o[0], own = False, by_o & (trace.parent == 0)
    for node, parent in enumerate(trace.parent[1:], 1):  # a child comes after its parent
        by_o[node] |= by_o[parent]
        own[node] |= own[parent]
    reward = np.array([(outcome.returns[1] + 1) / 2 for outcome in trace.outcomes])[trace.outcome]
    o_first = trace.player_just_moved[trace.leaf] == 0
    later = [
        move in trace.playouts[iteration][0 if first else 1 :: 2]
        for iteration, first in enumerate(o_first, 1)
    ]
    anywhere = by_o[trace.leaf] | np.array(later)
    return float(reward[anywhere].mean() - reward[own[trace.leaf]].mean())


PLAYOUTS += [
    Claim(
        "smarter_playouts",
        "it ends too high, at 0.32 instead of 0.22",
        "mean of all games with move 1, less the mean of its visits",
        Between(low=0),
        _worth_later,
    ),
    *(
        Claim(
            "smarter_playouts",
            words,
            f"right with a guess, less right with full playouts, {iterations} iterations, "
            "by position",
            says,
            partial(_guess_gain, None, iterations),
            600,
            over="positions",
        )
        for words, iterations, says in (
            ("Over 600 positions it finds 0.08 more", 30, Number("0.08")),
            (
                "With 200 iterations for each search that lead is gone",
                200,
                Between(high=0.02),
            ),
        )
    ),
    Claim(
        "smarter_playouts",
        "the guess scores 0.91 in 400 games against full playouts",
        "score of the guess, in games of Connect Four",
        Number("0.91"),
        _guess_wins,
        400,
        over="games",
    ),
]


# A larger game ---------------------------------------------------------------------------------

SIZES: Mapping[str, Any] = {
    "tic-tac-toe": GAME,
    "Connect Four": ConnectFour(),
    "Connect Four of 4 by 5": ConnectFour(4, 5),
}


@cache
def _depths(game: str, searches: int) -> tuple[list[float], list[int]]:
    """The mean depth and the deepest node of trees of 1,000 iterations."""
    found = [depths(grown(SIZES[game], 1000, seed).parent) for seed in range(searches)]
    return [float(each.mean()) for each in found], [int(each.max()) for each in found]


def _part_of_a_game(game: str, searches: int) -> Measured:
    """The mean depth, divided by the length of a random game: both are known from samples.

    The interval of a ratio, by linearization: Cochran (1977), "Sampling Techniques", chapter 6.
    """
    start = SIZES[game].initial_state()
    found = _depths(game, searches)[0]
    lengths = [
        len(random_playout(SIZES[game], start, Random(seed)).actions) for seed in range(searches)
    ]
    length = fmean(lengths)
    ratio = fmean(found) / length
    return mean(
        ratio + (depth - ratio * own) / length for depth, own in zip(found, lengths, strict=True)
    )


LARGER = [
    *(
        Claim(
            "near_the_truth",
            "three or four moves",
            f"mean depth of 1,000 iterations, {game}",
            Between(2.5, 4.5),
            lambda n, game=game: mean(_depths(game, n)[0]),
        )
        for game in SIZES
    ),
    *(
        Claim(
            "near_the_truth",
            "That is nearly half of a random game of tic-tac-toe, and a sixth of one of "
            "Connect Four.",
            f"the same, divided by the length of a random game, {game}",
            says,
            partial(_part_of_a_game, game),
        )
        for game, says in (
            ("tic-tac-toe", Between(0.4, 0.5)),
            ("Connect Four", Between(1 / 7, 1 / 5)),
        )
    ),
    Claim(
        "near_the_truth",
        "the deepest node is five moves deep",
        "deepest node of 1,000 iterations",
        Between(4.5, 5.5),
        lambda n: mean(_depths("Connect Four", n)[1]),
    ),
]


# The clinic ------------------------------------------------------------------------------------


@cache
def _gambles(fault: str, searches: int) -> Hits:
    system = published("uct", bug_clinic.GAMBLE).with_faults(*filter(None, [fault]))
    start = bug_clinic.GAMBLE.initial_state()
    return [
        system.search(seed).search(start, iterations=100, progress=False).best_action == "b"
        for seed in range(searches)
    ]


@cache
def _errs(fault: str, faulty: bool, searches: int, times: int = 1) -> Hits:
    patient = clinic(fault)
    system = patient.faulty if faulty else patient.sound
    keeps = best_moves(patient.state)
    rule = system.as_searched().reward
    search = partial(rewarded, rule) if fault in ("view", "draws") else system.search
    return [
        search(seed)
        .search(patient.state, iterations=times * patient.iterations, progress=False)
        .best_action
        not in keeps
        for seed in range(searches)
    ]


@cache
def _errs_from_life(name: str, searches: int) -> Hits:
    """Errs a search with this fault from life, or the correct one?"""
    search: Any = FROM_LIFE[name].search if name else Selecting
    state = clinic("turns").state
    return [
        search(GAME, 1.4, seed=seed).search(state, iterations=200, progress=False).best_action
        not in best_moves(state)
        for seed in range(searches)
    ]


@cache
def _finds_the_win(repair: str, searches: int) -> Hits:
    """The program of the essay, without this fault."""
    system = published("liu").repair(*filter(None, [repair]))
    state = GAME.parse("XX. OO. ...")
    return [
        system.search(seed).search(state, iterations=1000, progress=False).best_action == 2
        for seed in range(searches)
    ]


WORTH = ("turns", "ends", "view", "draws")

CLINIC_CLAIMS = [
    Claim(
        "bug_clinic",
        "The suspicion against `block()` was wrong",
        'find the win without "turns", less without "ends"',
        Between(low=0.2),
        lambda n: difference(_finds_the_win("turns", n), _finds_the_win("ends", n)),
    ),
    Claim(
        "bug_clinic",
        "The suspicion against `block()` was wrong",
        'find the win without "block", less as published',
        Between(high=0.1),
        lambda n: difference(_finds_the_win("block", n), _finds_the_win("", n)),
    ),
    Claim(
        "bug_clinic",
        "with the root's visits the search is as good here as the correct one",
        "err with the root's visits, less without a fault",
        Between(-0.02, 0.02),
        lambda n: difference(_errs_from_life("root's visits", n), _errs_from_life("", n)),
    ),
    *(
        Claim(
            "bug_clinic",
            "The move played in this position betrays only three of them",
            f'err with "{name}", less without a fault',
            Between(low=0.2),
            lambda n, name=name: difference(_errs_from_life(name, n), _errs_from_life("", n)),
        )
        for name in ("stored scores", "only the leaf", "finished skipped")
    ),
    Claim(
        "bug_clinic",
        "To the faulty search any luck is better than a sure draw.",
        "gamble on b",
        Between(0.99, 1),
        lambda n: share(_gambles("draws", n)),
    ),
    *(
        Claim(
            "bug_clinic",
            "so they err with nearly every seed",
            f'err with "{fault}"',
            Between(0.9, 1),
            lambda n, fault=fault: share(_errs(fault, True, n)),
        )
        for fault in WORTH
    ),
    Claim(
        "bug_clinic",
        '"clock" is real, but so weak that 40 seeds would hardly have shown it',
        'err with "clock", less without it',
        Between(0.01, 0.2),
        lambda n: difference(_errs("clock", True, n), _errs("clock", False, n)),
    ),
    *(
        Claim(
            "bug_clinic",
            "Ten times the iterations cure none of them.",
            f'err with "{fault}" after 2,000 iterations',
            Between(0.5, 1),
            lambda n, fault=fault: share(_errs(fault, True, n, 10)),
            100,
            over="long searches",
        )
        for fault in WORTH
    ),
]


# Who wins, and your own game ---------------------------------------------------------------------


WINS = []


# Hints -----------------------------------------------------------------------------------------


@cache
def _waits(prior: float, searches: int) -> list[int]:
    return [hints.first_visit(prior, seed)[0] or 2000 for seed in range(searches)]


def _doubling(prior: float, searches: int) -> Measured:
    """The median wait with half a prior, divided by that with all of it; by resampling."""
    once, half = _medians(prior, searches), _medians(prior / 2, searches)
    return _resampled(half / once, searches)


def _medians(prior: float, searches: int) -> np.ndarray:
    """The median wait, and that of each of 1,000 drawings with replacement."""
    waits = np.array(_waits(prior, searches))
    places = np.random.default_rng(int(1e6 * prior)).integers(searches, size=(1000, searches))
    return np.array([np.median(waits), *np.median(waits[places], axis=1)])


def _resampled(values: np.ndarray, searches: int) -> Measured:
    return Measured(values[0], *map(float, np.quantile(values[1:], (0.025, 0.975))), searches)


@cache
def _table_scores(tables: int) -> list[tuple[float, float]]:
    """For each table: the score of the search it guides against UCT, and its own."""
    scores = []
    for seed in range(tables):
        memory = hints.poor_memory(seed)
        players: dict[str, Any] = {"UCT": MCTSAgent(GAME, 20), "table": memory.learner}
        players["guided"] = MCTSAgent(GAME, 20, c=1, **guided(GAME, memory))
        games = arena(players, GAME, games=200, seed=seed, progress=False)
        scores.append((games.tally("guided", "UCT").score, games.tally("table", "UCT").score))
    return scores


# Hints -----------------------------------------------------------------------------------------

HINTS = [
    Claim(
        "hints",
        "The search then tries cell 7 for the first time in iteration 10.",
        "median wait with a prior of 20 %",
        Number("10"),
        lambda n: _resampled(_medians(0.2, n), n),
    ),
    *(
        Claim(
            "hints",
            "Half the prior, and the wait about doubles.",
            f"median wait with a prior of {prior / 2:.2%}, divided by that with {prior:.2%}",
            Between(1.6, 2.6),
            partial(_doubling, prior),
        )
        for prior in (0.2, 0.1, 0.05, 0.025)
    ),
    Claim(
        "hints",
        "their guided searches score 0.58 against UCT on average",
        "score against UCT, over the tables",
        Number("0.58"),
        lambda n: mean(guided for guided, _ in _table_scores(n)),
        20,
        3,
        "tables",
    ),
    Claim(
        "hints",
        "so the exploration term of cell 7 stays 0",
        "searches that try cell 7 within 500 iterations, with a prior of 0",
        Between(0, 0.01),
        lambda n: share(hints.first_visit(0.0, seed, 500)[0] is not None for seed in range(n)),
    ),
    Claim(
        "hints",
        "The table alone loses most of its games",
        "score of the table against UCT, over the tables",
        Between(0, 0.3),
        lambda n: mean(alone for _, alone in _table_scores(n)),
        20,
        3,
        "tables",
    ),
]


# Networks --------------------------------------------------------------------------------------


@cache
def _exam() -> tuple[list[Any], list[Any]]:
    """Positions of random games, and of games that two searches played."""
    return teach_itself.test_positions(300, 99), teach_itself.played_positions(300, 99)


@cache
def _pairs(number: int) -> list[dict[str, float]]:
    """For each pair of networks that learned with the same seed: what the lesson asks of them."""
    random_positions, played_positions = _exam()
    rows = []
    for seed in range(number):
        new = Network(SMALL, seed=seed)
        networks = {name: Network(SMALL, seed=seed) for name in "AB"}
        train(networks["A"], games=400, seed=seed, progress=False)
        train(networks["B"], games=400, opening=0, seed=seed, progress=False)
        met = arena(dict(networks), SMALL, games=100, seed=seed, opening=2, progress=False)
        row = {"match": met.tally("A", "B").score}
        for name, network in {**networks, "new": new}.items():
            row[f"{name}, random"] = fmean(teach_itself.right_moves(network, random_positions))
            row[f"{name}, played"] = fmean(teach_itself.right_moves(network, played_positions))
        settings = {"c": 1, **guided(SMALL, networks["A"])}
        for name, policies, short in (("guided", settings, 10), ("UCT", {}, 40)):
            for budget in (short, 160):
                player = MCTSAgent(SMALL, budget, seed=seed, **policies)
                row[f"{name} {budget}"] = fmean(teach_itself.right_moves(player, random_positions))
        rows.append(row)
    return rows


def _of_pairs(value: Callable[[Mapping[str, float]], float], number: int) -> Measured:
    return mean(map(value, _pairs(number)))


def _pair_claim(
    words: str, what: str, says: Between | Number, value: Callable[[Mapping[str, float]], float]
) -> Claim:
    return Claim("teach_itself", words, what, says, partial(_of_pairs, value), 12, 2, "pairs")


@cache
def _schooled(learners: int) -> list[tuple[float, float]]:
    """For each table: the share of its positions that it met within 5,000 of its 20,000 games, and
    how much better it then scores against a random player."""
    found = []
    for seed in range(learners):
        early = QLearner(GAME, epsilon=0.5, seed=seed).train(5000, progress=False)
        late = QLearner(GAME, epsilon=0.5, seed=seed).train(20_000, progress=False)
        players = {"early": early, "late": late, "random": RandomAgent(GAME)}
        games = arena(players, GAME, games=400, seed=seed, progress=False)
        scores = [games.tally(name, "random").score for name in ("early", "late")]
        found.append((early.positions / late.positions, scores[1] - scores[0]))
    return found


@cache
def _noisy(alpha: float, anew: bool, searches: int) -> tuple[Hits, Hits]:
    """For each seed: True if cell 7, with a prior of 0, is tried, and True if it leads."""
    found = [
        hints.tried_and_led(hints.with_noise(hints._searching(0.0, seed), 0.0, alpha, anew))
        for seed in range(searches)
    ]
    tried, led = (list(column) for column in zip(*found, strict=True))
    return tried, led


NOISE = [
    Claim(
        "hints",
        "A small α bets the whole quarter on one or two moves.",
        "try cell 7 with α = 2, less with α = 0.03",
        Between(low=0.3),
        lambda n: difference(_noisy(2.0, False, n)[0], _noisy(0.03, False, n)[0]),
    ),
    Claim(
        "hints",
        "It does better here, but it is another algorithm",
        "cell 7 leads with new noise at each selection, less with noise once, α = 0.3",
        Between(low=0.2),
        lambda n: difference(_noisy(0.3, True, n)[1], _noisy(0.3, False, n)[1]),
    ),
]


# A card that is hidden -------------------------------------------------------------------------


CARD = [
    Claim(
        "my_game",
        "It plans to bet against the jack and to pass against the king",
        "play stay, of searches that see the card first",
        Between(0.99, 1),
        lambda n: share(
            move == "stay"
            for move in moves_played(
                (MCTS(my_game.Queen(True), seed=s) for s in range(n)), (), 1000
            )
        ),
    ),
    Claim(
        "my_game",
        "So *stay* is worth 0.",
        "play stay, of searches that decide first",
        Between(0, 0.01),
        lambda n: share(
            move == "stay"
            for move in moves_played((MCTS(my_game.Queen(), seed=s) for s in range(n)), (), 1000)
        ),
    ),
]


NETWORKS = [
    Claim(
        "teach_itself",
        "Almost every position was met within 5,000 games",
        "share of the positions of 20,000 games, over the tables",
        Between(0.9, 1),
        lambda n: mean(met for met, _ in _schooled(n)),
        20,
        2,
        "tables",
    ),
    Claim(
        "teach_itself",
        "and the score still rises",
        "score against a random player after 20,000 games, less after 5,000, over the tables",
        Between(low=0),
        lambda n: mean(gain for _, gain in _schooled(n)),
        20,
        2,
        "tables",
    ),
    _pair_claim(
        "Over twelve networks: 0.90 against 0.92",
        "guided, 10 iterations",
        Number("0.90"),
        lambda row: row["guided 10"],
    ),
    _pair_claim(
        "Over twelve networks: 0.90 against 0.92",
        "UCT, 40 iterations",
        Number("0.92"),
        lambda row: row["UCT 40"],
    ),
    _pair_claim(
        "With 160 the two are alike in so small a game",
        "guided less UCT, 160 iterations",
        Between(-0.02, 0.02),
        lambda row: row["guided 160"] - row["UCT 160"],
    ),
    _pair_claim(
        "`A` finds 0.06 more (interval over the pairs",
        "A less B, random games",
        Number("0.06"),
        lambda row: row["A, random"] - row["B, random"],
    ),
    _pair_claim(
        "On positions of real play it finds 0.02 more",
        "A less B, games of two searches",
        Number("0.02"),
        lambda row: row["A, played"] - row["B, played"],
    ),
    _pair_claim(
        "in matches between the two it scores 0.52",
        "score of A against B",
        Number("0.52"),
        lambda row: row["match"],
    ),
]


# Luck --------------------------------------------------------------------------------------------

ROLL = luck.GAME.parse("20 25 +12 A")


@cache
def _rolled(iterations: int, number: int) -> list[float]:
    """For each seed: the mean of rolling after so many iterations."""
    found = []
    for seed in range(number):
        search = MCTS(luck.GAME, seed=seed)
        search.search(ROLL, iterations=iterations, progress=False)
        found += [child.mean for child in search.root.children if child.action == "roll"]
    return found


def _random_wins(number: int) -> Measured:
    """Of random games after the roll, those that the roller wins."""
    search = MCTS(luck.GAME, seed=1)
    search.search(ROLL, iterations=4, progress=False)
    [roll] = [child for child in search.root.children if child.action == "roll"]
    return share(search.simulate(roll).returns[0] > 0 for _ in range(number))


LUCK = [
    Claim(
        "luck",
        "And nearly all are too high",
        "mean of rolling above its exact value after 800 iterations",
        Between(0.9),
        lambda n: share(m > luck.values(ROLL)["roll"] for m in _rolled(800, n)),
    ),
    Claim(
        "luck",
        "with 800 iterations no less than with 50",
        "mean of rolling after 800 iterations, less that after 50",
        Between(low=0),
        lambda n: mean(a - b for a, b in zip(_rolled(800, n), _rolled(50, n), strict=True)),
    ),
    Claim(
        "luck",
        "of random games after the roll A wins 0.67",
        "random games after the roll that the roller wins",
        Number("0.67"),
        lambda n: _random_wins(10 * n),
    ),
]


# Reasoning -------------------------------------------------------------------------------------


@cache
def _solved(
    way: str, number: int, error: float = 0.1, gullible: float = 0.0, calls: int = 25
) -> Any:
    """The attempts of so many thinkers, each at one of 1,000 puzzles in turn."""
    attempts = []
    for seed in range(number):
        hand = _hands()[seed % len(_hands())]
        thinker = Thinker(Puzzle24(hand, gullible, seed), error=error, seed=seed)
        attempts.append(reasoning.WAYS[way](thinker, calls, seed))
    return attempts


@cache
def _hands() -> list[tuple[int, ...]]:
    return hands(1000, seed=1)


def _tree_gain(error: float, number: int) -> Measured:
    tree, best = _solved("tree search", number, error), _solved("best-of-n", number)
    return mean((a.end is not None) - (b.end is not None) for a, b in zip(tree, best, strict=True))


def _lead_at_a_price(number: int) -> Measured:
    """The lead where the judge costs as much as the proposer: the tree's 25 calls are two each."""
    tree, best = _solved("tree search", number), _solved("best-of-n", number, calls=50)
    return mean((a.end is not None) - (b.end is not None) for a, b in zip(tree, best, strict=True))


def _true(way: str, number: int) -> Measured:
    claims = [a for a in _solved(way, number, 0.1, 0.05, 100) if a.end is not None]
    return share(attempt.end == (24,) for attempt in claims)


REASONING = [
    Claim(
        "reasoning",
        "Of 1,000 other puzzles it solves 79 %, best-of-*n* 56 %.",
        "solved by tree search",
        Number("79 %"),
        lambda n: share(a.end is not None for a in _solved("tree search", n)),
    ),
    Claim(
        "reasoning",
        "Of 1,000 other puzzles it solves 79 %, best-of-*n* 56 %.",
        "solved by best-of-n",
        Number("56 %"),
        lambda n: share(a.end is not None for a in _solved("best-of-n", n)),
    ),
    Claim(
        "reasoning",
        "from 25 calls on best-of-*n* solves as many for that price",
        "solved by tree search with 25 calls, less by best-of-n with 50",
        Between(-0.05, 0.05),
        _lead_at_a_price,
    ),
    Claim(
        "reasoning",
        "less than half of the lead is left (0.09 of 0.23, over 1,000 other puzzles)",
        "solved by tree search, less by best-of-n, error 0.3",
        Number("0.09"),
        partial(_tree_gain, 0.3),
    ),
    Claim(
        "reasoning",
        "one that merely beats a coin is not enough",
        "solved by tree search, less by best-of-n, error 0.4",
        Between(-0.05, 0.05),
        partial(_tree_gain, 0.4),
    ),
    Claim(
        "reasoning",
        "With a coin for a judge the tree solves *less*.",
        "solved by tree search, less by best-of-n, error 0.5",
        Between(high=0),
        partial(_tree_gain, 0.5),
    ),
    Claim(
        "reasoning",
        "Without one they bring more *claims*",
        "true claims of best-of-n with 100 calls",
        Between(0.4, 0.6),
        partial(_true, "best-of-n"),
        over="claims",
    ),
    Claim(
        "reasoning",
        "Tree search does better, because its judge turns it away",
        "true claims of tree search with 100 calls",
        Between(0.6, 0.95),
        partial(_true, "tree search"),
        over="claims",
    ),
]

# What the published systems say ------------------------------------------------------------------


@cache
def _walks(iterations: int, searches: int) -> tuple[list[float], list[float]]:
    """The moves of Select with Expand, and of Simulate: means of the last hundred iterations."""
    walks: list[float] = []
    playouts: list[float] = []
    for seed in range(searches):
        trace = grown(GAME, iterations, seed)
        walks.append(float(depths(trace.parent)[trace.leaf[-100:]].mean()))
        playouts.append(float(trace.playouts.lengths[-100:].mean()))
    return walks, playouts


@cache
def _agent_games(one: tuple[int, str], other: tuple[int, str], games: int) -> Any:
    """Games of two versions of the Connect Four agent, each with its playouts and a repair."""

    def player(playouts: int, repair: str) -> Any:
        system = published("connect4-agent")
        return (system.repair(repair) if repair else system).agent(playouts)

    players = {"one": player(*one), "other": player(*other)}
    return arena(players, ConnectFour(), games=games, seed=1, progress=False)


def _scores(one: tuple[int, str], other: tuple[int, str], games: int) -> Measured:
    return _score(_agent_games(one, other, games).tally("one"))


def _essay_loses(games: int) -> Measured:
    """The share of its games that the essay's program loses to exact play, moving second."""
    exact, lost = ExactAgent(GAME), []
    for seed in range(games):
        essay, state = published("liu").agent(15_000, seed=seed), GAME.initial_state()
        opening = Random(seed).choice(GAME.legal_actions(state))
        state = GAME.play(state, opening)
        while not GAME.is_terminal(state):
            state = GAME.play(state, (exact, essay)[GAME.to_move(state)](state))
        lost.append(GAME.returns(state)[0] > 0)
    return share(lost)


FROM_SOURCES = [
    *(
        Claim(
            "near_the_truth",
            "the walk grows from 2.1 moves to 5.8, and the playout shrinks from 5.5 to 1.6",
            f"moves of {phase}, iterations {iterations - 99:,} to {iterations:,}",
            Number(said),
            lambda n, iterations=iterations, place=place: mean(_walks(iterations, n)[place]),
        )
        for iterations, place, phase, said in (
            (100, 0, "Select and Expand", "2.1"),
            (10_000, 0, "Select and Expand", "5.8"),
            (100, 1, "the playout", "5.5"),
            (10_000, 1, "the playout", "1.6"),
        )
    ),
    Claim(
        "sources",
        "it lost 8 of 12 games to exact play, with all its 15,000 iterations",
        "lost as the second player",
        Between(0.3, 1),
        _essay_loses,
        12,
        2,
        "games",
    ),
    Claim(
        "sources",
        "40 playouts are clearly stronger than 10",
        "score of 40 playouts against 10, in games of Connect Four",
        Between(0.55, 1),
        partial(_scores, (40, ""), (10, "")),
        200,
        over="games",
    ),
    Claim(
        "sources",
        "no clear gain from the four levels that are built beforehand",
        "score with them against without them, 40 playouts",
        Between(0.4, 0.6),
        partial(_scores, (40, ""), (40, "pre-building")),
        200,
        over="games",
    ),
]

CLAIMS: Sequence[Claim] = [
    *RANDOM_GAMES,
    *BANDITS,
    *FOUR_PHASES,
    *CONSTANTS,
    *WHICH_MOVE,
    *WORKERS,
    *PROGRAMS,
    *NEAR,
    *LARGER,
    *CLINIC_CLAIMS,
    *PLAYOUTS,
    *WINS,
    *HINTS,
    *NOISE,
    *CARD,
    *NETWORKS,
    *LUCK,
    *REASONING,
    *FROM_SOURCES,
]
"""All of them, in the order of the lessons."""
