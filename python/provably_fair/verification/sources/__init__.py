"""Where logs come from: memory, Arrow streams and files, read batch by batch."""

from .files import files_of as files_of
from .files import files_source
from .files import find_files as find_files
from .files import is_path as is_path
from .memory import memory_source
from .source import Batch as Batch
from .source import Evidence as Evidence
from .source import LogError as LogError
from .source import Option as Option
from .source import Piece as Piece
from .source import Source as Source
from .source import Wanted as Wanted
from .source import spelled as spelled


def open_log(log: object, wanted: set[str]) -> Source:
    """Return the source that reads the wanted columns of a log, those of them that it has."""
    return files_source(*find_files(log), wanted) if is_path(log) else memory_source(log, wanted)
