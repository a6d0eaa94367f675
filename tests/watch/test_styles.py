"""Sound searches that break the habits of a textbook: none may be accused, with rules or
without."""

from __future__ import annotations

import math
from typing import Any

import pytest
from strangers import (
    BackedByMaximum,
    Careful,
    Student,
    moves,
    play,
    to_move,
    turn,
    watched,
    winner,
    with_parts,
)

from mcts_viz import TicTacToe

pytestmark = pytest.mark.many

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))]


class AfterThePlayout(Careful):
    """A node is added after the playout, which began at its parent."""

    def iterate(self) -> None:
        leaf = self.select(self.root)
        self.backpropagate(leaf, self.simulate(leaf))
        self.expand(leaf)


class FromOne(Student):
    """Visits begin at 1, which avoids a division by 0."""

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.visits = 1
        return node


class FromOneAllAtOnce(FromOne):
    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        node.children = [self.new(play(node.state, move), node, move) for move in node.untried]
        node.untried = []
        return self.random.choice(node.children)


class RootNotCounted(Student):
    def bonus(self, child: Any, parent: Any) -> float:
        return self.c * math.sqrt(
            math.log(sum(kid.visits for kid in parent.children)) / child.visits
        )

    def counted(self, path: list[Any], won: str | None) -> list[Any]:
        return path[:-1]


class TwoPlayoutsOrOne(Student):
    """Two playouts, one where the game is over."""

    def iterate(self) -> None:
        leaf = self.expand(self.select(self.root))
        for _ in range(2 if moves(leaf.state) else 1):
            self.backpropagate(leaf, self.simulate(leaf))


class Widening(Student):
    """The fourth root of the visits decides how many children a node may have."""

    def is_wide(self, node: Any) -> bool:
        return len(node.children) >= 1 + int(node.visits**0.25)

    def select(self, node: Any) -> Any:
        while node.children and (not node.untried or self.is_wide(node)):
            node = self.best(node)
        return node

    def expand(self, node: Any) -> Any:
        return node if self.is_wide(node) else super().expand(node)


class Forced(Student):
    """A search that tries only a winning move, or else a block, where there is one."""

    def options(self, board: Any) -> list[int]:
        every, other = moves(board), {"X": "O", "O": "X"}[turn(board)]
        wins = [move for move in every if winner(play(board, move))]
        blocks = [move for move in every if winner(play(board, move, other))]
        return wins[:1] or blocks[:1] or every


class Margins(Student):
    """A quick win is worth more; a loss as much less."""

    def result(self, board: Any) -> Any:
        return winner(board), board.count(".")

    def reward(self, node: Any, won: Any) -> float:
        sign, left = won
        return 0.0 if sign is None else (1 + left) * (1.0 if sign == self.player(node) else -1.0)


class ShortPlayouts(Student):
    """Two moves, and then the value 0 of a draw."""

    def simulate(self, node: Any) -> str | None:
        board = node.state
        for _ in range(2):
            if options := moves(board):
                board = play(board, self.random.choice(options))
        return winner(board)


class Rave(Student):
    """All moves of a playout are counted for the children that begin with them, beside the
    visits."""

    def new(self, *given: Any) -> Any:
        node = super().new(*given)
        node.amaf, node.amaf_sum = 0, 0.0
        return node

    def mean(self, child: Any, parent: Any) -> float:
        share = math.sqrt(50 / (3 * parent.visits + 50))
        early = child.amaf_sum / child.amaf if child.amaf else 0.5
        return float((1 - share) * child.wins / child.visits + share * early)

    def counted(self, path: list[Any], won: str | None) -> list[Any]:
        for node in path:
            for child in node.children:
                if self.random.random() < 0.3:
                    child.amaf += 1
                    child.amaf_sum += self.reward(child, won)
        return path


class BestFew(Student):
    """The root considers three moves only."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)
        self.root.untried = self.root.untried[:3]


class Again(Student):
    """The tree was searched before the first look."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)
        for _ in range(100):
            self.iterate()


def turned(student: Student, child: Any, parent: Any) -> float:
    """X's mean for X, one less X's mean for O."""
    mean = child.wins / child.visits
    return float(mean if turn(parent.state) == "X" else 1 - mean)


STYLES: dict[str, type[Student]] = {
    kind.__name__: kind
    for kind in (
        *(AfterThePlayout, FromOne, FromOneAllAtOnce, RootNotCounted, TwoPlayoutsOrOne, Widening),
        *(
            Forced,
            Margins,
            BackedByMaximum,
            ShortPlayouts,
            Rave,
        ),
        *(BestFew, Again),
    )
} | {
    "FixedViewpoint": with_parts(player=lambda *_: "X", mean=turned),
    "PlusAndMinusOne": with_parts(
        draw=0.0,
        reward=lambda self, node, won: 0.0 if won is None else 2.0 * (won == self.player(node)) - 1,
    ),
    "ForThePlayerToMove": with_parts(player=to_move, mean=lambda self, k, _: 1 - k.wins / k.visits),
    "EvaluationOfZero": with_parts(simulate=lambda self, node: winner(node.state)),
    "ADrawIsAThird": with_parts(draw=1 / 3),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("state", ["." * 9, "XO..X...."])
@pytest.mark.parametrize("name", STYLES)
def test_a_habit_is_no_law(name: str, state: str, seed: int) -> None:
    for game in (TicTacToe(), None):
        watch = watched(STYLES[name](seed, state), 400, game=game)
        assert watch.findings == []
        for note in watch.notes:
            assert note.text.startswith(("Unusual:", "Watch "))


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("AfterThePlayout", "left-out"),
        ("FromOne", "born"),
        ("RootNotCounted", "left-out"),
        ("BestFew", "missing-move"),
        ("EvaluationOfZero", "no-playout"),
    ],
)
def test_what_is_unusual_is_noted(name: str, note: str) -> None:
    watch = watched(STYLES[name](1), 400, game=TicTacToe())
    [said] = [one for one in watch.notes if one.name == note]
    assert said.text.startswith("Unusual:")
    assert "That is right" in said.text
