"""LIQD's games: HMAC-SHA256 with the bytes of the server seed as key, one integer of 32 bits a digest.

Integers from the largest multiple of a range upward are rejected. The next integer of the digest replaces
them, or after its last one, the digest of a cursor larger by 1,000,000. As recomputed from published rounds:
live bets that auditors captured, those of dice at an unknown date, of mines in July 2026, of blackjack in
August 2026 (github.com/ProvablyFair-org/liqd-mines and liqd-blackjack).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.lazy import Lister, lister_of
from provably_fair.cards.names import numbers
from provably_fair.games import Deal, Game, Pack, Range
from provably_fair.games.answering import law_of
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property, uniform
from provably_fair.games.kinds import BoardGame, DiceGame
from provably_fair.games.kinds.cards import Cards
from provably_fair.games.samples import Cell
from provably_fair.seeds import Hash, Scheme
from provably_fair.seeds.schemes import engine_scheme

from ._names import names_of
from .registry import Operator

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = ["SCHEME", "SHOE_SCHEME", "Blackjack", "Dice", "Mines", "cards"]
__dir__: Lister = lister_of(__all__)

OPERATOR = Operator(columns={"outcome": ("roll",)})

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed:bytes}"),
    bits=32,
    words=1,
    below="reject",
    read_on=1_000_000,
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: the key is the server seed's bytes, the commitment the SHA-256 of its text."""

SHOE_SCHEME = replace(SCHEME, first_cursor=1)
"""The scheme of blackjack's shoe: the cursor is the place, from 1, that is swapped."""

_DECK, _SHOE = 52, 8 * 52
_CARDS = [rank + suit for suit in "♣♥♠♦" for rank in ["A", *"23456789", "10", *"JQK"]]


class Dice(DiceGame):
    """LIQD's dice: a number from 0.00 to 99.99: the integer modulo 10,000, divided by 100.

    Notes
    -----
    Checked on 2 published rounds: live bets, nonces 0 and 1000.

    Examples
    --------
    >>> pf.operators.liqd.Dice().play("015307d5a3f62db476210c3797bac8b7", "auditf2456fc140ac", [0, 1000])
    array([24.01,  3.61])
    """

    scheme = SCHEME
    least, most, unit = 0, 9_999, 100

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_000) / 100


class _Removed(Game):
    """A draw by removal, which has the law of swaps if every order is equally probable."""

    size: int
    count: int
    label: Callable[[np.ndarray], np.ndarray]

    def outcome(self, draws: Draws) -> np.ndarray:
        return self.label(draws.sample(self.size, self.count))


def _tile(places: np.ndarray) -> np.ndarray:
    return places + 1


def _card(places: np.ndarray) -> np.ndarray:
    return places % _DECK


def _tiles_law(game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the law of mines if swaps are uniform, computed as draws by removal."""
    if drawn and not engine_scheme(game.scheme).passes_over:
        return None
    return law_of(_Removed(25, game.mines, _tile), False, of)


def _shoe_law(game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the law of cards if swaps are uniform, computed as draws by removal."""
    if drawn and not engine_scheme(game.scheme).passes_over:
        return None
    if isinstance(of, Cell):  # one card, regardless of the others
        return distribution.Distribution(range(_DECK), [1] * _DECK)
    return law_of(_Removed(_SHOE, game.cards, _card), False, of)


class _Shoe(Cards):
    def material(self, values: np.ndarray) -> None:
        return None  # cards that several decks have aren't different


class Mines(BoardGame):
    """LIQD's mines: the tiles with mines, 1 to 25: the first of a permutation by forward swaps.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Notes
    -----
    Checked on 5 published rounds: live bets with 1 mine, July 2026.

    Examples
    --------
    >>> seeds = "d1148d001c0ce343dcd526a17ab07de0", "auditddad46097947"
    >>> pf.operators.liqd.Mines(mines=1).play(*seeds, [0, 1, 2]).ravel()
    array([13,  9,  1])
    """

    mines: int = Range(1, 24, default=1)
    scheme = SCHEME
    cells, first, laws, distance = 25, 1, (_tiles_law,), uniform

    def outcome(self, draws: Draws) -> np.ndarray:
        places = range(self.mines)
        tiles = draws.exchange(25, places, [place + draws.below(25 - place) for place in places])
        return _tile(tiles[:, : self.mines])


class Blackjack(Deal):
    """LIQD's blackjack: the first cards of a shoe of eight decks, by backward swaps; `cards` names them.

    The shoe has, eight times, clubs, hearts, spades and diamonds, each from the ace to the king. The first
    four cards go to player and dealer in turns; the others are drawn as needed. The operator's rules aren't
    known: `with_table` gives some.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 416.

    Notes
    -----
    Checked on 2 published rounds: live hands of August 2026, each with the cards that were dealt.

    Examples
    --------
    >>> seeds = "6dca5e36b6b9dc56730e282ab3c2bae6", "audita6d2fe11bb1f"
    >>> liqd = pf.operators.liqd
    >>> liqd.cards(liqd.Blackjack(cards=5).play(*seeds, 0))
    ['7♥', '10♣', '9♥', 'J♥', '5♥']
    """

    cards: int = Range(1, _SHOE, default=20)
    scheme = SHOE_SCHEME
    choice, swaps = "actions", _SHOE - 1
    pack = Pack(8, tuple(numbers("cards", _CARDS)), order=(0, 2, 1, 3))
    laws, distance = (_shoe_law,), uniform

    kind = kind_property(_Shoe)

    def outcome(self, draws: Draws) -> np.ndarray:
        # The first digest belongs to the second place, which is swapped last.
        drawn = [draws.below(place + 1) for place in range(1, _SHOE)]
        shoe = draws.exchange(_SHOE, range(_SHOE - 1, 0, -1), drawn[::-1])
        return _card(shoe[:, : self.cards])


def cards(outcome: object) -> Any:
    """Return the names of cards from their numbers in an outcome of `Blackjack`; see `stake.cards`.

    Numbers are from 0, the ace of clubs, to 51, the king of diamonds: clubs, hearts, spades and diamonds, in
    each suit A to K.

    Examples
    --------
    >>> pf.operators.liqd.cards([0, 22, 51])
    ['A♣', '10♥', 'K♦']
    """
    return names_of(_CARDS, outcome)
