"""The scripts that move whole films, each by itself, with a stand-in for Python.

They are minimax_film.js, player.js and kernel.js; the others are tried where they are at work. Of
each widget it is tried what it leaves behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mcts_course import BeTheSearch, Play
from mcts_course.lessons.perfect_play import leaves_to_skip
from mcts_course.work.predict import Prediction
from mcts_viz import MCTS, Compare, Player, TicTacToe
from mcts_viz.film import Film, board_of
from mcts_viz.player.page import enclosed
from mcts_viz.trace.minimax_trace import EVALUATE

from .bare import aside, film, payload, put_widgets, states_of, walk

# minimax_film.js ---------------------------------------------------------------------------------


def test_a_walk_is_moved_step_by_step_and_from_kind_to_kind(page: Page) -> None:
    told = page.evaluate(
        """async payload => {
            const walk = await opened(payload);
            const steps = Array.from({ length: walk.facts.iterations }, (_, place) => place + 1);
            return steps.map(step => {
                const phase = walk.phaseAt(step);
                const like = way => walk.stepIteration(step, phase, way)[0];
                return [phase, walk.after(step, phase, 1)[0], like(1), like(-1),
                    [0, 1, 2].map(p => walk.toPhase(step, p)[0])];
            });
        }""",
        payload(walk()),
    )
    events = [walk().frame(step).phase for step in range(1, len(told) + 1)]
    phases = payload(walk())["facts"]["phases"]
    assert len(set(events)) > 2
    for step, (phase, after, ahead, back, ways) in enumerate(told, 1):
        same = [other for other, event in enumerate(events, 1) if event == events[step - 1]]
        assert phases[phase] == events[step - 1]
        assert after == step + 1
        assert ahead == min((other for other in same if other > step), default=step)
        assert back == (max((o for o in same if o < step), default=step) if step > 1 else 1)
        for kind, way in enumerate(ways):
            there = [other for other, event in enumerate(events, 1) if event == phases[kind]]
            after_it = [other for other in there if other >= step]
            assert way == (after_it[0] if after_it else there[-1] if there else step)


def test_a_playout_is_replayed_cell_by_cell(page: Page) -> None:
    told = page.evaluate(
        """async payload => {
            const film = await opened(payload);
            const length = film.facts.iterations;
            return Array.from({ length }, (_, place) => film.playout(place + 1)
                .map(({ label, cells }) => [label, [...cells]]));
        }""",
        payload(film()),
    )
    trace, game = film().trace, film().trace.game
    assert len(told) == trace.iterations
    for iteration, moves in enumerate(told, 1):
        now = trace.at(iteration)
        state = trace.state(now.path[-1])
        for (label, cells), action in zip(moves, now.playout, strict=True):
            assert label == game.action_label(state, action)
            state = game.play(state, action)
            assert cells == [*board_of(game).cells(state)]


# player.js ---------------------------------------------------------------------------------------

PLAYER = """
async ask => {
    const { mount } = await module("view/open.js");
    const { element } = await module("picture/elements.js");
    const host = put(element("div"));
    const heard = [];
    const { facts, columns } = unpacked(window.sent);
    const player = await mount(host, facts, columns, (...moment) => heard.push(moment));
    return ask(player, heard);
}
"""


def player(page: Page, ask: str, shown: Film | None = None) -> Any:
    page.evaluate("payload => { window.sent = payload; }", payload(shown or film()))
    return page.evaluate(f"() => ({PLAYER})({ask})")


def test_a_moment_outside_the_film_is_its_nearest_end(page: Page) -> None:
    places, heard = player(
        page,
        """(player, heard) => {
            const asked = [[7, 2], [0, 0], [1e9, 9], [NaN, -1], [3.4, 1]];
            const places = asked.map(moment => {
                player.go(...moment);
                return [player.iteration, player.phase];
            });
            player.go(50, 1, true);
            return [places, heard];
        }""",
    )
    assert places == [[7, 2], [1, 0], [200, 3], [1, 0], [3, 1]]
    assert [place for place, _ in heard] == [7, 1, 200, 1, 3], "what was told is not told on"


def test_a_game_has_its_colour_from_the_step_on_in_which_it_ended(page: Page) -> None:
    ask = """player => {
        const { tree } = player.picture;
        const seen = () => tree.results.map(of => of[0]);
        const steps = [1, player.film.facts.iterations];
        return steps.map(step => { player.go(step, 0); return [seen(), tree.visits[0]]; });
    }"""
    (before, games), (after, all_games) = player(page, ask, walk())
    trace = walk().trace
    ended = [trace.value[k] for k in range(len(trace)) if trace.event[k] == EVALUATE]
    assert before == [0, 0, 0, games]
    assert after[:3] == [sum(value == result for value in ended) for result in (1, 0, -1)]
    assert sum(after) == games == all_games
    assert after[3] > 0, "alpha-beta did not need them all"


def test_what_cannot_be_painted_is_said_and_the_player_goes_on(page: Page) -> None:
    told = player(
        page,
        """player => {
            player.say("From Python.");
            const seen = [player.screen.alert.textContent];
            const { outcomes } = player.film.facts;
            player.film.facts.outcomes = [];
            player.go(30, 3);
            seen.push(player.screen.alert.textContent);
            player.film.facts.outcomes = outcomes;
            player.go(30, 2);
            seen.push(player.screen.alert.textContent);
            player.say("");
            return [seen, player.screen.alert.textContent === ""];
        }""",
    )
    assert told[0][0] == told[0][2] == "From Python."
    assert told[0][1].startswith("The player could not show this moment (")
    assert told[1]


# widget.js ---------------------------------------------------------------------------------------


def test_python_moves_it_and_warns(page: Page) -> None:
    told = page.evaluate(
        """async payload => {
            const shared = model({ iteration: 1, phase: "select", words: 0, heard: 0, error: "",
                branching: {}, payloads: [unpacked(payload)] });
            const host = put(document.createElement("div"));
            const end = await modules.default.render({ model: shared, el: host });
            const root = host.querySelector(".mcts-player");
            shared.tell("iteration", 100_000);
            const held = root.dataset.iteration;
            shared.tell("error", "<b>Stop</b>");
            const alert = root.querySelector(".alert").textContent;
            end();
            return [held, alert, shared.saved.length, shared.heard.size];
        }""",
        payload(film()),
    )
    assert told == ["200", "<b>Stop</b>", 0, 0], "nothing is told back"


def test_a_film_that_is_none_is_told(page: Page) -> None:
    put_widgets(page, [{"payloads": [{"facts": {}, "columns": ""}]}])
    expect(page.get_by_text("The film cannot be shown in this browser (")).to_be_visible()


# The moments of films -----------------------------------------------------------------------------

MOMENT = """
async ask => {
    const { ModelSync, initialize } = await module("data/kernel.js");
    const shared = model({ iteration: 1, phase: "select", words: 3, heard: 0 });
    initialize({ model: shared });
    const went = [];
    const moment = new ModelSync(shared, (iteration, phase) => {
        went.push([iteration, phase]);
        return [Math.min(iteration, 50), phase];
    });
    const rest = () => new Promise(done => setTimeout(done, 600));
    return eval(ask);
}
"""
MOMENTS = {
    "the page says what it has heard of Python": (
        """(async () => {
            moment.tell(7, "expand");
            await rest();
            shared.tell("words", 4);
            const quiet = shared.saved.length;
            moment.tell(8, "expand");
            await rest();
            return [quiet, shared.saved.map(({ iteration, heard }) => [iteration, heard])];
        })()""",
        [1, [[7, 3], [8, 4]]],
    ),
    # An old place that waits to be sent would go along with what the page has heard since.
    "whatever is told, Python learns the films' moment": (
        """(async () => {
            moment.tell(7, "expand");
            shared.tell("words", 4);
            shared.tell("iteration", 9);
            await rest();
            moment.leave();
            return shared.saved;
        })()""",
        [{"iteration": 9, "phase": "expand", "words": 4, "heard": 4, "at": [9, "expand"]}],
    ),
    "a moment is gone to once, and what Python says replaces what was not told": (
        """(async () => {
            moment.tell(7, "expand");
            shared.tell("phase", "expand");
            shared.tell("iteration", 99);
            await rest();
            moment.tell(3, "select");
            moment.leave();
            await rest();
            const { at } = shared.saved[0];
            return [went, at[0], shared.saved.length, shared.heard.has("change:iteration")];
        })()""",
        [[[1, "select"], [99, "expand"]], 50, 1, False],
    ),
}


@pytest.mark.parametrize("what", MOMENTS)
def test_page_and_python_tell_each_other_where_films_stand(page: Page, what: str) -> None:
    ask, wanted = MOMENTS[what]
    assert page.evaluate(MOMENT, ask) == wanted


# kernel.js ---------------------------------------------------------------------------------------


def test_a_kernel_that_is_silent_is_told_of(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { Requests } = await module("data/kernel.js");
            const said = [];
            const shared = model({});
            const requests = new Requests(shared, text => said.push(text));
            const { setTimeout, clearTimeout } = window;
            const waiting = new Map();
            window.setTimeout = (act, time) => (waiting.set(waiting.size, act), waiting.size - 1);
            window.clearTimeout = number => waiting.set(number, () => {});
            try {
                requests.send("hint", { depth: 2 });
                requests.heard();
                requests.send("stop");
                waiting.forEach(act => act());
                requests.heard(true); // and was to say more
                waiting.forEach(act => act());
                requests.heard();
                waiting.forEach(act => act());
            } finally {
                Object.assign(window, { setTimeout, clearTimeout });
            }
            return [shared.sent, said];
        }"""
    )
    assert told[0] == [{"act": "hint", "depth": 2}, {"act": "stop"}]
    silent, stopped = told[1]
    assert silent == stopped
    assert silent.startswith("The kernel has not answered yet")


