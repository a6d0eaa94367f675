"""Ends of games: by the rules, a win is paid more than a loss, and a draw lies between.

The law needs the rules and a finished position in the tree. It looks at the last two nodes of a
path to there, as one of them mostly belongs to each player. It holds for any scale and for margins,
and it compares rewards per visit. Where the viewpoint is not sure, it must be broken under each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise, product
from typing import ClassVar, Final, NamedTuple, TypeAlias

from mcts_viz.trace.columns import Checked, Finding

from .law import MATCH, PAID, Family
from .orders import OPPOSITE
from .playouts import Playouts
from .replay import Replay
from .steps import TINY, Step

KINDS: Final = {1: "win", 0: "draw", -1: "loss"}
AGAINST: Final = {1: "no more than for a draw or a loss", -1: "no less than for a draw or a win"}
PARTS: Final = {0.0: "0", 0.25: "¼", 0.5: "½", 0.75: "¾", 1.0: "1"}
"""Round parts of the way from a loss to a win."""


class End(NamedTuple):
    """A visit of a finished position: what it is for a node of the path, and what that gained."""

    step: Step
    node: int
    kind: int
    """1 if the player who moved into the node has won, 0 for a draw, -1 for a loss."""
    player: int
    paid: float

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and the node."""
        return self.step.time, self.node


Seen: TypeAlias = dict[End, float]
"""Ends, and what each gained as the player who moved there sees it."""


