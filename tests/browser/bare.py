"""A page with nothing on it but the scripts of the widgets, and films to give them."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, Route

from mcts_course import Play
from mcts_viz import MCTS, Film, TicTacToe, alpha_beta, record_minimax
from mcts_viz.player.page import script

from .lab import PAINTED, PATIENCE

Show = Callable[..., Page]
"""The fixture that opens a page of HTML: ``show(html, "#at=5", viewport=…)``."""

ADDRESS = "http://127.0.0.1:9/"  # answered by the test; no server is asked
FOLDER = files("mcts_viz.player")
SCRIPTS = sorted(
    path.relative_to(str(FOLDER)).as_posix() for path in Path(str(FOLDER)).rglob("*.js")
)


def ask(page: Page, script: str, argument: Any = None) -> Any:
    """The result of a function of the page, as JSON: Playwright's own way is ten times as slow."""
    wrapped = f"async argument => JSON.stringify(await ({script})(argument))"
    return json.loads(page.evaluate(wrapped, argument))


WITHOUT_LAYOUT = """() => {
    const sizes = {
        clientWidth: 600, offsetLeft: 0, offsetTop: 0, offsetWidth: 600, offsetHeight: 30,
    };
    for (const [name, size] of Object.entries(sizes))
        Object.defineProperty(HTMLElement.prototype, name, { get: () => size });
    HTMLElement.prototype.focus = () => {};
    document.body.style.contentVisibility = "hidden";
}"""
"""For a page that is read, not looked at: each of these would lay out all of it, and each frame."""


def settle(page: Page) -> None:
    """Let the page paint, and tell all that it has done so far."""
    page.evaluate(PAINTED)


@cache
def film() -> Film:
    """A search of 200 iterations, with 20 cards."""
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200), 20)


@cache
def walk() -> Film:
    """A walk by alpha-beta, with 20 cards."""
    game = TicTacToe()
    return Film(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")), 20)


def serve_modules(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS)
    if name == "bundle.js":
        body = script()
    elif name == "play.js":
        body = str(Play.part.default_value)
    elif name in SCRIPTS:
        body = FOLDER.joinpath(name).read_text(encoding="utf-8")
    else:
        route.fulfill(body="<!doctype html><title>Film</title>", content_type="text/html")
        return
    route.fulfill(body=body, content_type="text/javascript")


@cache
def free_pages(browser: Browser) -> defaultdict[str, list[Page]]:
    """The pages that no test uses now, by the fixed part of their profile."""
    return defaultdict(list)


AS_USUAL: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    "reduced_motion": "no-preference",
    "forced_colors": "none",
}
"""The part of a profile that a page can change."""


@contextmanager
def used_page(browser: Browser, **profile: Any) -> Iterator[Page]:
    """A page that is as new, whatever tests have done to it; to open one takes three times as long.

    One that a test has closed, or failed with, is given to no other.
    """
    fixed = {name: profile[name] for name in sorted(profile.keys() - AS_USUAL.keys())}
    free = free_pages(browser)[repr(fixed)]
    page = free.pop() if free else browser.new_context(**fixed).new_page()
    media = {**AS_USUAL, **profile}
    try:
        page.set_viewport_size(media["viewport"])
        page.emulate_media(
            media="screen",
            color_scheme=media["color_scheme"],
            reduced_motion=media["reduced_motion"],
            forced_colors=media["forced_colors"],
        )
        yield page
        if not page.is_closed():
            empty(page)
            free.append(page)
    except BaseException:
        page.context.close()
        raise


def empty(page: Page) -> None:
    """Undo what a test may have done to a page, short of scripts for each document."""
    page.evaluate(
        "() => { name = ''; location.protocol === 'about:' || [localStorage, sessionStorage]"
        ".forEach(kept => kept.clear()); }"
    )
    page.unroute_all()
    page.mouse.move(-1, -1)


