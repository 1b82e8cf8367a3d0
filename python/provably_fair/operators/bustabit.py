"""Bustabit's games on a chain of hashes: HMAC-SHA256 of the hash's bytes, with a block hash as key.

As recomputed from published rounds: results of November 2019 (github.com/jungh0/Bustabit-Analysis), with
hashes that follow from the one of a later game (github.com/MisterY52/bustabit_results).
"""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.seeds import Hash, Scheme

from .stake import Crashing

__all__ = ["SCHEME", "TERMINATING", "V2"]

SCHEME = Scheme(
    Hash("sha256", "{game_hash:bytes}", key="{salt}"),
    bits=52,
    words=1,
    defaults={"salt": "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526"},
)
"""The scheme of the second chain: the key is a block hash as text, the message a game's hash as 32 bytes."""

TERMINATING = "86728f5fc3bd99db94d3cdaf105d67788194e9701bf95d049ad0e1ee3d004277"
"""The hash before that of game 1 of the second chain, which was published first."""


class V2(Crashing):
    """Bustabit's second chain: where a game busts, a multiplier from 1.00.

    ``max(1, floor(99 / (1 - r)) / 100)`` of r, the first 52 bits divided by 2**52. There are too many
    multipliers to list: ask for the law of a bet, or of something else with ``of=``.

    Notes
    -----
    Checked on 53 published rounds: of games 2,537,203 to 2,552,845, November 2019.

    Examples
    --------
    >>> import provably_fair as pf
    >>> v2 = pf.operators.bustabit.V2()
    >>> float(v2.play("8ce5fdbc1beabfc5f722f56b1f646c211fc7f20c4ba843956c7f18bd4b3392e3"))
    13.13
    >>> v2.distribution(of=lambda busts: busts >= 2).mean()
    0.495
    """

    scheme = SCHEME

    def outcome(self, draws: Draws) -> np.ndarray:
        return np.maximum(1, np.floor(99 / (1 - draws.number())) / 100)
