"""Columns of a log in the forms that the engine reads, whatever they come in.

A batch's columns are numpy arrays, lists, Arrow arrays, Polars series, or one value that stands for every
row. What their cells hold is the engine's to say; here single cells are only taken out and shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_LONGEST_KEPT = 200


@dataclass(frozen=True)
class Constant:
    """One value for all rows."""

    value: Any


def pyarrow() -> Any:
    """Return pyarrow where it is installed, else None."""
    try:
        import pyarrow
    except ImportError:
        return None
    return pyarrow


def to_readable(column: Any) -> Any:
    """Return a batch's column in a form that the engine reads."""
    if isinstance(column, (np.ndarray, list, Constant)):
        return column
    if isinstance(column, tuple):
        return list(column)
    module = type(column).__module__.split(".")[0]
    if module == "pyarrow":
        return _one_array(column)
    if module == "pandas":
        if isinstance(column.dtype, np.dtype):
            return column.to_numpy() if column.dtype.kind in "iufb" else column.tolist()
        return _extension(column)
    if module == "polars":
        # Neither Arrow nor numpy has integers of 128 bits.
        if "128" in str(column.dtype) or str(column.dtype) == "Object":
            return column.to_list()
        return column.rechunk()
    return list(column)


def _extension(column: Any) -> Any:
    """Return a pandas column of one of pandas' own types, as Arrow has it if it can."""
    pa = pyarrow()
    if pa is not None:
        try:
            return _one_array(pa.array(column))
        except (pa.ArrowException, TypeError, ValueError):
            pass
    return column.tolist()


def _one_array(column: object) -> object:
    """Return one Arrow array; the value of a dictionary that has no other."""
    pa = pyarrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [])
    if isinstance(column, pa.DictionaryArray) and len(column.dictionary) == 1:
        value = column.dictionary[0].as_py()
        if column.null_count == 0 and isinstance(value, (str, bytes)):
            return Constant(value)
    return column


def to_sequence(column: Any) -> Any:
    """Return a column that has no items to take: Arrow data as Arrow's own, anything else as a list."""
    pa = pyarrow()
    if pa is not None and hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if pa is not None and hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    return list(column)


def cut(column: Any, start: int, stop: int) -> Any:
    """Return some rows of a column, as `to_readable` has them."""
    if isinstance(column, Constant):
        return column
    part = column.iloc[start:stop] if hasattr(column, "iloc") else column[start:stop]
    return to_readable(part)


def take(column: Any, rows: np.ndarray) -> Any:
    """Return the given rows of a column."""
    if isinstance(column, np.ndarray):
        return column[rows]
    if isinstance(column, list):
        return [column[row] for row in rows.tolist()]
    return column.take(pyarrow().array(rows)) if hasattr(column, "take") else column.gather(rows)


def is_numeric(column: object) -> bool:
    """Whether a column is of numbers by its type, or by its first cell where that says nothing."""
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "iuf"
    if isinstance(column, list):
        first = next((value for value in column if value is not None), None)
        return isinstance(first, (int, float, np.integer, np.floating)) and not isinstance(first, bool)
    kind = str(getattr(column, "type", getattr(column, "dtype", ""))).lower()
    return kind.startswith(("int", "uint", "float", "double", "decimal"))


def cell(column: Any, row: int) -> Any:
    """Return one cell as a Python object."""
    if isinstance(column, Constant):
        return column.value
    value = column[row]
    if hasattr(value, "as_py"):
        return value.as_py()
    if type(value).__module__.startswith("polars"):
        return value.to_list()
    return value.item() if isinstance(value, np.generic) else value


def to_json_value(value: object) -> Any:
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
