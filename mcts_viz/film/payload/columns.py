"""Columns and facts: joined, numbered, and packed end to end."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Text = TypeVar("Text", bound=Hashable)


class Part(NamedTuple):
    """Facts and columns: of a film, or of one side of it."""

    facts: dict[str, Any]
    """For each name: values of JSON."""
    columns: dict[str, Array]
    """For each name: one number for each node, iteration or visit."""


def joined(parts: Iterable[Part]) -> Part:
    """All facts and all columns, in this order."""
    facts: dict[str, Any] = {}
    columns: dict[str, Array] = {}
    for part in parts:
        facts |= part.facts
        columns |= part.columns
    return Part(facts, columns)


def numbered(texts: Iterable[Text]) -> tuple[list[Text], Array]:
    """The different texts, and each one's number among them."""
    table: dict[Text, int] = {}
    numbers = [table.setdefault(text, len(table)) for text in texts]
    return list(table), np.array(numbers, np.uint32)


def packed(columns: dict[str, Array]) -> tuple[dict[str, dict[str, Any]], bytes]:
    """The offset, type and length of each column; and all of them, deflated."""
    index: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    offset = 0
    for name, values in columns.items():
        values = values if values.dtype.kind == "f" else _small(values)
        kind = values.dtype.name.capitalize()  # as JavaScript's typed arrays are called
        index[name] = {"type": kind, "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += [part, bytes(-len(part) % 8)]  # typed arrays begin at multiples of 8 bytes
        offset += len(part) + len(parts[-1])
    # The fastest way: a reader waits for it, and hardly for the transport.
    return index, zlib.compress(b"".join(parts), 1)


def _small(numbers: Array) -> Array:
    """Put whole numbers, of which there may be none, into as few bytes as hold them all."""
    least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    return numbers.astype(np.min_scalar_type(min(least, -1 - most) if least < 0 else most))
