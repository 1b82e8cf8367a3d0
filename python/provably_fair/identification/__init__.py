"""The game that a log follows, found by trying known games and families of games on its rows."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .families import Family as Family
    from .identification import Candidate as Candidate
    from .identification import Identification as Identification
    from .identification import identify as identify

_FILES = {
    "families": "Family",
    "identification": "Candidate Identification identify",
}

__all__ = names_in(_FILES, "identify")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
