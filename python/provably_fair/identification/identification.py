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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from provably_fair._core.arguments import check_type, doubles, integer
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import counted, listed, plain
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.table import text_html
from provably_fair._core.toml import toml_text
from provably_fair._core.types import JsonDict, Text
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.games.parameters import parameters_of
from provably_fair.names import given_game
from provably_fair.readings.known import derivations, era_of, searched_games, size_of, variants
from provably_fair.readings.search import Cells, deal_of, evidence, is_sure, matches
from provably_fair.seeds.schemes import kind_of
from provably_fair.sources import LogError
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.foreign import as_text, has_halves
from provably_fair.verification.likely import likely_columns
from provably_fair.verification.log import LogOptions, settled, with_log_options
from provably_fair.verification.systems import FIELD, GAME, named_column

from .columns import Given, Table, TriedColumn, number_columns, seeds_of, tried_columns
from .families import MISREAD, Family, family_of
from .unidentified import game_columns, hashes_in, misread_notes, payout_notes, seed_notes, unread_notes

_ROWS, _FAMILY_ROWS = 300, 20_000
"""The number of first rows that are tried, and of those that determine a family's parameters."""
_FEW, _SOME = 6, 24
"""The number of rows on which every game is tried, and then every game that reproduces most of these."""
_LIMIT = 20_000
_MOST_SALTS = 4
"""The most columns of a single text whose text is tried as a salt."""
_KEPT = 10
_LONGEST = 10_000
"""The number of characters of columns' options that are shown."""


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
    constants : dict
        The values given for its other fields, by field.
    """

    game: str
    columns: Mapping[str, str]
    matched: int
    tried: int
    pvalue: float
    era: str | None = None
    alike: tuple[str, ...] = ()
    constants: Mapping[str, str | int] = field(default_factory=dict)

    _repr_html_ = text_html

    @property
    def options(self) -> str:
        """The options of the command ``verify``: ``--game stake.dice --column nonce=n``."""
        named = [
            f"--column {shlex.quote(f'{name}={column}')}"
            for name, column in self.columns.items()
            if name != column
        ]
        same = [f"--constant {shlex.quote(f'{name}={value}')}" for name, value in self.constants.items()]
        return " ".join([f"--game {shlex.quote(self.game)}", *named, *same])

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
    game_column : str or None
        The column that names each row's game, in a log of several games. Then there is no `best` game.
    parts : dict
        The identification of the rows of each game, by that column's text.
    """

    candidates: tuple[Candidate, ...] = ()
    rows: int = 0
    tests: int = field(default=0, compare=False)
    possible: int = field(default=0, compare=False)
    family: Family | None = None
    anchor: str | None = None
    searched: int = 0
    notes: tuple[str, ...] = ()
    game_column: str | None = None
    parts: Mapping[str, Identification] = field(default_factory=dict)

    _repr_html_ = text_html

    @property
    def best(self) -> Candidate | None:
        """The likeliest game; None if no game reproduces most rows, or if that isn't significant."""
        if self.family is not None:  # a known game of the family gives all rows but instant busts
            return None
        found = self.candidates[:1]
        return found[0] if found and is_sure(found[0].pvalue, self.tests) else None

    @property
    def games(self) -> dict[str, str | None]:
        """The best game by the text of `game_column`, None without one: the argument ``game`` of `verify`."""
        best = {text: part.best for text, part in self.parts.items()}
        return {text: None if one is None else one.game for text, one in best.items()}

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the best game that haven't the names of their fields.

        Of several games, those that the first one has; `parts` has those of games with other columns.
        """
        (_, columns), *_ = [*self._together, ({}, {} if self.best is None else self.best.columns)]
        return {name: column for name, column in columns.items() if name != column}

    @property
    def _together(self) -> list[tuple[dict[str, str], dict[str, str]]]:
        """Games by the text of their column, and their columns, for each set of games that have the same."""
        found: list[tuple[dict[str, str], dict[str, str]]] = []
        for text, best in ((text, part.best) for text, part in self.parts.items() if part.anchor is None):
            if best is not None:
                own = dict(best.columns)
                same = (one for one in found if all(one[1].get(name, own[name]) == own[name] for name in own))
                games, columns = next(same, ({}, {}))
                if not games:
                    found.append((games, columns))
                games[text] = best.game
                columns |= own
        return found

    @property
    def found(self) -> bool:
        """Whether the game is found, or that of every row."""
        return self.best is not None or (bool(self.parts) and None not in self.games.values())

    def to_dict(self) -> JsonDict:
        """Return the result as types of JSON."""
        return {
            "schema": "provably_fair.identification/1",
            "best": None if self.best is None else self.best.game,
            "candidates": [
                {
                    **vars(one),
                    "columns": dict(one.columns),
                    "alike": list(one.alike),
                    "constants": dict(one.constants),
                }
                for one in self.candidates
            ],
            "rows": self.rows,
            "tests": self.tests,
            "possible": self.possible,
            "family": None if self.family is None else self.family.to_dict(),
            "anchor": self.anchor,
            "searched": self.searched,
            "notes": list(self.notes),
            "game_column": self.game_column,
            "games": {text: part.to_dict() for text, part in self.parts.items()},
        }

    def __str__(self) -> str:
        return "\n".join([self._verdict, *self.notes])

    @property
    def _verdict(self) -> str:
        if self.game_column is not None:
            return self._verdict_by_game
        best = self.best
        if self.family is not None:
            return str(self.family)
        if best is not None:
            options = best.options if len(best.options) <= _LONGEST else replace(best, columns={}).options
            does = "verify LOG" if self.anchor is None else f"locate LOG --anchor {self.anchor}"
            return (
                f"{plain(str(best), None)}\n  provably-fair {does} {_typed(options)}\n"
                "That tells by which method outcomes follow from seeds, not that bets were fair."
            )
        if self.candidates:
            few = self.candidates[0]
            return f"none: {few} agree, which isn't significant with so few rows or different outcomes"
        if not self.rows and self.anchor is None:
            return "none: there are no rows"
        if self.anchor is not None and not self.searched:
            return "none: no column holds numbers, or no game that was tried is on a hash chain"
        if self.anchor is not None:
            return (
                f"none: the {self.rows:,} rows lie nowhere on the anchor's chain, for any rule and salt "
                f"tried, among the {self.searched:,} games before it: a larger anchor_limit searches more"
            )
        if not self.possible:
            rows = counted(self.rows, "row")
            return f"none was tried: {rows} without columns of a game's fields, or of outcomes that differ"
        none = f"none of the known games reproduces most of the {self.rows} rows tried"
        if self.tests == self.possible:
            return none
        return (
            f"{none}, in {self.tests:,} of {self.possible:,} ways to assign the columns: name some columns, "
            "try fewer games or raise the limit"
        )

    @property
    def _verdict_by_game(self) -> str:
        said = [f"the column {listed([str(self.game_column)])} has {counted(len(self.parts), 'game')}"]
        for text, part in self.parts.items():
            told = part._verdict if part.best is None else plain(str(part.best), None)
            said.append(f"  {listed([text])}: {told}")
        said += dict.fromkeys(note for part in self.parts.values() for note in part.notes)
        for games, columns in self._together:
            if len(self._together) > 1:
                said.append(f"  for {listed(games)} alone, whose columns are others:")
            said.append("  provably-fair verify LOG --config log.toml, a file with these lines:")
            named = {name: column for name, column in columns.items() if name != column}
            bests = [part.best for text, part in self.parts.items() if text in games]
            same = {name: one for best in bests if best is not None for name, one in best.constants.items()}
            own = {text: games.get(text, "") for text in self.parts}
            tables: dict[str, Mapping[str, Any]] = {"games": own, "columns": named, "constants": same}
            lines = [f"game_column = {toml_text(str(self.game_column))}"]
            for name, table in tables.items():
                cells = ", ".join(f"{toml_text(key)} = {toml_text(str(one))}" for key, one in table.items())
                lines += [f"{name} = {{{cells}}}"] if table else []
            said += [f"    {_typed(line)}" for line in lines]
        for text, part in self.parts.items():
            if part.best is not None and part.anchor is not None:
                said.append(f"  for the rows of {listed([text])} alone:")
                said.append(f"  provably-fair locate LOG --anchor {part.anchor} {_typed(part.best.options)}")
        return "\n".join(said)


def _typed(text: str) -> str:
    """Return text to be typed or copied, which needs all of its quotes and backslashes."""
    return re.sub(r'\\(["\\])', r"\1", plain(text, None))


@with_log_options
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
        an anchor, of the games walked. Each game of a ``game_column`` has its own.
    **options
        Options for reading the log; see `Log`. Fields with a column or a constant aren't assigned another
        one. Seeds in a table of their own are joined. With a ``game_column``, or with one that is called
        so if no game gives all rows, the rows of each game are identified by themselves, among the first
        20,000 rows. Options about verdicts have no effect.

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
    if games is not None and (isinstance(games, str | Mapping) or not isinstance(games, Iterable)):
        raise BadType("games", f"must be games, or None for those that are known, got {type(games).__name__}")
    most = integer("limit", limit, 1)
    below = None if anchor_limit is None else integer("anchor_limit", anchor_limit, 1)
    tried = searched_games() if games is None else tuple(map(_game, games))
    if not tried:
        raise BadValue("games", "must name a game at least, or be None for those that are known")
    asked = settled(log, None, options)
    with asked.naming_config():
        asked.check()
        dialect = Dialect.read(asked.options["csv"])
        check_type("columns", asked.options["columns"], Mapping | None, "a mapping of fields")
        columns = {**named_column(asked.options["columns"], asked.options["game_column"])}
        column = columns.pop(GAME, None)
        asked = asked._replace(options=asked.options | {"columns": columns})
        joined = any(asked.options[name] is not None for name in ("seeds", "seeds_by"))
        seeds = seeds_of(asked, tried) if joined else None
    read = partial(Table.read, asked, dialect, seeds=seeds)
    identified = partial(_identified, tried=tried, all_known=games is None, most=most, progress=progress)
    by_anchor = partial(_by_anchor, known=tried, families=games is None, limit=below, progress=progress)
    if column is None:
        table = read(_ROWS if anchor is None else _FAMILY_ROWS)
        given = Given.of(asked, table, tried)
        if anchor is None:
            result = identified(table, given, lambda: read(_FAMILY_ROWS))
        else:
            result = by_anchor(table, given, anchor=anchor)
        column = next(game_columns(table.cells), None)
        if column is None or result.family is not None or _is_of_all(result.best, table, column):
            return result
    parts, whole = {}, read(_FAMILY_ROWS)
    by_game = whole.by_game(column)
    for text, rows in by_game.items():
        given, every = Given.of(asked, rows, tried), range(rows.rows)
        parts[text] = identified(rows.some(every[:_ROWS]), given, partial(rows.some, every))
        if anchor is not None and parts[text].best is None:
            parts[text] = by_anchor(rows, given, anchor=anchor)
    if not parts:
        raise LogError(f"no row of the column {column!r:.60} names a game", subject="log", kind="columns")
    totals = (sum(getattr(part, name) for part in parts.values()) for name in ("rows", "tests", "possible"))
    rows_tried, tests, possible = totals
    blank = whole.rows - sum(rows.rows for rows in by_game.values())
    names = f"no game in the column {listed([column])}: they belong to none of these"
    notes = (f"{blank:,} of {whole.rows:,} rows have {names}",) if blank else ()
    return Identification((), rows_tried, tests, possible, game_column=column, parts=parts, notes=notes)


def _is_of_all(best: Candidate | None, table: Table, column: str) -> bool:
    """Whether a game gives all rows that have its fields, and rows of each game in a column have them.

    Outcomes of another length, which weren't tried, are another game's.
    """
    if best is None or best.matched < best.tried:
        return False
    there = [table.columns[of].there for of in best.columns.values() if of in table.columns]
    outcomes = table.columns[best.columns[FIELD]].outcomes
    rows = [row for row in range(table.rows) if all(column[row] for column in there)]
    sizes = {row: (values := outcomes[row]) and len(values) for row in rows}
    ((usual, _),) = Counter(sizes.values()).most_common(1)
    texts = [as_text(cell).strip() for cell in table.columns[column].raw]
    return {texts[row] for row, size in sizes.items() if size == usual} >= {*texts} - {""}


def _identified(
    table: Table,
    given: Given,
    more: Callable[[], Table],
    *,
    tried: Sequence[Game],
    all_known: bool,
    most: int,
    progress: Progress,
) -> Identification:
    """Identify the game of rows of one game; `more` returns those that determine a family's parameters."""
    attempts = [
        (game, part, ways)
        for part in tried_columns(table, tried, given)
        for one in part.games
        for game in _variants(one, part.size)
        if (ways := part.ways(game))
    ]
    possible, tests = sum(len(ways) for *_, ways in attempts), 0
    found: list[tuple[Game, Candidate, bytes]] = []
    with progress_bar(min(possible, most), progress) as report:
        for rank in range(max((len(ways) for *_, ways in attempts), default=0)):
            for game, part, ways in attempts:
                if rank < len(ways) and tests < most:
                    tests += 1
                    found += _tried(game, part, ways[rank])
                    if report is not None:
                        report(tests)
    found.sort(key=lambda item: (-item[1].matched / item[1].tried, item[1].pvalue, *_plainness(item[0])))
    alike: dict[tuple[object, ...], list[tuple[Game, Candidate]]] = {}
    for game, known, which in found:
        alike.setdefault((which, known.columns[FIELD]), []).append((game, known))
    told = []
    for group in alike.values():
        # Games of which rows have the first values only come last: `verify` wants all values.
        group.sort(key=lambda item: (size_of(item[0]), *_plainness(item[0])))
        first = group[0][1]
        others = dict.fromkeys(other.game for _, other in group if other.game != first.game)
        told.append(replace(first, alike=tuple(others)))
    result = Identification(tuple(told[:_KEPT]), table.rows, tests, possible)
    best = result.best
    notes = [*misread_notes(table.cells, _columns_of_numbers(table, given, found, best))]
    if best is not None:
        named = next(iter(alike.values()))[0][0], best.columns[FIELD]
        size = next(part.size for game, part, _ in attempts if (game, part.outcome) == named)
        notes += _first_values(named[0], size)
    if best is not None and best.matched == best.tried:
        return replace(result, notes=tuple(notes))
    unread = [] if best is not None else [*unread_notes(table.cells)]
    if all_known:
        first_of = next(iter(alike.values()), [None])[0]
        family = _family(more(), given, tried, first_of)
        if family is not None:
            return replace(result, family=family, notes=tuple(unread))
    notes += unread
    if best is not None:
        notes += _differing(best)
    if best is None and not any(map(has_halves, table.cells.values())):
        # Outcomes of another game may follow from the same draws.
        notes += payout_notes(table.cells, given.columns, tried)
    if best is None and (all_known or not possible):
        notes += seed_notes(table.cells, {*given.columns, *given.constants})
    return replace(result, notes=tuple(notes))


