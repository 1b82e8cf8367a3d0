"""Certificates as files: written, signed, and read again."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from provably_fair._core.errors import BadType
from provably_fair._core.files import check_no_input, write_beside
from provably_fair._core.types import JsonDict
from provably_fair.auditing import AuditReport
from provably_fair.verification import VerificationReport
from provably_fair.verification.report import versions

from .contents import contents_of, verified_of
from .signing import is_signature, private_key, public_key_of

FORMAT = "provably_fair.certificate/1"
"""The version of the schema."""

UNSIGNED = (
    "Nobody has signed this certificate: anybody could have written it. Check what it says of the log with "
    "the log."
)
_WHO = ("unsigned", "signed_by")
"""The possible first fields of a certificate."""


def write(
    report: VerificationReport | AuditReport, path: str | os.PathLike[str], *, key: object = None
) -> None:
    """Write a certificate, which others can check: one JSON file with all that a report's verdict rests on.

    It has the log's SHA-256, the game as data, every commitment with its seed and time, chains from the first
    to the terminating hash, beacons with their signatures, the verdict, and versions; of an audit its
    findings as well. A bet isn't data: to check the certificate of an audit with a bet, one has to know the
    bet.

    Parameters
    ----------
    report : VerificationReport or AuditReport
        The report of `verify` or `audit`.
    path : path
        The file; an existing one is replaced, but no file that was read for the report.
    key : Ed25519PrivateKey, bytes or path, optional
        The key to sign with: a key of the package cryptography, its 32 bytes, or a PEM file without
        password. An unsigned certificate starts with a warning that anybody could have written it.

    Raises
    ------
    ValueError
        If the log wasn't read to its end, has changed since, or can't be read again.

    See Also
    --------
    check : Whether a certificate holds.

    Examples
    --------
    >>> import tempfile
    >>> log = {"server_seed": "s", "client_seed": "c", "salt": ["x", "y"], "outcome": [88.79, 40.28]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pf.certificates.write(pf.verify(log, "dice"), f"{folder}/certificate.json")
    ...     bool(pf.certificates.check(f"{folder}/certificate.json", log))
    True
    """
    again, path = verified_of(report).again, _path(path)
    check_no_input("path", path, [*again.inputs, *([key] if isinstance(key, (str, os.PathLike)) else [])])
    signing = None if key is None else private_key(key)
    who = {"unsigned": UNSIGNED} if signing is None else {"signed_by": public_key_of(signing)}
    created = datetime.now(UTC).isoformat(timespec="seconds")
    whole = {**who, "format": FORMAT, "created": created, "versions": versions(), **contents_of(report)}
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


def read(path: str | os.PathLike[str]) -> tuple[JsonDict, list[str]]:
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
    rest = {name: value for name, value in contents.items() if name != "signature"}
    try:
        key, signature = (bytes.fromhex(contents[name]) for name in ("signed_by", "signature"))
    except (KeyError, TypeError, ValueError):
        return False
    written = key.hex() == contents["signed_by"] and signature.hex() == contents["signature"]
    return written and is_signature(signature, key, text_of(rest).encode())
