"""Is it fair? Tests of outcomes and of raw numbers, those that regulators name and those behind them.

The document behind most of the names is GLI-19, which lists chi-square, overlaps, coupon collector, runs,
interplay correlation, serial correlation and duplicates; gap, poker, permutation and equidistribution are
in Knuth, The Art of Computer Programming, volume 2, section 3.3.2.

Every test works on a sequence of independent values whose law is known exactly, so nothing is estimated
from the data. Tests that need few classes cut the values into ranges and use the exact probability of
each range; no equal probabilities are assumed.
"""

from __future__ import annotations

import html
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from provably_fair._core.arguments import integer, seed_text
from provably_fair._core.optional import optional
from provably_fair._engine import SLOT_STOPS
from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.distribution.distribution import Distribution
from provably_fair.games.games import Game, Jackpot, Mines, Plinko, Slot, Tower
from provably_fair.seeds.generator import random_bytes, salts

__all__ = [
    "Avalanche",
    "FairnessReport",
    "FairnessTest",
    "avalanche",
    "fairness_report",
]

_LEAST = 500
# Jackpots of more tickets are tested as continuous numbers.
_MOST_LISTED = 1 << 16
_HAND = 5
_LAGS = 10


@dataclass(frozen=True)
class FairnessTest:
    """The result of one test.

    Attributes
    ----------
    name : str
        The test.
    sequence : str
        What was tested: "outcomes", "reels 1-4", ...
    statistic : float
        The test's statistic.
    null : str
        Its law for a fair generator.
    pvalue : float
        The probability of a statistic at least this far out.
    pvalue_below : float
        Of a statistic farther out: the same, but for counts, whose law has steps.
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


@dataclass(frozen=True)
class FairnessReport:
    """What all tests say about some data.

    Attributes
    ----------
    subject : str
        The game, or "numbers".
    rounds : int
        The rows of data.
    level : float
        The family-wise level: the most probable share of fair data sets of which any test is rejected.
    tests : tuple of FairnessTest
        The results.
    """

    subject: str
    rounds: int
    level: float
    tests: tuple[FairnessTest, ...]

    @property
    def ok(self) -> bool:
        """Whether no test was rejected."""
        return not any(test.rejected for test in self.tests)

    @property
    def verdict(self) -> str:
        """What the result means, in words."""
        if self.ok:
            return (
                f"No test of {len(self.tests)} finds {self.rounds:,} rounds of {self.subject} unlike fair "
                f"ones, at a family-wise level of {self.level:.2%}. This doesn't prove fairness: defects "
                "too small for this many rounds pass, and so may outcomes chosen with a bet in mind."
            )
        names = ", ".join(f"{test.name} ({test.sequence})" for test in self.tests if test.rejected)
        return (
            f"{self.rounds:,} rounds of {self.subject} aren't like fair ones: {names}. Of fair data sets at "
            f"most {self.level:.2%} are rejected like this. The tests say that the data differ from the "
            "game's law or aren't independent; they don't say why, nor who gains by it."
        )

    def __getitem__(self, name: str) -> FairnessTest:
        """Return a test by its name, the first if several sequences have it."""
        for test in self.tests:
            if test.name == name:
                return test
        raise KeyError(f"no test {name!r}; there are {sorted({test.name for test in self.tests})}")

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values.

        Examples
        --------
        >>> import provably_fair as pf
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> {name: report.to_dict()[name] for name in ("subject", "rounds", "level")}
        {'subject': 'X50()', 'rounds': 1000, 'level': 0.01}
        """
        return {
            "subject": self.subject,
            "rounds": self.rounds,
            "level": self.level,
            "ok": self.ok,
            "verdict": self.verdict,
            "tests": [asdict(test) for test in self.tests],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON. An infinite statistic is the text "inf".

        Examples
        --------
        >>> import json
        >>> import provably_fair as pf
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> json.loads(report.to_json())["ok"] == report.ok
        True
        """

        def plain(value: Any) -> Any:
            return str(value) if isinstance(value, float) and not math.isfinite(value) else value

        content = self.to_dict()
        content["tests"] = [{key: plain(value) for key, value in t.items()} for t in content["tests"]]
        return json.dumps(content, indent=1, allow_nan=False)

    def to_pandas(self) -> Any:
        """Return the tests as a pandas.DataFrame, a row for each.

        Examples
        --------
        >>> import provably_fair as pf
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> frame = report.to_pandas()
        >>> frame["name"].tolist() == [test.name for test in report.tests]
        True
        """
        return optional("pandas", "stats", "to_pandas").DataFrame([asdict(test) for test in self.tests])

    def to_html(self) -> str:
        """Return the table and the verdict as HTML.

        Examples
        --------
        >>> import provably_fair as pf
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> report.to_html()[:15]
        '<table><tr><th>'
        """
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        rows = "".join(
            f'<tr style="color:{"#c00" if test.rejected else "inherit"}">'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(test))
            + "</tr>"
            for test in self.tests
        )
        return f"<table><tr>{head}</tr>{rows}</table><p>{html.escape(self.verdict)}</p>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        table = [_COLUMNS, *(_cells(test) for test in self.tests)]
        widths = [max(len(row[i]) for row in table) for i in range(len(_COLUMNS))]
        lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in table]
        return "\n".join([*lines, self.verdict])

    def plot(self, ax: Any = None) -> Any:
        """Draw the p-values of all tests, and the level of each by Holm (needs matplotlib).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes that were drawn on.

        Examples
        --------
        >>> import provably_fair as pf
        >>> report = pf.fairness_report(pf.X50().simulate(1000), pf.X50())
        >>> report.plot().get_xlabel()
        'p-value'
        """
        from provably_fair.plot import fairness_report

        return fairness_report(self, ax=ax)


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


@dataclass(frozen=True)
class _Found:
    """A statistic, its law with the degrees of freedom if it has any, and its p-value."""

    statistic: float
    null: str
    pvalue: float
    below: float | None = None
    dof: int = 0


@dataclass(frozen=True, eq=False)
class _Sequence:
    """Independent values of one known law, in order.

    `places` are the values' ranks among the possible ones, -1 for what isn't possible, and `pmf` the
    probabilities of the ranks. Continuous values have `uniform`, in [0, 1), and no ranks.
    """

    name: str
    places: np.ndarray | None
    pmf: np.ndarray | None
    uniform: np.ndarray | None = None

    @property
    def size(self) -> int:
        values = self.places if self.uniform is None else self.uniform
        assert values is not None
        return len(values)

    def classes(self, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        """Cut into about `wanted` ranges of about equal probability: classes, their probabilities."""
        if self.uniform is not None:
            inside = np.clip(self.uniform, 0, 1 - 2**-53)
            return (inside * wanted).astype(np.int64), np.full(wanted, 1 / wanted)
        assert self.pmf is not None
        assert self.places is not None
        middle = np.cumsum(self.pmf) - self.pmf / 2
        # Middles that are exactly on a border belong above it, however the sums were rounded.
        cut = np.minimum((middle * wanted + 1e-9).astype(np.int64), wanted - 1)
        # Ranges that no value's middle falls into are left out.
        kept, cut = np.unique(cut, return_inverse=True)
        chances = np.bincount(cut, weights=self.pmf, minlength=len(kept))
        return cut[np.maximum(self.places, 0)], chances

    def scores(self) -> np.ndarray:
        """Standardised ranks: mean 0 and variance 1 by the exact law, however long its tail."""
        if self.uniform is not None:
            return (self.uniform - 0.5) * math.sqrt(12)
        assert self.pmf is not None
        assert self.places is not None
        middle = np.cumsum(self.pmf) - self.pmf / 2 - 0.5
        return middle[np.maximum(self.places, 0)] / math.sqrt(float((self.pmf * middle**2).sum()))


def _chi(statistic: float, dof: int) -> _Found:
    pvalue = float(_stats().chi2.sf(statistic, dof)) if dof else 1.0
    return _Found(float(statistic), f"chi2({dof})", pvalue, dof=dof)


def _impossible(dof: int) -> _Found:
    """Return the result of data that no fair generator makes."""
    return _Found(math.inf, f"chi2({dof})", 0.0, dof=dof)


def _tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2))


def _normal(statistic: float) -> _Found:
    return _Found(float(statistic), "N(0, 1), two-sided", _tail(abs(statistic)))


def _normal_count(count: int, mean: float, variance: float) -> _Found:
    """Compare a count with a normal law: its step reaches half a unit to both sides."""
    deviation = math.sqrt(variance)
    apart = abs(count - mean)
    outer = _tail((apart + 0.5) / deviation)
    inner = _tail(max(apart - 0.5, 0.0) / deviation)
    return _Found((count - mean) / deviation, "N(0, 1), two-sided, half-unit correction", inner, outer)


def _fit(counts: np.ndarray, chances: np.ndarray, outside: int = 0) -> _Found:
    """Compare counts of categories with their probabilities; `outside` counts what is in none of them."""
    law = Distribution(np.arange(len(chances)), _weights(chances))
    seen = counts.astype(np.int64)
    found = law.chisquare({**dict(enumerate(seen.tolist())), -1: outside} if outside else seen)
    return _Found(found.statistic, f"chi2({found.dof})", found.pvalue, dof=found.dof)


def _weights(chances: np.ndarray) -> list[int]:
    return np.rint(np.asarray(chances) * 2.0**62).astype(np.int64).tolist()


def _stats() -> Any:
    return optional("scipy.stats", "stats", "fairness_report")


# The tests of one sequence


def _frequency(data: _Sequence) -> _Found:
    if data.uniform is not None:
        cells = min(1000, data.size // 10)
        found = _fit(np.bincount(data.classes(cells)[0], minlength=cells), np.full(cells, 1 / cells))
        outside = (data.uniform < 0) | (data.uniform >= 1)
        return _impossible(found.dof) if outside.any() else found
    assert data.places is not None
    assert data.pmf is not None
    counts = np.bincount(data.places + 1, minlength=len(data.pmf) + 1)  # -1, no outcome, comes first
    return _fit(counts[1:], data.pmf, outside=int(counts[0]))


def _kolmogorov(data: _Sequence) -> _Found | None:
    if data.uniform is None:
        return None
    result = _stats().kstest(data.uniform, "uniform")
    return _Found(float(result.statistic), f"Kolmogorov's, n = {data.size}", float(result.pvalue))


def _overlaps(data: _Sequence) -> _Found:
    codes, chances = data.classes(8)
    kinds, n = len(chances), len(codes)
    pairs = np.bincount(codes * kinds + np.roll(codes, -1), minlength=kinds * kinds)
    singles = np.bincount(codes, minlength=kinds)
    expected = np.outer(chances, chances).ravel() * n
    both = float(((pairs - expected) ** 2 / expected).sum())
    alone = float(((singles - chances * n) ** 2 / (chances * n)).sum())
    return _chi(both - alone, kinds * kinds - kinds)


def _collector(data: _Sequence) -> _Found:
    codes, chances = data.classes(4)
    kinds = len(chances)
    lengths = []
    wanted, seen, begin = (1 << kinds) - 1, 0, 0
    bits = (1 << codes).tolist()
    for place, bit in enumerate(bits):
        seen |= bit
        if seen == wanted:
            lengths.append(place + 1 - begin)
            seen, begin = 0, place + 1

    def longer(times: np.ndarray) -> np.ndarray:
        """P(a set takes longer): inclusion and exclusion over the sets of kinds that are still missing."""
        survival = np.zeros(len(times))
        for size in range(1, kinds + 1):
            for missing in itertools.combinations(chances.tolist(), size):
                survival += (-1) ** (size + 1) * np.maximum(1 - sum(missing), 0.0) ** times
        return np.clip(survival, 0, 1)

    if not lengths:
        # No lengths to compare with their law: what tells is that there are none.
        none = float(longer(np.array([len(codes)]))[0])
        return _Found(0.0, f"sets of {kinds} kinds in {len(codes)} values: none", none, 0.0)
    longest = 64
    survival = longer(np.arange(kinds - 1, longest))
    law = np.append(survival[:-1] - survival[1:], survival[-1])
    counts = np.bincount(np.minimum(lengths, longest) - kinds, minlength=len(law))
    return _fit(counts, np.maximum(law, 0))


def _runs(data: _Sequence) -> _Found:
    codes, _ = data.classes(2)
    ones = int(codes.sum())
    zeros = len(codes) - ones
    n = ones + zeros
    if not ones or not zeros:
        return _Found(math.inf, "N(0, 1), two-sided, half-unit correction", 0.0)
    mean = 1 + 2 * ones * zeros / n
    variance = (mean - 1) * (mean - 2) / (n - 1)
    count = 1 + int((codes[1:] != codes[:-1]).sum())
    return _normal_count(count, mean, variance)


def _lag(scores: np.ndarray, lag: int) -> float:
    return float(scores[:-lag] @ scores[lag:]) / math.sqrt(len(scores) - lag)


def _serial(data: _Sequence) -> _Found:
    return _normal(_lag(data.scores(), 1))


def _serial_lags(data: _Sequence) -> _Found:
    scores = data.scores()
    return _chi(sum(_lag(scores, lag) ** 2 for lag in range(2, _LAGS + 1)), _LAGS - 1)


def _repeats(data: _Sequence) -> _Found | None:
    """Neighbours that are equal, where values are few enough for that to happen."""
    if data.pmf is None or data.places is None:
        return None
    n = data.size
    second, third = float((data.pmf**2).sum()), float((data.pmf**3).sum())
    if n * second < 50:
        return None
    count = int((data.places[1:] == data.places[:-1]).sum())
    variance = (n - 1) * second * (1 - second) + 2 * (n - 2) * (third - second**2)
    return _normal_count(count, (n - 1) * second, variance)


def _gap(data: _Sequence) -> _Found:
    codes, chances = data.classes(4)
    visits = np.flatnonzero(codes == 0)
    gaps = np.diff(visits) - 1
    chance = float(chances[0])
    if not gaps.size:
        # No gaps to compare with their law: what tells is how few values are in the range.
        law_of_visits = _stats().binom(len(codes), chance)
        name = f"Binomial({len(codes)}, {chance:.3g}), this few or fewer"
        few = len(visits)
        return _Found(float(few), name, float(law_of_visits.cdf(few)), float(law_of_visits.cdf(few - 1)))
    longest = 64
    law = np.append(chance * (1 - chance) ** np.arange(longest), (1 - chance) ** longest)
    return _fit(np.bincount(np.minimum(gaps, longest), minlength=longest + 1), law)


def _poker(data: _Sequence) -> _Found:
    codes, chances = data.classes(5)
    kinds = len(chances)
    hands = codes[: len(codes) // _HAND * _HAND].reshape(-1, _HAND)
    every = np.array(list(itertools.product(range(kinds), repeat=_HAND)))
    weight = np.prod(chances[every], axis=1)
    law = np.bincount(_different(every), weights=weight, minlength=_HAND + 1)[1:]
    return _fit(np.bincount(_different(hands), minlength=_HAND + 1)[1:], law)


def _different(hands: np.ndarray) -> np.ndarray:
    """How many different values each hand has."""
    ordered = np.sort(hands, axis=1)
    return 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)


def _permutation(data: _Sequence) -> _Found:
    values = data.places if data.uniform is None else data.uniform
    assert values is not None
    a, b, c = values[: len(values) // 3 * 3].reshape(-1, 3).T
    # The signs of the three comparisons name the order, ties included.
    kinds = (np.sign(a - b) * 9 + np.sign(a - c) * 3 + np.sign(b - c) + 13).astype(np.int64)
    law = np.zeros(27)
    if data.pmf is None:
        low = high = three = 0.0
    else:
        before = np.cumsum(data.pmf) - data.pmf
        after = 1 - before - data.pmf
        low = float((data.pmf**2 * after).sum())  # two equal ones below a third
        high = float((data.pmf**2 * before).sum())
        three = float((data.pmf**3).sum())
    distinct = (1 - three - 3 * low - 3 * high) / 6
    for triple in itertools.product(range(3), repeat=3):
        x, y, z = (int(v) for v in triple)
        chance = {3: distinct, 1: three}.get(len({x, y, z}))
        if chance is None:
            chance = high if sorted(triple)[1] == max(triple) else low
        law[(np.sign(x - y) * 9 + np.sign(x - z) * 3 + np.sign(y - z)) + 13] = max(chance, 0.0)
    possible = law > 0
    counts = np.bincount(kinds, minlength=27)[possible]
    if not counts.any():
        # Continuous values are compared by the triples without ties, which are rare: here every one has some.
        return _impossible(int(possible.sum()) - 1)
    return _fit(counts, law[possible])


_GLI = "GLI-19, RNG requirements"
_KNUTH = "Knuth, TAOCP 2, 3.3.2"
_SEQUENCE_TESTS: tuple[tuple[str, Callable[[_Sequence], _Found | None], str], ...] = (
    ("chi-square (equidistribution)", _frequency, f"{_GLI}; Pearson 1900; cells expect at least 5"),
    ("Kolmogorov-Smirnov", _kolmogorov, f"{_KNUTH}; exact law by scipy.stats.kstest"),
    ("overlaps", _overlaps, f"{_GLI}; overlapping pairs, Good 1953: psi2(2) - psi2(1)"),
    ("coupon collector", _collector, f"{_GLI}; {_KNUTH}; law by inclusion-exclusion, 4 kinds"),
    ("runs", _runs, f"{_GLI}; Wald and Wolfowitz 1940, above and below the middle"),
    ("serial correlation", _serial, f"{_GLI}; {_KNUTH}; lag 1 of ranks, exact moments"),
    ("serial correlation, lags 2-10", _serial_lags, f"{_GLI}; Box and Pierce 1970, exact moments"),
    ("neighbours equal", _repeats, f"{_GLI} (duplicates); exact mean and variance"),
    ("gap", _gap, f"{_KNUTH}; geometric law"),
    ("poker", _poker, f"{_KNUTH}; values of five in a hand, law by enumeration"),
    ("permutation", _permutation, f"{_KNUTH}; orders of three, law with ties"),
)


# The tests of whole rounds


def _duplicates(rounds: np.ndarray, same: float) -> _Found:
    """Count pairs of equal rounds; `same` is the probability that two are."""
    _, counts = np.unique(rounds, return_counts=True)
    counts = counts.astype(np.int64)
    pairs = int((counts * (counts - 1) // 2).sum())
    n = len(rounds)
    law = _stats().poisson(n * (n - 1) / 2 * same)
    name = f"Poisson({n * (n - 1) / 2 * same:.3g}), this many or more"
    return _Found(float(pairs), name, float(law.sf(pairs - 1)), float(law.sf(pairs)))


def _interplay(columns: np.ndarray) -> _Found:
    """Correlate all pairs of columns of standardised, independent values."""
    n, width = columns.shape
    products = columns.T @ columns / math.sqrt(n)
    return _chi(float((products[np.triu_indices(width, 1)] ** 2).sum()), width * (width - 1) // 2)


def _positions(values: np.ndarray, kinds: int) -> _Found:
    """Position x value of shuffles of which the first places are known; values shape (N, places).

    The table's covariance is (I - J/k)/(k - 1) in both directions, for a whole shuffle of k. Of its first
    m < k rows the first factor has the inverse (k - 1)(I + J/(k - m)), so this form is a chi-square
    with m(k - 1) degrees of freedom in the limit.
    """
    n, places = values.shape
    table = np.stack([np.bincount(values[:, place], minlength=kinds) for place in range(places)])
    apart = table - n / kinds
    form = float((apart**2).sum() + (apart.sum(axis=0) ** 2).sum() / (kinds - places))
    return _chi((kinds - 1) / n * form, places * (kinds - 1))


def _lehmer(values: np.ndarray) -> np.ndarray:
    """Undo the shuffle: the index of each value among those that were left. They are independent."""
    indices = values.copy()
    for place in range(1, values.shape[1]):
        indices[:, place] -= (values[:, :place] < values[:, place, np.newaxis]).sum(axis=1)
    return indices


def _uniform_sequence(name: str, values: np.ndarray, kinds: int) -> _Sequence:
    inside = (values >= 0) & (values < kinds)
    return _Sequence(name, np.where(inside, values, -1), np.full(kinds, 1 / kinds))


def _law_sequence(name: str, values: np.ndarray, law: Distribution) -> _Sequence:
    places = np.minimum(np.searchsorted(law.outcomes, values), len(law) - 1)
    possible = law.outcomes[places] == values
    return _Sequence(name, np.where(possible, places, -1), np.asarray(law.pmf(law.outcomes)))


@dataclass
class _Material:
    """What the tests work on."""

    subject: str
    rounds: int
    sequences: list[_Sequence]
    columns: list[_Sequence]
    duplicates: tuple[np.ndarray, float] | None = None
    shuffles: tuple[np.ndarray, int] | None = None


def _material(data: Any, game: Any) -> _Material:
    values = np.asarray(data)
    if game is None:
        return _numbers(values)
    if isinstance(game, (VideoPoker, Blackjack)):
        return _shuffled(values, 52 if isinstance(game, VideoPoker) else 208, game, None)
    if not isinstance(game, Game):
        raise TypeError(f"game must be a game, a VideoPoker, a Blackjack or None, got {type(game).__name__}")
    if values.ndim != 1 + len(game.shape) or values.shape[1:] != game.shape:
        raise ValueError(f"data must have the shape (N, *{game.shape}) of {game!r}, got {values.shape}")
    if values.dtype.kind not in ("iuf" if game._core.decimals else "iu"):
        raise TypeError(f"data must be outcomes of {game!r}, got an array of {values.dtype}")
    _enough(len(values))
    if isinstance(game, Mines):
        return _shuffled(values, 25, game, None)
    if isinstance(game, Tower):
        return _shuffled(values, 5, game, 10)
    if isinstance(game, Slot):
        stops = np.array(SLOT_STOPS)
        flat = values.reshape(-1, 5)
        reels = [_uniform_sequence(f"reel {i + 1}", flat[:, i], int(stops[i])) for i in range(5)]
        sequences = [_uniform_sequence("reels 1-4", flat[:, :4].ravel(), int(stops[0])), reels[4]]
        keys = np.ravel_multi_index(tuple(np.clip(flat, 0, stops - 1).T), tuple(stops))
        return _Material(repr(game), len(values), sequences, reels, (keys, 1 / math.prod(stops.tolist())))
    if isinstance(game, Plinko):
        law = game.distribution()
        balls = [_law_sequence(f"ball {i + 1}", values[:, i], law) for i in range(game.balls)]
        return _Material(repr(game), len(values), [_law_sequence("balls", values.ravel(), law)], balls)
    if isinstance(game, Jackpot) and game.tickets > _MOST_LISTED:
        outcomes = _Sequence("tickets", None, None, (values - 0.5) / game.tickets)
        return _Material(repr(game), len(values), [outcomes], [], (values, 1 / game.tickets))
    return _Material(repr(game), len(values), [_law_sequence("outcomes", values, game.distribution())], [])


def _numbers(values: np.ndarray) -> _Material:
    if values.dtype.kind != "f" or values.ndim not in (1, 2):
        raise TypeError(
            "data must be numbers, float64 of shape (N,) or (N, k), where no game is given, "
            f"got {values.dtype} of shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise ValueError("data must be finite")
    _enough(len(values))
    columns = []
    if values.ndim == 2 and values.shape[1] > 1:
        columns = [_Sequence(f"column {i}", None, None, column) for i, column in enumerate(values.T)]
    flat = values.ravel()
    leading = np.clip(flat * 2.0**32, 0, 2.0**32 - 1).astype(np.uint32)
    sequence = _Sequence("numbers", None, None, flat)
    return _Material("numbers", len(values), [sequence], columns, (leading, 2.0**-32))


def _shuffled(values: np.ndarray, kinds: int, game: Any, rows: int | None) -> _Material:
    """Shuffles, one a round or `rows` of them."""
    if values.ndim != (2 if rows is None else 3) or values.dtype.kind not in "iu":
        raise ValueError(f"data must be integers of shape (N, places), got {values.dtype} {values.shape}")
    _enough(len(values))
    places = values.shape[-1]
    shuffles = values.reshape(-1, places).astype(np.int64)
    if places >= kinds:
        raise ValueError(f"data must have fewer than {kinds} places, got {places}")
    bad = (shuffles < 0) | (shuffles >= kinds)
    ordered = np.sort(shuffles, axis=1)
    bad_rows = bad.any(axis=1) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if bad_rows.any():
        row = int(np.flatnonzero(bad_rows)[0]) // (rows or 1)
        raise ValueError(f"data[{row}] must hold different values from 0 to {kinds - 1}")
    indices = _lehmer(shuffles)
    named = f"first of {places}" if places > 1 else "values"
    sequence = _uniform_sequence(named, indices[:, 0], kinds)
    per_round = indices.reshape(len(values), -1)
    sizes = [kinds - place for place in range(places)] * (rows or 1)
    columns = [_uniform_sequence(f"draw {i}", per_round[:, i], size) for i, size in enumerate(sizes)]
    # One integer a round, of as many draws as 62 bits hold.
    key, space = np.zeros(len(values), dtype=np.int64), 1
    for column, size in enumerate(sizes):
        if space * size > 1 << 62:
            break
        key, space = key * size + per_round[:, column], space * size
    return _Material(repr(game), len(values), [sequence], columns, (key, 1 / space), (shuffles, kinds))


def _enough(rounds: int) -> None:
    if rounds < _LEAST:
        raise ValueError(f"data must have at least {_LEAST} rounds for the laws to hold, got {rounds}")


def _all_tests(material: _Material) -> Iterator[tuple[str, str, _Found, str]]:
    for sequence in material.sequences:
        # A law of one value leaves nothing to test but that it is the value.
        constant = sequence.pmf is not None and len(sequence.pmf) == 1
        for name, test, source in _SEQUENCE_TESTS[:1] if constant else _SEQUENCE_TESTS:
            found = test(sequence)
            if found is not None:
                yield name, sequence.name, found, source
    if len(material.columns) > 1:
        scores = np.stack([column.scores() for column in material.columns], axis=1)
        yield "interplay correlation", "places", _interplay(scores), f"{_GLI}; all pairs, exact moments"
    if material.shuffles is not None:
        found = _positions(*material.shuffles)
        yield "position x value", "shuffles", found, "multinomial limit with a shuffle's exact covariance"
    elif len(material.columns) > 1:
        parts = [_frequency(column) for column in material.columns]
        found = _chi(sum(part.statistic for part in parts), sum(part.dof for part in parts))
        yield "position x value", "places", found, "sum of independent chi-squares"
    # Where many rounds share every value, pairs aren't rare, and the other tests see them.
    if material.duplicates is not None and len(material.duplicates[0]) * material.duplicates[1] < 1 / 16:
        found = _duplicates(*material.duplicates)
        yield "duplicates", "rounds", found, f"{_GLI}; pairs of equal rounds, Poisson (birthday problem)"


def holm(pvalues: Iterable[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's method (1979).

    Parameters
    ----------
    pvalues : iterable of float
        The p-values of all tests.

    Returns
    -------
    list of float
        In their order; those at most a level are rejected at that family-wise level, whatever the
        dependence among the tests.

    Examples
    --------
    >>> from provably_fair.statistics import holm
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = list(pvalues)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted


def fairness_report(data: Any, game: Any = None, *, level: float = 0.01) -> FairnessReport:
    """Test whether outcomes, or raw numbers, are like those of a fair generator (needs scipy).

    Sequences: the outcomes of games of one value; of shuffles (Mines, Tower, cards) the first value of
    each; of Plinko all balls; of Slot the reels, those of 30 stops together. They go through chi-square
    of every value, overlaps, coupon collector, runs, serial correlation, equal neighbours, gap, poker and
    permutation, and continuous values through Kolmogorov-Smirnov. Rounds of several values: interplay
    correlation of all pairs, position x value. Rounds of many possible values: duplicates. Each result
    names its law and its source.

    Chi-square and normal laws are limits; `python -m provably_fair.calibration` measures how well
    they hold. The outcomes' law is that of `Game.distribution`, the ideal one.

    Parameters
    ----------
    data : array-like
        Outcomes as `simulate` returns them, shape (N,) + the game's shape; or numbers in [0, 1), float64,
        shape (N,) or (N, k). At least 500 rows.
    game : Game, VideoPoker or Blackjack, optional
        Whose outcomes they are: VideoPoker for cards as `deal` returns them, Blackjack for shoes. None
        for numbers.
    level : float
        The family-wise level, 0.01 by default.

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
    >>> import provably_fair as pf
    >>> report = pf.fairness_report(pf.X50().simulate(10_000), pf.X50())
    >>> report.ok, len(report.tests)
    (True, 10)
    >>> report = pf.fairness_report(pf.X50().simulate(10_000) // 2 * 2, pf.X50())
    >>> report.ok, report["chi-square (equidistribution)"].rejected
    (False, True)
    """
    if isinstance(level, bool) or not isinstance(level, (int, float, np.number)) or not 0 < level < 1:
        raise ValueError(f"level must be above 0 and below 1, got {level!r}")
    _stats()  # before any work is done in vain
    material = _material(data, game)
    results = list(_all_tests(material))
    adjusted = holm(found.pvalue for _, _, found, _ in results)
    tests = tuple(
        FairnessTest(
            name,
            sequence,
            float(found.statistic),
            found.null,
            found.pvalue,
            found.pvalue if found.below is None else found.below,
            corrected,
            corrected <= level,
            source,
        )
        for (name, sequence, found, source), corrected in zip(results, adjusted, strict=True)
    )
    return FairnessReport(material.subject, material.rounds, float(level), tests)


@dataclass(frozen=True)
class Avalanche:
    """How many of 512 output bits flip with one bit of input.

    Attributes
    ----------
    flipped : str
        Which input: "server_seed", "client_seed", "salt" or "cursor".
    samples : int
        How many flips were measured.
    mean : float
        The mean number of bits; 256 if each flips by a fair coin.
    counts : tuple of int
        How often 0, 1, ..., 512 bits flipped.
    statistic, pvalue : float
        Of the chi-square test against Binomial(512, 1/2).
    """

    flipped: str
    samples: int
    mean: float
    counts: tuple[int, ...]
    statistic: float
    pvalue: float


def avalanche(samples: int = 10_000, *, seed: int | str = 0) -> tuple[Avalanche, ...]:
    """Measure how many output bits flip with one bit of each input (needs scipy).

    Each sample is a round with seeds of its own. Of a text one of the lower seven bits of one character
    is flipped; of the cursor, one of its lower 20 bits.

    Parameters
    ----------
    samples : int
        How many rounds, for each input.
    seed : int or str
        The name of the series of seeds.

    Returns
    -------
    tuple of Avalanche
        For server seed, client seed, salt and cursor.

    Examples
    --------
    >>> from provably_fair.statistics import avalanche
    >>> [f"{result.flipped} {result.mean:.0f}" for result in avalanche(2000)]
    ['server_seed 256', 'client_seed 256', 'salt 256', 'cursor 256']
    """
    samples = integer("samples", samples, 1, 1 << 24)
    name = seed_text(seed)
    texts = {
        part: salts(samples, f"{name}:avalanche:{part}") for part in ("server_seed", "client_seed", "salt")
    }
    choice = np.random.default_rng(list(name.encode()))

    def made(cursor: int, **inputs: np.ndarray) -> np.ndarray:
        return np.asarray(random_bytes(**inputs, cursor=cursor))  # type: ignore[arg-type]

    before = made(0, **texts)
    law = Distribution(np.arange(513), [math.comb(512, flips) for flips in range(513)])
    results = []
    for part in (*texts, "cursor"):
        if part == "cursor":
            after = np.empty_like(before)
            bits = choice.integers(20, size=samples)
            for bit in np.unique(bits).tolist():
                rows = bits == bit
                after[rows] = made(1 << bit, **{k: v[rows] for k, v in texts.items()})
        else:
            characters = texts[part].view(np.uint8).reshape(samples, 64).copy()
            rows, columns = np.arange(samples), choice.integers(64, size=samples)
            characters[rows, columns] ^= (1 << choice.integers(7, size=samples)).astype(np.uint8)
            after = made(0, **{**texts, part: characters.view("S64").ravel()})
        flips = np.unpackbits(before ^ after, axis=1).sum(axis=1, dtype=np.int64)
        counts = np.bincount(flips, minlength=513)
        found = law.chisquare(counts)
        results.append(
            Avalanche(
                part, samples, float(flips.mean()), tuple(counts.tolist()), found.statistic, found.pvalue
            )
        )
    return tuple(results)
