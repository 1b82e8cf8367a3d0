"""What a log lacks whose game isn't found, and what can be done."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from provably_fair._core.printable import listed
from provably_fair.names import known_names
from provably_fair.sources.foreign import is_empty
from provably_fair.verification.likely import likely_columns, words
from provably_fair.verification.systems import COMMITMENT, SECRETS

__all__ = ["game_notes", "hashes_in", "pairs_of_commitments", "seed_notes"]

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


def game_notes(columns: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield a note on a column that names several games."""
    known = {name.rpartition(".")[2] for name in known_names()}
    for name, cells in columns.items():
        values = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str) and cell.strip()))
        named = sum("".join(words(value)) in known for value in values[:_MOST_GAMES])
        if 1 < len(values) <= _MOST_GAMES and (words(name) in _OF_GAMES or named > 1):
            yield (
                f"the column {listed([name])} has several games, {listed(values, 4)}: the rows of one can be "
                f"identified by themselves, and verify takes them together, with game_column={name!r} and a "
                "game for each"
            )


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
            "outcome follows. Once the seeds are revealed, put them into a column; verify joins a table of "
            "them, with seeds="
        )
    elif not any(any(hashes_in(cells)) for cells in filled.values()):
        yield (
            "no column holds a seed or a game's hash, and without either no outcome can be reproduced. The "
            "operator's export may have them; on a hash chain the hash of a later game gives them, with "
            "anchor=; without one, operators.crash.fit and statistics.fit_uniform find the law of outcomes"
        )
