"""Selection of the columns of a log that are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .dialect import Dialect


class Wanted(set[str]):
    """Names of wanted columns, or `every` other one too, with the dialect of CSV and options of storage."""

    def __init__(
        self,
        names: Iterable[str],
        csv: Dialect | None = None,
        storage: Mapping[str, Any] | None = None,
        every: bool = False,
    ) -> None:
        super().__init__(names)
        self.every = every
        self.storage = storage
        self.csv: Dialect = csv or Dialect()


def read_of(names: Iterable[str], wanted: Wanted) -> list[str]:
    """Return the columns of a log to read, each once: the wanted ones, or all."""
    return [name for name in dict.fromkeys(names) if wanted.every or name in wanted]