class Ends(Family):
    """Are finished games paid by their results?"""

    name = "ends of games"
    needs = PAID, MATCH
    TEXTS: ClassVar = {
        "wrong-result": "The game that ends in iteration {} is a {} for the player who moved into "
        "node {}, but that node gets {:g}, {}.",
        "both-lose": "In iteration {} both players get {:g}, as for a {}: what one wins, the other "
        "loses. Is it a draw?",
        "wrong-viewpoint": "A node counts one player's wins, but selection takes the other's: the "
        "game that ends in iteration {} is a {} for the player who moved into node {}, which gets "
        "{:g}. Flip the sign.",
        "wrong-viewpoint (several)": "A node counts the rewards of another player than the one who "
        "chooses it, such as the next: the game that ends in iteration {} is a {} for the player "
        "who moved into node {}, which gets {:g}. Add the reward of who moved there.",
        "wrong-result (ends)": "The game that ends in iteration {} is a {} for the player who "
        "moved into node {}, which gets {:g}, as do all that end so. Rewards of playouts from "
        "positions in play are right: so finished games alone are paid to the loser.",
        "no-playout": "All iterations give one reward, {:g}, also where the game is won or lost: "
        "check who won.",
        "same-result": "All iterations have one winner, also where the other player has won: "
        "check who won.",
    }

    def look(self) -> Iterator[Finding]:
        if not self.ends or self.replay.rewards.width == 0:
            yield from self._without_result()
            return
        said = [self._judge(signs) for signs in self.replay.rule.possible or self._views]
        found = [one for one in said if one]
        if len(found) == len(said):
            yield min(found, key=lambda one: one.iteration)

    def checked(self) -> Checked:
        if not self.ends:
            return self.line(False, "**none seen**, look longer or from a later position")
        wins, losses = (sum(end.kind == kind for end in self.ends) for kind in (1, -1))
        text = f"{wins:,} wins and {losses:,} losses seen, at the last two nodes of their paths"
        if not self.replay.rule.signs:
            text += "; viewpoint **not sure**, so they were compared under each"
        return self.line(self.decided, text)

    @cached_property
    def ends(self) -> list[End]:
        """All visits of finished positions, at the last two nodes of their paths."""
        replay, found = self.replay, list[End]()
        seen = set[int]()
        if not replay.is_match:
            return []
        for step in replay.paid_steps:
            if not replay.is_over(step.end):
                continue
            # A program that keeps maxima pays parents otherwise, and a node only the first time.
            if self.replay.order.kind or step.end not in seen:
                found += ends_of(replay, step, 2 if self.replay.order.kind else 1)
            seen.add(step.end)
        return found

    @property
    def _views(self) -> list[tuple[int, ...]]:
        """All viewpoints, by the signs of the players."""
        return [*product((1, -1), repeat=self.replay.positions.players)]

    @cached_property
    def decided(self) -> list[End]:
        """Those that are won or lost."""
        return [end for end in self.ends if end.kind]

    @cached_property
    def _is_known(self) -> bool:
        """True if the single paths speak for all walks, as most are, or one reward per player
        is all that any node was given."""
        paid = set[float]()
        for moment in self.replay.moments:
            changed = zip(moment.nodes, moment.more, moment.gain, strict=True)
            paid.update(round(gain / more, 6) for node, more, gain in changed if node and more > 0)
        return self.replay.is_single or len(paid) <= 2

    def _without_result(self) -> Iterator[Finding]:
        """All rewards are one, although both players have won."""
        if not self._is_known:
            return
        if long := [end for end in self.decided if len(end.step.path) > 2]:  # of both players
            yield self.finding("no-playout", long[0].proof, long[0].paid)

    def _judge(self, signs: tuple[int, ...]) -> Finding | None:
        """The ends that are paid against their result from this viewpoint, if any are."""
        if loser := self._one_winner():
            return self.finding("same-result", loser)
        # Under one fixed viewpoint each player has a scale of their own.
        every = range(len(signs))
        sides = [{*every}] if len({*signs}) == 1 else [{player} for player in every]
        for side in sides:
            seen = {end: end.paid * signs[end.player] for end in self.ends if end.player in side}
            found = self._reversed(seen) or self._against(seen) or self._drawn_against(seen)
            if found := found or self._both(seen):
                return found
        return None

    def _reversed(self, seen: Seen) -> Finding | None:
        """All wins are paid less than all losses."""
        wins, losses = values_of(seen, 1), values_of(seen, -1)
        if not wins or not losses or max(wins) >= min(losses) - TINY:
            return None
        first = next(end for end in seen if end.kind == 1)
        facts = first.step.time, KINDS[first.kind], first.node, first.paid
        if len({*self.replay.chooser}) > 2:
            said = self.finding("wrong-viewpoint (several)", first.proof, *facts)
            return said._replace(name="wrong-viewpoint")
        if Playouts(self.replay).follow:
            said = self.finding("wrong-result (ends)", first.proof, *facts)
            return said._replace(name="wrong-result")
        return self.finding("wrong-viewpoint", first.proof, *facts)

    def _one_winner(self) -> Step | None:
        """An end that the other player has won, if all iterations are paid as won by one."""
        if not self._is_known:
            return None
        paid: dict[int, set[float]] = {
            player: set() for player in range(self.replay.positions.players)
        }
        for step in self.replay.paid_steps:
            for at in range(1, len(step.path)):
                paid[self.replay.chooser[step.path[at]]].add(round(step.paid(at), 6))
        if not all(len(values) == 1 for values in paid.values()) or paid[0] == paid[1]:
            return None
        wins = {end.player: end for end in self.ends if end.kind == 1}
        least = min(wins, key=lambda player: max(paid[player]), default=0)
        return wins[least].step if len(wins) > 1 else None

    def _against(self, seen: Seen) -> Finding | None:
        """A win that is paid no more than a loss or a draw, or a loss that is paid no less."""
        border = border_of(seen)
        if border is None:
            return None
        for end, value in seen.items():
            if end.kind and (value - border) * end.kind <= TINY:
                return self._wrong(end, AGAINST[end.kind])
        return None

    def _drawn_against(self, seen: Seen) -> Finding | None:
        """A draw that is paid as a loss, or as a win."""
        wins, losses = values_of(seen, 1), values_of(seen, -1)
        for end, value in seen.items():
            if end.kind == 0 and losses and value <= min(losses) + TINY:
                return self._wrong(end, "as little as a loss")
            if end.kind == 0 and wins and value >= max(wins) - TINY:
                return self._wrong(end, "as much as a win")
        return None

    def _wrong(self, end: End, compared: str) -> Finding:
        rewards = self.replay.rewards
        fair = (rewards.low + rewards.high + end.kind * rewards.width) / 2
        mark = f"yours {end.paid:g}, should be {fair:g}" if {*self.replay.rule.signs} == {1} else ""
        facts = end.step.time, KINDS[end.kind], end.node, end.paid, compared
        return self.finding("wrong-result", end.proof, *facts, mark=mark)

    def _both(self, seen: Seen) -> Finding | None:
        """Both players get what a loss gets, or a win, in an iteration that ends in play."""
        wins, losses = values_of(seen, 1), values_of(seen, -1)
        is_told = self.replay.order.kind == OPPOSITE and {*self.replay.rule.signs} == {1}
        if not wins or not losses or not is_told:
            return None
        for step in filter(self._is_level, self.replay.paid_steps):
            paid = step.paid(-1)
            kind = -1 if paid <= min(losses) + TINY else int(paid >= max(wins) - TINY)
            if kind:
                half = (self.replay.rewards.low + self.replay.rewards.high) / 2
                mark = f"yours {paid:g}, should be {half:g}"
                said = self.finding("both-lose", step, step.time, paid, KINDS[kind], mark=mark)
                return said._replace(name="wrong-result")
        return None

    def _is_level(self, step: Step) -> bool:
        """True if the last two nodes of a path belong to both players and get the same."""
        if len(step.path) < 3:
            return False
        one, other = (self.replay.chooser[node] for node in step.path[-2:])
        return one != other and abs(step.paid(-1) - step.paid(-2)) <= TINY


