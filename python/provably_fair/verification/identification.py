"""Identify the game of a log by trying known games on its rows.

Every known game is tried on the first rows with each possible assignment of the columns: by names first, then
by contents (hex digits, consecutive numbers, hashes of another column). The likeliest assignments of all
games come first, up to a limit. A game that reproduces few of the first rows is dropped early. A game is
named only if the probability that a wrong one matches as many rows, times the number of games and assignments
tried, is below one in a million.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Unpack

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import doubles
from provably_fair._core.printable import decoded, listed, plain
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._core.table import text_html
from provably_fair._core.types import JsonDict, Text
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.games.rounds import rounds_of
from provably_fair.names import given_game
from provably_fair.operators import column_names
from provably_fair.readings import (
    BOUND,
    chance,
    derivations,
    era_of,
    known_games,
    matches,
    size_of,
    values_in,
    variants,
)
from provably_fair.seeds.schemes import Scheme, kind_of

from .dialect import Dialect
from .families import Family, family_of
from .foreign import cells_of, is_empty
from .likely import likely_columns
from .log import LogCall, LogOptions, settled, with_log_options
from .numbers import Numbers, as_python_writes
from .sources import Batch, LogError, Wanted, open_log
from .systems import COMMITMENT, FIELD, SECRETS
from .systems.notations import BUCKET, Notations

__all__ = ["Candidate", "Identification", "identify"]

_ROWS, _FAMILY_ROWS = 300, 20_000
"""The number of first rows that are tried, and of those that determine a family's parameters."""
_FEW, _SOME = 6, 24
"""The number of rows on which every game is tried, and then every game that reproduces most of these."""
_MOST_WAYS = 60
"""The largest number of assignments of columns by their contents, per game."""
_LIMIT, _ANCHOR_LIMIT = 20_000, 10_000_000
_KEPT = 10
_SHORT = 10**8
"""Whole numbers below this aren't taken for a secret, unless the column is named like one."""
_OUTCOMES = ("outcome", "result", "roll", "bust")
"""Names of a column of outcomes."""


@dataclass(frozen=True)
class Candidate:
    """A game that the rows of a log may belong to.

    Attributes
    ----------
    game : str
        The game, as it can be typed: "stake.dice", "stake.mines:mines=5".
    columns : dict
        The column of each field.
    matched, tried : int
        The number of rows that it reproduces, and the number of different rows tried.
    pvalue : float
        An upper bound on the probability that a wrong game matches as many.
    era : str or None
        The era of the operator's rule, if it has had several.
    alike : tuple of str
        Other games that give the same outcomes in all of these rows: they have the same rule, or rules that
        differ too rarely to be told apart here.
    """

    game: str
    columns: Mapping[str, str]
    matched: int
    tried: int
    pvalue: float
    era: str | None = None
    alike: tuple[str, ...] = ()

    _repr_html_ = text_html

    @property
    def options(self) -> str:
        """The options of the command ``verify``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.verification.Candidate("stake.dice", {"nonce": "n"}, 20, 20, 0.0).options
        '--game stake.dice --column nonce=n'
        """
        named = [
            f"--column {shlex.quote(f'{name}={column}')}"
            for name, column in self.columns.items()
            if name != column
        ]
        return " ".join([f"--game {shlex.quote(self.game)}", *named])

    def __str__(self) -> str:
        era = f" ({self.era})" if self.era else ""
        alike = f", or {' or '.join(self.alike)}, which these rows don't tell apart" if self.alike else ""
        return f"{self.game}{era}{alike}: {self.matched} of {self.tried} rows"


