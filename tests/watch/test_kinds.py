"""Programs as people really write them: none that is sound gets a finding, each fault gets its."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from kinds import FAULTS, FORMULAS, HELD, KINDS, SOUND, Counters, MadeAgain, Row, Take, with_noise
from strangers import Student, with_parts

from mcts_viz import Film, TicTacToe
from mcts_viz.errors import TraceError
from mcts_watch import Watch

LATE = "XX..O...."
"""A position from which games end soon, and one move wins."""


def filmed(program: Any, iterations: int = 600, **names: Any) -> Watch:
    """A watch of the program; where each iteration makes a new root, it is asked for that."""
    root = (lambda: program.root) if isinstance(program, MadeAgain) else program.root
    watch = Watch(root, **program.given, **names)
    for _ in range(iterations):
        program.iterate()
        watch.look()
    return watch


def said(watch: Watch) -> dict[str, str]:
    return {line.family: line.text for line in watch.checked}


def rules_of(program: Any) -> Any:
    """The rules that check a program; none are at hand for rewards on the way and four players."""
    if issubclass(program, Row) or program.__name__ == "Four":
        return None
    return Take() if issubclass(program, Counters) else TicTacToe()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_program_gives_no_finding(name: str, seed: int) -> None:
    program = SOUND[name]
    assert filmed(program(seed)).findings == []
    if game := rules_of(program):
        assert filmed(program(seed), game=game).findings == []
    if isinstance(game, TicTacToe):
        assert filmed(program(seed, LATE), game=game).findings == []


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_name(name: str, seed: int) -> None:
    program, slug, needs_rules = FAULTS[name]
    if not needs_rules:
        watch = filmed(program(seed))
    elif issubclass(program, Counters):
        watch = filmed(program(seed), game=Take())
    else:
        watch = filmed(program(seed, LATE), game=TicTacToe())
    assert slug in [one.name for one in watch.findings + watch.notes], watch
    assert [one.name for one in watch.findings] in ([slug], []), watch


@pytest.mark.parametrize("name", KINDS)
def test_it_says_what_a_nodes_number_is(name: str) -> None:
    watch = filmed(SOUND[name](1))
    assert said(watch)["numbers"].startswith(f"a node's number is {KINDS[name]}")
    assert watch.rule.name == "UCB1"
    assert watch.rule.c is not None
    assert watch.rule.c[0] <= 1.4 <= watch.rule.c[1]


def test_what_a_visit_was_paid_is_not_asked_of_a_maximum() -> None:
    lines = said(filmed(SOUND["the largest reward"](1, LATE), game=TicTacToe()))
    for family in "rewards", "ends of games", "draws", "playouts":
        assert lines[family].startswith("**not checked**: a node's number is the largest reward")


@pytest.mark.parametrize("name", FORMULAS)
def test_common_formulas_are_read(name: str) -> None:
    program, rule = FORMULAS[name]
    reading = filmed(program(1, LATE), game=TicTacToe()).rule
    assert reading.name is not None
    assert reading.name.startswith(rule)


def test_noise_at_the_root_is_said() -> None:
    text = str(filmed(FORMULAS["PUCT with noise at the root"][0](1)).rule)
    assert "misfits are at the root" in text
    assert "PUCT with c = 1.50" in text


def test_noise_in_every_node_is_said() -> None:
    said = {share: filmed(with_noise(share)(1)).rule for share in (0.0, 0.25)}
    assert said[0.0].name == "PUCT"
    assert said[0.25].name is None
    assert re.search(r"PUCT.* is nearest, .*; noise on the priors in every node", str(said[0.25]))
    for other in (SOUND["softmax"], SOUND["rewards on the way, of two"], with_noise(0.0)):
        assert "noise" not in str(filmed(other(1)).rule)


@pytest.mark.parametrize(
    ("bonus", "said"),
    [
        (
            lambda self, k, up: (3 * math.log(up.visits) / k.visits) ** 0.5,
            "(3 inside the root)",
        ),
        (lambda self, k, up: 1.4 * (math.log2(up.visits) / k.visits) ** 0.5, "(1.40 if the log"),
    ],
)
def test_a_constant_is_said_as_it_may_be_written(bonus: Any, said: str) -> None:
    assert said in str(filmed(with_parts(bonus=bonus)(1)).rule)


def test_a_film_of_several_players_has_each_of_them() -> None:
    """Without rules nothing says whether a reward is the next player's, and a note says so."""
    for kind in Counters, FAULTS["the next of three players is paid"][0]:
        watch = filmed(kind(1), 200)
        assert len(watch.trace.game.players) == 3
        assert "<html" in str(Film(watch).to_html()) or "<iframe" in str(Film(watch).to_html())
        assert "viewpoint-unknown" in [note.name for note in watch.notes]


@pytest.mark.parametrize("name", HELD)
def test_trees_held_otherwise_are_read_without_help(name: str) -> None:
    watch = filmed(HELD[name](1), game=TicTacToe())
    assert watch.rule.name == "UCB1"
    assert watch.rule.explained == watch.rule.of
    assert said(watch)["visits"] == "600 of 600 paths add up"
    assert len(watch.nodes) == 601


def test_a_root_that_stays_as_it_was_is_told_how_to_be_given() -> None:
    program = MadeAgain(1)
    watch = Watch(program.root)
    watch.look()
    watch.look()
    with pytest.raises(TraceError, match=r"Watch\(lambda: search\.root\)"):
        watch.look()


