"""Saving and loading: the same text again, golden files, and a sentence for all that is damaged.

The golden files are made, and made again, by ``tests/golden_traces.py``.
"""

import copy
import json
import os
import signal
import stat
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import fields, replace
from functools import reduce
from itertools import product
from operator import getitem
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np
import pytest
from golden_traces import GOLDEN, RECIPES
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import (
    PENCIL,
    PlantedError,
    Steps,
    boom,
    constants,
    games,
    interrupt,
    position,
    seeds,
)
from refusals import refused
from searches import traced, uct

from mcts_viz import (
    MCTS,
    ConnectFour,
    Film,
    GameTree,
    MCTSSolver,
    MctsVizError,
    Nim,
    TicTacToe,
    Trace,
    TraceError,
    ucb1,
)
from mcts_viz.search import PHASES, variants
from mcts_viz.trace import storage
from mcts_viz.trace.columns import Playouts, Proofs
from mcts_viz.trace.ledger import Rows, Sums
from mcts_viz.trace.storage import from_json, to_json


def columns(trace):
    """All that a trace holds but for its specs, as values."""
    held = [
        getattr(trace, field.name) for field in fields(trace) if not field.name.endswith("spec")
    ]
    held += [*trace.proofs, trace.playouts.actions, trace.playouts.lengths]
    held += [trace.ledger.names, *trace.ledger.before.values()]
    held = [value for value in held if not isinstance(value, Playouts | Proofs | Sums | Rows)]
    return [(v.dtype, v.tolist()) if isinstance(v, np.ndarray) else v for v in held]


# Round trips.


@given(game=games, c=constants, seed=seeds, iterations=st.integers(1, 60))
def test_what_is_saved_is_loaded(game, c, seed, iterations):
    trace = MCTS(game, c, seed).record(position(game, seed), iterations=iterations)
    again = from_json(to_json(trace))
    assert columns(again) == columns(trace)
    assert to_json(again) == to_json(trace)


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_search_is_the_same_on_every_machine(name):
    text = (GOLDEN / f"{name}.json").read_bytes()
    trace = RECIPES[name]()
    assert to_json(trace).encode() == text
    assert to_json(from_json(text, trace.first_spec)).encode() == text


def test_a_file_of_the_version_before_is_loaded():
    """The version before knew only sums, and they are still written as they were."""
    for search in (uct(4), MCTSSolver(TicTacToe(), seed=4)):
        trace = search.record(iterations=80)
        document = json.loads(to_json(trace))
        old = from_json(json.dumps({**document, "version": 3}))
        assert old.wins(80).tolist() == trace.wins(80).tolist()
        assert json.loads(to_json(old)) == document


# Games and rules of one's own.


def test_a_rule_that_only_has_the_name_of_ours_is_not_taken_for_it():
    def ucb1_of_mine(child, parent, c):
        return ucb1(child, parent, 2 * c)

    ucb1_of_mine.__name__ = "ucb1"
    mine = uct(selection=ucb1_of_mine)
    text = to_json(mine.record(iterations=40))
    assert "hand in one with the same game and policies, search=MCTS(game, ...)" in assert_refused(
        text
    )
    given = from_json(text, mine.but(c=1, seed=7))
    assert (given.selection, given.c, given.seed) == (ucb1_of_mine, mine.c, 1)
    for other in (uct(), MCTSSolver(TicTacToe(), selection=ucb1_of_mine)):
        assert_refused(text, search=other)


def test_another_result_of_a_random_playout_is_refused():
    results = DOCUMENT["columns"]["outcome"]
    assert len({*results}) > 1
    for number, result in enumerate(results):
        other = (result + 1) % len({*results})
        said = assert_refused(changed(f"columns/outcome/{number}", other))
        assert f"playout of iteration {number + 1} has another" in said


@pytest.mark.parametrize("name", ["solver_nim", "continued_solver"])
def test_a_proof_that_does_not_follow_from_the_games_is_refused(name):
    document = json.loads((GOLDEN / f"{name}.json").read_bytes())
    proofs = {each: document["columns"][f"proofs.{each}"] for each in ("sign", "since")}
    proven = [node for node, sign in enumerate(proofs["sign"]) if sign]
    assert proven
    for node in proven:
        sign, since = (column[node] for column in proofs.values())
        for place, wrong in (("sign", -sign), ("sign", 0), ("since", 0 if since else 1)):
            said = assert_refused(changed(f"columns/proofs.{place}/{node}", wrong, document))
            assert "its proofs do not follow from its games" in said


def with_a_draw_each(search):
    """An initial expansion that gives each first move a visit, also where it ends the game."""
    variants.add_all(search, search.root)
    for child in search.root.children:
        child.visits, child.wins, child.mean, child.inv_sqrt_visits = 1, 0.5, 0.5, 1.0
    search.root.visits = len(search.root.children)


