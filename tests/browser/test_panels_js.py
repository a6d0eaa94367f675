"""The scripts of what stands around the tree, each by itself: panels.js, tools.js, root.js,
twin.js, predict.js and link.js."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from mcts_viz.film.questions import question_columns
from mcts_viz.film.words import short

from .bare import bare_page, film, payload, walk


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        yield page


@pytest.fixture
def page(blank: Page) -> Page:
    """A page that has opened `film`."""
    blank.evaluate("payload => open_(payload)", payload(film()))
    return blank


# panels.js ---------------------------------------------------------------------------------------


def test_what_an_element_is_given_stays_text(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { element } = await module("panels.js");
            const made = element("p", { title: '"><i>' }, "<b>x</b>", element("i", {}, "y"));
            return [made.title, made.textContent, made.querySelectorAll("*").length];
        }"""
    )
    assert told == ['"><i>', "<b>x</b>y", 1]


def test_a_pool_makes_an_item_once_and_hides_what_is_too_much(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { Pool, element } = await module("panels.js");
            const list = element("ul");
            let made = 0;
            const pool = new Pool(list, () => ({ element: element("li"), number: made++ }));
            const seen = () => [...list.children].filter(item => !item.hidden).length;
            return [3, 1, 4, 0].map(count => [pool.take(count).map(i => i.number), seen(), made]);
        }"""
    )
    assert told == [[[0, 1, 2], 3, 3], [[0], 1, 3], [[0, 1, 2, 3], 4, 4], [[], 0, 4]]


def test_the_comparison_shows_every_term_and_the_steps_of_the_path(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { Comparison } = await module("panels.js");
            const heard = [];
            const panel = new Comparison(film, node => heard.push(node));
            put(panel.element);
            const frame = film.frame(200, 3);
            panel.paint(frame, 0);
            const rows = film.comparison(frame, 0).rows;
            const shown = panel.rows.items.map(({ element, label, share, mean, bonus }) => [
                element.className, label.textContent, share.textContent,
                parseFloat(mean.style.width), parseFloat(bonus.style.width)]);
            const off = film.below[0].find(node => !frame.path.includes(node));
            panel.paint(frame, off);
            const steps = panel.buttons.items.filter(({ element }) => !element.hidden);
            steps.at(-1).element.click();
            const pressed = steps.map(({ element }) => element.getAttribute("aria-pressed"));
            const wanted = rows.map(row => [row.chosen ? "chosen" : "",
                (row.chosen ? "▸ " : "") + film.label(row.node), row.share,
                100 * row.bars[0].size, 100 * row.bars[1].size]);
            return { shown, wanted, heard, off, pressed };
        }"""
    )
    assert len(told["shown"]) == 9
    for row, wanted in zip(told["shown"], told["wanted"], strict=True):
        assert row == [*wanted[:3], *(pytest.approx(size, abs=0.01) for size in wanted[3:])]
    assert sum(row[0] == "chosen" for row in told["shown"]) == 1
    assert told["heard"] == [told["off"]], "a card beside the path is a step of its own"
    assert told["pressed"][-1] == "true"
    assert told["pressed"].count("true") == 1


def test_the_playout_is_shown_from_the_simulation_on(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { Aside } = await module("panels.js");
            const aside = new Aside(film);
            return [0, 2].map(phase => {
                aside.paint(film.frame(10, phase));
                const shots = [...aside.frames.children].filter(shot => !shot.hidden);
                return [aside.note.textContent, shots.map(shot => shot.textContent)];
            });
        }"""
    )
    trace = film().trace
    now, game = trace.at(10, "simulate"), trace.game
    state, moves = trace.state(now.path[-1]), []
    for action in now.playout:
        moves.append(game.action_label(state, action))
        state = game.play(state, action)
    assert told[0] == ["Comes with the simulation.", []]
    assert told[1][1] == moves
    assert told[1][0].startswith(", ".join(moves))
    assert told[1][0].endswith("Never stored in the tree.")


# tools.js ----------------------------------------------------------------------------------------


def test_a_switch_is_a_button_and_a_key(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { Tools } = await module("tools.js");
            const on = { t: false, b: true };
            const tools = new Tools([["t", "Truth", "Exact values"], ["b", "Table", "A table"]].map(
                ([key, text, title]) => ({ key, text, title,
                    isOn: () => on[key], flip: () => { on[key] = !on[key]; } })));
            const read = () => tools.buttons.map(button => button.getAttribute("aria-pressed"));
            tools.update();
            const seen = [read()];
            tools.keys.t();
            seen.push(read());
            tools.buttons[1].click();
            seen.push(read());
            on.b = true;
            tools.update();
            seen.push(read());
            return [seen, tools.buttons[0].title, Object.keys(tools.keys)];
        }"""
    )
    states = [["false", "true"], ["true", "true"], ["true", "false"], ["true", "true"]]
    assert told == [states, "Exact values (T)", ["t", "b"]]


