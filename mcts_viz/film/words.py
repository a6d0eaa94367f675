"""All that is said of a film: numbers, moves and results, and what happens at each moment.

What happens is a sentence pattern with gaps for the moment's numbers. The patterns travel with the
film, one small number a moment says which applies, and the painter of the moment fills the gaps
from the film's columns.
"""

from __future__ import annotations

import inspect
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from math import ceil, isfinite, isnan, log10
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import counted
from ..games import Game, Returns, turns
from ..search import MCTS, PHASES, expand_one, half_for_a_draw, ucb1
from ..search.mcts import own_phases
from ..search.policies import describe, first_best
from ..search.variants import random_best
from ..trace import Trace
from ..trace.trace import RecordedTree

if TYPE_CHECKING:
    from .search_film import SearchFilm

ROUNDING: Final = 1e-12
"""A smaller share of a sum may come of rounding, and is none."""
LINES: Final = 8
COLUMNS: Final = 18
LONGEST: Final = 200
LONGEST_REPORTED: Final = 1_000
"""Characters of what Watch says, which is never cut off unless a program's own text is endless."""
UNSHOWN: Final = ("Cc", "Cf", "Cs", "Co")
"""Categories of characters that no picture shows: control, format, surrogate, private use."""
NONCHARACTERS: Final = "\ufffe\uffff"
"""Two more that no XML document may hold."""
SHORTEST: Final = 5
"""Letters of a name that is never shortened."""
WHOLE_THOUSANDS: Final = 99_950
"""From here on thousands have no decimals."""
NUMBER: Final = re.compile(r"(?<![^ (\[{,])[-−+]?\d+(?:\.\d+)?(?![^ )\]},:;])", re.ASCII)
"""A number that is a word of its own: that of "heap 2", not of "x.y:81/"."""
MOST_DECIMALS: Final = 15
"""A double has no more digits."""
FIRST_DIGITS: Final = 6
"""Digits that a number near 0 or 1 keeps."""
SLOT: Final = re.compile(r"\{(\w+)\}")


def to_fixed(number: float, digits: int) -> str:
    """So many decimals, halves away from zero, as JavaScript's ``toFixed`` has it."""
    number = float(number)
    if abs(number) >= 1e21:  # where decimals say nothing, and JavaScript writes none
        return repr(number).replace("inf", "Infinity")
    exact = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{exact:f}"  # where Python would write 3E-8


def fixed(number: float, digits: int = 2) -> str:
    """So many decimals; never "-0.00"."""
    text = to_fixed(number, digits)
    return text if text.strip("-0.") else text.lstrip("-")


def score_text(number: float, digits: int = 2) -> str:
    """A score; whole numbers beyond 1, such as counts, have no decimals."""
    whole = float(number).is_integer() and 1 < abs(number) < 1e15
    return f"{number:.0f}" if whole else fixed(number, digits)


def decimals(difference: float, most: int = MOST_DECIMALS) -> int:
    """As many decimals as a difference needs, at least two."""
    return max(2, min(most, ceil(-log10(difference)))) if 0 < difference < 1 else 2


def apart(high: float, low: float) -> int:
    """So many decimals that a reader who subtracts two printed numbers has their difference.

    One more than the difference needs where its own rounding and theirs do not agree.
    """
    digits = decimals(high - low)
    agree = _subtracted(high, low, digits) == fixed(high - low, digits)
    return digits if agree or digits >= MOST_DECIMALS else digits + 1


def lead(high: float, low: float) -> str:
    """By how much one number is larger, as the difference of both as they are printed."""
    told = _subtracted(high, low, apart(high, low))
    return told if told.strip("0.") else precise(high - low)


def _subtracted(high: float, low: float, digits: int) -> str:
    return fixed(float(fixed(high, digits)) - float(fixed(low, digits)), digits)


def precise(difference: float) -> str:
    """A positive difference with as many decimals as it needs, at least two: 0.25, 0.0004."""
    if 0 < difference < 1e-20:  # where JavaScript's decimals may end
        return f"{difference:.0e}"
    return to_fixed(difference, decimals(difference, 20))


