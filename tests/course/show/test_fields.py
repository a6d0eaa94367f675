"""Numbers that a reader sets: by sliders or by ``set``, and the picture that follows."""

import pytest

from mcts_course.lessons import smarter_playouts
from mcts_course.show.fields import Fields
from mcts_course.show.figures import new_figure
from mcts_viz.errors import MctsVizError

pytestmark = pytest.mark.many


def picture_of(fields):
    fields._repr_mimebundle_()
    return fields._picture.value


def shares():
    """Two numbers, and a picture that follows them."""

    def draw(values):
        figure, (axes,) = new_figure()
        axes.bar(range(len(values)), list(values.values()))
        return figure

    return Fields({"cell 2": 20, "cell 7": 20}, draw)


def test_a_slider_and_set_do_the_same():
    by_hand, by_code = shares(), shares()
    before = picture_of(by_hand)
    by_hand._sliders["cell 7"].value = 1
    by_code.set({"cell 7": 1})
    assert by_hand.values == by_code.values
    assert by_hand.values["cell 7"] == 1
    assert picture_of(by_hand) == picture_of(by_code) != before


def test_what_is_no_share_is_refused():
    fields = shares()
    with pytest.raises(MctsVizError, match="one of cell 2"):
        fields.set({"cell 9": 1})
    for wrong in (101, -1, 0.5, "3"):
        with pytest.raises(MctsVizError, match="a whole number from 0 to 100"):
            fields.set({"cell 7": wrong})


def test_drawn_curves_are_held_against_the_measured_ones():
    curves = smarter_playouts.your_curves()
    curves.set({"heavy, 80": 90})
    found = smarter_playouts.compare_playouts(positions=6, seeds=1)
    table = smarter_playouts.next_to(found, curves)
    assert [row[:2] for row in table.rows] == [
        (name, budget) for name in ("light", "heavy") for budget in (20, 80, 320)
    ]
    for name, budget, mine, measured, difference in table.rows:
        assert float(mine) == curves.values[f"{name}, {budget}"] / 100
        assert float(measured) == round(found[name, budget], 2)
        assert abs(float(mine) - float(measured) - float(difference)) < 0.011
    assert "image/png" in table._repr_mimebundle_()[0]
