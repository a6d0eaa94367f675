"""What happened: a search written down small, and any moment of it brought back."""

from .branch import Branching, labels_of
from .difference import first_difference
from .link import MOST, link_of, open_link
from .minimax_recorder import MinimaxRecorder, record_minimax
from .minimax_trace import MinimaxSnapshot, MinimaxTrace
from .recorder import Recorder, record
from .trace import Outcome, Snapshot, Trace

__all__ = [
    "MOST",
    "Branching",
    "MinimaxRecorder",
    "MinimaxSnapshot",
    "MinimaxTrace",
    "Outcome",
    "Recorder",
    "Snapshot",
    "Trace",
    "first_difference",
    "labels_of",
    "link_of",
    "open_link",
    "record",
    "record_minimax",
]
