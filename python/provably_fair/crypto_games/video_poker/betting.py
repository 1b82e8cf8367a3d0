"""The bet on a hand of video poker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from provably_fair.bets import Bet
from provably_fair.bets.returns import table_of
from provably_fair.distribution import Distribution

from .analysis import analyze

if TYPE_CHECKING:
    from collections.abc import Callable

    from .paytable import Paytable
    from .rounds import PokerRounds


@dataclass(frozen=True)
class _Pays:
    """What rounds are paid, in parts, by the row of the paytable; the last row is the stake's return."""

    simulate: Callable[..., PokerRounds]
    table: np.ndarray

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        # A round whose hash ran out has the row -1.
        row = self.simulate(rounds, seed=seed, start=start, threads=threads).row
        paid: np.ndarray = self.table[row][:, np.newaxis]
        return paid


def bet_on_hands(paytable: Paytable, simulate: Callable[..., PokerRounds]) -> Bet:
    """Return the bet on hands that are played as well as can be."""
    table, unit = table_of([*(pay for _, pay in paytable.rows), 1], "paytable")
    rows = analyze(paytable, None, 0).rows
    law = Distribution([row.pays for row in rows], [row.combinations for row in rows])
    return Bet(law, _Pays(simulate, table), unit=unit)
