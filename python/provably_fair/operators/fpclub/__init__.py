"""FPClub's backgammon dice.

Two systems: dice *combined* from the faces of both players (`combine`, `Combined`), and dice
*hashed* in advance, whose game log proves that they were not changed during the game (`HashedDice`,
`parse_log`). A throw of two fair dice is the game `Dice`.
"""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .combined import *  # noqa: F403
    from .hashed import *  # noqa: F403
    from .throw import *  # noqa: F403

_FILES = {
    "combined": "TABLE Combined combine combined_law",
    "hashed": "HashedDice Record Repair load_log parse_log write_log",
    "throw": "Dice",
}

__all__ = names_in(_FILES)
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
