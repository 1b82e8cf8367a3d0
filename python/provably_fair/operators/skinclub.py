"""Skin.club's tickets: HMAC-SHA512 with the player's seed and the nonce as key, the server seed as message.

As recomputed from the published sample round of the operator's checkers; its date is unknown.
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.seeds import Hash, Scheme

from .registry import Operator

__all__ = ["SCHEME", "Ticket"]
__dir__: Lister = lister_of(__all__)

OPERATOR = Operator(columns={"outcome": ("ticket", "roll")})

SCHEME = Scheme(
    Hash("sha512", "{server_seed}", key="{client_seed}-{nonce}"),
    bits=60,
    words=1,
    below="modulo",
    commitment=Hash("sha256", "{server_seed}", key="{salt}"),
)
"""The scheme: the commitment is the HMAC-SHA256 of the server seed, keyed with a salt that is revealed."""


class Ticket(Game):
    """Skin.club's ticket: 1 to 100,000: the first 15 hex digits modulo 100,000, plus 1.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> int(pf.operators.skinclub.Ticket().play("c4ca4238a0b92382", "my_seed", 4))
    21752
    """

    scheme = SCHEME

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(100_000) + 1
