"""What happened: a search written down small, and any moment of it brought back."""

from .difference import first_difference
from .minimax_recorder import MinimaxRecorder, record_minimax
from .minimax_trace import MinimaxSnapshot, MinimaxTrace
from .recorder import Recorder, record
from .trace import Outcome, Snapshot, Trace

__all__ = [
    "MinimaxRecorder",
    "MinimaxSnapshot",
    "MinimaxTrace",
    "Outcome",
    "Recorder",
    "Snapshot",
    "Trace",
    "first_difference",
    "record",
    "record_minimax",
]
