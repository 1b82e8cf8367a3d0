"""Stake's games of named symbols: diamonds and zoo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from provably_fair.games import Range
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.parts import Parts, PartsGame
from provably_fair.games.looks import entries

from .._names import names_of
from . import tables
from .schemes import ZOO_SCHEME, StakeGame

_GEMS = ("green", "purple", "yellow", "red", "cyan", "orange", "blue")


_ANIMALS = ("lion", "cheetah", "elephant", "crocodile", "rhino", "penguin")


_ANIMAL_OF = np.repeat(np.arange(len(_ANIMALS)), (1, 1, 2, 2, 4, 10))


@dataclass(frozen=True)
class MatchedGems:
    """The payout of five gems by their matching pairs, as `Diamonds` pays."""

    def __call__(self, gems: np.ndarray) -> np.ndarray:
        alike = (gems[:, :, np.newaxis] == gems[:, np.newaxis, :]).sum(axis=(1, 2))
        pairs = (alike - gems.shape[1]) // 2  # excluding each with itself; pairs are counted twice
        paid: np.ndarray = np.array(tables.DIAMONDS)[pairs]
        return paid


class _Diamonds(Parts):
    needs: ClassVar[str] = ""

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Bet on the pattern of five gems by default."""
        if payout is None and not asked and self.count == 5:
            asked = {"of": MatchedGems()}
        return payout, asked


class Diamonds(PartsGame, StakeGame):
    """Stake's diamonds: gems of seven colors, ``floor(f * 7)``; `gems` names them. Diamond poker has ten.

    Parameters
    ----------
    gems : int
        The number of gems, 1 to 10.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 on diamond poker.

    ``bet()`` on five gems is paid by how many are of one color: a pair 0.1, two pairs 2, three 3, a full
    house 4, four 5, five 50. The operator's guide of March 2024 has the least and the most, a copy without a
    date the others (github.com/JadenB9/casino-simulator). It returns 0.9829, as the operator states. Other
    bets, and other numbers of gems, need a payout.

    Examples
    --------
    >>> seeds = "f19428a59b46edad1f01ecdb37561fc69a6911ab395fe4ee4afce83a9f154372", "0IIspHiL"
    >>> stake = pf.operators.stake
    >>> stake.gems(stake.Diamonds(gems=5).play(*seeds, 1))
    ['red', 'yellow', 'red', 'green', 'purple']
    >>> round(stake.Diamonds().bet().rtp, 4)
    0.9829
    """

    gems: int = Range(1, 10, default=5)
    part_name = "gem"

    kind = kind_property(_Diamonds)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.gems, "gem").below(len(_GEMS))


def gems(outcome: object) -> Any:
    """Return the colors of gems from their numbers, 0 to 6, in an outcome of `Diamonds`; see `cards`.

    Examples
    --------
    >>> pf.operators.stake.gems([0, 6])
    ['green', 'blue']
    """
    return names_of(_GEMS, outcome)


class Zoo(PartsGame, StakeGame):
    """Stake's zoo: three animals of a round that many players share; `animals` names them.

    Each of the first three times eight hex digits modulo 20 of the HMAC-SHA256 of the salt, keyed with the
    text of the game's hash: 0 lion, 1 cheetah, 2 and 3 elephant, 4 and 5 crocodile, 6 to 9 rhino, else
    penguin. The payouts are unknown.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026.

    Examples
    --------
    >>> stake = pf.operators.stake
    >>> game_hash = "8c6ccd93221a2e055e669f1950128dd92ff088683ecf116d7d8276820d45b052"
    >>> stake.animals(stake.Zoo().play(game_hash, "1d947e6516c7f0fc10cd17931c69daa9"))
    ['crocodile', 'rhino', 'penguin']
    """

    scheme = ZOO_SCHEME
    part_name = "animal"

    def outcome(self, draws: Draws) -> np.ndarray:
        animals: np.ndarray = entries(_ANIMAL_OF, draws.each(3, "animal").below(20))
        return animals


def animals(outcome: object) -> Any:
    """Return the names of animals from their numbers, 0 to 5, in an outcome of `Zoo`; see `cards`.

    Examples
    --------
    >>> pf.operators.stake.animals([0, 5])
    ['lion', 'penguin']
    """
    return names_of(_ANIMALS, outcome)
