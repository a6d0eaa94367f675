"""The examination: each variant's answers, by other means than those that made them."""

import ast
import re
from math import log, sqrt

import pytest

from mcts_course import position_graph
from mcts_course.teacher.exam import exam
from mcts_viz import GameTree, Nim, alpha_beta, minimax


@pytest.mark.parametrize("seed", range(30))
def test_the_answers_are_right(seed):
    page = exam(seed)
    assert page == exam(seed)
    lines = [line for line in page.splitlines() if re.match(r"\d+\. ", line)]
    asked, answers = lines[:10], lines[10:]
    assert [line.split(".")[0] for line in asked] == [line.split(".")[0] for line in answers]
    heaps = tuple(map(int, re.findall(r"\d+", asked[0].split(".", 1)[1])))
    nodes, games, positions = map(int, re.findall(r"\d+", answers[0].split(".", 1)[1]))
    assert nodes == minimax(Nim(heaps)).nodes
    assert positions == len(position_graph(Nim(heaps)))
    assert games < nodes
    tree = ast.literal_eval(re.findall(r"`(.*)`", asked[1])[0])
    small = {move: {k: v / 10 for k, v in below.items()} for move, below in tree.items()}
    assert f"is worth {round(10 * minimax(GameTree(small)).value)}," in answers[1]
    assert alpha_beta(GameTree(small)).nodes == minimax(GameTree(small)).nodes - 1  # without f
    won_a, a, won_b, b = map(int, re.findall(r"\d+", asked[3].split(".", 1)[1])[:4])
    scores = [won / n + sqrt(2 * log(a + b) / n) for won, n in ((won_a, a), (won_b, b))]
    assert answers[3].endswith(" A." if scores[0] > scores[1] else " B.")
    high, low, narrow, wide = map(float, re.findall(r"\d\.\d+|\d(?= and)", asked[5])[:4])
    c = float(answers[5].split("= ")[-1][:-1])
    assert c == pytest.approx((high - low) / (wide - narrow), abs=6e-3)


def test_seeds_differ():
    assert len({exam(seed).split("# Answers")[0].split("\n", 1)[1] for seed in range(30)}) == 30
