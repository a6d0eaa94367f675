"""Be the search, without a kernel: all of it done right, every mistake made, by keys alone, on a
phone.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import log, sqrt
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_course.by_hand import BeTheSearch
from mcts_course.by_hand.deal import mistakes, searches_with
from mcts_course.by_hand.widget import right_moves, script, style
from mcts_viz import ConnectFour, GameTree, Nim, TicTacToe, solve
from mcts_viz.film.pictures import THEMES
from mcts_viz.search import Node

from .bare import WITHOUT_LAYOUT, Show, ask
from .lab import axe_violations

GAME = TicTacToe()
POSITION = GAME.parse("OX. XOX .O.")
NARROW = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
STILL = {"reduced_motion": "reduce"}


PRESS = """([steps, mustBeSeen]) => steps.map(step => {
    const [field, said] = [".term input", ".status"].map(part => document.querySelector(part));
    const buttons = [...document.querySelectorAll("button")];
    const isTyped = step.startsWith("=");
    const pressed = isTyped ? field
        : buttons.find(one => one.textContent === step) ?? document.querySelector(step);
    if (pressed && mustBeSeen) {
        pressed.scrollIntoView({ block: "nearest" });
        const { height, left, top, width } = pressed.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!pressed.contains(there)) return null;
    }
    if (isTyped && field) {
        field.value = step.slice(1);
        field.form.requestSubmit();
    } else pressed?.click();
    return pressed || isTyped ? said.textContent : null;
})"""
TERM = "=1.48"
"""The term that is missing, as it is typed: N is 3 and n is 1 there."""
MAIN = ".panel button.main"
AGAIN = "Count its result again"
CARDS = """() => [...document.querySelectorAll(".places .card:not([hidden])")]
    .map(card => [".name", ".share"].map(part => card.querySelector(part).textContent))"""


class Reader:
    """A reader who does what is right on the page, and knows it from Python's own search."""

    def __init__(self, page: Page, hands: BeTheSearch) -> None:
        self.page, self.hands, self.search = page, hands, hands.search
        self.facts = hands.facts

    @property
    def status(self) -> str:
        return self.page.locator(".status").text_content() or ""

    def card(self, number: int) -> Any:
        return self.page.locator(self.place(number))

    def press(self, steps: Iterable[str], seen: bool = False) -> list[Any]:
        """Press these one after the other, in one step of the page; what is said after each.

        A step is the text of a button, a selector, or what is typed after "="; nothing is said
        where nothing is there, or if it must be ``seen``, where something else lies on it.
        """
        said: list[Any] = ask(self.page, PRESS, [list(steps), seen])
        return said

    def place(self, number: int) -> str:
        """The selector of a card, also of one that is not in the tree yet."""
        nodes, parent = self.facts["nodes"], self.facts["nodes"][number]["parent"]
        key = f"{parent}/{nodes[parent]['below'].index(number)}" if number else "root"
        return f'.places [data-key="{key}"]'

    def walk(self) -> list[int]:
        """Numbers of the nodes of a right walk, the root first."""
        node, path = self.search.root, [0]
        while choices := right_moves(self.search, node):
            facts = self.facts["nodes"][path[-1]]
            legal = list(self.search.game.legal_actions(node.state))
            path.append(facts["below"][legal.index(choices[0])])
            known = [child for child in node.children if child.action == choices[0]]
            if not known:
                break
            node = known[0]
        return path

    def named(self, number: int) -> str:
        """The text of a move's button beside the tree."""
        node = self.facts["nodes"][number]
        return f"{self.facts['players'][node['mover']]} {node['label']}"

    def walking(self, path: list[int], way: Callable[[int], str] | None = None) -> list[str]:
        """The steps from the root to where rewards are given, by cards or in another way."""
        way = way or self.place
        steps = [step for number in path[1:] for step in (TERM, way(number))]
        if not self.facts["nodes"][path[-1]]["over"] or path[-1] not in numbered(self):
            return [*steps, MAIN]
        return [*steps, AGAIN if way == self.named else self.place(path[-1])]

    def rewards(self, path: list[int]) -> list[float]:
        end = self.facts["nodes"][path[-1]]
        gains = (end["over"] or end["playout"])["rewards"]
        return [gains[self.facts["nodes"][number]["mover"]] for number in path]

    def counting(self, path: list[int], values: Sequence[float | None]) -> list[str]:
        """The steps that give these rewards and count them."""
        pairs = zip(path, values, strict=True)
        given = [f'[data-reward="{node}/{value:g}"]' for node, value in pairs if value is not None]
        return [*given, MAIN]

    def follow(self, path: list[int]) -> None:
        """Let Python's search take the walk, too."""
        nodes = self.facts["nodes"]
        places = [nodes[a]["below"].index(b) for a, b in pairwise(path)]
        self.hands.walks = [*self.hands.walks, places]
        assert self.hands.error == ""

    def iteration(self, seen: bool = False) -> list[int]:
        """In one step of the page."""
        path = self.walk()
        steps = self.walking(path) + self.counting(path, self.rewards(path))
        assert None not in self.press(steps, seen)
        self.follow(path)
        return path

    def shares(self) -> dict[str, list[str]]:
        """Wins and visits of each card as the page says them, by the card's name."""
        shares: dict[str, list[str]] = {}
        for name, share in ask(self.page, CARDS):
            shares.setdefault(name, []).append(share)
        return shares


