"""Times in logs: each column is read in the single format that fits all its rows.

A text such as ``1/2/2024`` fits more than one. The formats that fit what was read so far are kept for each
field and narrowed batch by batch. Nothing is guessed: a batch is refused if the remaining formats give
different times, or if none remains, and the option `time_formats` decides.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, check_type
from provably_fair._engine import TIME_FORMATS, column_times

from .foreign import Constant, as_written, cell, packed_numbers
from .source import LogError, Option

TIMES = ("time", "commitment_time", "reveal_time")
"""The fields with times."""

Masked = tuple[np.ndarray, np.ndarray]
"""Values, and a mask of those that are there."""

_ALL = (1 << len(TIME_FORMATS)) - 1
_HOUR = 3_600_000_000
_WEEK = 7 * 24 * _HOUR
_SATURDAY = (2 * 24 + 21) * _HOUR
"""At 21:00, since the Thursday with which 1970 begins."""
_NIGHT = 8 * _HOUR
_SUMMER_ENDS = np.isin(np.arange(1, 13), (2, 3, 4, 5, 9, 10, 11))
"""The months of Sundays on which clocks are turned back, south and north of the equator."""
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
_STEPS = {("s", 1): 10**6, ("ms", 1): 1000}
"""Microseconds in the units of most logs."""
_FINE = ("us", "ns", "ps", "fs", "as")
_EARLIEST, _LATEST = np.datetime64(-290_000, "Y"), np.datetime64(290_000, "Y")
"""The range of microseconds in 64 bits, which numpy's coarser units exceed."""


def turned_back(times: np.ndarray) -> np.ndarray:
    """Return local times in which those of a night when clocks may be turned back are equal.

    At the end of summer time an hour comes twice, almost everywhere in a night to Sunday.
    """
    if not len(times):
        return times
    first = int(times.min())
    at_first = (first - _SATURDAY) % _WEEK
    if at_first >= _NIGHT and at_first + int(times.max()) - first < _WEEK:
        return times  # none of them is of such a night
    into = (times - _SATURDAY) % _WEEK
    rows = np.flatnonzero(into < _NIGHT)
    # A night is of one month, that of its Sunday, even if its Saturday is of the month before.
    sundays = times[rows] - into[rows] + _NIGHT
    months = sundays.view("M8[us]").astype("M8[M]").astype(np.int64) % 12
    rows = rows[_SUMMER_ENDS[months]]
    if not len(rows):
        return times
    found = times.copy()
    found[rows] -= into[rows]
    return found


def is_local(column: Any, there: np.ndarray) -> bool:
    """Whether the first time of a column has no zone."""
    if not there.any():
        return False
    value = cell(column, int(there.argmax()))
    if isinstance(value, datetime.date):
        return getattr(value, "tzinfo", None) is None
    # Text with a zone can't take another one, nor can a number.
    return isinstance(value, str) and bool(column_times("time", [f"{value} UTC"], 1, _ALL)[0][1][0])


def check_time_formats(value: Any) -> None:
    """Refuse an argument ``time_formats`` that names other fields or formats."""
    check_type("time_formats", value, Mapping | None, f"a mapping of {', '.join(TIMES)}")
    for field, form in (value or {}).items():
        if field not in TIMES:
            raise BadValue("time_formats", f"may name {', '.join(TIMES)}, got {field!r:.80}")
        if form not in TIME_FORMATS:
            known = ", ".join(map(repr, TIME_FORMATS))
            raise BadValue("time_formats", f"must be one of {known}, got {form!r:.80}", index=field)


