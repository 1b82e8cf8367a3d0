"""Cards that are dealt: questions about deals, their laws, and the schemes that have enough words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from provably_fair import distribution
from provably_fair._core.arguments import BadValue, integer
from provably_fair._engine import card_name
from provably_fair.seeds.schemes import engine_scheme, weights_below

from .. import asking
from ..game import Game
from ..kind import Kind, Law, OfArrays, fact, kind_property, one_of
from ..looks import Dealt, Of, View
from ..samples import Cell
from ..tables import Pack

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.distribution.sequences import FairnessMaterial

_JOKER = 52


@dataclass(frozen=True)
class Cards(Kind):
    """The kind of games that deal cards from a pack."""

    name: ClassVar[str] = "cards"
    asked_alone: ClassVar[tuple[str, ...]] = ("card", "dealt")
    choice: Literal["actions", "hold"]
    pack: Pack
    swaps: int | None
    house_table: Callable[[], Any] | None

    def view(self, *, card: int | None = None, dealt: bool = False, of: Of | None = None) -> View:
        one_of({"card": card, "dealt": dealt, "of": of})
        if card is not None:
            return View(Cell(integer("card", card, 0, self.game.shape[0] - 1)))
        return View(Dealt()) if dealt else View(of)

    @property
    def words(self) -> Mapping[str, int | None]:
        return super().words or _words_of(self.pack)

    def bounds(self) -> tuple[int, int]:
        return -1, len(self.pack.numbers) - 1

    def agreed(self, outcomes: np.ndarray) -> dict[str, Any]:
        return {"pack": (outcomes >= -1) & (outcomes < len(self.pack.numbers))}

    @property
    def laws(self) -> tuple[Law, ...]:
        return (*super().laws, self._dealt)

    @property
    def _in_order(self) -> bool:
        """Whether the rule deals the cards of the pack, each at most once, in the order drawn."""
        from ..laws import sample_in

        sample = sample_in(self.game)
        return sample is not None and sample.in_order and sample[:2] == (len(self.pack.numbers), 0)

    def _dealt(self, drawn: bool, of: Of | None) -> Distribution | None:
        """Return the law of one card or of the number of cards, if the rule deals a pack's cards in order.

        A digest's words are read one after the other: with d cards dealt, a word is a new card with the
        probability of the n - d others.
        """
        if not isinstance(of, Cell | Dealt) or not self._in_order:
            return None
        from ..laws import draws_again

        game, scheme = self.game, self.game.scheme
        cards, n = game.shape[0], len(self.pack.numbers)
        # A rule that takes cards out of the pack needs one word for each.
        words = engine_scheme(scheme).words_of_round if drawn and draws_again(game) else None
        if drawn and (not engine_scheme(scheme).passes_over or scheme.words is not None):
            return None  # only words that are drawn one after the other are counted
        if words is None:
            values = [cards] if isinstance(of, Dealt) else range(n)
            return distribution.Distribution(values, [1] * len(values))
        # One in this many words is a given card.
        each, every = weights_below(scheme, n, [1])[0][0], 1 << int(scheme.bits)
        ways = [1, *[0] * cards]  # ways to have dealt d cards, of every**words in all
        for _ in range(words):
            for d in range(cards, -1, -1):
                new = each * (n - d) if d < cards else 0
                ways[d] *= every - new
                if d:
                    ways[d] += ways[d - 1] * each * (n - d + 1)
        if isinstance(of, Dealt):
            dealt = [d for d in range(cards + 1) if ways[d]]
            return distribution.Distribution(dealt, [ways[d] for d in dealt])
        missing = sum(ways[: of.place + 1])
        left = every**words - missing
        listed = [(-1, missing * n), *((card, left) for card in range(n))]
        drawn_cards = [(card, weight) for card, weight in listed if weight]
        return distribution.Distribution(*zip(*drawn_cards, strict=True))

    def distance(self) -> Fraction | None:
        """Return the chance that cards are missing, which the ideal law leaves out."""
        if (stated := super().distance()) is not None:
            return stated
        from ..laws import UnlistedLawError, draws_again

        if engine_scheme(self.game.scheme).words_of_round is None or not draws_again(self.game):
            return Fraction(0)
        dealt = self._dealt(True, Dealt())
        if dealt is None:
            raise UnlistedLawError("nothing says how often a digest is used up before all cards are dealt")
        counts = zip(dealt.outcomes, dealt.weights, strict=True)
        return Fraction(sum(weight for count, weight in counts if count < self.game.shape[0]), dealt.total)

    def material(self, values: np.ndarray) -> FairnessMaterial | None:
        if not self._in_order:
            return None
        from provably_fair.distribution.sequences import shuffle_material

        from ..laws import draws_again

        n, places = len(self.pack.numbers), values.shape[1]
        if engine_scheme(self.game.scheme).words_of_round is not None and draws_again(self.game):
            # A digest is used up whichever cards came before: test the places that all rounds have.
            missing = np.minimum.accumulate(values[:, ::-1] == -1, axis=1).any(axis=0)
            places = max(places - int(missing.sum()), 1)
        # The last card of a whole pack follows from the others.
        return shuffle_material(values[:, : min(places, n - 1)], n, repr(self.game), None)

    def check_scheme(self, scheme: Any) -> None:
        """Refuse a scheme whose one digest has fewer words than a round has draws."""
        words = engine_scheme(scheme).words_of_round
        needed, each = (self.game.shape[0], "card") if self.swaps is None else (self.swaps, "swap")
        if words is not None and words < needed:
            problem = f"must have {needed} words, one for each {each}, as it reads no further digest"
            raise BadValue("scheme", f"{problem}, got {words}")
        weights_below(scheme, len(self.pack.numbers), [])  # refuses more cards than words


@lru_cache(maxsize=64)
def _words_of(pack: Pack) -> Mapping[str, int]:
    """Return the first number of each card, by its name."""
    names = ["joker" if card == _JOKER else card_name(card, False) for card in pack.ranks]
    return {name: names.index(name) for name in dict.fromkeys(names)}


class CardsGame(OfArrays, Game):
    """Cards that are dealt: the outcome is their numbers, -1 for those that are missing.

    A class states `choice`, the log's field of the player's decisions, "actions" or "hold"; `pack`, the pack
    that is dealt; `swaps`, the number of draws that shuffle the whole pack, if not each card takes one; and
    `house_table`, a function that returns the operator's own table, if its rules are known.
    """

    choice = fact('the field of the player\'s decisions, "actions" or "hold"')
    pack = fact("the pack that is dealt")
    swaps = fact("the number of draws that shuffle the pack", None)
    house_table = fact("a function that returns the operator's own table", None)

    kind = kind_property(Cards)

    def distribution(
        self, law: str = "ideal", *, card: int | None = None, dealt: bool = False, of: Of | None = None
    ) -> Distribution:
        """Return the exact law of a card, of how many cards are dealt, or of a function of the cards.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn". As drawn cards are missing, -1, with the chance that the digest is used up.
        card : int
            The place of a card, from 0.
        dealt : bool
            How many cards there are before the digest is used up.
        of : callable, optional
            A function to take the law of instead: from outcomes, an array (N, cards), to values, (N,).

        Returns
        -------
        Distribution
            Of what is asked.

        Raises
        ------
        ValueError
            When there are too many combinations; the message says how many.

        Examples
        --------
        >>> game = pf.operators.crypto_games.Blackjack(cards=50)
        >>> float(game.distribution(card=0).pmf(17)) == 1 / 208
        True
        >>> print(f"{game.distribution('as_drawn', dealt=True).cdf(42):.4f}")
        0.1309
        """
        return asking.distribution(self, law, card=card, dealt=dealt, of=of)

    def observe(
        self, outcomes: ArrayLike, *, card: int | None = None, dealt: bool = False, of: Of | None = None
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.cards.Shoe(cards=3).observe([[166, 104, 306]], card=1)
        array([104])
        """
        return asking.observe(self, outcomes, card=card, dealt=dealt, of=of)

    def bet(
        self,
        payout: Any = None,
        *,
        law: str | None = "best",
        card: int | None = None,
        dealt: bool = False,
        of: Of | None = None,
        **options: Any,
    ) -> Bet:
        """Return a bet of 1 on the cards; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.cards.Shoe(decks=1, cards=2).bet({0: 50}, card=1, law="ideal").exact_rtp
        Fraction(25, 26)
        """
        return asking.bet(self, payout, law=law, card=card, dealt=dealt, of=of, **options)

    def tally(
        self,
        rounds: int,
        *,
        card: int | None = None,
        dealt: bool = False,
        of: Of | None = None,
        **options: Any,
    ) -> Tally:
        """Count the cards of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.cards.Shoe(decks=1, cards=2).tally(1000, dealt=True).outcomes
        array([2])
        """
        return asking.tally(self, rounds, {"card": card, "dealt": dealt, "of": of}, **options)
