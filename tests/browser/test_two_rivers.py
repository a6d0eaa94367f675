"""Python and the page lay the river out alike: stills and the player are one picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from films import excerpts, films, walks
from playwright.sync_api import Page

from mcts_viz import MCTS, Bandit, Film, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.river import River
from mcts_viz.film.still import river_at
from mcts_viz.search import PHASES
from mcts_viz.search.variants import puct
from mcts_watch import Watch

from .bare import ask, payload

MOST = 40
"""Moments of one film; longer ones are tried from their beginning to their end."""

LAY_OUT = """async ({ sent, moments, width, height }) => {
    const film = await opened(sent);
    const tree = modules.threadsOf(film);
    const { phases } = film.facts;
    return moments.map(([iteration, phase]) => {
        const frame = film.frame(film.indexOf(iteration), phases.indexOf(phase));
        tree.at(frame);
        const end = frame.walk.at(-1);
        const river = modules.layOut(tree, {
            width, height, walk: frame.path.map(node => tree.inTree(node)),
            stop: end === undefined ? undefined : tree.inTree(end),
        });
        const places = [...river.places.values()].sort((a, b) => a.node - b.node);
        return {
            rows: river.rows,
            places: places.map(p => [p.node, p.depth, p.left, p.right, p.x, p.y, p.spring, p.wide]),
            bands: river.bands.map(b => [b.node, b.result, b.from, b.to, b.wide, b.above, b.below]),
            ends: river.ends.map(e => [e.node, e.result, e.x, e.wide, e.y]),
            fans: river.fans.map(f => [f.node, f.depth, f.from, f.wide, f.y, f.left, f.right,
                ...f.counts,
                ...f.deeper.flat().filter(of => of !== undefined)]),
            spares: river.spares.map(s => [s.node, s.from, s.wide, s.y, s.left, s.right, s.below,
                ...s.deeper]),
            ghosts: river.ghosts.map(g => [g.left, g.right, g.from, g.above, g.below,
                g.wide ?? 0, g.high ?? 0, g.count ?? 0, g.told ? 1 : 0]),
            cards: river.cards.map(c => [c.node, c.depth, c.x, c.y, c.width, c.height]),
            names: [...river.ghosts.map(g => g.name ?? ""), ...river.cards.map(c => c.kind)],
            steps: tree.step && !tree.kinds ? places.map(p => tree.step(p.node)) : [],
        };
    });
}"""


def watched() -> Film:
    search = MCTS(TicTacToe(), seed=1)
    watch = Watch(search.start())
    for _ in range(60):
        search.run(iterations=1)
        watch.look()
    return Film(watch)


def solved() -> Film:
    game = TicTacToe()
    return Film(MCTSSolver(game, seed=2).record(game.parse("X.. .O. ..."), iterations=300))


KINDS: dict[str, Callable[[], Film]] = {
    "tic-tac-toe": lambda: Film(MCTS(TicTacToe(), seed=4).record(iterations=900)),
    "a lesson": lambda: Film(MCTS(TicTacToe(), seed=2).record(iterations=40)),
    "connect four": lambda: films()[3],
    "nim": lambda: Film(MCTS(Nim(), seed=6).record(iterations=300)),
    "bandit": lambda: Film(MCTS(Bandit([0.2, 0.8]), seed=8).record(iterations=120)),
    "many arms": lambda: Film(MCTS(Bandit([0.5] * 26), seed=8).record(iterations=120)),
    "game tree": lambda: films()[7],
    "thirds": lambda: films()[10],
    "continued": lambda: films()[11],
    "priors": lambda: Film(MCTS(TicTacToe(), seed=12, selection=puct).record(iterations=90)),
    "solver": solved,
    "an excerpt": lambda: excerpts()[0],
    "watched": watched,
    **{f"walk {number}": partial(lambda n: walks()[n], number) for number in range(8)},
}
"""How to make a film of each kind that the river is drawn of."""


def told(river: River, film: Film, steps: list[int]) -> dict[str, Any]:
    """A river of Python as the page tells its own."""
    places = [river.places[node] for node in sorted(river.places)]
    return {
        "rows": river.rows,
        "places": [[p.node, p.depth, p.left, p.right, p.x, p.y, p.spring, p.wide] for p in places],
        "bands": [[*band] for band in river.bands],
        "ends": [[*end] for end in river.ends],
        "fans": [
            [f.node, f.depth, f.start, f.wide, f.y, f.left, f.right, *f.counts]
            + [count for level in f.deeper if level for count in level]
            for f in river.fans
        ],
        "spares": [[*spare[:-1], *spare.deeper] for spare in river.spares],
        "ghosts": [
            [g.left, g.right, g.start, g.above, g.below, g.wide, g.high, g.many, int(g.told)]
            for g in river.ghosts
        ],
        "cards": [[c.node, c.depth, c.x, c.y, c.width, c.height] for c in river.cards],
        "names": [ghost.name for ghost in river.ghosts] + [card.kind for card in river.cards],
        "steps": steps,
    }


def moments_of(film: Film) -> list[tuple[int, str]]:
    """All moments of a film, or of a long one some from its beginning to its end."""
    every = [(k, phase) for k in film.iterations for phase in PHASES]
    if film.data.kind == "minimax":
        every = [(k, film.frame(k).phase) for k in film.iterations]
    if len(every) <= MOST:
        return every
    places = np.unique(np.geomspace(1, len(every), MOST).astype(int)) - 1
    return [every[place] for place in places]


@pytest.mark.parametrize("name", KINDS)
def test_python_and_the_page_lay_the_river_out_alike(page: Page, name: str) -> None:
    film = KINDS[name]()
    moments = moments_of(film)
    assert moments
    size = {"width": 584, "height": 464}
    found = ask(page, LAY_OUT, {"sent": payload(film), "moments": moments, **size})
    assert len(found) == len(moments)
    for (iteration, phase), theirs in zip(moments, found, strict=True):
        tree, river = river_at(film.data, iteration, phase, **size)
        steps = [] if tree.kinds else [tree.step(node) for node in sorted(river.places)]
        ours = json.loads(json.dumps(told(river, film, steps)))
        assert ours.keys() == theirs.keys()
        for part, here in ours.items():
            there, where = theirs[part], (name, iteration, phase, part)
            if part in ("names", "steps"):
                assert here == there, where
                continue
            assert [*map(np.size, here)] == [*map(np.size, there)], where
            one, other = np.hstack([*here, 0]), np.hstack([*there, 0])  # there may be none
            assert np.allclose(one, other, rtol=1e-5, atol=1e-3), (where, one, other)
