"""Measures the errors of tests, monitors and intervals of bets, and their power.

    python measurements/measure_bet_proofs.py [part of a name]

Logs are drawn from the laws of bets with numpy's generator. Results go to `measurements/bet_proofs.json`.
Each row is a number of logs, with its share and the Clopper-Pearson interval of that share:

- "test": honest logs whose p-value is at most 0.05, or 0.01;
- "monitor": honest logs whose p-value is that small at one of its looks, at each of 20,000 bets;
- "sequence": logs whose interval holds the return at each of 1,000 looks, 20 bets apart;
- "share": logs whose interval of the share of ground rounds holds it;
- "power": logs of the length that `rounds_needed` gives which are rejected; `power` is the nominal share.

It takes about half an hour.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from provably_fair._core.tails import binomial_interval
from provably_fair.bets import Bet

RESULTS = folders.MEASUREMENTS / "bet_proofs.json"

HIGH_RISK = [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000]
BETS = {
    "Dice under 49.5": lambda: pf.Dice().bet(2, under=49.5),
    "Crash, cash-out 100": lambda: pf.Crash().bet(cash_out=100),
    "Plinko, 16 rows of high risk": lambda: pf.Plinko().bet(HIGH_RISK),
    "Video poker, jacks or better": lambda: pf.operators.crypto_games.VideoPoker().bet(),
    "Dice, its number": lambda: pf.Dice().bet(lambda number: number / 50),
}
FEW = [name for name in BETS if name != "Dice, its number"]
LOGS = 10_000


def row(kind: str, name: str, logs: int, count: int, **facts: object) -> dict[str, object]:
    """Return one row of the results."""
    low, high = binomial_interval(count, logs)
    shares = {"share": count / logs, "low": round(low, 5), "high": round(high, 5)}
    return {"kind": kind, "bet": name, **facts, "logs": logs, "count": count, **shares}


def logs_of(bet: Bet, logs: int, bets: int, rng: np.random.Generator) -> np.ndarray:
    """Return the count of each amount in each log, shape (logs, amounts)."""
    counts: np.ndarray = rng.multinomial(bets, bet.law.probabilities, size=logs)
    return counts


def rejected(bet: Bet, counts: np.ndarray, alternative: str, level: float) -> int:
    """Return the number of rejected logs; p-values depend on the sum alone, so compute one per sum."""
    amounts = bet.law.outcomes.astype(float)
    totals, first, many = np.unique((counts @ amounts).round(6), return_index=True, return_counts=True)

    def pvalue(place: int) -> float:
        return bet.test(np.repeat(amounts, counts[first[place]]), alternative)

    if alternative == "two-sided":
        if len(bet.law) == 2:
            return sum(int(n) for place, n in enumerate(many) if pvalue(place) <= level)
        # Twice the smaller tail: each end by itself.
        return sum(rejected(bet, counts, side, level / 2) for side in ("less", "greater"))
    # One-sided p-values are monotone in the sum.
    low, high = 0, len(totals)
    while low < high:
        middle = (low + high) // 2
        inside = pvalue(middle if alternative == "less" else len(totals) - 1 - middle) <= level
        low, high = (middle + 1, high) if inside else (low, middle)
    return int(many[:low].sum() if alternative == "less" else many[len(totals) - low :].sum())


def measure_tests(name: str, rng: np.random.Generator):
    bet = BETS[name]()
    for bets in (1, 10, 100, 1000, 10_000):
        counts = logs_of(bet, LOGS, bets, rng)
        for alternative in ("less", "greater", "two-sided"):
            for level in (0.05, 0.01):
                count = rejected(bet, counts, alternative, level)
                yield row("test", name, LOGS, count, bets=bets, alternative=alternative, level=level)


def measure_monitors(name: str, rng: np.random.Generator):
    bet, bets = BETS[name](), 20_000
    logs = LOGS if name in FEW else 1000
    amounts = bet.law.outcomes.astype(float)
    pvalues = np.array(
        [bet.monitor().update(rng.choice(amounts, bets, p=bet.law.probabilities)).pvalue for _ in range(logs)]
    )
    for level in (0.05, 0.01):
        count = int((pvalues <= level).sum())
        yield row("monitor", name, logs, count, bets=bets, looks="every bet", level=level)


def measure_sequences(name: str, rng: np.random.Generator):
    bet, looks, logs = BETS[name](), 1000, 200
    amounts = bet.law.outcomes.astype(float)
    covered = 0
    for _ in range(logs):
        monitor, holds = bet.monitor(), True
        for returns in rng.choice(amounts, (looks, 20), p=bet.law.probabilities):
            low, high = monitor.update(returns).interval
            holds &= low <= bet.rtp <= high
        covered += holds
    yield row("sequence", name, logs, covered, bets=20 * looks, looks=looks, confidence=0.95)


def measure_shares(name: str, rng: np.random.Generator):
    bet = BETS[name]()
    for share in (0, 0.05, 0.5):
        for bets in (100, 1000, 10_000):
            counts = logs_of(bet.after_grinding(2, share=share), 2000, bets, rng)
            amounts = bet.law.outcomes.astype(float)
            estimates = [bet.grinding_share(np.repeat(amounts, each)) for each in counts]
            covered = sum(estimate.low <= share <= estimate.high for estimate in estimates)
            yield row("share", name, 2000, covered, bets=bets, ground=share, confidence=0.95)


def measure_power(name: str, rng: np.random.Generator):
    bet = BETS[name]()
    for share in (1, 0.05):
        other = bet.after_grinding(2, share=share)
        bets = bet.rounds_needed(other, level=0.01, power=0.9)
        power = bet.power(other, bets)
        count = rejected(bet, logs_of(other, LOGS, bets, rng), "less", 0.01)
        errors = (count / LOGS - power) / math.sqrt(power * (1 - power) / LOGS)
        facts = {"bets": bets, "ground": share, "power": power, "standard_errors": round(errors, 2)}
        yield row("power", name, LOGS, count, **facts)


MEASURES = {
    "test": (measure_tests, FEW),
    "monitor": (measure_monitors, list(BETS)),
    "share": (measure_shares, FEW),
    "power": (measure_power, FEW),
    "sequence": (measure_sequences, list(BETS)),
}


def main(part: str = "") -> None:
    """Measure the parts whose name contains `part`, such as "power" or "Plinko", and write the results."""
    known = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"] if part else []
    measured: dict[tuple[str, str], list[dict[str, object]]] = {}
    for old in known:
        measured.setdefault((old["kind"], old["bet"]), []).append(old)
    for kind, (measure, names) in MEASURES.items():
        for place, name in enumerate(names):
            if (kind, name) in measured and part not in f"{kind}: {name}":
                continue
            rng = np.random.default_rng([list(MEASURES).index(kind), place])
            measured[kind, name] = list(measure(name, rng))
            for each in measured[kind, name]:
                print(each, flush=True)
            rows = [r for k, (_, ns) in MEASURES.items() for n in ns for r in measured.get((k, n), [])]
            results = {"command": "python measurements/measure_bet_proofs.py", "rows": rows}
            RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
