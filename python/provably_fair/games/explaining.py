"""Walk-throughs of rounds under any scheme; salted rounds are shown as in their document."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

import provably_fair._engine as engine
from provably_fair._core.arguments import BadType, encode_text, unbox
from provably_fair._core.table import text_of
from provably_fair._engine import Streams
from provably_fair.seeds.schemes import bind_fields, commitments_of, draws, engine_scheme
from provably_fair.walkthrough import Draw, Walkthrough
from provably_fair.walkthrough.sections import (
    Blocks,
    Conversions,
    Digests,
    Entries,
    Hashed,
    Key,
    LabeledRows,
    Outcome,
    Section,
    Seeds,
)
from provably_fair.walkthrough.steps import Number, WordDraw

from ._streams import RecordedDraws
from .kind import AnyGame


class Style:
    """The style of walk-throughs under any scheme: digests, words, and the draws made of them."""

    one = "value"  # a field of one round, in errors
    to_its_end = False  # whether shuffles are shown to the end
    heading = "From the draws to the outcome"

    def settings(self, game: AnyGame) -> dict[str, Any]:
        """Return the game's parameters."""
        return {field.name: getattr(game, field.name) for field in dataclasses.fields(game)}

    def title(self, game: AnyGame) -> str:
        """Return the title."""
        return repr(game)

    def step(self, index: int, word: WordDraw) -> Number:
        """Return the step of a draw."""
        return word

    def sections(
        self, game: AnyGame, entries: list[tuple[str, Any]], seeds: Seeds, hashed: tuple[Hashed, ...]
    ) -> tuple[Section, ...]:
        """Return the sections before the outcome."""
        scheme = game.scheme
        of_function = scheme.function is not None
        title = f"Words = {scheme!r}" if of_function else f"Digests = {scheme.hash!r}"
        entries = [*entries, ("scheme", repr(scheme) if of_function else scheme.to_dict())]
        return (
            Entries(entries=tuple(entries)),
            seeds,
            Digests(title, hashed),
            Conversions("Words, and what was drawn with them", folded=True),
        )

    def values(self, hashed: tuple[Hashed, ...]) -> list[tuple[str, object]]:
        """Return further named values of the walk-through."""
        return []


class DocumentStyle(Style):
    """The style of the document of salted rounds: the key, blocks of bytes, and numbers."""

    one = "text"
    to_its_end = True
    heading = "From the numbers to the outcome"

    def settings(self, game: AnyGame) -> dict[str, Any]:
        return dict(game.parameters)

    def title(self, game: AnyGame) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in self.settings(game).items())
        return f"{type(game).__name__}({arguments})"

    def step(self, index: int, word: WordDraw) -> Number:
        if word.factor is None or word.number is None:
            return word
        number = word.number
        return Draw(index, word.word.to_bytes(8), number, word.factor, number * word.factor, int(word.result))

    def sections(
        self, game: AnyGame, entries: list[tuple[str, Any]], seeds: Seeds, hashed: tuple[Hashed, ...]
    ) -> tuple[Section, ...]:
        return (
            Entries(entries=tuple(entries)),
            seeds,
            Key('Key = SHA-256(server seed + ":" + salt), as hexadecimal text', str(hashed[0].key)),
            Blocks('Bytes = HMAC-SHA512(key, client seed + ":" + cursor), eight to a number', hashed),
            Conversions(
                "Numbers = byte 1 / 256 + byte 2 / 256^2 + ... + byte 8 / 256^8, times the number of choices",
                folded=True,
            ),
        )

    def values(self, hashed: tuple[Hashed, ...]) -> list[tuple[str, object]]:
        return [("key", str(hashed[0].key))]


