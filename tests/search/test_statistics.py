"""A statistic is declared once: node, rule, trace, file, film, card and columns follow."""

import re

import numpy as np
import pytest
from films import columns_of
from invariants import check_terms
from searches import grown, uct

from mcts_viz import Film
from mcts_viz.games import SlipperyLake
from mcts_viz.search import half_for_a_draw, statistics
from mcts_viz.search.statistics import RETURNS, SQUARES, Statistic, keeps
from mcts_viz.search.variants import ucb1_tuned
from mcts_viz.trace.storage import from_json, to_json

pytestmark = pytest.mark.many

SURE = Statistic(
    "sure", lambda reward, returned: float(reward == 1), lambda node: f"won {node.sure:.0f}"
)
"""A statistic of a student's own."""


@keeps(SURE)
def by_wins(child, parent, c):
    return SURE.of(child) / child.visits + c / child.visits


def thirds(returns, player, root_player):
    return half_for_a_draw(returns, player, root_player) / 3 + 1 / 7


KEPT = [
    ("squares", lambda: uct(3, selection=ucb1_tuned, reward=thirds)),
    ("sure", lambda: uct(3, selection=by_wins)),
    ("returned", lambda: uct(3, SlipperyLake())),
    ("squares", lambda: uct(3, SlipperyLake(), selection=ucb1_tuned)),
]


@pytest.mark.parametrize(("name", "make"), KEPT)
def test_a_statistic_arrives_everywhere(name, make):
    """At every moment, from the node to the bytes of the page."""
    trace, search = make().record(iterations=60), make()
    again = from_json(to_json(trace), make())
    film = Film(trace)
    facts, columns = film.payload()["facts"], columns_of(film)
    [statistic] = [each for each in trace.spec.kept if each.name == name]
    search.start()
    for iteration in range(1, 61):
        search.iteration()
        live = [statistic.of(node) for node in search.nodes]
        for at in (trace.at(iteration), again.at(iteration)):
            assert at.statistic(name).tolist() == pytest.approx(live, abs=1e-12)
            check_terms(search, at)
        stats = film.data.stats(np.arange(len(live)), iteration)
        assert [statistic.of(each) for each in stats] == pytest.approx(live, abs=1e-12)
        notes = film.data.notes(np.arange(len(live)), iteration)
        for node, note in zip(search.nodes, notes, strict=True):
            own = statistic.text(node) if node.visits else ""
            assert own in note
            rows = slice(*columns["visit_ends"][node.id : node.id + 2])
            row = np.searchsorted(columns["visit_times"][rows], iteration, side="right")
            place = columns["note"][rows][row - 1] if row else columns["note_before"][node.id]
            assert (facts["notes"] if row else facts["notes_before"])[place] == note
    cards = film.frame(60).cards
    assert all(statistic.text(search.nodes[card.node]) in card.note for card in cards)
    assert statistic.text(search.nodes[0]) in film.to_text(60)
    graph, dot = film.to_networkx(60), str(film.to_dot(60))
    assert [graph.nodes[node][name] for node in graph] == pytest.approx(live, abs=1e-12)
    labels = " ".join(re.findall(r'label="([^"]*)"', dot)).replace("−", "-")
    assert all(card.note.split()[0] in labels for card in cards if card.note)


def test_every_statistic_of_the_package_is_tried_above():
    declared = {each.name for each in vars(statistics).values() if isinstance(each, Statistic)}
    assert declared == {"visits", "wins"} | {name for name, _ in KEPT} - {"sure"}
    assert {SQUARES.name, RETURNS.name} <= declared


def test_a_search_keeps_no_statistic_that_it_does_not_need():
    search = grown(9)
    assert search.kept == ()
    assert not hasattr(search.root, "squares")
