"""BC.Game's coin flip and hilo: HMAC-SHA256 with the server seed as key, one digest for each round of a game.

As recomputed from published rounds: those shown by the game's own verification window and the operator's
checker; their dates are unknown.
"""

from __future__ import annotations

import numpy as np

from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import plain
from provably_fair.seeds import Hash, Scheme

from ._names import DECK

__all__ = ["SCHEME", "CoinFlip", "Hilo"]

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{round}", key="{server_seed}"),
    bits=32,
    words=1,
    defaults={"round": 1},
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: a game has one nonce, and its rounds are counted from 1."""


class CoinFlip(Game):
    """BC.Game's coin flip: 0 heads, 1 tails: ``floor(f * 2)``.

    Notes
    -----
    Checked on 4 published rounds, of one game.

    Examples
    --------
    >>> import provably_fair as pf
    >>> server_seed = "18fbbc01bbad8823f5a2e2380574119d61d6ae8d5ae1385761ac08a53fe813e8"
    >>> coin = pf.operators.bcgame.CoinFlip()
    >>> coin.play(server_seed, "34b3304ea17b8faed51f1a72af1bfb8f", 6371, [1, 2, 3, 4])
    array([1, 1, 0, 1])
    """

    scheme = SCHEME
    kind = plain({"heads": 0, "tails": 1, "true": None, "false": None}, shape=(), dtype=int)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(2)


class Hilo(Game):
    """BC.Game's hilo: the number of a card, 0 to 51: ``floor(f * 52)``.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> import provably_fair as pf
    >>> server_seed = "51a8f197680be916d9b01867fcc99cbacae739d5e11f7aa28e0b5570d9881484"
    >>> int(pf.operators.bcgame.Hilo().play(server_seed, "00ff0000ff000000ff", 658854, 1))
    24
    """

    scheme = SCHEME
    kind = plain(shape=(), dtype=int)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(DECK)
