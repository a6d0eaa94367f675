"""Traces: a search written down small, and any moment of it brought back."""

from .fork import forked
from .link import MOST, link_of, open_link
from .minimax_trace import MinimaxRecorder, MinimaxTrace, record_minimax
from .recorder import Recorder
from .trace import Snapshot, Trace, first_difference

__all__ = [
    "MOST",
    "MinimaxRecorder",
    "MinimaxTrace",
    "Recorder",
    "Snapshot",
    "Trace",
    "first_difference",
    "forked",
    "link_of",
    "open_link",
    "record_minimax",
]
