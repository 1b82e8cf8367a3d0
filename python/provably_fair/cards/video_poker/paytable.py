"""Paytables of video poker."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, lru_cache, partial, wraps
from numbers import Rational
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    choice,
    did_you_mean,
    encode_text,
    integer,
)
from provably_fair._core.errors import within
from provably_fair._core.table import facts_html
from provably_fair._engine import PokerPaytable

from ..amounts import plain_number
from ..frozen import Frozen

Pay = int | Fraction
"""A pay, in bets."""

Pays = float | Rational | Mapping[str, float | Rational]
"""A pay, or pays by groups, as arguments."""

_MAX_PAY = 1_000_000
_MAX_UNITS = 1_000

_GROUPED = ("royal_flush", "four_wild", "five_of_a_kind", "four_of_a_kind", "full_house")
_WILD = ("four_wild", "wild_royal_flush", "five_of_a_kind")

F = TypeVar("F", bound=Callable[..., None])

Groups = Frozen[str, Pay]
"""Pays by groups of ranks or suits, of which the first that matches counts."""


def _of_known_names(init: F) -> F:
    """Wrap `__init__`, with its signature, to refuse unknown names with a list of the known ones."""

    @wraps(init)
    def checked(self: object, *pays: object, **named: object) -> None:
        for name in named:
            if name not in _PAYS:
                raise BadType(name, f"isn't a name of a paytable; these are {', '.join(_PAYS)}")
        init(self, *pays, **named)

    return checked  # type: ignore[return-value]


@dataclass(frozen=True, init=False, repr=False)
class Paytable:
    """The payout of every hand, in bets: a payout of 1 returns the bet.

    Crypto.Games makes the player bet 10 credits; a pay of 20 is then 200 credits. Pays here are for a
    bet of one unit, whatever it is. Paytables are frozen, hashable and picklable.

    With wild cards a hand is what pays most of all that it may be, and rows are listed in the order of their
    pays. An order of hands that contradicts itself is refused: a wild royal flush, which is always a straight
    flush, can't pay less than one.

    Parameters
    ----------
    royal_flush, straight_flush, full_house, flush, straight, three_of_a_kind, two_pair : number
        Pays from 0 to 1,000,000: integers, fractions, or floats that count as the decimals they print
        as. All pays together must have a common denominator of 1000 at most. `royal_flush` may have pays by
        suits, ``{"h": 2000, "s,d,c": 800}``, and `full_house` by the rank of the three,
        ``{"A": 12, "2-K": 9}``.
        With wild cards `two_pair` and `high_pair` may be None: then the table doesn't name them.
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
    wild : str, optional
        The cards that stand for any other: a rank, such as "2", or "joker".
    jokers : int, optional
        1 or 2 where `wild` is "joker", numbered 52 and 53; 1 by default.
    four_wild : number or mapping of str to number, optional
        The pay of all four cards of the wild rank ("four deuces"), or pays by the rank of the fifth card.
    wild_royal_flush : number, optional
        The pay of a royal flush with a wild card; without it, it is a straight flush.
    five_of_a_kind : number or mapping of str to number, optional
        One pay, or pays by groups of ranks: ``{"A": 80, "3-5": 40, "6-K": 20}``; without it, it is four of a
        kind.
    sequential_royal_flush : number, optional
        The pay of a royal flush without wild cards that lies from the ten to the ace, from left to right.
        The best hold then depends on the order of the cards. It can't be less than that of any royal flush.
    reversible : bool
        Whether one from the ace to the ten is paid so, too.

    Examples
    --------
    >>> pf.cards.Paytable(royal_flush=800, straight_flush=50, four_of_a_kind=25)
    Paytable(royal_flush=800, straight_flush=50, four_of_a_kind=25, full_house=9, flush=6, straight=4,
             three_of_a_kind=3, two_pair=2, high_pair=1, minimum_pair='J')
    >>> deuces = pf.cards.PAYTABLES["deuces_wild"]
    >>> round(pf.cards.VideoPoker(deuces).analyze().rtp, 6)
    1.00762
    """

    royal_flush: Pay | Groups
    straight_flush: Pay
    four_of_a_kind: Pay | Groups
    full_house: Pay | Groups
    flush: Pay
    straight: Pay
    three_of_a_kind: Pay
    two_pair: Pay | None
    high_pair: Pay | None
    minimum_pair: str
    wild: str | None
    jokers: int
    four_wild: Pay | Groups | None
    wild_royal_flush: Pay | None
    five_of_a_kind: Pay | Groups | None
    sequential_royal_flush: Pay | None
    reversible: bool

    _repr_html_ = facts_html

    @_of_known_names
    def __init__(
        self,
        royal_flush: Pays = 500,
        straight_flush: float | Rational = 75,
        four_of_a_kind: Pays = 20,
        full_house: Pays = 9,
        flush: float | Rational = 6,
        straight: float | Rational = 4,
        three_of_a_kind: float | Rational = 3,
        two_pair: float | Rational | None = 2,
        high_pair: float | Rational | None = 1,
        minimum_pair: str = "J",
        *,
        wild: str | None = None,
        jokers: int | None = None,
        four_wild: Pays | None = None,
        wild_royal_flush: float | Rational | None = None,
        five_of_a_kind: Pays | None = None,
        sequential_royal_flush: float | Rational | None = None,
        reversible: bool = False,
    ) -> None:
        given = {name: value for name, value in locals().items() if name in _PAID}
        optional = (*_WILD, "sequential_royal_flush", *(() if wild is None else ("two_pair", "high_pair")))
        checked: dict[str, object] = {
            name: None if value is None and name in optional else _pays(name, value)
            for name, value in given.items()
        }
        checked["minimum_pair"] = _rank("minimum_pair", minimum_pair)
        checked["wild"] = None if wild is None else _rank("wild", wild)
        checked["jokers"] = _jokers(wild, jokers)
        check_type("reversible", reversible, (bool, np.bool_), "bool")
        checked["reversible"] = bool(reversible)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        self._check_wild()
        self._compiled  # noqa: B018  # refuses pays that the engine can't hold

    def _check_wild(self) -> None:
        if self.reversible and self.sequential_royal_flush is None:
            raise BadValue("reversible", "needs a pay for sequential_royal_flush")
        for name in _WILD:
            if getattr(self, name) is None:
                continue
            if self.wild is None:
                raise BadValue(name, f"isn't supported without wild cards, got {getattr(self, name)}")
            if name == "four_wild" and self.jokers:
                raise BadValue("four_wild", f"isn't supported with jokers, got {self.four_wild}")
        # With a wild card a pair is three of a kind, so that the engine counts none of these as two pair.
        if self.wild is not None and self.two_pair is not None and self.two_pair > self.three_of_a_kind:
            problem = "must pay at least what two_pair pays, which it may be with wild cards"
            raise BadValue("three_of_a_kind", f"{problem}, got {self.three_of_a_kind} and {self.two_pair}")

    def with_royal_flush(self, royal_flush: float | Rational) -> Paytable:
        """Return the paytable with another pay of a royal flush.

        Examples
        --------
        >>> pf.cards.PAYTABLES["jacks_or_better"].with_royal_flush(800).rows[0]
        ('royal flush', 800)
        """
        return Paytable(**{**self._arguments(), "royal_flush": royal_flush})

    @property
    def rows(self) -> tuple[tuple[str, Pay], ...]:
        """The hands it names, best first and "nothing" last, with their pays."""
        return self._compiled[2]

    @cached_property
    def _compiled(self) -> tuple[int, PokerPaytable, tuple[tuple[str, Pay], ...]]:
        return _compile(self)

    def _arguments(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in _PAYS}
        # Without wild cards their pays are left out.
        return {name: value for name, value in given.items() if name in _PAYS[:10] or value}

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Paytable, **self._arguments()), ()

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self._arguments().items())
        return f"Paytable({arguments})"


_PAYS = tuple(field.name for field in fields(Paytable))
"""The names of a paytable's arguments, in their order."""

