"""Cards, and tables where they are played: rules without seeds. Operators deal the cards.

A card's rank is ``number % 13`` (0 is the ace, 12 the king), its suit ``number // 13 % 4`` (spades, hearts,
diamonds, clubs). One deck is 0 to 51, four decks are 0 to 207, and copies of a card share its name. -1, "--",
means that there is no card: the digest is used up.
"""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
