"""Traces: a search written down small, and any moment of it brought back."""

from .fork import Forking
from .link import MOST, link_of, open_link
from .minimax_trace import MinimaxRecorder, MinimaxSnapshot, MinimaxTrace, record_minimax
from .recorder import Recorder
from .trace import BranchPoint, Outcome, Snapshot, Trace, first_difference

__all__ = [
    "MOST",
    "BranchPoint",
    "Forking",
    "MinimaxRecorder",
    "MinimaxSnapshot",
    "MinimaxTrace",
    "Outcome",
    "Recorder",
    "Snapshot",
    "Trace",
    "first_difference",
    "link_of",
    "open_link",
    "record_minimax",
]
