"""The first rows of a log by column, and the assignments of columns to the fields of a game."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair._core.arguments import check_type
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import decoded, listed
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.games.rounds import rounds_of
from provably_fair.operators.registry import column_names
from provably_fair.readings.search import Cells, choice_of, values_in
from provably_fair.seeds.schemes import Scheme, kind_of
from provably_fair.sources import Batch, LogError, Wanted, open_log
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.foreign import Constant, as_text, cells_of, has_halves, is_empty
from provably_fair.sources.numbers import Numbers
from provably_fair.verification.columns import added_cells
from provably_fair.verification.likely import is_called, likely_columns
from provably_fair.verification.log import LogCall
from provably_fair.verification.plan import added_to, plan_of
from provably_fair.verification.seed_table import SeedTable
from provably_fair.verification.systems import COMMITMENT, FIELD, GAME, SECRETS, System, system_by_column
from provably_fair.verification.systems.notations import BUCKET, Notations
from provably_fair.verification.systems.system import whole

from .families import MISREAD
from .unidentified import number_in, pairs_of_commitments

_SOME = 24
"""The number of cells that tell how much a column looks like a field."""
_MOST_WAYS, _WITH_SALT = 60, 6
"""The largest number of assignments of columns by their contents, per game and per optional field."""
_SHORT = 10**8
"""Whole numbers below this aren't taken for a secret, unless the column is named like one."""
_HEX = set("0123456789abcdef")

_Outcomes = Sequence[tuple[float, ...] | None]
_Ways = list[dict[str, str]]


class Column:
    """A column of the first rows: its cells as written, and with numbers in Python's notation."""

    def __init__(self, raw: list[Any], read: list[Any]) -> None:
        self.raw, self.read = raw, read
        self.there: list[bool] = [not is_empty(cell) for cell in raw]

    def are_most(self, good: Sequence[bool]) -> bool:
        """Return whether cells are good, all but empty ones and a few that may be misread."""
        some = list(itertools.compress(good, self.there))
        return sum(some) >= (1 - MISREAD) * len(some) and any(some)

    @cached_property
    def texts(self) -> list[str]:
        """The cells as text."""
        return list(map(str, self.raw))

    @cached_property
    def wholes(self) -> list[int | None]:
        """The whole numbers of cells, from 0 on."""
        return list(map(_whole, self.read))

    @cached_property
    def outcomes(self) -> list[tuple[float, ...] | None]:
        """The outcomes in the cells."""
        return _values(self.read)

    @cached_property
    def usual(self) -> str | None:
        """The text that almost all cells have; None if there is none."""
        ((text, count),) = Counter(self.texts).most_common(1) or [("", 0)]
        return text if count and count >= (1 - MISREAD) * len(self.texts) else None

    @cached_property
    def is_number(self) -> bool:
        """Whether it has whole numbers."""
        return self.are_most([number is not None for number in self.wholes])

    @cached_property
    def is_text(self) -> bool:
        """Whether its cells may be texts."""
        return self.are_most([isinstance(cell, (str, int, np.integer)) for cell in self.raw])

    @cached_property
    def is_short(self) -> bool:
        """Whether it has only numbers that are too short for a secret."""
        some = itertools.compress(self.wholes, self.there)
        return all(number is not None and number < _SHORT for number in some)

    @cached_property
    def steps(self) -> list[bool]:
        """Whether each cell that isn't empty is the number after the one before."""
        some = list(itertools.compress(self.wholes, self.there))
        return [a is not None and b is not None and b == a + 1 for a, b in itertools.pairwise(some)]

    @cached_property
    def secrecy(self) -> float:
        """How much its first cells look like secrets: hex digits, and many of them."""
        some = list(itertools.compress(self.raw, self.there))[:_SOME]
        digits = sum(isinstance(cell, str) and set(cell.lower()) <= _HEX for cell in some)
        length = min(max((len(str(cell)) for cell in some), default=0), 64) / 64
        return digits / max(len(some), 1) + length

    def likeness(self, name: str, kind: str) -> float:
        """Return how much it looks like a field: consecutive numbers like a nonce, hex like a secret."""
        if kind == "number":
            return sum(self.steps[: _SOME - 1])
        return -self.secrecy if name == "client_seed" else self.secrecy


def seeds_of(asked: LogCall, games: Sequence[Game]) -> SeedTable | None:
    """Return the table of seeds of a call, for the fields of these games."""
    system, known = _system_of(games)
    columns = {name: one for name, one in (asked.options["columns"] or {}).items() if name in known}
    options = asked.options | {"columns": columns, "constants": None}
    return plan_of(asked._replace(options=options), system).seeds


def _system_of(games: Sequence[Game]) -> tuple[System, list[str]]:
    """Return the system of logs of any of these games, and the names of its fields."""
    system = system_by_column({typed_name(game): game for game in games})
    return system, sorted({name for field in system.fields for name in field.names})


