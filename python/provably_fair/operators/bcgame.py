"""BC.Game's coin flip and hilo: HMAC-SHA256 with the server seed as key, one digest for each round of a game.

Its crash is played on a hash chain. As recomputed from published rounds: those shown by the game's own
verification window and the operator's checker, whose dates are unknown, and for crash a game of 30 May 2026
from a record of the operator's API, with two earlier hashes of the same chain.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.seeds import Hash, Scheme

from ._names import DECK
from .crash.rules import RAW_SCHEME, RawRule

__all__ = ["CRASH_SCHEME", "SCHEME", "CoinFlip", "Crash", "Hilo"]
__dir__: Lister = lister_of(__all__)

CRASH_SCHEME = replace(
    RAW_SCHEME,
    digits=9,
    defaults={"salt": "0000000000000000000301e2801a9a9598bfb114e574a91a887f2132f33047e6"},
)
"""The scheme of crash: the key is a block hash as text, the message a game's hash as 32 bytes."""

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{round}", key="{server_seed}"),
    bits=32,
    words=1,
    defaults={"round": 1},
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: a game has one nonce, and its rounds are counted from 1; those of `Hilo` from 0."""


_WORDS = {"heads": 0, "tails": 1, "true": None, "false": None}


class CoinFlip(Game):
    """BC.Game's coin flip: 0 heads, 1 tails: ``floor(f * 2)``.

    Notes
    -----
    Checked on 4 published rounds, of one game.

    Examples
    --------
    >>> server_seed = "18fbbc01bbad8823f5a2e2380574119d61d6ae8d5ae1385761ac08a53fe813e8"
    >>> coin = pf.operators.bcgame.CoinFlip()
    >>> coin.play(server_seed, "34b3304ea17b8faed51f1a72af1bfb8f", 6371, [1, 2, 3, 4])
    array([1, 1, 0, 1])
    """

    scheme = SCHEME
    words = _WORDS

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(2)


class Hilo(Game):
    """BC.Game's hilo: the number of a card, 0 to 51: ``floor(f * 52)``.

    The first card is that of round 0, as on the operator's page of verification
    (github.com/bcgame-project/verify, ``hilo.html``). Since 2022 at the latest that page takes 53 bits of the
    digest at a place that its first 60 bits choose: by its rule the published round would be card 39.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> server_seed = "51a8f197680be916d9b01867fcc99cbacae739d5e11f7aa28e0b5570d9881484"
    >>> int(pf.operators.bcgame.Hilo().play(server_seed, "00ff0000ff000000ff", 658854, 1))
    24
    """

    scheme = replace(SCHEME, defaults={"round": 0})

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(DECK)


class Crash(RawRule):
    """BC.Game's crash: the multiplier at which a game busts, from 1.00.

    ``max(1, floor(99 / (1 - x)) / 100)`` of x, the first 52 bits divided by 2**52 and rounded to nine digits
    by JavaScript's ``toPrecision(9)``.

    Notes
    -----
    Checked on 1 published round: game 9,292,552, May 2026.

    Examples
    --------
    >>> crash = pf.operators.bcgame.Crash()
    >>> float(crash.play("50fe7c9b26deb719b1b0db09f13f066c6b35a2ec5a87bdd5fb78635befa7866d"))
    2.1
    """

    scheme = CRASH_SCHEME
    edge = Fraction(1, 100)
