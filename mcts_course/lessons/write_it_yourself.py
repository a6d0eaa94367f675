"""The exercises of the lesson Can you write it yourself?: four functions, checked by Watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import log, sqrt
from random import Random
from typing import Any, Final

from mcts_viz.errors import require_one_of
from mcts_viz.search import Node as SearchNode
from mcts_viz.search import solve
from mcts_viz.trace import Trace
from mcts_watch import Watch

from ..measure.experiments import best_moves, contested, tracked
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Open, TooLong, changed, is_stub, texts_of
from ..work.own_film import FilmQuestions
from ..work.own_search import (
    GAME,
    SOLUTIONS,
    SOUND,
    Functions,
    Node,
    parts,
    require_four,
    run,
    watched,
)
from .four_phases import my_tree

SAID: Final = texts_of(__name__)


def where_select_stops() -> str:
    """Say where selection stops that starts at a node with a child and an untried move."""
    node = Node(GAME.initial_state())
    node.children = [node.child(node.untried[0])]
    return "at this node" if SOLUTIONS["select"](node, 1.4) is node else "at the child with 5 of 6"


# Wrong functions -----------------------------------------------------------------------------


def _select_the_path(node: Any, c: float) -> Any:
    path = [node]
    while path[-1].children and not path[-1].untried:
        path.append(_best(path[-1], c, max))
    return path


def _select_in_turns(node: Any, c: float) -> Any:
    """Max at the root, min below it, and so on, as minimax does."""
    chooses, other = max, min
    while node.children and not node.untried:
        node = _best(node, c, chooses)
        chooses, other = other, chooses
    return node


def _best(node: Any, c: float, chooses: Any) -> Any:
    """The child whose score the player ``chooses``: ``max`` or ``min``."""
    return chooses(
        node.children,
        key=lambda child: child.wins / child.visits + c * sqrt(log(node.visits) / child.visits),
    )


def _expand_legal(node: Node, random: Random) -> Any:
    if node.game.is_terminal(node.state):
        return node
    node.children.append(node.child(random.choice(node.game.legal_actions(node.state))))
    return node.children[-1]


def _expand_all(node: Node, random: Random) -> Any:
    while node.untried:
        move = random.choice(node.untried)
        node.untried.remove(move)
        node.children.append(node.child(move))
    return random.choice(node.children) if node.children else node


def _expand_to_the_last(node: Node, random: Random) -> Any:
    child = node
    while node.untried:
        child = node.child(node.untried.pop())
        node.children.append(child)
    return child


def _back_up_winners(node: Any, returns: Any) -> None:
    while node:
        if returns[node.player] > 0:
            node.visits += 1
            node.wins += 1
        node = node.parent


def _simulate_without_end(node: Any, random: Random) -> Any:
    """As one that never stores the next position, stopped at once."""
    if not node.game.is_terminal(node.state):
        raise TooLong
    return node.game.returns(node.state)


def _back_up_without_end(node: Any, returns: Any) -> None:
    """As one that never goes up, stopped at once."""
    raise TooLong


_WRONG: Final[Mapping[str, Mapping[str, Mapping[str, str] | Callable[..., Any]]]] = {
    "select": {
        "one level": {"while node.children": "if node.children"},
        "an untried move": {" and (not node.untried)": ""},
        "no exploration": {"exploration = c *": "exploration = 0 *"},
        "the lowest": {"max(scores)": "min(scores)"},
        "most visits": {"child.wins / child.visits + exploration": "child.visits"},
        "child in the logarithm": {"log(node.visits)": "log(child.visits)"},
        "no root": {"sqrt(log(node.visits) / child.visits)": "log(node.visits) / child.visits"},
        "no logarithm": {"log(node.visits)": "node.visits"},
        "exploration subtracted": {"child.visits + exploration": "child.visits - exploration"},
        "sum for mean": {"child.wins / child.visits +": "child.wins +"},
        "the other's wins": {"child.wins / child.visits +": "1 - child.wins / child.visits +"},
        "its own c": {"exploration = c *": "exploration = 1.4 *"},
        "no c": {"exploration = c *": "exploration ="},
        "c under the root": {"c * sqrt(log": "sqrt(c * log"},
        "base 10": {"log(node.visits)": "log10(node.visits)"},
        "a 2 too many": {"log(node.visits)": "2 * log(node.visits)"},
        "root of the logarithm": {
            "sqrt(log(node.visits) / child.visits)": "sqrt(log(node.visits)) / child.visits"
        },
        "brackets": {
            "child.wins / child.visits + exploration": "(child.wins / child.visits + c)"
            " * exploration / c"
        },
        "whole numbers": {"child.wins / child": "child.wins // child"},
        "only the exploration": {"child.wins / child.visits +": ""},
        "the parent's visits": {"child.wins / child.visits": "child.wins / node.visits"},
        "the root's visits": {
            "while node.children": "root = node\n    while node.children",
            "log(node.visits)": "log(root.visits)",
        },
        "the children's visits": {
            "log(node.visits)": "log(sum((child.visits for child in node.children)))"
        },
        "most wins": {"child.wins / child.visits + exploration": "child.wins"},
        "the last child": {"scores.index(max(scores))": "-1"},
        "the first child": {"scores.index(max(scores))": "0"},
        "in turns": _select_in_turns,
        "a finished game": {"node.children and (not node.untried)": "not node.untried"},
        "one too high": {"return node": "return node.parent or node"},
        "no return below": {"node = node.children[scores.index(max(scores))]": "return None"},
        "the score": {"node = node.children[scores.index(max(scores))]": "return max(scores)"},
        "the move": {"return node": "return node.move"},
        "the path": _select_the_path,
    },
    "expand": {
        "all at once": _expand_to_the_last,
        "all, and where none is left": _expand_all,
        "only the new child": {"node.children.append(child)": "node.children = [child]"},
        "another move off the list": {"node.untried.remove(move)": "node.untried.pop()"},
        "no remove": {"node.untried.remove(move)": "pass"},
        "the parent": {"return child": "return node"},
        "not in the tree": {"node.children.append(child)": "pass"},
        "a second child": {"return child": "return node.child(move)"},
        "one left": {"if not node.untried:": "if len(node.untried) < 2:"},
        "not at random": {"random.choice(node.untried)": "node.untried[0]"},
        "a visit too early": {
            "child = node.child(move)": "child = node.child(move)\n    child.visits = 1"
        },
        "no return": {"return child": "pass", "return node": "return None"},
        "no return of the child": {"return child": "pass"},
        "no return where none is left": {"return node": "return None"},
        "none is left": {"if not node.untried:\n        return node\n    ": ""},
        "no parent": {"node.child(move)": "type(node)(node.game.play(node.state, move))"},
        "no move": {"node.child(move)": "type(node)(node.game.play(node.state, move), node)"},
        "moves as children": {"append(child)": "append(move)"},
        "legal moves": _expand_legal,
        "the list emptied": {"node.untried.remove(move)": "node.untried.clear()"},
        "the move": {"return child": "return move"},
        "luck of its own": {"random.choice": "Random().choice"},
    },
    "simulate": {
        "no winner": {"return node.game.returns(state)": "return (0.0, 0.0)"},
        "always X": {"return node.game.returns(state)": "return (1.0, -1.0)"},
        "swapped": {"node.game.returns(state)": "node.game.returns(state)[::-1]"},
        "a draw is lost": {
            "return node.game.returns(state)": "r = node.game.returns(state)\n"
            "    return r if any(r) else (-1.0, -1.0)"
        },
        "first move": {
            "random.choice(node.game.legal_actions(state))": "node.game.legal_actions(state)[0]"
        },
        "rewards": {
            "return node.game.returns(state)": "return [(1 + r) / 2 for r in "
            "node.game.returns(state)]"
        },
        "the node's state": {"state = node.game.play": "state = node.state = node.game.play"},
        "its own generator": {"state = node.state": "state, random = node.state, Random(0)"},
        "luck of its own": {"state = node.state": "state, random = node.state, Random()"},
        "the position": {"return node.game.returns(state)": "return state"},
        "X's number": {"returns(state)": "returns(state)[0]"},
        "one number": {"returns(state)": "returns(state)[node.player]"},
        "a loss is 0": {
            "return node.game.returns(state)": "return [max(0, r) for r in "
            "node.game.returns(state)]"
        },
        "no end": _simulate_without_end,
    },
    "backpropagate": {
        "X's reward": {"returns[node.player]": "returns[0]"},
        "the new node's reward": {
            "while node:": "player = node.player\n    while node:",
            "returns[node.player]": "returns[player]",
        },
        "O's reward": {"returns[node.player]": "returns[1]"},
        "the winner's reward": {"returns[node.player]": "max(returns)"},
        "the other's reward": {"returns[node.player]": "returns[1 - node.player]"},
        "two visits": {"node.visits += 1": "node.visits += 2"},
        "no visits": {"node.visits += 1": "pass"},
        "winners alone": _back_up_winners,
        "no visit for a loss": {"node.visits += 1": "node.visits += returns[node.player] >= 0"},
        "no new node": {"while node:": "node = node.parent\n    while node:"},
        "no root": {"while node:": "while node.parent:"},
        "the new node alone": {"while node:": "if node:"},
        "a draw is lost": {"(1 + returns[node.player]) / 2": "float(returns[node.player] > 0)"},
        "a draw is won": {"(1 + returns[node.player]) / 2": "float(returns[node.player] >= 0)"},
        "returns": {"(1 + returns[node.player]) / 2": "returns[node.player]"},
        "from 0 to 2": {"(1 + returns[node.player]) / 2": "1 + returns[node.player]"},
        "set, not added": {"node.wins +=": "node.wins ="},
        "no wins": {"node.wins += (1 + returns[node.player]) / 2": "pass"},
        "a win for all": {"(1 + returns[node.player]) / 2": "1"},
        "a loss takes away": {"(1 + returns[node.player]) / 2": "returns[node.player] or 0.5"},
        "brackets": {"(1 + returns[node.player]) / 2": "1 + returns[node.player] / 2"},
        "by depth": {
            "while node:": "side = node.player\n    while node:",
            "returns[node.player]": "returns[side]",
            "node = node.parent": "node, side = node.parent, 1 - side",
        },
        "a mean": {
            "(1 + returns[node.player]) / 2": "((1 + returns[node.player]) / 2 - node.wins) / "
            "node.visits"
        },
        "wins and visits swapped": {
            "node.visits += 1": "node.wins += 1",
            "node.wins += (1": "node.visits += (1",
        },
        "the root alone": {
            "while node:": "while node.parent:\n        node = node.parent\n    if node:"
        },
        "no end": _back_up_without_end,
    },
}
"""For each function: what a wrong form of it changes in the solution, by the name of its reply."""
write_select, write_expand, write_simulate, write_backpropagate = parts(SAID, _WRONG)


own_film: Final = FilmQuestions(SAID["own_film"])


# Other people's programs ---------------------------------------------------------------------


def _root_view(node: Any, returns: Any) -> None:
    root = node
    while root.parent:
        root = root.parent
    while node:
        node.visits += 1
        node.wins += (1 + returns[1 - root.player]) / 2
        node = node.parent


_repeated: Final = changed(SOLUTIONS["expand"], {"node.untried.remove(move)": "node.untried.pop()"})
PROGRAMS: Final[Mapping[str, Functions]] = {
    "correct": tuple(SOUND.values()),
    "A": tuple({**SOUND, "backpropagate": _root_view}.values()),
    "B": tuple({**SOUND, "expand": _repeated}.values()),
}


@typed_door
def program(name: str, seed: int, iterations: int = 300) -> Watch:
    """Watch the program of that name: "A", "B", or "correct"."""
    require_one_of("name", name, PROGRAMS)
    return watched(*PROGRAMS[name], iterations=iterations, seed=seed)


@typed_door
def tree_of(watch: Watch) -> Trace:
    """The film of a watched program alone: what Watch found is left for the reader to find."""
    return replace(watch.trace, findings=(), checked=())


@typed_door
def own(functions: Functions, seed: int, iterations: int = 300) -> Watch | Open:
    """Watch a student's four functions together; a sentence while one of them is a stub."""
    require_four(functions)
    if any(map(is_stub, functions)):
        return Open("write all four functions first.")
    return watched(*functions, iterations=iterations, seed=seed)


