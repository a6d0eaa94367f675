"""Searches whose loop is somebody else's, watched by the method that runs once an iteration."""

import contextlib
import math
from random import Random
from typing import Any

import pytest
from strangers import Student, moves, play, winner

from mcts_viz import TraceError, Watch


class Bot:
    """A search that makes its root inside."""

    def search(self, seed: int, iterations: int) -> Student:
        self.program = Student(seed)
        self.root = self.program.root
        for _ in range(iterations):
            self.once()
        return self.program

    def once(self) -> None:
        self.program.iterate()


def test_each_looks_before_every_call_and_at_the_end() -> None:
    bot = Bot()
    with Watch.each(bot, "once") as watch:
        program = bot.search(1, 300)
    assert "once" not in vars(bot)
    assert len(watch.trace) == 300
    assert watch.trace.at(300).visits[0] == program.root.visits == 300
    assert watch.rule.name == "UCB1"
    assert watch.findings == []


def test_the_method_is_put_back_whatever_happens() -> None:
    bot = Bot()
    with contextlib.suppress(ZeroDivisionError), Watch.each(bot, "once"):
        bot.search(1, 3)
        raise ZeroDivisionError
    assert "once" not in vars(bot)


def test_a_second_search_is_a_new_film() -> None:
    bot = Bot()
    with Watch.each(bot, "once") as watch:
        bot.search(1, 100)
        bot.search(2, 60)
    assert len(watch.trace) == 60


class Short:
    """A node whose name for its children is not a usual one."""

    def __init__(self, board: str) -> None:
        self.board, self.ch, self.n, self.w = board, {}, 0, 0.0


def test_a_root_is_found_by_the_nodes_it_holds_or_by_the_name_of_its_children() -> None:
    random = Random(1)

    class Module:
        """A method that calls itself, as a search by negamax does."""

        def search(self, node: Any) -> float:
            free = moves(node.board)
            untried = [move for move in free if move not in node.ch]
            if not free:
                value = -1.0 if winner(node.board) else 0.0
            elif untried:
                child = node.ch[untried[0]] = Short(play(node.board, untried[0]))
                child.n, value = 1, random.choice((-1.0, 1.0))
                child.w = value
            else:
                above = math.log(node.n)
                value = -self.search(max(node.ch.values(), key=lambda k: k.w / k.n + math.sqrt(above / k.n)))
            node.n += 1
            node.w -= value
            return value

    for names in ({}, {"children": "ch"}):
        program, root = Module(), Short("." * 9)
        with Watch.each(program, "search", **names) as watch:
            for _ in range(100):
                program.search(root)
        assert len(watch.trace) == (100 if names else 99)
        assert (watch.rule.name, watch.findings) == ("UCB1", [])


def test_a_method_without_an_object_is_watched_in_its_class() -> None:
    class Program:
        @staticmethod
        def once(program: Student, root: Any) -> None:
            program.iterate()

    student, original = Student(1), Program.__dict__["once"]
    with Watch.each(Program, "once") as watch:
        for _ in range(60):
            Program().once(student, student.root)
    assert Program.__dict__["once"] is original
    assert len(watch.trace) == 60


def test_a_root_that_is_not_found_is_told() -> None:
    with Watch.each(Bot(), "once") as watch:
        pass
    for name in ("rule", "findings", "names", "trace"):
        with pytest.raises(TraceError, match=r"No root was found.*children=…"):
            getattr(watch, name)


def test_a_method_that_is_not_there_is_told() -> None:
    with pytest.raises(TraceError, match="has no twice"), Watch.each(Bot(), "twice"):
        pass
