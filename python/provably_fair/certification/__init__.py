"""Laboratory reports: the requirements of standards, clause by clause, with tests and proofs."""

from provably_fair._core.lazy import Lister, lister_of

from .report import Clause, LabReport, certify as certify
from .standards import STANDARDS

__all__ = ["STANDARDS", "Clause", "LabReport"]
__dir__: Lister = lister_of(__all__)
