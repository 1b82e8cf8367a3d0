"""How a log is checked: as what, and which of its columns is which field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, check_type, threads_of
from provably_fair._core.mistakes import Mistakes
from provably_fair._core.printable import decoded, listed, plain
from provably_fair.names import known_names

from .dialect import Dialect
from .foreign import Constant, cell, cells_of, is_empty
from .likely import by_likeness, likely_columns, likely_name, names_seed
from .log import settled
from .numbers import Numbers
from .seed_table import Joined, SeedTable
from .sources import Batch, LogError, MissingColumnError, Option, Source, Wanted
from .systems import COMMITMENT, FIELD, SECRETS, Field, System, named_column, system_of
from .systems.chains import GAME_HASH
from .values import check_option

LONGEST_MESSAGE = 400
"""Characters of what is said of a missing column."""


class Plan:
    """How a log is checked: as what, and which of its columns is which field."""

    def __init__(
        self,
        system: System,
        options: Mapping[str, Any],
        threads: int | None = None,
        also: Iterable[Field] = (),
    ) -> None:
        mistakes = Mistakes()
        for name, value in options.items():
            with mistakes.of(name):
                check_option(name, value)
        self.system = system
        self.csv: Dialect = Dialect() if "csv" in mistakes else Dialect.read(options["csv"])
        self.time_formats: dict[str, str] = (
            {} if "time_formats" in mistakes else dict(options["time_formats"] or {})
        )
        self.threads = threads
        self.chain_steps: int = 0 if "chain_steps" in mistakes else int(options["chain_steps"])
        self.repeats_fail: Any = options["repeats"] == "fail"
        self.ordered: bool = options["ordered"]
        self.fields: dict[str, Field] = {field.name: field for field in (*also, *system.fields)}
        self.about: Mapping[str, str] = {}
        """What the log's config says of it, for its readers."""
        self.inputs: list[Path] = []
        """The files on disk that are read beside those of the log."""
        self.given: dict[str, str] = {}
        self.constants: dict[str, Any] = {}
        with mistakes.of("columns"):
            self.given = self._by_field("columns", named_column(options["columns"], options["game_column"]))
        with mistakes.of("constants"):
            self._read_constants(options["constants"])
        mistakes.tell()
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
        self._storage = storage = options["storage_options"]
        self.seeds: SeedTable | None = None
        seeds, by = options["seeds"], options["seeds_by"]
        if seeds is not None:
            self.seeds = SeedTable(seeds, self.fields, self.candidates, Wanted((), self.csv, storage), by)
        elif by is not None:
            raise BadValue("seeds_by", "isn't supported without a table of seeds")
        self.secrets: list[str] = []
        """Fields without which a row isn't checkable yet."""
        if (options["unrevealed"] or ("fail" if seeds is None else "report")) == "report":
            self.secrets = [name for name in SECRETS if name in self.fields]

    def _read_constants(self, constants: Any) -> None:
        for name, value in self._by_field("constants", constants).items():
            if self.fields[name].words is not None and isinstance(value, Mapping):
                self.fields[name] = self.fields[name].with_words(value)
                continue
            try:
                self.constants[name] = self.system.constant(name, value)
            except (TypeError, ValueError) as error:
                raise LogError(f"column {name!r}: {error}", subject="log") from None

    def _by_field(self, argument: str, mapping: Mapping[str, object] | None) -> dict[str, Any]:
        """Return an argument with the fields' own names, checked."""
        mapping = {} if mapping is None else mapping
        check_type(argument, mapping, Mapping, "a mapping of fields")
        known = {name: field for field in self.fields.values() for name in field.names}
        if unknown := [repr(name) for name in mapping if name not in known]:
            raise BadValue(argument, f"may name the fields {', '.join(known)}, got {', '.join(unknown):.200}")
        found: dict[str, Any] = {}
        for name, value in mapping.items():
            field = known[name]
            if field.name in found:
                both = " and ".join(map(repr, field.names))
                raise BadValue(argument, f"must name a field once: {both} are the same one")
            found[field.name] = value
        return found

    @property
    def wanted_columns(self) -> Wanted:
        """The columns that a log may have."""
        names = {name for names in self.candidates.values() for name in names}
        names |= set() if self.seeds is None else set(self.seeds.names)
        return Wanted(names, self.csv, self._storage)

    def columns(self, batch: Batch | None = None) -> dict[str, str | None]:
        """Return each field's column in a batch; None where there is none."""
        there = {} if batch is None else batch.columns
        return {
            field: next((name for name in names if name in there), None)
            for field, names in self.candidates.items()
        }

    def look_up(self, batch: Batch) -> Joined | None:
        """Return the seeds of a batch's rows, where they are in a table of their own."""
        return None if self.seeds is None else self.seeds.look_up(batch)

    def columns_of(
        self, batch: Batch, joined: Joined | None = None, room: int = LONGEST_MESSAGE
    ) -> dict[str, Any]:
        """Return the column of each field that there is one of; where one is missing, say so in this room."""
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
            if column is not None and not (field.needed and _holds_objects(column, batch)):
                columns[name] = batch.columns[column]
            elif field.needed or name in self.given:
                missing.append(name)
            elif field.default is not None:
                columns[name] = Constant(field.default)
        if self.seeds is not None and joined is not None:
            columns = self.seeds.join(joined, batch, columns)
            missing = [name for name in missing if name not in columns]
        if missing:
            raise MissingColumnError(*self._missing(missing, batch, room).parts, columns=tuple(missing))
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

    def _missing(self, missing: list[str], batch: Batch, room: int) -> LogError:
        """Say which columns are missing, which are there, and which of these are likely meant."""
        called = [plain((self.candidates[name] or self.fields[name].names)[0], 60) for name in missing]
        said: list[str | Option] = [f"no column {', '.join(map(repr, called))}"]
        if not batch.names:
            return LogError(*said)
        taken = {
            column
            for name, column in self.columns(batch).items()
            if column and name not in missing and not self._is_mistaken(name, column, batch)
        }
        taken |= set(self.given.values())
        free = [name for name in dict.fromkeys(batch.names) if name not in taken]
        free = [name for name in free if not _holds_objects(name, batch)]
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
        # What may be meant comes first: there may be no room for all.
        there = [*by_likeness(missing, free), *(name for name in batch.names if name not in free)]
        if any(name not in likely for name in missing) and (hint := self._better_game(batch)):
            return _within(room, said, batch.names, there, ["; ", *hint])
        # What is left over is meant by what nothing looks like.
        lost = [name for name in missing if name not in likely]
        left = [name for name in free if name not in [likely.get(needed) for needed in missing]]
        left = [name for name in left if not names_seed(name)]
        if len(lost) == len(left) == 1:
            likely = {name: column for name, column in likely.items() if column != left[0]}
            likely[lost[0]] = left[0]
        hints: list[str | Option] = []
        if any(name in likely for name in missing):
            whole = self.given | {name: likely[name] for name in (*missing, *others) if name in likely}
            hints = [
                "; did you mean ",
                Option("columns", _copied(whole, self.fields, room - len(str(said[0])) - 60)),
                "?",
            ]
        unknown = [
            self.fields[name].names[0] for name in unnamed if name not in likely and name not in self.given
        ]
        if unknown:
            it = "it is" if len(unknown) == 1 else "they are"
            hints += [" " if hints else "; ", Option("columns", dict.fromkeys(unknown, ...))]
            hints.append(f" says how {it} called there")
        elsewhere = self._is_committed(batch) or any(map(names_seed, batch.names))
        if self.seeds is None and any(name in SECRETS for name in unknown) and elsewhere:
            hints += [", ", Option("seeds", ...), " where a table of seeds is"]
        elif constant := [name for name in unknown if name != FIELD]:
            hints += [", ", Option("constants", dict.fromkeys(constant, ...))]
            hints.append(" what is the same in all rows")
        if GAME_HASH in unknown:
            hints.append("; locate places outcomes without hashes")
        return _within(room, said, batch.names, there, hints)

    def _is_mistaken(self, name: str, column: str, batch: Batch) -> bool:
        """Whether a column that is called like a parameter, such as mines, holds no numbers, but outcomes."""
        field = self.fields[name]
        if not field.number or field.needed or name in self.given or column not in batch.columns:
            return False
        first = next((one for one in cells_of(batch.columns[column], batch.rows) if not is_empty(one)), 0)
        text = decoded(first)
        return not isinstance(text, int | float | np.number) and not str(text).strip().isdecimal()

    def _is_committed(self, batch: Batch) -> bool:
        """Whether a batch has commitments of server seeds."""
        published = {COMMITMENT: self.fields[COMMITMENT]} if COMMITMENT in self.fields else {}
        return bool(_found_by(published, batch.names))

    def _better_game(self, batch: Batch) -> list[str | Option] | None:
        """Return which game of the same name a batch has all columns of, where there is one."""
        base, _, parameters = self.system.name.partition(":")
        fits: dict[str, tuple[str, dict[str, str]]] = {}
        for name in known_names():
            if name == base or name.rpartition(".")[2] != base.rpartition(".")[2]:
                continue
            try:
                other = system_of(f"{name}:{parameters}" if parameters else name)
            except ValueError:  # which has no such parameters
                other = system_of(name)
            fields = {field.name: field for field in other.fields}
            found = _found_by(fields, batch.names)
            if all(field.name in found for field in other.fields if field.needed):
                new = next((name for name in found if fields[name].needed and name not in self.fields), "")
                named = {
                    name: column
                    for name, column in found.items()
                    if column not in (*fields[name].names, *fields[name].aliases)
                }
                fits.setdefault(other.name, (new, named))
        if not fits:
            return None
        (name, (field, named)), *more = fits.items()
        words = (
            f"a log with {field.replace('_', ' ')}{'es' if field.endswith('h') else 's'}: " if field else ""
        )
        hint: list[str | Option] = [f"{words}did you mean {name}"]
        if named:
            hint += [" with ", Option("columns", named)]
        rest = f" ({', '.join(other for other, _ in more[:3])} would fit as well)" if more else ""
        return [*hint, f"?{rest}"]


