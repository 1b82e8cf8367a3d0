"""Walk-throughs: of a salted round, which the engine recorded, and of a round under any scheme."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import provably_fair._engine as engine
from provably_fair._core.arguments import unbox
from provably_fair.seeds.schemes import Scheme, draws, number_of
from provably_fair.walkthrough import Draw, Note, Part, Pick, Shuffle, Skip, Step, Walkthrough
from provably_fair.walkthrough.sections import (
    Block,
    Blocks,
    Digests,
    Entries,
    Hashed,
    Key,
    Numbers,
    Outcome,
    Picture,
    Seeds,
)
from provably_fair.walkthrough.steps import WordDraw

from ._streams import Reading, RecordedDraws


def walkthrough_of(
    game: object,
    name: str,
    parameters: Mapping[str, int],
    seeds: Mapping[str, object],
    recorded: engine.Walkthrough,
    outcome: np.ndarray | np.generic,
    decimals: int,
    picture: Picture,
) -> Walkthrough:
    """Return the walk-through of what the engine recorded of a round."""
    texts = {seed: _one_text(value) for seed, value in seeds.items()}
    blocks = tuple((block.cursor, block.octets) for block in recorded.blocks)
    hashed = tuple(Block(cursor, _message(texts["client_seed"], cursor), digest) for cursor, digest in blocks)
    values = (*texts.items(), ("key", recorded.key), ("blocks", blocks))
    arguments = ", ".join(f"{parameter}={value}" for parameter, value in parameters.items())
    return Walkthrough(
        game,
        f"{type(game).__name__}({arguments})",
        values,
        tuple(_step(step) for step in recorded.steps),
        outcome,
        (
            Entries(entries=(("game", name), ("parameters", dict(parameters)))),
            Seeds("Seeds", tuple(texts.items())),
            Key('Key = SHA-256(server seed + ":" + salt), as hexadecimal text', recorded.key),
            Blocks('Bytes = HMAC-SHA512(key, client seed + ":" + cursor), eight to a number', hashed),
            Numbers(
                "Numbers = byte 1 / 256 + byte 2 / 256^2 + ... + byte 8 / 256^8, times the number of choices",
                folded=True,
            ),
            Outcome("From the numbers to the outcome", decimals, picture),
        ),
    )


def _message(client_seed: str | bytes, cursor: int) -> str | bytes:
    if isinstance(client_seed, bytes):
        return client_seed + f":{cursor}".encode()
    return f"{client_seed}:{cursor}"


def _one_text(seed: object) -> str | bytes:
    seed = unbox(seed)
    return bytes(seed) if isinstance(seed, bytes) else str(seed)


def _step(step: engine.Part | engine.Draw | engine.Skip | engine.Note | engine.Shuffle) -> Step:
    match step:
        case engine.Part():
            return Part(step.name, step.index, step.draws)
        case engine.Draw():
            return _draw(step)
        case engine.Skip():
            return Skip(step.first, step.count)
        case engine.Note():
            return Note(step.formula, step.value)
        case engine.Shuffle():
            picks = tuple(Pick(pick.left, _draw(pick.draw)) for pick in step.picks)
            return Shuffle(step.size, step.taken, picks, step.permutation)


def _draw(draw: engine.Draw) -> Draw:
    return Draw(draw.index, draw.octets, draw.number, draw.factor, draw.scaled, draw.result)


def explain_under(
    game: Any, held: engine.Fields, fields: Mapping[str, object], run: Callable[[Any], np.ndarray]
) -> Walkthrough:
    """Return the walk-through of a round under the game's scheme, every draw recorded.

    `held` are the round's fields as the engine has them, `fields` as they were given; `run` is the game's
    function from draws to outcomes.
    """
    scheme = game.scheme
    digests: dict[tuple[str | None, int, int], Hashed] = {}

    def step_of(reading: Reading, n: int | None, answer: int | float) -> Step:
        drawn = reading.drawn
        key = reading.label, drawn.cursor, drawn.again
        if key not in digests:
            digests[key] = _hashed(*key, reading.digest())
        whole = scheme.below == "digest" and n is not None
        return WordDraw(
            reading.index,
            drawn.cursor,
            drawn.taken,
            8 * len(digests[key].digest) if whole else drawn.bits,
            int.from_bytes(digests[key].digest) if whole else drawn.word,
            tuple(drawn.passed),
            n,
            scheme.below,
            number_of(scheme, drawn.word) if n is None or scheme.below == "scale" else None,
            answer,
        )

    settings = {field.name: getattr(game, field.name) for field in dataclasses.fields(game)}
    recorded = RecordedDraws(draws(scheme, held), step_of)
    outcome = run(recorded)[0]
    texts = {
        name: value if isinstance(value, int | np.integer) else _one_text(value)
        for name, value in (dict(scheme.defaults) | dict(fields)).items()
        if name in scheme.fields
    }
    seeds = tuple((name, texts[name]) for name in scheme.fields)
    blocks = tuple((cursor, digest.digest) for (_, cursor, _), digest in digests.items())
    return Walkthrough(
        game,
        repr(game),
        (*seeds, ("blocks", blocks)),
        tuple(recorded.steps),
        outcome,
        (
            Entries(entries=(("game", game.name), ("parameters", settings), ("scheme", _data_of(scheme)))),
            Seeds(
                "Seeds",
                tuple((name, value if isinstance(value, bytes) else str(value)) for name, value in seeds),
            ),
            Digests(
                f"Digests = {scheme.hash!r}" if scheme.function is None else f"Words = {scheme!r}",
                tuple(digests.values()),
            ),
            Numbers("Words, and what was drawn with them", folded=True),
            Outcome("From the draws to the outcome", game.decimals, game._picture_lines),
        ),
    )


def _data_of(scheme: Scheme) -> object:
    return repr(scheme) if scheme.function is not None else scheme.to_dict()


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
