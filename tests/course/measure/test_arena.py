"""Games between players: colours, seeds, errors, interrupts, and how they are shown."""

import pickle
import re
import signal
from functools import partial
from itertools import accumulate, combinations

import numpy as np
import pytest
from invariants import answer
from IPython.core.formatters import DisplayFormatter

from mcts_course import QLearner, arena, plot_arena, plot_shares, wilson_interval
from mcts_course.measure.arena import Tally
from mcts_course.show.tables import Table
from mcts_viz import (
    ConnectFour,
    ExactAgent,
    GameTree,
    MCTSAgent,
    MCTSSolver,
    RandomAgent,
    TicTacToe,
)

GAME = TicTacToe()


def first_free(state):
    return GAME.legal_actions(state)[0]


def players():
    return {
        "MCTS 20": MCTSAgent(GAME, iterations=20),
        "chance": RandomAgent(GAME),
        "exact": ExactAgent(GAME),
        "learner": QLearner(GAME, seed=1).train(50),
        "first": first_free,
    }


@pytest.fixture(scope="module")
def here():
    return arena(players(), GAME, games=24, seed=3)


def of_pair(result, one, other):
    return [played for played in result.games if set(played.players) == {one, other}]


# What is played ---------------------------------------------------------------------------------


def test_every_pair_plays_every_game_by_the_rules_and_both_begin_equally_often(here):
    assert len(here.games) == 10 * 24
    for one, other in combinations(here.names, 2):
        games = of_pair(here, one, other)
        assert sorted(played.number for played in games) == list(range(24))
        assert [played.players[0] for played in games] == [one, other] * 12
        for played in games:
            *_, before, end = accumulate(played.actions, GAME.play, initial=GAME.initial_state())
            assert GAME.is_terminal(end)
            assert not GAME.is_terminal(before)
            assert played.returns == GAME.returns(end)


def test_a_pair_plays_the_same_whoever_else_is_there_and_other_games_with_another_seed(here):
    some = {name: players()[name] for name in ("MCTS 20", "chance")}
    same, other = (list(arena(some, GAME, games=24, seed=seed).games) for seed in (3, 4))
    assert same == of_pair(here, "MCTS 20", "chance") != other


def test_an_opening_is_the_same_with_the_colours_exchanged():
    both = {"one": first_free, "two": ExactAgent(GAME)}
    result = arena(both, GAME, games=20, seed=1, opening=3)
    openings = [played.actions[:3] for played in result.games]
    assert openings[::2] == openings[1::2]
    assert len(set(openings[::2])) > 5
    assert result.different > 10


def test_of_openings_those_that_end_the_game_are_drawn_again():
    tree = GameTree({"a": 1, "b": {"c": 1, "d": -1}})
    result = arena(dict.fromkeys("xy", RandomAgent(tree)), tree, games=40, opening=1, seed=1)
    assert {played.actions[0] for played in result.games} == {"b"}


def test_a_player_who_moves_twice_in_a_row_is_asked_twice_and_its_positions_are_those():
    class Twice(GameTree):
        def to_move(self, state):
            return 0 if len(state) < 2 else 1

    game = Twice({"a": {"a": {"a": 1, "b": 0.5}}})
    asked = []

    def player(name, state):
        asked.append((name, state))
        return game.legal_actions(state)[-1]

    result = arena({name: partial(player, name) for name in "pq"}, game, games=2)
    assert [name for name, _ in asked] == ["p", "p", "q", "q", "q", "p"]
    for one in "pq":
        assert [*result.positions(one)] == [state for name, state in asked if name == one]
    assert result.tally("p", moving=0) == Tally(1, 0, 0)  # more than 0 is won
    assert result.games[0].returns == (0.5, -0.5)


