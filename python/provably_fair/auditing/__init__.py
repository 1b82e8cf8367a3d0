"""Audits of logs: what no single row shows."""

from .auditor import Auditor, audit
from .certificates import CertificateCheck, check_certificate
from .finding import Finding
from .report import AuditReport
from .showing import FindingRows

__all__ = [
    "AuditReport",
    "Auditor",
    "CertificateCheck",
    "Finding",
    "FindingRows",
    "audit",
    "check_certificate",
]
