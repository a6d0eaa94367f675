"""A game, a playout or a file that breaks its contract is named, and nothing is lost."""

import random
import re
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from films import continued
from invariants import Steps, altered, answer
from refusals import refused
from searches import traced, uct

from mcts_course import (
    BeTheSearch,
    Play,
    QLearner,
    arena,
    plot_means,
    plot_positions,
    plot_scores,
    position_graph,
    show_board,
)
from mcts_viz import (
    MCTS,
    ExactAgent,
    Film,
    Game,
    GameError,
    MCTSSolver,
    Nim,
    Player,
    RandomAgent,
    SearchError,
    TicTacToe,
    Trace,
    TraceError,
    alpha_beta,
    check_game,
    minimax,
    random_playout,
    record_minimax,
    solve,
)
from mcts_viz.search.variants import playout_by_position, truncated, win_then_block
from mcts_viz.trace.storage import to_json

steps = partial(altered, Steps)


def add_in_place(game, state, action):
    state[:] = Steps.play(game, state, action)
    return state


def told(ask, *given, **named):
    """The last sentence that an author reads: the error's, or its note."""
    with pytest.raises(Exception) as raised:  # noqa: PT011
        ask(*given, **named)
    assert len(getattr(raised.value, "__notes__", [])) <= 1
    return getattr(raised.value, "__notes__", [str(raised.value)])[0]


SEARCHES = {
    "search": lambda game: MCTS(game, seed=1).search(iterations=30),
    "search from a state": lambda game: MCTS(game, seed=1).search((0, 0), iterations=30),
    "MCTS-Solver": lambda game: MCTSSolver(game, seed=1).search(iterations=30),
    "by hand": BeTheSearch,
}
EVERY = SEARCHES | {
    "minimax": minimax,
    "alpha-beta": alpha_beta,
    "solve": lambda game: solve(game, game.initial_state()),
    "exact agent": lambda game: ExactAgent(game)((1, 0)),
    "arena": lambda game: played(game),
    "learner": lambda game: QLearner(game, seed=1).train(5),
}


def forgets(last):
    """A ``play`` without its return from so many steps on."""
    return lambda game, state, move: Steps.play(game, state, move) if state[0] < last else None


NO_PLAYER = r"to_move\(\(.*\)\) returns {}: return the number of a player, an int from 0 to 1"
NO_RESULT = r"a tuple of 2 numbers from -1|two returns in \[-1, 1\] that sum to 0, not"
SEQUENCE = "return a sequence such as a tuple"
FAULTS = [
    # What replaces a method, the sentence, and those who see it.
    (
        "initial_state",
        answer([0, 0]),
        r"initial_state\(\) returns \[0, 0\]: states must ",
        ("minimax", "alpha-beta", "solve"),
    ),
    ("legal_actions", answer({1, 2}), SEQUENCE, SEARCHES),
    ("legal_actions", answer(m for m in (1, 2)), SEQUENCE, SEARCHES),
    ("legal_actions", answer(()), "let is_terminal be True there", SEARCHES),
    ("legal_actions", answer((1, 1, 2)), r"returns \[1, 1, 2\]: list each action once", SEARCHES),
    ("legal_actions", answer(None), rf"returns None: {SEQUENCE}", EVERY),
    ("play", forgets(0), "did you forget `return`", EVERY),
    ("play", forgets(3), "did you forget `return`", EVERY),
    *(("to_move", answer(who), NO_PLAYER.format(repr(who)), EVERY) for who in (7, None, "A")),
    ("to_move", lambda game, state: 1 + sum(state) % 2, NO_PLAYER.format(2), EVERY),
    ("to_move", lambda game, state: 1 - 2 * (sum(state) % 2), NO_PLAYER.format(-1), EVERY),
    ("returns", answer(None), r"returns\(.*\) returns None: return a tuple of 2", EVERY),
    *(
        ("returns", answer(result), NO_RESULT, EVERY)
        for result in ((1, -1, 0), (100, -100), (float("nan"), 0), "ab")
    ),
]


@pytest.mark.parametrize(("method", "wrong", "words", "doors"), FAULTS)
def test_a_method_that_breaks_its_contract_is_named_by_all_who_see_it(method, wrong, words, doors):
    """And nothing is said of is_terminal, where it is another method that fails there first."""
    assert doors
    for door in doors:
        said = told(EVERY[door], steps(**{method: wrong}))
        assert re.search(words, said), door
        assert method != "play" or "let is_terminal" not in said


def test_a_forgotten_return_is_named_where_a_game_goes_on_or_is_shown():
    endless, mute = altered(Nim, (1, 2), is_terminal=answer(None)), steps(text=answer(None))
    said = told(uct(game=endless, playout=playout_by_position()).search, iterations=30)
    assert re.search(r"Nim: is_terminal\(.*\) returns None: ", said)
    assert re.search(r"Steps: text\(.*\) returns None: ", told(show_board, mute, (0, 0)))


