"""Exercises with feedback: a reply names the misconception behind a wrong answer.

An exercise knows the right answer, and what students with some misconception would answer. Its
reply starts with ✓ Right, ✗ Not yet or ○ Open. A wrong answer never shows the right one; hints
come on request: one, then the solution. No answer makes an exercise raise, so a
notebook with empty stubs runs to its end. The answers are in the ``TOPIC.py`` of a lesson, the
replies in its source ``TOPIC.md``.
"""

from __future__ import annotations

import ast
import dis
import gc
import inspect
import math
import random
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from copy import copy, deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from numbers import Real
from pathlib import Path
from textwrap import dedent
from types import FrameType
from typing import Any, Final, NamedTuple

from IPython.core.getipython import get_ipython

from mcts_viz.errors import MctsVizError

from ..lessons import read_texts
from ..show.feedback import Shown, say, show_button
from ..show.tables import Table
from .progress import HINTS, MOST, keep, record


class Texts(NamedTuple):
    """The texts of an exercise."""

    why: str
    """The reason why the right answer is right."""
    replies: Mapping[str, str]
    """By the name of a misconception: the hint that helps."""
    advice: str = ""
    """A step to try, for a wrong answer without a reply of its own."""
    hint: str = ""
    """The first step of a solution."""
    name: str = ""
    """The full name of the exercise, such as ``four_phases.next_move``."""


def texts_of(lesson: str) -> dict[str, Texts]:
    """The texts of a lesson, by exercise, for its module of this full name.

    They are written in the lesson's source, as ``lessons/README.md`` says. The entry ``replies``
    holds those that its exercises share.
    """
    topic = lesson.rpartition(".")[2]
    read = dict(read_texts(topic)["exercises"])
    shared = read.pop("replies", {})
    return {
        name: Texts(
            texts["why"],
            {**shared, **texts["replies"]},
            texts.get("advice", ""),
            texts["hint"],
            f"{topic}.{name}",
        )
        for name, texts in read.items()
    }


ROUNDED: Final = 0.006
"""Two decimals, rounded either way."""
PERCENT: Final = 100
SLIPS: Final = {
    "your answer is in percent. Divide it by 100.": PERCENT,
    "the size is right. Check the sign.": -1,
}
"""Replies to the right numbers in another unit or with another sign, each with its factor."""


NO_RETURN: Final = "your function returns nothing: did you forget `return`?"
NO_CHANGE: Final = (
    "your function changes nothing. A line such as `n + 1` computes a number and forgets it; "
    "`n += 1` keeps it."
)
"""Replies to a function that leaves no trace: one that should return, and one that should change.
"""


class Verdict(NamedTuple):
    """The judgement of an answer; ``kind`` is open, right, misconception, wrong or error."""

    kind: str
    sentence: str