@dataclass(frozen=True)
class Identification:
    """The games that a log may belong to. Made by `identify`.

    Attributes
    ----------
    candidates : tuple of Candidate
        Games that reproduce most of the rows, the likeliest first, even if that isn't significant.
    rows : int
        The number of rows tried.
    tests : int
        The number of games tried, counting each assignment of columns.
    possible : int
        The number of games and assignments of columns that could be tried; more than `tests` if the limit
        was reached.
    family : Family or None
        If no known game gives all rows, the parameters of a crash game of a known family. Then there is no
        `best` game.
    anchor : str or None
        The hash from which outcomes without hashes were located on a chain.
    """

    candidates: tuple[Candidate, ...] = ()
    rows: int = 0
    tests: int = field(default=0, compare=False)
    possible: int = field(default=0, compare=False)
    family: Family | None = None
    anchor: str | None = None

    _repr_html_ = text_html

    @property
    def best(self) -> Candidate | None:
        """The likeliest game; None if no game reproduces most rows, or if that isn't significant."""
        if self.family is not None:  # a known game of the family gives all rows but instant busts
            return None
        found = self.candidates[:1]
        return found[0] if found and found[0].pvalue * max(self.tests, 1) < BOUND else None

    def to_dict(self) -> JsonDict:
        """Return the result as types of JSON.

        Examples
        --------
        >>> import provably_fair as pf
        >>> rounds = {"server_seed": "ab", "client_seed": "me", "nonce": [1, 2], "outcome": [0.5, 1.5]}
        >>> pf.identify(rounds, ["stake.dice"]).to_dict()["best"] is None
        True
        """
        return {
            "schema": "provably_fair.identification/1",
            "best": None if self.best is None else self.best.game,
            "candidates": [
                {**vars(one), "columns": dict(one.columns), "alike": list(one.alike)}
                for one in self.candidates
            ],
            "rows": self.rows,
            "tests": self.tests,
            "possible": self.possible,
            "family": None if self.family is None else self.family.to_dict(),
            "anchor": self.anchor,
        }

    def __str__(self) -> str:
        best = self.best
        if self.family is not None:
            return str(self.family)
        if best is not None:
            # The command keeps its quotes and backslashes for the shell.
            command = re.sub(r'\\(["\\])', r"\1", plain(best.options, 10_000))
            does = "verify LOG" if self.anchor is None else f"locate LOG --anchor {self.anchor}"
            return (
                f"{plain(str(best), None)}\n  provably-fair {does} {command}\n"
                "That tells by which method outcomes follow from seeds, not that bets were fair."
            )
        if self.candidates:
            few = self.candidates[0]
            return f"none: {few} agree, which isn't significant with so few rows or different outcomes"
        if self.anchor is not None:
            return (
                f"none: the {self.rows:,} rows lie nowhere on the anchor's chain, for any rule and salt tried"
            )
        none = f"none of the known games reproduces most of the {self.rows} rows tried"
        if self.tests == self.possible:
            return none
        return (
            f"{none}, in {self.tests:,} of {self.possible:,} ways to assign the columns: name some columns, "
            "try fewer games or raise the limit"
        )


