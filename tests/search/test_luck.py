"""Luck and rewards on the way, against exact play and against programs of three lines."""

from functools import cache, partial
from itertools import count, filterfalse
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import Wheel, altered, answer, check_terms, check_tree, parents, reachable
from read_back import worths
from refusals import refused
from searches import grown, traced

from mcts_course import Play
from mcts_viz import MCTS, Film, GameError, MCTSSolver, Nim, alpha_beta, minimax, solve
from mcts_viz.games import Pig, Playout, SlidingPuzzle, SlipperyLake, check_game, mover, moves_of
from mcts_viz.search import random_playout, variants
from mcts_viz.trace import record_minimax
from mcts_viz.trace.storage import from_json, to_json

pytestmark = pytest.mark.many

PIG = Pig(8)
LIFELIKE = [PIG, SlipperyLake(), SlidingPuzzle()]
"""Games with luck, with rewards on the way, or for one player."""


WHEELS = st.builds(
    Wheel,
    st.integers(0, 10**6),
    st.sampled_from([("A", "B"), ("A",)]),
    st.sampled_from([1.0, 0.9, 0.5]),
    st.booleans(),
)


CROWDS = st.builds(Wheel, st.integers(0, 10**6), st.just(("A", "B", "C")))


def expected(game):
    """The definition of exact play, for player 0."""

    @cache
    def value(state):
        if game.is_terminal(state):
            return game.returns(state)[0]
        values = [worth(state, action) for action in moves_of(game, state)]
        if luck := game.chances(state):
            return sum(p * v for p, v in zip(luck.values(), values, strict=True))
        return min(values) if game.to_move(state) else max(values)

    def worth(state, action):
        after = game.play(state, action)
        factor = 1 if game.chances(after) and not game.is_terminal(after) else game.discount
        return game.reward(state, action, after)[0] + factor * value(after)

    return value, worth


@given(game=WHEELS)
def test_exact_play_is_its_definition(game):
    """In every position, no matter who moves there."""
    value, worth = expected(game)
    for state in filterfalse(game.is_terminal, reachable(game)):
        sign = -1 if mover(game, state) == 1 else 1
        for exact in (solve(game, state), minimax(game, state)):
            assert exact.value == pytest.approx(sign * value(state), abs=1e-12)
        moves = () if game.chances(state) else game.legal_actions(state)
        values = [sign * worth(state, move) for move in moves]
        found = solve(game, state)
        assert [*found.action_values.values()] == pytest.approx(values, abs=1e-12)
        best = [a for a, v in zip(moves, values, strict=True) if v > max(values) - 1e-9]
        assert [*found.best_actions] == best
    problems = check_game(game, games=5).problems
    assert all(
        "It is never the turn of" in problem for problem in problems
    )  # where luck plays for one


PLAYED = st.sampled_from([random_playout, variants.win_then_block])


@given(game=WHEELS | CROWDS, seed=st.integers(0, 1000), playout=PLAYED)
def test_each_node_has_the_returns_of_its_walks(game, seed, playout):
    """Played again by hand: each walk gives each node of it what comes of the move to it.

    Below a chance node, the wins are those of the player who moved above it; a file says the same.
    """
    search = MCTS(game, seed=seed, playout=playout)
    trace = search.record(iterations=60)
    check_tree(search)
    assert search.root.player_just_moved == len(game.players) - 1
    low, high = game.value_range
    wins, returned = [0.0] * len(search.nodes), [0.0] * len(search.nodes)
    for now in map(trace.at, range(1, 61)):
        states, steps = [()], [*map(trace.action_of, now.path[1:]), *now.playout]
        for action in steps:
            states.append(game.play(states[-1], action))
        worth = worths(game, states, steps)
        for depth, number in enumerate(now.path):
            returns = worth[max(0, depth - 1)][search.nodes[number].player_just_moved]
            wins[number] += (returns - low) / (high - low)
            returned[number] += returns
    assert [node.wins for node in search.nodes] == pytest.approx(wins, abs=1e-9)
    known = [getattr(node, "returned", None) for node in search.nodes]
    assert known == pytest.approx(returned, abs=1e-9) or not search.pays
    assert trace.wins(60).tolist() == pytest.approx(wins, abs=1e-9)
    again = from_json(to_json(trace), search)
    assert again.wins(60).tolist() == trace.wins(60).tolist()
    for child, node in parents(search).items():
        assert again.player_just_moved[child.id] == child.player_just_moved >= 0
        assert again.chance[child.id] == bool(child.chances)
        luck = node.chances if node else None
        assert again.probability[child.id] == (luck[child.action] if luck else 0.0)
    check_terms(search, again.at(60))


def test_outcomes_are_drawn_with_their_probabilities():
    """Each outcome's share lies within four standard deviations, at 2,000 draws and more."""
    search = grown(4_000, 3, SlipperyLake(slip=0.3))
    nodes = [node for node in search.nodes if node.chances and node.visits > 500]
    assert len(nodes) > 3
    for node in nodes:
        drawn = sum(child.visits for child in node.children)
        for child in node.children:
            share, p = child.visits / drawn, node.chances[child.action]
            assert abs(share - p) < 4 * sqrt(p * (1 - p) / drawn)


