"""The returns of bets: the law of one, and a sampler of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import rectangular, unbox
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair._core.table import short
from provably_fair.distribution import Distribution
from provably_fair.distribution.lookup import Lookup
from provably_fair.distribution.moments import has_exact_mean
from provably_fair.distribution.outcomes import as_tuple
from provably_fair.distribution.payouts import Payout, at_once, payouts_at_once

from .observed import known_law


class Returns(Protocol):
    """The return of a bet of 1, counted in whole parts so that sums are exact."""

    @property
    def law(self) -> Distribution | None:
        """The exact law; None if unknown."""

    @property
    def unit(self) -> int:
        """The number of parts in 1."""

    def draw(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the returns of rounds, in parts, shape (rounds, bets of a round)."""


def rtp_if_exact(law: Distribution | None) -> Fraction | None:
    """Return the exact return to player; None if it is unknown or known in floating point only."""
    return law.mean(exact=True) if law is not None and has_exact_mean(law) else None


class Subject(Mapping[str, Any]):
    """The keyword arguments of a game's ``observe`` that describe a bet; equal if they mean the same."""

    def __init__(self, named: Mapping[str, object]) -> None:
        self._named = dict(named)

    def __getitem__(self, name: str) -> object:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Subject) and _freeze(self._named) == _freeze(other._named)

    def __hash__(self) -> int:
        return hash(_freeze(self._named))

    def __str__(self) -> str:
        return ", ".join(
            str(value)
            if isinstance(value, RulePays)
            else f"{name}={getattr(value, '__name__', None) or short(value, 24)}"
            for name, value in self.items()
            if not isinstance(value, PaidBy)
        )


def _freeze(value: object) -> object:
    """Return a hashable value that is equal for equal arguments."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist()) if value.ndim == 1 else (value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, (list, tuple, range)):
        return tuple(map(_freeze, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, Mapping):
        return frozenset((name, _freeze(item)) for name, item in value.items())
    return value


@dataclass(frozen=True)
class RulePays:
    """The payouts of a game's own rule: its method ``pays`` as a function of outcomes alone."""

    game: Any
    subject: Subject

    def __call__(self, outcomes: np.ndarray) -> object:
        """Return the payout of each outcome."""
        return self.game.pays(outcomes, **self.subject)

    def __str__(self) -> str:
        return str(self.subject)


@dataclass(frozen=True)
class PaidBy:
    """A payout as a function of whole outcomes, which bets take in place of the outcomes themselves."""

    payout: Any

    def __call__(self, outcomes: np.ndarray) -> object:
        """Return the payout of each outcome."""
        return self.payout(outcomes)


@dataclass(frozen=True)
class _OnOutcomes:
    """Sampled returns of bets on the outcomes of a game, which has ``simulate`` and ``observe``."""

    game: Any
    subject: Subject

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the payouts of `rounds` rounds, in parts, shape (rounds, bets of a round)."""
        return self.of(self.game.simulate(rounds, seed=seed, start=start, threads=threads))

    def of(self, outcomes: ArrayLike) -> np.ndarray:
        """Return the payouts of given rounds, in parts, shape (rounds, bets of a round); of one, (bets,)."""
        outcomes = rectangular("outcomes", outcomes)
        if outcomes.shape == self.game.shape:  # one round, as `play` gives it
            alone: np.ndarray = self._of_rounds(outcomes[np.newaxis])[0]
            return alone
        return self._of_rounds(outcomes)

    def _of_rounds(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the payouts of many rounds."""
        raise NotImplementedError


