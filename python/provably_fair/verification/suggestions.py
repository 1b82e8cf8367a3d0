"""Suggestions for logs of which most rows fail: other readings of the game, tried on some rows.

A handful of failing rows is played by every reading of the game: other parameters, columns exchanged, a nonce
off by one, other rules of the scheme. A reading is suggested if it explains four fifths of them and, unless
most rows of the log fail, every row that verified. The probability that one of so many readings explains so
many rows by chance must be small; otherwise the report says that there are too few rows.
"""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.printable import plain
from provably_fair._core.types import JsonDict
from provably_fair.games import Game
from provably_fair.games.parameters import changed
from provably_fair.games.rounds import rounds_of
from provably_fair.readings import Reading, readings
from provably_fair.readings.reread import EDITS, read_otherwise
from provably_fair.readings.search import Cells, Evidence, choice_of, evidence, is_sure, matches, values_in
from provably_fair.seeds.schemes import kind_of, spelled
from provably_fair.sources.foreign import as_text, cells_of, is_empty

from .plan import added_to
from .spread import evenly
from .systems import FIELD
from .systems.notations import Notations
from .systems.rounds import GameRounds
from .systems.system import whole

_LEAST, _TRIED, _FEW = 3, 20, 5
"""The numbers of rows that must fail, that are tried, and that are tried first: most must be explained."""
_KEPT = 3
UNREAD = 20
"""The largest number of unused columns that are searched for a seed."""
_ELSEWHERE = "(not read)"
"""The name of such a column's field."""

_TAKEN = (
    "would verify if spelled so",
    "would verify as spelled in the log, but every spelling has an outcome of its own",
)
"""Texts for values taken as published, and as logged."""

MEANING = (
    "A match tells how the log was probably written, not that the bets were fair; the rows still fail as the "
    "log stands."
)


@dataclass(frozen=True)
class Suggestion:
    """A reading by which failed rows would verify. One of `VerificationReport.suggestions`."""

    text: str  # the difference in reading, as a sentence
    # The options of `verify` for this reading, by name, as a config has them; empty if there are none
    options: Mapping[str, Any] = field(default_factory=dict)
    matched: int = 0  # the number of rows that would verify, of those tried
    tried: int = 0

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> JsonDict:
        """Return the suggestion as JSON's types."""
        return {**vars(self), "options": dict(self.options)}


class Diagnosis(NamedTuple):
    """The result of trying readings on failed rows."""

    suggestions: tuple[Suggestion, ...] = ()
    note: str = ""  # the reason why there is no suggestion, if a reading fits but isn't significant
    likeliest: Game | None = None  # the game as the first suggestion reads it

    def explain(self, row: Mapping[str, Any]) -> Any:
        """Return a row's walk-through under the likeliest reading; None if there is no reading."""
        game = self.likeliest
        if game is None:
            return None
        fields = cells_of_rows(game, [row]).fields
        try:
            return game.explain(**{name: fields[name][0] for name in game.scheme.fields if name in fields})
        except (TypeError, ValueError, KeyError):
            return None