def short(number: float) -> str:
    """At most two decimals, and none that say nothing: 12, 2.5, 0.33."""
    text = fixed(number)
    return text if "." not in text or "e" in text else text.rstrip("0").rstrip(".")


def small(number: float) -> str:
    """The same, but what two decimals would make 0 or 1 keeps its first digits: 0.004, 0.999."""
    size = abs(number)
    if not (0 < size < 0.01 or 0.99 < size < 1):
        return short(number)
    if size < 1e-20:  # where JavaScript's decimals may end
        return f"{number:.0e}"
    exact = Decimal(float(number))
    last = Decimal(1).scaleb(exact.adjusted() - FIRST_DIGITS + 1)
    return f"{exact.quantize(last, ROUND_HALF_UP):f}".rstrip("0").rstrip(".")


def gained(before: float, after: float) -> str:
    """The growth of a node's wins, with its sign: +1, +½, −0.0001."""
    gain = after - before if abs(after - before) > ROUNDING * abs(after) else 0.0
    size = abs(gain)
    text = precise(size) if 0 < size < 0.01 else short(size)
    text = text if "e" in text or "." not in text else text.rstrip("0")
    return f"{'−' if gain < 0 else '+'}{'½' if text == '0.5' else text}"


def bound(number: float) -> str:
    """At most two decimals; an infinite one as a sign."""
    if isfinite(number):
        return small(number).replace("-", "−")
    return "∞" if number > 0 else "−∞"


PROOFS: Final = {1: "proven win", -1: "proven loss"}
"""The words on a card that is proven, of the player who moved there; its classes in a picture."""


def short_names(labels: Sequence[str]) -> list[str]:
    """Names of moves from one position where there is little room; no two are the same.

    A label stays as it is where its short name is also another's name or label.
    """
    names = [short_name(label) for label in labels]
    times = Counter(text for pair in zip(labels, names, strict=True) for text in {*pair})
    return [label if times[name] > 1 else name for label, name in zip(labels, names, strict=True)]


def move_names(game: Game[Any, Any], state: Any) -> dict[Any, str]:
    """The short name of each move from a position, or of each outcome where nature moves."""
    moves = turns.moves_of(game, state)
    labels = [plain(game.action_label(state, move)) for move in moves]
    return dict(zip(moves, short_names(labels), strict=True))


def name_of(trace: RecordedTree, node: int) -> str:
    """The short name of the move that led to a node, which no move beside it has; "" for the
    root.
    """
    if not node:
        return ""
    names = move_names(trace.game, trace.state(int(trace.parent[node])))
    return names.get(trace.action_of(node)) or short_name(plain(trace.label(node)))


def short_name(label: str) -> str:
    """A move's name by itself: "2·2" for "2 from heap 2", else its beginning.

    A sum keeps its signs: "4 − 9 = -5" for "4 − 9 = -5 → -5 10 13".
    """
    if len(label) <= SHORTEST:
        return label
    if " = " in label and not any(letter.isalpha() for letter in label):
        return label.partition(" → ")[0]
    numbers = NUMBER.findall(label)
    return "·".join(numbers) if numbers else f"{label[: SHORTEST - 1]}…"


def rounded(number: float) -> str:
    """A count on a card: from 1,000 on in thousands, 9.2k."""
    if abs(number) < 1000:
        return short(number)
    return f"{to_fixed(float(number) / 1000, 1 if abs(number) < WHOLE_THOUSANDS else 0)}k"


def filled(pattern: str, slots: Mapping[str, object]) -> str:
    """A pattern of ours with its ``{slots}`` filled, in one pass, so that no text is read as a
    pattern.
    """
    return SLOT.sub(lambda found: str(slots[found[1]]), pattern)


def plain(text: str, longest: int = LONGEST) -> str:
    """One line of text from a game's author: no control characters, not endless."""
    return " ".join(plain_lines(text, columns=longest))[:longest]


