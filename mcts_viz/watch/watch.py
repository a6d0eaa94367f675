"""``Watch``: anybody's search, filmed; what it computes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from math import inf
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from ..errors import GameError, SearchError, TraceError, door, short_repr
from ..games import Game, register_game
from ..games.boards import listed
from ..search import MCTS, ucb1
from ..search.checks import is_whole
from ..search.texts import Parameters, register_policies
from ..trace.trace import Outcome, Playouts, Proofs, Rows, Trace, smallest_ints
from .exact import likely_game, positions_of
from .faults import FAULTS, Evidence, Note
from .find import Finding, Replay, Rule, read_rule
from .look import Looker
from .names import CHILDREN, MOVE, PRIORS, STATE, entry_of, fields, is_number, value_of
from .players import Players, cells_of, player_stays, players_of
from .rules import RULES, Fit


class WatchedGame(Game[int, int]):
    """The tree itself as a game of which only what was seen is known: a state is a node's number.

    By node: its ``children``, the player who chose it, the move that led to it and its position as
    text.
    """

    name = "A watched search"
    misread = True
    trace_type: type[Trace]
    """What a saved trace of such a game is made into."""

    def __init__(
        self,
        players: Sequence[str],
        children: Sequence[Sequence[int]],
        choosers: Sequence[int],
        moves: Sequence[str],
        texts: Sequence[str],
    ) -> None:
        self.players = tuple(players)
        self._children, self._choosers, self._moves, self._texts = children, choosers, moves, texts
        columns = children, choosers, moves, texts
        ahead = all(parent < min(kids, default=inf) for parent, kids in enumerate(children))
        if not ahead or {*map(len, columns)} != {len(children)}:
            raise GameError("A watched tree needs children after their parents, and equal columns.")

    def parameters(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "children": [list(kids) for kids in self._children],
            "choosers": list(self._choosers),
            "moves": list(self._moves),
            "texts": list(self._texts),
        }

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        kids = self._children[state]
        return self._choosers[kids[0]] % len(self.players) if kids else 0

    def legal_actions(self, state: int) -> list[int]:
        return list(self._children[state])

    def play(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return not self._children[state]

    def returns(self, state: int) -> tuple[float, ...]:
        return (0.0,) * len(self.players)

    def action_label(self, state: int, action: int) -> str:
        return self._moves[action]

    def text(self, state: int) -> str:
        return self._texts[state]

    def parse(self, text: str) -> int:
        """The first node with this position."""
        if text not in self._texts:
            raise GameError(f"No node of the watched search has the position {short_repr(text)}.")
        return self._texts.index(text)


class Asked(Sequence[str]):
    """By node: what is asked of the program when it is needed."""

    def __init__(self, ask: Callable[[int], Any], count: int) -> None:
        self._ask, self._count = ask, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, node: Any) -> Any:
        if not 0 <= node < self._count:
            raise IndexError(node)
        return self._ask(node)


KINDS: Final = ("visits", "wins", "children", "move", "state", "priors")
ROOTS: Final = ("root", "_root", "root_node", "tree", "node", "current_node", "current")


def is_node(thing: Any) -> bool:
    """True if a thing has a place for children."""
    return not isinstance(thing, type) and any(
        CHILDREN.search(name) and isinstance(value, dict | list | tuple | set)
        for name, value in fields(thing).items()
    )


PRINTED: Final = 2000
"""Looks in which positions are compared with what they were."""
IMMUTABLE: Final = (str, bytes, int, float, frozenset, type(None))


def name_like(node: Any, pattern: Any) -> str | None:
    """The first attribute of a node whose name is like that."""
    return next((name for name in fields(node) if pattern.search(name)), None)


def state_like(looker: Looker) -> str | None:
    """The attribute that holds the position: by its name, else a board that moves change."""
    node = looker.nodes[-1]
    named = name_like(node, STATE)
    if named or len(looker.nodes) < 10:
        return named
    for name in fields(node):
        boards = [cells_of(fields(other).get(name)) for other in looker.nodes[:10]]
        sizes = {len(board) for board in boards}
        if len(sizes) == 1 and max(sizes) > 2 and boards[1] != boards[0] != boards[2]:
            return name
    return None


def text_of(state: Any) -> str:
    """A position as text; an array is written row by row."""
    if isinstance(state, np.ndarray) and state.ndim == 2:
        return "\n".join(" ".join(map(str, row)) for row in state.tolist())
    return "" if state is None else str(state)


class Tree:
    """What can be read of the nodes besides their numbers: moves, positions, priors, players."""

    def __init__(
        self, looker: Looker, game: Game[Any, Any] | None, changed: list[tuple[int, int]]
    ) -> None:
        self.looker, self.game, self.changed = looker, game, changed
        self.sources = {
            kind: looker.given.get(kind) or name_like(looker.nodes[-1], pattern)
            for kind, pattern in (("move", MOVE), ("priors", PRIORS))
        }
        self.sources["state"] = looker.given.get("state") or state_like(looker)
        self.positions, self.actions = positions_of(game, self) if game else ([], [])
        self.players: Players = players_of(looker, self.state)
        self.said_player_stays = self.players.many < 2 and player_stays(looker, self.state)
        if game and self.positions:
            above = [self.positions[max(0, parent)] for parent in looker.parent]
            turns = [
                game.to_move(state) if state is not None else depth
                for state, depth in zip(above, self.players.chooser, strict=True)
            ]
            self.players = Players(turns, len(game.players))
        self.names = tuple(
            ("First", "Second", "Third", "Fourth")[p] for p in range(max(1, self.players.many or 2))
        )

    def _get(self, kind: str, node: int) -> Any:
        source = self.sources[kind]
        with suppress(Exception):
            thing = self.looker.nodes[node]
            return (
                source(thing) if callable(source) else value_of(thing, source) if source else None
            )
        return None

    @property
    def likely_game(self) -> Game[Any, Any] | None:
        """A game that positions and moves look like."""
        return likely_game(self)

    def told_move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        said = self.looker.keys[node]
        return self._get("move", node) if said is None else said

    def move(self, node: int) -> Any:
        """The same, or the node's place among its siblings."""
        said = self.told_move(node)
        return self.looker.places[node] if said is None else said

    def state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        if self.sources["state"] is None:
            return self.looker.nodes[node] if self.looker.by_value else None
        return self._get("state", node)

    def _edge_prior(self, node: int) -> Any:
        """A prior that the parent keeps, in a table by moves."""
        with suppress(Exception):
            _, above, key, place = self.looker.place(node)
            return entry_of(value_of(above, str(self.sources["priors"])), key, place)
        return None

    @property
    def priors(self) -> dict[int, float]:
        """By node: its prior, where the program has priors."""
        if self.sources["priors"] is None:
            return {}
        found = {node: self._get("priors", node) for node in range(1, len(self.looker.nodes))}
        if not any(map(is_number, found.values())):
            found = {n: self._edge_prior(n) for n in found}
        numbers = {node: float(value) for node, value in found.items() if is_number(value)}
        return numbers if any(numbers.values()) else {}