def test_exact_values_of_cards_are_what_their_means_come_to():
    for game in LIFELIKE:
        trace = traced(100, game=game)
        values, exact = Film(trace).truth.values, solve(game, trace.root_state).action_values
        first = {trace.action_of(child): values[child] for child in trace.children[0]}
        assert first == pytest.approx(dict(exact))
        for node in values.keys() - {0} if len(game.players) == 1 else ():
            before, after = map(trace.state, (int(trace.parent[node]), node))
            factor = 1 if game.chances(after) else game.discount
            paid = game.reward(before, trace.action_of(node), after)[0]
            assert values[node] == pytest.approx(paid + factor * solve(game, after).value)


# What is refused, in one sentence.


planted = partial(altered, Wheel, 1)


def after_a_move(ask):
    """Chances after the first move, worked out each time they are asked for."""
    return {"chances": lambda game, state: ask() if len(state) == 1 else {}}


NAN, NUMBERS = float("nan"), count()
WRONG = {
    "returns": {"returns": answer((NAN, 0.0))},
    "reward": {"reward": answer((NAN, 0.0))},
    "chances": after_a_move(lambda: [(0, 0.5), (0, 0.5)]),
    "let the probabilities sum to 1, not 0.7": after_a_move(lambda: {0: 0.3, 1: 0.4}),
    "give each outcome a probability above 0": after_a_move(lambda: {0: 1.5, 1: -0.5}),
    "probability above 0 and at most 1": after_a_move(lambda: {0: NAN, 1: 1.0}),
    "return a dict of outcomes": after_a_move(lambda: [0, 1]),
    "asked again": after_a_move(lambda: {next(NUMBERS): 1.0}),
}
"""By words that are said of it: what is wrong with the game."""


def play_of(game):
    """Play the game's first move; the sentence that the widget shows, or what it raises."""
    play = Play(game, iterations=20)
    play.play("a")
    if play.error:
        raise GameError(play.error)


def read_back(game):
    """Read a file of the sound game, with the rules of this one."""
    sound = to_json(traced(30, game=planted()))
    Film(from_json(sound, MCTS(game, seed=1))).payload()


def checked(game):
    report = check_game(game)
    if not report.ok:
        raise GameError(report.problems[0])


DOORS = {
    "search": lambda game: MCTS(game, seed=1).search(iterations=30),
    "record": lambda game: traced(30, game=game),
    "minimax": minimax,
    "solve": lambda game: solve(game, ()),
    "Play": play_of,
    "a file": read_back,
    "check_game": checked,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("what", WRONG)
def test_each_door_names_what_is_wrong_in_one_sentence(door, what):
    """And what is refused once is refused again: nothing is half done."""
    if (door, what) == ("a file", "returns"):
        return  # a file has the results, and no end is asked for them again
    game = planted(**WRONG[what])
    for _ in range(2):
        assert what in refused(DOORS[door], game)


def test_an_error_in_chances_is_the_authors_with_a_note():
    """Also where a board is opened to play on."""
    game = planted(chances=lambda self, state: state[9])
    for door in ("search", "solve", "Play"):
        with pytest.raises(IndexError) as error:
            DOORS[door](game)
        assert "check_game(game) says: chances" in error.value.__notes__[0]


def test_outcomes_where_the_game_is_over_are_named():
    game = planted(chances=lambda self, state: {0: 0.5, 1: 0.5} if state else {})
    assert "return {} where the game is over" in str(check_game(game))
    assert MCTS(game, seed=1).search(iterations=30).iterations == 30, "no end is asked"


def test_wrong_rewards_and_numbers_are_refused():
    for paid in ((9.0, 0.0), (0.0, -9.0)):
        far = planted(reward=answer(paid))
        assert "from -6 to 6, its value_range" in refused(MCTS(far, seed=1).search, iterations=9)
        assert "value_range" in str(check_game(far))
    for name, value in (
        ("discount", 1.5),
        ("discount", 0),
        ("value_range", (1, 1)),
        ("value_range", 3),
    ):
        odd = altered(Nim, **{name: value})
        assert f"Nim: {name} is {value!r}: set " in refused(MCTS, odd)
        assert name in str(check_game(odd))


def test_luck_that_begins_a_game_is_named():
    rolling = PIG.play(PIG.initial_state(), "roll")
    assert "Nature moves in '0 0 +0 A rolls'" in refused(MCTS(PIG).search, rolling, iterations=9)


def test_going_in_circles_without_a_discount_is_named():
    report = str(check_game(SlipperyLake(discount=1.0)))
    assert "in circles" in report
    assert "discount" in report


def test_what_proves_wins_or_cuts_off_refuses_luck():
    for game in LIFELIKE:
        assert "Alpha-beta is for two players" in refused(alpha_beta, game)
        for walk in (minimax, alpha_beta):
            assert f"not for {game.name}: take solve" in refused(record_minimax, walk, game)
        assert "needs a game without luck" in refused(MCTSSolver, game)


def test_a_playout_policy_of_ones_own_is_paid_too():
    stop_at_once = answer(Playout((), (0.5,)))
    (child,) = grown(1, game=SlipperyLake(slip=0), playout=stop_at_once).root.children
    assert child.returned == pytest.approx(0.5)  # the ice has not decided yet, so nothing is paid
