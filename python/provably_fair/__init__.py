"""Compute, check, explain and analyze the outcomes of provably fair casino games.

Examples in docstrings assume ``import numpy as np`` and ``import provably_fair as pf``.
"""

from provably_fair._core.lazy import attach


def _hint(name: str) -> str:
    from provably_fair.names import place_of

    return place_of(name)


_INSIDE = [
    "certificates",
    "certification",
    "cli",
    "distribution",
    "identification",
    "locating",
    "names",
    "readings",
    "sources",
    "verification",
    "walkthrough",
]
"""Rooms that are there, but not shown."""

__getattr__, __dir__, __all__ = attach(__name__, _INSIDE, _hint)
