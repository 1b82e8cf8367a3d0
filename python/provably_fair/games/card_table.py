"""The kind of cards: questions about deals, their laws, and the schemes that have enough words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import BadValue, integer
from provably_fair.seeds.schemes import passes_over, weights_below, words_of_round

from .kind import Kind, Question, Texts, of_outcomes, one_question
from .laws import UnlistedLawError, draws_again
from .looks import Dealt, Of, View
from .samples import Cell

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = ["card_table"]


def _view_of_card(game: Any, asked: Any) -> View:
    return View(Cell(integer("card", asked, 0, game.shape[0] - 1)))


def _view_of_dealt(_game: Any, _asked: Any) -> View:
    return View(Dealt())


_CARDS = (
    Question("card", "int | None", "int\nThe place of a card, from 0.", _view_of_card),
    Question(
        "dealt", "bool", "bool\nHow many cards there are before the digest is used up.", _view_of_dealt, False
    ),
    of_outcomes("outcomes, an array (N, cards)"),
)
_CARDS_TEXTS = Texts(
    "Return the exact law of a card, of how many cards are dealt, or of a function of the cards.",
    law='"ideal" or "as_drawn". As drawn cards are missing, -1, with the chance that the digest is used up.',
    returns="Of what is asked.",
    raises="ValueError\n    When there are too many combinations; the message says how many.",
    examples=""">>> import provably_fair as pf
>>> game = pf.operators.crypto_games.Blackjack(cards=50)
>>> float(game.distribution(card=0).pmf(17)) == 1 / 208
True
>>> print(f"{game.distribution('as_drawn', dealt=True).cdf(42):.4f}")
0.1309""",
)


def _dealt_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of one card or of the number of cards, if all are different cards of a pack.

    A digest's words are read one after the other: with d cards dealt, a word is a new card with the
    probability of the n - d others.
    """
    if not isinstance(of, Cell | Dealt):
        return None
    cards, n = game.shape[0], len(game.kind.pack.numbers)
    # A rule that takes cards out of the pack needs one word for each.
    words = words_of_round(game.scheme) if drawn and draws_again(game) else None
    if drawn and (not passes_over(game.scheme) or game.scheme.words is not None):
        return None  # words aren't drawn one after the other like this
    if words is None:
        values = [cards] if isinstance(of, Dealt) else range(n)
        return distribution.Distribution(values, [1] * len(values))
    # One in this many words is a given card.
    each, every = weights_below(game.scheme, n, [1])[0][0], 1 << game.scheme.bits
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


def _missing(game: Any) -> Fraction:
    """Return the chance that cards are missing, which the ideal law leaves out."""
    if words_of_round(game.scheme) is None or not draws_again(game):
        return Fraction(0)
    dealt = _dealt_law(game, True, Dealt())
    if dealt is None:
        raise UnlistedLawError("nothing says how often a digest is used up before all cards are dealt")
    fewer = [
        weight for count, weight in zip(dealt.outcomes, dealt.weights, strict=True) if count < game.shape[0]
    ]
    return Fraction(sum(fewer), dealt.total)


def _cards_material(game: Any, values: np.ndarray) -> Any:
    from provably_fair.distribution.sequences import shuffle_material

    return shuffle_material(values, len(game.kind.pack.numbers), repr(game), None)


def _holds_cards(game: Any, scheme: Any) -> None:
    """Refuse a scheme whose one digest has fewer words than a round has draws."""
    words, swaps = words_of_round(scheme), game.kind.facts["swaps"]
    needed, each = (game.shape[0], "card") if swaps is None else (swaps, "swap")
    if words is not None and words < needed:
        problem = f"must have {needed} words, one for each {each}, as it reads no further digest"
        raise BadValue("scheme", f"{problem}, got {words}")
    weights_below(scheme, len(game.kind.pack.numbers), [])  # refuses more cards than words


def card_table(
    choice: str,
    pack: Any,
    *,
    cards: Any = "cards",
    swaps: int | None = None,
    of: Kind | None = None,
    table: Any = None,
    **others: Any,
) -> Kind:
    """Return the kind of cards that are played at a table; see `Deal`.

    Parameters
    ----------
    choice : {"actions", "hold"}
        The log's field of the player's decisions.
    pack : Pack or callable
        The pack that is dealt.
    cards : int, str or callable
        The number of cards.
    swaps : int, optional
        The number of draws that shuffle the whole pack; by default each card takes one.
    of : Kind, optional
        The kind of the cards; by default that of different cards of the pack.
    table : callable, optional
        Returns the operator's own table, if its rules are known.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Shoe(pf.games.Deal):
    ...     kind = pf.games.kinds.card_table("actions", pf.games.Pack.of(2), cards=20)
    ...     def outcome(self, draws):
    ...         return draws.sample(104, 20)
    >>> game = Shoe().with_table(pf.cards.Blackjack())
    >>> game.replay("server", "client", "salt", strategy="basic").net
    -1.0
    """
    if of is None:
        of = Kind(
            name="cards",
            questions=_CARDS,
            texts=_CARDS_TEXTS,
            view=one_question,
            shape=(cards,),
            dtype=int,
            laws=(_dealt_law,),
            distance=_missing,
            material=_cards_material,
        )
    facts = {**of.facts, "swaps": swaps}
    return replace(of, facts=facts, choice=choice, pack=pack, table=table, fits=_holds_cards, **others)
