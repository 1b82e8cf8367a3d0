"""The rate at which two games, or two readings of a rule, disagree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, integer
from provably_fair._core.table import displayed
from provably_fair._core.tails import binomial_interval
from provably_fair.games import Game
from provably_fair.games.laws import one_draw
from provably_fair.games.rounds import simulated_rounds
from provably_fair.names import given_game
from provably_fair.seeds.rounds import one_round
from provably_fair.seeds.series import seed_text

_EXAMPLES = 5
_PIECE = 1 << 18


@displayed
@dataclass(frozen=True)
class Difference:
    """The share of rounds in which two games differ on the same seeds.

    Attributes
    ----------
    share : float
        The share of rounds in which they differ.
    exact_share : fractions.Fraction or None
        The exact share, if both games make one draw; None if rounds were simulated.
    interval : tuple of float
        The confidence interval of the share at 95 %: Clopper and Pearson's for simulated rounds. For an exact
        share, both ends are the share.
    rounds : int
        The number of simulated rounds, which the examples are from.
    examples : tuple of (dict, object, object)
        The first rounds that differ: their fields, and both outcomes.
    """

    share: float
    exact_share: Fraction | None
    interval: tuple[float, float]
    rounds: int
    examples: tuple[tuple[dict[str, Any], Any, Any], ...]

    def __str__(self) -> str:
        low, high = self.interval
        how = (
            "exactly"
            if self.exact_share is not None
            else f"{self.rounds:,} rounds simulated; at 95 % {low:.4%} to {high:.4%}"
        )
        lines = [f"different in {self.share:.4%} of rounds ({how})"]
        for fields, one, other in self.examples:
            named = ", ".join(f"{name}={value!r}" for name, value in fields.items())
            lines.append(f"  {named}: {one} and {other}")
        return "\n".join(lines)


def difference(a: Game | str, b: Game | str, *, rounds: int = 100_000, seed: int | str = 0) -> Difference:
    """Return the share of rounds in which two games give different outcomes, with examples.

    Parameters
    ----------
    a, b : Game or str
        Two games, or their names ("stake.dice", "mines:mines=5"), under schemes of the same fields: two
        readings of a rule, or one game under two schemes.
    rounds : int
        The number of rounds to simulate.
    seed : int or str
        The series of rounds, see `Game.simulate`.

    Returns
    -------
    Difference
        The share with its interval, and examples with their seeds. It is exact where both games make one
        draw of a scaled range, or of a number from which their outcomes rise or fall (`Game.monotone`).

    Raises
    ------
    TypeError, ValueError
        When the games can't be compared: their schemes have other fields, or their outcomes other shapes.

    Examples
    --------
    >>> class One(pf.Game):
    ...     def outcome(self, draws):
    ...         return draws.below(10) // 2
    >>> class Other(pf.Game):
    ...     def outcome(self, draws):
    ...         return (draws.below(10) + 1) // 2
    >>> round(pf.difference(One(), Other()).share, 9)
    0.5
    """
    a, b = given_game("a", a), given_game("b", b)
    rounds = integer("rounds", rounds, 1, 1 << 32)
    name = seed_text(seed)
    if a.scheme.fields != b.scheme.fields:
        raise BadValue("b", f"must have the fields of a's scheme, {a.scheme.fields}, got {b.scheme.fields}")
    if a.shape != b.shape:
        raise BadValue("b", f"must have outcomes of the shape of a's, {a.shape}, got {b.shape}")
    count = 0
    examples: list[tuple[dict[str, Any], Any, Any]] = []
    simulated = simulated_rounds(a, rounds, name)
    for first in range(0, rounds, _PIECE):
        now = min(_PIECE, rounds - first)
        fields = simulated.values(first, now)
        one, other = (np.asarray(game.play(**fields)) for game in (a, b))
        pair = [outcomes.reshape(now, -1) for outcomes in (one, other)]
        if not (a.ordered and b.ordered):  # a set has no order in which the other could differ
            pair = [np.sort(outcomes, axis=1) for outcomes in pair]
        apart = (pair[0] != pair[1]).any(axis=1)
        count += int(apart.sum())
        shown = np.flatnonzero(apart)[: _EXAMPLES - len(examples)].tolist()
        examples += [(one_round(fields, row), one[row].tolist(), other[row].tolist()) for row in shown]
    exact = _exact_share(a, b)
    if exact is not None:
        return Difference(float(exact), exact, (float(exact), float(exact)), rounds, tuple(examples))
    return Difference(count / rounds, None, binomial_interval(count, rounds, 0.95), rounds, tuple(examples))


def _exact_share(a: Game, b: Game) -> Fraction | None:
    """Return the share of words of a single draw on which the games differ; None if it can't be computed."""
    if a.scheme != b.scheme:
        return None
    one, other = one_draw(a), one_draw(b)
    if one is None or other is None or one.total != other.total:
        return None
    firsts = np.union1d(one.firsts, other.firsts)
    apart = one.at(firsts) != other.at(firsts)
    ends = [*firsts[1:].tolist(), one.total]
    differing = sum(
        end - begin
        for begin, end, differs in zip(firsts.tolist(), ends, apart.tolist(), strict=True)
        if differs
    )
    return Fraction(differing, one.total)
