"""Environments of Gymnasium: exactly, where one has a table of its steps, else by copies of it."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, compress
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ...errors import GameError, reason, short_repr
from ..moves import GameOfMoves
from ..protocol import NO_CHANCES, Game, Returns
from ..refusals import check_over, legal_action

WALKS: Final = 4
"""Walks on which the copies of an environment are tried out."""
LONGEST: Final = 40
"""Actions of such a walk."""
REPLAYS: Final = 30
"""Replays that tell luck from a copy that does not go on; a short walk may come out alike."""
KEPT: Final = 2_000
"""Copies of an environment that are kept beside the states."""
Place: TypeAlias = tuple[int, int, bool]
"""A state of the environment's table, the action that is being taken there or -1, and whether the
episode is over."""


class _Environment(Game[Any, int]):
    """The base of both kinds: one player, numbered actions, and an environment by its name."""

    environment: str
    discount: float
    players = ("Agent",)

    def _load(self) -> Any:
        """Make the environment; raises ``GameError`` if it cannot be made or searched."""
        try:
            import gymnasium
        except ImportError as error:
            install = "pip install 'gymnasium[toy-text]'"
            raise GameError(f"Gymnasium is missing ({reason(error)}): {install}.") from None
        try:
            made = gymnasium.make(self.environment)
        except Exception as error:  # of many kinds, some of the environment's own
            cannot = f"Gymnasium cannot make {short_repr(self.environment)} ({reason(error)})"
            raise GameError(f"{cannot}: take a name such as 'FrozenLake-v1'.") from None
        count = getattr(made.action_space, "n", None)
        if count is None:
            kind = short_repr(made.action_space)
            raise GameError(
                f"{self.environment} takes actions of {kind}: take one with numbered actions, "
                "Discrete."
            )
        start = int(getattr(made.action_space, "start", 0))
        object.__setattr__(self, "_actions", tuple(range(start, start + int(count))))
        if not 0 < self.discount <= 1:
            raise GameError(f"discount must be above 0 and at most 1; you gave {self.discount}.")
        return made

    @property
    def name(self) -> str:
        return str(self.environment)

    def to_move(self, state: Hashable) -> int:
        return 0

    def legal_actions(self, state: Hashable) -> tuple[int, ...]:
        actions: tuple[int, ...] = vars(self)["_actions"]
        return actions


@dataclass(frozen=True)
class GymnasiumTable(_Environment):
    """An environment whose steps are known: ``GymnasiumTable("FrozenLake-v1")``.

    It must have a table ``env.unwrapped.P`` of probabilities, as FrozenLake, CliffWalking and Taxi
    have. Where a step has several outcomes, nature draws one. An episode has no limit of steps
    here. ``range`` holds all returns; without it, it is found from the rewards, which needs a
    ``discount`` below 1 if steps pay that do not end the episode. ``start`` is the state of the
    table to begin in; without it the environment's own, of several the first. Raises ``GameError``
    for other environments, and where gymnasium is not installed. Source: Towers et al. (2024),
    "Gymnasium: a standard interface for reinforcement learning environments".
    """

    environment: str
    discount: float = 0.99
    start: int | None = None
    range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        made = self._load()
        table = getattr(made.unwrapped, "P", None)
        if not isinstance(table, Mapping):
            raise GameError(
                f"{self.environment} has no table of its steps, env.unwrapped.P: take "
                f"GymnasiumCopies({self.environment!r}, range=(least, most))."
            )
        steps = {
            (int(state), int(action)): _merged(outcomes)
            for state, actions in table.items()
            for action, outcomes in actions.items()
        }
        object.__setattr__(self, "_steps", steps)
        begins = getattr(made.unwrapped, "initial_state_distrib", [1.0])
        first = next(number for number, share in enumerate(begins) if share > 0)
        object.__setattr__(self, "_start", first if self.start is None else self.start)
        if (vars(self)["_start"], self.legal_actions(None)[0]) not in steps:
            raise GameError(f"{self.environment} has no state {self.start}: take one of its table.")
        object.__setattr__(self, "value_range", self.range or self._found_range())

    def _found_range(self) -> tuple[float, float]:
        """The least and the largest return that the rewards allow."""
        every = list(chain(*vars(self)["_steps"].values()))
        ends = [reward for _, _, reward, over in every if over]
        others = [reward for _, _, reward, over in every if not over]
        if any(others) and self.discount == 1:
            raise GameError(
                f"{self.environment} may pay without end at a discount of 1: give it "
                "range=(least, most)."
            )
        longest = 1.0 if self.discount == 1 else 1 - self.discount
        bounds = [*ends, *(reward / longest for reward in others), 0.0]
        low, high = min(bounds), max(bounds)
        return (low, high if high > low else low + 1.0)

    def initial_state(self) -> Place:
        return (vars(self)["_start"], -1, False)

    def _outcomes(self, state: Place) -> list[tuple[float, int, float, bool]]:
        found: list[tuple[float, int, float, bool]] = vars(self)["_steps"][state[0], state[1]]
        return found

    def chances(self, state: Place) -> Mapping[int, float]:
        if state[1] < 0:
            return NO_CHANCES
        return {number: outcome[0] for number, outcome in enumerate(self._outcomes(state))}

    def play(self, state: Place, action: int) -> Place:
        at, taken, over = state
        legal = tuple(self.chances(state)) or self.legal_actions(state)
        action = legal_action(self, state, action, () if over else legal)
        if taken < 0:
            taking = (at, action, False)
            return taking if len(self._outcomes(taking)) > 1 else self.play(taking, 0)
        _, after, _, ends = self._outcomes(state)[action]
        return (after, -1, ends)

    def is_terminal(self, state: Place) -> bool:
        return state[2]

    def returns(self, state: Place) -> Returns:
        check_over(self, state)
        return (0.0,)

    def reward(self, state: Place, action: int, next_state: Place) -> Returns:
        if state[1] >= 0:
            return (self._outcomes(state)[action][2],)
        if next_state[1] >= 0:
            return (0.0,)  # it is paid when nature has drawn
        return (self._outcomes((state[0], action, False))[0][2],)

    def action_label(self, state: Place, action: int) -> str:
        if state[1] < 0:
            return str(action)
        after, reward = self._outcomes(state)[action][1:3]
        return f"to {after}" if reward == 0 else f"to {after}, {reward:+g}"

    def text(self, state: Place) -> str:
        """The state's number, then the action that is being taken, or ``end``."""
        at, taken, over = state
        if over:
            return f"{at} end"
        return f"{at} {taken}" if taken >= 0 else str(at)

    def parse(self, text: str) -> Place:
        """The state of a text such as ``"14"``, ``"14 2"`` or ``"15 end"``."""
        words = text.split() if isinstance(text, str) else []
        known = vars(self)["_steps"]
        if (
            1 <= len(words) <= 2
            and words[0].isdecimal()
            and (int(words[0]), self.legal_actions(None)[0]) in known
        ):
            at = int(words[0])
            if words[1:] == ["end"]:
                return (at, -1, True)
            if not words[1:]:
                return (at, -1, False)
            if words[1].isdecimal() and len(known.get((at, int(words[1])), ())) > 1:
                return (at, int(words[1]), False)
        raise GameError(
            f"{short_repr(text)} is no state here: give a number, such as {self._number()!r}."
        )

    def _number(self) -> str:
        return self.text(self.initial_state())


