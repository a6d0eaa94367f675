"""Lesson 04: the bandit as a game, searches that pull arms, regret, and their figures."""

from __future__ import annotations

import pickle
import random
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from mcts_course import lesson_04, plot_regrets, plot_terms, pull, regret, regrets
from mcts_viz import (
    MCTS,
    Bandit,
    Film,
    GameError,
    SearchError,
    TicTacToe,
    Trace,
    TraceError,
    check_game,
    ucb1,
)
from mcts_viz.games import game_from_parameters
from mcts_viz.search import random_playout
from mcts_viz.search.variants import (
    epsilon_greedy,
    expand_root_only,
    following,
    pre_expanded,
    uniform,
    win_rate,
)

ARMS = Bandit((0.3, 0.5, 0.2, 0.7))
ONE: dict[str, Any] = {"initial_expansion": pre_expanded(1), "expansion": expand_root_only}


# The bandit is a game


@pytest.mark.parametrize("game", [Bandit(), ARMS, Bandit((0, 1)), Bandit((0.07,))], ids=repr)
def test_check_game_finds_no_problem(game: Bandit) -> None:
    assert check_game(game).problems == ()
    assert game_from_parameters("Bandit", game.parameters()) == game


@pytest.mark.parametrize("arm", "ABCD")
def test_the_share_of_winning_tickets_is_the_chance(arm: str) -> None:
    pulled = ARMS.play((), arm)
    ends = [ARMS.play(pulled, ticket) for ticket in ARMS.legal_actions(pulled)]
    wins = [ARMS.returns(end) for end in ends].count((1.0,))
    assert len(ends) == 100
    assert wins / 100 == ARMS.chance(arm)


def test_a_random_playout_wins_with_the_chance_of_the_arm() -> None:
    rng = random.Random(1)
    wins = sum(random_playout(ARMS, ("B",), rng).returns == (1.0,) for _ in range(2000))
    assert wins / 2000 == pytest.approx(0.5, abs=4 * sqrt(0.25 / 2000))


def test_the_same_ticket_from_a_better_arm_is_never_worse() -> None:
    for ticket in range(1, 101):
        by_chance = [ARMS.returns((arm, ticket))[0] for arm in "CABD"]
        assert by_chance == sorted(by_chance)


