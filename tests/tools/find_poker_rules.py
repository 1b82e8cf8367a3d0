"""Finds rules of video poker, with their exact cost.

    python tests/tools/find_poker_rules.py

Writes `tests/vectors/poker_rules.json`: for some games, lists of rules and their cost. It takes some minutes.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
from provably_fair.cards import VideoPoker

RESULTS = folders.VECTORS / "poker_rules.json"
# Limit on the cost of a list.
LIMITS = {
    ("jacks_or_better_9_6", 25): "3/100000",
    ("jacks_or_better_9_6", 20): "3/10000",
    ("jacks_or_better", 25): "5/100000",
    ("deuces_wild", 20): "2/1000",
    ("joker_poker", 25): "5/1000",
}


def main() -> None:
    listed = []
    for (paytable, most), limit in LIMITS.items():
        started = time.process_time()
        rules = VideoPoker(paytable).find_rules(most)
        seconds = time.process_time() - started
        print(f"{paytable}, {seconds:.0f} s of one processor\n{rules}\n", flush=True)
        listed.append(
            {"paytable": paytable, "rules": list(rules), "cost": str(rules.exact_cost), "limit": limit}
        )
    results = {"command": "python tests/tools/find_poker_rules.py", "found": listed}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
