"""Whether a certificate of a log holds: everything in it is found again in the log."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from provably_fair._core.arguments import threads_of
from provably_fair._core.printable import plain
from provably_fair._core.table import text_html
from provably_fair._core.types import JsonDict
from provably_fair.beacons.text import hex_bytes
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.names import parse_subject
from provably_fair.seeds import Scheme
from provably_fair.verification import VerificationReport, verify
from provably_fair.verification.certificates import read_certificate

from .auditor import audit
from .report import AuditReport

_OF_THE_FILE = ("unsigned", "signed_by", "format", "created", "versions", "signature")
"""What isn't of the log."""
_READING = (
    "columns",
    "constants",
    "csv",
    "time_formats",
    "chain_steps",
    "ordered",
    "repeats",
    "unrevealed",
)


@dataclass(frozen=True)
class CertificateCheck:
    """Whether a certificate holds. Made by `check_certificate`; true where it does.

    Attributes
    ----------
    problems : tuple of str
        What speaks against it: a changed file, a signature that isn't its own, what the log doesn't give.
    signed_by : str or None
        The public key whose signature it has; None where it isn't signed, and says no more than the log.
    verdict : bool
        Whether the log was found right.
    """

    problems: tuple[str, ...]
    signed_by: str | None = None
    verdict: bool = False

    _repr_html_ = text_html

    @property
    def ok(self) -> bool:
        """Whether the certificate holds; `verdict` is what it certifies."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if not self.ok:
            return "\n".join(["the certificate doesn't hold", *map(plain, self.problems)])
        signed = (
            f"signed by {self.signed_by}" if self.signed_by else "unsigned: anybody could have written it"
        )
        said = "the log is right" if self.verdict else "the log isn't right, or not all of it was shown"
        return f"the certificate holds, {signed}\nwhat it certifies: {said}"


def check_certificate(
    path: str | os.PathLike[str],
    log: object,
    *,
    game: object = None,
    bet: Bet | Distribution | None = None,
    key: str | bytes | None = None,
    threads: int | None = None,
) -> CertificateCheck:
    """Check a certificate with the log that it is of: the verdict and all else is made again, and compared.

    Parameters
    ----------
    path : path
        The certificate, as `AuditReport.certificate` or `VerificationReport.certificate` wrote it.
    log : Log, path, list of paths, mapping, frame or Arrow data
        The log; see `verify`.
    game : Game or str, optional
        The game of the log, if it is a class of your own, which a certificate can only name.
    bet : Bet or Distribution, optional
        What was said to be paid, where the audit had a bet.
    key : str or bytes, optional
        The public key that is expected to have signed it: 32 bytes or their hex text.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    CertificateCheck
        True where the certificate holds; its `verdict` says whether the log is right.

    Examples
    --------
    >>> import tempfile
    >>> import provably_fair as pf
    >>> log = {"server_seed": "s", "client_seed": "c", "salt": ["x", "y"], "outcome": [88.79, 40.28]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pf.verify(log, "dice").certificate(f"{folder}/certificate.json")
    ...     check = pf.check_certificate(f"{folder}/certificate.json", log)
    >>> check.ok, check.signed_by
    (True, None)
    """
    expected = None if key is None else hex_bytes("key", key, (32,)).hex()
    threads = threads_of(threads)
    contents, problems = read_certificate(path)
    signed_by = contents.get("signed_by")
    if expected is not None and signed_by != expected:
        problems.append(f"the certificate isn't signed by {expected}")
    if problems:
        return CertificateCheck(tuple(problems))
    try:
        with TemporaryDirectory() as folder:
            again = Path(folder) / "certificate.json"
            _report(contents, log, game, bet, threads).certificate(again)
            fresh, _ = read_certificate(again)
    except (TypeError, ValueError, KeyError, AttributeError, OSError) as error:
        return CertificateCheck((f"the log can't be checked as the certificate says: {error}",))
    stated = _unnamed({name: value for name, value in contents.items() if name not in _OF_THE_FILE})
    fresh = _unnamed({name: value for name, value in fresh.items() if name not in _OF_THE_FILE})
    hint = " (where an audit had a bet, bet= must say it)" if bet is None else ""
    problems = [
        f"{name} isn't what the log gives{hint if name == 'verdict' else ''}"
        if name in fresh
        else f"{name} is nothing that a certificate says"
        for name in {**stated, **fresh}
        if stated.get(name) != fresh.get(name)
    ]
    return CertificateCheck(tuple(problems), signed_by, contents["verdict"]["ok"] is True)


def _unnamed(contents: JsonDict) -> JsonDict:
    """Return what a certificate says without the names of files, wherever they lie now."""
    log = contents.get("log")
    if not isinstance(log, dict) or not isinstance(log.get("files"), list):
        return contents
    files = [{**file, "file": None} if isinstance(file, dict) else file for file in log["files"]]
    return {**contents, "log": {**log, "files": files}}


def _report(
    contents: JsonDict, log: object, game: Any, bet: Any, threads: int | None
) -> AuditReport | VerificationReport:
    """Return the report on the log, read as a certificate says it was."""
    reading, verdict = contents["reading"], contents["verdict"]
    if game is None:
        game = parse_subject(reading["game"])
        if "scheme" in reading:
            game = game.with_scheme(Scheme.from_dict(reading["scheme"]))
    options = {name: reading[name] for name in _READING}
    if verdict["by"] == "audit":
        return audit(log, game, bet=bet, level=verdict["level"], threads=threads, **options)
    return verify(log, game, threads=threads, **options)
