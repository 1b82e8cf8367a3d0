"""Families of crash games on hash chains, and the law of a history without hashes.

Members of a family differ in a few numbers and a salt. As recomputed from published rounds of their members,
whose modules have sources and dates: bustabit, Roobet, EtherCrash and Blaze (`Divisible`), bustabit and
BC.Game (`Raw`). A clone has its own salt, which you pass; the default is bustabit's.
"""

from provably_fair._core.lazy import attach

from ..registry import Operator

__getattr__, __dir__, __all__ = attach(__name__)

OPERATOR = Operator(is_family=True)
