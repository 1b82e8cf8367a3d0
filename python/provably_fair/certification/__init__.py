"""Laboratory reports: the requirements of standards, clause by clause, with tests and proofs."""

from .report import Clause, LabReport, certify
from .standards import STANDARDS

__all__ = ["STANDARDS", "Clause", "LabReport", "certify"]
