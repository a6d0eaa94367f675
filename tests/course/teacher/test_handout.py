"""The hand-out of one class: what it says, and the key on the teacher's page."""

import re
from pathlib import Path

from injections import Seen

from mcts_course.teacher.handout import handout, handout_items

TEACHING = Path(__file__).parents[3] / "docs" / "TEACHING.md"


def test_the_hand_out_is_two_pages_that_load_nothing():
    page = handout()
    assert page == handout()
    assert page.count("class='sheet'") == 2
    assert not [
        found for found in Seen(page).foreign if found[0] in ("script", "link", "img", "iframe")
    ]
    assert "http" not in page.replace("http://www.w3.org/", "")
    for item in handout_items():
        assert item.picture in page
        assert item.why not in page


def test_the_script_of_one_class_has_the_hand_out_s_key():
    text = TEACHING.read_text("utf-8")
    walk, choice = handout_items()
    assert f"**1.** {walk.key}:" in text
    assert f"**2.** Move {choice.key}." in text
    assert choice.why.removeprefix("The UCB scores are ").removesuffix(".") in text
    shares = dict(re.findall(r">move (\d)</text><text[^>]*>([\d.]+/\d+)<", choice.picture))
    wins = {move: [float(part) for part in share.split("/")] for move, share in shares.items()}
    assert f"move {choice.key}: {shares[choice.key]}, score" in text
    mean = max(wins, key=lambda move: wins[move][0] / wins[move][1])
    most = max(wins, key=lambda move: wins[move][1])
    assert (
        f"the highest mean is that of move {mean}, the most visits are those of move {most}" in text
    )


def test_each_script_fills_its_time_without_a_gap():
    """One class, then two sessions and four weeks, each with its own tables."""
    tables = re.findall(r"(?:^\| \d+–\d+ \|.*\n)+", TEACHING.read_text("utf-8"), re.M)
    lasted = []
    for table in tables:
        rows = re.findall(r"^\| (\d+)–(\d+) \|", table, re.M)
        ends = [int(end) for _, end in rows]
        assert [int(start) for start, _ in rows] == [0, *ends[:-1]]
        lasted.append(ends[-1])
    assert lasted == [75, *[90] * 6]