@cache
def facts_of(game: Any, position: Any, seed: int, grown: int) -> dict[str, Any]:
    """What is dealt: it takes seven searches of so many iterations."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("mcts_course.by_hand.deal.GROWN", grown)
        facts: dict[str, Any] = BeTheSearch(game, position, seed=seed).facts
    return facts


@pytest.fixture
def open_hands(show: Show, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Reader]:
    def opened(
        game: Any = GAME, position: Any = POSITION, seed: int = 1, grown: int = 50, **profile: Any
    ) -> Reader:
        facts = facts_of(game, position, seed, grown)
        with monkeypatch.context() as known:
            known.setattr("mcts_course.by_hand.widget.deal", lambda *_: facts)
            hands = BeTheSearch(game, position, seed=seed)
        return Reader(show(hands.to_html(), **{**STILL, **profile}), hands)

    return opened


IS_PAINTED = """canvas => canvas.getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"""


def halves(wins: float) -> str:
    return f"{int(wins) or ''}½" if wins % 1 else f"{wins:g}"


def river_in_words(root: Node) -> str:
    """The text of a river for a screen reader: its moves in the order of the game."""
    moves = sorted(root.children, key=lambda child: child.action)
    return ", ".join(f"move {child.action}: {halves(child.wins)}/{child.visits}" for child in moves)


def test_twelve_iterations_done_right(open_hands: Callable[..., Reader]) -> None:
    reader, walks = open_hands(grown=2000), []
    for _ in range(12):
        walks.append(reader.iteration(seen=True))
        assert "✗" not in reader.status
    assert reader.status == "12 iterations. Your tree chooses move 8."
    counted: dict[str, list[str]] = {}
    for node in reader.search.nodes:  # what Python's engine has counted, after the same walks
        moved, label = GAME.players[node.player_just_moved], node.action
        name = f"root, {moved}" if label is None else f"{moved} {label}"
        counted.setdefault(name, []).append(f"{halves(node.wins)}/{node.visits}")
    shown = reader.shares()
    assert {name: sorted(shares) for name, shares in shown.items()} == {
        name: sorted(shares) for name, shares in counted.items()
    }
    reader.page.get_by_role("button", name="Against perfect play").click()
    expect(reader.page.locator(".answer")).to_contain_text(
        "Result: a draw. No move does better than 8."
    )
    reader.page.get_by_role("button", name="Next to UCT's tree").click()
    rivers = reader.page.locator(".answer .river")
    said = [river.get_attribute("aria-label").split(": ", 1)[1] for river in rivers.all()]
    uct = reader.search.but()
    uct.search(POSITION, iterations=12, progress=False)
    assert said == [river_in_words(reader.search.root), river_in_words(uct.root)]
    below = [node["below"] for node in reader.facts["nodes"]]
    mine = [[below[above].index(node) for above, node in pairwise(path)] for path in walks]
    same = [*map(operator.eq, mine, reader.facts["uct"])]
    differ = f"The two first differ in iteration {same.index(False) + 1}."
    expect(reader.page.locator(".answer")).to_contain_text(differ)
    assert all(river.locator("canvas").evaluate(IS_PAINTED) for river in rivers.all())
    reader.page.get_by_role("button", name="Grow on to 2,000").click()
    expect(reader.page.locator(".answer")).to_contain_text("It now chooses 8, which draws.")
    reader.page.get_by_role("button", name="What mistakes cost").click()
    expect(reader.page.locator(".answer")).to_contain_text(
        "You made no mistake that changes a search."
    )


# Every mistake, and its sentence ----------------------------------------------------------------

PATTERNS = {
    name: re.compile("✗ " + re.sub(r"\\\{\w+\\\}", ".+", re.escape(said["card"])))
    for name, said in mistakes().items()
}


def named(status: str) -> str:
    """The mistake whose sentence this is."""
    found = [name for name, pattern in PATTERNS.items() if pattern.fullmatch(status)]
    assert len(found) == 1, status
    return found[0]


def is_true(name: str, reader: Reader, here: int, number: int) -> bool:
    """True if a sentence about a child holds, by the numbers of Python's search."""
    nodes, root = numbered(reader), reader.search.root
    parent = nodes[here]
    child = nodes.get(number)
    rivals = parent.children
    mean, visits = (child.mean, child.visits) if child else (0, 0)
    others = [rival for rival in rivals if rival is not child]
    highest = all(mean >= rival.mean for rival in rivals)
    most = all(visits > rival.visits for rival in others)
    tried_less = any(rival.visits < visits for rival in others)
    chooser_is_root = parent.to_move == root.to_move
    lowest = all(mean <= rival.mean for rival in rivals)
    fewest = all(visits <= rival.visits for rival in rivals) and any(
        r.visits > visits for r in rivals
    )
    return {
        "untried_left": bool(parent.untried),
        "highest_mean": highest and tried_less and not most,
        "most_visits": most and not highest,
        "both": most and highest and tried_less,
        "fewest_visits": fewest,
        "lowest_mean": lowest and chooser_is_root,
        "lowest_mean_opponent": lowest and not chooser_is_root,
        "another_higher": not (highest or most or fewest),
        "current_card": number == here,
        "jump": number != here and child not in rivals,
    }[name]


