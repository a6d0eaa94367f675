"""Sound searches of every style, held in every way: nothing wrong is found with any of them."""

import pytest
from kinds import RULES, SOON, SOUND, TwoPlayouts, TwoWalks
from proofs import check_proofs
from strangers import judged_by, watched

from mcts_viz import MCTS
from mcts_viz.games import Nim, Pig
from mcts_viz.search.variants import expand_all, puct
from mcts_watch import FAMILIES, Watch

pytestmark = pytest.mark.many

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 7))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_program_gives_no_finding(name, seed):
    """Without rules, by its rules, and from a position from which games end soon."""
    watch = watched(SOUND[name](seed), 500)
    by_rules = judged_by(getattr(SOUND[name], "rules", RULES), watch)
    soon = by_rules
    if by_rules.game is RULES:
        soon = watched(SOUND[name](seed, SOON), 500, game=RULES)
    for one in {watch, by_rules, soon}:
        assert one.findings == []
        check_proofs(one)


def test_what_is_unusual_is_said_to_be_right_somewhere():
    texts = [text for family in FAMILIES for text in family.TEXTS.values()]
    unusual = [text for text in texts if text.startswith("Unusual: ")]
    assert len(unusual) > 10
    assert all("That is right" in text for text in unusual)


@pytest.mark.parametrize(("c", "seed"), [(0.2, 2), (0.2, 1), (1.5, 1)])
def test_what_two_walks_in_one_look_leave_open_is_no_finding(c, seed):
    search = MCTS(Nim((1, 2, 2)), c, seed, selection=puct, expansion=expand_all)
    watch = Watch(search.start())
    for _ in range(120):
        search.run(iterations=2)
        watch.look()
    assert watch.findings == []


@pytest.mark.parametrize("seed", [1, 2])
def test_two_playouts_that_mostly_end_alike_are_not_one_counted_twice(seed):
    assert watched(TwoPlayouts(seed, "XO..X....")).findings == []


def test_looks_that_see_the_root_alone_among_several_walks_are_no_fault():
    """Every fifth iteration stops at the root, and the others walk twice."""
    program = TwoWalks(1)
    watch = Watch(program.root)
    for time in range(200):
        if time % 5:
            program.iterate()
        else:
            program.root.visits += 1
        watch.look()
    assert watch.findings == []
    assert "walks" in [note.name for note in watch.notes]


def test_luck_is_no_choice_of_the_search():
    search = MCTS(Pig(), seed=1)
    watch = Watch(search.start(), game=Pig())
    for _ in range(100):
        search.run(iterations=1)
        watch.look()
    assert (watch.rule.name, watch.findings) == ("UCB1", [])


def test_a_table_of_all_nodes_is_not_taken_for_the_children():
    assert watched(SOUND["WithATable"](1)).names["children"] == "children"


def test_a_look_reads_a_path_and_its_siblings_also_where_positions_have_several_parents():
    program, read = SOUND["Tables"](1), []
    visits = program.given["visits"]
    program.given["visits"] = lambda state: (read.append(state), visits(state))[1]
    watch = watched(program, 500)
    assert len(watch.nodes) > 400
    assert len(read) < 100 * 500