def _differing(best: Candidate) -> list[str]:
    """Return a note if more rows differ from a game than may be misread."""
    others = best.tried - best.matched
    said = "more than are misread, so it may be a game with a similar rule"
    return [f"{others:,} rows have other outcomes: {said}"] if others > max(1, MISREAD * best.tried) else []


def _first_values(game: Game, size: int) -> list[str]:
    """Return a note if rows have a game's first values only, and `verify` wants all of them."""
    all_values, bucket = size_of(game), size == 1 and "bucket" in game.kind.notations
    if size >= all_values or bucket or deal_of(game) is not None:
        return []
    return [f"rows have the first {counted(size, 'value')} of {all_values} only: verify compares all of them"]


def _columns_of_numbers(
    table: Table, given: Given, found: Sequence[tuple[Game, Candidate, bytes]], best: Candidate | None
) -> list[str]:
    """Return the columns of the outcome and the fields with numbers: the best game's, or by their names."""
    if best is None:
        return [*{**likely_columns(["nonce", FIELD], [], table.columns), **given.columns}.values()]
    scheme = found[0][0].scheme
    return [
        column for name, column in best.columns.items() if name == FIELD or kind_of(scheme, name) == "number"
    ]


def _tried(
    game: Game, part: TriedColumn, columns: Mapping[str, str]
) -> Iterator[tuple[Game, Candidate, bytes]]:
    """Yield a game as a candidate, with a bit mask of the matching rows, if most match."""
    parts = (part.cells(game, columns, count) for count in (_FEW, _SOME, _ROWS))
    seen = evidence(game, parts, first=size_of(game) > part.size)
    if seen is not None and seen.tried > 1:
        own = {name: column for name, column in columns.items() if name not in part.given.constants}
        own[FIELD] = part.outcome
        known = part.given.constants
        same = {name: known[name] for name in columns if name in known}
        told = seen.matched, seen.tried, seen.pvalue
        one = Candidate(typed_name(game), own, *told, era_of(game), constants=same)
        yield game, one, np.packbits(seen.which).tobytes()


