"""Policies and games as text: what the package has comes back, and nothing is ever run."""

import builtins
import pickle
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import GAMES, TREES

from mcts_course.faults import clock_seeded, searcher_plays
from mcts_viz import MCTS, ConnectFour, MCTSSolver, MctsVizError, Nim, SearchError, TicTacToe
from mcts_viz.search import half_for_a_draw, variants
from mcts_viz.search.texts import LONGEST, POLICIES, describe, read, read_search, written

AS_ROOT, LOSS = variants.root_players_view, variants.rewards_of(1, 0, 0)
MADE = [  # by kind: a policy, and the text that one would write
    ("reward", variants.rewards_of(1, 0.5, -1e6), "rewards_of(win=1, draw=0.5, loss=-1000000.0)"),
    ("reward", AS_ROOT(LOSS), "root_players_view(rewards_of(win=1, draw=0, loss=0))"),
    ("reward", AS_ROOT(AS_ROOT(half_for_a_draw)), None),
    ("playout", clock_seeded(searcher_plays(("block", "win")), 15_000), None),
    ("tie_break", variants.epsilon_greedy(0.1 + 0.2), "epsilon_greedy(0.30000000000000004)"),
    ("tie_break", variants.following((1, "a")), "following((1, 'a'))"),
    ("tie_break", variants.following((1, "a", "'\\", "")), None),
    ("recommendation", variants.secure_child(), "secure_child()"),
    ("recommendation", variants.secure_child(2.5e-7), "secure_child(2.5e-07)"),
    ("initial_expansion", variants.pre_expanded(0), "pre_expanded(0)"),
    ("selection", variants.smoothed_ucb1(), "smoothed_ucb1()"),
    ("selection", variants.smoothed_ucb1(1e-300, 9), None),
]


@pytest.mark.parametrize(("kind", "policy", "text"), MADE, ids=repr)
def test_what_is_described_as_one_would_write_it_is_read_again(kind, policy, text):
    again = read(describe(policy), kind)
    assert again == policy
    assert describe(again) == describe(policy) == (text or describe(policy))


def test_every_function_is_its_own_name_and_every_name_is_there_once():
    names = []
    for kind, policies in POLICIES.items():
        for name, policy in policies.items():
            names.append(name)
            if not isinstance(policy, type):
                assert describe(policy) == name
                assert read(name, kind) is policy
    assert len(names) == len(set(names)) >= 28


def ucb1_of_mine(child, parent, c):
    return child.wins


ucb1_of_mine.__name__ = "ucb1"


def half_of_mine(returns, player, root_player):
    return 0.5


half_of_mine.__name__ = "half_for_a_draw"


class Rule:
    def __call__(self, child, parent, c):
        return 0.0


def test_a_policy_that_is_not_the_packages_gets_a_name_that_is_refused():
    for policy in (
        ucb1_of_mine,
        Rule(),
        lambda child, parent, c: 0.0,
        partial(ucb1_of_mine, c=2),
        variants.truncated(3, lambda state: (0.0, 0.0)),
        variants.root_players_view(half_of_mine),
    ):
        text = describe(policy)
        for kind in POLICIES:
            with pytest.raises(SearchError):
                read(text, kind)


# Games.


@given(st.one_of(st.sampled_from(GAMES), TREES))
def test_games_come_back(game):
    assert read(describe(game), "game") == game


def test_a_game_is_the_call_that_builds_it_and_positional_parameters_are_read_too():
    assert describe(ConnectFour()) == "ConnectFour()"
    assert describe(ConnectFour(4, 5, 3)) == "ConnectFour(rows=4, columns=5, connect=3)"
    assert describe(Nim((3,))) == "Nim((3,))"
    assert read(" ConnectFour( 4 , 5 ) ", "game") == ConnectFour(4, 5)
    policy = read("rewards_of( 1, 0.5 , loss = -1 )", "reward")
    assert policy == variants.rewards_of(1, 0.5, -1)

    class Odd(TicTacToe):
        def parameters(self):
            return {"colours": object()}

    with pytest.raises(MctsVizError):
        describe(Odd())


