"""The bound on the error of an ideal law, beside exact laws of all words, for payouts that go up and down."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.games import kinds
from provably_fair.operators import stake
from provably_fair.operators.stake.tables import LEVELS

BITS = 8
SCHEME = pf.Scheme(pf.Hash("sha256", "{server_seed}:{client_seed}:{nonce}"), bits=BITS)
# In turn just above and just below a word, so that errors of payouts that go up and down add up.
THRESHOLDS = tuple(
    (word + 0.01 * (-1) ** place) / 256 for place, word in enumerate((24, 30, 81, 130, 199, 240))
)
STEP = Fraction(1, 2**BITS)


def valued(numbers):
    return np.searchsorted(THRESHOLDS, numbers, side="right")


class Steps(pf.Game):
    """The index of the step that a number is on."""

    kind = kinds.plain(shape=(), dtype=int)
    monotone = True

    def outcome(self, draws):
        return valued(draws.number())


class ManySteps(pf.games.IndependentGame):
    """The same for three numbers, the second of which falls."""

    kind = kinds.independent(kinds.plain(shape=(), dtype=int), 3, rises=True)

    def part(self, draws, place):
        found = valued(draws.number())
        return 6 - found if place == 1 else found


def chances(values, words):
    """Return the probability of each value by the number of words below each threshold."""
    begins = [0, *(math.ceil(Fraction(threshold) * words) for threshold in THRESHOLDS), words]
    return dict(zip(values, (Fraction(b - a, words) for a, b in itertools.pairwise(begins)), strict=True))


def mean(paid, words, parts=(range(7),)):
    """Return the mean of what is paid, by all combinations of values."""
    laws = [chances(values, words) for values in parts]
    return sum(
        math.prod(p for _, p in chosen) * paid(*(value for value, _ in chosen))
        for chosen in itertools.product(*(law.items() for law in laws))
    )


PARTS = (range(7), range(6, -1, -1), range(7))
TABLES = [[random.Random(seed).choice([0, 1, 2, 7]) for _ in range(19)] for seed in range(30)]
TABLES += [[place % 2 for place in range(19)], [1, 0, 0, 0, 0, 0, *13 * [1]]]


def apart(paid, parts):
    return abs(mean(paid, 2**53, parts) - mean(paid, 2**BITS, parts))


def test_a_payout_of_a_number_may_go_up_and_down():
    game = Steps().with_scheme(SCHEME)
    beyond = 0
    for table in TABLES:
        bet = game.bet(table[:7], law="ideal")
        error = apart(lambda value, table=table: table[value], (range(7),))
        assert bet.exact_rtp == mean(lambda value, table=table: table[value], 2**53)
        varied = sum(abs(b - a) for a, b in itertools.pairwise(table[:7]))
        assert error <= Fraction(bet.law_error) == varied * STEP
        beyond += error > (max(table[:7]) - min(table[:7])) * STEP
    assert beyond


@pytest.mark.parametrize("table", [[0, 0, 1, 2, 2, 9, 12], [7, 5, 5, 1, 0, 0, 0], 7 * [3]])
def test_a_payout_that_rises_or_falls_varies_by_its_range(table):
    game = Steps().with_scheme(SCHEME)
    bet = game.bet(table, law="ideal")
    assert apart(lambda value: table[value], (range(7),)) <= bet.law_error == (max(table) - min(table)) * STEP
    assert game.bet(table, law="as_drawn").law_error == 0


@pytest.mark.parametrize("table", TABLES[-6:])
def test_payouts_of_several_numbers_may_go_up_and_down(table):
    game = ManySteps().with_scheme(SCHEME)
    subjects = {
        lambda parts: parts.sum(axis=1): lambda a, b, c: table[a + b + c],
        lambda parts: parts[:, 0] * parts[:, 1] % 5: lambda a, b, _: table[a * b % 5],
        lambda parts: parts[:, 1]: lambda _, b, __: table[b],
    }
    for of, paid in subjects.items():
        values = game.distribution(of=of).outcomes.tolist()
        bet = game.bet({value: table[value] for value in values}, of=of, law="ideal")
        assert bet.exact_rtp == mean(paid, 2**53, PARTS)
        error = apart(paid, PARTS)
        assert error <= Fraction(bet.law_error)
        cube = [[[paid(a, b, c) for c in range(7)] for b in range(7)] for a in range(7)]
        most = max(np.abs(np.diff(cube, axis=axis)).sum(axis=axis).max() for axis in range(3))
        assert bet.law_error == 3 * most * STEP


@pytest.mark.parametrize("level", LEVELS)
def test_errors_of_tables_by_32_bits(level):
    """Payouts of Stake's cases in turn differed by more than the range times 2**-32."""
    game = stake.Cases(level=level)
    outcomes = game.distribution().outcomes.tolist()
    payout = {outcome: place % 2 for place, outcome in enumerate(outcomes)}
    ideal, drawn = (game.bet(payout, law=law) for law in ("ideal", "as_drawn"))
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    assert level != "easy" or error > Fraction(1, 2**32)
    assert error <= Fraction(ideal.law_error) == (len(outcomes) - 1) * Fraction(1, 2**32)
    usual = game.bet(law="ideal")
    assert usual.law_error == pytest.approx((outcomes[-1] - outcomes[0]) * 2**-32, rel=1e-15)


