"""Lesson "Can you write it yourself?": a check says right only to functions that are right."""

import random as global_random
from math import log, sqrt
from random import Random

import pytest

from mcts_course.lessons import four_phases
from mcts_course.lessons import write_it_yourself as lesson
from mcts_course.work import own_search

pytestmark = pytest.mark.many

CHECKS = {
    "select": lesson.write_select,
    "expand": lesson.write_expand,
    "simulate": lesson.write_simulate,
    "backpropagate": lesson.write_backpropagate,
}


@pytest.fixture(autouse=True)
def nothing_handed_in(monkeypatch):
    monkeypatch.setattr(own_search, "_right_ones", {})


def ucb(child, parent, c):
    return child.wins / child.visits + c * sqrt(log(parent.visits) / child.visits)


def best(node, c):
    return max(node.children, key=lambda child: ucb(child, node, c))


# Functions that are right in another way


def select_again(node, c):
    return select_again(best(node, c), c) if node.children and not node.untried else node


def select_the_last_of_several(node, c):
    while node.children and not node.untried:
        node = sorted(node.children, key=lambda child: ucb(child, node, c))[-1]
    return node


def expand_after_a_shuffle(node, random):
    if node.untried:
        random.shuffle(node.untried)
        node.children.append(node.child(node.untried.pop()))
        return node.children[-1]
    return node


def simulate_from_the_legal_moves(node, random):
    state, game = node.state, node.game
    while not game.is_terminal(state):
        moves = list(game.legal_actions(state))
        state = game.play(state, moves[int(len(moves) * random.random())])
    return list(game.returns(state))


def back_up_again(node, returns):
    node.visits += 1
    node.wins += {1: 1, 0: 0.5, -1: 0}[returns[node.player]]
    if node.parent:
        back_up_again(node.parent, returns)


def simulate_by_player(node, random):
    return dict(enumerate(simulate_from_the_legal_moves(node, random)))


def back_up_in_turn(node, returns):
    reward = (1 + returns[node.player]) / 2
    while node is not None:
        node.visits, node.wins = node.visits + 1, node.wins + reward
        node, reward = node.parent, 1 - reward


def expand_with_new_lists(node, random):
    if not node.untried:
        return node
    move = random.sample(node.untried, 1)[0]
    node.untried = [other for other in node.untried if other != move]
    node.children = [*node.children, node.child(move)]
    return node.children[-1]


def simulate_what_is_untried(node, random):
    """Right in tic-tac-toe, where what is free stays legal."""
    state, moves = node.state, list(node.untried)
    random.shuffle(moves)
    while not node.game.is_terminal(state):
        state = node.game.play(state, moves.pop())
    return node.game.returns(state)


def simulate_by_children(node, random):
    while node.untried:
        node = node.child(random.choice(node.untried))
    return node.game.returns(node.state)


RIGHT = [
    ("expand", expand_with_new_lists),
    ("simulate", simulate_what_is_untried),
    ("simulate", simulate_by_children),
    ("select", select_again),
    ("select", select_the_last_of_several),
    ("expand", expand_after_a_shuffle),
    ("simulate", simulate_from_the_legal_moves),
    ("simulate", simulate_by_player),
    ("backpropagate", back_up_again),
    ("backpropagate", back_up_in_turn),
]


@pytest.mark.parametrize(("name", "function"), RIGHT)
def test_another_right_function_is_right(name, function):
    assert CHECKS[name].judge(function) == ("right", f"✓ Right: {CHECKS[name].why}")


# Functions that Watch alone finds nothing wrong with, or that got a reply of another mistake


def select_two_levels(node, c):
    for _ in range(2):
        if node.children and not node.untried:
            node = best(node, c)
    return node


def select_with_twice_c(node, c):
    while node.children and not node.untried:
        node = best(node, 2 * c)
    return node


def select_by_the_roots_visits(node, c):
    root = node
    while node.children and not node.untried:
        node = max(node.children, key=lambda child: ucb(child, root, c))
    return node


