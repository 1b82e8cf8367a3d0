"""Findings of audits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from provably_fair._core.arguments import choice
from provably_fair._core.table import text_html
from provably_fair._core.types import JsonDict

from .kinds import FindingKind

KEPT_ROWS = 1000
"""The largest number of rows that a finding lists; its count has all of them."""

Severity = Literal["proof", "evidence", "note"]


@dataclass(frozen=True)
class Finding:
    """Something that the rows of a log show together. Made by `audit`.

    Attributes
    ----------
    kind : str
        Kind of the finding: a value of `FindingKind`, such as "nonce_gap". Its name doesn't change.
    severity : {"proof", "evidence", "note"}
        "proof": a fact that an honest log doesn't have. "evidence": the result of a test, with its p-value.
        "note": something unusual, or harmless by itself.
    text : str
        One sentence, with the figures.
    rows : tuple of int
        The rows that show it, counted from 0: up to the first 1,000.
    count : int
        The total number of rows, or of whatever the sentence counts.
    details : dict
        The figures behind it.
    pvalue : float or None
        For a test, the p-value: valid at every look, and corrected for all tests of the report by Holm's
        method.
    fields : tuple of str
        The fields on which it rests.
    """

    kind: str
    severity: Severity
    text: str
    rows: tuple[int, ...] = ()
    count: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)
    pvalue: float | None = None
    fields: tuple[str, ...] = ()

    _repr_html_ = text_html

    def __post_init__(self) -> None:
        choice("kind", self.kind, list(map(str, FindingKind)))

    def __str__(self) -> str:
        return f"{self.severity}: {self.kind}: {self.text}"

    def to_dict(self) -> JsonDict:
        """Return the finding as JSON's types."""
        return {
            **vars(self),
            "rows": list(self.rows),
            "details": dict(self.details),
            "fields": list(self.fields),
        }
