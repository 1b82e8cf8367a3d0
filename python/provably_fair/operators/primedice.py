"""Primedice's dice: today's rule, which is Stake's, and an older one with five hex digits.

As recomputed from published rounds: results of the operator's own calculator, whose dates are unknown, and
one of the older rule that dicesites.com computes as an example.
"""

from __future__ import annotations

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import DiceGame
from provably_fair.seeds import Hash, Scheme

from . import stake
from .registry import Operator

__all__ = ["OLD_SCHEME", "SCHEME", "Dice", "OldDice"]
__dir__: Lister = lister_of(__all__)

OPERATOR = Operator(columns={"outcome": ("roll",), "client_seed": ("client",), "server_seed": ("server",)})

SCHEME = stake.SCHEME
"""The scheme of today: Stake's."""

OLD_SCHEME = Scheme(
    Hash("sha512", "{client_seed}-{nonce}", key="{server_seed}"),
    bits=20,
    words=1,
    below="reject",
    commitment=Hash("sha256", "{server_seed}"),
)
"""The older scheme: five hex digits at a time of one HMAC-SHA512."""


class Dice(stake.Dice):
    """Primedice's dice: a number from 0.00 to 100.00, by Stake's rule.

    ``floor(f * 10001) / 100`` of the first number f.

    Notes
    -----
    Checked on 5 published rounds, of the calculator.

    Examples
    --------
    >>> seeds = "f9aa75c7fb39ea34fb6bd43b99357479", "6bf42afdf7e5f6ca64c16736c750b24b"
    >>> pf.operators.primedice.Dice().play(*seeds, [0, 1, 2])
    array([23.22, 17.84, 76.77])
    """


class OldDice(DiceGame):
    """Primedice's older dice: a number from 0.00 to 99.99.

    Five hex digits, rejecting values from 1,000,000 upward, modulo 10,000, divided by 100.

    Notes
    -----
    Checked on 1 published round, which can't tell this from rejecting values from 1,040,000 upward.

    Examples
    --------
    >>> server_seed = "293d5d2ddd365f54759283a8097ab2640cbe6f8864adc2b1b31e65c14c999f04"
    >>> float(pf.operators.primedice.OldDice().play(server_seed, "ClientSeedForDiceSites.com", 0))
    79.69
    """

    scheme = OLD_SCHEME
    least, most, unit = 0, 9_999, 100

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(1_000_000) % 10_000 / 100
