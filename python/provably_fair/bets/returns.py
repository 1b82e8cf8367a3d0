"""What bets bring back: the law of one, and a sampler of many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any, Protocol

import numpy as np

from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair.distribution import Distribution
from provably_fair.distribution.lookup import Lookup
from provably_fair.distribution.payouts import Payout, payouts

__all__ = ["ObservedReturns", "paid_values", "table_of"]


class Returns(Protocol):
    """What a stake of 1 brings back: counted in whole parts, so that sums are exact."""

    @property
    def law(self) -> Distribution | None:
        """The exact law, where it is known."""

    @property
    def exact_rtp(self) -> Fraction | None:
        """The exact mean, where it is known."""

    @property
    def unit(self) -> int:
        """How many parts make 1."""

    def draw(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Return what so many rounds bring back, in parts, shape (rounds, bets of a round)."""


class _Observed(Protocol):
    """A game: it simulates outcomes, and tells of each what is bet on."""

    def simulate(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray: ...

    def observe(self, outcomes: np.ndarray, **subject: Any) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class ObservedReturns:
    """What a game's bets bring back: the subject's values are observed, and paid by a table.

    Attributes
    ----------
    game : object
        It has ``simulate`` and ``observe``.
    subject : mapping
        What is observed.
    values : Distribution
        The law of what is observed.
    table : numpy.ndarray
        What each value is paid, in parts.
    """

    game: _Observed
    subject: Mapping[str, Any]
    values: Distribution
    table: np.ndarray

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Return what so many rounds are paid, in parts, shape (rounds, bets of a round)."""
        outcomes = self.game.simulate(rounds, seed=seed, start=start, threads=threads)
        observed = self.game.observe(outcomes, **self.subject)
        places = Lookup(self.values.outcomes).places(observed)
        paid: np.ndarray = self.table[places].reshape(rounds, -1)
        return paid


def table_of(paid: list[Any], name: str = "payout") -> tuple[np.ndarray, int]:
    """Return amounts as whole parts, and how many parts make 1.

    Examples
    --------
    >>> from provably_fair.bets.returns import table_of
    >>> table_of([0, 1.98])
    (array([ 0, 99]), 50)
    """
    fractions = [exactly(value, name) for value in paid]
    parts, unit = over_one_denominator(fractions, name)
    large = max(map(abs, parts)) >= 2**62
    return np.array(parts, dtype=object if large else np.int64), unit


def paid_values(
    values: Distribution, payout: Payout | float | None, *, wins: Any = None, pays: bool = False
) -> list[Any]:
    """Return what each value of a subject is paid.

    Parameters
    ----------
    values : Distribution
        The law of the subject.
    payout : callable, mapping, sequence or number, optional
        What a value is paid, see `Distribution.expect`; or a number, which is paid where the bet wins.
    wins : object
        The value that wins, where the subject is won or lost.
    pays : bool
        Whether the values are what a bet of 1 is paid, so that `payout` may be left out.

    Returns
    -------
    list
        In the order of the values.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.bets.returns import paid_values
    >>> paid_values(pf.Dice().distribution(under=50), 1.98, wins=1)
    [0, 1.98]
    """
    outcomes: list[Any] = values.outcomes.tolist()
    if payout is None:
        if not pays:
            raise TypeError(
                "payout must be given: what a bet of 1 brings back, the stake included, by outcome"
                + (", or where the bet wins" if wins is not None else "")
            )
        return outcomes
    if isinstance(payout, Real) and not isinstance(payout, (bool, np.bool_)):
        if wins is None:
            raise TypeError(
                f"payout must be a table or a function by outcome, got {payout}: one number is paid where a "
                "bet wins, and nothing says when it does"
            )
        return [payout if value == wins else 0 for value in outcomes]
    return payouts(outcomes, payout)  # type: ignore[arg-type]
