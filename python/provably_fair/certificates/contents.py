"""The contents of a certificate: the verdict on a log, its seeds and commitments, and how it was read."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import bare_hex, decoded
from provably_fair._core.types import JsonDict
from provably_fair.auditing import AuditReport, Finding
from provably_fair.beacons import BitcoinHeader
from provably_fair.sources import Evidence
from provably_fair.sources.foreign import Constant, cells_of, is_empty
from provably_fair.verification import VerificationReport
from provably_fair.verification.columns import columns_of
from provably_fair.verification.plan import Plan
from provably_fair.verification.systems import GAME
from provably_fair.verification.systems.beacons import BEACON_ROUND, DrandBeacon
from provably_fair.verification.systems.chains import GAME_HASH, GAME_NUMBER, TERMINATING, Chains

COMMITMENT_TIME = "commitment_time"
_HASH = re.compile(r"[0-9a-f]{64}")
_VERDICT = ("ok", "complete", "checked", "failed", "counts", "unchecked", "committed", "unknown", "notes")
_FINDING = ("kind", "severity", "rows", "count", "text")


def verified_of(report: object) -> VerificationReport:
    """Return the report on single rows of a report of `verify` or `audit`."""
    verified = report.verification if isinstance(report, AuditReport) else report
    if not isinstance(verified, VerificationReport):
        raise BadType("report", f"must be a report of verify or audit, got {type(report).__name__}")
    return verified


def contents_of(report: VerificationReport | AuditReport) -> JsonDict:
    """Return what a certificate says of a report's log, as JSON types."""
    verified = verified_of(report)
    if verified.error is not None or any(file.error is not None for file in verified.files):
        raise BadValue("certificate", "needs a log that was read to its end")
    if isinstance(report, AuditReport) and not (report.last and report.looks == 1):
        raise BadValue(
            "certificate", "needs an audit that looks once, as audit() does: others adjust p-values"
        )
    verdict = {"by": "verify"} | {name: getattr(verified, name) for name in _VERDICT}
    if isinstance(report, AuditReport):
        verdict |= {"by": "audit", "ok": report.ok, "level": report.level}
        verdict |= {"seed": report.seed} if report.seed else {}
        verdict |= {"findings": [_finding(one) for one in report.findings], "unknown": report.unknown}
    return {"verdict": verdict, **_evidence(verified)}


def _finding(finding: Finding) -> JsonDict:
    # The last digits of a p-value depend on the machine.
    return {
        name: value
        for name, value in finding.to_dict().items()
        if name in _FINDING and (name != "text" or finding.pvalue is None)
    }


def _evidence(verified: VerificationReport) -> JsonDict:
    """Return a log's seeds and commitments, and how it was read."""
    plan, source, files = verified.again.plan, verified.again.source, verified.files
    if source is None or not source.again:
        raise BadValue("certificate", "needs a log that can be read again, and this one can't be")
    if GAME in plan.given:
        raise BadValue("certificate", "is of one game, and a column of the log names several")
    if plan.seeds is not None:
        raise BadValue("certificate", "is of one log: seeds in a table of their own aren't in it")
    seen = _DistinctTexts(plan)
    with closing(source.pieces()) as pieces:
        for piece in pieces:
            # A file's bytes don't have what the names of its folders say.
            folders: JsonDict = {}
            for batch in piece.batches():
                found = columns_of(plan, batch)
                columns = found.cells
                if COMMITMENT_TIME not in columns and COMMITMENT_TIME in batch.columns:
                    columns[COMMITMENT_TIME] = batch.columns[COMMITMENT_TIME]
                folders |= {
                    name: _plain(one.value)
                    for name, one in columns.items()
                    if isinstance(one, Constant) and found.called.get(name) in batch.folders
                }
                seen.add({name: cells_of(column, batch.rows) for name, column in columns.items()}, batch.rows)
            seen.files.append(piece.evidence)
            seen.folders.append({"folders": folders} if folders else {})
    log: JsonDict = {"rows": seen.rows}
    if files:
        if [file.sha256 for file in files] != [file.sha256 for file in seen.files]:
            raise BadValue("certificate", "needs the log that was checked, and its files have changed since")
        log["files"] = [
            {"file": file.file, "bytes": file.bytes, "sha256": file.sha256, "rows": file.rows} | folders
            for file, folders in zip(files, seen.folders, strict=True)
        ]
    else:
        log["rows_sha256"] = seen.hash.hexdigest()
    scheme = plan.system.scheme
    return {
        "log": log,
        "reading": _reading(plan),
        "game": plan.system.parameters() | ({} if scheme is None else {"scheme": scheme.to_dict()}),
        **seen.to_dict(),
    }


def _reading(plan: Plan) -> JsonDict:
    """Return the options for reading a log, as arguments of `verify`."""
    for name, value in plan.constants.items():
        if isinstance(value, bytes) and decoded(value).encode() != value:
            raise BadValue(
                "certificate", f"is text, and the constant {name} has bytes that are none in UTF-8"
            )
    game = plan.system.game
    found: JsonDict = {"game": plan.system.name.partition(" under ")[0]}
    if game is not None and game.scheme != type(game).scheme:
        found["scheme"] = game.scheme.to_dict()
    return found | {
        "columns": plan.given,
        # Unlike an empty cell, an empty constant is text: a seed may be empty.
        "constants": {
            name: text if isinstance(text := decoded(value), str) else _plain(value)
            for name, value in plan.constants.items()
        }
        | {name: {word: _plain(one) for word, one in said.items()} for name, said in plan.words.items()},
        "csv": plan.csv.given(),
        "time_formats": plan.time_formats,
        "chain_steps": plan.chain_steps,
        "ordered": plan.ordered,
        "repeats": "fail" if plan.repeats_fail else "report",
        "unrevealed": "report" if plan.secrets else "fail",
    }


