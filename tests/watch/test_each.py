"""Searches whose loop is another program's, watched by a method that runs once an iteration."""

import contextlib

import pytest
from strangers import Student

from mcts_viz import TraceError
from mcts_watch import Watch


class Bot:
    """A search that makes its root inside."""

    def search(self, seed, iterations):
        self.program = Student(seed)
        self.root = self.program.root
        for _ in range(iterations):
            self.once()
        return self.program

    def once(self):
        leaf = self.program.expand(self.program.select(self.program.root))
        self.back_up(leaf, self.program.simulate(leaf))

    def back_up(self, leaf, won):
        self.program.backpropagate(leaf, won)


@pytest.mark.parametrize("method", ["once", "back_up"])
def test_each_looks_before_every_call_and_at_the_end(method):
    """Also of a method that is handed a leaf."""
    bot = Bot()
    with Watch.each(bot, method) as watch:
        program = bot.search(1, 300)
    assert method not in vars(bot)
    assert watch.nodes[0] is program.root
    assert len(watch.trace) == 300
    assert watch.trace.at(300).visits[0] == program.root.visits == 300
    assert watch.rule.name == "UCB1"
    assert watch.findings == []


def test_the_method_is_put_back_whatever_happens():
    bot = Bot()
    with contextlib.suppress(ZeroDivisionError), Watch.each(bot, "once"):
        bot.search(1, 3)
        raise ZeroDivisionError
    assert "once" not in vars(bot)


def test_a_second_search_is_a_new_film():
    bot = Bot()
    with Watch.each(bot, "once") as watch:
        bot.search(1, 100)
        bot.search(2, 60)
    assert len(watch.trace) == 60


def test_a_root_that_is_not_found_is_told():
    with Watch.each(Bot(), "once") as watch:
        pass
    for name in ("rule", "findings", "names", "trace"):
        with pytest.raises(TraceError, match=r"root must be a node.*children=…"):
            getattr(watch, name)


def test_a_method_that_is_not_there_is_told():
    with (
        pytest.raises(TraceError, match="method must be the name of one"),
        Watch.each(Bot(), "twice"),
    ):
        pass
