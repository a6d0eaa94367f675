"""A search that a student writes: its node, its four functions, and what each of them must do.

:class:`Part` checks one function in two steps. First it is tried alone, on small trees of which
every number is known. Then it runs in a search with three correct functions, which ``Watch``
observes. So a check says right only for what was tried, and a reply is given only if the
student's function did all that a function with this mistake does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from pickle import dumps, loads
from random import Random
from typing import Any, Final

from mcts_viz.errors import TraceError, require
from mcts_viz.games import Game, TicTacToe
from mcts_watch import Watch

from .exercises import Case, Failure, Task, TooLong, Verdict, at_most, changed, named, plain

GAME: Final = TicTacToe()
ITERATIONS: Final = 400
C: Final = 1.4
Function = Callable[..., Any]
Functions = tuple[Function, ...]


class Node:
    """A node of your tree; its wins are for ``player``, who moved here."""

    game: Game[Any, Any] = GAME

    def __init__(self, state: Any, parent: Node | None = None, move: Any = None) -> None:
        game = self.game
        self.state = state
        self.parent = parent
        self.move = move
        self.children: list[Node] = []
        self.untried = [] if game.is_terminal(state) else list(game.legal_actions(state))
        self.visits = 0
        self.wins = 0.0
        self.player = game.to_move(parent.state) if parent else 1 - game.to_move(state)

    def child(self, move: Any) -> Node:
        """A new node for the position after ``move``; it is not in the tree yet."""
        return type(self)(self.game.play(self.state, move), self, move)


# The four functions --------------------------------------------------------------------------


def _select(node: Any, c: float) -> Any:
    while node.children and not node.untried:
        scores = []
        for child in node.children:
            exploration = c * sqrt(log(node.visits) / child.visits)
            scores.append(child.wins / child.visits + exploration)
        node = node.children[scores.index(max(scores))]
    return node


def _expand(node: Any, random: Random) -> Any:
    if not node.untried:
        return node
    move = random.choice(node.untried)
    node.untried.remove(move)
    child = node.child(move)
    node.children.append(child)
    return child


def _simulate(node: Any, random: Random) -> Any:
    state = node.state
    while not node.game.is_terminal(state):
        move = random.choice(node.game.legal_actions(state))
        state = node.game.play(state, move)
    return node.game.returns(state)


def _backpropagate(node: Any, returns: Any) -> None:
    while node:
        node.visits += 1
        node.wins += (1 + returns[node.player]) / 2
        node = node.parent


SOLUTIONS: Final[dict[str, Function]] = {
    "select": _select,
    "expand": _expand,
    "simulate": _simulate,
    "backpropagate": _backpropagate,
}
_careful: Final = changed(
    _select,
    {
        "log(node.visits) / child.visits": "log(max(1, node.visits)) / max(1, child.visits)",
        "wins / child.visits": "wins / max(1, child.visits)",
    },
)
"""The same for a tree in which nodes may have no visit, through another function's fault."""
SOUND: Final[dict[str, Function]] = {**SOLUTIONS, "select": _careful}


def require_four(functions: Functions) -> None:
    """Raise ``SearchError`` for anything but four functions."""
    right = isinstance(functions, tuple | list) and len(functions) == len(SOLUTIONS)
    kind = "four functions: select, expand, simulate and backpropagate"
    require(right and all(map(callable, functions)), "functions", kind, functions)


# A search made of them -------------------------------------------------------------------------


def run(functions: Functions, root: Node, iterations: int, seed: int) -> Iterator[None]:
    """Run the search, and stop for a look after each iteration."""
    select, expand, simulate, backpropagate = functions
    random = Random(seed)
    for _ in range(iterations):
        leaf = expand(select(root, C), random)
        backpropagate(leaf, simulate(leaf, random))
        yield


