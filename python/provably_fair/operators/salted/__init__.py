"""The ten games of the salted rounds: HMAC-SHA512, keyed with the hash of server seed and salt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lazily, Lister, lister_of, loader_of, names_in
from provably_fair._engine import catalog
from provably_fair.games.constant_seeds import BLOCK_HASHES as BLOCK_HASHES

if TYPE_CHECKING:
    from provably_fair.games.engine_game import EngineGame

    from .crash import Crash as Crash
    from .dice import Dice as Dice
    from .double import Double as Double
    from .jackpot import Jackpot as Jackpot
    from .mines import Mines as Mines
    from .overgo import Overgo as Overgo
    from .plinko import Plinko as Plinko
    from .slot import Slot as Slot
    from .tower import Tower as Tower
    from .x50 import X50 as X50

# The file and the class of each game, in the order of the document.
_FILES = {line.name: line.name.capitalize() for line in catalog()}

__all__ = sorted(["BLOCK_HASHES", "GAMES", *names_in(_FILES)])
__dir__: Lister = lister_of(__all__)

_load = loader_of(__name__, _FILES)
if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = _load


GAMES: Mapping[str, type[EngineGame]] = Lazily(_FILES, lambda name: _load(_FILES[name]))
"""The classes of the games by name, in the order of the document."""
