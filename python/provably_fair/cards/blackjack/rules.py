"""The rules of a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypedDict

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, encode_text, integer
from provably_fair._core.numbers import exact_number
from provably_fair._core.table import text_html
from provably_fair._engine import Blackjack as EngineBlackjack

from ..amounts import plain_number


@dataclass(frozen=True)
class Rules:
    """The rules of a table, by default those of the operator's document.

    A hand of 21 stands automatically. Only the first two cards of a hand can be surrendered.

    Parameters
    ----------
    decks : int, float or None
        The number of decks in the shoe, 1 to 16, shuffled before every round; ``math.inf`` for a shoe without
        end. None is that of the deal at whose table it is played; a table without a deal needs the number for
        all that depends on it.
    soft_17 : {"hit", "stand"}
        The dealer's action on soft 17, in which an ace counts eleven.
    hole_card : {"all_bets", "peek", "original_bet", "busted_bets_plus_one"}
        The bets lost to a dealer's blackjack. "peek": the dealer checks for blackjack before the player acts,
        so only the first bet is lost. Otherwise the blackjack shows at the end. "all_bets": it takes doubled
        and split bets, too. "original_bet": it takes one bet in all, as if the dealer had peeked.
        "busted_bets_plus_one": it takes the bets of hands that busted or were surrendered early, and one
        more if there is another hand.
    blackjack_pays : Fraction, int, float or str
        The net win of a blackjack per bet: Fraction(6, 5), 1.5 or "3/2". A float is taken as the decimal
        that it prints as. The numerator and the denominator are at most 1000.
    double : {"any", "hard", "soft", "9-11", "10-11", "none"} or str
        The totals that can be doubled: any, all hard ones, all soft ones (with an ace that counts eleven), or
        hard ones in a range. Or a list of your own: "hard 9-11, soft 13-18, soft 20".
    double_after_split : bool
        Whether hands made by a split can be doubled.
    split_hands : int or str
        The largest number of hands after splitting, 1 to 4. The document says two, with "(I believe)", and
        nothing else in it confirms this. Or a list by pair, "2 A, 4 2-10": other pairs can't be split.
    split_aces : {"hit_and_double", "hit", "one_card"}
        The actions allowed on split aces. They can be doubled only if split hands can.
    resplit_aces : bool
        Whether aces that were split can be split again.
    ten_ace_after_split : {"blackjack", "21"}
        The value of a ten and an ace after a split: a blackjack, which is paid as one and pushes against the
        dealer's, or an ordinary 21. Under ``hole_card="original_bet"`` and ``"busted_bets_plus_one"``, a
        dealer's blackjack takes a bet even if split hands are blackjacks: they don't push, as if the dealer
        had peeked.
    surrender : {"early", "late", "none"} or str
        Whether the first two cards can be given up for half of the bet. "early": even if the dealer has a
        blackjack. "late": only if he has none; without a peek, his blackjack then takes the whole bet. Or a
        list by upcard, "early 10, late 2-9": no surrender against other upcards.
    double_cards : {"two", "any"}
        Whether only two-card hands can be doubled, or hands of any number of cards. A doubled hand gets
        exactly one more card.
    charlie : int, optional
        The number of cards, 3 to 10, with which a hand of 21 or less wins at once. It wins 1:1 against
        everything except a dealer's blackjack.
    dealer_22 : {"bust", "push"}
        Whether a dealer's 22 busts like any hand above 21, or pushes against every hand still in play except
        a blackjack. Hands that busted or have already won by `charlie` are no longer in play.
    split_unlike_tens : bool
        Whether any two cards that count ten can be split, or only two of one rank.
    surrender_after_split : bool
        Whether the first two cards of a split hand can be surrendered, too.
    insurance : bool
        Whether half a bet can be laid on a dealer's blackjack, at 2 to 1, if he shows an ace. The action
        "insure" comes before all others and before the dealer peeks.
    even_money : bool
        Whether a player with a blackjack can take 1:1 at once if the dealer shows an ace and no insurance was
        taken. The action is "even_money".

    Examples
    --------
    >>> pf.cards.Rules(surrender="none")
    Rules(surrender='none')
    """

    decks: float | None = None
    soft_17: str = "hit"
    hole_card: str = "all_bets"
    blackjack_pays: Fraction = Fraction(6, 5)
    double: str = "any"
    double_after_split: bool = True
    split_hands: int | str = 2
    split_aces: str = "hit_and_double"
    resplit_aces: bool = False
    ten_ace_after_split: str = "blackjack"
    surrender: str = "early"
    double_cards: str = "two"
    charlie: int | None = None
    dealer_22: str = "bust"
    split_unlike_tens: bool = True
    surrender_after_split: bool = False
    insurance: bool = False
    even_money: bool = False

    _repr_html_ = text_html

    def __post_init__(self) -> None:
        for rule in fields(self):
            object.__setattr__(self, rule.name, _checked(rule.name, rule.default, getattr(self, rule.name)))
        engine_of(self)  # refuses rules that the engine doesn't have

    def __repr__(self) -> str:
        kept = [f for f in fields(self) if getattr(self, f.name) != f.default]
        shown = ", ".join(f"{f.name}={_literal(getattr(self, f.name))}" for f in kept)
        return f"Rules({shown})"

    def __str__(self) -> str:
        return ", ".join(f"{field.name}={shown_value(getattr(self, field.name))}" for field in fields(self))


def _checked(name: str, default: object, value: Any) -> object:
    """Return the value of a rule as one of Python's, checked by the type of its default."""
    if value is None and default is None:
        return None
    if isinstance(default, Fraction):
        return _pays(value)
    if isinstance(default, bool):
        check_type(name, value, (bool, np.bool_), "bool")
        return bool(value)
    if isinstance(default, str) or (name == "split_hands" and isinstance(value, str)):
        check_type(name, value, str)
        encode_text(name, value)
        return str(value)
    return value if name == "decks" and value == math.inf else integer(name, value)


