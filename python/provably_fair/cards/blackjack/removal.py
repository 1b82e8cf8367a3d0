"""The effect of removing cards from the shoe."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from provably_fair._core.errors import BadValue
from provably_fair._core.table import Sheet, Tabular, displayed
from provably_fair._core.types import Columns

from .analysis import analyze
from .charts import Chart
from .decisions import RANKS, VALUES
from .rules import Rules, need_decks


@displayed
class RemovalEffect(NamedTuple):
    """The effect of removing one card.

    Attributes
    ----------
    rank : str
        The card: "A", "2", ..., "10", which stands for J, Q and K as well.
    effect : float
        The change of the player's expected value, in bets.
    insurance : float
        The change of the expected value of a bet of 1 on insurance, when the dealer shows an ace.
    """

    rank: str
    effect: float
    insurance: float


@dataclass(frozen=True, repr=False)
class RemovalEffects(Tabular):
    """The effects of removal, for one card of each rank.

    Attributes
    ----------
    rules : Rules
        The rules.
    strategy : str
        "basic" or "chart", whose chart is the whole shoe's, or "optimal", the best play of each shoe.
    house_edge : float
        The house edge of the whole shoe.
    rows : tuple of RemovalEffect
        The ranks.
    """

    rules: Rules
    strategy: str
    house_edge: float
    rows: tuple[RemovalEffect, ...]

    def __getitem__(self, rank: str) -> float:
        """Return the effect of a rank."""
        return {row.rank: row.effect for row in self.rows}["10" if rank in ("J", "Q", "K") else rank]

    def _columns(self) -> Columns:
        return {name: [getattr(row, name) for row in self.rows] for name in RemovalEffect._fields}

    def _sheet(self) -> Sheet:
        rows = [(row.rank, f"{row.effect:+.4%}", f"{row.insurance:+.4%}") for row in self.rows]
        title = f"One card less, {self.strategy} strategy: house edge {self.house_edge:.4%} with all"
        return Sheet(title, ("rank", "the player wins", "insurance wins"), rows)

    def __repr__(self) -> str:
        return f"<RemovalEffects of {len(self.rows)} ranks: house edge {self.house_edge:.4%}>"


def removal_effects(rules: Rules, strategy: str | Chart) -> RemovalEffects:
    """Return the effects of removing one card of each rank from the shoe in turn."""
    if need_decks(rules) == math.inf:
        raise BadValue("decks", "must be finite: a card makes no difference to infinitely many, got math.inf")
    decks = int(need_decks(rules))
    whole = analyze(rules, strategy)
    played = whole.chart if isinstance(whole.chart, Chart) else "optimal"
    full = dict.fromkeys(RANKS, 4 * decks)
    tens, cards = 16 * decks, 52 * decks - 1
    rows = []
    for rank in VALUES:
        less = analyze(rules, played, full | {rank: full[rank] - 1})
        chance = (tens - (rank == "10")) / (cards - 1) - tens / cards
        rows.append(RemovalEffect(rank, less.value - whole.value, 3 * chance))
    return RemovalEffects(rules, whole.strategy, whole.house_edge, tuple(rows))
