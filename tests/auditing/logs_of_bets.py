"""Logs of bets simulated with the package, for tests of audits."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import provably_fair as pf

TABLE = [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6]
"""The payouts of a board of 8 rows: 0.98984 on average if the board is fair."""

BOARD = pf.Plinko(pins=8)
BET = BOARD.bet(TABLE, law="ideal")

OF_OUTCOMES: dict[str, Any] = {"constants": {"stake": 1, "payout": None}}
"""The options of logs without stakes and payouts."""


class Drifting(pf.Game):
    """A Plinko board on which the operator diverts a few balls to the middle."""

    per_10_000: int = 201

    def outcome(self, draws: Any) -> Any:
        bucket = sum(draws.below(2) for _ in range(8))
        return np.where(draws.below(10_000) < self.per_10_000, 4, bucket)


def rounds_of(game: Any, rounds: int, seed: int) -> dict[str, Any]:
    """Rounds under one pair of seeds, each with its own salt."""
    log: dict[str, Any] = {"server_seed": "server", "client_seed": "client"}
    log["salt"] = pf.salts(rounds, seed=seed).astype("U")
    log["outcome"] = game.play(**log).reshape(-1)
    return log


def board_log(
    rounds: int, seed: int, *, stakes: Any = 1.0, game: Any = BOARD, table: Any = TABLE
) -> dict[str, Any]:
    """A log of Plinko rounds with payouts rounded down to cents."""
    log = rounds_of(game, rounds, seed)
    cents = np.rint(np.broadcast_to(stakes, rounds) * 100).astype(np.int64)
    tenths = np.rint(np.array(table) * 10).astype(np.int64)[log["outcome"]]
    log["stake"], log["payout"] = cents / 100, cents * tenths // 10 / 100
    return log


def dice_log(rounds: int, seed: int, *, stakes: Any = 1.0, pays: Any = 1.98) -> dict[str, Any]:
    """A log of dice bets on numbers under 50, with payouts rounded to the nearest cent."""
    log = rounds_of(pf.Dice(), rounds, seed)
    log["stake"] = np.broadcast_to(stakes, rounds).astype(np.float64)
    log["payout"] = np.rint(np.where(log["outcome"] < 50, log["stake"] * pays, 0) * 100 + 1e-6) / 100
    return log


def kinds_of(report: Any) -> set[str]:
    """The kinds of the findings, without notes."""
    return {finding.kind for finding in report.findings if finding.severity != "note"}


def finding(report: Any, kind: str) -> Any:
    """The only finding of a kind."""
    (found,) = [one for one in report.findings if one.kind == kind]
    return found


def said_in(report: Any) -> Any:
    """All that a report says of a log as a whole."""
    return [one.to_dict() for one in report.findings], report.tests, report.unknown


def pieces(log: dict[str, Any], cuts: list[int]) -> list[dict[str, Any]]:
    """Split a log into pieces."""
    rows = len(log["outcome"])
    edges = [0, *cuts, rows]
    return [
        {name: value if isinstance(value, str | int) else value[a:b] for name, value in log.items()}
        for a, b in itertools.pairwise(edges)
    ]


def reports_in_pieces(
    log: dict[str, Any], cuts: list[int], game: Any, bet: Any = None, **options: Any
) -> tuple[Any, Any]:
    """The reports of a log in pieces: one after the other, and merged; auditors travel in between."""

    def copied(auditor: pf.Auditor) -> pf.Auditor:
        return pickle.loads(pickle.dumps(auditor))

    auditor, merged = (pf.Auditor(game, bet, **options) for _ in range(2))
    for piece in pieces(log, cuts):
        auditor = copied(auditor.update(piece))
        merged.merge(copied(pf.Auditor(game, bet, **options).update(piece)))
    return auditor.report(last=True), merged.report(last=True)