def select_and_count(node, c):
    while node.children and not node.untried:
        node.visits += 1
        node = best(node, c)
    return node


def select_the_root(node, c):
    return (node, c)[0]


def expand_after_a_visit(node, random):
    return node if node.parent and node.visits == 0 else expand_after_a_shuffle(node, random)


def expand_two(node, random):
    child = node
    for move in random.sample(node.untried, min(2, len(node.untried))):
        node.untried.remove(move)
        child = node.child(move)
        node.children.append(child)
    return child


def expand_by_luck_of_its_own(node, random):
    return expand_after_a_shuffle(node, global_random)


def simulate_one_random_move(node, random):
    state, moves = node.state, []
    while not node.game.is_terminal(state):
        legal = node.game.legal_actions(state)
        moves.append(legal[0] if moves else random.choice(legal))
        state = node.game.play(state, moves[-1])
    return node.game.returns(state)


def simulate_by_luck_of_its_own(node, random):
    return simulate_from_the_legal_moves(node, global_random)


def simulate_from_the_root(node, random):
    while node.parent:
        node = node.parent
    return simulate_from_the_legal_moves(node, random)


def simulate_for_the_mover(node, random):
    returns = simulate_from_the_legal_moves(node, random)
    return returns if node.player == 0 else returns[::-1]


def simulate_with_nodes(node, random):
    while not node.game.is_terminal(node.state):
        node.children.append(node.child(random.choice(node.game.legal_actions(node.state))))
        node = node.children[-1]
    return node.game.returns(node.state)


def toss_a_coin(node, random):
    return random.choice([(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)])


def back_up_no_wins_of_the_root(node, returns):
    while node:
        node.visits += 1
        node.wins += (1 + returns[node.player]) / 2 if node.parent else 0
        node = node.parent


def back_up_means(node, returns):
    while node:
        node.visits += 1
        node.wins += ((1 + returns[node.player]) / 2 - node.wins) / node.visits
        node = node.parent


def back_up_less_and_less(node, returns):
    part = 1.0
    while node:
        node.visits, node.wins = node.visits + 1, node.wins + part * (1 + returns[node.player]) / 2
        node, part = node.parent, 0.99 * part


def select_by_the_roots_number_plus_one(node, c):
    while node.children and not node.untried:
        total = node.visits + 1
        node = max(
            node.children,
            key=lambda child: child.wins / child.visits + c * sqrt(log(total) / child.visits),
        )
    return node


def select_the_score(node, c):
    while node.children and not node.untried:
        node = best(node, c)
    return ucb(node, node.parent, c) if node.parent else 0


def select_the_path(node, c):
    path = [node]
    while path[-1].children and not path[-1].untried:
        path.append(best(path[-1], c))
    return path


def expand_all_in_order(node, random):
    if not node.untried:
        return node
    node.children = [node.child(move) for move in node.untried]
    node.untried = []
    return random.choice(node.children)


def expand_and_move_on(node, random):
    child = expand_after_a_shuffle(node, random)
    node.state = child.state
    return child


def expand_with_a_shared_list(node, random):
    child = expand_after_a_shuffle(node, random)
    if child is not node:
        child.untried = node.untried
    return child


def expand_and_give_the_move(node, random):
    child = expand_after_a_shuffle(node, random)
    return node if child is node else child.move


def simulate_one_number(node, random):
    return simulate_from_the_legal_moves(node, random)[node.player]


def simulate_half_draws(node, random):
    returns = simulate_from_the_legal_moves(node, random)
    return returns if any(returns) else (0.5, 0.5)


def simulate_from_the_list(node, random):
    random.shuffle(node.untried)
    return simulate_from_the_legal_moves(node, random)


def simulate_and_count(node, random):
    node.visits += 1
    return simulate_from_the_legal_moves(node, random)


def simulate_with_the_seed_42(node, random):
    return simulate_from_the_legal_moves(node, Random(42))