@pytest.mark.parametrize(
    ("state", "text"), [((), "pull"), (("B",), "B"), (("B", 57), "B 57")], ids=str
)
def test_positions_are_written_and_read(state: Any, text: str) -> None:
    assert ARMS.text(state) == text
    assert ARMS.parse(text) == state


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Bandit(()), "chances=()"),
        (lambda: Bandit((0.5,) * 27), "of 1 to 26 arms"),
        (lambda: Bandit("half"), "chances='half'"),
        (lambda: Bandit((0.5, 1.5)), "chances=(0.5, 1.5)"),
        (lambda: Bandit((0.123,)), "chances=(0.123,)"),
        (lambda: Bandit((True,)), "chances=(True,)"),
        (lambda: Bandit((float("nan"),)), "chances=(nan,)"),
        (lambda: ARMS.play((), "E"), "choose one of A, B, C, D"),
        (lambda: ARMS.play(("A",), 101), "101 is no legal move at"),
        (lambda: ARMS.play(("A", 3), 4), "the game is over"),
        (lambda: ARMS.returns(("A",)), "is not over"),
        (lambda: ARMS.chance("AB"), "'AB' is no arm"),
        (lambda: ARMS.parse(7), "not 7"),
        (lambda: ARMS.parse("A x"), "is no legal move at"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(call: Any, said: str) -> None:
    with pytest.raises(GameError) as refusal:
        call()
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


# A search that pulls


def by_formula(seed: int, pulls: int, c: float) -> str:
    """UCB1 on ARMS, written anew, with the same tickets: one number of the generator a pull."""
    rng, wins, counts, pulled = random.Random(seed), {}, {}, ""
    for arm in "ABCD":
        wins[arm] = counts[arm] = 0
    for total in range(pulls):
        untried = [arm for arm in "ABCD" if not counts[arm]]
        scores = {
            arm: wins[arm] / counts[arm] + c * sqrt(log(total) / counts[arm])
            for arm in "ABCD"
            if not untried
        }
        arm = untried[0] if untried else max(scores, key=lambda arm: scores[arm])
        wins[arm] += int(rng.random() * 100) + 1 <= round(100 * ARMS.chance(arm))
        counts[arm] += 1
        pulled += arm
    return pulled


@pytest.mark.parametrize("c", [0, 0.5, sqrt(2)])
@pytest.mark.parametrize("seed", range(5))
def test_the_search_is_ucb1(seed: int, c: float) -> None:
    assert pull(ARMS, 300, seed, c=c) == by_formula(seed, 300, c)


def test_the_same_seed_gives_every_policy_the_same_tickets() -> None:
    def tickets(**policies: Any) -> list[Any]:
        trace = MCTS(ARMS, seed=8, **ONE, **policies).record(iterations=60)
        return [trace.at(k).playout for k in range(1, 61)]

    ours = tickets()
    assert tickets(selection=win_rate) == ours
    assert tickets(selection=uniform) == ours
    assert tickets(tie_break=following("ABDC" * 15)) == ours


def test_pulls_by_hand_are_followed_and_earlier_ones_stay_as_they_were() -> None:
    def wins(pulls: str) -> dict[str, tuple[float, int]]:
        search = MCTS(ARMS, seed=8, tie_break=following(pulls), **ONE)
        search.search(iterations=len(pulls))
        return {node.action: (node.wins, node.visits) for node in search.root.children}

    few, more = wins("AABD"), wins("AABDCC")
    assert [few[arm][1] for arm in "ABCD"] == [2, 1, 0, 1]
    assert {**more, "C": (0.0, 0)} == few


@pytest.mark.parametrize("pulls", ["AB", "ABX", []])
def test_a_pull_that_is_missing_or_unknown_is_named(pulls: Any) -> None:
    with pytest.raises(SearchError, match=rf"of the {len(pulls)} to follow is .*A, B, C, D"):
        MCTS(ARMS, seed=8, tie_break=following(pulls), **ONE).search(iterations=3)


def test_a_list_of_pulls_cannot_change_under_way() -> None:
    pulls = ["A", "B"]
    rule = following(pulls)
    pulls[0] = "C"
    assert pull(ARMS, 2, 1, tie_break=rule) == "AB"
    assert pull(ARMS, 2, 1, tie_break=pickle.loads(pickle.dumps(rule))) == "AB"


def test_a_bandit_has_a_film_and_can_be_saved(tmp_path: Any) -> None:
    trace = MCTS(ARMS, seed=8, **ONE).record(iterations=40)
    film = Film(trace)
    first = film.to_text(1, "select")
    assert "A is followed: it has no visit yet." in first
    assert "A scores highest, level with another" in film.to_text(5, "select")
    assert "1 move, then Gambler wins" in film.to_text(5, "simulate")
    assert "Gambler loses. 2 nodes get one visit each" in film.to_text(4, "backpropagate")
    assert film.payload()["facts"]["truth"]["unknown"].startswith("The exact values are not known")
    trace.save(tmp_path / "bandit.json")
    assert Trace.load(tmp_path / "bandit.json").leaf.tolist() == trace.leaf.tolist()


# Regret


def test_regret_by_hand() -> None:
    assert regret(ARMS, "DABCD") == pytest.approx([0, 0.4, 0.6, 1.1, 1.1])
    assert regret(Bandit((0.5, 0.5)), "ABBA").tolist() == [0, 0, 0, 0]
    assert regret(ARMS, "").tolist() == []
    with pytest.raises(GameError, match="'x' is no arm"):
        regret(ARMS, "ABx")


def test_uniform_pays_the_mean_gap_and_greed_may_pay_for_ever() -> None:
    policies = {"uniform": {"selection": uniform}, "greedy": {"selection": win_rate}, "UCB1": {}}
    curves = regrets(ARMS, policies, pulls=400, seeds=range(40))
    assert list(curves) == list(policies)
    assert {rows.shape for rows in curves.values()} == {(40, 400)}
    assert (np.diff(curves["UCB1"], axis=1) >= 0).all()
    assert curves["uniform"][:, -1] == pytest.approx(400 * 1.1 / 4)
    last = {name: rows[:, 399] - rows[:, 398] for name, rows in curves.items()}
    assert 8 < np.count_nonzero(last["greedy"] > 0) < 24
    halves = {name: (rows[:, 199].mean(), rows[:, 399].mean()) for name, rows in curves.items()}
    assert halves["UCB1"][1] < 1.7 * halves["UCB1"][0]
    assert halves["greedy"][1] > 1.8 * halves["greedy"][0]
    assert halves["UCB1"][1] < halves["uniform"][1] / 2


def test_each_row_is_the_regret_of_one_seed() -> None:
    policies = {"greedy": {"selection": win_rate, "tie_break": epsilon_greedy(0.1)}}
    rows = regrets(ARMS, policies, pulls=50, seeds=[3, 7])["greedy"]
    for row, seed in zip(rows, (3, 7), strict=True):
        assert row.tolist() == regret(ARMS, pull(ARMS, 50, seed, **policies["greedy"])).tolist()


# Figures


def test_both_terms_are_those_of_ucb1() -> None:
    search = MCTS(ARMS, seed=8, **ONE)
    figure = plot_terms(search.record(iterations=200))
    first, second = figure.axes
    assert second.get_ylabel() == "exploration, c = 1.41"
    for axes, term in ((first, 0), (second, 1)):
        handles, labels = axes.get_legend_handles_labels()
        drawn = {label: line.get_ydata()[-1] for label, line in zip(labels, handles, strict=True)}
        terms = {n.action: ucb1(n, search.root, search.c)[term] for n in search.root.children}
        assert drawn == pytest.approx(terms)


def legend(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_regrets_are_drawn_with_their_intervals_and_the_worst_stands_first() -> None:
    rng = np.random.default_rng(1)
    low, high = rng.random((2, 30, 50)).cumsum(axis=2) * [[[1]], [[3]]]
    figure = plot_regrets({"low": low, "high": high}, alone={"mine": [0.0, 0.4]})
    axes = figure.axes[0]
    assert legend(axes) == ["high", "low", "mine"]
    assert len(axes.collections) == 2
    vertices = axes.collections[1].get_paths()[0].vertices
    last = vertices[vertices[:, 0] == 50][:, 1]
    mean, half = low[:, -1].mean(), 1.96 * low[:, -1].std(ddof=1) / sqrt(30)
    assert (last.min(), last.max()) == pytest.approx((mean - half, mean + half))


def test_one_seed_has_no_interval() -> None:
    figure = plot_regrets({"one": np.ones((1, 5))})
    assert not figure.axes[0].collections


@pytest.mark.parametrize("count", [0, 6])
def test_a_figure_holds_five_policies_at_most(count: int) -> None:
    with pytest.raises(TraceError, match=f"There are {count} policies"):
        plot_regrets({str(number): np.ones((2, 5)) for number in range(count)})


def test_terms_of_a_tree_are_those_of_its_root() -> None:
    search = MCTS(TicTacToe(), seed=1)
    figure = plot_terms(search.record(iterations=60), moves=[4])
    (line,) = figure.axes[0].lines
    node = next(node for node in search.root.children if node.action == 4)
    assert line.get_ydata()[-1] == pytest.approx(node.mean)


# The exercises


def test_the_chances_that_the_lesson_states() -> None:
    assert [lesson_04.MACHINES.chance(arm) for arm in "ABCD"] == [0.3, 0.5, 0.2, 0.7]


def test_everybody_meets_the_same_luck() -> None:
    mine = lesson_04.luck(lesson_04.MACHINES, "DDDD", seed=8)
    assert lesson_04.luck(lesson_04.MACHINES, "DDDDA", seed=8)[:4] == mine
    machines = lesson_04.SlotMachines(lesson_04.MACHINES, pulls=3, seed=8)
    machines.play("DD")
    machines.play("DA")
    assert machines.pulls == "DDD"
    assert sum(mine[:3]) == lesson_04.wins(lesson_04.MACHINES, "DDD", 8)
    assert repr(machines).startswith("0 pulls left")


def test_ucb1_by_hand_pulls_the_arm_that_lost() -> None:
    two_arms = lesson_04.after_pulls(Bandit((0.4, 0.6)), "AAAB", seed=8)
    assert two_arms.next == "B"
    assert [row[1] for row in two_arms.rows] == ["2/3", "0/1"]


def test_the_slopes_of_lai_and_robbins_and_of_ucb1() -> None:
    best = 0.7
    below = (0.3, 0.5, 0.2)
    divergence = [p * log(p / best) + (1 - p) * log((1 - p) / (1 - best)) for p in below]
    least = sum((best - p) / d for p, d in zip(below, divergence, strict=True))
    assert round(least, 1) == 4.4
    assert round(sum(2 / (best - p) for p in below)) == 19


def test_the_square_root_of_two_and_small_letters_are_named() -> None:
    task = lesson_04.write_next_arm
    for name in ("a 2 too many", "lower case"):
        assert task.judge(task.wrong[name]).kind == "misconception"


def test_the_regret_of_five_pulls() -> None:
    assert lesson_04.regret_of_five.right == pytest.approx(0.4 + 0.1 + 0.1)
    assert lesson_04.regret_of_five.judge(0.6).kind == "right"


@pytest.mark.parametrize("case", lesson_04.write_next_arm.cases, ids=lambda case: case.words)
def test_no_case_hangs_on_a_rounding(case: Any) -> None:
    wins, pulls, c = case.arguments
    total = sum(pulls.values())
    scores = [wins[a] / n + c * sqrt(log(total) / n) if n else 99 for a, n in pulls.items()]
    best, second = sorted(scores)[:-3:-1]
    assert best > second + 0.04


def test_the_solution_pulls_as_the_search_does() -> None:
    search = MCTS(ARMS, seed=8, **ONE)
    search.search(iterations=1)
    for _ in range(150):
        wins = {node.action: node.wins for node in search.root.children}
        pulls = {node.action: node.visits for node in search.root.children}
        ours = lesson_04.write_next_arm.solution(wins, pulls, search.c)
        assert ours == search.select()[1].action
        search.run(iterations=1)