# root.js -----------------------------------------------------------------------------------------


def test_the_moves_at_the_root_are_bars_and_one_is_marked(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { RootStrip } = await module("root.js");
            const strip = new RootStrip(film, () => {});
            const read = () => strip.rows.map(({ nodes, bar, count, element }) => [nodes,
                Math.round(parseFloat(bar.style.width)), count.textContent,
                element.classList.contains("played")]);
            strip.paint(film.frame(1, 0));
            const first = read();
            strip.paint(film.frame(200, 3));
            const last = [read(), strip.words.textContent];
            strip.show(false);
            strip.paint(film.frame(1, 0));
            return [first, ...last, read(), strip.marker.getAttribute("transform")];
        }"""
    )
    first, last, words, hidden, marker = told
    assert {tuple(row[1:]) for row in first} == {(0, "0", False)}
    trace = film().trace
    visits = trace.visits(200)
    counts = [sum(int(visits[node]) for node in nodes) for nodes, *_ in last]
    best = max(trace.children[0], key=lambda node: visits[node])
    for (nodes, size, text, marked), count in zip(last, counts, strict=True):
        assert size == round(100 * count / max(counts))
        assert text == f"{count} ★" if best in nodes else text == str(count)
        assert marked == (best in nodes)
    assert f"{trace.label(best)}, with {visits[best]} visits." in words
    assert hidden == last, "what is not seen is not painted"
    assert marker == "translate(200 0)"


def test_a_walk_has_no_moves_at_the_root_over_time(blank: Page) -> None:
    shown = blank.evaluate(
        """async payload => {
            const { RootStrip } = await module("root.js");
            const strip = new RootStrip(await opened(payload), () => {});
            return [strip.shown, strip.elements.every(({ hidden }) => hidden)];
        }""",
        payload(walk()),
    )
    assert shown == [False, True]


# twin.js -----------------------------------------------------------------------------------------


def test_rows_follow_their_parents_and_one_is_a_stop_of_tab(page: Page) -> None:
    rows, stops, moved, heard = page.evaluate(
        """async () => {
            const { Twin } = await module("twin.js");
            const heard = [];
            const twin = new Twin(film, node => heard.push(node));
            put(twin.element);
            twin.paint(film.frame(200, 3), 0, false);
            const none = twin.rows.items.length;
            twin.show(true);
            twin.paint(film.frame(200, 3), 0, true);
            const buttons = [...twin.element.querySelectorAll("tbody button")];
            const stops = () => buttons.filter(({ tabIndex }) => tabIndex === 0).length;
            const rows = [...twin.element.querySelectorAll("tbody tr")]
                .map(row => [Number(row.dataset.row), Number(row.firstChild.textContent),
                    row.lastChild.textContent]);
            const first = [none, stops(), buttons[0].tabIndex];
            buttons[0].focus();
            for (const name of ["ArrowUp", "ArrowDown", "ArrowDown"]) {
                key(document.activeElement, name);
            }
            const moved = [buttons.indexOf(document.activeElement), stops()];
            buttons[2].click();
            return [rows, first, moved, heard];
        }"""
    )
    trace, seen = film().trace, {}
    for node, level, _ in rows:
        parent = int(trace.parent[node])
        assert level == (seen[parent] + 1 if node else 0)
        seen[node] = level
    assert set(seen) == {card.node for card in film().frame(200, "backpropagate").cards} | set(
        film().frame(200, "backpropagate").strip
    )
    assert sum("in truth" in marks for _, _, marks in rows) > 5
    assert stops == [0, 1, 0]
    assert moved == [2, 1]
    assert heard == [rows[2][0]]


# predict.js --------------------------------------------------------------------------------------

PREDICT = """
async ask => {
    const { Predict } = await module("predict.js");
    const { element } = await module("panels.js");
    const went = [];
    const predict = new Predict(film, (...moment) => went.push(moment));
    put(element("div", { tabindex: "-1" }, predict.element));
    const texts = () => [...predict.options.children].map(button => button.textContent);
    const said = () => [predict.feedback.textContent, predict.score.textContent];
    const first = film.columns.ask_right.findIndex(node => node) + 1; // is asked which is selected
    return ask(predict, went, texts, said, first);
}
"""


def predict(page: Page, ask: str) -> Any:
    return page.evaluate(f"() => ({PREDICT})({ask})")


def asked(name: str) -> Any:
    return question_columns(film().reel)[1][name]


def test_nothing_is_asked_until_it_is_switched_on(page: Page) -> None:
    told = predict(
        page,
        """(predict, went, texts, said, k) => {
            const off = predict.holds(k, 0);
            predict.toggle();
            const begin = predict.feedback.textContent;
            const on = [predict.holds(k, 2), predict.holds(k, 0)];
            predict.toggle();
            return [off, begin, on, predict.holds(k, 0), predict.element.hidden];
        }""",
    )
    assert [told[0], told[3], told[4]] == [False, False, True]
    assert told[1]
    assert told[2] == [False, True], "a simulation is chance: there is nothing to ask"


def test_answers_are_judged_and_counted_and_go_on(page: Page) -> None:
    first = next(place for place, node in enumerate(asked("ask_right")) if node)
    right = int(asked("ask_right")[first])
    options, went, said, again, passed = predict(
        page,
        """(predict, went, texts, said, k) => {
            predict.toggle();
            predict.holds(k, 0);
            const options = texts();
            const right = film.columns.ask_right[k - 1];
            const wrong = film.below[0].find(node => node !== right);
            const none = predict.answerNode(99_999);
            predict.answerNode(wrong);
            const first = said();
            predict.holds(k, 0);
            predict.answerNode(right);
            const second = said();
            predict.holds(k, 0);
            predict.options.lastChild.click();
            return [options, [...went], [first, second, said()], none, predict.question];
        }""",
    )
    label = film().trace.label
    born = [node for node in film().trace.children[0] if film().trace.birth[node] <= first]
    assert options == [*map(label, born), "Show me"]
    assert went == [[first + 1, 0]] * 3
    (wrong, none_right), (_, one_right), (shown, still) = said
    assert label(right) in wrong
    counts = ["0 of 1 predicted", "1 of 2 predicted", "1 of 2 predicted"]
    assert [none_right, one_right, still] == counts
    assert label(right) in shown
    assert not again, "a card that is no answer answers nothing"
    assert passed is None


def test_a_question_is_taken_back_once(page: Page) -> None:
    told = predict(
        page,
        """(predict, went) => {
            predict.toggle();
            predict.holds(100, 3);
            const hidden = [predict.group.hidden];
            const taken = [predict.cancel(), predict.cancel()];
            return [hidden[0], predict.group.hidden, taken, went, predict.asked];
        }""",
    )
    assert told == [False, True, [True, False], [], 0]


def test_what_a_card_will_say_is_among_the_answers(page: Page) -> None:
    trace, draw = film().trace, [20, 63, 100, 157, 200]
    answers = predict(
        page,
        f"""(predict, went, texts) => {{
            predict.toggle();
            return {draw}.map(iteration => {{
                predict.holds(iteration, 3);
                const right = predict.question?.options.find(option => option.right).text;
                const told = texts();
                predict.cancel();
                return [right, told];
            }});
        }}""",
    )
    for iteration, (right, texts) in zip(draw, answers, strict=True):
        before, after = trace.at(iteration, "simulate"), trace.at(iteration, "backpropagate")
        node = before.path[len(before.path) - 1 - int(asked("ask_above")[iteration - 1])]
        assert right == f"{short(float(after.wins[node]))}/{after.visits[node]}"
        assert texts.count(right) == 1
        assert len(set(texts)) == len(texts) > 2


# link.js -----------------------------------------------------------------------------------------

LINK = """
async ([works, facts, text]) => {
    const copied = [];
    const writeText = async link => {
        if (!works) throw new Error("no");
        copied.push(link);
    };
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    const { Link } = await module("link.js");
    const { element } = await module("panels.js");
    const link = new Link({ facts });
    put(element("div", {}, link.button, link.element));
    link.paint({ number: 7, phase: 1 });
    await link.copy();
    const told = [copied, link.said.textContent, link.field.value, link.element.hidden,
        document.activeElement === link.field];
    link.paint({ number: 7, phase: 1 });
    const stays = link.element.hidden;
    link.paint({ number: 8, phase: 1 });
    return [...told, stays, link.element.hidden, document.activeElement === link.button];
}
"""


def test_a_link_is_copied_or_handed_over_or_refused(page: Page) -> None:
    facts = {"phases": ["select", "expand"], "link": {"text": "mcts:x", "refusal": ""}}
    whole = "mcts:x&at=7.expand"
    copied = page.evaluate(LINK, [True, facts, whole])
    assert copied[0] == [whole]
    assert "is copied" in copied[1]
    assert copied[2:] == [whole, False, False, False, True, False]
    handed = page.evaluate(LINK, [False, facts, whole])
    assert handed[0] == []
    assert "copy the link from here" in handed[1]
    assert handed[2:] == [whole, False, True, False, True, True]
    refused = page.evaluate(LINK, [True, {**facts, "link": {"text": "", "refusal": "No."}}, ""])
    assert refused == [[], "No.", "", False, False, False, True, False]
