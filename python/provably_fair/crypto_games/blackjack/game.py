"""Blackjack dealt from a shoe of four decks: cards, rounds, and what they are worth."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import Text, Texts, encoded, integer, rectangular, threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._engine import Blackjack as EngineBlackjack
from provably_fair.cards import Hand, numbers
from provably_fair.distribution.sequences import FairnessMaterial, shuffle_material
from provably_fair.distribution.tally import Tally
from provably_fair.seeds.series import seed_text

from ..deal import deal, need_seeds, series_of
from ..explanation import Explanation, walk
from ..video_poker.paytable import as_printed
from .analysis import BlackjackAnalysis, RuleValue, RuleValues, analysis_of, label_of
from .charts import Chart, Decision, decision_of

__all__ = ["Blackjack", "BlackjackHand", "BlackjackRound", "BlackjackTally", "Rules"]

_DECK = "blackjack"
# One card for each byte at most.
_MOST_CARDS = 64
# Four decks.
_SHOE = 208

Strategy = Callable[[Decision], str]
"""A function from what the player sees to "hit", "stand", "double", "split" or "surrender"."""

_WORDS = ("soft_17", "hole_card", "double", "split_aces", "ten_ace_after_split", "surrender")
_SWITCHES = ("double_after_split", "resplit_aces")


@dataclass(frozen=True)
class Rules:
    """The rules of a table; those of the document by default.

    Ten-value cards are one rank: any two of them are a pair. There is no insurance. A hand of 21 stands
    by itself. Only the first two cards can be surrendered.

    Parameters
    ----------
    decks : int or None
        Decks in the shoe, 1 to 8, shuffled before every round; None for infinitely many. Cards can be
        dealt from a hash for four decks only.
    soft_17 : {"hit", "stand"}
        What the dealer does with a total of 17 in which an ace counts eleven.
    hole_card : {"all_bets", "peek", "original_bet"}
        What a dealer's blackjack takes. "peek": the dealer looks before the player acts, so only the
        first bet. "all_bets": it shows at the end, and takes doubled and split bets too.
        "original_bet": it shows at the end, but takes one bet in all, as if he had looked.
    blackjack_pays : Fraction, int, float or str
        What a blackjack wins for each bet: Fraction(6, 5), 1.5, "3/2". Floats count as the decimals
        they print as. Numerator and denominator are at most 1000.
    double : {"any", "9-11", "10-11", "none"}
        Which two cards can be doubled: any, or those of a hard total in this range.
    double_after_split : bool
        Whether hands made by a split can be doubled.
    split_hands : int
        The most hands one deal can become by splitting, 1 to 4.
    split_aces : {"hit_and_double", "hit", "one_card"}
        What can be done with split aces. They can be doubled only if split hands can.
    resplit_aces : bool
        Whether aces that were split can be split again.
    ten_ace_after_split : {"blackjack", "21"}
        What a ten and an ace are after a split: a blackjack, which is paid as one and pushes against
        the dealer's, or an ordinary 21.
    surrender : {"early", "late", "none"}
        Whether the first two cards can be given up for half of the bet: before a dealer's blackjack
        matters, or only where there is none. Late surrender without a peek loses the whole bet to one.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.crypto_games.Rules(surrender="none").decks
    4
    """

    decks: int | None = 4
    soft_17: str = "hit"
    hole_card: str = "all_bets"
    blackjack_pays: Fraction = Fraction(6, 5)
    double: str = "any"
    double_after_split: bool = True
    split_hands: int = 2
    split_aces: str = "hit_and_double"
    resplit_aces: bool = False
    ten_ace_after_split: str = "blackjack"
    surrender: str = "early"

    def __post_init__(self) -> None:
        object.__setattr__(self, "decks", None if self.decks is None else integer("decks", self.decks))
        object.__setattr__(self, "split_hands", integer("split_hands", self.split_hands))
        object.__setattr__(self, "blackjack_pays", _pays(self.blackjack_pays))
        for name in _WORDS:
            value = getattr(self, name)
            if not isinstance(value, str):
                raise TypeError(f"{name} must be str, got {type(value).__name__}")
            encoded(name, value)
            object.__setattr__(self, name, str(value))
        for name in _SWITCHES:
            value = getattr(self, name)
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"{name} must be bool, got {type(value).__name__}")
            object.__setattr__(self, name, bool(value))
        _compiled(self)  # refuses what the engine doesn't play

    def __str__(self) -> str:
        return ", ".join(f"{field.name}={_shown(getattr(self, field.name))}" for field in fields(self))


@dataclass(frozen=True)
class BlackjackHand:
    """One of the player's hands, settled.

    Attributes
    ----------
    cards : Hand
        Its cards, in the order they came.
    total : int
        Their total.
    soft : bool
        Whether an ace counts eleven in it.
    split : bool
        Whether the hand was made by a split.
    bets : int
        How many bets lay on it: 2 if it was doubled.
    outcome : str
        "blackjack", "win", "push", "loss", "bust", "surrender", or "returned" (a dealer's blackjack
        took its one bet from another hand).
    net_exact : Fraction
        What it won, in bets.
    """

    cards: Hand
    total: int
    soft: bool
    split: bool
    bets: int
    outcome: str
    net_exact: Fraction

    @property
    def net(self) -> float:
        """What it won, in bets."""
        return float(self.net_exact)

    def __str__(self) -> str:
        doubled = ", doubled" if self.bets > 1 else ""
        return f"{self.cards} ({_total(self.total, self.soft)}{doubled}): {self.outcome}, {_net(self.net)}"


@dataclass(frozen=True)
class BlackjackRound:
    """A round of blackjack, settled.

    Attributes
    ----------
    hands : tuple of BlackjackHand
        The player's hands, from the left; one unless it was split.
    dealer : Hand
        The dealer's cards: upcard, hole card, and those he drew.
    dealer_total : int
        Their total; below 17 if there was nothing left to draw for.
    dealer_soft : bool
        Whether an ace counts eleven in it.
    actions : tuple of str
        What the player did, in order.
    cards : Hand
        All cards dealt, in order: player, player, upcard, hole card, then as needed.
    """

    hands: tuple[BlackjackHand, ...]
    dealer: Hand
    dealer_total: int
    dealer_soft: bool
    actions: tuple[str, ...]
    cards: Hand

    @property
    def net_exact(self) -> Fraction:
        """What the player won in all, in bets."""
        return sum((hand.net_exact for hand in self.hands), Fraction(0))

    @property
    def net(self) -> float:
        """What the player won in all, in bets."""
        return float(self.net_exact)

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer had a blackjack."""
        return len(self.dealer) == 2 and self.dealer_total == 21

    @property
    def dealer_outcome(self) -> str:
        """The dealer's result: "17", ..., "21", "bust", "blackjack"."""
        if self.dealer_blackjack:
            return "blackjack"
        return "bust" if self.dealer_total > 21 else str(self.dealer_total)

    def _rows(self) -> list[tuple[str, str]]:
        many = len(self.hands) > 1
        rows = [(f"hand {i}" if many else "player", str(hand)) for i, hand in enumerate(self.hands, 1)]
        dealer = f"{self.dealer} ({_total(self.dealer_total, self.dealer_soft)})"
        rows.append(("dealer", dealer + (", blackjack" if self.dealer_blackjack else "")))
        if self.actions:
            rows.append(("actions", ", ".join(self.actions)))
        rows.append(("net", _net(self.net)))
        return rows

    def __str__(self) -> str:
        return "\n".join(f"{label:<8} {text}" for label, text in self._rows())

    def _repr_html_(self) -> str:
        dealer = html.escape(_total(self.dealer_total, self.dealer_soft))
        cells = {"dealer": f"{self.dealer._repr_html_()} {dealer}"}
        many = len(self.hands) > 1
        for i, hand in enumerate(self.hands, 1):
            label = f"hand {i}" if many else "player"
            doubled = ", doubled" if hand.bets > 1 else ""
            text = f"{_total(hand.total, hand.soft)}{doubled}: {hand.outcome}, {_net(hand.net)}"
            cells[label] = f"{hand.cards._repr_html_()} {html.escape(text)}"
        rows = (
            f'<tr><th style="text-align:left">{label}</th>'
            f'<td style="text-align:left">{cells.get(label) or html.escape(text)}</td></tr>'
            for label, text in self._rows()
        )
        return f"<table>{''.join(rows)}</table>"


