"""The board to play on, without a browser: its rules, replies and positions, and what it sends."""

import asyncio
import random
import re
import time
from functools import reduce
from itertools import accumulate, pairwise, product

import pytest
from films import PENCIL, in_a_cell, picture_in, shown
from invariants import Steps, altered
from refusals import refused

from mcts_course import Play
from mcts_course.play import opponent
from mcts_course.play import play as play_module
from mcts_viz import (
    MCTS,
    ConnectFour,
    ExactAgent,
    Film,
    GameError,
    MCTSAgent,
    MCTSSolver,
    Nim,
    RandomAgent,
    TicTacToe,
)
from mcts_viz.film import CROSS, RING, Board, board_of, set_board
from mcts_viz.film.pictures import THEMES
from mcts_viz.film.words import fixed
from mcts_viz.games import Pig
from mcts_viz.player import worker

GAME = TicTacToe()
LONG = 10**9  # iterations that no test waits for


def replies(*actions):
    """An agent who plays these, one after the other."""
    waiting = list(actions)
    return lambda state: waiting.pop(0)


def against_search(seed=1, iterations=200):
    return Play(GAME, MCTS(GAME, seed=seed), iterations=iterations)


def send(play, act, **more):
    """Send a message of the page, by the way that ipywidgets takes."""
    play._handle_custom_msg({"act": act, "version": play.position["version"], **more}, [])


def best_of(search):
    """The most visited move."""
    return max(search.root.children, key=lambda child: child.visits)


def click(play, cell):
    choice = play.position["means"][cell]
    assert choice is not None, play.position["why"][cell]
    send(play, "play", choice=choice)


# A game -------------------------------------------------------------------------------------


def test_the_reply_and_its_film_are_those_of_the_same_search_in_one_go():
    play = against_search(seed=5, iterations=3000)
    send(play, "look_inside")
    assert play.said == "There is no film yet: it comes with a move that a search chooses."
    play.play(0)
    search = MCTS(GAME, seed=5)
    whole = search.record(GAME.play((0, 0), 0), iterations=3000)
    best = best_of(search)
    assert play.history == (0, best.action)
    assert f"{best.visits:,} of 3,000 visits" in play.said
    send(play, "look_inside")
    assert play.film.pop("title").startswith(f"The search that chose move {best.action} (row ")
    assert play.film == Film(whole).payload()
    send(play, "close_film")
    assert play.film == {}


def test_the_agent_may_begin_and_a_game_may_start_anywhere():
    play = Play(GAME, replies(8, 6, 3), first="agent", state=GAME.parse("X.. .O. ..."))
    assert (play.side, play.history) == (1, (8,))
    play.play(2)
    assert play.history == (8, 2, 6)
    play.new_game()
    assert (play.side, play.history) == (1, (3,))
    assert GAME.text(play.state) == "X..\nXO.\n..."


def turns(game, state, action):
    """A player may move twice in a row."""
    return (state[0] + action, int((state[0] + action) % 3 != 0))


PLAYED = re.compile(
    r"(?P<who>You|The search) played (?P<move>.+?)(?:: (?P<best>\d+) of (?P<all>\d+) visits)?\."
    r"(?: (?P<end>.+)\.)?"
)


def turns_of(play):
    """The turns of a game: the position before, who moved, and the move, by the rules alone."""
    state, found = play.game.initial_state(), []
    for action in play.history:
        found.append((state, play.game.to_move(state), action))
        state = play.game.play(state, action)
    return found


def move_said(play, before, action):
    """A move in words: its name, and its place where it changes a single cell of the board."""
    label, after = play.game.action_label(before, action), play.game.play(before, action)
    cells = [play._board.cells(state) for state in (before, after)]
    changed = [place for place, pair in enumerate(zip(*cells, strict=True)) if len({*pair}) == 2]
    where = [divmod(place, play._board.columns) for place in changed]
    told = f" (row {where[0][0] + 1}, column {where[0][1] + 1})" if len(where) == 1 else ""
    return ("move " if label.isdigit() else "") + label + told


