"""The search for what explains rows: which games reproduce them, and the bounds on chance."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import provably_fair as pf
import pytest
from provably_fair._core.tails import log_bound
from provably_fair.readings.search import Cells, evidence, is_sure, tail

DICE, LIMBO = pf.operators.stake.Dice(), pf.operators.stake.Limbo()


def cells_of(rows=40, wrong=()):
    fields = {"server_seed": ["server"] * rows, "client_seed": ["me"] * rows, "nonce": list(range(rows))}
    outcomes = [(float(one),) for one in DICE.play(**fields)]
    return Cells(fields, [(-1.0,) if row in wrong else one for row, one in enumerate(outcomes)])


def test_a_game_is_given_up_on_the_first_rows_that_it_fails():
    cells, seen = cells_of(), []

    def parts():
        for count in (6, 24, 40):
            seen.append(count)
            yield cells.first(count)

    assert evidence(LIMBO, parts()) is None
    assert seen == [6]
    found = evidence(DICE, parts())
    assert (found.matched, found.tried, seen) == (40, 40, [6, 6, 24, 40])
    assert found.pvalue < 1e-60
    some = evidence(DICE, [cells_of(wrong=[3, 20])])
    assert (some.matched, some.tried) == (38, 40)
    assert found.pvalue < some.pvalue < 1e-50
    assert evidence(DICE, [cells_of(wrong=range(20))]) is None
    assert evidence(DICE, [Cells({}, [])]) is None


def test_rows_that_are_one_round_to_a_game_count_once():
    """Equal outcomes of a round that a reading doesn't tell apart are a single try."""
    lower = {reading.text: reading.game for reading in pf.readings(DICE)}["client_seed in lower case"]
    spellings = ["".join(each) for each in itertools.product(*zip("abcd", "ABCD", strict=True))]
    fields = {"server_seed": ["server"] * 16, "client_seed": spellings, "nonce": [1] * 16}
    seen = evidence(lower, [Cells(fields, [(float(DICE.play("server", "abcd", 1)),)] * 16)])
    assert (seen.matched, seen.tried) == (16, 16)
    assert 1e-5 < seen.pvalue < 1e-2
    assert evidence(lower, [cells_of(16)]).pvalue < 1e-30
    # A field that the game doesn't hash tells no rounds apart.
    flips = {"server_seed": "seed", "client_seed": "me", "nonce": 5, "round": list(range(60))}
    for side in (0, 1):
        for seed in range(4):
            log = flips | {"server_seed": f"seed {seed}", "outcome": [side] * 60}
            assert pf.verify(log, "bcgame.coinflip").suggestions == ()


def test_the_tail_is_that_of_all_combinations():
    rates = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 50), Fraction(2, 7), Fraction(9, 10)]
    for matched in range(len(rates) + 2):
        exact = sum(
            math.prod(rate if hit else 1 - rate for rate, hit in zip(rates, hits, strict=True))
            for hits in itertools.product((False, True), repeat=len(rates))
            if sum(hits) >= matched
        )
        assert tail([float(rate) for rate in rates], matched) == pytest.approx(float(exact), rel=1e-12)


def test_all_hypotheses_tried_count():
    assert is_sure(1e-9, 100)
    assert not is_sure(1e-9, 1000)
    assert not is_sure(1e-6, 0)


@pytest.mark.parametrize("probability", [0.01, 0.3, 0.9])
def test_the_bound_is_above_the_binomial_tail(probability):
    exactly = Fraction(probability)
    for hits in range(21):
        exact = sum(
            math.comb(20, one) * exactly**one * (1 - exactly) ** (20 - one) for one in range(hits, 21)
        )
        assert math.log(exact) <= log_bound(hits / 20, 20, probability) + 1e-12 <= 1e-12