def plain_lines(text: str, columns: int = COLUMNS) -> list[str]:
    """A few lines of text that fit on a card, without control or formatting characters."""
    lines = []
    for line in str(text).splitlines()[:LINES]:
        kept = "".join(filter(_shown, line))
        lines.append(kept if len(kept) <= columns else kept[: columns - 1] + "…")
    return lines


def _shown(character: str) -> bool:
    return character not in NONCHARACTERS and unicodedata.category(character) not in UNSHOWN


def rule_label(trace: Trace) -> str:
    """The name of a selection score: UCT for UCB1 in a tree, else the rule's own name."""
    if trace.selection is ucb1:
        return "UCT"
    return plain(getattr(trace.selection, "__name__", "score"))[:12]


def outcome_text(game: Game[Any, Any], returns: Returns, over: bool = True) -> str:
    """``X wins``, ``a draw``, or each player's return; who plays alone may lose.

    A win is 1, a loss -1 and a draw 0. Where returns have another range, or where the game is not
    ``over`` and they are an estimate, the numbers are said.
    """
    if turns.pays_on_the_way(game):
        numbers = small(returns[0]) if len(returns) == 1 else _for_each(game, returns)
        return f"the return is {numbers}"
    known = _result(game, returns) if over and turns.value_range(game) == (-1, 1) else ""
    return known or _for_each(game, returns)


def _result(game: Game[Any, Any], returns: Returns) -> str:
    """The words for the winner, or a draw; "" for other returns."""
    if len(returns) == 2 and set(returns) == {1.0, -1.0}:
        return f"{plain(game.players[returns.index(1.0)])} wins"
    if len(returns) == 1 and abs(returns[0]) == 1:
        return f"{plain(game.players[0])} {'wins' if returns[0] > 0 else 'loses'}"
    return "" if any(returns) else "a draw"


def _for_each(game: Game[Any, Any], returns: Returns) -> str:
    """Each player's number: 1 for X, -1 for O."""
    pairs = zip(game.players, returns, strict=True)
    return ", ".join(f"{small(value)} for {plain(player)}" for player, value in pairs)


def rewards_text(game: Game[Any, Any], rewards: tuple[float, ...]) -> str:
    """The numbers that are added to the wins, and to whose nodes."""
    if len(set(rewards)) == 1:
        return f"and {small(rewards[0])} {'win' if rewards[0] == 1 else 'wins'} more"
    parts = [
        f"{'+' if reward >= 0 else ''}{small(reward)} for {plain(player)}"
        for player, reward in zip(game.players, rewards, strict=True)
    ]
    return "wins " + ", ".join(parts)


def move_order(trace: RecordedTree) -> NDArray[Any]:
    """For each node: where its move is among all moves of the film, in their natural order."""
    try:
        kinds = [(type(action).__name__, action) for action in trace.actions]
        ranked = sorted(range(len(kinds)), key=kinds.__getitem__)
    except TypeError:  # a student's moves need not be comparable; then as they first occurred
        ranked = list(range(len(trace.actions)))
    rank = np.zeros(max(1, len(ranked)), np.uint16 if len(ranked) < 2**16 else np.uint32)
    rank[ranked] = np.arange(len(ranked))
    order: NDArray[Any] = rank[np.where(trace.action >= 0, trace.action, 0)]
    return order


# What happens -------------------------------------------------------------------------------------