@contextmanager
def noted(browser: Browser, amiss: list[str], **profile: Any) -> Iterator[Page]:
    """A page without a network; noted are its errors, words on the console, and requests.

    What the document of the test before says until the first address is opened is not.
    """
    opened: list[Any] = []

    def note(said: str) -> None:
        if opened:
            amiss.append(said)

    def note_request(asked: Request) -> None:
        if not asked.is_navigation_request() and not asked.url.startswith(("data:", "blob:")):
            note(asked.url)

    heard: dict[Any, Callable[[Any], None]] = {
        "framenavigated": lambda frame: opened.append(frame),
        "pageerror": lambda error: note(str(error)),
        "console": lambda message: note(message.text),
        "request": note_request,
    }
    with used_page(browser, offline=True, **profile) as page:
        for event, act in heard.items():
            page.on(event, act)
        yield page
    for event, act in heard.items():
        page.remove_listener(event, act)


MEANS = """async address => {
    const bytesOf = text => {
        const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
        return new DataView(bytes.buffer);
    };
    window.module = name => import(address + name);
    window.modules = await module("bundle.js");
    window.play = (await module("play.js")).default(modules);
    window.opened = ({ facts, columns }) => modules.openFilm(facts, bytesOf(columns));
    window.open_ = async payload => { window.film = await opened(payload); };
    window.unpacked = ({ facts, columns }) => ({ facts, columns: bytesOf(columns) });
    window.put = element => { document.body.replaceChildren(element); return element; };
    window.key = (target, key, more) => target.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
    window.model = state => {
        const heard = new Map();
        return {
            state, sent: [], saved: [], heard,
            get: name => state[name],
            set: (name, value) => { state[name] = value; },
            save_changes() { this.saved.push({ ...state }); },
            send(request) { this.sent.push(request); },
            on: (event, act) => heard.set(event, act),
            off: event => heard.delete(event),
            tell(name, value) {
                state[name] = value;
                return heard.get(`change:${name}`)();
            },
        };
    };
}"""


@contextmanager
def bare_page(browser: Browser, **profile: Any) -> Iterator[Page]:
    """An empty page. ``module(name)`` imports a script, ``open_(payload)`` opens ``film``.

    ``modules`` is what the widget is given, all in one; ``model(state)`` replaces the one
    that Python shares with a widget: it keeps in ``sent`` and ``saved`` what went to the kernel.
    """
    with used_page(browser, **{"viewport": {"width": 1000, "height": 800}, **profile}) as page:
        page.set_default_timeout(PATIENCE * 1000)
        page.route(f"{ADDRESS}**", serve_modules)
        page.goto(ADDRESS)
        page.add_style_tag(content=Play._css)
        page.evaluate(MEANS, ADDRESS)
        yield page


def aside(make: Callable[..., Any], *given: Any) -> Any:
    """Call ``make`` in a thread without an event loop, where the agent of a game moves at once."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(make, *given).result()


@cache
def states_of(widgets: Callable[[], list[Any]]) -> list[dict[str, Any]]:
    """The state that Python shares with each widget, with films as text."""
    made = aside(widgets)
    return [
        {
            name: list(map(in_text, value)) if name == "payloads" else value
            for name in widget.traits(sync=True)
            if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
            for value in [getattr(widget, name)]
        }
        for widget in made
    ]


def put_widgets(page: Page, states: list[dict[str, Any]]) -> None:
    """Show widgets, one below the other, with their ``models``."""
    page.evaluate(
        """async states => {
            for (const state of states) state.payloads &&= state.payloads.map(unpacked);
            window.models = states.map(model);
            for (const one of models) {
                const host = document.body.appendChild(document.createElement("div"));
                const { render } = one.get("part") ? play : modules.default;
                await render({ model: one, el: host });
            }
        }""",
        states,
    )


def payload(film: Film) -> dict[str, Any]:
    """The payload of a player, with its columns as text."""
    return in_text(film.payload())


def in_text(sent: dict[str, Any]) -> dict[str, Any]:
    return {**sent, "columns": base64.b64encode(sent["columns"]).decode()}