_OTHERS = ("minimum_pair", "wild", "jokers", "reversible")
_PAID = tuple(name for name in _PAYS if name not in _OTHERS)
"""Those that are pays."""


def engine_of(paytable: Paytable) -> PokerPaytable:
    """Return the engine's paytable."""
    return paytable._compiled[1]


def unit_of(paytable: Paytable) -> int:
    """Return the number of the engine's units in a bet."""
    return paytable._compiled[0]


@lru_cache(maxsize=32)
def _compile(paytable: Paytable) -> tuple[int, PokerPaytable, tuple[tuple[str, Pay], ...]]:
    """Return the number of engine units in a bet, the engine's paytable, and its rows with pays in bets.

    Equal paytables share one, with the tables that it computes on first use.
    """
    pays = {name: _by_group(getattr(paytable, name)) for name in _PAID}
    unit = math.lcm(*(Fraction(pay).denominator for groups in pays.values() for _, pay in groups))
    if unit > _MAX_UNITS:
        raise BadValue("paytable", f"must have pays of a common denominator up to {_MAX_UNITS}, got {unit}")
    families = {name: [(group, int(pay * unit)) for group, pay in groups] for name, groups in pays.items()}
    as_given = {name: getattr(paytable, name) for name in _OTHERS}
    wild = None if paytable.jokers else paytable.wild
    engine = PokerPaytable({"families": families, **as_given, "wild": wild})
    return unit, engine, tuple((name, _simplest(Fraction(pays, unit))) for name, pays in engine.rows)