def numbered(reader: Reader) -> dict[int, Any]:
    """The nodes of Python's search, by their number on the page."""
    found = {0: reader.search.root}
    for number in range(len(reader.facts["nodes"])):
        if number in found:
            legal = (
                list(reader.search.game.legal_actions(found[number].state))
                if found[number].children
                else []
            )
            for child in found[number].children:
                found[reader.facts["nodes"][number]["below"][legal.index(child.action)]] = child
    return found


def try_all_wrong_cards(
    reader: Reader, here: int, right: set[int], chosen: int, seen: Counter[str]
) -> None:
    """Click every card and every untried move that is wrong, and read what is said; then the
    chosen one."""
    known = numbered(reader)
    over = reader.facts["nodes"][here]["over"]
    wrong = [number for number in known if number not in right and not (over and number == here)]
    elsewhere = [
        f'.places [data-key="{number}/{place}"]'
        for number in known
        for place, below in enumerate(reader.facts["nodes"][number]["below"])
        if below not in known and not (number == here and known[here].untried)
    ]
    cards = [reader.place(number) for number in wrong]
    _, *said, _ = reader.press([TERM, *cards, *elsewhere, reader.place(chosen)])
    for number, sentence in zip(wrong, said[: len(wrong)], strict=True):
        name = named(sentence)
        assert is_true(name, reader, here, number), (sentence, here, number)
        check_names(name, sentence, known[here])
        seen[name] += 1
    for sentence in said[len(wrong) :]:
        assert named(sentence) == "ghost_elsewhere"
        seen["ghost_elsewhere"] += 1


def check_names(name: str, sentence: str, parent: Node) -> None:
    """A sentence on a wrong card names the right player and a move that is really untried."""
    card = mistakes()[name]["card"]
    if "{chooser}" in card:
        assert sentence == f"✗ {card.format(chooser=GAME.players[parent.to_move])}"
    if name == "untried_left":
        told = re.search(r"move (\S+) is untried", sentence)
        assert told
        assert told[1] in {GAME.action_label(parent.state, action) for action in parent.untried}


def type_wrong_terms(reader: Reader, seen: Counter[str]) -> None:
    """At the first comparison N is 3 and n is 1."""
    field = reader.page.locator(".term input")
    wrong = {
        "1.05": "typed_no_c",
        "1.55": "typed_no_root",
        "0,98": "typed_log10",
        "0": "typed_swapped",
        "7": "typed_other",
    }
    left = {typed: name for typed, name in wrong.items() if name not in seen}
    if not left or not field.count():
        return
    label = field.locator("xpath=..").text_content() or ""
    told = re.search(r"√2 · √\(ln (\d+) / (\d+)\) = ", label)
    assert told, label
    assert sqrt(2 * log(int(told[1])) / int(told[2])) == pytest.approx(float(TERM[1:]), abs=0.005)
    for typed, name in left.items():
        [said] = reader.press([f"={typed}"])
        assert named(said) == name
        seen[name] += 1
        if not field.count():  # after two wrong ones the term is shown
            return


