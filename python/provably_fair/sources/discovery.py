"""Discovery of a log's files, their kinds, and files that are skipped."""

from __future__ import annotations

import glob
import os
import re
import shlex
import stat
import sys
import zlib
from bz2 import BZ2Decompressor
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from provably_fair._core.arguments import BadType, choice
from provably_fair._core.optional import optional

from . import limits
from .databases import database_at, url_of
from .foreign import as_file_system, file_of_a_system, is_open_file
from .formats import ENDINGS, FORMATS
from .names import Name, name_of
from .query import Query
from .source import LogError, Option, first_line
from .stored import (
    Borrowed,
    StoredFile,
    first_bytes,
    local_file,
    member_file,
    members_of,
    naming,
    object_file,
    open_local,
    spooled,
    unreadable,
)

COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
"""Extensions of compressed CSV and JSON files."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|[a-z0-9]+::")
_PARTITION = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_STDIN = "-"


@dataclass(frozen=True)
class Files:
    r"""Files of a log that need more than their names to be read.

    Wherever a log is taken, this is, too.

    Parameters
    ----------
    path : str, path, file object or list of them
        Files or folders.
    format : str, optional
        Format of the files, whatever their endings: "csv", "tsv", "json" (lines or an array), "parquet",
        "arrow", "xlsx" or "zip".
    filesystem : fsspec or pyarrow file system, optional
        Where they are. Its credentials stay with it.

    Examples
    --------
    >>> import io
    >>> log = io.BytesIO(b"first\tsecond\toutcome\n31\t45\t16\n")
    >>> pf.verify(pf.Files(log, format="tsv"), "combined-dice").checked
    1
    """

    path: Any
    format: str | None = None
    filesystem: Any = None

    def __repr__(self) -> str:
        items = self.path if isinstance(self.path, (list, tuple)) else [self.path]
        shown = [repr(str(name_of(item)) if isinstance(item, str) else item) for item in items[:3]]
        more = ", ..." if len(items) > 3 else ""
        parts = [f"[{', '.join(shown)}{more}]" if items is self.path else shown[0]]
        parts += [] if self.format is None else [f"format={self.format!r}"]
        parts += [] if self.filesystem is None else [f"filesystem={type(self.filesystem).__name__}"]
        return f"Files({', '.join(parts)})"

    def __post_init__(self) -> None:
        if isinstance(self.path, Files) or not is_path(self.path):
            raise BadType("path", f"must be a path, a file or a list of them, got {type(self.path).__name__}")
        known = [ending[1:] for ending in ENDINGS]
        if self.format is not None:
            choice("format", self.format, known)
        if self.filesystem is not None:
            as_file_system(self.filesystem)


def has_url(log: Any) -> bool:
    """Whether a log is, or includes, a URL."""
    if isinstance(log, Files):
        return log.filesystem is None and has_url(log.path)
    if isinstance(log, (list, tuple)):
        return any(map(has_url, log))
    return isinstance(log, (str, StoredFile)) and _URL.match(str(log)) is not None


def is_path(log: Any) -> bool:
    """Whether a log is given as a path or a file, or as a list of them."""
    several = isinstance(log, (list, tuple)) and len(log) > 0
    return all(map(_is_one, log if several else [log]))


def _is_one(item: Any) -> bool:
    paths = (str, os.PathLike, StoredFile, Files)
    return isinstance(item, paths) or is_open_file(item) or file_of_a_system(item) is not None


def named_in(folder: Path, name: str) -> str | Path:
    """Return a path or pattern relative to this folder; URLs and stdin are unchanged."""
    if name == _STDIN or _URL.match(name):
        return name
    return Path(glob.escape(str(folder))) / name if _is_pattern(folder / name, name) else folder / name


def files_of(log: Any) -> list[Path]:
    """Return the files on disk that a log is read from; a folder's files by name."""
    if isinstance(log, Query):
        log = url_of(log.database)
        is_file = log is not None and log.startswith(("sqlite", "duckdb"))
        return [Path(log.partition("://")[2].removeprefix("/").partition("?")[0])] if is_file else []
    if not is_path(log):
        return []
    found: dict[Path, None] = {}
    for item in log if isinstance(log, (list, tuple)) else [log]:
        name = getattr(item, "name", None)
        of_system = file_of_a_system(item)
        if isinstance(item, Files):
            there = item.filesystem is None or _is_local(item.filesystem)
            found |= dict.fromkeys(files_of(item.path) if there else [])
        elif isinstance(item, StoredFile):
            found |= {} if item.local is None else {item.local: None}
        elif is_open_file(item):
            found |= {Path(name): None} if isinstance(name, str) else {}
        elif of_system is not None:
            found |= {Path(of_system[1]): None} if _is_local(of_system[0]) else {}
        elif isinstance(item, str) and "file://" in item:
            found[Path(item.rpartition("file://")[2])] = None
        elif isinstance(item, (str, os.PathLike)) and item != _STDIN and not _URL.match(str(item)):
            path = Path(item)
            inside = find_files(path)[0] if path.is_dir() or not path.exists() else [local_file(path)]
            found |= dict.fromkeys(file.local for file in inside if file.local is not None)
    return list(found)