def _family(
    table: Table, given: Given, known: Sequence[Game], best: tuple[Game, Candidate] | None
) -> Family | None:
    """Return the family of crash games of rows with hashes, if it gives more of them than the best game."""
    names = [given.columns["game_hash"]] if "game_hash" in given.columns else list(table.columns)
    hashed = {name: hashes_in(table.columns[name].raw) for name in names}
    hashed = {
        name: hashes
        for name, hashes in hashed.items()
        if len(set(hashes)) > 1 and table.columns[name].are_most([one is not None for one in hashes])
    }
    pairs = itertools.product(number_columns(table, given), hashed.items()) if hashed else ()
    for (name, outcomes), (column, hashes) in pairs:
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
            field: [table.columns[of].raw[row] for row in rows]
            for field, of in one.columns.items()
            if of in table.columns
        }
        fields |= {field: [value] * len(rows) for field, value in given.constants.items()}
        own = matches(game, Cells(fields, [(outcome,) for outcome in outcomes[rows]]))
        return found if found.rows > own.sum() else None
    return None


def _by_anchor(
    table: Table,
    given: Given,
    *,
    anchor: Text,
    known: Sequence[Game],
    families: bool,
    limit: int | None,
    progress: Progress,
) -> Identification:
    """Identify outcomes without hashes from a later hash."""
    from .anchored import AnchorSearch, agreeing

    check_type("anchor", anchor, (str, bytes), "str or bytes")
    text = anchor.decode("latin-1") if isinstance(anchor, bytes) else str(anchor)
    columns = list(number_columns(table, given))
    salts = _salts(table, given, known) if families else []
    own = _own_salts(table, given)
    salted = {one: game for game in known for one in _salted(game, own)}
    search = AnchorSearch([*salted], salts, anchor, limit, len(columns))
    notes = tuple(unread_notes(table.cells))
    result = Identification(rows=table.rows, anchor=text, searched=search.limit, notes=notes)
    with progress_bar(search.total, progress) as report:
        for name, outcomes in columns:
            # A log's own salts may be a clone's; otherwise the salts of known games are tried.
            location, family = search.run(outcomes, bool(given.salts) and families, report)
            if location is not None:
                assert location.game is not None
                game, matched, rows = location.game, agreeing(location), len(location.rows)
                told = {FIELD: name}, matched, rows, location.pvalue, era_of(game)
                same = {of: one for of, one in given.constants.items() if of in game.scheme.fields}
                same |= {"salt": game.scheme.defaults["salt"]} if own else {}
                one = Candidate(typed_name(salted[game]), *told, constants=same)
                result = replace(result, candidates=(one,), tests=len(location.games))
            if location is not None or family is not None:
                lost = 0 if family is None else len(outcomes) - family.rows - family.misread
                said = f"{lost:,} of {len(outcomes):,} rows have no sure place on the anchor's chain"
                differing = [] if family is not None else _differing(result.candidates[0])
                result = replace(result, family=family, notes=(said,) if lost else tuple(differing))
                break
        if report is not None:
            report(search.total)
    return result


