"""Systems of games whose rounds follow from the fields of a scheme: all but FPClub's dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields as dataclass_fields, replace
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadValue, argument_of
from provably_fair._core.types import JsonDict
from provably_fair._engine import Fields, Hash as EngineHash, Scheme as EngineScheme, verify_rounds
from provably_fair.games import Deal, Game
from provably_fair.games.deals import dealing
from provably_fair.games.draws import EndlessRoundError
from provably_fair.games.naming import title_of, typed_name
from provably_fair.games.parameters import changed
from provably_fair.games.rounds import rounds_of
from provably_fair.operators.registry import EVERYWHERE, column_names
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
from provably_fair.sources.foreign import DType, cell, cells_of, is_empty, is_numeric, take

from .beacons import beacon_of
from .chains import GAME_HASH, GAME_NUMBER, TERMINATING, Chains, OnChains
from .findings import joined
from .notations import BUCKET, HELD, SINGLE, names_apart
from .system import FIELD, KINDS, Beacon, Field, Found, Hands, Rows, System, whole

_MAX_SIGNED, _MAX_NUMBER = 2**63 - 1, 2**64 - 1
# If none of so many rounds can be played, the game can't; of fewer, each may fail by chance.
_UNPLAYABLE = 32


class GameRounds(System):
    """A game under its scheme, played by the engine or in Python."""

    def __init__(self, game: Game) -> None:
        _ = game.shape  # refuses a class that is no game
        self.game: Game = game
        self.name: str = typed_name(game)
        self.title: str = title_of(game)
        self.table: Any = game.table if isinstance(game, Deal) else None
        # Rounds at a table are logged as cards or as their results.
        of = "whole" if game.dtype.kind in "iu" else "double"
        self.kind: DType = DType(of, len(game.shape)) if self.table is None else DType("any")
        self.scheme: Scheme = game.scheme
        scheme = self.scheme
        self.commitments: dict[str, Hash] = commitments_of(scheme)
        self.chains: Chains | None = (
            Chains(game.kind.chain, game.kind.before_first) if GAME_HASH in scheme.fields else None
        )
        self.beacon: Beacon | None = beacon_of(scheme)
        hashed = dict.fromkeys(name for hash in self.commitments.values() for name in hash.fields)
        self.revealed: list[str] = [name for name in hashed if name not in scheme.fields]
        """Fields used by commitments alone, such as a salt that is revealed with the seed."""
        self.own: JsonDict = {field.name: getattr(game, field.name) for field in dataclass_fields(game)}
        taken = {*scheme.fields, FIELD, GAME_NUMBER, *self.published, *self.revealed}
        if self.table is not None:  # a round deals as many cards as it needs
            taken.add("cards")
        self.numbers: dict[str, int] = {
            name: int(value)
            for name, value in self.own.items()
            if isinstance(value, (int, np.integer)) and type(value) is not bool and name not in taken
        }
        self.shared: bool = game.multiplayer
        defaults = dict(scheme.defaults) | rounds_of(game).constants
        kinds = {name: kind_of(scheme, name) for name in scheme.fields}
        known = (
            *(
                Field(
                    name,
                    name not in defaults,
                    default=defaults.get(name),
                    text=kinds[name] == "text",
                    number=kinds[name] == "number",
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
        # Nobody would miss a column that isn't needed, so that it is read in every spelling.
        spelled = (one if one.needed else one.spelled(*EVERYWHERE.get(one.name, ())) for one in known)
        self.fields: tuple[Field, ...] = tuple(
            replace(one, aliases=tuple(dict.fromkeys((*called.get(one.name, ()), *one.aliases))))
            for one in spelled
        )

    @property
    def published(self) -> list[str]:
        """The fields that were published before the rounds."""
        return [*self.commitments, *([TERMINATING] if self.chains is not None else [])]

    def parameters(self) -> JsonDict:
        plain = {
            name: value if isinstance(value, (int, float, str)) else repr(value)
            for name, value in self.own.items()
        }
        scheme = {} if self.scheme == SALTED else {"scheme": repr(self.scheme)}
        table = {} if self.table is None else {"table": repr(self.table)}
        return {"game": self.game.name, **plain, **table, **scheme}

    def verify(self, rows: Rows) -> Found:
        found = self._verify(rows)
        if self.beacon is None:
            return found
        parts = [(np.arange(rows.count, dtype=np.int64), found), *self.beacon.check(rows, found)]
        return replace(joined(parts), outcomes=found.outcomes, drawn=found.drawn, hands=found.hands)

    def notes(
        self, checked: int, assumed: int, committed: Mapping[str, int], unread: Collection[str]
    ) -> list[str]:
        said = [
            f"column {name!r} isn't read: all rows are played with {name}={self.own[name]!r:.60}"
            for name in unread
            if name in self.own
        ]
        if assumed:
            said.append(f"in {assumed:,} row{'s' * (assumed != 1)} without a hold the best one was assumed")
        elif self.beacon is not None and checked and not committed[self.beacon.proof]:
            said.append(self.beacon.lacking)
        return said

    def _verify(self, rows: Rows) -> Found:
        varying = [name for name in self.numbers if name in rows.columns]
        if self.table is None:
            outcomes, way, written = rows.notations.read(
                self.game, self.name, rows.columns[FIELD], rows.count, varies=bool(varying)
            )
        else:  # the engine reads cards, by number or name, and results
            outcomes, way, written = names_apart(rows.columns[FIELD], rows.count), "", 0
        rows = rows.of(rows.columns | {FIELD: outcomes})
        engine: Any = rounds_of(self.game).engine
        player = None
        if engine is None or self.chains is not None:
            player = _Player(self, rows, varying, way == BUCKET, keeps=way == BUCKET)
        verdicts = verify_rounds(self._recipe(rows, engine, player, varying), rows)
        notations = Counter({way: written} if way else {})
        if rounded := self._are_rounded(verdicts.narrow):
            notations[SINGLE] += verdicts.singles
        drawn, again = None, rounded
        if count := len(verdicts.reordered):
            notations["set"] += count
            if varying:  # shapes may vary, as parameters do
                again = True
            else:
                drawn = verdicts.reordered, verdicts.drawn.reshape(count, *self.game.shape)
        hands = None
        if self.table is not None and player is not None:
            hands = Hands(player.dealt, *verdicts.hands, verdicts.shown)
            held = dict(zip(HELD, verdicts.compared, strict=True))
            notations.update(held | {"unplayed": verdicts.unplayed})

        def meant() -> Any:
            if way == BUCKET and player is not None:
                return player.drawn
            return self._played(rows, varying) if again else outcomes

        found = Found.of(
            verdicts,
            notations=notations,
            outcomes=meant if way or again else None,
            drawn=drawn,
            hands=hands,
            chained=None if player is None else player.chained,
        )
        return self._held_otherwise(rows, found) if verdicts.assumed else found

    def _held_otherwise(self, rows: Rows, found: Found) -> Found:
        """Return findings in which rows that any hold but the assumed one explains lack their hold."""
        lacking, column = np.ones(rows.count, bool), rows.columns.get(self.table.choice)
        if column is not None and not isinstance(column, (str, bytes)):
            lacking = np.fromiter(map(is_empty, cells_of(column, rows.count)), bool, rows.count)
        mismatches = (found.kinds == KINDS.index("mismatch")) & lacking[found.rows]
        mismatches &= found.numbers == found.fields.index(FIELD)
        left = found.rows[mismatches]
        for bits in range(32):
            if not len(left):
                break
            some = replace(rows.some(left), every=False, progress=None)
            held = self._verify(some.of(some.columns | {self.table.choice: [f"{bits:05b}"] * some.count}))
            left = left[np.isin(np.arange(some.count), held.rows[held.numbers == found.fields.index(FIELD)])]
        open_ = mismatches & ~np.isin(found.rows, left)
        return replace(
            found,
            kinds=np.where(open_, KINDS.index("missing"), found.kinds),
            numbers=np.where(open_, found.fields.index(self.table.choice), found.numbers),
            expected=lambda index: None if open_[index] else found.expected(index),
        )

    def _are_rounded(self, narrow: int | None) -> bool:
        """Return whether logged floats of these bits are rounded outcomes; refuse fewer than 32 bits."""
        if narrow is None:
            return False
        if narrow != 32:
            rounds_of(self.game).check_dtype(FIELD, np.dtype(f"float{narrow}"))
        return self.game.dtype.kind == "f" or not rounds_of(self.game).is_held(np.dtype(np.float32))

    def _played(self, rows: Rows, varying: list[str]) -> np.ndarray:
        """Return the outcomes that the seeds give; 0 in rows that can't be played."""
        needed = {*self.scheme.fields, *varying, FIELD}
        rows = rows.of({name: column for name, column in rows.columns.items() if name in needed})
        player = _Player(self, rows, varying, keeps=True)
        verify_rounds(self._recipe(rows, None, player, varying), rows)
        return player.drawn

    def _recipe(self, rows: Rows, engine: Any, player: _Player | None, varying: list[str]) -> _Recipe:
        """Return instructions for recomputing rows with these columns."""
        columns = rows.columns
        hashes = (self.scheme.hash, *self.commitments.values())
        hexadecimal = {name for hash in hashes for name in hex_fields(hash)}
        kinds, most = [], widths(self.scheme)
        for name in self.scheme.fields:
            kind = kind_of(self.scheme, name)
            if kind == "number" or name in most or (kind == "any" and is_numeric(columns[name])):
                kinds.append((name, "whole", 0, most.get(name, _MAX_NUMBER)))
            else:
                kinds.append((name, "hex" if name in hexadecimal else "text", 0, 0))
        kinds += [(name, "text", 0, 0) for name in self.revealed if name in columns]
        if self.chains is not None and GAME_NUMBER in columns:
            kinds.append((GAME_NUMBER, "whole or blank", 1, _MAX_SIGNED))
        there = {name for name, *_ in kinds}
        if player is not None:
            kinds += [(name, "whole", -_MAX_SIGNED, _MAX_SIGNED) for name in varying]
        table: tuple[Any, int, str, bytes, bytes, int] | None = None
        if self.table is not None:
            pack: Any = getattr(self.game.kind, "pack", None)
            table = *self.table.engine(), self.table.choice, pack.ranks, bytes(pack.order), *self.game.shape
        return _Recipe(
            engine_scheme(self.scheme),
            kinds,
            engine if player is None else player.play,
            self._compared(rows, there),
            [] if self.chains is None else [TERMINATING],
            table,
            not (rows.ordered or self.game.ordered),
        )

    def _compared(self, rows: Rows, there: Collection[str]) -> list[tuple[str, EngineHash]]:
        """Return the hash of each commitment that can be compared, given the fields `there`."""
        commitments = dict(self.commitments)
        if rows.of_salts:
            commitments[COMMITMENT] = commitments[SALT_COMMITMENT]
        compared = []
        for name, hash in commitments.items():
            lacking = [field for field in hash.fields if field not in there]
            if not lacking:
                compared.append((name, engine_hash(hash)))
            elif name in rows.columns:
                raise BadValue(name, f"needs a column {lacking[0]!r}, which it is a hash of as well")
        return compared

    def explain(self, row: Mapping[str, object]) -> Any:
        values = {
            name: whole(row[name]) if kind_of(self.scheme, name) == "number" else row[name]
            for name in self.scheme.fields
            if name in row
        }
        parameters = {name: whole(row[name]) for name in self.numbers if name in row}
        game = changed(self.game, **parameters) if parameters else self.game
        if self.table is not None and not is_empty(chosen := row.get(self.table.choice)):
            values[self.table.choice] = chosen
        return game.explain(**values)


