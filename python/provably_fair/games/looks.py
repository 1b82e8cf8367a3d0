"""Functions of outcomes that tests, pictures and bets look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

Of = Callable[[np.ndarray], Any]
"""A function from outcomes, an array (N, ...), to values, (N,)."""

Numbers = Any
"""A collection of whole numbers, or one."""

Payout = Callable[[np.ndarray], Any] | Mapping[Any, Any] | Sequence[Any]
"""The payout of values: a function of them, a table by value, or one payout per value in their order."""


class Look(NamedTuple):
    """A feature of outcomes that is tested: its name, and arguments of `Game.distribution` for its law."""

    title: str
    subject: Mapping[str, Any] = {}


class Example(NamedTuple):
    """The feature of a game's outcomes that the picture of all games shows; the title has no class."""

    title: str
    subject: Mapping[str, Any] = {}
    parameters: Mapping[str, int] = {}
    tail: bool = False  # whether to draw the survival function on logarithmic axes instead
    game: Any = None  # the game, once it is made


class View(NamedTuple):
    """The answer to a question: a function of outcomes, and what its values mean for a bet."""

    of: Of | None = None  # from outcomes to values; None for the outcomes themselves
    wins: Any = None  # the winning value, if a bet is won or lost
    pays: bool = False  # whether the values are the return of a bet of 1
    values: tuple[Any, ...] = ()  # values that the law lists even if they can't occur
    payout: Any = None  # the payout of a winning bet by the game's rule


def entries(table: ArrayLike, places: np.ndarray) -> np.ndarray:
    """Return the entries of a table at places, in a form that a program may have: ``table[places]`` isn't."""
    found: np.ndarray = np.take_along_axis(
        np.reshape(table, (1,) * (places.ndim - 1) + (-1,)), places, axis=-1
    )
    return found


# Functions for ``of=`` that are hashable values, so that equal ones share a remembered law.

MIN_CASH_OUT = 101
"""The least cash-out, in hundredths."""

_SIGNS: dict[str, Callable[..., Any]] = {"below": np.less, "above": np.greater}


@dataclass(frozen=True)
class Dealt:
    """The number of cards that were dealt."""

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = (outcomes >= 0).sum(axis=1)
        return found


@dataclass(frozen=True, repr=False)
class Compared:
    """Whether outcomes are below or above a limit, as 1 or 0."""

    sign: str
    limit: float

    def __repr__(self) -> str:
        return f"{self.sign} {self.limit:g}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = _SIGNS[self.sign](outcomes, self.limit).astype(np.int64)
        return found


@dataclass(frozen=True, repr=False)
class Paid:
    """The return of a bet of 1 with a cash-out: the cash-out, or 0."""

    cash_out: float

    def __repr__(self) -> str:
        return f"cashed out at {self.cash_out:.2f}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.where(outcomes >= self.cash_out, self.cash_out, 0.0)


@dataclass(frozen=True, repr=False)
class Among:
    """Whether outcomes are among some values, as 1 or 0."""

    chosen: tuple[int, ...]

    def __repr__(self) -> str:
        return f"among {', '.join(map(str, self.chosen))}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.isin(outcomes, self.chosen).astype(np.int64)


@dataclass(frozen=True, repr=False)
class UpTo:
    """Outcomes, capped at a limit."""

    limit: float

    def __repr__(self) -> str:
        return f"up to {self.limit:g}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.minimum(outcomes, self.limit)
        return found


@dataclass(frozen=True, repr=False)
class Total:
    """The sum of an outcome's values, or of the worths of some of them, rounded to hundredths."""

    of: Of | None = None  # the worth of each value; None for the value itself
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
    """The number of an outcome's values that are 1."""

    # The attributes of a `Total` of zeros and ones.
    of: ClassVar[None] = None
    places: ClassVar[tuple[int, ...]] = ()

    def __repr__(self) -> str:
        return "ones"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = (outcomes == 1).sum(axis=1)
        return found


@dataclass(frozen=True)
class PaidByTable:
    """The payout of outcomes by a table, whose index is a number such as the bucket."""

    number: Of | None  # from outcomes to the index; None for the outcomes themselves
    table: tuple[Any, ...]

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return entries(self.table, outcomes if self.number is None else self.number(outcomes))


@dataclass(frozen=True, repr=False)
class Binned:
    """The bin of outcomes in [0, 1), of bins of equal width."""

    bins: int

    def __repr__(self) -> str:
        return f"in {self.bins} bins"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.floor(outcomes * self.bins).astype(np.int64)
        return found


@dataclass(frozen=True, repr=False)
class OfPart:
    """One part of outcomes, or a function of it."""

    place: int
    of: Of | None = None

    def __repr__(self) -> str:
        return f"part {self.place}" + ("" if self.of is None else f" {self.of!r}")

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        part: np.ndarray = outcomes[:, self.place]
        return part if self.of is None else self.of(part)


@dataclass(frozen=True, repr=False)
class Climbed:
    """The number of rows climbed, with one chosen position in each, before the first that ends the round."""

    positions: tuple[int, ...]
    safe: bool  # whether outcomes list the safe positions rather than the others

    def __repr__(self) -> str:
        return f"rows climbed at {', '.join(map(str, self.positions))}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        chosen = np.array(self.positions)
        met = (outcomes[:, : len(chosen), :] == chosen[:, np.newaxis]).any(axis=-1)
        stops = met != self.safe
        return np.where(stops.any(axis=-1), stops.argmax(axis=-1), len(chosen))
