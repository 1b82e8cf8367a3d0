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
from .tally import Tally

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
    "Slot",
    "Tally",
    "Tower",
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
