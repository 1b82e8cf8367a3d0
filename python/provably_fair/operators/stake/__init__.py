"""Stake's games: HMAC-SHA256 with the server seed as key, four bytes a number; games on a chain of hashes.

As recomputed from published rounds: bets of 2019, not later than December, whose seeds were revealed
(github.com/lotuseuy/stake-provably-fair-verifier), and results of the operator's own calculator, which are
undated except for those of 2025 and 2026 (github.com/provably-fair-betting/verifierform-stake). Payouts are
included only if they are part of the rule, or listed in the operator's tables of March 2026
(github.com/Kyran121/provably-fair-verifierform-stake) or in copies of them that a game's notes name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .boards import *  # noqa: F403
    from .card_games import *  # noqa: F403
    from .dice import *  # noqa: F403
    from .multipliers import *  # noqa: F403
    from .prizes import *  # noqa: F403
    from .risks import *  # noqa: F403
    from .schemes import *  # noqa: F403
    from .slots import *  # noqa: F403
    from .symbols import *  # noqa: F403

_FILES = {
    "boards": "DragonTower Mines Moles",
    "card_games": "Baccarat Blackjack Hilo VideoPoker cards",
    "dice": "Darts Dice Flip RockPaperScissors Roulette",
    "multipliers": "Chicken Crash Drill Limbo Pump Slide",
    "prizes": "Bars Cases Packs Snakes Tarot",
    "risks": "Keno Plinko Wheel",
    "schemes": "CHAIN CRASH_TERMINATING SCHEME ZOO_SCHEME",
    "slots": "ScarabSpins Slots",
    "symbols": "Diamonds Zoo animals gems",
}

__all__ = names_in(_FILES)
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)

_COLUMNS = {"outcome": ("roll",)}
"""Names of the columns of its histories, beside the usual ones."""

FIRST_NONCES = (0, 1)
"""The nonces of a pair's first bet: 0, and 1 in some of the published rounds."""