@dataclass
class Table:
    """The first rows of a log."""

    columns: dict[str, Column]
    rows: int
    dialect: Dialect

    @classmethod
    def read(cls, asked: LogCall, dialect: Dialect, most: int, seeds: SeedTable | None = None) -> Table:
        """Read the first rows of a log, with the seeds that a table of their own has."""
        source = open_log(asked.source, Wanted((), dialect, asked.options["storage_options"], every=True))
        if not source.again:
            raise LogError(
                "it can be read only once, but is read twice here: give a file or columns", subject="log"
            )
        cells: dict[str, list[Any]] = {}
        rows = 0
        for batch in source.batches():
            columns = batch.columns if seeds is None else _with_seeds(seeds, batch)
            for name in cells or dict.fromkeys((*batch.names, *columns)):
                own = columns.get(name, Constant(None))
                column = [*np.asarray(own)] if has_halves(own) else cells_of(own, batch.rows)
                cells.setdefault(name, []).extend(map(_with_text, column[: most - rows]))
            rows = min(rows + batch.rows, most)
            if rows == most:
                break
        for column in (asked.options["columns"] or {}).values():  # such as "n - 1"
            if column not in cells and (found := added_to(column)) is not None and found[0] in cells:
                own = {found[0]: cells[found[0]]}
                cells[column] = added_cells((own | _as_numbers(own, dialect))[found[0]], rows, found[1])
        return cls.of(cells, rows, dialect)

    @classmethod
    def of(cls, cells: dict[str, list[Any]], rows: int, dialect: Dialect) -> Table:
        """Return a table of cells as written."""
        read = {**cells, **_as_numbers(cells, dialect)}
        return cls({name: Column(cells[name], read[name]) for name in cells}, rows, dialect)

    def by_game(self, column: str) -> dict[str, Table]:
        """Return the rows of each text in a column of games."""
        if column not in self.columns:
            raise _no_column(column, GAME, self)
        rows: dict[str, list[int]] = {}
        for row, cell in enumerate(self.columns[column].raw):
            rows.setdefault(as_text(cell).strip(), []).append(row)
        rows.pop("", None)
        others = {name: one for name, one in self.columns.items() if name != column}
        rest = Table(others, self.rows, self.dialect)
        return {text: rest.some(own) for text, own in rows.items()}

    def some(self, rows: Sequence[int]) -> Table:
        """Return some of the rows."""
        cells = {name: [column[row] for row in rows] for name, column in self.cells.items()}
        return Table.of(cells, len(rows), self.dialect)

    @property
    def cells(self) -> dict[str, list[Any]]:
        """The cells as written, by column."""
        return {name: column.raw for name, column in self.columns.items()}

    @cached_property
    def committed(self) -> dict[str, str]:
        """Columns whose hash is in another column; with that column."""
        return pairs_of_commitments(self.cells)


@dataclass(frozen=True)
class Given:
    """The columns of some fields, and the constant values of others, as given in the call."""

    columns: Mapping[str, str]
    constants: Mapping[str, Any]
    salts: Sequence[Any] = ()  # the salts to try for a family

    @classmethod
    def of(cls, asked: LogCall, table: Table, games: Sequence[Game]) -> Given:
        """Read the options; raise an error for a column that the table, or a field that no game has."""
        columns, constants = (asked.options[name] or {} for name in ("columns", "constants"))
        known = _system_of(games)[1] if columns or constants else []
        for name, mapping in (("columns", columns), ("constants", constants)):
            check_type(name, mapping, Mapping, "a mapping of fields")
            for key in mapping:
                check_type(name, key, str, "a mapping of names of fields")
            if unknown := sorted(map(repr, mapping.keys() - {*known})):
                problem = f"may name fields of the games that are tried, which are {', '.join(known)}"
                raise BadValue(name, f"{problem}; got {', '.join(unknown):.200}")
        for field_name, column in columns.items():
            if column not in table.columns:
                raise _no_column(column, field_name, table)
        for name, value in constants.items():
            if _with_text(value) is None:
                problem = f"must be text or a whole number, got {type(value).__name__}"
                raise BadType("constants", problem, index=name)
        constants = {
            name: value.item() if isinstance(value, np.generic) else decoded(value)
            for name, value in constants.items()
        }
        salts = constants.get("salt", ())
        if isinstance(salts, (list, tuple)):
            constants = {name: value for name, value in constants.items() if name != "salt"}
        else:
            salts = [salts]
        salts = list(map(decoded, salts))
        return cls(columns, constants, salts)

    def outcomes(self, table: Table) -> list[str]:
        """Return the column of outcomes, or those that are called so; none if it may be any."""
        if FIELD in self.columns:
            return [self.columns[FIELD]]
        return [name for name, one in table.columns.items() if is_called(FIELD, name) and any(one.there)]


