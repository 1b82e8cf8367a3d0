"""Rules that the rows of hands show the dealer to break, and hands that were annulled by their result."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._core.tails import hypergeometric_tail
from provably_fair.verification import VerificationReport

from ..check import Check
from ..claims import called_off
from ..finding import Finding
from ..records import Records
from ..sums import BetTotals, FirstRows
from .wording import MONEY, evidence, facts, sentence

SOFT_17 = {"stood": 1, "hit": 2}
"""How `hands.shown` says what the dealer did on soft 17."""

_SOFT_17 = (
    "By the table's rules the dealer {must} on soft 17: the dealer {did} on soft 17 in {n} of {all} hands, "
    "{other} in {right}."
)
_EARLY = "By the table's rules the dealer draws to 17: the dealer stood below 17 in {n} of {all} hands."
_REFUNDED = (
    "The stake[|s] of {n} hand[|s] [was|were] returned, as the status says; {won:,} of them won, and "
    "{others_won:,} of the {others:,} others."
)


class DealerRules(Check):
    """The check of whether the dealer drew and stood as the table's rules say.

    A hand shows that by what was won, or by its cards, if the log has those that were dealt and no others.
    """

    state = ("_hands", "_whole", "_on_soft_17", "_early")

    def __init__(self, table: Any) -> None:
        self._stands = table.rules.soft_17 == "stand"
        self._hands = self._whole = 0
        self._on_soft_17 = {did: FirstRows() for did in SOFT_17}
        self._early = FirstRows()

    def update(self, records: Records) -> None:
        hands = records.found.hands
        if hands is None:
            return
        order = np.argsort(hands.rows, kind="stable")
        places = records.places[hands.rows[order]]
        whole, soft_17, early = hands.shown[order].T
        self._hands += len(places)
        self._whole += int(np.count_nonzero(whole))
        for did, rows in self._on_soft_17.items():
            rows.add(places[soft_17 == SOFT_17[did]])
        self._early.add(places[early > 0])

    def findings(self, verified: VerificationReport) -> list[Finding]:
        if not shows_dealers(self._hands, self._whole, self._early.count):
            return []
        (must, other), (right, did) = (("stands", "stood"), ("stood", "hit"))
        if not self._stands:
            (must, other), (right, did) = (("draws", "hit"), ("hit", "stood"))
        wrong, kept = self._on_soft_17[did], self._on_soft_17[right].count
        said: dict[str, Any] = {
            "must": must,
            "did": did,
            "other": other,
            "figure": {did: wrong.count, right: kept},
        }
        said |= {"all": f"{wrong.count + kept:,}", "right": f"{kept:,}" if kept else "none"}
        found = facts("dealer_rules", "proof", _SOFT_17, wrong, "outcome", **said)
        all_hands = f"{self._hands:,}"
        return found + facts("dealer_rules", "proof", _EARLY, self._early, "outcome", all=all_hands)


def shows_dealers(hands: int, whole: int, early: int) -> bool:
    """Return whether hands show the dealer, by the numbers of whole ones, and of those that end below 17.

    A log of the first cards, of more than were dealt, or without those that dealers draw shows nothing.
    """
    return 10 * (whole + early) >= 9 * hands and 10 * early <= hands


class RefundedHands(Check):
    """Hands whose stake was returned, and whether more of them won than of the others.

    What a hand returns depends on its play, so there is no law to compare with but that of the other hands.
    """

    state = ("_returned", "_others")

    def __init__(self, unit: int) -> None:
        self._unit = unit
        self._returned, self._others = BetTotals(), BetTotals()

    def update(self, records: Records) -> None:
        if not records.has("status"):
            return
        annulled = called_off(records)
        known, returned, _ = records.hands
        for bets, which in ((self._returned, annulled), (self._others, ~annulled)):
            rows = np.flatnonzero(known & which)
            bets.add(records.places[rows], returned[rows], self._unit)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        here, others = self._returned, self._others
        if not here.count:
            return []
        counts = {"won": here.won, "others_won": others.won, "others": others.count}
        text, figure = sentence(here.count, _REFUNDED, **counts), {"bets": here.count} | counts
        pvalue = hypergeometric_tail(here.won, here.count, here.won + others.won, here.count + others.count)
        fields = (*MONEY, "status")
        noted = facts(
            "bets_refunded", "note", text, here.shown.rows, *fields, count=here.count, figure=figure
        )
        return [*noted, evidence("wins_refunded", pvalue, text, figure, here.shown.rows, here.count, fields)]
