"""Columns of a log, whatever they are kept in: text and numbers, checked, taken, fingerprinted.

A batch's columns are numpy arrays, lists, Arrow arrays, or one value that stands for every row. What
is asked of them here is answered in bulk wherever the column is clean, and row by row where it isn't.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

MISSING = "missing"
MALFORMED = "malformed"

Bad = dict[int, tuple[str, Any]]
"""Cells that can't be used: row -> (kind, what was found)."""

_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_INTEGER = re.compile(r"\s*[+-]?\d{1,400}\s*", re.ASCII)
# Beyond it neighboring integers share a double.
_EXACT = 2.0**53


@dataclass(frozen=True)
class Constant:
    """One value for all rows."""

    value: Any


class WrongTypeError(TypeError):
    """A whole column of a type that its field can't have."""


def pyarrow() -> Any:
    """Return pyarrow where it is installed, else None."""
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError:
        return None
    return pyarrow


def is_arrow(column: object) -> bool:
    return type(column).__module__.startswith("pyarrow")


def is_missing(value: object) -> bool:
    """Whether a cell is empty: None, NaN, or pandas' NA and NaT."""
    if value is None or (isinstance(value, (float, np.floating)) and value != value):
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def normalized(column: Any) -> Any:
    """Return a batch's column as numpy array, list, Arrow array or `Constant`."""
    if isinstance(column, (np.ndarray, list, Constant)):
        return column.tolist() if isinstance(column, np.ndarray) and column.dtype.kind in "OT" else column
    if isinstance(column, tuple):
        return list(column)
    module = type(column).__module__.split(".")[0]
    if module == "pyarrow":
        return _plain_arrow(column)
    if module == "pandas":
        if getattr(column.dtype, "kind", "O") in "iufb" and isinstance(column.dtype, np.dtype):
            return column.to_numpy()
        return column.tolist()
    if module == "polars":
        # numpy has no integers of 128 bits.
        plain = column.dtype.is_numeric() and not column.dtype.is_decimal() and "128" not in str(column.dtype)
        if plain and column.null_count() == 0:
            return column.to_numpy()
        return column.to_list()
    return list(column)


def _plain_arrow(column: Any) -> Any:
    """Return one Arrow array, its dictionaries and views written out."""
    pa = pyarrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [])
    types = pa.types
    if types.is_dictionary(column.type):
        if len(column.dictionary) == 1 and column.null_count == 0 and column.dictionary.null_count == 0:
            value = column.dictionary[0].as_py()
            if isinstance(value, (str, bytes)):
                return Constant(value)
        column = column.dictionary_decode()
    if types.is_string_view(column.type):
        return column.cast(pa.large_string())
    if types.is_binary_view(column.type):
        return column.cast(pa.large_binary())
    return column


def foreign(column: Any) -> Any:
    """Return a column that has no items to take: Arrow data as Arrow's own, anything else as a list."""
    pa = pyarrow()
    if pa is not None and hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if pa is not None and hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    return list(column)


def cut(column: Any, start: int, stop: int) -> Any:
    """Return some rows of a column, as `normalized` has them."""
    if isinstance(column, Constant):
        return column
    part = column.iloc[start:stop] if hasattr(column, "iloc") else column[start:stop]
    return normalized(part)


def take(column: Any, rows: np.ndarray) -> Any:
    """Return the given rows of a normalized column."""
    if isinstance(column, Constant):
        return column
    if isinstance(column, np.ndarray):
        return column[rows]
    if is_arrow(column):
        return column.take(pyarrow().array(rows))
    return [column[row] for row in rows.tolist()]


def cells(column: Any, count: int) -> list[Any]:
    """Return a column's cells as Python objects."""
    if isinstance(column, Constant):
        return [column.value] * count
    found: list[Any] = column
    if is_arrow(column):
        found = column.to_pylist()
    elif isinstance(column, np.ndarray):
        found = column.tolist()
    return found


def cell(column: Any, row: int) -> Any:
    """Return one cell as a Python object."""
    if isinstance(column, Constant):
        return column.value
    value = column[row]
    if is_arrow(column):
        return value.as_py()
    return value.item() if isinstance(value, np.generic) else value


_LONGEST_KEPT = 200


def kept(value: Any) -> Any:
    """Return a cell in the form that a report keeps: JSON's types, long text shortened."""
    if isinstance(value, bytes):
        value = value.decode(errors="backslashreplace")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str):
        value = value.encode("utf-8", "backslashreplace").decode()
        return value if len(value) <= _LONGEST_KEPT else value[:_LONGEST_KEPT] + "..."
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if isinstance(value, (list, tuple)) and len(value) <= 1000 and _flat_numbers(value):
        return list(value)
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_KEPT else shown[:_LONGEST_KEPT] + "..."


