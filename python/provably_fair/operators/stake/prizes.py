"""Stake's games of prizes, drawn from tables of multipliers."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair._core.arguments import choice, integer
from provably_fair.games import Choice, Range, asking
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.parts import Parts, PartsGame
from provably_fair.games.looks import Of, Total, View, entries

from . import tables
from .schemes import StakeGame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


def product_of(factors: np.ndarray) -> np.ndarray:
    """Return the products of rows of factors of two decimals, without a rounding error."""
    hundredths = np.rint(np.asarray(factors, dtype=np.float64) * 100).astype(np.int64)
    product: np.ndarray = hundredths.prod(axis=1)
    unit = 100 ** hundredths.shape[1]
    if (product < 10**15).all():
        decimals: np.ndarray = product / unit
        return decimals
    exact = np.empty(len(product), dtype=object)  # products of more digits than doubles have
    exact[:] = [Fraction(value, unit) for value in product.tolist()]
    return exact


@functools.lru_cache
def _lookup(table: str, tiles: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a table's values in increasing order, divided among tiles, and the thresholds between them."""
    (_, *thresholds), values = zip(*(pair.split(":") for pair in reversed(table.split())), strict=True)
    # Divided exactly, and only then floored to cents.
    shares = [math.floor(Fraction(value) * 100 / tiles) / 100 for value in values]
    return np.array(shares), np.array([*map(float, thresholds)])


def _worth(table: str, numbers: np.ndarray, tiles: int = 1) -> np.ndarray:
    """Return the values of numbers in a table, divided among tiles."""
    values, thresholds = _lookup(table, tiles)
    return entries(values, np.searchsorted(thresholds, numbers, side="right"))


