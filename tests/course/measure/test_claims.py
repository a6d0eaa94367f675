"""The claims of the lessons that rest on chance agree with docs/CLAIMS.md, sentence by sentence."""

import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.many

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tools"))
claims = pytest.importorskip("claims")
pytest.importorskip("numba", reason="the measurements use the compiled search")
CLAIMS = __import__("measures").CLAIMS
ROWS = {cells[:3]: cells for cells in claims.stored()}


def test_the_table_has_the_claims_and_no_others():
    """Else ``python tools/claims.py --new`` measures what is missing."""
    assert list(ROWS) == [claims.key_of(claim) for claim in CLAIMS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.lesson}: {claim.what}")
def test_a_claim_is_in_its_lesson_and_holds(claim):
    """Its words are the lesson's, its number is in them, and the measured interval agrees."""
    assert claim.words in claims.text_of(claim.lesson)
    if isinstance(claim.says, claims.Number):
        assert claim.says.text.split(" of ")[0] in claim.words
    cells = ROWS[claims.key_of(claim)]
    assert claims.row(claim, claims.measured(cells))[-1] == cells[-1] == "holds"


INTERVALS = {
    "score against UCT, over the tables": ("hints", "0.55 to 0.60"),
    "A less B, random games": ("teach_itself", "0.03 to 0.10"),
    "A less B, games of two searches": ("teach_itself", "−0.01 to 0.05"),
    "score of A against B": ("teach_itself", "0.48 to 0.56"),
}
"""By what is measured: an interval that a lesson prints."""


@pytest.mark.parametrize("what", INTERVALS)
def test_an_interval_in_a_text_is_that_of_the_table(what):
    lesson, said = INTERVALS[what]
    assert said in claims.text_of(lesson)
    [found] = [claims.measured(cells) for cells in ROWS.values() if cells[2] == what]
    assert [found.low, found.high] == pytest.approx(
        [float(n.replace("−", "-")) for n in said.split(" to ")], abs=6e-3
    )


LEAST = {"": 2000, "long searches": 100, "claims": 1900, "positions": 100, "trees": 40}
LEAST |= {"tables": 20, "pairs": 12, "games": 12}
"""By what an interval is over: how many there must be."""


def test_every_verdict_rests_on_enough():
    """2,000 seeds, or the page says what else was counted."""
    counted = Counter(claim.over for claim in CLAIMS)
    assert counted.keys() == LEAST.keys()
    assert counted[""] > 90
    for claim in CLAIMS:
        cells = ROWS[claims.key_of(claim)]
        assert claims.measured(cells).number >= LEAST[claim.over], cells
        assert cells[3].partition(" ")[2] == claim.over


SOME = [claim for claim in CLAIMS if claim.number >= 2000 and claim.lesson != "which_move"][::7]
QUICK = [claim for claim in SOME if claim.lesson not in ("four_phases", "reasoning")]


@pytest.mark.parametrize("claim", QUICK, ids=lambda claim: f"{claim.lesson}: {claim.what}")
def test_a_few_seeds_do_not_contradict_the_table(claim):
    """CI asks this of all claims, of more: ``python tools/claims.py --sample``."""
    found = claim.measure(claim.number // claims.SAMPLE // 4)
    known = claims.measured(ROWS[claims.key_of(claim)])
    assert found.low <= known.high
    assert known.low <= found.high


def test_a_verdict_is_about_the_whole_interval():
    """An interval that reaches across an end leaves the claim open: it does not hold by default."""
    wide = claims.Measured(0.5, 0.2, 0.8, 10)
    assert claims.Between(0.4, 0.6).verdict(wide) == "open"
    assert claims.Between(0.1, 0.9).verdict(wide) == "holds"
    assert claims.Between(high=0.1).verdict(wide) == "does not hold"
    assert claims.Number("90 %").verdict(wide) == "does not hold"
    assert claims.Number("4 of 10").value == claims.Number("40 %").value == 0.4
    assert claims.Number("0.17").rounding == pytest.approx(0.005)
