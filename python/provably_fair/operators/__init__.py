"""Games of single operators, checked on published rounds. No operator has confirmed or approved any of it.

Each module holds one operator's scheme and games. Each game reproduces rounds that the operator published, or
that were captured during play. Its page gives their number, source and date. The rule may have changed since.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from provably_fair import games
from provably_fair._core.lazy import Lister, lister_of, loader_of

from ._columns import column_names as column_names
from ._columns import spellings as spellings

# A file or folder here is an operator; type checkers need its name, too.
if TYPE_CHECKING:
    from . import bcgame as bcgame
    from . import betkyo as betkyo
    from . import blaze as blaze
    from . import bustabit as bustabit
    from . import bustadice as bustadice
    from . import crash as crash
    from . import crypto_games as crypto_games
    from . import duel as duel
    from . import ethercrash as ethercrash
    from . import fpclub as fpclub
    from . import freebitcoin as freebitcoin
    from . import liqd as liqd
    from . import primedice as primedice
    from . import roobet as roobet
    from . import salted as salted
    from . import skinclub as skinclub
    from . import stake as stake

_DATA = "published"  # the rounds of all operators

__all__ = sorted(
    one.name for one in iter_modules(__path__) if not one.name.startswith("_") and one.name != _DATA
)
__dir__: Lister = lister_of(__all__)

NAMED = [name for name in __all__ if name not in ("crypto_games", "fpclub", "salted")]
"""The operators whose games are typed with their name: "stake.dice"."""

FAMILIES = ("crash",)
"""Families of games that several operators have, each with its own numbers."""

_load = loader_of(__name__, [*__all__, _DATA])
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = _load


def all_games() -> dict[str, type[Any]]:
    """Return the classes of operators' games by the names that are typed."""
    modules = map(_load, [*NAMED, "crypto_games"])
    offered = [getattr(module, name) for module in modules for name in module.__all__]
    return {one.name: one for one in offered if isinstance(one, type) and issubclass(one, games.Game)}


def eras_of(operator: str) -> tuple[tuple[Any, ...], Callable[..., Any]] | None:
    """Return an operator's eras and the function from a game's number to its era; None if it has none."""
    module = _load(operator) if operator in NAMED else None
    return None if module is None or not hasattr(module, "ERAS") else (module.ERAS, module.era)
