"""A search by mctx is filmed from the tree that it leaves."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from golden_mctx import BATCH, recorded

from mcts_viz import TicTacToe, TraceError
from mcts_watch import Watch


def grown(simulations: int, discount: float, seed: int = 1) -> tuple[Any, list[dict[int, float]]]:
    """A tree as mctx keeps it, and by simulation the visits and values of all nodes, by mctx's
    rule.

    Written after its description: a simulation adds a node, whose value climbs with rewards and
    discounts, and each mean takes it in.
    """
    random, moves = np.random.default_rng(seed), 9
    count = simulations + 1
    tree = SimpleNamespace(
        node_visits=np.zeros((1, count), int),
        raw_values=random.normal(size=(1, count)),
        parents=np.full((1, count), -1),
        action_from_parent=np.full((1, count), -1),
        children_prior_logits=random.normal(size=(1, count, moves)),
        children_rewards=random.normal(size=(1, count, moves)) * (discount > 0),
        children_discounts=np.full((1, count, moves), discount),
    )
    children, value = [dict[int, int]() for _ in range(count)], tree.raw_values[0].copy()
    tree.node_visits[0, 0] = 1
    history = []
    for node in range(1, count):
        above = 0
        while (action := int(random.integers(moves))) in children[above]:
            above = children[above][action]
        children[above][action] = node
        tree.parents[0, node], tree.action_from_parent[0, node] = above, action
        tree.node_visits[0, node] = 1
        back, at = value[node], node
        while at:
            up, action = tree.parents[0, at], tree.action_from_parent[0, at]
            back = tree.children_rewards[0, up, action] + discount * back
            value[up] = (value[up] * tree.node_visits[0, up] + back) / (tree.node_visits[0, up] + 1)
            tree.node_visits[0, up] += 1
            at = up
        history.append({"visits": tree.node_visits[0].copy(), "values": value.copy()})
    return SimpleNamespace(search_tree=tree), history


@pytest.mark.parametrize("discount", [-1.0, 1.0, 0.9])
def test_all_moments_are_rebuilt(discount: float) -> None:
    output, history = grown(80, discount)
    tree = output.search_tree
    watch = Watch.from_mctx(output)
    for iteration, then in enumerate(history, 1):
        moment, known = watch.trace.at(iteration), iteration + 1
        # A film numbers nodes as they come, as mctx does.
        assert moment.visits.tolist() == then["visits"][:known].tolist()
        for node in range(1, known):
            above, action = tree.parents[0, node], tree.action_from_parent[0, node]
            q = tree.children_rewards[0, above, action] + discount * then["values"][node]
            assert moment.wins[node] / moment.visits[node] == pytest.approx(q)
    weights = np.exp(tree.children_prior_logits[0, 0])
    priors = watch.trace.priors
    assert priors is not None
    first = tree.action_from_parent[0, 1]
    assert priors[1] == pytest.approx(weights[first] / weights.sum())
    assert watch.ending == ""


def test_simulations_that_add_no_node_are_told() -> None:
    output, _ = grown(40, -1.0)
    output.search_tree.node_visits[0, 0] += 3
    assert "3 of 43 simulations added no node" in Watch.from_mctx(output).notes[-1].text


@pytest.mark.parametrize(
    ("output", "batch"), [(5, 0), (grown(5, 1.0)[0], 1), (grown(5, 1.0)[0], "a")]
)
def test_what_is_no_tree_is_told(output: Any, batch: Any) -> None:
    with pytest.raises(
        TraceError, match=r"A tree must be|batch must be a whole number from 0 to 0"
    ):
        Watch.from_mctx(output, batch=batch)


@pytest.mark.parametrize("batch", range(BATCH))
@pytest.mark.parametrize("name", ["rewards", "tic-tac-toe"])
def test_a_search_by_mctx_itself_has_its_visits_and_values(name: str, batch: int) -> None:
    output = recorded(name)
    tree = output.search_tree
    watch = Watch.from_mctx(output, batch=batch)
    assert len(watch.trace) == 60
    assert watch.nodes[0].visits == tree.node_visits[batch, 0] == 61
    assert watch.nodes[0].q == pytest.approx(tree.node_values[batch, 0], abs=1e-5)
    numbers = mctx_numbers(tree, batch)
    assert len(watch.nodes) == len(numbers)
    for node, (visits, q) in zip(watch.nodes[1:], numbers[1:], strict=True):
        assert (node.visits, node.q) == (visits, pytest.approx(q, abs=1e-5))


def mctx_numbers(tree: Any, batch: int) -> list[tuple[int, float]]:
    """Visits, and reward with discounted value, of all nodes that are not below an end."""
    ends, numbers = set[int](), [(0, 0.0)]
    for node in range(1, len(tree.parents[batch])):
        above, action = tree.parents[batch, node], tree.action_from_parent[batch, node]
        discount = tree.children_discounts[batch, above, action]
        if above in ends or discount == 0:
            ends.add(node)
        if above not in ends:
            q = tree.children_rewards[batch, above, action]
            q += discount * tree.node_values[batch, node]
            numbers.append((tree.node_visits[batch, node], q))
    return numbers


def test_the_rules_read_a_search_by_mctx() -> None:
    for batch in range(BATCH):
        output = recorded("tic-tac-toe")
        watch = Watch.from_mctx(output, batch=batch, game=TicTacToe(), state="XO. .XO ...")
        assert (watch.findings, watch.notes) == ([], [])
        said = {line.family: line.text for line in watch.checked}
        assert said["moves"] == f"{len(watch.nodes) - 1} of {len(watch.nodes) - 1} are legal"
        assert "wins" in said["ends of games"]
        assert watch.trace.game == TicTacToe()
