"""Bad input, thousands of times: it is taken or refused in one sentence, and nothing else happens.

Every area below is a kind of input with a strategy that makes it, mostly wrong ones, and a call
that takes it. An error that is not the package's own fails the test, and so does a sentence that
does not name what was given, or that ends without a remedy. ``--slow`` tries five times as many.
"""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from invariants import GAMES, PENCIL, position

from mcts_course import QLearner, arena, published
from mcts_viz import (
    MCTS,
    Bandit,
    Compare,
    ConnectFour,
    ExactPlayer,
    Film,
    GameTree,
    MCTSPlayer,
    MCTSSolver,
    MctsVizError,
    Nim,
    Play,
    Player,
    RandomPlayer,
    TicTacToe,
    Trace,
    alpha_beta,
    check_game,
    minimax,
    record_minimax,
    solve,
)
from mcts_viz.search import recipes
from mcts_viz.trace import open_link
from mcts_viz.trace.storage import from_json, to_json

LONGEST_SENTENCE = 900
LONG = 6


# What may be wrong -------------------------------------------------------------------------


class Unprintable:
    """A value that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Verbose:
    """A value that is shown on many lines."""

    def __repr__(self) -> str:
        return "line\n" * 5000


ODD = [
    10**400,
    -(10**400),
    10**5000,  # more digits than Python writes
    1e999,
    -1e999,
    float("nan"),
    5e-324,
    -0.0,
    1j,
    Decimal("NaN"),
    Decimal(10),
    Fraction(1, 3),
    np.float64("nan"),
    np.int64(3),
    np.bool_(True),
    np.array([1, 2]),
    np.array([[1.5]]),
    np.array([]),
    "",
    "\x00",
    "\ud800",
    "x" * 100_000,
    "<script>alert(1)</script>",
    "{0.__class__}",
    b"\xff\xfe",
    bytearray(b"a"),
    (),
    [],
    {},
    set(),
    frozenset({1}),
    [[[[]]]],
    {"a": {"b": []}},
    range(10**9),
    Ellipsis,
    NotImplemented,
    object(),
    print,
    int,
    TicTacToe,
    TicTacToe(),
    lambda *anything: None,
    Unprintable(),
    Verbose(),
    (0, 10**9),
    (0, 10**9, 10**9, 10**9),
    ("a",) * 10_000,
]


def odd(number: int) -> Any:
    """One of them; Hypothesis would like to show a strategy that holds them, and cannot."""
    return ODD[number]


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 12),
    st.floats(),
    st.text(max_size=12),
    st.binary(max_size=6),
)
JUNK = st.one_of(
    PLAIN,
    st.integers(0, len(ODD) - 1).map(odd),
    st.lists(PLAIN, max_size=4),
    st.lists(PLAIN, max_size=4).map(tuple),
    st.dictionaries(st.text(max_size=3), PLAIN, max_size=3),
)
GIVEN = JUNK.filter(lambda value: value is not None)
BOARDS = st.one_of(
    st.text(alphabet="XOxo.-_ /\n", max_size=60),
    st.text(alphabet="0123456789 ,ABabc.efgh", max_size=14),
    st.text(max_size=20),
    JUNK,
)
games = st.sampled_from([*GAMES, Bandit(), ConnectFour(1, 2, 2), ConnectFour(20, 20)])
small_games = st.sampled_from([TicTacToe(), ConnectFour(2, 3, 2), Nim((1, 2, 3)), PENCIL])
seeds = st.integers(0, 2**32)


# Damaged files and links -------------------------------------------------------------------

HUGE = [10**400, -(10**400), 2**31, 2**63, -1, 0, 99, 1e308, float("nan"), float("inf")]
JSON_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(HUGE),
    st.integers(-3, 30),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from([[], {}, [[]], [0], [-1], {"a": 1}, "X" * 9, "." * 9, "ucb1", "x" * 10_000]),
    st.lists(st.integers(-2, 12), max_size=12),
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


def damaged(*texts: str) -> st.SearchStrategy[str]:
    changes = st.lists(
        st.tuples(
            st.integers(0, 10_000), st.sampled_from(["replace", "remove", "repeat"]), JSON_VALUES
        ),
        min_size=1,
        max_size=3,
    )
    return st.builds(mutated, st.sampled_from(texts), changes, st.floats(0, 6))


def changed_columns(name: str, values: list[Any]) -> str:
    """A trace with a whole column of the tree exchanged: cycles, and parents that are not there."""
    document = json.loads(TRACES[0])
    table, column = name.split(".")
    document[table][column] = values
    return json.dumps(document)


def changed_link(link: str, place: int, letter: str, many: int) -> str:
    place %= len(link)
    return link[:place] + letter + link[place + many :]


GAME = TicTacToe()
STARTED = GAME.parse("XO. .X. ...")
FEW = Film(MCTS(GAME, seed=1).record(iterations=60), iterations=[2, 30, 31])
SMALL = MCTS(GAME, seed=1).record(STARTED, iterations=20)
WALK = record_minimax(minimax, PENCIL)
TRACES = [
    to_json(SMALL),
    to_json(MCTSSolver(GAME, seed=1).record(GAME.parse("XX. OO. ..."), iterations=20)),
    to_json(MCTS(Nim((2, 3)), seed=1).record(iterations=20)),
    to_json(MCTS(PENCIL, seed=1).record(iterations=20)),
    to_json(published("liu").search(seed=1).record(iterations=4)),
]
TABLE = QLearner(TicTacToe(), seed=1).train(3, progress=False).to_json()
LINKS = [
    Film(SMALL).link(9, "select"),
    Film(WALK).link(3),
    Film(MCTS(Nim((2, 3)), c=0.5, seed=1).record(iterations=9)).link(2),
    "mcts-viz:TicTacToe()?seed=1&n=5&playout=win_then_block&credit=rewards_of(1,0,0)&at=2",
    "mcts-viz:Nim((3,4,5))?seed=1&n=5&expansion=expand_all&choice=epsilon_greedy(0.5)",
    "mcts-viz:TicTacToe()?seed=1&n=5&prepare=pre_expanded(2)&final_move=secure_child(0.5)",
]


def load(text: str) -> None:
    """Load a trace, and look at what could be loaded."""
    trace = from_json(text)
    if len(trace):
        Film(trace, engine="tidy").to_text()


# The areas ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Area:
    """A kind of input, and what takes it."""

    inputs: st.SearchStrategy[Any]
    take: Callable[[Any], object]
    tries: int = 60
    """Inputs in the short form."""
    named: bool = False
    """Whether the input is one value, which a refusal must show."""


def of(call: Callable[..., object], *strategies: st.SearchStrategy[Any], tries: int = 60) -> Area:
    """An area of a call with several arguments."""
    return Area(st.tuples(*strategies), lambda values: call(*values), tries)


def one_of(*calls: Callable[[Any], object], values: Any = JUNK, tries: int = 60) -> Area:
    """An area of one value that any of several calls may get."""
    return of(lambda call, value: call(value), st.sampled_from(calls), values, tries=tries)


def argument(call: Callable[[Any], object], values: Any = JUNK, tries: int = 40) -> Area:
    return Area(values, call, tries, named=True)


def play_one(game: Any, seed: int, action: Any) -> object:
    return game.play(position(game, seed), action)


def published_play(name: Any, fault: Any) -> object:
    return published(name).repair(fault).with_faults(fault).search(seed=1).record(iterations=2)


def search(**options: Any) -> Trace:
    """A short search with these options, its move, and its film."""
    trace = MCTS(GAME, **{"seed": 1, **options}).record(STARTED, iterations=9)
    film = Film(trace, engine="tidy")
    film.payload()
    film.to_text()
    return trace


def best(**options: Any) -> object:
    found = MCTS(GAME, **{"seed": 1, **options}).search(iterations=4)
    return found.best_action


def play_against(**options: Any) -> Play:
    return Play(GAME, **{"iterations": 2, **options})


def few(value: Any) -> bool:
    """Not so large a number that it is a right one, and takes long."""
    return not isinstance(value, int | np.integer) or value < 100 or value > sys.float_info.max


def soon(value: Any) -> bool:
    try:
        return not 0.01 < value < float("inf")
    except Exception:
        return True


def answering(value: Any) -> Any:
    return lambda *anything: value


KINDS = [*recipes.POLICIES]
RIVALS = {"a": RandomPlayer(GAME, 1), "b": RandomPlayer(GAME, 2)}
FILM = Film(SMALL, 5, "tidy")
AREAS: dict[str, Area] = {
    "actions": of(play_one, games, seeds, JUNK, tries=200),
    "boards": of(lambda game, text: game.parse(text), games, BOARDS, tries=200),
    "states of a search": of(
        lambda game, state: MCTS(game, seed=1).search(state, iterations=2), games, JUNK
    ),
    "states of exact play": of(
        lambda call, game, state: call(game, state),
        st.sampled_from([minimax, alpha_beta, solve]),
        small_games,
        JUNK,
    ),
    "states of players": of(
        lambda make, game, state: make(game)(state),
        st.sampled_from(
            [
                ExactPlayer,
                RandomPlayer,
                lambda game: MCTSPlayer(game, 2),
                lambda game: QLearner(game, seed=1),
                lambda game: QLearner(game, seed=1).action_values,
            ]
        ),
        small_games,
        JUNK,
    ),
    "c": argument(lambda c: search(c=c), st.one_of(JUNK, st.floats(0))),
    "seeds": argument(lambda seed: to_json(search(seed=seed))),
    "iterations": argument(lambda n: MCTS(GAME, seed=1).search(iterations=n), GIVEN.filter(few)),
    "seconds": argument(lambda s: MCTS(GAME, seed=1).search(seconds=s), GIVEN.filter(soon)),
    "hooks": one_of(lambda hooks: MCTS(GAME, seed=1).search(iterations=2, hooks=hooks), tries=40),
    "games": one_of(
        Nim,
        GameTree,
        Bandit,
        lambda v: ConnectFour(rows=v),
        lambda v: ConnectFour(columns=v),
        lambda v: ConnectFour(connect=v),
        lambda v: GameTree({"a": 1}, players=v),
        lambda v: Nim((v, 3)),
        lambda v: GameTree({"a": v}),
        lambda v: GameTree({v: 1}) if getattr(v, "__hash__", None) else None,
        lambda v: Bandit((v,)),
        tries=120,
    ),
    "checks of games": one_of(
        check_game, lambda v: check_game(Nim((1,)), games=v if few(v) else None), tries=40
    ),
    "games of a search": one_of(
        MCTS,
        MCTSSolver,
        minimax,
        lambda game: solve(game, (0, 0)),
        ExactPlayer,
        QLearner,
        Play,
        lambda game: MCTSPlayer(game, 2),
        tries=60,
    ),
    "policies": of(
        lambda kind, value: best(**{kind: value}),
        st.sampled_from(KINDS),
        JUNK.filter(lambda v: not callable(v)),
        tries=80,
    ),
    "answers of policies": of(
        lambda kind, value: best(**{kind: answering(value)}), st.sampled_from(KINDS), JUNK, tries=80
    ),
    "texts of policies": of(
        recipes.read,
        st.sampled_from(KINDS),
        st.one_of(JUNK, st.text(alphabet="ucb1_rewardsof(,=.0){}[]'\\ ", max_size=40)),
        tries=100,
    ),
    "published systems": of(
        published_play, st.one_of(JUNK, st.just("liu")), st.one_of(JUNK, st.just("turns"))
    ),
    "learners": one_of(
        lambda v: QLearner(GAME, alpha=v),
        lambda v: QLearner(GAME, gamma=v),
        lambda v: QLearner(GAME, epsilon=v),
        lambda v: QLearner(GAME, seed=v),
        lambda v: QLearner(GAME, seed=1).train(v if few(v) else -1, progress=False),
        lambda v: QLearner(GAME, seed=1).train(2, every=v, progress=False),
        tries=80,
    ),
    "damaged traces": Area(damaged(*TRACES), load, 500),
    "columns of traces": of(
        lambda *given: load(changed_columns(*given)),
        st.sampled_from(["nodes.parent", "nodes.action", "nodes.birth", "iterations.leaf"]),
        st.lists(st.integers(-1, 20), max_size=30),
        tries=100,
    ),
    "damaged tables": Area(damaged(TABLE), QLearner.from_json, 200),
    "texts as files": one_of(from_json, QLearner.from_json, tries=60),
    "names of files": one_of(
        Trace.load, QLearner.load, values=JUNK.filter(lambda v: not isinstance(v, int))
    ),
    "links": of(
        lambda *given: open_link(changed_link(*given), most=50),
        st.sampled_from(LINKS),
        st.integers(0, 300),
        st.one_of(
            st.sampled_from(["0", "999999999", "", "%", "&", "=", "(", "\0", "é"]),
            st.text(max_size=4),
        ),
        st.integers(0, 4),
        tries=200,
    ),
    "texts as links": one_of(
        lambda v: open_link(v, most=20),
        lambda v: open_link(f"mcts-viz:{v:.50}" if isinstance(v, str) else v, most=20),
    ),
    "moments of traces": of(SMALL.at, JUNK, st.one_of(st.just("select"), JUNK), tries=40),
    "branches": one_of(
        lambda v: SMALL.branch(v, iterations=2),
        lambda v: SMALL.branch(2, moves=v, iterations=2),
        lambda v: SMALL.branch(2, c=v, iterations=2),
        lambda v: SMALL.branch(2, iterations=v if few(v) else -1),
        SMALL.search_at,
        tries=60,
    ),
    "films": one_of(
        Film,
        lambda v: Film(SMALL, v),
        lambda v: Film(SMALL, 5, engine=v).drawing,
        lambda v: Film(SMALL, 5, "tidy", positions=v).truth,
        tries=40,
    ),
    "moments of films": one_of(
        lambda v: FILM.frame(v),
        lambda v: FILM.frame(1, v),
        lambda v: FILM.to_svg(1, theme=v),
        lambda v: FILM.to_png(1, zoom=v) if not isinstance(v, int) or v < 1 else None,
        lambda v: FILM.to_gif(v, 1),
        lambda v: FILM.to_gif(20, v),
        lambda v: FILM.to_gif(1, 1, v),
        lambda v: FILM.to_gif(1, 1, ["select"], seconds=v),
        lambda v: FILM.to_html(v),
        lambda v: FILM.plot_root(v),
        lambda v: FILM.link(v),
        lambda v: Film(WALK, 5, "tidy").frame(v),
        lambda v: Film(SMALL, iterations=v),
        lambda v: Film(SMALL, iterations=[3, v]),
        lambda v: FEW.frame(v),
        lambda v: Player(FEW, v),
        tries=80,
    ),
    "players": one_of(
        Player,
        lambda v: Player(FILM, v),
        lambda v: Player(FILM, 1, v),
        lambda v: Player(FILM, cards=v),
        lambda v: Player(SMALL, cards=v),
        lambda v: Player(FILM, large=v),
        tries=30,
    ),
    "pairs": one_of(
        lambda v: Compare(v, FILM),
        lambda v: Compare(FILM, v),
        lambda v: Compare(FILM, FILM, v),
        lambda v: Compare(FILM, FILM, cards=v),
        lambda v: Compare(FILM, FILM, large=v),
        tries=30,
    ),
    "boards to play on": one_of(
        Play,
        lambda v: play_against(opponent=v),
        lambda v: play_against(iterations=v if few(v) else None),
        lambda v: play_against(seconds=v if soon(v) else None),
        lambda v: play_against(first=v),
        lambda v: play_against(state=v),
        lambda v: play_against().play(v),
        tries=60,
    ),
    "contests": one_of(
        lambda v: arena(v, GAME, games=2),
        lambda v: arena(RIVALS, v, games=2),
        lambda v: arena({"a": RandomPlayer(GAME, 1), "b": v}, GAME, games=2),
        lambda v: arena(RIVALS, GAME, games=v if few(v) else -1),
        lambda v: arena(RIVALS, GAME, games=2, seed=v),
        lambda v: arena(RIVALS, GAME, games=2, opening=v),
        tries=60,
    ),
}


# Trying them -------------------------------------------------------------------------------


def shown(value: object) -> str:
    """How a sentence that names the value begins to name it."""
    try:
        return repr(value)[:12].replace("\n", " ")
    except Exception:
        return "whose repr raises"


def sentence_of(area: Area, value: Any) -> str | None:
    """Why the input was refused; ``None`` if it was taken."""
    try:
        area.take(value)
    except MctsVizError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", AREAS)
def test_bad_input_is_refused_in_a_sentence(name: str, request: pytest.FixtureRequest) -> None:
    area = AREAS[name]
    tries = area.tries * (LONG if request.config.getoption("--slow") else 1)
    tried = 0

    @settings(
        max_examples=tries,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(area.inputs)
    def try_one(value: Any) -> None:
        nonlocal tried
        tried += 1
        said = sentence_of(area, value)
        if said is not None:
            assert 20 < len(said) <= LONGEST_SENTENCE, said
            assert "\n" not in said, said
            assert said.endswith((".", "=...")), said
            if area.named:
                assert shown(value) in said, said

    try_one()
    assert tried >= tries, "Hypothesis found no more inputs"


def test_the_areas_make_enough_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    short = sum(area.tries for area in AREAS.values())
    with capsys.disabled():
        print(f" [{short:,} bad inputs, {short * LONG:,} with --slow] ", end="", flush=True)
    assert short >= 2_000
    assert short * LONG >= 10_000


# Room --------------------------------------------------------------------------------------

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
    "a state of Nim with huge heaps": lambda: MCTS(Nim()).search((0, *[10**9] * 3), iterations=1),
    "a range as a state": lambda: solve(Nim(), range(10**9)),
    "a range of hooks": lambda: MCTS(GAME).search(iterations=1, hooks=range(10**9)),
    "a film of a billion pictures": lambda: FILM.to_gif(1, 10**9),
    "a picture as large as a house": lambda: FILM.to_png(1, zoom=10**9),
    "moves without end": lambda: SMALL.branch(2, moves=range(10**9)),
    "a board of a million cells": lambda: GAME.parse("X." * 500_000),
    "a long list of heaps": lambda: Nim((1001,) * 1_000_000),
    "a link to a million nodes": lambda: open_link(
        "mcts-viz:ConnectFour()?seed=1&n=5&prepare=pre_expanded(99)", most=100
    ),
    "a link to a million iterations": lambda: open_link("mcts-viz:TicTacToe()?seed=1&n=1000000"),
    "a number of a million digits": lambda: MCTS(GAME, seed=10**1_000_000),
    "a trace of a hundred thousand levels": lambda: from_json("[" * 100_000),
}


@pytest.mark.parametrize("name", GREEDY)
def test_a_refusal_takes_little_room(name: str) -> None:
    assert room(GREEDY[name]) < MOST_ROOM


HUGE_FILES = {
    "numbers": lambda: changed_columns("iterations.leaf", ["HERE"]).replace(
        '"HERE"', "0," * 50_000_000 + "0"
    ),
    "nested lists": lambda: '{"format":"mcts_viz trace","playouts":[' + "[]," * 33_000_000 + "0]}",
    "one string": lambda: '{"format":"mcts_viz Q-learner","game":"' + "x" * 100_000_000 + '"}',
    "no JSON": lambda: "x" * 100_000_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE_FILES)
def test_a_file_of_100_mb_is_refused_in_little_room(name: str, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.write_text(HUGE_FILES[name]())
    assert path.stat().st_size > 95_000_000
    for load_file in (Trace.load, QLearner.load):
        assert room(partial(load_file, path)) < MOST_ROOM


def test_what_could_not_be_read_again_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcts_viz.search.saving.LARGEST", 500)
    with pytest.raises(MctsVizError, match=r"bytes, but files of at most 500 are read again"):
        SMALL.save(tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
