"""Predictable secrets: counters, few possible values, parts of other secrets, and hashes of known values.

A weak secret is recognized by others like it, not by its own text. Of up to 1,024 secrets, drawn by the
audit's seed, four questions are asked: are they numbers that follow each other, with a common beginning; do
few characters at each place bound how many there can be; do 16 characters of one come up in another; is one a
usual hash of another that was used before, or of a small number. The first two need many secrets to be no
accident, so they are evidence; so are parts, unless what they leave is enough; a hash that was found is a
proof.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from provably_fair._engine import Sample, hashed_secrets
from provably_fair.verification import VerificationReport

from ..check import Check
from ..finding import KEPT_ROWS, Finding, Severity
from ..records import NEVER, Records
from .times import Precision
from .wording import facts

KEYS = 1024
"""The size of a sample."""
_FEWEST = 16
_FEWEST_BITS = 48.0
_PART = 16
"""The number of characters of a part: in hexadecimal 64 bits."""
_LONGEST = 256
"""The number of characters that are looked at for parts."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Mixes the characters of parts, which are compared themselves where they hash alike."""
_ENOUGH_BITS = 80.0
"""Bits of a secret that nobody can try: no fewer must be left to those who know another."""
_FEWEST_LINKS = 5
"""Hashes of earlier secrets that establish the order of those without times, at least."""
_SHOWN = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}


_COUNTING = (
    "The {what}s count up: about {different:,.0f} of them are numbers from {least:,} to {most:,}, so the "
    "next ones could be predicted.",
    "The {what}s count up in steps of {step:,}: about {different:,.0f} of them are numbers from {least:,} to "
    "{most:,}, so the next ones could be predicted.",
)
"""For consecutive numbers, and for steps."""
_HASHED = {
    "counter": "{n} of the {looked_at:,} {what}s that were looked at [is|are] the {by} of a counter: whoever "
    "counts knows the next one.",
    "before": "{n} of the {looked_at:,} {what}s that were looked at [is|are] the {by} of a {what} that was "
    "used before: whoever knows one knows the next one.",
    "beside": "{n} of the {looked_at:,} {what}s that were looked at [is|are] the {by} of a {what} in an "
    "earlier row. If the log has the oldest round first, whoever knows one knows the next one; if the "
    "newest, it is a chain of hashes, whose next link nobody can know. Times or nonces would tell.",
}


def sample_of(seed: int) -> Sample:
    """Return a sample of keys that the audit's seed draws."""
    return Sample(KEYS, seed % (1 << 64))


class KeyState(NamedTuple):
    """A key of a sample: its rows, the first, the value there, and the first row with another value."""

    key: int
    rows: int
    place: int
    other: int
    another: int | None


def states_of(sample: Sample) -> list[KeyState]:
    """Return the states of a sample's keys."""
    return [KeyState(*state) for state in sample.states()]


class _End(NamedTuple):
    """The seed and nonce of the first or last row."""

    seed: bytes
    nonce: int


class _FirstUse(NamedTuple):
    """The text of a secret, and the time of its first use."""

    text: str
    time: int


class _Link(NamedTuple):
    """A secret that is a hash of another: its row, the hash, and the distance in time and in rows."""

    place: int
    hash: str
    later: int
    rows: int


class _Direction:
    """Whether the oldest row comes first, by nonces of consecutive rows with one seed."""

    def __init__(self) -> None:
        self._ends: list[_End] = []  # the first and the last row
        self.up = self.down = 0

    def update(self, records: Records, field: str) -> None:
        """Process a batch of rows, whose seeds are in a field."""
        if not records.count:
            return
        nonces, starts = records.whole("nonce")[0], records.starts(field)
        if len(starts) < records.count:
            steps = np.diff(nonces)
            between = steps[starts[1:] - 1]
            self._count(*(int((steps == way).sum() - (between == way).sum()) for way in (1, -1)))
        sets = records.sets(field)
        seeds, ends = sets.ends(records.prints(sets, field)), (int(nonces[0]), int(nonces[-1]))
        self._join([_End(seed.tobytes(), nonce) for seed, nonce in zip(seeds, ends, strict=True)])

    def _count(self, up: int, down: int) -> None:
        self.up, self.down = self.up + up, self.down + down

    def _join(self, ends: list[_End]) -> None:
        if self._ends and ends:
            last, first = self._ends[-1], ends[0]
            step = first.nonce - last.nonce if first.seed == last.seed else 0
            self._count(step == 1, step == -1)
        self._ends = [*self._ends[:1], *ends][:1] + [*self._ends, *ends][-1:]

    def merge(self, later: _Direction) -> None:
        self._count(later.up, later.down)
        self._join(later._ends)


