"""Kinds of games: what may be asked of each, whoever's game it is, and whatever plays its rounds."""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections import Counter
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, distinct, integer, integers, is_single
from provably_fair._core.numbers import hundredth
from provably_fair.distribution import Distribution
from provably_fair.distribution.payouts import Payout, payouts_at_once
from provably_fair.distribution.tally import Tally

from ._samples import Cell, Hits, hits, values_of
from .cash_outs import MIN_CASH_OUT
from .draws import Draws
from .game import Game
from .looks import Among, Climbed, Compared, Look, Of, OfPart, Ones, Paid, Total, View
from .parameters import Range
from .questions import Numbers, one_of

__all__ = [
    "BoardGame",
    "Dicing",
    "Independent",
    "MultiplierGame",
    "OneQuestion",
    "PegPath",
    "Pegs",
    "SampleGame",
    "Spinning",
    "TowerGame",
]


def view_law(game: Game, law: str, view: View) -> Distribution:
    """Return a game's law of what a view looks at."""
    return game._law(law, view)


class OneQuestion(Game):
    """A game whose law may be asked one thing at a time."""

    def _view(self, *, of: Of | None = None, **questions: Any) -> View:
        asked = one_of(**questions, of=of)
        return View(of) if asked is None or of is not None else self._view_of(*asked)

    @abstractmethod
    def _view_of(self, name: str, asked: Any) -> View:
        """Return what a question looks at."""


class BoardGame(OneQuestion):
    """Mines on a board: the outcome is the cells that hide them, a sample without replacement."""

    ordered = False
    mines: int = Range(1, 24, default=3)
    _is_sample = True
    _knows_law = False
    _cells: ClassVar[int] = 25
    _first_cell: ClassVar[int] = 0

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
        of : callable
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
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).distribution(cells=[0, 1]).pmf([0, 1, 2])
        array([0.77, 0.22, 0.01])
        """
        return self._law(law, self._view(cells=cells, reveals=reveals, of=of))

    def _view_of(self, name: str, asked: Any) -> View:
        first = self._first_cell
        if name == "reveals":
            chosen = range(first, first + integer("reveals", asked, 0, self._cells))
        else:
            _refuse_one("cells", asked, f"reveals={asked!r:.80}, or ")
            chosen = distinct("cells", asked, first + self._cells - 1, first).tolist()
        return View(hits(list(chosen)), wins=0)  # none of the cells hides a mine

    def survival(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: Numbers | None = None,
        exact: bool = False,
    ) -> Any:
        """Return the probability that no revealed cell hides a mine.

        Parameters
        ----------
        reveals : int or array-like of int
            How many cells are revealed. As drawn it depends on which: a number then stands for the first
            cells.
        law : str
            "ideal" or "as_drawn".
        cells : collection of int
            Which cells are revealed, instead of how many.
        exact : bool
            Whether to return a Fraction rather than the nearest float.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            In the shape of `reveals`; 0 where there are fewer safe cells.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).survival(2), pf.Mines(mines=3).survival(2, exact=True)
        (0.77, Fraction(77, 100))
        >>> pf.operators.stake.Mines(mines=3).survival([1, 2, 3])
        array([0.88      , 0.77      , 0.66956522])
        """
        if reveals is None or is_single(reveals):
            mines = self.distribution(law, cells=cells, reveals=reveals)
            # No mines are the least outcome, where that can be at all.
            safe = Fraction(mines.weights[0] if mines.outcomes[0] == 0 else 0, mines.total)
            return safe if exact else float(safe)
        if cells is not None:
            raise BadType("cells", "and reveals must not be given both")
        counted = integers("reveals", np.ravel(reveals))
        known = {count: self.survival(count, law, exact=exact) for count in np.unique(counted).tolist()}
        found = np.empty(counted.shape, dtype=object if exact else np.float64)
        for place, count in enumerate(counted.tolist()):
            found[place] = known[count]
        return found.reshape(np.shape(reveals))

    def fair_multiplier(
        self,
        reveals: Any = None,
        law: str = "ideal",
        *,
        cells: Numbers | None = None,
        exact: bool = False,
    ) -> Any:
        """Return the multiplier that makes revealing these cells a fair bet: 1 / survival.

        Parameters
        ----------
        reveals, law, cells, exact
            As in `survival`.

        Returns
        -------
        float or fractions.Fraction, or numpy.ndarray of them
            At least 1.

        Raises
        ------
        ValueError
            When the reveals can't be survived.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).fair_multiplier(1, exact=True)
        Fraction(25, 22)
        """
        survival = self.survival(reveals, law, cells=cells, exact=True)
        if not np.all(np.asarray(survival, dtype=object) > 0):
            named = "cells" if reveals is None else "reveals"
            raise BadValue(named, f"must leave a chance to survive: with {self.mines} mines there is none")
        fair = Fraction(1) / survival
        if exact:
            return fair
        return fair.astype(np.float64) if isinstance(fair, np.ndarray) else float(fair)


def _refuse_one(name: str, value: Any, other: str = "") -> None:
    """Refuse a number where some are asked for: it may be meant as how many."""
    if isinstance(value, (int, float, np.generic)) or (isinstance(value, np.ndarray) and not value.ndim):
        raise BadType(name, f"must be a collection, got {value!r:.80}: {other}{name}=[{value!r:.80}]?")


class Dicing(OneQuestion):
    """A number; players bet that it is below another, or above."""

    _notations = frozenset({"percent"})
    _knows_law = False

    @property
    @abstractmethod
    def _numbers(self) -> tuple[int, int, int]:
        """The least and the largest number, in steps, and how many steps make 1."""

    def distribution(
        self,
        law: str = "ideal",
        *,
        under: float | None = None,
        over: float | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the number, or of winning a bet on it.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        under, over : number, optional
            Bet on numbers below, or above, this one. Give one of them, with two decimals if numbers have
            them.
        of : callable, optional
            A function to take the law of instead: from numbers, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the number; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Dice().distribution(under=50).mean(exact=True)
        Fraction(5000, 10001)
        """
        return self._law(law, self._view(under=under, over=over, of=of))

    def _view_of(self, name: str, asked: Any) -> View:
        least, most, unit = self._numbers
        limit = integer(name, asked, least, most) if unit == 1 else hundredth(name, asked, least, most) / unit
        return View(Compared("below" if name == "under" else "above", limit), wins=1, values=(0, 1))


