"""Results called exact are exact or refused: moments, probabilities, and quantiles."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair._core.counts import length
from provably_fair.bets import Bet

COIN = pf.Distribution([0, 1], [1, 3])
SUM = COIN.sum(62_208)
"""A sum in floating point, of which outcomes are left out."""
REFUSED = r"^the exact [a-z ]+ isn't known: .* within \S+, and outcomes below \S+ aren't listed; as a float"


def test_sums_in_floating_point_know_their_moments():
    assert SUM.truncation_error > 0
    assert SUM.probability_error > 0
    for law in (SUM, SUM.map(lambda x: x), pickle.loads(pickle.dumps(SUM))):
        assert law.mean(exact=True) == 62_208 * Fraction(3, 4)
        assert law.var(exact=True) == 62_208 * Fraction(3, 16)
        assert law.std(exact=True) == 108
        assert law.rtp(stake=62_208, exact=True) == Fraction(3, 4)
        assert law.expect(exact=True) == 46_656
    assert (SUM + COIN).mean(exact=True) == 62_209 * Fraction(3, 4)


@pytest.mark.parametrize(
    "law",
    [
        SUM.map(lambda x: 2 * x),
        SUM.given(lambda x: x > 44_000),
        SUM.truncate(44_000),
        SUM.maximum(3),
        SUM.minimum(3),
        pf.Distribution.mixture([(1, COIN), (2, SUM)]),
        pf.Distribution([0, 1], [1, 1], truncation_error=1e-9),
        pf.Distribution.from_probabilities([0, 1], [0.5, 0.5], truncation_error=1e-9),
        pf.Distribution([0, 1], [1, 1], truncation_error=1e-9).sum(2),
    ],
    ids=range(9),
)
def test_laws_made_of_truncated_ones_are_truncated(law):
    assert law.truncation_error > 0
    for again in (
        pickle.loads(pickle.dumps(law)),
        pf.Distribution.from_dict(json.loads(json.dumps(law.to_dict()))),
    ):
        assert again == law
        assert again.truncation_error == law.truncation_error
        assert again.probability_error == law.probability_error
    assert isinstance(law.mean(), float)
    for ask in (
        lambda: law.mean(exact=True),
        lambda: law.var(exact=True),
        lambda: law.kurtosis(exact=True),
        lambda: law.expect(lambda x: 2 * x, exact=True),
        lambda: law.rtp(exact=True),
        lambda: law.probability_between(0, 1, exact=True),
        lambda: law.total_variation(COIN, exact=True),
        lambda: COIN.total_variation(law, exact=True),
    ):
        with pytest.raises(ValueError, match=REFUSED):
            ask()
    for ask in (lambda: law.std(exact=True), lambda: law.skew(exact=True)):
        with pytest.raises(ValueError, match=r"exact"):
            ask()


def test_what_is_truncated_bounds_what_is_missing():
    # 400 coins, with integers and with floats: once weights are too long, the distribution isn't exact.
    exact = [math.comb(400, k) for k in range(401)]
    law = pf.Distribution([0, 1], [1 << 20_000, 1 << 20_000]).sum(400)
    parity = law.map(lambda x: x % 2)
    for value in (0, 1):
        expected = Fraction(sum(exact[value::2]), 2**400)
        off = Fraction(parity.probability_error) + Fraction(parity.truncation_error)
        assert abs(Fraction(parity.weights[value], parity.total) - expected) <= off
    some = law.given(lambda x: x >= 230)
    for value in (230, 240, 260):
        expected = Fraction(exact[value], sum(exact[230:]))
        assert abs(Fraction(float(some.pmf(value))) - expected) <= Fraction(some.probability_error)


def test_a_median_is_exact_where_no_error_moves_it():
    assert SUM.median(exact=True) == 46_656
    open_ended = pf.Distribution([0, 1], [1, 1], probability_error=1e-9)
    assert open_ended.median() == 0
    with pytest.raises(ValueError, match=r"^the exact median isn't known"):
        open_ended.median(exact=True)


def test_what_is_truncated_is_no_impossible_outcome():
    law = SUM.map(lambda x: 2 * x)
    counts = {2 * 62_208: 1, 2 * 46_656: 10_000}
    assert law.chisquare(counts).statistic < math.inf


def test_a_bet_says_its_return_exactly_or_refuses():
    bet = Bet(SUM.map(lambda x: Fraction(x, 51_840)), lambda *_: np.zeros(1))
    assert bet.rtp == pytest.approx(0.9, rel=1e-12)
    assert bet.house_edge == pytest.approx(0.1, rel=1e-11)
    for name in ("exact_rtp", "exact_house_edge"):
        with pytest.raises(ValueError, match=REFUSED) as refused:
            getattr(bet, name)
        assert refused.value.argument == "exact"
    assert "0.9" in repr(bet)


LAWS = {
    "die": pf.Distribution(range(1, 7), [1] * 6),
    "thirds": pf.Distribution(range(300), [3 + x % 7 for x in range(300)]),
    "64 bits": pf.Dice().distribution("as_drawn"),
    "sum": COIN.sum(40),
    "in floating point": COIN.sum(20_000),
    "the same as weights": pf.Distribution(COIN.sum(20_000).outcomes, COIN.sum(20_000).weights),
    "tickets": pf.Jackpot(tickets=3_000_001).distribution(),
    "unlisted": pf.Jackpot(tickets=10**15).distribution("as_drawn"),
    "all": pf.Jackpot(tickets=2**53).distribution(),
    "all as drawn": pf.Jackpot(tickets=2**53).distribution("as_drawn"),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_quantile_of_a_cdf_is_the_outcome(name):
    law = LAWS[name]
    if length(law) < 10**6:
        asked = law.outcomes[(law.cdf(law.outcomes) < 1) & (law.pmf(law.outcomes) > 2**-52)]
    else:
        asked = np.unique(np.geomspace(1, length(law) - 1, 60).astype(np.int64))
    shares = law.cdf(asked)
    assert law.quantile(shares).tolist() == law.ppf(shares).tolist() == asked.tolist()
    assert [law.quantile(share) for share in shares.tolist()] == asked.tolist()
    for share in (0.0, 1.0, 1e-300, 0.5, 0.1, 0.9, math.nextafter(1, 0)):
        found = law.quantile(share)
        # The smallest outcome whose cdf reaches the share.
        assert law.cdf(found) >= share
        assert (
            found == (law.outcomes[0] if length(law) < 10**6 else 1)
            or law.cdf(found - 1) < share
            or share == 1
        )


def test_quantiles_of_fractions_are_exact():
    drawn = LAWS["all as drawn"]
    for place in (1, 2**52 - 3, 2**52 + 1, 2**53 - 1):
        share = drawn.probability_between(1, place, exact=True)
        assert drawn.quantile(share) == place
        assert drawn.quantile(share + Fraction(1, 2**70)) == place + 1
    rare = pf.Distribution([0, 1], [10**20 - 1, 1])
    assert (
        rare.quantile(1)
        == rare.quantile(1.0)
        == rare.quantile(Fraction(10**20 - 1, 10**20) + Fraction(1, 10**30))
        == 1
    )
    assert rare.quantile(Fraction(10**20 - 1, 10**20)) == 0


def test_quantiles_of_many_tickets_are_told_apart():
    rows = [line.split() for line in str(LAWS["all"]).splitlines()[2:]]
    shown = dict(row for row in rows if len(row) == 2)
    assert len(set(shown.values())) == len(shown) == 9
    assert shown["75%"] == str(3 * 2**51)