@pytest.mark.parametrize("kind", [bool, np.int64])
def test_a_players_number_may_be_of_another_kind(kind):
    game = steps(to_move=lambda game, state: kind(Steps.to_move(game, state)))
    for door in ("solve", "search"):
        assert repr(EVERY[door](game)) == repr(EVERY[door](steps()))


RULES = ["initial_state", "to_move", "legal_actions", "play", "is_terminal", "returns"]
NoGame = type("NoGame", (), {name: getattr(Steps, name) for name in RULES})


def test_a_class_that_forgot_its_base_is_refused_before_a_search():
    assert ": write class NoGame(Game)" in str(check_game(NoGame()))
    for door in (MCTS, solve, minimax, Play, position_graph, show_board, BeTheSearch):
        given = (NoGame(), (0, 0)) if door is solve else (NoGame(),)
        assert "NoGame has no " in (said := refused(door, *given))
        assert said.endswith(": write class NoGame(Game).")


@pytest.mark.parametrize("players", [2, None, (), "XO", tuple(map(str, range(129)))])
def test_players_that_cannot_be_counted_are_refused(players):
    for door in (MCTS, minimax, Play, show_board, BeTheSearch, RandomAgent):
        said = refused(door, altered(Nim, players=players))
        assert "The players of Nim must be a tuple of 1 to 100 different names" in said


ENDLESS = steps(is_terminal=lambda game, state: state[0] < 0, fast_playout=None)


@pytest.mark.parametrize("door", ["arena", "learner", random_playout, win_then_block])
def test_a_game_without_an_end_ends_what_plays_it(door):
    given, named = (EVERY.get(door), ENDLESS), {}
    if door not in EVERY:
        given, named = (MCTS(ENDLESS, seed=1, playout=door).search,), {"seconds": 0.1}
    said = refused(*given, **named, _kind=GameError)
    assert said.startswith("A game of Steps has not ended after 100,000 moves: ")


POLICIES = {
    "selection": {"selection": lambda child, parent, c: child.visit},
    "tie_break": {"tie_break": lambda children, scores, random: children[99]},
    "expansion": {"expansion": lambda search, leaf: {}["missing"]},
    "playout": {"playout": lambda game, state, random: 1 / 0},
    "reward": {"reward": lambda returns, player, root_player: returns["me"]},
}


@pytest.mark.parametrize("kind", POLICIES)
@pytest.mark.parametrize("game", [TicTacToe(), steps(action_label=answer("one name for all"))])
def test_the_error_of_a_policy_stays_its_own(game, kind):
    """Whatever else is wrong with the game."""
    errors = (AttributeError, IndexError, KeyError, ZeroDivisionError, TypeError)
    with pytest.raises(errors) as raised:
        uct(1, game, **POLICIES[kind]).search(iterations=30)
    assert raised.traceback[-1].path == Path(__file__)
    assert not hasattr(raised.value, "__notes__")


def filmed(game):
    return Film(traced(30, game=game))


def svg(game):
    return filmed(game).to_svg()


OWN_ERRORS = {
    "is_terminal": [*EVERY.values(), Play],
    "returns": [EVERY["search"]],
    "action_label": [position_graph, BeTheSearch, Play, svg],
}


@pytest.mark.parametrize("method", OWN_ERRORS)
def test_a_typo_in_the_game_is_the_authors_with_a_note_on_that_method(method):
    """The position is not blamed for it, and other faults of the game change nothing."""
    typo = {method: lambda game, *_: game.nosuch}
    game = steps(**{"action_label": answer("one name for all")} | typo)
    for ask in OWN_ERRORS[method]:
        with pytest.raises(AttributeError, match="nosuch") as raised:
            ask(game)
        (note,) = raised.value.__notes__
        assert note.startswith(f"check_game(game) says: {method}((")
        assert "raises AttributeError" in note
        assert f"let {method} return a value" in note


def test_a_play_that_changes_its_state_is_named():
    game = steps(initial_state=answer([0, 0]), play=add_in_place)
    said = told(MCTS(game).record, iterations=3)
    assert "play changes the state that it is given, [0, 0]" in said


def test_moves_without_a_hash_later_in_the_game_are_named_too():
    def legal_actions(game, state):
        return (1, 2) if state[0] < 3 else ([1], [2])

    def play(game, state, action):
        return Steps.play(game, state, action if state[0] < 3 else action[0])

    game = steps(legal_actions=legal_actions, play=play)
    said = refused(MCTS(game, seed=1).record, iterations=30, _kind=SearchError)
    assert "A move has no hash " in said
    assert "use numbers or tuples" in said


def test_what_rounding_leaves_of_fractions_is_not_a_win():
    third = truncated(0, answer((1 / 3, -1 / 3)))
    trace = continued(uct(playout=third), 4, 60)
    assert not trace.visits_before.all()
    assert (trace.wins_before[trace.visits_before == 0] == 0).all()
    Film(trace).to_svg()


# Files ------------------------------------------------------------------------------------------


