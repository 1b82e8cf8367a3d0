"""Mean and variance of one draw as drawn, without enumerating its answers.

The answer below k is reached by the words below a bound, F(k). Over the k of one binade whose bounds fall
into one binade, F is a rounded multiple of k, and such sums are found by Euclid's algorithm: the moments of
2**53 answers take as long as those of a thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_WORD_BITS = 64
_PRECISION = 53  # bits of a double's significand
# In words of more bits than this, the eighth byte would be added after the seventh was rounded away: whole
# words of 56 bits are rounded instead.
_SIMPLE_BITS = 61
_BYTE = 256


def moments_as_drawn(n: int) -> tuple[Fraction, Fraction]:
    """Return the exact mean and variance of ``floor(number * n)``, for n up to 2**53."""
    words = 1 << _WORD_BITS
    first = second = 0  # sums of F(k) and of k F(k), for k from 1 to n - 1
    for run in _runs(n):
        once, weighted = run.sums()
        first += once
        second += weighted
    # The mean is the sum of all P(answer >= k); the second moment that of (2 k - 1) P(answer >= k).
    mean = Fraction((n - 1) * words - first, words)
    square = Fraction((n - 1) ** 2 * words - (2 * second - first), words)
    return mean, square - mean**2


@dataclass(frozen=True)
class _Progression:
    """Values of k = first + step * i for 0 <= i < count, whose bounds are rounded alike.

    F(k) = unit * m - half + odd * (m % 2), where m is (slope * i + offset) / divisor, rounded up.
    """

    first: int
    step: int
    count: int
    slope: int
    offset: int
    divisor: int
    unit: int
    half: int
    odd: int

    def sums(self) -> tuple[int, int]:
        """Return the sums of F(k) and of k F(k)."""
        n, above = self.count, self.offset + self.divisor - 1
        m, im = _floor_sums(n, self.slope, above, self.divisor)
        once, weighted = self.unit * m - self.half * n, self.unit * im - self.half * (n * (n - 1) // 2)
        if self.odd:
            halves, ihalves = _floor_sums(n, self.slope, above, 2 * self.divisor)
            once += self.odd * (m - 2 * halves)
            weighted += self.odd * (im - 2 * ihalves)
        return once, self.first * once + self.step * weighted


def _runs(n: int) -> Iterator[_Progression]:
    """Return the runs of all k from 1 to n - 1."""
    for bits in range(1, (n - 1).bit_length() + 1):
        low, high = 1 << (bits - 1), min(1 << bits, n)
        # The product rounds up to k from half a unit below it on; below a power of two units are smaller.
        half = 1 << (bits + _WORD_BITS - _PRECISION - 1)
        yield from _split(n, low, 1, 1, half >> 1)
        if bits < _PRECISION:
            yield from _split(n, low + 1, 1, high - low - 1, half)
        else:
            # Halves go to the even neighbor: to k where it is even, and else only what is above the half.
            yield from _split(n, low + 2, 2, (high - low - 1) // 2, half)
            yield from _split(n, low + 1, 2, (high - low) // 2, half - 1)


def _split(n: int, first: int, step: int, count: int, below: int) -> Iterator[_Progression]:
    """Return the runs of these k, cut where their bounds reach the next binade."""
    # The bound of k is the first word whose number is at least (slope * i + offset) / n.
    slope, offset = step << _WORD_BITS, (first << _WORD_BITS) - below
    start = 0
    for bits in range(_PRECISION, _WORD_BITS + 1):
        # Bounds above 2**(bits - 1), up to 2**bits; the first are all up to 2**53, which are not rounded.
        end = min(max(((n << bits) - offset) // slope + 1, start), count)
        if end > start:
            unit = 1 << (bits - _PRECISION)
            yield _Progression(
                first + step * start,
                step,
                end - start,
                slope,
                offset + slope * start,
                n * unit,
                unit,
                unit // 2,
                0 if unit == 1 else 1 if bits <= _SIMPLE_BITS else _BYTE,
            )
            start = end


def _floor_sums(n: int, a: int, b: int, c: int) -> tuple[int, int]:
    """Return the sums of floor((a i + b) / c) and of i times that, for 0 <= i < n."""
    return _triple(n - 1, a, b, c)[:2] if n > 0 else (0, 0)


def _triple(n: int, a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return the sums over 0 <= i <= n of q = floor((a i + b) / c), of i q, and of q squared."""
    whole_a, a = divmod(a, c)
    whole_b, b = divmod(b, c)
    ones, line, squares = n + 1, n * (n + 1) // 2, n * (n + 1) * (2 * n + 1) // 6
    f = g = h = 0
    if top := (a * n + b) // c:
        # Count by rows instead of columns: the roles of a and c change, as in Euclid's algorithm.
        rows, weighted, squared = _triple(top - 1, c, c - b - 1, a)
        f = n * top - rows
        g = (top * n * (n + 1) - squared - rows) // 2
        h = n * top * (top + 1) - 2 * weighted - 2 * rows - f
    return (
        f + whole_a * line + whole_b * ones,
        g + whole_a * squares + whole_b * line,
        h
        + 2 * whole_b * f
        + 2 * whole_a * g
        + whole_a * whole_a * squares
        + whole_b * whole_b * ones
        + 2 * whole_a * whole_b * line,
    )
