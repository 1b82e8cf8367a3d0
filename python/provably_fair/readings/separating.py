"""Rounds that tell readings of a game apart.

A pool of rounds is played under the game and under every other reading. Rounds are then chosen as a greedy
set cover, where a reading counts less with every chosen round that excludes it. Readings that remain differ
rarely, so more of the pool is generated for these alone. Seeds have several forms, because some readings
differ only for long texts, other alphabets or large nonces.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, is_single
from provably_fair._core.files import write_beside
from provably_fair._core.table import text_html
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.games.rounds import rounds_of, simulated_rounds
from provably_fair.names import given_game, parse_game
from provably_fair.seeds import Scheme
from provably_fair.seeds.rounds import one_round
from provably_fair.seeds.schemes import hex_fields, kind_of
from provably_fair.walkthrough import Walkthrough
from provably_fair.walkthrough.steps import Draw, WordDraw

from .constructed import Constructed
from .known import size_of
from .ports import mistake_in_words, mistakes, text_of_test
from .reading import Reading, readings as readings_of
from .reread import is_many
from .search import played

SCHEMA = "provably_fair.vectors/1"
"""The version of the format of `SeparatingRounds.to_dict`."""

_SHOWN, _ENDS = 20, 8
"""The number of digests and draws shown of a round, and of constructed rounds that are always included."""
_POOLS = (1 << 8, 1 << 12, 1 << 16, 1 << 19)
"""Sizes of the pools, searched one after the other for readings not yet excluded."""


@dataclass(frozen=True)
class SeparatingRounds:
    """Rounds that other readings of a game get wrong. Made by `separating_rounds`.

    Attributes
    ----------
    game : Game
        The game.
    rounds : tuple of dict
        Each round's ``digests`` as hex, ``draws``, ``outcome``, and the readings that it ``excludes``, by
        their numbers among `readings`. Rounds that were found have ``fields``; constructed ones begin at
        their digests. A draw is its range (None for a number below 1) and its result.
    readings : tuple of str
        The texts of all readings that were tried.
    excluded : tuple of str
        The readings that get at least one round wrong, or can't play it.
    open : tuple of str
        The readings that no round excludes: equivalent rules, or rules that differ too rarely to show in
        simulated rounds or in constructed digests.
    outcomes : tuple of tuple
        The outcomes of each reading, in the order of `rounds`: None for a round that it can't play.
    """

    game: Game
    rounds: tuple[dict[str, Any], ...]
    readings: tuple[str, ...]
    excluded: tuple[str, ...]
    open: tuple[str, ...]
    outcomes: tuple[tuple[Any, ...], ...] = field(repr=False)

    _repr_html_ = text_html

    def __str__(self) -> str:
        lines = [
            f"{typed_name(self.game)}: {len(self.rounds)} rounds exclude {len(self.excluded)} of "
            f"{len(self.readings)} readings"
        ]
        lines += [f"  open: {text}" for text in self.open]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the rounds as JSON types; ``docs/reference`` has their schema."""
        return {
            "schema": SCHEMA,
            "game": typed_name(self.game).partition(" under ")[0],
            "scheme": None if self.game.scheme.function is not None else self.game.scheme.to_dict(),
            "rounds": [dict(one) for one in self.rounds],
            "readings": list(self.readings),
            "open": list(self.open),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the rounds as JSON text.

        Parameters
        ----------
        indent : int, optional
            The number of blanks before a line, with a line for each round; None for a single line.

        Examples
        --------
        >>> import json
        >>> vectors = json.loads(pf.separating_rounds(pf.operators.duel.Dice(), limit=5).to_json())
        >>> vectors["game"], len(vectors["rounds"]), sorted(vectors["rounds"][0])
        ('duel.dice', 5, ['digests', 'draws', 'excludes', 'fields', 'outcome'])
        """
        data = self.to_dict()
        if indent is None:
            return json.dumps(data, ensure_ascii=False)
        return _lines(data, " " * indent)

    def mistakes(self, port: Callable[..., Any]) -> tuple[str, ...]:
        """Return the readings that give all outcomes of a port, of which some are wrong: its mistake.

        Parameters
        ----------
        port : callable
            A function of a round's seeds by name, or of its ``digests``, that returns the outcome. A round
            for which it returns NotImplemented, or raises an error, tells nothing.

        Returns
        -------
        tuple of str
            The texts of the readings; empty if the port gets all rounds right, or if no reading gives what
            it gives. A reading that can't play a round agrees there with any outcome.

        Examples
        --------
        >>> dice = pf.operators.stake.Dice()
        >>> def port(server_seed, client_seed, nonce):
        ...     return dice.play(client_seed, server_seed, nonce)
        >>> pf.separating_rounds(dice).mistakes(port)
        ('server_seed and client_seed swapped',)
        """
        if not callable(port):
            raise BadType("port", f"must be a function of a round's seeds, got {type(port).__name__}")
        answers = [_answer(port, one) for one in self.rounds]
        found = mistakes(answers, [one["outcome"] for one in self.rounds], self.outcomes)
        return tuple(self.readings[number] for number in found)

    def to_pytest(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write a pytest file that tests a port with these rounds.

        Its function ``outcome(**seeds)`` returns the outcome of a round: as it is written, by this package; a
        port takes its place, and the file then needs pytest alone. Or the outcomes are those that a program
        prints: ``pytest test_dice.py --program "node port.mjs"``, with the plugin of this package. From each
        line of its standard input, the program reads the seeds of a round, a JSON object, and for each it
        prints a line of JSON. A port that `provably_fair.ports.javascript` wrote is such a program:
        ``--program dice.mjs``.

        A failure begins with the port's mistake, as `mistakes` finds it.

        Parameters
        ----------
        path : path
            The file, such as ``test_dice.py``.
        overwrite : bool
            Whether to replace a file that is there, with the port in it.

        Returns
        -------
        pathlib.Path
            The file.

        Notes
        -----
        Constructed rounds give ``outcome`` their ``digests``, a list of hex, instead of seeds. A port that
        can't begin there returns NotImplemented (a program prints null), and the round is skipped.

        A game whose class can't be imported by its name, such as one of a notebook, has to be put into the
        file's function by hand.

        Examples
        --------
        >>> import tempfile
        >>> found = pf.separating_rounds(pf.operators.duel.Dice(), limit=5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = found.to_pytest(f"{folder}/test_dice.py")
        ...     print(file.name, "def outcome(**seeds):" in file.read_text(encoding="utf-8"))
        test_dice.py True
        """
        check_type("path", path, str | os.PathLike, "a path")
        check_type("overwrite", overwrite, bool, "True or False")
        file = Path(path)
        if file.exists() and not overwrite:
            raise BadValue("path", f"must be a new file, got {file}, which is there: give overwrite=True")
        vectors = json.loads(self.to_json(indent=None))
        title = str(self).partition("\n")[0]
        text = text_of_test(_lines(vectors, " ", ascii_only=True), self.outcomes, title, self.game)
        with write_beside(file) as part:
            part.write_text(text, encoding="utf-8")
        return file


def _lines(data: Mapping[str, Any], blank: str, *, ascii_only: bool = False) -> str:
    """Return JSON with one line per round and reading, so that diffs stay readable."""
    lines = []
    for name, value in data.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(2 * blank + json.dumps(one, ensure_ascii=ascii_only) for one in value)
            lines.append(f"{blank}{json.dumps(name)}: [\n{rows}\n{blank}]")
        else:
            lines.append(f"{blank}{json.dumps(name)}: {json.dumps(value, ensure_ascii=ascii_only)}")
    return "{\n" + ",\n".join(lines) + "\n}"


def separating_rounds(
    game: Game | str, readings: Iterable[Reading | Game | str] | None = None, limit: int = 20
) -> SeparatingRounds:
    """Return a small set of rounds that other readings of a game get wrong.

    They are test vectors for an implementation in any language: one that follows an excluded reading fails at
    least one of them.

    Parameters
    ----------
    game : Game or str
        The game, or its name: "stake.dice", "mines:mines=5".
    readings : iterable of Reading, Game or str, optional
        The readings to exclude; by default `readings` of the game.
    limit : int
        The largest number of rounds.

    Returns
    -------
    SeparatingRounds

    Notes
    -----
    The first rounds have seeds of forms that are easily read wrongly. Others are found by simulating up to
    2**19 rounds (2**8 where a function makes the words), among them the least and the largest outcome. Half
    of the rounds are constructed: they begin at digests instead of seeds, with words next to the places where
    the outcome changes, because no seeds can be found for differences that rare. A port that can't begin at a
    digest leaves them out. Schemes without a hash, and several digests with rejected words, have no
    constructed rounds.

    Examples
    --------
    >>> found = pf.separating_rounds(pf.operators.stake.Limbo())
    >>> len(found.rounds), "as stake.limbo:reading=2026" in found.excluded
    (20, True)
    """
    game = given_game("game", game)
    limit = integer("limit", limit, 1, 1000)
    if readings is not None and (isinstance(readings, str) or not isinstance(readings, Iterable)):
        alone = " alone: put it in a list" if isinstance(readings, Reading | Game) else ""
        got = type(readings).__name__ + alone
        raise BadType("readings", f"must be an iterable of readings or games, or None, got {got}")
    tried = readings_of(game) if readings is None else tuple(map(_reading, readings))
    seat = _seat(game)
    candidates = _candidates(game, seat)
    constructed = min(limit // 2, len(candidates))
    extremes = _extremes(game) if limit - constructed > 2 * _FORMS else []
    hashed = limit - constructed - len(extremes)
    rows: list[dict[str, Any]] = []
    left = np.arange(len(tried))
    # Most rounds are chosen for all readings; a few are reserved for those that differ rarely.
    for pool, size in enumerate(_POOLS if game.scheme.function is None else _POOLS[:1]):
        if pool:
            left = np.array([one for one in left if is_many(tried[one].game)], np.int64)
        if pool == len(_POOLS) - 1 and seat is not None:
            # Constructed rounds exclude readings that differ after hashing.
            left = np.array([one for one in left if seat.game(tried[one].game) is None], np.int64)
        if not len(left) or len(rows) >= hashed:
            break
        most = hashed - (0 if pool else hashed // 4)
        fields = _fields(game, size, pool)
        apart = _all_apart(game, [tried[one] for one in left], fields, size)
        forms = range(0 if pool else min(_FORMS, most))
        chosen = _cover(apart, most - len(rows), fill=not pool, begin=forms)
        rows += [one_round(fields, row) for row in chosen]
        left = left[~apart[:, chosen].any(axis=1)]
    rows += extremes + _others(game, hashed - len(rows))
    digests: list[tuple[str, ...]] = []
    if seat is not None and constructed:
        apart = _all_apart_by_digests(tried, seat, candidates)
        fields = {name: [row[name] for row in rows] for name in rows[0]}
        caught = np.asarray(_all_apart(game, tried, fields, len(rows)).any(axis=1))
        apart &= ~caught[:, np.newaxis]
        begin = range(min(_ENDS, constructed))
        chosen = _cover(apart, constructed, fill=False, begin=begin)
        chosen += [one for one in range(len(candidates)) if one not in chosen][: constructed - len(chosen)]
        digests = [candidates[one] for one in chosen]
    return _separating(game, tried, rows, seat, digests)


def check_rounds(data: Any, game: Game | None = None) -> list[int]:
    """Return the indices of a file's rounds that its game, or another one, doesn't reproduce."""
    for name in ("schema", "game", "scheme", "rounds"):
        if not isinstance(data, Mapping) or name not in data:
            raise BadValue("data", f"of separating rounds lacks {name!r}")
    if data["schema"] != SCHEMA:
        raise BadValue("data", f"of separating rounds must have schema {SCHEMA}, got {data['schema']!r:.80}")
    if not isinstance(data["rounds"], list):
        raise BadValue("rounds", f"of separating rounds must be a list, got {type(data['rounds']).__name__}")
    game = _game_of(data) if game is None else game
    return [place for place, one in enumerate(data["rounds"]) if not _is_right(game, one)]


def play_round(game: Game, seeds: Mapping[str, Any]) -> Any:
    """Return the outcome of a separating round, from its fields or its ``digests``."""
    if "digests" not in seeds:
        return game.play(**seeds)
    seat = _seat(game)
    if seat is None:
        raise BadValue("digests", f"isn't supported with {typed_name(game)}: its scheme has no hash")
    return seat.own.play(seat.joined(seeds["digests"]))


def mistake_of(data: Mapping[str, Any], game: Game) -> str:
    """Return two lines: the mistake of a game that gets rounds of a file wrong; empty if it is unknown."""
    try:
        own = _game_of(data)
        tried, seat = readings_of(own), _seat(own)
        outcomes = _outcomes(tried, seat, data["rounds"])
        right = [one["outcome"] for one in data["rounds"]]
    except (TypeError, ValueError, LookupError):  # a game that can't be imported, or rounds that are none
        return ""
    answers = [_answer(lambda **seeds: play_round(game, seeds), one) for one in data["rounds"]]
    found = mistakes(answers, right, outcomes)
    return mistake_in_words([tried[number].text for number in found], len(tried))


def _game_of(data: Mapping[str, Any]) -> Game:
    try:
        game = parse_game(str(data["game"]))
    except ValueError:
        problem = f"must be given: these rounds are of {data['game']!r:.80}, which is none of the package's"
        raise BadValue("game", problem) from None
    return game if data["scheme"] is None else game.with_scheme(Scheme.from_dict(data["scheme"]))


def _answer(port: Callable[..., Any], one: Mapping[str, Any]) -> Any:
    """Return what a port makes of a round as JSON types, or NotImplemented."""
    try:
        got = port(**(one["fields"] if "fields" in one else {"digests": one["digests"]}))
        if got is NotImplemented:
            return got
        return json.loads(json.dumps(got, default=lambda value: value.tolist()))
    except Exception:  # a port may fail in any way
        return NotImplemented


def _is_right(game: Game, one: Mapping[str, Any]) -> bool:
    try:
        if "fields" in one:
            made = _described(game, one["fields"])
        elif (seat := _seat(game)) is not None:
            made = _of_digests(seat, one["digests"])
        else:
            return False
        return made == {name: one[name] for name in made}
    except (TypeError, ValueError, LookupError):  # it can't be played, or lacks a field
        return False


def _reading(value: Reading | Game | str) -> Reading:
    if isinstance(value, Reading):
        return value
    game = given_game("readings", value)
    return Reading(f"as {typed_name(game)}", game)


def _separating(
    game: Game,
    tried: tuple[Reading, ...],
    rows: list[dict[str, Any]],
    seat: Constructed | None,
    digests: list[tuple[str, ...]],
) -> SeparatingRounds:
    """Return the rounds with digests, draws and outcomes, and the readings that each excludes."""
    rounds: list[dict[str, Any]] = [{"fields": row, **_described(game, row)} for row in rows]
    if seat is not None:
        rounds += [{"digests": list(one), **_of_digests(seat, one)} for one in digests]
    outcomes = _outcomes(tried, seat, rounds)
    for place, one in enumerate(rounds):
        answers = [each[place] for each in outcomes]
        # A reading that can't begin at digests isn't excluded by them.
        wrong = [got != one["outcome"] and ("fields" in one or got is not None) for got in answers]
        one["excludes"] = np.flatnonzero(wrong).tolist()
    caught = {number for one in rounds for number in one["excludes"]}
    texts = tuple(one.text for one in tried)
    return SeparatingRounds(
        game,
        tuple(rounds),
        texts,
        tuple(text for number, text in enumerate(texts) if number in caught),
        tuple(text for number, text in enumerate(texts) if number not in caught),
        outcomes,
    )


def _outcomes(
    tried: Sequence[Reading], seat: Constructed | None, rounds: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Any, ...], ...]:
    """Return the outcomes of each reading in the order of the rounds; None where it can't play one."""
    rows = [one["fields"] for one in rounds if "fields" in one]
    fields = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    digests = [one["digests"] for one in rounds if "fields" not in one]
    outcomes = []
    for one in tried:
        begun = None if seat is None else seat.game(one.game)
        constructed = [None] * len(digests)
        if seat is not None and begun is not None:
            constructed = _listed(*seat.played(begun, digests))
        each = {True: iter(_listed(*played(one.game, fields, len(rows)))), False: iter(constructed)}
        outcomes.append(tuple(next(each["fields" in round]) for round in rounds))
    return tuple(outcomes)


def _listed(outcomes: np.ndarray, right: np.ndarray) -> list[Any]:
    """Return outcomes as JSON types; None for rounds that couldn't be played."""
    return [one if could else None for one, could in zip(outcomes.tolist(), right.tolist(), strict=True)]


def _described(game: Game, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first digests of a round, its first draws, and its outcome."""
    walk = _walk(game, row)
    blocks = [digest.hex() for _, digest in walk.blocks[:_SHOWN] if digest]
    return {"digests": blocks, "draws": _draws(walk), "outcome": np.asarray(walk.outcome).tolist()}


def _of_digests(seat: Constructed, digests: Sequence[str]) -> dict[str, Any]:
    """Return the first draws and the outcome of a round that starts from digests."""
    walk = _walk(seat.own, {"digest": seat.joined(digests)})
    return {"draws": _draws(walk), "outcome": np.asarray(walk.outcome).tolist()}


def _draws(walk: Walkthrough) -> list[list[Any]]:
    drawn = [[step.factor, step.result] for step in walk.steps if isinstance(step, Draw | WordDraw)]
    return drawn[:_SHOWN]


def _first(game: Game) -> Walkthrough:
    """Return the walk-through of an arbitrary round."""
    return _walk(game, _others(game, 1)[0])


def _walk(game: Game, row: Mapping[str, Any]) -> Walkthrough:
    """Return the walk-through of a round to its outcome: of cards without what a table makes of them."""
    return rounds_of(game).explain((), {**row})


def _seat(game: Game) -> Constructed | None:
    """Return a player of rounds from digests; None if the scheme has no hash."""
    if game.scheme.function is not None:
        return None
    seat = Constructed(game, [digest for _, digest in _first(game).blocks])
    return None if seat.own is None else seat


def _candidates(game: Game, seat: Constructed | None) -> list[tuple[str, ...]]:
    """Return the constructed rounds that the game can play."""
    if seat is None:
        return []
    ranges = [n for n, _ in _draws(_first(game)) if n is not None]
    digests = list(dict.fromkeys(seat.rounds(ranges)))
    _, right = seat.played(seat.own, digests)
    return list(itertools.compress(digests, right))


def _all_apart_by_digests(
    tried: Sequence[Reading], seat: Constructed, rounds: Sequence[tuple[str, ...]]
) -> np.ndarray:
    """Return which rounds of digests each reading plays differently, shape (readings, rounds)."""
    right, _ = seat.played(seat.own, rounds)
    begun = (seat.game(one.game) for one in tried)
    each = ((right, False) if game is None else seat.played(game, rounds) for game in begun)
    apart = [_differ(right, outcomes) & could for outcomes, could in each]
    return np.array(apart, bool).reshape(len(tried), len(rounds))


def _all_apart(game: Game, tried: Sequence[Reading], fields: Mapping[str, Any], size: int) -> np.ndarray:
    """Return which rounds each reading plays differently, or can't play, shape (readings, rounds)."""
    right = np.asarray(game.play(**fields))
    each = (played(one.game, fields, size) for one in tried)
    apart = [_differ(right, outcomes) | ~could for outcomes, could in each]
    return np.array(apart, bool).reshape(len(tried), size)


def _differ(right: np.ndarray, outcomes: np.ndarray) -> Any:
    """Return which outcomes aren't the right ones, by round; all if they have another number of values."""
    right, outcomes = (one.reshape(len(one), -1) for one in (right, outcomes))
    return True if outcomes.shape != right.shape else (outcomes != right).any(axis=1)


def _cover(apart: np.ndarray, most: int, fill: bool, begin: Iterable[int] = ()) -> list[int]:
    """Return rounds chosen greedily from `begin` on; each divides the weight of what it excludes by 4."""
    chosen = list(begin)
    times = apart[:, chosen].sum(axis=1).astype(float)
    free = np.ones(apart.shape[1], bool)
    free[chosen] = False
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


def _extremes(game: Game) -> list[dict[str, Any]]:
    """Return the rounds with the smallest and the largest outcome of a pool, for numeric outcomes."""
    if size_of(game) > 1 or game.scheme.function is not None:
        return []
    pool = 2
    fields = _fields(game, _POOLS[pool], pool)
    outcomes = np.asarray(game.play(**fields)).reshape(-1)
    return [one_round(fields, int(row)) for row in (outcomes.argmin(), outcomes.argmax())]


def _others(game: Game, count: int) -> list[dict[str, Any]]:
    """Return further rounds to make up the number."""
    fields = _fields(game, max(count, 1), len(_POOLS))
    return [one_round(fields, row) for row in range(count)]


def _fields(game: Game, size: int, pool: int) -> dict[str, Any]:
    """Return the fields of a pool's rounds: as in simulations, or for small pools in many forms."""
    simulated = simulated_rounds(game, size, f"vectors {pool}").values()
    constant = {name for name in game.scheme.defaults if kind_of(game.scheme, name) == "text"}
    fields = {name: value for name, value in simulated.items() if name not in constant}
    if all(map(is_single, fields.values())):
        fields = {name: [value] * size for name, value in fields.items()}
    if size > _POOLS[0]:
        return fields
    hexadecimal = hex_fields(game.scheme.hash)
    for name, value in fields.items():
        if name in game.scheme.defaults and is_single(value):  # decorrelate it from the other numbers
            fields[name] = [int(value) + row % 5 for row in range(size)]
        elif not is_single(value) and np.asarray(value).dtype.kind in "iu":
            fields[name] = [_number(row) for row in range(size)]
        elif name.endswith(("_seed", "salt")):
            fields[name] = [_text(name, f"{pool} {row}", row, name in hexadecimal) for row in range(size)]
    return fields


def _text(name: str, what: str, form: int, as_bytes: bool) -> str:
    """Return a seed or salt: hex digits, or text in another form if the scheme hashes text."""
    digits = hashlib.sha256(f"{name} {what}".encode()).hexdigest()
    if as_bytes:
        forms = [digits, digits.upper(), digits * 3, digits[:32]]
    else:
        # Blanks around and within, composed and decomposed letters, letters beyond 16 bits, escaped
        # characters; then more than a block of any hash.
        forms = [f' Zürich {digits[:6]}  e\u0301 "%41+<&>\\\t🎲 ', f"Aa{digits * 3}", digits.upper()]
        forms += [f'"{digits[:20]}"', f" {digits[:8]} ", f"{form}", digits, digits[:32], f"Player {form}"]
    return forms[form % len(forms)]


_FORMS = 4
"""Rounds that are always included: the forms of text above, and the numbers below."""


def _number(row: int) -> int:
    """Return a nonce: small ones, and ones that need more than 16, 31 and 32 bits."""
    return row + {1: 1 << 33, 2: 1 << 31, 3: 70_000}.get(row % 7, 0)


# The format as a JSON Schema, which is published with the documentation.
JSON_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Rounds that tell readings of a game apart",
    "type": "object",
    "required": ["schema", "game", "scheme", "rounds", "readings", "open"],
    "properties": {
        "schema": {"const": SCHEMA},
        "game": {"type": "string", "description": "The game as it can be typed."},
        "scheme": {
            "type": ["object", "null"],
            "description": "What is hashed, and how digests become numbers; null for a function.",
        },
        "rounds": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["digests", "draws", "outcome", "excludes"],
                "properties": {
                    "fields": {
                        "type": "object",
                        "additionalProperties": {"type": ["string", "integer"]},
                        "description": "Missing in constructed rounds, which begin at their digests.",
                    },
                    "digests": {
                        "type": "array",
                        "items": {"type": "string", "pattern": "^([0-9a-f]{2})+$"},
                        "description": "The round's digests, at most 20.",
                    },
                    "draws": {
                        "type": "array",
                        "items": {
                            "type": "array",
                            "prefixItems": [{"type": ["integer", "null"]}, {"type": "number"}],
                            "minItems": 2,
                            "maxItems": 2,
                        },
                        "description": "Range and result of the first 20 draws; null: a number below 1.",
                    },
                    "outcome": {"type": ["number", "array"]},
                    "excludes": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                },
            },
        },
        "readings": {"type": "array", "items": {"type": "string"}},
        "open": {"type": "array", "items": {"type": "string"}},
    },
}
