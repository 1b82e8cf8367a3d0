"""Counts and places on 32 bits, where numpy's and Python's own are narrower than the package's."""

from __future__ import annotations

from collections.abc import Sized

import numpy as np


def bincount(places: np.ndarray, weights: np.ndarray | None = None, minlength: int = 0) -> np.ndarray:
    """Return numpy's bincount of places of any width: int64, or with weights double."""
    found = np.bincount(as_places(places), weights, minlength)
    return widened(found) if weights is None else found


def as_places(values: np.ndarray) -> np.ndarray:
    """Return places in memory, or counts of them, as numpy's `take`, `repeat` and `reduceat` want them."""
    return np.asarray(values).astype(np.intp, casting="same_kind", copy=False)


def widened(values: np.ndarray) -> np.ndarray:
    """Return whole numbers of numpy's own width as int64."""
    return values.astype(np.int64, copy=False) if values.dtype == np.intp else values


def length(law: Sized) -> int:
    """Return `len` of a law that tells it, however long: `len` itself refuses more than 2**31 on 32 bits."""
    return law.__len__()
