"""Predict in the player: of the options of each question exactly one is right, and it is what
happens.
"""

from __future__ import annotations

import re

import pytest

from mcts_viz.film.words import plain

from .bare import Show, ask
from .test_picture import film_of
from .test_player import PLAYER, open_film

ALL_OPTIONS = """steps => {
    const root = document.querySelector(".mcts-player");
    const press = key => root.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const buttons = () => [...root.querySelectorAll(".options button:not(.show)")];
    const asked = [];
    for (let step = 0; step < steps; step += 1) {
        press("ArrowRight");
        const phase = root.dataset.asking;
        if (!phase) continue;
        const question = root.querySelector(".question").textContent;
        const options = buttons().map(button => button.textContent);
        const said = options.map((_, at) => {
            if (at) { press("ArrowLeft"); press("ArrowRight"); }
            buttons()[at].click();
            return root.querySelector(".feedback").textContent;
        });
        asked.push({ phase, question, options, said, iteration: Number(root.dataset.iteration) });
    }
    return asked;
}"""
"""Go through the film, and at each question give every answer, one after the other."""


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four"])
def test_of_the_options_of_each_question_one_is_right(show: Show, name: str) -> None:
    film = film_of(name)
    trace = film.data.source
    page = open_film(show, film)
    page.locator(PLAYER).press("p")
    asked = ask(page, ALL_OPTIONS, 120)
    kinds = [one["phase"] for one in asked]
    assert kinds.count("select") > 5
    assert kinds.count("backpropagate") > 5
    for one in asked:
        assert len(set(one["options"])) == len(one["options"]) > 1
        right = [
            option
            for option, said in zip(one["options"], one["said"], strict=True)
            if said.startswith("✓ Right.")
        ]
        assert len(right) == 1, one["question"]
        assert all(said.startswith(("✓ Right.", "✗ No.")) for said in one["said"])
        after = trace.at(one["iteration"])
        nodes = range(1, after.nodes)
        if one["phase"] == "select":
            assert right[0] in {plain(trace.label(node)) for node in after.path}
        else:
            assert right[0] in {f"{after.wins[node]:g}/{after.visits[node]}" for node in nodes}
        counts = [re.search(r"\((\d+) of (\d+) predicted\)", said) for said in one["said"]]
        assert all(counts), one["said"]
    last = [int(part) for part in re.search(r"\((\d+) of (\d+)", asked[-1]["said"][-1]).groups()]  # type: ignore[union-attr]
    assert last == [len(asked), sum(len(one["options"]) for one in asked)]
