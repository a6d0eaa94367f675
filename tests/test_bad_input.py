"""Data from outside, damaged thousands of times: it is read or refused in one sentence.

Files, links and boards come from other people. Wrong arguments are in test_arguments.py. With
``--slow`` Hypothesis tries ten times as many.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import GAMES, PENCIL

from mcts_course import QLearner, published
from mcts_viz import (
    MCTS,
    Bandit,
    Film,
    MCTSSolver,
    MctsVizError,
    Nim,
    Player,
    TicTacToe,
    Trace,
    minimax,
    record_minimax,
)

GAME = TicTacToe()
LEARNER = QLearner(GAME, seed=1).train(3, progress=False)
SMALL = MCTS(GAME, seed=1).record(GAME.parse("XO. .X. ..."), iterations=20)
HUGE = [10**400, -(10**400), 2**31, 2**63, -1, 0, 99, 1e308, float("nan"), float("inf")]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(HUGE),
    st.integers(-3, 30),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from([[], {}, [[]], [0], [-1], {"a": 1}, "X" * 9, "." * 9, "ucb1", "x" * 10_000]),
    st.lists(st.integers(-2, 12), max_size=12),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


def accept(call: Callable[[], object]) -> bool:
    """Whether it is taken. Any error but the package's own fails the test, and so does prose."""
    try:
        call()
    except MctsVizError as error:
        said = str(error)
        assert 20 < len(said) <= 900, said
        assert "\n" not in said, said
        assert said.endswith("."), said
        return False
    return True


# Files --------------------------------------------------------------------------------------


def saved(*things: Any, folder: Path) -> list[str]:
    file = folder / "sound.json"
    return [thing.save(file) or file.read_text(encoding="utf-8") for thing in things]


@pytest.fixture(scope="module")
def traces(folder: Path) -> list[str]:
    return saved(
        SMALL,
        MCTSSolver(GAME, seed=1).record(GAME.parse("XX. OO. ..."), iterations=20),
        MCTS(Nim((2, 3)), seed=1).record(iterations=20),
        MCTS(PENCIL, seed=1).record(iterations=20),
        published("liu").search(seed=1).record(iterations=4),
        folder=folder,
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, below in inside:
        yield from places(below, (*path, key))


def mutated(text: str, changes: list[tuple[int, str, Any]], cut: float) -> str:
    """A saved file with some places changed, and its end cut off where ``cut`` is below 1."""
    document = json.loads(text)
    for number, what, value in changes:
        spots = [*places(document)]
        *above, last = spots[number % len(spots)] or ("version",)
        container = document
        for key in above:
            container = container[key]
        if not isinstance(container, list | dict):
            continue
        if what == "replace":
            container[last] = value
        elif what == "remove":
            container.pop(last, None) if isinstance(container, dict) else container.pop(last)
        elif isinstance(container, list):  # "repeat"
            container.insert(last, container[last])
    whole = json.dumps(document)
    return whole[: int(len(whole) * cut)] if cut < 1 else whole


CHANGES = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from(["replace", "remove", "repeat"]), VALUES),
    min_size=1,
    max_size=3,
)


def show(file: Path) -> None:
    """Load a trace, and look at what could be loaded."""
    trace = Trace.load(file)
    if len(trace):
        Film(trace, engine="tidy").to_text()


@given(number=st.integers(0, 4), changes=CHANGES, cut=st.floats(0, 6))
def test_a_damaged_trace(
    traces: list[str], folder: Path, number: int, changes: list[Any], cut: float
) -> None:
    file = folder / "trace.json"
    file.write_text(mutated(traces[number], changes, cut))
    accept(lambda: show(file))


@given(
    column=st.sampled_from(["nodes.parent", "nodes.action", "nodes.birth", "iterations.leaf"]),
    values=st.lists(st.integers(-1, 20), max_size=30),
)
def test_a_column_of_a_trace(
    traces: list[str], folder: Path, column: str, values: list[int]
) -> None:
    """Cycles, and parents that are not there."""
    document = json.loads(traces[0])
    table, name = column.split(".")
    document[table][name] = values
    file = folder / "column.json"
    file.write_text(json.dumps(document))
    accept(lambda: show(file))


