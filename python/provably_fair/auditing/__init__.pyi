from . import grinding as grinding
from .auditor import Auditor as Auditor, audit as audit
from .finding import Finding as Finding
from .html import FindingRows as FindingRows
from .kinds import FindingKind as FindingKind
from .report import AuditReport as AuditReport
