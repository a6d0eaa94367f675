"""The form "One more item": a new item after each answer, and what it keeps of the answers."""

import datetime
import re
from math import comb

import pytest
from made_up_class import begin_anew

from mcts_course import once_more
from mcts_course.measure.intervals import matched_gain
from mcts_course.work import evidence, progress

pytestmark = pytest.mark.many


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """The file of this notebook."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "work.ipynb"))
    return tmp_path / ".work.progress.json"


def said(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("lesson", evidence.ASKED)
def test_each_answer_is_followed_by_another_item_also_in_a_new_kernel(
    lesson, place, capsys, monkeypatch
):
    shown = []
    monkeypatch.setattr(evidence, "_show", lambda lesson, item: shown.append(item.picture))
    once_more(lesson)
    begin_anew()
    once_more(lesson)
    assert shown[0] == shown[1], "the kernel was restarted before the answer"
    once_more(lesson, "nonsense")
    assert re.search(r"✗ Not yet: it is .+?\. ", said(capsys))
    once_more(lesson)
    assert shown[2] != shown[0]
    series = progress.read_report(place)["again"][lesson]
    today = datetime.date.today().toordinal()
    assert series == {"token": series["token"], "answers": [[today, False]]}, "no answer is kept"


def test_an_item_is_shown_with_what_to_do(place, capsys):
    once_more("perfect_play")
    assert 'once_more("perfect_play", "...")' in said(capsys)


def test_an_answer_may_be_written_in_any_way():
    for answer in ("h, i", ["i", "h"], ("H", "I"), {"h", "i"}, "h and i"[:1] + "/i"):
        assert evidence.letters_of(answer) == ["h", "i"]
    assert evidence.letters_of(7) == ["7"]


def test_the_right_answer_is_right(place, capsys, monkeypatch):
    items = []
    make = evidence.KINDS["perfect_play"][0]
    monkeypatch.setitem(
        evidence.KINDS, "perfect_play", (lambda chance: items.append(make(chance)) or items[-1],)
    )
    once_more("perfect_play")
    once_more("perfect_play", items[-1].key)
    assert "✓ Right: " in said(capsys)
    once_more("perfect_play")
    assert items[-1].picture != items[0].picture
    assert progress.read_report(place)["again"]["perfect_play"]["answers"][0][1] is True


@pytest.mark.parametrize("pairs", [20, 60])
@pytest.mark.parametrize(
    ("gains", "losses"), [(0.1, 0.1), (0.3, 0.1), (0.05, 0.4), (0.02, 0.02), (0.5, 0.5)]
)
def test_the_interval_of_a_gain_holds_the_true_one_in_about_95_of_100_classes(pairs, gains, losses):
    """The sum over all classes: no seeds, no chance."""
    held = 0.0
    for gained in range(pairs + 1):
        for lost in range(pairs - gained + 1):
            low, high = matched_gain(gained, lost, pairs)[1]
            ways = comb(pairs, gained) * comb(pairs - gained, lost)
            share = (
                ways
                * gains**gained
                * losses**lost
                * (1 - gains - losses) ** (pairs - gained - lost)
            )
            held += share * (low <= gains - losses <= high)
    assert held > 0.935
