"""The icicle: its numbers are the search's own, all of them, in films of some iterations too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from mcts_viz import MCTS, ConnectFour, Film, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.pictures import THEMES
from mcts_viz.search import PHASES

from .bare import ask, bare_page, payload

HEIGHT = 84
SMALLEST = 0.35


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        yield page


def continued() -> Film:
    search = MCTS(Nim(), seed=4)
    search.record(iterations=50)
    return Film(search.record(iterations=150))


FILMS = {
    "all": lambda: Film(MCTS(TicTacToe(), seed=4).record(iterations=120)),
    "some": lambda: Film(
        MCTS(TicTacToe(), seed=4).record(iterations=600), iterations=[1, 2, 40, 300, 301, 600]
    ),
    "connect four": lambda: Film(
        MCTS(ConnectFour(), seed=4).record(iterations=700), iterations=range(500, 520)
    ),
    "solver": lambda: Film(MCTSSolver(TicTacToe(), seed=2).record(iterations=200)),
    "continued": continued,
}

READ = """async ([payload, moments, height]) => {
    const film = await opened(payload);
    const icicle = new modules.Icicle(film, { onChoose() {} });
    const { tree } = icicle;
    const host = put(document.createElement("div"));
    host.className = "mcts-player"; // which has the colours
    host.append(icicle.element);
    icicle.resize(600, height);
    const ink = ({ x, wide, y, h }) => [...icicle.canvas.getContext("2d").getImageData(
        icicle.sharp * (x + wide - 5), icicle.sharp * (y + h / 2), 1, 1).data];
    return moments.map(([place, phase]) => {
        icicle.paint(film.frame(place, phase));
        const { nodes, total } = icicle.element.dataset;
        return { nodes: Number(nodes), total: Number(total), visits: [...tree.visits],
            wins: [...tree.wins], path: icicle.path, added: icicle.added,
            rows: icicle.rows.map(({ node, y, h }) => [node, y, h]), inks: icicle.rows.map(ink) };
    });
}"""


def tone(mean: float) -> Any:
    """The colour of a mean from 0 to 1: on the way from low over middle to high."""
    names = ("icicle-low", "icicle-middle", "icicle-high")
    colours = [[int(THEMES["light"][name][at : at + 2], 16) for at in (1, 3, 5)] for name in names]
    return [np.interp(mean, (0, 0.5, 1), channel) for channel in zip(*colours, strict=True)]


@pytest.mark.parametrize("name", FILMS)
def test_it_shows_what_the_trace_says_of_all_nodes(page: Page, name: str) -> None:
    film = FILMS[name]()
    trace, count = film.trace, len(film.iterations)
    places = [1, count, count // 2, count // 2 + 1, 2, count]  # forwards and back
    moments = [[place, phase] for place in places for phase in range(4)]
    read: list[dict[str, Any]] = ask(page, READ, [payload(film), moments, HEIGHT])
    for (place, phase), seen in zip(moments, read, strict=True):
        now = trace.at(film.iterations[place - 1], PHASES[phase])
        assert seen["total"] == now.nodes
        visits, wins = np.array(seen["visits"]), np.array(seen["wins"])
        np.testing.assert_array_equal(visits[: now.nodes], now.visits)
        np.testing.assert_allclose(wins[: now.nodes], now.wins, atol=1e-9)
        assert not visits[now.nodes :].any()
        assert seen["path"] == list(now.path)
        assert seen["added"] == (-1 if now.new_node is None else now.new_node)
        if not now.visits[0]:
            continue
        # As high as its visits, in the order of moves, within its parent, and none that is missing.
        rows = {node: (y, h) for node, y, h in seen["rows"]}
        high = HEIGHT * now.visits / now.visits[0]
        assert seen["nodes"] == len(rows)
        assert set(np.flatnonzero(high > SMALLEST + 1e-6)) <= set(rows)
        assert all(high[node] > SMALLEST - 1e-6 for node in rows)
        for (node, (y, h)), ink in zip(rows.items(), seen["inks"], strict=True):
            assert h == pytest.approx(high[node])
            if h > 8 and now.visits[node]:
                low, most = film.data.reward_range
                assert ink[:3] == pytest.approx(tone((wins[node] / visits[node] - low) / (most - low)), abs=4)
            if node:
                top, below = rows[int(trace.parent[node])]
                assert top - 1e-6 <= y
                assert y + h <= top + below + 1e-6
                for other in trace.children[int(trace.parent[node])]:
                    if other in rows and trace.actions[trace.action[other]] > trace.action_of(node):
                        assert rows[other][0] >= y + h - 1e-6


def test_it_says_what_is_pointed_at_and_a_click_chooses_it(page: Page) -> None:
    film = FILMS["some"]()
    told = page.evaluate(
        """async payload => {
            const film = await opened(payload);
            const [chosen, hovered] = [[], []];
            const onHover = node => hovered.push(node);
            const hands = { onChoose: node => chosen.push(node), onHover };
            const icicle = new modules.Icicle(film, hands);
            put(icicle.element);
            icicle.resize(600, 400);
            icicle.paint(film.frame(6, 3));
            const first = icicle.rows.find(({ level }) => level === 1);
            const at = { clientX: 60, clientY: first.y + 4, bubbles: true };
            const { left, top } = icicle.canvas.getBoundingClientRect();
            for (const kind of ["pointermove", "click"]) {
                const place = { ...at, clientX: at.clientX + left, clientY: at.clientY + top };
                icicle.canvas.dispatchEvent(new PointerEvent(kind, place));
            }
            const said = icicle.said.textContent;
            return { said, chosen, hovered };
        }""",
        payload(film),
    )
    trace, children = film.trace, sorted(film.data.trace.children[0], key=film.data.trace.action_of)
    visits, wins = trace.visits(600)[children[0]], trace.wins(600)[children[0]]
    assert told["said"] == f"0: {visits} visits, mean {wins / visits:.2f}"
    assert told["chosen"] == told["hovered"] == children[:1]
