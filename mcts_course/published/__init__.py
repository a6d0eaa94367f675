"""Published programs, their faults, and programs from life, which are taken apart in the clinic."""

from .clinic import CLINIC, Patient, clinic, lost_games, watched
from .from_life import FROM_LIFE
from .published import FAULTS, SYSTEMS, Configuration, published

__all__ = [
    "CLINIC",
    "FAULTS",
    "FROM_LIFE",
    "SYSTEMS",
    "Configuration",
    "Patient",
    "clinic",
    "lost_games",
    "published",
    "watched",
]
