"""Audits: findings that no single row of a log shows, certificates, and what choosing salts gains."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import lister_of, loader_of

if TYPE_CHECKING:
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

_FILES = {
    "auditor": "Auditor audit",
    "certificates": "CertificateCheck check_certificate",
    "finding": "Finding",
    "grinding": "",
    "html": "FindingRows",
    "kinds": "FindingKind",
    "report": "AuditReport",
}
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
