"""What the hands of video poker pay."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from numbers import Rational
from types import MappingProxyType
from typing import Any

from provably_fair._core.arguments import encode_text
from provably_fair._engine import PokerPaytable

from ..amounts import to_plain_number

__all__ = ["PAYTABLES", "Pay", "Paytable"]

Pay = int | Fraction
"""A pay, in bets."""

_MAX_PAY = 1_000_000
_MAX_UNITS = 1_000

_PAYS = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "high_pair",
)


@dataclass(init=False, repr=False, unsafe_hash=True)
class Paytable:
    """What every hand pays, in bets: a pay of 1 gives the bet back.

    Crypto.Games makes the player bet 10 credits; a pay of 20 is then 200 credits. Pays here are for a
    bet of one unit, whatever it is. Paytables are frozen, hashable and picklable.

    Parameters
    ----------
    royal_flush, straight_flush, full_house, flush, straight, three_of_a_kind, two_pair : number
        Pays from 0 to 1,000,000: integers, fractions, or floats that count as the decimals they print
        as. All pays together must have a common denominator of 1000 at most.
    four_of_a_kind : number or mapping of str to number
        One pay, or pays by groups of ranks: ``{"A": 70, "2-4": 35, "5-K": 25}``. A group is made of
        ranks and ranges separated by commas, and may have the fifth card's group after a plus sign:
        ``{"A + 2-4": 400, "2-4 + A-4": 160, "A": 160, "2-4": 80, "5-K": 50}``. The first group that
        matches counts; every four of a kind must match one. An ace starts a range as the lowest rank
        (``A-4``) and ends it as the highest (``J-A``).
    high_pair : number
        The pay of a pair of `minimum_pair` or better; lower pairs pay nothing.
    minimum_pair : str
        The lowest rank that pays as a pair: "2" to "10" or "T", "J", "Q", "K", "A". Aces are highest.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.crypto_games.Paytable(royal_flush=800, straight_flush=50, four_of_a_kind=25)
    Paytable(royal_flush=800, straight_flush=50, four_of_a_kind=25, full_house=9, flush=6, straight=4,
             three_of_a_kind=3, two_pair=2, high_pair=1, minimum_pair='J')
    """

    royal_flush: Pay
    straight_flush: Pay
    _four_of_a_kind: Pay | tuple[tuple[str, Pay], ...]
    full_house: Pay
    flush: Pay
    straight: Pay
    three_of_a_kind: Pay
    two_pair: Pay
    high_pair: Pay
    minimum_pair: str

    def __init__(
        self,
        royal_flush: float | Rational = 500,
        straight_flush: float | Rational = 75,
        four_of_a_kind: float | Rational | Mapping[str, float | Rational] = 20,
        full_house: float | Rational = 9,
        flush: float | Rational = 6,
        straight: float | Rational = 4,
        three_of_a_kind: float | Rational = 3,
        two_pair: float | Rational = 2,
        high_pair: float | Rational = 1,
        minimum_pair: str = "J",
    ) -> None:
        given = {
            "royal_flush": royal_flush,
            "straight_flush": straight_flush,
            "four_of_a_kind": four_of_a_kind,
            "full_house": full_house,
            "flush": flush,
            "straight": straight,
            "three_of_a_kind": three_of_a_kind,
            "two_pair": two_pair,
            "high_pair": high_pair,
        }
        for name, value in given.items():
            if name != "four_of_a_kind":
                object.__setattr__(self, name, _pay(name, value))
            elif isinstance(value, Mapping):
                groups = tuple((_group(group), _pay(name, pay)) for group, pay in value.items())
                if not groups:
                    raise ValueError("four_of_a_kind must have at least one group, got none")
                object.__setattr__(self, "_four_of_a_kind", groups)
            else:
                object.__setattr__(self, "_four_of_a_kind", _pay(name, value))
        if not isinstance(minimum_pair, str):
            raise TypeError(f"minimum_pair must be str, got {type(minimum_pair).__name__}")
        encode_text("minimum_pair", minimum_pair)
        # One spelling of each rank, so that equal paytables are equal: "10" is "T" is "t".
        rank = minimum_pair.upper()
        object.__setattr__(self, "minimum_pair", "10" if rank == "T" else rank)
        self._compiled  # noqa: B018  # which refuses what the engine can't hold

    @property
    def four_of_a_kind(self) -> Pay | Mapping[str, Pay]:
        """The pay of four of a kind, or the pays by group."""
        pays = self._four_of_a_kind
        return MappingProxyType(dict(pays)) if isinstance(pays, tuple) else pays

    @property
    def rows(self) -> tuple[tuple[str, Pay], ...]:
        """The hands it names, best first and "nothing" last, with their pays.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.crypto_games.PAYTABLES["jacks_or_better"].rows[-2:]
        (('jacks or better', 1), ('nothing', 0))
        """
        return tuple((row.name, _simplest(Fraction(row.pays, self._unit))) for row in self._engine.rows)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to {name!r}: a Paytable is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: a Paytable is frozen")

    @cached_property
    def _compiled(self) -> tuple[int, PokerPaytable]:
        return _compile(self)

    @property
    def _unit(self) -> int:
        return self._compiled[0]

    @property
    def _engine(self) -> PokerPaytable:
        return self._compiled[1]

    def _arguments(self) -> dict[str, Any]:
        arguments = {name: getattr(self, name) for name in (*_PAYS, "minimum_pair")}
        if isinstance(self._four_of_a_kind, tuple):
            arguments["four_of_a_kind"] = dict(self._four_of_a_kind)
        return arguments

    def __reduce__(self) -> tuple[object, ...]:
        return Paytable, tuple(self._arguments().values())

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self._arguments().items())
        return f"Paytable({arguments})"


def engine_of(paytable: Paytable) -> PokerPaytable:
    """Return the engine's paytable."""
    return paytable._engine


