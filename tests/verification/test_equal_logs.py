"""Logs are compared by their columns, whatever these are."""

from __future__ import annotations

import math
import pickle

import numpy as np
import provably_fair as pf
import pytest

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.dataset")

MASKED = np.ma.masked_array([1, 2], [False, True])
COLUMNS = {
    "array": lambda: np.array([1, 2]),
    "doubles": lambda: np.array([0.5, np.nan]),
    "times": lambda: np.array(["2020-01-01", "NaT"], "M8[s]"),
    "objects": lambda: np.array([1, [np.arange(3), math.nan * 2]], object),
    "masked": MASKED.copy,
    "list": lambda: [[1, float("nan")], np.arange(2)],
    "pandas": lambda: pd.Series([1, None]),
    "frame": lambda: pd.DataFrame({"a": [1, None]}),
    "polars": lambda: pl.DataFrame({"a": [1, None]}),
    "arrow": lambda: pa.table({"a": [1, None]}),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_logs_of_equal_columns_are_equal(kind):
    made = COLUMNS[kind]
    log = pf.Log({"outcome": made(), "nonce": 1}, seeds=made())
    assert log == pf.Log({"nonce": 1, "outcome": made()}, seeds=made())
    assert pickle.loads(pickle.dumps(log)) == log
    assert log != log.source
    for other, make in COLUMNS.items():
        if other != kind:
            assert log != pf.Log({"outcome": make(), "nonce": 1}, seeds=made())
            assert log != pf.Log({"outcome": made(), "nonce": 1}, seeds=make())
    with pytest.raises(TypeError, match="unhashable type: 'Log'"):
        hash(log)


def test_logs_of_other_columns_are_not_equal():
    log = pf.Log({"outcome": np.array([1, 2])})
    others = [
        np.array([1, 3]),
        np.array([1, 2, 3]),
        np.array([[1, 2]]),
        np.array([1.0, 2.0]),
        MASKED,
        "a",
        [1, 2],
    ]
    for other in others:
        assert log != pf.Log({"outcome": other})
    assert pf.Log(MASKED) == pf.Log(np.ma.masked_array([1, 9], [False, True])) != pf.Log(MASKED + 1)
    assert log != pf.Log({"outcome": np.array([1, 2]), "nonce": 1}) != pf.Log({"nonce": np.array([1, 2])})


def test_logs_that_cannot_be_compared_are_equal_if_they_are_the_same():
    """A lazy frame's comparison has no truth value, and a scanner has none at all."""
    lazy = pl.LazyFrame({"outcome": [1]})
    for source in (lazy, iter([{}]), pa.dataset.dataset(pa.table({"a": [1]})).scanner()):
        assert pf.Log(source) == pf.Log(source)
    assert pf.Log(lazy) != pf.Log(pl.LazyFrame({"outcome": [1]}))