def number_columns(table: Table, given: Given) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the column of outcomes, or each possible one, as numbers; NaN for an empty cell."""
    for name in given.outcomes(table)[:1] or table.columns:
        column = table.columns[name]
        if has_halves(column.raw):
            continue
        single = [None if values is None or len(values) != 1 else values[0] for values in column.outcomes]
        if column.are_most([number is not None for number in single]):
            narrow = all(number is None or isinstance(number, np.float32) for number in single)
            numbers = [np.nan if number is None else number for number in single]
            yield name, np.array(numbers, np.float32 if narrow else np.float64)


def tried_columns(table: Table, games: Sequence[Game], given: Given) -> Iterator[TriedColumn]:
    """Yield each column of possible outcomes, as games read it."""
    taken = {column for name, column in given.columns.items() if name != FIELD}
    for name in given.outcomes(table) or table.columns:
        column = table.columns[name]
        if name in taken or (all(column.there) and all(column.steps) and None not in column.wholes):
            continue
        written = 2 * sum(values is not None for values in column.outcomes) <= sum(column.there)
        as_it_is = tuple(column.outcomes)
        readings: dict[tuple[Any, ...], list[Game]] = {}
        for game in games:
            cells = _as_written(game, column.raw, table.dialect) if written else None
            readings.setdefault(cells or as_it_is, []).append(game)
        for outcomes, own in readings.items():
            sizes = Counter(len(values) for values in outcomes if values is not None)
            if sizes and len(set(outcomes)) > 1:
                yield TriedColumn(table, name, outcomes, sizes.most_common(1)[0][0], own, given)


class TriedColumn:
    """The rows with an outcome in one column, in the notation of some games."""

    def __init__(
        self, table: Table, outcome: str, logged: _Outcomes, size: int, games: Sequence[Game], given: Given
    ) -> None:
        self.outcome, self.size, self.games, self.given = outcome, size, games, given
        self._table = table
        self._logged = {row: values for row, values in enumerate(logged) if values and len(values) == size}
        self._columns = table.columns | {
            name: Column([value] * table.rows, [value] * table.rows)
            for name, value in given.constants.items()
        }
        taken = {outcome, *given.columns.values(), *given.constants}
        self._free = [name for name, one in table.columns.items() if name not in taken and any(one.there)]
        self._ways: dict[tuple[Any, ...], _Ways] = {}
        self._rows: dict[tuple[tuple[str, bool], ...], list[int]] = {}

    def ways(self, game: Game) -> _Ways:
        """Return the assignments of columns to a game's fields: by names first, then by contents."""
        constant = rounds_of(game).constants
        fields = tuple(game.scheme.fields)
        given = [name for name in fields if name not in game.scheme.defaults]
        needed = [name for name in given if name not in constant]
        key = (fields, *needed, type(game))
        if key not in self._ways:
            called = column_names(game)
            self._ways[key] = list(self._each_way(game.scheme, needed, called))
            if constant:  # an operator may have constants of its own
                others = self._each_way(game.scheme, given, called)
                self._ways[key] += [way for way in others if way not in self._ways[key]]
        return self._ways[key]

    def _each_way(
        self, scheme: Scheme, needed: Sequence[str], called: Mapping[str, Sequence[str]]
    ) -> Iterator[dict[str, str]]:
        told: dict[str, str] = {
            name: self.given.columns.get(name, name)
            for name in scheme.fields
            if name in self.given.columns or name in self.given.constants
        }
        named = dict(told)
        for name in scheme.fields:
            column = next((one for one in (name, *called.get(name, ())) if one in self._free), None)
            if column is not None:
                named.setdefault(name, column)
        others = [name for name in needed if name not in named]
        left = [name for name in self._free if name not in named.values()]
        likely = likely_columns(others, [COMMITMENT], left)
        named |= {name: likely[name] for name in others if name in likely}
        seen = []
        if all(name in named for name in needed):
            seen.append(named)
            yield named
            if not others:
                return
        open_ = [name for name in needed if name not in told]
        for columns in itertools.islice(self._by_content(scheme, open_, self._free), _MOST_WAYS):
            if told | columns not in seen:
                yield told | columns
        for name, column in itertools.product(scheme.defaults, self._free):
            one, is_salt = self._columns[column], kind_of(scheme, name) == "text"
            if name not in told and ((one.usual is not None and one.is_text) if is_salt else one.is_number):
                rest = [free for free in self._free if free != column]
                for columns in itertools.islice(self._by_content(scheme, open_, rest), _WITH_SALT):
                    yield told | columns | {name: column}

    def _by_content(
        self, scheme: Scheme, needed: Sequence[str], free: Sequence[str]
    ) -> Iterator[dict[str, str]]:
        """Yield each assignment of columns whose contents fit the fields, the likeliest first."""
        committed = self._table.committed
        choices = []
        for name in needed:
            kind = kind_of(scheme, name)
            columns = {column: self._columns[column] for column in free}
            fits = [of for of, one in columns.items() if (one.is_number if kind == "number" else one.is_text)]
            if name in SECRETS:
                fits = [column for column in fits if not columns[column].is_short]
            if name == "server_seed" and any(column in committed for column in fits):
                fits = [column for column in fits if column in committed]
            elif name != "nonce":
                fits = [column for column in fits if column not in committed.values()] or fits
            choices.append(sorted(fits, key=lambda column: -columns[column].likeness(name, kind)))
        for chosen in itertools.product(*choices):
            if len(set(chosen)) == len(chosen):
                yield dict(zip(needed, chosen, strict=True))

    def cells(self, game: Game, columns: Mapping[str, str], count: int) -> Cells:
        """Return the first different rounds that have all of a game's fields.

        Those with the same fields and other outcomes differ, too: only one of them can match.
        """
        read = {
            name: one.wholes if kind_of(game.scheme, name) == "number" else one.texts
            for name, column in columns.items()
            for one in [self._columns[column]]
        }
        key = tuple((column, kind_of(game.scheme, name) == "number") for name, column in columns.items())
        if key not in self._rows:
            there = [self._columns[column].there for column in columns.values()]
            rows: dict[tuple[Any, ...], int] = {}
            for row in self._logged:
                cells = tuple(column[row] for column in read.values())
                if None not in cells and all(column[row] for column in there):
                    rows.setdefault((*cells, self._logged[row]), row)
            self._rows[key] = list(rows.values())
        some = self._rows[key][:count]
        fields = {name: [cells[row] for row in some] for name, cells in read.items()}
        choice = choice_of(game) or ""
        if (chosen := self._columns.get(self.given.columns.get(choice, choice))) is not None:
            fields[choice] = [chosen.raw[row] for row in some]
        return Cells(fields, [self._logged[row] for row in some])


