"""What happened: a search written down small, and any moment of it brought back."""

from .recorder import Recorder, record
from .trace import Outcome, Snapshot, Trace

__all__ = ["Outcome", "Recorder", "Snapshot", "Trace", "record"]
