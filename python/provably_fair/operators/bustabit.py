"""Bustabit's games, all on chains of hashes: HMAC-SHA256 of a game's hash and a block's.

As recomputed from published rounds: results of late 2016
(github.com/ines-lu/RandShinyApps-bustabit-gambling-behavior-analysis), November 2019
(github.com/jungh0/Bustabit-Analysis), 2020 (github.com/TahirHameed74/bustabitEverything) and January 2026
(github.com/deduzzo/bustabit-scripts), with hashes that follow from those of later games
(github.com/yangga/bustabitSimulator, MisterY52/bustabit_results, htadashi/bustabit_analyzer,
sabari245/bustabit-tracker). `ERAS` lists the changes of rules, which agree with the operator's own verifier
(github.com/bustabit/verifier).
"""

from __future__ import annotations

import hashlib
import hmac
from fractions import Fraction
from typing import NamedTuple

from provably_fair._core.arguments import BadValue, choice, integer
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._engine import bls_sign
from provably_fair.games import Game
from provably_fair.seeds import Hash, HashChain, Scheme

from .crash.rules import DIVISIBLE_SCHEME, RAW_SCHEME, DivisibleRule, RawRule, with_salt
from .registry import Operator

__all__ = [
    "ERAS",
    "SCHEME",
    "SIGNED_SCHEME",
    "TERMINATING",
    "V1",
    "V1_SCHEME",
    "V2",
    "V3",
    "V3_SCHEME",
    "VX_PUBLIC_KEY",
    "Era",
    "Signed",
    "era",
]
__dir__: Lister = lister_of(__all__)


V1_SCHEME = DIVISIBLE_SCHEME
"""The scheme of the first chain: the key is a game's hash as text, the message a block hash as text."""

SCHEME = RAW_SCHEME
"""The scheme of the second chain: the key is a block hash as text, the message a game's hash as 32 bytes."""

V3_SCHEME = with_salt(SCHEME, "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be")
"""The scheme of the third chain since its game 12,279,451: the salt is the hash of another block."""

TERMINATING = "86728f5fc3bd99db94d3cdaf105d67788194e9701bf95d049ad0e1ee3d004277"
"""The terminating hash of the second chain: that of the game before game 1, published first."""


class V1(DivisibleRule):
    """Bustabit's first chain: the point at which a game busts, 0 or a multiplier from 1.00.

    0 if the whole digest is divisible by 101; else ``floor((100 * 2**52 - x) / (2**52 - x)) / 100`` of its
    first 52 bits x.

    Notes
    -----
    Checked on 12 published rounds: of games 3,294,811 to 3,324,510, November 2016.

    Examples
    --------
    >>> v1 = pf.operators.bustabit.V1()
    >>> float(v1.play("1a0ca8ea43168f881b266d7ed255af29dd107467088dcd09d3b4bdbbb147fe12"))
    1.25
    >>> round(v1.bet(cash_out=2).rtp, 6)
    0.985124
    """

    scheme = V1_SCHEME
    divisor, instant, before_first = 101, 0.0, 999_999


class V2(RawRule):
    """Bustabit's second chain: the point at which a game busts, a multiplier from 1.00.

    ``max(1, floor(99 / (1 - r)) / 100)`` of r, the first 52 bits divided by 2**52. There are too many
    multipliers to list, so ask for the law of a bet, or of a function with ``of=``.

    Notes
    -----
    Checked on 57 published rounds: 53 of games 2,537,203 to 2,552,845, November 2019, 4 of games 2,699,754 to
    2,705,455, 2020.

    Examples
    --------
    >>> v2 = pf.operators.bustabit.V2()
    >>> float(v2.play("8ce5fdbc1beabfc5f722f56b1f646c211fc7f20c4ba843956c7f18bd4b3392e3"))
    13.13
    >>> v2.distribution(of=lambda busts: busts >= 2).mean()
    0.495
    """

    scheme = SCHEME
    edge = Fraction(1, 100)


class V3(V2):
    """Bustabit's third chain, from game 12,279,451: the multiplier at which a game busts, from 1.00.

    The rule of `V2`, with the hash of another block as key. Games 10,000,001 to 12,279,450 of the same chain
    were played by another rule. The chain hashes the bytes of a game's hash, those before it hash the text.

    Notes
    -----
    Checked on 12 published rounds: of games 12,306,894 to 12,630,784, January to June 2026.

    Examples
    --------
    >>> v3 = pf.operators.bustabit.V3()
    >>> game_hash = "8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6"
    >>> float(v3.play(game_hash))
    1.83
    >>> v3.play(v3.kind.chain.previous(game_hash, 3))  # the games before it, the nearest first
    array([ 5.85,  1.36, 16.09])
    """

    scheme = V3_SCHEME
    chain, before_first = HashChain(Hash("sha256", "{game_hash:bytes}")), 10_000_000


VX_PUBLIC_KEY = (
    "b40c94495f6e6e73619aeb54ec2fc84c5333f7a88ace82923946fc5b6c8635b08f9130888dd96e1749a1d5aab00020e4"
)
"""The key that verifies the signatures of games 10,000,001 to 12,279,450, announced before them."""
_VX_SECRET_KEY = bytes.fromhex("1f0373e57723f4b862f2b9bd1279c9c6dcea73469fce6dcab9524b609c9c60f4")
_VX_TAG = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"


