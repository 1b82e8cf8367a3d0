"""Which rounds there are: gaps, repeats and order; rounds that are missing; seeds that come again."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from provably_fair.verification.totals import Totals

from ..check import Check, Context
from ..finding import Finding, first_rows
from ..records import Records


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    return [Nonces(context)] if "nonce" in context.fields else []


class Nonces(Check):
    """The nonces of each pair of seeds."""

    def __init__(self, context: Context) -> None:
        self._pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def update(self, records: Records) -> None:
        nonces, there = records.whole("nonce")
        server, client = records.print("server_seed"), records.print("client_seed")
        for row in np.flatnonzero(there).tolist():
            seen = self._pairs.setdefault((int(server[row]), int(client[row])), [])
            seen.append((int(nonces[row]), int(records.places[row])))

    def merge(self, later: Any, rows: int) -> None:
        for pair, seen in later._pairs.items():
            self._pairs.setdefault(pair, []).extend((nonce, place + rows) for nonce, place in seen)

    def findings(self, totals: Totals) -> list[Finding]:
        missing, rows = 0, []
        for seen in self._pairs.values():
            ordered = sorted(seen)
            for (before, _), (nonce, place) in pairwise(ordered):
                if nonce > before + 1:
                    missing += nonce - before - 1
                    rows.append(place)
        if not missing:
            return []
        counted = "1 nonce is" if missing == 1 else f"{missing:,} nonces are"
        text = (
            f"{counted} missing between the first and the last one of a pair of seeds, the first before row "
            f"{min(rows)}: the log isn't complete, or rounds were left out."
        )
        return [
            Finding(
                "nonce_gap", "proof", text, first_rows(rows), missing, {"missing": missing}, None, ("nonce",)
            )
        ]
