"""The course room: every exercise with right, wrong, empty and broken answers; the first check."""

import inspect
import itertools
import json
import math
import random
import re
import sys
from collections import Counter
from copy import deepcopy
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from invariants import answer, boom
from refusals import refused

from mcts_course import lessons, show_source, wilson_interval
from mcts_course.lessons import (
    bug_clinic,
    costs,
    explore_or_exploit,
    four_phases,
    hints,
    luck,
    my_game,
    near_the_truth,
    perfect_play,
    random_games,
    reasoning,
    smarter_playouts,
    teach_itself,
    what_uct_weighs,
    which_move,
)
from mcts_course.show import feedback
from mcts_course.work import exercises as exercises_module
from mcts_course.work.exercises import Case, Exercise, Question, Task, Texts
from mcts_viz import MCTS, GameTree, ucb1
from mcts_viz.games import Playout
from mcts_viz.search.variants import blocks, wins_at_once

pytestmark = pytest.mark.many

ROOT = Path(__file__).parents[3]
LESSONS = lessons.ORDER


def exercises():
    for lesson in LESSONS:
        for name, value in vars(import_module(f"mcts_course.lessons.{lesson}")).items():
            if isinstance(value, Question | Task):  # others have tests of their own
                yield f"{lesson}.{name}", value


def of_kind(kind):
    found = [(name, exercise) for name, exercise in exercises() if isinstance(exercise, kind)]
    return pytest.mark.parametrize(
        "exercise", [exercise for _, exercise in found], ids=[name for name, _ in found]
    )


def right_answer(exercise):
    return exercise.right if isinstance(exercise, Question) else exercise.solution


# Every exercise of every lesson


def words_of(text):
    """Words by their first five letters, so that endings do not count, and numbers."""
    return {word[:5].lower() for word in re.findall(r"[^\W\d]+|\d+(?:[.,/]\d+)*", text)}


def tasks():
    """The words of each exercise, from its statement to the end of its texts, without its hint."""
    found = {}
    for lesson in LESSONS:
        source = (ROOT / f"mcts_course/lessons/{lesson}.md").read_text("utf-8")
        begun = source.find("## Exercises")
        for block in re.finditer(r"```texts (\w+)\n.*?\n```", source, re.S):
            task = source[begun if 0 <= begun < block.start() else 0 : block.end()]
            found[f"{lesson}.{block[1]}"] = words_of(re.sub(r"(?m)^hint = .*$", "", task))
            begun = block.end()
    return found


SPEAK_OF_BOTH = {
    ("a win for all", "no visits"),
    ("a win for all", "a draw is won"),
    ("all blamed on the luck", "measured from the better move"),
    ("one loss", "nothing open"),
    ("of all attempts", "all claims"),
    ("the leader alone", "all the others"),
    ("no visits", "no wins"),
}
"""Mistakes whose replies say the words of the other's name, too."""


def test_no_two_replies_of_an_exercise_fit_better_when_they_are_exchanged():
    """A reply says words of its mistake's name, the rarer, the more; some say none of them."""
    told = [exercise.said.replies for _, exercise in exercises()]
    often = Counter(
        word for replies in told for text in replies.values() for word in words_of(text)
    )
    every = often.total()

    def fit(name, text):
        shared = words_of(name) & words_of(text)
        return sum(math.log(every / often[word]) for word in shared)

    compared = 0
    for replies in told:
        named = [name for name, text in replies.items() if fit(name, text)]
        for one, other in itertools.combinations(named, 2):
            own = fit(one, replies[one]) + fit(other, replies[other])
            exchanged = fit(one, replies[other]) + fit(other, replies[one])
            is_known = (one, other) in SPEAK_OF_BOTH
            assert own >= exchanged - 1e-9 or is_known, f"{one}, {other} could be exchanged"
            compared += own > exchanged
    assert compared > 700


def test_a_reply_that_two_exercises_give_is_to_one_mistake():
    """Word for word the same only where the name of the mistake says the same."""
    names = {}
    for _, exercise in exercises():
        for name, text in exercise.said.replies.items():
            names.setdefault(text, set()).add(name)
    assert len(names) > 250
    same = [found for found in names.values() if len(found) > 1]
    alike = [{"swapped sides", "the other's reward"}, {"no visit for a loss", "winners alone"}]
    assert [names for names in same if names not in alike] == []


