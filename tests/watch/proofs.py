"""Every number in the sentence of a finding or a note is counted again, from what the looks saw."""

from collections import Counter
from pathlib import Path
from string import Formatter

from mcts_watch import FAMILIES
from mcts_watch.ends import COMPARED, Ends, Playouts
from mcts_watch.orders import OPPOSITE
from mcts_watch.rewards import Rewards, Worth
from mcts_watch.visits import Visits

SLUGS = (Path(__file__).parents[2] / "docs" / "WATCH.md").read_text("utf-8")


class Facts:
    """What a finding points at: an iteration, a node, and what the looks saw there."""

    def __init__(self, watch, found):
        self.replay = replay = watch._result.replay
        self.time, self.node = found.iteration, found.node
        self.up = replay.parent[self.node]
        self.seen = next((one for one in replay.moments if one.time == self.time), None)

    @property
    def move(self):
        return str(self.replay.positions.move(self.node))

    @property
    def twin(self):
        """The node's move, if another child of its parent has it too."""
        moves = [str(self.replay.positions.move(kid)) for kid in self.replay.kids[self.up]]
        return self.move if moves.count(self.move) > 1 else "one of its own"

    def more(self, *nodes):
        """The visits that these nodes got in the iteration."""
        return sum(self.seen.more[self.seen.nodes.index(n)] for n in nodes if n in self.seen.nodes)

    def got(self, node=None):
        """What a node got in it, per visit."""
        at = self.seen.nodes.index(self.node if node is None else node)
        return self.seen.gain[at] / self.seen.more[at]

    @property
    def below(self):
        return self.more(*self.replay.kids[self.node])

    @property
    def usual(self):
        """The visits of most nodes of the path."""
        return Counter(self.seen.more).most_common(1)[0][0]

    @property
    def place(self):
        at, last = self.seen.nodes.index(self.node), len(self.seen.nodes) - 1
        words = ("the root", "the root's child", "a node of the path")
        return "the last node of the path" if at == last else words[min(at, 2)]

    @property
    def ends(self):
        """How the game ended there for the player who moved into the node."""
        results = self.replay.game.returns(self.replay.state[self.seen.nodes[-1]])
        mine = results[self.replay.chooser[self.node]]
        return "draw" if {*results} == {0} else "win" if mine == max(results) else "loss"

    @property
    def ended(self):
        return self.time, self.ends, self.node, self.got()

    @property
    def scale(self):
        """The least and the largest reward."""
        rows = [row for one in self.replay.moments for row in one.rows()]
        paid = [gain / more for node, more, gain in rows if node and more > 0]
        return min(paid), max(paid)

    @property
    def across(self):
        """What a node gets whose opponent above gets so much, where opponents share a sum."""
        order = self.replay.order
        return order.total - self.got(self.up) if order.kind == OPPOSITE else None

    @property
    def tops(self):
        """The largest reward of the first path, and of the last one."""
        paid = [
            max(abs(gain / more) for node, more, gain in step.rows() if node)
            for step in self.replay.paid_steps
        ]
        return paid[0], paid[-1]

    @property
    def unvisited_end(self):
        """A finished game below the node without a visit, and how many iterations stop here."""
        replay = self.replay
        ends = [kid for kid in replay.kids[self.node] if not replay.n[kid] and replay.is_over(kid)]
        return ends[0], sum(step.end == self.node for step in replay.steps), self.node

    @property
    def stopped(self):
        """The iterations that stop at a node in play which had all its children."""
        steps, replay = self.replay.paid_steps, self.replay
        legal = {node: replay.game.legal_actions(replay.state[node]) for node in self._in_play()}
        old = [
            [kid for kid in replay.kids[step.end] if replay.created[kid] < step.time]
            for step in steps
        ]
        full = [
            step.end in legal and len(legal[step.end]) == len(kids)
            for step, kids in zip(steps, old, strict=True)
        ]
        return sum(full), len(steps)

    def _in_play(self):
        replay = self.replay
        return [n for n in range(replay.count) if not replay.game.is_terminal(replay.state[n])]

    @property
    def born(self):
        """The visits with which a node begins: those that no look saw it get."""
        every = [one.more[one.nodes.index(self.node)] for one in self._moments()]
        return self.replay.n[self.node] - sum(every)

    def _moments(self):
        return [one for one in self.replay.moments if self.node in one.nodes]

    @property
    def parted(self):
        """The iterations in which several children share the visits of a node."""
        found = set()
        for one in self.replay.moments:
            grown = [node for node, more, _ in one.rows() if node and more > 0]
            of = Counter(self.replay.parent[node] for node in grown)
            found |= {one.time for node in of if of[node] > 1 and node in one.nodes}
        return len(found), len(self.replay.moments)

    @property
    def compared(self):
        """The first iterations that end in play."""
        steps = self.replay.paid_steps[:COMPARED]
        return sum(not self.replay.is_over(step.end) for step in steps)

    @property
    def at_root(self):
        """The choices at the root."""
        return int((self.replay.choices.above == 0).sum())

    def of_pairs(self):
        """The iterations with two nodes of opponents, one below the other, that gain the same,
        and all with two such nodes."""
        pairs = [pair for pair in self.replay.pairs if not pair.is_same_player]
        level = {pair.step.time for pair in pairs if abs(pair.above - pair.below) < 1e-6}
        return len(level), len({pair.step.time for pair in pairs})


