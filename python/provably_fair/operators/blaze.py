"""Blaze's crash and double, each on a hash chain of its own.

As recomputed from published rounds: crash points of March 2023, from a record of the operator's API
(github.com/marcosppastor/bot-blaze-crash), and rolls of October 2022 and January 2023, exported by a player
without hashes (github.com/zoddinGC/blaze-double), with hashes that follow from those of later games. From
December 2023 double was played on another chain by another rule.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import WheelGame

from .crash.rules import DIVISIBLE_SCHEME, DivisibleRule, with_salt

__all__ = [
    "CRASH_SCHEME",
    "CRASH_TERMINATING",
    "DOUBLE_SCHEME",
    "DOUBLE_TERMINATING",
    "Crash",
    "Double",
]
__dir__: Lister = lister_of(__all__)

CRASH_SCHEME = with_salt(DIVISIBLE_SCHEME, "0000000000000000000415ebb64b0d51ccee0bb55826e43846e5bea777d91966")
"""The scheme of crash: the key is a game's hash as text, the message a block hash as text."""

CRASH_TERMINATING = "492bd10144a3525e2745718fe4d25e08affbea483872d8e8b86191b20ce0a7a8"
"""Crash's terminating hash: that of the game before game 1, from the operator's page."""

DOUBLE_SCHEME = replace(
    DIVISIBLE_SCHEME,
    below="double",
    defaults={"salt": "0000000000000000002aeb06364afc13b3c4d52767e8c91db8cdb39d8f71e8dd"},
)
"""The scheme of double: the whole digest as JavaScript's ``parseInt`` reads it."""

DOUBLE_TERMINATING = "99384f03b5f52758f8c6037adca8d27d7d940dfe3cf15bbb763399bea0bbf914"
"""Double's terminating hash: that of the game before game 1."""

_NUMBERS = 15


class Crash(DivisibleRule):
    """Blaze's crash: the point at which a game busts, 0 or a multiplier from 1.00.

    0 if the whole digest is divisible by 15; otherwise ``floor((100 * 2**52 - x) / (2**52 - x)) / 100`` of
    its first 52 bits x.

    Notes
    -----
    Checked on 16 published rounds: of games 4,877,306 to 4,887,832, March 2023.

    Examples
    --------
    >>> crash = pf.operators.blaze.Crash()
    >>> float(crash.play("2308c6c5465e35bc0c8834346386181511b36b8c1bdd329c1b2c552860805ee3"))
    615.15
    """

    scheme = CRASH_SCHEME
    divisor, instant = 15, 0.0


class Double(WheelGame):
    """Blaze's double: a number from 0 to 14; 0 is white, 1 to 7 are red, 8 to 14 black.

    ``parseInt(digest, 16) % 15``, in JavaScript's doubles: the digest is rounded to 53 bits first.

    Notes
    -----
    Checked on 13 published rounds: of games 3,638,531 to 3,925,348, October 2022 and January 2023, and game
    4,503,976 of August 2023.

    Examples
    --------
    >>> double = pf.operators.blaze.Double()
    >>> int(double.play("2e1f5b6ea10e83e51e8f5b85559a237a633954a55ce62d860d130c25b057a169"))
    8
    """

    scheme = DOUBLE_SCHEME
    sectors, words = _NUMBERS, {"white": 0}

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(_NUMBERS)