class RuleChanges(TypedDict, total=False):
    """Values of single rules."""

    decks: float | None
    soft_17: str
    hole_card: str
    blackjack_pays: Fraction | float | str
    double: str
    double_after_split: bool
    split_hands: int | str
    split_aces: str
    resplit_aces: bool
    ten_ace_after_split: str
    surrender: str
    double_cards: str
    charlie: int | None
    dealer_22: str
    split_unlike_tens: bool
    surrender_after_split: bool
    insurance: bool
    even_money: bool


def rules_of(rules: Rules, changes: Mapping[str, Any]) -> Rules:
    """Return the rules with some values changed."""
    check_type("rules", rules, Rules)
    known = [field.name for field in fields(Rules)]
    for name in changes:
        if name not in known:
            raise BadType(name, f"isn't a rule; the rules are {', '.join(known)}")
    return replace(rules, **changes)


@lru_cache(maxsize=32)
def engine_of(rules: Rules) -> EngineBlackjack:
    """Return the engine's table; equal rules share one."""
    values = {field.name: getattr(rules, field.name) for field in fields(Rules)}
    # Settling doesn't depend on the decks, so any number will do if it is unknown.
    known = 1 if rules.decks is None else rules.decks
    decks = None if known == math.inf else known
    return EngineBlackjack(
        values | {"decks": decks, "blackjack_pays": rules.blackjack_pays.as_integer_ratio()}
    )


def need_decks(rules: Rules) -> float:
    """Return the number of decks; refuse rules without one."""
    if rules.decks is None:
        raise BadValue(
            "decks",
            "must be given, as in Blackjack(decks=6), if a table has no deal; a deal's table has that of the "
            "deal, as crypto_games.Blackjack().table",
        )
    return rules.decks


def _pays(value: object) -> Fraction:
    try:
        return exact_number(plain_number("blackjack_pays", value, str), "blackjack_pays")
    except ValueError:
        raise BadValue("blackjack_pays", f"must be a fraction such as 6/5, got {value!r}") from None


def _literal(value: object) -> str:
    """Return a rule's value as code; fractions as text that `Rules` takes."""
    if value == math.inf:
        return "math.inf"
    return repr(str(value)) if isinstance(value, Fraction) and value.denominator > 1 else repr(value)


def shown_value(value: object) -> str:
    """Return a rule's value as text for players: fractions as 6:5."""
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    return str(value)
