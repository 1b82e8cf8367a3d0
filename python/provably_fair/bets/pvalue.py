"""Tests of payouts against a law: exact p-values of the sum.

Bets of one law and stake are one convolution power, and bets of several laws the convolution of these
(`convolution`). Bets that either win one amount or lose have the binomial distribution, whose tails need no
transform. A bound on the rounding error is added to each tail, so a p-value is never too small. With
`valid="any stakes"` stakes may depend on earlier outcomes, so the sum follows no fixed law; the p-value is
then 1 over the largest capital of a bet against the law (`wagers`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, choice, each_of, is_single
from provably_fair._core.table import facts_html
from provably_fair._core.tails import binomial_error, binomial_tail, log_choose
from provably_fair.distribution import Distribution

from .convolution import BetSum, Tail
from .observed import Observed, returns_of, stakes_in_floats
from .returns import law_of_round
from .totals import Totals, given_once
from .wagers import largest_evidence

ALTERNATIVES: Mapping[str, tuple[int, ...]] = {"two-sided": (-1, 1), "less": (-1,), "greater": (1,)}
"""The allowed values of `alternative`."""

VALID = ("fixed stakes", "any stakes")


class PValue(float):
    """A p-value: a float with the method by which it was computed.

    The bound on its numerical error is added to it, so it is never too small.

    Attributes
    ----------
    alternative : str
        "two-sided", "less" or "greater".
    method : str
        "binomial": exact, for equal bets with two amounts. "convolution": exact except for rounding,
        which `error` bounds. "approximation": on a coarser grid than the law's, or with stakes grouped;
        `error` is an estimate. "e-value": one over the largest wealth of betting against the law; see
        ``valid`` of `Bet.test`. "impossible": some return is impossible for the bet.
    error : float
        The numerical error, which was added to the p-value.
    bets : int
        The number of bets.
    returned, expected : float
        Their total return, and its expectation.
    impossible : tuple of int
        The first rows, up to ten, with a return that is impossible for their bet.

    Examples
    --------
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

    _repr_html_ = facts_html

    def __new__(cls, value: float, **facts: object) -> PValue:
        """Return the p-value with its attributes."""
        pvalue = super().__new__(cls, value)
        pvalue.__dict__.update(facts)
        return pvalue

    def _facts(self) -> dict[str, object]:
        facts = {"p-value": float(self), **self.__dict__}
        return facts | {"impossible": facts.get("impossible") or None}


class _Bet(Protocol):
    @property
    def law(self) -> Distribution | None: ...


def check_returns(
    bets: Sequence[_Bet],
    returns: ArrayLike | None = None,
    *,
    total: Any = None,
    rounds: Any = None,
    stakes: object = 1,
    alternative: str = "two-sided",
    within: float = 0.0,
    valid: str = "fixed stakes",
) -> PValue:
    """Test whether payouts follow the laws of their bets, which may differ by row; or test totals alone.

    Parameters
    ----------
    bets : sequence of Bet
        The bet of each row; equal bets are grouped. For totals: the different bets.
    returns : array-like of float, shape (N,)
        The return of each row, the stake included.
    total : number or sequence of them
        Instead of returns: the total return of all bets, or of each of `bets`.
    rounds : sequence of int
        The number of rounds of each of `bets`.
    stakes : number or array-like
        The stakes: one for all, or one for each row; for totals one for each of `bets`.
    alternative, within
        See `Bet.test`.
    valid : {"fixed stakes", "any stakes"}
        "any stakes" if stakes, or the choice of bets, depend on the returns of earlier rows; see `Bet.test`.

    Returns
    -------
    PValue
        A float.

    Examples
    --------
    >>> from provably_fair.bets import check_returns
    >>> under = {limit: pf.Dice().bet(99 / limit, under=limit) for limit in (33, 50)}
    >>> round(check_returns([under[33], under[50], under[50]], [3, 0, 1.98]), 4)
    0.4949

    A month of two games, of which only the totals are known, with stakes of 1 and of 5:

    >>> month = check_returns(list(under.values()), total=591_000, rounds=[100_000, 100_000], stakes=[1, 5])
    >>> month < 0.05, round(month.expected)
    (False, 593941)
    """
    if isinstance(bets, (str, bytes)):
        raise BadType("bets", f"must be a sequence of bets, got {type(bets).__name__}")
    rows = given_once(returns, total, rounds)
    try:
        bets = list(bets)
    except TypeError:
        raise BadType("bets", f"must be a sequence, one for each return, got {type(bets).__name__}") from None
    if not rows:
        known_words(alternative, valid)
        if valid != VALID[0]:
            raise BadValue("valid", f'must be "{VALID[0]}" for totals: "{valid}" needs the rows, in order')
        laws = [_law_of(bet) for bet in bets]
        many = [rounds] if is_single(rounds) else list(rounds)
        if len(many) != len(laws):
            raise BadValue("rounds", sentence=f"expected {len(laws)} rounds, one per bet, got {len(many)}")
        return pvalue_of_totals(Totals.given(laws, many, total, stakes, within), alternative)
    back = returns_of(returns)  # type: ignore[arg-type]
    if len(bets) != len(back):
        raise BadValue("returns", sentence=f"expected {len(bets)} returns, one per bet, got {len(back)}")
    staked = each_of("stakes", stakes, back.size, "return")
    among_of: dict[_Bet, list[int]] = {}
    places: dict[int, list[int]] = {}  # by identity, since it takes long to hash a bet
    for bet in {id(bet): bet for bet in bets}.values():
        _law_of(bet)
        places[id(bet)] = among_of.setdefault(bet, [])
    for row, bet in enumerate(bets):
        places[id(bet)].append(row)
    parts = []
    for bet, among in among_of.items():
        law = _law_of(bet)
        each = staked[among] if staked.ndim else staked
        parts.append((law, Observed(law, back[among], each, within, rows=np.array(among))))
    return pvalue_of(parts, alternative, valid)


