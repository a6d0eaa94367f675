"""Moves and positions: by the rules every move is legal, none is left out, and each leads there.

Without rules two children may be said to have one move only if they have one position too: a move
may be written in two attributes, and luck gives one move several outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np

from mcts_viz.trace.columns import Checked, Finding

from .law import BY_RULES, Family
from .names import squeezed, text_of
from .positions import is_luck, options
from .steps import Step

TRIES: Final = 3
"""Visits of a node for each pair of its moves, after which each of them should have been tried."""
NODES: Final = 4
"""Nodes that must all lack a move before no way is seen in which a search could try it."""
WINS: Final = 3
"""Sure wins that must be passed over."""
FINISHED: Final = 20
"""Finished nodes of which none was visited again, before it is said that all are passed over."""
LATE: Final = 5
"""Those among them whose parents were visited often enough later."""
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
        "duplicate-move (note)": "Unusual: two children of node {} have the same move, {}. That is "
        "right if luck decides what follows, or if a move has a second part.",
        "moves-unread": "Watch cannot read moves of {} such as {!r}: {}. Children have the "
        "attributes {}: {}.",
        "after-the-end": "The game ended one move earlier, and node {} comes after: a terminal "
        "node must not get children.",
        "illegal-move": "The move {} is not legal here, in node {}.",
        "missing-move": "The legal move {} is never tried here, in {:g} visits, and nothing in the "
        "tree shows how it could be: put each legal move into the list of untried ones.",
        "missing-move (note)": "Unusual: the legal move {} is never tried here, in {:g} visits. "
        "That is right for moves that are left out on purpose, such as symmetric ones, or are "
        "added late.",
        "stops-early": "Unusual: {} of {} iterations stop at a node in play whose legal moves all "
        "have children, as iteration {} at node {}. That is right if the depth is limited, or "
        "values are proven; else go on down until a move is untried.",
        "finished-skipped": "Node {} wins for the player who moves there, and in iteration {} no "
        "other child scores as much. But no finished node is ever selected again: select them too.",
        "finished-skipped (note)": "Unusual: no finished node is selected again, not even node {}, "
        "which wins for the player who moves there, in {:g} visits of its parent. That is right if "
        "finished nodes get their exact value without a bonus.",
    }

    def look(self) -> Iterator[Finding]:
        duplicates = [*self._duplicates()]
        yield from duplicates
        positions = self.replay.positions
        if self.replay.game and not positions.is_read:
            facts = self.replay.game.name, text_of(positions.move(positions.unread))
            why = positions.why, positions.attributes(), positions.remedy()
            proof = self.replay.born_at(positions.unread)
            yield self.note("moves-unread", proof, *facts, *why)
        for node in range(self.replay.count if positions.is_read else 0):
            yield from self._legal(node)
        if not any(one.fault for one in duplicates):  # else each says why a move is missing
            yield from self._missing()
        yield from self._skipped()
        yield from self._early()

    def checked(self) -> Checked:
        positions = self.replay.positions
        if not positions.is_read:
            return self.line(False, f"**unread**: {positions.why}")
        read = sum(place is not None for place in positions.state)
        return self.line(True, f"{read - 1:,} of {self.replay.count - 1:,} are legal")

    def _duplicates(self) -> Iterator[Finding]:
        replay, positions = self.replay, self.replay.positions
        seen: dict[tuple[int, str], int] = {}
        for kid in range(1, replay.count):
            parent, move = replay.looker.parent[kid], text_of(positions.move(kid))
            other = seen.setdefault((parent, move), kid)
            if not move or other == kid or not {kid, other} <= {*replay.looker.children(parent)}:
                continue
            here = positions.state[parent]
            if here is not None and is_luck(replay.game, here):
                continue
            said = positions.plain(kid), positions.plain(other)
            is_read = positions.action[kid] is not None
            if is_read or (said[0] and said[0] == said[1]):
                yield self.finding("duplicate-move", replay.born_at(kid), parent, move)
            elif not said[0]:
                text = "duplicate-move (note)"
                yield self.note("duplicate-move", replay.born_at(kid), parent, move, text=text)

    def _legal(self, node: int) -> Iterator[Finding]:
        replay, positions = self.replay, self.replay.positions
        above = replay.looker.parent[node]
        if positions.state[node] is not None or above < 0:
            return
        if replay.is_over(above):
            yield self.finding("after-the-end", replay.born_at(node), node)
        elif positions.state[above] is not None:
            move = text_of(positions.move(node))
            yield self.finding("illegal-move", replay.born_at(node), move, node)

    def _early(self) -> Iterator[Finding]:
        """Iterations that stop above children which were all there before."""
        stopped = [step for step in self.replay.paid_steps if self._could_go_on(step)]
        if len(stopped) >= STOPPED * max(1, len(self.replay.paid_steps)):
            first = stopped[0]
            facts = len(stopped), len(self.replay.paid_steps), first.time, first.end
            yield self.note("stops-early", first, *facts)

    def _could_go_on(self, step: Step) -> bool:
        """True if each legal move at the end of the path had a child before."""
        looker, legal = self.replay.looker, {*self._legal_actions(step.end)}
        old = [kid for kid in looker.kids[step.end] if looker.created_at[kid] < step.time]
        return bool(legal) and legal <= {self.replay.positions.action[kid] for kid in old}

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
        place = replay.positions.state[node]
        facts = game.action_label(place, shown[node][0]), replay.n[node]
        if is_impossible:
            yield self.finding("missing-move", (replay.looks, node), *facts)
        else:
            text = "missing-move (note)"
            yield self.note("missing-move", (replay.looks, node), *facts, text=text)

    def _is_never_possible(self, lacking: dict[int, list[Any]]) -> bool:
        """True if no node shows a way to try a move later: what left them out is no choice of
        moves.

        Symmetric or forced moves are left out at some nodes, and others are complete.
        """
        tried = {*self.replay.positions.action}
        alone = [untried[0] for untried in lacking.values() if len(untried) == 1]
        never = [action for action in alone if action not in tried]
        if len(never) >= NODES:  # one move that is missing wherever all others are there
            return True
        if len(lacking) < max(NODES, len(self._passed)):
            return False
        has_one_child = all(len(self.replay.looker.kids[node]) == 1 for node in lacking)
        return has_one_child or len(alone) == len(lacking)

    def _is_busy(self, node: int) -> bool:
        """True if a node has enough visits to have tried all its moves."""
        return float(self.replay.n[node]) > 10 + TRIES * len(self._legal_actions(node)) ** 2

    @cached_property
    def _first_below(self) -> dict[int, int]:
        """For each node: the first iteration that went on to a child which was there."""
        created, first = self.replay.looker.created_at, dict[int, int]()
        for step in self.replay.steps:
            for above, node in pairwise(step.path):
                if created[node] < step.time:
                    first.setdefault(above, step.time)
        return first

    @cached_property
    def _passed(self) -> list[int]:
        """Nodes with several moves below which the search has gone on."""
        return [node for node in self._first_below if len(self._legal_actions(node)) > 1]

    def _legal_actions(self, node: int) -> list[Any]:
        place, game = self.replay.positions.state[node], self.replay.game
        if place is None or game is None or is_luck(game, place):
            return []
        return options(game, place)

    def _untried(self, node: int) -> list[Any]:
        tried = {self.replay.positions.action[kid] for kid in self.replay.looker.kids[node]}
        return [action for action in self._legal_actions(node) if action not in tried]

    @cached_property
    def _adds_late(self) -> bool:
        """True if a node got a child after the search had gone on below another one."""
        looker, first = self.replay.looker, self._first_below
        return any(
            looker.created_at[kid] > first.get(looker.parent[kid], self.replay.looks)
            for kid in range(1, self.replay.count)
        )

    # Finished, and never again -------------------------------------------------------------------

    def _skipped(self) -> Iterator[Finding]:
        """No finished node is ever selected again, not even one that wins for who selects it."""
        replay, game = self.replay, self.replay.game
        if game is None or not replay.is_match:
            return
        visited = self._visited_ends
        late = [node for node in visited if self._went_on(node)]
        is_again = any(replay.n[node] > replay.unit for node in visited)
        if is_again or len(visited) < FINISHED or len(late) < LATE:
            return
        state = replay.positions.state
        wins = [node for node in late if game.returns(state[node])[replay.chooser[node]] > 0]
        if len(wins) < WINS:
            return
        passed = self._passed_wins({*wins})
        if len(passed) >= WINS:
            time, node = passed[0]
            yield self.finding("finished-skipped", (time, replay.looker.parent[node]), node, time)
        else:
            node, above = wins[0], replay.looker.parent[wins[0]]
            proof = replay.time[replay.node == above].max(), above
            facts = node, replay.n[above]
            yield self.note("finished-skipped", proof, *facts, text="finished-skipped (note)")

    def _passed_wins(self, wins: set[int]) -> list[tuple[int, int]]:
        """Choices of another child, though a win's value alone is above all their scores.

        Its bonus is left out, as an exact value needs none: then no sound rule passes it over.
        """
        s, rule = self.replay.choices, self.replay.rule
        if rule.row is None or not rule.possible:
            return []
        is_win = np.isin(s.node, [*wins])
        bonus = np.nan_to_num(rule.row.bonus(s), nan=0) * rule.middle
        is_passed = np.ones(len(s), bool)
        for signs in rule.possible:
            value = rule.row.value(s) * np.repeat(np.array(signs)[s.player], s.sizes)
            best = np.maximum.reduceat(np.where(is_win, value, -np.inf), s.starts)
            other = np.maximum.reduceat(np.where(is_win, -np.inf, value + bonus), s.starts)
            is_passed &= best > other
        passed = []
        for choice in np.flatnonzero(is_passed & ~is_win[s.chosen]):
            inside = slice(s.starts[choice], s.starts[choice] + s.sizes[choice])
            passed.append((int(s.time[choice]), int(s.node[inside][is_win[inside]][0])))
        return passed

    @cached_property
    def _visited_ends(self) -> list[int]:
        """Finished nodes that were visited."""
        replay = self.replay
        visited = [node for node in range(1, replay.count) if replay.n[node] > 0]
        return [node for node in visited if replay.is_over(node)]

    def _went_on(self, node: int) -> bool:
        """True if its parent was visited often enough after a node to select it once more."""
        replay, above = self.replay, self.replay.looker.parent[node]
        last = replay.time[replay.node == node]
        rows = (replay.node == above) & (replay.time <= last.max(initial=0))
        before = replay.visits[rows].max(initial=0)
        return bool(replay.n[above] - before > 3 * len(replay.looker.kids[above]) * replay.unit)


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
        for node in self._written:
            said, text = self._texts(node)
            if said != text:
                yield from self._differs(node, said, text)
                return

    def checked(self) -> Checked:
        of = len(self._written)
        if not of:
            return self.line(
                False, "**not compared**: nodes do not say theirs as the game writes it"
            )
        same = sum(said == text for said, text in map(self._texts, self._written))
        return self.line(True, f"{same:,} of {of:,} are those of the rules")

    def _texts(self, node: int) -> tuple[str, str]:
        """The position as the program says it, and by the rules."""
        positions, game = self.replay.positions, self.replay.game
        place = positions.state[node]
        if place is None or game is None:
            return "", ""
        return positions.plain(node), squeezed(game.text(place))

    @cached_property
    def _written(self) -> list[int]:
        """Nodes whose position is written as the game writes it; none if the root's is not."""
        if not self.replay.positions.is_read:
            return []
        said, text = self._texts(0)
        if said != text or self._has_other_signs:
            return []
        texts = [(node, *self._texts(node)) for node in range(self.replay.count)]
        signs = {sign for _, _, text in texts[:SAMPLE] for sign in text}
        return [
            node
            for node, said, text in texts
            if text and len(said) == len(text) and {*said} <= signs
        ]

    @property
    def _has_other_signs(self) -> bool:
        """True if the first move puts another sign everywhere, on a board without any: O may
        begin."""
        texts = [self._texts(kid) for kid in self.replay.looker.kids[0]]
        odd = [blanks(said) == blanks(text) and said != text for said, text in texts]
        return all(odd) and len({*self._texts(0)[1]}) == 1

    def _differs(self, node: int, said: str, text: str) -> Iterator[Finding]:
        proof, move = self.replay.born_at(node), text_of(self.replay.positions.move(node))
        if said.count(".") != text.count("."):
            yield self.finding("state-changed", proof, node)
        elif blanks(said) == blanks(text):
            yield self.finding("player-not-changed", proof, node)
        else:
            yield self.finding("wrong-position", proof, move, text, node, said)


def blanks(text: str) -> list[bool]:
    """For each cell: true if it is empty."""
    return [sign == "." for sign in text]
