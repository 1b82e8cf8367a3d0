"""The returns of bets: the law of one, and a sampler of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Protocol

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
from provably_fair.distribution.payouts import Payout, payouts_at_once

__all__ = ["ObservedReturns", "RulePays", "Subject", "paid_values", "rtp_if_exact", "table_of", "whole_array"]


class Returns(Protocol):
    """The return of a bet of 1, counted in whole parts so that sums are exact."""

    @property
    def law(self) -> Distribution | None:
        """The exact law; None if unknown."""

    @property
    def exact_rtp(self) -> Fraction | None:
        """The exact mean; None if unknown."""

    @property
    def unit(self) -> int:
        """The number of parts in 1."""

    def draw(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the returns of rounds, in parts, shape (rounds, bets of a round)."""


def rtp_if_exact(returns: Returns) -> Fraction | None:
    """Return the exact return to player; None if it is unknown or known in floating point only."""
    law = returns.law
    return returns.exact_rtp if law is None or has_exact_mean(law) else None


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
            str(value) if isinstance(value, RulePays) else f"{name}={_repr(value)}"
            for name, value in self.items()
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


def _repr(value: object) -> str:
    return getattr(value, "__name__", None) or short(value, 24)


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
class ObservedReturns:
    """Sampled returns of a game's bets: observes the subject's value and looks up its payout.

    `game` has ``shape``, ``simulate`` and ``observe``; `table` the payout of each of the `values`, in parts.
    """

    game: Any
    subject: Subject
    values: Distribution
    table: tuple[int, ...]

    @cached_property
    def _paid(self) -> np.ndarray:
        return whole_array(self.table)

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.values.outcomes)

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        """Sample the payouts of `rounds` rounds, in parts, shape (rounds, bets of a round)."""
        return self.of(self.game.simulate(rounds, seed=seed, start=start, threads=threads))

    def of(self, outcomes: ArrayLike) -> np.ndarray:
        """Return the payouts of given rounds, in parts, shape (rounds, bets of a round); of one, (bets,)."""
        outcomes = rectangular("outcomes", outcomes)
        if outcomes.shape == self.game.shape:  # one round, as `play` gives it
            return np.asarray(self.of(outcomes[np.newaxis])[0])
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
    if isinstance(payout, (Real, Decimal)) and not isinstance(payout, (bool, np.bool_)):
        if wins is None:
            raise BadType("payout", f"must be a table or a function, got {payout}: nothing says when it wins")
        return [payout if value == wins else 0 for value in outcomes]
    return payouts_at_once(outcomes, payout)  # type: ignore[arg-type]
