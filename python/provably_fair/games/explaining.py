"""Walk-throughs of rounds under any scheme; those of salted rounds look as their document shows them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import provably_fair._engine as engine
from provably_fair._core.arguments import unbox
from provably_fair._engine import Streams
from provably_fair.seeds.schemes import draws, engine_scheme
from provably_fair.walkthrough import Draw, Walkthrough
from provably_fair.walkthrough.sections import (
    Block,
    Blocks,
    Digests,
    Entries,
    Hashed,
    Key,
    Numbers,
    Outcome,
    Section,
    Seeds,
)
from provably_fair.walkthrough.steps import Number, WordDraw

from ._streams import RecordedDraws


def explain_under(
    game: Any,
    held: engine.Fields,
    fields: Mapping[str, object],
    run: Callable[[Any], np.ndarray],
    salted: bool = False,
) -> Walkthrough:
    """Return the walk-through of a round under the game's scheme, every draw recorded.

    `held` are the round's fields as the engine has them, `fields` as they were given; `run` is the game's
    function from draws to outcomes. `salted` shows it as the document of the salted rounds does.
    """
    scheme = game.scheme
    digests: dict[tuple[str | None, int, int], Hashed] = {}

    engine = engine_scheme(scheme)
    numbered = engine.number_bits is not None

    def step_of(index: int, streams: Streams, n: int | None, answer: int | float) -> Number:
        drawn = streams.drawn(0)
        assert drawn is not None
        key = streams.label, drawn.cursor, drawn.again
        if key not in digests:
            digests[key] = _hashed(*key, streams.digest(0, drawn.cursor, drawn.again))
        number = engine.number(drawn.word) if numbered and (n is None or scheme.below == "scale") else None
        if salted and n is not None and number is not None:
            return Draw(index, drawn.word.to_bytes(8), number, n, number * n, int(answer))
        whole = scheme.below in ("digest", "double") and n is not None
        return WordDraw(
            index,
            drawn.cursor,
            drawn.taken,
            8 * len(digests[key].digest) if whole else drawn.bits,
            int.from_bytes(digests[key].digest) if whole else drawn.word,
            tuple(drawn.passed),
            n,
            scheme.below,
            number,
            answer,
        )

    names = game.parameters if salted else [field.name for field in dataclasses.fields(game)]
    settings = {name: getattr(game, name) for name in names}
    arguments = ", ".join(f"{name}={value}" for name, value in settings.items())
    recorded = RecordedDraws(draws(scheme, held), step_of, to_its_end=salted)
    outcome = run(recorded)[0]
    given = dict(scheme.defaults) | {name: value for name, value in fields.items() if value is not None}
    values = [(name, _one_value(given[name])) for name in scheme.fields]
    seeds = Seeds(
        "Seeds", tuple((name, value if isinstance(value, bytes) else str(value)) for name, value in values)
    )
    entries = [("game", game.name), ("parameters", settings)]
    sections: tuple[Section, ...]
    if salted:
        key = str(next(iter(digests.values())).key)
        values.append(("key", key))
        hashed = tuple(Block(digest.cursor, digest.message, digest.digest) for digest in digests.values())
        sections = (
            Entries(entries=tuple(entries)),
            seeds,
            Key('Key = SHA-256(server seed + ":" + salt), as hexadecimal text', key),
            Blocks('Bytes = HMAC-SHA512(key, client seed + ":" + cursor), eight to a number', hashed),
            Numbers(
                "Numbers = byte 1 / 256 + byte 2 / 256^2 + ... + byte 8 / 256^8, times the number of choices",
                folded=True,
            ),
        )
        heading = "From the numbers to the outcome"
    else:
        of_function = scheme.function is not None
        title = f"Words = {scheme!r}" if of_function else f"Digests = {scheme.hash!r}"
        entries.append(("scheme", repr(scheme) if of_function else scheme.to_dict()))
        sections = (
            Entries(entries=tuple(entries)),
            seeds,
            Digests(title, tuple(digests.values())),
            Numbers("Words, and what was drawn with them", folded=True),
        )
        heading = "From the draws to the outcome"
    blocks = tuple((cursor, digest.digest) for (_, cursor, _), digest in digests.items())
    drawn = game.kind.picture
    last = Outcome(heading, game.decimals, drawn and functools.partial(drawn, game))
    return Walkthrough(
        game,
        f"{type(game).__name__}({arguments})" if salted else repr(game),
        (*values, ("blocks", blocks)),
        tuple(recorded.steps),
        outcome,
        (*sections, last),
    )


def _one_value(value: object) -> object:
    if isinstance(value, int | np.integer):
        return value
    value = unbox(value)
    return bytes(value) if isinstance(value, bytes) else str(value)


def _hashed(label: str | None, cursor: int, again: int, round_: engine.HashedRound) -> Hashed:
    return Hashed(
        cursor,
        None if round_.key is None else _decode(round_.key),
        _decode(round_.message),
        round_.digest,
        tuple(round_.words),
        again,
        label,
    )


def _decode(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
