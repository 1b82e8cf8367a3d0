"""Measures the false alarms and the power of each statistical test of an audit.

    python measurements/measure_audit_tests.py [part of a name]

The logs are played by the package itself. Results go to `measurements/audit_tests.json`. Each row is a number
of logs, with its share and the Clopper-Pearson interval of that share:

- "false": honest logs in which the p-value of one kind of test, before adjustment, is at most `level`.
  Players stake the same in all rounds, or any amounts, or double after each loss and stop when they are ahead
  or broke;
- "report": honest logs with a finding of severity "evidence";
- "power": logs in which a planted fraud is found, at the level that remains for one test of a report. Their
  length is that of `rounds_needed` for a power of 90 %.

It takes about ten minutes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from auditing.logs_of_bets import BET, BOARD, OF_OUTCOMES, TABLE, Drifting, board_log, dice_log, rounds_of
from auditing.test_selection import DICE, NONCED, ground_board, nonced_log
from provably_fair._core.tails import binomial_interval

RESULTS = folders.MEASUREMENTS / "audit_tests.json"
LOGS, FOUND_LOGS = 2000, 100
LEVELS = (0.05, 0.01)

Log = dict[str, Any]


def row(kind: str, name: str, logs: int, count: int, **facts: object) -> dict[str, object]:
    """Return one row of the results."""
    low, high = binomial_interval(count, logs)
    shares = {"share": count / logs, "low": round(low, 5), "high": round(high, 5)}
    return {"kind": kind, "log": name, **facts, "logs": logs, "count": count, **shares}


def named(one: dict[str, object]) -> tuple[object, ...]:
    """Return the fields by which a row of results is known."""
    return tuple(one.get(name) for name in ("kind", "log", "test", "level"))


def same_stakes(seed: int) -> tuple[Any, Any, Log]:
    """Return boards, each with a stake of 1."""
    return BOARD, BET, board_log(500, seed)


def any_stakes(seed: int) -> tuple[Any, Any, Log]:
    """Return dice with stakes of all sizes, by players at all hours."""
    rng = np.random.default_rng(seed)
    log = dice_log(500, seed, stakes=np.round(rng.lognormal(0, 1.5, 500), 2) + 0.01, pays=2)
    log["payout"] = np.where(log["outcome"] < 49.5, log["stake"] * 2, 0).round(2)
    log["player"] = np.array([f"player {number}" for number in rng.integers(0, 12, 500)])
    log["time"] = np.sort(rng.integers(1_700_000_000, 1_700_900_000, 500))
    return pf.Dice(), DICE, log


def doubling(seed: int) -> tuple[Any, Any, Log]:
    """Return dice by players who double after a loss, until 10 ahead or unable to double."""
    log = rounds_of(pf.Dice(), 3000, seed)
    won = log["outcome"] < 49.5
    rng = np.random.default_rng(seed)
    rows: list[int] = []
    stakes: list[float] = []
    players: list[str] = []
    start = 0
    for player in range(12):
        stake, balance = 1.0, 0.0
        for place in range(start, min(start + 240, len(won))):
            rows.append(place)
            stakes.append(stake)
            players.append(f"player {player}")
            start = place + 1
            balance += stake if won[place] else -stake
            stake = 1.0 if won[place] else 2 * stake
            if balance >= 10 or stake > 128:
                break
    log = {name: value if isinstance(value, str) else value[rows] for name, value in log.items()}
    log["stake"], log["player"] = np.array(stakes), np.array(players)
    log["payout"] = np.where(won[rows], 2 * log["stake"], 0)
    log["time"] = 1_700_000_000 + np.sort(rng.integers(0, 900_000, len(rows)))
    return pf.Dice(), DICE, log


def rotating(seed: int) -> tuple[Any, Any, Log]:
    """Return dice with nonces, under changing server seeds."""
    return NONCED, DICE, nonced_log(60, 8, seed)


def audited(log: Log, game: Any, bet: Any) -> pf.auditing.AuditReport:
    """Audit a log, which may have outcomes alone."""
    return pf.audit(log, game, bet=bet, **({} if "stake" in log else OF_OUTCOMES))


HONEST = (same_stakes, any_stakes, doubling, rotating)


def honest(make: Callable[[int], tuple[Any, Any, Log]]) -> Iterator[dict[str, object]]:
    """Count false alarms of tests of honest logs."""
    below: dict[float, Counter[str]] = {level: Counter() for level in LEVELS}
    tested: Counter[str] = Counter()
    raised = 0
    for number in range(LOGS):
        game, bet, log = make(1_000_000 + number)
        report = audited(log, game, bet)
        assert report.verification.ok
        assert not [finding for finding in report.findings if finding.severity == "proof"]
        raised += any(finding.severity == "evidence" for finding in report.findings)
        kinds = Counter(test.kind for test in report.tests)
        least = {
            kind: many * min(test.raw for test in report.tests if test.kind == kind)
            for kind, many in kinds.items()
        }
        tested.update(least.keys())
        for level, counted in below.items():
            counted.update(kind for kind, pvalue in least.items() if pvalue <= level)
    name = make.__name__.replace("_", " ")
    for kind in sorted(tested):
        for level, counted in below.items():
            yield row("false", name, tested[kind], counted[kind], test=kind, level=level)
    yield row("report", name, LOGS, raised, level=0.01)


def level_of(game: Any, bet: Any, log: Log) -> float:
    """Return the level that remains for one test."""
    return 0.01 / len(audited(log, game, bet).tests)


def powers() -> Iterator[tuple[str, str, int, Callable[[int], tuple[Any, Any, Log]]]]:
    """Yield planted frauds: the kind of finding, the length of the log, and a function that makes it."""
    for share in (0.2, 0.05):
        level = level_of(BOARD, BET, ground_board(100, 0, 0))
        rounds = BET.rounds_needed(BET.after_grinding(2, share=share), level=level, power=0.9)
        for kind in ("return_low", "salts_ground"):
            yield (
                f"worse of two salts in {share:.0%} of rounds",
                kind,
                rounds,
                lambda seed, rounds=rounds, share=share: (BOARD, BET, ground_board(rounds, share, seed)),
            )
    level = level_of(NONCED, DICE, nonced_log(20, 3, 0))
    seeds = DICE.rounds_needed(DICE.after_grinding(2, share=0.5), level=level, power=0.9)
    yield (
        "worse of two server seeds in half of first rounds",
        "first_rounds_low",
        seeds,
        lambda seed: (NONCED, DICE, nonced_log(seeds, 20, seed, grind_first=0.5)),
    )
    game = Drifting()
    level = level_of(game, BET, board_log(100, 0, game=game))
    length = BET.rounds_needed(game.bet(dict(enumerate(TABLE))), level=level, power=0.9)
    for kind in ("return_low", "outcomes_unfair"):
        yield (
            "a board that returns 0.98",
            kind,
            length,
            lambda seed: (game, BET, board_log(length, seed, game=game)),
        )


def main() -> None:
    """Measure all parts, or those named, and write the results."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    kept = json.loads(RESULTS.read_text("utf-8"))["rows"] if RESULTS.exists() else []
    rows: list[dict[str, object]] = []
    for make in HONEST:
        if wanted in make.__name__:
            rows += honest(make)
            print(*rows[-1:], flush=True)
    for name, kind, rounds, make_log in powers():
        if wanted in name:
            detected = 0
            for seed in range(FOUND_LOGS):
                game, bet, log = make_log(seed)
                detected += kind in {one.kind for one in audited(log, game, bet).findings}
            rows.append(row("power", name, FOUND_LOGS, detected, test=kind, rounds=rounds, power=0.9))
            print(rows[-1], flush=True)
    new = {named(one) for one in rows}
    rows = [one for one in kept if named(one) not in new] + rows
    content = {"command": "python measurements/measure_audit_tests.py", "rows": rows}
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
