"""What pictures of boards have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, rectangular

__all__ = ["board_values", "mark_cells", "walk_of"]


def mark_cells(elements: Sequence[int], chosen: set[int], width: int = 1) -> list[str]:
    """Return one row of a board in text, aligned; the chosen elements are marked."""
    from provably_fair.walkthrough import Mark

    cells = ((element, f"{element:>{width}}") for element in elements)
    return [Mark(cell) if element in chosen else f" {cell} " for element, cell in cells]


def board_values(name: str, values: object, below: int) -> np.ndarray:
    """Return integers from 0 to below - 1; others are refused."""
    array = rectangular(name, values)
    if array.dtype.kind not in "iu":
        raise BadType(name, f"must be integers, got an array of {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= below):
        raise BadValue(name, f"must be from 0 to {below - 1}")
    return array


def walk_of(value: object, game: type) -> Any:
    """Return a walk-through, which must be one of this game; None for anything else."""
    from provably_fair.walkthrough import Walkthrough

    if not isinstance(value, Walkthrough):
        return None
    if not isinstance(value.game, game):
        raise BadType("walk", f"must be of {game.__name__}, got one of {type(value.game).__name__}")
    return value
