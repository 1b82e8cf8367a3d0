"""Samples: numbers drawn without replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import distinct

from .. import asking
from ..game import Game
from ..kind import Kind, OfArrays, fact, kind_property, one_of, refuse_one
from ..looks import Numbers, Of, View
from ..rounds import rounds_of
from ..samples import hits_among

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Sample(Kind):
    """The kind of games that draw numbers without replacement."""

    name: ClassVar[str] = "sample"
    asked_alone: ClassVar[tuple[str, ...]] = ("hits",)
    is_sample: ClassVar[bool] = True
    size: int
    count: int

    def view(self, *, hits: Numbers | None = None, of: Of | None = None) -> View:
        one_of({"hits": hits, "of": of})
        if hits is None:
            return View(of)
        refuse_one("hits", hits)
        least, most = rounds_of(self.game).bounds  # numbers may begin with 0 or with 1: the rule knows
        return View(hits_among("hits", distinct("hits", hits, most, least)))

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {
            "count": outcomes.shape[1:] == (self.count,),
            "size": outcomes - outcomes.min(initial=2**62) < self.size,
        }


class SampleGame(OfArrays, Game):
    """Numbers drawn without replacement; players bet on some of them.

    A class states `size`, how many there are, and `count`, how many of them are drawn.

    Examples
    --------
    >>> class Lotto(pf.games.kinds.SampleGame):
    ...     size, count = 49, 6
    ...     def outcome(self, draws):
    ...         return draws.sample(49, 6) + 1
    >>> Lotto().distribution(hits=range(1, 7)).weights[6], Lotto().shape
    (1, (6,))
    """

    size = fact("how many numbers there are")
    count = fact("how many numbers are drawn")
    ordered = False

    kind = kind_property(Sample)

    def distribution(
        self, law: str = "ideal", *, hits: Numbers | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the number of hits among some numbers.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn". As drawn it depends on which numbers they are.
        hits : collection of int
            The numbers, the same as ``of=pf.hits(...)``.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, ...), to values, (N,).

        Returns
        -------
        Distribution
            Of the number of hits; of the outcomes, where nothing is asked.

        Raises
        ------
        ValueError
            When there are too many combinations; the message says how many.

        Examples
        --------
        >>> keno = pf.operators.stake.Keno()
        >>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
        Fraction(3, 4)
        >>> keno.bet(payout=[0, 1, 5, 25], hits={1, 2, 3}).exact_rtp
        Fraction(705, 494)
        """
        return asking.distribution(self, law, hits=hits, of=of)

    def observe(
        self, outcomes: ArrayLike, *, hits: Numbers | None = None, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.stake.Keno().observe([[18, 28, 34, 21, 36, 13, 31, 24, 6, 2]], hits={2, 6, 7})
        array([2])
        """
        return asking.observe(self, outcomes, hits=hits, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        hits: Numbers | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 on the number of hits; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.operators.stake.Keno().bet([0, 3.96], hits={7}, law="ideal").exact_rtp
        Fraction(99, 100)
        """
        return asking.bet(self, payout, law=law, hits=hits, of=of)

    def tally(
        self, rounds: int, *, hits: Numbers | None = None, of: Of | None = None, **options: Any
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.stake.Keno().tally(1000, hits={1, 2}).outcomes
        array([0, 1, 2])
        """
        return asking.tally(self, rounds, {"hits": hits, "of": of}, **options)
