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
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from numbers import Real
from textwrap import dedent
from types import FrameType
from typing import Any, Final, NamedTuple

from IPython.core.getipython import get_ipython

from mcts_viz.errors import door

from .feedback import say, show_button
from .lessons import read_texts
from .progress import keep, record

MOST: Final = 50
"""Verdicts on an exercise that are kept."""


class Texts(NamedTuple):
    """The texts of an exercise."""

    why: str
    """Why the right answer is right."""
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


class Verdict(NamedTuple):
    """The judgement of an answer; ``kind`` is open, right, misconception, wrong or error."""

    kind: str
    sentence: str


class Exercise(ABC):
    """Something to answer: ``check`` gives feedback, ``hint`` a hint and then the solution."""

    said: Texts
    wrong: Mapping[str, Any]
    """The answer of a student with each misconception, by its name."""

    @property
    def why(self) -> str:
        """Why the right answer is right."""
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

    @door
    def check(self, answer: Any) -> None:
        """Show the feedback on ``answer``, and note its kind."""
        verdict, before = self.judge(answer), self.progress
        told = [verdict.sentence] if verdict.kind == "misconception" else []
        verdicts = [*before["verdicts"], verdict.kind][-MOST:]
        misconceptions = [*before["misconceptions"], *told][-MOST:]
        kept = {**before, "verdicts": verdicts, "misconceptions": misconceptions}
        keep("exercises", self.said.name, kept)
        say(verdict.sentence)
        if verdict.kind in ("misconception", "wrong", "error") and get_ipython() is not None:
            show_button("Hint", self.next_hint, most=2 - kept["hints"])

    def hint(self) -> None:
        """Show the next hint; the second is the solution."""
        text, code = self.next_hint()
        say(text, code=code)

    def next_hint(self) -> tuple[str, str]:
        """Return the next hint, and code that belongs to it."""
        before = self.progress
        text, code = self._solution() if before["hints"] else (self.said.hint, "")
        number = min(before["hints"], 1) + 1
        keep("exercises", self.said.name, {**before, "hints": number})
        return f"Hint {number} of 2. {text}", code

    def judge(self, answer: Any) -> Verdict:
        """The feedback that ``check`` would show, and its kind; never raises."""
        try:
            return self._judge(answer)
        except Exception as error:  # an answer of an unexpected kind
            return Verdict("error", f"✗ Not yet: this answer cannot be read ({_named(error)}).")

    def _told(self, agrees: Callable[[Any], bool]) -> str:
        """The reply to the one misconception that gives this answer; none where several do."""
        found = [hint for wrong, hint in self.misconceptions if agrees(wrong)]
        return found[0] if len(found) == 1 else ""

    @abstractmethod
    def _judge(self, answer: Any) -> Verdict: ...

    @abstractmethod
    def _solution(self) -> tuple[str, str]:
        """The solution: a sentence, and code."""


@dataclass(frozen=True)
class Question(Exercise):
    """A question whose answer is a value: a number, a word, or a dict or tuple of these.

    Numbers may be off by ``tolerance``.
    """

    said: Texts
    right: Any
    wrong: Mapping[str, Any]
    tolerance: float = 0.006  # two decimals, rounded either way

    def _judge(self, answer: Any) -> Verdict:
        if _is_open(answer):
            return Verdict("open", "○ Open: put your answer in place of the dots.")
        given = _plain(answer)
        if self._is(given, self.right):
            return Verdict("right", f"✓ Right: {self.why}")
        if hint := self._told(lambda wrong: self._is(given, wrong)):
            return Verdict("misconception", f"✗ Not yet: {hint}")
        return Verdict("wrong", f"✗ Not yet: {self._difference(given)} {self.said.advice}")

    def _is(self, given: Any, answer: Any) -> bool:
        return _same(given, _plain(answer), self.tolerance)

    def _difference(self, given: Any) -> str:
        """The first difference of a dict; of a single value, only that it is wrong."""
        right = _plain(self.right)
        if not isinstance(right, dict):
            return f"{_words(given)} is not the answer."
        if not isinstance(given, dict):
            return f"answer with a dict whose keys are {', '.join(map(_words, right))}."
        for key, value in right.items():
            if key not in given:
                return f"the entry {_words(key)} is missing."
            if not _same(given[key], value, self.tolerance):
                return f"{_words(key)} is not {_words(given[key])}."
        return "your dict has more entries than were asked for."

    def _solution(self) -> tuple[str, str]:
        right = _words(_plain(self.right))
        return f"The answer is {right}: {self.why}", ""


