"""Film a log of a search: ``python -m mcts_watch log.jsonl > film.html``."""

import argparse
import sys
from collections.abc import Sequence
from inspect import signature

from mcts_viz.errors import MctsVizError
from mcts_viz.film import Film
from mcts_viz.games import GAMES

from .watch import Watch


def needs_more(kind: type) -> bool:
    """True for a game that cannot be made by its name alone."""
    takes = signature(kind).parameters.values()
    return any(each.default is each.empty and each.kind is not each.VAR_KEYWORD for each in takes)


def main(given: Sequence[str] | None = None) -> int:
    """Write the film of a log as a page, and the report beside it; return 1 if the log ends
    early."""
    parser = argparse.ArgumentParser(
        prog="python -m mcts_watch",
        description="Write the film of a log of JSON lines as a page.",
    )
    parser.add_argument(
        "log", help="one line an iteration, see docs/WATCH.md; - reads what is piped in"
    )
    games = [name for name, kind in GAMES.items() if not needs_more(kind)]
    parser.add_argument("--game", choices=games, help="whose rules check moves and results")
    parser.add_argument("--state", help="the position at the root, as the game writes it")
    chosen = parser.parse_args(given)
    try:
        game = GAMES[chosen.game]() if chosen.game else None
        source = sys.stdin if chosen.log == "-" else chosen.log
        watch = Watch.from_lines(source, game=game, state=chosen.state)
        page = str(Film(watch).to_html())
    except (MctsVizError, TypeError) as error:
        parser.error(str(error))
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(page)
    print(watch, file=sys.stderr)
    return int(bool(watch.ending))


if __name__ == "__main__":
    sys.exit(main())
