"""Duel's games: HMAC-SHA256 with the bytes of the server seed as key, one integer of 32 bits a digest.

Integers from the largest multiple of a range upward are rejected, so all results are equally likely. The next
integer of the digest replaces them, or after its last one, the digest of the next cursor.

As recomputed from published rounds: live bets that auditors captured, in February 2026
(github.com/pauloprovablyfair/duel-plinko) and in April 2026 (github.com/ProvablyFair-org/duel-crash,
duel-castle-roulette and duel-beef).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games import Deal, Pack, Range
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import BoardGame, DiceGame, MultiplierGame, PegsGame, SampleGame, WheelGame
from provably_fair.seeds import Hash, Scheme

from ._names import DECK, NUMBERS, cards as cards
from .registry import Operator
from .stake.multipliers import floor_to_cents

__all__ = [
    "BEACON_SCHEME",
    "DICE_SCHEME",
    "SCHEME",
    "Beef",
    "Crash",
    "Dice",
    "Mines",
    "Plinko",
    "Roulette",
    "VideoPoker",
]
__dir__: Lister = lister_of(__all__)

OPERATOR = Operator(columns={"outcome": ("roll",)})

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed:bytes}"),
    bits=32,
    words=1,
    below="reject_last",
    read_on=1,
    commitment=Hash("sha256", "{server_seed:bytes}"),
)
"""The scheme of games with several draws: the commitment is the SHA-256 of the server seed's bytes."""

DICE_SCHEME = replace(
    SCHEME,
    hash=replace(SCHEME.hash, message="{client_seed}:{nonce}"),
    read_on=None,
    fields=None,  # type: ignore[arg-type]  # found again in the templates
)
"""The scheme of dice, whose message has no cursor."""

BEACON_SCHEME = replace(
    SCHEME,
    hash=replace(SCHEME.hash, message="{beacon_signature:utf8}:0"),
    fields=("server_seed", "beacon_signature"),
    below="modulo",
    read_on=None,
    beacon="quicknet",
)
"""The scheme of rounds that many players share: the message is the signature of a round of drand's quicknet,
its bytes read as UTF-8, each wrong part of them as U+FFFD."""


class Dice(DiceGame):
    """Duel's dice: 0 to 10,000, hundredths of the displayed number: the integer modulo 10,001.

    Unlike in Duel's other games with a client seed, the message has no cursor: it is
    ``{client_seed}:{nonce}``.

    Notes
    -----
    Checked on 4 published rounds: live bets of one server seed, nonces 0 to 3; their date is unknown.

    Examples
    --------
    >>> seeds = "528555039caf67c0219c9537cf6626c63cb0bfa384b72571410e522773270eb5", "bRNvtSn0hp2uVFRe"
    >>> pf.operators.duel.Dice().play(*seeds, [0, 1, 2, 3])
    array([4234, 9793, 8187, 4345])
    """

    scheme = DICE_SCHEME
    least, most = 0, 10_000

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_001)


class Plinko(PegsGame):
    """Duel's plinko: at each row of pins 0, to the left, or 1, to the right: the integer modulo 2, one a row.

    Parameters
    ----------
    rows : int
        The number of rows, 1 to 16.

    Notes
    -----
    Checked on 120 published rounds: live bets of February 2026 with 9, 14 and 16 rows, for which the number
    of steps to the right is known.

    Examples
    --------
    >>> seeds = "7604f0bf20772404164e5cc23b554012bb595afa12d6fe89f18f4b8acacf3ec3", "rbUlee3HbP1OzonW"
    >>> int(pf.operators.duel.Plinko(rows=9).play(*seeds, 0).sum())
    4
    """

    rows: int = Range(1, 16, default=16)
    scheme = SCHEME

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.rows, "row").below(2)


class Mines(BoardGame):
    """Duel's mines: the cells with mines, 0 to 24, which come first in a permutation by backward swaps.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Notes
    -----
    Checked on 3 published rounds: live bets with 10 and 14 mines; their date is unknown.

    Examples
    --------
    >>> seeds = "b255e0f55d255669bbd42a777b0e6b6570027b058d1db571df57325a2269a75f", "EveJlkDtA24dfvBr"
    >>> np.sort(pf.operators.duel.Mines(mines=10).play(*seeds, 1))
    array([ 0,  3,  6,  8, 10, 13, 15, 16, 19, 24])
    """

    mines: int = Range(1, 24, default=3)
    scheme = SCHEME
    cells = 25

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.swaps(25)[:, : self.mines]


