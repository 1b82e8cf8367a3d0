"""Certificates: the basis of a log's verdict in one JSON file that other programs can check."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.files import check_no_input, write_beside
from provably_fair._core.optional import optional
from provably_fair._core.printable import decoded
from provably_fair._core.types import JsonDict
from provably_fair.beacons import BitcoinHeader
from provably_fair.beacons.text import hex_bytes
from provably_fair.sources.foreign import cells_of, is_empty

from .again import Again
from .columns import columns_of
from .plan import Plan
from .systems import GAME
from .systems.beacons import BEACON_ROUND, DrandBeacon
from .systems.chains import GAME_HASH, GAME_NUMBER, TERMINATING, Chains

FORMAT = "provably_fair.certificate/1"
"""The version of the schema."""

UNSIGNED = (
    "Nobody has signed this certificate: anybody could have written it. Check what it says of the log with "
    "the log."
)
COMMITMENT_TIME = "commitment_time"
_WHO = ("unsigned", "signed_by")
"""The possible first fields of a certificate."""
_HASH = re.compile(r"[0-9a-f]{64}")
_HEX = re.compile(r"(0x)?[0-9A-Fa-f]*")


# ---- content ----


def verdict_of(report: Any) -> JsonDict:
    """Return a report's verdict in the form of certificates."""
    if report.error is not None or any(file.error is not None for file in report.files):
        raise BadValue("certificate", "needs a log that was read to its end")
    names = ("ok", "complete", "checked", "failed", "counts", "unchecked", "committed", "unknown", "notes")
    return {name: getattr(report, name) for name in names}


def evidence(again: Again, files: list[Any]) -> JsonDict:
    """Return a log's seeds and commitments, and how it was read, as JSON types."""
    plan, source = again.plan, again.source
    if source is None or not source.again:
        raise BadValue("certificate", "needs a log that can be read again, and this one can't be")
    if GAME in plan.given:
        raise BadValue("certificate", "is of one game, and a column of the log names several")
    if plan.seeds is not None:
        raise BadValue("certificate", "is of one log: seeds in a table of their own aren't in it")
    seen = _DistinctTexts(plan)
    with closing(source.pieces()) as pieces:
        for piece in pieces:
            for batch in piece.batches():
                columns = columns_of(plan, batch).cells
                if COMMITMENT_TIME not in columns and COMMITMENT_TIME in batch.columns:
                    columns[COMMITMENT_TIME] = batch.columns[COMMITMENT_TIME]
                seen.add({name: cells_of(column, batch.rows) for name, column in columns.items()}, batch.rows)
            seen.files.append(piece.evidence)
    log: JsonDict = {"rows": seen.rows}
    if files:
        if [file.sha256 for file in files] != [file.sha256 for file in seen.files]:
            raise BadValue("certificate", "needs the log that was checked, and its files have changed since")
        log["files"] = [
            {"file": file.file, "bytes": file.bytes, "sha256": file.sha256, "rows": file.rows}
            for file in files
        ]
    else:
        log["rows_sha256"] = seen.hash.hexdigest()
    return {
        "log": log,
        "reading": reading(plan),
        "game": plan.system.parameters() | _scheme(plan),
        **seen.to_dict(),
    }


def reading(plan: Plan) -> JsonDict:
    """Return the options for reading a log, as arguments of `verify`."""
    game = plan.system.game
    found: JsonDict = {"game": plan.system.name.partition(" under ")[0]}
    if game is not None and game.scheme != type(game).scheme:
        found["scheme"] = game.scheme.to_dict()
    return found | {
        "columns": plan.given,
        "constants": {name: _plain(value) for name, value in plan.constants.items()},
        "csv": plan.csv.given(),
        "time_formats": plan.time_formats,
        "chain_steps": plan.chain_steps,
        "ordered": plan.ordered,
        "repeats": "fail" if plan.repeats_fail else "report",
        "unrevealed": "report" if plan.secrets else "fail",
    }


def _scheme(plan: Plan) -> JsonDict:
    scheme = plan.system.scheme
    return {} if scheme is None else {"scheme": scheme.to_dict()}


