"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def write_beside(path: Path) -> Iterator[Path]:
    """Give the path of a new file beside this one, which takes its place if nothing is raised.

    What is no regular file, a terminal or a pipe, is written to as it is.
    """
    path = Path(os.path.realpath(path))
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            yield path
            return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError):
            os.remove(part)