@with_log_options
def identify(
    log: object = None,
    games: Iterable[Game | str] | None = None,
    *,
    anchor: Text | None = None,
    anchor_limit: int = _ANCHOR_LIMIT,
    limit: int = _LIMIT,
    progress: Progress = False,
    **options: Unpack[LogOptions],
) -> Identification:
    """Identify the game of a log and the meaning of its columns.

    Parameters
    ----------
    log : path, file, list of them, Query, mapping, frame or Arrow data
        See `verify`. The first 300 rows are tried.
    games : iterable of Game or str, optional
        The games to try; by default the package's own and those of its operators. Nothing else is imported.
    anchor : str or bytes, optional
        For outcomes without hashes: the hash of a game that isn't earlier than the last row. The rows are
        located on its chain, as by `locate`.
    anchor_limit : int
        The largest number of games before the anchor to search. For rows that lie nowhere, the whole chain is
        walked for each rule and salt.
    limit : int
        The largest number of games to try, counting each assignment of columns; the likeliest are tried
        first. A try takes about half a millisecond.
    progress : bool or callable
        Whether to show a progress bar (this needs tqdm), or a function of the tries done and the total.
    **options
        Options for reading the log; see `Log`. Fields with a column or a constant aren't assigned another
        one. A log of several games and a table of seeds aren't supported.

    Returns
    -------
    Identification
        The likeliest game, and others. `best` is None unless the probability that a wrong game reproduces as
        many rows, times the number of games and assignments tried, is below 10**-6. If no known game gives
        all rows, and there are game hashes or an anchor, `family` has the parameters of a clone of one of
        bustabit's rules. Give its salt, or several to choose from: ``constants={"salt": ["...", "..."]}``.

    Examples
    --------
    >>> import provably_fair as pf
    >>> rounds = {"a": "ab" * 16, "b": "player", "c": list(range(20))}
    >>> game = pf.operators.stake.Dice()
    >>> log = {**rounds, "d": game.play(rounds["a"], rounds["b"], rounds["c"])}
    >>> found = pf.identify(log)
    >>> found.best.game, found.best.matched, found.best.alike
    ('stake.dice', 20, ('primedice.dice',))
    >>> found.best.columns["nonce"], found.best.columns["outcome"]
    ('c', 'd')
    """
    if games is not None and (isinstance(games, str) or not isinstance(games, Iterable)):
        raise BadType("games", f"must be games, or None for those that are known, got {type(games).__name__}")
    most, below = integer("limit", limit, 1), integer("anchor_limit", anchor_limit, 1)
    asked = settled(log, None, options)
    with asked.naming_config():
        for name in ("game_column", "seeds"):
            if asked.options[name] is not None:
                raise BadValue(name, "isn't supported: games are tried on the columns of one table")
        dialect = Dialect.read(asked.options["csv"])
    tried = known_games() if games is None else tuple(map(_game, games))
    if not tried:
        raise BadValue("games", "must name a game at least, or be None for those that are known")
    table = _read(asked, dialect)
    given = _Given.of(asked, table)
    if anchor is not None:
        return _by_anchor(
            _read(asked, dialect, _FAMILY_ROWS), given, tried, games is None, anchor, below, progress
        )
    attempts = [
        (game, part, ways)
        for part in _outcomes(table, tried, given)
        for one in part.games
        for game in _variants(one, part.size)
        if (ways := part.ways(game))
    ]
    possible, tests = sum(len(ways) for *_, ways in attempts), 0
    found: list[tuple[Game, Candidate, bytes]] = []
    with ProgressBar(min(possible, most), progress) as report:
        for rank in range(max((len(ways) for *_, ways in attempts), default=0)):
            for game, part, ways in attempts:
                if rank < len(ways) and tests < most:
                    tests += 1
                    candidate = part.tried(game, ways[rank])
                    if candidate is not None:
                        found.append((game, *candidate))
                    if report is not None:
                        report(tests)
    found.sort(key=lambda item: (-item[1].matched / item[1].tried, item[1].pvalue, *_plainness(item[0])))
    alike: dict[tuple[object, ...], list[tuple[Game, Candidate]]] = {}
    for game, known, which in found:
        alike.setdefault((which, known.columns[FIELD]), []).append((game, known))
    told = []
    for group in alike.values():
        group.sort(key=lambda item: _plainness(item[0]))
        first = group[0][1]
        others = dict.fromkeys(other.game for _, other in group if other.game != first.game)
        told.append(Candidate(**{**vars(first), "alike": tuple(others)}))
    result = Identification(tuple(told[:_KEPT]), table.rows, tests, possible)
    best = result.best
    if (best is not None and best.matched == best.tried) or games is not None:
        return result
    return replace(result, family=_family(asked, dialect, given, tried))


def _family(asked: LogCall, dialect: Dialect, given: _Given, known: Sequence[Game]) -> Family | None:
    """Return the family of crash games of rows with hashes, or None."""
    table = _read(asked, dialect, _FAMILY_ROWS)
    columns = [given.columns["game_hash"]] if "game_hash" in given.columns else list(table.raw)
    hashes = next((name for name in columns if _are_hashes(table.raw[name])), None)
    if hashes is None:
        return None
    texts = [str(cell).strip().lower() for cell in table.raw[hashes]]
    for name, outcomes in _number_columns(table, given):
        if name != hashes and not np.isnan(outcomes).any():
            found = family_of(texts, doubles(outcomes).tolist(), _salts(table, given, known))
            if found is not None:
                return found
    return None


