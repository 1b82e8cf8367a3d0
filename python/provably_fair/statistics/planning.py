"""The power of tests of outcomes against a stated bias, and how many rounds they need: by simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, integer, probability
from provably_fair._core.errors import within
from provably_fair._core.optional import optional
from provably_fair._core.table import displayed
from provably_fair._core.tails import binomial_interval
from provably_fair.distribution import Distribution
from provably_fair.games import Game
from provably_fair.seeds.series import seed_text

from .registry import BY_NAME, results_of
from .report import fairness_report
from .resampling import Found
from .sequences import material_of

__all__ = ["Power", "power", "rounds_needed"]

_TESTS = (*BY_NAME, "any")
_FEWEST, _MOST = 10, 10_000_000
# Numbers of rounds are told apart that differ by more than this.
_CLOSE = 1.05

Alternative = Game | Distribution | Callable[[int, np.random.Generator], Any]


@displayed
@dataclass(frozen=True)
class Power:
    """How often a test rejected simulated data of an alternative.

    Attributes
    ----------
    test : str
        The test.
    rounds : int
        The number of rounds of each data set.
    power : float
        The share of the data sets that were rejected.
    low, high : float
        The exact 95 % interval of the power (Clopper and Pearson).
    level : float
        A data set is rejected if the p-value is at most this.
    sets : int
        The number of simulated data sets.
    """

    test: str
    rounds: int
    power: float
    low: float
    high: float
    level: float
    sets: int


def power(
    test: str,
    game: Game | Distribution,
    alternative: Alternative,
    rounds: int,
    *,
    level: float = 0.01,
    sets: int = 1000,
    seed: int | str = 0,
) -> Power:
    """Return the power of a test of outcomes: how often it rejects a game where an alternative is true.

    Data sets of the alternative are simulated, and tested as if they were the game's (needs scipy). For the
    test of a bet's return, `Bet.power` is exact; for a `Monitor` there is `Bet.rounds_until_alarm`.

    Parameters
    ----------
    test : str
        A test that a standard names, as a clause of `certify` has it: "chi-square", "runs", "gap",
        "serial correlation", "interplay", ...; or "any", which is slow: `fairness_report` rejects.
    game : Game or Distribution
        What is tested: a game, or the exact law of its outcomes.
    alternative : Game, Distribution or callable
        What is true: another game, another law, or a function of a number of rounds and a numpy generator
        that returns outcomes.
    rounds : int
        The number of rounds, at least 10.
    level : float
        The test rejects if the p-value is at most this.
    sets : int
        The number of simulated data sets.
    seed : int or str
        Data set i is that of the series ``f"{seed}:{i}"``.

    Returns
    -------
    Power
        ``.power``, and its exact 95 % interval, ``.low`` and ``.high``.

    Examples
    --------
    >>> import provably_fair as pf
    >>> fair, loaded = (pf.Distribution(range(1, 7), [5, 5, 5, 5, 5, six]) for six in (5, 6))
    >>> found = pf.statistics.power("chi-square", fair, loaded, 2500, sets=200)
    >>> found.low < 0.604 < found.high  # the limit, by the noncentral chi-square distribution
    True
    """
    plan = _Plan.of(test, game, alternative, level, sets, seed)
    return plan.measured(integer("rounds", rounds, _FEWEST))


def rounds_needed(
    test: str,
    game: Game | Distribution,
    alternative: Alternative,
    power: float = 0.9,
    *,
    level: float = 0.01,
    sets: int = 400,
    seed: int | str = 0,
) -> Power:
    """Return how many rounds a test of outcomes takes to detect an alternative (needs scipy).

    Numbers of rounds are doubled until the power is measured to be enough, and then bisected, to within 5 %.

    Parameters
    ----------
    test, game, alternative, level, sets, seed
        See `power`.
    power : float
        The probability with which the test must reject.

    Returns
    -------
    Power
        ``.rounds``, and the power that was measured with these.

    Raises
    ------
    ValueError
        When ten million rounds aren't enough.

    Examples
    --------
    >>> import provably_fair as pf
    >>> fair, loaded = (pf.Distribution(range(1, 7), [5, 5, 5, 5, 5, six]) for six in (5, 6))
    >>> needed = pf.statistics.rounds_needed("chi-square", fair, loaded, sets=100)
    >>> 3500 < needed.rounds < 5500, needed.power >= 0.9
    (True, True)
    """
    plan = _Plan.of(test, game, alternative, level, sets, seed)
    wanted = probability("power", power)
    low, high = _FEWEST, 2 * _FEWEST
    while (found := plan.measured(high)).power < wanted:
        low, high = high, 2 * high
        if high > _MOST:
            raise BadValue("alternative", f"must differ more: {low:,} rounds have power {found.power:.2f}")
    while high > _CLOSE * low:
        middle = round((low * high) ** 0.5)
        measured = plan.measured(middle)
        if measured.power < wanted:
            low = middle
        else:
            high, found = middle, measured
    return found


class _Plan(NamedTuple):
    """What is simulated and tested, with any number of rounds."""

    test: str
    game: Any
    alternative: Alternative
    level: float
    sets: int
    seed: str

    @classmethod
    def of(cls, test: Any, game: object, alternative: Any, level: object, sets: object, seed: Any) -> _Plan:
        """Check all of it."""
        choice("test", test, _TESTS)
        check_type("game", game, (Game, Distribution), "a game or a Distribution")
        if not isinstance(alternative, (Game, Distribution)) and (
            isinstance(alternative, type) or not callable(alternative)
        ):
            allowed = "a game, a Distribution or a function of rounds and a generator"
            raise BadType("alternative", f"must be {allowed}, got {type(alternative).__name__}")
        optional("scipy.stats", "stats", "power")
        checked = probability("level", level), integer("sets", sets, 1), seed_text(seed)
        return cls(test, game, alternative, *checked)

    def measured(self, rounds: int) -> Power:
        """Count the data sets that are rejected."""
        series = (f"{self.seed}:{number}" for number in range(self.sets))
        count = sum(
            _rejects(self.test, self.game, _data(self.alternative, rounds, one), self.level) for one in series
        )
        interval = binomial_interval(count, self.sets)
        return Power(self.test, rounds, count / self.sets, *interval, self.level, self.sets)


def _data(alternative: Alternative, rounds: int, seed: str) -> Any:
    """Return a data set of the alternative."""
    if isinstance(alternative, Game):
        return alternative.simulate(rounds, seed=seed)
    random = np.random.default_rng(list(seed.encode()))
    if isinstance(alternative, Distribution):
        return alternative.rvs(rounds, rng=random)
    data = np.asarray(alternative(rounds, random))
    if data.shape[:1] != (rounds,):
        raise BadValue("alternative", f"must return {rounds} rounds, got the shape {data.shape}")
    return data


def _rejects(test: str, game: Any, data: Any, level: float) -> bool:
    """Return whether a test rejects; where it needs more values, it doesn't."""
    with within("alternative must give outcomes of the game: ", "alternative"):
        if test == "any":
            return not fairness_report(data, game, level=level).ok
        material = material_of(data, game)
    pvalues = [found.pvalue for found, _ in results_of(test, material) if isinstance(found, Found)]
    return bool(pvalues) and len(pvalues) * min(pvalues) <= level
