"""FPClub's backgammon dice.

Two systems: dice *combined* from a sequence of each player (`combine`, `Sequence`, `Match`), and
dice *hashed* in advance, whose game log proves that they were not changed during the game
(`HashedDice`, `HashedGame`, `parse_log`). A throw of two fair dice is the game `Dice`.
"""

from provably_fair._core.lazy import lister_of

from .combined import TABLE, Combined, combine, complete
from .hashed import HashCheck, HashedDice, Record, Repair, load_log, parse_log, write_log
from .hashed_game import HashedGame
from .laws import combined_law, doubles_law, sum_law
from .match import Match, Throw
from .sequence import PAIRS, Run, Sequence, rig
from .throw import SCHEME, Dice

__all__ = [
    "PAIRS",
    "SCHEME",
    "TABLE",
    "Combined",
    "Dice",
    "HashCheck",
    "HashedDice",
    "HashedGame",
    "Match",
    "Record",
    "Repair",
    "Run",
    "Sequence",
    "Throw",
    "combine",
    "combined_law",
    "complete",
    "doubles_law",
    "load_log",
    "parse_log",
    "rig",
    "sum_law",
    "write_log",
]
__dir__ = lister_of(__all__)
