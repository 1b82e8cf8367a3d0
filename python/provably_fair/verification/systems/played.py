"""Games of one's own, and any game under another scheme than its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair._core.types import JsonDict
from provably_fair._engine import Verdicts, verify_played
from provably_fair.games import Game, changed, check_dtype
from provably_fair.operators import column_names
from provably_fair.seeds import Hash, Scheme
from provably_fair.seeds.schemes import hex_fields, kind_of

from ..foreign import cell, is_numeric, take
from .chains import GAME_HASH, TERMINATING, Chains
from .system import COMMITMENT, FIELD, SALT_COMMITMENT, Field, Rows, System, whole

_MAX_NUMBER = 2**63 - 1
_OF_SEEDS = {COMMITMENT: "server_seed", SALT_COMMITMENT: "salt"}


class PlayedGame(System):
    """A game whose rounds its own `play` recomputes."""

    def __init__(self, game: Game) -> None:
        _ = game.shape  # refuses a class that is no game
        self.game = game
        self.name = repr(game)
        scheme = game.scheme
        self.scheme = scheme
        self.commitments = {
            name: Hash("sha256", f"{{{seed}}}") for name, seed in _OF_SEEDS.items() if seed in scheme.fields
        }
        if scheme.commitment is not None:
            self.commitments[COMMITMENT] = scheme.commitment
        self.chains = Chains() if GAME_HASH in scheme.fields else None
        revealed = {
            name: None
            for hash in self.commitments.values()
            for name in hash.fields
            if name not in scheme.fields
        }
        self.revealed = list(revealed)
        """Fields that commitments alone are of, such as a salt that is revealed with the seed."""
        own = {field.name: getattr(game, field.name) for field in dataclass_fields(game)}
        taken = {*scheme.fields, FIELD, *self.published, *self.revealed}
        self.numbers = [name for name, value in own.items() if type(value) is int and name not in taken]
        """Parameters that may differ by row: whole numbers."""
        known = (
            *(
                Field(
                    name,
                    name not in scheme.defaults,
                    default=scheme.defaults.get(name),
                    text=kind_of(name) == "text",
                    number=kind_of(name) == "number",
                )
                for name in scheme.fields
            ),
            *(Field(name, False, number=True) for name in self.numbers),
            Field(FIELD, number=not game.shape),
            *(Field(name, False) for name in (*self.revealed, *self.published)),
        )
        called = column_names(game)
        self.fields = tuple(replace(field, aliases=called.get(field.name, ())) for field in known)

    @property
    def published(self) -> list[str]:
        """Fields with what was published before the rounds."""
        return [*self.commitments, *([TERMINATING] if self.chains is not None else [])]

    def parameters(self) -> JsonDict:
        own = {field.name: getattr(self.game, field.name) for field in dataclass_fields(self.game)}
        plain = {
            name: value if isinstance(value, (int, float, str)) else repr(value)
            for name, value in own.items()
        }
        return {"game": self.game.name, **plain, "scheme": repr(self.scheme)}

    def verify(self, rows: Rows) -> Verdicts:
        if self.chains is not None:
            self.chains.begin()
        columns = dict(rows.columns)
        hashes = (self.scheme.hash, *self.commitments.values())
        hexadecimal = {name for hash in hashes for name in hex_fields(hash)}
        kinds = []
        for name in self.scheme.fields:
            kind = kind_of(name)
            if kind == "number" or (kind == "any" and is_numeric(columns[name])):
                kinds.append((name, "whole", 0, _MAX_NUMBER))
            else:
                kinds.append((name, "hex" if name in hexadecimal else "text", 0, 0))
        kinds += [(name, "text", 0, 0) for name in self.revealed if name in columns]
        varying = [name for name in self.numbers if name in columns]
        kinds += [(name, "whole", -_MAX_NUMBER, _MAX_NUMBER) for name in varying]
        options = {name: value for name, value in rows.options.items() if name != "threads"}
        verdicts = verify_played(
            kinds,
            self.published,
            _Recomputed(self, rows, kinds, varying).play,
            columns,
            rows.count,
            **options,
        )
        if verdicts.narrow is not None:
            check_dtype(self.game, FIELD, np.dtype(f"float{verdicts.narrow}"))
        return verdicts

    def notes(self, checked: int, assumed: int) -> list[str]:
        return [] if self.chains is None else self.chains.notes()

    def explain(self, row: Mapping[str, object]) -> Any:
        values = {
            name: whole(row[name]) if kind_of(name) == "number" else row[name]
            for name in self.scheme.fields
            if name in row
        }
        parameters = {name: whole(row[name]) for name in self.numbers if name in row}
        game = changed(self.game, **parameters) if parameters else self.game
        return game.explain(**values)


class _Recomputed:
    """The rounds of a batch, recomputed."""

    def __init__(self, system: PlayedGame, rows: Rows, kinds: list[Any], varying: list[str]) -> None:
        self._system = system
        self._rows = rows
        self._whole = {name for name, kind, *_ in kinds if kind == "whole"}
        self._varying = varying
        self._commitments = system.commitments
        if rows.of_salts:
            self._commitments = self._commitments | {COMMITMENT: system.commitments[SALT_COMMITMENT]}
        self._groups: list[tuple[np.ndarray, np.ndarray]] = []
        self._bad: list[tuple[int, str]] = []

    def play(self, good: np.ndarray) -> tuple[object, ...]:
        """Recompute these rows: outcomes by group, hashes, commitments, and rows that can't be."""
        system, count = self._system, len(good)
        fields = {name: self._column(name, good) for name in system.scheme.fields}
        self._hashes = np.zeros((count, 16), np.uint8)
        self._committed = {name: np.zeros(count, "S128") for name in system.published}
        self._revealed = {
            name: self._column(name, good) for name in system.revealed if name in self._rows.columns
        }
        for name, hash in self._commitments.items():
            lacking = [field for field in hash.fields if field not in fields | self._revealed]
            if name in self._rows.columns and lacking:
                raise ValueError(f"{name} must come with a column {lacking[0]!r}, which it is of too")
        for game, places in self._games(good):
            self._play(game, fields, places)
        if system.chains is not None and TERMINATING in self._rows.columns:
            terminating = self._column(TERMINATING, good)
            first = self._rows.places
            places = first + good if isinstance(first, int) else first[good]
            self._committed[TERMINATING][:] = system.chains.ends(fields[GAME_HASH], terminating, places)
        return self._groups, self._hashes, list(self._committed.values()), self._bad

    def _column(self, name: str, good: np.ndarray) -> Any:
        """Return the rows of a column that can be read, as `play` takes them."""
        column = self._rows.columns[name]
        if isinstance(column, (str, bytes)):
            return column
        some = column if len(good) == self._rows.count else take(column, good)
        if name not in self._whole:
            return some
        if not isinstance(some, list) and is_numeric(some):  # whole numbers, as the engine has seen
            return np.asarray(some).astype(np.int64)
        return np.array([whole(cell(some, row)) for row in range(len(good))], np.int64)

    def _games(self, good: np.ndarray) -> Iterator[tuple[Game, np.ndarray]]:
        """Give the game of each group of rows that have the same parameters, and their places."""
        if not self._varying:
            yield self._system.game, np.arange(len(good))
            return
        table = np.stack([self._column(name, good) for name in self._varying], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        for kind, values in enumerate(kinds.tolist()):
            places = np.flatnonzero(which.reshape(-1) == kind)
            try:
                yield changed(self._system.game, **dict(zip(self._varying, values, strict=True))), places
            except (TypeError, ValueError) as error:
                name = str(error).partition(" ")[0]
                blamed = name if name in self._varying else self._varying[0]
                self._bad += [(int(place), blamed) for place in places]

    def _play(self, game: Game, fields: dict[str, Any], places: np.ndarray) -> None:
        """Play some rows; those that can't be are found by halves."""
        if not len(places):
            return
        some, revealed = fields, self._revealed
        if len(places) < len(self._hashes):
            some, revealed = (
                {
                    name: value if isinstance(value, (str, bytes)) else take(value, places)
                    for name, value in columns.items()
                }
                for columns in (fields, self._revealed)
            )
        try:
            outcomes = np.asarray(game.play(**some, threads=self._rows.threads))
            hashes = np.asarray(_digests(game.scheme, some))
            committed = {
                name: hash.hexdigest(**{field: (some | revealed)[field] for field in hash.fields})
                for name, hash in self._commitments.items()
                if name in self._rows.columns
            }
        except (TypeError, ValueError) as error:
            if len(places) == 1:
                name = re.split(r"\W", str(error), maxsplit=1)[0]
                self._bad.append((int(places[0]), name if name in fields else FIELD))
            else:
                half = len(places) // 2
                self._play(game, fields, places[:half])
                self._play(game, fields, places[half:])
            return
        if outcomes.ndim == len(game.shape):  # every field was the same for all rows
            outcomes = np.broadcast_to(outcomes, (len(places), *game.shape))
        self._groups.append((places, np.ascontiguousarray(outcomes, game.dtype)))
        self._hashes[places] = hashes
        for name, text in committed.items():
            self._committed[name][places] = text.encode() if isinstance(text, str) else text


def _digests(scheme: Scheme, fields: Mapping[str, Any]) -> Any:
    """Return 16 bytes of the first digest of each round: a hash of all that is hashed for it."""
    found = scheme.random_bytes(**fields, cursor=scheme.first_cursor)
    if isinstance(found, bytes):
        found = np.frombuffer(found, np.uint8)[np.newaxis]
    return found[:, :16]
