"""What the sentences of a film claim, read word by word and held against rules and exact play.

Nothing here asks the film for a number: a reader has the sentence, the trace knows which nodes there are
and in which order they came, and the rest is worked out again, by the rules of the game alone.
"""

from __future__ import annotations

import re
from functools import cache

NUMBER = r"-?\d+(?:\.\d+)?"
BOUND = rf"(?:at least |at most )?{NUMBER}"
PLACE = r"at the root|after (?:.+)"
CLOSE = 0.00501
"""A number of two decimals is so near to what it says."""


def read(patterns, sentence):
    """The name of the one pattern that a sentence has, and its parts; nobody may say anything else."""
    found = {name: match for name, p in patterns.items() if (match := re.fullmatch(p, sentence))}
    assert len(found) == 1, f"{sentence!r} is read as {[*found]}"
    ((name, match),) = found.items()
    return name, match.groupdict()


def holds(said, exact):
    """Whether "0.5", "at least 0.5", "≤ 0.5" is true of an exact number."""
    number = float(re.search(rf"{NUMBER}$", said)[0])
    if said.startswith(("at least", "≥")):
        return exact >= number - CLOSE
    if said.startswith(("at most", "≤")):
        return exact <= number + CLOSE
    return abs(exact - number) <= CLOSE


# Minimax and alpha-beta ---------------------------------------------------------------------------

WALK = {
    "enter": rf"The position (?P<place>{PLACE}) is entered"
    rf"(?: with the window from α = (?P<alpha>\S+) to β = (?P<beta>\S+))?\.",
    "evaluate": rf"The game is over (?P<place>{PLACE}): its value for MAX is (?P<value>{NUMBER})\.",
    "back_up": rf"(?P<move>.+) is worth (?P<theirs>{BOUND})\. (?P<whose>MAX|MIN) (?P<place>{PLACE}) "
    rf"takes the (?P<which>largest|smallest) of its moves, so far (?P<best>{BOUND})\.",
    "cut_off": rf"(?P<kind>α|β) cutoff (?P<place>{PLACE}): (?P<whose>MAX|MIN) gets (?P<best>{BOUND}) here\. "
    rf"(?P<other>MAX|MIN) is already sure of (?P<sure>{NUMBER}) elsewhere and gains nothing here"
    r"(?:, so (?P<skipped>\d+) other moves? (?:is|are) skipped|; no other move was left)\.",
}
CARD = rf"(?P<whose>MAX|MIN|end) (?P<value>\?|(?:[≤≥] )?{NUMBER})"
WINDOW = rf"α (?P<alpha>−∞|−?{NUMBER})  β (?P<beta>∞|−?{NUMBER})"


class Walked:
    """A walk, told again by the rules: which moves a node has, and what each position is worth."""

    def __init__(self, trace):
        self.trace, self.game = trace, trace.game
        self.children = [[] for _ in range(trace.nodes)]
        for node in range(1, trace.nodes):
            self.children[trace.parent[node]].append(node)
        self.worth = cache(self._worth)
        self.whole = [True] * trace.nodes
        """By node: whether all of the tree below was walked through."""
        for node in range(trace.nodes - 1, -1, -1):
            known = len(self.children[node]) == len(self.moves(node))
            self.whole[node] = known and all(self.whole[child] for child in self.children[node])

    def moves(self, node):
        state = self.trace.state(node)
        return [] if self.game.is_terminal(state) else self.game.legal_actions(state)

    def _worth(self, state):
        """MAX's result of best play from there."""
        if self.game.is_terminal(state):
            return self.game.returns(state)[0]
        best = max if self.game.to_move(state) == 0 else min
        return best(self.worth(self.game.play(state, move)) for move in self.game.legal_actions(state))

    def exact(self, node):
        return self.worth(self.trace.state(node))

    def whose(self, node):
        state = self.trace.state(node)
        return "end" if self.game.is_terminal(state) else ("MAX", "MIN")[self.game.to_move(state) != 0]

    def place(self, node):
        return f"after {self.trace.label(node)}" if node else "at the root"

    def best(self, node, nodes):
        """The best that a node's player has had among its moves before ``nodes`` were entered."""
        seen = [self.exact(child) for child in self.children[node] if child < nodes]
        return {"MAX": max, "MIN": min}[self.whose(node)](seen) if seen else None

    def assured(self, whose, node, entered):
        """What a player is sure of when the walk is at a node: by moves there and above it."""
        path = self.trace.path(node)
        known = [
            self.best(above, below)
            for above, below in zip(path, [*path[1:], entered], strict=True)
            if self.whose(above) == whose
        ]
        known = [value for value in known if value is not None]
        if not known:
            return {"MAX": -float("inf"), "MIN": float("inf")}[whose]
        return {"MAX": max, "MIN": min}[whose](known)


def number(said):
    return float(said.replace("−", "-").replace("∞", "inf"))


def check_walk(film):
    """Read every sentence, card and window of a film of minimax or alpha-beta; returns how many."""
    trace, walked, entered, after = film.trace, Walked(film.trace), 0, 0
    windows = film.phases[-1] == "cut_off"
    for step in range(1, len(trace) + 1):
        node, before = int(trace.node[step - 1]), after
        name, said = read(WALK, film.caption(step))
        entered += name == "enter"
        assert said["place"] == walked.place(node)
        assert said.get("whose") in (None, walked.whose(node))
        if name == "enter":
            assert node == entered - 1
            if windows:
                assert number(said["alpha"]) == walked.assured("MAX", node, entered)
                assert number(said["beta"]) == walked.assured("MIN", node, entered)
            assert (said["alpha"] is not None) == windows
        elif name == "evaluate":
            assert walked.whose(node) == "end"
            assert holds(said["value"], walked.exact(node))
        elif name == "back_up":
            assert said["move"] == trace.label(before)
            assert trace.parent[before] == node
            assert holds(said["theirs"], walked.exact(before))
            assert said["theirs"][0] != "a" or not walked.whole[before], "it is known exactly"
            assert said["which"] == {"MAX": "largest", "MIN": "smallest"}[said["whose"]]
            assert holds(said["best"], walked.best(node, entered))
        else:
            assert said["other"] == {"MAX": "MIN", "MIN": "MAX"}[said["whose"]]
            assert said["kind"] == {"MAX": "β", "MIN": "α"}[said["whose"]]
            assert holds(said["best"], walked.exact(node))
            above = int(trace.parent[node])
            assert holds(said["sure"], walked.assured(said["other"], above, node))
            left = len(walked.moves(node)) - len([c for c in walked.children[node] if c < entered])
            assert int(said["skipped"] or 0) == left
        card = film.data.card(step)
        check_card(walked, node, card.share, card.score, windows)
        after = node
    return len(trace)


def check_card(walked, node, share, window, windows):
    """What a card says of a node at any moment of the walk."""
    _, said = read({"card": CARD}, share)
    assert said["whose"] == walked.whose(node)
    if said["value"] != "?":
        assert holds(said["value"], walked.exact(node))
    assert bool(re.fullmatch(WINDOW, window)) == windows
    assert windows or not window
