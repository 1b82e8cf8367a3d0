"""Bets: CPU time of single queries on one thread, against a limit for each.

Run it with the package installed: ``python benches/bench_bets.py``. A ratio of at most 1 holds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable

import provably_fair as pf
from peers import timed

HIGH = [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000]
MIDDLE = [110, 41, 10, 5, 3, 1.5, 1, 0.5, 0.3, 0.5, 1, 1.5, 3, 5, 10, 41, 110]
LOW = [16, 9, 2, 1.4, 1.4, 1.2, 1.1, 1, 0.5, 1, 1.1, 1.2, 1.4, 1.4, 2, 9, 16]
BETS = {
    "dice": pf.Dice().bet(under=50, payout=1.98),
    "double": pf.Double().bet({0: 14}),
    "crash": pf.Crash().bet(cash_out=2),
    "mines": pf.Mines(3).bet(reveals=3, payout=1.43),
    "plinko, low": pf.Plinko().bet(LOW),
    "plinko, middle": pf.Plinko().bet(MIDDLE),
    "plinko, high": pf.Plinko().bet(HIGH),
}
QUERIES: dict[str, Callable[[pf.bets.Bet], object]] = {
    "sum(100)": lambda bet: bet.sum(100),
    "sum(1000)": lambda bet: bet.sum(1000),
    "maximum(1000)": lambda bet: bet.maximum(1000),
    "longest_losing_run(1000)": lambda bet: bet.longest_losing_run(1000),
    "ruin(100)": lambda bet: bet.ruin(100),
    "ruin(100, rounds=100)": lambda bet: bet.ruin(100, rounds=100),
    "ruin(100, rounds=1000)": lambda bet: bet.ruin(100, rounds=1000),
    "ruin(100, target=200)": lambda bet: bet.ruin(100, target=200),
    "ruin_time(20, rounds=1000)": lambda bet: bet.ruin_time(20, rounds=1000),
    "bankroll(100)": lambda bet: bet.bankroll(100),
    "kelly()": lambda bet: bet.kelly(),
    "growth(0.01)": lambda bet: bet.growth(0.01),
}


def median_time(work: Callable[[], object], runs: int) -> float:
    """Return the median CPU time of several runs, in seconds."""
    return statistics.median(timed(work) for _ in range(runs))


def main() -> None:
    """Print a line for each query, and one for each bet's total of 100,000 bets.

    Its probabilities must be accurate to 1e-12 for tables of many amounts; those of two amounts are larger.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    for query, ask in QUERIES.items():
        for name, bet in BETS.items():
            seconds = median_time(lambda bet=bet, ask=ask: ask(bet), runs)
            verdict = "holds" if seconds <= 0.1 else "FAILS"
            print(f"{name + '.' + query:<44}{seconds:>8.3f} s, ratio {seconds / 0.1:>5.2f} ({verdict})")
    for name, bet in BETS.items():
        seconds = median_time(lambda bet=bet: bet.sum(100_000), runs)
        law = bet.sum(100_000)
        most = 1e-12 if name.startswith("plinko") else 1e-11
        verdict = "holds" if seconds <= 0.5 and law.probability_error < most else "FAILS"
        print(
            f"{name + '.sum(100_000)':<44}{seconds:>8.3f} s, ratio {seconds / 0.5:>5.2f}, "
            f"error {law.probability_error:.1g}, cut {law.truncation_error:.1g} ({verdict})"
        )


if __name__ == "__main__":
    main()