def _holds_objects(column: str, batch: Batch) -> bool:
    """Whether the cells of a column are objects, whose values are columns of their own."""
    return any(name.startswith(f"{column}.") for name in batch.names)


def _found_by(fields: Mapping[str, Field], names: Sequence[str]) -> dict[str, str]:
    """Return the column of each field that is called like it, or by a word that stands for it."""
    found = {
        name: column
        for name, field in fields.items()
        if (column := next((one for one in (*field.names, *field.aliases) if one in names), None)) is not None
    }
    free = [name for name in names if name not in found.values()]
    return found | likely_columns((), [name for name in fields if name not in found], free)


def _copied(columns: Mapping[str, str], fields: Mapping[str, Field], room: int) -> dict[str, str]:
    """Return columns by field as a call has them, those that there is room for."""
    kept: dict[str, str] = {}
    for name, column in columns.items():
        room -= len(name) + len(column) + 14  # as the command writes it
        if room >= 0 or not kept:
            kept[fields[name].names[0]] = column
    return kept


def _within(
    room: int,
    said: Sequence[str | Option],
    names: Sequence[str],
    first: Sequence[str],
    hints: Sequence[str | Option],
) -> LogError:
    """Return an error that lists as many of a log's columns as there is room for: of too many, the first."""
    spelled = sum(len(str(part)) + 9 * isinstance(part, Option) for part in (*said, *hints))
    for most in range(min(len(names), 30), 0, -1):
        there = f"; the columns there are {listed(names if most == len(names) else first, most)}"
        if spelled + len(there) <= room:
            return LogError(*said, there, *hints)
    return LogError(*said, f"; there are {len(names):,} columns", *hints)


