"""A shoe of any number of decks, for any scheme."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from provably_fair._core.arguments import check_type, threads_of
from provably_fair._core.progress import Progress, progress_bar
from provably_fair.games import Deal, Draws, Pack, Range
from provably_fair.seeds.series import series

from .blackjack.analysis import BlackjackAnalysis, analyze
from .blackjack.charts import Chart
from .blackjack.counting import ShoeRounds, Wager, amount_of, share_of, tags_of, wagers_of
from .blackjack.decisions import RANKS
from .blackjack.rules import engine_of
from .blackjack.table import Blackjack

_DECK, _MOST_DECKS = 52, 16


class Shoe(Deal):
    """A shoe of whole decks: its first cards, by removal. `with_scheme` deals it under any scheme.

    Parameters
    ----------
    decks : int
        The number of decks, 1 to 16.
    cards : int
        The number of cards that are dealt, at most those of the decks.

    Examples
    --------
    >>> shoe = pf.cards.Shoe(decks=6, cards=5).with_scheme(pf.operators.stake.SCHEME)
    >>> shoe.play("server", "client", 1)
    array([166, 104, 306,  78, 113])
    >>> shoe.replay("server", "client", 1, strategy="basic").net
    1.2
    """

    decks: int = Range(1, _MOST_DECKS, default=6)
    cards: int = Range(1, _DECK * _MOST_DECKS, default=20)
    choice, house_table = "actions", Blackjack

    @property
    def pack(self) -> Pack:
        """The decks of the shoe."""
        return Pack.of(self.decks)

    def outcome(self, draws: Draws) -> np.ndarray:  # noqa: D102 (that of games)
        return draws.sample(_DECK * self.decks, self.cards)

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

        Shoes are shuffled by SplitMix64, whatever the scheme. Shoe ``start + i`` depends only on its number,
        so results are the same for any number of threads, and a series may be computed in pieces.

        Parameters
        ----------
        shoes : int
            The number of shoes.
        penetration : float
            The position of the cut card, as a share of the cards. After it, no new round begins.
        strategy : {"basic", "optimal"}, Chart or BlackjackAnalysis
            The strategy; see `Blackjack.analyze`. It ignores the count.
        stake : float or callable
            The stake of every round; or a function of two arrays, the running counts and the decks that are
            left, both before each round, to the stake of each. It is called once, for all rounds.
        tags : "hi-lo" or mapping of str to float
            The value that each rank adds to the running count: "A", "2", ..., "10", which holds for J, Q and
            K as well if they aren't named. Ranks that aren't named add nothing.
        seed, start, threads, progress
            See `simulate`; shoes are counted in place of rounds.

        Returns
        -------
        ShoeRounds
            The rounds in order: counts, bets, what each won; prints as a table by the true count.

        Examples
        --------
        >>> shoe = pf.cards.Shoe(decks=6)
        >>> spread = lambda running, decks: np.where(running / decks >= 2, 8, 1)
        >>> rounds = shoe.simulate_shoes(100, stake=spread)
        >>> rounds.stakes[:3], f"{(rounds.stakes > 1).mean():.0%}"
        (array([1., 1., 1.]), '14%')
        """
        rules = self.table.rules
        player = analyze(rules, strategy) if isinstance(strategy, (str, Chart)) else strategy
        named = '"optimal", "basic", a Chart or a BlackjackAnalysis'
        check_type("strategy", player, BlackjackAnalysis, named)
        cut = max(1, round(share_of(penetration) * _DECK * self.decks))
        added = tags_of(tags)
        wager = stake if callable(stake) else amount_of(stake)
        shoes, name, start = series(shoes, seed, start, "shoes")
        with progress_bar(shoes, progress) as report:
            numbers, nets, seen, short = engine_of(rules).play_shoes(
                player._core,
                (name, [4 * self.decks] * len(RANKS), cut),
                series=(start, shoes),
                threads=threads_of(threads),
                progress=report,
            )
        running = seen @ added
        decks = self.decks - seen.sum(axis=1) / _DECK
        stakes = (
            wagers_of(wager(running.copy(), decks.copy()), nets)
            if callable(wager)
            else np.full(len(nets), wager)
        )
        return ShoeRounds(shoes, numbers, seen, running, decks, stakes, nets, short)
