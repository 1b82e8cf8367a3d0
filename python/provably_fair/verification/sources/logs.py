"""Logs of rounds, read batch by batch: from memory, from Arrow streams, and from files."""

from __future__ import annotations

import codecs
import csv as standard_csv
import hashlib
import io
import json
import os
import re
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.optional import optional

from ..columns import Constant, cut, foreign, normalised, pyarrow

BATCH = 1 << 15
"""Rows of a batch: enough to work in bulk, few enough to stay in the caches and out of the way."""

_BLOCK = 1 << 20
_LONGEST_LINE = 1 << 24
_JSON_BATCH = 1 << 14

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".arrow": "ipc",
    ".ipc": "ipc",
    ".feather": "ipc",
}
"""What kind of file each ending stands for."""

COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
"""Endings of compressed CSV and JSON-lines files."""


class LogError(ValueError):
    """A log that can't be read: the message names the file and, where it is known, the row."""


@dataclass
class Batch:
    """Some rows of a log."""

    columns: dict[str, Any]
    rows: np.ndarray
    """The position of each row in its file (or in the log, in memory), from 0."""
    file: str | None = None
    unreadable: dict[int, str] = field(default_factory=dict)
    """Rows that have no columns, because their line can't be read: position -> the line."""


@dataclass
class Evidence:
    """One file that was read."""

    file: str
    bytes: int
    sha256: str


class Source:
    """A log: gives batches, and remembers the files it read."""

    def __init__(self, batches: Callable[[Source], Iterator[Batch]], rows: int | None, again: bool) -> None:
        self._batches = batches
        self.rows = rows
        """The number of rows, where it is known beforehand."""
        self.again = again
        """Whether it can be read a second time."""
        self.files: list[Evidence] = []

    def batches(self) -> Iterator[Batch]:
        """Read the log from its beginning."""
        self.files = []
        return self._batches(self)


def open_log(log: Any, wanted: set[str]) -> Source:
    """Return the source that reads the wanted columns of a log, those of them that it has."""
    if _named(log):
        return _of_files(listed(log), wanted)
    if isinstance(log, Mapping):
        return _mapping({name: column for name, column in log.items() if name in wanted})
    module = type(log).__module__.split(".")[0]
    if module == "pandas" and hasattr(log, "columns"):
        return _table({str(name): log[name] for name in log.columns if name in wanted}, len(log))
    if module == "polars" and hasattr(log, "get_columns"):
        return _table({c.name: c for c in log.get_columns() if c.name in wanted}, log.height)
    if module == "polars" and hasattr(log, "collect"):
        return open_log(log.collect(), wanted)
    pa = pyarrow()
    if pa is not None:
        if isinstance(log, pa.RecordBatch):
            log = pa.Table.from_batches([log])
        if isinstance(log, pa.Table):
            return Source(
                lambda _: _arrow(_then_if_none(iter(log.to_batches()), log.schema), wanted),
                log.num_rows,
                True,
            )
        if hasattr(log, "to_batches"):
            return Source(lambda _: _arrow(log.to_batches(batch_size=BATCH), wanted), None, True)
        if hasattr(log, "__arrow_c_stream__"):
            reader = pa.RecordBatchReader.from_stream(log)
            return Source(lambda _: _arrow(_then_if_none(iter(reader), reader.schema), wanted), None, False)
    elif hasattr(log, "__arrow_c_stream__"):
        raise ImportError("log: Arrow data needs pyarrow: pip install 'provably_fair[arrow]'")
    if isinstance(log, (list, tuple)) and all(isinstance(row, Mapping) for row in log):
        names = {name for row in log for name in row} & wanted
        return _table({name: [row.get(name) for row in log] for name in names}, len(log))
    raise TypeError(
        "log must be a path, a mapping of columns, a list of rows, a pandas or Polars frame or Arrow data, "
        f"got {type(log).__name__}"
    )


# ---- memory ----