def check_said(play):
    """Read the last sentence back: who played what, by how many visits, and how it ended."""
    if not play.history:
        return
    said = PLAYED.fullmatch(play.said)
    assert said, play.said
    before, mover, action = turns_of(play)[-1]
    assert (said["who"] == "You") == (mover == play.side)
    assert said["move"] == move_said(play, before, action)
    if mover != play.side:
        visits = play.trace.at(len(play.trace)).visits
        most = max(visits[child] for child in play.trace.children[0])
        assert (int(said["best"]), int(said["all"])) == (most, visits[0])
    assert (said["end"] is None) == (play.result is None)
    if play.result:
        returns, players = play.result, play.game.players
        pairs = zip(players, returns, strict=True)
        told = ", ".join(f"{value:g} for {who}" for who, value in pairs)
        if {*returns} == {1, -1}:
            told = f"{players[returns.index(1)]} wins"
        mine = returns[play.side]
        ends = {True: f"{told}, you win", False: f"{told}, you lose"}
        assert said["end"] == (ends[mine > 0] if mine else "A draw")


@pytest.mark.parametrize("first", ["you", "agent"])
@pytest.mark.parametrize(
    "game",
    [TicTacToe(), ConnectFour(4, 4), Nim(), PENCIL, altered(Steps, play=turns)],
    ids=lambda game: game.name,
)
def test_any_game_is_played_to_its_end(game, first):
    draw = random.Random(7)
    play = Play(game, MCTS(game, seed=1), iterations=20, first=first)
    you = game.players[play.side]
    assert first == "agent" or play.said == f"A new game. You are {you}; you begin."
    while play.result is None:
        check_said(play)
        position, state = play.position, play.state
        actions = list(game.legal_actions(state))
        labels = [game.action_label(state, action) for action in actions]
        assert [choice["label"] for choice in position["choices"]] == labels
        assert [means is None for means in position["means"]] == [*map(bool, position["why"])]
        clickable = [cell for cell, means in enumerate(position["means"]) if means is not None]
        choice = draw.randrange(len(actions))
        if clickable:
            choice = position["means"][draw.choice(clickable)]
        made = len(play.history)
        send(play, "play", choice=choice)
        assert play.history[made] == actions[choice]
        if position["cells"]:
            after = play._board.cells(game.play(state, actions[choice]))
            changed = [i for i, cell in enumerate(after) if cell != position["cells"][i]]
            assert list(position["choices"][choice]["changes"]) == changed
        assert play.error == ""
    assert reduce(game.play, play.history, game.initial_state()) == play.state
    check_said(play)
    assert play.said.endswith(play.position["status"].removeprefix("Game over: "))
    assert {*play.position["means"]} <= {None}
    assert "cannot be played. The game is over" in refused(play.play, play.history[0])
    while play.position["can_take_back"]:
        *_, (before, _, action) = (turn for turn in turns_of(play) if turn[1] == play.side)
        play.take_back()
        assert play.said == f"Taken back: {move_said(play, before, action)}."
        assert play.position["status"] == f"Your turn: you are {you}."
    assert play.side not in {mover for _, mover, _ in turns_of(play)}
    play.take_back()
    assert play.said == "There is no move of yours to take back."


def test_what_falls_is_said_by_its_own_name(monkeypatch):
    monkeypatch.setattr(play_module, "ROLL", 0)
    game, fell = Pig(12), {}
    play = Play(game, RandomAgent(game, seed=3))
    play._luck.seed(3)  # enough different faces, each time

    def hear(change):
        if told := re.search(r"Chance decides: ([^.]+)\.$", change.new["said"]):
            fell[len(play.history) - 1] = told[1]

    play.observe(hear, "position")
    while play.result is None and len(play.history) < 40:
        send(play, "play", choice=0)
    states = accumulate(play.history, game.play, initial=game.initial_state())
    turns = enumerate(zip(states, play.history, strict=False))
    rolled = {place: turn for place, turn in turns if game.chances(turn[0])}
    assert fell == {place: game.action_label(*turn) for place, turn in rolled.items()}
    assert len({*fell.values()}) > 2