@dataclass(frozen=True)
class PlayedReturns(_OnOutcomes):
    """Sampled returns of a bet without a law: what is observed is paid as it comes.

    `terms` are the `payout`, None if values are paid themselves, and the value that `wins` a number.
    """

    terms: Subject
    unit: ClassVar[int] = 10**8
    """The number of parts in 1. No law lists the payouts, so that they are rounded to eight decimals."""

    def _of_rounds(self, outcomes: np.ndarray) -> np.ndarray:
        paid_rounds = self._paid(outcomes)
        if paid_rounds.ndim != 1:
            problem = f"must return a value for each of {len(outcomes)} outcomes, got {paid_rounds.shape}"
            raise BadValue("payout", problem)
        amounts, places = np.unique(paid_rounds, return_inverse=True)
        parts = [round(exactly(amount, "payout") * self.unit) for amount in amounts.tolist()]
        paid: np.ndarray = whole_array(parts)[places]
        return paid.reshape(len(outcomes), -1 if len(outcomes) else 1)

    def _paid(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the amounts that rounds are paid."""
        observed: np.ndarray = self.game.observe(outcomes, **self.subject)
        payout: Any = self.terms["payout"]
        if payout is None:
            return observed
        if is_number(payout):
            return np.where(observed == self.terms["wins"], payout, 0)
        if callable(payout) and len(paid := at_once(payout, observed)):
            return paid
        different, which = np.unique(observed, axis=0, return_inverse=True)
        values = [as_tuple(row) for row in different.tolist()] if observed.ndim > 1 else different.tolist()
        table = [payout.get(one, 0) if isinstance(payout, Mapping) else payout(one) for one in values]
        listed: np.ndarray = np.array(table, dtype=object)[which.ravel()]
        return listed


@dataclass(frozen=True)
class ObservedReturns(_OnOutcomes):
    """Sampled returns of a game's bets: observes the subject's value and looks up its payout.

    `table` has the payout of each of the `values`, in parts.
    """

    values: Distribution
    table: tuple[int, ...]

    @cached_property
    def _paid(self) -> np.ndarray:
        return whole_array(self.table)

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.values.outcomes)

    def _of_rounds(self, outcomes: np.ndarray) -> np.ndarray:
        places = self.places(outcomes)
        unknown = (places < 0).any(axis=1)
        if unknown.any():
            row = int(unknown.argmax())
            raise BadValue("outcomes", "must be one that the bet's law has", index=row)
        return np.asarray(self._paid[places])

    def places(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the indices of the observed values among `values`, shape (rounds, bets of a round)."""
        observed = self.game.observe(outcomes, **self.subject)
        if observed.ndim > 1:  # each row is one outcome
            different, which = np.unique(observed, axis=0, return_inverse=True)
            places = self._lookup.places([as_tuple(row.tolist()) for row in different])[which.ravel()]
        else:
            places = self._lookup.places(observed)
        return places.reshape(len(outcomes), -1 if len(outcomes) else 1)

    def __getstate__(self) -> dict[str, object]:
        return {name: self.__dict__[name] for name in ("game", "subject", "values", "table")}


def bets_of_round(sampler: Any) -> int:
    """Return the number of bets in a round: balls or spins, which share its stake."""
    while hasattr(sampler, "rounding"):  # each ball's payout is rounded by itself
        sampler = sampler.sampler
    if not isinstance(sampler, _OnOutcomes) or not sampler.game.shape:
        return 1
    try:
        return int(sampler(1, seed=0, start=0, threads=1).shape[1])
    except TypeError:  # a scheme whose fields only logs have
        return 1


def shared(law: Distribution, bets: int) -> Distribution:
    """Return the law of the return of a round whose stake is shared by several bets."""
    return law if bets == 1 else law.sum(bets).map(lambda amount: exactly(amount) / bets)


def law_of_round(bet: Any, what: str) -> Distribution:
    """Return the law of the return of a bet's round, or refuse a bet without a law."""
    return shared(known_law(bet.law, what), bets_of_round(getattr(bet, "sampler", None)))


def whole_array(parts: Sequence[int]) -> np.ndarray:
    """Return whole numbers as an array, of int64 if the sum of two fits."""
    large = max(map(abs, parts), default=0) >= 2**62
    return np.array(parts, dtype=object if large else np.int64)


def table_of(paid: list[object], name: str = "payout") -> tuple[np.ndarray, int]:
    """Return amounts as whole parts, and the number of parts in 1."""
    fractions = [exactly(value, name) for value in paid]
    parts, unit = over_one_denominator(fractions, name)
    return whole_array(parts), unit


def payout_missing(wins: Any = None) -> BadType:
    """Return the error of a bet without payouts."""
    where = ", or one number, such as payout=1.98, where the bet wins" if wins is not None else ""
    return BadType(
        "payout", f"must be given: the return of a bet of 1, the stake included, by outcome{where}"
    )


def never_wins(payout: Any, cure: str = "") -> BadType:
    """Return the error of a number as payout of a bet that can't be won or lost."""
    return BadType("payout", f"must be a table or a function, got {payout}: nothing says when it wins{cure}")


def is_number(payout: Any) -> bool:
    """Return whether a payout is a single number, which is paid where the bet wins."""
    return isinstance(payout, (Real, Decimal)) and not isinstance(payout, (bool, np.bool_))


def paid_values(
    values: Distribution, payout: Payout | float | None, *, wins: Any = None, pays: bool = False
) -> list[Any]:
    """Return the payout of each value of a subject."""
    outcomes: list[Any] = values.outcomes.tolist()
    if payout is None:
        if not pays:
            raise payout_missing(wins)
        return outcomes
    payout = unbox(payout)
    if is_number(payout):
        if wins is None:
            raise never_wins(payout)
        return [payout if value == wins else 0 for value in outcomes]
    return payouts_at_once(outcomes, payout)  # type: ignore[arg-type]