def explained(
    rounds: Any, seeds: tuple[object, ...], named: Mapping[str, object], published: Mapping[str, object]
) -> Walkthrough:
    """Return the walk-through of a round, with every draw recorded; `published` commitments are checked."""
    game, scheme = rounds.game, rounds.game.scheme
    style = DocumentStyle() if rounds.as_document else Style()
    held = bind_fields(scheme, seeds, named)
    fields = dict(zip(scheme.fields, seeds, strict=False)) | dict(named)
    if held.many:
        name = next(name for name, value in fields.items() if np.ndim(value))
        raise BadType(name, f"must be one {style.one}: {type(game).__name__}.explain shows one round")
    digests: dict[tuple[str | None, int, int], Hashed] = {}
    engine = engine_scheme(scheme)
    numbered = engine.number_bits is not None

    def step_of(index: int, streams: Streams, n: int | None, answer: int | float) -> Number:
        drawn = streams.drawn(0)
        assert drawn is not None
        key = streams.label, drawn.cursor, drawn.again
        if key not in digests:
            digests[key] = _hashed(*key, streams.digest(0, drawn.cursor, drawn.again))
        chosen = n is not None
        shown = numbered and (not chosen or scheme.below == "scale")
        number = engine.number(drawn.word, chosen) if shown else None
        whole = scheme.below in ("digest", "double") and chosen
        word = WordDraw(
            index,
            drawn.cursor,
            drawn.taken,
            drawn.bits // 8 if scheme.bits == "range" else 1,
            8 * len(digests[key].digest) if whole else drawn.bits,
            int.from_bytes(digests[key].digest) if whole else drawn.word,
            tuple(drawn.passed),
            n,
            scheme.below,
            None if chosen else scheme.digits,
            number,
            answer,
        )
        return style.step(index, word)

    recorded = RecordedDraws(draws(scheme, held), step_of, to_its_end=style.to_its_end)
    outcome = rounds.run(recorded)[0]
    given = dict(scheme.defaults) | {name: value for name, value in fields.items() if value is not None}
    values = [(name, _one_value(given[name])) for name in scheme.fields]
    fields_shown = Seeds(
        "Seeds", tuple((name, value if isinstance(value, bytes) else str(value)) for name, value in values)
    )
    commitments, committed = _commitments(scheme, given, published)
    entries = [("game", game.name), ("parameters", style.settings(game))]
    hashed = tuple(digests.values())
    blocks = tuple((cursor, digest.digest) for (_, cursor, _), digest in digests.items())
    last = Outcome(style.heading, game.decimals, game.kind.picture)
    return Walkthrough(
        game,
        style.title(game),
        (*values, *style.values(hashed), ("blocks", blocks)),
        tuple(recorded.steps),
        outcome,
        (*style.sections(game, entries, fields_shown, hashed), *commitments, last),
        committed=committed,
    )


def _commitments(
    scheme: Any, given: Mapping[str, Any], published: Mapping[str, Any]
) -> tuple[tuple[Section, ...], bool | None]:
    """Return the sections on commitments, and whether all match; None without any."""
    rows: list[tuple[str, str]] = []
    held = []
    for name, value in published.items():
        if value is None:
            continue
        text = encode_text(name, value)
        hash = commitments_of(scheme)[name]
        lacking = [field for field in hash.fields if given.get(field) is None]
        if lacking:
            raise BadType(lacking[0], f"must be given for its {name} to be checked")
        right = str(hash.hexdigest(**{field: given[field] for field in hash.fields}))
        held.append(text.strip().lower().removeprefix(b"0x") == right.encode())  # as logs may have it
        if held[-1]:
            rows.append((name, "matches: what was revealed is what was committed to"))
        else:
            rows += [
                (name, "DOES NOT MATCH: what was revealed is not what was committed to"),
                ("published", str(text_of(text))),
                ("its hash", right),
            ]
    if not rows:
        return (), None
    entries = Entries(entries=(("committed", all(held)),))
    return (entries, LabeledRows("What was published before", "commitments", tuple(rows))), all(held)


def _one_value(value: object) -> object:
    if isinstance(value, int | np.integer):
        return value
    value = unbox(value)
    return bytes(value) if isinstance(value, bytes) else str(value)


def _hashed(label: str | None, cursor: int, again: int, round_: engine.HashedRound) -> Hashed:
    return Hashed(
        cursor,
        None if round_.key is None else text_of(round_.key),
        text_of(round_.message),
        round_.digest,
        tuple(round_.words),
        again,
        label,
    )