PROVEN = {
    Visits: {
        "left-out": lambda f: (f.node, f.time, f.below or f.usual),
        "left-out (root)": lambda f: (1, f.at_root, f.at_root),
        "left-out (end)": lambda f: f.unvisited_end,
        "counted-twice": lambda f: (f.place, f.more(f.node), f.time, f.usual),
        "counted-twice (shared)": lambda f: (
            *(f.replay.n[0], len(f.replay.moments)),
            *(f.more(0), f.time),
        ),
        "counted-twice (all)": lambda f: (f.time,),
        "counted-twice (children)": lambda f: (f.time, f.node, f.below, f.more(f.node)),
        "born": lambda f: (f.born,),
        "walks": lambda f: f.parted,
    },
    Worth: {"count-too-early": lambda f: (f.node, f.got() / 2, f.time)},
    Rewards: {
        "same-reward": lambda f: (*f.of_pairs(), f.got()),
        "same-reward (on the way)": lambda f: (*2 * f.of_pairs()[1:], 1),
        "reward-grows": lambda f: f.tops,
        "leaf": lambda f: (f.got(), f.time, f.across),
        "flipped-for-one-player": lambda f: (f.time, f.got(f.up), f.got()),
        "unpaid": lambda f: (f.time, f.got(f.up)),
        "paid-twice": lambda f: (f.got(), f.time, f.got(f.up)),
        "leaf-viewpoint": lambda f: (f.time, f.got(), f.got(f.up)),
        "wrong-result": lambda f: (f.time, f.got(), *f.scale),
    },
    Playouts: {
        "no-playout": lambda f: (f.compared, f.got()),
        "wrong-viewpoint": lambda f: (f.got(), f.time),
    },
    Ends: {
        "wrong-result": lambda f: (*f.ended, None),
        "wrong-result (ends)": lambda f: f.ended,
        "wrong-viewpoint": lambda f: f.ended,
        "wrong-viewpoint (several)": lambda f: f.ended,
        "no-playout": lambda f: (f.got(),),
    },
}
BY_NAME = {
    "duplicate-move": lambda f: (f.up, f.twin),
    "duplicate-move (unknown)": lambda f: (f.up, f.twin),
    "after-the-end": lambda f: (f.node,),
    "illegal-move": lambda f: (f.move, f.node),
    "missing-move": lambda f: (None, f.replay.n[f.node]),
    "stops-early": lambda f: (*f.stopped, f.time, f.node),
    "player-not-changed": lambda f: (f.node,),
    "state-changed": lambda f: (f.node,),
    "wrong-position": lambda f: (f.move, None, f.node, None),
    "faulty": lambda f: (None, f.replay.rule.explained, f.replay.rule.of),
    "never-explores": lambda f: (len(f.replay.choices),),
    "ignores-numbers": lambda f: (len(f.replay.choices),),
    "explored-out": lambda f: (None, f.time, f.node),
    "explored-out (perhaps)": lambda f: (None, None, f.time),
    "random-at-first": lambda f: (None, int((~f.replay.choices.full).sum())),
    "no-choices": lambda f: (f.replay.looks, None, None),
}
"""By the sentence: what stands in its gaps; ``None`` for words and for what is asked elsewhere."""


def gaps_of(template, text):
    """What stands in the gaps of a sentence, with the form of each; ``None`` if it is another."""
    found, rest = [], text
    parts = [*Formatter().parse(template)]
    for at, (before, name, form, _) in enumerate(parts):
        if not rest.startswith(before):
            return None
        rest = rest.removeprefix(before)
        if name is None:
            continue
        after = parts[at + 1][0] if at + 1 < len(parts) else ""
        said, stop, rest = rest.partition(after) if after else (rest, "", "")
        rest = stop + rest
        found.append((said, form))
    return None if rest else found


def sentences(found):
    """The sentence of a finding, read by its family's texts: who says it, its key and its gaps."""
    for family in FAMILIES:
        for key, template in family.TEXTS.items():
            gaps = gaps_of(template, found.text)
            if gaps is not None and key.split()[0] in (found.name, "faulty"):
                yield family, key, gaps


def check_proofs(watch):
    """Each sentence names a row of the record, and its numbers are those that the looks saw. The
    most serious comes first: a card has room for one sign."""
    rows = {*zip(*watch._looker.rows[:2], strict=True)}
    every = watch.findings + watch.notes
    assert [*watch.trace.findings] == every == sorted(every, key=lambda one: not one.fault)
    for found in every:
        assert (found.iteration, found.node) in rows, found
        assert f"`{found.name}`" in SLUGS
        (family, key, gaps), *_ = sentences(found)
        told = PROVEN.get(family, BY_NAME)
        counted = told.get(key) or told.get(key.removesuffix(" (perhaps)"))
        wanted = counted(Facts(watch, found)) if counted else [None] * len(gaps)
        for (said, form), true in zip(gaps, wanted, strict=True):
            assert counted or not any(map(str.isdigit, said)), f"no one counts {said}: {found}"
            assert true is None or said == format(true, form), (found, wanted)
