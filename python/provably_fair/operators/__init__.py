"""Games of single operators, checked on published rounds. No operator has confirmed or approved any of it.

Each module holds one operator's scheme and games. Each game reproduces rounds that the operator published, or
that were captured during play. Its page gives their number, source and date. The rule may have changed since.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from provably_fair._core.lazy import loader_of

from ._columns import column_names as column_names

if TYPE_CHECKING:
    from . import (
        bcgame,
        betkyo,
        blaze,
        bustabit,
        bustadice,
        crash,
        crypto_games,
        duel,
        ethercrash,
        fpclub,
        freebitcoin,
        liqd,
        primedice,
        roobet,
        salted,
        skinclub,
        stake,
    )

__all__ = [
    "bcgame",
    "betkyo",
    "blaze",
    "bustabit",
    "bustadice",
    "crash",
    "crypto_games",
    "duel",
    "ethercrash",
    "fpclub",
    "freebitcoin",
    "liqd",
    "primedice",
    "roobet",
    "salted",
    "skinclub",
    "stake",
]

NAMED = [name for name in __all__ if name not in ("crypto_games", "fpclub", "salted")]
"""The operators whose games a text names after them: "stake.dice"."""

FAMILIES = ("crash",)
"""Of these, families of games that several operators have, each with numbers of its own."""

_load = loader_of(__name__, __all__)
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = _load


def eras_of(operator: str) -> tuple[tuple[Any, ...], Callable[..., Any]] | None:
    """Return an operator's eras, and what finds that of a game's number; None where it has none."""
    module = _load(operator) if operator in NAMED else None
    return None if module is None or not hasattr(module, "ERAS") else (module.ERAS, module.era)
