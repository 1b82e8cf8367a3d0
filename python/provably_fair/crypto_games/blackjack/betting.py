"""The bet on a round of blackjack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.numbers import exactly
from provably_fair.bets import Bet

from .analysis import BlackjackAnalysis
from .rules import Rules, engine_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class _Nets:
    """What rounds bring back, in parts: the stake and what is won on it."""

    simulate: Callable[..., np.ndarray]
    options: Mapping[str, Any]
    unit: int

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        nets = self.simulate(rounds, seed=seed, start=start, threads=threads, **self.options)
        # A round whose hash ran out is NaN, and gives the stake back.
        won = np.rint(np.nan_to_num(nets) * self.unit).astype(np.int64)
        return np.atleast_2d(won + self.unit).T


def bet_on_rounds(
    rules: Rules, player: Any, simulate: Callable[..., np.ndarray], options: Mapping[str, Any]
) -> Bet:
    """Return the bet on rounds that somebody plays; its mean is known where an analysis is of its rules."""
    unit = engine_of(rules).bet
    known = isinstance(player, BlackjackAnalysis) and player.rules == rules
    rtp = 1 - exactly(player.house_edge) if known else None
    return Bet(None, _Nets(simulate, options, unit), unit=unit, rtp=rtp)
