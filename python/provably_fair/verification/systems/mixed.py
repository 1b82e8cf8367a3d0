"""Logs of several games, named by a column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type
from provably_fair._core.types import JsonDict
from provably_fair.sources import MissingColumnError
from provably_fair.sources.foreign import as_text, cells_of, is_empty

from ..likely import words
from .findings import all_faulty, joined
from .system import FIELD, OTHER_GAME, SECRETS, Field, Found, Rows, System

GAME = "game"
"""The field of the game's name."""


def named_column(columns: Mapping[str, str] | None, game_column: object) -> Mapping[str, str]:
    """Return the columns by field, including the column of the games' names."""
    if game_column is None:
        return {} if columns is None else columns
    if not isinstance(game_column, str):
        raise BadType("game_column", f"must be a column's name, got {type(game_column).__name__}")
    check_type("columns", columns, Mapping | None, "a mapping of fields")
    return {**(columns or {}), GAME: game_column}


class MixedGames(System):
    """A system of several games; a column names the game of each row."""

    def __init__(self, systems: Mapping[str, System | None]) -> None:
        self._systems = dict(systems)
        self._by_letters = {_letters(name): name for name in systems}
        self.games = {name: system for name, system in systems.items() if system is not None}
        self.name: str = ", ".join(f"{name}: {system.name}" for name, system in self.games.items())
        self.name = self.name or "no game: all are skipped"
        self.fields: tuple[Field, ...] = (Field(GAME), *_fields_of_all([*self.games.values()]))

    def parameters(self) -> JsonDict:
        known = {name: system and system.parameters() for name, system in self._systems.items()}
        return {"games": known}

    def verify(self, rows: Rows) -> Found:
        of, parts = self._sorted(rows)
        games: dict[str, np.ndarray] = {}
        skipped = [number for number, system in enumerate(self._systems.values()) if system is None]
        passed = np.flatnonzero(np.isin(of, skipped))
        for number, (name, system) in enumerate(self._systems.items()):
            which = np.flatnonzero(of == number)
            if system is not None and which.size:
                parts.append((which, system.verify(self._rows_of(name, rows.some(which)))))
                games[name] = which
        return joined(parts, {OTHER_GAME: passed} if len(passed) else {}, games)

    def _sorted(self, rows: Rows) -> tuple[np.ndarray, list[tuple[np.ndarray, Found]]]:
        """Return the index of each row's system, -1 if there is none, and findings in rows without one."""
        of, there = self._named(rows.columns[GAME], rows.count)
        faults = (GAME, "missing", (of < 0) & ~there), (GAME, "malformed", (of < 0) & there)
        return of, all_faulty(faults)

    def _rows_of(self, name: str, rows: Rows) -> Rows:
        """Return rows with the columns of one system, and defaults for missing or empty ones."""
        columns = {}
        system = self._systems[name]
        assert system is not None  # rows of other games are skipped
        for field in system.fields:
            column = rows.columns.get(field.name)
            won = system.table is not None and rows.decimal == ","  # or cards, see `Columns.with_numbers`
            if field.name == FIELD and not (field.number or won) and rows.written is not None:
                column = rows.written  # a list such as 3,19 isn't a number
            if column is not None and field.default is not None and not isinstance(column, (str, bytes)):
                column = None if all(map(is_empty, cells_of(column, rows.count))) else column
            if column is not None:
                columns[field.name] = column
            elif field.default is not None:
                columns[field.name] = field.default
            elif field.needed:
                said = f"no column {field.name!r}, which rows of {name!r:.80} need"
                raise MissingColumnError(said, columns=(field.name,))
        return rows.of(columns)

    def _named(self, column: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the index of the system that each cell names, -1 for none, and a mask of nonempty cells."""
        one = isinstance(column, (str, bytes))
        values = [as_text(value).strip() for value in ([column] if one else cells_of(column, count))]
        different, which = np.unique(np.array(values, object).astype(str), return_inverse=True)
        order = {name: number for number, name in enumerate(self._systems)}
        numbers = np.array([order.get(self._name(value) or "", -1) for value in different.tolist()], np.int64)
        of = numbers[which.reshape(-1)]
        there = (different != "")[which.reshape(-1)]
        return (np.repeat(of, count), np.repeat(there, count)) if one else (of, there)

    def concerns(self, columns: Mapping[str, Any], rows: int) -> np.ndarray:
        hiding = {
            name
            for name, system in self._systems.items()
            if system is not None and any(field.name in SECRETS and field.needed for field in system.fields)
        }
        of = (self._name(as_text(cell).strip()) for cell in cells_of(columns[GAME], rows))
        return np.fromiter((name in hiding for name in of), bool, rows)

    def _name(self, value: str) -> str | None:
        """Return the known name that equals a cell, or else has the same letters; None if there is none."""
        return value if value in self._systems else self._by_letters.get(_letters(value) or value)

    def explain(self, row: Mapping[str, object]) -> Any:
        system = self._system_of(row)
        values = {
            field.name: row[field.name]
            for field in system.fields
            if field.name in row and not (field.default is not None and is_empty(row[field.name]))
        }
        return system.explain(values)

    def _system_of(self, row: Mapping[str, object]) -> System:
        """Return a row's system."""
        name = self._name(as_text(row[GAME]).strip())
        system = None if name is None else self._systems[name]
        if system is None:
            raise BadValue("row", sentence=f"its game is {row[GAME]!r:.80}")
        return system

    def notes(
        self, checked: int, assumed: int, committed: Mapping[str, int], unread: Collection[str]
    ) -> list[str]:
        told = (
            note
            for system in self.games.values()
            for note in system.notes(checked, assumed, committed, unread)
        )
        return list(dict.fromkeys(told))


def rows_of_games(names: Iterable[str], column: Any, count: int) -> np.ndarray:
    """Return a mask of the cells that name one of some games, as "Dice" or "stake.dice" name stake.dice."""
    plain = (name.partition(":")[0] for name in names)
    known = {_letters(part) for name in plain for part in (name, name.rpartition(".")[2])}
    letters = (_letters(as_text(cell)) for cell in cells_of(column, count))
    return np.fromiter((text in known for text in letters), bool, count)


def _fields_of_all(systems: list[System]) -> list[Field]:
    """Return the fields of several systems; those needed by all are needed."""
    by_name: dict[str, list[Field]] = {}
    for system in systems:
        for field in system.fields:
            by_name.setdefault(field.name, []).append(field)
    return [
        Field(
            name,
            len(fields) == len(systems) and all(field.needed for field in fields),
            fields[0].called if len({field.called for field in fields}) == 1 else None,
            text=all(field.text for field in fields),
            number=any(field.number for field in fields),
            aliases=tuple(dict.fromkeys(alias for field in fields for alias in field.aliases)),
        )
        for name, fields in by_name.items()
    ]


def _letters(name: str) -> str:
    return "".join(words(name))
