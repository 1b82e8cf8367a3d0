"""What bets return: simulated beside exact."""

from .bet import Bet
from .estimate import RtpEstimate
from .paths import BankrollPaths
from .simulation import bankroll_paths, estimate_rtp

__all__ = ["BankrollPaths", "Bet", "RtpEstimate", "bankroll_paths", "estimate_rtp"]
