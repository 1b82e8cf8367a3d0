"""Power and sample size of the tests of outcomes, for a given alternative.

By simulation; for Pearson's test of two laws, the sample size comes from the noncentral chi-square
distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, integer, probability
from provably_fair._core.counts import length
from provably_fair._core.errors import within
from provably_fair._core.optional import optional
from provably_fair._core.table import displayed
from provably_fair._core.tails import binomial_interval, bisected
from provably_fair.distribution import Distribution
from provably_fair.distribution.cells import merge_cells
from provably_fair.distribution.sequences import MOST_LISTED
from provably_fair.games import Game
from provably_fair.names import given_game
from provably_fair.seeds.series import seed_text

from .registry import BY_NAME, results_of
from .report import fairness_report
from .resampling import Judgment
from .sequences import material_of

_TESTS = (*BY_NAME, "any")
_FEWEST, _MOST = 10, 10_000_000
# The search stops when the bracket is within this ratio.
_CLOSE = 1.05
_FINE = 1 << 14
_PEARSON = "chi-square"

Alternative = Game | Distribution | Callable[[int, np.random.Generator], Any]


@displayed
@dataclass(frozen=True)
class Power:
    """The share of simulated data of an alternative that a test rejected.

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
        The number of simulated data sets; 0 where the power is computed, which `low` and `high` are then too.
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
    game: Game | Distribution | str,
    alternative: Alternative | str,
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
    game : Game, str or Distribution
        The null hypothesis: a game, its name, or the exact law of its outcomes.
    alternative : Game, str, Distribution or callable
        The truth: another game, its name, another law, or a function of a number of rounds and a numpy
        generator that returns outcomes.
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
    >>> fair, loaded = (pf.Distribution(range(1, 7), [5, 5, 5, 5, 5, six]) for six in (5, 6))
    >>> found = pf.statistics.power("chi-square", fair, loaded, 2500, sets=200)
    >>> found.low < 0.604 < found.high  # the limit, by the noncentral chi-square distribution
    True
    """
    plan = _Plan.of(test, game, alternative, level, sets, seed)
    return plan.measured(integer("rounds", rounds, _FEWEST))


def rounds_needed(
    test: str,
    game: Game | Distribution | str,
    alternative: Alternative | str,
    power: float = 0.9,
    *,
    level: float = 0.01,
    sets: int = 400,
    seed: int | str = 0,
) -> Power:
    """Return how many rounds a test of outcomes takes to detect an alternative (needs scipy).

    Numbers of rounds are doubled until the power is measured to be enough, and then bisected, to within 5 %.
    For "chi-square" and two laws nothing is simulated: the power is that of the noncentral chi-square
    distribution, so any number of rounds may come out, with the least one that suffices to within 0.01 %.

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
        When ten million rounds aren't enough in simulations; when two laws are equal, or have so many
        outcomes that the test takes them as continuous.

    Notes
    -----
    Of n rounds with the probabilities q instead of p, Pearson's statistic is about a noncentral chi-square
    variable, with as many degrees of freedom as there are cells less one, and the noncentrality
    n sum (q - p)**2 / p [1]_. Cells are merged as the test does it, for the same number of rounds. That is
    the limit of small differences: where one outcome in fifty becomes one in twenty-five, a power of 0.90 is
    0.79 in simulations. `power` simulates any number of rounds.

    .. [1] W. C. Guenther, "Power and sample size for approximate chi-square tests", The American
       Statistician 31 (1977), 83-85.

    Examples
    --------
    >>> fair, loaded = (pf.Distribution(range(1, 7), [5, 5, 5, 5, 5, six]) for six in (5, 6))
    >>> pf.statistics.rounds_needed("chi-square", fair, loaded).rounds
    4234
    >>> ideal, drawn = (pf.Dice().distribution(kind) for kind in ("ideal", "as_drawn"))
    >>> pf.statistics.rounds_needed("chi-square", ideal, drawn).rounds > 10**27
    True
    """
    plan = _Plan.of(test, game, alternative, level, sets, seed)
    wanted = probability("power", power)
    if test == _PEARSON and isinstance(game, Distribution) and isinstance(alternative, Distribution):
        return _needed_by_pearson(game, alternative, plan.level, wanted)
    low, high = _FEWEST, 2 * _FEWEST
    while (last := plan.measured(high)).power < wanted:
        low, high = high, 2 * high
        if high > _MOST:
            raise BadValue("alternative", f"must differ more: {low:,} rounds have power {last.power:.2f}")
    while high > _CLOSE * low:
        middle = round((low * high) ** 0.5)
        measured = plan.measured(middle)
        if measured.power < wanted:
            low = middle
        else:
            high, last = middle, measured
    return last


def _needed_by_pearson(law: Distribution, other: Distribution, level: float, wanted: float) -> Power:
    """Return the least number of rounds with which Pearson's test of one law has a power at another."""
    for name, each in ("game", law), ("alternative", other):
        if length(each) > MOST_LISTED:
            cure = "make laws of ranges, whose weights come from probability_between"
            raise BadValue(name, f"must have at most {MOST_LISTED:,} outcomes, got {length(each):,}: {cure}")
    weights = dict(zip(other.outcomes.tolist(), other.weights, strict=True))
    aligned = [
        weights.pop(outcome, 0) if weight else 0
        for outcome, weight in zip(law.outcomes.tolist(), law.weights, strict=True)
    ]
    for outcome, weight in weights.items():
        if weight:
            raise BadValue("alternative", f"must give outcomes of the game, got {outcome!r:.80}")
    # Compare exactly: laws may differ by less than doubles resolve.
    whole, products = law.total * other.total, zip(law.weights, aligned, strict=True)
    off = np.array([(v * law.total - w * other.total) / whole for w, v in products])
    if not off.any():
        raise BadValue("alternative", "must differ from the game's law")
    stats = optional("scipy.stats", "stats", "rounds_needed")

    def power(rounds: int) -> float:
        begins = merge_cells(law.probabilities * rounds)
        dof = len(begins) - 1
        if not dof:
            return 0.0
        each = np.add.reduceat(off, begins) ** 2 / np.add.reduceat(law.probabilities, begins)
        return float(stats.ncx2.sf(stats.chi2.isf(level, dof), dof, rounds * float(each.sum())))

    low, high = _FEWEST - 1, _FEWEST
    while power(high) < wanted:
        low, high = high, 2 * high
    _, high = bisected(lambda rounds: power(rounds) < wanted, low, high, _FINE)
    reached = power(high)
    return Power(_PEARSON, high, reached, reached, reached, level, 0)


