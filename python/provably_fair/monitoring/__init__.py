"""Sequential monitoring of returns: all games, channels and windows at one family-wise level."""

from .report import Alarm, WatchReport
from .rules import load_rules
from .watch import DuplicateBatch, Watch

__all__ = ["Alarm", "DuplicateBatch", "Watch", "WatchReport", "load_rules"]
