"""Compares ruin in a million simulated bankrolls with the exact probability.

    python measurements/measure_ruin.py [part of a name]

Returns are drawn with numpy's generator. Results go to `measurements/ruin_paths.json`: for each case the
number of ruined bankrolls, and the exact probability. "Forever" is until ruin, or until an amount from which
ruin is less likely than 1e-9. It takes some minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from provably_fair.bets.ruin import ruin
from provably_fair.bets.systems import ruin_of_system

RESULTS = folders.MEASUREMENTS / "ruin_paths.json"
PATHS = 1_000_000
AT_A_TIME = 100_000

LAWS = {
    "coin of 55 %": pf.Distribution([0, 2], [45, 55]),
    "half a stake, one and a half, three": pf.Distribution([0, 0.5, 1.5, 3], [4, 2, 4, 2]),
    "up to eight stakes lost": pf.Distribution([-7, -1, 0, 1, 2, 3], [1, 3, 15, 9, 20, 14]),
    "dice at 2.1": pf.Dice().bet(under=50, payout=2.1).law,
    "dice at 1.98": pf.Dice().bet(under=50, payout=1.98).law,
    "double at 14": pf.Double().bet({0: 14}).law,
    "plinko of middle risk": pf.Plinko()
    .bet([110, 41, 10, 5, 3, 1.5, 1, 0.5, 0.3, 0.5, 1, 1.5, 3, 5, 10, 41, 110])
    .law,
}
GOOD = ("coin of 55 %", "half a stake, one and a half, three", "up to eight stakes lost", "dice at 2.1")
OTHERS = [name for name in LAWS if name not in GOOD]

# Law, bankroll, rounds, target, system; amounts are simulated in hundredths.
CASES = {
    **{f"{name}: {have}, for ever": (name, have, None, None, None) for name in GOOD for have in (2, 12)},
    **{f"{name}: 20, 500 rounds": (name, 20, 500, None, None) for name in OTHERS},
    **{f"{name}: 10, target 15": (name, 10, None, 15, None) for name in OTHERS},
    "dice at 1.98: 63, 500 rounds, martingale": ("dice at 1.98", 63, 500, None, "martingale"),
    "dice at 1.98: 31, target 62, martingale": ("dice at 1.98", 31, None, 62, "martingale"),
}


def exact(
    law: pf.Distribution, have: int, rounds: int | None, target: int | None, system: str | None
) -> float:
    """Return the exact probability."""
    if system:
        return float(ruin_of_system(law, pf.bets.Martingale(), have, rounds, target))
    return float(ruin(law, have, rounds, target))


def far(law: pf.Distribution) -> int:
    """Return an amount from which ruin without end is less likely than 1e-9."""
    return next(have for have in range(50, 10_000, 50) if ruin(law, have) < 1e-9)


def ruined(name: str, rng: np.random.Generator, paths: int) -> int:
    """Return the number of simulated bankrolls that are ruined."""
    of, start, rounds, target, system = CASES[name]
    law = LAWS[of]
    end = target if target is not None else far(law) if rounds is None else None
    nets = np.rint((law.outcomes.astype(float) - 1) * 100).astype(np.int64)
    chances = np.cumsum(law.probabilities)
    have, stake = np.full(paths, 100 * start), np.full(paths, 100)
    lost = played = 0
    while len(have) and played != rounds:
        net = nets[np.minimum(np.searchsorted(chances, rng.random(len(have)), side="right"), len(nets) - 1)]
        have = have + net * stake // 100
        if system:
            stake = np.where(net > 0, 100, np.where(net < 0, 2 * stake, stake))
        gone = have < stake if end is None else (have < stake) & (have < 100 * end)
        lost += int(gone.sum())
        going = ~gone if end is None else ~gone & (have < 100 * end)
        have, stake = have[going], stake[going]
        played += 1
    return lost


def measure(name: str, paths: int = PATHS) -> dict[str, object]:
    """Return a row of the results."""
    rng = np.random.default_rng(list(name.encode()))
    count = sum(ruined(name, rng, min(AT_A_TIME, paths - begin)) for begin in range(0, paths, AT_A_TIME))
    of, *rest = CASES[name]
    return {"case": name, "paths": paths, "ruined": count, "exact": exact(LAWS[of], *rest)}


def main(part: str = "", report: Callable[[str], None] = print) -> None:
    """Measure the cases whose name contains `part`, and write the results."""
    rows = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    for name in CASES:
        if part in name:
            row = measure(name)
            rows = [*(old for old in rows if old["case"] != name), row]
            report(f"{name}: {row['ruined'] / row['paths']:.6f} simulated, {row['exact']:.6f} exact")
    rows.sort(key=lambda row: list(CASES).index(row["case"]))
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
