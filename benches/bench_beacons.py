"""The time to verify the signatures of many rounds of drand's quicknet, on all threads.

The rounds differ, but all have the signature of the first, so all but one are refused. Each still takes a
hash to the curve and a pairing, like a valid one.
"""

import argparse
import csv
import os
import time
from pathlib import Path

import numpy as np
import provably_fair as pf

ROUNDS = Path(__file__).parent.parent / "corpus" / "duel" / "crash" / "rounds.csv"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("signatures", type=int, nargs="?", default=100_000)
    count = parser.parse_args().signatures
    with ROUNDS.open(encoding="utf-8") as file:
        round = next(csv.DictReader(file))
    first, signature = int(round["beacon_round"]), round["beacon_signature"]
    begin, begin_cpu = time.perf_counter(), time.process_time()
    valid = pf.beacons.Drand("quicknet").verify(first + np.arange(count), [signature] * count)
    assert valid.tolist() == [True] + [False] * (count - 1)
    elapsed, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    each = 1e3 * cpu / count
    print(f"{count:,} signatures in {elapsed:.1f} s on {os.cpu_count()} cores: {each:.2f} ms of a core each")


if __name__ == "__main__":
    main()
