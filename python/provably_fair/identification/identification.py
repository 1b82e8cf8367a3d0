"""Identify the game of a log by trying known games on its rows.

Every known game is tried on the first rows with each possible assignment of the columns: by names first, then
by contents (hex digits, consecutive numbers, hashes of another column). The likeliest assignments of all
games come first, up to a limit. A game that reproduces few of the first rows is dropped early. A game is
named only if the probability that a wrong one matches as many rows, times the number of games and assignments
tried, is below one in a million.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, Unpack

import numpy as np

from provably_fair._core.arguments import check_type, integer
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
from provably_fair.operators.registry import column_names
from provably_fair.readings.known import derivations, era_of, known_games, size_of, variants
from provably_fair.readings.matching import BOUND, chance, deal_of, matches, values_in
from provably_fair.seeds.schemes import Scheme, kind_of
from provably_fair.sources import Batch, LogError, Wanted, open_log
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.foreign import Constant, cells_of, is_empty
from provably_fair.sources.numbers import Numbers, as_python_writes
from provably_fair.verification.likely import likely_columns
from provably_fair.verification.log import LogCall, LogOptions, settled, with_log_options
from provably_fair.verification.options import OPTIONS
from provably_fair.verification.systems import COMMITMENT, FIELD, SECRETS
from provably_fair.verification.systems.notations import BUCKET, Notations

from .families import MISREAD, Family, family_of
from .unidentified import (
    game_notes,
    hashes_in,
    misread_notes,
    pairs_of_commitments,
    payout_notes,
    seed_notes,
)

__all__ = ["Candidate", "Identification", "identify"]

_ROWS, _FAMILY_ROWS = 300, 20_000
"""The number of first rows that are tried, and of those that determine a family's parameters."""
_FEW, _SOME = 6, 24
"""The number of rows on which every game is tried, and then every game that reproduces most of these."""
_MOST_WAYS = 60
"""The largest number of assignments of columns by their contents, per game."""
_LIMIT = 20_000
_KEPT = 10
_LONGEST = 10_000
"""The number of characters of columns' options that are shown."""
_SHORT = 10**8
"""Whole numbers below this aren't taken for a secret, unless the column is named like one."""
_OUTCOMES = ("outcome", "result", "roll", "bust")
"""Names of a column of outcomes."""
_OF_VERIFY = ("game_column", "seeds", "seeds_by")
"""Options of logs that more than one table or game has."""


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
        """The options of the command ``verify``: ``--game stake.dice --column nonce=n``."""
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
    searched : int
        The number of games before the anchor that were searched by each rule; 0 without an anchor.
    notes : tuple of str
        What the log lacks, and what can be done, if no game gives all rows; cells that may be misread.
    """

    candidates: tuple[Candidate, ...] = ()
    rows: int = 0
    tests: int = field(default=0, compare=False)
    possible: int = field(default=0, compare=False)
    family: Family | None = None
    anchor: str | None = None
    searched: int = 0
    notes: tuple[str, ...] = ()

    _repr_html_ = text_html

    @property
    def best(self) -> Candidate | None:
        """The likeliest game; None if no game reproduces most rows, or if that isn't significant."""
        if self.family is not None:  # a known game of the family gives all rows but instant busts
            return None
        found = self.candidates[:1]
        return found[0] if found and found[0].pvalue * max(self.tests, 1) < BOUND else None

    def to_dict(self) -> JsonDict:
        """Return the result as types of JSON."""
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
            "searched": self.searched,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([self._verdict, *self.notes])

    @property
    def _verdict(self) -> str:
        best = self.best
        if self.family is not None:
            return str(self.family)
        if best is not None:
            # The command keeps its quotes and backslashes for the shell, which needs all of them.
            options = best.options if len(best.options) <= _LONGEST else replace(best, columns={}).options
            command = re.sub(r'\\(["\\])', r"\1", plain(options, None))
            does = "verify LOG" if self.anchor is None else f"locate LOG --anchor {self.anchor}"
            return (
                f"{plain(str(best), None)}\n  provably-fair {does} {command}\n"
                "That tells by which method outcomes follow from seeds, not that bets were fair."
            )
        if self.candidates:
            few = self.candidates[0]
            return f"none: {few} agree, which isn't significant with so few rows or different outcomes"
        if self.anchor is not None and not self.searched:
            return "none: no column holds numbers, or no game that was tried is on a hash chain"
        if self.anchor is not None:
            return (
                f"none: the {self.rows:,} rows lie nowhere on the anchor's chain, for any rule and salt "
                f"tried, among the {self.searched:,} games before it: a larger anchor_limit searches more"
            )
        none = f"none of the known games reproduces most of the {self.rows} rows tried"
        if self.tests == self.possible:
            return none
        return (
            f"{none}, in {self.tests:,} of {self.possible:,} ways to assign the columns: name some columns, "
            "try fewer games or raise the limit"
        )


