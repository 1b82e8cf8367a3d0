"""The games of the engine, each of which is a file of its name."""

from .crash import Crash
from .dice import Dice
from .double import Double
from .jackpot import Jackpot
from .mines import Mines
from .overgo import Overgo
from .plinko import Plinko
from .slot import Slot
from .tower import Tower
from .x50 import X50

__all__ = ["X50", "Crash", "Dice", "Double", "Jackpot", "Mines", "Overgo", "Plinko", "Slot", "Tower"]
