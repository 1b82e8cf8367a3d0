"""Checking logs of rounds against the seeds they were made of."""

from .checking import verify
from .frames import check
from .identification import Candidate, Identification, identify
from .log import Log, LogOptions
from .report import Failure, Repeats, VerificationError, VerificationReport
from .sources import Files, LogError, Query
from .sources import MissingColumnError as MissingColumnError

__all__ = [
    "Candidate",
    "Failure",
    "Files",
    "Identification",
    "Log",
    "LogError",
    "LogOptions",
    "Query",
    "Repeats",
    "VerificationError",
    "VerificationReport",
    "check",
    "identify",
    "verify",
]