@partial(with_log_options, without=_OF_VERIFY)
def identify(
    log: object = None,
    games: Iterable[Game | str] | None = None,
    *,
    anchor: Text | None = None,
    anchor_limit: int | None = None,
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
    anchor_limit : int, optional
        The largest number of games before the anchor to search. For rows that lie nowhere, they are all
        walked for each rule and salt. By default up to 10 million, fewer the more rules there are, so that
        it takes about a minute.
    limit : int
        The largest number of games to try, counting each assignment of columns; the likeliest are tried
        first. A try takes about half a millisecond.
    progress : bool or callable
        Whether to show a progress bar (this needs tqdm), or a function of the tries done and the total; with
        an anchor, of the games walked.
    **options
        Options for reading the log; see `Log`. Fields with a column or a constant aren't assigned another
        one. The log is one table, of one game.

    Returns
    -------
    Identification
        The likeliest game, and others. `best` is None unless the probability that a wrong game reproduces as
        many rows, times the number of games and assignments tried, is below 10**-6. If no known game gives
        all rows, and there are game hashes or an anchor, `family` has the parameters of a clone of one of
        bustabit's rules. Give its salt, or several to choose from: ``constants={"salt": ["...", "..."]}``.

    Examples
    --------
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
    most = integer("limit", limit, 1)
    below = None if anchor_limit is None else integer("anchor_limit", anchor_limit, 1)
    asked = settled(log, None, options)
    with asked.naming_config():
        for name in _OF_VERIFY:
            if asked.options[name] is not None:
                raise BadValue(name, "isn't supported: games are tried on the columns of one table")
        OPTIONS["columns"].check(asked.options["columns"])
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
        told.append(replace(first, alike=tuple(others)))
    result = Identification(tuple(told[:_KEPT]), table.rows, tests, possible)
    best = result.best
    misread = [*misread_notes(table.raw, _columns_of_numbers(table, given, found, best))]
    if best is not None and best.matched == best.tried:
        return replace(result, notes=tuple(misread))
    if games is None:
        first_of = next(iter(alike.values()), [None])[0]
        family = _family(asked, dialect, given, tried, first_of)
        if family is not None:
            return replace(result, family=family)
    notes = [*game_notes(table.raw), *misread]
    if best is None:
        notes += payout_notes(table.raw, given.columns, tried)
    if best is None and (games is None or not possible):
        notes += seed_notes(table.raw, {*given.columns, *given.constants}, asked.source)
    return replace(result, notes=tuple(notes))


def _columns_of_numbers(
    table: _Table, given: _Given, found: Sequence[tuple[Game, Candidate, bytes]], best: Candidate | None
) -> list[str]:
    """Return the columns of the outcome and the fields with numbers: the best game's, or by their names."""
    if best is None:
        return [*{**likely_columns(["nonce", FIELD], [], table.raw), **given.columns}.values()]
    scheme = found[0][0].scheme
    return [
        column for name, column in best.columns.items() if name == FIELD or kind_of(scheme, name) == "number"
    ]


def _family(
    asked: LogCall,
    dialect: Dialect,
    given: _Given,
    known: Sequence[Game],
    best: tuple[Game, Candidate] | None,
) -> Family | None:
    """Return the family of crash games of rows with hashes, if it gives more of them than the best game."""
    table = _read(asked, dialect, _FAMILY_ROWS)
    columns = [given.columns["game_hash"]] if "game_hash" in given.columns else list(table.raw)
    hashed = {name: hashes_in(table.raw[name]) for name in columns}
    hashed = {
        name: hashes
        for name, hashes in hashed.items()
        if len(set(hashes)) > 1 and _are_most([one is not None for one in hashes], table.raw[name])
    }
    if not hashed:
        return None
    for (name, outcomes), (column, hashes) in itertools.product(
        _number_columns(table, given), hashed.items()
    ):
        rows = [row for row, one in enumerate(hashes) if one is not None and not np.isnan(outcomes[row])]
        if name == column or 2 * len(rows) < len(hashes):
            continue
        logged = doubles(outcomes[rows]).tolist()
        found = family_of([hashes[row] for row in rows], logged, _salts(table, given, known))
        if found is None:
            continue
        if best is None:
            return found
        game, one = best
        fields = {
            field: [table.raw[of][row] for row in rows]
            for field, of in one.columns.items()
            if of in table.raw
        }
        fields |= {field: [value] * len(rows) for field, value in given.constants.items()}
        own = matches(game, fields, [(outcome,) for outcome in outcomes[rows]])
        return found if found.rows > own.sum() else None
    return None


def _by_anchor(
    table: _Table,
    given: _Given,
    known: Sequence[Game],
    families: bool,
    anchor: Text,
    limit: int | None,
    progress: Progress,
) -> Identification:
    """Identify outcomes without hashes from a later hash."""
    from .anchored import AnchorSearch, agreeing

    check_type("anchor", anchor, (str, bytes), "str or bytes")
    text = anchor.decode("latin-1") if isinstance(anchor, bytes) else str(anchor)
    columns = list(_number_columns(table, given))
    salts = _salts(table, given, known) if families else []
    search = AnchorSearch(known, salts, anchor, limit, len(columns))
    result = Identification(rows=table.rows, anchor=text, searched=search.limit)
    with ProgressBar(search.total, progress) as report:
        for name, outcomes in columns:
            # Given salts may be a clone's; otherwise the salts of known games are tried.
            location, family = search.run(outcomes, bool(given.salts) and families, report)
            if location is not None:
                assert location.game is not None
                game, matched, rows = location.game, agreeing(location), len(location.rows)
                one = Candidate(typed_name(game), {FIELD: name}, matched, rows, location.pvalue, era_of(game))
                result = replace(result, candidates=(one,), tests=len(location.games))
            if location is not None or family is not None:
                result = replace(result, family=family)
                break
        if report is not None:
            report(search.total)
    return result


def _salts(table: _Table, given: _Given, known: Sequence[Game]) -> list[str]:
    """Return the salts to try: those given, the one in a column, or those of known games."""
    column = given.columns.get("salt", "salt")
    if given.salts:
        salts = given.salts
    elif column in table.raw and (salt := _usual_cell(table.raw[column])) is not None:
        salts = [salt]
    else:
        salts = [game.scheme.defaults["salt"] for game in known if "salt" in game.scheme.defaults]
    return [str(salt) for salt in dict.fromkeys(salts)]


def _number_columns(table: _Table, given: _Given) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the column of outcomes, or each possible one, as numbers; NaN for an empty cell."""
    named = [given.columns[FIELD]] if FIELD in given.columns else []
    named += [name for name in table.raw if name.casefold() in _OUTCOMES]
    for name in named[:1] or table.raw:
        cells = _values(table.read[name])
        good = [values is not None and len(values) == 1 for values in cells]
        if _are_most(good, table.read[name]):
            numbers = [values[0] if one and values else None for one, values in zip(good, cells, strict=True)]
            single = all(number is None or isinstance(number, np.float32) for number in numbers)
            kind = np.float32 if single else np.float64
            yield name, np.array([np.nan if number is None else number for number in numbers], kind)


def _are_most(good: Sequence[bool], cells: Sequence[Any]) -> bool:
    """Return whether cells are good, all but empty ones and a few that may be misread."""
    some = [one for one, cell in zip(good, cells, strict=True) if not is_empty(cell)]
    return sum(some) >= (1 - MISREAD) * len(some) and any(some)


def _usual_cell(cells: Sequence[Any]) -> str | None:
    """Return the text of a column that has the same one in all rows; None if there is none."""
    ((text, count),) = Counter(map(str, cells)).most_common(1) or [("", 0)]
    return text if count and count >= (1 - MISREAD) * len(cells) else None


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
        return open_log(asked.source, Wanted(names, dialect, storage)).batches()

    if not open_log(asked.source, Wanted((), dialect, storage)).again:
        raise LogError(
            "it can be read only once, but is read twice here: give a file or columns", subject="log"
        )
    names = next((batch.names for batch in batches(())), ())
    table: dict[str, list[Any]] = {}
    rows = 0
    for batch in batches(names):
        for name in names:
            cells = cells_of(batch.columns.get(name, Constant(None)), batch.rows)
            table.setdefault(name, []).extend(cells[: most - rows])
        rows = min(rows + batch.rows, most)
        if rows == most:
            break
    table = {name: [_with_text(cell) for cell in cells] for name, cells in table.items()}
    return _Table(table, {**table, **_as_numbers(table, dialect)}, rows, dialect)


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
    texts = {
        name: [cell if one else None for one, cell in zip(good, cells, strict=True)]
        for name, cells in table.items()
        if _are_most(good := list(map(_is_text_of_number, cells)), cells)
    }
    with suppress(LogError):
        return Numbers(dialect).read(texts, {})
    read: dict[str, list[Any]] = {}
    for name, cells in texts.items():
        with suppress(LogError):  # an ambiguous column stays as it is
            read |= Numbers(dialect).read({name: cells}, {})
    return read


def _is_text_of_number(cell: Any) -> bool:
    """Return whether a cell is the text of a number in some notation."""
    for mark in ".," if isinstance(cell, str) else "":
        with suppress(ValueError):
            float(as_python_writes(cell, mark, None))
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
            check_type(name, mapping, Mapping, "a mapping of fields")
            for key in mapping:
                check_type(name, key, str, "a mapping of names of fields")
        for field_name, column in columns.items():
            if column not in table.raw:
                there = listed(list(table.raw), 20) if table.raw else "none"
                text = f"no column {column!r:.60} for {field_name!r:.60}; the columns there are {there}"
                raise LogError(text, subject="log", kind="columns")
        for name, value in constants.items():
            if _with_text(value) is None:
                problem = f"must be text or a whole number, got {type(value).__name__}"
                raise BadType("constants", problem, index=name)
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


def _variants(game: Game, size: int) -> list[Game]:
    """Return a game with each possible choice of parameters; unchanged if rows show its first values only.

    At a table, a row may show cards, or what came of them.
    """
    if deal_of(game) is not None:
        return [game]
    found = list(variants(game, size, every=True))
    return [game] if not found and size_of(game) > size else found


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
                if _usual_cell(self._raw[column]) is not None and self._holds(column, "text"):
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
        """Columns whose hash is in another column; with that column."""
        return pairs_of_commitments({name: self._raw[name] for name in self._free})

    def _holds_kind(self, column: str, kind: str) -> bool:
        """Return whether a column has numbers, text, or only numbers too short for a secret."""
        if kind == "number":
            return _are_most([_whole(cell) is not None for cell in self._read[column]], self._raw[column])
        some = [cell for cell in self._raw[column] if not is_empty(cell)]
        if kind == "short":
            return all((whole := _whole(cell)) is not None and whole < _SHORT for cell in some)
        return _are_most([isinstance(cell, (str, int, np.integer)) for cell in some], some)

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
        numbers = [column for name, column in columns.items() if kind_of(game.scheme, name) == "number"]
        rows = self._different(columns, numbers)
        first = size_of(game) > self.size
        result = None
        for count in (_FEW, _SOME, len(rows)):
            part = rows[:count]
            given = {
                name: [_whole(self._read[column][row]) for row in part]
                if column in numbers
                else [str(self._raw[column][row]) for row in part]
                for name, column in columns.items()
            }
            deal = deal_of(game)
            if (
                deal is not None
                and (chosen := self._given.columns.get(deal.kind.choice, deal.kind.choice)) in self._raw
            ):
                given[deal.kind.choice] = [self._raw[chosen][row] for row in part]
            if not part:
                return None
            logged = [self._logged[row] for row in part]
            result = matches(game, given, logged, first=first)
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
            chance(game, logged, matched, first=first, fields=given),
            era_of(game),
        )
        return candidate, np.packbits(result).tobytes()

    def _different(self, columns: Mapping[str, str], numbers: Sequence[str]) -> list[int]:
        """Return the first row of each different round that has all fields."""
        key = (*columns.values(), "", *numbers)
        if key not in self._rows:
            fields = [self._raw[column] for column in columns.values()]
            wholes = [self._read[column] for column in numbers]
            rows: dict[tuple[str, ...], int] = {}
            for row in range(len(self._logged)):
                if not any(is_empty(cells[row]) for cells in fields) and all(
                    _whole(cells[row]) is not None for cells in wholes
                ):
                    rows.setdefault(tuple(str(cells[row]) for cells in fields), row)
            self._rows[key] = list(rows.values())
        return self._rows[key]


def _whole(cell: Any) -> int | None:
    if isinstance(cell, (int, np.integer)) and not isinstance(cell, bool):
        return int(cell) if cell >= 0 else None
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and cell >= 0 else None
    return int(cell) if isinstance(cell, str) and cell.strip().isascii() and cell.strip().isdigit() else None
