"""Games of one multiplier, at which bets can be cashed out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from provably_fair import distribution
from provably_fair._core.tails import bisected
from provably_fair.games.cash_outs import CashOuts
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.kind import uniform
from provably_fair.games.kinds.multiplier import MultiplierGame
from provably_fair.games.looks import Example, Of, Paid
from provably_fair.games.rounds import rounds_of
from provably_fair.seeds.schemes import weights_below

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution


class _Answer:
    """Answers the one draw of a game, and remembers its range `n`."""

    def __init__(self, answer: int) -> None:
        self._answer = answer
        self.n = 1

    def below(self, n: int) -> int:
        """Return the answer."""
        self.n = n
        return min(self._answer, n - 1)

    def note(self, formula: str, value: object) -> None:
        """Ignore notes."""


def _paid_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of a bet with a cash-out, by bisection: the multiplier is monotone in its draw."""
    if not isinstance(of, Paid) or (drawn and game.scheme.below in ("digest", "double")):
        return None
    draw = _Answer(0)
    outcome = rounds_of(game).outcome
    first = bool(outcome(draw) >= of.cash_out)
    # Answers below `high` pay as the first does, answers from `high` on don't.
    _, high = bisected(lambda answer: bool(outcome(_Answer(answer)) >= of.cash_out) == first, 0, draw.n)
    below, total = high, draw.n
    if drawn:
        (less,), total = weights_below(game.scheme, draw.n, [high % draw.n])
        below = less if high < draw.n else total
    paid = below if first else total - below
    return distribution.Distribution([0.0, of.cash_out], [total - paid, paid])


class Rising(MultiplierGame, EngineGame):
    """Base of Crash and Overgo: a multiplier from 1.00."""

    laws = (_paid_law,)
    distance = uniform
    shows_law, pictured = True, Example("at least x", tail=True)  # the tail tells more than the law

    def cash_outs(self, law: str = "best") -> CashOuts:
        """Return the exact chances and returns of automatic cash-outs; see `CashOuts`.

        Examples
        --------
        >>> pf.Overgo().cash_outs("ideal").exact_atom  # steps above 970000 / 1.005, which is 965,174.1...
        Fraction(17413, 500000)
        """
        return CashOuts(self, law)
