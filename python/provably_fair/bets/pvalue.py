"""Whether what was paid is what the law pays: p-values of the sum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import reals
from provably_fair._core.numbers import exactly
from provably_fair._core.tails import binomial_error, binomial_tail
from provably_fair.distribution import Distribution

from .convolution import Tail, Total
from .observed import Observed, known_law, returns_of
from .wagers import largest_evidence

__all__ = ["PValue", "check_returns", "pvalue_of", "pvalue_of_total"]

ALTERNATIVES = {"two-sided": (-1, 1), "less": (-1,), "greater": (1,)}
"""On which sides of the mean what is unlikely lies."""

VALID = ("fixed stakes", "any stakes")


class PValue(float):
    """A p-value: a float that says how it was found.

    What it may be off is added to it, so that it is never smaller than what was worked out allows.

    Attributes
    ----------
    alternative : str
        "two-sided", "less" or "greater".
    method : str
        "binomial": exact, of bets that pay one amount or nothing. "convolution": exact except for rounding,
        of which `error` is a bound. "approximation": by a grid that is coarser than the law's, or stakes put
        together; `error` is an estimate. "e-value": one over the most that betting against the law wins;
        see ``valid`` of `Bet.test`. "impossible": some row can't be what the bet brings back.
    error : float
        How far what was worked out may be off. It was added, and is how much larger this may be than need be.
    bets : int
        The number of bets.
    returned, expected : float
        What they brought back together, and what they should on average.
    impossible : tuple of int
        The first rows, up to ten, of what the bets can't bring back.

    Examples
    --------
    >>> import provably_fair as pf
    >>> found = pf.Dice().bet(2, under=50, law="ideal").test([0, 0, 2, 0], "less")
    >>> round(found, 4), found.method, found.bets, found.returned  # one win of four
    (0.3126, 'binomial', 4, 2.0)
    """

    alternative: str
    method: str
    error: float
    bets: int
    returned: float
    expected: float
    impossible: tuple[int, ...]

    def __new__(cls, value: float, **facts: object) -> PValue:
        """Make a p-value of its value and its attributes."""
        made = super().__new__(cls, value)
        made.__dict__.update(facts)
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (float(self), self.__dict__)


def _restore(value: float, facts: Mapping[str, object]) -> PValue:
    return PValue(value, **facts)


class _Bet(Protocol):
    @property
    def law(self) -> Distribution | None: ...


def check_returns(
    bets: Sequence[_Bet],
    returns: ArrayLike,
    *,
    stakes: object = 1,
    alternative: str = "two-sided",
    within: float = 0.0,
    valid: str = "fixed stakes",
) -> PValue:
    """Test whether what a log paid is what its bets pay, where bets differ by row.

    Parameters
    ----------
    bets : sequence of Bet
        The bet of each row; those that are equal are put together.
    returns : array-like of float, shape (N,)
        What each row brought back, the stake included.
    stakes : number or array-like, shape (N,)
        What was bet.
    alternative : {"two-sided", "less", "greater"}
        See `Bet.test`.
    within : float
        How far an amount may be off what the bet pays, for logs whose amounts are rounded.
    valid : {"fixed stakes", "any stakes"}
        "any stakes" where stakes, or which bet comes next, follow what earlier rows brought back; see
        `Bet.test`.

    Returns
    -------
    PValue
        A float.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.bets import check_returns
    >>> under = {limit: pf.Dice().bet(99 / limit, under=limit) for limit in (33, 50)}
    >>> round(check_returns([under[33], under[50], under[50]], [3, 0, 1.98]), 4)
    0.4949
    """
    back, staked = returns_of(returns), reals("stakes", stakes)
    try:
        bets = list(bets)
    except TypeError:
        raise TypeError(f"bets must be a sequence, one for each return, got {type(bets).__name__}") from None
    if len(bets) != len(back):
        raise ValueError(f"returns must be {len(bets)}, one for each of bets, got {len(back)}")
    if staked.shape not in ((), back.shape):
        raise ValueError(f"stakes must be one or {back.size}, one for each return, got shape {staked.shape}")
    kinds = {id(bet): bet for bet in bets}
    for bet in kinds.values():
        if not hasattr(bet, "law"):
            raise TypeError(f"bets must be made by bet() of a game, got {type(bet).__name__}")
    rows: dict[_Bet, list[int]] = {bet: [] for bet in kinds.values()}
    among_of = {key: rows[bet] for key, bet in kinds.items()}
    for row, bet in enumerate(bets):
        among_of[id(bet)].append(row)
    parts = []
    for bet, among in rows.items():
        law = known_law(bet.law, "a test")
        each = staked[among] if staked.ndim else staked
        parts.append((law, Observed(law, back[among], each, within, rows=np.array(among))))
    return pvalue_of(parts, alternative, valid)


def pvalue_of(
    parts: Sequence[tuple[Distribution, Observed]], alternative: str, valid: str = VALID[0]
) -> PValue:
    """Return the p-value of what bets of each law brought back together.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.bets.observed import Observed
    >>> from provably_fair.bets.pvalue import pvalue_of
    >>> coin = pf.Distribution([0, 2], [1, 1])
    >>> round(pvalue_of([(coin, Observed(coin, [2, 2, 2]))], "greater"), 12)
    0.125
    """
    for name, given, known in (("alternative", alternative, ALTERNATIVES), ("valid", valid, VALID)):
        if given not in known:
            allowed = ", ".join(f'"{one}"' for one in known)
            raise ValueError(f"{name} must be one of {allowed}, got {given!r}")
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
        keys, repeats = np.unique(which[right] * len(amounts) + seen.places[right], return_counts=True)
        for key, count in zip(keys.tolist(), repeats.tolist(), strict=True):
            returned += exact[key // len(amounts)] * amounts[key % len(amounts)] * count
    impossible = tuple(sorted(wrong.astype(int).tolist())[:10])
    if valid == VALID[0] or impossible:
        return _pvalue(laws, stakes, counts, returned, alternative, impossible)
    return _pvalue(laws, stakes, counts, returned, alternative, tail=_of_wagers(parts, alternative))


def _of_wagers(parts: Sequence[tuple[Distribution, Observed]], alternative: str) -> Tail:
    most, error = largest_evidence(parts, ALTERNATIVES[alternative])
    found = math.exp(-most)
    return Tail(found, "e-value", found * error)


def pvalue_of_total(law: Distribution, bets: int, returned: Fraction, alternative: str) -> PValue:
    """Return the p-value of what a number of bets of 1, all of one law, brought back together.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import provably_fair as pf
    >>> from provably_fair.bets.pvalue import pvalue_of_total
    >>> round(pvalue_of_total(pf.Distribution([0, 2], [1, 1]), 3, Fraction(6), "greater"), 12)
    0.125
    """
    return _pvalue([law], [Fraction(1)], [bets], returned, alternative)


def _pvalue(
    laws: list[Distribution],
    stakes: list[Fraction],
    counts: list[int],
    returned: Fraction,
    alternative: str,
    impossible: tuple[int, ...] = (),
    tail: Tail | None = None,
) -> PValue:
    bets = sum(counts)
    expected = sum(
        (law.mean(exact=True) * s * c for law, s, c in zip(laws, stakes, counts, strict=True)), Fraction(0)
    )
    facts = {
        "alternative": alternative,
        "bets": bets,
        "returned": float(returned),
        "expected": float(expected),
        "impossible": impossible,
    }
    if impossible:
        return PValue(0.0, method="impossible", error=0.0, **facts)
    if tail is None and not bets:
        return PValue(1.0, method="convolution", error=0.0, **facts)
    if tail is None:
        found = _binomial(laws, stakes, counts, returned, alternative)
        if found is None:
            found = _of_sum(Total(laws, stakes, counts), returned, alternative)
        # What the laws themselves may be off counts for each bet.
        off = sum(law.error * len(law) * many for law, many in zip(laws, counts, strict=True))
        tail = found._replace(error=found.error + off)
    # What is possible has a probability, however small.
    raised = max(tail.probability + tail.error, math.ulp(0.0))
    return PValue(min(raised, 1.0), method=tail.method, error=tail.error, **facts)


def _of_sum(total: Total, returned: Fraction, alternative: str) -> Tail:
    if alternative == "less":
        return total.at_most(returned)
    if alternative == "greater":
        return total.at_least(returned)
    first, second = total.at_most, total.at_least
    if returned > total.mean:
        first, second = second, first
    smaller = first(returned)
    if smaller.probability >= 0.5:  # below it, the other one is above it
        smaller = min(smaller, second(returned))
    return Tail(2 * smaller.probability, smaller.method, 2 * smaller.error)


def _binomial(
    laws: list[Distribution], stakes: list[Fraction], counts: list[int], returned: Fraction, alternative: str
) -> Tail | None:
    """Return the exact tail of bets that are alike and of two amounts; None for others."""
    if len(laws) != 1:
        return None
    law, bets = laws[0], counts[0]
    possible = [i for i, weight in enumerate(law.weights) if weight]
    if len(possible) != 2:
        return None
    low, high = (stakes[0] * exactly(law.outcomes[i], "returns") for i in possible)
    wins = int((returned - bets * low) / (high - low))
    chance = law.weights[possible[1]] / law.total
    lost = law.weights[possible[0]] / law.total
    if alternative == "greater":
        found = binomial_tail(wins, bets, chance)
    elif alternative == "less":
        found = binomial_tail(bets - wins, bets, lost)
    else:
        found = _both_tails(wins, bets, chance, lost)
    return Tail(found, "binomial", binomial_error(bets) * found)


def _both_tails(wins: int, bets: int, chance: float, lost: float) -> float:
    """Return the probability of all counts that are no more likely than this one."""
    peak = min(int((bets + 1) * chance), bets)
    if wins == peak:
        return 1.0
    if wins > peak:  # what is lost is what is won, seen from the other side
        return _both_tails(bets - wins, bets, lost, chance)

    def logarithm(k: int) -> float:
        ways = math.lgamma(bets + 1) - math.lgamma(k + 1) - math.lgamma(bets - k + 1)
        return ways + k * math.log(chance) + (bets - k) * math.log(lost)

    # Those as likely except for rounding count, too.
    limit = logarithm(wins) + 1e-7 + 1e-15 * math.lgamma(bets + 1)
    near, far = peak, bets + 1
    while near < far:
        middle = (near + far) // 2
        near, far = (near, middle) if logarithm(middle) <= limit else (middle + 1, far)
    return binomial_tail(bets - wins, bets, lost) + binomial_tail(near, bets, chance)
