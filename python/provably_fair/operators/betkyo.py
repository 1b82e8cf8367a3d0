"""Betkyo's limbo, roulette, sic bo and koban: HMAC-SHA256 of client seed, nonce and cursor.

As recomputed from published rounds: the operator's own worked example of 2026
(github.com/betkyo-open-labs/provably-fair-verifier). The example shows no payouts: bets on games other than
limbo take them.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.tails import bisected
from provably_fair.games import Game, Range
from provably_fair.games.answering import law_of
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import MultiplierGame, PartsGame, WheelGame
from provably_fair.games.laws import mapped
from provably_fair.games.looks import OfPart
from provably_fair.seeds import Hash, Scheme

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = ["SCHEME", "Koban", "Limbo", "Roulette", "SicBo"]
__dir__: Lister = lister_of(__all__)

SCHEME = Scheme(
    Hash("sha256", "{client_seed}-{nonce}-{cursor}", key="{server_seed}"),
    bits=32,
    words=2,
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme: a number is made of the first 8 bytes of the digest at its cursor."""

_WORDS = 1 << 32


def _number(words: np.ndarray) -> np.ndarray:
    """Return the numbers of digests, each from its two words; they may be rounded to 1."""
    found: np.ndarray = words[..., 0] / 2.0**32 + words[..., 1] / 2.0**64
    return found


def _choice(words: np.ndarray, n: int) -> np.ndarray:
    """Return one of 0 ... n - 1 by the number of a digest."""
    found: np.ndarray = np.minimum(np.floor(_number(words) * n), n - 1).astype(np.int64)
    return found


@cache
def _heads(n: int) -> list[int]:
    """Return the number of values of the first 8 bytes that give each of 0 ... n - 1."""

    def begin(choice: int) -> int:
        # Whole numbers are divided with one rounding.
        return bisected(lambda head: head / 2**64 * n < choice, -1, 1 << 64)[1]

    begins = map(begin, range(n))
    return [end - begin for begin, end in itertools.pairwise([*begins, 1 << 64])]


def _choice_distance(n: int, game: Any) -> Fraction:
    """Return the distance of a game's choices among n values from uniform ones, summed in total variation."""
    apart = (abs(Fraction(count, 1 << 64) - Fraction(1, n)) for count in _heads(n))
    parts: int = math.prod(game.shape)
    return parts * sum(apart, Fraction(0)) / 2


def _multiplier_distance(_game: Any) -> Fraction:
    """Return a bound on the distance of limbo's multiplier from its ideal law, in total variation.

    Each multiplier but the least, of 100 hundredths, begins at one number. The shares of the multiples of
    2**-53 and of the 8 bytes below it differ by less than 2**-52: a step, and half a step for rounding.
    """
    return (1_000_000 - 100) * Fraction(1, 1 << 52)


def _choice_law(values: range, game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the law of one of some values: ideally equally probable; as drawn, by all first 8 bytes."""
    if drawn and (game.scheme.bits, game.scheme.below) != (32, "scale"):
        return None  # under another scheme, words may not be equally probable
    if game.shape:
        if not isinstance(of, OfPart):
            return None
        of = of.of
    n = len(values)
    return mapped(distribution.Distribution(values, _heads(n) if drawn else [1] * n), of)


def _number_law(_game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the ideal law: that of a uniform double in place of two words."""
    return None if drawn else law_of(_OfNumber(), False, of)


class Limbo(MultiplierGame):
    """Betkyo's limbo: a multiplier from 1.00 to 10,000.00.

    ``floor(0.99 / (1 - u) * 100)`` hundredths, at least 100 and at most 1,000,000, of u, the first 8 bytes
    divided by 2**64, rounded once. The ideal law is that of the doubles of a number.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> server_seed = f"{1:064}"
    >>> float(pf.operators.betkyo.Limbo().play(server_seed, "betkyo", 1))
    1.86
    """

    scheme = SCHEME
    tail, laws, distance, quick = 1000, (_number_law,), _multiplier_distance, True

    def outcome(self, draws: Draws) -> np.ndarray:
        number = _number(draws.each(2).below(_WORDS))
        draws.note("the first 8 bytes / 2^64", number)
        return _multiplier(number, draws)


class _OfNumber(Game):
    """The multiplier of a uniform double."""

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws.number(), draws)


def _multiplier(number: np.ndarray, draws: Draws) -> np.ndarray:
    with np.errstate(divide="ignore"):  # for a number that is rounded to 1
        hundredths = 0.99 / (1 - number) * 100
    draws.note("0.99 / (1 - number) * 100, in hundredths, before rounding down", hundredths)
    multiplier: np.ndarray = np.clip(np.floor(hundredths), 100, 1_000_000) / 100
    return multiplier


class Roulette(WheelGame):
    """Betkyo's roulette: a pocket from 0 to 36, ``floor(u * 37)``, of the same number u as limbo's.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> int(pf.operators.betkyo.Roulette().play(f"{1:064}", "betkyo", 1))
    17
    """

    scheme = SCHEME
    sectors, quick = 37, True
    laws, distance = (partial(_choice_law, range(37)),), partial(_choice_distance, 37)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _choice(draws.each(2).below(_WORDS), 37)


class SicBo(PartsGame):
    """Betkyo's sic bo: three dice, each ``floor(u * 6) + 1`` of the number u at its cursor, 0 to 2.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> pf.operators.betkyo.SicBo().play(f"{1:064}", "betkyo", 1)
    array([3, 2, 1])
    """

    scheme = SCHEME
    part_name, laws, distance = "die", (partial(_choice_law, range(1, 7)),), partial(_choice_distance, 6)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _choice(draws.each(3, "die", 2).below(_WORDS), 6) + 1


class Koban(PartsGame):
    """Betkyo's koban: the faces of a coin, 0 omote or 1 ura, for each flip.

    A face is 0 where the number u at the cursor of its flip, from 0, is below 0.5.

    Parameters
    ----------
    flips : int
        The number of flips, 1 to 1000. The published round has five; how many a player may have isn't known.

    Notes
    -----
    Checked on 1 published round.

    Examples
    --------
    >>> pf.operators.betkyo.Koban().play(f"{1:064}", "betkyo", 1)
    array([0, 0, 0, 1, 0])
    """

    flips: int = Range(1, 1000, default=5)
    scheme = SCHEME
    part_name, words = "flip", {"omote": 0, "ura": 1}
    laws, distance = (partial(_choice_law, range(2)),), partial(_choice_distance, 2)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _choice(draws.each(self.flips, "flip", 2).below(_WORDS), 2)