def _merged(outcomes: Any) -> list[tuple[float, int, float, bool]]:
    """The outcomes of a step, each once: probability, next state, reward, whether it ends."""
    found: dict[tuple[int, float, bool], float] = {}
    for probability, after, reward, over in outcomes:
        key = (int(after), float(reward), bool(over))
        found[key] = found.get(key, 0.0) + float(probability)
    return [(share, *key) for key, share in found.items() if share > 0]


class Step(NamedTuple):
    """The outcome of a step, or of the reset."""

    observed: Any
    reward: float
    over: bool
    legal: tuple[int, ...]


Walk: TypeAlias = list[tuple[int, Step]]
"""Actions, each with what it brought."""
REFUSES: Final = (
    "refuses the action {} after {} ({}): let it name the legal ones, in info['action_mask']"
)
LUCK: Final = (
    "draws luck that reset(seed) does not rule, as from random or numpy.random, so the same "
    "actions do not lead to the same state: let it draw from self.np_random"
)
BEGINS_ANEW: Final = (
    "cannot be copied, as its deep copy starts again and does not go on from the same place: write "
    "its rules as a Game"
)
SHARED: Final = (
    "cannot be copied, as its copies share a simulator outside of them, and a step of one moves "
    "all: write its rules as a Game"
)
"""What is wrong with copies, each after the environment's name."""


@contextmanager
def _luck(seed: int) -> Iterator[None]:
    """Seed the generators that all programs share, for the length of a ``with`` block."""
    before = random.getstate(), np.random.get_state()
    try:
        random.seed(seed)
        np.random.seed(seed)
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


