"""Counts and places are alike on 32 bits, where numpy's own whole numbers have 32."""

from __future__ import annotations

import re

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair._core.counts import as_places, bincount, length, widened


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_places_of_any_width_are_counted_in_64_bits(kind):
    places = np.array([3, 0, 3, 1], kind)
    assert bincount(places).tolist() == [1, 1, 0, 2]
    assert bincount(places, minlength=6).tolist() == [1, 1, 0, 2, 0, 0]
    assert bincount(places).dtype == np.int64
    assert bincount(places, np.array([0.5, 1.0, 0.25, 2.0])).tolist() == [1.0, 2.0, 0.0, 0.75]
    assert as_places(places).dtype == np.intp


def test_what_is_no_place_is_refused():
    with pytest.raises(TypeError, match="same_kind"):
        bincount(np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="negative"):
        bincount(np.array([-1]))


def test_only_numbers_of_the_own_width_are_widened():
    assert widened(np.array([1, 2], np.intp)).dtype == np.int64
    for kind in (np.int8, np.uint32, np.float64, bool, "U1"):
        assert widened(np.zeros(2, kind)).dtype == np.dtype(kind)


def test_a_law_may_be_longer_than_32_bits_count():
    law = pf.Jackpot(tickets=2**33).distribution()
    assert length(law) == 2**33
    assert str(2**33) in repr(law)
    assert law.quantile(0.5) == law.median() == 2**32


def test_counts_are_made_in_one_place():
    """numpy's bincount refuses int64 on 32 bits, and counts in 32."""
    counting = re.compile(r"np\.bincount\(")
    files = [path for path in PYTHON.rglob("*.py") if counting.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in files] == ["counts.py"]
