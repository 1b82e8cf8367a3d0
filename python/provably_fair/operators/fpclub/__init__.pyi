from .combined import TABLE as TABLE, Combined as Combined, combine as combine, combined_law as combined_law
from .hashed import (
    HashedDice as HashedDice,
    Record as Record,
    Repair as Repair,
    load_log as load_log,
    parse_log as parse_log,
    write_log as write_log,
)
from .throw import Dice as Dice
