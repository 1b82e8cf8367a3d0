"""The exact law of JavaScript's `parseInt(hex, 16) % n`: how many numbers round to which doubles."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["doubles_below"]

_DIGITS = 53


@lru_cache(maxsize=4096)
def doubles_below(bits: int, n: int, answer: int) -> int:
    """Return how many numbers of `bits` bits have a nearest double whose remainder by n is below `answer`.

    Of two doubles that are as near, the even one is the nearest. In the binade with steps of 2^e, 2^e - 1
    whole numbers round to each odd double and 2^e + 1 to each even one; to the binade's first double only
    half as many round from below, where the steps are half as large.
    """
    answer = min(answer, n)
    if answer <= 0:
        return 0
    small = 1 << min(_DIGITS, bits)
    found = small // n * answer + min(small % n, answer)  # numbers that are doubles themselves
    for exponent in range(1, bits - _DIGITS + 1):
        step, first = 1 << exponent, 1 << (_DIGITS - 1)
        # Doubles m * step of the binade, m from `first` to below 2 * `first`.
        even = _below(2 * step, first * step, first // 2, n, answer)
        odd = _below(2 * step, (first + 1) * step, first // 2, n, answer)
        found += even * (step + 1) + odd * (step - 1)
        # From below come a quarter of a step and a tie, rather than a half and a tie.
        found -= (step // 2 - step // 4) * (first * step % n < answer)
    # The largest numbers round up to a power of two.
    if bits > _DIGITS:
        step = 1 << (bits - _DIGITS)
        found += (step // 2) * ((1 << bits) % n < answer)
    return found


def _below(step: int, first: int, count: int, n: int, answer: int) -> int:
    """Return how many of `first`, `first + step`, ... have a remainder by n below `answer`."""
    # x mod n < answer where floor((x - answer) / n) is less than floor(x / n).
    return _floors(count, n, step, first) - _floors(count, n, step, first - answer)


def _floors(count: int, n: int, step: int, first: int) -> int:
    """Return the sum of floor((step * i + first) / n) over i below `count`, as Euclid's algorithm has it."""
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