class Values(Check):
    """Whether the secrets of a field, salts or server seeds, can be guessed."""

    state = ("_sample", "_rows", "_precision")

    def __init__(self, field: str, seed: int) -> None:
        self._field, self._what = field, field.replace("_", " ")
        self._sample = sample_of(seed)
        self._values: dict[int, _FirstUse] = {}  # the secret of each key
        self._rows = 0
        self._direction = _Direction()
        self._precision = Precision()

    def update(self, records: Records) -> None:
        if not records.has(self._field):
            return
        sets = records.sets(self._field)
        keys = records.prints(sets, self._field)
        counts = None if sets.are_rows else sets.counts
        which = self._sample.extend(keys, sets.first(records.places), None, counts)
        new = sets.firsts[which]
        there = keys[:, 0] != 0
        self._rows += sets.rows if there.all() else int(sets.counts[there].sum())
        names = [high << 64 | low for high, low in keys[which].tolist()]
        times = np.full(len(new), NEVER)
        if records.has("time"):
            values, there = records.order("time")
            times = np.where(there[new], values[new], NEVER)
            self._precision.note(values, there)
        secrets = map(_FirstUse, records.texts(self._field, new), times.tolist())
        self._values |= dict(zip(names, secrets, strict=True))
        self._keep(2 * KEYS)
        if records.has("nonce"):
            self._direction.update(records, self._field)

    def _keep(self, most: int) -> None:
        if len(self._values) > most:
            self._values = {one.key: self._values[one.key] for one in states_of(self._sample)}

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        self._values = later._values | self._values
        self._keep(2 * KEYS)
        self._direction.merge(later._direction)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        self._keep(0)
        texts = [secret.text for _, secret in sorted(self._values.items())]
        return [*self._of_all(texts, verified), *self._overlaps(), *self._hashed()]

    def _of_all(self, texts: list[str], verified: VerificationReport) -> list[Finding]:
        """Return the findings of all values together: they count up, or are few."""
        made: list[Finding] = []
        if len(texts) < _FEWEST:
            return made
        what, different = self._what, self._sample.different
        rows = range(min(verified.checked, KEPT_ROWS))
        numbers = _numbers(texts)
        if numbers is not None:
            least, most = min(numbers), max(numbers)
            step = math.gcd(*(number - least for number in numbers))
            if (most - least) // step + 1 <= 1.25 * different:
                figure = {f"{self._field}s": round(different), "least": least, "most": most, "step": step}
                kind, text = f"{self._field}_counting", _COUNTING[step > 1]
                said: dict[str, Any] = {"figure": figure, "what": what, "different": different}
                made += facts(kind, "evidence", text, rows, self._field, count=self._rows, **said)
        # A bound on their entropy, by the number of different characters at each place.
        bits = math.fsum(math.log2(len({*characters})) for characters in zip_longest(*texts, fillvalue=""))
        if bits < _FEWEST_BITS:
            text = (
                "The characters at each place allow at most 2^{bits:.1f} different {what}s: few enough to "
                "try them all."
            )
            kind, said = f"{self._field}_low_entropy", {"figure": {"bits": bits}, "what": what}
            made += facts(kind, "evidence", text, rows, self._field, count=self._rows, **said)
        return made

    def _overlaps(self) -> list[Finding]:
        """Return the finding of secrets that have a part of another."""
        states = states_of(self._sample)
        # Of one secret in several spellings each has all of the other; the dashes of a UUID part halves.
        spelled = [
            self._values[one.key].text.strip().casefold().replace("-", "")[:_LONGEST] for one in states
        ]
        texts = list(dict.fromkeys(spelled))
        if len(texts) < _FEWEST or max(map(len, texts)) < _PART:
            return []
        characters = np.array(texts).view(np.uint32).reshape(len(texts), -1)
        bits = np.log2((np.diff(np.sort(characters, axis=0), axis=0) > 0).sum(axis=0) + 1)
        # What all have in common, such as a prefix, isn't a part of the secret.
        starts = np.flatnonzero(sliding_window_view(bits, _PART).sum(axis=1) >= _FEWEST_BITS)
        hashes = np.zeros((len(texts), len(starts)), np.uint64)
        for place in range(_PART):
            hashes = hashes * _ODD + characters[:, starts + place]
        there = np.flatnonzero(characters[:, starts + _PART - 1])
        alike = hashes.ravel()[there]
        by_hash = np.argsort(alike, kind="stable")
        order = there[by_hash]
        known: dict[str, set[int]] = {}  # where the characters of a text come up in another
        for place in np.flatnonzero(np.diff(alike[by_hash]) == 0).tolist():
            rows, at = np.divmod(order[place : place + 2], len(starts))
            parts = [(texts[row], int(start)) for row, start in zip(rows, starts[at], strict=True)]
            (one, first), (other, second) = parts
            if one[first : first + _PART] != other[second : second + _PART] or one in other or other in one:
                continue
            for text, start in parts:
                known.setdefault(text, set()).update(range(start, start + _PART))
        if not known:
            return []
        left = sorted(
            sum(bits[at] for at in range(len(text)) if at not in those) for text, those in known.items()
        )
        places = [one.place for one, text in zip(states, spelled, strict=True) if text in known]
        text = (
            "{n} of the {looked_at:,} {what}s that were looked at [has|have] {part} characters in a row from "
            "another (first: row {first}): whoever knows one knows all but {bits:.0f} bits of the next."
        )
        bits_left = float(left[len(left) // 2])
        figure = {"looked_at": len(states), "overlapping": len(places), "bits": bits_left}
        severity: Severity = "evidence" if bits_left < _ENOUGH_BITS else "note"
        said: dict[str, Any] = {"figure": figure, "what": self._what, "part": _PART}
        return facts(f"{self._field}_overlaps", severity, text, places, self._field, **said)

    def _hashed(self) -> list[Finding]:
        """Return the findings of hashes of a counter, or of an earlier secret."""
        states = states_of(self._sample)
        places, secrets = [one.place for one in states], [self._values[one.key] for one in states]
        found: dict[str, dict[int, str]] = {source: {} for source in _HASHED}
        links = []
        for secret, name, of in hashed_secrets([one.text.encode(errors="replace") for one in secrets]):
            place, time = places[secret], secrets[secret].time
            if of is None:
                found["counter"][place] = name
                continue
            apart = 0 if NEVER in (time, secrets[of].time) else time - secrets[of].time
            told = apart if abs(apart) >= self._precision.apart else 0
            links.append(_Link(place, name, told, place - places[of]))
        way = self._way([one.time for _, one in sorted(zip(places, secrets, strict=True))])
        # In reverse order they form a chain of hashes, whose next link can't be known.
        ways = [one.later or one.rows * way for one in links]
        later, before = sum(one > 0 for one in ways), sum(one < 0 for one in ways)
        as_placed = None if way and later <= before else "beside"
        if later >= _FEWEST_LINKS + 2 * before:
            as_placed = "before"
        for place, name, told, rows in links:
            source = "before" if told > 0 else None if told else as_placed
            if source is not None and (told or rows * (way or 1)) > 0:
                found[source][place] = name
        made: list[Finding] = []
        for source, hashes in found.items():
            (names, count), what = (set(hashes.values()), len(hashes)), self._what
            by = " or ".join(_SHOWN[name] for name in _SHOWN if name in names)
            figure = {"looked_at": len(states), "hashed": count, "of": source, "hashes": sorted(names)}
            severity: Severity = "note" if source == "beside" else "proof"
            said: dict[str, Any] = {"what": what, "by": by, "figure": figure}
            made += facts(f"{self._field}_hashed", severity, _HASHED[source], hashes, self._field, **said)
        return made

    def _way(self, all_times: list[int]) -> int:
        """Return 1 if the oldest row comes first, -1 if the newest does, 0 if that isn't clear."""
        times = np.array([time for time in all_times if time != NEVER])
        up = self._direction.up + int((times[1:] > times[:-1]).sum())
        down = self._direction.down + int((times[1:] < times[:-1]).sum())
        # Without an order these are coin tosses: five standard deviations are one in millions.
        told = (up - down) ** 2 > 25 * (up + down)
        return (1 if up > down else -1) if told else 0


def _numbers(texts: list[str]) -> list[int] | None:
    """Return the numbers that texts are, or end in after a common prefix; None if they don't."""
    for base in (10, 16):
        try:
            return [int(text, base) for text in texts]
        except ValueError:
            continue
    ends = [len(text) - len(text.rstrip("0123456789")) for text in texts]
    if min(ends) == 0 or len({text[: len(text) - end] for text, end in zip(texts, ends, strict=True)}) > 1:
        return None
    return [int(text[len(text) - end :]) for text, end in zip(texts, ends, strict=True)]
