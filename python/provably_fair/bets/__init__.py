"""The returns of bets: exact laws, simulated rounds, betting systems and tests of payouts."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

if TYPE_CHECKING:
    from .bet import Bet
    from .estimate import RtpEstimate
    from .free_spins import FreeSpins
    from .grinding import GrindingEstimate
    from .interval import ReturnInterval
    from .monitor import Monitor, UntilAlarm
    from .paths import BankrollPaths
    from .pvalue import PValue, check_returns
    from .rounding import ReturnsByStake
    from .systems import BettingSystem, Flat, Martingale, Proportional

__all__ = [
    "BankrollPaths",
    "Bet",
    "BettingSystem",
    "Flat",
    "FreeSpins",
    "GrindingEstimate",
    "Martingale",
    "Monitor",
    "PValue",
    "Proportional",
    "ReturnInterval",
    "ReturnsByStake",
    "RtpEstimate",
    "UntilAlarm",
    "check_returns",
]
__dir__ = lister_of(__all__)

_FILES = {
    "bet": "Bet",
    "estimate": "RtpEstimate",
    "free_spins": "FreeSpins",
    "grinding": "GrindingEstimate",
    "interval": "ReturnInterval",
    "monitor": "Monitor UntilAlarm",
    "paths": "BankrollPaths",
    "pvalue": "PValue check_returns",
    "rounding": "ReturnsByStake",
    "systems": "BettingSystem Flat Martingale Proportional",
}
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