def test_no_two_hints_fit_better_when_they_are_exchanged():
    """A hint shares words with its own task, the rarer, the more; so a copy of another one, or
    two that are exchanged, are seen."""
    hints_of = {name: words_of(exercise.said.hint) for name, exercise in exercises()}
    task_of = {name: words for name, words in tasks().items() if name in hints_of}
    assert task_of.keys() == hints_of.keys()
    assert len(task_of) > 30
    often = Counter(word for words in task_of.values() for word in words)

    def fit(hint, task):
        shared = hints_of[hint] & task_of[task]
        return sum(math.log(len(task_of) / often[word]) for word in shared)

    for one, other in itertools.combinations(task_of, 2):
        own, exchanged = fit(one, one) + fit(other, other), fit(one, other) + fit(other, one)
        assert own > exchanged + 1e-9, f"The hints of {one} and {other} could be exchanged."


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_reply_belongs_to_an_answer(lesson):
    """Its own, or one that exercises of the lesson share; and no text is left over."""
    module = import_module(f"mcts_course.lessons.{lesson}")
    found = [value for value in vars(module).values() if isinstance(value, Exercise)]
    made = Path(module.__file__ or "").with_suffix(".json").read_text("utf-8")
    texts = json.loads(made)["exercises"]
    shared = texts.pop("replies", {})
    assert len(found) == len(texts)
    for exercise in found:
        assert exercise.wrong.keys() <= exercise.said.replies.keys()
        assert exercise.said.replies.keys() <= exercise.wrong.keys() | shared.keys()
    assert shared.keys() <= {name for exercise in found for name in exercise.wrong}


@of_kind(Exercise)
def test_the_right_answer_is_right(exercise):
    verdict = exercise.judge(right_answer(exercise))
    assert verdict.kind == "right"
    assert verdict.sentence == f"✓ Right: {exercise.why}"


@of_kind(Exercise)
def test_every_misconception_gets_its_own_hint(exercise):
    """So no wrong answer is right by chance, and none is taken for another one."""
    assert len(exercise.misconceptions) >= 4
    for wrong, hint in exercise.misconceptions:
        assert exercise.judge(wrong) == ("misconception", f"✗ Not yet: {hint}")
    assert len({hint for _, hint in exercise.misconceptions}) == len(exercise.misconceptions)


class Hostile:
    """An answer that does nothing but fail."""

    __eq__ = __iter__ = __repr__ = boom
    __hash__ = None


ODD = [{}, [], object(), float("nan"), itertools.count(), "seven", -1, {1: 2}, [[]], {"root": 1}]


@of_kind(Exercise)
def test_no_answer_is_open_and_an_odd_one_gets_feedback(exercise):
    for empty in (None, ...):
        kind, sentence = exercise.judge(empty)
        assert (kind, sentence[:8]) == ("open", "○ Open: ")
    for odd in (Hostile(), *ODD):
        kind, sentence = exercise.judge(odd)
        assert kind in ("wrong", "error", "misconception")
        assert sentence.startswith("✗ Not yet: ")
        assert "\n" not in sentence


NUMBER_IN_WORDS = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?")


def parts(value):
    """The numbers and words of an answer."""
    if isinstance(value, dict):
        return [part for entry in value.values() for part in parts(entry)]
    if isinstance(value, list | tuple):
        return [part for entry in value for part in parts(entry)]
    return [value]


def gives_away(reply, right, known):
    """True if a reply contains a part of the right answer that the student has not been shown."""

    def stands_in(part, text):
        if isinstance(part, str) and not part.replace(".", "").isdigit():
            return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
        numbers = [n.replace(",", "").replace("−", "-") for n in NUMBER_IN_WORDS.findall(text)]
        return any(abs(float(number) - float(part)) <= 0.006 for number in numbers)

    return any(stands_in(part, reply) and not stands_in(part, known) for part in parts(right))


def statement(exercise):
    """The lesson's text just before it checks an answer."""
    topic, _ = exercise.said.name.split(".")
    source = Path(lessons.__path__[0], f"{topic}.md").read_text("utf-8")
    return source.split(f"{exercise.said.name}.check(")[0].rsplit("\n**", 1)[-1]


@of_kind(Question)
def test_a_wrong_answer_never_shows_the_right_one(exercise):
    wrong = [answer for answer, _ in exercise.misconceptions]
    unforeseen = "rubbish" if not isinstance(exercise.right, dict) else {"rubbish": 1}
    for given in (*wrong, unforeseen, -77):
        known = f"{statement(exercise)} {exercise.said.advice} {' '.join(map(str, parts(given)))}"
        reply = exercise.judge(given).sentence
        assert not gives_away(reply, exercise.right, known), reply


@of_kind(Question)
def test_the_first_hint_does_not_show_the_answer(exercise):
    """README: the solution comes only with the second hint, for those who ask for it."""
    known = f"{statement(exercise)} {exercise.said.advice}"
    assert not gives_away(exercise.said.hint, exercise.right, known)


def test_every_exercise_has_a_hint_of_its_own():
    found = [exercise for _, exercise in exercises()]
    assert len({exercise.said.hint for exercise in found}) == len(found)
    for exercise in found:
        assert exercise.said.hint[-1] in ".?"
        assert exercise.said.hint not in (exercise.why, exercise.said.advice)


@of_kind(Task)
def test_a_wrong_function_never_shows_the_right_one(exercise):
    _, *lines = inspect.getsource(exercise.solution).splitlines()
    stripped = [line.strip().removeprefix("return ") for line in lines]
    telling = [line for line in stripped if len(line) > 9]
    assert telling
    for _, reply in exercise.misconceptions:
        assert not any(line in reply for line in telling), reply


