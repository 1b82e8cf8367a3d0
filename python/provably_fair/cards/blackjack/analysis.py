"""The exact analysis of blackjack."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from provably_fair._core.arguments import BadValue, check_type, integer
from provably_fair._core.numbers import exactly
from provably_fair._core.printable import html
from provably_fair._core.table import Framed, displayed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import BlackjackAnalysis as EngineBlackjackAnalysis
from provably_fair.distribution import Distribution

from ..frozen import Frozen
from ..names import Hand
from .charts import LETTERS, Chart, HandChart, chart_of, rows_of
from .decisions import RANKS, UPCARDS, VALUES, Decision
from .rules import Rules, engine_of, need_decks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The total weight of a law: a double's mean is a whole number of such parts.
_TOTAL = 10**40
_LETTER_OF = {word: letter for letter, word in LETTERS.items()}


@displayed
class FirstHand(NamedTuple):
    """Two cards against an upcard.

    Attributes
    ----------
    hand : str
        The values of the cards: "A,7", "10,6", "8,8"; "10,J" two tens of different ranks, if those can't be
        split.
    upcard : str
        The value of the dealer's upcard.
    probability : float
        The probability of this start of a round.
    values : mapping of str to float
        The expected value of each legal action, in bets, if the strategy is followed afterwards.
    action : str or None
        The strategy's first action; None for a blackjack without a decision.
    value : float
        The expected value of that action.
    """

    hand: str
    upcard: str
    probability: float
    values: Mapping[str, float]
    action: str | None
    value: float


@displayed
class UpcardValue(NamedTuple):
    """One of the dealer's upcards.

    Attributes
    ----------
    upcard : str
        Its value.
    probability : float
        Its probability.
    value : float
        The player's expected value against it, in bets.
    dealer : mapping of str to float
        The probabilities of the dealer's results, "17" to "21", "bust" and "blackjack", and "22" where it
        pushes, if no other card is known.
    """

    upcard: str
    probability: float
    value: float
    dealer: Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class BlackjackAnalysis(Framed):
    """The exact expected value of a strategy under given rules. `Blackjack.replay` can play it.

    `to_pandas` has a row for each two cards against an upcard, as `hands`.

    Every card seen is removed from the shoe, and the dealer's probabilities are exact for the rest. Optimal
    play depends on the cards of the player's own hand, the pair it was split from, and the upcard. The hands
    of a split ignore each other: two hands are worth exactly twice one of them with the other pair card
    removed. If a pair can be split again, it is split as often as is best, and values are summed over all
    ways in which that can happen. Under ``hole_card="busted_bets_plus_one"`` each hand of a split is played
    as is best if another one is still in play; the value of this play is exact.

    Attributes
    ----------
    rules : Rules
        The rules.
    strategy : str
        "optimal", "basic" or "chart".
    house_edge : float
        The player's expected loss, as a fraction of the bet.
    chart : Chart or HandChart
        The strategy as a chart. For optimal play, the first action with every two cards.
    hands : tuple of FirstHand
        Every two cards against every upcard.
    upcards : tuple of UpcardValue
        The dealer's upcards.
    shoe : mapping of str to int, or None
        The cards of the shoe by rank; None for the decks of the rules.
    """

    rules: Rules
    strategy: str
    house_edge: float
    chart: Chart | HandChart
    hands: tuple[FirstHand, ...]
    upcards: tuple[UpcardValue, ...]
    _core: EngineBlackjackAnalysis  # by which the engine plays
    shoe: Mapping[str, int] | None = None

    @property
    def value(self) -> float:
        """The player's expected value, in bets."""
        return -self.house_edge

    @cached_property
    def net(self) -> Distribution:
        """The law of the net win of a round, in bets.

        It is computed in floating point, and its mean is `value`. The hands of a split are dealt jointly with
        the dealer's, so only rounding errors remain if a deal becomes at most two hands, or the shoe is
        infinite. Of three and four hands, each pair is dealt jointly. The neglected dependence is less than
        1e-6 for usual strategies in one deck. Of a given shoe of less than 52 cards that is a ValueError.
        """
        units, chances = self._core.law
        unit = engine_of(self.rules).units
        finite = self.shoe is not None or self.rules.decks != math.inf
        rough = engine_of(self.rules).most_hands > 2 and finite
        if self._has_no_law():
            got = sum((self.shoe or {}).values())
            raise BadValue("shoe", f"must have at least {_FEWEST} cards if pairs are split again, got {got}")
        return _law_of(units, chances, unit, exactly(self.value), 1e-5 if rough else 1e-13)

    def _has_no_law(self) -> bool:
        """Whether the shoe is too small to neglect the joint effect of three hands."""
        few = self.shoe is not None and sum(self.shoe.values()) < _FEWEST
        return few and engine_of(self.rules).most_hands > 2

    @property
    def std(self) -> float:
        """The standard deviation of the net win of a round, in bets."""
        return float(self.net.std())

    @cached_property
    def values(self) -> Mapping[tuple[str, str], Mapping[str, float]]:
        """The expected value of every first action, in bets, by hand and upcard.

        A dealer's blackjack is included, with or without a peek.

        Examples
        --------
        >>> values = pf.cards.Blackjack(decks=4).analyze().values
        >>> {action: round(value, 4) for action, value in values["6,5", "3"].items()}
        {'hit': 0.2725, 'stand': -0.2366, 'double': 0.5441, 'surrender': -0.5}
        """
        return Frozen({(first.hand, first.upcard): first.values for first in self.hands})

    def __call__(self, decision: Decision) -> str:
        """Return the strategy's action."""
        values = [min(card % 13, 9) for card in decision.hand]
        split = None if decision.split_from is None else VALUES.index(decision.split_from)
        upcard = VALUES.index(decision.upcard_value)
        return self._core.action(values, split, upcard, len(decision.hands), list(decision.legal))

    def to_dict(self) -> JsonDict:
        """Return the figures as plain values, for JSON.

        Keys "strategy", "house_edge", "std", "chart", "upcards", "hands".
        """
        return {
            "strategy": self.strategy,
            "house_edge": self.house_edge,
            "std": None if self._has_no_law() else self.std,
            "chart": {row: dict(cells) for row, cells in self.chart.rows.items()},
            "upcards": [{**upcard._asdict(), "dealer": dict(upcard.dealer)} for upcard in self.upcards],
            "hands": [{**first._asdict(), "values": dict(first.values)} for first in self.hands],
        }

    def _columns(self) -> Columns:
        first = {name: [getattr(hand, name) for hand in self.hands] for name in FirstHand._fields}
        worth = first.pop("values")
        actions = {action: [values.get(action) for values in worth] for action in LETTERS.values()}
        ends = {name: first.pop(name) for name in ("action", "value")}
        return {**first, **actions, **ends}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the chart in colors; see `Distribution.plot`.

        Examples
        --------
        >>> pf.cards.Blackjack(decks=4).analyze().plot().get_ylabel()
        "player's hand"
        """
        ax = self.chart.plot(ax)
        ax.figure.suptitle(self._summary(), fontsize=10)
        return ax

    def _summary(self) -> str:
        std = "" if self._has_no_law() else f", std {self.std:.4f} bets"
        return f"{self.strategy} strategy: house edge {self.house_edge:.4%}{std}"

    def _upcards(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        results = [*self.upcards[0].dealer]
        head = ("upcard", "probability", "player wins", *(f"dealer {result}" for result in results))
        rows = [
            (
                upcard.upcard,
                f"{upcard.probability:.6f}",
                f"{upcard.value:+.6f}",
                *(f"{upcard.dealer[result]:.6f}" for result in results),
            )
            for upcard in self.upcards
        ]
        return head, rows

    # The same rules and strategy give the same figures to the bit.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BlackjackAnalysis):
            return NotImplemented
        return self._made_of() == other._made_of()

    def __hash__(self) -> int:
        return hash(self._made_of())

    def __reduce__(self) -> tuple[object, ...]:
        return _analyzed, self._made_of()

    def _made_of(self) -> tuple[Rules, str | Chart, tuple[int, ...] | None]:
        named = self.strategy != "chart"
        shoe = None if self.shoe is None else tuple(self.shoe.values())
        return self.rules, self.strategy if named else self.chart, shoe  # type: ignore[return-value]

    def __str__(self) -> str:
        return "\n".join([self._summary(), "", str(self.chart), "", text_table(*self._upcards())])

    def __repr__(self) -> str:
        return f"<BlackjackAnalysis: {self._summary()}>"

    def _repr_html_(self) -> str:
        summary = f"<h5>{html(self._summary(), None)}</h5>"
        return summary + self.chart._repr_html_() + html_table(*self._upcards())


@lru_cache(maxsize=32)
def _analyzed(rules: Rules, strategy: str | Chart, shoe: tuple[int, ...] | None) -> BlackjackAnalysis:
    """Return the analysis of a strategy; equal ones are computed once."""
    if shoe is None:
        need_decks(rules)
    given = rows_of(strategy) if isinstance(strategy, Chart) else None
    named = "chart" if isinstance(strategy, Chart) else str(strategy)
    core = engine_of(rules).analyze(named, given, shoe)
    upcards: list[UpcardValue] = []
    hands: list[FirstHand] = []
    results, pushes = core.upcards, rules.dealer_22 == "push"
    for place in (*range(1, 10), 0):
        chance, value, ends = results[place]
        if not chance:
            continue
        dealer = Frozen((result, share) for result, share in ends if pushes or result != "22")
        upcards.append(UpcardValue(VALUES[place], chance, value, dealer))
        hands += (
            FirstHand(
                UNLIKE_TENS if two.unlike else hand_label(two.cards),
                VALUES[place],
                chance * two.chance,
                Frozen(two.values),
                two.action,
                two.value,
            )
            for two in core.hands(place)
        )
    rows = core.chart
    chart: Chart | HandChart = _hand_chart(hands) if rows is None else chart_of(rows)
    by_rank = None if shoe is None else Frozen(dict(zip(RANKS, shoe, strict=True)))
    return BlackjackAnalysis(rules, named, -core.value, chart, tuple(hands), tuple(upcards), core, by_rank)


def _hand_chart(hands: list[FirstHand]) -> HandChart:
    """Return the chart of the first action with every two cards."""
    letters: dict[str, dict[str, str]] = {}
    for first in hands:
        if first.action is not None:
            cell = _LETTER_OF[first.action]
            if first.action == "insure":
                after = [action for action in first.values if action not in ("insure", "even_money")]
                cell += _LETTER_OF[max(after, key=first.values.__getitem__)]
            letters.setdefault(first.hand, {})[first.upcard] = cell
    rows = {hand: tuple(cells.get(upcard, "") for upcard in UPCARDS) for hand, cells in letters.items()}
    return HandChart(Frozen(rows))


def analyze(
    rules: Rules, strategy: str | Chart = "optimal", shoe: Mapping[str, int] | None = None
) -> BlackjackAnalysis:
    """Return the exact analysis of optimal play, of the best chart ("basic"), or of another chart."""
    ranks = None if shoe is None else _shoe_of(shoe)
    check_type("strategy", strategy, (str, Chart), '"optimal", "basic" or a Chart')
    if isinstance(strategy, str) and strategy not in ("optimal", "basic"):
        raise BadValue("strategy", f'must be "optimal", "basic" or a Chart, got {strategy!r}')
    return _analyzed(rules, strategy, ranks)


def _shoe_of(shoe: Mapping[str, int]) -> tuple[int, ...]:
    """Return the number of cards of each rank in a shoe, the aces first."""
    check_type("shoe", shoe, Mapping, "a mapping of ranks to counts")
    counts = dict.fromkeys(RANKS, 0)
    for rank, count in shoe.items():
        if str(rank) not in counts:
            raise BadValue("shoe", f"must have keys among {', '.join(RANKS)}, got {rank!r}")
        counts[str(rank)] = integer("shoe", count, 0, 4 * 16, index=rank)  # those of sixteen decks
    return tuple(counts.values())


_FEWEST = 52

UNLIKE_TENS = "10,J"
"""Two tens of different ranks, if those can't be split."""


