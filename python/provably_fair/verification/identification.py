"""Whose method a log is of: known games, tried on its rows.

Every known game is tried on the first rows, with each way to read their columns: by names first, then by
contents (hex digits, numbers that count up, hashes of another column). A game that reproduces few of the rows
is given up early. The chance that a wrong game matches as many rows, times the number of games and ways
tried, must be below one in a million: no game is named rather than a guess.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType
from provably_fair._core.printable import decoded, plain
from provably_fair._core.table import text_html
from provably_fair._core.types import JsonDict
from provably_fair.games import Game, constant_seeds, game_of, typed_name
from provably_fair.names import parse_game
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
from provably_fair.seeds.schemes import kind_of

from .foreign import cells_of, is_empty
from .likely import likely_columns
from .sources import Batch, LogError, Wanted, open_log
from .systems import COMMITMENT, FIELD

__all__ = ["Candidate", "Identification", "identify"]

_ROWS = 300
"""The first rows of a log are looked at."""
_FEW, _SOME = 6, 24
"""Rows that any game is tried on, and one that gives most of these."""
_MOST_WAYS = 60
"""In how many ways columns without telling names are taken for a game's fields, at most."""
_KEPT = 10
_OUTCOMES = ("outcome", "result", "roll", "bust")
"""What a column of outcomes is called, where its name tells."""

_Table = dict[str, list[Any]]


@dataclass(frozen=True)
class Candidate:
    """A game that the rows of a log may be of.

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
        """What the command ``verify`` is told.

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
    """Whose method a log may be of. Made by `identify`.

    Attributes
    ----------
    candidates : tuple of Candidate
        Games that match most of the rows, the likeliest first, even if the match isn't significant.
    rows : int
        The number of rows tried.
    tests : int
        The number of games tried, counting each assignment of columns.
    """

    candidates: tuple[Candidate, ...] = ()
    rows: int = 0
    tests: int = field(default=0, compare=False)

    _repr_html_ = text_html

    @property
    def best(self) -> Candidate | None:
        """The likeliest game; None if the match could be chance, or if no game matches most rows."""
        found = self.candidates[:1]
        return found[0] if found and found[0].pvalue * max(self.tests, 1) < BOUND else None

    def to_dict(self) -> JsonDict:
        """Return what was found as JSON's types.

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
        }

    def __str__(self) -> str:
        best = self.best
        if best is not None:
            # Quotes and backslashes of the command stay as a shell reads them.
            command = re.sub(r'\\(["\\])', r"\1", plain(best.options, None))
            return (
                f"{plain(str(best), None)}\n  provably-fair verify LOG {command}\n"
                "That tells by which method outcomes follow from seeds, not that bets were fair."
            )
        if self.candidates:
            few = self.candidates[0]
            return f"none: {few} come out, which so few rows, or so few different outcomes, may by chance"
        return f"none of the known games gives most of the {self.rows} rows looked at"


def identify(log: object, games: Iterable[Game | str] | None = None) -> Identification:
    """Find out which known game a log is of, and what its columns are.

    Parameters
    ----------
    log : path, file, list of them, Query, mapping, frame or Arrow data
        See `verify`. The first 300 rows are tried.
    games : iterable of Game or str, optional
        The games to try; by default the package's own and those of its operators. Nothing else is imported.

    Returns
    -------
    Identification
        The likeliest game, and others. `best` is None unless the probability that a wrong game matches as
        many rows, times the number of games and columns tried, is below 10**-6.

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
    tried = known_games() if games is None else tuple(map(_game, games))
    table, rows = _read(log)
    found: list[tuple[Game, Candidate, bytes]] = []
    tests = 0
    chosen: dict[tuple[str, ...], tuple[dict[str, list[Any]], list[int]]] = {}
    for outcome, size, part in _outcomes(table):
        for game in tried:
            for one in _variants(game, size):
                for columns in _ways(one, part, outcome):
                    tests += 1
                    candidate = _tried(one, part, columns, outcome, chosen)
                    if candidate is not None:
                        found.append((one, *candidate))
    found.sort(key=lambda item: (-item[1].matched / item[1].tried, item[1].pvalue, *_plainness(item[0])))
    alike: dict[tuple[object, ...], list[tuple[Game, Candidate]]] = {}
    for game, known, given in found:
        alike.setdefault((given, known.columns[FIELD]), []).append((game, known))
    told = []
    for group in alike.values():
        group.sort(key=lambda item: _plainness(item[0]))
        first = group[0][1]
        others = dict.fromkeys(other.game for _, other in group if other.game != first.game)
        told.append(Candidate(**{**vars(first), "alike": tuple(others)}))
    return Identification(tuple(told[:_KEPT]), rows, tests)