def _signature(game_hash: str, salt: str) -> bytes:
    """Return the signature of a game's hash and a block's, by the secret key that was published since."""
    message = hashlib.sha256(bytes.fromhex(game_hash)).digest() + salt.encode()
    return bls_sign(_VX_SECRET_KEY, message, _VX_TAG)


def _signed_digest(game_hash: str, salt: str) -> bytes:
    """Return the HMAC-SHA256 of a hash's bytes, keyed with the game's signature."""
    return hmac.digest(_signature(game_hash, salt), bytes.fromhex(game_hash), "sha256")


SIGNED_SCHEME = Scheme.of(
    _signed_digest,
    bits=52,
    fields=("game_hash", "salt"),
    defaults={"salt": "000000000000000000011f6e135efe67d7463dfe7bb955663ef88b1243b2deea"},
)
"""The scheme of games 10,000,001 to 12,279,450: the key is a signature that only the operator could make."""


class Signed(V3):
    """Bustabit's signed games, 10,000,001 to 12,279,450: the multiplier at which a game busts, from 1.00.

    The rule of `V2`; the key is a BLS12-381 signature of the game's hash and a block's. Its secret key was
    published afterward, so anybody can compute it, in about a millisecond per game.

    Notes
    -----
    Checked on 0 published rounds: we know of no published result of these games. The rule and the keys are
    those of the operator's own verifier, October 2025. The secret key is tested to match the public key,
    which was announced before the games.

    Examples
    --------
    >>> signed = pf.operators.bustabit.Signed()
    >>> float(signed.play("8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6"))
    2.68
    """

    scheme = SIGNED_SCHEME


class Era(NamedTuple):
    """A range of an operator's games with one rule and one hash chain.

    Attributes
    ----------
    name : str
        "V1", "V2" and so on.
    first, last : int
        The range of its game numbers; `last` is None for the present era. If the last game is unknown, `last`
        is the number before those of the next chain.
    game : Game
        The rule.
    terminating : str
        The terminating hash, which was published first.
    source : str
        The source of this information.
    """

    name: str
    first: int
    last: int | None
    game: Game
    terminating: str
    source: str

    @property
    def chain(self) -> HashChain:
        """The chain, which leads from a game's hash to that of the game before."""
        chain: HashChain = self.game.kind.chain
        return chain

    @property
    def terminating_game(self) -> int:
        """The number that the terminating hash's game would have: the one before the chain's first."""
        number: int = self.game.kind.before_first
        return number


_V3_TERMINATING = "567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59"

ERAS = (
    Era(
        "V1",
        1_000_000,
        9_999_999,
        V1(),
        "c1cfa8e28fc38999eaa888487e443bad50a65e0b710f649affa6718cfbfada4d",
        "42,152 games of late 2016, of numbers 3.29 to 3.44 million; the hash of game 4,541,411, of 2017, is "
        "on the chain. Its end is unknown",
    ),
    Era(
        "V2",
        1,
        9_999_999,
        V2(),
        TERMINATING,
        "games of November 2019 and of January to August 2020; the operator's verifier has it up to here",
    ),
    Era(
        "Signed",
        10_000_001,
        12_279_450,
        Signed(),
        _V3_TERMINATING,
        "the operator's verifier, with the secret key that was published since: no published result is known",
    ),
    Era(
        "V3",
        12_279_451,
        None,
        V3(),
        _V3_TERMINATING,
        "16,859 games of January 2026 and a few up to June; the rule as in the operator's verifier",
    ),
)
"""The eras of bustabit's games, in the order of time. The first two chains share game numbers: one begins at
1,000,000, the next at 1 again."""


def era(game_number: int, era: str | None = None) -> Era:
    """Return the era of a game, by its number.

    Parameters
    ----------
    game_number : int
        The number of the game.
    era : str, optional
        The name of the era, needed if two eras have the number.

    Returns
    -------
    Era
        The era, with its rule and chain.

    Raises
    ------
    ValueError
        When no era has the number, or when two have it and none is named.

    Examples
    --------
    >>> bustabit = pf.operators.bustabit
    >>> bustabit.era(12_306_894).game, bustabit.era(3_294_811, era="V1").game
    (bustabit.V3(), bustabit.V1())
    """
    number = integer("game_number", game_number)
    if era is not None:
        choice("era", era, [one.name for one in ERAS])
    possible = [one for one in ERAS if era in (None, one.name)]
    having = [one for one in possible if one.first <= number and (one.last is None or number <= one.last)]
    if len(having) > 1:
        both = " and ".join(one.name for one in having)
        raise BadValue("game_number", f"{number:,} is one of {both}: era must be given, one of them")
    if not having:
        of = f"era {era}" if era else "any era"
        ranges = [
            f"{one.name} from {one.first:,}" + (f" to {one.last:,}" if one.last else "") for one in possible
        ]
        raise BadValue("game_number", f"must be of {of}, {', '.join(ranges)}, got {number:,}")
    return having[0]


OPERATOR = Operator(
    columns={
        "outcome": ("bust", "busted at"),
        "game_hash": ("hash",),
        "game_number": ("game number", "game id", "GameID"),
    },
    eras=ERAS,
    era=era,
)