def _flat_numbers(value: Any) -> bool:
    """Whether a list holds whole numbers, or lists of them."""
    return all(
        type(item) is int or (isinstance(item, list) and all(type(number) is int for number in item))
        for item in value
    )


# ---- text ----


@dataclass
class Text:
    """A text column: what `play` takes, and the rows where there is no text."""

    values: Any
    """A Constant, a list of bytes, an 'S' array, or an Arrow array of strings without nulls."""
    bad: Bad = field(default_factory=dict)

    def argument(self) -> Any:
        """Return the column as an argument of `play`: one text where all rows have the same."""
        if isinstance(self.values, Constant):
            return self.values.value
        if len(self.values) == 0:
            return []
        if isinstance(self.values, list):
            first = self.values[0]
            same = all(text == first for text in self.values)
            return first if same else self.values
        if isinstance(self.values, np.ndarray):
            first = self.values[:1]
            return first[0] if (self.values == first).all() else self.values
        bytes_, ends = _packed(self.values)
        width = int(ends[1] - ends[0])
        if (np.diff(ends) == width).all():
            table = bytes_[ends[0] : ends[-1]].reshape(len(ends) - 1, width)
            if width == 0 or np.array_equal(table[1:], table[:-1]):
                return table[0].tobytes()
            if table[:, -1].all():  # without NULs at the end, it is numpy's text as it lies in memory
                return table.view(f"S{width}").reshape(-1)
        return self.values

    def take(self, rows: np.ndarray) -> Text:
        return Text(take(self.values, rows))

    def bytes_at(self, row: int) -> bytes:
        value = cell(self.values, row)
        return value if isinstance(value, bytes) else value.encode()

    def all_bytes(self, count: int) -> list[bytes]:
        return [v if isinstance(v, bytes) else v.encode() for v in cells(self.values, count)]


def text(column: Any) -> Text:
    """Check a column of text. Raises `WrongTypeError` where the column's type can hold no text."""
    if isinstance(column, Constant):
        if not isinstance(column.value, (str, bytes)):
            raise WrongTypeError(f"must be text, got {type(column.value).__name__}")
        return Text(column)
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise WrongTypeError(f"must have one dimension, got {column.ndim}")
        if column.dtype.kind == "S":
            return Text(column)
        if column.dtype.kind != "U":
            raise WrongTypeError(f"must be text, got {column.dtype}: seeds are text, 007 isn't 7")
        column = column.tolist()
    elif is_arrow(column):
        types = pyarrow().types
        kinds = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
        if not any(kind(column.type) for kind in kinds):
            if types.is_null(column.type):
                return Text(column, dict.fromkeys(range(len(column)), (MISSING, None)))
            raise WrongTypeError(f"must be text, got {column.type}: seeds are text, 007 isn't 7")
        if column.null_count == 0:
            return Text(column)
        rows = np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))
        return Text(column, dict.fromkeys(rows.tolist(), (MISSING, None)))
    encoded: list[Any] = []
    bad: Bad = {}
    for row, value in enumerate(column):
        try:
            encoded.append(value if type(value) is bytes else value.encode())
        except (AttributeError, UnicodeEncodeError):
            encoded.append(None)
            bad[row] = (MISSING, None) if is_missing(value) else (MALFORMED, value)
    return Text(encoded, bad)


