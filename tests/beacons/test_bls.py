"""BLS signatures of beacons: published ones, ones made by another library, and invalid ones."""

from __future__ import annotations

import copy
import datetime
import hashlib
import itertools
import json
import pickle
import random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from folders import VECTORS
from provably_fair.beacons import Drand, Vx
from published_rounds import BEACONS

KNOWN = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))
QUICKNET, DEFAULT = Drand("quicknet"), Drand("default")
# Live rounds of two games, and examples from the documentation of the chains.
ROUNDS = BEACONS + [tuple(row[:2]) for row in KNOWN["quicknet"]["rows"]]
[[CHAINED, BEFORE, AFTER]] = KNOWN["default"]["rows"]
SIGNED = KNOWN["bustabit_signed"]

PRIME = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


def test_published_signatures() -> None:
    assert len(ROUNDS) == 12
    for round, signature in ROUNDS:
        assert QUICKNET.verify(round, signature) is True
        assert QUICKNET.verify(round, bytes.fromhex(signature)) is True
        assert QUICKNET.verify(round, signature.upper().encode()) is True
    for _, signature, randomness in KNOWN["quicknet"]["rows"]:
        assert QUICKNET.randomness(signature) == randomness
    assert DEFAULT.verify(CHAINED, AFTER, BEFORE) is True


def test_what_is_known_of_the_chains() -> None:
    """A chain's hash is that of its key, genesis, period and group, and `Drand` computes it."""
    for name, hash in {
        "quicknet": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "default": "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
    }.items():
        assert Drand(hash) == Drand(name)
        assert repr(Drand(hash)) == f"Drand({name!r})"
    assert (QUICKNET.genesis, QUICKNET.period, QUICKNET.is_chained) == (1692803367, 3, False)
    assert (DEFAULT.genesis, DEFAULT.period, DEFAULT.is_chained) == (1595431050, 30, True)
    assert Drand() == QUICKNET != DEFAULT


def info(chain: Drand, **changes: Any) -> dict[str, Any]:
    return {
        "public_key": chain.public_key,
        "period": chain.period,
        "genesis_time": chain.genesis,
        "schemeID": chain.scheme,
    } | changes


def test_a_chain_of_ones_own() -> None:
    own = Drand(info(QUICKNET))
    assert own == QUICKNET
    assert own.verify(*ROUNDS[0])
    for chain in own, QUICKNET, Vx(SIGNED["public_key"]):
        assert pickle.loads(pickle.dumps(chain)) == copy.copy(chain) == chain
        assert hash(copy.deepcopy(chain)) == hash(chain)
    group = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"
    named = {"hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", "groupHash": group}
    whole = info(QUICKNET, **named, metadata={"beaconID": "quicknet"})
    assert Drand(whole).chain == named["hash"]
    for change in {"period": 4}, {"genesis_time": 1}, {"groupHash": "00" * 32}, {"metadata": {}}:
        with pytest.raises(ValueError, match=r"^chain\['hash'\] must be that of the other values"):
            Drand(whole | change)
    posing = Drand(info(DEFAULT, name="quicknet"))
    assert (posing.chain, pickle.loads(pickle.dumps(posing))) == ("", DEFAULT)
    # A chain that signs in G1 but uses the tag of G2, with the same key.
    assert not Drand(info(QUICKNET, schemeID="bls-unchained-on-g1")).verify(*ROUNDS[0])


def test_times() -> None:
    assert QUICKNET.time(1) == QUICKNET.genesis
    rounds = np.array([1, 2, 27798178])
    times = QUICKNET.time(rounds)
    assert times.tolist() == [QUICKNET.time(int(round)) for round in rounds]
    for round, time in zip(rounds.tolist(), times.tolist(), strict=True):
        for later in 0, 1, 2.999:
            assert QUICKNET.round_at(time + later) == round
        assert QUICKNET.round_at(datetime.datetime.fromtimestamp(time, datetime.UTC)) == round
        assert QUICKNET.round_at(pd.Timestamp(time, unit="s", tz="Europe/Paris")) == round
    with pytest.raises(ValueError, match=r"^time must be at least 1692803367"):
        QUICKNET.round_at(QUICKNET.genesis - 1)
    with pytest.raises(ValueError, match=r"^time must have a time zone"):
        QUICKNET.round_at(datetime.datetime(2025, 1, 1))