# In slices, in an event loop --------------------------------------------------------------------


def test_a_budget_of_seconds_is_used_up():
    play, begun = Play(GAME, MCTS(GAME, seed=1), seconds=0.2), time.perf_counter()
    play.play(4)
    assert time.perf_counter() - begun >= 0.2
    assert "stopped" not in play.said


def test_a_search_that_ends_by_itself_is_not_run_for_ever():
    state = GAME.parse("XO. .X. ..O")
    play = Play(GAME, MCTSSolver(GAME, seed=1), iterations=LONG, state=state)
    play.play(3)
    assert len(play.history) == 2
    assert play.trace.iterations < 100


def visits_of(row):
    return int(row["share"].replace(",", ""))


@in_a_cell
async def test_in_a_notebook_what_it_thinks_is_shown_till_stop_plays_the_best_so_far(monkeypatch):
    """Five times a second, while nothing can be played; and the tree is whole."""
    now = [0.0]  # by a clock of its own, for a busy machine would be late by this or that
    monkeypatch.setattr(worker, "perf_counter", lambda: now.append(now[-1] + 0.03) or now[-1])
    monkeypatch.setattr(opponent, "SLICE", 0.01)
    play, thoughts = against_search(iterations=LONG), []
    play.observe(lambda change: thoughts.append((now[-1], change.new)), "thought")
    play.play(4)
    assert play.thinking
    assert play.history == (4,)
    assert {*play.position["means"]} == {None}
    assert "It is not your turn, the search is thinking" in play.position["why"][0]
    assert "0 cannot be played. It is not your turn" in refused(play.play, 0)
    while len(thoughts) < 3:
        await asyncio.sleep(0.01)
    play.stop()
    await play.wait()
    assert all(0.2 <= later - earlier < 0.3 for (earlier, _), (later, _) in pairwise(thoughts[:3]))
    growing = [new for _, new in thoughts[:3]]
    visits = [sum(map(visits_of, new["rows"])) for new in growing]
    assert visits == sorted(set(visits))
    assert all(0 < new["share"] < 1 for new in growing)
    assert [row["label"] for row in growing[0]["rows"]] == list("01235678")
    assert not any(row["chosen"] for row in growing[0]["rows"])
    search, trace = play._opponent.chooser, play.trace
    assert play.history == (4, best_of(search).action)
    assert f"stopped after {search.iterations:,} iterations" in play.said
    assert search.root.visits == search.iterations == trace.iterations > 0
    assert (trace.at(trace.iterations).visits == [node.visits for node in search.nodes]).all()


def test_afterwards_the_thought_is_that_of_the_reply():
    """Of many moves the most visited are shown."""
    play = Play(Nim(), MCTS(Nim(), seed=1), iterations=300)
    play.play((0, 1))
    moment, reply, rows = play.trace.at(300), play.history[1], play.thought["rows"]
    by_label = {play.trace.label(node): node for node in play.trace.children[0]}
    most = sorted((int(moment.visits[node]) for node in by_label.values()), reverse=True)
    assert len(most) > 9
    assert sorted(map(visits_of, rows), reverse=True) == most[:9]
    for row in rows:
        node = by_label[row["label"]]
        assert visits_of(row) == moment.visits[node]
        assert row["said"] == fixed(moment.wins[node] / moment.visits[node])
        assert row["chosen"] == (play.trace.action_of(node) == reply)
    assert max(row["terms"][0] for row in rows) == 1
    assert play.thought["title"] == "What the search thought"
    play.take_back()
    assert play.thought == {}


