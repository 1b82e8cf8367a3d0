"""Own games for tests of something else."""

from collections.abc import Callable
from typing import Any

import provably_fair as pf


def game_of(rule: Callable[[Any], Any], **members: Any) -> Any:
    """A game whose outcome is a function of draws."""
    return type("Own", (pf.Game,), {"outcome": lambda self, draws: rule(draws), **members})()
