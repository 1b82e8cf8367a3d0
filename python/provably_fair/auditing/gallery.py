"""A gallery of logs: honest ones, and cheating ones whose rows were chosen by one scheme of fraud each.

All but a few of the cheating ones verify row by row. They were made by a program that shares no code with
this package, which notes beforehand what shows on which rows. The operators of these logs don't exist.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from provably_fair._core.arguments import choice
from provably_fair._core.files import write_beside
from provably_fair._core.table import Sheet, Tabular, displayed
from provably_fair._core.types import Columns, JsonDict
from provably_fair.games import Game
from provably_fair.names import parse_subject
from provably_fair.operators import stake
from provably_fair.seeds import Scheme

from .auditor import audit

if TYPE_CHECKING:
    from .report import AuditReport

__all__ = ["Board", "Case", "Expected", "GuestBoard", "frauds", "honest"]

_PINS = 8
_CHANCES = {
    "fair": [100, 800, 2800, 5600, 7000, 5600, 2800, 800, 100],
    "operator": [100, 800, 2800, 5600, 7504, 5096, 2800, 800, 100],
}


class Board(Game):
    """A Plinko of 8 rows that draws the bucket itself, by a table of chances.

    Parameters
    ----------
    table : str
        "fair" for the chances that 8 rows of pins give, "operator" for those of an operator who takes from
        a bucket that pays 1.0 what he gives to the one that pays 0.5.

    Examples
    --------
    >>> from provably_fair.auditing.gallery import Board
    >>> pays = [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6]
    >>> [round(Board(table).bet(pays, law="ideal").rtp, 5) for table in ("fair", "operator")]
    [0.98984, 0.98]
    """

    table: str = "fair"
    scheme: ClassVar[Scheme] = stake.SCHEME

    def __post_init__(self) -> None:
        choice("table", self.table, _CHANCES)

    def outcome(self, draws: Any) -> Any:
        """Return the bucket that a number falls into.

        Examples
        --------
        >>> from provably_fair.auditing.gallery import Board
        >>> Board().play("server", "client", [0, 1, 2])
        array([6, 4, 6])
        """
        ends = np.cumsum(_CHANCES[self.table])
        return np.searchsorted(ends, draws.below(int(ends[-1])), side="right")


class GuestBoard(Board):
    """The same board of an operator whose guests play without a client seed.

    Examples
    --------
    >>> from provably_fair.auditing.gallery import GuestBoard
    >>> GuestBoard().play("server", "", [0, 1, 2])
    array([4, 4, 4])
    """

    scheme: ClassVar[Scheme] = replace(stake.SCHEME, defaults={"client_seed": ""})


class Expected(NamedTuple):
    """A finding that an audit should have.

    Attributes
    ----------
    kind, severity : str
        As the finding has them.
    rows : tuple of int or None
        Its rows; None for what a test shows of the log as a whole.
    """

    kind: str
    severity: str
    rows: tuple[int, ...] | None


@displayed
@dataclass(frozen=True, eq=False)
class Case(Tabular):
    """A log of the gallery, with the expected findings of its audit.

    Attributes
    ----------
    name : str
        Name of the case.
    what : str
        Description of the fraud, in a few words.
    subject : str
        Game of the log, as `verify` and the command take it.
    log : dict of str to list
        The columns.
    expected : tuple of Expected
        The findings that an audit must have; none for honest logs.
    allowed : frozenset of str
        Kinds of findings that it may have besides, since the fraud brings them with it.
    failed : tuple of int
        The rows that don't verify by themselves.
    bet : Bet or None
        The bet that the operator claims to pay.
    options : dict
        Further options of the audit.

    Examples
    --------
    >>> from provably_fair.auditing import gallery
    >>> case = gallery.frauds()[0]
    >>> case.name, case.what, case.subject
    ('nonce_gap', 'rounds left out of the log', 'stake.dice')
    >>> case.expected
    (Expected(kind='nonce_gap', severity='proof', rows=(7, 19, 59, 71, 99, 111, 136)),)
    """

    name: str
    what: str
    subject: str
    log: dict[str, list[Any]]
    expected: tuple[Expected, ...]
    allowed: frozenset[str]
    failed: tuple[int, ...]
    bet: Any
    options: dict[str, Any]

    @cached_property
    def game(self) -> Any:
        """The game, or the other system, that the log belongs to."""
        return _subject(self.subject)

    @property
    def rounds(self) -> int:
        """The number of rows of the log."""
        return len(next(iter(self.log.values())))

    def audit(self, **options: Any) -> AuditReport:
        """Audit the log with everything that is known about it.

        Parameters
        ----------
        **options
            Further arguments of `provably_fair.audit`.

        Returns
        -------
        AuditReport
            The report.

        Examples
        --------
        >>> from provably_fair.auditing import gallery
        >>> gallery.frauds()[0].audit().ok
        False
        """
        return audit(self.log, self.game, bet=self.bet, **self.options | options)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the log as a CSV file, lists as JSON.

        Parameters
        ----------
        path : path
            The file.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from provably_fair.auditing import gallery
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "honest.csv")
        ...     gallery.honest()[0].to_csv(path)
        ...     print(path.read_text().partition(",")[0])
        time
        """
        with write_beside(Path(path)) as part, open(part, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self.log)
            for row in zip(*self.log.values(), strict=True):
                writer.writerow([json.dumps(cell) if isinstance(cell, list) else cell for cell in row])

    def _sheet(self) -> Sheet:
        rows = [("log of", self.subject), ("rows", f"{self.rounds:,}"), ("what was done", self.what)]
        for kind, severity, places in self.expected:
            on = "" if places is None else f", {len(places):,} rows"
            rows.append(("an audit should find", f"{kind}, {severity}{on}"))
        return Sheet(self.name, ("", ""), rows)

    def _columns(self) -> Columns:
        return self.log


def honest() -> list[Case]:
    """Return the honest logs.

    Returns
    -------
    list of Case
        An audit of them should have no finding of severity "proof" or "evidence".

    Examples
    --------
    >>> from provably_fair.auditing import gallery
    >>> [case.name for case in gallery.honest()][:3]
    ['honest', 'honest_interleaved', 'honest_shuffled']
    """
    return list(_cases("honest"))


def frauds() -> list[Case]:
    """Return the cheating logs, each with one scheme of fraud.

    Returns
    -------
    list of Case
        In the order of the kinds of findings.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.auditing import gallery
    >>> cheat = next(cheat for cheat in gallery.frauds() if cheat.name == "rotated_every_bet")
    >>> cheat.what
    'a fresh server seed for every bet, the better of two for the house'
    >>> pf.verify(cheat.log, cheat.game).ok  # row by row nothing is wrong
    True
    """
    return list(_cases("cheats"))


@cache
def _read() -> JsonDict:
    packed = files("provably_fair.auditing").joinpath("gallery.json.gz").read_bytes()
    content: JsonDict = json.loads(gzip.decompress(packed))
    return content


def _subject(text: str) -> Any:
    return parse_subject(text, modules=True)


def _cases(kind: str) -> Iterator[Case]:
    for made in _read()[kind]:
        bet = made["bet"]
        if bet is not None:
            bet = _subject(made["claimed"]).bet(**bet)
        yield Case(
            made["name"],
            made["what"],
            made["game"],
            {name: list(column) for name, column in made["log"].items()},
            tuple(
                Expected(kind, severity, None if rows is None else tuple(rows))
                for kind, severity, rows in made["expected"]
            ),
            frozenset(made["allowed"]),
            tuple(made["failed"]),
            bet,
            dict(made["options"]),
        )
