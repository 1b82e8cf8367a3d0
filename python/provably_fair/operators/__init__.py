"""Games of single operators, checked on published rounds. No operator has confirmed or approved any of it.

Each module holds one operator's scheme and games. Each game reproduces rounds that the operator published, or
that were captured during play. Its page gives their number, source and date. The rule may have changed since.
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
