"""Frames, columns and files of other libraries: the only module that recognizes them, beside `databases`.

A batch's columns are numpy arrays, lists, Arrow arrays, Polars series, or one value that stands for every
row. Their cells are interpreted by the engine; this module slices columns and extracts single cells. Floats
of 32 bits stay numpy's: as doubles they would be other numbers than those written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np

from provably_fair._core.arguments import BadType, is_masked
from provably_fair._core.optional import optional
from provably_fair._core.printable import decoded, repr_of

from .wanted import Wanted, read_of


def pyarrow() -> Any:
    """Return pyarrow if it is installed, else None."""
    try:
        import pyarrow
    except ImportError:
        return None
    return pyarrow


def library_of(value: object, known: tuple[str, ...] = ("pandas", "polars", "pyarrow", "dask")) -> str:
    """Return the known library that defines a value's type or one of its bases; "" if none does."""
    return _library(type(value).__mro__, known)


@lru_cache(1 << 10)
def _library(kinds: tuple[type, ...], known: tuple[str, ...]) -> str:
    modules = (one.__module__.partition(".")[0].lstrip("_") for one in kinds)
    return next((module for module in modules if module in known), "")


@dataclass(frozen=True)
class DType:
    """The type of a column's cells."""

    of: str = "text"  # "whole", "double", "truth", "text", or "any"
    depth: int = 0  # the depth of nested lists


# ---- frames ----


@dataclass(frozen=True)
class Frame:
    """A table that is read by columns."""

    names: tuple[str, ...]
    column: Callable[[int], Any]  # return the column of this number
    rows: int


@dataclass(frozen=True)
class Stream:
    """Arrow's record batches."""

    schema: Any
    batches: Callable[[], Iterable[Any]]
    rows: int | None = None  # the number of rows, if known beforehand
    again: bool = True  # whether it can be read a second time
    close: Callable[[], None] = lambda: None  # release the source of the batches


def frame_of(log: Any) -> Frame | None:
    """Return a pandas or Polars frame that lies in memory."""
    library = library_of(log)
    if library == "pandas" and hasattr(log, "columns"):
        return Frame(tuple(map(str, log.columns)), lambda number: log.iloc[:, number], len(log))
    if library == "polars" and hasattr(log, "get_columns"):
        return Frame(tuple(log.columns), log.to_series, log.height)
    return None


@dataclass(frozen=True)
class Parts:
    """A sequence of frames, Arrow data or rows."""

    items: Callable[[], Iterable[Any]]
    names: tuple[str, ...] | None = None  # all columns, if known beforehand
    again: bool = True  # whether it can be read a second time


def parts_of(log: Any, wanted: Wanted, size: int) -> Parts | None:
    """Return the parts of a lazy frame, a frame of Dask's, a list or an iterator; None for others."""
    library = library_of(log)
    if library == "polars" and hasattr(log, "collect_schema"):
        names = tuple(log.collect_schema().names())
        lazy = log.select(read_of(names, wanted))
        if hasattr(lazy, "collect_batches"):
            return Parts(lambda: lazy.collect_batches(chunk_size=size, maintain_order=True), names)
        return Parts(lambda: [lazy.collect()], names)
    if library == "dask" and hasattr(log, "partitions"):
        used = log[read_of(log.columns, wanted)]
        return Parts(lambda: (part.compute() for part in used.partitions), tuple(map(str, log.columns)))
    if isinstance(log, (list, tuple)):
        return Parts(lambda: log)
    arrow = hasattr(log, "__arrow_c_stream__")
    return Parts(lambda: log, again=False) if isinstance(log, Iterator) and not arrow else None


def row_of(item: Any) -> Mapping[str, Any] | None:
    """Return a row as a mapping: of a mapping, a named tuple, or a row of SQLite's; None for others."""
    if isinstance(item, Mapping):
        return item
    if isinstance(item, tuple) and hasattr(item, "_asdict"):
        named: Mapping[str, Any] = item._asdict()
        return named
    if type(item).__module__ == "sqlite3" and hasattr(item, "keys"):
        return dict(zip(item.keys(), item, strict=True))
    return None


