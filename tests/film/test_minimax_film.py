"""Films of minimax and alpha-beta: what is seen agrees with the walk at every step."""

import random

import numpy as np
import pytest
from films import walks
from hypothesis import given
from hypothesis import strategies as st

from mcts_viz import Film, Player, TicTacToe, alpha_beta, minimax
from mcts_viz.errors import TraceError
from mcts_viz.film import minimax_film
from mcts_viz.trace import record_minimax
from mcts_viz.trace.minimax_trace import EVENTS

steps = st.builds(
    lambda film, share: (film, 1 + int(share * (len(film.trace) - 1))),
    st.sampled_from(range(8)).map(lambda number: walks()[number]),
    st.floats(0, 1),
)


@given(steps)
def test_cards_say_what_is_known_then(case):
    film, step = case
    frame, trace = film.frame(step), film.trace
    path = trace.path(int(trace.node[step - 1]))
    assert (frame.path, frame.phase) == (path, EVENTS[trace.event[step - 1]])
    for card in frame.cards:
        last = film.data.card(1 + int(np.flatnonzero(trace.node[:step] == card.node)[-1]))
        assert (card.share, card.score) == (last.share, last.score)
        assert card.on_path == (card.node in path)
        assert card.new == (frame.phase == "enter" and card.node == path[-1])


@given(steps)
def test_moves_without_a_card_and_moves_cut_off_are_counted(case):
    film, step = case
    frame, trace, now = film.frame(step), film.trace, film.trace.at(step)
    shown = {card.node for card in frame.cards}
    assert now.node in shown
    cut = set(trace.node[:step][trace.event[:step] == EVENTS.index("cut_off")].tolist())
    for node in shown:
        born = {int(n) for n in np.flatnonzero(trace.parent[: now.nodes] == node)}
        pruned = int(trace.pruned[node]) if node in cut else 0
        assert frame.more.get(node, 0) == len(born - shown)
        assert frame.pruned.get(node, 0) == pruned
        moves = () if trace.game.is_terminal(trace.state(node)) else trace.state(node)
        if moves:
            every = len(trace.game.legal_actions(trace.state(node)))
            assert frame.untried.get(node, 0) == every - len(born) - pruned


def test_the_book_s_cut_branches_are_hatched():
    film = walks()[0]
    assert film.frame().cards[0].share == "MAX 0.5"
    assert 2 in film.frame().pruned.values()
    picture = film.to_svg()
    assert picture.count(">not needed<") == 3
    assert picture.count('class="cut"') == 6


def test_every_step_has_its_line_of_the_algorithm():
    heads = {"enter": "value =", "evaluate": "return", "cut_off": "if alpha >= beta"}
    for film in walks():
        assert len(film.trace) > 0
        for step in range(1, len(film.trace) + 1):
            now, line = film.trace.at(step), film.data.line(step)
            best = "best = max" if film.data.whose(now.node) == "MAX" else "best = min"
            assert line.startswith(heads.get(now.event, best))
            assert film.data.narrows or "alpha" not in line


def test_what_was_cut_off_is_counted(monkeypatch):
    game = TicTacToe()
    state = game.parse("XO. .X. ...")
    full, cut = (Film(record_minimax(walk, game, state)) for walk in (minimax, alpha_beta))
    of_path = {
        tuple(map(full.trace.action_of, full.trace.path(node))): leaves
        for node, leaves in enumerate(full.data.leaves[0])
    }
    ends = np.bincount(full.trace.event)[1]
    assert full.data.leaves[0][0] == ends, "minimax evaluates every leaf of the tree"
    for node, leaves in enumerate(cut.data.leaves[0]):
        assert leaves == of_path[tuple(map(cut.trace.action_of, cut.trace.path(node)))]
    assert not cut.payload()["facts"]["estimated"]
    monkeypatch.setattr(minimax_film, "MOST_POSITIONS", 10)
    assert Film(cut.trace).payload()["facts"]["estimated"], "a tree too large to be counted"


def test_the_text_holds_all_cards():
    draw = random.Random(5)
    for film in walks():
        for step in draw.choices(range(1, len(film.trace) + 1), k=5):
            text = film.to_text(step)
            cards = film.frame(step).cards
            assert all(card.share in text and card.score in text for card in cards)
            assert film.caption(step) in text
    assert walks()[0].to_png(3).startswith(b"\x89PNG")


def test_a_trace_shows_itself_as_a_player():
    trace = walks()[0].trace
    bundle = trace._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} <= set(data)
    player = Player(trace, iteration=5)
    assert (player.iteration, player.phase) == (5, EVENTS[trace.event[4]])
    player.iteration = 7
    with pytest.raises(TraceError, match=f"a whole number from 1 to {len(trace)}"):
        player.iteration = len(trace) + 1
    with pytest.raises(TraceError, match="phase must be one of enter, evaluate, back_up, cut_off"):
        player.phase = "select"


def test_a_walk_that_is_too_long_is_refused():
    game = TicTacToe()
    trace = record_minimax(minimax, game, game.parse("X.. ... ..."))
    with pytest.raises(TraceError, match="has 59,705 nodes, but a film shows at most 50,000"):
        Film(trace)
