"""Experiments and exercises of the lesson *How near is MCTS to the truth?*"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from mcts_viz.film import Film
from mcts_viz.games import GameTree, TicTacToe
from mcts_viz.search import MCTS, MCTSSolver, solve

from ..exercises import Case, Question, Task, texts_of
from ..experiments import ByBudget, by_budget, contested, results_at_budgets, right_by_position, tracked
from ..figures import COLOURS, Curve, Figure, draw_curves, mark_budgets, new_figure
from ..intervals import paired_gain
from ..tables import Table, span

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")
TRAP: Final = GAME.parse("... X.O .X.")
PENCIL: Final = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 1, "f": 1}})
BUDGETS: Final = (10, 30, 100, 300, 1000)


# Experiments ---------------------------------------------------------------------------------


def shares_right(kind: type[MCTS]) -> dict[int, list[float]]:
    """Return, by budget and position with three pieces, the share of searches that are right."""
    positions = contested(3, 60, seed=6)
    return right_by_position(positions, lambda seed: kind(GAME, seed=seed), 3, BUDGETS)


def gain_of_proofs() -> Table:
    """Compare MCTS-Solver with MCTS, by budget and position by position."""
    solver, plain = shares_right(MCTSSolver), shares_right(MCTS)
    rows = []
    for k in BUDGETS:
        found, interval = paired_gain(solver[k], plain[k])
        rows.append((k, f"{fmean(solver[k]):.2f}", f"{found:+.2f}", span(interval, "+.2f")))
    return Table(("iterations", "right", "gain", "95 % interval"), rows)


def converging(seed: int) -> Table:
    """Run one long search from ``POSITION`` and note the means of the root and of its moves.

    The means are rewards for X, in [0, 1], as is the exact value of each.
    """
    exact = {move: (value + 1) / 2 for move, value in solve(GAME, POSITION).action_values.items()}
    truth = {"root": max(exact.values())} | {f"move {move}": exact[move] for move in (4, 7, 2)}
    search, budgets = MCTS(GAME, seed=seed), (200, 1000, 10_000, 100_000, 400_000)
    rows: list[tuple[Any, ...]] = []
    found: list[list[float]] = []
    for budget, _ in results_at_budgets(search, POSITION, tracked(budgets, "budgets")):
        moves = {child.action: child for child in search.root.children}
        root = sum(child.wins for child in moves.values()) / budget
        found.append([root, *(moves[move].mean for move in (4, 7, 2))])
        rows.append((budget, *(f"{mean:.3f}" for mean in found[-1]), moves[2].visits))
    rows.append(("exact", *(f"{value:g}" for value in truth.values()), ""))
    courses = zip(truth.items(), zip(*found, strict=True), strict=True)
    curves = {f"{who}, exactly {value:g}": Curve(budgets, m) for (who, value), m in courses}

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=3.2)
        draw_curves(axes, curves, "mean of", points=True)
        for value in set(truth.values()):
            axes.axhline(value, color=COLOURS["ink"], linestyle="--", linewidth=1)
        axes.set(ylabel="reward for X", ylim=(-0.03, 1.05))
        mark_budgets(axes, budgets)
        return figure

    heads = ("iterations", *truth, "visits of 2")
    return Table(heads, rows, picture=picture, mean_of_2=moves[2].mean)


def times_right(budgets: Sequence[int]) -> ByBudget:
    """Count the searches of ``TRAP``, of 50, that play one of the two moves that hold the draw."""
    return by_budget(GAME, TRAP, solve(GAME, TRAP).best_actions, budgets, seeds=50)


def false_proofs(positions: int = 20, iterations: int = 500) -> Table:
    """Compare every proven node of some searches with perfect play."""
    proven = wrong = 0
    for state in contested(3, positions, seed=6):
        trace = MCTSSolver(GAME, seed=6).record(state, iterations=iterations, progress=False)
        film = Film(trace, cards=300)
        values: Any = film.truth.values  # type: ignore[union-attr]  # it is small enough
        proofs = trace.proofs.sign
        proven += sum(bool(proofs[node]) for node in values)
        wrong += sum(bool(proofs[node]) and values[node] != proofs[node] for node in values)
    return Table(("proven nodes", "wrong proofs"), [(proven, wrong)], proven=proven, wrong=wrong)


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
    heads = ("iteration", "the walk ends at", "proves")
    proven = {iteration: names for iteration, _, names in rows}
    return Table(heads, rows, iterations=search.iterations, means=means, proven=proven)


def beside_the_truth(trace: Any, iteration: int) -> Table:
    """Return, by move at the root, visits and mean at that moment, and the exact reward."""
    truth: Any = Film(trace).truth
    moment = trace.at(iteration)
    rows = []
    for child in sorted(moment.children(0), key=lambda child: -moment.visits[child]):
        visits, reward = int(moment.visits[child]), (truth.values[child] + 1) / 2
        rows.append((trace.label(child), visits, f"{moment.wins[child] / visits:.2f}", f"{reward:g}"))
    return Table(("move", "visits", "mean", "truth"), rows, since=truth.since)


# What does each move give away? --------------------------------------------------------------

_ASKED: Final = GAME.parse("XXO O.. ...")
_SOLUTION: Final = solve(GAME, _ASKED)
_VALUES: Final = {str(cell): value for cell, value in _SOLUTION.action_values.items()}


def _regrets(best: float = _SOLUTION.value, scale: float = 0.5) -> dict[str, float]:
    return {cell: scale * (best - value) for cell, value in _VALUES.items()}


regrets: Final = Question(
    SAID["regrets"],
    right=_regrets(),
    wrong={
        "values": dict(_VALUES),
        "from -1 to 1": _regrets(scale=1),
        "rewards": {cell: 0.5 * (value + 1) for cell, value in _VALUES.items()},
        "all or nothing": {cell: float(value < 1) for cell, value in _VALUES.items()},
        "from a draw": _regrets(best=0.0),
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
    words = f"with the children {{{shown}}} and {', '.join(untried) or 'nothing'} untried"
    return Case(words, (dict(children), list(untried)))


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
        _node(a=0, b=0),
    ),
    wrong={
        "sides": {"return -1": "return 1", "return 1 if": "return -1 if"},
        "untried": {" and (not untried)": ""},
        "all must win": {"1 in children.values()": f"not untried and {_ALL}"},
        "one loss": {"all(": "any(", " and (not untried)": ""},
        "a draw is lost": {"lost and (not untried)": "not untried"},
        "waits": {"1 in children.values()": "1 in children.values() and not untried"},
    },
)
