"""Checking logs of rounds against the seeds they were made of."""

from .checking import verify
from .frames import check
from .report import Failure, VerificationError, VerificationReport
from .sources import LogError

__all__ = ["Failure", "LogError", "VerificationError", "VerificationReport", "check", "verify"]
