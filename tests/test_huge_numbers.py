"""Numbers whose fractions would fill all memory are refused, wherever text or a decimal is taken exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import provably_fair as pf
import pytest
from provably_fair._core.numbers import exact_number
from provably_fair.auditing.grinding import grinding_chance
from provably_fair.bets import FreeSpins
from provably_fair.readings.reread import EDITS

HUGE = ["1e999999999", "1e-999999999", "-9.5E+888888888", "1e10001"]
THIRD = pf.Distribution([Fraction(1, 3), 2], [1, 1]).to_dict()
TAKERS = {
    "blackjack_pays": lambda number: pf.cards.Blackjack(blackjack_pays=number),
    "chance": lambda number: grinding_chance(number, 2),
    "time": pf.beacons.Drand("quicknet").round_at,
    "spin": lambda number: FreeSpins({(number, False): 1, (0, True): 1}, won=1, most=3).mean(),
    "times": lambda number: FreeSpins({(1, False): 1, (0, True): 1}, won=1, most=3, times=number).mean(),
    "data": lambda number: pf.Distribution.from_dict(THIRD | {"outcomes": [{"fraction": str(number)}, 2]}),
}


@pytest.mark.parametrize("number", [*HUGE, *map(Decimal, HUGE)], ids=repr)
@pytest.mark.parametrize("name", TAKERS)
def test_numbers_of_huge_exponents_are_refused(name, number):
    with pytest.raises((TypeError, ValueError), match=f"^{name} must ") as error:
        TAKERS[name](number)
    assert error.value.argument == name


@pytest.mark.parametrize("number", HUGE)
def test_a_field_of_a_log_stays_as_it_is_if_its_number_is_huge(number):
    _, published = EDITS["published"]
    assert published(number) == number.lower()
    assert published(" 0012.0") == "12"
    assert published("1/2") == "1/2"


def test_fractions_of_laws_keep_all_digits_that_python_writes():
    law = pf.Distribution([Fraction(1, 10**4299 - 1), 2], [1, 1])
    assert pf.Distribution.from_dict(law.to_dict()) == law
    assert exact_number("9" * 4300, "x") == 10**4300 - 1


COIN = pf.Dice().bet(1.98, under=50)
IN_FLOATS = {
    "stakes": lambda number: COIN.test([0, 0], stakes=number),
    "returns": COIN.test,
    "fraction": COIN.growth,
}


@pytest.mark.parametrize("name", IN_FLOATS)
def test_whole_numbers_that_no_float_holds_are_refused(name):
    with pytest.raises(ValueError, match=f"^{name} must be nearer to 0"):
        IN_FLOATS[name](10**400)


@pytest.mark.parametrize("number", ["NaN", "sNaN", "Infinity"])
def test_decimals_that_are_no_amounts_are_refused(number):
    with pytest.raises(ValueError, match=r"^bankroll must be finite"):
        COIN.ruin(Decimal(number))


def test_a_system_may_have_a_target_out_of_reach():
    system = pf.bets.Martingale()
    assert COIN.ruin(3, rounds=3, target=1e300, system=system) == COIN.ruin(3, rounds=3, system=system)


def test_what_is_taken_exactly_is_taken_as_before():
    assert pf.cards.Blackjack(blackjack_pays="7/5") == pf.cards.Blackjack(blackjack_pays=1.4)
    assert (
        grinding_chance("1e-3", 2, exact=True) == Fraction(1, 10**6) == grinding_chance(0.001, 2, exact=True)
    )
    drand = pf.beacons.Drand("quicknet")
    assert drand.round_at(str(drand.genesis)) == drand.round_at(Decimal(drand.genesis)) == 1
    assert FreeSpins({("2.5", False): 1}, won=0, most=1, times="2").mean() == 2.5
    with pytest.raises(ValueError, match=r"^chance must have fewer digits for so many salts"):
        grinding_chance("0." + "1" * 1000, 1_000_000)
