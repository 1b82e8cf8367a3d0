"""Rounds that tell readings of a game apart.

A pool of rounds is played by the game and by every other reading of it. Rounds are then chosen as a set
cover: those that exclude readings which few other rounds exclude count most. Readings that remain differ
rarely, so more of the pool is made for these alone. Seeds of several forms are tried, because some readings
differ only for long texts, other alphabets or large nonces.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from provably_fair._core.arguments import integer, is_single
from provably_fair.games import Game, game_of, simulated_rounds, typed_name
from provably_fair.names import parse_game
from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import hex_fields, kind_of

from .reading import Reading
from .reading import readings as readings_of
from .reread import is_many

__all__ = ["SCHEMA", "SeparatingRounds", "separating_rounds"]

SCHEMA = "provably_fair.vectors/1"
"""The version of what `SeparatingRounds.to_dict` returns."""

_POOLS = (1 << 8, 1 << 12, 1 << 16, 1 << 19)
"""How many rounds are searched, one after the other, for readings that the ones before didn't exclude."""


@dataclass(frozen=True)
class SeparatingRounds:
    """Rounds that other readings of a game get wrong. Made by `separating_rounds`.

    Attributes
    ----------
    game : Game
        The game.
    rounds : tuple of dict
        Each round's ``fields``, ``digest`` (the first one, as hex), ``outcome``, and the readings that it
        ``excludes``, by their numbers among `readings`.
    readings : tuple of str
        The texts of all readings that were tried.
    excluded : tuple of str
        The readings that get at least one round wrong, or can't play it.
    open : tuple of str
        The readings that no round was found to exclude: equivalent rules, or rules that differ too rarely to
        show in simulated rounds.
    """

    game: Game
    rounds: tuple[dict[str, Any], ...]
    readings: tuple[str, ...]
    excluded: tuple[str, ...]
    open: tuple[str, ...]

    def __str__(self) -> str:
        lines = [
            f"{typed_name(self.game)}: {len(self.rounds)} rounds exclude {len(self.excluded)} of "
            f"{len(self.readings)} readings"
        ]
        lines += [f"  open: {text}" for text in self.open]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the rounds as JSON types; ``docs/reference`` has their schema.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.separating_rounds(pf.operators.bcgame.Hilo(), limit=3).to_dict()["schema"]
        'provably_fair.vectors/1'
        """
        return {
            "schema": SCHEMA,
            "game": typed_name(self.game).partition(" under ")[0],
            "scheme": self.game.scheme.to_dict(),
            "rounds": [dict(one) for one in self.rounds],
            "readings": list(self.readings),
            "open": list(self.open),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the rounds as JSON text.

        Parameters
        ----------
        indent : int, optional
            See `json.dumps`.

        Examples
        --------
        >>> import json
        >>> import provably_fair as pf
        >>> vectors = json.loads(pf.separating_rounds(pf.operators.duel.Dice(), limit=5).to_json())
        >>> vectors["game"], len(vectors["rounds"]), sorted(vectors["rounds"][0])
        ('duel.dice', 5, ['digest', 'excludes', 'fields', 'outcome'])
        """
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)


