"""The colours of the widgets follow the page that they are on, whichever front end made it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from mcts_viz.film.pictures import THEMES
from mcts_viz.player.page import themed

PAGES = [
    ('<html><body data-jp-theme-light="true">', "dark", "light"),
    ('<html><body data-jp-theme-light="false">', "light", "dark"),
    ('<html><body data-vscode-theme-kind="vscode-light">', "dark", "light"),
    ('<html><body data-vscode-theme-kind="vscode-dark">', "light", "dark"),
    ('<html><body data-vscode-theme-kind="vscode-high-contrast">', "light", "dark"),
    ('<html theme="light"><body>', "dark", "light"),
    ('<html theme="dark"><body>', "light", "dark"),
    ('<html><body class="light">', "dark", "light"),
    ('<html><body class="dark">', "light", "dark"),
    ('<html><body class="notebook_app">', "dark", "light"),  # nbclassic
    ("<html><body>", "light", "light"),
    ("<html><body>", "dark", "dark"),
]


@pytest.fixture(scope="module")
def seen(browser: Browser) -> dict[tuple[str, str], str]:
    """The colour of the widget's page, by the page and by what the system prefers."""
    page, found = browser.new_page(), {}
    for opening, prefers, _ in PAGES:
        scheme: Any = prefers
        page.emulate_media(color_scheme=scheme)
        page.set_content(f"{opening}<style>{themed('.mcts-x')}</style><p class=mcts-x>")
        colour = "p => getComputedStyle(p).getPropertyValue('--mcts-page')"
        found[opening, prefers] = page.locator(".mcts-x").evaluate(colour)
    page.close()
    return found


@pytest.mark.parametrize(("opening", "prefers", "theme"), PAGES)
def test_the_colours_are_those_of_the_page(
    seen: dict[tuple[str, str], str], opening: str, prefers: str, theme: str
) -> None:
    assert seen[opening, prefers] == THEMES[theme]["page"]
