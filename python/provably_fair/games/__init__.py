"""The ten games of the salted-round scheme."""

from .cash_outs import CashOuts, Rounding
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
from .laws import Bias, bias_table

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "Bias",
    "CashOuts",
    "Crash",
    "Dice",
    "Double",
    "Game",
    "Jackpot",
    "Mines",
    "Overgo",
    "Plinko",
    "Rounding",
    "Slot",
    "Tower",
    "bias_table",
]
