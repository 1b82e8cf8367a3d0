"""Observed returns, matched to the amounts that the bet can return."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, check_type, each_of, reals, rectangular
from provably_fair.distribution import Distribution

# Tolerance for matching a return to an amount: absolute below 1, relative above, for rounded floats.
_NEAR = 1e-9
_STEP = 5e-324  # of the least floats, to which returns are rounded


def known_law(law: Distribution | None, what: str) -> Distribution:
    """Return the law, or refuse a bet without one."""
    if law is None:
        raise BadValue("law", f"of the bet must be known for {what}: this bet has no exact law")
    check_type("law", law, Distribution, "a Distribution, as bet.law is")
    return law


def returns_of(returns: ArrayLike) -> np.ndarray:
    """Return the observed returns as float64, shape (N,)."""
    given = rectangular("returns", returns)
    if given.dtype.kind == "b":  # wins: as amounts, 1 is impossible for most bets
        raise BadType("returns", "must be amounts, the stake included, got booleans")
    back = reals("returns", given if given.dtype.kind in "iuf" else returns)  # others are shown as given
    if back.ndim > 1:
        raise BadValue("returns", f"must be one-dimensional, one for each bet, got {back.ndim} dimensions")
    return np.atleast_1d(back)


def within_of(within: object) -> float:
    """Return the tolerance for matching a return to an amount, checked."""
    off = reals("within", within)
    if off.ndim or not 0 <= off < np.inf:
        raise BadValue("within", f"must be one number from 0 on, got {within!r:.50}")
    return float(off)


@contextmanager
def stakes_in_floats() -> Iterator[None]:
    """Refuse stakes whose sums no float holds."""
    try:
        yield
    except OverflowError:
        problem = "must be nearer to 1: sums of them, or their ratios, are larger than any float"
        raise BadValue("stakes", problem) from None


class Observed:
    """Observed returns of bets: their number, their stakes, and the index of each one's amount in the law.

    `stakes` are float64, of rows with one; of `places`, -1 is what the bet can't return.
    """

    def __init__(
        self,
        law: Distribution,
        returns: ArrayLike,
        stakes: object = 1,
        within: float = 0.0,
        *,
        rows: np.ndarray | None = None,
    ) -> None:
        back = returns_of(returns)
        bet = np.broadcast_to(each_of("stakes", stakes, back.size, "return"), back.shape)
        for name, values, fine, allowed in (
            ("returns", back, np.isfinite(back), "finite"),
            ("stakes", bet, np.isfinite(bet) & (bet >= 0), "finite and at least 0"),
        ):
            if not fine.all():
                row = int(fine.argmin())
                raise BadValue(name, f"must be {allowed}, got {values[row]}", index=row)
        off = within_of(within)
        staked = bet > 0
        self.rows: np.ndarray = (
            np.flatnonzero(staked).astype(np.int64, copy=False) if rows is None else rows[staked]
        )
        self.stakes: np.ndarray = bet[staked]
        back = back[staked]
        self.places: np.ndarray = _places(law, back, self.stakes, off)
        self.others: np.ndarray = back[self.places < 0]  # returns that the bet can't make

    def __len__(self) -> int:
        return len(self.places)

    @property
    def impossible(self) -> np.ndarray:
        """The indices of rows with a return that is impossible for the bet."""
        return self.rows[self.places < 0]


def _places(law: Distribution, back: np.ndarray, stakes: np.ndarray, within: float) -> np.ndarray:
    possible = np.flatnonzero([weight > 0 for weight in law.weights])
    amounts = law.outcomes[possible].astype(np.float64)
    each = back / stakes
    after = np.clip(np.searchsorted(amounts, each), 1, len(amounts) - 1) if len(amounts) > 1 else 0
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(amounts[after] - each) < np.abs(amounts[before] - each), after, before)
    off = np.abs(amounts[nearest] - each)
    near = off <= _NEAR * np.maximum(1, np.abs(amounts[nearest])) + (within + _STEP) / stakes
    return np.asarray(np.where(near, possible[nearest], -1))