def watched(
    *functions: Function, root: Node | None = None, iterations: int = 300, seed: int = 0
) -> Watch:
    """Run a search made of the four functions with c = 1.4, by default on an empty board."""
    root = root or Node(GAME.initial_state())
    watch = Watch(root, game=GAME, state=lambda node: GAME.text(node.state))
    for _ in run(functions, root, iterations, seed):
        watch.look()
    return watch


def _nodes(root: Node) -> Iterator[Node]:
    yield root
    for child in root.children:
        yield from _nodes(child)


def _adds_up(node: Node) -> bool:
    """True if each visit of a node went on to a child, but for the playout that started there."""
    below = sum(child.visits for child in node.children)
    if GAME.is_terminal(node.state):
        return not node.children
    return node.visits == below + (node.parent is not None)


def fault_of(functions: Functions, seed: int) -> str:
    """The first fault of a search made of these functions, in a sentence; "" if it is right."""
    root = Node(GAME.parse("XO. ... ..."))
    try:
        watch = watched(*functions, root=root, iterations=ITERATIONS, seed=seed)
        findings, rule = watch.findings, watch.rule
    except TraceError:
        return "the tree does not grow."
    except (Exception, SystemExit, TooLong) as error:
        return f"the search ends in {named(error)}."
    if findings:
        return f"iteration {findings[0].iteration}: {findings[0].text}"
    if rule.name != "UCB1":
        return f"the search does not select by UCB1. {rule}"
    if not all(map(_adds_up, _nodes(root))):
        return "the visits of a node and those of its children do not fit together."
    return ""


# What each function must do, tried alone -------------------------------------------------------


_position: Final = cache(GAME.parse)


def _walk_to(node: Any) -> str:
    """The moves from the root to a node, such as ``the node after 4, 7``."""
    moves: list[str] = []
    while node.parent:
        moves.append(str(node.move))
        node = node.parent
    return f"the node after {', '.join(reversed(moves))}" if moves else "the root"


@cache
def _grown(iterations: int, seed: int) -> bytes:
    """The tree of a correct search in which the middle of the game is far from over."""
    root = Node(GAME.parse("OX. ..O ..X"))
    for _ in run(tuple(SOLUTIONS.values()), root, iterations, seed):
        pass
    return dumps(root)


def _tree(iterations: int, seed: int) -> Any:
    """The root of a copy of it, made several times as fast as by ``deepcopy``."""
    return loads(_grown(iterations, seed))


def _numbers(root: Node) -> list[tuple[Any, ...]]:
    """All that the four functions may change, node by node."""
    return [(n.state, n.visits, n.wins, list(n.untried), len(n.children)) for n in _nodes(root)]


def _selects(iterations: int, seed: int, c: float) -> Case:
    def trial(select: Function) -> Any:
        root = _tree(iterations, seed)
        before = _numbers(root)
        found, again = select(root, c), select(root, c)
        if _numbers(root) != before:
            return "a tree that select has changed"
        if isinstance(found, Node) and isinstance(again, Node) and found is not again:
            return f"first {_walk_to(found)} and then {_walk_to(again)}"
        return _walk_to(found) if isinstance(found, Node) else _no_node(found)

    words = f"in a tree of {iterations} iterations, with c = {c:g}"
    if GAME.is_terminal(_select(_tree(iterations, seed), c).state):
        words += ", where the walk ends at a finished game"
    return Case(words, (trial,))


def _no_node(found: Any) -> Any:
    """The type of a value returned in place of a node, in words; ``None`` and ``...`` unchanged."""
    return found if found in (None, ...) else f"{type(found).__name__}, which is not a node"


