"""Verifiable random functions over edwards25519 (RFC 9381), in exact integers."""

from __future__ import annotations

import hashlib
from functools import cached_property

from provably_fair._core.arguments import BadValue, encode_text
from provably_fair._core.types import Text

from .text import hex_bytes

__all__ = ["Ecvrf"]

_SUITE = "edwards25519-SHA512-TAI"
_SUITE_BYTE = b"\x03"
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)

# The crate curve25519-dalek would verify a proof in 0.5 ms instead of 8 ms. But its binding takes as many
# lines as the arithmetic below, and 4 s of CPU time in every build, for proofs that are verified one by one.

# Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
_Point = tuple[int, int, int, int]
_IDENTITY: _Point = (0, 1, 1, 0)


def _add(p: _Point, q: _Point) -> _Point:
    """Return the sum of two points, by the complete formulas of RFC 8032, section 5.1.4."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * _D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _negative(point: _Point) -> _Point:
    x, y, z, t = point
    return -x, y, z, -t


def _times(number: int, point: _Point) -> _Point:
    """Return a multiple of a point. Nothing is secret here, so the time may depend on the number."""
    product = _IDENTITY
    for bit in f"{number:b}":
        product = _add(product, product)
        if bit == "1":
            product = _add(product, point)
    return product


def _decode(text: bytes) -> _Point | None:
    """Return the point that 32 bytes encode (RFC 8032, section 5.1.3); None if they encode none."""
    number = int.from_bytes(text, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def _encode(point: _Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE = _decode(_BASE_Y.to_bytes(32, "little")) or _IDENTITY  # never None


class Ecvrf:
    """The public key of a verifiable random function (RFC 9381).

    The owner of the secret key computes exactly one output for each input, and proves it. The owner can't
    choose the output, but knows it as soon as the input is known, and may withhold it.

    Parameters
    ----------
    public_key : str or bytes
        32 bytes, or their hex text.
    suite : str
        The suite of RFC 9381, ``"edwards25519-SHA512-TAI"``; the only one supported.

    Examples
    --------
    >>> import provably_fair as pf
    >>> key = pf.beacons.Ecvrf("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    >>> proof = bytes.fromhex(
    ...     "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f479d97"
    ...     "27d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805"
    ... )
    >>> key.verify(proof, alpha=b"").hex()[:32]
    '90cf1df3b703cce59e2a35b925d41116'
    >>> key.verify(proof, alpha=b"another input") is None
    True
    """

    def __init__(self, public_key: Text, suite: str = _SUITE) -> None:
        if suite != _SUITE:
            raise BadValue("suite", f"must be {_SUITE!r}, the only one that is verified, got {suite!r:.80}")
        key = hex_bytes("public_key", public_key, (32,))
        self.suite: str = suite
        self.public_key: str = key.hex()
        point = _decode(key)
        # A key of small order gives the same output for every input.
        if point is None or _encode(_times(8, point)) == _encode(_IDENTITY):
            raise BadValue("public_key", "must be a point of edwards25519 that isn't of small order")
        self._point = point

    @cached_property
    def _key(self) -> bytes:
        return bytes.fromhex(self.public_key)

    def verify(self, proof: Text, alpha: Text) -> bytes | None:
        """Verify a proof, and return the output that it proves.

        Parameters
        ----------
        proof : str or bytes
            80 bytes, or their hex text.
        alpha : str or bytes
            The input; text as UTF-8.

        Returns
        -------
        bytes or None
            The 64 bytes of the output (beta); None for any wrong proof.

        Raises
        ------
        ValueError
            When the proof isn't hex text, or has a wrong length.

        Examples
        --------
        >>> import provably_fair as pf
        >>> key = pf.beacons.Ecvrf("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        >>> key.verify(bytes(80), "input") is None
        True
        """
        proof, alpha = hex_bytes("proof", proof, (80,)), encode_text("alpha", alpha)
        gamma, c = _decode(proof[:32]), int.from_bytes(proof[32:48], "little")
        s = int.from_bytes(proof[48:], "little")
        if gamma is None or s >= _ORDER:
            return None
        h, point = self._hash_to_curve(alpha), self._point
        assert point is not None  # the key was checked on construction
        u = _add(_times(s, _BASE), _times(c, _negative(point)))
        v = _add(_times(s, h), _times(c, _negative(gamma)))
        hashed = b"".join(map(_encode, (self._point, h, gamma, u, v)))
        challenge = hashlib.sha512(_SUITE_BYTE + b"\x02" + hashed + b"\x00").digest()[:16]
        if challenge != proof[32:48]:
            return None
        return hashlib.sha512(_SUITE_BYTE + b"\x03" + _encode(_times(8, gamma)) + b"\x00").digest()

    def _hash_to_curve(self, alpha: bytes) -> _Point:
        """Return the curve point of an input by try-and-increment (RFC 9381, section 5.4.1.1)."""
        for count in range(256):
            tried = hashlib.sha512(_SUITE_BYTE + b"\x01" + self._key + alpha + bytes([count, 0])).digest()
            point = _decode(tried[:32])
            if point is not None and _encode(point := _times(8, point)) != _encode(_IDENTITY):
                return point
        # Happens for one in 2**256 inputs.
        raise BadValue("alpha", "must map to a point of the curve, and none of 256 hashes does")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ecvrf) and self.public_key == other.public_key

    def __hash__(self) -> int:
        return hash(self.public_key)

    def __repr__(self) -> str:
        return f"Ecvrf({self.public_key!r})"
