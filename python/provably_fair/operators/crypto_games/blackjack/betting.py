"""The bet on a round of blackjack."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.numbers import exactly
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution

from .analysis import BlackjackAnalysis
from .rules import engine_of


@dataclass(frozen=True)
class _Nets:
    """The returns of rounds, in parts: the stake and what is won on it."""

    game: Any
    strategy: Any
    shoes: str

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        nets = self.game.simulate(
            rounds, strategy=self.strategy, shoes=self.shoes, seed=seed, start=start, threads=threads
        )
        # A round whose hash ran out is NaN, and gives the stake back.
        unit = engine_of(self.game.rules).units
        won = np.rint(np.nan_to_num(nets) * unit).astype(np.int64)
        return np.atleast_2d(won + unit).T


def bet_on_rounds(game: Any, strategy: object, shoes: str, player: object) -> Bet:
    """Return the bet on rounds that somebody plays; its law is known where an analysis is of its rules."""
    law = None
    if isinstance(player, BlackjackAnalysis) and player.rules == game.rules:
        net = player.net
        law = Distribution(
            [_plus_one(won) for won in net.outcomes.tolist()],
            net.weights,
            probability_error=net.probability_error,
        )
    played = strategy if isinstance(strategy, str) else type(strategy).__name__
    on = f"{game!r}, {played} strategy"
    return Bet(law, _Nets(game, strategy, shoes), unit=engine_of(game.rules).units, on=on)


def _plus_one(won: float | Fraction) -> float | Fraction:
    """Return what comes back, as a float where what is won is one."""
    back = 1 + exactly(won)
    return float(back) if isinstance(won, float) else back
