"""The readings of a game: alternative ways to interpret its log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.games.parameters import choices_of
from provably_fair.names import given_game
from provably_fair.seeds import SALTED, Scheme
from provably_fair.seeds.schemes import kind_of

from .known import known_games, size_of, variants
from .reread import DRAWN, EDITS, RECORDED, other_edges, read_otherwise, ways_to_draw
from .schemes import schemes_like


@dataclass(frozen=True)
class Reading:
    """An alternative rule by which a game's rounds may have been made or recorded.

    Attributes
    ----------
    text : str
        The difference in words.
    game : Game
        The game under this reading; its `play` takes the log's fields.
    options : dict
        The options of `verify`, as in a config, that select it: ``{"game": "duel.dice"}``, ``{"columns":
        {"server_seed": "client_seed", "client_seed": "server_seed"}}`` (fields whose columns are swapped),
        ``{"columns": {"nonce": "nonce - 1"}}``, or
        ``{"game": ..., "scheme": {...}}``. Empty if no option does.
    """

    text: str
    game: Game
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


def readings(game: Game | str) -> tuple[Reading, ...]:
    """Return the plausible other readings of a game under its scheme, the likeliest kinds first.

    They cover swapped fields, fields with another start or spelling, other parameters and eras, games with
    the same fields, other house edges of multipliers, other formats of outcomes, other ways to draw, other
    hashes, and other ways to turn hashes into numbers. A game's class adds to them with an attribute or
    property ``readings``: games, under another scheme where that is what differs, or pairs of a sentence and
    a game.

    Parameters
    ----------
    game : Game or str
        The game, or its name: "stake.dice", "mines:mines=5".

    Returns
    -------
    tuple of Reading

    See Also
    --------
    separating_rounds : Rounds that tell readings apart.

    Examples
    --------
    >>> found = {reading.text: reading for reading in pf.readings(pf.operators.stake.Dice())}
    >>> found["as duel.dice"].options
    {'game': 'duel.dice'}
    >>> "nonce - 1 (one less than the log has)" in found
    True
    """
    game = given_game("game", game)
    by_game: dict[Game, Reading] = {}
    for reading in _all(game):
        if reading.game != game:
            by_game.setdefault(reading.game, reading)
    return tuple(by_game.values())


def _all(game: Game) -> Iterator[Reading]:
    own = getattr(game, "readings", ())
    for added in own:
        text, other = added if isinstance(added, tuple) else ("", added)
        other = given_game("readings", other)
        yield Reading(text or _named(other), other, _options_of(other))
    schemes = [like for like in schemes_like(game.scheme) if _may_have(game, like[-1])]
    for text, swapped, scheme in schemes:
        if swapped:
            yield Reading(text, game.with_scheme(scheme), {"columns": swapped})
    yield from _edited(game)
    yield from _siblings(game)
    for text, read in other_edges(game):
        yield Reading(text, read)
    for name, (text, _) in RECORDED.items():
        if _may_be_recorded(game, name):
            yield Reading(f"the outcome is {text}", read_otherwise(game, recorded=name))
    for text, swapped, scheme in schemes:
        if not swapped:
            read = game.with_scheme(scheme)
            yield Reading(text, read, _options_of(read))
    for name in ways_to_draw(game):
        yield Reading(DRAWN[name][0], read_otherwise(game, drawn=name))


def _may_have(game: Game, scheme: Scheme) -> bool:
    """Return whether a game can use a scheme: some need more words than a digest has."""
    try:
        game.kind.check_scheme(scheme)
    except BadValue:
        return False
    return True


def _options_of(game: Game) -> dict[str, Any]:
    """Return the options that select a game; none if a function makes its words."""
    name, under, _ = typed_name(game).partition(" under ")
    if not under:
        return {"game": name}
    return {} if game.scheme.function is not None else {"game": name, "scheme": game.scheme.to_dict()}


def _named(game: Game) -> str:
    return f"as {typed_name(game)}"


def _edited(game: Game) -> Iterator[Reading]:
    """Yield readings in which fields were changed before they were logged."""
    fields = game.scheme.fields
    for name in fields:
        if kind_of(game.scheme, name) == "number":
            for edit, shifted in (("less", f"{name} - 1"), ("more", f"{name} + 1")):
                read = read_otherwise(game, edits=((name, edit),))
                yield Reading(f"{name} {EDITS[edit][0]}", read, {"columns": {name: shifted}})
    texts = [
        name for name in fields if kind_of(game.scheme, name) == "text" and name not in game.scheme.defaults
    ]
    for edit in ("lower", "upper", "strip", "quotes"):
        for name in texts:
            yield Reading(f"{name} {EDITS[edit][0]}", read_otherwise(game, edits=((name, edit),)))
        if len(texts) > 1:
            edits = tuple((name, edit) for name in texts)
            yield Reading(f"{', '.join(texts)} each {EDITS[edit][0]}", read_otherwise(game, edits=edits))
    if "game_hash" in fields:
        for edit in ("next", "next bytes"):
            read = read_otherwise(game, edits=(("game_hash", edit),))
            yield Reading(f"game_hash is {EDITS[edit][0]}", read)


def _siblings(game: Game) -> Iterator[Reading]:
    """Yield the game with other parameters, and games with the same fields and form of outcome."""
    size, has_texts = size_of(game), bool(choices_of(game))
    own = [
        Reading(_named(other), other.with_scheme(game.scheme), {"game": typed_name(other)})
        for other in variants(game, size, every=not has_texts)
        if other.with_scheme(game.scheme) != game
    ]
    yield from own if has_texts else ()
    for known in known_games():
        needed = set(known.scheme.fields) - set(known.scheme.defaults)
        provided = needed <= set(game.scheme.fields) and SALTED not in (game.scheme, known.scheme)
        if set(known.scheme.fields) != set(game.scheme.fields) and not provided:
            continue
        if type(known) is type(game):
            if known.scheme != game.scheme:
                restored = game.with_scheme(known.scheme)
                text = f"{_named(game)} under its own scheme"
                yield Reading(text, restored, {"game": typed_name(restored)})
            continue
        for other in variants(known, size):
            if len(other.shape) == len(game.shape):
                yield Reading(_named(other), other, {"game": typed_name(other)})
    yield from () if has_texts else own


def _may_be_recorded(game: Game, how: str) -> bool:
    whole, single = game.dtype.kind in "iu", not game.shape
    if how in ("from 1", "from 0", "of hundredths"):
        return whole
    if how in ("sorted", "backward"):
        return len(game.shape) == 1 and bool(np.prod(game.shape) > 1)
    return not whole and single
