"""Planted faults are found by their names, and a sound search gives no finding."""

import math
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from strangers import AS_NOTES, ExpandAll, Student, moves, play, turn, watched, winner, with_parts

from mcts_viz import ConnectFour, Film, Game, TicTacToe

pytestmark = pytest.mark.many

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 11))]


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
