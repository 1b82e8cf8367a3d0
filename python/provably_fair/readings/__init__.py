"""Alternative readings of a game's log, rounds that distinguish them, and how often two games differ."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of

if TYPE_CHECKING:
    from provably_fair.games import Game

    from .differences import Difference as Difference
    from .differences import difference as difference
    from .known import derivations as derivations
    from .known import era_of as era_of
    from .known import known_games as known_games
    from .known import size_of as size_of
    from .known import variants as variants
    from .matching import BOUND as BOUND
    from .matching import chance as chance
    from .matching import matches as matches
    from .matching import values_in as values_in
    from .reading import Reading, readings
    from .separating import JSON_SCHEMA as JSON_SCHEMA
    from .separating import SCHEMA as SCHEMA
    from .separating import SeparatingRounds
    from .separating import check_rounds as check_rounds
    from .separating import play_round as play_round
    from .separating import separating_rounds as separating_rounds
    from .spelling import respelled as respelled

__all__ = ["Difference", "Reading", "SeparatingRounds", "readings"]
__dir__: Lister = lister_of(__all__)

_FILES = {
    "differences": "Difference difference",
    "known": "derivations era_of known_games size_of variants",
    "matching": "BOUND chance matches values_in",
    "reading": "Reading readings",
    "separating": "JSON_SCHEMA SCHEMA SeparatingRounds check_rounds play_round separating_rounds",
    "spelling": "respelled",
}
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)


class _Room(ModuleType):
    """A callable module: the package exports the module and its function under one name."""

    def __call__(self, game: "Game") -> "tuple[Reading, ...]":
        """Return the readings of a game; see `readings`."""
        from .reading import readings

        return readings(game)


sys.modules[__name__].__class__ = _Room
