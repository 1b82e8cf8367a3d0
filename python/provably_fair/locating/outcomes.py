"""Read the outcomes of a record as numbers, from an array or from a column of a log."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, doubles, is_masked
from provably_fair._core.printable import decoded, listed
from provably_fair.sources import Files, LogError, Query, Wanted, open_log
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.foreign import cells_of, has_halves, is_empty, library_of
from provably_fair.sources.numbers import Numbers
from provably_fair.verification.likely import likely_columns, usual_names
from provably_fair.verification.log import LogCall
from provably_fair.verification.systems import FIELD, GAME, named_column, rows_of_games


def outcomes_of(asked: LogCall, games: Sequence[str]) -> np.ndarray:
    """Return one float64 per row, or float32 if all are, and NaN for a cell that isn't a number.

    Of a log with a column of games, the rows of those with these names.
    """
    given = asked.source
    if given is None:
        raise BadType("outcomes", "must be given, or named by the key logs of a config")
    values = _as_array(given)
    if values is not None and asked.options["game_column"] is not None:
        raise BadValue("game_column", "isn't supported with outcomes alone, but with a log that has it")
    if values is None:
        try:
            values = _column_of(asked, games)
        except BadType as error:
            if error.argument != "log":
                raise
            problem = f"must be numbers, or a log that has them, got {type(given).__name__}"
            raise BadType("outcomes", problem) from None
    if not len(values):
        raise BadValue("outcomes", "must not be empty")
    return values


def _as_array(given: object) -> np.ndarray | None:
    """Return the values of an array, list, Series or Arrow array; None for a log."""
    if isinstance(given, (str, bytes, Files, Query)) or hasattr(given, "__fspath__"):
        return None
    column = getattr(given, "ndim", None) == 1 or (
        library_of(given) in ("polars", "pyarrow") and (hasattr(given, "dtype") or hasattr(given, "type"))
    )
    if column or isinstance(given, (list, tuple, np.ndarray)):
        if isinstance(given, (list, tuple)) and any(hasattr(one, "__fspath__") for one in given):
            return None
        try:
            cells = np.asarray(given)
        except ValueError:  # rows of different lengths
            raise BadValue(
                "outcomes", "must be one number per round, got lists of different lengths"
            ) from None
        if is_masked(given):
            cells = np.ma.filled(np.ma.asarray(given).astype(object), None)
        if cells.ndim != 1:
            raise BadValue("outcomes", f"must be one number per round, got an array of shape {cells.shape}")
        _refuse_halves(cells)
        if cells.dtype.kind in "iufb":
            return cells.astype(np.float32) if cells.dtype.char == "f" else doubles(cells).copy()
        return _numbers(cells.tolist())
    return None


def _column_of(asked: LogCall, games: Sequence[str]) -> np.ndarray:
    """Return the outcomes of a log, from the column that its options name or from one with a usual name."""
    dialect = Dialect.read(asked.options["csv"])
    storage = asked.options["storage_options"]
    named = named_column(asked.options["columns"], asked.options["game_column"])
    column, of_games = named.get(FIELD), named.get(GAME)
    wanted = usual_names(FIELD) if column is None else [column]
    found: list[Any] = []
    unreadable: dict[int, str] = {}
    for batch in open_log(asked.source, Wanted([*wanted, of_games or ""], dialect, storage)).batches():
        known = [name for name in batch.names if name in batch.columns]
        name = column if column in known else likely_columns([FIELD], (), known).get(FIELD)
        lacking = [wanted[0]] * (name is None) + [of_games] * (of_games not in (None, *known))
        if name is None or lacking:
            there = listed(list(batch.names), 20) if batch.names else "none"
            text = f"no column {lacking[0]!r:.60}; the columns there are {there}"
            raise LogError(text, subject="log", kind="columns")
        _refuse_halves(batch.columns[name])
        cells = cells_of(batch.columns[name], batch.rows)
        if of_games is not None:
            own = rows_of_games(games, batch.columns[of_games], batch.rows)
            cells = list(itertools.compress(cells, own))
        elif batch.unreadable:  # a row all the same, whose outcome nobody knows
            unreadable |= batch.unreadable
            rows = {batch.place(row): cell for row, cell in enumerate(cells)}
            cells = [rows.get(place) for place in sorted({*rows, *batch.unreadable})]
        found.extend(cells)
    if unreadable and all(map(is_empty, found)):
        row, line = min(unreadable.items())
        raise LogError(f"row {row} can't be read: {line!r:.80}", subject="log", row=row)
    if not found and of_games is not None:
        raise BadValue("game_column", f"must name {listed(games, 4)}, and no row of {of_games!r:.60} does")
    return _numbers(found, dialect)


def _refuse_halves(column: object) -> None:
    """Refuse floats of 16 bits, whose three digits make a larger outcome another one."""
    if has_halves(column):
        raise BadType("outcomes", "must be floats of 32 or 64 bits, got float16")


def _numbers(cells: list[Any], dialect: Dialect | None = None) -> np.ndarray:
    """Convert cells to numbers: text may end in "x", or have another country's separators."""
    plain = [
        cell.strip().rstrip("xX×").rstrip() if isinstance(cell, str) else cell for cell in map(decoded, cells)
    ]
    with suppress(LogError):  # ambiguous or mixed separators: read each cell by itself
        read = Numbers(dialect or Dialect.read(None)).read({FIELD: plain}, {})
        plain = list(cells_of(read[FIELD], len(plain)))
    numbers = np.fromiter(map(_number, plain), np.float64, len(plain))
    if cells and np.isnan(numbers).all():
        raise BadType("outcomes", f"must be numbers, got {cells[0]!r:.50} among them")
    single = {type(cell) for cell in plain if not is_empty(cell)} == {np.float32}
    return numbers.astype(np.float32) if single else numbers


def _number(cell: Any) -> float:
    with suppress(TypeError, ValueError, OverflowError):
        if not is_empty(cell) and not isinstance(cell, bool):
            return float(str(cell) if isinstance(cell, np.float32) else decoded(cell))
    return float("nan")
