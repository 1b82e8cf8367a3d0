"""Ed25519 keys and signatures of certificates, by the package cryptography."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.optional import optional
from provably_fair.beacons.text import hex_bytes

_PRIVATE = "must be an Ed25519 private key: cryptography's, its 32 bytes, or the path of its PEM file"
_PUBLIC = (
    "must be an Ed25519 public key: hex text of 32 bytes, these bytes, cryptography's, or the path of its "
    "PEM file"
)
_HEX = re.compile(r"(0x)?[0-9A-Fa-f]*")


def _ed25519() -> Any:
    return optional("cryptography.hazmat.primitives.asymmetric.ed25519", "signing", "a signed certificate")


def _serialization() -> Any:
    return optional("cryptography.hazmat.primitives.serialization", "signing", "a signed certificate")


def private_key(key: object) -> Any:
    """Return an Ed25519 key from one of `cryptography`, 32 bytes, or the path of an unencrypted PEM file."""
    kind, found = _ed25519().Ed25519PrivateKey, key
    if isinstance(key, bytes):
        if len(key) != 32:
            raise BadValue("key", f"{_PRIVATE}, got {len(key)} bytes")
        found = kind.from_private_bytes(key)
    elif isinstance(key, (str, os.PathLike)):
        try:
            found = _serialization().load_pem_private_key(Path(key).read_bytes(), None)
        except (ValueError, TypeError) as error:
            raise BadValue("key", f"{_PRIVATE}: {error}") from None
    if not isinstance(found, kind):
        raise BadType("key", f"{_PRIVATE}, got {type(found).__name__}")
    return found


def public_key_of(key: object) -> str:
    """Return an Ed25519 public key as hex text.

    It is given as such text or its 32 bytes, by `cryptography`, or by the path of a PEM file, which may hold
    the private key as well.
    """
    if isinstance(key, bytes) or (isinstance(key, str) and _HEX.fullmatch(key)):
        return hex_bytes("key", key, (32,)).hex()
    found = key
    if isinstance(key, (str, os.PathLike)):
        try:
            text = Path(key).read_bytes()
            if b" PRIVATE KEY-----" in text:
                found = private_key(key)
            else:
                found = _serialization().load_pem_public_key(text)
        except OSError as error:
            raise BadValue("key", f"{_PUBLIC}, got {str(key)!r:.80}: {error.strerror}") from None
        except ValueError as error:
            raise BadValue("key", f"{_PUBLIC}: {error}") from None
    if isinstance(found, _ed25519().Ed25519PrivateKey):
        found = found.public_key()
    if not isinstance(found, _ed25519().Ed25519PublicKey):
        raise BadType("key", f"{_PUBLIC}, got {type(found).__name__}")
    return str(found.public_bytes_raw().hex())


def is_signature(signature: bytes, key: bytes, message: bytes) -> bool:
    """Whether a signature of a message is that of a public key, given as its bytes."""
    invalid = optional("cryptography.exceptions", "signing", "a signed certificate").InvalidSignature
    try:
        _ed25519().Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (ValueError, invalid):
        return False
    return True