def _by_group(value: Pay | Groups | None) -> list[tuple[str | None, Pay]]:
    """Return the pays of a hand by group; None is the group of all."""
    if isinstance(value, Frozen):
        return [*value.items()]
    return [] if value is None else [(None, value)]


def _pays(name: str, value: object) -> Pay | Groups:
    """Return the pay, or the pays by groups, of a hand, checked."""
    if not isinstance(value, Mapping) or name not in _GROUPED:
        return _pay(name, value)
    if not value:
        raise BadValue(name, "must not be empty")
    return Frozen((_group(name, group), _pay(name, pay)) for group, pay in value.items())


def _group(name: str, group: object) -> str:
    if not isinstance(group, str):
        raise BadType(name, f"must have groups of type str, got {type(group).__name__}")
    return group


def _rank(name: str, rank: str) -> str:
    check_type(name, rank, str)
    encode_text(name, rank)
    # One spelling of each rank, so that equal paytables are equal: "10" is "T" is "t".
    spelled = rank.upper()
    return {"T": "10", "JOKER": "joker"}.get(spelled, spelled)


def _jokers(wild: object, jokers: int | None) -> int:
    if isinstance(wild, str) and wild.lower() == "joker":
        return 1 if jokers is None else integer("jokers", jokers, 1, 2)
    if jokers not in (None, 0):
        raise BadValue("jokers", f'isn\'t supported unless wild is "joker", got {jokers!r}')
    return 0


def _pay(name: str, value: object) -> Pay:
    number = plain_number(name, value)
    if isinstance(number, float) or not 0 <= Fraction(number) <= _MAX_PAY:
        raise BadValue(name, f"must be from 0 to {_MAX_PAY}, got {value}")
    return _simplest(Fraction(number))


def _simplest(pay: Fraction) -> Pay:
    return pay.numerator if pay.denominator == 1 else pay


def _double(**changes: Any) -> Paytable:
    return Paytable(**{"royal_flush": 800, "straight_flush": 50, "two_pair": 1, **changes})


