"""LIQD's dice: HMAC-SHA256 with the bytes of the server seed as key, one integer of 32 bits a digest.

As recomputed from published rounds: live bets that auditors captured; their date isn't known.
"""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.kinds import Dicing
from provably_fair.seeds import Hash, Scheme

__all__ = ["SCHEME", "Dice"]

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed:bytes}"),
    bits=32,
    words=1,
    below="reject",
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: the key is the server seed's bytes, the commitment the SHA-256 of its text."""


class Dice(Dicing):
    """LIQD's dice: a number from 0.00 to 99.99: the integer modulo 10,000, divided by 100.

    Notes
    -----
    Checked on 2 published rounds: live bets, nonces 0 and 1000.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.liqd.Dice().play("015307d5a3f62db476210c3797bac8b7", "auditf2456fc140ac", [0, 1000])
    array([24.01,  3.61])
    """

    scheme = SCHEME
    _numbers = (0, 9_999, 100)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_000) / 100
