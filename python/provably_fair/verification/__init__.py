"""Checking logs: every row recomputed, every difference reported."""

from .checking import Failure, LogError, VerificationError, VerificationReport, verify

__all__ = ["Failure", "LogError", "VerificationError", "VerificationReport", "verify"]
