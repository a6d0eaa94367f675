"""What the player asks before a step: right answers, likely wrong ones, what is said to each."""

from __future__ import annotations

import zlib
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from films import expand_all, films, mean_only, moments

from mcts_viz import MCTS, Film, GameTree, MCTSSolver, Nim, TicTacToe, record_minimax
from mcts_viz import alpha_beta as walk
from mcts_viz.film import questions
from mcts_viz.film.questions import (
    ADDED,
    CLEAR,
    LOOKED_INTO,
    MISTAKES,
    ORDERS,
    WRONG,
    question_columns,
)
from mcts_viz.film.words import short
from mcts_viz.trace import Trace

NAMES = list(MISTAKES)
EVERY = range(len(films()))


@cache
def asked(film: Film) -> tuple[dict[str, Any], dict[str, Any]]:
    return question_columns(film.data)


def drawn() -> list[tuple[Film, int]]:
    """Random iterations of all films."""
    return [(film, moment.iteration) for film, moment in moments()]


# Which move is selected ----------------------------------------------------------------------


def test_the_right_move_is_the_one_that_the_search_selects() -> None:
    some = 0
    for film, k in drawn():
        right = asked(film)[1]["ask_right"][k - 1]
        path = film.trace.at(k, "select").path
        if right:
            some += 1
            assert path[1] == right
        before = film.trace.at(k - 1)
        children = before.children(0)
        scores = {child: before.score(child) for child in children}
        known = len(path) > 1 and len(children) > 1 and None not in scores.values()
        if not known:
            assert not right
            continue
        lead = scores[path[1]] - max(s for child, s in scores.items() if child != path[1])
        assert bool(right) == (lead >= CLEAR) or abs(lead - CLEAR) < 1e-6
    assert some > 100


def test_nothing_is_asked_before_every_root_move_was_tried() -> None:
    for film in films():
        first = int(np.argmax(asked(film)[1]["ask_right"] > 0))
        if asked(film)[1]["ask_right"].any():
            before = film.trace.at(first)
            assert len(before.children(0)) == film.trace.n_legal_moves(0)
            assert all(before.visits[child] for child in before.children(0))


def test_tempting_moves_are_those_of_the_best_mean_and_the_most_visits() -> None:
    seen = set()
    for film, k in drawn():
        columns = {name: int(column[k - 1]) for name, column in asked(film)[1].items()}
        right = columns["ask_right"]
        if not right:
            assert columns["ask_rate"] == columns["ask_visits"] == 0
            continue
        before = film.trace.at(k - 1)
        children = before.children(0)
        for name, figure in (
            ("ask_rate", lambda n, at=before: at.wins[n] / at.visits[n]),
            ("ask_visits", lambda n, at=before: at.visits[n]),
        ):
            best = max(figure(child) for child in children)
            told = columns[name]
            assert figure(told) == pytest.approx(best, 1e-6)
            if figure(right) == best:
                assert told == right, "who is as good as the right one misleads nobody"
            seen.add((name, told == right))
    assert len(seen) == 4


def test_a_rule_of_its_own_and_a_random_choice_ask_only_where_the_best_is_taken() -> None:
    film = next(
        film
        for film in films()
        if film.trace.selection is not mean_only and (film.data.leads < 0).any()
    )
    right = asked(film)[1]["ask_right"]
    assert not right[film.data.leads < 0].any()
    assert right.any()


# Which move is added -------------------------------------------------------------------------


def test_the_added_move_was_untried_and_the_others_cannot_be_added() -> None:
    seen = set()
    for film, k in drawn():
        trace, game = film.trace, film.trace.game
        columns = {name: int(column[k - 1]) for name, column in asked(film)[1].items()}
        added, had, past = (columns[f"ask_{name}"] for name in ("added", "had", "past"))
        born = np.flatnonzero(trace.created_at == k).tolist()
        assert bool(added) == (len(born) == 1 and bool(had or past) and born != [0])
        if not added:
            assert not had
            assert not past
            continue
        assert born == [added]
        parent = int(trace.parent[added])
        there = trace.at(k - 1).children(parent)
        legal = game.legal_actions(trace.state(parent))
        assert trace.action_of(added) in legal
        assert trace.action_of(added) not in [trace.action_of(child) for child in there]
        assert bool(had) == bool(there)
        assert not had or had in there
        if past:
            assert past in trace.path(parent)
            assert trace.action_of(past) not in legal
        seen.add((bool(had), bool(past)))
    assert len(seen) == 3


