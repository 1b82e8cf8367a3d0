"""Pegs: a ball that falls left or right at each row of pins, into a bucket."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType

from .. import asking
from ..game import Game
from ..kind import Kind, OfArrays, fact, kind_property, one_of
from ..looks import Look, Of, Ones, PaidByTable, Payout, View
from .parts import are_apart, part_looks

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Pegs(Kind):
    """The kind of games in which a ball falls through rows of pins."""

    name: ClassVar[str] = "pegs"
    rows: int
    path: bool

    def view(self, *, bucket: bool = True, payout: Payout | None = None, of: Of | None = None) -> View:
        one_of({"payout": payout, "of": of})
        if not isinstance(bucket, (bool, np.bool_)):
            raise BadType("bucket", f"must be True or False, got {bucket!r:.80}")
        if not bucket:
            one_of({"payout": payout, "bucket=False": True})
            return View(of)
        if of is not None:
            return View(of)
        found = Ones() if self.path else None
        if payout is None:
            return View(found)
        from provably_fair.distribution.payouts import payouts_at_once

        table = payouts_at_once(list(range(self.rows + 1)), payout)
        return View(PaidByTable(found, tuple(table)), pays=True)

    def bounds(self) -> tuple[int, int]:
        return 0, 1 if self.path else self.rows

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        if not self.path:
            return {"path": outcomes.ndim == 1, "rows": (outcomes >= 0) & (outcomes <= self.rows)}
        return {"path": (outcomes == 0) | (outcomes == 1), "rows": outcomes.shape[1:] == (self.rows,)}

    @property
    def notations(self) -> frozenset[str]:
        return frozenset({"path", "bucket"} if self.path else ())

    @property
    def quick(self) -> bool:
        return True

    def distance(self) -> Fraction:
        return Fraction(0)

    def looks(self, *, bias: bool = False) -> tuple[Look, ...] | None:
        return part_looks(self.game, "row") if self.path else None

    def whole_looks(self) -> tuple[Look, ...] | None:
        return self.looks() if are_apart(self.game) or not self.path else ()


class PegsGame(OfArrays, Game):
    """A ball that falls left or right at each row of pins, into a bucket.

    A class states `rows`, their number, and `path`: whether the outcome is the path, 0 for left and 1 for
    right, as by default, rather than the bucket.

    Examples
    --------
    >>> class Pins(pf.games.kinds.PegsGame):
    ...     rows = 2
    ...     def outcome(self, draws):
    ...         return draws.each(2).below(2)
    >>> Pins().distribution().weights
    (1, 2, 1)
    """

    rows = fact("the number of rows")
    path = fact("whether the outcome is the path", True)

    kind = kind_property(Pegs)

    def distribution(
        self, law: str = "ideal", *, bucket: bool = True, payout: Payout | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of one ball's bucket, or of its payout.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        bucket : bool
            Whether it is of the bucket: how often the ball went to the right. With ``bucket=False`` it is of
            what the outcome has of a ball, its bucket or its path.
        payout : callable, mapping or sequence, optional
            What a bucket pays: values in the order of the buckets, a table by bucket (0 where it has
            none), or a function of buckets.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, ...), to values, (N,).

        Returns
        -------
        Distribution
            Of the bucket, of the pay, or of the path.

        Examples
        --------
        >>> pf.Plinko(pins=8).distribution().weights
        (1, 8, 28, 56, 70, 56, 28, 8, 1)
        >>> pf.operators.stake.Plinko(rows=8).distribution().weights
        (1, 8, 28, 56, 70, 56, 28, 8, 1)
        >>> pf.Plinko(pins=8).distribution(payout=[9, 2, 1, 0, 0, 0, 1, 2, 9]).mean()
        0.4140625
        """
        return asking.distribution(self, law, bucket=bucket, payout=payout, of=of)

    def observe(
        self, outcomes: ArrayLike, *, bucket: bool = True, payout: Payout | None = None, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.stake.Plinko(rows=4).observe([[0, 1, 1, 1], [0, 0, 1, 0]])
        array([3, 1])
        """
        return asking.observe(self, outcomes, bucket=bucket, payout=payout, of=of)

    def bet(
        self, payout: Any = None, *, law: str | None = "best", bucket: bool = True, of: Of | None = None
    ) -> Bet:
        """Return a bet of 1 on the bucket; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Plinko(pins=8).bet([9, 2, 1, 0.5, 0.2, 0.5, 1, 2, 9], law="ideal").rtp
        0.6875
        """
        return asking.bet(self, payout, law=law, bucket=bucket, of=of)

    def tally(
        self,
        rounds: int,
        *,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the buckets of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.stake.Plinko(rows=2).tally(1000).outcomes
        array([0, 1, 2])
        """
        asked = {"bucket": bucket, "payout": payout, "of": of}
        return asking.tally(self, rounds, asked, always=self.path, **options)