def _no_column(column: str, field: str, table: Table) -> LogError:
    there = listed(list(table.columns), 20) if table.columns else "none"
    column, _ = added_to(column) or (column, 0)
    text = f"no column {column!r:.60} for {field!r:.60}; the columns there are {there}"
    return LogError(text, subject="log", kind="columns")


def _with_seeds(seeds: SeedTable, batch: Batch) -> dict[str, Any]:
    """Return the columns of a batch, and those that are joined to it, by their names in the log or there."""
    known = {
        field: next((name for name in names if name in batch.columns), None)
        for field, names in seeds.candidates.items()
    }
    own = {field: batch.columns[name] for field, name in known.items() if name is not None}
    joined, _ = seeds.join(seeds.look_up(batch), batch, own)
    added = {known.get(field) or seeds.columns[field] or field: cells for field, cells in joined.items()}
    return {**batch.columns, **added}


def _values(cells: Sequence[Any]) -> list[tuple[float, ...] | None]:
    return [None if is_empty(cell) else values_in(cell) for cell in cells]


def _as_written(game: Game, cells: list[Any], dialect: Dialect) -> tuple[Any, ...] | None:
    """Return outcomes in a game's own notation: cards, words, percent, lists."""
    with suppress(LogError):  # a column of mixed notations
        made, way, count = Notations().read(game, typed_name(game), cells, len(cells), varies=True)
        if count and way != BUCKET:
            made = list(made)
            return tuple(_values(_as_numbers({FIELD: made}, dialect).get(FIELD, made)))
    return None


def _with_text(cell: Any) -> Any:
    """Return a cell, bytes decoded; None if it has no text."""
    cell = decoded(cell)
    if not isinstance(cell, (str, int, float)):
        try:
            str(cell)
        except Exception:  # of an object of the caller's, which may fail in any way
            return None
    return cell


def _as_numbers(table: Mapping[str, list[Any]], dialect: Dialect) -> dict[str, list[Any]]:
    """Return text columns of numbers in Python's notation; ambiguous ones are left out."""
    texts = {}
    for name, cells in table.items():
        good = [isinstance(cell, str) and number_in(cell) is not None for cell in cells]
        if Column(cells, cells).are_most(good):
            texts[name] = [cell if one else None for one, cell in zip(good, cells, strict=True)]
    with suppress(LogError):
        return Numbers(dialect).read(texts, {})
    read: dict[str, list[Any]] = {}
    for name, cells in texts.items():
        with suppress(LogError):  # an ambiguous column stays as it is
            read |= Numbers(dialect).read({name: cells}, {})
    return read


def _whole(cell: Any) -> int | None:
    """Return a whole number from 0 on; None for anything else."""
    with suppress(ValueError, OverflowError):
        if not isinstance(cell, bool) and (number := int(whole(cell))) >= 0:
            return number
    return None