def diagnose(
    system: Any,
    failed: Sequence[Mapping[str, Any]],
    passed: Callable[[int], Sequence[Mapping[str, Any]]],
    most: bool,
    columns: Mapping[str, str | None],
    unread: Callable[[int], Sequence[Mapping[str, Any]]],
) -> Diagnosis:
    """Try readings of a log's game on failed rows.

    `passed` returns so many rows that didn't fail: unless most rows fail, a reading must explain these too.
    `unread` returns the cells of the first failed rows in unused columns.
    """
    if not isinstance(system, GameRounds) or len(failed) < _LEAST:
        return Diagnosis()
    elsewhere = _seed_elsewhere(system, failed[:_TRIED], unread, columns) if most else None
    if elsewhere is not None:
        failed, columns = elsewhere.rows, elsewhere.columns
    elif (lost := _commitment_for_seed(system, failed[:_TRIED], columns)) is not None:
        return Diagnosis((lost,))
    game, failed = _of_one_game(system, failed)
    cells = _wrong(game, cells_of_rows(game, failed[:_TRIED]))
    if len(cells.outcomes) < _LEAST:
        return Diagnosis()
    spelling = _respelled(game, cells, columns) if elsewhere is None else None
    if spelling is not None:
        return spelling

    @cache
    def control() -> Cells:
        rows = _of_one_game(system, passed(10 * _TRIED), game)[1]
        return cells_of_rows(game, [rows[place] for place in evenly(len(rows), _TRIED)])

    def searched(cells: Cells, most: bool) -> Diagnosis:
        given = [*_hypotheses(system, game, cells, elsewhere)]
        found = []
        for reading, moved in given:
            read = _without_defaults(game, _moved(cells, moved))
            seen = evidence(reading.game, (read.first(_FEW), read))
            if seen is None or 5 * seen.matched < 4 * seen.tried:
                continue
            agree = matches(reading.game, _without_defaults(reading.game, _moved(control(), moved)))
            # Right rows that all have other parameters can't speak for it.
            if most or (agree.all() and (control().outcomes or not passed(1))):
                found.append((reading, seen, agree))
        return _best(found, len(given), game, columns)

    few = searched(cells, most)
    if not few.note or len(failed) <= _TRIED:
        return few
    # Of outcomes that tell little, more rows are tried. A reading must then explain those that verified, too:
    # one that turns each of two sides around explains whatever fails.
    return searched(_wrong(game, cells_of_rows(game, failed)), False)


def _wrong(game: Game, cells: Cells) -> Cells:
    """Return the rows whose outcomes differ from the game's."""
    return cells.some(np.flatnonzero(~matches(game, cells)).tolist())


def _best(
    found: list[tuple[Reading, Evidence, np.ndarray]],
    tests: int,
    game: Game,
    columns: Mapping[str, str | None],
) -> Diagnosis:
    """Return the readings that explain most rows, if that is significant."""
    found.sort(key=lambda one: (-one[1].matched, -one[2].sum()))
    sure = [one for one in found if is_sure(one[1].pvalue, tests)]
    best = [one for one in sure if one[1].matched == sure[0][1].matched][:_KEPT]
    suggestions = tuple(_suggested(*one, columns) for one in best or found[:1])
    if best:
        read = best[0][0].game
        return Diagnosis(suggestions, "", None if read == game else read)
    if suggestions:
        (first,) = suggestions
        note = (
            f"{first.tried} rows of such outcomes are too few to tell: {first.text}, and that may be chance"
        )
        return Diagnosis(note=note)
    return Diagnosis()


def _suggested(
    reading: Reading, seen: Evidence, agree: np.ndarray, columns: Mapping[str, str | None]
) -> Suggestion:
    """Return a reading as a suggestion; `agree` tells with which right rows it agrees, too."""
    options = _options(reading, columns)
    how = reading.text if reading.text.startswith("as ") else f"with this reading: {reading.text}"
    said = f" ({typed})" if (typed := _command(options)) else ""
    lost = int((~agree).sum())
    but = f", but {lost} of {len(agree)} that verify as logged wouldn't" if lost else ""
    text = f"{_counted(seen)} would verify {how}{said}{but}"
    return Suggestion(text, options, seen.matched, seen.tried)


def _of_one_game(
    system: GameRounds, rows: Sequence[Mapping[str, Any]], game: Game | None = None
) -> tuple[Game, list[Mapping[str, Any]]]:
    """Return the game, by default with the parameters of the first row, and the rows with the same ones."""
    kept = []
    for row in rows:
        try:
            own = {name: int(whole(row[name])) for name in system.numbers if not is_empty(row.get(name))}
            of = changed(system.game, **own) if own else system.game
        except (TypeError, ValueError):
            continue
        game = of if game is None else game
        if of == game:
            kept.append(row)
    return system.game if game is None else game, kept


