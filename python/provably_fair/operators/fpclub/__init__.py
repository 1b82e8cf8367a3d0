"""FPClub's backgammon dice.

Two systems: dice *combined* from a sequence of each player (`combine`, `Sequence`, `Match`), and
dice *hashed* in advance, whose game log proves that they were not changed during the game
(`HashedDice`, `HashedGame`, `parse_log`). A throw of two fair dice is the game `Dice`.
"""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

if TYPE_CHECKING:
    from .combined import TABLE as TABLE
    from .combined import Combined as Combined
    from .combined import combine as combine
    from .combined import complete as complete
    from .hashed import HashCheck as HashCheck
    from .hashed import HashedDice as HashedDice
    from .hashed import Record as Record
    from .hashed import Repair as Repair
    from .hashed import load_log as load_log
    from .hashed import parse_log as parse_log
    from .hashed import write_log as write_log
    from .hashed_game import HashedGame as HashedGame
    from .laws import combined_law as combined_law
    from .laws import doubles_law as doubles_law
    from .laws import sum_law as sum_law
    from .match import Match as Match
    from .match import Throw as Throw
    from .sequence import PAIRS as PAIRS
    from .sequence import Run as Run
    from .sequence import Sequence as Sequence
    from .sequence import rig as rig
    from .throw import SCHEME as SCHEME
    from .throw import Dice as Dice

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

_FILES = {
    "combined": "TABLE Combined combine complete",
    "hashed": "HashCheck HashedDice Record Repair load_log parse_log write_log",
    "hashed_game": "HashedGame",
    "laws": "combined_law doubles_law sum_law",
    "match": "Match Throw",
    "sequence": "PAIRS Run Sequence rig",
    "throw": "SCHEME Dice",
}
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
