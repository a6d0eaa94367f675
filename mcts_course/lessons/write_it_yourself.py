"""The exercises of the lesson Can you write it yourself?: four functions, checked by Watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any, Final

from mcts_viz.errors import TraceError
from mcts_viz.games import TicTacToe
from mcts_viz.watch import Watch

from ..exercises import Case, Open, Task, TooLong, Verdict, at_most, changed, is_stub, named, texts_of
from ..experiments import best_moves, contested, tracked
from ..tables import Table

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
ITERATIONS: Final = 400


class Node:
    """A node of your tree; its wins are for ``player``, who moved here."""

    game = GAME

    def __init__(self, state: Any, parent: Node | None = None, move: Any = None) -> None:
        self.state, self.parent, self.move = state, parent, move
        self.children: list[Node] = []
        self.untried = [] if GAME.is_terminal(state) else list(GAME.legal_actions(state))
        self.visits, self.wins = 0, 0.0
        self.player = GAME.to_move(parent.state) if parent else 1 - GAME.to_move(state)

    def child(self, move: Any) -> Node:
        """A new node for the position after ``move``; it is not in the tree yet."""
        return Node(GAME.play(self.state, move), self, move)


# The four functions --------------------------------------------------------------------------


def _select(node: Any, c: float) -> Any:
    while node.children and not node.untried:
        scores = []
        for child in node.children:
            bonus = c * sqrt(log(node.visits) / child.visits)
            scores.append(child.wins / child.visits + bonus)
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


def where_select_stops() -> str:
    """Say where selection stops that starts at a node with a child and an untried move."""
    node = Node(GAME.initial_state())
    node.children = [node.child(node.untried[0])]
    return "at this node" if _select(node, 1.4) is node else "at the child with 5 of 6"


Functions = tuple[Callable[..., Any], ...]
_SOLUTIONS: Final[Functions] = (_select, _expand, _simulate, _backpropagate)
_careful: Final = changed(
    _select,
    {
        "log(node.visits) / child.visits": "log(max(1, node.visits)) / max(1, child.visits)",
        "wins / child.visits": "wins / max(1, child.visits)",
    },
)
"""The same for a tree in which nodes may have no visit, through another function's fault."""
SOUND: Final[Functions] = (_careful, _expand, _simulate, _backpropagate)
NAMES: Final = ("select", "expand", "simulate", "backpropagate")


def watched(
    *functions: Callable[..., Any],
    state: Any = None,
    iterations: int = 300,
    seed: int = 0,
) -> Watch:
    """Run a search made of the four functions with c = 1.4, and watch it."""
    root = Node(GAME.initial_state() if state is None else state)
    watch = Watch(root, game=GAME, state=lambda node: GAME.text(node.state))
    for _ in _run(functions, root, iterations, seed):
        watch.look()
    return watch


def _run(functions: Functions, root: Node, iterations: int, seed: int) -> Iterator[None]:
    """Run the search, and stop for a look after each iteration."""
    select, expand, simulate, backpropagate = functions
    random = Random(seed)
    for _ in range(iterations):
        leaf = expand(select(root, 1.4), random)
        backpropagate(leaf, simulate(leaf, random))
        yield


class _NothingError(Exception):
    """A function without a return."""


@dataclass(frozen=True)
class Part(Task):
    """One of the four functions, run in a search with three correct ones, and watched."""

    name: str = ""

    def _judge(self, answer: Any) -> Verdict:
        if not callable(answer):
            return super()._judge(answer)
        if is_stub(answer):
            return Verdict("open", "○ Open: put your lines in place of the dots.")
        place = NAMES.index(self.name)

        def limited(*arguments: Any) -> Any:
            with at_most(self.steps):
                value = answer(*arguments)
            if value is None and self.name != "backpropagate":
                raise _NothingError
            return value

        functions = *SOUND[:place], limited, *SOUND[place + 1 :]
        try:
            watch = watched(*functions, state=GAME.parse("XO. ... ..."), iterations=ITERATIONS)
            found = watch.findings
        except TraceError:
            return self._reply("no-children", "the tree does not grow.")
        except NotImplementedError:
            return Verdict("open", "○ Open: a part of your function is to be written.")
        except _NothingError:
            return Verdict("error", "✗ Not yet: your function returned nothing: did you forget return?")
        except (Exception, SystemExit, TooLong) as error:
            words = f"{self.cases[0].words}, your function ends in {named(error)}."
            return Verdict("error", f"✗ Not yet: {words}")
        if found:
            return self._reply(found[0].name, f"iteration {found[0].iteration}: {found[0].text}")
        if any(not 0 <= node.wins <= node.visits for node in watch.nodes):
            return self._reply("out-of-range", "a node has fewer wins than 0, or more than visits.")
        if watch.rule.name != "UCB1":
            return self._reply("no-ucb1", f"your search does not select by UCB1. {watch.rule}")
        return Verdict("right", f"✓ Right: {self.why}")

    def _reply(self, name: str, text: str) -> Verdict:
        reply = self.said.replies.get(name)
        return Verdict("misconception" if reply else "wrong", f"✗ Not yet: {reply or text}")


