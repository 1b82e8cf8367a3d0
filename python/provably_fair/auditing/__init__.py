"""Audits: findings that no single row of a log shows, certificates, and what choosing salts gains."""

from provably_fair._core.lazy import lister_of

from . import grinding
from .auditor import Auditor as Auditor
from .auditor import audit as audit
from .certificates import CertificateCheck, check_certificate
from .finding import Finding
from .html import FindingRows
from .kinds import FindingKind
from .report import AuditReport

__all__ = [
    "AuditReport",
    "CertificateCheck",
    "Finding",
    "FindingKind",
    "FindingRows",
    "check_certificate",
    "grinding",
]
__dir__ = lister_of(__all__)
