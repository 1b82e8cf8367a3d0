"""Bets whose law is found by their payout, and bets without a law."""

from __future__ import annotations

import bisect
import itertools
import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from own_games import game_of
from provably_fair.games import _enumeration as enumeration
from provably_fair.operators import bustabit, stake


class Dice9(pf.Game):
    """Nine dice: too many outcomes to list."""

    def outcome(self, draws):
        return draws.each(9).below(6)


class Shoe(pf.Game):
    """The first six cards of eight decks."""

    def outcome(self, draws):
        return draws.sample(416, 6)


def total(dice):
    return dice.sum(axis=1)


def higher(cards):
    return np.where(cards[:, 0] % 13 > cards[:, 1] % 13, 1.95, 0)


# ---- the law of a payout ----


def test_the_law_of_a_payout_needs_no_list_of_outcomes():
    bet = Dice9().bet(total, law="ideal")
    assert bet.law == Dice9().bet(of=total, law="ideal").law
    assert (bet.exact_rtp, bet.on) == (Fraction(45, 2), "Dice9()")
    outcomes = Dice9().simulate(500)
    assert bet.returns(outcomes).tolist() == outcomes.sum(axis=1).tolist()
    assert bet.simulate(500).tolist() == outcomes.sum(axis=1).tolist()
    assert pickle.loads(pickle.dumps(bet)) == bet == Dice9().bet(total, law="ideal")
    assert Dice9().bet(total).law_kind == "as_drawn"


def test_payouts_of_single_outcomes_are_still_taken():
    two = game_of(lambda draws: draws.each(2).below(6))
    alone = two.bet(lambda dice: 4 if dice == (0, 0) else 0.5, law="ideal")
    assert alone.exact_rtp == Fraction(4 + 35 * Fraction(1, 2), 36)
    assert two.bet(total, law="ideal").sampler.values == two.distribution()


@pytest.mark.thorough
def test_a_payout_may_have_a_law_where_outcomes_are_too_many_to_list():
    bet = bustabit.V3().bet(lambda busts: np.where(busts >= 2, 2, 0))
    assert bet.law == bustabit.V3().bet(cash_out=2).law
    with pytest.raises(ValueError, match=r"more than 4,194,304 different .*A bet with law=None"):
        bustabit.V3().bet(lambda busts: np.where((busts >= 2) & (busts < 3), 2, 0))


def test_the_product_of_numbers_has_a_law():
    assert stake.Tarot().bet().rtp == pytest.approx(0.98, abs=5e-5)


# ---- bets without a law ----


def test_a_bet_without_a_law_is_simulated():
    with pytest.raises(
        ValueError, match=r"^Shoe has no law .*\. A bet with law=None needs no law, and is sim"
    ):
        Shoe().bet(higher)
    bet = Shoe().bet(higher, law=None)
    assert (bet.law, repr(bet)) == (None, "<Bet on Shoe(): no exact law, return nan>")
    outcomes = Shoe().simulate(1000)
    paid = higher(outcomes)
    assert bet.simulate(1000).tolist() == bet.returns(outcomes).tolist() == paid.tolist()
    assert float(bet.returns(outcomes[0])) == paid[0]
    estimate = bet.estimate(1000)
    assert (estimate.rtp, estimate.method) == (pytest.approx(paid.mean(), rel=1e-12), "student")
    assert bet.paths(10, paths=3).values.shape == (3, 11)
    assert bet.rounded("0.1").returns(outcomes).max() == 1.9
    assert pickle.loads(pickle.dumps(bet)) == bet == Shoe().bet(higher, law=None)
    assert len({bet, Shoe().bet(higher, law=None)}) == 1
    assert math.isnan(bet.rtp)


@pytest.mark.parametrize("call", ["test([0])", "interval([0])", "sum(2)", "ruin(9)", "kelly()", "monitor()"])
def test_what_needs_a_law_says_so(call):
    bet = Shoe().bet(higher, law=None)
    with pytest.raises(ValueError, match=r"^law (of the bet )?must be known"):
        eval(f"bet.{call}", {"bet": bet})