class Exercise(ABC):
    """Something to answer: ``check`` gives feedback, ``hint`` a hint and then the solution.

    A judgement compares what is *seen* of answers: of the student's, of the right one, and of that
    of each misconception. Numbers may be off by ``tolerance``, so rounding is no error.
    """

    said: Texts
    wrong: Mapping[str, Any]
    """The answer of a student with each misconception, by its name."""
    tolerance: float

    @property
    def why(self) -> str:
        """The reason why the right answer is right."""
        return self.said.why

    @property
    def misconceptions(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with its reply."""
        return [(answer, self.said.replies[name]) for name, answer in self.wrong.items()]

    @property
    def progress(self) -> dict[str, Any]:
        """The verdicts, misconceptions and hints of this student so far."""
        new: dict[str, Any] = {"verdicts": [], "misconceptions": [], "hints": 0}
        return record()["exercises"].get(self.said.name) or new

    def check(self, answer: object) -> None:
        """Show the feedback on ``answer``, and note its kind."""
        verdict, before = self.judge(answer), self.progress
        told = [verdict.sentence] if verdict.kind == "misconception" else []
        verdicts = [*before["verdicts"], verdict.kind][-MOST:]
        misconceptions = [*before["misconceptions"], *told][-MOST:]
        kept = {**before, "verdicts": verdicts, "misconceptions": misconceptions}
        unsaved = keep("exercises", self.said.name, kept)
        say(verdict.sentence, *filter(None, [unsaved]))
        if verdict.kind != "right" and get_ipython() is not None:
            show_button("Hint", self.next_hint, most=HINTS - kept["hints"])

    def require_right(self, answer: object) -> None:
        """Raise ``AssertionError`` with the feedback unless ``answer`` is right: a grader's test.

        nbgrader gives all points to a cell that ends without a result, and none to one that writes
        to stderr, be it a warning or a progress bar. So that is shown on stdout.
        """
        with stderr_shown_on_stdout():
            verdict = self.judge(answer)
        if verdict.kind != "right":
            raise AssertionError(verdict.sentence)

    def hint(self) -> None:
        """Show the next hint; the second is the solution."""
        text, code = self.next_hint()
        say(text, code=code)

    def next_hint(self) -> tuple[str, str]:
        """Return the next hint, and code that belongs to it."""
        before = self.progress
        text, code = self._solution() if before["hints"] else (self.said.hint, "")
        number = min(before["hints"], 1) + 1
        unsaved = keep("exercises", self.said.name, {**before, "hints": number})
        return f"Hint {number} of 2. {text} {unsaved}".rstrip(), code

    def judge(self, answer: object) -> Verdict:
        """The feedback that ``check`` would show, and its kind; never raises."""
        try:
            if _is_open(answer):
                return Verdict("open", "○ Open: put your answer in place of the dots.")
            return self._judge(answer)
        except Exception as error:  # an answer of an unexpected kind
            return Verdict("error", f"✗ Not yet: this answer cannot be read ({named(error)}).")

    def _judge(self, answer: object) -> Verdict:
        return self._verdict(self._seen(answer))

    def _verdict(self, given: object) -> Verdict:
        """Compare it with the right answer, then with those of the misconceptions."""
        if self._same(given, self._right()):
            return Verdict("right", f"✓ Right: {self.why}")
        found = [reply for wrong, reply in self.misconceptions if self._fits(wrong, given)]
        if len(found) == 1:  # where several give this answer, no reply is sure to fit
            return Verdict("misconception", f"✗ Not yet: {found[0]}")
        return self._difference(given, self._right())

    def _same(self, one: Any, other: Any) -> bool:
        return _same(one, other, self.tolerance)

    def _fits(self, wrong: Any, given: Any) -> bool:
        """True if this wrong answer looks as what was ``given``."""
        return self._same(given, self._seen(wrong))

    @abstractmethod
    def _seen(self, answer: Any) -> Any:
        """Return the part of an answer that is compared, as a plain value."""

    @abstractmethod
    def _right(self) -> Any:
        """Return the same part of the right answer."""

    @abstractmethod
    def _difference(self, given: object, right: Any) -> Verdict:
        """Name the first difference of a wrong answer."""

    @abstractmethod
    def _solution(self) -> tuple[str, str]:
        """The solution: a sentence, and code."""


@dataclass(frozen=True)
class Question(Exercise):
    """A question whose answer is a value: a number, a word, or a dict or tuple of these."""

    said: Texts
    right: Any
    wrong: Mapping[str, Any]
    tolerance: float = ROUNDED
    in_order: bool = True
    """False where the right answer is a list whose order does not count."""
    telling: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By the name of a misconception: parts that only answers with this misconception have."""

    def _verdict(self, given: object) -> Verdict:
        """First look for a part that tells which misconception it is, whatever else was named."""
        named = {*_parts(given)}
        for name, parts in self.telling.items():
            if named & {*parts}:
                return Verdict("misconception", f"✗ Not yet: {self.said.replies[name]}")
        return super()._verdict(given)

    def _seen(self, answer: Any) -> Any:
        if self.in_order:
            return plain(answer)
        parts = re.split(r"[\s,;]+", answer.strip()) if isinstance(answer, str) else answer
        seen = plain(parts)
        return tuple(sorted(seen, key=str)) if isinstance(seen, tuple) else seen

    def _right(self) -> Any:
        return self._seen(self.right)

    def _fits(self, wrong: Any, given: Any) -> bool:
        """A tolerance for large numbers is none for the small ones of a mistake: 2 is not 0.57."""
        pairs = zip(_parts(given), _parts(self._seen(wrong)), strict=False)
        return super()._fits(wrong, given) and all(
            abs(one - other) <= max(ROUNDED, abs(other) / 10)
            for one, other in pairs
            if isinstance(one, float) and isinstance(other, float)
        )

    def _difference(self, given: object, right: Any) -> Verdict:
        """Name a slip of unit or sign; else of a dict the first entry that is wrong."""
        if slip := next((said for said, by in SLIPS.items() if self._is_times(by, given)), ""):
            return Verdict("wrong", f"✗ Not yet: {slip}")
        return Verdict("wrong", f"✗ Not yet: {self._told(given, right)} {self.said.advice}")

    def _told(self, given: object, right: object) -> str:
        """A sentence on the fault of an answer: its form, an entry of a dict, or all of it."""
        if isinstance(right, dict):
            names = {plain(name): name for name in self.right}
            if isinstance(given, dict) and given.keys() == right.keys():
                key = next(key for key in right if not self._same(given[key], right[key]))
                return f"{names[key]} is not {_words(given[key])}."
            return f"answer with a dict whose keys are {', '.join(map(str, names.values()))}."
        if isinstance(given, tuple) and not isinstance(right, tuple):
            return "give the answer alone, without brackets."
        return f"{_words(given)} is not the answer."

    def _is_times(self, factor: float, given: object) -> bool:
        """True if ``given`` is the right number, or all right numbers, times ``factor``."""
        right = self._right()
        numbers = [number for number in _parts(right) if isinstance(number, float)]
        if not any(numbers) or (factor == PERCENT and max(map(abs, numbers)) > 1):
            return False
        return _same(given, _times(factor, right), self.tolerance * abs(factor))

    def _solution(self) -> tuple[str, str]:
        return f"The answer is {_words(self._right())}: {self.why}", ""


class Case(NamedTuple):
    """The arguments that a student's function is tried on, and these in words."""

    words: str
    arguments: tuple[Any, ...]


def _lent(argument: object) -> object:
    """A copy of a list or dict with the same content: a student may take things off it."""
    return copy(argument) if isinstance(argument, list | dict) else argument


def _result(arguments: tuple[Any, ...], result: Any) -> Any:
    return result


def in_any_order(arguments: tuple[Any, ...], result: Any) -> Any:
    """Sort moves, which a student may list in any order, and in any collection."""
    if isinstance(result, str | Mapping) or not isinstance(result, Iterable):
        return result
    return sorted(islice(result, 1000), key=str)  # it might be endless


@dataclass(frozen=True)
class Task(Exercise):
    """A function that the student writes, compared with ``solution`` case by case.

    A misconception is a function too, or the parts of the solution's source that it changes, each
    with its replacement. Every run gets its own copy of the arguments.
    ``observe(arguments, result)`` returns what is compared, by default the result, and
    ``say`` puts that into words. A function that agrees with a misconception's in all cases has
    that misconception. A run is stopped after ``steps`` steps of the interpreter.
    """

    said: Texts
    solution: Callable[..., Any]
    cases: Sequence[Case]
    wrong: Mapping[str, Any]
    observe: Callable[[tuple[Any, ...], Any], Any] = _result
    say: Callable[[Any], str] = field(default=lambda value: _words(value))
    steps: int = 100_000
    tolerance: float = ROUNDED
    _kept: dict[tuple[int, int], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """By case and the lesson's own function: what was seen of it, which is the same each time."""

    def __post_init__(self) -> None:
        wrong = {
            name: one if callable(one) else changed(self.solution, one)
            for name, one in self.wrong.items()
        }
        object.__setattr__(self, "wrong", wrong)

    def _judge(self, answer: object) -> Verdict:
        if not callable(answer):
            return Verdict("error", "✗ Not yet: hand in the function itself, its name without ().")
        given = self._seen(answer)
        silent = any(self._fits(lambda *_, end=end: end, given) for end in (None, ...))
        if (silent and is_stub(answer)) or Failure("NotImplementedError") in given:
            return Verdict("open", "○ Open: a part of your function is not written yet.")
        verdict = self._verdict(given)
        if silent and verdict.kind == "wrong":
            return Verdict("wrong", f"✗ Not yet: {NO_RETURN if self._returns else NO_CHANGE}")
        if verdict.kind != "right" and (other := self._another_time(answer, given)):
            return Verdict("wrong", f"✗ Not yet: {other}")
        return verdict

    @property
    def _returns(self) -> bool:
        """True if the solution returns something; else it changes what it is given."""
        made = ast.walk(ast.parse(_without_types(self.solution)))
        return any(isinstance(node, ast.Return) and node.value for node in made)

    def _another_time(self, answer: Callable[..., Any], given: tuple[Any, ...]) -> str:
        """A sentence on a second run that gives something else than ``given``; "" if none does.

        Of such a function no reply is sure to be true.
        """
        for case, one, other in zip(self.cases, given, self._seen(answer), strict=True):
            if not self._same(one, other):
                told = " and then ".join(map(self._said_of, (one, other)))
                return f"{case.words}, your function gives first {told}. What makes it change?"
        return ""

    def _said_of(self, seen: object) -> str:
        return seen.message if isinstance(seen, Failure) else self.say(seen)

    def _seen(self, answer: Callable[..., Any]) -> tuple[Any, ...]:
        """Return, for each case, the observation after the function, or its failure."""
        return tuple(self._seen_at(place, answer) for place in range(len(self.cases)))

    def _seen_at(self, place: int, answer: Callable[..., Any]) -> Any:
        """The same of one case; of the lesson's own functions it is kept."""
        if (place, id(answer)) in self._kept:
            return self._kept[place, id(answer)]
        seen = self._outcome(answer, deepcopy(self.cases[place].arguments))
        if any(answer is own for own in (self.solution, *self.wrong.values())):
            self._kept[place, id(answer)] = seen
        return seen

    def _fits(self, wrong: Any, given: Any) -> bool:
        """The same, up to the first case in which they differ: most do so early."""
        return all(self._same(one, self._seen_at(n, wrong)) for n, one in enumerate(given))

    def _right(self) -> tuple[Any, ...]:
        return self._seen(self.solution)

    def _outcome(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        try:
            with at_most(self.steps):
                result = function(*map(_lent, arguments))
        except (Exception, SystemExit, TooLong) as error:
            return Failure(type(error).__name__, named(error))
        return plain(self.observe(arguments, result))

    def _difference(self, given: Any, right: Any) -> Verdict:
        triples = zip(self.cases, given, right, strict=True)
        case, got, wanted = next(each for each in triples if not self._same(*each[1:]))
        if isinstance(got, Failure):
            return Verdict(
                "error", f"✗ Not yet: {case.words}, your function ends in {got.message}."
            )
        asked = f"{case.words}, expected {self.say(wanted)}, got {self.say(got)}."
        return Verdict("wrong", f"✗ Not yet: {asked} Which of your lines makes this?")

    def _solution(self) -> tuple[str, str]:
        return f"One solution among several: {self.why}", _without_types(self.solution)


def _without_types(function: Callable[..., Any]) -> str:
    """The source of a function as a student writes it, without types."""
    tree = ast.parse(dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns, node.name = None, node.name.lstrip("_")
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Name) and node.id == function.__name__:
            node.id = node.id.lstrip("_")
    return ast.unparse(tree)


def changed(solution: Callable[..., Any], changes: Mapping[str, str]) -> Callable[..., Any]:
    """The solution with other lines; each part that changes is in it once."""
    source = _without_types(solution)
    for part, other in changes.items():
        if source.count(part) != 1:
            raise ValueError(f"{part!r} must be once in {source}")
        source = source.replace(part, other)
    names = {**vars(math), **solution.__globals__}
    exec(source, names)
    made: Callable[..., Any] = names[solution.__name__.lstrip("_")]
    return made


# Comparing -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """The function raised an error of this kind; the message is not compared."""

    kind: str
    message: str = field(default="", compare=False)


def _is_open(answer: object) -> bool:
    """True if any part of an answer is still ``...`` or ``None``."""
    if isinstance(answer, Mapping):
        return any(map(_is_open, answer.values()))
    if isinstance(answer, list | tuple):
        return any(map(_is_open, answer))
    return answer is None or answer is ...


def plain(value: object) -> Any:
    """A value as floats, lower-case words, tuples and dicts, so that 6, "6" and 6.0 are equal."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Real | Decimal):
        return float(value)
    if getattr(value, "ndim", None) == 0:  # a number of NumPy's, in an array
        return plain(value.item())  # type: ignore[attr-defined]
    if isinstance(value, str):
        word = value.strip().lower()
        number = _number(word)
        return word if number is None else number
    if isinstance(value, Mapping):
        return {plain(key): plain(part) for key, part in value.items()}
    if isinstance(value, Iterable):
        return tuple(map(plain, islice(value, 1000)))  # it might be endless
    return value


FRACTIONS: Final = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4"}
ROOT: Final = re.compile(r"(?:√|sqrt) *\(?(\d+)\)?")
NUMBER: Final = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?: *(%)| */ *(\d+\.?\d*))?")


def _number(word: str) -> float | None:
    """Read a number as people write it: 1,600, 0,5, 60 %, 3/5, ½ or √2; None if it is none.

    A comma before exactly three digits groups thousands, unless only a 0 is before it.
    """
    word = FRACTIONS.get(word, word).replace("−", "-")
    if root := ROOT.fullmatch(word):
        return math.sqrt(float(root[1]))
    word = re.sub(r"(?<=[1-9])(\d*),(?=\d{3}\b)", r"\1", word)
    found = NUMBER.fullmatch(word.replace(",", ".").replace("_", ""))
    if found is None or not float(found[3] or 1):
        return None
    return float(found[1]) / (100 if found[2] else float(found[3] or 1))


def _says(value: object) -> object:
    """The word for a truth value, "yes" or "no"; any other value as it is, also 1 and 0."""
    words = {True: "yes", False: "no"}
    return words[value] if isinstance(value, bool) else value


def _parts(value: object) -> Iterator[object]:
    """The numbers and words of a plain value, those of a dict in the order of its keys."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _parts(value[key])
    elif isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value


def _times(factor: float, value: object) -> object:
    """A plain value with all its numbers times ``factor``."""
    if isinstance(value, dict):
        return {key: _times(factor, part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_times(factor, part) for part in value)
    return factor * value if isinstance(value, float) else value


def _same(one: Any, other: Any, tolerance: float) -> bool:
    """True if two plain values are equal, numbers up to ``tolerance``; True is 1, and a yes."""
    if isinstance(one, bool | float) and isinstance(other, bool | float):
        return one == other or abs(one - other) <= tolerance  # infinities, too
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _same(one[key], other[key], tolerance) for key in one
        )
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_same(*pair, tolerance) for pair in pairs)
    return bool(one == other) or _says(one) == other


def _words(value: object) -> str:
    """A plain value for a reader: 6 and not 6.0, nothing and not None."""
    if isinstance(value, float):
        return f"{value + 0:g}"  # and no −0
    if isinstance(value, tuple):
        return f"({', '.join(map(_words, value))})"
    if isinstance(value, dict):
        return ", ".join(f"{_words(key)}: {_words(part)}" for key, part in value.items())
    return "nothing" if value is None or value is ... else str(value)


def named(error: BaseException) -> str:
    """An error in one line, such as ``ZeroDivisionError: division by zero``."""
    if isinstance(error, TooLong):
        return str(error)
    first_line = (str(error).splitlines() or [""])[0].rstrip(".").replace("\\n", " ")
    return f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__


# Running -------------------------------------------------------------------------------------


def is_stub(function: Any) -> bool:
    """True if the function does nothing but return a constant."""
    code = getattr(function, "__code__", None)
    return code is None or (not code.co_names and len(list(dis.get_instructions(code))) <= 4)


@dataclass(frozen=True, repr=False)
class Open(Shown):
    """The sentence in place of a result while a function is a stub."""

    step: str

    def parts(self) -> list[str | Table]:
        return [f"○ Open: {self.step}"]


@contextmanager
def stderr_shown_on_stdout() -> Iterator[None]:
    """Show what goes to stderr on stdout, also from those who hold the stream since before.

    In a kernel the stream itself has a name by which the notebook sorts its outputs.
    """
    stream: Any = sys.stderr
    name = getattr(stream, "name", "")
    stream.flush()
    with suppress(AttributeError):  # of a file it is fixed
        stream.name = "stdout"
    try:
        with redirect_stderr(sys.stdout):
            yield
    finally:
        stream.flush()
        with suppress(AttributeError):
            stream.name = name


LIBRARIES: Final = tuple(str(Path(inspect.getfile(one)).parent) for one in (random, MctsVizError))
"""Folders of code that ends by itself: Python's own, and the rules of games."""


class TooLong(BaseException):
    """Not an ``Exception``, so that no ``except Exception`` of a student's stops it on its way."""


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Stop code that takes the interpreter more steps than this, those of libraries left out."""
    left = steps

    def enter(frame: FrameType, *_: object) -> Any:
        frame.f_trace_opcodes = True  # by lines alone, `while True: pass` takes no steps
        return None if frame.f_code.co_filename.startswith(LIBRARIES) else count

    def count(*_: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong(
                f"{steps:,} steps without a result: a loop without an end, or too much work"
            )
        return count

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # a collection may run code, whose steps are not the student's
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
