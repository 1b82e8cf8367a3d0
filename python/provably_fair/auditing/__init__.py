"""Audits: findings that no single row of a log shows, certificates, and what choosing salts gains."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from . import grinding as grinding
    from .auditor import Auditor as Auditor
    from .auditor import audit as audit
    from .certificates import CertificateCheck as CertificateCheck
    from .certificates import check_certificate as check_certificate
    from .finding import Finding as Finding
    from .html import FindingRows as FindingRows
    from .kinds import FindingKind as FindingKind
    from .report import AuditReport as AuditReport

_FILES = {
    "auditor": "Auditor audit",
    "certificates": "CertificateCheck check_certificate",
    "finding": "Finding",
    "grinding": "",
    "html": "FindingRows",
    "kinds": "FindingKind",
    "report": "AuditReport",
}

__all__ = names_in(_FILES, "Auditor audit")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