def _is_local(system: object) -> bool:
    """Whether a file system, fsspec's or pyarrow's, is this machine's."""
    return type(system).__name__ == "LocalFileSystem"


def find_files(
    log: object, storage: Mapping[str, Any] | None = None
) -> tuple[list[StoredFile], dict[str, str]]:
    """Return the files of a log, and skipped files of its folders with the reason."""
    if not is_path(log):
        raise BadType("log", f"must be a path or a list of paths, got {type(log).__name__}")
    passed: dict[str, str] = {}
    files = list(_found(log, None, None, storage, passed))
    seen = set()
    for file in files:
        path = file.local
        place = None if path is None else str(file).replace(str(path), os.path.realpath(path), 1)
        if place is None and not _URL.match(str(file)):
            continue  # an open file, whose name may mean nothing
        key = (place or str(file), file.title.secrets)
        if key in seen:
            raise LogError(f"{file}: it is listed twice")
        seen.add(key)
    return files, passed


def _found(
    log: Any, kind: str | None, system: Any, storage: Mapping[str, Any] | None, passed: dict[str, str]
) -> Iterator[StoredFile]:
    """Yield the files of a log."""
    for item in log if isinstance(log, (list, tuple)) else [log]:
        of_system = file_of_a_system(item)
        if isinstance(item, StoredFile):
            yield item
        elif isinstance(item, Files):
            yield from _found(item.path, item.format or kind, item.filesystem or system, storage, passed)
        elif is_open_file(item):
            yield from _of_kind(_object(item), kind, passed)
        elif of_system is not None:
            yield from _in_system(*of_system, None, kind, passed)
        elif system is not None:
            yield from _in_system(as_file_system(system), os.fspath(item), None, kind, passed)
        elif item == _STDIN:
            yield from _of_kind(object_file(_stdin(), Name("stdin")), kind, passed)
        elif isinstance(item, str) and _URL.match(item):
            yield from _at_url(item, kind, storage, passed)
        elif item == "":  # which `Path` takes for the current folder
            raise LogError("it must not be an empty path", subject="log")
        else:
            yield from _on_disk(Path(item), kind, passed)


# ---- on disk ----


def _is_pattern(path: Path, name: str) -> bool:
    """Whether a name is a shell's pattern; what exists under the name goes first."""
    return glob.has_magic(name) and not os.path.lexists(path)


def _on_disk(path: Path, kind: str | None, passed: dict[str, str]) -> Iterator[StoredFile]:
    if _is_pattern(path, str(path)):
        both = (path, path / "**")  # matching files, and those in matching folders
        found = {Path(match) for each in both for match in glob.glob(str(each), recursive=True)}
        if not found:
            raise LogError(f"{path}: no file or folder matches this pattern", kind="not found")
        yield from _among(found, True, f"{path}: the pattern matches", kind, passed)
    elif not path.exists():
        raise LogError(f"{path}: no such file or folder", kind="not found")
    elif path.is_dir():
        yield from _among(path.rglob("*"), False, f"{path}: the folder holds", kind, passed)
    elif path.is_file():
        file = local_file(path)
        if _format(file.suffixes) is None and kind is None:
            database = database_at(path)
            if database is not None:
                typed = f"--db {shlex.quote(database)}"
                ways = f"Query('SELECT ...', {database!r}), or the query as LOG and {typed}"
                raise LogError(f"{path}: a database, whose rows a query gives: {ways}", kind="unknown format")
            raise LogError(
                f"{path}: the ending must be one of {_endings()}; or ",
                Option("format", ...),
                " (of pf.Files in Python)",
                kind="unknown format",
            )
        yield from _of_kind(file, kind, passed)
    else:  # a pipe
        yield from _of_kind(object_file(open_local(path), Name(str(path))), kind, passed)


