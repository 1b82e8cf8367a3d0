"""Dieharder on the numbers of salted rounds; see `provably_fair.statistics.dieharder`."""

from provably_fair.statistics import dieharder
from provably_fair.statistics.dieharder import *  # noqa: F403

__all__: list[str] = []
__all__ += dieharder.__all__
