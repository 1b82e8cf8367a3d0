"""Jackpot: the winning ticket."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair.distribution import Distribution
from provably_fair.distribution.consecutive import MAX_LISTED, Consecutive
from provably_fair.distribution.sequences import FairnessMaterial, LawSequence
from provably_fair.games import rounds_of
from provably_fair.games.engine_game import PerRoundGame, compute_law, weight_up_to
from provably_fair.games.game import as_drawn
from provably_fair.games.kinds import OneQuestion
from provably_fair.games.looks import Example, Look, Of, View
from provably_fair.games.questions import one_of
from provably_fair.seeds.schemes import SALTED

__all__ = ["Jackpot"]

# The most tickets that are tested one by one; of more tickets, ranges are.
_MAX_TESTED = 1 << 16
_RANGES = 1000


class Jackpot(OneQuestion, PerRoundGame, catalog="jackpot"):
    """Jackpot: the winning ticket, 1 to tickets. A multi-player game of constant seeds.

    Parameters
    ----------
    tickets : int
        The number of tickets, 1 to 2**53.

    Examples
    --------
    >>> import provably_fair as pf
    >>> int(pf.Jackpot(tickets=1000).play("", "", ""))
    472
    """

    tickets: int = 1000

    # Its law

    def distribution(
        self, law: str = "ideal", *, share: tuple[int, int] | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the winning ticket, or of whether some tickets win.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        share : tuple of int, optional
            The first and the last ticket, both included, of those who share in the win.
        of : callable, optional
            A function to take the law of instead: from tickets, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the ticket; of a share 1 where it wins, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Jackpot(tickets=10**15).distribution(share=(1, 10**14)).mean()
        0.1
        """
        drawn = as_drawn(law)
        if one_of(share=share, of=of) is None:
            return Consecutive(_Tickets(self, drawn), "tickets")
        if share is None:
            return self._law_of(drawn, of)
        won, total = self._weight(drawn, *self._range(share))
        return Distribution([0, 1], [total - won, won])

    def _view_of(self, name: str, asked: Any) -> View:
        first, last = self._range(asked)
        return View(lambda tickets: ((first <= tickets) & (tickets <= last)).astype(np.int64), wins=1)

    def probability_between(self, low: int, high: int, law: str = "ideal", *, exact: bool = False) -> Any:
        """Return the probability that the winning ticket is one of `low` to `high`.

        Takes no longer for 2**53 tickets than for ten.

        Parameters
        ----------
        low, high : int
            The first and the last ticket, both included, from 1.
        law : str
            "ideal" or "as_drawn".
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction
            The probability.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Jackpot(tickets=10**15).probability_between(1, 10**14, exact=True)
        Fraction(1, 10)
        """
        found = Fraction(
            *self._weight(as_drawn(law), *self._between(("low", None, low), ("high", None, high)))
        )
        return found if exact else float(found)

    def _range(self, share: Any) -> tuple[int, int]:
        """Return the first and the last ticket of a share."""
        try:
            low, high = share
        except (TypeError, ValueError):
            raise BadType("share", "must be the first and the last ticket") from None
        return self._between(("share", 0, low), ("share", 1, high))

    def _between(self, first: tuple[str, Any, Any], last: tuple[str, Any, Any]) -> tuple[int, int]:
        """Return two tickets in order; each comes with its argument's name and its index there."""
        low = integer(first[0], first[2], 1, self.tickets, index=first[1])
        return low, integer(last[0], last[2], low, self.tickets, index=last[1])

    def _weight(self, drawn: bool, first: int, last: int) -> tuple[int, int]:
        """Return the weight of the tickets from `first` to `last`, and the total weight."""
        below, total = weight_up_to(self, drawn, first - 1)
        return weight_up_to(self, drawn, last)[0] - below, total

    # Its looks and its sequences

    def _look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
        if look.subject or self.tickets <= _MAX_TESTED:
            return super()._look_law(look, outcomes)
        listed = rounds_of(self).edges(min(_RANGES, max(1, len(outcomes) // 10)))
        edges = np.array(listed)
        weights = [self._weight(False, first, end - 1)[0] for first, end in itertools.pairwise(listed)]
        known = (outcomes >= 1) & (outcomes <= self.tickets) & (outcomes == np.floor(outcomes))
        ranges = edges[np.searchsorted(edges, outcomes, side="right") - 1]
        return Distribution(edges[:-1], weights), np.where(known, ranges, outcomes)

    @classmethod
    def _example(cls) -> Example:
        game = cls(tickets=20)
        return Example(game, f"{cls.__name__}: {game.tickets} tickets")

    def _probabilities(
        self, values: np.ndarray, varying: dict[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        # Every round may have a number of its own: no law for each.
        tickets = varying["tickets"]
        known = (values >= 1) & (values <= tickets) & (values == np.floor(values))
        return (values - 1) / tickets, np.where(known, 1 / tickets, 0.0)

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        if self.tickets <= _MAX_TESTED:
            return super()._material(values)
        uniform = LawSequence("tickets", None, None, (values - 0.5) / self.tickets)
        return FairnessMaterial(repr(self), len(values), [uniform], [], (values, 1 / self.tickets))


@dataclass(frozen=True)
class _Tickets:
    """What the law of the winning ticket is known by: the weight of the tickets up to each."""

    game: Jackpot
    drawn: bool
    first: ClassVar[int] = 1

    @property
    def last(self) -> int:
        return self.game.tickets

    @property
    def total(self) -> int:
        return weight_up_to(self.game, self.drawn, 1)[1]

    def up_to(self, ticket: int) -> int:
        return weight_up_to(self.game, self.drawn, ticket)[0]

    def as_list(self) -> Distribution:
        return compute_law(self.game, self.drawn)

    def moments(self) -> tuple[Fraction, Fraction]:
        if not self.drawn:
            return Fraction(self.last + 1, 2), Fraction(self.last**2 - 1, 12)
        if self.game.scheme != SALTED:
            if self.last > MAX_LISTED:
                raise BadValue("tickets", f"must be at most {MAX_LISTED} with this scheme, got {self.last}")
            law = self.as_list()
            return law.mean(exact=True), law.var(exact=True)
        from provably_fair.games.drawn_moments import moments_as_drawn

        mean, variance = moments_as_drawn(self.last)
        return mean + 1, variance
