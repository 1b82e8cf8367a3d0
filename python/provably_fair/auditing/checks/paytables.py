"""The paytable that a log implies: lines that regularly pay another amount than claimed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.printable import counted

from ..amounts import DECIMALS
from ..claims import Claim, HandsClaim, amount_text
from ..finding import KEPT_ROWS, Finding
from ..ledger import Ledger, OddRows
from ..sums import Groups, totals
from .wording import MONEY

_TABLES = {
    "all": "The log's paytable isn't the claimed one: {lines}.",
    "from": "From row {begin:,} on, the log's paytable isn't the claimed one: {lines}.",
    "until": "Up to row {end:,}, the log's paytable isn't the claimed one: {lines}.",
    "some": "In some rows, the log's paytable isn't the claimed one: {lines}.",
}

_SHOWN = 5


@dataclass
class _Line:
    """A line of the paytable that regularly pays another amount than claimed, and its rows."""

    outcome: Any
    claimed: float
    implied: float
    rows: int
    first_row: int
    last_row: int
    rows_as_claimed: int
    first_as_claimed: int | None
    last_as_claimed: int | None

    def __str__(self) -> str:
        shown = f"{self.outcome:g}" if isinstance(self.outcome, float) else str(self.outcome)
        implied, claimed = amount_text(self.implied), amount_text(self.claimed)
        return f"outcome {shown} pays {self.implied if implied == claimed else implied} instead of {claimed}"


def differs(claim: Claim, ledgers: Sequence[Ledger], as_claimed: Groups) -> list[Finding]:
    """Return the finding of regular differences from the claimed paytable, if there are any."""
    odd: defaultdict[int, dict[Ledger, dict[str, np.ndarray]]] = defaultdict(dict)
    for ledger in ledgers:
        for number, columns in ledger.odd_lines().items():
            odd[number][ledger] = columns
    sums = (as_claimed.columns[name].tolist() for name in ("bets", "first", "last"))
    right = dict(zip(as_claimed.keys.tolist(), zip(*sums, strict=True), strict=True))
    each = {number: _line(number, odd[number], claim, right) for number in sorted(odd)}
    found = {number: line for number, line in each.items() if line is not None}
    if not found:
        return []
    lines = sorted(found.values(), key=lambda line: -line.rows)
    begin, end = min(line.first_row for line in lines), max(line.last_row for line in lines)
    when = _when(lines, begin, end)
    shown = [str(line) for line in lines[:_SHOWN]]
    if len(lines) > _SHOWN:
        shown.append(f"{counted(len(lines) - _SHOWN, 'line')} more")
    kept = OddRows.joined(ledger.rows for ledger in ledgers)
    rows = np.sort(kept.places[np.isin(kept.lines, list(found))])[:KEPT_ROWS]
    pays = {line.outcome: line.implied for line in lines}
    table = [
        {"outcome": label, "claimed": float(due), "implied": pays.get(label, float(due))}
        for label, due in claim.table_lines
    ]
    figure: dict[str, Any] = {
        "lines": [asdict(line) for line in lines],
        "table": table,
        "from_row": begin if when == "from" else None,
        "claimed_return": None if isinstance(claim, HandsClaim) else claim.law.mean(),
    }
    if not isinstance(claim, HandsClaim) and not claim.bets > 1 and len(table) == len(claim.values):
        chances = claim.values.probabilities
        figure["implied_return"] = float(chances @ np.array([one["implied"] for one in table]))
    text = _TABLES[when].format(begin=begin, end=end, lines="; ".join(shown))
    count = sum(line.rows for line in lines)
    return [Finding("paytable_differs", "proof", text, tuple(rows.tolist()), count, figure, fields=MONEY)]


def _line(
    number: int,
    odd: dict[Ledger, dict[str, np.ndarray]],
    claim: Claim,
    as_claimed: dict[int, tuple[int, int, int]],
) -> _Line | None:
    """Return a line of the paytable from its odd rows; None if they don't pay a single amount.

    Those that were paid as claimed are their number, the first and the last, by line.
    """
    columns = {name: np.concatenate([one[name] for one in odd.values()]) for name in next(iter(odd.values()))}
    paid, staked = (
        sum(sum(totals(one, name)) * 10**ledger.scale for ledger, one in odd.items())
        for name in ("paid", "staked")
    )
    bets, implied = int(columns["bets"].sum()), float(Fraction(paid, staked))
    lowest, highest = float(columns["lowest"].min()), float(columns["highest"].max())
    begin, end = int(columns["first"].min()), int(columns["last"].max())
    claimed = claim.table_lines[number]
    # Rows that agree only by rounding may agree with the other table as well.
    right, first, last = as_claimed.get(number, (0, -1, -1))
    rounding, above = 0.0, highest
    # If rows that follow the claimed table lie in between, rounding can't explain the others.
    if not (right and first < end and last > begin):
        rounding = 2 * max(_place_of(ledger, one["least"].min()) for ledger, one in odd.items())
        above += min(_place_of(ledger, one["most"].max()) for ledger, one in odd.items())
    simple = _simplest(implied, lowest, above)
    if bets < 2 or highest - lowest > max(1e-9 * abs(implied), rounding) or simple == float(claimed.due):
        return None
    ends = (first, last) if right else (None, None)
    return _Line(claimed.label, float(claimed.due), simple, bets, begin, end, right, *ends)


def _place_of(ledger: Ledger, stake: float) -> float:
    """Return the last place that amounts are rounded to, as a share of a stake."""
    return float(10.0**DECIMALS * ledger.place / 10.0**ledger.scale / float(stake))


def _when(lines: Sequence[_Line], begin: int, end: int) -> str:
    """Return where the paytable differs: "all" rows, "from" or "until" one, or "some"."""
    claimed = [line for line in lines if line.rows_as_claimed]
    if not claimed:
        return "all"
    if all(line.last_as_claimed is not None and line.last_as_claimed < begin for line in claimed):
        return "from"
    if all(line.first_as_claimed is not None and line.first_as_claimed > end for line in claimed):
        return "until"
    return "some"


def _simplest(value: float, low: float, high: float) -> float:
    """Return the decimal with the fewest places between two bounds, the nearest to a value."""
    for places in range(DECIMALS + 1):
        rounded = round(value, places)
        if low - 1e-12 <= rounded <= high + 1e-12:
            return rounded
    return value