def _packed(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return texts one after another as bytes, and where each begins (and the last ends)."""
    if is_arrow(values):
        _, offsets, data = values.buffers()
        wide = pyarrow().types.is_large_string(values.type) or pyarrow().types.is_large_binary(values.type)
        ends = np.frombuffer(offsets, np.int64 if wide else np.int32)
        ends = ends[values.offset : values.offset + len(values) + 1]
        return (np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)), ends
    if isinstance(values, np.ndarray):
        width = values.dtype.itemsize
        fields = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), width)
        if width and len(values) and fields[:, -1].all():
            return fields.reshape(-1), np.arange(len(values) + 1, dtype=np.int64) * width
        values = values.tolist()
    lengths = np.fromiter(map(len, values), np.int64, len(values))
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return np.frombuffer(b"".join(values), np.uint8), ends


_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def fingerprints(texts: Iterable[Text], count: int) -> np.ndarray:
    """Return 64 bits for each row that depend on every byte of the texts and on their lengths."""
    mixed = np.full(count, 0x6A09E667F3BCC909, dtype=np.uint64)
    for column in texts:
        if not isinstance(column.values, Constant):
            _mix_texts(mixed, *_packed(column.values))
    return mixed


def _mix_texts(mixed: np.ndarray, data: np.ndarray, ends: np.ndarray) -> None:
    lengths = np.diff(ends)
    widths = np.unique(lengths)
    for width in widths.tolist():
        padded = -(-width // 8) * 8
        if len(widths) == 1:
            rows: Any = slice(None)
            table = data[ends[0] : ends[-1]].reshape(len(lengths), width)
        else:
            rows = np.flatnonzero(lengths == width)
            table = data[ends[:-1][rows, np.newaxis] + np.arange(width)]
        if padded != width:
            wide = np.zeros((len(table), padded), np.uint8)
            wide[:, :width] = table
            table = wide
        part = mixed[rows]
        _mix(part, np.uint64(width))
        words = np.ascontiguousarray(table).view(np.uint64)
        for place in range(padded // 8):
            _mix(part, words[:, place])
        mixed[rows] = part


def _mix(state: np.ndarray, word: Any) -> None:
    state ^= word
    state *= _ODD
    state ^= state >> _HALF


# ---- numbers ----


def integers(column: Any, count: int, least: int, most: int) -> tuple[np.ndarray, Bad]:
    """Read a column of whole numbers within limits; bad rows hold `least`."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu" and column.ndim == 1:
        outside = np.flatnonzero((column < least) | (column > most))
        found = {row: (MALFORMED, column[row].item()) for row in outside.tolist()}
        values = column.astype(np.int64)
        values[outside] = least
        return values, found
    if is_arrow(column) and pyarrow().types.is_integer(column.type) and column.null_count == 0:
        return integers(column.to_numpy(zero_copy_only=False), count, least, most)
    bad: Bad = {}
    numbers = np.full(count, least, dtype=np.int64)
    for row, value in enumerate(cells(column, count)):
        number = scalar(value)
        if number is None:
            bad[row] = (MISSING, None) if blank(value) else (MALFORMED, value)
        elif number != int(number) or not least <= number <= most:
            bad[row] = (MALFORMED, value)
        else:
            numbers[row] = int(number)
    return numbers, bad


def blank(value: object) -> bool:
    """Whether there is nothing in a cell that should hold a number."""
    return is_missing(value) or (isinstance(value, (str, bytes)) and not value.strip())


def scalar(value: Any) -> int | float | None:
    """Read one finite number, from a number or from text; None if it isn't one."""
    if isinstance(value, bytes):
        try:
            value = value.decode("ascii")
        except UnicodeDecodeError:
            return None
    if isinstance(value, str):
        if _INTEGER.fullmatch(value):
            return int(value)
        if len(value) > 400 or not _NUMBER.fullmatch(value):
            return None
        value = float(value)
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating, Decimal)):
        return float(value) if math.isfinite(value) else None
    return None


def flat(value: Any) -> list[int | float] | None:
    """Read the numbers of a list, nested or not, or of a JSON list; None if it holds anything else."""
    if isinstance(value, (str, bytes)):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return None
    numbers: list[int | float] = []
    left = [iter(value)]  # not by recursion: a hostile list may be nested to any depth
    while left:
        for item in left[-1]:
            if isinstance(item, np.ndarray):
                item = item.tolist()
            if isinstance(item, (list, tuple)):
                left.append(iter(item))
                break
            number = None if isinstance(item, (str, bytes)) else scalar(item)
            if number is None:
                return None
            numbers.append(number)
        else:
            left.pop()
    return numbers


def number_array(column: Any, shape: tuple[int, ...], count: int) -> np.ndarray | None:
    """Return outcomes as an array (count, values of one outcome) of numbers; None if not so clean.

    Nothing is clean here that `scalar` or `flat` would refuse.
    """
    size = math.prod(shape)
    if is_arrow(column):
        column = _flat_arrow(column, size if shape else None)
        if column is None:
            return None
    if not isinstance(column, np.ndarray) or column.dtype.kind not in "iuf":
        return None
    if column.shape not in ((count, *shape), (count, size), (count * size,)):
        return None
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        return None
    return column.reshape(count, size)


def _flat_arrow(column: Any, size: int | None) -> np.ndarray | None:
    pa = pyarrow()
    types = pa.types
    if size is not None:
        while types.is_list(column.type) or types.is_large_list(column.type) or _fixed(column):
            if column.null_count:
                return None
            rows = len(column)
            lengths = column.value_lengths().to_numpy(zero_copy_only=False)
            column = column.flatten()
            if rows and (lengths != lengths[0]).any():
                return None
    if column.null_count:
        return None
    if types.is_string(column.type) or types.is_large_string(column.type):
        if size is not None:
            return None
        try:
            numbers = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            return None
        return numbers if (np.abs(numbers) < _EXACT).all() else None
    if types.is_integer(column.type) or types.is_floating(column.type):
        found: np.ndarray = column.to_numpy(zero_copy_only=False)
        return found
    return None


def _fixed(column: Any) -> bool:
    return bool(pyarrow().types.is_fixed_size_list(column.type))