_WALKED = "Selection goes down {walked} and stops at {end}"
_JOINS = "A new node joins the tree."
_MORE = "None of these positions joins the tree."
_BACK = "Back up the path: {result}. {visited}, {rewards}."
_PROVED = _BACK + " This proves that {result} in "
PATTERNS: Final = {
    # select
    "open": "The root still has an untried move, so nothing is compared and selection stops here.",
    "stopped": "Selection stops at the root, and nothing is compared.",
    "compared": "At the root {choice}. " + _WALKED,
    "skipped": "Proven moves are skipped. At the root {choice}. " + _WALKED,
    "asked": "Selection starts with the moves that were asked for, whatever the scores say: "
    "{walked}.",
    "chosen": "You chose the way down: {walked}.",
    # expand
    "added": "{adding}: {player} plays {move}. " + _JOINS,
    "ended": "The game is over in this position, so there is no move to add.",
    "childless": "No node is added here: the playout will start at the end of the path.",
    "added several": "Several new nodes join the tree, and the path ends at one of them: "
    "{player} plays {move}.",
    "added below": "The tree grows below the end of the path, where the playout will start.",
    "asked new": "The untried move that was asked for: {player} plays {move}. " + _JOINS,
    "chosen new": "You chose an untried move: {player} plays {move}. " + _JOINS,
    "drawn": "Chance decides: {move}. " + _JOINS,
    # simulate
    "played": "From the new node, {playout}: {moves}, then {result}. " + _MORE,
    "played on": "From the end of the path, {playout}: {moves}, then {result}. " + _MORE,
    "unplayed": "The game is over in this position, so there is nothing to play: {result}.",
    "valued": "Nothing is played: the position itself is valued, {result}.",
    # backpropagate
    "back": _BACK,
    "proved": _PROVED + "{proved} at the end of the path.",
    "solved": _PROVED + "every position of the path, so the search is over.",
}
"""By phase, what may happen in it; ``{end}`` is one of these."""
ENDS: Final = (
    "a position with an untried move.",
    "a position where the game is over.",
    "a node without children.",
    "a new outcome of chance.",
    "a node that has children already.",
)
_UNSEEN = "The playout was not seen: a tree does not show it."
WATCHED: Final = PATTERNS | {
    **dict.fromkeys(
        ("open", "stopped"), "Nothing is compared at the root, and selection stops there."
    ),
    "added": "A new node joins the tree: {player} plays {move}.",
    **dict.fromkeys(("ended", "childless"), "No new node was seen."),
    "added below": "The tree grows below the end of the path.",
    **dict.fromkeys(("unplayed", "valued"), _UNSEEN),
    "back": "Back up the path: the numbers on it change, {rewards}.",
}
"""The patterns of a watched search, of which only the tree is known."""
_COUNTED = (
    "Back up the path: {result}. This search counts in a way of its own, and cards show "
    "its numbers."
)
OWN: Final = PATTERNS | {
    "back": _COUNTED,
    "proved": _COUNTED + " This proves that {result} in {proved} at the end of the path.",
    "solved": _COUNTED + " This proves that {result} in every position of the path.",
}
"""The patterns of a search whose numbers do not follow from its paths and results."""
OWN_NUMBERS: Final = " · the search's own numbers"
"""The note on its parameters."""
PAID: Final = {
    "back": "Back up the path. {parts} {visited}, and each node the return of the step "
    "that led to it and all after it."
}
"""The patterns that are other ones in a game that pays on the way."""
SCALED: Final = (
    " Scores count a return of {low} as 0 and one of {high} as 1; means on cards are in the game's "
    "own units."
)
"""Added where scores are compared."""
WATCHED_ENDS: Final = ("a node that gets a new child.", *("the end of the tree.",) * 4)


