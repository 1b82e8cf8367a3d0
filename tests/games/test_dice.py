"""Dice: outcomes of two decimals in smaller floats."""

from __future__ import annotations

import numpy as np
import provably_fair as pf
from comparing import same


def test_float32_tells_dice_apart():
    """All 10,001 outcomes stay different, and so are allowed."""
    same(pf.Dice().simulate(1000, dtype=np.float32), pf.Dice().simulate(1000).astype(np.float32))
    assert type(pf.Dice().play("", "", "", dtype=np.float32)) is np.float32
