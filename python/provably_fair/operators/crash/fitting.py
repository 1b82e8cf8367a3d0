"""The law of a crash game, from a history of its outcomes alone.

Above the least multipliers all known rules have P(at least k) = (1 - edge) * base / (k - shift), where k
counts units and base units are 1: the shift is 0 where hundredths are rounded down, half a step where they
are rounded to nearest, and one hundredth by bustabit's first rule, 1 + 0.99 / u. Whatever the shift, the
number of rows above the least multiplier is sufficient for the edge, since the values of these rows have a
law without it. They tell the shift, but only in some 100,000 rows: until then edges are averaged over shifts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadValue, probability
from provably_fair._core.counts import bincount
from provably_fair._core.drawing import COLORS, axes
from provably_fair._core.numbers import exact_number
from provably_fair._core.report import Case, Report, section
from provably_fair._core.table import displayed, html_table, text_table
from provably_fair._core.tails import binomial_interval, binomial_tail, bisected, chi_square_tail, halved
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.distribution.histories import (
    CHANCE,
    History,
    has_repeated_block,
    order_note,
    pearson_pvalue,
    poisson_bound,
    read_history,
)
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import MultiplierGame
from provably_fair.games.naming import typed_name

from .rules import RAW_SCHEME, Divisible, DivisibleRule, Raw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WEIGHTS, _COARSE = (0.48, 0.04, 0.48), (1 / 3, 1 / 3, 1 / 3)
"""The weights of the shifts before any row: rounding down, to nearest (rare), bustabit's first rule.

Steps above a hundredth are those of whoever showed the outcomes, and mostly to nearest or down.
"""
_SURE = 0.999
"""The weight from which a shift is told; a shift that has less than `_OPEN` is left out of plans."""
_OPEN, _LIKELY = 0.05, 0.98
_DIVISORS, _MOST_DIVISORS = 0.9999, 20
"""The confidence of the interval of divisors, and how many are listed."""
_POWER = 0.95
"""The probability with which an interval excludes another edge; its family is rejected with 0.9."""
_LONGEST, _TIED = 10**12, 10_000
_CUTS = np.r_[
    np.arange(0.975, 0.02, -0.025), [m * 10.0**e for e in range(-2, -6, -1) for m in (1.5, 1, 0.6, 0.4, 0.2)]
]
"""Conditional probabilities of at least the begin of each cell above the least multiplier."""
_BOTTOM = 3
"""The number of cells up to the least multiplier."""
_CASH_OUTS = (1.01, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_FITS, _FITS_WELL = 1e-3, 0.01
"""The p-values from which a family may be the game, and an operator's divisor is taken."""
_NO_CLAIM = ("filtered", "cut", "misfit")


class Fitted(MultiplierGame):
    """A multiplier by a fitted law that is none of a family's: with a cap, other rounding or instant busts.

    ``floor(100 * (1 - edge) / (1 - r) + shift)`` hundredths of r, the first 52 bits divided by 2**52, down to
    a multiple of `step` hundredths; at least 1.00, at most `cap`; 0 where r is below `instants`.
    """

    scheme = RAW_SCHEME
    tail, monotone = 1000, True
    edge: float = 0.01
    shift: float = 0.0
    step: float = 1
    instants: float = 0.0
    cap: float = math.inf

    def outcome(self, draws: Draws) -> np.ndarray:
        number = draws.number()
        with np.errstate(divide="ignore"):
            steps = np.floor((100 * (1 - self.edge) / (1 - number) + self.shift) / self.step)
        multiplier = np.minimum(np.maximum(1, steps * self.step / 100), self.cap)
        return np.where(number < self.instants, 0.0, multiplier)


@dataclass(frozen=True)
class _Cell:
    """The cell of outcomes, hashable: laws of known games are remembered by it."""

    begins: tuple[float, ...]

    def __call__(self, outcomes: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.begins, outcomes, side="right")


