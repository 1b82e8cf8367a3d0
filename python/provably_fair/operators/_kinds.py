"""What games of several operators have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair._core.numbers import hundredth
from provably_fair.games import Cell, Game, Look, Parameter
from provably_fair.games.draws import Draws

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution

__all__ = [
    "Below",
    "Crashing",
    "Independent",
    "Multiplier",
    "OfPart",
    "Reached",
    "aimed_at",
    "floor_to_cents",
    "ranges",
]

# The least multiplier that a bet can aim at, in hundredths.
_LEAST_TARGET = 101


def ranges(**parameters: tuple[int, int, int]) -> Mapping[str, Parameter]:
    """Return parameters, of each of which the default, the least and the largest value are given."""
    return MappingProxyType(
        {name: Parameter(name, *limits, per_round=False) for name, limits in parameters.items()}
    )


def floor_to_cents(amounts: np.ndarray) -> np.ndarray:
    """Return amounts without what they have beyond two decimals."""
    cents: np.ndarray = np.floor(amounts * 100) / 100
    return cents


def _need(name: str, payout: object) -> Any:
    """Return what is paid where nothing is aimed at, which must be said."""
    if payout is None:
        raise TypeError(f"{name} must be given, or payout: what a bet of 1 brings back by multiplier")
    return payout


@dataclass(frozen=True, repr=False)
class Reached:
    """Whether outcomes are at least this number of hundredths, 1 or 0: a function for ``of=``."""

    cents: int

    @classmethod
    def read(cls, name: str, target: object) -> Reached:
        """Return it for a multiplier that a bet aims at."""
        return cls(hundredth(name, target, _LEAST_TARGET))

    def __repr__(self) -> str:
        return f"at least {self.cents / 100:.2f}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        reached: np.ndarray = (outcomes >= self.cents / 100).astype(np.int64)
        return reached


@dataclass(frozen=True, repr=False)
class Below:
    """Whether outcomes are below this number of hundredths, 1 or 0: a function for ``of=``."""

    cents: int

    def __repr__(self) -> str:
        return f"below {self.cents / 100:.2f}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        below: np.ndarray = (outcomes < self.cents / 100).astype(np.int64)
        return below


@dataclass(frozen=True, repr=False)
class UpTo:
    """Outcomes up to a limit, with all from there on in one: a function for ``of=``."""

    limit: float

    def __repr__(self) -> str:
        return f"up to {self.limit:g}"

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        values: np.ndarray = np.minimum(outcomes, self.limit)
        return values


@dataclass(frozen=True, repr=False)
class OfPart:
    """One part of outcomes that have several, or something about it: a function for ``of=``."""

    place: int
    of: Callable[[np.ndarray], np.ndarray] | None = None

    def __repr__(self) -> str:
        return f"part {self.place}" + ("" if self.of is None else f" {self.of!r}")

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        part: np.ndarray = outcomes[:, self.place]
        return part if self.of is None else self.of(part)


def aimed_at(target: object, payout: object, place: int | None = None) -> tuple[Any, dict[str, Any]]:
    """Return what a bet on a target is paid, by default the target, and what it is on: a part, or all."""
    if target is None:
        return _need("target", payout), {}
    reached = Reached.read("target", target)
    return (
        reached.cents / 100 if payout is None else payout,
        {"of": reached if place is None else OfPart(place, reached)},
    )


# Multipliers have more values than tests need: those of the tail are taken together.
_UP_TO_1000 = UpTo(1000)


class Multiplier(Game):
    """A game of one multiplier that rises with its one draw, or falls."""

    monotone = True

    def bet(
        self, payout: object = None, *, law: str = "as_drawn", target: float | None = None, **subject: object
    ) -> Bet:
        """Return a bet of 1 that the multiplier is at least a target.

        Parameters
        ----------
        payout : number, optional
            What a bet that wins brings back; the target by default. Without a target, see `Game.bet`.
        law : str
            "as_drawn" or "ideal".
        target : number, optional
            At least 1.01, with two decimals.
        **subject
            See `Game.bet`.

        Returns
        -------
        Bet
            Its law, its return, and rounds of it.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(pf.operators.stake.Limbo().bet(target=2).rtp, 6)
        0.99
        """
        payout, aim = aimed_at(target, payout)
        return super().bet(payout, law=law, **aim, **subject)

    def looks(self) -> tuple[Look, ...]:
        """Return what tests of outcomes look at: multipliers, with all from 1000 on in one.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [look.title for look in pf.operators.stake.Crash().looks()]
        ['up to 1000']
        """
        return (Look("up to 1000", {"of": _UP_TO_1000}),)


class Crashing(Multiplier):
    """A multiplier that many players watch rising, and at which they cash out."""

    def bet(
        self, payout: object = None, *, law: str = "as_drawn", cash_out: float | None = None, **subject: Any
    ) -> Bet:
        """Return a bet of 1 that is cashed out at a multiplier, if it gets as far.

        Parameters
        ----------
        payout : number, optional
            What a bet that wins brings back; the cash-out by default. Without a cash-out, see `Game.bet`.
        law : str
            "as_drawn" or "ideal".
        cash_out : number, optional
            At least 1.01, with two decimals.
        **subject
            See `Game.bet`.

        Returns
        -------
        Bet
            Its law, its return, and rounds of it.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(pf.operators.bustabit.V2().bet(cash_out=2).rtp, 9)
        0.99
        """
        if cash_out is None:
            return super().bet(_need("cash_out", payout), law=law, **subject)
        target = Reached.read("cash_out", cash_out).cents / 100
        return super().bet(payout, law=law, target=target, **subject)


class Independent(Game):
    """A game whose outcome has several parts, each made of its own draws without regard to the others.

    So the law of a part needs the draws of that part alone, however many parts there are.
    """

    _part_name: ClassVar[str] = "value"
    _rises: ClassVar[bool] = False
    """Whether a part rises or falls with its one draw."""

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

    def distribution(self, law: str = "ideal", *, of: Any = None) -> Distribution:
        """Return the exact law of the outcome, or of something about it; see `Game.distribution`.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        of : callable, optional
            A function from outcomes, an array (N, ...), to values, (N,). The law of a single value, as
            `looks` has them, is found whatever the number of values.

        Returns
        -------
        Distribution
            Outcomes of several values are tuples.

        Examples
        --------
        >>> import provably_fair as pf
        >>> hilo = pf.operators.stake.Hilo()
        >>> hilo.distribution(**hilo.looks()[0].subject).mean()
        25.5
        """
        if not isinstance(of, OfPart):
            return super().distribution(law, of=of)
        kind = _RisingPart if self._rises else _OnePart
        one: Distribution = kind(self, of.place).with_scheme(self.scheme).distribution(law, of=of.of)
        return one

    def looks(self) -> tuple[Look, ...]:
        """Return what tests of outcomes look at: each value of each part.

        Examples
        --------
        >>> import provably_fair as pf
        >>> [look.title for look in pf.operators.stake.Drill().looks()]
        ['drill 0', 'drill 1', 'drill 2']
        """
        if len(self.shape) == 1:
            of = _UP_TO_1000 if self._rises else None
            return tuple(
                Look(f"{self._part_name} {place}", {"of": OfPart(place, of)}) for place in range(self._parts)
            )
        return tuple(
            Look(f"{self._part_name} {place}, value {value}", {"of": OfPart(place, Cell(value))})
            for place in range(self._parts)
            for value in range(self.shape[1])
        )


class _OnePart(Game):
    """One part of a game's outcome, as a game of its own."""

    game: Independent
    place: int

    def outcome(self, draws: Draws) -> np.ndarray:
        return self.game._part(draws, self.place)


class _RisingPart(_OnePart):
    monotone = True