_WRONG: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "select": {
        "never-explores": {"bonus = c *": "bonus = 0 *"},
        "chooses-the-worst": {"max(scores)": "min(scores)"},
        "child-in-logarithm": {"log(node.visits)": "log(child.visits)"},
        "bonus-subtracted": {"child.visits + bonus": "child.visits - bonus"},
        "sum-for-mean": {"child.wins / child.visits +": "child.wins +"},
        "wrong-viewpoint": {"child.wins / child.visits +": "1 - child.wins / child.visits +"},
        "missing-move": {" and (not node.untried)": ""},
    },
    "expand": {
        "duplicate-move": {"node.untried.remove(move)": "pass"},
        "left-out": {"return child": "return node"},
        "no-children": {"node.children.append(child)": "pass"},
        "missing-move": {"if not node.untried:": "if len(node.untried) < 2:"},
    },
    "simulate": {
        "no-playout": {"return node.game.returns(state)": "return (0.0, 0.0)"},
        "same-result": {"return node.game.returns(state)": "return (1.0, -1.0)"},
        "wrong-viewpoint": {"node.game.returns(state)": "node.game.returns(state)[::-1]"},
        "wrong-result": {
            "return node.game.returns(state)": "r = node.game.returns(state)\n"
            "    return r if any(r) else (-1.0, -1.0)"
        },
    },
    "backpropagate": {
        "same-reward": {"returns[node.player]": "returns[0]"},
        "wrong-viewpoint": {"returns[node.player]": "returns[1 - node.player]"},
        "counted-twice": {"node.visits += 1": "node.visits += 2"},
        "left-out": {"while node:": "node = node.parent\n    while node:"},
        "wrong-result": {"(1 + returns[node.player]) / 2": "float(returns[node.player] > 0)"},
        "no-ucb1": {"while node:": "while node.parent:"},
        "out-of-range": {"(1 + returns[node.player]) / 2": "returns[node.player]"},
    },
}
"""By function: the finding that a wrong form of it leads to, and that form."""
write_select, write_expand, write_simulate, write_backpropagate = (
    Part(
        SAID[f"write_{name}"],
        solution,
        cases=(Case("in the search", ()),),
        wrong=_WRONG[name],
        steps=20_000,
        name=name,
    )
    for name, solution in zip(NAMES, _SOLUTIONS, strict=True)
)


# Other people's programs ---------------------------------------------------------------------


def _root_view(node: Any, returns: Any) -> None:
    root = node
    while root.parent:
        root = root.parent
    while node:
        node.visits += 1
        node.wins += (1 + returns[1 - root.player]) / 2
        node = node.parent


_REPEATED: Final = changed(_expand, {"node.untried.remove(move)": "node.untried.pop()"})
_PROGRAMS: Final[Mapping[str, Functions]] = {
    "correct": SOUND,
    "A": (_careful, _expand, _simulate, _root_view),
    "B": (_careful, _REPEATED, _simulate, _backpropagate),
}


def program(name: str, seed: int, iterations: int = 300) -> Watch:
    """Watch the program of that name: "A", "B", or "correct"."""
    return watched(*_PROGRAMS[name], iterations=iterations, seed=seed)


def own(functions: Functions, seed: int, iterations: int = 300) -> Watch | Open:
    """Watch a student's four functions together; a sentence while one of them is a stub."""
    if any(map(is_stub, functions)):
        return Open("write all four functions first.")
    return watched(*functions, iterations=iterations, seed=seed)


class _TreeNode:
    """A node as in ``mcts`` 1.0.4, which has no notion of players."""

    game = GAME

    def __init__(self, state: Any, parent: _TreeNode | None) -> None:
        self.state, self.parent = state, parent
        self.isTerminal = GAME.is_terminal(state)
        self.numVisits, self.totalReward = 0, 0.0
        self.children: dict[Any, _TreeNode] = {}


def published(seed: int, iterations: int = 300) -> Watch:
    """Watch a search written after the package ``mcts`` 1.0.4, on a game of two players."""
    random, root = Random(seed), _TreeNode(GAME.initial_state(), None)
    watch = Watch(root, game=GAME)
    for _ in range(iterations):
        node = root
        while not node.isTerminal:
            actions = [a for a in GAME.legal_actions(node.state) if a not in node.children]
            if actions:
                node.children[actions[0]] = _TreeNode(GAME.play(node.state, actions[0]), node)
                node = node.children[actions[0]]
                break
            total = 2 * log(node.numVisits)
            node = max(
                node.children.values(),
                key=lambda k, total=total: (  # type: ignore[misc]
                    k.totalReward / k.numVisits + 1 / sqrt(2) * sqrt(total / k.numVisits)
                ),
            )
        reward = _simulate(node, random)[0]
        up: _TreeNode | None = node
        while up:
            up.numVisits += 1
            up.totalReward += reward
            up = up.parent
        watch.look()
    return watch


def right_moves(positions: int = 40, iterations: int = 300) -> Table:
    """How many right moves a correct program, A and B play in positions where one can go wrong."""
    states = contested(3, positions)
    right = dict.fromkeys(_PROGRAMS, 0)
    for seed, state in enumerate(tracked(states, "positions")):
        for name, functions in _PROGRAMS.items():
            root = Node(state)
            for _ in _run(functions, root, iterations, seed):
                pass
            played = max(root.children, key=lambda child: child.visits).move
            right[name] += played in best_moves(state)
    rows = [(name, f"{count} of {len(states)}") for name, count in right.items()]
    return Table(("program", "right moves"), rows, right)
