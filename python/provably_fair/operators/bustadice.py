"""Bustadice's dice: HMAC-SHA256 of a hash of the audit seed, keyed with the other seeds and the nonce.

As recomputed from a published round: the one in the comments of the operator's own verifier, 2018
(github.com/bustadice/verifier).
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import MultiplierGame
from provably_fair.seeds import Hash, Scheme

__all__ = ["SCHEME", "Dice"]
__dir__: Lister = lister_of(__all__)

SCHEME = Scheme(
    Hash(
        "sha256",
        Hash("sha256", "{nonce}", key="{audit_seed}"),
        key="{game_seed}|{client_seed}|{nonce}",
    ),
    bits=52,
    words=1,
    fields=("audit_seed", "game_seed", "client_seed", "nonce"),
    commitment=Hash("sha256", Hash("sha256", "{audit_seed}"), key="{game_seed}"),
)
"""The scheme. The operator shows audit seed and game seed as one server seed, joined by "_", and the
commitment before it, as its verifier computes it."""


class Dice(MultiplierGame):
    """Bustadice's dice: a multiplier from 1.00 to 1,000,000.

    ``floor(99 / (1 - r))`` of r, the first 52 bits divided by 2**52; at least 100 and at most 10**8, divided
    by 100. There are too many multipliers to list, so ask for the law of a bet, or of a function with
    ``of=``.

    Notes
    -----
    Checked on 1 published round, of 2018.

    Examples
    --------
    >>> dice = pf.operators.bustadice.Dice()
    >>> audit_seed = "e73bc3548830473a43431840c5bb63c7cf3e4ff15c3cf32b56ea841c602f79c2"
    >>> game_seed = "f21c380b8b05cf3918178d5cbd96a9e273c2689b0d99b1685b2426ca7bbe0a06"
    >>> float(dice.play(audit_seed, game_seed, "hospitable belligerent carriage", 1))
    2.07
    >>> round(dice.bet(cash_out=2).rtp, 12)
    0.99
    """

    scheme = SCHEME
    tail = 1000

    def outcome(self, draws: Draws) -> np.ndarray:
        hundredths = 99 / (1 - draws.number())
        draws.note("99 / (1 - draw), in hundredths, before rounding down", hundredths)
        return np.clip(np.floor(hundredths), 100, 10**8) / 100