# What a card says afterwards -----------------------------------------------------------------


def card_of(trace: Trace, k: int) -> int | None:
    """The last node of the path that was there before and is not the root, else the new one."""
    path = trace.at(k).path
    old = [node for node in path[1:] if trace.created_at[node] < k]
    return old[-1] if old else path[-1] if len(path) > 1 else None


def answers(film: Film, k: int) -> tuple[int, dict[str, str]]:
    """The card that is asked for, and by mistake what an option says."""
    facts, columns = asked(film)
    options = facts["sets"][columns["ask_set"][k - 1]]
    path = film.trace.at(k).path
    node = path[len(path) - 1 - int(columns["ask_above"][k - 1])]
    visits, wins = film.data.statistics(node, k - 1)
    texts = {}
    for option in options:
        other = float(columns["ask_other"][k - 1])
        total = other if option.wins is None else wins + option.wins
        texts[NAMES[option.mistake]] = f"{short(total)}/{visits + option.visits}"
    return node, texts


def test_the_right_answer_is_what_the_card_says_next() -> None:
    for film, k in drawn():
        node, texts = answers(film, k)
        if not texts:
            assert k > LOOKED_INTO or card_of(film.trace, k) is None
            continue
        after = film.trace.at(k)
        assert node == card_of(film.trace, k)
        assert texts["right"] == f"{short(after.wins[node])}/{after.visits[node]}"
        assert next(iter(texts)) == "right"
        assert 3 <= len(texts) <= 4
        assert len(set(texts.values())) == len(texts), "no two options are alike"


def test_each_wrong_answer_has_the_misconception_that_leads_to_it() -> None:
    seen = set()
    for film, k in drawn():
        node, texts = answers(film, k)
        trace = film.trace
        before, after = trace.at(k - 1), trace.at(k)
        visits = int(after.visits[node])
        wins = float(before.wins[node]) if node < before.nodes else 0.0
        own, other = (
            after.rewards[player]
            for player in (trace.player_just_moved[node], 1 - trace.player_just_moved[node])
        )
        through = range(1, k + 1)
        planted = {
            "side": (wins + other, visits),
            "visit": (wins + own, visits - 1),
            "win": (wins + max(max(outcome.rewards) for outcome in trace.outcomes), visits),
            "reward": (wins, visits),
        }
        if "player" in texts and not trace.visits_before.any():  # counted one by one
            rewards = [
                trace.at(i).rewards[1 - trace.player_just_moved[node]]
                for i in through
                if node in trace.path(int(trace.leaf[i - 1]))
            ]
            planted["player"] = (sum(rewards), visits)
        for name, text in texts.items():
            if name in planted:
                assert text == f"{short(planted[name][0])}/{planted[name][1]}", name
                seen.add(name)
    assert seen == set(NAMES[1:])


def test_one_s_own_side_comes_before_the_other_mistakes() -> None:
    """Where two misconceptions lead to the same answer, the change of side is named."""
    film = films()[0]
    for k in range(1, len(film.iterations) + 1):
        _, texts = answers(film, k)
        if film.trace.at(k).returns != (0.0, 0.0):
            assert "side" in texts
        else:
            assert "side" not in texts, "a draw is worth the same to both"


@pytest.mark.parametrize("number", EVERY)
def test_the_order_gives_nothing_away(number: int) -> None:
    facts, columns = asked(films()[number])
    assert facts["orders"] == ORDERS
    assert (
        columns["ask_order"] == asked(films()[1])[1]["ask_order"][: len(columns["ask_order"])]
    ).all()
    places = [ORDERS[order].index(0) for order in asked(films()[1])[1]["ask_order"]]
    assert all(650 < places.count(place) < 850 for place in range(4))
    followed = list(pairwise(places))
    assert all(100 < followed.count((a, b)) < 280 for a in range(4) for b in range(4))


