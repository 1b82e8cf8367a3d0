"""The laws of dice, wheels and Plinko, from histories of their outcomes alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from provably_fair._core.arguments import BadValue
from provably_fair._core.counts import bincount
from provably_fair._core.table import displayed
from provably_fair._core.tails import binomial_interval
from provably_fair.distribution.histories import (
    CHANCE,
    History,
    has_repeated_block,
    order_note,
    pearson_pvalue,
    poisson_bound,
    read_history,
)

_MOST_ROWS, _MOST_CELLS = 64, 10**6


@displayed
@dataclass(frozen=True)
class UniformFit:
    """A uniform law, as far as a history of its outcomes tells it.

    Attributes
    ----------
    low, high : float
        The least and the largest value. Of n rows, each lies about a share of 1 / n of the range inside.
    step : float
        The step between values.
    holes : tuple of float
        Values between that are missing, if chance leaves none out but in one history of 10,000.
    pvalue : float
        Of Pearson's test of equal probabilities.
    notes : tuple of str
        What is odd: "sorted", "dependent", "duplicates", "filtered" (equal rows were dropped), "ends" (the
        ends come half as often, as by rounding to nearest), "excess" (a value comes too often), "holes",
        "misfit" (values aren't equally probable). One in 1,000 honest histories has a note.
    rounds : int
        The number of rows of the history.
    """

    low: float
    high: float
    step: float
    holes: tuple[float, ...]
    pvalue: float
    notes: tuple[str, ...]
    rounds: int


@displayed
@dataclass(frozen=True)
class BucketsFit:
    """The law of Plinko's buckets, as far as a history of them tells it.

    Attributes
    ----------
    rows : int
        The number of rows of pins.
    right : float
        The probability that a pin sends a ball to the right.
    low, high : float
        Its interval (Clopper and Pearson).
    pvalue : float
        Of Pearson's test of fair pins.
    notes : tuple of str
        What is odd: "sorted", "dependent", "duplicates", "unfair", "misfit" (pins that aren't alike).
    rounds : int
        The number of rows of the history.
    """

    rows: int
    right: float
    low: float
    high: float
    pvalue: float
    notes: tuple[str, ...]
    rounds: int


def fit_uniform(outcomes: object) -> UniformFit:
    """Return the range and step of a uniform law, from a history of dice or of a wheel.

    Parameters
    ----------
    outcomes : array-like
        The numbers, from 0, in the order of play, at least 20.

    Returns
    -------
    UniformFit
        Range, step, holes, notes.

    Raises
    ------
    TypeError, ValueError
        When outcomes aren't numbers from 0, or fewer than 20.

    Examples
    --------
    >>> rolls = pf.operators.stake.Dice().simulate(100_000)
    >>> found = pf.statistics.fit_uniform(rolls)
    >>> found.low, found.high, found.step, found.holes, found.notes
    (0.0, 100.0, 0.01, (), ())
    >>> pf.statistics.fit_uniform(np.round(rolls / 10)).notes  # ends are half as wide
    ('ends',)
    """
    history = read_history(outcomes)
    rounds, unit = len(history.places), 10**history.decimals
    offsets = history.values - history.values[0]
    step = int(np.gcd.reduce(offsets)) or 1
    size = int(offsets[-1]) // step + 1
    width = -(-size // _MOST_CELLS)  # values of a cell; the last one may have fewer
    cells = -(-size // width)
    counts = bincount(offsets // step // width, history.counts, cells)
    expected, chances = rounds * width / size, np.full(cells, width / size)
    chances[-1] = (size - width * (cells - 1)) / size
    ends = False
    if cells == size > 2:
        rounded = np.full(size, 1 / (size - 1))
        rounded[[0, -1]] /= 2
        at_ends = np.array([counts[0] + counts[-1], counts[1:-1].sum()])
        # A likelihood ratio of 10,000 has at most that chance.
        ends = float(at_ends @ np.log((rounded / chances)[:2])) > -math.log(CHANCE)
        chances = rounded if ends else chances
    most = int((counts / chances).argmax())
    single = poisson_bound(float(counts[most]), rounds * float(chances[most])) * cells < CHANCE
    lacks = cells == size and not counts.all() and cells * math.exp(-expected) < CHANCE
    pairs = float(counts @ (counts - 1)) / 2
    twice = expected < 1 and not single and poisson_bound(pairs, rounds * expected / 2) < CHANCE
    # No two rows are equal: a product of 1 - i / size, i below the rounds
    dropped = bool(history.counts.max() == 1) and rounds * (rounds - 1) / 2 / size > -math.log(CHANCE)
    notes = [
        *_notes(history, twice),
        *["filtered"] * dropped,
        *["ends"] * ends,
        *["excess"] * single,
        *["holes"] * lacks,
    ]
    pvalue = pearson_pvalue(counts, chances)
    notes += ["misfit"] * (pvalue < CHANCE and notes in ([], ["ends"]))
    places = np.append(np.array([0, size - 1], np.int64), np.flatnonzero(counts == 0))
    low, high, *holes = ((history.values[0] + step * places) / unit).tolist()
    return UniformFit(low, high, step / unit, tuple(holes) if lacks else (), pvalue, tuple(notes), rounds)


def fit_buckets(outcomes: object) -> BucketsFit:
    """Return the rows of pins of Plinko and how fair they are, from a history of its buckets.

    Parameters
    ----------
    outcomes : array-like
        The buckets, whole numbers from 0, in the order of play, at least 20.

    Returns
    -------
    BucketsFit
        Rows, the probability of a step to the right, notes.

    Raises
    ------
    TypeError, ValueError
        When outcomes aren't whole numbers from 0 to 64, or fewer than 20.

    Notes
    -----
    Of all numbers of rows the likeliest is taken, with fair pins unless unfair ones are likelier by a factor
    of 10,000.

    Examples
    --------
    >>> balls = pf.operators.stake.Plinko(rows=12).simulate(5000).sum(axis=1)
    >>> found = pf.statistics.fit_buckets(balls)
    >>> found.rows, found.low < 0.5 < found.high, found.notes
    (12, True, ())
    """
    history = read_history(outcomes)
    if history.decimals or history.values[-1] > _MOST_ROWS:
        raise BadValue("outcomes", f"must be whole numbers from 0 to {_MOST_ROWS}")
    rounds, total = len(history.places), int(history.values @ history.counts)
    most = max(int(history.values[-1]), 1)

    def likelihood(rows: int, right: float) -> float:
        law = _binomial(rows, right)[history.values]
        return float(history.counts @ np.log(np.maximum(law, 1e-300)))

    choices = range(most, _MOST_ROWS + 1)
    rows = max(choices, key=lambda rows: likelihood(rows, 0.5))
    free = max(choices, key=lambda rows: likelihood(rows, total / rounds / rows))
    if likelihood(free, total / rounds / free) - likelihood(rows, 0.5) > -math.log(CHANCE):
        rows = free
    right, (low, high) = total / rounds / rows, binomial_interval(total, rounds * rows)
    unfair = likelihood(rows, right) - likelihood(rows, 0.5) > -math.log(CHANCE)
    counts = bincount(history.values, history.counts, rows + 1)
    notes = [*_notes(history), *["unfair"] * unfair]
    notes += ["misfit"] * (pearson_pvalue(counts, _binomial(rows, right)) < CHANCE)
    return BucketsFit(
        rows, right, low, high, pearson_pvalue(counts, _binomial(rows, 0.5)), tuple(notes), rounds
    )


def _notes(history: History, twice: bool = False) -> list[str]:
    """Return what is odd about the order of rows, and whether some come twice."""
    order = order_note(history.places, history.counts)
    repeated = order != "sorted" and has_repeated_block(history.places, history.counts)
    return [*[order] * bool(order), *["duplicates"] * (repeated or twice)]


def _binomial(rows: int, right: float) -> np.ndarray:
    return np.array([math.comb(rows, k) * right**k * (1 - right) ** (rows - k) for k in range(rows + 1)])
