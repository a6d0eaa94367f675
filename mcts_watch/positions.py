"""Read the moves of a stranger's program by the rules of a game: positions, actions and players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from mcts_viz.games import Game, turns
from mcts_viz.games.protocol import NATURE

from .look import Looker
from .names import (
    COLUMNS,
    ROWS,
    answer,
    board_text,
    fields,
    player_name,
    squeezed,
    text_of,
    usual_names,
)

Spelling = Callable[[int], Any]
"""How the program writes the move into a node."""
Meaning = Callable[[Any, int], Any]
"""The action by which the rules lead from a position into a node."""
ATTRIBUTES_NAMED: Final = 4
"""Attributes that a sentence names, so that it stays one."""


def is_luck(game: Game[Any, Any] | None, place: object) -> bool:
    """True where nature moves."""
    return game is not None and bool(turns.chances(game, place))


def options(game: Game[Any, Any], place: object) -> list[Any]:
    """The moves of a position, or the outcomes where nature moves; none where the game is over."""
    return list(turns.moves_of(game, place))


class Positions:
    """The tree by the rules of a game, as far as its moves can be read.

    ``state`` and ``action`` hold by node the position and the move of the rules, ``None`` where
    they are not known; ``chooser`` the player who moved there. Without rules two take turns.
    """

    def __init__(self, looker: Looker, game: Game[Any, Any] | None) -> None:
        count = len(looker.nodes)
        self.looker, self.game = looker, game
        self.state: list[Any] = [None] * count
        self.action: list[Any] = [None] * count
        self.chooser, self.lucky = self._seen_players()
        """For each node: who moved there; and the nodes where nature moves, as the program says."""
        self._spelling: Spelling = self._first_spelling()
        self.why = "no game= was given"
        """The reason why moves are not read; "" if they are."""
        self.unread = min(1, count - 1)
        """A node whose move is not read, if ``why`` is given."""
        if game is not None:
            self.why = "the position at the root is not known"
            with suppress(Exception):  # a game that is not made for such positions
                self._read(game)

    @property
    def is_read(self) -> bool:
        """True if the program's moves can be read as those of the game."""
        return self.state[0] is not None

    # What nodes say -----------------------------------------------------------------------------

    def ask(self, kind: str, node: int) -> Any:
        """A node's attribute of this kind; ``None`` if it has none."""
        source = self.looker.sources[kind]
        return answer(source, self.looker.nodes[node]) if source else None

    def move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        return self._spelling(node) if node else None

    def said_state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        is_state = self.looker.sources["state"] is None and self.looker.by_value
        return self.looker.nodes[node] if is_state else self.ask("state", node)

    def plain(self, node: int) -> str:
        """The program's own text of a position, without spaces and line breaks."""
        return squeezed(text_of(self.said_state(node)))

    def attributes(self) -> str:
        """The attributes of a child, for a sentence that says what was seen."""
        seen = [*fields(self.looker.nodes[-1])][:ATTRIBUTES_NAMED]
        return ", ".join(seen) or "none"

    def remedy(self) -> str:
        """The arguments to give, of those that were not given, so that moves can be read."""
        missing = [f"{kind}=…" for kind in ("move", "state") if kind not in self.looker.given]
        return f"give {' and '.join(missing)}" if missing else "what move= and state= say is not it"

    # Who moves, as the program says --------------------------------------------------------------

    def _seen_players(self) -> tuple[list[int], set[int]]:
        """The player who moved to each node, in turn if the program names none; nature's nodes."""
        looker, in_turn = self.looker, [(depth + 1) % 2 for depth in self.looker.depth]
        name = player_name(looker.nodes[0])
        if not name:
            return in_turn, set()
        movers = [answer(name, node) for node in looker.nodes]
        # A node names who moves there, or who moved there: then siblings always have one name.
        if any(len({text_of(movers[kid]) for kid in kids}) > 1 for kids in looker.kids):
            movers = [movers[above] for above in looker.parent]
        chooser, lucky = numbered(looker.parent, movers)
        is_turn = max(chooser) < 1 or len({*zip(chooser, in_turn, strict=True)}) == 2
        return (in_turn if is_turn else chooser), lucky

    @property
    def players(self) -> int:
        """The number of players who move, at least two."""
        return max(2, max(self.chooser) + 1)

    # How moves are written ----------------------------------------------------------------------

    def _first_spelling(self) -> Spelling:
        given = self.looker.given.get("move")
        if given or all(key is None for key in self.looker.keys):
            return lambda node: self.ask("move", node)
        return lambda node: self.looker.keys[node]

    def _spellings(self) -> Iterator[Spelling]:
        """Ways in which moves may be written, likely ones first; then the same as the game counts:
        a cell for its row and column, and from 0 for from 1. What is given is the only one."""
        ways, nodes = [self._first_spelling()], self.looker.nodes
        if not self.looker.given.get("move"):
            ways += [self._by_name(name) for name in usual_names("move", nodes[-1])]
            rows, columns = (
                [self._by_name(name) for name in fields(nodes[-1]) if re.search(usual, name, re.I)]
                for usual in (ROWS, COLUMNS)
            )
            ways += [lambda node: (rows[0](node), columns[0](node))] * bool(rows and columns)
        yield from ways
        width = getattr(self.game, "columns", 0)
        for says in ways:
            yield lambda node, says=says: int(says(node)[0]) * width + int(says(node)[1])  # type: ignore[misc]
            yield lambda node, says=says: int(says(node)) - 1  # type: ignore[misc]

    def _by_name(self, name: str) -> Spelling:
        return lambda node: answer(name, self.looker.nodes[node])

    def _board(self, node: int) -> str:
        """No move, but the position that it leads to."""
        return answer(board_text, self.said_state(node)) or self.plain(node)

    # The rules ----------------------------------------------------------------------------------

    def _start(self, game: Game[Any, Any]) -> Any:
        """The root's position by the rules; ``None`` if that is not sure."""
        said, start = self.said_state(0), game.initial_state()
        with suppress(Exception):
            return game.parse(text_of(said))
        with suppress(Exception):
            is_own = type(game).parse is Game.parse or game.parse(game.text(said)) == said
            if is_own and type(said) is type(start) and options(game, said):
                return said
        legal = options(game, start)
        marks = re.sub(r"[][(),'|/]|(?<=\d)\.", "", self.plain(0))
        # A board of zeros, such as NumPy's, or as many moves as only the first position has.
        is_empty = len({*marks}) == 1 and len(marks) > 2 * len(legal)
        is_unique = {*options(game, game.play(start, legal[0]))} != {*legal}
        is_first = is_unique and len(self.looker.kids[0]) == len(legal)
        return start if is_empty or is_first else None

    def _read(self, game: Game[Any, Any]) -> None:
        """Play the moves by the rules; keep nothing if the position or the moves are not sure."""
        start = self._start(game)
        if start is None:
            return

        first = ", ".join(game.action_label(start, one) for one in options(game, start)[:9])
        self.why = f"its moves are not written as the game's ({first})"
        ways = [*((says, named) for says in self._spellings()), (self._board, drawn)]
        for says, texts in ways:
            action: Meaning = partial(meant, game, texts, says)
            known = {kid: action(start, kid) for kid in self.looker.kids[0]}
            if self._is_sure(game, start, known) and self._takes(game, start, action):
                self._spelling = self._spelling if texts is drawn else says
                return

    def _takes(self, game: Game[Any, Any], start: object, action: Meaning) -> bool:
        """Play the moves so read, and keep them if most of them are known."""
        states = [start]
        actions = [None]
        chooser = [turns.before_the_start(game, start)]
        for node, above in enumerate(self.looker.parent[1:], 1):
            place = states[above]
            read = None
            mover = self.chooser[node]
            if place is not None and not game.is_terminal(place):
                mover = turns.counted_for(turns.mover(game, place), chooser[above])
                read = action(place, node)
            chooser.append(mover)
            actions.append(read)
            states.append(None if read is None else game.play(place, read))
        if 2 * states.count(None) >= len(states):
            self.unread, self.why = states.index(None), self._why_illegal(game)
            return False
        self.state = states
        self.action = actions
        self.chooser = chooser
        self.why = ""
        return True

    def _why_illegal(self, game: Game[Any, Any]) -> str:
        """The reason why most moves are not legal where they are made."""
        if not turns.knows_luck(game):
            return "most of its moves are not legal where they are made"
        said = {*zip(self.looker.rows[1], self.looker.said, strict=True)}
        if len(said) > 2 * len({node for node, _ in said}):
            return (
                "a node is a sequence of moves, whose position is another one at each visit, as in "
                "an open loop; the rules know single positions"
            )
        return (
            "luck follows its moves by the rules, but here each node has one position for good: "
            "is the die thrown once and for all"
        )

    def _is_sure(self, game: Game[Any, Any], start: object, known: dict[int, Any]) -> bool:
        """True if the root's children read so are not numbered in another way, nor drawn with
        pieces in other cells, as far as they are written as the game writes them."""
        legal, read = {*options(game, start)}, {k: a for k, a in known.items() if a is not None}
        if not read or (len(read) < len(known) and not {*read.values()} >= legal):
            return False  # such as 1 to 9 for 0 to 8
        if is_luck(game, start):
            return True
        said = "".join(map(self.plain, read))
        text = squeezed("".join(game.text(game.play(start, one)) for one in read.values()))
        odd = {one for one, other in zip(said, text, strict=False) if one != other != "."}
        moves_first = game.to_move(start) == 0 and not odd.isdisjoint(text)  # then O moved first
        return len(said) != len(text) or not ("." in odd or moves_first)