def _law_of(bet: _Bet) -> Distribution:
    if not hasattr(bet, "law"):
        raise BadType("bets", f"must be made by bet() of a game, got {type(bet).__name__}")
    return law_of_round(bet, "a test")


def pvalue_of(
    parts: Sequence[tuple[Distribution, Observed]], alternative: str, valid: str = VALID[0]
) -> PValue:
    """Return the p-value of the total return of bets of several laws."""
    known_words(alternative, valid)
    totals = Totals.of_rows(parts)
    if valid == VALID[0] or totals.impossible:
        return pvalue_of_totals(totals, alternative)
    most, error = largest_evidence(parts, ALTERNATIVES[alternative])
    bound = math.exp(-most)
    return pvalue_of_totals(totals, alternative, Tail(bound, "e-value", bound * error))


def known_words(alternative: object, valid: object = VALID[0]) -> None:
    """Refuse other values of `alternative` and `valid`."""
    choice("alternative", alternative, ALTERNATIVES)
    choice("valid", valid, VALID)


@stakes_in_floats()
def pvalue_of_totals(totals: Totals, alternative: str, tail: Tail | None = None) -> PValue:
    """Return the p-value of the total of bets; `tail`, if given, replaces that of the sum."""
    facts = {
        "alternative": alternative,
        "bets": sum(totals.counts),
        "returned": float(totals.returned),
        "expected": float(totals.expected),
        "impossible": totals.impossible,
    }
    if not totals.possible:
        return PValue(0.0, method="impossible", error=0.0, **facts)
    if tail is None and not facts["bets"]:
        return PValue(1.0, method="convolution", error=0.0, **facts)
    if tail is None:
        exact = _binomial(totals, alternative) or _of_sum(totals.sum, totals.returned, alternative)
        # An error of a law's probabilities counts once for each bet.
        kinds = zip(totals.laws, totals.counts, strict=True)
        off = math.fsum(law.probability_error * len(law) * many for law, many in kinds)
        tail = exact._replace(error=exact.error + off)
    # A possible total never has probability 0.
    raised = max(tail.probability + tail.error, math.ulp(0.0))
    return PValue(min(raised, 1.0), method=tail.method, error=tail.error, **facts)


def pvalue_of_total(law: Distribution, bets: int, returned: Fraction, alternative: str) -> PValue:
    """Return the p-value of the total return of `bets` bets of 1 of one law."""
    return pvalue_of_totals(Totals([law], [Fraction(1)], [bets], returned), alternative)


def _of_sum(total: BetSum, returned: Fraction, alternative: str) -> Tail:
    if alternative == "less":
        return total.at_most(returned)
    if alternative == "greater":
        return total.at_least(returned)
    first, second = total.at_most, total.at_least
    if returned > total.mean:
        first, second = second, first
    smaller = first(returned)
    if smaller.probability >= 0.5:  # past the median, the other tail may be the smaller one
        smaller = min(smaller, second(returned))
    return Tail(2 * smaller.probability, smaller.method, 2 * smaller.error)


def _binomial(totals: Totals, alternative: str) -> Tail | None:
    """Return the exact binomial tail of equal bets with two amounts; None for other bets."""
    if totals.wins is None:
        return None
    exact, chance, lost = totals.wins
    bets = totals.counts[0]
    # A total between two possible ones counts as the one nearer to the mean, unless the test is one-sided.
    up = alternative == "greater" or (alternative == "two-sided" and exact < bets * chance)
    wins = math.ceil(exact) if up else math.floor(exact)
    if binomial_error(bets) > 0.5:  # no digit is sure, nor that a tail is small
        beyond = {"greater": wins > bets * Fraction(chance), "less": wins < bets * Fraction(chance)}
        probability = _largest_tail(wins, bets, chance) if beyond.get(alternative, True) else 1.0
    elif alternative == "greater":
        probability = binomial_tail(wins, bets, chance)
    elif alternative == "less":
        probability = binomial_tail(bets - wins, bets, lost)
    else:
        probability = _both_tails(wins, bets, chance, lost)
    return Tail(probability, "binomial", binomial_error(bets) * probability)


def _largest_tail(wins: int, bets: int, chance: float) -> float:
    """Return Chernoff's bound on both tails, by exact differences: those of floats have no digits left."""
    won, expected = Fraction(wins, bets), Fraction(chance)
    entropy = 0.0
    for share, usual in ((won, expected), (1 - won, 1 - expected)):
        more = share / usual - 1
        if share:
            entropy += float(share) * (math.log1p(more) if more > -0.5 else math.log(share / usual))
    return min(1.0, 2 * math.exp(-bets * max(entropy, 0.0)))


def _both_tails(wins: int, bets: int, chance: float, lost: float) -> float:
    """Return the probability of all counts that are no more likely than this one."""
    peak = min(int((bets + 1) * chance), bets)
    if wins == peak:
        return 1.0
    if wins > peak:  # count losses instead of wins
        return _both_tails(bets - wins, bets, lost, chance)

    def logarithm(k: int) -> float:
        return log_choose(bets, k) + k * math.log(chance) + (bets - k) * math.log(lost)

    # A small tolerance counts ties in spite of rounding.
    limit = logarithm(wins) + 1e-7 + 1e-15 * math.lgamma(bets + 1)
    near, far = peak, bets + 1
    while near < far:  # `bisect` stops at 2**63
        middle = (near + far) // 2
        near, far = (near, middle) if logarithm(middle) <= limit else (middle + 1, far)
    return binomial_tail(bets - wins, bets, lost) + binomial_tail(near, bets, chance)
