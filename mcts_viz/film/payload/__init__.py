"""A film as data for the player: one small JSON object, and typed arrays packed into bytes.

The player knows no formula and no rule: it looks numbers up, and fills them in. The arrays are
little-endian, end to end, and deflated. The fields have the names that ``search_film.js`` and
``minimax_film.js`` read.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..minimax_film import MinimaxFilm
from ..search_film import SearchFilm
from ..truth import Truth
from .columns import packed
from .minimax import of_minimax
from .search import of_search

AnyFilm: TypeAlias = SearchFilm | MinimaxFilm


def payload(data: AnyFilm, truth: Truth | str | None) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``; the facts say where each column begins."""
    if isinstance(data, MinimaxFilm):
        facts, columns = of_minimax(data)
    else:
        assert truth is not None
        facts, columns = of_search(data, truth)
    index, sent = packed({**columns, "parent": data.trace.parent})
    every = {
        "kind": data.kind,
        "title": data.title,
        "subtitle": data.subtitle,
        "phases": list(data.phases),
        "iterations": len(data.iterations),
        "total": len(data.source),
        "board": data.board.facts if data.board else None,
    }
    return {"facts": {**every, **facts, "columns": index}, "columns": sent}
