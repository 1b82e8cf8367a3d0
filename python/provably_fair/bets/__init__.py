"""What bets return: simulated beside exact."""

from .simulation import BankrollPaths, RtpEstimate, bankroll_paths, estimate_rtp

__all__ = ["BankrollPaths", "RtpEstimate", "bankroll_paths", "estimate_rtp"]