SELECT_TRIALS: Final = (
    _selects(3, 1, C),
    _selects(6, 3, C),
    _selects(30, 6, C),
    _selects(30, 3, C),
    _selects(30, 2, 0.3),
    _selects(90, 1, C),
    _selects(90, 2, 3.0),
    _selects(250, 3, C),
    _selects(250, 3, 0.3),
    _selects(250, 3, 3.0),
    _selects(8, 4, 2.35),
    _selects(10, 1, 2.3),
    _selects(10, 2, 1.7),
    _selects(15, 1, 1.55),
    _selects(30, 3, 1.0),
    _selects(60, 1, 1.0),
    _selects(90, 1, 1.0),
    _selects(10, 1, 0.2),
    _selects(20, 2, 2.0),
    _selects(60, 11, 1.8),
    _selects(90, 1, 1.3),
)
"""On each of these walks one child alone has the highest score, so any rule for ties is right. The
last ones are near a crossover, so that N + 1 in place of N is seen, and N − 1 below the root."""

SAME_AGAIN: Final = "the same again with the same generator"
SEEDS_AGAIN: Final = 8
"""Generators that are tried a second time: luck that comes from elsewhere agrees with none."""
OWN_LUCK: Final = (
    "the same generator did not bring the same result twice. Take all luck from the `random` that "
    "your function is given."
)
RUNS: Final = 60
"""Generators for each node: that one of seven moves never comes first has a chance of 1 in 1,500.
"""
PICKS: Final = 600
"""Picks that are counted at each node, to see if all moves come as often."""
FAR: Final = 5
"""Standard errors that the count of a move may be off: by chance, once in a million nodes."""


def _what(found: Any, node: Node) -> Any:
    """Say which node a function has returned."""
    if not isinstance(found, Node):
        return _no_node(found)
    if found is node:
        return "the node itself"
    if found.parent is not node:
        there = "in the tree" if found in node.children else "outside the tree"
        whose = "without a parent" if found.parent is None else "with another parent"
        return f"a node {there} {whose}"
    return "a child in the tree" if found in node.children else "a child outside the tree"


def _nothing(*_: object) -> None:
    """A function that does nothing."""


def _wins_and_visits(nodes: Sequence[Node]) -> list[tuple[float, int]]:
    return [(node.wins, node.visits) for node in nodes]


def _old_or_new(before: object, after: object) -> str:
    return "old" if after == before else "new"


def _one_or_several(values: Sequence[Any]) -> Any:
    """A value that is the same each time; else words for the values that occur."""
    different = sorted(set(values), key=str)
    return different[0] if len(different) == 1 else " or ".join(map(str, different))


