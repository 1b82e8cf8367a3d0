"""Stake's slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import is_single
from provably_fair.games import Range
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import PartsGame
from provably_fair.games.looks import OfPart
from provably_fair.games.rounds import simulated_rounds

from ..salted.slot import Slot, weights_over_stops
from . import tables
from .schemes import StakeGame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import FreeSpins

_REELS = Slot(reels=tuple(map(tuple, tables.REELS)))


def _stops(draws: Draws, spins: int) -> np.ndarray:
    """Return the stops of all reels of some spins."""
    found = []
    for place, stops in enumerate(tables.STOPS * spins):
        draws.part("reel", place)
        found.append(draws.below(stops))
    return np.stack(found, axis=1)


class Slots(PartsGame, StakeGame):
    """Stake's slots: the stops of five reels, ``floor(f * 30)`` of four and ``floor(f * 41)`` of the last.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019.

    Examples
    --------
    >>> seeds = "e53bf7c2493baffcf1fbc7a63673f54cb5bb7a50a9b6a8e5b0ff1fefbd27ac6e", "3Kzi9PUo"
    >>> pf.operators.stake.Slots().play(*seeds, 1)
    array([12, 26, 17, 16, 16])
    """

    part_name = "reel"

    def outcome(self, draws: Draws) -> np.ndarray:
        return _stops(draws, 1)


class ScarabSpins(Slots):
    """Stake's scarab spins: the stops of five reels, as in `Slots`.

    Three visible scatters, on the line or off it, give 15 free spins, also during free spins, up to 180 spins
    in all.

    Parameters
    ----------
    spins : int
        The number of spins in the outcome, 1 to 180, with five stops each; free spins come last.

    Notes
    -----
    Checked on 3 published rounds, of the calculator, 2025-2026, one of them with the first of its free spins.
    Reels of March 2026.

    Examples
    --------
    >>> seeds = "a1c0b94f9a5e5ab9c0f08f2982537bd8", "d99174a86f29ac19c0b512e04b99461b"
    >>> pf.operators.stake.ScarabSpins().play(*seeds, 0)
    array([11, 23, 24,  9, 15])
    """

    spins: int = Range(1, tables.MAX_SPINS, default=1)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _stops(draws, self.spins)

    def window(self, stops: ArrayLike) -> np.ndarray:
        """Return the visible symbols at stops, (..., 3, 5), with the line in the middle; see `Slot.window`.

        Symbols are text: T, J, Q, K, A, 9, 1 to 5 for the pictures, W wild, * scatter.

        Examples
        --------
        >>> for row in pf.operators.stake.ScarabSpins().window([14, 20, 0, 24, 13]):
        ...     print(*row)
        Q * * 4 A
        J A K 9 J
        W 4 9 A *
        """
        return _REELS.window(stops)

    def _scatters(self, stops: np.ndarray) -> np.ndarray:
        """Return windows of scatters alone, which don't tell where on a reel they are."""
        window = self.window(stops)
        return np.sort(np.where(window == tables.SCATTER, window, "-"), axis=-2)

    def all_spins(self, *seeds: object, **named: object) -> np.ndarray:
        """Return the stops of all spins of a round, (spins, 5), including free ones; see `play`.

        Examples
        --------
        >>> seeds = "a1c0b94f9a5e5ab9c0f08f2982537bd8", "d99174a86f29ac19c0b512e04b99461b"
        >>> pf.operators.stake.ScarabSpins().all_spins(*seeds, 22).shape
        (31, 5)
        """
        fields = dict(zip(self.scheme.fields, seeds, strict=False)) | named
        _, stops = next(self._whole_rounds(fields, 1))
        return np.asarray(stops[0])

    def free_spins(
        self,
        payout: Callable[[np.ndarray], Any] | None = None,
        *,
        times: float = 1,
        law: str = "ideal",
    ) -> FreeSpins:
        """Return a bet of 1 on a round with all its spins, with exact mean and variance, and simulations.

        Parameters
        ----------
        payout : callable, optional
            The payout of a spin: a function from windows, (N, 3, 5), to values, (N,). The operator's paytable
            is unknown. By default the payout is 0, and only the law of the number of spins is of use.
        times : number
            The multiplier of the payouts of free spins.
        law : str
            "ideal" or "as_drawn".

        Returns
        -------
        FreeSpins
            The bet.

        Examples
        --------
        >>> bet = pf.operators.stake.ScarabSpins().free_spins()
        >>> round(bet.spins.mean(), 4), round(float(bet.spins.pmf(1)), 6)
        (1.1221, 0.992744)
        """
        from provably_fair.bets import FreeSpins

        one = type(self)().with_scheme(self.scheme)
        reels = [one.distribution(law, of=OfPart(reel)).weights for reel in range(len(tables.STOPS))]
        pay = payout or (lambda windows: np.zeros(len(windows)))
        # Without a payout only scatters count, so that all other symbols are one.
        show = self.window if payout else self._scatters
        joint = weights_over_stops(reels, show, lambda seen: pay(seen) + 1j * _wins(seen))
        spin = {(paid.real, bool(paid.imag)): weight for paid, weight in joint.items()}

        def play(rounds: int, seed: int | str) -> np.ndarray:
            fields = simulated_rounds(one, rounds, seed).values()
            returns = np.zeros(rounds)
            for rows, stops in self._whole_rounds(fields, rounds):
                paid = pay(self.window(stops.reshape(-1, stops.shape[-1]))).reshape(stops.shape[:2])
                returns[rows] = paid[:, 0] + times * paid[:, 1:].sum(axis=1)
            return returns

        return FreeSpins(spin, tables.FREE_SPINS, tables.MAX_SPINS, times, play)

    def _whole_rounds(self, fields: dict[str, Any], rounds: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield rounds by their number of spins: their rows, and the stops of all their spins."""
        rows, spins = np.arange(rounds), 1
        while rows.size:
            game = type(self)(spins).with_scheme(self.scheme)
            of_rows = {name: value if is_single(value) else value[rows] for name, value in fields.items()}
            stops = np.reshape(game.play(**of_rows), (rows.size, spins, -1))
            won = 1 + tables.FREE_SPINS * _wins(self.window(stops)).sum(axis=1)
            ended = np.minimum(won, tables.MAX_SPINS) == spins
            if ended.any():
                yield rows[ended], stops[ended]
            rows = rows[~ended]
            spins = min(spins + tables.FREE_SPINS, tables.MAX_SPINS)


def _wins(windows: np.ndarray) -> np.ndarray:
    """Return whether windows win free spins."""
    wins: np.ndarray = (windows == tables.SCATTER).sum(axis=(-2, -1)) >= tables.SCATTERS
    return wins
