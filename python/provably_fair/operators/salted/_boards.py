"""Helpers shared by pictures of boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provably_fair._core.arguments import BadType


def mark_cells(elements: Sequence[int], chosen: set[int], width: int = 1) -> list[str]:
    """Return one row of a board in text, aligned; the chosen elements are marked."""
    from provably_fair.walkthrough import Mark

    cells = ((element, f"{element:>{width}}") for element in elements)
    return [Mark(cell) if element in chosen else f" {cell} " for element, cell in cells]


def walk_of(value: object, game: type) -> Any:
    """Return a walk-through of this game; None if the value is none."""
    from provably_fair.walkthrough import Walkthrough

    if not isinstance(value, Walkthrough):
        return None
    if not isinstance(value.game, game):
        raise BadType("walk", f"must be of {game.__name__}, got one of {type(value.game).__name__}")
    return value
