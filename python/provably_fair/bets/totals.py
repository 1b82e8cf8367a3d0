"""Total returns of bets, from rows or from totals alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, is_single, reals
from provably_fair._core.numbers import exactly
from provably_fair.distribution import Distribution
from provably_fair.distribution.moments import mean_of

from .convolution import BetSum
from .observed import Observed, within_of

_FIRST = 10


@dataclass(frozen=True, eq=False)
class Totals:
    """The number of bets of each law (of a bet of 1) and stake, and their total return, stakes included.

    `impossible` are the first rows with a return that is impossible for the bets.
    """

    laws: list[Distribution]
    stakes: list[Fraction]
    counts: list[int]
    returned: Fraction
    impossible: tuple[int, ...] = ()

    @classmethod
    def of_rows(cls, parts: Sequence[tuple[Distribution, Observed]]) -> Totals:
        """Return the totals of rows, with the rows of each law kept apart."""
        laws: list[Distribution] = []
        stakes: list[Fraction] = []
        counts: list[int] = []
        returned, wrong = Fraction(0), np.concatenate([seen.impossible for _, seen in parts] or [np.empty(0)])
        for law, seen in parts:
            amounts = [exactly(amount, "returns") for amount in law.outcomes.tolist()]
            different, which, many = np.unique(seen.stakes, return_inverse=True, return_counts=True)
            exact = [exactly(stake, "stakes") for stake in different.tolist()]
            laws += [law] * len(exact)
            stakes += exact
            counts += many.tolist()
            right = seen.places >= 0
            which = which[right].astype(np.int64, copy=False)
            keys, repeats = np.unique(which * len(amounts) + seen.places[right], return_counts=True)
            for key, count in zip(keys.tolist(), repeats.tolist(), strict=True):
                returned += exact[key // len(amounts)] * amounts[key % len(amounts)] * count
            returned += Fraction(math.fsum(np.clip(seen.others, -1e300, 1e300)))  # whose sum is a float
        return cls(laws, stakes, counts, returned, tuple(sorted(wrong.astype(np.int64).tolist())[:_FIRST]))

    @classmethod
    def given(
        cls,
        laws: Sequence[Distribution],
        rounds: Iterable[object],
        total: object,
        stakes: object,
        within: float,
    ) -> Totals:
        """Return totals from numbers, checked: `rounds` per law; `stakes` for all, per law or per round."""
        many = [integer("rounds", number, 0) for number in rounds]
        bet = reals("stakes", stakes)
        by_round = len(laws) == 1 and bet.shape == (many[0],)
        if bet.ndim and not by_round and bet.shape != (len(laws),):
            allowed = f"one for each of the {many[0]} rounds" if len(laws) == 1 else "one per bet"
            raise BadValue("stakes", f"must be one number or {allowed}, got shape {bet.shape}")
        if not (np.isfinite(bet) & (bet >= 0)).all():
            raise BadValue("stakes", "must be finite and at least 0")
        if by_round and bet.ndim:
            different, repeats = np.unique(bet, return_counts=True)
            kinds = zip([laws[0]] * len(different), different, repeats.tolist(), strict=True)
        else:
            kinds = zip(laws, np.broadcast_to(bet, len(laws)), many, strict=True)
        bets = [(law, exactly(stake, "stakes"), count) for law, stake, count in kinds if stake > 0 and count]
        off = within_of(within)
        amounts = [total] if is_single(total) else list(total)  # type: ignore[call-overload]
        if not is_single(total) and len(amounts) != len(laws):
            raise BadValue("total", f"must be one number, or one per bet, got {len(amounts)}")
        returned = sum((exactly(amount, "total") for amount in amounts), Fraction(0))
        of, each, counts = [law for law, _, _ in bets], [stake for _, stake, _ in bets], [n for *_, n in bets]
        near = BetSum(of, each, counts).nearest(returned, off) if bets else returned
        return cls(of, each, counts, near)

    @cached_property
    def sum(self) -> BetSum:
        """The law of the total."""
        return BetSum(self.laws, self.stakes, self.counts)

    @property
    def staked(self) -> Fraction:
        """The total staked."""
        return self._add_up(lambda _: Fraction(1))

    @property
    def expected(self) -> Fraction:
        """The expected total return."""
        return self._add_up(mean_of)

    @property
    def possible(self) -> bool:
        """Whether the bets can return this total."""
        least = self._add_up(lambda law: exactly(law.support()[0], "returns"))
        most = self._add_up(lambda law: exactly(law.support()[1], "returns"))
        return not self.impossible and least <= self.returned <= most

    def _add_up(self, amount: Callable[[Distribution], Fraction]) -> Fraction:
        """Return the sum over all bets of `amount` of a bet of 1, times its stake."""
        kinds = zip(self.laws, self.stakes, self.counts, strict=True)
        return sum((amount(law) * stake * count for law, stake, count in kinds), Fraction(0))

    @property
    def wins(self) -> tuple[Fraction, float, float] | None:
        """The number of wins of equal two-amount bets, with the probabilities of a win and of a loss.

        A total between two possible sums gives a fraction. None for other bets.
        """
        if len(self.laws) != 1:
            return None
        law, bets, stake = self.laws[0], self.counts[0], self.stakes[0]
        if len(law.weights) - law.weights.count(0) != 2:
            return None
        low, high = (stake * exactly(amount, "returns") for amount in law.support())
        lost, won = (weight / law.total for weight in law.weights if weight)
        return (self.returned - bets * low) / (high - low), won, lost


def given_once(returns: object, total: object, rounds: object) -> bool:
    """Return whether rows are given, and refuse any mix of rows and totals."""
    for name, value in {"total": total, "rounds": rounds}.items():
        if returns is not None and value is not None:
            raise BadType(name, "isn't supported with returns, which imply it")
        if returns is None and value is None:
            missing = "returns" if total is None and rounds is None else name
            raise BadType(missing, "must be given: the returns of rows, or total and rounds")
    return returns is not None
