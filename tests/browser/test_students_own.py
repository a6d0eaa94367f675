"""A rule and a game from a notebook's cells, used by hand in JupyterLab in every widget."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from students import BOARD, GAME, RULE, cells

from mcts_viz import MCTS, Film, Trace, solve
from mcts_viz.film.questions import question_columns

from .lab import DARK, LIGHT, JupyterLab, Notebook, eventually

CELLS = [
    GAME,
    RULE,
    """from mcts_viz import MCTS, Compare, Play, Player, alpha_beta, record_minimax
game = ToadsAndFrogs()
trace = MCTS(game, c=0.8, seed=3, selection=eager).record(iterations=150)
player = Player(trace, cards=12)
player""",
    "compare = Compare(trace, MCTS(game, c=0.8, seed=3).record(iterations=150))\ncompare",
    "play = Play(game, MCTS(game, c=0.8, seed=3, selection=eager), iterations=60)\nplay",
    'Player(record_minimax(alpha_beta, game, game.parse(".TTF.F. Frog")))',
    BOARD + "Player(trace, iteration=150, cards=12)",
    "boarded = Play(game, MCTS(game, seed=3), iterations=60)\nboarded",
]
PLAYER, COMPARE, PLAY, MINIMAX, WITH_BOARD, PLAY_ON_BOARD = range(2, 8)

Shown = tuple[Notebook, Locator]


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1500, "height": 9000}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(5)
        expect(notebook.page.locator(".mcts-play")).to_have_count(2)
        yield notebook
        assert notebook.errors == []
        assert notebook.outside == []


@pytest.fixture(scope="module")
def film() -> Film:
    search = MCTS(cells()["ToadsAndFrogs"](), c=0.8, seed=3, selection=cells()["eager"])
    return Film(search.record(iterations=150, progress=False), 12)


def player_of(notebook: Notebook, cell: int = PLAYER) -> Locator:
    return notebook.output(cell).locator(".mcts-player").first


def go(player: Locator, iteration: int, phase: str) -> None:
    player.locator("input[type=range]").fill(str(iteration))
    player.locator(f".phases .{phase}").click()
    expect(player).to_have_attribute("data-iteration", str(iteration))
    expect(player).to_have_attribute("data-phase", phase)
    player.locator("input[type=range]").focus()


def tracked(film: Film) -> Trace:
    assert isinstance(film.trace, Trace)
    return film.trace


def test_the_player_reads_the_game_and_the_rule(notebook: Notebook, film: Film) -> None:
    player = player_of(notebook)
    go(player, 120, "select")
    expect(player).to_contain_text("ToadsAndFrogs")
    expect(player).to_contain_text("eager")
    expect(player.locator('.card[data-node="0"]')).to_contain_text("T.T.F.F Toad")
    for card in film.frame(120, "select").cards[:4]:
        share, *_ = film.reel.texts(card)
        expect(player.locator(f'.card[data-node="{card.node}"] .share')).to_have_text(share)
    expect(player).to_contain_text(film.caption(120, "select").split(". ")[0])


def test_the_decision_at_the_root_is_by_the_rule(notebook: Notebook, film: Film) -> None:
    player = player_of(notebook)
    go(player, 120, "select")
    before = tracked(film).at(119)
    for child in before.children(0):
        expect(player).to_contain_text(f"{before.score(child):.2f}")


def test_the_truth_lies_over_the_cards(notebook: Notebook, film: Film) -> None:
    player = player_of(notebook)
    go(player, 150, "backpropagate")
    switch = player.get_by_role("button", name="Exact values over the cards (T)")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    game = tracked(film).game
    for card in film.frame(150).cards:
        truth = player.locator(f'.card[data-node="{card.node}"] .truth text')
        state = tracked(film).state(card.node)
        mine = game.to_move(state) == tracked(film).mover[card.node]
        wins = solve(game, state).value * (1 if mine else -1) == 1
        expect(truth).to_have_text(re.compile("^▲" if wins else "^▼"))
    expect(player.locator(".truth-words")).to_contain_text("2")
    notebook.page.keyboard.press("t")
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_a_prediction_is_answered_by_the_rule(notebook: Notebook, film: Film) -> None:
    player = player_of(notebook)
    columns = question_columns(film.reel)[1]["ask_right"]
    iteration = next(k for k in range(20, 150) if columns[k - 1])
    right = tracked(film).label(int(columns[iteration - 1]))
    go(player, iteration - 1, "backpropagate")
    notebook.page.keyboard.press("p")
    notebook.page.keyboard.press("ArrowRight")
    expect(player.locator(".predict .question")).to_contain_text("Which move will be selected")
    player.locator(".options").get_by_role("button", name=right, exact=True).click()
    expect(player.locator(".predict .feedback")).to_contain_text("Right")
    expect(player).to_have_attribute("data-iteration", str(iteration))
    player.locator("input[type=range]").focus()
    notebook.page.keyboard.press("p")


def test_a_stub_opens_into_the_cards_of_the_game(notebook: Notebook) -> None:
    player = player_of(notebook)
    go(player, 150, "backpropagate")
    count = player.locator(".card[data-node]:not(.slot)").count
    before = count()
    player.locator('.stub:not([display="none"])').first.click()
    eventually(lambda: count() > before, True)
    texts = player.locator(".card[data-node]:not(.slot)").all_text_contents()
    assert all("Toad" in text or "Frog" in text for text in texts)
    player.get_by_role("button", name=re.compile("^Whole tree")).click()
    eventually(count, before)


def test_the_strip_at_the_root_names_the_moves(notebook: Notebook, film: Film) -> None:
    player = player_of(notebook)
    go(player, 150, "backpropagate")
    moment = tracked(film).at(150)
    most = max(moment.children(0), key=lambda child: moment.visits[child])
    words = f"Would be played now: {tracked(film).label(most)}, with"
    expect(player.locator(".root-words")).to_contain_text(words)


def test_what_if_searches_on_by_the_rule(notebook: Notebook) -> None:
    player = player_of(notebook)
    go(player, 60, "select")
    player.get_by_role("button", name="What if", exact=True).click()
    panel = player.locator(".whatif")
    assert panel.get_by_label("Next move at the root").locator("option").all_text_contents() == [
        "as the search chooses",
        "0",
        "2",
    ]
    panel.get_by_label("Next move at the root").select_option(label="0")
    panel.get_by_label("Iterations").fill("30")
    panel.get_by_role("button", name="Search on").click()
    branch = notebook.output(PLAYER).locator(".mcts-branch")
    expect(branch.locator(".mcts-player")).to_have_attribute("data-iteration", "1")
    expect(branch).to_contain_text("What if iteration 60 had begun with 0")
    assert notebook.python("player.branch.selection is eager and len(player.branch)") == 30
    branch.get_by_role("button", name="Close").click()
    expect(branch).to_be_hidden()


def test_a_link_of_the_moment_opens_with_game_and_rule(notebook: Notebook) -> None:
    player = player_of(notebook)
    go(player, 77, "expand")
    player.get_by_role("button", name="Copy link").click()
    link = player.locator(".link input").input_value()
    again = f"Player.from_link({link!r}, game=game, selection=eager)"
    assert notebook.python(f"(lambda p: (p.iteration, p.phase))({again})") == (77, "expand")
    assert notebook.python(f"{again}.film.trace.leaf.tolist() == trace.leaf.tolist()")


def test_rule_and_ucb1_stand_side_by_side(notebook: Notebook) -> None:
    differ = notebook.python("compare.differ")
    shown = notebook.output(COMPARE).locator(".mcts-compare")
    expect(shown.locator(".difference")).to_contain_text(f"first differ in iteration {differ}")
    shown.locator(".difference").get_by_role("button").click()
    for side in (0, 1):
        player = shown.locator(".mcts-player").nth(side)
        expect(player).to_have_attribute("data-iteration", str(differ))
    expect(shown.locator(".mcts-player").nth(0)).to_contain_text("eager")
    expect(shown.locator(".mcts-player").nth(1)).to_contain_text("UCT")


@pytest.mark.parametrize(("cell", "name"), [(PLAY, "play"), (PLAY_ON_BOARD, "boarded")])
def test_a_match_is_played_to_its_end(notebook: Notebook, cell: int, name: str) -> None:
    root = notebook.output(cell).locator(".mcts-play")

    def settled() -> None:
        eventually(lambda: notebook.python(f"{name}.thinking"), False)
        version = notebook.python(f"{name}.position['version']")
        eventually(lambda: root.get_attribute("data-version"), str(version))

    settled()
    root.get_by_role("button", name="Hint", exact=True).click()
    expect(root.locator(".said")).to_contain_text("Hint: move 2")
    while not notebook.python(f"{name}.position['over']"):
        made = notebook.python(f"len({name}.history)")
        move = notebook.python(f"game.legal_actions({name}.state)[0]")
        if name == "boarded":
            root.locator(f'.cell[data-cell="{move}"]').click()
        else:
            labels = root.get_by_role("button", name=re.compile(rf"^(move )?{move}\b"))
            labels.first.click()
        eventually(lambda m=made: notebook.python(f"len({name}.history)") > m, True)
        settled()
    expect(root.locator(".status")).to_contain_text("Game over: ")
    expect(root.locator(".said")).to_contain_text(re.compile("(Toad|Frog) wins"))
    root.get_by_role("button", name="Look inside", exact=True).click()
    inside = root.locator(".mcts-player")
    expect(inside).to_contain_text("eager" if name == "play" else "UCT")
    root.get_by_role("button", name="Close", exact=True).click()
    expect(inside).to_have_count(0)


def test_minimax_walks_through_the_game(notebook: Notebook) -> None:
    player = player_of(notebook, MINIMAX)
    expect(player.locator('.card[data-node="0"]')).to_contain_text(".TTF.F. Frog")
    expect(player).to_contain_text("ToadsAndFrogs")


def test_a_registered_board_is_on_the_cards(notebook: Notebook) -> None:
    player = player_of(notebook, WITH_BOARD)
    root = player.locator('.card[data-node="0"]')
    expect(root.locator("path.piece.player-0")).to_have_count(1)
    expect(root.locator("path.piece.player-1")).to_have_count(1)
    expect(root).not_to_contain_text("T.T.F.F")


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_axe_finds_nothing(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    found: list[Any] = [
        *(notebook.axe(".mcts-player") if notebook.page.locator(".mcts-player").count() else []),
        *notebook.axe(".mcts-play"),
    ]
    assert found == []
