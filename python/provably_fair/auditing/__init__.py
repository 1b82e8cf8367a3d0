"""Audits of logs: what no single row shows."""

from .auditor import Auditor, audit
from .certificates import CertificateCheck, check_certificate
from .finding import Finding
from .html import FindingRows
from .kinds import FindingKind
from .report import AuditReport

__all__ = [
    "AuditReport",
    "Auditor",
    "CertificateCheck",
    "Finding",
    "FindingKind",
    "FindingRows",
    "audit",
    "check_certificate",
]
