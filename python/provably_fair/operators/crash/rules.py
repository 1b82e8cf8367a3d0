"""The rules of the two families of crash games on hash chains."""

from __future__ import annotations

import itertools
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.numbers import exact_number
from provably_fair.games import Game, Range
from provably_fair.games.draws import Draws
from provably_fair.games.kind import fact, uniform
from provably_fair.games.kinds import MultiplierGame
from provably_fair.games.laws import tried_law
from provably_fair.seeds import Hash, Scheme
from provably_fair.seeds.schemes import weights_below

from ..stake import CHAIN

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

DIVISIBLE_SCHEME = replace(
    CHAIN,
    words=None,
    defaults={"salt": "000000000000000007a9a31ff7f07463d91af6b5454241d5faf282e5e0fe1b3a"},
)
"""The scheme of `Divisible`: the key is a game's hash, the message the salt, by default bustabit's."""

RAW_SCHEME = Scheme(
    Hash("sha256", "{game_hash:bytes}", key="{salt}"),
    bits=52,
    words=1,
    defaults={"salt": "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526"},
)
"""The scheme of `Raw`: the key is the salt, by default bustabit's, the message a game's hash as 32 bytes."""

_BITS, _DIGEST = 52, 256


def with_salt(scheme: Scheme, salt: str) -> Scheme:
    """Return the scheme of another chain, whose salt is the default."""
    return replace(scheme, defaults={"salt": salt})