Gains = list[float | None]


def with_one_missing(reader: Reader, path: list[int]) -> Iterator[tuple[str, Gains]]:
    """Rewards of which some are missing, and the name of the mistake."""
    right = reader.rewards(path)
    lost = right.count(0)
    root_lost_alone = not right[0] and lost == 1
    yield "losers_skipped" if root_lost_alone else "root_forgotten", [None, *right[1:]]
    if path[-1] not in numbered(reader) and right[-1]:
        yield "new_card_forgotten", [*right[:-1], None]
    if len(path) > 2 and (right[1] or lost > 1):
        yield "one_missing", [right[0], None, *right[2:]]
    if lost:
        yield "losers_skipped", [value or None for value in right]


def with_wrong_ones(reader: Reader, path: list[int]) -> Iterator[tuple[str, Gains]]:
    """Rewards for all, some of them wrong, and the name of the mistake."""
    right = reader.rewards(path)
    if set(right) == {0.5}:
        yield "draw_lost", [0.0] * len(path)
        yield "draw_won", [1.0] * len(path)
        yield "some_wrong", [0.0, 1.0, *right[2:]]
    else:
        yield "same_for_all", [right[-1]] * len(path)
        yield "swapped", [1 - value for value in right]
    if len(path) > 2:
        yield "root_wrong", [0.0 if right[0] else 1.0, *right[1:]]
        yield "one_wrong", [*right[:-1], 0.0 if right[-1] else 1.0]


def make_wrong_counts(reader: Reader, path: list[int], seen: Counter[str]) -> None:
    """Count with a reward missing, once, as none can be taken back; then with wrong ones."""
    missing = [way for way in with_one_missing(reader, path) if way[0] not in seen][:1]
    wrong = [way for way in with_wrong_ones(reader, path) if way[0] not in seen]
    for name, values in missing + wrong:
        said = reader.press(reader.counting(path, values))[-1]
        assert named(said) == name, (path, values, reader.rewards(path))
        seen[name] += 1


def walk_with_mistakes(reader: Reader, path: list[int], seen: Counter[str]) -> None:
    """Take each step of Select after all wrong ones."""
    for here, chosen in pairwise(path):
        type_wrong_terms(reader, seen)
        node = numbered(reader)[here]
        legal = list(GAME.legal_actions(node.state))
        below = reader.facts["nodes"][here]["below"]
        right = {below[legal.index(action)] for action in right_moves(reader.search, node)}
        try_all_wrong_cards(reader, here, right, chosen, seen)


def act_out_of_turn(reader: Reader, path: list[int], seen: Counter[str]) -> None:
    """Between Select and Backpropagate: do what is not to be done now, then what is."""
    end = reader.facts["nodes"][path[-1]]
    if end["over"] and path[-1] in numbered(reader):
        said, _ = reader.press(["Play on at random", reader.place(path[-1])])
        assert named(said) == "played_on"
        seen["played_on"] += 1
        return
    wrong = {reader.place(0): "out_of_turn", ".ghost:not([hidden])": "two_expansions"}
    *said, after = reader.press([*wrong, MAIN])
    assert after
    for sentence, name in zip(said, wrong.values(), strict=True):
        if sentence is not None:
            assert named(sentence) == name
            seen[name] += 1


def click_in_backpropagate(reader: Reader, path: list[int], seen: Counter[str]) -> None:
    """Click a card off the walk, and the first move of the playout."""
    off = [other for other in numbered(reader) if other not in path]
    wrong = {reader.place(off[0]): "off_the_path"} if off else {}
    end = reader.facts["nodes"][path[-1]]
    if end["playout"]:
        first = end["moves"].index(end["playout"]["labels"][0])
        wrong[f'.places [data-key="{path[-1]}/{first}"]'] = "playout_move"
    for name, said in zip(wrong.values(), reader.press(wrong), strict=True):
        assert named(said) == name
        seen[name] += 1


