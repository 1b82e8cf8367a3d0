"""Secrets that can be guessed: those that count, are of few possible ones, or are hashes of what is known."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, Literal

import numpy as np

from provably_fair._engine import Sample
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from .saying import counted, fact, is_are

KEYS = 1024
"""Keys of a sample, at most."""
NEVER = np.iinfo(np.int64).min
_FEWEST = 16
_FEWEST_BITS = 48.0
_HASHES = ("md5", "sha1", "sha256", "sha512")
_SHOWN = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}
_COUNTERS = 1 << 11
_BEGINNING = 16
"""Digits of a hash that tell it: secrets may be cut from it, but not to fewer."""


def sample_of(seed: int) -> Sample:
    """Return a sample of keys that the audit's seed draws."""
    return Sample(KEYS, seed % (1 << 64))


def packed(sample: Sample) -> tuple[tuple[int, int, int], list[tuple[int, int, int, int, int | None]]]:
    """Return a sample to be sent elsewhere."""
    return sample.drawing, sample.states()


class Values(Check):
    """Whether the secrets of a field, salts or server seeds, can be guessed from others or at all."""

    def __init__(self, field: str, seed: int) -> None:
        self._field = field
        self._sample = sample_of(seed)
        self._texts: dict[int, str] = {}
        self._rows = 0

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_sample": packed(self._sample)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state | {"_sample": Sample.of(*state["_sample"])}

    def update(self, records: Records) -> None:
        if not records.has(self._field):
            return
        prints = records.prints(self._field)
        times = np.full(records.count, NEVER)
        if records.has("time"):
            values, there = records.time("time")
            times = np.where(there, values, NEVER)
        others = np.zeros((records.count, 2), np.uint64)
        others[:, 1] = times.view(np.uint64)
        new = self._sample.extend(prints, records.places, others)
        keys = [high << 64 | low for high, low in prints[new].tolist()]
        self._texts |= dict(zip(keys, records.texts(self._field, new), strict=True))
        self._keep(2 * KEYS)
        self._rows += int(np.count_nonzero(prints[:, 0]))

    def _keep(self, most: int) -> None:
        if len(self._texts) > most:
            self._texts = {key: self._texts[key] for key, *_ in self._sample.states()}

    def merge(self, later: Any, rows: int) -> None:
        self._sample.append(later._sample, rows)
        self._texts |= later._texts
        self._keep(2 * KEYS)
        self._rows += later._rows

    @property
    def _what(self) -> str:
        return self._field.replace("_", " ")

    def findings(self, verified: VerificationReport) -> list[Finding]:
        self._keep(0)
        texts = [text for _, text in sorted(self._texts.items())]
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
                steps = "" if step == 1 else f" in steps of {step:,}"
                text = (
                    f"The {what}s count: about {different:,.0f} of them are numbers from {least:,} to "
                    f"{most:,}{steps}, so that the next ones were known."
                )
                figure = {f"{self._field}s": round(different), "least": least, "most": most, "step": step}
                yield fact(f"{self._field}_counting", "evidence", text, rows, self._rows, figure, self._field)
        bits = _bits(texts)
        if bits < _FEWEST_BITS:
            text = (
                f"The {what}s are of at most 2^{bits:.1f} possible ones, by the characters that come up at "
                "each place: few enough to try them all."
            )
            yield fact(
                f"{self._field}_low_entropy",
                "evidence",
                text,
                rows,
                self._rows,
                {"bits": bits},
                self._field,
            )

    def _hashed(self) -> Iterator[Finding]:
        """Give those that are hashes of a counter, or of one that came before."""
        firsts = {key: (place, other) for key, _, place, other, _ in self._sample.states()}
        values = {self._texts[key].strip().lower(): first for key, first in firsts.items()}
        found: dict[str, list[tuple[int, str]]] = {"counter": [], "before": []}
        for text, (place, _) in values.items():
            name = _hash_of_counter(text)
            if name:
                found["counter"].append((place, name))
        for key, first in firsts.items():
            for name, digest in _digests(self._texts[key]):
                later = values.get(digest)
                if later is not None and _is_later(later, first):
                    found["before"].append((later[0], name))
        for of, hashes in found.items():
            if not hashes:
                continue
            (names, count), what = ({name for _, name in hashes}, len(hashes)), self._what
            by = " or ".join(_SHOWN[name] for name in _HASHES if name in names)
            them = (
                f"{counted(count, what)} of {len(firsts):,} that were looked at {is_are(count)} the {by} of "
            )
            text = them + (
                "a counter: whoever counts knows the next ones."
                if of == "counter"
                else f"a {what} that was used before: whoever knows one knows the next one."
            )
            rows = [place for place, _ in hashes]
            figure = {"looked_at": len(firsts), "hashed": count, "of": of, "hashes": sorted(names)}
            yield fact(f"{self._field}_hashed", "proof", text, rows, count, figure, self._field)


def _is_later(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a value was used after another, by the place and time of each: by times where both have one.

    In the other order it is a chain of hashes, whose next link nobody can know.
    """
    times = [np.uint64(time).astype(np.int64) for _, time in (one, other)]
    return bool(times[0] > times[1]) if NEVER not in times and times[0] != times[1] else one[0] > other[0]


def _digest(name: str, message: bytes) -> bytes:
    digest: bytes = getattr(hashlib, name)(message, usedforsecurity=False).digest()
    return digest


def _digests(text: str) -> Iterator[tuple[str, str]]:
    """Give the usual hashes of a text, and of the bytes that it stands for, as long as itself."""
    if len(text) < _BEGINNING:
        return
    forms = [text.encode(errors="replace")]
    with suppress(ValueError):
        forms.append(bytes.fromhex(text))
    for name in _HASHES:
        for form in forms:
            digest = _digest(name, form).hex()
            if len(digest) >= len(text):
                yield name, digest[: len(text)]


def _hash_of_counter(text: str) -> str:
    """Return the name of the hash by which a text is that of a number; "" where it is none."""
    with suppress(ValueError):
        beginning = bytes.fromhex(text[:_BEGINNING])
        for name in _HASHES if len(beginning) == _BEGINNING // 2 else ():
            fits = len(text) <= 2 * len(_digest(name, b""))
            if fits and _counters(name).get(beginning, b"").hex().startswith(text):
                return name
    return ""


def _written(number: int) -> list[bytes]:
    """Return a number as texts and bytes that hashes are made of."""
    digits = [str(number), *(f"{number:0{width}x}" for width in (1, 8, 16, 32, 64))]
    orders: tuple[Literal["big", "little"], ...] = ("big", "little")
    whole = [number.to_bytes(width, order) for width in (2, 4, 8) for order in orders]
    return [*(text.encode() for text in digits), *whole, number.to_bytes(32, "big")]


@cache
def _counters(name: str) -> dict[bytes, bytes]:
    """Return the hashes of the first counters in each form, by their beginnings."""
    made = (_digest(name, form) for number in range(_COUNTERS) for form in _written(number))
    return {digest[: _BEGINNING // 2]: digest for digest in made}


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
    return sum(math.log2(len({text[place : place + 1] for text in texts})) for place in range(longest))
