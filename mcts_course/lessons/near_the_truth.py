"""The exercises of lesson 09, How near is MCTS to the truth?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from mcts_viz.film import Film
from mcts_viz.games import GameTree, TicTacToe
from mcts_viz.search import MCTS, Backpropagation, MCTSSolver, solve

from ..contested import contested
from ..exercises import Case, Question, Task, texts_of
from ..experiments import ByBudget, by_budget, tracked
from ..intervals import paired_gain
from ..plots import plot_shares
from ..tables import Table, span

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")
TRAP: Final = GAME.parse("... X.O .X.")
PENCIL: Final = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 1, "f": 1}})
BUDGETS: Final = (10, 30, 100, 300, 1000)


# How long does a search change its mind? -----------------------------------------------------


class Opinion:
    """Is the move that would be played a best one? One answer after each iteration."""

    def __init__(self, search: MCTS, best: Sequence[Any]) -> None:
        self.search, self.best = search, best
        self.right: list[bool] = []

    def on_backpropagate(self, record: Backpropagation) -> None:
        move = self.search.recommendation_rule(self.search.root.children).action
        self.right.append(move in self.best)


def opinions(kind: type[MCTS], state: Any, seed: int, iterations: int = 1000) -> list[bool]:
    """After each iteration: whether the move that would be played is a best one."""
    search = kind(GAME, seed=seed)
    opinion = Opinion(search, solve(GAME, state).best_actions)
    result = search.search(state, iterations=iterations, hooks=[opinion], progress=False)
    left = iterations - result.iterations  # a solved search stops, and stays with its move
    return opinion.right + [result.best_action in opinion.best] * left


def settling(kind: type[MCTS] = MCTS, positions: int = 60, seeds: int = 3) -> Table:
    """When searches come to rest on a best move, in positions with three pieces.

    ``after`` and ``on`` hold, by budget, one share of right searches a position.
    """
    sample = contested(3, positions, seed=6)
    runs = [
        [opinions(kind, state, seed) for seed in range(seeds)]
        for state in tracked(sample, "positions")
    ]
    after = {k: [sum(right[k - 1] for right in some) / seeds for some in runs] for k in BUDGETS}
    on = {k: [sum(all(right[k - 1 :]) for right in some) / seeds for some in runs] for k in BUDGETS}
    rows = [(k, f"{fmean(after[k]):.2f}", f"{fmean(on[k]):.2f}") for k in BUDGETS]
    curves: dict[str, Any] = {"right after k": after, "right from k on": on}
    return Table(
        ("k", "right after k iterations", "right from k on"), rows,
        picture=lambda: plot_shares(curves, "iterations, k"), after=after, on=on,
    )  # fmt: skip


def gain(one: Table, other: Table) -> Table:
    """By budget: how much more often ``one`` is right than ``other``, position by position."""
    rows, found = [], {}
    for k in BUDGETS:
        found[k], interval = paired_gain(one.after[k], other.after[k])
        share = fmean(one.after[k])
        rows.append((k, f"{share:.2f}", f"{found[k]:+.2f}", span(interval, "+.2f")))
    most = max(found, key=lambda k: found[k])
    return Table(("iterations", "right", "gain", "95 % interval"), rows, most=most)


def times_right(budgets: Sequence[int]) -> ByBudget:
    """How many of 50 searches of ``TRAP`` play one of the two moves that hold the draw."""
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
    """By move at the root: visits and mean at that moment, and the reward in perfect play."""
    truth: Any = Film(trace).truth
    moment = trace.at(iteration)
    rows = []
    for child in sorted(moment.children(0), key=lambda child: -moment.visits[child]):
        visits, reward = int(moment.visits[child]), (truth.values[child] + 1) / 2
        rows.append(
            (trace.label(child), visits, f"{moment.wins[child] / visits:.2f}", f"{reward:g}")
        )
    return Table(("move", "visits", "mean", "truth"), rows, since=truth.since)


# What does each move give away? --------------------------------------------------------------

_ASKED: Final = GAME.parse("XXO O.. ...")
_SOLUTION: Final = solve(GAME, _ASKED)
_VALUES: Final = {str(cell): value for cell, value in _SOLUTION.action_values.items()}


def _regrets(best: float = _SOLUTION.value, scale: float = 0.5) -> dict[str, float]:
    return {cell: scale * (best - value) for cell, value in _VALUES.items()}


regrets: Final = Question(
    SAID["regrets"],
    text=f"X is to move.\n{GAME.text(_ASKED)}",
    right=_regrets(),
    wrong={
        "values": dict(_VALUES),
        "from -1 to 1": _regrets(scale=1),
        "rewards": {cell: 0.5 * (value + 1) for cell, value in _VALUES.items()},
        "all or nothing": {cell: float(value < 1) for cell, value in _VALUES.items()},
        "from a draw": _regrets(best=0.0),
    },
)


# From when on is it right? -------------------------------------------------------------------

_Moves = Sequence[str]


def _settles(played: _Moves, best: Collection[str]) -> int | None:
    wrong = [number for number, move in enumerate(played, 1) if move not in best]
    since = wrong[-1] + 1 if wrong else 1
    return since if since <= len(played) else None


def _course(played: str, best: str) -> Case:
    """A case from moves of one letter."""
    words = f"with {', '.join(played)} and best {' or '.join(best)}"
    return Case(words, (list(played), set(best)))


_LASTS: Final = "if since <= len(played)"

write_settles: Final = Task(
    SAID["write_settles"],
    solution=_settles,
    cases=(
        _course("abbb", "b"),
        _course("babab", "b"),
        _course("abcbc", "bc"),
        _course("bbbb", "b"),
        _course("bbab", "b"),
        _course("abba", "b"),
    ),
    wrong={
        "first right": {"not in best": "in best", "[-1] + 1 if wrong else 1": "[0]"},
        "never changes": {"not in best": "!= played[-1]", _LASTS: "if played[-1] in best"},
        "last wrong": {"return since": "return since - 1"},
        "never None": {" if since <= len(played) else None": ""},
        "number wrong": {
            "wrong[-1] + 1 if wrong else 1": "len(wrong) + 1",
            _LASTS: "if played[-1] in best",
        },
        "one best move": {"not in best": "!= min(best)"},
        "always None": {"not in best": "!= best"},
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