def test_every_mistake_is_named_and_its_sentence_is_true(open_hands: Callable[..., Reader]) -> None:
    seen: Counter[str] = Counter()
    for seed in (1, 27, 0):
        reader, before = open_hands(seed=seed), seen.copy()
        reader.page.evaluate(WITHOUT_LAYOUT)
        for _ in range(12):
            path = reader.walk()
            walk_with_mistakes(reader, path, seen)
            act_out_of_turn(reader, path, seen)
            click_in_backpropagate(reader, path, seen)
            make_wrong_counts(reader, path, seen)
            assert None not in reader.press(reader.counting(path, reader.rewards(path)))
            reader.follow(path)
        assert "12 iterations" in reader.status
        check_costs(reader, seen - before)
    assert set(mistakes()) - seen.keys() == set()


WORTH = {1: "wins", 0: "draws", -1: "loses"}
OFTEN = r"Of the mistakes that change a search, yours was most often: (.+) \((\d+)×\)\."
ANSWER = """() => {
    const texts = (inside, part) => [...inside.querySelectorAll(part)].map(e => e.textContent);
    const answer = document.querySelector(".answer");
    return [texts(answer, "p"), [...answer.querySelectorAll("tbody tr")].map(row =>
        [row.className, ...texts(row, "th, td")])];
}"""


def check_costs(reader: Reader, made: Counter[str]) -> None:
    """The end names the mistake made most often, and the move of a search with each mistake."""
    facts = reader.facts
    assert reader.press(["What mistakes cost"]) != [None]
    [lead], rows = ask(reader.page, ANSWER)
    often = re.fullmatch(OFTEN, lead)
    assert often, lead
    counted = {name: made[name] for name in facts["costs"]}
    most = {
        facts["costs"][name]["said"] for name in counted if counted[name] == max(counted.values())
    }
    assert often[1] in most
    assert int(often[2]) == max(counted.values()) > 1
    game = reader.search.game
    values = solve(game, POSITION).action_values
    worth = {game.action_label(POSITION, move): WORTH[int(value)] for move, value in values.items()}
    assert len(rows) == len(facts["costs"])
    searched = {facts["costs"][n]["said"]: way for n, way in searches_with(0).items()}
    for look, said, early, late in rows:
        wrong = reader.search.but(**searched[said])
        best = wrong.search(POSITION, iterations=12, progress=False).best_action
        assert early == game.action_label(POSITION, best)
        assert (look == "best") == (said == often[1])
        label, told = late.split()
        assert told == worth[label]


# Without a mouse, on a phone, for every eye and ear
# -------------------------------------------------