@dataclass(frozen=True, repr=False)
class ReadRule(Parameters):
    """The rule that was read off, by its place in ``RULES``; without one the mean alone."""

    place: int | None = None
    signs: tuple[int, ...] = (1,)
    """By player: 1 if large values are preferred, else -1."""

    def __post_init__(self) -> None:
        if self.place is not None and not (is_whole(self.place) and 0 <= self.place < len(RULES)):
            raise SearchError(f"place={short_repr(self.place)} is no place in the table of rules.")
        if not isinstance(self.signs, tuple) or not self.signs or {*self.signs} - {1, -1}:
            raise SearchError(f"signs={short_repr(self.signs)} must be 1 or -1 for each player.")

    @property
    def __name__(self) -> str:
        return "mean" if self.place is None else RULES[self.place].name.split()[0]

    def __call__(self, child: Any, parent: Any, c: float) -> tuple[float, float]:
        if self.place is None:
            return child.mean, 0.0
        numbers: Any = SimpleNamespace(
            n=child.visits,
            w=child.wins,
            N=parent.visits,
            S=parent.visits,
            P=1.0,
            stale=parent.visits,
            squares=child.wins,
        )
        rule, sign = RULES[self.place], self.signs[child.player % len(self.signs)]
        with np.errstate(all="ignore"):
            value, bonus = rule.value(numbers), rule.bonus(numbers)
        return sign * float(value), c * float(np.nan_to_num(bonus))