@dataclass(frozen=True)
class _Expanding:
    """Expand a node of which ``tried`` moves have a child already, with many generators.

    The ``moves`` lead there from the root.
    """

    text: str
    tried: int
    moves: tuple[int, ...] = ()

    def _node(self) -> Node:
        node = Node(_position(self.text))
        for move in self.moves:
            node.untried.remove(move)
            node.children.append(node.child(move))
            node = node.children[-1]
        for move in node.untried[: self.tried]:
            node.children.append(node.child(move))
            node.children[-1].visits = 2
            node.children[-1].wins = 1.5
        del node.untried[: self.tried]
        if self.tried:
            node.visits, node.wins = 2 * self.tried, 0.5 * self.tried
        return node

    def once(self, expand: Function, random: Random) -> tuple[dict[str, Any], Any]:
        """The changes that the function made to a node, and the move of its new child, if any."""
        node = self._node()
        old, position = node.children[:], node.state
        before = _wins_and_visits([node, *old])
        found = expand(node, random)
        if foreign := [type(one).__name__ for one in node.children if not isinstance(one, Node)]:
            return {"children that are no nodes, but": foreign[0]}, None
        new = [child for child in node.children if child not in old]
        moves = {child.move for child in node.children}
        twice = [child.move for child in new if child.move in node.untried]
        after = _wins_and_visits([node, *old])
        seen = {
            "the position of the node": _old_or_new(position, node.state),
            "wins and visits of the node": _old_or_new(before[0], after[0]),
            "wins and visits of older children": _old_or_new(before[1:], after[1:]),
            "older children that are left": len(set(old) & set(node.children)),
            "new children": len(new),
            "new children whose move is still untried": len(twice),
            "untried moves of new children": sum(len(child.untried) for child in new),
            "their visits": sum(child.visits for child in new),
            "their wins": sum(child.wins for child in new),
            "children whose move another child has": len(node.children) - len(moves),
            "moves left untried": len(node.untried),
            "returned": _what(found, node),
        }
        return seen, new[0].move if len(new) == 1 else None

    def _far_from_even(self, expand: Function) -> int:
        """The number of moves that one generator brings far more or less often than the others."""
        random, moves = Random(1), self._node().untried
        counts = Counter(self.once(expand, random)[1] for _ in range(PICKS if moves else 0))
        mean = PICKS / max(1, len(moves))
        error = sqrt(mean * (1 - mean / PICKS))
        return sum(abs(counts[move] - mean) > FAR * error for move in moves)

    def __call__(self, expand: Function) -> Any:
        found = [self.once(expand, Random(seed)) for seed in range(RUNS)]
        first, _ = found[0]
        silent = first.get("returned", first) in (None, ...)
        if silent and {**first, "returned": None} == self.once(_nothing, Random(0))[0]:
            return first["returned"]
        all_seen = {name: [seen.get(name) for seen, _ in found] for name in first}
        repeats = all(self.once(expand, Random(seed)) == found[seed] for seed in range(SEEDS_AGAIN))
        return {
            **{name: _one_or_several(values) for name, values in all_seen.items()},
            f"moves that come first in {RUNS} runs": len({move for _, move in found} - {None}),
            f"moves with far more or fewer than their part of {PICKS} picks": self._far_from_even(
                expand
            ),
            SAME_AGAIN: "yes" if repeats else "no",
        }


EXPAND_TRIALS: Final = tuple(
    Case(f"at a node {words}", (trial,))
    for words, trial in (
        ("whose seven moves are untried", _Expanding("XO. ... ...", 0)),
        ("with three untried moves", _Expanding("XO. ... ...", 4)),
        ("with one untried move", _Expanding("XO. ... ...", 6)),
        ("whose moves have all been tried", _Expanding("XO. ... ...", 7)),
        ("where the game is over", _Expanding("XXX OO. ...", 0)),
        ("below the root that has no visit yet", _Expanding("XO. ... ...", 0, (4,))),
    )
)

PLAYOUTS: Final = 400
"""For each position: a share then has a standard error of at most 0.025."""
NEAR: Final = 0.12
"""How far a share may be from that of the solution: five standard errors."""
SHOWN: Final = 3
"""Results of other kinds that a reply names."""
RESULTS: Final = {(1.0, -1.0): "X wins", (0.0, 0.0): "draws", (-1.0, 1.0): "O wins"}


def _result_in_words(returns: Any) -> str:
    """The result of a playout by its name, or as it was returned; by player is fine, too."""
    if isinstance(returns, Mapping):
        returns = [returns.get(player) for player in (0, 1)]
    seen = plain(returns)
    known = isinstance(seen, tuple) and all(isinstance(part, float) for part in seen)
    return RESULTS.get(seen, str(seen)) if known else str(seen)


def _may_not_change(node: Node) -> dict[str, Any]:
    """The parts of a node that a playout must not change, by name."""
    return {
        "position": node.state,
        "children": len(node.children),
        "list of untried moves": list(node.untried),
        "wins or visits": (node.wins, node.visits),
    }


