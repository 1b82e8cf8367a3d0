"""The table of blackjack: rules, settled rounds, their exact analysis. It has no seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from provably_fair._core.arguments import BadType, BadValue
from provably_fair._core.counts import bincount
from provably_fair._core.numbers import exactly
from provably_fair._core.table import Sheet
from provably_fair.distribution import Distribution
from provably_fair.games.tables import Pack, Table

from ..names import Hand, name, numbers
from .analysis import BlackjackAnalysis, analyze, label_of
from .charts import Chart
from .decisions import VALUES
from .hands import BlackjackRound, numbered
from .removal import RemovalEffects, removal_effects
from .rounds import (
    CARDS_DEALT,
    BlackjackRounds,
    Dealt,
    RandomShoes,
    codes_of,
    is_function,
    joined,
    nets_of,
    play,
    steps,
)
from .rule_values import RuleValues, rule_values
from .rules import RuleChanges, Rules, engine_of, rules_of, shown_value
from .settling import Player, settle
from .tally import BlackjackTally, tally_of

if TYPE_CHECKING:
    from provably_fair.bets import Bet

_MOST_BETS = 9
"""The most bets that a round wins or loses: four hands that are doubled, and insurance."""
_ROLES = ("player", "player", "dealer, upcard", "dealer, hole card")


@dataclass(frozen=True)
class Blackjack(Table):
    """A table of blackjack: rules without seeds.

    The first four cards go to the player, the player, the dealer's upcard and the hole card. The others are
    dealt as needed: to the player's hands from left to right, then to the dealer. A split hand gets its
    second card when its turn comes.

    Parameters
    ----------
    rules : Rules, optional
        The rules; by default those of the document of Crypto.Games.
    **changes
        Changed rules: ``Blackjack(decks=6)`` is ``Blackjack(Rules(decks=6))``.

    See Also
    --------
    Shoe : Deals any number of decks.
    provably_fair.operators.crypto_games.Blackjack, provably_fair.operators.stake.Blackjack : Deals.

    Examples
    --------
    >>> six = pf.cards.Blackjack(decks=6, soft_17="stand")
    >>> f"{six.analyze().house_edge:.4%}"
    '0.9967%'
    >>> print(six.settle("5c 6d 3c 5c 3s Kd", ["double"]))
    player   5♣ 6♦ 3♠ (14, doubled): loss, -2 bets
    dealer   3♣ 5♣ K♦ (18)
    actions  double
    net      -2 bets
    """

    rules: Rules

    choice: ClassVar[str] = "actions"
    title: ClassVar[str] = "blackjack"
    usual: ClassVar[str] = "basic"
    most: ClassVar[int] = CARDS_DEALT[-1]
    likely: ClassVar[int] = CARDS_DEALT[1]

    def __init__(self, rules: Rules = Rules(), **changes: Unpack[RuleChanges]) -> None:  # noqa: B008 (frozen)
        """Make a table of rules; see `Blackjack` for them, and for the changes."""
        object.__setattr__(self, "rules", rules_of(rules, changes))

    def __repr__(self) -> str:
        return f"Blackjack({repr(self.rules).removeprefix('Rules(').removesuffix(')')})"

    def _repr_html_(self) -> str:
        rules = [(field.name, shown_value(getattr(self.rules, field.name))) for field in fields(self.rules)]
        return Sheet("A table of blackjack", ("rule", "value"), rows=rules, align="l").html()

    def settle(
        self, cards: Sequence[int | str] | str, actions: str | Sequence[str] | Player | None = None
    ) -> BlackjackRound:
        """Play a round with given cards and settle it.

        Parameters
        ----------
        cards : sequence of int or str, or str
            The cards in the order dealt, as numbers or names: player, player, upcard, hole card, then as
            needed. There may be more cards than the round needs.
        actions : str, sequence of str, or callable, optional
            The player's actions, hand by hand from the left: "hit", "stand", "double", "split" or
            "surrender"; before them "insure" or "even_money" if the rules have them. Or the letters of
            charts, H, S, D, P, R, I and E; in a text with commas, blanks or nothing between them. The "stand"
            of a hand that can only stand, such as one of 21, may be left out. Or a function of a `Decision`,
            such as a `Chart` or an analysis. By default the best play.

        Returns
        -------
        BlackjackRound
            The settled hands.

        Raises
        ------
        ValueError
            When an action is illegal, missing or superfluous, or there are too few cards. The error lists the
            legal actions.

        Examples
        --------
        >>> game = pf.cards.Blackjack(decks=4)
        >>> print(game.settle("8c 8d 6s 10h 3c 10s Kd 5h", ["split", "double", "stand"]))
        hand 1   8♣ 3♣ 10♠ (21, doubled): push, 0 bets
        hand 2   8♦ K♦ (18): loss, -1 bet
        dealer   6♠ 10♥ 5♥ (21)
        actions  split, double, stand
        net      -1 bet
        """
        hand = Hand.of_numbers(numbers("cards", cards))
        if -1 in hand:
            raise BadValue("cards", f"must be numbers or names of cards, got -1 at index {hand.index(-1)}")
        played = analyze(self.rules, "optimal") if actions is None else actions
        return settle(self.rules, "cards", list(hand), played)[0]

    def analyze(
        self, strategy: str | Chart = "optimal", *, shoe: Mapping[str, int] | None = None
    ) -> BlackjackAnalysis:
        """Return the exact value of a strategy.

        Parameters
        ----------
        strategy : {"optimal", "basic"} or Chart
            "optimal" depends on all cards of the hand, the pair it was split from, and the upcard; "basic" is
            the best chart by totals, pairs and the upcard. Or a chart of your own.
        shoe : mapping of str to int, optional
            The number of cards of each rank in the shoe before the deal: "A", "2", ..., "10", "J", "Q", "K".
            Ranks that are left out have no cards. By default the shoe has all cards of its decks.

        Returns
        -------
        BlackjackAnalysis
            ``.house_edge``, ``.std``, ``.values``, ``.chart``; prints as text, in color in a notebook.

        Examples
        --------
        >>> game = pf.cards.Blackjack(decks=4)
        >>> optimal, basic = game.analyze(), game.analyze("basic")
        >>> print(f"{optimal.house_edge:.4%} {basic.house_edge:.4%}")
        1.0814% 1.0827%
        >>> basic.chart.rows["hard 11"]["3"], basic.chart.rows["pair A"]["6"]
        ('DH', 'P')
        >>> ranks = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
        >>> fives_gone = dict.fromkeys(ranks, 16) | {"5": 8}
        >>> print(f"{game.analyze(shoe=fives_gone).house_edge:.4%}")
        -0.7146%
        """
        return analyze(self.rules, strategy, shoe)

    def side_bet(self, payout: str | Callable[[Hand], float], *, cards: int | None = None) -> Bet:
        """Return a bet of 1 on the first cards of the deal.

        Its law is exact for the composition of the shoe: every deal is enumerated. Its simulated rounds are
        dealt by salted rounds.

        Parameters
        ----------
        payout : {"pairs", "21+3"} or callable
            "pairs" pays on the player's two cards: 25 to 1 if they are identical, 12 to 1 for a pair of one
            color, 6 to 1 for any other pair. "21+3" pays on these and the upcard: 9 to 1 for a flush, a
            straight or three of a kind. Or a function from the first cards, a `Hand` of numbers from 0 to 51,
            to the return of a bet of 1.
        cards : int, optional
            The number of cards the function takes, 1 to 3; 3 by default: player, player, upcard.

        Returns
        -------
        Bet
            The bet.

        Examples
        --------
        >>> six = pf.cards.Blackjack(decks=6)
        >>> print(f"{six.side_bet('21+3').house_edge:.4%}, {six.side_bet('pairs').house_edge:.4%}")
        3.2386%, 6.1093%
        >>> six.side_bet(lambda deal: 12 if deal[0] % 13 == 0 else 0, cards=1).exact_rtp
        Fraction(12, 13)
        """
        from .side_bets import side_bet

        return side_bet(self, payout, cards)

    def insurance_bet(self, cards: Sequence[int | str] | str = ()) -> Bet:
        """Return a bet of 1, at 2 to 1, that a dealer who shows an ace has a blackjack.

        Its law is exact for the composition of the shoe. If blackjack pays 3:2, taking even money for one is
        the same as insuring it.

        Parameters
        ----------
        cards : sequence of int or str, or str
            Known cards that are no longer in the shoe, such as the player's.

        Returns
        -------
        Bet
            The bet. Its simulated rounds are drawn from the law, by salted rounds.

        Examples
        --------
        >>> game = pf.cards.Blackjack(decks=6)
        >>> game.insurance_bet().exact_rtp, game.insurance_bet("Kh Qd").exact_rtp
        (Fraction(288, 311), Fraction(94, 103))
        """
        from .side_bets import insurance_bet

        return insurance_bet(self, Hand.of_numbers(numbers("cards", cards)))

    def removal_effects(self, strategy: str | Chart = "basic") -> RemovalEffects:
        """Return the effects of removal, for one card of each rank.

        Parameters
        ----------
        strategy : {"basic", "optimal"} or Chart
            The strategy; see `analyze`. "basic" is the best chart for the whole shoe; "optimal" is the best
            play without the card.

        Returns
        -------
        RemovalEffects
            A row for each rank; prints as a table.

        Examples
        --------
        >>> effects = pf.cards.Blackjack(decks=1).removal_effects()
        >>> f"{effects['5']:+.4%}", f"{effects['A']:+.4%}"
        ('+0.8078%', '-0.4761%')
        """
        return removal_effects(self.rules, strategy)

    def rule_values(self) -> RuleValues:
        """Return the value of each rule, alone and together, as `RuleValues`.

        The rules are compared with common ones: the same decks; the dealer stands on soft 17 and peeks for
        blackjack; blackjack pays 3:2; double on any two cards, also after a split; one split, one card on
        each split ace, and no blackjack after a split; no surrender.
        """
        return rule_values(self.rules)

    # The interface of deals

    def at(self, pack: Pack, deal: str) -> Blackjack:
        """Return the table with the decks of a pack; another number of decks is refused."""
        if self.rules.decks is None:
            return Blackjack(replace(self.rules, decks=pack.decks))
        if self.rules.decks != pack.decks:
            cure = "" if self.rules.decks == math.inf else f"; pf.cards.Shoe(decks={self.rules.decks}) has"
            problem = f"must be {shown_value(pack.decks)}, or None, at {deal}"
            raise BadValue("decks", f"{problem}, got {shown_value(self.rules.decks)}{cure}")
        return self

    def player(self, strategy: Any, chosen: Any) -> Any:
        """Return the player: an analysis, which the engine plays by itself, a function, or actions."""
        if strategy is None:
            return analyze(self.rules) if chosen is None else chosen
        if chosen is not None:
            raise BadType("strategy", "isn't supported with actions")
        if isinstance(strategy, (str, Chart)):
            return analyze(self.rules, strategy)
        if callable(strategy):
            return strategy
        got = type(strategy).__name__
        raise BadType("strategy", f'must be "optimal", "basic", a Chart, an analysis or function, got {got}')

    def by_round(self, player: Any, rounds: int) -> Callable[[int, int], Any]:
        if callable(player):
            return lambda *_: player
        codes = codes_of(player, rounds)
        return lambda first, count: codes[first : first + count]

    def play(self, cards: Dealt, player: Any) -> BlackjackRounds:
        return play(self.rules, cards, player)

    def settled(self, cards: np.ndarray, player: Any) -> BlackjackRound:
        return settle(self.rules, "the deal", cards[cards >= 0].tolist(), player)[0]

    def in_engine(self, player: Any) -> bool:
        return not is_function(player)

    def steps(self, player: Any) -> tuple[int, ...]:
        return steps(player)

    def joined(self, parts: Iterable[BlackjackRounds], rounds: int) -> BlackjackRounds:
        return joined([*parts])

    def tally(self, cards: Dealt, player: Any) -> BlackjackTally:
        engine = engine_of(self.rules)
        if isinstance(cards, RandomShoes) and isinstance(player, BlackjackAnalysis):
            counts = dict(engine.tally(player._core, *cards.series, threads=1))
            exhausted = 0
        else:
            nets = nets_of(self.rules, cards, player)
            known = nets[~np.isnan(nets)]
            units = np.rint(known * engine.units).astype(np.int64)
            least = int(units.min(initial=0))
            found = bincount(units - least)
            counts = {net + least: int(found[net]) for net in np.flatnonzero(found).tolist()}
            exhausted = len(nets) - len(known)
        nets_ = {Fraction(units, engine.units): count for units, count in counts.items()}
        return tally_of(nets_, sum(counts.values()) + exhausted, exhausted)

    def law(self, player: Any) -> tuple[Distribution | None, int]:
        """Return the law of returns, if an analysis is of these rules, and the units of a bet."""
        found = None
        if isinstance(player, BlackjackAnalysis) and player.rules == self.rules:
            net = player.net
            found = Distribution(
                # with the stake, a float if the net win is one
                [type(won)(1 + exactly(won)) for won in net.outcomes.tolist()],
                net.weights,
                probability_error=net.probability_error,
            )
        return found, engine_of(self.rules).units

    def returns(self, cards: Dealt, player: Any) -> np.ndarray:
        unit = engine_of(self.rules).units
        nets = np.nan_to_num(nets_of(self.rules, cards, player))
        return np.atleast_2d(np.rint(nets * unit).astype(np.int64) + unit).T

    def told(
        self, cards: np.ndarray, chosen: Any
    ) -> tuple[BlackjackRound | None, Sequence[str], list[tuple[str, str]]]:
        shoe = cards[cards >= 0].tolist()
        roles, results = [*_ROLES], []
        played: BlackjackRound | None = None
        if chosen is not None:
            played, seats = settle(self.rules, "the deal", shoe, chosen)
            many = len(played.hands) > 1
            roles += [
                "dealer" if s is None else f"player, hand {s + 1}" if many else "player" for s in seats[4:]
            ]
            results = played.rows()
        elif len(shoe) >= 4:
            results = [
                ("player", str(Hand.of_numbers(shoe[:2]))),
                ("dealer", f"{name(shoe[2])}, and {name(shoe[3])} in the hole"),
            ]
        if len(shoe) >= 4:
            results += self._advice(Hand.of_numbers(shoe[:2]), shoe[2])
        return played, roles, results

    def names(self, cards: np.ndarray) -> tuple[str, ...]:
        return tuple(map(name, cards.tolist()))

    def random_shoes(self, pack: Pack, seed: int | str, start: int, rounds: int) -> RandomShoes:
        return RandomShoes(self.rules, pack, seed, start, rounds)

    def engine(self) -> tuple[Any, int]:
        engine = engine_of(self.rules)
        return engine, engine.units

    def numbered(self, settled: BlackjackRound, numbers: np.ndarray) -> BlackjackRound:
        return numbered(settled, numbers)

    def possible(self) -> list[int]:
        """Return the units that a bet of 1 may return, alone or with the others of its round."""
        unit = engine_of(self.rules).units
        pays = int(self.rules.blackjack_pays * unit)
        halves = range(-2 * _MOST_BETS, 4 * _MOST_BETS - 1)
        return sorted({unit + half * unit // 2 + hands * pays for half in halves for hands in range(5)})

    def shared(self) -> set[Fraction]:
        return _shares(self.rules.blackjack_pays)

    def _advice(self, hand: Hand, upcard: int) -> list[tuple[str, str]]:
        analysis = analyze(self.rules)
        values = analysis.values[label_of(hand, self.rules), VALUES[min(upcard % 13, 9)]]
        if not values:
            return []
        best = sorted(values.items(), key=lambda item: -item[1])
        return [("best first action", ", ".join(f"{action} {value:+.4f}" for action, value in best))]


@lru_cache(maxsize=8)
def _shares(pays: Fraction) -> set[Fraction]:
    """Return the shares that up to nine bets may return, counted in halves, up to four of them blackjacks."""
    return {
        (back + 2 * hands * (1 + pays)) / Fraction(bets)
        for bets in range(2, 2 * _MOST_BETS + 1)
        for hands in range(min(bets // 2, 4) + 1)
        for back in range(2 * (bets - 2 * hands) + 1)
    }