# What is refused: always a sentence of the package, and nothing is ever run.

POLICY_TEXTS = [
    "",
    "rewards_of",
    "half_for_a_draw()",
    "rewards_of(1, 2)",
    "rewards_of(win=1, win=2, draw=0, loss=0)",
    "rewards_of(*(1, 2, 3))",
    "rewards_of(**{'win': 1, 'draw': 0, 'loss': 0})",
    "rewards_of(1, 2, money=3)",
    "rewards_of('1', 2, 3)",
    "rewards_of(1e999, 2, 3)",
    "rewards_of(2 ** 99999999, 2, 3)",
    "rewards_of(1, 2, 3)(returns)",
    "rewards_of(1, 2, 3)\nimport os",
    "root_players_view(ucb1)",
    "__import__('os').system('true')",
    "half_for_a_draw.__globals__",
    "lambda: 1",
    "half_for_a_draw if 1 else half_for_a_draw",
    "half_for_a_draw\x00",
    "half_for_\u0430_draw",  # a Cyrillic letter
    "(" * 300 + "half_for_a_draw" + ")" * 300,
    "root_players_view(" * 210 + "half_for_a_draw" + ")" * 210,
    "-" * 3000 + "1",
    "half_for_a_draw" + " " * LONGEST,
    None,
    b"half_for_a_draw",
]
GAME_TEXTS = [
    *("", "TicTacToe", "TicTacToe(1)", "Chess()", "ConnectFour(rows=99)", "ConnectFour(*(4, 5))"),
    *("Nim(3)", "Nim((10**9,))", "Nim(TicTacToe())", "GameTree({'a': b})", "_BUILT_IN()"),
    "GameTree({'a': {" * 99 + "}})" * 99,
]


def forbidden(*args, **options):
    raise AssertionError("a text was run")


def test_hostile_texts_are_refused_in_a_sentence_and_never_run(monkeypatch):
    monkeypatch.setattr(builtins, "eval", forbidden)
    monkeypatch.setattr(builtins, "exec", forbidden)
    texts = [("reward", text) for text in POLICY_TEXTS]
    for kind, text in [*texts, *(("game", text) for text in GAME_TEXTS)]:
        with pytest.raises(MctsVizError) as refusal:
            read(text, kind)
        assert len(str(refusal.value)) < 900


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for kind in POLICIES:
        with suppress(MctsVizError):
            assert callable(read(text, kind))
    with suppress(MctsVizError):
        assert MCTS(read(text, "game"), seed=1)


def test_the_sentence_says_how_to_hand_in_ones_own():
    with pytest.raises(SearchError, match=r"hand in your own, playout=\.\.\."):
        read("my_playout", "playout")
    with pytest.raises(SearchError, match=r"hand in your own, game=\.\.\."):
        read("MyGame()", "game")


# A search as texts.

SEARCH = MCTS(TicTacToe(), 0.5, 7, playout=variants.win_then_block, reward=variants.rewards_of(1, 0, -1))


def test_a_search_is_written_and_read():
    for search in (SEARCH, MCTSSolver(Nim(), seed=3)):
        for other in (search.but(), read_search(search.game, written(search), {})):
            assert (type(other), other.given) == (type(search), search.given)
        assert pickle.loads(pickle.dumps(search)).given == search.given


def test_a_search_writes_only_what_differs():
    assert written(MCTS(TicTacToe(), seed=7)) == {"seed": 7}
    assert written(SEARCH) == {
        "c": 0.5,
        "seed": 7,
        "playout": "win_then_block",
        "reward": "rewards_of(win=1, draw=0, loss=-1)",
    }


def test_a_policy_that_is_missing_is_missed_where_it_is_needed():
    search = read_search(TicTacToe(), {"playout": "mine"}, {})
    assert written(search) == {"seed": search.seed, "playout": "mine"}
    with pytest.raises(SearchError, match=r"'mine': hand in your own, playout="):
        search.search(iterations=1)
    own = read_search(TicTacToe(), {"playout": "mine"}, {"playout": half_of_mine})
    assert own.playout is half_of_mine
