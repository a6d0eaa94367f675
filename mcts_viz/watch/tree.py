"""Read moves, positions, priors and players from the nodes of a watched tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

import numpy as np

from ..games import ConnectFour, Game, TicTacToe
from .look import Looker, as_float, fields, told

PATTERNS: Final = {
    "move": re.compile(
        r"^_*((last|parent|prior|from|prev|incoming|in)_?)?(move|action|mv|act|a|play|step)"
        r"(_taken)?$",
        re.I,
    ),
    "state": re.compile(r"^_*(game_?)?(state|board|position|pos|game|env|grid|s)$", re.I),
    "priors": re.compile(r"prior|^_*p$|prob", re.I),
}
"""The usual names of each kind of attribute."""
PLAYER: Final = re.compile(r"player|to_?move|turn|to_?play|mover|side|colou?r", re.I)
ASKED: Final = (
    *("current_player", "get_current_player", "getCurrentPlayer", "to_move", "to_play"),
    *("turn", "player", "get_player", "player_to_move", "next_player"),
)
"""Methods of a position that say who is to move."""
NODES: Final = 300
"""The number of nodes that are asked before something is taken for a player."""


def source_of(kind: str, node: Any) -> str | None:
    """The first attribute of a node with a usual name; text may be a position by any name."""
    for name, value in fields(node).items():
        is_text = kind == "state" and isinstance(value, str) and len(value) > 5
        if PATTERNS[kind].search(name) or is_text:
            return name
    return None


def cells_of(state: Any) -> list[Any]:
    """A position as a flat list of plain values, empty if it is no such thing."""
    if isinstance(state, np.ndarray):
        return list(state.ravel().tolist())
    if isinstance(state, dict):
        state = state.values()
    elif not isinstance(state, str | list | tuple):
        state = fields(state).values()
    flat: list[Any] = []
    for entry in state:
        if isinstance(entry, list | tuple | np.ndarray | str) and len(entry) != 1:
            flat += cells_of(entry)
        elif isinstance(entry, int | float | str | bool | type(None) | np.generic):
            flat.append(entry)
    return flat[:400]


class Tree:
    """The moves, positions, priors and players of a watched tree."""

    def __init__(self, looker: Looker, game: Game[Any, Any] | None) -> None:
        self.looker, self.game = looker, game
        self.sources = {
            kind: looker.given.get(kind) or source_of(kind, looker.nodes[-1]) for kind in PATTERNS
        }
        self.positions, self.actions = self.read(game) if game else ([], [])
        inner = [node for node, kids in enumerate(looker.kids) if kids]
        said = [dict(self._sayings(node)) for node in range(len(looker.nodes))]
        names = [name for name in said[0] if all(name in said[node] for node in inner)]
        self._voices = [[told.get(name) for told in said] for name in names]
        """The numbers or names by node, one column each, that may be those of a player."""
        kinds = [len({values[node] for node in inner}) for values in self._voices]
        self._turns = [depth % 2 for depth in looker.depth]
        put = {
            (self._turns[node], tuple(piece for *_, piece in self.changes(node)))
            for node in range(1, min(NODES, len(said)))
        }
        first, second = ({pieces for turn, pieces in put if turn == side} for side in (1, 0))
        takes_turns = len(first) == len(second) == 1 and first != second
        same_piece = first == second and [*map(len, first)] == [1]
        self.player_stays = len(inner) > 6 and (1 in kinds or same_piece)
        """True if positions say that the same player makes every move."""
        several = [kind for kind in kinds if 2 <= kind <= 4] + [2] * takes_turns
        self.players = len(game.players) if game and self.positions else [*several, 0][0]
        """The number of players; 0 if it is unknown, and then two are assumed to take turns."""

    def _get(self, kind: str, node: int) -> Any:
        source = self.sources[kind]
        return source and told(source, self.looker.places[node])

    def told_move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        said = self.looker.places[node][2]
        return self._get("move", node) if said is None else said

    def move(self, node: int) -> Any:
        """The same, or the node's place among its siblings."""
        said = self.told_move(node)
        return self.looker.places[node][3] if said is None else said

    def state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        if self.sources["state"] is None and self.looker.by_value:
            return self.looker.nodes[node]
        return self._get("state", node)

    def changes(self, node: int) -> list[tuple[int, Any, Any]]:
        """The cells in which a position is not the one above: place, before and after."""
        pair = (cells_of(self.state(at)) for at in (self.looker.parent[node], node))
        cells = enumerate(zip(*pair, strict=False))
        return [(place, before, after) for place, (before, after) in cells if before != after]

    @cached_property
    def priors(self) -> dict[int, float]:
        """The prior of each node, its own or from a table on its parent; empty without any."""
        name = self.sources["priors"]
        for source in (name, f"{name}[move]") if name else ():
            found = {n: as_float(told(source, at)) for n, at in enumerate(self.looker.places)}
            if any(found.values()):
                return found
        return {}

    # Players ------------------------------------------------------------------------------------

    def _sayings(self, node: int) -> Iterator[tuple[str, Any]]:
        """Yield what a node and its position say that may be the number or the name of a player."""
        state = self.state(node)
        for holder, thing in (("", self.looker.nodes[node]), ("state.", state)):
            for name, value in fields(thing).items():
                is_plain = isinstance(value, int | str | np.integer)
                if is_plain and PLAYER.search(name) and not PATTERNS["move"].search(name):
                    yield holder + name, value
        for name in ASKED:
            with suppress(Exception):
                said = getattr(state, name)()
                hash(said)  # else it is no name
                yield f"state.{name}()", said

    def _columns(self) -> Iterator[Sequence[Any]]:
        """Yield columns by node that may say who plays: words, the depth, cells of two kinds."""
        yield from self._voices
        yield self._turns
        cells = [cells_of(self.state(node)) for node in range(len(self._turns))]
        if len({*map(len, cells)}) == 1:
            yield from (column for column in zip(*cells, strict=True) if len({*column}) == 2)

    def choosers(self) -> Iterator[tuple[int, ...]]:
        """Yield each way to say which player chose each node, likely ones first."""
        parent = self.looker.parent
        if self.game and self.positions:
            asked = [above if self.positions[above] is not None else 0 for above in parent[1:]]
            yield (0, *(self.game.to_move(self.positions[node]) for node in asked))
            return
        seen = set()
        for values in self._columns():
            is_own = len({*zip(parent[1:], values[1:], strict=True)}) == len({*parent[1:]})
            mine, above = values[1:], [values[node] for node in parent[1:]]
            for said in (mine, above) if is_own else (above, mine):
                kinds = [*dict.fromkeys(said)]
                way = 0, *map(kinds.index, said)
                if (2 <= len(kinds) <= 4 or values is self._turns) and way not in seen:
                    seen.add(way)
                    yield way

    # The rules of a game ------------------------------------------------------------------------

    def read(self, game: Game[Any, Any]) -> tuple[list[Any], list[Any]]:
        """Return each node's position by the rules, and its action; ``None`` if a move is illegal.

        Both are empty if the program's moves cannot be read as those of the game.
        """
        columns, parent = getattr(game, "columns", 3), self.looker.parent

        def by_name(state: Any, node: int, legal: Any) -> Any:
            said = str(self.told_move(node))
            return next(a for a in legal if said in (str(a), game.action_label(state, a)))

        def by_pair(state: Any, node: int, legal: Any) -> Any:
            return int(np.dot(self.told_move(node), (columns, 1)))

        def by_change(state: Any, node: int, legal: Any) -> Any:
            place = self.changes(node)[0][0]
            return place if place in legal else place % columns

        best: tuple[int, list[Any], list[Any]] = (len(parent) // 2, [], [])
        for way in (by_name, by_pair, by_change):
            states, actions = [self._start(game)], [None]
            for node in range(1, len(parent)):
                state, action, after = states[parent[node]], None, None
                with suppress(Exception):
                    over = state is None or game.is_terminal(state)
                    legal = [] if over else game.legal_actions(state)
                    action = way(state, node, legal)
                    after = game.play(state, action) if action in legal else None
                states.append(after)
                actions.append(action)
                if node == 40 and states.count(None) > 20:
                    break
            found = len(states) - states.count(None)
            if len(states) == len(parent) and found > best[0]:
                best = found, states, actions
        return best[1:]

    def is_over(self, node: int) -> bool:
        """True if the rules are there and say that no game goes on from this node."""
        if not self.game or not self.positions:
            return False
        position = self.positions[node]
        return position is None or self.game.is_terminal(position)

    def _start(self, game: Game[Any, Any]) -> Any:
        """The root's position: as the program has it, if the game reads it, else the first one."""
        said, start = self.state(0), game.initial_state()
        with suppress(Exception):
            return game.parse(str(said))
        with suppress(Exception):  # a board of other signs: what the first move puts is the mover's
            cells, (_, blank, mine) = cells_of(said), self.changes(self.looker.kids[0][0])[0]
            placed = [cell for cell in cells if cell != blank]
            signs = "XO" if 2 * placed.count(mine) == len(placed) else "OX"
            return game.parse("".join("." if c == blank else signs[c != mine] for c in cells))
        with suppress(Exception):
            if type(said) is type(start) and game.legal_actions(said):
                return said
        return start

    @cached_property
    def likely_game(self) -> tuple[Game[Any, Any] | None, list[Any]]:
        """Tic-tac-toe or Connect Four with its positions, if every node is legal there."""
        first = len(self.looker.kids[0])
        for game in (TicTacToe(), ConnectFour()) if len(self.looker.nodes) > 30 else ():
            states, _ = self.read(game)
            if states and None not in states and len(game.legal_actions(states[0])) == first:
                return game, states
        return None, []
