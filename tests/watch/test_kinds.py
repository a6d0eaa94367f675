"""What is read of a program: its numbers, its formula, how its tree is held, and what it plays."""

import re

import pytest
from kinds import FORMULAS, HELD, KINDS, SOON, SOUND, Counters, MadeAgain, with_noise
from strangers import Student, watched, with_parts

from mcts_viz import Film, TicTacToe
from mcts_viz.errors import TraceError
from mcts_watch import Watch


def said(watch):
    return {line.family: line.text for line in watch.checked}


@pytest.mark.parametrize("name", KINDS)
def test_it_says_what_a_nodes_number_is(name):
    watch = watched(SOUND[name](1))
    assert said(watch)["numbers"].startswith(f"a node's number is {KINDS[name]}")
    assert watch.rule.name == "UCB1"
    assert watch.rule.c is not None
    assert watch.rule.c[0] <= 1.4 <= watch.rule.c[1]


def test_what_a_visit_was_paid_is_not_asked_of_a_maximum():
    lines = said(watched(SOUND["the largest reward"](1, SOON), game=TicTacToe()))
    for family in "rewards", "ends of games", "draws", "playouts":
        assert lines[family].startswith("**not checked**: a node's number is the largest reward")


@pytest.mark.parametrize("name", FORMULAS)
def test_common_formulas_are_read(name):
    program, rule = FORMULAS[name]
    reading = watched(program(1, SOON), game=TicTacToe()).rule
    assert reading.name is not None
    assert reading.name.startswith(rule)


def test_noise_at_the_root_is_said():
    text = str(watched(FORMULAS["PUCT with noise at the root"][0](1)).rule)
    assert "misfits are at the root" in text
    assert "PUCT with c = 1.50" in text


def test_noise_in_every_node_is_said():
    said = {share: watched(with_noise(share)(1)).rule for share in (0.0, 0.25)}
    assert said[0.0].name == "PUCT"
    assert said[0.25].name is None
    assert re.search(r"PUCT.* is nearest, .*; noise on the priors in every node", str(said[0.25]))
    for other in (SOUND["softmax"], SOUND["rewards on the way, of two"], with_noise(0.0)):
        assert "noise" not in str(watched(other(1)).rule)


@pytest.mark.parametrize(
    ("name", "said"),
    [("c inside the root", "(3 inside the root)"), ("log2", "(1.40 if the log")],
)
def test_a_constant_is_said_as_it_may_be_written(name, said):
    assert said in str(watched(SOUND[name](1)).rule)


def test_a_film_of_several_players_has_each_of_them():
    watch = watched(Counters(1), 200)
    assert len(watch.trace.game.players) == 3
    assert "<html" in Film(watch).to_html()


@pytest.mark.parametrize("name", HELD)
def test_trees_held_otherwise_are_read_without_help(name):
    watch = watched(HELD[name](1), game=TicTacToe())
    assert watch.rule.name == "UCB1"
    assert watch.rule.explained == watch.rule.of
    assert said(watch)["visits"] == "300 of 300 paths add up"
    assert len(watch.nodes) == 301


def test_a_root_that_stays_as_it_was_is_told_how_to_be_given():
    program = MadeAgain(1)
    watch = Watch(program.root)
    watch.look()
    watch.look()
    with pytest.raises(TraceError, match=r"Watch\(lambda: search\.root\)"):
        watch.look()


class Keys(Student):
    """Children are moves, which are looked up in a table."""

    def __init__(self, seed, state="." * 9):
        super().__init__(seed, state)
        self.table = {}

    def best(self, node):
        known = [self.table[id(node), key] for key in node.children]
        return max(known, key=lambda child: self.score(child, node))

    def expand(self, node):
        if not node.untried:
            return node
        move = node.untried.pop()
        child = self.new(self.play(node.state, move), node, move)
        self.table[id(node), move] = child
        node.children.append(move)
        return child


def test_keys_for_children_are_answered_by_what_to_give():
    program = Keys(1)
    with pytest.raises(TraceError, match=r"children=lambda node: \[table\[key\]"):
        watched(program)
    program = Keys(1)
    program.given["children"] = lambda node: [program.table[id(node), key] for key in node.children]
    assert watched(program).rule.name == "UCB1"


def test_a_table_by_player_is_answered_by_a_function():
    class Table(Counters):
        def new(self, *given):
            node = super().new(*given)
            node.rewards = [0.0] * 3
            del node.wins
            return node

        def mean(self, child, parent):
            return child.rewards[parent.player] / child.visits

        def backpropagate(self, node, won):
            while node:
                node.visits += 1
                node.rewards[won] += 1
                node = node.parent

    for given in {}, {"wins": "rewards"}:
        program = Table(1)
        program.given = given
        [note] = [one for one in watched(program).notes if one.name == "wins-unread"]
        assert (
            "wins=lambda node: node.rewards[node.parent.player] if node.parent else 0" in note.text
        )
    program = Table(1)
    program.given = {"wins": lambda n: n.rewards[n.parent.player] if n.parent else 0}
    watch = watched(program)
    assert watch.rule.name == "UCB1"
    assert said(watch)["rewards"].startswith("nodes of one of 3 players gain the same")
    assert not any(" two " in f"{one.text} " or "both" in one.text for one in watch.notes)


def test_nothing_seen_is_not_said_to_add_up():
    program = Student(1)
    program.root.children = [program.new("X" + "." * 8, program.root, 0)]
    program.select = lambda node: node
    program.expand = lambda node: node
    watch = watched(program, 30)
    assert said(watch)["visits"] == "**no path** below the root was seen"
    assert "no-choices" in [one.name for one in watch.notes]


class OnWayOut(Student):
    """It plays a move by the numbers of the root's children."""

    c = 2.0

    def numbers(self):
        return {
            kid.move: {
                "visits": kid.visits,
                "mean": kid.wins / kid.visits,
                "score": self.score(kid, self.root),
            }
            for kid in self.root.children
        }


PLAYED = {
    "most visits": (lambda n: max(n, key=lambda move: n[move]["visits"]), ""),
    "the highest mean": (lambda n: max(n, key=lambda move: n[move]["mean"]), ""),
    "the lowest mean": (lambda n: min(n, key=lambda move: n[move]["mean"]), "played-worst"),
    "the second in visits": (
        lambda n: sorted(n, key=lambda move: n[move]["visits"])[-2],
        "played-otherwise",
    ),
}


@pytest.mark.parametrize("name", PLAYED)
def test_the_move_played_is_held_against_the_numbers(name):
    pick, slug = PLAYED[name]
    program = with_parts(OnWayOut, c=0.5)(1, SOON)
    watch = watched(program)
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


def test_a_move_played_by_its_bonus_is_found():
    """If c is large, the best score of the last moment is often that of a child with few visits."""
    times = 0
    for seed in range(12):
        program = with_parts(OnWayOut, c=6.0)(seed)
        watch = watched(program, 200 + seed)
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