class _Plan(NamedTuple):
    """A test, a game and an alternative, to simulate at any number of rounds."""

    test: str
    game: Any
    alternative: Alternative
    level: float
    sets: int
    seed: str

    @classmethod
    def of(cls, test: Any, game: object, alternative: Any, level: object, sets: object, seed: Any) -> _Plan:
        """Return the plan, with all arguments checked."""
        choice("test", test, _TESTS)
        game = given_game("game", game) if isinstance(game, str) else game
        if isinstance(alternative, str):
            alternative = given_game("alternative", alternative)
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
        """Return the power at a number of rounds, by counting rejected data sets."""
        count = sum(self._rejects(self._data(rounds, f"{self.seed}:{one}")) for one in range(self.sets))
        interval = binomial_interval(count, self.sets)
        return Power(self.test, rounds, count / self.sets, *interval, self.level, self.sets)

    def _data(self, rounds: int, seed: str) -> Any:
        """Return a simulated data set of the alternative."""
        if isinstance(self.alternative, Game):
            return self.alternative.simulate(rounds, seed=seed)
        random = np.random.default_rng(list(seed.encode()))
        if isinstance(self.alternative, Distribution):
            return self.alternative.rvs(rounds, rng=random)
        data = np.asarray(self.alternative(rounds, random))
        if data.shape[:1] != (rounds,):
            raise BadValue("alternative", f"must return {rounds} rounds, got the shape {data.shape}")
        return data

    def _rejects(self, data: Any) -> bool:
        """Return whether the test rejects; one with too few values doesn't."""
        with within("alternative must give outcomes of the game: ", "alternative"):
            if self.test == "any":
                return not fairness_report(data, self.game, level=self.level).ok
            material = material_of(data, self.game)
        results = (result for result, _ in results_of(self.test, material))
        pvalues = [result.pvalue for result in results if isinstance(result, Judgment)]
        return bool(pvalues) and len(pvalues) * min(pvalues) <= self.level
