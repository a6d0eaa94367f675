"""Planted faults are found by their names, and a sound search gives no finding."""

import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from strangers import (
    AS_NOTES,
    AT_THE_END,
    FAULTS,
    WITH_GAME,
    ExpandAll,
    Student,
    moves,
    play,
    turn,
    watched,
    winner,
    with_parts,
)

from mcts_viz import ConnectFour, Film, Game, TicTacToe

pytestmark = pytest.mark.many

SLUGS = (Path(__file__).parents[2] / "docs" / "WATCH.md").read_text("utf-8")
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 11))]


def check_pointer(watch: Any) -> None:
    """Each finding leads to an iteration and a node in which what it says can be looked at.

    The node is added or counted there, or, if its sentence says that it gets nothing, a child of
    it is. An iteration or a node in the sentence is that one, or the node above it, or
    the child that is passed over.
    """
    trace = watch.trace
    for found in watch.findings:
        time, node = found.iteration, found.node
        now = trace.at(time)
        rows = {n for n in range(now.nodes) if trace.created_at[n] == time}
        if time > 1:
            before = trace.at(time - 1)
            old = np.arange(before.nodes)
            changed = (now.visits[old] != before.visits) | (now.wins[old] != before.wins)
            rows |= {*np.flatnonzero(changed).tolist()}
        below = {*trace.children[node]} if "gets no visit" in found.text else {node}
        assert rows & below, found
        named = [int(number) for number in re.findall(r"\bnode (\d+)", found.text, re.I)]
        passed = trace.children[node] if found.name == "finished-skipped" else ()
        assert not named or {*named} & {node, int(trace.parent[node]), *passed}, found
        times = [int(number) for number in re.findall(r"\biteration (\d+)", found.text)]
        assert not times or time in times, found
        check_counts(watch, found)


def check_counts(watch: Any, found: Any) -> None:
    """A sentence about a node's visits and its children's says what the film counted there."""
    said = re.search(r"children of node (\d+) get (\d+) visits, .* itself (\d+)", found.text)
    if not said:
        return
    node, of_children, own = map(int, said.groups())
    now, before = (watch.trace.at(time) for time in (found.iteration, found.iteration - 1))
    more = now.visits.copy()
    more[: before.nodes] -= before.visits
    children = [child for child in watch.trace.children[node] if child < now.nodes]
    assert (more[children].sum(), more[node]) == (of_children, own), found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_name(name: str, seed: int) -> None:
    watch = watched(FAULTS[name](seed))
    found = watch.findings
    check_pointer(watch)
    assert [finding.name for finding in found] == [name.split()[0]]
    assert f"`{found[0].name}`" in SLUGS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WITH_GAME)
def test_the_rules_of_the_game_find_more(name: str, seed: int) -> None:
    watch = watched(WITH_GAME[name](seed), 400, game=TicTacToe())
    check_pointer(watch)
    assert [finding.name for finding in watch.findings] == [name.split()[0]]
    assert f"`{name.split()[0]}`" in SLUGS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", AT_THE_END)
def test_the_rules_of_the_game_find_more_where_games_end(name: str, seed: int) -> None:
    watch = watched(AT_THE_END[name](seed, "XO..X...."), 600, game=TicTacToe())
    check_pointer(watch)
    assert [finding.name for finding in watch.findings] == [name.split()[0]]
    assert f"`{name.split()[0]}`" in SLUGS


@pytest.mark.parametrize("name", AS_NOTES)
def test_what_is_no_fault_or_only_suspected_is_a_note(name: str) -> None:
    watch = watched(AS_NOTES[name](1))
    assert watch.findings == []
    assert name in [note.name for note in watch.notes]
    assert all(f"`{note.name}`" in SLUGS for note in watch.notes)


def one_level(student: Student, node: Any) -> Any:
    """Selection with ``if`` in the place of ``while``: it goes down once."""
    return student.best(node) if not node.untried and node.children else node


def test_a_search_that_does_not_go_down_is_unusual() -> None:
    watch = watched(with_parts(select=one_level)(1), game=TicTacToe())
    [note] = [note for note in watch.notes if note.name == "stops-early"]
    assert not watch.findings
    count, of, time, node = map(int, re.findall(r"\d+", note.text))
    assert (note.iteration, note.node) == (time, node)
    replay = watch._result.replay
    again = [replay.looker.created_at[step.end] < step.time for step in replay.paid_steps]
    assert of == len(again)
    assert count == sum(again) > of / 2  # all games go on, and each node has its eight children