def _mapping(log: Mapping[Any, Any]) -> Source:
    columns: dict[str, Any] = {}
    length: tuple[str, int] | None = None
    for name, column in log.items():
        name = str(name)
        if column is None or isinstance(column, (str, bytes, int, float, np.generic)):
            columns[name] = Constant(column.item() if isinstance(column, np.generic) else column)
            continue
        if not hasattr(column, "__len__") or not hasattr(column, "__getitem__"):
            column = foreign(column)
        if isinstance(column, np.ndarray) and column.ndim == 0:
            columns[name] = Constant(column.item())
            continue
        columns[name] = column
        if length is not None and len(column) != length[1]:
            raise LogError(
                f"log: column {name!r} has {len(column)} rows but {length[0]!r} has {length[1]}: "
                "all columns must be equally long"
            )
        length = name, len(column)
    if length is None:
        raise LogError("log: it has no column of rows, only single values")
    return _table(columns, length[1])


def _table(columns: dict[str, Any], rows: int) -> Source:
    def batches(_: Source) -> Iterator[Batch]:
        for start in range(0, rows, BATCH):
            stop = min(rows, start + BATCH)
            yield Batch({n: cut(c, start, stop) for n, c in columns.items()}, np.arange(start, stop))
        if not rows:
            yield Batch({n: cut(c, 0, 0) for n, c in columns.items()}, np.arange(0))

    return Source(batches, rows, True)


def _arrow(batches: Iterator[Any], wanted: set[str], file: str | None = None) -> Iterator[Batch]:
    """Give Arrow's record batches in pieces of at most so many rows."""
    done = 0
    for whole in batches:
        for start in range(0, max(whole.num_rows, 1), BATCH):
            batch = whole.slice(start, BATCH)
            # Files may hold anything: offsets that point outside, text that isn't UTF-8.
            if file is not None:
                _validated(batch, file, done)
            names = batch.schema.names
            columns = {n: normalised(batch.column(i)) for i, n in enumerate(names) if n in wanted}
            yield Batch(columns, np.arange(done, done + batch.num_rows), file)
            done += batch.num_rows


def _validated(batch: Any, file: str, first: int) -> None:
    try:
        batch.validate(full=True)
    except Exception as error:
        # Which row it is takes a search; it is the end of the reading anyway.
        low, high = 0, batch.num_rows
        while high - low > 1:
            middle = (low + high) // 2
            try:
                batch.slice(low, middle - low).validate(full=True)
                low = middle
            except Exception:
                high = middle
        raise LogError(f"{file}: row {first + low}: {_first_line(error)}") from None


# ---- files ----


def _named(log: Any) -> bool:
    """Whether a log is given as a path, or as a list of them."""
    several = isinstance(log, (list, tuple)) and len(log) > 0
    return all(isinstance(item, (str, os.PathLike)) for item in (log if several else [log]))


def listed(log: Any) -> list[Path]:
    """Return the files of a log that is given by paths; a folder's files by name."""
    if not _named(log):
        raise TypeError(f"log must be a path or a list of paths, got {type(log).__name__}")
    found: list[Path] = []
    for path in map(Path, log if isinstance(log, (list, tuple)) else [log]):
        if not path.exists():
            raise LogError(f"{path}: no such file or folder")
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _format(p) is not None)
        if not inside:
            raise LogError(f"{path}: the folder holds no file of a known kind: {_known()}")
        found += inside
    for place, path in enumerate(found):
        if path in found[:place]:
            raise LogError(f"{path}: it is listed twice")
    return found