@typed_door
def takes_over(functions: Functions, seed: int, iterations: int = 2000) -> Table | Open:
    """Let a student's four functions go on in the tree that the reader grew by hand.

    The tree has ``iterations`` in the end. A sentence while one of the functions is a stub.
    """
    require_four(functions)
    if any(map(is_stub, functions)):
        return Open("write all four functions first.")
    trace = my_tree()
    root = _copied(trace.search_at(len(trace) + 1).root, Node(trace.root_state))
    before = {child.move: f"{child.wins:g}/{child.visits}" for child in root.children}
    for _ in run(functions, root, iterations - len(trace), seed):
        pass
    values = solve(GAME, root.state).action_values
    rows = []
    for child in root.children:
        after = f"{child.wins:g}/{child.visits:,}"
        worth = ("draws", "wins", "loses")[int(values[child.move])]
        rows.append((child.move, before.get(child.move, "untried"), after, worth))
    heads = ("cell", f"you, at {len(trace)}", f"your code, at {iterations:,}", "perfect play")
    return Table(heads, rows)


def _copied(source: SearchNode, node: Node) -> Node:
    """Give ``node`` the numbers of the package's node, and the nodes below it."""
    node.visits, node.wins = source.visits, source.wins
    for child in source.children:
        node.untried.remove(child.action)
        node.children.append(_copied(child, node.child(child.action)))
    return node


@typed_door
def right_moves(positions: int = 40, iterations: int = 300) -> Table:
    """Return how many best moves two programs find where not all moves are best.

    The last row is what a random move finds on average.
    """
    states = contested(3, positions)
    right = {"correct": 0, "A": 0}
    for seed, state in enumerate(tracked(states, "positions")):
        for name in right:
            root = Node(state)
            for _ in run(PROGRAMS[name], root, iterations, seed):
                pass
            played = max(root.children, key=lambda child: child.visits).move
            right[name] += played in best_moves(state)
    rows = [(name, f"{count} of {len(states)}") for name, count in right.items()]
    by_luck = sum(len(best_moves(state)) / len(GAME.legal_actions(state)) for state in states)
    rows.append(("a random move", f"{by_luck:.1f} of {len(states)}"))
    return Table(("program", "right moves"), rows, right)