def test_rewards_that_never_repeat_themselves_are_compared_too() -> None:
    def value(student: Student, node: Any) -> Any:
        return student.random.random()

    def own(student: Student, node: Any, won: Any) -> float:
        return float(won if student.player(node) == "X" else 1 - won)

    sound = watched(with_parts(simulate=value, reward=own)(1), game=TicTacToe())
    assert not sound.findings
    [line] = [line for line in sound.checked if line.family == "rewards"]
    assert line.done
    assert line.text.startswith("opponents gain the opposite")
    faulty = watched(
        with_parts(simulate=value, reward=lambda *given: given[2])(1), game=TicTacToe()
    )
    assert [finding.name for finding in faulty.findings] == ["same-reward"]


def test_random_games_say_nothing_about_how_a_playout_picks_its_moves() -> None:
    def first_moves(_: Student, node: Any) -> str | None:
        board = node.state
        while moves(board):
            board = play(board, moves(board)[0])
        return winner(board)

    watch = watched(with_parts(simulate=first_moves)(1), game=TicTacToe())
    [line] = [line for line in watch.checked if line.family == "playouts"]
    assert "**not checked**" in line.text or "do not clearly follow" in line.text


def exact_at_the_end(student: Student, child: Any, parent: Any) -> float:
    """The result where the game is over, without a bonus."""
    won = winner(child.state)
    return (
        Student.score(student, child, parent) if moves(child.state) else student.reward(child, won)
    )


@pytest.mark.parametrize("game", [None, TicTacToe()])
@pytest.mark.parametrize("program", [Student, ExpandAll, with_parts(score=exact_at_the_end, c=2.0)])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sound_search_gives_no_finding(
    program: type[Student], game: TicTacToe | None, seed: int
) -> None:
    for state in ("." * 9, "XO..X...."):
        assert watched(program(seed, state), 400, game=game).findings == []


class Columns(Student):
    """Connect Four on a board that no game reads, from a position with all columns open."""

    rules = ConnectFour()
    draw = 0.0

    def new(self, position: Any, *given: Any) -> Any:
        node = self.node(np.array([[*line] for line in self.rules.text(position).split()]), *given)
        node.position = position
        over = self.rules.is_terminal(position)
        node.untried = [] if over else [*self.rules.legal_actions(position)]
        return node

    def expand(self, node: Any) -> Any:
        if not node.untried:
            return node
        move = node.untried.pop(self.random.randrange(len(node.untried)))
        node.children.append(self.new(self.rules.play(node.position, move), node, move))
        return node.children[-1]

    def simulate(self, node: Any) -> Any:
        position = node.position
        while not self.rules.is_terminal(position):
            position = self.rules.play(
                position, self.random.choice(self.rules.legal_actions(position))
            )
        return self.rules.returns(position)

    def reward(self, node: Any, won: Any) -> float:
        return float(won[1 - self.rules.to_move(node.position)])


def test_moves_from_a_position_that_is_not_known_are_not_checked() -> None:
    position = Columns.rules.initial_state()
    for column in (3, 3, 2, 4, 2):
        position = Columns.rules.play(position, column)
    watch = watched(Columns(1, position), 400, game=Columns.rules)
    assert (watch.findings, [note.name for note in watch.notes]) == ([], ["moves-unread"])
    assert "state=" in watch.notes[0].text
    told = watched(Columns(1, position), 400, game=Columns.rules, state=lambda node: node.position)
    assert (told.findings, told.notes) == ([], [])
    assert told.trace.root_state == position
    empty = watched(Columns(1, Columns.rules.initial_state()), 400, game=Columns.rules)
    assert (empty.findings, empty.notes) == ([], [])


@pytest.mark.parametrize("signs", ["xo", "12", "OX"])
@pytest.mark.parametrize("state", ["." * 9, "XO......."])
def test_pieces_with_other_signs_are_no_fault(signs: str, state: str) -> None:
    table = str.maketrans("XO", signs)
    watch = watched(
        Student(1, state), 400, game=TicTacToe(), state=lambda node: node.state.translate(table)
    )
    assert watch.findings == []


