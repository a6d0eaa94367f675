"""Traces: a search written down small, and any moment of it brought back."""

from .fork import forked
from .minimax_trace import MinimaxTrace, record_minimax
from .recorder import Recorder
from .snapshot import Snapshot
from .trace import Trace, first_difference

__all__ = [
    "MinimaxTrace",
    "Recorder",
    "Snapshot",
    "Trace",
    "first_difference",
    "forked",
    "record_minimax",
]
