"""The exact return of a paytable, by optimal play or by another strategy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, integer
from provably_fair._core.printable import html
from provably_fair._core.table import Framed, displayed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import canonical_deals
from provably_fair.distribution import Distribution

from ..names import Hand
from .holds import Hold, hand_of, hold_bits
from .paytable import Pay, Paytable, engine_of, unit_of

HoldRule = str | Callable[[Hand], Hold | None]
"""A rule in words, or a function from a hand to a hold; None if it doesn't fit."""

HoldStrategy = Callable[[Hand], Hold | None] | Sequence[HoldRule]
"""A strategy: a function from every hand to a hold, or rules of which the first that fits is played."""


# The size of the engine's whole numbers, and the most hands for which it is enough.
_BYTES = 48
_MOST_HANDS = 10


@displayed
class AnalysisRow(NamedTuple):
    """A hand of the paytable, with its pay and its frequency."""

    hand: str
    pays: Pay
    combinations: int
    probability: float
    contribution: float


@displayed
@dataclass(frozen=True)
class Mistake:
    """A deal that a strategy does not play best.

    Attributes
    ----------
    hand : Hand
        The deal; it stands for all that differ from it by an exchange of suits.
    hold, best_hold : Hand
        The cards the strategy holds, and those it should.
    value, best_value : float
        The expected payouts of the two holds, in bets, in any order of the cards.
    deals : int
        The number of the 2,598,960 deals that this one represents.
    cost : float
        The cost of the mistake to the strategy's return, over all deals.
    """

    hand: Hand
    hold: Hand
    best_hold: Hand
    value: float
    best_value: float
    deals: int
    cost: float