@of_kind(Exercise)
def test_the_second_hint_is_the_solution(exercise, capsys):
    hints = []
    for _ in range(3):
        exercise.hint()
        hints.append(" ".join(capsys.readouterr().out.split()))
    assert hints[0] == f"Hint 1 of 2. {exercise.said.hint}"
    assert hints[1] == hints[2]
    assert exercise.why.split(".")[0] in hints[1]


@of_kind(Task)
def test_the_solution_in_the_hint_can_be_pasted(exercise):
    """The solution needs only names that the lesson has imported."""
    names = {name: getattr(math, name) for name in ("inf", "log", "sqrt")}
    names |= {"wins_at_once": wins_at_once, "blocks": blocks}
    given = set(names)
    exec(exercise._solution()[1], names)
    [written] = names.keys() - given - {"__builtins__"}
    assert exercise.judge(names[written]).kind == "right"


def minimax_with_an_if(game, state):
    if game.is_terminal(state):
        return game.returns(state)[0]
    best = None
    for action in game.legal_actions(state):
        value = minimax_with_an_if(game, game.play(state, action))
        if best is None or (value > best if game.to_move(state) == 0 else value < best):
            best = value
    return best


def learned(value, reward, after, same, alpha):
    target = (1 if same else -1) * max(after) if after else reward
    return (1 - alpha) * value + alpha * target


def as_a_set(game, state, legal):
    return set(smarter_playouts.write_considered.solution(game, state, legal))


def takes_moves_off(moves, random_game, games):
    sums = {}
    while moves:
        move = moves.pop()
        sums[move] = sum(random_game(move) for _ in range(games))
    return max(sums, key=sums.get)


def takes_nodes_off(path, winner):
    while path:
        node = path.pop()
        node.visits += 1
        node.wins += 0.5 if winner is None else winner == node.player_just_moved


def turn_by_turn(path, winner):
    reward = 0.5 if winner is None else float(winner == path[0].player_just_moved)
    for node in path:
        node.visits, node.wins, reward = node.visits + 1, node.wins + reward, 1 - reward


def first_unpulled(wins, pulls, c):
    for arm, n in pulls.items():
        if n == 0:
            return arm
    total = math.log(sum(pulls.values()))
    scores = {arm: wins[arm] / n + c * math.sqrt(total / n) for arm, n in pulls.items()}
    return sorted(scores, key=scores.get)[-1]


def sees_no_slope(one, other, total):
    try:
        lead = other[0] / other[1] - one[0] / one[1]
        c = lead / (math.sqrt(math.log(total) / one[1]) - math.sqrt(math.log(total) / other[1]))
    except ZeroDivisionError:
        return None
    return round(c, 2) if c >= 0 else None


def without_the_leader(visits, left):
    leader = max(visits)
    visits.remove(leader)
    return leader >= max(visits) + left + 1


def open_is_nothing(children, untried):
    known = [*children.values(), *(0 for _ in untried)]
    return -max(known)


def expectiminimax(kind, values, chances):
    return {
        "max": lambda: sorted(values)[-1],
        "min": lambda: sorted(values)[0],
        "chance": lambda: np.dot(values, chances),
    }[kind]()


def climbs_in_place(rewards, discount):
    rewards.reverse()
    for step in range(1, len(rewards)):
        rewards[step] += discount * rewards[step - 1]
    rewards.reverse()
    return rewards


def newest_first(pupil, rounds, games):
    seen = ()
    for _ in range(rounds * games):
        seen = (*pupil.play(), *seen)
        if pupil.played % games == 0:
            pupil.learn(seen)


def shuffled(pupil, rounds, games):
    seen = []
    for _ in range(rounds):
        seen += [one for _ in range(games) for one in pupil.play()]
        random.shuffle(seen)
        pupil.learn(seen)


def target_with_a_default(value, reward, after, same, alpha):
    best = max(after, default=0)
    return value + alpha * (reward + (best if same else -best) - value)


def as_keys(game, state, legal):
    found = smarter_playouts.write_considered.solution(game, state, legal)
    return dict.fromkeys(reversed(found)).keys()