def _divisible_law(game: Any, drawn: bool, of: Any) -> Distribution | None:
    """Return the law of the multiplier, by counting the digests of each that aren't divisible."""
    (first,), total = weights_below(game.scheme, 1 << 32, [1])
    if drawn and first << 32 != total:  # words of unequal probability
        return None
    # Digests with the same multiplier are a range: the multiples of the divisor in it are counted.
    divisor = game.divisor
    law = tried_law(_FirstBits(), False, of, game)
    at_once = np.array([float(game.instant), 1.0])  # and the multiplier of x = 0
    busted, least = (at_once if of is None else np.asarray(of(at_once))).tolist()
    rises = law.outcomes[0] == least
    weights = law.weights if rises else law.weights[::-1]
    ends = [x << _DIGEST - _BITS for x in itertools.accumulate(weights, initial=0)]
    divided = [-(-end // divisor) for end in ends]  # the number of multiples below each end
    kept = [
        more - less - (later - earlier)
        for (less, more), (earlier, later) in zip(
            itertools.pairwise(ends), itertools.pairwise(divided), strict=True
        )
    ]
    outcomes = law.outcomes if rises else law.outcomes[::-1]
    return distribution.Distribution([busted, *outcomes.tolist()], [divided[-1], *kept])


class DivisibleRule(MultiplierGame):
    """Crash with an instant bust if the digest is divisible; a class states the numbers."""

    scheme = DIVISIBLE_SCHEME
    divisor = fact("what divides the digest of an instant bust")
    instant = fact("the outcome of an instant bust")
    tail, laws, distance, quick = 1000, (_divisible_law,), uniform, True

    def outcome(self, draws: Draws) -> np.ndarray:
        divisor, instant = self.divisor, float(self.instant)
        digest = [draws.below(1 << 32) for _ in range(_DIGEST // 32)]
        remainder = np.zeros(draws.rounds, dtype=np.int64)
        for word in digest:
            remainder = (remainder * (1 << 32) + word) % divisor
        draws.note(f"the whole digest mod {divisor}, where 0 is a bust at {instant:.2f}", remainder)
        first = digest[0] << 20 | digest[1] >> 12
        draws.note("x, the first 52 bits of the digest", first)
        return np.where(remainder == 0, instant, _first_rule(first, draws))


def _first_rule(x: np.ndarray, draws: Draws) -> np.ndarray:
    hundredths = ((100 << _BITS) - x) / ((1 << _BITS) - x)
    draws.note("(100 * 2^52 - x) / (2^52 - x), in hundredths, before rounding down", hundredths)
    multiplier: np.ndarray = np.floor(hundredths) / 100
    return multiplier


class _FirstBits(Game):
    """The multiplier of a digest that isn't divisible, from its first bits."""

    monotone = True

    def outcome(self, draws: Draws) -> np.ndarray:
        return _first_rule(draws.below(1 << _BITS), draws)


class Divisible(DivisibleRule):
    """A crash game of bustabit's first kind: the multiplier at which a game busts.

    It is an instant bust if the whole digest is divisible by `divisor`; otherwise ``floor((100 * 2**52 - x) /
    (2**52 - x)) / 100`` of its first 52 bits x.

    Parameters
    ----------
    divisor : int
        One game in this many is an instant bust, 2 to 1,000,000.
    instant : float
        The outcome of an instant bust: 0 or 1.

    Notes
    -----
    Checked on 0 published rounds itself; its members are, such as `roobet.Crash`.

    Examples
    --------
    >>> clone = pf.operators.crash.Divisible(divisor=20, instant=1.0)
    >>> float(clone.play("6a" * 32, "the clone's salt"))
    2.12
    >>> clone.distribution(of=lambda busts: busts == 1).probabilities.round(6)
    array([0.9405, 0.0595])
    """

    divisor: int = Range(2, 1_000_000, default=101)
    instant: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.instant, bool) or self.instant not in (0, 1):
            raise BadValue("instant", f"must be 0.0 or 1.0, got {self.instant!r:.50}")


class RawRule(MultiplierGame):
    """Crash of the first 52 bits, less a house edge that a class states."""

    scheme = RAW_SCHEME
    edge = fact("the house edge")
    tail = 1000

    def outcome(self, draws: Draws) -> np.ndarray:
        paid = float(100 * (1 - Fraction(self.edge)))
        with np.errstate(divide="ignore"):  # rounded to few digits, a number may be 1: a bust at infinity
            hundredths = paid / (1 - draws.number())
        draws.note(f"{paid:.15g} / (1 - draw), in hundredths, before rounding down", hundredths)
        return np.maximum(1, np.floor(hundredths) / 100)


class Raw(RawRule):
    """A crash game of bustabit's second kind: the multiplier at which a game busts, from 1.00.

    ``max(1, floor(100 * (1 - edge) / (1 - r)) / 100)`` of r, the first 52 bits divided by 2**52.

    Parameters
    ----------
    edge : str or number
        The house edge, from 0 to below 1. It is exact: a float stands for the decimal that it prints as, and
        is kept as text.
    digits : int, optional
        The digits of r that are kept, 1 to 15, under any scheme: see `Scheme.digits`. By default those that
        the scheme keeps.

    Notes
    -----
    Checked on 0 published rounds itself; its members are: `bustabit.V2` and `bcgame.Crash`.

    Examples
    --------
    >>> clone = pf.operators.crash.Raw(edge=0.03)
    >>> float(clone.play("6a" * 32, "the clone's salt"))
    3.65
    >>> clone.distribution(of=lambda busts: busts >= 2).mean()
    0.485
    """

    edge: str | float = "0.01"
    digits: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.edge, (Real, Decimal)) and not isinstance(self.edge, bool):
            object.__setattr__(self, "edge", str(self.edge))
        check_type("edge", self.edge, str, "a number, or a decimal such as '0.01'")
        edge = exact_number(self.edge, "edge")
        if not 0 <= edge < 1:
            raise BadValue("edge", f"must be from 0 to below 1, got {self.edge!r:.50}")
        if self.digits is not None:
            object.__setattr__(self, "scheme", replace(type(self).scheme, digits=self.digits))

    def with_scheme(self, scheme: Scheme) -> Any:
        return super().with_scheme(scheme if self.digits is None else replace(scheme, digits=self.digits))