def _hypotheses(
    system: GameRounds, game: Game, cells: Cells, elsewhere: _Elsewhere | None
) -> Iterator[tuple[Reading, dict[str, str]]]:
    """Yield readings, each with the field that its game takes from another one."""
    if elsewhere is not None:
        reading = Reading(elsewhere.text, game, {"columns": elsewhere.read})
        yield reading, {elsewhere.seed: _ELSEWHERE}
    for reading in readings(game):
        yield reading, {}
    # Values of another column that may belong to a field.
    texts = [name for name in game.scheme.fields if kind_of(game.scheme, name) == "text"]
    for name, other in itertools.product(texts, system.published):
        if {name, other} <= cells.fields.keys():
            read = {name: other, other: name}
            yield Reading(f"{name} and {other} swapped", game, {"columns": read}), {name: other}


def _moved(cells: Cells, moved: Mapping[str, str]) -> Cells:
    """Return cells with fields taken from others; none if they lack one."""
    if not cells.fields.keys() >= {*moved.values()}:
        return cells.first(0)
    return cells._replace(fields={**cells.fields, **{name: cells.fields[of] for name, of in moved.items()}})


def _without_defaults(own: Game, cells: Cells) -> Cells:
    """Return cells without fields that only have a game's defaults: another game has its own."""
    defaults = own.scheme.defaults
    fields = {
        name: column
        for name, column in cells.fields.items()
        if name not in defaults or any(cell != defaults[name] for cell in column)
    }
    return cells._replace(fields=fields)


def cells_of_rows(game: Game, rows: Sequence[Mapping[str, Any]]) -> Cells:
    """Return the rows whose fields and outcomes can be read, one per round."""
    kept: dict[tuple[Any, ...], tuple[dict[str, Any], tuple[float, ...]]] = {}
    for fields, outcome in filter(None, (read_row(game, row) for row in rows)):
        kept.setdefault(tuple(fields.get(name) for name in game.scheme.fields), (fields, outcome))
    return joined_rows([*kept.values()])


def joined_rows(rows: Sequence[tuple[Mapping[str, Any], tuple[float, ...]]]) -> Cells:
    """Return rows by field, with the fields that all have."""
    names = set.intersection(*(set(fields) for fields, _ in rows)) if rows else ()
    return Cells(
        {name: [fields[name] for fields, _ in rows] for name in names}, [outcome for _, outcome in rows]
    )


def read_row(game: Game, row: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[float, ...]] | None:
    """Return a row's fields and outcome; None if they can't be read."""
    (written,) = cells_of(Notations().read(game, FIELD, [row.get(FIELD)], 1)[0], 1)
    outcome, choice = values_in(written), choice_of(game) or ""
    try:
        fields: dict[str, Any] = {
            name: int(whole(cell)) if kind_of(game.scheme, name) == "number" else as_text(cell)
            for name, cell in {**rounds_of(game).constants, **row}.items()
            if name not in (FIELD, choice) and not is_empty(cell)
        }
        if choice in row:  # also where a hand ended by itself
            fields[choice] = "" if choice == "actions" and is_empty(row[choice]) else row[choice]
    except (ValueError, TypeError):
        return None
    return None if outcome is None else (fields, outcome)


def respelled(game: Game, cells: Cells) -> tuple[dict[str, str], list[Evidence]] | None:
    """Return how misspelled fields must be, and which rows come from that and from the logged spelling."""
    change = EDITS["published"][1]
    wrong = {
        name: must
        for name, must in spelled(game.scheme).items()
        if any(change(str(text)) != str(text) for text in cells.fields.get(name, ()))
    }
    if not wrong:
        return None
    edits = [tuple((name, edit) for name in wrong) for edit in ("published", "logged")]
    return wrong, [Evidence(game, cells, matches(read_otherwise(game, edits=each), cells)) for each in edits]


def _respelled(game: Game, cells: Cells, columns: Mapping[str, str | None]) -> Diagnosis | None:
    """Suggest that rows fail because published values have another spelling."""
    fields, both = respelled(game, cells) or ({}, [])
    for seen, told in zip(both, _TAKEN, strict=False):
        if 5 * seen.matched >= 4 * seen.tried and is_sure(seen.pvalue, len(both)):
            musts = [f"{columns.get(name) or name} must be {must}" for name, must in fields.items()]
            text = f"{' and '.join(musts)}: {_counted(seen)} {told}"
            return Diagnosis((Suggestion(text, {}, seen.matched, seen.tried),))
    return None