ALL_IN_TURN = ["v", "u", "l"]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (random_games.write_flat_monte_carlo, takes_moves_off),
        (explore_or_exploit.write_next_arm, first_unpulled),
        (four_phases.write_backpropagate, takes_nodes_off),
        (four_phases.write_backpropagate, turn_by_turn),
        (what_uct_weighs.write_crossing, sees_no_slope),
        (which_move.write_can_stop, without_the_leader),
        (near_the_truth.write_proof, open_is_nothing),
        (luck.write_worth, expectiminimax),
        (costs.write_climb, climbs_in_place),
        (costs.write_climb, lambda *given: [round(r, 2) for r in costs.climb(*given)]),
        (teach_itself.write_loop, newest_first),
        (teach_itself.write_loop, shuffled),
        (teach_itself.write_new_value, target_with_a_default),
        (smarter_playouts.write_considered, as_keys),
        (perfect_play.pruned, ALL_IN_TURN),
        (perfect_play.pruned, set(ALL_IN_TURN)),
        (perfect_play.pruned, "l, u, V"),
        (explore_or_exploit.regret_of_five, Decimal("0.9")),
        (random_games.games_needed, np.array(3200)),
        (what_uct_weighs.read_c, {"A": "√2", "B": 10, "C": 0}),
        (what_uct_weighs.read_c, {"A": "sqrt(2)", "B": 10, "C": 0}),
        (perfect_play.write_minimax, minimax_with_an_if),
        (teach_itself.write_new_value, learned),
        (smarter_playouts.write_considered, as_a_set),
        (my_game.large_boards, ["Dogs ", "CATS"]),
        (random_games.games_needed, "3,200"),
        (explore_or_exploit.regret_of_five, "0,9"),
        (explore_or_exploit.regret_of_five, "90 %"),
        (explore_or_exploit.regret_of_five, "9/10"),
        (what_uct_weighs.read_c, {"A": "1,41", "B": "10", "C": "0"}),
        (near_the_truth.regrets, {"4": 0, "5": "½", "6": 1, "7": 1, "8": 1}),
    ],
)
def test_another_right_answer_is_right(exercise, answer):
    assert exercise.judge(answer).kind == "right"


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        (explore_or_exploit.regret_of_five, 90, "in percent"),
        (explore_or_exploit.regret_of_five, -0.9, "Check the sign"),
        (near_the_truth.regrets, {4: 0, 5: 50, 6: 100, 7: 100, 8: 100}, "in percent"),
        (near_the_truth.regrets, {4: 0, 5: -0.5, 6: -1, 7: -1, 8: -1}, "Check the sign"),
        (random_games.games_needed, -3200, "Check the sign"),
        (what_uct_weighs.read_c, {"A": 2, "B": 10, "C": 0}, "A is not 2."),
        (what_uct_weighs.read_c, {"A": "√3", "B": 10, "C": 0}, "A is not 1.73205."),
        (reasoning.three_attempts, 49, "in percent"),
        (luck.by_hand, {"roll": 87.5, "hold": 31, "move": "roll"}, "in percent"),
        (luck.move_and_luck, {"move": -8, "luck": -32, "better": "hold"}, "in percent"),
        (luck.move_and_luck, {"move": -8, "luck": -32, "better": "roll"}, "move is not -8."),
        (costs.by_hand, [-4.58, -6.2, -8, -10], "Check the sign"),
        (random_games.games_needed, [3200], "give the answer alone, without brackets."),
        (random_games.games_needed, {3200}, "give the answer alone, without brackets."),
    ],
)
def test_a_slip_of_unit_or_sign_is_named(exercise, answer, said):
    kind, sentence = exercise.judge(answer)
    assert kind == "wrong"
    assert said in sentence


@pytest.mark.parametrize("word", ["1,2,3", "1/0", "%", "l,u", "inf", ""])
def test_what_is_no_number_stays_a_word(word):
    assert exercises_module.plain(word) == word


# Mistakes as students write them: in words of their own, and named all the same


def x_wins_everywhere(path, winner):
    for node in path:
        node.visits += 1
        if winner is None:
            node.wins += 1 / 2
        if winner == 0:
            node.wins = node.wins + 1


def not_the_winner(path, winner):
    for node in reversed(path):
        node.visits = node.visits + 1
        node.wins += 0.5 if winner is None else int(node.player_just_moved != winner)


def minus_one(path, winner):
    for node in path:
        node.visits += 1
        node.wins += 0.5 if winner is None else 1 if winner == node.player_just_moved else -1


def arm_without_optimism(wins, pulls, c):
    total, best, found = sum(pulls.values()), None, None
    for arm, n in pulls.items():
        if n == 0:
            return arm
        score = wins[arm] / n - c * math.sqrt(math.log(total) / n)
        if best is None or score > best:
            best, found = score, arm
    return found


def puct_untried_first(wins, visits, total, prior, c):
    if not visits:
        return math.inf
    return wins / visits + c * prior * math.sqrt(total) / (visits + 1)


def puct_one_root(wins, visits, total, prior, c):
    return (wins / visits if visits else 0.5) + c * prior * (total / (visits + 1)) ** 0.5


def stops_at_half_the_lead(visits, left):
    ordered = sorted(visits)
    return 2 * (ordered[-1] - ordered[-2]) > left


def against_all_others(visits, left):
    leader = max(visits)
    return leader - (sum(visits) - leader) > left


def crossed_upside_down(one, other, total):
    slope = math.sqrt(math.log(total) / other[1]) - math.sqrt(math.log(total) / one[1])
    mean = one[0] / one[1] - other[0] / other[1]
    if slope == 0:
        return None
    return slope / mean if slope / mean >= 0 else None


def list_made_anew(pupil, rounds, games):
    for _ in range(rounds):
        pupil.learn([one for _ in range(games) for one in pupil.play()])


