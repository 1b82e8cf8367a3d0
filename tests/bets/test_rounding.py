"""Rounded payouts, checked with the standard library's decimals and fractions."""

from __future__ import annotations

import decimal
import itertools
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.bets import Bet

WAYS = {
    "down": decimal.ROUND_DOWN,
    "up": decimal.ROUND_UP,
    "half_up": decimal.ROUND_HALF_UP,
    "half_even": decimal.ROUND_HALF_EVEN,
}
EXACT = decimal.Context(prec=200, Emax=10_000, Emin=-10_000)


def paid(payout: Decimal, stake: Decimal, unit: Decimal, rounding: str) -> Decimal:
    """A payout rounded with `decimal` alone."""
    return EXACT.multiply(payout, stake).quantize(unit, WAYS[rounding], EXACT)


def return_of(table: list[tuple[Decimal, int]], stake: Decimal, unit: Decimal, rounding: str) -> Fraction:
    total = sum(weight for _, weight in table)
    back = sum(Fraction(paid(payout, stake, unit, rounding)) * weight for payout, weight in table)
    return back / total / Fraction(stake)


def bet_on(table: list[tuple[Decimal, int]]) -> Bet:
    return Bet(pf.Distribution([payout for payout, _ in table], [weight for _, weight in table]))


def a_table(rng: random.Random) -> list[tuple[Decimal, int]]:
    """A paytable of up to nine amounts with up to four decimals and weights of any size."""
    places = rng.randint(0, 4)
    size = rng.randint(1, 9)
    amounts = {Decimal(rng.randint(0, 10 ** rng.randint(1, 7))).scaleb(-places) for _ in range(size)}
    return [(amount, rng.randint(1, 10 ** rng.randint(1, 40))) for amount in sorted(amounts)]


@pytest.mark.thorough
def test_returns_are_those_of_decimals():
    """A thousand paytables, stakes from 10^-8 to 10^4, units from 10^-8 to 1, all four rounding modes."""
    rng = random.Random("rounded returns")
    for number in range(1000):
        table = a_table(rng)
        bet = bet_on(table)
        unit = Decimal(1).scaleb(-rng.randint(0, 8))
        stakes = [Decimal(rng.randint(1, 10**12)).scaleb(-8) for _ in range(3)]
        stakes += [Decimal(1).scaleb(rng.randint(-8, 4)), Decimal("1e-8"), Decimal("1e4")]
        for rounding in WAYS:
            expected = [return_of(table, stake, unit, rounding) for stake in stakes]
            given = [str(stake) if number % 2 else stake for stake in stakes]
            found = bet.rtp_by_stake(given, unit=str(unit), rounding=rounding)
            assert list(found.exact_rtp) == expected
            assert found.rtp.tolist() == [float(one) for one in expected]
            assert list(found.stake) == given
        rounded = bet.rounded(unit=unit, stake=stakes[0], rounding="half_even")
        assert rounded.exact_rtp == return_of(table, stakes[0], unit, "half_even")
        weights: dict[Fraction, int] = {}
        for payout, weight in table:
            each = Fraction(paid(payout, stakes[0], unit, "half_even")) / Fraction(stakes[0])
            weights[each] = weights.get(each, 0) + weight
        law = rounded.law
        outcomes = [Fraction(str(outcome)) for outcome in law.outcomes.tolist()]
        assert dict(zip(outcomes, law.weights, strict=True)) == weights


def test_amounts_below_0_are_rounded_as_decimals_are():
    table = [(Decimal(amount), 1) for amount in ("-1.005", "-0.015", "-0.005", "0.005", "0.015")]
    for rounding in WAYS:
        found = bet_on(table).rounded("0.01", rounding=rounding).law.support()
        each = [paid(amount, Decimal(1), Decimal("0.01"), rounding) for amount, _ in table]
        assert tuple(map(Fraction, map(str, found))) == (Fraction(min(each)), Fraction(max(each)))
        assert bet_on(table).rounded("0.01", rounding=rounding).exact_rtp == return_of(
            table, Decimal(1), Decimal("0.01"), rounding
        )


def test_numbers_are_what_they_are_written_as():
    bet = bet_on([(Decimal(0), 1), (Decimal("1.98"), 1)])
    expected = bet.rounded("0.01", stake="0.1")
    for unit, stake in itertools.product((0.01, Decimal("0.01"), Fraction(1, 100)), (0.1, np.float32(0.1))):
        assert bet.rounded(unit, stake).law == expected.law
    assert bet.rounded("1/3", stake="1/7").exact_rtp == 0
    assert bet.rounded(Fraction(1, 3), "1/7", "up").exact_rtp == Fraction(7, 6)
    table = bet.rtp_by_stake(np.array([0.01, 1.0]))
    assert bet.rtp_by_stake(np.array(1)).rtp == table.rtp[1]
    assert table in {bet.rtp_by_stake([0.01, 1.0]), table}  # arrays have no single truth value
    assert table.exact_rtp == (Fraction(1, 2), Fraction(99, 100))


