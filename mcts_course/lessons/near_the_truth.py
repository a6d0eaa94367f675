"""Experiments and exercises of the lesson *How near is MCTS to the truth?*"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import inf, log
from random import Random
from statistics import fmean, median
from typing import Any, Final

from mcts_viz.games import ConnectFour, Game, GameTree, Returns, TicTacToe
from mcts_viz.search import MCTS, MCTSSolver, random_playout, solve
from mcts_viz.trace import Trace

from ..measure.experiments import Counts, by_budget, results_at_budgets, tracked
from ..show.figures import Curve, Figure, draw_curves, mark_budgets, new_figure
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")
TRAP: Final = GAME.parse("... X.O .X.")
PENCIL: Final = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 1, "f": 1}})
BUDGETS: Final = (200, 1000, 10_000, 100_000, 400_000)


# Experiments ---------------------------------------------------------------------------------


@typed_door
def converging(seed: int) -> Table:
    """Run one long search from ``POSITION`` and note the means of the root and of its moves.

    The means are rewards for X, in [0, 1], as is the exact value of each.
    """
    exact = {move: (value + 1) / 2 for move, value in solve(GAME, POSITION).action_values.items()}
    search, moves = MCTS(GAME, seed=seed), (4, 7, 2)
    rows: list[tuple[Any, ...]] = []
    means = []
    for budget, _ in results_at_budgets(search, POSITION, tracked(BUDGETS, "budgets")):
        nodes = {child.action: child for child in search.root.children}
        root = sum(child.wins for child in nodes.values()) / budget
        means.append([root, *(nodes[move].mean for move in moves)])
        rows.append((budget, *(f"{mean:.3f}" for mean in means[-1]), nodes[2].visits))
    truth = {"root": max(exact.values())} | {f"move {move}": exact[move] for move in moves}
    rows.append(("exact", *(f"{value:g}" for value in truth.values()), ""))

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=3.2)
        names = [f"{who}, exactly {value:g}" for who, value in truth.items()]
        curves = zip(names, zip(*means, strict=True), strict=True)
        draw_curves(
            axes, {name: Curve(BUDGETS, curve) for name, curve in curves}, "mean of", points=True
        )
        axes.set(ylabel="reward for X", ylim=(-0.03, 1.05))
        mark_budgets(axes, BUDGETS)
        return figure

    return Table(
        ("iterations", *truth, "visits of 2"), rows, picture=picture, mean_of_2=means[-1][-1]
    )


@typed_door
def times_right(budgets: Sequence[int]) -> Counts:
    """Count the searches of ``TRAP``, of 50, that play one of the two moves that hold the draw."""
    return by_budget(GAME, TRAP, solve(GAME, TRAP).best_actions, budgets, seeds=50)


@typed_door
def proved_step_by_step(game: GameTree, seed: int) -> Table:
    """Run MCTS-Solver to its end, and note what each iteration proves."""
    search, rows = MCTSSolver(game, seed=seed), []
    search.start()
    while not search.solved:
        known = set(search.winners)
        search.run(iterations=1, progress=False)
        new = [n for n in search.nodes if n in search.winners and n not in known]
        names = ", ".join(str(n.action or "the root") for n in new) or "nothing"
        rows.append((search.iterations, str(search.nodes[-1].action), names))
    means = {str(child.action): child.mean for child in search.root.children}
    proven = {iteration: names for iteration, _, names in rows}
    return Table(("iteration", "the walk ends at", "proves"), rows, means=means, proven=proven)


@typed_door
def beside_the_truth(trace: Trace, iteration: int) -> Table:
    """Return, by move at the root, visits and mean at that moment, and the exact reward."""
    moment, values = trace.at(iteration), solve(GAME, trace.root_state).action_values
    rows = []
    for child in sorted(moment.children(0), key=lambda child: -moment.visits[child]):
        mean = moment.wins[child] / moment.visits[child]
        reward = (values[trace.action_of(child)] + 1) / 2
        rows.append((trace.label(child), int(moment.visits[child]), f"{mean:.2f}", f"{reward:g}"))
    return Table(("move", "visits", "mean", "truth"), rows)


@typed_door
def filled_levels(branching: int, iterations: int) -> Table:
    """Count the levels below the root that these iterations fill, with a node per iteration.

    ``filled`` is their number. The table ends with the first level that is not full.
    """
    rows: list[tuple[int, int, int]] = []
    needed = 0
    while needed <= iterations:
        nodes = branching ** (len(rows) + 1)
        needed += nodes
        rows.append((len(rows) + 1, nodes, needed))
    heads = ("level", "nodes in it", "iterations until it is full")
    return Table(heads, rows, filled=len(rows) - 1)


@typed_door
def how_large(seed: int, iterations: int = 1000, playouts: int = 300) -> Table:
    """Return, by game, moves at the root, the length of a random game, and a search's depth."""
    rows = []
    games: tuple[Game[Any, Any], ...] = (TicTacToe(), ConnectFour(4, 5), ConnectFour())
    for game in games:
        search, start = MCTS(game, seed=seed), game.initial_state()
        search.search(iterations=iterations, progress=False)
        depths = {0: 0}
        for node in search.nodes:
            depths |= {child.id: depths[node.id] + 1 for child in node.children}
        played = (random_playout(game, start, Random(each)) for each in range(playouts))
        length, mean = fmean(len(one.actions) for one in played), fmean(depths.values())
        moves, deepest = len(game.legal_actions(start)), max(depths.values())
        rows.append((game.name, moves, f"{length:.1f}", f"{mean:.1f}", deepest))
    return Table(
        ("game", "moves at first", "moves of a playout", "mean depth", "deepest node"), rows
    )