@pytest.mark.parametrize("iterations", [1, 60])
def test_an_end_that_was_given_visits_before_the_search_proves_nothing_by_them(iterations):
    game = GameTree({"a": {"c": 0, "d": -1}, "b": -1})
    solver = MCTSSolver(game, seed=1, initial_expansion=with_a_draw_each)
    trace = solver.record(iterations=iterations)
    assert trace.proofs.sign.any() == (iterations > 1)
    assert columns(from_json(to_json(trace), solver)) == columns(trace)


def test_a_fork_that_begins_with_other_moves_than_were_asked_for_is_refused():
    fork = traced(20).fork(10, moves=[4])
    document = json.loads(to_json(fork))
    for moves in ([0], [4, 4], [[4]]):
        wrong = changed("branch_points/0/1", moves, document)
        assert "walks that were chosen" in assert_refused(wrong)


# What is damaged: always a TraceError, always a sentence.

DOCUMENT = json.loads(to_json(traced(20, 1, text="XO. .X. ...")))


def assert_refused(text, **keywords):
    return refused(from_json, text, _kind=TraceError, **keywords)


def changed(path, value, original=None):
    """The document with another value at ``path``, such as ``columns/parent/3``."""
    document = copy.deepcopy(original or DOCUMENT)
    *above, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    reduce(getitem, above, document)[last] = value
    return json.dumps(document)


def test_a_text_that_is_cut_short_is_refused():
    text = to_json(from_json(json.dumps(DOCUMENT)))
    assert len(text) > 500
    for length in range(len(text)):
        assert "or a damaged one" in assert_refused(text[:length])


NODES = len(DOCUMENT["columns"]["parent"])
NO_TRACE = "", " ", "{}", "[]", "null", "3", '"a"', "nonsense", "\x00"
NOT = "This is no saved trace, or a damaged one ("
DAMAGED = [
    ("version", 2),
    ("version", "3"),
    ("format", "a film"),
    ("position", "XX. ... ..."),
    ("position", "XXX OO. ..."),
    ("columns/parent/1", 2),
    ("columns/parent/0", 0),
    ("columns/created_at/1", 5),
    ("columns/created_at/1", 99),
    ("columns/action/1", 99),
    ("columns/proofs.since", [10**6] * NODES),
    ("columns/leaf/0", 2),
    ("columns/visits_before", [0] * (NODES - 1) + [5]),
    ("columns/leaf/0", 10**6),
    ("columns/playouts.lengths/0", 10**9),
    ("outcomes/0/0", [1, -1, 0]),
    *(("outcomes/0/1", rewards) for rewards in ([0.5, 0.25], [0.5001, 0.4999], [1e9, -1e9])),
    ("actions/0", 0),
    ("game/parameters", {"size": 4}),
]
TOLD = [
    *((*each, NOT) for each in DAMAGED),
    ("version", 5, "The file has version 5, and this mcts_viz reads versions up to 4: "),
    ("game/name", "Chess", "'Chess'"),
    ("search/selection", "ucb2", "'ucb2'"),
    ("columns/proofs.sign", [0, 1] + [0] * (NODES - 2), "it has proofs"),
    ("outcomes", DOCUMENT["outcomes"][:1] * 2_000, "more outcomes than iterations"),
]


@pytest.mark.parametrize(("path", "value", "words"), TOLD, ids=lambda value: str(value)[:30])
def test_what_is_damaged_is_refused_in_one_sentence(path, value, words):
    assert words in assert_refused(changed(path, value))


def test_what_is_no_trace_or_not_of_this_search_is_told():
    nameless = {name: value for name, value in DOCUMENT.items() if name != "format"}
    assert "('format' is missing)" in assert_refused(json.dumps(nameless))
    for text in NO_TRACE:
        assert assert_refused(text).endswith("): give a file that trace.save(...) wrote.")
    text = json.dumps(DOCUMENT)
    for game in (Nim(), ConnectFour(3, 3, 3), PENCIL, Steps()):
        assert_refused(text, search=MCTS(game))
    for wrong in (TicTacToe(), MCTS, "MCTS", 5):
        said = assert_refused(text, search=wrong)
        assert said.startswith("search must be an MCTS with the same game and policies")


def places(value, path=()):
    """Every place in a document."""
    yield path
    if isinstance(value, dict):
        for key, below in value.items():
            yield from places(below, (*path, key))
    if isinstance(value, list):
        for number, below in enumerate(value):
            yield from places(below, (*path, number))


