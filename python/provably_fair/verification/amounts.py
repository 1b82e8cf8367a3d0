"""Columns of a log for readers that recompute no rounds: amounts, outcomes, identifying fields."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from provably_fair._core.errors import placed
from provably_fair._engine import column_doubles
from provably_fair.sources import Evidence, LogError, Wanted, open_log
from provably_fair.sources.foreign import Constant, as_written, cells_of, packed_numbers
from provably_fair.sources.numbers import Numbers
from provably_fair.sources.times import Times

from .alike import fingerprints_of
from .columns import MAX_MESSAGE, Columns, columns_of
from .likely import likely_columns
from .log import settled
from .plan import Plan, plan_of
from .systems import GAME
from .systems.statuses import RETURNED, STATUS
from .systems.system import FIELD, Field, System

STAKE, PAYOUT, TIME = (
    Field("stake", False, number=True).spelled(
        *("amount", "wager", "bet", "bet amount", "wager amount", "stake amount", "amount wagered"),
        *("amount bet", "amount staked", "total bet", "total stake"),
    ),
    Field("payout", number=True).spelled(
        *("payout amount", "total payout", "amount paid", "win amount", "amount won", "total win")
    ),
    Field("time").spelled("date", "timestamp", "placed at", "played at", "bet time"),
)
"""The fields of a bet's money and time, by their usual names."""
_TELLING = (
    replace(TIME, needed=False),
    Field("number", False, called="game_number").spelled("game number"),
    Field("nonce", False).spelled(),
    Field("salt", False),
    Field("id", False, called="bet_id").spelled("bet id"),
)
"""Fields that identify a bet."""


class _Columns(System):
    """A system of logs of which only some columns are read."""

    name = "columns"

    def __init__(self, *fields: Field) -> None:
        self.fields = fields


@dataclass(frozen=True)
class AmountColumns:
    """Amounts of some rows."""

    returns: np.ndarray  # stake included; float64, as the stakes
    stakes: np.ndarray  # 1 if the log has none
    refunds: np.ndarray  # mask of the bets that were annulled, with their stakes returned, by ``status``
    first: int  # the number of the first row in the log
    # The cells of other columns, by name: the texts as they first appear, and the place of each row's
    others: dict[str, tuple[list[str], np.ndarray]]
    times: np.ndarray | None  # microseconds since 1970; None where the log has none
    # The file that they are of, and what is known of it when it is read to its end; None in memory
    evidence: Evidence | None = None
    # Fingerprints of the cells of all columns but those above, by field, or by column with "column " in
    # front; None unless every column is read
    cells: dict[str, np.ndarray] | None = None
    telling: tuple[str, ...] = ()  # the fields among these that distinguish a bet from others


@dataclass(eq=False)
class NumberRows:
    """Rows whose cells are read by field; a cell that can't be read raises a `LogError` with the row."""

    read: Columns
    first: int
    where: str
    evidence: Evidence | None
    rest: Mapping[str, Any]  # columns that belong to no field
    fields: Mapping[str, Field]
    formats: Times

    @property
    def columns(self) -> Mapping[str, Any]:
        """The cells by field."""
        return self.read.cells

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.read.batch.rows

    def numbers(self, name: str, width: int = 1) -> np.ndarray:
        """Return numbers in doubles, `width` of each row."""
        column = self.columns[name]
        if isinstance(column, Constant):
            values = np.repeat(column_doubles(name, [column.value], 1, width), self.count)
        else:
            values = column_doubles(name, packed_numbers(column) if self.count else [], self.count, width)
        article = "an" if name == "outcome" else "a"
        wrong = "is no number" if width == 1 else f"isn't {width} numbers"
        unread = ~np.isfinite(values.reshape(self.count, width)).all(axis=1)
        self.refuse(unread, f"has {article} {name} that {wrong}")
        return values

    def times(self) -> np.ndarray:
        """Return times in microseconds since 1970."""
        try:
            called = self.read.called["time"]
            values, there = self.formats.read("time", self.columns["time"], self.count, called)
        except LogError as error:
            raise placed(error, f"{self.where}: ") from None
        self.refuse(~there, "has a time that can't be read")
        return values

    def texts(self, name: str) -> tuple[list[str], np.ndarray]:
        """Return the different texts of a column as they first appear, "" if empty, and each row's index."""
        column = self.columns[name]
        if hasattr(column, "dictionary_encode"):
            # Its own dictionary may be in another order, and hold unused values.
            plain = column.dictionary_decode() if hasattr(column, "dictionary_decode") else column
            encoded = plain.dictionary_encode(null_encoding="encode")
            cells, codes = encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False)
        elif isinstance(column, Constant):
            cells, codes = [column.value] * (self.count > 0), np.zeros(self.count, np.intp)
        else:
            cells = cells_of(column, self.count)
            if not {str, bytes, type(None)}.issuperset(map(type, cells)):
                cells = [as_written(cell) for cell in cells]  # others may compare equal: 1, True
            known = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
            codes = np.fromiter(map(known.__getitem__, cells), np.intp, self.count)
            cells = list(known)
        return [as_written(cell) for cell in cells], codes

    def fingerprints(self, known: Collection[str]) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
        """Return fingerprints of all columns but known fields, and the identifying fields among them."""
        fields = {name: column for name, column in self.columns.items() if name not in known}
        found = {
            name: fingerprints_of(name, column, self.count, timed=name == "time")
            for name, column in fields.items()
        }
        rest = {
            f"column {name}": fingerprints_of(name, column, self.count) for name, column in self.rest.items()
        }
        return found | rest, tuple(field.name for field in _TELLING if field.name in found)

    def returned(self) -> np.ndarray:
        """Return a mask of bets that were annulled, by their status."""
        if STATUS.name not in self.columns:
            return np.zeros(self.count, bool)
        texts, codes = self.texts(STATUS.name)
        field = self.fields[STATUS.name]
        means = [(field.words or {}).get(text.strip().casefold()) for text in texts]
        if None in means:
            text = texts[means.index(None)]
            self.refuse(codes == means.index(None), field.unknown_word(text.strip().casefold()))
        found: np.ndarray = np.array([meaning == RETURNED for meaning in means], bool)[codes]
        return found

    def refuse(self, wrong: np.ndarray, what: str) -> None:
        """Raise `LogError` for the first row of a mask."""
        if wrong.any():
            row = self.first + int(wrong.argmax())
            raise LogError(f"{self.where}: row {row} {what}", row=row)


