"""FPClub's backgammon dice.

Two systems: dice *combined* from a sequence of each player (`combine`, `Sequence`, `Match`), and
dice *hashed* in advance, whose game log proves that they were not changed during the game
(`HashedDice`, `HashedGame`, `parse_log`). The exact laws of fair dice are beside them.
"""

from .combined import TABLE, Combined, combine, complete
from .fairness import fairness_material
from .hashed import HashCheck, HashedDice, Record, Repair, load_log, parse_log, write_log
from .hashed_game import HashedGame
from .laws import combined_law, doubles_law, face_law, pair_law, pips_law, sum_law
from .match import Match, Throw
from .sequence import PAIRS, Run, Sequence, rig

__all__ = [
    "PAIRS",
    "TABLE",
    "Combined",
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
    "face_law",
    "fairness_material",
    "load_log",
    "pair_law",
    "parse_log",
    "pips_law",
    "rig",
    "sum_law",
    "write_log",
]
