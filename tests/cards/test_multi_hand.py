"""The law of what several hands pay together that are drawn from one hold."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import likely
from provably_fair._engine import canonical_deals

VideoPoker = pf.cards.VideoPoker
Paytable = pf.cards.Paytable


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize(
    ("name", "hands"),
    [("jacks_or_better", 10), *itertools.product(["deuces_wild", "joker_poker"], [1, 3])],
)
def test_mean_and_variance(name, hands):
    # The variance comes from the values of holds alone.
    analysis = VideoPoker(name).analyze()
    law = analysis.multi_hand_law(hands)
    assert law.mean(exact=True) == hands * analysis.exact_rtp
    assert law.var(exact=True) == analysis.multi_hand_variance(hands, exact=True)


def test_one_hand_is_the_analysis():
    analysis = VideoPoker("bonus_poker").analyze()
    expected = defaultdict(Fraction)
    for row in analysis.rows:
        expected[row.pays] += Fraction(row.combinations, analysis.total)
    assert likely(analysis.multi_hand_law(1)) == expected


def test_hands_of_a_deal_that_is_held():
    # Every hand equals the deal.
    analysis = VideoPoker("jacks_or_better").analyze(lambda hand: [1, 2, 3, 4, 5])
    one, four = (analysis.multi_hand_law(hands) for hands in (1, 4))
    assert (4 * one.outcomes).tolist() == four.outcomes[four.probabilities > 0].tolist()
    assert four.pmf(4 * one.outcomes).tolist() == one.probabilities.tolist()


def test_given_the_deal_hands_are_independent():
    # If every paying hand pays 1, a hold's value is its probability of paying; the hands of a deal are
    # independent.
    game = VideoPoker("tens_or_better")
    pays = dict.fromkeys(
        ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"), 1
    )
    pays |= dict.fromkeys(("three_of_a_kind", "two_pair", "high_pair"), 1)
    hits = VideoPoker(Paytable(**pays, minimum_pair="10"))
    deals, weights = canonical_deals()
    held = game.best_hold(deals) @ (1 << np.arange(5))
    missed = 1 - hits.hold_values(deals)[np.arange(len(deals)), held]
    for hands in (2, 6):
        law = game.analyze().multi_hand_law(hands)
        assert law.pmf(0) == pytest.approx(float(missed**hands @ weights) / 2_598_960, rel=1e-12)


def test_fractions_and_equal_pays():
    analysis = VideoPoker({"high_pair": 1.5, "two_pair": 1.5}).analyze()
    law = analysis.multi_hand_law(2)
    assert law.mean(exact=True) == 2 * analysis.exact_rtp
    assert law.outcomes[1] == 1.5