class _Form(NamedTuple):
    """A shift, in units; P(least step above 1) = (1 - edge) * `top`; its weight given the rows."""

    shift: float
    top: float
    weight: float


@dataclass(frozen=True)
class _Rows:
    """The rows of a history, and what they say of the law above the least multiplier."""

    values: np.ndarray  # distinct, in units
    counts: np.ndarray
    base: int
    step: int
    cap: int | None = None

    @cached_property
    def rounds(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def least(self) -> int:
        """The least step above 1."""
        return self.base // self.step * self.step + self.step

    def reached(self, value: float) -> int:
        """Return how many rows have at least a value."""
        return int(self.counts[self.values >= value].sum())

    @cached_property
    def above(self) -> int:
        return self.reached(self.least)

    @property
    def weights(self) -> tuple[float, ...]:
        return _COARSE if 100 * self.step > self.base else _WEIGHTS

    @cached_property
    def forms(self) -> tuple[_Form, ...]:
        shifts = np.array([0.0, self.step / 2, self.base / 100])
        inside = self.values >= self.least
        values, counts = self.values[inside].astype(float), self.counts[inside]
        capped = values == (self.cap or 0)
        likelihood = np.log(self.weights) + self.above * np.log(self.least - shifts)
        for place, shift in enumerate(shifts):
            ends = np.where(capped, 1.0, (values + self.step - shift) / self.step)
            likelihood[place] -= counts @ np.log((values - shift) * ends)
        weights = np.exp(likelihood - likelihood.max())
        tops = self.base / (self.least - shifts)
        return tuple(map(_Form, shifts.tolist(), tops.tolist(), (weights / weights.sum()).tolist()))

    @cached_property
    def best(self) -> _Form:
        return max(self.forms, key=lambda form: form.weight)

    @cached_property
    def is_divisible(self) -> bool:
        """Whether bustabit's first rule is sure: neither rounding down nor, which is rare, to nearest."""
        down, _, first = (form.weight for form in self.forms)
        return first > _LIKELY and down < (1 - _SURE) * first

    @cached_property
    def begins(self) -> np.ndarray:
        """The first values of cells: 0, above 0, 1, and those above the least multiplier."""
        unit = max(self.step, self.base // 100)
        tail = np.unique(np.ceil(np.append(1, 1 / _CUTS) * self.least / unit) * unit)
        return np.concatenate([np.array([0, 0.5, 1]) * self.base, tail])

    @cached_property
    def cells(self) -> np.ndarray:
        """The number of rows in each cell."""
        return bincount(np.searchsorted(self.begins, self.values, "right") - 1, self.counts, len(self.begins))

    def pearson(self, chances: np.ndarray) -> float:
        """Return the p-value of cells above the least multiplier, by Pearson's test; the last has the cap."""
        last = len(chances) if self.cap is None else np.count_nonzero(self.begins[_BOTTOM:] < self.cap)
        chances, counts = (
            np.append(all_[: last - 1], all_[last - 1 :].sum()) for all_ in (chances, self.cells[_BOTTOM:])
        )
        return pearson_pvalue(counts, chances)

    @cached_property
    def distinct(self) -> float:
        """A bound on the probability that no two rows are equal; 1 if some are."""
        if self.counts.max() > 1:
            return 1.0
        values = self.least - self.best.shift + self.step * np.arange(_TIED, dtype=float)
        means = self.above * values[0] * self.step / (values * (values + self.step))
        # Of Poisson counts, whose sum is at most that of the rows with a probability of a half or more
        return 2 * math.exp(float((np.log1p(means) - means).sum()))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Whether low or equal rows were "filtered", or high ones "cut"."""
        # No law has more rows above: the edge is 0, rounding to nearest.
        most = self.base / (self.lowest - self.step / 2)
        lacks = self.above > 0 and binomial_tail(self.above, self.rounds, most) < CHANCE
        lacks |= self.distinct < CHANCE
        return ("filtered",) * lacks + ("cut",) * (self.cap is None and self.top() == "cut")

    @cached_property
    def lowest(self) -> int:
        """The lowest value above the least multiplier."""
        return int(self.values[self.values >= self.least].min(initial=self.values[-1]))

    @cached_property
    def misfit(self) -> float:
        """The p-value of the rows above the least multiplier by the best form, whatever the edge.

        Where rows are missing, it is that of the others. The choice of the form takes less than a degree of
        freedom, for which none is subtracted.
        """
        if not self.above:
            return 1.0
        first, last = (self.lowest if "filtered" in self.missing else self.least), math.inf
        if "cut" in self.missing:
            last = self.values[-1] + self.step
        shift = self.best.shift
        reached = 1 / (np.append(np.clip(self.begins[_BOTTOM:], first, last), last) - shift)
        return self.pearson(-np.diff(reached) / (reached[0] - reached[-1]))

    def pvalue(self, game: Game) -> float:
        """Return the p-value of a game: of few directions, and of all cells, by Bonferroni."""
        law = game.distribution(of=_Cell(tuple(((self.begins[1:] - 0.5) / self.base).tolist())))
        chances = np.zeros(len(self.begins))
        chances[law.outcomes.astype(int)] = law.probabilities
        if self.cells[chances == 0].any():
            return 0.0
        parts, seen = (np.append(all_[:_BOTTOM], all_[_BOTTOM:].sum()) for all_ in (chances, self.cells))
        directed = 0.0
        # Few rows: each count given the others, by mid-p values
        for place in np.flatnonzero(parts[:-1]).tolist():
            share, count, rest = parts[place] / parts[place:].sum(), int(seen[place]), int(seen[place:].sum())
            reached = _mid_tail(count, rest, share)
            directed += NormalDist().inv_cdf(max(min(reached, 1 - reached), 1e-300)) ** 2
        tail, counts = chances[_BOTTOM:] / parts[-1], self.cells[_BOTTOM:]
        scores = np.cumsum(tail) - tail / 2 - 0.5
        off = float(counts @ scores) - self.above * float(tail @ scores)
        directed += off**2 / max(self.above, 1) / float(tail @ scores**2 - (tail @ scores) ** 2)
        direct, all_cells = chi_square_tail(directed, int(np.count_nonzero(parts))), self.pearson(tail)
        return min(1.0, direct / 0.8, all_cells / 0.2)

    def top(self) -> str:
        """Return whether the largest value is a "cap", or larger ones were "cut"; "" if neither."""
        largest, count, shift = int(self.values[-1]), int(self.counts[-1]), self.best.shift
        if not self.above:
            return ""
        # Rows that reach the largest value
        at_cap = self.above / self.best.top * self.base / (largest - shift)
        at_cap = min(at_cap, float(self.rounds))
        by_chance = at_cap * self.step / (largest + self.step - shift)
        likelier = count * math.log(at_cap / by_chance) > at_cap - by_chance
        if likelier and poisson_bound(count - 1, by_chance) < CHANCE:
            return "cap"
        chance = self.rounds * math.log1p((by_chance - at_cap) / self.rounds)
        return "cut" if chance < math.log(CHANCE) else ""

    def notes(self, history: History) -> Iterator[str]:
        """Yield what is odd."""
        order = order_note(history.places, history.counts)
        if order:
            yield order
        yield from self.missing
        # Of rows so large that steps make three pairs of equal ones, and a million draws some more
        large = max(self.least, (self.rounds**2 * self.base**2 * self.step / 18) ** (1 / 3))
        counts = self.counts[(self.values >= large) & (self.values != self.cap)].astype(float)
        # Below a cap, or where larger rows were cut, equal ones are more frequent.
        end = self.values[-1] + self.step if self.cap is None and "cut" in self.missing else self.cap
        share = large / max(end, large + self.step) if end else 0.0
        equal = self.step / large / 3 * (1 + share + share**2) / (1 - share)
        chance = float(counts.sum()) ** 2 / 2 * (equal + large / self.base / 1e6)
        pairs = float(counts @ (counts - 1)) / 2
        repeated = order != "sorted" and has_repeated_block(history.places, history.counts)
        if repeated or poisson_bound(pairs, chance) < CHANCE:
            yield "duplicates"
        between = bool(((self.values > 0) & (self.values < 0.85 * self.base)).any())
        if between or 10 * self.above < self.rounds or self.misfit < CHANCE:
            yield "misfit"


def _mid_tail(count: int, rounds: int, chance: float) -> float:
    """Return the mid-p value of at least so many successes."""
    return (binomial_tail(count, rounds, chance) + binomial_tail(count + 1, rounds, chance)) / 2


def _below(edge: float, above: int, rounds: int, forms: tuple[_Form, ...]) -> float:
    """Return the confidence that the edge is at most this: by mid-p values, averaged over the forms."""
    chances = [(form.weight, (1 - edge) * form.top) for form in forms if form.weight > 1e-9]
    return math.fsum(weight * (1 - _mid_tail(above, rounds, chance)) for weight, chance in chances)


def _quantile(share: float, above: int, rounds: int, forms: tuple[_Form, ...]) -> float:
    """Return the edge, from 0 to 1, up to which the confidence is less than a share."""
    if _below(0.0, above, rounds, forms) >= share:
        return 0.0
    return halved(lambda edge: _below(edge, above, rounds, forms) < share, 0.0, 1.0, 50)[0]


@cache
def _known() -> tuple[Game, ...]:
    """Return the games of operators with a multiplier that players share or may choose any cash-out of."""
    from .. import salted
    from ..registry import all_games

    games = [cls() for cls in all_games().values() if issubclass(cls, MultiplierGame)]
    families = (Divisible, Raw)
    games = [game for game in games if game.tail and game.table is None and not isinstance(game, families)]
    return (*games, salted.Crash(), salted.Overgo())


@displayed
@dataclass(frozen=True)
class CrashFit(Report):
    """The law of a crash game, as far as a history of its outcomes tells it.

    Attributes
    ----------
    edge : float
        The edge: P(at least x) = (1 - edge) / x, instant busts included. NaN where none can be claimed: of
        rows that are filtered, cut, of no such law, or never of the least multiplier.
    low, high : float
        Its interval, 0 to 1 where nothing is claimed.
    instant : float
        The share of instant busts by `game`'s law, 0.0 if there are none.
    instant_at : float or None
        Their value, 0.0 or 1.0.
    divisors : tuple of int
        The divisors that fit the instant busts; empty if there are none, if more than 20 fit, or as long as
        the rows don't tell instant busts at 1.00 from an edge.
    families : dict
        Games by name, with p-values: those that the rows are likely of, and known ones.
    notes : tuple of str
        What is odd: "sorted", "dependent", "filtered" (low rows are missing, or equal ones), "cut" (high rows
        are), "duplicates", "misfit" (no law of a crash game). One in 1,000 honest histories has a note.
    game : Game or None
        The fitted game, for laws and bets.
    pvalue : float
        How well the law fits above the least multiplier, whatever the edge.
    rounds : int
        The number of rows.
    step : float
        The step of the values.
    rounding : str
        "down" or "nearest", or "open" as long as the rows don't tell.
    cap : float or None
        The cap, which many rows have.
    least : float
        The least value.
    distances : dict
        The largest distance of the rows' survival function from that of the law, of a power law, a log-normal
        and an exponential, each fitted by maximum likelihood.
    confidence : float
        The confidence of the interval.
    """

    edge: float
    low: float
    high: float
    instant: float
    instant_at: float | None
    divisors: tuple[int, ...]
    families: Mapping[str, float]
    notes: tuple[str, ...]
    game: Game | None
    pvalue: float
    rounds: int
    step: float
    rounding: str
    cap: float | None
    least: float
    distances: Mapping[str, float]
    confidence: float
    _rows: _Rows = field(repr=False, compare=False)

    _what = "Crash fit"

    @property
    def ok(self) -> bool:
        """Whether nothing is odd."""
        return not self.notes

    @property
    def verdict(self) -> str:
        """The result in words."""
        odd = f" Odd: {', '.join(self.notes)}." if self.notes else ""
        if self.game is None:
            none = "" if self.notes else " None has the least multiplier, which a scraper may have left out."
            return f"No edge is claimed of these {self.rounds:,} rows.{odd}{none}"
        return (
            f"P(at least x) = (1 - edge) / x with an edge of {self.edge:.2%}, {self.low:.2%} to "
            f"{self.high:.2%} with a confidence of {self.confidence:.0%}.{odd} A law doesn't prove a round: "
            "for that take a later hash, and locate."
        )

    def rounds_needed(self, *, edge: object) -> int:
        """Return how many rounds a fit takes to exclude another edge, with a probability of at least 0.9.

        That is, from an interval of this fit's confidence, if the rounds are of this fit's law. While the
        rows leave the rounding open, the largest of its numbers is returned. About 1,000 rounds tell 1 % from
        4 %, 700 where the rounding is known; 4,000 tell 1 % from 3 %; but some 700,000 are needed for 1 % and
        2 %, which rounding may explain.

        Parameters
        ----------
        edge : number or str
            The other edge, from 0 to below 1.

        Raises
        ------
        ValueError
            When the fit claims no edge, or no number of rounds tells the edges apart.

        Examples
        --------
        >>> rows = pf.operators.bustabit.V2().simulate(10_000)
        >>> 300 < pf.operators.crash.fit(rows).rounds_needed(edge=0.04) < 1000
        True
        """
        other = float(exact_number(edge, "edge"))
        if not 0 <= other < 1:
            raise BadValue("edge", f"must be from 0 to below 1, got {edge!r:.50}")
        if self.game is None:
            raise BadValue("edge", "can't be told from another one: this fit claims no edge")
        forms = [form for form in self._rows.forms if form.weight >= _OPEN]
        needed = [rounds for form in forms if (rounds := self._needed(form, other)) is not None]
        if not needed:
            raise BadValue("edge", f"must differ more from {self.edge:.6f}, got {other}")
        return max(needed)

    def _needed(self, form: _Form, edge: float) -> int | None:
        """Return the rounds of a form that exclude an edge, in all but few histories."""
        rows, normal = self._rows, NormalDist().inv_cdf(_POWER)
        chance = rows.above / rows.rounds
        side = math.copysign(1, chance / form.top - (1 - edge))

        def excludes(rounds: int) -> bool:
            # Of rows that are all above the least multiplier nothing is claimed.
            if chance**rounds > 1 - _POWER:
                return False
            # Few histories have fewer or more rows above, or a shift that looks more like it.
            above = rounds * chance - side * normal * math.sqrt(rounds * chance * (1 - chance))
            logs = []
            for other, weight in zip(rows.forms, rows.weights, strict=True):
                apart = rounds * chance * ((other.shift - form.shift) / rows.base) ** 2 / 3
                toward = side * (other.top - form.top) > 0
                logs.append(math.log(weight) - apart / 2 + toward * normal * math.sqrt(apart))
            weights = [math.exp(log - max(logs)) for log in logs]
            forms = tuple(
                _Form(one.shift, one.top, weight / sum(weights))
                for one, weight in zip(rows.forms, weights, strict=True)
            )
            below = _below(edge, min(max(round(above), 0), rounds), rounds, forms)
            return min(below, 1 - below) < (1 - self.confidence) / 2

        low, high = 10, 20
        while not excludes(high):
            low, high = high, 2 * high
            if high > _LONGEST:
                return None
        return bisected(lambda rounds: not excludes(rounds), low, high, 1000)[1]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the probability of at least x beside the law with its band, and the families that people fit.

        Examples
        --------
        >>> rows = pf.operators.bustabit.V2().simulate(1000)
        >>> pf.operators.crash.fit(rows).plot().get_xscale()
        'log'
        """
        ax = axes(ax, 6, 3.8)
        x, seen, laws = _survivals(self._rows)
        law = laws.pop("law")
        if self.game is not None:
            spread = NormalDist().inv_cdf((1 + self.confidence) / 2) * np.sqrt(law * (1 - law) / self.rounds)
            name = f"law, {self.distances['law']:.3f} away"
            ax.plot(x, law, color=COLORS["sky"], linewidth=4, label=name)
            ax.fill_between(x, law - spread, law + spread, color=COLORS["sky"], alpha=0.3)
        for (name, values), color in zip(laws.items(), ("vermilion", "orange", "green"), strict=True):
            ax.plot(x, values, "--", color=COLORS[color], label=f"{name}, {self.distances[name]:.3f} away")
        ax.plot(x, seen, color="black", linewidth=1.2, label=f"{self.rounds:,} rows")
        ax.set(xscale="log", yscale="log", ylim=(0.3 / self.rounds, 1.5))
        ax.set(
            xlabel="multiplier x", ylabel="probability of at least x", title="Survival of a history, and laws"
        )
        ax.grid(alpha=0.3)
        ax.legend(fontsize=8)
        return ax

    def to_dict(self) -> JsonDict:
        """Return the fit as plain values."""
        names = [name for name in type(self).__dataclass_fields__ if name != "_rows"]
        values = {name: getattr(self, name) for name in names}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        game = None if self.game is None else typed_name(self.game)
        return {"schema": "provably_fair.crash_fit/1", **plain, "game": game, "version": __version__}

    def _columns(self) -> Columns:
        x, seen, laws = _survivals(self._rows, np.array(_CASH_OUTS))
        return {"x": x, "rows": seen, **laws}

    def _about(self) -> str:
        return f"{self.rounds:,} outcomes"

    def _headline(self) -> str:
        if self.game is None:
            return f"no claim: {', '.join(self.notes) or 'no row has the least multiplier'}"
        odd = f", but {', '.join(self.notes)}" if self.notes else ""
        return f"edge {self.edge:.2%}, {self.low:.2%} to {self.high:.2%}{odd}"

    def _lines(self) -> list[tuple[str, str]]:
        instants = (
            f"{self.instant:.2%} at {self.instant_at:.2f}" if self.instant_at is not None else "none, or open"
        )
        which = ", ".join(map(str, self.divisors)) or "open"
        capped = "" if self.cap is None else f", at most {self.cap:g}"
        return [
            (
                "rows",
                f"{self.rounds:,} from {self.least:g} by {self.step:g}{capped}; rounding {self.rounding}",
            ),
            ("instant busts", f"{instants}; divisor {which}"),
            ("law", f"p-value {self.pvalue:.4g} above the least multiplier"),
            ("game", "none" if self.game is None else typed_name(self.game)),
            ("by", f"provably_fair {__version__}"),
        ]

    def _tables(self) -> list[tuple[tuple[str, str], list[tuple[str, str]]]]:
        families = sorted(self.families.items(), key=lambda one: -one[1])
        distances = self.distances.items()
        return [
            (("family", "p-value"), [(name, f"{pvalue:.4g}") for name, pvalue in families]),
            (("fitted to these rows", "largest distance"), [(name, f"{off:.4f}") for name, off in distances]),
        ]

    def _details(self) -> str:
        return "\n\n".join([*(text_table(*table) for table in self._tables()), self.verdict])

    def _sections(self) -> str:
        return section("Families", "".join(html_table(*table) for table in self._tables()))

    def _cases(self) -> list[Case]:
        return [Case("history", "passed" if self.ok else "failure", self._headline())]


def _survivals(
    rows: _Rows, x: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Return values, the share of rows that reach them, and their chances by each fitted law."""
    counts, values = rows.counts, rows.values / rows.base
    inside = values >= 1
    x = values[inside] if x is None else x
    reached = np.append(np.cumsum(counts[::-1])[::-1], 0)
    seen = reached[np.searchsorted(values, x - 1e-9)] / rows.rounds
    logs, weights = np.log(values[inside]), counts[inside] / counts[inside].sum()
    middle = float(weights @ logs)
    spread = math.sqrt(max(float(weights @ (logs - middle) ** 2), 1e-300))
    form = rows.best
    returned = rows.above / rows.rounds / form.top
    law = np.minimum(
        returned * rows.base / np.maximum(x * rows.base - form.shift, 1),
        1 - (rows.rounds - reached[(values < 1).sum()]) / rows.rounds,
    )
    return (
        x,
        seen,
        {
            "law": np.where((x * rows.base < rows.least), seen, law)
            * (x * rows.base <= (rows.cap or math.inf)),
            "power law": x ** -(1 / max(middle, 1e-300)),
            "log-normal": np.array(
                [math.erfc(z / math.sqrt(2)) / 2 for z in ((np.log(x) - middle) / spread).tolist()]
            ),
            "exponential": np.exp(-(x - 1) / max(float(weights @ values[inside]) - 1, 1e-300)),
        },
    )


def fit(outcomes: object, *, confidence: float = 0.95) -> CrashFit:
    """Return the law of a crash game from a history of its outcomes, without hashes or seeds.

    That is its edge, instant busts and their divisor, steps, cap, and which known games it may be. It is
    looked at first whether the rows are independent and whole. A law doesn't prove a round: it tells what a
    game pays on the whole, and no more of the next row than that.

    Parameters
    ----------
    outcomes : array-like
        The multipliers, in the order of play, at least 20.
    confidence : float
        The confidence of the edge's interval.

    Returns
    -------
    CrashFit
        Edge, families, notes; figure, HTML, JSON.

    Raises
    ------
    TypeError, ValueError
        When outcomes aren't numbers from 0, are fewer than 20, or look like hundredths.

    Notes
    -----
    All known rules have P(at least k hundredths) = (1 - edge) * 100 / (k - s), where s is 0, 0.5 or 1 for
    rounding down, to nearest, and bustabit's first rule. The edge is estimated from the number of rows above
    the least multiplier, by mid-p values that are averaged over s, with prior weights of 0.48, 0.04 and 0.48
    (a third each if steps are larger) and the likelihood of the rows: it takes about 300,000 of these to tell
    s. Until then the interval is one hundredth wide, or more, and the edge may be half of that off. A
    family's p-value combines the likelihood ratio of the least multipliers and the direction of s with
    Pearson's test of all cells, by Bonferroni.

    Examples
    --------
    >>> rows = pf.operators.blaze.Crash().simulate(100_000)  # a fifteenth bust at once
    >>> found = pf.operators.crash.fit(rows)
    >>> found.low < 1 - 0.99 * 14 / 15 < found.high, found.instant_at, found.divisors, found.notes
    (True, 0.0, (15,), ())
    >>> found.families["blaze.crash"] > 0.001 > found.families["roobet.crash"]
    True
    >>> pf.operators.crash.fit(rows[rows >= 2]).notes
    ('filtered',)
    """
    confidence = probability("confidence", confidence)
    history = read_history(outcomes, 2)
    base = 10**history.decimals
    least = int(history.values[history.values > 0].min(initial=history.values[-1]))
    if history.values.size > 2 and 100 * base <= least <= 110 * base and not (history.values % base).any():
        raise BadValue("outcomes", "must be multipliers; these look like hundredths: divide them by 100")
    rows = _Rows(history.values, history.counts, base, math.gcd(base, int(np.gcd.reduce(history.values))))
    if rows.top() == "cap":
        rows = replace(rows, cap=int(rows.values[-1]))
    notes = tuple(rows.notes(history))
    zeros = int(rows.counts[rows.values == 0].sum())
    instant, at = (zeros / rows.rounds, 0.0) if zeros else (0.0, None)
    families: dict[str, float] = {}
    game: Game | None = None
    edge, low, high = math.nan, 0.0, 1.0
    if rows.above < rows.rounds and not {*notes} & {*_NO_CLAIM}:
        tail = (1 - confidence) / 2
        edge, low, high = (
            _quantile(share, rows.above, rows.rounds, rows.forms) for share in (0.5, tail, 1 - tail)
        )
        game, families = _game(rows, instant)
        if not zeros and isinstance(game, Divisible):
            instant, at = 1 / game.divisor, 1.0
    _, seen, laws = _survivals(rows)
    down = 1 - rows.forms[1].weight
    return CrashFit(
        edge,
        low,
        high,
        instant,
        at,
        _divisors(rows, zeros) if game is not None else (),
        families,
        notes,
        game,
        rows.misfit,
        rows.rounds,
        rows.step / base,
        "down" if down > _SURE else "nearest" if down < 1 - _SURE else "open",
        None if rows.cap is None else rows.cap / base,
        float(rows.values[0] / base),
        {name: float(np.abs(law - seen).max(initial=0.0)) for name, law in laws.items()},
        confidence,
        rows,
    )


def _divisors(rows: _Rows, zeros: int) -> tuple[int, ...]:
    """Return the divisors that fit the instant busts, if the rows tell that there are some."""
    if zeros:
        low, high = binomial_interval(zeros, rows.rounds, _DIVISORS)
    elif rows.is_divisible:
        chances = binomial_interval(rows.above, rows.rounds, _DIVISORS)
        high, low = (1 - chance / rows.forms[2].top / 0.99 for chance in chances)
    else:
        return ()
    if low <= 0:
        return ()
    found = range(math.ceil(1 / high), math.floor(1 / low) + 1)
    return tuple(found) if len(found) <= _MOST_DIVISORS else ()


def _game(rows: _Rows, zeros: float) -> tuple[Game, dict[str, float]]:
    """Return the fitted game, and families with their p-values."""
    known = {game: rows.pvalue(game) for game in _known()}
    chance = rows.above / rows.rounds
    excess = zeros or 1 - chance / rows.forms[2].top / 0.99
    likely: list[Game] = []
    if 1e-6 <= excess <= 0.5:
        at = 0.0 if zeros else 1.0
        # An operator's divisor, if one fits as well as the nearest
        rules = [game for game in known if isinstance(game, DivisibleRule) and game.instant == at]
        divisors = [game.divisor for game in rules if known[game] >= _FITS_WELL]
        nearest = min(divisors, key=lambda divisor: abs(divisor * excess - 1), default=round(1 / excess))
        likely.append(Divisible(nearest, at))
    if not zeros:
        likely.insert(len(likely) if rows.is_divisible else 0, Raw(_simple_edge(rows)))
    pvalues = {game: rows.pvalue(game) for game in likely} | known
    families = {typed_name(game): pvalue for game, pvalue in pvalues.items()}
    if not likely or pvalues[likely[0]] < _FITS:
        likely.insert(0, max(known, key=lambda game: known[game]))
    if pvalues[likely[0]] >= _FITS and rows.cap is None and rows.base == 100 * rows.step == 100:
        return likely[0], families
    form, hundredth = rows.best, rows.base / 100
    cap = math.inf if rows.cap is None else rows.cap / rows.base
    edge = max(0.0, 1 - chance / form.top)
    return Fitted(edge, form.shift / hundredth, rows.step / hundredth, zeros, cap), families


def _simple_edge(rows: _Rows) -> str:
    """Return the edge of fewest decimals that fits if hundredths are rounded down."""
    form = (rows.forms[0]._replace(weight=1.0),)
    low, middle, high = (_quantile(share, rows.above, rows.rounds, form) for share in (0.025, 0.5, 0.975))
    for decimals in range(2, 7):
        if low <= round(middle, decimals) <= high:
            break
    return f"{middle:.{decimals}f}" if middle else "0"
