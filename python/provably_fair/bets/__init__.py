"""What bets return: simulated beside exact, and whether a log paid what it should have paid."""

from .bet import Bet
from .estimate import RtpEstimate
from .grinding import GrindingEstimate
from .monitor import Monitor
from .paths import BankrollPaths
from .pvalue import PValue, check_returns
from .simulation import bankroll_paths, estimate_rtp
from .systems import BettingSystem, Flat, Martingale, Proportional

__all__ = [
    "BankrollPaths",
    "Bet",
    "BettingSystem",
    "Flat",
    "GrindingEstimate",
    "Martingale",
    "Monitor",
    "PValue",
    "Proportional",
    "RtpEstimate",
    "bankroll_paths",
    "check_returns",
    "estimate_rtp",
]
