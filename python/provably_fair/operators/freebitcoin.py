"""Freebitco.in's roll: eight hex digits of HMAC-SHA512, rounded to the nearest of 0 to 10,000.

As recomputed from published rounds: one of the operator's verifier for chosen seeds, whose date is unknown
(github.com/monk-afk/freebitco.in_roll-calculator).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.answering import law_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import DiceGame
from provably_fair.seeds import Hash, Scheme

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = ["SCHEME", "Dice"]
__dir__: Lister = lister_of(__all__)

SCHEME = Scheme(
    Hash("sha512", "{nonce}:{server_seed}:{nonce}", key="{nonce}:{client_seed}:{nonce}"),
    bits=32,
    words=1,
    below="nearest",
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: both seeds stand between two copies of the nonce."""


_LAST = 10_000


def _ideal_law(_game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the law of equally probable words: under uniform draws the ends wouldn't be half as probable."""
    return None if drawn else law_of(Dice(), True, of)


class Dice(DiceGame):
    """Freebitco.in's roll: a number from 0 to 10,000, both ends half as probable as the others.

    The first eight hex digits divided by 429496.7295, rounded to the nearest as JavaScript's ``Math.round``
    does.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> dice = pf.operators.freebitcoin.Dice()
    >>> int(dice.play("monk", "knom", 123456))
    8009
    >>> law = dice.distribution("as_drawn")
    >>> [law.weights[place] for place in (0, 1, 5000, 10_000)]
    [214749, 429497, 429496, 214749]
    """

    scheme = SCHEME
    least, most, laws = 0, _LAST, (_ideal_law,)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(_LAST + 1)