# What is sent --------------------------------------------------------------------------------


def test_a_long_film_says_what_it_does_not_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "LOOKED_INTO", 20)
    facts, columns = question_columns(films()[0].data)
    assert facts["begin"].endswith("only the selected move is asked for.")
    assert columns["ask_set"][:20].any()
    assert not columns["ask_set"][20:].any()
    assert columns["ask_right"][20:].any()


@pytest.mark.parametrize("number", EVERY)
def test_the_questions_are_few_bytes(number: int) -> None:
    film = films()[number]
    sent = film.payload()
    index = sent["facts"]["columns"]
    begin = min(column["offset"] for name, column in index.items() if name.startswith("ask_"))
    assert all(column["offset"] < begin for name, column in index.items() if name[:4] != "ask_")
    more = len(sent["columns"]) - len(zlib.compress(zlib.decompress(sent["columns"])[:begin], 1))
    assert more <= 10 * film.trace.iterations
    assert len(sent["facts"]["questions"]["sets"]) <= 6 * len(film.trace.outcomes) + 1


def test_sentences_have_no_slot_that_nobody_fills() -> None:
    known = {"answer", "right", "lead", "player"}
    for sentence in [*WRONG.values(), *MISTAKES.values(), *ADDED.values()]:
        assert sentence.format_map(dict.fromkeys(known, "x"))


def test_where_nothing_can_be_asked_nothing_is_sent() -> None:
    minimax = Film(record_minimax(walk, Nim((1, 2)))).payload()["facts"]
    assert not minimax.get("questions")
    assert not any(name.startswith("ask_") for name in minimax["columns"])


def test_a_root_with_one_move_leaves_nothing_to_select() -> None:
    film = Film(MCTS(GameTree({"a": {"b": 1.0, "c": 0.0}}), seed=1).record(iterations=20))
    assert not asked(film)[1]["ask_right"].any()
    assert asked(film)[1]["ask_set"].all()


def test_games_of_one_and_of_three_players_are_asked_about_too() -> None:
    class Players(Nim):
        count = 3

        @property
        def players(self) -> tuple[str, ...]:
            return ("a", "b", "c")[: self.count]

        def to_move(self, state: Any) -> int:
            return super().to_move(state) % self.count

        def returns(self, state: Any) -> tuple[float, ...]:
            return (*super().returns(state), 0.0)[: self.count]

    class Alone(Players):
        count = 1

    for game, least in ((Players((2, 3)), 3), (Alone((2, 3)), 3)):
        film = Film(MCTS(game, seed=1).record(iterations=40))
        for k in range(1, 41):
            node, texts = answers(film, k)
            if texts:
                after = film.trace.at(k)
                assert len(texts) >= least
                assert texts["right"] == f"{short(after.wins[node])}/{after.visits[node]}"
                assert "player" not in texts
                assert ("side" in texts) <= (game.count > 1)


def test_proven_moves_are_never_the_right_ones() -> None:
    game = TicTacToe()
    asked_of_proven = 0
    for seed in range(6):
        trace = MCTSSolver(game, seed=seed).record(game.parse("X.. .O. ..X"), iterations=300)
        film = Film(trace)
        for k in range(1, trace.iterations + 1):
            right = int(asked(film)[1]["ask_right"][k - 1])
            before = trace.at(k - 1)
            if right:
                assert trace.at(k, "select").path[1] == right
                assert before.proof(right) == 0
                asked_of_proven += any(before.proof(child) for child in before.children(0))
    assert asked_of_proven, "some question is asked beside a proven move"


def test_a_tree_that_grows_by_many_is_asked_about_what_was_there() -> None:
    film = Film(MCTS(TicTacToe(), seed=3, expansion=expand_all).record(iterations=60))
    for k in range(1, 61):
        node, texts = answers(film, k)
        assert node == card_of(film.trace, k)
        assert texts
    born = np.bincount(film.trace.created_at[1:], minlength=61)[1:]
    assert not asked(film)[1]["ask_added"][born != 1].any()
