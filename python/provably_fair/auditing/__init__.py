"""Audits of logs: what no single row shows."""

from .auditor import Auditor, audit
from .finding import Finding
from .report import AuditReport
from .showing import FindingRows

__all__ = ["AuditReport", "Auditor", "Finding", "FindingRows", "audit"]