class _DistinctTexts:
    """Seeds, commitments and hashes of a log, each once, in the order of the rows."""

    def __init__(self, plan: Plan) -> None:
        self._commitments = plan.system.commitments
        self._beacon, self._chains = plan.system.beacon, plan.system.chains
        self._limit = plan.chain_steps
        self._committed: dict[str, dict[tuple[Any, ...], int]] = {name: {} for name in self._commitments}
        self._beacons: dict[tuple[Any, ...], int] = {}
        self._ends: dict[str, list[tuple[int, str]]] = {}
        self._games: dict[str, int] = {}
        self.files: list[Any] = []
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
                _count(
                    self._committed[name],
                    zip(plain[name], plain.get(COMMITMENT_TIME, none), *of, strict=True),
                )
        if BEACON_ROUND in plain:
            plain[BEACON_ROUND] = [_whole(value) for value in plain[BEACON_ROUND]]
        if self._beacon is not None and all(name in plain for name in self._beacon.names):
            _count(self._beacons, zip(*(plain[name] for name in self._beacon.names), strict=True))
        if self._chains is not None and TERMINATING in plain:
            self._follow(self._chains, plain)

    def _follow(self, chains: Chains, cells: Mapping[str, list[Any]]) -> None:
        """Find the numbers of games on chains."""
        texts = [
            (str(hash).lower(), str(end).lower())
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
                pairs = [
                    (int(numbers[row]), hashes[row])
                    for row in (games[np.argmin(numbers[games])], games[np.argmax(numbers[games])])
                ]
                self._ends[end] = sorted([*self._ends.get(end, []), *pairs])
                self._ends[end] = [self._ends[end][0], self._ends[end][-1]]
                self._games[end] = self._games.get(end, 0) + len(games)

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
        about = {
            "chain": chain.chain,
            "public_key": chain.public_key,
            "scheme": chain.scheme,
            "genesis": chain.genesis,
            "period": chain.period,
        }
        return [about | {"keys": keys, "values": values}]


def _count(seen: dict[tuple[Any, ...], int], keys: Iterator[tuple[Any, ...]]) -> None:
    for key in keys:
        seen[key] = seen.get(key, 0) + 1


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
        return BitcoinHeader(number).time
    except (TypeError, ValueError):
        return None


# ---- the file ----


def write_certificate(
    path: str | os.PathLike[str],
    again: Again,
    files: list[Any],
    verdict: JsonDict,
    versions: JsonDict,
    key: object = None,
) -> None:
    """Write the certificate of a log, signed if a key is given."""
    path = _path(path)
    check_no_input("path", path, [*again.inputs, *([key] if isinstance(key, (str, os.PathLike)) else [])])
    signing = None if key is None else _private_key(key)
    who = {"unsigned": UNSIGNED} if signing is None else {"signed_by": _raw(signing.public_key())}
    created = datetime.now(UTC).isoformat(timespec="seconds")
    whole = {**who, "format": FORMAT, "created": created, "versions": versions}
    whole |= {"verdict": verdict, **evidence(again, files)}
    if signing is not None:
        whole["signature"] = signing.sign(text_of(whole).encode()).hex()
    with write_beside(path) as part:
        part.write_text(text_of(whole), encoding="utf-8", newline="\n")


def _path(path: object) -> Path:
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise BadType("path", f"must be the path of a file, got {type(path).__name__}")
    return Path(path)


def text_of(contents: JsonDict) -> str:
    """Return a certificate's text: ASCII, one entry a line, indented by one space."""
    return json.dumps(contents, indent=1) + "\n"


def read_certificate(path: str | os.PathLike[str]) -> tuple[JsonDict, list[str]]:
    """Return the content of a certificate, and the faults of the file, its signature included."""
    path = _path(path)
    try:
        text = path.read_bytes().decode("ascii")
        contents = json.loads(text)
    except (ValueError, RecursionError):
        return {}, ["the file is no certificate: it is no JSON in ASCII"]
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        return {}, [f"the file is no certificate of the format {FORMAT}"]
    wrong = (
        [] if text_of(contents) == text else ["the file isn't written as certificates are: it was changed"]
    )
    first = next(iter(contents))
    if first not in _WHO:
        wrong.append(f"the certificate must begin with {' or '.join(_WHO)}, and begins with {first:.40}")
    elif first == "unsigned":
        if contents[first] != UNSIGNED or "signature" in contents or "signed_by" in contents:
            wrong.append("the certificate isn't signed, and says so in other words than certificates do")
    elif not _is_signed(contents):
        wrong.append("the signature isn't that of the certificate")
    return contents, wrong


def _is_signed(contents: JsonDict) -> bool:
    """Whether the signature at a certificate's end is valid for the rest and the key at its beginning."""
    exceptions = optional("cryptography.exceptions", "signing", "check_certificate")
    ed25519 = optional("cryptography.hazmat.primitives.asymmetric.ed25519", "signing", "check_certificate")
    rest = {name: value for name, value in contents.items() if name != "signature"}
    try:
        raw, signature = (bytes.fromhex(contents[name]) for name in ("signed_by", "signature"))
        if raw.hex() != contents["signed_by"] or signature.hex() != contents["signature"]:
            return False
        ed25519.Ed25519PublicKey.from_public_bytes(raw).verify(signature, text_of(rest).encode())
    except (KeyError, TypeError, ValueError, exceptions.InvalidSignature):
        return False
    return True


def _raw(public_key: Any) -> str:
    return str(public_key.public_bytes_raw().hex())


def public_key_of(key: object) -> str:
    """Return an Ed25519 public key as hex text.

    It is given as such text or its 32 bytes, by `cryptography`, or by the path of a PEM file, which may hold
    the private key as well.
    """
    wanted = (
        "must be an Ed25519 public key: hex text of 32 bytes, these bytes, cryptography's, or the path of "
        "its PEM file"
    )
    if isinstance(key, bytes) or (isinstance(key, str) and _HEX.fullmatch(key)):
        return hex_bytes("key", key, (32,)).hex()
    ed25519 = optional("cryptography.hazmat.primitives.asymmetric.ed25519", "signing", "key")
    serialization = optional("cryptography.hazmat.primitives.serialization", "signing", "key")
    found = key
    if isinstance(key, (str, os.PathLike)):
        try:
            text = Path(key).read_bytes()
            if b" PRIVATE KEY-----" in text:
                found = _private_key(key)
            else:
                found = serialization.load_pem_public_key(text)
        except OSError as error:
            raise BadValue("key", f"{wanted}, got {str(key)!r:.80}: {error.strerror}") from None
        except ValueError as error:
            raise BadValue("key", f"{wanted}: {error}") from None
    if isinstance(found, ed25519.Ed25519PrivateKey):
        found = found.public_key()
    if not isinstance(found, ed25519.Ed25519PublicKey):
        raise BadType("key", f"{wanted}, got {type(found).__name__}")
    return _raw(found)


def _private_key(key: object) -> Any:
    """Return an Ed25519 key from one of `cryptography`, 32 bytes, or the path of an unencrypted PEM file."""
    ed25519 = optional("cryptography.hazmat.primitives.asymmetric.ed25519", "signing", "certificate")
    serialization = optional("cryptography.hazmat.primitives.serialization", "signing", "certificate")
    wanted = "must be an Ed25519 private key: cryptography's, its 32 bytes, or the path of its PEM file"
    found = key
    if isinstance(key, bytes):
        if len(key) != 32:
            raise BadValue("key", f"{wanted}, got {len(key)} bytes")
        found = ed25519.Ed25519PrivateKey.from_private_bytes(key)
    elif isinstance(key, (str, os.PathLike)):
        try:
            found = serialization.load_pem_private_key(Path(key).read_bytes(), None)
        except (ValueError, TypeError) as error:
            raise BadValue("key", f"{wanted}: {error}") from None
    if not isinstance(found, ed25519.Ed25519PrivateKey):
        raise BadType("key", f"{wanted}, got {type(found).__name__}")
    return found
