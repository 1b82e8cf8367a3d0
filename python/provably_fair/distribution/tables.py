"""Laws of weighted tables, such as the lookup tables of slot studios, read in batches and summed exactly.

A batch has few distinct values and weights compared with its rows, so each is parsed once, exactly. Only the
total weight of each value is kept between batches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue, placed
from provably_fair._core.numbers import exact_number, exact_sums, simplest_number
from provably_fair._core.printable import listed, plain
from provably_fair.sources import (
    Batch,
    Described,
    LogError,
    MissingColumnError,
    Option,
    Wanted,
    open_log,
    spelled,
)
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.foreign import Constant, cells_of, is_empty, joined_texts, pyarrow
from provably_fair.sources.numbers import Numbers

_SUMMED_AT_ONCE = 2**52
"""Sums of weights below this are exact in numpy."""
_LARGEST, _ALLOWED = sys.float_info.max, f"a number of at most {sys.float_info.max:.2g}"


def weights_in(
    source: object, value: object, weight: object, unit: object
) -> dict[int | float | Fraction, int]:
    """Return the weight of each value of a table; see `Distribution.from_table`."""
    for name, column in {"value": value, "weight": weight}.items():
        if not isinstance(column, str):
            raise BadType(name, f"must be the name of a column, got {type(column).__name__}")
    if value == weight:
        raise BadValue("weight", f"must be another column than value, got {weight!r:.80}")
    step = exact_number(unit, "unit")
    if step <= 0:
        raise BadValue("unit", f"must be above 0, got {unit!r:.40}")
    if step > 1:
        if step.denominator > 1:
            raise BadValue("unit", f"must be at most 1, or a whole number, got {unit!r:.40}")
        step = 1 / step  # unit=100 stands for hundredths
    weights: dict[Fraction, int] = {}
    with _naming_source():
        for rows in _rows_of(source, {"value": str(value), "weight": str(weight)}):
            for amount, more in _summed(rows):
                weights[amount] = weights.get(amount, 0) + more
    if not weights:
        raise BadValue("source", "must have at least one row, got none")
    return {simplest_number(amount if step == 1 else amount * step): more for amount, more in weights.items()}


@dataclass
class _Rows:
    """Rows of a table: the cells of both columns, with numbers in Python's form."""

    columns: Mapping[str, Any]
    count: int
    first: int
    where: str
    called: Mapping[str, str]


def _rows_of(source: object, called: Mapping[str, str]) -> Iterator[_Rows]:
    """Read the two columns of a table, batch by batch, from any source of logs."""
    described = source if isinstance(source, Described) else None
    options = {} if described is None else dict(described.options)
    csv, storage = Dialect.read(options.pop("csv", None)), options.pop("storage_options", None)
    if options:
        raise BadValue("source", f"may have the options csv and storage_options, got {', '.join(options)}")
    first = 0
    with closing(
        open_log(
            source if described is None else described.source, Wanted(called.values(), csv, storage)
        ).pieces()
    ) as pieces:
        for piece in pieces:
            numbers = Numbers(csv)
            where = "log" if piece.evidence is None else piece.evidence.file
            begin = first
            for batch in piece.batches():
                batch.refuse_unreadable(where, begin)
                try:
                    cells = {name: _column(batch, name, called) for name in called}
                    cells = numbers.read(cells, called, ["weight"])
                except LogError as error:
                    raise placed(error, f"{where}: ") from None
                yield _Rows(cells, batch.rows, first, where, called)
                first += batch.rows


def _column(batch: Batch, name: str, called: Mapping[str, str]) -> Any:
    """Return a column of a batch; refuse a table without it, with the columns that it has."""
    column = called[name]
    if column in batch.columns and not batch.holds_objects(column):
        return batch.columns[column]
    names = [one for one in batch.names if not batch.holds_objects(one)]
    said: list[object] = [f"no column {plain(column, 60)!r}"]
    if names:
        said.append(f"; the columns there are {listed(names, 12)}")
    free = [one for one in names if one not in called.values()]
    lost = {one: it for one, it in called.items() if it not in names}
    close = {one: there for one, it in lost.items() for there in get_close_matches(it, free, 1)}
    if name in close:
        said += ["; did you mean ", Option("columns", {**called, **close}), "?"]
    else:
        said += ["; ", Option("columns", {name: ...}), " says how it is called there"]
    raise MissingColumnError(*said, columns=(name,))


@contextmanager
def _naming_source() -> Iterator[None]:
    """Rename log errors to the arguments of `from_table`."""
    try:
        yield
    except LogError as error:
        # A log in memory goes by the name of its argument.
        text = spelled(error, _as_argument)
        text = f"source{text.removeprefix('log')}" if text.startswith("log: ") else text
        missing = error.columns[0] if isinstance(error, MissingColumnError) else ""
        argument = missing or {"log": "source"}.get(error.argument, error.argument)
        raise LogError(text, argument=argument, row=error.row, kind=error.kind) from None
    except BadType as error:
        raise BadType("source", error.problem) if error.argument == "log" else error from None