class MultiplierGame(OneQuestion):
    """A multiplier; players bet that it reaches their cash-out."""

    _knows_law = False
    _needs = "cash_out"

    def distribution(
        self, law: str = "ideal", *, cash_out: float | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the multiplier, or of the payout of a bet of 1 with a cash-out.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        cash_out : number, optional
            The multiplier at which to cash out, at least 1.01, with two decimals. The bet wins if the outcome
            is at least that.
        of : callable, optional
            A function to take the law of instead: from multipliers, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the multiplier; of a bet `cash_out` where it is cashed out, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Crash().distribution(cash_out=2.0).mean()
        0.95238
        >>> round(pf.operators.bustabit.V2().bet(cash_out=2).rtp, 9)
        0.99
        """
        return self._law(law, self._view(cash_out=cash_out, of=of))

    def _view_of(self, name: str, asked: Any) -> View:
        return aimed_at(name, asked)


def aimed_at(name: str, target: Any, place: int | None = None) -> View:
    """Return the view of a bet that a multiplier, or a part of several, gets as far as a target."""
    reached = hundredth(name, target, MIN_CASH_OUT) / 100
    paid = Paid(reached)
    return View(
        paid if place is None else OfPart(place, paid), wins=reached, pays=True, values=(0.0, reached)
    )


class Spinning(OneQuestion):
    """A wheel that stops at a sector."""

    _knows_law = False

    @property
    @abstractmethod
    def _sectors(self) -> int:
        """How many sectors there are."""

    def distribution(
        self, law: str = "ideal", *, sectors: Numbers | None = None, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of the sector, or of winning a bet on some of them.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        sectors : int or collection of int, optional
            The sectors that are bet on.
        of : callable, optional
            A function to take the law of instead: from sectors, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the sector; of a bet 1 where it wins, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution(sectors=[0, 1]).mean(exact=True)
        Fraction(2, 15)
        """
        return self._law(law, self._view(sectors=sectors, of=of))

    def _view_of(self, name: str, asked: Any) -> View:
        chosen = distinct(name, asked, self._sectors - 1)
        return View(Among(tuple(chosen.tolist())), wins=1, values=(0, 1))


class SampleGame(OneQuestion):
    """Numbers drawn without replacement; players bet on some of them."""

    ordered = False
    _is_sample = True
    _knows_law = False

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
        of : callable
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
        >>> import provably_fair as pf
        >>> keno = pf.operators.stake.Keno()
        >>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
        Fraction(3, 4)
        >>> keno.bet(payout=[0, 1, 5, 25], hits={1, 2, 3}).exact_rtp
        Fraction(705, 494)
        """
        return self._law(law, self._view(hits=hits, of=of))

    def _view_of(self, name: str, asked: Any) -> View:
        _refuse_one(name, asked)
        return View(hits(asked))


class Independent(Game):
    """A game whose outcome has several parts, each made of its own draws without regard to the others.

    So the law of a part needs the draws of that part alone, however many parts there are.
    """

    _knows_law = True
    _part_name: ClassVar[str] = "value"
    _rises: ClassVar[bool] = False
    """Whether a part rises or falls with its one draw."""
    _gathered: ClassVar[Any] = None
    """What makes few values of those of a part, where there are too many to list."""

    @property
    def _parts(self) -> int:
        """How many parts there are: the game's only parameter, where its class doesn't say."""
        (count,) = self.parameters.values()
        return count

    @abstractmethod
    def _part(self, draws: Draws, place: int) -> np.ndarray:
        """Return the part at a place, for all rounds."""

    def outcome(self, draws: Draws) -> np.ndarray:
        found = []
        for place in range(self._parts):
            draws.part(self._part_name, place)
            found.append(self._part(draws, place))
        return np.stack(found, axis=1)

    def _law_of(self, drawn: bool, of: Of | None) -> Distribution:
        if isinstance(of, Ones | Total):
            laws = [self._law_of(drawn, OfPart(place)) for place in of.places or range(self._parts)]
            if of.of is not None:
                laws = [Distribution(of.of(law.outcomes), law.weights) for law in laws]
            sums = [law.sum(count) for law, count in Counter(laws).items()]
            return functools.reduce(Distribution.convolve, sums)
        if not isinstance(of, OfPart):
            joint = None if isinstance(of, Hits | Cell) else self._joint_law(drawn, of)
            return super()._law_of(drawn, of) if joint is None else joint
        kind = _RisingPart if self._rises else _OnePart
        one: Distribution = kind(self, of.place).with_scheme(self.scheme)._law_of(drawn, of.of)
        return one

    def _joint_law(self, drawn: bool, of: Of | None) -> Distribution | None:
        """Return the law of all parts, or of a function of them, from each part's; None where it is long."""
        if len(self.shape) != 1 or self._gathered is not None or 1 << self._parts > _MAX_JOINT:
            return None
        laws = [self._law_of(drawn, OfPart(place)) for place in range(self._parts)]
        if math.prod(map(len, laws)) > (_MAX_LISTED if of is None else _MAX_JOINT):
            return None
        parts = np.meshgrid(*(law.outcomes for law in laws), indexing="ij")
        weights = functools.reduce(np.multiply.outer, (np.array(law.weights, object) for law in laws))
        outcomes = np.stack([part.ravel() for part in parts], axis=1)
        if of is None:  # outcomes of several values are tuples
            return Distribution(list(map(tuple, outcomes.tolist())), weights.ravel())
        return Distribution(values_of(of, outcomes), weights.ravel())

    def _looks(self) -> tuple[Look, ...]:
        if len(self.shape) == 1:
            of = self._gathered
            return tuple(
                Look(f"{self._part_name} {place}", {"of": OfPart(place, of)}) for place in range(self._parts)
            )
        return tuple(
            Look(f"{self._part_name} {place}, value {value}", {"of": OfPart(place, Cell(value))})
            for place in range(self._parts)
            for value in range(self.shape[1])
        )

    def _independent_looks(self) -> tuple[Look, ...]:
        return self._looks() if len(self.shape) == 1 and self._gathered is None else ()


_MAX_JOINT = 1 << 20
_MAX_LISTED = 1 << 18  # of outcomes that are tuples


class _OnePart(Game):
    """One part of a game's outcome, as a game of its own."""

    game: Independent
    place: int

    def outcome(self, draws: Draws) -> np.ndarray:
        return self.game._part(draws, self.place)


class _RisingPart(_OnePart):
    monotone = True


class Pegs(Game):
    """A ball that falls left or right at each row of pins, into a bucket."""

    _knows_law = True

    @property
    @abstractmethod
    def _pins(self) -> int:
        """How many rows of pins there are."""

    def distribution(
        self,
        law: str = "ideal",
        *,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
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
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8).distribution().weights
        (1, 8, 28, 56, 70, 56, 28, 8, 1)
        >>> pf.operators.stake.Plinko(rows=8).distribution().weights
        (1, 8, 28, 56, 70, 56, 28, 8, 1)
        >>> pf.Plinko(pins=8).distribution(payout=[9, 2, 1, 0, 0, 0, 1, 2, 9]).mean()
        0.4140625
        """
        view = self._view(bucket=bucket, payout=payout, of=of)
        if payout is None or of is not None:
            return self._law(law, view)
        return self._law(law, self._view(bucket=bucket)).map(self._table(payout))

    def _view(self, *, bucket: bool = True, payout: Payout | None = None, of: Of | None = None) -> View:
        one_of(payout=payout, of=of)
        if not _flag("bucket", bucket):
            one_of(payout=payout, **{"bucket=False": True})
            return View(of)
        if of is not None:
            return View(of)
        if payout is None:
            return View(self._bucket())
        return View(_PaidBucket(self._bucket(), self._table(payout)), pays=True)

    def _table(self, payout: Payout) -> list[Any]:
        """Return what each bucket pays."""
        return payouts_at_once(list(range(self._pins + 1)), payout)

    def _bucket(self) -> Of | None:
        """Return what finds the bucket of an outcome; None where it is the outcome."""
        return Ones()


class PegPath(Pegs, Independent):
    """Plinko whose outcome is the path: at each row 0, to the left, or 1, to the right."""

    rows: int = Range(1, 16, default=16)
    _notations = frozenset({"path", "bucket"})
    _part_name = "row"

    @property
    def _pins(self) -> int:
        return self.rows

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)

    def tally(self, rounds: int, **options: Any) -> Tally:
        """Count the buckets of many simulated rounds; with ``bucket=False`` the steps. See `Game.tally`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.stake.Plinko(rows=2).tally(100).outcomes
        array([0, 1, 2])
        """
        return super().tally(rounds, **({"bucket": True} | options))


class _PaidBucket:
    """What the buckets of outcomes pay."""

    def __init__(self, bucket: Of | None, table: list[Any]) -> None:
        self._bucket, self._table = bucket, np.array(table)

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return self._table[outcomes if self._bucket is None else self._bucket(outcomes)]


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise BadType(name, f"must be True or False, got {value!r:.80}")
    return bool(value)


class TowerGame(Game):
    """A tower: the player chooses a position in each row, and climbs on or falls."""

    _knows_law = True
    _rows: ClassVar[int]
    _safe: ClassVar[bool] = False
    """Whether the outcome has the positions that one climbs on, rather than those where one falls."""

    @property
    @abstractmethod
    def _positions(self) -> int:
        """How many positions a row has."""

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
        of : callable
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
        >>> import provably_fair as pf
        >>> pf.Tower().distribution(rows=2).pmf([0, 1, 2])
        array([0.2 , 0.16, 0.64])
        >>> pf.operators.stake.DragonTower().distribution(rows=9).pmf(9) == 0.75**9
        np.True_
        """
        view = self._view(positions=positions, rows=rows, of=of)
        if not isinstance(view.of, Climbed):
            return self._law(law, view)
        weights: list[int] = []
        climbed = 1
        for row in view.of.rows():
            met = self._law(law, View(row, values=(0, 1)))
            counts = dict(zip(met.outcomes.tolist(), met.weights, strict=True))
            weights = [weight * met.total for weight in weights]
            weights.append(climbed * counts[1 - self._safe])
            climbed *= counts[int(self._safe)]
        return Distribution(range(len(weights) + 1), [*weights, climbed])

    def _view(self, *, positions: Any = None, rows: Any = None, of: Of | None = None) -> View:
        if of is not None or (positions is None and rows is None):
            one_of(of=of, rows=rows)
            one_of(of=of, positions=positions)
            return View(of)
        rows = integer("rows", self._rows if rows is None else rows, 1, self._rows)
        last = self._positions - 1
        if positions is None or np.ndim(positions) == 0:
            chosen = [integer("positions", 0 if positions is None else positions, 0, last)] * rows
        else:
            listed = integers("positions", positions)
            if listed.size < rows or ((listed < 0) | (listed > last)).any():
                raise BadValue("positions", f"must be one for each of {rows} rows, from 0 to {last}")
            chosen = listed[:rows].tolist()
        return View(Climbed(tuple(chosen), self._safe), wins=rows)
