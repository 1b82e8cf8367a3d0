"""Exact laws against simulation: how long each takes, as a ratio.

Run it with the package installed: ``python benches/bench_laws.py``. A ratio of at most 1 holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import provably_fair as pf
from peers import timed


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Return the shortest time of several runs, in seconds."""
    return min(timed(work, time.perf_counter) for _ in range(runs))


def main() -> None:
    """Print a line for each comparison."""
    lines = [
        (
            'Crash().distribution("as_drawn")',
            lambda: pf.Crash().distribution("as_drawn"),
            "500,000 rounds of crash",
            lambda: pf.Crash().simulate(500_000),
        ),
        (
            "Plinko().distribution().sum(1000)",
            lambda: pf.Plinko().distribution().sum(1000),
            "5,000,000 rounds of plinko",
            lambda: pf.Plinko().tally(5_000_000),
        ),
    ]
    for name, law, against, simulation in lines:
        exact, simulated = best_of(5, law), best_of(2, simulation)
        verdict = "holds" if exact <= simulated else "FAILS"
        print(
            f"{name}: {exact:.3f} s; {against}: {simulated:.3f} s; ratio {exact / simulated:.3f} ({verdict})"
        )


if __name__ == "__main__":
    main()
