"""The exact law of JavaScript's `parseInt(hex, 16) % n`: how many numbers round to which doubles."""

from __future__ import annotations

from functools import lru_cache

_DIGITS = 53


@lru_cache(maxsize=4096)
def doubles_below(bits: int, n: int, answer: int) -> int:
    """Return the number of `bits`-bit numbers that round to a double whose remainder by n is below `answer`.

    Ties round to even. In the binade with steps of 2^e, 2^e - 1 integers round to each odd double and 2^e + 1
    to each even one; to the binade's first double only half as many round up, as the steps below it are half
    as large.
    """
    answer = min(answer, n)
    if answer <= 0:
        return 0
    small = 1 << min(_DIGITS, bits)
    numbers = small // n * answer + min(small % n, answer)  # numbers that are doubles themselves
    for exponent in range(1, bits - _DIGITS + 1):
        step, first = 1 << exponent, 1 << (_DIGITS - 1)
        # The doubles m * step of the binade have m from `first` to 2 * `first` - 1.
        even = _below(2 * step, first * step, first // 2, n, answer)
        odd = _below(2 * step, (first + 1) * step, first // 2, n, answer)
        numbers += even * (step + 1) + odd * (step - 1)
        # Steps below the first double are half as large: a quarter of a step rounds up, rather than half.
        numbers -= (step // 2 - step // 4) * (first * step % n < answer)
    # The largest numbers round up to the next power of two.
    if bits > _DIGITS:
        step = 1 << (bits - _DIGITS)
        numbers += (step // 2) * ((1 << bits) % n < answer)
    return numbers


def _below(step: int, first: int, count: int, n: int, answer: int) -> int:
    """Return the number of `first`, `first + step`, ... whose remainder by n is below `answer`."""
    # x mod n < answer exactly if floor((x - answer) / n) < floor(x / n).
    return _floors(count, n, step, first) - _floors(count, n, step, first - answer)


def _floors(count: int, n: int, step: int, first: int) -> int:
    """Return the sum of floor((step * i + first) / n) over i < `count`, by a Euclid-like recursion."""
    total = 0
    while count > 0:
        total += count * (count - 1) // 2 * (step // n) + count * (first // n)
        step, first = step % n, first % n
        most = step * count + first
        if most < n:
            break
        count, first = divmod(most, n)
        step, n = n, step
    return total