def test_an_agent_brings_its_budget_and_a_new_game_begins_without_film_and_thought():
    play = Play(GAME, MCTSAgent(GAME, 60, seed=1))
    assert play.facts["subtitle"] == "60 iterations a move"
    brief = Play(GAME, MCTSAgent(GAME, 60, seed=1), iterations=33)
    brief.play(4)
    assert brief.trace.iterations == 33
    play.play(4)
    assert play.trace.iterations == 60
    assert not play.position["stoppable"]
    play.look_inside()
    assert play.film
    assert play.thought
    play.new_game()
    assert (play.film, play.thought) == ({}, {})


@in_a_cell
async def test_what_is_no_longer_wanted_is_not_played():
    for act in ("take_back", "new_game"):
        play = against_search(iterations=LONG)
        play.play(4)
        send(play, act)
        assert not play.thinking
        play.stop()
        await asyncio.sleep(0.1)
        assert play.history == ()


# A position that is set up -----------------------------------------------------------------------


def put(play, board):
    """Set up a board by clicks, from what is on it."""
    send(play, "set_up")
    for cell, letter in enumerate(board.replace(" ", "")):
        for _ in range((".XO".index(letter) - play.position["cells"][cell]) % 3):
            send(play, "place", cell=cell)
    assert play.position["text"].replace(" ", "") == board.replace(" ", "")


@pytest.mark.parametrize("board", ["XX. OO. ...", "XX. .O. ...", "X.. ... ..."])
def test_a_search_from_a_position_that_was_set_up(board):
    state = GAME.parse(board)
    play = against_search(seed=2)
    put(play, board)
    mover = "XO"[GAME.to_move(state)]
    assert play.said.endswith(f"{mover} moves in this position.")
    send(play, "search_here")
    search = MCTS(GAME, seed=2)
    best = search.search(state, iterations=200).best_action
    assert play.film["title"] == f"The search that chose {play._board.move(state, best)}"
    assert (play.state, play.history, play.side) == (state, (), GAME.to_move(state))
    send(play, "close_film")
    assert not play.position["setting"]
    assert play.position["status"] == f"Your turn: you are {mover}."
    put(play, board)
    send(play, "play_here")
    click(play, 8)
    assert play.history[0] == 8
    send(play, "take_back")
    assert play.state == state
    send(play, "new_game")
    assert (play.state, play.side) == (GAME.initial_state(), 0)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("XX. ... ...", "No game leads to the board 'XX. ... ...'"),
        ("XXX OO. ...", "The game is over in this position."),
    ],
)
@pytest.mark.parametrize("act", ["play_here", "search_here"])
def test_what_cannot_be_searched_is_said_and_the_cells_stay(board, why, act):
    play = against_search()
    put(play, board)
    assert play.said.startswith(why)
    send(play, act)
    assert play.error
    assert play.position["text"] == board
    assert not play.film
    send(play, "leave_set_up")
    assert play.state == GAME.initial_state()


class Strict(TicTacToe):
    """Reads no board with X in the first two cells."""

    def parse(self, text):
        if text.startswith("XX"):
            raise ValueError("two crosses never touch")
        return super().parse(text)


def test_the_sentence_of_ones_own_parse_is_shown():
    play = Play(Strict(), RandomAgent(Strict(), seed=1))
    send(play, "set_up")
    send(play, "place", cell=0)
    for act in ("place", "search_here"):
        send(play, act, cell=1)
        assert "two crosses never touch" in play.error
    assert not play.film


def test_all_boards_of_three_moves_are_set_up_as_the_rules_say():
    """Each that a game leads to is taken, each other refused, by what the rules read."""
    play = against_search()
    send(play, "set_up")
    taken = 0
    for cells in product(range(3), repeat=9):
        if sum(map(bool, cells)) > 3:
            continue
        play._cells = cells
        text = play._board.written(cells)
        try:
            mover = "XO"[GAME.to_move(GAME.parse(text))]
            taken += 1
            assert play._verdict() == f"{mover} moves in this position."
        except GameError:
            assert play._verdict().startswith("No game leads to the board")
    assert taken == 1 + 9 + 72 + 252