@given(changes=CHANGES, cut=st.floats(0, 6))
def test_a_damaged_table(folder: Path, changes: list[Any], cut: float) -> None:
    (text,) = saved(LEARNER, folder=folder)
    file = folder / "table.json"
    file.write_text(mutated(text, changes, cut))
    accept(lambda: QLearner.load(file))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": "x"}', "\ufeff{}", "[" * 10**5]
)
def test_a_file_of_another_kind(folder: Path, text: str) -> None:
    file = folder / "other.json"
    file.write_text(text, encoding="utf-8")
    for load in (Trace.load, QLearner.load):
        assert not accept(lambda load=load: load(file))
        assert not accept(lambda load=load: load(folder / "missing.json"))
        assert not accept(lambda load=load: load(folder))


# Links --------------------------------------------------------------------------------------

LINKS = [
    Film(SMALL).link(9, "select"),
    Film(record_minimax(minimax, PENCIL)).link(3),
    Film(MCTS(Nim((2, 3)), c=0.5, seed=1).record(iterations=9)).link(2),
    "mcts-viz:TicTacToe()?seed=1&n=5&playout=win_then_block&credit=rewards_of(1,0,0)&at=2",
    "mcts-viz:Nim((3,4,5))?seed=1&n=5&expansion=expand_all&choice=epsilon_greedy(0.5)",
    "mcts-viz:TicTacToe()?seed=1&n=5&prepare=pre_expanded(2)&final_move=secure_child(0.5)",
]
POLICY = st.text(alphabet="ucb1_rewardsof(,=.0){}[]'\\ ", max_size=40)


def test_the_links_are_sound_before_they_are_damaged() -> None:
    assert all(accept(lambda link=link: Player.from_link(link, most=50)) for link in LINKS)


@given(
    link=st.sampled_from(LINKS),
    place=st.integers(0, 300),
    letters=st.one_of(
        st.sampled_from(["0", "999999999", "%", "&", "=", "(", "\0", "é"]), st.text()
    ),
    many=st.integers(0, 4),
)
def test_a_damaged_link(link: str, place: int, letters: str, many: int) -> None:
    place %= len(link)
    changed = link[:place] + letters[:9] + link[place + many :]
    accept(lambda: Player.from_link(changed, most=50))


@given(policy=st.sampled_from(["selection", "playout", "credit", "final_move"]), text=POLICY)
def test_a_link_runs_nothing_but_the_policies_it_knows(policy: str, text: str) -> None:
    accept(lambda: Player.from_link(f"mcts-viz:Nim((1,2))?seed=1&n=5&{policy}={text}", most=50))


# Boards -------------------------------------------------------------------------------------


@given(
    game=st.sampled_from([*GAMES, Bandit()]),
    text=st.one_of(
        st.text(alphabet="XOxo.-_ /\n", max_size=60),
        st.text(alphabet="0123456789 ,ABabc.efgh", max_size=14),
        st.text(max_size=20),
    ),
)
def test_a_board(game: Any, text: str) -> None:
    """What is read is a position of the game: its own text means the same."""
    if accept(lambda: game.parse(text)):
        state = game.parse(text)
        assert isinstance(game.is_terminal(state), bool)
        assert game.text(state)


# Room ---------------------------------------------------------------------------------------

MOST_ROOM = 200_000_000


def room(call: Callable[[], object]) -> int:
    """Bytes that a call, which must be refused, takes at most at a time."""
    tracemalloc.start()
    try:
        with pytest.raises(MctsVizError) as refusal:
            call()
        assert str(refusal.value).endswith(".")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


GREEDY: dict[str, Callable[[], object]] = {
    "a film of a billion pictures": lambda: Film(SMALL).to_gif(1, 10**9),
    "a picture as large as a house": lambda: Film(SMALL).to_png(1, zoom=10**9),
    "a board of a million cells": lambda: GAME.parse("X." * 500_000),
    "a link to a million nodes": lambda: Player.from_link(
        "mcts-viz:ConnectFour()?seed=1&n=5&prepare=pre_expanded(99)", most=100
    ),
    "a link to a million iterations": lambda: Player.from_link(
        "mcts-viz:TicTacToe()?seed=1&n=1000000"
    ),
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_refusal_takes_little_room(name: str) -> None:
    assert room(GREEDY[name]) < MOST_ROOM


def test_a_file_larger_than_any_saved_one_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(10**9)
    for load in (Trace.load, QLearner.load):
        assert room(lambda load=load: load(tmp_path / "huge.json")) < 50_000_000


def test_what_could_not_be_read_again_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcts_viz.search.saving.LARGEST", 500)
    with pytest.raises(MctsVizError, match=r"bytes, but files of at most 500 are read again"):
        SMALL.save(tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