def test_private_names_of_two_modules_may_be_equal(page: Page) -> None:
    first = "const render = () => 1;\nexport const one = render;"
    second = 'import { one } from "./a.js";\nconst render = () => one() + 1;\n'
    second += "export function two() { return render(); }"
    said = page.evaluate(
        """async source => {
            const { one, two } = await import(URL.createObjectURL(
                new Blob([source], { type: "text/javascript" })));
            return [one(), two()];
        }""",
        enclosed("a.js", first) + enclosed("b.js", second),
    )
    assert said == [1, 2]


RUN_AGAIN = """async ([script, state, runs]) => {
    const source = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: widget } = await import(source);
    window.models ??= []; // JupyterLab keeps them
    const left = { nodes: 0, acts: 0 };
    for (let run = 0; run < runs; run++) {
        const own = structuredClone(state);
        if (own.payloads) own.payloads = own.payloads.map(unpacked);
        const host = document.body.appendChild(document.createElement("div"));
        const [shared, acts] = [model(own), new Set()];
        models.push(shared);
        const close = await widget.initialize?.({ model: shared });
        shared.on = (event, act) => acts.add(act);
        shared.off = (event, act) => acts.delete(act);
        const leave = await widget.render({ model: shared, el: host });
        await new Promise(requestAnimationFrame);
        if (!host.hasChildNodes()) throw new Error("nothing was shown");
        leave();
        close?.();
        host.remove();
        left.nodes += host.childNodes.length; // JupyterLab keeps the host, too
        left.acts += acts.size;
    }
    return [left.nodes, left.acts];
}"""


