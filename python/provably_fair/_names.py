"""Games named by text, as on a command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from .games import GAMES, Game

__all__ = ["parse_game"]


def parse_game(text: str, parameters: Sequence[str] = ()) -> Game:
    """Return the game that a text names.

    Parameters
    ----------
    text : str
        A name and parameters: ``dice``, ``mines:mines=5``, ``plinko:pins=8,balls=3``.
    parameters : sequence of str
        Further parameters, each ``name=value``.

    Examples
    --------
    >>> from provably_fair._names import parse_game
    >>> parse_game("plinko:pins=8,balls=3")
    Plinko(pins=8, balls=3)
    """
    name, _, rest = text.partition(":")
    cls = GAMES.get(name.strip().lower())
    if cls is None:
        raise ValueError(f"the game must be one of {', '.join(GAMES)}, got {name!r}")
    known = [field.name for field in fields(cls) if field.name != "reels"]
    values: dict[str, int] = {}
    for part in [*filter(None, rest.split(",")), *parameters]:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            allowed = ", ".join(f"{key}=..." for key in known) or "no parameters"
            raise ValueError(f"the game {cls.name} takes {allowed}, got {part!r}")
        try:
            values[key] = int(value)
        except ValueError:
            raise ValueError(f"the game's {key} must be a whole number, got {value!r}") from None
    return cls(**values)
