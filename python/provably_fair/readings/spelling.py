"""Rows whose published values are spelled otherwise than published, and what their outcomes are those of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from provably_fair.games import Game
from provably_fair.seeds.schemes import spelled

from .matching import matches
from .reread import EDITS, read_otherwise


class Respelled(NamedTuple):
    """Rows that have a published value in another spelling than the one that counts."""

    fields: dict[str, str]
    """The fields that are spelled otherwise, and what each must be."""
    right: tuple[np.ndarray, np.ndarray]
    """The rows that are right if these fields are taken as published, and those right if taken as logged."""


def respelled(
    game: Game, fields: Mapping[str, Sequence[str]], outcomes: Sequence[tuple[float, ...]]
) -> Respelled | None:
    """Return what rows' outcomes are those of; None if no published value is spelled otherwise."""
    change = EDITS["published"][1]
    wrong = {
        name: must
        for name, must in spelled(game.scheme).items()
        if any(change(str(text)) != str(text) for text in fields.get(name, ()))
    }
    if not wrong:
        return None
    edits = [tuple((name, edit) for name in wrong) for edit in ("published", "logged")]
    published, logged = (matches(read_otherwise(game, edits=each), fields, outcomes) for each in edits)
    return Respelled(wrong, (published, logged))