# A walk on which every stop is tempting -------------------------------------------------------


@dataclass(frozen=True)
class Chain(Game[tuple[int, bool], str]):
    """One player may stop at each step, or go on to the end, which pays most.

    Source: Coquelin and Munos (2007), section 2.
    """

    length: int
    name = "Chain"
    players = ("Walker",)
    value_range = (0.0, 1.0)

    def initial_state(self) -> tuple[int, bool]:
        return 0, False

    def to_move(self, state: tuple[int, bool]) -> int:
        return 0

    def legal_actions(self, state: tuple[int, bool]) -> Sequence[str]:
        return "go on", "stop"

    def play(self, state: tuple[int, bool], action: str) -> tuple[int, bool]:
        return state[0] + 1, action == "stop"

    def is_terminal(self, state: tuple[int, bool]) -> bool:
        return state[1] or state[0] == self.length

    def returns(self, state: tuple[int, bool]) -> Returns:
        step, stopped = state
        return ((self.length - step) / self.length if stopped else 1.0,)


def leads_from(length: int, limit: int, seed: int) -> float:
    """The iteration from which going on has the most visits, to the limit; infinite if never.

    Looked at in steps of a tenth.
    """
    search, since = MCTS(Chain(length), seed=seed), inf
    budgets = sorted({round(4 * 1.1**step) for step in range(int(log(limit / 4, 1.1)) + 1)})
    for budget, result in results_at_budgets(search, None, budgets):
        leads = result.best_action == "go on"
        since = min(since, budget) if leads else inf
        if leads and 2 * result.best_child.visits > limit:
            break  # nothing can catch up any more
    return since


@typed_door
def until_it_leads(lengths: Sequence[int], seeds: int = 5, limit: int = 60_000) -> Table:
    """Count the iterations until going on leads for good, by the number of steps: the median."""
    found = {n: median(leads_from(n, limit, seed) for seed in range(seeds)) for n in lengths}
    rows = [(n, f"{count:,.0f}", 2 * n) for n, count in found.items()]
    words = next(
        words
        for most, words in ((1500, "about 1,000"), (5000, "about 2,000"), (inf, MORE))
        if found[max(found)] <= most
    )

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=3.2)
        curves = {"UCT": Curve(lengths, [found[n] for n in lengths])}
        curves["exact play"] = Curve(lengths, [2 * n for n in lengths])
        draw_curves(axes, curves, "positions or iterations of", points=True)
        axes.set(xlabel="steps", ylabel="until the best move is known", yscale="log")
        axes.set_xticks(lengths)
        return figure

    heads = ("steps", "iterations, median", "positions that exact play asks for")
    return Table(heads, rows, picture=picture, last_words=words, median=found)


MORE: Final = "more than 5,000"

# What does each move give away? --------------------------------------------------------------

_SOLUTION: Final = solve(GAME, GAME.parse("XXO O.. ..."))
_VALUES: Final = {str(cell): value for cell, value in _SOLUTION.action_values.items()}
_RIGHT: Final = {cell: (_SOLUTION.value - value) / 2 for cell, value in _VALUES.items()}

regrets: Final = Question(
    SAID["regrets"],
    right=_RIGHT,
    wrong={
        "values": _VALUES,
        "from -1 to 1": {cell: 2 * regret for cell, regret in _RIGHT.items()},
        "rewards": {cell: 1 - regret for cell, regret in _RIGHT.items()},
        "all or nothing": {cell: float(regret > 0) for cell, regret in _RIGHT.items()},
    },
)


# What is proven? -----------------------------------------------------------------------------

_Proofs = Mapping[str, int]


def _proof(children: _Proofs, untried: Collection[str]) -> int:
    """1 if the player who moved into the node has won for sure, -1 if lost for sure, else 0."""
    if 1 in children.values():
        return -1
    lost = all(proof == -1 for proof in children.values())
    return 1 if lost and not untried else 0


def _node(untried: str = "", **children: int) -> Case:
    shown = ", ".join(f"{move}: {proof}" for move, proof in children.items())
    with_them = f"the children {{{shown}}}" if shown else "no children"
    words = f"with {with_them} and {', '.join(untried) or 'nothing'} untried"
    return Case(words, (dict(children), list(untried)))


_PROOFS: Final = [*chain(*(product((0, 1, -1), repeat=number) for number in range(4)))]
_SMALL: Final = [
    _node(untried, **dict(zip("abc", proofs, strict=False)))
    for proofs, untried in product(_PROOFS, ("", "d"))
    if proofs or untried
]
"""All nodes of up to three children; one without children and untried moves ends the game."""

_LOST: Final = "all((proof == -1 for proof in children.values()))"
_ALL: Final = "all(proof == 1 for proof in children.values())"

write_proof: Final = Task(
    SAID["write_proof"],
    solution=_proof,
    cases=(
        _node(a=0, b=1, untried="c"),
        _node(a=0, b=1),
        _node(a=-1, b=-1),
        _node(a=-1, b=-1, untried="c"),
        _node(a=-1, b=0),
        _node(a=1, b=1),
        *_SMALL,
    ),
    wrong={
        "sides": {"return -1": "return 1", "return 1 if": "return -1 if"},
        "untried": {" and (not untried)": ""},
        "all must win": {"1 in children.values()": f"not untried and {_ALL}"},
        "one loss": {"all(": "any("},
        "waits": {"1 in children.values()": "1 in children.values() and not untried"},
        "nothing open": {_LOST: "1 not in children.values()"},
        "no loss of the node": {"return -1": "return 0"},
        "no win of the node": {"return 1 if lost": "return 0 if lost"},
    },
)