@dataclass(frozen=True, eq=False)
class BlackjackTally(Tally):
    """How often each result came up in a simulation.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The results that came up, in bets, float64, in increasing order.
    counts : numpy.ndarray
        Their counts, int64.
    rounds : int
        The number of rounds, those that ran out of cards among them.
    exhausted : int
        How many rounds needed more cards than their hash has. They are in no count.
    nets : mapping of Fraction to int
        The counts by the exact result.

    Examples
    --------
    >>> import provably_fair as pf
    >>> tally = pf.crypto_games.Blackjack().simulate(1000)
    >>> tally.rounds, int(tally.counts.sum()) + tally.exhausted
    (1000, 1000)
    """

    exhausted: int = 0
    nets: Mapping[Fraction, int] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BlackjackTally):
            return NotImplemented
        return (self.rounds, self.exhausted, self.nets) == (other.rounds, other.exhausted, other.nets)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Tally) -> BlackjackTally:
        """Join two tallies."""
        if not isinstance(other, BlackjackTally):
            return NotImplemented
        nets = {net: self.nets.get(net, 0) + other.nets.get(net, 0) for net in {*self.nets, *other.nets}}
        return _tally(nets, self.rounds + other.rounds, self.exhausted + other.exhausted)

    def __reduce__(self) -> tuple[Any, ...]:
        return _tally, (dict(self.nets), self.rounds, self.exhausted)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in bets; NaN for less than two rounds."""
        played = int(self.counts.sum())
        return float(self.std()) / math.sqrt(played - 1) if played > 1 else math.nan

    @property
    def house_edge(self) -> float:
        """What the player lost on average, as a fraction of the bet."""
        return -float(self.mean())

    def __str__(self) -> str:
        played = int(self.counts.sum())
        lines = [
            f"{self.rounds:,} rounds: house edge {self.house_edge:.4%} +- {self.standard_error:.4%}, "
            f"std {self.std():.4f} bets"
        ]
        if self.exhausted:
            lines.append(f"{self.exhausted:,} rounds ran out of cards and are left out")
        for net, count in zip(self.outcomes, self.counts, strict=True):
            lines.append(f"{net:+8.3f}  {count:>15,}  {count / played:.6f}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Blackjack:
    """Blackjack dealt from one SHA-512 of the seeds.

    The bytes of the hash from 0 to 207 are cards, each the first time it comes; the first four go to
    the player, the player, the dealer's upcard and his hole card, the others are dealt as needed: to the
    player's hands from left to right (a split hand gets its second card when its turn comes), then
    to the dealer.

    Parameters
    ----------
    rules : Rules
        The rules of the table; the document's by default.

    Examples
    --------
    >>> import provably_fair as pf
    >>> game = pf.crypto_games.Blackjack()
    >>> played = game.replay("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", ["double"])
    >>> print(played)
    player   5♣ 6♦ 3♠ (14, doubled): loss, -2 bets
    dealer   3♣ 5♣ K♦ (18)
    actions  double
    net      -2 bets
    """

    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise TypeError(f"rules must be Rules, got {type(self.rules).__name__}")

    @property
    def _core(self) -> EngineBlackjack:
        return _compiled(self.rules)

    def shoe(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        *,
        cards: int = 20,
        nonce: Texts = "",
        hash: Texts | None = None,
        dtype: DTypeLike | None = np.int64,
        threads: int | None = None,
    ) -> np.ndarray:
        """Return the first cards of one shoe, or of many.

        Parameters
        ----------
        server_seed, client_seed : str, bytes, or array-like of them
            One text for all rounds, or N of them. Not needed with `hash`.
        cards : int
            How many cards, 1 to 208. A hash has 64 bytes, and so at most that many cards; about 45 is
            usual.
        nonce : str, bytes, or array-like of them
            What is written after the client seed, if anything.
        hash : str, bytes, or array-like of them, optional
            A SHA-512 of 128 hexadecimal characters to be read instead of the seeds'.
        dtype : dtype
            int64, or a smaller type: int16, int32.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            Shape (cards,) for single texts, else (N, cards): 0 to 207; -1 where the hash ran out.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or isn't what it should be, or the rules have another number of
            decks than four.

        Examples
        --------
        >>> import provably_fair as pf
        >>> shoe = pf.crypto_games.Blackjack().shoe(
        ...     "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", cards=6
        ... )
        >>> shoe
        array([ 43, 135, 197, 199,  54, 142])
        >>> print(pf.cards.Hand(shoe))
        5♣ 6♦ 3♣ 5♣ 3♠ K♦
        """
        self._core.check_hashed()
        cards = integer("cards", cards, 1, _SHOE)
        return deal(_DECK, cards, server_seed, client_seed, nonce, hash, dtype, threads)

    def replay(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        actions: Sequence[str] | Strategy | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
    ) -> BlackjackRound:
        """Play a round from its seeds and settle it.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round, as of `shoe`.
        actions : sequence of str, or callable
            What the player did: "hit", "stand", "double", "split", "surrender", hand by hand from the
            left. A hand that can only stand, such as one of 21, does so by itself; a "stand" for it may be
            written or left out. Or a strategy: a function of a `Decision`, such as a `Chart` or an
            analysis.

        Returns
        -------
        BlackjackRound
            The settled hands; ``.net`` is what was won in all, in bets.

        Raises
        ------
        ValueError
            When an action is illegal, missing (both errors list the legal ones) or too many; when the
            hash runs out of cards.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.Blackjack()
        >>> game.replay("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", ["double"]).net
        -2.0
        >>> game.replay("server", "client", game.analyze("basic").chart).actions
        ('stand',)
        """
        self._core.check_hashed()
        need_seeds(server_seed, client_seed, hash)
        cards = self._shoe(server_seed, client_seed, nonce, hash)
        return self._play("the hash", cards, actions)

    def play(
        self, cards: Sequence[int | str] | str, actions: Sequence[str] | Strategy | None = None
    ) -> BlackjackRound:
        """Play a round with given cards and settle it.

        Parameters
        ----------
        cards : sequence of int or str, or str
            The cards as they are dealt, as numbers or names: player, player, upcard, hole card, then as
            needed. There may be more than the round needs.
        actions : sequence of str, or callable
            As of `replay`.

        Returns
        -------
        BlackjackRound
            The settled hands.

        Raises
        ------
        ValueError
            As of `replay`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> print(pf.crypto_games.Blackjack().play("8c 8d 6s 10h 3c 10s Kd 5h", ["split", "double", "stand"]))
        hand 1   8♣ 3♣ 10♠ (21, doubled): push, 0 bets
        hand 2   8♦ K♦ (18): loss, -1 bet
        dealer   6♠ 10♥ 5♥ (21)
        actions  split, double, stand
        net      -1 bet
        """
        hand = Hand.of_numbers(numbers("cards", cards))
        if -1 in hand:
            raise ValueError(f"cards must be cards, got -1 at index {hand.index(-1)}")
        return self._play("cards", list(hand), actions)

    def _shoe(
        self, server_seed: Text | None, client_seed: Text | None, nonce: Text, hash: Text | None
    ) -> list[int]:
        cards = deal(_DECK, _MOST_CARDS, server_seed, client_seed, nonce, hash, np.int64, None)
        if cards.ndim != 1:
            raise TypeError(
                "server_seed, client_seed, nonce and hash must be single texts: one round at a time"
            )
        return cards[cards >= 0].tolist()

    def _play(
        self, argument: str, cards: list[int], actions: Sequence[str] | Strategy | None
    ) -> BlackjackRound:
        return self._played(argument, cards, actions)[0]

    def _played(
        self, argument: str, cards: list[int], actions: Sequence[str] | Strategy | None
    ) -> tuple[BlackjackRound, list[int | None]]:
        """Play a round; return it and whose each card was: the number of a hand, None for the dealer's."""
        if callable(actions):
            strategy = actions
            played = self._core.play(argument, cards, lambda seen: strategy(decision_of(seen)))
        else:
            if isinstance(actions, str) or not isinstance(actions, (Sequence, np.ndarray)):
                got = repr(actions) if isinstance(actions, str) else type(actions).__name__
                raise TypeError(f"actions must be a sequence of str or a callable, got {got}")
            for index, action in enumerate(actions):
                if not isinstance(action, str):
                    raise TypeError(
                        f'actions[{index}] must be a str such as "hit", got {type(action).__name__}'
                    )
                encoded(f"actions[{index}]", action)
            played = self._core.replay(argument, cards, list(actions))
        settled = BlackjackRound(
            hands=tuple(
                BlackjackHand(
                    Hand.of_numbers(hand.cards.cards),
                    hand.cards.total,
                    hand.cards.soft,
                    hand.split,
                    hand.bets,
                    hand.outcome,
                    Fraction(hand.net, self._core.bet),
                )
                for hand in played.hands
            ),
            dealer=Hand.of_numbers(played.dealer.cards),
            dealer_total=played.dealer.total,
            dealer_soft=played.dealer.soft,
            actions=tuple(turn.action for turn in played.turns),
            cards=Hand(dealt.card for dealt in played.dealt),
        )
        return settled, [dealt.hand for dealt in played.dealt]

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        actions: Sequence[str] | Strategy | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
        commitment: Text | None = None,
        cards: int = 20,
    ) -> Explanation:
        """Show how a round came about, byte by byte.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round, as of `shoe`.
        actions : sequence of str, or callable, optional
            What the player did, as of `replay`. Without it only the shoe is explained.
        commitment : str or bytes, optional
            The SHA-256 of the server seed that was published before the round, to be checked.
        cards : int
            How many cards of the shoe to show where no actions are given; else those that were dealt are.

        Returns
        -------
        Explanation
            Prints as text, and as tables in a notebook; ``.steps``, ``.to_dict()``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> explanation = pf.crypto_games.Blackjack().explain(
        ...     "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ",
        ...     "5v5b85n85vb856nvbn5vbn",
        ...     ["double"],
        ...     commitment="581b31f8cd6e5d4bb510ac0e53a440af7baab92f8f1f220eff14e20201e0b1f6",
        ... )
        >>> explanation.committed
        True
        >>> explanation.steps[2].characters, explanation.steps[2].decimal, explanation.steps[2].name
        ('fb', 251, 'out of range')
        >>> [step.role for step in explanation.steps if step.card is not None]
        ['player', 'player', 'dealer, upcard', 'dealer, hole card', 'player', 'dealer']
        """
        self._core.check_hashed()
        need_seeds(server_seed, client_seed, hash)
        wanted = integer("cards", cards, 1, _SHOE)
        roles = ["player", "player", "dealer, upcard", "dealer, hole card"]
        results: list[tuple[str, str]] = []
        shoe = self._shoe(server_seed, client_seed, nonce, hash)
        if actions is not None:
            played, seats = self._played("the hash", shoe, actions)
            wanted = len(played.cards)
            many = len(played.hands) > 1
            roles += [
                "dealer" if s is None else f"player, hand {s + 1}" if many else "player" for s in seats[4:]
            ]
            results = played._rows()
        elif len(shoe) >= 4:
            results = [
                ("player", str(Hand(shoe[:2]))),
                ("dealer", f"{Hand(shoe[2:3])}, and {Hand(shoe[3:4])} in the hole"),
            ]
        if len(shoe) >= 4:
            results += self._advice(Hand(shoe[:2]), shoe[2])
        dealt = walk(
            _DECK,
            wanted,
            server_seed,
            client_seed,
            nonce=nonce,
            hash=hash,
            commitment=commitment,
            roles=roles,
        )
        return Explanation(
            "Crypto.Games blackjack", dealt.facts, dealt.steps, tuple(results), dealt.committed, "0 to 207"
        )

    def _advice(self, hand: Hand, upcard: int) -> list[tuple[str, str]]:
        analysis = self.analyze()
        label, against = label_of(hand), label_of(Hand([upcard]))
        values = analysis.values[label, against]
        if not values:
            return []
        best = sorted(values.items(), key=lambda item: -item[1])
        return [("best first action", ", ".join(f"{action} {value:+.4f}" for action, value in best))]

    def fairness_material(self, data: Any) -> FairnessMaterial:
        """Return cards as sequences of independent values whose laws are known, for `fairness_report`.

        Parameters
        ----------
        data : array-like of int, shape (N, cards)
            Shoes, as `shoe` returns them.

        Returns
        -------
        FairnessMaterial
            The draws behind the cards, what tells two rounds apart, and the shuffles.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.Blackjack()
        >>> material = game.fairness_material(game.shoe("server", ["1", "2"], cards=8))
        >>> material.sequences[0].name, len(material.columns)
        ('first of 8', 8)
        """
        return shuffle_material(rectangular("data", data), _SHOE, self, None)

    def analyze(self, strategy: str | Chart = "optimal") -> BlackjackAnalysis:
        """Return the exact worth of a strategy.

        Parameters
        ----------
        strategy : {"optimal", "basic"} or Chart
            "optimal" looks at all cards of the hand, the pair it was split from, and the upcard;
            "basic" is the best chart that looks at totals, pairs and the upcard; or a chart.

        Returns
        -------
        BlackjackAnalysis
            ``.house_edge``, ``.std``, ``.values``, ``.chart``; prints as text, in colour in a notebook.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.Blackjack()
        >>> optimal, basic = game.analyze(), game.analyze("basic")
        >>> print(f"{optimal.house_edge:.4%} {basic.house_edge:.4%}")
        1.0814% 1.0827%
        >>> basic.chart.rows["hard 11"]["3"], basic.chart.rows["pair A"]["6"]
        ('DH', 'P')
        """
        if isinstance(strategy, Chart):
            return _analysed(self.rules, "chart", strategy)
        return _analysed(self.rules, _strategy_word(strategy), None)

    def simulate(
        self,
        rounds: int,
        *,
        strategy: str | Chart | BlackjackAnalysis = "basic",
        seed: int | str = 0,
        shoes: str = "hashed",
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> BlackjackTally:
        """Play many rounds by a strategy and count the results, in memory that doesn't grow with them.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        strategy : {"basic", "optimal"}, Chart or BlackjackAnalysis
            Who plays, as of `analyze`; an analysis plays as it was made, whatever rules it was for.
        seed : int or str
            The name of the series.
        shoes : {"hashed", "random"}
            "hashed" deals round i from the hash of the seeds and the nonce ``str(start + i)``, as
            `replay` does. A round that needs more cards than its hash has is counted as exhausted and
            in nothing else. "random" deals from a random number generator, SplitMix64, which starts
            round ``start + i`` at a place of its own and never runs out; it takes any number of decks.
        start : int
            The number of the first round.
        server_seed, client_seed : str or bytes, optional
            For hashed shoes; by default the SHA-256 of ``f"{seed}:server"`` and ``f"{seed}:client"`` in
            hexadecimal.
        threads : int, optional
            The most threads to use; as many as the machine has by default.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.

        Returns
        -------
        BlackjackTally
            Counts of the results; ``.mean()``, ``.standard_error``, ``.house_edge``. The same on every
            machine, with any number of threads, and in any division into pieces by `start`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> tally = pf.crypto_games.Blackjack().simulate(10_000)
        >>> print(f"{tally.mean():.2f} +- {tally.standard_error:.2f}")
        -0.01 +- 0.01
        >>> tally == pf.crypto_games.Blackjack().simulate(10_000, threads=1)
        True
        """
        if shoes not in ("hashed", "random"):
            raise ValueError(f'shoes must be "hashed" or "random", got {shoes!r}')
        if not isinstance(strategy, BlackjackAnalysis):
            strategy = self.analyze(strategy)
        given = (server_seed, client_seed)
        server_seed, client_seed, series = series_of(rounds, seed, start, server_seed, client_seed)
        hashed = shoes == "hashed"
        if hashed:
            self._core.check_hashed()
        elif given != (None, None):
            raise ValueError("server_seed and client_seed must be left out: random shoes have no seeds")
        with ProgressBar(series[1], progress) as report:
            counted = self._core.simulate(
                strategy._core,
                server_seed if hashed else None,
                client_seed if hashed else None,
                seed_text(seed),
                series=series,
                threads=threads_of(threads),
                progress=report,
            )
        exact = (Fraction(net, self._core.bet) for net in counted.nets)
        return _tally(dict(zip(exact, counted.counts, strict=True)), series[1], counted.exhausted)

    def rule_values(self) -> RuleValues:
        """Return what each rule is worth, alone and together.

        They are compared with rules that are usual elsewhere: the same decks; the dealer stands on soft
        17 and looks for a blackjack; 3:2; any two cards can be doubled, after a split too; a pair makes
        two hands; split aces get one card; a ten and an ace are then 21; no surrender.

        Returns
        -------
        RuleValues
            A row for each rule that differs; prints as a table.

        Examples
        --------
        >>> import provably_fair as pf
        >>> values = pf.crypto_games.Blackjack().rule_values()
        >>> {row.rule: f"{row.last:+.4%}" for row in values.rows}["surrender=early"]
        '+0.7199%'
        """
        usual = replace(
            Rules(),
            decks=self.rules.decks,
            soft_17="stand",
            hole_card="peek",
            blackjack_pays=Fraction(3, 2),
            split_aces="one_card",
            ten_ace_after_split="21",
            surrender="none",
        )
        changed = [f.name for f in fields(Rules) if getattr(self.rules, f.name) != getattr(usual, f.name)]
        so_far, rows = usual, []
        for name in changed:
            rule = {name: getattr(self.rules, name)}
            so_far = replace(so_far, **rule)
            rows.append(
                RuleValue(
                    f"{name}={_shown(rule[name])}",
                    _worth(replace(usual, **rule)) - _worth(usual),
                    _worth(self.rules) - _worth(replace(self.rules, **{name: getattr(usual, name)})),
                    -_worth(so_far),
                )
            )
        return RuleValues(usual, -_worth(usual), tuple(rows), -_worth(self.rules), _notes(self.rules))


@lru_cache(maxsize=32)
def _compiled(rules: Rules) -> EngineBlackjack:
    """Return the engine's game; equal rules share one, with the strategies it works out."""
    pays = rules.blackjack_pays
    return EngineBlackjack(
        rules.decks,
        rules.soft_17,
        rules.hole_card,
        (pays.numerator, pays.denominator),
        rules.double,
        rules.double_after_split,
        rules.split_hands,
        rules.split_aces,
        rules.resplit_aces,
        rules.ten_ace_after_split,
        rules.surrender,
    )


@lru_cache(maxsize=32)
def _analysed(rules: Rules, strategy: str, chart: Chart | None) -> BlackjackAnalysis:
    core = _compiled(rules).analyze(strategy, None if chart is None else chart._for_engine())
    return analysis_of(rules, strategy, core)


def _worth(rules: Rules) -> float:
    return _analysed(rules, "optimal", None).value


def _notes(rules: Rules) -> tuple[str, ...]:
    """Say what early surrender and blackjacks after splits are worth, and what the document says."""
    if rules.surrender != "early" or rules.ten_ace_after_split != "blackjack":
        return ()
    neither = replace(rules, surrender="none", ten_ace_after_split="21")
    early = replace(rules, ten_ace_after_split="21")
    gains = {
        upcard.upcard: upcard.probability * (upcard.value - before.value)
        for upcard, before in zip(
            _analysed(early, "optimal", None).upcards,
            _analysed(neither, "optimal", None).upcards,
            strict=True,
        )
    }
    blackjack = replace(rules, surrender="none")
    notes = [
        f"Without early surrender and blackjacks after a split the house edge is {-_worth(neither):.4%}. "
        f"Early surrender alone is worth {_worth(early) - _worth(neither):.4%} ({gains['A']:.4%} against an "
        f"ace, {gains['10']:.4%} against a ten, {sum(gains.values()) - gains['A'] - gains['10']:.4%} against "
        f"other cards), blackjacks after a split alone {_worth(blackjack) - _worth(neither):.4%}, both "
        f"together {_worth(rules) - _worth(neither):.4%}: the house edge is {-_worth(rules):.4%}."
    ]
    if rules == Rules():
        notes.append(
            "The document takes 0.74 % for the two rules and comes to 1.17 %. It added figures from a list "
            "that was made for eight decks, a dealer who stands on soft 17, and one who looks for a "
            "blackjack before the player acts. Here he draws to soft 17 and his blackjack takes all bets, so "
            "an ace is more dangerous, and to escape it for half a bet is worth about 0.48 %, not 0.39 %."
        )
    return tuple(notes)


def _tally(nets: Mapping[Fraction, int], rounds: int, exhausted: int) -> BlackjackTally:
    ordered = {net: nets[net] for net in sorted(nets)}
    return BlackjackTally(
        np.array([float(net) for net in ordered]),
        np.array(list(ordered.values()), dtype=np.int64),
        rounds,
        exhausted,
        MappingProxyType(ordered),
    )


def _strategy_word(strategy: object) -> str:
    if not isinstance(strategy, str):
        raise TypeError(f'strategy must be "optimal", "basic" or a Chart, got {type(strategy).__name__}')
    if strategy not in ("optimal", "basic"):
        raise ValueError(f'strategy must be "optimal", "basic" or a Chart, got {strategy!r}')
    return str(strategy)


def _pays(value: object) -> Fraction:
    number = as_printed(value)
    if isinstance(number, bool) or not isinstance(number, (int, float, str, Rational)):
        raise TypeError(f"blackjack_pays must be a number, got {type(value).__name__}")
    try:
        return Fraction(number)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"blackjack_pays must be a fraction such as 6/5, got {value!r}") from None


def _shown(value: object) -> str:
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    return str(value)


def _total(total: int, soft: bool) -> str:
    return f"soft {total}" if soft else str(total)


def _net(net: float) -> str:
    return f"{net:+g} bet{'' if abs(net) == 1 else 's'}" if net else "0 bets"
