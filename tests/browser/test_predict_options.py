"""Predict in the player: of the options of each question exactly one is right, and it is what
happens.
"""

from __future__ import annotations

import pytest
from films import READ
from read_back import ANSWERED, check_question, read

from .bare import WITHOUT_LAYOUT, Show, ask
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


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four", "dice", "solver"])
def test_of_the_options_of_each_question_one_is_right(show: Show, name: str) -> None:
    film = READ[name]() if name in ("dice", "solver") else film_of(name)
    trace = film.data.source
    page = open_film(show, film)
    if name == "solver":  # some moves are proven then
        page.locator(".track input").fill("100")
    page.locator(PLAYER).press("p")
    page.evaluate(WITHOUT_LAYOUT)
    asked = ask(page, ALL_OPTIONS, 200 if name == "solver" else 120)
    kinds = [one["phase"] for one in asked]
    assert kinds.count("select") > 4
    assert kinds.count("backpropagate") > 5
    tried = rights = 0
    for one in asked:
        phase, options = one["phase"], one["options"]
        assert len(set(options)) == len(options) > 1
        right, told_of = check_question(trace, one["iteration"], phase, one["question"], options)
        for option, sentence in zip(options, one["said"], strict=True):
            _, said = read({phase: ANSWERED[phase]}, sentence)
            tried, rights = tried + 1, rights + (option == right)
            assert (said["verdict"] == "✓ Right") == (option == right), one["question"]
            assert said.get("move", said.get("share")) == right
            assert (said.get("player"), said.get("whose")) == told_of
            assert (int(said["right"]), int(said["asked"])) == (rights, tried)
    assert rights == len(asked)
