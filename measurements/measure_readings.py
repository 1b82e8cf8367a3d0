"""Count logs whose right reading is named: `python measurements/measure_readings.py [LOGS]`, kept as JSON.

Twelve mistakes in logs of several games; random outcomes, for which nothing may be suggested; published
rounds, twenty at a time, without their game and with uninformative column names; and mutants of rules, which
the rounds of `make_rounds.py` must exclude.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import mistakes
import provably_fair as pf
import published_rounds
import rule_mutants
from provably_fair.names import parse_game
from tools.make_rounds import path_of

KEPT = Path(__file__).with_name("readings.json")


def measure(logs: int) -> dict[str, Any]:
    """Return how often the right reading and game are named, for each kind of log."""
    tried: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for seed in range(max(logs // 100, 1)):
        for case in mistakes.logs(seed):
            result = pf.verify(case.log, case.game).suggestions
            tried[case.name] += 1
            named[case.name] += bool(result) and case.undone in result[0].text
    suggested = 0
    for seed in range(logs):
        game, log = mistakes.random_log(seed)
        suggested += bool(pf.verify(log, game).suggestions)
    published: Counter[str] = Counter()
    for game, rounds in published_rounds.by_twenties():
        result = pf.identify(published_rounds.anonymous(rounds))
        for place, candidate in (("stated", result.best), ("first", next(iter(result.candidates), None))):
            names = [] if candidate is None else [candidate.game, *candidate.alike]
            right = type(game) in [type(parse_game(name)) for name in names]
            published[f"{place}: {'right' if right else 'wrong' if names else 'none'}"] += 1
    return {
        "mistakes": {name: [named[name], tried[name]] for name in sorted(tried)},
        "random logs": logs,
        "random logs with a suggestion": suggested,
        "published rounds, twenty at a time": dict(published),
        "mutants of rules": {name: measure_mutants(name) for name in rule_mutants.RULES},
    }


def measure_mutants(name: str, sets: int = 50) -> dict[str, Any]:
    """Return the numbers of mutants of a rule that each kind of rounds excludes, and the survivors."""
    mutants = rule_mutants.mutants(name)
    rounds = json.loads(path_of(name).read_text(encoding="utf-8"))["rounds"]
    left = rule_mutants.survivors(mutants, rounds)
    hashed = rule_mutants.survivors(mutants, [one for one in rounds if "fields" in one])
    by_chance = [
        len(mutants) - len(rule_mutants.survivors(mutants, rule_mutants.random_rounds(name, 20, seed)))
        for seed in range(sets)
    ]
    return {
        "mutants": len(mutants),
        "excluded by separating rounds": len(mutants) - len(left),
        "excluded by those with seeds alone": len(mutants) - len(hashed),
        "excluded by 20 random rounds, mean": round(sum(by_chance) / sets, 1),
        "excluded by 20 random rounds, most": max(by_chance),
        "not excluded": [mutant.name for mutant in left],
    }


if __name__ == "__main__":
    results = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    KEPT.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=2))
