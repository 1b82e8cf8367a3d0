"""Outcomes of provably fair casino games: compute, check, explain and analyse them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._engine import __version__
from .commitment import check_commitment, commitment, new_seed
from .games import (
    BLOCK_HASHES,
    GAMES,
    X50,
    Crash,
    Dice,
    Double,
    Game,
    Jackpot,
    Mines,
    Overgo,
    Plinko,
    Slot,
    Tower,
)
from .generator import random_bytes, random_numbers, salts
from .tally import Tally

if TYPE_CHECKING:
    from . import cards, crypto_games, fpclub, plot
    from .cashout import CashOuts, Rounding
    from .dieharder import stream
    from .distribution import ChiSquare, Distribution
    from .laws import Bias, bias_table
    from .session import Session
    from .simulation import BankrollPaths, RtpEstimate, bankroll_paths, estimate_rtp
    from .statistics import FairnessReport, fairness_report
    from .verification import Failure, LogError, VerificationError, VerificationReport, verify
    from .walkthrough import Walkthrough

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "BankrollPaths",
    "Bias",
    "CashOuts",
    "ChiSquare",
    "Crash",
    "Dice",
    "Distribution",
    "Double",
    "Failure",
    "FairnessReport",
    "Game",
    "Jackpot",
    "LogError",
    "Mines",
    "Overgo",
    "Plinko",
    "Rounding",
    "RtpEstimate",
    "Session",
    "Slot",
    "Tally",
    "Tower",
    "VerificationError",
    "VerificationReport",
    "Walkthrough",
    "__version__",
    "bankroll_paths",
    "bias_table",
    "cards",
    "check_commitment",
    "commitment",
    "crypto_games",
    "estimate_rtp",
    "fairness_report",
    "fpclub",
    "new_seed",
    "plot",
    "random_bytes",
    "random_numbers",
    "salts",
    "stream",
    "verify",
]

# What is imported at its first use, so that importing the package stays quick: modules and their names.
_MODULES = ("cards", "crypto_games", "dask", "fpclub", "grinding", "plot")
_NAMES = {
    "cashout": ("CashOuts", "Rounding"),
    "dieharder": ("stream",),
    "distribution": ("ChiSquare", "Distribution"),
    "laws": ("Bias", "bias_table"),
    "session": ("Session",),
    "simulation": ("BankrollPaths", "RtpEstimate", "bankroll_paths", "estimate_rtp"),
    "statistics": ("FairnessReport", "fairness_report"),
    "verification": ("Failure", "LogError", "VerificationError", "VerificationReport", "verify"),
    "walkthrough": ("Walkthrough",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _MODULE_OF:
        found = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
