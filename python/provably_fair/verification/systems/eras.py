"""Eras: logs of an operator whose rule changed at known game numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair._engine import column_wholes
from provably_fair.operators.registry import operator_named
from provably_fair.sources import LogError, Option
from provably_fair.sources.foreign import cells_of, is_empty

from .chains import GAME_NUMBER, TERMINATING
from .findings import all_faulty
from .mixed import GAME, MixedGames
from .rounds import GameRounds
from .system import Field, Found, Rows, System, whole

ERA = "era"
"""The field of the era's name."""
ANNOUNCED = "announced"
"""A placeholder for the terminating hash that each era's chain was announced with."""


class EraRounds(MixedGames):
    """Rounds of an operator by era, which follows from the game's number, never from the outcome."""

    def __init__(self, operator: str) -> None:
        found = operator_named(operator)
        assert found.era is not None  # the caller has checked
        self._eras, self._era = found.eras, found.era
        super().__init__({era.name: GameRounds(era.game) for era in self._eras})
        self.name = operator
        own = {field.name: field for field in self.fields if field.name != GAME}
        number = replace(own.pop(GAME_NUMBER), needed=True)
        self.fields: tuple[Field, ...] = (number, Field(ERA, False, text=True), *own.values())

    def concerns(self, columns: Mapping[str, Any], rows: int) -> np.ndarray:
        return System.concerns(self, columns, rows)

    def _sorted(self, rows: Rows) -> tuple[np.ndarray, list[tuple[np.ndarray, Found]]]:
        column = rows.columns[GAME_NUMBER]
        numbers, there = column_wholes(GAME_NUMBER, column, rows.count)
        limits = [(one.first, one.last or np.inf) for one in self._eras]
        held = np.array([there & (first <= numbers) & (numbers <= last) for first, last in limits])
        blank, unknown = np.ones(rows.count, bool), np.zeros(rows.count, bool)
        if ERA in rows.columns:
            said, given = self._named(rows.columns[ERA], rows.count)
            blank, unknown = ~given, given & (said < 0)
            held &= blank | (said == np.arange(len(held))[:, np.newaxis])
        several = held.sum(axis=0) > 1
        if several.any() and ERA not in rows.columns:
            try:
                self._era(int(numbers[several.argmax()]))
            except ValueError as error:
                by = Option("constants", {ERA: ...})
                raise LogError(f"{error}; as a column {ERA!r}, or by ", by) from None
        empty = np.zeros(rows.count, bool)
        if not there.all():
            empty = np.array([is_empty(cell) for cell in cells_of(column, rows.count)])
        faults = (
            (GAME_NUMBER, "missing", empty),
            (ERA, "malformed", unknown),
            (GAME_NUMBER, "malformed", ~empty & ~unknown & ~held.any(axis=0)),
            (ERA, "missing", several),
        )
        return np.where(held.sum(axis=0) == 1, held.argmax(axis=0), -1), all_faulty(faults)

    def _rows_of(self, name: str, rows: Rows) -> Rows:
        found = super()._rows_of(name, rows)
        end = found.columns.get(TERMINATING)  # an array, if it is a column
        if isinstance(end, (str, bytes)) and end in (ANNOUNCED, ANNOUNCED.encode()):
            terminating = next(era.terminating for era in self._eras if era.name == name)
            return found.of(found.columns | {TERMINATING: terminating})
        return found

    def _system_of(self, row: Mapping[str, object]) -> System:
        era = row.get(ERA)
        system = self._systems[self._era(whole(row[GAME_NUMBER]), None if is_empty(era) else era).name]
        assert system is not None  # every era has one
        return system
