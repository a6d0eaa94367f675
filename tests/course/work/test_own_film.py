"""Questions about a film: the film holds the answers, at every moment that can be asked about."""

from collections import Counter

from refusals import refused

from mcts_course.work import progress
from mcts_course.work.own_film import GAINS, TERMS, FilmQuestions, dealt, what_is_added, which_term
from mcts_course.work.own_search import SOUND, watched
from mcts_viz import MCTS, TicTacToe

WATCH = watched(*SOUND.values(), iterations=200, seed=6)
FILM = WATCH.trace


def test_the_keys_are_what_the_numbers_say_at_every_moment():
    asked = Counter()
    for iteration in range(2, len(FILM) + 1):
        before, after = FILM.at(iteration - 1), FILM.at(iteration)
        if one := which_term(FILM, iteration):
            terms = {node: before.terms(node) for node in before.children(0)}
            chosen = terms[after.path[1]]
            highest = [chosen[at] == max(pair[at] for pair in terms.values()) for at in (0, 1)]
            assert (
                one.key
                == {(1, 0): "mean", (0, 1): "exploration", (0, 0): "neither"}[
                    tuple(map(int, highest))
                ]
            )
            assert f"move {FILM.label(after.path[1])}." in one.question
            asked[one.key] += 1
        if one := what_is_added(FILM, iteration):
            node = after.path[-1]
            old = before.wins[node] if node < before.nodes else 0
            assert one.key == GAINS[after.wins[node] - old]
            asked[one.key] += 1
    assert asked.keys() == {*TERMS, *GAINS.values()}


def test_another_number_gets_other_questions_and_the_same_one_the_same():
    seen = [dealt(FILM, number) for number in range(40)]
    assert dealt(FILM, 7) == seen[7]
    assert len({pair[0].question for pair in seen}) > 20
    keys = Counter(one.key for pair in seen for one in pair)
    assert min(keys.values()) > 4, "no answer is usually right"


def test_right_wrong_and_open_answers(capsys):
    questions = FilmQuestions()
    assert questions.judge(["mean", "+1"]).kind == "open"
    questions.about(WATCH, 17)
    said = capsys.readouterr().out
    assert "Question 1. " in said
    assert "Question 2. " in said
    right = questions.right
    assert questions.judge(right).kind == "right"
    assert questions.judge((right[0].upper(), right[1])).kind == "right"
    assert questions.judge([..., right[1]]).kind == "open"
    assert questions.judge([right[0]]).sentence == "✗ Not yet: give 2 answers, in a list."
    other = next(term for term in TERMS if term != right[0])
    first = questions.asked[0]
    wrong = questions.judge([other, right[1]])
    assert wrong.kind == "wrong"
    assert f"look at iteration {first.iteration}, phase Select, for question 1." in wrong.sentence
    assert right[0] not in wrong.sentence
    questions.check([right[0], "+7"])
    assert "for question 2." in " ".join(capsys.readouterr().out.split())
    assert progress.record()["exercises"]["own film"]["verdicts"] == ["wrong"]


def test_a_trace_has_a_film_too_and_nothing_else_has(capsys):
    questions = FilmQuestions()
    questions.about(MCTS(TicTacToe(), seed=1).record(iterations=60, progress=False), "4711")
    assert len(questions.asked) == 2
    assert "what Watch has seen, or a recorded search" in refused(questions.about, 7, 1)
    questions.about(WATCH)
    assert "○ Open: write your search, and put a number" in " ".join(
        capsys.readouterr().out.split()
    )
