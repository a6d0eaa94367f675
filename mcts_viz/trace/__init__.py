"""What happened: a search written down small, and any moment of it brought back."""

from .exact import MinimaxRecorder, MinimaxSnapshot, MinimaxTrace, record_minimax
from .fork import Forking, labels_of
from .link import MOST, link_of, open_link
from .recorder import Recorder, record
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
    "labels_of",
    "link_of",
    "open_link",
    "record",
    "record_minimax",
]