@in_a_cell
async def test_a_column_is_filled_from_below_and_a_search_from_there_can_be_stopped():
    play = Play(ConnectFour(), RandomAgent(ConnectFour(), seed=1), iterations=LONG)
    send(play, "set_up")
    send(play, "place", cell=0)
    assert "no piece floats" in play.said
    for cell in (0, 0, 35):
        send(play, "place", cell=cell)
    assert play.said == "O moves in this position."
    send(play, "search_here")
    await asyncio.sleep(0.01)
    assert play.position["status"] == "The search is running."
    assert play.position["stoppable"]
    play.stop()
    await play.wait()
    assert play.film
    assert play.history == ()


@pytest.mark.parametrize("game", [Nim((1, 2)), Pig(9)], ids=["nim", "pig"])
def test_a_game_that_reads_no_letters_is_not_set_up(game):
    play = Play(game, RandomAgent(game, seed=1))
    assert not play.facts["can_be_set"]
    send(play, "set_up")
    assert not play.position["setting"]
    assert play.said == "This game does not read a position from its cells."


# Errors ---------------------------------------------------------------------------------------


def test_an_error_of_the_agent_is_shown_and_nothing_is_lost():
    answers = [KeyError("oops"), 4, 3]

    def moody(state):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    play = Play(GAME, moody)
    play.play(4)
    assert play.error == "KeyError: 'oops'"
    assert play.history == (4,)
    assert play.position["status"] == "Moody has not moved."
    assert "moody has failed: take back your move" in play.position["why"][0]
    send(play, "take_back")
    play.play(4)
    assert play.error == ("the move of moody must be one of [0, 1, 2, 3, 5, 6, 7, 8]; you gave 4.")
    send(play, "take_back")
    play.play(4)
    assert (play.error, play.history) == ("", (4, 3))


def test_an_error_of_a_message_is_shown():
    play = against_search()
    send(play, "play", choice=77)
    assert play.error == "IndexError: list index out of range"
    send(play, "new_game")
    assert play.error == ""
    assert play.heard == 2


def test_a_click_meant_for_another_position_is_not_played():
    play = Play(GAME, replies(0, 1))
    old = play.position["version"]
    for _ in range(2):
        send(play, "play", choice=4, version=old)
    assert play.history == (4, 0)


# What a click means ------------------------------------------------------------------------------


def test_in_tic_tac_toe_an_empty_cell_means_itself():
    play = Play(GAME, replies(0))
    assert play.position["means"] == list(range(9))
    click(play, 4)
    assert [i for i, means in enumerate(play.position["means"]) if means is None] == [0, 4]
    assert play.position["why"][4] == "Row 2, column 2 is taken by X: choose another cell."
    assert play.position["names"][0] == "row 1, column 1: O, changed by the last move"
    assert play.position["names"][4] == "row 2, column 2: X"
    assert play.position["names"][8] == "row 3, column 3: empty"


def test_in_connect_four_every_cell_of_a_column_means_it():
    game = ConnectFour(4, 5)
    play = Play(game, replies(2, 2))
    assert play.position["means"] == list(range(5)) * 4
    click(play, 2)
    click(play, 12)
    assert play.history == (2, 2, 2, 2)
    assert [play.position["means"][cell] for cell in (2, 7, 12, 17)] == [None] * 4
    assert play.position["why"][7] == "Column 3 is full: choose another column."
    choice = play.position["choices"][play.position["means"][3]]
    assert choice == {"label": "3", "changes": (18,)}


def test_in_nim_an_object_means_itself_and_those_after_it():
    game = Nim((3, 5))
    play = Play(game, replies((0, 1)))
    labels = [choice["label"] for choice in play.position["choices"]]
    meant = [None if i is None else labels[i] for i in play.position["means"]]
    assert meant[:5] == ["3 from heap 1", "2 from heap 1", "1 from heap 1", None, None]
    assert meant[5:] == [f"{n} from heap 2" for n in (5, 4, 3, 2, 1)]
    assert play.position["why"][4] == "No move changes row 1, column 5: choose another cell."
    click(play, 8)
    assert play.history == ((1, 2), (0, 1))
    assert play.said == "The agent played 1 from heap 1 (row 1, column 3)."


