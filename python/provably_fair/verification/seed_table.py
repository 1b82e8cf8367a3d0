"""Tables of seeds, joined to the rounds by commitment or by another common column.

A table of seeds identifies each seed by a column that the rounds have too. Three kinds of columns are tried,
in this order: the column that the caller named; the published commitment, which both may list, or which is
the hash of the table's seeds; a single other column that both have and that identifies each seed once. If two
fit, both are refused, and an option decides. The rounds' own cells take precedence over those of the table.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadType
from provably_fair._core.printable import bare_hex, decoded, listed
from provably_fair.sources import Batch, LogError, Option, Query, Source, Wanted, has_url, open_log
from provably_fair.sources.dialect import SEPARATORS
from provably_fair.sources.foreign import Constant, cell, cells_of, is_empty

from .likely import likely_columns, words
from .systems import COMMITMENT, FIELD, SECRETS, Field


class _Unclear:
    """Sentinel for conflicting cells of one seed."""


class Joined(NamedTuple):
    """The seeds of a batch's rows."""

    key: str  # the column of the log that names them
    # The cells of each row's seed by field; None if the table lacks the seed
    seeds: list[dict[str, Any] | None]
    # Rows that name a seed of the table, or a commitment; seeds of others are missing, not unrevealed
    listed: np.ndarray
    unknown: int  # the number of rows that name a seed which the table lacks
    differing: int = 0  # the number of rows for which the log has another seed or commitment