def unit_of(paytable: Paytable) -> int:
    """Return how many of the engine's units make a bet."""
    return paytable._unit


@lru_cache(maxsize=32)
def _compile(paytable: Paytable) -> tuple[int, PokerPaytable]:
    """Return how many engine units make a bet, and the engine's paytable.

    Equal paytables share one, with the tables it makes at the first question.
    """
    four = paytable._four_of_a_kind
    groups: tuple[tuple[str | None, Pay], ...] = four if isinstance(four, tuple) else ((None, four),)
    single = [getattr(paytable, name) for name in _PAYS if name != "four_of_a_kind"]
    unit = math.lcm(*(Fraction(pay).denominator for pay in (*single, *(pay for _, pay in groups))))
    if unit > _MAX_UNITS:
        raise ValueError(
            f"paytable must have pays with a common denominator of {_MAX_UNITS} at most, got {unit}"
        )
    royal_flush, straight_flush, full_house, flush, straight, three_of_a_kind, two_pair, high_pair = (
        int(pay * unit) for pay in single
    )
    engine = PokerPaytable(
        royal_flush,
        straight_flush,
        [(group, int(pay * unit)) for group, pay in groups],
        full_house,
        flush,
        straight,
        three_of_a_kind,
        two_pair,
        high_pair,
        paytable.minimum_pair,
    )
    return unit, engine


def _group(group: object) -> str:
    if not isinstance(group, str):
        raise TypeError(f"four_of_a_kind must have groups of type str, got {type(group).__name__}")
    return group


def _pay(name: str, value: object) -> Pay:
    number = to_plain_number(value)
    if isinstance(number, bool) or not isinstance(number, (int, float, Rational)):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}")
    if isinstance(number, float) or not 0 <= Fraction(number) <= _MAX_PAY:
        raise ValueError(f"{name} must be from 0 to {_MAX_PAY}, got {value}")
    return _simplest(Fraction(number))


def _simplest(pay: Fraction) -> Pay:
    return pay.numerator if pay.denominator == 1 else pay


def _double(**changes: Any) -> Paytable:
    return Paytable(**{"royal_flush": 800, "straight_flush": 50, "two_pair": 1, **changes})


PAYTABLES: Mapping[str, Paytable] = MappingProxyType(
    {
        # Crypto.Games
        "jacks_or_better": Paytable(),
        "tens_or_better": Paytable(four_of_a_kind=22, full_house=6, flush=5, minimum_pair="10"),
        "bonus_poker": Paytable(
            straight_flush=45, four_of_a_kind={"A": 70, "2-4": 35, "5-K": 25}, full_house=8, flush=5
        ),
        # The best known of other casinos
        "jacks_or_better_9_6": Paytable(800, 50, 25),
        "jacks_or_better_8_5": Paytable(800, 50, 25, full_house=8, flush=5),
        "tens_or_better_6_5": Paytable(800, 50, 25, full_house=6, flush=5, minimum_pair="10"),
        "bonus_poker_8_5": Paytable(800, 50, {"A": 80, "2-4": 40, "5-K": 25}, full_house=8, flush=5),
        "double_bonus_10_7": _double(
            four_of_a_kind={"A": 160, "2-4": 80, "5-K": 50}, full_house=10, flush=7, straight=5
        ),
        "double_double_bonus_9_6": _double(
            four_of_a_kind={"A + 2-4": 400, "2-4 + A-4": 160, "A": 160, "2-4": 80, "5-K": 50}
        ),
        "all_american": _double(straight_flush=200, four_of_a_kind=40, full_house=8, flush=8, straight=8),
    }
)
"""Paytables by name: the three of Crypto.Games, and seven that are well known elsewhere."""


def paytable_of(value: str | Paytable | Mapping[str, object]) -> Paytable:
    """Return a paytable given by its name, by its pays, or as it is."""
    if isinstance(value, Paytable):
        return value
    if isinstance(value, str):
        if value not in PAYTABLES:
            raise ValueError(f"paytable must be one of {', '.join(PAYTABLES)}, got {value!r}")
        return PAYTABLES[value]
    if not isinstance(value, Mapping):
        raise TypeError(f"paytable must be str, Paytable or a mapping of pays, got {type(value).__name__}")
    if not value:
        raise ValueError("paytable must have at least one pay, got none")
    allowed = (*_PAYS, "minimum_pair")
    pays: dict[str, Any] = {}
    for hand, pay in value.items():
        name = hand.replace(" ", "_") if isinstance(hand, str) else hand
        if name not in allowed:
            raise ValueError(f"paytable must have keys among {', '.join(allowed)}, got {hand!r}")
        if name in pays:
            raise ValueError(f"paytable must have each pay once, got {hand!r} again")
        pays[name] = pay
    try:
        return Paytable(**pays)
    except (TypeError, ValueError) as error:
        raise type(error)(f"paytable: {error}") from None
