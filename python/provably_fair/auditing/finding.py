"""What an audit finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from provably_fair._core.types import JsonDict

from .kinds import FindingKind

KEPT_ROWS = 1000
"""The most rows that a finding names; it counts them all."""

Severity = Literal["proof", "evidence", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that the rows of a log show together. Made by `audit`.

    Attributes
    ----------
    kind : str
        What was found: a value of `FindingKind`, such as "nonce_gap". Its name doesn't change.
    severity : {"proof", "evidence", "note"}
        "proof": a fact of the log that a fair log doesn't have. "evidence": what a test shows, with its
        p-value. "note": what is unusual, or harmless by itself.
    text : str
        One sentence, with the figures.
    rows : tuple of int
        The positions in the log, from 0, of the rows that show it: the first 1,000.
    count : int
        How many rows, or what else the sentence counts, there are in all.
    details : dict
        The numbers behind it.
    pvalue : float or None
        Of a test: valid at every look, and adjusted for all tests of the report by Holm's rule.
    fields : tuple of str
        The fields that it rests on.
    """

    kind: str
    severity: Severity
    text: str
    rows: tuple[int, ...] = ()
    count: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)
    pvalue: float | None = None
    fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in [*FindingKind]:
            raise ValueError(f"kind must be one of {', '.join(FindingKind)}, got {self.kind!r:.80}")

    def __str__(self) -> str:
        return f"{self.severity}: {self.kind}: {self.text}"

    def to_dict(self) -> JsonDict:
        """Return the finding as JSON's types.

        Examples
        --------
        >>> from provably_fair.auditing import Finding
        >>> Finding("nonce_gap", "proof", "A nonce is missing.", (3,), 1).to_dict()["rows"]
        [3]
        """
        return {
            "kind": self.kind,
            "severity": self.severity,
            "text": self.text,
            "rows": list(self.rows),
            "count": self.count,
            "details": dict(self.details),
            "pvalue": self.pvalue,
            "fields": list(self.fields),
        }


def first_rows(rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows that a finding names, of all."""
    return tuple(sorted(set(rows))[:KEPT_ROWS])
