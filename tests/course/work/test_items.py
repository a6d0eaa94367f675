"""Items of an examination: each picture is read back, and its key is worked out again."""

import base64
import csv
import html
import json
import math
import re
from pathlib import Path
from random import Random

import nbformat
import pytest
from injections import Seen
from refusals import refused

from mcts_course.published.clinic import CLINIC, watched
from mcts_course.published.published import FAULTS, published
from mcts_course.teacher.handed_in import Roster, Student
from mcts_course.teacher.sheets import make_sheets, sheets_of
from mcts_course.work.items import cutoff, hidden_fault, next_node, rewards_on_walk, skipped_leaves
from mcts_viz.film import Film
from mcts_viz.games import GameTree
from mcts_viz.search import alpha_beta
from mcts_viz.trace import record_minimax

pytestmark = pytest.mark.many

SEEDS = range(8)


def words(picture):
    """The texts of an SVG, in the order in which they are drawn."""
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_node_is_neither_the_best_nor_the_most_visited(seed):
    item = next_node(Random(seed))
    board, cards = words(item.picture)[:9], words(item.picture)[9:]
    assert cards[0] == "root"
    total = int(cards[1].split()[0])
    moves = [text.removeprefix("move ") for text in cards[2::2]]
    shares = [tuple(map(float, text.split("/"))) for text in cards[3::2]]
    free = {str(place) for place, sign in enumerate(board) if sign not in "XO"}
    assert set(moves) == free == set(item.choices)
    assert sum(visits for _, visits in shares) == total
    scores = [w / n + math.sqrt(2) * math.sqrt(math.log(total) / n) for w, n in shares]
    means, visits = [w / n for w, n in shares], [n for _, n in shares]
    chosen = [moves[values.index(max(values))] for values in (scores, means, visits)]
    assert chosen[0] == item.key
    assert len(set(chosen)) == 3
    assert sorted(scores)[-1] - sorted(scores)[-2] >= 0.029
    said = dict(
        pair.split(": ") for pair in item.why.removeprefix("The UCB scores are ")[:-1].split(", ")
    )
    assert {m: float(s) for m, s in said.items()} == pytest.approx(
        dict(zip(moves, scores, strict=True)), abs=6e-3
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_each_card_of_a_walk_gets_the_reward_of_who_moved_into_it(seed):
    item = rewards_on_walk(Random(seed))
    shown, boards = words(item.picture), []
    while shown:
        boards.append(shown[:9])
        assert "wins + ____" in shown[11]
        shown = shown[12:]
    assert len(boards) > 3
    won = re.search(r"(X|O|no one) won the playout", item.question)[1]
    for reward, board in zip(item.key.split(", "), boards, strict=True):
        last = "X" if board.count("X") > board.count("O") else "O"
        assert reward == ("+½" if won == "no one" else "+1" if won == last else "+0")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_skipped_leaves_are_those_that_alpha_beta_never_enters(seed):
    item = cutoff(Random(seed))
    shown = [text for text in words(item.picture) if text not in ("MAX", "MIN")]
    names, values = shown[::2], [int(text.replace("−", "-")) for text in shown[1::2]]
    tree = {
        move: {names[place]: values[place] / 9 for place in range(3 * at, 3 * at + 3)}
        for at, move in enumerate(("L", "M", "R"))
    }
    walked = record_minimax(alpha_beta, GameTree(tree))
    entered = {walked.action_of(node) for node in range(1, walked.nodes)}
    assert ", ".join(name for name in names if name not in entered) == item.key


def test_an_equal_value_is_a_cutoff_too():
    assert skipped_leaves([[3, 5], [3, 1]]) == [3]
    assert skipped_leaves([[3, 5], [4, 1]]) == []


def test_a_hidden_fault_is_proven_by_the_card_that_the_key_names():
    """The film is the watched search, and its page names neither the fault nor what makes it."""
    met = set()
    for seed in range(16):
        item = hidden_fault(Random(seed))
        met.add(item.key)
        trace, page = item.film, Film(item.film).to_html()
        system = published("uct").with_faults(item.key)
        watch = watched(system.search(trace.seed), trace.root_state, len(trace))
        assert [*watch.trace.visits(len(trace))] == [*trace.visits(len(trace))]
        finding = next(found for found in watch.findings if found.fault)
        assert (finding.name, f"Iteration {finding.iteration},") == (
            CLINIC[item.key].finding,
            re.search(r"Iteration \d+,", item.why)[0],
        )
        for name in ("Misread", "one_symbol", "until_full", "root_player", "noisy", "rewards_of"):
            assert name not in page
        for told in (FAULTS[item.key].what, finding.text):
            assert told not in page + item.question + item.picture
    assert met == {name for name, patient in CLINIC.items() if patient.finding}


# Sheets


CLASS = [
    ("s1", "Ada"),
    ("s2", "<script>planted(1)</script>"),
    ("s3", "[x](javascript:y) $z$"),
    ("s4", "=1+1"),
]


@pytest.fixture
def roster(tmp_path):
    with (tmp_path / "roster.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "name"), *CLASS])
    return tmp_path / "roster.csv"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}


@pytest.mark.parametrize("lesson", ["four_phases", "perfect_play", "bug_clinic"])
def test_a_roster_and_a_seed_give_the_same_sheets_again(lesson, roster, tmp_path):
    one, again = (make_sheets(lesson, roster, "secret", tmp_path / name) for name in "ab")
    assert contents(one) == contents(again)
    other = make_sheets(lesson, roster, "guessed", tmp_path / "c")
    assert contents(one)["key.csv"] != contents(other)["key.csv"]
    rows = list(csv.reader((one / "key.csv").open(encoding="utf-8-sig", newline="")))[1:]
    assert {row[0] for row in rows} == {key for key, _ in CLASS}
    pages = [
        found
        for found in Seen((one / "sheets.html").read_text("utf-8")).foreign
        if found[0] == "script"
    ]
    assert pages == []
    for key, name in CLASS:
        text = (one / "notebooks" / f"{key}_{lesson}_item.ipynb").read_text("utf-8")
        made = nbformat.reads(text, as_version=4)
        nbformat.validate(made)
        pictures = [
            cell.attachments["item.svg"]["image/svg+xml"]
            for cell in made.cells
            if "attachments" in cell
        ]
        assert all(base64.b64decode(picture).startswith(b"<svg") for picture in pictures)
        for row in rows:
            assert json.dumps(row[4])[1:-1] not in text, "no notebook holds a key"
        assert name not in text or name == "Ada"
    assert (one / "films").exists() == (lesson == "bug_clinic")


def test_no_two_students_have_one_item_and_none_depends_on_the_others():
    students = [Student(f"s{number}", "") for number in range(30)]
    made = sheets_of("perfect_play", Roster(tuple(students)), "x")
    assert len({item.picture for _, items in made for item in items}) == 30
    alone = sheets_of("perfect_play", Roster((students[7],)), "x")
    assert alone[0] == made[7]


def test_what_makes_no_sheets_is_refused_in_a_sentence(roster, tmp_path):
    assert "one of four_phases, perfect_play, bug_clinic" in refused(
        make_sheets, "what_uct_weighs", roster, "x", tmp_path
    )
    empty = tmp_path / "only.csv"
    empty.write_text("id,name\n")
    assert "a student in each row" in refused(make_sheets, "four_phases", empty, "x", tmp_path)
    assert "a secret text" in refused(make_sheets, "four_phases", roster, " ", tmp_path)
    assert "cannot be read" in refused(make_sheets, "four_phases", Path("none.csv"), "x", tmp_path)
