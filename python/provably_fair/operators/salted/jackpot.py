"""Jackpot: the winning ticket."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import BadType, integer
from provably_fair.games import asking
from provably_fair.games.answering import as_drawn
from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.engine_laws import compute_law, weight_up_to
from provably_fair.games.fairness import material_by_looks
from provably_fair.games.kind import Kind, Law, kind_property, one_of
from provably_fair.games.looks import Example, Look, Of, View
from provably_fair.games.rounds import rounds_of
from provably_fair.seeds.schemes import SALTED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.distribution.sequences import FairnessMaterial

# The most tickets that are tested one by one; of more tickets, ranges are tested.
_MAX_TESTED = 1 << 16
_RANGES = 1000


@dataclass(frozen=True, repr=False)
class _Shared:
    """Whether tickets are among those of a share, 1 or 0."""

    first: int
    last: int

    def __repr__(self) -> str:
        return f"tickets {self.first} to {self.last}"

    def __call__(self, tickets: np.ndarray) -> np.ndarray:
        found: np.ndarray = ((self.first <= tickets) & (tickets <= self.last)).astype(np.int64)
        return found


def _weight(game: Jackpot, drawn: bool, first: int, last: int) -> tuple[int, int]:
    """Return the weight of the tickets from `first` to `last`, and the total weight."""
    below, total = weight_up_to(game, drawn, first - 1)
    return weight_up_to(game, drawn, last)[0] - below, total


@dataclass(frozen=True)
class _Tickets:
    """The law of the winning ticket, as the weight of the tickets up to each."""

    game: Jackpot
    drawn: bool
    first: ClassVar[int] = 1

    @property
    def last(self) -> int:
        found: int = self.game.tickets
        return found

    @property
    def total(self) -> int:
        return weight_up_to(self.game, self.drawn, 1)[1]

    def up_to(self, ticket: int) -> int:
        return weight_up_to(self.game, self.drawn, ticket)[0]

    def as_list(self) -> Distribution:
        return compute_law(self.game, self.drawn)

    def moments(self) -> tuple[Fraction, Fraction] | None:
        if not self.drawn:
            return Fraction(self.last + 1, 2), Fraction(self.last**2 - 1, 12)
        if self.game.scheme != SALTED:
            return None
        from provably_fair.games.drawn_moments import moments_as_drawn

        mean, variance = moments_as_drawn(self.last)
        return mean + 1, variance


class _Jackpot(Kind):
    game: Jackpot
    name: ClassVar[str] = "jackpot"
    asked_alone: ClassVar[tuple[str, ...]] = ("share",)

    def view(self, *, share: tuple[int, int] | None = None, of: Of | None = None) -> View:
        one_of({"share": share, "of": of})
        if share is None:
            return View(of)
        try:
            low, high = share
        except (TypeError, ValueError):
            raise BadType("share", "must be the first and the last ticket") from None
        first = integer("share", low, 1, self.game.tickets, index=0)
        return View(_Shared(first, integer("share", high, first, self.game.tickets, index=1)), wins=1)

    @property
    def laws(self) -> tuple[Law, ...]:
        return (self._tickets_law,)

    def _tickets_law(self, drawn: bool, of: Of | None) -> Distribution | None:
        """Return the law of the ticket, of any number of tickets, or of a share of them."""
        if of is None:
            from provably_fair.distribution.consecutive import Consecutive

            return Consecutive(_Tickets(self.game, drawn), "tickets")
        if not isinstance(of, _Shared):
            return None
        won, total = _weight(self.game, drawn, of.first, of.last)
        return distribution.Distribution([0, 1], [total - won, won])

    def distance(self) -> Fraction:
        return Fraction(0)

    def look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray] | None:
        """Return the law of ranges of tickets, if there are too many to test one by one."""
        tickets = self.game.tickets
        if look.subject or tickets <= _MAX_TESTED:
            return None
        listed = rounds_of(self.game).edges(min(_RANGES, max(1, len(outcomes) // 10)))
        edges = np.array(listed)
        weights = [_weight(self.game, False, first, end - 1)[0] for first, end in itertools.pairwise(listed)]
        known = (outcomes >= 1) & (outcomes <= tickets) & (outcomes == np.floor(outcomes))
        ranges = edges[np.searchsorted(edges, outcomes, side="right") - 1]
        return distribution.Distribution(edges[:-1], weights), np.where(known, ranges, outcomes)

    def probabilities(
        self, values: np.ndarray, varying: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the probabilities of tickets by the number of them in each round, without a law for each."""
        tickets = varying["tickets"]
        known = (values >= 1) & (values <= tickets) & (values == np.floor(values))
        return (values - 1) / tickets, np.where(known, 1 / tickets, 0.0)

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return the tickets as numbers from 0 to 1, if there are too many to test one by one."""
        tickets = self.game.tickets
        if tickets <= _MAX_TESTED:
            return material_by_looks(self.game, values)
        from provably_fair.distribution.sequences import FairnessMaterial, LawSequence

        uniform = LawSequence("tickets", None, None, (values - 0.5) / tickets)
        return FairnessMaterial(repr(self.game), len(values), [uniform], [], (values, 1 / tickets))


class Jackpot(EngineGame, catalog="jackpot"):
    """Jackpot: the winning ticket, 1 to tickets. A multi-player game of constant seeds.

    Parameters
    ----------
    tickets : int
        The number of tickets, 1 to 2**53.

    Examples
    --------
    >>> int(pf.Jackpot(tickets=1000).play("", "", ""))
    472
    """

    tickets: int = 1000

    pictured = Example("20 tickets", parameters={"tickets": 20})

    kind = kind_property(_Jackpot)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return ``draws.below(self.tickets) + 1``."""
        return draws.below(self.tickets) + 1

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
            Of the ticket; of a share 1 if it wins, else 0.

        Examples
        --------
        >>> pf.Jackpot(tickets=10**15).distribution(share=(1, 10**14)).mean()
        0.1
        """
        return asking.distribution(self, law, share=share, of=of)

    def observe(
        self, outcomes: ArrayLike, *, share: tuple[int, int] | None = None, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Jackpot(tickets=10).observe([3, 7], share=(1, 5))
        array([1, 0])
        """
        return asking.observe(self, outcomes, share=share, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        share: tuple[int, int] | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on a share of the tickets; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Jackpot(tickets=10).bet(9, share=(1, 1), law="ideal").exact_rtp
        Fraction(9, 10)
        """
        return asking.bet(self, payout, law=law, share=share, of=of)

    def tally(
        self, rounds: int, *, share: tuple[int, int] | None = None, of: Of | None = None, **options: Any
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Jackpot(tickets=10**12).tally(1000, bins=4).counts
        array([259, 245, 264, 232])
        """
        return asking.tally(self, rounds, {"share": share, "of": of}, **options)

    def probability_between(self, low: int, high: int, law: str = "ideal", *, exact: bool = False) -> Any:
        """Return the probability that the winning ticket is one of `low` to `high`.

        It takes no longer for 2**53 tickets than for ten. The `law` is "ideal" or "as_drawn"; see
        `Distribution.probability_between`.

        Examples
        --------
        >>> pf.Jackpot(tickets=10**15).probability_between(1, 10**14, exact=True)
        Fraction(1, 10)
        """
        first = integer("low", low, 1, self.tickets)
        last = integer("high", high, first, self.tickets)
        found = Fraction(*_weight(self, as_drawn(law), first, last))
        return found if exact else float(found)
