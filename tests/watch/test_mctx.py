"""A search by mctx is filmed from the tree that it leaves."""

import numpy as np
import pytest
from golden_mctx import BATCH, recorded

from mcts_viz import TicTacToe, TraceError
from mcts_watch import Watch

REWARDS = recorded("rewards")


def replayed(tree, batch):
    """After each simulation the visits and the values of all nodes, by mctx's rule.

    Written after its description: a simulation adds a node, whose value climbs with rewards and
    discounts, and each mean takes it in.
    """
    values = tree.raw_values[batch].copy()
    visits = np.zeros(len(values), int)
    visits[0] = 1
    for node in range(1, len(values)):
        visits[node], back, at = 1, values[node], node
        while at:
            up, *edge = above(tree, batch, at)
            back = edge[0] + edge[1] * back
            values[up] = (values[up] * visits[up] + back) / (visits[up] + 1)
            visits[up] += 1
            at = up
        yield visits, values


def above(tree, batch, node):
    """The parent of a node, with the reward and the discount on the way."""
    up, action = tree.parents[batch, node], tree.action_from_parent[batch, node]
    edge = batch, up, action
    return up, tree.children_rewards[edge], tree.children_discounts[edge]


def not_below_an_end(tree, batch):
    ends, kept = set(), [0]
    for node in range(1, len(tree.parents[batch])):
        up, _, discount = above(tree, batch, node)
        if up in ends or discount == 0:
            ends.add(node)
        if up not in ends:
            kept.append(node)
    return kept


@pytest.mark.parametrize("batch", range(BATCH))
@pytest.mark.parametrize("name", ["rewards", "tic-tac-toe"])
def test_all_moments_of_a_search_by_mctx_are_rebuilt(name, batch):
    """The last one is that which mctx has left."""
    output = recorded(name)
    tree = output.search_tree
    watch, kept = Watch.from_mctx(output, batch=batch), not_below_an_end(tree, batch)
    assert (len(watch.trace), len(watch.nodes), watch.ending) == (60, len(kept), "")
    for iteration, (visits, values) in enumerate(replayed(tree, batch), 1):
        moment = watch.trace.at(iteration)
        known = [node for node in kept if node <= iteration]
        # A film numbers nodes as they come, as mctx does.
        assert moment.visits.tolist() == visits[known].tolist()
        for place, node in [*enumerate(known)][1:]:
            _, reward, discount = above(tree, batch, node)
            q = reward + discount * values[node]
            assert moment.wins[place] / moment.visits[place] == pytest.approx(q, abs=1e-5)
    assert visits.tolist() == tree.node_visits[batch].tolist()
    assert values == pytest.approx(tree.node_values[batch], abs=1e-5)
    assert watch.nodes[0].q == pytest.approx(values[0], abs=1e-5)
    weights = np.exp(tree.children_prior_logits[batch, 0])
    first = tree.action_from_parent[batch, 1]
    assert watch.trace.priors[1] == pytest.approx(weights[first] / weights.sum())


def test_simulations_that_add_no_node_are_told():
    output = recorded("rewards")
    output.search_tree.node_visits[0, 0] += 3
    assert "3 of 63 simulations added no node" in Watch.from_mctx(output).notes[-1].text


@pytest.mark.parametrize(("output", "batch"), [(5, 0), (REWARDS, BATCH), (REWARDS, "a")])
def test_what_is_no_tree_is_told(output, batch):
    with pytest.raises(
        TraceError, match=r"A tree must be|batch must be a whole number from 0 to 1"
    ):
        Watch.from_mctx(output, batch=batch)


def test_the_rules_read_a_search_by_mctx():
    for batch in range(BATCH):
        output = recorded("tic-tac-toe")
        watch = Watch.from_mctx(output, batch=batch, game=TicTacToe(), state="XO. .XO ...")
        assert (watch.findings, watch.notes) == ([], [])
        said = {line.family: line.text for line in watch.checked}
        assert said["moves"] == f"{len(watch.nodes) - 1} of {len(watch.nodes) - 1} are legal"
        assert "wins" in said["ends of games"]
        assert watch.trace.game == TicTacToe()
