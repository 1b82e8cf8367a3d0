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
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from provably_fair.readings.matching import BOUND, chance, deal_of, matches, values_in
from provably_fair.readings.spelling import respelled
from provably_fair.seeds.schemes import kind_of
from provably_fair.sources.foreign import as_text, cells_of, is_empty

from .plan import added_to
from .systems import FIELD
from .systems.notations import Notations
from .systems.rounds import GameRounds
from .systems.system import whole

__all__ = ["UNREAD", "Diagnosis", "Suggestion", "diagnose"]

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
    note: str = ""
    """The reason why there is no suggestion, if a reading fits but isn't significant."""
    likeliest: Game | None = None
    """The game as the first suggestion reads it."""

    def explain(self, row: Mapping[str, Any]) -> Any:
        """Return a row's walk-through under the likeliest reading; None if there is no reading."""
        game = self.likeliest
        if game is None:
            return None
        rows = _rows(game, [row])
        try:
            return game.explain(
                **{name: rows.fields[name][0] for name in game.scheme.fields if name in rows.fields}
            )
        except (TypeError, ValueError, KeyError):
            return None


class _LogRows(NamedTuple):
    """Rows of a log, by field."""

    fields: dict[str, list[Any]]
    outcomes: list[tuple[float, ...]]


def diagnose(
    system: Any,
    failed: Sequence[Mapping[str, Any]],
    passed: Callable[[], Sequence[Mapping[str, Any]]],
    most: bool,
    columns: Mapping[str, str | None],
    unread: Callable[[int], Sequence[Mapping[str, Any]]],
) -> Diagnosis:
    """Try readings of a log's game on failed rows.

    `passed` returns rows that didn't fail: unless most rows fail, a reading must explain these too. `unread`
    returns the cells of the first failed rows in unused columns.
    """
    if not isinstance(system, GameRounds) or len(failed) < _LEAST:
        return Diagnosis()
    elsewhere = _seed_elsewhere(system, failed[:_TRIED], unread, columns) if most else None
    if elsewhere is not None:
        failed, columns = elsewhere.rows, elsewhere.columns
    elif (lost := _commitment_for_seed(system, failed[:_TRIED], columns)) is not None:
        return Diagnosis((lost,))
    game, failed = _of_one_game(system, failed)
    rows = _wrong(game, _rows(game, failed[:_TRIED]))
    if len(rows.outcomes) < _LEAST:
        return Diagnosis()
    spelling = _respelled(game, rows, columns) if elsewhere is None else None
    if spelling is not None:
        return spelling

    @cache
    def control() -> _LogRows:
        return _rows(game, _of_one_game(system, passed(), game)[1][:_TRIED])

    def searched(rows: _LogRows, most: bool) -> Diagnosis:
        given = [] if elsewhere is None else [elsewhere.reading(game, rows)]
        given += _all(system, game, rows)
        found = []
        for reading, fields in given:
            matched = _matched(reading, fields, rows.outcomes)
            if 5 * matched < 4 * len(rows.outcomes) or not (most or _keeps(reading, control())):
                continue
            pvalue = chance(reading.game, rows.outcomes, matched, fields=fields)
            options, tried = _options(reading, columns), len(rows.outcomes)
            how = reading.text if reading.text.startswith("as ") else f"with this reading: {reading.text}"
            said = f" ({typed})" if (typed := _command(options)) else ""
            text = f"{_counted(matched, tried)} would verify {how}{said}"
            found.append(_Fit(pvalue, Suggestion(text, options, matched, tried), reading.game))
        return _best(found, len(given), game)

    few = searched(rows, most)
    if not few.note or len(failed) <= _TRIED:
        return few
    # Of outcomes that tell little, more rows are tried. A reading must then explain those that verified, too:
    # one that turns each of two sides around explains whatever fails.
    return searched(_wrong(game, _rows(game, failed)), False)


class _Fit(NamedTuple):
    """A reading that explains most failed rows: its p-value, and its suggestion."""

    pvalue: float
    suggestion: Suggestion
    game: Game


