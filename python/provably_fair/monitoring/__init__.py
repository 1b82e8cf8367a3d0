"""Returns watched as they come in: all games, channels and windows at once, at one level."""

from .report import Alarm, WatchReport
from .rules import load_rules
from .watch import Watch

__all__ = ["Alarm", "Watch", "WatchReport", "load_rules"]
