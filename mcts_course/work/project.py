"""A project: your game, played by your search, with a tournament and a film on one page.

The search is the one that you wrote in the lesson *Can you write it yourself?*. It is kept in
``FILE`` next to the notebooks. The page is one HTML file that needs no kernel and no network, and
a teacher's gallery shows the pages of a class (:mod:`mcts_course.teacher.gallery`).
"""

from __future__ import annotations

import inspect
import runpy
from base64 import b64encode
from collections.abc import Hashable
from html import escape
from pathlib import Path
from random import Random
from typing import Any, Final

from mcts_viz.errors import MctsVizError, SearchError, require
from mcts_viz.film import Film
from mcts_viz.games import Game
from mcts_viz.games.turns import knows_luck
from mcts_viz.search.checks import check_in_play, check_two_players, require_whole
from mcts_viz.trace import Trace

from ..measure.arena import ArenaResult
from ..show.feedback import forms, say
from ..show.paper import STYLE, write
from ..typed import typed_door
from .exercises import is_stub, named
from .own_search import SOLUTIONS, Functions, Node, fault_of, require_four, run

FILE: Final = "my_search.py"
"""The file that keeps the reader's four functions."""
ORDER: Final = ("select", "expand", "simulate", "backpropagate")
META: Final = "mcts-project-"
"""The beginning of the names of a page's facts: its title, author, result and picture."""
LONGEST: Final = {"title": 80, "author": 80, "result": 300}
"""Letters of a fact; the rest is cut off."""


# Your search -----------------------------------------------------------------------------------


@typed_door
def keep_search(functions: Functions, seed: int = 0) -> None:
    """Save four functions that work, in the order select, expand, simulate, backpropagate.

    Says what is missing or wrong instead, and then saves nothing.
    """
    require_four(functions)
    if any(map(is_stub, functions)):
        say("○ Open: write all four functions first.")
        return
    names = [function.__name__ for function in functions]
    # A type that a function's parameters name need not be known in the file.
    heads = "from __future__ import annotations\n\nfrom math import log, sqrt\n"
    parts = [inspect.getsource(function) for function in functions]
    program = f"{heads}\n\n" + "\n\n".join(parts) + f"\n\nPROGRAM = ({', '.join(names)})\n"
    known: dict[str, Any] = {}
    try:
        exec(program, known)  # the reader's own code, as it will be read back
        fault = fault_of(known["PROGRAM"], seed)
    except Exception as error:
        fault = f"they end in {named(error)}."
    if fault:
        say(f"○ Not kept: in a file of their own, {fault}")
        return
    write(Path(FILE), program)
    say(f"Kept in {FILE}.")


def my_search() -> Functions:
    """Return the four functions that are kept, or the package's own, and say which.

    The file is the reader's own program, and it is run.
    """
    if not Path(FILE).is_file():
        say("No search of yours is kept here, so the one of our solution takes its place.")
        return tuple(SOLUTIONS[name] for name in ORDER)
    functions: Functions = tuple(runpy.run_path(FILE)["PROGRAM"])
    say(f"Your own search, from {FILE}.")
    return functions


class OwnAgent:
    """Plays the move that four functions visit most, after ``iterations`` of them for each move.

    ``functions`` are select, expand, simulate and backpropagate, as in the lesson. The same
    ``seed`` gives the same moves. Raises ``SearchError`` for a game with luck: the lesson's node
    has no place where nature moves.
    """

    name = "my search"

    def __init__(
        self,
        functions: Functions,
        game: Game[Any, Any],
        iterations: int = 200,
        seed: int | None = None,
    ) -> None:
        check_two_players(game, "your search is for two")
        require_four(functions)
        if knows_luck(game):
            raise SearchError(
                f"In {game.name} nature moves, and your search has no nodes for luck. "
                "Use MCTSAgent(game, iterations)."
            )
        self.functions, self.game = functions, game
        self.iterations = require_whole("iterations", iterations, 1)
        self._random = Random(seed)
        self._node = node_for(game)

    def fresh(self, seed: int) -> OwnAgent:
        """Return the same player with another seed."""
        return OwnAgent(self.functions, self.game, self.iterations, seed)

    def __call__(self, state: Hashable) -> Any:
        check_in_play(self.game, state)
        root = self._node(state)
        for _ in run(self.functions, root, self.iterations, self._random.getrandbits(32)):
            pass
        return max(root.children, key=lambda child: child.visits).move


def node_for(game: Game[Any, Any]) -> type[Node]:
    """Return the lesson's node for another game."""
    return type("Node", (Node,), {"game": game})


# Your page -------------------------------------------------------------------------------------

PAGE_STYLE: Final = """
main { max-width: 62em; margin: 0 auto; }
h1 { margin-bottom: 0; }
.facts { display: flex; flex-wrap: wrap; gap: 1em 2em; align-items: start; }
.facts img { width: 20em; max-width: 100%; border: 1px solid #888; border-radius: 6px; }
.facts > div { flex: 1 1 24em; overflow-x: auto; }
iframe { width: 100%; height: 620px; border: 1px solid #888; border-radius: 6px; }
pre { font: inherit; white-space: pre-wrap; }
"""


def project_page(
    path: str | Path,
    *,
    title: str,
    author: str,
    trace: Trace,
    result: ArenaResult | None = None,
    about: str = "",
) -> None:
    """Write one page with a game, its tournament and the film of a search.

    ``about`` says what the game is; without it the docstring of the game does. ``result`` is what
    :func:`arena` returned. Raises ``MctsVizError`` where the page cannot be written, and for a
    title or an author that is not a text.
    """
    for name, given in {"title": title, "author": author, "about": about}.items():
        require(isinstance(given, str), name, "a text", given, MctsVizError)
    require(isinstance(trace, Trace) and len(trace), "trace", "a recorded search", trace)
    kind = "what arena(...) returned"
    require(result is None or isinstance(result, ArenaResult), "result", kind, result)
    require(isinstance(path, str | Path), "path", "the name of a file, in quotes", path)
    place, film = Path(path), Film(trace)
    picture = b64encode(film.to_svg(crop=True).encode()).decode()
    facts = {
        "title": title,
        "author": author,
        "result": best_of(result) if result else "",
        "picture": f"data:image/svg+xml;base64,{picture}",
    }
    metas = "".join(
        f'<meta name="{META}{name}" content="{escape(text[: LONGEST.get(name)])}">'
        for name, text in facts.items()
    )
    said = about or inspect.getdoc(type(trace.game)) or ""
    table = forms(*result.parts())["text/html"] if result else ""
    write(
        place,
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width">{metas}'
        f"<title>{escape(title)}</title><style>{STYLE}{PAGE_STYLE}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1><p>by {escape(author)}</p>\n"
        f'<div class="facts"><div><pre>{escape(said)}</pre>{table}</div>'
        f'<img alt="The tree of a search" src="{facts["picture"]}"></div>\n'
        f"<h2>A search in {escape(trace.game.name)}, step by step</h2>\n"
        f'<iframe title="The film of a search" sandbox="allow-scripts" '
        f'srcdoc="{escape(film.to_html())}"></iframe>\n</main></body></html>\n',
    )
    say(f"Your page is {place}. It opens in any browser, without a network.")


def best_of(result: ArenaResult) -> str:
    """Return one sentence: who scored most, how surely, and in how many games."""
    first = result.ranking[0]
    tally = result.tally(first)
    low, high = tally.interval
    return (
        f"{first} scored {tally.score:.2f} [{low:.2f}, {high:.2f}] in {tally.games} games "
        f"({tally} won-drawn-lost)."
    )
