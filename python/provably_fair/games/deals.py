"""Deals: games whose outcome is cards, which are played at a table.

A table has rules and no seeds (`provably_fair.cards`); a deal has seeds and no rules. This module plays deals
at their tables, under any scheme: single rounds, many rounds, bets and walk-throughs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, integer, threads_of
from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import from_row
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.table import known_frame, log_frame
from provably_fair._engine import Fields
from provably_fair.seeds.schemes import bind_fields, engine_scheme, published_beside

from . import asking
from .grids import flattened
from .kinds.cards import CardsGame
from .naming import call_of
from .parameters import changed, parameters_of
from .rounds import PLAIN, rounds_of, simulated_rounds
from .tables import Pack, Table

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Tally
    from provably_fair.walkthrough import Walkthrough

    from .series import Series

# Rounds dealt before they are played: few enough for a cache, so many that the calls of Python cost little.
_ROUNDS_DEALT = 1 << 15


class Deal(CardsGame):
    """A game whose outcome is cards. At a table its rounds can be settled, bet on and verified.

    See Also
    --------
    provably_fair.cards.Blackjack, provably_fair.cards.VideoPoker : Tables.
    """

    _beside = MappingProxyType({"scheme": "with_scheme", "_own_table": "with_table"})
    _own_table = None

    @unlocked_property
    def table(self) -> Any:
        """The table of its cards; None if the operator's rules aren't known and none is given."""
        found = self._own_table
        if found is None and self.kind.house_table is not None:
            found = self.kind.house_table()
        return None if found is None else found.at(self.kind.pack, call_of(self))

    def with_table(self, table: Any) -> Self:
        """Return the same deal at another table.

        Parameters
        ----------
        table : provably_fair.cards.Blackjack or provably_fair.cards.VideoPoker
            The table: blackjack for shoes, video poker for ten cards of one deck. If its number of decks is
            None, it is the deal's.

        Returns
        -------
        Deal
            The game. Deals at different tables aren't equal.

        Raises
        ------
        TypeError, ValueError
            When the table is of another game, or has another number of decks.

        Examples
        --------
        >>> game = pf.operators.liqd.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand"))
        >>> game.table.rules.decks
        8
        """
        check_type("table", table, Table, "a table such as pf.cards.Blackjack()")
        if table.choice != self.kind.choice:
            raise BadType("table", f"must be of the game that {call_of(self)} deals, got {table!r:.80}")
        fitting = self._with_beside(self._own_beside() | {"_own_table": table}).table
        own = self._with_beside(self._own_beside() | {"_own_table": None})
        if fitting == own.table:
            return own
        return self._with_beside(self._own_beside() | {"_own_table": fitting})

    def _need_table(self) -> Any:
        """Return the table, or raise an error that says how to get one."""
        table = self.table
        if table is None:
            kind = {"actions": "Blackjack()", "hold": 'VideoPoker("jacks_or_better")'}[self.kind.choice]
            raise BadValue(
                "table",
                f"must be given, as the operator's rules aren't known: "
                f"{call_of(self)}.with_table(pf.cards.{kind})",
            )
        return table

    def _chosen(self, table: Any, given: Mapping[str, Any]) -> Any:
        """Return the player's decisions; refuse those of another game."""
        for name, value in given.items():
            if name != table.choice and value is not None:
                raise BadType(name, f"isn't supported with {table.title}: its rounds have {table.choice}")
        return given[table.choice]

    # Settled rounds

    def replay(
        self,
        *seeds: object,
        actions: Any = None,
        hold: Any = None,
        strategy: Any = None,
        threads: int | None = None,
        progress: Progress = False,
        as_frame: str | None = None,
        **named: object,
    ) -> Any:
        """Play rounds from their seeds and settle them at the table: one, or many.

        Parameters
        ----------
        *seeds, **named
            The fields of the scheme, in its order or by name; arrays as `play` takes them.
        actions : sequence of str, or callable, optional
            Of blackjack: the player's actions, or a function of a `Decision`; see `Blackjack.settle`. Of many
            rounds a sequence of them for each, or a function for all.
        hold : five flags, positions, names or text, optional
            Of video poker: the cards to hold; see `VideoPoker.settle`. Of many rounds one hold for all, or
            one for each: (N, 5) booleans, or a sequence of holds, such as a log's column.
        strategy : str, Chart, BlackjackAnalysis, callable or rules, optional
            The strategy, instead of decisions: "basic", "optimal", or another that the table's `analyze`
            takes. By default the best play.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.
        progress : bool or callable
            See `simulate`; of many rounds.
        as_frame : {"pandas", "polars"}, optional
            Return many rounds as a data frame instead: a log, as `verify` takes it, with a column for each
            field that was given.

        Returns
        -------
        BlackjackRound or PokerRound
            The settled round. N rounds: `BlackjackRounds` or `PokerRounds`; of seeds in arrays of several
            dimensions, in their order in C. Cards have the numbers of outcomes, as `play` returns them, and
            print as their names.

        Raises
        ------
        TypeError, ValueError
            When an action is illegal, missing or superfluous; of many rounds the error names the first that
            was found. When the cards of a single round run out; of many rounds such a one has the net win
            NaN.

        Examples
        --------
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> seeds = "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn"
        >>> print(game.replay(*seeds, actions=["double"]))
        player   5♣ 6♦ 3♠ (14, doubled): loss, -2 bets
        dealer   3♣ 5♣ K♦ (18)
        actions  double
        net      -2 bets
        >>> game.replay("server", "client", strategy="optimal").actions
        ('stand',)
        >>> rounds = game.replay("server", [f"client {i}" for i in range(1000)], strategy="basic")
        >>> rounds.net[:3], rounds.actions[:3].tolist()
        (array([-1.,  1., -1.]), [('hit', 'hit'), ('stand',), ('hit',)])
        >>> seeds = "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn"
        >>> print(pf.operators.crypto_games.VideoPoker().replay(*seeds, hold=[1, 4]))
        J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1
        """
        table = self._need_table()
        known_frame(as_frame)
        threads = threads_of(threads)
        chosen = self._chosen(table, {"actions": actions, "hold": hold})
        player = table.player("optimal" if strategy is None and chosen is None else strategy, chosen)
        fields: dict[str, Any] = dict(named)
        if (grid := flattened(self.scheme.fields, seeds, fields)) is not None:
            seeds, fields, _ = grid
        held = bind_fields(self.scheme, seeds, fields)
        if not held.many:
            if as_frame is not None:
                raise BadType("as_frame", "isn't supported with a single round")
            return self._replay_one(table, player, held)
        given = dict(zip(self.scheme.fields, seeds, strict=False)) | fields

        def dealt(first: int, count: int) -> DealtRounds:
            some = held if count == len(held) else held.take(np.arange(first, first + count, dtype=np.uint32))
            return DealtRounds(self, some)

        parts = _DealPlay(table, player, dealt).each(len(held), table.play, threads, progress)
        return _settled(table, parts, len(held), as_frame, given)

    def _replay_one(self, table: Any, player: Any, held: Fields) -> Any:
        """Settle one round, from as many cards as it needs."""
        steps = table.steps(player)
        for count in steps:
            deal = self._dealing(count)
            dealt = rounds_of(deal).fill(held, {}, PLAIN)
            try:
                settled = table.settled(self.kind.pack.at_table(dealt), player)
            except BadValue:
                if count == steps[-1] or len(dealt) < count or dealt[-1] < 0:
                    raise
            else:
                break
        return self._numbered(settled, dealt)

    def _numbered(self, settled: Any, dealt: np.ndarray) -> Any:
        """Return a settled round with cards as outcomes number them."""
        pack = self.kind.pack
        return settled if pack.is_plain else self.table.numbered(settled, pack.in_order(dealt))

    def _dealing(self, cards: int) -> Any:
        """Return the same deal with as many cards as a round may need, if it can deal them."""
        if "cards" not in parameters_of(self):
            return self
        if cards not in self._dealings:
            pack = self.kind.pack
            there = cards if math.isinf(pack.decks) else len(pack.numbers)
            most = parameters_of(self)["cards"].most
            self._dealings[cards] = changed(self, cards=min(most, there, cards))
        return self._dealings[cards]

    @unlocked_property
    def _dealings(self) -> dict[int, Any]:
        """The same deal with other numbers of cards, as they were asked for."""
        return {}

    def simulate(self, rounds: int, **options: Any) -> Any:
        """Simulate many rounds, and return their cards, or a player's results.

        Two calls give the same rounds unless `seed` differs, on any machine.

        Parameters
        ----------
        strategy : str, Chart, BlackjackAnalysis, callable or rules, optional
            The player's strategy; see `replay`. Without a strategy and a hold, the cards are returned.
        hold : five bool, or positions, optional
            Of video poker, instead of a strategy: the cards to hold, the same in all rounds.
        shoes : {"hashed", "random"}
            With a strategy of blackjack: whether shoes are dealt under the scheme, or shuffled by a random
            number generator, which is faster.
        rounds, **options
            See `Game.simulate`.

        Returns
        -------
        numpy.ndarray, BlackjackRounds or PokerRounds
            Cards, (rounds, k) int64. With a strategy or a hold, the settled rounds; of blackjack, the net win
            is NaN where the cards ran out. Or a frame: the log of these rounds, as `verify` takes it.

        Examples
        --------
        >>> game = pf.operators.crypto_games.Blackjack()
        >>> game.simulate(1000).shape, game.simulate(5, strategy="basic").net
        ((1000, 20), array([-1., -1.,  1.,  0., -1.]))
        >>> log = game.simulate(100, strategy="basic", as_frame="pandas")
        >>> pf.verify(log, game).ok
        True
        """
        player = self._player_of(options)
        if player is None:
            return super().simulate(rounds, **options)
        as_frame = options.pop("as_frame", None)
        known_frame(as_frame)
        for name in ("dtype", "out"):
            if options.pop(name, None) is not None:
                raise BadType(name, "isn't supported with a strategy")
        _check_memory(rounds)
        table = self.table
        made, shoes, parts = _simulated(self, player, rounds, options, table.play)
        seeds = made.columns() if as_frame is not None and shoes != "random" else {}
        return _settled(table, parts, made.rounds, as_frame, seeds)

    def tally(self, rounds: int, **options: Any) -> Tally:
        """Count the outcomes of many simulated rounds, or their results; see `Game.tally`.

        With a `strategy` or a `hold`, as `simulate` takes them, a player's results are counted instead of
        cards, in a `BlackjackTally` or `PokerTally`: rounds that lack cards are only counted as exhausted.

        Examples
        --------
        >>> tally = pf.operators.crypto_games.Blackjack().tally(10_000, strategy="basic")
        >>> print(f"{tally.mean():.2f} +- {tally.standard_error:.2f}")
        -0.01 +- 0.01
        """
        player = self._player_of(options)
        if player is None:
            return super().tally(rounds, **options)
        total: Tally = reduce(add, _simulated(self, player, rounds, options, self.table.tally)[2])
        return total

    def _player_of(self, options: dict[str, Any]) -> Any:
        """Take the player out of the options of simulated rounds; None if nobody plays them."""
        given = {name: options.pop(name, None) for name in ("strategy", "hold", "actions")}
        if all(value is None for value in given.values()):
            if options.pop("shoes", None) is not None:
                raise BadType("shoes", "isn't supported without a strategy")
            return None
        table = self._need_table()
        chosen = self._chosen(table, {name: given[name] for name in ("actions", "hold")})
        return table.player(given["strategy"], chosen)

    # Bets

    def bet(self, payout: Any = None, *, strategy: Any = None, law: str | None = "best", **asked: Any) -> Bet:
        """Return a bet of 1 on a round at the table, or on a function of the cards.

        Parameters
        ----------
        payout : callable, mapping, sequence or number, optional
            The payout of a bet on the cards; see `Game.bet`. The table has those of its rounds.
        strategy : str, Chart, BlackjackAnalysis, callable or rules, optional
            The player's strategy; see `replay`. By default "basic" in blackjack and "optimal" in video poker.
        law : str or None
            "ideal" or "best": each card that is left is equally likely. "as_drawn" is the same where the
            scheme draws without any bias, and otherwise refused. None for a bet without a law.
        **asked
            Keyword arguments of `distribution`, for a bet on the cards.

        Returns
        -------
        Bet
            The bet, with its law, return and simulated rounds. A round whose cards run out returns the stake.

        Examples
        --------
        >>> bet = pf.operators.crypto_games.Blackjack().bet()
        >>> round(bet.rtp, 6), bet.simulate(5)
        (0.989173, array([0., 0., 2., 1., 0.]))
        >>> game = pf.operators.stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild"))
        >>> round(game.bet().rtp, 6)
        1.00762
        """
        if payout is not None or asked:
            if strategy is not None:
                raise BadType("strategy", "isn't supported with a bet on the cards")
            return asking.bet(self, payout, law=law, **asked)
        table = self._need_table()
        if law is not None:
            choice("law", law, ("best", "ideal", "as_drawn"))
        if law == "as_drawn" and not engine_scheme(self.scheme).passes_over:
            raise BadValue("law", f'must be "ideal" or "best" under the scheme of {call_of(self)}')
        from provably_fair.bets import Bet

        by = "" if strategy is None else f", {strategy if isinstance(strategy, str) else 'own'} strategy"
        played = table.usual if strategy is None else strategy
        found, unit = table.law(table.player(played, None))
        return Bet(found if law else None, HandReturns(self, played), unit=unit, on=f"{self!r}{by}")

    # A round explained

    def explain(self, *seeds: object, actions: Any = None, hold: Any = None, **named: object) -> Walkthrough:
        """Explain one round: how its cards were dealt, and how they were played; see `Game.explain`.

        `actions` or `hold` are the player's decisions; see `replay`. By default blackjack shows only the
        cards, and video poker the best hold. ``commitment``, what was published before the round, is checked.
        The outcome of the walk-through is the settled round, or the cards.

        Examples
        --------
        >>> walk = pf.operators.crypto_games.Blackjack().explain(
        ...     "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ",
        ...     "5v5b85n85vb856nvbn5vbn",
        ...     actions=["double"],
        ...     commitment="581b31f8cd6e5d4bb510ac0e53a440af7baab92f8f1f220eff14e20201e0b1f6",
        ... )
        >>> walk.committed, walk.outcome.net
        (True, -2.0)
        """
        from provably_fair.walkthrough.sections import Cards, Entries, LabeledRows

        table = self.table
        if table is None:
            if actions is not None or hold is not None:
                self._need_table()
            return super().explain(*seeds, **named)
        chosen = self._chosen(table, {"actions": actions, "hold": hold})
        published = published_beside(self.scheme)
        given: dict[str, Any] = {name: value for name, value in named.items() if name not in published}
        dealing = self if chosen is None else self._dealing(table.most)
        outcome = dealing.play(*seeds, **given)
        cards = self.kind.pack.at_table(outcome)
        if cards.ndim > 1:
            raise BadType("seeds", "must be of one round: explain shows a single one")
        settled, roles, results = table.told(cards, chosen)
        shown = self if settled is None else self._dealing(max(len(roles), 1))
        walk = rounds_of(shown).explain(seeds, named)
        names = table.names(self.kind.pack.cards(walk.outcome))
        dealt = Cards("Cards, and where they were dealt", walk.outcome, names, self.kind.pack.dealt(roles))
        entries = Entries(entries=(("table", repr(table)),))
        at_table = LabeledRows(f"At the table: {table.title}", "results", tuple(results))
        return replace(
            walk,
            game=self,
            title=repr(self),
            values=(*walk.values, ("results", tuple(results))),
            outcome=walk.outcome if settled is None else self._numbered(settled, outcome),
            sections=(*walk.sections[:-1], dealt, entries, at_table),
            headline=" ".join(names) if settled is None else settled.headline,
        )


