"""Verdicts of Dieharder on good and bad generators.

It runs on the package's stream from several seeds, where a hundredth of its p-values should lie at each end
(p-values of one run depend on each other, so they vary more than independent ones), and on two generators
that are known to be bad. Results are kept in measurements/batteries.json, beside those of other batteries::

    python measurements/measure_batteries.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from provably_fair.statistics.dieharder import battery

KEPT = Path(__file__).with_name("batteries.json")

SEEDS = 3
"""Seeds of the good generator."""


def randu(_series: str) -> Iterator[bytes]:
    """RANDU, x -> 65539 x mod 2**31: successive triples lie in 15 planes."""
    powers = np.full(1 << 18, 65539, np.uint32).cumprod(dtype=np.uint32)
    state = np.uint32(1)
    while True:
        words = powers * state
        state = words[-1]
        yield (words << np.uint32(1)).tobytes()


def biased(_series: str) -> Iterator[bytes]:
    """Good bits, except that one in 64 is always 1."""
    generator = np.random.Generator(np.random.PCG64(1))
    while True:
        bits = generator.bytes(1 << 18)
        masks = np.frombuffer(generator.bytes(6 << 18), np.uint8).reshape(6, -1)
        yield (np.frombuffer(bits, np.uint8) | np.bitwise_and.reduce(masks)).tobytes()


def measure() -> dict[str, object]:
    """Return the results for each generator."""
    results = []
    for seed in range(SEEDS):
        report = battery("smoke", seed=f"measured {seed}")
        # First results only: repeated WEAK ones wouldn't be uniform.
        results += [result.first or result for result in report.results]
        print(seed, report.counts, flush=True)
    pvalues = np.array([r.pvalue for r in results])
    judged: dict[str, object] = {
        "version": report.version,
        "seeds": SEEDS,
        "results": len(results),
        "first_weak": sum(r.assessment == "WEAK" for r in results),
        "failed": sum(r.assessment == "FAILED" for r in results),
        "pvalues": len(pvalues),
        "below_0.01": int((pvalues < 0.01).sum()),
        "above_0.99": int((pvalues > 0.99).sum()),
    }
    for source in (randu, biased):
        counts = battery("smoke", source=source).counts
        print(source.__name__, counts, flush=True)
        judged[source.__name__] = counts
    return judged


def main() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")) | {"dieharder": measure()}
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
