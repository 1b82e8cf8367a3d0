"""Games of single operators, as recomputed from published rounds. No operator has said or approved any of it.

Each module holds one operator's scheme and games. A game is here because rounds that the operator published,
or that were captured while it was played, come out of it: its page says how many, where they are from, and
when they were played. A rule may have changed since.
"""

from . import bcgame, bustabit, duel, liqd, primedice, skinclub, stake
from ._columns import column_names as column_names

__all__ = ["bcgame", "bustabit", "duel", "liqd", "primedice", "skinclub", "stake"]