def separating_rounds(
    game: Game, readings: Iterable[Reading | Game] | None = None, limit: int = 20
) -> SeparatingRounds:
    """Return a small set of rounds that other readings of a game get wrong.

    They are test vectors for an implementation in any language: one that follows an excluded reading fails at
    least one of them.

    Parameters
    ----------
    game : Game
        The game.
    readings : iterable of Reading or Game, optional
        The readings to exclude; by default `readings` of the game.
    limit : int
        The largest number of rounds.

    Returns
    -------
    SeparatingRounds

    Notes
    -----
    The rounds are found by simulating up to 2**19 rounds. Readings that differ more rarely, or never, stay
    `open`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> found = pf.separating_rounds(pf.operators.stake.Limbo())
    >>> len(found.rounds), "as stake.limbo:reading=2026" in found.excluded
    (20, True)
    """
    game_of("game", game)
    limit = integer("limit", limit, 1, 1000)
    if readings is not None and (isinstance(readings, str) or not isinstance(readings, Iterable)):
        raise TypeError(f"readings must be readings or games, or None, got {type(readings).__name__}")
    tried = readings_of(game) if readings is None else tuple(map(_reading, readings))
    rows: list[dict[str, Any]] = []
    left = np.arange(len(tried))
    # Most of the rounds are for all readings; a few are kept for those that differ rarely.
    for pool, size in enumerate(_POOLS):
        if pool:
            left = np.array([one for one in left if is_many(tried[one].game)], np.int64)
        if not len(left) or len(rows) >= limit:
            break
        most = limit if pool else limit - limit // 4
        fields = _fields(game, size, pool)
        apart = np.array([_apart(game, tried[one].game, fields, size) for one in left]).reshape(-1, size)
        chosen = _cover(apart, most - len(rows), fill=not pool)
        rows += [{name: _one(value, row) for name, value in fields.items()} for row in chosen]
        left = left[~apart[:, chosen].any(axis=1)]
    return _made(game, tried, rows + _others(game, limit - len(rows)))


def check_rounds(data: Any) -> list[int]:
    """Return which rounds of a file don't come out of its game: their numbers, from 0."""
    for name in ("schema", "game", "scheme", "rounds"):
        if not isinstance(data, Mapping) or name not in data:
            raise ValueError(f"data of separating rounds lacks {name!r}")
    if data["schema"] != SCHEMA:
        raise ValueError(
            f"data of separating rounds must be of the schema {SCHEMA}, got {data['schema']!r:.80}"
        )
    game = parse_game(str(data["game"])).with_scheme(Scheme.from_dict(data["scheme"]))
    wrong = []
    for place, one in enumerate(data["rounds"]):
        played = np.asarray(game.play(**one["fields"]))
        if (
            not np.array_equal(played, np.asarray(one["outcome"]))
            or _digest(game, one["fields"]) != one["digest"]
        ):
            wrong.append(place)
    return wrong


def _reading(value: Reading | Game) -> Reading:
    if isinstance(value, Reading):
        return value
    return Reading(f"as {typed_name(game_of('readings', value))}", value)


def _made(game: Game, tried: tuple[Reading, ...], rows: list[dict[str, Any]]) -> SeparatingRounds:
    """Return the rounds with all that is said of each: every reading is tried on every one of them."""
    fields = {name: [row[name] for row in rows] for name in rows[0]}
    wrong = np.array([_apart(game, one.game, fields, len(rows)) for one in tried]).reshape(-1, len(rows))
    rounds = tuple(
        {
            "fields": row,
            "digest": _digest(game, row),
            "outcome": game.play(**row).tolist(),
            "excludes": np.flatnonzero(wrong[:, place]).tolist(),
        }
        for place, row in enumerate(rows)
    )
    told = tuple(one.text for one in tried)
    caught: list[bool] = np.any(wrong, axis=1).tolist()
    return SeparatingRounds(
        game,
        rounds,
        told,
        tuple(text for text, found in zip(told, caught, strict=True) if found),
        tuple(text for text, found in zip(told, caught, strict=True) if not found),
    )


def _digest(game: Game, row: Mapping[str, Any]) -> str:
    scheme = game.scheme
    cursor = scheme.first_cursor if "cursor}" in repr(scheme.hash) else 0
    digest = scheme.random_bytes(**row, cursor=cursor)
    assert isinstance(digest, bytes)
    return digest.hex()


def _apart(game: Game, other: Game, fields: Mapping[str, Any], size: int) -> np.ndarray:
    """Return in which rounds another game's outcome isn't the game's; where it can't play, all."""
    right = np.asarray(game.play(**fields)).reshape(size, -1)
    try:
        with np.errstate(all="ignore"):
            played = np.asarray(other.play(**fields)).reshape(size, -1)
    except Exception:  # whatever a rule that is read otherwise runs into
        if size == 1 or size > _POOLS[0]:
            return np.ones(size, bool)
        # Some of the fields are nothing that it can play.
        return np.concatenate([_apart(game, other, _part(fields, i, i + 1), 1) for i in range(size)])
    if played.shape != right.shape:
        return np.ones(size, bool)
    apart: np.ndarray = (played != right).any(axis=1)
    return apart