@pytest.mark.parametrize("state", ["." * 9, "XO..X...."])
def test_moves_that_are_numbered_from_one_or_in_another_order_are_read(state: str) -> None:
    from_one = watched(Student(1, state), 400, game=TicTacToe(), move=lambda node: node.move + 1)
    assert (from_one.findings, from_one.notes) == ([], [])

    def turned(node: Any) -> int:
        return int(3 * (node.move % 3) + node.move // 3)

    watch = watched(Student(1, state), 400, game=TicTacToe(), move=turned)
    assert (watch.findings, watch.notes) == ([], [])  # its positions say which moves are meant


@pytest.mark.parametrize("name", ["current_player", "getCurrentPlayer", "to_move"])
def test_two_players_who_get_the_same_reward_are_found_by_the_names_of_their_positions(
    name: str,
) -> None:
    def state(node: Any) -> Any:
        player = turn(node.state)
        return SimpleNamespace(**{name: (lambda: player) if "C" in name else player})

    watch = watched(AS_NOTES["same-reward"](1), state=state)
    assert [finding.name for finding in watch.findings] == ["same-reward"]


def test_a_second_rule_that_explains_as_much_is_named() -> None:
    def puct(self: Student, child: Any, parent: Any) -> float:
        return self.mean(child, parent) + 0.5 * math.sqrt(parent.visits) / (1 + child.visits)

    program = with_parts(score=puct)
    watch = watched(program(1), 26)
    assert (watch.rule.name, watch.rule.c) == ("UCB1 or PUCT", None)
    assert "c =" not in f"{watch.rule} {Film(watch).data.subtitle}"
    assert watched(program(1), 300).rule.name == "PUCT"


def mover(board: str) -> str:
    """X moves once, then each player twice in a row."""
    return "XO"[(10 - board.count(".")) // 2 % 2]


class MovesTwice(Game[str, int]):
    """Three in a row, where from the second move on each player moves twice in a row."""

    name = "Moves twice"
    players = ("X", "O")

    def initial_state(self) -> str:
        return "." * 9

    def to_move(self, state: str) -> int:
        return "XO".index(mover(state))

    def legal_actions(self, state: str) -> tuple[int, ...]:
        return tuple(moves(state))

    def play(self, state: str, action: int) -> str:
        return play(state, action, mover(state))

    def is_terminal(self, state: str) -> bool:
        return not moves(state)

    def returns(self, state: str) -> tuple[float, float]:
        value = {"X": 1.0, "O": -1.0}.get(winner(state) or "", 0.0)
        return value, 0.0 - value


class TurnsAtEveryLevel(Student):
    """A search of that game whose reward changes sides at each level."""

    def play(self, board: str, move: int) -> str:
        return play(board, move, mover(board))

    def simulate(self, node: Any) -> str | None:
        board = node.state
        while options := moves(board):
            board = self.play(board, self.random.choice(options))
        return winner(board)

    def backpropagate(self, node: Any, won: str | None) -> None:
        reward = self.draw if won is None else float(won == mover(node.parent.state))
        while node:
            node.visits += 1
            node.wins += reward
            node, reward = node.parent, 1 - reward


class WantsItsOpponentsWins(Student):
    """X takes the child with the highest mean, and O the one with the lowest."""

    def mean(self, child: Any, parent: Any) -> float:
        mean = super().mean(child, parent)
        return mean if turn(parent.state) == "X" else 1 - mean


OF_VIEWPOINT = [
    ("same-reward", AS_NOTES["same-reward"], TicTacToe()),
    ("wrong-viewpoint", WantsItsOpponentsWins, None),
    ("flipped-for-one-player", TurnsAtEveryLevel, MovesTwice()),
]


@pytest.mark.parametrize("case", OF_VIEWPOINT)
def test_a_wrong_viewpoint_is_not_proven_by_a_draw(case: tuple[str, Any, Any]) -> None:
    """Of a draw both players get the same, in a sound search too."""
    name, kind, game = case
    for seed in (3, 6):
        watch = watched(kind(seed), 400, game=game)
        [found] = watch.findings
        assert found.name == name
        now, before = (watch.trace.at(time).wins for time in (found.iteration, found.iteration - 1))
        gained = now[found.node] - (before[found.node] if found.node < len(before) else 0)
        assert gained in (0, 1), found