def patterns(data: SearchFilm) -> tuple[list[str], NDArray[np.uint8]]:
    """The patterns that a film needs, and by moment, four an iteration that is shown, which one."""
    trace, iterations = data.trace, data.iterations
    leaf, first = trace.leaf[iterations - 1], data.first_steps[iterations - 1].astype(np.int64)
    added = trace.created_at[leaf] == iterations
    unplayed = trace.playouts.lengths[iterations - 1] == 0
    over = _is_over(trace, leaf[~added | unplayed])[leaf]
    drawn = added & trace.chance[np.maximum(trace.parent[leaf], 0)] & (leaf > 0)
    births, first_child = _births(data.source)
    had_children = first_child[data.source.leaf[iterations - 1]] < iterations
    end = np.select([drawn, added, over, had_children], [3, 0, 1, 4], 2)
    is_open = (first == 0) | (trace.created_at[first] == iterations)
    has_tried = (first == 0) & _has_tried_all(data.source, iterations)
    sign, since = trace.proofs
    skipped = iterations > min(
        (since[node] for node in trace.children[0] if sign[node]), default=trace.iterations
    )
    of = {name: len(ENDS) * place for place, name in enumerate(PATTERNS)}  # with one of the ends
    walks = np.where(skipped, of["skipped"], of["compared"]) + end
    simulated = np.select(
        [unplayed & over, unplayed, added],
        [of["unplayed"], of["valued"], of["played"]],
        of["played on"],
    )
    proved = np.isin(iterations, since[(sign != 0) & (since > 0)])
    every = np.stack(
        [
            np.select([is_open & has_tried, is_open], [of["stopped"], of["open"]], walks),
            _expanded(end, births[iterations], of),
            simulated,
            np.where(proved, of["proved"], of["back"]),
        ],
        axis=1,
    )
    if sign[0]:
        every[iterations == since[0], 3] = of["solved"]
    _note_what_was_asked(trace, iterations, every, {"open": is_open, "added": added}, of)
    used, numbers = np.unique(every, return_inverse=True)
    table, ends = (WATCHED, WATCHED_ENDS) if trace.watched else (PATTERNS, ENDS)
    if data.pays:
        table = PATTERNS | PAID
    if data.counts_its_own:
        table = OWN
    if data.pays and trace.spec.reward is half_for_a_draw:
        low, high = map(small, turns.value_range(trace.game))
        table = table | {"compared": table["compared"] + filled(SCALED, {"low": low, "high": high})}
    pairs = [divmod(number, len(ENDS)) for number in used.tolist()]
    each = [[*table.values()][place].replace("{end}", ends[which]) for place, which in pairs]
    return each, numbers.astype(np.uint8).ravel()


def _births(source: Trace) -> tuple[NDArray[Any], NDArray[Any]]:
    """The number of nodes that each iteration added; the iteration of each node's first child.

    That of a node without children is later than all.
    """
    births = np.bincount(source.created_at, minlength=source.iterations + 1)
    first_child = np.full(len(source.parent), source.iterations + 1)
    np.minimum.at(first_child, source.parent[1:], source.created_at[1:])
    return births, first_child


def _has_tried_all(source: Trace, iterations: NDArray[Any]) -> NDArray[np.bool_]:
    """For each iteration: whether each move from the root has a node before it."""
    births = np.sort(source.created_at[source.parent == 0])
    moves = len(turns.moves_of(source.game, source.root_state))
    tried: NDArray[np.bool_] = np.searchsorted(births, iterations) >= moves
    return tried


def _expanded(end: NDArray[Any], births: NDArray[Any], of: Mapping[str, int]) -> NDArray[Any]:
    """For each iteration: what its expansion did, where the walk has such an ``end``."""
    usual = ("added", "ended", "childless", "drawn", "childless")
    many = ("added several", "ended", "added below", "drawn", "added below")
    least_of_many = np.array([2, 1, 1, 2, 1])  # where the path ends at a new node, that is one
    one, several = (np.array([of[name] for name in names])[end] for names in (usual, many))
    expanded: NDArray[Any] = np.where(births >= least_of_many[end], several, one)
    return expanded


def step_of(game: Game[Any, Any]) -> str:
    """The unit in which a walk is counted: where nature moves, too, not every step is a move."""
    return "step" if turns.knows_luck(game) else "move"


def policies_said(trace: Trace) -> dict[str, str]:
    """The search's own ways to play on and to add a node, as its captions say them."""
    spec, own = trace.spec, own_phases(trace.spec)
    playout = f"moves by {plain(describe(spec.playout))}"
    if "simulate" in own:
        playout = "moves by the search's own simulate"
    elif trace.plays_at_random:
        moves = "moves and luck" if turns.knows_luck(trace.game) else "moves"
        playout = f"random {moves} to the end"
    adding = "The expansion policy adds"
    if "expand" in own:
        adding = "The search's own expand adds"
    elif spec.expansion is expand_one:
        adding = "An untried move is picked at random"
    return {"playout": playout, "adding": adding}