class Cases(StakeGame):
    """Stake's cases: the payout of the case, from a table by the first number f.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The table of multipliers.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026.

    Examples
    --------
    >>> seeds = "e89f72064b8e4fbb5dd7f28da282e2a5", "15df5f1542e8e79ef16471326c26c471"
    >>> cases = pf.operators.stake.Cases(level="hard")
    >>> float(cases.play(*seeds, 2)), round(cases.bet().rtp, 4)
    (0.8, 0.98)
    """

    level: str = Choice(tables.LEVELS, default="easy")

    def outcome(self, draws: Draws) -> np.ndarray:
        return _worth(tables.CASES[self.level], draws.number())

    def pays(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the payout of a case: its multiplier.

        Examples
        --------
        >>> pf.operators.stake.Cases().pays([0.4, 10])
        [0.4, 10]
        """
        return outcomes


class Tarot(PartsGame, StakeGame):
    """Stake's tarot: the multipliers of three cards, each from a table by its number f.

    The first and the third are minor arcana, the second is a major one. A bet pays their product.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The tables of multipliers.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026.

    Examples
    --------
    >>> seeds = "0f256f45dab125edf2c213798905c25a", "7a34199d71831c82045177b0fc47b8ea"
    >>> tarot = pf.operators.stake.Tarot(level="medium")
    >>> tarot.play(*seeds, 1), round(tarot.bet().rtp, 4)
    (array([0.3, 1. , 2. ]), 0.98)
    """

    level: str = Choice(tables.LEVELS, default="easy")
    part_name = "card"

    def outcome(self, draws: Draws) -> np.ndarray:
        numbers = draws.each(3, "card").number()
        minor = _worth(tables.MINOR[self.level], numbers)
        major = _worth(tables.MAJOR[self.level], numbers)
        return np.where([False, True, False], major, minor)

    def pays(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the payout of a hand: the product of its cards.

        Examples
        --------
        >>> pf.operators.stake.Tarot().pays([[1.5, 1, 0.4], [2, 5, 2]])
        array([ 0.6, 20. ])
        """
        return product_of(outcomes)


class _Bars(Parts):
    game: Bars
    needs: ClassVar[str] = ""

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Bet on the tiles that are played by default."""
        return payout, asked or {"of": Total(places=tuple(range(self.game.tiles)))}

    def note(self) -> str:
        """Return the reservation about bets on several tiles."""
        if self.game.tiles == 1:
            return ""
        return "that values are divided among tiles rests on one published round, with 4 tiles"


class Bars(PartsGame, StakeGame):
    """Stake's bars: the payouts of thirty tiles, each from a table by its number f.

    A tile pays the table's value divided by the number of tiles played, floored to cents. A bet pays the sum
    of the first `tiles` tiles; any other choice of tiles has the same law.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The table of multipliers.
    tiles : int
        The number of tiles played, 1 to 30.

    Notes
    -----
    Checked on 2 published rounds, of the calculator, 2025-2026: with 1 and 4 tiles. Tables of March 2026.
    That values are divided among tiles and then floored rests on one of them, and so do the returns of bets
    on more than one tile, as `bet().note` says.

    Examples
    --------
    >>> seeds = "fdf5ba1da695bc3ac930aebc9f48d492", "decd704b830421ecbdfcc7ca209ad42d"
    >>> bars = pf.operators.stake.Bars(level="easy", tiles=4)
    >>> bars.play(*seeds, 3)[:7], round(bars.bet().rtp, 4)
    (array([0.1 , 0.15, 0.1 , 0.3 , 0.15, 0.15, 0.15]), 0.9784)
    """

    level: str = Choice(tables.LEVELS, default="easy")
    tiles: int = Range(1, 30, default=1)
    part_name = "tile"

    kind = kind_property(_Bars)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _worth(tables.BARS[self.level], draws.each(30, "tile").number(), self.tiles)


class _Packs(Parts):
    needs: ClassVar[str] = ""

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Bet on the values of the cards by default."""
        return payout, asked if asked or payout is not None else {"of": Total(_card_pays)}


class Packs(PartsGame, StakeGame):
    """Stake's packs: five of 240 cards, 1 the rarest, each from a table by its number f, in the order drawn.

    A bet pays the sum of its cards' values.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026, whose cards are listed in increasing order;
    table of March 2026.

    Examples
    --------
    >>> seeds = "323d470df849d31038224972f224893c", "5de0bfa2035f29d4d12042e5118cdb42"
    >>> packs = pf.operators.stake.Packs()
    >>> packs.play(*seeds, 0), round(packs.bet().rtp, 4)
    (array([128, 122, 205, 207, 214]), 0.9995)
    """

    part_name, ordered = "card", False

    kind = kind_property(_Packs)

    def outcome(self, draws: Draws) -> np.ndarray:
        return np.searchsorted(-_pack_thresholds(), -draws.each(5, "card").number(), side="left") + 1


@functools.cache
def _pack_thresholds() -> np.ndarray:
    """Return the smallest number f of each card, from card 1."""
    return (10**8 - np.cumsum(_repeated(tables.PACKS_WIDTHS))) / 1e8


def _card_pays(cards: np.ndarray) -> np.ndarray:
    """Return the payouts of cards of packs."""
    return entries(_repeated(tables.PACKS_PAYS), cards - 1)


def _repeated(pairs: str) -> np.ndarray:
    """Return the values of pairs, each as often as its second number says."""
    values, counts = zip(*(pair.split(":") for pair in pairs.split()), strict=True)
    repeated: np.ndarray = np.repeat([*map(float, values)], [*map(int, counts)])
    return repeated


@dataclass(frozen=True)
class Rolled:
    """The payout of rolls of snakes."""

    level: str
    rolls: int

    def __call__(self, sums: np.ndarray) -> np.ndarray:
        return product_of(np.array(tables.SNAKES[self.level])[sums[:, : self.rolls] - 2])


class _Snakes(Parts):
    name: ClassVar[str] = "snakes"
    needs: ClassVar[str] = "level"

    def view(self, *, level: str | None = None, rolls: int = 1, of: Of | None = None) -> View:
        if level is None:
            return View(of)
        choice("level", level, tables.SNAKES)
        return View(Rolled(level, integer("rolls", rolls, 1, self.count)), pays=True)


class Snakes(PartsGame, StakeGame):
    """Stake's snakes: five rolls of two dice, each the sum of two ``floor(f * 6) + 1``.

    A bet, ``bet(level="easy", rolls=1)``, pays the product of the multipliers of its rolls, from a table by
    their sum; a snake's multiplier is 0.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026. They return 0.98 per
    roll, except for "easy", which returns 353/360.

    Examples
    --------
    >>> seeds = "6f2359d994c63b1e32f357379aa2e372", "a8530c7a3bb928ac086d7ade9b07de9b"
    >>> pf.operators.stake.Snakes().play(*seeds, 0)
    array([9, 6, 9, 4, 8])
    """

    part_name = "roll"

    kind = kind_property(_Snakes)

    def outcome(self, draws: Draws) -> np.ndarray:
        thrown = []
        for roll in range(5):
            draws.part("roll", roll)
            thrown.append(draws.below(6) + draws.below(6) + 2)
        return np.stack(thrown, axis=1)

    def distribution(
        self, law: str = "ideal", *, level: str | None = None, rolls: int = 1, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the payout of rolls.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        level : {"easy", "medium", "hard", "expert", "master"}
            The table of multipliers.
        rolls : int
            The number of rolls after which the player stops, 1 to 5.
        of : callable, optional
            A function to take the law of instead: from sums, an array (N, 5), to values, (N,).

        Returns
        -------
        Distribution
            The law of the return of a bet of 1.

        Examples
        --------
        >>> pf.operators.stake.Snakes().distribution(level="expert").pmf([0, 3.82, 10])
        array([0.83333333, 0.11111111, 0.05555556])
        """
        return asking.distribution(self, law, level=level, rolls=rolls, of=of)

    def observe(
        self, outcomes: ArrayLike, *, level: str | None = None, rolls: int = 1, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.stake.Snakes().observe([[9, 6, 9, 4, 8]], level="easy")
        array([1.1])
        """
        return asking.observe(self, outcomes, level=level, rolls=rolls, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        level: str | None = None,
        rolls: int = 1,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on rolls that are paid by a table; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> round(pf.operators.stake.Snakes().bet(level="hard", rolls=2).rtp, 4)
        0.9604
        """
        return asking.bet(self, payout, law=law, level=level, rolls=rolls, of=of)

    def tally(
        self, rounds: int, *, level: str | None = None, rolls: int = 1, of: Of | None = None, **options: Any
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.stake.Snakes().tally(1000, level="master").outcomes
        array([ 0.  , 17.64])
        """
        return asking.tally(self, rounds, {"level": level, "rolls": rolls, "of": of}, **options)
