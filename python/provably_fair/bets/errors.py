"""The sampling error of the mean return of bets, by the exact law of one bet."""

from __future__ import annotations

import math

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair.distribution import Distribution

# Places at which the law of the sum is known, and the standard deviation in places of the normal law that
# smooths it. That leaves less than exp(-50) of higher frequencies than these, which no double would show.
_PLACES = 1 << 15
_SMOOTHED = 12
_FREQUENCIES = math.ceil(10 / (2 * math.pi * _SMOOTHED) * _PLACES)
# The sum omits the rarest outcomes, which occur in any of the bets with at most this share of the probability
# outside of the range, and sums beyond this number of standard deviations; the ends of the range allow for
# it.
_LEFT_OUT = 0.002
_DEVIATIONS = 10.0
# Limits on values of a law, on stakes, and on pairs of them; beyond these, neighbors are merged.
_MAX_VALUES = 256
_MAX_STAKES = 32
_MAX_PAIRS = 2048


class ErrorLaw:
    """The law of the sum of bets minus its mean, computed for an interval of this confidence.

    The density is the inverse Fourier transform of the product of the bets' characteristic functions, times
    that of a narrow normal law: a lattice law has no density, and smoothing keeps it from ringing. The sum
    less its mean is in `range` with a probability of `confidence`; both tails are at most half of the rest.
    """

    def __init__(self, law: Distribution, stakes: np.ndarray, repeats: np.ndarray, confidence: float) -> None:
        self.range: tuple[float, float] = (0.0, 0.0)
        self._law: tuple[np.ndarray, np.ndarray] | None = None  # places, and cumulative probabilities
        values, probabilities = law.outcomes.astype(np.float64), law.probabilities
        stakes, repeats = _together(stakes, repeats.astype(np.float64), _MAX_STAKES)
        largest = stakes.max()
        stakes = stakes / largest
        bets = repeats.sum()
        mean = float(probabilities @ values)
        # Sort by distance from the mean: rare far outcomes are dropped, and their share spread over the rest.
        order = np.argsort(-np.abs(values - mean))
        left_out = _LEFT_OUT * (1 - confidence)
        rare = np.cumsum(probabilities[order]) * bets <= left_out
        kept = np.sort(order[~rare])
        values, probabilities = values[kept], probabilities[kept] / probabilities[kept].sum()
        values, probabilities = _together(values, probabilities, min(_MAX_VALUES, _MAX_PAIRS // len(stakes)))
        lost = float(probabilities @ values) - mean
        values = values - mean
        variance = float(probabilities @ (values - lost) ** 2) * float(repeats @ stakes**2)
        if variance == 0:
            return
        reach = _DEVIATIONS * math.sqrt(variance) + 2 * float(np.abs(values).max())
        width = 2 * reach
        smooth = _SMOOTHED * width / _PLACES
        frequency = 2 * math.pi / width
        logarithm = -0.5 * (smooth * frequency * np.arange(_FREQUENCIES)) ** 2 + 0j
        for stake, count in zip(stakes.tolist(), repeats.tolist(), strict=True):
            # Centered, so that large powers keep their phase.
            one = _characteristic(frequency * stake, values - lost, probabilities)
            with np.errstate(divide="ignore"):
                logarithm += count * np.log(one)
        density = np.fft.irfft(np.exp(logarithm), _PLACES)
        # From zero at the left: place i stands for the sum i * width / _PLACES - reach.
        density = np.maximum(np.roll(density, _PLACES // 2), 0)
        cumulative = np.cumsum(density) / density.sum()
        x = np.arange(_PLACES) * (width / _PLACES) - reach
        x = (x + lost * float(repeats @ stakes)) * largest
        self._law = x, cumulative
        part, margin = (1 - confidence) / 2 - 2 * left_out, 3 * smooth * largest
        low = x[max(int(np.searchsorted(cumulative, part)) - 1, 0)]
        high = x[min(int(np.searchsorted(cumulative, 1 - part)) + 1, _PLACES - 1)]
        self.range = float(low - margin), float(high + margin)

    def outside(self, low: float, high: float) -> float:
        """Approximate the probability that the sum minus its mean lies outside of `low` to `high`."""
        if self._law is None:
            return float(low > 0 or high < 0)
        x, cumulative = self._law
        return float(np.interp(low, x, cumulative) + 1 - np.interp(high, x, cumulative))


def _characteristic(frequency: float, values: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """Return the mean of exp(-i f x) over a law, at the multiples f of a frequency.

    The exponential of a sum is a product, so a matrix product has all of them from two small tables.
    """
    few = math.isqrt(_FREQUENCIES) + 1
    steps = np.arange(few) * frequency
    near, far = (np.exp(-1j * np.outer(one, values)) for one in (steps, few * steps))
    return np.asarray(((far * probabilities) @ near.T).ravel()[:_FREQUENCIES])


def _together(values: np.ndarray, weights: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Merge neighboring values down to `most` groups, each at its weighted mean with its total weight."""
    if len(values) <= most:
        return values, weights
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    edges = np.linspace(values[0], values[-1], most // 2)
    # Half of the groups are equal in value and half equal in weight, so that neither rare nor frequent values
    # blur.
    group = np.searchsorted(edges, values) + np.floor(np.cumsum(weights) / weights.sum() * (most // 2 - 1))
    _, group = np.unique(group, return_inverse=True)
    together = bincount(group, weights)
    return bincount(group, weights * values) / together, together