def _part(fields: Mapping[str, Any], first: int, last: int) -> dict[str, Any]:
    return {name: value if is_single(value) else value[first:last] for name, value in fields.items()}


def _cover(apart: np.ndarray, most: int, fill: bool) -> list[int]:
    """Return rounds that exclude readings, those that few others exclude counting most."""
    chosen: list[int] = []
    times = np.zeros(len(apart))
    free = np.ones(apart.shape[1], bool)
    while len(chosen) < most and len(apart):
        gain = (apart.T @ (4.0**-times)) * free
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        chosen.append(best)
        free[best] = False
        times += apart[:, best]
        if not fill and times.all():
            break
    return chosen


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else getattr(value, "item", lambda: value)()


def _one(values: Any, row: int) -> Any:
    return _plain(values if is_single(values) else values[row])


def _others(game: Game, count: int) -> list[dict[str, Any]]:
    """Return rounds that stand for themselves, to make up the number."""
    fields = _fields(game, max(count, 1), len(_POOLS))
    return [{name: _one(value, row) for name, value in fields.items()} for row in range(count)]


def _fields(game: Game, size: int, pool: int) -> dict[str, Any]:
    """Return the fields of a pool's rounds: as simulations make them, in small pools of many forms."""
    made = simulated_rounds(game, size, f"vectors {pool}").values()
    found = {name: value for name, value in made.items() if name not in game.scheme.defaults}
    if size > _POOLS[0]:
        return found
    hexadecimal = hex_fields(game.scheme.hash)
    for name, value in found.items():
        if kind_of(name) == "number" and not is_single(value):
            found[name] = [_number(row) for row in range(size)]
        elif name.endswith(("_seed", "salt")):
            found[name] = [_text(name, f"{pool} {row}", row, name in hexadecimal) for row in range(size)]
    return found


def _text(name: str, what: str, form: int, as_bytes: bool) -> str:
    """Return a seed or salt: hex digits, or text of another form, where the scheme hashes text."""
    digits = hashlib.sha256(f"{name} {what}".encode()).hexdigest()
    if as_bytes:
        forms = [digits, digits[:32], digits.upper()]
    elif name != "client_seed":
        forms = [digits, digits[:32], digits.upper(), f" {digits}", f'"{digits[:20]}"']
    else:
        forms = [digits, f"Player {form}", f" {digits[:8]} ", f"zürich-{form}", digits.upper()]
        forms += [f'"{digits[:6]}"', "7", digits[:10]]
    return forms[form % len(forms)]


def _number(row: int) -> int:
    """Return a nonce: small ones, and some that are larger than 2**31 and 2**32."""
    return row + 1 + {5: 1 << 31, 6: 1 << 33}.get(row % 7, 0)


# Once more in the form of a schema, which is published with the documentation.
JSON_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Rounds that tell readings of a game apart",
    "type": "object",
    "required": ["schema", "game", "scheme", "rounds", "readings", "open"],
    "properties": {
        "schema": {"const": SCHEMA},
        "game": {"type": "string", "description": "The game as it can be typed."},
        "scheme": {"type": "object", "description": "What is hashed, and how digests become numbers."},
        "rounds": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["fields", "digest", "outcome", "excludes"],
                "properties": {
                    "fields": {"type": "object", "additionalProperties": {"type": ["string", "integer"]}},
                    "digest": {"type": "string", "pattern": "^[0-9a-f]+$"},
                    "outcome": {"type": ["number", "array"]},
                    "excludes": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                },
            },
        },
        "readings": {"type": "array", "items": {"type": "string"}},
        "open": {"type": "array", "items": {"type": "string"}},
    },
}
