"""Measure each claim of the lessons that rests on chance, and write docs/CLAIMS.md.

    python tools/claims.py --jobs 2         # all, on two quiet processors: half an hour
    python tools/claims.py four_phases      # those of a lesson, or sources; the other rows stay
    python tools/claims.py --new            # those whose sentence has changed
    python tools/claims.py --sample         # a few seeds each; fails if they contradict the table
    python tools/claims.py --check          # all; fails where a claim does not hold

A claim is a sentence of a lesson, word for word, and what its interval must show. Nothing is
downloaded, and the same seeds give the same table. ``tools/measures.py`` lists the claims, and
``tests/course/measure/test_claims.py`` holds each sentence against the table.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import NamedTuple

from mcts_course.lessons import ORDER
from mcts_course.measure.intervals import difference_interval, mean_interval, wilson_interval
from mcts_course.measure.workers import done_by

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "CLAIMS.md"
SOURCES = "sources"
"""In place of a lesson: the claim is in docs/SOURCES.md."""
SAMPLE = 20
"""A sample has one in so many of the seeds."""


STUDENT = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776, 12: 2.201, 20: 2.093}
"""By how many values there are: Student's t for 95 %, where there are few."""


class Measured(NamedTuple):
    """An estimate with its 95 % interval, from ``number`` searches, games or trained objects."""

    value: float
    low: float
    high: float
    number: int


def share(hits: Iterable[bool]) -> Measured:
    """The share of trials in which something happened."""
    seen = list(map(bool, hits))
    return Measured(fmean(seen), *wilson_interval(sum(seen), len(seen)), len(seen))


def mean(values: Iterable[float]) -> Measured:
    """The mean of independent values, such as differences within pairs."""
    seen = list(map(float, values))
    z = STUDENT.get(len(seen), 1.96)
    return Measured(fmean(seen), *mean_interval(seen, z), len(seen))


def middle(values: Iterable[float]) -> Measured:
    """The median of independent values, which may be infinite.

    The interval is between two of them, by their places: Conover (1999), section 3.2.
    """
    seen = sorted(map(float, values))
    reach = 0.98 * len(seen) ** 0.5
    low, high = (seen[round((len(seen) - 1) / 2 + side * reach)] for side in (-1, 1))
    return Measured(median(seen), low, high, len(seen))


def difference(one: Iterable[bool], other: Iterable[bool]) -> Measured:
    """The difference of two shares, the first less the second, in independent searches."""
    first, second = list(map(bool, one)), list(map(bool, other))
    ends = difference_interval(sum(first), sum(second), len(first))
    return Measured(fmean(first) - fmean(second), *ends, len(first))


@dataclass(frozen=True)
class Between:
    """The claim holds if the whole interval lies in this range."""

    low: float = -inf
    high: float = inf

    def verdict(self, found: Measured) -> str:
        """ "holds", "does not hold", or "open" where the interval reaches across an end."""
        if self.low <= found.low and found.high <= self.high:
            return "holds"
        return "does not hold" if found.high < self.low or found.low > self.high else "open"

    def __str__(self) -> str:
        if self.high == inf:
            return f"above {self.low:.3g}"
        return (
            f"below {self.high:.3g}" if self.low == -inf else f"{self.low:.3g} to {self.high:.3g}"
        )


@dataclass(frozen=True)
class Number:
    """The claim holds if this number of its sentence, as it is rounded there, fits the interval."""

    text: str

    @property
    def value(self) -> float:
        """The number: ``37 %`` is 0.37, and ``36 of the 40`` is 0.9."""
        return float(self._digits[0]) / self._whole

    @property
    def rounding(self) -> float:
        """Half a unit of its last digit."""
        return 0.5 * 10 ** -len(self._digits[0].partition(".")[2]) / self._whole

    @property
    def _digits(self) -> list[str]:
        return re.findall(r"\d+(?:\.\d+)?", self.text)

    @property
    def _whole(self) -> float:
        """The whole that the number is a part of: 100 for per cent, and 40 for ``36 of the 40``."""
        if len(self._digits) > 1:
            return float(self._digits[1])
        return 100.0 if "%" in self.text else 1.0

    def verdict(self, found: Measured) -> str:
        """ "holds" or "does not hold"."""
        fits = found.low - self.rounding <= self.value <= found.high + self.rounding
        return "holds" if fits else "does not hold"

    def __str__(self) -> str:
        return self.text


def text_of(lesson: str) -> str:
    """The text that holds the claims of a lesson, or of docs/SOURCES.md."""
    lessons = ROOT / "mcts_course" / "lessons"
    path = ROOT / "docs" / "SOURCES.md" if lesson == SOURCES else lessons / f"{lesson}.md"
    return path.read_text("utf-8")


@dataclass(frozen=True)
class Claim:
    """A sentence of a lesson, or a part of one, that rests on chance."""

    lesson: str
    words: str
    """As they are in the lesson's source."""
    what: str
    """The measured quantity, such as ``share that play 7``."""
    says: Between | Number
    measure: Callable[[int], Measured]
    number: int = 2000
    """Of seeds, or of what it is ``over``."""
    least: int = 4
    """In a sample."""
    over: str = ""
    """The cases that the interval is over, such as ``tables``, if not searches with new seeds."""


HEADS = (
    "lesson",
    "what it says",
    "what is measured",
    "of",
    "estimate",
    "95 % interval",
    "claim",
    "verdict",
)


def key_of(claim: Claim) -> tuple[str, ...]:
    """The first cells of a row of the table, by which a stored row is found."""
    return claim.lesson, claim.words.replace("|", "\\|"), claim.what


Rows = list[tuple[str, ...]]