def _wrong(game: Game, rows: _LogRows) -> _LogRows:
    """Return the rows whose outcomes differ from the game's."""
    wrong = ~matches(game, rows.fields, rows.outcomes) if rows.outcomes else np.zeros(0, bool)
    return _LogRows(
        {name: list(itertools.compress(cells, wrong)) for name, cells in rows.fields.items()},
        list(itertools.compress(rows.outcomes, wrong)),
    )


def _matched(reading: Reading, fields: dict[str, list[Any]], outcomes: list[tuple[float, ...]]) -> int:
    """Return the number of rows that a reading explains; 0 if it fails on most of the first few."""
    few = {name: cells[:_FEW] for name, cells in fields.items()}
    first = matches(reading.game, few, outcomes[:_FEW])
    return int(matches(reading.game, fields, outcomes).sum()) if 2 * int(first.sum()) > len(first) else 0


def _keeps(reading: Reading, control: _LogRows) -> bool:
    """Whether a reading also explains rows that don't fail."""
    if not control.outcomes:
        return True
    fields = _given(reading.game, control.fields, reading.game)
    return bool(matches(reading.game, fields, control.outcomes).all())


def _best(found: list[_Fit], tests: int, game: Game) -> Diagnosis:
    """Return the readings that explain most rows, if that is significant."""
    found = sorted(found, key=lambda fit: -fit.suggestion.matched)
    sure = [fit for fit in found if fit.pvalue * tests < BOUND]
    if sure:
        most = sure[0].suggestion.matched
        best = [fit for fit in sure if fit.suggestion.matched == most][:_KEPT]
        read = best[0].game
        return Diagnosis(tuple(fit.suggestion for fit in best), "", None if read == game else read)
    if found:
        first = found[0].suggestion
        return Diagnosis(
            note=f"{first.tried} rows of such outcomes are too few to tell: {first.text}, and "
            "that may be chance"
        )
    return Diagnosis()


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


def _all(system: GameRounds, game: Game, rows: _LogRows) -> Iterator[tuple[Reading, dict[str, list[Any]]]]:
    """Yield readings, with the rows' fields for each."""
    for reading in readings(game):
        yield reading, _given(reading.game, rows.fields, game)
    # Values of another column that may belong to a field.
    texts = [
        name for name in game.scheme.fields if kind_of(game.scheme, name) == "text" and name in rows.fields
    ]
    for name, other in itertools.product(texts, system.published):
        if other in rows.fields:
            swapped = {name: other, other: name}
            reading = Reading(f"{name} and {other} swapped", game, {"columns": swapped})
            yield reading, _given(game, rows.fields | {name: rows.fields[other]}, game)


def _given(game: Game, fields: Mapping[str, list[Any]], own: Game) -> dict[str, list[Any]]:
    """Return the fields that a game takes, without those that only have `own`'s defaults."""
    return {
        name: cells
        for name, cells in fields.items()
        if name in (*game.scheme.fields, _choice(game))
        and not (name in own.scheme.defaults and all(cell == own.scheme.defaults[name] for cell in cells))
    }


def _rows(game: Game, rows: Sequence[Mapping[str, Any]]) -> _LogRows:
    """Return the rows whose fields and outcomes can be read, one per round."""
    constant = dict(zip(("server_seed", "client_seed"), rounds_of(game).constant or (), strict=False))
    kept: dict[tuple[Any, ...], tuple[dict[str, Any], tuple[float, ...]]] = {}
    for row in rows:
        (written,) = cells_of(Notations().read(game, FIELD, [row.get(FIELD)], 1)[0], 1)
        outcome = values_in(written)
        cells: dict[str, Any] = {}
        try:
            for name, cell in {**constant, **row}.items():
                if name == _choice(game):  # also where a hand ended by itself
                    cells[name] = "" if name == "actions" and is_empty(cell) else cell
                elif name != FIELD and not is_empty(cell):
                    cells[name] = (
                        int(whole(cell)) if kind_of(game.scheme, name) == "number" else as_text(cell)
                    )
        except (ValueError, TypeError):
            continue
        key = tuple(cells.get(name) for name in game.scheme.fields)
        if outcome is not None:
            kept.setdefault(key, (cells, outcome))
    names = set.intersection(*(set(cells) for cells, _ in kept.values())) if kept else set()
    return _LogRows(
        {name: [cells[name] for cells, _ in kept.values()] for name in names},
        [outcome for _, outcome in kept.values()],
    )