def _game(value: Game | str) -> Game:
    if isinstance(value, type) and issubclass(value, Game):
        return value()
    return parse_game(value) if isinstance(value, str) else game_of("games", value)


def _plainness(game: Game) -> tuple[int, bool, str]:
    """Return a game's place among others of the same rule: what others are derived from goes before."""
    name = typed_name(game)
    return derivations(type(game)), ":" in name, name


# ---- the rows ----


def _read(log: object) -> tuple[_Table, int]:
    """Return the first rows of a log, by column, and how many there are."""
    source = open_log(log, Wanted(()))
    if not source.again:
        raise LogError(
            "it can be read only once, and is read twice here: give a file or columns", subject="log"
        )
    names = next((batch.names for batch in _batches(log, ())), ())
    table: _Table = {}
    rows = 0
    for batch in _batches(log, names):
        for name in names:
            cells = (
                cells_of(batch.columns[name], batch.rows) if name in batch.columns else [None] * batch.rows
            )
            table.setdefault(name, []).extend(cells[: _ROWS - rows])
        rows = min(rows + batch.rows, _ROWS)
        if rows == _ROWS:
            break
    return {name: [decoded(cell) for cell in cells] for name, cells in table.items()}, rows


def _batches(log: object, names: Iterable[str]) -> Iterator[Batch]:
    with closing(open_log(log, Wanted(names)).pieces()) as pieces:
        for piece in pieces:
            yield from piece.batches()


def _outcomes(table: _Table) -> Iterator[tuple[str, int, _Table]]:
    """Give the columns that may hold outcomes: how many values most have, and the rows that have them."""
    named = [name for name in table if name.casefold() in _OUTCOMES]
    for name in named or table:
        cells = [values_in(cell) if not is_empty(cell) else None for cell in table[name]]
        sizes = Counter(len(values) for values in cells if values is not None)
        if not sizes:
            continue
        ((size, _),) = sizes.most_common(1)
        rows = [row for row, values in enumerate(cells) if values is not None and len(values) == size]
        if len(set(cells)) > 1 and not _counts(table[name]):
            part = {other: [column[row] for row in rows] for other, column in table.items()}
            part[name] = [cells[row] for row in rows]
            yield name, size, part


def _counts(cells: Sequence[Any]) -> bool:
    """Whether whole numbers count up, one by one."""
    wholes = [_whole(cell) for cell in cells]
    return None not in wholes and all(b == a + 1 for a, b in itertools.pairwise(wholes))  # type: ignore[operator]


def _variants(game: Game, size: int) -> Iterator[Game]:
    """Give a game with the parameters that rows may be of; as it is where they show its first values."""
    found = list(variants(game, size, every=True))
    if not found and size_of(game) > size:
        found = [game]
    yield from found


# ---- the columns ----


def _ways(game: Game, table: _Table, outcome: str) -> Iterator[dict[str, str]]:
    """Give the ways in which columns may be a game's fields: by their names first, then by what they hold."""
    constant = dict(zip(("server_seed", "client_seed"), constant_seeds(game) or (), strict=False))
    fields = game.scheme.fields
    needed = [name for name in fields if name not in game.scheme.defaults and name not in constant]
    free = [name for name in table if name != outcome]
    named: dict[str, str] = {}
    called = column_names(game)
    for name in fields:
        column = next((one for one in (name, *called.get(name, ())) if one in free), None)
        if column is not None:
            named[name] = column
    others = [name for name in needed if name not in named]
    left = [name for name in free if name not in named.values()]
    likely = likely_columns(others, [COMMITMENT], left)
    named |= {name: likely[name] for name in others if name in likely}
    seen = []
    if all(name in named for name in needed):
        seen.append(named)
        yield named
        if not others:
            return
    committed = _committed(table, free)
    for columns in itertools.islice(_by_content(needed, table, free, committed), _MOST_WAYS):
        if columns not in seen:
            yield columns
    salts = [name for name in game.scheme.defaults if kind_of(name) == "text"]
    for salt in salts:
        for column in free:
            if len(set(map(str, table[column]))) == 1 and _holds(table[column], "text"):
                rest = [name for name in free if name != column]
                for columns in itertools.islice(_by_content(needed, table, rest, committed), _FEW):
                    yield columns | {salt: column}


