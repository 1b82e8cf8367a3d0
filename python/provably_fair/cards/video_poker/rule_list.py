"""A short list of rules, found from the expected payout of every hold of every deal.

The search is greedy, and then improved. Deals that the same rules fit are one group, so a list is judged over
a few thousand groups instead of millions of deals. It begins with all rules, purest first: each plays deals
on which it loses least. Then the rule that costs least is left out, until few enough remain, and rules are
replaced or moved as long as that gains anything. Floats choose; what the final list costs is computed
exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import overload

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.table import Sheet, Tabular
from provably_fair._core.types import Columns
from provably_fair._engine import canonical_deals

from .analysis import Analysis, analyze
from .paytable import Paytable, engine_of, unit_of

_NO_HOLD = 255
_ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class PokerRules(Tabular, Sequence[str]):
    """Rules of which the first that fits a hand is played: a strategy for `VideoPoker.analyze` and `bet`.

    A sequence of texts, as `VideoPoker.analyze` takes them. Made by `VideoPoker.find_rules`.

    Attributes
    ----------
    rules : tuple of str
        The rules in their order.
    deals : tuple of int
        The number of deals that each rule plays.
    analysis : Analysis
        The exact return of playing so.
    """

    rules: tuple[str, ...]
    deals: tuple[int, ...] = field(compare=False)
    analysis: Analysis = field(compare=False)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.rules[index]

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def exact_cost(self) -> Fraction:
        """The exact loss of the rules against optimal play, as a fraction of the bet."""
        return self.analysis.exact_cost

    @property
    def cost(self) -> float:
        """The loss of the rules against optimal play, as a fraction of the bet."""
        return self.analysis.cost

    def __repr__(self) -> str:
        return f"<PokerRules: {len(self)} rules, {self._costs()}>"

    def _costs(self) -> str:
        return f"return {self.analysis.rtp:.6f}, {self.cost:.3g} less than optimal play"

    def _columns(self) -> Columns:
        return {"rule": list(self.rules), "deals": list(self.deals)}

    def _sheet(self) -> Sheet:
        rows = [
            (number, rule, f"{deals:,}")
            for number, (rule, deals) in enumerate(zip(self.rules, self.deals, strict=True), start=1)
        ]
        return Sheet(
            "Hold the first that fits; else nothing",
            ("", "rule", "deals"),
            rows,
            "rlr",
            None,
            (self._costs(),),
        )


def find_rules(paytable: Paytable, most: int) -> PokerRules:
    """Find a list of at most `most` rules that no replacement of a single rule improves."""
    search = _RuleSearch(paytable)
    for rules in (2 * most, most):
        search.shorten(rules)
        search.fill(rules)
    names = tuple(search.texts[number] for number in search.rules)
    return PokerRules(names, search.deals(), analyze(paytable, names, 0))


class _RuleSearch:
    """The search for a list of rules; see the head of the module.

    Groups of deals stand for their deals: a rule and a group have a total value, as floats.
    """

    def __init__(self, paytable: Paytable) -> None:
        engine = engine_of(paytable)
        hands, weights = canonical_deals(engine)
        texts = np.array(_vocabulary(paytable))
        held = engine.rule_holds(texts.tolist()).reshape(len(texts), len(hands))
        # Keep the first of several rules that hold the same cards.
        _, first = np.unique(held.view(f"V{held.shape[1]}").ravel(), return_index=True)
        first = np.sort(first[(held[first] != _NO_HOLD).any(axis=1)])
        texts, held = texts[first], held[first]
        self.texts: list[str] = texts.tolist()

        patterns = np.ascontiguousarray(np.packbits((held != _NO_HOLD).T, axis=1))
        _, one, group = np.unique(
            patterns.view(f"V{patterns.shape[1]}").ravel(), return_index=True, return_inverse=True
        )
        values = engine.hold_values(
            np.ascontiguousarray(hands).ravel(), True, unit_of(paytable), anywhere=True
        )
        worth = values * weights[:, np.newaxis]
        self._weights = bincount(group, weights)
        self._nothing = bincount(group, worth[:, 0])
        # For each rule and group, whether it fits, and the value of its holds.
        self._fits = (held[:, one] != _NO_HOLD).astype(float)
        everyone = np.arange(len(hands))
        self._worth = self._fits * np.array(
            [bincount(group, worth[everyone, np.where(row == _NO_HOLD, 0, row)]) for row in held]
        )
        best = bincount(group, worth.max(axis=1))
        self.rules = self._purest_first(self._fits * best - self._worth)
        self._play()

    def _purest_first(self, regret: np.ndarray) -> list[int]:
        """Return all rules in an order in which each loses the least per deal among those that follow it."""
        left, rules = np.ones(len(self._weights)), list[int]()
        deals = self._fits * self._weights
        while True:
            played = deals @ left
            lost = np.divide(regret @ left, played, where=played > 0, out=np.full(len(played), np.inf))
            # Among rules that lose nothing, up to rounding, prefer the rule that plays the most deals.
            number = int(np.lexsort((-played, np.round(lost, 9)))[0])
            if not played[number]:
                return rules
            rules.append(number)
            left *= 1 - self._fits[number]

    def _play(self) -> None:
        """Find the rule that plays each group, and its value there; the last place stands for no rule."""
        fits, none = self._fits[self.rules] > 0, len(self.rules)
        self._place = (
            np.where(fits.any(axis=0), fits.argmax(axis=0), none) if none else np.zeros_like(fits[0])
        )
        worth = np.vstack([self._worth[self.rules], self._nothing])
        self._paid = worth[self._place, np.arange(len(self._nothing))]
        # If that rule is left out, the next rule that fits plays the group.
        fits = fits & (self._place != np.arange(none)[:, np.newaxis])
        after = np.where(fits.any(axis=0), fits.argmax(axis=0), none)
        self._paid_without = worth[after, np.arange(len(self._nothing))]

    def shorten(self, most: int) -> None:
        """Leave out the rule that costs least, until at most `most` are left, and each of them gains."""
        while self.rules:
            costs = bincount(self._place, self._paid - self._paid_without, len(self.rules) + 1)[:-1]
            cheapest = int(np.argmin(costs))
            if len(self.rules) <= most and costs[cheapest] > 0:
                return
            del self.rules[cheapest]
            self._play()

    def fill(self, most: int) -> None:
        """Add the rules that gain most, one by one, and improve the list after each."""
        self._improve()
        while len(self.rules) < most:
            gain, number, place = self._best()
            if gain <= _ROUNDING * self._paid.sum():
                return
            self.rules.insert(place, number)
            self._play()
            self._improve()

    def _improve(self) -> None:
        """Replace or move one rule after the other, as long as that gains anything."""
        place, unchanged = 0, 0
        while unchanged < len(self.rules):
            place = (place + 1) % len(self.rules)
            before, known = self._paid.sum(), [*self.rules]
            del self.rules[place]
            self._play()
            gain, number, new = self._best()
            unchanged += 1
            if self._paid.sum() + gain > before * (1 + _ROUNDING):
                self.rules.insert(new, number)
                unchanged = 0
            else:
                self.rules = known
            self._play()

    def _best(self) -> tuple[float, int, int]:
        """Return the gain of the best further rule, its number, and its place."""
        # A rule plays the groups of its place and of later places.
        plays = (self._place[:, np.newaxis] >= np.arange(len(self.rules) + 1)).astype(float)
        gains = self._worth @ plays - self._fits @ (self._paid[:, np.newaxis] * plays)
        number, place = np.unravel_index(int(np.argmax(gains)), gains.shape)
        return float(gains[number, place]), int(number), int(place)

    def deals(self) -> tuple[int, ...]:
        """Return the number of deals that each rule plays."""
        played = bincount(self._place, self._weights, len(self.rules) + 1)
        return tuple(int(deals) for deals in played[:-1])


def _vocabulary(paytable: Paytable) -> list[str]:
    """Return the candidate rules, the simpler ones first."""
    hands = [f"{hand} or better" for hand in ("straight", "flush", "full house")]
    hands += ["royal flush", "straight flush", "five of a kind", "four of a kind", "full house", "flush"]
    hands += ["straight", "three of a kind", "two pair", "high pair", "pair", "low pair", "1 high card"]
    shapes = ("to a royal flush", "to a straight flush", "to a straight", "high cards", "suited high cards")
    in_ways = [f"{held} {shape}" for shape in shapes for held in (4, 3, 2)]
    parts = [f"{held} to a flush" for held in (4, 3, 2)] + in_ways
    parts += [f"{rule} in {ways} ways" for rule in in_ways for ways in (2, 3, 4)]
    with_high = [
        f"{rule} with {high} high card{'s' * (high > 1)}"
        for rule in parts
        if " to a " in rule
        for high in range(1, int(rule[0]) + 1)
    ]
    rules = [*hands, *parts, *with_high]
    if paytable.wild is None:
        return rules
    # Rules that don't mention wild cards, and the same with the number of wild cards held.
    most = paytable.jokers or 4
    held = [int(rule[0]) if rule[0].isdigit() else 5 for rule in rules]
    alone = [f"{wild} wild card{'s' * (wild > 1)}" for wild in range(1, most + 1)]
    return [*rules, *alone] + [
        f"{rule} with {wild} wild card{'s' * (wild != 1)}"
        for wild in range(most + 1)
        for rule, cards in zip(rules, held, strict=True)
        if wild < cards
    ]