def _among(
    entries: Iterable[Path], links: bool, what: str, kind: str | None, passed: dict[str, str]
) -> Iterator[StoredFile]:
    """Yield the files of known kinds among the entries of folders."""
    inside = []
    for entry in sorted(entries, key=lambda entry: entry.parts):
        reason = _reason_against(entry, kind, links)
        if reason is None:
            inside += _of_kind(local_file(entry), kind, passed)
        elif reason:
            passed[str(entry)] = reason
    if not inside:
        raise _none_known(what)
    yield from inside


def _reason_against(entry: Path, kind: str | None, links: bool) -> str | None:
    """Return the reason to skip an entry of a folder: "" for a folder, None for a file to read."""
    try:
        if entry.is_symlink() and not links:
            return "a link"
        mode = entry.stat().st_mode
    except OSError as error:
        return first_line(error)
    if stat.S_ISDIR(mode):
        return ""
    if not stat.S_ISREG(mode):
        return "no regular file"
    return _reason_against_ending(entry.suffixes, kind)


def _reason_against_ending(suffixes: list[str], kind: str | None) -> str | None:
    known = kind is not None or _format(suffixes) is not None
    return None if known else "its ending isn't that of a log"


# ---- in buckets, on servers, and wherever fsspec reads ----


def _at_url(
    url: str, kind: str | None, storage: Mapping[str, Any] | None, passed: dict[str, str]
) -> Iterator[StoredFile]:
    title = name_of(url)
    fsspec = optional("fsspec", "cloud", f"log: {title.shown.partition(':')[0]}://")
    try:
        system, path = fsspec.core.url_to_fs(url, **(storage or {}))
    except ImportError as error:
        text = title.without_secrets(first_line(error))
        raise ImportError(f"log: {text}: pip install 'provably_fair[cloud]' adds s3, gs and https") from None
    except ValueError as error:
        text = title.without_secrets(first_line(error))
        raise LogError(f"{title}: {text}; databases are asked by Query(sql, url), or --db") from None
    except Exception as error:
        raise unreadable(title, error) from None
    yield from _in_system(system, path, title, kind, passed)


def _in_system(
    system: Any, path: str, title: Name | None, kind: str | None, passed: dict[str, str]
) -> Iterator[StoredFile]:
    """Yield the files at a path or pattern in a file system."""
    title = title or name_of(system.unstrip_protocol(path))
    try:
        if "*" in path:
            places = sorted(system.glob(path))
        else:
            entry = system.info(path)
            if entry["type"] != "directory":
                yield from _of_kind(_remote(system, path, title, entry), kind, passed)
                return
            places = [path]
        entries: list[tuple[str, dict[str, Any]]] = []
        for start in places:
            inside = system.find(start, detail=True).items()
            entries += sorted(inside, key=lambda one: one[0].split("/"))
    except (LogError, ImportError, TypeError):
        raise
    except FileNotFoundError as error:
        # fsspec reports files that a web server refuses as missing.
        why = "" if error.__cause__ is None else f" ({title.without_secrets(first_line(error.__cause__))})"
        raise LogError(f"{title}: no such file or folder{why}", kind="not found") from None
    except Exception as error:
        raise unreadable(title, error) from None
    files: list[StoredFile] = []
    for place, entry in entries:
        name = Name(name_of(system.unstrip_protocol(place)).shown, title.secrets)
        reason = _reason_against_ending(PurePosixPath(place).suffixes, kind)
        if reason is None:
            files += _of_kind(_remote(system, place, name, entry), kind, passed)
        elif entry.get("size"):  # an empty object stands for a folder
            passed[str(name)] = reason
    if not files:
        raise _none_known(f"{title}: the folder holds")
    yield from files


def _remote(system: Any, path: str, title: Name, entry: dict[str, Any]) -> StoredFile:
    # The size may be that of a compressed transfer.
    size = None if _URL.match(path) else entry.get("size")
    return StoredFile(title, partial(_open_remote, system, path, title), size=size)


def _open_remote(system: Any, path: str, title: Name) -> Borrowed:
    with naming(title):
        # Not every web server supports ranges.
        size = 0 if _URL.match(path) else limits.REMOTE_BLOCK
        file = system.open(path, "rb", block_size=size)
        return Borrowed(file, title, seekable=file.seekable(), close=file.close)


