"""What happened: a search written down small, and any moment of it brought back."""

from .exact import MinimaxRecorder, MinimaxSnapshot, MinimaxTrace, record_minimax
from .fork import Forking, fork, labels_of, search_at
from .link import MOST, link_of, open_link
from .recorder import Recorder, record
from .storage import load, save
from .trace import Outcome, Snapshot, Trace, Turn, first_difference

__all__ = [
    "MOST",
    "Forking",
    "MinimaxRecorder",
    "MinimaxSnapshot",
    "MinimaxTrace",
    "Outcome",
    "Recorder",
    "Snapshot",
    "Trace",
    "Turn",
    "first_difference",
    "fork",
    "labels_of",
    "link_of",
    "load",
    "open_link",
    "record",
    "record_minimax",
    "save",
    "search_at",
]

Trace.fork, Trace.search_at, Trace.save = fork, search_at, save
Trace.load = staticmethod(load)
