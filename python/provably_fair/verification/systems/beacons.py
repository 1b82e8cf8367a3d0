"""Seeds from public randomness: verification against beacons and blocks."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np

from provably_fair import beacons
from provably_fair._core.errors import BadValue
from provably_fair._core.printable import bare_hex
from provably_fair._engine import column_wholes
from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import BITCOIN, BLOCK_HASHES
from provably_fair.sources.foreign import Constant, as_text, cells_of

from .findings import faulty
from .system import Beacon, Field, Found, Part, Rows

BEACON_ROUND, BEACON_SIGNATURE, PREVIOUS_SIGNATURE = "beacon_round", "beacon_signature", "previous_signature"
"""Fields with a beacon's round, its signature, and, if rounds are chained, the previous round's signature."""

BLOCK_HEADER = "block_header"
"""The field with the header of the block whose hash is a seed."""

_DIFFICULTIES = {
    2024: 5e13,
    2022: 2e13,
    2020: 1e13,
    2018: 1e12,
    2016: 5e10,
    2014: 1e9,
    2012: 1e6,
    2011: 1e4,
}
"""Less than Bitcoin's difficulty ever was since the beginning of a year."""

# The field of schemes that hash the randomness derived from a beacon.
_RANDOMNESS = "beacon_randomness"


class DrandBeacon(Beacon):
    """Rounds of drand: the scheme hashes the signature, or the randomness derived from it."""

    proof: str = BEACON_SIGNATURE
    needed: str = BEACON_ROUND

    def __init__(self, scheme: Scheme, chain: beacons.Drand) -> None:
        self.chain = chain
        self._of_randomness = _RANDOMNESS in scheme.fields
        names = [BEACON_ROUND, BEACON_SIGNATURE, *([PREVIOUS_SIGNATURE] if chain.is_chained else [])]
        self.fields: tuple[Field, ...] = tuple(
            Field(name, False, number=name == BEACON_ROUND) for name in names if name not in scheme.fields
        )
        self.lacking: str = (
            f"no {' and '.join(names)}: nothing shows that the randomness is that of {chain.chain}'s rounds"
        )
        self.names: list[str] = names

    def check(self, rows: Rows, found: Found) -> list[Part]:
        if any(name not in rows.columns for name in self.names):
            return []
        rounds, there = column_wholes(BEACON_ROUND, rows.columns[BEACON_ROUND], rows.count)
        there = there & (rounds > 0)
        unread = np.flatnonzero(~there)
        texts = [_texts(rows, name) for name in self.names[1:]]
        answers = beacons.bls.verdicts(self.chain, np.where(there, rounds, 1), *texts, threads=rows.threads)
        right = there & (answers == 1)
        if self._of_randomness:
            said = [text.lower() for text in _texts(rows, _RANDOMNESS)]
            for row in np.flatnonzero(right).tolist():
                right[row] = self.chain.randomness(texts[0][row]) == said[row]
        wrong = np.flatnonzero(there & ~right)
        signed = np.array([name == BEACON_SIGNATURE for name in found.fields], bool)
        wrong = wrong[~np.isin(wrong, found.rows[signed[found.numbers]])]
        expected = [f"that of round {rounds[row]} of {self.chain.chain}" for row in wrong.tolist()]
        return [
            faulty(BEACON_ROUND, "malformed", unread),
            faulty(BEACON_SIGNATURE, "commitment", wrong, expected, int(right.sum())),
        ]

    def known(self, columns: Mapping[str, Any], rows: int) -> tuple[np.ndarray, np.ndarray]:
        column = columns[BEACON_ROUND]
        if isinstance(column, Constant):
            column = [column.value] * rows
        rounds, there = column_wholes(BEACON_ROUND, column, rows)
        last = (2**63 - 1) // 1_000_000 // self.chain.period - self.chain.genesis
        there = there & (rounds > 0) & (rounds < last)
        return self.chain.time(np.where(there, rounds, 1)) * 1_000_000, there


class BlockBeacon(Beacon):
    """Hashes of Bitcoin's blocks."""

    names: tuple[str, ...] = (BLOCK_HEADER,)
    proof = needed = BLOCK_HEADER
    fields: tuple[Field, ...] = (Field(BLOCK_HEADER, False),)
    lacking: str = f"no {BLOCK_HEADER}: nothing shows that the hash is a block's"
    TOLERANCE = 2 * 3600  # the maximum error of a block's time, in seconds

    def __init__(self, hash_field: str) -> None:
        self._hash_field = hash_field

    def check(self, rows: Rows, found: Found) -> list[Part]:
        if BLOCK_HEADER not in rows.columns:
            return []
        hashes = [text.lower() for text in _texts(rows, self._hash_field)]
        headers = _headers(_texts(rows, BLOCK_HEADER))
        wrong = np.array(
            [
                row
                for row, (header, hash) in enumerate(zip(headers, hashes, strict=True))
                if header is None or not header.is_valid or header.hash != hash or _is_easy(header)
            ],
            np.int64,
        )
        expected = [f"the header, with its proof of work, of block {hashes[row]}" for row in wrong.tolist()]
        return [faulty(BLOCK_HEADER, "commitment", wrong, expected, rows.count - len(wrong))]

    def known(self, columns: Mapping[str, Any], rows: int) -> tuple[np.ndarray, np.ndarray]:
        headers = _headers(_texts_of(columns[BLOCK_HEADER], rows))
        times = [0 if header is None else header.time + self.TOLERANCE for header in headers]
        there = np.array([header is not None for header in headers], bool)
        return np.array(times, np.int64) * 1_000_000, there


def beacon_of(scheme: Scheme) -> Beacon | None:
    """Return the beacon of a scheme's seeds; None if they have none."""
    if scheme.beacon is None:
        return None
    if scheme.beacon == BITCOIN:
        fields = [name for name in BLOCK_HASHES if name in scheme.fields]
        if fields:
            return BlockBeacon(fields[0])
        wanted = BLOCK_HASHES
    else:
        try:
            chain = beacons.Drand(scheme.beacon)
        except BadValue as error:
            raise BadValue("game", f"has a scheme whose beacon {error.problem} or {BITCOIN!r}") from None
        if BEACON_SIGNATURE in scheme.fields or _RANDOMNESS in scheme.fields:
            return DrandBeacon(scheme, chain)
        wanted = (BEACON_SIGNATURE, _RANDOMNESS)
    raise BadValue("game", f"of the beacon {scheme.beacon!r} must have a field {' or '.join(wanted)}")


def _texts(rows: Rows, name: str) -> list[str]:
    return _texts_of(rows.columns[name], rows.count)


def _texts_of(column: Any, rows: int) -> list[str]:
    return [bare_hex(as_text(value)) for value in cells_of(column, rows)]


def _is_easy(header: beacons.BitcoinHeader) -> bool:
    """Whether a header was cheaper to make than a block of Bitcoin's main chain at its time."""
    year = datetime.fromtimestamp(header.time, UTC).year
    return header.difficulty < next((least for since, least in _DIFFICULTIES.items() if year >= since), 1)


def _headers(texts: list[str]) -> list[beacons.BitcoinHeader | None]:
    """Return block headers; None for texts that aren't one."""
    read: dict[str, beacons.BitcoinHeader] = {}
    for text in dict.fromkeys(texts):
        with suppress(ValueError):
            read[text] = beacons.BitcoinHeader(text)
    return list(map(read.get, texts))