# ---- open files, archives, kinds of files ----


def _stdin() -> Any:
    """Return the raw stdin, since its buffer has a lock that a thread may hold at exit."""
    if sys.stdin is None:
        raise LogError("stdin: it is closed")
    return getattr(getattr(sys.stdin, "buffer", None), "raw", sys.stdin)


def _object(file: Any) -> StoredFile:
    names = (getattr(file, name, None) for name in ("full_name", "name", "path"))
    name = next((name for name in names if isinstance(name, str) and name), type(file).__name__)
    return object_file(file, name_of(name) if _URL.match(name) else Name(name))


def _of_kind(file: StoredFile, kind: str | None, passed: dict[str, str]) -> list[StoredFile]:
    """Return a file with its kind; the members of an archive."""
    found, compression = _format(file.suffixes) or _look(file)
    if kind is not None:
        found = ENDINGS[f".{kind}"]
    endings = (f".{kind}",) if kind is not None else ()
    partitions = _partitions(str(file).partition("?")[0])
    if found != "zip":
        return [replace(file, kind=found, compression=compression, partitions=partitions, endings=endings)]
    inside: list[StoredFile] = []
    try:
        raw = file.open()
        if raw.seekable():
            raw.close()
        else:  # its list of files is at its end
            file = replace(object_file(spooled(raw), file.title), again=False)
        members = members_of(file)
    except LogError as error:  # reported like any unreadable file
        return [replace(file, kind="csv", opened=partial(_raise, error))]
    for name, entry in members:
        member = member_file(file, entry)
        if name.startswith("__MACOSX/"):
            reason: str | None = "what macOS keeps beside a file"
        elif name.lower().endswith(".zip"):
            reason = "an archive in an archive"
        else:
            reason = _reason_against_ending(PurePosixPath(name).suffixes, None)
        if reason is None:
            inside += _of_kind(member, None, passed)
        else:
            passed[str(member)] = reason
    if not inside:
        raise _none_known(f"{file}: the archive holds")
    return inside


def _raise(error: LogError) -> Any:
    raise error


def _partitions(name: str) -> dict[str, str | None]:
    """Return Hive partition columns from the names of folders: ``game=dice/day=1/``."""
    pairs = (_PARTITION.fullmatch(part) for part in name.split("/")[:-1])
    found = {unquote(pair[1]): unquote(pair[2]) for pair in pairs if pair is not None}
    return {name: None if value == _NO_VALUE else value for name, value in found.items()}


def _format(suffixes: list[str]) -> tuple[str, str | None] | None:
    """Return the kind of a file and its compression, by its name."""
    suffixes = [suffix.lower() for suffix in suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    if compression is not None:
        suffixes.pop()
    kind = ENDINGS.get(suffixes[-1]) if suffixes else None
    return None if kind is None else (kind, compression)


def _look(file: StoredFile) -> tuple[str, str | None]:
    """Return the kind of a file and its compression, by its first bytes."""
    data = first_bytes(file)
    for kind, known in FORMATS.items():
        if known.starts and data.startswith(known.starts):
            return kind, None
    if data.startswith(b"PK\x03\x04"):
        return "xlsx" if b"[Content_Types].xml" in data or b"xl/" in data else "zip", None
    compression = None
    for start, name in ((b"\x1f\x8b", "gzip"), (b"(\xb5/\xfd", "zstd"), (b"BZh", "bz2")):
        if data.startswith(start):
            data, compression = _unpacked(data, name, file), name
    start_of_text = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "json" if start_of_text in (b"{", b"[") else "csv", compression


def _unpacked(data: bytes, compression: str, file: StoredFile) -> bytes:
    """Decompress the beginning of some bytes; b"" on failure."""
    try:
        if compression == "gzip":
            return zlib.decompressobj(31).decompress(data, 4096)
        if compression == "bz2":
            return BZ2Decompressor().decompress(data, 4096)
        pa = optional("pyarrow", "arrow", f"log: reading {file.name}")
        return bytes(pa.input_stream(pa.BufferReader(data), compression="zstd").read(1))
    except (zlib.error, OSError):
        return b""


def _none_known(what: str) -> LogError:
    return LogError(f"{what} no file of a known kind: {_endings()}", kind="unknown format")


def _endings() -> str:
    return f"{', '.join(ENDINGS)}; CSV and JSON lines also with {', '.join(COMPRESSED)}"
