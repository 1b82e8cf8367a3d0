"""Sequential monitoring of returns: all games, channels and windows at one family-wise level."""

from provably_fair._core.lazy import Lister, lister_of

from .duplicates import DuplicateBatch
from .report import Alarm, WatchReport
from .rules_file import load_rules
from .watch import Watch

__all__ = ["Alarm", "DuplicateBatch", "Watch", "WatchReport", "load_rules"]
__dir__: Lister = lister_of(__all__)
