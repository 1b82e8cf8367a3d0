"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import BadValue


def check_no_input(argument: str, path: object, inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse to write to a file that is also an input, whatever its path."""
    if any(_is_same(path, file) for file in inputs):
        raise BadValue(argument, f"must be another file than the inputs, got {str(path)!r}")


def _is_same(path: Any, other: Any) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, TypeError, ValueError):  # missing, or not a path
        return False


@contextmanager
def write_beside(path: Path) -> Iterator[Path]:
    """Yield a new file that replaces this one if nothing is raised; terminals and pipes are written to."""
    # Before links are followed: that of /dev/stdout to a pipe leads to a name that isn't in any folder.
    if os.path.exists(path) and not os.path.isfile(path):
        yield path
        return
    path = Path(os.path.realpath(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "No such folder", str(path.parent))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(part)