def _as_argument(option: Option) -> str:
    """Return the name and value of an option as `from_table` takes it."""
    if option.name == "columns":
        return ", ".join(
            f"{name}={'...' if called is ... else repr(called)}" for name, called in option.value.items()
        )
    return f"Log(source, {option})"


def _summed(rows: _Rows) -> Iterator[tuple[Fraction, int]]:
    """Yield the distinct values of a batch, each with its total weight."""
    values, codes = _coded(rows.columns["value"], rows.count)
    amounts = [_number(cell) for cell in values]
    whole = _whole_array(rows.columns["weight"])
    if whole is not None:
        _check(rows, (amounts, codes), whole < 0, lambda row: int(whole[row]))
        yield from zip(amounts, exact_sums(codes, whole, len(amounts)), strict=True)
        return
    cells, weight_codes = _coded(rows.columns["weight"], rows.count)
    weights = [_number(cell) for cell in cells]
    bad = np.array([not isinstance(one, Fraction) or one < 0 or one.denominator > 1 for one in weights], bool)
    _check(rows, (amounts, codes), bad[weight_codes], lambda row: weights[weight_codes[row]])
    pairs, counts = np.unique(codes * len(weights) + weight_codes, return_counts=True)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        place, number = divmod(pair, len(weights))
        yield amounts[place], int(weights[number]) * count


def _check(rows: _Rows, values: tuple[list[Any], np.ndarray], wrong: np.ndarray, weight_of: Any) -> None:
    """Refuse the first row whose value is no double, or whose weight isn't a whole number from 0 on."""
    amounts, codes = values
    is_number = [isinstance(one, Fraction) and abs(one) <= _LARGEST for one in amounts]
    no_number = ~np.array(is_number, bool)[codes]
    if not (no_number | wrong).any():
        return
    row = int((no_number | wrong).argmax())
    if no_number[row]:
        name, got = "value", amounts[codes[row]]
        allowed = _ALLOWED if isinstance(got, Fraction) else "a number"
    else:
        name, got, allowed = "weight", weight_of(row), "a whole number from 0 on"
    got = simplest_number(got) if isinstance(got, Fraction) else got
    shown = "nothing" if is_empty(got) else f"{got!r:.80}"
    place, column = rows.first + row, rows.called[name]
    sentence = f"{rows.where}: row {place}: column {column!r:.80} must have {allowed}, got {shown}"
    raise LogError(sentence, argument=name, row=place)


def _number(cell: Any) -> Any:
    """Return a cell as a Fraction, or unchanged if it isn't a number."""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    try:
        return exact_number(cell, "cell")
    except (TypeError, ValueError):
        return cell


def _whole_array(column: Any) -> np.ndarray | None:
    """Return a column of whole numbers as int64; None if some aren't, or are too large to sum."""
    if hasattr(column, "null_count") and hasattr(column, "type"):
        if column.null_count or not str(column.type).startswith(("int", "uint", "string", "large_string")):
            return None
        if b"x" in (joined_texts(column) or b"").lower():  # 0x10 is a number to Arrow alone
            return None
        try:
            column = column.cast("int64").to_numpy(zero_copy_only=False)
        except Exception:  # Arrow refuses for many reasons; the slow path then decides cell by cell
            return None
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iu":
        return None
    if column.size and int(np.abs(column).max()) >= _SUMMED_AT_ONCE:
        return None
    return column.astype(np.int64)


def _coded(column: Any, rows: int) -> tuple[list[Any], np.ndarray]:
    """Return the distinct cells of a column, and the index of each row's among them."""
    if isinstance(column, Constant):
        return [column.value] * (rows > 0), np.zeros(rows, np.int64)
    if hasattr(column, "to_arrow") and pyarrow() is not None:
        column = column.to_arrow()
    if hasattr(column, "dictionary_encode"):
        with suppress(NotImplementedError):  # Arrow encodes not all of its types
            plain = column.dictionary_decode() if hasattr(column, "dictionary_decode") else column
            coded = plain.dictionary_encode(null_encoding="encode")
            codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
            return coded.dictionary.to_pylist(), codes
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        different, codes = np.unique(column, return_inverse=True)
        return list(different), codes
    known: dict[Any, int] = {}
    cells = [
        cell if isinstance(cell, str | bytes | int) else _hashable(cell) for cell in cells_of(column, rows)
    ]
    codes = np.fromiter((known.setdefault((type(cell), cell), len(known)) for cell in cells), np.int64, rows)
    return [cell for _, cell in known], codes


def _hashable(cell: Any) -> Any:
    """Return a cell that can be a dictionary key: the text of a list."""
    try:
        hash(cell)
    except TypeError:
        return repr(cell)
    return cell