@dataclass(frozen=True)
class _Simulating:
    """Play many times from the node that the ``moves`` lead to."""

    text: str
    moves: tuple[int, ...] = ()

    def _node(self) -> Node:
        node = Node(_position(self.text))
        for move in self.moves:
            node = node.child(move)
        return node

    def _played(self, simulate: Function, node: Node, seed: int, games: int) -> list[str]:
        """The results, up to the first playout that changes its node."""
        random, before = Random(seed), _may_not_change(node)
        found: list[str] = []
        while len(found) < games and _may_not_change(node) == before:
            found.append(_result_in_words(simulate(node, random)))
        return found

    def __call__(self, simulate: Function) -> Any:
        node, before = self._node(), _may_not_change(self._node())
        counts = Counter(self._played(simulate, node, 1, PLAYOUTS))
        again = [self._played(simulate, node, 7, 24) for _ in range(2)]
        after = _may_not_change(node)
        if other := next((name for name in before if before[name] != after[name]), ""):
            return f"a node of which a playout has changed the {other}"
        others = sorted(counts.keys() - set(RESULTS.values()))
        return {
            "results that the rules do not give": ", ".join(others[:SHOWN]) or "none",
            "different results": len(counts),
            **{name: counts[name] / PLAYOUTS for name in RESULTS.values()},
            SAME_AGAIN: "yes" if again[0] == again[1] else "no",
        }


SIMULATE_TRIALS: Final = tuple(
    Case(f"in {PLAYOUTS} playouts {words}", (trial,))
    for words, trial in (
        ("from the empty board", _Simulating("... ... ...")),
        ("after 5 from XO. ... ...", _Simulating("XO. ... ...", (5,))),
        ("after 4 and 7 from OX. ..O ..X", _Simulating("OX. ..O ..X", (4, 7))),
        ("at a finished game", _Simulating("XX. OO. ..X", (5,))),
        ("from X.. .XX .OO", _Simulating("X.. .XX .OO")),
        ("from OO. XX. .X.", _Simulating("OO. XX. .X.")),
        ("from XX. X.O .OO", _Simulating("XX. X.O .OO")),
    )
)


@dataclass(frozen=True)
class _BackingUp:
    """Go up from a new node below one of this ``depth``, in a tree that has numbers already.

    The nodes of the path belong to these ``players``; to those who moved there if none are given.
    """

    depth: int
    returns: tuple[float, float]
    players: tuple[int, ...] = ()

    def __call__(self, back_up: Function) -> Any:
        root = _tree(30, 1)
        path = [root]
        while len(path) <= self.depth:
            path.append(max(path[-1].children, key=lambda child: child.visits))
        path.append(path[-1].child(GAME.legal_actions(path[-1].state)[0]))
        path[-2].children.append(path[-1])
        for node, player in zip(path, self.players, strict=False):
            node.player = player
        others = [node for node in _nodes(root) if node not in path]
        before = [(node.wins, node.visits) for node in others]
        back_up(path[-1], self.returns)
        if [(node.wins, node.visits) for node in others] != before:
            return "a change in a node that is not on the path"
        return tuple((node.wins, node.visits) for node in path)


BACK_UP_TRIALS: Final = (
    Case("when X wins below the root", (_BackingUp(0, (1.0, -1.0)),)),
    Case("when O wins two levels down", (_BackingUp(1, (-1.0, 1.0)),)),
    Case("when X wins two levels down", (_BackingUp(1, (1.0, -1.0)),)),
    Case("when no one wins", (_BackingUp(1, (0.0, 0.0)),)),
    Case("when X, who has moved twice in a row, wins", (_BackingUp(1, (1.0, -1.0), (1, 0, 0)),)),
    Case("when O wins and X has moved twice in a row", (_BackingUp(1, (-1.0, 1.0), (1, 0, 0)),)),
)
TRIALS: Final = {
    "select": SELECT_TRIALS,
    "expand": EXPAND_TRIALS,
    "simulate": SIMULATE_TRIALS,
    "backpropagate": BACK_UP_TRIALS,
}


def in_words(seen: Any) -> str:
    """The result of a trial as the end of a sentence: a place, or wins/visits."""
    if isinstance(seen, tuple):
        return "wins/visits " + ", ".join(f"{wins:g}/{visits:g}" for wins, visits in seen)
    return "nothing" if seen is None else str(seen)


