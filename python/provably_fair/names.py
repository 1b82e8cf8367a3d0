"""Games named by text, as on a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.fpclub import Combined, HashedDice
from provably_fair.games import GAMES, Game

__all__ = ["parse_game", "parse_subject"]

_OTHERS = ("video-poker", "blackjack", "hashed-dice", "combined-dice")


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
    >>> from provably_fair.names import parse_game
    >>> parse_game("plinko:pins=8,balls=3")
    Plinko(pins=8, balls=3)
    """
    name, _, rest = text.partition(":")
    cls = GAMES.get(name.strip().lower())
    if cls is None:
        raise ValueError(f"the game must be one of {', '.join(GAMES)}, got {name!r}")
    known = list(cls.PARAMETERS)
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


def parse_subject(text: str, parameters: Sequence[str] = ()) -> Any:
    """Return what a text names that a log can be of: a game, or one of the other systems.

    Parameters
    ----------
    text : str
        See `parse_game`; or ``video-poker``, ``video-poker:bonus_poker``,
        ``blackjack`` (by the document's rules), ``hashed-dice``, ``combined-dice``.
    parameters : sequence of str
        See `parse_game`; for ``video-poker`` one paytable.

    Examples
    --------
    >>> from provably_fair.names import parse_subject
    >>> parse_subject("dice"), parse_subject("hashed-dice")
    (Dice(), <class 'provably_fair.fpclub.hashed.HashedDice'>)
    """
    name, _, rest = text.partition(":")
    name = name.strip().lower().replace("_", "-")
    values = [part.removeprefix("paytable=") for part in [*filter(None, rest.split(",")), *parameters]]
    if name == "video-poker" and len(values) <= 1:
        return VideoPoker(*values)
    if name in _OTHERS:
        if values:
            raise ValueError(f"the game {name} takes no such parameters, got {', '.join(values)!r}")
        if name == "blackjack":
            return Blackjack()
        return HashedDice if name == "hashed-dice" else Combined
    if name not in GAMES:
        raise ValueError(f"the game must be one of {', '.join([*GAMES, *_OTHERS])}, got {name!r}")
    return parse_game(text, parameters)