def _deuces(five: int, straight_flush: int, four: int, full_house: int, flush: int) -> Paytable:
    """Return a paytable of deuces wild, by the pays that differ."""
    pays = (800, straight_flush, four, full_house, flush, 2, 1, None, None)
    return Paytable(*pays, wild="2", four_wild=200, wild_royal_flush=25, five_of_a_kind=five)


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
        # With wild cards
        "deuces_wild": _deuces(15, 9, 5, 3, 2),
        "deuces_wild_15_11": _deuces(15, 11, 4, 4, 3),
        "not_so_ugly_deuces": _deuces(16, 10, 4, 4, 3),
        "illinois_deuces": _deuces(15, 9, 4, 4, 3),
        "joker_poker": Paytable(
            800, 50, 20, 7, 5, 3, 2, 1, 1, "K", wild="joker", wild_royal_flush=100, five_of_a_kind=200
        ),
    }
)
"""Paytables by name, with their exact returns: the three of Crypto.Games, and twelve known elsewhere.

Pays from the royal flush down to the lowest hand that pays; with wild cards in the order of the pays. The
last column has the source that published the same return.

======================= ================================================================= ========== ====
name                    pays                                                              return     in
======================= ================================================================= ========== ====
jacks_or_better         500 75 20 9 6 4 3 2 1                                              97.9696 % [1]_
tens_or_better          500 75 22 6 5 4 3 2 1                                              97.9657 % [1]_
bonus_poker             500 45, fours 70 (A) 35 (2-4) 25 (5-K), 8 5 4 3 2 1                97.9398 % [1]_
jacks_or_better_9_6     800 50 25 9 6 4 3 2 1                                              99.5439 % [2]_
jacks_or_better_8_5     800 50 25 8 5 4 3 2 1                                              97.2984 % [3]_
tens_or_better_6_5      800 50 25 6 5 4 3 2 1                                              99.1388 % [4]_
bonus_poker_8_5         800 50, fours 80 (A) 40 (2-4) 25 (5-K), 8 5 4 3 2 1                99.1660 % [4]_
double_bonus_10_7       800 50, fours 160 (A) 80 (2-4) 50 (5-K), 10 7 5 3 1 1             100.1725 % [4]_
double_double_bonus_9_6 800 50, fours 400 (A + 2-4) 160 (A, 2-4 + A-4) 80 50, 9 6 4 3 1 1  98.9808 % [4]_
all_american            800 200 40 8 8 8 3 1 1                                            100.7221 % [4]_
deuces_wild             800 200 25 15 9 5 3 2 2 1                                         100.7620 % [5]_
deuces_wild_15_11       800 200 25 15 11 4 4 3 2 1                                         99.9569 % [5]_
not_so_ugly_deuces      800 200 25 16 10 4 4 3 2 1                                         99.7283 % [5]_
illinois_deuces         800 200 25 15 9 4 4 3 2 1                                          98.9131 % [5]_
joker_poker             800 200 100 50 20 7 5 3 2 1 1, kings or better                    100.6463 % [4]_
======================= ================================================================= ========== ====

.. [1] The document of Crypto.Games, to the last count.
.. [2] S. Ethier, J. Kim, J. Lee, Optimal conditional expectation at the video poker game Jacks or Better.
.. [3] M. Shackelford, wizardofodds.com/games/video-poker/tables/royal-deal.
.. [4] M. Shackelford, the game's page at wizardofodds.com/games/video-poker/tables.
.. [5] M. Shackelford, wizardofodds.com/games/video-poker/tables/deuces-wild, by counts of all hands.
"""


def paytable_of(value: str | Paytable | Mapping[str, object]) -> Paytable:
    """Return a paytable given as such, by its name or by its pays."""
    if isinstance(value, Paytable):
        return value
    if isinstance(value, str):
        choice("paytable", value, PAYTABLES)
        return PAYTABLES[value]
    check_type("paytable", value, Mapping, "str, Paytable or a mapping of pays")
    if not value:
        raise BadValue("paytable", "must not be empty")
    pays: dict[str, Any] = {}
    for hand, pay in value.items():
        name = hand.replace(" ", "_") if isinstance(hand, str) else hand
        if name not in _PAYS:
            got = f"got {hand!r}{did_you_mean(hand, _PAYS)}"
            raise BadValue("paytable", f"must have keys among {', '.join(_PAYS)}, {got}")
        if name in pays:
            raise BadValue("paytable", f"must have each pay once, got {hand!r} again")
        pays[name] = pay
    with within("paytable: ", "paytable"):
        return Paytable(**pays)