def row(claim: Claim, found: Measured) -> tuple[str, ...]:
    """The row of a claim in the table."""
    form = ".3f" if max(map(abs, found[:3])) < 10 else ".1f"
    return (
        *key_of(claim),
        f"{found.number:,} {claim.over}".strip(),
        f"{found.value:{form}}",
        f"{found.low:{form}} to {found.high:{form}}",
        str(claim.says),
        claim.says.verdict(found),
    )


def stored() -> list[tuple[str, ...]]:
    """The rows of the page."""
    lines = PAGE.read_text("utf-8").splitlines() if PAGE.exists() else []
    cells = [
        re.split(r"(?<!\\)\|", line.strip("|"))
        for line in lines
        if re.match(rf"\| ({'|'.join(ORDER)}|{SOURCES}) ", line)
    ]
    return [tuple(cell.strip() for cell in each) for each in cells]


def measured(cells: Sequence[str]) -> Measured:
    """The measurement in a stored row."""
    low, high = cells[5].split(" to ")
    return Measured(
        float(cells[4]), float(low), float(high), int(cells[3].split()[0].replace(",", ""))
    )


def page(rows: Iterable[Sequence[str]]) -> str:
    """The page, with these rows."""
    lines = [f"| {' | '.join(cells)} |" for cells in (HEADS, ["---"] * len(HEADS), *rows)]
    return TEXT + "\n".join(lines) + "\n"


TEXT = """# Claims

Every claim of a lesson that rests on chance, and how it was measured. `python tools/claims.py`
makes this page, and a test holds each sentence against it. *Of* is the number of searches with
different seeds, 2,000 or more, or of what is named there: positions, games, trees and searches
that take long, or trained objects.
Where a table or a network was trained, the interval is over the trained ones, because one of them
is one experiment; where positions differ more than seeds do, it is over positions. A claim of the
form *0.2 to 0.4* holds if the whole interval lies there, so "no difference" is said only where
the interval is narrow enough to say it. A claim that is a number holds if the interval contains
it, as it is rounded. What is computed exactly, such as a count of positions, is checked in the
lessons.

"""


def wrong(claim: Claim, found: Measured, before: Sequence[str] | None, sample: bool) -> bool:
    """True if the claim does not hold; of a sample, if it contradicts the table."""
    if not sample:
        return claim.says.verdict(found) != "holds"
    return before is None or not _meet(found, measured(before))


def write(rows: Mapping[tuple[str, ...], Sequence[str]], claims: Sequence[Claim]) -> None:
    """Write the page, in the order of the claims, judged as they are now; other rows go."""
    kept = [(claim, rows[key_of(claim)]) for claim in claims if key_of(claim) in rows]
    judged = [
        (*cells[:6], str(claim.says), claim.says.verdict(measured(cells))) for claim, cells in kept
    ]
    PAGE.write_text(page(judged), "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and say what does not hold; 1 if something does not."""
    from measures import CLAIMS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", nargs="*", help="all if none")
    parser.add_argument("--sample", action="store_true", help="a few seeds, against the table")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--new", action="store_true", help="only what the page does not have")
    given = parser.parse_args(arguments)
    known = {cells[:3]: cells for cells in stored()}
    done = known if given.new else {}
    wanted = [
        c for c in CLAIMS if c.lesson in (given.lessons or [c.lesson]) and key_of(c) not in done
    ]
    workers = ProcessPoolExecutor(given.jobs, get_context("spawn")) if given.jobs > 1 else None
    with workers or nullcontext():
        keep = None if given.sample or given.check else partial(_keep, known)
        return int(measured_by(workers, wanted, given.sample, keep) > 0)


def _keep(known: dict[tuple[str, ...], tuple[str, ...]], measured: tuple[Rows, int]) -> None:
    """Write the page after each lesson, so that what is measured is not lost."""
    from measures import CLAIMS

    known |= {cells[:3]: cells for cells in measured[0]}
    write(known, CLAIMS)


def measured_by(
    executor: Executor | None,
    wanted: Sequence[Claim],
    sample: bool,
    heard: Callable[[tuple[Rows, int]], object] | None = None,
) -> int:
    """Measure these claims, by the executor's workers if there is one; how many are wrong.

    Those of a lesson are one piece, so that they share their searches; ``heard`` is called with the
    rows of each. What an interrupt or the death of a worker leaves out counts as wrong.
    """
    from measures import CLAIMS

    places: dict[str, list[int]] = {}
    for claim in wanted:
        places.setdefault(claim.lesson, []).append(CLAIMS.index(claim))
    longest_first = [(each, sample) for each in reversed(places.values())]
    answers = done_by(executor, _measure, longest_first, "lessons", False, heard)
    left_out = len(longest_first) - len(answers.by_place)
    failed: int = sum(fails for _, fails in answers.by_place.values())
    return left_out + failed


def _measure(places: Sequence[int], sample: bool) -> tuple[Rows, int]:
    """Measure the claims at these places of the list, and print their rows; how many are wrong."""
    from measures import CLAIMS

    known = {cells[:3]: cells for cells in stored()}
    rows: Rows = []
    failed = 0
    for claim in (CLAIMS[place] for place in places):
        begun = perf_counter()
        number = max(claim.least, claim.number // SAMPLE) if sample else claim.number
        found = claim.measure(number)
        fails = wrong(claim, found, known.get(key_of(claim)), sample)
        rows.append(row(claim, found))
        failed += fails
        sign = "✗" if fails else "✓"
        print(f"{sign} {perf_counter() - begun:5.1f} s {' | '.join(rows[-1])}", flush=True)
    return rows, failed


def _meet(one: Measured, other: Measured) -> bool:
    return one.low <= other.high and other.low <= one.high


if __name__ == "__main__":
    sys.exit(main())
