"""The difference between two laws of numbers, outcome by outcome."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from provably_fair._core.numbers import exactly
from provably_fair._core.table import Sheet, Tabular, short
from provably_fair._core.types import Columns

if TYPE_CHECKING:
    from .moments import Moments

_SHOWN = 20
ALIKE, _MOST_DIGITS = 0.5, 4
"""The distance of laws that may be of the same outcomes in another unit, and the most decimals of it."""


@dataclass(frozen=True, repr=False)
class LawDifference(Tabular):
    """The differences between two distributions of numbers. Made by `Distribution.difference`.

    Attributes
    ----------
    outcomes : tuple
        The outcomes whose probabilities differ, those that change the mean most first.
    probabilities, others : tuple of fractions.Fraction
        Their probabilities in the one distribution, and in the other.
    parts : tuple of fractions.Fraction
        Contribution of each to the difference of the means.
    mean, other_mean : fractions.Fraction
        Both means. Of distributions computed in floating point, all is of the probabilities as they are.
    units : str
        A sentence, where the outcomes seem to be in different units; else empty.
    """

    outcomes: tuple[Any, ...]
    probabilities: tuple[Fraction, ...]
    others: tuple[Fraction, ...]
    parts: tuple[Fraction, ...]
    mean: Fraction
    other_mean: Fraction
    units: str = ""

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        return (
            f"<LawDifference in {len(self)} outcomes, mean {short(self.mean)} and {short(self.other_mean)}>"
        )

    def _sheet(self) -> Sheet:
        if self.units:
            return Sheet(self.units, (), ())
        off = float(self.other_mean - self.mean)
        if not len(self):
            return Sheet(f"no outcome differs; the mean is {short(self.mean)}", (), ())
        counted = "1 outcome differs" if len(self) == 1 else f"{len(self):,} outcomes differ"
        title = f"{counted}; the mean is {short(self.other_mean)} instead of {short(self.mean)} ({off:+.6f})"
        rows = [
            (outcome, f"{float(one):.6g}", f"{float(other):.6g}", f"{float(part):+.6f}")
            for outcome, one, other, part in zip(
                self.outcomes[:_SHOWN], self.probabilities, self.others, self.parts, strict=False
            )
        ]
        notes = (f"and {len(self) - _SHOWN:,} more",) if len(self) > _SHOWN else ()
        columns = ("outcome", "probability", "in the other", "part of the mean")
        return Sheet(title, columns, rows, "r", notes=notes)

    def _columns(self) -> Columns:
        return {
            "outcome": list(self.outcomes),
            "probability": list(map(float, self.probabilities)),
            "other": list(map(float, self.others)),
            "part": list(map(float, self.parts)),
            "exact_part": list(self.parts),
        }


def units_apart(law: Any, other: Any) -> str:
    """Return a sentence if the outcomes of two laws seem to be in units 10, 100, ... times apart; else ""."""
    if not all(each.outcomes.dtype.kind in "iuf" and each.mean() > 0 for each in (law, other)):
        return ""
    digits = math.log10(other.mean()) - math.log10(law.mean())
    if not 1 <= round(abs(digits)) <= _MOST_DIGITS:
        return ""
    times, larger = 10 ** round(abs(digits)), digits > 0
    scaled = (other if larger else law).map(lambda outcomes: outcomes / times)
    if (law if larger else other).total_variation(scaled) > ALIKE:
        return ""
    whose, which = ("the other's", "other") if larger else ("this law's", "law")
    return (
        f"{whose} outcomes seem to be in a unit {times} times smaller: compare with "
        f"{which}.map(lambda x: x / {times})"
    )


def law_difference(law: Moments, other: Moments) -> LawDifference:
    """Return the differences between two laws; see `Distribution.difference`."""
    one, two = ({exactly(outcome, "outcomes"): (outcome, p) for outcome, p in each} for each in (law, other))
    rows = []
    for amount in one | two:
        shown, p = one.get(amount, (None, Fraction(0)))
        again, q = two.get(amount, (None, Fraction(0)))
        if p != q:
            rows.append((amount, again if shown is None else shown, p, q, (q - p) * amount))
    rows.sort(key=lambda row: (-abs(row[4]), row[0]))
    means = [sum((amount * p for amount, (_, p) in each.items()), Fraction(0)) for each in (one, two)]
    _, outcomes, probabilities, others, parts = zip(*rows, strict=True) if rows else ((),) * 5
    apart = sum(abs(q - p) for p, q in zip(probabilities, others, strict=True)) / 2
    units = units_apart(law, other) if apart > ALIKE else ""
    return LawDifference(outcomes, probabilities, others, parts, means[0], means[1], units)
