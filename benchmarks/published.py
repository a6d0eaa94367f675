"""The claims of the published systems, put to the test.

    python benchmarks/published.py [--log published.jsonl] [--games 1.0] [--only liu]

Every pair of players meets in so many games, half of them with either colour, and each line of the
tables gives wins, draws and losses, and the share of losses with its 95 % interval (Wilson). Each
move is searched from a seed of its own, which follows from the number of the game and the
position. The verdict on the claim is below each table. ``--games`` scales all counts. What is
in the log is not played again.

Opponents without a search: ``random``; ``perfect``, who plays any of the moves that exact play
finds best, all with equal chance; ``best response``, who knows the system (:class:`BestResponse`).
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from mcts_course import arena, published
from mcts_course.measure.intervals import wilson_interval
from mcts_course.published.published import Configuration
from mcts_viz import ConnectFour, Game, MCTSAgent, RandomAgent, TicTacToe, solve

GAME, FOUR = TicTacToe(), ConnectFour()
CHUNK = 10
"""Games that are played, and logged, together; an even number."""
SAMPLES = 4
"""Searches from which a best response learns what a system plays in a position."""
STUDY = 1_000
"""Iterations of these searches at most."""
FIRST = 0
SECOND = 1


# Who plays -----------------------------------------------------------------------------------


class Afresh(MCTSAgent):
    """Seeds each search by the player's seed and the position; the only move is not searched."""

    def __call__(self, state: Any) -> Any:
        legal = self.game.legal_actions(state)
        if len(legal) == 1:
            return legal[0]
        own, self.search.seed = self.search.seed, crc32(f"{self.search.seed} {state}".encode())
        try:
            return super().__call__(state)
        finally:
            self.search.seed = own


class Resigned(Afresh):
    """Against a player who never lets a win go, a lost position is not searched: it stays lost."""

    def __call__(self, state: Any) -> Any:
        exact = solve(GAME, state)
        return exact.principal_variation[0] if exact.value < 0 else super().__call__(state)


@dataclass(frozen=True)
class Entrant:
    """A published system with some repairs, and what it may use for a move."""

    system: str
    iterations: int
    repair: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    game: Game[Any, Any] = GAME
    keep_tree: bool = False

    @property
    def name(self) -> str:
        without = f" without {' + '.join(self.repair)}" if self.repair else ""
        if self.repair and set(self.repair) == set(published(self.system).faults):
            without = ", all repaired"
        put_in = f" with {' + '.join(self.faults)}" if self.faults else ""
        if self.keep_tree:
            put_in += ", one tree"
        return f"{self.system} {self.iterations:,}{without}{put_in}"

    def configuration(self) -> Configuration:
        return published(self.system, self.game).repair(*self.repair).with_faults(*self.faults)

    def player(self, kind: type[Afresh] = Afresh) -> MCTSAgent:
        """A player that uses a new seed for each move, if it starts a new search for it."""
        configuration = self.configuration()
        if self.keep_tree:
            return configuration.agent(self.iterations, keep_tree=True)
        return kind(configuration.as_searched().game, self.iterations, **configuration.settings)


class Perfect:
    """Any of the best moves, all with equal chance."""

    def __init__(self, game: Game[Any, Any], seed: int | None = None) -> None:
        self.game, self._random = game, random.Random(seed)

    def fresh(self, seed: int) -> Perfect:
        return Perfect(self.game, seed)

    def __call__(self, state: Any) -> Any:
        return self._random.choice(solve(self.game, state).best_actions)


class BestResponse:
    """The replies that make a system lose most often, as far as a study of it tells.

    The study goes through the game tree. Where the system moves, ``SAMPLES`` searches say how often
    it plays what; where the responder moves, the reply counts that loses the system most games; a
    position that exact play wins for the responder counts as won. What turns into one another by
    turning or mirroring the board is studied once. The games that are counted are new ones, with
    other seeds than the study's, so chance in the study makes the response weaker, and not the
    figures too high: they are what this opponent gets, and the best one gets at least as much.
    """

    def __init__(self, losses: Mapping[str, float]) -> None:
        self.losses = losses

    def __call__(self, state: Any) -> Any:
        exact = solve(GAME, state)
        after = {action: shape(GAME.play(state, action)) for action in exact.action_values}
        known = [action for action in after if after[action] in self.losses]
        if exact.value > 0 or not known:
            return exact.principal_variation[0]
        return max(known, key=lambda a: (self.losses[after[a]], exact.action_values[a]))


