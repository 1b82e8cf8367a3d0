"""FPClub's backgammon dice.

Two systems: dice *combined* from the faces of both players (`combine`, `Combined`), and dice
*hashed* in advance, whose game log proves that they were not changed during the game (`HashedDice`,
`parse_log`). A throw of two fair dice is the game `Dice`.
"""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
