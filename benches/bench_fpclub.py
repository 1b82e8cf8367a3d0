"""FPClub's dice: combining numbers beside numpy's own formula, and the check with the full search.

Run with `python benches/bench_fpclub.py`. Prints the best of several runs; the targets are a ratio
of at most 1.5, and at most 50 ms.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from peers import timed
from provably_fair.operators import fpclub

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles.fpclub import PRINTED_RECORD

THROWS = 10**7


def best(work: Callable[[], Any], runs: int = 9) -> float:
    """Seconds of the fastest run."""
    return min(timed(work, time.perf_counter) for _ in range(runs))


def with_numpy(one: Any, two: Any) -> Any:
    """Combine in numpy; plain integers take the arrays' type."""
    return (one + two - 1) % 6 + 1


def combining() -> None:
    """Compare with numpy for every integer width, and for broadcast shapes."""
    rng = np.random.default_rng(1)
    for dtype in (np.uint8, np.int16, np.int64):
        first, second = rng.integers(1, 7, (2, THROWS)).astype(dtype)
        sides = {
            "both long": (first, second),
            "one face": (first, dtype(3)),
            "a table": (first.reshape(-1, 2), second[:2]),
        }
        for name, (one, two) in sides.items():
            theirs = best(partial(with_numpy, one, two))
            ours = best(partial(fpclub.combine, one, two))
            print(
                f"combine 10^7 {np.dtype(dtype).name:6} {name:9}  numpy {theirs * 1e3:6.1f} ms"
                f"  ours {ours * 1e3:6.1f} ms  ratio {ours / theirs:.2f}"
            )


def checking() -> None:
    """Time failing checks, which search for a repair."""
    (record,) = fpclub.parse_log(PRINTED_RECORD)
    print(f"check of the printed record, repaired  {best(record.check) * 1e3:6.2f} ms")
    for hash, length in (("md5", 32), ("sha256", 64)):
        for dice in (500, 1024):
            generated = fpclub.HashedDice.generate(dice, 1)
            seconds = best(partial(generated.check, "0" * length))
            print(f"check of {dice} dice, {hash}, nothing found  {seconds * 1e3:6.2f} ms")


def reading() -> None:
    """Time the parser on a long log."""
    text = PRINTED_RECORD * 2000
    seconds = best(partial(fpclub.parse_log, text), 5)
    print(f"parse 2000 records  {seconds * 1e3:6.1f} ms  {len(text) / seconds / 1e6:.0f} MB/s")


if __name__ == "__main__":
    combining()
    checking()
    reading()