def _note_what_was_asked(
    trace: Trace,
    iterations: NDArray[np.integer[Any]],
    every: NDArray[Any],
    happened: Mapping[str, NDArray[np.bool_]],
    of: Mapping[str, int],
) -> None:
    """Change the patterns of iterations in which no score decided: a fork's first, and by hand."""
    if trace.first_moves and iterations[0] == 1:
        every[0, 0] = of["asked"]
        if happened["added"][0] and len(trace.path(int(trace.leaf[0]))) == 1 + len(
            trace.first_moves
        ):
            every[0, 1] = of["asked new"]
    by_hand = iterations <= trace.chosen_iterations
    every[by_hand & ~happened["open"], 0] = of["chosen"]
    every[by_hand & happened["added"], 1] = of["chosen new"]


def _is_over(trace: Trace, ends: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """For each node: whether the game is over there; asked of these alone."""
    over = np.zeros(len(trace.parent), bool)
    for node in np.unique(ends).tolist():
        over[node] = trace.game.is_terminal(trace.state(node))
    return over


def caption(data: SearchFilm, iteration: int, phase: str) -> str:
    """The moment in a sentence or two."""
    trace = data.trace
    texts, numbers = data.patterns
    path = trace.path(int(trace.leaf[iteration - 1]))
    sign, since = trace.proofs
    proved = [node for node in path if sign[node] and since[node] == iteration]
    walked = [node for node in path[1:] if trace.created_at[node] < iteration]
    pattern: str = texts[numbers[4 * data.place(iteration) + PHASES.index(phase)]]
    slots = dict(
        data.policies,
        choice=_choice_at_root(data, iteration, path) if "{choice}" in pattern else "",
        walked=counted(len(walked), data.step),
        player=data.players[trace.player_just_moved[path[-1]]],
        move=plain(trace.label(path[-1])),
        moves=counted(len(trace.playouts[iteration]), data.step),
        visited=visited(len(path)),
        proved=counted(len(proved), "position"),
        result=data.result(iteration),
        rewards=data.outcomes[trace.outcome[iteration - 1]]["rewards"],
        parts=data.told(iteration) if "{parts}" in pattern else "",
    )
    return filled(pattern, slots)


def _choice_at_root(data: SearchFilm, iteration: int, path: tuple[int, ...]) -> str:
    move = plain(data.trace.label(path[1]) if path[1:] else "")
    return choice(f"move {move}", *data.lead(iteration), tie_said(data.trace))


def visited(nodes: int) -> str:
    """That so many nodes get a visit."""
    return "1 node gets one visit" if nodes == 1 else f"{nodes} nodes get one visit each"


def choice(move: str, own: float, rival: float, level: int, tie: str) -> str:
    """Name the choice, and by how much its score leads its best rival's; not-a-number without one.

    So many rivals scored the same; ``tie`` says why it is the chosen one, "" if that is not known.
    """
    if isnan(own - rival):
        return f"{move} is chosen"
    if own < rival:
        return f"{move} is chosen, although another move scores {lead(rival, own)} higher"
    if own > rival:
        return f"{move} scores highest, by {lead(own, rival)}"
    others = "another" if level == 1 else f"{level} others"
    how = f"; it was {tie}" if tie else ""
    return f"{move} scores highest, level with {others}{how}"


def tie_said(trace: Trace) -> str:
    """Why one of equal moves is chosen, in words; "" where the search's own code says it."""
    spec = trace.spec
    decides = ("select", "best_child")
    is_own = any(getattr(type(spec), name) is not getattr(MCTS, name) for name in decides)
    known: Mapping[Any, str] = {first_best: "added first", random_best: "drawn at random"}
    return "" if trace.watched or is_own else known.get(spec.tie_break, "")


def algorithm() -> list[str]:
    """For each phase: its line in the source of one iteration."""
    lines = inspect.getsource(MCTS.iteration).splitlines()
    return [next(line.strip() for line in lines if f"self.{phase}(" in line) for phase in PHASES]