def expand_by(pick):
    """Expand, with the place of the next move from ``pick(number, random)``."""

    def expand(node, random):
        if not node.untried:
            return node
        child = node.child(node.untried.pop(pick(len(node.untried), random)))
        node.children.append(child)
        return child

    return expand


def expand_and(change):
    """Expand, and then ``change(node, child)``."""

    def expand(node, random):
        child = expand_after_a_shuffle(node, random)
        if child is not node:
            change(node, child)
        return child

    return expand


def simulate_by(pick):
    """Simulate, with the place of the next move from ``pick(number, random)``."""

    def simulate(node, random):
        state, game = node.state, node.game
        while not game.is_terminal(state):
            moves = game.legal_actions(state)
            state = game.play(state, moves[pick(len(moves), random)])
        return game.returns(state)

    return simulate


def rounded(number, random):
    return round(random.random() * (number - 1))


def the_lower_of_two(number, random):
    return min(random.randrange(number), random.randrange(number))


def the_higher_of_two(number, random):
    return max(random.randrange(number), random.randrange(number))


def of_the_first_three(number, random):
    return random.randrange(min(3, number))


def of_the_last_three(number, random):
    return number - 1 - random.randrange(min(3, number))


UNEVEN = [rounded, the_lower_of_two, the_higher_of_two, of_the_first_three, of_the_last_three]


def wins_of_all_children_go(node, child):
    for each in node.children:
        each.wins = 0.0


def wins_go(node, child):
    node.wins = 0


def a_win_more(node, child):
    node.wins += 1


def a_win_at_once(node, child):
    child.wins = 1


def a_visit_of_the_first(node, child):
    node.children[0].visits += 1


CHANGES = [wins_of_all_children_go, wins_go, a_win_more, a_win_at_once, a_visit_of_the_first]


WRONG = [
    *(("expand", expand_by(pick)) for pick in UNEVEN),
    *(("expand", expand_and(change)) for change in CHANGES),
    *(("simulate", simulate_by(pick)) for pick in UNEVEN),
    ("select", select_by_the_roots_number_plus_one),
    ("select", select_the_score),
    ("expand", expand_all_in_order),
    ("expand", expand_and_move_on),
    ("expand", expand_with_a_shared_list),
    ("simulate", simulate_half_draws),
    ("simulate", simulate_from_the_list),
    ("simulate", simulate_and_count),
    ("simulate", simulate_with_the_seed_42),
    ("select", select_two_levels),
    ("select", select_with_twice_c),
    ("select", select_and_count),
    ("select", select_the_root),
    ("expand", expand_after_a_visit),
    ("expand", expand_two),
    ("simulate", simulate_one_random_move),
    ("simulate", simulate_from_the_root),
    ("simulate", simulate_for_the_mover),
    ("simulate", simulate_with_nodes),
    ("simulate", toss_a_coin),
    ("backpropagate", back_up_no_wins_of_the_root),
    ("backpropagate", back_up_less_and_less),
]


NAMED = [
    ("select", select_the_path, "the path"),
    ("select", select_by_the_roots_visits, "the root's visits"),
    ("expand", expand_and_give_the_move, "the move"),
    ("expand", expand_by_luck_of_its_own, "luck of its own"),
    ("simulate", simulate_one_number, "one number"),
    ("simulate", simulate_by_luck_of_its_own, "luck of its own"),
    ("backpropagate", back_up_means, "a mean"),
]


@pytest.mark.parametrize(("name", "function", "mistake"), NAMED)
def test_a_mistake_with_a_reply_gets_that_reply(name, function, mistake):
    exercise = CHECKS[name]
    wanted = ("misconception", f"✗ Not yet: {exercise.said.replies[mistake]}")
    assert exercise.judge(function) == wanted


