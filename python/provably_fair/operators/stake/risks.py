"""Stake's games with tables by risk: wheel, plinko and keno."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, choice
from provably_fair.games import IndependentGame, Kind, Question, Range
from provably_fair.games.draws import Draws
from provably_fair.games.faces import PegsGame, SampleGame, WheelGame
from provably_fair.games.kind import one_of, uniform
from provably_fair.games.kinds import independent, paid_by_table_law, pegs, sample, wheel
from provably_fair.games.looks import Of, PaidByTable, View
from provably_fair.games.samples import Hits

from . import tables
from .schemes import StakeGame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution

__all__ = ["Keno", "Plinko", "Wheel"]


@dataclass(frozen=True)
class _AtRisk:
    """The view of a bet paid by the table of its risk; without a risk, that of the other questions."""

    unasked: Callable[[Any, Mapping[str, Any]], View]
    risks: tuple[str, ...]
    table: Callable[[Any, str, Of | None], Sequence[float]]
    beside: str

    def __call__(self, game: Any, asked: Mapping[str, Any]) -> View:
        others = {name: value for name, value in asked.items() if name != "risk"}
        risk = asked.get("risk")
        if risk is None:
            return self.unasked(game, others)
        choice("risk", risk, self.risks)
        one_of({"risk": risk} | {name: value for name, value in others.items() if name != self.beside})
        number = self.unasked(game, others).of
        return View(PaidByTable(number, tuple(self.table(game, risk, number))), pays=True)


def _with_risk(
    kind: Kind,
    risks: Collection[str],
    table: Callable[[Any, str, Of | None], Sequence[float]],
    *,
    beside: str = "",
) -> Kind:
    """Return a kind with one more question, the risk of a bet, which selects the table that pays it.

    `table` is a function of a game, a risk, and the view of the question `beside` that may be asked with it.
    """
    listed = ", ".join(f'"{risk}"' for risk in risks)
    doc = f"{{{listed}}}, optional\nThe operator's table by which a bet is paid."
    questions = (Question("risk", "str | None", doc), *kind.questions)
    laws = kind.laws if paid_by_table_law in kind.laws else (paid_by_table_law, *kind.laws)
    view = _AtRisk(kind.view, tuple(risks), table, beside)
    return replace(kind, questions=questions, view=view, laws=laws, distance=uniform, needs="risk")


def _listed(name: str, value: int, listed: Mapping[int, Sequence[float]]) -> Sequence[float]:
    """Return the payouts for a number of segments or rows; refuse a number without a table."""
    if value not in listed:
        known = ", ".join(map(str, listed))
        raise BadValue("risk", f"has tables for {known} {name}, and the game has {value}: give a payout")
    return listed[value]


def _wheel_table(game: Any, risk: str, _number: Of | None) -> Sequence[float]:
    return _listed("segments", game.segments, tables.WHEEL[risk])


class Wheel(WheelGame, StakeGame):
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
    kind: ClassVar[Kind] = _with_risk(wheel("segments"), tables.WHEEL, _wheel_table)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(self.segments)

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, risk: str | None = None, sectors: Any = None, of: Any = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, risk: str | None = None, sectors: Any = None, of: Any = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            sectors: Any = None,
            of: Any = None,
        ) -> Bet: ...


def _plinko_table(game: Any, risk: str, number: Of | None) -> Sequence[float]:
    if number is None:
        raise BadType("risk", "isn't supported with bucket=False: ask one of them")
    half = _listed("rows", game.rows, tables.PLINKO[risk])
    return (*half, *half[: game.rows + 1 - len(half)][::-1])


class Plinko(PegsGame, IndependentGame, StakeGame):
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
    kind: ClassVar[Kind] = _with_risk(
        independent(wheel(2), "rows", name="row", whole=pegs("rows")),
        tables.PLINKO,
        _plinko_table,
        beside="bucket",
    )

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            risk: str | None = None,
            bucket: bool = True,
            payout: Any = None,
            of: Any = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            risk: str | None = None,
            bucket: bool = True,
            payout: Any = None,
            of: Any = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            bucket: bool = True,
            of: Any = None,
        ) -> Bet: ...


def _keno_table(game: Any, risk: str, number: Of | None) -> Sequence[float]:
    listed = tables.KENO[risk]
    if not isinstance(number, Hits):
        raise BadType("hits", f"must be given with risk: 1 to {len(listed)} numbers")
    picks, last = number.chosen, game.kind.facts["size"] - 1
    if not 1 <= len(picks) <= len(listed) or picks[-1] > last:
        problem = f"must be 1 to {len(listed)} numbers from 0 to {last} with risk, got {list(picks)!r:.80}"
        raise BadValue("hits", problem)
    return listed[len(picks) - 1]


class Keno(SampleGame, StakeGame):
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
    >>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
    Fraction(3, 4)
    >>> keno.bet(risk="classic", hits={7}, law="ideal").exact_rtp
    Fraction(99, 100)
    """

    kind: ClassVar[Kind] = _with_risk(sample(40, 10, bounds=(0, 39)), tables.KENO, _keno_table, beside="hits")

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(40, 10)

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, risk: str | None = None, hits: Any = None, of: Any = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, risk: str | None = None, hits: Any = None, of: Any = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            hits: Any = None,
            of: Any = None,
        ) -> Bet: ...
