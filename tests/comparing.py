"""Exact comparison of arrays."""

import numpy as np


def same(found, expected):
    """Assert that two arrays are equal: values, shape and dtype."""
    np.testing.assert_array_equal(found, expected, strict=True)