@pytest.mark.parametrize(("name", "function"), WRONG)
def test_a_mistake_without_a_reply_is_shown_by_what_the_function_did(name, function):
    """A reply is for those who made that very mistake; to all others the check says what it saw."""
    kind, sentence = CHECKS[name].judge(function)
    assert kind == "wrong"
    assert "got " in sentence


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("expand", expand_and_move_on, "the position of the node: expected old, got new"),
        ("expand", expand_and(a_win_at_once), "their wins: expected 0.00, got 1"),
        ("expand", expand_and(wins_go), "wins and visits of the node: expected old, got new"),
        ("expand", expand_after_a_visit, "has no visit yet, new children: expected 1, got 0"),
        ("simulate", simulate_from_the_list, "changed the list of untried moves"),
        ("simulate", simulate_with_the_seed_42, "different results: expected 3, got 1"),
    ],
)
def test_the_first_thing_said_is_what_went_wrong(name, function, told):
    assert told in CHECKS[name].judge(function).sentence


@pytest.mark.parametrize("name", CHECKS)
def test_no_two_mistakes_look_alike(name):
    """So each reply is given only to a function that does all that this mistake does."""
    check = CHECKS[name]
    seen = [check._seen(wrong) for wrong in (check.solution, *check.wrong.values())]
    assert not any(check._same(one, other) for at, one in enumerate(seen) for other in seen[:at])


def test_on_the_walks_of_select_one_child_alone_is_best():
    """Else a student who takes the last of two equal children would be wrong."""
    margins = []
    for case in own_search.SELECT_TRIALS:

        def careful(node, c):
            while node.children and not node.untried:
                scores = sorted((ucb(child, node, c) for child in node.children), reverse=True)
                margins.append(scores[0] - scores[1])
                node = best(node, c)
            return node

        case.arguments[0](careful)
    assert len(margins) > 15
    assert min(margins) > 1e-6


# The four together


def marks(node, random):
    child = expand_after_a_shuffle(node, random)
    child.mark = "tried"
    return child


def stops_at_a_mark(node, c):
    while node.children and not node.untried and not hasattr(node, "mark"):
        node = best(node, c)
    return node


def test_the_last_right_function_is_checked_together_with_the_others():
    """Two functions can be right alone and wrong together: then the last check says so."""
    for name, function in (("expand", marks), ("simulate", simulate_from_the_legal_moves)):
        assert CHECKS[name].judge(function).kind == "right"
    assert CHECKS["backpropagate"].judge(back_up_again).kind == "right"
    kind, sentence = CHECKS["select"].judge(stops_at_a_mark)
    assert kind == "wrong"
    assert "right alone, but together" in sentence
    right = CHECKS["select"].judge(select_again)
    assert right.sentence.endswith("Your four functions work together, too.")


def test_a_function_that_got_wrong_is_no_longer_one_of_the_four():
    for name, function in RIGHT[1:6]:
        assert CHECKS[name].judge(function).kind == "right"
    assert CHECKS["select"].judge(select_two_levels).kind == "wrong"
    assert "together" not in CHECKS["backpropagate"].judge(back_up_again).sentence


def test_the_readers_tree_goes_on_with_their_code():
    """The tree by hand is there at the start, and a right program repairs what it got wrong."""
    program = tuple(own_search.SOLUTIONS.values())
    at_once = lesson.takes_over(program, seed=6, iterations=12)
    assert [before for _, before, _, _ in at_once.rows] == [
        after for _, _, after, _ in at_once.rows
    ]
    by_hand = four_phases.my_tree().search_at(13).root.children
    assert [row[:2] for row in at_once.rows] == [
        (child.action, f"{child.wins:g}/{child.visits}") for child in by_hand
    ]
    table = lesson.takes_over(program, seed=6)
    visits = {cell: int(after.split("/")[1].replace(",", "")) for cell, _, after, _ in table.rows}
    worth = {cell: worth for cell, _, _, worth in table.rows}
    assert sum(visits.values()) == 2000
    assert worth == {2: "loses", 6: "loses", 8: "draws"}
    assert max(visits, key=visits.get) == 8
