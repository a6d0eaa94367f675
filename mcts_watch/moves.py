"""Moves and positions: by the rules every move is legal, none is left out, and each leads there.

Without rules two children may be said to have one move only if they have one position too: a move
may be written in two attributes, and luck gives one move several outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final

from mcts_viz.trace.columns import Checked, Finding

from .law import BY_RULES, Family
from .names import squeezed, text_of
from .orders import Moment
from .positions import is_luck, options

TRIES: Final = 3
"""Visits of a node for each pair of its moves, after which each of them should have been tried."""
NODES: Final = 4
"""Nodes that must all lack a move before no way is seen in which a search could try it."""
STOPPED: Final = 0.05
"""The share of iterations that must stop above children before they are spoken of."""
SAMPLE: Final = 50
"""Positions from which the signs of a game are taken."""


class Moves(Family):
    """Is each move legal, and is each tried once?"""

    name = "moves"
    TEXTS: ClassVar = {
        "duplicate-move": "Two children of node {} have the same move, {}: remove each move from "
        "the list when you try it.",
        "duplicate-move (unknown)": "Unusual: two children of node {} have the same move, {}. That "
        "is right if luck decides what follows, or if a move has a second part.",
        "moves-unread": "Watch cannot read moves of {} such as {!r}: {}. Children have the "
        "attributes {}: {}.",
        "after-the-end": "The game ended one move earlier, and node {} comes after: a terminal "
        "node must not get children.",
        "illegal-move": "The move {} is not legal here, in node {}.",
        "missing-move": "The legal move {} is never tried here, in {:g} visits, and nothing in the "
        "tree shows how it could be: put each legal move into the list of untried ones.",
        "missing-move (perhaps)": "Unusual: the legal move {} is never tried here, in {:g} visits. "
        "That is right for moves that are left out on purpose, such as symmetric ones, or are "
        "added late.",
        "stops-early": "Unusual: {} of {} iterations stop at a node in play whose legal moves all "
        "have children, as iteration {} at node {}. That is right if the depth is limited, or "
        "values are proven; else go on down until a move is untried.",
    }

    def look(self) -> Iterator[Finding]:
        replay, positions = self.replay, self.replay.positions
        duplicates = [*self._duplicates()]
        yield from duplicates
        if replay.game and not replay.is_read:
            proof = replay.born_at(positions.unread)
            facts = replay.game.name, text_of(positions.move(positions.unread)), positions.why
            seen = positions.attributes(), positions.remedy()
            yield self.said("moves-unread", proof, *facts, *seen)
        for node in range(replay.count if replay.is_read else 0):
            yield from self._legal(node)
        if not any(one.fault for one in duplicates):  # else each says why a move is missing
            yield from self._missing()
        yield from self._early()

    def checked(self) -> Checked:
        replay = self.replay
        if not replay.is_read:
            return self.line(False, f"**unread**: {replay.positions.why}")
        read = sum(place is not None for place in replay.state)
        return self.line(True, f"{read - 1:,} of {replay.count - 1:,} are legal")

    def _duplicates(self) -> Iterator[Finding]:
        replay, positions = self.replay, self.replay.positions
        seen: dict[tuple[int, str], int] = {}
        for kid in range(1, replay.count):
            parent, move = replay.parent[kid], text_of(positions.move(kid))
            other = seen.setdefault((parent, move), kid)
            if not move or other == kid or not {kid, other} <= {*replay.looker.children(parent)}:
                continue
            here, said = replay.state[parent], positions.plain(kid)
            if here is not None and is_luck(replay.game, here):
                continue
            if replay.action[kid] is not None or (said and said == positions.plain(other)):
                yield self.said("duplicate-move", replay.born_at(kid), parent, move)
            elif not said:
                yield self.said("duplicate-move (unknown)", replay.born_at(kid), parent, move)

    def _legal(self, node: int) -> Iterator[Finding]:
        replay, above = self.replay, self.replay.parent[node]
        if replay.state[node] is not None or above < 0:
            return
        if replay.is_over(above):
            yield self.said("after-the-end", replay.born_at(node), node)
        elif replay.state[above] is not None:
            move = text_of(replay.positions.move(node))
            yield self.said("illegal-move", replay.born_at(node), move, node)

    def _early(self) -> Iterator[Finding]:
        """Iterations that stop above children which were all there before."""
        steps = self.replay.paid_steps
        stopped = [step for step in steps if self._could_go_on(step)]
        if len(stopped) >= STOPPED * max(1, len(steps)):
            first = stopped[0]
            yield self.said(
                "stops-early", first.proof, len(stopped), len(steps), first.time, first.end
            )

    def _could_go_on(self, step: Moment) -> bool:
        """True if each legal move at the end of the path had a child before."""
        replay, legal = self.replay, {*self._legal_actions(step.end)}
        old = [kid for kid in replay.kids[step.end] if replay.created[kid] < step.time]
        return bool(legal) and legal <= {replay.action[kid] for kid in old}

    # Never tried --------------------------------------------------------------------------------

    def _missing(self) -> Iterator[Finding]:
        """Nodes that lack a move, though the search has gone on below them."""
        replay, game = self.replay, self.replay.game
        lacking = {node: untried for node in self._passed if (untried := self._untried(node))}
        many = {node: untried for node, untried in lacking.items() if self._is_busy(node)}
        is_impossible = not self._adds_late and self._is_never_possible(lacking)
        if not lacking or game is None or not (many or is_impossible):
            return
        shown = many or lacking
        node = max(shown, key=lambda one: replay.n[one])
        move = game.action_label(replay.state[node], shown[node][0])
        text = "missing-move" if is_impossible else "missing-move (perhaps)"
        yield self.said(text, (replay.looks, node), move, replay.n[node])

    def _is_never_possible(self, lacking: dict[int, list[Any]]) -> bool:
        """True if no node shows a way to try a move later: what left them out is no choice of
        moves.

        Symmetric or forced moves are left out at some nodes, and others are complete.
        """
        alone = [untried[0] for untried in lacking.values() if len(untried) == 1]
        never = [action for action in alone if action not in self.replay.action]
        if len(never) >= NODES:  # one move that is missing wherever all others are there
            return True
        if len(lacking) < max(NODES, len(self._passed)):
            return False
        has_one_child = all(len(self.replay.kids[node]) == 1 for node in lacking)
        return has_one_child or len(alone) == len(lacking)

    def _is_busy(self, node: int) -> bool:
        """True if a node has enough visits to have tried all its moves."""
        return float(self.replay.n[node]) > 10 + TRIES * len(self._legal_actions(node)) ** 2

    @cached_property
    def _first_below(self) -> dict[int, int]:
        """For each node: the first iteration that went on to a child which was there."""
        first = dict[int, int]()
        for step in self.replay.steps:
            for above, node in pairwise(step.nodes):
                if self.replay.created[node] < step.time:
                    first.setdefault(above, step.time)
        return first

    @cached_property
    def _passed(self) -> list[int]:
        """Nodes with several moves below which the search has gone on."""
        return [node for node in self._first_below if len(self._legal_actions(node)) > 1]

    def _legal_actions(self, node: int) -> list[Any]:
        place, game = self.replay.state[node], self.replay.game
        if place is None or game is None or is_luck(game, place):
            return []
        return options(game, place)

    def _untried(self, node: int) -> list[Any]:
        tried = {self.replay.action[kid] for kid in self.replay.kids[node]}
        return [action for action in self._legal_actions(node) if action not in tried]

    @cached_property
    def _adds_late(self) -> bool:
        """True if a node got a child after the search had gone on below another one."""
        replay, first = self.replay, self._first_below
        kids = range(1, replay.count)
        return any(
            replay.created[kid] > first.get(replay.parent[kid], replay.looks) for kid in kids
        )


class Places(Family):
    """Is each node's position the one to which its move leads?"""

    name = "positions"
    needs = (BY_RULES,)
    TEXTS: ClassVar = {
        "player-not-changed": "The wrong player moves here, into node {}: players must take turns.",
        "state-changed": "The position of node {} has other moves in it than those that lead "
        "there: play the playout on a copy of it.",
        "wrong-position": "The move {} leads to {} by the rules, but node {} holds {}: play the "
        "move that the node is given.",
    }

    def look(self) -> Iterator[Finding]:
        for node, said, text in self._written:
            if said != text:
                yield self._differs(node, said, text)
                return

    def checked(self) -> Checked:
        of = len(self._written)
        if not of:
            why = "**not compared**: nodes do not say theirs as the game writes it"
            return self.line(False, why)
        same = sum(said == text for _, said, text in self._written)
        return self.line(True, f"{same:,} of {of:,} are those of the rules")

    def _texts(self, node: int) -> tuple[str, str]:
        """The position as the program says it, and by the rules."""
        place, game = self.replay.state[node], self.replay.game
        if place is None or game is None:
            return "", ""
        return self.replay.positions.plain(node), squeezed(game.text(place))

    @cached_property
    def _written(self) -> list[tuple[int, str, str]]:
        """Nodes whose position is written as the game writes it, and both texts; none if the root's
        is not."""
        texts = [(node, *self._texts(node)) for node in range(self.replay.count)]
        if texts[0][1] != texts[0][2] or self._has_other_signs(texts[0][2]):
            return []
        signs = {*"".join(text for *_, text in texts[:SAMPLE])}
        return [
            (node, said, text)
            for node, said, text in texts
            if text and len(said) == len(text) and {*said} <= signs
        ]

    def _has_other_signs(self, start: str) -> bool:
        """True if the first move puts another sign everywhere, on a board without any: O may
        begin."""
        texts = map(self._texts, self.replay.kids[0])
        odd = [blanks(said) == blanks(text) and said != text for said, text in texts]
        return all(odd) and len({*start}) == 1

    def _differs(self, node: int, said: str, text: str) -> Finding:
        proof, move = self.replay.born_at(node), text_of(self.replay.positions.move(node))
        if said.count(".") != text.count("."):
            return self.said("state-changed", proof, node)
        if blanks(said) == blanks(text):
            return self.said("player-not-changed", proof, node)
        return self.said("wrong-position", proof, move, text, node, said)


def blanks(text: str) -> list[bool]:
    """For each cell: true if it is empty."""
    return [sign == "." for sign in text]