def _own_salts(table: Table, given: Given) -> list[str]:
    """Return the salts given, or the one in a column; none if there are none."""
    if given.salts:
        return [*dict.fromkeys(map(str, given.salts))]
    column = given.columns.get("salt", "salt")
    usual = table.columns[column].usual if column in table.columns else None
    return [] if usual is None else [usual]


def _salts(table: Table, given: Given, known: Sequence[Game]) -> list[str]:
    """Return the salts to try: a log's own, or those of known games and texts that a whole column has."""
    if own := _own_salts(table, given):
        return own
    salts = [str(game.scheme.defaults["salt"]) for game in known if "salt" in game.scheme.defaults]
    same = (one.usual for one in table.columns.values() if one.is_text and not one.is_number)
    return [*dict.fromkeys(salts + [text for text in same if text][:_MOST_SALTS])]


def _salted(game: Game, salts: Sequence[str]) -> Iterator[Game]:
    """Yield a game with each of a log's own salts, or as it is."""
    scheme = game.scheme
    for salt in salts if "salt" in scheme.fields else ():
        yield game.with_scheme(replace(scheme, defaults={**scheme.defaults, "salt": salt}))
    if not salts or "salt" not in scheme.fields:
        yield game


def _game(value: Game | str) -> Game:
    if isinstance(value, type) and issubclass(value, Game):
        return value()
    return given_game("games", value)


def _variants(game: Game, size: int) -> list[Game]:
    """Return a game with each possible choice of parameters; unchanged if rows show its first values only.

    At a table, a row may show cards, or what came of them; among pegs, a number is a bucket of any path.
    """
    if deal_of(game) is not None:
        return [game]
    if size == 1 and "bucket" in game.kind.notations:
        rows = parameters_of(game).get("rows")
        lengths = [size_of(game)] if rows is None else range(rows.least, rows.most + 1)
        return [one for length in lengths for one in variants(game, length, every=True)]
    found = list(variants(game, size, every=True))
    return [game] if not found and size_of(game) > size else found


def _plainness(game: Game) -> tuple[int, bool, str]:
    """Return a key that sorts games of the same rule: base classes first, then plain parameters."""
    name = typed_name(game)
    return derivations(type(game)), ":" in name, name