# Errors of players ------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [4, None, "4", [4], {}, float("nan"), np.arange(9)])
def test_an_illegal_move_loses_the_game_and_the_table_names_it(odd):
    result = arena({"odd": answer(odd), "first": first_free}, GAME, games=4)
    assert result.tally("odd") == Tally(0, 0, 4)
    assert result.games[0].fault.startswith("odd at '")
    said = " ".join(repr(result).split())
    assert f"4 of them were lost by an error, the first thus: {result.games[0].fault}" in said


def test_a_player_that_raises_loses_that_game_and_the_others_are_played():
    def moody(state):
        if sum(state).bit_count() == 3:
            raise KeyError("lost")
        return first_free(state)

    result = arena({"moody": moody, "chance": RandomAgent(GAME)}, GAME, games=20, seed=1)
    lost = [game for game in result.games if game.fault]
    assert 0 < len(lost) <= result.tally("moody").losses
    assert all(game.returns[game.players.index("moody")] == -1 for game in lost)
    assert lost[0].fault.endswith("KeyError: 'lost'")
    assert len(result.games) == 20


def test_an_error_of_the_game_is_no_loss_of_a_player():
    class Broken(TicTacToe):
        def legal_actions(self, state):
            if sum(state).bit_count() == 3:
                raise KeyError("rules")
            return super().legal_actions(state)

    with pytest.raises(KeyError, match="rules"):
        arena(dict.fromkeys(("one", "two"), first_free), Broken(), games=2)


# Interrupts -------------------------------------------------------------------------------------


def test_an_interrupt_keeps_what_has_been_played():
    asked = []

    def stopping(state):
        asked.append(state)
        if len(asked) == 20:
            signal.raise_signal(signal.SIGINT)
        return first_free(state)

    result, again = (
        arena({"stops": player, "exact": ExactAgent(GAME)}, GAME, games=10, seed=3)
        for player in (stopping, first_free)
    )
    assert result.stopped
    assert 0 < len(result.games) < 10
    assert result.games == again.games[: len(result.games)]
    assert "They were played before you stopped it." in repr(result)


def test_an_interrupt_within_a_search_ends_the_arena_and_no_move_is_made_of_it():
    def stopping(game, state, draw):
        if draw.random() < 0.001:
            signal.raise_signal(signal.SIGINT)
        return game.fast_playout(state, draw)

    game = ConnectFour(4, 4, 3)
    both = {"search": MCTSAgent(game, iterations=100, playout=stopping), "x": RandomAgent(game)}
    result = arena(both, game, games=100, seed=3)
    assert result.stopped
    assert len(result.games) < 100
    assert all(played.returns for played in result.games)


# A search as a player ---------------------------------------------------------------------------


def test_a_fresh_player_has_the_settings_and_another_seed():
    player = MCTSAgent(GAME, 70, seed=1, keep_tree=True, make=MCTSSolver, c=0.5)
    twin = player.fresh(9)
    assert (twin.search.seed, twin.search.c, twin.iterations) == (9, 0.5, 70)
    assert isinstance(twin.search, MCTSSolver)
    assert twin.keep_tree
    assert twin.search is not player.search
    copy = pickle.loads(pickle.dumps(twin))
    assert copy((0, 0)) == twin((0, 0))


def test_a_kept_tree_goes_on_from_the_moves_of_both():
    player = MCTSAgent(GAME, iterations=300, seed=1, keep_tree=True)
    state = GAME.play(GAME.initial_state(), player(GAME.initial_state()))
    state = GAME.play(state, ExactAgent(GAME)(state))
    [kept] = [node.visits for node in player.search.nodes if node.state == state]
    player(state)
    assert kept > 0
    assert player.search.root.state == state
    assert player.search.root.visits == kept + 300
    player(GAME.parse("XO. OX. ..."))  # where the tree does not reach
    assert player.search.root.visits == 300


# What is shown ----------------------------------------------------------------------------------


