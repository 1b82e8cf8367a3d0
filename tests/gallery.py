"""The gallery of logs: honest ones, and cheating ones whose rows were chosen by one scheme of fraud each.

All but a few of the cheating ones verify row by row. `oracles.gallery` made them and noted beforehand what
shows on which rows; `tools/make_gallery.py` packs them. The operators of these logs don't exist.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import provably_fair as pf
from folders import GALLERY
from provably_fair.names import parse_subject
from writing import write_csv

CHANCES = {
    "fair": [100, 800, 2800, 5600, 7000, 5600, 2800, 800, 100],
    "operator": [100, 800, 2800, 5600, 7504, 5096, 2800, 800, 100],
}


class Board(pf.Game):
    """A Plinko of 8 rows that draws the bucket by a table of chances.

    The operator's takes from a bucket that pays 1.0 what it gives to the one that pays 0.5.
    """

    table: str = "fair"
    scheme: ClassVar[pf.Scheme] = pf.operators.stake.SCHEME

    def outcome(self, draws: Any) -> Any:
        ends = np.cumsum(CHANCES[self.table])
        return np.searchsorted(ends, draws.below(int(ends[-1])), side="right")


class GuestBoard(Board):
    """The same board of an operator whose guests play without a client seed."""

    scheme: ClassVar[pf.Scheme] = replace(pf.operators.stake.SCHEME, defaults={"client_seed": ""})


class Expected(NamedTuple):
    """A finding that an audit should have; no rows for what a test shows of the log as a whole."""

    kind: str
    severity: str
    rows: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Case:
    """A log, and what an audit should find in it."""

    name: str
    what: str
    subject: str
    log: dict[str, list[Any]]
    expected: tuple[Expected, ...]
    allowed: frozenset[str]
    """Kinds of findings that the fraud brings with it."""
    failed: tuple[int, ...]
    """The rows that don't verify by themselves."""
    game: Any
    bet: pf.bets.Bet | None
    options: dict[str, Any]

    @property
    def rounds(self) -> int:
        return len(next(iter(self.log.values())))

    def audit(self, **options: Any) -> pf.auditing.AuditReport:
        """Audit the log with everything that is known about it."""
        return pf.audit(self.log, self.game, bet=self.bet, **self.options | options)

    def to_csv(self, path: Any) -> None:
        """Write the log as a CSV file, lists as JSON."""
        write_csv(path, self.log)


@cache
def read() -> dict[str, list[dict[str, Any]]]:
    return json.loads(gzip.decompress(GALLERY.read_bytes()))


def cases(kind: str) -> list[Case]:
    return [
        Case(
            made["name"],
            made["what"],
            made["game"],
            {name: list(column) for name, column in made["log"].items()},
            tuple(
                Expected(kind, severity, rows and tuple(rows)) for kind, severity, rows in made["expected"]
            ),
            frozenset(made["allowed"]),
            tuple(made["failed"]),
            parse_subject(made["game"], modules=True),
            made["bet"] and parse_subject(made["claimed"], modules=True).bet(**made["bet"]),
            dict(made["options"]),
        )
        for made in read()[kind]
    ]


def honest() -> list[Case]:
    """The honest logs: an audit has no finding but notes."""
    return cases("honest")


def frauds() -> list[Case]:
    """The cheating logs, in the order of the kinds of findings."""
    return cases("cheats")
