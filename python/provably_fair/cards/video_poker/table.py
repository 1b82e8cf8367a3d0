"""The table of video poker: a paytable, settled rounds, their exact analysis. It has no seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from numbers import Rational
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, integer, threads_of
from provably_fair._core.counts import bincount
from provably_fair._core.drawing import COLORS, axes
from provably_fair._core.table import Sheet
from provably_fair.distribution import Distribution
from provably_fair.games.deals import DealtRounds
from provably_fair.games.reads import Reads, while_read_alike
from provably_fair.games.tables import Pack, Table

from ..names import DealtHand
from .analysis import Analysis, HoldStrategy, analyze, strategy_holds
from .holds import Hold, by_row, card_names, check_different, hand_of, hands_of, hold_bits, rows_of
from .paytable import PAYTABLES, Paytable, engine_of, paytable_of, unit_of
from .play import Holds
from .rounds import PokerRound, PokerRounds, joined, settle, settle_one
from .tally import PokerTally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .rule_list import PokerRules

_ROLES = tuple(f"hand, card {i}" for i in range(1, 6)) + tuple(f"draw, card {i}" for i in range(6, 11))


@dataclass(frozen=True, repr=False)
class VideoPoker(Table):
    """A machine of video poker: a paytable without seeds.

    Of ten cards five are dealt; those not held are replaced, from left to right, by the sixth card and those
    after it. Pays are in bets.

    Parameters
    ----------
    paytable : str, Paytable or mapping
        A name of `PAYTABLES`, a paytable, or its arguments: ``{"full_house": 8, "flush": 5}``.
        "jacks_or_better", "tens_or_better" and "bonus_poker" are those of Crypto.Games. Jokers are the
        numbers 52 and 53.

    See Also
    --------
    provably_fair.operators.crypto_games.VideoPoker, provably_fair.operators.stake.VideoPoker : Deals.

    Examples
    --------
    >>> table = pf.cards.VideoPoker("jacks_or_better")
    >>> round(table.analyze().rtp, 6)
    0.979696
    >>> print(table.settle("J♣ 5♥ 8♣ A♣ 2♣ 3♦ 5♦ J♦ 9♥ 6♣", hold=[1, 4]))
    J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1
    """

    paytable: Paytable = PAYTABLES["jacks_or_better"]

    choice: ClassVar[str] = "hold"
    title: ClassVar[str] = "video poker"
    usual: ClassVar[str] = "optimal"
    most: ClassVar[int] = 10
    likely: ClassVar[int] = 10

    def __init__(self, paytable: str | Paytable | Mapping[str, object] = "jacks_or_better") -> None:
        """Make a machine of a paytable, of the name of one, or of its arguments; see `VideoPoker`."""
        object.__setattr__(self, "paytable", paytable_of(paytable))

    def __repr__(self) -> str:
        named = (name for name, paytable in PAYTABLES.items() if paytable == self.paytable)
        return f"VideoPoker({next(named, self.paytable)!r})"

    def _repr_html_(self) -> str:
        return Sheet(f"{self!r:.60}: five cards, drawn once", ("hand", "pays"), self.paytable.rows).html()

    def hold_values(
        self, hand: ArrayLike | str, *, exact: bool = False, threads: int | None = None
    ) -> np.ndarray | tuple[Fraction, ...]:
        """Return the expected payout of every hold of a hand, in bets.

        Parameters
        ----------
        hand : Hand, array-like of int, or str
            Five cards, (5,), or many hands, (N, 5). One hand may be a text: "J♣ 5♥ 8♣ A♣ 2♣".
        exact : bool
            Whether to return fractions; for one hand.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray or tuple of Fraction
            (32,) or (N, 32) float64, each the correctly rounded value. The index of a hold is the sum
            of ``2**i`` over the held cards i = 0 to 4. NaN in rows whose hash ran out.

        Examples
        --------
        >>> game = pf.cards.VideoPoker()
        >>> values = game.hold_values("J♣ 5♥ 8♣ A♣ 2♣", exact=True)
        >>> values[1 + 4 + 8 + 16]
        Fraction(60, 47)
        """
        hands, many = hands_of(hand, jokers=self.paytable.jokers)
        engine, unit = engine_of(self.paytable), unit_of(self.paytable)
        if exact:
            if many:
                raise BadValue("hand", f"must be one hand of five cards for exact values, got {len(hands)}")
            return tuple(Fraction(pays, draws * unit) for pays, draws in engine.hold_sums(hands[0]))
        values = engine.hold_values(hands.ravel(), many, unit, threads=threads_of(threads))
        return values if many else values[0]

    def plot(self, hand: ArrayLike | str, *, most: int = 32, ax: Axes | None = None) -> Axes:
        """Draw the values of a hand's holds, up to `most` from 1 to 32, the best one at the top.

        Needs matplotlib; `hand` is as in `hold_values`, and `ax` as in `Distribution.plot`.

        Examples
        --------
        >>> ax = pf.cards.VideoPoker().plot("J♣ 5♥ 8♣ A♣ 2♣")
        >>> ax.get_yticklabels()[0].get_text()
        'J♣ 8♣ A♣ 2♣'
        """
        most = integer("most", most, 1, 32)
        values = np.asarray(self.hold_values(hand))
        if values.shape != (32,):
            raise BadValue("hand", f"must be five cards, got hands of the shape {values.shape[:-1]}")
        names = card_names(hands_of(hand, jokers=self.paytable.jokers)[0][0].tolist(), self.paytable.jokers)
        order = np.argsort(-values, kind="stable")[:most]
        held = [" ".join(name for i, name in enumerate(names) if hold >> i & 1) for hold in order.tolist()]
        ax = axes(ax, 5, 0.6 + 0.2 * most)
        colors = np.where(values[order] == values.max(), COLORS["vermilion"], COLORS["sky"])
        ax.barh(range(most), values[order], color=colors)
        ax.set_yticks(range(most), [text or "nothing" for text in held], fontsize=8)
        for place, value in enumerate(values[order].tolist()):
            ax.text(value, place, f" {value:.4f}", va="center", fontsize=7)
        ax.set_xlim(0, values.max() * 1.15)
        ax.set_ylim(most - 0.4, -0.6)
        ax.set_xlabel("worth in bets")
        ax.set_title(f"hold {held[0] or 'nothing'}: worth {values.max():.4f} bets", fontsize=10)
        ax.set_ylabel("cards held")
        return ax

    def best_hold(self, hand: ArrayLike | str, *, threads: int | None = None) -> np.ndarray:
        """Return which cards of a hand are best held.

        Among equally good holds, it is the one that holds the most cards; of those, the one
        with the higher ranks (the ace is the highest), compared from the top; then the one whose cards'
        suits have the higher cards in the hand; then the one further to the left.

        Parameters
        ----------
        hand, threads
            See `hold_values`. Numbers are those of `provably_fair.cards`: of a deal's outcome,
            ``deal.kind.pack.cards(outcome)[..., :5]``.

        Returns
        -------
        numpy.ndarray
            (5,) or (N, 5) bool. Nothing is held in rows whose hash ran out.

        Examples
        --------
        >>> pf.cards.VideoPoker().best_hold("J♣ 5♥ 8♣ A♣ 2♣")
        array([ True, False,  True,  True,  True])
        """
        hands, many = hands_of(hand, jokers=self.paytable.jokers)
        holds = engine_of(self.paytable).best_holds(hands.ravel(), many, threads=threads_of(threads))
        return holds if many else holds[0]

    def settle(
        self, cards: ArrayLike | str, hold: Hold | None = None, *, threads: int | None = None
    ) -> PokerRound | PokerRounds:
        """Play with given cards: one round, or many.

        Parameters
        ----------
        cards : array-like of int, or str
            Ten cards, (10,), or many rounds, (N, 10): the hand, and the cards to draw from; -1 for no card.
            Those of one round may be a text of names.
        hold : five flags, positions, names or text, optional
            The cards to hold: five flags (booleans, 1 and 0, "10110", "H-HH-"), positions 1 to 5 from the
            left ([1, 4], "1 4", "14"), or names of cards ("K♠ K♦", ["Ks", "Kd"]), as a log may have them. Of
            many rounds one for all, without names, or one for each: N of these, or an (N, 5) array. None
            holds what is best (`best_hold`).
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        PokerRound or PokerRounds
            ``.cards``, ``.hold``, ``.final``, ``.category`` and ``.pay`` in bets; arrays for many rounds.

        Raises
        ------
        ValueError
            When a single round needs more cards than are given.

        Examples
        --------
        >>> game = pf.cards.VideoPoker()
        >>> game.settle("J♣ 5♥ 8♣ A♣ 2♣ 3♦ 5♦ J♦ 9♥ 6♣", hold=[1, 4]).category
        'jacks or better'
        """
        jokers = self.paytable.jokers
        dealt, many = hands_of(cards, "cards", 10, jokers)
        check_different(dealt, many, jokers)
        threads = threads_of(threads)
        if many:
            return settle(self.paytable, dealt, hold, threads)
        return settle_one(self.paytable, dealt[0], hold)

    def with_jackpot(self, royal_flush: float | Rational) -> VideoPoker:
        """Return the game with another pay of a royal flush, as a progressive jackpot reaches it.

        Parameters
        ----------
        royal_flush : number
            The jackpot: what a royal flush without wild cards pays, in bets.

        Returns
        -------
        VideoPoker
            The game; its `analyze` is that of the best play at this jackpot.

        Examples
        --------
        >>> game = pf.cards.VideoPoker("jacks_or_better_8_5")
        >>> round(game.with_jackpot(1600).analyze().rtp, 6)
        0.995917
        """
        return VideoPoker(self.paytable.with_royal_flush(royal_flush))

    def break_even(self, *, exact: bool = False) -> float | Fraction:
        """Return the jackpot on a royal flush at which the best play returns the bet.

        Parameters
        ----------
        exact : bool
            Whether to return a fraction.

        Returns
        -------
        float or Fraction
            In bets. The best play changes with the jackpot; it is that of the jackpot that is returned.

        Raises
        ------
        ValueError
            When the game returns the bet even without a royal flush's pay.

        Examples
        --------
        >>> round(pf.cards.VideoPoker("jacks_or_better_8_5").break_even(), 2)
        1733.14
        """
        # The return is convex in the jackpot: Newton's method, rounded to hundredths of a bet, which are too
        # small to change the best play.
        jackpot = Fraction(1000)
        while True:
            analysis = self.with_jackpot(jackpot).analyze()
            royals = next(row.combinations for row in analysis.rows if row.hand == "royal flush")
            found = jackpot + (1 - analysis.exact_rtp) * analysis.total / royals
            if found < 0:
                raise BadValue("paytable", "must return less than the bet without a royal flush")
            if abs(found - jackpot) < Fraction(1, 100):
                return found if exact else float(found)
            jackpot = Fraction(round(found * 100), 100)

    def find_rules(self, most: int = 25) -> PokerRules:
        """Find a short list of rules that plays almost as well as possible.

        From a list of all rules in words, those that matter least are left out. Then rules are moved or
        replaced one by one, until no such change gains anything. The result is the same every time. It takes
        about ten seconds, with wild cards twenty.

        Parameters
        ----------
        most : int
            The largest number of rules, 1 to 60.

        Returns
        -------
        PokerRules
            The rules, which `analyze` and `bet` take as a strategy, with their cost.

        Examples
        --------
        >>> rules = pf.cards.VideoPoker("jacks_or_better_9_6").find_rules(25)  # doctest: +SKIP
        >>> round(rules.cost, 6)  # doctest: +SKIP
        2.5e-05
        """
        from .rule_list import find_rules

        return find_rules(self.paytable, integer("most", most, 1, 60))

    def analyze(self, strategy: HoldStrategy | None = None, *, mistakes: int = 10) -> Analysis:
        """Return the exact return over all deals and draws: of optimal play, or of another strategy.

        Parameters
        ----------
        strategy : callable, or sequence of str and callables, optional
            A function that is given a `Hand` of five cards in rising order and returns what to hold, as
            `settle` takes it. It is asked about one of each 4, 12 or 24 deals that differ by an exchange
            of suits, so it must not prefer a suit. Or rules in order, of which the first that fits is
            played: functions that return None if they don't fit, and texts: "royal flush",
            "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind",
            "two pair", "high pair", "low pair", "pair", "4 to a royal flush", "3 to a straight flush",
            "4 to a flush", "4 to a straight", "4 to an outside straight" (part of two straights),
            "4 to an inside straight" (part of one), all with any number from 1 to 4, and if wanted
            "... in 2 ways" (part of at least two straights) and "... with 2 high cards" (at least); "2 suited
            high cards", "1 high card", "straight or better", "nothing". If a rule fits several ways, the
            higher ranks are held. If no rule fits, nothing is held. If royal flushes in sequence pay more,
            hands are given, and mistakes counted, as if their cards might lie in any order.
        mistakes : int
            The number of a strategy's costliest mistakes to list.

        Returns
        -------
        Analysis
            ``.rows`` (``.hand``, ``.pays``, ``.combinations``, ``.probability``, ``.contribution``),
            ``.total``, ``.rtp``, ``.house_edge``, ``.variance``, ``.hit_frequency``; for a strategy
            also ``.optimal`` and ``.mistakes``.

        Examples
        --------
        >>> game = pf.cards.VideoPoker("jacks_or_better")
        >>> print(game.analyze())
        hand             pays       combinations  probability    return
        royal flush       500         34,706,466     0.000021  0.010447
        straight flush     75        184,178,161     0.000111  0.008316
        four of a kind     20      3,924,486,891     0.002363  0.047252
        full house          9     19,115,939,799     0.011508  0.103572
        flush               6     19,427,500,088     0.011696  0.070173
        straight            4     18,354,238,557     0.011049  0.044198
        three of a kind     3    123,573,760,275     0.074393  0.223178
        two pair            2    214,462,314,819     0.129108  0.258217
        jacks or better     1    356,047,418,052     0.214344  0.214344
        nothing             0    905,977,999,992     0.545408  0.000000
        total                  1,661,102,543,100     1.000000  0.979696
        <BLANKLINE>
        return 0.979696, house edge 0.020304, variance ...
        >>> simple = ["four of a kind", "full house", "flush", "straight", "three of a kind", "two pair",
        ...           "high pair", "4 to a flush", "low pair", "4 to an outside straight", "2 high cards",
        ...           "1 high card"]
        >>> game.analyze(simple).cost
        0.01141...
        """
        return analyze(self.paytable, strategy, integer("mistakes", mistakes, 0))

    # The interface of deals

    @property
    def jokers(self) -> int:  # type: ignore[override]
        """The number of jokers in the deck."""
        return self.paytable.jokers

    def at(self, pack: Pack, deal: str) -> VideoPoker:
        """Return the table; a paytable with jokers is refused if the deck has none."""
        if self.paytable.jokers != pack.jokers:
            problem = f"must have no jokers at {deal}, whose deck has none, got {self!r:.80}"
            raise BadValue("table", problem)
        return self

    def player(self, strategy: Any, chosen: Any) -> _Player:
        """Return the player, who makes the best holds, those of a strategy, or those that were chosen."""
        if strategy is None:
            return _Player(hold=chosen)
        if chosen is not None:
            raise BadType("strategy", "isn't supported with a hold")
        if isinstance(strategy, str) and strategy == "optimal":
            return _Player()
        if isinstance(strategy, str):
            raise BadValue("strategy", f'must be "optimal", rules or a function, got {strategy!r}')
        try:
            rules = strategy if callable(strategy) else tuple(strategy)
        except TypeError:
            got = type(strategy).__name__
            raise BadType("strategy", f'must be "optimal", rules or a function, got {got}') from None
        # All pieces of a call have the same holds, whatever the strategy reads.
        return _Player(rules, holds=cache(partial(_holds, self.paytable, rules)))

    def by_round(self, player: Any, rounds: int) -> Callable[[int, int], Any]:
        if not by_row(player.hold):
            return lambda *_: player
        holds = rows_of(player.hold, rounds)
        return lambda first, count: _Player(hold=holds[first : first + count])

    def steps(self, player: Any) -> tuple[int, ...]:
        return (self.most,)

    def play(self, cards: DealtRounds, player: Any) -> PokerRounds:
        dealt = self._dealt(cards)
        played = settle(self.paytable, dealt, self._hold(dealt, player), 1)
        return played if cards.pack.is_plain else played.numbered(cards.pack)

    def _dealt(self, cards: DealtRounds) -> np.ndarray:
        return cards.pack.cards(cards.take(self.most))

    def settled(self, cards: np.ndarray, player: Any) -> PokerRound:
        return settle_one(self.paytable, cards, self._hold(cards[np.newaxis], player))

    def _hold(self, cards: np.ndarray, player: Any) -> Any:
        """Return a player's holds of rounds; None for the best ones."""
        return player.hold if player.holds is None else player.holds().of(cards[:, :5])

    def in_engine(self, player: Any) -> bool:
        return True

    def joined(self, parts: Iterable[PokerRounds], rounds: int) -> PokerRounds:
        return joined(parts, rounds)

    def tally(self, cards: DealtRounds, player: Any) -> PokerTally:
        """Return the counts of hands by the rows of the paytable."""
        dealt = self._dealt(cards)
        if player.strategy is not None or by_row(player.hold):
            rows = settle(self.paytable, dealt, self._hold(dealt, player), 1).row
            counts = bincount(rows[rows >= 0], minlength=len(self.paytable.rows))
        else:
            mask = None if player.hold is None else hold_bits(player.hold)
            counts = engine_of(self.paytable).tally(dealt.ravel(), hold=mask, threads=1)
        hands, pays = zip(*self.paytable.rows, strict=True)
        return PokerTally(
            np.array(hands, dtype=object),
            counts.astype(np.int64),
            len(dealt),
            np.array([float(pay) for pay in pays]),
        )

    def law(self, player: Any) -> tuple[Distribution | None, int]:
        """Return the law of pays, and the number of units in a bet."""
        if player.hold is not None:
            raise BadType("hold", "isn't supported in a bet: give it a strategy")
        rows = analyze(self.paytable, player.strategy, 0).rows
        found = Distribution([row.pays for row in rows], [row.combinations for row in rows])
        return found, self._units()[1]

    def returns(self, cards: DealtRounds, player: Any) -> np.ndarray:
        """Return the pays in units; a round whose cards ran out returns the stake."""
        paid: np.ndarray = self._units()[0][self.play(cards, player).row][:, np.newaxis]
        return paid

    def _units(self) -> tuple[np.ndarray, int]:
        """Return the pay of each row in units, with the stake last, and the number of units in a bet."""
        from provably_fair.bets.returns import table_of

        return table_of([*(pay for _, pay in self.paytable.rows), 1], "paytable")

    def told(self, cards: np.ndarray, chosen: Any) -> tuple[PokerRound, Sequence[str], list[tuple[str, str]]]:
        played = self.settled(cards, self.player(None, chosen))
        results = [("hand", str(played.hand)), ("hold", str(played.held) or "nothing")]
        drawn = 5 - len(played.held)
        if drawn:
            results.append(("drawn", str(hand_of(cards[5 : 5 + drawn], self.paytable.jokers))))
        results += [("final hand", str(played.final)), ("result", f"{played.category}, pays {played.pay}")]
        values = np.asarray(self.hold_values(played.hand))
        best = self.best_hold(played.hand)
        held_value, best_value = values[hold_bits(played.hold)], values[hold_bits(best)]
        results.append(("worth of the hold", f"{held_value:.6f} bets"))
        if best_value > held_value:
            best_cards = hand_of(np.asarray(played.hand)[best], self.paytable.jokers)
            results.append(("best hold", f"{best_cards or 'nothing'}, worth {best_value:.6f} bets"))
        return played, _ROLES, results

    def names(self, cards: np.ndarray) -> tuple[str, ...]:
        return tuple(card_names(cards.tolist(), self.paytable.jokers))

    def random_shoes(self, pack: Pack, seed: int | str, start: int, rounds: int) -> Any:
        """Refuse shoes, which video poker doesn't have."""
        raise BadType("shoes", "isn't supported with video poker")

    def engine(self) -> tuple[Any, int]:
        return engine_of(self.paytable), unit_of(self.paytable)

    def numbered(self, settled: PokerRound, numbers: np.ndarray) -> PokerRound:
        by_card = dict(zip(settled.cards, numbers.tolist(), strict=True))
        cards, final = (
            DealtHand(map(by_card.__getitem__, hand), hand) for hand in (settled.cards, settled.final)
        )
        return replace(settled, cards=cards, final=final)

    def possible(self) -> list[int]:
        return sorted({int(pay * unit_of(self.paytable)) for _, pay in self.paytable.rows})

    def shared(self) -> set[Fraction]:
        """Return the shares of all bets that a round may return: there is one bet."""
        return set()


class _Player(NamedTuple):
    """A strategy of holds, or one hold for all rounds or each; the best holds without either."""

    strategy: tuple[Any, ...] | HoldStrategy | None = None
    hold: Any = None
    holds: Callable[[], Holds] | None = None


@while_read_alike(lambda paytable, strategy: Reads(None, strategy), 8)  # noqa: ARG005
def _holds(paytable: Paytable, strategy: Any) -> Holds:
    """Return the holds of a strategy, found once for as long as it reads the same."""
    return Holds(paytable, strategy_holds(paytable, strategy))
