"""The returns of bets: exact laws, simulated rounds, betting systems and tests of payouts."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
