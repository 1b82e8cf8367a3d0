"""What a log lacks whose game isn't found, and what can be done."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np

from provably_fair._core.printable import listed
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.names import known_names
from provably_fair.readings.reread import EDITS
from provably_fair.readings.search import is_sure
from provably_fair.seeds.schemes import kind_of
from provably_fair.sources.foreign import HALVES, has_halves, is_empty
from provably_fair.sources.numbers import as_python_writes
from provably_fair.verification.likely import likely_columns, words
from provably_fair.verification.systems import COMMITMENT, FIELD, SECRETS

_MOST_GAMES, _ROWS = 64, 6
_OF_GAMES = (["game"], ["games"], ["game", "name"], ["game", "type"])
"""The words of names of columns with each row's game."""


def hashes_in(cells: Sequence[Any]) -> list[str | None]:
    """Return cells of 64 hex digits in lower case, and None for others."""
    return [text if re.fullmatch(r"[0-9a-f]{64}", text := _lower(cell)) else None for cell in cells]


def _lower(cell: Any) -> str:
    return cell.strip().lower() if isinstance(cell, str) else ""


def pairs_of_commitments(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Return columns whose SHA-256, of their text or their bytes, is in another column; with that column."""
    found: dict[str, str] = {}
    for one, cells in columns.items():
        some = [row for row, cell in enumerate(cells) if isinstance(cell, str) and cell][:_ROWS]
        for row in some:
            forms = [cells[row].encode(errors="replace")]
            with suppress(ValueError):
                forms.append(bytes.fromhex(cells[row]))
            digests = {hashlib.sha256(form).hexdigest() for form in forms}
            for other, published in columns.items():
                if other != one and _lower(published[row]) in digests:
                    found.setdefault(one, other)
    return found


def game_columns(columns: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield the columns that name several games."""
    known = {name.rpartition(".")[2] for name in known_names()}
    for name, cells in columns.items():
        values = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str) and cell.strip()))
        named = sum("".join(words(value)) in known for value in values[:_MOST_GAMES])
        if 1 < len(values) <= _MOST_GAMES and (words(name) in _OF_GAMES or named > 1):
            yield name


def misread_notes(columns: Mapping[str, Sequence[Any]], names: Iterable[str]) -> Iterator[str]:
    """Yield a note on each of these columns with cells that aren't numbers, if most of them are."""
    for name in names:
        some = [(row, cell) for row, cell in enumerate(columns.get(name, ())) if not is_empty(cell)]
        bad = [(row, cell) for row, cell in some if number_in(cell) is None]
        if bad and 2 * len(bad) <= len(some):
            row, cell = bad[0]
            yield (
                f"{len(bad):,} of {len(some):,} cells of the column {listed([name])} aren't numbers, such as "
                f"{listed([str(cell)])} in row {row:,}: are they misread?"
            )


def number_in(cell: Any) -> float | None:
    """Return the number that a cell is, in either notation."""
    for mark in ".,":
        with suppress(TypeError, ValueError):
            return float(as_python_writes(cell, mark, None) if isinstance(cell, str) else cell)
    return None


