"""How a log is checked: as what, and which of its columns is which field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

import numpy as np

from provably_fair._core.arguments import integer, threads_of
from provably_fair._core.printable import listed

from .config import merged
from .dialect import Dialect
from .foreign import Constant, cell, cells_of, is_empty
from .likely import likely_columns, likely_name
from .numbers import Numbers
from .seed_table import Joined, SeedTable
from .sources import Batch, LogError, Option, Source, Wanted
from .systems import FIELD, SECRETS, Field, System, named_column, system_by_column, system_of
from .systems.chains import CHAIN_STEPS, MOST_STEPS


class Plan:
    """How a log is checked: as what, and which of its columns is which field."""

    def __init__(
        self,
        system: System,
        columns: Mapping[str, str],
        constants: Mapping[str, object],
        threads: int | None,
        repeats: str = "report",
        csv: Mapping[str, str | None] | None = None,
        also: Iterable[Field] = (),
        *,
        seeds: object = None,
        seeds_by: object = None,
        unrevealed: str | None = None,
        chain_steps: object = CHAIN_STEPS,
    ) -> None:
        if repeats not in ("report", "fail"):
            raise ValueError(f'repeats must be "report" or "fail", got {repeats!r}')
        self.system = system
        self.csv = Dialect.read(csv)
        self.threads = threads
        self.chain_steps = integer("chain_steps", chain_steps, 0, MOST_STEPS)
        self.repeats_fail = repeats == "fail"
        # What others read of a log beside its system's fields.
        self.fields = {field.name: field for field in (*also, *system.fields)}
        self.given = self._by_field("columns", columns)
        for name, column in self.given.items():
            if not isinstance(column, str):
                raise TypeError(f"columns[{name!r}] must be a column's name, got {type(column).__name__}")
        self.constants = {}
        for name, value in self._by_field("constants", constants).items():
            if self.fields[name].words is not None and isinstance(value, Mapping):
                self.fields[name] = self.fields[name].with_words(value)
                continue
            try:
                self.constants[name] = system.constant(name, value)
            except (TypeError, ValueError) as error:
                raise LogError(f"log: column {name!r}: {error}") from None
        taken = set(self.given.values())
        self.candidates: dict[str, list[str]] = {}
        """The columns that may be a field's: the first of them that a log has is."""
        for name, field in self.fields.items():
            if name in self.given:
                self.candidates[name] = [self.given[name]]
            elif name not in self.constants:
                # A column that is named for one field isn't taken for the field it happens to be called like.
                self.candidates[name] = [
                    called for called in (*field.names, *field.aliases) if called not in taken
                ]
        if unrevealed not in (None, "report", "fail"):
            raise ValueError(f'unrevealed must be "report" or "fail", got {unrevealed!r}')
        self.seeds: SeedTable | None = None
        if seeds is not None:
            self.seeds = SeedTable(seeds, self.fields, self.candidates, self.csv, seeds_by)
        elif seeds_by is not None:
            raise ValueError("seeds_by must be left out: no table of seeds is given")
        self.secrets: list[str] = []
        """Fields without which a row isn't checkable yet."""
        if (unrevealed or ("fail" if seeds is None else "report")) == "report":
            self.secrets = [name for name in SECRETS if name in self.fields]
        self.source: Source | None = None

    def _by_field(self, argument: str, mapping: Mapping[str, object]) -> dict[str, Any]:
        """Return an argument with the fields' own names, checked."""
        if not isinstance(mapping, Mapping):
            raise TypeError(f"{argument} must be a mapping of fields, got {type(mapping).__name__}")
        known = {name: field for field in self.fields.values() for name in field.names}
        found: dict[str, Any] = {}
        for name, value in mapping.items():
            field = known.get(name)
            if field is None:
                raise ValueError(f"{argument} may name the fields {', '.join(known)}, got {name!r}")
            if field.name in found:
                both = " and ".join(map(repr, field.names))
                raise ValueError(f"{argument} must name a field once: {both} are the same one")
            found[field.name] = value
        return found

    @property
    def wanted_columns(self) -> Wanted:
        """The columns that a log may have."""
        names = {name for names in self.candidates.values() for name in names}
        return Wanted(names if self.seeds is None else names | set(self.seeds.names), self.csv)

    def columns(self, batch: Batch | None = None) -> dict[str, str | None]:
        """Return each field's column in a batch; None where there is none."""
        there = {} if batch is None else batch.columns
        return {
            field: next((name for name in names if name in there), None)
            for field, names in self.candidates.items()
        }

    def without_log(self) -> Plan:
        """Return the same plan without the log."""
        copy = object.__new__(Plan)
        copy.__dict__ = self.__dict__ | {"source": None}
        return copy

    def row(self, row: int) -> dict[str, Any]:
        """Read one row again."""
        if self.source is None or not self.source.again:
            raise ValueError(f"row {row} wasn't kept, and the log can't be read again")
        done = 0
        with closing(self.source.pieces()) as pieces:
            for piece in pieces:
                numbers = Numbers(self.csv)
                for batch in self._readable(piece.batches()):
                    columns = self.read_numbers(numbers, batch, self.columns_of(batch, self.look_up(batch)))
                    count = batch.rows + len(batch.unreadable)
                    if row < done + count:
                        places = [batch.place(i) for i in range(batch.rows)]
                        place = min([*places[:1], *batch.unreadable]) + row - done
                        if place in batch.unreadable:
                            raise ValueError(f"row {row} can't be explained: its line can't be read")
                        return self._values(columns, places.index(place))
                    done += count
        raise ValueError(f"row {row} can't be read again")

    @staticmethod
    def _readable(batches: Iterator[Batch]) -> Iterator[Batch]:
        """Give batches as long as they can be read."""
        try:
            yield from batches
        except LogError:
            return

    def look_up(self, batch: Batch) -> Joined | None:
        """Return the seeds of a batch's rows, where they are in a table of their own."""
        return None if self.seeds is None else self.seeds.look_up(batch)

    def columns_of(self, batch: Batch, joined: Joined | None = None) -> dict[str, Any]:
        """Return the column of each field that there is one of."""
        columns: dict[str, Any] = {}
        missing = []
        for name, field in self.fields.items():
            if name in self.constants:
                columns[name] = Constant(self.constants[name])
                continue
            there = [column for column in self.candidates[name] if column in batch.columns]
            column = there[0] if there else None
            if len(there) > 1 and column in field.aliases:
                raise LogError(
                    f"the columns {listed(there)} may all be {name!r}; ",
                    Option("columns", {name: column}),
                    " says which",
                )
            if column is not None:
                columns[name] = batch.columns[column]
            elif field.needed or name in self.given:
                missing.append(name)
            elif field.default is not None:
                columns[name] = Constant(field.default)
        if self.seeds is not None and joined is not None:
            columns = self.seeds.join(joined, batch, columns)
            missing = [name for name in missing if name not in columns]
        if missing:
            raise LogError(*self._missing(missing, batch))
        return columns

    def unrevealed(self, columns: Mapping[str, Any], rows: int, joined: Joined | None) -> np.ndarray:
        """Return which rows of a batch aren't checkable yet, since their seed isn't revealed."""
        hidden = np.zeros(rows, bool)
        for name in self.secrets:
            if name in columns:
                hidden |= np.fromiter(map(is_empty, cells_of(columns[name], rows)), bool, rows)
        if joined is not None:
            hidden &= joined.listed
        return hidden

    def read_numbers(self, numbers: Numbers, batch: Batch, columns: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns of a batch with numbers as the engine reads them, however they are written."""
        those = {name: column for name, column in columns.items() if self.fields[name].number}
        return {**columns, **numbers.read(those, self.columns(batch))}

    def _missing(self, missing: list[str], batch: Batch) -> Iterator[str | Option]:
        """Say which columns are missing, which are there, and which of these are likely meant."""
        called = [
            " or ".join(map(repr, self.candidates[name] or self.fields[name].names)) for name in missing
        ]
        yield f"no column {', '.join(called)}"
        if not batch.names:
            return
        yield f"; the columns there are {listed(batch.names)}"
        taken = {column for column in self.columns(batch).values() if column} | set(self.given.values())
        free = [name for name in dict.fromkeys(batch.names) if name not in taken]
        likely = {
            name: found
            for name in missing
            if name in self.given and (found := likely_name(self.given[name], free)) is not None
        }
        unnamed = [name for name in missing if name not in likely]
        others = [
            name
            for name, field in self.fields.items()
            if name not in (*missing, *self.given, *self.constants)
            and not any(column in batch.names for column in field.names)
        ]
        likely |= likely_columns(unnamed, others, [name for name in free if name not in likely.values()])
        if any(name in likely for name in missing):
            whole = self.given | likely
            yield "; did you mean "
            yield Option("columns", {self.fields[name].names[0]: column for name, column in whole.items()})
            yield "?"
        unknown = [
            self.fields[name].names[0] for name in unnamed if name not in likely and name not in self.given
        ]
        if unknown:
            it = "it is" if len(unknown) == 1 else "they are"
            yield " " if any(name in likely for name in missing) else "; "
            yield Option("columns", dict.fromkeys(unknown, ...))
            yield f" says how {it} called there"
        if constant := [name for name in unknown if name != FIELD]:
            yield ", "
            yield Option("constants", dict.fromkeys(constant, ...))
            yield " what is the same in all rows"

    def _values(self, columns: Mapping[str, object], row: int) -> dict[str, Any]:
        """Return a row's cells by field."""
        return {name: cell(column, row) for name, column in columns.items()}


def plan_of(
    subject: object,
    columns: Mapping[str, str] | None,
    constants: Mapping[str, object] | None,
    csv: Mapping[str, str | None] | None,
    game_column: str | None,
    seeds: object,
    seeds_by: object,
    unrevealed: str | None,
    repeats: str,
    threads: int | None,
    chain_steps: object = CHAIN_STEPS,
) -> Plan:
    """Return how a log is checked, by the arguments of `verify`."""
    return Plan(
        system_of(subject) if game_column is None else system_by_column(subject),
        named_column(columns, game_column),
        constants or {},
        threads_of(threads),
        repeats,
        csv,
        seeds=seeds,
        seeds_by=seeds_by,
        unrevealed=unrevealed,
        chain_steps=chain_steps,
    )


def log_and_plan(config: object, threads: int | None, **given: Any) -> tuple[Any, Plan]:
    """Return the log and how it is checked, by the arguments of `verify`, and of a config those left out."""
    asked = merged(config, given)
    return asked.pop("log"), plan_of(**asked, threads=threads)
