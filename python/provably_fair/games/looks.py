"""What is looked at of a game: by tests of outcomes, by pictures of all games, and by whoever bets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .samples import Hits

__all__ = [
    "MIN_CASH_OUT",
    "Among",
    "Binned",
    "Climbed",
    "Compared",
    "Dealt",
    "Example",
    "Look",
    "OfPart",
    "Ones",
    "Paid",
    "PaidByTable",
    "Total",
    "UpTo",
    "View",
]

Of = Callable[[np.ndarray], Any]
"""A function from outcomes, an array (N, ...), to values, (N,)."""


class Look(NamedTuple):
    """Something about a game's outcome: its name, and what `Game.distribution` is asked for it."""

    title: str
    subject: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Example:
    """What a picture of all games shows of one of them: a game, and something about its outcome."""

    game: Any
    title: str
    subject: Mapping[str, object] = field(default_factory=dict)
    tail: bool = False
    """Whether the probability of at least each outcome tells more, on logarithmic axes."""


class View(NamedTuple):
    """What a question looks at, and what that means for a bet."""

    of: Of | None = None
    """From outcomes to values; None for the outcomes themselves."""
    wins: Any = None
    """The value that wins, where a bet on it is won or lost."""
    pays: bool = False
    """Whether the values are the return of a bet of 1."""
    values: tuple[Any, ...] = ()
    """Values that the law lists even where they can't come up."""
    payout: Any = None
    """The return of a winning bet by the game's rule."""


# Functions for ``of=`` that are values: what is found for one is remembered for its equals.

MIN_CASH_OUT = 101
"""The least cash-out, in hundredths."""

_SIGNS: dict[str, Callable[..., Any]] = {"below": np.less, "above": np.greater}


@dataclass(frozen=True)
class Dealt:
    """How many cards there are."""

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = (outcomes >= 0).sum(axis=1)
        return found


@dataclass(frozen=True, repr=False)
class Compared:
    """Whether outcomes are below a limit, or above it, 1 or 0."""

    sign: str
    limit: float

    def __repr__(self) -> str:
        return f"{self.sign} {self.limit:g}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = _SIGNS[self.sign](outcomes, self.limit).astype(np.int64)
        return found


@dataclass(frozen=True, repr=False)
class Paid:
    """The return of a bet of 1 that is cashed out at a multiplier: that, or 0."""

    cash_out: float

    def __repr__(self) -> str:
        return f"cashed out at {self.cash_out:.2f}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.where(outcomes >= self.cash_out, self.cash_out, 0.0)


@dataclass(frozen=True, repr=False)
class Among:
    """Whether outcomes are among some, 1 or 0."""

    chosen: tuple[int, ...]

    def __repr__(self) -> str:
        return f"among {', '.join(map(str, self.chosen))}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.isin(outcomes, self.chosen).astype(np.int64)


@dataclass(frozen=True, repr=False)
class UpTo:
    """Outcomes up to a limit, with all from there on in one."""

    limit: float

    def __repr__(self) -> str:
        return f"up to {self.limit:g}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.minimum(outcomes, self.limit)
        return found


@dataclass(frozen=True, repr=False)
class Total:
    """What an outcome's values, or those at some places, are worth together, in whole hundredths."""

    of: Of | None = None
    """What each is worth; None where it is that."""
    places: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"total of {', '.join(map(str, self.places)) or 'all'}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        counted = outcomes[:, self.places] if self.places else outcomes
        worth = counted if self.of is None else self.of(counted)
        total: np.ndarray = np.rint(worth * 100).sum(axis=1) / 100
        return total


@dataclass(frozen=True, repr=False)
class Ones:
    """How many of an outcome's values are 1."""

    of, places = None, ()  # a total of 0s and 1s

    def __repr__(self) -> str:
        return "ones"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = (outcomes == 1).sum(axis=1)
        return found


@dataclass(frozen=True)
class PaidByTable:
    """What a table pays for a number from 0, such as the bucket of outcomes."""

    number: Of | None
    """From outcomes to the number; None where they are that."""
    table: tuple[Any, ...]

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        paid: np.ndarray = np.array(self.table)[outcomes if self.number is None else self.number(outcomes)]
        return paid


@dataclass(frozen=True, repr=False)
class Binned:
    """In which of as many equal parts of the numbers from 0 to 1 outcomes are."""

    bins: int

    def __repr__(self) -> str:
        return f"in {self.bins} bins"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.floor(outcomes * self.bins).astype(np.int64)
        return found


@dataclass(frozen=True, repr=False)
class OfPart:
    """One part of outcomes that have several, or something about it."""

    place: int
    of: Of | None = None

    def __repr__(self) -> str:
        return f"part {self.place}" + ("" if self.of is None else f" {self.of!r}")

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        part: np.ndarray = outcomes[:, self.place]
        return part if self.of is None else self.of(part)


@dataclass(frozen=True, repr=False)
class Climbed:
    """How many rows are climbed, one position in each, before the first that stops."""

    positions: tuple[int, ...]
    safe: bool
    """Whether the outcome has the positions that one climbs on, rather than those that stop one."""

    def __repr__(self) -> str:
        return f"rows climbed at {', '.join(map(str, self.positions))}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        chosen = np.array(self.positions)
        met = (outcomes[:, : len(chosen), :] == chosen[:, np.newaxis]).any(axis=-1)
        stops = met != self.safe
        return np.where(stops.any(axis=-1), stops.argmax(axis=-1), len(chosen))

    def rows(self) -> list[OfPart]:
        """Return what each row is asked: whether its position is among those of the outcome."""
        return [OfPart(row, Hits((position,))) for row, position in enumerate(self.positions)]
