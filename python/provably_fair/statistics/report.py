"""The fairness report on outcomes or raw numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadValue, is_single, probability
from provably_fair._core.optional import optional
from provably_fair._core.printable import html
from provably_fair._core.report import TONES, Case, Report, section
from provably_fair._core.table import Colored, displayed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.games import Game
from provably_fair.games.naming import title_of, typed_name
from provably_fair.games.parameters import changed
from provably_fair.names import given_game

from .corrections import holm
from .registry import reported_results
from .sequences import material_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MIN_ROUNDS = 10
_LEAST_DRAWN = 1e-12
"""Smaller p-values are drawn here: a logarithmic axis has no zero."""


@displayed
@dataclass(frozen=True)
class FairnessTest:
    """The result of one test.

    Attributes
    ----------
    name : str
        The test.
    sequence : str
        The sequence tested: "outcomes", "reels 1-4", ...
    statistic : float
        The test's statistic.
    null : str
        The statistic's distribution under a fair generator.
    pvalue : float
        The probability of a statistic at least this extreme.
    pvalue_below : float
        The probability of a more extreme statistic. It differs from `pvalue` only for discrete statistics.
    adjusted : float
        The p-value after Holm's correction for all tests of the report.
    rejected : bool
        Whether `adjusted` is at most the report's level.
    source : str
        Where the test and its law come from.
    """

    name: str
    sequence: str
    statistic: float
    null: str
    pvalue: float
    pvalue_below: float
    adjusted: float
    rejected: bool
    source: str


@displayed
@dataclass(frozen=True)
class SkippedTest:
    """A test that needs more data: `needed` values of the sequence that it would have tested."""

    name: str
    sequence: str
    needed: int


@displayed
@dataclass(frozen=True)
class FairnessReport(Report):
    """The results of all tests of some data.

    Attributes
    ----------
    game : str
        The game, as it can be typed, or the kind of data: "numbers".
    rounds : int
        The number of rows of data.
    level : float
        The family-wise level: an upper bound on the probability that any test rejects fair data.
    tests : tuple of FairnessTest
        The results.
    skipped : tuple of SkippedTest
        The tests that need more data.
    title : str
        The game in words, with the operator: "Stake's dice"; "" if there are none.
    compared : str
        What fair means here: rounds of the game's own law, and how far that is from equally likely values; ""
        for numbers.
    """

    game: str
    rounds: int
    level: float
    tests: tuple[FairnessTest, ...]
    skipped: tuple[SkippedTest, ...] = ()
    title: str = ""
    compared: str = ""

    _what = "Fairness"

    @property
    def ok(self) -> bool:
        """Whether no test rejects."""
        return not any(test.rejected for test in self.tests)

    @property
    def verdict(self) -> str:
        """The result in words."""
        few = ", ".join(f"{test.name} ({test.sequence}, from {test.needed:,})" for test in self.skipped)
        fair = "rounds of its own law" if self.compared else "fair ones"
        few = f" {self.compared}" * bool(self.compared) + (f" Too few values for: {few}." if few else "")
        if self.ok:
            return (
                f"No test of {len(self.tests)} finds {self.rounds:,} rounds of {self.game} unlike {fair}, at "
                f"a family-wise level of {self.level:.2%}. This doesn't prove fairness: defects too small "
                "for this many rounds pass, and so may outcomes chosen with a bet in mind."
                f"{few}"
            )
        names = ", ".join(f"{test.name} ({test.sequence})" for test in self.tests if test.rejected)
        return (
            f"{self.rounds:,} rounds of {self.game} aren't like {fair}: {names}. Of fair data sets at "
            f"most {self.level:.2%} are rejected like this. The tests say that the data differ from the "
            "game's law or aren't independent; they don't say why, nor who gains by it."
            f"{few}"
        )

    def __getitem__(self, name: str) -> FairnessTest:
        """Return a test by its name, the first if several sequences have it."""
        for test in self.tests:
            if test.name == name:
                return test
        raise KeyError(f"no test {name!r}; there are {sorted({test.name for test in self.tests})}")

    def to_dict(self) -> JsonDict:
        """Return the report as plain values."""
        return {
            "schema": "provably_fair.fairness/1",
            "game": self.game,
            "rounds": self.rounds,
            "level": self.level,
            "ok": self.ok,
            "verdict": self.verdict,
            "compared": self.compared,
            "tests": [asdict(test) for test in self.tests],
            "skipped": [asdict(test) for test in self.skipped],
            "version": __version__,
        }

    def _columns(self) -> Columns:
        return {
            field.name: [getattr(test, field.name) for test in self.tests] for field in fields(FairnessTest)
        }

    def _about(self) -> str:
        return self.game

    def _lines(self) -> list[tuple[str, str]]:
        return [
            ("game", f"{self.game}: {self.title}" if self.title else self.game),
            ("rows", f"{self.rounds:,}"),
            ("tests", f"{len(self.tests)}, at a family-wise level of {self.level:g}"),
            ("by", f"provably_fair {__version__}"),
        ]

    def _headline(self) -> str:
        rejected = sum(test.rejected for test in self.tests)
        of = f"of {len(self.tests)} tests rejected"
        return f"no test {of}" if self.ok else f"REJECTED: {rejected} {of}"

    def _details(self) -> str:
        return f"{text_table(_COLUMNS, [_cells(test) for test in self.tests], 'l')}\n{self.verdict}"

    def _sections(self) -> str:
        color = TONES["bad"]
        rows = [
            [Colored(cell, color) if test.rejected else cell for cell in _cells(test)] for test in self.tests
        ]
        table = section("All tests", html_table(_COLUMNS, rows, "l"), wide=True)
        return f"<p>{html(self.verdict, None)}</p>{table}"

    def _cases(self) -> list[Case]:
        return [
            Case(
                f"{test.name} ({test.sequence})",
                "failure" if test.rejected else "passed",
                f"p-value {test.pvalue:.4g}, adjusted {test.adjusted:.4g}",
                f"statistic {test.statistic:.4g}; if fair: {test.null}; {test.source}",
            )
            for test in self.tests
        ]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the p-values of all tests, with Holm's level for each; see `Distribution.plot`.

        Examples
        --------
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> report.plot().get_xlabel()
        'p-value'
        """
        from provably_fair._core.drawing import COLORS, axes

        several = len({test.sequence for test in self.tests}) > 1
        tests = sorted(self.tests, key=lambda test: test.pvalue)
        ax = axes(ax, 6.4, 1.3 + 0.22 * len(tests))
        places = np.arange(len(tests))
        values = np.array([max(test.pvalue, _LEAST_DRAWN) for test in tests])
        rejected = np.array([test.rejected for test in tests], dtype=bool)
        for chosen, marker, color, name in (
            (~rejected, "o", "blue", "passed"),
            (rejected, "X", "vermilion", "rejected"),
        ):
            if chosen.any():
                ax.plot(values[chosen], places[chosen], marker, color=COLORS[color], markersize=7, label=name)
        name = f"level by Holm, {self.level:g} in all"
        ax.plot(self.level / (len(tests) - places), places, "--", color="black", linewidth=1, label=name)
        names = [f"{test.name} ({test.sequence})" if several else test.name for test in tests]
        ax.set_yticks(places, names, fontsize=9)
        ax.set(xscale="log", ylim=(len(tests) - 0.4, -0.6), xlabel="p-value")
        ax.grid(axis="x", alpha=0.3)
        ax.set_title(f"{rejected.sum() or 'none'} of {len(tests)} tests rejected", fontsize=10, pad=22)
        # Put the labels outside of the axes, where they can't cover a p-value.
        ax.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
        return ax


