"""Duel's games: HMAC-SHA256 with the bytes of the server seed as key, one integer of 32 bits a digest.

Integers from the largest multiple of a range upward are passed over, so that no answer is more probable than
another. As recomputed from published rounds: live bets that auditors captured, in February 2026
(github.com/pauloprovablyfair/duel-plinko) and in April 2026.
"""

from __future__ import annotations

import numpy as np

from provably_fair.games.draws import Draws
from provably_fair.games.kinds import Board, Dicing, Independent, Pegs, ranges
from provably_fair.seeds import Hash, Scheme

from ._names import DECK
from ._names import cards as cards
from ._poker import PokerCards

__all__ = ["DICE_SCHEME", "SCHEME", "Dice", "Mines", "Plinko", "VideoPoker"]


def _scheme(message: str) -> Scheme:
    return Scheme(
        Hash("sha256", message, key="{server_seed:bytes}"),
        bits=32,
        words=1,
        below="reject",
        commitment=Hash("sha256", "{server_seed:bytes}"),
    )


SCHEME = _scheme("{client_seed}:{nonce}:{cursor}")
"""The scheme of games with several draws: the commitment is the SHA-256 of the server seed's bytes."""

DICE_SCHEME = _scheme("{client_seed}:{nonce}")
"""The scheme of dice, whose message has no cursor."""


class Dice(Dicing):
    """Duel's dice: 0 to 10,000, hundredths of the number that is shown: the integer modulo 10,001.

    Notes
    -----
    Checked on 4 published rounds: live bets of one server seed, nonces 0 to 3; their date isn't known.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "528555039caf67c0219c9537cf6626c63cb0bfa384b72571410e522773270eb5", "bRNvtSn0hp2uVFRe"
    >>> pf.operators.duel.Dice().play(*seeds, [0, 1, 2, 3])
    array([4234, 9793, 8187, 4345])
    """

    scheme = DICE_SCHEME
    _numbers = (0, 10_000, 1)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_001)


class Plinko(Pegs, Independent):
    """Duel's plinko: at each row of pins 0, to the left, or 1, to the right: the integer modulo 2, one a row.

    Parameters
    ----------
    rows : int
        How many rows there are, 1 to 16.

    Notes
    -----
    Checked on 120 published rounds: live bets of February 2026 with 9, 14 and 16 rows, of which how often
    the ball went to the right is known.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "7604f0bf20772404164e5cc23b554012bb595afa12d6fe89f18f4b8acacf3ec3", "rbUlee3HbP1OzonW"
    >>> int(pf.operators.duel.Plinko(rows=9).play(*seeds, 0).sum())
    4
    """

    rows: int = 16
    scheme = SCHEME
    _part_name = "row"
    _parameters = ranges(rows=(16, 1, 16))

    @property
    def _pins(self) -> int:
        return self.rows

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)


class Mines(Board):
    """Duel's mines: the cells with mines, 0 to 24: the first of a permutation by backward swaps.

    Parameters
    ----------
    mines : int
        How many mines there are, 1 to 24.

    Notes
    -----
    Checked on 3 published rounds: live bets with 10 and 14 mines; their date isn't known.

    Examples
    --------
    >>> import numpy as np
    >>> import provably_fair as pf
    >>> seeds = "b255e0f55d255669bbd42a777b0e6b6570027b058d1db571df57325a2269a75f", "EveJlkDtA24dfvBr"
    >>> np.sort(pf.operators.duel.Mines(mines=10).play(*seeds, 1))
    array([ 0,  3,  6,  8, 10, 13, 15, 16, 19, 24])
    """

    scheme = SCHEME
    _parameters = ranges(mines=(3, 1, 24))

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.swaps(25)[:, : self.mines]


class VideoPoker(PokerCards):
    """Duel's video poker: ten cards of one deck, the first of a permutation by backward swaps.

    The first five are dealt; the others replace, in their order, what the player doesn't hold.
    `stake.cards` names them.

    Notes
    -----
    Checked on 1 published round: live, April 2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> duel = pf.operators.duel
    >>> seeds = "105bde0af7af90e305027ec61c2408cd48b5f9da7413cfbe652eef5eca68d127", "Ic5RYWpnRDXUQebq"
    >>> duel.cards(duel.VideoPoker().play(*seeds, 1))[:5]
    ['10♣', '2♦', '3♦', '6♣', '7♣']
    """

    scheme = SCHEME

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.swaps(DECK)[:, :10]
