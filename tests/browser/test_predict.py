"""Predict first: the player holds a step back until it is told, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from films import films, hostile_film
from playwright.sync_api import Browser, Locator, Page, expect

from mcts_viz import MCTS, Film, MCTSSolver, TicTacToe
from mcts_viz.film.questions import ADDED, MISTAKES, WRONG, Option, question_columns
from mcts_viz.film.words import fixed, outcome_text, plain, short

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook, axe_violations

CELLS = [
    """from mcts_viz import MCTS, Compare, Nim, Player, TicTacToe, alpha_beta, record_minimax
trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
Player(trace)""",
    "Player(record_minimax(alpha_beta, Nim((1, 2))))",
    "pair = Compare(trace, MCTS(TicTacToe(), seed=5).record(iterations=200))\npair",
]
NAMES = list(MISTAKES)


@cache
def film() -> Film:
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200))


@cache
def columns() -> dict[str, Any]:
    return question_columns(film().reel)[1]


@cache
def sets() -> list[tuple[Option, ...]]:
    found: list[tuple[Option, ...]] = question_columns(film().reel)[0]["sets"]
    return found


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1400, "height": 1800}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(4)
        yield notebook


class Hands:
    """One player, and what a reader does with it."""

    def __init__(self, page: Page, root: Locator) -> None:
        self.page, self.root = page, root
        self.switch = root.get_by_role("button", name="Predict a step before it is shown (P)")
        self.question = root.locator(".predict .question")
        self.feedback = root.locator(".predict .feedback")
        self.score = root.locator(".predict .score")

    def place(self) -> tuple[int, str]:
        at = self.root.evaluate("root => [root.dataset.iteration, root.dataset.phase]")
        return int(at[0]), at[1]

    def go(self, iteration: int, phase: str) -> None:
        slider = self.root.locator("input[type=range]")
        slider.fill(str(iteration))
        self.root.locator(f".phases .{phase}").click()
        slider.focus()
        assert self.place() == (iteration, phase)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def answers(self) -> list[str]:
        return self.root.locator(".options button:not(.show)").all_text_contents()

    def answer(self, text: str) -> Locator:
        return self.root.locator(".options").get_by_role("button", name=text, exact=True)

    def ask_selection(self, iteration: int) -> None:
        self.go(iteration - 1, "backpropagate")
        self.press("ArrowRight")
        expect(self.question).to_contain_text("Which move will be selected at the root?")
        assert self.place() == (iteration - 1, "backpropagate")

    def ask_expansion(self, iteration: int) -> None:
        self.go(iteration, "select")
        self.press("ArrowRight")
        expect(self.question).to_contain_text("Which move can be added to the tree there?")
        assert self.place() == (iteration, "select")

    def ask_backpropagation(self, iteration: int) -> None:
        self.go(iteration, "simulate")
        self.press("ArrowRight")
        expect(self.question).to_contain_text("What will its wins/visits be?")
        assert self.place() == (iteration, "simulate")

    def has_focus(self) -> bool:
        held: bool = self.root.evaluate(
            """root => { const held = root.getRootNode().activeElement;
                return root.contains(held) && held.checkVisibility(); }"""
        )
        return held


@pytest.fixture
def hands(notebook: Notebook) -> Iterator[Hands]:
    """The first player, asking; in the end it does not."""
    hands = Hands(notebook.page, notebook.output(0).locator(".mcts-player"))
    hands.go(1, "select")
    hands.press("p")
    expect(hands.switch).to_have_attribute("aria-pressed", "true")
    yield hands
    hands.root.locator("input[type=range]").focus()
    hands.press("p")
    expect(hands.switch).to_have_attribute("aria-pressed", "false")
    assert notebook.errors == []


def selection_with(tempting: str) -> tuple[int, int]:
    """An iteration where another move than the right one is the best at this, and the move."""
    right, best = columns()["ask_right"], columns()[f"ask_{tempting}"]
    rival = columns()["ask_visits" if tempting == "rate" else "ask_rate"]
    k = int(np.flatnonzero((right > 0) & (best != right) & (best != rival))[0]) + 1
    return k, int(best[k - 1])


def selected() -> tuple[int, int, list[int]]:
    """An iteration that is asked about, its right move, and moves that are best at nothing."""
    for k in np.flatnonzero(columns()["ask_right"]).tolist():
        best = {int(columns()[f"ask_{name}"][k]) for name in ("right", "rate", "visits")}
        others = [child for child in film().trace.children[0] if child not in best]
        if others and k:
            return k + 1, int(columns()["ask_right"][k]), others
    raise AssertionError("no such iteration")


def said(name: str, k: int, node: int) -> str:
    before, right = film().trace.at(k - 1), int(columns()["ask_right"][k - 1])
    lead = fixed(before.score(right) - before.score(node))
    label = film().trace.label
    return WRONG[name].format(answer=label(node), right=label(right), lead=lead)


def options(k: int) -> tuple[int, dict[str, str]]:
    """The card that the second question is about, and by mistake what an option says."""
    path = film().trace.at(k).path
    node = path[len(path) - 1 - int(columns()["ask_above"][k - 1])]
    visits, wins = film().reel.visits_and_wins(node, k - 1)
    other = float(columns()["ask_other"][k - 1])
    return node, {
        NAMES[o.mistake]: f"{short(other if o.wins is None else wins + o.wins)}/{visits + o.visits}"
        for o in sets()[columns()["ask_set"][k - 1]]
    }


# Switching it on and off ---------------------------------------------------------------------


def test_the_switch_works_by_mouse_and_by_key(notebook: Notebook) -> None:
    hands = Hands(notebook.page, notebook.output(0).locator(".mcts-player"))
    expect(hands.switch).to_have_attribute("aria-pressed", "false")
    expect(hands.root.locator(".predict")).to_be_hidden()
    hands.switch.click()
    expect(hands.switch).to_have_attribute("aria-pressed", "true")
    expect(hands.feedback).to_contain_text("what can be told beforehand is asked")
    hands.press("p")
    expect(hands.switch).to_have_attribute("aria-pressed", "false")
    expect(hands.root.locator(".predict")).to_be_hidden()
    assert hands.has_focus()


def test_while_it_is_off_nothing_is_asked(notebook: Notebook) -> None:
    hands = Hands(notebook.page, notebook.output(0).locator(".mcts-player"))
    k, _, _ = selected()
    hands.go(k - 1, "select")
    hands.press(*["ArrowRight"] * 8)
    assert hands.place() == (k + 1, "select")
    expect(hands.question).to_be_hidden()


def test_a_film_of_minimax_asks_nothing(notebook: Notebook) -> None:
    hands = Hands(notebook.page, notebook.output(1).locator(".mcts-player"))
    expect(hands.switch).to_be_hidden()
    hands.root.locator("input[type=range]").focus()
    hands.press("p", "ArrowRight", "ArrowRight")
    assert hands.place()[0] == 3


# Answers -------------------------------------------------------------------------------------


def test_a_right_move_by_mouse_on_its_button_goes_on(hands: Hands) -> None:
    k, right, _ = selected()
    hands.ask_selection(k)
    labels = [film().trace.label(child) for child in film().trace.at(k - 1).children(0)]
    assert hands.answers() == labels
    hands.answer(film().trace.label(right)).click()
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text("Right.")
    expect(hands.feedback).to_have_attribute("role", "status")
    expect(hands.question).to_be_hidden()
    assert hands.has_focus()
    hands.press("Shift+ArrowRight")
    assert hands.place() == (k + 1, "select")
    expect(hands.feedback).to_have_text("")


def test_a_card_is_an_answer_by_mouse_and_by_key(hands: Hands) -> None:
    k, right, others = selected()
    cards = set(film().reel.cards)
    assert right in cards
    hands.ask_selection(k)
    hands.root.locator(f'.card[data-node="{right}"]').click()
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text("Right.")
    wrong = next(child for child in others if child in cards)
    hands.ask_selection(k)
    hands.root.locator(f'.card[data-node="{wrong}"]').focus()
    hands.press("Enter")
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text(said("score", k, wrong))
    assert hands.has_focus()


def test_other_cards_explain_as_ever(hands: Hands) -> None:
    k, _, _ = selected()
    hands.ask_selection(k)
    hands.root.locator('.card[data-node="0"]').click()
    assert hands.place() == (k - 1, "backpropagate")
    expect(hands.question).to_be_visible()


@pytest.mark.parametrize("tempting", ["rate", "visits"])
def test_a_tempting_move_by_keyboard_is_explained(hands: Hands, tempting: str) -> None:
    k, node = selection_with(tempting)
    hands.ask_selection(k)
    for _ in range(hands.answers().index(film().trace.label(node)) + 1):
        hands.press("Tab")
    hands.press("Enter")
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text(said(tempting, k, node))
    expect(hands.root.locator("input[type=range]")).to_be_focused()
    hands.press("Shift+ArrowRight")
    assert hands.place() == (k + 1, "select")


def test_the_table_that_knows_the_answer_is_covered(hands: Hands) -> None:
    k, _, _ = selected()
    hands.ask_selection(k)
    expect(hands.root.locator(".why")).to_be_hidden()
    hands.answer("Show me").click()
    expect(hands.root.locator(".why")).to_be_visible()


def additions() -> list[int]:
    """Iterations whose question about the added move has four answers, and three."""
    added, had, past = (columns()[f"ask_{name}"] > 0 for name in ("added", "had", "past"))
    return [int(np.flatnonzero(these)[5]) + 1 for these in (had & past, added & ~had)]


@pytest.mark.parametrize("k", additions())
def test_each_answer_about_the_added_move_is_explained(hands: Hands, k: int) -> None:
    label = film().trace.label
    nodes = {n: int(columns()[f"ask_{n}"][k - 1]) for n in ("added", "had", "past")}
    right = label(nodes["added"])
    texts = {"right": right, "had": label(nodes["had"]), "past": label(nodes["past"])}
    texts = {name: text for name, text in texts.items() if text} | {"nothing": "nothing"}
    for name, text in texts.items():
        hands.ask_expansion(k)
        assert sorted(hands.answers()) == sorted(texts.values())
        if name == "had":
            hands.press(*["Tab"] * (hands.answers().index(text) + 1), "Enter")
        else:
            hands.answer(text).click()
        assert hands.place() == (k, "expand")
        expect(hands.feedback).to_have_text(ADDED[name].format(answer=text, right=right))
        assert hands.has_focus()
    hands.ask_expansion(k)
    hands.answer("Show me").click()
    expect(hands.feedback).to_have_text(f"{right} is added.")


@pytest.mark.parametrize("k", [1, 60, 61, 62, 140])
def test_each_answer_about_a_card_is_explained(hands: Hands, k: int) -> None:
    node, texts = options(k)
    player = film().trace.game.players[film().trace.mover[node]]
    for name, text in texts.items():
        hands.ask_backpropagation(k)
        expect(hands.question).to_contain_text(f"after {film().trace.label(node)}")
        result = outcome_text(film().trace.game, film().trace.at(k).returns)
        expect(hands.question).to_contain_text(f"The result: {result}.")
        assert sorted(hands.answers()) == sorted(texts.values())
        if name == "visit":
            for _ in range(hands.answers().index(text) + 1):
                hands.press("Tab")
            hands.press(" ")
        else:
            hands.answer(text).click()
        assert hands.place() == (k, "backpropagate")
        why = MISTAKES[name].format(player=player)
        wanted = why if name == "right" else f"{why} It becomes {texts['right']}."
        expect(hands.feedback).to_have_text(wanted)
        card = hands.root.locator(f'[data-node="{node}"]:not([display="none"])').first
        if node in film().reel.cards:
            expect(card.locator(".share")).to_have_text(texts["right"])
        assert hands.has_focus()


def test_show_me_goes_on_and_is_not_counted(hands: Hands) -> None:
    k, right, _ = selected()
    before = hands.score.text_content()
    hands.ask_selection(k)
    hands.press(*["Tab"] * (len(hands.answers()) + 1), "Enter")
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text(f"{film().trace.label(right)} is selected.")
    hands.ask_backpropagation(k)
    hands.answer("Show me").click()
    assert hands.place() == (k, "backpropagate")
    expect(hands.feedback).to_have_text(f"It becomes {options(k)[1]['right']}.")
    assert hands.score.text_content() == before


def test_a_score_is_kept(hands: Hands) -> None:
    told = hands.score.text_content() or "0 of 0"
    right, asked = int(told.split()[0]), int(told.split()[2])
    for number, name in enumerate(["right", "visit", "right"], start=1):
        hands.ask_backpropagation(80 + number)
        hands.answer(options(80 + number)[1][name]).click()
    expect(hands.score).to_have_text(f"{right + 2} of {asked + 3} predicted")
    expect(hands.score).to_have_attribute("role", "status")
    expect(hands.score).to_have_attribute("aria-live", "polite")


# Ways on and away ----------------------------------------------------------------------------


def test_no_step_passes_an_open_question(hands: Hands) -> None:
    hands.ask_backpropagation(50)
    hands.press("ArrowRight", "ArrowRight")
    hands.root.get_by_role("button", name="Next phase (→)").click()
    assert hands.place() == (50, "simulate")
    expect(hands.question).to_be_visible()


def test_the_button_and_play_ask_too(hands: Hands) -> None:
    hands.go(50, "simulate")
    hands.root.get_by_role("button", name="Next phase (→)").click()
    expect(hands.question).to_be_visible()
    hands.go(51, "expand")
    expect(hands.question).to_be_hidden()
    play = hands.root.get_by_role("button", name="Play or pause")
    play.click()
    expect(hands.question).to_be_visible()
    assert hands.place() == (51, "simulate")
    expect(play).to_have_text("Play")


@pytest.mark.parametrize(
    "key", ["Home", "End", "ArrowLeft", "Shift+ArrowRight", "Escape", "slider"]
)
def test_to_move_another_way_takes_the_question_back(hands: Hands, key: str) -> None:
    hands.ask_backpropagation(50)
    before = hands.score.text_content()
    if key == "slider":
        hands.root.locator("input[type=range]").fill("70")
    else:
        hands.press(key)
    expect(hands.question).to_be_hidden()
    places = {
        "Home": (1, "select"),
        "End": (200, "backpropagate"),
        "ArrowLeft": (50, "expand"),
        "Shift+ArrowRight": (51, "simulate"),
        "Escape": (50, "simulate"),
        "slider": (70, "simulate"),
    }
    assert hands.place() == places[key]
    expect(hands.feedback).to_have_text("")
    assert hands.score.text_content() == before
    assert hands.has_focus()


def test_the_switch_takes_the_question_back(hands: Hands) -> None:
    hands.ask_backpropagation(50)
    hands.press("p")
    expect(hands.question).to_be_hidden()
    assert hands.has_focus()
    hands.press("ArrowRight")
    assert hands.place() == (50, "backpropagate")
    hands.press("p")


def test_beside_another_film_the_answer_stays_to_be_read(notebook: Notebook) -> None:
    pair = notebook.output(2).locator(".mcts-player")
    hands = Hands(notebook.page, pair.nth(0))
    hands.switch.click()
    hands.ask_backpropagation(60)
    hands.answer(options(60)[1]["right"]).click()
    expect(hands.feedback).to_have_text("Right.")
    while notebook.python("(pair.iteration, pair.phase)") != (60, "backpropagate"):
        notebook.settle()  # until the kernel has been told
    expect(hands.feedback).to_have_text("Right.")
    assert Hands(notebook.page, pair.nth(1)).place() == (60, "backpropagate")


# Everybody, everywhere -----------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, HIGH_CONTRAST, LIGHT])
def test_axe_finds_nothing_while_a_question_is_open(
    notebook: Notebook, hands: Hands, theme: str
) -> None:
    notebook.set_theme(theme)
    k, _, others = selected()
    hands.ask_selection(k)
    assert notebook.axe(".mcts-player") == []
    hands.answer(film().trace.label(others[0])).click()
    hands.ask_backpropagation(k)
    assert notebook.axe(".mcts-player") == []
    hands.answer(options(k)[1]["visit"]).click()
    assert notebook.axe(".mcts-player") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_exported_page_asks_without_kernel_and_network(
    browser: Browser, tmp_path: Path, scheme: Any
) -> None:
    file = tmp_path / "film.html"
    k, right, _ = selected()
    file.write_text(film().to_html(k - 1, "backpropagate"), encoding="utf-8")
    context = browser.new_context(offline=True, color_scheme=scheme)
    page, noted = context.new_page(), []
    page.on("pageerror", lambda error: noted.append(str(error)))
    page.on("console", lambda message: noted.append(message.text))
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").wait_for()
    hands = Hands(page, page.locator(".mcts-player"))
    hands.switch.click()
    hands.press("ArrowRight")
    expect(hands.question).to_be_visible()
    assert axe_violations(page, "html") == []
    hands.answer(film().trace.label(right)).click()
    assert hands.place() == (k, "select")
    expect(hands.feedback).to_have_text("Right.")
    expect(hands.score).to_have_text("1 of 1 predicted")
    assert noted == []
    context.close()


def test_a_proven_move_is_told_to_be_passed_over(browser: Browser, tmp_path: Path) -> None:
    game = TicTacToe()
    trace = MCTSSolver(game, seed=0).record(game.parse("X.. .O. ..X"), iterations=300)
    film = Film(trace)
    right = question_columns(film.reel)[1]["ask_right"]
    k, proven = next(
        (k, child)
        for k in range(1, trace.iterations + 1)
        if right[k - 1]
        for child in trace.at(k - 1).children(0)
        if trace.at(k - 1).proof(child)
    )
    file = tmp_path / "film.html"
    file.write_text(film.to_html(k - 1, "backpropagate"), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").wait_for()
    hands = Hands(page, page.locator(".mcts-player"))
    hands.switch.focus()
    hands.press("Enter", "ArrowRight")
    hands.answer(trace.label(proven)).click()
    expect(hands.feedback).to_have_text(
        WRONG["passed"].format(answer=trace.label(proven), right=trace.label(int(right[k - 1])))
    )
    context.close()


def test_the_page_asks_what_python_says_in_films_of_every_kind(
    browser: Browser, tmp_path: Path
) -> None:
    """Each question of each film is opened: its options and its right answer are Python's."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    for film in [*films(), hostile_film()]:
        facts, columns = question_columns(film.reel)
        file = tmp_path / "film.html"
        file.write_text(film.to_html(), encoding="utf-8")
        page.goto(file.as_uri())
        page.locator(".mcts-player[data-iteration]").wait_for()
        hands = Hands(page, page.locator(".mcts-player"))
        hands.switch.click()
        last = film.trace.iterations
        for k in sorted({1, last, *range(2, last, max(1, last // 6))}):
            for first, phase in ((k - 1, "backpropagate"), (k, "select"), (k, "simulate")):
                if not first:
                    continue
                hands.go(first, phase)
                hands.press("ArrowRight")
                if phase == "simulate":
                    wanted = len(facts["sets"][columns["ask_set"][k - 1]])
                elif phase == "select":
                    added = [columns[f"ask_{name}"][k - 1] for name in ("added", "had", "past")]
                    wanted = np.count_nonzero(added) + 1 if added[0] else 0
                else:
                    children = film.trace.at(k - 1).children(0)
                    wanted = len(children) if columns["ask_right"][k - 1] else 0
                assert len(hands.answers() if hands.question.is_visible() else []) == wanted
                if not wanted:
                    continue
                hands.answer("Show me").click()
                if phase == "simulate":
                    node = int(film.trace.at(k).path[-1 - int(columns["ask_above"][k - 1])])
                    visits, wins = film.reel.visits_and_wins(node, k)
                    expect(hands.feedback).to_have_text(f"It becomes {short(wins)}/{visits}.")
                elif phase == "select":
                    right = plain(film.trace.label(int(columns["ask_added"][k - 1])))
                    assert f"{right} is added." == hands.feedback.text_content()
                else:
                    right = plain(film.trace.label(int(columns["ask_right"][k - 1])))
                    assert f"{right} is selected." == hands.feedback.text_content()
    context.close()