def test_by_keys_alone_and_the_focus_is_never_lost(open_hands: Callable[..., Reader]) -> None:
    reader = open_hands()
    page = reader.page
    card = "document.activeElement.dataset.key ?? document.activeElement.textContent"
    page.keyboard.press("Tab")
    assert page.evaluate(card) == "root"
    for key, at in (
        ("ArrowDown", "0/0"),
        ("ArrowRight", "0/1"),
        ("ArrowLeft", "0/0"),
        ("ArrowUp", "root"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(card) == at
    for iteration in range(3):
        page.keyboard.press("ArrowDown")
        for _ in range(iteration):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Play on at random").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("x")
        path = [0, reader.facts["nodes"][0]["below"][iteration]]
        for value in reversed(reader.rewards(path)):
            page.keyboard.press({0.0: "0", 0.5: "5", 1.0: "1"}[value])
        page.keyboard.press("c")
        reader.follow(path)
        assert page.evaluate("document.activeElement.closest('.mcts-hands') !== null")
        reader.card(0).focus()
    expect(page.locator(".count")).to_have_text("iteration 4 of 12")
    page.locator(".term input").fill("1,48")
    page.keyboard.press("Enter")
    walk = reader.walk()
    reader.card(walk[1]).press("Enter")
    page.keyboard.press("Backspace")
    expect(reader.card(walk[1])).not_to_have_class(re.compile("on-path"))


def test_a_screen_reader_hears_what_a_card_says(open_hands: Callable[..., Reader]) -> None:
    reader = open_hands()
    paths = [reader.iteration() for _ in range(3)]
    said = reader.card(paths[0][1]).get_attribute("aria-label")
    assert said in ("X 2, 1 win of 1 visit", "X 2, 0 wins of 1 visit", "X 2, ½ wins of 1 visit")
    wins = reader.shares()["root, O"][0].split("/")[0]
    root = f"The root, O moved before it, {wins} wins of 3 visits, on the walk"
    assert reader.card(0).get_attribute("aria-label") == root
    untried = reader.page.locator(f'[data-key="{paths[0][1]}/0"]')
    assert untried.get_attribute("aria-label") == "Move 6, untried, below X 2"
    expect(reader.page.get_by_role("status")).to_contain_text("scores decide")


@pytest.mark.parametrize(
    ("profile", "looks"),
    [({}, [{}, {"color_scheme": "dark"}, {"forced_colors": "active"}]), (NARROW, [{}])],
)
def test_axe_finds_nothing_in_any_phase(
    open_hands: Callable[..., Reader], profile: dict[str, Any], looks: list[dict[str, Any]]
) -> None:
    reader = open_hands(**profile)
    for _ in range(3):
        reader.iteration()
    path = reader.walk()
    for steps in ([], reader.walking(path), reader.counting(path, [0.5] * len(path))):
        assert None not in reader.press(steps)
        for look in looks:
            reader.page.emulate_media(**look)
            assert axe_violations(reader.page, ".mcts-hands") == []


def test_a_phone_has_room_for_it_and_its_controls_are_large(
    open_hands: Callable[..., Reader],
) -> None:
    reader = open_hands(**NARROW)
    for _ in range(12):
        path = reader.walk()
        assert None not in reader.press(reader.walking(path, reader.named), seen=True)
        sizes, wide = ask(
            reader.page,
            "() => [[...document.querySelectorAll('.panel button')].map(b => [b.offsetWidth, "
            "b.offsetHeight]), document.documentElement.scrollWidth]",
        )
        assert all(min(size) >= 44 for size in sizes)
        assert wide <= 390
        assert None not in reader.press(reader.counting(path, reader.rewards(path)), seen=True)
        reader.follow(path)
    assert "12 iterations" in reader.status


def test_a_playout_is_seen_move_by_move(
    open_hands: Callable[..., Reader],
) -> None:
    reader = open_hands(reduced_motion="no-preference")
    reader.card(reader.walk()[1]).click()
    reader.page.get_by_role("button", name="Play on at random").click()
    expect(reader.page.locator(".mcts-hands")).to_have_attribute("data-phase", "simulate")
    expect(reader.page.locator(".mcts-hands")).to_have_attribute("data-phase", "backpropagate")
    moves = reader.facts["nodes"][reader.walk()[1]]["playout"]["labels"]
    expect(reader.page.locator(".playout span").first).to_have_text(f"playout: {', '.join(moves)}")


def test_any_game_can_be_searched_by_hand(open_hands: Callable[..., Reader]) -> None:
    games = (TicTacToe(), ConnectFour(), Nim((2, 3)), GameTree({"a": {"c": 1, "d": -1}, "b": 0}))
    for game in games:
        reader = open_hands(game, None)
        reader.page.evaluate(WITHOUT_LAYOUT)
        for _ in range(3):
            path = reader.walk()
            reader.press(["Show the sums"])
            steps = reader.walking(path, reader.named)
            assert None not in reader.press(steps + reader.counting(path, reader.rewards(path)))
            reader.follow(path)
        expect(reader.page.locator(".count")).to_have_text("iteration 4 of 12")


def test_the_page_grows_the_tree_on_as_uct_does(browser: Browser) -> None:
    """Every iteration that the page adds is one that Python's UCT could take, and the move that it
    plays after it is the most visited one, of equals that with the higher mean, then the first.
    """
    hands = BeTheSearch(GAME, POSITION, seed=1)
    hands.iterations = 300
    page = browser.new_page()
    page.goto("about:blank")
    walks, played = ask(
        page,
        """async ([code, facts]) => {
            const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
            const { HandTree } = await import(url);
            const tree = new HandTree(facts);
            const [walks, played] = [[], []];
            const count = tree.count.bind(tree);
            tree.count = (end) => {
                walks.push(tree.walkTo(end));
                count(end);
                const [moves] = tree.children;
                const numbers = moves.map((move) => [tree.visits[move], tree.mean(move)]);
                played.push([moves.indexOf(tree.favourite()), numbers]);
            };
            tree.grow(300);
            return [walks, played];
        }""",
        [script(), hands.facts],
    )
    page.close()
    hands.walks = walks
    assert (hands.error, hands.search.iterations) == ("", 300)
    assert [place for place, _ in played] == [each.index(max(each)) for _, each in played]
    assert any(len({visits for visits, _ in each}) < len(each) for _, each in played), "ties"


def test_its_colours_are_those_of_the_films() -> None:
    names = set(re.findall(r"var\(--mcts-([\w-]+)\)", style()))
    assert names - {*THEMES["light"], "phase", "wrong"} == set()
