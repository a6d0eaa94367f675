"""An examination of ten questions with other numbers for each seed, and its answers.

Every answer is computed, and numbers are drawn again where a rounding would decide.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random

from mcts_viz.games import Nim

from ..lessons.game_tree import sizes

FIXED = (
    (
        "Name the four phases. For each, say what it reads and what it changes.",
        "Selection reads scores and changes nothing. Expansion reads the untried moves and adds a "
        "node. Simulation reads the rules and changes nothing in the tree. Backpropagation reads "
        "the result and changes visits and wins on the path.",
    ),
    (
        "Playouts that block every threat play a position worse than random ones, even with a "
        "million games. Is this noise or bias? What cures it?",
        "Bias: more of the same does not help. The tree cures it, because it need not believe the "
        "playouts forever. Some randomness in the playouts helps too.",
    ),
    (
        "A program always counts wins for the player to move at the root. Which nodes have the "
        "wrong sign, and what does the tree look like?",
        "The nodes that the opponent moved into. At those levels the search picks the replies "
        "that are best for the root player, so the opponent seems to help.",
    ),
)


def exam(seed: int) -> str:
    """Return the ten questions of a variant, and below them the answers.

    >>> print(exam(1).splitlines()[0])
    # Examination 1
    """
    draw = Random(seed)
    drawn = [make(draw) for make in (_nim, _minimax, _interval, _arms, _path, _level, _stop)]
    asked, answers = zip(*drawn, *FIXED, strict=True)
    return "\n".join(
        [
            f"# Examination {seed}\n\nForty-five minutes, with a calculator, without a computer.\n",
            *(f"{number}. {text}" for number, text in enumerate(asked, 1)),
            f"\n# Answers to examination {seed}\n",
            *(f"{number}. {text}" for number, text in enumerate(answers, 1)),
        ]
    )


def _nim(draw: Random) -> tuple[str, str]:
    heaps = draw.choice(((3,), (1, 1), (4,), (2, 1)))
    game = Nim(heaps)
    words = f"a heap of {heaps[0]}" if len(heaps) == 1 else f"heaps of {heaps[0]} and {heaps[1]}"
    return (
        f"Nim with {words}. Draw the tree. How many nodes, games and positions does it have?",
        ", ".join(f"{count} {what}" for what, count in sizes(game).items()) + ".",
    )


def _minimax(draw: Random) -> tuple[str, str]:
    """The second move has its worse reply first, so a leaf is skipped."""
    c, d, e, f = draw.sample(range(-9, 10), 4)
    if not e < min(c, d):
        return _minimax(draw)
    tree = {"a": {"c": c, "d": d}, "b": {"e": e, "f": f}}
    return (
        f"MAX moves at the root of `{tree}`. What is it worth? Which leaf does alpha-beta skip, "
        "from left to right?",
        f"min({c}, {d}) = {min(c, d)}, and `b` is worth at most {e}. So the root is worth "
        f"{min(c, d)}, and `f` is skipped.",
    )


def _interval(draw: Random) -> tuple[str, str]:
    (games, width), factor = draw.choice(((100, 0.2), (400, 0.1))), draw.choice((2, 4, 5))
    return (
        f"After {games} random games an interval is {width:g} wide. How many games make it "
        f"{width / factor:g} wide?",
        f"A width of 1/{factor} takes {factor**2} times the games: {games * factor**2:,}.",
    )


def _arms(draw: Random) -> tuple[str, str]:
    a, b = draw.randint(5, 12), draw.randint(1, 4)
    shares = {"A": (draw.randint(0, a), a), "B": (draw.randint(0, b), b)}
    scores = {arm: w / n + sqrt(2 * log(a + b) / n) for arm, (w, n) in shares.items()}
    if abs(scores["A"] - scores["B"]) < 0.1:
        return _arms(draw)
    (won_a, _), (won_b, _) = shares.values()
    sums = ". ".join(f"{arm}: {score:.2f}" for arm, score in scores.items())
    return (
        f"Two arms: A won {won_a} of {a}, B won {won_b} of {b}. Which arm does UCB1 pull next with c = √2?",
        f"N = {a + b}, ln N = {log(a + b):.2f}. {sums}. {max(scores, key=scores.__getitem__)}.",
    )


def _path(draw: Random) -> tuple[str, str]:
    winner, names = draw.choice("XO"), "abcd"[: draw.randint(3, 4)]
    path = [f"*{name}* ({'XO'[at % 2]})" for at, name in enumerate(names)]
    moved = {"the root": "O"} | {f"*{name}*": "XO"[at % 2] for at, name in enumerate(names)}
    gain = ", ".join(node for node, player in moved.items() if player == winner)
    return (
        f"X moves at the root. The path is root, {', '.join(path)}. "
        f"{winner} wins the playout. Which nodes gain a win?",
        f"Those that {winner} moved into: {gain}. All {len(moved)} gain a visit.",
    )


def _level(draw: Random) -> tuple[str, str]:
    mean, lead = draw.choice((0.4, 0.5, 0.6)), draw.choice((0.1, 0.2))
    narrow, more = draw.choice((0.2, 0.4)), draw.choice((0.2, 0.4, 0.5))
    return (
        f"Two children have means {mean + lead:g} and {mean:g}, and √(ln N / n) is {narrow:g} for "
        f"the first and {narrow + more:g} for the second. At which c are their UCB scores equal?",
        f"{mean + lead:g} + {narrow:g} c = {mean:g} + {narrow + more:g} c, so c = {lead / more:.2f}.",
    )


def _stop(draw: Random) -> tuple[str, str]:
    first, lead = draw.randint(50, 80), draw.randint(5, 20)
    return (
        f"Visits {first}, {first - lead}, 10, and {lead - 1} iterations are left. May the search "
        f"stop? And with {lead}?",
        f"The lead is {lead}. With {lead - 1} left it may stop. With {lead} it may not: the second "
        "can draw level.",
    )