class VideoPoker(Deal):
    """Duel's video poker: ten cards of one deck, the first of a permutation by backward swaps.

    The first five are dealt; the others replace, in order, the cards that the player doesn't hold.
    `stake.cards` names them.

    Notes
    -----
    Checked on 1 published round: live, April 2026.

    Examples
    --------
    >>> duel = pf.operators.duel
    >>> seeds = "105bde0af7af90e305027ec61c2408cd48b5f9da7413cfbe652eef5eca68d127", "Ic5RYWpnRDXUQebq"
    >>> duel.cards(duel.VideoPoker().play(*seeds, 1))[:5]
    ['10♣', '2♦', '3♦', '6♣', '7♣']
    """

    scheme = SCHEME
    choice, pack, swaps = "hold", Pack(1, NUMBERS), DECK - 1

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.swaps(DECK)[:, :10]


class Beef(SampleGame):
    """Duel's beef: the points, of 20 in a row, that end a run: the first of a permutation by backward swaps.

    Parameters
    ----------
    points : int
        The number of points, 1 to 19; the operator has 1, 3, 5 and 10.

    Notes
    -----
    Checked on 3 published rounds: live bets with 1 point, April 2026. With more points, they are listed in
    increasing order.

    Examples
    --------
    >>> seeds = "414cf32bb0d5412e2e1f42fa304f4b45601e9715074ed2d436d8569ccaed5844", "zqpIvz4yp068AeIU"
    >>> pf.operators.duel.Beef().play(*seeds, [0, 1, 2]).ravel()
    array([ 6, 10, 17])
    """

    points: int = Range(1, 19, default=1)
    scheme = SCHEME
    size = 20

    @property
    def count(self) -> int:
        """The number of points."""
        return self.points

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.swaps(20)[:, : self.points]


class Crash(MultiplierGame):
    """Duel's crash: a multiplier, floored to cents, of a round that many players share.

    ``2**32 / (v + 1) * 0.999`` of the first four bytes v. Values below 1 aren't raised: 0.99 can occur.

    Notes
    -----
    Checked on 5 published rounds: live, April 2026.

    Examples
    --------
    >>> crash = pf.operators.duel.Crash()
    >>> signature = (
    ...     "ae43822131afbf87cf8ea7e02a607c220bc169d7b801288b67f8a97f6ffa97c56a3ad48d0dca48d0fe0760f6b54641ff"
    ... )
    >>> float(crash.play("0b60143244a8b1f12adcb1900f415f5f526b749fec32f351cede2844c1b85812", signature))
    1.1
    >>> round(crash.bet(cash_out=2).rtp, 6)
    0.999
    """

    scheme = BEACON_SCHEME
    tail = 1000

    def outcome(self, draws: Draws) -> np.ndarray:
        multiplier = _WORDS / (draws.below(_WORDS) + 1) * 0.999
        draws.note("2^32 / (draw + 1) * 0.999, before rounding down", multiplier)
        return floor_to_cents(multiplier)


_WORDS = 1 << 32


class Roulette(WheelGame):
    """Duel's castle roulette: a position from 0 to 47, of a round that many players share.

    The first four bytes modulo 48, which favors positions up to 15 by one word in 2**32.

    Notes
    -----
    Checked on 5 published rounds: live, April 2026. They can't show whether words from the largest multiple
    of 48 upward are rejected, as in games with a client seed.

    Examples
    --------
    >>> roulette = pf.operators.duel.Roulette()
    >>> signature = (
    ...     "b0f929e43bd3d83c620d8e578810ddc22794cc3468dc8e108592723e6c873e3e07934db88e806d982301204763e73e61"
    ... )
    >>> int(roulette.play("7baa6acbdeb4a08373cdbd41336e555191acbf1a8358c169e4b71d0ac6e5e202", signature))
    42
    """

    scheme = BEACON_SCHEME
    sectors = 48

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(48)
