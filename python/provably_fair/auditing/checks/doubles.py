"""Rows that are listed twice, and whether they lost as often as the others."""

from __future__ import annotations

import numpy as np

from provably_fair.verification import VerificationReport

from ..check import Check
from ..claims import Claim
from ..evidence import drawn_pvalue
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from ..sums import RowNumbers
from .overlaps import Overlaps
from .wording import evidence, sentence

_TEXT = (
    "Of {n} row[|s] that [is|are] listed again, {lost:,} lost; of all {rows:,} rows, each taken once, "
    "{all_lost:,} did."
)


class ListedTwice(Check):
    """The test of whether rows that are listed twice were picked by their outcome.

    Where exports overlap, chance alone decides which rows that lost are in both. So how many rows that are
    listed again lost has a hypergeometric law, given how many lost in all; a row listed thrice counts once.
    """

    state = ("_lost",)

    def __init__(self, claim: Claim | None, overlaps: Overlaps) -> None:
        self.claim = claim
        self._overlaps = overlaps
        self._lost = RowNumbers()  # whether each row lost
        self._shared = False

    def update(self, records: Records) -> None:
        if not records.has("time"):  # the time identifies rows that are listed twice
            return
        if self.claim is not None and self.claim.looks:
            settled = self.claim.settle(records)
            places, lost = settled.places, settled.parts < self.claim.whole
        elif money := records.money:
            stakes, paid = money
            there = np.isfinite(stakes) & np.isfinite(paid) & (stakes > 0)
            places, lost = records.places[there], (paid < stakes)[there]
        else:
            return
        self._lost.put(places, lost.view(np.uint8))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        pairs = self._overlaps.pairs(verified)
        self._shared = 0 < len(pairs) < verified.repeats.count
        lost = self._lost.values[:, 0].copy()
        if not pairs or self._shared or not len(lost):
            return []
        first, again = np.array(pairs, np.int64).T
        lost[again[again < len(lost)]] = RowNumbers.NONE
        listed = np.unique(first[first < len(lost)])
        listed = listed[lost[listed] != RowNumbers.NONE]
        drawn, hits = len(listed), int((lost[listed] == 1).sum())
        rows, all_lost = int((lost != RowNumbers.NONE).sum()), int((lost == 1).sum())
        if not drawn:
            return []
        text = sentence(drawn, _TEXT, lost=hits, rows=rows, all_lost=all_lost)
        figure = {"listed_again": drawn, "lost": hits, "rows": rows, "all_lost": all_lost}
        pvalue = drawn_pvalue(hits, drawn, all_lost, rows)
        return [evidence("doubles_chosen", pvalue, text, figure, np.sort(again)[:KEPT_ROWS].tolist(), drawn)]

    def unknown(self) -> list[str]:
        return (
            ["rows of one round: whether rows that are listed twice lost more often"] if self._shared else []
        )