def _planned(log: object, options: Mapping[str, Any], fields: Iterable[Field]) -> tuple[Any, Plan]:
    asked = settled(log, None, options)
    if asked.options["game_column"] is not None:
        fields = {field.name: field for field in (*fields, Field(GAME))}.values()
    if asked.options["seeds"] is not None:  # without effect, since no round is played
        asked = asked._replace(options=asked.options | {"seeds": None, "seeds_by": None})
    with asked.naming_config():
        return asked.source, plan_of(asked, _Columns(*fields))


def _wanted(plan: Plan, every: bool) -> Wanted:
    return Wanted(plan.wanted_columns, plan.csv, plan.storage, every)


def _read(
    log: object, options: Mapping[str, Any], *fields: Field, every: bool = False
) -> Iterator[NumberRows]:
    """Read some fields, or every column, of anything that `verify` reads, batch by batch."""
    source, plan = _planned(log, options, fields)
    source = open_log(source, _wanted(plan, every))
    first = 0
    with closing(source.pieces()) as pieces:
        for piece in pieces:
            numbers, formats = Numbers(plan.csv), Times(plan.time_formats)
            where = "log" if piece.evidence is None else piece.evidence.file
            begin = first
            for batch in piece.batches():
                batch.refuse_unreadable(where, begin)
                try:
                    columns = columns_of(plan, batch).with_numbers(plan, numbers)
                    _refuse_other_stakes(plan, columns)
                except LogError as error:
                    raise placed(error, f"{where}: ") from None
                used = set(columns.called.values())
                rest = {name: column for name, column in batch.columns.items() if name not in used}
                yield NumberRows(columns, first, where, piece.evidence, rest, plan.fields, formats)
                first += batch.rows


def _refuse_other_stakes(plan: Plan, columns: Columns) -> None:
    """Refuse to take stakes as 1 where a column that isn't read may be the stake."""
    if STAKE.name not in plan.fields or STAKE.name in columns.cells:
        return
    others = [name for name in columns.batch.names if name not in columns.called.values()]
    if likely_columns((), [STAKE.name], others):
        from .missing import missing_columns

        raise missing_columns(plan, [STAKE.name], columns.batch, columns.called, MAX_MESSAGE)


def _paid_fields(others: Sequence[str], timed: bool, every: bool) -> list[Field]:
    fields = [STAKE, PAYOUT, STATUS, *(_TELLING if every else ()), *([TIME] if timed else [])]
    # A watched status keeps the meanings of its words.
    by_name = {STATUS.name: replace(STATUS, needed=True)}
    return [*fields, *(by_name.get(name, Field(name)) for name in others)]


def paid_columns(
    log: object, *, others: Sequence[str] = (), timed: bool = False, every: bool = False, **options: Any
) -> Wanted:
    """Return the columns that `read_paid` reads of a log."""
    _, plan = _planned(log, options, _paid_fields(others, timed, every))
    return _wanted(plan, every)


def read_paid(
    log: object, *, others: Sequence[str] = (), timed: bool = False, every: bool = False, **options: Any
) -> Iterator[AmountColumns]:
    """Read stakes and payouts, batch by batch; with `every`, fingerprints of all other columns as well.

    The names of games are among the others if the log has a ``game_column``.
    """
    for rows in _read(log, options, *_paid_fields(others, timed, every), every=every):
        returns = rows.numbers("payout")
        stakes = rows.numbers("stake") if "stake" in rows.columns else np.ones(rows.count)
        rows.refuse(stakes < 0, "has a stake below 0")
        times = rows.times() if timed else None
        texts = {name: rows.texts(name) for name in (*others, GAME) if name in rows.columns}
        cells, telling = rows.fingerprints({"stake", "payout", *texts}) if every else (None, ())
        refunds = (stakes > 0) & (returns == stakes) & rows.returned()
        yield AmountColumns(returns, stakes, refunds, rows.first, texts, times, rows.evidence, cells, telling)


def read_outcomes(
    log: object, shape: tuple[int, ...], dtype: np.dtype[Any], **options: Any
) -> Iterator[np.ndarray]:
    """Read outcomes of a game of that shape and type, batch by batch, from anything that `verify` reads."""
    for rows in _read(log, options, Field(FIELD)):
        given = rows.numbers(FIELD, math.prod(shape)).reshape(rows.count, math.prod(shape))
        with np.errstate(invalid="ignore"):
            values = given.astype(dtype)
        if dtype.kind in "iu":  # as whole numbers, 3.7 would pass as 3
            rows.refuse((values != given).any(axis=1), "has an outcome that is no whole number of the game")
        yield values.reshape(rows.count, *shape)