def learning_in_the_inner_loop(pupil, rounds, games):
    seen = []
    for _ in range(rounds):
        for _ in range(games):
            seen.extend(pupil.play())
            pupil.learn(seen)


def false_claims(p, gullible):
    wrong = (1 - p) * gullible
    return wrong / (wrong + p)


def best_game(moves, random_game, games):
    best, found = -1, None
    for move in moves:
        for reward in [random_game(move) for _ in range(games)]:
            if reward > best:
                best, found = reward, move
    return found


def games_in_all(moves, random_game, games):
    sums = dict.fromkeys(moves, 0)
    for move in moves:
        for _ in range(games // len(moves)):
            sums[move] += random_game(move)
    return max(sums, key=sums.get)


def smallest_everywhere(game, state):
    if game.is_terminal(state):
        return game.returns(state)[0]
    return min(smallest_everywhere(game, game.play(state, a)) for a in game.legal_actions(state))


def expected_reply(value, reward, next_values, same_player, alpha):
    target = reward
    if next_values:
        target = sum(next_values) / len(next_values) * (1 if same_player else -1)
    return (1 - alpha) * value + alpha * target


AS_STUDENTS_WRITE_THEM = [
    (four_phases.write_backpropagate, x_wins_everywhere, "X's reward"),
    (four_phases.write_backpropagate, not_the_winner, "swapped sides"),
    (four_phases.write_backpropagate, minus_one, "a loss takes away"),
    (explore_or_exploit.write_next_arm, arm_without_optimism, "the sign"),
    (hints.write_puct, puct_untried_first, "untried first"),
    (hints.write_puct, puct_one_root, "root of all"),
    (which_move.write_can_stop, stops_at_half_the_lead, "shared out"),
    (which_move.write_can_stop, against_all_others, "all the others"),
    (what_uct_weighs.write_crossing, crossed_upside_down, "upside down"),
    (teach_itself.write_loop, list_made_anew, "forgets"),
    (teach_itself.write_loop, learning_in_the_inner_loop, "learns after every game"),
    (teach_itself.write_new_value, expected_reply, "the mean"),
    (reasoning.write_trust, false_claims, "the false share"),
    (random_games.write_flat_monte_carlo, best_game, "the best game"),
    (random_games.write_flat_monte_carlo, games_in_all, "games shared"),
    (perfect_play.write_minimax, smallest_everywhere, "MIN everywhere"),
    (bug_clinic.write_reward, lambda returns, player, root: 1 + returns[player], "from 0 to 2"),
]


@pytest.mark.parametrize(("exercise", "function", "name"), AS_STUDENTS_WRITE_THEM)
def test_a_mistake_is_named_however_it_is_written(exercise, function, name):
    verdict = exercise.judge(function)
    assert verdict == ("misconception", f"✗ Not yet: {exercise.said.replies[name]}")


# Wrong programs that are right in many cases, or look like another mistake in them


def rewards_above_0(moves, random_game, games):
    return max(moves, key=lambda move: sum(random_game(move) > 0 for _ in range(games)))


def fewest_losses(moves, random_game, games):
    return max(moves, key=lambda move: sum(random_game(move) != 0 for _ in range(games)))


def median_game(moves, random_game, games):
    return max(moves, key=lambda move: median(random_game(move) for _ in range(games)))


def mean_against_sum(moves, random_game, games):
    best, found = 0, moves[0]
    for move in moves:
        total = sum(random_game(move) for _ in range(games))
        if total / games > best:
            best, found = total, move
    return found


def next_arm(logarithm=lambda pulls: math.log(sum(pulls.values())), unpulled=math.inf):
    """UCB1 with another logarithm, or another score of an arm without a pull."""

    def by_score(wins, pulls, c):
        def score(arm):
            n = pulls[arm]
            return wins[arm] / n + c * math.sqrt(logarithm(pulls) / n) if n else unpulled

        return max(pulls, key=score)

    return by_score


def logarithm_first(wins, pulls, c):
    total = math.log(sum(pulls.values()))

    def score(arm):
        n = pulls[arm]
        return wins[arm] / n + c * math.sqrt(total / n) if n else math.inf

    return max(pulls, key=score)


def arm_above_0(wins, pulls, c):
    found, best = None, 0
    for arm, n in pulls.items():
        score = wins[arm] / n + c * math.sqrt(math.log(sum(pulls.values())) / n) if n else math.inf
        if score > best:
            found, best = arm, score
    return found


def crossing_of_means(one, other, total):
    if one[0] / one[1] == other[0] / other[1]:
        return 0
    return what_uct_weighs.write_crossing.solution(one, other, total)


def three_moves(visits, left):
    ordered = sorted(visits)
    return ordered[-1] - ordered[1] > left


def only_overtaken(visits, left):
    first = second = 0
    for number in visits:
        if number > first:
            first, second = number, first
    return first - second > left


def last_child(children, untried):
    found = 0
    for value in children.values():
        found = -1 if value == 1 else int(value == -1 and not untried)
    return found


def sum_of_proofs(children, untried):
    total = sum(children.values())
    return -1 if total > 0 else int(total == -len(children) and not untried)


def largest_child(children, untried):
    largest = max(children.values())
    return -1 if largest == 1 else 0 if untried else -largest


def stops_at_an_open_child(children, untried):
    for value in children.values():
        if value == 1:
            return -1
        if value == 0 or untried:
            return 0
    return 1


def forced_by_all_replies(game, state, plies, again):
    if plies <= 0:
        return False
    for move in game.legal_actions(state):
        after = game.play(state, move)
        if game.is_terminal(after):
            won = game.returns(after)[game.to_move(state)] == 1
        else:
            replies = game.legal_actions(after)
            won = all(again(game, game.play(after, reply), plies - 2) for reply in replies)
        if won:
            return True
    return False


def worth_from_0(kind, values, chances):
    if kind == "chance":
        return luck.worth(kind, values, chances)
    return max(0, *values) if kind == "max" else min(1, *values)


def sampled(kind, values, chances):
    if kind == "chance":
        return random.choices(values, chances)[0]
    return luck.worth(kind, values, chances)


def puct(mean, root=math.sqrt):
    return lambda w, n, total, prior, c: mean(w, n) + c * prior * root(total) / (1 + n)


def rewards_are_ends(value, reward, after, same, alpha):
    target = reward if reward else max(after) if same else -max(after)
    return value + alpha * (target - value)


def value_from_0(value, reward, after, same, alpha):
    best = max(0, *after) if after else reward
    return value + alpha * ((best if same or not after else -best) - value)


def ends_for_the_other(value, reward, after, same, alpha):
    target = reward
    if same or after:
        target = max(after) if same else -max(after)
    return value + alpha * (target - value)


def learns(change):
    """The loop, with ``change`` in place of all examples of a game."""

    def loop(pupil, rounds, games):
        seen = []
        for _ in range(rounds):
            for _ in range(games):
                seen += change(pupil.play())
            pupil.learn(seen)

    return loop


def one_place(rewards, discount):
    return [round(value, 1) for value in costs.climb(rewards, discount)]


SCORES = (1, 0.5, 2, 100)
LOGARITHMS = {
    "N + 1": lambda pulls: math.log(sum(pulls.values()) + 1),
    "N - 1": lambda pulls: math.log(max(1, sum(pulls.values()) - 1)),
    "base 2": lambda pulls: math.log2(max(1, sum(pulls.values()))),
    "arms": lambda pulls: 2 * math.log(len(pulls)),
}
NEARLY_RIGHT = [
    (random_games.write_flat_monte_carlo, rewards_above_0),
    (random_games.write_flat_monte_carlo, fewest_losses),
    (random_games.write_flat_monte_carlo, median_game),
    (random_games.write_flat_monte_carlo, mean_against_sum),
    *((explore_or_exploit.write_next_arm, next_arm(unpulled=score)) for score in SCORES),
    *((explore_or_exploit.write_next_arm, next_arm(other)) for other in LOGARITHMS.values()),
    (explore_or_exploit.write_next_arm, logarithm_first),
    (explore_or_exploit.write_next_arm, arm_above_0),
    (what_uct_weighs.write_crossing, crossing_of_means),
    (which_move.write_can_stop, three_moves),
    (which_move.write_can_stop, only_overtaken),
    (near_the_truth.write_proof, last_child),
    (near_the_truth.write_proof, sum_of_proofs),
    (near_the_truth.write_proof, largest_child),
    (near_the_truth.write_proof, stops_at_an_open_child),
    (luck.write_worth, worth_from_0),
    (luck.write_worth, sampled),
    (costs.write_climb, one_place),
    (hints.write_puct, puct(lambda w, n: w / n if w else 0.5)),
    (hints.write_puct, puct(lambda w, n: w / n if n else 0.5, math.isqrt)),
    (teach_itself.write_new_value, rewards_are_ends),
    (teach_itself.write_new_value, value_from_0),
    (teach_itself.write_new_value, ends_for_the_other),
    (teach_itself.write_loop, learns(lambda examples: examples[:1])),
    (teach_itself.write_loop, learns(lambda examples: 2 * examples)),
    (teach_itself.write_loop, learns(set)),
]


@pytest.mark.parametrize(("exercise", "function"), NEARLY_RIGHT)
def test_what_is_right_in_many_cases_is_wrong_and_gets_no_reply_to_another_mistake(
    exercise, function
):
    kind, sentence = exercise.judge(function)
    assert kind in ("wrong", "error")
    words = (
        "expected (.*), got (.*)[.] Which|your function ends in|gives first (.*) and then (.*)[.]"
    )
    told = re.search(words, sentence)
    assert told, sentence
    assert told[1] is None or told[1] != told[2]


def test_one_lost_child_is_named_where_untried_moves_are_asked_for():
    def one_loss(children, untried):
        if 1 in children.values():
            return -1
        return int(-1 in children.values() and not untried)

    told = near_the_truth.write_proof.judge(one_loss)
    said = near_the_truth.write_proof.said.replies["one loss"]
    assert told == ("misconception", f"✗ Not yet: {said}")


def test_a_function_that_changes_its_mind_is_told_so_and_nothing_else():
    for _ in range(20):
        _, sentence = luck.write_worth.judge(sampled)
        told = re.search("gives first (.*) and then (.*)[.] What makes it change", sentence)
        assert told, sentence
        assert told[1] != told[2]


def test_an_arm_is_not_called_like_the_constant():
    sentence = explore_or_exploit.write_next_arm.judge(lambda wins, pulls, c: max(wins)).sentence
    assert "expected arm A, got arm " in sentence or "expected arm C, got arm " in sentence


def unwritten(*_):
    raise NotImplementedError


@of_kind(Task)
def test_a_function_that_is_empty_fails_or_is_called_too_early_is_told_so(exercise):
    for stub in (answer(None), answer(...), unwritten):
        kind, sentence = exercise.judge(stub)
        assert (kind, sentence[:8]) == ("open", "○ Open: ")
    words = "your function ends in ZeroDivisionError: division by zero."
    failed = ("error", f"✗ Not yet: {exercise.cases[0].words}, {words}")
    assert exercise.judge(lambda *_: 1 / 0) == failed
    kind, sentence = exercise.judge(7)
    assert kind == "error"
    assert "without ()" in sentence


def without_end(*_):
    while True:
        pass


def without_end_though_caught(*_):
    while True:
        try:
            sum(range(9))
        except Exception:
            continue


def too_deep(*arguments):
    return too_deep(*arguments)


def leaves(*_):
    sys.exit()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (without_end, "ends in 100,000 steps without a result: a loop without an end, or "),
        (without_end_though_caught, "ends in 100,000 steps without a result: a loop without an "),
        (too_deep, "ends in RecursionError"),
        (leaves, "ends in SystemExit."),
        (lambda: None, "ends in TypeError"),
    ],
)
def test_however_a_function_fails_it_is_said(function, words):
    exercise = four_phases.write_backpropagate
    kind, sentence = exercise.judge(function)
    assert kind == "error"
    assert sentence.startswith(f"✗ Not yet: {exercise.cases[0].words}, your function {words}")


