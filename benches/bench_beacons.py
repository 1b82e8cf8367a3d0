"""Signatures of one beacon: how long many rounds of drand's quicknet take to verify, on all threads.

The rounds differ, and all have the signature of the first: each takes a hash to the curve and a pairing, as a
valid one does, and all but one are refused.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import provably_fair as pf

ROUNDS = Path(__file__).parent.parent / "tests" / "vectors" / "beacons.json"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("signatures", type=int, nargs="?", default=100_000)
    count = parser.parse_args().signatures
    _, _, first, signature, _ = json.loads(ROUNDS.read_text(encoding="utf-8"))["duel_crash"]["rows"][0]
    begin, begin_cpu = time.perf_counter(), time.process_time()
    valid = pf.beacons.Drand("quicknet").verify(first + np.arange(count), [signature] * count)
    assert valid.tolist() == [True] + [False] * (count - 1)
    elapsed, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    each = 1e3 * cpu / count
    print(f"{count:,} signatures in {elapsed:.1f} s on {os.cpu_count()} cores: {each:.2f} ms of a core each")


if __name__ == "__main__":
    main()
