"""What data are tested: their sequences, and the laws of these."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import rectangular
from provably_fair.distribution.sequences import FairnessMaterial, LawSequence

__all__ = ["material_of"]


def material_of(data: ArrayLike, game: object) -> FairnessMaterial:
    """Return what the tests work on, of outcomes of a game or of numbers.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.statistics.sequences import material_of
    >>> [sequence.name for sequence in material_of(pf.Slot().simulate(5), pf.Slot()).sequences]
    ['reels 1-4', 'reel 5']
    """
    values = rectangular("data", data)
    if game is None:
        return _numbers(values)
    # Whatever knows its own sequences gives them.
    if isinstance(game, type) or not hasattr(game, "fairness_material"):
        raise TypeError(f"game must be a game, a VideoPoker, a Blackjack or None, got {type(game).__name__}")
    material: FairnessMaterial = game.fairness_material(values)
    return material


def _numbers(values: np.ndarray) -> FairnessMaterial:
    if values.dtype.kind != "f" or values.ndim not in (1, 2):
        raise TypeError(
            "data must be numbers, float64 of shape (N,) or (N, k), where no game is given, "
            f"got {values.dtype} of shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise ValueError("data must be finite")
    columns = []
    if values.ndim == 2 and values.shape[1] > 1:
        columns = [LawSequence(f"column {i}", None, None, column) for i, column in enumerate(values.T)]
    flat = values.ravel()
    leading = np.clip(flat * 2.0**32, 0, 2.0**32 - 1).astype(np.uint32)
    sequence = LawSequence("numbers", None, None, flat)
    return FairnessMaterial("numbers", len(values), [sequence], columns, (leading, 2.0**-32))
