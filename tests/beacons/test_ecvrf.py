"""Verifiable random functions: the RFC's test vectors, locally made proofs, and invalid ones."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from folders import VECTORS
from provably_fair.beacons import Ecvrf
from provably_fair.beacons import ecvrf as inside

KNOWN = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))["ecvrf_edwards25519_sha512_tai"]
ROWS = [[bytes.fromhex(text) for text in row] for row in KNOWN["rows"]]
ORDER = 2**252 + 27742317777372353535851937790883648493


@pytest.mark.parametrize(("key", "alpha", "proof", "beta"), ROWS)
def test_the_vectors_of_the_rfc(key: bytes, alpha: bytes, proof: bytes, beta: bytes) -> None:
    function = Ecvrf(key)
    assert function == Ecvrf(key.hex(), suite="edwards25519-SHA512-TAI") == eval(repr(function))
    assert function.verify(proof, alpha) == beta
    assert function.verify(proof.hex(), alpha) == beta
    assert function.verify(proof, alpha + b"\0") is None
    for other, *_ in ROWS:
        assert (Ecvrf(other).verify(proof, alpha) == beta) == (other == key)


def test_no_mutant_is_accepted() -> None:
    generator = random.Random(43)
    functions = [(Ecvrf(key), alpha, proof) for key, alpha, proof, _ in ROWS]
    for _ in range(60):
        function, alpha, proof = generator.choice(functions)
        changed = (int.from_bytes(proof, "big") ^ 1 << generator.randrange(640)).to_bytes(80, "big")
        assert function.verify(changed, alpha) is None
    function, alpha, proof = functions[0]
    # A non-canonical scalar, and points of small order in place of the proof's.
    later = int.from_bytes(proof[48:], "little") + ORDER
    assert function.verify(proof[:48] + later.to_bytes(32, "little"), alpha) is None
    for small in bytes(32), (1).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little"):
        assert function.verify(small + proof[32:], alpha) is None


def test_proofs_made_here() -> None:
    """Proofs made as in section 5.1 of RFC 9381, with the module's own arithmetic."""
    generator = random.Random(1)
    for number in range(5):
        secret = generator.randrange(ORDER)
        key = inside._encode(inside._times(secret, inside._BASE))
        function, alpha = Ecvrf(key), b"alpha %d" % number
        h = function._hash_to_curve(alpha)
        gamma, k = inside._times(secret, h), generator.randrange(ORDER)
        points = [function._point, h, gamma, inside._times(k, inside._BASE), inside._times(k, h)]
        c = hashlib.sha512(b"\x03\x02" + b"".join(map(inside._encode, points)) + b"\0").digest()[:16]
        s = (k + int.from_bytes(c, "little") * secret) % ORDER
        proof = inside._encode(gamma) + c + s.to_bytes(32, "little")
        beta = hashlib.sha512(b"\x03\x03" + inside._encode(inside._times(8, gamma)) + b"\0").digest()
        assert function.verify(proof, alpha) == beta


def test_errors() -> None:
    key, alpha, proof, _ = ROWS[0]
    for small in bytes(32), (1).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little"):
        with pytest.raises(ValueError, match=r"^public_key must be a point of edwards25519"):
            Ecvrf(small)
    with pytest.raises(ValueError, match=r"^public_key must be a point of edwards25519"):
        Ecvrf((2**255 - 19 + 4).to_bytes(32, "little"))  # not reduced modulo the field's prime
    with pytest.raises(ValueError, match=r"^public_key must be 32 bytes"):
        Ecvrf("00")
    with pytest.raises(ValueError, match=r"^suite must be 'edwards25519-SHA512-TAI'.* got 'P256-SHA256-TAI'"):
        Ecvrf(key, suite="P256-SHA256-TAI")
    with pytest.raises(ValueError, match=r"^proof must be .*80 bytes"):
        Ecvrf(key).verify(proof[1:], alpha)
    with pytest.raises(TypeError, match=r"^alpha must be"):
        Ecvrf(key).verify(proof, 5)  # type: ignore[arg-type]