class SeedTable:
    """A table of seeds, by the column that the rounds have as well."""

    def __init__(
        self,
        table: object,
        fields: Mapping[str, Field],
        candidates: Mapping[str, list[str]],
        wanted: Wanted,
        by: str | None,
    ) -> None:
        self.candidates = candidates
        self._by = by
        if not has_url(table):
            wanted = Wanted((), wanted.csv)
        if wanted.csv.separator in SEPARATORS:  # the table's column may have another name, which is inferred
            wanted = Wanted((), replace(wanted.csv, separator=None), wanted.storage)
        with _named():
            source = open_log(table, wanted)
            if not (source.again or isinstance(table, Query)):  # a query may return its rows in another order
                raise LogError("seeds must be a file, a frame or a table: a stream can't be read twice")
            with closing(source.batches()) as batches:
                self.names: tuple[str, ...] = next((batch.names for batch in batches), ())
        # Fields that differ from round to round don't belong to a seed.
        self._of_rounds = {
            name
            for field, known in fields.items()
            if fields[field].number or field in (FIELD, "salt")
            for name in known.names
        }
        self.columns: dict[str, str | None] = {
            field: next((name for name in names if name in self.names), None)
            for field, names in candidates.items()
            if field != FIELD and not fields[field].number
        }
        """The table's column of each field."""
        if not any(self.columns.get(secret) for secret in SECRETS):
            secrets = [name for name in SECRETS if name in fields]
            likely = likely_columns(secrets, [], self.names)
            if not likely and secrets:  # in a table of seeds that name is clear enough
                seeds = [name for name in self.names if words(name)[-1:] == ["seed"]]
                likely = {secrets[0]: seeds[0]} if len(seeds) == 1 else {}
            raise LogError(
                f"no column {' or '.join(map(repr, secrets)) or 'of seeds'}; the columns there are "
                f"{listed(self.names, 6)}",
                *(("; did you mean ", Option("columns", likely), "?") if likely else ()),
                subject="seeds",
                kind="columns",
            )
        with _named():
            self._cells = _cells(source, self.names)
        self._seeds: dict[tuple[str, str | None], dict[str, dict[str, Any]]] = {}
        """Seeds by the names of the joining column in the log and in the table."""

    def look_up(self, batch: Batch) -> Joined:
        """Return the seed of each row of a batch."""
        key, there = self._join(batch)
        if (key, there) not in self._seeds:
            cells = self._cells[there] if there else []
            if there in (None, self.columns.get(COMMITMENT)) and (secrets := self.columns.get("server_seed")):
                hashes = map(_commitment, self._cells[secrets])
                cells = [hash if is_empty(cell) else cell for hash, cell in zip_longest(hashes, cells)]
            self._seeds[key, there] = self._by_key(cells)
        seeds = self._seeds[key, there]
        names = [_key(value) for value in cells_of(batch.columns[key], batch.rows)]
        found = [seeds.get(name) for name in names]
        listed = np.array([seed is not None for seed in found], bool)
        lacking = [name for name, seed in zip(names, found, strict=True) if name != "" and seed is None]
        if lacking and there is None:
            # An unrevealed seed has no hash to compare, but its commitment may be in any of the columns.
            anywhere = {_key(value) for column in self._cells.values() for value in column}
            lacking = [name for name in lacking if name not in anywhere]
        if key in self.candidates.get(COMMITMENT, ()):  # operators list revealed seeds in such tables
            listed |= np.array([name != "" for name in names], bool)
        return Joined(key, found, listed, len(lacking))

    def join(self, joined: Joined, batch: Batch, columns: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """Return columns by field, with cells of the table where the log has none, and how many differ."""
        key, found = joined.key, joined.seeds
        added: dict[str, Any] = dict(columns)
        differ = np.zeros(batch.rows, bool)
        for field, column in self.columns.items():
            if column is None or column == key:
                continue
            own = columns.get(field)
            if own is not None and field not in (*SECRETS, COMMITMENT):
                continue
            cells = [None if row is None or is_empty(row[field]) else row[field] for row in found]
            published = columns.get(COMMITMENT) if field == "server_seed" else None
            hashes = cells_of(Constant(None) if published is None else published, batch.rows)
            logged = None if own is None else cells_of(own, batch.rows)
            if logged is not None:
                differ |= [*map(_differ, logged, cells, hashes)]
                if field == COMMITMENT:
                    continue
            for row in (i for i, value in enumerate(cells) if value is _Unclear):
                raise LogError(
                    f"rows with the same {key}, {cell(batch.columns[key], row)!r:.80}, "
                    f"differ in column {column!r:.80}",
                    subject="seeds",
                )
            if logged is not None:
                both = zip(logged, cells, hashes, strict=True)
                cells = [other if is_empty(one) or one == hash else one for one, other, hash in both]
            if published is not None:
                pairs = zip(cells, hashes, strict=True)
                cells = [None if isinstance(one, str) and one == other else one for one, other in pairs]
            added[field] = cells
        return added, int(differ.sum())

    def _join(self, batch: Batch) -> tuple[str, str | None]:
        """Return the joining columns of the log and of the table; None there if its seeds are hashed."""
        published = self.candidates.get(COMMITMENT, ())
        committed = next((name for name in published if name in batch.columns), None)
        there = self.columns.get(COMMITMENT)
        if self._by is not None:
            if self._by not in self.names or self._by not in batch.names:
                raise LogError(
                    f"seeds_by must be a column of the log ({listed(batch.names, 5)}) and of seeds "
                    f"({listed(self.names, 5)}), got {self._by!r:.60}"
                )
            return self._by, self._by
        if committed is not None and there is not None:
            return committed, there
        common = [
            name
            for name in self.names
            if name in batch.names and name not in self._of_rounds and name not in self.columns.values()
        ]
        twice = {name: cell for name in common if (cell := self._cell_twice(name)) is not None}
        common = [name for name in common if name not in twice]
        if len(common) == 1:
            return common[0], common[0]
        if committed is not None and self.columns.get("server_seed") and not common:
            return committed, None
        if common:
            raise LogError(
                f"both have the columns {listed(common)}; give ",
                Option("seeds_by", common[0]),
                " or another: the one that names a round's seed",
                subject="seeds",
            )
        if twice:
            (name, value), *_ = twice.items()
            raise LogError(
                f"both have the column {name!r:.60}, in which the seeds have {value} more than once: each "
                "seed must be there once, or ",
                Option("seeds_by", name),
                " joins rows that say the same",
                subject="seeds",
            )
        likely = likely_columns((), [COMMITMENT], batch.names) if committed is None else {}
        raise LogError(
            f"the log's columns ({listed(batch.names, 5)}) and those of the seeds "
            f"({listed(self.names, 5)}) have none in common that identifies a round's seed: ",
            Option("columns", likely or {COMMITMENT: ...}),
            " says which has the commitment, ",
            Option("seeds_by", ...),
            " which names a seed in both",
            subject="seeds",
        )

    def _cell_twice(self, name: str) -> str | None:
        """Return an empty or repeated cell of a column as text; None if there is none."""
        for key, count in Counter(_key(value) for value in self._cells[name]).items():
            if count > 1 or not key:
                return f"{key!r:.60}" if key else "empty cells"
        return None

    def _by_key(self, keys: list[Any]) -> dict[str, dict[str, Any]]:
        seeds: dict[str, dict[str, Any]] = {}
        for row, value in enumerate(keys):
            cells = {
                field: self._cells[name][row] for field, name in self.columns.items() if name is not None
            }
            seed = cells.get("server_seed")
            if seed is not None and _key(seed) == _key(cells.get(COMMITMENT)):
                cells["server_seed"] = None  # its hash, until it is revealed
            known = seeds.setdefault(_key(value), cells)
            for field, one in cells.items():
                if is_empty(known[field]):
                    known[field] = one
                elif not is_empty(one) and known[field] != one:
                    known[field] = _Unclear
        seeds.pop("", None)
        return seeds


@contextmanager
def _named() -> Iterator[None]:
    """Name the table in errors about it."""
    try:
        yield
    except LogError as error:
        raise LogError(*error.parts, subject="seeds", row=error.row, kind=error.kind) from None
    except BadType as error:
        raise BadType("seeds", error.problem) from None


def _cells(table: Source, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return all cells of a table."""
    found: dict[str, list[Any]] = {name: [] for name in names}
    assert table.other is not None
    with closing(table.other(names).batches()) as batches:
        for batch in batches:
            if batch.unreadable:
                row = min(batch.unreadable)
                raise LogError(f"row {row} can't be read: {batch.unreadable[row]!r:.80}", row=row)
            for name, cells in found.items():
                cells += cells_of(batch.columns.get(name, Constant(None)), batch.rows)
    return found


def _key(value: Any) -> str:
    """Return the key of a seed as text: equal for 5, 5.0 and "5", and for a hash in capitals or after 0x."""
    if is_empty(value):
        return ""
    value = decoded(value)
    if isinstance(value, float | np.floating | Decimal) and math.isfinite(value) and value == int(value):
        value = int(value)
    text = str(value).strip()
    digits = bare_hex(text).lower()
    return digits if len(digits) >= 32 and set(digits) <= set("0123456789abcdef") else text


def _differ(one: Any, other: Any, hash: Any) -> bool:
    """Whether two cells for one seed contradict each other; either may have its hash until it is revealed."""
    if one is other or is_empty(one) or is_empty(other):
        return False
    keys = {_key(one), _key(other)}
    return len(keys) > 1 and _key(hash) not in keys


def _commitment(seed: Any) -> str | None:
    if is_empty(seed):
        return None
    return hashlib.sha256(seed if isinstance(seed, bytes) else str(seed).encode()).hexdigest()
