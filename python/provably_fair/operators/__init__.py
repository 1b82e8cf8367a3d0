"""Games of single operators, as recomputed from published rounds. No operator has said or approved any of it.

Each module holds one operator's scheme and games. A game is here because rounds that the operator published,
or that were captured while it was played, come out of it: its page says how many, where they are from, and
when they were played. A rule may have changed since.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import bcgame, bustabit, bustadice, duel, liqd, primedice, skinclub, stake
from ._columns import column_names as column_names

__all__ = ["bcgame", "bustabit", "bustadice", "duel", "liqd", "primedice", "skinclub", "stake"]


def eras_of(operator: str) -> tuple[tuple[Any, ...], Callable[..., Any]] | None:
    """Return an operator's eras, and what finds that of a game's number; None where it has none."""
    module = globals()[operator] if operator in __all__ else None
    return None if module is None or not hasattr(module, "ERAS") else (module.ERAS, module.era)
