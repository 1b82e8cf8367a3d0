"""Games whose rounds are made of the fields of a scheme: all but FPClub's dice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue, argument_of
from provably_fair._core.types import JsonDict
from provably_fair._engine import Fields, verify_rounds
from provably_fair.games import Deal, Game
from provably_fair.games.deals import dealing
from provably_fair.games.draws import EndlessRoundError
from provably_fair.games.naming import title_of, typed_name
from provably_fair.games.parameters import changed
from provably_fair.games.rounds import rounds_of
from provably_fair.operators import column_names
from provably_fair.seeds import SALTED, Hash, Scheme
from provably_fair.seeds.schemes import (
    COMMITMENT,
    SALT_COMMITMENT,
    commitments_of,
    engine_hash,
    engine_scheme,
    hex_fields,
    kind_of,
    widths,
)

from ..foreign import Kind, cell, is_empty, is_numeric, take
from .beacons import beacon_of
from .chains import GAME_HASH, GAME_NUMBER, TERMINATING, Chains
from .findings import joined
from .notations import BUCKET
from .system import FIELD, Beacon, Field, Found, Rows, System, json_list, whole

_MAX_NUMBER = 2**63 - 1


class GameRounds(System):
    """A game under its scheme: in the engine, or in Python, which is given the words of all rounds."""

    def __init__(self, game: Game) -> None:
        _ = game.shape  # refuses a class that is no game
        self.game: Game = game
        self.name: str = typed_name(game)
        self.title: str = title_of(game)
        self.table: Any = game.table if isinstance(game, Deal) else None
        # Of rounds at a table cards are logged, or what was made of them.
        of = "whole" if game.dtype.kind in "iu" else "double"
        self.kind: Kind = Kind(of, len(game.shape)) if self.table is None else Kind("any")
        self.scheme: Scheme = game.scheme
        scheme = self.scheme
        self.commitments: dict[str, Hash] = commitments_of(scheme)
        self.chains: Chains | None = (
            Chains(game.kind.chain, game.kind.before_first) if GAME_HASH in scheme.fields else None
        )
        self.beacon: Beacon | None = beacon_of(scheme)
        revealed = {
            name: None
            for hash in self.commitments.values()
            for name in hash.fields
            if name not in scheme.fields
        }
        self.revealed: list[str] = list(revealed)
        """Fields that commitments alone are of, such as a salt that is revealed with the seed."""
        own = {field.name: getattr(game, field.name) for field in dataclass_fields(game)}
        taken = {*scheme.fields, FIELD, GAME_NUMBER, *self.published, *self.revealed}
        if self.table is not None:  # as many cards are dealt as the round needs
            taken.add("cards")
        self.numbers: dict[str, int] = {
            name: value for name, value in own.items() if type(value) is int and name not in taken
        }
        self.shared: bool = game.multiplayer
        constant = zip(("server_seed", "client_seed"), rounds_of(game).constant or (), strict=False)
        defaults = dict(scheme.defaults) | dict(constant)
        known = (
            *(
                Field(
                    name,
                    name not in defaults,
                    default=defaults.get(name),
                    text=kind_of(self.scheme, name) == "text",
                    number=kind_of(self.scheme, name) == "number",
                )
                for name in scheme.fields
            ),
            *(Field(name, False, number=True) for name in self.numbers),
            Field(FIELD, number=not game.shape),
            *([] if self.chains is None else [Field(GAME_NUMBER, False, number=True)]),
            *([] if self.table is None else [Field(self.table.choice, False)]),
            *(Field(name, False) for name in (*self.revealed, *self.published)),
            *(() if self.beacon is None else self.beacon.fields),
        )
        called = column_names(game)
        self.fields: tuple[Field, ...] = tuple(
            replace(field, aliases=called.get(field.name, ())) for field in known
        )

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
        scheme = {} if self.scheme == SALTED else {"scheme": repr(self.scheme)}
        table = {} if self.table is None else {"table": repr(self.table)}
        return {"game": self.game.name, **plain, **table, **scheme}

    def verify(self, rows: Rows) -> Found:
        found = self._verify(rows)
        if self.beacon is None:
            return found
        parts = [(np.arange(rows.count), found), *self.beacon.check(rows, found)]
        return replace(joined(parts), outcomes=found.outcomes, drawn=found.drawn)

    def notes(self, checked: int, assumed: int, committed: Mapping[str, int]) -> list[str]:
        if assumed:
            return [f"in {assumed:,} rows without a hold the best one was assumed"]
        beacon = self.beacon
        return [beacon.lacking] if beacon is not None and checked and not committed[beacon.proof] else []

    def _verify(self, rows: Rows) -> Found:
        if self.chains is not None:
            rows.games.chains = rows.games.chains or {}
        if self.table is None:
            outcomes, way, written = rows.notations.read(
                self.game, self.name, rows.columns[FIELD], rows.count
            )
        else:  # which reads cards in any notation, and what was made of them
            outcomes, way, written = rows.columns[FIELD], "", 0
        columns = rows.columns | {FIELD: outcomes}
        hashes = (self.scheme.hash, *self.commitments.values())
        hexadecimal = {name for hash in hashes for name in hex_fields(hash)}
        kinds, most = [], widths(self.scheme)
        for name in self.scheme.fields:
            kind = kind_of(self.scheme, name)
            if kind == "number" or name in most or (kind == "any" and is_numeric(columns[name])):
                kinds.append((name, "whole", 0, min(most.get(name, _MAX_NUMBER), _MAX_NUMBER)))
            else:
                kinds.append((name, "hex" if name in hexadecimal else "text", 0, 0))
        kinds += [(name, "text", 0, 0) for name in self.revealed if name in columns]
        if self.chains is not None and GAME_NUMBER in columns:
            kinds.append((GAME_NUMBER, "whole or blank", 1, _MAX_NUMBER))
        commitments = dict(self.commitments)
        if rows.of_salts:
            commitments[COMMITMENT] = commitments[SALT_COMMITMENT]
        there = {name for name, *_ in kinds}
        for name, hash in list(commitments.items()):
            lacking = [field for field in hash.fields if field not in there]
            if lacking and name in columns:
                raise BadValue(name, f"must come with a column {lacking[0]!r}, which it is a hash of, too")
            if lacking:
                del commitments[name]
        player: Any = rounds_of(self.game).engine
        if player is None or self.chains is not None:
            varying = [name for name in self.numbers if name in columns]
            kinds += [(name, "whole", -_MAX_NUMBER, _MAX_NUMBER) for name in varying]
            player = _Player(self, rows, varying, way == BUCKET)
        verdicts = verify_rounds(
            engine_scheme(self.scheme),
            kinds,
            player.play if isinstance(player, _Player) else player,
            [(name, engine_hash(hash)) for name, hash in commitments.items()],
            [] if self.chains is None else [TERMINATING],
            rows.of(columns),
            table=self._engine_table(),
            unordered=not (rows.ordered or self.game.ordered),
        )
        if verdicts.narrow is not None:
            rounds_of(self.game).check_dtype(FIELD, np.dtype(f"float{verdicts.narrow}"))
        notations = Counter({way: written} if way else {})
        drawn = None
        if count := len(verdicts.reordered):
            notations["set"] += count
            values = verdicts.drawn
            if len(values) == count * math.prod(self.game.shape):  # else rows have parameters of their own
                drawn = verdicts.reordered, values.reshape(count, *self.game.shape)
        if way == BUCKET:
            outcomes = player.drawn
        return Found.of(verdicts, notations=notations, outcomes=outcomes if way else None, drawn=drawn)

    def explain(self, row: Mapping[str, object]) -> Any:
        values = {
            name: whole(row[name]) if kind_of(self.scheme, name) == "number" else row[name]
            for name in self.scheme.fields
            if name in row
        }
        parameters = {name: whole(row[name]) for name in self.numbers if name in row}
        game = changed(self.game, **parameters) if parameters else self.game
        if self.table is not None and not is_empty(chosen := row.get(self.table.choice)):
            values[self.table.choice] = _as_list(self.table.choice, chosen)
        return game.explain(**values)

    def _engine_table(self) -> tuple[Any, int, str, bytes, bytes] | None:
        """Return what the engine compares outcomes at a table by."""
        if self.table is None:
            return None
        pack = self.game.kind.pack
        return *self.table.engine(), self.table.choice, pack.ranks, bytes(pack.order)


class _Player:
    """Plays the rounds of a batch, of a game in Python or on a chain."""

    def __init__(self, system: GameRounds, rows: Rows, varying: list[str], by_bucket: bool = False) -> None:
        self._system = system
        self._rows = rows
        self._varying = varying
        self._by_bucket = by_bucket
        shape = system.game.shape if by_bucket else ()
        self.drawn = np.zeros((rows.count if by_bucket else 0, *shape), system.game.dtype)
        """The outcomes of all rows, where their buckets alone are compared."""
        self._groups: list[tuple[np.ndarray, np.ndarray]] = []
        self._bad: list[tuple[int, str]] = []

    def play(self, fields: Fields, good: np.ndarray, again: bool) -> tuple[object, ...]:
        """Play these rows: outcomes by group, rows that fail, and what else was to be published.

        Rounds at a table are played again with all cards where the first ones are too few.
        """
        self._groups = []
        for game, rows in self._games(good):
            dealt = game if self._system.table is None else dealing(game, likely=not again)
            self._play(dealt, fields, rows)
        chains = self._system.chains
        if chains is None or again:
            return self._groups, self._bad, []
        if TERMINATING not in self._rows.columns:
            return self._groups, self._bad, [b""]
        hashes, terminating = (self._column(name, good) for name in (GAME_HASH, TERMINATING))
        numbers = self._column(GAME_NUMBER, good) if GAME_NUMBER in self._rows.columns else None
        ends = chains.ends(hashes, terminating, numbers, good.astype(np.int64), self._rows)
        return self._groups, self._bad, [ends]

    def _column(self, name: str, good: np.ndarray) -> Any:
        """Return the rows of a column that can be read."""
        column = self._rows.columns[name]
        if isinstance(column, (str, bytes)) or len(good) == self._rows.count:
            return column
        return take(column, good)

    def _games(self, good: np.ndarray) -> Iterator[tuple[Game, np.ndarray]]:
        """Give the game of each group of rows that have the same parameters, and the rows."""
        if not self._varying:
            rounds_of(self._system.game).check_values()
            yield self._system.game, good
            return
        table = np.stack([_wholes(self._column(name, good), len(good)) for name in self._varying], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        for kind, values in enumerate(kinds.tolist()):
            rows = good[which.reshape(-1) == kind]
            try:
                game = changed(self._system.game, **dict(zip(self._varying, values, strict=True)))
                rounds_of(game).check_values()
                yield game, rows
            except (TypeError, ValueError) as error:
                name = argument_of(error)
                blamed = name if name in self._varying else self._varying[0]
                self._bad += [(int(row), blamed) for row in rows]

    def _play(self, game: Game, fields: Fields, rows: np.ndarray) -> None:
        """Play some rows; those that can't be are found by halves."""
        if not len(rows):
            return
        some = fields if len(rows) == len(fields) else fields.take(rows)
        try:
            outcomes = rounds_of(game).outcomes(some, self._rows.threads, None)
        except EndlessRoundError:
            raise  # each row would take as long
        except (TypeError, ValueError) as error:
            if len(rows) == 1:
                name = argument_of(error)
                self._bad.append((int(rows[0]), name if name in game.scheme.fields else FIELD))
            else:
                half = len(rows) // 2
                self._play(game, fields, rows[:half])
                self._play(game, fields, rows[half:])
            return
        if self._by_bucket:
            if outcomes.shape[1:] == self.drawn.shape[1:]:
                self.drawn[rows] = outcomes
            outcomes = outcomes.sum(axis=1)
        self._groups.append((rows, np.ascontiguousarray(outcomes, game.dtype)))


def _as_list(name: str, value: Any) -> Any:
    """Return what a player did: a list, a JSON list, or words with commas or spaces between them."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            raise BadValue(name, f"must be text in UTF-8, got {value!r:.80}") from None
    if isinstance(value, str):
        return json_list(name, value) if value.lstrip().startswith("[") else value.replace(",", " ").split()
    return list(value) if isinstance(value, Iterable) else value


def _wholes(column: Any, count: int) -> np.ndarray:
    """Return whole numbers, as the engine has seen."""
    if not isinstance(column, list) and is_numeric(column):
        return np.asarray(column).astype(np.int64)
    return np.array([whole(cell(column, row)) for row in range(count)], np.int64)