def outside(generator: random.Random) -> bytes:
    """A point of the curve outside the subgroup, as all but one in 10**37 are."""
    while True:
        x = generator.randrange(PRIME)
        y = pow(x**3 + 4, (PRIME + 1) // 4, PRIME)
        if (y * y - x**3 - 4) % PRIME == 0:
            return (x | (4 | generator.randrange(2)) << 381).to_bytes(48, "big")


IDENTITY = bytes([0xC0, *bytes(47)])


def mutants(generator: random.Random) -> Any:
    """Rounds with signatures invalid in every known way, endlessly."""
    for number in itertools.count():
        round, signature = generator.choice(ROUNDS)
        right = bytes.fromhex(signature)
        match number % 10:
            case 0 | 1 | 2 | 3:
                bits = sum(1 << bit for bit in generator.sample(range(384), generator.choice([1, 1, 2, 5])))
                yield round, (int.from_bytes(right, "big") ^ bits).to_bytes(48, "big")
            case 4 | 5:
                yield round, outside(generator)
            case 6:
                yield round + generator.choice([-1, 1, 10, -10, 2**32, 2**62]), right
            case 7:
                yield round, bytes([right[0] ^ 0x20, *right[1:]])  # the negated point
            case 8:
                yield round, bytes.fromhex(generator.choice([s for r, s in ROUNDS if r != round]))
            case _:
                x = int.from_bytes(right, "big") % 2**381
                yield (
                    round,
                    generator.choice(
                        [
                            IDENTITY,
                            bytes([0xE0, *bytes(47)]),
                            bytes([0x80, *bytes(47)]),
                            bytes(48),
                            b"\xff" * 48,
                            bytes([0xC0, *right[1:]]),
                            bytes([right[0] & 0x7F, *right[1:]]),  # without the compression flag
                            ((x + PRIME) % 2**381 | 4 << 381).to_bytes(48, "big"),  # not reduced
                            bytes.fromhex(AFTER)[:48],
                            generator.randbytes(48),
                        ]
                    ),
                )


def test_no_mutant_is_accepted() -> None:
    distinct: dict[tuple[int, bytes], None] = {}
    made = mutants(random.Random(43))
    while len(distinct) < 2000:
        distinct[next(made)] = None
    rounds, signatures = zip(*distinct, strict=True)
    found = QUICKNET.verify(np.array(rounds, np.uint64), list(signatures))
    assert found.shape == (2000,)
    assert not found.any()
    for signature in IDENTITY, outside(random.Random(1)), ROUNDS[1][1]:
        assert QUICKNET.verify(ROUNDS[0][0], signature) is False


def test_no_mutant_of_the_other_group_is_accepted() -> None:
    generator = random.Random(43)
    for _ in range(100):
        bits = 1 << generator.randrange(768)
        changed = (int(AFTER, 16) ^ bits).to_bytes(96, "big")
        assert DEFAULT.verify(CHAINED, changed, BEFORE) is False
        assert DEFAULT.verify(CHAINED, AFTER, (int(BEFORE, 16) ^ bits).to_bytes(96, "big")) is False
    assert not DEFAULT.verify(CHAINED + 1, AFTER, BEFORE)
    assert not DEFAULT.verify(CHAINED, BEFORE, AFTER)
    assert not DEFAULT.verify(CHAINED, bytes([0xC0, *bytes(95)]), BEFORE)
    # Any first half gives a point of the curve or none, but never one of the subgroup.
    assert not DEFAULT.verify(CHAINED, AFTER[:96] + "00" * 48, BEFORE)


def test_signatures_of_another_library() -> None:
    """py_ecc implements hashing to the curve, signing and compression in Python, from the RFCs."""
    from py_ecc.bls import G2Basic
    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.bls.point_compression import compress_G1, compress_G2
    from py_ecc.optimized_bls12_381 import G2, multiply

    secret = int(SIGNED["private_key"], 16) % ORDER
    vx = Vx(SIGNED["public_key"])
    assert G2Basic.SkToPk(secret).hex() == SIGNED["public_key"]
    message = hashlib.sha256(bytes(32)).digest() + SIGNED["salt"].encode()
    signature = G2Basic.Sign(secret, message)
    assert vx.verify(message, signature) is True
    assert vx.verify(message, signature.hex()) is True
    assert vx.verify(message + b"\0", signature) is False
    assert Vx(DEFAULT.public_key).verify(message, signature) is False
    assert vx.verify([message, b"another"], signature).tolist() == [True, False]
    assert vx.verify(message, [signature.hex(), "00" * 96]).tolist() == [True, False]

    def bytes_of(compressed: Any) -> bytes:
        parts = compressed if isinstance(compressed, tuple) else (compressed,)
        return b"".join(int(part).to_bytes(48, "big") for part in parts)

    key = bytes_of(compress_G2(multiply(G2, secret)))
    for scheme, tag in ("bls-unchained-g1-rfc9380", "G1"), ("bls-unchained-on-g1", "G2"):
        chain = Drand(info(QUICKNET, public_key=key.hex(), schemeID=scheme))
        hashed = hashlib.sha256((7).to_bytes(8, "big")).digest()
        point = hash_to_G1(hashed, f"BLS_SIG_BLS12381{tag}_XMD:SHA-256_SSWU_RO_NUL_".encode(), hashlib.sha256)
        signature = bytes_of(compress_G1(multiply(point, secret)))
        assert chain.verify(7, signature)
        assert not chain.verify(8, signature)
        assert not QUICKNET.verify(7, signature)
    # An unchained network with signatures in G2.
    chain = Drand(info(DEFAULT, public_key=SIGNED["public_key"], schemeID="pedersen-bls-unchained"))
    assert chain.verify(7, G2Basic.Sign(secret, hashed))


def test_many_at_once() -> None:
    rounds = [round for round, _ in ROUNDS] * 3
    texts = [signature for _, signature in ROUNDS] * 3
    texts[5], texts[20] = texts[6], texts[0]
    expected = [number not in (5, 20) for number in range(len(texts))]
    raw = [bytes.fromhex(text) for text in texts]
    seen: list[tuple[int, int]] = []
    for signatures in (
        texts,
        raw,
        np.array(texts),
        np.array(texts, "S96"),
        np.array(raw, "S48"),
        np.array(raw, object),
        pd.Series(texts),
        pa.array(texts),
        pa.array(raw),
        pa.array(raw, pa.binary(48)),
    ):
        found = QUICKNET.verify(rounds, signatures, threads=2, progress=lambda *done: seen.append(done))
        assert found.dtype == bool
        assert found.tolist() == expected
        assert seen.pop() == (36, 36)
    assert QUICKNET.verify(pd.Series(rounds), texts).tolist() == expected
    assert QUICKNET.verify(rounds[0], texts[:2]).tolist() == [True, False]
    assert QUICKNET.verify(rounds[:2], texts[0]).tolist() == [True, False]
    assert QUICKNET.verify([], []).tolist() == []
    assert DEFAULT.verify([CHAINED] * 2, [AFTER] * 2, [BEFORE, AFTER]).tolist() == [True, False]


def test_bytes_that_end_in_zero() -> None:
    """numpy hides trailing zero bytes, but all 48 bytes count."""
    array = np.array([bytes.fromhex(ROUNDS[0][1])[:-1] + b"\0"], "S48")
    assert len(array[0]) == 47
    assert QUICKNET.verify([ROUNDS[0][0]], array).tolist() == [False]


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ("", "48 bytes"),
        ("0g" * 48, "hex"),
        ("00" * 47 + " 0", "hex|48 bytes"),
        ("é" * 96, "hex"),
        ("00" * 96, "48 bytes"),
        (bytes(96), "hex|48 bytes"),
        (b"\xe9" * 96, "hex"),
    ],
)
def test_what_can_be_no_signature(wrong: Any, what: str) -> None:
    for call in (lambda: QUICKNET.verify(1, wrong), lambda: QUICKNET.randomness(wrong)):
        with pytest.raises(ValueError, match=rf"^signature must be .*({what})"):
            call()
    with pytest.raises(ValueError, match=r"^signature\[1\] must be 48 bytes or their hex text"):
        QUICKNET.verify([1, 2], [ROUNDS[0][1], wrong])


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: Drand("slownet"), ValueError, "^chain must be 'default' or 'quicknet'"),
    (lambda: Drand(5), TypeError, "^chain must be text or a mapping"),
    (lambda: Drand({}), ValueError, "^chain must have public_key, period"),
    (
        lambda: Drand(info(QUICKNET, schemeID="bls-bn254-unchained-on-g1")),
        ValueError,
        r"^chain\['schemeID'\] must be",
    ),
    (lambda: Drand(info(QUICKNET, public_key="00")), ValueError, r"^chain\['public_key'\] must be 96 bytes"),
    (lambda: Drand(info(QUICKNET, public_key="00" * 96)), ValueError, "^public_key must be a point"),
    (lambda: Drand(info(QUICKNET, public_key="c0" + "00" * 95)), ValueError, "^public_key must be a point"),
    (lambda: Drand(info(QUICKNET, period=0)), ValueError, r"^chain\['period'\] must be"),
    (lambda: Drand(info(QUICKNET, genesis_time="1")), TypeError, r"^chain\['genesis_time'\] must be"),
    (lambda: QUICKNET.verify(0, "00" * 48), ValueError, "^round must be"),
    (lambda: QUICKNET.verify(2**63, "00" * 48), ValueError, "^round must be"),
    (lambda: QUICKNET.verify([1, 0], ["00" * 48] * 2), ValueError, "^round must be"),
    (lambda: QUICKNET.verify(1.5, "00" * 48), TypeError, "^round must be"),
    (lambda: QUICKNET.verify(1, 5), TypeError, "^signature must be hex text or bytes"),
    (
        lambda: QUICKNET.verify([1, 2, 3], ["00" * 48] * 2),
        ValueError,
        "^signature has 2 elements",
    ),
    (lambda: QUICKNET.verify(1, "00" * 48, "00" * 48), TypeError, "^previous_signature must not be given"),
    (lambda: DEFAULT.verify(1, "00" * 96), TypeError, "^previous_signature must be given"),
    (lambda: DEFAULT.verify(1, "00" * 96, "00"), ValueError, "^previous_signature must be 32 or 96 bytes"),
    (lambda: QUICKNET.verify(1, "00" * 48, threads=0), ValueError, "^threads must be"),
    (lambda: QUICKNET.time(0), ValueError, "^round must be"),
    (lambda: QUICKNET.time([2**63 - 1]), ValueError, "^round must be"),
    (lambda: QUICKNET.round_at("now"), TypeError, "^time must be"),
    (lambda: QUICKNET.round_at(float("nan")), TypeError, "^time must be"),
    (lambda: Vx("00" * 48), ValueError, "^public_key must be a point"),
    (lambda: Vx(outside(random.Random(0))), ValueError, "^public_key must be a point"),
    (lambda: Vx("00" * 96), ValueError, "^public_key must be 48 bytes"),
    (lambda: Vx(SIGNED["public_key"]).verify(5, "00" * 96), TypeError, "^message must be"),
    (lambda: Vx(SIGNED["public_key"]).verify("m", "00"), ValueError, "^signature must be 96 bytes"),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), WRONG, ids=itertools.count())
def test_errors(wrong: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        wrong()
