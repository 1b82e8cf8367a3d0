"""Rows whose published values are misspelled, and which spelling their outcomes come from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from provably_fair.games import Game
from provably_fair.seeds.schemes import spelled

from .reread import EDITS, read_otherwise
from .search import Cells, matches


class Respelled(NamedTuple):
    """Rows with a published value in another spelling than the hashed one."""

    fields: dict[str, str]
    """The misspelled fields, and the spelling that each must have."""
    right: tuple[np.ndarray, np.ndarray]
    """The rows reproduced from the published spelling, and those reproduced from the logged one."""


def respelled(game: Game, cells: Cells) -> Respelled | None:
    """Return which spelling reproduces each row's outcome; None if no published value is misspelled."""
    change = EDITS["published"][1]
    wrong = {
        name: must
        for name, must in spelled(game.scheme).items()
        if any(change(str(text)) != str(text) for text in cells.fields.get(name, ()))
    }
    if not wrong:
        return None
    edits = [tuple((name, edit) for name in wrong) for edit in ("published", "logged")]
    published, logged = (matches(read_otherwise(game, edits=each), cells) for each in edits)
    return Respelled(wrong, (published, logged))
