"""Outcomes of provably fair casino games: compute, check, explain and analyse them."""

from . import cards, crypto_games, fpclub
from ._engine import __version__
from .cashout import CashOuts, Rounding
from .commitment import check_commitment, commitment, new_seed
from .distribution import ChiSquare, Distribution
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
from .laws import Bias, bias_table
from .session import Session
from .simulation import BankrollPaths, RtpEstimate, bankroll_paths, estimate_rtp
from .tally import Tally
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
    "fpclub",
    "new_seed",
    "random_bytes",
    "random_numbers",
    "salts",
    "verify",
]


def __getattr__(name: str) -> object:
    # Dask is loaded when it is first asked for.
    if name == "dask":
        import importlib

        return importlib.import_module(".dask", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