@pytest.mark.parametrize(
    ("game", "payout", "asked"),
    [
        (pf.Dice(), 1.98, {"under": 50}),
        (pf.Crash(), None, {"cash_out": 2}),
        (pf.Double(), {0: 14, 7: 2.5}, {}),
        (stake.Dice(), None, {"under": 50}),
        (stake.Plinko(), None, {"risk": "high"}),
        (stake.Plinko(), lambda bucket: 4 if bucket == 8 else 0.5, {}),
        (stake.Tarot(), None, {}),
        (pf.Plinko(balls=3), {3: 5}, {}),
        (pf.Slot(), {0: 40}, {"reel": 4}),
        (Dice9(), {(0,) * 9: 100}, {"of": None}),
        (Dice9(), 1.5, {"of": lambda dice: dice[:, 0] < 4}),
        (Dice9(), None, {"of": lambda dice: dice.max(axis=1) / 4}),
    ],
)
def test_without_a_law_the_same_is_paid(game, payout, asked):
    asked = {name: value for name, value in asked.items() if value is not None}
    bet = game.bet(payout, law=None, **asked)
    outcomes = game.simulate(300)
    paid = bet.returns(outcomes)
    assert bet.simulate(300).tolist() == paid.tolist()
    if isinstance(payout, dict) and isinstance(game, Dice9):
        assert bet.returns([[0] * 9, [1] * 9]).tolist() == [100, 0]
        return
    law = game.bet(payout, **asked)
    assert (bet.on, bet.note) == (law.on, law.note)
    assert paid.tolist() == pytest.approx(law.returns(outcomes).tolist(), abs=1e-8)


def test_payouts_in_order_need_a_law():
    with pytest.raises(
        TypeError, match=r"^payout must be a function, a table by outcome or a number with law=N"
    ):
        stake.Plinko().bet([1] * 17, law=None)
    with pytest.raises(TypeError, match=r"^payout must be given"):
        Shoe().bet(law=None)


# ---- what nothing can win ----


@pytest.mark.parametrize(
    ("game", "cure"),
    [
        (stake.Crash(), ". Give cash_out=2"),
        (pf.Overgo(), ". Give cash_out=2"),
        (stake.Dice(), ". Give under or over"),
        (stake.Plinko(), ". Give risk"),
        (pf.Double(), ""),
        (Shoe(), ""),
    ],
    ids=lambda one: one if isinstance(one, str) else repr(one),
)
def test_a_number_that_nothing_wins_is_refused_before_a_law_is_found(game, cure, monkeypatch):
    def found(*_):
        raise AssertionError

    monkeypatch.setattr("provably_fair.games.answering.law_of", found)
    with pytest.raises(TypeError) as refused:
        game.bet(2)
    assert str(refused.value) == (
        f"payout must be a table or a function, got 2: nothing says when it wins{cure}"
    )


# ---- bisection ----