@of_kind(Task)
def test_no_answer_can_change_the_cases(exercise):
    before = [describe(case.arguments) for case in exercise.cases]

    def destroy(*arguments):
        for argument in arguments:
            for part in argument if isinstance(argument, list) else ():
                for name in getattr(part, "__slots__", ()):
                    setattr(part, name, None)
            if isinstance(argument, list | dict):
                argument.clear()

    exercise.judge(destroy)
    assert [describe(case.arguments) for case in exercise.cases] == before


def describe(value):
    """A value with all its attributes, to compare."""
    if isinstance(value, list | tuple):
        return [describe(part) for part in value]
    names = getattr(value, "__slots__", ())
    return {name: repr(getattr(value, name)) for name in names} or value


# The kinds of exercise


NUMBER = Question(Texts("so it is.", {"inverted": "invert it."}, "Divide."), 0.25, {"inverted": 4})
ENTRIES = Question(Texts("so it is.", {}, "Look again."), {"a": (1, 2), "b": "yes"}, {})


TWINS = Question(
    Texts("so it is.", {"one": "you did one.", "two": "you did two."}, "Think."),
    3,
    {"one": 4, "two": 4},
)
DIVIDE = Task(
    solution=lambda wins, visits: wins / visits if visits else 0,
    cases=(Case("with 1 of 2", (1, 2)), Case("with no visit", (0, 0))),
    said=Texts("so it is.", {"no visit": "think of the node without a visit."}),
    wrong={"no visit": lambda wins, visits: wins / visits},
)
YES = {"a": (1, 2), "b": "yes"}


