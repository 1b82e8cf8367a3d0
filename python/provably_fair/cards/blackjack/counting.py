"""Rounds dealt one after another through shoes, and bets that follow a count.

The engine deals and plays; Python only sees counts. Shoes are independent and rounds of one shoe are not, so
standard errors are computed from totals by shoe. Stakes depend only on the cards seen before the round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, check_type, number
from provably_fair._core.counts import bincount
from provably_fair._core.table import Sheet, Tabular
from provably_fair._core.types import Columns

from .decisions import RANKS

HI_LO = MappingProxyType({"A": -1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "10": -1})
"""The tags of the Hi-Lo count."""

Wager = float | Callable[[np.ndarray, np.ndarray], ArrayLike]
"""A stake, or a function from running counts and decks left to stakes, by round."""


@dataclass(frozen=True, eq=False, repr=False)
class ShoeRounds(Tabular):
    """Rounds dealt one after another from shoes, each to its cut card.

    Attributes
    ----------
    shoes : int
        The number of shoes.
    shoe : numpy.ndarray
        The number of each round's shoe, from 0, (rounds,) int64.
    seen : numpy.ndarray
        The cards of the shoe that were dealt before the round, by rank from the ace to the king, (rounds, 13)
        uint16.
    running : numpy.ndarray
        The running count before the round: the sum of the tags of these cards.
    decks : numpy.ndarray
        The decks left before the round, 52 cards each.
    stakes : numpy.ndarray
        The stakes.
    nets : numpy.ndarray
        The net win of a bet of 1.
    exhausted : int
        The number of rounds left out because the shoe had too few cards.

    Examples
    --------
    >>> rounds = pf.cards.Shoe(decks=6).simulate_shoes(100, penetration=0.8)
    >>> len(rounds), rounds.decks[:2], rounds.running[:2]
    (4688, array([6.        , 5.90384615]), array([ 0., -2.]))
    """

    shoes: int
    shoe: np.ndarray
    seen: np.ndarray
    running: np.ndarray
    decks: np.ndarray
    stakes: np.ndarray
    nets: np.ndarray
    exhausted: int = 0

    def __len__(self) -> int:
        return len(self.shoe)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShoeRounds):
            return NotImplemented
        return all(np.array_equal(getattr(self, one.name), getattr(other, one.name)) for one in fields(self))

    __hash__: ClassVar[None]  # type: ignore[assignment]

    @property
    def true_count(self) -> np.ndarray:
        """The running count divided by the decks left."""
        return np.asarray(self.running / self.decks)

    @property
    def won(self) -> np.ndarray:
        """The net win of each round."""
        return np.asarray(self.stakes * self.nets)

    @property
    def house_edge(self) -> float:
        """The loss as a fraction of all stakes; NaN without stakes."""
        staked = float(self.stakes.sum())
        return -float(self.won.sum()) / staked if staked else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of the house edge. The rounds of a shoe depend on each other; shoes don't."""
        staked = float(self.stakes.sum())
        if self.shoes < 2 or not staked:
            return math.nan
        lost = bincount(self.shoe, -self.won - self.house_edge * self.stakes, minlength=self.shoes)
        return math.sqrt(float(lost @ lost) * self.shoes / (self.shoes - 1)) / staked

    def _columns(self) -> Columns:
        return {
            "shoe": self.shoe,
            "running": self.running,
            "decks": self.decks,
            "stake": self.stakes,
            "net": self.nets,
        }

    def _sheet(self) -> Sheet:
        """Return the rounds by their true count, rounded down."""
        counts = np.clip(np.floor(self.true_count), -5, 5).astype(np.int64)
        rows = []
        for count in range(-5, 6):
            there = counts == count
            if not there.any():
                continue
            nets = self.nets[there]
            label = f"{count:+d}" + (" or less" if count == -5 else " or more" if count == 5 else "")
            error = f"{nets.std() / math.sqrt(nets.size):.2%}"
            share = f"{nets.size / len(self):.2%}"
            rows.append((label, f"{nets.size:,}", share, f"{nets.mean():+.2%}", error))
        columns = ("true count", "rounds", "share", "a bet wins", "standard error")
        title = f"{len(self):,} rounds of {self.shoes:,} shoes: {self._summary()}"
        notes = (f"{self.exhausted:,} rounds had too few cards",) if self.exhausted else ()
        return Sheet(title, columns, rows, "r", notes=notes)

    def _summary(self) -> str:
        return f"house edge {self.house_edge:.4%} +- {self.standard_error:.4%} of what was staked"

    def __repr__(self) -> str:
        return f"<ShoeRounds of {self.shoes} shoes, {len(self)} rounds: {self._summary()}>"


def tags_of(tags: str | Mapping[str, float]) -> np.ndarray:
    """Return the tags of a count: the value that each rank adds to it."""
    if isinstance(tags, str):
        if tags != "hi-lo":
            raise BadValue("tags", f'must be "hi-lo" or a mapping of ranks to numbers, got {tags!r}')
        tags = HI_LO
    check_type("tags", tags, Mapping, '"hi-lo" or a mapping of ranks to numbers')
    added: dict[str, float] = {}
    for rank, tag in tags.items():
        if str(rank) not in RANKS:
            raise BadValue("tags", f"must have keys among {', '.join(RANKS)}, got {rank!r}")
        if not math.isfinite(number("tags", tag, index=rank)):
            raise BadValue("tags", f"must be finite, got {tag}", index=rank)
        added[str(rank)] = float(tag)
    ten = added.get("10", 0.0)
    return np.array([added.get(rank, ten if rank in "JQK" else 0.0) for rank in RANKS])


def share_of(penetration: object) -> float:
    """Return the share of the cards before the cut card, checked."""
    share = number("penetration", penetration)
    if not 0 < share <= 1:
        raise BadValue("penetration", f"must be above 0 and at most 1, got {share}")
    return float(share)


def amount_of(stake: object) -> float:
    """Return the stake of every round, checked."""
    amount = number("stake", stake, "a number or a function of counts and decks")
    if not (math.isfinite(amount) and amount > 0):
        raise BadValue("stake", f"must be a positive number, got {amount}")
    return float(amount)


def wagers_of(found: Any, nets: np.ndarray) -> np.ndarray:
    """Return the stakes that a function gives for each round, checked."""
    stakes = np.asarray(found)
    if stakes.dtype.kind not in "iuf":
        raise BadType("stake", f"must return numbers, got {stakes.dtype}")
    if stakes.shape not in ((), nets.shape):
        raise BadValue("stake", f"must return {nets.size} numbers, one a round, got shape {stakes.shape}")
    stakes = np.broadcast_to(stakes, nets.shape).astype(np.float64)
    if not (np.isfinite(stakes).all() and (stakes >= 0).all()):
        raise BadValue("stake", "must return finite numbers from 0")
    return stakes