@dataclass(frozen=True, repr=False)
class Analysis(Framed):
    """The exact return of a paytable, over all deals and all draws.

    Attributes
    ----------
    rows : tuple of AnalysisRow
        Every hand of the paytable, in its order, "nothing" last: ``.hand``, ``.pays`` in bets,
        ``.combinations`` of `total`, ``.probability``, ``.contribution`` to the return.
    total : int
        All combinations: 1,661,102,543,100 where all counts are whole on that scale, else 12 times that; with
        sequential royal flushes the least multiple on which they are whole.
    optimal : Analysis or None
        For a strategy of your own: the analysis of optimal play.
    mistakes : tuple of Mistake
        For a strategy of your own: its costliest mistakes, worst first.
    """

    rows: tuple[AnalysisRow, ...]
    total: int
    optimal: Analysis | None = None
    mistakes: tuple[Mistake, ...] = ()
    _paytable: Paytable | None = field(default=None, compare=False)
    _holds: np.ndarray | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Analysis: {self._summary()}>"

    @property
    def exact_rtp(self) -> Fraction:
        """The return to the player, as a fraction of the bet, exactly."""
        return Fraction(sum(row.pays * row.combinations for row in self.rows)) / self.total

    @property
    def exact_variance(self) -> Fraction:
        """The variance of a round's pay, in bets squared, exactly.

        Where several holds are worth the same, the return doesn't depend on which is held, but how often each
        hand comes and the variance may. They are those of the hold that `VideoPoker.best_hold` names. Of
        `PAYTABLES` without wild cards it matters for "all_american" alone: its variance is 26.7998, and from
        26.7993 to 26.8178 by other choices. That of "deuces_wild" is 25.8346, and up to 25.8379.
        """
        squares = Fraction(sum(row.pays**2 * row.combinations for row in self.rows))
        return squares / self.total - self.exact_rtp**2

    @property
    def exact_house_edge(self) -> Fraction:
        """The exact house edge, as a fraction of the bet."""
        return 1 - self.exact_rtp

    @property
    def exact_hit_frequency(self) -> Fraction:
        """The probability that a round pays anything, exactly."""
        return Fraction(sum(row.combinations for row in self.rows if row.pays), self.total)

    @property
    def exact_cost(self) -> Fraction:
        """The exact total cost of the strategy's mistakes, as a fraction of the bet."""
        return self.optimal.exact_rtp - self.exact_rtp if self.optimal else Fraction(0)

    @property
    def rtp(self) -> float:
        """The return to the player, as a fraction of the bet."""
        return float(self.exact_rtp)

    @property
    def house_edge(self) -> float:
        """The house edge, as a fraction of the bet."""
        return float(self.exact_house_edge)

    @property
    def variance(self) -> float:
        """The variance of a round's pay, in bets squared."""
        return float(self.exact_variance)

    @property
    def std(self) -> float:
        """The standard deviation of a round's pay, in bets."""
        return float(self.variance**0.5)

    @property
    def hit_frequency(self) -> float:
        """The probability that a round pays anything."""
        return float(self.exact_hit_frequency)

    @property
    def cost(self) -> float:
        """The total cost of the strategy's mistakes, as a fraction of the bet; 0 for optimal play."""
        return float(self.exact_cost)

    @cached_property
    def exact_covariance(self) -> Fraction:
        """The covariance of the pays of two hands that are drawn from one hold, in bets squared, exactly.

        Given the deal, the two are independent: it is the variance of the hold's expected payout.
        """
        assert self._paytable is not None
        engine, unit = engine_of(self._paytable), unit_of(self._paytable)
        deals = math.comb(52 + self._paytable.jokers, 5) * engine.orders
        draws = Fraction(engine.total, deals) * unit
        return Fraction(engine.squares(self._holds)) / draws**2 / deals - self.exact_rtp**2

    @property
    def covariance(self) -> float:
        """The covariance of the pays of two hands that are drawn from one hold, in bets squared."""
        return float(self.exact_covariance)

    def multi_hand_variance(self, hands: int, *, exact: bool = False) -> float | Fraction:
        """Return the variance of what several hands pay together that are drawn from one hold.

        Parameters
        ----------
        hands : int
            The number of hands drawn, each with a bet of 1 and its own deck.
        exact : bool
            Whether to return a fraction.

        Returns
        -------
        float or Fraction
            In bets squared: ``hands * variance + hands * (hands - 1) * covariance``.

        Examples
        --------
        >>> analysis = pf.cards.VideoPoker("jacks_or_better_9_6").analyze()
        >>> [round(analysis.multi_hand_variance(hands) / hands, 2) for hands in (1, 3, 10)]
        [19.51, 23.45, 37.21]
        """
        hands = integer("hands", hands, 1)
        found = hands * self.exact_variance + hands * (hands - 1) * self.exact_covariance
        return found if exact else float(found)

    def multi_hand_law(self, hands: int) -> Distribution:
        """Return the exact law of what several hands pay together that are drawn from one hold.

        Three hands take some tenths of a second, ten up to two seconds.

        Parameters
        ----------
        hands : int
            The number of hands drawn, 1 to 10, each with a bet of 1 and its own deck.

        Returns
        -------
        Distribution
            The law of the sum of their payouts, in bets.

        Examples
        --------
        >>> analysis = pf.cards.VideoPoker("jacks_or_better_9_6").analyze()
        >>> law = analysis.multi_hand_law(3)
        >>> law.mean(exact=True) == 3 * analysis.exact_rtp
        True
        >>> round(float(law.pmf(0)), 4)  # of one hand 0.5454
        0.2626
        """
        assert self._paytable is not None
        hands = integer("hands", hands, 1, _MOST_HANDS)
        engine, unit = engine_of(self._paytable), unit_of(self._paytable)
        totals, by_held = engine.totals(self._holds, hands)
        # The ways of one hand depend on the number of cards held: bring them to a common number of draws.
        ways = {hold.bit_count(): draws for hold, draws in enumerate(engine.draws)}
        common = math.lcm(*ways.values())
        weights = [0] * len(totals)
        for held, found in enumerate(by_held):
            scale = (common // ways[held]) ** hands
            for place in range(len(totals)):
                bytes_of = found[place * _BYTES : (place + 1) * _BYTES]
                weights[place] += scale * int.from_bytes(bytes_of, "little")
        return Distribution([Fraction(total, unit) for total in totals], weights)

    def to_dict(self) -> JsonDict:
        """Return the figures as plain values, for JSON.

        Keys "rows" (a dict for each), "total", "rtp", "house_edge", "variance", "hit_frequency".
        """
        rows = [
            {**row._asdict(), "pays": row.pays if isinstance(row.pays, int) else float(row.pays)}
            for row in self.rows
        ]
        figures = ("total", "rtp", "house_edge", "variance", "hit_frequency")
        return {"rows": rows, **{figure: getattr(self, figure) for figure in figures}}

    def _columns(self) -> Columns:
        rows = self.to_dict()["rows"]
        return {name: [row[name] for row in rows] for name in AnalysisRow._fields}

    def _table(self) -> list[tuple[str, ...]]:
        whole = ("total", "", self.total, 1.0, self.rtp)
        return [
            ("hand", "pays", "combinations", "probability", "return"),
            *(
                (hand, str(pays), f"{combinations:,}", f"{probability:.6f}", f"{returned:.6f}")
                for hand, pays, combinations, probability, returned in (*self.rows, whole)
            ),
        ]

    def __str__(self) -> str:
        head, *rows = self._table()
        mistakes = [f"  {_describe(mistake)}" for mistake in self.mistakes]
        return "\n".join([text_table(head, rows), "", self._summary(), *mistakes])

    def _summary(self) -> str:
        text = f"return {self.rtp:.6f}, house edge {self.house_edge:.6f}, variance {self.variance:.4f}"
        if self.optimal:
            text += f"; optimal play returns {self.optimal.rtp:.6f}, {self.cost:.6f} more"
        return text

    def _repr_html_(self) -> str:
        head, *rows = self._table()
        mistakes = "".join(f"<li>{html(_describe(mistake), None)}</li>" for mistake in self.mistakes)
        table = html_table(head, rows, labels=True)
        return f"{table}<p>{html(self._summary(), None)}</p>" + (f"<ol>{mistakes}</ol>" if mistakes else "")


def analyze(paytable: Paytable, strategy: HoldStrategy | None, mistakes: int) -> Analysis:
    """Return the exact return of optimal play, or of a strategy with its costliest mistakes."""
    engine = engine_of(paytable)
    optimal = _analysis(paytable, engine.counts())
    if strategy is None:
        return optimal
    hands, weights = canonical_deals(engine)
    holds = strategy_holds(paytable, strategy)
    analysis = _analysis(paytable, engine.counts(holds))
    worst = _worst(paytable, hands, weights, holds, mistakes)
    return replace(analysis, optimal=optimal, mistakes=worst, _holds=holds)


def _analysis(paytable: Paytable, counts: list[int]) -> Analysis:
    engine = engine_of(paytable)
    least = math.gcd(12 * engine.orders**2, *counts)
    if engine.orders == 1 and least < 12:
        least = 1
    counts, total = [count // least for count in counts], engine.total // least
    rows = (
        AnalysisRow(hand, pays, count, count / total, float(Fraction(pays) * count / total))
        for (hand, pays), count in zip(paytable.rows, counts, strict=True)
    )
    return Analysis(tuple(rows), total, _paytable=paytable)


def strategy_holds(paytable: Paytable, strategy: HoldStrategy) -> np.ndarray:
    """Return a strategy's hold of each of the `canonical_deals`: the sum of 2**i over the held cards."""
    hands, _ = canonical_deals(engine_of(paytable))
    rules = [strategy] if callable(strategy) else strategy
    if isinstance(rules, str) or not isinstance(rules, Sequence):
        raise BadType("strategy", f"must be callable or a sequence of rules, got {type(strategy).__name__}")
    texts = [rule for rule in rules if isinstance(rule, str)]
    # All texts at once: the engine finds the features of a hand that rules ask about once.
    of_texts = iter(engine_of(paytable).rule_holds(texts).reshape(len(texts), -1) if texts else ())
    undecided_yet = 255
    holds = np.full(len(hands), undecided_yet, dtype=np.uint8)
    for number, rule in enumerate(rules):
        undecided = np.flatnonzero(holds == undecided_yet)
        if isinstance(rule, str):
            holds[undecided] = next(of_texts)[undecided]
        elif callable(rule):
            for row, cards in zip(undecided.tolist(), hands[undecided].tolist(), strict=True):
                hand = hand_of(cards, paytable.jokers)
                hold = rule(hand)
                if hold is not None:
                    holds[row] = hold_bits(hold)
                elif callable(strategy):
                    raise BadType("strategy", f"must return a hold for every hand, got None for {hand}")
        else:
            raise BadType("strategy", f"must be str or callable, got {type(rule).__name__}", index=number)
    holds[holds == undecided_yet] = 0
    return holds


def _worst(
    paytable: Paytable, hands: np.ndarray, weights: np.ndarray, holds: np.ndarray, most: int
) -> tuple[Mistake, ...]:
    engine, unit = engine_of(paytable), unit_of(paytable)
    costs = engine.losses(holds) * weights
    worst = np.argsort(-costs, kind="stable")[:most]
    worst = worst[costs[worst] > 0]
    dealt = np.ascontiguousarray(hands[worst]).ravel()
    listed = []
    for row, best_held, values in zip(
        worst,
        engine.best_holds(dealt, True, anywhere=True),
        engine.hold_values(dealt, True, unit, anywhere=True),
        strict=True,
    ):
        held = holds[row] >> np.arange(5) & 1 == 1
        listed.append(
            Mistake(
                hand_of(hands[row], paytable.jokers),
                hand_of(hands[row][held], paytable.jokers),
                hand_of(hands[row][best_held], paytable.jokers),
                float(values[holds[row]]),
                float(values[hold_bits(best_held)]),
                int(weights[row]),
                int(costs[row]) * engine.orders / (engine.total * unit),
            )
        )
    return tuple(listed)


def _describe(mistake: Mistake) -> str:
    return (
        f"{mistake.hand}: holds {mistake.hold or 'nothing'} ({mistake.value:.4f}), best "
        f"{mistake.best_hold or 'nothing'} ({mistake.best_value:.4f}), costs {mistake.cost:.3g}"
    )
