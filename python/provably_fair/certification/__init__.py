"""Laboratory reports: the requirements of standards, clause by clause, with tests and proofs."""

from .report import Clause, LabReport
from .report import certify as certify
from .standards import STANDARDS

__all__ = ["STANDARDS", "Clause", "LabReport"]
