"""Checking logs of rounds against the seeds they were made of."""

from .checking import verify
from .frames import check
from .report import Failure, VerificationError, VerificationReport
from .sources import Files, LogError, Query

__all__ = [
    "Failure",
    "Files",
    "LogError",
    "Query",
    "VerificationError",
    "VerificationReport",
    "check",
    "verify",
]