@pytest.mark.parametrize(
    ("exercise", "answers", "kind", "said"),
    [
        (NUMBER, (0.25, "0.25", " .25 ", 0.2549), "right", ""),
        (NUMBER, (3,), "wrong", "3 is not the answer. Divide."),
        (NUMBER, (0.26,), "wrong", "0.26 is not the answer. Divide."),
        (TWINS, (4,), "wrong", "4 is not the answer. Think."),
        (
            ENTRIES,
            ({"a": [1.0, 2], "b": "Yes "}, {"b": "yes", "A": ("1", 2)}),
            "right",
            "so it is.",
        ),
        (ENTRIES, ({"a": (1, ...), "b": "yes"}, YES | {"b": None}), "open", ""),
        (ENTRIES, (YES | {"a": (1, 3)},), "wrong", "a is not (1, 3). Look again."),
        (ENTRIES, (YES | {"a": [1, 3]},), "wrong", "a is not (1, 3). Look again."),
        (ENTRIES, (YES | {"a": (1, 2, 3)},), "wrong", "a is not (1, 2, 3). Look again."),
        (ENTRIES, (YES | {"b": "no"},), "wrong", "b is not no. Look again."),
        (ENTRIES, ({"a": (1, 2)},), "wrong", "answer with a dict whose keys are a, b. Look again."),
        (
            ENTRIES,
            (YES | {"c": 0},),
            "wrong",
            "answer with a dict whose keys are a, b. Look again.",
        ),
        (ENTRIES, ("yes",), "wrong", "answer with a dict whose keys are a, b. Look again."),
        (DIVIDE, (answer(2),), "wrong", "with 1 of 2, expected 0.5, got 2."),
        (DIVIDE, (answer(0.5),), "wrong", "with no visit, expected 0, got 0.5."),
        (
            DIVIDE,
            (lambda w, n: 0.5 if n else None,),
            "wrong",
            "with no visit, expected 0, got nothing.",
        ),
    ],
)
def test_an_answer_may_be_written_in_any_way_and_the_first_difference_is_named(
    exercise, answers, kind, said
):
    assert answers
    for given in answers:
        verdict = exercise.judge(given)
        assert verdict.kind == kind
        assert (
            verdict.sentence.removeprefix("✗ Not yet: ").removeprefix("✓ Right: ").startswith(said)
        )