def unread_notes(columns: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield a note on each column of 16-bit floats, or of hashes in a spelling that no game hashes."""
    for name, cells in columns.items():
        if has_halves(cells):
            yield f"the column {listed([name])} {HALVES}"
        texts = ((row, cell) for row, cell in enumerate(cells) if isinstance(cell, str))
        for row, cell in texts:
            plain = EDITS["published"][1](cell)
            if plain != cell and hashes_in([plain]) != [None]:
                told = f"has hashes in another spelling, such as {listed([cell])} in row {row:,}"
                yield f"the column {listed([name])} {told}: games hash 64 lower-case hex digits alone"
                break


def payout_notes(
    columns: Mapping[str, Sequence[Any]], given: Mapping[str, str], games: Iterable[Game]
) -> Iterator[str]:
    """Yield a note if the column of outcomes has numbers that a game's outcomes determine, but aren't these.

    Columns are assigned by names. The numbers may be multiples of the stakes.
    """
    names = {**likely_columns([FIELD], ["stake"], columns), **given}
    paid, staked = (
        [number_in(cell) for cell in columns.get(names.get(name, ""), ())] for name in (FIELD, "stake")
    )
    rows = [row for row, value in enumerate(paid) if value is not None]
    found, tries = [], 0
    for game in games if rows else ():
        played, rounds = _played(game, columns, given, rows)
        shown = np.array([paid[row] for row in rounds], float)
        ways = [shown]
        if staked and all(staked[row] for row in rounds):
            ways.append(np.round(shown / np.array([staked[row] for row in rounds], float), 4))
        tries += len(ways)
        chance = min(_chance_to_follow(played, values) for values in ways)
        differ = np.flatnonzero(np.abs(played - shown) > 1e-9)
        if 2 * len(differ) > len(rounds):
            first = int(differ[0])
            found.append((chance, typed_name(game), rounds[first], shown[first], played[first]))
    told = [one for one in found if is_sure(one[0], tries)]
    if told:
        _, _, row, one, expected = told[0]
        # Games that begin with the same draw may be several.
        games_told = listed([game_name for _, game_name, *_ in told], 4)
        yield (
            f"the column {listed([names[FIELD]])} doesn't have the outcomes of {games_told}, but numbers "
            f"that these determine: in row {row:,} found {one:g}, expected {expected:g}: is this column a "
            "payout?"
        )


def _played(
    game: Game, columns: Mapping[str, Sequence[Any]], given: Mapping[str, str], rows: Sequence[int]
) -> tuple[np.ndarray, list[int]]:
    """Return a game's outcomes in rows of different rounds, and these rows; none if it lacks a column."""
    needed = [name for name in game.scheme.fields if name not in game.scheme.defaults]
    named = {**likely_columns(needed, [], columns), **given}
    rounds: dict[tuple[Any, ...], int] = {}
    for row in rows if not game.shape and named.keys() >= set(needed) else ():
        cells = [(name, columns[named[name]][row]) for name in needed]
        key = tuple(
            number_in(cell) if kind_of(game.scheme, name) == "number" else str(cell) for name, cell in cells
        )
        if None not in key and not any(is_empty(cell) for _, cell in cells):
            rounds.setdefault(key, row)
    fields: dict[str, Any] = dict(zip(needed, zip(*rounds, strict=True), strict=False))
    fields |= {
        name: list(map(int, values)) for name, values in fields.items() if isinstance(values[0], float)
    }
    with suppress(Exception):  # cells that this game can't play
        return np.asarray(game.play(**fields), np.float64).reshape(len(rounds)), list(rounds.values())
    return np.empty(0), []


def _chance_to_follow(played: np.ndarray, values: np.ndarray) -> float:
    """Return how likely unrelated values are a function of outcomes; 1 if these aren't.

    Either rows with the same outcome have the same value, each by chance with at most the share of the most
    frequent value; or each value's outcomes lie together, as those beyond a threshold do.
    """
    pairs = sorted(set(zip(played.tolist(), values.tolist(), strict=True)))
    counts = Counter(values.tolist())
    kinds = len({outcome for outcome, _ in pairs})
    if len(pairs) > kinds or len(counts) < 2:
        return 1.0
    logarithm = (len(values) - kinds) * math.log(max(counts.values()) / len(values))
    if sum(one != other for (_, one), (_, other) in pairwise(pairs)) == len(counts) - 1:
        orders = math.lgamma(len(counts) + 1) + sum(math.lgamma(count + 1) for count in counts.values())
        logarithm = min(logarithm, orders - math.lgamma(len(values) + 1))
    return math.exp(min(0.0, logarithm))


def seed_notes(columns: Mapping[str, Sequence[Any]], given: Collection[str]) -> Iterator[str]:
    """Yield a note where no column holds a revealed seed or a game's hash; `given` are fields given."""
    filled = {name: cells for name, cells in columns.items() if not all(map(is_empty, cells))}
    likely = likely_columns(SECRETS, [COMMITMENT], filled)
    committed = likely.get(COMMITMENT)
    secrets = [name for name in SECRETS if name in likely]
    secrets = [name for name in secrets if committed is None or filled[likely[name]] != filled[committed]]
    if secrets or set(SECRETS) & set(given) or pairs_of_commitments(filled):
        return
    if committed is not None:
        yield (
            f"no column holds a revealed seed: {listed([committed])} has the hashes of seeds, from which no "
            "outcome follows. Once the seeds are revealed, put them into a column; a table of them is "
            "joined, with seeds="
        )
    elif filled and not any(any(hashes_in(cells)) for cells in filled.values()):
        yield (
            "no column holds a seed or a game's hash, and without either no outcome can be reproduced. The "
            "operator's export may have them; on a hash chain the hash of a later game gives them, with "
            "anchor=; without one, operators.crash.fit and statistics.fit_uniform find the law of outcomes"
        )
