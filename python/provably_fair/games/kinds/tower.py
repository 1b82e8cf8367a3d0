"""Towers: the player chooses a position in each row, and climbs on or falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair import distribution
from provably_fair._core.arguments import BadValue, integer, integers

from .. import asking
from ..game import Game
from ..kind import Kind, Law, OfArrays, fact, kind_property, one_of
from ..looks import Climbed, Look, Of, OfPart, View
from ..samples import Hits
from .parts import are_apart, part_looks

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


@dataclass(frozen=True)
class Tower(Kind):
    """The kind of tower games."""

    name: ClassVar[str] = "tower"
    counts: ClassVar[Mapping[str, str]] = {"rows": "positions"}
    rows: int
    positions: int
    count: int
    safe: bool
    always: bool

    def view(
        self, *, positions: ArrayLike | None = None, rows: int | None = None, of: Of | None = None
    ) -> View:
        if of is not None or (positions is None and rows is None and not self.always):
            one_of({"of": of, "rows": rows})
            one_of({"of": of, "positions": positions})
            return View(of)
        rows = integer("rows", self.rows if rows is None else rows, 1, self.rows)
        last = self.positions - 1
        if positions is None or np.ndim(positions) == 0:
            chosen = [integer("positions", 0 if positions is None else positions, 0, last)] * rows
        else:
            listed = integers("positions", positions)
            if listed.size < rows or ((listed < 0) | (listed > last)).any():
                raise BadValue("positions", f"must be one for each of {rows} rows, from 0 to {last}")
            chosen = listed[:rows].tolist()
        return View(Climbed(tuple(chosen), self.safe), wins=rows)

    def bounds(self) -> tuple[int, int]:
        return 0, self.positions - 1

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {
            "rows": outcomes.shape[1:2] == (self.rows,),
            "count": outcomes.shape[2:] == (self.count,),
            "positions": (outcomes >= 0) & (outcomes < self.positions),
        }

    @property
    def quick(self) -> bool:
        return True

    @property
    def laws(self) -> tuple[Law, ...]:
        return (self._climbed, *super().laws)

    def _climbed(self, drawn: bool, of: Of | None) -> Distribution | None:
        """Return the law of the rows climbed, from the laws of rows that share no draw; else None."""
        if not isinstance(of, Climbed) or not are_apart(self.game):
            return None
        from ..answering import law_of_view

        weights: list[int] = []
        climbed = 1
        for row, position in enumerate(of.positions):
            # Whether the chosen position is among those of the outcome.
            met = law_of_view(self.game, drawn, View(OfPart(row, Hits((position,))), values=(0, 1)))
            counts = dict(zip(met.outcomes.tolist(), met.weights, strict=True))
            weights = [weight * met.total for weight in weights]
            weights.append(climbed * counts[1 - of.safe])
            climbed *= counts[int(of.safe)]
        return distribution.Distribution(range(len(weights) + 1), [*weights, climbed])

    def distance(self) -> Fraction:
        return Fraction(0)

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return part_looks(self.game, "row")


class TowerGame(OfArrays, Game):
    """A tower: the player chooses a position in each row, and climbs on or falls.

    A class states `rows`, `positions`, how many there are in each row, and `count`, how many of them the
    outcome has; `safe`, whether these are the safe positions rather than those where the player falls; and
    `always`, whether the default question is the number of rows climbed at position 0.

    Examples
    --------
    >>> class Stairs(pf.games.kinds.TowerGame):
    ...     rows, positions, count = 4, 3, 1
    ...     def outcome(self, draws):
    ...         return np.stack([draws.sample(3, 1) for row in range(4)], axis=1)
    >>> Stairs().bet(4, rows=3, law="ideal").exact_rtp
    Fraction(32, 27)
    """

    rows = fact("the number of rows")
    positions = fact("the number of positions in a row")
    count = fact("the number of positions that the outcome has for each row")
    safe = fact("whether the outcome has the safe positions", False)
    always = fact("whether the rows climbed are asked by default", False)

    kind = kind_property(Tower)

    def distribution(
        self,
        law: str = "ideal",
        *,
        positions: ArrayLike | None = None,
        rows: int | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the rows climbed before one falls.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        positions : int or array-like of int
            The position that the player chooses in every row, from 0; or one for each row. By default 0.
        rows : int
            The number of rows after which the player stops, from 1; by default the top.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, rows, k), to values, (N,).

        Returns
        -------
        Distribution
            Of 0 to `rows`.

        Raises
        ------
        TypeError, ValueError
            When positions or rows aren't those of a tower.

        Examples
        --------
        >>> pf.Tower().distribution(rows=2).pmf([0, 1, 2])
        array([0.2 , 0.16, 0.64])
        >>> pf.operators.stake.DragonTower().distribution(rows=9).pmf(9) == 0.75**9
        np.True_
        """
        return asking.distribution(self, law, positions=positions, rows=rows, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        positions: ArrayLike | None = None,
        rows: int | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Tower().observe([[[2], [4], [2], [1], [4], [3], [0], [2], [2], [1]]], positions=1)
        array([3])
        """
        return asking.observe(self, outcomes, positions=positions, rows=rows, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        positions: ArrayLike | None = None,
        rows: int | None = None,
        of: Of | None = None,
    ) -> Bet:
        """Return a bet of 1 that every row is climbed; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Tower().bet(1.5, rows=2, law="ideal").exact_rtp
        Fraction(24, 25)
        """
        return asking.bet(self, payout, law=law, positions=positions, rows=rows, of=of)

    def tally(
        self,
        rounds: int,
        *,
        positions: ArrayLike | None = None,
        rows: int | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Tower().tally(1000, rows=2).outcomes
        array([0, 1, 2])
        """
        return asking.tally(self, rounds, {"positions": positions, "rows": rows, "of": of}, **options)
