"""Stake's games: HMAC-SHA256 with the server seed as key, four bytes a number; games on a chain of hashes.

As recomputed from published rounds: bets of 2019, not later than December, whose seeds were revealed
(github.com/lotuseuy/stake-provably-fair-verifier), and results of the operator's own calculator, which are
undated except for those of 2025 and 2026 (github.com/provably-fair-betting/verifierform-stake). Payouts are
included only if they are part of the rule, or listed in the operator's tables of March 2026
(github.com/Kyran121/provably-fair-verifierform-stake) or in copies of them that a game's notes name.
"""

from provably_fair._core.lazy import attach

from ..registry import Operator

__getattr__, __dir__, __all__ = attach(__name__)

OPERATOR = Operator(columns={"outcome": ("roll",)}, first_nonces=(0, 1))  # 1 in some of the published rounds
