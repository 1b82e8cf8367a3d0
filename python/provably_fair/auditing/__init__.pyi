from . import grinding as grinding
from .auditor import Auditor as Auditor, audit as audit
from .finding import Finding as Finding
from .found_rules import FoundRules as FoundRules, find_rules as find_rules
from .html import FindingRows as FindingRows
from .kinds import FindingKind as FindingKind
from .report import AuditReport as AuditReport