def values_of(seen: Seen, kind: int) -> list[float]:
    """The gains at ends of one kind."""
    return [value for end, value in seen.items() if end.kind == kind]


def border_of(seen: Seen) -> float | None:
    """The border of wins and losses with the fewest errors; ``None`` if there is none, or all are
    paid alike."""
    decided = [(value, end.kind) for end, value in seen.items() if end.kind]
    values = sorted({value for value, _ in decided})
    if len({kind for _, kind in decided}) < 2 and len(values) > len(KINDS):
        return None  # such as wins alone, with values that never repeat
    borders = [(one + other) / 2 for one, other in pairwise(values)]

    def errors(border: float) -> int:
        return sum((value - border) * kind < 0 for value, kind in decided)

    least = min(map(errors, borders), default=0)
    best = [border for border in borders if errors(border) == least]
    return sum(best) / len(best) if best else None  # the middle, so that it favours neither


def ends_of(replay: Replay, step: Step, last: int) -> Iterator[End]:
    """A path that ends the game, as so many of its last nodes see it."""
    game, place = replay.game, replay.positions.state[step.end]
    assert game is not None
    results = game.returns(place)
    for at in range(len(step.path) - 1, max(0, len(step.path) - 1 - last), -1):
        if step.visits[at] > step.visits[-1]:
            return  # another walk of the same look ended there
        node = step.path[at]
        player = replay.chooser[node]
        kind = (results[player] == max(results)) - (results[player] == min(results))
        yield End(step, node, kind, player, step.paid(at))


class Draws(Ends):
    """The pay of drawn games. Whether that is right, :class:`Ends` says."""

    name = "draws"
    look = Family.look

    def checked(self) -> Checked:
        draws = [end for end in self.ends if end.kind == 0 and end.node == end.step.end]
        if not draws:
            return self.line(False, "**none seen**")
        rewards = self.replay.rewards
        paid = {end.paid for end in draws}
        if len(paid) > 1 or rewards.width == 0:
            return self.line(True, f"{len(draws):,} seen, paid {min(paid):g} to {max(paid):g}")
        part = (min(paid) - rewards.low) / rewards.width
        way = PARTS.get(round(part, 3), f"{part:.2f}")
        scale = (
            "" if (rewards.low, rewards.high) == (0, 1) else f" ({way} of the way from loss to win)"
        )
        value = way if not scale else f"{min(paid):g}"
        return self.line(True, f"{len(draws):,} seen, paid {value}{scale}")
