"""Exact comparison of arrays."""

import numpy as np
from provably_fair._core.counts import widened


def same(found, expected):
    """Assert that two arrays are equal: values, shape and dtype; on 32 bits int32 stands for int64."""
    np.testing.assert_array_equal(found, widened(np.asarray(expected)), strict=True)
