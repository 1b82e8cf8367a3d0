"""Secrets that can be guessed: those that count, are of few possible ones, or are hashes of what is known.

What tells a weak secret is not its own text, but others like it. Of up to 1,024 secrets, drawn by the audit's
seed, three questions are asked: are they numbers that follow each other, with a common beginning; do few
characters at each place bound how many there can be; is one a usual hash of another that was used before, or
of a small number. The first two need many secrets to be no accident, so they are evidence; a hash that was
found is a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from provably_fair._engine import Sample, hashed_secrets
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from .wording import fact

KEYS = 1024
"""Keys of a sample, at most."""
NEVER = np.iinfo(np.int64).min
_FEWEST = 16
_FEWEST_BITS = 48.0
_SHOWN = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}


_COUNTING = (
    "The {what}s count up: about {different:,.0f} of them are numbers from {least:,} to {most:,}, so the "
    "next ones could be predicted.",
    "The {what}s count up in steps of {step:,}: about {different:,.0f} of them are numbers from {least:,} to "
    "{most:,}, so the next ones could be predicted.",
)
"""Of numbers one by one, and in steps."""
_HASHED = {
    "counter": "{n} of the {looked_at:,} {what}s that were looked at [is|are] the {by} of a counter: whoever "
    "counts knows the next one.",
    "before": "{n} of the {looked_at:,} {what}s that were looked at [is|are] the {by} of a {what} that was "
    "used before: whoever knows one knows the next one.",
}


def sample_of(seed: int) -> Sample:
    """Return a sample of keys that the audit's seed draws."""
    return Sample(KEYS, seed % (1 << 64))


class Values(Check):
    """Whether the secrets of a field, salts or server seeds, can be guessed from others or at all."""

    def __init__(self, field: str, seed: int) -> None:
        self._field = field
        self._sample = sample_of(seed)
        self._values: dict[int, tuple[str, int]] = {}
        """The text of each key, and when it was used first."""
        self._rows = 0

    def update(self, records: Records) -> None:
        if not records.has(self._field):
            return
        fingerprints = records.fingerprints(self._field)
        new = self._sample.extend(fingerprints, records.places)
        keys = [high << 64 | low for high, low in fingerprints[new].tolist()]
        times = np.full(len(new), NEVER)
        if records.has("time"):
            values, there = (column[new] for column in records.time("time"))
            times[there] = values[there]
        self._values |= dict(
            zip(keys, zip(records.texts(self._field, new), times.tolist(), strict=True), strict=True)
        )
        self._keep(2 * KEYS)
        self._rows += int(np.count_nonzero(fingerprints[:, 0]))

    def _keep(self, most: int) -> None:
        if len(self._values) > most:
            self._values = {key: self._values[key] for key, *_ in self._sample.states()}

    def merge(self, later: Any, rows: int) -> None:
        self._sample.append(later._sample, rows)
        self._values = later._values | self._values
        self._keep(2 * KEYS)
        self._rows += later._rows

    @property
    def _what(self) -> str:
        return self._field.replace("_", " ")

    def findings(self, verified: VerificationReport) -> list[Finding]:
        self._keep(0)
        texts = [text for _, (text, _) in sorted(self._values.items())]
        return [*self._of_all(texts, verified), *self._hashed()]

    def _of_all(self, texts: list[str], verified: VerificationReport) -> Iterator[Finding]:
        """Give what is found of all values together: that they count, and that there are few."""
        if len(texts) < _FEWEST:
            return
        what, different = self._what, self._sample.different
        rows = range(min(verified.checked, KEPT_ROWS))
        numbers = _numbers(texts)
        if numbers is not None:
            least, most = min(numbers), max(numbers)
            step = math.gcd(*(number - least for number in numbers))
            if (most - least) // step + 1 <= 1.25 * different:
                figure: dict[str, Any] = {"least": least, "most": most, "step": step}
                said: dict[str, Any] = {"what": what, "different": different} | figure
                said["figure"] = {f"{self._field}s": round(different)} | figure
                text, where = _COUNTING[step > 1], (rows, self._rows, self._field)
                yield fact(f"{self._field}_counting", "evidence", text, *where, **said)
        bits = _bits(texts)
        if bits < _FEWEST_BITS:
            text = (
                "The characters at each place allow at most 2^{bits:.1f} different {what}s: few enough to "
                "try them all."
            )
            said = {"figure": {"bits": bits}, "bits": bits, "what": what}
            kind = f"{self._field}_low_entropy"
            yield fact(kind, "evidence", text, rows, self._rows, self._field, **said)

    def _hashed(self) -> Iterator[Finding]:
        """Give those that are hashes of a counter, or of one that came before."""
        keys = [key for key, *_ in self._sample.states()]
        firsts = [(place, self._values[key][1]) for key, _, place, *_ in self._sample.states()]
        found: dict[str, dict[int, str]] = {"counter": {}, "before": {}}
        texts = [self._values[key][0].encode(errors="replace") for key in keys]
        for secret, name, of in hashed_secrets(texts):
            if of is None:
                found["counter"][firsts[secret][0]] = name
            elif _is_later(firsts[secret], firsts[of]):
                found["before"][firsts[secret][0]] = name
        for source, hashes in found.items():
            if not hashes:
                continue
            (names, count), what = (set(hashes.values()), len(hashes)), self._what
            by = " or ".join(_SHOWN[name] for name in _SHOWN if name in names)
            figure = {"looked_at": len(firsts), "hashed": count, "of": source, "hashes": sorted(names)}
            said: dict[str, Any] = {"looked_at": len(firsts), "what": what, "by": by, "figure": figure}
            yield fact(f"{self._field}_hashed", "proof", _HASHED[source], hashes, count, self._field, **said)


def _is_later(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a value was used after another, by the place and time of each: by times where both have one.

    In the other order it is a chain of hashes, whose next link nobody can know.
    """
    (place, time), (other_place, other_time) = one, other
    if NEVER in (time, other_time) or time == other_time:
        return place > other_place
    return time > other_time


def _numbers(texts: list[str]) -> list[int] | None:
    """Return the numbers that texts are, or that follow the same beginning; None where they aren't."""
    for base in (10, 16):
        try:
            return [int(text, base) for text in texts]
        except ValueError:
            continue
    ends = [len(text) - len(text.rstrip("0123456789")) for text in texts]
    if min(ends) == 0 or len({text[: len(text) - end] for text, end in zip(texts, ends, strict=True)}) > 1:
        return None
    return [int(text[len(text) - end :]) for text, end in zip(texts, ends, strict=True)]


def _bits(texts: list[str]) -> float:
    """Return how many bits texts have at most: by how many characters come up at each place."""
    longest = max(map(len, texts))
    return math.fsum(math.log2(len({text[place : place + 1] for text in texts})) for place in range(longest))