def test_a_cell_of_several_moves_asks_for_the_list():
    game, board = altered(Steps), Board(1, 2, (CROSS, RING), lambda s: [0, min(2, s[0])])
    set_board(type(game), lambda game: board)
    position = Play(game, replies()).position
    assert position["means"] == [None, None]
    assert position["why"][1] == (
        "A click on row 1, column 2 could mean 1, 2: choose one from the list of moves."
    )
    assert position["names"][1] == "row 1, column 2: empty"


def test_a_game_without_a_board_has_a_text_and_a_list():
    play = Play(Steps(), ExactAgent(Steps()))
    data = shown(play)
    assert "image/png" not in data
    assert data["text/plain"].startswith("(0, 0)\n")
    assert play.facts["board"] is None
    assert (play.position["cells"], play.position["means"]) == ([], [])
    assert [choice["label"] for choice in play.position["choices"]] == ["1", "2"]
    assert play.position["text"] == "(0, 0)"
    send(play, "play", choice=1)
    assert play.history[0] == 2
    assert play.said.startswith("Exact play played ")


# What the page gets -----------------------------------------------------------------------------


def test_where_no_widget_lives_there_is_a_picture_and_text():
    play = Play(GAME, replies(0))
    play.play(4)
    data = shown(play)
    assert data["text/plain"].startswith("O..\n.X.\n...\n")
    assert "Your turn: you are X." in data["text/plain"]
    colours = {shade for _, shade in picture_in(data).convert("RGB").getcolors(10**6)}
    for name in ("page", "glow", "player-0", "player-1", "grid"):
        shade = THEMES["light"][name]
        assert tuple(int(shade[i : i + 2], 16) for i in (1, 3, 5)) in colours, name


def test_after_a_game_all_replies_stand_side_by_side():
    """In order, each with its position, visits and mean; first comes the one that changed most."""
    play = against_search(seed=4)
    assert play.replies == []
    lot = random.Random(3)
    while play.result is None:
        assert play.decided == {}
        play.play(lot.choice(list(GAME.legal_actions(play.state))))
    replies, shown = play.replies, play.decided["replies"]
    assert [reply.turn.side for reply in replies] == [1 - play.side] * len(replies)
    assert len(shown) == len(replies) > 2
    for reply, one in zip(replies, shown, strict=True):
        trace, chosen = reply.trace, reply.turn.chosen.action
        end = trace.at(trace.iterations)
        own = {trace.action_of(node): node for node in trace.children[0]}
        assert reply.visits == {action: end.visits[node] for action, node in own.items()}
        assert reply.mean == end.wins[own[chosen]] / end.visits[own[chosen]]
        assert one["mean"] == fixed(reply.mean)
        assert one["cells"] == [*board_of(GAME).cells(reply.turn.after)]
        assert [bar["chosen"] for bar in one["bars"]].count(True) == 1
        assert max(bar["share"] for bar in one["bars"]) == 1
        assert one["said"] in play._still_forms()["text/plain"]
    means = [reply.mean for reply in replies]
    assert [reply.change for reply in replies][1:] == [b - a for a, b in pairwise(means)]
    at = play.decided["at"]
    assert abs(replies[at].change) == max(abs(reply.change) for reply in replies)
    play.look_inside()
    assert f"reply {at + 1}," in play.decided["said"]
    first = play.film["title"]
    play.look_inside(at)
    assert play.film["title"] == first
    play.look_inside(0)
    assert play.film["title"] != first or at == 0
    with pytest.raises(GameError, match="reply must be 0 to"):
        play.look_inside(len(replies))
    play.take_back()
    assert play.decided == {}


def test_where_no_search_has_moved_no_replies_are_shown():
    game = Nim((1, 1))
    play = Play(game, ExactAgent(game))
    play.play((0, 1))
    assert play.result is not None
    assert play.decided == {}
