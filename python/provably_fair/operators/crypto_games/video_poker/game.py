"""The game of video poker: five cards, some held, the others drawn again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import BadType, BadValue, choice, integer, rectangular, threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._core.table import Sheet, known_frame, log_frame
from provably_fair._core.types import Text, Texts
from provably_fair._engine import deal_cards
from provably_fair.distribution.sequences import FairnessMaterial, shuffle_material
from provably_fair.walkthrough import Walkthrough

from ..deal import SeriesOptions, SeriesSeeds, deal, need_seeds, rounds_made, series_of
from ..explaining import read_hash, walkthrough_of
from .analysis import Analysis, HoldStrategy, analyze
from .holds import JOKER, Hold, check_different, hand_of, hands_of, has_rows, hold_bits
from .paytable import PAYTABLES, Paytable, deck_of, engine_of, paytable_of, unit_of
from .rounds import PokerRound, PokerRounds, settle, settle_one
from .tally import PokerTally

if TYPE_CHECKING:
    from provably_fair.bets import Bet

    from .rule_list import PokerRules

_ROLES = tuple(f"hand, card {i}" for i in range(1, 6)) + tuple(f"draw, card {i}" for i in range(6, 11))


@dataclass(frozen=True, repr=False)
class VideoPoker:
    """Crypto.Games video poker.

    The ten cards of a round are the first ten different cards that the SHA-512 of server seed, client
    seed and nonce, written one after the other, holds: of every byte the last two decimal digits, if
    they are 51 or less. Five are dealt; those not held are replaced, from left to right, by the sixth
    card and those after it. Pays are in bets (Crypto.Games bets 10 credits at a time).

    Parameters
    ----------
    paytable : str, Paytable or mapping
        A name of `PAYTABLES`, a paytable, or its arguments: ``{"full_house": 8, "flush": 5}``.
        "jacks_or_better", "tens_or_better" and "bonus_poker" are those of Crypto.Games. Those with wild
        cards are dealt in the same way; jokers, which Crypto.Games doesn't have, are the numbers 52 and 53.

    Examples
    --------
    >>> import provably_fair as pf
    >>> game = pf.operators.crypto_games.VideoPoker("jacks_or_better")
    >>> server_seed = "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j"
    >>> print(game.play(server_seed, "bc7v9bn70d7n07sn", hold=[1, 4]))
    J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1
    >>> round(game.analyze().rtp, 6)
    0.979696
    """

    paytable: Paytable = PAYTABLES["jacks_or_better"]

    def __init__(self, paytable: str | Paytable | Mapping[str, object] = "jacks_or_better") -> None:
        object.__setattr__(self, "paytable", paytable_of(paytable))

    def __repr__(self) -> str:
        named = (name for name, paytable in PAYTABLES.items() if paytable == self.paytable)
        return f"VideoPoker({next(named, self.paytable)!r})"

    @property
    def name(self) -> str:
        """The name for the command; if the paytable has no name, the repr."""
        named = (name for name, paytable in PAYTABLES.items() if paytable == self.paytable)
        name = next(named, None)
        return "video-poker" if name == "jacks_or_better" else f"video-poker:{name}" if name else repr(self)

    def _repr_html_(self) -> str:
        return Sheet(f"{self!r:.60}: five cards, drawn once", ("hand", "pays"), self.paytable.rows).html()

    def deal(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        *,
        nonce: Texts = "",
        hash: Texts | None = None,
        dtype: DTypeLike | None = np.int64,
        threads: int | None = None,
    ) -> np.ndarray:
        """Return the ten cards of one round, or of many.

        Parameters
        ----------
        server_seed, client_seed : str, bytes, or array-like of them
            One text for all rounds, or N of them. Not needed with `hash`.
        nonce : str, bytes, or array-like of them
            The text after the client seed, if any.
        hash : str, bytes, or array-like of them, optional
            A SHA-512 of 128 hexadecimal characters to be read instead of the seeds'.
        dtype : dtype
            int64, or a smaller type: int8, int16, int32.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            Shape (10,) for single texts, else (N, 10): cards 0 to 51, the hand and then the draws; -1
            where the hash ran out.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or isn't what it should be.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> game.deal("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn")
        array([49, 17, 46, 39, 40, 28, 30, 36, 21, 44])
        >>> game.deal("server", ["client 1", "client 2"], dtype="int8").shape
        (2, 10)
        """
        return deal(deck_of(self.paytable), 10, server_seed, client_seed, nonce, hash, dtype, threads)

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
            of ``2**i`` over the held cards i = 0 to 4. NaN for rows where the hash ran out.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> values = game.hold_values("J♣ 5♥ 8♣ A♣ 2♣", exact=True)
        >>> values[1 + 4 + 8 + 16]
        Fraction(60, 47)
        """
        hands, many = hands_of(hand, jokers=self.paytable.jokers)
        engine, unit = engine_of(self.paytable), unit_of(self.paytable)
        if exact:
            if many:
                raise BadValue("hand", f"must be one hand of five cards for exact values, got {len(hands)}")
            return tuple(Fraction(sum.pays, sum.draws * unit) for sum in engine.hold_sums(hands[0]))
        values = engine.hold_values(hands.ravel(), many, unit, threads=threads_of(threads))
        return values if many else values[0]

    def best_hold(self, hand: ArrayLike | str, *, threads: int | None = None) -> np.ndarray:
        """Return which cards of a hand are best held.

        Among equally good holds, it is the one that holds the most cards; of those, the one
        with the higher ranks (the ace is the highest), compared from the top; then the one whose cards'
        suits have the higher cards in the hand; then the one further to the left.

        Parameters
        ----------
        hand : Hand, array-like of int, or str
            Five cards, (5,), or many hands, (N, 5). One hand may be a text: "J♣ 5♥ 8♣ A♣ 2♣".
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            (5,) or (N, 5) bool. Nothing is held in rows where the hash ran out.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.crypto_games.VideoPoker().best_hold("J♣ 5♥ 8♣ A♣ 2♣")
        array([ True, False,  True,  True,  True])
        """
        hands, many = hands_of(hand, jokers=self.paytable.jokers)
        holds = engine_of(self.paytable).best_holds(hands.ravel(), many, threads=threads_of(threads))
        return holds if many else holds[0]

    def play(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        hold: Hold | None = None,
        *,
        nonce: Texts = "",
        hash: Texts | None = None,
        threads: int | None = None,
    ) -> PokerRound | PokerRounds:
        """Play one round, or many.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash, threads
            See `deal`.
        hold : five bool, or positions, optional
            The cards to hold: five booleans, or positions 1 to 5 from the left, for all rounds; or an
            (N, 5) array or list of booleans. None holds what is best (`best_hold`).

        Returns
        -------
        PokerRound or PokerRounds
            ``.hand``, ``.hold``, ``.final``, ``.category`` and ``.pay`` in bets; arrays for many rounds.

        Raises
        ------
        ValueError
            When the hash of a single round runs out before a card that is needed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> round = game.play("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn")
        >>> round.held, round.category, round.pay
        (Hand('J♣ 8♣ A♣ 2♣'), 'nothing', 0)
        >>> game.play("server", ["client 1", "client 2", "client 3"]).pay
        array([1., 0., 0.])
        """
        cards = self.deal(server_seed, client_seed, nonce=nonce, hash=hash, threads=threads)
        if cards.ndim == 2:
            return settle(self.paytable, cards, hold, threads_of(threads))
        return settle_one(self.paytable, cards, hold)

    def settle(
        self, cards: ArrayLike | str, hold: Hold | None = None, *, threads: int | None = None
    ) -> PokerRound | PokerRounds:
        """Play with given cards: one round, or many.

        Parameters
        ----------
        cards : array-like of int, or str
            Ten cards, (10,), or many times ten, (N, 10): the hand, and those to draw from; -1 where there is
            none. Those of one round may be a text of names.
        hold : five bool, or positions, optional
            The held cards; see `play`.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        PokerRound or PokerRounds
            As `play` returns them.

        Raises
        ------
        ValueError
            When a single round needs more cards than are given.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
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

    def fairness_material(self, data: ArrayLike) -> FairnessMaterial:
        """Return cards as sequences of independent values with known laws, for `fairness_report`.

        Parameters
        ----------
        data : array-like of int, shape (N, cards)
            Cards, as `deal` returns them.

        Returns
        -------
        FairnessMaterial
            The draws behind the cards, what tells two rounds apart, and the shuffles.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> material = game.fairness_material(game.deal("server", ["1", "2"]))
        >>> material.sequences[0].name, len(material.columns)
        ('first of 10', 10)
        """
        return shuffle_material(rectangular("data", data), JOKER + self.paytable.jokers, self, None)

    def bet(
        self,
        payout: None = None,
        *,
        strategy: HoldStrategy | Literal["optimal"] | None = "optimal",
        law: str = "best",
    ) -> Bet:
        """Return a bet of 1 on a hand.

        Parameters
        ----------
        payout : None
            The paytable says what is paid.
        strategy : "optimal", callable, or sequence of str and callables
            The strategy: "optimal", or as in `analyze`, including rules in words.
        law : str
            "as_drawn", "ideal" or "best": cards are drawn without any bias, so that all are one.

        Returns
        -------
        Bet
            Its law, its return, and rounds of it. A round whose hash runs out gives the stake back.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.operators.crypto_games.VideoPoker("jacks_or_better").bet()
        >>> round(bet.rtp, 6), bet.simulate(3).shape
        (0.979696, (3,))
        >>> simple = ["four of a kind", "full house", "three of a kind", "two pair", "high pair", "low pair"]
        >>> round(pf.operators.crypto_games.VideoPoker().bet(strategy=simple).rtp, 6)
        0.830359
        """
        if payout is not None:
            raise BadType("payout", "isn't supported with video poker: the paytable has the payouts")
        choice("law", law, ("best", "ideal", "as_drawn"))
        from .betting import HashDealer, bet_on_hands

        return bet_on_hands(self.paytable, strategy, HashDealer(self), repr(self))

    @overload
    def simulate(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        as_frame: None = None,
        **options: Unpack[SeriesOptions],
    ) -> PokerRounds: ...

    @overload
    def simulate(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        as_frame: Literal["pandas", "polars"],
        **options: Unpack[SeriesOptions],
    ) -> Any: ...

    def simulate(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        threads: int | None = None,
        progress: Progress = False,
        as_frame: Literal["pandas", "polars"] | None = None,
    ) -> Any:
        """Play many rounds whose seeds anyone can make again.

        Two calls give the same rounds unless `seed` differs.

        Round i is ``play(server_seed, client_seed, nonce=str(start + i))``: the same on every machine,
        with any number of threads, and in any division into pieces by `start`.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        hold : five bool, or positions, optional
            See `play`; None holds what is best.
        seed : int or str
            The seed of the series.
        start : int
            The nonce of the first round.
        server_seed, client_seed : str or bytes, optional
            By default the SHA-256 of ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal.
        threads : int, optional
            The most threads to use; as many as the machine has by default.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.
        as_frame : {"pandas", "polars"}, optional
            A data frame instead: the log of these rounds, as `verify` takes it. Columns: seeds, nonce, cards
            dealt, positions held, the final hand as ``outcome``, its name, what it pays.

        Returns
        -------
        PokerRounds
            Arrays with a row for each round; or a frame.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> rounds = game.simulate(1000)
        >>> rounds.hand.shape, rounds.pay.shape
        ((1000, 5), (1000,))
        >>> log = game.simulate(1000, as_frame="pandas")
        >>> log["pays"].tolist() == rounds.pay.tolist(), pf.verify(log, game).ok
        (True, True)
        """
        known_frame(as_frame)
        server_seed, client_seed, series = series_of(rounds, seed, start, server_seed, client_seed)
        rounds = series[1]
        with ProgressBar(rounds, progress) as report:
            # Dealing is one half of the work and finding the best holds the other, where they are wanted.
            dealt = report if hold is not None or report is None else lambda done: report(done // 2)
            held = None if report is None else lambda done: report(rounds // 2 + (done + 1) // 2)
            cards = deal_cards(
                deck_of(self.paytable),
                10,
                server_seed,
                client_seed,
                "",
                series=series,
                dtype=np.dtype(np.int64),
                threads=threads_of(threads),
                progress=dealt,
            )
            played = settle(self.paytable, cards, hold, threads_of(threads), held)
        if as_frame is None:
            return played
        return log_frame(
            as_frame, rounds_made(server_seed, client_seed, series) | played.log_columns(), rounds
        )

    def tally(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        threads: int | None = None,
        progress: Progress = False,
        **series: Unpack[SeriesSeeds],
    ) -> PokerTally:
        """Count the hands of many rounds, in memory that doesn't grow with them.

        Two calls give the same rounds unless `seed` differs.

        Parameters
        ----------
        rounds, threads, progress
            See `simulate`, whose rounds are counted.
        hold : five bool, or positions, optional
            The same for all rounds; None holds what is best.
        **series
            ``seed``, ``start``, ``server_seed`` and ``client_seed`` of `simulate`.

        Returns
        -------
        PokerTally
            Outcomes (names in paytable order), counts, rounds, pays.

        Examples
        --------
        >>> import provably_fair as pf
        >>> tally = pf.operators.crypto_games.VideoPoker().tally(1000)
        >>> int(tally.counts.sum()), tally.outcomes[-1]
        (1000, 'nothing')
        """
        server_seed, client_seed, counted = series_of(rounds, **series)
        if has_rows(hold):
            raise BadValue("hold", "must be one hold for all rounds, got a row for each")
        mask = None if hold is None else hold_bits(hold)
        with ProgressBar(counted[1], progress) as report:
            counts = engine_of(self.paytable).tally(
                server_seed,
                client_seed,
                series=counted,
                hold=mask,
                threads=threads_of(threads),
                progress=report,
            )
        hands, pays = zip(*self.paytable.rows, strict=True)
        return PokerTally(
            np.array(hands, dtype=object),
            counts.astype(np.int64),
            counted[1],
            np.array([float(pay) for pay in pays]),
        )

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        hold: Hold | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
        commitment: Text | None = None,
    ) -> Walkthrough:
        """Show how a round came about, byte by byte.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round; see `deal`.
        hold : five bool, or positions, optional
            See `play`; None holds what is best.
        commitment : str or bytes, optional
            The SHA-256 of the server seed that was published before the round, to be checked.

        Returns
        -------
        Walkthrough
            Print it, show it in a notebook, or take its `~Walkthrough.to_dict`. Its steps are the bytes of
            the hash, `ByteStep`; its outcome is that of `play`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> walk = game.explain("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn", [1, 4])
        >>> walk.steps[1]
        ByteStep(characters='95', decimal=149, number=49, card=49, outcome='card', role='hand, card 1')
        """
        need_seeds(server_seed, client_seed, hash)
        read = read_hash(
            deck_of(self.paytable),
            10,
            server_seed,
            client_seed,
            nonce=nonce,
            hash=hash,
            commitment=commitment,
            roles=_ROLES,
        )
        cards = np.full(10, -1)
        cards[: len(read.dealt)] = read.dealt
        played = settle_one(self.paytable, cards, hold)
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
        return walkthrough_of(
            self,
            "Crypto.Games video poker",
            "Cards = the last two decimal digits of each byte if they are 51 or less, each card once",
            "last two digits",
            read,
            results,
            played,
            f"{played.final}, {played.category}, pays {played.pay}",
        )

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
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker("jacks_or_better_8_5")
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
        >>> import provably_fair as pf
        >>> round(pf.operators.crypto_games.VideoPoker("jacks_or_better_8_5").break_even(), 2)
        1733.14
        """
        # The return is convex in the jackpot: Newton's method, in hundredths of a bet, at which the best play
        # is what it is nearby.
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

        Of all rules in words those are left out that matter least; then each is put where it gains most, and
        others in the place of those that gain less, until no change of one rule gains anything. The same
        rules are found every time. It takes about ten seconds, with wild cards twenty.

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
        >>> from provably_fair.operators.crypto_games import VideoPoker
        >>> rules = VideoPoker("jacks_or_better_9_6").find_rules(25)  # doctest: +SKIP
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
            `play` takes it. It is asked about one of each 4, 12 or 24 deals that differ by an exchange
            of suits, so it must not prefer a suit. Or rules in order, of which the first that fits is
            played: functions that return None where they don't fit, and texts: "royal flush",
            "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind",
            "two pair", "high pair", "low pair", "pair", "4 to a royal flush", "3 to a straight flush",
            "4 to a flush", "4 to a straight", "4 to an outside straight" (part of two straights),
            "4 to an inside straight" (part of one), all with any number from 1 to 4, and if wanted
            "... in 2 ways" (part of at least two straights) and "... with 2 high cards" (at least); "2 suited
            high cards", "1 high card", "straight or better", "nothing". Where a rule fits several ways, the
            higher ranks are held. No rule fits: nothing is held. Where royal flushes in sequence pay more,
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
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.VideoPoker("jacks_or_better")
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