def test_a_mistake_is_named_only_where_it_was_made():
    """Other formulas with other faults get the numbers, and no reply to a fault they lack."""

    def rule(bonus):
        def next_arm(wins, pulls, c):
            def score(arm):
                n = pulls[arm]
                return wins[arm] / n + c * bonus(wins, pulls, arm) if n else math.inf

            return max(pulls, key=score)

        return next_arm

    for faulty in (
        rule(lambda wins, pulls, arm: math.log(sum(pulls.values())) / math.sqrt(pulls[arm])),
        rule(lambda wins, pulls, arm: math.sqrt(math.log(1 + sum(wins.values())) / pulls[arm])),
        rule(lambda wins, pulls, arm: math.sqrt(math.log(max(pulls.values())) / pulls[arm])),
        rule(lambda wins, pulls, arm: math.sqrt(pulls[arm])),
    ):
        kind, sentence = explore_or_exploit.write_next_arm.judge(faulty)
        assert kind == "wrong"
        assert "expected " in sentence


def _double(number):
    return number + number


def test_a_misconception_is_told_by_what_it_changes():
    said = Texts("twice as many.", {"squared": "you square it."})
    case = Case("with 3", (3,))
    task = Task(said, _double, (case,), {"squared": {"number + number": "number * number"}})
    assert task.judge(lambda number: number**2) == ("misconception", "✗ Not yet: you square it.")
    for part in ("number", "number - number"):  # is there more than once, or never
        with pytest.raises(ValueError, match="must be once in"):
            Task(said, _double, (case,), {"squared": {part: "1"}})


def test_a_tracer_is_left_as_it_was():
    before = sys.gettrace()
    DIVIDE.judge(without_end)
    assert sys.gettrace() is before


# Lesson 05


@pytest.mark.parametrize(("leaf", "winner"), [(1.0, 0), (-1.0, 1), (0.0, None)])
def test_the_solution_backpropagates_as_the_search_does(leaf, winner):
    search = MCTS(GameTree({"a": {"b": {"c": leaf}}}), seed=0)
    for _ in range(3):
        path = search.select()
        node = search.expand(path)
        playout = search.simulate(node)
        own_path = deepcopy(path)
        search.backpropagate(path, playout)
        four_phases.write_backpropagate.solution(own_path, winner)
        assert [(n.wins, n.visits) for n in own_path] == [(n.wins, n.visits) for n in path]
    assert isinstance(playout, Playout)


# Sources and intervals


def test_a_source_is_shown_as_it_stands_in_its_file(monkeypatch):
    shown = []
    monkeypatch.setattr(feedback, "display", lambda forms, raw: shown.append(forms))
    show_source(MCTS.iteration, ucb1)
    text = shown[0]["text/plain"]
    assert text.startswith("# mcts_viz/search/mcts.py\ndef iteration(self) -> None:\n    path =")
    for function in ("# mcts_viz/search/mcts.py", "return child.mean, c"):
        assert function in text
    assert shown[0]["text/markdown"] == f"````python\n{text}````"
    body = text.split("\n\n\n")[1].split("\n", 1)[1]
    assert body in (ROOT / "mcts_viz/search/mcts.py").read_text(encoding="utf-8")


def test_what_has_no_source_is_refused_in_a_sentence():
    for wrong in (len, 7, "MCTS.select"):
        assert "must be a function or a class in Python" in refused(show_source, wrong)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_those_of_the_literature(successes, trials, low, high):
    """The last is the example of Newcombe (1998), "Two-sided confidence intervals", table I."""
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=6e-5)


def test_impossible_counts_are_refused():
    for successes, trials in ((0, 0), (-1, 5), (6, 5)):
        said = f"you gave ({successes}, {trials}, 1.96)"
        assert said in refused(wilson_interval, successes, trials)