def _choice(game: Game) -> str | None:
    """Return the field of the player's decisions at a table."""
    deal = deal_of(game)
    return None if deal is None else deal.kind.choice


def _respelled(game: Game, rows: _LogRows, columns: Mapping[str, str | None]) -> Diagnosis | None:
    """Suggest that rows fail because published values have another spelling."""
    found = respelled(game, rows.fields, rows.outcomes)
    if found is None:
        return None
    for right, told in zip(found.right, _TAKEN, strict=True):
        matched, tried = int(right.sum()), len(right)
        if 5 * matched >= 4 * tried:
            musts = [f"{columns.get(name) or name} must be {must}" for name, must in found.fields.items()]
            text = f"{' and '.join(musts)}: {_counted(matched, tried)} {told}"
            return Diagnosis((Suggestion(text, {}, matched, tried),))
    return None


def _commitment_for_seed(
    system: GameRounds, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str | None]
) -> Suggestion | None:
    """Suggest that a seed's column holds its commitment, if the log has both."""
    for published, hash in system.commitments.items():
        (seed, *others) = hash.fields
        pairs = [
            (as_text(row[seed]), as_text(row[published]))
            for row in rows
            if not is_empty(row.get(seed)) and not is_empty(row.get(published))
        ]
        same = all(one.strip().lower() == other.strip().lower() for one, other in pairs)
        if not others and len(pairs) >= _LEAST and same:
            called = columns.get(seed) or seed
            return Suggestion(
                f"{called} holds the commitment, not the seed, in all {len(pairs)} rows tried: the seed "
                "can't be recovered from it, so the revealed seeds are needed",
                {},
                0,
                len(pairs),
            )
    return None


class _Elsewhere(NamedTuple):
    """Seeds in an unused column: the rows with it, the columns with its name, and each field's column."""

    rows: list[dict[str, Any]]
    columns: dict[str, str | None]
    read: dict[str, str]

    def reading(self, game: Game, rows: _LogRows) -> tuple[Reading, dict[str, list[Any]]]:
        """Return the reading by these seeds, with the rows' fields for it."""
        (seed, *_) = self.read
        text = f"{self.columns[seed]} holds the commitments of the seeds in {self.columns[_ELSEWHERE]}"
        fields = _given(game, rows.fields | {seed: rows.fields[_ELSEWHERE]}, game)
        return Reading(text, game, {"columns": self.read}), fields


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
            found = [
                (row, as_text(other[name]))
                for row, other in zip(rows, cells, strict=True)
                if not is_empty(row.get(seed)) and not is_empty(other.get(name))
            ]
            try:
                made = [str(hash.hexdigest(text)) for _, text in found]
            except ValueError:  # not hexadecimal, for a commitment of bytes
                continue
            if len(found) >= _LEAST and made == [as_text(row[seed]).strip().lower() for row, _ in found]:
                read = {seed: _ELSEWHERE} | ({} if columns.get(published) else {published: seed})
                rows_with = [{**row, _ELSEWHERE: text} for row, text in found]
                return _Elsewhere(rows_with, {**columns, _ELSEWHERE: name}, read)
    return None


def _counted(matched: int, tried: int) -> str:
    return f"all {tried} rows tried" if matched == tried else f"{matched} of {tried} rows tried"


def _options(reading: Reading, columns: Mapping[str, str | None]) -> dict[str, Any]:
    """Return a reading's options; fields that change places by their columns."""
    options = dict(reading.options)
    if "columns" in options:
        options["columns"] = {
            name: other.replace(name, columns.get(name) or name, 1)
            if added_to(other)
            else columns.get(other) or other
            for name, other in options["columns"].items()
        }
    return options


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
