"""Free spins that win further spins: exact moments of the total pay, by dynamic programming.

The future of a round depends on its past only through two numbers: spins played and spins won. So the moments
of the remaining pay, given these two, follow from those one spin later. They are computed backward from the
end of the longest possible round, in fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.numbers import exact_number
from provably_fair.distribution import Distribution


@dataclass(frozen=True)
class FreeSpins:
    """A bet on a spin that may win free spins, which may win further ones.

    Attributes
    ----------
    spin : mapping of (number, bool) to int
        The law of one spin: the weight of each payout, together with whether the spin wins free spins.
    won : int
        The number of free spins that are won at a time.
    most : int
        The largest number of spins in a round, the first included.
    times : number
        The multiplier of free spins' payouts.
    play : callable, optional
        A function of a number of rounds and a seed that simulates them and gives their returns. `simulate`
        needs it.

    Examples
    --------
    A coin that pays 2 on heads, and wins another spin on tails, three spins at most:

    >>> bet = pf.bets.FreeSpins({(2, False): 1, (0, True): 1}, won=1, most=3)
    >>> bet.mean(), bet.spins.pmf([1, 2, 3])
    (1.75, array([0.5 , 0.25, 0.25]))
    """

    spin: Mapping[tuple[Any, bool], int]
    won: int
    most: int
    times: Any = 1
    play: Callable[[int, Any], np.ndarray] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        integer("won", self.won, 0)
        integer("most", self.most, 1, 10_000)
        # Of numpy's integers sums would overflow.
        weights = {payout: integer("spin", weight, 0) for payout, weight in self.spin.items()}
        if not any(weights.values()):
            raise BadValue("spin", "must have a weight above 0")
        object.__setattr__(self, "spin", weights)

    @cached_property
    def _moments(self) -> dict[bool, tuple[Fraction, Fraction, Fraction]]:
        """The probabilities that a spin does and doesn't win free spins, each with two moments of the pay."""
        total = sum(self.spin.values())
        moments = {}
        for wins in (False, True):
            pays = [
                (exact_number(pay, "spin"), weight) for (pay, won), weight in self.spin.items() if won == wins
            ]
            moments[wins] = (
                Fraction(sum(weight for _, weight in pays), total),
                sum((pay * weight for pay, weight in pays), Fraction()) / total,
                sum((pay**2 * weight for pay, weight in pays), Fraction()) / total,
            )
        return moments

    @cached_property
    def spins(self) -> Distribution:
        """The exact law of the number of spins in a round."""
        (no, *_), (yes, *_) = self._moments[False], self._moments[True]
        scale = math.lcm(no.denominator, yes.denominator)
        ways = {False: int(no * scale), True: int(yes * scale)}
        going, ended = {1: 1}, []  # weights by the number of spins awarded so far
        for done in range(1, self.most + 1):
            after: dict[int, int] = {}
            for given, weight in going.items():
                for wins, some in ways.items():
                    more = min(given + wins * self.won, self.most)
                    after[more] = after.get(more, 0) + weight * some
            ended.append(after.pop(done, 0) * scale ** (self.most - done))
            going = after
        return Distribution(range(1, self.most + 1), ended)

    @cached_property
    def _returns(self) -> tuple[Fraction, Fraction]:
        """The first two moments of the return of the bet."""

        @cache
        def to_come(done: int, given: int) -> tuple[Fraction, Fraction]:
            if done == given:
                return Fraction(), Fraction()
            factor = exact_number(self.times, "times") if done else Fraction(1)
            mean = square = Fraction()
            for wins, (chance, pay, squared) in self._moments.items():
                rest, rest_squared = to_come(done + 1, min(given + wins * self.won, self.most))
                mean += factor * pay + chance * rest
                square += factor**2 * squared + 2 * factor * pay * rest + chance * rest_squared
            return mean, square

        for done in range(self.most - 1, 0, -1):  # backward, which needs no recursion
            for given in range(done, self.most + 1):
                if given == self.most or (self.won and (given - 1) % self.won == 0):
                    to_come(done, given)
        return to_come(0, 1)

    def mean(self, *, exact: bool = False) -> Any:
        """Return the mean of the return of the bet of 1: a float, or with `exact` a Fraction.

        Examples
        --------
        >>> pf.bets.FreeSpins({(2, False): 1, (0, True): 1}, won=1, most=3).mean(exact=True)
        Fraction(7, 4)
        """
        return self._returns[0] if exact else float(self._returns[0])

    def var(self, *, exact: bool = False) -> Any:
        """Return the variance of the return of the bet; see `mean`.

        Examples
        --------
        >>> pf.bets.FreeSpins({(2, False): 1, (0, True): 1}, won=1, most=3).var(exact=True)
        Fraction(7, 16)
        """
        mean, square = self._returns
        variance = square - mean**2
        return variance if exact else float(variance)

    def std(self) -> float:
        """Return the standard deviation of the return of the bet, a float."""
        return math.sqrt(self.var())

    def simulate(self, rounds: int, seed: int | str = 0) -> np.ndarray:
        """Simulate rounds with all their free spins, and return the return of each; see `Bet.simulate`.

        Without `play` that is a ValueError.

        Examples
        --------
        >>> bet = pf.operators.stake.ScarabSpins().free_spins()
        >>> bet.simulate(3)
        array([0., 0., 0.])
        """
        if self.play is None:
            raise BadValue("play", "must be given to simulate: a function that plays the spins")
        return self.play(rounds, seed)
