"""The walk-through of a salted round: what the engine recorded, and how this scheme's bytes are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import provably_fair._engine as engine
from provably_fair._core.arguments import unbox
from provably_fair.walkthrough import Draw, Note, Part, Pick, Shuffle, Skip, Step, Walkthrough
from provably_fair.walkthrough.sections import (
    Block,
    Blocks,
    Entries,
    Key,
    Numbers,
    Outcome,
    Picture,
    Seeds,
)


def walkthrough_of(
    game: Any,
    name: str,
    parameters: Mapping[str, int],
    seeds: Mapping[str, Any],
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


def _one_text(seed: Any) -> str | bytes:
    seed = unbox(seed)
    return bytes(seed) if isinstance(seed, bytes) else str(seed)


def _step(step: engine.Step) -> Step:
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
