"""Texts of findings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from provably_fair._core.printable import counted
from provably_fair._engine import Pairs
from provably_fair.seeds.schemes import hex_fields

from ..check import Context
from ..claims import amount_text
from ..finding import KEPT_ROWS, Finding, Severity
from ..sums import FirstRows

MONEY = ("stake", "payout", "outcome")
"""The fields of findings about money."""

_FORMS = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


def sentence(count: int, text: str, **values: object) -> str:
    """Return a sentence about a count: ``{n}`` is the count, ``[has|have]`` the form that agrees with it."""
    agreed = _FORMS.sub(lambda forms: forms[1 if count == 1 else 2], text)
    return agreed.format(n=f"{count:,}", **values)


def in_parts(rows: Mapping[str, int], every: int, unknown: str) -> list[str]:
    """Return sentences on rows in parts without a field that others have, and what isn't known of them."""
    return [
        f"{counted(every - count, 'row')} of {every:,} in parts without a {name}: {unknown}"
        for name, count in rows.items()
        if 0 < count < every
    ]


def facts(
    kind: str,
    severity: Severity,
    text: str,
    rows: Any,
    *fields: str,
    count: int | None = None,
    n: int | None = None,
    figure: dict[str, Any] | None = None,
    **values: object,
) -> list[Finding]:
    """Return the finding of rows, if any, that needs no test: a sentence about `n`, or their count.

    The sentence may have the values of the figure as well.
    """
    if isinstance(rows, FirstRows):
        rows, count = rows.rows, rows.count
    count = len(rows) if count is None else count
    if not count:
        return []
    kept = tuple(sorted(rows)[:KEPT_ROWS])
    figure = {"rows": count} if figure is None else figure
    said = {"first": min(kept, default=None)} | figure | values
    text = sentence(count if n is None else n, text, **said)
    return [Finding(kind, severity, text, kept, count, figure, None, fields)]


def evidence(
    kind: str,
    pvalue: float,
    text: str,
    figure: dict[str, Any],
    rows: Iterable[int] = (),
    count: int = 0,
    fields: tuple[str, ...] = MONEY,
) -> Finding:
    """Return the finding of a test, by default of money, whatever its p-value is."""
    known = min(1.0, max(0.0, pvalue)) if not math.isnan(pvalue) else 1.0
    return Finding(kind, "evidence", text, tuple(rows), count, figure, known, fields)


def told(sentences: Mapping[str, object]) -> list[str]:
    """Return the sentences that apply."""
    return [text for text, applies in sentences.items() if applies]


def several_values(
    pairs: Pairs, threads: int | None, kind: str, severity: Severity, text: str, keys: str, *fields: str
) -> list[Finding]:
    """Return the finding of keys with several values; `keys` is the name of their number in its figure."""
    found, count, rows = pairs.several(KEPT_ROWS, threads)
    if not found:
        return []
    figure, values = {keys: found, "rows": count}, {"several": f"{count:,}", "earlier": rows[0][0]}
    named = [row for _, row in rows]
    return facts(kind, severity, text, named, *fields, count=count, n=found, figure=figure, **values)


def on_average(bets: int, which: str, each: float, mean: float) -> str:
    """Return a sentence about the mean return of some bets."""
    returned = f"{bets:,} {which} returned {each:.6g} of the stake on average"
    return f"{returned}; the claimed law's mean is {mean:.6g}."


def money_text(amount: float, currency: str) -> str:
    """Return an amount with its currency."""
    return f"{amount_text(amount)} {currency.upper()}".rstrip()


def hex_names(context: Context) -> frozenset[str]:
    """Return the fields whose text is bytes in hexadecimal, so that capitals mean the same."""
    scheme = context.scheme
    return frozenset() if scheme is None else frozenset(hex_fields(scheme.hash))
