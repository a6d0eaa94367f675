"""Experiments and exercises of the lesson *Which move to play, and when to stop?*"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from statistics import fmean
from typing import Any, Final

from mcts_viz.games import Playout, TicTacToe
from mcts_viz.search import MCTS, Node, robust_child
from mcts_viz.search.variants import (
    expand_root_only,
    max_child,
    robust_max_child,
    secure_child,
    uniform,
)
from mcts_viz.trace import Trace

from ..measure.experiments import (
    Counts,
    Shares,
    best_moves,
    contested,
    count_table,
    moves_played,
    results_at_budgets,
    share_table,
    tracked,
)
from ..show.boxed import Boxed
from ..show.tables import Table, children
from ..typed import typed_door
from ..work.exercises import Case, Open, Question, Task, is_stub, texts_of

SAID: Final = texts_of(__name__)
_GAME: Final = TicTacToe()
RULES: Final[Mapping[str, Callable[..., Node]]] = {
    "robust": robust_child,
    "max": max_child,
    "robust-max": robust_max_child,
    "secure": secure_child(),
}
"""Four ways to choose the move to play from the children of the root."""


# Stop when you dare -------------------------------------------------------------

LOOKS: Final = (20, 40, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1000)
"""The iterations after which the reader sees the visits, and decides."""
RACES: Final = {"a position": ("... X.X .O.", 14), "another position": ("..X ..X ..O", 13)}
"""By name: a position and the seed of its search. In the first the leader stays; in the second a
leader that is 29 visits ahead after 400 iterations loses its place."""


class Race:
    """A search of which only the visits are seen, look by look, until the reader stops it."""

    def __init__(self, name: str, search: MCTS, state: Any) -> None:
        self.name, self.state = name, state
        self.looks: list[dict[Any, int]] = []
        for iteration in LOOKS:
            while search.iterations < iteration:
                search.iteration()
            self.looks.append({child.action: child.visits for child in search.root.children})
        self.at = 0
        self.stopped = False

    @property
    def is_over(self) -> bool:
        """True when the reader has stopped it, or nothing is left of the budget."""
        return self.stopped or self.at == len(LOOKS) - 1

    def leader(self, look: int) -> Any:
        """The move with the most visits at this look."""
        visits = self.looks[look]
        return max(visits, key=lambda move: visits[move])

    def lines(self) -> list[str]:
        """The position, and the visits of each move, the most first."""
        visits = self.looks[self.at]
        ranked = sorted(visits, key=lambda move: -visits[move])
        lines = [f"{self.name}: {LOOKS[self.at]:,} of {LOOKS[-1]:,} iterations are spent."]
        lines.extend(_GAME.text(self.state).splitlines())
        longest = max(visits.values())
        lines.extend(f"{m}  {'█' * round(24 * visits[m] / longest)} {visits[m]}" for m in ranked)
        return lines

    def row(self) -> tuple[str, ...]:
        """One row of the table: where the search stopped, both moves, and whether they are best."""
        mine, last = self.leader(self.at), self.leader(-1)
        best = best_moves(self.state)
        said = {True: "right", False: "wrong"}
        used = f"{LOOKS[self.at]:,} of {LOOKS[-1]:,}"
        return self.name, used, f"{mine}, {said[mine in best]}", f"{last}, {said[last in best]}"


@typed_door
class StopWhenYouDare(Boxed):
    """Three searches, one after the other: the reader looks at the visits, goes on, or stops.

    ``stop(60, 100, 400)`` stops each after so many iterations, where no widgets can live.
    """

    def __init__(self, mine: Trace) -> None:
        own = Race("your own tree", mine.search_at(len(mine) + 1), mine.root_state)
        self.races = [own]
        for name, (text, seed) in RACES.items():
            search = MCTS(_GAME, seed=seed)
            search.start(_GAME.parse(text))
            self.races.append(Race(name, search, _GAME.parse(text)))

    @property
    def race(self) -> Race | None:
        """The first race that is not over."""
        return next((race for race in self.races if not race.is_over), None)

    def go_on(self) -> None:
        """Search on, to the next look."""
        if self.race:
            self.race.at += 1
        self._show()

    def stop(self, *iterations: int) -> None:
        """Stop the race that runs, or as many races as there are numbers, at these looks."""
        for most in iterations or (LOOKS[-1],):
            race = self.race
            if race is None:
                break
            while iterations and LOOKS[race.at] < most and not race.is_over:
                race.at += 1
            race.stopped = True
        self._show()

    def result(self) -> Table:
        """A row for each race that is over."""
        heads = ("race", "iterations", "your move", "after the whole budget")
        return Table(heads, [race.row() for race in self.races if race.is_over])

    def __repr__(self) -> str:
        running = "\n".join(self.race.lines()) if self.race else ""
        return f"{running}\n\n{self.result()!r}".strip()

    def _make(self) -> None:
        import ipywidgets  # slow to load, and of no use without a notebook

        buttons = {"Search on": self.go_on, "Stop and play the leader": self.stop}
        row = []
        for name, press in buttons.items():
            button = ipywidgets.Button(description=name, layout={"width": "auto"})
            button.on_click(lambda _, press=press: press())
            row.append(button)
        self._box = ipywidgets.VBox([ipywidgets.HTML(), ipywidgets.HBox(row), ipywidgets.HTML()])

    def _show(self) -> None:
        if self._box is None:
            return
        text, buttons, result = self._box.children
        lines = "\n".join(self.race.lines()) if self.race else "All three searches are over."
        text.value = f"<pre>{lines}</pre>"
        for button in buttons.children:
            button.disabled = self.race is None
        result.value = f"<pre>{self.result()!r}</pre>" if self.result().rows else ""


# Experiments --------------------------------------------------------------------


def _right_rules(
    search: MCTS, state: Hashable, budgets: Sequence[int]
) -> Iterator[tuple[str, int]]:
    """The rules that play a best move, each with the budget after which it does."""
    for budget, _ in results_at_budgets(search, state, budgets):
        for name, rule in RULES.items():
            if rule(search.root.children).action in best_moves(state):
                yield name, budget


def _lead(children: Sequence[Node], best: Collection[Any]) -> tuple[bool, int]:
    """True if the robust child is a best move, and by how many visits it leads."""
    first, second = sorted((child.visits for child in children), reverse=True)[:2]
    return robust_child(children).action in best, first - second


@typed_door
def compare_rules(budgets: Sequence[int] = (50, 200, 1000), seeds: int = 2) -> Shares:
    """Ask every rule after each budget, in all positions with three pieces and something to lose.

    All rules look at the same trees, and every search has another seed. ``leads`` says of each
    search if the robust child is right in the end, and by how many visits it leads; ``apart``, of
    100 searches, how many more the best rule has right in the end than the worst.
    """
    positions, leads = contested(3), []
    shares: dict[str, dict[int, list[float]]] = {
        name: {budget: [] for budget in budgets} for name in RULES
    }
    for place, state in enumerate(tracked(positions, "positions")):
        right: Counter[tuple[str, int]] = Counter()
        for each in range(seeds):
            search = MCTS(_GAME, seed=place + each * len(positions))
            right.update(_right_rules(search, state, budgets))
            leads.append(_lead(search.root.children, best_moves(state)))
        for (name, course), budget in product(shares.items(), budgets):
            course[budget].append(right[name, budget] / seeds)
    table = share_table(shares, "iterations")
    last = [table[name, budgets[-1]] for name in RULES]
    vars(table).update(leads=leads, apart=100 * (max(last) - min(last)))
    return table


@typed_door
def by_lead(found: Shares, lead: int = 20) -> Table:
    """Count how often the robust child is wrong in the end, by its lead over the second."""
    rows = []
    for words, close in ((f"less than {lead} visits", True), (f"{lead} or more", False)):
        right = [right for right, ahead in found.leads if (ahead < lead) is close]
        wrong = right.count(False)
        rows.append((words, len(right), wrong, f"{wrong / len(right):.0%}" if right else "–"))
    return Table(("lead of the robust child", "searches", "wrong", "share"), rows)


@typed_door
def flat_rules(iterations: int = 200, seed: int = 0) -> Counts:
    """The same question to flat Monte Carlo, which gives every move equally many games."""
    right = dict.fromkeys(("robust", "max"), 0)
    search = MCTS(_GAME, seed=seed, selection=uniform, expansion=expand_root_only)
    positions = contested(3)
    for state in positions:
        search.search(state, iterations=iterations, progress=False)
        for name in right:
            right[name] += RULES[name](search.root.children).action in best_moves(state)
    return count_table("rule", "right", right, len(positions))


@typed_door
def stopping(can_stop: Callable[[Sequence[int], int], bool]) -> Table | Open:
    """Return what a stopping rule saves of 1,000 iterations, and how often the move differs."""
    if is_stub(can_stop):
        return Open("write can_stop first.")
    runs = [search_until(can_stop, state, seed=n) for n, state in enumerate(contested(3)[::3])]
    used = fmean(iterations for iterations, _, _ in runs)
    changed = sum(early != end for _, early, end in runs)
    rows = [("iterations used, on average", f"{used:.0f} of 1,000")]
    rows.append(("another move than after 1,000", f"{changed} of {len(runs)}"))
    return Table(("your rule", ""), rows, used=used, changed=changed)


# Four workers on one tree ---------------------------------------------------------------------

ONE_WINS: Final = _GAME.parse("OX. ..O ..X")
"""X to move: only cell 7 wins."""


class Workers(MCTS):
    """A search with several workers on one tree: a result comes when the others have set out.

    A worker leaves a visit without a win on its path until then, if it leaves a virtual loss.
    """

    workers = 4
    virtual_loss = True

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        if self.iterations == 0:
            self.under_way: list[tuple[list[Node], Playout]] = []
        self.under_way.append((list(path), playout))
        self._mark(path, 1)
        if len(self.under_way) < self.workers:
            self.iterations += 1
            return
        path, playout = self.under_way.pop(0)
        self._mark(path, -1)
        super().backpropagate(path, playout)

    def _mark(self, path: list[Node], visits: int) -> None:
        """Add these visits, and no wins, to each node of the path."""
        if not self.virtual_loss:
            return
        for node in path:
            node.visits += visits
            if node.visits:
                node.mean, node.inv_sqrt_visits = node.wins / node.visits, node.visits**-0.5


def with_workers(seed: int, workers: int, virtual_loss: bool) -> Workers:
    """Return a search with so many workers."""
    search = Workers(_GAME, seed=seed)
    search.workers, search.virtual_loss = workers, virtual_loss
    return search


@typed_door
def by_workers(seeds: int = 200, iterations: int = 150) -> Counts:
    """Count the searches that find the winning cell, by how many workers share the tree."""
    kinds = {"1": (1, True)}
    for workers in (4, 16, 64):
        kinds |= {
            f"{workers}, virtual loss": (workers, True),
            f"{workers}, without": (workers, False),
        }
    right = {}
    for name, kind in kinds.items():
        searches = (with_workers(seed, *kind) for seed in range(seeds))
        right[name] = moves_played(searches, ONE_WINS, iterations).count(7)
    return count_table("workers", "find 7", right, seeds)


# Three rules, three moves --------------------------------------------------------------------

SHARES: Final = {2: (30, 60), 4: (24, 36), 5: (5, 6), 0: (9, 12), 1: (1, 3)}
_CHILDREN: Final = children(SHARES)
_ROBUST: Final = robust_child(_CHILDREN).action
_MAX: Final = max_child(_CHILDREN).action
_SECURE: Final = secure_child()(_CHILDREN).action


def _moves(robust: int, highest: int, secure: int) -> dict[str, int]:
    return {"robust": robust, "max": highest, "secure": secure}


def _by(value: Callable[[Node], float]) -> int:
    return int(max(_CHILDREN, key=value).action)


recommendations: Final = Question(
    SAID["recommendations"],
    right=_moves(_ROBUST, _MAX, _SECURE),
    wrong={
        "swapped": _moves(_MAX, _ROBUST, _SECURE),
        "upper bound": _moves(_ROBUST, _MAX, _by(lambda child: child.mean + child.inv_sqrt_visits)),
        "most visits": _moves(_ROBUST, _MAX, _ROBUST),
        "most wins": _moves(_ROBUST, _by(lambda child: child.wins), _SECURE),
        "fewest visits": _moves(_ROBUST, _by(lambda child: -child.visits), _SECURE),
    },
)


# When is it decided? -------------------------------------------------------------------------


def _can_stop(visits: Sequence[int], left: int) -> bool:
    first, second = sorted(visits, reverse=True)[:2]
    return first - second > left


def _drawn(seed: int) -> Case:
    """A case at random: two to six moves, with a lead that is almost as large as what is left."""
    draw = Random(seed)
    visits = [draw.randint(0, 40) for _ in range(2 + seed % 5)]
    second, first = sorted(visits)[-2:]
    left = max(0, first - second + draw.randint(-3, 2))
    return Case(f"with the visits {', '.join(map(str, visits))}, {left} left", (visits, left))


write_can_stop: Final = Task(
    SAID["write_can_stop"],
    solution=_can_stop,
    cases=(
        Case("when 50 and 30 are 20 apart, and 19 iterations are left", ([50, 30, 20], 19)),
        Case("when 50 and 30 are 20 apart, and 20 iterations are left", ([50, 30, 20], 20)),
        Case("when 50 and 30 are 20 apart, and 40 iterations are left", ([50, 30, 20], 40)),
        Case("when the leader is in the middle, 25 left", ([10, 60, 30], 25)),
        Case("when the leader is last, 45 left", ([5, 10, 60], 45)),
        Case("when two lead together, 3 left", ([40, 40, 3], 3)),
        Case("when more than half of the visits went to one move, 35 left", ([60, 30, 5], 35)),
        Case("early on, when 5 and 2 are 3 apart, 92 left", ([5, 2, 1], 92)),
        Case("when 30 and 25 are 5 apart, and 40 iterations are left", ([30, 25, 5], 40)),
        *map(_drawn, range(40)),
    ),
    observe=lambda arguments, result: result if result in (None, ...) else bool(result),
    say=lambda value: {0.0: "go on", 1.0: "stop"}.get(value, str(value)),
    wrong={
        "a tie": lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] >= left,
        "the leader alone": lambda visits, left: max(visits) > left,
        "in no order": lambda visits, left: visits[0] - visits[1] > left,
        "more than half": lambda visits, left: max(visits) > sum(visits) / 2,
        "swapped": lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] <= left,
        "shared out": lambda visits, left: sorted(visits)[-1] - sorted(visits)[-2] > left / 2,
        "the last one": lambda visits, left: max(visits) - min(visits) > left,
        "all the others": lambda visits, left: 2 * max(visits) - sum(visits) > left,
        "no lead": lambda visits, left: sorted(visits)[-1] > sorted(visits)[-2],
    },
)


def search_until(
    can_stop: Callable[[Sequence[int], int], Any],
    state: Hashable,
    budget: int = 1000,
    *,
    seed: int,
) -> tuple[int, Any, Any]:
    """Search tic-tac-toe, asking ``can_stop(visits, left)`` after each iteration with two children.

    Return the iterations that were used, the robust child's move then, and its move after
    the whole budget, which is searched in any case.
    """
    search, stopped = MCTS(_GAME, seed=seed), None
    root = search.start(state)
    while search.iterations < budget:
        search.iteration()
        if stopped is None and len(root.children) > 1:
            visits = [child.visits for child in root.children]
            if can_stop(visits, budget - search.iterations):
                stopped = search.iterations, robust_child(root.children).action
    last = robust_child(root.children).action
    return *(stopped or (budget, last)), last