_COLUMNS = ("test", "of", "statistic", "law if fair", "p-value", "adjusted", "result")


def _cells(test: FairnessTest) -> tuple[str, ...]:
    return (
        test.name,
        test.sequence,
        f"{test.statistic:.4g}",
        test.null,
        f"{test.pvalue:.4g}",
        f"{test.adjusted:.4g}",
        "REJECTED" if test.rejected else "passed",
    )


def fairness_report(
    data: object, game: object = None, *, level: float = 0.01, **parameters: object
) -> FairnessReport:
    """Test whether outcomes, or raw numbers, look like those of a fair generator (needs scipy).

    Sequences: the outcomes of games of one value; of shuffles (Mines, Tower, cards) the first value of
    each; of Plinko all balls; of Slot the reels, those of 30 stops together. They go through chi-square
    of every value, the largest cell, overlaps, coupon collector, runs, serial correlation at lag 1, at
    lags 2 to 10 and at all up to a quarter of the sequence, equal neighbors, gap, poker, permutation and
    the longest block of values that comes twice; continuous values through Kolmogorov-Smirnov. Rounds of
    several values: interplay correlation of all pairs, position x value. Rounds of many possible values:
    duplicates. Each result names its law and its source.

    The level is kept at every sample size. Chi-square and normal laws are only limits. So in samples of fewer
    than 500 values, p-values are ranks among fair samples, drawn from the game's law with a generator seeded
    by a hash of the data. In samples of up to 2,000 values, and for laws with rare outcomes, only the small
    p-values are ranks. Ranks are never below 1e-4. Tests that need more data are skipped and listed in
    `FairnessReport.skipped`. The null law of outcomes is the ideal one of `Game.distribution`.

    Parameters
    ----------
    data : array-like
        Outcomes as `simulate` returns them, shape (N,) + the game's shape; or numbers in [0, 1), float64,
        shape (N,) or (N, k). At least 10 rows. Dice of FPClub may be text, or objects that hold them.
    game : Game, str, Distribution or list of them, optional
        The game of the outcomes, such as a deal of cards, or ``operators.fpclub.Dice()`` for dice, or its
        name: "stake.dice", "mines:mines=5". Or the law of every value, or a list of laws or of games with
        one value, one for each row. None for numbers.
    level : float
        The family-wise level, 0.01 by default.
    **parameters
        Parameters of the game in these rounds, as in `Game.play`: ``tickets`` of Jackpot, ``pins`` of Plinko,
        one for all rounds or one for each. Outcomes of laws that differ from round to round are tested as
        their quantiles (the randomized probability integral transform).

    Returns
    -------
    FairnessReport
        Table, verdict, figure, HTML, JSON.

    Raises
    ------
    TypeError, ValueError
        When the data don't have the game's shape or type, or are too few.
    ImportError
        Without scipy.

    Examples
    --------
    >>> report = pf.fairness_report(pf.X50().simulate(10_000), pf.X50())
    >>> report.ok, len(report.tests)
    (True, 13)
    >>> report = pf.fairness_report(pf.X50().simulate(10_000) // 2 * 2, pf.X50())
    >>> report.ok, report["chi-square (equidistribution)"].rejected
    (False, True)

    Every round of a lottery may have tickets of its own:

    >>> tickets = [10, 200] * 50
    >>> winners = pf.Jackpot().simulate(100, tickets=tickets)
    >>> pf.fairness_report(winners, pf.Jackpot(), tickets=tickets).ok
    True
    """
    level = probability("level", level)
    optional("scipy.stats", "stats", "fairness_report")  # import before any long work
    game = given_game("game", game) if isinstance(game, str) else game
    material = material_of(data, game, **parameters)
    if material.rounds < _MIN_ROUNDS:
        raise BadValue("data", f"must have at least {_MIN_ROUNDS} rounds, got {material.rounds}")
    found = list(reported_results(material))
    results = [(test, name, result) for test, name, result in found if not isinstance(result, int)]
    skipped = [
        SkippedTest(test.name, name, result) for test, name, result in found if isinstance(result, int)
    ]
    adjusted = holm(result.pvalue for _, _, result in results)
    tests = tuple(
        FairnessTest(
            test.name,
            sequence,
            float(result.statistic),
            result.null,
            result.pvalue,
            result.below,
            corrected,
            corrected <= level,
            test.source,
        )
        for (test, sequence, result), corrected in zip(results, adjusted, strict=True)
    )
    called = _typed(game, parameters) if isinstance(game, Game) else material.subject
    title = title_of(game) if isinstance(game, Game) else ""
    compared = "" if game is None else material.compared
    return FairnessReport(called, material.rounds, float(level), tests, tuple(skipped), title, compared)


def _typed(game: Game, parameters: dict[str, Any]) -> str:
    """Return a game as it can be typed, with the parameters of these rounds, or the names of varying ones."""
    varying = [name for name, value in parameters.items() if not is_single(value)]
    same = {name: value for name, value in parameters.items() if name not in varying}
    name = typed_name(changed(game, **same) if same else game)
    return f"{name} with {', '.join(varying)} by round" if varying else name