NOT_A_VALUE = [None, True, "x", 1.5, -7, [], {}, [[]], 10**400, float("nan"), float("inf")]
FIELDS = [
    "/".join(map(str, path))
    for path in places(DOCUMENT)
    if path and all(step == 0 or isinstance(step, str) for step in path)
]
ALLOWED = {
    "game/parameters": [{}],
    "search/c": [1.5],
    "search/seed": [None, -7, 10**400],
    "branch_points": [[], {}],
    "position": [None],  # which is the start
    "outcomes/0/0/0": [True, 1.5, -7],
    "outcomes/0/1/0": [True, 1.5, -7],
    **{
        f"columns/{name}/0": [True]  # which is 1
        for name in ("action", "leaf", "outcome", "playouts.lengths", "playouts.actions")
    },
}


def test_a_value_of_the_wrong_kind_is_refused():
    for path, value in product(FIELDS, NOT_A_VALUE):
        if value not in ALLOWED.get(path, []):
            assert_refused(changed(path, value))


def test_deep_nests_are_refused():
    for depth in (90, 110, 300, 950, 3_000, 100_000):
        nests = ["[" * depth + "]" * depth]
        assert_refused(nests[0])
        game = json.dumps({"name": "GameTree", "parameters": {"tree": "HERE"}})
        if depth < 1_000:
            nests.append(game.replace('"HERE"', '{"a":' * depth + "9" + "}" * depth))
        for field, nest in product(("columns", "actions", "search", "game", "version"), nests):
            assert_refused(json.dumps(DOCUMENT | {field: "HERE"}).replace('"HERE"', nest))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=3), below, max_size=2)
    ),
    max_leaves=6,
)
DOCUMENTS = [
    json.loads(to_json(traced(20, game=game)))
    for game in [TicTacToe(), ConnectFour(4, 4), Nim((2, 3)), PENCIL]
]


@st.composite
def damaged(draw):
    """A valid document that was changed at a few random places."""
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        *above, last = draw(st.sampled_from([path for path in places(document) if path]))
        place = reduce(getitem, above, document)
        old, new = place[last], [draw(JSON)]
        if type(old) is int:
            new += [old - 1, old + 1, float(old)]
        if isinstance(old, list):
            new += [old[:-1], old + old[-1:], draw(st.permutations(old))]
        if draw(st.integers(0, 9)):
            place[last] = draw(st.sampled_from(new))
        else:
            del place[last]
    return document


def check_loaded(text):
    """See that it is refused, or can be looked at, shown, and written again without a loss."""
    try:
        trace = from_json(text)
    except TraceError:
        assert_refused(text)
        return
    end = trace.at(trace.iterations)
    assert end.visits[0] == trace.iterations + trace.visits_before[0]
    assert [end.score(node) for node in range(end.nodes)]
    assert columns(from_json(to_json(trace))) == columns(trace)
    assert len(repr(trace)) < 300
    film, half = Film(trace), (trace.iterations + 1) // 2
    for iteration, phase in product((1, half, trace.iterations), PHASES):
        assert len(film.caption(iteration, phase)) < 1000
    assert film.payload()
    assert len(film.to_svg(half)) < 1_000_000
    assert len(film.to_text(half)) < 100_000
    with suppress(MctsVizError):
        trace.fork(half, iterations=2)


@settings(max_examples=200)
@given(document=damaged())
def test_a_damaged_document_is_refused_or_holds_a_sound_trace(document):
    check_loaded(json.dumps(document))


# Files.


def test_a_file_or_folder_that_is_not_there_is_named(tmp_path):
    trace = traced(5)
    for ask in (trace.save, Trace.load):
        for path in (tmp_path / "no" / "file.json", tmp_path, "a\0b"):
            assert repr(str(path)) in refused(ask, path, _kind=TraceError)
    assert list(tmp_path.iterdir()) == []


def fail_halfway(path, data):
    with open(path, "wb") as file:
        file.write(data[:100])
    raise PlantedError


FAILURES = {
    "json.dumps": boom,
    "pathlib.Path.replace": boom,
    "pathlib.Path.write_bytes": fail_halfway,
}


@pytest.mark.parametrize("broken", FAILURES)
def test_an_old_file_survives_a_failure(tmp_path, monkeypatch, broken):
    path, trace = tmp_path / "trace.json", traced(5)
    path.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(broken, FAILURES[broken])
        with pytest.raises(TraceError, match=r"is not saved|cannot be written"):
            trace.save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["trace.json"]


# Where a file is put.


