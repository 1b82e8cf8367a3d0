"""Keys, signatures and headers as bytes or hex text."""

from __future__ import annotations

import re
from typing import Any

from provably_fair._core.arguments import BadValue, check_type, unbox

_HEX = re.compile(rb"(?:[0-9a-fA-F]{2})*")


def hex_bytes(name: str, value: Any, sizes: tuple[int, ...] | range) -> bytes:
    """Return the bytes of a value that is bytes or hex text, refusing other sizes."""
    value = unbox(value)
    check_type(name, value, (str, bytes), "hex text or bytes")
    # Where bytes may be of any size, hex text may be as long.
    is_text = isinstance(value, bytes) and len(value) // 2 in sizes and _HEX.fullmatch(value)
    if isinstance(value, bytes) and len(value) in sizes and not is_text:
        return bytes(value)
    allowed = f"at least {sizes[0]}" if isinstance(sizes, range) else " or ".join(map(str, sizes))
    try:
        decoded = bytes.fromhex(value if isinstance(value, str) else value.decode("ascii"))
    except ValueError:  # includes UnicodeDecodeError
        raise BadValue(name, f"must be hex text of {allowed} bytes, got {value[:80]!r}") from None
    if len(decoded) not in sizes or 2 * len(decoded) != len(value):
        raise BadValue(name, f"must be {allowed} bytes, got {len(value)} characters: {value[:80]!r}")
    return decoded