def test_rounds_are_paid_what_the_law_says():
    bet = pf.Plinko(pins=8).bet([5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6])
    rounded = bet.rounded("0.01", stake="0.03", rounding="half_up")
    back, exact = rounded.simulate(2000), bet.simulate(2000)
    expected = [
        float(Fraction(paid(Decimal(repr(one)), Decimal("0.03"), Decimal("0.01"), "half_up")) * 100 / 3)
        for one in exact.tolist()
    ]
    assert back.tolist() == pytest.approx(expected, abs=1e-12)
    assert rounded.test(back) > 1e-3
    assert rounded == bet.rounded("0.01", stake="0.03", rounding="half_up") != bet
    assert pickle.loads(pickle.dumps(rounded)) == rounded
    assert "stake 0.03, paid in units of 0.01, rounded half_up" in rounded.on


def test_what_is_known_of_the_law_stays_known():
    bet = pf.Dice().bet(1.98, under=50)
    assert bet.law_kind == bet.rounded().law_kind == "as_drawn"
    assert bet.rounded().law_error == 0
    assert np.isnan(pf.Dice().bet(1.98, under=50, law="ideal").rounded().law_error)
    # A floating-point distribution has no exact return, rounded or not.
    many = Bet(pf.Distribution([0, 1, 3], [2, 1, 1]).sum(5000))
    table = many.rtp_by_stake(["0.5"], unit="1")
    assert table.exact_rtp == (None,)
    assert table.rtp[0] == pytest.approx(many.rounded("1", "0.5").rtp)


def test_the_table_as_frames():
    bet = bet_on([(Decimal(0), 1), (Decimal("1.98"), 1)])
    table = bet.rtp_by_stake(["0.01", "1"])
    for frame in table.to_pandas(), table.to_polars():
        assert [*frame.columns] == ["stake", "rtp", "exact_rtp"]
        assert [*frame["rtp"]] == [0.5, 0.99]
        assert list(map(Fraction, frame["exact_rtp"])) == [Fraction(1, 2), Fraction(99, 100)]
    assert "0.500000" in str(table)
    assert "<table" in table._repr_html_()
    assert len(table) == 2


def nearest(table: list[tuple[Decimal, int]], margin: Fraction, rounding: str, most: int) -> list[bool]:
    """Whether the return is within a margin of the claimed one at 1, 2, 3, ... units."""
    claimed = Fraction(sum(Fraction(payout) * weight for payout, weight in table)) / sum(w for _, w in table)
    each = (return_of(table, Decimal(k), Decimal(1), rounding) for k in range(1, most + 1))
    return [abs(one - claimed) <= margin for one in each]


def test_the_least_stake_is_the_first_that_is_near_enough():
    rng = random.Random("least stakes")
    for _ in range(60):
        size, places = rng.randint(1, 5), rng.randint(0, 2)
        amounts = {Decimal(rng.randint(0, 10**3)).scaleb(-places) for _ in range(size)}
        table = [(amount, rng.randint(1, 1000)) for amount in sorted(amounts)]
        margin = rng.choice(["0.5", "0.1", "0.02", "1/37"])
        most = int(1 / Fraction(margin)) + 3
        for rounding in WAYS:
            near = nearest(table, Fraction(margin), rounding, most)
            bet = bet_on(table)
            assert bet.least_stake(margin, unit=1, rounding=rounding) == near.index(True) + 1
            last = max((k + 1 for k, one in enumerate(near) if not one), default=0)
            assert bet.least_stake(margin, unit=1, rounding=rounding, lasting=True) == last + 1


def test_the_least_stake_by_currency():
    bet = bet_on([(Decimal(0), 1), (Decimal("1.98"), 1)])
    for currency, decimals in {"EUR": 2, "btc": 8, "JPY": 0, "KWD": 3}.items():
        assert bet.least_stake("0.001", currency=currency) == 46 * Fraction(1, 10**decimals)
    # 0.45 and 0.46 are due 0.891 and 0.9108, paid as 0.89 and 0.91: half of that is 0.98889 and 0.98913 of
    # the stake.
    assert bet.least_stake("0.001") == Fraction(46, 100)
    with pytest.raises(ValueError, match="currency must be a known code such as 'EUR' or 'BTC', got 'XXX'"):
        bet.least_stake("0.001", currency="XXX")
    with pytest.raises(ValueError, match="currency isn't supported with unit"):
        bet.least_stake("0.001", currency="BTC", unit="0.01")
    with pytest.raises(ValueError, match="within must be larger for this bet"):
        bet_on([(Decimal("0.123456789123"), 1)]).least_stake("1e-12")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"unit": "1e-99"}, "unit must be above 0, from 1e-40 to 1e40"),
        ({"unit": "1e999999999"}, "unit must be a number such as '0.01'"),
    ],
)
def test_what_is_no_amount_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        pf.Dice().bet(1.98, under=50).rounded(**arguments)


def test_stakes_are_refused_by_their_place():
    bet = pf.Dice().bet(1.98, under=50)
    with pytest.raises(ValueError, match=r"stakes\[1\] must be above 0.*got '-1'") as caught:
        bet.rtp_by_stake(["1", "-1"])
    assert caught.value.row == 1