@pytest.mark.parametrize("game", [stake.Tarot(), stake.Bars(tiles=3), stake.Packs()], ids=repr)
def test_errors_of_several_tables(game):
    ideal, drawn = (game.bet(law=law) for law in ("ideal", "as_drawn"))
    outcomes = ideal.law.outcomes
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    numbers = game.kind.facts["parts"]
    assert error <= Fraction(ideal.law_error)
    assert ideal.law_error == pytest.approx(numbers * float(outcomes[-1] - outcomes[0]) * 2**-32, rel=1e-15)


@pytest.mark.parametrize("level", LEVELS)
def test_errors_of_totals_that_pay_up_and_down(level):
    game = stake.Bars(level=level, tiles=2)
    totals = game.bet(law="ideal").sampler.values.outcomes.tolist()
    payout = [place % 2 for place in range(len(totals))]
    ideal, drawn = (game.bet(payout, law=law) for law in ("ideal", "as_drawn"))
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    assert 0 < error <= Fraction(ideal.law_error)
    assert ideal.law_error > 30 * 2.0**-32


def test_a_part_may_add_up_and_down():
    """Of three numbers, the middle values add most to the total, which is paid to the power of 2."""
    worth = np.array([0, 3, 1, 4, 2, 5, 0])
    game = ManySteps().with_scheme(SCHEME)
    total = pf.games.looks.Total(worth.__getitem__)
    values = game.distribution(of=total).outcomes
    bet = game.bet({value: value**2 for value in values.tolist()}, of=total, law="ideal")

    def paid(a, b, c):
        return int(worth[[a, b, c]].sum()) ** 2

    assert bet.exact_rtp == mean(paid, 2**53, PARTS)
    cube = [[[paid(a, b, c) for c in range(7)] for b in range(7)] for a in range(7)]
    most = max(np.abs(np.diff(cube, axis=axis)).sum(axis=axis).max() for axis in range(3))
    assert apart(paid, PARTS) <= Fraction(bet.law_error)
    assert 3 * most * STEP <= Fraction(bet.law_error) <= 3 * 6 * 15**2 * STEP


@pytest.mark.parametrize("answer", [0, 1])
def test_a_variation_that_is_unknown_in_some_rounds_is_no_bound(answer):
    class Sometimes(pf.Game):
        """A number is drawn after one of two answers; the law is the class's own."""

        kind = kinds.plain(
            shape=(), dtype=int, laws=(lambda *_: pf.distribution.Distribution([0, 1, 2], [1, 1, 2]),)
        )
        vectorized = False

        def outcome(self, draws):
            return int(draws.number() * 2) if draws.below(2) == answer else 2

    bet = Sometimes().with_scheme(SCHEME).bet([0, 1, 0], law="ideal")
    assert math.isnan(bet.law_error)