def _law_of(units: list[int], chances: list[float], unit: int, mean: Fraction, error: float) -> Distribution:
    """Return the law of results in units with their chances, corrected so that its mean in bets is exact."""
    weights = [round(Fraction(chance) * _TOTAL) for chance in chances]
    most = sorted(range(len(weights)), key=weights.__getitem__)[-2:]
    low, high = min(most), max(most)
    weights[low] += _TOTAL - sum(weights)
    # The rounding error of the mean is corrected between the two most probable results.
    error_of_mean = int(mean * unit * _TOTAL) - sum(
        net * weight for net, weight in zip(units, weights, strict=True)
    )
    apart = units[high] - units[low] or 1  # of one result alone nothing is corrected
    weights = [apart * weight for weight in weights]
    weights[low] -= error_of_mean
    weights[high] += error_of_mean
    nets = [Fraction(net, unit) for net in units]
    decimal = all(exactly(float(net)) == net for net in nets)
    return Distribution([float(net) if decimal else net for net in nets], weights, probability_error=error)


def hand_label(values: Iterable[int]) -> str:
    """Return the label of two card values: the ace first, then the higher."""
    return ",".join(VALUES[value] for value in sorted(values, key=lambda value: (value != 0, -value)))


def label_of(hand: Hand, rules: Rules) -> str:
    """Return the label of a hand of two cards."""
    first, second = (card % 13 for card in hand)
    if first != second and min(first, second) >= 9 and not rules.split_unlike_tens:
        return UNLIKE_TENS
    return hand_label([min(first, 9), min(second, 9)])
