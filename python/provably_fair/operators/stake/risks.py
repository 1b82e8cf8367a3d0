"""Stake's games with tables by risk: wheel, plinko and keno."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, choice
from provably_fair.games import Range, asking
from provably_fair.games.draws import Draws
from provably_fair.games.kind import kind_property, one_of
from provably_fair.games.kinds import pegs, sample, wheel
from provably_fair.games.looks import Numbers, Of, PaidByTable, Payout, View
from provably_fair.games.samples import Hits

from . import tables
from .schemes import StakeGame

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally


def _listed(name: str, value: int, listed: Mapping[int, Sequence[float]]) -> Sequence[float]:
    """Return the payouts for a number of segments or rows; refuse a number without a table."""
    if value not in listed:
        known = ", ".join(map(str, listed))
        raise BadValue("risk", f"has tables for {known} {name}, and the game has {value}: give a payout")
    return listed[value]


class _Wheel(wheel.Wheel):
    needs: ClassVar[str] = "risk"

    def view(self, *, risk: str | None = None, sectors: Numbers | None = None, of: Of | None = None) -> View:
        if risk is None:
            return super().view(sectors=sectors, of=of)
        choice("risk", risk, tables.WHEEL)
        one_of({"risk": risk, "sectors": sectors, "of": of})
        paid = _listed("segments", self.sectors, tables.WHEEL[risk])
        return View(PaidByTable(None, tuple(paid)), pays=True)


class Wheel(wheel.WheelGame, StakeGame):
    """Stake's wheel: the segment at which it stops, ``floor(f * segments)``.

    Parameters
    ----------
    segments : int
        The number of segments, 1 to 1000.

    Notes
    -----
    Checked on 10 published rounds: bets of 2019 with 10 and 20 segments.

    ``bet(risk="low")`` is paid by the operator's tables of March 2026, which have 10, 20, 30, 40 or 50
    segments and return 0.99. Other bets need a payout.

    Examples
    --------
    >>> seeds = "94487b24ed990e977c5c386bf78f4196bc8a35dd268b5459166e4b277d705cfb", "qOw5CFFd"
    >>> wheel = pf.operators.stake.Wheel(segments=10)
    >>> wheel.play(*seeds, [2, 3, 4])
    array([5, 0, 2])
    >>> wheel.bet(risk="high", law="ideal").exact_rtp
    Fraction(99, 100)
    """

    segments: int = Range(1, 1000, default=10)

    @property
    def sectors(self) -> int:
        """The number of segments."""
        return self.segments

    kind = kind_property(_Wheel)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(self.segments)

    def distribution(
        self,
        law: str = "ideal",
        *,
        risk: str | None = None,
        sectors: Numbers | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the sector, of what a table pays, or of winning a bet on some sectors.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        risk : {"low", "medium", "high"}, optional
            The operator's table by which a bet is paid.
        sectors : int or collection of int, optional
            The sectors that are bet on.
        of : callable, optional
            A function to take the law of instead: from sectors, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the sector or of the payout; of a bet on sectors 1 where it wins, else 0.

        Examples
        --------
        >>> pf.operators.stake.Wheel().distribution(risk="high").pmf([0, 9.9])
        array([0.9, 0.1])
        """
        return asking.distribution(self, law, risk=risk, sectors=sectors, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        risk: str | None = None,
        sectors: Numbers | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        return asking.observe(self, outcomes, risk=risk, sectors=sectors, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        risk: str | None = None,
        sectors: Numbers | None = None,
        of: Of | None = None,
    ) -> Bet:
        return asking.bet(self, payout, law=law, risk=risk, sectors=sectors, of=of)

    def tally(
        self,
        rounds: int,
        *,
        risk: str | None = None,
        sectors: Numbers | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        return asking.tally(self, rounds, {"risk": risk, "sectors": sectors, "of": of}, **options)


class _Plinko(pegs.Pegs):
    needs: ClassVar[str] = "risk"

    def view(
        self,
        *,
        risk: str | None = None,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
    ) -> View:
        if risk is None:
            return super().view(bucket=bucket, payout=payout, of=of)
        choice("risk", risk, tables.PLINKO)
        one_of({"risk": risk, "payout": payout, "of": of})
        number = super().view(bucket=bucket).of
        if number is None:
            raise BadType("risk", "isn't supported with bucket=False: ask one of them")
        half = _listed("rows", self.rows, tables.PLINKO[risk])
        return View(PaidByTable(number, (*half, *half[: self.rows + 1 - len(half)][::-1])), pays=True)


class Plinko(pegs.PegsGame, StakeGame):
    """Stake's plinko: at each row of pins 0, to the left, or 1, to the right: ``floor(f * 2)`` a row.

    Parameters
    ----------
    rows : int
        The number of rows, 1 to 16.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 with 16 rows.

    ``bet(risk="low")`` is paid by the operator's tables for 8 to 16 rows, as copied in November 2024
    (github.com/AnsonH/plinko-game). They return 0.989 to 0.992. The tables of March 2026 differ in one
    number, 27 for 26 with 16 rows of high risk, taken for an error: it would return 0.9934. Other bets need
    a payout.

    Examples
    --------
    >>> seeds = "05ab9aeec2e6a8cd924f2aeab4dabe68f53c75c43c5fde1f2e0b5103cdd8efc9", "Se6QIZfZ"
    >>> plinko = pf.operators.stake.Plinko(rows=16)
    >>> plinko.play(*seeds, 1)
    array([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1])
    >>> bet = plinko.bet(risk="high")
    >>> float(bet.law.outcomes[-1]), round(bet.rtp, 5)
    (1000.0, 0.98976)
    """

    rows: int = Range(1, 16, default=16)

    kind = kind_property(_Plinko)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(self.rows, "row").below(2)

    def distribution(
        self,
        law: str = "ideal",
        *,
        risk: str | None = None,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the bucket, or of its payout.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        risk : {"low", "medium", "high"}, optional
            The operator's table by which a bet is paid.
        bucket : bool
            Whether it is of the bucket: how often the ball went to the right. With ``bucket=False`` it is of
            what the outcome has of a ball, its path.
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
        >>> pf.operators.stake.Plinko(rows=8).distribution(risk="low").outcomes
        array([0.5, 1. , 1.1, 2.1, 5.6])
        """
        return asking.distribution(self, law, risk=risk, bucket=bucket, payout=payout, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        risk: str | None = None,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        return asking.observe(self, outcomes, risk=risk, bucket=bucket, payout=payout, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        risk: str | None = None,
        bucket: bool = True,
        of: Of | None = None,
    ) -> Bet:
        return asking.bet(self, payout, law=law, risk=risk, bucket=bucket, of=of)

    def tally(
        self,
        rounds: int,
        *,
        risk: str | None = None,
        bucket: bool = True,
        payout: Payout | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        return asking.tally(
            self, rounds, {"risk": risk, "bucket": bucket, "payout": payout, "of": of}, always=True, **options
        )


class _Keno(sample.Sample):
    needs: ClassVar[str] = "risk"

    def view(self, *, risk: str | None = None, hits: Numbers | None = None, of: Of | None = None) -> View:
        if risk is None:
            return super().view(hits=hits, of=of)
        choice("risk", risk, tables.KENO)
        one_of({"risk": risk, "of": of})
        listed, number = tables.KENO[risk], super().view(hits=hits).of
        if not isinstance(number, Hits):
            raise BadType("hits", f"must be given with risk: 1 to {len(listed)} numbers")
        picks, last = number.chosen, self.size - 1
        if not 1 <= len(picks) <= len(listed) or picks[-1] > last:
            problem = (
                f"must be 1 to {len(listed)} numbers from 0 to {last} with risk, got {list(picks)!r:.80}"
            )
            raise BadValue("hits", problem)
        return View(PaidByTable(number, tuple(listed[len(picks) - 1])), pays=True)

    def bounds(self) -> tuple[int, int]:
        return 0, self.size - 1


class Keno(sample.SampleGame, StakeGame):
    """Stake's keno: ten numbers from 0 to 39, in the order drawn, by removal from those left.

    Each is one less than the number that the site shows, 1 to 40; so are picks: a player's 1, 2 and 40 are
    ``hits={0, 1, 39}``.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019.

    ``bet(risk="classic", hits={1, 2, 3})``, with up to ten picks, is paid by the operator's tables, as copied
    in October 2023 (github.com/tokenwin/verify, which names no operator) and, as Stake's, without a date
    (github.com/JadenB9/casino-simulator). They return 0.986 to 0.991. Other bets need a payout.

    Examples
    --------
    >>> seeds = "9f7e2493d3e64681667295f3a2ffd7da0fcf1d24181bbb1ca71df589304e878d", "v750-_nL"
    >>> keno = pf.operators.stake.Keno()
    >>> keno.play(*seeds, 1)
    array([18, 28, 34, 21, 36, 13, 31, 24,  6,  2])
    >>> keno.bet(risk="classic", hits={7}, law="ideal").exact_rtp
    Fraction(99, 100)
    """

    size, count = 40, 10

    kind = kind_property(_Keno)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(40, 10)

    def distribution(
        self,
        law: str = "ideal",
        *,
        risk: str | None = None,
        hits: Numbers | None = None,
        of: Of | None = None,
    ) -> Distribution:
        """Return the exact law of the number of hits among some numbers, or of what a table pays for them.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        risk : {"classic", "low", "medium", "high"}, optional
            The operator's table by which a bet is paid.
        hits : collection of int
            The numbers, the same as ``of=pf.hits(...)``.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, ...), to values, (N,).

        Returns
        -------
        Distribution
            Of the number of hits, or of the payout; of the outcomes, where nothing is asked.

        Raises
        ------
        ValueError
            When there are too many combinations; the message says how many.

        Examples
        --------
        >>> pf.operators.stake.Keno().distribution(hits={1, 2, 3}).mean(exact=True)
        Fraction(3, 4)
        """
        return asking.distribution(self, law, risk=risk, hits=hits, of=of)

    def observe(
        self,
        outcomes: ArrayLike,
        *,
        risk: str | None = None,
        hits: Numbers | None = None,
        of: Of | None = None,
    ) -> np.ndarray:
        return asking.observe(self, outcomes, risk=risk, hits=hits, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        risk: str | None = None,
        hits: Numbers | None = None,
        of: Of | None = None,
    ) -> Bet:
        return asking.bet(self, payout, law=law, risk=risk, hits=hits, of=of)

    def tally(
        self,
        rounds: int,
        *,
        risk: str | None = None,
        hits: Numbers | None = None,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        return asking.tally(self, rounds, {"risk": risk, "hits": hits, "of": of}, **options)
