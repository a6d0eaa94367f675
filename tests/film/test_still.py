"""Stills are the river: every card, thread, ghost and gain in them is the moment's own, the walk
always.
"""

import re
from functools import cache
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from films import SVG, excerpts, films, moments, nodes_in, walks

from mcts_viz import MCTS, Film, Game, MCTSSolver, TicTacToe
from mcts_viz.film.still import HIGH, PROOFS, WIDE, river_at
from mcts_viz.film.words import fixed, plain, rounded, score_text, short_name
from mcts_viz.search import PHASES
from mcts_viz.search.variants import rewards_of

pytestmark = pytest.mark.many


class Wide(Game):
    """121 moves, and after ten of them the game is over: who made the last one wins on even
    cells."""

    players, board_side = ("A", "B"), 11

    def initial_state(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def legal_actions(self, state):
        return [cell for cell in range(121) if cell not in state]

    def play(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 10

    def returns(self, state):
        return (1.0, -1.0) if state[-1] % 2 else (-1.0, 1.0)

    def text(self, state):
        return " ".join(map(str, state))


@cache
def chosen():
    """Moments of films of every kind of search, and their pictures read back."""
    game = TicTacToe()
    found = [(film, now.iteration, now.phase) for film, now in moments()[::3]]
    solver = Film(MCTSSolver(game, seed=2).record(game.parse("XX. O.O X.."), iterations=300))
    wide = Film(MCTS(Wide(), seed=1).record(iterations=400))
    for film in (solver, wide, *excerpts()):
        some = [
            film.iterations[0],
            *film.iterations[:: max(1, len(film.iterations) // 5)],
            film.last,
        ]
        found += [(film, k, phase) for n, k in enumerate(some) for phase in PHASES[n % 2 :: 2]]
    assert len(found) > 150
    return [
        (film, film.data.source.at(k, phase), film.to_svg(k, phase)) for film, k, phase in found
    ]


def test_the_walk_is_always_in_the_picture():
    for film, now, picture in chosen():
        own = [int(film.data.numbers[node]) for node in now.path]
        seen = nodes_in(picture)
        assert {*own} <= {*seen}, (film, now)
        marked = {
            node for node, (card, _) in seen.items() if "on-path" in card.get("class").split()
        }
        assert marked == {*own}
        if now.new_node is not None:
            assert "new" in seen[film.data.numbers[now.new_node]][0].get("class").split()
        if len(own) > 1:
            trails = re.findall(r'class="trail" d="([^"]*)"', picture)
            assert sum(trail.count("M") for trail in trails) == len(own) - 1


def test_every_card_says_what_the_trace_says():
    for film, now, picture in chosen():
        trace, numbers = (
            film.data.source,
            {new: old for old, new in enumerate(film.data.numbers) if new >= 0},
        )
        for node, (card, parts) in nodes_in(picture).items():
            old, kind = numbers[node], card.get("class").split()[1]
            visits, wins = rounded(int(now.visits[old])), now.wins[old]
            is_new = old == now.new_node and not now.visits[old]
            said = {
                name: part.text or "" for name, part in parts.items() if part.tag == f"{SVG}text"
            }
            if kind in ("full", "root"):
                share = said["share"].split("/")
                assert share == ["new"] if is_new else share[1] == visits
                assert is_new or share[0] == rounded(float(f"{wins:.6g}")) or len(share[0]) > 6
            if kind == "small":
                assert said["share"] == ("new" if is_new else visits)
            if kind == "full" and "score" in said:
                score, mark = now.score(old), PROOFS.get(now.proof(old), "")
                assert said["score"] == (mark or score_text(score))
            if kind == "name":
                assert said["label"] == (short_name(plain(trace.label(old))) if old else "root")
            if "prior" in said:
                assert said["prior"] == f"P {fixed(film.data.trace.priors[node])}"
            if "glow" in parts and film.data.board:
                check_board(film, node, parts)


def check_board(film, node, parts):
    """The pieces and the cell that glows, by where their shapes begin."""
    board, trace = film.data.board, film.data.trace
    cells, before = (board.cells(trace.state(n)) for n in (node, max(0, int(trace.parent[node]))))
    corners = re.findall(r"M(\d+) (\d+)m", parts["glow"].get("d"))
    glowing = [int(y) // 10 * board.columns + int(x) // 10 for x, y in corners]
    assert glowing == [i for i, cell in enumerate(cells) if cell != before[i]]


def test_nothing_lies_over_anything_and_all_is_in_the_frame():
    for film, now, _ in chosen():
        _, river = river_at(film.data, now.iteration, now.phase, WIDE, HIGH)
        rows = {}
        for card in river.cards:
            assert card.x - card.width / 2 >= 0
            assert card.x + card.width / 2 <= WIDE
            assert card.y + card.height <= HIGH + 1
            rows.setdefault(card.depth, []).append(
                (card.x - card.width / 2, card.x + card.width / 2)
            )
        for row in rows.values():
            for (_, right), (left, _) in pairwise(sorted(row)):
                assert right <= left + 0.01
        top = river.places[0].children
        assert all(
            a < b
            for a, b in pairwise([river.places[node].x for node in top if node in river.places])
        )


def test_ribbons_are_as_wide_as_visits_and_wins():
    for film, now, _ in chosen():
        tree, river = river_at(film.data, now.iteration, now.phase, WIDE, HIGH)
        wide = {}
        for band in river.bands:
            wide[band.node] = wide.get(band.node, 0) + band.wide
        for fan in river.fans:
            wide[fan.node] = fan.wide
        for place in river.places.values():
            for child in place.children:
                if child in wide:
                    assert wide[child] == pytest.approx(now.visits[child] * river.thread)
        if tree.kinds and len(tree.kinds) == 3 and film.data.reward_range == (0, 1):
            for node in river.places:  # a win counts one, a draw a half
                won, drawn, lost = (of[node] for of in tree.results)
                mine = won if film.data.source.player_just_moved[node] == 0 else lost
                assert mine + drawn / 2 == pytest.approx(now.wins[node])


def test_ghosts_are_the_moves_without_a_node():
    counted = 0
    for film, now, picture in chosen():
        trace, numbers = film.data.source, film.data.numbers
        before = film.data.source.at(now.iteration, "select")
        stop = before.path[-1]
        state = trace.state(stop)
        legal = [] if trace.game.is_terminal(state) else trace.game.legal_actions(state)
        tried = {trace.action_of(child) for child in now.children(stop)}
        left = [
            short_name(plain(trace.game.action_label(state, a))) for a in legal if a not in tried
        ]
        told = re.findall(r'data-ghost="([^"]*)"', picture)
        many = [int(text.split()[0]) for text in told if text.endswith("untried")]
        assert sum(many) == len(left) if many else sorted(told) == sorted(left) or numbers[stop] < 0
        covering = picture.rpartition('class="ghost"')[2] if told else ""
        assert 'class="trail"' not in covering, "the walk lies on the count of untried moves"
        counted += len(told)
    assert counted > 100


def boxes(picture, of, width, height):
    """The middles of what a picture shows of a class, and a box of that size around each."""
    found = []

    def walk(element, x, y):
        moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if of in element.get("class", "").split():
            middle = x + float(element.get("x", 0)), y + float(element.get("y", 0))
            wide = width(element)
            found.append((middle[0] - wide / 2, middle[0] + wide / 2, *height(middle[1])))
        for part in element:
            walk(part, x, y)

    walk(ElementTree.fromstring(picture), 0.0, 0.0)
    return found


def lies_on(one, other):
    """True if they share more than a pixel."""
    (left, right, top, bottom), (start, end, high, low) = one, other
    return min(right, end) - max(left, start) > 1 and min(bottom, low) - max(top, high) > 1


def test_nothing_lies_on_a_number_or_a_sign():
    """Neither what a node is given nor a sign; digits stand on their line, 8 pixels high."""
    tried = 0
    for _film, now, picture in chosen():
        digits = [
            box
            for of in ("label", "share", "score")
            for box in boxes(picture, of, lambda text: 5 * len(text.text), lambda y: (y - 8, y))
        ]
        signs = boxes(picture, "proof", lambda _: 14, lambda y: (y - 7, y + 7))
        given = boxes(
            picture, "gain", lambda of: float(of[0].get("width")), lambda y: (y - 7, y + 7)
        )
        for over, below in ((given, [*digits, *signs]), (signs, digits)):
            for one in over:
                assert not [box for box in below if lies_on(one, box)], (now, one)
                tried += 1
    assert tried > 150


def test_what_the_path_is_given_is_said():
    for film, now, picture in chosen():
        gains = dict(
            re.findall(r'class="gain" data-of="(\d+)"[^>]*>.*?<text[^>]*>([^<]*)</text>', picture)
        )
        if now.phase != PHASES[-1]:
            assert not gains
            continue
        before = film.data.source.at(now.iteration, "simulate")
        assert {*map(int, gains)} == {int(film.data.numbers[node]) for node in now.path}
        for node in now.path:
            told = gains[str(film.data.numbers[node])].replace("½", "0.5").replace("−", "-")
            assert float(told) == pytest.approx(now.wins[node] - before.wins[node], abs=0.0051)


def test_small_and_long_gains_are_said_as_they_are_and_stay_beside_the_root():
    rewards = rewards_of(1234.5, 1, -0.0001)
    film = Film(MCTS(TicTacToe(), 1.4, 2, reward=rewards).record(iterations=60))
    told = set()
    for iteration in range(1, 61):
        picture = film.to_svg(iteration)
        told |= {*re.findall(r'class="gain".*?<text[^>]*>([^<]*)</text>', picture)}
        pills = boxes(
            picture, "gain", lambda of: float(of[0].get("width")), lambda y: (y - 7, y + 7)
        )
        assert all(left >= 0 for left, *_ in pills), "in the picture"
        assert not [pair for pair in combinations(pills, 2) if lies_on(*pair)]
        root = boxes(picture, "root", lambda _: 0, lambda y: (y, y))[0]
        assert pills[0][0] - root[0] > 44 / 2, "beside the root's board"
    assert told == {"+1234.5", "+1", "−0.0001"}


def test_a_walk_by_minimax_is_drawn_with_its_bounds():
    for film in walks():
        assert len(film.trace) > 0
        for step in range(1, len(film.trace) + 1, max(1, len(film.trace) // 12)):
            seen = nodes_in(film.to_svg(step))
            assert {*film.trace.path(int(film.trace.node[step - 1]))} <= {*seen}
            for node, (card, parts) in seen.items():
                entered = film.data.created_at[node] <= step
                assert ("dashed" in card.get("class").split()) == (not entered)
                if card.get("class").split()[1] in ("full", "root"):
                    assert parts["share"].text == film.data.share_after(node, step)


def test_a_still_can_leave_out_what_is_empty():
    film = films()[0]
    whole, cropped = (ElementTree.fromstring(film.to_svg(3, crop=crop)) for crop in (False, True))
    assert float(cropped.get("height")) < float(whole.get("height")) - 100
    late = [ElementTree.fromstring(film.to_svg(k)).get("height") for k in (5, 50, 500)]
    assert len({*late}) <= 2, "pictures of a film have one size, but for a line of words"
