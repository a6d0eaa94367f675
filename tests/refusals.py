"""Bad input is refused in one sentence that names the value and the remedy."""

import pytest

from mcts_viz import MctsVizError


def refused(call, *given, _kind=MctsVizError, **named):
    """The sentence with which the call is refused."""
    with pytest.raises(_kind) as refusal:
        call(*given, **named)
    said = str(refusal.value)
    assert len(said) < 900
    assert said.endswith((".", "=...", ".)"))
    assert "\n" not in said
    return said