def study(entrant: Entrant) -> dict[str, Any]:
    """The share of losses from each position where the system moves, by shape; for the log."""
    configuration, iterations = entrant.configuration(), min(entrant.iterations, STUDY)
    player = Afresh(configuration.as_searched().game, iterations, **configuration.settings)
    losses: dict[str, float] = {}
    for responder in (SECOND, FIRST):
        Losses(player, responder, losses).loss(GAME.initial_state())
    return {"study": entrant.name, "losses": losses}


@dataclass(frozen=True)
class Losses:
    """The losses of a system to the opponent who knows best how to beat it."""

    system: Afresh
    responder: int
    known: dict[str, float]
    """By shape of a position where the system moves; what is found is added."""

    def loss(self, state: Any) -> float:
        """The share of games that the system loses from here, in [0, 1]."""
        if GAME.is_terminal(state):
            return float(GAME.returns(state)[self.responder] > 0)
        if GAME.to_move(state) == self.responder:
            if solve(GAME, state).value > 0:
                return 1.0
            return max(self.loss(GAME.play(state, a)) for a in GAME.legal_actions(state))
        key = shape(state)
        if key not in self.known:
            moves = [self.system.fresh(sample)(state) for sample in range(SAMPLES)]
            after = [self.loss(GAME.play(state, move)) for move in moves]
            self.known[key] = sum(after) / SAMPLES
        return self.known[key]


