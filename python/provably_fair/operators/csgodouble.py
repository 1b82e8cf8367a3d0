"""CSGODouble's wheel: eight hex digits of a plain SHA-256.

As recomputed from published rounds: all of 25 October 2015 to 10 January 2016, by a player's copies of the
operator's pages (github.com/iamquang95/csgodouble-neural).
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import WheelGame
from provably_fair.seeds import Hash, Scheme

from .registry import Operator

__all__ = ["SCHEME", "Double"]
__dir__: Lister = lister_of(__all__)

OPERATOR = Operator(columns={"client_seed": ("lottery",), "nonce": ("round",), "outcome": ("roll",)})

SCHEME = Scheme(
    Hash("sha256", "{server_seed}-{client_seed}-{nonce}"),
    bits=32,
    words=1,
    below="modulo",
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: the commitment to a day's server seed, its SHA-256, is the server seed of the day before."""


_WORDS = {"green": 0}


class Double(WheelGame):
    """CSGODouble's double: a number from 0 to 14; 0 is green, 1 to 7 are red, 8 to 14 black.

    The first eight hex digits modulo 15. The client seed is a day's lottery: the five numbers, of two digits
    each, that the New York Lottery's Take 5 drew the day before. The nonce counts the rounds of all days.

    Notes
    -----
    Checked on 12 published rounds: of 25 October 2015 to 10 January 2016, the first and the last among them.

    Examples
    --------
    >>> seed = "39b7d32fcb743c244c569a56d6de4dc27577d6277d6cf155bdcba6d05befcb34"
    >>> pf.operators.csgodouble.Double().play(seed, "0422262831", [1, 2, 3, 4])
    array([ 6,  0, 13,  7])
    """

    scheme = SCHEME
    sectors, words = 15, _WORDS

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(15)