def _format(path: Path) -> tuple[str, str | None] | None:
    """Return the kind of a file and its compression, by its name."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    if compression is not None:
        suffixes.pop()
    kind = FORMATS.get(suffixes[-1]) if suffixes else None
    return None if kind is None else (kind, compression)


def _known() -> str:
    return f"{', '.join(FORMATS)}; CSV and JSON lines also with {', '.join(COMPRESSED)}"


def _of_files(paths: list[Path], wanted: set[str]) -> Source:
    for path in paths:
        if _format(path) is None:
            raise LogError(f"{path}: the ending must be one of {_known()}")

    def batches(source: Source) -> Iterator[Batch]:
        for path in paths:
            kind, compression = _format(path) or ("", None)
            with _explained(path):
                reader = _lines if kind in ("csv", "json") else _columnar
                yield from _one_ahead(reader(path, kind, compression, wanted, source))

    return Source(batches, None, True)


def _one_ahead(batches: Generator[Batch]) -> Iterator[Batch]:
    """Read the next batch while one is checked, in a thread that ends before this generator does."""
    with closing(batches), ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, batches, None)
            yield batch


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what readers raise about a bad file into a `LogError` that names it."""
    try:
        yield
    except LogError:
        raise
    except (
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        MemoryError,
        zlib.error,
    ) as error:
        raise LogError(f"{path}: {_first_line(error)}") from error
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        raise LogError(f"{path}: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return (text[0] if text else type(error).__name__)[:500]


def _needed(path: Path) -> Any:
    return optional("pyarrow", "arrow", f"log: reading {path.name}")


def _columnar(
    path: Path, kind: str, compression: str | None, wanted: set[str], source: Source
) -> Generator[Batch]:
    pa = _needed(path)
    if compression is not None:
        raise LogError(f"{path}: {kind} files are compressed within, not by {compression} around them")
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        source.files.append(Evidence(str(path), file.tell(), digest))
        file.seek(0)
        magic = file.read(6)
    # From here Arrow reads the file itself: a stream of Python's would be read by Arrow's threads.
    if kind == "parquet":
        import pyarrow.parquet

        # One thread, no read-ahead of Arrow's own: memory stays that of a few pages.
        options = {"buffer_size": _BLOCK, "pre_buffer": False}
        with pyarrow.parquet.ParquetFile(path, **options) as parquet:
            schema = parquet.schema_arrow
            names = [name for name in schema.names if name in wanted]
            repeating = _repeating(parquet.metadata) & set(names)
        with pyarrow.parquet.ParquetFile(path, read_dictionary=sorted(repeating), **options) as parquet:
            batches = _row_groups(parquet, names)
            yield from _arrow(_then_if_none(_named_rows(batches, path), schema), wanted, str(path))
        return
    with pa.OSFile(str(path)) as file:
        if magic == b"ARROW1":
            reader = pa.ipc.open_file(file)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        else:
            reader = pa.ipc.open_stream(file)
            batches = iter(reader)
        named = _then_if_none(_named_rows(batches, path), reader.schema)
        yield from _arrow(named, wanted, str(path))


def _row_groups(parquet: Any, names: list[str]) -> Iterator[Any]:
    # One group after the other: a reader of them all keeps hold of what it has read.
    for group in range(parquet.num_row_groups):
        yield from parquet.iter_batches(
            batch_size=BATCH, row_groups=[group], use_threads=False, columns=names
        )


def _repeating(metadata: Any) -> set[str]:
    """Return the columns of text that hardly take space, such as a server seed that stays the same."""
    rows = max(metadata.num_rows, 1)
    sizes: dict[str, int] = {}
    for group in range(metadata.num_row_groups):
        for number in range(metadata.num_columns):
            column = metadata.row_group(group).column(number)
            if column.physical_type == "BYTE_ARRAY":
                size = sizes.get(column.path_in_schema, 0)
                sizes[column.path_in_schema] = size + column.total_uncompressed_size
    return {name for name, size in sizes.items() if size < 2 * rows}


def _then_if_none(batches: Iterator[Any], schema: Any) -> Iterator[Any]:
    """Give the batches; if there are none, an empty one, which still tells the columns."""
    none = True
    for batch in batches:
        none = False
        yield batch
    if none:
        yield pyarrow().RecordBatch.from_arrays([pyarrow().array([], f.type) for f in schema], schema=schema)


def _named_rows(batches: Iterator[Any], path: Path) -> Iterator[Any]:
    """Say how far a file could be read where it breaks off."""
    done = 0
    while True:
        try:
            batch = next(batches)
        except StopIteration:
            return
        except LogError:
            raise
        except Exception as error:
            raise LogError(f"{path}: after row {done}: {_first_line(error)}") from error
        done += batch.num_rows
        yield batch


class _Hashed(io.RawIOBase):
    """A file that is hashed as it is read."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._hash = hashlib.sha256()
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer) or 0
        self._hash.update(memoryview(buffer)[:count])
        self._read += count
        return count

    def evidence(self, path: Path) -> Evidence:
        """Read what is left, and tell the whole file's size and hash."""
        while self.read(_BLOCK):
            pass
        return Evidence(str(path), self._read, self._hash.hexdigest())

    def close(self) -> None:
        self._file.close()
        super().close()


class _Watched(io.RawIOBase):
    """Text on its way to a reader, refused where it isn't lines of text in UTF-8."""

    def __init__(self, stream: Any, path: Path) -> None:
        self._stream = stream
        self._path = path
        self._lines = 0
        self._since = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        try:
            self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            row = self._lines + error.object.count(b"\n", 0, error.start)
            raise LogError(f"{self._path}: line {row + 1}: not UTF-8 ({error.reason})") from None
        nul = data.find(b"\0")
        if nul >= 0:
            row = self._lines + data.count(b"\n", 0, nul)
            raise LogError(f"{self._path}: line {row + 1}: a NUL byte, so this isn't a text file in UTF-8")
        newlines = data.count(b"\n")
        self._lines += newlines
        self._since = len(data) - data.rfind(b"\n") - 1 if newlines else self._since + len(data)
        if self._since > _LONGEST_LINE:
            raise LogError(
                f"{self._path}: line {self._lines + 1}: longer than any row can be ({_LONGEST_LINE >> 20} MB)"
            )
        buffer[: len(data)] = data
        return len(data)


def _lines(
    path: Path, kind: str, compression: str | None, wanted: set[str], source: Source
) -> Generator[Batch]:
    with _Hashed(path) as raw:
        stream = _text(raw, path, compression)
        if kind == "json":
            # Which columns there are is a matter of the whole file, and is looked for first.
            with open(path, "rb", buffering=0) as file:
                wanted = _json_names(_text(file, path, compression), path) & wanted
            yield from _json(stream, path, wanted)
        else:
            yield from _csv(stream, path, wanted)
        source.files.append(raw.evidence(path))


def _text(raw: io.RawIOBase, path: Path, compression: str | None) -> io.BufferedReader:
    """Return the lines of a file, whatever it is compressed by."""
    stream: Any = io.BufferedReader(raw, _BLOCK)
    if compression == "zstd":
        stream = _needed(path).input_stream(stream, compression="zstd")
    elif compression == "gzip":
        import gzip

        stream = gzip.GzipFile(fileobj=stream)
    elif compression == "bz2":
        import bz2

        stream = bz2.BZ2File(stream)
    lines: Any = _Watched(stream, path)
    return io.BufferedReader(lines, _BLOCK)


def _csv(stream: io.BufferedReader, path: Path, wanted: set[str]) -> Iterator[Batch]:
    pa = _needed(path)
    from pyarrow import csv

    tabs = ".tsv" in [suffix.lower() for suffix in path.suffixes]
    delimiter = "\t" if tabs else ","
    header = stream.readline().removeprefix(codecs.BOM_UTF8)
    try:
        names = next(standard_csv.reader([header.decode().rstrip("\r\n")], delimiter=delimiter), [])
    except standard_csv.Error as error:
        raise LogError(f"{path}: the first line must name the columns: {error}") from None
    if not names:
        raise LogError(f"{path}: the file is empty: its first line must name the columns")
    used = [name for name in dict.fromkeys(names) if name in wanted]
    twice = [name for name in used if names.count(name) > 1]
    if twice:
        raise LogError(f"{path}: the column {twice[0]!r} is there {names.count(twice[0])} times")
    if not used:
        yield Batch({}, np.arange(0), str(path))
        return
    options: dict[str, Any] = {
        "parse_options": csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        # Seeds stay as they are written: no 007 that becomes 7, no text that becomes null.
        "convert_options": csv.ConvertOptions(
            include_columns=used,
            column_types=dict.fromkeys(used, pa.string()),
            strings_can_be_null=False,
        ),
    }
    done = 0
    for block in _whole_rows(stream, delimiter, path):
        skipped: dict[int, str] = {}

        def unreadable(row: Any, skipped: dict[int, str] = skipped) -> str:
            skipped[row.number - 1] = row.text[:200]
            return "skip"

        options["parse_options"].invalid_row_handler = unreadable
        # Arrow's threads get memory of Arrow's own: one of them that is still in a stream or bytes of
        # Python's when the interpreter ends takes the process down.
        memory = pa.BufferOutputStream()
        memory.write(codecs.BOM_UTF8)  # which is taken off: another one belongs to the first cell
        memory.write(block)
        read = csv.ReadOptions(use_threads=False, block_size=memory.tell(), column_names=names)
        try:
            table = csv.read_csv(pa.BufferReader(memory.getvalue()), read, **options)
        except pa.ArrowInvalid as error:
            if "Empty CSV" not in str(error):
                raise LogError(f"{path}: after row {done}: {_first_line(error)}") from error
            continue
        rows = np.arange(done, done + table.num_rows + len(skipped))
        lost = {done + row: text for row, text in skipped.items()}
        columns = {name: normalised(table.column(name)) for name in used}
        yield Batch(columns, rows[~np.isin(rows, list(lost))], str(path), lost)
        done += len(rows)
    if not done:
        yield Batch({name: [] for name in used}, np.arange(0), str(path))


def _whole_rows(stream: io.BufferedReader, delimiter: str, path: Path) -> Iterator[bytes]:
    """Cut CSV after the ends of rows, which aren't the line ends within quotes."""
    # A quote counts at the beginning of a field only, as it does for Arrow.
    field = rf'(?:"[^"]*+(?:""[^"]*+)*+"|(?!"))[^{delimiter}\r\n]*+'
    rows = re.compile(rf"(?:{field}(?:{delimiter}{field})*+(?:\r?\n|\r(?!\n|\Z)))*+".encode())
    block = b""
    while data := stream.read(max(_BLOCK, len(block))):
        block += data
        end = 0 if b'"' in block else block.rfind(b"\n") + 1
        if not end:
            whole = rows.match(block)
            end = whole.end() if whole else 0
        if end:
            yield block[:end]
            block = block[end:]
        elif len(block) > _LONGEST_LINE:
            start = block[:40].decode(errors="replace")
            raise LogError(f"{path}: a row longer than any can be ({_LONGEST_LINE >> 20} MB): {start!r}...")
    if block:
        yield block


def _json_names(stream: io.BufferedReader, path: Path) -> set[str]:
    """Return the names that any line's object has."""
    names: set[str] = set()
    for row, value in _json_lines(stream):
        if isinstance(value, dict):
            names |= value.keys()
        elif row == 0 and value.lstrip().startswith(b"["):
            raise LogError(f"{path}: there is no column: each line must be a JSON object, got an array")
    return names


def _json(stream: io.BufferedReader, path: Path, names: set[str]) -> Iterator[Batch]:
    rows: list[int] = []
    objects: list[dict[str, Any]] = []
    unreadable: dict[int, str] = {}

    def batch() -> Batch:
        columns = {name: [o.get(name) for o in objects] for name in names}
        return Batch(columns, np.array(rows, dtype=np.int64), str(path), dict(unreadable))

    yielded = False
    for row, value in _json_lines(stream):
        if isinstance(value, dict):
            rows.append(row)
            objects.append(value)
        else:
            unreadable[row] = value[:200].decode(errors="replace").rstrip()
        if len(rows) + len(unreadable) == _JSON_BATCH:
            yield batch()
            yielded = True
            rows, objects, unreadable = [], [], {}
    if rows or unreadable or not yielded:
        yield batch()


def _json_lines(stream: io.BufferedReader) -> Iterator[tuple[int, dict[str, Any] | bytes]]:
    """Give each line's row and its object; the line itself where it holds none."""
    row = 0
    while line := stream.readline():
        if row == 0:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode())
        except (ValueError, RecursionError):
            value = None
        yield row, value if isinstance(value, dict) else line
        row += 1
