"""EtherCrash's second chain: bustabit's first rule with the hash of an Ethereum block as salt.

As recomputed from published rounds: busts of September 2018, recorded by a player without hashes
(github.com/rpetersson/project_crack_ethercrash), whose hashes follow from those of later games
(github.com/barrystyle/ethercrash, May 2022).
"""

from __future__ import annotations

from provably_fair._core.lazy import Lister, lister_of

from .crash.rules import DIVISIBLE_SCHEME, DivisibleRule, with_salt

__all__ = ["SCHEME", "Crash"]
__dir__: Lister = lister_of(__all__)

SCHEME = with_salt(DIVISIBLE_SCHEME, "0xd8b8a187d5865a733680b4bf4d612afec9c6829285d77f438cd70695fb946801")
"""The scheme: the key is a game's hash as text, the message that of Ethereum's block 6,217,364."""


class Crash(DivisibleRule):
    """EtherCrash: the point at which a game busts, 0 or a multiplier from 1.00.

    0 if the whole digest is divisible by 101; otherwise ``floor((100 * 2**52 - x) / (2**52 - x)) / 100`` of
    its first 52 bits x.

    Notes
    -----
    Checked on 15 published rounds: of games 87,502 to 90,057, September 2018.

    Examples
    --------
    >>> crash = pf.operators.ethercrash.Crash()
    >>> float(crash.play("b6cbfbf4dc53fac99c80af3ad59c9177702a08efe2ce1bf49b312a3163eef2cc"))
    186.49
    """

    scheme = SCHEME
    divisor, instant = 101, 0.0
