"""Block headers: those of known blocks, and altered ones."""

from __future__ import annotations

import datetime
import json
import random
import struct

import pytest
from folders import VECTORS
from provably_fair.beacons import BitcoinHeader, EosHeader

KNOWN = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))


def test_known_headers_of_bitcoin() -> None:
    for height, text, hash in KNOWN["bitcoin"]["rows"]:
        header = BitcoinHeader(bytes.fromhex(text))
        assert header == BitcoinHeader(text)
        assert header.hash == hash
        assert header.is_valid
        assert header.height == (0 if height == 0 else None)
    first, second, hundred_thousandth, later = (
        BitcoinHeader(text) for _, text, _ in KNOWN["bitcoin"]["rows"]
    )
    assert second.previous == first.hash
    assert (first.difficulty, second.difficulty) == (1, 1)
    # As block explorers show it.
    assert round(hundred_thousandth.difficulty, 5) == 14484.16236
    assert round(later.difficulty, 2) == 1180923195.26
    assert (
        datetime.datetime.fromtimestamp(later.time, datetime.UTC).isoformat() == "2013-12-27T23:11:54+00:00"
    )


def test_changed_headers_have_no_proof_of_work() -> None:
    generator = random.Random(43)
    header = int(KNOWN["bitcoin"]["rows"][-1][1], 16)
    for _ in range(2000):
        changed = BitcoinHeader((header ^ 1 << generator.randrange(640)).to_bytes(80, "big"))
        assert not changed.is_valid


@pytest.mark.parametrize("bits", [0x00000000, 0x1D800000, 0xFF00FFFF, 0x2100FFFF, 0x1D010000, 0x01000000])
def test_targets_that_cant_be(bits: int) -> None:
    """Zero, negative, over 256 bits, and easier than the easiest allowed target."""
    text = KNOWN["bitcoin"]["rows"][0][1]
    changed = BitcoinHeader(text[:144] + bits.to_bytes(4, "little").hex() + text[152:])
    assert not changed.is_valid
    assert changed.difficulty >= 0


def test_known_headers_of_eos() -> None:
    for time, producer, confirmed, *hashes, version, id in KNOWN["eos"]["rows"]:
        seconds = datetime.datetime.fromisoformat(time + "+00:00").timestamp()
        letters = ".12345abcdefghijklmnopqrstuvwxyz"
        name = sum(letters.index(letter) << 59 - 5 * place for place, letter in enumerate(producer))
        slot = int((seconds - 946684800) * 2)
        packed = struct.pack("<IQH", slot, name, confirmed) + bytes.fromhex("".join(hashes))
        header = EosHeader(packed + struct.pack("<IBB", version, 0, 0))
        text = header.header.hex()
        assert header == EosHeader(text) == EosHeader(text.encode()) == EosHeader(text.upper().encode())
        assert header.hash == id
        assert (header.number, header.time) == (int(id[:8], 16), seconds)
        assert (header.producer, header.previous) == (producer, hashes[0])


def test_errors() -> None:
    for wrong in "00", bytes(79), "0g" * 80:
        with pytest.raises(ValueError, match=r"^header must be .*80 bytes"):
            BitcoinHeader(wrong)
    with pytest.raises(TypeError, match=r"^header must be hex text or bytes, got int"):
        BitcoinHeader(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^header must be .*at least 116 bytes"):
        EosHeader(bytes(115))