def _by_content(
    needed: Sequence[str], table: _Table, free: Sequence[str], committed: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Give every choice of columns that hold what fields need."""
    choices = []
    for name in needed:
        fits = [column for column in free if _holds(table[column], kind_of(name))]
        if name == "server_seed" and any(column in committed for column in fits):
            fits = [column for column in fits if column in committed]
        elif name != "nonce":
            fits = [column for column in fits if column not in committed.values()] or fits
        # What counts up is likelier a nonce; hex digits are likelier a secret than words.
        fits = sorted(fits, key=lambda column: -_likeness(table[column], name))
        choices.append(fits)
    for chosen in itertools.product(*choices):
        if len(set(chosen)) == len(chosen):
            yield dict(zip(needed, chosen, strict=True))


def _committed(table: _Table, free: Sequence[str]) -> dict[str, str]:
    """Return the columns whose SHA-256 another one holds: of their text, or of their bytes."""
    found = {}
    for one, other in itertools.permutations(free, 2):
        row = next((i for i, cell in enumerate(table[one]) if isinstance(cell, str) and cell), None)
        if row is None or not isinstance(table[other][row], str):
            continue
        published = table[other][row].strip().lower()
        try:
            forms = [table[one][row].encode(), bytes.fromhex(table[one][row])]
        except ValueError:
            forms = [table[one][row].encode(errors="replace")]
        if any(hashlib.sha256(form).hexdigest() == published for form in forms):
            found[one] = other
    return found


def _holds(cells: Sequence[Any], kind: str) -> bool:
    some = [cell for cell in cells if not is_empty(cell)]
    if kind == "number":
        return bool(some) and all(_whole(cell) is not None for cell in some)
    return bool(some) and all(isinstance(cell, (str, int, np.integer)) for cell in some)


def _whole(cell: Any) -> int | None:
    if isinstance(cell, (int, np.integer)) and not isinstance(cell, bool):
        return int(cell) if cell >= 0 else None
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and cell >= 0 else None
    return int(cell) if isinstance(cell, str) and cell.strip().isascii() and cell.strip().isdigit() else None


def _likeness(cells: Sequence[Any], name: str) -> float:
    some = [cell for cell in cells if not is_empty(cell)][:_SOME]
    wholes = [_whole(cell) for cell in some]
    if kind_of(name) == "number":
        return sum(a is not None and b is not None and b == a + 1 for a, b in itertools.pairwise(wholes))
    digits = sum(isinstance(cell, str) and set(cell.lower()) <= set("0123456789abcdef") for cell in some)
    length = min(max((len(str(cell)) for cell in some), default=0), 64) / 64
    return (digits / max(len(some), 1) + length) * (1 if name != "client_seed" else -1)


# ---- a game ----


def _tried(
    game: Game,
    table: _Table,
    columns: Mapping[str, str],
    outcome: str,
    chosen: dict[tuple[str, ...], tuple[dict[str, list[Any]], list[int]]],
) -> tuple[Candidate, bytes] | None:
    """Return a game with how many rows it gives, if it gives most, and which these are.

    What rows there are in some columns is kept in `chosen`.
    """
    key = (outcome, *itertools.chain(*columns.items()))
    if key not in chosen:
        chosen[key] = _different(table, columns, outcome)
    fields, rows = chosen[key]
    result = None
    for count in (_FEW, _SOME, len(rows)):
        part = rows[:count]
        given = {name: _as_field(name, cells, part) for name, cells in fields.items()}
        if not part or any(cells is None for cells in given.values()):
            return None
        logged = [table[outcome][row] for row in part]
        result = matches(game, given, logged, first=size_of(game) > len(logged[0]))  # type: ignore[arg-type]
        if 2 * int(result.sum()) <= len(part):
            return None
    assert result is not None
    matched = int(result.sum())
    if len(result) < 2:
        return None
    pvalue = chance(game, logged, matched, first=size_of(game) > len(logged[0]))
    candidate = Candidate(
        typed_name(game), {**columns, FIELD: outcome}, matched, len(rows), pvalue, era_of(game)
    )
    return candidate, np.packbits(result).tobytes()


def _different(
    table: _Table, columns: Mapping[str, str], outcome: str
) -> tuple[dict[str, list[Any]], list[int]]:
    """Return the columns of fields, and the first row of each round that has all of them."""
    fields = {name: table[column] for name, column in columns.items()}
    rows: dict[tuple[str, ...], int] = {}
    for row in range(len(table[outcome])):
        if not any(is_empty(cells[row]) for cells in fields.values()):
            rows.setdefault(tuple(str(cells[row]) for cells in fields.values()), row)
    return fields, list(rows.values())


def _as_field(name: str, cells: Sequence[Any], rows: Sequence[int]) -> list[Any] | None:
    """Return the cells of a field in some rows; None where they can't be its."""
    if kind_of(name) == "number":
        wholes = [_whole(cells[row]) for row in rows]
        return None if any(value is None for value in wholes) else wholes
    return [str(cells[row]) for row in rows]
