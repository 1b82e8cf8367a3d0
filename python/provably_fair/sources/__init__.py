"""Sources of logs: memory, Arrow streams, files and databases, read batch by batch."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

from provably_fair._core.errors import BadValue
from provably_fair._core.lazy import Lister, lister_of

from .discovery import (
    Files as Files,
    files_of as files_of,
    find_files as find_files,
    has_url as has_url,
    is_path as is_path,
    named_in as named_in,
)
from .memory import memory_source
from .names import NAMELESS, name_of as name_of
from .query import Query as Query, query_source
from .source import (
    Batch as Batch,
    Described as Described,
    Evidence as Evidence,
    LogError as LogError,
    MissingColumnError as MissingColumnError,
    Option as Option,
    Piece as Piece,
    Source as Source,
    spelled as spelled,
)
from .stored import StoredFile as StoredFile, unreadable
from .wanted import Wanted as Wanted, read_of as read_of

__all__ = ["MissingColumnError"]
__dir__: Lister = lister_of(__all__)


def open_log(log: object, wanted: Wanted) -> Source:
    """Return a source of those wanted columns that a log has."""
    storage = wanted.storage
    if storage is not None and not has_url(log):
        raise BadValue("storage_options", "isn't supported without a file at a URL")
    if type(log).__module__ in ("builtins", "itertools") and isinstance(log, Iterator):
        # A generator may yield paths, like `Path.glob`.
        try:
            first = list(islice(log, 1))
        except LogError:
            raise
        except Exception as error:  # as where later rows fail
            raise unreadable(NAMELESS, error) from error
        log = [*first, *log] if first and is_path(first) else chain(first, log)
    inputs = partial(files_of, log)
    if isinstance(log, Query):
        source = query_source(log, wanted)
    elif is_path(log):
        from .files import files_source

        found, passed_over = find_files(log, storage)
        source = files_source(found, passed_over, wanted)
        log = found  # a file that was open is read again from where it was
    else:
        source = memory_source(log, wanted)
    source.inputs = inputs
    source.other = lambda names: open_log(log, Wanted(names, wanted.csv, storage))
    return source
