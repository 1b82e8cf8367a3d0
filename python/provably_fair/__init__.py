"""Outcomes of provably fair casino games: compute, check, explain and analyse them."""

from . import cards, crypto_games, fpclub
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
from .session import Session
from .tally import Tally
from .walkthrough import Walkthrough

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "Crash",
    "Dice",
    "Double",
    "Game",
    "Jackpot",
    "Mines",
    "Overgo",
    "Plinko",
    "Session",
    "Slot",
    "Tally",
    "Tower",
    "Walkthrough",
    "__version__",
    "cards",
    "check_commitment",
    "commitment",
    "crypto_games",
    "fpclub",
    "new_seed",
    "random_bytes",
    "random_numbers",
    "salts",
]