class Times:
    """The formats of a file's times, as far as its rows show them."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        # A bit mask of the formats that fit all rows so far, by field
        self._fits = {field: 1 << TIME_FORMATS.index(form) for field, form in given.items()}
        self._shown: dict[str, str] = {}  # the first time of each field

    def read(self, field: str, column: Any, rows: int, called: str | None = None) -> Masked:
        """Return times in microseconds since 1970, in UTC without a zone, and a mask of rows with one."""
        called = called or field
        cells, count = ([column.value], 1) if isinstance(column, Constant) else (column, rows)
        before = self._fits.get(field, _ALL)
        (values, there), fits, other, differs = read_times(
            called, cells if rows else [], min(count, rows), before
        )
        if field not in self._given:
            if other is not None:
                self._shown.setdefault(field, _first_text(cells, there))
                raise self._mixed(field, called, as_written(cell(cells, other)), fits)
            if differs is not None:
                raise self._unclear(field, called, as_written(cell(cells, differs)), fits)
            if fits != before:
                self._fits[field] = fits
                self._shown.setdefault(field, _first_text(cells, there))
                if _named(fits) == ["epoch"] and _are_days(values[there]):
                    raise LogError(
                        f"column {called!r:.80} has the time {self._shown[field]!r:.40}, a day as "
                        "spreadsheets count them: write dates; for seconds since 1970 give ",
                        Option("time_formats", {field: "epoch"}),
                    )
        return np.broadcast_to(values, rows), np.broadcast_to(there, rows)

    def merge(self, later: Times) -> None:
        """Narrow the formats to those that fit later rows as well."""
        for field, fits in later._fits.items():
            before = self._fits.get(field, _ALL)
            self._shown.setdefault(field, later._shown.get(field, ""))
            if not before & fits:
                raise self._mixed(field, field, later._shown[field], before)
            self._fits[field] = before & fits

    def _mixed(self, field: str, called: str, text: str, fits: int) -> LogError:
        formats = _named(fits)[0], _named(column_times("time", [text], 1, _ALL)[1])[0]
        return LogError(
            f"column {called!r:.80} has times such as {self._shown[field]!r:.40} and {text!r:.40}, which "
            "no one format fits: give ",
            Option("time_formats", {field: formats[0]}),
            " or ",
            Option("time_formats", {field: formats[1]}),
            ", by which the others count as no times",
        )

    def _unclear(self, field: str, called: str, text: str, fits: int) -> LogError:
        parts: list[str | Option] = []
        for form in _named(fits):
            (values, _), *_ = column_times(called, [text], 1, 1 << TIME_FORMATS.index(form))
            parts += [
                ", or " if parts else "",
                f"{np.datetime64(int(values[0]) // 10**6, 's')} by ",
                Option("time_formats", {field: form}),
            ]
        return LogError(f"column {called!r:.80} has the time {text!r:.40}, which may be ", *parts)


def _named(fits: int) -> list[str]:
    return [form for place, form in enumerate(TIME_FORMATS) if fits >> place & 1]


def _are_days(times: np.ndarray) -> bool:
    """Whether times that were read as seconds may be days since 1899-12-30, from 1970 to 2099."""
    return len(times) > 0 and times.min() >= 25_569 * 10**6 and times.max() < 73_051 * 10**6


def _first_text(cells: Any, there: np.ndarray) -> str:
    return as_written(cell(cells, int(there.argmax()))) if there.any() else ""


def read_times(name: str, column: Any, rows: int, fits: int) -> tuple[Masked, int, int | None, int | None]:
    """Return the times in a column, as the engine reads them by the formats that fit; datetimes need none."""
    column = packed_numbers(column)
    instants = instants_of(column)
    if instants is not None:
        return instants, fits, None, None
    listed = isinstance(column, list) or (isinstance(column, np.ndarray) and column.dtype == object)
    if listed and any(issubclass(kind, (datetime.date, np.datetime64)) for kind in set(map(type, column))):
        dated = [_micros(value) for value in column]
        others = [None if isinstance(value, datetime.date) else value for value in column]
        (values, there), fits, other, differs = column_times(name, list(map(_plain, others)), rows, fits)
        for row, micros in enumerate(dated):
            if micros is not None:
                values[row], there[row] = micros, True
        return (values, there), fits, other, differs
    return column_times(name, column, rows, fits)


def instants_of(column: Any) -> Masked | None:
    """Return the times in a column of a time type, of whatever library; None for other columns."""
    kind = str(getattr(column, "type", getattr(column, "dtype", ""))).lower()
    if kind.startswith(("timestamp", "datetime", "date")) and not isinstance(column, np.ndarray):
        column = _as_numpy(column)
    if not isinstance(column, np.ndarray) or column.dtype.kind != "M":
        return None
    unit = np.datetime_data(column.dtype)
    if unit in _STEPS and column.dtype.isnative:  # numpy takes longer for datetimes than for numbers
        steps, numbers = _STEPS[unit], column.view(np.int64)
        first, last = (int(time.astype("M8[us]").astype(np.int64)) // steps for time in (_EARLIEST, _LATEST))
        there = (numbers > first) & (numbers < last)
        numbers = numbers if there.all() else np.where(there, numbers, 0)
        return numbers * steps, there
    coarse = unit[0] not in _FINE
    there = (column > _EARLIEST) & (column < _LATEST) if coarse else ~np.isnat(column)  # NaT is neither
    known = column if there.all() else np.where(there, column, np.zeros((), column.dtype))
    # As they lie in memory: numpy converts datetimes to numbers one by one.
    return known.astype("M8[us]", copy=False).view(np.int64), there


def _as_numpy(column: Any) -> np.ndarray:
    """Convert times of Arrow, Polars or pandas to numpy."""
    unit = getattr(getattr(column, "type", None), "unit", None)
    if (
        unit
        and hasattr(column, "view")
        and not column.null_count
        and str(column.type).startswith("timestamp")
    ):
        times: np.ndarray = np.from_dlpack(column.view("int64")).view(f"M8[{unit}]")
        return times  # without `to_numpy`, which imports pandas
    # Arrow converts missing times only with a copy; Polars copies by itself.
    found: np.ndarray = (
        column.to_numpy(zero_copy_only=False) if hasattr(column, "to_pylist") else column.to_numpy()
    )
    return found


def _micros(value: object) -> int | None:
    """Return a date or time of Python's or pandas' as microseconds."""
    if not isinstance(value, datetime.date) or value != value:  # pandas' NaT isn't itself
        return None
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.UTC)
    return (value - _EPOCH) // _MICROSECOND


def _plain(value: object) -> object:
    """Return numpy's times as text."""
    if not isinstance(value, np.datetime64):
        return value
    return None if np.isnat(value) else str(value)