def stream_of(log: Any, wanted: Wanted, size: int) -> Stream | None:
    """Return Arrow data as record batches, of the wanted columns alone if its source can choose."""
    gives_arrow = hasattr(log, "__arrow_c_stream__") or hasattr(log, "__arrow_c_array__")
    pa = pyarrow()
    if pa is None:
        if gives_arrow:
            raise ImportError("log: Arrow data needs pyarrow: pip install 'provably_fair[arrow]'")
        return None
    if isinstance(log, pa.RecordBatch):
        return Stream(log.schema, lambda: [log], log.num_rows)
    if isinstance(log, pa.Table):
        return Stream(log.schema, log.to_batches, log.num_rows)
    if library_of(log) == "pyarrow" and hasattr(log, "scanner"):  # a dataset
        names = read_of(log.schema.names, wanted)
        return Stream(log.schema, lambda: log.scanner(columns=names, batch_size=size).to_reader())
    if hasattr(log, "to_reader"):  # a scanner
        log = log.to_reader()
    elif hasattr(log, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(log)
        return Stream(reader.schema, lambda: reader, again=False, close=reader.close)
    elif gives_arrow:
        batch = pa.record_batch(log)
        return Stream(batch.schema, lambda: [batch], batch.num_rows)
    else:
        return None
    return Stream(log.schema, lambda: log, again=False)


def in_form_of(log: Any, columns: dict[str, list[object]], kinds: dict[str, DType]) -> Any:
    """Return columns as a frame of the log's library, with its index; types depend on `kinds` alone."""
    library = library_of(log)
    if library == "pandas":
        import pandas as pd

        types = {name: None if kind.depth else _PANDAS.get(kind.of) for name, kind in kinds.items()}
        made = {name: pd.Series(cells, log.index, types[name] or object) for name, cells in columns.items()}
        return pd.DataFrame(made, log.index)
    made = {name: _of_kind(cells, kinds[name]) for name, cells in columns.items()}

    def typed_as(plain: Mapping[str, Any], text: Any, listed: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the type of each column."""
        found = {name: plain.get(kind.of, text) for name, kind in kinds.items()}
        for name, kind in kinds.items():
            for _ in range(kind.depth):
                found[name] = listed(found[name])
        return found

    if library == "polars":
        import polars as pl

        of = typed_as({"whole": pl.Int64, "double": pl.Float64, "truth": pl.Boolean}, pl.String, pl.List)
        return pl.DataFrame([pl.Series(name, made[name], of[name], strict=False) for name in made])
    pa = optional("pyarrow", "arrow", "log")
    of = typed_as({"whole": pa.int64(), "double": pa.float64(), "truth": pa.bool_()}, pa.string(), pa.list_)
    return pa.table({name: pa.array(made[name], of[name]) for name in made})


_SINGLES = re.compile(r"list.*: float\b|(List|Array).*Float32")
"""Types of lists of 32-bit floats, as Arrow and Polars show them."""
_PANDAS = {"whole": "Int64", "double": "float64", "truth": "boolean"}


def _of_kind(cells: Sequence[object], kind: DType) -> list[Any]:
    """Return cells of a single type: JSON if they are of any kind, lists if some are lists."""
    if kind.of == "any":
        return [cell if cell is None or isinstance(cell, str) else json.dumps(cell) for cell in cells]
    if kind.depth:
        return [[cell] if cell is not None and not isinstance(cell, list) else cell for cell in cells]
    return list(cells)


# ---- columns ----


@dataclass(frozen=True)
class Constant:
    """One value for all rows."""

    value: Any


def with_items(column: object) -> Any:
    """Return Arrow data that can't be indexed as pyarrow's, buffers as arrays; anything else unchanged."""
    if not isinstance(column, (np.ndarray, bytes)):
        with suppress(TypeError):
            return np.asarray(memoryview(column))  # type: ignore[arg-type]
    pa = None if hasattr(column, "__getitem__") else pyarrow()
    if pa is not None and hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if pa is not None and hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    return column


def cut(column: Any, start: int, stop: int) -> Any:
    """Return some rows of a column, in a form that the engine reads."""
    if isinstance(column, Constant):
        return column
    return to_readable(column.iloc[start:stop] if hasattr(column, "iloc") else column[start:stop])


def packed_numbers(column: Any) -> Any:
    """Return a list of only ints, or only floats, as an array, which is faster to read; others unchanged."""
    kinds = set(map(type, column)) if isinstance(column, list) else set()
    if kinds in ({int}, {float}):
        with suppress(OverflowError):
            return np.array(column, np.int64 if kinds == {int} else np.float64)
    return column


def to_readable(column: Any) -> Any:
    """Return a column in a form that the engine reads."""
    if is_masked(column) and column.dtype.kind not in "SU":
        return _unmasked(column)
    if isinstance(column, np.ndarray) and column.dtype == object:
        column = column.tolist()
    if isinstance(column, (np.ndarray, list)):
        return _without_nan(as_seeds(column))
    library = library_of(column)
    if library == "pyarrow":
        return _one_array(column)
    if library == "pandas":
        if str(column.dtype) == "Float32":
            return column.to_numpy(np.float32, na_value=np.nan)
        if isinstance(column.dtype, np.dtype):
            of_numpy = column.dtype.kind in "iufbM"
            return _without_nan(column.to_numpy() if of_numpy else as_seeds(column.tolist()))
        if str(column.dtype).startswith("period["):
            return _starts(column)
        return _extension(column)
    if library == "polars":
        # Neither Arrow nor numpy has 128-bit integers, and Polars' nulls are laid out otherwise.
        if "128" in str(column.dtype) or str(column.dtype) in ("Object", "Null"):
            return as_seeds(column.to_list())
        return column.to_numpy() if str(column.dtype) in ("Float16", "Float32") else column.rechunk()
    return list(column)


def _starts(periods: Any) -> np.ndarray:
    """Return the times at which pandas' periods start; Arrow has their numbers, such as hours since 1970."""
    starts: np.ndarray = getattr(periods, "array", periods).to_timestamp().to_numpy()
    return starts


def _unmasked(cells: Iterable[Any]) -> list[Any]:
    """Return masked cells as lists, with None in place of what is masked."""
    return [
        None if cell is np.ma.masked else _unmasked(cell) if isinstance(cell, np.ma.MaskedArray) else cell
        for cell in cells
    ]


def _without_nan(column: Any) -> Any:
    """Return a column unchanged; a column of NaN alone, which stands for empty cells, as empty."""
    first = column[0] if len(column) else None
    is_nan = isinstance(first, (float, np.floating)) and first != first
    return [None] * len(column) if is_nan and all(cell != cell for cell in column) else column


def _extension(column: Any) -> object:
    """Return a pandas column of an extension type, as an Arrow array if possible."""
    pa = pyarrow()
    if pa is not None:
        try:
            return _one_array(pa.array(column))
        except (pa.ArrowException, TypeError, ValueError):
            pass
    return as_seeds(column.tolist())


def _one_array(column: Any) -> Any:
    """Return a single Arrow array: of dictionaries, text alone stays; one shared text is a constant."""
    pa = pyarrow()
    if isinstance(column, pa.ChunkedArray):
        chunks = column.chunks or [pa.nulls(0, column.type)]
        column = chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    if isinstance(column, pa.RunEndEncodedArray):
        column = pa.compute.run_end_decode(column)
    if isinstance(column, pa.DictionaryArray):
        if str(column.dictionary.type) == "string_view":  # those of Polars, which Arrow can't decode
            texts = column.dictionary.cast(pa.string())
            column = pa.DictionaryArray.from_arrays(column.indices, texts)
        values = column.dictionary
        one = values[0].as_py() if len(values) == 1 and column.null_count == 0 else None
        if isinstance(one, (str, bytes)):
            return Constant(one)
        kinds = (pa.types.is_primitive, pa.types.is_decimal, pa.types.is_nested, pa.types.is_null)
        if any(is_kind(values.type) for is_kind in kinds) or _is_uuid(values.type):
            column = column.dictionary_decode()
    if _is_uuid(column.type):
        return as_seeds(column.to_pylist())
    if str(column.type).startswith("extension<pandas.period"):
        return _starts(column.to_pandas())
    if pa.types.is_float32(column.type) or pa.types.is_float16(column.type):
        return column.to_numpy(zero_copy_only=False)
    return [None] * len(column) if pa.types.is_null(column.type) else column


def _is_uuid(kind: object) -> bool:
    """Whether a type of Arrow's stores UUIDs, as 16 bytes that nobody hashes."""
    return str(kind) == "extension<arrow.uuid>"


def as_seeds(cells: Any) -> Any:
    """Return a list, or an array of objects, with UUIDs as text and buffers as bytes; others unchanged."""
    if isinstance(cells, np.ndarray) and cells.dtype != object:
        return cells
    buffers = (memoryview, bytearray)
    if {UUID, *buffers}.isdisjoint(map(type, cells)):
        return cells
    return [
        bytes(cell) if isinstance(cell, buffers) else str(cell) if isinstance(cell, UUID) else cell
        for cell in cells
    ]


def take(column: Any, rows: np.ndarray) -> Any:
    """Return the given rows of a column."""
    if isinstance(column, np.ndarray):
        return column[rows]
    if isinstance(column, list):
        return [column[row] for row in rows.tolist()]
    return column.take(pyarrow().array(rows)) if library_of(column) == "pyarrow" else column.gather(rows)


def is_numeric(column: object) -> bool:
    """Whether a column is of numbers, by its type or else by its first cell."""
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "iuf"
    if isinstance(column, list):
        first = next((value for value in column if value is not None), None)
        return isinstance(first, (int, float, Decimal, np.integer, np.floating)) and not isinstance(
            first, bool
        )
    kind = str(getattr(column, "type", getattr(column, "dtype", ""))).lower()
    return kind.startswith(("int", "uint", "float", "double", "decimal"))


HALVES = "is of 16-bit floats, which keep 3 digits: give wider ones"
"""The sentence about a column that `has_halves`."""


def has_halves(column: object) -> bool:
    """Whether a column has floats of 16 bits, which keep three digits of an amount or an outcome."""
    if isinstance(column, list):
        return np.float16 in set(map(type, column))
    kind = getattr(column, "type", getattr(column, "dtype", ""))
    return str(getattr(kind, "name", kind)).lower() in ("float16", "halffloat")


def typed(column: Any) -> Any:
    """Return a list of numbers as an array; any other column unchanged."""
    objects = isinstance(column, list) or (isinstance(column, np.ndarray) and column.dtype == object)
    numbers = (int, float, np.number, np.bool_)
    if not objects or not all(isinstance(value, numbers) for value in column):
        return column
    return np.asarray(list(column))


# ---- texts ----


def joined_texts(column: Any) -> bytes | None:
    """Return the concatenated bytes of a column of text; None for any other."""
    if isinstance(column, Constant):
        column = [column.value]
    column = _texts_as_arrow(column)
    if isinstance(column, np.ndarray):
        column = column.tolist() if column.dtype.kind in "SUTO" and column.ndim == 1 else []
    if library_of(column) != "pyarrow":
        cells = [cell for cell in column if cell is not None] if isinstance(column, list) else []
        kinds = {*map(type, cells)}
        if not cells or not all(issubclass(kind, (str, bytes)) for kind in kinds):
            return None
        if all(issubclass(kind, str) for kind in kinds):
            return "".join(cells).encode(errors="replace")
        return b"".join(cell if isinstance(cell, bytes) else cell.encode(errors="replace") for cell in cells)
    types = pyarrow().types
    if not (types.is_string(column.type) or types.is_large_string(column.type)):
        return None
    _, offsets, data = column.buffers()
    if not len(column) or data is None:
        return b""
    kind = np.int64 if types.is_large_string(column.type) else np.int32
    places = np.frombuffer(offsets, kind)[column.offset : column.offset + len(column) + 1]
    return bytes(memoryview(data)[int(places[0]) : int(places[-1])])


def different_texts(column: Any) -> list[str]:
    """Return the different texts of a column, in order of appearance."""
    cells: Any = [column.value] if isinstance(column, Constant) else _texts_as_arrow(column)
    cells = cells.unique().to_pylist() if library_of(cells) == "pyarrow" else list(cells)
    return list(dict.fromkeys(decoded(cell) for cell in cells if isinstance(cell, (str, bytes))))


def with_texts(column: Any, write: Callable[[str], str]) -> Any:
    """Return a column with `write` applied to its texts."""
    if isinstance(column, Constant):
        return Constant(write(decoded(column.value)))
    column = _texts_as_arrow(column)
    if library_of(column) != "pyarrow":
        return [write(decoded(cell)) if isinstance(cell, (str, bytes)) else cell for cell in column]
    pa = pyarrow()
    coded = column.dictionary_encode()
    texts = [None if text is None else write(text) for text in coded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(coded.indices)


def _texts_as_arrow(column: Any) -> Any:
    """Convert text of Polars, of dictionaries or of Arrow's newer types, to an Arrow array; bytes to a list.

    A dictionary may have texts of no row: those of rows that were left out, or of other games.
    """
    if (
        library_of(column) == "polars"
        and str(column.dtype).startswith(("String", "Categorical", "Enum", "Binary"))
        and pyarrow() is not None
    ):
        column = column.to_arrow()
    if library_of(column) == "pyarrow" and pyarrow().types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if library_of(column) == "pyarrow" and str(column.type) == "string_view":
        column = column.cast(pyarrow().string())
    if library_of(column) == "pyarrow" and "binary" in str(column.type):
        column = column.to_pylist()
    return column


# ---- cells ----


def cell(column: Any, row: int) -> Any:
    """Return one cell as a Python object."""
    if isinstance(column, Constant):
        return column.value
    value = column[int(row)]  # Polars takes no whole number of numpy's
    if isinstance(value, np.float32):
        return value
    if isinstance(value, (str, bytes)) or value is None:
        return value.item() if isinstance(value, np.generic) else value
    library = library_of(value)
    if library in ("pyarrow", "polars"):
        return _with_singles(column, [value.as_py() if library == "pyarrow" else value.to_list()])[0]
    if isinstance(value, np.datetime64):
        return value.astype("M8[us]").item()  # numpy gives a number for nanoseconds
    return value.item() if isinstance(value, np.generic) else value


def cells_in(column: Any, rows: np.ndarray) -> list[Any]:
    """Return the cells of some rows as Python objects."""
    if library_of(column) == "pyarrow":
        # `take` would import pandas.
        return _with_singles(column, [column[row].as_py() for row in rows.tolist()])
    return [cell(column, row) for row in rows.tolist()]


def cells_of(column: Any, rows: int) -> list[Any]:
    """Return all cells of a column, or of one text for all rows, as Python objects."""
    if isinstance(column, (Constant, str, bytes)):
        return [column.value if isinstance(column, Constant) else column] * rows
    if library_of(column) == "polars":
        return _with_singles(column, column.to_list())
    if hasattr(column, "to_pylist"):
        return _with_singles(column, column.to_pylist())
    wide = isinstance(column, np.ndarray) and column.dtype.char != "f"
    return list(column.tolist() if wide else column)


def _with_singles(column: Any, cells: list[Any]) -> list[Any]:
    """Return the cells of a column of Arrow or Polars, with lists of 32-bit floats as arrays of these."""
    if not _SINGLES.search(str(getattr(column, "type", getattr(column, "dtype", "")))):
        return cells
    return [np.array(cell, np.float32) if isinstance(cell, list) else cell for cell in cells]


def as_text(value: object) -> str:
    """Return a cell as text: "" for an empty one."""
    return "" if is_empty(value) else as_written(value)


def as_written(value: object) -> str:
    """Return a cell as text, with blanks and NaN as written: "" for None alone."""
    return "" if value is None else repr_of(decoded(value), str)


def is_empty(value: object) -> bool:
    """Whether a cell is empty: None, NaN, pandas' NA, or blank text."""
    if isinstance(value, (str, bytes)):
        return not value.strip()
    return (
        value is None
        or (isinstance(value, (float, np.floating)) and value != value)
        or (type(value).__name__ in ("NAType", "NaTType"))
    )


# ---- files ----


def is_open_file(log: Any) -> bool:
    """Whether this is a file that is open for reading."""
    # Chunked readers of frames have a method `read` as well.
    return callable(getattr(log, "read", None)) and not library_of(log)


def file_of_a_system(log: Any) -> tuple[Any, str] | None:
    """Return the fsspec file system and path of an unopened file or a remote path; None for others."""
    system, path = getattr(log, "fs", None), getattr(log, "path", None)
    if isinstance(path, str) and hasattr(system, "unstrip_protocol") and not library_of(log):
        return system, path
    return None


def as_file_system(system: Any) -> Any:
    """Return a file system of fsspec's or pyarrow's as one of fsspec's."""
    if library_of(system) == "pyarrow" and hasattr(system, "open_input_stream"):
        wrapped = optional("fsspec.implementations.arrow", "cloud", "filesystem")
        return wrapped.ArrowFSWrapper(system)
    if not hasattr(system, "unstrip_protocol"):
        raise BadType("filesystem", f"must be one of fsspec or pyarrow, got {type(system).__name__}")
    return system
