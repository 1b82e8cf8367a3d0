"""Betkyo's limbo: HMAC-SHA256 of client seed, nonce and cursor.

As recomputed from published rounds: the operator's own worked example of 2026
(github.com/betkyo-open-labs/provably-fair-verifier).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.lazy import lister_of
from provably_fair.games import Game
from provably_fair.games.asking import law_of
from provably_fair.games.draws import Draws
from provably_fair.games.faces import MultiplierGame
from provably_fair.games.kinds import multiplier
from provably_fair.seeds import Hash, Scheme

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = ["SCHEME", "Limbo"]
__dir__ = lister_of(__all__)

SCHEME = Scheme(
    Hash("sha256", "{client_seed}-{nonce}-{cursor}", key="{server_seed}"),
    bits=32,
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: a number is made of the first 8 bytes of the digest at its cursor."""

_WORDS = 1 << 32


def _number_law(_game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the ideal law: that of a uniform double in place of two words."""
    return None if drawn else law_of(_OfNumber(), False, of)


class Limbo(MultiplierGame):
    """Betkyo's limbo: a multiplier from 1.00 to 10,000.00.

    ``floor(0.99 / (1 - u) * 100)`` hundredths, at least 100 and at most 1,000,000, of u, the first 8 bytes
    divided by 2**64, rounded once. The ideal law is that of the doubles of a number.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> import provably_fair as pf
    >>> server_seed = f"{1:064}"
    >>> float(pf.operators.betkyo.Limbo().play(server_seed, "betkyo", 1))
    1.86
    """

    scheme = SCHEME
    kind = multiplier(tail=1000, laws=(_number_law,), quick=True)

    def outcome(self, draws: Draws) -> np.ndarray:
        high, low = draws.below(_WORDS), draws.below(_WORDS)
        return _multiplier(high / 2.0**32 + low / 2.0**64)


class _OfNumber(Game):
    """The multiplier of a uniform double."""

    monotone = True

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws.number())


def _multiplier(number: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):  # for a number that is rounded to 1
        multiplier: np.ndarray = np.clip(np.floor(0.99 / (1 - number) * 100), 100, 1_000_000) / 100
    return multiplier