# The exercises ---------------------------------------------------------------------------------

_right_ones: dict[str, Function] = {}
"""By name, the student's functions that were right when they were last checked."""


@dataclass(frozen=True)
class Part(Task):
    """One of the four functions: tried alone, then in a search; the last right one with the others.

    The arguments of a case are a trial: it calls the student's function and returns what happened.
    """

    name: str = ""

    def _outcome(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        [trial] = arguments
        return _tried(trial, self._limited(function))

    def _difference(self, given: Any, right: Any) -> Verdict:
        """Of several facts by name, name the first that differs."""
        triples = zip(self.cases, given, right, strict=True)
        case, got, wanted = next(each for each in triples if not self._same(*each[1:]))
        if not isinstance(wanted, dict) or isinstance(got, Failure):
            return super()._difference(given, right)
        if not isinstance(got, dict):
            nothing = " Did you forget `return` there?" if got is None else ""
            return Verdict("wrong", f"✗ Not yet: {case.words}, got {in_words(got)}.{nothing}")
        names = dict.fromkeys((*wanted, *got))
        name = next(name for name in names if not self._same(got.get(name), wanted.get(name)))
        if name == SAME_AGAIN:
            return Verdict("wrong", f"✗ Not yet: {case.words}, {OWN_LUCK}")
        expected, found = (_amount(seen.get(name, 0)) for seen in (wanted, got))
        words = f"{case.words}, {name}: expected {expected}, got {found}."
        return Verdict("wrong", f"✗ Not yet: {words} Which of your lines makes this?")

    def _another_time(self, answer: Function, given: tuple[Any, ...]) -> str:
        """Nothing: the trials themselves try it again, with the same generator and with others."""
        return ""

    def _limited(self, function: Function) -> Function:
        def limited(*given: Any) -> Any:
            with at_most(self.steps):
                return function(*given)

        return limited

    def _judge(self, answer: Any) -> Verdict:
        verdict = super()._judge(answer)
        _right_ones.pop(self.name, None)
        if verdict.kind != "right":
            return verdict
        if fault := self._in_a_search({**SOUND, self.name: self._limited(answer)}):
            return Verdict("wrong", f"✗ Not yet: in a search with three correct functions, {fault}")
        if answer is not self.solution:
            _right_ones[self.name] = answer
        return self._together() if len(_right_ones) == len(SOLUTIONS) else verdict

    def _together(self) -> Verdict:
        """The four functions of the student together; each is already right alone."""
        limited = {name: self._limited(function) for name, function in _right_ones.items()}
        if fault := self._in_a_search(limited):
            words = "each of your four functions is right alone, but together"
            return Verdict("wrong", f"✗ Not yet: {words}, {fault}")
        return Verdict("right", f"✓ Right: {self.why} Your four functions work together, too.")

    def _in_a_search(self, functions: dict[str, Function]) -> str:
        """The first fault found in two searches with different seeds; "" if both are right."""
        ordered = tuple(functions[name] for name in SOLUTIONS)
        return next(filter(None, (fault_of(ordered, seed) for seed in (0, 1))), "")


def _tried(trial: Function, function: Function) -> Any:
    """The result of the trial of a function, or the failure of that function."""
    try:
        return trial(function)
    except (Exception, SystemExit, TooLong) as error:
        return Failure(type(error).__name__, named(error))


def _amount(value: Any) -> str:
    """A number as a student reads it; a share is rounded, as it varies with the generator."""
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def parts(said: Any, wrong: Any) -> Sequence[Part]:
    """The four exercises, in order, with their texts and their wrong functions by name."""
    return [
        Part(
            said[f"write_{name}"],
            solution,
            cases=TRIALS[name],
            wrong=wrong[name],
            say=in_words,
            steps=20_000,
            tolerance=NEAR if name == "simulate" else 1e-6,
            name=name,
        )
        for name, solution in SOLUTIONS.items()
    ]
