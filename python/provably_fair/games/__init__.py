"""The ten games of the salted-round scheme: each in a file of its own, with all that is known of it."""

from collections.abc import Mapping
from types import MappingProxyType

from ._engine_game import BLOCK_HASHES, EngineGame, catalog_classes
from ._game import Example, Look, Parameter
from ._game import game_of as game_of
from ._laws import UnlistedLawError as UnlistedLawError
from ._laws import one_draw as one_draw
from ._playing import engine_of as engine_of
from ._playing import play_fields as play_fields
from ._samples import Cell as Cell
from ._samples import hits
from .bias import Bias, bias_table
from .cash_outs import CashOuts, Rounding
from .crash import Crash
from .dice import Dice
from .double import Double
from .jackpot import Jackpot
from .mines import Mines
from .overgo import Overgo
from .plinko import Plinko
from .python_game import Game
from .slot import Slot
from .tower import Tower
from .x50 import X50

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "Bias",
    "CashOuts",
    "Crash",
    "Dice",
    "Double",
    "EngineGame",
    "Example",
    "Game",
    "Jackpot",
    "Look",
    "Mines",
    "Overgo",
    "Parameter",
    "Plinko",
    "Rounding",
    "Slot",
    "Tower",
    "bias_table",
    "hits",
]

GAMES: Mapping[str, type[EngineGame]] = MappingProxyType(catalog_classes())
"""The catalog: the class of each game, by name."""