def planned(
    log: object,
    game: object,
    options: Mapping[str, Any],
    threads: object,
) -> tuple[Any, Plan]:
    """Return a log, and how it is checked, by the arguments of a call."""
    asked = settled(log, game, options)
    with asked.naming_config():
        plan = Plan(asked.system, asked.options, threads_of(threads))
    plan.inputs, plan.about = asked.inputs, asked.about
    return asked.source, plan


class Again:
    """Reads single rows of a log again."""

    def __init__(self, plan: Plan, source: Source | None) -> None:
        self.plan = plan
        self.source = source

    def __getstate__(self) -> dict[str, object]:
        # The log itself stays behind.
        return {"plan": self.plan, "source": None}

    @property
    def inputs(self) -> list[Path]:
        """The files on disk that were read."""
        return [*self.plan.inputs, *([] if self.source is None else self.source.inputs())]

    def row(self, row: int) -> dict[str, Any]:
        """Return a row's cells by field."""
        if self.source is None or not self.source.again:
            raise BadValue("row", f"{row} wasn't kept, and the log can't be read again")
        plan, done = self.plan, 0
        with closing(self.source.pieces()) as pieces:
            for piece in pieces:
                numbers = Numbers(plan.csv)
                for batch in _readable(piece.batches()):
                    columns = plan.read_numbers(numbers, batch, plan.columns_of(batch, plan.look_up(batch)))
                    count = batch.rows + len(batch.unreadable)
                    if row < done + count:
                        places = [batch.place(i) for i in range(batch.rows)]
                        place = min([*places[:1], *batch.unreadable]) + row - done
                        if place in batch.unreadable:
                            raise BadValue("row", f"{row} can't be explained: its line can't be read")
                        return {name: cell(column, places.index(place)) for name, column in columns.items()}
                    done += count
        raise BadValue("row", f"{row} can't be read again")

    def others(self, rows: Sequence[int], names: Sequence[str]) -> list[dict[str, Any]]:
        """Return cells of columns that weren't read, as far as the log's first batch has the rows."""
        found: dict[int, dict[str, Any]] = {}
        if not names or self.source is None or not self.source.again or self.source.other is None:
            return [{} for _ in rows]
        with suppress(ValueError, OSError):  # whatever became of it since
            # Those that were read are read again: a text may stand for as many rows as they have.
            source = self.source.other({*self.plan.wanted_columns, *names})
            with closing(source.pieces()) as pieces:
                batch = next((batch for piece in pieces for batch in piece.batches()), Batch({}, 0, 0))
            there = [name for name in names if name in batch.columns]
            places = np.arange(batch.rows) + batch.places if isinstance(batch.places, int) else batch.places
            for i in np.flatnonzero(np.isin(places, rows)).tolist():
                found[int(places[i])] = {name: cell(batch.columns[name], i) for name in there}
        return [found.get(row, {}) for row in rows]


def _readable(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Give batches as long as they can be read."""
    try:
        yield from batches
    except LogError:
        return
