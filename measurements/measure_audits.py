"""Measures how often audits suspect honest logs, and how often they detect grinding.

    python measurements/measure_audits.py

The logs are made by the oracles alone. Results go to `measurements/audits.json`:

- "honest": honest logs of random games, lengths and orders: how many have a finding of severity "proof", and
  how many one of severity "evidence", by kind;
- "ground": logs of dice with ground salts, of the length that `rounds_needed` gives for a power of 90 %: in
  how many the grinding is detected;
- "board": a million rounds of an operator's own rule with an unfair board, under which every row verifies.

It takes some minutes.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import provably_fair as pf
from gallery import Board
from oracles import gallery
from provably_fair.names import parse_subject

RESULTS = folders.MEASUREMENTS / "audits.json"
LOGS = 1000
GROUND_LOGS = 100
LEVEL = 0.01


def audited(log: gallery.Made, **options: object) -> pf.auditing.AuditReport:
    """Audit a generated log."""
    game = parse_subject(log.game, modules=True)
    claimed = game if log.claimed is None else parse_subject(log.claimed, modules=True)
    bet = None if log.bet is None else claimed.bet(**log.bet)
    return pf.audit(log.columns(), game, bet=bet, **log.options, **options)


def honest() -> dict[str, object]:
    """Audit honest logs."""
    kinds: dict[str, Counter[str]] = {"proof": Counter(), "evidence": Counter()}
    suspected: Counter[str] = Counter()
    rows = tests = 0
    for number in range(LOGS):
        report = audited(gallery.any_honest(number))
        rows, tests = rows + report.verification.checked, tests + len(report.tests)
        assert report.verification.ok, number
        for severity, counted in kinds.items():
            raised = {finding.kind for finding in report.findings if finding.severity == severity}
            counted.update(raised)
            suspected[severity] += bool(raised)
    return {
        "logs": LOGS,
        "rows": rows,
        "tests": tests,
        "level": LEVEL,
        "with_proof": suspected["proof"],
        "with_evidence": suspected["evidence"],
        "kinds": {severity: dict(sorted(counted.items())) for severity, counted in kinds.items()},
    }


def ground() -> list[dict[str, object]]:
    """Audit ground logs of the length that `rounds_needed` gives."""
    bet = pf.Dice().bet(**gallery.UNDER_49_5)
    results = []
    for salts in (2, 3):
        # The report's tests share the level by Holm's method, and the first look halves it.
        rounds, tests = 20, 1
        for _ in range(2):
            rounds = bet.rounds_needed(bet.after_grinding(salts), level=LEVEL / 2 / tests, power=0.9)
            rows = gallery.salted_rows(random.Random(0), rounds, draw=gallery.best_of(salts))
            tests = len(audited(gallery.Made("", "", "dice", rows, bet=gallery.UNDER_49_5)).tests)
        detected = 0
        for number in range(GROUND_LOGS):
            rng = random.Random(f"ground {salts} {number}")
            rows = gallery.salted_rows(rng, rounds, draw=gallery.best_of(salts))
            report = audited(gallery.Made("", "", "dice", rows, bet=gallery.UNDER_49_5))
            detected += any(finding.severity == "evidence" for finding in report.findings)
        results.append(
            {
                "salts": salts,
                "rounds": rounds,
                "tests": tests,
                "logs": GROUND_LOGS,
                "found": detected,
                "power": 0.9,
            }
        )
    return results


def board() -> dict[str, object]:
    """Audit a million rounds of an unfair board."""
    unfair = gallery.board_of_table(1_000_000)
    report = audited(unfair)
    fair = [
        round(Board(table).bet(**gallery.PLINKO_BET, law="ideal").rtp, 5) for table in ("fair", "operator")
    ]
    return {
        "rounds": report.verification.checked,
        "failed": report.verification.failed,
        "returns": fair,
        "evidence": {one.kind: one.pvalue for one in report.findings if one.severity == "evidence"},
        "proof": [finding.kind for finding in report.findings if finding.severity == "proof"],
    }


def main() -> None:
    """Measure everything, and write the results."""
    parts = sys.argv[1:] or ["honest", "ground", "board"]
    content = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for part in parts:
        content[part] = {"honest": honest, "ground": ground, "board": board}[part]()
        print(part, json.dumps(content[part], indent=1))
    content = {"command": "python measurements/measure_audits.py"} | content
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