def test_threads_that_save_to_one_name_leave_a_whole_file(tmp_path):
    traces = [traced(300, seed) for seed in range(4)]
    path = tmp_path / "one.json"
    traces[0].save(path)

    def save_and_read(trace):
        for _ in range(5):
            trace.save(path)
            assert len(Trace.load(path)) == 300

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save_and_read, traces))
    assert [entry.name for entry in tmp_path.iterdir()] == ["one.json"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_is_followed(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.touch()
    link.symlink_to(real)
    traced(9).save(link)
    assert link.is_symlink()
    assert len(Trace.load(real)) == len(Trace.load(link)) == 9


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
def test_what_is_no_regular_file_is_neither_replaced_nor_read(tmp_path):
    trace = traced(9)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null")):
        for ask in (trace.save, Trace.load):
            assert "it is no regular file" in refused(ask, path)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_watched_search_is_not_saved():
    assert "keep its film" in refused(to_json, replace(traced(3), watched=True))


# What would cost too much is refused before it is built.


def room(call):
    """Bytes that a call, which must be refused, takes at most at a time."""
    tracemalloc.start()
    try:
        refused(call)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_refusal_takes_little_room(tmp_path):
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(10**9)
    assert room(lambda: Trace.load(tmp_path / "huge.json")) < 50_000_000
    assert room(lambda: TicTacToe().parse("X." * 500_000)) < 200_000_000
    assert room(lambda: Nim([1000] * 100_000)) < 200_000_000


def test_what_could_not_be_read_again_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "LARGEST", 500)
    assert "it has more than 500 bytes" in refused(traced(20).save, tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []


def struck(delay, work, *given):
    """Work, with a keyboard interrupt after so many seconds; whether it was let out."""
    before = signal.signal(signal.SIGALRM, lambda *_: interrupt())
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        work(*given)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


@pytest.mark.skipif(os.name == "nt", reason="a timer of POSIX")
@pytest.mark.parametrize("times", [12, pytest.param(1_000, marks=pytest.mark.slow)])
def test_of_a_file_that_was_interrupted_the_old_or_the_new_is_whole(times, tmp_path):
    path, random, found = tmp_path / "trace.json", Random(times), Counter()
    old, new = (traced(count, 4) for count in (5, 400))
    texts = {to_json(old): "old", to_json(new): "new"}
    begun = perf_counter()
    new.save(path)
    usual = perf_counter() - begun
    for turn in range(times):
        old.save(path)
        most = 1.2 * usual * (turn + 1) / times
        let_out = struck(random.uniform(0.0001, most), new.save, path)
        found[texts[path.read_text()], let_out] += 1
    assert found["old", True], "some came in time, however busy the machine is"
    assert not found["old", False]
    new.save(path)
    assert os.listdir(tmp_path) == ["trace.json"], "what an interrupt left is gone after the next"


# Numbers and texts that no search writes, and what can be done with a trace that is loaded.

PLAYED = DOCUMENTS[0]
EXTREMES = [
    *(
        ("actions", [*PLAYED["actions"], junk])
        for junk in (None, "x", "\ud800", 2**70, {"a": 1}, [1, [2]])
    ),
    *(("search/c", c) for c in (1e300, 1e308, 5e-324)),
    *(("search/seed", seed) for seed in (10**119, 10**4000)),
    *(("columns/wins_before", [wins] * 21) for wins in (1e300, -1e308, 1e15)),
    ("outcomes/0/1", [1e308, 1e308]),
    *(("outcomes/0/0", returns) for returns in ([5, 5], [1e308, 0])),
    *(("branch_points", [point]) for point in ([1, [], 1e300], [1e308, [], 1], [1, [[2**64]], 1])),
    ("branch_points", [[1, [2**64], 1]]),
    ("position", " " * 1_000_000 + "... ... ..."),
    ("position", "." * 1_000_000),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("path", "value"), EXTREMES, ids=lambda value: str(value)[:30])
def test_a_trace_that_is_loaded_can_be_shown(path, value):
    check_loaded(changed(path, value, PLAYED))


class OwnPlayouts(MCTS):
    """A search with a way of its own to play on, which no policy tells."""

    def simulate(self, node):
        return super().simulate(node)


def test_a_file_of_a_search_with_phases_of_its_own_wants_that_search():
    """Else its film would say that it plays at random."""
    text = to_json(OwnPlayouts(TicTacToe(), seed=1).record(iterations=9))
    assert "'own': ['simulate']" in refused(from_json, text)
    assert to_json(from_json(text, OwnPlayouts(TicTacToe()))) == text


def test_a_file_that_another_program_reads_for_a_moment_is_replaced_all_the_same(
    tmp_path, monkeypatch
):
    """As on Windows, where a scanner or a sync of the cloud holds it; held for good, it stays."""
    place = tmp_path / "x.json"
    place.write_bytes(b"before")
    replace, held = Path.replace, iter([True] * 3 + [False])

    def shared(self, target):
        if next(held, True):
            raise PermissionError(13, "in use")
        return replace(self, target)

    monkeypatch.setattr(storage, "WAITS", (0.0,) * 5)
    monkeypatch.setattr(Path, "replace", shared)
    storage.put(place, b"after")
    assert place.read_bytes() == b"after"
    with pytest.raises(PermissionError):
        storage.put(place, b"never")
    assert place.read_bytes() == b"after"
    assert [*tmp_path.iterdir()] == [place]
