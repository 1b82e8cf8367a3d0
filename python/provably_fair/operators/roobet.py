"""Roobet's crash of 2019 and 2020, on a hash chain, by bustabit's first rule with other numbers.

As recomputed from published rounds: busts of spring 2020, until 7 May 2020, recorded by a player without
hashes (github.com/tchopra17/roobetScraper), whose hashes follow from that of a later game in a player's
public notebook. The divisor was 25 and then 20 later on.
"""

from __future__ import annotations

from provably_fair._core.lazy import Lister, lister_of

from .crash.rules import DIVISIBLE_SCHEME, DivisibleRule, with_salt

__all__ = ["FIRST_GAME", "SCHEME", "Crash"]
__dir__: Lister = lister_of(__all__)

SCHEME = with_salt(DIVISIBLE_SCHEME, "0000000000000000000fa3b65e43e4240d71762a5bf397d5304b2596d116859c")
"""The scheme: the key is a game's hash as text, the message a block hash as text."""

FIRST_GAME = "77b271fe12fca03c618f63dfb79d4105726ba9d4a25bb3f1964e435ccf9cb209"
"""The announced hash, which is counted as game 1."""


class Crash(DivisibleRule):
    """Roobet's crash: the multiplier at which a game busts, from 1.00.

    1.00 if the whole digest is divisible by 33; otherwise ``floor((100 * 2**52 - x) / (2**52 - x)) / 100`` of
    its first 52 bits x.

    Notes
    -----
    Checked on 16 published rounds: of games 391,338 to 419,112, spring 2020.

    Examples
    --------
    >>> crash = pf.operators.roobet.Crash()
    >>> float(crash.play("b773012aa4cd6da45ed09937c3a20750df91b7a63e9191f670090f8d2c4569f9"))
    1.26
    >>> round(crash.bet(cash_out=2).rtp, 6)
    0.964824
    """

    scheme = SCHEME
    divisor, instant = 33, 1.0