@dataclass(frozen=True)
class GymnasiumCopies(_Environment, GameOfMoves):
    """An environment without a table, by deep copies: ``GymnasiumCopies("CartPole-v1", range=(0,
    500))``.

    A state is the tuple of actions so far, and the environment after them is kept beside. It begins
    as ``env.reset(seed=seed)`` leaves it. What it leaves to chance is drawn once: the same actions
    always lead to the same state, so a search sees one of its many courses. Where what it observes,
    or its info, has an ``action_mask``, the actions in it are the legal ones. ``range`` is the
    least and the largest return. Raises ``GameError`` where gymnasium is not installed, and for an
    environment whose copies do not go on as it does: a few walks show it.
    """

    environment: str
    range: tuple[float, float]
    discount: float = 1.0
    seed: int = 0
    at_start = "start"
    _kept: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = self._load()
        for number in range(WALKS):
            if fault := self._fault_of_copies(made, number):
                raise GameError(f"{self.environment} {fault}.")
        object.__setattr__(self, "value_range", self.range)
        object.__setattr__(self, "_start", (made, self._begun(made)))
        object.__setattr__(self, "_kept", lru_cache(KEPT)(self._after))

    def parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("environment", "range", "discount", "seed")}

    def _after(self, state: tuple[int, ...]) -> Any:
        """The environment after these actions, and what the last one brought."""
        if not state:
            return vars(self)["_start"]
        made = deepcopy(self._kept(state[:-1])[0])
        return made, self._stepped(made, state[-1])

    def _begun(self, made: Any) -> Step:
        observed, info = made.reset(seed=self.seed)
        return Step(observed, 0.0, False, self._allowed(observed, info))

    def _stepped(self, made: Any, action: int) -> Step:
        observed, reward, ends, cut, info = made.step(action)
        return Step(observed, float(reward), bool(ends or cut), self._allowed(observed, info))

    def _allowed(self, *said: Any) -> tuple[int, ...]:
        """The actions of the mask that is said; all, if none is."""
        every = super().legal_actions(())
        masks = [
            each["action_mask"] for each in said if isinstance(each, dict) and "action_mask" in each
        ]
        return tuple(compress(every, masks[0])) if masks else every

    # Whether copies can be trusted ---------------------------------------------------------------

    def _fault_of_copies(self, made: Any, number: int) -> str:
        """The fault of a copy in the middle of a random walk, in words; "" if there is none."""
        actions: list[int] = []
        with _luck(number):
            steps = [self._begun(made)]
            draw = random.Random(number)
            while len(actions) < LONGEST and steps[-1].legal and not steps[-1].over:
                actions.append(draw.choice(steps[-1].legal))
                try:
                    steps.append(self._stepped(made, actions[-1]))
                except Exception as error:
                    return REFUSES.format(actions[-1], actions[:-1], reason(error))
        walk = list(zip(actions, steps[1:], strict=True))
        if self._comes_otherwise(made, walk, [number + 1]):
            return LUCK
        fault = self._fault_from(made, walk, len(walk) // 2)
        if fault and self._comes_otherwise(made, walk, range(REPLAYS)):
            return LUCK  # which may come out alike at first
        return fault

    def _fault_from(self, made: Any, walk: Walk, middle: int) -> str:
        """The fault of copies that are made after ``middle`` steps of a walk, in words."""
        self._begun(made)
        for action, _ in walk[:middle]:
            made.step(action)
        try:
            one, other = deepcopy(made), deepcopy(made)
        except Exception as error:
            return f"cannot be copied ({reason(error)}): write its rules as a Game"
        rest = walk[middle:]
        if not self._goes_on(one, rest):
            return BEGINS_ANEW
        return "" if self._goes_on(other, rest) and self._goes_on(made, rest) else SHARED

    def _comes_otherwise(self, made: Any, walk: Walk, seeds: Iterable[int]) -> bool:
        """True if the walk, made again with one of these seeds of luck, brings something else."""
        for seed in seeds:
            with _luck(seed):
                self._begun(made)
                if not self._goes_on(made, walk):
                    return True
        return False

    def _goes_on(self, made: Any, walk: Walk) -> bool:
        """True if these steps bring again what they brought."""
        brought = []
        with suppress(Exception):  # one that has started again may want a reset first
            brought += [self._stepped(made, action) for action, _ in walk]
        from gymnasium.utils.env_checker import data_equivalence

        return bool(data_equivalence(tuple(brought), tuple(step for _, step in walk)))

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        over: bool = self._kept(state)[1].over
        return over

    def legal_actions(self, state: Any) -> tuple[int, ...]:
        legal: tuple[int, ...] = self._kept(state)[1].legal
        return legal

    def returns(self, state: tuple[int, ...]) -> Returns:
        check_over(self, state)
        return (0.0,)

    def reward(self, state: tuple[int, ...], action: int, next_state: tuple[int, ...]) -> Returns:
        return (self._kept(next_state)[1].reward,)
