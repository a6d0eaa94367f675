"""A rule and a game from a student's cells show in every feature, with nothing else changed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from students import BOARD, GAME, RULE, cells

from mcts_viz import (
    MCTS,
    Compare,
    ExactAgent,
    Film,
    MctsVizError,
    Play,
    Player,
    Trace,
    TraceError,
    alpha_beta,
    check_game,
    minimax,
    record_minimax,
    solve,
)
from mcts_viz.film import board_of
from mcts_viz.film import boards as registered
from mcts_viz.trace.storage import to_json

GAME_OF_ONES_OWN = cells()["ToadsAndFrogs"]()
RULE_OF_ONES_OWN = cells()["eager"]
OWN = {"game": GAME_OF_ONES_OWN, "selection": RULE_OF_ONES_OWN}


def searcher(kind: type[MCTS] = MCTS, seed: int = 3) -> MCTS:
    return kind(GAME_OF_ONES_OWN, c=0.8, seed=seed, selection=RULE_OF_ONES_OWN)


@cache
def trace() -> Trace:
    return searcher().record(iterations=150, progress=False)


@cache
def film() -> Film:
    return Film(trace(), 30)


@pytest.fixture
def with_board() -> Iterator[None]:
    """The student registers a board; in the end it is forgotten again."""
    exec(BOARD, dict(cells()))
    yield
    del registered._boards[type(GAME_OF_ONES_OWN)]


# Rules and search


def test_a_rule_has_five_lines_and_a_game_forty() -> None:
    assert len(RULE.strip().splitlines()) == 5
    written = [line for line in GAME.splitlines() if line.strip()]
    assert len(written) <= 40


def test_the_game_is_sound() -> None:
    report = check_game(GAME_OF_ONES_OWN)
    assert report.ok, report
    assert not any("minimax" in note or "parse" in note for note in report.notes)


def score(snapshot: Any, node: int) -> float:
    """What the student's rule says, asked by hand."""

    class Numbers:
        def __init__(self, node: int) -> None:
            self.wins, self.visits = snapshot.wins[node], snapshot.visits[node]

    answer = RULE_OF_ONES_OWN(Numbers(node), Numbers(0), 0.8)
    return float(np.sum(answer))


def test_every_selection_at_the_root_follows_the_rule() -> None:
    moves = len(GAME_OF_ONES_OWN.legal_actions(GAME_OF_ONES_OWN.initial_state()))
    for k in range(moves + 1, trace().iterations + 1):
        before = trace().at(k - 1)
        scores = {child: score(before, child) for child in before.children(0)}
        assert scores[trace().at(k, "select").path[1]] == pytest.approx(max(scores.values()))
        assert before.score(trace().at(k, "select").path[1]) == pytest.approx(max(scores.values()))


# Pictures and texts


def test_a_text_names_rule_game_and_moves() -> None:
    text = film().to_text(120, "select")
    assert "ToadsAndFrogs: Toad to move" in text
    assert "eager, c = 0.8" in text
    assert re.search(r"^> +2: [\d.]+/\d+  eager \d", text, re.M), text


@pytest.mark.parametrize("phase", ["select", "expand", "simulate", "backpropagate"])
def test_stills_of_every_phase_can_be_read(phase: str) -> None:
    svg = film().to_svg(100, phase)
    words = " ".join(ElementTree.fromstring(svg).itertext())
    assert "The position: " in words
    assert "Toad" in words
    assert "eager" in words
    picture = Image.open(io.BytesIO(film().to_png(100, phase)))
    assert len(picture.convert("RGB").getcolors(picture.width * picture.height) or ()) > 10
    assert film().caption(100, phase).endswith(".")


def test_the_page_names_what_is_the_students() -> None:
    page = film().to_html()
    assert "ToadsAndFrogs" in page
    assert "eager" in page


def test_a_board_is_drawn_once_it_is_registered(with_board: None) -> None:
    board = board_of(GAME_OF_ONES_OWN)
    assert board is not None
    assert list(board.cells((0, "T.T.F.F"))) == [1, 0, 1, 0, 2, 0, 2]
    drawn = Film(trace(), 10).to_svg()
    assert 'class="piece player-0 filled"' in drawn
    assert 'class="piece player-1"' in drawn


