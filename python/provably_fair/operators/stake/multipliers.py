"""Stake's games of a multiplier, at which a player may cash out."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import integer
from provably_fair.games import Choice, asking
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property, one_of, uniform
from provably_fair.games.kinds import MultiplierGame
from provably_fair.games.kinds.multiplier import cash_out_view
from provably_fair.games.kinds.parts import Parts, PartsGame
from provably_fair.games.laws import mapped
from provably_fair.games.looks import Of, OfPart, UpTo, View, entries
from provably_fair.seeds.schemes import weights_below

from . import tables
from .schemes import CHAIN, StakeGame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally

_WORDS = 1 << 32


def floor_to_cents(amounts: np.ndarray) -> np.ndarray:
    """Round amounts down to two decimals."""
    cents: np.ndarray = np.floor(amounts * 100) / 100
    return cents


_STEPS = {"2019": 10**8, "2026": 1 << 24}


class Limbo(MultiplierGame, StakeGame):
    """Stake's limbo: a multiplier, floored to cents.

    Two readings are in circulation, which differ in 0.29 % of rounds. "2019": ``1e8 / (floor(f * 1e8) + 1) *
    0.99``. "2026": ``2**24 / (floor(f * 2**24) + 1) * 0.99``. Values below 1 aren't raised: 0.99 can occur.
    The operator's text of the rule raises them to 1, with `max`; no published round shows which was played.
    A log in which they are has 1 % of rows that found 1 where 0.99 is expected.

    Parameters
    ----------
    reading : {"2019", "2026"}
        The year whose rule it is.

    Notes
    -----
    Checked on 22 published rounds: 16 bets of 2019, 6 of the calculator. One of them, 3,807,692.30, tells the
    readings apart: it contradicts "2026".

    Examples
    --------
    >>> limbo = pf.operators.stake.Limbo()
    >>> float(limbo.play("e8df2cc3b9ccb583ce5ea92336842387", "83e27f682128eb1852b048203dfd6931", 1942124))
    3807692.3
    """

    reading: str = Choice(_STEPS, default="2019")
    tail = 1000

    def outcome(self, draws: Draws) -> np.ndarray:
        steps = _STEPS[self.reading]
        multiplier = steps / (draws.below(steps) + 1) * 0.99
        draws.note(f"{steps} / (draw + 1) * 0.99, before rounding down", multiplier)
        return floor_to_cents(multiplier)


class OfChain(MultiplierGame, StakeGame):
    """A multiplier from 1.00, of a round that many players share."""

    scheme = CHAIN
    tail = 1000
    share: ClassVar[float] = 1.0
    """The return of a cash-out, apart from rounding."""

    def outcome(self, draws: Draws) -> np.ndarray:
        paid = _WORDS / (draws.below(_WORDS) + 1) * self.share
        draws.note(f"2^32 / (draw + 1) * {self.share}, before rounding down, at least 1", paid)
        multiplier: np.ndarray = np.maximum(1, floor_to_cents(paid))
        return multiplier


class Crash(OfChain):
    """Stake's crash: a multiplier from 1.00, of a round that many players share.

    ``max(1, floor(2**32 / (i + 1) * 0.99 * 100) / 100)`` of the first eight hex digits i of the HMAC-SHA256
    of the salt, keyed with the text of the game's hash.

    Notes
    -----
    Checked on 7 published rounds: 4 of 2019, game 1,126,614 of the same chain, 2 of the calculator.

    Examples
    --------
    >>> crash = pf.operators.stake.Crash()
    >>> float(crash.play("5844bf329a6334074778ab8a5f0960e24f9eec43f83bbd98ac0a9f8bcd87184e"))
    2.35
    """

    share: ClassVar[float] = 0.99


class Slide(OfChain):
    """Stake's slide: a multiplier from 1.00, of a round that many players share.

    The same as `Crash`, with 0.98 instead of 0.99. The published rounds don't include its chain's salt. Pass
    it yourself: the default is that of `Crash`.

    Notes
    -----
    Checked on 2 published rounds, of the calculator.

    Examples
    --------
    >>> slide = pf.operators.stake.Slide()
    >>> game_hash = "a60e04bcba668c720ce7d3b70183653181d438a99aa64bb042bdeb23aa9e63bd"
    >>> float(slide.play(game_hash, salt="015dcda675eb8ec18254ab6f18fd8f47"))
    1.39
    """

    share: ClassVar[float] = 0.98


class _Drill(Parts):
    needs: ClassVar[str] = "cash_out"
    asked_alone: ClassVar[tuple[str, ...]] = ("cash_out",)

    def view(self, *, cash_out: float | None = None, drill: int = 0, of: Of | None = None) -> View:
        place = integer("drill", drill, 0, self.count - 1)
        one_of({"cash_out": cash_out, "of": of})
        if cash_out is None:
            return View(of)
        view = cash_out_view(cash_out, None)
        return view._replace(of=OfPart(place, view.of))


class Drill(PartsGame, StakeGame):
    """Stake's drill: the multipliers of three drills, one of which the player chose.

    Of each number f: 1 below 0.02, else ``floor(min(0.98 / (1 - f), 2e6) * 100) / 100``.

    Notes
    -----
    Checked on 3 published rounds, of the calculator.

    Examples
    --------
    >>> seeds = "e9d7e56f67bf5ba273a85efea28ade0a", "af34766105e5036cdc101741e5172420"
    >>> pf.operators.stake.Drill().play(*seeds, 0)
    array([2.94, 1.77, 6.1 ])
    """

    part_name, gathered = "drill", UpTo(1000)

    kind = kind_property(_Drill)

    def outcome(self, draws: Draws) -> np.ndarray:
        number = draws.each(3, "drill").below(_WORDS) / _WORDS
        # Numbers below 0.02 give 1.
        paid: np.ndarray = np.maximum(1, floor_to_cents(np.minimum(0.98 / (1 - number), 2e6)))
        return paid

    def distribution(
        self, law: str = "ideal", *, cash_out: float | None = None, drill: int = 0, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of one drill's multiplier, or of the payout of a bet of 1 with a cash-out.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        cash_out : number, optional
            The multiplier at which to cash out, at least 1.01, with two decimals. The bet wins if the outcome
            is at least that.
        drill : int
            The drill, from 0.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, ...), to values, (N,).

        Returns
        -------
        Distribution
            Of the multiplier; of a bet `cash_out` where it is cashed out, else 0.

        Examples
        --------
        >>> round(pf.operators.stake.Drill().distribution(cash_out=2, drill=1).mean(), 6)
        0.98
        """
        return asking.distribution(self, law, cash_out=cash_out, drill=drill, of=of)

    def observe(
        self, outcomes: ArrayLike, *, cash_out: float | None = None, drill: int = 0, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.stake.Drill().observe([[2.94, 1.77, 6.1]], cash_out=2, drill=2)
        array([2.])
        """
        return asking.observe(self, outcomes, cash_out=cash_out, drill=drill, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        cash_out: float | None = None,
        drill: int = 0,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on the multiplier of one drill; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> round(pf.operators.stake.Drill().bet(cash_out=2).rtp, 6)
        0.98
        """
        return asking.bet(self, payout, law=law, cash_out=cash_out, drill=drill, of=of)

    def tally(
        self,
        rounds: int,
        *,
        cash_out: float | None = None,
        drill: int = 0,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.stake.Drill().tally(1000, cash_out=2).outcomes
        array([0., 2.])
        """
        return asking.tally(self, rounds, {"cash_out": cash_out, "drill": drill, "of": of}, **options)


def _path_law(game: Any, drawn: bool, of: Any) -> Distribution:
    """Return the law of the multiplier of a path.

    The ends are drawn by removal. As long as none of the first m places is drawn, they also come first among
    the places left: a path of m places is a series of draws of m or more.
    """
    ends, passing = tables.ENDS[game.level], []
    for place in range(game.places - ends + 2):
        weight = 1
        for left in range(game.places, game.places - ends, -1):
            (below,), total = weights_below(game.scheme, left, [place]) if drawn else ([place], left)
            weight *= total - below
        passing.append(weight)
    weights = [more - less for more, less in itertools.pairwise(passing)]
    return mapped(distribution.Distribution(game.multipliers, weights), of)


class Path(MultiplierGame, StakeGame):
    """A path that ends at the first losing place: the multiplier of the place before it.

    The multiplier of m places is 0.98 divided by the probability of passing them, rounded to cents.
    """

    level: str = Choice(tables.LEVELS, default="easy")
    laws, distance, quick = (_path_law,), uniform, True
    places = 0
    """The number of places."""
    table = property(lambda self: self.multipliers, doc="The multipliers, as a fact of its kind.")

    @property
    def multipliers(self) -> tuple[float, ...]:
        """The level's multipliers: for no steps, one step, and so on."""
        return _multipliers(self.places, tables.ENDS[self.level])

    def outcome(self, draws: Draws) -> np.ndarray:
        ends = draws.sample(self.places, tables.ENDS[self.level])
        steps = ends.min(axis=1)
        draws.note("the first losing place, from 0: the number of steps that are paid", steps)
        paid: np.ndarray = entries(self.multipliers, steps)
        return paid


@functools.cache
def _multipliers(places: int, ends: int) -> tuple[float, ...]:
    multipliers = [1.0]
    for passed in range(1, places - ends + 1):
        double = 98 * math.comb(places, ends) / (100 * math.comb(places - passed, ends))
        # JavaScript's `toFixed` rounds the exact value of the double, and ties upward.
        multipliers.append(math.floor(Fraction(double) * 100 + Fraction(1, 2)) / 100)
    return tuple(multipliers)


class Chicken(Path):
    """Stake's chicken: the multiplier of the last lane before the first with a car.

    Of 20 lanes, 1, 3, 5 or 10 have a car, by removal. A bet names the multiplier at which the player stops:
    ``bet(cash_out=2.45)``.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The level, which sets the number of lanes with a car.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; multipliers as in the table of March 2026.
    They return 0.98, apart from rounding to cents.

    Examples
    --------
    >>> seeds = "b8f031e0928677105e302f4979d58911", "beb2f0d281049dd680fa1577861655cb"
    >>> chicken = pf.operators.stake.Chicken(level="medium")
    >>> float(chicken.play(*seeds, 1))
    3.07
    >>> chicken.bet(cash_out=3.91, law="ideal").exact_rtp
    Fraction(55913, 57000)
    """

    places = 20


class Pump(Path):
    """Stake's pump: the multiplier of the last pump before the balloon bursts.

    1, 3, 5 or 10 of 25 pumps, drawn by removal, burst it. A bet names the multiplier at which the player
    stops: ``bet(cash_out=2.04)``.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The level, which sets the number of pumps that burst the balloon.

    Notes
    -----
    Checked on 5 published rounds, of the calculator, 2025-2026; multipliers as in the table of March 2026.
    They return 0.98, apart from rounding to cents. One more round of the same seeds (medium, nonce 5)
    was published as 1.7, but the table and its formula, 0.98 * C(25, 3) / C(21, 3), give 1.69.

    Examples
    --------
    >>> seeds = "d027ce5077bd62a2072de5521fcad8b7", "b39cea8e183258455750e51667d3aec0"
    >>> float(pf.operators.stake.Pump(level="hard").play(*seeds, 2))
    6.08
    """

    places = 25
