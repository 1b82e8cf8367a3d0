"""Logs of rounds: sources, systems, and verification of outcomes from their seeds."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .checking import verify as verify
    from .failure import Failure as Failure
    from .families import Family as Family
    from .frames import check as check
    from .identification import Candidate as Candidate
    from .identification import Identification as Identification
    from .identification import identify as identify
    from .log import Log as Log
    from .log import LogOptions as LogOptions
    from .report import Repeats as Repeats
    from .report import VerificationError as VerificationError
    from .report import VerificationReport as VerificationReport
    from .sources import Files as Files
    from .sources import LogError as LogError
    from .sources import MissingColumnError as MissingColumnError
    from .sources import Query as Query

_FILES = {
    "checking": "verify",
    "failure": "Failure",
    "families": "Family",
    "frames": "check",
    "identification": "Candidate Identification identify",
    "log": "Log LogOptions",
    "report": "Repeats VerificationReport VerificationError",
    "sources": "Files LogError MissingColumnError Query",
}

__all__ = names_in(_FILES, "Files Log LogError Query VerificationError check identify verify")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
