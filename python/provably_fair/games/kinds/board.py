"""Boards: mines under some of their cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, distinct, integer, integers, is_single

from .. import asking
from ..game import Game
from ..kind import Kind, OfArrays, fact, kind_property, one_of, refuse_one
from ..looks import Numbers, Of, View
from ..samples import hits

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Board(Kind):
    """The kind of games with mines on a board."""

    name: ClassVar[str] = "board"
    asked_alone: ClassVar[tuple[str, ...]] = ("cells", "reveals")
    counts: ClassVar[Mapping[str, str]] = {"reveals": "cells"}
    is_sample: ClassVar[bool] = True
    cells: int
    first: int = 0

    def view(self, *, cells: Numbers | None = None, reveals: int | None = None, of: Of | None = None) -> View:
        one_of({"cells": cells, "reveals": reveals, "of": of})
        if cells is not None:
            refuse_one("cells", cells, f"reveals={cells!r:.80}, or ")
            # A bet wins if none of the cells hides a mine.
            return View(
                hits(distinct("cells", cells, self.first + self.cells - 1, self.first).tolist()), wins=0
            )
        if reveals is not None:
            count = integer("reveals", reveals, 0, self.cells)
            return View(hits([*range(self.first, self.first + count)]), wins=0)
        return View(of)

    def bounds(self) -> tuple[int, int]:
        return self.first, self.first + self.cells - 1

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {"first": outcomes >= self.first, "cells": outcomes < self.first + self.cells}


class BoardGame(OfArrays, Game):
    """Mines on a board: the outcome is the cells that hide them, a sample without replacement.

    A class states `cells`, their number, and `first`, the number of the first one, if it isn't 0.

    Examples
    --------
    >>> class Bombs(pf.games.kinds.BoardGame):
    ...     cells = 9
    ...     def outcome(self, draws):
    ...         return draws.sample(9, 2)
    >>> Bombs().bet(2, reveals=3, law="ideal").exact_rtp
    Fraction(5, 6)
    """

    cells = fact("the number of cells")
    first = fact("the number of the first cell", 0)
    ordered = False

    kind = kind_property(Board)

    def distribution(
        self,
        law: str = "ideal",
        *,
        cells: Numbers | None = None,
        reveals: int | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the number of mines under some cells.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn". As drawn it depends on which cells they are.
        cells : collection of int
            Which cells, by the numbers that outcomes have: from 0, as a rule.
        reveals : int
            How many cells, instead of which: the first ones.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, mines), to values, (N,).

        Returns
        -------
        Distribution
            Of the number of mines.

        Raises
        ------
        TypeError, ValueError
            When neither cells nor their number is given, or they aren't on the board.

        Examples
        --------
        >>> pf.Mines(mines=3).distribution(cells=[0, 1]).pmf([0, 1, 2])
        array([0.77, 0.22, 0.01])
        """
        return asking.distribution(self, law, cells=cells, reveals=reveals, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        cells: Numbers | None = None,
        reveals: int | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Mines(mines=3).observe([[11, 8, 18]], cells=[8, 9, 10, 11])
        array([2])
        """
        return asking.observe(self, outcomes, cells=cells, reveals=reveals, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        cells: Numbers | None = None,
        reveals: int | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 that no revealed cell hides a mine; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Mines(mines=3).bet(2, reveals=5).rtp
        0.991304347826087
        """
        return asking.bet(self, payout, law=law, cells=cells, reveals=reveals, of=of)

    def tally(
        self,
        rounds: int,
        *,
        cells: Numbers | None = None,
        reveals: int | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Mines(mines=1).tally(1000, reveals=5).outcomes
        array([0, 1])
        """
        return asking.tally(self, rounds, {"cells": cells, "reveals": reveals, "of": of}, **options)

    def survival(
        self, reveals: Any = None, law: str = "ideal", *, cells: Any = None, exact: bool = False
    ) -> Any:
        """Return the probability that no revealed cell hides a mine.

        Parameters
        ----------
        reveals : int or array-like of int
            The number of revealed cells. The law as drawn depends on the cells: a number then means the first
            ones.
        law : str
            "ideal" or "as_drawn".
        cells : collection of int
            The revealed cells, instead of their number.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            In the shape of `reveals`; 0 if there are fewer safe cells.

        Examples
        --------
        >>> pf.Mines(mines=3).survival(2), pf.Mines(mines=3).survival(2, exact=True)
        (0.77, Fraction(77, 100))
        >>> pf.operators.stake.Mines(mines=3).survival([1, 2, 3])
        array([0.88      , 0.77      , 0.66956522])
        """
        if reveals is None or is_single(reveals):
            mines = self.distribution(law, cells=cells, reveals=reveals)
            # Zero mines, if possible, is the smallest outcome.
            safe = Fraction(mines.weights[0] if mines.outcomes[0] == 0 else 0, mines.total)
            return safe if exact else float(safe)
        if cells is not None:
            raise BadType("cells", "must not be given together with reveals")
        counted = integers("reveals", np.ravel(reveals))
        known = {count: self.survival(count, law, exact=exact) for count in np.unique(counted).tolist()}
        found = np.empty(counted.shape, dtype=object if exact else np.float64)
        for place, count in enumerate(counted.tolist()):
            found[place] = known[count]
        return found.reshape(np.shape(reveals))

    def fair_multiplier(
        self, reveals: Any = None, law: str = "ideal", *, cells: Any = None, exact: bool = False
    ) -> Any:
        """Return the multiplier that makes revealing these cells a fair bet: 1 / `survival`, asked alike.

        Reveals that can't be survived are a ValueError.

        Examples
        --------
        >>> pf.Mines(mines=3).fair_multiplier(1, exact=True)
        Fraction(25, 22)
        """
        survival = self.survival(reveals, law, cells=cells, exact=True)
        if not np.all(np.asarray(survival, dtype=object) > 0):
            named = "cells" if reveals is None else "reveals"
            raise BadValue(named, f"must leave a chance to survive: with {self.shape[0]} mines there is none")
        fair = Fraction(1) / survival
        if exact:
            return fair
        return fair.astype(np.float64) if isinstance(fair, np.ndarray) else float(fair)