def compared() -> Compare:
    pair = [MCTS(TicTacToe(), c, seed=4) for c in (0.2, 2)]
    return Compare(*(search.record(iterations=30) for search in pair))


WIDGETS: dict[str, Callable[[], Any]] = {
    "player": lambda: Player(MCTS(TicTacToe(), seed=4).record(iterations=60), tools=["whatif"]),
    "comparison": compared,
    "board": lambda: Play(TicTacToe(), iterations=10),
    "by hand": lambda: BeTheSearch(TicTacToe()),
    "prediction": lambda: Prediction(question="Who wins?", choices=["X", "O"]),
    "leaves to mark": leaves_to_skip,
}
"""How to make a widget of each kind."""


@pytest.mark.parametrize("kind", WIDGETS)
def test_a_cell_that_runs_again_leaves_neither_nodes_nor_listeners(page: Page, kind: str) -> None:
    """Each run of a player once left two nodes and a listener in the page; and in the element of a
    board, a question or a tree of one's own, which JupyterLab keeps, all that it had shown.
    """
    widget = aside(WIDGETS[kind])
    (state,) = states_of(lambda: [widget])
    devtools = page.context.new_cdp_session(page)
    counts = []
    for runs in (3, 5):
        assert page.evaluate(RUN_AGAIN, [str(widget._esm), state, runs]) == [0, 0]
        for _ in range(3):
            page.wait_for_timeout(50)
            devtools.send("HeapProfiler.collectGarbage")
        found = devtools.send("Memory.getDOMCounters")
        counts.append((found["nodes"], found["jsEventListeners"]))
    assert counts[0] == counts[1]