def test_it_shows_itself_as_html_and_as_text(here):
    data, _ = DisplayFormatter().format(here)
    assert set(data) == {"text/plain", "text/html"}
    text, page = data["text/plain"], data["text/html"]
    tables = [part for part in here.parts() if isinstance(part, Table)]
    for row in (row for table in tables for row in (table.heads, *table.rows)):
        assert any(all(cell in line for cell in row) for line in text.splitlines())
        assert any(f"<t{c}>{f'</t{c}><t{c}>'.join(row)}</t{c}>" in page for c in "hd")
    assert text.splitlines()[0].split()[:2] == ["player", "games"]
    assert "240 games of Tic-tac-toe, seed 3." in text
    assert f"Only {here.different} of these games differ from each other." in text


def counts(ends):
    """Wins, draws and losses."""
    return [sum(map(is_so, ends)) for is_so in (lambda e: e > 0, lambda e: e == 0, lambda e: e < 0)]


def points(ends):
    won, drawn, lost = counts(ends)
    return f"{(won + drawn / 2) / (won + drawn + lost):.3f}"


def test_each_number_of_its_tables_is_that_of_the_games(here):
    """Counted from the games themselves."""
    table, scores = (part for part in here.parts() if isinstance(part, Table))

    def ends(one, seat, others=here.names):
        return [
            played.returns[seat]
            for played in here.games
            if played.players[seat] == one and played.players[1 - seat] in others
        ]

    assert len(table.rows) == len(scores.rows) == len(here.names)
    assert [*scores.heads[1:]] == [row[0] for row in table.rows]
    for (name, games, told, score, span, *by_seat), line in zip(
        table.rows, scores.rows, strict=True
    ):
        of_seat = [ends(name, seat) for seat in (0, 1)]
        every = of_seat[0] + of_seat[1]
        assert (int(games), told) == (len(every), "-".join(map(str, counts(every))))
        assert score == points(every)
        won, drawn, _ = counts(every)
        low, high = wilson_interval(won + drawn / 2, len(every))
        assert re.findall(r"[\d.]+", span) == [f"{low:.3f}", f"{high:.3f}"]
        assert by_seat == ["-".join(map(str, counts(part))) for part in of_seat]
        against = [ends(name, 0, [other]) + ends(name, 1, [other]) for other in scores.heads[1:]]
        assert line == (name, *(points(part) if part else "–" for part in against))


def test_the_plot_shows_every_score_and_interval(here):
    figure = plot_arena(here)
    (scores,) = figure.axes
    assert [label.get_text() for label in scores.get_yticklabels()] == here.ranking
    seats = {"all games": None, "moving first": 0, "moving second": 1}
    assert [text.get_text() for text in scores.get_legend().get_texts()] == [*seats]
    drawn = zip(scores.lines, scores.collections, seats.items(), strict=False)
    for line, bars, (label, moving) in drawn:
        tallies = [here.tally(name, moving=moving) for name in here.ranking]
        assert line.get_label() == label
        assert line.get_xdata().tolist() == [tally.score for tally in tallies]
        ends = [tuple(segment[:, 0]) for segment in bars.get_segments()]
        assert ends == [pytest.approx(tally.interval) for tally in tallies]
    markers = {line.get_marker() for line in scores.lines[:3]}
    assert len(markers) == 3, "markers tell what colours tell"
    assert figure.png().startswith(b"\x89PNG")


def test_names_are_shown_as_they_are():
    """Also where matplotlib would read a formula, or leave a line out of a legend."""
    names = ("$\\frac$", "_pass", "$5 $6")
    result = arena(dict.fromkeys(names, first_free), GAME, games=2)
    figure = plot_arena(result)
    shown = {label.get_text().strip() for label in figure.axes[0].get_yticklabels()}
    assert {name.replace("$", r"\$") for name in names} <= shown
    assert figure.png().startswith(b"\x89PNG")
    courses = {name: {1: [0.5, 0.6, 0.4], 2: [0.1, 0.2, 0.3]} for name in names}
    figure = plot_shares(courses, "c")
    assert figure.png().startswith(b"\x89PNG")
    assert len(figure.axes[0].get_legend().get_texts()) == len(names)
