"""Logs of rounds: where they come from, whose they are, and whether they follow from their seeds."""

from provably_fair._core.lazy import lister_of

from .checking import verify as verify
from .failure import Failure
from .families import Family
from .frames import check as check
from .identification import Candidate, Identification
from .identification import identify as identify
from .log import Log as Log
from .log import LogOptions
from .report import Repeats, VerificationReport
from .report import VerificationError as VerificationError
from .sources import Files as Files
from .sources import LogError as LogError
from .sources import MissingColumnError
from .sources import Query as Query

__all__ = [
    "Candidate",
    "Failure",
    "Family",
    "Identification",
    "LogOptions",
    "MissingColumnError",
    "Repeats",
    "VerificationReport",
]
__dir__ = lister_of(__all__)