class Keys(Student):
    """Children are moves, which are looked up in a table."""

    def __init__(self, seed: int, state: str = "." * 9) -> None:
        super().__init__(seed, state)
        self.table: dict[Any, Any] = {}

    def best(self, node: Any) -> Any:
        known = [self.table[id(node), key] for key in node.children]
        return max(known, key=lambda child: self.score(child, node))

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop()
        child = self.new(self.play(node.state, move), node, move)
        self.table[id(node), move] = child
        node.children.append(move)
        return child


def test_keys_for_children_are_answered_by_what_to_give() -> None:
    program = Keys(1)
    with pytest.raises(TraceError, match=r"children=lambda node: \[table\[key\]"):
        filmed(program)
    program = Keys(1)
    program.given["children"] = lambda node: [program.table[id(node), key] for key in node.children]
    assert filmed(program).rule.name == "UCB1"


def test_a_table_by_player_is_answered_by_a_function() -> None:
    class Table(Counters):
        def new(self, *given: Any) -> Any:
            node = super().new(*given)
            node.rewards = [0.0] * 3
            del node.wins
            return node

        def mean(self, child: Any, parent: Any) -> float:
            return float(child.rewards[parent.player] / child.visits)

        def backpropagate(self, node: Any, won: Any) -> None:
            while node:
                node.visits += 1
                node.rewards[won] += 1
                node = node.parent

    for given in {}, {"wins": "rewards"}:
        program = Table(1)
        program.given = given
        [note] = [one for one in filmed(program).notes if one.name == "wins-unread"]
        assert (
            "wins=lambda node: node.rewards[node.parent.player] if node.parent else 0" in note.text
        )
    program = Table(1)
    program.given = {"wins": lambda n: n.rewards[n.parent.player] if n.parent else 0}
    watch = filmed(program)
    assert watch.rule.name == "UCB1"
    assert said(watch)["rewards"].startswith("nodes of one of 3 players gain the same")
    assert not any(" two " in f"{one.text} " or "both" in one.text for one in watch.notes)


def test_nothing_seen_is_not_said_to_add_up() -> None:
    program = Student(1)
    program.root.children = [program.new("X" + "." * 8, program.root, 0)]
    program.select = lambda node: node  # type: ignore[method-assign]
    program.expand = lambda node: node  # type: ignore[method-assign]
    watch = filmed(program, 30)
    assert said(watch)["visits"] == "**no path** below the root was seen"
    assert "no-choices" in [one.name for one in watch.notes]


class OnWayOut(Student):
    """It plays a move by the numbers of the root's children."""

    c = 2.0

    def numbers(self) -> dict[int, dict[str, float]]:
        return {
            kid.move: {
                "visits": kid.visits,
                "mean": kid.wins / kid.visits,
                "score": self.score(kid, self.root),
            }
            for kid in self.root.children
        }


PLAYED: dict[str, tuple[Any, str]] = {
    "most visits": (lambda n: max(n, key=lambda move: n[move]["visits"]), ""),
    "the highest mean": (lambda n: max(n, key=lambda move: n[move]["mean"]), ""),
    "the lowest mean": (lambda n: min(n, key=lambda move: n[move]["mean"]), "played-worst"),
    "the second in visits": (
        lambda n: sorted(n, key=lambda move: n[move]["visits"])[-2],
        "played-otherwise",
    ),
}


@pytest.mark.parametrize("name", PLAYED)
def test_the_move_played_is_held_against_the_numbers(name: str) -> None:
    pick, slug = PLAYED[name]
    program = with_parts(OnWayOut, c=0.5)(1, LATE)
    watch = filmed(program)
    assert said(watch)["move played"].startswith("**not looked at**: give played=")
    move = pick(program.numbers())
    node = next(kid for kid in program.root.children if kid.move == move)
    for given in node, move, lambda: move:
        watch.played = given
        watch.look()
        assert said(watch)["move played"].startswith(f"{move} has ")
        names = [one.name for one in watch.findings + watch.notes]
        assert [one for one in names if one.startswith("played-")] == [slug] * bool(slug)
        assert bool(watch.findings) == (slug == "played-worst")
    watch.played = 77
    watch.look()
    assert "77 is the move of no child" in said(watch)["move played"]


def test_a_move_played_by_its_bonus_is_found() -> None:
    """If c is large, the best score of the last moment is often that of a child with few visits."""
    times = 0
    for seed in range(12):
        program = with_parts(OnWayOut, c=6.0)(seed)
        watch = filmed(program, 200 + seed)
        numbers = program.numbers()
        best = {name: max(numbers, key=lambda m: numbers[m][name]) for name in numbers[0]}
        watch.played = best["score"]
        watch.look()
        is_alone = best["score"] not in (best["visits"], best["mean"])
        found = [one.name for one in watch.findings if one.name.startswith("played-")]
        assert found in ([], ["played-by-score"])
        assert is_alone or not found
        times += bool(found)
    assert times > 2


class Bot:
    """A search in one call, whose one method is handed the leaf."""

    def back_up(self, leaf: Any, won: Any) -> None:
        self.program.backpropagate(leaf, won)

    def search(self, iterations: int) -> None:
        self.program = Student(1)
        for _ in range(iterations):
            leaf = self.program.expand(self.program.select(self.program.root))
            self.back_up(leaf, self.program.simulate(leaf))


def test_a_method_that_is_handed_a_leaf_is_filmed_at_every_call() -> None:
    bot = Bot()
    with Watch.each(bot, "back_up") as watch:
        bot.search(300)
    assert watch.nodes[0] is bot.program.root
    assert watch.rule.name == "UCB1"
    assert said(watch)["visits"] == "300 of 300 paths add up"