def numbered(parent: Sequence[int], movers: Sequence[Any]) -> tuple[list[int], set[int]]:
    """The number of the player who moved into each node, and where nature moves, by their names."""
    lucky = {above for above, one in zip(parent, movers, strict=True) if one == NATURE}
    players = [*dict.fromkeys(text_of(one) for one in movers[1:] if one != NATURE)]
    chooser = [len(players) - 1]  # the first name is that of the first move
    for above, one in zip(parent[1:], movers[1:], strict=True):
        chooser.append(chooser[above] if one == NATURE else players.index(text_of(one)))
    return chooser, lucky


def named(game: Game[Any, Any], place: object) -> dict[str, Any]:
    """The moves or outcomes that may follow, by their own texts."""
    legal = options(game, place)
    return {str(one): one for one in legal} | {game.action_label(place, one): one for one in legal}


def drawn(game: Game[Any, Any], place: object) -> dict[str, Any]:
    """The moves or outcomes that may follow, by the texts of the positions that they lead to."""
    return {squeezed(game.text(game.play(place, one))): one for one in options(game, place)}


def meant(game: Game[Any, Any], texts: Any, says: Spelling, place: object, node: int) -> Any:
    """The action of the rules that the program's move means; ``None`` if it means none."""
    said = answer(says, node)
    return None if said is None else texts(game, place).get(text_of(said))