def _by_anchor(
    table: _Table,
    given: _Given,
    known: Sequence[Game],
    families: bool,
    anchor: Text,
    limit: int,
    progress: Progress,
) -> Identification:
    """Identify outcomes without hashes from a later hash."""
    from .anchored import located_family, located_game  # late, since `locating` reads logs by this room

    text = anchor.decode("latin-1") if isinstance(anchor, bytes) else str(anchor)
    result = Identification(rows=table.rows, anchor=text)
    for name, outcomes in _number_columns(table, given):
        # Given salts may be a clone's; otherwise the salts of known games are tried.
        like = known
        if not given.salts or not families:
            location = located_game(outcomes, known, anchor, limit, progress)
            result = _known_by_anchor(result, location, name)
            like = known if location is None or location.game is None else [location.game]
        matched = sum(one.matched for one in result.candidates)
        if families and matched < len(outcomes):
            salts = _salts(table, given, like)
            family = located_family(outcomes, salts, anchor, limit, progress)
            if family is not None and family.rows > matched:
                return replace(result, family=family)
        if given.salts and families:
            result = _known_by_anchor(result, located_game(outcomes, known, anchor, limit, progress), name)
        if result.candidates:
            break
    return result


def _known_by_anchor(result: Identification, location: Any, name: str) -> Identification:
    """Add the known game on whose chain the outcomes of a column were located, if there is one."""
    if location is None:
        return result
    matched = location.placed - int((location.rows[location.misread] >= 0).sum())
    game, rows = location.game, len(location.rows)
    one = Candidate(typed_name(game), {FIELD: name}, matched, rows, location.pvalue, era_of(game))
    return replace(result, candidates=(one,), tests=len(location.games))


def _salts(table: _Table, given: _Given, known: Sequence[Game]) -> list[str]:
    """Return the salts to try: those given, the one in a column, or those of known games."""
    column = given.columns.get("salt", "salt")
    if given.salts:
        salts = given.salts
    elif column in table.raw and len(set(map(str, table.raw[column]))) == 1:
        salts = table.raw[column][:1]
    else:
        salts = [game.scheme.defaults["salt"] for game in known if "salt" in game.scheme.defaults]
    return [str(salt) for salt in dict.fromkeys(salts)]


def _number_columns(table: _Table, given: _Given) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the column of outcomes, or each possible one, as numbers; NaN for an empty cell."""
    named = [given.columns[FIELD]] if FIELD in given.columns else []
    named += [name for name in table.raw if name.casefold() in _OUTCOMES]
    for name in named[:1] or table.raw:
        cells = [() if is_empty(cell) else values_in(cell) for cell in table.read[name]]
        if cells and all(values is not None and len(values) <= 1 for values in cells):
            single = all(isinstance(values[0], np.float32) for values in cells if values)
            kind = np.float32 if single else np.float64
            yield name, np.array([values[0] if values else np.nan for values in cells], kind)


def _are_hashes(cells: Sequence[Any]) -> bool:
    """Return whether all cells are 64 hex digits."""
    return bool(cells) and all(
        isinstance(cell, str) and re.fullmatch(r"[0-9a-fA-F]{64}", cell.strip()) for cell in cells
    )


def _game(value: Game | str) -> Game:
    if isinstance(value, type) and issubclass(value, Game):
        return value()
    return given_game("games", value)


def _plainness(game: Game) -> tuple[int, bool, str]:
    """Return a key that sorts games of the same rule: base classes first, then plain parameters."""
    name = typed_name(game)
    return derivations(type(game)), ":" in name, name


# ---- the rows ----


@dataclass
class _Table:
    """The first rows of a log by column: as written, and with numbers in Python's notation."""

    raw: dict[str, list[Any]]
    read: dict[str, list[Any]]
    rows: int
    dialect: Dialect


def _read(asked: LogCall, dialect: Dialect, most: int = _ROWS) -> _Table:
    """Return the first rows of a log, by column."""
    storage = asked.options["storage_options"]

    def batches(names: Iterable[str]) -> Iterator[Batch]:
        with closing(open_log(asked.source, Wanted(names, dialect, storage)).pieces()) as pieces:
            for piece in pieces:
                yield from piece.batches()

    if not open_log(asked.source, Wanted((), dialect, storage)).again:
        raise LogError(
            "it can be read only once, but is read twice here: give a file or columns", subject="log"
        )
    names = next((batch.names for batch in batches(())), ())
    table: dict[str, list[Any]] = {}
    rows = 0
    for batch in batches(names):
        for name in names:
            cells = (
                cells_of(batch.columns[name], batch.rows) if name in batch.columns else [None] * batch.rows
            )
            table.setdefault(name, []).extend(cells[: most - rows])
        rows = min(rows + batch.rows, most)
        if rows == most:
            break
    table = {name: [decoded(cell) for cell in cells] for name, cells in table.items()}
    return _Table(table, {**table, **_as_numbers(table, dialect)}, rows, dialect)


