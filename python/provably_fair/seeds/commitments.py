"""Secret seeds, and the hashes that commit an operator to them."""

from __future__ import annotations

import hashlib
import hmac
import os

from provably_fair._core.arguments import encode_text
from provably_fair._core.types import Text


def new_seed() -> str:
    """Return a fresh secret seed: 32 bytes from the operating system, as 64 hex characters."""
    return os.urandom(32).hex()


def commitment(seed: Text) -> str:
    """Return the commitment to a seed: the SHA-256 of its text.

    Parameters
    ----------
    seed : str or bytes
        The secret seed; text is hashed as UTF-8.

    Returns
    -------
    str
        64 lowercase hexadecimal characters, to be published before the round.

    Examples
    --------
    >>> pf.commitment("abc")
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    return hashlib.sha256(encode_text("seed", seed)).hexdigest()


def check_commitment(seed: Text, commitment: Text) -> bool:
    """Return whether the SHA-256 of a revealed seed is the one that was published; see `commitment`.

    The comparison takes the same time wherever the two differ. Upper and lower case hexadecimal digits are
    the same, with ``0x`` in front or without, as in logs; anything that isn't 64 hexadecimal digits matches
    no seed.

    Examples
    --------
    >>> seed = pf.new_seed()
    >>> pf.check_commitment(seed, pf.commitment(seed))
    True
    >>> pf.check_commitment("another seed", pf.commitment(seed))
    False
    """
    published = encode_text("commitment", commitment).strip().lower().removeprefix(b"0x")
    return hmac.compare_digest(hashlib.sha256(encode_text("seed", seed)).hexdigest().encode(), published)
