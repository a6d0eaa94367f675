"""The numbers below the slider."""

import pytest
from searches import traced

from mcts_viz import Film


@pytest.mark.parametrize(
    ("iterations", "wanted"),
    [
        ([1, 2, 3, 10, 20, 90], [1, 2, 10, 20, 90]),
        (range(1, 90), [1, 20, 50, 89]),
        ([7], [7]),
    ],
)
def test_round_numbers_lie_where_the_slider_has_them(iterations, wanted):
    film = Film(traced(90), iterations=iterations)
    facts = film.payload()["facts"]
    assert [number for number, _ in facts["scale"]] == wanted
    shown = film.data.iterations.tolist()
    for number, part in facts["scale"]:
        if number in shown and len(shown) > 1:
            assert part == pytest.approx(shown.index(number) / (len(shown) - 1))