class Turned(Nim):
    """Its text leaves out whose turn it is."""

    def text(self, state):
        return " ".join(map(str, state[1:]))


UNLIKE = ": parse('{}') returns {}, not {}. Let parse read what text writes."
UNREADABLE = [
    (steps(text=answer(3)), (1, 1), " ('int' object"),
    (steps(parse=Game.parse), (1, 1), "give its class a parse"),
    (Turned((1, 2)), (1, 1, 2), UNLIKE.format("1 2", (0, 1, 2), (1, 1, 2))),
    (steps(parse=answer((3, 0))), (1, 1), UNLIKE.format((1, 1), (3, 0), (1, 1))),
]


@pytest.mark.parametrize(("game", "state", "words"), UNREADABLE)
def test_what_could_not_be_read_again_is_not_saved(game, state, words, tmp_path):
    trace, file = MCTS(game, seed=1).record(state, iterations=30), tmp_path / "trace.json"
    file.write_text("old")
    said = refused(trace.save, file, _kind=TraceError)
    assert said.startswith("The trace is not saved, as it could not be read again")
    assert words in said
    assert file.read_text() == "old"


def test_a_game_without_parse_is_saved_from_its_start(tmp_path):
    game = steps(parse=Game.parse)
    traced(30, game=game).save(tmp_path / "trace.json")
    assert Trace.load(tmp_path / "trace.json", MCTS(game)).root_state == (0, 0)


# What only shows a game ---------------------------------------------------------------------------


def fails(*_):
    raise ZeroDivisionError("in the rules")


FAULTY_WORDS = {
    "labels that fail": steps(action_label=fails),
    "labels that are none": steps(action_label=answer(None)),
    "texts that fail": steps(text=fails),
    "parameters that fail": steps(parameters=fails),
    "parameters that are none": steps(parameters=answer(3)),
}


def played(game):
    players = {"one": RandomAgent(game), "other": RandomAgent(game)}
    return arena(players, game, games=2, progress=False)


SHOWN = {
    "result": lambda game: repr(EVERY["search"](game)),
    "picture": svg,
    "text": lambda game: filmed(game).to_text(),
    "page": lambda game: filmed(game).to_html(),
    "player": lambda game: Player(filmed(game).trace),
    "minimax": lambda game: Film(record_minimax(alpha_beta, game)).to_svg(),
    "JSON": lambda game: to_json(traced(30, game=game)),
    "board": lambda game: Play(game, iterations=5),
    "arena": played,
}
ENDED_BY = {
    "labels that fail": {"result", "picture", "text", "page", "player", "minimax", "board"},
    "texts that fail": {"picture", "page", "minimax", "JSON", "board"},
    "parameters that fail": {"JSON", "board"},
}
"""By faulty method: what asks for its words, so that the author's own error ends it."""


@pytest.mark.parametrize("shown", SHOWN)
def test_the_authors_own_error_ends_what_asks_for_faulty_words_and_nothing_else(shown):
    for name, game in FAULTY_WORDS.items():
        if shown in ENDED_BY.get(name, ()):
            with pytest.raises(ZeroDivisionError, match="in the rules"):
                SHOWN[shown](game)
        # a picture asks for some words alone, and words that are not texts are written as they are
        else:
            assert SHOWN[shown](game) is not None


# Pictures ---------------------------------------------------------------------------------------


def test_labels_are_no_formulas_in_figures():
    class Hostile(Nim):
        players = ("$\\frac$ one", "_two")

        def action_label(self, state, action):
            return ("$\\frac$", "_pass", "$x^$")[action[0]] + str(action[1])

        def text(self, state):
            return "$\\frac$ " + super().text(state)

    trace = traced(60, game=Hostile((1, 1, 1)))
    figures = [plot_means(trace), plot_scores(trace, 50)]
    assert "frac$ one to move" in plot_positions(trace.game, trace.root_state).svg
    for figure in figures:
        figure.savefig(BytesIO(), format="png")
        legends = [*figure.legends, *filter(None, (axes.get_legend() for axes in figure.axes))]
        named = {text.get_text() for legend in legends for text in legend.get_texts()}
        assert not legends or any("_" in label for label in named)


AT_TIMES = {
    "play": lambda game, state, action: Steps.play(game, state, action + 1),
    "returns": answer((1, -1)),
    "is_terminal": lambda game, state: state[0] > 2,
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", AT_TIMES)
def test_a_game_that_answers_by_chance_is_not_saved_as_if_it_could_be_loaded(
    method, seed, tmp_path
):
    chance = random.Random(seed)

    def at_times(*given):
        rule = AT_TIMES[method] if chance.random() < 0.1 else getattr(Steps, method)
        return rule(*given)

    game = steps(**{method: at_times})
    try:
        trace = traced(20, game=game)
    except SearchError:
        return  # the tree itself shows it
    said = refused(trace.save, tmp_path / "trace.json")
    assert said.startswith("The trace is not saved, as it could not be read again (")
    assert not [*tmp_path.iterdir()]
