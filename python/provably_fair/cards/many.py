"""Many settled rounds: arrays with a row for each, or one round by index."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.table import Sheet, Tabular

_Round = TypeVar("_Round")
_SHOWN = 10


class ManyRounds(Tabular, Sequence[_Round]):
    """A dataclass of arrays with a row for each round."""

    _arrays: ClassVar[tuple[str, ...]]
    """The names of the arrays."""
    _align: ClassVar[str]
    """The sides to which the columns of the display are aligned."""

    @abstractmethod
    def _one(self, row: int) -> _Round:
        """Return one of the rounds."""

    def __len__(self) -> int:
        return len(getattr(self, self._arrays[0]))

    def __getitem__(self, index: object) -> Any:
        if isinstance(index, (slice, np.ndarray)):
            return self._with([getattr(self, name)[index] for name in self._arrays])
        row = integer("index", index)
        if not -len(self) <= row < len(self):
            raise IndexError(f"index must be within {len(self)} rounds, got {row}")
        return self._one(row % len(self))

    def _with(self, arrays: Sequence[np.ndarray]) -> Self:
        made: Self = replace(self, **dict(zip(self._arrays, arrays, strict=True)))  # type: ignore[type-var]
        return made

    def _sheet(self) -> Sheet:
        columns = self[:_SHOWN]._columns()
        notes = (f"and {len(self) - _SHOWN:,} more",) if len(self) > _SHOWN else ()
        rows = list(zip(*columns.values(), strict=True))
        return Sheet(repr(self).strip("<>"), tuple(columns), rows, self._align, None, notes)