def _as_numbers(table: Mapping[str, list[Any]], dialect: Dialect) -> dict[str, list[Any]]:
    """Return text columns of numbers in Python's notation; ambiguous ones are left out."""
    texts = {name: cells for name, cells in table.items() if _are_numbers(cells)}
    with suppress(LogError):
        return Numbers(dialect).read(texts, {})
    read: dict[str, list[Any]] = {}
    for name, cells in texts.items():
        with suppress(LogError):  # an ambiguous column stays as it is
            read |= Numbers(dialect).read({name: cells}, {})
    return read


def _are_numbers(cells: Sequence[Any]) -> bool:
    """Return whether all cells are texts of numbers in some notation."""
    some = [cell for cell in cells if not is_empty(cell)]
    return bool(some) and all(
        isinstance(cell, str) and any(_is_number(as_python_writes(cell, mark, None)) for mark in ".,")
        for cell in some
    )


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        float(text)
        return True
    return False


@dataclass(frozen=True)
class _Given:
    """The columns of some fields, and the constant values of others, as given in the call."""

    columns: Mapping[str, str]
    constants: Mapping[str, Any]
    salts: Sequence[Any] = ()
    """The salts to try for a family."""

    @classmethod
    def of(cls, asked: LogCall, table: _Table) -> _Given:
        """Read the options for a table; raise an error for a column that it doesn't have."""
        columns, constants = (asked.options[name] or {} for name in ("columns", "constants"))
        for name, mapping in (("columns", columns), ("constants", constants)):
            if not isinstance(mapping, Mapping):
                raise BadType(name, f"must be a mapping of fields, got {type(mapping).__name__}")
        for field_name, column in columns.items():
            if column not in table.raw:
                there = listed(list(table.raw), 20) if table.raw else "none"
                text = f"no column {column!r:.60} for {field_name!r:.60}; the columns there are {there}"
                raise LogError(text, subject="log")
        salts = constants.get("salt", ())
        if isinstance(salts, (list, tuple)):
            constants = {name: value for name, value in constants.items() if name != "salt"}
        else:
            salts = [salts]
        return cls(columns, constants, salts)


def _outcomes(table: _Table, games: Sequence[Game], given: _Given) -> Iterator[_OutcomeColumn]:
    """Yield each column of possible outcomes, as games read it, with the rows that have one."""
    named = [name for name in table.raw if name.casefold() in _OUTCOMES]
    if FIELD in given.columns:
        named = [given.columns[FIELD]]
    taken = {column for name, column in given.columns.items() if name != FIELD}
    for name in named or table.raw:
        if name in taken or _counts(table.read[name]):
            continue
        readings: dict[tuple[Any, ...], list[Game]] = {}
        as_it_is = tuple(_values(table.read[name]))
        for game in games:
            cells = as_it_is
            if 2 * sum(values is not None for values in cells) <= sum(not is_empty(one) for one in cells):
                cells = _as_written(game, table.raw[name], table.dialect) or as_it_is
            readings.setdefault(cells, []).append(game)
        for cells, own in readings.items():
            sizes = Counter(len(values) for values in cells if values is not None)
            if sizes and len(set(cells)) > 1:
                yield _OutcomeColumn(table, name, cells, sizes.most_common(1)[0][0], own, given)


def _values(cells: Sequence[Any]) -> list[tuple[float, ...] | None]:
    return [None if is_empty(cell) else values_in(cell) for cell in cells]


def _as_written(game: Game, cells: list[Any], dialect: Dialect) -> tuple[Any, ...] | None:
    """Return outcomes in a game's own notation: cards, words, percent, lists."""
    with suppress(LogError):  # a column of mixed notations
        made, way, count = Notations().read(game, typed_name(game), cells, len(cells))
        if count and way != BUCKET:
            made = list(made)
            return tuple(_values(_as_numbers({FIELD: made}, dialect).get(FIELD, made)))
    return None


