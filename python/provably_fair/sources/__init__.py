"""Sources of logs: memory, Arrow streams, files and databases, read batch by batch."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

from provably_fair._core.errors import BadValue
from provably_fair._core.lazy import Lister, lister_of

from .discovery import Files as Files
from .discovery import files_of as files_of
from .discovery import find_files as find_files
from .discovery import has_url as has_url
from .discovery import is_path as is_path
from .discovery import named_in as named_in
from .memory import memory_source
from .names import name_of as name_of
from .query import Query as Query
from .query import query_source
from .source import Batch as Batch
from .source import Described as Described
from .source import Evidence as Evidence
from .source import LogError as LogError
from .source import MissingColumnError as MissingColumnError
from .source import Option as Option
from .source import Piece as Piece
from .source import Source as Source
from .source import spelled as spelled
from .stored import StoredFile as StoredFile
from .wanted import Wanted as Wanted
from .wanted import read_of as read_of

__all__ = ["MissingColumnError"]
__dir__: Lister = lister_of(__all__)


def open_log(log: object, wanted: set[str]) -> Source:
    """Return a source of those wanted columns that a log has."""
    storage = wanted.storage if isinstance(wanted, Wanted) else None
    if storage is not None and not has_url(log):
        raise BadValue("storage_options", "isn't supported without a file at a URL")
    if isinstance(log, Query):
        source = query_source(log, wanted)
        source.inputs = partial(files_of, log)
        return source
    if type(log).__module__ in ("builtins", "itertools") and isinstance(log, Iterator):
        # A generator may yield paths, like `Path.glob`.
        first = list(islice(log, 1))
        log = [*first, *log] if first and is_path(first) else chain(first, log)
    if is_path(log):
        from .files import files_source

        source = files_source(*find_files(log, storage), wanted)
    else:
        source = memory_source(log, wanted)
    source.inputs = partial(files_of, log)
    source.other = lambda names: open_log(log, Wanted(names, getattr(wanted, "csv", None), storage))
    return source