@dataclass(frozen=True, eq=False, repr=False)
class WatchedTrace(Trace):
    """The trace of a search that was watched: its nodes' own numbers, and what was found."""

    findings: tuple[tuple[bool, Finding], ...] = ()
    """With True for a fault, False for a note."""

    @property
    def rule_label(self) -> str:
        """The rule and c in a few words."""
        if self.selection is ucb1:
            return f"UCB1, c = {self.c:.2f}"
        place = getattr(self.selection, "place", None)
        return "No known rule" if place is None else f"{RULES[place].name}, c = {self.c:.2f}"


WatchedGame.trace_type = WatchedTrace
register_game(WatchedGame)
register_policies(selection=(ReadRule,))


class Watch:
    """Anybody's search, filmed: make one with the root, and look after each iteration.

    >>> watch = Watch(root)  # doctest: +SKIP
    >>> for _ in range(300):  # doctest: +SKIP
    ...     my_iteration(root)
    ...     watch.look()

    What ``names`` says was guessed from how the numbers behave. Each can be given instead, as the
    name of an attribute or as a function of a node: ``visits``, ``wins`` (a sum, or an average of
    rewards), ``children``, ``move``, ``state``, ``priors``. With a ``game``, moves, players and
    results are held against its rules. A watch only reads; the search stays as it is. Raises
    ``TraceError`` with the name to give where one cannot be guessed.
    """

    @door
    def __init__(
        self,
        root: Any,
        *,
        visits: Any = None,
        wins: Any = None,
        children: Any = None,
        move: Any = None,
        state: Any = None,
        priors: Any = None,
        game: Game[Any, Any] | None = None,
    ) -> None:
        given = {"visits": visits, "wins": wins, "children": children}
        self._begin(given | {"move": move, "state": state, "priors": priors}, game)
        self._start(root)

    def _begin(self, given: dict[str, Any], game: Game[Any, Any] | None) -> None:
        if game is not None and not isinstance(game, Game):
            raise TraceError(
                f"game must be a Game, such as TicTacToe(); you gave {short_repr(game)}."
            )
        self._given, self.game = given, game
        self._now: Looker | None = None
        self._restarts: list[int] = []

    def _start(self, root: Any) -> None:
        """Begin a film with this root; one that was begun before is left."""
        if self._now is not None:
            self._restarts.append(self._now.looks)
        self._playouts: dict[int, list[Any]] = {}
        self._prints: dict[int, Any] = {}
        self._fixed = False
        self._changed: list[tuple[int, int]] = []
        self._known: tuple[int, _Result] | None = None
        self._now = Looker(root, self._given)

    @classmethod
    @door
    @contextmanager
    def each(cls, owner: Any, method: str, **names: Any) -> Iterator[Watch]:
        """Watch a search whose loop is somebody else's, for the time of a ``with`` block.

        ``method`` is called once in each iteration, and is given the root or belongs to an object
        that holds it. It is wrapped for the time of the block: the tree is looked at before each
        call and at the end. ``names`` are those of :class:`Watch`.

        >>> with Watch.each(bot, "_apply_tree_policy") as watch:  # doctest: +SKIP
        ...     bot.mcts_search(state)
        """
        original = getattr(owner, method, None)
        if not callable(original):
            raise TraceError(
                f"method must be the name of a method that runs once in each iteration; "
                f"{short_repr(owner)} has no {method}()."
            )
        watch: Watch = object.__new__(cls)
        game = names.pop("game", None)
        if unknown := names.keys() - set(KINDS):
            raise TraceError(f"The names to give are {listed(KINDS)}; not {min(unknown)}.")
        watch._begin(dict.fromkeys(KINDS) | names, game)
        depth = 0

        @wraps(original)
        def looked(*args: Any, **kwargs: Any) -> Any:
            nonlocal depth
            if not depth:
                watch._look_at([*args, *kwargs.values()], owner)
            depth += 1
            try:
                return original(*args, **kwargs)
            finally:
                depth -= 1

        place = owner if hasattr(owner, "__dict__") else type(owner)
        own = vars(place).get(method)
        setattr(place, method, looked)
        try:
            yield watch
        finally:
            if own is None:
                delattr(place, method)
            else:
                setattr(place, method, own)
            watch._look_at([], owner)

    def _look_at(self, given: list[Any], owner: Any) -> None:
        """Look at the root among these, or at the one that the owner holds."""
        held = fields(owner)
        things = [*given, *(held[name] for name in ROOTS if name in held), *held.values()]
        if given and not isinstance(owner, type) and hasattr(given[0], "__dict__"):
            things += fields(given[0]).values()
        nodes = [thing for thing in things if is_node(thing)]
        looker = self._now
        known = looker is not None and any(looker.nodes[0] is node for node in nodes)
        if nodes and not known and (looker is None or type(nodes[0]) is type(looker.nodes[0])):
            self._start(nodes[0])
        elif looker is not None:
            self.look()

    @door
    def look(self, *, playout: Sequence[Any] | None = None) -> None:
        """Read what the last iteration has changed; ``playout`` holds the moves that it played."""
        if self._looker.begins_anew():
            self._start(self._looker.nodes[0])
            return
        self._looker.look()
        self._compare_states()
        if playout is not None:
            self._playouts[self._looker.looks] = list(playout)

    @property
    def _looker(self) -> Looker:
        if self._now is None:
            raise TraceError(
                "No root was found: the method must be given the root, or belong to an object "
                "that holds it. Write Watch(root) and watch.look() in your loop instead."
            )
        return self._now

    def _compare_states(self) -> None:
        """Keep a print of each position, and note where it changes."""
        looker, name = self._looker, self._given["state"]
        if looker.looks > PRINTED or self._changed or self._fixed:
            return
        if name is None and len(looker.nodes) > 1:
            name = state_like(looker)
            self._given["state"] = name
        if name is None:
            return
        for number in looker.latest:
            with suppress(Exception):
                node = looker.nodes[number]
                state = name(node) if callable(name) else value_of(node, name)
                self._fixed = isinstance(state, IMMUTABLE)
                if not self._fixed:
                    now = state.tobytes() if isinstance(state, np.ndarray) else cells_of(state)
                    if self._prints.setdefault(number, now) != now:
                        self._changed.append((looker.looks, number))

    # What was found -----------------------------------------------------------------------------

    @property
    def _result(self) -> _Result:
        looker = self._looker
        if self._known is None or self._known[0] != looker.looks:
            self._known = looker.looks, _Result(self)
        return self._known[1]

    @property
    def rule(self) -> Rule:
        """How the search selects: the name, c as an interval, and for whom its wins speak."""
        return self._result.rule

    @property
    def findings(self) -> list[Finding]:
        """The faults, most serious first; empty if nothing is wrong."""
        return list(self._result.findings)

    @property
    def notes(self) -> list[Finding]:
        """What is worth knowing and no fault, or only suspected."""
        return list(self._result.notes)

    @property
    def nodes(self) -> list[Any]:
        """The program's own nodes, by their number in the film."""
        return list(self._looker.nodes)

    @property
    def trace(self) -> WatchedTrace:
        """What the player shows."""
        return self._result.trace

    @property
    def names(self) -> dict[str, str]:
        """What was taken for what."""
        return self._result.names

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.trace._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return f"<Watch: {self._looker.looks} iterations, {len(self._looker.nodes)} nodes>"


