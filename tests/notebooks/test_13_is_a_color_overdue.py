"""The claims of notebook 13 on a day of rolls, computed independently."""

from __future__ import annotations

import csv
import gzip
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import CORPUS
from provably_fair.operators import published


def longest(hits: list[bool]) -> int:
    """The longest run of misses, roll by roll."""
    runs = [len(list(run)) for hit, run in itertools.groupby(hits) if not hit]
    return max(runs, default=0)


def test_the_day_is_the_one_that_was_recorded(ran: dict[str, Any]) -> None:
    path = CORPUS / "blaze" / "double-2022" / "rounds.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        recorded = [int(row["number"]) for row in csv.DictReader(file)][::-1]
    differ = np.flatnonzero(np.array(recorded) != ran["day"]).tolist()
    assert differ == [500, 501]  # two adjacent rolls that the player has swapped
    assert recorded[500:502] == ran["day"][500:502][::-1].tolist()


def test_waits_and_shares_are_those_of_plain_loops(ran: dict[str, Any]) -> None:
    for color, (first, last) in ran["colors"].items():
        hits = [first <= roll <= last for roll in ran["day"].tolist()]
        assert ran["seen"][color] == longest(hits)
        for least in (0, 3, 7):
            after = [hits[i] for i in range(least, len(hits)) if not any(hits[i - least : i])]
            assert ran["shares"](ran["day"], color, least) == (len(after), sum(after))


def test_the_law_of_the_longest_wait_is_exact(ran: dict[str, Any]) -> None:
    # All sequences of four rolls.
    days = itertools.product(range(15), repeat=4)
    counts = np.bincount([longest([roll == 0 for roll in day]) for day in days])
    law = ran["longest_wait_law"](4, 1, 4)
    assert [Fraction(weight, law.total) for weight in law.weights] == [
        Fraction(n, 15**4) for n in counts.tolist()
    ]
    # The day's waits, tracked roll by roll.
    for color, numbers in (("white", 1), ("red", 7)):
        hit, law = numbers / 15, ran["laws"][color]
        for most in (5, 10, 15, 60, 123):
            if most >= law.outcomes[-1]:
                continue
            state = np.zeros(most + 1)
            state[0] = 1
            for _ in range(ran["ROLLS"]):
                state = np.concatenate([[hit * state.sum()], (1 - hit) * state[:-1]])
            assert law.cdf(most) == pytest.approx(state.sum(), rel=1e-9)


def test_the_text_says_what_was_found(ran: dict[str, Any], notebook: Any) -> None:
    text = notebook.text
    law, every = ran["laws"]["white"], ran["every"]
    chance = 1 - law.cdf(ran["seen"]["white"] - 1)
    low, high = law.quantile(0.05), law.quantile(0.95)
    count, hits = ran["shares"](every, "white", 60)
    assert f"The longest wait was of {ran['longest']} rolls" in text
    assert f"**Answer: of {count:,} rolls after 60 or more without white {hits / count:.2%} were white" in (
        text.replace(" %", "%")
    )
    red_low, red_high = (ran["laws"]["red"].quantile(level) for level in (0.05, 0.95))
    told = f"for white {low:.0f} to {high:.0f} rolls on nine of ten days"
    assert f"**Answer: {told}, for red or black {red_low:.0f} to {red_high:.0f}.**" in text
    assert f"{100 * chance:.1f} % of days have such" in text
    assert f"One day in {1 / chance:.0f} has one as long" in text
    assert (
        f"In all {len(every):,} games the longest wait was of {longest((every == 0).tolist())} rolls" in text
    )
    # Each share is within a 99.9 % interval of its probability.
    for color, (first, last) in ran["colors"].items():
        p = (last - first + 1) / 15
        for least in ran["longer"][color]:
            count, hits = ran["shares"](every, color, least)
            assert abs(hits - count * p) < 3.3 * math.sqrt(count * p * (1 - p))
    pairs, cells = ran["pairs"], 225
    assert pairs.sum() == len(every) - 1
    furthest = float(np.abs(ran["surprise"]).max())
    one_as_far = 1 - (1 - math.erfc(furthest / math.sqrt(2))) ** cells
    assert 1 / one_as_far == pytest.approx(40, abs=3)
    assert abs(ran["square"] - (cells - 1)) < 22.4


def test_the_statistic_of_overlapping_pairs_varies_by_22(notebook: Any) -> None:
    """By the statistics of 4,000 fair series of rolls."""
    rolls = np.random.default_rng(13).integers(0, 15, (4_000, 3_000))
    pairs = 15 * rolls[:, :-1] + rolls[:, 1:]
    expected = pairs.shape[1] / 225
    squares = [((np.bincount(row, minlength=225) - expected) ** 2).sum() / expected for row in pairs]
    assert np.std(squares) == pytest.approx(math.sqrt(2 * 196 + 4 * 2 * 14), rel=0.04)
    assert np.mean(squares) == pytest.approx(224, abs=1.5)
    assert "standard deviation 22.4" in notebook.text


def test_the_last_hash_is_a_published_one() -> None:
    double = pf.operators.blaze.Double()
    assert any(
        "2e1f5b6ea10e83e51e8f5b85559a237a633954a55ce62d860d130c25b057a169" in str(one.fields)
        for one in published.rounds(double)
    )


def test_the_cell_to_copy_counts_waits(copied: dict[str, Any], ran: dict[str, Any]) -> None:
    assert np.array_equal(copied["waited"][1:], ran["waits"](copied["hits"])[1:])