@cache
def shape(state: tuple[int, int]) -> str:
    """The same for all positions that turning and mirroring the board make of one."""
    cells = GAME.text(state).replace("\n", "")
    turned = [cells]
    for _ in range(3):
        turned.append("".join(turned[-1][6 - 3 * (i % 3) + i // 3] for i in range(9)))
    mirrored = ["".join(t[3 * (i // 3) + 2 - i % 3] for i in range(9)) for t in turned]
    return min(turned + mirrored)


# What is played ------------------------------------------------------------------------------


class Match(NamedTuple):
    """The games of a system against one opponent."""

    entrant: Entrant
    opponent: str | Entrant
    games: int

    @property
    def name(self) -> str:
        other = self.opponent if isinstance(self.opponent, str) else self.opponent.name
        return f"{self.entrant.name} | {other}"


class Ending(NamedTuple):
    """The results of games for the entrant: with one colour, or with both."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games

    @property
    def lost(self) -> float:
        return self.losses / self.games

    def __add__(self, other: Any) -> Ending:
        return Ending(*(one + more for one, more in zip(self, other, strict=True)))

    def losses_told(self) -> str:
        low, high = wilson_interval(self.losses, self.games)
        return f"{self.lost:.2f} ({low:.2f} to {high:.2f})"

    def score_told(self) -> str:
        low, high = wilson_interval(self.wins + self.draws / 2, self.games)
        return f"{self.score:.2f} ({low:.2f} to {high:.2f})"


Results = Mapping[str, tuple[Ending, Ending]]
"""By name of a match: how it ended for the entrant moving first and moving second."""


@dataclass(frozen=True)
class Claim:
    """Something that a text says, the games that test it, and what they say."""

    about: str
    claim: str
    matches: tuple[Match, ...]
    verdict: Callable[[Results], str]


def play_chunk(match: Match, number: int, losses: Mapping[str, float]) -> dict[str, Any]:
    """``CHUNK`` games of a match, as a line of the log."""
    game, entrant = match.entrant.game, match.entrant.player()
    other: Any
    match match.opponent:
        case "random":
            other = RandomAgent(game)
        case "perfect":
            other, entrant = Perfect(game), match.entrant.player(Resigned)
        case "best response":
            other, entrant = BestResponse(losses), match.entrant.player(Resigned)
        case opponent:
            other = opponent.player()
    begun = time.process_time()
    result = arena(
        {"entrant": entrant, "opponent": other},
        game,
        games=CHUNK,
        seed=crc32(match.name.encode()) % 10**6 * 1000 + number,
        progress=False,
    )
    tallies = [result.tally("entrant", moving=seat) for seat in (FIRST, SECOND)]
    return {
        "match": match.name,
        "chunk": number,
        "seats": [[tally.wins, tally.draws, tally.losses] for tally in tallies],
        "seconds": round(time.process_time() - begun, 2),
    }


# The claims ----------------------------------------------------------------------------------


def against(
    name: str, iterations: int, games: int, opponents: Iterable[str], **changes: Any
) -> Any:
    entrant = Entrant(name, iterations, **changes)
    return tuple(Match(entrant, opponent, games) for opponent in opponents)


def repaired(name: str, iterations: int, games: int, *faults: str, **changes: Any) -> Match:
    return Match(Entrant(name, iterations, repair=faults, **changes), "perfect", games)


def all_faults(name: str) -> tuple[str, ...]:
    return published(name).faults


def duel(one: Entrant, other: Entrant, games: int) -> Match:
    return Match(one, other, games)


def agent(playouts: int, *repair: str) -> Entrant:
    return Entrant("connect4-agent", playouts, repair, game=FOUR)


LIU = 15_000
ITERATIONS = 10_000
ALL = ("random", "perfect", "best response")
LISTED = tuple(
    match
    for bits in ((), ("noise",))
    for match in (
        *against("liu", LIU, 200, ("perfect",), faults=bits),
        *against("liu", LIU, 40, ("best response", "random"), faults=bits),
    )
)
VARIANTS = tuple(
    Match(Entrant(name, LIU, repair, readings), "perfect", 40)
    for name, repair, readings in (
        ("liu", (), ("forced win",)),
        ("liu", ("block",), ("unblocked",)),
        ("liu", ("turns", "ends", "clock"), ("prose",)),
        ("canvas", ("draws",), ("view", "win rate")),  # which is Liu's pseudocode
    )
)
REPAIRS = tuple(
    repaired("liu", LIU, 40, *faults)
    for faults in (
        *((fault,) for fault in all_faults("liu")),
        ("turns", "view"),
        ("turns", "view", "ends"),
        all_faults("liu"),
    )
)
PUT_IN = tuple(
    Match(Entrant("uct", 5_000, faults=faults), "perfect", 100)
    for faults in (
        (),
        ("turns",),
        ("ends",),
        ("draws",),
        ("view",),
        ("noise",),
        ("block",),
        ("win rate",),
    )
)
DRAWS = tuple(
    chain.from_iterable(
        against(name, ITERATIONS, 100, ("perfect", "best response"), repair=repair)
        for name, repair in product(("canvas", "tutorial"), ((), ("draws",)))
    )
)
RATE = tuple(
    Match(Entrant("tutorial", iterations, repair), "perfect", 200)
    for iterations in (200, 1_000)
    for repair in (("draws",), ("draws", "win rate"))
)
MENDED = Entrant("tutorial", 200, ("draws", "win rate"))
TREE = tuple(
    Match(entrant, "perfect", 400)
    for entrant in (
        MENDED,
        replace(MENDED, keep_tree=True),
        replace(MENDED, faults=("kept playouts",)),
    )
)
RANDOM_FOUR = tuple(
    Match(replace(agent(200), faults=faults), "random", 200) for faults in ((), ("blind",))
)
SIGNS = ("view", "ends")
YARDSTICK = Entrant("uct", 1_000, game=FOUR)
PLAYOUTS = (
    duel(agent(40), agent(10), 200),
    duel(agent(200), agent(40), 100),
    duel(agent(1_000), agent(40), 60),
    duel(agent(5_000), agent(40), 20),
    duel(agent(1_000), agent(200), 40),
    *(duel(agent(playouts), YARDSTICK, 40) for playouts in (40, 200, 1_000, 5_000)),
    duel(agent(40, *SIGNS), agent(40), 100),
    duel(agent(200, *SIGNS), agent(200), 100),
    duel(agent(1_000, *SIGNS), agent(1_000), 40),
)
PRE_BUILT = tuple(
    duel(agent(playouts), agent(playouts, "pre-building"), 200) for playouts in (10, 40)
)
REFERENCE = {
    (LISTED[0].name, FIRST): 0.50,
    (LISTED[0].name, SECOND): 0.87,
    (LISTED[3].name, FIRST): 0.76,
    (LISTED[3].name, SECOND): 0.96,
    (DRAWS[1].name, SECOND): 0.98,
    (DRAWS[3].name, SECOND): 0.00,
}
"""Shares of losses that another implementation found, each in ``REFERENCE_GAMES`` games."""
REFERENCE_GAMES = 1_000


def whole(results: Results, match: Match) -> Ending:
    """Both colours together."""
    return results[match.name][FIRST] + results[match.name][SECOND]


def compared(one: Ending, other: Ending) -> str:
    """The verdict on two numbers of losses that may differ by chance alone."""
    if abs(z_of(one.losses, one.games, other.losses, other.games)) < 1.96:
        return "no difference beyond chance"
    return "more" if one.lost > other.lost else "fewer"


def z_of(one: float, one_of: int, other: float, other_of: int) -> float:
    """The distance of two shares in standard errors, if both have the same true share."""
    both = (one + other) / (one_of + other_of)
    error = (both * (1 - both) * (1 / one_of + 1 / other_of)) ** 0.5
    return (one / one_of - other / other_of) / error if error else 0.0


def unbeatable(results: Results) -> str:
    said = []
    for match in LISTED[::3]:
        first, second = results[match.name]
        said.append(f"{match.entrant.name} {first.lost:.2f} first and {second.lost:.2f} second")
    lost = any(whole(results, match).losses for match in LISTED)
    at_random = [f"{whole(results, match).lost:.2f}" for match in LISTED[2::3]]
    return (
        f"{'Refuted' if lost else 'Not refuted'}. Lost to perfect play: {'; '.join(said)}. Lost to "
        f"random play: {' and '.join(at_random)}."
    )


def listed_variants(results: Results) -> str:
    base = whole(results, LISTED[0])
    said = [
        f"{match.entrant.name} {found.lost:.2f} ({compared(found, base)})"
        for match, found in ((match, whole(results, match)) for match in VARIANTS)
    ]
    return f"Lost to perfect play, beside {base.lost:.2f} as listed: {', '.join(said)}."


def repairs(results: Results) -> str:
    base = whole(results, LISTED[0])
    said = [
        f"{' + '.join(match.entrant.repair)} {whole(results, match).lost:.2f} "
        f"({compared(whole(results, match), base)})"
        for match in REPAIRS
    ]
    return f"Lost to perfect play, beside {base.lost:.2f} as listed, without: {'; '.join(said)}."


def put_in(results: Results) -> str:
    base = whole(results, PUT_IN[0])
    said = [f"{match.entrant.faults[0]} {whole(results, match).lost:.2f}" for match in PUT_IN[1:]]
    return f"Lost to perfect play, beside {base.lost:.2f} sound: {', '.join(said)}."


def draws(results: Results) -> str:
    said = []
    for index, name in ((1, "canvas"), (5, "tutorial")):
        broken, mended = (results[DRAWS[index + step].name][SECOND] for step in (0, 2))
        said.append(f"{name} {broken.lost:.2f}, and {mended.lost:.2f} with a draw between")
    return f"Moving second against a best response it loses: {'; '.join(said)}."


def rate(results: Results) -> str:
    said = []
    for by_rate, by_visits in (RATE[:2], RATE[2:]):
        one, other = whole(results, by_rate), whole(results, by_visits)
        said.append(
            f"at {by_rate.entrant.iterations:,} iterations {one.lost:.2f} by rate and "
            f"{other.lost:.2f} by visits ({compared(one, other)})"
        )
    return f"Lost to perfect play: {'; '.join(said)}."


def tree(results: Results) -> str:
    fresh, kept, playouts = (whole(results, match) for match in TREE)
    return (
        f"Lost to perfect play: {fresh.lost:.2f} with a new tree a move, {kept.lost:.2f} with one "
        f"tree ({compared(kept, fresh)}), {playouts.lost:.2f} with the playouts' nodes kept "
        f"({compared(playouts, fresh)})."
    )


def judged(ending: Ending) -> str:
    """The verdict on the player who is named first."""
    low, high = wilson_interval(ending.wins + ending.draws / 2, ending.games)
    if low > 0.5:
        return "stronger"
    return "weaker" if high < 0.5 else "not told apart"


def playouts(results: Results) -> str:
    said = []
    for match in PLAYOUTS:
        ending = whole(results, match)
        said.append(f"{match.name.replace(' | ', ' against ')} {judged(ending)}: ")
        said[-1] += ending.score_told()
    return "Score of who is named first:\n  " + "\n  ".join(said).replace("connect4-agent ", "")


def pre_built(results: Results) -> str:
    said = [
        f"at {match.entrant.iterations} playouts {judged(whole(results, match))}, "
        f"{whole(results, match).score_told()}, for {building_share(match.entrant):.0%} of a "
        "move's time"
        for match in PRE_BUILT
    ]
    return f"With pre-building against without: {'; '.join(said)}."


def building_share(entrant: Entrant) -> float:
    """The share of a first move's time that goes into building levels beforehand."""

    def seconds(built: Entrant) -> float:
        search, times = built.configuration().search(seed=1), []
        for _ in range(15):
            begun = time.process_time()
            search.search(iterations=built.iterations, progress=False)
            times.append(time.process_time() - begun)
        return sorted(times)[len(times) // 2]

    plain = Entrant(entrant.system, entrant.iterations, ("pre-building",), game=FOUR)
    return 1 - seconds(plain) / seconds(entrant)


def at_random(results: Results) -> str:
    said = [f"{m.entrant.name} {whole(results, m).score_told()}" for m in RANDOM_FOUR]
    return (
        f"Score at 200 playouts: {', '.join(said)}; another implementation has 0.99 for the first."
    )


CLAIMS = (
    Claim("liu", "The program is unbeatable: it wins or draws.", LISTED, unbeatable),
    Claim("liu-variants", "So are its other readings.", VARIANTS, listed_variants),
    Claim("liu-repairs", "The missed win is the block function's fault.", REPAIRS, repairs),
    Claim("faults", "What each fault costs alone, in a sound search.", PUT_IN, put_in),
    Claim("draws", "A draw may count like a loss.", DRAWS, draws),
    Claim("rate", "The move of the highest win rate is the one to make.", RATE, rate),
    Claim("tree", "One tree can be kept.", TREE, tree),
    Claim("agent-random", "The agent beats random play.", RANDOM_FOUR, at_random),
    Claim("agent-playouts", "40 playouts are noticeably stronger than 10.", PLAYOUTS, playouts),
    Claim("agent-building", "Pre-building spares early playouts.", PRE_BUILT, pre_built),
)


# Running it ----------------------------------------------------------------------------------


def missing_chunks(
    matches: Iterable[Match], share: float, done: Container[tuple[str, int]]
) -> list[tuple[Match, int]]:
    """The games to be played, in an order in which all matches come forward alike."""
    found = []
    for match in matches:
        chunks = max(1, round(match.games * share / CHUNK))
        numbers = [n for n in range(chunks) if (match.name, n) not in done]
        found += [((n + 1) / chunks, match, n) for n in numbers]
    found.sort(key=lambda chunk: chunk[0])
    return [(match, number) for _, match, number in found]


def run(
    claims: Iterable[Claim], share: float, log: Path | None, processes: int
) -> dict[str, tuple[Ending, Ending]]:
    """Play what the log does not have, and add up what it has; without a process play nothing."""
    matches = {match.name: match for claim in claims for match in claim.matches}
    lines = logged(log)
    done = {(line["match"], line["chunk"]): line for line in lines if "match" in line}
    studies = {line["study"]: line["losses"] for line in lines if "study" in line}
    if processes:
        for line in played(missing_chunks(matches.values(), share, done), studies, processes):
            write(log, line)
            if "match" in line:
                done[line["match"], line["chunk"]] = line
    return added_up(matches, done)


def added_up(
    names: Iterable[str], done: Mapping[tuple[str, int], Mapping[str, Any]]
) -> dict[str, tuple[Ending, Ending]]:
    """The results of each match, by who moved first."""
    results = {name: (Ending(), Ending()) for name in names}
    for (name, _), line in done.items():
        if name in results:
            first, second = (Ending(*seat) for seat in line["seats"])
            results[name] = (results[name][FIRST] + first, results[name][SECOND] + second)
    return results


def parted(
    chunks: Iterable[tuple[Match, int]], studies: Container[str]
) -> tuple[list[tuple[Match, int]], dict[str, list[tuple[Match, int]]]]:
    """Chunks that can be played now, and by system those that wait until it has been studied."""
    ready = []
    waiting: dict[str, list[tuple[Match, int]]] = {}
    for match, number in chunks:
        if match.opponent != "best response" or match.entrant.name in studies:
            ready.append((match, number))
        else:
            waiting.setdefault(match.entrant.name, []).append((match, number))
    return ready, waiting


def played(
    chunks: Iterable[tuple[Match, int]], studies: dict[str, Any], processes: int
) -> Iterator[dict[str, Any]]:
    """The lines for the log as they come; a system is studied before its best response plays."""
    with ProcessPoolExecutor(processes) as executor:

        def begin(match: Match, number: int) -> Future[dict[str, Any]]:
            losses = studies.get(match.entrant.name, {})
            return executor.submit(play_chunk, match, number, losses)

        ready, waiting = parted(chunks, studies)
        futures = {begin(*chunk) for chunk in ready}
        futures |= {executor.submit(study, some[0][0].entrant) for some in waiting.values()}
        while futures:
            ended, futures = wait(futures, return_when=FIRST_COMPLETED)
            for future in ended:
                line = future.result()
                yield line
                if "study" in line:
                    studies[line["study"]] = line["losses"]
                    futures |= {begin(*chunk) for chunk in waiting[line["study"]]}


def logged(log: Path | None) -> list[dict[str, Any]]:
    text = log.read_text() if log and log.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def write(log: Path | None, line: Mapping[str, Any]) -> None:
    if log:
        with log.open("a") as file:
            file.write(json.dumps(line) + "\n")


def show(claim: Claim, results: Results) -> None:
    print(f"\n{claim.about}: {claim.claim}")
    print(f"{'won-drawn-lost, and share lost':56} {'moving first':^30} {'moving second':^30}")
    for match in claim.matches:
        cells = []
        for ending in results[match.name]:
            cells.append(f"{'-'.join(map(str, ending)):>9} {ending.losses_told():>20}")
        print(f"{match.name:56} {' '.join(cells)}")
        for seat, words in ((FIRST, "first"), (SECOND, "second")):
            theirs = REFERENCE.get((match.name, seat))
            if theirs is not None:
                print(
                    f"  elsewhere, moving {words}: {elsewhere(results[match.name][seat], theirs)}"
                )
    print(claim.verdict(results), flush=True)


def elsewhere(ending: Ending, theirs: float) -> str:
    z = z_of(ending.losses, ending.games, theirs * REFERENCE_GAMES, REFERENCE_GAMES)
    return f"{theirs:.2f}, which {'agrees' if abs(z) < 1.96 else f'differs, z = {z:.1f}'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=float, default=1.0, help="share of all games to be played")
    parser.add_argument("--processes", type=int, default=2, help="0 to show what is in the log")
    parser.add_argument("--log", type=Path, help="what was played, one JSON object a line")
    parser.add_argument("--only", nargs="+", choices=[claim.about for claim in CLAIMS])
    arguments = parser.parse_args()
    claims = [claim for claim in CLAIMS if claim.about in (arguments.only or claim.about)]
    print(f"Python {platform.python_version()}", flush=True)
    results = run(claims, arguments.games, arguments.log, arguments.processes)
    for claim in claims:
        if all(whole(results, match).games for match in claim.matches):
            show(claim, results)
        else:
            print(f"\n{claim.about}: not played yet")


if __name__ == "__main__":
    main()