class Case(NamedTuple):
    """The arguments that a student's function is tried on, and these in words."""

    words: str
    arguments: tuple[Any, ...]


def _result(arguments: tuple[Any, ...], result: Any) -> Any:
    return result


def in_any_order(arguments: tuple[Any, ...], result: Any) -> Any:
    """Sort moves, which a student may list in any order."""
    return sorted(result, key=str) if isinstance(result, list | tuple | set) else result


@dataclass(frozen=True)
class Task(Exercise):
    """A function that the student writes, compared with ``solution`` case by case.

    A misconception is a function too, or the parts of the solution's source that it changes, each
    with its replacement. Every run gets its own copy of the arguments.
    ``observe(arguments, result)`` returns what is compared, by default the result, and
    ``say`` puts that into words. A function that agrees with a misconception's in all cases has
    that misconception. A run is stopped after ``steps`` steps of the interpreter. Numbers may be
    off by ``tolerance``, so rounding is no error.
    """

    said: Texts
    solution: Callable[..., Any]
    cases: Sequence[Case]
    wrong: Mapping[str, Any]
    observe: Callable[[tuple[Any, ...], Any], Any] = _result
    say: Callable[[Any], str] = field(default=lambda value: _words(value))
    steps: int = 100_000
    tolerance: float = 0.006  # two decimals, rounded either way

    def __post_init__(self) -> None:
        wrong = {
            name: one if callable(one) else _changed(self.solution, one) for name, one in self.wrong.items()
        }
        object.__setattr__(self, "wrong", wrong)

    def _judge(self, answer: Any) -> Verdict:
        if _is_open(answer):
            return Verdict("open", "○ Open: hand in your function.")
        if not callable(answer):
            return Verdict("error", "✗ Not yet: hand in the function itself, its name without ().")
        return self._judge_function(answer)

    def _judge_function(self, answer: Callable[..., Any]) -> Verdict:
        given, right = self._outcomes(answer), self._outcomes(self.solution)
        if self._agree(given, right):
            return Verdict("right", f"✓ Right: {self.why}")
        if _Failure("NotImplementedError") in given:
            return Verdict("open", "○ Open: a part of your function is not written yet.")
        silent = any(self._agree(given, self._outcomes(stub)) for stub in (_nothing, _dots))
        if silent and _is_stub(answer):
            return Verdict("open", "○ Open: put your lines in place of the dots.")
        if hint := self._told(lambda wrong: self._agree(given, self._outcomes(wrong))):
            return Verdict("misconception", f"✗ Not yet: {hint}")
        if silent:
            nothing = "your function returned and changed nothing: did you forget `return`?"
            return Verdict("open", f"○ Open: {nothing}")
        return self._first_difference(given, right)

    def _outcomes(self, function: Callable[..., Any]) -> list[Any]:
        """By case: what is observed after ``function``, or how it failed."""
        return [self._outcome(function, deepcopy(case.arguments)) for case in self.cases]

    def _outcome(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        try:
            with _at_most(self.steps):
                result = function(*arguments)
        except (Exception, SystemExit, _TooLong) as error:
            return _Failure(type(error).__name__, _named(error))
        return _plain(self.observe(arguments, result))

    def _agree(self, some: Sequence[Any], others: Sequence[Any]) -> bool:
        pairs = zip(some, others, strict=True)
        return all(_same(one, other, self.tolerance) for one, other in pairs)

    def _first_difference(self, given: Sequence[Any], right: Sequence[Any]) -> Verdict:
        case, got, wanted = next(
            (case, got, wanted)
            for case, got, wanted in zip(self.cases, given, right, strict=True)
            if not _same(got, wanted, self.tolerance)
        )
        if isinstance(got, _Failure):
            return Verdict("error", f"✗ Not yet: {case.words}, your function ends in {got.message}.")
        said, wished = self.say(got), self.say(wanted)
        if said == wished:  # they read alike, so their types differ
            said += f" (a {type(got).__name__}, where a {type(wanted).__name__} is expected)"
        asked = f"{case.words}, expected {wished}, got {said}. Which of your lines makes this?"
        return Verdict("wrong", f"✗ Not yet: {asked}")

    def _solution(self) -> tuple[str, str]:
        return f"One solution among several: {self.why}", _without_types(self.solution)


def _without_types(function: Callable[..., Any]) -> str:
    """Its source as a student writes it."""
    tree = ast.parse(dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns, node.name = None, node.name.lstrip("_")
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Name) and node.id == function.__name__:
            node.id = node.id.lstrip("_")
    return ast.unparse(tree)


def _changed(solution: Callable[..., Any], changes: Mapping[str, str]) -> Callable[..., Any]:
    """The solution with other lines; each part that changes is in it once."""
    source = _without_types(solution)
    for part, other in changes.items():
        before, there, after = source.partition(part)
        if not there or part in after:
            raise ValueError(f"{part!r} must be once in {source}")
        source = before + other + after
    names = {**vars(math), **solution.__globals__}
    exec(source, names)
    changed: Callable[..., Any] = names[solution.__name__.lstrip("_")]
    return changed


# Comparing -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Failure:
    """The function raised an error of this kind; the message is not compared."""

    kind: str
    message: str = field(default="", compare=False)


def _is_open(answer: Any) -> bool:
    """True if any part of an answer is still ``...`` or ``None``."""
    if isinstance(answer, Mapping):
        return any(map(_is_open, answer.values()))
    if isinstance(answer, list | tuple):
        return any(map(_is_open, answer))
    return answer is None or answer is ...


def _plain(value: Any) -> Any:
    """A value as floats, lower-case words, tuples and dicts, so that 6, "6" and 6.0 are equal."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, str):
        word = value.strip().lower()
        try:
            return float(re.sub(r",(?=\d{3}\b)", "", word))  # 1,600 is a number
        except ValueError:
            return word
    if isinstance(value, Mapping):
        return {_plain(key): _plain(part) for key, part in value.items()}
    if isinstance(value, Iterable):
        kind = _List if isinstance(value, list) else tuple
        return kind(map(_plain, islice(value, 1000)))  # it might be endless
    return value


class _List(tuple[Any, ...]):
    """The parts of a list, which equals a tuple and is shown as the list that it was."""


def _same(one: Any, other: Any, tolerance: float) -> bool:
    """True if two plain values are equal, numbers up to ``tolerance``; True is 1."""
    if isinstance(one, bool | float) and isinstance(other, bool | float):
        return one == other or abs(one - other) <= tolerance  # infinities, too
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _same(part, other[key], tolerance) for key, part in one.items()
        )
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_same(*pair, tolerance) for pair in pairs)
    return bool(one == other)


def _words(value: Any) -> str:
    """A plain value for a reader: 6 and not 6.0, nothing and not None."""
    if isinstance(value, float):
        return f"{value + 0:g}"  # and no −0
    if isinstance(value, _List):
        return f"[{', '.join(map(_words, value))}]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_words, value)) + ",)"[len(value) != 1 :]
    if isinstance(value, dict):
        return ", ".join(f"{_words(key)}: {_words(part)}" for key, part in value.items())
    return "nothing" if value is None or value is ... else str(value)


def _named(error: BaseException) -> str:
    """An error in one line, such as ``ZeroDivisionError: division by zero``."""
    if isinstance(error, _TooLong):
        return str(error)
    first_line = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__


# Running -------------------------------------------------------------------------------------


def _is_stub(function: Any) -> bool:
    """True if the function does nothing but return a constant."""
    code = getattr(function, "__code__", None)
    return code is None or (not code.co_names and len(list(dis.get_instructions(code))) <= 4)


def _nothing(*_: Any) -> None:
    """Do what an empty stub does."""


def _dots(*_: Any) -> Any:
    """Do what a stub does that returns its dots."""
    return ...


class _TooLong(BaseException):
    """Not an ``Exception``, so that no ``except Exception`` of a student's stops it on its way."""


@contextmanager
def _at_most(steps: int) -> Iterator[None]:
    """Stop code that takes the interpreter more steps than this."""
    left = steps

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True  # by lines alone, `while True: pass` takes no steps
        left -= 1
        if left < 0:
            raise _TooLong(f"a loop without an end, it seems, after {steps:,} steps")
        return count

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # a collection may run code, whose steps are not the student's
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
