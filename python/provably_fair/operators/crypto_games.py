"""Crypto.Games' cards: different cards among the bytes of one SHA-512 of server seed, client seed and nonce.

The rules are those of its documents on video poker and blackjack, whose examples are recomputed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.lazy import Lister, lister_of
from provably_fair.games import Deal, Draws, Pack, Range
from provably_fair.games.deals import jokers_of
from provably_fair.seeds import Hash, Scheme

if TYPE_CHECKING:
    from provably_fair.walkthrough import Walkthrough

__all__ = ["POKER_SCHEME", "SCHEME", "Blackjack", "VideoPoker"]
__dir__: Lister = lister_of(__all__)

SCHEME = Scheme(
    Hash("sha512", "{server_seed}{client_seed}{nonce}"),
    bits=8,
    below="reject",
    defaults={"nonce": ""},
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme of blackjack: the bytes of one SHA-512, of which those up to 207 are cards. A nonce is text."""

POKER_SCHEME = replace(SCHEME, below="decimal")
"""The scheme of video poker: the last two decimal digits of a byte, if they are 51 or less."""

_DIGITS = 128


def _blackjack() -> Any:
    """Return the operator's table of blackjack."""
    from provably_fair.cards import Blackjack

    return Blackjack()


def _video_poker() -> Any:
    """Return the operator's table of video poker."""
    from provably_fair.cards import VideoPoker

    return VideoPoker()


class _Hashed(Deal):
    """Cards of a SHA-512, which can be given in place of the seeds."""

    def play(self, *seeds: object, hash: object = None, **named: Any) -> Any:
        """Return the cards of one round, or of many, -1 after the hash is used up; see `Game.play`.

        The nonce may be left out. Instead of seeds, `hash` is a SHA-512, 128 hexadecimal digits, or an array
        of them.

        Examples
        --------
        >>> game = pf.operators.crypto_games.VideoPoker()
        >>> game.play("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn")
        array([49, 17, 46, 39, 40, 28, 30, 36, 21, 44])
        >>> game.play(hash=64 * "05")
        array([ 5, -1, -1, -1, -1, -1, -1, -1, -1, -1])
        """
        if hash is None:
            return super().play(*seeds, **named)
        return super(_Hashed, self._of(hash)).play(*seeds, hash=hash, **named)

    def replay(self, *seeds: object, hash: object = None, **named: Any) -> Any:
        """Play a round from its seeds, or from a hash, and settle it; see `Deal.replay`.

        Examples
        --------
        >>> pf.operators.crypto_games.VideoPoker().replay("server", "client").category
        'three of a kind'
        """
        if hash is None:
            return super().replay(*seeds, **named)
        return super(_Hashed, self._of(hash)).replay(*seeds, hash=hash, **named)

    def explain(self, *seeds: object, hash: object = None, **named: Any) -> Walkthrough:
        """Explain one round, from its seeds or from a hash; see `Deal.explain`.

        Examples
        --------
        >>> walk = pf.operators.crypto_games.VideoPoker().explain(
        ...     "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn", hold=[1, 4]
        ... )
        >>> walk.steps[0].passed, walk.steps[0].result, walk.outcome.category
        ((58,), 49, 'jacks or better')
        """
        if hash is None:
            return super().explain(*seeds, **named)
        return super(_Hashed, self._of(hash)).explain(*seeds, hash=hash, **named)

    def _of(self, hash: Any) -> Any:
        """Return the game under a scheme whose one field is the hash."""
        one = np.ndim(hash) == 0
        for row, text in enumerate([hash] if isinstance(hash, (str, bytes)) else np.ravel(hash).tolist()):
            index = None if one else row
            check_type("hash", text, (str, bytes), "str or bytes", index=index)
            if len(text) != _DIGITS:
                problem = f"must be a SHA-512 of {_DIGITS} hexadecimal digits, got {len(text)}"
                raise BadValue("hash", problem, index=index)
        given = Scheme(Hash("none", "{hash:bytes}"), bits=8, below=self.scheme.below)
        return self.with_scheme(given)


class Blackjack(_Hashed):
    """Crypto.Games' blackjack: bytes up to 207 are the cards of four decks, each card once.

    Its table has the rules of the document. A hash has 64 bytes, so it gives at most 64 cards; about 45 is
    usual.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 208.

    Examples
    --------
    >>> seeds = "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "5v5b85n85vb856nvbn5vbn"
    >>> game = pf.operators.crypto_games.Blackjack(cards=6)
    >>> print(pf.cards.Hand(game.play(*seeds)))
    5♣ 6♦ 3♣ 5♣ 3♠ K♦
    >>> game.replay(*seeds, actions=["double"]).net
    -2.0
    """

    name = "blackjack"
    cards: int = Range(1, 208, default=20)
    scheme = SCHEME
    choice, pack, house_table = "actions", Pack.of(4), _blackjack

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.distinct(208, self.cards)


class VideoPoker(_Hashed):
    """Crypto.Games' video poker: the last two decimal digits of bytes, up to 51, each card once.

    Its table pays for jacks or better; `with_table` gives another, `pf.cards.VideoPoker("bonus_poker")`. Five
    cards are dealt; those not held are replaced, from left to right, by the sixth card and those after it.
    Jokers, which Crypto.Games doesn't have, are the numbers 52 and 53.

    Examples
    --------
    >>> game = pf.operators.crypto_games.VideoPoker()
    >>> server_seed = "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j"
    >>> print(game.replay(server_seed, "bc7v9bn70d7n07sn", hold=[1, 4]))
    J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1
    """

    name = "video-poker"
    scheme = POKER_SCHEME
    choice, house_table = "hold", _video_poker

    @property
    def pack(self) -> Pack:
        """One deck, with the jokers of the game's table."""
        return Pack.of(1, jokers=jokers_of(self))

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.distinct(52 + jokers_of(self), 10)
