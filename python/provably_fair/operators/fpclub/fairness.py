"""Dice as data for the fairness tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._core.errors import BadType
from provably_fair.distribution.sequences import FairnessMaterial, uniform_sequence

from .dice import digits, faces_of

__all__ = ["fairness_material"]


def fairness_material(data: Any) -> FairnessMaterial:
    """Return dice as sequences of independent values with known laws, for `fairness_report`.

    Parameters
    ----------
    data : str, array-like of int, object with dice, or a list of these
        Digits 1 to 6; faces, shape (n,) or (n, 2); a `HashedDice`, a `Record`, a `Sequence`, a `Combined` or
        a `Match`. Those of a list are concatenated.

    Returns
    -------
    FairnessMaterial
        All dice, and the two places of a roll.

    Raises
    ------
    TypeError, ValueError
        When the data are not dice.

    Examples
    --------
    >>> import provably_fair as pf
    >>> dice = pf.operators.fpclub.HashedDice.generate(dice=1000, rng=1)
    >>> report = pf.fairness_report(dice, pf.operators.fpclub)
    >>> report.game, report.rounds, report.ok
    ('FPClub dice', 500, True)
    """
    faces = faces_of(_text(data)) - 1
    rolls = faces[: len(faces) // 2 * 2].reshape(-1, 2)
    columns = [uniform_sequence(f"die {i + 1}", rolls[:, i], 6) for i in range(2)]
    return FairnessMaterial("FPClub dice", len(rolls), [uniform_sequence("dice", faces, 6)], columns)


def _text(data: Any) -> str:
    """Return all dice as digits."""
    for name in ("digits", "throws"):
        if not isinstance(data, type) and hasattr(data, name):
            return digits("data", getattr(data, name))
    if isinstance(data, (list, tuple)) and not all(isinstance(die, (int, np.integer)) for die in data):
        return "".join(map(_text, data))
    if not isinstance(data, (str, bytes)) and np.ndim(data) == 0:
        raise BadType("data", f"must be dice: text, faces, or what has faces; got {type(data).__name__}")
    return digits("data", data)