def _having(rows: Iterable[Mapping[str, Any]], *names: str) -> list[Mapping[str, Any]]:
    """Return the rows with these fields."""
    return [row for row in rows if not any(is_empty(row.get(name)) for name in names)]


def _hashed(rows: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    return [as_text(row[name]).strip().lower() for row in rows]


def _commitment_for_seed(
    system: GameRounds, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str | None]
) -> Suggestion | None:
    """Suggest that a seed's column holds its commitment, if the log has both."""
    for published, hash in system.commitments.items():
        (seed, *others) = hash.fields
        having = _having(rows, seed, published)
        if not others and len(having) >= _LEAST and _hashed(having, seed) == _hashed(having, published):
            text = (
                f"{columns.get(seed) or seed} holds the commitment, not the seed, in all {len(having)} rows "
                "tried: the seed can't be recovered from it, so the revealed seeds are needed"
            )
            return Suggestion(text, {}, 0, len(having))
    return None


class _Elsewhere(NamedTuple):
    """Seeds in an unused column: the rows with it, the columns with its name, and each field's column."""

    seed: str
    rows: list[Mapping[str, Any]]
    columns: dict[str, str | None]
    read: dict[str, str]

    @property
    def text(self) -> str:
        """The reading by these seeds, in words."""
        return f"{self.columns[self.seed]} holds the commitments of the seeds in {self.columns[_ELSEWHERE]}"


def _seed_elsewhere(
    system: GameRounds,
    rows: Sequence[Mapping[str, Any]],
    unread: Callable[[int], Sequence[Mapping[str, Any]]],
    columns: Mapping[str, str | None],
) -> _Elsewhere | None:
    """Find seeds in an unused column whose commitments are in the seed's column."""
    for published, hash in system.commitments.items():
        (seed, *others) = hash.fields
        if others or not columns.get(seed):
            continue
        cells = unread(len(rows))
        for name in dict.fromkeys(name for row in cells for name in row):
            both = ({**row, _ELSEWHERE: other.get(name)} for row, other in zip(rows, cells, strict=True))
            having = _having(both, seed, _ELSEWHERE)
            try:
                made = [str(hash.hexdigest(as_text(row[_ELSEWHERE]))) for row in having]
            except ValueError:  # not hexadecimal, for a commitment of bytes
                continue
            if len(having) >= _LEAST and made == _hashed(having, seed):
                read = {seed: _ELSEWHERE} | ({} if columns.get(published) else {published: seed})
                return _Elsewhere(seed, having, {**columns, _ELSEWHERE: name}, read)
    return None


def _counted(seen: Evidence) -> str:
    count = f"all {seen.tried}" if seen.matched == seen.tried else f"{seen.matched} of {seen.tried}"
    return f"{count} rows tried"


def _options(reading: Reading, columns: Mapping[str, str | None]) -> dict[str, Any]:
    """Return a reading's options; fields that change places by their columns."""
    options = dict(reading.options)
    if "columns" in options:
        options["columns"] = {
            name: _added(columns.get(name) or name, added[1])
            if (added := added_to(other))
            else columns.get(other) or other
            for name, other in options["columns"].items()
        }
    return options


def _added(column: str, number: int) -> str:
    """Return a column with a number added to it, also one that has a number added already."""
    column, already = added_to(column) or (column, 0)
    more = already + number
    return f"{column} {'-' if more < 0 else '+'} {abs(more)}" if more else column


def _command(options: Mapping[str, Any]) -> str:
    """Return options in the command's spelling; "" for those that can't be shown as they are typed."""
    said = [
        f"--column {shlex.quote(f'{name}={column}')}" for name, column in options.get("columns", {}).items()
    ]
    if "scheme" in options:
        return f"a scheme of one's own: {json.dumps(options['scheme']['hash'])}"
    if "game" in options:
        said.append(f"--game {shlex.quote(options['game'])}")
    typed = " ".join(said)
    return typed if plain(typed) == typed else ""  # reports would escape it, and a shell read other words
