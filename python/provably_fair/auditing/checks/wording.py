"""What findings are said with."""

from __future__ import annotations

import re
from typing import Any

from provably_fair.seeds.schemes import hex_fields

from ..check import Context
from ..finding import KEPT_ROWS, Finding, Severity

_FORMS = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


def sentence(count: int, text: str, **values: object) -> str:
    """Return a sentence about a count: ``{n}`` is the count, ``[has|have]`` the form that agrees with it."""
    agreed = _FORMS.sub(lambda forms: forms[1 if count == 1 else 2], text)
    return agreed.format(n=f"{count:,}", **values)


def fact(
    kind: str, severity: Severity, text: str, rows: Any, count: int, figure: dict[str, Any], *fields: str
) -> Finding:
    """Return a finding that needs no test."""
    return Finding(kind, severity, text, tuple(sorted(rows)[:KEPT_ROWS]), count, figure, None, fields)


def hex_names(context: Context) -> frozenset[str]:
    """Return the fields whose text stands for bytes in hexadecimal, in which capitals mean nothing."""
    scheme = getattr(context.game, "scheme", None)
    return frozenset() if scheme is None else frozenset(hex_fields(scheme.hash))