# Truth and questions


def test_the_truth_over_the_cards_is_that_of_exact_play() -> None:
    truth = film().truth
    assert truth.values.keys() >= set(film().data.cards)
    for node in film().data.cards:
        value = solve(GAME_OF_ONES_OWN, trace().state(node)).value
        sign = (
            1
            if GAME_OF_ONES_OWN.to_move(trace().state(node)) == trace().player_just_moved[node]
            else -1
        )
        assert truth.values[node] == sign * value
    regrets = {trace().label(node): regret for node, regret in truth.regrets.items()}
    assert regrets == {"0": 1, "2": 0}


# Widgets


def test_the_player_compare_and_play_take_them() -> None:
    player = Player(trace(), iteration=40, phase="expand")
    assert "ToadsAndFrogs" in player._repr_mimebundle_()[0]["text/plain"]
    usual = MCTS(GAME_OF_ONES_OWN, c=0.8, seed=3).record(iterations=150, progress=False)
    compare = Compare(trace(), usual)
    assert compare.differ is not None
    assert compare.note == f"The searches first differ in iteration {compare.differ}."


@pytest.mark.parametrize("opponent", [searcher, lambda: ExactAgent(GAME_OF_ONES_OWN)])
def test_a_match_is_played_to_its_end_and_looked_into(opponent: Any) -> None:
    budget = {"iterations": 60} if opponent is searcher else {}
    play = Play(GAME_OF_ONES_OWN, opponent(), **budget)
    while play.result is None:
        play.play(GAME_OF_ONES_OWN.legal_actions(play.state)[0])
    assert sorted(play.result) == [-1, 1]
    assert re.search(r" (Toad|Frog) wins, you (win|lose)\.$", play.said), play.said
    if opponent is searcher:
        play.look_inside()
        assert play.trace.selection is RULE_OF_ONES_OWN
        assert play.film["facts"]


# Minimax, keeping, searching on


@pytest.mark.parametrize("walk", [minimax, alpha_beta])
def test_minimax_walks_through_the_game(walk: Any) -> None:
    state = GAME_OF_ONES_OWN.parse(".TTF.F. Frog")
    recorded = record_minimax(walk, GAME_OF_ONES_OWN, state)
    toads_get = -solve(GAME_OF_ONES_OWN, state).value
    assert recorded.at(len(recorded)).value[0] == toads_get
    walked = Film(recorded, 20)
    assert ".TTF.F. Frog" in " ".join(ElementTree.fromstring(walked.to_svg()).itertext())
    assert "ToadsAndFrogs" in walked.to_text()


def test_a_saved_trace_comes_back_with_game_and_rule(tmp_path: Path) -> None:
    trace().save(tmp_path / "own.json")
    again = Trace.load(tmp_path / "own.json", **OWN)
    assert to_json(again) == to_json(trace())
    assert again.at(120).score(1) == trace().at(120).score(1)
    for missing, word in (("game", "own game yourself and pass it"), ("selection", "eager")):
        with pytest.raises(TraceError, match=word):
            Trace.load(tmp_path / "own.json", **{k: v for k, v in OWN.items() if k != missing})


def test_a_link_to_a_moment_opens_with_game_and_rule() -> None:
    link = film().link(77, "simulate")
    player = Player.from_link(link, **OWN)
    assert (player.iteration, player.phase) == (77, "simulate")
    assert player.film.trace.leaf.tolist() == trace().leaf.tolist()
    with pytest.raises(MctsVizError, match="ToadsAndFrogs"):
        Player.from_link(link)


def test_what_if_goes_on_by_the_students_rule() -> None:
    branch = trace().fork(60, moves=["0"], iterations=40)
    assert branch.selection is RULE_OF_ONES_OWN
    assert branch.label(branch.at(1).path[1]) == "0"
    assert branch.at(40).visits[0] == 59 + 40
    assert "eager" in Film(branch).to_text()