class _DistinctTexts:
    """Seeds, commitments and hashes of a log, each once, in the order of the rows."""

    def __init__(self, plan: Plan) -> None:
        self._commitments = plan.system.commitments
        self._beacon, self._chains = plan.system.beacon, plan.system.chains
        self._limit = plan.chain_steps
        self._committed: dict[str, Counter[tuple[Any, ...]]] = {name: Counter() for name in self._commitments}
        self._beacons: Counter[tuple[Any, ...]] = Counter()
        self._ends: dict[str, list[tuple[int, str]]] = {}
        self._games: Counter[str] = Counter()
        self.files: list[Evidence] = []
        self.folders: list[JsonDict] = []
        self.rows = 0
        self.hash = hashlib.sha256()

    def add(self, cells: Mapping[str, list[Any]], rows: int) -> None:
        """Add the cells of some rows, by field."""
        self.rows += rows
        plain = {name: [_plain(value) for value in column] for name, column in cells.items()}
        for row in zip(*(plain[name] for name in sorted(plain)), strict=True):
            self.hash.update(json.dumps(row).encode() + b"\n")
        none = [None] * rows
        for name, hash in self._commitments.items():
            if name in plain:
                of = [plain.get(field, none) for field in hash.fields]
                times = plain.get(COMMITMENT_TIME, none)
                self._committed[name].update(zip(plain[name], times, *of, strict=True))
        if BEACON_ROUND in plain:
            plain[BEACON_ROUND] = [_whole(value) for value in plain[BEACON_ROUND]]
        if self._beacon is not None and all(name in plain for name in self._beacon.names):
            self._beacons.update(zip(*(plain[name] for name in self._beacon.names), strict=True))
        if self._chains is not None and TERMINATING in plain:
            self._follow(self._chains, plain)

    def _follow(self, chains: Chains, cells: Mapping[str, list[Any]]) -> None:
        """Find the numbers of games on chains."""
        texts = [
            (bare_hex(str(hash)).lower(), bare_hex(str(end)).lower())
            for hash, end in zip(cells[GAME_HASH], cells[TERMINATING], strict=True)
        ]
        good = [row for row, pair in enumerate(texts) if all(map(_HASH.fullmatch, pair))]
        if not good:
            return
        hashes, ends = map(list, zip(*(texts[row] for row in good), strict=True))
        said = [cells[GAME_NUMBER][row] for row in good] if GAME_NUMBER in cells else None
        numbers, which, known = chains.numbers(hashes, ends, said, len(good), self._limit)
        for place, end in enumerate(known):
            games = np.flatnonzero((which == place) & (numbers > 0))
            if len(games):
                rows = games[np.argmin(numbers[games])], games[np.argmax(numbers[games])]
                first, *_, last = sorted(
                    [*self._ends.get(end, []), *((int(numbers[row]), hashes[row]) for row in rows)]
                )
                self._ends[end] = [first, last]
                self._games[end] += len(games)

    def to_dict(self) -> JsonDict:
        """Return the content as JSON types."""
        return {
            "commitments": [
                {
                    "field": name,
                    "hash": self._commitments[name].to_dict(),
                    "keys": ["commitment", "time", *self._commitments[name].fields, "rows"],
                    "values": [[*key, rows] for key, rows in seen.items()],
                }
                for name, seen in self._committed.items()
                if seen
            ],
            "chains": [] if self._chains is None else self._of_chains(self._chains),
            "beacons": self._of_beacons(),
        }

    def _of_chains(self, chains: Chains) -> list[JsonDict]:
        return [
            {
                "hash": chains.chain.hash.to_dict(),
                "terminating": end,
                "before": chains.before,
                "first": {"game_number": first[0], "game_hash": first[1]},
                "last": {"game_number": last[0], "game_hash": last[1]},
                "rows": self._games[end],
            }
            for end, (first, last) in self._ends.items()
        ]

    def _of_beacons(self) -> list[JsonDict]:
        if self._beacon is None or not self._beacons:
            return []
        keys = [*self._beacon.names, "time", "rows"]
        values = [[*key, _time_of(self._beacon, key[0]), rows] for key, rows in self._beacons.items()]
        if not isinstance(self._beacon, DrandBeacon):
            return [{"chain": "bitcoin", "keys": keys, "values": values}]
        chain = self._beacon.chain
        names = ("chain", "public_key", "scheme", "genesis", "period")
        about = {name: getattr(chain, name) for name in names}
        return [about | {"keys": keys, "values": values}]


def _plain(value: Any) -> Any:
    """Return a cell as a JSON type: text and whole numbers unchanged, anything else as text."""
    if is_empty(value):
        return None
    value = decoded(value)
    if isinstance(value, str) or type(value) is int:
        return value
    if isinstance(value, np.integer):
        return int(value)
    return str(value.tolist() if isinstance(value, np.ndarray) else value)


def _whole(value: Any) -> Any:
    """Return text that is a whole number as a number."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _time_of(beacon: Any, number: Any) -> int | None:
    """Return the time of a beacon's round, or of a block from its header; None if it is neither."""
    try:
        if isinstance(beacon, DrandBeacon):
            return int(beacon.chain.time(number))
        return BitcoinHeader(bare_hex(str(number))).time
    except (TypeError, ValueError):
        return None