@pytest.mark.parametrize("n", [1, 2, 3, 1 << 16, (1 << 18) + 1])
def test_steps_are_found_exactly(n):
    from provably_fair.games._weights import Ideal

    def thirds(draws):
        return -(draws.below(n) // 3)

    values, weights = enumeration.bisect_outcomes(thirds, np.asarray, Ideal(None))
    assert dict(zip(values, weights, strict=True)) == {
        -third: min(3, n - 3 * third) for third in range(-(-n // 3))
    }


class OwnCrash(pf.games.kinds.MultiplierGame):
    """A crash of one's own, with instant busts by a draw of their own."""

    def outcome(self, draws):
        bust = draws.below(50) == 0
        return np.where(bust, 1.0, np.floor(99 / (1 - draws.number())) / 100)


class Late(pf.Game):
    """The same the other way around, and a factor that turns the number about."""

    def outcome(self, draws):
        number, sign, low = draws.number(), draws.below(3) - 1, draws.coin()
        return np.where(low, -1.0, np.floor(number * 8)) * np.where(sign > 0, 2.0, 1.0)


def words_from(least, of):
    """The first k of 0 ... 2**53 for which a rising function of k / 2**53 is at least something."""
    return bisect.bisect_left(range(2**53), least, key=lambda k: of(k / 2**53))


@pytest.mark.thorough
def test_a_long_draw_beside_short_ones_is_bisected_for_each_of_them():
    reached = 2**53 - words_from(2.0, lambda u: math.floor(99 / (1 - u)) / 100)
    law = OwnCrash().distribution(cash_out=2.0)
    chance = Fraction(49, 50) * Fraction(reached, 2**53)
    assert dict(law) == {0: 1 - chance, 2: chance}
    assert OwnCrash().bet(cash_out=2.0).rtp == pytest.approx(float(2 * chance))
    with pytest.raises(
        ValueError, match=r"too many to try: ask for the law of something about it: cash_out="
    ):
        OwnCrash().distribution()
    counts = Counter()
    for sign, low, eighth in itertools.product((-1, 0, 1), (0, 1), range(8)):
        words = words_from(eighth + 1, lambda u: math.floor(u * 8)) - words_from(
            eighth, lambda u: math.floor(u * 8)
        )
        counts[(-1.0 if low else eighth) * (2.0 if sign > 0 else 1.0)] += Fraction(words, 6 * 2**53)
    found = Late().distribution()
    assert {float(value): weight for value, weight in found} == counts


def test_a_function_that_falls_and_rises_is_bound_by_its_variation():
    ten = game_of(lambda draws: np.floor(draws.number() * 10))
    bet = ten.bet(of=lambda tens: np.abs(tens - 5), law="ideal")
    # Its variation is 9: five steps down, four up; a number's distribution is 2**-53 from uniform, at most.
    assert 9 * 2.0**-54 < bet.law_error < 20 * 2.0**-53
    assert ten.bet(of=lambda tens: np.minimum(tens, 5), law="ideal").law_error < 1e-14
    # Of 240**5 combinations of prizes no bound is tried.
    packs = stake.Packs().bet(of=lambda prizes: (prizes.max(axis=1) >= 3) * 2.0, law="ideal")
    assert math.isnan(packs.law_error)


# ---- which law it is ----


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        (pf.Double(), {}),
        (pf.Crash(), {"cash_out": 2}),
        (stake.Dice(), {"under": 50}),
        (stake.Plinko(), {}),
        (pf.Jackpot(tickets=1000), {}),
        (Dice9(), {"of": total}),
    ],
)
def test_a_law_says_which_it_is_and_how_far_they_are_apart(game, asked):
    ideal, drawn = (game.distribution(law, **asked) for law in ("ideal", "as_drawn"))
    assert repr(game.distribution(**asked)) == repr(ideal)
    for law, which in (ideal, "ideal"), (drawn, "as drawn"):
        assert repr(law).endswith(f", {which}>")
        assert f", {which}" in str(law).splitlines()[0]
        assert f", {which}" in law._repr_html_()
        assert law.bias(exact=True) == ideal.total_variation(drawn, exact=True)
        assert law.bias() == float(law.bias(exact=True))


def test_which_law_it_is_changes_nothing_else():
    law = pf.Double().distribution()
    plain = pf.Distribution(law.outcomes, law.weights)
    assert law == plain
    assert hash(law) == hash(plain)
    assert pickle.dumps(law) == pickle.dumps(plain)
    assert law.to_dict() == plain.to_dict()
    for other in plain, pickle.loads(pickle.dumps(law)), law + law, law.map(lambda slot: slot % 2):
        assert "ideal" not in repr(other)
        with pytest.raises(ValueError, match=r"^law must be that of a game to have a bias"):
            other.bias()


def test_a_bias_that_cannot_be_listed_is_refused():
    with pytest.raises(ValueError, match="as drawn can't be listed"):
        game_of(lambda draws: draws.distinct(5, 2)).distribution().bias()


def test_a_bet_says_which_law_it_has():
    assert str(pf.Double().bet({0: 14})).splitlines()[-1].split(maxsplit=1) == ["law", "as drawn"]
    ideal = str(pf.Double().bet({0: 14}, law="ideal"))
    assert "ideal, the return is within" in ideal.splitlines()[-1]

    again = str(game_of(lambda draws: draws.below(draws.below(3) + 1)).bet({0: 2}, law="ideal"))
    assert again.splitlines()[-1].endswith("ideal, no bound on its error is known")
    assert "law" not in str(pf.bets.Bet(pf.Distribution([0, 2], [1, 1])))


def test_a_payout_of_several_values_is_refused_without_a_law():
    bet = Shoe().bet(lambda cards: cards, law=None)
    with pytest.raises(
        ValueError, match=r"payout must return a value for each of 10 outcomes, got \(10, 6\)"
    ):
        bet.simulate(10)