class _Result:
    """All that follows from the looks until now."""

    def __init__(self, watch: Watch) -> None:
        self.looker = looker = watch._looker
        looker.settle()
        self.tree = Tree(looker, watch.game, watch._changed)
        replay = Replay(looker, self.tree.players, self.tree.priors)
        rewards = [
            r
            for step in replay.steps
            for r, v in zip(step.wins, step.visits, strict=False)
            if v > 0
        ]
        span = (min(rewards, default=0.0), max(rewards, default=1.0))
        self.rule, fit, every = read_rule(replay.siblings, span)
        evidence = Evidence(replay, self.tree, self.rule, fit, every)
        found = [finding for look_for in FAULTS for finding in look_for(evidence)]
        self.findings = [f for f in found if not isinstance(f, Note)]
        self.notes: list[Finding] = [f for f in found if isinstance(f, Note)]
        if watch._restarts:
            said = "Another search began here after {} iterations; the film shows the last one."
            self.notes.append(Note("new-search", said.format(watch._restarts[-1]), 0, 0))
        self.names = {kind: source.name for kind, source in looker.sources.items()}
        self.trace = self._trace(replay, fit)

    def _trace(self, replay: Replay, fit: Fit | None) -> WatchedTrace:
        looker, tree = self.looker, self.tree
        count, looks = len(looker.nodes), looker.looks
        moves = Asked(lambda node: str(tree.move(node)), count)
        texts = Asked(lambda node: text_of(tree.state(node)), count)
        children: list[list[int]] = [[] for _ in range(count)]
        for node, parent in enumerate(looker.parent[1:], 1):
            children[parent].append(node)
        game = WatchedGame(tree.names, children, tree.players.chooser, moves, texts)
        leaf = np.zeros(looks, np.int64)
        results: dict[tuple[float, ...], int] = {}
        outcome = np.zeros(looks, np.int64)
        players = len(tree.names)
        for step in replay.steps:
            if step.time < 1:
                continue
            ends = [node for node, v in zip(step.nodes, step.visits, strict=False) if v]
            leaf[step.time - 1] = max(ends, default=0, key=lambda n: (len(_path(looker, n)), n))
            rewards = [0.0] * players
            for node, v in zip(step.nodes, step.wins, strict=False):
                if node:
                    rewards[tree.players.chooser[node] % players] = v
            outcome[step.time - 1] = results.setdefault(tuple(rewards), len(results))
        results.setdefault((0.0,) * players, len(results))
        before = np.full(count, looker.start), np.zeros(count)
        for node, numbers in looker.before.items():
            before[0][node], before[1][node] = map(float, numbers)
        rows: list[Any] = [np.array(column) for column in looker.rows]
        movers = [(game.to_move(0) - 1) % players]
        movers += [game.to_move(parent) for parent in looker.parent[1:]]
        known = fit if self.rule.name else None
        usual = known and known.rule is RULES[0] and min(known.signs) > 0
        spec = MCTS(
            game,
            min(abs(known.c), 1e6) if known else 0.0,
            seed=0,
            selection=ucb1 if usual else _read_rule(known),
        )
        return WatchedTrace(
            spec=spec,
            root_state=0,
            actions=tuple(range(count)),
            parent=np.array(looker.parent, np.int32),
            action=smallest_ints(np.arange(count)),
            created_at=np.array(looker.created_at, np.int32),
            player_just_moved=np.array(movers, np.int8),
            visits_before=before[0].astype(np.int32),
            wins_before=before[1],
            leaf=leaf,
            playouts=Playouts(np.zeros(0, np.uint8), np.zeros(looks, np.uint8)),
            outcome=smallest_ints(outcome),
            outcomes=tuple(Outcome((0.0,) * players, rewards) for rewards in results),
            proofs=Proofs.none(count),
            rows=Rows(*rows),
            findings=tuple((not isinstance(f, Note), f) for f in [*self.findings, *self.notes]),
        )


def _read_rule(fit: Fit | None) -> ReadRule:
    place = next((n for n, rule in enumerate(RULES) if fit and rule is fit.rule), None)
    return ReadRule(place, tuple(map(int, fit.signs)) if fit else (1,))


def _path(looker: Looker, node: int) -> list[int]:
    path = []
    while node >= 0:
        path.append(node)
        node = looker.parent[node]
    return path[::-1]