def dealing(game: Any, *, likely: bool = False) -> Any:
    """Return a deal with as many cards as a round at its table may need, or is `likely` to need."""
    cards = game.table.likely if likely else game.table.most
    return game._dealing(max(cards, *game.shape))


def jokers_of(game: Any) -> int:
    """Return the number of jokers at the table that a deal was given."""
    return 0 if game._own_table is None else game._own_table.jokers


class DealtRounds:
    """The first cards of some rounds at a table."""

    def __init__(self, deal: Deal, fields: Fields) -> None:
        self.pack: Pack = deal.kind.pack
        self._deal = deal
        self._fields = fields

    def take(self, count: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the first cards of the rounds, or of some of them, (N, count); there may be fewer.

        They are in the order in which a table takes them, numbered as outcomes.
        """
        deal = self._deal._dealing(count)
        fields = self._fields if rows is None else self._fields.take(rows.astype(np.uint32))
        return self.pack.in_order(rounds_of(deal).outcomes(fields, 1, None))


@dataclass(frozen=True)
class _DealPlay:
    """Rounds at a table, dealt in pieces, with their player."""

    table: Any
    player: Any
    dealt: Callable[[int, int], Any]  # the cards of some rounds, from the first and their number

    def each(
        self, rounds: int, make: Callable[[Any, Any], Any], threads: int | None, progress: Progress
    ) -> Iterator[Any]:
        """Yield the results of `make` for the cards and the player of each piece, in order."""
        from ._python_rounds import on_threads

        player = self.table.by_round(self.player, rounds)
        firsts = range(0, max(rounds, 1), _ROUNDS_DEALT)

        def piece(first: int) -> Any:
            count = min(_ROUNDS_DEALT, rounds - first)
            with from_row(first):
                return make(self.dealt(first, count), player(first, count))

        # Threads don't speed up a strategy in Python.
        made = on_threads(piece, firsts, threads if self.table.in_engine(self.player) else 1)
        with progress_bar(rounds, progress) as report:
            for first, part in zip(firsts, made, strict=True):
                yield part
                if report is not None:
                    report(min(first + _ROUNDS_DEALT, rounds))


def _settled(
    table: Any, parts: Iterator[Any], rounds: int, as_frame: str | None, seeds: Mapping[str, Any]
) -> Any:
    """Return the rounds of pieces as one, or as a log with these columns beside them."""
    settled = table.joined(parts, rounds)
    return settled if as_frame is None else log_frame(as_frame, {**seeds, **settled.log_columns()}, rounds)


def _simulated(
    deal: Deal, player: Any, rounds: object, options: dict[str, Any], make: Callable[[Any, Any], Any]
) -> tuple[Series, str | None, Iterator[Any]]:
    """Return simulated rounds, their shoes, and the results of `make` for each piece of them."""
    threads = threads_of(options.pop("threads", None))
    progress, shoes = options.pop("progress", False), options.pop("shoes", None)
    seed, start = options.pop("seed", 0), options.pop("start", 0)
    if shoes is not None:
        choice("shoes", shoes, ("hashed", "random"))
    for name in options if shoes == "random" else ():
        raise BadValue(name, "isn't supported with random shoes")
    made = simulated_rounds(deal, rounds, seed, start, **options)  # type: ignore[arg-type]
    table = deal.table

    def dealt(first: int, count: int) -> Any:
        if shoes == "random":
            return table.random_shoes(deal.kind.pack, seed, start + first, count)
        return DealtRounds(deal, made.fields(first, count))

    return made, shoes, _DealPlay(table, player, dealt).each(made.rounds, make, threads, progress)


@dataclass(frozen=True)
class HandReturns:
    """Simulated returns of a player's hands, in parts of a bet."""

    deal: Deal
    strategy: Any

    def __call__(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        table = self.deal.table
        options = {"seed": seed, "start": start, "threads": threads}
        player = table.player(self.strategy, None)
        return np.concatenate([*_simulated(self.deal, player, rounds, options, table.returns)[2]])


def _check_memory(rounds: object) -> None:
    """Refuse more rounds than fit into memory before playing any."""
    count = integer("rounds", rounds, 0, 2**63 - 1)
    try:
        np.empty(count)
    except (MemoryError, ValueError):
        raise MemoryError(f"the results of {count} rounds don't fit into memory") from None
