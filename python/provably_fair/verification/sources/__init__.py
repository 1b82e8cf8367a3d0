"""Where logs come from: memory, Arrow streams and files, read batch by batch."""

from typing import Any

from .files import found as found
from .files import listed as listed
from .files import named as named
from .files import of_files
from .memory import of_memory
from .source import Batch as Batch
from .source import Evidence as Evidence
from .source import LogError as LogError
from .source import Piece as Piece
from .source import Source as Source


def open_log(log: Any, wanted: set[str]) -> Source:
    """Return the source that reads the wanted columns of a log, those of them that it has."""
    return of_files(*found(log), wanted) if named(log) else of_memory(log, wanted)
