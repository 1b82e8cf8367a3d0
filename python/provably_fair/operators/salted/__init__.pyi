from collections.abc import Mapping

from provably_fair.games.constant_seeds import BLOCK_HASHES as BLOCK_HASHES
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

GAMES: Mapping[str, type[EngineGame]]
