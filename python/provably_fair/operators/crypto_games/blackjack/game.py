"""The game of blackjack: shoes, rounds and their analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import BadType, BadValue, choice, integer, rectangular, threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._core.table import Sheet, known_frame, log_frame
from provably_fair._core.types import Text, Texts
from provably_fair.cards import Hand, numbers
from provably_fair.distribution.sequences import FairnessMaterial, shuffle_material
from provably_fair.seeds.schemes import Scheme
from provably_fair.walkthrough import Walkthrough

from ..deal import SeriesOptions, SeriesSeeds, deal, need_seeds
from ..explaining import read_hash, walkthrough_of
from .analysis import BlackjackAnalysis, analyze, label_of
from .charts import Chart
from .counting import ShoeRounds, Wager, play_shoes
from .decisions import VALUES
from .hands import BlackjackRound
from .removal import RemovalEffects, removal_effects
from .rule_values import RuleValues, rule_values
from .rules import RuleChanges, Rules, engine_of, rules_of, shown_value
from .schemes import check_scheme, dealt
from .series import MAX_CARDS as _MAX_CARDS
from .series import Series
from .settling import Player, settle
from .tally import BlackjackTally

if TYPE_CHECKING:
    from provably_fair.bets import Bet

__all__ = ["Blackjack"]

_DECK = "blackjack"
_DOCUMENT = Rules()
# Four decks.
_SHOE = 208

BlackjackStrategy = str | Chart | BlackjackAnalysis | Player
"""Who plays: "basic", "optimal", a chart, an analysis, or a function of what the player sees."""


@dataclass(frozen=True)
class Blackjack:
    """Blackjack dealt from one SHA-512 of the seeds.

    Bytes from 0 to 207 are cards; larger bytes and cards that came before are skipped. The first four cards
    go to the player, the player, the dealer's upcard and the hole card. The others are dealt as needed: to
    the player's hands from left to right, then to the dealer. A split hand gets its second card when its
    turn comes.

    Parameters
    ----------
    rules : Rules, optional
        The rules of the table; the document's by default.
    **changes
        Changed rules: ``Blackjack(decks=6)`` is ``Blackjack(Rules(decks=6))``.

    Examples
    --------
    >>> import provably_fair as pf
    >>> game = pf.operators.crypto_games.Blackjack()
    >>> played = game.replay("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", ["double"])
    >>> print(played)
    player   5♣ 6♦ 3♠ (14, doubled): loss, -2 bets
    dealer   3♣ 5♣ K♦ (18)
    actions  double
    net      -2 bets
    """

    rules: Rules
    scheme: Scheme | None = None

    def __init__(self, rules: Rules = _DOCUMENT, **changes: Unpack[RuleChanges]) -> None:
        object.__setattr__(self, "rules", rules_of(rules, changes))
        object.__setattr__(self, "scheme", None)

    def with_scheme(self, scheme: Scheme) -> Blackjack:
        """Return the same game dealt under another scheme, with any number of decks.

        Cards are drawn without replacement: each draw chooses one of the cards that are left. With infinitely
        many decks, each draw chooses one of 52. Nonces are whole numbers.

        Parameters
        ----------
        scheme : Scheme
            A scheme with the fields server_seed, client_seed and nonce.

        Returns
        -------
        Blackjack
            The game. Games under different schemes compare unequal.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack(decks=6).with_scheme(pf.operators.stake.SCHEME)
        >>> game.shoe("server", "client", cards=5, nonce=1)
        array([166, 104, 306,  78, 113])
        >>> game.play("server", "client", nonce=1).net
        1.2
        """
        game = Blackjack(self.rules)
        object.__setattr__(game, "scheme", check_scheme(scheme))
        return game

    def __repr__(self) -> str:
        game = f"Blackjack({repr(self.rules).removeprefix('Rules(').removesuffix(')')})"
        return game if self.scheme is None else f"{game}.with_scheme({self.scheme!r})"

    @property
    def name(self) -> str:
        """The name that the command takes; for rules other than the default, the repr."""
        return "blackjack" if repr(self) == "Blackjack()" else repr(self)

    def _repr_html_(self) -> str:
        rules = [(field.name, shown_value(getattr(self.rules, field.name))) for field in fields(self.rules)]
        return Sheet("Blackjack from one SHA-512", ("rule", "value"), rows=rules, align="l").html()

    def check_hashed(self) -> None:
        """Raise an error for rules that can't be dealt from a hash, which gives four decks.

        `with_scheme` deals any number of decks.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.crypto_games.Blackjack(decks=6).check_hashed()
        Traceback (most recent call last):
            ...
        provably_fair.errors.BadValue: decks must be 4 to deal from a hash, whose shoe has 208 cards, got 6
        """
        if self.scheme is None:
            engine_of(self.rules).check_hashed()

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
            The number of cards, 1 to 208. A hash has 64 bytes, so it gives at most 64 cards; about 45 is
            usual.
        nonce : str, bytes, or array-like of them
            The text that follows the client seed, if any.
        hash : str, bytes, or array-like of them, optional
            The SHA-512 to use instead of the seeds' own, as 128 hexadecimal characters.
        dtype : dtype
            int64, or a smaller type: int16, int32.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.

        Returns
        -------
        numpy.ndarray
            Card numbers from 0 to 207, and -1 after the hash is used up. The shape is (cards,) for single
            texts, else (N, cards).

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or invalid, or the rules don't have four decks.

        Examples
        --------
        >>> import provably_fair as pf
        >>> shoe = pf.operators.crypto_games.Blackjack().shoe(
        ...     "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", cards=6
        ... )
        >>> shoe
        array([ 43, 135, 197, 199,  54, 142])
        >>> print(pf.cards.Hand(shoe))
        5♣ 6♦ 3♣ 5♣ 3♠ K♦
        """
        self.check_hashed()
        if self.scheme is None:
            cards = integer("cards", cards, 1, _SHOE)
            return deal(_DECK, cards, server_seed, client_seed, nonce, hash, dtype, threads)
        if hash is not None:
            raise BadValue("hash", "isn't supported with a scheme, which makes its own of the seeds")
        need_seeds(server_seed, client_seed, hash)
        decks = self.rules.decks
        cards = integer("cards", cards, 1, _MAX_CARDS if decks is None else 52 * decks)
        shoes = dealt(self.scheme, decks, cards, server_seed, client_seed, nonce, threads_of(threads))
        shoes = shoes.astype(np.dtype(np.int64 if dtype is None else dtype), copy=False)
        seeds: tuple[Any, ...] = server_seed, client_seed, nonce
        many = any(np.ndim(seed) for seed in seeds)
        return shoes if many else shoes[0]

    def replay(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        actions: Sequence[str] | Player | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
    ) -> BlackjackRound:
        """Play a round from its seeds and settle it.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round; see `shoe`.
        actions : sequence of str, or callable
            The player's actions, hand by hand from the left: "hit", "stand", "double", "split" or
            "surrender"; before them "insure" or "even_money" if the rules have them. The "stand" of a hand
            that can only stand, such as one of 21, may be left out. Or a strategy: a function of a
            `Decision`, such as a `Chart` or an analysis.

        Returns
        -------
        BlackjackRound
            The settled hands; ``.net`` is the total net win, in bets.

        Raises
        ------
        ValueError
            When an action is illegal, missing or superfluous, or the hash runs out of cards. The error lists
            the legal actions.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> game.replay("Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn", ["double"]).net
        -2.0
        >>> game.replay("server", "client", game.analyze("basic").chart).actions
        ('stand',)
        """
        cards = self._shoe(server_seed, client_seed, nonce, hash)
        return settle(self.rules, "the hash", cards, actions)[0]

    def play(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        strategy: BlackjackStrategy = "basic",
        *,
        nonce: Text = "",
        hash: Text | None = None,
    ) -> BlackjackRound:
        """Play a round from its seeds by a strategy.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round; see `shoe`.
        strategy : {"basic", "optimal"}, Chart, BlackjackAnalysis or callable
            The strategy; see `analyze`. Or a function of a `Decision`, which returns "hit", "stand",
            "double", "split" or "surrender".

        Returns
        -------
        BlackjackRound
            The settled hands; ``.net`` is the total net win, in bets.

        Raises
        ------
        ValueError
            When a function chooses an illegal action, or the hash runs out of cards.

        See Also
        --------
        replay : A round that was played, by its actions.
        settle : A round with given cards.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> game.play("server", "client").actions
        ('stand',)
        >>> game.play("server", "client", lambda decision: "surrender", nonce="1").net
        -0.5
        """
        player = self._player(strategy)
        cards = self._shoe(server_seed, client_seed, nonce, hash)
        return settle(self.rules, "the hash", cards, player)[0]

    def settle(
        self, cards: Sequence[int | str] | str, actions: Sequence[str] | Player | None = None
    ) -> BlackjackRound:
        """Play a round with given cards and settle it.

        Parameters
        ----------
        cards : sequence of int or str, or str
            The cards in the order dealt, as numbers or names: player, player, upcard, hole card, then as
            needed. There may be more cards than the round needs.
        actions : sequence of str, or callable
            See `replay`.

        Returns
        -------
        BlackjackRound
            The settled hands.

        Raises
        ------
        ValueError
            See `replay`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack()
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
        return settle(self.rules, "cards", list(hand), actions)[0]

    def _shoe(
        self, server_seed: Text | None, client_seed: Text | None, nonce: Text, hash: Text | None
    ) -> list[int]:
        """Return all cards of one round's hash."""
        most = _MAX_CARDS if self.scheme is None else min(_MAX_CARDS, 52 * (self.rules.decks or 2))
        cards = self.shoe(server_seed, client_seed, cards=most, nonce=nonce, hash=hash)
        if cards.ndim != 1:
            raise BadType("server_seed", ", client_seed, nonce and hash must be single: one round at a time")
        # The names of cards go by 52; the engine has a byte for each.
        found: list[int] = (cards[cards >= 0] % (_SHOE if self.scheme is None else 52)).tolist()
        return found

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        actions: Sequence[str] | Player | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
        commitment: Text | None = None,
        cards: int = 20,
    ) -> Walkthrough:
        """Show how a round came about, byte by byte.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round; see `shoe`.
        actions : sequence of str, or callable, optional
            The player's actions; see `replay`. Without it only the shoe is explained.
        commitment : str or bytes, optional
            The SHA-256 of the server seed that was published before the round, to be checked.
        cards : int
            The number of cards of the shoe to show without actions; with actions, the dealt cards are shown.

        Returns
        -------
        Walkthrough
            Print it, show it in a notebook, or take its `~Walkthrough.to_dict`. Its steps are the bytes of
            the hash, `ByteStep`; its outcome is the round that was played, or the cards where no actions are
            given.

        Examples
        --------
        >>> import provably_fair as pf
        >>> walk = pf.operators.crypto_games.Blackjack().explain(
        ...     "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ",
        ...     "5v5b85n85vb856nvbn5vbn",
        ...     ["double"],
        ...     commitment="581b31f8cd6e5d4bb510ac0e53a440af7baab92f8f1f220eff14e20201e0b1f6",
        ... )
        >>> walk.committed
        True
        >>> walk.steps[2].characters, walk.steps[2].decimal, walk.steps[2].name
        ('fb', 251, 'out of range')
        >>> [step.role for step in walk.steps if step.card is not None]
        ['player', 'player', 'dealer, upcard', 'dealer, hole card', 'player', 'dealer']
        """
        if self.scheme is not None:
            raise BadValue("scheme", "isn't supported by explain: see play and shoe")
        wanted = integer("cards", cards, 1, _SHOE)
        roles = ["player", "player", "dealer, upcard", "dealer, hole card"]
        results: list[tuple[str, str]] = []
        played: BlackjackRound | None = None
        shoe = self._shoe(server_seed, client_seed, nonce, hash)
        if actions is not None:
            played, seats = settle(self.rules, "the hash", shoe, actions)
            wanted = len(played.cards)
            many = len(played.hands) > 1
            roles += [
                "dealer" if s is None else f"player, hand {s + 1}" if many else "player" for s in seats[4:]
            ]
            results = played.rows()
        elif len(shoe) >= 4:
            results = [
                ("player", str(Hand(shoe[:2]))),
                ("dealer", f"{Hand(shoe[2:3])}, and {Hand(shoe[3:4])} in the hole"),
            ]
        if len(shoe) >= 4:
            results += self._advice(Hand(shoe[:2]), shoe[2])
        read = read_hash(
            _DECK,
            wanted,
            server_seed,
            client_seed,
            nonce=nonce,
            hash=hash,
            commitment=commitment,
            roles=roles,
        )
        return walkthrough_of(
            self,
            "Crypto.Games blackjack",
            "Cards = the bytes from 0 to 207, each once",
            "0 to 207",
            read,
            results,
            Hand(read.dealt) if played is None else played,
            str(Hand(read.dealt)) if played is None else played.headline,
        )

    def _advice(self, hand: Hand, upcard: int) -> list[tuple[str, str]]:
        analysis = analyze(self.rules)
        values = analysis.values[label_of(hand, self.rules), VALUES[min(upcard % 13, 9)]]
        if not values:
            return []
        best = sorted(values.items(), key=lambda item: -item[1])
        return [("best first action", ", ".join(f"{action} {value:+.4f}" for action, value in best))]

    def fairness_material(self, data: ArrayLike) -> FairnessMaterial:
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
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> material = game.fairness_material(game.shoe("server", ["1", "2"], cards=8))
        >>> material.sequences[0].name, len(material.columns)
        ('first of 8', 8)
        """
        cards = _SHOE if self.scheme is None else 52 * (self.rules.decks or 1)
        return shuffle_material(rectangular("data", data), cards, self, None)

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
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack()
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

    def bet(
        self,
        payout: None = None,
        *,
        strategy: BlackjackStrategy = "basic",
        shoes: str = "hashed",
        law: str = "best",
    ) -> Bet:
        """Return a bet of 1 on a round.

        Parameters
        ----------
        payout : None
            Leave it out: the rules define the payouts.
        strategy : {"basic", "optimal"}, Chart, BlackjackAnalysis or callable
            The strategy; see `play`.
        shoes : {"hashed", "random"}
            See `simulate`.
        law : str
            "as_drawn", "ideal" or "best". They are the same, because cards are drawn without bias.

        Returns
        -------
        Bet
            Its return, and rounds of it: the return of a bet of 1 is 1 more than what it wins, and may
            be negative after doubling or splitting. A round whose hash runs out gives the stake back.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.operators.crypto_games.Blackjack().bet()
        >>> round(bet.rtp, 6), bet.simulate(5)
        (0.989173, array([0., 0., 2., 1., 0.]))
        """
        from .betting import bet_on_rounds

        if payout is not None:
            raise BadType("payout", "isn't supported with blackjack: the rules have the payouts")
        choice("law", law, ("best", "ideal", "as_drawn"))
        Series.of(self.rules, self.scheme, 1, shoes)
        return bet_on_rounds(self, strategy, shoes, self._player(strategy))

    def side_bet(self, payout: str | Callable[[Hand], float], *, cards: int | None = None) -> Bet:
        """Return a bet of 1 on the first cards of the deal.

        Its law is exact for the composition of the shoe: every deal is enumerated. Its simulated rounds are
        dealt from hashes, which needs four decks.

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
        >>> import provably_fair as pf
        >>> six = pf.operators.crypto_games.Blackjack(decks=6)
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
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack(decks=6)
        >>> game.insurance_bet().exact_rtp, game.insurance_bet("Kh Qd").exact_rtp
        (Fraction(288, 311), Fraction(94, 103))
        """
        from .side_bets import insurance_bet

        return insurance_bet(self, Hand.of_numbers(numbers("cards", cards)))

    @overload
    def simulate(
        self,
        rounds: int,
        *,
        strategy: BlackjackStrategy = "basic",
        shoes: str = "hashed",
        as_frame: None = None,
        **options: Unpack[SeriesOptions],
    ) -> np.ndarray: ...

    @overload
    def simulate(
        self,
        rounds: int,
        *,
        strategy: BlackjackStrategy = "basic",
        shoes: str = "hashed",
        as_frame: Literal["pandas", "polars"],
        **options: Unpack[SeriesOptions],
    ) -> Any: ...

    def simulate(
        self,
        rounds: int,
        *,
        strategy: BlackjackStrategy = "basic",
        seed: int | str = 0,
        shoes: str = "hashed",
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        threads: int | None = None,
        progress: Progress = False,
        as_frame: Literal["pandas", "polars"] | None = None,
    ) -> Any:
        """Play many rounds by a strategy.

        Two calls give the same rounds unless `seed` differs.

        Round i is ``play(server_seed, client_seed, strategy, nonce=str(start + i))``: the same on every
        machine, with any number of threads, and in any division into pieces by `start`.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        strategy : {"basic", "optimal"}, Chart, BlackjackAnalysis or callable
            The strategy; see `play`. A function is called once per decision, in one thread. An analysis
            plays its own strategy, even if it was made for other rules.
        seed : int or str
            The seed of the series: the same seed gives the same rounds.
        shoes : {"hashed", "random"}
            "hashed" deals from the hash of the seeds and the nonce, as `play` does. "random" deals from a
            random number generator, SplitMix64, which starts round ``start + i`` at a place of its own and
            never runs out; it takes any number of decks.
        start : int
            The number of the first round, its nonce.
        server_seed, client_seed : str or bytes, optional
            For hashed shoes; by default the SHA-256 of ``f"{seed}:server"`` and ``f"{seed}:client"`` in
            hexadecimal.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.
        as_frame : {"pandas", "polars"}, optional
            A data frame instead: the log of these rounds, as `verify` takes it. Columns: seeds and nonce
            where shoes are hashed, the player's actions, the net win as ``outcome``.

        Returns
        -------
        numpy.ndarray
            The net win of each round, in bets, (rounds,) float64; NaN for a round that needs more cards than
            its hash has. Or a frame.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> game.simulate(5)
        array([-1., -1.,  1.,  0., -1.])
        >>> game.simulate(5, strategy=lambda decision: "stand").shape
        (5,)
        >>> game.simulate(2, as_frame="pandas")[["nonce", "actions", "outcome"]]
          nonce  actions  outcome
        0     0    stand     -1.0
        1     1  hit hit     -1.0
        """
        known_frame(as_frame)
        series = Series.of(self.rules, self.scheme, rounds, shoes, seed, start, server_seed, client_seed)
        player = self._player(strategy)
        with ProgressBar(series.rounds, progress) as report:
            if as_frame is None:
                return series.nets(player, threads_of(threads), report)
            return log_frame(as_frame, series.log_columns(player, report), series.rounds)

    def tally(
        self,
        rounds: int,
        *,
        strategy: BlackjackStrategy = "basic",
        shoes: str = "hashed",
        threads: int | None = None,
        progress: Progress = False,
        **series: Unpack[SeriesSeeds],
    ) -> BlackjackTally:
        """Play many rounds by a strategy and count the results, in constant memory.

        Two calls give the same rounds unless `seed` differs.

        Parameters
        ----------
        rounds, strategy, shoes, threads, progress
            See `simulate`, whose rounds are counted.
        **series
            ``seed``, ``start``, ``server_seed`` and ``client_seed`` of `simulate`.

        Returns
        -------
        BlackjackTally
            Counts of the results; ``.mean()``, ``.standard_error``, ``.house_edge``. A round that needs more
            cards than its hash has is counted only as exhausted.

        Examples
        --------
        >>> import provably_fair as pf
        >>> tally = pf.operators.crypto_games.Blackjack().tally(10_000)
        >>> print(f"{tally.mean():.2f} +- {tally.standard_error:.2f}")
        -0.01 +- 0.01
        >>> tally == pf.operators.crypto_games.Blackjack().tally(10_000, threads=1)
        True
        """
        played = Series.of(self.rules, self.scheme, rounds, shoes, **series)
        player = self._player(strategy)
        with ProgressBar(played.rounds, progress) as report:
            return played.tally(player, threads_of(threads), report)

    def _player(self, strategy: BlackjackStrategy) -> BlackjackAnalysis | Player:
        """Return who plays: an analysis, which the engine plays itself, or a function."""
        if isinstance(strategy, (str, Chart)):
            return analyze(self.rules, strategy)
        if callable(strategy):
            return strategy
        got = type(strategy).__name__
        raise BadType("strategy", f'must be "optimal", "basic", a Chart, an analysis or function, got {got}')

    def simulate_shoes(
        self,
        shoes: int,
        *,
        penetration: float = 0.75,
        strategy: str | Chart | BlackjackAnalysis = "basic",
        stake: Wager = 1,
        tags: str | Mapping[str, float] = "hi-lo",
        seed: int | str = 0,
        start: int = 0,
        threads: int | None = None,
        progress: Progress = False,
    ) -> ShoeRounds:
        """Play rounds through shoes, each up to a cut card, with stakes by a count.

        Two calls give the same rounds unless `seed` differs.

        Shoes are shuffled by SplitMix64. Shoe ``start + i`` depends only on its number, so results are the
        same for any number of threads, and a series may be computed in pieces.

        Parameters
        ----------
        shoes : int
            The number of shoes.
        penetration : float
            The position of the cut card, as a share of the cards. After it, no new round begins.
        strategy : {"basic", "optimal"}, Chart or BlackjackAnalysis
            The strategy; see `analyze`. It ignores the count.
        stake : float or callable
            The stake of every round; or a function of two arrays, the running counts and the decks that are
            left, both before each round, to the stake of each. It is called once, for all rounds.
        tags : "hi-lo" or mapping of str to float
            The value that each rank adds to the running count: "A", "2", ..., "10", which holds for J, Q and
            K as well where they aren't named; nothing where a rank isn't.
        seed, start, threads, progress
            See `simulate`; shoes are counted in place of rounds.

        Returns
        -------
        ShoeRounds
            The rounds in order: counts, bets, what each won; prints as a table by the true count.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> game = pf.operators.crypto_games.Blackjack(decks=6)
        >>> spread = lambda running, decks: np.where(running / decks >= 2, 8, 1)
        >>> rounds = game.simulate_shoes(100, stake=spread)
        >>> rounds.stakes[:3], f"{(rounds.stakes > 1).mean():.0%}"
        (array([1., 1., 1.]), '14%')
        """
        played = self._player(strategy) if isinstance(strategy, (str, Chart)) else strategy
        return play_shoes(self.rules, played, shoes, penetration, stake, tags, seed, start, threads, progress)

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
        >>> import provably_fair as pf
        >>> effects = pf.operators.crypto_games.Blackjack(decks=1).removal_effects()
        >>> f"{effects['5']:+.4%}", f"{effects['A']:+.4%}"
        ('+0.8078%', '-0.4761%')
        """
        return removal_effects(self.rules, strategy)

    def rule_values(self) -> RuleValues:
        """Return the value of each rule, alone and together.

        The rules are compared with common ones: the same decks; the dealer stands on soft 17 and peeks for
        blackjack; blackjack pays 3:2; double on any two cards, also after a split; one split, one card on
        each split ace, and no blackjack after a split; no surrender.

        Returns
        -------
        RuleValues
            A row for each rule that differs; prints as a table.

        Examples
        --------
        >>> import provably_fair as pf
        >>> values = pf.operators.crypto_games.Blackjack().rule_values()
        >>> {row.rule: f"{row.last:+.4%}" for row in values.rows}["surrender=early"]
        '+0.7199%'
        """
        return rule_values(self.rules)