def _counts(cells: Sequence[Any]) -> bool:
    """Return whether the cells are consecutive whole numbers."""
    wholes = [_whole(cell) for cell in cells]
    return None not in wholes and all(b == a + 1 for a, b in itertools.pairwise(wholes))  # type: ignore[operator]


def _variants(game: Game, size: int) -> Iterator[Game]:
    """Yield a game with each possible choice of parameters; unchanged if rows show its first values only."""
    found = list(variants(game, size, every=True))
    if not found and size_of(game) > size:
        found = [game]
    yield from found


# ---- the columns ----

_Ways = list[dict[str, str]]


class _OutcomeColumn:
    """The rows with an outcome in one column, in the notation of some games."""

    def __init__(
        self,
        table: _Table,
        outcome: str,
        cells: Sequence[tuple[float, ...] | None],
        size: int,
        games: Sequence[Game],
        given: _Given,
    ) -> None:
        self.size, self.games, self._given = size, games, given
        self._outcome = outcome
        rows = [row for row, values in enumerate(cells) if values is not None and len(values) == size]
        self._logged = [values for row in rows if (values := cells[row]) is not None]
        self._raw = {name: [column[row] for row in rows] for name, column in table.raw.items()}
        self._read = {name: [column[row] for row in rows] for name, column in table.read.items()}
        for name, value in given.constants.items():
            self._raw[name] = self._read[name] = [value] * len(rows)
        taken = {outcome, *given.columns.values(), *given.constants}
        self._free = [name for name in table.raw if name not in taken]
        self._ways: dict[tuple[Any, ...], _Ways] = {}
        self._rows: dict[tuple[str, ...], list[int]] = {}
        self._holds = cache(self._holds_kind)
        self._likeness = cache(self._likeness_of)

    def ways(self, game: Game) -> _Ways:
        """Return the assignments of columns to a game's fields: by names first, then by contents."""
        constant = dict(zip(("server_seed", "client_seed"), rounds_of(game).constant or (), strict=False))
        fields = tuple(game.scheme.fields)
        needed = [name for name in fields if name not in game.scheme.defaults and name not in constant]
        key = (fields, *needed, type(game))
        if key not in self._ways:
            salts = [name for name in game.scheme.defaults if kind_of(game.scheme, name) == "text"]
            called = column_names(game)
            self._ways[key] = list(self._each_way(game.scheme, needed, salts, called))
        return self._ways[key]

    def _each_way(
        self,
        scheme: Scheme,
        needed: Sequence[str],
        salts: Sequence[str],
        called: Mapping[str, Sequence[str]],
    ) -> Iterator[dict[str, str]]:
        told: dict[str, str] = {
            name: self._given.columns.get(name, name)
            for name in scheme.fields
            if name in self._given.columns or name in self._given.constants
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
        for salt in salts:
            for column in self._free if salt not in told else ():
                if len(set(map(str, self._raw[column]))) == 1 and self._holds(column, "text"):
                    rest = [name for name in self._free if name != column]
                    for columns in itertools.islice(self._by_content(scheme, open_, rest), _FEW):
                        yield told | columns | {salt: column}

    def _by_content(
        self, scheme: Scheme, needed: Sequence[str], free: Sequence[str]
    ) -> Iterator[dict[str, str]]:
        """Yield each assignment of columns whose contents fit the fields."""
        choices = []
        for name in needed:
            kind = kind_of(scheme, name)
            fits = [column for column in free if self._holds(column, kind)]
            if name in SECRETS:
                fits = [column for column in fits if not self._holds(column, "short")]
            if name == "server_seed" and any(column in self._committed for column in fits):
                fits = [column for column in fits if column in self._committed]
            elif name != "nonce":
                fits = [column for column in fits if column not in self._committed.values()] or fits
            # Consecutive numbers are likely a nonce; hex digits are likelier than words to be a secret.
            fits = sorted(fits, key=lambda column: -self._likeness(column, name, kind))
            choices.append(fits)
        for chosen in itertools.product(*choices):
            if len(set(chosen)) == len(chosen):
                yield dict(zip(needed, chosen, strict=True))

    @cached_property
    def _committed(self) -> dict[str, str]:
        """Columns whose SHA-256, of their text or their bytes, is in another column; with that column."""
        first = {
            name: (row, cells[row])
            for name, cells in ((name, self._raw[name]) for name in self._free)
            if (row := next((i for i, cell in enumerate(cells) if isinstance(cell, str) and cell), None))
            is not None
        }
        found = {}
        for one, (row, text) in first.items():
            forms = [text.encode(errors="replace")]
            with suppress(ValueError):
                forms.append(bytes.fromhex(text))
            digests = {hashlib.sha256(form).hexdigest() for form in forms}
            for other in self._free:
                published = self._raw[other][row]
                if other != one and isinstance(published, str) and published.strip().lower() in digests:
                    found[one] = other
        return found

    def _holds_kind(self, column: str, kind: str) -> bool:
        """Return whether a column has numbers, text, or only numbers too short for a secret."""
        if kind == "number":
            some = [cell for cell in self._read[column] if not is_empty(cell)]
            return bool(some) and all(_whole(cell) is not None for cell in some)
        some = [cell for cell in self._raw[column] if not is_empty(cell)]
        if kind == "short":
            return all((whole := _whole(cell)) is not None and whole < _SHORT for cell in some)
        return bool(some) and all(isinstance(cell, (str, int, np.integer)) for cell in some)

    def _likeness_of(self, column: str, name: str, kind: str) -> float:
        """Score how much a column looks like a field."""
        if kind == "number":
            wholes = [_whole(cell) for cell in self._read[column] if not is_empty(cell)][:_SOME]
            return sum(a is not None and b is not None and b == a + 1 for a, b in itertools.pairwise(wholes))
        some = [cell for cell in self._raw[column] if not is_empty(cell)][:_SOME]
        digits = sum(isinstance(cell, str) and set(cell.lower()) <= set("0123456789abcdef") for cell in some)
        length = min(max((len(str(cell)) for cell in some), default=0), 64) / 64
        return (digits / max(len(some), 1) + length) * (1 if name != "client_seed" else -1)

    def tried(self, game: Game, columns: Mapping[str, str]) -> tuple[Candidate, bytes] | None:
        """Return a game as a candidate, with a bit mask of the matching rows; None unless most match."""
        rows = self._different(columns)
        first = size_of(game) > self.size
        result = None
        for count in (_FEW, _SOME, len(rows)):
            part = rows[:count]
            given = {
                name: _whole_cells(self._read[column], part)
                if kind_of(game.scheme, name) == "number"
                else [str(self._raw[column][row]) for row in part]
                for name, column in columns.items()
            }
            if not part or any(cells is None for cells in given.values()):
                return None
            logged = [self._logged[row] for row in part]
            result = matches(game, given, logged, first=first)  # type: ignore[arg-type]
            if 2 * int(result.sum()) <= len(part):
                return None
        assert result is not None
        matched = int(result.sum())
        if len(result) < 2:
            return None
        own = {name: column for name, column in columns.items() if name not in self._given.constants}
        candidate = Candidate(
            typed_name(game),
            {**own, FIELD: self._outcome},
            matched,
            len(rows),
            chance(game, logged, matched, first=first),
            era_of(game),
        )
        return candidate, np.packbits(result).tobytes()

    def _different(self, columns: Mapping[str, str]) -> list[int]:
        """Return the first row of each different round that has all fields."""
        key = tuple(columns.values())
        if key not in self._rows:
            fields = [self._raw[column] for column in key]
            rows: dict[tuple[str, ...], int] = {}
            for row in range(len(self._logged)):
                if not any(is_empty(cells[row]) for cells in fields):
                    rows.setdefault(tuple(str(cells[row]) for cells in fields), row)
            self._rows[key] = list(rows.values())
        return self._rows[key]


def _whole(cell: Any) -> int | None:
    if isinstance(cell, (int, np.integer)) and not isinstance(cell, bool):
        return int(cell) if cell >= 0 else None
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and cell >= 0 else None
    return int(cell) if isinstance(cell, str) and cell.strip().isascii() and cell.strip().isdigit() else None


def _whole_cells(cells: Sequence[Any], rows: Sequence[int]) -> list[Any] | None:
    """Return the whole numbers in some rows; None if a cell holds none."""
    wholes = [_whole(cells[row]) for row in rows]
    return None if any(value is None for value in wholes) else wholes
