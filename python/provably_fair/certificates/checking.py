"""Checks of certificates: everything that one says is computed again from the log."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from provably_fair._core.arguments import integer, threads_of
from provably_fair._core.printable import plain
from provably_fair._core.table import text_html
from provably_fair._core.types import JsonDict
from provably_fair.auditing import AuditReport, audit
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.names import parse_subject
from provably_fair.seeds import Scheme
from provably_fair.verification import VerificationReport, verify
from provably_fair.verification.systems.chains import CHAIN_STEPS, MOST_STEPS, TERMINATING

from .contents import contents_of, verified_of
from .signing import public_key_of
from .writing import read, text_of

_OF_THE_FILE = ("unsigned", "signed_by", "format", "created", "versions", "signature")
"""Keys that say nothing of the log."""
_HASHES = ("rows_sha256", "sha256")
_UNCHECKABLE, _NO_ROWS = "not checkable", "no rows"
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
    """Whether a certificate holds. Made by `check`; true where it does.

    Attributes
    ----------
    problems : tuple of str
        Reasons to reject it: a changed file, a wrong signature, content that doesn't follow from the log.
    signed_by : str or None
        The public key whose signature it has; None where it isn't signed, and says no more than the log.
    verdict : bool
        Whether the log verified.
    about : dict of str to str
        Subject of the verdict: the game, its scheme, the column of each field, constants, rows, how many of
        them couldn't be checked, and what wasn't read or shown. Empty if the certificate isn't valid.
    """

    problems: tuple[str, ...]
    signed_by: str | None = None
    verdict: bool = False
    about: dict[str, str] = field(default_factory=dict)

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
        whole = self.about.get(_UNCHECKABLE) == _NO_ROWS
        right = "the log is right" if whole else "the rows that could be checked are right"
        said = right if self.verdict else "the log isn't right, or not all of it was shown"
        lines = [f"the certificate holds, {signed}", f"what it certifies: {said}"]
        return "\n".join([*lines, *(f"{name:13}  {text}" for name, text in self.about.items())])


def check(
    path: str | os.PathLike[str],
    log: object,
    *,
    game: object = None,
    bet: Bet | Distribution | str | None = None,
    key: object = None,
    chain_steps: int = CHAIN_STEPS,
    threads: int | None = None,
) -> CertificateCheck:
    """Check a certificate with the log that it is of: the verdict and all else is made again, and compared.

    Parameters
    ----------
    path : path
        The certificate, as `write` wrote it.
    log : Log, path, list of paths, mapping, frame or Arrow data
        The log; see `verify`. Times that an audit was given beside it are in no certificate, and so in a
        ``Log(log, reveal_times=...)``.
    game : Game or str, optional
        The game of the log, if it is a class of your own, which a certificate can only name, or is played at
        another table than its own.
    bet : Bet, Distribution or "columns", optional
        The claimed bet, if the audit had one.
    key : str, bytes, path or key, optional
        The public key that is expected to have signed it: its 32 bytes, their hex text, cryptography's, or
        the path of its PEM file.
    chain_steps : int
        The largest number of steps from a game's hash along its chain, whatever the certificate says. One
        that was made with more is refused.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    CertificateCheck
        True where the certificate holds; its `verdict` says whether the log is right.

    Examples
    --------
    >>> import tempfile
    >>> log = {"server_seed": "s", "client_seed": "c", "salt": ["x", "y"], "outcome": [88.79, 40.28]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pf.certificates.write(pf.verify(log, "dice"), f"{folder}/certificate.json")
    ...     check = pf.certificates.check(f"{folder}/certificate.json", log)
    >>> check.ok, check.signed_by
    (True, None)
    """
    expected = None if key is None else public_key_of(key)
    most = integer("chain_steps", chain_steps, 1, MOST_STEPS)
    threads = threads_of(threads)
    contents, problems = read(path)
    signed_by = contents.get("signed_by")
    if expected is not None and signed_by != expected:
        problems.append(f"the certificate isn't signed by {expected}")
    if problems:
        return CertificateCheck(tuple(problems))
    try:
        problem = _too_long(contents["reading"]["chain_steps"], most)
        if problem is not None:
            return CertificateCheck((problem,))
        report = _report(contents, log, game, bet, threads)
        fresh = _unnamed(json.loads(text_of(contents_of(report))))
    except KeyError as error:
        return CertificateCheck((f"the certificate lacks {error}",))
    except (TypeError, ValueError, AttributeError, OSError) as error:
        return CertificateCheck((f"the log can't be checked as the certificate says: {error}",))
    stated = _unnamed({name: value for name, value in contents.items() if name not in _OF_THE_FILE})
    hint = " (where an audit had a bet, bet= must say it, and a Log its reveal_times)" if bet is None else ""
    problems = [
        f"{name} isn't what the log gives: {_difference(stated.get(name), fresh[name])}"
        f"{hint if name == 'verdict' else ''}"
        if name in fresh
        else f"{name} is nothing that a certificate says"
        for name in {**stated, **fresh}
        if name not in fresh or name not in stated or _text(stated[name]) != _text(fresh[name])
    ]
    about = {} if problems else _about(fresh, verified_of(report))
    return CertificateCheck(tuple(problems), signed_by, fresh["verdict"]["ok"], about)


def _difference(stated: object, fresh: object, where: str = "") -> str:
    """Describe the first difference between a certificate and a fresh one of the log."""
    if isinstance(stated, dict) and isinstance(fresh, dict):
        for name in {**stated, **fresh}:
            if name not in stated or name not in fresh:
                return f"{where}{name} is in the {'certificate' if name in stated else 'log'} alone"
            if _text(stated[name]) != _text(fresh[name]):
                if name in _HASHES:
                    return f"{where}some cells of its rows differ"
                return _difference(stated[name], fresh[name], f"{where}{name}: ")
    if isinstance(stated, list) and isinstance(fresh, list):
        if len(stated) != len(fresh):
            return f"{where}the certificate has {len(stated):,}, the log {len(fresh):,}"
        for place, (one, other) in enumerate(zip(stated, fresh, strict=True)):
            if _text(one) != _text(other):
                return _difference(one, other, f"{where}{place}: ")
    return f"{where}the certificate has {_text(stated):.80}, the log {_text(fresh):.80}"


def _text(value: object) -> str:
    """Return a value as text that distinguishes 0, 0.0 and false at every depth."""
    return json.dumps(value, sort_keys=True)


def _too_long(steps: object, most: int) -> str | None:
    """Return why a chain isn't followed for as many steps as a certificate says; None if it is."""
    if type(steps) is not int or steps < 1:
        return f"chain_steps must be a whole number above 0, got {_text(steps):.40}"
    if steps <= most:
        return None
    return (
        f"the log was followed along its chain for up to {steps:,} steps from a row, and this check allows "
        f"{most:,}; chain_steps= allows more"
    )


def _about(contents: JsonDict, verified: VerificationReport) -> dict[str, str]:
    """Return lines that name the subject of a verdict."""
    reading, columns = contents["reading"], verified.parameters["columns"]
    fields = {name: column for name, column in columns.items() if column is not None}
    lines = {"game": plain(reading["game"])}
    if "scheme" in contents["game"]:
        lines["scheme"] = plain(repr(Scheme.from_dict(contents["game"]["scheme"])), None)
    read = (name if column == name else f"{name} from {plain(column)}" for name, column in fields.items())
    lines["columns"] = ", ".join(read) or "none"
    constants = ((name, plain(str(value))) for name, value in reading["constants"].items())
    lines["constants"] = ", ".join(f'{name} = "{value}"' for name, value in constants) or "none"
    if verified.unread:
        lines["not read"] = ", ".join(map(plain, verified.unread))
    if TERMINATING in fields or TERMINATING in reading["constants"]:
        lines["chain"] = f"followed for at most {reading['chain_steps']:,} steps from a row"
    lines["rows"] = f"{verified.checked:,} checked, {verified.failed:,} failed"
    lines[_UNCHECKABLE] = "; ".join(text for _, text in verified.unchecked_lines()) or _NO_ROWS
    if contents["verdict"]["unknown"]:
        lines["not shown"] = "; ".join(plain(text, None) for text in contents["verdict"]["unknown"])
    return lines


def _unnamed(contents: JsonDict) -> JsonDict:
    """Return the content of a certificate without names of files, which may have moved."""
    log = contents.get("log")
    if not isinstance(log, dict) or not isinstance(log.get("files"), list):
        return contents
    files = [{**file, "file": None} if isinstance(file, dict) else file for file in log["files"]]
    return {**contents, "log": {**log, "files": files}}


def _report(
    contents: JsonDict, log: object, game: Any, bet: Any, threads: int | None
) -> AuditReport | VerificationReport:
    """Return the report on the log, read with the certificate's options."""
    reading, verdict = contents["reading"], contents["verdict"]
    if game is None:
        game = parse_subject(reading["game"])
        if "scheme" in reading:
            game = game.with_scheme(Scheme.from_dict(reading["scheme"]))
    options = {name: reading[name] for name in _READING}
    if verdict["by"] == "audit":
        drawn = {"level": verdict["level"], "seed": verdict.get("seed", 0)}
        return audit(log, game, bet=bet, threads=threads, **drawn, **options)
    return verify(log, game, threads=threads, **options)
