"""Columns: texts as numbers, and all columns packed end to end."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Columns: TypeAlias = dict[str, Array]
"""For each name: one number for each node, iteration or change."""
Text = TypeVar("Text", bound=Hashable)


def numbered(texts: Iterable[Text]) -> tuple[list[Text], Array]:
    """The different texts, and each one's number among them."""
    table: dict[Text, int] = {}
    numbers = [table.setdefault(text, len(table)) for text in texts]
    return list(table), np.array(numbers, np.uint32)


def packed(columns: Columns) -> tuple[dict[str, dict[str, Any]], bytes]:
    """The offset, type and length of each column; and all of them, deflated."""
    index: dict[str, dict[str, Any]] = {}
    parts: list[bytes] = []
    offset = 0
    for name, column in columns.items():
        values = _short(column)
        kind = values.dtype.name.capitalize()  # as JavaScript's typed arrays are called
        index[name] = {"type": kind, "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += [part, bytes(-len(part) % 8)]  # typed arrays begin at multiples of 8 bytes
        offset += len(part) + len(parts[-1])
    # The fastest way: a reader waits for it, and hardly for the transport.
    return index, zlib.compress(b"".join(parts), 1)


def _short(numbers: Array) -> Array:
    """The same in as few bytes as hold all their digits, as 4 do of sums of ½ and 1."""
    if numbers.dtype.kind == "f":
        with np.errstate(over="ignore"):
            shorter = numbers.astype(np.float32)
        return shorter if np.array_equal(shorter, numbers) else numbers
    least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    return numbers.astype(np.min_scalar_type(min(least, -1 - most) if least < 0 else most))