class _Recipe(NamedTuple):
    """Instructions for recomputing rows; `verify_rounds` reads the attributes by name."""

    scheme: EngineScheme
    # For each field its name, its content, and the limits of integers
    fields: list[tuple[str, str, int, int]]
    player: Any  # the engine's game, or a function that plays rounds in Python
    commitments: list[tuple[str, EngineHash]]
    published: list[str]  # published fields whose right values the player returns
    # The engine's arguments for comparing outcomes at a table
    table: tuple[Any, int, str, bytes, bytes, int] | None
    unordered: bool


_Group = tuple[np.ndarray, np.ndarray]
"""Rows, and their outcomes."""


class _Played(NamedTuple):
    """Rounds that a player played; the engine reads the attributes by name."""

    groups: list[_Group]
    bad: list[tuple[int, str]]  # rows that can't be recomputed, with the field at fault
    published: Sequence[Any] = ()  # the right values of each published field


class _Player:
    """Plays the rounds of a batch, for games in Python and games on chains."""

    def __init__(
        self,
        system: GameRounds,
        rows: Rows,
        varying: list[str],
        by_bucket: bool = False,
        keeps: bool = False,
    ) -> None:
        self._system = system
        self._rows = rows
        self._varying = varying
        self._by_bucket, self._keeps = by_bucket, keeps
        shape = system.game.shape if keeps else ()
        # The outcomes of all rows, if they are kept
        self.drawn = np.zeros((rows.count if keeps else 0, *shape), system.game.dtype)
        self.dealt: list[_Group] = []  # the cards of rounds at a table
        # The positions of the rows' games on their chains
        self.chained: OnChains | None = None if system.chains is None else OnChains()

    def play(self, fields: Fields, good: np.ndarray, again: bool) -> _Played:
        """Play these rows; `again` with all cards, for rounds whose likely number of cards was too small."""
        games, bad = self._games(good)
        groups: list[_Group] = []
        for game, rows in games:
            dealt = game if self._system.table is None else dealing(game, likely=not again)
            self._play(dealt, fields, rows, groups, bad)
        if self._system.table is not None and not again:
            self.dealt = groups
        return _Played(groups, bad, [] if again else self._published(good))

    def _published(self, good: np.ndarray) -> list[Any]:
        """Return the right values of the published fields, for games on a chain."""
        chains = self._system.chains
        if chains is None:
            return []
        if TERMINATING not in self._rows.columns:
            return [b""]
        hashes, terminating = (self._column(name, good) for name in (GAME_HASH, TERMINATING))
        numbers = self._column(GAME_NUMBER, good) if GAME_NUMBER in self._rows.columns else None
        ends, self.chained = chains.ends(hashes, terminating, numbers, good.astype(np.int64), self._rows)
        return [ends]

    def _column(self, name: str, good: np.ndarray) -> Any:
        """Return the readable rows of a column."""
        column = self._rows.columns[name]
        if isinstance(column, (str, bytes)) or len(good) == self._rows.count:
            return column
        return take(column, good)

    def _games(self, good: np.ndarray) -> tuple[list[tuple[Game, np.ndarray]], list[tuple[int, str]]]:
        """Return a game for each group of rows with equal parameters, and the rows with invalid ones."""
        if not self._varying:
            rounds_of(self._system.game).check_values()
            return [(self._system.game, good)], []
        table = np.stack([_wholes(self._column(name, good), len(good)) for name in self._varying], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        games: list[tuple[Game, np.ndarray]] = []
        bad: list[tuple[int, str]] = []
        for kind, values in enumerate(kinds.tolist()):
            rows = good[which.reshape(-1) == kind]
            try:
                game = changed(self._system.game, **dict(zip(self._varying, values, strict=True)))
                rounds_of(game).check_values()
            except (TypeError, ValueError) as error:
                name = argument_of(error)
                blamed = name if name in self._varying else self._varying[0]
                bad += [(int(row), blamed) for row in rows]
            else:
                games.append((game, rows))
        return games, bad

    def _play(
        self, game: Game, fields: Fields, rows: np.ndarray, groups: list[_Group], bad: list[tuple[int, str]]
    ) -> None:
        """Play some rows, and add them to their groups; find those that can't be played by bisection."""
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
                blamed = name if name in game.scheme.fields else FIELD
                bad.append((int(rows[0]), blamed))
                if not (self._varying or groups) and blamed == FIELD and len(bad) == _UNPLAYABLE:
                    raise  # not these rounds, but the game can't be played
                return
            half = len(rows) // 2
            for some_rows in (rows[:half], rows[half:]):
                self._play(game, fields, some_rows, groups, bad)
            return
        if self._keeps and outcomes.shape[1:] == self.drawn.shape[1:]:
            self.drawn[rows] = outcomes
        if self._by_bucket:
            outcomes = outcomes.sum(axis=1)
        if self._by_bucket or not self._keeps:  # otherwise nothing is to be compared
            groups.append((rows, np.ascontiguousarray(outcomes, game.dtype)))


def _wholes(column: Any, count: int) -> np.ndarray:
    """Return a column of integers, which the engine has checked."""
    if not isinstance(column, list) and is_numeric(column):
        return np.asarray(column).astype(np.int64)
    return np.array([whole(cell(column, row)) for row in range(count)], np.int64)
